// Tests without a network: the service worker, what it keeps, passwords.

package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// tearLists breaks off every answer of the route /find amid its flats.
var tearLists = func(answer *http.Response) {
	if answer.Request.URL.Path == "/api/v1/find" {
		const arriving = 1000 // bytes; the list of the sample has more
		start := io.LimitReader(answer.Body, arriving)
		setBody(answer, io.MultiReader(start, iotest.ErrReader(errors.New("torn"))))
	}
}

// TestPageOffline tests that the page starts without a network, shows the last answers, and says how old they are.
func TestPageOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 390)
	p.startWorker() // the first load sends its requests before the worker takes over
	p.test("feeds, downloads and errors are not kept", func() { askForUnkept(p) })
	p.test("an answer that breaks off does not replace the one that was kept", func() {
		network.change.Store(&tearLists)
		p.reload()
		p.see(notKeptCount, "1")
		network.change.Store(nil)
		network.down.Store(true)
		p.reload()
		p.see(rowCount, "10")
	})
	p.test("the list says how old it is", func() { p.see(saysDataAge("No network"), "true") })
	p.test("the shortlist and its flats are there", func() {
		p.typeHash("#/?tab=shortlist")
		p.see(rowCount, "5")
		p.openRow(1)
		p.wait(flatTitle)
	})
	p.test("a decision waits", func() {
		p.typeHash("#/?tab=shortlist")
		p.dismissRow(1)
		p.see(waitingLine, "1 change waits")
		p.see(rowCount, "4")
	})
	p.test("the saved views are there, and stay as they are", func() { stayAsTheyAre(p) })
	network.down.Store(false)
	p.test("a bell is set with one press once there is a network", func() {
		p.click(failureButton)
		p.see(sendsMessages("Two rooms in Lyon"), "true")
	})
	p.test("the decision is sent, and the list is up to date", func() {
		p.typeHash("#/")
		p.see(rowCount, "9")
		p.see(waitingLine, "")
		p.see(keptLine, "")
	})
}

// askForUnkept tests that the worker keeps no answer that is of no use later.
func askForUnkept(p *tab) {
	p.see(statusesOf("ics/visits.ics", "find?format=csv", "flats/nobody"), "200,200,404")
	p.see(keptAddresses(`\.ics|csv|nobody`), "")
}

// stayAsTheyAre tests that saved views are shown without a network, and that neither saving a view nor a bell changes
// them. It leaves the notice that the bell failed.
func stayAsTheyAre(p *tab) {
	p.see(savedViewNames, "Two rooms in Lyon|Balcony")
	const unsaved = "This was not saved: no network connection."
	p.pressTool(saveThisView)
	p.click(saveName)
	p.see(failure, unsaved)
	p.click(closeFailure)
	p.click(savedLink)
	p.click(currentSavedMenu)
	p.click(savedBell)
	p.see(failure, unsaved)
}

// TestPageHang tests that a network that accepts requests but does not answer counts as no network.
func TestPageHang(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	p.test("the page opens with what is kept", func() {
		network.hanging.Store(true)
		p.do("Network.clearBrowserCache", nil)
		p.reload()
		p.see(rowCount, "10")
		p.see(saysDataAge("No network"), "true")
	})
	// The page gives up sooner, after 9 s where it would wait for 20 s (patience in lib/api.js).
	p.eval(`AbortSignal.timeout = ((timeout) => (ms) => timeout(0.45 * ms))(AbortSignal.timeout)`)
	p.test("a view that was not loaded before opens", func() {
		p.typeHash("#/triage")
		p.wait(cardTitle)
	})
	p.test("a search looks through what is kept", func() {
		p.typeHash("#/?q=lyon")
		p.see(rowCount, "4")
	})
	p.typeHash("#/")
	p.see(rowCount, "10")
	id := fmt.Sprint(p.eval(firstRowID))
	p.test("a decision waits", func() {
		p.dismissRow(1)
		p.see(waitingLine, "1 change waits")
		p.see(rowCount, "9")
	})
	p.test("the decision is sent once the service answers", func() {
		network.hanging.Store(false)
		p.see(waitingLine, "")
		p.seeFlat(id, "status", "ignored")
		p.reload()
		p.see(rowCount, "9")
		p.see(keptLine, "")
	})
}

