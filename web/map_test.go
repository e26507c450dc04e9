// Tests of the map.

package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageMap tests that flats are at their own position or else at that of their
// postal code, that a circle opens its flats, and that the table has their
// numbers.
func TestPageMap(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "<b>A", "status": "followed", "cost": 800, "currency": "EUR",
			"service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "b", "title": "B", "cost": 1000, "currency": "EUR", "service_constraint": "lyon",
			"service_postal_code": "69007"},
		{"id": "c", "title": "C", "cost": 9000, "currency": "DKK", "service_constraint": "lyon",
			"service_postal_code": "69007"},
		{"id": "d", "title": "D", "gps": [45.80, 4.85], "service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "e", "title": "E", "status": "visited", "details": {"gps": [45.80, 4.95]}, "location": "Bron"},
		{"id": "f", "title": "F", "gps": ["x", 1], "location": "Bron", "text": "far"}]`, "", 1280)
	p.eval(`document.querySelector("meta[name=flats-map-tiles]").content = "https://tiles.invalid/{z}/{x}/{y}.png"`)
	p.eval(`window.tiles = []; new MutationObserver((changes) => changes.flatMap(({addedNodes}) => [...addedNodes])
		.forEach(({src}) => src && tiles.push(src))).observe(document, {subtree: true, childList: true})`)
	p.eval(`location.hash = "#/map"`)
	circles := `[...document.querySelectorAll(".circle")]
		.map((circle) => circle.dataset.status + " " + circle.textContent).sort().join()`
	p.see(circles, "followed 3,new ,visited ")
	// The first tiles are those of the zoom that is shown.
	p.see(`new Set(tiles.map((src) => src.split("/")[3])).size`, "1")
	p.see(`document.querySelector(".map .found").innerText`, "Live: 6 flats\n1 without a position")
	p.see(`[...document.querySelectorAll(".map tr")].map((row) => row.innerText.replace(/\s+/g, " ").trim()).join()`,
		"Place Flats Median,Lyon 7e 4 €900 DKK 9,000,Bron 2 no price")
	p.see(`[...document.querySelectorAll(".place .name:nth-child(2)")].map((name) => name.textContent).join()`,
		"station,university")
	p.wait(`document.querySelector(".tiles img") && document.querySelector("svg > .name")`)
	p.wait(`[...document.querySelectorAll(".tiles img")].every(({src, referrerPolicy}) =>
		/^https:..tiles.invalid.\d+.\d+.\d+.png$/.test(src) && referrerPolicy === "strict-origin")`)
	p.press("0") // it began without Bron, which is in no search area
	// A press on the circle of Lyon 7e opens its flats. It says how many of those that the table counts it has.
	p.see(`[...document.querySelectorAll("svg > .name")].map((name) => name.textContent)
		.filter((name) => name.startsWith("Lyon 7e")).join()`, "Lyon 7e: 3 of 4")
	p.click(".circle[data-status=followed]")
	p.see(`document.querySelector(".beside h2").innerText`, "Lyon 7e: 3 of 4")
	p.see(`[...document.querySelectorAll(".beside li a")].map((link) => link.innerText).join()`, "<b>A,B,C")
	chosen := `[...document.querySelectorAll(".circle[aria-pressed=true]")].map(({ariaLabel}) => ariaLabel).join("|")`
	p.see(chosen, "Lyon 7e: 3 of 4, Followed")
	p.click(".beside li a")
	p.wait(`document.querySelector(".flat")`)
	p.eval(`history.back()`)
	p.see(`document.querySelector(".beside h2")?.innerText`, "Lyon 7e: 3 of 4")
	p.see(chosen, "Lyon 7e: 3 of 4, Followed")
	p.click(".beside .close")
	p.see(chosen, "")
	// Tab reaches one circle, arrow keys the others, Enter opens one, and Escape goes back to it.
	p.see(`document.querySelectorAll(".circle[tabindex='0']").length`, "1")
	p.eval(`document.querySelector(".circle[tabindex='0']").focus()`)
	for range 3 {
		p.key("ArrowRight")
	}
	p.key("ArrowLeft")
	p.see(`document.activeElement.ariaLabel`, "Bron: 1 of 2, Visited")
	p.press("+-") // the circle keeps the focus when it is drawn anew
	p.eval("new Promise((done) => setTimeout(done, 200))")
	p.key("Enter")
	p.see(`document.querySelector(".beside h2").innerText`, "Bron: 1 of 2")
	p.key("Escape")
	p.see(`document.activeElement.ariaLabel`, "Bron: 1 of 2, Visited")
	// However far the map is zoomed, a name hides neither a circle nor another name, and is whole. Names of
	// postal codes are not repeated.
	const hidden = `(() => {
		const map = document.querySelector(".surface").getBoundingClientRect();
		const boxes = (selector) => [...document.querySelectorAll(selector)]
			.map((element) => [element.textContent, element.getBoundingClientRect()]);
		const [names, rounds] = [boxes(".canvas .name"), boxes(".circle circle:first-child, .marker")];
		const far = (from, to, at) => Math.max(from - at, 0, at - to);
		const free = names.map(([, {left, top, right, bottom}], i) =>
			left >= map.left - 1 && right <= map.right + 1 && top >= map.top - 1 && bottom <= map.bottom + 1 &&
			names.slice(0, i).every(([, b]) =>
				left >= b.right || right <= b.left || top >= b.bottom - 1 || bottom - 1 <= b.top) &&
			rounds.every(([, b]) => Math.hypot(far(left, right, (b.left + b.right) / 2),
				far(top, bottom - 1, (b.top + b.bottom) / 2)) >= b.width / 2 - 2));
		const codes = boxes("svg > .name").map(([name]) => name);
		return [...names.filter((_, i) => !free[i]).map(([name]) => name),
			...codes.filter((name, i) => codes.indexOf(name) !== i)].join();
	})()`
	scale := fmt.Sprint(p.eval(`document.querySelector(".rule").innerText`))
	for range 6 {
		p.see(hidden, "")
		p.press("-")
		p.eval("new Promise((done) => setTimeout(done, 200))")
	}
	p.press("0")
	p.see(`document.querySelector(".rule").innerText`, scale)
	// Keys zoom the map.
	p.press("++")
	p.wait(`document.querySelector(".rule").innerText !== ` + encode(scale))
	// A circle of several places has the names of the table.
	p.press("----------")
	p.see(circles, "visited 5")
	p.see(`document.querySelectorAll("svg > .name").length < 3`, "true")
	p.click(".circle")
	p.see(`document.querySelector(".beside h2").innerText`, "Lyon 7e, Bron: 5 of 6")
	p.click(".beside .close")
	p.press("0")
	p.see(`document.querySelector(".rule").innerText`, scale)
	// The wheel zooms the map, too, and a mouse moves it.
	p.see(`[...document.querySelectorAll(".place")].map((place) => place.querySelectorAll("circle").length).join()`, "3,3")
	mouse := func(event string, x, y, wheel int) {
		p.do("Input.dispatchMouseEvent", object{"type": event, "x": x, "y": y, "button": "left", "clickCount": 1,
			"deltaX": 0, "deltaY": wheel})
	}
	mouse("mouseWheel", 500, 300, -300)
	p.wait(`document.querySelector(".rule").innerText !== ` + encode(scale))
	p.press("0")
	p.see(`document.querySelector(".rule").innerText`, scale)
	const far = `document.querySelector(".circle[data-status=followed]").getBoundingClientRect().left`
	before := p.eval(far).(float64)
	mouse("mousePressed", 300, 200, 0)
	mouse("mouseMoved", 320, 200, 0)
	mouse("mouseMoved", 400, 200, 0)
	mouse("mouseReleased", 400, 200, 0)
	p.see(fmt.Sprintf("Math.round(%s - %v)", far, before), "100")
	p.press("0")
	p.eval(`location.hash = "#/map?q=far"`)
	p.see(`document.querySelector(".map .found").innerText`, "Live, “far”: 1 flat\n1 without a position")
	p.eval(`location.hash = "#/map?q=nothing"`)
	p.wait(`document.querySelector(".map .found").innerText.includes("No matching flats")`)
	p.resize(320)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.checkFaults()
}

// TestPageMapSight tests that the window of the map is a filter of all views, with
// which the map opens, that a reload keeps the window, and that a phone shows
// circles and lists whole.
func TestPageMapSight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "A", "gps": [45.80, 4.85],
			"photos": ["data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="]},
		{"id": "b", "title": "B", "gps": [45.80, 4.95]},
		{"id": "c", "title": "C", "gps": [45.90, 4.85]}, {"id": "pole", "title": "Pole", "gps": [90, 0]}, {"id": "n"}]`,
		"#/map", 390)
	const circles = `[...document.querySelectorAll(".circle")].map(({ariaLabel}) => ariaLabel).join("|")`
	p.see(circles, "1 flat, New|1 flat, New|1 flat, New")
	p.see(`document.querySelector(".map .found").innerText`, "Live: 5 flats\n2 without a position")
	// Nothing lies on a circle.
	p.see(`[...document.querySelectorAll(".circle")].every((circle) => {
		const {left, right, top, bottom} = circle.getBoundingClientRect();
		return circle.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
	})`, "true")
	p.click(".circle")
	p.see(`(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector(".beside li").getBoundingClientRect())`, "true")
	// The list lies over the map, in a sheet from below that leaves most of the map in sight, and has photos.
	p.see(`((sheet, bar) => [sheet.left, sheet.width === bar.width, sheet.bottom === bar.top,
		sheet.height < innerHeight / 2].join())(
		...[".beside", "#bar"].map((part) => document.querySelector(part).getBoundingClientRect()))`, "0,true,true,true")
	p.see(`document.querySelector(".beside li > .photo")?.src.slice(0, 14)`, "data:image/gif")
	p.click(".beside .close")
	p.see(`getComputedStyle(document.querySelector(".beside")).position`, "static")
	p.eval(`location.hash = "#/map?lat=45.79..45.81&lng=4.84..4.86"`)
	p.see(chipTexts, "On the map")
	p.see(`document.querySelector(".map .found").innerText`, "Live, On the map: 1 flat")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "5") // all new ones, whatever the filters
	// A window without a flat can be left by zooming, and one that cannot be read is none.
	p.eval(`location.hash = "#/map?lat=45.79..45.81&lng=5.84..5.86"`)
	p.see(`document.querySelector(".map .found").innerText`,
		"Live, On the map: 0 flats\nNo matching flats · Clear filters")
	p.see(`document.querySelector(".canvas").offsetWidth > 300`, "true")
	p.eval(`location.hash = "#/map?lat=abc&cost=x"`)
	p.see(chipTexts, "")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "5")
	p.eval(`location.hash = "#/map?lat=45.79..45.81&lng=4.84..4.86"`)
	p.see(`document.querySelector(".map .found").innerText`, "Live, On the map: 1 flat")
	p.click(".over button")
	p.wait(`location.hash !== "#/map?lat=45.79..45.81&lng=4.84..4.86"`)
	p.see(`location.hash.includes("lat=45.79..45.81") || location.hash.includes("lng=4.84..4.86")`, "true")
	p.see(`/^#.map\?lat=45(.\d{1,6})?\.\.45(.\d{1,6})?&lng=4(.\d{1,6})?\.\.4(.\d{1,6})?$/.test(location.hash)`, "true")
	p.eval(`location.hash = location.hash.replace("map", "")`)
	p.see(rowCount, "1")
	p.click(".chip")
	p.see(rowCount, "5")
	p.eval(`location.hash = "#/map"`)
	p.wait(`document.querySelectorAll(".circle").length === 3`)
	rule := `document.querySelector(".rule")?.innerText`
	before := fmt.Sprint(p.eval(rule))
	// zoomIn zooms so far that the scale has another number, and waits until the map is drawn.
	zoomIn := func() {
		p.click(".zoom button:first-child")
		p.click(".zoom button:first-child")
		p.wait(`document.querySelector(".layer").style.transform === ""`)
	}
	// Two fingers zoom, too.
	fingers := func(event string, apart int) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": []object{
			{"id": 1, "x": 180 - apart, "y": 300}, {"id": 2, "x": 180 + apart, "y": 300}}})
	}
	fingers("touchStart", 30)
	fingers("touchMove", 60)
	fingers("touchMove", 120)
	p.eval("new Promise((done) => setTimeout(done, 100))") // a tap after fingers that leave in motion only stops a fling
	p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
	p.wait(rule + " !== " + encode(before))
	before = fmt.Sprint(p.eval(rule))
	zoomIn()
	p.wait(rule + " !== " + encode(before))
	after := fmt.Sprint(p.eval(rule))
	p.reload()
	p.see(rule, after)
	zoomIn()
	p.wait(rule + " !== " + encode(after))
	after = fmt.Sprint(p.eval(rule))
	p.eval(`location.hash = "#/flat/a"`)
	p.wait(`document.querySelector(".flat h1")`)
	p.reload()
	p.eval(`location.hash = "#/map"`)
	p.see(rule, after)
	p.checkFaults()
}

