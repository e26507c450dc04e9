// Tests of the rows of the list: their buttons, choosing rows, and rows that leave.

package web

import (
	"fmt"
	"path/filepath"
	"testing"
)

// openOfTwo opens a list of eight flats as one of two people, with a column for the minutes of each.
func openOfTwo(t *testing.T, width int) *tab {
	t.Helper()
	const config = `{"people": ["Ann", "Ben"], "constraints": {"home": {"time_to": {
		"lab": {"gps": [48.1, 11.5], "mode": "WALK", "person": "Ann"},
		"shop": {"gps": [48.2, 11.6], "mode": "WALK", "person": "Ben"}}}}}`
	var flats []object
	for i := range 8 {
		flats = append(flats, object{"id": fmt.Sprint(i), "title": fmt.Sprint("A flat with a title, number ", i),
			"cost": 1430 + i, "currency": "EUR", "utilities": "excluded", "charges": 201, "area": 67, "rooms": 2.5,
			"first_seen": daysAgo(i), "service_constraint": "home", "photos": []string{"https://127.0.0.1:1/1"},
			"service_time_to": object{"lab": object{"time": 780}, "shop": object{"time": 4140}}})
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "flats.json"), encode(flats))
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open("", width)
	p.answerWho("Ann")
	p.see(rowCount, "8")
	p.checkAtEnd()
	return p
}

// TestPageRowButtons tests that the buttons of a row leave the title its room where a mouse points.
func TestPageRowButtons(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openOfTwo(t, 1280)
	for _, font := range []string{"DejaVu Sans", "Liberation Sans"} {
		p.test("titles have 480 pixels beside the minutes of two, in "+font, func() {
			p.setFont(font)
			p.see(titleWidth+" >= 480", "true")
		})
	}
	p.test("buttons stand in place of the age of the row that is pointed at, and move nothing", func() {
		p.point(toSortTab)
		p.see(rowsWithButtonsAndAge, " = 12345678")
		places := fmt.Sprint(p.eval(rowPlaces))
		p.point(nthRowPart(3))
		p.see(rowsWithButtonsAndAge, "3 = 1245678") // buttons in row 3, ages in the others
		p.see(rowPlaces, places)
		p.see(coveredByButtons, "0")
	})
	p.test("a mouse presses a button of a row", func() {
		p.dismissRow(3)
		p.seeFlat("2", "status", "ignored")
		p.see(openView, "list")
	})
	p.test("Tab leads to the buttons, and Enter presses one", func() {
		p.point(toSortTab)
		p.focusRow(1)
		p.key("Tab")
		p.see(focusedName, "Follow: A flat with a title, number 0")
		p.see(rowsWithButtonsAndAge, "1 = 234567")
		p.key("Enter")
		p.seeFlat("0", "status", "followed")
	})
	p.test("a row that is compared has a mark", func() {
		p.see(rowsWithMark, "")
		p.chooseRow(2)
		p.see(rowsWithMark, "2")
	})
}

