// Flats side by side. The best number of a row is marked, and rows that say the
// same of all flats can be hidden.

import {find, flats, keyOf, onChange} from "./api.js"
import {chosen, setChosen} from "./chosen.js"
import {fill, h, swap} from "./dom.js"
import {costPerArea, currencyOf, dayAndTime, minutes, money, number, perArea, priceOf, since, squareMetres,
	text} from "./format.js"
import {watch} from "./fresh.js"
import {failed, title} from "./notice.js"
import {addressLink, cost, news, photo, photoURLs, siteOf, statusButtons, statusTag, times} from "./parts.js"
import {compareHash, flatHash, hashOf, idsOf, store, stored, trail} from "./state.js"
import {t} from "./strings.js"

const most = 6

export async function show(root, route, signal) {
	const bar = h("div.fresh", {role: "status"})
	const only = h("input", {type: "checkbox", checked: stored("flats.differences") === true, change: () => {
		store("flats.differences", only.checked || null)
		render()
	}})
	const options = h("div.line", h("label.line", only, t.differences), h("button", t.print, {click: () => print()}))
	const note = h("p.soft")
	let body = h("div")
	fill(root, h("h1", t.compare, {tabindex: -1}), bar, options, note, body)
	let ids, tag, shown

	async function update(route) {
		const named = idsOf(route)
		ids = [...new Set(named.length > 0 ? named : chosen())].slice(0, most)
		history.replaceState(null, "", compareHash(ids))
		setChosen(ids)
		Object.assign(trail, {hash: location.hash, ids, more: null})
		options.hidden = ids.length === 0
		if (ids.length > 0) await load()
		else fill(body, h("div.empty", h("p", t.compare_how),
			h("a.button.primary", t.shortlist, {href: hashOf("list", {tab: "shortlist"})})))
	}

	const ask = since => find(ids.map(id => ["any[id]", id]), {}, {signal, since})
	const known = () => ids.map(id => flats.get(id)).filter(Boolean)

	async function load() {
		try {
			tag = (await ask()).tag
			render()
		} catch (error) {
			failed(error, load)
		}
	}

	function render() {
		const list = known()
		const currencies = new Set(list.filter(priceOf).map(currencyOf))
		shown = JSON.stringify(list)
		fill(note, currencies.size > 1 && t.currencies_apart + " ",
			ids.filter(id => !flats.has(id)).map(id => text(t.no_such_flat, {id}) + " "))
		body = swap(body, table(list, only.checked, id => {
			location.hash = compareHash(ids.filter(other => other !== id))
		}))
	}

	async function changed() {
		const found = ids.length > 0 && await ask(tag)
		if (found) tag = found.tag
		return found && JSON.stringify(known()) !== shown
	}

	onChange(flat => ids.includes(keyOf(flat)) && render(), signal)
	fitPrint(root, signal)
	await update(route)
	return {keys: {d: [t.differences, () => only.click()]}, update, fresh: watch(bar, changed, render)}
}

function table(list, onlyDifferences, remove) {
	const head = flat => h("th", {scope: "col"}, h("a", title(flat), {href: flatHash(flat.id)}), " ",
		h("button.close", "×", {label: text(t.remove, {name: title(flat)}), click: () => remove(keyOf(flat))}))
	const status = flat => h("td", statusTag(flat), statusButtons(keyOf(flat), ["followed", "ignored"]))
	const line = (name, cells) => h("tr", h("th", name, {scope: "row"}), cells)
	const lines = rowsOf(list).map(row => line(row.name, cellsOf(row, list))).filter(({cells: [, ...cells]}) => {
		const texts = cells.map(cell => cell.firstChild.textContent)
		return texts.some(text => text !== "–") &&
			(!onlyDifferences || list.length === 1 || texts.some(text => text !== texts[0]))
	})
	const pictured = list.some(flat => photoURLs(flat).length > 0)
	const element = h("table", h("thead", h("tr", h("td"), list.map(head))), h("tbody",
		pictured && h("tr", h("td"), list.map(flat => h("td", photo(photoURLs(flat)[0])))),
		line(t.status, list.map(status)), lines))
	element.style.setProperty("--flats", list.length)
	return h("div.side-by-side", {tabindex: 0, role: "group", label: t.compare}, element)
}