// TestPageMapBegins tests that the map begins with the search area that has most
// of the flats, and without those that are far from the others.
func TestPageMapBegins(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const seen = `[...document.querySelectorAll(".circle")].filter((circle) => {
		const [{left, top}, map] = [circle, document.querySelector(".canvas")].map((one) => one.getBoundingClientRect());
		return left > map.left && left < map.right && top > map.top && top < map.bottom;
	}).map(({ariaLabel}) => ariaLabel.split(",")[0]).sort().join()`
	const inLyon = `{"id": "1", "title": "1", "gps": [45.75, 4.83], "location": "One", "service_constraint": "lyon"},
		{"id": "2", "title": "2", "gps": [45.77, 4.85], "location": "Two", "service_constraint": "lyon"}`
	for _, c := range []struct{ flats, want, all string }{
		{inLyon + `, {"id": "3", "gps": [52.5, 13.4], "location": "Three", "service_constraint": "berlin"}`, "One,Two", ""},
		// One that lies far off counts for nothing,
		{inLyon + `, {"id": "3", "gps": [48.85, 2.35], "location": "Three", "service_constraint": "lyon"}`, "One,Two", ""},
		// nor do areas where flats have none, as long as most lie near each other.
		{strings.ReplaceAll(inLyon, "lyon", "") + `, {"id": "3", "gps": [52.5, 13.4], "location": "Three"}`, "One,Two", ""},
		{`{"id": "1", "gps": [45.75, 4.83], "location": "One"}, {"id": "3", "gps": [52.5, 13.4], "location": "Three"}`,
			"One,Three", ""},
	} {
		p := openTab(t, "["+c.flats+"]", "#/map", 390)
		p.see(seen, c.want)
		p.click(".zoom button:last-child")
		p.wait(seen + `.includes("Three")`)
		p.checkFaults()
	}
}

