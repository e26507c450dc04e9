// Tests of decisions: dismissing all of a view, rows, and the statuses of a flat.

package web

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// openSweep opens a list with filters on a phone. It returns the number of flats to sort in the list.
func openSweep(t *testing.T) (p *tab, network *proxy, n string) {
	t.Helper()
	p, network = openThroughProxy(t, start(t, manyFlats(130)), "#/?cost=..1500&rooms=2..", 390)
	p.wait(countAt("new"))
	return p, network, fmt.Sprint(p.eval(countAt("new")))
}

// bringLate imports one more flat of openSweep after the list was loaded, so that nobody has seen it. It returns the
// number of all flats to sort.
func bringLate(p *tab) (all string) {
	p.t.Helper()
	p.load("lib/kept")
	// The page knows when the user last looked, and the list is loaded.
	p.wait(`kept.kept.mark.at && kept.kept.loaded.key && !kept.kept.loaded.key.includes("area")`)
	p.importListings(`[{"id": "late", "cost": 900, "rooms": 3}]`)
	return fmt.Sprint(p.eval(sweptElsewhere))
}

// sweptElsewhere is the number of flats of openSweep that the service has to sort.
const sweptElsewhere = `fetch("api/v1/find?any[status]=new&max[cost]=1500&min[rooms]=2&page[size]=1")
	.then((answer) => answer.json()).then(({total}) => total)`

// unsent is the number of changes that the browser stores until the service has them.
const unsent = `keptIn("flats.waiting").length`

// A heldChanges holds back the service's answers to changes until release is called.
type heldChanges struct {
	release func()
	now     atomic.Int32 // how many wait
	most    atomic.Int32 // how many waited at once
}

// holdChanges makes the service's answers to changes wait.
func holdChanges(t *testing.T, network *proxy) *heldChanges {
	gate := make(chan struct{})
	held := &heldChanges{release: sync.OnceFunc(func() { close(gate) })}
	t.Cleanup(held.release)
	hold := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			held.most.Store(max(held.most.Load(), held.now.Add(1)))
			<-gate
			held.now.Add(-1)
		}
	}
	network.change.Store(&hold)
	return held
}

// waitFor waits until n answers wait.
func (h *heldChanges) waitFor(p *tab, n int32) {
	p.t.Helper()
	p.until(func() bool { return h.now.Load() == n }, func() string { return fmt.Sprint(h.now.Load(), " changes wait") })
}

// TestPageSweepButton tests where on a phone "Dismiss these 61" stands next to the chips.
func TestPageSweepButton(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _, n := openSweep(t)
	p.test("the button names the number to sort", func() {
		p.see(sweepLabel, "Dismiss these "+n)
		p.see(sweepWords, "Dismiss these "+n)
	})
	p.typeHash("#/?cost=..1500&rooms=2..&area=10..&cost_per_area=..99")
	p.see(chipCount, "4")
	p.test("the whole button is in sight, however far the chips are scrolled", func() {
		p.see(sweepIsWhole, "true")
		p.eval(scrollChips(120))
		p.see(sweepIsWhole, "true")
	})
	p.test("the narrowest phone shows an icon and the number, with the same name", func() {
		p.resize(320)
		p.see(sweepWords, n)
		p.see(sweepLabel, "Dismiss these "+n)
		p.see(sweepIsWhole, "true")
		p.see(chipsAreWide, "true")
		p.resize(390)
	})
	p.test("the chips have all the other room, and fade where they are cut", func() {
		p.see(chipsAreWide, "true")
		p.see(chipsFade, "true")
		p.eval(scrollChips(9999))
		p.see(lastChipIsWhole, "true")
	})
	p.test("a chip that gets the focus is wholly in sight", func() {
		p.eval(scrollChips(0))
		p.focus(".chips .chip:nth-child(2 of .chip)")
		p.see(focusedChipIsWhole, "true")
	})
	for _, hash := range []string{"#/?tab=shortlist&cost=..1500", "#/"} {
		p.test("the button is not there for "+hash, func() {
			p.typeHash(hash)
			p.wait(sweepIsHidden)
		})
	}
}