// TestPageSlow tests that the worker waits for a slow service if nothing is kept, and that answers which come too late
// for a page are not shown in another one.
func TestPageSlow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	wait := func(answer *http.Response) {
		select {
		case <-time.After(6 * time.Second): // longer than the worker's patience for the page (sw.js)
		case <-answer.Request.Context().Done():
		}
	}
	network.change.Store(&wait)
	p.test("the page is answered from what is kept", func() {
		p.reload()
		p.see(rowCount, "10")
	})
	p.test("a file that is not kept, and an address that was never asked, are answered by the service", func() {
		p.eval(`window.asked = Promise.all(["assets/-/none.js", "api/v1/find?cost=7"].map((path) =>
			fetch(path).then(({status, headers}) => status + " " + headers.has("X-Kept"))))
			.then((all) => window.got = all.join())`)
		p.see("window.got", "404 false,200 false")
	})
}

// TestPageKeptSearch tests that without a network a search looks through the kept flats, also by words that are half
// typed, excluded or in their texts; that a search without results says that it is not kept; and that Today shows what
// is due.
func TestPageKeptSearch(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, `[
		{"id": "a", "title": "Attic", "text": "With a balcony.", "location": "Köln", "next_step": "Call",
			"status": "followed", "next_date": "2026-01-02"},
		{"id": "b", "title": "Barn", "text": "Balconies, two.", "location": "Lyon"},
		{"id": "c", "title": "Castle", "text": "A moat.", "location": "Lyon"}]`), "", 1280)
	p.startWorker()
	p.waitKept("contacted_since") // a field of Today
	for _, id := range []string{"a", "b", "c"} {
		p.see(statusesOf("flats/"+id), "200")
	}
	p.waitKept("flats/c")
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "3")
	for search, want := range map[string]string{
		"balc":                "Attic|Barn",
		"koeln":               "Attic",
		"lyon -moat":          "Barn",
		"attic OR NOT castle": "Attic|Barn",
		"moat OR koeln":       "Attic|Castle",
		"title:castle":        "Castle",
		`"two moat"`:          "",
	} {
		p.test("a search for "+search, func() {
			p.typeHash("#/?" + url.Values{"q": {search}, "sort": {"title"}}.Encode())
			p.see(`location.hash.includes(`+encode(url.QueryEscape(search))+`) + " " + `+sortedTitles, "true "+want)
			wantNotKept := "0"
			if want == "" {
				wantNotKept = "1"
			}
			p.see(notKeptCount, wantNotKept)
			p.see(failureCount, "0")
		})
	}
	p.test("Today shows what is due", func() {
		p.typeHash("#/today")
		p.see(overdueStep, "Call")
	})
}

// TestPageAhead tests that the worker sends the list's first request while it asks for the page, so that over a slow
// network both answers come at once, and that the page does not send that request again.
func TestPageAhead(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	p.wait(`caches.match("api/v1/first")`)
	// After two seconds, or when it is left, a page requests the list once more, for the worker to keep it.
	p.runFirst(`{
		const set = setTimeout
		window.setTimeout = (run, after, ...rest) => after === 2000 ? 0 : set(run, after, ...rest)
	}`)
	for _, hash := range []string{"", "#/"} {
		asked := make(chan struct{})
		var pages, lists atomic.Int32
		hold := func(answer *http.Response) {
			query := answer.Request.URL.Query()
			// While the page is idle, it requests the same flats with all fields.
			isList := query.Get("page[size]") == "50" && query.Has("fields") && len(query["any[status]"]) == 0
			if isList && lists.Add(1) == 1 {
				close(asked)
			}
			if answer.Request.URL.Path == "/" && pages.Add(1) == 1 {
				<-asked // the page comes after the answer that it will ask for
			}
		}
		network.change.Store(&hold)
		p.test(fmt.Sprintf("the list at %q is asked for before the page has come, and once", hash), func() {
			p.openAnew("/" + hash)
			p.see(rowCount, "10")
			if n := lists.Load(); n != 1 {
				p.t.Errorf("the first page of the list was requested %d times; want once", n)
			}
		})
		network.change.Store(nil)
	}
}

