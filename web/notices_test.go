// Tests of notices, of Undo, and of the room that both take.

package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestPageNoticesLeave tests when a notice leaves by itself.
func TestPageNoticesLeave(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.dismissRow(1)
	p.wait(notice)
	p.test("a notice with a button outlives its view", func() {
		p.press("v")
		p.see(openView, "visits")
		p.undo()
		p.see(notice, "Undone")
	})
	p.test("a notice without a button stays while it is pointed at", func() {
		p.point(noticePart)
		p.see(noticePointedAt, "true")
		p.letPass(20)
		p.see(noticeCount, "1")
	})
	p.test("a notice that is no longer pointed at leaves six seconds later", func() {
		p.point(".brand")
		p.see(noticePointedAt, "false")
		p.letPass(5)
		p.see(noticeCount, "1")
		p.letPass(1)
		p.see(noticeCount, "0")
	})
	p.typeHash("#/")
	p.reload()
	p.see(rowCount, "10")
	p.dismissRow(1)
	p.test("a notice stays while its button has the focus", func() {
		p.focus(noticeButton)
		p.letPass(15)
		p.see(`document.activeElement.innerText`, "Undo")
		p.key("Enter")
		p.see(rowCount, "10")
	})
}

// TestPageUndoFromFlat tests the Undo of a decision that was made in the view of a flat.
func TestPageUndoFromFlat(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	second := fmt.Sprint(p.eval(nthRow(2)))
	p.openRow(2)
	p.setStatus("ignored")
	p.wait(isThere(noticeButton))
	p.goBack()
	p.test("the list has the focus where the row was", func() {
		p.see(rowCount, "9")
		p.see(focusedRow+" === "+nthRow(2), "true")
	})
	p.test("the row returns to its place", func() {
		p.undo()
		p.see(nthRow(2), second)
		p.see(rowCount, "10")
	})
	p.test("notices with Undo leave after ten seconds, and then the bar has it", func() {
		p.followRow(1)
		p.see(undoCount, "2")
		p.letPass(9)
		p.see(undoCount, "2")
		p.see(undoInBarIsHidden, "true")
		p.letPass(1)
		p.see(noticeCount, "0")
		p.see(undoInBarIsHidden, "false")
	})
}

// TestPageFailures tests notices of failures.
func TestPageFailures(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	refuse := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			answer.StatusCode = 500
			setBody(answer, strings.NewReader(`{"error": "the disk is full"}`))
		}
	}
	network.change.Store(&refuse)
	p.test("a failure says what did not work, and why, until it is closed", func() {
		p.dismissRow(1)
		p.see(failure+`.replace(/^.*: D/, "D")`, "Dismissed. That did not work: the disk is full")
		p.letPass(15)
		p.followRow(2)
		p.see(failureCount, "2")
	})
	network.change.Store(nil)
	p.test("a failure leaves once the flat is decided on again, because trying again would undo that", func() {
		p.followRow(2)
		p.wait(isThere(".notice[role=status]"))
		p.see(failedDecisions, "Dismissed")
	})
	p.test("the button of a failure tries again", func() {
		p.click(failureButton)
		p.see(noticeRoles, "status")
		p.see(rowCount, "9")
	})
}

// TestPageNoticesOnAdd tests that notices hide none of the buttons of Add on a phone, wherever it is scrolled to.
func TestPageNoticesOnAdd(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.do("Emulation.setTouchEmulationEnabled", object{"enabled": true})
	p.goTo("#/add", ".decision")
	p.enter(pasteField, "900 €")
	p.load("parts/notice")
	p.eval(`notice.tell("Without a network. ".repeat(9), {error: true})`)
	for _, top := range []string{"0", "document.body.scrollHeight"} {
		p.eval("scrollTo(0, " + top + ")")
		p.see(box(".notice")+".bottom < "+box(".decision")+".top", "true")
	}
}