// TestPageSweep tests "Dismiss these 61", which dismisses the flats that the user has seen.
func TestPageSweep(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network, n := openSweep(t)
	all := bringLate(p) // before any question: it is in none of the numbers until the list is drawn anew
	p.test("the question names the filters", func() {
		p.click(sweepButton)
		p.see(sweepQuestion, "Dismiss "+n+" flats? Cost ≤ 1,500, Rooms ≥ 2")
	})
	p.test("Esc leaves all as it was", func() {
		p.key("Escape")
		p.see(sweepQuestion, "undefined")
		p.see(sweepLabel, "Dismiss these "+n)
	})
	held := holdChanges(t, network)
	p.test("the flats that were seen are dismissed at once, by four requests at a time", func() {
		p.sweep()
		held.waitFor(p, 4)
		p.see(notice, n+" flats: Dismissed")
		p.see(waitingLine, "") // changes under way are not shown as waiting
		p.see(sweepIsHidden, "true")
	})
	p.test("Undo takes all flats back while the changes are being sent", func() {
		p.undo()
		p.see(notice, "Undone")
		held.release()
		p.see(unsent, "0")
		p.see(sweptElsewhere, all)
		p.see(sweepLabel, "Dismiss these "+all)
		p.see(countAt("new"), all)
		p.see(undoInBarIsHidden, "true")
		if got := held.most.Load(); got != 4 {
			p.t.Errorf("the page sent %d changes at once; want 4", got)
		}
	})
}

// TestPageSweepClosed tests that changes that were not sent when the page closed are sent when it opens again.
func TestPageSweepClosed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network, _ := openSweep(t)
	all := bringLate(p)
	p.reload()
	p.test("the first flat begins near the top of a phone, beneath the line of what is new", func() {
		p.see(sweepLabel, "Dismiss these "+all)
		p.wait(rowBelowSinceLine)
		p.see(firstRowTop+" <= 200", "true")
	})
	held := holdChanges(t, network)
	p.sweep()
	held.waitFor(p, 4)
	network.change.Store(nil)
	p.see(unsent, all)
	p.test("a reload sends the rest", func() {
		p.reload()
		held.release()
		p.see(unsent, "0")
		p.see(sweptElsewhere, "0")
		p.wait(sweepIsHidden)
	})
}

// TestPageDecide tests a decision in a row of the list.
func TestPageDecide(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	atWidths(t, "", "#/?tab=new&sort=cost", func(p *tab) {
		p.see(rowCount, "5")
		first := fmt.Sprint(p.eval(firstRowID))
		p.test("a row that leaves the view passes the focus to the next one", func() {
			p.focus(".row button[data-status=ignored]")
			p.key("Enter")
			p.see(rowCount, "4")
			p.see(focusedStatus, "ignored")
			p.see(focusedRow+" === "+firstRowID, "true")
		})
		p.test("Dismiss is stored, counted, and said", func() {
			p.wait(`/: Dismissed$/.test(` + notice + `)`)
			p.seeFlat(first, "status", "ignored")
			p.see(countAt("ignored"), "3")
		})
		p.test("Undo brings the flat back to its place", func() {
			p.undo()
			p.see(firstRowID, first)
			p.see(notice, "Undone")
			p.seeFlat(first, "status", "new")
		})
	})
}

// TestPageDecideKeys tests the keys of a row of the list.
func TestPageDecideKeys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	atWidths(t, "", "#/?tab=new&sort=cost", func(p *tab) {
		p.see(rowCount, "5")
		first := fmt.Sprint(p.eval(firstRowID))
		p.test("digits rate, and 0 takes the rating away", func() {
			p.focus(".row h2 a")
			p.press("2")
			p.see(firstRating, "★ 2")
			p.press("0")
			p.see(firstRating, "undefined")
			p.seeFlat(first, "notation", "null")
		})
		p.press("j")
		second := fmt.Sprint(p.eval(focusedRow))
		p.test("j goes to the next flat, f follows it, and it leaves the view", func() {
			p.press("f")
			p.see(rowCount, "4")
			p.seeFlat(second, "status", "followed")
		})
		p.test("u takes it back, and leaves in the bar what was decided before", func() {
			p.press("u")
			p.see(rowCount, "5")
			p.see(nthRow(2), second)
			p.see(noticeWhole, "Undone") // offers nothing
			p.see(undoInBarIsHidden, "false")
		})
	})
}

// TestPageDecideContacted tests that a contacted flat offers no "Follow", which would be a step back, and that its key
// is refused.
func TestPageDecideContacted(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	atWidths(t, "", "#/?tab=is:contacted", func(p *tab) {
		p.wait(rowAt(1))
		p.see(followsInFirstRow, "0")
		first := fmt.Sprint(p.eval(firstRowID))
		p.focusRow(1)
		p.press("f")
		p.wait(`/: Contacted$/.test(` + notice + `)`)
		p.seeFlat(first, "status", "contacted")
	})
}

// openStatuses opens a flat to sort. Another flat has a status that the page does not know.
func openStatuses(t *testing.T) *tab {
	t.Helper()
	return openTab(t, `[{"id": "a", "title": "Loft"}, {"id": "b", "title": "Odd", "status": "odd"}]`, "#/flat/a", 1280)
}

