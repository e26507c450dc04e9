// Tests without a network: the service worker, waiting changes, passwords.

package web

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"
)

// TestPageOffline tests that the page starts without a network, shows the last
// answers, and says so.
func TestPageOffline(t *testing.T) {
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 390)
	p.startWorker() // the first load sends its requests before the worker takes over
	// Feeds, downloads and errors are not kept.
	p.see(`Promise.all(["ics/visits.ics", "find?format=csv", "flats/nobody"].map((path) => fetch("api/v1/" + path)
		.then((answer) => answer.text().then(() => answer.status)))).then((all) => all.join())`, "200,200,404")
	p.see(`caches.open(keptAs("answers")).then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url)
		.filter((url) => /\.ics|csv|nobody/.test(url)).join())`, "")
	// An answer that breaks off does not replace the one that was kept.
	network.change.Store(&tearLists)
	p.reload()
	p.see(notKept, "1")
	network.change.Store(nil)
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	p.see(`/^No network: data as of \d/.test(document.querySelector("#kept").innerText)`, "true")
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.see(rowCount, "5")
	p.click(".row h2 a")
	p.wait(`document.querySelector(".flat h1")`)
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.click(".row button[data-status=ignored]")
	p.see(waits, "1 change waits")
	p.see(rowCount, "4")
	// The saved views are there, and stay as they are.
	p.see(chips, "Two rooms in Lyon|Balcony")
	p.click(".toggle")
	for i, control := range []string{".tools button", ".bell"} {
		if i > 0 {
			p.click("[role=alert] .close")
		}
		p.click(control)
		if i == 0 {
			p.click(".naming .primary")
		}
		p.see(`document.querySelector("[role=alert] p")?.innerText`, "This was not saved: no network connection.")
	}
	network.down.Store(false)
	p.click("[role=alert] button")
	p.see(`document.querySelector(".bell").ariaPressed`, "true")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "9")
	p.see(waits, "")
	p.see(`document.querySelector("#kept").innerText`, "")
	p.checkFaults()
}

// TestPageHang tests that a network that accepts requests and does not answer counts as one that fails: the page opens
// with what is kept, views that were not loaded before open, a search looks through what is kept, a decision waits, and
// all goes on once the service answers.
func TestPageHang(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	network.hanging.Store(true)
	p.do("Network.clearBrowserCache", nil)
	p.reload()
	p.see(rowCount, "10")
	p.see(`/^No network: data as of \d/.test(document.querySelector("#kept").innerText)`, "true")
	p.eval(`AbortSignal.timeout = ((timeout) => (ms) => timeout(0.45 * ms))(AbortSignal.timeout)`) // to wait less
	p.eval(`location.hash = "#/triage"`)
	p.wait(`document.querySelector(".card h2")`)
	p.eval(`location.hash = "#/?q=lyon"`)
	p.see(rowCount, "5")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "10")
	id := fmt.Sprint(p.eval(firstRow))
	p.click(".row [data-status=ignored]")
	p.see(waits, "1 change waits")
	p.see(rowCount, "9")
	network.hanging.Store(false)
	p.see(waits, "")
	p.seeFlat(id, "status", "ignored")
	p.reload()
	p.see(rowCount, "9")
	p.see(`document.querySelector("#kept").innerText`, "")
	p.checkFaults()
}

// TestPageSlow tests that the worker lets a slow service answer as late as it may where nothing is kept, and that
// answers which come too late for a page are in no other one.
func TestPageSlow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	wait := func(answer *http.Response) {
		select {
		case <-time.After(6 * time.Second):
		case <-answer.Request.Context().Done():
		}
	}
	network.change.Store(&wait)
	// The page is answered from what is kept. A file that is not kept, and an address that was never asked, are not.
	p.reload()
	p.see(rowCount, "10")
	p.eval(`window.asked = Promise.all(["assets/-/none.js", "api/v1/find?cost=7"].map((path) =>
		fetch(path).then(({status, headers}) => status + " " + headers.has("X-Kept"))))
		.then((all) => window.got = all.join())`)
	p.see("window.got", "404 false,200 false")
	p.checkFaults()
}

