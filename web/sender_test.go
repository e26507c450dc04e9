// Tests of what the service or a proxy may answer while changes wait.

package web

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// signedOut is what cause says while somebody has to sign in.
const signedOut = "Not sent yet: somebody has to sign in. | Sign in"

// recordPauses makes the pauses before changes are sent again as short as can be, and records them in seconds. They are
// no integers but for the longest, because the first one varies.
const recordPauses = `window.pauses = [];
	((set) => window.setTimeout = (act, ms, ...rest) => {
		if (ms < 1000 || Number.isInteger(ms) && ms !== 60_000) return set(act, ms, ...rest);
		pauses.push(Math.floor(ms / 1000));
		return set(act, 0, ...rest);
	})(setTimeout)`

// An interceptor answers some requests in place of the service, which then does not see them.
type interceptor struct {
	*proxy
	answer  atomic.Pointer[http.HandlerFunc] // answers them, unless nil
	updates atomic.Int32                     // how many updates it has answered
}

// openIntercepted opens the page of the sample at a hash, behind an interceptor.
func openIntercepted(t *testing.T, hash string) (*tab, *interceptor) {
	t.Helper()
	network := &interceptor{}
	network.proxy, _ = newProxy(t, startSample(t))
	server := httptest.NewServer(network)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	p := &tab{browser: openBrowser(t), t: t, url: server.URL}
	p.open(hash, 1280)
	return p, network
}

func (n *interceptor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := n.answer.Load()
	if answer == nil || n.down.Load() {
		n.proxy.ServeHTTP(w, r)
		return
	}
	if r.Method == "PATCH" {
		n.updates.Add(1)
	}
	(*answer)(w, r)
}

// refuse returns a handler that refuses updates as the service would, and lets others through.
func (n *interceptor) refuse(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "PATCH" {
			n.proxy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("X-Flats", "1")
		w.WriteHeader(status)
		fmt.Fprint(w, encode(object{"error": text}))
	}
}

// loginPage returns a handler that answers everything as a proxy does that asks to sign in.
func loginPage(status int, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if to != "" {
			w.Header().Set("Location", to)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, "<!doctype html><title>Sign in here</title><form>Name and password</form>")
	}
}

// TestPageSenderLost tests that the page says so if the network failed when it loaded what sends changes, and that
// loading it again sends them.
func TestPageSenderLost(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	lose := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" || strings.HasSuffix(answer.Request.URL.Path, "/later.js") {
			loseAnswer(answer)
		}
	}
	p, network := openThroughProxy(t, start(t, twoFlats), "#/", 1280)
	p.wait(`performance.getEntriesByType("resource").some(({name}) => name.endsWith("/later.js"))`)
	network.change.Store(&lose)
	p.click("[data-id=d] [data-status=followed]")
	p.wait(`keptIn("flats.waiting").length`)
	p.do("Network.clearBrowserCache", nil)
	p.reload()
	p.see(`document.querySelector(".notice[role=alert] p")?.innerText`,
		"Part of the page could not be loaded: no network connection.")
	network.change.Store(nil)
	p.click(".notice[role=alert] button")
	p.see(`document.querySelectorAll(".notice").length + keptIn("flats.waiting").length`, "0")
	p.see(found("d", "status"), `"followed"`)
}

// TestPageViewLost tests that the page says when the module or the style of a view or of a part could not be loaded,
// and that one press loads it.
func TestPageViewLost(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const shown = `document.querySelector(".notice[role=alert] p")?.innerText`
	lose := func(answer *http.Response) {
		path := answer.Request.URL.Path
		if strings.HasSuffix(path, "/views/prices.js") || strings.HasSuffix(path, "/parts/keys.js") {
			loseAnswer(answer)
		}
	}
	loseStyle := func(answer *http.Response) {
		if strings.HasSuffix(answer.Request.URL.Path, "/views.css") {
			loseAnswer(answer)
		}
	}
	p, network := openThroughProxy(t, start(t, twoFlats), "#/", 1280)
	p.see(rowCount, "4")
	network.change.Store(&loseStyle)
	p.eval(`location.hash = "#/visits"`)
	p.see(shown, "Part of the page could not be loaded: no network connection.")
	network.change.Store(nil)
	p.click(".notice[role=alert] button")
	p.see(`document.querySelector("h1").innerText`, "Visits")
	network.change.Store(&lose)
	p.press("?")
	p.see(shown, "Part of the page could not be loaded: no network connection.")
	p.click(".notice[role=alert] button.close")
	p.eval(`location.hash = "#/prices"`)
	p.see(shown, "Part of the page could not be loaded: no network connection.")
	network.change.Store(nil)
	p.click(".notice[role=alert] button")
	p.see(`document.querySelector("h1").innerText`, "Prices")
	p.checkFaults()
}

