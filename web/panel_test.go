// Tests of the panel of filters: its layout on a laptop and on a phone.

package web

import (
	"fmt"
	"testing"
)

// commonFilters are the names of the filters that everybody uses. allFilters is how many filters there are: also those
// that "More filters" shows.
const (
	commonFilters = "Cost,Area,Rooms,Place,First seen within"
	allFilters    = "16"
)

// TestPagePanel tests the panel of filters on a laptop.
func TestPagePanel(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.openFilters()
	p.test("the filters that everybody uses stand in one line", func() {
		p.see(shownFilters, commonFilters)
	})
	p.test("More filters shows the others under it, and passes the focus to the first", func() {
		p.click(furtherFilters)
		p.see(focusedFilter, "Sort by")
		p.see(shownFilters+`.split(",").length`, allFilters)
		p.see(panelHeight, "32") // pixels: one line
	})
	p.test("each range is one field", func() {
		p.see(brokenRangeCount, "0")
		p.see(count(".range"), "8")
	})
	for _, width := range []int{1280, 900} {
		p.test(fmt.Sprintf("a name and what is typed are apart at %d pixels", width), func() {
			p.resize(width)
			p.see(crowdedRangeCount, "0")
		})
	}
	p.resize(1280)
	p.test("a range that is wrong makes nothing taller", func() {
		p.enter(rangeField("Rooms from"), "3")
		p.enter(rangeField("Rooms to"), "2")
		p.wait(filterTrouble)
		p.see(panelHeight, "32")
		p.enter(rangeField("Rooms from"), "")
		p.enter(rangeField("Rooms to"), "")
	})
	for _, width := range []int{900, 390, 320} {
		p.test(fmt.Sprintf("at %d pixels nothing is wider than the page, and no control too small", width), func() {
			p.resize(width)
			p.see(fitsAcross, "true")
			p.see(smallFilterCount, "0")
		})
	}
}

// TestPagePanelHangs tests what hangs under the line of filters.
func TestPagePanelHangs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.openFilters()
	p.click(furtherFilters)
	p.see(openPanelParts, "rest")
	p.test("places stand in one column, and can be searched at once", func() {
		p.click(placesButton)
		p.see(openPanelParts, "several")
		p.see(placesInColumn, "true")
		p.see("document.activeElement.ariaLabel", "Search places")
	})
	p.test("Escape closes the part, and gives the focus back", func() {
		p.key("Escape")
		p.see(openPanelParts, "")
		p.see(hasFocus(placesButton), "true")
	})
	p.test("a press elsewhere closes the part", func() {
		p.click(furtherFilters)
		p.see(openPanelParts, "rest")
		p.click(firstTab)
		p.see(openPanelParts, "")
	})
}

// TestPagePanelPhone tests the sheet of filters on a phone.
func TestPagePanelPhone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.openFilters()
	const isLow = panelHeight + " <= 932 / 2" // pixels: half of what fields one below the other took
	p.test("fields stand in pairs, with the order first and the tools of the list", func() {
		p.see(shownFilters, "Sort by,"+commonFilters)
		p.see(sheetTools, "Save this view,Share a link,Print,CSV")
		p.see(isLow, "true")
		p.see(unpairedFilterCount, "0")
	})
	p.test("the places are folded into one field", func() {
		p.see(placesState, "folded, Any")
		p.see(placeControls, "")
	})
	p.test("a press unfolds them, and the field names the chosen one", func() {
		p.click(placesButton)
		p.click(firstPlace)
		p.wait(isThere(firstChip))
		p.see(smallPlaceCount, "0")
		p.see(placesState, "unfolded, "+fmt.Sprint(p.eval(chosenPlace)))
		p.see(placeControls, "search,checkbox")
		p.click(placesButton)
		p.see(isLow, "true")
	})
	p.click(furtherFilters)
	for _, width := range []int{320, 195} {
		p.test(fmt.Sprintf("with a zoom down to %d pixels all of it is there, and nothing is cut", width), func() {
			p.resize(width)
			p.see(filtersCut, allFilters+",true") // no field is cut, and the page is as wide as the window
		})
	}
	p.test("longer words, too, have one line each", func() {
		p.setLanguage("fr")
		p.resize(390)
		p.reload()
		p.openFilters()
		p.click(furtherFilters)
		p.see(wrappedFilters, "")
	})
}

// TestPageSheet tests that no field of the filters moves on a phone while the user types.
func TestPageSheet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.openFilters()
	p.click(furtherFilters)
	before := fmt.Sprint(p.eval(fieldPlaces))
	// enter types a text into a field, which it focuses without scrolling the sheet.
	enter := func(label, text string) {
		p.eval("document.querySelector(" + encode(rangeField(label)) + ").focus({preventScroll: true})")
		p.press(text)
	}
	p.test("a long number has room", func() {
		enter("Cost to", "10.000.000")
		p.see(cutRangeCount, "0")
		p.wait(hash + `.includes("cost=..10000000")`)
	})
	p.test("a complaint moves and covers no other field", func() {
		enter("Area from", "x")
		p.see(filterTrouble, "This is not a number")
		p.see(fieldPlaces, before)
		p.see(coveredByTrouble, "")
	})
	p.test("a correct number moves no field", func() {
		p.eval("document.querySelector(" + encode(rangeField("Area from")) + `).value = ""`)
		enter("Area from", "1")
		p.wait(hash + `.includes("area=1..")`)
		p.see(fieldPlaces, before)
	})
	p.test("the long number has room when the filters are next opened, too", func() {
		p.click(doneWithFilters)
		p.click(filtersButton)
		p.see(cutRangeCount, "0")
	})
}

// TestPagePush tests that no filter pushes the list down by more than 80 pixels, however many are set, and none at all
// on a phone.
func TestPagePush(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const everyFilter = "#/?tab=all&cost=1..9000&monthly=1..9000&cost_per_area=1..90&area=1..900&rooms=1..9" +
		"&bedrooms=1..9&days=30&visit=no&notes=no&photos=yes&site=example&currency=EUR&notation=1..5" +
		"&unknown=monthly,notation,bedrooms,rooms,area"
	for _, c := range []struct {
		width int
		panel float64 // how many pixels the panel may push the list: on a phone it lies over the list
	}{{1280, 80}, {900, 80}, {390, 0}} {
		p := openTab(t, "", "#/?tab=all", c.width)
		p.wait(isThere(savedView) + " && " + isThere(".tabs"))
		before := p.eval(tabsTop).(float64)
		pushesBy := func(most float64) {
			p.t.Helper()
			if got := p.eval(tabsTop).(float64) - before; got > most {
				p.t.Errorf("the list is pushed by %v pixels; want at most %v", got, most)
			}
		}
		p.test(fmt.Sprintf("the panel at %d pixels", c.width), func() {
			p.openFilters()
			pushesBy(c.panel)
			p.click(furtherFilters)
			pushesBy(c.panel)
		})
		p.eval(closeSheet)
		p.test(fmt.Sprintf("all that can be set at %d pixels, of which More filters has the number", c.width), func() {
			p.typeHash(everyFilter)
			p.see(chipCount, "13")
			p.see(text(furtherFilters), "More filters (9)")
			pushesBy(80) // by the chips
			p.see(fitsAcross, "true")
		})
	}
}
