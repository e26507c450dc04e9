// Tests of Compare and Prices.

package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// openCompare opens a comparison of three flats, the last one in another currency, and of a fourth that does not exist.
func openCompare(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, `[
		{"id": "a,b@x", "title": "<img src=x onerror=faults.push(1)>", "cost": 900, "currency": "EUR", "area": 50,
			"rooms": 2, "notation": 3,
			"service_time_to": {"work": {"time": 600}}, "details": {"lift": true, "heat_source": "gas"}, "text": "t"},
		{"id": "b", "title": "B", "cost": 800, "currency": "€", "area": 40, "rooms": 2, "notation": 5,
			"visit_date": "2031-12-01T18:00", "cost_history": [{"date": null, "cost": 850}, {"date": "2026-01-02", "cost": 800}],
			"location": "`+strings.Repeat("Far away ", 20)+`",
			"service_time_to": {"work": {"time": 1200}},
			"details": {"lift": true, "heat_source": "oil"}, "notes": `+encode(strings.Repeat("Damp in the cellar. ", 200))+`},
		{"id": "c", "title": "C", "cost": 700, "currency": "DKK", "area": 0, "rooms": 2, 
			"details": {"lift": true}}]`, "", 1280)
	p.typeHash("#/compare/a%2Cb%40x,b,c,gone")
	return p
}

// TestPageCompare tests flats side by side.
func TestPageCompare(t *testing.T) {
	t.Parallel()
	p := openCompare(t)
	p.test("the best number of a row is marked, but of costs in several currencies none", func() {
		p.see(bestCells, "Rating 2,Cost per m² 1,Area 1,work 1")
		p.see(compareNote, "Different currencies are not compared. No flat gone.")
	})
	p.test("rows with decisive facts come first, and rows that are equal or empty are folded", func() {
		p.see(compareNames, "Status,Rating,Cost,Cost per m²,Area,work,Visit,Notes,Cost changes,Heat source,Place,Site")
	})
	p.test("a press or the key d unfolds them", func() {
		p.click(unfoldCompared)
		p.see(comparedNames("Rooms|Lift|Utilities$|Heat"), "Rooms,Utilities,Lift,Heat source")
		p.press("d")
		p.see(comparedNames("Rooms|Lift|Utilities$|Heat"), "Heat source")
	})
	p.test("the page scrolls, not the table, and the heads stay above their columns", func() {
		p.see(compareScrolls, "false")
		p.eval(scrollCompare(0, 300))
		p.see(compareHeadsTop, "44") // pixels: at the lower edge of the bar
		p.see(columnsOutOfLine, "")
	})
	p.test("the comparison is printed on one page across, also with long notes", func() {
		var pdf struct{ Data []byte }
		p.call(p.t, p.session, "Page.printToPDF", object{"preferCSSPageSize": true}, &pdf)
		pages := len(regexp.MustCompile(`/Type /Page\b`).FindAll(pdf.Data, -1))
		landscape := bytes.Contains(pdf.Data, []byte("/MediaBox [0 0 841.9"))
		if pages != 1 || !landscape {
			size := regexp.MustCompile(`/MediaBox.*`).Find(pdf.Data)
			p.t.Errorf("the comparison is printed on %d pages with %s; want 1 page, A4 landscape", pages, size)
		}
	})
}

