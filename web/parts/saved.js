// The saved searches: views of the list under a name, which the service keeps for all devices.
//
// savedSearches makes their chips in the list. showViews shows them elsewhere, bell makes the button that turns
// messages about one on and off, refreshViews asks for them again. Searches that an earlier version kept in
// this browser are moved to the service.

import {call} from "../lib/api.js"
import {controlsOf, fill, h, svg} from "../lib/dom.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {parametersOf, queryOf} from "../lib/query.js"
import {hashOf, newestFirst, orderOf, parse} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {describeView, relativeIn} from "../words/filters.js"
import {count, instant, t, text} from "../words/format.js"
import {decided, failed, tell} from "./notice.js"

const path = name => "views/" + encodeURIComponent(name)
const put = (name, members) => call(path(name), {method: "PUT", body: JSON.stringify(members)})
const viewOf = name => kept.views.list.find(view => view.name === name)

// remove removes a view. It need not be there: another device may have removed it.
const remove = name => call(path(name), {method: "DELETE"}).catch(error => {
	if (error.status !== 404) throw error
})

const draw = () => dispatchEvent(new Event("views"))

// showViews calls act(views), now and whenever the views have changed, until the signal aborts. It returns the
// promise of an answer.
export function showViews(act, signal) {
	addEventListener("views", () => act(kept.views.list), {signal})
	draw()
	return refreshViews()
}

// refreshViews asks for the views and shows them. If there is no answer, those of before stay.
export async function refreshViews() {
	const mine = kept.views.asked = call("views")
	try {
		const {data, asOf} = await mine
		if (mine !== kept.views.asked) return // a later answer is on its way
		kept.views.list = data
		if (!asOf && searchesHere().length > 0) await (kept.views.moving ??= moveSearches())
		draw()
	} catch {/* the list does without */}
}

// alter makes a change at the service and shows the views as they are after it. If it fails, alter says so.
async function alter(act) {
	try {
		await act()
		await refreshViews()
	} catch (error) {
		failed(error, () => alter(act), t.not_saved)
	}
}

// altered shows a change with "Undo", which calls back.
const altered = (words, back) => decided(words, async () => {
	await back()
	await refreshViews()
})

const removeView = view => alter(async () => {
	await remove(view.name)
	altered(text(t.removed, view), () => put(view.name, view))
})

// saveView saves a view. If the name has been taken, also by another device, it replaces that view.
const saveView = (name, members) => alter(async () => {
	await refreshViews()
	const before = viewOf(name)
	await put(name, members)
	altered(text(before ? t.replaced : t.saved_as, {name}), () => (before ? put(name, before) : remove(name)))
})

// bell makes the button that turns messages about a view on and off.
export const bell = view => h("button.bell", {label: text(t.tell_about, view), title: t.notify,
	"aria-pressed": String(view.notify), click: () => ring(view)},
svg("svg", {viewBox: "0 0 16 16", "aria-hidden": "true"},
	svg("path", {d: "M8 2a4 4 0 0 0-4 4v3l-1.5 2.5h11L12 9V6a4 4 0 0 0-4-4zM6.5 13.5a1.5 1.5 0 0 0 3 0"})))

const ring = ({name, notify}) => alter(async () => {
	const {data: {configured}} = await call("notify")
	await put(name, {notify: !notify})
	altered(text(notify ? t.told_off : t.told_on, {name}), () => put(name, {notify}))
	if (!notify && !configured) tell(t.told_nobody, {act: [t.notify, () => (location.hash = hashOf("notify"))]})
})

// listHash returns a page of the list as hashOf writes it, and null for any other page.
function listHash(page) {
	const {view, filters} = parse(page ?? "#/flat")
	return view === "list" ? hashOf("list", filters) : null
}

