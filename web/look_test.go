// Tests of how the list looks: table, cards, colours, print.

package web

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// openTable opens the list of the sample on a laptop of 1280 × 900.
func openTable(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, "", "", 1280)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false})
	p.see(rowCount, "10")
	return p
}

// TestPageTable tests the room and the look of the table.
func TestPageTable(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTable(t)
	p.test("ten rows are in sight", func() { p.see(tableRowsInSight, "10") })
	p.test("photos are large enough to see a room", func() { p.see(tablePhotoSizes, "72 48") })
	p.test("numbers stand under each other", func() {
		p.see(numberAligns, "right")
		p.see(costDigits, "tabular-nums")
	})
	p.test("titles have what the other columns leave", func() { p.see(titleHeadWidth+" >= 480", "true") })
	p.test("rows have one height", func() { p.see(rowHeights, "56") })
	p.test("no row runs over the next one once another view has loaded its style", func() {
		p.see(highRowTexts, "")
		p.goTo("#/visits", "h1")
		p.goTo("#/", ".row")
		p.see(rowHeights, "56")
		p.see(highRowTexts, "")
	})
	p.test("a title that is cut has a tooltip", func() {
		p.resize(900)
		p.eval(`document.documentElement.style.setProperty("--small", "18px")`)
		p.see(wrongTooltipCount, "0")
		p.see(tooltipOfBright, "Bright one-bedroom on the Croix-Rousse plateau")
	})
	p.test("the buttons of a row name its flat", func() {
		p.see(firstRowButtons,
			"Follow: Bright one-bedroom on the Croix-Rousse plateau|Dismiss: Bright one-bedroom on the Croix-Rousse plateau|"+
				"Compare: Bright one-bedroom on the Croix-Rousse plateau")
	})
	p.test("a phone of 844 pixels has six cards in sight", func() {
		p.resize(390)
		p.typeHash("#/")
		p.see(rowCount, "10")
		p.see(cardsInWindow+" >= 6", "true")
	})
}

// TestPageTableColumns tests that columns in which no row has anything leave their room to the titles.
func TestPageTableColumns(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTable(t)
	p.test("a column in which some row has something is there", func() {
		p.see(shownColumns, "picture,title,cost,cost_per_area,area,rooms,travel_time,since,actions")
		p.see(columnNames, "Title,Cost,Cost per m²,Area,Rooms,Travel time,Since")
	})
	p.test("a status is a word only where it says something", func() { p.see(aRowSaysToSort, "false") })
	p.test("a column in which no row has anything is not there", func() {
		p.typeHash("#/?tab=new&cost=..800")
		p.see(rowCount, "3")
		p.see(shownColumns, "picture,title,cost,cost_per_area,area,rooms,travel_time,since,actions")
		p.see(titleHeadWidth+" >= 500", "true")
	})
	p.test("a rating stands in the second line", func() {
		p.focusRow(1)
		p.press("4")
		p.see(firstRating, "★ 4")
	})
}

// openFullCards opens the list on a phone, with filters and a saved view. The flats have all that a card can show.
func openFullCards(t *testing.T) *tab {
	t.Helper()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "A bright flat with a long title, number %[1]d",
			"cost": %d, "currency": "DKK", "area": 62, "rooms": 2, "location": "Friedrichshain", "status": %q,
			"notation": 4, "visit_date": "2031-12-01T18:00:00", "service_time_to": {"gym": {"time": 1200}},
			"photos": ["https://127.0.0.1:1/%[1]d"], "gone": "2026-11-03T10:00:00Z",
			"cost_history": [{"date": null, "cost": 9000000}, {"date": "2026-11-03T10:00:00Z", "cost": 8500000}]}`,
			i, 8500000+i, []string{"contacted", "followed"}[i%2]))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?tab=shortlist&cost=..9000000&area=20..&rooms=1..", 390)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true})
	p.eval(`fetch("api/v1/views/Two", {method: "PUT", body: '{"query": "min[rooms]=2"}'})`)
	p.reload()
	p.wait(isThere(savedView))
	p.wait(rowTagCount + " >= 40")
	p.eval(defineIsWhole)
	return p
}

// TestPageCards tests the cards of a phone.
func TestPageCards(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFullCards(t)
	p.test("cards are at most 100 pixels high, even with every fact and tag", func() { p.see(highCardCount, "0") })
	p.test("the first card begins near the top", func() { p.see(firstRowTop+" <= 200", "true") })
	p.test("the tabs are one line, which scrolls", func() { p.see(tabLineCount, "1") })
	p.test("a tab that the edge cuts off fades", func() { p.see(tabsFade, "true") })
	p.test("six cards are whole above the bar", func() { p.see(cardsAboveBar, "6") })
	p.test("Follow is the only button, and a finger can hit it", func() { p.see(cardButtons, "44 true Follow") })
	p.test("a cost of seven digits leaves space for all facts but the rooms, which are cut", func() {
		p.see(firstCardFacts, "DKK 8,500,000,62 m²,rooms,20 min")
	})
	p.test("facts end within the card, with or without a heart", func() { p.see(beyondCards, "") })
	p.test("cards are no higher on a narrow phone", func() {
		p.resize(320)
		p.see(fitsAcross, "true")
		p.see(highCardCount, "0")
	})
}

// TestPageCardFacts tests that a card has the monthly sum, that its facts are whole, and that its title ends next to
// the heart.
func TestPageCardFacts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": 1, "title": "A title that is longer than the line of a phone has room for", "cost": 2330, "currency": "EUR",
			"charges": 360, "utilities": "excluded", "area": 102, "rooms": 3.5, "photos": ["https://127.0.0.1:1/1"]},
		{"id": 2, "title": "A title that is longer than the line of a phone has room for", "cost": 14500, "currency": "DKK",
			"area": 88, "rooms": 4, "status": "followed", "notation": 3, "photos": ["https://127.0.0.1:1/2"]},
		{"id": 3, "title": "A title that is longer than the line of a phone has room for", "cost": 1450000, "currency": "DKK",
			"area": 102, "rooms": 3.5, "photos": ["https://127.0.0.1:1/3"]}]`, "#/?tab=all", 390)
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.eval(defineIsWhole)
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.see(rowCount, "3")
			p.see(allInCosts, "€2,690 all in")
			p.see(cutInFacts, "")
			p.see(roomBesideTitles+" <= 8", "true")
		})
	}
}