// TestPageCompareUnknown tests that words stand in place of each unknown sum, and that rows without any value are
// folded.
func TestPageCompareUnknown(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "cost": 900, "currency": "EUR", "utilities": "excluded",
			"charges": 100, "area": 50, "deposit": 1800},
		{"id": "b", "title": "B", "cost": 800, "currency": "EUR"},
		{"id": "c", "title": "C", "cost": 0, "currency": "EUR", "area": 40},
		{"id": "d", "title": "D", "cost": 700, "currency": "EUR", "details": {"deposit": "two months"}}]`, "", 1280)
	p.goTo("#/compare/a,b,c", "thead th")
	p.test("unknown costs, and sums that follow from them, are words", func() {
		p.see(comparedRow("All in"), "€1,000|unknown|no price")
		p.see(comparedRow("Cost"), "€900|€800|no price")
		p.see(comparedRow("Cost per m²"), "€18/m²|unknown|no price")
		p.see(comparedRow("Deposit"), "€1,800|unknown|unknown")
		p.see(comparedRow("Area"), "50 m²|–|40 m²")
	})
	p.test("values are larger than their labels", func() { p.see(comparedSizes, "12px 14px") })
	p.test("sums that nobody says are folded, whatever the words", func() {
		p.goTo("#/compare/b,c", "thead th")
		p.see(comparedNames("All in|^Cost$|per m²|Deposit"), "Cost")
	})
	p.test("a deposit that a listing tells in words stands in the same row", func() {
		for ids, want := range map[string]string{"a,d": "€1,800|two months", "b,d": "–|two months"} {
			p.goTo("#/compare/"+ids, "thead th")
			p.see(comparedNames("Deposit"), "Deposit")
			p.see(comparedRow("Deposit"), want)
		}
	})
}

// TestPageCompareHeads tests that the heads of Compare look alike, whatever the titles and statuses of their flats.
func TestPageCompareHeads(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "status": "followed", "cost": 900, "currency": "EUR"},
		{"id": "b", "title": "A title that takes two lines because it names the street, the house and the floor of it",
			"status": "contacted", "cost": 800, "currency": "EUR"},
		{"id": "c", "title": "C", "cost": 700, "currency": "EUR"}]`, "#/compare/a,b,c", 900)
	p.see(headButtons, "Followed,Dismiss|Dismiss|Follow,Dismiss")
	p.test("the buttons stand in one line, below the beginning of the titles", func() {
		p.see(headButtonTops, "1")
		p.see(headButtonIndents, "")
	})
	p.test("the button of a followed flat is not filled", func() {
		p.see(colourBehind(followInCompare(1)), "rgba(0, 0, 0, 0)")
	})
}

// TestPageComparePhone tests flats side by side on a phone.
func TestPageComparePhone(t *testing.T) {
	t.Parallel()
	p := openCompare(t)
	p.wait(isThere(sideBySide))
	p.resize(390)
	p.test("two whole columns stand next to each other", func() {
		p.see(wholeColumnCount, "2")
		p.eval(scrollCompare(195, 0))
		p.see(wholeColumnCount, "2")
		p.see(columnsOutOfLine, "")
	})
	p.resize(320)
	p.test("nothing is wider than the page, and no control too small", func() {
		p.see(fitsAcross, "true")
		p.see(smallInCompare, "")
	})
	p.test("Follow and Dismiss stand in one row", func() { p.see(brokenDecisionCount, "0") })
	p.test("the names of flats and rows stay in sight", func() {
		p.eval(scrollCompare(150, 9999))
		p.see(compareHeadsInSight, "true")
	})
	p.test("notes are whole, and values stand at the top of their rows", func() {
		p.see(comparedNotesWhole, "true")
		p.see(sunkenCells, "")
	})
	p.test("Follow acts on the flat of its column", func() {
		p.click(followInCompare(2))
		p.see(isPressed(followInCompare(2)), "true")
	})
	p.test("Close takes a flat away", func() {
		p.click(closeCompared)
		p.see(hash, "#/compare/b,c,gone")
	})
}

