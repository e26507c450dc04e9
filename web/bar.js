// The bar: the views, with the current one marked, and the number of new flats.

import {fill, h} from "./dom.js"
import {number} from "./format.js"
import {hashOf} from "./state.js"
import {t} from "./strings.js"

const filtered = new Set(["list", "triage", "map", "prices"])
const main = ["list", "triage", "visits"]
const more = ["map", "compare", "duplicates", "prices", "import"]

const badge = h("b.badge", {hidden: true})
const links = Object.fromEntries([...main, ...more].map(view => [view, h("a", t[view])]))
links.triage.append(" ", badge)

const menuButton = h("button.menu", t.more, {popovertarget: "menu", "aria-haspopup": "true"})
const menu = h("nav#menu", {popover: "auto", label: t.more, click: () => menu.hidePopover()})

let filters = {}
let news = null

/** makeBar fills the header: actions are [label, function] behind the views under More. */
export function makeBar(header, actions) {
	fill(menu, more.map(view => links[view]), actions.map(([label, click]) => h("button", label, {click})))
	fill(header, h("nav.views", {label: t.views}, main.map(view => links[view])), menuButton, menu)
}

/** markView marks the current view. Those that show a list's flats keep its filters. */
export function markView(route) {
	if (filtered.has(route.view)) filters = route.filters
	for (const [view, link] of Object.entries(links)) {
		const {tab, ...others} = filters
		link.href = hashOf(view, filtered.has(view) ? (view === "triage" ? others : filters) : {})
		if (view === route.view) link.setAttribute("aria-current", "page")
		else link.removeAttribute("aria-current")
	}
	menuButton.classList.toggle("current", more.includes(route.view))
}

/** listFilters are those of the list, wherever one is. */
export const listFilters = () => filters

/** openView goes to a view as its link does. */
export const openView = view => links[view].click()

/** setNews says how many new flats the filters leave; null, the number is not known yet. */
export function setNews(n) {
	news = n
	badge.hidden = !(n > 0)
	badge.textContent = n > 0 ? number(n) : ""
}

export const getNews = () => news
