// Tests of the list: its rows, and what is new in it.

package web

import (
	"encoding/csv"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPageList tests that tabs count the flats, heads sort, active filters have
// chips, and the hash has all of it.
func TestPageList(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	first := p.openOther("")
	// What is loaded once the list is there does not count.
	first.do("Page.addScriptToEvaluateOnNewDocument", object{"source": "window.requestIdleCallback = () => {}"})
	first.eval("window.old = true")
	first.do("Page.reload", object{"ignoreCache": true})
	first.wait("!window.old && " + rowCount + " === 10")
	size := first.eval(`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
		.map(({encodedBodySize}) => encodedBodySize).reduce((sum, size) => sum + size)`).(float64)
	if size < 10_000 || size >= 80_000 {
		t.Errorf("the first list takes %.0f gzipped bytes; want at least 10,000 and less than 80,000", size)
	}
	p.see(tabTexts, "Live 10|New 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "5")
	p.click(`th.cost button`)
	p.see("location.hash", "#/?sort=cost")
	p.see(`document.querySelector("th[aria-sort]").innerText + document.querySelector("th[aria-sort]").ariaSort`,
		"Costascending")
	p.see(column("cost", 3), "€685|€745|€795")
	p.click(`th.cost button`)
	p.see(column("cost", 3), "€1,380|€1,090|€995")
	p.click(".toggle")
	p.enter("[aria-label='Cost to']", "1.000")
	p.see(rowCount, "8")
	p.enter("[aria-label='Area from']", "45,5")
	p.see(rowCount, "5")
	p.see("location.hash", "#/?cost=..1000&area=45.5..&sort=-cost")
	p.see(chipTexts, "Cost ≤ 1,000|Area ≥ 45.5 m²")
	p.enter("[aria-label='Rooms from']", "two")
	p.see(`document.querySelector("[aria-label='Rooms from']").getAttribute("aria-invalid")`, "true")
	p.see(`document.querySelector(".trouble:not(:empty)").innerText`, "This is not a number")
	p.enter("[aria-label='Rooms to']", "2")
	p.enter("[aria-label='Rooms from']", "3") // last: 3 or more would be a filter
	p.see(`document.querySelectorAll("[aria-invalid=true]").length`, "2")
	p.see(`document.querySelector(".trouble:not(:empty)").innerText`, "“From” is greater than “to”")
	p.see("location.hash", "#/?cost=..1000&area=45.5..&sort=-cost")
	p.click(".tabs [data-status=new]")
	p.see(rowCount, "2")
	p.reload()
	p.see(rowCount, "2")
	p.see(chipTexts, "Cost ≤ 1,000|Area ≥ 45.5 m²")
	p.eval(`document.querySelector(".chips .chip").focus()`)
	p.click(".chips .chip")
	p.see("location.hash", "#/?tab=new&area=45.5..&sort=-cost")
	p.see(`document.activeElement.innerText`, "Area ≥ 45.5 m²")
	p.eval("history.back()")
	p.see(rowCount, "5")
	p.click(".chips .link")
	p.see("location.hash", "#/?sort=-cost")
	p.see(rowCount, "10")
	// One request gets the rows, two others the counts of the other tabs.
	for _, tab := range []string{"new", "all"} {
		p.eval(`performance.clearResourceTimings(); location.hash = "#/?tab=` + tab + `"`)
		const asked = `performance.getEntriesByType("resource")
			.filter(({name}) => !/status_since|min%5Bfirst_seen/.test(name))
			.map(({name}) => /\w+(?=\?|$)/.exec(name)[0])
			.filter((name) => /find|duplicates/.test(name)).join().replace(/^duplicates,/, "")`
		p.see(asked, "find,find,find,duplicates")
		p.see(tabTexts, "Live 10|New 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	}
	p.eval(`document.querySelector("th.area button").focus()`)
	p.click("th.area button")
	p.see(`document.activeElement.closest("th")?.ariaSort`, "descending")
	p.checkFaults()
}

// TestPageFirst tests what a slow network makes the user wait for: how many requests, trips and bytes the first 50 of
// 118 flats take.
func TestPageFirst(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var listings []string
	for i := range 118 {
		listings = append(listings, fmt.Sprintf(`{"id": "n%[1]d@s", "title": "Two rooms with a balcony, no. %[1]d",
			"cost": %[2]d, "currency": "EUR", "area": %[3]d, "rooms": 2, "location": "Some street %[1]d, Lyon",
			"photos": ["https://127.0.0.1:1/%[1]d.jpg"], "urls": ["https://example.org/%[1]d"], "phone": "0199%[1]d",
			"text": "%[4]s %[1]d"}`, i, 700+7*i%400, 40+i%30, strings.Repeat("Quiet and light. ", 20)))
	}
	p := openTab(t, "["+strings.Join(listings, ",")+"]", "", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `new MutationObserver(() => {
		if (!window.at && document.querySelector(".row")) window.at = performance.now();
	}).observe(document, {childList: true, subtree: true})`})
	p.do("Network.enable", nil)
	p.do("Network.emulateNetworkConditions",
		object{"offline": false, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1})
	p.eval("window.old = true")
	p.do("Page.reload", object{"ignoreCache": true})
	p.wait("!window.old && window.at")
	got := p.eval(`(() => {
		const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
			.filter(({responseStart}) => responseStart && responseStart < at);
		let [trips, end] = [0, 0]; // one after the other
		for (const {startTime, responseEnd} of all.toSorted((a, b) => a.responseEnd - b.responseEnd))
			if (startTime >= end) [trips, end] = [trips + 1, responseEnd];
		return {requests: all.length, trips,
			bytes: all.reduce((sum, {encodedBodySize}) => sum + encodedBodySize, 0)};
	})()`).(object)
	// With half a second of latency, and another one for the connection, five trips take three seconds.
	if got["requests"].(float64) > 12 || got["bytes"].(float64) >= 80_000 || got["trips"].(float64) > 5 {
		t.Errorf("the first rows take %v; want at most 12 requests, 5 trips and less than 80,000 bytes", got)
	}
}

// TestPageCSV tests that "CSV" downloads the flats of the view, in its order.
func TestPageCSV(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?tab=all&cost=..1500&sort=-cost", 1280)
	p.wait(`document.querySelector(".foot .end:not(:empty)")`)
	shown := fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].map(({dataset}) => dataset.id).join()`))
	p.click(".toggle")
	const link = `document.querySelector(".tools a[download]")`
	p.wait(link)
	_, text := get(t, fmt.Sprint(p.eval(link+".href")))
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
	if err != nil || len(rows) < 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	var ids []string
	for _, row := range rows[1:] {
		ids = append(ids, row[slices.Index(rows[0], "id")])
	}
	if got := strings.Join(ids, ","); got != shown {
		t.Errorf("the file has %s; want %s", got, shown)
	}
}

// TestPageLate tests the list while answers are late and come one by one.
func TestPageLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(130), "", 1280)
	p.eval(`{
		const ask = fetch;
		window.late = () => false;
		window.held = () => false;
		window.holding = window.sent = 0;
		window.fetch = async (url, options) => {
			const soon = () => new Promise((next) => setTimeout(next, 20));
			while (late(String(url), options)) await soon();
			const answer = await ask(url, options);
			while (held(String(url))) (holding++, await soon());
			if (options?.method === "PATCH") sent++;
			return answer;
		};
	}`)
	p.wait(`document.querySelector(".tabs b")`)
	total := fmt.Sprint(p.eval(`document.querySelector(".tabs [aria-current] b").innerText`))
	p.wait(rowCount + ` === 50 && (scrollTo(0, 1e6), true)`)
	p.wait(rowCount + ` === 100`)
	// While rows of another order are loading, the end of these asks for nothing.
	p.eval(`late = (url) => /find/.test(url)`)
	p.click("th.title button")
	p.eval(`scrollTo(0, 1e6), new Promise((done) => setTimeout(done, 200))`)
	p.eval(`late = () => false`)
	p.wait(`document.querySelector("th.title").ariaSort && scrollY === 0`)
	p.wait(`(scrollTo(0, 1e6), document.querySelector(".end").innerText === "That is all")`)
	p.see(rowCount, total)
	// The rows do not wait for the counts of other tabs, and all that is shown belongs to the new view.
	p.eval(`late = (url) => /page%5Bsize%5D=1&/.test(url); location.hash = "#/?tab=shortlist&cost=..900"`)
	p.wait(`[...document.querySelectorAll(".row")].every(({dataset}) =>
		["followed", "contacted"].includes(dataset.status))`)
	p.see(`document.querySelector(".tabs [aria-current]").innerText.replace(/ .*/, "")`, "Shortlist")
	p.see(`document.querySelector(".tabs a").hash`, "#/?cost=..900")
	// A number that has changed stays when the view is left.
	p.eval(`location.hash = "#/?tab=new"`)
	p.wait(`[...document.querySelectorAll(".row")].every(({dataset}) => dataset.status === "new")`)
	p.eval(`late = () => false`)
	p.wait(`document.querySelector("#bar [data-view=triage] .badge").innerText ===
		document.querySelector(".tabs [aria-current] b").innerText`)
	news := p.eval(`Number(document.querySelector("#bar [data-view=triage] .badge").innerText)`).(float64)
	p.eval(`late = (url) => /page%5Bsize%5D=1&/.test(url); location.hash = "#/?tab=new&sort=cost"`)
	p.wait(`document.querySelector("th.cost").ariaSort`)
	p.click(".row [data-status=followed]")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, fmt.Sprint(news-1))
	p.press("v")
	p.wait(`document.querySelector(".visits h1")`)
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, fmt.Sprint(news-1))
	// Numbers from before a decision that come after it are asked for again.
	p.eval(`late = (url, options) => options?.method === "PATCH"; location.hash = "#/triage"`)
	p.click(".decide [data-status=followed]")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, fmt.Sprint(news-2))
	p.eval(`held = (url) => /page%5Bsize%5D=50&/.test(url); sent = holding = 0;
		location.hash = "#/?tab=new&sort=area"`)
	p.wait(`holding > 0`)
	p.eval(`late = () => false`)
	p.wait(`sent > 0`)
	p.eval(`held = () => false`)
	p.see(`document.querySelector(".tabs [aria-current] b").innerText`, fmt.Sprint(news-2))
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, fmt.Sprint(news-2))
	// If the counts cannot be loaded, the page says so.
	p.eval(`late = () => false; location.hash = "#/"`)
	p.wait(`document.querySelector(".row")`)
	// The counts fail once the rows are there: any other answer would close the error, as there is a network again.
	p.eval(`{
		const counts = (url) => /page%5Bsize%5D=1&/.test(url), rows = (url) => /=900.*page%5Bsize%5D=50&/.test(url);
		late = (url) => {
			if (counts(url) && late.fails && late.rows) throw new TypeError("late");
			return counts(url) ? late.fails : late.rows || !rows(url);
		};
		held = (url) => { late.rows ||= rows(url) };
		late.fails = true;
		location.hash = "#/?cost=..900";
	}`)
	p.see(`document.querySelector("[role=alert] p")?.innerText`, "That did not work: no network connection.")
	p.eval(`late.fails = late.rows = false`)
	p.click("[role=alert] button")
	p.wait(`!document.querySelector("[role=alert]")`)
	p.eval(`late = held = () => false`)
	// The field keeps the focus and what is typed while the first answer is on its way.
	for _, view := range []string{"#/", "#/map", "#/prices"} {
		p.eval(`late = () => false; location.hash = "#/visits"`)
		p.wait(`document.querySelector(".visits h1")`)
		p.eval(`late = (url) => /find/.test(url); location.hash = ` + encode(view))
		p.click("#search")
		p.press("a")
		p.see("location.hash", view+"?q=a")
		p.press("b")
		p.see("location.hash + document.activeElement.value", view+"?q=abab")
	}
	p.eval(`late = () => false`)
	p.checkFaults()
	// Without filters no flats are outside them, although the service lacks a decision.
	p = openTab(t, manyFlats(130), "", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `{
		const ask = fetch;
		window.fetch = (url, options) => (options?.method === "PATCH" ? new Promise(() => {}) : ask(url, options));
	}`})
	p.do("Page.reload", nil)
	p.wait(`document.querySelector(".row")`)
	p.eval(`location.hash = "#/triage"`)
	p.wait(`document.querySelector(".card h2 a")`)
	left := p.eval(`document.querySelector(".triage [role=status]").innerText.match(/\d+/)[0]`)
	p.press("x")
	p.see(`document.querySelector(".triage [role=status]").innerText.match(/\d+/)[0] - `+fmt.Sprint(left), "-1")
	p.do("Page.reload", nil)
	p.wait(`document.querySelector(".card h2 a")`)
	p.wait(`document.querySelector("#bar [data-view=triage] .badge").innerText === "` + fmt.Sprint(left) + `"`)
	p.see(`document.querySelector(".outside").innerText`, "")
}

// TestPageTravel tests that filter, order and column of the travel time are those of the chosen place, which
// is offered where there are several.
func TestPageTravel(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": 1, "title": "one", "service_time_to": {"station": {"time": 600}, "office": {"time": 3000}}},
		{"id": 2, "title": "two", "service_time_to": {"station": {"time": 1800}, "office": {"time": 1200}}},
		{"id": 3, "title": "three", "service_time_to": {"office": {"time": 300}}}]`, "", 1280)
	const rows = `[...document.querySelectorAll(".row")].map((row) => row.querySelector("h2").innerText + " " +
		row.querySelector(".travel_time").innerText.replace(/\s/g, " ")).join()`
	for hash, want := range map[string]string{
		"sort=travel_time":                            "three 5 min office,one 10 min station,two 20 min office",
		"to=station&sort=travel_time":                 "one 10 min station,two 30 min station,three ",
		"to=office&sort=-travel_time":                 "one 50 min office,two 20 min office,three 5 min office",
		"travel_time=..20&sort=title":                 "one 10 min station,three 5 min office,two 20 min office",
		"travel_time=..20&to=station&sort=title":      "one 10 min station",
		"travel_time=20..60&to=office&sort=title":     "one 50 min office,two 20 min office",
		"travel_time=..20&to=office&sort=-title":      "two 20 min office,three 5 min office",
		"travel_time=..9&to=kita&unknown=travel_time": "one ,two ,three ",
	} {
		p.eval("location.hash = " + encode("#/?"+hash))
		p.see(`location.hash.slice(3) + ": " + `+rows, hash+": "+want)
	}
	p.eval(`location.hash = "#/?travel_time=..20"`)
	offered := `[...document.querySelectorAll(".panel label:not([hidden])")]
		.filter((label) => label.textContent.startsWith("Travel time to")).length`
	p.see(offered, "0") // until the panel is opened
	p.click(".toggle")
	p.see(offered, "1")
	p.see(`[...document.querySelectorAll(".panel select option[value=kita]")].map(({parentElement}) => {
		parentElement.id = "to";
		return [...parentElement.options].map((option) => option.innerText).join();
	}).join()`, "Nearest,kita,office,station,university")
	p.enter("#to", "station")
	p.see("location.hash", "#/?travel_time=..20&to=station")
	p.see(chipTexts, "Travel time to station ≤ 20 min")
	p.see(`document.querySelector(".hidden-ones").innerText`, "1 without travel time · Show")
	p.click(".chips .link")
	p.see(rows, "one 10 min station,two 30 min station,three ")
	p.see(chipTexts, "")
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.see(`[...document.querySelectorAll(".paper td.travel_time")]
		.map((cell) => cell.textContent.replace(/\s/g, " ")).join()`, "10 min station,30 min station,")
	p.checkFaults()
	// One place alone leaves nothing to choose. The service has no field for a name with a comma.
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"constraints": {"x": {"time_to": {
		"work": {"gps": [45, 4]}, "a, b": {"gps": [45, 4]}}}}}`)
	writeFile(t, filepath.Join(dir, "flats.json"), `[{"id": 1, "service_time_to": {"work": {"time": 60}}}]`)
	p.url = startIn(t, dir)
	p.open("", 1280)
	p.click(".toggle")
	p.eval("new Promise((done) => setTimeout(done, 300))")
	p.see(offered, "0")
}

// TestPageAgo tests that time is told as people tell it, in lists, cards, on the flat and in Triage, with the exact one
// in its element and tooltip, and goes on while the page is open.
func TestPageAgo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const first = "2026-11-25T12:00:00Z"
	p := openTab(t, fmt.Sprintf(`[{"id": "1@site", "title": "One", "location": "Ost", "first_seen": %q},
		{"id": "2@site", "title": "Two", "first_seen": "2024-01-03T10:00:00Z"},
		{"id": "3@site", "title": "Three", "status": "ignored"}]`, first), "#/?sort=title", 1280)
	p.wait(rowCount + " === 2")
	p.eval(`Date.now = () => Date.parse(` + encode(first) + `) + 12.5 * 60_000;
		document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(column("since", 2), "12\u00a0min\u00a0ago|Jan 2024")
	const time1 = `[...document.querySelectorAll("main time")].filter(({innerText}) => /ago/.test(innerText))[0]`
	p.see(time1+`.dateTime.slice(0, 19)`, first[:19])
	p.see(`/^\w+day,? \d+ \w+ 20\d\d at \d\d:\d\d$/.test(`+time1+`.title)`, "true")
	p.resize(390)
	p.see(`document.querySelector(".row .under")?.innerText.replace(/\s+/g, " ")`, "12 min ago · Ost · site")
	for _, hash := range []string{"#/flat/1%40site", "#/triage"} {
		p.eval("location.hash = " + encode(hash))
		p.see(`document.querySelector(".source")?.innerText.replace(/\s/g, " ")`, "site Seen 12 min ago")
	}
	p.eval(`{ const now = Date.now; Date.now = () => now() + 3_600_000; }
		document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(time1+`.innerText.replace(/\s/g, " ")`, "1 h ago")
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.eval(`location.hash = "#/?tab=is:ignored"`)
	p.wait(`document.querySelector(".row")`)
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
	p.see(`document.querySelectorAll(".paper td").length > 0 && document.querySelectorAll(".paper time").length`, "0")

	const evening, night = "2026-11-25T20:00:00+01:00", "2026-11-25T02:00:00+01:00"
	for language, cases := range map[string]map[string]string{
		"en-GB": {
			evening + " 2026-11-25T19:59:50+01:00": "1 min ago",
			evening + " 2026-11-25T19:48:00+01:00": "12 min ago",
			evening + " 2026-11-25 17:59:00":       "2 h ago",
			evening + " 2026-11-25T00:10:00+01:00": "19 h ago",
			night + " 2026-11-24T23:00:00+01:00":   "3 h ago",
			night + " 2026-11-24T18:40:00+01:00":   "yesterday 18:40",
			evening + " 2026-11-24T18:40:00+01:00": "yesterday 18:40",
			evening + " 2026-11-21T18:40:00+01:00": "Sat 18:40",
			evening + " 2026-11-19T00:01:00+01:00": "Thu 00:01",
			evening + " 2026-11-18T23:59:00+01:00": "18 Nov",
			evening + " 2024-11-18T23:59:00+01:00": "Nov 2024",
			evening + " 2026-11-25":                "today",
			evening + " 2026-11-24":                "yesterday",
			evening + " 2026-11-21":                "Saturday",
			evening + " 2026-11-18":                "18 Nov",
			evening + " 2026-11-25T20:20:00+01:00": "1 min ago", // the clock is slow
			evening + " 2026-12-01":                "1 Dec",
			evening + " nonsense":                  "",
		},
		"de": {
			evening + " 2026-11-25T19:48:00+01:00": "vor 12 min",
			evening + " 2026-11-25T17:59:00+01:00": "vor 2 h",
			evening + " 2026-11-24T18:40:00+01:00": "gestern 18:40",
			evening + " 2026-11-18T23:59:00+01:00": "18. Nov.",
		},
		"fr": {
			evening + " 2026-11-25T19:48:00+01:00": "il y a 12 min",
			evening + " 2026-11-25T17:59:00+01:00": "il y a 2 h",
			evening + " 2026-11-24T18:40:00+01:00": "hier 18:40",
			evening + " 2026-11-18T23:59:00+01:00": "18 nov.",
		},
	} {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": language})
		p.reload()
		p.load("words/format")
		for clocks, want := range cases {
			now, at, _ := strings.Cut(clocks, " ")
			p.eval(`Date.now = () => Date.parse(` + encode(now) + `)`)
			if got := p.eval(`format.ago(` + encode(at) + `).replace(/\s/g, " ")`); got != want {
				t.Errorf("%s: at %s, %q is %q; want %q", language, now, at, got, want)
			}
		}
		// "New since" has the time of day.
		p.eval(`Date.now = () => Date.parse(` + encode(evening) + `)`)
		p.see(`["2026-11-25T19:48:00+01:00", "2026-11-24T21:10:00+01:00"].map(format.sinceWhen).join()`,
			"19:48,"+map[string]string{"en-GB": "yesterday", "de": "gestern", "fr": "hier"}[language]+" 21:10")
		// What "Dismiss" did has one word in each language.
		dismissed := map[string]string{"en-GB": "Dismissed", "de": "Verworfen", "fr": "Écarté"}[language]
		p.see(`document.querySelector(".tabs [data-status=ignored]")?.innerText`, dismissed+" 1")
		p.see(`document.querySelector(".row .status .tag")?.innerText`, dismissed)
	}
	p.checkFaults()
}

// TestPageLeaves tests that a view that was left leaves no elements, listeners or
// repeated timers behind.
func TestPageLeaves(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/notify", 1280)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": `{
		const set = setInterval, clear = clearInterval;
		window.timers = new Set();
		window.setInterval = (...given) => {
			if (given[1] === 60_000) window.minute = given[0];
			const timer = set(...given);
			timers.add(timer);
			return timer;
		};
		window.clearInterval = (timer) => { timers.delete(timer); clear(timer); };
		// The number of requests under way, each with the time to make elements of its answer
		const ask = fetch;
		window.asking = 0;
		window.fetch = (...request) => {
			asking++;
			return ask(...request).finally(() => setTimeout(() => asking--, 50));
		};
	}`})
	p.reload()
	// round goes through all views and returns what there is in the end.
	round := func() (found [3]int) {
		for _, hash := range []string{"#/", "#/triage", "#/flat/4711", "#/visits", "#/add", "#/map", "#/prices",
			"#/duplicates",
			"#/compare/4711,lyon-1042%40example", "#/import", "#/photos", "#/travel", "#/mailbox", "#/notify"} {
			p.goTo(hash, "h1")
			p.eval("new Promise((done) => setTimeout(done, 50))")
			p.wait("asking === 0")
		}
		// By script, because a notice may leave while a finger is on its way.
		p.eval(`for (const button of document.querySelectorAll(".notice .close")) button.click()`)
		p.do("HeapProfiler.collectGarbage", nil)
		p.do("HeapProfiler.collectGarbage", nil)
		var dom struct{ Nodes, JSEventListeners int }
		p.call(t, p.session, "Memory.getDOMCounters", object{}, &dom)
		return [3]int{dom.Nodes, dom.JSEventListeners, int(p.eval("timers.size").(float64))}
	}
	round()
	before, after := round(), round()
	isMore := func() bool { return after[0] > before[0] || after[1] > before[1] || after[2] > before[2] }
	for range 3 {
		if isMore() {
			after = round() // not everything is collected at once
		}
	}
	if isMore() {
		t.Errorf("nodes, listeners and timers: %d after two rounds through the views, %d after more", before, after)
	}
	// Once a minute the page asks whether anything has changed, but not while it is hidden.
	for _, state := range []string{"hidden", "visible"} {
		p.eval(`Object.defineProperty(document, "visibilityState", {value: "` + state + `", configurable: true});
			performance.clearResourceTimings(); minute(); new Promise((done) => setTimeout(done, 300))`)
		p.see(`performance.getEntriesByType("resource").length > 0`, fmt.Sprint(state == "visible"))
	}
	p.checkFaults()
}

// TestPageChanged tests which flats the tab "Changed" has, and the order of the
// flats in the tabs of what was decided.
func TestPageChanged(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	ago := func(days float64) string {
		return time.Now().Add(-time.Duration(days * 24 * float64(time.Hour))).UTC().Format(time.RFC3339)
	}
	fall := func(days float64) string {
		return `"cost_history": [{"date": null, "cost": 900}, {"date": "` + ago(days) + `", "cost": 800}]`
	}
	p := openTab(t, `[{"id": "new", `+fall(1)+`}, {"id": "ignored", "status": "ignored", `+fall(6.5)+`},
		{"id": "gone", "status": "contacted", "gone": "`+ago(2)+`"}, {"id": "old", `+fall(8)+`},
		{"id": "same", "title": "same", "cost_history": [{"date": "`+ago(1)+`", "cost": 800}]},
		{"id": "double", "status": "duplicate", `+fall(1)+`}, {"id": "deleted", "status": "user_deleted", `+fall(1)+`},
		{"id": "followed", "status": "followed"}]`, "", 1280)
	const ids = `[...document.querySelectorAll(".row")].map((row) => row.dataset.id).join(" ")`
	p.see(tabTexts, "Live 4|New 3|Changed 2|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	p.click(".tabs [data-status=changed]")
	p.see(ids, "new gone")
	p.see(tabTexts, "Live 4|New 3|Changed 2|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	p.click(".row button[data-status=ignored]")
	p.see(tabTexts, "Live 3|New 2|Changed 1|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 2|Deleted 1|All 8")
	p.see(ids, "gone")
	p.click(".notice button")
	p.see(ids, "new gone")
	p.click(".row [data-status=followed]")
	p.see(tabTexts, "Live 4|New 2|Changed 2|Shortlist 3|Followed 2|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	p.eval(`location.hash = "#/?tab=all&q=same"`)
	p.see(ids, "same")
	p.click(".row [data-status=followed]")
	p.see(`document.querySelector(".row").dataset.status`, "followed")
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.see(ids, "same new gone followed")
	p.eval(`location.hash = "#/?tab=is:followed"`)
	p.see(ids, "same new followed")
	p.click(".toggle")
	p.see(`document.querySelector(".rest select")?.selectedOptions[0].innerText`, "Last decided ↓")
	p.bring(`[{"id": "priced", "title": "cost", "cost": 0, "currency": "EUR"},
		{"id": "unpriced", "title": "cost", "cost": 990, "currency": "EUR"}]`)
	p.bring(`[{"id": "priced", "cost": 930}, {"id": "unpriced", "cost": 0}]`)
	p.eval(`location.hash = "#/?tab=changed&q=cost&sort=title"`)
	p.see(`[...document.querySelectorAll(".row .tag")].map(({innerText}) => innerText.replace(/since .*/, "")).join()`,
		"€930 ,no price ")
	p.eval(`location.hash = "#/?tab=is:followed&sort=-first_seen"`)
	p.see(ids, "new same followed")
	p.see(`document.querySelector(".rest select").selectedOptions[0].innerText`, "Newest ↓")
	p.checkFaults()
}

// TestPageFresh tests that the list reports changes made elsewhere, and shows
// them on demand.
func TestPageFresh(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?sort=title", 1280)
	p.see(rowCount, "10")
	look := func() { p.eval(`document.dispatchEvent(new Event("visibilitychange"))`) }
	p.click(".row button[data-status=followed]") // a change on this page is not reported
	p.wait(`document.querySelector(".notice")`)
	look()
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: JSON.stringify({cost: 700})})`)
	look()
	p.see(`document.querySelector("#fresh button")?.innerText`, "1 changed · Show")
	// It stands under the heads of the table, which stay in sight.
	p.eval(`document.body.style.paddingBottom = "1000px"`)
	for _, width := range []int{1440, 1280, 1200, 1100, 900} {
		p.resize(width)
		p.see(rowCount, "10")
		p.eval(`scrollTo(0, 300)`)
		p.see(`(([{bottom}, {top}]) => top >= bottom && top <= bottom + 8 || top + " " + bottom)(
			[".flats thead", "#fresh button"].map((part) => document.querySelector(part).getBoundingClientRect()))`, "true")
	}
	p.resize(1280)
	p.eval(`scrollTo(0, 0)`)
	p.click("#fresh button")
	p.wait(`[...document.querySelectorAll("td.cost")].some((cost) => cost.innerText === "€700")`)
	p.see(`document.querySelector("#fresh").childElementCount`, "0")
	// An import adds flats, changes costs, and marks flats as gone; the rows say so.
	bring := func(site, listings string) {
		t.Helper()
		script := fmt.Sprintf(`fetch("api/v1/import?complete=%s", {method: "POST", body: %s})
			.then((answer) => answer.text())`, site, encode(listings))
		if got := fmt.Sprint(p.eval(script)); !strings.HasPrefix(got, `{"data":`) {
			t.Fatal(got)
		}
	}
	bring("agency", `[{"id": "1@agency", "title": "A new one"}]`)
	look()
	p.see(`document.querySelector("#fresh button")?.innerText`, "1 new · Show")
	p.click("#fresh button")
	p.see(rowCount, "11")
	// All that is in the view counts, whatever has brought it there or taken it away; so does a flat that was changed
	// on this page before.
	p.click(`.row[data-id="4711"] button[data-status=followed]`)
	p.seeFlat("4711", "status", "followed")
	p.see(`document.querySelector(".notice p")?.textContent.split(": ").at(-1)`, "Followed")
	for id, status := range map[string]string{"4711": "ignored", "1%40agency": "user_deleted",
		"lyon-1068%40example": "new", "lyon-1063%40example": "visited"} {
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/%s", {method: "PATCH", body: '{"status": "%s"}'})`, id, status))
	}
	look()
	p.see(`document.querySelector("#fresh button")?.innerText`, "1 new, 1 changed, 2 gone · Show")
	p.click("#fresh button")
	p.see(rowCount, "10")
	bring("agency", `[{"id": "2@agency", "cost": 900, "currency": "EUR"},
		{"id": "3@agency", "cost": 900, "currency": "EUR",
		"photos": ["https://127.0.0.1:1/x"]}, {"id": "4@agency", "photos": ["https://127.0.0.1:1/x"]}]`)
	bring("agency", `[{"id": "2@agency"}, {"id": "3@agency", "cost": 850}, {"id": "4@agency"}]`)
	p.eval(`location.hash = "#/?site=agency&tab=all&sort=site"`)
	p.see(`[...document.querySelectorAll(".row")]
		.map((row) => row.dataset.id + ": " + [...row.querySelectorAll(".tag:not(.status)")]
			.map((tag) => tag.innerText)).join("; ").replace(/\d+ \w+(?=[,;]|$)/g, "today")`,
		"lyon-1077@agency: gone since today; 1@agency: gone since today; 2@agency: ; "+
			"3@agency: −€50 since today,maybe a duplicate; 4@agency: maybe a duplicate")
	// Other views count what is new, too.
	p.goTo("#/visits", "h1")
	bring("agency", `[{"id": "5@agency"}]`)
	look()
	p.see(`fetch("api/v1/find?any[status]=new&known[gone]=no&page[size]=1").then((answer) => answer.json())
		.then(({total}) => total - document.querySelector("#bar [data-view=triage] .badge").innerText)`, "0")
	// While nothing has changed, one short answer is all that each view asks for.
	for _, view := range []struct{ hash, last string }{{"#/", ".row"}, {"#/today", ":is(.due, .empty)"},
		{"#/flat/4711", ".own"}, {"#/triage", ".card h2 a"}, {"#/visits", ".day"}, {"#/compare/4711", ".side-by-side"},
		{"#/duplicates", "h1"}, {"#/map", ".circle"}, {"#/prices", ".scatter a"}, {"#/import", "h1"}} {
		p.goTo(view.hash, view.last)
		p.eval("new Promise((done) => setTimeout(done, 500))")
		look()
		p.eval("new Promise((done) => setTimeout(done, 300))")
		p.eval("performance.clearResourceTimings()")
		look()
		p.eval("new Promise((done) => setTimeout(done, 300))")
		p.see(encode(view.hash)+` + performance.getEntriesByType("resource").map(({responseStatus, name}) =>
			responseStatus === 304 ? " " + responseStatus : name).join()`, view.hash+" 304")
		// The next step of a view is its one filled button.
		p.see(`[...document.querySelectorAll("main .primary")].filter((button) => button.checkVisibility()).length <= 1`,
			"true")
	}
	p.checkFaults()
}

