// The frame: the view that the hash names, the keys, and what is kept for times without a network.
//
// A view is a module that exports show(root, route, signal). It fills root and may give {keys,
// update(route), fresh(), show(), stale}: fresh promises true or words where the view has changed
// elsewhere, show shows it; a stale one is asked at once. The signal aborts when the view is left.

import {find} from "./api.js"
import {countNews, makeBar, markView, openView} from "./bar.js"
import {fill, h} from "./dom.js"
import {clock, language, t, text} from "./format.js"
import {failed, undo} from "./notice.js"
import {pageOf, pageSize, parametersOf, parse, store, stored, tally, trail, withVisit} from "./state.js"

const [main, chosen, fresh, kept, help] = ["main", "chosen", "fresh", "kept", "help"]
	.map(id => document.getElementById(id))

// What is shown; view is what show gave.
let current = {leaving: new AbortController(), view: {}}
let forgotten = false // this device is to keep nothing before the page is next opened

document.documentElement.lang = language

// The worker adds it to have the browser ask for the password. Who sees the page is signed in.
const address = new URL(location)
if (address.searchParams.has("sign-in")) {
	address.searchParams.delete("sign-in")
	history.replaceState(null, "", address)
}

// The browser would scroll before the rows are there.
history.scrollRestoration = "manual"

makeBar([t.keys, showKeys], [t.forget, forgetDevice])

async function open({oldURL}) {
	if (forgotten) return location.reload()
	const route = parse(location.hash)
	const previous = current.route
	fill(fresh)
	markView(route)
	document.body.dataset.view = route.view
	if (previous?.view === route.view && current.view.update) {
		current.route = route
		await current.view.update(route)
		return setTitle()
	}
	if (oldURL && previous.view !== "flat") trail.hash = new URL(oldURL).hash || "#/"
	leave()
	const leaving = new AbortController()
	const root = h("section." + route.view)
	const mine = current = {route, leaving, view: {}}
	fill(main, root)
	try {
		const {show} = await import(`./${route.view}.js`)
		if (mine === current) mine.view = await show(root, route, leaving.signal) ?? {}
	} catch (error) {
		// There may be a new version of the page.
		if (mine === current) failed(error, () => location.reload())
	}
	if (mine !== current) return
	setTitle()
	if (mine.view.stale) refresh()
	// The focus went with the old view.
	if (previous && document.activeElement === document.body) root.querySelector("h1")?.focus({preventScroll: true})
}

function leave() {
	// Controls save as they lose the focus.
	if (main.contains(document.activeElement)) document.activeElement.blur()
	current.leaving.abort()
	scrollTo(0, 0)
}

function setTitle() {
	const heading = main.querySelector("h1")?.textContent ?? t.list
	document.title = [...new Set([heading, t.list])].join(" · ")
}

addEventListener("hashchange", open)
addEventListener("unhandledrejection", ({reason}) => failed(reason))

// Nothing moves by itself under a finger.
async function refresh() {
	const {view} = current
	const changed = document.visibilityState === "visible" && await view.fresh?.().catch(() => false)
	if (!changed || view !== current.view) return
	const words = typeof changed === "string" ? changed : t.changed
	fill(fresh, h("button", words, " · ", t.show, {click: () => fill(fresh) ?? view.show()}))
}

setInterval(refresh, 60_000)
document.addEventListener("visibilitychange", refresh)

// Any view takes files.
addEventListener("dragover", event => event.dataTransfer.types.includes("Files") && event.preventDefault())
addEventListener("drop", async event => {
	const files = [...event.dataTransfer.files]
	if (files.length === 0) return
	event.preventDefault()
	const {importFiles} = await import("./import.js")
	importFiles(files)
})

addEventListener("answer", ({detail: asOf}) => fill(kept, asOf && text(t.as_of, {time: clock(asOf)})))

// {key: [label, act]}; where act gives false, the browser has the key.
const common = {
	"/": [t.search, search],
	u: [t.undo, undo],
	l: [t.list, () => openView("list")],
	t: [t.triage, () => openView("triage")],
	v: [t.visits, () => openView("visits")],
	"?": [t.keys, showKeys],
}
const keys = () => ({...common, ...current.view.keys})

