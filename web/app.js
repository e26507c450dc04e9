// The frame of the page. It opens the view that the hash names, handles keys and dropped files, checks
// whether something has changed, and has parts/keeping.js keep what a device needs without a network. This
// module exports nothing.
//
// A view is a module that exports show(root, route, signal). show fills root; the signal aborts when
// the view is left, and then no timer or listener of the view may remain. show may return an object:
//   update(route)    shows other filters of the same view, in place of a new show
//   fresh()          promises true, or words, if the view has changed elsewhere, else false
//   passes()         shows what changes as time passes
//   show()           shows these changes, once "Show" is pressed
//   ready            promises the first answer, before which nothing else is loaded
//   keys             the keys of the view, in the form of common below

import {fill, h, isTyping, loadStyle, whenIdle} from "./lib/dom.js"
import {takeSettings} from "./lib/earlier.js"
import {kept} from "./lib/kept.js"
import {partLists} from "./lib/keptlists.js"
import {me, onMe, people, setMe} from "./lib/people.js"
import {isSample} from "./lib/service.js"
import {askSessions, endSession, hasSession} from "./lib/sessions.js"
import {flatHash, parse} from "./lib/state.js"
import {forgetStored, onForgotten, restore, store, stored} from "./lib/storage.js"
import {countNews, hideBadges, makeBar, markView, openView, setNews, viewLinks, withTyped} from "./parts/bar.js"
import {askDue, runningVisit, showDue} from "./parts/due.js"
import {tellTimes} from "./parts/flats.js"
import {icon} from "./parts/icons.js"
import {attempt, failed, forgetNotices, signInLink, undo} from "./parts/notice.js"
import {forgetMark} from "./parts/seen.js"
import {showList} from "./views/list.js"
import {clock, count, language, number, t, text} from "./words/format.js"

await restore()
takeSettings()
partLists()

const [main, chosen, fresh, age, help] = ["main", "chosen", "fresh", "kept", "help"]
	.map(id => document.getElementById(id))

document.documentElement.lang = language

// The sample says what it is. It asks nobody who they are: that would come before the first look.
if (isSample) {
	const words = document.getElementById("sample")
	words.hidden = false
	words.textContent = t.is_sample
}

// The share sheet of a phone adds title, text and url (manifest.webmanifest), which move to the hash of Add. An invite
// adds who uses the device, and the notice where one signs in adds sign-in. The address keeps none of them.
const sharedNames = ["title", "text", "url"]
const address = new URL(location)
const shared = [...address.searchParams].filter(([name]) => sharedNames.includes(name))
if (shared.length > 0) address.hash = "#/add?" + new URLSearchParams(shared)
const invited = address.searchParams.get("person")
if (people.includes(invited)) setMe(invited)
for (const name of ["person", "sign-in", ...sharedNames]) address.searchParams.delete(name)
if (address.href !== location.href) history.replaceState(null, "", address)

// The list restores its own place: the browser would scroll before the rows are there.
history.scrollRestoration = "manual"

Object.assign(kept.trail, stored("flats.trail", "sessionStorage"))
const person = h("span") // says who uses this device
const personButton = h("button", icon("person"), person, icon("down"), {"aria-haspopup": "dialog", click: askPerson})
const signOutButton = h("button.destroys", icon("sign_out"), t.sign_out, {hidden: true, click: signOut})
makeBar(h("button", icon("keys"), t.keys, {click: showKeys}), [people.length > 0 && personButton, signOutButton,
	h("button.destroys", icon("forget"), t.forget, {click: forgetDevice})], countMore)

// countMore shows, when the menu opens, where there is something to do.
async function countMore() {
	const {countDoubles, countVisits} = await import("./parts/menu.js")
	for (const count of [countVisits, countDoubles]) count().catch(() => {/* the number of before will do */})
}

// open shows the view of the hash. oldURL is the address before, if there was one.
async function open({oldURL}) {
	if (kept.isForgotten) return location.reload()
	// Each address in the history knows whether one came to it from a view of the page, for "Back" (views/flat.js).
	if (!history.state) history.replaceState({isFromPage: Boolean(oldURL)}, "")
	const route = withTyped(parse(location.hash))
	const previous = kept.current.route
	fill(fresh)
	fill(person, me() ?? t.who)
	personButton.ariaLabel = me() ? text(t.you_are, {name: me()}) : null
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
		const show = route.view === "list" ? showList : await showOf(route.view)
		if (mine === kept.current) mine.view = await show(root, route, leaving.signal) ?? {}
	} catch (error) {
		if (mine === kept.current) failed(error, () => location.reload())
	}
	if (mine !== kept.current) return
	setTitle()
	// If the focus was in the old view, it is lost.
	if (previous && document.activeElement === document.body) root.querySelector("h1")?.focus({preventScroll: true})
}

