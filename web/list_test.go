// Tests of the list: its rows, their order, and what the first ones take.

package web

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// sampleTabs are the tabs of the sample.
const sampleTabs = "Live 10|To sort 5|Changed 0|Shortlist 5|" +
	"Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15"

// TestPageList tests the tabs, the order, and how little the list asks for.
func TestPageList(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	openFirst(p)
	p.test("each tab has its number, and the bar has the number to sort", func() {
		p.see(tabTexts, sampleTabs)
		p.see(triageCount, "5")
	})
	p.test("a head sorts, and turns the order at the second press", func() {
		p.click(headOf("cost"))
		p.see(hash, "#/?sort=cost")
		p.see(sortedHead, "Cost ascending")
		p.see(columnTexts("cost", 3), "€685|€745|€795")
		p.click(headOf("cost"))
		p.see(columnTexts("cost", 3), "€1,380|€1,090|€995")
	})
	for _, tab := range []string{"new", "all"} {
		p.test("one request gets the rows of the tab "+tab+", two others the numbers of the other tabs", func() {
			p.eval(`performance.clearResourceTimings(); location.hash = "#/?tab=` + tab + `"`)
			p.see(`performance.getEntriesByType("resource")
				.filter(({name}) => !/status_since|min%5Bfirst_seen/.test(name))
				.filter(({name}) => !name.includes("/find?") || name.includes("fields=")) // what a flat needs comes later
				.map(({name}) => /\w+(?=\?|$)/.exec(name)[0])
				.filter((name) => /find|duplicates/.test(name)).join().replace(/^duplicates,/, "")`,
				"find,find,find,duplicates")
			p.see(tabTexts, sampleTabs)
		})
	}
	p.test("a head that is pressed keeps the focus", func() {
		p.focus(headOf("area"))
		p.click(headOf("area"))
		p.see(focusedOrder, "descending")
	})
}

// openFirst opens the list for the first time, on another device, and counts the bytes that this takes.
func openFirst(p *tab) {
	first := p.openOther("")
	p.test("the first list takes less than 80 KB gzipped", func() {
		// Files that are loaded after the list do not count.
		first.runFirst("window.requestIdleCallback = () => {}")
		first.eval("window.old = true")
		first.do("Page.reload", object{"ignoreCache": true})
		first.wait("!window.old && " + rowCount + " === 10")
		size := first.eval(`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
			.map(({encodedBodySize}) => encodedBodySize).reduce((sum, size) => sum + size)`).(float64)
		if size < 10_000 || size >= 80_000 {
			p.t.Errorf("the first list takes %.0f gzipped bytes; want at least 10,000 and less than 80,000", size)
		}
	})
}

// TestPageListFilters tests how ranges are typed, and how chips remove them.
func TestPageListFilters(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "#/?sort=-cost", 1280)
	p.click(filtersButton)
	p.test("numbers are read as people type them, and stand in the hash", func() {
		p.enter(rangeField("Cost to"), "1.000")
		p.see(rowCount, "8")
		p.enter(rangeField("Area from"), "45,5")
		p.see(rowCount, "5")
		p.see(hash, "#/?cost=..1000&area=45.5..&sort=-cost")
		p.see(chipTexts, "Cost ≤ 1,000|Area ≥ 45.5 m²")
	})
	p.test("a word is no number, and is marked", func() {
		p.enter(rangeField("Rooms from"), "two")
		p.see(isInvalid(rangeField("Rooms from")), "true")
		p.see(filterTrouble, "This is not a number")
	})
	p.test("a range the wrong way round is marked, and no filter", func() {
		p.enter(rangeField("Rooms to"), "2")
		p.enter(rangeField("Rooms from"), "3") // last: 3 or more would be a filter
		p.see(invalidCount, "2")
		p.see(filterTrouble, "“From” is greater than “to”")
		p.see(hash, "#/?cost=..1000&area=45.5..&sort=-cost")
	})
	leaveFilters(p)
}

// leaveFilters tests what keeps the filters, and what removes them.
func leaveFilters(p *tab) {
	p.test("a tab keeps the filters, and so does a reload", func() {
		p.click(tabOf("new"))
		p.see(rowCount, "2")
		p.reload()
		p.see(rowCount, "2")
		p.see(chipTexts, "Cost ≤ 1,000|Area ≥ 45.5 m²")
	})
	p.test("a chip takes its filter away, and passes the focus to the next one", func() {
		p.focus(firstChip)
		p.click(firstChip)
		p.see(hash, "#/?tab=new&area=45.5..&sort=-cost")
		p.see(focusedText, "Area ≥ 45.5 m²")
	})
	p.test("Back leads to the list before, and Clear filters to one without", func() {
		p.goBack()
		p.see(rowCount, "5")
		p.click(clearFilters)
		p.see(hash, "#/?sort=-cost")
		p.see(rowCount, "10")
	})
}

