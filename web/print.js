// The list on paper: a table of 25 rows a page under the view in words.

import {findAll, flats, keyOf, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {costPerArea, count, day, number, perArea, since, squareMetres, statusName, text} from "./format.js"
import {describeView} from "./filters.js"
import {failed, title} from "./notice.js"
import {cost, place, siteOf, travel} from "./parts.js"
import {t} from "./strings.js"

/** makePrint prints a list: the whole view by its button, what is loaded by the browser's own way. */
export function makePrint(list, signal) {
	const element = h("div.paper")
	function write(found, total) {
		const how = found.length >= total ? count(t.n_flats, total)
			: text(t.shown_of, {shown: number(found.length), total: number(total)})
		const head = [h("h1", describeView(list.filters)), h("p", `${day(Date.now())} · ${how}`)]
		fill(element, found.length > 0 && [head, table(found)])
	}

	let whole = false

	async function all() {
		try {
			const found = await findAll(list.parameters, {}, {signal})
			write(found, found.length)
			whole = true
			print()
		} catch (error) {
			failed(error, all)
		}
	}

	addEventListener("beforeprint", () => whole || write((list.ids ?? []).map(id => flats.get(id)), list.total), {signal})
	addEventListener("afterprint", () => {
		whole = false
		fill(element)
	}, {signal})
	return {element, all}
}

function table(found) {
	const heads = ["title", "cost", "cost_per_area", "area", "rooms", "travel_time", "since", "status", "notation"]
	const row = flat => h("tr", {data: {id: keyOf(flat)}},
		h("td", h("b", title(flat)), h("p", [place(flat), siteOf(flat)].filter(Boolean).join(" · "))),
		h("td", cost(flat)), h("td", costPerArea(flat) && perArea(costPerArea(flat), flat.currency)),
		h("td", flat.area > 0 && squareMetres(flat.area)), h("td", flat.rooms > 0 && number(flat.rooms)),
		h("td", travel(flat)?.time), h("td", since(flat.first_seen ?? flat.date)), h("td", statusName(statusOf(flat))),
		h("td", flat.notation != null && "★ " + number(flat.notation)))
	return h("table", h("thead", h("tr", heads.map(name => h("th", t[name])))), h("tbody", found.map(row)))
}