// showOf loads a view and its style.
async function showOf(view) {
	const [{show}] = await Promise.all([import(`./views/${view}.js`), loadStyle()])
	return show
}

// askPerson asks who uses this device.
async function askPerson() {
	const {askWho} = await import("./parts/who.js")
	askWho()
}

// Somebody else uses this device: the view is shown anew, as in parts/who.js.
onMe(() => {
	forgetNotices()
	forgetMark()
	dispatchEvent(new HashChangeEvent("hashchange"))
})

// leave ends the view that is shown.
function leave() {
	// Some controls save what was typed when they lose the focus.
	if (main.contains(document.activeElement)) document.activeElement.blur()
	kept.current.leaving.abort()
	scrollTo(0, 0)
}

// setTitle names the view in the title of the tab, after the number of flats that came since one looked last.
function setTitle() {
	const heading = main.querySelector("h1")?.textContent ?? t.list
	const {unseen} = kept.mark
	document.title = (unseen > 0 ? `(${number(unseen)}) ` : "") + [...new Set([heading, t.list])].join(" · ")
}

addEventListener("unseen", () => {
	setTitle()
	navigator.setAppBadge?.(kept.mark.unseen).catch(() => {/* only an installed page has a badge */})
})

addEventListener("hashchange", open)
addEventListener("unhandledrejection", ({reason}) => failed(reason))

// refresh checks whether the view has changed elsewhere, unless a check is under way: what that one has received must
// not be drawn by another.
function refresh() {
	const mine = kept.current
	mine.checking ??= check(mine).finally(() => {
		mine.checking = null
	})
}

