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

// openMap opens the list of six flats: three in Lyon 7e by their postal code, of which the user follows one; two at
// their own positions, in Lyon 7e and in Bron; and one without a position. The addresses of all tiles are in tiles.
func openMap(t *testing.T) *tab {
	t.Helper()
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
	p.typeHash("#/map")
	p.see(circlesInWords, "followed 3,new ,visited ")
	return p
}

// TestPageMap tests what the map and the table next to it show.
func TestPageMap(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMap(t)
	p.test("the first tiles are those of the zoom that is shown", func() {
		p.see(`new Set(tiles.map((src) => src.split("/")[3])).size`, "1")
	})
	p.test("tiles tell their server no more than the page's origin", func() {
		p.wait(isThere(mapTile) + " && " + isThere(codeName))
		p.wait(tilesAre(`/^https:..tiles.invalid.\d+.\d+.\d+.png$/`))
	})
	p.test("flats without a position are counted", func() { p.see(mapFound, "Live: 6 flats\n1 without a position") })
	p.test("the table has the number of each place", func() {
		p.see(mapRows, "Place Flats,Lyon 7e 4,Bron 2")
	})
	p.test("places have names and rings", func() {
		p.see(mapPlaces, "station,university")
		p.see(mapRings, "3,3")
	})
	p.test("filters hold, and say which flats they leave without a position", func() {
		p.typeHash("#/map?q=far")
		p.see(mapFound, "Live, “far”: 1 flat\n1 without a position")
		p.typeHash("#/map?q=nothing")
		p.wait(mapFound + `.includes("No matching flats")`)
	})
	p.test("on a phone nothing is wider than the page", func() {
		p.resize(320)
		p.see(fitsAcross, "true")
	})
}

// TestPageMapCircle tests that a press on a circle opens its flats.
func TestPageMapCircle(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMap(t)
	p.press("0") // at first it shows no Bron, which is in no search area
	p.test("the list of a circle has the name of its place", func() {
		p.see(codeNames("Lyon 7e"), "Lyon 7e")
		p.click(circleOf("followed"))
		p.see(besideHeading, "Lyon 7e")
		p.see(besideParts, "3 flats")
		p.see(besideTitles, "<b>A,B,C")
		p.see(chosenCircles, "3 flats, Lyon 7e, Followed")
	})
	p.test("Back from a flat leads to the list of the circle", func() {
		p.click(besideLink)
		p.wait(isThere(flatHeading))
		p.goBack()
		p.see(besideTitles, "<b>A,B,C")
		p.see(chosenCircles, "3 flats, Lyon 7e, Followed")
	})
	p.test("Close leaves no circle chosen", func() {
		p.click(closeBeside)
		p.see(chosenCircles, "")
	})
	p.test("the list of a circle of several places says how many flats are in each", func() {
		p.press("----------") // zooms out as far as possible
		p.see(circlesInWords, "visited 5")
		p.see(count(codeName)+" < 3", "true")
		p.click(anyCircle)
		p.see(besideHeading, "5 flats")
		p.see(besideParts, "Lyon 7e 4 · Bron 1")
	})
}

// TestPageMapKeys tests the map by keys.
func TestPageMapKeys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMap(t)
	p.press("0")
	scale := fmt.Sprint(p.eval(mapScale))
	p.test("Tab reaches one circle, and arrows the others", func() {
		p.see(count(circleByTab), "1")
		p.focus(circleByTab)
		for range 3 {
			p.key("ArrowRight")
		}
		p.key("ArrowLeft")
		p.see("document.activeElement.ariaLabel", "E, no price, Bron, Visited")
	})
	p.test("Enter opens one, also after it was drawn anew, and Escape goes back to it", func() {
		p.press("+-")
		p.rest(forDrawing)
		p.key("Enter")
		p.see(besideHeading, "Bron")
		p.key("Escape")
		p.see("document.activeElement.ariaLabel", "E, no price, Bron, Visited")
	})
	p.test("however far it is zoomed, a name hides neither a circle nor another name, and is whole", func() {
		for range 6 { // zooms
			p.see(badNames, "")
			p.press("-")
			p.rest(forDrawing)
		}
	})
	p.test("0 shows all again, and + zooms", func() {
		p.press("0")
		p.see(mapScale, scale)
		p.press("++")
		p.wait(mapScale + " !== " + encode(scale))
	})
}