// TestPageVersions tests that all files of a page are of one version, although the service gets another version while
// the page is open, and although the worker has kept the earlier page. A reload shows the new version.
func TestPageVersions(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	old, next := network.target.Load().String(), startOther(t)
	for _, worker := range []string{"without a worker", "with a worker"} {
		network.pointTo(old)
		p.typeHash("#/")
		if worker == "with a worker" {
			p.startWorker()
			network.down.Store(true)
			p.test("the files of the page that is kept are of one version", func() {
				p.reload()
				p.see(versionsInUse, "1")
			})
		}
		network.pointTo(next)
		network.down.Store(false)
		p.test("a view of another version is not shown in the page of before, "+worker, func() {
			p.typeHash("#/visits")
			p.see(headingIsGone, "true")
		})
		p.test("the page of the other version is shown at a press, "+worker, func() {
			// If the network is slow, the worker may show the old page once more.
			p.wait(namesOfVisits + ` === "All visits,All visits" || ` + loadAgainFromFailure)
			p.see(versionsInUse, "1")
		})
	}
}

// startOther runs another version of the program, which says "All visits".
func startOther(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "web")
	if err := os.CopyFS(folder, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	texts := filepath.Join(folder, "words", "strings", "en.js")
	writeFile(t, texts, strings.Replace(readFile(t, texts), `visits: "Visits"`, `visits: "All visits"`, 1))
	return startIn(t, t.TempDir(), "-sample", "-web", folder)
}

// TestPageVersionKept tests that a worker keeps only the page of its own version, although another version is opened.
func TestPageVersionKept(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	next := startOther(t)
	p.startWorker()
	refuseWorker := func(answer *http.Response) {
		if answer.Request.URL.Path == "/sw.js" {
			answer.StatusCode = 503
		}
	}
	network.change.Store(&refuseWorker)
	network.pointTo(next)
	p.typeHash("#/visits")
	p.reload()
	p.see(namesOfVisits, "All visits,All visits")
	p.rest(forAnswer) // for the worker to keep what it must not
	network.down.Store(true)
	p.reload()
	p.see(namesOfVisits, "Visits,Visits")
	p.see(versionsInUse, "1")
}

// TestPageProxy tests that while a proxy answers instead of the service, the page is shown as without a network, says
// so, and lets changes wait, and that a 502 of the service itself is shown.
func TestPageProxy(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	for _, status := range []int{502, 503, 504} {
		p.test(fmt.Sprintf("while a proxy answers %d", status), func() { standInForService(p, network, status) })
	}
	p.test("the service's own 502 is shown", func() {
		refuse := func(answer *http.Response) {
			if answer.Request.Method == "POST" {
				answer.StatusCode = 502
				setBody(answer, strings.NewReader(`{"error": "The message was not taken: 410."}`))
			}
		}
		network.change.Store(&refuse)
		p.eval(`fetch("api/v1/notify", {method: "POST"}).then((answer) => answer.json())
			.then(({error}) => window.answered = error)`)
		p.see("window.answered", "The message was not taken: 410.")
	})
}

// standInForService tests what the page says while a proxy answers with a status, and that a decision then waits.
func standInForService(p *tab, network *proxy, status int) {
	fail := func(answer *http.Response) {
		answer.StatusCode = status
		answer.Header = http.Header{"Content-Type": {"text/html"}}
		setBody(answer, strings.NewReader("<h1>The upstream is down</h1>"))
	}
	network.change.Store(&fail)
	var id string
	p.test("the list says how old it is", func() {
		p.reload()
		p.see(saysDataAge("The service does not answer"), "true")
		p.wait(rowAt(1))
		id = fmt.Sprint(p.eval(firstRowID))
	})
	p.test("a decision waits, and is no question", func() {
		p.dismissRow(1)
		p.see(waitingLine, "1 change waits")
		p.see(failureCount, "0")
		p.see(questionCount, "0")
		p.see(waitingCauseText, fmt.Sprintf("Not sent yet: the service does not answer (%d).", status))
	})
	p.test("a view that is not kept says why", func() {
		p.typeHash("#/?rooms=7")
		p.see(notKeptWhy, serviceIsSilent)
	})
	p.test("the decision is sent once the service answers", func() {
		p.typeHash("#/")
		network.change.Store(nil)
		p.beBackOnline()
		p.see(waitingLine, "")
		p.seeFlat(id, "status", "ignored")
	})
}