// TestPageKeptSearch tests that without a network a search looks through the flats that are kept, also by words half
// typed, excluded or in their texts, that one without any says that it is not kept, and that Today shows what is due.
func TestPageKeptSearch(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, `[
		{"id": "a", "title": "Attic", "text": "With a balcony.", "location": "Köln", "next_step": "Call",
			"status": "followed", "next_date": "2026-01-02"},
		{"id": "b", "title": "Barn", "text": "Balconies, two.", "location": "Lyon"},
		{"id": "c", "title": "Castle", "text": "A moat.", "location": "Lyon"}]`), "", 1280)
	p.startWorker()
	p.waitKept("contacted_since") // of what Today shows
	for _, id := range []string{"a", "b", "c"} {
		p.eval(`fetch("api/v1/flats/` + id + `").then((answer) => answer.text())`)
	}
	p.waitKept("flats/c")
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "3")
	for search, want := range map[string]string{
		"balc":          "Attic|Barn",
		"koeln":         "Attic",
		"lyon -moat":    "Barn",
		"moat OR koeln": "Attic|Castle",
		"title:castle":  "Castle",
		`"two moat"`:    "",
	} {
		p.eval("location.hash = " + encode("#/?"+url.Values{"q": {search}, "sort": {"title"}}.Encode()))
		p.see(`location.hash.includes(`+encode(url.QueryEscape(search))+`) + " " + `+
			`[...document.querySelectorAll(".row h2")].map((title) => title.innerText).sort().join("|")`, "true "+want)
		p.see(notKept, map[bool]string{true: "1", false: "0"}[want == ""])
		p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	}
	p.eval(`location.hash = "#/today"`)
	p.see(`document.querySelector(".overdue .when")?.innerText.split(" ")[0]`, "Call")
	p.checkFaults()
}

// TestPageAhead tests that the worker sends the list's first request while it asks for the page, so that over a slow
// network both answers come at once, and that the page does not send that request again.
func TestPageAhead(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	p.wait(`caches.match("api/v1/first")`)
	for _, hash := range []string{"", "#/"} {
		asked := make(chan struct{})
		var pages, lists atomic.Int32
		hold := func(answer *http.Response) {
			query := answer.Request.URL.Query()
			isList := query.Get("page[size]") == "50" && query.Get("sort") != "" && len(query["any[status]"]) == 0
			if isList && lists.Add(1) == 1 {
				close(asked)
			}
			if answer.Request.URL.Path == "/" && pages.Add(1) == 1 {
				<-asked // the page itself comes after the answer that it will ask for
			}
		}
		network.change.Store(&hold)
		p.eval("window.old = true")
		p.do("Page.navigate", object{"url": "about:blank"})
		p.do("Page.navigate", object{"url": p.url + "/" + hash})
		p.wait("!window.old")
		p.see(rowCount, "10")
		if n := lists.Load(); n != 1 {
			t.Errorf("%q: the first page of the list was requested %d times; want once", hash, n)
		}
		network.change.Store(nil)
	}
	p.checkFaults()
}

