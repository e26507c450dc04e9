// Flats side by side. The best number of a row is marked, and rows that say the
// same of all flats can be hidden.

import {find, flats, keyOf, onChange} from "./api.js"
import {chosen, setChosen} from "./bar.js"
import {fill, h, swap} from "./dom.js"
import {costPerArea, currencyOf, dayAndTime, inWords, minutes, money, number, perArea, priceOf, since, squareMetres, t,
	text, title} from "./format.js"
import {attempt} from "./notice.js"
import {addressLink, cost, news, photo, photoURLs, siteOf, statusButtons, statusTag, times} from "./parts.js"
import {compareHash, flatHash, idsOf, trail} from "./state.js"

export async function show(root, route, signal) {
	const only = h("input", {type: "checkbox", change: render})
	const options = h("div.line", h("label.line", only, t.differences), h("button", t.print, {click: () => print()}))
	const note = h("p.soft")
	let body = h("div")
	fill(root, h("h1", t.compare), options, note, body)
	let ids, tag

	async function update(route) {
		const named = idsOf(route)
		ids = [...new Set(named.length > 0 ? named : chosen())].slice(0, 6)
		history.replaceState(null, "", compareHash(ids))
		setChosen(ids)
		trail.ids = ids
		options.hidden = ids.length === 0
		if (ids.length > 0) await load()
		else fill(note, t.compare_how)
	}

	const ask = since => find(ids.map(id => ["any[id]", id]), {}, {signal, since})

	const load = () => attempt(async () => {
		({tag} = await ask())
		render()
	})

	function render() {
		const list = ids.map(id => flats.get(id)).filter(Boolean)
		fill(note, new Set(list.filter(priceOf).map(currencyOf)).size > 1 && t.currencies + " ",
			ids.filter(id => !flats.has(id)).map(id => text(t.no_flat, {id}) + " "))
		body = swap(body, table(list, only.checked, id => {
			location.hash = compareHash(ids.filter(other => other !== id))
		}))
	}

	onChange(flat => ids.includes(keyOf(flat)) && load(), signal)
	fitPrint(root, signal)
	await update(route)
	const fresh = async () => ids.length > 0 && await ask(tag)
	return {keys: {d: [t.differences, () => only.click()]}, update, fresh, show: load}
}

function table(list, onlyDifferences, remove) {
	const head = flat => h("th", {scope: "col"}, h("a", title(flat), {href: flatHash(flat.id)}), " ",
		h("button.close", "×", {label: text(t.remove, {name: title(flat)}), click: () => remove(keyOf(flat))}))
	const line = (name, cells) => h("tr", h("th", name, {scope: "row"}), cells)
	const lines = rowsOf(list).map(row => line(row.name, cellsOf(row, list))).filter(({cells: [, ...cells]}) => {
		const texts = new Set(cells.map(cell => cell.firstChild.textContent))
		return texts.size > 1 || !texts.has("–") && !(onlyDifferences && list.length > 1)
	})
	const element = h("table", h("thead", h("tr", h("td"), list.map(head))), h("tbody",
		list.some(flat => photoURLs(flat).length > 0) && line(t.photos, list.map(flat => h("td", photo(photoURLs(flat)[0])))),
		line(t.status, list.map(flat => h("td", statusTag(flat), statusButtons(keyOf(flat), ["followed", "ignored"])))),
		lines))
	element.style.setProperty("--flats", list.length)
	return h("div.side-by-side", {tabindex: 0, role: "group", label: t.compare}, element)
}

// A row has a name and shows something of a flat. Where it has a number, more of
// it is better, or with the sign -1 less; apart tells flats that are not compared.
function rowsOf(list) {
	const positive = (name, write) => ({name: t[name], show: flat => flat[name] > 0 && write(flat[name]),
		number: flat => flat[name] || null})
	const time = (flat, place) => times(flat).find(([name]) => name === place)?.[1]
	const places = new Set(list.flatMap(flat => times(flat).map(([place]) => place)))
	const members = new Set(list.flatMap(flat => Object.keys(detailsOf(flat))))
	return [
		{name: t.cost, show: flat => [cost(flat), " ", news(flat)], number: priceOf, sign: -1, apart: currencyOf},
		{name: t.cost_per_area, show: flat => costPerArea(flat) && perArea(costPerArea(flat), flat.currency),
			number: costPerArea, sign: -1, apart: currencyOf},
		{name: t.utilities, show: ({utilities}) => t["utilities_" + utilities] ?? utilities},
		positive("area", squareMetres), positive("rooms", number), positive("bedrooms", number),
		...[...places].map(place => ({name: place, sign: -1, number: flat => time(flat, place),
			show: flat => time(flat, place) != null && minutes(time(flat, place))})),
		{name: t.place, show: addressLink},
		{name: t.station, show: ({station}) => station},
		positive("notation", n => number(n) + " ★"),
		{name: t.visit_date, show: ({visit_date}) => visit_date && dayAndTime(visit_date)},
		{name: t.history, show: costs},
		{name: t.since, show: flat => since(flat.first_seen ?? flat.date)},
		{name: t.site, show: siteOf},
		...[...members].map(name => ({name: name.replaceAll("_", " "), show: flat => inWords(detailsOf(flat)[name])})),
		{name: t.notes, show: ({notes}) => notes && h("p.notes", notes)},
	]
}

function cellsOf({show, number = () => null, sign = 1, apart = () => ""}, list) {
	const worth = flat => (number(flat) == null ? null : number(flat) * sign)
	return list.map(flat => {
		const others = list.filter(other => worth(other) != null && apart(other) === apart(flat)).map(worth)
		const best = worth(flat) === Math.max(...others) && others.some(other => other < worth(flat))
		return h("td", {class: best && "best"}, h("div", show(flat) || "–"), best && h("span.tag.good", t.best))
	})
}

const detailsOf = ({details}) => (details && typeof details === "object" && !Array.isArray(details) ? details : {})

// Each cost that a flat had, with the day from which on it had it.
const costs = ({cost_history: history, currency}) => history?.length > 1 && history.map(({cost, date}) =>
	h("div", [cost > 0 ? money(cost, currency) : "–", since(date)].filter(Boolean).join(", ")))

// On paper the table is made as small as one landscape page wants it: within the
// margins A4 has 1047 by 718 pixels.
function fitPrint(root, signal) {
	addEventListener("beforeprint", () => {
		root.classList.add("fitted")
		root.style.width = "1047px"
		const zoom = Math.min(1, 680 / root.scrollHeight)
		Object.assign(root.style, {zoom, width: 1047 / zoom + "px"})
	}, {signal})
	addEventListener("afterprint", () => {
		root.classList.remove("fitted")
		root.removeAttribute("style")
	}, {signal})
}