// TestPageMapKinds tests that positions of flats are points if they are exact, and
// circles if they are those of postal codes, and that the legend says so.
func TestPageMapKinds(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flat := func(id, more string) string {
		return fmt.Sprintf(`{"id": %q, "title": %q, "cost": 800, "currency": "EUR", "service_constraint": "lyon", %s}`,
			id, id, more)
	}
	found := func(precision, lat string) string {
		return `"location": "Rue Pasteur", "service_postal_code": "69007", "found_position": {"lat": ` + lat +
			`, "lng": 4.8, "precision": "` + precision + `", "text": "69007 Lyon 7e Rue Pasteur"}`
	}
	p := openTab(t, "["+strings.Join([]string{
		flat("own", `"gps": [45.76, 4.9], "location": "Own"`), flat("house", found("house", "45.74")),
		flat("street", found("street", "45.77")), flat("code", `"service_postal_code": "69007"`),
		flat("other", `"service_postal_code": "69007"`), flat("place", found("place", "45.71")),
		flat("village", `"location": "Bron", "found_position": {"lat": 45.72, "lng": 4.91, "precision": "place",
			"text": "Bron"}`),
	}, ",")+"]", "#/map", 1280)
	// From the left: two exact positions, the postal code with what is found less precisely, the listing's own, a village.
	p.see(`[...document.querySelectorAll(".circle")].map((circle) =>
		circle.getAttribute("class") + " " + circle.textContent + ": " + circle.ariaLabel).join("|")`,
		"circle point : Lyon 7e: 1 of 5, New|circle point : Lyon 7e: 1 of 5, New|"+
			"circle rough 3: Lyon 7e: 3 of 5, New|circle point : Own, 1 flat, New|circle rough 1: Bron, 1 flat, New")
	p.see(`document.querySelector(".kinds").innerText.replace(/\s+/g, " ")`,
		"at its address or in its street somewhere in the postal code")
	p.see(`document.querySelector(".atlas + .nowhere + div").innerText.startsWith("New")`, "true") // beneath the map
	p.see(`[...document.querySelectorAll(".map tr")].map((row) => row.innerText.replace(/\s+/g, " ").trim()).join()`,
		"Place Flats Median,Lyon 7e 5 €800,Own 1 €800,Bron 1 €800")
	p.click(".point")
	p.see(`[...document.querySelectorAll(".beside li a")].map((link) => link.innerText).length`, "1")
	// The buttons lie over the map.
	p.see(`[...document.querySelectorAll(".over button, .zoom button")].every((button) => {
		const {x, y} = middleOf(button);
		return document.querySelector(".canvas").contains(
			document.elementsFromPoint(x, y).find((part) => !button.contains(part)));
	})`, "true")
	p.checkFaults()
}