// TestPageRetry tests that whatever the service or a proxy answers, a waiting change is sent again after 1, 2, 4 … 60
// seconds, never at once, that the page says what it waits for, and that it is sent in the end.
func TestPageRetry(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(elsewhere.Close)
	const offline = "Not sent yet: no network connection."
	p, network := openIntercepted(t, "#/flat/4711")
	for i, c := range []struct {
		name   string
		answer http.HandlerFunc
		cause  string
	}{
		{"a tag that is always refused", network.refuse(412, "It has changed."), "Not sent yet: It has changed."},
		{"a full disk", network.refuse(500, "The disk is full."), "Not sent yet: The disk is full."},
		{"too many requests", network.refuse(429, "Slow down."), "Not sent yet: Slow down."},
		{"a proxy without the service", loginPage(502, ""), offline},
		{"a proxy of another kind without the service", loginPage(523, ""), offline},
		{"a page to sign in", loginPage(200, ""), signedOut},
		{"a redirect to one", loginPage(302, elsewhere.URL), signedOut},
		{"a redirect to one here", loginPage(303, "/login"), signedOut},
		{"a refusal", loginPage(403, ""), signedOut},
		{"a refusal that asks for a name", loginPage(401, ""), signedOut},
	} {
		p.reload()
		p.wait(`document.querySelector(".own .stars") && document.querySelector("#waiting p")`)
		network.down.Store(true)
		p.clickOn(fmt.Sprintf(`document.querySelectorAll(".own .stars button")[%d]`, i%2))
		p.see(waits, "1 change waits")
		p.see(cause, offline)
		p.eval(recordPauses)
		network.answer.Store(&c.answer)
		network.down.Store(false)
		p.see(cause, c.cause)
		p.wait("pauses.length > 12")
		p.see(waits, "1 change waits")
		got := fmt.Sprint(p.eval(`pauses.slice(0, 10).join(" ")`))
		const longer = "1 2 4 8 16 32 60 60 60 60 60" // the first may be over before they are recorded
		if !strings.HasPrefix(longer, got) && !strings.HasPrefix(longer[2:], got) {
			t.Errorf("%s: pauses %s", c.name, got)
		}
		// Each try sends one update, or none where a request before it fails. The first try was not recorded.
		updates := float64(network.updates.Swap(0))
		if pauses := p.eval("pauses.length").(float64); updates > pauses+2 {
			t.Errorf("%s: %v updates with %v pauses", c.name, updates, pauses)
		}
		network.answer.Store(nil)
		p.see(waits, "")
		p.see(cause, "")
		p.seeFlat("4711", "notation", fmt.Sprint(i%2+1))
	}
	// A flat that changes while a change of it is sent is nothing to tell: the next try sends it.
	said := `window.said = ""; new MutationObserver(() => said += document.querySelector("#waiting .cause").innerText +
		[...document.querySelectorAll(".notice[role=alert]")].map(({innerText}) => innerText))
		.observe(document.body, {childList: true, subtree: true})`
	p.reload()
	p.wait(`document.querySelector(".own .stars") && document.querySelector("#waiting p")`)
	network.down.Store(true)
	p.clickOn(`document.querySelectorAll(".own .stars button")[3]`)
	p.see(cause, offline)
	p.eval(said)
	var once atomic.Bool
	refuse := network.refuse(412, "It has changed.")
	change := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "PATCH" && once.CompareAndSwap(false, true) {
			refuse(w, r)
			return
		}
		network.proxy.ServeHTTP(w, r)
	})
	network.answer.Store(&change)
	network.down.Store(false)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(waits, "")
	p.seeFlat("4711", "notation", "4")
	p.see(`said.replaceAll("`+offline+`", "").trim()`, "")
	if !once.Load() {
		t.Error("no change was refused")
	}
	p.checkFaults()
}