// openVillas opens a list of twenty flats with prices of eight digits.
func openVillas(t *testing.T) *tab {
	t.Helper()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "Villa %[1]d", "cost": %d, "currency": "DKK",
			"area": 212, "rooms": 12,
			"location": "Charlottenlund", "service_time_to": {"harbour": {"time": 1200}}}`, i, 1500000*(i+1)))
	}
	return openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=1000000..30000000&sort=cost", 1280)
}

// TestPageLargePrices tests that prices of eight digits fit at each width.
func TestPageLargePrices(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openVillas(t)
	for _, width := range []int{1280, 1200, 900} {
		p.test(fmt.Sprintf("in a table of %d pixels", width), func() {
			p.resize(width)
			p.see(count("td.cost"), "20")
			p.see(brokenCostCount, "0")
			p.see(titleWidth+" > 150", "true")
		})
	}
	p.test("in the fields of a phone", func() {
		p.resize(390)
		p.click(filtersButton)
		p.see(cutRangeCount, "0")
	})
}

// TestPageRoom tests that nothing that floats at the bottom of a phone overlaps anything.
func TestPageRoom(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openVillas(t)
	p.resize(390)
	p.test("six cards are whole", func() {
		p.see(cardsInSight+" >= 6", "true")
	})
	p.eval("window.firstTop = " + firstRowTop)
	p.changeElsewhere("1@site", `{"rooms": 2}`)
	p.test("news stand above the bar, in the accent, and move nothing", func() {
		p.waitForNews()
		p.see(box("#bar")+".top - "+box(newsButton)+".bottom", "8")
		p.see(newsIsAccented, "true")
		p.see(firstRowTop+" === firstTop", "true")
	})
	p.test("a notice makes way for news", func() {
		p.followRow(1)
		p.see(layersAtFoot, "#bar #fresh button")
		p.see(noticeIsAtTop, "true")
	})
}

// TestPageFoot tests that at most two layers lie at the bottom of a phone.
func TestPageFoot(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openVillas(t)
	p.resize(390)
	p.test("a notice lies on the bar", func() {
		p.followRow(1)
		p.see(layersAtFoot, "#bar .notice")
	})
	p.test("a notice makes way for the chosen rows", func() {
		p.chooseRow(2)
		p.chooseRow(3)
		p.see(layersAtFoot, "#bar #chosen")
		p.see(noticeIsAtTop, "true")
	})
	for _, c := range []struct{ hash, want string }{
		{"#/duplicates", "#bar #chosen"},
		{"#/compare/2@site,3@site", "#bar #chosen"},
		{"#/flat/2@site", "#bar .bar"},
		{"#/triage", "#bar .decide"},
		{"#/add", "#bar"},
		{"#/today", "#bar .notice"},
		{"#/visits", "#bar .notice"},
		{"#/map", "#bar .notice"},
		{"#/prices", "#bar .notice"},
	} {
		p.test("at "+c.hash, func() {
			p.goTo(c.hash, "h1, h2")
			p.rest(forAnswer)
			p.see(layersAtFoot, c.want)
		})
	}
}

// TestPageUndoPlace tests that the button Undo moves no place of a phone's bar.
func TestPageUndoPlace(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.wait(triageCount + " > 0")
	p.eval("window.before = " + barPlaces)
	p.dismissRow(1)
	p.test("the five places stay where they are", func() {
		p.see(barPlaces+" === before", "true")
		p.click(closeNotice)
		p.see(undoInBarIsHidden, "false")
		p.see(barPlaces+" === before", "true")
	})
	p.test("Undo is round, above the bar at the right", func() {
		p.see(undoPlace, "44,44,8,8")
	})
	p.test("Undo lies above the parts of the view at the bottom", func() {
		p.goTo("#/triage", ".card h2")
		p.see(box(".undo")+".bottom <= "+box(".decide")+".top", "true")
		p.click(undoInBar)
		p.see(notice, "Undone")
	})
}

// longListing are two listings, one of them with a long title.
const longListing = `[{"id": "x", "title": "X", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
	{"id": "y", "title": "A title so long that it alone fills a line of a phone or two", "phone": "0198", "cost": 700,
	"area": 40, "location": "Ost"}]`

// TestPageCovers tests that on a phone notices and the flats chosen for comparison lie neither on the bars at the
// bottom nor on the last buttons of a view.
func TestPageCovers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.importListings(longListing)
	p.choose("x", "y")
	p.see(showsFlat("y"), "true")
	p.dismissID("y")
	p.wait(notice)
	p.pressUnseen(noticeButton)
	p.see(notice, "Undone")
	for _, hash := range []string{"#/duplicates", "#/add", "#/triage", "#/flat/x", "#/prices", "#/visits"} {
		p.test("they cover nothing at "+hash, func() {
			p.goTo(hash, "h1, h2")
			p.rest(forAnswer)
			p.wait(isThere(".notice"))
			p.eval("scrollTo(0, document.body.scrollHeight)")
			p.see(coveredByFloor, "")
		})
	}
}

// TestPageLongNotice tests that a phone shows the whole end of a notice, which says what was decided.
func TestPageLongNotice(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.importListings(longListing)
	p.reload()
	p.dismissID("y")
	p.test("a decision is one line", func() {
		p.see(notice+`?.replace(/\s+/g, " ")`,
			"A title so long that it alone fills a line of a phone or two: Dismissed")
		p.see(`document.querySelector(".notice").offsetHeight <= 56`, "true")
		for _, width := range []int{390, 320} {
			p.resize(width)
			p.see(noticeEndCut, "0 true")
		}
	})
	p.resize(390)
	p.test("a visit needs a second one", func() {
		p.goTo("#/flat/y", setVisit)
		p.click(setVisit)
		p.click(visitTomorrow)
		p.wait(`/Visit/.test(` + notice + `)`)
		for _, width := range []int{390, 320} {
			p.resize(width)
			p.see(noticeEndCut, "0 true")
		}
	})
}
