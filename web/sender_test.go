// Tests of what the service or a proxy may answer while changes wait.

package web

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// signedOut is the value of waitingCause while somebody has to sign in.
const signedOut = "Not sent yet: somebody has to sign in. | Sign in"

// recordPauses makes the pauses before changes are sent again as short as possible, and records them in seconds. It
// knows them by their milliseconds: the first pause is random and the next ones are its multiples, which are no
// integers; the longest one is 60,000.
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

// openIntercepted opens the page of the sample at a hash, through an interceptor.
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

// askPassword returns a handler that asks for a password by HTTP Basic, and lets requests with it through.
func (n *interceptor) askPassword(password string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, given, _ := r.BasicAuth(); given == password {
			n.proxy.ServeHTTP(w, r)
			return
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="proxy"`)
		w.WriteHeader(http.StatusUnauthorized)
	}
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

// loginPage returns a handler that answers everything like a proxy that asks to sign in.
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

// TestPageSenderLost tests that the page says so if it could not load the module that sends changes, and that loading
// it again sends them.
func TestPageSenderLost(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	lose := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" || strings.HasSuffix(answer.Request.URL.Path, "/later.js") {
			loseAnswer(answer)
		}
	}
	p, network := openThroughProxy(t, start(t, flatsOfTwoPeople), "#/", 1280)
	p.wait(`performance.getEntriesByType("resource").some(({name}) => name.endsWith("/later.js"))`)
	network.change.Store(&lose)
	p.followID("d")
	p.wait(waitingCount)
	p.do("Network.clearBrowserCache", nil)
	p.test("the page says that it could not load what sends changes", func() {
		p.reload()
		p.see(failure, partLost)
	})
	p.test("one press loads the module, which sends the changes", func() {
		network.change.Store(nil)
		p.click(failureButton)
		p.see(together(noticeCount, waitingCount), "0, 0")
		p.see(findField("d", "status"), `"followed"`)
	})
}

// partLost is what the page says if a part of it could not be loaded.
const partLost = "Part of the page could not be loaded: no network connection."

// TestPageViewLost tests that the page says when the module or the style of a view or of a part could not be loaded,
// and that one press loads it.
func TestPageViewLost(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, flatsOfTwoPeople), "#/", 1280)
	p.see(rowCount, "4")
	lose := func(ends ...string) {
		change := func(answer *http.Response) {
			path := answer.Request.URL.Path
			if slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) }) {
				loseAnswer(answer)
			}
		}
		network.change.Store(&change)
	}
	p.test("the style of views that is lost is loaded by a press", func() {
		lose("/views.css")
		p.typeHash("#/visits")
		p.see(failure, partLost)
		network.change.Store(nil)
		p.click(failureButton)
		p.see(heading, "Visits")
	})
	lose("/views/prices.js", "/parts/keys.js")
	p.test("a part that is lost is reported", func() {
		p.press("?")
		p.see(failure, partLost)
		p.click(closeFailure)
	})
	p.test("a view that is lost is loaded by a press", func() {
		p.typeHash("#/prices")
		p.see(failure, partLost)
		network.change.Store(nil)
		p.click(failureButton)
		p.see(heading, "Prices")
	})
}

// noNetwork is the value of waitingCauseText while the network fails.
const noNetwork = "Not sent yet: no network connection."

// TestPageRetry tests that whatever the service or a proxy answers, a waiting change is sent again after 1, 2, 4 … 60
// seconds, never at once, that the page says what it waits for, and that it is sent in the end.
func TestPageRetry(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(elsewhere.Close)
	p, network := openIntercepted(t, "#/flat/4711")
	for i, c := range []struct {
		name   string
		answer http.HandlerFunc
		cause  string
	}{
		{"a tag that is always refused", network.refuse(412, "It has changed."), "Not sent yet: It has changed."},
		{"a full disk", network.refuse(500, "The disk is full."), "Not sent yet: The disk is full."},
		{"too many requests", network.refuse(429, "Slow down."), "Not sent yet: Slow down."},
		{"a proxy without the service", loginPage(502, ""), noNetwork},
		{"a proxy of another kind without the service", loginPage(523, ""), noNetwork},
		{"a page to sign in", loginPage(200, ""), signedOut},
		{"a redirect to one", loginPage(302, elsewhere.URL), signedOut},
		{"a redirect to one here", loginPage(303, "/login"), signedOut},
		{"a refusal", loginPage(403, ""), signedOut},
		{"a refusal that asks for a name", loginPage(401, ""), signedOut},
	} {
		stars := 1 + i%2 // another rating than in the case before
		p.test(c.name, func() { retry(p, network, stars, c.answer, c.cause) })
	}
	p.test("a flat that changes while a change of it is sent is sent by the next try, and nothing is said", func() {
		retryUnsaid(p, network)
	})
	p.checkFaults()
}

// retry tests that a rating of the open flat waits while a handler answers updates, for the cause that the page says.
func retry(p *tab, network *interceptor, stars int, answer http.HandlerFunc, why string) {
	rateOffline(p, network, stars)
	p.see(waitingLine, "1 change waits")
	p.eval(recordPauses)
	network.answer.Store(&answer)
	network.down.Store(false)
	p.test("the page says why it waits", func() { p.see(waitingCause, why) })
	p.test("a rating is sent again after ever longer pauses", func() {
		p.wait("pauses.length > 12")
		p.see(waitingLine, "1 change waits")
		got := fmt.Sprint(p.eval(`pauses.slice(0, 10).join(" ")`))
		const longer = "1 2 4 8 16 32 60 60 60 60 60" // the first pause may end before recordPauses
		if !strings.HasPrefix(longer, got) && !strings.HasPrefix(longer[2:], got) {
			p.t.Errorf("pauses %s", got)
		}
	})
	p.test("each try sends the rating once at most", func() {
		// A request that began earlier and the first try may come without a recorded pause.
		const triesWithoutPause = 2
		updates := float64(network.updates.Swap(0))
		if pauses := p.eval("pauses.length").(float64); updates > pauses+triesWithoutPause {
			p.t.Errorf("%v updates with %v pauses", updates, pauses)
		}
	})
	p.test("the rating is sent in the end", func() {
		network.answer.Store(nil)
		p.see(waitingLine, "")
		p.see(waitingCause, "")
		p.seeFlat("4711", "notation", fmt.Sprint(stars))
	})
}

// rateOffline opens the page anew and rates the open flat without a network.
func rateOffline(p *tab, network *interceptor, stars int) {
	p.t.Helper()
	p.reload()
	p.wait(ownStars + " && " + senderIsLoaded)
	network.down.Store(true)
	p.star(stars)
	p.see(waitingCause, noNetwork)
}

// retryUnsaid tests that a change is sent by the next try, without a word, if its flat changes during the first one.
func retryUnsaid(p *tab, network *interceptor) {
	rateOffline(p, network, 4)
	p.eval(recordSaid)
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
	p.beBackOnline()
	p.see(waitingLine, "")
	p.seeFlat("4711", "notation", "4")
	p.see(`said.replaceAll("`+noNetwork+`", "").trim()`, "")
	if !once.Load() {
		p.t.Error("no change was refused")
	}
}

// TestPageRetryNotes tests that notes too are sent again after ever longer pauses, and say what they wait for.
func TestPageRetryNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openIntercepted(t, "#/flat/4711")
	p.wait(isThere(notesField) + " && " + senderIsLoaded)
	p.eval(recordPauses)
	refuse := network.refuse(412, "It has changed.")
	network.answer.Store(&refuse)
	p.test("notes are sent again after ever longer pauses", func() {
		p.enter(notesField, "Mine.")
		p.wait("pauses.length > 7")
		if got := fmt.Sprint(p.eval(`pauses.slice(0, 8).join(" ")`)); got != "1 2 4 8 16 32 60 60" {
			p.t.Errorf("pauses %s", got)
		}
	})
	p.test("the page says what they wait for", func() {
		p.see(waitingLine, "1 change waits")
		p.see(waitingCause, "Not sent yet: It has changed.")
	})
	p.test("the notes are sent in the end", func() {
		network.answer.Store(nil)
		p.see(waitingLine, "")
		p.seeFlat("4711", "notes", "Mine.")
	})
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
		name string
		ask  http.HandlerFunc
	}{
		{"in place of the page", loginPage(200, "")},
		{"by a redirect", loginPage(302, login.URL)},
		{"as a refusal", loginPage(403, "")},
	} {
		p.test(c.name, func() { signInElsewhere(p, network, i+1, c.ask) })
		network.down.Store(true)
		p.test("the page opens without a network, "+c.name, func() {
			p.reload()
			p.wait(ownStars)
		})
		network.down.Store(false)
	}
	p.checkFaults()
}

// signInElsewhere tests what happens to a rating that is made while a proxy asks to sign in.
func signInElsewhere(p *tab, network *interceptor, stars int, ask http.HandlerFunc) {
	p.test("a rating waits", func() {
		network.answer.Store(&ask)
		p.star(stars)
		p.see(waitingLine, "1 change waits")
		p.see(waitingCause, signedOut)
	})
	p.test(`"Sign in" shows the proxy's page`, func() {
		p.click(signInLink)
		p.see("document.title", "Sign in here")
	})
	p.test("the rating is sent afterwards", func() {
		network.answer.Store(nil)
		p.openAnew("/#/flat/4711")
		p.wait(ownStars)
		p.see(waitingLine, "")
		p.seeFlat("4711", "notation", fmt.Sprint(stars))
	})
	p.test("the worker keeps nothing of the proxy's page", func() {
		p.see(`caches.keys().then(async (names) => {
			let foreign = 0;
			for (const name of names) for (const request of await (await caches.open(name)).keys()) {
				const kept = await (await caches.open(name)).match(request);
				const isOwn = request.url.endsWith("/first"); // the page itself keeps this for the worker
				foreign += !isOwn && !kept.headers.has("X-Flats") || (await kept.text()).includes("Sign in here");
			}
			return names.length + " " + foreign;
		})`, "2 0")
	})
}

