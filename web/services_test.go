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

// twoListings are the flats of each service: the same, as if two households read the same sites.
const twoListings = `[{"id": "s1@portal", "title": "Loft", "status": "new", "first_seen": "2026-01-02T10:00:00Z"},
	{"id": "s2@portal", "title": "Attic", "status": "new", "first_seen": "2026-01-01T10:00:00Z"}]`

// dataIDsInStorage is the number of services whose data the browser's storage has. The names of stored values are the
// path of the service, the id of its data, and what is stored (keptAs), with spaces between them.
const dataIDsInStorage = `new Set(Object.keys(localStorage).map((name) => name.split(" ")[1])).size`

// A house is one host whose proxy has services under several paths.
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

// close lets the proxy answer 502 to requests to the API under a path, until shut is nil again.
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
	browser := openBrowser(t) // before the services start, because without Chromium it skips the test
	h := startHouse(t, map[string]http.Handler{
		"/flat/": under(t, "/flat/", twoListings),
		"/ben/":  under(t, "/ben/", twoListings),
	})
	ann := &tab{browser: browser, t: t, url: h.url + "/flat"}
	ann.open("#/flat/s1@portal", 1280)
	ann.startWorker()
	ben := ann.openAt(h.url+"/ben", "#/")
	ben.startWorker()
	ben.wait(firstRowID)
	ben.chooseID("s2@portal")
	ann.test("each service keeps a page of its own", func() {
		ann.see(`caches.keys().then((names) => ["/ben/", "/flat/"].map((path) => names.filter((name) =>
			name.startsWith(path + " ") && name.includes(" page ")).length).join())`, "1,1")
	})
	changeApart(ann, ben, h)
	forgetApart(ann, ben, h)
	ann.checkFaults()
	ben.checkFaults()
}

// changeApart tests that changes and notes that wait for one person's service are not sent to another's.
func changeApart(ann, ben *tab, h *house) {
	ann.test("what waits for one service does not wait for the other", func() {
		h.close("/flat/")
		ann.bringToFront()
		ann.setStatus("followed")
		ann.see(waitingLine, "1 change waits")
		ann.enter(notesField, "Proof of income.")
		ann.see(waitingLine, "2 changes wait")
		ben.reload()
		ben.wait(rowAt(1))
		ben.see(waitingLine, "")
		ben.seeFlat("s1@portal", "status", "new")
	})
	ann.test("a change is sent to the service that it waits for", func() {
		h.shut.Store(nil)
		ann.beBackOnline()
		ann.seeFlat("s1@portal", "status", "followed")
		ann.seeFlat("s1@portal", "notes", "Proof of income.")
		ann.see(waitingLine, "")
		ben.seeFlat("s1@portal", "status", "new")
		ben.seeFlat("s1@portal", "notes", "null")
	})
	ann.test("the answer to an update is kept as the answer for the flat, whatever the path of the page", func() {
		ann.see(`caches.open(keptAs("answers")).then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url)
			.filter((url) => !url.startsWith(location.origin + "/flat/api/v1/") || /\/v1\/flat[/?]/.test(url)).join())`, "")
		ann.see(`caches.open(keptAs("answers")).then((cache) => cache.match("api/v1/flats/s1%40portal"))
			.then((answer) => answer.json()).then(({data}) => data.status)`, "followed")
	})
}

// forgetApart tests that each page forgets only its own data.
func forgetApart(ann, ben *tab, h *house) {
	ann.test("each page forgets its own data", func() {
		ann.forgetDevice()
		ann.see(heading, forgotten)
		const left = `caches.keys().then((names) =>
			[...names, ...Object.keys(localStorage)].filter((name) => name.startsWith("%s ")).length > 0)`
		ann.see(fmt.Sprintf(left, "/flat/"), "false")
		ann.see(fmt.Sprintf(left, "/ben/"), "true")
		ben.see(`navigator.serviceWorker.getRegistrations().then((all) => all.map(({scope}) => scope).join())`,
			h.url+"/ben/")
		ben.see(chosenKept, "s2@portal")
		ben.see(heading, "Flats")
	})
	ann.test("chosen flats outlive a page that clears the storage of all services", func() {
		ann.eval("localStorage.clear()")
		ben.see(chosenKept, "s2@portal")
	})
	ann.test("the other page still has its flats without its service", func() {
		h.close("/ben/")
		ben.reload()
		ben.see(rowCount, "2")
	})
}

