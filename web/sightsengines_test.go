// What TestEngines opens and sees in each browser, as in sights_test.go.

package web

import "fmt"

// A scene is something that the page shows: how it is opened, and an expression that is true then.
type scene struct{ name, open, shown string }

// scenes returns the views, then the dialogs and menus that open above them.
func scenes() []scene {
	var all []scene
	for _, view := range []struct{ hash, last string }{ // last is a selector of what is drawn last
		// Row 15, as each tbody has four: the list that is open before has fewer.
		{"#/?tab=all&sort=title", "tbody:nth-of-type(4) .row:nth-child(3)"},
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
		all = append(all, scene{view.hash, "location.hash = " + encode(view.hash),
			fmt.Sprintf("document.querySelector(%q)", "main > ."+viewOf(view.hash)+" "+view.last)})
	}
	return append(all, openedScenes()...)
}

// openedScenes returns the dialogs and menus that open above views, each after its view.
func openedScenes() []scene {
	var all []scene
	query := func(selector string) string { return "document.querySelector(" + encode(selector) + ")" }
	const closing = `document.querySelector("dialog[open]")?.close(),
		document.querySelector(":popover-open")?.hidePopover()`
	// at appends the view of a hash, in which the selector last finds what is drawn last, and what open opens above it,
	// where the selector shown then finds something.
	at := func(hash, last, name, open, shown string) {
		all = append(all,
			scene{name + ": the view", closing + ", location.hash = " + encode(hash), query(last)},
			scene{name, open, query(shown)})
	}
	at("#/?tab=all", ".list .row", "the menu", pressOn(".menu"), "#menu:popover-open")
	at("#/?tab=all", ".list .row", "the help of the search", pressOn("[popovertarget=search-help]"),
		"#search-help:popover-open")
	at("#/?tab=all&sort=cost", ".list .row", "the filters", pressOn(".toggle"), ".panel [type=checkbox]")
	at("#/?tab=all&sort=cost", ".panel [type=checkbox]", "more filters", pressOn(".further"), ".rest:not([hidden])")
	at("#/?tab=all&sort=cost", ".panel [type=checkbox]", "the name of a view", pressOn(".tools button"), ".naming[open]")
	at("#/?tab=all&sort=cost", ".list .row", "the keys", pressOn("#menu button"), "#help[open]")
	at("#/flat/4711", ".flat .others", "the statuses", pressOn(".own [popovertarget]"), "#statuses:popover-open")
	at("#/flat/4711", ".flat .others", "a message", pressOn(".contact button"), ".message[open]")
	return all
}

// shownTexts is an expression for the texts that the page shows, scrolled into sight or not, without those that change
// by themselves or differ between browsers. Spaces count as one.
const shownTexts = `(() => {
	const sheet = new CSSStyleSheet();
	sheet.replaceSync("* {content-visibility: visible !important}");
	document.adoptedStyleSheets = [sheet];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const all = [];
	while (walker.nextNode()) {
		const {parentElement: parent, data} = walker.currentNode;
		// The address of a receiver of messages is random.
		const words = data.replace(/flats-[a-z\d]{9,}/, "…").replace(/\s+/g, " ").trim();
		// Not every browser takes push messages, and the first backup comes after a minute. The browser's letters decide
		// which names have room in the map.
		const leftOut = "time, #notice, #live, script, .devices, #settings-backups .told, .canvas .name";
		if (words && parent.checkVisibility() && !parent.closest(leftOut)) all.push(words);
	}
	return all.join("\n");
})()`

// tooHighDialogs is an expression for the menus and dialogs that are higher than their content.
const tooHighDialogs = `[...document.querySelectorAll("dialog[open], :popover-open")].filter((element) => {
	const height = element.offsetHeight;
	element.style.cssText = "align-self: start; height: auto";
	const isHigher = height > element.offsetHeight + 1;
	element.style.cssText = "";
	return isHigher;
}).map((element) => element.outerHTML.slice(0, 80)).join("\n")`

// brokenWords is an expression for the times with a line break within.
const brokenWords = `[...document.querySelectorAll("time")].filter((time) => time.checkVisibility()).filter((time) => {
	const range = new Range();
	return [...time.textContent.matchAll(/\S+/g)].some(({0: word, index}) => {
		range.setStart(time.firstChild, index);
		range.setEnd(time.firstChild, index + word.length);
		return new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size > 1;
	});
}).map((time) => time.textContent).join("|")`

const (
	alertTexts  = `[...document.querySelectorAll("[role=alert]")].map(({innerText}) => innerText).filter(Boolean).join()`
	viewHeading = `document.querySelector("main > section h1")`
	// anyCardID is the id of the flat in the card of Triage, or "".
	anyCardID = `decodeURIComponent(document.querySelector(".card h2 a")?.hash.slice("#/flat/".length) ?? "")`
)
