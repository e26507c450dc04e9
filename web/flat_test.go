// Tests of the view of one flat.

package web

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

// TestPageFlat tests what the view of a flat shows: its facts, the median of its
// place, distances, the cost history, duplicates, and photos.
func TestPageFlat(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[
		{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3, "bedrooms": 2,
			"utilities": "included", "location": "Rue A",
			"station": "Hénon", "phone": "+33 1 99 00 42 17", "urls": ["https://www.example.org/a"],
				"photos": ["https://127.0.0.1:1/1.jpg", {"url": "http://127.0.0.1:1/2.jpg"}],
			"service_constraint": "lyon", "service_postal_code": "69007",
				"service_stations": [{"name": "Jean Macé", "distance": 310}],
			"service_time_to": {"university": {"time": 540}},
				"details": {"gps": [45.7494, 4.8372], "lift": true, "floors": [1, 2], "constructor": null},
			"cost_history": [{"date": null, "cost": 1300}, {"date": "`+daysAgo(60)+`", "cost": 1250},
				{"date": "`+daysAgo(30)+`", "cost": 1190}, {"date": "`+daysAgo(30)+`", "cost": 1200}],
			"text": "`+strings.Repeat("Long. ", 200)+`",
			"toString": "mine", "other": {"a": 1}, "notation": 4.5, "status": "odd"},
		{"id": "b@site", "title": "Nearby", "cost": 1000, "currency": "€", "area": 50,
			"service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "c@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
			"service_constraint": "lyon", "service_postal_code": "69007"},
		{"id": "d@site", "title": "Same", "cost": 1210, "currency": "EUR", "area": 100.5,
			"status": "duplicate", "service_postal_code": "69007"},
		{"id": "e@site", "title": "Twin", "cost": 1210, "currency": "EUR", "area": 100.5,
			"location": "Rue A", "phone": "+33199004217"},
		{"id": "f@site", "title": "Francs", "cost": 9000, "currency": "CHF", "area": 10,
			"service_constraint": "lyon", "service_postal_code": "69007"}]`, "#/flat/a%40site", 1280)
	text := `document.querySelector(".what").innerText.replace(/\s+/g, " ")`
	for _, want := range []string{
		// The costs per m² are 12, 20 and 30.
		"example.org", "€1,200 incl. utilities 100 m² €12/m² 3 rooms 2 bedrooms",
		"40% below the median of 3 flats in 69007 Lyon 7e",
		"€1,300 → €1,250 on " + dayAgo(60) + " → €1,190 → €1,200 on " + dayAgo(30), "Rue A, 69007 Lyon 7e",
		"university 9 min, 0 m in a straight line",
		"station 2.1 km in a straight line", "Jean Macé 310 m",
		"Twin €1,210 · 100.5 m² New Rue A · site",
	} {
		p.wait(text + ".includes(" + encode(want) + ")")
	}
	// Cost, area and rooms stand as three facts, in one line.
	p.see(`(([cost, area, rooms]) => cost.top === area.top && area.top === rooms.top && cost.right < area.left &&
		area.right < rooms.left)([".cost", ".area", ".rooms"].map((fact) =>
		document.querySelector(".what .facts " + fact).getBoundingClientRect()))`, "true")
	p.see(`document.querySelector(".flat").innerText.split("Rue A, 69007 Lyon 7e").length`, "2") // the address once
	p.see(`(({innerText, href}) => innerText + " " + decodeURIComponent(href))(document.querySelector(".address a"))`,
		"Map https://www.openstreetmap.org/search?query=45.7494,4.8372")
	p.see(`document.querySelector(".chart path").getAttribute("d").replace(/[\d ]+/g, "")`, "MhVhVhVh")
	p.see(`document.querySelector(".doubles h2 a").hash`, "#/compare/a%40site,e%40site")
	p.see(`[...document.querySelectorAll(".details div")].map((pair) => pair.innerText.replace("\n", " ")).join("; ")`,
		`Station Hénon; Search area lyon; Other {"a":1}; To string mine; Gps 45.7494, 4.8372; Floors 1, 2`)
	p.see(`document.querySelector(".brief").innerText.replace(/\s+/g, " ")`, "Lift yes")
	p.see(`document.querySelector(".own [aria-pressed=true]").innerText + `+starTexts, "odd★★★★☆4.5")
	// A photo that does not load leaves a gap of its size; an http one is requested over https.
	p.wait(`document.querySelector(".gallery .gap")`)
	height := p.eval(`document.querySelector(".gallery").offsetHeight`)
	p.key("ArrowRight")
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.see(`document.querySelector(".gallery").offsetHeight`, fmt.Sprint(height))
	p.key("ArrowRight")
	p.see(`document.querySelector(".turner span").innerText`, "1 / 2")
	p.resize(390)
	p.swipe(".gallery", -120)
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.see(`document.querySelector(".bar a").href`, "tel:+33199004217")
	// All statuses are in sight, and nothing is too small for a finger.
	p.see(`[...document.querySelectorAll(".own .statuses button")]
		.filter((button) => button.getBoundingClientRect().right > innerWidth).length`, "0")
	p.see(`[...document.querySelector(".flat").children].map(({className}) => className).join()`,
		"steps,gallery,what,text,own,pairs details,bar")
	p.see(`[...document.querySelectorAll(".flat .bar > *")].map((control) => control.innerText).join()`,
		"Call,Follow,Visit,Notes,Dismiss")
	p.see(`[...document.querySelectorAll(".flat :is(button, a)")].filter((control) => control.checkVisibility())
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`, "")
	// If somebody else changes the flat, the page says so, and shows the change on demand.
	p.eval(`fetch("api/v1/flat/a%40site", {method: "PATCH", body: '{"title": "Attic"}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.see("document.querySelector('h1').innerText", "Loft")
	p.click("#fresh button")
	p.see("document.querySelector('h1').innerText", "Attic")
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	// The steps stand in one line of a narrow phone.
	p.resize(320)
	p.eval(`location.hash = "#/"`)
	p.wait(`document.querySelector(".row")`)
	p.eval(`location.hash = "#/flat/b%40site"`)
	p.see(`[...document.querySelectorAll(".steps :is(a, button)")].map((step) => step.innerText + step.offsetHeight)
		.join()`, "← Back44,44,44,Share44,Print44")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.eval(`location.hash = "#/flat/nobody"`)
	p.see("document.querySelector('h1')?.innerText", "No flat with id nobody.")
	// The view shows a flat that is updated here before its own answer comes.
	p.reload()
	p.eval(`(async () => {
		const {getFlat, update} = await import(document.querySelector("script").src.replace("app.js", "first.js"));
		const ask = fetch;
		const asked = new Promise((asking) => window.fetch = async (...request) => {
			if (!/flats\/f/.test(request[0])) return ask(...request);
			window.fetch = ask;
			asking();
			await new Promise((late) => setTimeout(late, 500));
			return ask(...request);
		});
		location.hash = "#/flat/f%40site";
		await asked;
		await getFlat("f@site", null);
		await update("f@site", {notes: "Far."});
	})()`)
	p.see("document.querySelector('h1')?.innerText", "Francs")
	p.see("document.querySelector('#notes').value", "Far.")
	p.checkFaults()
}

// TestPageNextAction tests that the next action by the status is the one that is filled, on a phone in the bar if that
// has it, and that what one decides takes three rows there besides that of the statuses.
func TestPageNextAction(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "phone": "030 123456"}, {"id": "b", "title": "B", "status": "contacted"},
		{"id": "c", "title": "C", "status": "visited"}, {"id": "d", "title": "D", "status": "followed"}]`, "", 390)
	p.eval(`{ const probe = document.createElement("b"); probe.className = "primary"; document.body.append(probe);
		window.accent = getComputedStyle(probe).backgroundColor; probe.remove(); }`)
	const filled = `[...document.querySelectorAll(".flat :is(button, a)")].filter((button) => button.checkVisibility() &&
		getComputedStyle(button).backgroundColor === accent).map((button) => button.innerText + " of " +
		button.parentElement.className).join()`
	for _, c := range []struct{ id, narrow, wide string }{
		{"a", "Call of bar", "Call of line contact"},
		{"b", "Visit of bar", "Set a visit of line contact"},
		{"c", "Rate of line contact", "Rate of line contact"},
		{"d", "Message of line contact", "Message of line contact"},
	} {
		p.resize(390)
		p.goTo("#/flat/"+c.id, ".contact")
		p.eval(`document.querySelector(".own .statuses")?.remove()`) // what is chosen is filled, too
		p.see(filled, c.narrow)
		p.see(`[...document.querySelectorAll(".own :is(.choices, .contact) :is(button, a)")]
			.filter((control) => control.checkVisibility()).map((control) => control.getBoundingClientRect().top)
			.filter((top, i, tops) => i === 0 || top > tops[i - 1] + 20).length`, "3")
		p.resize(1280)
		p.see(filled, c.wide)
	}
	p.checkFaults()
}

// TestPageBack tests that "← Back" and Esc go back in the history, and never add to it.
func TestPageBack(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?cost=..900", 1280)
	inFlat := func() { p.wait(`document.querySelector(".flat h1")`) }
	press := map[string]func(){"Back": func() { p.click(".steps a") }, "Esc": func() { p.key("Escape") }}
	for name, back := range press {
		for way, meanwhile := range map[string]func(){
			"from the list":  func() {},
			"after a reload": func() { p.reload(); inFlat() },
			"from another flat": func() {
				p.click("[rel=next]")
				p.wait(`document.querySelector("[rel=prev]")`)
			},
			"after another view": func() {
				p.eval(`location.hash = "#/visits"`)
				p.wait(`document.querySelector(".visits h1")`)
				p.eval("history.back()")
				inFlat()
			},
		} {
			p.wait(`document.querySelector(".list .row")`)
			p.click(".row a")
			inFlat()
			meanwhile()
			before := p.eval("history.length")
			back()
			p.see(`location.hash + (document.querySelector(".list .row") !== null)`, "#/?cost=..900true")
			if got := p.eval("history.length"); got != before {
				t.Errorf("%s %s: the history has %v entries; want %v", name, way, got, before)
			}
		}
		// To somebody who opened the page at a flat, it shows the list in place of the flat.
		other := p.openOther("#/flat/4711")
		other.wait(`document.querySelector(".flat h1")`)
		other.reload()
		other.wait(`document.querySelector(".flat h1")`)
		before := other.eval("history.length")
		if name == "Back" {
			other.click(".steps a")
		} else {
			other.key("Escape")
		}
		other.see(`location.hash + (document.querySelector(".list .row") !== null)`, "#/true")
		if got := other.eval("history.length"); got != before {
			t.Errorf("%s at the start: the history has %v entries; want %v", name, got, before)
		}
	}
	p.checkFaults()
}

// TestPageHomes tests that probable duplicates are decided in Triage and on the flat, and that a new flat that is
// probably one that was dismissed says so first.
func TestPageHomes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	since := browserNow().AddDate(0, 0, -20)
	const same = `"cost": 800, "currency": "EUR", "area": 46, "location": "Ost"`
	p := openTab(t, fmt.Sprintf(`[
		{"id": "n", "title": "N", "date": "2026-02-05", %[1]s},
		{"id": 7, "title": "Seven", "date": "2026-02-04", %[1]s, "status": "ignored", "status_since": %[2]q},
		{"id": "c", "title": "C", "date": "2026-02-03", %[1]s, "status": "contacted", "merged_ids": ["former"]},
		{"id": "m", "title": "M", "date": "2026-02-02", "cost": 500, "area": 20, "location": "West"},
		{"id": "z", "title": "Z", "date": "2026-02-01", "cost": 500, "area": 20, "location": "West",
			"photos": ["data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'/>"]}]`,
		same, since.UTC().Format(time.RFC3339)), "#/triage", 1280)
	const title = `document.querySelector("h2 a, h1:not(.triage h1)")?.innerText`
	const like = `document.querySelector(".like")?.innerText`
	const doubles = `[...document.querySelectorAll(".doubles li")].map((home) => [
		home.querySelector(".photo").matches("img") ? "photo" : "no photo",
		...["a", "b", ".tag"].map((part) => home.querySelector(part).innerText)].join(" ")).join("; ")`
	// fields waits until each flat has a status, merged_ids and not_duplicates.
	fields := func(want string) {
		t.Helper()
		p.see(`fetch("api/v1/flats?sort=title").then((answer) => answer.json()).then(({data}) => data.map((flat) =>
			[flat.id, flat.status, JSON.stringify(flat.merged_ids), JSON.stringify(flat.not_duplicates ?? null)].join(" "))
			.join("; "))`, want)
	}
	press := func(name string) { t.Helper(); p.click(`.doubles [aria-label="` + name + `"]`) }
	const start = `c contacted ["former"] null; m new null null; n new null null; 7 ignored null null; z new null null`
	both := "no photo Seven €800 Dismissed; no photo C €800 Contacted"
	p.see(title, "N")
	p.see(doubles, both)
	p.see(like, "Like one that you dismissed on "+inBritain(since, "2 Jan"))
	p.see(`document.querySelector(".what").firstChild.className`, "like")
	// They are not the same home, and Undo says that they may be.
	press("Not the same: Seven")
	p.see(doubles, "no photo C €800 Contacted")
	p.see(like, "")
	fields(`c contacted ["former"] null; m new null null; n new null [7]; 7 ignored null ["n"]; z new null null`)
	p.press("u")
	p.see(doubles, both)
	fields(start)
	// The one that was dismissed is kept, though the new one is newer, and so is the contacted one.
	press("Same home: Seven")
	p.see(title, "M")
	p.see(`document.querySelector(".notice p").textContent`, "Seven: Same home")
	fields(`c contacted ["former"] null; m new null null; n duplicate null null; 7 ignored ["n"] null; z new null null`)
	p.press("u")
	p.see(title, "N")
	fields(start)
	press("Same home: C")
	p.see(title, "M")
	fields(`c contacted ["former","n"] null; m new null null; n duplicate null null; 7 ignored null null; z new null null`)
	p.see(`document.querySelector(".triage [role=status]").innerText`, "2 left · 1 done")
	// On the flat too.
	p.see(doubles, "photo Z 500 New")
	p.press("o")
	p.wait(`document.querySelector(".flat h1")`)
	p.see(doubles, "photo Z 500 New")
	p.see(like, "")
	press("Same home: Z") // the older one is kept
	p.see(doubles, "")
	const before = `c contacted ["former","n"] null; `
	fields(before + `m duplicate null null; n duplicate null null; 7 ignored null null; z new ["m"] null`)
	p.see(like, "Duplicate of Z")
	p.reload() // the page does not know yet which one was kept
	p.see(like, "Duplicate of Z")
	p.click(".like a")
	p.see(title, "Z")
	p.eval("history.back()")
	p.see(like, "Duplicate of Z")
	p.click(".own .choices [data-status=duplicate]")
	p.see(like, "")
	fields(before + `m new null null; n duplicate null null; 7 ignored null null; z new ["m"] null`)
	p.eval(`fetch("api/v1/flat/z", {method: "PATCH", body: '{"merged_ids": null}'})`)
	p.see(doubles, "photo Z 500 New")
	press("Not the same: Z")
	p.see(doubles, "")
	fields(before + `m new null ["z"]; n duplicate null null; 7 ignored null null; z new null ["m"]`)
	p.checkFaults()
}

// TestPageUtilities tests that what the cost includes stands at the cost, wherever the facts do.
func TestPageUtilities(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "Cold", "cost": 900, "currency": "EUR", "utilities": "excluded", "rooms": 1, "bedrooms": 1},
		{"id": "b", "title": "Other", "cost": 900, "currency": "EUR", "utilities": "150 €"},
		{"id": "c", "title": "None", "utilities": "included", "bedrooms": 0},
		{"id": "d", "title": "Dear", "cost": 1250000, "currency": "EUR", "area": 46, "rooms": 2, "bedrooms": 1},
		{"id": "e", "title": "Usual", "cost": 840, "currency": "EUR", "area": 46, "rooms": 2, "bedrooms": 1,
			"utilities": "included"}]`, "#/flat/a", 1280)
	for id, want := range map[string]string{
		"a": "€900 excl. utilities|1 room 1 bedroom; ",
		"b": "€900; Utilities 150 €",
		"c": "no price; ",
	} {
		for _, view := range []string{"flat", "triage"} {
			hash := "#/flat/" + id
			if view == "triage" {
				hash = "#/triage?q=title%3A" + map[string]string{"a": "Cold", "b": "Other", "c": "None"}[id]
			}
			p.eval("location.hash = " + encode(hash))
			p.see(encode(hash)+` + [...document.querySelectorAll(".`+view+` .what .facts li")]
				.map((fact) => fact.innerText.trim().replace("\n", " ")).join("|") + "; " +
				[...document.querySelectorAll(".`+view+` .what .pairs div")].map(({innerText}) => innerText.replace("\n", " "))
				.filter((pair) => /Utilities|Bedrooms/.test(pair)).join()`, hash+want)
		}
	}
	// No fact is wrapped or cut, nor lies under Edit.
	for _, id := range []string{"d", "e"} {
		p.goTo("#/flat/"+id, ".edit")
		for _, width := range []int{390, 900, 1280} {
			p.resize(width)
			p.see(`(() => {
				const edit = document.querySelector(".edit").getBoundingClientRect();
				return [...document.querySelectorAll(".what .facts > *")].filter((fact) => {
					const {right, bottom, left} = fact.getBoundingClientRect();
					const isUnder = right > edit.left && left < edit.right && bottom > edit.top;
					return isUnder || right > innerWidth || fact.scrollWidth > fact.clientWidth ||
						fact.getClientRects().length > 1 || fact.clientHeight > 48;
				}).map((fact) => fact.className).join();
			})()`, "")
		}
	}
	p.checkFaults()
}