function cellsOf(row, list) {
	const best = bestOf(list, row)
	return list.map(flat => h("td", {class: best.has(flat) && "best"}, h("div", row.show(flat) || "–"),
		best.has(flat) && h("span.tag.good", t.best)))
}

// A row has a name and shows something of a flat. Where it has a number, more or
// less of it is better; that of costs is compared within a currency.
function rowsOf(list) {
	const row = (name, show, number, better, within = () => "") => ({name, show, number, better, within})
	const places = [...new Set(list.flatMap(flat => times(flat).map(([place]) => place)))]
	const members = [...new Set(list.flatMap(flat => Object.keys(detailsOf(flat))))]
	return [
		row(t.cost, flat => [cost(flat), " ", news(flat)], priceOf, "less", currencyOf),
		row(t.cost_per_area, perAreaOf, costPerArea, "less", currencyOf),
		row(t.utilities, ({utilities}) => utilityWords.get(utilities) ?? utilities),
		row(t.area, ({area}) => area > 0 && squareMetres(area), ({area}) => area || null, "more"),
		row(t.rooms, ({rooms}) => rooms > 0 && number(rooms), ({rooms}) => rooms || null, "more"),
		row(t.bedrooms, ({bedrooms}) => bedrooms > 0 && number(bedrooms), ({bedrooms}) => bedrooms || null, "more"),
		...places.map(place => {
			const time = flat => times(flat).find(([name]) => name === place)?.[1]
			return row(place, flat => time(flat) != null && minutes(time(flat)), time, "less")
		}),
		row(t.place, addressLink),
		row(t.station, ({station}) => station),
		row(t.notation, stars, ({notation}) => notation, "more"),
		row(t.visit_date, ({visit_date}) => visit_date && dayAndTime(visit_date)),
		row(t.history, costs),
		row(t.since, flat => since(flat.first_seen ?? flat.date)),
		row(t.site, siteOf),
		...members.map(name => row(name.replaceAll("_", " "), flat => inWords(detailsOf(flat)[name]))),
		row(t.notes, ({notes}) => notes && h("p.notes", notes)),
	]
}

const utilityWords = new Map([["included", t.included], ["excluded", t.excluded]])

const detailsOf = ({details}) => (details && typeof details === "object" && !Array.isArray(details) ? details : {})

const perAreaOf = flat => costPerArea(flat) && perArea(costPerArea(flat), flat.currency)

const stars = ({notation}) => notation > 0 &&
	h("span.rating", "★".repeat(Math.min(5, Math.round(notation))), {label: number(notation), role: "img"})

// Each cost that a flat had, with the day from which on it had it.
function costs({cost_history, currency}) {
	const line = ({cost, date}) => [cost > 0 ? money(cost, currency) : "–", since(date)].filter(Boolean).join(", ")
	return cost_history?.length > 1 && cost_history.map(entry => h("div", line(entry)))
}

function inWords(value) {
	if (value === true || value === false) return value ? t.yes : t.no
	return typeof value === "object" && value ? JSON.stringify(value) : String(value ?? "")
}

// The best flats of a row; none where all are alike.
function bestOf(list, {number, better, within}) {
	const best = new Set()
	if (!number) return best
	for (const group of Map.groupBy(list.filter(flat => number(flat) != null), within).values()) {
		const numbers = group.map(number)
		const top = better === "more" ? Math.max(...numbers) : Math.min(...numbers)
		if (numbers.some(n => n !== top)) for (const flat of group) if (number(flat) === top) best.add(flat)
	}
	return best
}

// On paper the table is made as small as one landscape page wants it: within the
// margins A4 has 1047 by 718 pixels.
function fitPrint(root, signal) {
	addEventListener("beforeprint", () => {
		root.classList.add("fitted")
		let zoom = 1
		do Object.assign(root.style, {zoom, width: 1047 / zoom + "px"})
		while (root.scrollHeight * zoom > 680 && (zoom -= 0.05) > 0.3)
	}, {signal})
	addEventListener("afterprint", () => {
		root.classList.remove("fitted")
		Object.assign(root.style, {zoom: "", width: ""})
	}, {signal})
}
