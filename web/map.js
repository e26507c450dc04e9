// Map: the flats of a view where they are, and beside it their places.

import {call, findAll, flats, keyOf, onChange, places, statusOf} from "./api.js"
import {makeCanvas, project} from "./canvas.js"
import {fill, h} from "./dom.js"
import {describeView, makeControls} from "./filters.js"
import {count, money, number, priceOf, statusName} from "./format.js"
import {changes, watch} from "./fresh.js"
import {growing} from "./growing.js"
import {failed, title} from "./notice.js"
import {facts, place, positionOf, statusTag} from "./parts.js"
import {flatHash, hashOf, parametersOf, trail} from "./state.js"
import {byCurrency, summary} from "./stats.js"
import {t} from "./strings.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,service_constraint,gps"
const mostOthers = 2000

// What the map was when it was left: Back finds it so.
let kept = null

export async function show(root, route, signal) {
	const bar = h("div.fresh", {role: "status"})
	const controls = makeControls(filters => {
		history.replaceState(null, "", hashOf("map", filters))
		dispatchEvent(new Event("hashchange"))
	}, signal)
	const about = h("p.line")
	const panel = h("div.beside")
	const legend = h("p.legend")
	const canvas = makeCanvas(some => openFlats(some[0].name, some.flatMap(site => site.flats)), signal)
	const layout = h("div.split", h("div", canvas.element, legend), panel)
	fill(root, h("h1.sr", t.map, {tabindex: -1}), controls.head, controls.chips, bar, about, layout)
	let filters, list, areas, sites, others, changed
	let opened = null // the flats that the panel lists: {name, ids}

	async function update(route) {
		filters = route.filters
		controls.show(filters)
		const back = kept?.hash === hashOf("map", filters) ? kept : null
		opened = back?.opened ?? null
		changed = changes(parametersOf(filters), signal)
		await load()
		if (back) canvas.move(back.view)
		else canvas.fit()
	}

	async function load() {
		try {
			const query = parametersOf(filters)
			const found = await Promise.all([findAll(query, {fields}, {signal}), places(signal), changed()])
			list = found[0]
			areas = found[1]
			others = []
			render()
			showOthers().catch(() => {}) // the map says enough without them
		} catch (error) {
			failed(error, load)
		}
	}

	async function showOthers() {
		others = await otherCodes(list, sites, signal)
		render()
	}

	function render() {
		sites = sitesOf(list)
		const constraints = new Set(list.map(flat => flat.service_constraint))
		const marked = Object.entries(areas).filter(([name]) => constraints.has(name))
			.flatMap(([, named]) => Object.entries(named))
		canvas.show({sites, others, places: marked.map(([name, gps]) => ({...project(gps), name, kind: "place"}))})
		layout.hidden = list.length === 0
		canvas.element.hidden = sites.length === 0
		const without = list.filter(flat => !whereOf(flat))
		const link = h("a", `${describeView(filters)}: ${count(t.n_flats, list.length)}`, {href: hashOf("list", filters)})
		fill(about, link, without.length > 0 && h("button", count(t.n_unplaced, without.length),
			{click: () => openFlats(count(t.n_unplaced, without.length), without)}), list.length === 0 && t.no_match)
		fill(legend, best.filter(status => sites.some(site => site.status === status))
			.map(status => h("span", statusName(status), {"data-status": status})))
		renderPanel()
	}

	function renderPanel() {
		if (!opened) return fill(panel, placesTable(list, openPlace))
		const some = opened.ids.map(id => flats.get(id)).filter(Boolean)
		const rows = h("ol")
		Object.assign(trail, {hash: location.hash, ids: some.map(keyOf), more: null})
		fill(panel, h("div.line", h("h2", opened.name || t.no_place, {tabindex: -1}),
			h("span.soft", count(t.n_flats, some.length)),
			h("button.close", "×", {label: t.close, click: closeFlats})), rows, growing(rows, some, flatRow))
	}

	function openFlats(name, some) {
		opened = {name, ids: some.map(keyOf)}
		renderPanel()
		panel.scrollTo(0, 0)
		panel.querySelector("h2").focus()
	}

	function openPlace(name, some) {
		const there = sites.filter(site => site.flats.some(flat => some.includes(flat)))
		if (there.length > 0) canvas.fit(there)
		openFlats(name, some)
	}

	function closeFlats() {
		opened = null
		renderPanel()
		panel.querySelector("button")?.focus()
	}

	onChange(flat => {
		list = list.map(other => (keyOf(other) === keyOf(flat) ? flat : other))
		render()
	}, signal)
	signal.addEventListener("abort", () => {
		kept = list && {hash: hashOf("map", filters), view: canvas.view(), opened}
	})
	await update(route)
	const keys = {...canvas.keys, Escape: [t.close, () => opened ? closeFlats() : false]}
	return {keys, update, fresh: watch(bar, () => changed(), load)}
}

