// The frame of the page. It opens the view that the hash names, handles keys and dropped files, checks
// whether something has changed, and makes the worker keep what a device needs without a network. This
// module exports nothing.
//
// A view is a module that exports show(root, route, signal). show fills root; the signal aborts when
// the view is left, and then no timer or listener of the view may remain. show may return an object:
//   update(route)    shows other filters of the same view, in place of a new show
//   fresh()          promises true, or words, if the view has changed elsewhere, else false
//   show()           shows these changes, once "Show" is pressed
//   stale            true if what is shown may be old; then fresh is called at once
//   keys             the keys of the view, in the form of common below

import {call} from "./lib/api.js"
import {fill, h} from "./lib/dom.js"
import {look, onChange} from "./lib/flats.js"
import {kept} from "./lib/kept.js"
import {pageOf, pageSize, pileOf, queryOf, tally, withVisit} from "./lib/query.js"
import {parse} from "./lib/state.js"
import {forgetStored, store, stored} from "./lib/storage.js"
import {countNews, makeBar, markView, openView, setNews, withTyped} from "./parts/bar.js"
import {failed, forgetNotices, undo} from "./parts/notice.js"
import {clock, count, language, t, text} from "./words/format.js"

const [main, chosen, fresh, age, help] = ["main", "chosen", "fresh", "kept", "help"]
	.map(id => document.getElementById(id))

document.documentElement.lang = language

// The worker (sw.js) adds ?sign-in to make the browser ask for the password. Once the page is open, the address no
// longer needs it, nor what the share sheet of a phone passes on (manifest.webmanifest), which Add takes over.
const address = new URL(location)
const shared = [...address.searchParams].filter(([name]) => ["title", "text", "url"].includes(name))
if (shared.length > 0) address.hash = "#/add?" + new URLSearchParams(shared)
for (const [name] of [["sign-in"], ...shared]) address.searchParams.delete(name)
if (address.href !== location.href) history.replaceState(null, "", address)

// The list restores its own place: the browser would scroll before the rows are there.
history.scrollRestoration = "manual"

Object.assign(kept.trail, stored("flats.trail", "sessionStorage"))
makeBar([t.keys, showKeys], [t.forget, forgetDevice])

// open shows the view of the hash. oldURL is the address before, if there was one.
async function open({oldURL}) {
	if (kept.isForgotten) return location.reload()
	const route = withTyped(parse(location.hash))
	const previous = kept.current.route
	fill(fresh)
	markView(route)
	document.body.dataset.view = route.view
	if (previous?.view === route.view && kept.current.view.update) {
		kept.current.route = route
		await kept.current.view.update(route)
		return setTitle()
	}
	if (oldURL && previous.view !== "flat") kept.trail.hash = new URL(oldURL).hash || "#/"
	leave()
	store("flats.trail", kept.trail, "sessionStorage")
	const leaving = new AbortController()
	const root = h("section." + route.view)
	const mine = kept.current = {route, leaving, view: {}} // view is what its show returns
	fill(main, root)
	try {
		const {show} = await import(`./views/${route.view}.js`)
		if (mine === kept.current) mine.view = await show(root, route, leaving.signal) ?? {}
	} catch (error) {
		// The service may have another version now, without this module: reloading the page helps.
		if (mine === kept.current) failed(error, () => location.reload())
	}
	if (mine !== kept.current) return
	setTitle()
	if (mine.view.stale) refresh()
	// If the focus was in the old view, it is lost.
	if (previous && document.activeElement === document.body) root.querySelector("h1")?.focus({preventScroll: true})
}

// leave ends the view that is shown.
function leave() {
	// Some controls save what was typed when they lose the focus.
	if (main.contains(document.activeElement)) document.activeElement.blur()
	kept.current.leaving.abort()
	scrollTo(0, 0)
}

function setTitle() {
	const heading = main.querySelector("h1")?.textContent ?? t.list
	document.title = [...new Set([heading, t.list])].join(" · ")
}

addEventListener("hashchange", open)
addEventListener("unhandledrejection", ({reason}) => failed(reason))

// refresh checks whether the view has changed elsewhere, and offers to show the changes. Nothing moves without a
// press, because it might move under a finger.
async function refresh() {
	const {view} = kept.current
	const changed = document.visibilityState === "visible" && await view.fresh?.().catch(() => false)
	if (!changed || view !== kept.current.view) return
	const words = typeof changed === "string" ? changed : t.elsewhere
	fill(fresh, h("button", words, " · ", t.show, {click: () => fill(fresh) ?? view.show()}))
}

setInterval(refresh, 60_000)
document.addEventListener("visibilitychange", refresh)

// Files with listings may be dropped on any view.
addEventListener("dragover", event => event.dataTransfer.types.includes("Files") && event.preventDefault())
addEventListener("drop", async event => {
	const files = [...event.dataTransfer.files]
	if (files.length === 0) return
	event.preventDefault()
	const {importFiles} = await import("./views/import.js")
	importFiles(files)
})

