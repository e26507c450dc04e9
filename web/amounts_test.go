// Tests of how times, costs and numbers are written and read, wherever they stand.

package web

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"
)

const (
	byTransit = ", by public transport, arriving at 09:00 on a Tuesday" // how travel times to a place are computed
	isLonger  = ", longer than 30 min"                                  // the bound of each place of the sample
)

// travelTimes are entries of service_time_to, with the words of the page for them, and the tooltip that says how they
// were computed. In an entry that the service has computed, openTravelTimes replaces %s by the position of the
// university, the mode, and the beginning of the member "estimated". The rest of the entry completes that member.
var travelTimes = []struct{ id, entry, want, how string }{
	{"a", `{"time": 1500, "mode": "PUBLIC_TRANSPORT"}`, "25 min", "by public transport"},
	{"b", `{"time": 1500}`, "25 min", ""},
	{"own", `{"time": 1500, %s, "precision": "own", "arrive": "09:00"}}`, "25 min",
		"from the position in the listing" + byTransit},
	{"house", `{"time": 1500, %s, "precision": "house", "arrive": "09:00"}}`, "25 min",
		"from the address" + byTransit},
	{"street", `{"time": 4200, %s, "precision": "street", "arrive": "09:00"}}`, "≈ 1 h 10",
		"from the street" + byTransit + isLonger},
	{"code", `{"time": 1500, %s, "precision": "postal_code", "arrive": "09:00"}}`, "≈ 25 min",
		"from the middle of the postal code" + byTransit},
	{"place", `{"time": 1500, %s, "precision": "place", "arrive": "09:00"}}`, "≈ 25 min",
		"from the place in the address" + byTransit},
	{"over", `{"time": 5400, %s, "precision": "street", "arrive": "09:00", "over": true}}`, "> 90 min",
		"from the street" + byTransit + isLonger},
	{"odd", `{"time": 1500, "mode": 5, "estimated": {"from": "x", "precision": "constructor", "arrive": {}}}`,
		"25 min", ""},
}

// openTravelTimes opens a list with a flat for each of travelTimes, the flat's way to the university. If the service
// has computed the time, the way starts 1 km north of the university, which is nearer than the flat's postal code.
func openTravelTimes(t *testing.T) *tab {
	t.Helper()
	var list []string
	for _, c := range travelTimes {
		entry := strings.Replace(c.entry, "%s", `"gps": [45.7494, 4.8372], "mode": "PUBLIC_TRANSPORT",
			"estimated": {"from": [45.7584, 4.8372]`, 1)
		list = append(list, fmt.Sprintf(`{"id": %q, "title": %q, "service_constraint": "lyon",
			"service_postal_code": "69004", "service_time_to": {"university": %s}}`, c.id, c.id, entry))
	}
	p := openTab(t, "["+strings.Join(list, ",")+"]", "#/?sort=title", 1280)
	p.wait(rowCount + " === 9")
	return p
}

// TestPageTravelTimes tests how a travel time is written, with how it was computed in its tooltip and for screen
// readers.
func TestPageTravelTimes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTravelTimes(t)
	for _, c := range travelTimes {
		want := c.want + "|" + c.how + "|"
		if c.how != "" {
			want += " (" + c.how + ")"
		}
		p.test("how the travel time of "+c.id+" is written", func() {
			p.wait(rowCount + " === 9")
			p.see(timeIn(fmt.Sprintf("[data-id=%s]", c.id)), want)
			p.typeHash("#/flat/" + c.id)
			p.see(timeIn(".flat .what"), want)
			p.typeHash("#/compare/" + c.id)
			p.see(timeIn(".compare"), want)
			p.typeHash("#/?sort=title")
		})
	}
	p.test("the tooltip lies above the link of the row, and a click on it opens the flat", func() {
		p.wait(rowCount + " === 9")
		p.see(tooltipOf(timeOfStreet), "from the street"+byTransit+strings.Replace(isLonger, " min", "\u00a0min", 1))
		p.click(timeOfStreet)
		p.see(hash, "#/flat/street")
	})
	const street = "≈ 1 h 10|from the street" + byTransit + isLonger + "| (from the street" + byTransit + isLonger + ")"
	p.resize(390)
	p.test("Triage on a phone has the time", func() {
		p.typeHash("#/triage?q=street")
		p.see(timeIn(".triage .card"), street)
	})
	p.test("the list of a phone has the time, and a press on it opens the flat", func() {
		p.typeHash("#/?q=street")
		p.see(timeIn("ol .row"), street)
		p.see(fitsAcross, "true")
		p.click(firstRowDuration)
		p.see(hash, "#/flat/street")
	})
}