// TestPageCompareWords tests that on a phone no word of a comparison is broken, except one that would fill the phone.
func TestPageCompareWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("Wohnung", 40)
	p := openTab(t, `[{"id": "a", "title": "Gemütliche Dachgeschosswohnung", "details": {"viewing": "Sammelbesichtigung"},
		"location": "Friedrichshain-Kreuzberg", "text": "t", "cost": 900, "utilities": "excluded", "charges": 200},
		{"id": "b", "title": "Deux pièces à Villeurbanne", "location": "Leopoldplatz", "details": {"heat_source": "gas"}},
		{"id": "c", "title": "`+long+`", "location": "`+long+`", "notes": "`+long+`"},
		{"id": "d", "title": "Appartement deux pièces", "status": "followed"}, {"id": "e", "title": "Wohnung, hell"}]`,
		"", 390)
	p.test("words of ordinary length are whole", func() {
		p.goTo("#/compare/a,b", "thead th")
		p.see(brokenInCompare, "")
	})
	p.test("a word that would fill the phone is broken", func() {
		p.goTo("#/compare/a,c", "thead th")
		p.see("[...new Set("+brokenInCompare+`.split(","))].join()`, long)
		p.see(fitsAcross, "true")
		p.see(compareWidth+" < 2 * innerWidth", "true")
	})
	p.test("names of facts and decisions, which are longer in German, and titles are whole", func() {
		p.setLanguage("de")
		p.do("Emulation.setDeviceMetricsOverride", // without a scroll bar, as on a phone
			object{"width": 320, "height": 844, "deviceScaleFactor": 1, "mobile": true})
		p.openAnew("/#/compare/d,e")
		p.wait(isThere("thead th"))
		p.see(brokenIn(".heads"), "")
		p.see(brokenDecisionCount, "0")
		p.resize(390)
		p.typeHash("#/compare/a,b")
		p.reload()
		p.wait(`/Nebenkosten/.test(` + compareWords + `)`)
		p.see(brokenInCompare, "")
	})
}

// TestPageComparePhotos tests that photos are 3:2 and at most 320 pixels wide, whether they load or not.
func TestPageComparePhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "photos": ["https://127.0.0.1:1/1.jpg"]}, {"id": "b", "title": "B",
		"photos": ["data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 90'/%3E"]}]`,
		"#/compare/a,b", 1280)
	for _, width := range []int{1280, 390} {
		p.resize(width)
		p.see(comparePhotoSizes, "SPAN true true,IMG true true")
	}
}

// TestPageCompareBest tests which number of a row is marked as the best: not one of two that look alike, nor a cost
// without utilities next to one with them, nor a cost of a flat that is gone.
func TestPageCompareBest(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "A", "cost": 1000, "currency": "EUR", "area": 61.02, "utilities": "included"},
		{"id": "b", "title": "B", "cost": 1000, "currency": "EUR", "area": 61.04, "utilities": "included"},
		{"id": "c", "title": "C", "cost": 1100, "currency": "EUR", "area": 70, "utilities": "included"},
		{"id": "d", "title": "D", "cost": 800, "currency": "EUR", "area": 70.01, "utilities": "excluded"},
		{"id": "e", "title": "E", "cost": 900, "currency": "EUR", "area": 50, "rooms": 2,
			"service_time_to": {"work": {"time": 601}}},
		{"id": "f", "title": "F", "cost": 900.001, "currency": "€", "area": 50, "rooms": 2.001,
			"service_time_to": {"work": {"time": 620}}},
		{"id": "g", "title": "G", "service_time_to": {"work": {"time": 0}}},
		{"id": "h", "title": "H", "cost": 500, "currency": "EUR", "area": 90, "utilities": "included",
			"gone": "2026-01-02T10:00:00Z"}]`, "", 1280)
	for _, c := range []struct{ ids, want string }{
		{"a,b", ""},
		{"a,b,c", "Area C"}, // all are 16 €/m²
		{"a,c", "All in A,Cost A,Area C"},
		{"a,d", "Area D"},
		{"a,c,d", "All in A"},
		{"d,e", "Area D"},
		{"e,f", ""},
		{"e,g", "work G"},
		{"a,c,h", "All in A,Cost A,Area C"},
		{"a,h", ""},
	} {
		p.test(c.ids, func() {
			p.typeHash("#/compare/" + c.ids)
			p.see(bestNumbers, fmt.Sprintf("%d: %s", strings.Count(c.ids, ",")+1, c.want))
		})
	}
	p.typeHash("#/compare/a,b,d")
	p.see(compareNote, "Costs that include utilities, exclude them, or do not say are not compared.")
	p.test("the column of one that is gone is pale", func() {
		p.typeHash("#/compare/a,h")
		p.see(paleInCompare, "H")
	})
}

// A market has made-up flats, with their costs and their costs per m² by currency, table and row of Prices.
type market struct {
	flats       []map[string]any
	costs, each map[string][]float64
}