// TestPageFreshPages tests that all flats of the view count in what has changed elsewhere, not only those of the
// pages that were loaded, and that Back does not forget what was there.
func TestPageFreshPages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(1200), "#/?tab=all&sort=title", 1280)
	p.see(rowCount, "50")
	p.wait(`performance.getEntriesByType("resource")
		.filter(({name}) => /fields=title%2Cstatus.*number%5D=1/.test(name)).length === 1`)
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`(async () => {
		const send = (path, method, body) => fetch("api/v1/" + path, {method, body});
		for (const i of [3, 700, 1100]) await send("flat/" + i + "%40many", "PATCH", '{"cost": 1}');
		await send("import", "POST", JSON.stringify(Array.from({length: 70}, (_, i) => ({id: "n" + i}))));
		history.back();
	})()`)
	p.see(`document.querySelector("#fresh button")?.innerText`, "70 new, 3 changed · Show")
	p.checkFaults()
}

// TestPageChosen tests that flats are chosen to compare, and stay chosen.
func TestPageChosen(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?sort=cost", 1280)
	p.click(".row [data-compare]")
	p.see(`document.querySelector("#chosen").innerText.trim().split("\n")[0]`, "Choose a second flat to compare")
	p.click(".row:nth-child(2) [data-compare]")
	p.see(`document.querySelector("#chosen a").innerText`, "Compare 2 flats")
	// The key c adds flats up to six, and takes one away.
	for i := 3; i <= 7; i++ {
		p.eval(fmt.Sprintf(`document.querySelectorAll(".row h2 a")[%d].focus()`, i-1))
		p.press("c")
		p.see(`document.querySelector("#chosen a").innerText`, fmt.Sprintf("Compare %d flats", min(i, 6)))
		if i > 6 {
			p.see(`document.querySelector(".notice p")?.innerText`, "You can compare up to 6 flats")
		}
	}
	for i := 3; i <= 6; i++ {
		p.eval(fmt.Sprintf(`document.querySelectorAll(".row h2 a")[%d].focus()`, i-1))
		p.press("c")
	}
	p.see(`document.querySelectorAll(".row [data-compare][aria-pressed=true]").length`, "2")
	p.click("#chosen a")
	p.see("location.hash", "#/compare/berlin-2221%40example,4711")
	p.wait(`document.querySelector(".compare thead a")`) // the flats of the address are chosen
	p.reload()
	p.eval(`location.hash = "#/"`)
	p.see(`document.querySelector("#chosen a").innerText`, "Compare 2 flats")
	// The address of other flats leaves the choice, until a press. What it adds to the choice is chosen.
	kept := `keptIn("flats.compare").map(({id}) => id).join()`
	for hash, want := range map[string]string{
		"#/compare/lyon-1042%40example,4711":                       "berlin-2221@example,4711",
		"#/compare/lyon-1042%40example,4711,berlin-2221%40example": "lyon-1042@example,4711,berlin-2221@example",
	} {
		p.eval(`localStorage[keptAs("flats.compare")] = '["berlin-2221@example", "4711"]'; location.hash = "#/"`)
		p.reload()
		p.eval("location.hash = " + encode(hash))
		p.wait(`document.querySelector(".compare thead a")`)
		p.see(kept, want)
	}
	p.eval(`localStorage[keptAs("flats.compare")] = '["berlin-2221@example", "4711"]'; location.hash = "#/"`)
	p.reload()
	p.eval(`location.hash = "#/compare/lyon-1042%40example,4711"`)
	p.click("thead th:last-child .close")
	p.see("location.hash", "#/compare/lyon-1042%40example")
	p.see(kept, "berlin-2221@example,4711")
	p.click(".compare > .line > :last-child")
	p.see(kept, "lyon-1042@example")
	p.eval(`location.hash = "#/"`)
	p.click("#chosen .close")
	p.see(`document.querySelector("#chosen").childElementCount`, "0")
	p.reload()
	p.see(`document.querySelector("#chosen").childElementCount`, "0")
	p.checkFaults()
}