// TestPagePhotos tests the photos on the whole screen: by keys, swipes and the strip, with the focus inside.
func TestPagePhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "photos":
		["https://127.0.0.1:1/1", "https://127.0.0.1:1/2", "https://127.0.0.1:1/3"]}]`, "#/flat/a", 390)
	const place = `document.querySelector("dialog[open] [role=status]")?.innerText`
	p.wait(`document.querySelector(".gallery .frame")`)
	p.eval(`document.querySelector(".gallery .frame").focus()`)
	p.key("Enter")
	p.see(place, "1 / 3")
	p.see(`[document.querySelector(".photos")].map(({offsetWidth, offsetHeight}) => offsetWidth + "," + offsetHeight)
		.join()`, "390,844")
	p.key("ArrowLeft")
	p.see(place, "3 / 3")
	p.key("ArrowRight")
	p.key("ArrowRight")
	p.see(place, "2 / 3")
	p.swipe(".photos .frame", 120)
	p.see(place, "1 / 3")
	p.click(".photos .strip button:nth-child(3)")
	p.see(place, "3 / 3")
	p.see(`document.querySelector(".photos [aria-current=true]").ariaLabel`, "Loft, photo 3")
	for range 8 {
		p.key("Tab")
		p.see(`document.activeElement === document.body || Boolean(document.activeElement.closest(".photos"))`, "true")
	}
	p.see(`[...document.querySelectorAll(".photos button")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44).length`, "0")
	p.key("Escape")
	p.wait(`!document.querySelector(".photos")`)
	p.see(`document.activeElement.className`, "frame")
	p.see(`document.querySelector(".turner span").innerText`, "3 / 3")
	// "Back" closes the photo, and does not leave the flat.
	p.eval(`location.hash = "#/visits"`)
	p.eval(`location.hash = "#/flat/a"`)
	p.click(".gallery .frame")
	p.see(place, "1 / 3")
	p.eval("history.back()")
	p.wait(`!document.querySelector(".photos")`)
	p.see("location.hash + document.querySelector('h1').innerText", "#/flat/aLoft")
	p.click(".gallery .frame")
	p.click(".photos .close")
	p.wait(`!document.querySelector(".photos")`)
	p.eval("new Promise((done) => setTimeout(done, 100)).then(() => history.back())")
	p.see("location.hash", "#/visits")
	p.checkFaults()
}

// TestPageKeptPhotos tests that all views show the photo that the service keeps, first those of the listing in their
// order and then those that it no longer names. If the service has lost one, the listing's own address is shown.
func TestPageKeptPhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const lost = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	alike := object{"status": "followed", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"}
	with := func(id string, more object) object {
		flat := maps.Clone(alike)
		maps.Copy(flat, object{"id": id, "title": strings.ToUpper(id), "visit_date": "2099-05-0" + id[1:] + "T10:00:00Z"})
		maps.Copy(flat, more)
		return flat
	}
	const first, old, bare = "http://127.0.0.1:1/1", "https://127.0.0.1:1/old", "https://127.0.0.1:1/bare"
	url, _ := startKeeping(t, `{"keep_photos": true}`, []object{
		with("a1", object{"photos": []any{first, object{"url": "https://127.0.0.1:1/2"}},
			"kept_photos": []object{keptPhoto(first), keptPhoto(old)}}),
		with("b2", object{"photos": nil, "kept_photos": []object{keptPhoto(bare)}}),
		with("c3", object{"photos": []string{lost}, "kept_photos": []object{keptPhoto(lost)}}),
		{"id": "n4", "title": "N", "status_since": time.Now().UTC().Format(time.RFC3339), "photos": nil,
			"kept_photos": []object{keptPhoto(old)}},
	}, map[string]string{first: pngOf(11), old: pngOf(12), bare: pngOf(13)})
	p := &tab{browser: openBrowser(t), t: t, url: url}
	// Photos are told apart by their width.
	widths := func(selector string) string {
		return `[...document.querySelectorAll("` + selector + `")].map(({naturalWidth}) => naturalWidth ?? "gap").join()`
	}
	p.open("", 1280)
	for _, width := range []int{1280, 390} {
		p.resize(width)
		for _, c := range []struct{ hash, photos, want string }{
			{"#/?tab=shortlist&sort=title", ".row .photo", "11,13,1"},
			{"#/flat/a1", ".gallery .frame .photo", "11"},
			{"#/flat/b2", ".gallery .photo", "13"},
			{"#/flat/c3", ".gallery .photo", "1"},
			{"#/flat/c3", ".doubles .photo", "11,13"},
			{"#/triage", ".card .photo", "12"},
			{"#/visits", ".visits .photo", "11,13,1"},
			{"#/compare/a1,b2,c3", ".side-by-side .photo", "11,13,1"},
			{"#/duplicates", ".homes .photo", "11,13,1"},
		} {
			// Whether the photos are known before the view is drawn, or after
			for _, opens := range []func(){func() {
				p.do("Page.navigate", object{"url": "about:blank"}) // otherwise only the hash would change
				p.do("Page.navigate", object{"url": p.url + "/" + c.hash})
			}, func() {
				p.eval(`location.hash = "#/add"`)
				p.wait(`document.querySelector(".add form")`)
				p.eval("location.hash = " + encode(c.hash))
			}} {
				opens()
				p.see(widths(c.photos), c.want)
			}
		}
		if !*whole {
			break
		}
	}
	p.eval(`location.hash = "#/flat/a1"`)
	p.click(".gallery .frame")
	p.see(widths("dialog .frame .photo, dialog .strip .photo"), "11,11,gap,12")
	p.key("ArrowLeft")
	p.see(widths("dialog .frame .photo"), "12")
	p.see(`document.querySelector("dialog [role=status]").innerText`, "3 / 3")
	p.checkFaults()
	// A group whose listings have no photos shows kept ones that are known only after it was drawn.
	url, _ = startKeeping(t, `{"keep_photos": true}`, []object{
		with("a1", object{"photos": nil, "kept_photos": []object{keptPhoto(bare)}}),
		with("b2", object{"photos": nil}),
	}, map[string]string{bare: pngOf(13)})
	p = &tab{browser: openBrowser(t), t: t, url: url}
	p.open("#/duplicates", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `
		const ask = fetch;
		window.fetch = async (url, options) => {
			const soon = () => new Promise((next) => setTimeout(next, 20));
			while (/kept_photos/.test(url) && !document.querySelector("article")) await soon();
			return ask(url, options);
		};`})
	p.reload()
	p.see(widths(".homes .photo"), "13,gap")
	p.checkFaults()
}

// TestPageMessage tests that a message has the flat's facts between the user's own words, which are kept, and
// that calling and writing offer the next status.
func TestPageMessage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "Loft & more", "cost": 900, "currency": "EUR", "location": "Rue A", 
			"phone": "+33 1 99 ext. 12", "urls": ["https://www.example.org/a"], "status": "followed"},
		{"id": "b", "title": "Bare", "status": "contacted"}]`, "#/flat/a", 390)
	p.click(".contact button")
	p.see(`getComputedStyle(document.querySelector(".message")).padding`, "12px 16px")
	p.see(`[...document.querySelectorAll(".message textarea")].map(({value}) => value).join("|")`, "Hello,\n\n"+
		"I am interested in this flat. Is it still available, and when could I come and see it?|Kind regards")
	p.see(`new URLSearchParams(document.querySelector(".message [href^=mailto]").href.split("?")[1]).get("body")
		.slice(-14)`, "\n\nKind regards")
	p.enter(".message label:first-of-type textarea", "Dear all,\nis it free?")
	p.enter(".message label:last-of-type textarea", "A & B")
	const text = "Dear all,\nis it free?\n\nLoft & more\nRue A\n€900\nhttps://www.example.org/a\n\nA & B"
	p.see(`new URLSearchParams(document.querySelector(".message [href^=mailto]").href.split("?")[1]).get("body")`, text)
	p.see(`decodeURIComponent(document.querySelector(".message [href^=sms]").href)`, "sms:+33199?body="+text)
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".message .primary")
	p.see("window.copied", text)
	p.eval("delete Navigator.prototype.share")
	p.click(".steps span + button") // Share
	p.see("window.copied", "Loft & more, €900, Rue A\nRue A\n+33 1 99 ext. 12\nhttps://www.example.org/a")
	p.see(`document.querySelector(".notice p")?.innerText`, "Copied")
	p.click(".contact button")
	p.click(".message .primary")
	p.see(`document.querySelectorAll(".message").length`, "0")
	const offer = `[...document.querySelectorAll(".notice")].map((notice) => notice.innerText.split("\n")
		.filter(Boolean).join(" ")).join("; ")`
	p.see(offer, "Loft & more Contacted")
	p.click(".notice button")
	p.see(`document.querySelector(".own .statuses [aria-pressed=true]").innerText`, "Contacted")
	p.see(offer, "Loft & more: Contacted Undo")
	p.press("u")
	p.see(offer, "Undone")
	p.eval(`addEventListener("click", (event) => event.preventDefault())`) // nothing takes calls here
	p.click(".bar a")
	p.see(offer, "Loft & more Contacted")
	p.click(".notice .close")
	// A flat that is contacted already gets no offer, and the words are kept.
	p.eval(`location.hash = "#/flat/b"`)
	p.see(`document.querySelector("h1")?.innerText`, "Bare")
	p.press("m")
	p.see(`[...document.querySelectorAll(".message textarea")].map(({value}) => value).join("|")`,
		"Dear all,\nis it free?|A & B")
	p.see(`document.querySelector(".message .text").innerText`, "Bare") // without "no price"
	p.see(`[...document.querySelectorAll(".message .line > *")].map((control) => control.innerText).join()`,
		"Copy,Mail,Close")
	p.click(".message .primary")
	p.see(offer, "Copied")
	p.checkFaults()
}