// TestPageStatusesPlace tests where the statuses of a flat stand: the usual ones in a row, "Dismiss" apart from them,
// and the others in a menu.
func TestPageStatusesPlace(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openStatuses(t)
	for _, width := range []int{1280, 900, 390, 320} {
		p.resize(width)
		p.test(fmt.Sprintf("the row is one line of %d pixels, with Dismiss below", width), func() {
			p.see(statuses, "To sort!,Followed,Contacted,Visited,Applied")
			p.see(statusLineCount, "1")
			p.see(fitsAcross, "true")
			p.see(dismissIsBelowStatuses, "true")
		})
		p.test(fmt.Sprintf("at %d pixels the menu opens at its button, and Esc closes it alone", width), func() {
			p.click(moreStatuses)
			p.see(statusMenu, "Offered,Signed,Refused,Duplicate,Deleted")
			p.see(statusMenuIsAtButton, "true")
			p.key("Escape")
			p.see(statusMenu+"+"+hash, "#/flat/a")
		})
	}
	for language, want := range map[string]string{
		"de": "Sichten,Gemerkt,Angefragt,Besichtigt,Beworben",
		"fr": "À trier,Suivi,Contacté,Visité,Postulé",
	} {
		p.setLanguage(language)
		p.reload()
		for _, width := range []int{1280, 320} {
			p.resize(width)
			p.test(fmt.Sprintf("in %s the row is one line of %d pixels, and the bar not wider", language, width), func() {
				p.see(statuses, strings.Replace(want, ",", "!,", 1))
				p.see(statusLineCount, "1")
				p.see(cutStatusRowCount, "0")
				if width == 1280 {
					p.see(statusesMargin+" >= 8", "true")
				}
			})
		}
	}
}

// TestPageStatuses tests what the buttons of the statuses of a flat do.
func TestPageStatuses(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openStatuses(t)
	p.test("a status of the menu is set, and stands next to Dismiss", func() {
		p.see(`document.querySelector("`+moreStatuses+`").ariaLabel`, "More statuses")
		p.click(moreStatuses)
		p.clickOn(inStatusMenu("Duplicate"))
		p.see(statuses, "To sort,Followed,Contacted,Visited,Applied,Duplicate!")
		p.see(statusMenu, "")
		p.see(otherStatusIsBesideDismiss, "true")
	})
	p.test("a press on the status set by the menu does nothing", func() {
		p.seeStays("duplicate", "To sort,Followed,Contacted,Visited,Applied,Duplicate!")
	})
	p.test("the row sets later statuses, and earlier ones after a slip of the finger", func() {
		p.setStatus("contacted")
		p.see(statuses, "To sort,Followed,Contacted!,Visited,Applied")
		p.setStatus("followed")
		p.see(statuses, "To sort,Followed!,Contacted,Visited,Applied")
		p.setStatus("new")
		p.see(statuses, "To sort!,Followed,Contacted,Visited,Applied")
	})
	p.test("a press on the present status does nothing", func() {
		p.setStatus("contacted")
		p.seeFlat("a", "status", "contacted")
		p.seeStays("contacted", "To sort,Followed,Contacted!,Visited,Applied")
	})
	p.test("Dismiss is shown as pressed without a status of the row, and a second press does nothing", func() {
		p.setStatus("ignored")
		p.see(statuses, "To sort,Followed,Contacted,Visited,Applied")
		p.see(dismissPressed, "true")
		p.seeFlat("a", "status", "ignored")
		p.setStatus("ignored")
		p.rest(forAnswer)
		p.see(dismissPressed, "true")
		p.seeFlat("a", "status", "ignored")
	})
	p.test("a status that the page does not know stands in the row", func() {
		p.typeHash("#/flat/b")
		p.see(statuses, "To sort,Followed,Contacted,Visited,Applied,odd!")
	})
}

// seeStays presses a status of the open flat, and sees that it stays.
func (p *tab) seeStays(status, want string) {
	p.t.Helper()
	p.setStatus(status)
	p.rest(forAnswer)
	p.see(statuses, want)
	p.seeFlat("a", "status", status)
}

// TestPageStatusWords tests that the page sets only statuses that the service counts as its own, each with a text and
// in the menu or the row of a flat.
func TestPageStatusWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft"}, {"id": "b", "title": "Mistake", "status": "deleted"}]`, "#/", 1280)
	p.test("a flat with \"deleted\", as the page once wrote it, is a deleted one", func() {
		p.see(rowCount, "1")
		p.see(tabTexts, "Live 1|To sort 1|Changed 0|Shortlist 0|Deleted 1|All 2")
		p.typeHash("#/?tab=is:user_deleted")
		p.see(firstStatus, "Deleted")
	})
	p.load("lib/fields")
	p.load("words/format")
	p.eval(`window.statuses = fields.statuses`)
	p.test("each status has a text", func() {
		p.see(`statuses.filter((status) => format.statusName(status) === status || !/^[A-Z]/.test(format.statusName(status)))
			.join()`, "")
	})
	p.test("the page's files set no other status", func() {
		for name, source := range readFolder(t) {
			setting := regexp.MustCompile(`\{status: "(\w+)"|[sS]tatus\(\w+, "(\w+)"`)
			for _, set := range setting.FindAllStringSubmatch(source, -1) {
				p.see(fmt.Sprintf(`%q + statuses.includes(%q)`, name+" "+set[0]+" ", set[1]+set[2]), name+" "+set[0]+" true")
			}
		}
	})
	p.test("a flat offers each status", func() {
		p.typeHash("#/flat/a")
		p.see(offeredStatuses+" === statuses.toSorted().join()", "true")
	})
}

