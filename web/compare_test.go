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

// openCompare opens a comparison of three flats, the last one in another currency, and one that is not there any more.
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
	p.test("the best number of a row is marked for each currency", func() {
		p.see(bestCells, "Cost 2,Cost per m² 1,Area 1,work 1,Rating 2")
		p.see(compareNote, "Currencies are compared separately. No flat gone.")
	})
	p.test("rows have what the flats have", func() {
		p.see(compareNames, "Status,Cost,Cost per m²,Area,Rooms,Lift,Heat source,work,Place,Rating,Visit,Cost changes,"+
			"Site,Notes")
	})
	p.test("the key d hides those in which all are equal", func() {
		p.see(comparedNames("Rooms|Lift|Heat"), "Rooms,Lift,Heat source")
		p.press("d")
		p.see(comparedNames("Rooms|Lift|Heat"), "Heat source")
	})
	p.test("it is printed on one page across, with long notes", func() {
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

// TestPageComparePhone tests flats side by side on a phone.
func TestPageComparePhone(t *testing.T) {
	t.Parallel()
	p := openCompare(t)
	p.wait(isThere(sideBySide))
	p.resize(320)
	p.press("d")
	p.test("nothing is wider than the page, and no control too small", func() {
		p.see(fitsAcross, "true")
		p.see(smallInCompare, "")
	})
	p.test("Follow and Dismiss stand in one row", func() { p.see(brokenDecisions, "0") })
	p.test("the names of flats and rows stay in sight", func() {
		p.eval(scrollCompare(150, 200))
		p.see(compareHeadsInSight, "true")
	})
	p.test("at the end of the page, so do the names of the flats and the last row", func() {
		p.eval(scrollCompare(0, 9999))
		p.eval("scrollTo(0, 99999)")
		p.see(compareEndInSight, "true")
	})
	p.test("notes are whole, and values stand at the top of their rows", func() {
		p.see(comparedNotesWhole, "true")
		p.press("d")
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
		{"id": "c", "title": "`+long+`", "location": "`+long+`", "notes": "`+long+`"}]`, "", 390)
	p.test("of ordinary length", func() {
		p.goTo("#/compare/a,b", "thead th")
		p.see(brokenInCompare, "")
	})
	p.test("but one that would fill the phone", func() {
		p.goTo("#/compare/a,c", "thead th")
		p.see("[...new Set("+brokenInCompare+`.split(","))].join()`, long)
		p.see(fitsAcross, "true")
		p.see(compareWidth+" < 2 * innerWidth", "true")
	})
	p.test("nor names of facts, which are longer in German", func() {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": "de"})
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

// TestPageCompareBest tests which numbers are marked as the best: not those that look like all others, nor a cost
// without utilities beside one with them.
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
		{"id": "g", "title": "G", "service_time_to": {"work": {"time": 0}}}]`, "", 1280)
	for _, c := range []struct{ ids, want string }{
		{"a,b", ""},
		{"a,b,c", "Cost A B,All in A B,Area C"}, // all are 16 €/m²
		{"a,c", "Cost A,All in A,Area C"},
		{"a,d", "Area D"},
		{"a,c,d", "Cost A,All in A,Area C D"},
		{"d,e", "Area D"},
		{"e,f", ""},
		{"e,g", "work G"},
	} {
		p.test(c.ids, func() {
			p.typeHash("#/compare/" + c.ids)
			p.see(bestOf, fmt.Sprintf("%d: %s", strings.Count(c.ids, ",")+1, c.want))
		})
	}
	p.typeHash("#/compare/a,b,d")
	p.see(compareNote, "Costs that include utilities, exclude them, or do not say are compared separately.")
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

// rows returns the rows of Prices, with number, quartiles and the median cost per m², as priceRows has them.
func (m *market) rows() []string {
	quantile := func(all []float64, quarters int) string {
		slices.Sort(all)
		at, rest := quarters*(len(all)-1)/4, float64(quarters*(len(all)-1)%4)
		return strconv.FormatFloat((all[at]*(4-rest)+all[min(at+1, len(all)-1)]*rest)/4, 'f', -1, 64)
	}
	var rows []string
	for group, all := range m.costs {
		rows = append(rows, fmt.Sprintf("%s: %d %s %s %s %s", group, len(all), quantile(all, 1), quantile(all, 2),
			quantile(all, 3), quantile(m.each[group], 2)))
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
	p.test("the currency stands in the heads, and not at each number", func() {
		p.see(priceHeads, "Place|Flats|Lower quartile, EUR|Median, EUR|Upper quartile, EUR|Cost per m², EUR")
		p.see(`/[€A-Z]/.test(`+priceNumbers+`)`, "false")
	})
	p.test("changes of the cost, in percent from half a one", func() {
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

// TestPagePlot tests that the axes of the scatter plot end where nineteen of
// twenty flats do, and that the page says how many lie beyond.
func TestPagePlot(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for i := range 40 {
		f := object{"id": i, "title": fmt.Sprint("Flat ", i), "cost": 500 + 10*i, "currency": "EUR", "area": 20 + i}
		if i >= 38 {
			f["cost"] = 90000 * (i - 37)
		}
		if i == 37 {
			f["area"] = 900
			f["status"] = "contacted" // of the shortlist, which is marked
		}
		flats = append(flats, f)
	}
	p := openTab(t, encode(flats), "#/prices", 1280)
	const marks = `[...document.querySelectorAll(".scatter text")].map(({textContent}) => textContent).join(" ")
		.replaceAll("\u00a0", " ")`
	p.see(marks, "20 m² 30 m² 40 m² 50 m² €500 €600 €700 €800")
	p.see(`document.querySelector("figcaption .soft").innerText`, "3 flats lie beyond the axes")
	p.see(`[...document.querySelectorAll(".scatter circle:not(.reach)[data-status]")].map(({dataset}) => dataset.status)
		.join()`, "contacted")
	p.see(`[...document.querySelectorAll(".scatter a:has(.beyond)")].map(({ariaLabel}) => ariaLabel.slice(0, 7)).join()`,
		"Flat 38,Flat 39,Flat 37")
	p.typeHash("#/prices?cost=..1000&area=..100")
	p.see(`document.querySelectorAll(".scatter .beyond, figcaption .soft").length`, "0")
	// Flats that are all alike are drawn, too. Quartiles say nothing about fewer than four flats.
	p.bring(`[{"id": "a", "title": "Twin", "location": "Ost", "cost": 700, "currency": "EUR", "area": 50},
		{"id": "b", "title": "Twin", "location": "Ost", "cost": 700, "currency": "EUR", "area": 50},
		{"id": "c", "title": "Twin", "location": "Ost", "cost": 700, "currency": "EUR", "area": 50}]`)
	const row = `[...document.querySelector(".prices tbody tr").cells].map(({innerText}) => innerText).join("|")`
	p.typeHash("#/prices?q=twin")
	p.see(row, "Ost|3||700||14")
	p.see(`[...document.querySelectorAll(".scatter circle")].every((dot) => dot.cx.baseVal.value > 0 &&
		dot.cy.baseVal.value > 0)`, "true")
	p.bring(`[{"id": "d", "title": "Twin", "location": "Ost", "cost": 800, "currency": "EUR", "area": 50}]`)
	p.typeHash("#/prices?q=twin&cost=1..")
	p.see(row, "Ost|4|700|700|725|14")
	p.typeHash("#/prices?cost=..1000&area=..100")
	p.see(`document.querySelectorAll(".scatter circle").length`, "41")
	// Where the reach of two dots overlaps, a press opens the nearer one. The other one may lie on top.
	p.resize(390)
	dot := p.eval(`middleOf(document.querySelector(".scatter a[href='#/flat/3']"))`).(object)
	p.clickAt(dot["x"], dot["y"])
	p.see(hash, "#/flat/3")
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
	p.wait(`document.querySelector(".market thead tr")`)
	heads := `[...document.querySelector(".market thead tr").cells].map(({innerText}) => innerText).join()`
	p.see(heads, "Place,Flats,Lower quartile, DKK,Median, DKK,Upper quartile, DKK")
	p.see(`document.querySelector(".market > p").innerText`, "Cost against area: 2 without area")
	p.bring(`[{"id": 3, "cost": 21797500, "currency": "DKK", "area": 100, "location": "Charlottenlund"}]`)
	p.reload()
	p.wait(`document.querySelector(".market thead tr")`)
	p.see(heads, "Place,Flats,Lower quartile, DKK,Median, DKK,Upper quartile, DKK,Cost per m², DKK")
	p.see(`[...document.querySelectorAll(".wide")].every((table) => table.scrollWidth <= table.clientWidth)`, "true")
	p.see(`[...document.querySelectorAll("tbody tr:first-child td")].map((cell) => cell.getBoundingClientRect())
		.every(({left, right}) => left > 70 && right <= 390)`, "true")
	// Words of a name stay whole. One that is too long for its column ends in an ellipsis.
	p.bring(`[{"id": 4, "title": "Long", "cost": 12495000, "currency": "DKK", "area": 145,
		"location": "Frederikkevejgade 2A, Hellerup"},
		{"id": 5, "cost": 9495000, "currency": "DKK", "area": 52},
		{"id": 6, "cost": 9495000, "currency": "DKK", "area": 260}]`)
	p.reload()
	const long = `[...document.querySelectorAll("tbody th")].find(({innerText}) => innerText.startsWith("Frederikke"))`
	p.see(long+".title", "Frederikkevejgade 2A, Hellerup")
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.reload()
		p.wait(`document.querySelector(".scatter text")`)
		p.see(`[...document.querySelectorAll(".scatter text:not(.side)")].map((label) => label.getBoundingClientRect())
			.every(({left}, i, all) => i === 0 || left >= all[i - 1].right + 4)`, "true")
		p.see(`[...document.querySelectorAll("tbody th")].flatMap((name) => {
			const words = name.firstChild;
			return [...words.data.matchAll(/[^\s-]+/g)].filter(({0: word, index}) => {
				const range = document.createRange();
				range.setStart(words, index);
				range.setEnd(words, index + word.length);
				return new Set([...range.getClientRects()].map(({top}) => top)).size !== 1;
			});
		}).join()`, "")
		p.see(`getComputedStyle(`+long+`).textOverflow`, "ellipsis")
		p.see(`[...document.querySelectorAll("tbody th")].every((name) => name.offsetWidth >= 70 &&
			name.getBoundingClientRect().right <= name.nextElementSibling.getBoundingClientRect().left)`, "true")
		p.see(fitsAcross, "true")
	}
}

// TestPageChecked tests that Compare and Duplicates show how much of a checklist is ticked, and its answers, in place
// of its boxes.
func TestPageChecked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "phone": "0198", "cost": 700, "area": 40, "location": "Ost",
		"notes": "Nice.\n- [x] Water pressure\n- [x] Heating: gas\n- [ ] Light"},
		{"id": "b", "title": "B", "phone": "0198", "cost": 700, "area": 40, "location": "Ost", "notes": "Plain."}]`,
		"#/duplicates", 1280)
	const notes = `[...document.querySelectorAll("main p.notes")].map(({innerText}) => innerText).join("|")`
	p.see(notes, "2 of 3 checked\nNice.\nHeating: gas|Plain.")
	p.see(`document.querySelector(".groups h2").textContent`, "same phone, similar cost and area, same place")
	p.goTo("#/compare/a,b", sideBySide)
	p.see(notes, "2 of 3 checked\nNice.\nHeating: gas|Plain.")
}