// TestPageRatings tests that the ratings of rows stand under each other.
func TestPageRatings(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "One", "status": "followed", "notation": 3.5, "location": "Haidhausen"},
		{"id": 2, "title": "Two", "status": "contacted", "notation": 4, "gone": "2026-11-03T10:00:00Z"},
		{"id": 3, "title": "Three", "status": "visited", "notation": 5, "location": "Schwabing"}]`,
		"#/?tab=shortlist", 1280)
	for _, width := range []int{1280, 900} {
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.resize(width)
			p.see(rowCount, "3")
			p.see(ratingEdgeCount, "1")
		})
	}
}

// TestPageCardsWhole tests which parts of cards are never cut, however long they are.
func TestPageCardsWhole(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openFullCards(t)
	p.resize(320)
	p.importListings(`[{"id": "new@site", "cost": 900, "currency": "EUR", "charges": 9000, "utilities": "excluded",
		"area": 120, "photos": ["https://127.0.0.1:1/new"],
		"next_step": "Send all the documents", "next_date": "2026-01-01"}]`)
	for _, c := range []struct{ sentence, hash string }{
		{"next to the button that dismisses", "#/?site=site&cost=1.."},
		{"without that button", "#/?place=80331+A+place+with+a+name+that+is+very+long"},
	} {
		p.test("the cross of a chip is in sight, "+c.sentence, func() {
			p.typeHash(c.hash)
			p.wait(isThere(firstChip) + " && !" + isThere(followedRow))
			p.see(crossIsInSight, "true")
		})
	}
}

// TestPageGaps tests the place of a photo that does not load, and of a missing one.
func TestPageGaps(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const broken = `, "photos": ["https://127.0.0.1:1/x"]`
	for width, gap := range map[int]string{390: "96", 1280: "72"} {
		p := openTab(t, `[{"id": 1, "title": "One"`+broken+`}, {"id": 2, "title": "Two"}]`, "", width)
		p.test(fmt.Sprintf("it leaves no box at %d pixels, and nothing moves", width), func() {
			p.wait(rowGapCount + " === 2")
			p.see(rowGapLooks, gap+" rgba(0, 0, 0, 0)")
			p.see(houseGapCount, "2")
			p.see(photoPlaceIsKept, "true")
		})
		p = openTab(t, `[{"id": 1, "title": "One"}, {"id": 2, "title": "Two"}]`, "", width)
		p.test(fmt.Sprintf("where no flat has a photo, no place is kept for one at %d pixels", width), func() {
			p.see(rowCount, "2")
			p.see(photoPlaceIsKept, "false")
		})
	}
}

// dearFlats returns flats with costs of millions, and with monthly sums.
func dearFlats() string {
	at := browserNow().Format(time.RFC3339)
	day := browserNow().AddDate(0, 0, 1).Format(time.DateOnly)
	return fmt.Sprintf(`[
		{"id": "a", "title": "A title that is longer than the line of a phone", "cost": 14500000, "currency": "DKK",
			"area": 178, "rooms": 5, "bedrooms": 4, "location": "2100 København Ø", "first_seen": %[1]q,
			"service_time_to": {"park": {"time": 960}}, "photos": ["https://127.0.0.1:1/a"]},
		{"id": "b", "title": "Bright", "cost": 1250000, "currency": "CHF", "area": 145, "rooms": 5.5, "first_seen": %[1]q,
			"location": "8002 Zürich"},
		{"id": "c", "title": "Cheap", "cost": 1500, "currency": "EUR", "charges": 260, "utilities": "excluded",
			"area": 72, "rooms": 2.5, "first_seen": %[1]q, "location": "80331 München"},
		{"id": "d", "title": "Decided", "cost": 8995000, "currency": "DKK", "area": 115, "rooms": 4, "status": "followed",
			"first_seen": %[1]q, "visit_date": "%[2]sT18:00:00", "next_step": "Call", "next_date": %[2]q, "phone": "0198",
			"location": "A street with a long name 12, 2100 København Ø"}]`, at, day)
}

// defineIsWhole defines a function in the page, isWhole, which reports whether the text of an element is in one line
// and nothing around the element cuts the text. It allows the text 1 pixel beyond the sides, and 4 above and below.
const defineIsWhole = `window.isWhole = (element) => {
	const words = document.createRange();
	words.selectNodeContents(element);
	const box = words.getBoundingClientRect();
	if (new Set([...words.getClientRects()].map(({bottom}) => Math.round(bottom))).size > 1) return false;
	for (let part = element; part !== document.documentElement; part = part.parentElement) {
		const {left, right, top, bottom} = part.getBoundingClientRect();
		const cuts = getComputedStyle(part).overflow !== "visible";
		const isBeyond = box.left < left - 1 || box.right > right + 1 || box.top < top - 4 || box.bottom > bottom + 4;
		if (cuts && isBeyond) return false;
	}
	return box.width > 0 && box.right <= innerWidth;
}`

// TestPageAmounts tests that on a phone no cost is cut or broken; that in cards and in the view of a flat only whole
// facts give way to a long cost; that the age, the visit and the next step of a card are whole, too; and that no flat
// is wider than the window.
func TestPageAmounts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, dearFlats(), "", 390)
	for _, language := range []string{"en-GB", "de-DE"} {
		p.setLanguage(language)
		p.opens("#/")
		p.reload()
		for _, width := range []int{390, 360, 320} {
			p.resize(width)
			p.eval(defineIsWhole)
			p.test(fmt.Sprintf("in %s at %d pixels", language, width), func() { seeAmounts(p) })
		}
	}
}

// seeAmounts tests that amounts and facts are whole in cards, in the view of each flat and in Triage.
func seeAmounts(p *tab) {
	for sort, cut := range cutInSorted {
		p.test("amounts, ages and tags of cards are whole, sorted by "+sort, func() {
			p.typeHash("#/?sort=" + sort)
			p.see(rowsSortedBy(sort), "4")
			p.see(cut, "")
		})
		p.test("cards are at most 100 pixels high, sorted by "+sort, func() { p.see(highCardsWithoutVisit, "0") })
	}
	for _, id := range []string{"a", "b", "c", "d"} {
		p.test("facts of the flat "+id+" are whole, and it is as wide as the window", func() {
			p.goTo("#/flat/"+id, factsPart)
			p.see(cutFacts, "")
			p.see(fitsAcross, "true")
		})
	}
	p.test("facts in Triage are whole", func() {
		p.goTo("#/triage", factsPart)
		p.see(cutCardFacts, "")
	})
}

// TestPageLargeText tests that no view is wider than a phone, and that no lines of a card overlap, if the system or the
// browser makes letters up to twice as large.
func TestPageLargeText(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, dearFlats(), "", 390)
	p.changeElsewhere("c", `{"visit_date": "`+browserNow().AddDate(0, 0, 1).Format(time.DateOnly)+`T19:00:00"}`)
	p.do("Emulation.setDeviceMetricsOverride", // nothing but a phone makes letters larger than the page does
		object{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true})
	p.opens("#/?tab=all")
	p.reload()
	p.wait(isThere(anyRow))
	p.eval(defineIsWhole)
	usualSize := p.eval(titleLetters).(float64)
	for _, percent := range []int{130, 200} {
		p.opens("#/?tab=all")
		p.eval(fmt.Sprintf(`document.documentElement.style.webkitTextSizeAdjust = "%d%%"`, percent))
		p.see(fmt.Sprintf("Math.round(100 * %s / %v)", titleLetters, usualSize), strconv.Itoa(percent))
		p.test(fmt.Sprintf("no lines of a card overlap at %d %%", percent), func() { p.see(overlappingCards, "0") })
		p.test(fmt.Sprintf("costs and ages of cards are whole at %d %%", percent), func() {
			p.see(cutInCards(".cost"), "")
		})
		for _, view := range []struct{ hash, last string }{
			{"#/?tab=all", anyRow}, {"#/flat/a", ownPart}, {"#/flat/d", ownPart}, {"#/today", dueGroup},
			{"#/triage", triageCard}, {"#/visits", visitDay}, {"#/compare/a,b", anyTable}, {"#/duplicates", anyHeading},
			{"#/prices", anyTable}, {"#/import", anyHeading}, {"#/add", anyTextarea},
		} {
			p.test(fmt.Sprintf("%s is as wide as the window at %d %%", view.hash, percent), func() {
				p.goTo(view.hash, view.last)
				p.see(fitsAcross, "true")
				p.see(beyondRight, "")
			})
		}
		p.test(fmt.Sprintf("the actions of a flat are whole at %d %%", percent), func() {
			p.goTo("#/flat/d", ownPart)
			p.see(cutActions, "")
		})
	}
}

// TestPageAligned tests that the heads of the table stand exactly above their columns, and that in a narrow table no
// column has two numbers.
func TestPageAligned(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?tab=all", 1280)
	p.changeElsewhere("4711", `{"charges": 150}`) // so that a second number could stand in the column of costs
	p.reload()
	p.see(smallCostOf("4711"), "€895 all in")
	for _, width := range []int{1440, 1280, 1200, 900} {
		p.resize(width)
		for _, sort := range []string{"cost", "-cost_per_area", "area", "-rooms", "travel_time", "-first_seen",
			"title"} {
			p.test(fmt.Sprintf("sorted by %s at %d pixels", sort, width), func() {
				p.typeHash("#/?tab=all&sort=" + sort)
				column := strings.TrimPrefix(sort, "-")
				if column == "first_seen" {
					column = "since" // the only column that is not called as its field
				}
				p.wait(orderOf(column))
				p.see(rowCount, "15")
				p.see(strayHeads, "")
				p.see(crowdedColumns, "")
			})
		}
	}
}

// TestPageRowLook tests the look of rows in the table.
func TestPageRowLook(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?tab=all&sort=title", 900)
	p.see(rowCount, "15")
	p.test("the row of the keyboard is tinted", func() {
		p.focusRow(1)
		p.press("j")
		p.see(groundOf(2)+" === "+groundOf(3), "false")
		p.see(groundOf(1)+" === "+groundOf(3), "true")
	})
	p.test("a pressed Follow and a pressed Dismiss each have their own colour", func() {
		p.see(pressedLook+`("followed")`, "true")
		p.see(pressedLook+`("ignored")`, "true")
	})
	p.setLanguage("en-US")
	p.typeHash("#/?tab=all")
	p.reload()
	for _, width := range []int{1280, 1440} {
		p.resize(width)
		p.test(fmt.Sprintf("at %d pixels a time of day is in one line, and so is a visit", width), func() {
			p.see(rowCount, "15")
			p.see(brokenTimes, "")
		})
		p.test(fmt.Sprintf("at %d pixels no row is taller than its photo needs", width), func() { p.see(tallestRow, "56") })
	}
}

// TestPageLines tests what is aligned: the numbers of a row of the narrow table, the button "Edit" with the facts, the
// columns of both tables of prices, the first week with its chart, and the facts of flats that are probably one home.
func TestPageLines(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 900)
	p.importListings(`[{"id": "x", "title": "X", "phone": "0198", "cost": 700, "currency": "EUR", "area": 40,
		"location": "Ost", "photos": ["https://127.0.0.1:1/x"]},
		{"id": "y", "title": "A title that needs several lines, because it says all that the listing has to say",
			"phone": "0198", "cost": 700, "currency": "EUR", "area": 40, "location": "Ost", "notes": "Loud."}]`)
	p.eval(defineLineOf)
	p.wait(rowAt(1))
	p.test("the numbers of a row stand on one line", func() { p.see(rowOutOfLineCount, "0") })
	for _, width := range []int{1280, 390} {
		p.resize(width)
		p.test(fmt.Sprintf("Edit stands in line with the facts at %d pixels", width), func() {
			p.typeHash("#/flat/lyon-1042%40example")
			p.wait(isThere(editButton))
			p.see(editIsInLine, "true")
		})
		p.test(fmt.Sprintf("the parts of two flats that are probably one home stand in line at %d pixels", width), func() {
			p.typeHash("#/duplicates")
			p.see(groupFlatCount, "2")
			p.see(homesOutOfLine, "")
		})
		p.test(fmt.Sprintf("the columns of both tables of prices stand in line at %d pixels", width), func() {
			p.typeHash("#/prices")
			p.wait(isThere(weeksChart))
			p.see(priceEdges, "2,1")
		})
		p.test(fmt.Sprintf("the first week stands in line with its chart at %d pixels", width), func() {
			p.see(noWeekLeftOfChart, "true")
		})
	}
}

// TestPageApart tests that words about the network, and about what waits for it, keep their distance from the view.
func TestPageApart(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.eval(`localStorage[keptAs("flats.waiting")] = JSON.stringify([
		{key: 1, id: "4711", name: "notation", was: null, set: 2, theirs: 4, title: "Loft"}])`)
	p.reload()
	for _, hash := range []string{"#/", "#/flat/4711", "#/visits", "#/map"} {
		p.typeHash(hash)
		p.wait(isThere(lastInWaiting) + " && " + isThere("main "+anyHeading))
		for _, width := range []int{1280, 390} {
			p.resize(width)
			p.test(fmt.Sprintf("at %s at %d pixels", hash, width), func() { p.see(waitingIsApart, "true,true") })
		}
	}
}

// TestPageBoxes tests that empty boxes look like empty fields, also in the dark.
func TestPageBoxes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "One", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
		{"id": 2, "title": "Two", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
		{"id": 3, "title": "Three", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"}]`, "#/duplicates", 390)
	p.see(homeRadioCount, "3")
	p.eval(emptyHomeBoxes)
	for _, scheme := range []string{"light", "dark"} {
		p.setScheme(scheme)
		p.test(scheme, func() { p.see(homeBoxLooks, "checkbox true 24 24,radio true 24 24") })
	}
}