// TestPageMapStreets tests that the tiles of OpenStreetMap are loaded only after a
// question, which is asked once, and that the config's replace them.
func TestPageMapStreets(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.blockTiles()
	p.eval(`location.hash = "#/map"`)
	const (
		tiles = `[...new Set([...document.querySelectorAll(".tiles img")].map(({src, referrerPolicy}) =>
			src.replace(/\d+/g, "0") + " " + referrerPolicy))].join()`
		source = "https://tile.openstreetmap.org/0/0/0.png strict-origin"
		button = ".over button:last-child"
		credit = `[...document.querySelectorAll(".credit a")].map(({innerText, href}) => innerText + " " + href).join()`
	)
	p.wait(`document.querySelector(".circle")`)
	p.see(`document.querySelector("`+button+`").innerText`, "Streets")
	p.see(tiles+` + `+credit, "")
	p.click(button)
	p.see(`document.querySelector("dialog[open] p").innerText`, "Load the street map from openstreetmap.org? Its servers "+
		"then see this device's address, and which part of the map it shows.")
	p.click("dialog[open] button:last-child")
	p.see(`document.querySelectorAll("dialog[open]").length + `+tiles, "0")
	p.click(button)
	p.click("dialog[open] .primary")
	p.see(tiles, source)
	p.see(credit, "© OpenStreetMap contributors https://www.openstreetmap.org/copyright")
	p.see(`document.querySelector("`+button+`").ariaPressed`, "true")
	p.reload()
	p.see(tiles, source)
	p.see(`(({scrollWidth}) => scrollWidth <= innerWidth)(document.documentElement)`, "true")
	p.click(button)
	p.see(tiles+` + `+credit, "")
	p.reload()
	p.wait(`document.querySelector(".circle")`)
	p.see(tiles, "")
	p.click(button) // it was answered
	p.see(tiles, source)
	p.click(".menu")
	p.click("#menu button:last-child")
	p.click(".question .primary")
	p.see(`Object.keys(localStorage).length`, "0")
	p.click(".empty button")
	p.wait(`document.querySelector(".circle")`)
	p.see(tiles+` + `+credit, "")
	p.checkFaults()
	p.url = start(t, readFile(t, "testdata/sample/flats.json"), `"map_tiles": "https://127.0.0.1:1/{z}/{x}/{y}"`,
		`"map_credit": "<b>Mine"`)
	p.open("#/map", 1280)
	p.see(tiles, "https://0.0.0.0:0/0/0/0 strict-origin")
	p.see(`document.querySelector(".credit").innerText`, "<b>Mine")
	p.see(`[...document.querySelectorAll(".over button")].map(({innerText}) => innerText).join()`, "Only what is in sight")
}