// openCallable opens the list of a service with flats of several statuses, which have a phone.
func openCallable(t *testing.T) *tab {
	t.Helper()
	var flats []object
	for _, status := range []string{"new", "followed", "odd", "ignored", "contacted", "visited", "refused"} {
		flats = append(flats, object{"id": status, "title": status, "status": status, "phone": "0199 00 42"})
	}
	p := openTab(t, encode(flats), "#/", 1280)
	p.eval(`addEventListener("click", (event) => event.preventDefault())`) // no program takes calls here
	return p
}

// TestPageContacted tests what a call offers and a message does, by the status of the flat.
func TestPageContacted(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openCallable(t)
	for _, c := range []struct{ status, offer, next, mark string }{
		{"new", "new Contacted", "Call", "new: Contacted Undo"},
		{"followed", "followed Contacted", "Call", "followed: Contacted Undo"},
		{"odd", "odd Contacted", "", "odd: Contacted Undo"},
		{"ignored", "ignored Contacted", "", "ignored: Contacted Undo"},
		{"contacted", "undefined", "Set a visit", "undefined"},
		{"visited", "undefined", "Rate", "undefined"},
		{"refused", "undefined", "", "undefined"},
	} {
		p.typeHash("#/flat/" + c.status)
		p.see(heading, c.status)
		p.test("the next step of a flat with status "+c.status+" is the filled one", func() {
			p.see(contactActions, "Call,Message,Set a visit,Rate")
			p.see(filledContactAction, c.next)
		})
		p.test("calling one with status "+c.status+" offers Contacted, unless that is past", func() {
			p.click(callButton)
			p.see(noticeWhole, c.offer)
			p.dropOffer()
			p.click(callInAddress)
			p.see(noticeWhole, c.offer)
			p.dropOffer()
		})
		p.test("writing to one with status "+c.status+" marks it as Contacted, unless that is past", func() {
			p.click(messageButton)
			p.click(messageByPhone)
			p.see(count(messageDialog), "0")
			p.see(noticeWhole, c.mark)
			p.dropOffer()
		})
	}
}

// TestPageContactedAfterCall tests that the offer outlasts a call, which hides the page.
func TestPageContactedAfterCall(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openCallable(t)
	p.eval(`Object.defineProperty(document, "hidden", {value: true, configurable: true})`)
	p.typeHash("#/flat/new")
	p.see(heading, "new")
	p.click(callButton)
	p.see(noticeWhole, "new Contacted")
	p.letPass(40)
	p.see(noticeWhole, "new Contacted")
	p.eval("delete document.hidden")
	p.letPass(10)
	p.see(noticeWhole, "undefined")
}

// TestPagePressed tests what presses do while the page asks whether the flat has changed elsewhere.
func TestPagePressed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/lyon-1042%40example", 1280)
	var answer atomic.Pointer[chan struct{}] // the flat's answer waits until it is closed
	hold := func(got *http.Response) {
		switch {
		case got.Request.URL.Query().Get("id") == "lyon-1042@example":
			<-*answer.Load()
		case strings.Contains(got.Request.URL.RawQuery, "corrected"): // what Edit waits for comes later
			<-*answer.Load()
			time.Sleep(300 * time.Millisecond)
		}
	}
	// before is true once the press has had its effect, if it has one before the answer about the flat comes.
	for i, c := range []struct{ sentence, press, opens, before string }{
		{"the dialog of a message stays", messageButton, messageDialog, isThere(messageDialog)},
		{"the fields open although the facts are made anew in between", editButton, editFields, "true"},
	} {
		p.test(c.sentence, func() {
			p.opens("#/")
			p.changeElsewhere("lyon-1042@example", fmt.Sprintf(`{"cost": %d}`, 700+i))
			come := make(chan struct{})
			answer.Store(&come)
			network.change.Store(&hold)
			p.typeHash("#/flat/lyon-1042%40example")
			p.click(c.press)
			p.wait(c.before)
			close(come)
			network.change.Store(nil)
			p.wait(`performance.getEntriesByType("resource")
				.filter(({name}) => name.endsWith("/flats?id=lyon-1042%40example")).length > 1`)
			p.rest(forAnswer)
			p.see(count(c.opens), "1")
			p.reload()
		})
	}
}