// check offers to show what has changed elsewhere. Nothing moves without a press, because it might move under a finger.
async function check(mine) {
	const {view, route} = mine
	if (document.visibilityState !== "visible" || kept.isForgotten || mine !== kept.current) return
	tellTimes()
	if (!fresh.hasChildNodes()) view.passes?.() // what came would move with it
	if (kept.due) showDue() // another day may have begun
	const countsItself = ["list", "triage"].includes(route.view)
	if (!countsItself) {
		await countNews().catch(() => {/* the number of before will do */})
		if (kept.newsTag && mine.tag === kept.newsTag) return // nothing has changed since the view was asked
	}
	const tag = kept.newsTag
	let changed
	try {
		changed = await view.fresh?.()
		mine.tag = tag
	} catch {/* the view is asked again the next time */}
	if (!changed || view !== kept.current.view) return
	const words = typeof changed === "string" ? changed : t.elsewhere
	const click = () => {
		fill(fresh)
		view.show()
	}
	fill(fresh, h("button.primary", words, " · ", t.show, {click}))
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
addEventListener("answer", ({detail: asOf}) =>
	fill(age, asOf && text(kept.proxy ? t.as_of_silent : t.as_of, {time: clock(asOf)})))

// Somebody has to sign in. The line stays as it is after each further request: the link may have the focus.
addEventListener("signed-out", () => kept.isForgotten || age.querySelector("a") || fill(age, t.is_signed_out, " · ",
	signInLink()))

// The views that "g" and a letter open.
const places = {t: "today", f: "list", r: "triage", a: "add", v: "visits", m: "map", c: "compare", d: "duplicates",
	p: "prices"}

// The keys of all views, {key: [label, act]}. If act returns false, the browser handles the key.
const common = {
	"/": [t.search, search],
	u: [t.undo, undo],
	l: [t.list, () => openView("list")],
	t: [t.triage, () => openView("triage")],
	v: [t.visits, () => openView("visits")],
	a: [t.add, () => openView("add")],
	...Object.fromEntries(Object.entries(places).map(([key, view]) => ["g " + key, [t[view], () => openView(view)]])),
	"?": [t.keys, showKeys],
}
const keys = () => ({...common, ...kept.current.view.keys})

// withKeys reports whether single keys act. People who dictate switch them off, because each spoken word
// presses several keys.
const withKeys = () => stored("flats.keys") !== false

// Keys that repeat while they are held down are ignored: they would decide on flats that nobody has seen.
addEventListener("keydown", event => {
	if (event.repeat || event.altKey || document.querySelector("dialog[open]")) return
	if ((event.ctrlKey || event.metaKey) && event.key === "k") return showFinder(event)
	if (event.ctrlKey || event.metaKey || !withKeys() || isTyping(event.target)) return
	const before = kept.isGoing ? "g " : ""
	kept.isGoing = event.key === "g" && !before
	const [, act] = keys()[before + event.key] ?? []
	if (act && act() !== false) event.preventDefault()
})

async function showFinder(event) {
	event.preventDefault()
	const {showPalette} = await import("./parts/palette.js")
	if (!document.querySelector("dialog[open]")) showPalette(document.body, viewLinks())
}

// The skip link leads past the bar and the filters, to the first row or to the view.
fill(document.getElementById("skip"), t.skip_to, {click: () => (main.querySelector(".row a, h2 a") ?? main).focus()})

// search moves the focus to the search field of the list, and waits for the list if it has to open.
async function search() {
	if (kept.current.route.view !== "list") openView("list")
	const field = () => document.querySelector(".list #search")
	for (let frames = 0; frames < 60 && !field(); frames++) await new Promise(requestAnimationFrame)
	field()?.select()
}

async function showKeys() {
	const {fillHelp} = await import("./parts/keys.js")
	fillHelp(help, kept.current.view.keys ?? {}, common, withKeys())
}

// forgetDevice asks the user, and deletes everything that this browser keeps for the page.
async function forgetDevice() {
	if (await askToDrop(t.forget, t.forget_sure)) await forgetAll()
}

// signOut ends the session of this device, and then deletes what this browser keeps. It asks if something waits.
function signOut() {
	return attempt(async () => {
		if (!await askToDrop(t.sign_out)) return
		await endSession()
		await forgetAll()
	})
}

// askToDrop promises whether the user wants what waits to be dropped, and answers another question by the same press.
async function askToDrop(action, further) {
	const [{countUnsent}, {ask}] = await Promise.all([import("./parts/waiting.js"), import("./parts/question.js")])
	const n = countUnsent()
	const question = [n > 0 && count(t.forget_waiting, n), further].filter(Boolean).join(" ")
	return !question || ask(document.body, question, action)
}

async function forgetAll() {
	const [{forgetWaiting}, {forgetKept}] = await Promise.all(
		[import("./parts/waiting.js"), import("./parts/keeping.js")])
	end(t.forgetting)
	await Promise.all([forgetWaiting(), forgetKept()])
	endForgotten()
}

// The list of devices in Settings has "Sign out", too, and knows whether this device has a session.
addEventListener("sign-out", signOut)
addEventListener("sessions", () => {
	signOutButton.hidden = !hasSession()
})

onForgotten(() => kept.isForgotten || endForgotten())

// end shows words instead of the view, and stops the page. If the page went on or reloaded itself, the worker would
// keep everything again.
function end(words, ...more) {
	leave() // this keeps the place in the list
	forgetStored()
	forgetNotices()
	setNews(0)
	hideBadges()
	kept.current = {...kept.current, view: {}}
	for (const element of [chosen, fresh, age]) fill(element)
	fill(main, h("section.empty", h("h1", words), more))
	setTitle()
	main.querySelector("h1").focus()
}

const endForgotten = () => end(t.forgotten, h("button.primary", t.open_again, {click: () => location.reload()}))

// On a phone, what is due today comes first, unless the address names a view: while a visit runs, its notes.
if (!location.hash && matchMedia("(max-width: 899px)").matches) {
	const due = await askDue({patience: 3_000}).then(showDue, () => 0)
	const visit = due > 0 && runningVisit()
	if (due > 0) history.replaceState(null, "", visit ? flatHash(visit) : "#/today")
	if (visit) Object.assign(kept.trail, {hash: "#/today", notes: visit})
}

await open({})
await kept.current.view.ready
whenIdle(() => {
	if (people.length > 0 && !me() && !isSample) askPerson().catch(() => {/* the menu "More" can ask again */})
	import("./parts/waiting.js").then(({startWaiting}) => startWaiting())
	import("./parts/keeping.js").then(({startKeeping}) => startKeeping())
	if (kept.current.route.view !== "list") countNews().catch(() => {})
	askSessions().catch(() => {/* the menu is without "Sign out" */})
	if (!kept.due) askDue().catch(() => {/* the bar is without the number at Today */})
})