// serviceIsSilent is what an unkept view says while the service does not answer.
const serviceIsSilent = "The service does not answer, and this view is not stored on this device."

// TestPageSilent tests that even without a worker the page distinguishes a service that does not answer from a missing
// network, and that Triage then has no buttons until the service answers.
func TestPageSilent(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/triage", 1280)
	p.wait(cardTitle + ` && /Dismiss/.test(` + triageShown + `)`)
	pile := fmt.Sprint(p.eval(triageShown))
	for _, kind := range []string{"text/html", "application/json"} {
		fail := func(answer *http.Response) {
			if strings.HasPrefix(answer.Request.URL.Path, "/api/") {
				answer.StatusCode = 500
				answer.Header = http.Header{"Content-Type": {kind}}
				setBody(answer, strings.NewReader(`{"error": "down"}`))
			}
		}
		p.test("Print says that the service does not answer: "+kind, func() {
			p.typeHash("#/")
			p.see(rowCount, "10")
			network.change.Store(&fail)
			p.pressTool("Print")
			p.see(failure, "That did not work: the service does not answer (500).")
		})
		p.test("Triage has no buttons, and F does nothing: "+kind, func() {
			p.typeHash("#/triage")
			p.reload()
			p.see(triageShown, serviceIsSilent)
			p.press("f")
		})
		p.test("Triage shows its flats once the service answers: "+kind, func() {
			network.change.Store(nil)
			p.click(tryAgain)
			p.see(triageShown, pile)
			p.see(failure, "undefined")
		})
	}
}

// TestPageUnloaded tests that the page is not blank if one of its files cannot be loaded.
func TestPageUnloaded(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.do("Network.enable", nil)
	p.do("Network.setBlockedURLs", object{"urls": []string{"*/words/strings/*"}})
	p.startReload()
	p.test("the page says after a while that it has not loaded, not at once", func() {
		p.see(loadingLine, "hidden")
		p.wait(finishAnimations) // instead of ten seconds
		p.see(loadingLine, "The page has not loaded. Load it again")
	})
	p.test("one press loads the page", func() {
		p.do("Network.setBlockedURLs", object{"urls": []string{}})
		p.click(loadAgain)
		p.see(rowCount, "10")
	})
}