const best = ["visited", "contacted", "followed", "new"] // each status before those that say less

// whereOf is [latitude, longitude]: the flat's own, else that of its postal code.
const whereOf = flat => positionOf(flat) ?? flat.service_postal_code?.gps ?? null

// sitesOf gathers the flats that are at the same position.
function sitesOf(list) {
	const sites = new Map()
	for (const flat of list) {
		const where = whereOf(flat)
		if (!where) continue
		const key = where.join()
		if (!sites.has(key))
			sites.set(key, {...project(where), name: place(flat), kind: "site", flats: [], rank: best.length})
		const site = sites.get(key)
		site.flats.push(flat)
		const rank = best.indexOf(statusOf(flat))
		if (rank >= 0 && rank < site.rank) Object.assign(site, {rank, status: best[rank]})
	}
	return [...sites.values()].sort((a, b) => b.flats.length - a.flats.length)
}

let codes = null // all postal codes, once they are known

// otherCodes are the postal codes nearest to the flats that have none of them.
async function otherCodes(list, sites, signal) {
	codes ??= await allCodes(signal)
	const used = new Set(list.map(flat => flat.service_postal_code?.postal_code))
	const [middle] = sites
	if (!middle) return []
	return codes.filter(code => !used.has(code.postal_code))
		.map(code => ({...code, distance: Math.hypot(code.x - middle.x, code.y - middle.y)}))
		.sort((a, b) => a.distance - b.distance).slice(0, mostOthers)
}

// A country has tens of thousands of them: by pages, nothing else waits for long.
async function allCodes(signal) {
	const size = 5000
	const all = []
	for (let number = 0; ; number++) {
		const {data} = await call(`opendata/postal_codes?page[size]=${size}&page[number]=${number}`, {signal})
		for (const {postal_code, name, lat, lng} of data)
			if (lat != null && lng != null) all.push({...project([lat, lng]), postal_code, name, kind: "other"})
		if (data.length < size) return all
	}
}

// placesTable has for each place its number of flats and the median of their costs.
function placesTable(list, open) {
	const rows = [...Map.groupBy(list, place)].sort(([, a], [, b]) => b.length - a.length)
	const medians = some => byCurrency(some.filter(flat => priceOf(flat) != null))
		.map(([currency, priced]) => h("div", money(summary(priced.map(priceOf)).median, currency, 0)))
	const row = ([name, some]) => h("tr",
		h("th", {scope: "row"}, h("button.link", name || t.no_place, {click: () => open(name, some)})),
		h("td.number", number(some.length)), h("td.number", medians(some)))
	const head = h("thead", h("tr", h("th", t.place, {scope: "col"}), h("th.number", t.list, {scope: "col"}),
		h("th.number", t.median_cost, {scope: "col"})))
	const body = h("tbody")
	return [h("table", h("caption.sr", t.places_table), head, body), growing(body, rows, row)]
}

const flatRow = flat => h("li", h("a", title(flat), {href: flatHash(flat.id)}), facts(flat), statusTag(flat))
