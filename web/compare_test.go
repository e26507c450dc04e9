// Tests of Compare, Duplicates and Prices.

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

// TestPageCompare tests that the best number of a row is marked for each
// currency, that equal rows can be hidden, and that long notes are printed on one
// page.
func TestPageCompare(t *testing.T) {
	t.Parallel()
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
	p.eval(`location.hash = "#/compare/a%2Cb%40x,b,c,gone"`)
	p.see(`[...document.querySelectorAll("tbody tr")].filter((row) => row.querySelector(".best"))
		.map((row) => row.cells[0].innerText + " " + [...row.cells].findIndex((cell) => cell.matches(".best"))).join()`,
		"Cost 2,Cost per m² 1,Area 1,work 1,Rating 2")
	p.see(`document.querySelector(".compare .soft").innerText`, "Currencies are compared separately. No flat gone.")
	p.see(`[...document.querySelectorAll("tbody th")].map(({innerText}) => innerText).join()`,
		"Status,Cost,Cost per m²,Area,Rooms,Lift,Heat source,work,Place,Rating,Visit,Cost changes,Site,Notes")
	rows := `[...document.querySelectorAll("tbody th")].map((name) => name.innerText)
		.filter((name) => /Rooms|Lift|Heat/.test(name)).join()`
	p.see(rows, "Rooms,Lift,Heat source")
	p.press("d")
	p.see(rows, "Heat source")
	var pdf struct{ Data []byte }
	p.call(t, p.session, "Page.printToPDF", object{"preferCSSPageSize": true}, &pdf)
	pages := len(regexp.MustCompile(`/Type /Page\b`).FindAll(pdf.Data, -1))
	landscape := bytes.Contains(pdf.Data, []byte("/MediaBox [0 0 841.9"))
	if pages != 1 || !landscape {
		box := regexp.MustCompile(`/MediaBox.*`).Find(pdf.Data)
		t.Errorf("the comparison is printed on %d pages with %s; want 1 page, A4 landscape", pages, box)
	}
	p.resize(320)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.see(`[...document.querySelectorAll(".compare :is(button:not([hidden]), a)")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`, "")
	p.see(`[...document.querySelectorAll(".side-by-side td .line")]
		.filter(({children: [follow, dismiss]}) => follow.offsetTop !== dismiss.offsetTop).length`, "0") // one row
	p.eval(`document.querySelector(".side-by-side").scrollTo(150, 200)`)
	// The names of flats and rows stay in sight.
	p.see(`["thead th", "tbody th"].map((name) => document.querySelector(name).getBoundingClientRect())
		.map(({top, left}, i) => i === 0 ? top : left).every((at) => at >= 0 && at < 260)`, "true")
	// At the end of the page, so do the names of the flats and the last row.
	p.eval(`document.querySelector(".side-by-side").scrollTo(0, 9999); scrollTo(0, 99999)`)
	p.see(`document.querySelector(".side-by-side").getBoundingClientRect().top >= 0 &&
		document.querySelector("tbody tr:last-child").getBoundingClientRect().bottom <=
			document.querySelector("#bar").getBoundingClientRect().top`, "true")
	// Notes are whole, and values stand at the top of their rows.
	p.see(`(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(
		document.querySelector(".side-by-side .notes"))`, "true")
	p.press("d")
	p.see(`[...document.querySelectorAll(".side-by-side tbody td")].filter((cell) =>
		cell.firstChild.getBoundingClientRect().top - cell.getBoundingClientRect().top > 8)
		.map((cell) => cell.parentElement.innerText).join()`, "")
	p.click("td:nth-child(3) button[data-status=followed]")
	p.see(`document.querySelector("td:nth-child(3) button[data-status=followed]").ariaPressed`, "true")
	p.click("thead .close")
	p.see(`location.hash`, "#/compare/b,c,gone")
	p.checkFaults()
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
	const broken = `(() => {
		const found = [];
		const texts = document.createTreeWalker(document.querySelector(".side-by-side"), NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const {currentNode: text} = texts;
			for (const {0: word, index} of text.data.matchAll(/[\p{L}\d]+/gu)) {
				const range = document.createRange();
				range.setStart(text, index);
				range.setEnd(text, index + word.length);
				const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
				if (lines.size > 1 && !text.parentElement.closest(".sr")) found.push(word);
			}
		}
		return found.join();
	})()`
	p.goTo("#/compare/a,b", ".side-by-side thead th")
	p.see(broken, "")
	p.goTo("#/compare/a,c", ".side-by-side thead th")
	p.see("[...new Set("+broken+`.split(","))].join()`, long)
	p.see(`document.documentElement.scrollWidth <= innerWidth &&
		document.querySelector(".side-by-side").scrollWidth < 2 * innerWidth`, "true")
	// Names of facts are longer in German.
	p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": "de"})
	p.eval(`location.hash = "#/compare/a,b"`)
	p.reload()
	p.see(`/Nebenkosten/.test(document.querySelector(".side-by-side tbody")?.textContent) && `+broken, "")
	p.checkFaults()
}

