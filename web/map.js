// Map: it shows where the flats are that the filters leave, and beside that a list of their places or of
// the flats in one circle. canvas.js draws the map. This module exports show, as all views do (see
// app.js).

import {call, flats, keyOf, places} from "./api.js"
import {makeCanvas} from "./canvas.js"
import {fill, h} from "./dom.js"
import {currencyOf, median, money, number, priceOf, t, text} from "./format.js"
import {groupsOf, growing, legend, showFound, tableOf} from "./found.js"
import {facts, flatLink, place, positionOf, statusTag} from "./parts.js"
import {hashOf, trail} from "./state.js"

// hash and opened are what the view showed last. It shows that again when it opens with the same hash.
let hash
let opened // the flats beside the map, {name, ids}, or nothing for the list of places

// show fills root with the map and the list beside it.
export async function show(root, route, signal) {
	const panel = h("div.beside")
	const statuses = h("div")
	const canvas = makeCanvas(open)
	const body = h("div.split", h("div", canvas.element, statuses), panel)
	let list

	function render(found, filters) {
		list = found
		const [placed, unplaced] = [list.filter(whereOf), list.filter(flat => !whereOf(flat))]
		canvas.element.hidden = placed.length === 0
		fill(statuses, legend(list))
		canvas.show({points: placed.map(flat => ({at: whereOf(flat), name: place(flat), flat}))})
		if (hash !== hashOf("map", filters)) {
			hash = hashOf("map", filters)
			opened = null
			canvas.fit()
		}
		renderPanel()
		const words = text(t.unplaced, {n: number(unplaced.length)})
		return unplaced.length > 0 && h("button", words, {click: () => open(unplaced, words)})
	}

	function renderPanel() {
		if (!opened) return fill(panel, tableOf(groupsOf(list, place).map(opener), [t.place, t.median], medians))
		const rows = h("ol")
		trail.ids = opened.ids
		fill(panel, h("div.line", h("h2", opened.name || t.unknown, {tabindex: -1}),
			h("button.close", "×", {label: t.close, click: () => open()})), rows,
		growing(rows, opened.ids.map(id => flats.get(id)), flatRow))
	}

	const opener = ([name, group]) => [h("button.link", name || t.unknown, {click: () => {
		canvas.fit(point => group.includes(point.flat))
		open(group)
	}}), group]

	// open shows some flats beside the map, or the places again.
	function open(group, name) {
		opened = group && {name: name ?? place(group[0]), ids: group.map(keyOf)}
		renderPanel()
		panel.querySelector("h2, button").focus()
	}

	landmarks(signal).then(canvas.show, () => {/* the map does without */})
	const found = await showFound(root, route, signal, body, render)
	return {...found, keys: {...canvas.keys, Escape: [t.close, () => (opened ? open() : false)]}}
}

// landmarks asks for the places of the search areas and the postal codes, for the map's show.
async function landmarks(signal) {
	const [areas, {data}] = await Promise.all([places(signal), call("opendata/postal_codes", {signal})])
	return {
		places: Object.values(areas).flatMap(Object.entries).map(([name, at]) => ({at, name})),
		codes: data.filter(({lat, lng}) => lat != null && lng != null)
			.map(({name, lat, lng}) => ({at: [lat, lng], name: name ?? ""})),
	}
}

// whereOf returns a flat's own position, or else that of its postal code.
const whereOf = flat => positionOf(flat) ?? flat.service_postal_code?.gps

// medians shows the median cost of a list, for each currency separately.
function medians(list) {
	const costs = groupsOf(list.filter(priceOf), currencyOf)
		.map(([currency, group]) => h("div", money(median(group.map(priceOf)), currency, 0)))
	return [costs.length > 0 ? costs : t.no_price]
}

const flatRow = flat => h("li", flatLink(flat), facts(flat), statusTag(flat))
