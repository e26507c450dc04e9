// The bar, the keys, and the view that the hash names.

import {fill, h} from "./dom.js"
import * as flat from "./flat.js"
import * as list from "./list.js"
import {failed, hush, undo} from "./notice.js"
import {parse, store, stored} from "./state.js"
import {language, t} from "./strings.js"
import * as triage from "./triage.js"
import * as visits from "./visits.js"

const views = {list, triage, visits, flat}
const main = document.getElementById("main")
const help = document.getElementById("help")
let current

document.documentElement.lang = language
// A browser's guess of where to scroll comes before the rows do.
history.scrollRestoration = "manual"

const tabs = ["list", "triage", "visits"].map(view => h("a", t[view], {href: "#/" + (view === "list" ? "" : view)}))
fill(document.getElementById("bar"), h("nav", tabs),
	h("button", "?", {label: t.keys, click: showHelp}))

main.append(...Object.values(views).map(view => view.element))

async function route(event) {
	const {view, id, query} = parse(location.hash)
	const next = views[view]
	if (current !== next) current?.hide?.()
	const moved = event && (current !== next || next === flat)
	current = next
	Object.values(views).forEach((view, i) => {
		view.element.hidden = view !== next
		tabs[i]?.setAttribute("aria-current", view === next && "page")
	})
	if (document.querySelector("#notice [role=alert]")) hush()
	const shown = next.show(query, id)
	// The focus went with the old view: reading goes on at the heading.
	if (moved && next !== list) next.element.querySelector("h1")?.focus({preventScroll: true})
	await shown
	document.title = next.element.querySelector("h1").textContent
}

addEventListener("hashchange", route)
addEventListener("pagehide", () => current.hide?.())
addEventListener("unhandledrejection", ({reason}) => failed(reason))

const anywhere = {
	"?": showHelp,
	u: undo,
	l: () => tabs[0].click(),
	t: () => tabs[1].click(),
	v: () => tabs[2].click(),
	"/": () => {
		if (current !== list) route(history.pushState(null, "", "#/"))
		list.focusSearch()
	},
}

// Who speaks to the computer can switch single keys off. One held down must not
// decide on flats that nobody saw.
const withKeys = () => stored("flats.keys") !== false
addEventListener("keydown", event => {
	const {key, target} = event
	if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || help.open || target.matches("textarea, select, input") || !withKeys()) return
	if (current.key?.(key) || (anywhere[key] && [anywhere[key]()])) event.preventDefault()
})

function showHelp() {
	const keys = "/ search|j,k key_steps|f follow|x dismiss|s skip|1–5,0 notation|←,→ photos|Esc back|u undo|l list|t triage|v visits|? keys"
	const line = ([keys, word]) => h("div", h("dt", keys.split(",").map(key => h("kbd", key))), h("dd", t[word]))
	const box = h("input", {type: "checkbox", checked: withKeys(), change: () => store("flats.keys", box.checked)})
	fill(help, h("h2#keys", t.keys), h("dl", keys.split("|").map(keys => line(keys.split(" ")))),
		h("label", box, " ", t.keys_on), h("button", t.close, {click: () => help.close()}))
	help.showModal()
}

route()
