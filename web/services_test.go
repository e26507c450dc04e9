// Tests of services that share a browser's storage: under one host, or one after another at one address.

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// twoListings are the flats of each service: the same ones, as two hunts have that read the same sites.
const twoListings = `[{"id": "s1@portal", "title": "Loft", "status": "new", "first_seen": "2026-01-02T10:00:00Z"},
	{"id": "s2@portal", "title": "Attic", "status": "new", "first_seen": "2026-01-01T10:00:00Z"}]`

// A house is a proxy with services under paths of one host.
type house struct {
	url  string
	shut atomic.Pointer[string] // the path whose API answers 502, or nil
}

// startHouse starts a proxy that passes the requests below each path on to a service of its own.
func startHouse(t *testing.T, services map[string]http.Handler) *house {
	t.Helper()
	h := &house{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for path, service := range services {
			if !strings.HasPrefix(r.URL.Path, path) {
				continue
			}
			if shut := h.shut.Load(); shut != nil && *shut == path && strings.Contains(r.URL.Path, "/api/") {
				http.Error(w, "down", http.StatusBadGateway)
				return
			}
			service.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	h.url = server.URL
	return h
}

// under returns a handler for a service with flats, given as JSON, that is served under a path.
func under(t *testing.T, path, flats string, settings ...string) http.Handler {
	t.Helper()
	settings = append(settings, fmt.Sprintf(`"website_url": "http://127.0.0.1%s"`, path))
	program, err := url.Parse(start(t, flats, settings...))
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(program)
		r.Out.Host = r.In.Host
	}}
}

func (h *house) close(path string) { h.shut.Store(&path) }

// openAt opens the page of another path in the same browser context, in a tab of its own.
func (p *tab) openAt(url, hash string) *tab {
	p.t.Helper()
	other := &tab{browser: p.browser, t: p.t, url: url}
	var info struct {
		TargetInfo struct{ BrowserContextId string }
	}
	p.call(p.t, p.session, "Target.getTargetInfo", object{}, &info)
	other.openIn(object{"browserContextId": info.TargetInfo.BrowserContextId}, hash, 1280)
	return other
}

// TestPageTwoServices tests that two services under one host keep apart what a browser keeps for them: changes and
// notes that wait, caches, workers, what is forgotten.
func TestPageTwoServices(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	h := startHouse(t, map[string]http.Handler{
		"/flat/": under(t, "/flat/", twoListings),
		"/ben/":  under(t, "/ben/", twoListings),
	})
	ann := &tab{browser: openBrowser(t), t: t, url: h.url + "/flat"}
	ann.open("#/flat/s1@portal", 1280)
	ann.startWorker()
	ben := ann.openAt(h.url+"/ben", "#/")
	ben.startWorker()
	ben.wait(firstRow)
	ben.click("[data-id='s2@portal'] button.compare")
	ann.see(`caches.keys().then((names) => ["/ben/", "/flat/"].map((path) => names.filter((name) =>
		name.startsWith(path + " ") && name.includes(" page ")).length).join())`, "1,1")

	h.close("/flat/")
	ann.do("Page.bringToFront", nil)
	ann.click(".own .statuses [data-status=followed]")
	ann.see(waits, "1 change waits")
	ann.enter(".own .notes textarea", "Proof of income.")
	ann.see(waits, "2 changes wait")
	ben.reload()
	ben.wait(`document.querySelector(".row")`)
	ben.see(waits, "")
	ben.seeFlat("s1@portal", "status", "new")
	h.shut.Store(nil)
	ann.eval(`dispatchEvent(new Event("online"))`)
	ann.seeFlat("s1@portal", "status", "followed")
	ann.seeFlat("s1@portal", "notes", "Proof of income.")
	ann.see(waits, "")
	ben.seeFlat("s1@portal", "status", "new")
	ben.seeFlat("s1@portal", "notes", "null")

	// The answer to an update is kept as that for the flat, whatever the path of the page.
	ann.see(`caches.open(keptAs("answers")).then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url)
		.filter((url) => !url.startsWith(location.origin + "/flat/api/v1/") || url.includes("/v1/flat/")).join())`, "")
	ann.see(`caches.open(keptAs("answers")).then((cache) => cache.match("api/v1/flats/s1%40portal"))
		.then((answer) => answer.json()).then(({data}) => data.status)`, "followed")

	// Each forgets what is its own.
	ann.click(".menu")
	ann.click("#menu button:last-child")
	ann.click(".question .primary")
	ann.see(`document.querySelector("h1").innerText`, "Nothing is kept on this device any more")
	const left = `caches.keys().then((names) =>
		[...names, ...Object.keys(localStorage)].filter((name) => name.startsWith("%s ")).length > 0)`
	ann.see(fmt.Sprintf(left, "/flat/"), "false")
	ann.see(fmt.Sprintf(left, "/ben/"), "true")
	ben.see(`navigator.serviceWorker.getRegistrations().then((all) => all.map(({scope}) => scope).join())`, h.url+"/ben/")
	ben.see(`keptIn("flats.compare")[0].id + document.querySelector("h1").innerText`, `s2@portalFlats`)
	// So does a page that clears the storage of all.
	ann.eval("localStorage.clear()")
	ben.see(`keptIn("flats.compare").map(({id}) => id).join()`, "s2@portal")
	h.close("/ben/")
	ben.reload()
	ben.see(rowCount, "2")
	ann.checkFaults()
	ben.checkFaults()
}