// TestPageVersions tests that the files of a page are all of one version, although the service gets another one while
// the page is open, whose views it shows once it is reloaded; and although the worker has kept the page of before.
func TestPageVersions(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	folder := filepath.Join(t.TempDir(), "web")
	if err := os.CopyFS(folder, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	texts := filepath.Join(folder, "words", "strings", "en.js")
	writeFile(t, texts, strings.Replace(readFile(t, texts), `visits: "Visits"`, `visits: "All visits"`, 1))
	old, next := network.target.Load().String(), startIn(t, t.TempDir(), "-sample", "-web", folder)
	const heading = `[...document.querySelectorAll("main h1, #menu [data-view=visits]")]
		.map(({textContent}) => textContent).join()`
	checkOneSet := func() {
		t.Helper()
		p.see(`new Set([...performance.getEntriesByType("resource"), ...document.querySelectorAll("[src], link")]
			.map(({name, src, href}) => /assets\/\w+/.exec(name || src || href)?.[0]).filter(Boolean)).size`, "1")
	}
	for _, hasWorker := range []bool{false, true} {
		network.pointTo(old)
		p.eval(`location.hash = "#/"`)
		if hasWorker {
			p.startWorker()
			network.down.Store(true)
			p.reload()
			checkOneSet()
		}
		network.pointTo(next)
		network.down.Store(false)
		p.eval(`location.hash = "#/visits"`)
		p.see(`document.querySelector("main h1") === null`, "true")
		// Where the network is slow, the worker may show the old page once more.
		p.wait(heading + ` === "All visits,All visits" ||
			document.querySelector("[role=alert] button:not(.close)")?.click()`)
		checkOneSet()
	}
}

// TestPageProxy tests that the page is shown as without a network while a proxy answers in place of the service, that
// it says so, that changes wait then, and that the service's own 502 is shown.
func TestPageProxy(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	const silent = "The service does not answer, and this view is not stored on this device."
	for _, status := range []int{502, 503, 504} {
		fail := func(answer *http.Response) {
			answer.StatusCode = status
			answer.Header = http.Header{"Content-Type": {"text/html"}}
			setBody(answer, strings.NewReader("<h1>The upstream is down</h1>"))
		}
		network.change.Store(&fail)
		p.reload()
		p.see(`/^The service does not answer: data as of \d/.test(document.querySelector("#kept").innerText)`, "true")
		p.wait(`document.querySelector(".row")`)
		id := fmt.Sprint(p.eval(firstRow))
		p.click(".row [data-status=ignored]")
		p.see(waits, "1 change waits")
		p.see(`document.querySelectorAll("[role=alert], .questions .card").length`, "0")
		p.see(`document.querySelector("#waiting .cause").innerText`,
			fmt.Sprintf("Not sent yet: the service does not answer (%d).", status))
		p.eval(`location.hash = "#/?rooms=7"`)
		p.see(`document.querySelector(".not-kept p")?.innerText`, silent)
		p.eval(`location.hash = "#/"`)
		network.change.Store(nil)
		p.eval(`dispatchEvent(new Event("online"))`)
		p.see(waits, "")
		p.seeFlat(id, "status", "ignored")
	}
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
	p.checkFaults()
}

// TestPageSilent tests that without a worker, too, the page tells a service that does not answer from a network that is
// missing, and that Triage has no buttons then, and shows its flats once the service answers.
func TestPageSilent(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/triage", 1280)
	const alert = `document.querySelector("[role=alert] p")?.innerText`
	const shown = `[...document.querySelectorAll(".not-kept p, .decide:not([hidden]), .card h2")]
		.map(({innerText}) => innerText.replace(/\s+/g, " ")).join("|")`
	p.wait(`document.querySelector(".card h2") && /Dismiss/.test(` + shown + `)`)
	pile := fmt.Sprint(p.eval(shown))
	for _, kind := range []string{"text/html", "application/json"} {
		fail := func(answer *http.Response) {
			if strings.HasPrefix(answer.Request.URL.Path, "/api/") {
				answer.StatusCode = 500
				answer.Header = http.Header{"Content-Type": {kind}}
				setBody(answer, strings.NewReader(`{"error": "down"}`))
			}
		}
		p.eval(`location.hash = "#/"`)
		p.see(rowCount, "10")
		network.change.Store(&fail)
		p.click(".tools button + button") // Print
		p.see(alert, "That did not work: the service does not answer (500).")
		p.eval(`location.hash = "#/triage"`)
		p.reload()
		p.see(shown, "The service does not answer, and this view is not stored on this device.")
		p.press("f")
		network.change.Store(nil)
		p.click(".not-kept button")
		p.see(shown, pile)
		p.see(alert, "undefined")
	}
	p.checkFaults()
}

// TestPageUnloaded tests that the page is not blank where one of its files cannot be loaded.
func TestPageUnloaded(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	const words = `document.querySelector("main").innerText + document.querySelector("main p")?.checkVisibility(
		{checkVisibilityCSS: true})`
	p.do("Network.enable", nil)
	p.do("Network.setBlockedURLs", object{"urls": []string{"*/words/strings/*"}})
	p.do("Page.reload", nil)
	p.see(words, "false")
	p.wait(`document.getAnimations().map((animation) => animation.finish()).length`) // instead of ten seconds
	p.see(words, "The page has not loaded. Load it againtrue")
	p.do("Network.setBlockedURLs", object{"urls": []string{}})
	p.click("main a")
	p.see(rowCount, "10")
}

// notKept is an expression for how many views say that the device has not kept them.
const notKept = `document.querySelectorAll(".not-kept").length`

// TestPageNotKept tests that a view that the device has not kept says so, with no rows or numbers of another one,
// and that it is shown once the network is back.
func TestPageNotKept(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	p.startWorker()
	open := func(hash string) { p.eval("location.hash = " + encode(hash)) }
	const none = `document.querySelector(".foot").innerText.split(" · ")[0] + " " + ` + notKept
	for _, hash := range []string{"#/?days=3", "#/?tab=changed"} {
		open(hash)
		p.see(none, "No matching flats 0")
	}
	open("#/")
	p.see(rowCount, "10")
	// Make two answers three hours older: the addresses of both have the hour.
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
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	for _, hash := range []string{"#/?cost=5000000..", "#/?days=7", "#/?q=zzzzqq"} {
		open(hash)
		p.see(notKept, "1")
		p.see(rowCount, "0")
		p.see(tabTexts, "Live|New|Changed|Shortlist|All")
	}
	open("#/?tab=is:ignored")
	p.see(rowCount+` + " " + `+notKept, "0 1")
	p.see(tabTexts, "Live 10|New 5|Changed 0|Shortlist 5|Followed 3|Contacted 2|Duplicate 1|Dismissed 2|Deleted 2|All 15")
	for _, hash := range []string{"#/?days=3", "#/?tab=changed"} {
		open(hash)
		p.see(none, "No matching flats 0")
	}
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")

	// Other views say so, too. Compare needs nothing but the flats.
	for _, hash := range []string{"#/map", "#/prices", "#/compare/nobody,nothing", "#/duplicates"} {
		p.eval(`caches.open(keptAs("answers")).then((cache) => cache.delete("api/v1/duplicates"))`)
		open(hash)
		p.see(`location.hash + " " + `+notKept, hash+" 1")
	}
	open("#/")
	p.see(rowCount, "10")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	open("#/compare/" + fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].slice(0, 2)
		.map(({dataset}) => encodeURIComponent(dataset.id)).join()`)))
	p.see(`document.querySelectorAll(".side-by-side thead th").length + " " + `+notKept, "2 0")

	open("#/?cost=..800")
	p.see(notKept, "1")
	// A notice that there is no network leaves once there is one.
	open("#/")
	p.see(rowCount, "10")
	p.click(".tools button + button")
	p.see(`document.querySelector("[role=alert] p")?.innerText`, "That did not work: no network connection.")
	open("#/?cost=..800")
	p.see(notKept, "1")
	network.down.Store(false)
	p.click(".not-kept button")
	p.see(rowCount+` + " " + `+notKept, "3 0")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	network.down.Store(true)
	open("#/?cost=..700")
	p.see(notKept, "1")
	network.down.Store(false)
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(rowCount+` + " " + `+notKept, "1 0")
	p.checkFaults()
}

// TestPageKilled tests that decisions and notes that wait for the network outlive a browser that is killed, as phones
// do with what is in the background.
func TestPageKilled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	profile := browserDir(t)
	network, url := newProxy(t, startSample(t))
	open := func() *tab {
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
	p := open()
	p.goTo("#/flat/4711", ".notes textarea") // so that it is known without a network
	p.goTo("#/", ".row")
	p.see(rowCount, "10")
	p.eval("new Promise((done) => setTimeout(done, 6_000))") // the browser has written what the page kept so far
	network.down.Store(true)
	var ids []string
	for i, want := range []string{"1 change waits", "2 changes wait"} {
		ids = append(ids, fmt.Sprint(p.eval(firstRow)))
		p.click(".row button[data-status=ignored]")
		p.see(waits, want)
		p.see(rowCount, fmt.Sprint(9-i))
	}
	p.goTo("#/flat/4711", ".notes textarea")
	p.enter(".notes textarea", "Damp in the cellar.")
	p.wait(`localStorage[keptAs("flats.notes.4711")]`)
	time.Sleep(300 * time.Millisecond) // a disk takes some
	p.crash()
	network.down.Store(false)
	p = open()
	for _, id := range ids {
		p.seeFlat(id, "status", "ignored")
	}
	p.seeFlat("4711", "notes", "Damp in the cellar.")
	p.see(waits, "")
}

// TestPageAsked tests that a notice leads to a question that is out of sight.
func TestPageAsked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/?tab=all&sort=title", 390)
	p.startWorker()
	p.see(rowCount, "15")
	p.eval(`scrollTo(0, document.body.scrollHeight)`)
	id := fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].at(-1).dataset.id`))
	network.down.Store(true)
	p.eval(`[...document.querySelectorAll(".row [data-status=ignored]")].at(-1).click()`)
	p.see(waits, "1 change waits")
	network.down.Store(false)
	p.eval(fmt.Sprintf(`fetch("api/v1/flat/" + encodeURIComponent(%q),
		{method: "PATCH", body: '{"status": "contacted"}'})`, id))
	p.eval(`scrollTo(0, document.body.scrollHeight)`)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(`document.querySelector("[role=alert] p")?.innerText.replace(/^.*: /, "")`,
		"Status. A change here needs your answer.")
	p.click("[role=alert] button")
	p.see(`document.activeElement.innerText`, "Keep mine")
	p.click("#waiting button:last-child")
	p.seeFlat(id, "status", "contacted")
	p.see(`document.querySelector("#waiting").hidden`, "true")
	p.checkFaults()
}