// TestPageContrast tests that edges of fields and drawings have a contrast of 3:1 to what lies behind them, light and
// dark (WCAG 2.2, 1.4.11). TestPageAxe tests the contrasts of text.
func TestPageContrast(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.eval(defineContrast)
	p.click(filtersButton)
	for _, edge := range fieldEdges {
		p.typeHash(edge.hash)
		p.wait(isThere("main " + edge.part))
		for _, scheme := range []string{"light", "dark"} {
			p.setScheme(scheme)
			p.test(edge.name+", "+scheme, func() { p.see(hasContrast("main "+edge.part, edge.property), "true") })
		}
	}
}

// TestPageColours tests that the chosen button is filled with the colour of its decision, in rows and in the view of a
// flat, light and dark.
func TestPageColours(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	const id = "lyon-1051@example"
	for _, scheme := range []string{"light", "dark"} {
		p.setScheme(scheme)
		for _, view := range []struct{ name, hash, within string }{{"in a row", "#/", inFlat(id, "")},
			{"in a flat", "#/flat/lyon-1051%40example", ownPart}, {"in the bar", "#/flat/lyon-1051%40example", phoneBar}} {
			p.typeHash(view.hash)
			for status, colour := range map[string]string{"followed": "--follow", "ignored": "--dismiss"} {
				isPressing := view.hash != "#/" || status != "ignored" // the row would leave
				p.test(status+" "+view.name+", "+scheme, func() {
					seeStatusColour(p, statusButton(view.within, status), colour, isPressing)
				})
			}
		}
		p.typeHash("#/")
		p.test("Compare, "+scheme, func() {
			p.pressUnseen(compareInRow)
			p.see(coloursOf(compareInRow), "--on on --accent")
			p.click(closeChosen)
		})
	}
}