// savedSearches makes the chips of the saved searches, until the signal aborts. It returns their element with
// three functions:
//   show(filters)      marks the search with these filters as open
//   markSeen(first)    tells the service that the flats of the open search, of which first is the first one,
//                      have been seen
//   save()             asks for a name and saves the view under it
export function savedSearches(signal) {
	const element = h("nav.saved", {label: t.saved})
	let filters, hash

	function drawChips() {
		const at = controlsOf(element).indexOf(document.activeElement)
		fill(element, kept.views.list.map(view => viewChip(view, listHash(view.page) === hash)),
			searchesHere().map(search => searchChip(search, listHash(search.hash) === hash)))
		const controls = controlsOf(element)
		const main = document.getElementById("main") // takes the focus once there are no chips
		if (at >= 0) (controls[at] ?? controls.at(-1) ?? main).focus({preventScroll: true})
	}

	const answered = showViews(drawChips, signal)

	function show(next) {
		filters = next
		hash = hashOf("list", filters)
		drawChips()
	}

	async function see(first) {
		const [seen, seenHash] = [filters, hash] // others may be chosen meanwhile
		await answered
		const view = kept.views.list.find(({page}) => listHash(page) === seenHash)
		if (!view) return
		if (orderOf(seen) !== newestFirst) {
			const newest = parametersOf({...seen, sort: newestFirst})
			first = (await find(newest, {"page[size]": 1, fields: "first_seen"})).flats[0]
		}
		if (instant(first?.first_seen) <= instant(view.seen)) return
		await put(view.name, {seen: first.first_seen})
		await refreshViews()
	}

	function save() {
		const relative = relativeIn(filters)
		if (relative) return tell(text(t.relative, {name: relative}))
		const members = {query: queryOf(filters), page: hash}
		const name = prompt(t.save, describeView(filters).slice(0, 60))?.trim()
		if (/^\.\.?$/.test(name)) tell(text(t.no_name, {name})) // a browser takes these out of each path
		else if (name) saveView(name, members)
	}

	return {element, show, markSeen: first => see(first).catch(() => {/* it stays new */}), save}
}

// viewChip makes the chip of a view. The open view can be removed, and so can one that this page cannot open.
function viewChip(view, isOpen) {
	const {name, page, error} = view
	const n = view.new > 0 && [" ", h("b", count(t.n_new, view.new))]
	const wrong = error && [" ", h("small.wrong", isOpen ? error : t.refused, {title: error})]
	return h("span.chip", page ? h("a", nameIn(name), n, wrong, {href: page, "aria-current": isOpen && "page"})
		: h("span", nameIn(name), n, wrong, {title: t.no_page}),
	bell(view), (isOpen || !page) && removeButton(name, () => removeView(view)))
}

// nameIn makes the name in a chip, which is cut where it is long.
const nameIn = name => h("span.name", name, {title: name})

const removeButton = (name, click) => h("button.close", "×", {label: text(t.remove, {name}), click})

// Searches of this browser

const key = "flats.searches"

// searchesHere returns the searches that this browser still keeps, [{name, hash, opened}].
const searchesHere = () => stored(key) ?? []

const without = ({name, hash}) => searchesHere().filter(other => other.name !== name || other.hash !== hash)

function dropSearch(search) {
	const others = without(search)
	store(key, others.length > 0 ? others : null)
}

// moveSearches moves the searches of this browser to the service. A search stays until the service has it, and
// is found there if a reload or another tab came between. One that the service refuses stays here.
async function moveSearches() {
	try {
		for (const search of searchesHere()) await move(search)
		kept.views.list = (await call("views")).data
	} catch {
		kept.views.moving = null // the rest is moved later
	}
}

async function move(search) {
	const {name, hash, opened} = search
	const {filters} = parse(hash)
	const relative = relativeIn(filters)
	if (relative) return void (kept.views.reasons[name] = text(t.relative, {name: relative}))
	const query = queryOf(filters)
	const {data, asOf} = await call("views")
	if (asOf) throw new Error("no network")
	if (without(search).length === searchesHere().length) return // another tab has moved it
	const numbered = n => (n > 1 ? `${name} (${n})` : name)
	let n = 1
	while (data.some(view => view.name === numbered(n) && view.query !== query)) n++
	try {
		if (!data.some(view => view.name === numbered(n))) await put(numbered(n), {query, page: hash, seen: opened})
		dropSearch(search)
	} catch (error) {
		if (![400, 404, 405].includes(error.status)) throw error
		kept.views.reasons[name] = error.message
	}
}

// searchChip makes the chip of a search that stays in this browser. It says why once the search is open.
function searchChip(search, isOpen) {
	const {name, hash} = search
	const words = [t.only_here, isOpen && kept.views.reasons[name]].filter(Boolean).join(": ")
	return h("span.chip", h("a", nameIn(name), " ", h("small", words, {title: kept.views.reasons[name]}),
		{href: hash, "aria-current": isOpen && "page"}), isOpen && removeButton(name, () => removeSearch(search)))
}

function removeSearch(search) {
	const before = searchesHere()
	dropSearch(search)
	draw()
	decided(text(t.removed, search), () => {
		store(key, before)
		draw()
	})
}
