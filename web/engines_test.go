// Tests that the page is the same in WebKitGTK and Firefox as in Chromium.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// An evaluator evaluates expressions in a page: a tab, or an engine.
type evaluator interface {
	try(expression string) (value any, exception string)
}

// waitIn waits until an expression, or the value that it promises, is true.
func waitIn(t *testing.T, in evaluator, what, expression string) {
	t.Helper()
	var got any
	var exception string
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if got, exception = in.try("Boolean(" + expression + ")"); got == true {
			return
		}
		if time.Now().After(end) {
			text, _ := in.try("document.body.innerText")
			t.Fatalf("%s: timeout waiting for %s: %s\nThe page shows %v", what, expression, exception, text)
		}
	}
}

// A scene is something that the page shows: how it is opened, and an expression that is true then.
type scene struct{ name, open, shown string }

// scenes returns the views, then what opens above them.
func scenes() []scene {
	var all []scene
	for _, view := range []struct{ hash, last string }{
		{"#/?tab=all&sort=title", "tbody:nth-of-type(4) .row:nth-child(3)"}, // the last of 15, after the list before
		{"#/?q=balcon&cost=1..900&sort=cost", ".chips .chip"},
		{"#/flat/4711", ".others"},
		{"#/triage", ".card h2 a"},
		{"#/visits", ".day"},
		{"#/compare/4711,lyon-1042%40example", ".side-by-side"},
		{"#/duplicates", "h1"},
		{"#/map", ".circle"},
		{"#/prices", ".scatter a"},
		{"#/import", "h1"},
		{"#/settings", "#settings-access .told p"},
		{"#/start", ".step-line"},
		{"#/add?title=3+Zi.&url=https://example.org/1&text=900+%E2%82%AC", "form"},
	} {
		name, _, _ := strings.Cut(strings.TrimPrefix(view.hash, "#/"), "/")
		name, _, _ = strings.Cut(name, "?")
		if name == "" {
			name = "list"
		}
		all = append(all, scene{view.hash, "location.hash = " + encode(view.hash),
			fmt.Sprintf("document.querySelector(%q)", "main > ."+name+" "+view.last)})
	}
	// click returns an expression that clicks the first element that a selector finds.
	click := func(selector string) string { return fmt.Sprintf("document.querySelector(%q).click()", selector) }
	found := func(selector string) string { return "document.querySelector(" + encode(selector) + ")" }
	const closing = `document.querySelector("dialog[open]")?.close(),
		document.querySelector(":popover-open")?.hidePopover()`
	at := func(hash, last, name, open, shown string) {
		all = append(all,
			scene{name + ": the view", closing + ", location.hash = " + encode(hash), found(last)},
			scene{name, open, found(shown)})
	}
	at("#/?tab=all", ".list .row", "the menu", click(".menu"), "#menu:popover-open")
	at("#/?tab=all", ".list .row", "the help of the search", click("[popovertarget=search-help]"),
		"#search-help:popover-open")
	at("#/?tab=all&sort=cost", ".list .row", "the filters", click(".toggle"), ".panel [type=checkbox]")
	at("#/?tab=all&sort=cost", ".panel [type=checkbox]", "more filters", click(".further"), ".rest:not([hidden])")
	at("#/?tab=all&sort=cost", ".panel [type=checkbox]", "the name of a view", click(".tools button"), ".naming[open]")
	at("#/?tab=all&sort=cost", ".list .row", "the keys", click("#menu button"), "#help[open]")
	at("#/flat/4711", ".flat .others", "the statuses", click(".own [popovertarget]"), "#statuses:popover-open")
	at("#/flat/4711", ".flat .others", "a message", click(".contact button"), ".message[open]")
	return all
}

// texts is an expression for the texts that are shown, in sight or not, without the times that pass and what only
// spaces tell apart.
const texts = `(() => {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync("* {content-visibility: visible !important}");
	document.adoptedStyleSheets = [sheet];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const all = [];
	while (walker.nextNode()) {
		const {parentElement: parent, data} = walker.currentNode;
		// An address that is made anew each time is not compared.
		const words = data.replace(/flats-[a-z\d]{9,}/, "…").replace(/\s+/g, " ").trim();
		if (words && parent.checkVisibility() && !parent.closest("time, #notice, #live, script")) all.push(words);
	}
	return all.join("\n");
})()`

