// Tests of the panel of filters: its layout on a laptop and on a phone.

package web

import (
	"fmt"
	"strings"
	"testing"
)

// commonFilters are the names of the filters that everybody uses.
const commonFilters = "Cost,Area,Rooms,Place,First seen within"

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
		p.see(shownFilters+`.split(",").length`, "16")
		p.see(panelHeight, "32")
	})
	p.test("each range is one field", func() {
		p.see(brokenRanges, "0")
		p.see(count(".range"), "8")
	})
	for _, width := range []int{1280, 900} {
		p.test(fmt.Sprintf("a name and what is typed are apart at %d pixels", width), func() {
			p.resize(width)
			p.see(crowdedRanges, "0")
		})
	}
	p.resize(1280)
	p.test("a range that is wrong makes nothing taller", func() {
		p.enter(rangeField("Rooms from"), "3")
		p.enter(rangeField("Rooms to"), "2")
		p.wait(trouble)
		p.see(panelHeight, "32")
		p.enter(rangeField("Rooms from"), "")
		p.enter(rangeField("Rooms to"), "")
	})
	for _, width := range []int{900, 390, 320} {
		p.test(fmt.Sprintf("at %d pixels nothing is wider than the page, and no control too small", width), func() {
			p.resize(width)
			p.see(fitsAcross, "true")
			p.see(smallFilters, "0")
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
	p.see(hanging, "rest")
	p.test("places stand in one column, and can be searched at once", func() {
		p.click(placesButton)
		p.see(hanging, "several")
		p.see(placesInColumn, "true")
		p.see("document.activeElement.ariaLabel", "Search places")
	})
	p.test("it leaves by Escape, which gives the focus back", func() {
		p.key("Escape")
		p.see(hanging+" + document.activeElement.className + document.activeElement.ariaExpanded", "openerfalse")
	})
	p.test("and by a press elsewhere", func() {
		p.click(furtherFilters)
		p.see(hanging, "rest")
		p.click(firstTab)
		p.see(hanging, "")
	})
}

// TestPagePanelPhone tests the sheet of filters on a phone.
func TestPagePanelPhone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.openFilters()
	p.test("fields stand in pairs, with the order first and the tools of the list", func() {
		p.see(shownFilters, "Sort by,"+commonFilters)
		p.see(sheetTools, "Save this view,Share a link,Print,CSV")
		p.see(panelHeight+" <= 932 / 2", "true")
		p.see(unpairedFilters, "0")
	})
	p.test("the places stand in one of them", func() { p.see(placesOpened, "false Any") })
	p.test("until they are opened, which names the chosen one", func() {
		p.click(placesButton)
		p.click(firstPlace)
		p.wait(isThere(firstChip))
		p.see(smallPlaces, "0")
		want := "true " + fmt.Sprint(p.eval(chosenPlace)) + " search checkbox"
		if got := fmt.Sprint(p.eval(placesOpened)); !strings.HasPrefix(got, want) {
			p.t.Errorf("the places are %q; want them open, and the chosen one named", got)
		}
		p.click(placesButton)
		p.see(panelHeight+" <= 932 / 2", "true")
	})
	p.click(furtherFilters)
	for _, width := range []int{320, 195} {
		p.test(fmt.Sprintf("with a zoom down to %d pixels all of it is there, and nothing is cut", width), func() {
			p.resize(width)
			p.see(filtersCut, "16,true")
		})
	}
	p.test("longer words, too, have one line each", func() {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": "fr"})
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
	enter := func(label, text string) {
		p.eval("document.querySelector(" + encode(rangeField(label)) + ").focus({preventScroll: true})")
		p.press(text)
	}
	p.test("a long number has room", func() {
		enter("Cost to", "10.000.000")
		p.see(rangesCut, "0")
		p.wait(hash + `.includes("cost=..10000000")`)
	})
	p.test("what is wrong moves and covers no other field", func() {
		enter("Area from", "x")
		p.see(trouble, "This is not a number")
		p.see(fieldPlaces, before)
		p.see(coveredByTrouble, "")
	})
	p.test("nor does a number that is right", func() {
		p.eval("document.querySelector(" + encode(rangeField("Area from")) + `).value = ""`)
		enter("Area from", "1")
		p.wait(hash + `.includes("area=1..")`)
		p.see(fieldPlaces, before)
	})
	p.test("the long number has room when the filters are next opened, too", func() {
		p.click(doneWithFilters)
		p.click(filtersButton)
		p.see(rangesCut, "0")
	})
}

// TestPagePush tests that no filter pushes the list down by more than 80 pixels, however many are set, and none at all
// on a phone.
func TestPagePush(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const all = "#/?tab=all&cost=1..9000&monthly=1..9000&cost_per_area=1..90&area=1..900&rooms=1..9&bedrooms=1..9" +
		"&days=30&visit=no&notes=no&photos=yes&site=example&currency=EUR&notation=1..5" +
		"&unknown=monthly,notation,bedrooms,rooms,area"
	for _, c := range []struct {
		width int
		panel float64 // how much the panel may push
	}{{1280, 80}, {900, 80}, {390, 0}} {
		p := openTab(t, "", "#/?tab=all", c.width)
		p.wait(isThere(savedChip) + " && " + isThere(".tabs"))
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
			p.typeHash(all)
			p.see(chipCount, "13")
			p.see(text(furtherFilters), "More filters (9)")
			pushesBy(80)
			p.see(fitsAcross, "true")
		})
	}
}
