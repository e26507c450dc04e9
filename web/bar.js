// The bar at the top with the views and the number of new flats, and the one at the bottom with the
// flats chosen for comparison.
//
// app.js calls makeBar, withTyped, markView and openView. setNews and countNews set the number of new flats.
// chosen, withChosen, choose and setChosen read and change the flats to compare, which this browser keeps.

import {look, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {count, number, t} from "./format.js"
import {say, tell, undoButton} from "./notice.js"
import {compareHash, hashOf, parametersOf, parse, store, stored, tally, typed} from "./state.js"

const first = ["list", "triage", "visits", "add"]
const further = ["map", "compare", "duplicates", "prices", "import", "notify"]
const filtered = ["list", "triage", "map", "prices"] // these share their filters

const badge = h("b.badge", {hidden: true})
const links = Object.fromEntries([...first, ...further].map(view => [view, h("a", t[view])]))
links.triage.append(" ", badge)

let filters = stored("flats.filters", "sessionStorage") ?? {}
let news // the number of new flats with these filters, once it is known
let ids = [] // the ids of the flats to compare

// makeBar fills the bar. "More" opens a menu with further views and, below them, the actions, [label,
// function].
export function makeBar(...actions) {
	const menu = h("nav#menu", {popover: "auto", label: t.more, click: () => menu.hidePopover()},
		further.map(view => links[view]), actions.map(([label, click]) => h("button", label, {click})))
	fill(document.getElementById("bar"), h("nav.views", {label: t.views}, first.map(view => links[view])),
		undoButton, h("button.menu", t.more, {popovertarget: menu.id, "aria-haspopup": "true"}), menu)
	setChosen(stored("flats.compare") ?? [])
}

// withTyped returns a route with the filters that were typed before it was opened, and puts them into the address. If
// its view has no filters, the links keep them.
export function withTyped(route) {
	const given = {...typed}
	for (const name in given) delete typed[name]
	if (Object.keys(given).length === 0) return route
	if (filtered.includes(route.view)) {
		history.replaceState(null, "", hashOf(route.view, {...route.filters, ...given}))
		return parse(location.hash)
	}
	filters = {...filters, ...given}
	countNews().catch(() => {})
	return route
}

// markView marks the view of a route, and puts its filters into the links.
export function markView(route) {
	if (filtered.includes(route.view) && hashOf("list", filters) !== hashOf("list", route.filters)) {
		filters = route.filters
		// The list and the triage count for themselves.
		if (!["list", "triage"].includes(route.view)) countNews().catch(() => {})
	}
	store("flats.filters", filters, "sessionStorage")
	for (const view in links) {
		links[view].href = hashOf(view, filtered.includes(view) ? filters : {})
		links[view].ariaCurrent = view === route.view ? "page" : null
	}
}

// openView opens a view with these filters.
export const openView = view => links[view].click()

// setNews shows the number of new flats.
export function setNews(n) {
	news = n
	badge.hidden = n <= 0
	fill(badge, number(n))
}

// countNews asks for the number of new flats and shows it, unless other filters have been chosen meanwhile.
export async function countNews() {
	const asked = filters
	const {total} = await look(parametersOf({...asked, tab: "new"}), tally)
	if (asked === filters) setNews(total)
}

// Decisions made here change the number until it is next asked for.
onChange((flat, before) => {
	if (news != null) setNews(news + (statusOf(flat) === "new") - (statusOf(before) === "new"))
})

// chosen returns the ids of the flats to compare.
export const chosen = () => ids

// choose adds a flat to the comparison, or removes it.
export function choose(id) {
	if (ids.includes(id)) setChosen(ids.filter(other => other !== id))
	else if (ids.length < 6) setChosen([...ids, id])
	else tell(t.compare_most)
}

// withChosen returns the ids of the flats to compare and, as far as there is room, further ones.
export const withChosen = further => [...new Set([...ids, ...further])].slice(0, 6)

// setChosen replaces the flats to compare, and updates the "Compare" buttons of all flats on the page.
export function setChosen(next) {
	ids = next
	store("flats.compare", ids)
	const words = ids.length === 1 ? h("p", t.compare_more)
		: h("a.button.primary", count(t.compare_n, ids.length), {href: compareHash(ids)})
	const close = h("button.close", "×", {label: t.close, click: () => setChosen([])})
	fill(document.getElementById("chosen"), ids.length > 0 && [words, close])
	if (ids.length > 0) say(words.textContent)
	for (const button of document.querySelectorAll("[data-compare]"))
		button.ariaPressed = ids.includes(button.dataset.compare)
}