// TestPageMapMouse tests the map by the mouse.
func TestPageMapMouse(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMap(t)
	p.press("0")
	p.rest(forDrawing)
	scale := fmt.Sprint(p.eval(mapScale))
	mouse := func(event string, x, y, wheel int) {
		p.do("Input.dispatchMouseEvent", object{"type": event, "x": x, "y": y, "button": "left", "clickCount": 1,
			"deltaX": 0, "deltaY": wheel})
	}
	p.test("the wheel zooms", func() {
		mouse("mouseWheel", 500, 300, -300)
		p.wait(mapScale + " !== " + encode(scale))
		p.press("0")
		p.see(mapScale, scale)
	})
	p.test("dragging moves", func() {
		left := box(circleOf("followed")) + ".left"
		before := p.eval(left).(float64)
		mouse("mousePressed", 300, 200, 0)
		mouse("mouseMoved", 320, 200, 0)
		mouse("mouseMoved", 400, 200, 0)
		mouse("mouseReleased", 400, 200, 0)
		p.see(fmt.Sprintf("Math.round(%s - %v)", left, before), "100")
	})
}

// openMapPhone opens the map on a phone with three flats that can be shown, one at the pole, and one without a
// position.
func openMapPhone(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, `[
		{"id": "a", "title": "A", "gps": [45.80, 4.85],
			"photos": ["data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="]},
		{"id": "b", "title": "B", "gps": [45.80, 4.95]},
		{"id": "c", "title": "C", "gps": [45.90, 4.85]}, {"id": "pole", "title": "Pole", "gps": [90, 0]}, {"id": "n"}]`,
		"#/map", 390)
	p.see(circleLabels, "A, no price, To sort|C, no price, To sort|B, no price, To sort")
	p.click(plainLook)
	return p
}

// TestPageMapPhone tests circles and their lists on a phone.
func TestPageMapPhone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapPhone(t)
	p.see(mapFound, "Live: 5 flats\n2 without a position")
	p.test("nothing lies on a circle", func() { p.see(circlesAreFree, "true") })
	p.test("the buttons are in one row, which leaves the map its room", func() {
		p.see(mapButtonRows, "1")
		p.resize(320)
		p.see(mapButtonRows, "1")
		p.resize(390)
	})
	p.test("the list of a circle lies over the map, in a sheet from below that leaves most of the map in sight", func() {
		p.click(anyCircle)
		p.see(besideIsInSight, "true")
		p.see(besideSheet, "0,true,true,true")
	})
	p.test("the sheet has photos", func() { p.see(besidePhoto+".slice(0, 14)", "data:image/gif") })
	p.test("the sheet closes by its button", func() {
		p.click(closeBeside)
		p.see(besidePosition, "static")
	})
}