// newMarket returns 200 flats. The cost of the first two has changed, the second one by less than half a percent.
func newMarket() *market {
	random := rand.New(rand.NewPCG(1, 2))
	m := &market{costs: map[string][]float64{}, each: map[string][]float64{}}
	for i := range 200 {
		f := object{"id": i, "title": fmt.Sprint("Flat ", i), "cost": random.IntN(900),
			"currency": pick(random, []string{"EUR", "EUR", "DKK"}),
			"area":     pick(random, []int{0, 32, 64}), "rooms": pick(random, []int{0, 1, 2}),
			"location": pick(random, []string{"Mitte", "Wedding"}), "date": "2026-03-04"}
		if i%9 == 0 {
			f["cost"] = 0
		}
		m.flats = append(m.flats, f)
		cost, area := float64(f["cost"].(int)), float64(f["area"].(int))
		rooms := map[int]string{0: "Unknown", 1: "1 room", 2: "2 rooms"}[f["rooms"].(int)]
		for _, group := range []string{"Place, " + f["location"].(string), "Rooms, " + rooms} {
			group = f["currency"].(string) + ", " + group
			if cost > 0 {
				m.costs[group] = append(m.costs[group], cost)
			}
			if cost > 0 && area > 0 {
				m.each[group] = append(m.each[group], cost/area)
			}
		}
	}
	m.flats[1]["cost_history"] = // below half a percent
		json.RawMessage(`[{"date": null, "cost": 900}, {"date": "` + daysAgo(31) + `", "cost": 897}]`)
	m.flats[0]["currency"], m.flats[0]["cost_history"] = "EUR",
		json.RawMessage(`[{"date": null, "cost": 1000}, {"date": "`+daysAgo(30)+`", "cost": 900}]`)
	return m
}

// fewestForMedian is the number of flats from which on they have quartiles and a median.
const fewestForMedian = 8

// rows returns the rows of Prices, with number, lower and upper quartile, median, and the median cost per m², as
// priceRows has them.
func (m *market) rows() []string {
	// quantile returns the value below which so many quarters of all values lie. If it lies between two of them, the
	// nearer one weighs more.
	quantile := func(all []float64, quarters int) string {
		slices.Sort(all)
		at, rest := quarters*(len(all)-1)/4, float64(quarters*(len(all)-1)%4)
		return strconv.FormatFloat((all[at]*(4-rest)+all[min(at+1, len(all)-1)]*rest)/4, 'f', -1, 64)
	}
	var rows []string
	for group, all := range m.costs {
		values := []any{group + ":", len(all)}
		if len(all) >= fewestForMedian {
			values = append(values, quantile(all, 1), quantile(all, 3), quantile(all, 2))
		}
		if len(m.each[group]) >= fewestForMedian {
			values = append(values, quantile(m.each[group], 2))
		}
		rows = append(rows, strings.TrimSpace(fmt.Sprintln(values...)))
	}
	slices.Sort(rows)
	return rows
}

