// Tests of Triage.

package web

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestPageTriage tests deciding, skipping and undoing, by keys and by swipes.
func TestPageTriage(t *testing.T) {
	t.Parallel()
	var flats []string
	for i := range 30 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d",
			"text": "A balcony, %[1]d.", "photos": ["https://127.0.0.1:1/1.jpg", "https://127.0.0.1:1/2.jpg"]}`,
			i, 30-i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/triage?q=balcony", 1280)
	title, left := `document.querySelector(".card h2")?.innerText`,
		`document.querySelector(".triage [role=status]")?.innerText`
	p.see(left, "30 left")
	p.see(title, "Flat 0")
	p.see(`document.querySelector(".card mark").innerText`, "balcony")
	place := p.eval(`JSON.stringify(document.querySelector(".decide").getBoundingClientRect())`)
	p.key("ArrowRight")
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.press("4f")
	p.see(left+"+"+title, "29 left · 1 doneFlat 1")
	p.seeFlat("0", "status", "followed")
	p.seeFlat("0", "notation", "4")
	p.press("x")
	p.see(title, "Flat 2")
	p.press("s")
	p.see(left+"+"+title, "28 left · 2 doneFlat 3")
	// Opening a flat does not change the pile.
	p.press("o")
	p.see("document.querySelector('.flat h1')?.innerText", "Flat 3")
	p.press("x")
	p.wait(`document.querySelector(".own [data-status=ignored][aria-pressed=true]")`)
	p.eval("history.back()")
	p.see(left+"+"+title, "27 left · 3 doneFlat 4")
	p.press("u")
	p.see(title, "Flat 3")
	p.press("u") // the skip
	p.see(left+"+"+title, "28 left · 2 doneFlat 2")
	p.press("u")
	p.see(title, "Flat 1")
	p.press("u")
	p.see(left+"+"+title, "30 leftFlat 0")
	p.press("u") // the rating
	p.see(`document.querySelectorAll(".stars [aria-pressed=true]").length`, "0")
	// Skipped flats come back at the end, and no other flat is left out.
	p.press("s")
	for i := 1; i < 30; i++ {
		p.see(title, fmt.Sprint("Flat ", i))
		p.press("x")
	}
	p.see(left+"+"+title, "1 left · 29 doneFlat 0")
	if got := p.eval(`JSON.stringify(document.querySelector(".decide").getBoundingClientRect())`); got != place {
		t.Errorf("the buttons moved from %v to %v", place, got)
	}
	p.resize(390)
	p.see(`document.querySelector(".card h2 a").offsetHeight >= 44`, "true")
	p.see(`(([card, photos]) => [photos.top - card.top, photos.left - card.left, card.right - photos.right].join())(
		[".card", ".gallery"].map((part) => document.querySelector(part).getBoundingClientRect()))`, "1,1,1")
	// The finger moves the card over the next one, with a word. A swipe on the photos turns them.
	p.swipe(".card", 40)
	p.see(`document.querySelector(".card").getBoundingClientRect().left`, "16")
	p.swipe(".gallery", -200)
	p.see(`document.querySelector(".turner span").innerText`, "2 / 2")
	p.swipe(".gallery", 200)
	p.see(`document.querySelector(".turner span").innerText`, "1 / 2")
	p.swipe(".card", 200)
	p.see(`document.querySelector(".card h2")?.innerText`, "Nothing left to triage")
	p.see(`document.querySelector(".card").getBoundingClientRect().left`, "16")
	p.seeFlat("0", "status", "followed")
	p.checkFaults()
}

// TestPageTriageSlow tests that on a slow network the next card is there at once, that each key acts on the flat that
// is seen, and that decisions are sent in their order and taken back one by one.
func TestPageTriageSlow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 12 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d", "text": "A flat.",
			"cost": %d, "currency": "EUR", "area": 50, "location": "Ost"}`, i, 30-i, 500+100*i))
	}
	p, network := openThroughProxy(t, start(t, "["+strings.Join(flats, ",")+"]"), "#/visits", 1280)
	var mu sync.Mutex
	var sent []string
	list := func(answer *http.Response) {
		if request := answer.Request; request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, path.Base(request.URL.Path))
		}
	}
	network.change.Store(&list)
	network.latency.Store(560)
	p.eval(`location.hash = "#/triage"`)
	// type presses keys some milliseconds apart, and returns the title 30 ms after each.
	p.eval(`window.type = async (keys, apart) => {
		const rest = (ms) => new Promise((done) => setTimeout(done, ms));
		const titles = [];
		for (const key of keys) {
			dispatchEvent.call(document.body, new KeyboardEvent("keydown", {key, bubbles: true}));
			await rest(30);
			titles.push(document.querySelector(".card h2")?.innerText);
			await rest(apart - 30);
		}
		return titles.join();
	}`)
	// ready waits until flats have come whole, by which their cards are made.
	ready := func(ids ...int) {
		t.Helper()
		for _, id := range ids {
			p.wait(fmt.Sprintf(`"text" in kept.kept.flats.get("%d")`, id))
		}
	}
	p.load("lib/kept")
	const title = `document.querySelector(".card h2")?.innerText`
	const left = `document.querySelector(".triage [role=status]")?.innerText`
	ready(0, 1, 2, 3)
	for _, c := range []struct {
		keys   string
		apart  int
		titles string
		next   []int // the flats whose cards must be there before the next keys
	}{
		{"xf", 50, "Flat 1,Flat 2", []int{4, 5}},
		{"xxx", 80, "Flat 3,Flat 4,Flat 5", []int{6, 7, 8}},
		{"s4f", 50, "Flat 6,Flat 6,Flat 7", nil},
	} {
		if got := p.eval(fmt.Sprintf("type(%q, %d)", c.keys, c.apart)); got != c.titles {
			t.Errorf("titles after %s: %v; want %s", c.keys, got, c.titles)
		}
		p.see(waits, "") // nobody waits for what is under way
		ready(c.next...)
	}
	p.see(left, "6 left · 6 done")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "6")
	// What one looks at meanwhile has the decisions.
	p.eval(`location.hash = "#/?tab=new"`)
	p.wait(`document.querySelector(".row")`)
	p.see(rowCount, "6")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "6")
	p.eval(`location.hash = "#/triage"`)
	p.see(title, "Flat 7")
	p.wait(`fetch("api/v1/flats/6").then((answer) => answer.json()).then(({data}) => data.status === "followed")`)
	mu.Lock()
	if got := strings.Join(sent, " "); got != "0 1 2 3 4 6 6" {
		t.Errorf("updates of the flats %s; want 0 1 2 3 4 6 6", got)
	}
	mu.Unlock()
	// Each decision is taken back by an Undo of its own: 7 and the skip. A key for a card that is not there yet is none.
	if got := p.eval(`type("uuuuuuuu", 50)`); got != "Flat 6,Flat 6,Flat 5,Flat 4,Flat 3,Flat 2,Flat 1,Flat 0" {
		t.Errorf("titles after Undo: %v; want those of the flats in reverse", got)
	}
	p.see(`document.querySelector("#bar .undo").hidden`, "true")
	p.see(left, "12 left")
	p.seeFlat("0", "status", "new")
	// An answer that is older than an Undo does not take the flat away again.
	p.press("o")
	p.see("document.querySelector('.flat h1')?.innerText", "Flat 0")
	p.press("x")
	p.seeFlat("0", "status", "ignored")
	network.latency.Store(0)
	var late atomic.Int32
	hold := func(answer *http.Response) {
		if strings.Contains(answer.Request.URL.RawQuery, "1000") {
			time.Sleep(time.Second)
			late.Add(1)
		}
	}
	network.change.Store(&hold)
	p.eval("history.back()")
	p.see(left+"+"+title, "11 left · 1 doneFlat 1")
	p.press("u")
	p.see(left+"+"+title, "12 leftFlat 0")
	for late.Load() == 0 {
		time.Sleep(10 * time.Millisecond)
	}
	p.eval(`new Promise((done) => setTimeout(done, 100))`)
	p.see(left+"+"+title, "12 leftFlat 0")
	p.checkFaults()
}