// TestPageDial tests that "Call" dials the whole number as people of ten countries write it, and that Add picks each
// of them out of an ad.
func TestPageDial(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	p.load("lib/phone")
	for _, c := range phoneNumbers {
		if got := p.eval("phone.dialled(" + encode(c.written) + ")"); got != c.dialled {
			t.Errorf("dialled(%q) = %v; want %s", c.written, got, c.dialled)
		}
		// Written "Tel. Tel. 0199", the text has no label twice.
		label := "Tel.: "
		if strings.ContainsAny(c.written[:1], "TM☎") {
			label = ""
		}
		ad := "Flat with a balcony\n900 €\n60 m²\n" + label + c.written + "\nNo pets."
		if got := p.eval(fmt.Sprintf(dialsIn, encode(ad))); got != c.dialled {
			t.Errorf("the phone in %q dials %v; want %s", ad, got, c.dialled)
		}
	}
	p.see(`phone.dialled("112")`, "112")
	// Letters in a number are neither left out nor guessed: such a number is read, and typed by hand.
	for _, written := range []string{"1-800-FLATS", "1-800-Flats", "1800FLATS", "1 800 FLATS", "1-800-FLATS-24",
		"+1 (800) 55-FLATS", "(888) 555-FLAT", "0800 WOHNEN", "0800/WOHNEN", "Tel.: 0800-WOHNEN (free)", "by mail", ""} {
		if got := p.eval("phone.dialled(" + encode(written) + ")"); got != "" {
			t.Errorf("dialled(%q) = %v; want nothing", written, got)
		}
		ad := encode("Flat\n900 €\nTel.: " + written)
		if got := p.eval(fmt.Sprintf(dialsIn, ad)); got != "" {
			t.Errorf("the phone in %s dials %v; want nothing", ad, got)
		}
	}
	p.bring(`[{"id": "v", "title": "V", "phone": "1-800-FLATS", "visit_date": "2031-12-01T18:00"}]`)
	p.eval(`location.hash = "#/flat/v"`)
	p.see(`document.querySelector(".address")?.innerText`, "1-800-FLATS")
	p.see(`document.querySelector(".contact button").innerText`, "Message")
	p.see(`document.querySelectorAll("[href^=tel]").length`, "0")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits .card")?.innerText.includes("1-800-FLATS")`)
	p.see(`document.querySelectorAll("[href^=tel]").length`, "0")
	p.checkFaults()
}