// seeStatusColour tests that the words of a button have a colour. With isPressing, it presses the button, and tests
// that the button is then filled with the colour.
func seeStatusColour(p *tab, button, colour string, isPressing bool) {
	p.wait(isThere(button))
	p.see(coloursOf(button)+".split(' ')[0]", colour)
	if !isPressing {
		return
	}
	p.click(button)
	p.see(isPressed(button), "true")
	isHeart := strings.HasPrefix(button, "[data-id") || strings.HasPrefix(button, phoneBar)
	if isHeart && colour == "--follow" { // a pressed heart has the colour in its words
		p.see(coloursOf(button)+".split(' ')[0]", colour)
	} else {
		p.see(coloursOf(button), "--on on "+colour)
	}
	if strings.HasPrefix(button, ownPart) { // there a press on the chosen button does nothing
		button = statusButton(ownPart, "new")
		p.click(button)
		return
	}
	p.click(button)
	p.see(isPressed(button), "false")
}

// TestPageDataPhotos tests that the address of a photo may contain the photo, which is only ever an image: nothing in
// it runs, and no link leads to it. No other address may contain data.
func TestPageDataPhotos(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const drawing = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'` +
		` onload='parent.ran=1'%3E%3Cscript%3Eparent.ran=1%3C/script%3E%3Cpath d='M0 0h3v2H0z'/%3E%3C/svg%3E`
	const pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
	p := openTab(t, encode([]object{
		{"id": "a@site", "title": "A", "photos": []any{drawing, object{"url": "DATA:" + pixel[5:]}},
			"urls": []string{drawing}},
		{"id": "b@site", "title": "B", "photos": []string{"data:text/html,<script>parent.ran=1</script>",
			"data:,x", "data:image/../text/html,x", "javascript:parent.ran=1//data:image/png,", "blob:x"}},
	}), "", 1280)
	p.test("an image is shown in the list, and nothing else is", func() {
		p.see(rowPhotoSources, drawing+"\nnone")
		p.wait(firstPhotoIsLoaded)
	})
	p.test("no other address becomes the address of an image", func() {
		// The page shows no photo that does not load, so rows do not tell.
		p.load("lib/fields")
		p.see(`fields.photoURLs({photos: ["data:text/html,x", "data:,x", "data:image/../text/html,x",
			"javascript:x//data:image/png,", "blob:x"]}).length`, "0")
	})
	p.test("each image is shown in its flat", func() {
		p.openID("a@site")
		p.wait(isThere(framePhoto))
		p.see(framePhotoSource, drawing)
		p.click(nextPhoto)
		p.see(framePhotoSource, pixel)
	})
	p.test("nothing in it runs, and no link leads to it", func() {
		p.see(together(dataLinkCount, "String(window.ran)"), "0, undefined")
	})
	p.test("a flat without an image has none", func() {
		p.typeHash("#/flat/b%40site")
		p.see(heading, "B")
		p.see(flatImageCount, "0")
	})
}