// TestPageMapSight tests that the window of the map is a filter of all views.
func TestPageMapSight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapPhone(t)
	const window = "#/map?lat=45.79..45.81&lng=4.84..4.86"
	p.test("the map opens at the window in its address", func() {
		p.typeHash(window)
		p.see(chipTexts, "On the map")
		p.see(mapFound, "Live, On the map: 1 flat")
		p.see(triageCount, "5") // all new ones, whatever the filters
	})
	p.test("a window without flats can be left by zooming", func() {
		p.typeHash("#/map?lat=45.79..45.81&lng=5.84..5.86")
		p.see(mapFound, "Live, On the map: 0 flats\nNo matching flats · Clear filters")
		p.see(mapWidth+" > 300", "true")
	})
	p.test("a window that cannot be read is none", func() {
		p.typeHash("#/map?lat=abc&cost=x")
		p.see(chipTexts, "")
		p.see(triageCount, "5")
	})
	p.test("\"Only what is in sight\" is filled while the window is a filter, and a press removes the filter", func() {
		p.typeHash(window)
		p.see(mapFound, "Live, On the map: 1 flat")
		p.see(isPressed(onlyInSight), "true")
		p.see(onlyInSightIsFilled, "true")
		p.click(onlyInSight)
		p.see(hash, "#/map")
		p.see(isPressed(onlyInSight), "false")
	})
	p.test("a press makes the part in sight a filter", func() {
		p.click(onlyInSight)
		p.wait(hash + ` !== "#/map"`)
		// The bounds have six decimals at most.
		p.see(`/^#.map\?lat=45(.\d{1,6})?\.\.45(.\d{1,6})?&lng=4(.\d{1,6})?\.\.4(.\d{1,6})?$/.test(location.hash)`, "true")
	})
	p.test("the list has the window, as a chip", func() {
		p.eval(`location.hash = location.hash.replace("map", "")`)
		p.wait(isThere(firstChip))
		p.click(firstChip)
		p.see(rowCount, "5")
	})
}

// TestPageMapZoom tests zooming on a phone, and that the window of the map stays.
func TestPageMapZoom(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapPhone(t)
	// scaleAfter calls zoom, and returns the scale of the map once it is another one.
	scaleAfter := func(zoom func()) string {
		p.t.Helper()
		before := fmt.Sprint(p.eval(mapScale))
		zoom()
		p.wait(mapScale + " !== " + encode(before))
		return fmt.Sprint(p.eval(mapScale))
	}
	zoomIn := func() {
		p.click(zoomInButton)
		p.click(zoomInButton)
		p.wait(mapIsDrawn)
	}
	p.test("two fingers zoom", func() {
		scaleAfter(p.spreadFingers)
	})
	p.test("a reload keeps the window", func() {
		after := scaleAfter(zoomIn)
		p.reload()
		p.see(mapScale, after)
	})
	p.test("a reload of a flat that was opened from the map keeps the window, too", func() {
		after := scaleAfter(zoomIn)
		p.typeHash("#/flat/a")
		p.wait(isThere(flatHeading))
		p.reload()
		p.typeHash("#/map")
		p.see(mapScale, after)
	})
}

// spreadFingers zooms into the map with two fingers.
func (p *tab) spreadFingers() {
	p.t.Helper()
	fingers := func(event string, apart int) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": []object{
			{"id": 1, "x": 180 - apart, "y": 300}, {"id": 2, "x": 180 + apart, "y": 300}}})
	}
	fingers("touchStart", 30)
	fingers("touchMove", 60)
	fingers("touchMove", 120)
	p.rest(100) // if the fingers leave in motion, the next tap only stops a fling
	p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
}

// TestPageMapBegins tests that the map begins with the search area that has most of the flats, without flats that are
// far from the others.
func TestPageMapBegins(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const inLyon = `{"id": "1", "title": "1", "gps": [45.75, 4.83], "location": "One", "service_constraint": "lyon"},
		{"id": "2", "title": "2", "gps": [45.77, 4.85], "location": "Two", "service_constraint": "lyon"}`
	for _, c := range []struct{ flats, want string }{
		{inLyon + `, {"id": "3", "gps": [52.5, 13.4], "location": "Three", "service_constraint": "berlin"}`, "1,2"},
		// A flat far from the others counts for nothing,
		{inLyon + `, {"id": "3", "gps": [48.85, 2.35], "location": "Three", "service_constraint": "lyon"}`, "1,2"},
		// nor do flats without an area, as long as most lie near each other.
		{strings.ReplaceAll(inLyon, "lyon", "") + `, {"id": "3", "gps": [52.5, 13.4], "location": "Three"}`, "1,2"},
		{`{"id": "1", "gps": [45.75, 4.83], "location": "One"}, {"id": "3", "gps": [52.5, 13.4], "location": "Three"}`,
			"1,3"},
	} {
		p := openTab(t, "["+c.flats+"]", "#/map", 390)
		p.see(flatsInSight, c.want)
		p.click(zoomOutButton)
		p.wait(flatsInSight + `.includes("3")`)
	}
}