// TestPageRetryNotes tests that notes too are sent again after ever longer pauses, and say what they wait for.
func TestPageRetryNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openIntercepted(t, "#/flat/4711")
	p.wait(`document.querySelector("#notes") && document.querySelector("#waiting p")`)
	p.eval(recordPauses)
	refuse := network.refuse(412, "It has changed.")
	network.answer.Store(&refuse)
	p.enter("#notes", "Mine.")
	p.wait("pauses.length > 7")
	if got := fmt.Sprint(p.eval(`pauses.slice(0, 8).join(" ")`)); got != "1 2 4 8 16 32 60 60" {
		t.Errorf("pauses %s", got)
	}
	p.see(waits, "1 change waits")
	p.see(cause, "Not sent yet: It has changed.")
	network.answer.Store(nil)
	p.see(waits, "")
	p.seeFlat("4711", "notes", "Mine.")
	p.checkFaults()
}

// TestPageForeign tests that a proxy's page to sign in is shown when the page is opened anew, that the worker keeps
// none of it, and that what was decided is sent afterwards.
func TestPageForeign(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	login := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<!doctype html><title>Sign in here</title>")
	}))
	t.Cleanup(login.Close)
	p, network := openIntercepted(t, "#/flat/4711")
	p.startWorker()
	for i, c := range []struct {
		status int
		to     string
	}{{200, ""}, {302, login.URL}, {403, ""}} {
		ask := loginPage(c.status, c.to)
		network.answer.Store(&ask)
		p.clickOn(fmt.Sprintf(`document.querySelectorAll(".own .stars button")[%d]`, i))
		p.see(waits, "1 change waits")
		p.see(cause, signedOut)
		p.click("#waiting .cause button")
		p.see("document.title", "Sign in here")
		network.answer.Store(nil)
		p.do("Page.navigate", object{"url": "about:blank"}) // otherwise only the hash might change
		p.do("Page.navigate", object{"url": p.url + "/#/flat/4711"})
		p.wait(`document.querySelector(".own .stars")`)
		p.see(waits, "")
		p.seeFlat("4711", "notation", fmt.Sprint(i+1))
		p.see(`caches.keys().then(async (names) => {
			let foreign = 0;
			for (const name of names) for (const request of await (await caches.open(name)).keys()) {
				const kept = await (await caches.open(name)).match(request);
				const isOwn = request.url.endsWith("/first"); // what the page itself keeps for the worker
				foreign += !isOwn && !kept.headers.has("X-Flats") || (await kept.text()).includes("Sign in here");
			}
			return names.length + " " + foreign;
		})`, "2 0")
		network.down.Store(true)
		p.reload()
		p.wait(`document.querySelector(".own .stars")`)
		network.down.Store(false)
	}
	p.checkFaults()
}