// TestPageMapNowhere tests that the map says why no flat has a position, and what
// to do.
func TestPageMapNowhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const flats = `[{"id": 1, "title": "One", "location": "Somewhere 5"}, {"id": 2, "title": "Two"}]`
	p := openTab(t, flats, "#/map", 1280)
	const why = `document.querySelector(".nowhere:not([hidden])")?.innerText.replace(/\s+/g, " ")`
	p.see(why, "None of these flats has a position A position comes from the listing, from its postal code if the config "+
		"names a file of postal codes, or from its address if the config names a travel service. Travel")
	p.see(`document.querySelectorAll(".canvas, .legend").values().some((part) => part.checkVisibility())`, "false")
	p.click(".nowhere a")
	p.see("location.hash", "#/travel")
	p.eval(`fetch("api/v1/flat/1", {method: "PATCH", body: '{"details": {"gps": [45.75, 4.85]}}'})`)
	p.eval(`location.hash = "#/map"`)
	p.wait(`document.querySelector(".circle")`)
	p.see(why, "undefined")
	p.checkFaults()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "[]")
	}))
	t.Cleanup(service.Close)
	for _, c := range []struct{ url, want string }{
		{service.URL, "None of these flats has a position The travel service does not know their addresses. “Edit” on " +
			"a flat adds a postal code. Travel"},
		{"http://127.0.0.1:1", "None of these flats has a position Their addresses are being looked up: 1 are waiting. " +
			"127.0.0.1:1: …"},
	} {
		p.url = start(t, flats, `"travel": {"url": "`+c.url+`", "contact": "me@example.org"}`)
		p.open("#/travel", 390)
		p.wait(`fetch("api/v1/travel").then((answer) => answer.json()).then(({data}) => data.last || data.error)`)
		p.wait(`fetch("api/v1/travel").then((answer) => answer.json()).then(({data}) => !data.last || data.waiting === 0)`)
		p.eval(`location.hash = "#/map"`)
		p.see(why+`.replace(/(127.0.0.1:1: ).*/, "$1…")`, c.want)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	}
	p.checkFaults()
}