// TestPageTriageBack tests that keys act on the card that is seen although the pile that is known is asked for again.
func TestPageTriageBack(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/visits", 1280)
	holdAll := func(part string) {
		hold := func(answer *http.Response) {
			if strings.Contains(answer.Request.URL.String(), part) {
				<-answer.Request.Context().Done() // until the view is left
			}
		}
		network.change.Store(&hold)
	}
	const title = `document.querySelector(".card h2")?.innerText`
	holdAll("/flats/")
	p.eval(`location.hash = "#/triage"`)
	p.see(`document.querySelector(".triage [role=status]")?.innerText`, "5 left")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	holdAll("size%5D=1000")
	p.eval(`location.hash = "#/triage"`)
	p.wait(title)
	first := p.eval(title)
	p.press("s")
	p.wait(fmt.Sprintf("%s !== %s", title, encode(first)))
	p.checkFaults()
}

// TestPageTriageCard tests that fourteen photos need one look on a laptop, and that the next card lies behind a swipe,
// whose word has the colour of what it does.
func TestPageTriageCard(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const image = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "A", "date": "2026-02-02", "text": "Text.", "photos": %s},
		{"id": "b", "title": "B", "text": "Text.", "cost": 700, "currency": "EUR", "date": "2026-02-01",
			"cost_history": [{"date": null, "cost": 800}, {"date": %q, "cost": 700}]}]`,
		encode(slices.Repeat([]string{image}, 14)), daysAgo(30)), "#/triage", 1280)
	p.see(`document.querySelector(".card h2")?.innerText`, "A")
	p.eval(`window.at = (selector) => document.querySelector(".triage " + selector).getBoundingClientRect()`)
	for _, c := range []struct {
		width int
		want  string
	}{
		{1280, `[...document.querySelectorAll(".strip button")].filter((button) => {
			const {left, top, bottom} = button.getBoundingClientRect();
			return left >= at(".frame").right && top >= at(".gallery").top && bottom <= at(".decide").top;
		}).length === 14`},
		{1280, `at(".what").left > at(".strip").right && at(".text").top > at(".strip").bottom`},
		{1280, `at(".turner").bottom <= at(".frame").bottom`},
		{900, `at(".strip button:last-child").bottom < at(".text").top && at(".strip").top >= at(".frame").bottom`},
		{390, `at(".strip").height === 0 && at(".text").top > at(".what").bottom`},
	} {
		p.resize(c.width)
		p.see(fmt.Sprintf("%d + %q + Boolean(%[2]s)", c.width, c.want), fmt.Sprint(c.width, c.want, true))
	}
	p.see(`(({fontSize, textDecorationLine}) => fontSize + " " + textDecorationLine)(
		getComputedStyle(document.querySelector(".card h2 a")))`, "20px none")
	touch := func(event string, points ...object) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": append([]object{}, points...)})
	}
	for _, c := range []struct {
		by   float64
		want string
	}{{60, "Follow followed B €700"}, {-60, "Dismiss ignored B €700"}} {
		touch("touchStart", object{"x": 195, "y": 700}) // below the card, above its buttons
		touch("touchMove", object{"x": 195 + c.by/2, "y": 700})
		touch("touchMove", object{"x": 195 + c.by, "y": 700})
		p.see(`(([word, next]) => [word.innerText, word.dataset.status, ...next.innerText.split(/\s+/)].join(" "))(
			[".verdict", ".behind"].map((part) => document.querySelector(part)))`, c.want)
		p.see(`document.querySelectorAll(".behind .photo").length`, "0") // B has none
		p.see(`at(".card").left`, fmt.Sprint(16+c.by))
		p.see(`getComputedStyle(document.querySelector(".verdict")).backgroundColor === getComputedStyle(
			document.querySelector(".decide [data-status=" + document.querySelector(".verdict").dataset.status + "]"))[
			document.querySelector(".verdict").dataset.status === "followed" ? "backgroundColor" : "color"]`, "true")
		touch("touchEnd")
		p.see(`at(".card").left + " " + document.querySelector(".behind").hidden`, "16 true")
	}
	// The buttons name their keys, but not to fingers. A flat without a photo stands in one column.
	const caps = `[...document.querySelectorAll(".decide kbd")].filter((cap) => cap.checkVisibility())
		.map((cap) => cap.parentNode.innerText.replace(/\s+/g, " ")).join()`
	p.see(caps, "")
	p.resize(1280)
	p.see(caps, "Dismiss x,Skip s,Follow f")
	p.press("x")
	p.see(`document.querySelector(".card h2")?.innerText`, "B")
	p.see(`at(".what").left === at(".text").left && at(".text").top >= at(".what").bottom && at(".what").width > 600`,
		"true")
	p.see(`at(".card").width`, "760")
	p.see(`document.querySelector(".card .what").innerText.includes("€800 → €700 on `+dayAgo(30)+`")`, "true")
	p.checkFaults()
}

// TestPageTriageElsewhere tests the pile while another device decides too, and new flats come in.
func TestPageTriageElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 6 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d", "cost": %d}`,
			i, 30-i, 500+100*i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/triage", 1280)
	other := func(id, fields string) { // once one has seen the card, which stays then
		p.eval(fmt.Sprintf(`new Promise((done) => setTimeout(done, 150))
			.then(() => fetch("api/v1/flat/%s", {method: "PATCH", body: %s}))`, id, encode(fields)))
	}
	look := func() { p.eval(`document.dispatchEvent(new Event("visibilitychange"))`) }
	const title, left = `document.querySelector(".card h2")?.innerText`,
		`document.querySelector(".triage [role=status]")?.innerText`
	const notice = `document.querySelector(".notice p")?.textContent`
	p.see(left+"+"+title, "6 leftFlat 0")
	// What another device has decided on leaves the pile, but not the card while one looks at it.
	other("0", `{"status": "followed"}`)
	other("1", `{"status": "ignored"}`)
	look()
	p.see(left+"+"+title, "4 leftFlat 0")
	p.see(`document.querySelector("#fresh button")?.innerText`, "Changed elsewhere · Show")
	p.press("x")
	p.see(notice, "Flat 0: Dismissed. This replaced a decision made elsewhere: Followed")
	p.see(title, "Flat 2")
	p.click(".notice button")
	p.see(notice, "Undone")
	p.seeFlat("0", "status", "followed")
	other("2", `{"status": "contacted"}`)
	look()
	p.see(left+"+"+title, "3 leftFlat 2")
	p.click("#fresh button")
	p.see(left+"+"+title, "3 leftFlat 3")
	// Before anything was asked for, too.
	other("3", `{"status": "visited"}`)
	other("4", `{"status": "ignored"}`)
	p.press("f")
	p.see(notice, "Flat 3: Followed. This replaced a decision made elsewhere: Visited")
	// Flat 4 stays if it was seen before the answer came.
	p.wait(title + ` === "Flat 5" || document.querySelector("#fresh button")`)
	if p.eval(title) == "Flat 4" {
		p.click("#fresh button")
	}
	p.see(left+"+"+title, "1 left · 1 doneFlat 5")
	// What comes in is next, after the flat in the card; of one import the listing with the latest date.
	p.eval(`fetch("api/v1/import", {method: "POST", body: JSON.stringify([
		{id: "7", title: "Flat 7", date: "2026-01-01"}, {id: "6", title: "Flat 6", date: "2026-02-01"}])})`)
	look()
	p.see(left+"+"+title, "3 left · 1 doneFlat 5")
	p.press("4")
	p.see(`document.querySelectorAll(".stars [aria-pressed=true]").length`, "1")
	p.see(title, "Flat 5")
	p.press("s")
	p.see(title, "Flat 6")
	// A skip survives a reload.
	p.reload()
	p.see(left+"+"+title, "3 leftFlat 6")
	p.press("s")
	p.see(title, "Flat 7")
	p.press("s")
	p.see(title, "Flat 5") // the first to be skipped
	p.checkFaults()
}