// dialsIn is what the phone number in a text dials.
const dialsIn = `fetch("api/v1/read", {method: "POST", body: JSON.stringify({text: %s})})
	.then((response) => response.json()).then(({data}) => phone.dialled(data.phone ?? ""))`

// phoneNumbers are phone numbers as people write them, with what dials them: national numbers stay national, a comma
// is a pause before an extension.
var phoneNumbers = []struct{ written, dialled string }{
	// Germany: "-0" is the switchboard, and part of the number.
	{"089 / 55 21 34-0", "0895521340"},
	{"0151 / 123 456 78", "015112345678"},
	{"+49 89 / 55 21 34 - 0", "+49895521340"},
	{"+49 (0)89 123 45-67", "+49891234567"},
	{"+49 (0 89) 55 21 34", "+4989552134"},
	{"+49 089 552134", "+4989552134"},
	{"0049 89 552134", "004989552134"},
	{"0049 (0) 89 / 55 21 34", "004989552134"},
	{"(089) 55 21 34", "089552134"},
	{"(0 89) 55 21 34", "089552134"},
	{"030 – 55 50 12 – 34", "03055501234"},
	{"+49-30-555-01234", "+493055501234"},
	{"03322/55 50 12", "03322555012"},
	{"Tel.: 0176-55 50 19 90 (ab 18 Uhr)", "017655501990"},
	{"040 5550199 (9-17 Uhr)", "0405550199"},
	{"089/5550199 oder 0176/5550188", "0895550199"},
	{"0151 / 123 456 78 / 089 / 55 21 34-0", "015112345678"},
	{"0711 555 03-0, Fax -10", "0711555030"},
	{"089/552134-0/-12", "0895521340"},
	{"089 / 55 21 - 0 Durchwahl 34", "089552134"},
	// Austria: an extension is dialled with the number.
	{"01/555 01-0", "01555010"},
	{"+43 1 555 01 DW 12", "+4315550112"},
	{"0664/555 01 99", "06645550199"},
	{"+43 (0)664 / 555 01 99", "+436645550199"},
	{"0043 (0) 316 123456", "0043316123456"},
	// Switzerland
	{"044 555 12 34", "0445551234"},
	{"+41 44 555 12 34", "+41445551234"},
	{"+41 (0)79 555 12 34", "+41795551234"},
	{"0041 (0)44/555 12 34", "0041445551234"},
	// France
	{"01 99 00 42 17", "0199004217"},
	{"06.39.98.07.21", "0639980721"},
	{"06/39/98/07/21", "0639980721"},
	{"+33 (0)1 99 00 42 17", "+33199004217"},
	{"(+33) 6 39 98 07 21", "+33639980721"},
	{"01 99 00 42 17 / 06 39 98 07 21", "0199004217"},
	{"01 99 00 42 17 poste 12", "0199004217,12"},
	// Italy: the zero stays, also after the code of the country.
	{"02 5550 1234", "0255501234"},
	{"+39 02 55501234", "+390255501234"},
	{"+39 (0)2 55501234", "+390255501234"},
	{"333 555 0123", "3335550123"},
	{"02/5550123 - 333/5550123", "025550123"},
	{"06 5550123 int. 4", "065550123,4"},
	// Spain
	{"912 34 56 78", "912345678"},
	{"+34 612.345.678", "+34612345678"},
	{"0034 612 345 678", "0034612345678"},
	{"612 345 678 / 912 345 678", "612345678"},
	// The Netherlands
	{"06-12345678", "0612345678"},
	{"020 - 555 01 23", "0205550123"},
	{"+31 (0)6 1234 5678", "+31612345678"},
	{"020-5550123, toestel 45", "0205550123,45"},
	// Denmark
	{"33 55 50 12", "33555012"},
	{"Tlf. 3355 5012", "33555012"},
	{"+45 33 55 50 12", "+4533555012"},
	{"33 55 50 12 / 20 55 50 12", "33555012"},
	// Great Britain
	{"020 3889 7345 ext. 12", "02038897345,12"},
	{"020 7946 0321 x5", "02079460321,5"},
	{"+44 (0)20 7946 0321", "+442079460321"},
	{"(0113) 496 0999", "01134960999"},
	{"07700 900 145 or 020 7946 0321", "07700900145"},
	// Poland
	{"501-555-012", "501555012"},
	{"+48 22 555 01 23", "+48225550123"},
	{"(22) 555-01-23 wew. 12", "225550123,12"},
	{"501 555 012; 22 555 01 23", "501555012"},
	// Others
	{"(718) 555-0142", "7185550142"},
	{"+351 21 555 01 23", "+351215550123"},
	{"Agency 0199 00 42, mobile 0176", "01990042"},
	{"Tel. 0199 1234", "01991234"},
	{"0199 5550 ab 18 Uhr", "01995550"},
	{"0176-55501990-Herr Kern", "017655501990"},
	{"9-17Uhr 0176 55501990", "017655501990"},
	{"0176 55501990 WHATSAPP", "017655501990"},
}