// TestPageSampleBefore tests that what was decided in a sample is not sent to a service that comes to its address, nor
// what waits for that service to a sample, and that the page says when other flats are at its address.
func TestPageSampleBefore(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	sample := startIn(t, t.TempDir(), "-sample")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flats.json"), twoListings)
	own := startIn(t, dir)
	p, network := openThroughProxy(t, sample, "#/", 1280)
	p.see(`document.querySelector("meta[name=flats-data]").content.startsWith("sample-")`, "true")
	p.wait(firstRow)
	id := fmt.Sprint(p.eval(firstRow))
	p.wait(`document.querySelector("#waiting > p")`) // what sends changes has been loaded
	network.down.Store(true)
	p.click(".row [data-status=ignored]")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	network.pointTo(own)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(`document.querySelector("#waiting .cause button")?.innerText`, "Reopen the page")
	p.see(waits, "1 change waits")
	p.reload()
	p.see(rowCount, "2")
	p.see(waitingTexts, "")
	p.see(`Object.keys(localStorage).filter((name) => name.includes("sample-")).length`, "0")

	// The other way round, what waits stays.
	p.wait(`document.querySelector("#waiting > p")`) // what sends changes has been loaded
	network.down.Store(true)
	p.click("[data-id='s1@portal'] [data-status=ignored]")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	network.pointTo(sample)
	p.reload()
	p.see(firstRow, id)
	p.see(waitingTexts, "")
	network.pointTo(own)
	p.reload()
	p.seeFlat("s1@portal", "status", "ignored")
	p.see(waits, "")
	p.checkFaults()
}

// TestPageOtherData tests that what waits for other data at the same address, such as those before a backup was
// restored, is shown and sent only if the user wants it, and that settings are taken over.
func TestPageOtherData(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.eval(`localStorage[keptAs("flats.message")] = '{"before": "Hello,"}'`)
	p.wait(`document.querySelector("#waiting > p")`) // what sends changes has been loaded
	network.down.Store(true)
	p.click(".own .statuses [data-status=followed]")
	p.see(waits, "1 change waits")
	p.enter(".own .notes textarea", "Proof of income.")
	p.see(waits, "2 changes wait")
	network.down.Store(false)
	network.pointTo(start(t, twoListings))
	p.reload()
	const card = `document.querySelector("#waiting .card")?.innerText.replace(/\s+/g, " ").trim() ?? ""`
	const question = "2 unsent changes on this device may be for other flats It was made when this address had other " +
		"flats, or with an earlier version of the page. Loft: Notes Proof of income. Loft: Followed " +
		"Send to these flats Delete"
	p.see(card, question)
	p.seeFlat("s1@portal", "status", "new")
	p.see(`JSON.parse(localStorage[keptAs("flats.message")]).before`, "Hello,")
	p.reload()
	p.see(card, question)
	p.click("#waiting .card button")
	p.seeFlat("s1@portal", "status", "followed")
	p.seeFlat("s1@portal", "notes", "Proof of income.")
	p.see(waitingTexts, "")
	p.see(`new Set(Object.keys(localStorage).map((name) => name.split(" ")[1])).size`, "1")
	p.checkFaults()
}

// TestPageEarlierTabs tests that a tab no longer asks about what waits for other data once another tab has answered,
// and that an answer which comes all the same sends nothing.
func TestPageEarlierTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.wait(isReady)
	network.down.Store(true)
	p.click(".own .statuses [data-status=followed]")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	network.pointTo(start(t, twoListings))
	p.reload()
	const listed = `[...document.querySelectorAll("#waiting .card li")].map(({innerText}) => innerText).join()`
	const button = `document.querySelector("#waiting .card button")?.innerText`
	p.see(button, "Send to these flats")
	other := p.openAt(p.url, "#/")
	other.see(button, "Send to these flats")
	p.eval(`window.card = document.querySelector("#waiting .card button")`)
	other.click("#waiting .card button:last-child")
	other.see(waitingTexts, "")
	p.see(waitingTexts, "")
	p.eval(`card.click()`)
	p.see(`keptIn("flats.waiting").length`, "0")
	p.reload()
	p.wait(isReady)
	p.see(waitingTexts, "")
	p.seeFlat("s1@portal", "status", "new")
	p.checkFaults()

	// A tab that still shows the other data keeps more than the question says.
	network.down.Store(true)
	p.click(".own .statuses [data-status=followed]")
	p.see(waits, "1 change waits")
	network.pointTo(start(t, twoListings))
	network.down.Store(false)
	other.reload()
	other.see(listed, "Loft: Followed")
	p.click(".own .statuses [data-status=visited]")
	p.see(waits, "2 changes wait")
	other.click("#waiting .card button:last-child")
	other.see(listed, "Loft: Visited")
	other.click("#waiting .card button")
	other.see(button, "Keep mine") // it was made after one that is deleted
	other.click("#waiting .card button")
	other.seeFlat("s1@portal", "status", "visited")
	other.see(waitingTexts, "")
	other.checkFaults()
}

