// The tabs of the saved views in the list. savedmenu.js has their menu.

import {controlsOf, fill, h} from "../lib/dom.js"
import {currenciesIn} from "../lib/fields.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {conditionsOf, queryOf} from "../lib/query.js"
import {hashOf, newestFirst, orderOf, parse} from "../lib/state.js"
import {datedFilterIn} from "../words/filters.js"
import {count, instant, number, t, text} from "../words/format.js"
import {icon} from "./icons.js"
import {attempt, tell} from "./notice.js"
import {putView, refreshViews, removeLocal, saveView, showViews, viewsHere} from "./savedviews.js"

// listHash returns a hash of the list as hashOf writes it, so that two for the same filters are equal. It returns null
// for a hash of another view, and for null, as the page of a saved view may be.
function listHash(hash) {
	if (hash == null) return null
	const {view, filters} = parse(hash)
	return view === "list" ? hashOf("list", filters) : null
}

// makeSavedViews makes the tabs of the saved views, until the signal aborts. It returns their element and functions:
//   show(filters)      marks the view with these filters as open
//   markSeen(first)    tells the service that the flats of the open view have been seen; first is the first one shown
//   save()             asks for a name and saves a view with the present filters
//   open()             returns the open view, or undefined
export function makeSavedViews(signal) {
	const element = h("nav.saved", {label: t.saved})
	let filters, hash

	function drawViews() {
		const at = controlsOf(element).indexOf(document.activeElement)
		const isOpen = view => listHash(view.page) === hash
		const closedRules = kept.views.list.filter(view => view.rule && !isOpen(view))
		const views = kept.views.list.filter(view => !closedRules.includes(view))
		fill(element, views.map(view => viewTab(view, isOpen(view))), closedRules.length > 0 && rulesTab(closedRules),
			viewsHere().map(view => localTab(view, listHash(view.hash) === hash)))
		const controls = controlsOf(element)
		const main = document.getElementById("main") // gets the focus if no view is left
		if (at >= 0) (controls[at] ?? controls.at(-1) ?? main).focus({preventScroll: true})
	}

	const answered = showViews(drawViews, signal)

	function show(next) {
		filters = next
		hash = hashOf("list", filters)
		drawViews()
		reveal()
	}

	// reveal scrolls to the open view, which the style sheet puts first.
	function reveal() {
		if (element.querySelector("[aria-current]")) element.parentNode.scrollLeft = 0
	}

	// storeSeen does what markSeen does, but may fail. If the newest flat does not come first in the list, it requests
	// that flat.
	async function storeSeen(first) {
		const open = {filters, hash} // these may change while storeSeen waits
		await answered
		const view = kept.views.list.find(({page}) => listHash(page) === open.hash)
		if (!view) return
		let newest = first
		if (orderOf(open.filters) !== newestFirst) {
			const query = queryOf({...open.filters, sort: newestFirst})
			newest = (await find(query, {"page[size]": 1, fields: "first_seen"})).flats[0]
		}
		if (instant(newest?.first_seen) <= instant(view.seen)) return
		await putView(view.name, {seen: newest.first_seen})
		await refreshViews()
	}

	async function save() {
		const datedFilter = datedFilterIn(filters)
		if (datedFilter) return tell(text(t.relative, {name: datedFilter}))
		const members = {query: conditionsOf(filters), page: hash}
		const {askName, nameFor} = await import("./naming.js")
		const currencies = currenciesIn(kept.list.currencies)
		const proposal = nameFor(filters, 60, currencies.length === 1 ? currencies[0] : undefined)
		const saveAs = async (name, notify) => {
			await saveView(name, notify ? {...members, notify} : members)
			reveal()
		}
		askName(element.parentNode.parentNode, proposal, saveAs, t.save, {canTell: true})
	}

	const open = () => kept.views.list.find(({page}) => listHash(page) === hash)

	return {element, show, open, markSeen: first => storeSeen(first).catch(() => {/* it stays new */}), save}
}

// viewTab makes the tab of a view. The open view has a menu, and so does a view without a page.
function viewTab(view, isOpen) {
	const {name, page, error} = view
	const n = view.new > 0 && [" ", h("b", count(t.n_new, view.new))]
	const wrong = error && [" ", h("small.wrong", isOpen ? error : t.view_fails, {title: error})]
	const mark = (iconName, words) => [icon(iconName), h("span.sr", ", ", words)]
	const marks = [view.notify && mark("bell", t.notify), view.rule && mark("rule", t["rule_is_" + view.rule])]
	const words = [icon("saved"), nameIn(name), n, wrong, marks]
	return h("span.view", page ? h("a", words, {href: page, "aria-current": isOpen && "page"})
		: h("span", words, {title: t.view_of_others}), (isOpen || !page) && menuButton(name, ({itemsOf}) => itemsOf(view)))
}

// rulesTab makes the button for a menu of the rules. Rules decide by themselves and are seldom opened, so they get no
// tabs of their own.
const rulesTab = rules => h("span.view", h("button", icon("rule"), t.rules, " ", number(rules.length),
	{"aria-haspopup": "true", click: ({currentTarget}) => attempt(async () => {
		const {openMenu, itemOfRule} = await import("./savedmenu.js")
		openMenu(currentTarget, rules.map(itemOfRule))
	})}))

// menuButton makes the button for the menu of a view. items(savedmenu) returns the items, given the module
// savedmenu.js, which a press loads.
const menuButton = (name, items) => h("button.close", icon("more"), {label: text(t.view_menu, {name}),
	title: t.view_actions, "aria-haspopup": "true", click: ({currentTarget}) => attempt(async () => {
		const menu = await import("./savedmenu.js")
		menu.openMenu(currentTarget, items(menu))
	})})

// nameIn makes the name in a tab, which CSS shortens.
const nameIn = name => h("span.name", name, {title: name})

// localTab makes the tab of a view that is only in this browser, with the reason for that while it is open.
function localTab(view, isOpen) {
	const {name, hash} = view
	const words = [t.only_here, isOpen && kept.views.reasons.get(name)].filter(Boolean).join(": ")
	return h("span.view", h("a", icon("saved"), nameIn(name), " ",
		h("small", words, {title: kept.views.reasons.get(name)}), {href: hash, "aria-current": isOpen && "page"}),
	isOpen && menuButton(name, ({itemsOfLocal}) => itemsOfLocal(view, () => removeLocal(view))))
}
