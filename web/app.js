// The frame of the page: opens the view in the hash, handles keys and dropped files, and checks for changes elsewhere.
// It exports nothing.
//
// A view is a module in views/ that exports show(root, route, signal). show fills root. The signal aborts when the view
// is left; then no timer or listener of the view may remain. show may return, or promise, an object:
//   update(route)    shows other filters of the same view, instead of a new show
//   findChanges()    promises true, or words, if the view has changed elsewhere, else a falsy value
//   show()           shows these changes, after "Show" is pressed
//   onMinute()       updates what changes with time; it is called once a minute
//   ready            promises the first answer; nothing else is loaded before
//   keys             the keys of the view, in the form of common below

import {fill, h, isTyping, loadStyle, whenIdle} from "./lib/dom.js"
import {takeSettings} from "./lib/earlier.js"
import {kept} from "./lib/kept.js"
import {splitLists} from "./lib/keptlists.js"
import {me, onMe, people, setMe} from "./lib/people.js"
import {isSample} from "./lib/service.js"
import {askSessions, endSession, hasSession} from "./lib/sessions.js"
import {flatHash, parse} from "./lib/state.js"
import {forgetStored, onForgottenElsewhere, restore, store, stored} from "./lib/storage.js"
import {countNews, hideBadges, makeBar, markView, openView, setNews, viewLinks, withTyped} from "./parts/bar.js"
import {askDue, runningVisit, showDue} from "./parts/due.js"
import {updateTimes} from "./parts/flats.js"
import {icon} from "./parts/icons.js"
import {attempt, failed, forgetNotices, signInLink, undo} from "./parts/notice.js"
import {forgetMark} from "./parts/seen.js"
import {showList} from "./views/list.js"
import {clock, count, language, number, t, text} from "./words/format.js"

await restore()
takeSettings()
splitLists()

// Elements of index.html: the view, the flats chosen for comparison, the button that shows changes elsewhere, the line
// about the network and the age of kept answers, and the help about keys
const [main, chosen, fresh, age, help] = ["main", "chosen", "fresh", "kept", "help"]
	.map(id => document.getElementById(id))

document.documentElement.lang = language

// The sample says that it is one.
if (isSample) {
	const words = document.getElementById("sample")
	words.hidden = false
	words.textContent = t.is_sample
}

// Read the parameters of the address, and remove them from it: title, text and url, for Add, come from the share sheet
// of a phone (manifest.webmanifest); person, who uses the device, from an invite; sign-in from the page to sign in.
const sharedNames = ["title", "text", "url"]
const address = new URL(location)
const shared = [...address.searchParams].filter(([name]) => sharedNames.includes(name))
if (shared.length > 0) address.hash = "#/add?" + new URLSearchParams(shared)
const invited = address.searchParams.get("person")
if (people.includes(invited)) setMe(invited)
for (const name of ["person", "sign-in", ...sharedNames]) address.searchParams.delete(name)
if (address.href !== location.href) history.replaceState(null, "", address)

// The list restores its place by itself: the browser would scroll before the rows are there.
history.scrollRestoration = "manual"

Object.assign(kept.trail, stored("flats.trail", "sessionStorage")) // as it was before a reload
const person = h("span") // says who uses this device
const personButton = h("button", icon("person"), person, icon("down"), {"aria-haspopup": "dialog", click: askPerson})
const signOutButton = h("button.destroys", icon("sign_out"), t.sign_out, {hidden: true, click: signOut})
makeBar(h("button", icon("keys"), t.keys, {click: showKeys}), [people.length > 0 && personButton, signOutButton,
	h("button.destroys", icon("forget"), t.forget, {click: forgetDevice})], countMore)

// countMore updates the numbers in the menu when it opens.
async function countMore() {
	const {countDoubles, countVisits} = await import("./parts/menu.js")
	for (const countOne of [countVisits, countDoubles]) countOne().catch(() => {/* the number of before will do */})
}

// open shows the view in the hash. oldURL is the address before, if there was one.
async function open({oldURL}) {
	if (kept.isForgotten) return location.reload()
	// Mark each entry of the history that was opened from another view of the page, for "Back" (views/flat.js).
	if (!history.state) history.replaceState({isFromPage: Boolean(oldURL)}, "")
	const route = withTyped(parse(location.hash)) // with filters that were typed just before
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
	if (oldURL && previous.view !== "flat") kept.trail.hash = new URL(oldURL).hash || "#/" // for "Back" on a flat
	leave()
	store("flats.trail", kept.trail, "sessionStorage")
	const leaving = new AbortController()
	const root = h("section." + route.view)
	const opening = {route, leaving, view: {}} // view becomes what show returns
	kept.current = opening // until another view is opened, perhaps before this one has loaded
	fill(main, root)
	try {
		const show = route.view === "list" ? showList : await showOf(route.view)
		if (opening === kept.current) opening.view = await show(root, route, leaving.signal) ?? {}
	} catch (error) {
		if (opening === kept.current) failed(error, () => location.reload())
	}
	if (opening !== kept.current) return
	setTitle()
	// If the old view had the focus, the body has it now.
	if (previous && document.activeElement === document.body) root.querySelector("h1")?.focus({preventScroll: true})
}

