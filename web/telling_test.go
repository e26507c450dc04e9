// Tests of push messages: turning them on, and what the worker does with a message.

package web

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// pushKeys are the keys of a browser that takes push messages: those of the example of RFC 8291.
const pushKeys = `{p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
	auth: "BTBZMqHH6r4Tts7J_aSIgg"}`

// pushStub stands for the browser's push service, which needs a network. Its state is in sessionStorage, because the
// page is reloaded.
const pushStub = `
	PushManager.prototype.subscribe = async function (options) {
		if (sessionStorage.pushFails) throw new DOMException("no push service", "AbortError");
		sessionStorage.pushKey = options.applicationServerKey;
		sessionStorage.subscribed = "https://push.example/secret";
		return this.getSubscription();
	};
	PushManager.prototype.getSubscription = async () => sessionStorage.subscribed ? {
		unsubscribe: async () => { delete sessionStorage.subscribed; return true; },
		toJSON: () => ({endpoint: sessionStorage.subscribed, expirationTime: null, keys: ` + pushKeys + `}),
	} : null;`

// allowMessages answers for the user when the page, once it is loaded again, asks to show messages.
func (p *tab) allowMessages(answer string) {
	p.t.Helper()
	p.runFirst(pushStub + `
		Object.defineProperty(Notification, "permission", {get: () => sessionStorage.permission ?? "default"});
		Notification.requestPermission = async () => sessionStorage.permission = ` + encode(answer))
}

// TestPageTellDevice tests that a device gets messages after one press, and how it is listed.
func TestPageTellDevice(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 320} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p := openSettings(t, startNew(t), "messages", width)
			p.test("a browser without push messages says so", func() {
				p.see(text(devicesPart+" .soft"), "This browser takes no messages of pages that are closed.")
			})
			p.allowMessages("granted")
			p.startWorker()
			p.wait(isThere(tellDevice))
			p.test("one press asks the browser and adds the device", func() {
				p.see(text(devicesPart+" .soft"), "The browser asks you first. Its maker’s push service (of Google, Mozilla, "+
					"Apple or Microsoft) carries the messages, and cannot read them.")
				p.click(tellDevice)
				p.see(text(devicesPart+" > p"), "This device is told · no message yet")
				p.see(textsOf(devicesPart+" li b"), "Chrome · Linux")
				p.see(textsOf(devicesPart+" li .soft"), "this device")
				p.see(`fetch("api/v1/push").then((answer) => answer.json())
					.then(({data}) => data.key === sessionStorage.pushKey && data.devices.length)`, "1")
			})
			p.test("an error stands at the device and in words", func() {
				p.click(testDevice)
				p.wait(text(devicesPart+" [role=status]") + `?.includes("The message was not taken: push.example")`)
				p.see(`document.body.innerText.includes("secret")`, "false")
			})
			p.test("the device is still told after a reload", func() {
				p.reload()
				p.see(text(devicesPart+" > p"), "This device is told · no message yet")
			})
			p.test("another device sees it, and can remove it", func() {
				other := p.openOther("#/settings/messages")
				other.see(text(devicesPart+" > p"), "1 other device is told")
				other.see(textsOf(devicesPart+" li .soft"), "no message yet")
				other.click(removeDevice)
				other.see(count(devicesPart+" li"), "0")
				other.see(text(devicesPart+" [role=status]"), "“Chrome · Linux” is removed")
				p.comeBackUntil(isThere(tellDevice))
			})
			p.test("what the browser refuses is said, and nothing is added", func() {
				p.eval("sessionStorage.pushFails = true")
				p.eval("delete sessionStorage.subscribed")
				p.click(tellDevice)
				p.see(text(devicesPart+" [role=status]"),
					"That did not work: The browser’s push service cannot be reached: no push service")
				p.eval(`sessionStorage.permission = "denied"`)
				p.reload()
				p.see(text(devicesPart+" .soft"), "This browser was told to show no messages of this page: allow them in its "+
					"settings for the page.")
			})
			p.test("nothing is wider than the window", func() { p.see(fitsAcross, "true") })
			p.checkFaults()
		})
	}
}