// While answers come from the worker, the page says how old they are.
addEventListener("answer", ({detail: asOf}) => fill(age, asOf && text(t.as_of, {time: clock(asOf)})))

// The keys of all views, {key: [label, act]}. If act returns false, the browser handles the key.
const common = {
	"/": [t.search, search],
	u: [t.undo, undo],
	l: [t.list, () => openView("list")],
	t: [t.triage, () => openView("triage")],
	v: [t.visits, () => openView("visits")],
	a: [t.add, () => openView("add")],
	"?": [t.keys, showKeys],
}
const keys = () => ({...common, ...kept.current.view.keys})

// withKeys reports whether single keys act. People who dictate switch them off, because each spoken word
// presses several keys.
const withKeys = () => stored("flats.keys") !== false

// typing matches the controls that take letters. Boxes do not, and keep the focus after a press.
const typing = "textarea, select, input:not([type=checkbox], [type=radio])"

// Keys that repeat while they are held down are ignored: they would decide on flats that nobody has seen.
addEventListener("keydown", event => {
	if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !withKeys()) return
	if (document.querySelector("dialog[open]") || event.target.matches(typing)) return
	const [, act] = keys()[event.key] ?? []
	if (act && act() !== false) event.preventDefault()
})

// search moves the focus to the search field of the list, and waits for the list if it has to open.
async function search() {
	if (kept.current.route.view !== "list") openView("list")
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

// startWorker registers the worker, which keeps the page when it is installed. After "Forget this device" a worker
// stays active while other tabs are open, and is not installed again; a message makes it keep the page.
async function startWorker() {
	const isKept = (await caches.keys()).some(name => name.startsWith("page "))
	if (kept.isForgotten) return
	const {active} = await worker.register("sw.js")
	if (!isKept && !kept.isForgotten) active?.postMessage("opened")
}

// keepForLater requests what a device needs without a network, so that the worker keeps it: the list, up to 1,000
// flats of the shortlist, the counts of the tabs, the saved views, the visits. It sends the same requests as the
// views, because answers are kept by address.
async function keepForLater() {
	if (!worker) return
	if (claimed) await claimed
	await look(queryOf({}), pageOf(0))
	const shortlist = queryOf({tab: "shortlist"})
	const {total} = await look(shortlist, pageOf(0))
	for (let number = 1; number * pageSize < Math.min(total, 1000); number++) await look(shortlist, pageOf(number))
	for (const tab of ["", "changed", "all"]) await look(queryOf({tab}), tally)
	await look(queryOf({tab: "new"}), pageOf(0))
	await look(queryOf({tab: "new"}), pileOf)
	await call("views")
	await look(withVisit)
}

// startKeeping calls keepForLater once the first list is shown, which it would slow down, and whenever no decision
// has been made for a while. A page that is hidden may not come back, so it does not wait.
function startKeeping() {
	let timer = null

	function keepIn(milliseconds) {
		clearTimeout(timer)
		timer = setTimeout(keepNow, milliseconds)
	}

	function keepNow() {
		clearTimeout(timer)
		timer = null
		if (!kept.isForgotten) keepForLater().catch(() => {})
	}

	keepIn(2_000)
	onChange(() => keepIn(5_000))
	document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && timer && keepNow())
}

// forgetDevice asks the user, and deletes everything that this browser keeps for the page.
async function forgetDevice() {
	const {countWaiting, forgetWaiting} = await import("./parts/waiting.js")
	const n = countWaiting()
	if (!confirm([n > 0 && count(t.forget_waiting, n), t.forget_sure].filter(Boolean).join(" "))) return
	end(t.forgetting)
	forgetWaiting()
	if (worker) {
		await deleteKept()
		// unregister waits for an update of the worker that is under way. The new worker keeps the page again, so
		// everything is deleted once more.
		for (const registration of await worker.getRegistrations()) await registration.unregister()
		await deleteKept()
	}
	endForgotten()
}

// deleteKept deletes what the worker keeps. The worker stops keeping answers when it finds no cache
// of a page; answers that it keeps until then are deleted last.
async function deleteKept() {
	for (const name of ["answers", ...await caches.keys(), "answers"]) await caches.delete(name)
}

addEventListener("storage", ({key}) => key === null && endForgotten())

// end shows words instead of the view, and stops the page. If the page went on or reloaded itself, the worker would
// keep everything again.
function end(words, ...more) {
	leave() // this keeps the place in the list
	forgetStored()
	forgetNotices()
	setNews(0)
	kept.current = {...kept.current, view: {}}
	for (const element of [chosen, fresh, age]) fill(element)
	fill(main, h("section.empty", h("h1", words), more))
	setTitle()
	main.querySelector("h1").focus()
}

const endForgotten = () => end(t.forgotten, h("button.primary", t.open_again, {click: () => location.reload()}))

await open({})
const idle = globalThis.requestIdleCallback ?? setTimeout
idle(() => {
	if (worker) startWorker().catch(() => {})
	import("./parts/waiting.js").then(({startWaiting}) => startWaiting(), () => {})
	if (kept.current.route.view !== "list") countNews().catch(() => {})
})
startKeeping()