// TestPageMapKinds tests that a single flat is a pill with its cost, with a tip if its position is exact, or a point if
// it has no price, and that several flats are a circle with their number.
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
		`{"id": "free", "title": "free", "gps": [45.69, 4.92], "service_constraint": "lyon"}`,
		`{"id": "far", "title": "far", "cost": 8695000, "currency": "DKK", "gps": [45.68, 4.96],
			"service_constraint": "lyon", "status": "followed"}`,
	}, ",")+"]", "#/map", 1280)
	p.test("costs, numbers and points, with the places that they are in", func() {
		// From the left: two exact positions; the postal code, which also has the less precise positions; the listing's own
		// position; a village; a flat without a price; a cost in another currency than most.
		p.see(circleKinds, "pill 800 with a tip: house, €800, Lyon 7e, To sort|"+
			"pill 800 with a tip: street, €800, Lyon 7e, To sort|3: 3 flats, Lyon 7e, To sort|"+
			"pill 800 with a tip: own, €800, Own, To sort|"+
			"pill 800: village, €800, Bron, somewhere in the postal code, To sort|"+
			"point: free, no price, To sort|pill 8.7m DKK with a tip: far, DKK 8,695,000, Followed")
	})
	p.test("the legend beneath the map has the colours of what was decided", func() {
		p.see(mapLegend, "Followed\n\nPostal code")
	})
	p.test("the table has the places", func() {
		p.see(mapRows, "Place Flats,Lyon 7e 5,Unknown 2,Own 1,Bron 1")
	})
	p.test("a pill has one flat", func() {
		p.click(".pill")
		p.see(besideTitles, "house")
	})
	p.test("the buttons lie over the map", func() { p.see(buttonsLieOnMap, "true") })
}

// TestPageMapStreets tests that the map asks which look it shall have when it is first opened, and that tiles of
// OpenStreetMap are loaded only for "Streets".
func TestPageMapStreets(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.blockTiles()
	p.typeHash("#/map")
	const source = "https://tile.openstreetmap.org/0/0/0.png strict-origin"
	p.wait(isThere(anyCircle))
	p.test("no tile is loaded before the question is answered", func() {
		p.see(text(streetsButton), "Streets")
		p.see(together(tileSources, mapCredit), ", ")
	})
	p.test("the question shows both looks, and says who sees what", func() {
		p.see(looksQuestionText, "How shall the map look? Streets Plain Streets: OpenStreetMap's servers then see this "+
			"device's address and which part of the map it shows")
		p.see(looksSideBySide, "true")
		p.see(scaleInSight, "false") // it would stick out beneath
	})
	p.test("the question leaves most of the map in sight", func() {
		for _, width := range []int{320, 390} {
			p.resize(width)
			p.see(mapAboveQuestion+" > 0.55", "true")
		}
	})
	p.test("a legend names the dots", func() { p.see(dotsInLegend, "Postal code") })
	p.test("no name lies beneath a button", func() { p.see(namesBeneathButtons, "") })
	p.test("Streets loads tiles, with their credit", func() {
		p.click(streetsLook)
		p.see(tileSources, source)
		p.see(mapCredit, "© OpenStreetMap contributors https://www.openstreetmap.org/copyright")
		p.see(isPressed(streetsButton), "true")
	})
	p.test("a reload keeps the streets", func() {
		p.reload()
		p.see(tileSources, source)
		p.see(fitsAcross, "true")
	})
	leaveStreets(p, source)
}