// TestPageNearest tests that the page takes for travel times what the service does, in whatever an importer stored.
func TestPageNearest(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, c := range []struct{ entries, want string }{
		{`{"Work": 1500, "Uni": null, "Pool": {"time": 600}}`, "Pool 600"},
		{`{"Work": {"time": "300"}, "Pool": {"time": 600}}`, "Pool 600"},
		{`{"Work": "300", "Uni": {"time": null}, "Pool": {"time": 600}}`, "Pool 600"},
		{`{"Work": [300], "Uni": {"time": [300]}, "Pool": {"time": 600}}`, "Pool 600"},
		{`{"Work": true, "Uni": {"time": false}, "Pool": {"time": 600}}`, "Pool 600"},
		{`{"Work": {}, "Uni": {"time": {"time": 300}}, "Pool": {"time": 600, "mode": 5}}`, "Pool 600"},
		{`{"Work": {"time": 0}, "Pool": {"time": 600}}`, "Work 0, Pool 600"},
		{`{"Work": 1500}`, ""},
		{`[{"time": 300}]`, ""},
		{`"300"`, ""},
		{`300`, ""},
	} {
		p := openTab(t, `[{"id": "a", "service_time_to": `+c.entries+`}]`, "", 1280)
		p.load("lib/fields")
		got := p.eval(`fetch("api/v1/flats/a").then((answer) => answer.json())
			.then(({data}) => fields.travelTimes(data).map(([name, time]) => name + " " + time).join(", "))`)
		if got != c.want {
			t.Errorf("%s has the times %q; want %q", c.entries, got, c.want)
		}
		_, want, _ := strings.Cut(strings.Split(c.want, ",")[0], " ")
		if got := fmt.Sprint(p.eval(findField("a", "travel_time"))); got != cmp.Or(want, "null") {
			t.Errorf("the shortest time of %s is %s; want %q", c.entries, got, want)
		}
	}
}

// TestPageTravelDistance tests that distances are measured from the position from which the times were computed.
func TestPageTravelDistance(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTravelTimes(t)
	for id, want := range map[string]string{
		"street": "university ≈ 1 h 10 (from the street" + byTransit + isLonger + "), ≈ 1 km",
		"house":  "university 25 min (from the address" + byTransit + "), ≈ 1 km",
		"odd":    "university 25 min, ≈ 3.4 km",
	} {
		p.test("the distance of "+id, func() {
			p.typeHash("#/flat/" + id)
			p.see(wayToUniversity, want)
		})
	}
}

// TestPageTravelOver tests that "> 90 min" sorts after all times, and that no range with an upper end has it.
func TestPageTravelOver(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTravelTimes(t)
	p.test("\"> 90 min\" is not the best time in Compare", func() {
		p.typeHash("#/compare/over,house")
		p.see(bestTimes, "false,true")
	})
	p.test("a time that is longer than it may be is not the best, either", func() {
		p.typeHash("#/compare/over,street")
		p.see(bestTimes, "false,false")
	})
	p.test("\"> 90 min\" is not found within 89 minutes", func() {
		p.typeHash("#/?travel_time=..89&sort=-travel_time")
		p.see(firstRowID, "street")
	})
	for _, c := range []struct{ hash, want string }{
		{"travel_time=60..", "over,street"}, {"travel_time=60..90", "street"}, {"travel_time=60..120", "street"},
		{"to=university&travel_time=60..90", "street"},
	} {
		p.test(c.hash, func() {
			p.typeHash("#/?sort=title&" + c.hash)
			p.see(`new URLSearchParams(location.hash.slice(3)).get("travel_time") + " " + `+rowIDs,
				c.hash[strings.LastIndex(c.hash, "=")+1:]+" "+c.want)
		})
	}
}

// openNoPrice opens two flats without a price: the cost of A is 0, and was 900; the cost of B is null.
func openNoPrice(t *testing.T) *tab {
	t.Helper()
	return openTab(t, `[
		{"id": "a", "title": "A", "cost": 0, "currency": "EUR", "area": 40, "location": "Ost",
			"visit_date": "2020-01-01", "photos": ["https://127.0.0.1:1/x"],
			"cost_history": [{"date": null, "cost": 900}, {"date": "`+daysAgo(30)+`", "cost": 0}]},
		{"id": "b", "title": "B", "cost": null, "location": "Ost", "visit_date": "2031-01-01",
			"photos": ["https://127.0.0.1:1/x"]}]`, "", 1280)
}

