// Tests of the changes that wait for the network.

package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// openProfile starts a browser with a profile that outlives it, and opens the page at a URL.
func openProfile(t *testing.T, profile, url string) *tab {
	t.Helper()
	b, stop, err := startBrowser(profile)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	p := &tab{browser: b, t: t, url: url}
	p.openIn(object{}, "#/", 390)
	return p
}

// TestPageKilled tests that decisions and notes that wait for the network outlive a browser that is killed, as phones
// kill browsers in the background.
func TestPageKilled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	profile := browserDir(t)
	network, url := newProxy(t, startSample(t))
	p := openProfile(t, profile, url)
	p.goTo("#/flat/4711", notesField) // so that the flat is known without a network
	p.opens("#/")
	p.see(rowCount, "10")
	p.rest(6_000) // by then the browser has written what the page has kept so far
	network.down.Store(true)
	var ids []string
	for i, want := range []string{"1 change waits", "2 changes wait"} {
		ids = append(ids, fmt.Sprint(p.eval(firstRowID)))
		p.test("a decision waits, and its flat leaves the list: "+want, func() {
			p.dismissRow(1)
			p.see(waitingLine, want)
			p.see(rowCount, fmt.Sprint(9-i))
		})
	}
	p.test("notes are kept in the browser", func() {
		p.goTo("#/flat/4711", notesField)
		p.enter(notesField, "Damp in the cellar.")
		p.wait(keptNotes + `("4711")`)
	})
	time.Sleep(300 * time.Millisecond) // the disk takes some time
	p.crash()
	network.down.Store(false)
	p = openProfile(t, profile, url)
	p.test("decisions are sent", func() {
		for _, id := range ids {
			p.seeFlat(id, "status", "ignored")
		}
	})
	p.test("notes are sent", func() { p.seeFlat("4711", "notes", "Damp in the cellar.") })
	p.test("nothing waits then", func() { p.see(waitingLine, "") })
}

// TestPageAsked tests that a notice leads to a question that is out of sight.
func TestPageAsked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/?tab=all&sort=title", 390)
	p.startWorker()
	p.see(rowCount, "15")
	const down = `scrollTo(0, document.body.scrollHeight)`
	p.eval(down)
	id := fmt.Sprint(p.eval(lastRowID))
	network.down.Store(true)
	p.eval(pressLastDismiss)
	p.see(waitingLine, "1 change waits")
	network.down.Store(false)
	p.changeElsewhere(id, `{"status": "contacted"}`)
	p.eval(down)
	p.test("a notice says that there is one", func() {
		p.beBackOnline()
		p.see(failureWithoutTitle, "Status. A change here needs your answer.")
	})
	p.test("its button leads to the first answer", func() {
		p.click(failureButton)
		p.see(focusedText, "Keep mine")
	})
	p.test("the other answer keeps what was set elsewhere", func() {
		p.click(lastInWaiting)
		p.seeFlat(id, "status", "contacted")
		p.see(waitingGone, "true")
	})
}

// TestPageWaiting tests that without a network lists, visits and numbers include earlier changes and waiting ones.
func TestPageWaiting(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/?tab=new", 1280)
	p.startWorker()
	p.see(rowCount, "5")
	ids := strings.Split(fmt.Sprint(p.eval(rowIDs)), ",")
	p.test("what is decided is kept once the page is hidden", func() {
		p.eval(`caches.open(keptAs("answers")).then(async (cache) => {
			for (const key of await cache.keys()) if (key.url.includes(` + encode(lastKept) + `)) await cache.delete(key);
		})`)
		p.followRow(1)
		p.see(rowCount, "4")
		p.setVisibility("hidden")
		p.waitKept(lastKept)
		p.setVisibility("visible")
		network.down.Store(true)
		p.typeHash("#/?tab=shortlist")
		p.reload()
		p.see(rowCount, "6")
		p.see(firstRowID, ids[0])
	})
	decideOffline(p, ids)
	setOverlappingVisits(p, network, ids)
}

// decideOffline tests that lists and numbers include decisions made without a network.
func decideOffline(p *tab, ids []string) {
	const tabs = "Live 9|To sort 2|Changed 0|Shortlist 7|Followed 5|Contacted 2|Duplicate 1|Dismissed 3|Deleted 2|All 15"
	p.test("the numbers at the tabs have what is decided without a network", func() {
		p.typeHash("#/?tab=new")
		p.see(firstRowID, ids[1])
		p.followRow(1)
		p.see(waitingLine, "1 change waits")
		p.dismissRow(1)
		p.see(waitingLine, "2 changes wait")
		p.see(tabTexts, tabs)
	})
	p.test("so have they, and the list and the bar, after a reload", func() {
		p.reload()
		p.see(rowCount, "2")
		p.see(tabTexts, tabs)
		p.see(triageCount, "2")
	})
	p.test("the shortlist has what is followed", func() {
		p.typeHash("#/?tab=shortlist")
		p.see(rowCount, "7")
		p.see(firstRowID, ids[1])
	})
	p.test("Triage has what is left", func() {
		p.typeHash("#/triage")
		p.see(triageProgress, "2 left")
		p.see(triageCount, "2")
	})
}