// leaveStreets tests that the map has no streets if the user or the config does not want them.
func leaveStreets(p *tab, source string) {
	p.test("another press on Streets takes them away, also after a reload", func() {
		p.click(streetsButton)
		p.see(together(tileSources, mapCredit), ", ")
		p.reload()
		p.wait(isThere(anyCircle))
		p.see(tileSources, "")
	})
	p.test("the question is asked once", func() {
		p.see(isHidden(looksQuestion), "true")
		p.click(streetsButton)
		p.see(tileSources, source)
	})
	p.test("Forget this device forgets the answer", func() {
		p.forgetDevice()
		p.see(`Object.keys(localStorage).length`, "0")
		p.click(".empty button")
		p.wait(isThere(anyCircle))
		p.see(together(tileSources, mapCredit), ", ")
		p.see(isHidden(looksQuestion), "false")
	})
}

// TestPageMapPlain tests that "Plain" is kept, and loads nothing.
func TestPageMapPlain(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/map", 1280)
	p.wait(isThere(anyCircle))
	p.click(plainLook)
	p.see(isHidden(looksQuestion), "true")
	p.see(scaleInSight, "true")
	p.see("document.activeElement.innerText", "Streets") // the button that changes the answer
	p.reload()
	p.wait(isThere(anyCircle))
	p.see(together(isHidden(looksQuestion), tileSources), "true, ")
	p.see(mapGround, "rgb(255, 255, 255) with a grid and N")
}

// TestPageMapOwnTiles tests that the config's tiles replace those of OpenStreetMap.
func TestPageMapOwnTiles(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, readFile(t, "testdata/sample/flats.json"), `"map_tiles": "https://127.0.0.1:1/{z}/{x}/{y}"`,
		`"map_credit": "<b>Mine"`)
	p.open("#/map", 1280)
	p.see(tileSources, "https://0.0.0.0:0/0/0/0 strict-origin")
	p.see(mapCreditText, "<b>Mine")
	p.see(mapButtons, "Only what is in sight")
	p.see(count(looksQuestion), "0")
}

// TestPageMapNowhere tests that the map says why no flat has a position, and what to do.
func TestPageMapNowhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, flatsNowhere, "#/map", 1280)
	p.test("the note says what would give flats a position", func() {
		p.see(noPositionsNote, "None of these flats has a position A position comes from the listing, from its postal "+
			"code if the postal codes of its country are there, or from its address if a travel service is asked: "+
			"see Settings. Settings")
		p.see(mapIsSeen, "false")
	})
	p.test("the note leads to Settings", func() {
		p.click(".nowhere a")
		p.see(hash, "#/settings/where")
	})
	p.test("the note is not shown once a flat has a position", func() {
		p.changeElsewhere("1", `{"details": {"gps": [45.75, 4.85]}}`)
		p.typeHash("#/map")
		p.wait(isThere(anyCircle))
		p.see(noPositionsNote, "undefined")
	})
}

// flatsNowhere are two flats without a position.
const flatsNowhere = `[{"id": 1, "title": "One", "location": "Somewhere 5"}, {"id": 2, "title": "Two"}]`