// TestPageSeparators tests that a flat and a view whose names have a slash can be changed through a proxy that answers
// 400 to an encoded one in a path.
func TestPageSeparators(t *testing.T) {
	t.Parallel()
	p, network := openIntercepted(t, "#/")
	refuse := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.EscapedPath(), "%") {
			loginPage(400, "")(w, r)
			return
		}
		network.proxy.ServeHTTP(w, r)
	})
	network.answer.Store(&refuse)
	p.eval(`fetch("api/v1/import", {method: "POST", body: '[{"id": "a/b?c#d%", "title": "Loft", "status": "new"}]'})`)
	p.eval(`location.hash = "#/flat/" + encodeURIComponent("a/b?c#d%")`)
	p.see(`document.querySelector("h1").innerText`, "Loft")
	p.click(".own .statuses [data-status=followed]")
	p.see(waits, "")
	p.see(`fetch("api/v1/flats?id=" + encodeURIComponent("a/b?c#d%")).then((answer) => answer.json())
		.then(({data}) => data.status)`, "followed")
	p.eval(`location.hash = "#/?q=loft"`)
	p.click(".tools button")
	p.enter(".naming input", "A/B %")
	p.click(".naming .primary")
	p.see(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) =>
		data.some(({name}) => name === "A/B %"))`, "true")
	p.checkFaults()
}

// TestPageRefusedOnTheWay tests that a change which something on the way refuses, as a firewall refuses a text, becomes
// a question, and that later ones are sent.
func TestPageRefusedOnTheWay(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openIntercepted(t, "#/flat/4711")
	refuse := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "PATCH" {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			if bytes.Contains(body, []byte("contacted")) {
				loginPage(403, "")(w, r)
				return
			}
		}
		network.proxy.ServeHTTP(w, r)
	})
	network.answer.Store(&refuse)
	p.wait(`document.querySelector(".own .stars") && document.querySelector("#waiting p")`)
	p.click(".own .statuses [data-status=contacted]")
	p.clickOn(`document.querySelectorAll(".own .stars button")[2]`)
	p.seeFlat("4711", "notation", "3")
	p.wait(`document.querySelector("#waiting")?.innerText.includes("proxy, refuses it (403).")`)
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.checkFaults()
}

// TestPageNameInAddress tests that the page works under an address with a name and a password.
func TestPageNameInAddress(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	url := start(t, readFile(t, "../sample/flats.json"), `"username": "me"`, `"password": "pw"`)
	p.url = strings.Replace(url, "http://", "http://me:pw@", 1)
	p.open("", 1280)
	p.see(rowCount, "10")
	p.click(".row [data-status=followed]")
	p.wait(`document.querySelector(".notice button")`)
	p.see(waits, "")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	p.checkFaults()
}

// TestPageCutAnswers tests that an answer which something on the way has cut or emptied counts as none: a change waits
// and is sent again, and a view says that there is no network. An address with a stray percent sign names no flat.
func TestPageCutAnswers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 1280)
	for i, cut := range []func(*http.Response){
		func(answer *http.Response) { setBody(answer, strings.NewReader(`{"data": {"id"`)) },
		func(answer *http.Response) { setBody(answer, strings.NewReader("")) },
		func(answer *http.Response) {
			answer.StatusCode = http.StatusNoContent
			setBody(answer, strings.NewReader(""))
		},
	} {
		p.wait(`document.querySelector(".own .stars")`)
		inAPI := func(answer *http.Response) {
			if strings.Contains(answer.Request.URL.Path, "/api/") {
				cut(answer)
			}
		}
		network.change.Store(&inAPI)
		p.clickOn(fmt.Sprintf(`document.querySelectorAll(".own .stars button")[%d]`, i))
		p.see(waits, "1 change waits")
		p.eval(`location.hash = "#/prices"`)
		p.wait(`/no network/i.test(document.querySelector("main").innerText)`)
		network.change.Store(nil)
		p.eval(`location.hash = "#/flat/4711"`)
		p.eval(`dispatchEvent(new Event("online"))`)
		p.see(waits, "")
		p.seeFlat("4711", "notation", fmt.Sprint(i+1))
	}
	p.eval(`location.hash = "#/flat/%"`)
	p.wait(`/No flat with id %/.test(document.querySelector("main").innerText)`)
	p.checkFaults()
}

// loseAnswer makes an answer that of a proxy which cannot reach the service.
func loseAnswer(answer *http.Response) {
	answer.StatusCode = http.StatusBadGateway
	answer.Header = http.Header{}
	setBody(answer, strings.NewReader(""))
}

// TestPageAskedLate tests that a decision does not wait long for the question what it would replace: it is shown,
// waits, and is compared with what was decided elsewhere meanwhile.
func TestPageAskedLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openIntercepted(t, "")
	p.see(rowCount, "10")
	var asked atomic.Int32
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("fields") == "status,status_since" {
			asked.Add(1)
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		}
		network.proxy.ServeHTTP(w, r)
	}
	handler := http.HandlerFunc(answer)
	network.answer.Store(&handler)
	const rows = `[...document.querySelectorAll(".row")].map(({dataset}) => dataset.id).join(" ")`
	ids := strings.Split(fmt.Sprint(p.eval(rows)), " ")
	// The service gets the first decision without a question.
	p.eval(`window.limits = [];
		AbortSignal.timeout = ((timeout) => (ms) => { limits.push(ms); return timeout(ms); })(AbortSignal.timeout)`)
	p.click(".row [data-status=ignored]")
	p.see(`limits.includes(1_500)`, "true")
	p.see(rowCount, "9")
	p.see(waits, "")
	p.seeFlat(ids[0], "status", "ignored")
	// The second one would replace a decision made elsewhere.
	elsewhere := fmt.Sprintf(`fetch("api/v1/flat/" + encodeURIComponent(%s),
		{method: "PATCH", body: '{"status": "contacted"}'}).then((answer) => answer.text())`, encode(ids[1]))
	p.eval(elsewhere)
	p.click(".row [data-status=ignored]")
	p.see(`[...document.querySelectorAll(".questions .card button")].map((button) => button.innerText).join(" ")`,
		"Keep mine Keep the other one")
	p.seeFlat(ids[1], "status", "contacted")
	if asked.Load() != 2 {
		t.Errorf("the page asked %d times what it replaces; want 2", asked.Load())
	}
	p.checkFaults()
}

// patchElsewhere changes a flat as another device does, past the page and its proxy.
func patchElsewhere(t *testing.T, network *proxy, id, change string) {
	request, err := http.NewRequest("PATCH", network.target.Load().String()+"/api/v1/flat/"+id, strings.NewReader(change))
	if err != nil {
		t.Error(err)
		return
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != 200 {
		t.Error(answer, err)
		return
	}
	answer.Body.Close()
}

// TestPageArrived tests that a change whose answer was lost is not made again over what somebody else has set since,
// be that the value of before or another one, and that this is no question.
func TestPageArrived(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/flat/d", 1280)
	p.wait(`document.querySelector(".own .stars")`)
	p.load("parts/steps")
	p.eval(recordPauses)
	enter := func(selector, value string) func() { return func() { p.enter(selector, value) } }
	for _, c := range []struct {
		act                  func()
		id, elsewhere, field string
		want                 string
	}{
		{func() { p.click(".own .statuses [data-status=contacted]") }, "d?by=Ben", `{"status": "new"}`, "status", `"new"`},
		{func() { p.click(".own .statuses [data-status=contacted]") }, "d?by=Ben", `{"status": "visited"}`, "status",
			`"visited"`},
		{func() { p.press("4") }, "d?by=Ann", `{"rating": null}`, "ratings", "null"},
		{func() { p.press("4") }, "d?by=Ann", `{"rating": 2}`, "ratings", `{"Ann":2}`},
		{enter("#visit", "2031-12-08T10:00"), "d", `{"visit_date": null}`, "visit_date", "null"},
		{func() { p.eval(`void steps.setStep("d", "Call", "2031-01-01")`) }, "d", `{"next_step": null}`, "next_step", "null"},
		{enter("#notes", "Mine."), "d", `{"notes": null}`, "notes", "null"},
	} {
		var updates atomic.Int32
		lose := func(answer *http.Response) {
			if answer.Request.Method == "PATCH" && updates.Add(1) == 1 {
				patchElsewhere(t, network, c.id, c.elsewhere)
				loseAnswer(answer)
			}
		}
		network.change.Store(&lose)
		c.act()
		p.until(func() bool { return updates.Load() > 1 }, func() string { return c.elsewhere + " is not sent again" })
		p.see(waits, "")
		p.see(found("d", c.field), c.want)
		p.see(`document.querySelectorAll(".questions .card").length`, "0")
		network.change.Store(nil)
	}
	p.see(`document.querySelector("#notes").value`, "")
	// Nor is one that was under way when the page was closed.
	p.goTo("#/triage", ".card h2 a")
	id := fmt.Sprint(p.eval(`document.querySelector(".card h2 a").hash.slice("#/flat/".length)`))
	gate := make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	t.Cleanup(release)
	var arrived atomic.Bool
	hold := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			arrived.Store(true)
			<-gate
		}
	}
	network.change.Store(&hold)
	p.press("x")
	p.until(arrived.Load, func() string { return "nothing was sent" })
	network.change.Store(nil)
	patchElsewhere(t, network, id, `{"status": "new"}`)
	p.see(`keptIn("flats.waiting").length`, "1")
	p.reload()
	release()
	p.wait(`keptIn("flats.waiting").length === 0`)
	p.see(found(id, "status"), `"new"`)
	p.checkFaults()
}

// TestPageLists tests that "Same home", "Not the same" and a new link keep what another device, or an import, has added
// to the lists of the flat since the view was opened, with a network and without one, and so does their Undo.
func TestPageLists(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const flats = `[
		{"id": "a@s", "title": "A", "phone": "0198", "cost": 700, "area": 40, "notes": "Kept.",
			"urls": ["https://s.example/10001", "https://s.example/10002"]},
		{"id": "b@s", "title": "B", "phone": "0198", "cost": 700, "area": 40},
		{"id": "c@s", "title": "C", "phone": "0198", "cost": 700, "area": 40},
		{"id": "d@s", "title": "D", "phone": "0198", "cost": 700, "area": 40}]`
	p, network := openThroughProxy(t, start(t, flats), "#/duplicates", 1280)
	const lists = `fetch("api/v1/flats/a@s").then((answer) => answer.json()).then(({data}) =>
		JSON.stringify([data.merged_ids, data.not_duplicates ?? null]))`
	pick := func(button string, titles ...string) {
		t.Helper()
		for _, title := range []string{"A", "B", "C", "D"} {
			p.wait(`document.querySelector("article.card input[type=checkbox][aria-label=` + title + `]")`)
			p.eval(fmt.Sprintf(`((box) => box.checked !== %v && box.click())(
				document.querySelector("article.card input[type=checkbox][aria-label=%s]"))`,
				slices.Contains(titles, title), title))
		}
		p.click("article.card ." + button)
	}
	p.wait(`document.querySelector("article.card")`)
	patchElsewhere(t, network, "a@s", `{"merged_ids": ["x@s"], "not_duplicates": ["y@s"]}`)
	pick("same", "A", "C")
	p.see(lists, `[["c@s","x@s"],["y@s"]]`)
	patchElsewhere(t, network, "a@s", `{"merged_ids": ["c@s", "x@s", "z@s"]}`)
	p.click(".notice button")
	p.see(lists, `[["x@s","z@s"],["y@s"]]`)
	p.reload()
	p.wait(`document.querySelector("article.card")`)
	patchElsewhere(t, network, "a@s", `{"not_duplicates": ["y@s", "x@s"]}`)
	network.down.Store(true)
	pick("differ", "A", "D")
	p.see(waits, "2 changes wait")
	network.down.Store(false)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(waits, "")
	p.see(lists, `[["x@s","z@s"],["y@s","d@s","x@s"]]`)
	p.see(`document.querySelectorAll(".questions .card").length`, "0")
	// The link that is corrected, beside one that an import brings meanwhile
	p.goTo("#/flat/a%40s", ".edit")
	p.click(".edit")
	p.wait(`document.querySelector(".editing [name=link]")`)
	patchElsewhere(t, network, "a@s", `{"urls": ["https://s.example/10001", "https://s.example/10002",
		"https://s.example/10003"]}`)
	p.enter(".editing [name=link]", "https://s.example/90009")
	p.click(".editing .primary")
	p.seeFlat("a@s", "urls", "https://s.example/90009,https://s.example/10002,https://s.example/10003")
	p.checkFaults()
}
