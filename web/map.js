// Map: the flats of a view where they are, and beside it their places.

import {call, flats, keyOf, places} from "./api.js"
import {makeCanvas, project} from "./canvas.js"
import {fill, h} from "./dom.js"
import {byCurrency, money, number, priceOf, summary, t, text, title} from "./format.js"
import {growing, legend, showFound} from "./found.js"
import {facts, place, positionOf, statusTag} from "./parts.js"
import {flatHash, hashOf, trail} from "./state.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,service_constraint,gps"

// These stay as they are for when one comes back.
let hash
let opened = null // the flats that stand beside the map: {name, ids}
let codes = [] // postal codes, once they are known

export async function show(root, route, signal) {
	const panel = h("div.beside")
	const statuses = h("div")
	const canvas = makeCanvas(some => openFlats(place(some[0]), some), signal)
	const body = h("div.split", h("div", canvas.element, statuses), panel)
	const areas = await places(signal)
	let list, points

	function render(found, filters) {
		list = found
		points = list.filter(whereOf).map(flat => ({...project(whereOf(flat)), flat, name: place(flat)}))
		body.hidden = list.length === 0
		canvas.element.hidden = points.length === 0
		fill(statuses, legend(list))
		const searches = [...new Set(list.map(flat => flat.service_constraint))]
		const near = searches.flatMap(name => Object.entries(areas[name] ?? {}))
		canvas.show({points, others: nearest(points), places: near.map(([name, gps]) => ({...project(gps), name}))})
		if (hash !== hashOf("map", filters)) {
			hash = hashOf("map", filters)
			opened = null
			canvas.fit()
		}
		renderPanel()
		const without = list.filter(flat => !whereOf(flat))
		const words = text(t.unplaced, {n: number(without.length)})
		return without.length > 0 && h("button", words, {click: () => openFlats(words, without)})
	}

	function renderPanel() {
		if (!opened) return fill(panel, placesTable(list, openPlace))
		const rows = h("ol")
		trail.ids = opened.ids
		fill(panel, h("div.line", h("h2", opened.name || t.unknown, {tabindex: -1}),
			h("button.close", "×", {label: t.close, click: close})), rows,
		growing(rows, opened.ids.map(id => flats.get(id)), flatRow))
	}

	function openFlats(name, some) {
		opened = {name, ids: some.map(keyOf)}
		renderPanel()
		panel.querySelector("h2").focus()
	}

	function openPlace(name, some) {
		canvas.fit(points.filter(point => point.name === name))
		openFlats(name, some)
	}

	function close() {
		opened = null
		renderPanel()
		panel.querySelector("button").focus()
	}

	const view = await showFound({name: "map", root, route, signal, fields, body, render})
	loadCodes(signal).then(() => canvas.show({others: nearest(points)}), () => {/* the map says enough without */})
	return {...view, keys: {...canvas.keys, Escape: [t.close, () => (opened ? close() : false)]}}
}

// whereOf is [latitude, longitude]: the flat's own, else that of its postal code.
const whereOf = flat => positionOf(flat) ?? flat.service_postal_code?.gps

async function loadCodes(signal) {
	if (codes.length > 0) return
	const {data} = await call("opendata/postal_codes", {signal})
	codes = data.filter(({lat, lng}) => lat != null && lng != null)
		.map(({name, lat, lng}) => ({name: name ?? "", ...project([lat, lng])}))
}

// nearest are the 2,000 postal codes that are nearest to the first of the points.
function nearest([middle]) {
	const distance = code => Math.hypot(code.x - middle.x, code.y - middle.y)
	return middle ? codes.toSorted((a, b) => distance(a) - distance(b)).slice(0, 2000) : []
}

// placesTable has for each place its number of flats and the median of their costs.
function placesTable(list, open) {
	const medians = some => byCurrency(some.filter(priceOf))
		.map(([currency, priced]) => h("div", money(summary(priced.map(priceOf)).median, currency, 0)))
	const row = ([name, some]) => h("tr",
		h("th", {scope: "row"}, h("button.link", name || t.unknown, {click: () => open(name, some)})),
		h("td.number", number(some.length)), h("td.number", medians(some)))
	const body = h("tbody")
	const rows = [...Map.groupBy(list, place)].sort(([, a], [, b]) => b.length - a.length)
	const heads = [t.list, t.median].map(head => h("th.number", head))
	return [h("table", h("thead", h("tr", h("th", t.place), heads)), body), growing(body, rows, row)]
}

const flatRow = flat => h("li", h("a", title(flat), {href: flatHash(flat.id)}), facts(flat), statusTag(flat))