// TestPageNotKept tests that a view that the device has not kept says so, without rows or numbers of another view, and
// is shown once the network is back.
func TestPageNotKept(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	openNone := func() {
		for _, hash := range []string{"#/?days=3", "#/?tab=changed"} {
			p.typeHash(hash)
			p.see(footNotKept, "No matching flats 0")
		}
	}
	openNone()
	p.typeHash("#/")
	p.see(rowCount, "10")
	p.ageAnswers()
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	for _, hash := range []string{"#/?cost=5000000..", "#/?days=7", "#/?q=zzzzqq"} {
		p.test("a list that is not kept has no rows and no numbers: "+hash, func() {
			p.typeHash(hash)
			p.see(notKeptCount, "1")
			p.see(rowCount, "0")
			p.see(tabTexts, "Live|To sort|Changed|Shortlist|All")
		})
	}
	p.test("a tab that is not kept has the numbers of the others", func() {
		p.typeHash("#/?tab=is:ignored")
		p.see(rowsNotKept, "0 1")
		p.see(tabTexts,
			"Live 10|To sort 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	})
	p.test("a list of the last days is kept, although its hour has passed", func() {
		openNone()
		p.see(failureCount, "0")
	})
	p.test("views that are not kept say so", func() { openNotKept(p) })
	p.test("views are shown once the network is back", func() { comeBackOnline(p, network) })
}

// ageAnswers makes the two kept answers whose addresses have the hour three hours older.
func (p *tab) ageAnswers() {
	p.t.Helper()
	p.eval(`caches.open(keptAs("answers")).then(async (cache) => {
		for (const {url} of await cache.keys()) if (/min%5B(changed|first_seen)/.test(url)) {
			const kept = await cache.match(url);
			const earlier = (time) => new Date(Date.parse(time) - 3 * 3_600_000).toISOString();
			const time = /(?<=min%5B(changed|first_seen)%5D=)[^&]+/;
			const headers = {...Object.fromEntries(kept.headers), "X-Kept": earlier(kept.headers.get("X-Kept"))};
			await cache.delete(url);
			await cache.put(url.replace(time, (at) => encodeURIComponent(earlier(decodeURIComponent(at)))),
				new Response(await kept.text(), {headers}));
		}
	})`)
}

// openNotKept tests that views other than the list say that they are not kept. Compare needs only the flats.
func openNotKept(p *tab) {
	for _, hash := range []string{"#/map", "#/prices", "#/compare/nobody,nothing", "#/duplicates"} {
		p.test(hash, func() {
			p.eval(`caches.open(keptAs("answers")).then((cache) => cache.delete("api/v1/duplicates"))`)
			p.typeHash(hash)
			p.see(hashNotKept, hash+" 1")
		})
	}
	p.test("the list is still there, without a failure", func() {
		p.typeHash("#/")
		p.see(rowCount, "10")
		p.see(failureCount, "0")
	})
	p.test("Compare has flats that are kept", func() {
		p.typeHash("#/compare/" + fmt.Sprint(p.eval(firstTwoRowIDs)))
		p.see(comparedNotKept, "2 0")
	})
	p.test("a narrower list is not kept", func() {
		p.typeHash("#/?cost=..800")
		p.see(notKeptCount, "1")
	})
}

// comeBackOnline tests that unkept views are shown and notices close once there is a network. It begins without one.
func comeBackOnline(p *tab, network *proxy) {
	p.test("a view is shown at a press, and the notice about the missing network closes", func() {
		p.typeHash("#/")
		p.see(rowCount, "10")
		p.pressTool("Print")
		p.see(failure, "That did not work: no network connection.")
		p.typeHash("#/?cost=..800")
		p.see(notKeptCount, "1")
		network.down.Store(false)
		p.click(tryAgain)
		p.see(rowsNotKept, "3 0") // three flats cost at most 800, and no view is missing
		p.see(failureCount, "0")
	})
	p.test("a view is shown when one comes back to the tab", func() {
		network.down.Store(true)
		p.typeHash("#/?cost=..700")
		p.see(notKeptCount, "1")
		network.down.Store(false)
		p.comeBack()
		p.see(rowsNotKept, "1 0") // one flat costs at most 700
	})
}

// TestPagePile tests that Triage offers only the flats that the device has kept.
func TestPagePile(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 390)
	p.startWorker()
	p.waitKept("page%5Bsize%5D=1000")
	network.down.Store(true)
	p.typeHash("#/triage")
	p.reload()
	p.test("a decision waits, and the next flat comes", func() {
		p.see(triageProgress, "5 left")
		p.wait(cardTitle)
		first := p.eval(cardTitle)
		p.click(lastDecision)
		p.see(triageProgress, "4 left · 1 done")
		p.see(waitingLine, "1 change waits")
		p.see(cardTitle+` !== `+encode(first), "true")
		p.see(failureCount, "0")
	})
	const rest = "The rest need a network connection"
	p.test("a card that is not kept needs a network", func() {
		p.eval(`caches.open(keptAs("answers")).then(async (cache) => {
			for (const key of await cache.keys()) if (!key.url.includes("1000")) await cache.delete(key);
		})`)
		p.reload()
		p.see(cardTitle, rest)
		p.see(triageProgress, "4 left")
		p.see(waitingLine, "1 change waits")
	})
	p.test("the card comes once there is a network", func() {
		network.down.Store(false)
		p.see(waitingLine, "")
		p.comeBack()
		p.see(cardTitle+` !== `+encode(rest), "true")
		p.see(triageProgress, "4 left")
	})
}

// TestPageTriageStill tests that the card of Triage stays where it is when the network is lost.
func TestPageTriageStill(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390, 320} {
		p, network := openThroughProxy(t, start(t, triageFlats(6, `"area": 50`)), "#/triage", width)
		p.see(pileAndCard, "6 left: Flat 0")
		top := p.eval(cardTop)
		network.down.Store(true)
		p.press("x")
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.see(waitingLine, "1 change waits")
			p.see(cardTop, fmt.Sprint(top))
			p.see(waitsBesideHead, "true")
		})
	}
}