// TestPageMedian tests that the median is that of one postal code with enough
// priced flats, and that it is left out where the list has no other place.
func TestPageMedian(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i, c := range []struct{ code, location, cost string }{
		{"69001", "Rue A, Lyon 1er", "1000"}, {"69001", "Rue B", "900"}, {"69001", "Rue C", "1000"},
		{"69002", "Lyon 2e", "100"}, {"69003", "[Rue (D*), Lyon 3e-Ost", "100"}, {"69002", "69002 Lyon", "100"},
		{"69002", "Rue F", "0"}, {"69004", "Rue G", "100"}, {"69004", "Rue H", "100"}, {"69004", "Rue I", "450"},
	} {
		flats = append(flats, fmt.Sprintf(`{"id": %d, "title": "Flat %[1]d", "cost": %s, "currency": "EUR", "area": 10,
			"location": %q, "service_constraint": "lyon", "service_postal_code": %q}`, i, c.cost, c.location, c.code))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "", 1280)
	const shown = `document.querySelector(".source + .facts ~ p.soft, .editable ~ p.soft")?.innerText.trim() + "; " +
		document.querySelector(".address").firstChild.textContent`
	for _, c := range []struct{ list, flat, want string }{
		{"#/", "0", "at the median of 3 flats in 69001 Lyon 1er; Rue A, 69001 Lyon 1er"},
		{"#/", "1", "10% below the median of 3 flats in 69001 Lyon 1er; Rue B, 69001 Lyon 1er"},
		{"#/", "9", "far above the median of 3 flats in 69004 Lyon 4e; Rue I, 69004 Lyon 4e"},
		{"#/", "3", "; 69002 Lyon 2e"}, // two priced ones are not enough
		{"#/", "5", "; 69002 Lyon"},
		{"#/", "4", "; [Rue (D*), 69003 Lyon 3e-Ost"},
		{"#/?place=69001+Lyon+1er", "1", "; Rue B, 69001 Lyon 1er"},
		{"#/?cost=500..", "1", "; Rue B, 69001 Lyon 1er"},
		{"#/?cost=..100", "1", "10% below the median of 3 flats in 69001 Lyon 1er; Rue B, 69001 Lyon 1er"},
		{"#/?place=69003+Lyon+3e", "1", "10% below the median of 3 flats in 69001 Lyon 1er; Rue B, 69001 Lyon 1er"},
	} {
		p.eval("location.hash = " + encode(c.list))
		p.wait(`document.querySelector(".row")`)
		p.eval("location.hash = " + encode("#/flat/"+c.flat))
		p.wait(`document.querySelector(".flat .address")`)
		p.eval("new Promise((done) => setTimeout(done, 200))")
		p.see(encode(c.list+" ")+" + "+shown, c.list+" "+c.want)
	}
	p.checkFaults()
	// Where the median cannot be asked for, no empty line is left.
	p.eval(`window.fetch = ((ask) => (url, ...rest) =>
		String(url).includes("counts=") ? Promise.reject(new TypeError("lost")) : ask(url, ...rest))(fetch)`)
	p.goTo("#/flat/0", ".address")
	p.see(`document.querySelector(".editable ~ p.soft").checkVisibility()`, "false")
}