// TestPageOddStatus tests that a status may be any JSON value: it has a tab, and Undo restores it.
func TestPageOddStatus(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "a", "status": {"by": ["fax"]}}, {"id": 2, "title": "b", "status": null},
		{"id": 3, "title": "c"}]`, "", 1280)
	p.test("an odd status has a tab", func() {
		p.click(tabOf(`'{"by":["fax"]}'`))
		p.see(rowCount, "1")
	})
	p.test("Undo restores an odd status", func() {
		p.dismissRow(1)
		p.see(rowCount, "0")
		p.undo()
		p.see(rowCount, "1")
		if got := p.flat("1", "status"); got != "map[by:[fax]]" {
			p.t.Errorf("status after Undo = %s; want map[by:[fax]]", got)
		}
	})
}

// longFlats returns flats with a word in each place where they have words. A person has decided on them.
func longFlats(word, person string) string {
	day := browserNow().Format(time.DateOnly)
	flat := func(id, status, more string) string {
		return fmt.Sprintf(`{"id": %q, "title": "%[3]s", "status": %[2]q, "location": "%[3]s", "notes": "%[3]s\n- [ ] %[3]s",
			"text": "%[3]s", "phone": "0198 %[3]s", "currency": "%[3]s", "cost": 900, "area": 50, "station": "%[3]s",
			"next_step": "%[3]s", "next_date": "%[4]s", "service_constraint": "%[3]s", "status_by": "%[5]s",
			"ratings": {"%[5]s": 4}, "service_time_to": {"%[3]s": {"time": 600}}, "urls": ["https://%[6]s.example/%[3]s"],
			"details": {"%[3]s": "%[3]s", "floor": "%[3]s"}, "merged_ids": ["%[3]s"], "gps": [45.76, 4.85] %[7]s}`,
			id, status, word, day, person, word[:60], more)
	}
	return "[" + strings.Join([]string{flat("a", word, ""), flat("b", "new", ""), flat("e", "new", ""),
		flat("c", "contacted", `, "visit_date": "`+day+`T23:00"`), flat("d", "followed", `, "visit_date": "`+day+`T23:30"`),
	}, ",") + "]"
}

// TestPageLongWords tests that no view is wider than the window, whatever long words a flat has, and however long a
// person's name is.
func TestPageLongWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long, person := strings.Repeat("W", 300), strings.Repeat("M", 40)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, longFlats(long, person), `"people": ["Ann", "`+person+`"]`)
	p.open("#/", 390)
	p.answerWho("Ann")
	for _, width := range []int{390, 1280} {
		p.resize(width)
		for _, view := range []struct{ hash, last string }{
			{"#/?tab=all", anyRow}, {"#/?tab=is:" + long, anyRow}, {"#/?q=" + long + "&tab=all", anyChip},
			{"#/flat/a", ownPart}, {"#/flat/b", doublesItem}, {"#/flat/c", ownPart}, {"#/today", dueGroup},
			{"#/triage", triageCard}, {"#/visits", visitDay}, {"#/compare/a,b", anyTable}, {"#/duplicates", anyGroup},
			{"#/map", anyCircle}, {"#/prices", anyTable},
			{"#/add?text=900+%E2%82%AC&url=https://" + long[:60] + ".example/" + long, knownLink},
		} {
			p.test(fmt.Sprintf("%s at %d pixels", shortened(view.hash), width), func() {
				p.goTo(view.hash, view.last)
				p.rest(forDrawing)
				p.see(widerThanPage, "")
			})
		}
		p.test(fmt.Sprintf("a notice at %d pixels", width), func() {
			p.opens("#/?tab=all")
			p.dismissRow(1)
			p.wait(isThere(anyNotice))
			p.see(box(anyNotice)+`.right <= innerWidth`, "true")
		})
		p.test(fmt.Sprintf("the filters at %d pixels", width), func() {
			p.openFilters()
			p.see(filtersFit, "true")
		})
		if width < 900 {
			p.click(doneWithFilters)
		}
	}
	p.checkFaults()
}

// shortened returns the beginning of a hash, for the name of a test.
func shortened(hash string) string { return hash[:min(len(hash), 30)] }

// TestPageNarrowWords tests that no word of a button, a heading or a time is cut on the narrowest phone.
func TestPageNarrowWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 320)
	today := browserNow().Format(time.DateOnly)
	p.patchFlats(map[string]string{"lyon-1042@example": `{"visit_date": "` + today + `T00:00"}`,
		"lyon-1063@example": `{"visit_date": "` + today + `T23:58", "next_step": "Ask for the cellar and the heating"}`})
	for _, language := range []string{"en", "de", "fr"} {
		p.setLanguage(language)
		p.reload()
		for _, c := range []struct{ hash, part string }{
			{"#/visits", ".card"}, {"#/today", ".stop"}, {"#/triage", ".card h2"},
			{"#/flat/lyon-1042%40example", ".own"}, {"#/flat/berlin-2250%40example", ".own"},
		} {
			p.test(c.hash+" in "+language, func() {
				p.goTo(c.hash, c.part)
				p.rest(forDrawing)
				p.see(cutWords, "")
				p.see(fitsAcross, "true")
			})
		}
	}
}

// TestPagePrint tests that "Print" prints the whole view, 25 rows a page, even if prices are long.
func TestPagePrint(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 60 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@a",
			"title": "A flat with a title that is a good deal longer than its line, %d", "cost": 8695000,
			"currency": "DKK", "area": 88, "rooms": 4,
			"location": "Here", "status": "contacted", "service_time_to": {"harbour": {"time": 4800}}}`, i, i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?q=flat", 1280)
	p.see(rowCount, "50")
	p.test("the rows that are shown take two pages, which end with the number of all flats", func() {
		if got := p.printedPages(); got != 2 {
			p.t.Errorf("50 of 60 flats are printed on %d pages; want 2", got)
		}
		p.beginPrinting()
		p.see(paperEndsWith("50 of 60"), "true")
		p.eval(`dispatchEvent(new Event("afterprint"))`)
	})
	p.test("the link to the table has all flats, and the names of the columns", func() { p.see(csvLines, "61") })
	p.eval(recordPrint)
	p.test("Print prints all of the view, with its filters", func() {
		p.pressTool("Print")
		p.wait("window.printed")
		p.see(`printed.startsWith("Live, “flat”")`, "true")
		p.see(paperRows, "60")
	})
	p.test("a column in which no flat has anything is not printed", func() {
		p.see(paperColumns, "title,cost,cost_per_area,area,rooms,travel_time")
	})
	p.test("numbers are aligned on paper", func() {
		p.setMedia("print")
		p.see(paperAligns, "right")
		p.setMedia("")
	})
	p.test("all flats take three pages", func() {
		if got := p.printedPages(); got != 3 {
			p.t.Errorf("60 flats are printed on %d pages; want 3", got)
		}
	})
}