// TestPageWaiting tests that lists, visits and numbers without a network comprise what was changed before, and what
// waits.
func TestPageWaiting(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/?tab=new", 1280)
	p.startWorker()
	p.see(rowCount, "5")
	ids := strings.Split(fmt.Sprint(p.eval(`[...document.querySelectorAll(".row")].map(({dataset}) => dataset.id)
		.join(" ")`)), " ")
	const badge = `document.querySelector("#bar [data-view=triage] .badge").innerText`

	// What is decided is kept once the page is hidden, or a while later.
	p.eval(`caches.open(keptAs("answers")).then(async (cache) => {
		for (const key of await cache.keys()) if (key.url.includes(` + encode(lastKept) + `)) await cache.delete(key);
	})`)
	p.click(".row [data-status=followed]")
	p.see(rowCount, "4")
	hide := func(state string) {
		p.eval(`Object.defineProperty(document, "visibilityState", {value: "` + state + `", configurable: true});
			document.dispatchEvent(new Event("visibilitychange"))`)
	}
	hide("hidden")
	p.waitKept(lastKept)
	hide("visible")
	network.down.Store(true)
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.reload()
	p.see(rowCount, "6")
	p.see(firstRow, ids[0])

	// What is decided without a network is in the lists and the numbers as well.
	p.eval(`location.hash = "#/?tab=new"`)
	p.see(firstRow, ids[1])
	p.click(".row [data-status=followed]")
	p.see(waits, "1 change waits")
	p.click(".row [data-status=ignored]")
	p.see(waits, "2 changes wait")
	const tabs = "Live 9|New 2|Changed 0|Shortlist 7|Followed 5|Contacted 2|Duplicate 1|Dismissed 3|Deleted 2|All 15"
	p.see(tabTexts, tabs)
	p.reload()
	p.see(rowCount, "2")
	p.see(tabTexts, tabs)
	p.see(badge, "2")
	p.eval(`location.hash = "#/?tab=shortlist"`)
	p.see(rowCount, "7")
	p.see(firstRow, ids[1])
	p.eval(`location.hash = "#/triage"`)
	p.see(`document.querySelector(".triage [role=status]")?.innerText`, "2 left")
	p.see(badge, "2")

	// So are visits, with the one that they overlap.
	p.eval(`location.hash = "#/flat/" + encodeURIComponent(` + encode(ids[3]) + `)`)
	p.enter("#visit", "2031-12-07T18:30")
	p.see(waits, "4 changes wait") // a visit of a new flat follows it
	p.eval(`location.hash = "#/flat/" + encodeURIComponent(` + encode(ids[4]) + `)`)
	p.enter("#visit", "2031-12-07T18:40")
	p.see(waits, "6 changes wait")
	p.see(`document.querySelectorAll(".visit .overlap").length`, "1")
	const overlaps = `[...document.querySelectorAll(".visits .day")].filter((day) => /2031/.test(day.innerText))
		.map((day) => day.querySelectorAll("article").length + " " + day.querySelectorAll("p.overlap").length).join()`
	p.eval(`location.hash = "#/visits"`)
	p.see(overlaps, "2 2")
	p.reload()
	p.see(overlaps, "2 2")
	network.down.Store(false)
	p.see(waits, "")
	p.reload()
	p.see(overlaps, "2 2")
	p.checkFaults()
}