// TestPageSampleBefore tests that what waits for a sample is not sent to a service at the same address, nor the
// reverse, and that the page says when other flats are at its address.
func TestPageSampleBefore(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	openBrowser(t) // skips the test without Chromium
	sample := startIn(t, t.TempDir(), "-sample")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flats.json"), twoListings)
	own := startIn(t, dir)
	p, network := openThroughProxy(t, sample, "#/", 1280)
	p.wait(dataID + `.startsWith("sample-")`)
	p.wait(firstRowID)
	id := fmt.Sprint(p.eval(firstRowID))
	p.wait(senderIsLoaded)
	network.down.Store(true)
	p.dismissRow(1)
	p.see(waitingLine, "1 change waits")
	network.pointTo(own)
	network.down.Store(false)
	p.test("the page says that other flats are at its address, and sends them nothing", func() {
		p.beBackOnline()
		p.see(text(signInLink), "Reopen the page")
		p.see(waitingLine, "1 change waits")
	})
	p.test("what was decided in the sample is gone once the page is reopened", func() {
		p.reload()
		p.see(rowCount, "2")
		p.see(waitingTexts, "")
		p.see(`Object.keys(localStorage).filter((name) => name.includes("sample-")).length`, "0")
	})
	dismissBeforeSample(p, network, own, sample, id)
}

// dismissBeforeSample tests that changes for a service go on waiting while a sample is at its address. id is the id of
// the sample's first flat.
func dismissBeforeSample(p *tab, network *proxy, own, sample, id string) {
	p.wait(senderIsLoaded)
	network.down.Store(true)
	p.dismissID("s1@portal")
	p.see(waitingLine, "1 change waits")
	network.pointTo(sample)
	network.down.Store(false)
	p.test("a sample has nothing of what waits for the service", func() {
		p.reload()
		p.see(firstRowID, id)
		p.see(waitingTexts, "")
	})
	p.test("what waits for the service is sent once it is back", func() {
		network.pointTo(own)
		p.reload()
		p.seeFlat("s1@portal", "status", "ignored")
		p.see(waitingLine, "")
	})
}

// TestPageOtherData tests that changes for other data at the same address, as before a backup was restored, are shown
// and sent only if the user wants it, and that settings are taken over.
func TestPageOtherData(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.eval(`localStorage[keptAs("flats.message")] = '{"before": "Hello,"}'`)
	p.wait(senderIsLoaded)
	network.down.Store(true)
	p.setStatus("followed")
	p.see(waitingLine, "1 change waits")
	p.enter(notesField, "Proof of income.")
	p.see(waitingLine, "2 changes wait")
	network.pointTo(start(t, twoListings))
	network.down.Store(false)
	p.reload()
	const question = "2 unsent changes on this device may be for other flats Made when this address had other " +
		"flats, or with an earlier version of the page. Loft: Notes Proof of income. Loft: Followed " +
		"Send to these flats Delete"
	p.test("what waits for other data is a question, and is not sent", func() {
		p.see(text(earlierCard), question)
		p.seeFlat("s1@portal", "status", "new")
	})
	p.test("settings are taken over", func() {
		p.see(`JSON.parse(localStorage[keptAs("flats.message")]).before`, "Hello,")
	})
	p.test("the question is still there after a reload", func() {
		p.reload()
		p.see(text(earlierCard), question)
	})
	p.test(`"Send to these flats" sends it, and nothing of the other data is left`, func() {
		p.click(sendEarlier)
		p.seeFlat("s1@portal", "status", "followed")
		p.seeFlat("s1@portal", "notes", "Proof of income.")
		p.see(waitingTexts, "")
		p.see(dataIDsInStorage, "1")
	})
}

// TestPageEarlierTabs tests that a tab no longer asks about changes for other data once another tab has answered, and
// that a second answer sends nothing.
func TestPageEarlierTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.wait(senderIsLoaded)
	network.down.Store(true)
	p.setStatus("followed")
	p.see(waitingLine, "1 change waits")
	network.pointTo(start(t, twoListings))
	network.down.Store(false)
	p.reload()
	other := p.openAt(p.url, "#/")
	answerElsewhere(p, other)
	p.checkFaults()
	network.down.Store(true)
	p.setStatus("followed")
	p.see(waitingLine, "1 change waits")
	network.pointTo(start(t, twoListings))
	network.down.Store(false)
	changeAfterQuestion(p, other)
	other.checkFaults()
}

// answerElsewhere tests what happens to the question in a tab when another tab deletes the changes.
func answerElsewhere(p, other *tab) {
	p.test("both tabs show the question", func() {
		for _, tab := range []*tab{p, other} {
			tab.see(text(sendEarlier), "Send to these flats")
		}
	})
	p.eval(holdAnswer)
	p.test("no tab asks any more once one has deleted it", func() {
		other.click(deleteEarlier)
		other.see(waitingTexts, "")
		p.see(waitingTexts, "")
	})
	p.test("a late press on a question that is gone sends nothing", func() {
		p.eval(`heldAnswer.click()`)
		p.see(waitingCount, "0")
		p.reload()
		p.wait(senderIsLoaded)
		p.see(waitingTexts, "")
		p.seeFlat("s1@portal", "status", "new")
	})
}