// TestPageTriageFilters tests that Triage says which filters there are, and how many flats are outside.
func TestPageTriageFilters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/triage?q=balkon&cost=..700&sort=cost&tab=all", 390)
	const line = `document.querySelector(".triage > .line")?.innerText.replace(/\s+/g, " ")`
	p.see(line, "Triage 1 left “balkon”, Cost ≤ 700 4 more without them · Show")
	p.wait(`document.querySelector(".card h2")`)
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "5") // all new ones, whatever the filters
	p.swipe(".room", -200)                                                           // below the card too
	p.see(line, "Triage 0 left · 1 done “balkon”, Cost ≤ 700 4 more without them · Show")
	p.see(`document.querySelector(".card h2").innerText`, "None left with these filters")
	// The notice hides neither the bar nor the buttons.
	p.see(`(() => {
		const {top, bottom} = document.querySelector(".notice").getBoundingClientRect();
		return top > 44 && bottom <= innerHeight - 64;
	})()`, "true")
	// Undo stays in the bar while there is something to take back, once the notice with its own has left.
	p.see(`document.querySelector("#bar .undo").hidden`, "true")
	p.click(".notice .close")
	p.see(`document.querySelector("#bar .undo").offsetWidth >= 44`, "true")
	p.click(".undo")
	p.see(line, "Triage 1 left “balkon”, Cost ≤ 700 4 more without them · Show")
	p.see(`document.querySelector(".undo").hidden`, "true")
	p.click(".outside a")
	p.see(line, "Triage 5 left")
	p.eval(`location.hash = "#/triage?travel_time=..18&to=office"`) // another place may be nearer
	p.see(line, "Triage 1 left Travel time to office ≤ 18 min 4 more without them · Show")
	p.checkFaults()
}