// tearLists makes answers to searches break off within their bodies.
var tearLists = func(answer *http.Response) {
	if answer.Request.URL.Path == "/api/v1/find" {
		start := io.LimitReader(answer.Body, 1000)
		setBody(answer, io.MultiReader(start, iotest.ErrReader(errors.New("torn"))))
	}
}

// waits is an expression for how many changes wait, in words.
const waits = `document.querySelector("#waiting p")?.innerText ?? ""`

// TestPageQueue tests that decisions, ratings, visits and notes made without a network are sent in their order,
// and that nothing that was changed elsewhere meanwhile is overwritten without a question.
func TestPageQueue(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 1280)
	p.startWorker()
	service := network.target.Load().String()
	// set changes the flat as another device does.
	set := func(change string) {
		t.Helper()
		request, err := http.NewRequest("PATCH", service+"/api/v1/flat/4711", strings.NewReader(change))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
	}
	checkStored := func(want string) {
		t.Helper()
		p.see(`fetch("api/v1/flats/4711").then((answer) => answer.json())
			.then(({data}) => [data.status, data.notation, data.visit_date].join())`, want)
	}
	const (
		shown = `document.querySelector(".own .statuses [aria-pressed=true]")?.innerText + " " +
			document.querySelectorAll(".own .stars [aria-pressed=true]").length + " " +
			document.querySelector("#visit").value`
		asked = `[...document.querySelectorAll(".questions .card")].map((card) => card.innerText.split("\n")
			.filter(Boolean).slice(1, -2).join(" ")).join("; ")`
	)
	set(`{"status": "new", "notation": null, "visit_date": null}`)
	p.reload()
	p.see(shown, "New 0 ")

	// What waits outlives a reload, and is sent in its order.
	network.down.Store(true)
	p.click(".own [data-status=contacted]")
	p.see(waits, "1 change waits")
	p.click(".own .stars :nth-child(4)")
	p.see(waits, "2 changes wait")
	p.enter("#visit", "2031-07-14T18:30")
	p.see(waits, "3 changes wait")
	p.click(".own [data-status=visited]")
	p.see(waits, "4 changes wait")
	p.press("u")
	p.see(waits, "5 changes wait")
	p.reload()
	p.see(waits, "5 changes wait")
	p.see(shown, "Contacted 1 2031-07-14T18:30")
	var mu sync.Mutex
	var sent []string
	list := func(answer *http.Response) {
		if request := answer.Request; request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, fmt.Sprint(request.ContentLength))
		}
	}
	network.change.Store(&list)
	network.down.Store(false)
	p.see(waits, "")
	checkStored("contacted,4,2031-07-14T18:30:00+02:00")
	mu.Lock()
	if got := strings.Join(sent, " "); got != "22 14 42 20 22" {
		t.Errorf("the updates have lengths %s; want 22 14 42 20 22, those of status, rating, visit, status, status", got)
	}
	mu.Unlock()
	network.change.Store(nil)

	// A field that was changed elsewhere is a question; the same change elsewhere is none.
	network.down.Store(true)
	p.click(".own .stars :nth-child(2)")
	p.click(".own [data-status=visited]")
	p.see(waits, "2 changes wait")
	set(`{"notation": 5, "status": "visited"}`)
	network.down.Store(false)
	p.see(waits, "1 change waits")
	p.see(asked, "Changed elsewhere Here ★ 2 Elsewhere ★ 5")
	p.reload()
	p.see(asked, "Changed elsewhere Here ★ 2 Elsewhere ★ 5")
	checkStored("visited,5,2031-07-14T18:30:00+02:00")
	p.click(".own .stars :nth-child(3)") // the question is about the last change
	p.see(asked, "Changed elsewhere Here ★ 3 Elsewhere ★ 5")
	p.click(".questions button")
	p.see(waits, "")
	checkStored("visited,3,2031-07-14T18:30:00+02:00")

	// So is a change that the service refuses.
	network.down.Store(true)
	p.click(".own .stars :nth-child(1)")
	p.see(waits, "1 change waits")
	refuse := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			answer.StatusCode = 400
			setBody(answer, strings.NewReader(`{"error": "too low"}`))
		}
	}
	network.change.Store(&refuse)
	network.down.Store(false)
	p.see(asked, "The service rejected this: too low Here ★ 1 Elsewhere ★ 3")
	network.change.Store(nil)
	set(`{"notation": 3}`) // the refusal was the proxy's
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.see(`document.querySelector(".own .stars [aria-pressed=true]")?.ariaLabel`, "Rating 3")

	// A change of a flat that is no longer there is dropped without an error.
	network.down.Store(true)
	p.click(".own .stars :nth-child(1)")
	p.see(waits, "1 change waits")
	lose := func(answer *http.Response) {
		if answer.Request.URL.Path == "/api/v1/flats" && answer.Request.FormValue("id") == "4711" {
			answer.StatusCode = 404
			setBody(answer, strings.NewReader(`{"error": "No flat with id 4711"}`))
		}
	}
	network.change.Store(&lose)
	network.down.Store(false)
	p.see(asked, "The service rejected this: No flat with id 4711 Here ★ 1 Elsewhere –")
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.eval("new Promise((done) => setTimeout(done, 300))") // an error would come with the answer
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	network.change.Store(nil)
	p.reload()
	p.see(`document.querySelector(".own .stars [aria-pressed=true]")?.ariaLabel`, "Rating 3")
	p.wait(`caches.match(new URL("api/v1/flats/4711", location), {ignoreVary: true})
		.then((answer) => answer?.json()).then((answer) => answer?.data.notation === 3)`) // kept a little later

	// What waits outlives a 401, and notes are asked about in any view.
	network.down.Store(true)
	p.click(".own .stars :nth-child(5)")
	p.see(waits, "1 change waits")
	p.enter("#notes", "Mine.")
	p.see(waits, "2 changes wait")
	set(`{"notes": "Theirs."}`)
	lock := func(answer *http.Response) {
		answer.StatusCode = 401
		setBody(answer, strings.NewReader(`{"error": "no password"}`))
	}
	network.change.Store(&lock)
	network.down.Store(false)
	p.see(`[...document.querySelectorAll("[role=alert] button")].map((button) => button.innerText).join()`, "Sign in,")
	p.see(waits, "2 changes wait")
	network.change.Store(nil)
	p.eval(`location.hash = "#/"`)
	p.reload()
	p.see(asked, "Changed elsewhere Here Mine. Elsewhere Theirs. Keep both")
	checkStored("visited,5,2031-07-14T18:30:00+02:00")

	// "Forget this device" says how many changes would be lost.
	p.click(".menu")
	p.click("#menu button:last-child")
	p.see(`document.querySelector(".question p").innerText`,
		"1 unsent change will be lost. Delete the flats, drafts and views kept on this device?")
	p.click(".question [type=button]")
	p.click(".questions button")
	p.see(waits, "")
	if got := p.flat("4711", "notes"); got != "Theirs.\n\nMine." {
		t.Errorf("notes = %q; want both versions", got)
	}
	p.checkFaults()
}