// earlierNames is a script that keeps changes, notes and the choice of who one is as earlier versions did, in which all
// services of a host shared the names. A note is only in their database.
const earlierNames = `new Promise((done) => {
	indexedDB.open(keptAs("").split(" ")[0] + " flats").onsuccess = ({target: {result}}) =>
		result.transaction("copies", "readwrite").objectStore("copies").clear();
	localStorage["flats.waiting"] = JSON.stringify([{key: 1, id: %q, name: "status", was: "new", set: "followed",
		title: "Loft", decision: 1}]);
	localStorage["flats.count"] = "3";
	localStorage["flats.compare"] = '["s2@portal"]';
	const opening = indexedDB.open("flats");
	opening.onupgradeneeded = () => opening.result.createObjectStore("copies", {keyPath: "name"});
	opening.onsuccess = () => {
		const writing = opening.result.transaction("copies", "readwrite");
		writing.objectStore("copies").put({name: "flats.notes.s2@portal", at: 4, isOnly: true,
			text: JSON.stringify({text: "Damp.", base: ""})});
		writing.oncomplete = () => done(opening.result.close());
	};
})`

// TestPageEarlierNames tests that what waits under the names of earlier versions is sent if it is known to be for this
// service, and shown otherwise, and that it is deleted then.
func TestPageEarlierNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	const left = `indexedDB.databases().then((all) => all.filter(({name}) => name === "flats").length +
		Object.keys(localStorage).filter((name) => name.startsWith("flats.")).join())`
	open := func(path string) *tab {
		h := startHouse(t, map[string]http.Handler{path: under(t, path, twoListings)})
		p := &tab{browser: openBrowser(t), t: t, url: h.url + strings.TrimSuffix(path, "/")}
		p.open("#/", 1280)
		p.eval(`localStorage.clear()`)
		return p
	}
	// The only service of the host has the flats.
	p := open("/")
	p.eval(fmt.Sprintf(earlierNames, "s1@portal"))
	p.reload()
	p.seeFlat("s1@portal", "status", "followed")
	p.seeFlat("s2@portal", "notes", "Damp.")
	p.see(waitingTexts, "")
	p.see(`keptIn("flats.compare").map(({id}) => id).join()`, "s2@portal")
	p.see(left, "0")
	p.checkFaults()

	// It does not have one of them, as after a sample.
	p = open("/")
	p.eval(fmt.Sprintf(earlierNames, "berlin@example"))
	p.reload()
	p.see(`document.querySelectorAll("#waiting .card li").length`, "2")
	p.see(`document.querySelector("#waiting .card button:last-child").innerText`, "Delete")
	p.click("#waiting .card button:last-child")
	p.see(waitingTexts, "")
	p.seeFlat("s2@portal", "notes", "null")
	p.see(left, "0")

	// Below a path there may be others, which cannot be known.
	p = open("/ann/")
	p.eval(fmt.Sprintf(earlierNames, "s1@portal"))
	p.reload()
	p.see(`document.querySelectorAll("#waiting .card li").length`, "2")
	p.seeFlat("s1@portal", "status", "new")
	p.click("#waiting .card button")
	p.seeFlat("s1@portal", "status", "followed")
	p.seeFlat("s2@portal", "notes", "Damp.")
	p.see(waitingTexts, "")
	p.checkFaults()
}

// TestPageSignedOut tests that after a 401 nothing of the household can be read in what the worker has kept, that views
// which were not open yet can still be loaded and say that somebody has to sign in, that a reload says so too, and that
// the page is kept again after signing in.
func TestPageSignedOut(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	settings := []string{`"username": "me"`, `"feed_token": "SECRET"`, `"people": ["Ann", "Ben"]`}
	program := start(t, twoListings, append(settings, `"password": "one"`)...)
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, program)
	network.name.Store("me:one")
	p.url = url
	p.open("#/", 1280)
	p.startWorker()
	const isReadable = `caches.keys().then(async (names) => {
		const texts = [];
		for (const name of names) for (const request of await (await caches.open(name)).keys())
			texts.push(await (await (await caches.open(name)).match(request)).text());
		return /SECRET|"Ann"|&#34;Ann&#34;|s1@portal/.test(texts.join()) + " " + (texts.length > 0);
	})`
	p.see(isReadable, "true true")
	network.name.Store("me:another")
	p.eval(`fetch("api/v1/flats").then((answer) => answer.text())`)
	p.see(isReadable, "false true")
	p.eval(`location.hash = "#/visits"`)
	p.see(textsOf("[role=alert]"),
		"That did not work: somebody has to sign in. Sign in")
	p.see(`document.querySelector("h1").innerText`, "Visits")
	p.eval("window.old = true")
	p.do("Page.reload", nil)
	p.see(`window.old + document.body.innerText.trim()`, "undefinedYou are signed out. Sign in")
	network.name.Store("me:one")
	p.click("a")
	p.see(rowCount, "2")
	p.see(isReadable, "true true")
}
