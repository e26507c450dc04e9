// What the views of all flats that the list's filters leave have in common.

import {find, findAll, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {describeView, makeControls} from "./filters.js"
import {count, statusName, t} from "./format.js"
import {attempt} from "./notice.js"
import {hashOf, parametersOf, shortlisted, tally} from "./state.js"

/**
 * showFound fills a view with the controls of the list, and body under them.
 * render(list, filters) is called for the flats, with the fields named, and may
 * give what is to stand beside their number. It gives what a view gives.
 */
export async function showFound({name, root, route, signal, fields, body, render}) {
	const controls = makeControls(name, signal)
	const about = h("p.line.found")
	fill(root, h("h1.sr", t[name]), controls.head, controls.chips, about, body)
	let filters, tag

	function update(route) {
		filters = route.filters
		controls.show(filters)
		return load()
	}

	const load = () => attempt(async () => {
		tag = null // tags of other filters may be the same
		const [list] = await Promise.all([findAll(parametersOf(filters), {fields}, {signal}), changed()])
		const words = `${describeView(filters)}: ${count(t.n_flats, list.length)}`
		fill(about, h("a", words, {href: hashOf("list", filters)}), list.length === 0 && t.no_match, render(list, filters))
	})

	async function changed() {
		const found = await find(parametersOf(filters), tally, {signal, since: tag})
		if (found) tag = found.tag
		return found
	}

	onChange(load, signal)
	await update(route)
	return {update, fresh: changed, show: load}
}

/** growing fills an element with the first rows of some items, and gives the button that adds more. */
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

/** legend names the colours of the statuses of some flats. */
export function legend(list) {
	const found = new Set(list.map(statusOf))
	return h("p.legend", [...shortlisted, "new"].filter(status => found.has(status))
		.map(status => h("span", statusName(status), {data: {status}})))
}
