// The common part of the map and the prices, which both show all flats that match the list's filters.
//
// showFound fills such a view. groupsOf, addInParts, tableOf and legend help to fill its body.

import {fill, h} from "../lib/dom.js"
import {shortlisted, statusOf} from "../lib/fields.js"
import {findAll, look, onChange} from "../lib/flats.js"
import {queryOf, tally} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {describeView} from "../words/filters.js"
import {count, number, statusName, t} from "../words/format.js"
import {makeControls} from "./filters.js"
import {failed, notKept} from "./notice.js"

// requestedFields has the fields that these views request.
const requestedFields = "title,status,cost,currency,area,rooms,location,service_postal_code,service_constraint," +
	"lat,lng,precision,date,first_seen,cost_history"

// showFound fills root with the controls of the list, the number of flats, and body, and returns what a view's show
// must return (app.js). Each time it has loaded flats, it calls render(list, filters, go), which updates body and may
// return a note to show next to the number; go(filters) opens the view with other filters. Options:
//   queryFor(filters)   returns the query; the default is queryOf
//   inList(filters)     returns the filters with which the list shows the same flats; the default is filters
//   showsNone(filters)  reports whether to show body even if no flat matches
export async function showFound(root, route, signal, body, render, options = {}) {
	const {queryFor = queryOf, inList = filters => filters, showsNone = () => false} = options
	const {view} = route
	const controls = makeControls(view, signal)
	const about = h("div.line.found")
	fill(root, h("h1.sr", t[view]), controls.head, controls.chips, about, body)
	let filters, list
	let tag // of the answer with the number of flats
	let shownFilters // the filters of the flats that body shows
	let loading // promises the end of the last load

	function update(route) {
		filters = route.filters
		controls.show(filters)
		return load()
	}

	function load() {
		loading = loadNow()
		return loading
	}

	// loadNow requests the flats of the present filters and shows them.
	async function loadNow() {
		const askedFilters = filters
		tag = null // it may belong to other filters
		try {
			const flats = findAll(queryFor(askedFilters), {fields: requestedFields}, {signal})
			const [all, answer] = await Promise.all([flats, askNumber()])
			if (askedFilters !== filters) return // other filters have been chosen meanwhile
			list = all
			tag = answer.tag
		} catch (error) {
			// Without a network (status 0), a note replaces flats of other filters. Otherwise body stays as it is.
			if (error.status !== 0 || shownFilters === askedFilters) return failed(error, load)
			body.hidden = true
			return fill(about, notKept(error, load))
		}
		shownFilters = askedFilters
		const words = `${describeView(inList(askedFilters))}: ${count(t.n_flats, list.length)}`
		body.hidden = list.length === 0 && !showsNone(askedFilters)
		const note = render(list, askedFilters, controls.go)
		fill(about, h("a", words, {href: hashOf("list", inList(askedFilters))}),
			list.length === 0 && h("span", controls.noMatch()), note)
	}

	// askNumber requests the number of flats. It promises null if the answer still has the tag: then no flat has changed.
	const askNumber = () => look(queryFor(filters), tally, {signal, since: tag})

	// findChanges promises whether the view would now look different. A new tag does not tell, because fields may have
	// changed that the view does not show. If a request fails, the tag stays, so that the next call finds the changes.
	async function findChanges() {
		const before = loading
		await before // a change on this page may have started a load
		const answer = shownFilters === filters && await askNumber()
		if (!answer) return false
		const now = await findAll(queryFor(filters), {fields: requestedFields}, {signal})
		if (loading !== before) return false // the load that began meanwhile shows the changes
		tag = answer.tag
		const shownFields = flat => requestedFields.split(",").map(name => flat[name] ?? null)
		return JSON.stringify(now.map(shownFields)) !== JSON.stringify(list.map(shownFields))
	}

	onChange(load, signal)
	return {update, findChanges, show: load, ready: update(route)}
}

// groupsOf groups things by a key, [[key, things]], the largest group first.
export const groupsOf = (things, by) => [...Map.groupBy(things, by)].sort(([, a], [, b]) => b.length - a.length)

// addInParts adds the rows of the first items to an element, and returns the button that adds more rows, atOnce at a
// time. row(item) makes a row.
export function addInParts(element, items, row, atOnce = 50) {
	let shown = 0 // how many
	const button = h("button.more", t.more, {click: add})
	function add() {
		element.append(...items.slice(shown, shown + atOnce).map(row))
		shown += atOnce
		button.hidden = shown >= items.length
	}
	add()
	return button
}

// tableOf makes a table with a row for each of groups, [[name, flats]]. A row has the name, the number of flats, and
// the cells that cells(flats) returns. nameHead is the head of the names, heads are those of the cells.
export function tableOf(groups, [nameHead, ...heads], cells) {
	const body = h("tbody")
	const line = (tag, first, others) => h("tr", first, others.map(cell => h(tag + ".number", cell)))
	const row = ([name, flats]) =>
		line("td", h("th", name || t.unknown, {scope: "row", title: name}), [number(flats.length), ...cells(flats)])
	const table = h("table", h("thead", line("th", h("th", nameHead), [t.list, ...heads])), body)
	return h("div", h("div.wide", {tabindex: 0, role: "group", label: nameHead}, table), addInParts(body, groups, row, 12))
}

// legend explains the colours of the statuses in a list of flats.
export function legend(list) {
	const statuses = new Set(list.map(statusOf))
	return h("p.legend", [...shortlisted, "new"].filter(status => statuses.has(status))
		.map(status => h("span", statusName(status), {data: {status}})))
}