// setOverlappingVisits tests that visits set without a network are in the flats and in Visits.
func setOverlappingVisits(p *tab, network *proxy, ids []string) {
	openFlat := func(id string) { p.eval(`location.hash = "#/flat/" + encodeURIComponent(` + encode(id) + `)`) }
	p.test("the field of a visit knows one that waits", func() {
		openFlat(ids[3])
		p.enter(visitField, "2031-12-07T18:30")
		p.see(waitingLine, "4 changes wait") // to set a visit of a new flat also follows the flat
		openFlat(ids[4])
		p.enter(visitField, "2031-12-07T18:40")
		p.see(waitingLine, "6 changes wait")
		p.see(ownOverlapCount, "1")
	})
	p.test("Visits has them, with what they overlap", func() {
		p.typeHash("#/visits")
		p.see(overlapsIn2031, "2 2")
		p.reload()
		p.see(overlapsIn2031, "2 2")
	})
	p.test("so does it once they are sent", func() {
		network.down.Store(false)
		p.see(waitingLine, "")
		p.reload()
		p.see(overlapsIn2031, "2 2")
	})
}

// TestPageWaitingFlats tests which flats the first page of two has, and how many all pages have, once a change of the
// flat b, which is not on this page, is sent.
func TestPageWaitingFlats(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.load("lib/pending")
	for _, c := range []struct{ name, was, want string }{
		{"a flat that now meets the conditions comes first", "ignored", "b,a of 3"},
		{"a flat that met them before stays on its page", "contacted", "a of 2"},
	} {
		entry := encode(object{"id": "b", "name": "status", "was": c.was, "set": "new"})
		const query = "any[status]=new&any[status]=contacted&page[size]=1&page[number]=0"
		got := p.eval(`pending.withChanges([` + entry + `], {total: 2, flats: [{id: "a", status: "new"}]},
			new URLSearchParams("` + query + `"), async (id) => ({id, title: "B", status: "new"}))
			.then(({flats, total}) => flats.map(({id}) => id).join() + " of " + total)`)
		if got != c.want {
			t.Errorf("%s: got %v; want %s", c.name, got, c.want)
		}
	}
}

// A queue is the flat 4711, open in a tab whose network comes and goes.
type queue struct {
	*tab
	network *proxy
}

// TestPageQueue tests that decisions, ratings, visits and notes made without a network are sent in their order, and
// that they overwrite no change made elsewhere without a question.
func TestPageQueue(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 1280)
	p.startWorker()
	q := queue{p, network}
	q.set(`{"status": "new", "notation": null, "visit_date": null}`)
	q.reload()
	q.see(ownDecisions, "To sort 0 ")
	q.sendsInOrder()
	q.asks()
	q.asksWhatIsRefused()
	q.dropsWhatIsGone()
	q.outlivesSignOut()
	q.countsWhatIsForgotten()
}

// set changes the flat as another device does.
func (q queue) set(change string) {
	q.t.Helper()
	patchElsewhere(q.t, q.network, "4711", change)
}

// seeStored waits until the service has a status, a rating and a visit.
func (q queue) seeStored(want string) {
	q.t.Helper()
	q.see(`fetch("api/v1/flats/4711").then((answer) => answer.json())
		.then(({data}) => [data.status, data.notation, data.visit_date].join())`, want)
}

// sendsInOrder tests that waiting changes outlive a reload, and are sent in their order.
func (q queue) sendsInOrder() {
	q.test("each change waits", func() {
		q.network.down.Store(true)
		q.setStatus("contacted")
		q.see(waitingLine, "1 change waits")
		q.star(4)
		q.see(waitingLine, "2 changes wait")
		q.enter(visitField, "2031-07-14T18:30")
		q.see(waitingLine, "3 changes wait")
		q.setStatus("visited")
		q.see(waitingLine, "4 changes wait")
		q.press("u")
		q.see(waitingLine, "5 changes wait")
	})
	q.test("all wait after a reload, and the flat has them", func() {
		q.reload()
		q.see(waitingLine, "5 changes wait")
		q.see(ownDecisions, "Contacted 1 2031-07-14T18:30")
	})
	q.test("they are sent in their order: status, rating, visit, status, status", func() {
		var mu sync.Mutex
		var sent []string
		list := func(answer *http.Response) {
			if request := answer.Request; request.Method == "PATCH" {
				mu.Lock()
				defer mu.Unlock()
				sent = append(sent, fmt.Sprint(request.ContentLength))
			}
		}
		q.network.change.Store(&list)
		q.network.down.Store(false)
		q.see(waitingLine, "")
		q.seeStored("contacted,4,2031-07-14T18:30:00+02:00")
		mu.Lock()
		defer mu.Unlock()
		var want []string
		for _, body := range []string{`{"status":"contacted"}`, `{"notation":4}`,
			`{"visit_date":"2031-07-14T18:30:00+02:00"}`, `{"status":"visited"}`, `{"status":"contacted"}`} {
			want = append(want, fmt.Sprint(len(body)))
		}
		if !slices.Equal(sent, want) {
			q.t.Errorf("the updates have lengths %s; want %s", sent, want)
		}
		q.network.change.Store(nil)
	})
}

