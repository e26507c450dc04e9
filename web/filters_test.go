// Tests of the filters of the list.

package web

import (
	"fmt"
	"strings"
	"testing"

	"flats/internal/listing"
)

// openFiveFlats opens a list of five flats, each of which lacks something.
func openFiveFlats(t *testing.T, hash string) *tab {
	t.Helper()
	p := openTab(t, `[{"id": "1@a", "title": "one", "cost": 0, "currency": "EUR", "rooms": 2, "location": "Ost",
		"notes": "damp"},
		{"id": "2@a", "title": "two", "cost": 500, "currency": "€", "area": 50, "location": "Ost",
			"gps": [45.75, 4.85], "visit_date": "2031-01-01"},
		{"id": "3@b", "title": "three", "cost": 400, "currency": "DKK", "area": 20, "rooms": 3, "location": "West",
			"gps": [-33, 4.85],
			"photos": ["https://127.0.0.1:1/x"]},
		{"id": "4@b", "title": "four", "cost": 900, "currency": "EUR", "rooms": 1, "notation": 4,
			"service_time_to": {"work": {"time": 1500}, "gym": {"time": 600}}},
		{"id": "5@b", "title": "five", "cost": 9000, "currency": "dkk", "area": 30, "rooms": 3, "bedrooms": 2,
			"service_constraint": "far"}]`, hash, 1280)
	p.wait(isThere(anyRow))
	return p
}

// TestPageFilters tests which flats each filter finds, in which order.
func TestPageFilters(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "")
	p.see(rowCount, "5")
	for _, c := range []struct{ hash, want string }{
		// Each currency is sorted separately, the one with most flats first; flats without a price come last. A sign
		// and its code are one currency.
		{"sort=cost", "two four three five one"},
		{"sort=-cost", "four two five three one"},
		{"sort=cost_per_area", "two four three five one"},
		{"sort=-area", "two five three one four"},
		{"cost=..500&sort=title", "three two"},
		{"rooms=2..&sort=title", "five one three"},
		{"rooms=2..&unknown=rooms&sort=title", "five one three two"},
		{"bedrooms=1..", "five"},
		{"notation=3..5", "four"},
		{"travel_time=..10", "four"},
		{"cost_per_area=..15&sort=title", "two"},
		{"place=Ost&sort=title", "one two"},
		{"place=Ost&place=West&sort=title", "one three two"},
		{"site=a&sort=title", "one two"},
		{"currency=DKK&sort=title", "five three"},
		{"currency=dkk&sort=title", "five three"},
		{"currency=EUR&sort=title", "four one two"},
		{"currency=%E2%82%AC&sort=title", "four one two"},
		{"constraint=far", "five"},
		{"visit=yes", "two"},
		{"notes=yes", "one"},
		{"notes=no&photos=no&sort=title", "five four two"},
		{"photos=yes", "three"},
		{"lat=45..46&lng=4.8..4.9", "two"},
		{"lat=..0", "three"},
	} {
		p.test(c.hash, func() {
			p.typeHash("#/?" + c.hash)
			p.see(`location.hash.slice(3) + ": " + `+rowTitles, c.hash+": "+c.want)
		})
	}
}

// TestPageFiltersUnknown tests that the page says how many flats a range hides because their value is not known, and
// shows them on demand.
func TestPageFiltersUnknown(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "#/?rooms=2..")
	p.test("a line says how many flats one range hides", func() {
		p.see(text(hiddenOnesLine), "1 without rooms · Show")
		p.click(showHidden)
		p.see(rowCount, "4")
		p.see(chipTexts, "Rooms ≥ 2 or unknown")
	})
	p.test("the line counts a flat that one of several ranges hides and another lets through", func() {
		p.typeHash("#/?area=10..&cost_per_area=..60")
		p.see(text(hiddenOnesLine), "2 without cost per m² / area · Show")
		p.click(showHidden)
		p.see(rowCount, "4")
	})
}

// TestPageFiltersMap tests that the window of the map is one filter, and that a saved view includes it.
func TestPageFiltersMap(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "#/?lat=45..46&lng=4.8..4.9")
	p.see(chipTexts, "On the map")
	p.load("lib/query")
	p.see(`query.conditionsOf({lat: "45..46", lng: "4.8.."}).split("&")
		.filter((text) => /l(at|ng)/.test(text)).sort().join()`,
		"max%5Blat%5D=46,min%5Blat%5D=45,min%5Blng%5D=4.8")
	p.click(firstChip)
	p.see(hash, "#/")
}

// TestPageFiltersCurrencies tests that the page says that currencies are compared separately, and offers each one.
func TestPageFiltersCurrencies(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "#/?sort=cost")
	p.test("the note is shown where the list is sorted by cost", func() {
		p.see(currencyLine, "Currencies are compared separately. DKKEUR")
		p.click(firstCurrency)
		p.see(hash, "#/?currency=DKK&sort=cost")
	})
	p.test("the note is shown under a range of cost", func() {
		p.typeHash("#/?cost=..9000")
		p.see(currencyLine, "Currencies are compared separately. DKKEUR")
	})
	p.test("no note is shown where one currency is chosen", func() {
		p.typeHash("#/?currency=DKK&sort=cost")
		p.see(currencyLine, "")
	})
}