// TestPagePile tests that Triage offers the flats that the device has kept, and leaves out others.
func TestPagePile(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 390)
	p.startWorker()
	p.waitKept("page%5Bsize%5D=1000")
	network.down.Store(true)
	p.eval(`location.hash = "#/triage"`)
	p.reload()
	const left = `document.querySelector(".triage [role=status]")?.innerText`
	p.see(left, "5 left")
	p.wait(`document.querySelector(".card h2")`)
	first := p.eval(`document.querySelector(".card h2")?.innerText`)
	p.click(".decide button:last-child")
	p.see(left, "4 left · 1 done")
	p.see(waits, "1 change waits")
	p.see(`document.querySelector(".card h2")?.innerText !== `+encode(first), "true")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	// What is left of the pile is not kept.
	p.eval(`caches.open(keptAs("answers")).then(async (cache) => {
		for (const key of await cache.keys()) if (!key.url.includes("1000")) await cache.delete(key);
	})`)
	p.reload()
	p.see(`document.querySelector(".card h2")?.innerText`, "The rest need a network connection")
	p.see(left, "4 left")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	p.see(waits, "")
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.see(`document.querySelector(".card h2")?.innerText !== "The rest need a network connection"`, "true")
	p.see(left, "4 left")
	p.checkFaults()
}

