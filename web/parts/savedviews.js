// The saved views: tabs and filters of the list under a name, which the service keeps for all devices.
//
// makeSavedViews makes their tabs in the list; savedmenu.js has the menu of one. showViews shows them elsewhere, bell
// makes the button that turns messages about one on and off, refreshViews asks for them again. Views that an earlier
// version kept in this browser are moved to the service.

import {call, viewPath} from "../lib/api.js"
import {controlsOf, fill, h} from "../lib/dom.js"
import {markName} from "../lib/fields.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {changeElements, elements} from "../lib/keptlists.js"
import {conditionsOf, queryOf} from "../lib/query.js"
import {hashOf, newestFirst, orderOf, parse} from "../lib/state.js"
import {relativeIn} from "../words/filters.js"
import {count, instant, t, text} from "../words/format.js"
import {currenciesIn} from "./filters.js"
import {icon} from "./icons.js"
import {attempt, decided, failed, tell} from "./notice.js"

export const putView = (name, members) => call(viewPath(name), {method: "PUT", body: JSON.stringify(members)})
const isShown = ({name}) => !name.startsWith(markName)
export const viewOf = name => kept.views.list.find(view => view.name === name)

// remove removes a view. It need not be there: another device may have removed it.
export const remove = name => call(viewPath(name), {method: "DELETE"}).catch(error => {
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

// refreshViews requests the views and shows them. If the request fails, the earlier ones stay.
export async function refreshViews() {
	const mine = kept.views.asked = call("views")
	try {
		const {data, asOf} = await mine
		if (mine !== kept.views.asked) return // a later answer is on its way
		kept.views.list = data.filter(isShown)
		if (!asOf && viewsHere().length > 0) await (kept.views.moving ??= moveViews())
		draw()
	} catch {/* the list does without */}
}

// alter makes a change at the service and shows the views after it. If the change fails, alter says so.
export async function alter(act) {
	try {
		await act()
		await refreshViews()
	} catch (error) {
		failed(error, () => alter(act), t.not_saved)
	}
}

// announce says what has changed, with "Undo", which calls back.
export const announce = (words, back) => decided(words, async () => {
	await back()
	await refreshViews()
})

// saveView saves a view. If the name is taken, perhaps by another device, it replaces that view.
const saveView = (name, members) => alter(async () => {
	await refreshViews()
	const before = viewOf(name)
	await putView(name, members)
	announce(text(before ? t.replaced : t.saved_as, {name}), () => (before ? putView(name, before) : remove(name)))
	if (members.notify) await offerBell()
})

// bell makes the button that turns messages about a view on and off.
export const bell = view => h("button.bell", {label: text(t.tell_about, view), title: t.notify,
	"aria-pressed": String(view.notify), click: () => ring(view)},
icon("bell"))

const ring = ({name, notify}) => alter(async () => {
	await putView(name, {notify: !notify})
	announce(text(notify ? t.told_off : t.told_on, {name}), () => putView(name, {notify}))
	if (!notify) await offerBell()
})

// offerBell offers messages on this device, or says that none can be sent yet.
async function offerBell() {
	const [{data: {configured}}, {offerHere}] = await Promise.all([call("notify"), import("./telling.js")])
	await offerHere(configured)
}

// listHash returns a page of the list as hashOf writes it, and null for any other page.
function listHash(page) {
	if (page == null) return null
	const {view, filters} = parse(page)
	return view === "list" ? hashOf("list", filters) : null
}

// makeSavedViews makes the tabs of the saved views, until the signal aborts. It returns their element with
// four functions:
//   show(filters)      marks the view with these filters as open
//   markSeen(first)    tells the service that the flats of the open view, of which first is the first one,
//                      have been seen
//   save()             asks for a name and saves the view under it
//   open()             returns the view that is open, if its filters have one
export function makeSavedViews(signal) {
	const element = h("nav.saved", {label: t.saved})
	let filters, hash

	function drawViews() {
		const at = controlsOf(element).indexOf(document.activeElement)
		fill(element, kept.views.list.map(view => viewTab(view, listHash(view.page) === hash)),
			viewsHere().map(view => localTab(view, listHash(view.hash) === hash)))
		const controls = controlsOf(element)
		const main = document.getElementById("main") // takes the focus once there are no views
		if (at >= 0) (controls[at] ?? controls.at(-1) ?? main).focus({preventScroll: true})
	}

	const answered = showViews(drawViews, signal)

	function show(next) {
		filters = next
		hash = hashOf("list", filters)
		drawViews()
		reveal()
	}

	// reveal scrolls the open view into sight: it comes first in the line.
	function reveal() {
		if (element.querySelector("[aria-current]")) element.parentNode.scrollLeft = 0
	}

	async function see(first) {
		const open = {filters, hash} // others may be chosen meanwhile
		await answered
		const view = kept.views.list.find(({page}) => listHash(page) === open.hash)
		if (!view) return
		if (orderOf(open.filters) !== newestFirst) {
			const newest = queryOf({...open.filters, sort: newestFirst})
			first = (await find(newest, {"page[size]": 1, fields: "first_seen"})).flats[0]
		}
		if (instant(first?.first_seen) <= instant(view.seen)) return
		await putView(view.name, {seen: first.first_seen})
		await refreshViews()
	}

	async function save() {
		const relative = relativeIn(filters)
		if (relative) return tell(text(t.relative, {name: relative}))
		const members = {query: conditionsOf(filters), page: hash}
		const {askName, nameFor} = await import("./naming.js")
		const [currency, ...others] = currenciesIn(kept.list.currencies)
		askName(element.parentNode.parentNode, nameFor(filters, 60, others.length > 0 ? undefined : currency),
			async (name, notify) => {
				await saveView(name, notify ? {...members, notify} : members)
				reveal()
			}, t.save, {told: true})
	}

	const open = () => kept.views.list.find(({page}) => listHash(page) === hash)

	return {element, show, open, markSeen: first => see(first).catch(() => {/* it stays new */}), save}
}

// viewTab makes the tab of a view. The open view, and one that this page cannot open, have a menu.
function viewTab(view, isOpen) {
	const {name, page, error} = view
	const n = view.new > 0 && [" ", h("b", count(t.n_new, view.new))]
	const wrong = error && [" ", h("small.wrong", isOpen ? error : t.refused, {title: error})]
	const mark = (name, words) => [icon(name), h("span.sr", ", ", words)]
	const marks = [view.notify && mark("bell", t.notify), view.rule && mark("rule", t["rule_is_" + view.rule])]
	const words = [icon("saved"), nameIn(name), n, wrong, marks]
	return h("span.view", page ? h("a", words, {href: page, "aria-current": isOpen && "page"})
		: h("span", words, {title: t.no_page}), (isOpen || !page) && menuButton(name, ({itemsOf}) => itemsOf(view)))
}

// menuButton makes the button for the menu of a view. items returns what the menu has, given savedmenu.js.
const menuButton = (name, items) => h("button.close", icon("more"), {label: text(t.view_menu, {name}),
	title: t.view_actions, "aria-haspopup": "true", click: ({currentTarget}) => attempt(async () => {
		const menu = await import("./savedmenu.js")
		menu.openMenu(currentTarget, items(menu))
	})})

// nameIn makes the name in a tab, which is truncated if it is long.
const nameIn = name => h("span.name", name, {title: name})

// Views of this browser

const key = "flats.searches"

// viewsHere returns the views that this browser still keeps, [{name, hash, opened}].
const viewsHere = () => elements(key)

const isOther = ({name, hash}) => other => other.name !== name || other.hash !== hash

const dropLocal = view => changeElements(key, all => all.filter(isOther(view)))

// moveViews moves the views of this browser to the service. A view stays here until the service has it; after a
// reload, or if another tab has moved it, it is recognized there. One that the service rejects stays here.
async function moveViews() {
	try {
		for (const view of viewsHere()) await move(view)
		kept.views.list = (await call("views")).data.filter(isShown)
	} catch {
		kept.views.moving = null // the rest is moved later
	}
}

async function move(view) {
	const {name, hash, opened} = view
	const {filters} = parse(hash)
	const relative = relativeIn(filters)
	if (relative) {
		kept.views.reasons.set(name, text(t.relative, {name: relative}))
		return
	}
	const query = conditionsOf(filters)
	const {data, asOf} = await call("views")
	if (asOf) throw new Error("no network")
	if (viewsHere().every(isOther(view))) return // another tab has moved it
	const numbered = n => (n > 1 ? `${name} (${n})` : name)
	let n = 1
	while (data.some(other => other.name === numbered(n) && other.query !== query)) n++
	try {
		if (!data.some(other => other.name === numbered(n))) await putView(numbered(n), {query, page: hash, seen: opened})
		dropLocal(view)
	} catch (error) {
		if (![400, 404, 405].includes(error.status)) throw error
		kept.views.reasons.set(name, error.message)
	}
}

// localTab makes the tab of a view that stays in this browser. While the view is open, it says why the view stays here.
function localTab(view, isOpen) {
	const {name, hash} = view
	const words = [t.only_here, isOpen && kept.views.reasons.get(name)].filter(Boolean).join(": ")
	return h("span.view", h("a", icon("saved"), nameIn(name), " ",
		h("small", words, {title: kept.views.reasons.get(name)}), {href: hash, "aria-current": isOpen && "page"}),
	isOpen && menuButton(name, ({itemsOfLocal}) => itemsOfLocal(view, () => removeLocal(view))))
}

function removeLocal(view) {
	dropLocal(view)
	draw()
	decided(text(t.removed, view), () => {
		changeElements(key, all => [view, ...all.filter(isOther(view))])
		draw()
	})
}