// TestPageFiltersOneCurrency tests that only the currencies of the view count, and that the note about several of them
// is to the right of the saved views.
func TestPageFiltersOneCurrency(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "cost": 5, "currency": "CHF", "status": "contacted"},
		{"id": "b", "cost": 9, "currency": "EUR", "status": "ignored"},
		{"id": "c", "cost": 8, "currency": "EUR", "status": "ignored"},
		{"id": "d", "cost": 7, "currency": "CHF", "status": "ignored", "gone": "2026-01-01"}]`,
		"#/?tab=is:ignored&cost=..9", 1280)
	p.saveElsewhere("Mine", "q=mine")
	p.reload()
	p.see(rowCount, "3")
	p.test("the note has the currencies of the view, to the right of the saved views", func() {
		p.see(currencyLine, "Currencies are compared separately. CHFEUR")
		p.see(box(savedView)+".right <= "+box(firstCurrency)+".left", "true")
	})
	p.test("no note is shown where only flats of other statuses have other currencies", func() {
		p.typeHash("#/?tab=is:contacted&cost=..9")
		p.see(rowCount, "1")
		p.see(currencyLine, "")
	})
}

// TestPageFiltersOffered tests which filters are offered.
func TestPageFiltersOffered(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "")
	p.openFilters()
	p.click(furtherFilters)
	const offered = "Currency,Site"
	p.test("filters by fields of which the flats have several values", func() {
		p.see(filterLabels, "Ost (2),West (1),First seen within,Sort by,Travel time to,"+offered+",Visit,Notes,Photos")
		p.see(daysOffered, "1,3,7,30")
	})
	p.test("the same filters after a search that leaves one value", func() {
		p.enter(searchField, "four")
		p.see(rowCount, "1")
		p.rest(forAnswer)
		p.see(filterNames+`.includes(`+encode(offered)+`)`, "true")
	})
}

// TestPageFiltersPlaces tests that several places may be ticked.
func TestPageFiltersPlaces(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "")
	p.openFilters()
	p.click(placesButton)
	p.test("each ticked place lets its flats through, and has a chip", func() {
		p.click(placeBox("West"))
		p.see(rowCount, "1")
		p.click(placeBox("Ost"))
		p.see(rowCount, "3")
		p.see(chipTexts, "West|Ost")
		p.see(hash, "#/?place=West&place=Ost")
	})
	p.test("a chip takes its place away, and the boxes keep their numbers", func() {
		p.click(firstChip)
		p.see(hash, "#/?place=Ost")
		p.see(placeBoxes, "Ost (2)+,West (1)")
	})
	p.test("a box that is pressed keeps the focus", func() {
		p.click(placesButton)
		p.focus(placeBox("Ost"))
		p.key(" ")
		p.see(hash, "#/")
		p.see("document.activeElement.value", "Ost")
	})
}

// TestPagePlaces tests that the filter of places has one box for all postal codes with the same name.
func TestPagePlaces(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "one", "cost": 100, "location": "1055 København K"},
		{"id": 2, "title": "two", "cost": 900, "location": "1050 København K"},
		{"id": 3, "title": "three", "cost": 100, "location": "2100 København Ø"},
		{"id": 4, "title": "four", "cost": 100, "location": "Ost"}]`, "#/?cost=..500", 1280)
	p.click(filtersButton)
	p.test("a box has the number of its flats, and is found by name and code", func() {
		p.see(placeBoxes, "København K (1),København Ø (1),Ost (1)")
		p.rest(forAnswer)
		p.enter(rangeField("Search places"), "kobenhavn k")
		p.see(placeBoxes, "København K (1)")
		p.enter(rangeField("Search places"), "2100")
		p.see(placeBoxes, "København Ø (1)")
		p.enter(rangeField("Search places"), "")
	})
	p.test("a box also stands for the code of a flat that another filter leaves out", func() {
		p.tickPlace("København K")
		p.see(placeBoxes, "København K (1)+,København Ø (1),Ost (1)")
		p.see(chipTexts, "Cost ≤ 500|København K")
		p.see(rowCount, "1")
		p.click(firstChip)
		p.see(rowCount, "2")
		p.see(placeBoxes, "København K (2)+,København Ø (1),Ost (1)")
	})
	sortPlaces(p)
}

// sortPlaces tests the order of places, and that a place is chosen with all its postal codes.
func sortPlaces(p *tab) {
	p.tickPlace("København K")
	p.importListings(`[{"id": 5, "title": "five", "location": "Ost"}, {"id": 6, "title": "six", "location": "Ost"}]`)
	p.reload()
	p.click(filtersButton)
	p.test("places with most flats come first", func() {
		p.see(placeBoxes, "Ost (3),København K (2),København Ø (1)")
	})
	p.test("one chip takes away all codes of a name", func() {
		p.tickPlace("København K")
		p.tickPlace("Ost")
		p.see(chipTexts, "København K|Ost")
		p.click(firstChip)
		p.see(hash, "#/?place=Ost")
	})
	p.test("a box of which one code is chosen is neither ticked nor not", func() {
		p.typeHash("#/?place=1055+K%C3%B8benhavn+K")
		p.see(placeBoxes, "Ost (3),København K (2)?,København Ø (1)")
		p.see(chipTexts, "1055 København K")
	})
}