// changeAfterQuestion tests the question if a tab that still shows the other data adds a change after it.
func changeAfterQuestion(p, other *tab) {
	p.test("a change made after the question is asked about, too", func() {
		other.reload()
		other.see(earlierListed, "Loft: Followed")
		p.setStatus("visited")
		p.see(waitingLine, "2 changes wait")
		other.click(deleteEarlier)
		other.see(earlierListed, "Loft: Visited")
	})
	p.test("a change made after one that is deleted is another question", func() {
		other.click(sendEarlier)
		other.see(text(sendEarlier), "Keep mine")
		other.click(sendEarlier)
		other.seeFlat("s1@portal", "status", "visited")
		other.see(waitingTexts, "")
	})
}

// earlierNames is a script that stores changes, notes and the person as earlier versions did, in which all services of
// a host shared the names. One note is only in their database.
const earlierNames = `new Promise((done) => {
	indexedDB.open(databaseName()).onsuccess = ({target: {result}}) =>
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

// openEarlier opens the page of a service under a path, in a browser where an earlier version has kept a change of a
// flat with an id.
func openEarlier(t *testing.T, path, id string) *tab {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t}
	h := startHouse(t, map[string]http.Handler{path: under(t, path, twoListings)})
	p.url = h.url + strings.TrimSuffix(path, "/")
	p.open("#/", 1280)
	p.eval(`localStorage.clear()`)
	p.eval(fmt.Sprintf(earlierNames, id))
	p.reload()
	return p
}

// TestPageEarlierNames tests that changes under the names of earlier versions are sent if they are known to be for this
// service, and shown otherwise, and that they are then deleted.
func TestPageEarlierNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEarlier(t, "/", "s1@portal")
	p.test("the only service of the host, which has the flats, gets what waits", func() {
		p.seeFlat("s1@portal", "status", "followed")
		p.seeFlat("s2@portal", "notes", "Damp.")
		p.see(waitingTexts, "")
		p.see(chosenKept, "s2@portal")
		p.see(earlierLeft, "0")
	})
	p.checkFaults()
	p = openEarlier(t, "/", "berlin@example")
	p.test("a service without the flat, as after a sample, shows what waits, which can be deleted", func() {
		p.see(count(earlierLines), "2")
		p.see(text(deleteEarlier), "Delete")
		p.click(deleteEarlier)
		p.see(waitingTexts, "")
		p.seeFlat("s2@portal", "notes", "null")
		p.see(earlierLeft, "0")
	})
	p = openEarlier(t, "/ann/", "s1@portal")
	p.test("a service below a path, where there may be others, shows what waits, which can be sent", func() {
		p.see(count(earlierLines), "2")
		p.seeFlat("s1@portal", "status", "new")
		p.click(sendEarlier)
		p.seeFlat("s1@portal", "status", "followed")
		p.seeFlat("s2@portal", "notes", "Damp.")
		p.see(waitingTexts, "")
	})
	p.checkFaults()
}

// TestPageSignedOut tests that after a 401 the worker has kept nothing of the household, that views not opened yet load
// and ask to sign in, that a reload asks for the password, and that the page is kept again after signing in.
func TestPageSignedOut(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	settings := []string{`"username": "me"`, `"feed_token": "SECRET"`, `"people": ["Ann", "Ben"]`}
	program := start(t, twoListings, append(settings, `"password": "one"`)...)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = program
	p.openDevice("#/", 1280)
	p.wait(asksToSignIn)
	p.signInWith("one")
	p.wait(senderIsLoaded)
	p.answerWho("Ann")
	p.startWorker()
	p.see(keptOfHousehold, "kept")
	p.test("a 401 deletes what can be read of the household", func() {
		endSessions(p.t, program, "one")
		p.see(statusesOf("flats"), "401")
		p.see(keptOfHousehold, "only others")
	})
	p.test("a view that was not open yet says that somebody has to sign in", func() {
		p.typeHash("#/visits")
		p.see(textsOf(failureNotice), "That did not work: somebody has to sign in. Sign in")
		p.see(heading, "Visits")
		p.see(signedOutLine, "Signed out · Sign in")
	})
	p.test("a reload asks for the password", func() {
		p.startReload()
		p.wait(asksToSignIn)
	})
	p.test("the page is kept again after signing in", func() {
		p.signInWith("one")
		p.see(openView, "visits")
		p.see(keptOfHousehold, "kept")
	})
}

// keptOfHousehold says whether the worker has kept anything of the household, or only other answers, or nothing.
const keptOfHousehold = `caches.keys().then(async (names) => {
	const texts = [];
	for (const name of names) for (const request of await (await caches.open(name)).keys())
		texts.push(await (await (await caches.open(name)).match(request)).text());
	if (/SECRET|"Ann"|&#34;Ann&#34;|s1@portal/.test(texts.join())) return "kept";
	return texts.length > 0 ? "only others" : "nothing";
})`