// TestMapTiles tests that the page may load tiles only from the server that the
// config names.
func TestMapTiles(t *testing.T) {
	for _, c := range []struct {
		settings              []string
		policy, tiles, credit string
	}{
		{nil, "img-src 'self' https: data:;", "", ""},
		{
			[]string{`"map_tiles": "https://T.example:443/{z}/{x}/{y}"`, `"map_credit": "\"A\" & B"`},
			"img-src 'self' https: data: https://t.example;",
			"https://T.example:443/{z}/{x}/{y}",
			"&#34;A&#34; &amp; B",
		},
	} {
		answer, body := get(t, start(t, "[]", c.settings...)+"/")
		if got := answer.Header.Get("Content-Security-Policy"); !strings.Contains(got, c.policy) {
			t.Errorf("Content-Security-Policy = %q; want %s in it", got, c.policy)
		}
		for name, want := range map[string]string{"tiles": c.tiles, "credit": c.credit} {
			if meta := fmt.Sprintf(`"flats-map-%s" content="%s"`, name, want); !strings.Contains(body, meta) {
				t.Errorf("the page does not contain %s:\n%s", meta, body)
			}
		}
	}
}

// TestPageMapBeyond tests that a part of the map without flats says so and leads back, and that the filter for the
// map's window follows the map.
func TestPageMapBeyond(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "gps": [45.80, 4.85]}, {"id": "b", "title": "B", "gps": [45.90, 4.95]}]`,
		"#/map", 1280)
	p.wait(`document.querySelectorAll(".circle").length === 2`)
	p.see(`document.querySelector(".nothing").hidden`, "true")
	away := func() {
		p.eval(`document.querySelector(".canvas").focus()`)
		for range 15 {
			p.key("ArrowRight")
		}
	}
	away()
	p.see(`document.querySelector(".nothing:not([hidden])")?.innerText`, "No flats here · Show all")
	p.click(".nothing button")
	p.see(`document.querySelector(".nothing").hidden`, "true")
	p.click(".over button")
	p.see(`document.querySelector(".map .found").innerText`, "Live, On the map: 2 flats")
	away()
	p.see(`document.querySelector(".map .found").innerText`,
		"Live, On the map: 0 flats\nNo matching flats · Clear filters")
	p.click(".nothing button")
	p.see("location.hash", "#/map")
	p.see(`document.querySelector(".map .found").innerText`, "Live: 2 flats")
	p.wait(`document.querySelectorAll(".circle").length === 2`)
	p.checkFaults()
}

// TestPageWithoutCodes tests that the map and Travel name the search areas for which the config leaves no postal codes.
func TestPageWithoutCodes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"constraints": {"lyon": {"areas": ["FR-99"]}}}`)
	writeFile(t, filepath.Join(dir, "flats.json"), `[{"id": 1, "title": "One", "location": "69007 Lyon"}]`)
	p.url = startIn(t, dir)
	p.open("#/map", 390)
	const want = "No postal code of your files lies in the areas of lyon."
	p.see(`document.querySelector(".nowhere p").innerText.split(".")[0] + "."`, want)
	p.goTo("#/travel", ".wrong")
	p.see(`document.querySelector(".wrong").innerText.split(".")[0] + "."`, want)
	p.checkFaults()
}