// TestPageHostileList tests that HTML and scripts in listings stay text in the list.
func TestPageHostileList(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const bad = `<img src=x onerror=\"faults.push('ran')\"><script>faults.push('ran')</script>`
	listing := fmt.Sprintf(`[{"id": "../%[1]s", "title": "%[1]s", "text": "%[1]s", "location": "%[1]s",
		"currency": "%[1]s", "cost": 1, "status": "%[1]s",
		"notes": "%[1]s", "visit_date": "2031-01-01T10:00", "service_constraint": "%[1]s",
			"photos": ["javascript:1", {"url": "data:text/html,x"}],
		"details": {"%[1]s": "%[1]s"}, "service_time_to": {"%[1]s": {"time": 60}}, "notation": 1e300,
			"cost_history": "%[1]s", "gone": "%[1]s"}]`, bad)
	for _, width := range []int{1280, 320} {
		p := openTab(t, listing, "#/?q=img&tab=all", width)
		p.test(fmt.Sprintf("HTML stays text at %d pixels", width), func() {
			p.see(rowCount, "1")
			p.see(scriptsAndImages, "0")
		})
		p.test(fmt.Sprintf("the list is as wide as the window at %d pixels, also with its filters", width), func() {
			p.see(fitsAcross, "true")
			p.click(filtersButton)
			p.see(fitsAcross, "true")
		})
		p.checkFaults()
	}
}