// TestPageLeaving tests that the service gets a decision although the tab is closed while it is sent.
func TestPageLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/triage", 390)
	network.latency.Store(300)
	p.wait(`document.querySelector(".triage [data-status=followed]")`)
	const isSending = `performance.getEntriesByType("resource").some(({name}) => name.endsWith("/later.js")) &&
		new Promise((done) => setTimeout(() => done(true), 500))` // and runs
	other := p.openOther("#/triage")
	other.wait(isSending)
	other.wait(`document.querySelector(".triage h2 a")`)
	followed := func() string {
		_, body := get(t, p.url+"/api/v1/find?filter[status]=followed&page[size]=1")
		return body[strings.LastIndex(body, `"total"`):]
	}
	before := followed()
	other.eval(`new Promise((sent) => {
		const ask = fetch;
		window.fetch = (...request) => {
			if (request[1]?.method === "PATCH") sent();
			return ask(...request);
		};
		document.querySelector(".triage [data-status=followed]").click();
	})`)
	other.do("Page.close", nil)
	p.until(func() bool { return followed() != before }, followed)
	p.checkFaults()
}

// TestPageTriageRough tests that a number of flats from before a decision is corrected.
func TestPageTriageRough(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/", 1280)
	p.wait(rowCount + " === 2")
	// The service counts all new flats before the decisions; its answer comes after theirs.
	p.eval(`{
		const ask = fetch;
		window.fetch = async (url, options) => {
			const answer = await ask(url, options);
			if (/find.*size]=1&/.test(decodeURIComponent(url)) && !window.isDone) {
				window.isAsked = true;
				while (!window.isDone) await new Promise((next) => setTimeout(next, 20));
			}
			return answer;
		};
		location.hash = "#/triage?q=A";
	}`)
	p.see(`document.querySelector(".card h2")?.innerText`, "A")
	p.wait("window.isAsked")
	p.press("x")
	p.seeFlat("a", "status", "ignored")
	p.eval("window.isDone = true")
	p.see(`document.querySelector(".outside").innerText`, "1 more without them · Show")
	p.checkFaults()
}