// tooHigh is an expression for the menus and dialogs that are higher than what they contain.
const tooHigh = `[...document.querySelectorAll("dialog[open], :popover-open")].filter((element) => {
	const height = element.offsetHeight;
	element.style.cssText = "align-self: start; height: auto";
	const isHigher = height > element.offsetHeight + 1;
	element.style.cssText = "";
	return isHigher;
}).map((element) => element.outerHTML.slice(0, 80)).join("\n")`

// brokenWords is an expression for the times whose words are broken within.
const brokenWords = `[...document.querySelectorAll("time")].filter((time) => time.checkVisibility()).filter((time) => {
	const range = new Range();
	return [...time.textContent.matchAll(/\S+/g)].some(({0: word, index}) => {
		range.setStart(time.firstChild, index);
		range.setEnd(time.firstChild, index + word.length);
		return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size > 1;
	});
}).map((time) => time.textContent).join("|")`

// TestEngines tests that each engine shows all views and menus with the texts of Chromium, without an error, that no
// menu is higher than what it contains, that no word of a time is broken, and that keys decide in Triage. Each engine
// starts once, because that takes seconds.
func TestEngines(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	// WebKitGTK has the language of the system, which may have no other.
	p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": "en-US"})
	p.reload()
	all := scenes()
	wanted := make([]string, len(all))
	show := func(t *testing.T, in evaluator, scene scene) string {
		t.Helper()
		if _, exception := in.try("(" + scene.open + ", 0)"); exception != "" {
			t.Fatalf("%s: %s", scene.name, exception)
		}
		waitIn(t, in, scene.name, scene.shown)
		got, before := "", "not yet"
		for end := time.Now().Add(patience); got != before && time.Now().Before(end); {
			before = got
			in.try("new Promise((done) => setTimeout(done, 300))") // a view may come in parts
			value, _ := in.try(texts)
			got = fmt.Sprint(value)
		}
		for what, expression := range map[string]string{"higher than its content": tooHigh, "broken": brokenWords,
			"an alert": `[...document.querySelectorAll("[role=alert]")].map(({innerText}) => innerText).join()`} {
			if got, exception := in.try(expression); got != "" || exception != "" {
				t.Errorf("%s: %s: %v %s", scene.name, what, got, exception)
			}
		}
		return got
	}
	for i, scene := range all {
		wanted[i] = show(t, p, scene)
	}
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			e := open(t)
			e.open(p.url+"/", 1280)
			waitIn(t, e, "the page", `document.querySelector("main > section h1")`)
			for i, scene := range all {
				if got := show(t, e, scene); got != wanted[i] {
					t.Errorf("%s: %s", scene.name, firstDifference(got, wanted[i]))
				}
			}
			e.checkFaults()
			e.checkTriage(t)
		})
	}
}

// firstDifference says in which line two texts begin to differ.
func firstDifference(got, want string) string {
	is, should := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(is), len(should)) {
		if is[i] != should[i] {
			return fmt.Sprintf("line %d of the texts is %q; want %q", i, is[i], should[i])
		}
	}
	return fmt.Sprintf("%d lines of text; want %d", len(is), len(should))
}

// checkTriage checks that the keys of Triage decide on the flat that is seen, and that the decision arrives.
func (e *engine) checkTriage(t *testing.T) {
	t.Helper()
	e.open(startSample(t)+"/#/triage", 1280)
	const id = `decodeURIComponent(document.querySelector(".card h2 a")?.hash.slice("#/flat/".length) ?? "")`
	waitIn(t, e, "the first card", id)
	for key, status := range map[string]string{"f": "followed", "x": "ignored"} {
		first := fmt.Sprint(e.eval(id))
		e.press(key)
		waitIn(t, e, "the next card", id+" !== "+encode(first))
		waitIn(t, e, key, fmt.Sprintf(`await fetch("api/v1/flats/" + encodeURIComponent(%s))
			.then((answer) => answer.json()).then(({data}) => data.status === %q)`, encode(first), status))
	}
	waitIn(t, e, "what is left", `/2 done/.test(document.querySelector(".triage [role=status]")?.innerText)`)
	e.checkFaults()
}