// TestPageColumns tests that a laptop shows a flat in three columns: photo, strip and text; the facts; the decisions. A
// phone shows them below each other.
func TestPageColumns(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := encode(strings.Repeat("A text of many words. ", 200))
	p := openTab(t, `[
		{"id": "a", "title": "Loft", "cost": 900, "currency": "EUR", "photos": `+encode(slices.Repeat([]string{
		"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"}, 14))+`,
			"text": `+long+`, "details": {"about": `+long+`}},
		{"id": "b", "title": "Bare", "text": `+long+`, "details": {"about": `+long+`}}]`, "#/flat/a", 1280)
	p.eval(defineAt)
	for _, c := range []struct {
		sentence  string
		width     int
		condition string
	}{
		{"the photo has about 560 pixels", 1280, galleryIs560},
		{"the text stands below it, as wide", 1280, textHasGallery},
		{"the strip stands between them", 1280, stripInGallery},
		{"near the text", 1280, stripNearText},
		{"the facts stand right of the photo, and what one decides in a third column", 1280, threeColumns},
		{"all three begin at the same height", 1280, columnsBeginTogether},
		{"long details stand below the text", 1280, detailsBelowText},
		{"a narrow window has two columns", 900, twoColumns},
		{"a phone has no strip, and the facts below the photo", 390, factsBelowPhoto},
		{"then the text, and then what one decides", 390, decisionsBelowText},
	} {
		p.test(c.sentence, func() {
			p.resize(c.width)
			p.see(c.condition, "true")
		})
	}
	p.resize(1280)
	p.test("without a photo no place is kept for one", func() {
		p.typeHash("#/flat/b")
		p.see(heading, "Bare")
		p.see(bareFlatHasTwoColumns, "true")
		p.see(bareTextBelowFacts, "true")
	})
}