// TestPageDetails tests that the first short details stand with the facts, in words,
// and that a flat that was kept names its other listings.
func TestPageDetails(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a@site", "title": "Loft", "date": "2024-01-02T09:14:00", "cost": 900, "currency": "EUR", "details": {
			"available_from": "2026-03-01", "viewing": "2026-02-01T18:30", "yearBuilt": 1930, "deposit": 12500.5,
			"lift": false, "about": "`+strings.Repeat("x", 41)+`", "list": [1], "none": null, "empty": " ",
			"hasWLAN": true, "floor": "3/5", "forty": "`+strings.Repeat("y", 40)+`", "ninth": 9},
			"merged_ids": ["a@site", "b@agency", "nobody"]},
		{"id": "b@agency", "title": "Second listing", "cost": 950, "currency": "EUR", "status": "duplicate",
			"urls": ["https://www.example.org/b", "https://example.net/b", "https://example.org/c"]},
		{"id": "c@site", "title": "Odd", "details": "quiet", "status": "ignored",
			"urls": [{"logo": "https://x.example/1.png", "url": "https://www.example.org/c"},
				{"a": ["https://example.net/c"], "b": 7}, 5]},
		{"id": "d@site", "title": "Late", "details": {"ninth": 8, "about": "long"}, "status": "ignored"}]`,
		"#/flat/a%40site", 1280)
	p.load("words/flats")
	for _, c := range []struct{ value, want string }{
		{`900`, "€900"}, {`"2400"`, "€2,400"}, {`"1.800"`, "€1,800"}, {`3`, "3"}, {`"3 months"`, "3 months"},
		{`"1.800 €"`, "€1,800"}, {`[900]`, "900"}, {`null`, ""}, {`"1.2.3"`, "1.2.3"},
	} {
		if got := p.eval(`flats.detailInWords("deposit", ` + c.value + `, {currency: "EUR"})`); got != c.want {
			t.Errorf("the deposit %s is %q; want %q", c.value, got, c.want)
		}
	}
	brief := strings.Join([]string{"Available from 1 Mar 2026", "Viewing 1 Feb 2026, 18:30", "Year built 1930",
		"Deposit €12,500.50", "Lift no", "Has WLAN yes", "Floor 3/5", "Forty " + strings.Repeat("y", 40)}, "; ")
	const pairs = `[...document.querySelectorAll(".brief > div")].map((pair) => pair.innerText.replace("\n", " "))
		.join("; ")`
	p.see(pairs, brief+"; Listed Jan 2024")
	p.see(`[...document.querySelectorAll(".details dt")].map((name) => name.innerText).join()`,
		"About,List,Empty,Ninth")
	p.see(`[...document.querySelectorAll(".others li")].map((other) => other.innerText).join()`,
		"Second listing\n€950\nexample.org\nexample.net\nexample.org (2)")
	p.see(`document.querySelector(".others a:last-child").href`, "https://example.org/c")
	p.eval(`location.hash = "#/triage"`)
	p.see(pairs, brief+"; Listed Jan 2024")
	p.eval(`location.hash = "#/flat/c%40site"`)
	p.see(pairs, "Details quiet")
	p.see(`[...document.querySelectorAll(".source")[0].children].map((link) => link.innerText + (link.href ?? "")).join()`,
		"example.orghttps://www.example.org/c,example.nethttps://example.net/c,5")
	// Compare has a row for a detail with the facts if it is short and among the first of any flat.
	p.eval(`location.hash = "#/compare/a%40site,d%40site"`)
	p.see(`[...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.innerText).join(" "))
		.filter((row) => /built|Ninth|About|Site/.test(row)).join("; ")`,
		"Year built 1930 –; Ninth 9 8; About "+strings.Repeat("x", 41)+" long; Site site site")
	p.checkFaults()
	// Well-known details, and the site of what was added by hand, are in the user's language.
	for _, c := range []struct{ language, brief, site, row string }{
		{"de", "Etage 3; Kaution 900; Frei ab sofort; Energieklasse B; Baujahr 1930; Has WLAN ja", "selbst eingetragen",
			"Lyon · selbst eingetragen · Etage 3 · Kaution 900 · Frei ab sofort"},
		{"fr", "Étage 3; Dépôt de garantie 900; Disponible le sofort; Classe énergie B; Année de construction 1930; " +
			"Has WLAN oui", "ajoutée à la main",
			"Lyon · ajoutée à la main · Étage 3 · Dépôt de garantie 900 · Disponible le sofort"},
	} {
		p := openTab(t, `[{"id": "a@added", "title": "Loft", "location": "Lyon", "details": {"floor": 3, "deposit": 900,
			"availableFrom": "sofort", "energy": "B", "year_built": 1930, "hasWLAN": true}}, {"id": "b@site"}]`, "", 1280)
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": c.language})
		p.reload()
		p.see(`[...document.querySelectorAll(".row .about")].some(({innerText}) => innerText.endsWith(`+
			encode(c.row)+"))", "true")
		p.eval(`location.hash = "#/?site=added"`)
		p.see(`document.querySelector(".chips .chip")?.innerText`, c.site+"")
		p.eval(`location.hash = "#/flat/a%40added"`)
		p.wait(`document.querySelector(".brief")`)
		p.see(pairs, c.brief)
		p.see(`document.querySelector(".source").innerText.split("\n")[0]`, c.site)
		p.checkFaults()
	}
}

// TestPagePaper tests that a flat is printed on at most two pages, where texts end with a whole line, without
// what has no value.
func TestPagePaper(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("A text of many words. ", 400)
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "Loft", "location": "Rue A", "cost": 900, "currency": "EUR",
		"text": %q, "details": {"floor": 3, "about": %q}, "photos": ["https://127.0.0.1:1/x"]}]`, long, long),
		"#/flat/a", 720)
	const shown = `["text", "details", "stars", "visit", "notes", "address"].filter((name) =>
		document.querySelector("." + name).offsetHeight > 0).join()`
	p.wait(`document.querySelector(".address")`)
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(shown, "text,details,address")
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	p.enter("#notes", strings.Repeat("Damp.\n", 90))
	p.enter("#visit", "2031-07-14T18:30")
	p.click(".own .stars :nth-child(4)")
	p.wait(`document.querySelector(".stars [aria-pressed=true]")`)
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(shown, "text,details,stars,visit,notes,address")
	const status = `[...document.querySelectorAll(".choices button")].filter((button) => button.checkVisibility() &&
		!button.closest(".stars")).map(({innerText}) => innerText).join()`
	p.see(status, "Followed")
	p.see(`document.querySelector(".visit").innerText.replace(/\s+/g, " ")`, "Visit Mon, 14 Jul 2031, 18:30")
	for _, name := range []string{".text", ".details", ".notes .sheet"} {
		p.see(fmt.Sprintf(`(({scrollHeight, clientHeight}, {lineHeight}) => scrollHeight > clientHeight &&
			Math.abs(clientHeight / parseFloat(lineHeight) %% 1 - 0.5) > 0.4)(
			document.querySelector(%[1]q), getComputedStyle(document.querySelector(%[1]q)))`, name), "true")
	}
	if got := p.printedPages(); got != 2 {
		t.Errorf("the flat is printed on %d pages; want 2", got)
	}
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	p.click(".own [data-status=ignored]")
	p.wait(`document.querySelector(".own [data-status=ignored][aria-pressed=true]")`)
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(status, "Dismiss")
	p.checkFaults()
}

