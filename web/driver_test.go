// What a test does in a tab, and sees there.

package web

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// checkAxe reports what axe-core finds wrong in the light and the dark scheme. It does nothing unless the environment
// variable FLATS_AXE has the path of axe.min.js.
func (p *tab) checkAxe(what string) {
	p.t.Helper()
	path := os.Getenv("FLATS_AXE")
	if path == "" {
		return
	}
	if p.eval("window.axe === undefined") == true {
		p.eval(readFile(p.t, path) + "; 0")
	}
	// The dark scheme differs only in its colours.
	for scheme, rules := range map[string]string{
		"light": `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`,
		"dark":  `{type: "rule", values: ["color-contrast"]}`,
	} {
		p.do("Emulation.setEmulatedMedia",
			object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
		got := p.eval(`axe.run({runOnly: ` + rules + `, resultTypes: ["violations"]}).then(({violations}) =>
			violations.map(({id, nodes}) => id + ": " + nodes.map(({target, failureSummary}) =>
				target + " " + failureSummary)).join("\n"))`)
		if got != "" {
			p.t.Errorf("%s, %s: %s", what, scheme, got)
		}
	}
}

// checkReach reports each control that something else covers at its middle. It leaves out the dots of the scatter plot,
// which may lie on each other because a press opens the nearer one, and the link past the bar (#skip), which is shown
// only while it has the focus.
func (p *tab) checkReach(what string) {
	p.t.Helper()
	got := p.eval(`[...(document.querySelector("dialog[open], :popover-open, .rest:not([hidden])") ?? document)
		.querySelectorAll("a[href], button, select, input, textarea, summary, label, .circle, [tabindex='0']")]
		.filter((control) => control.checkVisibility() && control.getBoundingClientRect().width > 0)
		.filter((control) => !control.matches(":disabled, #skip, .scatter a, [inert] *"))
		.map((control) => [control.outerHTML.slice(0, 80), middleOf(control).cover])
		.filter(([, cover]) => cover).map(([control, cover]) => control + " lies under " + cover).join("\n")`)
	if got != "" {
		p.t.Errorf("%s: %s", what, got)
	}
}

// badLooks has what checkLooks reports, a line for each fault.
const badLooks = `(() => {
	const top = document.querySelector("dialog[open], :popover-open, .rest:not([hidden])");
	const seen = (selector) => [...(top ?? document).querySelectorAll(selector)].filter((element) =>
		element.checkVisibility() && element.getBoundingClientRect().width > 0 && !element.matches(".sr, [inert] *"));
	const name = (element) => element.outerHTML.replace(/<svg.*?<\/svg>/g, "").slice(0, 100);
	const wrong = [];

	const probe = document.body.appendChild(document.createElement("i"));
	probe.style.color = "var(--accent)";
	const accent = getComputedStyle(probe).color;
	probe.remove();
	const filled = seen("button:not([aria-pressed], #fresh *), .button").filter((button) =>
		getComputedStyle(button).backgroundColor === accent);
	if (filled.length > 1) wrong.push("filled: " + filled.map(name).join(" and "));

	// A heading is nearer to what it heads than to what stands above it, which is at least 8 pixels away. Headings of
	// cards and rows are left out.
	const headings = top ? [] : seen("main > section h1, main h2:not(.card *, .row *, .behind *, dialog *)");
	for (const heading of headings) {
		const {top, bottom, left, right} = heading.getBoundingClientRect();
		const hasWords = ({childNodes}) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim());
		const others = seen("main :not(option, svg *)").filter((other) => !other.contains(heading) &&
			!heading.contains(other) && (other.children.length === 0 || other.matches("svg") || hasWords(other)));
		const beside = others.map((other) => other.getBoundingClientRect()).filter((box) =>
			box.left < right && box.right > left);
		const above = Math.min(...beside.filter((box) => box.bottom <= top + 1).map((box) => top - box.bottom));
		const below = Math.min(...beside.filter((box) => box.top >= bottom - 1).map((box) => box.top - bottom));
		if (above < 8 || below > above + 1) wrong.push(name(heading) + " is " + above + " below, " + below + " above");
	}

	const targets = innerWidth >= 900 ? [] : seen("a[href], button, select, input, textarea, summary").filter((target) =>
		!target.matches(":disabled, #skip, .scatter a"));
	for (const target of targets) {
		if (!middleOf(target).cover) target.scrollIntoView({block: "center", inline: "center"});
		const {x, y} = middleOf(target);
		const own = [...partsOf(target), target.closest(".range, label:has(select)")].filter(Boolean);
		// reach returns how many pixels from the middle, in one direction, a press still hits the target. It measures up
		// to 44 pixels, in long steps first, because each pixel takes the browser time.
		const reach = (across, down) => {
			let pixels = 0;
			const hits = (n) => {
				const hit = document.elementFromPoint(x + across * n, y + down * n);
				return own.some((part) => part.contains(hit));
			};
			for (const step of [20, 8, 4, 1]) while (pixels < 44 && hits(pixels + step)) pixels += step;
			return pixels;
		};
		const width = reach(-1, 0) + 1 + reach(1, 0), height = reach(0, -1) + 1 + reach(0, 1);
		if (Math.min(width, height) < 44) wrong.push(name(target) + " has " + width + " × " + height);
	}
	return wrong.join("\n");
})()`

// checkLooks reports a second filled button, and headings that stand nearer to what is above them than to what they
// head. Where the page is as narrow as a phone, it also reports targets of less than 44 pixels each way; the padding of
// a target and its label count.
func (p *tab) checkLooks(what string) {
	p.t.Helper()
	got := p.eval(badLooks)
	if got != "" {
		p.t.Errorf("%s: %s", what, got)
	}
}

// showAll shows each view, what opens in it, and what floats above it, one after the other. It calls check when one is
// shown, with a name of it.
func (p *tab) showAll(check func(what string)) {
	p.t.Helper()
	p.showViews(check)
	p.showOverList(check)
	p.showFlat(check)
	p.showDialogs(check)
}

// showViews shows each view.
func (p *tab) showViews(check func(what string)) {
	p.t.Helper()
	p.importListings(`[{"id": "x", "title": "X", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
		{"id": "y", "title": "Y", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"}]`)
	for _, view := range []struct{ hash, last string }{ // last is a selector of what is drawn last
		{"#/", ".foot .end:not(:empty)"},
		{"#/?q=balcon&cost=1..900&sort=cost", ".chips .chip"},
		{"#/?q=apartmnet", ".elsewhere li"},
		{"#/flat/4711", ".others"},
		{"#/today", ":is(.due, .empty)"},
		{"#/triage", ".card h2 a"},
		{"#/visits", ".day"},
		{"#/compare/4711,lyon-1042%40example", ".side-by-side"},
		{"#/duplicates", ".groups article"},
		{"#/map", ".circle"},
		{"#/prices", ".scatter a"},
		{"#/import", ".log li"},
		{"#/settings", "#settings-access .told p"},
		{"#/start", ".step-line"},
		{"#/add", "form"},
		{"#/", ".foot .end:not(:empty)"}, // in between: from one address of Add to the next the view would stay
		{"#/add?title=3+Zi.&url=https://example.org/1&text=900+%E2%82%AC", "form"},
	} {
		p.goTo(view.hash, view.last)
		p.rest(forDrawing) // a view may come in parts
		check(view.hash)
	}
}

// showOverList shows what opens in the map, in Import, and in the list.
func (p *tab) showOverList(check func(what string)) {
	p.t.Helper()
	p.blockTiles()
	p.goTo("#/map", ".circle")
	p.click(streetsLook)
	p.wait(`document.querySelector(".credit a")`)
	check("the map with streets")
	p.goTo("#/import", ".log li")
	p.click(".import [type=checkbox]")
	check("an import of everything")
	p.goTo("#/", ".foot .end:not(:empty)")
	p.click("[popovertarget=search-help]")
	p.wait(`document.querySelector("#search-help:popover-open")`)
	check("the help of the search")
	p.click("[popovertarget=search-help]")
	p.chooseRow(1)
	p.wait(`document.querySelector("#chosen:not(:empty)")`)
	p.dismissRow(1)
	p.wait(`document.querySelector(".notice")`)
	p.click(".toggle")
	p.wait(`document.querySelector(".panel [type=checkbox]")`)
	check("the list with its filters and a notice")
	p.click(".further")
	check("more filters")
	p.pressTool(saveThisView)
	p.wait(`document.querySelector(".naming[open]")`)
	check("the name of a view")
	p.key("Escape")
	p.wait(`!document.querySelector(".naming")`)
}

// showFlat shows the menu, the keys, and what opens in the view of a flat.
func (p *tab) showFlat(check func(what string)) {
	p.t.Helper()
	p.click(".menu")
	p.wait(`document.querySelector("#menu:popover-open")`)
	check("the menu")
	p.press("?")
	p.wait(`document.querySelector("#help[open]")`)
	check("the keys")
	p.eval(`document.querySelector("#help").close()`)
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH",
		body: '{"cost": 700, "phone": "0199", "photos": ["https://127.0.0.1:1/1", "https://127.0.0.1:1/2"]}'})`)
	p.goTo("#/flat/4711", ".strip") // the photos are in the answer
	p.eval(`document.querySelectorAll(".notice .close").forEach((button) => button.click())`)
	p.click(".edit")
	p.enter("[name=rooms]", "two")
	p.enter("[name=title]", "")
	check("a flat with its fields")
	p.click(".editing > .line [type=button]")
	p.wait(`!document.querySelector(".editing")`)
	p.click(".own [popovertarget]")
	p.wait(`document.querySelector("#statuses:popover-open")`)
	check("the menu of the statuses")
	p.key("Escape")
	p.wait(`!document.querySelector("#statuses:popover-open")`)
	p.click(".notes .line button")
	p.see(`document.querySelector("#saved").innerText`, "Saved")
	check("a flat with its checklist")
}

// showDialogs shows the notes of a visit, the photos and the message of a flat, and the questions about a decision and
// about notes that were changed elsewhere, too.
func (p *tab) showDialogs(check func(what string)) {
	p.t.Helper()
	p.goTo("#/visits", ".day")
	p.click(".day .card [aria-expanded]")
	p.wait(`document.querySelector(".day .notes")`)
	check("the notes of a visit")
	p.goTo("#/flat/4711", ".strip")
	p.click(".gallery .frame")
	p.wait(`document.querySelector(".photos[open]")`)
	check("the photos")
	p.key("Escape")
	p.wait(`!document.querySelector(".photos")`)
	p.click(".contact button")
	p.wait(`document.querySelector(".message[open]")`)
	check("a message")
	p.key("Escape")
	p.eval(`localStorage[keptAs("flats.waiting")] = JSON.stringify([
		{key: 1, id: "4711", name: "notation", was: null, set: 2, theirs: 4, title: "Loft"}])`)
	p.eval(`localStorage[keptAs("flats.notes.4711")] = JSON.stringify({text: "Ours.", base: "Old.", other: "Theirs."})`)
	p.reload()
	p.wait(`document.querySelector(".questions button") && document.querySelector(".versions button")`)
	check("a question")
}

// A tab is a tab of the browser that shows the page of a program.
type tab struct {
	*browser
	t        *testing.T
	isClosed bool // by close
	session  string
	url      string // the URL of the page, without a slash at the end
}

// openTab starts the program with flats, given as JSON, or with the sample if flats is "", and opens its page at a hash
// in a tab of a width in pixels (see resize). The test fails at its end if the page had errors.
func openTab(t *testing.T, flats, hash string, width int) *tab {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t}
	if flats == "" {
		p.url = startSample(t)
	} else {
		p.url = start(t, flats)
	}
	p.open(hash, width)
	p.checkAtEnd()
	return p
}

// openThroughProxy opens the page of a running program, given by its URL, at a hash in a tab of a width in pixels. It
// returns the proxy, too, through which the tab reaches the program.
func openThroughProxy(t *testing.T, program, hash string, width int) (*tab, *proxy) {
	t.Helper()
	p := &tab{browser: openBrowser(t), t: t}
	network, url := newProxy(t, program)
	p.url = url
	p.open(hash, width)
	p.checkAtEnd()
	return p, network
}

// open opens the page in a new browser context, which shares no storage with
// others, as if it were another device.
func (p *tab) open(hash string, width int) {
	p.t.Helper()
	p.openDevice(hash, width)
	p.wait(`document.querySelector("main > section h1")`)
}

// openDevice opens a path in a new browser context. The path need not show the page.
func (p *tab) openDevice(path string, width int) {
	p.t.Helper()
	var context struct{ BrowserContextId string }
	p.call(p.t, "", "Target.createBrowserContext", object{}, &context)
	p.t.Cleanup(func() {
		p.call(p.t, "", "Target.disposeBrowserContext", object{"browserContextId": context.BrowserContextId}, nil)
	})
	p.openPath(object{"browserContextId": context.BrowserContextId}, path, width)
}

// tabScript is what each page of a test has before its own scripts.
const tabScript = `
	// checkFaults reports these faults.
	window.faults = [];
	// keptAs returns the name under which the page keeps something in the browser, as in lib/service.js.
	window.keptAs = (name) => new URL("./", document.baseURI).pathname + " " +
		document.querySelector("meta[name=flats-data]").content + " " + name;
	// keptIn returns the entries of a list that the page keeps, as in lib/keptlists.js.
	window.keptIn = (list) => Object.keys(localStorage).filter((name) => name.startsWith(keptAs(list + ".")))
		.map((name) => JSON.parse(localStorage[name])).sort((a, b) => a.at - b.at);
	// databaseName returns the name of the page's database, as in lib/storage.js.
	window.databaseName = () => new URL("./", document.baseURI).pathname + " flats";
	// partsOf returns an element and its labels, which a press may hit instead.
	window.partsOf = (element) => [element, ...element.labels ?? []];
	addEventListener("error", (e) => faults.push(e.message || "failed to load " + e.target?.src));
	addEventListener("securitypolicyviolation", (e) =>
		faults.push("policy: " + e.blockedURI + " " + e.violatedDirective));
	// middleOf returns the middle of an element, which it scrolls into sight, and what covers it there, if
	// anything does.
	window.middleOf = (element) => {
		const own = partsOf(element);
		const find = () => {
			const {left, top, width, height} = [...element.getClientRects()].find(({width}) => width > 0) ??
				element.getBoundingClientRect();
			const [x, y] = [left + width / 2, top + height / 2];
			const hit = document.elementFromPoint(x, y);
			return {x, y, hit, isFree: own.some((part) => part.contains(hit))};
		};
		if (!find().isFree) element.scrollIntoView({block: "center", inline: "center"});
		const {x, y, hit, isFree} = find();
		return {x, y, cover: isFree ? "" : hit?.outerHTML.slice(0, 80) ?? "nothing"};
	};
	// Notices count the seconds until they leave by timers of one second. Such timers run only when a test calls letPass:
	// otherwise, on a busy machine, a notice might leave before the test looks for it.
	{
		const set = setTimeout;
		let waiting = [];
		window.setTimeout = (act, ms, ...rest) => {
			if (ms !== 1000) return set(act, ms, ...rest);
			waiting.push(() => act(...rest));
			return 0;
		};
		window.pass = (seconds) => {
			for (let i = 0; i < seconds; i++) {
				const now = waiting;
				waiting = [];
				for (const act of now) act();
			}
		};
	}
	// clickOn sets aim to a function that returns the element to click. clicked says whether the last click hit that
	// element. A click that missed does nothing: whatever moved under it might open another view.
	window.aim = () => null;
	addEventListener("click", (event) => {
		if (!event.isTrusted) return;
		const aimed = aim();
		window.aim = () => null;
		window.clicked = !aimed || partsOf(aimed).some((part) => part.contains(event.target));
		if (clicked) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	}, {capture: true});
	// Only tests that ask for the service worker get one.
	try { if (!sessionStorage.worker) delete Navigator.prototype.serviceWorker; } catch {}`

// openIn opens the page in a browser context, or in the context of the profile if context is empty.
func (p *tab) openIn(context object, hash string, width int) {
	p.t.Helper()
	p.openPath(context, hash, width)
	p.wait(`document.querySelector("main > section h1")`)
}

// openPath opens a path in a browser context, as openIn does, but the path need not show the page.
func (p *tab) openPath(context object, path string, width int) {
	p.t.Helper()
	var target struct{ TargetId string }
	context["url"] = "about:blank"
	p.call(p.t, "", "Target.createTarget", context, &target)
	var attached struct{ SessionId string }
	p.call(p.t, "", "Target.attachToTarget", object{"targetId": target.TargetId, "flatten": true}, &attached)
	p.session = attached.SessionId
	p.resize(width)
	p.do("Page.enable", nil)
	p.runFirst(tabScript)
	p.do("Page.navigate", object{"url": p.url + "/" + path})
}

// openOther opens the page as another device would.
func (p *tab) openOther(hash string) *tab {
	p.t.Helper()
	other := &tab{browser: p.browser, t: p.t, url: p.url}
	other.open(hash, 1280)
	return other
}

// goTo opens the view of a hash, and waits until a selector finds something in it.
func (p *tab) goTo(hash, selector string) {
	p.t.Helper()
	p.eval("location.hash = " + encode(hash))
	p.wait(fmt.Sprintf("document.querySelector(%q)", "main > ."+viewOf(hash)+" "+selector))
}

// viewOf returns the name of the view that a hash opens.
func viewOf(hash string) string {
	view, _, _ := strings.Cut(strings.TrimPrefix(hash, "#/"), "/")
	view, _, _ = strings.Cut(view, "?")
	return cmp.Or(view, "list")
}

// do sends a command that has no result.
func (p *tab) do(method string, params object) {
	p.t.Helper()
	p.call(p.t, p.session, method, params, nil)
}

// resize sets the width of the tab in pixels: 1280 for a laptop, 390 for a phone, 320 for the narrowest phone, and 900
// for the narrowest window that is no phone.
func (p *tab) resize(width int) {
	p.t.Helper()
	size := object{"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false}
	p.do("Emulation.setDeviceMetricsOverride", size)
}

// eval returns the value of an expression in the page. If that is a promise, it
// waits for the promised value.
func (p *tab) eval(expression string) any {
	p.t.Helper()
	value, exception := p.try(expression)
	if exception != "" {
		p.t.Fatalf("%s: %s", expression, exception)
	}
	return value
}

// try is like eval, but returns the exception that the expression throws, or why there is no value, such as that the
// tab has navigated meanwhile.
func (p *tab) try(expression string) (value any, exception string) {
	p.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Exception struct{ Description string }
		}
	}
	answer := p.ask(p.t, p.session, "Runtime.evaluate", object{
		"expression":    expression,
		"awaitPromise":  true,
		"returnByValue": true,
		"userGesture":   true,
	})
	if answer.Error != nil {
		return nil, answer.Error.Message
	}
	if err := json.Unmarshal(answer.Result, &got); err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	if got.ExceptionDetails == nil {
		return got.Result.Value, ""
	}
	exception = got.ExceptionDetails.Exception.Description
	if strings.HasPrefix(exception, "SyntaxError") {
		p.t.Fatalf("%s: %s", expression, exception)
	}
	return nil, cmp.Or(exception, "exception")
}

// load imports a module of the page, such as lib/state, into a global variable with the last part of its name.
func (p *tab) load(module string) {
	p.t.Helper()
	p.eval(loading(p.t, module))
}

// loading returns the expression that does what load does.
func loading(t *testing.T, module string) string {
	t.Helper()
	return fmt.Sprintf(`import(document.querySelector("script").src.replace("app.js", %q)).then((loaded) => {
		window[%q] = loaded;
	})`, newBundles(t).servedIn(module+".js"), path.Base(module))
}

// patience is how long a test waits for what must come. Nothing is timed: a slow machine passes later. With CI set, it
// is longer, since a failed test there costs more than the wait.
var patience = 30 * time.Second

func init() {
	if os.Getenv("CI") != "" {
		patience = 2 * time.Minute
	}
}

// until calls try until it returns true. If that takes longer than patience, the test fails with the words of why and
// what the page shows.
func (p *tab) until(try func() bool, why func() string) {
	p.t.Helper()
	end := time.Now().Add(patience)
	for !try() {
		if time.Now().After(end) {
			p.t.Fatalf("%s; the page shows %v:\n%v\nfaults: %v", why(), p.eval("location.hash"),
				p.eval("document.body.innerText"), p.eval("window.faults"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// wait waits until a condition, or the value that it promises, is true. A condition that throws is not true yet: a view
// may be drawn after its heading, or anew at any moment.
func (p *tab) wait(condition string) {
	p.t.Helper()
	var got any
	var exception string
	p.until(func() bool {
		got, exception = p.try(settled("Boolean", condition))
		return got == true
	}, func() string { return strings.TrimSpace("timeout waiting for " + condition + "\n" + exception) })
}

// settled returns an expression that applies a function to the value of another
// expression. It only waits if that value is a promise, because the tab might
// navigate away meanwhile.
func settled(function, expression string) string {
	return "((value) => value instanceof Promise ? value.then(" + function + ") : " + function + "(value))(" +
		expression + ")"
}

// see waits until an expression, or the value that it promises, is want. It may throw before, as in wait.
func (p *tab) see(expression, want string) {
	p.t.Helper()
	var got any
	var exception string
	p.until(func() bool {
		got, exception = p.try(settled("String", expression))
		return got == want
	}, func() string { return fmt.Sprintf("%s\nis %q; want %q %s", expression, got, want, exception) })
}

// click waits for an element and clicks it as a user does, like clickOn.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.clickOn("document.querySelector(" + encode(selector) + ")")
}

// clickOn clicks the element that an expression returns at its middle, once that rests and nothing covers it: with a
// finger where the page is as narrow as a phone, or else with the mouse. It tries again if the element has moved away
// at the last moment.
func (p *tab) clickOn(element string) {
	p.t.Helper()
	var got any
	var last string
	p.until(func() bool {
		got = p.eval("window.aim = () => " + element + "; aim() && middleOf(aim())")
		middle, _ := got.(object)
		at := fmt.Sprint(middle["x"], middle["y"])
		if middle["cover"] != "" || at != last {
			last = at
			return false
		}
		p.clickAt(middle["x"], middle["y"])
		hasHit, exception := p.try("![null, false].includes(window.clicked)")
		opensPage := exception != "" // the page of before is gone
		return hasHit == true || opensPage
	}, func() string { return fmt.Sprintf("cannot click %s: %v", element, got) })
}

// clickAt taps or clicks a point of the tab. A tap becomes a click some time after the touch has ended, so clickAt
// waits for that click. A mouse clicks as its button is released, unless the pressed element is gone by then.
func (p *tab) clickAt(x, y any) {
	p.t.Helper()
	isNarrow := p.eval("window.clicked = null, innerWidth < 900").(bool)
	if isNarrow {
		p.do("Input.dispatchTouchEvent", object{"type": "touchStart", "touchPoints": []object{{"x": x, "y": y}}})
		p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
		p.wait("window.clicked !== null") // it is undefined once the click has opened another page
	} else {
		for _, event := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
			p.do("Input.dispatchMouseEvent", object{"type": event, "x": x, "y": y, "button": "left", "clickCount": 1})
		}
	}
}

// enter waits for a control and sets its value, with the events of a user who
// types it.
func (p *tab) enter(selector, value string) {
	p.t.Helper()
	p.wait("document.querySelector(" + encode(selector) + ")")
	p.eval(fmt.Sprintf(`{ const control = document.querySelector(%s); control.value = %s;
		for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, {bubbles: true})); }`,
		encode(selector), encode(value)))
}

// clipboard is held while a test copies and pastes, because all tabs share it.
var clipboard sync.Mutex

// paste pastes text into the control that the selector finds, as by hand.
func (p *tab) paste(selector, text string) {
	p.t.Helper()
	p.wait("document.querySelector(" + encode(selector) + ")")
	clipboard.Lock()
	defer clipboard.Unlock()
	do := func(command string) {
		p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "commands": []string{command}})
	}
	p.eval(fmt.Sprintf(`{ const copied = document.createElement("textarea"); copied.id = "copied";
		copied.value = %s; document.body.append(copied); copied.select(); }`, encode(text)))
	do("copy")
	p.eval(fmt.Sprintf(`copied.remove(); document.querySelector(%s).select()`, encode(selector)))
	do("paste")
}

// press presses the key of each letter.
func (p *tab) press(keys string) {
	p.t.Helper()
	for _, key := range keys {
		p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "key": string(key), "text": string(key)})
		p.do("Input.dispatchKeyEvent", object{"type": "keyUp", "key": string(key)})
	}
}

// key presses a key that has a name, such as ArrowRight.
func (p *tab) key(name string) {
	p.t.Helper()
	text := map[string]string{"Enter": "\r"}[name]
	number := map[string]int{"Tab": 9, "Escape": 27}[name] // by which the browser knows the keys that it handles itself
	p.do("Input.dispatchKeyEvent",
		object{"type": "keyDown", "key": name, "code": name, "text": text, "windowsVirtualKeyCode": number})
	p.do("Input.dispatchKeyEvent", object{"type": "keyUp", "key": name, "code": name})
}

// swipe drags an element sideways by some pixels, as a finger does. It begins low in the part that is in sight.
func (p *tab) swipe(selector string, by int) {
	p.t.Helper()
	got := p.eval(fmt.Sprintf(`(({top, bottom, left, width}) => ({
		x: left + (width - %d) / 2,
		y: Math.max(top, 0) * 0.2 + Math.min(bottom, innerHeight) * 0.8,
	}))(document.querySelector(%s).getBoundingClientRect())`, by, encode(selector))).(object)
	x := got["x"].(float64)
	touch := func(event string, x float64) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": []object{{"x": x, "y": got["y"]}}})
	}
	touch("touchStart", x)
	touch("touchMove", x+float64(by)/2)
	touch("touchMove", x+float64(by))
	time.Sleep(100 * time.Millisecond) // a finger that leaves at once flings the page, and the next tap stops that
	p.do("Input.dispatchTouchEvent", object{"type": "touchEnd", "touchPoints": []object{}})
}

// printedPages returns the number of A4 pages that the view is printed on.
func (p *tab) printedPages() int {
	p.t.Helper()
	var pdf struct{ Data []byte }
	p.call(p.t, p.session, "Page.printToPDF", object{"paperWidth": 8.27, "paperHeight": 11.69}, &pdf)
	return len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf.Data, -1))
}

// holdAnswers holds back the answers to requests of a method to an address that ends with a text, until the page calls
// release. In the page, late counts the answers held back so far, and answered those that were then released.
func (p *tab) holdAnswers(method, end string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`{
		const ask = fetch;
		const held = new Promise((release) => window.release = release);
		window.late = window.answered = 0;
		window.fetch = async (url, options) => {
			const answer = await ask(url, options);
			if ((options?.method ?? "GET") !== %q || !String(url).endsWith(%q)) return answer;
			late++;
			await held;
			answered++;
			return answer;
		};
	}`, method, end))
}

// reload reloads the page and waits for its view.
func (p *tab) reload() {
	p.t.Helper()
	p.eval("window.old = true")
	p.do("Page.reload", nil)
	p.wait(`!window.old && document.querySelector("main > section h1")`)
}

// letPass lets some seconds pass for the notices, which leave by themselves after a time.
func (p *tab) letPass(seconds int) {
	p.t.Helper()
	p.eval(fmt.Sprintf("pass(%d)", seconds))
}

// startReload reloads the page, and does not wait for a view, which the page may not show.
func (p *tab) startReload() {
	p.t.Helper()
	p.do("Page.reload", nil)
}

// runFirst runs a script in each page that the tab loads from now on, before the scripts of the page.
func (p *tab) runFirst(script string) {
	p.t.Helper()
	p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": script})
}

// startWorker reloads the page with its service worker, and waits until the worker
// has kept what a device needs without a network.
func (p *tab) startWorker() {
	p.t.Helper()
	p.eval("sessionStorage.worker = true")
	p.reload()
	p.wait("navigator.serviceWorker.controller")
	p.waitKept(lastKept)
}

// lastKept is in the address of the last answer that a device requests to have it without a network.
const lastKept = "=offered&fields="

// waitKept waits until the worker has kept an answer whose address contains a
// text.
func (p *tab) waitKept(text string) {
	p.t.Helper()
	p.wait(`caches.open(keptAs("answers")).then((cache) => cache.keys())
		.then((keys) => keys.some(({url}) => url.includes(` + encode(text) + `)))`)
}

// signIn makes the browser answer with a name and a password when it asks for them.
func (p *tab) signIn(name, password string) {
	p.t.Helper()
	p.mu.Lock()
	p.events[p.session] = func(event devtoolsReply) {
		request := object{"requestId": event.Params.RequestId}
		switch event.Method {
		case "Fetch.requestPaused":
			p.do("Fetch.continueRequest", request)
		case "Fetch.authRequired":
			request["authChallengeResponse"] = object{
				"response": "ProvideCredentials",
				"username": name,
				"password": password,
			}
			p.do("Fetch.continueWithAuth", request)
		}
	}
	p.mu.Unlock()
	p.do("Fetch.enable", object{"handleAuthRequests": true, "patterns": []any{object{"resourceType": "Document"}}})
}

// blockTiles makes requests for the tiles of OpenStreetMap fail, because tests ask no other site.
func (p *tab) blockTiles() {
	p.t.Helper()
	p.do("Network.enable", nil)
	p.do("Network.setBlockedURLs", object{"urls": []string{"https://tile.openstreetmap.org/*"}})
}

// checkAtEnd calls checkFaults when the test ends, unless that has failed, closed the tab or opened the page in
// another one.
func (p *tab) checkAtEnd() {
	session := p.session
	p.t.Cleanup(func() {
		if !p.t.Failed() && p.session == session && !p.isClosed {
			p.checkFaults()
		}
	})
}

// checkFaults reports errors in the page, and violations of its content security
// policy.
func (p *tab) checkFaults() {
	p.t.Helper()
	if got := p.eval("window.faults.join()"); got != "" {
		p.t.Errorf("faults in the page: %v", got)
	}
}

// flat returns a member of a flat as formatted by fmt.Sprint.
func (p *tab) flat(id, member string) string {
	p.t.Helper()
	return fmt.Sprint(p.eval(fmt.Sprintf(`fetch("api/v1/flats/" + encodeURIComponent(%s))
		.then((answer) => answer.json()).then(({data}) => data[%s])`, encode(id), encode(member))))
}

// seeFlat waits until a member of a flat is want, as flat returns it.
func (p *tab) seeFlat(id, member, want string) {
	p.t.Helper()
	p.see(fmt.Sprintf(`fetch("api/v1/flats/" + encodeURIComponent(%s))
		.then((answer) => answer.json()).then(({data}) => data[%s])`, encode(id), encode(member)), want)
}

// importListings imports listings, given as JSON.
func (p *tab) importListings(listings string) {
	p.t.Helper()
	script := fmt.Sprintf(`fetch("api/v1/import", {method: "POST", body: %s}).then((answer) => answer.text())`,
		encode(listings))
	if got := fmt.Sprint(p.eval(script)); !strings.HasPrefix(got, `{"data":`) {
		p.t.Fatal(got)
	}
}

// The list.
const (
	rowCount  = `document.querySelectorAll(".row").length`
	tabTexts  = `[...document.querySelectorAll(".tabs a")].map((tab) => tab.innerText.trim()).join("|")`
	chipTexts = `[...document.querySelectorAll(".chips .chip")]
		.map((chip) => chip.innerText.trim().replace(/\s+/g, " ")).join("|")`
	firstRowID     = `document.querySelector(".row")?.dataset.id` // the id of the flat in the first row
	savedViewNames = `[...document.querySelectorAll(".saved .view > :first-child")]
		.map(({childNodes}) => [...childNodes].filter((part) => !part.matches?.(".sr"))
			.map(({textContent}) => textContent).join("").trim()).join("|")`
)

const (
	// firstStars has the stars of the first rating, with the number or the name next to them: "★★★☆☆3".
	firstStars = `[...document.querySelector(".stars").childNodes].map((part) =>
		part.nodeName !== "BUTTON" ? part.textContent : part.dataset.isFilled === "true" ? "★" : "☆")
		.join("").replace(/\s+/g, "")`
	// storedViews has the name and the address of each saved view that the service stores. The page stores views whose
	// names begin with "flats: seen" for itself.
	storedViews = `fetch("api/v1/views").then((answer) => answer.json())
		.then(({data}) => data.filter(({name}) => !name.startsWith("flats: seen"))
			.map(({name, page}) => name + " " + page).join("|"))`
)

// columnTexts returns an expression for the first n texts of a column of the table.
func columnTexts(class string, n int) string {
	return fmt.Sprintf(`[...document.querySelectorAll("td.%s")].slice(0, %d).map((cell) => cell.innerText).join("|")`,
		class, n)
}