// TestPageStrip tests that the strip marks the photo that is shown, and keeps it in sight.
func TestPageStrip(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "photos": `+encode(slices.Repeat([]string{
		"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"}, 14))+`}]`, "#/flat/a", 1280)
	p.see(photoAndStrip, "1 / 14 0")
	p.test("a press shows its photo, and has the focus", func() {
		p.click(photoInStrip(3))
		p.see(photoAndStrip, "3 / 14 2")
		p.see("document.activeElement.ariaLabel", "Loft, photo 3")
	})
	p.test("arrows move it along", func() {
		for range 3 {
			p.key("ArrowLeft")
		}
		p.see(photoAndStrip, "14 / 14 13")
		p.see(lastOfStripInSight, "true")
	})
	p.test("a photo chosen in full screen stays the one in sight", func() {
		p.click(photoFrame)
		p.see(count(largeStripPhotos), "14")
		p.click(largePhotoInStrip(13))
		p.eval(`addEventListener("popstate", () => window.hasLeft = true, {once: true})`)
		p.key("Escape")
		p.see(photoAndStrip, "13 / 14 12")
		p.wait("window.hasLeft") // the dialog's entry in the history
	})
}

// TestPageForcedColours tests that the current or chosen control is filled in the forced colours of a system, which
// drop shadows and tints.
func TestPageForcedColours(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(savedLink)
	p.wait(isThere(savedCurrent) + " && " + rowAt(1))
	p.chooseRow(1)
	p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "forced-colors", "value": "active"}}})
	for _, pair := range chosenAndOther {
		p.test(pair.name, func() { p.see(looksApart(pair.chosen, pair.other), "true") })
	}
	p.test("the menu, in which the view is", func() {
		p.opens("#/visits")
		p.see(menuIsFilled, "true")
	})
}

// TestPageSinceWhole tests that a day of the week and a time are not broken across lines, at each width of the table.
func TestPageSinceWhole(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	at := browserNow().AddDate(0, 0, -3).Format("2006-01-02") + "T19:41"
	p := openTab(t, fmt.Sprintf(`[{"id": "1@site", "title": "One", "location": "Ost", "first_seen": %q}]`, at), "", 900)
	for _, width := range []int{900, 1280, 1440} {
		p.resize(width)
		p.wait(isThere(rowTime))
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.see(ageIsOneWord, "true")
			p.see(sinceIsWhole, "true")
		})
	}
}

// TestPageScales tests that spaces and letters have the sizes of their scales (style.css). Exceptions are spaces of
// more than 24 pixels, which leave room for what floats, a pixel that joins two borders, and letters that fill a row.
func TestPageScales(t *testing.T) {
	t.Parallel()
	rule := regexp.MustCompile(`[{;\s]((?:margin|padding|gap|row-gap|column-gap|font)[a-z-]*): ([^;}]*)`)
	exempt := regexp.MustCompile(`(?s)/\*.*?\*/|:root \{\n.*?\n\}|\n\.fitted \{.*?\n\}|@media print.*|/\d+px|min\(.*?vw\)`)
	size := regexp.MustCompile(`\d+px`)
	for _, name := range []string{"style.css", "views.css"} {
		seen := 0
		for _, found := range rule.FindAllStringSubmatch(exempt.ReplaceAllString(readFile(t, name), ""), -1) {
			for _, pixels := range size.FindAllString(found[2], -1) {
				seen++
				n, err := strconv.Atoi(strings.TrimSuffix(pixels, "px"))
				isFont := strings.HasPrefix(found[1], "font") // its size is one of the scale, a variable
				isAllowedSpace := slices.Contains([]int{0, 1, 4, 8, 12, 16, 24}, n) || n > 24
				if err != nil || isFont || !isAllowedSpace {
					t.Errorf("%s: %s: %s", name, found[1], found[2])
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s: no sizes are found", name)
		}
	}
}

// TestPageIcons tests that one set of icons draws the buttons without words, and that no letter stands for an icon.
func TestPageIcons(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	glyphs := regexp.MustCompile(`[×⋮⋯▾▴▸✓✕☰⤢●☆‹›]`)
	for name, source := range readFolder(t) {
		if !slices.Contains([]string{".js", ".css"}, path.Ext(name)) || strings.HasPrefix(name, "words/") {
			continue
		}
		source = regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAllString(source, "")
		if found := glyphs.FindAllString(source, -1); len(found) > 0 {
			t.Errorf("%s has %q; want icons", name, found)
		}
	}
	p := openTab(t, "", "#/?cost=..900", 1280)
	p.chooseRow(1)
	for hash, buttons := range buttonsWithIcons {
		p.test("at "+hash, func() {
			p.typeHash(hash)
			p.wait(isThere("main :is(" + buttons + ")"))
			p.see(withoutIcon("main :is("+buttons+")"), "")
		})
	}
}

// TestPageLabels tests that on small phones the words of the bar do not touch each other in any language, that a number
// of four digits covers no more than a corner of its icon, and that the words at the axes of the prices are whole.
func TestPageLabels(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 320)
	for _, language := range []string{"en-GB", "de-DE", "fr-FR"} {
		p.setLanguage(language)
		p.reload()
		p.wait(isThere(anyRow))
		for _, width := range []int{360, 320} {
			p.do("Emulation.setDeviceMetricsOverride",
				object{"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": true})
			p.test(fmt.Sprintf("the words of the bar stand apart in %s at %d pixels", language, width), func() {
				p.see(crowdedWordsOfBar, "0")
			})
		}
	}
	p.load("parts/bar")
	p.eval(`bar.setNews(1234)`)
	p.test("a number of four digits covers a corner of its icon", func() {
		p.see(triageCount, "999+")
		p.see(badgeIsAtCorner, "true")
	})
	p.test("words at the axes of prices are whole", func() { seeAxes(p) })
	p.test("a laptop has room for all of the number", func() {
		p.resize(1280)
		p.see(triageCountInLine, "1 234")
	})
}

// seeAxes opens prices of 20 flats and tests that no words leave their chart.
func seeAxes(p *tab) {
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "cost": 9%02[1]d, "currency": "CHF", "area": %d}`,
			i, 50+i%4*50))
	}
	p.importListings("[" + strings.Join(flats, ",") + "]")
	p.goTo("#/prices?currency=CHF", chartWord)
	p.see(wordsBeyondCharts, "")
}