// TestPagePlaceNames tests the names of places without their codes.
func TestPagePlaceNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("words/filters")
	for place, want := range map[string]string{
		"80331 München": "München", "69004 Lyon 4e": "Lyon 4e", "1012 AB Amsterdam": "Amsterdam", "110 00 Praha": "Praha",
		"4000-123 Porto": "Porto", "00-950 Warszawa": "Warszawa", "SW1A 1AA London": "London", "2100": "2100",
		"2. Bezirk": "2. Bezirk", "Ost": "Ost",
	} {
		if got := p.eval("filters.placeName(" + encode(place) + ")"); got != want {
			t.Errorf("the name of %q is %q; want %q", place, got, want)
		}
	}
}

// TestPageProposedNames tests that the name proposed for a view ends after a filter, or else after a word. It has no
// quotes: notices put the name in quotes.
func TestPageProposedNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFiveFlats(t, "")
	p.click(filtersButton)
	balconies := "tab=new&q=" + strings.Repeat("balcony+", 10)
	for hash, want := range map[string]string{
		"cost=500..1230":                "€500–€1,230", // all matching flats are in EUR
		"cost=..9000":                   "Cost ≤ 9,000",
		"cost=500..1230&currency=DKK":   "DKK 500–DKK 1,230",
		"tab=shortlist&rooms=2..2":      "Shortlist, 2 rooms",
		"rooms=1.5..3&area=60..&q=lift": "1.5–3 rooms, from 60 m², lift",
		"q=quiet+balcony&rooms=3..&cost=50..99&site=www.example.org": "from 3 rooms, quiet balcony, " +
			"Cost 50–99, www.example.org",
		"tab=all":                      "All",
		balconies:                      "To sort, balcony" + strings.Repeat(" balcony", 5) + "…",
		"q=" + strings.Repeat("b", 70): strings.Repeat("b", 59) + "…",
	} {
		p.test(want, func() {
			p.typeHash("#/?" + hash)
			p.pressTool("Save this view")
			p.see(proposedName, want)
			p.click(cancelName)
		})
	}
}

// TestPageSpellings tests that the page knows the same spellings of currencies as the service: in the currency of a
// flat, in typed text, and in a detail.
func TestPageSpellings(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("lib/fields")
	p.load("words/format")
	p.load("words/written")
	p.eval(`window.read = one => [fields.currencyOf({currency: one}), format.parseNumber(one + " 1,850"),
		format.parseNumber("1,850" + one), format.currencyIn("1,850 " + one),
		written.amountIn(one + " 1,850")?.currency, written.amountIn("1,850.– " + one)?.currency].join()`)
	for code, list := range listing.CurrencySpellings() {
		for written := range strings.FieldsSeq(list) {
			want := strings.Join([]string{code, "1850", "1850", code, code, code}, ",")
			if got := p.eval("read(" + encode(written) + ")"); got != want {
				t.Errorf("%s: got %v; want %s", written, got, want)
			}
		}
	}
	for _, written := range []string{" €", "\u00a0eur\n", "EUR "} {
		if got := p.eval("fields.currencyOf({currency: " + encode(written) + "})"); got != "EUR" {
			t.Errorf("%q is %v; want EUR", written, got)
		}
	}
	for _, written := range []string{"5 km", "120 ft", "12", "EUR 5 USD", "about 5"} {
		if got := p.eval("written.amountIn(" + encode(written) + ")"); got != nil {
			t.Errorf("%q is read as %v; want no amount", written, got)
		}
	}
}

// TestPageCurrencies tests that a list sorted by cost sorts each currency separately, the one with most flats first, on
// all pages and on paper.
func TestPageCurrencies(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for currency, n := range map[string]int{"GBP": 30, "CHF": 20, "USD": 10, "EUR": 5} {
		for i := range n {
			flats = append(flats, object{"id": fmt.Sprint(currency, i), "title": "A", "cost": 100 + i, "currency": currency})
		}
	}
	p := openTab(t, encode(append(flats, object{"id": "none", "title": "B"})), "#/?sort=cost", 1280)
	p.test("each page goes on where the one before ends", func() {
		p.see(rowCount, "50")
		p.see(columnTexts("cost", 2), "£100|£101")
		p.eval("scrollTo(0, document.documentElement.scrollHeight)")
		p.see(rowCount, "66")
		p.see(currenciesInOrder, "GBP,CHF,USD,EUR,non")
	})
	p.test("the same currency comes first in descending order", func() {
		p.typeHash("#/?sort=-cost")
		p.see(columnTexts("cost", 2), "£129|£128")
	})
	p.test("the order of the currencies stays where filters leave each as many flats", func() {
		p.typeHash("#/?cost=..104.5&sort=cost")
		p.see(rowCount, "20")
		p.see(currenciesInOrder, "GBP,CHF,USD,EUR")
	})
}
