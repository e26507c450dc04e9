// What views of all flats that the filters leave have in common.

import {find, findAll, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {describeView, makeControls} from "./filters.js"
import {count, number, statusName, t} from "./format.js"
import {attempt} from "./notice.js"
import {hashOf, parametersOf, shortlisted, tally} from "./state.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,service_constraint,gps,date," +
	"first_seen,cost_history"

// showFound fills a view with the controls of the list and body. render(list, filters), for flats
// with some fields, may give what stands beside their number.
export async function showFound(root, route, signal, body, render) {
	const {view} = route
	const controls = makeControls(view, signal)
	const about = h("p.line.found")
	fill(root, h("h1.sr", t[view]), controls.head, controls.chips, about, body)
	let filters, tag, list

	function update(route) {
		filters = route.filters
		controls.show(filters)
		return load()
	}

	const load = () => attempt(async () => {
		const asked = filters
		tag = null // other filters may have the same
		const [all] = await Promise.all([findAll(parametersOf(asked), {fields}, {signal}), changed()])
		if (asked !== filters) return // a later answer may be here
		list = all
		const words = `${describeView(asked)}: ${count(t.n_flats, list.length)}`
		body.hidden = list.length === 0
		fill(about, h("a", words, {href: hashOf("list", asked)}), body.hidden && t.no_match, render(list, asked))
	})

	async function changed() {
		const found = await find(parametersOf(filters), tally, {signal, since: tag})
		if (found) tag = found.tag
		return found
	}

	async function fresh() {
		if (!await changed()) return false
		const now = await findAll(parametersOf(filters), {fields}, {signal})
		return JSON.stringify(now) !== JSON.stringify(list)
	}

	onChange(load, signal)
	await update(route)
	return {update, fresh, show: load}
}

// [what they have in common, things], the largest group first.
export const groupsOf = (things, by) => [...Map.groupBy(things, by)].sort(([, a], [, b]) => b.length - a.length)

// Fills an element with the first rows, and gives the button for more.
export function growing(element, items, row, atOnce = 50) {
	let shown = 0
	const button = h("button.more", t.more, {click: add})
	function add() {
		element.append(...items.slice(shown, shown += atOnce).map(row))
		button.hidden = shown >= items.length
	}
	add()
	return button
}

// Groups are [name, flats]; cells gives what stands behind their number.
export function tableOf(groups, [name, ...heads], cells) {
	const body = h("tbody")
	const line = (tag, first, others) => h("tr", first, others.map(cell => h(tag + ".number", cell)))
	const row = ([name, flats]) =>
		line("td", h("th", name || t.unknown, {scope: "row"}), [number(flats.length), ...cells(flats)])
	const table = h("table", h("thead", line("th", h("th", name), [t.list, ...heads])), body)
	return h("div", h("div.wide", {tabindex: 0, role: "group", label: name}, table), growing(body, groups, row, 12))
}

export function legend(list) {
	const found = new Set(list.map(statusOf))
	return h("p.legend", [...shortlisted, "new"].filter(status => found.has(status))
		.map(status => h("span", statusName(status), {data: {status}})))
}
