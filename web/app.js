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
let current = null

document.documentElement.lang = language
// A browser's guess of where to scroll comes before the rows do.
history.scrollRestoration = "manual"

const tabs = ["list", "triage", "visits"].map(view => h("a", t[view], {href: "#/" + (view === "list" ? "" : view)}))
fill(document.getElementById("bar"), h("nav", {label: t.views}, tabs),
	h("button.help", "?", {label: t.keys, click: showHelp}))

main.append(...Object.values(views).map(view => view.element))

async function route(event) {
	const {view, id, query} = parse(location.hash)
	const next = views[view]
	if (current && current !== next) current.hide?.()
	for (const view of Object.values(views)) view.element.hidden = view !== next
	const moved = event && (current !== next || next === flat)
	current = next
	tabs.forEach((tab, i) => tab.setAttribute("aria-current", next === Object.values(views)[i] ? "page" : "false"))
	if (document.querySelector("#notice [role=alert]")) hush()
	const shown = next.show(query, id)
	// The focus went with the old view: reading goes on at the heading.
	if (moved && next !== list) next.element.querySelector("h1")?.focus({preventScroll: true})
	await shown
	document.title = current.name()
}

addEventListener("hashchange", event => route(event).catch(failed))
addEventListener("pagehide", () => current.hide?.())
addEventListener("unhandledrejection", ({reason}) => failed(reason))

const anywhere = {
	"?": showHelp,
	u: undo,
	l: () => (location.hash = "#/"),
	t: () => (location.hash = "#/triage"),
	v: () => (location.hash = "#/visits"),
	"/": list.focusSearch,
}

// Who speaks to the computer can switch single keys off.
const withKeys = () => stored("localStorage", "flats.keys") !== false
addEventListener("keydown", event => {
	const {key, target} = event
	if (event.ctrlKey || event.metaKey || event.altKey || help.open || target.matches("textarea, select, input") || !withKeys()) return
	if (!current.key?.(event)) {
		if (!anywhere[key]) return
		anywhere[key]()
	}
	event.preventDefault()
})

function showHelp() {
	const keys = "/ search|j,k key_steps|f follow|x dismiss|s skip|1–5,0 rating|←,→ photos|Esc back|u undo|l list|t triage|v visits|? keys"
	const box = h("input", {type: "checkbox", checked: withKeys(), change: () => store("localStorage", "flats.keys", box.checked)})
	fill(help, h("h2#keys", t.keys), h("dl", keys.split("|").map(line => line.split(" ")).map(([names, word]) => h("div", h("dt", names.split(",").map(name => h("kbd", name))), h("dd", t[word])))),
		h("label", box, " ", t.keys_on), h("button", t.close, {click: () => help.close()}))
	help.showModal()
}

route().catch(failed)
