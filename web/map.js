// Map: the flats of a view where they are, and beside it their places.

import {call, flats, keyOf, places, statusOf} from "./api.js"
import {makeCanvas, project} from "./canvas.js"
import {fill, h} from "./dom.js"
import {count, money, number, priceOf, statusName} from "./format.js"
import {growing, showFound} from "./found.js"
import {title} from "./notice.js"
import {facts, place, positionOf, statusTag} from "./parts.js"
import {flatHash, hashOf, trail} from "./state.js"
import {byCurrency, summary} from "./stats.js"
import {t} from "./strings.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,service_constraint,gps"
const mostOthers = 2000

// What the map was when it was left: Back finds it so.
let kept = {}

export async function show(root, route, signal) {
	const panel = h("div.beside")
	const legend = h("p.legend")
	const canvas = makeCanvas(some => openFlats(some[0].name, some.flatMap(site => site.flats)), signal)
	const body = h("div.split", h("div", canvas.element, legend), panel)
	const areas = await places(signal)
	let list, sites, hash
	let opened = null // the flats that the panel lists: {name, ids}

	function render(found, filters) {
		list = found
		sites = sitesOf(list)
		body.hidden = list.length === 0
		canvas.element.hidden = sites.length === 0
		const constraints = new Set(list.map(flat => flat.service_constraint))
		const named = [...constraints].flatMap(name => Object.entries(areas[name] ?? {}))
		canvas.show({sites, others: otherCodes(list, sites),
			places: named.map(([name, gps]) => ({...project(gps), name, kind: "place"}))})
		if (hash !== hashOf("map", filters)) start(hashOf("map", filters))
		canvas.draw()
		fill(legend, best.filter(status => sites.some(site => site.status === status))
			.map(status => h("span", statusName(status), {"data-status": status})))
		renderPanel()
		const without = list.filter(flat => !whereOf(flat))
		const words = count(t.n_unplaced, without.length)
		return without.length > 0 && h("button", words, {click: () => openFlats(words, without)})
	}

	function start(now) {
		hash = now
		opened = kept.hash === hash ? kept.opened : null
		if (kept.hash === hash) canvas.move(kept.view)
		else canvas.fit()
	}

	function renderPanel() {
		if (!opened) return fill(panel, placesTable(list, openPlace))
		const some = opened.ids.map(id => flats.get(id))
		const rows = h("ol")
		Object.assign(trail, {hash: location.hash, ids: opened.ids, more: null})
		fill(panel, h("div.line", h("h2", opened.name || t.not_known, {tabindex: -1}),
			h("button.close", "×", {label: t.close, click: closeFlats})), rows, growing(rows, some, flatRow))
	}

	function openFlats(name, some) {
		opened = {name, ids: some.map(keyOf)}
		renderPanel()
		panel.querySelector("h2").focus()
	}

	function openPlace(name, some) {
		canvas.fit(sites.filter(site => site.flats.some(flat => some.includes(flat))))
		openFlats(name, some)
	}

	function closeFlats() {
		opened = null
		renderPanel()
		panel.querySelector("button").focus()
	}

	signal.addEventListener("abort", () => (kept = {hash, view: canvas.view(), opened}))
	const view = await showFound({name: "map", root, route, signal, fields, body, render})
	loadCodes(signal).then(() => {
		canvas.show({others: otherCodes(list, sites)})
		canvas.draw()
	}, () => {/* the map says enough without */})
	const keys = {...canvas.keys, Escape: [t.close, () => (opened ? closeFlats() : false)]}
	return {...view, keys}
}

const best = ["visited", "contacted", "followed", "new"] // each status before those that say less

// whereOf is [latitude, longitude]: the flat's own, else that of its postal code.
const whereOf = flat => positionOf(flat) ?? flat.service_postal_code?.gps

// sitesOf gathers the flats that are at the same position.
function sitesOf(list) {
	return [...Map.groupBy(list.filter(whereOf), flat => whereOf(flat).join()).values()].map(some => {
		const ranks = some.map(flat => best.indexOf(statusOf(flat))).filter(rank => rank >= 0)
		const rank = Math.min(best.length, ...ranks)
		return {...project(whereOf(some[0])), name: place(some[0]), kind: "site", flats: some, rank, status: best[rank]}
	}).sort((a, b) => b.flats.length - a.flats.length)
}

let codes = [] // the postal codes, once they are known

// A country has tens of thousands: by pages, nothing else waits for long.
async function loadCodes(signal) {
	const size = 5000
	while (codes.length % size === 0) {
		const {data} = await call(`opendata/postal_codes?page[size]=${size}&page[number]=${codes.length / size}`, {signal})
		if (data.length === 0) return
		codes = codes.concat(data.map(code => ({...code, ...project([code.lat, code.lng]), kind: "other"})))
	}
}

// otherCodes are the postal codes nearest to the flats that have none of them.
function otherCodes(list, [middle]) {
	const used = new Set(list.map(flat => flat.service_postal_code?.postal_code))
	const distance = code => Math.hypot(code.x - middle.x, code.y - middle.y)
	return codes.filter(code => middle && code.lat != null && code.lng != null && !used.has(code.postal_code))
		.map(code => [distance(code), code]).sort(([a], [b]) => a - b).slice(0, mostOthers).map(([, code]) => code)
}

// placesTable has for each place its number of flats and the median of their costs.
function placesTable(list, open) {
	const rows = [...Map.groupBy(list, place)].sort(([, a], [, b]) => b.length - a.length)
	const medians = some => byCurrency(some.filter(priceOf))
		.map(([currency, priced]) => h("div", money(summary(priced.map(priceOf)).median, currency, 0)))
	const row = ([name, some]) => h("tr",
		h("th", {scope: "row"}, h("button.link", name || t.not_known, {click: () => open(name, some)})),
		h("td.number", number(some.length)), h("td.number", medians(some)))
	const head = h("tr", h("th", t.place), h("th.number", t.list), h("th.number", t.median))
	const body = h("tbody")
	return [h("table", h("caption.sr", t.by_place), h("thead", head), body), growing(body, rows, row)]
}

const flatRow = flat => h("li", h("a", title(flat), {href: flatHash(flat.id)}), facts(flat), statusTag(flat))