// TestPageToldLast tests that the section says when this device last got a message, and what has failed since then.
func TestPageToldLast(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startNew(t), "#/settings/messages", 390)
	p.allowMessages("granted")
	p.startWorker()
	p.wait(isThere(tellDevice))
	p.click(tellDevice)
	p.see(text(devicesPart+" > p"), "This device is told · no message yet")
	now := browserNow()
	last := time.Date(now.Year(), now.Month(), now.Day()-1, 18, 2, 0, 0, now.Location())
	change := func(answer *http.Response) {
		if answer.Request.Method == "GET" && strings.HasSuffix(answer.Request.URL.Path, "/push") {
			body, _ := io.ReadAll(answer.Body)
			text := strings.NewReplacer(`"last":null`, `"last":"`+last.UTC().Format(time.RFC3339)+`"`,
				`"error":null`, `"error":"push.example answered 503 Service Unavailable"`).Replace(string(body))
			setBody(answer, strings.NewReader(text))
		}
	}
	network.change.Store(&change)
	p.reload()
	p.see(text(devicesPart+" > p"), "This device is told · last message yesterday 18:02")
	p.see(text(devicesPart+" li .wrong"), "Failed since then: push.example answered 503 Service Unavailable")
	p.checkFaults()
}

// TestPageTellAtBell tests that the first bell offers messages on this device.
func TestPageTellAtBell(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}]`, "", 1280)
	p.eval(`fetch("api/v1/views/All", {method: "PUT", body: '{"query": ""}'}).then((answer) => answer.text())`)
	p.allowMessages("granted")
	p.startWorker()
	p.ringBell(1)
	p.see(notice, "No messages can be sent yet")
	p.see(textsOf(".notice button:not(.close)"), "Tell this device")
	p.click(".notice button:not(.close)")
	p.see(notice, "This device is told")
	p.see(`fetch("api/v1/push").then((answer) => answer.json()).then(({data}) => data.devices.length)`, "1")
	p.ringBell(1)
	p.see(bells, "Tell me: All: false")
	p.ringBell(1)
	p.see(bells, "Tell me: All: true")
	p.see(notice, "You will be told about “All”")
	p.checkFaults()
}

// TestPageTellObstacles tests what the page says if a device cannot get messages.
func TestPageTellObstacles(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "", 390)
	p.load("parts/telling")
	const install = "An iPhone is told once the page is on its home screen: press Share in Safari, then “Add to Home " +
		"Screen”, and open it from there."
	const unknown = "This browser takes no messages of pages that are closed."
	const able = `PushManager: 1, navigator: {userAgent: "x", serviceWorker: 1}`
	for _, c := range []struct{ browser, want string }{
		{`isSecureContext: false, navigator: {userAgent: "iPhone"}`,
			"Over http this device cannot be told: open the page by https."},
		{`isSecureContext: true, navigator: {userAgent: "iPhone"}`, install},
		{`isSecureContext: true, navigator: {userAgent: "Macintosh", maxTouchPoints: 5}`, install},
		{`isSecureContext: true, navigator: {userAgent: "iPhone", standalone: true}`, unknown},
		{`isSecureContext: true, navigator: {userAgent: "Macintosh", maxTouchPoints: 0}`, unknown},
		{`isSecureContext: true, Notification: {permission: "denied"}, ` + able,
			"This browser was told to show no messages of this page: allow them in its settings for the page."},
		{`isSecureContext: true, Notification: {permission: "default"}, ` + able, ""},
	} {
		p.see("telling.obstacle({"+c.browser+"})", c.want)
	}
	p.checkFaults()
}

// A target is something to which DevTools can attach.
type target struct{ TargetId, Type, URL string }

// target waits for a target of a kind at the address of the tab.
func (p *tab) target(kind string) (found target) {
	p.t.Helper()
	p.until(func() bool {
		var all struct{ TargetInfos []target }
		p.call(p.t, "", "Target.getTargets", object{}, &all)
		i := slices.IndexFunc(all.TargetInfos, func(one target) bool {
			return one.Type == kind && strings.HasPrefix(one.URL, p.url)
		})
		if i >= 0 {
			found = all.TargetInfos[i]
		}
		return i >= 0
	}, func() string { return "there is no " + kind })
	return found
}

// attachWorker returns the worker of the page, in which expressions can be evaluated as in a tab.
func (p *tab) attachWorker() *tab {
	p.t.Helper()
	var attached struct{ SessionId string }
	id := p.target("service_worker").TargetId
	p.call(p.t, "", "Target.attachToTarget", object{"targetId": id, "flatten": true}, &attached)
	return &tab{browser: p.browser, t: p.t, url: p.url, session: attached.SessionId}
}

// notifications stands for the system's notifications, which a browser without a screen lacks. A notification replaces
// an earlier one with the same tag.
const notifications = `
	self.shown = [];
	ServiceWorkerRegistration.prototype.showNotification = async (title, options) => {
		const {body, tag, data} = options;
		const one = {title, body, tag, data, close: () => { shown = shown.filter((other) => other !== one); }};
		shown = [...shown.filter((other) => tag === undefined || other.tag !== tag), one];
	};
	navigator.setAppBadge = async (n) => { self.badge = n };
	0`

// messagesShown are the messages that the worker shows.
const messagesShown = `shown.map(({title, body, tag}) => title + "|" + (body ?? "") + "|" + (tag ?? "")).join(";")`

// TestPageMessages tests what the worker does with messages.
func TestPageMessages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a@s", "title": "Loft"}]`, "", 1280)
	registrations := make(chan string, 99)
	p.mu.Lock()
	p.events[p.session] = func(event devtoolsReply) {
		for _, r := range event.Params.Registrations {
			registrations <- r.RegistrationId
		}
	}
	p.mu.Unlock()
	p.startWorker()
	p.do("ServiceWorker.enable", nil)
	var registration string
	select {
	case registration = <-registrations:
	case <-time.After(patience):
		t.Fatal("no worker is registered")
	}
	deliver := func(data string) {
		t.Helper()
		p.do("ServiceWorker.deliverPushMessage", object{"origin": p.url, "registrationId": registration, "data": data})
	}
	worker := p.attachWorker()
	message := func(title, link, tag string, badge int) string {
		return encode(object{"title": title, "text": "New: Loft, €1,240", "link": link, "tag": tag, "badge": badge})
	}
	worker.eval(notifications)
	p.test("a message is shown, with its badge", func() {
		deliver(message("All: 1 new", p.url+"/#/flat/a@s", "t1", 3))
		worker.see(messagesShown, "All: 1 new|New: Loft, €1,240|t1")
		worker.see("self.badge", "3")
	})
	p.test("a newer message about the view takes its place", func() {
		deliver(message("All: 2 new", p.url+"/#/flat/a@s", "t1", 5))
		deliver(message("Other: 1 new", "https://elsewhere.example/", "t2", 6))
		worker.see(messagesShown, "All: 2 new|New: Loft, €1,240|t1;Other: 1 new|New: Loft, €1,240|t2")
		worker.see("self.badge", "6")
	})
	p.test("a message that cannot be read is shown as a sentence without content", func() {
		worker.eval("shown = []; 0")
		for i, data := range []string{"secret", `["secret"]`, `{"title": 5, "text": "secret"}`, "null", `""`, ""} {
			deliver(data)
			worker.see(messagesShown, strings.TrimPrefix(strings.Repeat(";There is news||", i+1), ";"))
		}
	})
	press := func(tag string) {
		t.Helper()
		worker.eval(`dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"),
			{notification: shown.find(({tag}) => tag === ` + encode(tag) + `)})); 0`)
	}
	worker.eval("shown = []; 0")
	deliver(message("All: 2 new", p.url+"/#/flat/a@s", "t1", 5))
	deliver(message("Other: 1 new", "https://elsewhere.example/", "t2", 6))
	p.test("a press opens its link in the window that is there", func() {
		worker.see(messagesShown, "All: 2 new|New: Loft, €1,240|t1;Other: 1 new|New: Loft, €1,240|t2")
		p.eval("window.same = true")
		press("t1")
		p.see(hash, "#/flat/a@s")
		p.see(heading, "Loft")
		p.see("window.same", "true")
		worker.see(messagesShown, "Other: 1 new|New: Loft, €1,240|t2")
	})
	p.test("a link that leads elsewhere is not opened", func() {
		press("t2")
		worker.see(messagesShown, "")
		p.see("location.origin", p.url)
		p.see(hash, "#/flat/a@s")
	})
	p.test("a press opens a window where there is none", func() {
		worker.eval(`clients.matchAll = async () => []; clients.openWindow = async (url) => { self.opened = url }; 0`)
		for link, want := range map[string]string{
			p.url + "/#/today": p.url + "/#/today", "https://elsewhere.example/": p.url + "/", "javascript:0": p.url + "/",
			"": p.url + "/", p.url + ".example/": p.url + "/",
		} {
			deliver(message("x", link, "t4", 1))
			worker.wait("shown.length === 1")
			press("t4")
			worker.see("self.opened", want)
			worker.see(messagesShown, "")
			worker.eval("opened = null")
		}
	})
	p.test("a device that has forgotten all shows no content", func() {
		p.eval(`caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))`)
		deliver(message("All: 1 new", p.url+"/", "t3", 1))
		worker.see(messagesShown, "There is news||")
	})
	if faults := fmt.Sprint(p.eval("faults.join()")); strings.Contains(faults, "policy") {
		t.Error(faults)
	}
}