// TestPageTriageQuick tests that keys act on flats of which only the facts are there yet, and not the whole card.
func TestPageTriageQuick(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d", "title": "Flat %[1]d", "date": "2026-01-%02d", "cost": %d}`,
			i, 30-i, 500+100*i))
	}
	p, network := openThroughProxy(t, start(t, "["+strings.Join(flats, ",")+"]"), "#/triage", 1280)
	p.load("lib/kept")
	p.wait(`document.querySelector(".card h2")`)
	p.wait(`"title" in (kept.kept.flats.get("19") ?? {})`)
	network.latency.Store(2000) // no further card comes in time
	p.press("xxxxxxxxxxxxxxxxxxxx")
	p.see(`document.querySelector(".triage [role=status]").innerText`, "0 left · 20 done")
	p.checkFaults()
}

// TestPageTriageBare tests that Triage says of an empty service where to bring flats from, until there are some.
func TestPageTriageBare(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/triage", 390)
	const words = `document.querySelector(".card").innerText.trim().replace(/\s+/g, " ")`
	p.see(words, "No flats yet Add Import")
	p.see(`[...document.querySelectorAll(".card a")].map(({hash}) => hash).join()`, "#/add,#/import")
	p.eval(`location.hash = "#/triage?rooms=2"`)
	p.see(`document.querySelector(".triage a[href*=rooms]") && `+words, "No flats yet Add Import")
	p.bring(`[{"id": "a", "title": "Attic", "rooms": 2}]`)
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(`document.querySelector(".card h2")?.innerText`, "Attic")
	p.click(".decide [data-status=ignored]")
	p.see(words, "Nothing left to triage Shortlist")
	p.checkFaults()
}