// TestPageNoPrice tests that "no price" stands in place of a cost that is 0 or null.
func TestPageNoPrice(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openNoPrice(t)
	for _, c := range []struct{ place, hash, seen, want string }{
		{"the table", "#/?sort=title", tableCosts, "no price|no price"},
		{"the flat", "#/flat/a", factCosts, "no price"},
		{"what the flat did cost", "#/flat/a", costChanges, "€900 → no price on " + dayAgo(30)},
		{"a probable duplicate", "#/flat/a", doubleLines, "Bno price To sortOstSame homeNot the same"},
		{"Triage", "#/triage", cardFactCosts, "no price"},
		{"Visits", "#/visits", visitCosts, "no price"},
		{"past visits", "#/visits", pastVisitLines, "Ano price Ost"},
		{"Compare, in the row of the cost", "#/compare/a,b", comparedIn(5), "no price|no price"},
		{"Compare, in the row of cost changes", "#/compare/a,b", comparedIn(12), "€900 no price " + dayAgo(30) + "|–"},
		{"Duplicates", "#/duplicates", groupCosts, "no price|no price"},
		{"the map", "#/map", mapNumbers, "2"},
	} {
		p.test(c.place, func() {
			p.typeHash(c.hash)
			p.see(c.seen, c.want)
		})
	}
	p.resize(390)
	p.test("no price in the list of a phone", func() {
		p.typeHash("#/?sort=title")
		p.see(cardCosts, "no price|no price")
	})
	p.test("no price on paper", func() {
		p.beginPrinting()
		p.see(paperCosts, "no price|no price")
	})
	p.test("Share says that there is no price", func() {
		p.openRow(1)
		p.eval("navigator.share = async ({text}) => void (window.shared = text)")
		p.click(shareStep)
		p.see("window.shared", "A, no price, 40\u00a0m², Ost\nOst")
	})
}

// TestPageNoPriceRange tests that a range of cost hides flats without a price, and that a press brings them back.
func TestPageNoPriceRange(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openNoPrice(t)
	p.resize(390)
	p.typeHash("#/?cost=1..900&sort=title")
	p.see(text(hiddenOnesLine), "2 without cost · Show")
	p.click(showHidden)
	p.see(cardCosts, "no price|no price")
}

// TestPageNumbersInFields tests that a number which the page writes into a field is read as the same number, in the
// forms of several regions.
func TestPageNumbersInFields(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	for _, language := range []string{"en-GB", "en-ZA", "de-DE", "de-CH", "de-AT", "fr-FR", "fr-CH"} {
		p.setLanguage(language)
		p.reload()
		p.load("words/format")
		got := p.eval(`(() => {
			const numbers = [0, 0.125, 1.609, 62.125, 999.999, 100.001, 1000.125, 1234567.891, 1e21, 1.5e300, 0.1 + 0.2, 1 / 3]
			for (let decimals = 0; decimals < 9; decimals++) {
				for (let size = 0; size < 12; size++) {
					for (let i = 0; i < 50; i++) numbers.push(Number((Math.random() * 10 ** size).toFixed(decimals)))
				}
			}
			for (let i = 0; i < 1000; i++) numbers.push(i / 60, Math.random() * 2 ** (i % 60))
			const isWrong = (n, ...digits) => format.parseNumber(format.inField(n, ...digits)) !== n
			const exact = numbers.filter((n) => isWrong(n))
			const rounded = numbers.map((n) => Number(n.toFixed(3))).filter((n) => n < 1e15 && isWrong(n, 3))
			return [...exact, ...rounded].slice(0, 5).map((n) => n + " as " + format.inField(n)).join(", ")
		})()`)
		if got != "" {
			t.Errorf("in %s, numbers are read as others: %s", language, got)
		}
	}
}

// TestPageNumbers tests that numbers are read as people type them.
func TestPageNumbers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/format")
	for typed, want := range map[string]string{
		"": "null", " ": "null", "1200": "1200", "1 200": "1200", "1.200": "1200", "1,200": "1200", "1200,50": "1200.5",
		"1200.5":    "1200.5",
		"4.500.000": "4500000", "4,500,000": "4500000", "1.200,50": "1200.5", "1,200.50": "1200.5", "1'200": "1200",
		"1,25,000": "125000", "₹ 12,50,000.50": "1250000.5", "1,25,00": "NaN",
		"0.125": "0.125", "1.450 €": "1450", "72 m²": "72", "45,5 m2": "45.5", "1450 EUR": "1450",
		"CHF 1'240.–": "1240", "72m²": "72", "30 min": "30",
		"16 €/m²": "16", "€19/m²": "19", "/m²": "NaN", "kr. 4.500.000": "4500000", "4.500.000 kr.": "4500000",
		"3.5 Zimmer": "3.5", "3 pièces": "3",
		"★ 5": "5", "5 rooms": "5", "rooms": "NaN", "abc 5": "NaN",
		"840,-": "840", "€": "NaN", "TWO": "NaN", "m²": "NaN",
		"45,5": "45.5", "€ 900": "900", "12.3456": "12.3456", "1.2.3": "NaN", "two": "NaN", "12.": "NaN",
		"1.200.50": "NaN", "-5": "NaN",
	} {
		if got := fmt.Sprint(p.eval("String(format.parseNumber(" + encode(typed) + "))")); got != want {
			t.Errorf("%q is read as %s; want %s", typed, got, want)
		}
	}
}

