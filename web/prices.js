// Prices: what the flats of a view cost, by place, rooms and area, and how that changes.

import {statusOf} from "./api.js"
import {bars, scatter} from "./charts.js"
import {fill, h} from "./dom.js"
import {byCurrency, costPerArea, count, instant, money, named, number, perArea, percent, priceOf, since, squareMetres,
	summary, t, text, title} from "./format.js"
import {growing, legend, showFound} from "./found.js"
import {costChange, described, place} from "./parts.js"
import {flatHash, shortlisted, trail} from "./state.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,date,first_seen,cost_history"
const mostWeeks = 26

export function show(root, route, signal) {
	const body = h("div")

	function render(list) {
		const priced = list.filter(priceOf)
		const currencies = byCurrency(priced)
		const n = number(list.length - priced.length)
		trail.ids = []
		fill(body, currencies.map(([currency, some]) => [
			currencies.length > 1 && h("h2", currency || t.unknown), market(currency, some, root.clientWidth)]),
		news(list, Math.min(root.clientWidth, 720)), costChanges(list))
		return h("span.soft", priced.length < list.length && text(named(t.n_without, "cost"), {n}) + ". ",
			currencies.length > 1 && t.currencies)
	}

	return showFound({name: "prices", root, route, signal, fields, body, render})
}

// market is what there is to say of the flats of a currency.
function market(currency, list, width) {
	const rooms = [...Map.groupBy(list, flat => (flat.rooms > 0 ? flat.rooms : Infinity))].sort(([a], [b]) => a - b)
		.map(([n, some]) => [Number.isFinite(n) && count(t.n_rooms, n), some])
	const places = [...Map.groupBy(list, place)].sort(([, a], [, b]) => b.length - a.length)
	return h("section.market", costsByArea(list, currency, width),
		h("div.tables", quartiles(t.place, places, currency), quartiles(t.rooms, rooms, currency)))
}

// quartiles is a table of groups [name, flats], with the median of the costs per area.
function quartiles(name, groups, currency) {
	const cell = (n, write) => h("td.number", n != null && h("data", write(n, currency, 0), {value: n}))
	const row = ([name, list]) => {
		const {n, low, median, high} = summary(list.map(priceOf))
		const each = summary(list.map(costPerArea).filter(Boolean))?.median
		return h("tr", h("th", name || t.unknown, {scope: "row"}), h("td.number", number(n)),
			[low, median, high].map(n => cell(n, money)), cell(each, perArea))
	}
	const heads = [t.list, t.quartile_low, t.median, t.quartile_high, t.cost_per_area]
	const body = h("tbody")
	const table = h("table", h("thead", h("tr", h("th", name), heads.map(head => h("th.number", head)))), body)
	return h("div", h("div.wide", {tabindex: 0, role: "group", label: name}, table), growing(body, groups, row, 12))
}

function costsByArea(list, currency, width) {
	const points = list.filter(({area}) => area > 0).map(flat => ({x: flat.area, y: flat.cost,
		status: shortlisted.find(status => status === statusOf(flat)), href: flatHash(flat.id), words: described(flat)}))
	if (points.length === 0) return null
	const write = {x: squareMetres, y: n => money(n, currency, 0)}
	const medians = ["x", "y"].map(axis => write[axis](summary(points.map(point => point[axis])).median))
	const label = `${t.scatter}, ${count(t.n_flats, points.length)}, ${t.median} ${medians.join(", ")}`
	return h("figure", h("figcaption", h("h2", t.scatter), legend(list)), scatter(points, {width, label, write}))
}

// news are the flats by the week in which they were first seen.
function news(list, width) {
	const mondays = list.map(flat => mondayOf(instant(flat.first_seen ?? flat.date)))
		.filter(monday => monday <= Date.now()).sort((a, b) => a - b)
	if (mondays.length === 0) return null
	const numbers = Map.groupBy(mondays, monday => monday)
	const weeks = []
	for (let monday = mondays.at(-1); monday >= mondays[0] && weeks.length < mostWeeks; monday = mondayOf(monday - 1))
		weeks.unshift([monday, numbers.get(monday)?.length ?? 0])
	return h("section", h("h2", t.weekly), bars(weeks, {width, label: t.weekly}))
}

// mondayOf is the time at which the week of a time begins here.
function mondayOf(at) {
	const day = new Date(at ?? NaN)
	return new Date(day.getFullYear(), day.getMonth(), day.getDate() - (day.getDay() + 6) % 7).getTime()
}

function costChanges(list) {
	const changed = list.map(flat => ({flat, ...costChange(flat)})).filter(({by}) => by)
		.sort((a, b) => (instant(b.date) ?? 0) - (instant(a.date) ?? 0))
	const rows = h("ol.changes")
	const row = ({flat, from, to, by, date}) => h("li", h("a", title(flat), {href: flatHash(flat.id)}), " ",
		h("b", `${money(from, flat.currency)} → ${money(to, flat.currency)}`), " ",
		h("span.tag", (by < 0 ? "−" : "+") + percent(Math.abs(by / from))), " ", h("span.soft", since(date)))
	return changed.length > 0 && h("section", h("h2", t.changes), rows, growing(rows, changed, row, 12))
}
