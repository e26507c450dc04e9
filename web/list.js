// The list of flats.

import {find, keyOf} from "./api.js"
import {setNews} from "./bar.js"
import {fill, h} from "./dom.js"
import {count} from "./format.js"
import {title} from "./notice.js"
import {pageSize} from "./offline.js"
import {compareButton, facts, statusButtons} from "./parts.js"
import {flatHash, parametersOf, trail} from "./state.js"
import {t} from "./strings.js"

export async function show(root, route, signal) {
	const rows = h("ol.rows")
	const total = h("p")
	fill(root, h("h1.sr", t.list, {tabindex: -1}), h("input#search", {type: "search", label: t.search}), total, rows)
	async function update({filters}) {
		const found = await find(parametersOf(filters), {"page[size]": pageSize, "page[number]": 0, counts: "status"}, {signal})
		Object.assign(trail, {hash: location.hash, ids: found.flats.map(keyOf), more: null})
		fill(total, count(t.n_flats, found.total))
		fill(rows, found.flats.map(flat => h("li.row", h("a", title(flat), {href: flatHash(flat.id)}), facts(flat),
			statusButtons(keyOf(flat), ["followed", "ignored"]), compareButton(keyOf(flat)))))
		setNews(found.counts.status.new ?? 0)
	}
	await update(route)
	return {update}
}