// TestPageDetailsWritten tests that amounts and dates of details are shown in the form of the user's language, whatever
// the form in which sites write them, and that other texts stay as they are.
func TestPageDetailsWritten(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/flats")
	for value, want := range map[string]string{
		"€1,424": "€1,424", "4272 €": "€4,272", "€ 1.424,50": "€1,424.50", "CHF 1'240.–": "CHF\u00a01,240",
		"1 200 EUR": "€1,200", "01.02.2027": "1 Feb 2027", "15 janvier 2027": "15 Jan 2027",
		"12/01/2027": "12 Jan 2027", "01/13/2027": "13 Jan 2027", "1er août 2027": "1 Aug 2027",
		"3. März 2027": "3 Mar 2027", "March 3rd, 2027": "3 Mar 2027", "15 févr. 2027": "15 Feb 2027",
		"2027-01-15": "15 Jan 2027",
		"31.02.2027": "31.02.2027", "3/5": "3/5", "3 ZKB": "3 ZKB", "€": "€", "2 Keller 2027": "2 Keller 2027",
		"€100 to €200": "€100 to €200", "1.5 m": "1.5 m", "99/99/2027": "99/99/2027", "sofort": "sofort",
	} {
		if got := p.eval(fmt.Sprintf(`flats.detailInWords("x", %s, {currency: "EUR"})`, encode(value))); got != want {
			t.Errorf("%s is shown as %q; want %q", value, got, want)
		}
	}
	// Programs write times as numbers, in milliseconds or seconds.
	for of, want := range map[string]string{
		`"creationDate", 1512455998000`: "5 Dec 2017, 07:39", `"created_at", 1512455998`: "5 Dec 2017, 07:39",
		`"createdAt", 1512455998`: "5 Dec 2017, 07:39", `"update", 3`: "3", `"seat", 1512455998`: "1,512,455,998",
		`"published", 1512455998000`: "5 Dec 2017, 07:39", `"last_seen", "1512455998"`: "5 Dec 2017, 07:39",
		`"candidate_id", 1512455998`: "1,512,455,998",
		`"date", -1`:                 "-1", `"date", 151245599800000`: "151,245,599,800,000",
	} {
		if got := p.eval(`flats.detailInWords(` + of + `, {currency: "EUR"})`); got != want {
			t.Errorf("%s is shown as %q; want %q", of, got, want)
		}
	}
	if got := p.eval(`flats.detailInWords("x", "12/01/2027", {currency: "USD"})`); got != "1 Dec 2027" {
		t.Errorf("beside USD 12/01/2027 is shown as %q; want 1 Dec 2027", got)
	}
	p.checkFaults()
}

// TestPageLongTitle tests that a title of tens of thousands of letters is cut where it is shown, because its layout
// takes a browser seconds, and kept whole under Edit.
func TestPageLongTitle(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("T", 20_000)
	p := openTab(t, `[{"id": "h", "title": "`+long+`", "visit_date": "2099-05-01T10:00"}]`, "#/flat/h", 1280)
	want := strings.Repeat("T", 300) + "…"
	p.see(`document.querySelector("main h1").innerText`, want)
	p.click(".edit")
	p.see(`document.querySelector("[name=title]").value`, long)
	for _, hash := range []string{"#/?tab=all", "#/triage", "#/visits"} {
		p.eval(`location.hash = ` + encode(hash))
		p.wait(`[...document.querySelectorAll("main > section:not(.flat) a")].some((link) =>
			link.innerText === ` + encode(want) + `)`)
	}
	p.checkFaults()
}