// TestPageRowFocus tests that the focus goes from a row that leaves the list to the same button of the next row, or to
// its last one if that row lacks the button.
func TestPageRowFocus(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id":"1","title":"Loft","status":"new","cost":1,"currency":"EUR"},
		{"id":"2","title":"Attic","status":"contacted","cost":2,"currency":"EUR"},
		{"id":"3","title":"Studio","status":"contacted","cost":3,"currency":"EUR"},
		{"id":"4","title":"Villa","status":"new","cost":4,"currency":"EUR"}]`, "#/?sort=cost", 1280)
	focus := func(n int, name string) {
		p.eval(rowAt(n) + fmt.Sprintf(`.querySelector("button[title=%s]").focus()`, name))
	}
	p.see(rowCount, "4")
	p.test("the focus goes to the same button, although the next row cannot be followed", func() {
		focus(1, "Compare")
		p.press("x")
		p.see(focusedName, "Compare: Attic")
		p.see(rowCount, "3")
	})
	p.test("the focus goes to the same button of a row that can be followed", func() {
		focus(2, "Dismiss")
		p.key("Enter")
		p.see(focusedName, "Dismiss: Villa")
	})
	p.test("the focus goes to the last button of a row that lacks the button", func() {
		p.eval("scrollTo(0, 0)")
		focus(2, "Follow")
		p.press("x")
		p.see(focusedName, "Compare: Attic")
	})
}

// TestPageRowTouch tests that the buttons of a row stay in sight where there is touch.
func TestPageRowTouch(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openOfTwo(t, 1280)
	p.do("Emulation.setTouchEmulationEnabled", object{"enabled": true, "maxTouchPoints": 5})
	p.test("no age gives way to the buttons", func() {
		p.see(rowsWithButtonsAndAge, "12345678 = 12345678")
		p.see(coveredByButtons, "0")
	})
	p.test("heads that are as wide as a finger stand over their columns", func() { p.see(strayHeads, "") })
}

// TestPageRowMotion tests how the list closes the gap when a row leaves it.
func TestPageRowMotion(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p := openMunich(t, width)
			p.see(rowCount, "5")
			p.eval(holdMotion)
			top := func(id string) int { return int(p.eval(topOf(id)).(float64)) }
			p.test("the gap closes at once for those who want no motion", func() {
				first := top("0")
				p.focusRow(1)
				p.press("x")
				p.see(topOf("1"), fmt.Sprint(first))
				p.see(motionCount, "0")
			})
			p.setMotion("no-preference")
			first, second := top("1"), top("2")
			p.test("the gap closes in 150 ms otherwise", func() {
				p.press("x")
				p.see(motionTime, "150")
				p.see(topOf("2"), fmt.Sprint(second))
				p.eval(halfOfMotion)
				p.see(fmt.Sprintf("%s < %d && %[1]s > %[3]d", topOf("2"), second, first), "true")
			})
			p.test("no part of the row is left afterwards", func() {
				p.eval(endOfMotion)
				p.see(topOf("2"), fmt.Sprint(first))
			})
			p.test("a click while rows move opens the flat that is seen there", func() {
				p.press("x")
				p.see(motionCount, "1")
				p.eval(halfOfMotion)
				p.clickAt(p.eval(box(nthRowPart(1)+" h2")+".left + 5"), p.eval(box(nthRowPart(1)+" h2")+".top + 5"))
				p.see(hash, "#/flat/3")
			})
		})
	}
}

// TestPageSeveralHere tests that the bar of the chosen rows counts those that are in the list.
func TestPageSeveralHere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMunich(t, 1280)
	p.see(rowCount, "5")
	p.wait(isThere(chosenBar))
	p.pressWithShift(2)
	p.pressWithShift(4)
	p.see(text(barWords), "3 chosen")
	p.test("chosen rows that other filters hide are not counted", func() {
		p.typeHash("#/?place=M%C3%BCnchen+Pasing")
		p.see(rowCount, "1")
		p.see(text(barWords), "1 chosen")
		p.typeHash("#/?tab=shortlist")
		p.see(rowCount, "0")
		p.see(isHidden(chosenBar), "true")
	})
	p.test("hidden rows are still chosen once they come back", func() {
		p.typeHash("#/")
		p.see(text(barWords), "3 chosen")
		p.see(chosenRows, "1,2,3")
	})
	p.test("a row that is drawn anew is still chosen", func() {
		p.changeElsewhere("2", `{"cost": 800}`)
		p.waitForNews()
		p.click(newsButton)
		p.see(text(rowPart("2", ".cost")), "€800")
		p.see(chosenRows, "1,2,3")
	})
	p.test("the page says so if no more can be compared", func() {
		p.choose("a", "b", "c", "d", "e")
		p.see(compareChosen, "Compare 5 flats")
		p.wait(isThere(chosenBar))
		p.pressWithShift(2)
		p.pressWithShift(3)
		p.clickOn(chosenCompare)
		p.see(notice, "You can compare up to 6 flats")
	})
}

// TestPageSeveralFits tests that the bar of the chosen rows has room on a phone, and hides no row.
func TestPageSeveralFits(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, language := range []string{"en", "fr", "de"} {
		for _, width := range []int{1280, 390, 320} {
			p := openMunich(t, width)
			p.setLanguage(language)
			p.reload()
			p.see(rowCount, "5")
			p.wait(isThere(chosenBar))
			p.test(fmt.Sprintf("in %s at %d pixels", language, width), func() {
				p.pressWithShift(2)
				p.pressWithShift(4)
				p.see(crowdedInChosenBar, "")
				p.see(lastRowIsFree, "true")
			})
		}
	}
}

// TestPageCardTags tests that a card shows the whole amount by which a cost changed, whatever stands next to it.
func TestPageCardTags(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for i, status := range []string{"followed", "contacted", "visited", "offered"} {
		flats = append(flats, object{"id": fmt.Sprint(i), "title": "A flat with many tags", "cost": 1100, "currency": "EUR",
			"status": status, "status_since": daysAgo(9), "notation": 4, "next_step": "Send all the documents",
			"next_date": "2026-01-01", "visit_date": "2031-12-01T18:00:00", "gone": daysAgo(2), "phone": "0199",
			"photos": []string{"https://127.0.0.1:1/1"}, "ratings": object{"Ann": 5, "Ben": 1},
			"cost_history": []object{{"date": nil, "cost": 2600}, {"date": daysAgo(3), "cost": 1100}}})
	}
	p := openTab(t, encode(flats), "#/?tab=shortlist", 390)
	p.see(rowCount, "4")
	for _, width := range []int{390, 320} {
		for _, font := range []string{"DejaVu Sans", "Liberation Sans"} {
			p.test(fmt.Sprintf("at %d pixels in %s", width, font), func() {
				p.resize(width)
				p.setFont(font)
				p.see(wholeAmounts, "4")
			})
		}
	}
}

// TestPageCardHeights tests that all cards have the same height, with and without a tag: the tag of probable duplicates
// is added when the cards have already been drawn, and must not make them higher.
func TestPageCardHeights(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for i, area := range []int{50, 50, 90} { // the first two are alike, so that they get the tag
		flats = append(flats, object{"id": fmt.Sprint(i), "title": "A flat", "cost": 20 * area, "currency": "EUR",
			"area": area, "first_seen": daysAgo(1), "photos": []string{fmt.Sprint("https://127.0.0.1:1/", area)}})
	}
	p := openTab(t, encode(flats), "", 390)
	p.see(rowTagCount, "2")
	p.setFont("DejaVu Sans")
	for _, width := range []int{390, 320} {
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.resize(width)
			p.see(rowHeights, "91") // the only height, in pixels
		})
	}
}

// TestPageCardAge tests that the age in a card loses nothing but its hour on a narrow phone.
func TestPageCardAge(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	for i, days := range []int{1, 20} {
		flats = append(flats, object{"id": fmt.Sprint(i), "title": "A flat", "cost": 1100, "currency": "EUR",
			"photos": []string{"https://127.0.0.1:1/1"}, "location": "Ludwigsvorstadt", "first_seen": daysAgo(days),
			"service_time_to": object{"Ann": object{"time": 780}, "Ben": object{"time": 4140}}})
	}
	p := openTab(t, encode(flats), "", 320)
	p.setFont("DejaVu Sans")
	p.see(agesSeen, "yesterday,"+dayAgo(20))
	p.resize(800)
	p.see(agesSeen, "yesterday 12:00,"+dayAgo(20))
}