// TestPageFirst tests what the user waits for on a slow network: how many requests, round trips and bytes the first 50
// of 118 flats take.
func TestPageFirst(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var listings []string
	random := rand.New(rand.NewPCG(3, 4))
	words := func(n int) string { // as varied as real ones, so that they do not compress away
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%x ", random.IntN(60_000))
		}
		return b.String()
	}
	for i := range 118 {
		listings = append(listings, fmt.Sprintf(`{"id": "n%[1]d@s", "title": "Two rooms %[4]s",
			"cost": %[2]d, "currency": "EUR", "area": %[3]d, "rooms": 2, "location": "Some street %[1]d, Lyon",
			"photos": ["https://127.0.0.1:1/%[1]d.jpg"], "urls": ["https://example.org/%[1]d"], "phone": "0199%[1]d",
			"text": %[5]q}`, i, 700+7*i%400, 40+i%30, words(5), words(200)))
	}
	p := openTab(t, "["+strings.Join(listings, ",")+"]", "", 1280)
	p.runFirst(`new MutationObserver(() => {
		if (!window.at && document.querySelector("` + anyRow + `")) window.at = performance.now();
	}).observe(document, {childList: true, subtree: true})`)
	p.do("Network.enable", nil)
	p.do("Network.emulateNetworkConditions",
		object{"offline": false, "latency": 500, "downloadThroughput": -1, "uploadThroughput": -1})
	p.eval("window.old = true")
	p.do("Page.reload", object{"ignoreCache": true})
	p.wait("!window.old && window.at")
	got := p.eval(`(() => {
		const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
			.filter(({responseStart}) => responseStart && responseStart < at);
		// A round trip begins once the one before has ended.
		let [trips, end] = [0, 0];
		for (const {startTime, responseEnd} of all.toSorted((a, b) => a.responseEnd - b.responseEnd))
			if (startTime >= end) [trips, end] = [trips + 1, responseEnd];
		return {requests: all.length, trips,
			bytes: all.reduce((sum, {encodedBodySize}) => sum + encodedBodySize, 0)};
	})()`).(object)
	// With half a second of latency, five round trips and one more for the connection take three seconds.
	if got["requests"].(float64) > 12 || got["bytes"].(float64) >= 80_000 || got["trips"].(float64) > 5 {
		t.Errorf("the first rows take %v; want at most 12 requests, 5 trips and less than 80,000 bytes", got)
	}
}