// TestPageSignIn tests that the browser asks for the password again, as after a
// restart, and that the page then starts without a network.
func TestPageSignIn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/?tab=shortlist", 1280)
	p.startWorker()
	flats := readFile(t, "testdata/sample/flats.json")
	network.pointTo(start(t, flats, `"username": "me"`, `"password": "secret"`))
	p.signIn("me", "secret")
	p.reload()
	p.see(rowCount, "5")
	p.see("location.search + location.hash", "#/?tab=shortlist")
	p.do("Fetch.disable", nil)
	times := network.unauthorized.Load()
	p.waitKept("find?any")
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "5")
	// So does an address from the history that still has ?sign-in.
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?sign-in#/?tab=shortlist"})
	p.wait("!window.old")
	p.see(rowCount, "5")
	p.see("location.search + location.hash", "#/?tab=shortlist")
	if got := network.unauthorized.Load(); times == 0 || got != times {
		t.Errorf("%d answers with status 401 before the network failed, %d after", times, got)
	}
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
	p.wait(`other.document.querySelector(".row")`)
	p.do("Page.bringToFront", nil) // a tab behind another one gets clicks late
	asked, held := make(chan bool, 9), make(chan bool)
	updateWorker := func(answer *http.Response) {
		if answer.Request.URL.Path != "/sw.js" {
			return
		}
		asked <- true
		select {
		case <-held:
		case <-answer.Request.Context().Done():
		}
		setBody(answer, io.MultiReader(answer.Body, strings.NewReader("// a new version")))
	}
	network.change.Store(&updateWorker)
	p.eval("void navigator.serviceWorker.getRegistration().then((registration) => registration.update())")
	<-asked
	p.click(".row [data-status=followed]")
	p.see(`document.querySelectorAll(".notice button").length`, "2")
	p.click(".menu")
	p.click("#menu button:last-child")
	p.click(".question .primary")
	const kept = "caches.keys().then((names) => names.join() + Object.keys(localStorage))"
	p.see(kept, "")
	p.see(`document.querySelector("h1").innerText`, "Deleting…")
	close(held)
	const done = "Nothing is kept on this device any more"
	p.see(`document.querySelector("h1").innerText`, done)
	p.see(`other.document.querySelector("h1").innerText`, done)
	p.see(`document.querySelectorAll(".notice, .undo:not([hidden]), .badge:not([hidden])").length`, "0")
	// Keys keep nothing, and requests of tabs that are still open go through the worker.
	p.press("u?")
	p.click("#help input")
	p.press("u")
	p.eval(`Promise.all([window, other].map((tab) => tab.fetch("api/v1/flats").then((answer) => answer.text())))`)
	p.eval("new Promise((done) => setTimeout(done, 500))")
	p.see(kept, "")
	p.see(`new Promise((done) => {
		indexedDB.open("/ flats").onsuccess = ({target: {result}}) =>
			result.transaction("copies").objectStore("copies").getAllKeys().onsuccess = ({target}) => done(target.result);
	})`, "")
	p.see("navigator.serviceWorker.getRegistrations().then((all) => all.length)", "0")
	p.see(`document.querySelector(".empty button").innerText`, "Reopen the page")
	p.reload()
	p.see(rowCount, "10")
	p.waitKept("known%5Bvisit_date")
	network.down.Store(true)
	p.reload()
	p.see(rowCount, "10")
	p.checkFaults()
}