// TestPageSignIn tests that after the end of a session waiting changes stay and nothing of the household can be seen,
// and that the page starts without a network once somebody has signed in again.
func TestPageSignIn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	program := start(t, readFile(t, "testdata/sample/flats.json"), `"username": "me"`, `"password": "secret"`)
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, program)
	p.url = url
	const hash = "#/?tab=shortlist" // has five flats of the sample; below, one is dismissed
	p.openDevice(hash, 1280)
	const address = "location.pathname + location.search + location.hash"
	p.test("signing in leads to where one was", func() {
		p.wait(asksToSignIn)
		p.signInWith("secret")
		p.see(rowCount, "5")
		p.see(address, "/"+hash)
	})
	p.startWorker()
	p.test("the page starts without a network", func() {
		network.down.Store(true)
		p.reload()
		p.see(rowCount, "5")
		network.down.Store(false)
		p.beBackOnline()
	})
	id := fmt.Sprint(p.eval(firstRowID))
	p.test("what is decided after the session has ended waits, and the page says where to sign in", func() {
		endSessions(p.t, program, "secret") // at the service: the page does not know it yet
		p.dismissRow(1)
		p.see(waitingLine, "1 change waits")
		p.see(signedOutLine, "Signed out · Sign in")
	})
	p.test("nothing is kept of the answers and photos", func() { p.see(keptOfAPI, "") })
	p.test("the page to sign in takes the place of the page, and nothing is kept of it", func() {
		p.click(signInHere)
		p.wait(asksToSignIn)
		p.see(keptOfAPI, "")
		p.see(keptPages, "0")
	})
	p.test("without a network, there is nothing to be seen", func() {
		network.down.Store(true)
		p.startReload()
		p.wait(`!document.body.innerText.includes("Password") && ` + isNoPage)
		network.down.Store(false)
		p.startReload()
		p.wait(asksToSignIn)
	})
	p.test("what waits is sent once somebody has signed in", func() {
		p.signInWith("secret")
		p.see(address, "/"+hash)
		p.see(rowCount, "4")
		p.see(waitingLine, "")
		p.seeFlat(id, "status", "ignored")
	})
	p.test("the page starts without a network again", func() {
		p.waitKept(lastKept)
		network.down.Store(true)
		p.reload()
		p.see(rowCount, "4")
	})
	p.test("opening the page after the session has ended leaves no answers, photos or pages", func() {
		network.down.Store(false)
		p.openAnew("/sw.js") // this page sends no request, so it does not notice the end of the session
		endSessions(p.t, program, "secret")
		p.openAnew("/" + hash)
		p.wait(asksToSignIn)
		p.see(keptOfAPI, "")
		p.see(keptPages, "0")
	})
}