// TestPageComparePhotos tests that photos are 3:2 and at most 320 pixels wide, whether they load or not.
func TestPageComparePhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "photos": ["https://127.0.0.1:1/1.jpg"]}, {"id": "b", "title": "B",
		"photos": ["data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 90'/%3E"]}]`,
		"#/compare/a,b", 1280)
	const sizes = `[...document.querySelectorAll(".side-by-side .photo")].map(({tagName, offsetWidth, offsetHeight}) =>
		[tagName, offsetWidth > 100 && offsetWidth <= 320, Math.abs(offsetWidth / offsetHeight - 1.5) < 0.02].join(" "))
		.join()`
	for _, width := range []int{1280, 390} {
		p.resize(width)
		p.see(sizes, "SPAN true true,IMG true true")
	}
	p.checkFaults()
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
		p.eval(`location.hash = "#/compare/` + c.ids + `"`)
		p.see(`(([head, ...rows]) => head.cells.length - 1 + ": " + rows.filter((row) => row.querySelector(".best"))
			.map((row) => [...row.cells].map((cell, i) => i === 0 ? cell.innerText
			: cell.matches(".best") && head.cells[i].querySelector("a").innerText).filter(Boolean).join(" ")).join())(
			document.querySelector(".side-by-side table")?.rows ?? [{cells: []}])`,
			fmt.Sprintf("%d: %s", strings.Count(c.ids, ",")+1, c.want))
	}
	p.eval(`location.hash = "#/compare/a,b,d"`)
	p.see(`document.querySelector(".compare .soft").innerText`,
		"Costs that include utilities, exclude them, or do not say are compared separately.")
	p.checkFaults()
}

// TestPageDuplicates tests that flats are ticked for which a photo, the phone or
// the listing speaks, that one press merges listings of the same home, another
// undoes it, and that flats that are not the same are not proposed again.
func TestPageDuplicates(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "old@x", "title": "Old", "cost": 800, "currency": "EUR", "area": 46, "service_postal_code": "69007",
			"date": "2026-01-01"},
		{"id": "mine@x", "title": "Mine", "cost": 800, "currency": "EUR", "area": 46, "service_postal_code": "69007",
			"utilities": "included", "date": "2026-02-01", "notes": "Ring twice.", "merged_ids": ["former@x"]},
		{"id": 7, "title": "<i>Seven", "cost": 801, "currency": "EUR", "area": 46.2, "service_postal_code": "69007"},
		{"id": "u1", "title": "U1", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost", "phone": "+33 (0)1",
			"urls": ["https://x.invalid/u"]},
		{"id": "u2", "title": "U2", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost",
			"urls": ["https://x.invalid/v", "https://x.invalid/u"]},
		{"id": "u3", "title": "U3", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost", "phone": "+3301"},
		{"id": "u4", "title": "U4", "cost": 500, "currency": "EUR", "area": 20, "location": "Ost", "phone": "+33"},
		{"id": "p1", "title": "P1", "photos": ["https://x.invalid/1"]},
			{"id": "p2", "title": "P2", "photos": ["https://x.invalid/1"]}]`, "#/duplicates", 1280)
	groups := `[...document.querySelectorAll(".groups article")].map((group) => {
		const flats = [...group.querySelectorAll(".homes > li")].map((flat) => flat.querySelector("a").innerText +
			(flat.querySelector("[type=checkbox]").checked ? "+" : "") +
			(flat.querySelector("[type=radio]").checked ? "!" : ""));
		return group.querySelector("h2").innerText + ": " + flats.join(" ");
	}).join("; ")`
	const other = "; Same phone, similar cost and area, same place, same link: U1+! U2+ U3+ U4"
	const photo = other + "; Same photo: P1+! P2+"
	p.see(groups, "Same place, similar cost and area: Old Mine <i>Seven"+photo)
	p.see(`[...document.querySelectorAll(".groups article:first-child button")].map(({disabled}) => disabled).join()`,
		"true,false")
	p.see(`document.querySelector(".homes .cost:has(small)").getClientRects()[0].height < 30`, "true") // one line
	// Two groups stand in a row of a wide window. What differs within one is tinted.
	p.see(`(([one, other, third]) => one.top === other.top && one.right < other.left && third.top > one.top)(
		[...document.querySelectorAll(".groups article")].map((group) => group.getBoundingClientRect()))`, "true")
	p.see(`[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(".differs")].map(({innerText}) => innerText.replace(/\s+/g, " ")).join()).join("|")`,
		"€800,46 m²,€800 incl. utilities,46 m²,€801,46.2 m²||")
	p.see(`getComputedStyle(document.querySelector(".differs")).backgroundColor === "rgba(0, 0, 0, 0)"`, "false")
	// Where too few are ticked for "Same home", the group says what to do.
	const why = `[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(":scope > p:not([hidden])")].map(({innerText}) => innerText).join()).join("; ")`
	p.see(why, "Tick the flats that are the same home.; ; ")
	// Where no flat of a group has a photo, there is no room for one.
	p.see(`[...document.querySelectorAll(".groups article")].map((group) =>
		group.querySelectorAll(".photo").length).join()`, "0,0,2")
	// Without ticks there is no next step, so no button is filled.
	p.see(`new Set([...document.querySelectorAll(".groups article:first-child button")].map((button) =>
		getComputedStyle(button).backgroundColor)).size`, "1")
	for i := 1; i <= 3; i++ {
		p.click(fmt.Sprintf(".groups li:nth-child(%d) [type=checkbox]", i))
	}
	const all = "Same place, similar cost and area: Old+ Mine+! <i>Seven+" + photo
	p.see(groups, all)
	p.see(why, "; ; ")
	// A group keeps its ticks and its choice while another one is decided.
	p.click(".groups article:last-child li:last-child [type=radio]")
	p.click(".groups article:last-child [type=checkbox]")
	p.click(".groups .primary")
	p.see(groups, other[2:]+"; Same photo: P1 P2+!")
	p.click(".groups article:last-child [type=checkbox]")
	p.see(groups, other[2:]+"; Same photo: P1+ P2+!")
	p.click(".groups article:last-child [type=radio]")
	checkStored := func(want string) {
		t.Helper()
		got := p.eval(`fetch("api/v1/flats?sort=title").then((r) => r.json())
			.then(({data}) => data.map(({status, merged_ids, not_duplicates}) =>
			[status, JSON.stringify(merged_ids), JSON.stringify(not_duplicates)].join(" ")).join("; "))`)
		if got != want {
			t.Errorf("the flats have %s; want %s", got, want)
		}
	}
	const rest = "; new null ; new null ; new null ; new null ; new null ; new null "
	checkStored("duplicate null ; new [\"former@x\",\"old@x\",7] ; duplicate null " + rest)
	p.press("u")
	p.see(groups, all)
	checkStored("new null ; new [\"former@x\"] ; new null " + rest)
	// Mine and Seven are not the same home, and neither is Old.
	p.click(".groups [type=checkbox]")
	p.click(".groups .primary + button")
	p.see(groups, "Same place, similar cost and area: Old Mine"+photo)
	p.press("n")
	p.see(groups, "Same place, similar cost and area: Old <i>Seven"+photo)
	p.press("n")
	p.see(groups, photo[2:])
	p.reload()
	p.see(groups, photo[2:])
	// "Compare" adds to what was chosen before.
	p.eval(`localStorage[keptAs("flats.compare")] = '["old@x", "u1"]'`)
	p.reload()
	p.see(groups, photo[2:])
	p.click(".groups a.button")
	p.wait(`document.querySelector(".side-by-side")`)
	p.see("location.hash", "#/compare/old%40x,u1,u2,u3,u4")
	p.eval("history.back()")
	p.see(groups, photo[2:])
	checkStored("new null [\"mine@x\",\"old@x\"]; new [\"former@x\"] [7,\"old@x\"]; new null [\"mine@x\",7]" + rest)
	p.resize(320)
	// The box leaves the title the whole width of its column.
	p.see(`[...document.querySelectorAll(".homes > li")].filter((home) => home.querySelector(".line a")
		.getBoundingClientRect().left !== home.getBoundingClientRect().left).length`, "0")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.checkFaults()
}

