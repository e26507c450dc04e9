// Tests of decisions that replace decisions made elsewhere meanwhile.

package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestPageOverruled tests that a decision on a row says what it replaces, even if the page has since requested counts,
// because nobody has seen what that answer said of the flat.
func TestPageOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const replaced = "Bright one-bedroom on the Croix-Rousse plateau: Dismissed. " +
		"This replaced a decision made elsewhere: Contacted"
	atWidths(t, "", "", func(p *tab) {
		p.see(firstRowID, "lyon-1051@example")
		p.changeElsewhere("lyon-1051@example", `{"status": "contacted"}`)
		p.test("the notice says what was replaced", func() {
			p.followRow(2)
			p.see(countAt("contacted"), "3")
			p.dismissRow(1)
			p.see(noticeTexts, replaced)
		})
		p.test("the notice stays in sight when others follow", func() {
			next := fmt.Sprint(p.eval(firstTitle))
			p.dismissRow(1)
			p.see(noticeTexts, replaced+"|"+next+": Dismissed")
			p.see(noticesApart, "true")
			p.press("u")
			p.see(noticeTexts, replaced+"|Undone")
		})
		p.test("the notice leaves when its decision is undone", func() {
			p.press("u")
			p.see(noticeTexts, "Undone")
			p.seeFlat("lyon-1051@example", "status", "contacted")
		})
	})
}

// TestPageTriageOverruled tests that the notice of a replaced decision, which in Triage comes after the next decision,
// stays in sight.
func TestPageTriageOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/triage", 390)
	// A card is replaced if Triage learns that it was decided on elsewhere before anybody can have seen it.
	p.wait(`performance.getEntriesByType("resource").some(({name}) => /any%5Bid%5D.*fields=status/.test(name))`)
	id := fmt.Sprint(p.eval(cardID))
	p.changeElsewhere(id, `{"status": "contacted"}`)
	p.press("x")
	p.wait(cardID + " !== " + encode(id))
	p.wait(`/elsewhere: Contacted$/.test(` + noticeTexts + `)`)
	p.press("f")
	p.wait(`/elsewhere: Contacted\|.*: Followed$/.test(` + noticeTexts + `)`)
	p.see(noticesApart, "true")
	p.see(coveredDecideCount, "0")
}

// decideAs makes a decision as a person does in another browser, past the page and its proxy.
func decideAs(t *testing.T, network *proxy, id, by, change string) {
	t.Helper()
	request, err := http.NewRequest("PATCH", network.target.Load().String()+"/api/v1/flat/"+id+"?by="+by,
		strings.NewReader(change))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
}

// undoOverruled is the notice of an Undo that replaces a decision.
const undoOverruled = "Undone. This replaced a decision made elsewhere: "

// statusAndBy returns an expression for the status of a flat and who has set it.
func statusAndBy(id string) string {
	return findField(id, "status") + ".then((status) => " + findField(id, "status_by") + ".then((by) => status + by))"
}

// TestPageUndoOverruledInRow tests that an Undo in the list says what it replaces, and that its own Undo restores that.
func TestPageUndoOverruledInRow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/?tab=new", 1280)
	p.follow("Den")
	p.see(notice, "Den: Followed")
	decideAs(t, network, "d", "Ben&status_since=2026-01-05T10:00:00Z", `{"status": "contacted"}`)
	p.test("Undo says what it replaces", func() {
		p.press("u")
		p.see(notice, undoOverruled+"Contacted by Ben")
		p.see(findField("d", "status"), `"new"`)
	})
	p.test("the Undo of that Undo restores the decision, with who made it and since when", func() {
		p.undo()
		p.see(notice, "Undone")
		p.see(statusAndBy("d"), `"contacted""Ben"`)
		p.see(findField("d", "status_since"), `"2026-01-05T10:00:00Z"`)
		p.see(undoInBarIsHidden, "true")
	})
}

// TestPageUndoOverruledInFlat tests that an Undo in a flat says what it replaces: a visit, and a rating by the same
// person on another device.
func TestPageUndoOverruledInFlat(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/?tab=new", 1280)
	p.opens("#/flat/c")
	p.test("Undo of a visit says what it replaces", func() {
		p.enter(visitField, "2031-12-08T10:00")
		p.see(notice, "Castle: Visit Mon, 8 Dec 2031, 10:00")
		decideAs(p.t, network, "c", "Ben", `{"visit_date": "2031-12-09T11:00"}`)
		p.press("u")
		p.see(notice, undoOverruled+"Visit Tue, 9 Dec 2031, 11:00")
		p.press("u")
		p.see(notice, "Undone")
		p.seeFlat("c", "visit_date", "2031-12-09T11:00")
	})
	p.test("Undo of a rating says what it replaces", func() {
		p.press("4")
		p.see(notice, "Castle: Rating ★ 4")
		decideAs(p.t, network, "c", "Ann", `{"rating": 2}`)
		p.press("u")
		p.see(notice, undoOverruled+"Rating ★ 2")
		p.press("u")
		p.see(notice, "Undone")
		p.see(findField("c", "ratings"), `{"Ann":2,"Ben":1}`)
	})
}

// TestPageUndoOverruledInTriage tests that an Undo in Triage says what it replaces, even if the page has requested the
// flat of the card since.
func TestPageUndoOverruledInTriage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/?tab=new", 1280)
	p.dismiss("Den")
	p.see(notice, "Den: Dismissed")
	p.letPass(10)
	p.opens("#/triage")
	p.press("f")
	p.see(notice, "Elm: Followed")
	p.see(statusAndBy("e"), `"followed""Ann"`)
	p.see(waitingLine, "")
	decideAs(t, network, "e", "Ben", `{"status": "visited"}`)
	p.opens("#/flat/e")
	p.see(statuses, "To sort,Followed,Contacted,Visited!,Applied")
	p.press("u")
	p.see(notice, "Elm: "+undoOverruled+"Visited by Ben")
	p.see(findField("e", "status"), `"new"`)
	p.press("u")
	p.see(notice, "Undone")
	p.see(statusAndBy("e"), `"visited""Ben"`)
}

// TestPageUndoOverruledOffline tests that an Undo made without a network asks before it replaces a decision.
func TestPageUndoOverruledOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/?tab=new", 1280)
	decideAs(t, network, "d", "Ben", `{"status": "contacted"}`)
	p.opens("#/flat/d")
	p.setStatus("followed")
	p.see(notice, "Den: Followed")
	decideAs(t, network, "d", "Ben", `{"status": "visited"}`)
	network.down.Store(true)
	p.press("u")
	p.see(waitingLine, "1 change waits")
	network.down.Store(false)
	p.see(questionValues, "Contacted,Visited by Ben")
	p.click(lastAnswer)
	p.see(waitingLine, "")
	p.see(statusAndBy("d"), `"visited""Ben"`)
}