// TestPageOnTheWay tests that the visits can be seen without a network, and that
// notes typed then are sent later.
func TestPageOnTheWay(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/visits", 390)
	p.eval("sessionStorage.worker = true")
	p.reload()
	p.wait("navigator.serviceWorker.controller")
	p.reload() // the first load sends its requests before the worker takes over
	p.wait(`document.querySelector(".visits h3 a")`)
	p.wait(`caches.match("api/v1/find?known%5Bvisit_date%5D=yes&sort=visit_date")`)
	title := fmt.Sprint(p.eval(`document.querySelector(".visits h3").innerText`))
	p.click(".visits h3 a")
	p.enter("#notes", "Bring the tape measure.")
	p.see(`document.querySelector("#saved").innerText`, "Saved")
	p.wait(`caches.match(new URL("api/v1/flats/" + location.hash.slice(7), document.baseURI), {ignoreVary: true})
		.then((answer) => answer?.json()).then((answer) => answer?.data.notes === "Bring the tape measure.")`)
	p.eval(`location.hash = "#/visits"`)
	network.down.Store(true)
	p.reload()
	p.wait(`document.querySelector(".visits h3 a")`)
	p.click(".visits h3 a")
	p.see(`document.querySelector(".flat h1")?.innerText`, title)
	p.eval("new Promise((done) => setTimeout(done, 100))") // the answer that the worker kept comes later
	p.see(`document.querySelector("#notes").value`, "Bring the tape measure.")
	p.click(".notes .line button")
	p.click(".boxes input")
	p.see(`document.querySelector("#saved").innerText`, "Kept on this device for now: no network connection.")
	p.reload()
	p.wait(`document.querySelector(".boxes :checked")`)
	p.click(".own [data-status=visited]")
	p.see(waits, "2 changes wait")
	network.down.Store(false)
	p.see(waits, "")
	p.see(`document.querySelector("#saved").innerText`, "Saved")
	id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice(7))`))
	const want = "Bring the tape measure.\n- [x] Water pressure\n- [ ] Noise"
	if got := p.flat(id, "notes"); !strings.HasPrefix(got, want) {
		t.Errorf("notes = %q; want %q at their start", got, want)
	}
	p.checkFaults()
}

// TestPageKeptPhotosOffline tests that the worker keeps the newest 300 photos, shows them without a network, keeps no
// error in place of one, and deletes them with the answers.
func TestPageKeptPhotosOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	// The older flat has 302 photos, the newer one ten.
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
	p, network := openThroughProxy(t, program, "#/?tab=shortlist", 1280)
	p.startWorker()
	const keptOnes = `caches.open(keptAs("photos")).then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url))`
	p.wait(keptOnes + `.then((urls) => urls.length > 100)`) // they come one by one
	p.wait(keptOnes + `.then((urls) => urls.length > 200)`)
	p.see(keptOnes+`.then((urls) => urls.length)`, "300")
	photoOf := func(address string) string {
		return fmt.Sprintf(`new URL("api/v1/photos/%s", document.baseURI).href`, keptPhoto(address)["hash"])
	}
	isKept := func(address string) string {
		return keptOnes + `.then((urls) => urls.includes(` + photoOf(address) + `))`
	}
	p.see(isKept("https://127.0.0.1:1/1/9"), "true")
	p.see(isKept("https://127.0.0.1:1/0/0"), "true")
	p.see(isKept("https://127.0.0.1:1/0/300"), "false")

	// An answer that is no photo is not kept.
	os.Remove(filepath.Join(dir, "photos", fmt.Sprint(keptPhoto("https://127.0.0.1:1/0/301")["hash"])))
	p.see(`fetch(`+photoOf("https://127.0.0.1:1/0/301")+`).then(({status}) => status)`, "404")
	p.see(isKept("https://127.0.0.1:1/0/301"), "false")

	network.down.Store(true)
	p.do("Network.clearBrowserCache", nil)
	p.reload()
	const widths = `[...document.querySelectorAll(".row .photo")].map(({naturalWidth}) => naturalWidth ?? "gap").join()`
	p.see(widths, "12,2")
	p.click("[data-id='1'] a")
	p.see(`[...document.querySelectorAll(".gallery .strip img")].filter(({naturalWidth}) => naturalWidth === 12).length`,
		"10")

	// A 401 deletes them.
	network.pointTo(start(t, "[]", `"username": "me"`, `"password": "secret"`))
	network.down.Store(false)
	p.signIn("me", "secret")
	p.reload()
	p.see(`caches.has(keptAs("photos"))`, "false")

	// So does "Forget this device", here another one: a request of this one may still wait for the password.
	program, _ = startKeeping(t, `{}`, flats[1:], files)
	network.pointTo(program)
	p.open("#/?tab=shortlist", 1280)
	p.startWorker()
	p.see(keptOnes+`.then((urls) => urls.length)`, "10")
	p.click(".menu")
	p.click("#menu button:last-child")
	p.click(".question .primary")
	p.see(`document.querySelector("h1").innerText`, "Nothing is kept on this device any more")
	p.see("caches.keys().then((names) => names.join())", "")
	p.checkFaults()
}