// asks tests that a different change of a field elsewhere makes a question, and that the same change does not.
func (q queue) asks() {
	q.test("a field that was changed elsewhere is a question, the same change is none", func() {
		q.network.down.Store(true)
		q.star(2)
		q.setStatus("visited")
		q.see(waitingLine, "2 changes wait")
		q.set(`{"notation": 5, "status": "visited"}`)
		q.network.down.Store(false)
		q.see(waitingLine, "1 change waits")
		q.see(questionTexts, "Changed elsewhere Here ★ 2 Elsewhere ★ 5")
	})
	q.test("the question outlives a reload, and nothing is overwritten", func() {
		q.reload()
		q.see(questionTexts, "Changed elsewhere Here ★ 2 Elsewhere ★ 5")
		q.seeStored("visited,5,2031-07-14T18:30:00+02:00")
	})
	q.test("the question is about the last change, and its first answer keeps that", func() {
		q.star(3)
		q.see(questionTexts, "Changed elsewhere Here ★ 3 Elsewhere ★ 5")
		q.click(firstAnswer)
		q.see(waitingLine, "")
		q.seeStored("visited,3,2031-07-14T18:30:00+02:00")
	})
}

// asksWhatIsRefused tests that a change that the service refuses is a question.
func (q queue) asksWhatIsRefused() {
	q.test("a change that the service refuses is a question", func() {
		q.network.down.Store(true)
		q.star(1)
		q.see(waitingLine, "1 change waits")
		refuse := func(answer *http.Response) {
			if answer.Request.Method == "PATCH" {
				answer.StatusCode = 400
				setBody(answer, strings.NewReader(`{"error": "too low"}`))
			}
		}
		q.network.change.Store(&refuse)
		q.network.down.Store(false)
		q.see(questionTexts, "The service rejected this: too low Here ★ 1 Elsewhere ★ 3")
	})
	q.test("its last answer goes back to what the service has", func() {
		q.network.change.Store(nil)
		q.set(`{"notation": 3}`) // the proxy had refused it
		q.click(lastAnswer)
		q.see(waitingLine, "")
		q.see(ownRating, "Rating 3")
	})
}

// dropsWhatIsGone tests that a change of a flat that is no longer there is dropped without an error.
func (q queue) dropsWhatIsGone() {
	q.test("a change of a flat that is no longer there is dropped without an error", func() {
		q.network.down.Store(true)
		q.star(1)
		q.see(waitingLine, "1 change waits")
		lose := func(answer *http.Response) {
			if answer.Request.URL.Path == "/api/v1/flats" && answer.Request.FormValue("id") == "4711" {
				answer.StatusCode = 404
				setBody(answer, strings.NewReader(`{"error": "No flat with id 4711"}`))
			}
		}
		q.network.change.Store(&lose)
		q.network.down.Store(false)
		q.see(questionTexts, "The service rejected this: No flat with id 4711 Here ★ 1 Elsewhere –")
		q.click(lastAnswer)
		q.see(waitingLine, "")
		q.rest(forAnswer) // an error would come with the answer
		q.see(failureCount, "0")
	})
	q.network.change.Store(nil)
	q.reload()
	q.see(ownRating, "Rating 3")
	q.wait(keptFlat(`"4711"`, "notation === 3")) // it is kept a little later
}

// outlivesSignOut tests that waiting changes outlive a 401, and that any view asks about notes.
func (q queue) outlivesSignOut() {
	q.test("what waits outlives a 401", func() {
		q.network.down.Store(true)
		q.star(5)
		q.see(waitingLine, "1 change waits")
		q.enter(notesField, "Mine.")
		q.see(waitingLine, "2 changes wait")
		q.set(`{"notes": "Theirs."}`)
		lock := func(answer *http.Response) {
			answer.StatusCode = 401
			setBody(answer, strings.NewReader(`{"error": "no password"}`))
		}
		q.network.change.Store(&lock)
		q.network.down.Store(false)
		q.see(signedOutLine, "Signed out · Sign in")
		q.see(waitingLine, "2 changes wait")
	})
	q.test("notes are asked about in any view", func() {
		q.network.change.Store(nil)
		q.typeHash("#/")
		q.reload()
		q.see(questionTexts, "Changed elsewhere Here Mine. Elsewhere Theirs. Keep both")
		q.seeStored("visited,5,2031-07-14T18:30:00+02:00")
	})
}

// countsWhatIsForgotten tests that "Forget this device" says how many changes would be lost.
func (q queue) countsWhatIsForgotten() {
	q.test(`"Forget this device" says how many changes would be lost`, func() {
		q.askToForget()
		q.see(forgetQuestion,
			"1 unsent change will be lost. Delete the flats, drafts and views kept on this device?")
		q.click(keepDevice)
	})
	q.test("both versions of notes can be kept", func() {
		q.click(firstAnswer)
		q.see(waitingLine, "")
		if got := q.flat("4711", "notes"); got != "Theirs.\n\nMine." {
			q.t.Errorf("notes = %q; want both versions", got)
		}
	})
}