// TestPageMapNotFound tests that the map says that a travel service does not know the addresses, or not yet.
func TestPageMapNotFound(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "[]")
	}))
	t.Cleanup(service.Close)
	p := &tab{browser: openBrowser(t), t: t}
	for _, c := range []struct{ sentence, url, want string }{
		{"a service that knows none of them", service.URL, "None of these flats has a position The travel service does not " +
			"know their addresses. “Edit” on a flat adds a postal code. Settings"},
		{"one that cannot be reached", "http://127.0.0.1:1", "None of these flats has a position Their addresses are " +
			"being looked up: 1 are waiting. 127.0.0.1:1: …"},
	} {
		p.url = start(t, flatsNowhere, `"travel": {"url": "`+c.url+`", "contact": "me@example.org"}`)
		p.open("#/travel", 390)
		p.test(c.sentence, func() {
			const travel = `fetch("api/v1/travel").then((answer) => answer.json())`
			p.wait(travel + `.then(({data}) => data.last || data.error)`)
			p.wait(travel + `.then(({data}) => !data.last || data.waiting === 0)`)
			p.typeHash("#/map")
			p.see(noPositionsNote+`.replace(/(127.0.0.1:1: ).*/, "$1…")`, c.want)
			p.see(fitsAcross, "true")
		})
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
	p.see(count(anyCircle), "2")
	p.see(isHidden(noFlatsHere), "true")
	away := func() {
		p.focus(mapSurface)
		for range 10 { // to just outside
			p.key("ArrowRight")
		}
	}
	p.test("a part without flats says so, and a button leads back", func() {
		away()
		p.see(noFlatsHereText, "No flats here · Show all")
		p.click(showAllOnMap)
		p.see(isHidden(noFlatsHere), "true")
	})
	p.test("the filter follows the map", func() {
		p.click(onlyInSight)
		p.see(mapFound, "Live, On the map: 2 flats")
		away()
		p.see(mapFound, "Live, On the map: 0 flats\nNo matching flats · Clear filters")
	})
	p.test("the button that leads back takes the filter away", func() {
		p.click(showAllOnMap)
		p.see(hash, "#/map")
		p.see(mapFound, "Live: 2 flats")
		p.see(count(anyCircle), "2")
	})
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
	p.see(firstSentence(".nowhere p"), want)
	p.goTo("#/settings", "#settings-places .told .wrong")
	p.see(firstSentence("#settings-places .told .wrong"), want)
	p.checkFaults()
}

