// Tests of the bar and its menu.

package web

import (
	"fmt"
	"testing"
)

// TestPageMore tests what the menu "More" has, and that numbers there say what is to be done.
func TestPageMore(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 320} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p, _ := openThroughProxy(t, start(t, `[
				{"id": "a", "title": "Attic", "status": "contacted", "visit_date": "2035-07-14T18:30:00Z"},
				{"id": "b", "title": "Barn", "status": "ignored", "visit_date": "2035-07-15T18:30:00Z"},
				{"id": "c", "title": "Cottage", "status": "visited", "visit_date": "2025-07-15T18:30:00Z"},
				{"id": "d", "title": "Den", "photos": ["https://x.invalid/1"]},
				{"id": "e", "title": "Estate", "photos": ["https://x.invalid/1"]}]`, `"people": ["Ann", "Ben"]`),
				"#/?tab=all&sort=title", width)
			p.answerWho("Ann")
			p.wait(isThere(anyRow))
			p.click(menuButton)
			p.test("the daily views come first, and each view has an icon", func() {
				p.see(menuLines, "Visits 1|Map|Compare|Duplicates 1|Prices||Settings|Import|Keys||Ann|Forget this device")
				p.see(menuEntriesWithoutIcon, "")
			})
			p.test("Escape closes the menu, and its button has the focus", func() {
				p.key("Escape")
				p.see(menuIsOpen, "false")
				p.see(hasFocus(menuButton), "true")
			})
			p.test("flats chosen for comparison are counted at once", func() {
				p.chooseRow(2)
				p.chooseRow(3)
				p.click(menuButton)
				p.see(menuLines, "Visits 1|Map|Compare 2|Duplicates 1|Prices||Settings|Import|Keys||Ann|Forget this device")
			})
			p.test("a number that comes moves nothing", func() { p.see(menuWidthOfNumbers, "0") })
			p.test("a person can say anew who uses the page", func() {
				p.click(whoInMenu)
				p.answerWho("Ben")
				p.see(whoInMenuLabel, "You are Ben")
			})
			p.checkFaults()
		})
	}
}

// TestPageListMenu tests that on a laptop only "Filters" stands next to the search field, and that the other actions
// are in a menu, which keys open and close.
func TestPageListMenu(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?tab=shortlist", 1280)
	p.wait(isThere(anyRow))
	p.test("Filters and the menu stand next to the field", func() {
		p.see(controlsNextToSearch, "Filters|Actions for this view")
	})
	p.test("Enter opens the menu, and Tab leads into it", func() {
		p.focus(toolsMenu)
		p.key("Enter")
		p.see(toolLines, "Save this view|Share a link|Print|CSV")
		p.key("Tab")
		p.see("document.activeElement.innerText", "Save this view")
	})
	p.test("Escape closes the menu, and its button has the focus", func() {
		p.key("Escape")
		p.see(toolLines, "")
		p.see(hasFocus(toolsMenu), "true")
	})
	p.test("a press on an action closes the menu", func() {
		p.pressTool(saveThisView)
		p.wait(isThere(openDialog))
		p.see(toolLines, "")
	})
	p.checkFaults()
}