// TestPagePrices tests the prices of the flats that came.
func TestPagePrices(t *testing.T) {
	t.Parallel()
	m := newMarket()
	p := openTab(t, encode(m.flats), "#/prices", 1280)
	p.wait(isThere(marketTable))
	p.test("medians and quartiles of each currency, by place and by rooms", func() {
		var got []string
		if err := json.Unmarshal([]byte(fmt.Sprint(p.eval(priceRows))), &got); err != nil {
			p.t.Fatal(err)
		}
		slices.Sort(got)
		if want := m.rows(); !slices.Equal(got, want) {
			p.t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
	p.test("the currency stands in a head, and not at each number", func() {
		p.see(priceHeads, "Place|Flats|Quartiles|Median, EUR|Cost per m²")
		p.see(`/[€A-Z]/.test(`+priceNumbers+`)`, "false")
	})
	p.test("the quartiles stand at the sides of their bars, which begin at one place", func() {
		p.see(quartilesBeside, "true")
	})
	p.test("changes of the cost, in percent if they are at least half a percent", func() {
		p.see(priceChange(1), "Flat 0 €1,000 → €900 −10% "+dayAgo(30))
		p.see(`/900 → .*897.*−\D*3 `+dayAgo(31)+`/.test(`+priceChange(2)+`)`, "true")
	})
	p.test("how many came in each week", func() { p.see(weeksLabel, "New per week: 2 Mar 200") })
	p.test("Tab reaches one dot of the plot, and the arrow keys go on from there", func() {
		p.wait(firstDotLabel + `.startsWith("Flat ")`)
		p.see(dotsByTab, "1")
		p.focus(dotByTab)
		p.key("ArrowRight")
		p.see(focusedDot, "1")
		p.key("ArrowLeft")
		p.key("ArrowLeft")
		p.see(focusIsOnLastDot, "true")
	})
	p.test("headings keep their distance", func() { p.see(marketsApart, "true") })
	p.test("a dot opens its flat", func() {
		p.clickOn(lastDot)
		p.wait(isThere(flatHeading))
	})
}

// TestPagePricesAll tests that Prices and the median of a flat's place are the same, and count all flats that came,
// whatever was decided on them.
func TestPagePricesAll(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	statuses := []string{"new", "ignored", "followed", "ignored", "contacted", "ignored", "ignored", "refused", "ignored"}
	for i, status := range statuses {
		flats = append(flats, object{"id": fmt.Sprint(i), "title": fmt.Sprint("Flat ", i), "cost": 1000 + 100*i,
			"currency": "EUR", "area": 100, "rooms": 2, "service_constraint": "berlin", "status": status,
			"service_postal_code": []string{"12043", "12047"}[i%2], "first_seen": daysAgo(1 + 3*(i%2))})
	}
	flats[8]["gone"] = daysAgo(1)
	flats = append(flats,
		object{"id": "double", "cost": 9000, "currency": "EUR", "area": 100, "status": "duplicate", "rooms": 2,
			"service_constraint": "berlin", "service_postal_code": "12043", "first_seen": daysAgo(1)},
		object{"id": "far", "title": "Far", "cost": 500, "currency": "EUR", "area": 100, "rooms": 3, "location": "Ost",
			"first_seen": daysAgo(1)})
	p := openTab(t, encode(flats), "#/prices", 1280)
	p.test("dismissed and gone ones count, but not duplicates", func() {
		p.see(text(".found a"), "All: 10 flats")
		p.see(firstPriceRow, "Berlin-Neukölln|9|1,200–1,600|1,400|14")
		p.see(`document.querySelector(".bars").ariaLabel.match(/\d+(?=,|$)/g).reduce((sum, n) => sum + Number(n), 0)`, "10")
	})
	p.test("a flat is compared with the same median as in Prices, of all codes of its place", func() {
		p.goTo("#/flat/2", ".address")
		p.see(medianLine, "14% below the median of 9 flats in Berlin-Neukölln")
	})
	p.test("with filters, too, the flat and Prices have the same median", func() {
		p.typeHash("#/prices?cost=..1700")
		p.see(firstPriceRow, "Berlin-Neukölln|8|1,175–1,525|1,350|14")
		p.goTo("#/flat/2", ".address")
		p.see(medianLine, "11% below the median of 8 flats in Berlin-Neukölln")
	})
	p.test("with fewer than eight flats there is no median", func() {
		p.typeHash("#/prices?cost=..1600")
		p.see(firstPriceRow, "Berlin-Neukölln|7|too few||")
		p.goTo("#/flat/2", ".address")
		p.rest(forAnswer)
		p.see(factsText+`.includes("median")`, "false")
	})
	p.test("Only mine leaves what is on the shortlist, and is in the address", func() {
		p.typeHash("#/prices")
		p.see(text(".found a"), "All: 10 flats")
		p.click(onlyMine)
		p.see(text(".found a"), "Shortlist: 2 flats")
		p.see(hash, "#/prices?mine=yes")
		p.reload()
		p.see(isOnlyMine, "true")
	})
	p.test("the list does without it", func() {
		p.press("l")
		p.see(hash, "#/")
	})
}

// plotFlats returns 40 flats, three of them much larger or dearer than the others.
func plotFlats() string {
	var flats []object
	for i := range 40 {
		f := object{"id": i, "title": fmt.Sprint("Flat ", i), "cost": 500 + 10*i, "currency": "EUR", "area": 20 + i}
		switch i {
		case 37:
			f["area"] = 900
			f["status"] = "contacted" // the plot marks the shortlist
		case 38:
			f["cost"] = 90_000
		case 39:
			f["cost"] = 180_000
		}
		flats = append(flats, f)
	}
	return encode(flats)
}

// TestPagePlot tests the scatter plot.
func TestPagePlot(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, plotFlats(), "#/prices", 1280)
	p.test("the axes end where nineteen of twenty flats do", func() {
		p.see(plotMarks, "20 m² 30 m² 40 m² 50 m² €500 €600 €700 €800 €18/m²")
	})
	p.test("the number of flats beyond the axes is said, and their dots are marked", func() {
		p.see(beyondAxes, "3 flats lie beyond the axes")
		p.see(dotsBeyond, "Flat 38,Flat 39,Flat 37")
	})
	p.test("a flat of the shortlist is marked", func() { p.see(markedDots, "contacted") })
	p.test("nothing is said if no flat lies beyond the axes", func() {
		p.typeHash("#/prices?cost=..1000&area=..100")
		p.see(beyondCount, "0")
	})
	plotTwins(p)
	p.test("where the reach of two dots overlaps, a press opens the nearer one, though the other may lie on top", func() {
		p.resize(390)
		at := p.eval(middleOfDot("3")).(object)
		p.clickAt(at["x"], at["y"])
		p.see(hash, "#/flat/3")
	})
}

// TestPagePricesKinds tests that rents and prices of sale in one currency are shown separately, and that no flat is
// dropped.
func TestPagePricesKinds(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	add := func(n, cost, step int) { // n flats, each dearer than the one before by a step
		for i := range n {
			flats = append(flats, object{"id": len(flats), "title": fmt.Sprint("Flat ", len(flats)), "cost": cost + i*step,
				"currency": "EUR", "area": 30 + i, "location": "Ost"})
		}
	}
	add(12, 600, 50)
	add(4, 300000, 50000)
	p := openTab(t, encode(flats), "#/prices", 1280)
	const rents = "€600 €800 €1,000"
	p.test("a few flats for sale lie beyond the axes of flats to rent", func() {
		p.see(kindsOfPrices, " 16 "+rents)
		p.see(plotNotes, "4 flats lie beyond the axes")
	})
	p.test("a press shows flats beyond the axes", func() {
		p.click(showPlot)
		p.see(kindsOfPrices, " 16 €0 €100,000 €200,000 €300,000 €400,000")
		p.see(plotNotes, "")
	})
	flats = append(flats, object{"id": "sale", "title": "Sale", "cost": 500000, "currency": "EUR", "area": 80,
		"location": "Ost"}, object{"id": "bare", "title": "Bare", "cost": 700, "currency": "EUR", "location": "Ost"})
	p.importListings(encode(flats[16:])) // Sale and Bare
	p.reload()
	p.test("more flats for sale have a section of their own, with their number in its closed line", func() {
		p.see(text(".prices details summary"), "For sale 5")
		p.click(".prices summary")
		p.see(kindsOfPrices, "To rent 12 "+rents+"; For sale 5 5 €300,000 €350,000 €400,000 €450,000 €500,000")
	})
	p.test("a flat without an area is counted", func() { p.see(plotNotes, "1 without area") })
	p.test("a flat to rent is compared with the median of rents", func() {
		p.importListings(`[{"id": "other", "title": "Other", "cost": 800, "currency": "EUR", "area": 30,
			"location": "West"}]`)
		p.goTo("#/flat/0", ".address")
		p.see(medianAndAddress, "19% below the median of 12 flats in Ost; Ost")
	})
}

// plotTwins brings flats that are all alike, and shows their prices.
func plotTwins(p *tab) {
	var twins []object
	for i := range 7 {
		twins = append(twins, object{"id": fmt.Sprint("twin", i), "title": "Twin", "location": "Ost", "cost": 700,
			"currency": "EUR", "area": 50})
	}
	p.importListings(encode(twins))
	p.test("seven flats have no median and no quartiles", func() {
		p.typeHash("#/prices?q=twin")
		p.see(firstPriceRow, "Ost|7|too few||")
	})
	p.test("flats that are all alike are drawn", func() { p.see(dotsAreInPlot, "true") })
	p.test("eight flats have a median and quartiles", func() {
		p.importListings(`[{"id": "d", "title": "Twin", "location": "Ost", "cost": 800, "currency": "EUR", "area": 50}]`)
		p.typeHash("#/prices?q=twin&cost=1..")
		p.see(firstPriceRow, "Ost|8|700–700|700|14")
	})
	p.test("each flat has a dot", func() {
		p.typeHash("#/prices?cost=..1000&area=..100")
		p.see(plotCircleCount, "45")
	})
}

// TestPagePricesNarrow tests that a long name leaves room for the numbers on a
// phone, and that what no flat has takes none.
func TestPagePricesNarrow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": 1, "cost": 4695000, "currency": "DKK",
			"location": "Thalkirchen-Obersendling-Forstenried-Fürstenried-Solln"},
		{"id": 2, "cost": 12500000, "currency": "DKK", "location": "Charlottenlund"}]`, "#/prices", 390)
	const heads = "Place,Flats,Quartiles,Median, DKK"
	p.test("without areas there is neither a column of costs per m² nor a plot", func() {
		p.see(marketHeads, heads)
		p.see(plotMissing, "Cost against area: 2 without area")
	})
	p.test("with an area there is a column of costs per m²", func() {
		p.importListings(`[{"id": 3, "cost": 21797500, "currency": "DKK", "area": 100, "location": "Charlottenlund"}]`)
		p.reload()
		p.see(marketHeads, heads+",Cost per m²")
	})
	p.test("a long name leaves room for the numbers", func() {
		p.see(pricesNeedNoScroll, "true")
		p.see(numbersHaveRoom, "true")
	})
	p.importListings(`[{"id": 4, "title": "Long", "cost": 12495000, "currency": "DKK", "area": 145,
		"location": "Frederikkevejgade 2A, Hellerup"},
		{"id": 5, "cost": 9495000, "currency": "DKK", "area": 52},
		{"id": 6, "cost": 9495000, "currency": "DKK", "area": 260}]`)
	p.reload()
	p.test("the tooltip of a cut name is the whole name", func() {
		p.see(longPlace+".title", "Frederikkevejgade 2A, Hellerup")
	})
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.reload()
		p.test(fmt.Sprintf("at %d pixels", width), func() { seeNarrowPrices(p) })
	}
}

// seeNarrowPrices tests the room of words and numbers.
func seeNarrowPrices(p *tab) {
	p.test("the numbers below the plot stand apart", func() {
		p.wait(isThere(chartWord))
		p.see(plotMarksApart, "true")
	})
	p.test("words of a name stay whole, and one that is too long ends in an ellipsis", func() {
		p.see(brokenPlaces, "")
		p.see(`getComputedStyle(`+longPlace+`).textOverflow`, "ellipsis")
	})
	p.test("names have room, and end before the numbers", func() { p.see(placesHaveRoom, "true") })
	p.test("nothing is wider than the window", func() { p.see(fitsAcross, "true") })
}

// TestPageChecked tests that in place of the boxes of a checklist Compare and Duplicates show how many are ticked, and
// the answers.
func TestPageChecked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "phone": "0198", "cost": 700, "area": 40, "location": "Ost",
		"notes": "Nice.\n- [x] Water pressure\n- [x] Heating: gas\n- [ ] Light"},
		{"id": "b", "title": "B", "phone": "0198", "cost": 700, "area": 40, "location": "Ost", "notes": "Plain."}]`,
		"#/duplicates", 1280)
	const want = "2 of 3 checked\nNice.\nHeating: gas|Plain."
	p.test("in Duplicates", func() {
		p.see(notesInViews, want)
		p.see(firstReason, "same phone, similar cost and area, same place")
	})
	p.test("in Compare", func() {
		p.goTo("#/compare/a,b", sideBySide)
		p.see(notesInViews, want)
	})
}
