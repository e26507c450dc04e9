// The bar with the links to views and their badges, and the bar at the bottom with the flats chosen for comparison.
//
// makeBar, withTyped, markView, viewLinks and openView are for app.js. setNews and countNews update the number of new
// flats, setBadge updates any number. compared, withCompared, toggleCompared and setCompared read and change the flats
// to compare, which this browser stores.

import {fill, h, later} from "../lib/dom.js"
import {statusOf} from "../lib/fields.js"
import {look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {changeIds, keptIds, onElements} from "../lib/keptlists.js"
import {queryOf, tally} from "../lib/query.js"
import {compareHash, hashOf, parse} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {count, number, t} from "../words/format.js"
import {icon} from "./icons.js"
import {say, tell, undoButton} from "./notice.js"

const barViews = ["today", "list", "triage", "add"]
const menuViews = ["visits", "map", "compare", "duplicates", "prices"]
const seldomViews = ["settings", "import", "start"] // in the menu, too
const allViews = [...barViews, ...menuViews, ...seldomViews]
const badgeViews = ["today", "triage", "visits", "compare", "duplicates"] // have a badge
const filterViews = ["list", "triage", "map", "prices"] // share their filters
export const mostCompared = 6 // flats to compare

// startKey is the name in storage of the state of Start, "open" or "over".
export const startKey = "flats.start"

const bar = document.getElementById("bar")
const linkOf = view => bar.querySelector(`[data-view=${view}]`)

// makeBar fills the bar. The menu "More" has the other views, pageButtons, and personButtons, for the person who uses
// the page. When the menu opens, countMore() updates the badges there.
export function makeBar(pageButtons, personButtons, countMore) {
	const makeLink = view => h("a", icon(view), h("span", t[view]),
		badgeViews.includes(view) && [" ", h("b.badge", {hidden: !barViews.includes(view)})], {data: {view}})
	const toggle = ({newState}) => {
		if (newState === "open") countMore()
	}
	const menu = h("nav#menu.options", {popover: "auto", label: t.more, click: () => menu.hidePopover(), toggle},
		menuViews.map(makeLink), h("hr"), seldomViews.map(makeLink), pageButtons, h("hr"), personButtons)
	kept.filters = stored("flats.filters", "sessionStorage") ?? {}
	const open = h("button.menu", icon("more"), h("span", t.more), {popovertarget: menu.id, "aria-haspopup": "true"})
	fill(bar, h("a.brand", icon("mark"), "flats", {href: "#/"}),
		h("nav.views", {label: t.navigation}, barViews.map(makeLink)), undoButton(), open, menu)
	showCompared()
}

// withTyped returns a route with the filters that were typed just before it was opened (kept.typed), and writes them to
// the address. If the view of the route has no filters, they go into the links to other views.
export function withTyped(route) {
	const typed = {...kept.typed}
	for (const name in typed) delete kept.typed[name]
	if (Object.keys(typed).length === 0) return route
	if (filterViews.includes(route.view)) {
		history.replaceState(null, "", hashOf(route.view, {...route.filters, ...typed}))
		return parse(location.hash)
	}
	kept.filters = {...kept.filters, ...typed}
	return route
}

// markView marks the link to a route's view as current, and puts its filters into the links to other views.
export function markView(route) {
	if (filterViews.includes(route.view)) kept.filters = route.filters
	store("flats.filters", kept.filters, "sessionStorage")
	for (const view of allViews) {
		linkOf(view).href = hashOf(view, filterViews.includes(view) ? kept.filters : {})
		linkOf(view).ariaCurrent = view === route.view ? "page" : null
	}
	linkOf("start").hidden = stored(startKey) !== "open"
}

// viewLinks returns all views, [[name, hash]].
export const viewLinks = () => allViews.map(view => [t[view], linkOf(view).hash])

// openView opens a view with the current filters.
export const openView = view => linkOf(view).click()

// setNews shows the number of new flats.
export function setNews(n) {
	kept.news = n
	setBadge("triage", n)
}

// setBadge shows a number at the link to a view. It hides the badge if n is 0 or this device was told to forget.
export function setBadge(view, n) {
	const badge = linkOf(view).querySelector(".badge")
	badge.hidden = n <= 0 || kept.isForgotten
	// On a phone, whose badges have room for three digits, the style sheet shows the rounded number.
	const words = n > 999 ? [h("span.exact", number(n)), h("span.rounded", "999+")] : number(n)
	fill(badge, n > 0 && words)
}

// hideBadges hides all badges.
export const hideBadges = () => badgeViews.forEach(view => setBadge(view, 0))

// countNews requests the number of new flats, regardless of filters, and shows it.
export async function countNews() {
	const found = await look(queryOf({tab: "new"}), tally, {since: kept.newsTag})
	if (!found) return // nothing has changed
	kept.newsTag = found.tag
	setNews(found.total)
}

// Decisions on this page change the number at once. If the page does not know the status before, it asks the service.
onChange((flat, before) => {
	if (kept.news == null) return
	const isNew = statusOf(flat) === "new"
	if (!before) countNews().catch(() => {/* the earlier number will do */})
	else setNews(kept.news + Number(isNew) - Number(statusOf(before) === "new"))
})

// compared returns the ids of the flats to compare.
export const compared = () => kept.compared

// toggleCompared adds a flat to the comparison, or removes it.
export function toggleCompared(id) {
	const without = ids => ids.filter(other => other !== id)
	if (compared().includes(id)) changeCompared(without)
	else if (compared().length < mostCompared) changeCompared(ids => [...without(ids), id])
	else tell(t.compare_most)
}

// withCompared returns the ids of the flats to compare, and as many other ids as there is room for.
export const withCompared = others => [...new Set([...compared(), ...others])].slice(0, mostCompared)

// setCompared replaces the flats to compare.
export const setCompared = ids => changeCompared(() => ids)

// changeCompared replaces the ids of the flats to compare by act(ids), and speaks the new words of the bar.
function changeCompared(act) {
	changeIds("flats.compare", act)
	showCompared()
	if (compared().length > 0) say(document.getElementById("chosen").firstChild.textContent)
}

onElements("flats.compare", later(showCompared, 0)) // another tab has changed the list

// showCompared shows the flats to compare, and updates the "Compare" buttons of all flats on the page.
function showCompared() {
	const ids = keptIds("flats.compare")
	kept.compared = ids
	setBadge("compare", ids.length)
	const words = ids.length === 1 ? h("p", t.compare_more)
		: h("a.button.primary", count(t.compare_n, ids.length), {href: compareHash(ids)})
	const close = h("button.close", icon("dismiss"), {label: t.close, click: () => setCompared([])})
	fill(document.getElementById("chosen"), ids.length > 0 && [words, close])
	for (const button of document.querySelectorAll("[data-compare]"))
		button.ariaPressed = ids.includes(button.dataset.compare)
}