// TestPageCSV tests that "CSV" downloads the flats of the view, in its order.
func TestPageCSV(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?tab=all&cost=..1500&sort=-cost", 1280)
	p.wait(isThere(listEnd))
	shown := fmt.Sprint(p.eval(rowIDs))
	p.click(filtersButton)
	p.wait(csvLink)
	_, text := get(t, fmt.Sprint(p.eval(csvLink+".href")))
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

// openTravel opens a list of three flats with ways to two places. One flat has no way to the station.
func openTravel(t *testing.T, hash string) *tab {
	t.Helper()
	return openTab(t, `[
		{"id": 1, "title": "one", "service_time_to": {"station": {"time": 600}, "office": {"time": 3000}}},
		{"id": 2, "title": "two", "service_time_to": {"station": {"time": 1800}, "office": {"time": 1200}}},
		{"id": 3, "title": "three", "service_time_to": {"office": {"time": 300}}}]`, hash, 1280)
}

// TestPageTravel tests that filter, order and column of the travel time are about the chosen place.
func TestPageTravel(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTravel(t, "")
	const tooLong = "50 min (longer than 30 min)" // the bound of the place
	for hash, want := range map[string]string{
		"sort=travel_time":                            "three 5 min office,one 10 min station,two 20 min office",
		"to=station&sort=travel_time":                 "one 10 min station,two 30 min station,three ",
		"to=office&sort=-travel_time":                 "one " + tooLong + " office,two 20 min office,three 5 min office",
		"travel_time=..20&sort=title":                 "one 10 min station,three 5 min office,two 20 min office",
		"travel_time=..20&to=station&sort=title":      "one 10 min station",
		"travel_time=20..60&to=office&sort=title":     "one " + tooLong + " office,two 20 min office",
		"travel_time=..20&to=office&sort=-title":      "two 20 min office,three 5 min office",
		"travel_time=..9&to=kita&unknown=travel_time": "one ,two ,three ",
	} {
		p.typeHash("#/?" + hash)
		p.see(`location.hash.slice(3) + ": " + `+waysInRows, hash+": "+want)
	}
}

// TestPageTravelPlace tests the choice of the place in the panel of filters.
func TestPageTravelPlace(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTravel(t, "#/?travel_time=..20")
	p.test("the choice of the place is offered once the panel is opened", func() {
		p.see(placeChoiceCount, "0")
		p.click(filtersButton)
		p.see(placeChoiceCount, "1")
		p.see(placeOptions, "Nearest,kita,office,station,university")
	})
	p.test("the chip names the place, and the line those without a way to it", func() {
		p.enter(placeChoice, "station")
		p.see(hash, "#/?travel_time=..20&to=station")
		p.see(chipTexts, "Travel time to station ≤ 20 min")
		p.see(text(hiddenOnesLine), "1 without travel time · Show")
	})
	p.test("Clear filters leaves the place of the column, on paper too", func() {
		p.click(clearFilters)
		p.see(waysInRows, "one 10 min station,two 30 min station,three ")
		p.see(chipTexts, "")
		p.beginPrinting()
		p.see(waysOnPaper, "10 min station,30 min station,")
	})
	p.test("one place alone leaves nothing to choose", func() {
		// The service has no field for a name with a comma.
		dir := p.t.TempDir()
		writeFile(p.t, filepath.Join(dir, "config.json"), `{"constraints": {"x": {"time_to": {
			"work": {"gps": [45, 4]}, "a, b": {"gps": [45, 4]}}}}}`)
		writeFile(p.t, filepath.Join(dir, "flats.json"), `[{"id": 1, "service_time_to": {"work": {"time": 60}}}]`)
		alone := &tab{browser: p.browser, t: p.t, url: startIn(p.t, dir)}
		alone.open("", 1280)
		alone.click(filtersButton)
		alone.rest(forAnswer)
		alone.see(placeChoiceCount, "0")
	})
}

// TestPageAgo tests where time is told as people tell it.
func TestPageAgo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const first = "2026-11-25T12:00:00Z"
	p := openTab(t, fmt.Sprintf(`[{"id": "1@site", "title": "One", "location": "Ost", "first_seen": %q},
		{"id": "2@site", "title": "Two", "first_seen": "2024-01-03T10:00:00Z"},
		{"id": "3@site", "title": "Three", "status": "ignored"}]`, first), "#/?sort=title", 1280)
	p.wait(rowCount + " === 2")
	p.eval(`Date.now = () => Date.parse(` + encode(first) + `) + 12.5 * 60_000`)
	p.comeBack()
	p.test("the table has the time of day, with the exact time in its element and tooltip", func() {
		p.see(columnTexts("since", 2), "13:00|Jan 2024")
		p.see(firstSinceTime+`.dateTime.slice(0, 19)`, first[:19])
		p.see(`/^\w+day,? \d+ \w+ 20\d\d at \d\d:\d\d$/.test(`+firstSinceTime+`.title)`, "true")
	})
	p.resize(390)
	p.test("a card of a phone says how long ago", func() {
		p.see(aboutOfFirstRow, "Ost · 12 min ago")
	})
	for _, hash := range []string{"#/flat/1%40site", "#/triage"} {
		p.test("at "+hash, func() {
			p.typeHash(hash)
			p.see(sourceLine, "site Seen 12 min ago")
		})
	}
	p.test("times grow while the page is open", func() {
		p.eval(`{ const now = Date.now; Date.now = () => now() + 3_600_000; }`)
		p.comeBack()
		p.see(firstTimeAgo+`.innerText.replace(/\s/g, " ")`, "1 h ago")
	})
	p.test("nothing on paper says how long ago", func() {
		p.beginPrinting()
		p.typeHash("#/?tab=is:ignored")
		p.wait(isThere(anyRow))
		p.beginPrinting()
		p.see(timesOnPaper, "0")
	})
}

// evening and night are the times of the clock in agoCases.
const evening, night = "2026-11-25T20:00:00+01:00", "2026-11-25T02:00:00+01:00"

// agoCases has by language the words of the page for a time. Before the time stands what the clock shows.
var agoCases = map[string]map[string]string{
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
}

