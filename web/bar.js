// The bars: the views, with the number of new flats, and the flats to compare.

import {find, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {count, number, t} from "./format.js"
import {say, tell} from "./notice.js"
import {compareHash, hashOf, parametersOf, store, stored, tally} from "./state.js"

const first = ["list", "triage", "visits"]
const further = ["map", "compare", "duplicates", "prices", "import"]
const filtered = ["list", "triage", "map", "prices"] // share their filters

const badge = h("b.badge", {hidden: true})
const links = Object.fromEntries([...first, ...further].map(view => [view, h("a", t[view])]))
links.triage.append(" ", badge)

let filters = {}
let news // how many new flats the filters leave, once known
let ids = [] // of the flats to compare

// Actions, [label, function], are under More.
export function makeBar(...actions) {
	const menu = h("nav#menu", {popover: "auto", label: t.more, click: () => menu.hidePopover()},
		further.map(view => links[view]), actions.map(([label, click]) => h("button", label, {click})))
	fill(document.getElementById("bar"), h("nav.views", {label: t.views}, first.map(view => links[view])),
		h("button.menu", t.more, {popovertarget: menu.id, "aria-haspopup": "true"}), menu)
	setChosen(stored("flats.compare") ?? [])
}

export function markView(route) {
	if (filtered.includes(route.view)) filters = route.filters
	for (const view in links) {
		links[view].href = hashOf(view, filtered.includes(view) ? filters : {})
		links[view].ariaCurrent = view === route.view ? "page" : null
	}
}

export const openView = view => links[view].click()

export function setNews(n) {
	news = n
	badge.hidden = n <= 0
	fill(badge, number(n))
}

export const countNews = async () => setNews((await find(parametersOf({...filters, tab: "new"}), tally)).total)

onChange((flat, before) => {
	if (news != null) setNews(news + (statusOf(flat) === "new") - (statusOf(before) === "new"))
})

export const chosen = () => ids

export function choose(id) {
	if (ids.includes(id)) setChosen(ids.filter(other => other !== id))
	else if (ids.length < 6) setChosen([...ids, id])
	else tell(t.compare_most)
}

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
