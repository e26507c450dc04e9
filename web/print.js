// The list on paper: a table of 25 rows a page under the view in words.

import {findAll, flats} from "./api.js"
import {fill, h} from "./dom.js"
import {count, day, number, text} from "./format.js"
import {describeView} from "./filters.js"
import {attempt} from "./notice.js"
import {paperTable} from "./rows.js"
import {t} from "./strings.js"

/** makePrint prints a list: the whole view by its button, what is loaded by the browser's own way. */
export function makePrint(list, signal) {
	const element = h("div.paper")

	function write(found, total) {
		const shown = {shown: number(found.length), total: number(total)}
		const how = found.length < total ? text(t.shown_of, shown) : count(t.n_flats, total)
		fill(element, h("h1", describeView(list.filters)), h("p", `${day(Date.now())} · ${how}`), paperTable(found))
	}

	const all = () => attempt(async () => {
		const found = await findAll(list.parameters, {}, {signal})
		write(found, found.length)
		print()
	})

	const loaded = () => write(list.ids().map(id => flats.get(id)), list.total)
	addEventListener("beforeprint", () => element.firstChild || loaded(), {signal})
	addEventListener("afterprint", () => fill(element), {signal})
	return {element, all}
}