// TestPageAgoWords tests how time is told in each language.
func TestPageAgoWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "3@site", "title": "Three", "status": "ignored"}]`, "#/?tab=is:ignored", 1280)
	for language, cases := range agoCases {
		p.setLanguage(language)
		p.reload()
		p.load("words/format")
		p.test("ago in "+language, func() {
			for clocks, want := range cases {
				now, at, _ := strings.Cut(clocks, " ")
				p.eval(`Date.now = () => Date.parse(` + encode(now) + `)`)
				if got := p.eval(`format.ago(` + encode(at) + `).replace(/\s/g, " ")`); got != want {
					p.t.Errorf("%s: at %s, %q is %q; want %q", language, now, at, got, want)
				}
			}
		})
		p.test("\"New since\" has the time of day in "+language, func() {
			p.eval(`Date.now = () => Date.parse(` + encode(evening) + `)`)
			p.see(`["2026-11-25T19:48:00+01:00", "2026-11-24T21:10:00+01:00"].map(format.sinceWhen).join()`,
				"19:48,"+map[string]string{"en-GB": "yesterday", "de": "gestern", "fr": "hier"}[language]+" 21:10")
		})
		p.test("what Dismiss did has one word in "+language, func() {
			dismissed := map[string]string{"en-GB": "Dismissed", "de": "Verworfen", "fr": "Écarté"}[language]
			p.see(tabText("ignored"), dismissed+" 1")
			p.see(firstStatus, dismissed)
		})
	}
}

// TestPageRowsInSight tests how many rows are in sight below chips and a saved search.
func TestPageRowsInSight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	since := time.Now().Add(-125 * time.Hour).UTC().Format(time.RFC3339) // for five days and five hours
	for i := range 20 {
		status := "new"
		if i == 0 {
			status = "contacted"
		}
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "A bright flat with a long title, number %[1]d",
			"cost": 850, "currency": "EUR", "area": 62, "rooms": 2, "location": "Friedrichshain", "status": %q,
			"status_since": %q, "service_time_to": {"office": {"time": 1200}}, "photos": ["https://127.0.0.1:1/%[1]d"],
			"cost_history": [{"date": null, "cost": 900}, {"date": "2026-11-03T10:00:00Z", "cost": 850}]}`, i, status, since))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=..1200&area=20..&sort=-title", 1280)
	p.wait(isThere(anyRow))
	p.eval(`localStorage[keptAs("flats.searches")] =
		'[{"name": "Two rooms", "hash": "#/?rooms=2..", "opened": "2026-01-01"}]'`)
	p.reload()
	for _, size := range []struct{ width, height, rows int }{{1280, 900, 10}, {390, 844, 6}} {
		p.do("Emulation.setDeviceMetricsOverride",
			object{"width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": size.width < 900})
		p.test(fmt.Sprintf("%d rows at %d × %d", size.rows, size.width, size.height), func() {
			p.see(twoTagRowCount, "20")
			p.wait(fmt.Sprintf("%s >= %d", rowsInSight, size.rows))
		})
		p.test(fmt.Sprintf("two tags in one line at %d pixels, whole where there is room", size.width), func() {
			if size.width >= 900 {
				p.see(cutTagCount, "0")
			}
			p.see(firstTagLineCount, "1")
		})
		p.test(fmt.Sprintf("for how long a flat is contacted at %d pixels", size.width), func() {
			p.see(statusTagOf("0@site"), "Contacted · 5 days")
		})
	}
}

