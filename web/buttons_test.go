// Tests of how buttons and titles look in all views.

package web

import "testing"

// tieredViews has views, with a selector of what each draws last.
var tieredViews = []struct{ hash, last string }{
	{"#/?cost=1..900", ".chips .chip"},
	{"#/today", ":is(.due, .empty)"},
	{"#/visits", ".day"},
	{"#/compare/4711,lyon-1042%40example", ".side-by-side"},
	{"#/duplicates", ".groups article:nth-child(2)"},
	{"#/import", ".drop"},
	{"#/settings/access", "#settings-access form"},
	{"#/prices", "svg"},
}

// TestPageButtons tests that a view has one filled button and no borders around the others, and that titles are ink,
// underlined only when they are pointed at.
func TestPageButtons(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openTab(t, "", "", width)
		p.importListings(`[{"id": "w", "title": "W", "cost": 600, "area": 30, "location": "Ost", "phone": "0197"},
			{"id": "x", "title": "X", "cost": 600, "area": 30, "location": "Ost", "phone": "0197"},
			{"id": "y", "title": "Y", "cost": 700, "area": 40, "location": "West", "phone": "0198"},
			{"id": "z", "title": "Z", "cost": 700, "area": 40, "location": "West", "phone": "0198"}]`)
		for _, view := range tieredViews {
			p.test(view.hash, func() {
				p.goTo(view.hash, view.last)
				p.see(borderedButtons, "")
				p.see(filledInView+" <= 1", "true")
				p.see(titlesInBlue, "")
			})
		}
		p.checkFaults()
	}
}

// TestPageDestroys tests that a button that destroys is a word in the colour of "Dismiss".
func TestPageDestroys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?q=balcon+OR+balkon", 1280)
	p.click(currentSavedMenu)
	p.see(coloursOf(removeSaved), "--dismiss on other")
	p.key("Escape")
	p.click(menuButton)
	p.see(coloursOf("#menu > :last-child"), "--dismiss on other")
}

// TestPageStill tests that nothing moves in any view if the user wants reduced motion.
func TestPageStill(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.wait(isThere(anyRow))
	p.eval(giveRowMotion)
	for wanted, motion := range map[string]string{"no-preference": "0.15s 0.15s", "reduce": "0s 0s"} {
		p.setMotion(wanted)
		p.see(motionOfRow, motion)
	}
}

// TestPageFollowDismissed tests that on a phone a finger reaches "Follow" in the card of a dismissed flat, also of one
// that a rule has dismissed.
func TestPageFollowDismissed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic sublet", "cost": 900, "area": 40, "rooms": 2, "status": "ignored"}]`,
		"", 390)
	p.ruleElsewhere("Sublets", "q=sublet", "#/?q=sublet")
	p.importListings(`[{"id": "b", "title": "Barn sublet", "cost": 800, "area": 40, "rooms": 2}]`)
	p.typeHash("#/?tab=is:ignored&sort=title")
	p.see(rowCount, "2")
	for i, id := range []string{"a", "b"} {
		p.test("Follow can be pressed in the card of "+id, func() {
			p.see(coversOfFollow, "")
			p.clickOn(followInRow(1))
			p.see(findField(id, "status"), `"followed"`)
			p.see(hash, "#/?tab=is:ignored&sort=title")
			p.see(rowCount, []string{"1", "0"}[i])
		})
	}
}