// openMapOfTwo opens the map of two people. Of five flats, four are in one city, three of them in one quarter, and one
// has no place.
func openMapOfTwo(t *testing.T, hash string, width int) *tab {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"people": ["Ann", "Ben"], "postal_codes": ["codes.json"],
		"constraints": {"home": {"time_to": {"lab": {"gps": [45.76, 4.83], "mode": "WALK", "person": "Ann"},
		"shop": {"gps": [45.72, 4.86], "mode": "WALK", "person": "Ben"}}}}}`)
	writeFile(t, filepath.Join(dir, "codes.json"), `[
		{"postal_code": "1", "name": "Lyon Gerland", "lat": 45.73, "lng": 4.83},
		{"postal_code": "2", "name": "Lyon Monplaisir", "lat": 45.745, "lng": 4.87},
		{"postal_code": "3", "name": "Lyon Vaise", "lat": 45.735, "lng": 4.855}]`)
	flat := func(id, cost, more string) string {
		return `{"id": "` + id + `", "title": "` + id + `", "cost": ` + cost + `, "currency": "EUR",
			"service_constraint": "home", ` + more + `}`
	}
	writeFile(t, filepath.Join(dir, "flats.json"), "["+strings.Join([]string{
		flat("Attic", "900", `"gps": [45.747, 4.872], "service_postal_code": "2", "service_time_to": {
			"lab": {"time": 780}, "shop": {"time": 4140}}`),
		flat("Barn", "1000", `"service_postal_code": "1"`), flat("Castle", "1100", `"service_postal_code": "1"`),
		flat("Den", "1200", `"service_postal_code": "1"`),
		`{"id": "Elsewhere", "title": "Elsewhere"}`,
	}, ",")+"]")
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open(hash, width)
	p.answerWho("Ann")
	return p
}

// TestPageMapLight tests that a flat that is pointed at or focused in the list is lit in the map, and the reverse,
// without moving anything.
func TestPageMapLight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapOfTwo(t, "#/map", 1280)
	p.click(plainLook)
	p.see(together(litMarks, litRows), ", ")
	before := p.eval(mapLayout)
	p.test("a place that is pointed at lights its flats", func() {
		p.point(placeButton("Lyon Gerland"))
		p.see(litMarks, "3")
		p.point(linkInFound)
		p.see(litMarks, "")
	})
	p.test("a place that is focused lights its flats, too", func() {
		p.focus(placeButton("Lyon Monplaisir"))
		p.see(litMarks, "900")
	})
	p.test("a pill that is pointed at lights the row of its place", func() {
		p.point(".pill")
		p.see(litRows, "Monplaisir 1")
		p.point(linkInFound)
		p.see(litRows, "")
	})
	p.test("a circle that is focused lights the row of its place, too", func() {
		p.focus(".circle:not(.pill)")
		p.see(litRows, "Gerland 3")
	})
	p.test("nothing has moved", func() { p.see(mapLayout, fmt.Sprint(before)) })
	p.test("a row of the list of a circle lights its mark", func() {
		p.click(".pill")
		p.see(besideTitles, "Attic")
		p.point(linkInFound)
		p.see(litMarks, "")
		p.point(besideLink)
		p.see(litMarks, "900")
	})
	p.checkFaults()
}

// TestPageMapNames tests that names leave out the city that most of them share, and that names of places without flats
// show from a closer zoom on.
func TestPageMapNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapOfTwo(t, "#/map", 1280)
	p.click(plainLook)
	p.see(mapFound, "Live: 5 flats\nLyon\n1 without a position")
	p.see(mapRows, "Place Flats,Gerland 3,Monplaisir 1,Unknown 1")
	p.press("--")
	p.see(mapNames, "Gerland,Monplaisir")
	p.press("+")
	p.see(mapNames, "Gerland,Monplaisir,Vaise")
	p.checkFaults()
}

// TestPageMapParts tests that the table has the postal codes of a place that has all flats.
func TestPageMapParts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for i, code := range []string{"12043", "12047", "12043"} {
		flats = append(flats, object{"id": i, "title": fmt.Sprint(i), "service_constraint": "berlin",
			"service_postal_code": code})
	}
	p := openTab(t, encode(flats), "#/map", 1280)
	p.see(mapRows, "Place Flats,12043 2,12047 1")
}

// TestPageMapWays tests that the rows of the list next to the map have the minutes of each person.
func TestPageMapWays(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapOfTwo(t, "#/map", 390)
	p.click(plainLook)
	p.click(".pill")
	p.see(besideWays, "Ann 13 min · Ben 1 h 09")
	p.see(besideIsInSight, "true")
	p.see(besideSheet, "0,true,true,true")
	p.checkFaults()
}

// TestPageSmallMap tests the small map of a flat.
func TestPageSmallMap(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMapOfTwo(t, "#/flat/Attic", 1280)
	p.test("says how far each person is from the flat", func() {
		p.see(smallMapWords, "img Map: Lyon Monplaisir, Ann 13 min, Ben 1 h 09")
		p.see(smallMapNames, "Ann 13 min,Ben 1 h 09")
		p.see(smallMapDrawing, "332 × 180, 2 lines, 0 tiles, all in sight")
		p.see(crossedNames, "")
	})
	p.test("gets narrower on a phone", func() {
		p.resize(320) // less the edges and the scroll bar
		p.see(smallMapDrawing, "273 × 180, 2 lines, 0 tiles, all in sight")
		p.see(fitsAcross, "true")
	})
	p.test("opens the map at the flat", func() {
		p.click(smallMap)
		p.see(hash, "#/map")
		p.see(besideTitles, "Attic")
		p.see(chosenCircles, "Attic, €900, Monplaisir, To sort")
		p.see(chosenIsInMiddle, "true")
	})
	p.test("has streets once the map has them", func() {
		p.blockTiles()
		p.click(closeBeside)
		p.click(streetsLook)
		p.typeHash("#/flat/Attic")
		p.wait(isThere(smallMap + " img"))
		p.see(text(smallMap+" ~ .credit"), "© OpenStreetMap contributors")
	})
	p.test("is not there for a flat without a position", func() {
		p.typeHash("#/flat/Elsewhere")
		p.see(heading, "Elsewhere")
		p.see(count(smallMap), "0")
	})
	p.checkFaults()
}