// openWithCodes opens the list of flats on a service that knows the names of postal codes.
func openWithCodes(t *testing.T, names object, flats []object, width int) *tab {
	t.Helper()
	var codes []object
	for code, name := range names {
		codes = append(codes, object{"postal_code": code, "name": name, "area": "DE-BY", "lat": 48, "lng": 11.5})
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"postal_codes": ["codes.json"],
		"constraints": {"home": {"areas": ["DE-BY"]}}}`)
	writeFile(t, filepath.Join(dir, "codes.json"), encode(codes))
	writeFile(t, filepath.Join(dir, "flats.json"), encode(flats))
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open("", width)
	return p
}

// openMunich opens a list of five flats of one city.
func openMunich(t *testing.T, width int) *tab {
	t.Helper()
	var flats []object
	places := []string{"München Haidhausen", "München Pasing", "München", "München Giesing", "München Laim"}
	for i, place := range places {
		flats = append(flats, object{"id": fmt.Sprint(i), "title": fmt.Sprint("Flat ", i), "cost": 900, "currency": "EUR",
			"location": place, "first_seen": daysAgo(i),
			"service_time_to": object{"Ann": object{"time": 780}, "Ben": object{"time": 4140}}})
	}
	flats[2]["service_constraint"], flats[2]["service_postal_code"] = "home", "80796"
	return openWithCodes(t, object{"80796": "München"}, flats, width)
}

// TestPageCity tests that a city that most rows share stands once above them.
func TestPageCity(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openMunich(t, width)
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.see(text(".city"), "München")
			p.see(placesOfRows, "Haidhausen,Pasing,80796,Giesing,Laim")
		})
	}
}

// TestPageCityAlone tests that if all places have only the name of the city, rows have the district that the listing
// names, or else the postal code.
func TestPageCityAlone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	names := object{"83043": "Bad Aibling", "83044": "Bad Aibling", "83022": "Rosenheim"}
	var flats []object
	for i, place := range [][]string{{"83043", "Hauptstr. 22, 83043 Bad Aibling"}, {"83043", "Neuhausen"},
		{"83044", "Bad Aibling"}, {"83044", ""}, {"83022", "Rosenheim"}} {
		flats = append(flats, object{"id": fmt.Sprint(i), "title": fmt.Sprint("Flat ", i), "cost": 900, "currency": "EUR",
			"service_constraint": "home", "service_postal_code": place[0], "location": place[1], "first_seen": daysAgo(i)})
	}
	for _, width := range []int{1280, 390} {
		p := openWithCodes(t, names, flats, width)
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.see(text(".city"), "Bad Aibling")
			p.see(placesOfRows, "83043,Neuhausen,83044,83044,Rosenheim")
		})
	}
}

// TestPageSwipe tests what fingers do on the cards of a phone.
func TestPageSwipe(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMunich(t, 390)
	p.see(rowCount, "5")
	p.wait(isThere(".chosen-rows"))
	p.test("a card says the ways of both", func() {
		p.see(`document.querySelector(".row .duration").innerText.replace(/\s+/g, " ").startsWith("13 / 69 min")`, "true")
	})
	p.test("a swipe to the left dismisses", func() {
		p.swipe(".row[data-id='1']", -150)
		p.seeFlat("1", "status", "ignored")
		p.see(rowIDs, "0,2,3,4")
	})
	p.test("a swipe to the right follows", func() {
		p.swipe(".row[data-id='2']", 150)
		p.seeFlat("2", "status", "followed")
		p.see(openView, "list")
	})
	p.test("a short swipe does nothing", func() {
		p.swipe(".row[data-id='3']", 50)
		p.rest(forAnswer)
		p.seeFlat("3", "status", "new")
	})
	p.test("after a long press each press chooses a row, and a button acts on all chosen ones", func() {
		p.holdCard("3")
		p.see(text(".chosen-rows b"), "1")
		p.see(openView, "list")
		p.click(".row[data-id='4'] a")
		p.see(text(".chosen-rows b"), "2")
		p.see(layersAtFoot, "#bar")
		p.click(".chosen-rows [data-status=ignored]")
		p.seeFlat("3", "status", "ignored")
		p.seeFlat("4", "status", "ignored")
		p.see(notice, "2 flats: Dismissed")
	})
	p.test("one Undo takes back the decision on all chosen rows", func() {
		p.press("u")
		p.seeFlat("3", "status", "new")
		p.seeFlat("4", "status", "new")
	})
}

// holdCard presses a card for longer than half a second.
func (p *tab) holdCard(id string) {
	p.t.Helper()
	at := p.eval("middleOf(document.querySelector(" + encode(".row[data-id='"+id+"'] a") + "))").(object)
	p.do("Input.dispatchTouchEvent", object{"type": "touchStart", "touchPoints": []object{{"x": at["x"], "y": at["y"]}}})
	p.wait(isThere(".row[data-chosen]"))
	p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
}

// TestPageSeveral tests that Shift chooses several rows of the table.
func TestPageSeveral(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMunich(t, 1280)
	p.see(rowCount, "5")
	p.wait(isThere(".chosen-rows"))
	p.test("Shift chooses the rows from the first to the last that is pressed", func() {
		p.pressWithShift(2)
		p.pressWithShift(4)
		p.see(text(".chosen-rows b"), "3 chosen")
		p.see(openView, "list")
	})
	p.test("Compare takes them", func() {
		p.clickOn(`[...document.querySelectorAll(".chosen-rows button")].find(({innerText}) => innerText === "Compare")`)
		p.see(compareChosen, "Compare 3 flats")
		p.see(isHidden(".chosen-rows"), "true")
	})
	p.test("the key y chooses, Esc ends it, Follow is one decision", func() {
		p.focusRow(1)
		p.press("yjy")
		p.see(text(".chosen-rows b"), "2 chosen")
		p.key("Escape")
		p.see(isHidden(".chosen-rows"), "true")
		p.press("yky")
		p.click(".chosen-rows [data-status=followed]")
		p.seeFlat("0", "status", "followed")
		p.seeFlat("1", "status", "followed")
		p.press("u")
		p.seeFlat("0", "status", "new")
		p.seeFlat("1", "status", "new")
	})
}