// TestPageMoney tests that money is written without useless decimals, and times as people say them.
func TestPageMoney(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/format")
	for call, want := range map[string]string{
		`money(1200, "EUR")`: "€1,200", `money(1200.5, "€")`: "€1,200.50", `perArea(16.33, "EUR")`: "€16/m²",
		`perArea(2.26, "EUR")`: "€2.3/m²",
		`money(900, "DKK")`:    "DKK\u00a0900", `money(900, "Taler")`: "900\u00a0Taler", `money(900, null)`: "900",
		`minutes(1500)`: "25\u00a0min",
		`minutes(3900)`: "1\u00a0h\u00a005", `minutes(5400)`: "1\u00a0h\u00a030", `percent(-0.12)`: "-12%",
	} {
		if got := fmt.Sprint(p.eval("format." + call)); got != want {
			t.Errorf("%s = %q; want %q", call, got, want)
		}
	}
}

// TestPageSinceWords tests how days follow "since" in each language.
func TestPageSinceWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	months := map[string][]string{
		"en-GB": strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
		"de-DE": strings.Fields("Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
		"fr-FR": strings.Fields("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
	}
	weekdays := map[string][]string{
		"en-GB": strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
		"de-DE": strings.Fields("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
		"fr-FR": strings.Fields("dimanche lundi mardi mercredi jeudi vendredi samedi"),
	}
	for _, c := range []struct{ language, since, gone, yesterday, day string }{
		{"en-GB", "since", "gone", "yesterday", "%d %s"},
		{"de-DE", "seit", "weg", "gestern", "dem %d. %s"},
		{"fr-FR", "depuis", "retiré", "hier", "le %d %s"},
	} {
		p.setLanguage(c.language)
		p.reload()
		p.load("parts/flats")
		p.load("words/format")
		monthsOf := months[c.language]
		weeksAgo, yearAgo := noonDaysAgo(20), noonDaysAgo(400)
		for days, want := range map[int]string{
			1:   c.yesterday,
			3:   weekdays[c.language][noonDaysAgo(3).Weekday()],
			20:  fmt.Sprintf(c.day, weeksAgo.Day(), monthsOf[weeksAgo.Month()-1]),
			400: fmt.Sprint(monthsOf[yearAgo.Month()-1], " ", yearAgo.Year()),
		} {
			// The flat is gone and has become cheaper by €2 since the same day.
			tags := fmt.Sprintf(`flats.changeTags({gone: %[1]q, currency: "EUR", cost: 7, cost_history: [{cost: 9},
				{cost: 7, date: %[1]q}]}).map((tag) => tag.innerText.replace(/^[−€2\s]+/, "")).join("|")`, daysAgo(days))
			since := c.since + " " + want
			if got, want := fmt.Sprint(p.eval(tags)), c.gone+" "+since+"|"+since; got != want {
				t.Errorf("%s, %d days ago: %q; want %q", c.language, days, got, want)
			}
		}
		want := fmt.Sprintf(c.day, weeksAgo.Day(), monthsOf[weeksAgo.Month()-1])
		if got := fmt.Sprint(p.eval(fmt.Sprintf("format.sinceWhen(%q)", daysAgo(20)))); got != want {
			t.Errorf("%s, what came since: %q; want %q", c.language, got, want)
		}
	}
}

// datetimes are texts with the instant that the page reads, or "null" if it is no datetime. The browser is in Berlin.
var datetimes = []struct{ text, want string }{
	{"2026-03-01", "2026-02-28T23:00:00.000Z"},
	{"2024-02-29", "2024-02-28T23:00:00.000Z"},
	{"2026-03-01T10:00", "2026-03-01T09:00:00.000Z"},
	{"2026-07-01 10:00", "2026-07-01T08:00:00.000Z"},
	{"2026-03-01T10:00:07", "2026-03-01T09:00:07.000Z"},
	{"2026-03-01T10:00:07.5", "2026-03-01T09:00:07.500Z"},
	{"2026-03-01T10:00:07,5", "2026-03-01T09:00:07.500Z"},
	{"2026-03-01 10:00:07,25", "2026-03-01T09:00:07.250Z"},
	{"2026-03-01T10:00Z", "2026-03-01T10:00:00.000Z"},
	{"2026-03-01T10:00:00,5Z", "2026-03-01T10:00:00.500Z"},
	{"2026-03-01 10:00:00.123456789Z", "2026-03-01T10:00:00.123Z"},
	{"2026-03-01T10:00:00,99999999999999Z", "2026-03-01T10:00:00.999Z"},
	{"2026-03-01T10:00+01:00", "2026-03-01T09:00:00.000Z"},
	{"2026-03-01T10:00-0330", "2026-03-01T13:30:00.000Z"},
	{"2026-03-01T10:00:00+01", "2026-03-01T09:00:00.000Z"},
	{"2026-03-01T10:00:00,5+01", "2026-03-01T09:00:00.500Z"},
	{"2026-03-01 00:00:00.25+23:59", "2026-02-28T00:01:00.250Z"},
	{"2026-03-01T23:59:59-00:00", "2026-03-01T23:59:59.000Z"},
	{"0000-02-29T00:00Z", "0000-02-29T00:00:00.000Z"},
	{"9999-12-31T23:59:59,999Z", "9999-12-31T23:59:59.999Z"},
	{"2026-02-29", "null"},
	{"2026-02-30T10:00", "null"},
	{"2026-04-31T10:00:00Z", "null"},
	{"2026-13-01T10:00Z", "null"},
	{"2026-00-10", "null"},
	{"2026-03-00T10:00", "null"},
	{"2026-03-01T24:00", "null"},
	{"2026-03-01T10:60Z", "null"},
	{"2026-03-01T23:59:60Z", "null"},
	{"2026-03-01t10:00", "null"},
	{"2026-03-01T10:00z", "null"},
	{"2026-03-01T10", "null"},
	{"2026-03-01T9:00", "null"},
	{"2026-03-01T10:00:00.", "null"},
	{"2026-03-01T10:00,5", "null"},
	{"2026-03-01T10:00 +01:00", "null"},
	{"2026-03-01  10:00", "null"},
	{"2026-03-01T10:00+1", "null"},
	{"2026-03-01T10:00+24:00", "null"},
	{"2026-03-01T10:00+01:60", "null"},
	{"2026-03-01T10:00:00+01:00:00", "null"},
	{"2026-03-01Z", "null"},
	{"2026-3-1", "null"},
	{"20260301T100000Z", "null"},
	{"2026-W09-7", "null"},
	{"12026-03-01", "null"},
	{"+002026-03-01T10:00Z", "null"},
	{"1 March 2026 10:00", "null"},
	{"2026-03-01T10:00Z ", "null"},
}

// instantOf returns an expression for the instant that the page reads in a text.
func instantOf(text string) string {
	return fmt.Sprintf("JSON.stringify(format.instant(%s) && new Date(format.instant(%[1]s))).replaceAll('\"', '')",
		encode(text))
}

// TestPageInstant tests that the page reads the datetimes that the service accepts, and no others, as the same
// instants.
func TestPageInstant(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.load("words/format")
	for _, d := range datetimes {
		if got := fmt.Sprint(p.eval(instantOf(d.text))); got != d.want {
			t.Errorf("%s is read as %s; want %s", d.text, got, d.want)
		}
		status := p.eval(fmt.Sprintf(`fetch("api/v1/flat/4711", {method: "PATCH", body: %s}).then(({status}) => status)`,
			encode(encode(object{"visit_date": d.text}))))
		if isAccepted := fmt.Sprint(status) == "200"; isAccepted != (d.want != "null") {
			t.Errorf("the service answers %v to %s, which the page reads as %s", status, d.text, d.want)
		}
		// The service compares a datetime without an offset as if it were in UTC.
		if _, clock, _ := strings.Cut(d.text, ":"); d.want == "null" || !strings.ContainsAny(clock, "Z+-") {
			continue
		}
		at, _ := time.Parse(time.RFC3339, d.want)
		before := at.Add(time.Millisecond - 1).Format(time.RFC3339Nano) // the page ignores the digits beyond
		bounds := url.Values{"min[visit_date]": {d.want}, "max[visit_date]": {before}, "fields": {"id"}}
		found := p.eval(`fetch("api/v1/find?` + bounds.Encode() + `").then((answer) => answer.json())
			.then(({data}) => data.map(({id}) => id).join())`)
		if found != "4711" {
			t.Errorf("the service reads %s not as %s: it finds %q", d.text, d.want, found)
		}
	}
}