// TestPagePrices tests the medians and quartiles of each currency, and that a dot
// opens its flat.
func TestPagePrices(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var flats []map[string]any
	costs, each := map[string][]float64{}, map[string][]float64{} // by currency, table and row
	for i := range 200 {
		f := object{"id": i, "title": fmt.Sprint("Flat ", i), "cost": random.IntN(900),
			"currency": pick(random, []string{"EUR", "EUR", "DKK"}),
			"area":     pick(random, []int{0, 32, 64}), "rooms": pick(random, []int{0, 1, 2}),
			"location": pick(random, []string{"Mitte", "Wedding"}), "date": "2026-03-04"}
		if i%9 == 0 {
			f["cost"] = 0
		}
		flats = append(flats, f)
		cost, area := float64(f["cost"].(int)), float64(f["area"].(int))
		rooms := map[int]string{0: "Unknown", 1: "1 room", 2: "2 rooms"}[f["rooms"].(int)]
		for _, group := range []string{"Place, " + f["location"].(string), "Rooms, " + rooms} {
			group = f["currency"].(string) + ", " + group
			if cost > 0 {
				costs[group] = append(costs[group], cost)
			}
			if cost > 0 && area > 0 {
				each[group] = append(each[group], cost/area)
			}
		}
	}
	flats[1]["cost_history"] = // below half a percent
		json.RawMessage(`[{"date": null, "cost": 900}, {"date": "` + daysAgo(31) + `", "cost": 897}]`)
	flats[0]["currency"], flats[0]["cost_history"] = "EUR",
		json.RawMessage(`[{"date": null, "cost": 1000}, {"date": "`+daysAgo(30)+`", "cost": 900}]`)
	p := openTab(t, encode(flats), "#/prices", 1280)
	p.wait(`document.querySelector(".market")`)
	var got, want []string
	text := fmt.Sprint(p.eval(`JSON.stringify([...document.querySelectorAll(".market")].flatMap((market) =>
		[...market.querySelectorAll("tbody tr")].map((row) =>
		[market.previousElementSibling.innerText, row.closest("table").tHead.rows[0].cells[0].innerText,
			row.cells[0].innerText].join(", ") + ": " +
		[row.cells[1].innerText, ...[...row.querySelectorAll("data")].map(({value}) => value)].join(" "))))`))
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	quantile := func(all []float64, quarters int) string {
		slices.Sort(all)
		at, rest := quarters*(len(all)-1)/4, float64(quarters*(len(all)-1)%4)
		return strconv.FormatFloat((all[at]*(4-rest)+all[min(at+1, len(all)-1)]*rest)/4, 'f', -1, 64)
	}
	for group, all := range costs {
		want = append(want, fmt.Sprintf("%s: %d %s %s %s %s", group, len(all), quantile(all, 1), quantile(all, 2),
			quantile(all, 3), quantile(each[group], 2)))
	}
	slices.Sort(want)
	slices.Sort(got)
	p.see(`[...document.querySelectorAll(".market:first-of-type thead")].map(({innerText}) => innerText.trim())[0]
		.split(/\s*\t\s*/).join("|")`,
		"Place|Flats|Lower quartile, EUR|Median, EUR|Upper quartile, EUR|Cost per m², EUR")
	p.see(`/[€A-Z]/.test([...document.querySelectorAll(".market data")].map(({innerText}) => innerText))`, "false")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	change := func(n int) string {
		return fmt.Sprintf(`document.querySelectorAll(".changes li")[%d].innerText.replace(/\s/g, " ")`, n)
	}
	p.see(change(0), "Flat 0 €1,000 → €900 −10% "+dayAgo(30))
	p.see(`/900 → .*897.*−\D*3 `+dayAgo(31)+`/.test(`+change(1)+`)`, "true")
	p.see(`document.querySelector(".bars").ariaLabel`, "New per week: 2 Mar 200")
	p.wait(`document.querySelector(".scatter a").ariaLabel.startsWith("Flat ")`)
	// Tab reaches one dot, and the arrow keys go on from there.
	p.see(`document.querySelectorAll(".scatter")[0].querySelectorAll("a[tabindex='0']").length`, "1")
	p.eval(`document.querySelector(".scatter a[tabindex='0']").focus()`)
	p.key("ArrowRight")
	p.see(`[...document.querySelectorAll(".scatter a")].indexOf(document.activeElement)`, "1")
	p.key("ArrowLeft")
	p.key("ArrowLeft")
	p.see(`document.activeElement === [...document.querySelector(".scatter").querySelectorAll("a")].at(-1)`, "true")
	// The headings of the currencies keep their distance.
	p.see(`[...document.querySelectorAll(".prices h2 + .market")].every((market) => {
		const {top, bottom} = market.previousElementSibling.getBoundingClientRect();
		const before = market.previousElementSibling.previousElementSibling ?? document.querySelector(".found");
		return top - before.getBoundingClientRect().bottom >= 16 && market.getBoundingClientRect().top - bottom >= 8;
	})`, "true")
	p.clickOn(`[...document.querySelectorAll(".scatter a")].at(-1)`)
	p.wait(`document.querySelector(".flat")`)
	p.checkFaults()
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
	p.eval(`location.hash = "#/prices?cost=..1000&area=..100"`)
	p.see(`document.querySelectorAll(".scatter .beyond, figcaption .soft").length`, "0")
	// Flats that are all alike are drawn, too. Quartiles say nothing about fewer than four flats.
	p.bring(`[{"id": "a", "title": "Twin", "location": "Ost", "cost": 700, "currency": "EUR", "area": 50},
		{"id": "b", "title": "Twin", "location": "Ost", "cost": 700, "currency": "EUR", "area": 50},
		{"id": "c", "title": "Twin", "location": "Ost", "cost": 700, "currency": "EUR", "area": 50}]`)
	const row = `[...document.querySelector(".prices tbody tr").cells].map(({innerText}) => innerText).join("|")`
	p.eval(`location.hash = "#/prices?q=twin"`)
	p.see(row, "Ost|3||700||14")
	p.see(`[...document.querySelectorAll(".scatter circle")].every((dot) => dot.cx.baseVal.value > 0 &&
		dot.cy.baseVal.value > 0)`, "true")
	p.bring(`[{"id": "d", "title": "Twin", "location": "Ost", "cost": 800, "currency": "EUR", "area": 50}]`)
	p.eval(`location.hash = "#/prices?q=twin&cost=1.."`)
	p.see(row, "Ost|4|700|700|725|14")
	p.eval(`location.hash = "#/prices?cost=..1000&area=..100"`)
	p.see(`document.querySelectorAll(".scatter circle").length`, "41")
	// Where the reach of two dots overlaps, a press opens the nearer one. The other one may lie on top.
	p.resize(390)
	dot := p.eval(`middleOf(document.querySelector(".scatter a[href='#/flat/3']"))`).(object)
	p.clickAt(dot["x"], dot["y"])
	p.see("location.hash", "#/flat/3")
	p.checkFaults()
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
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	}
	p.checkFaults()
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
	p.goTo("#/compare/a,b", ".side-by-side")
	p.see(notes, "2 of 3 checked\nNice.\nHeating: gas|Plain.")
	p.checkFaults()
}