// TestPageSeparators tests that a flat and a view whose names have a slash can be changed through a proxy that answers
// 400 to an encoded one in a path.
func TestPageSeparators(t *testing.T) {
	onlyWhole(t)
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
	p.test("a flat whose id has a slash is decided on", func() {
		p.importListings(`[{"id": "a/b?c#d%", "title": "Loft", "status": "new"}]`)
		p.typeHash("#/flat/" + url.PathEscape("a/b?c#d%"))
		p.see(heading, "Loft")
		p.setStatus("followed")
		p.see(waitingLine, "")
		p.see(`fetch("api/v1/flats?id=" + encodeURIComponent("a/b?c#d%")).then((answer) => answer.json())
			.then(({data}) => data.status)`, "followed")
	})
	p.test("a view whose name has a slash is saved", func() {
		p.typeHash("#/?q=loft")
		p.saveView("A/B %")
		p.see(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) =>
			data.some(({name}) => name === "A/B %"))`, "true")
	})
	p.checkFaults()
}

// TestPageRefusedOnTheWay tests that a change refused on the way, as a firewall refuses a text, becomes a question, and
// that later changes are sent.
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
	p.wait(ownStars + " && " + senderIsLoaded)
	p.test("a later change is sent", func() {
		p.setStatus("contacted")
		p.star(3)
		p.seeFlat("4711", "notation", "3")
	})
	p.test("the change that is refused is a question that says by what", func() {
		p.wait("(" + waitingTexts + `).includes("proxy, refuses it (403).")`)
	})
	p.test("the refused change can be dropped", func() {
		p.click(lastAnswer)
		p.see(waitingLine, "")
	})
	p.checkFaults()
}

// TestPageNameInAddress tests that the page works under an address with a name and a password, which a proxy asks for.
func TestPageNameInAddress(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openIntercepted(t, "#/")
	ask := network.askPassword("secret")
	network.answer.Store(&ask)
	p.url = strings.Replace(p.url, "http://", "http://me:secret@", 1)
	p.open("", 1280)
	p.test("the list has the flats", func() { p.see(rowCount, "10") })
	p.test("a decision is sent", func() {
		p.followRow(1)
		p.wait(isThere(noticeButton))
		p.see(waitingLine, "")
		p.see(failureCount, "0")
	})
	p.checkFaults()
}

// answerCuts are ways in which something may change an answer so that it cannot be read.
var answerCuts = []struct {
	name string
	cut  func(*http.Response)
}{
	{"cut", func(answer *http.Response) { setBody(answer, strings.NewReader(`{"data": {"id"`)) }},
	{"empty", func(answer *http.Response) { setBody(answer, strings.NewReader("")) }},
	{"without content", func(answer *http.Response) {
		answer.StatusCode = http.StatusNoContent
		setBody(answer, strings.NewReader(""))
	}},
}

// TestPageCutAnswers tests that an answer that was cut or emptied on the way counts as none: a change waits and is sent
// again, and a view says that there is no network. An address with a stray percent sign names no flat.
func TestPageCutAnswers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 1280)
	for i, c := range answerCuts {
		p.wait(ownStars)
		inAPI := func(answer *http.Response) {
			if strings.Contains(answer.Request.URL.Path, "/api/") {
				c.cut(answer)
			}
		}
		network.change.Store(&inAPI)
		p.test("a change waits while answers are "+c.name, func() {
			p.star(i + 1)
			p.see(waitingLine, "1 change waits")
		})
		p.test("a view says that there is no network while answers are "+c.name, func() {
			p.typeHash("#/prices")
			p.wait(`/no network/i.test(` + mainWords + `)`)
		})
		network.change.Store(nil)
		p.test("the change is sent once they are whole, after they were "+c.name, func() {
			p.typeHash("#/flat/4711")
			p.beBackOnline()
			p.see(waitingLine, "")
			p.seeFlat("4711", "notation", fmt.Sprint(i+1))
		})
	}
	p.test("an address with a stray percent sign names no flat", func() {
		p.typeHash("#/flat/%")
		p.wait(`/No flat with id %/.test(` + mainWords + `)`)
	})
}

// loseAnswer replaces an answer by that of a proxy that cannot reach the service.
func loseAnswer(answer *http.Response) {
	answer.StatusCode = http.StatusBadGateway
	answer.Header = http.Header{}
	setBody(answer, strings.NewReader(""))
}

// TestPageAskedLate tests that a decision does not wait long for the answer to what it would replace. It is shown,
// waits, and is compared with decisions made elsewhere meanwhile.
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
	ids := strings.Split(fmt.Sprint(p.eval(rowIDs)), ",")
	p.test("the service gets the first decision without a question", func() {
		p.eval(`window.limits = [];
			AbortSignal.timeout = ((timeout) => (ms) => { limits.push(ms); return timeout(ms); })(AbortSignal.timeout)`)
		p.dismissRow(1)
		p.see(`limits.includes(1_500)`, "true")
		p.see(rowCount, "9")
		p.see(waitingLine, "")
		p.seeFlat(ids[0], "status", "ignored")
	})
	p.test("a decision that would replace one made elsewhere is a question", func() {
		p.changeElsewhere(ids[1], `{"status": "contacted"}`)
		p.dismissRow(1)
		p.see(answersOffered, "Keep mine Keep the other one")
		p.seeFlat(ids[1], "status", "contacted")
		if asked.Load() != 2 {
			p.t.Errorf("the page asked %d times what it replaces; want 2", asked.Load())
		}
	})
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

// TestPageArrived tests that a change whose answer was lost is not repeated over a later one, whatever its value, and
// asks nothing.
func TestPageArrived(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/flat/d", 1280)
	p.wait(ownStars)
	p.load("parts/steps")
	p.eval(recordPauses)
	mark := func(status string) func() { return func() { p.setStatus(status) } }
	rate := func() { p.press("4") }
	enter := func(field, value string) func() { return func() { p.enter(field, value) } }
	setStep := func() { p.eval(`void steps.setStep("d", "Call", "2031-01-01")`) }
	for _, c := range []struct {
		name                 string
		act                  func()
		id, elsewhere, field string
		want                 string
	}{
		{"a status, set back", mark("contacted"), "d?by=Ben", `{"status": "new"}`, "status", `"new"`},
		{"a status, set further", mark("applied"), "d?by=Ben", `{"status": "visited"}`, "status", `"visited"`},
		{"a rating, taken back", rate, "d?by=Ann", `{"rating": null}`, "ratings", "null"},
		{"a rating, changed", rate, "d?by=Ann", `{"rating": 2}`, "ratings", `{"Ann":2}`},
		{"a visit", enter(visitField, "2031-12-08T10:00"), "d", `{"visit_date": null}`, "visit_date", "null"},
		{"a next step", setStep, "d", `{"next_step": null}`, "next_step", "null"},
		{"notes", enter(notesField, "Mine."), "d", `{"notes": null}`, "notes", "null"},
	} {
		p.test(c.name, func() {
			loseFirst(p, network, c.act, func() { patchElsewhere(t, network, c.id, c.elsewhere) })
			p.see(findField("d", c.field), c.want)
			p.see(questionCount, "0")
		})
	}
	p.see(notesValue, "")
	p.test("a change that was under way when the page was closed", func() { closeUnderWay(p, network) })
	p.checkFaults()
}

// loseFirst makes a change on the page and loses the first answer. Before the page sends the change again, for which
// loseFirst waits, others change something.
func loseFirst(p *tab, network *proxy, act, elsewhere func()) {
	p.t.Helper()
	var updates atomic.Int32
	lose := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" && updates.Add(1) == 1 {
			elsewhere()
			loseAnswer(answer)
		}
	}
	network.change.Store(&lose)
	act()
	p.until(func() bool { return updates.Load() > 1 }, func() string { return "the change is not sent again" })
	p.see(waitingLine, "")
	network.change.Store(nil)
}

// closeUnderWay tests that a decision is not repeated if the page is closed before it gets the service's answer.
func closeUnderWay(p *tab, network *proxy) {
	p.opens("#/triage")
	id := fmt.Sprint(p.eval(cardID))
	gate := make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	p.t.Cleanup(release)
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
	patchElsewhere(p.t, network, id, `{"status": "new"}`)
	p.see(waitingCount, "1")
	p.reload()
	release()
	p.wait(waitingCount + ` === 0`)
	p.see(findField(id, "status"), `"new"`)
}

// TestPageLists tests that "Same home", "Not the same" and a new link, and their Undo, keep what another device or an
// import has added to the lists of the flat since the view was opened, with and without a network.
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
	p.wait(isThere(groupCard))
	patchElsewhere(t, network, "a@s", `{"merged_ids": ["x@s"], "not_duplicates": ["y@s"]}`)
	p.test(`"Same home" adds to what another device has added`, func() {
		p.tickHomes("A", "C")
		p.click(sameHome)
		p.see(listsOfA, `[["c@s","x@s"],["y@s"]]`)
	})
	p.test("Undo of \"Same home\" takes back nothing else", func() {
		patchElsewhere(p.t, network, "a@s", `{"merged_ids": ["c@s", "x@s", "z@s"]}`)
		p.undo()
		p.see(listsOfA, `[["x@s","z@s"],["y@s"]]`)
	})
	p.test(`"Not the same" without a network adds to it once there is one`, func() {
		p.reload()
		p.wait(isThere(groupCard))
		patchElsewhere(p.t, network, "a@s", `{"not_duplicates": ["y@s", "x@s"]}`)
		network.down.Store(true)
		p.tickHomes("A", "D")
		p.click(notTheSame)
		p.see(waitingLine, "2 changes wait")
		network.down.Store(false)
		p.beBackOnline()
		p.see(waitingLine, "")
		p.see(listsOfA, `[["x@s","z@s"],["y@s","d@s","x@s"]]`)
		p.see(questionCount, "0")
	})
	p.test("a link that is corrected keeps one that an import brings meanwhile", func() { correctLink(p, network) })
}

// correctLink corrects the first link of the flat A while another device adds one.
func correctLink(p *tab, network *proxy) {
	p.goTo("#/flat/a%40s", editButton)
	p.click(editButton)
	p.wait(isThere(editField("link")))
	patchElsewhere(p.t, network, "a@s", `{"urls": ["https://s.example/10001", "https://s.example/10002",
		"https://s.example/10003"]}`)
	p.enter(editField("link"), "https://s.example/90009")
	p.click(saveEdit)
	p.seeFlat("a@s", "urls", "https://s.example/90009,https://s.example/10002,https://s.example/10003")
}

// listsOfA has the lists of the flat A.
const listsOfA = `fetch("api/v1/flats/a@s").then((answer) => answer.json()).then(({data}) =>
	JSON.stringify([data.merged_ids, data.not_duplicates ?? null]))`