// Single keys get in the way of who dictates.
const withKeys = () => stored("flats.keys") !== false

// A key held down must not decide on flats that nobody saw.
addEventListener("keydown", event => {
	if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !withKeys()) return
	if (document.querySelector("dialog[open]") || event.target.matches("textarea, select, input")) return
	const [, act] = keys()[event.key] ?? []
	if (act && act() !== false) event.preventDefault()
})

async function search() {
	if (current.route.view !== "list") openView("list")
	const field = () => document.querySelector(".list #search")
	for (let frames = 0; frames < 60 && !field(); frames++) await new Promise(requestAnimationFrame)
	field()?.select()
}

const keyNames = {ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc"}

function showKeys() {
	const byLabel = Map.groupBy(Object.entries(keys()), ([, [label]]) => label)
	const lines = [...byLabel].map(([label, keys]) =>
		h("div", h("dt", keys.map(([key]) => h("kbd", keyNames[key] ?? key))), h("dd", label)))
	const box = h("input", {type: "checkbox", checked: withKeys(), change: () => store("flats.keys", box.checked)})
	fill(help, h("h2#help-title", t.keys), h("dl.keys", lines), h("label.line", box, t.keys_on),
		h("button.primary", t.close, {click: () => help.close()}))
	help.showModal()
}

const worker = navigator.serviceWorker // none where the context is not secure
const claimed = worker && !worker.controller && new Promise(done => worker.oncontrollerchange = done)

// A worker that was told to forget lives on while there are other tabs, and is not installed anew:
// it hears that the page was opened.
async function startWorker() {
	const isKept = (await caches.keys()).some(name => name.startsWith("page "))
	if (forgotten) return
	const {active} = await worker.register("sw.js")
	if (!isKept && !forgotten) active?.postMessage("opened")
}

// The worker keeps what is asked for, under the addresses that views use.
async function keepForLater() {
	if (!worker) return
	if (claimed) {
		await claimed
		await find(parametersOf({}), pageOf(0))
	}
	const shortlist = parametersOf({tab: "shortlist"})
	const {total} = await find(shortlist, pageOf(0))
	for (let number = 1; number * pageSize < Math.min(total, 1000); number++) await find(shortlist, pageOf(number))
	for (const tab of ["", "all"]) await find(parametersOf({tab}), tally)
	await find(withVisit)
}

async function forgetDevice() {
	if (!confirm(t.forget_sure)) return
	end(t.forgetting)
	localStorage.clear() // which other tabs hear of
	sessionStorage.clear()
	if (worker) {
		await deleteKept()
		// This waits for an update of the worker that is on its way, and that keeps the page once more.
		for (const registration of await worker.getRegistrations()) await registration.unregister()
		await deleteKept()
	}
	endForgotten()
}

// Until its page is gone, too, the worker goes on to keep answers.
async function deleteKept() {
	for (const name of ["answers", ...await caches.keys(), "answers"]) await caches.delete(name)
}

addEventListener("storage", ({key}) => key === null && endForgotten())

// The page would keep everything again as soon as it went on, or loaded itself anew.
function end(words, ...more) {
	forgotten = true
	leave()
	current = {...current, view: {}}
	for (const element of [chosen, fresh, kept]) fill(element)
	fill(main, h("section.empty", h("h1", words), more))
	setTitle()
	main.querySelector("h1").focus()
}

const endForgotten = () => end(t.forgotten, h("button.primary", t.open_again, {click: () => location.reload()}))

await open({})
const idle = globalThis.requestIdleCallback ?? setTimeout
idle(() => {
	if (worker) startWorker().catch(() => {})
	import("./notes.js").catch(() => {}) // sends drafts
	if (current.route.view !== "list") countNews().catch(() => {})
})
setTimeout(() => forgotten || keepForLater().catch(() => {}), 2_000) // not beside a first sort