// showOf loads a view, and promises its show.
async function showOf(view) {
	const [{show}] = await Promise.all([import(`./views/${view}.js`), loadStyle()])
	return show
}

// askPerson asks who uses this device.
async function askPerson() {
	const {askWho} = await import("./parts/who.js")
	askWho()
}

// Another tab says that somebody else uses this device: show the view anew, as parts/who.js does.
onMe(() => {
	forgetNotices()
	forgetMark()
	dispatchEvent(new HashChangeEvent("hashchange"))
})

// leave ends the current view.
function leave() {
	// Some controls save their input when they lose the focus.
	if (main.contains(document.activeElement)) document.activeElement.blur()
	kept.current.leaving.abort()
	scrollTo(0, 0)
}

// setTitle sets the title of the tab: the number of unseen flats, and the heading of the view.
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

// refresh starts a check for changes elsewhere, unless one is running: a check must draw only what it has received
// itself.
function refresh() {
	const {current} = kept
	current.checking ??= check(current).finally(() => {
		current.checking = null
	})
}

// check offers to show changes elsewhere. Nothing moves without a press, because it might move under a finger. checked
// is the open view (kept.current) when the check begins.
async function check(checked) {
	const {view, route} = checked
	if (document.visibilityState !== "visible" || kept.isForgotten || checked !== kept.current) return
	updateTimes()
	const offersChanges = fresh.hasChildNodes() // onMinute would show them without a press
	if (!offersChanges) view.onMinute?.()
	if (kept.due) showDue() // the day may have changed
	const hasOwnTag = ["list", "triage"].includes(route.view) // their findChanges compares the tag of their own request
	if (!hasOwnTag) {
		await countNews().catch(() => {/* the number of before will do */})
		const isUnchanged = kept.newsTag && checked.tag === kept.newsTag // since the last check of this view
		if (isUnchanged) return
	}
	const tag = kept.newsTag
	let changed
	try {
		changed = await view.findChanges?.()
		checked.tag = tag
	} catch {/* try again the next time */}
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
addEventListener("dragover", event => {
	if (event.dataTransfer.types.includes("Files")) event.preventDefault()
})
addEventListener("drop", async event => {
	const files = [...event.dataTransfer.files]
	if (files.length === 0) return
	event.preventDefault()
	const {importFiles} = await import("./views/import.js")
	importFiles(files)
})

// While answers come from the worker, say how old they are, and whether a proxy answers instead of the service.
addEventListener("answer", ({detail: asOf}) =>
	fill(age, asOf && text(kept.proxy ? t.as_of_silent : t.as_of, {time: clock(asOf)})))

// Offer to sign in. A line that already has the link stays as it is, because the link may have the focus.
addEventListener("signed-out", () => {
	if (kept.isForgotten || age.querySelector("a")) return
	fill(age, t.is_signed_out, " · ", signInLink())
})

// places has the views that "g" and a letter open.
const places = {t: "today", f: "list", r: "triage", a: "add", v: "visits", m: "map", c: "compare", d: "duplicates",
	p: "prices"}

// common has the keys of all views, {key: [label, act]}. If act returns false, the browser handles the key.
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

// areKeysOn reports whether single keys act. People who dictate turn them off, because each spoken word presses several
// keys.
const areKeysOn = () => stored("flats.keys") !== false

// Repeated keys are ignored: a key that is held down would decide on flats that nobody has seen.
addEventListener("keydown", event => {
	if (event.repeat || event.altKey || document.querySelector("dialog[open]")) return
	if ((event.ctrlKey || event.metaKey) && event.key === "k") return showFinder(event)
	if (event.ctrlKey || event.metaKey || !areKeysOn() || isTyping(event.target)) return
	const prefix = kept.isGoing ? "g " : ""
	kept.isGoing = event.key === "g" && !prefix
	const [, act] = keys()[prefix + event.key] ?? []
	if (act && act() !== false) event.preventDefault()
})

// showFinder opens the palette.
async function showFinder(event) {
	event.preventDefault()
	const {showPalette} = await import("./parts/palette.js")
	if (!document.querySelector("dialog[open]")) showPalette(document.body, viewLinks())
}

// The skip link leads past the bar and the filters, to the first row or the first button of the view.
fill(document.getElementById("skip"), t.skip_to, {click: () => (main.querySelector(".row a, h2 a") ?? main).focus()})

// search focuses the search field, after opening the list if necessary.
async function search() {
	if (kept.current.route.view !== "list") openView("list")
	const field = () => document.querySelector(".list #search")
	const mostFrames = 60 // about a second, in which the list opens
	for (let frames = 0; frames < mostFrames && !field(); frames++) await new Promise(requestAnimationFrame)
	field()?.select()
}

// showKeys opens the help about keys.
async function showKeys() {
	const {fillHelp} = await import("./parts/keys.js")
	fillHelp(help, {viewKeys: kept.current.view.keys ?? {}, commonKeys: common, areOn: areKeysOn()})
}

// forgetDevice asks, and then deletes everything that this browser keeps for the page.
async function forgetDevice() {
	if (await askToDrop(t.forget, t.forget_sure)) await forgetAll()
}

// signOut ends the session of this device and deletes what the browser keeps. If changes wait, it asks first.
function signOut() {
	return attempt(async () => {
		if (!await askToDrop(t.sign_out)) return
		await endSession()
		await forgetAll()
	})
}

// askToDrop promises whether to go on with an action, which drops waiting changes. It asks if changes wait or if a
// further question, sure, is given.
async function askToDrop(action, sure) {
	const [{countUnsent}, {ask}] = await Promise.all([import("./parts/waiting.js"), import("./parts/question.js")])
	const n = countUnsent()
	const question = [n > 0 && count(t.forget_waiting, n), sure].filter(Boolean).join(" ")
	return !question || ask(document.body, question, action)
}

// forgetAll deletes everything that the browser keeps, and ends the page.
async function forgetAll() {
	const [{forgetWaiting}, {forgetKept}] = await Promise.all(
		[import("./parts/waiting.js"), import("./parts/keeping.js")])
	end(t.forgetting)
	await Promise.all([forgetWaiting(), forgetKept()])
	endForgotten()
}

// "Sign out" is also in the list of devices in Settings, which updates the sessions.
addEventListener("sign-out", signOut)
addEventListener("sessions", () => {
	signOutButton.hidden = !hasSession()
})

// Another tab was told to forget. This one ends, too, unless it has already done so.
onForgottenElsewhere(() => {
	if (!kept.isForgotten) endForgotten()
})

// end shows words instead of the view, and stops the page. If the page continued or reloaded itself, the worker would
// keep everything again.
function end(words, ...more) {
	leave() // this stores the place in the list, so it comes before forgetStored
	forgetStored()
	forgetNotices()
	setNews(0)
	hideBadges()
	kept.current = {...kept.current, view: {}} // without keys and updates
	for (const element of [chosen, fresh, age]) fill(element)
	fill(main, h("section.empty", h("h1", words), more))
	setTitle()
	main.querySelector("h1").focus()
}

const endForgotten = () => end(t.forgotten, h("button.primary", t.open_again, {click: () => location.reload()}))

// Without a view in the address, a phone (as in style.css) opens the flat that is being visited, at its notes, or else
// Today if something is due. Over a slow network it opens the list: nothing is shown while askDue waits.
if (!location.hash && matchMedia("(max-width: 899px)").matches) {
	const numberDue = await askDue({patience: 3_000}).then(showDue, () => 0)
	const visited = numberDue > 0 && runningVisit() // the id of the flat
	if (numberDue > 0) history.replaceState(null, "", visited ? flatHash(visited) : "#/today")
	// "Back" then leads to Today, and the flat opens at its notes.
	if (visited) Object.assign(kept.trail, {hash: "#/today", notes: visited})
}

await open({})
await kept.current.view.ready
whenIdle(() => {
	// The sample does not ask who uses the device: visitors first want to look around.
	if (people.length > 0 && !me() && !isSample) askPerson().catch(() => {/* the menu "More" can ask again */})
	import("./parts/waiting.js").then(({startWaiting}) => startWaiting())
	import("./parts/keeping.js").then(({startKeeping}) => startKeeping())
	if (kept.current.route.view !== "list") countNews().catch(() => {})
	askSessions().catch(() => {/* the menu has no "Sign out" */})
	if (!kept.due) askDue().catch(() => {/* the bar has no number at Today */})
})