// endSessions ends all sessions of a program, as another device does.
func endSessions(t *testing.T, program, password string) {
	t.Helper()
	ask := func(method, path string) (body []byte) {
		request, err := http.NewRequest(method, program+"/api/v1/sessions"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		request.SetBasicAuth("me", password)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err = io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode >= 300 {
			t.Fatalf("%s %s: %d %s %v", method, path, answer.StatusCode, body, err)
		}
		return body
	}
	var list struct{ Data []struct{ ID string } }
	if err := json.Unmarshal(ask("GET", ""), &list); err != nil || len(list.Data) == 0 {
		t.Fatalf("there are no sessions: %v", err)
	}
	for _, session := range list.Data {
		ask("DELETE", "/"+session.ID)
	}
}

// TestPageProxyPassword tests that the browser asks for the password of a proxy (HTTP Basic), as after a restart, and
// that the page then starts without a network.
func TestPageProxyPassword(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openIntercepted(t, "#/?tab=shortlist")
	p.startWorker()
	ask := network.askPassword("secret")
	network.answer.Store(&ask)
	p.test("the browser asks, and the page is where it was", func() {
		p.signIn("me", "secret")
		p.reload()
		p.see(rowCount, "5")
		p.see("location.search + location.hash", "#/?tab=shortlist")
	})
	p.do("Fetch.disable", nil)
	p.test("the page starts without a network", func() {
		p.waitKept(lastKept)
		network.down.Store(true)
		p.reload()
		p.see(rowCount, "5")
	})
	p.checkFaults()
}

// TestPageForget tests that "Forget this device" deletes everything at once and
// in all tabs, even during an update of the worker, and that nothing is kept
// until the page is next opened.
func TestPageForget(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	p.eval(`void (window.other = open(location.href))`)
	p.wait(inOpenedTab(rowAt(1)))
	p.bringToFront() // a covered tab gets clicks late
	finishUpdate := p.updateWorker(network)
	p.test("everything is deleted before the worker has been updated", func() {
		p.followRow(1)
		p.see(undoCount, "2")
		p.forgetDevice()
		p.see(keptNames, "")
		p.see(heading, "Deleting…")
	})
	p.test("all tabs say so, and nothing of the decision is left", func() {
		finishUpdate()
		p.see(heading, forgotten)
		p.see(inOpenedTab(heading), forgotten)
		p.see(decisionMarkCount, "0")
	})
	p.test("keys keep nothing, and requests of tabs that are still open go through the worker", func() {
		p.press("u?")
		p.click(keysAct)
		p.press("u")
		p.eval(`Promise.all([window, other].map((tab) => tab.fetch("api/v1/flats", {headers: {"X-Flats": ` + dataID + `}})
			.then((answer) => answer.text())))`)
		p.rest(forAnswer)
		p.see(keptNames, "")
		p.see(copiesKept, "")
		p.see("navigator.serviceWorker.getRegistrations().then((all) => all.length)", "0")
	})
	p.test("the page is kept again once it is reopened", func() {
		p.see(reopenPage, "Reopen the page")
		p.reload()
		p.see(rowCount, "10")
		p.waitKept("known%5Bvisit_date")
		network.down.Store(true)
		p.reload()
		p.see(rowCount, "10")
	})
}

// updateWorker makes the browser request a new version of the worker, and holds back the answer until finish is called.
func (p *tab) updateWorker(network *proxy) (finish func()) {
	requested := make(chan bool, 9) // with room for more requests than the browser sends
	finished := make(chan bool)
	update := func(answer *http.Response) {
		if answer.Request.URL.Path != "/sw.js" {
			return
		}
		requested <- true
		select {
		case <-finished:
		case <-answer.Request.Context().Done():
		}
		setBody(answer, io.MultiReader(answer.Body, strings.NewReader("// a new version")))
	}
	network.change.Store(&update)
	p.eval("void navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
	<-requested
	return func() { close(finished) }
}

// TestPageOnTheWay tests that the visits can be seen without a network, and that
// notes typed then are sent later.
func TestPageOnTheWay(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/visits", 390)
	p.keepVisits()
	title := fmt.Sprint(p.eval(firstVisitTitle))
	const measure = "Bring the tape measure."
	p.click(visitLink)
	p.enter(notesField, measure)
	p.see(savedLine, "Saved")
	p.wait(keptFlat("location.hash.slice(7)", `notes === "`+measure+`"`))
	p.typeHash("#/visits")
	network.down.Store(true)
	p.test("a visit opens without a network, with its notes", func() {
		p.reload()
		p.click(visitLink)
		p.see(flatTitle, title)
		p.rest(forDrawing) // the answer that the worker kept comes later
		p.see(notesValue, measure)
	})
	p.test("notes are kept on this device, also after a reload", func() {
		p.click(addChecklist)
		p.click(boxAt(1))
		p.see(savedLine, "Kept on this device for now: no network connection.")
		p.reload()
		p.wait(tickedBox)
	})
	p.test("notes are sent later, with the status", func() {
		p.setStatus("visited")
		p.see(waitingLine, "2 changes wait")
		network.down.Store(false)
		p.see(waitingLine, "")
		p.see(savedLine, "Saved")
		const want = measure + "\n- [x] Water pressure\n- [ ] Noise"
		if got := p.flat(fmt.Sprint(p.eval(idInHash)), "notes"); !strings.HasPrefix(got, want) {
			p.t.Errorf("notes = %q; want %q at their start", got, want)
		}
	})
}

// keepVisits starts the worker, and waits until it has kept the visits.
func (p *tab) keepVisits() {
	p.t.Helper()
	p.eval("sessionStorage.worker = true")
	p.reload()
	p.wait("navigator.serviceWorker.controller")
	p.reload() // the first load sends its requests before the worker takes over
	p.wait(isThere(visitLink))
	p.wait(`caches.match("api/v1/find?known%5Bvisit_date%5D=yes&sort=visit_date")`)
}

// openWithPhotos opens the shortlist of a flat with 302 kept photos, two more than the worker keeps, and a newer flat
// with ten. The photos of the newer one are wider, by which tests tell them apart. It returns the folder of the
// service, and a function that starts a service with only the newer flat.
func openWithPhotos(t *testing.T) (p *tab, network *proxy, dir string, startNewer func() (url string)) {
	t.Helper()
	var flats []object
	files := map[string]string{}
	for i, n := range []int{302, 10} {
		var photos []object
		for j := range n {
			address := fmt.Sprintf("https://127.0.0.1:1/%d/%d", i, j)
			photos = append(photos, keptPhoto(address))
			files[address] = pngOf(2 + 10*i)
		}
		flats = append(flats, object{"id": fmt.Sprint(i), "title": fmt.Sprint(i), "status": "followed",
			"status_since": fmt.Sprintf("2026-01-0%dT10:00:00Z", i+1), "photos": photos[:1], "kept_photos": photos})
	}
	program, dir := startKeeping(t, `{}`, flats, files)
	p, network = openThroughProxy(t, program, "#/?tab=shortlist", 1280)
	return p, network, dir, func() string {
		newer, _ := startKeeping(t, `{}`, flats[1:], files)
		return newer
	}
}

// TestPageKeptPhotosOffline tests that the worker keeps the newest 300 photos, shows them without a network, keeps no
// error instead of a photo, and deletes the photos with the answers.
func TestPageKeptPhotosOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network, dir, startNewer := openWithPhotos(t)
	p.startWorker()
	p.test("the worker keeps 300 photos, those of the newest flat first", func() {
		p.wait(moreKeptPhotos(100)) // they come one by one
		p.wait(moreKeptPhotos(200))
		p.see(keptPhotoCount, "300")
		p.see(isPhotoKept("https://127.0.0.1:1/1/9"), "true")
		p.see(isPhotoKept("https://127.0.0.1:1/0/0"), "true")
		p.see(isPhotoKept("https://127.0.0.1:1/0/300"), "false")
	})
	p.test("an answer that is no photo is not kept", func() {
		const lost = "https://127.0.0.1:1/0/301"
		os.Remove(filepath.Join(dir, "photos", fmt.Sprint(keptPhoto(lost)["hash"])))
		p.see(`fetch(`+keptPhotoURL(lost)+`).then(({status}) => status)`, "404")
		p.see(isPhotoKept(lost), "false")
	})
	p.test("rows and the strip have their photos without a network", func() {
		network.down.Store(true)
		p.do("Network.clearBrowserCache", nil)
		p.reload()
		p.see(photoWidths(rowPhotos), "12,2")
		p.openID("1")
		p.see(widePhotosInStrip, "10")
	})
	p.test("a 401 deletes the kept photos", func() {
		network.pointTo(start(t, "[]", `"username": "me"`, `"password": "secret"`))
		network.down.Store(false)
		p.startReload()
		p.wait(asksToSignIn)
		p.see(keptOfAPI, "")
	})
	network.pointTo(startNewer())
	p.open("#/?tab=shortlist", 1280) // on another device: a request of this one may still wait for the password
	p.startWorker()
	p.test(`"Forget this device" deletes them`, func() { forgetPhotos(p) })
	p.checkFaults()
}

// forgetPhotos tests that none of ten photos is kept once the device forgets.
func forgetPhotos(p *tab) {
	p.see(keptPhotoCount, "10")
	p.forgetDevice()
	p.see(heading, forgotten)
	p.see("caches.keys().then((names) => names.join())", "")
}
