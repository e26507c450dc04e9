// Prices: what the flats of a view cost, by place, rooms and area, and how that changes.

import {statusOf} from "./api.js"
import {bars, scatter} from "./charts.js"
import {fill, h} from "./dom.js"
import {costPerArea, count, instant, money, named, number, percent, perArea, priceOf, shortDay, since, squareMetres,
	statusName, text} from "./format.js"
import {growing, showFound} from "./found.js"
import {title} from "./notice.js"
import {costChange, described, place} from "./parts.js"
import {flatHash, shortlisted, store, stored, trail} from "./state.js"
import {byCurrency, summary} from "./stats.js"
import {t} from "./strings.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,date,first_seen,cost_history"
const mostWeeks = 26

// What the tables say of a flat: its cost, or that per square metre.
const measures = {
	cost: {of: priceOf, write: (n, currency) => money(n, currency, 0)},
	cost_per_area: {of: costPerArea, write: perArea},
}

export function show(root, route, signal) {
	const body = h("div")
	let list
	let measure = stored("flats.measure") === "cost_per_area" ? "cost_per_area" : "cost"

	function render(found) {
		list = found
		const width = root.clientWidth
		const priced = list.filter(priceOf)
		const currencies = byCurrency(priced)
		const n = number(list.length - priced.length)
		Object.assign(trail, {hash: location.hash, ids: [], more: null})
		const markets = currencies.map(([currency, some]) => [
			currencies.length > 1 && h("h2", currency || t.not_known), market(currency, some, measures[measure], width)])
		fill(body, currencies.length > 0 && choice(), markets, news(list, width), costChanges(list))
		return h("span.soft", priced.length < list.length && text(named(t.n_without, "cost"), {n}) + ". ",
			currencies.length > 1 && t.currencies_apart)
	}

	const choice = () => h("div.line", {role: "group", label: t.prices}, Object.keys(measures).map(name =>
		h("button", t[name], {"aria-pressed": String(name === measure), data: {measure: name}, click: () => {
			store("flats.measure", measure = name)
			render(list)
			body.querySelector(`[data-measure=${name}]`).focus()
		}})))

	return showFound({name: "prices", root, route, signal, fields, body, render})
}

// market is what there is to say of the flats of a currency.
function market(currency, list, measure, width) {
	const rooms = [...Map.groupBy(list, flat => (flat.rooms > 0 ? flat.rooms : Infinity))].sort(([a], [b]) => a - b)
		.map(([n, some]) => [Number.isFinite(n) ? count(t.n_rooms, n) : t.not_known, some])
	const places = [...Map.groupBy(list, place)].sort(([, a], [, b]) => b.length - a.length)
		.map(([name, some]) => [name || t.not_known, some])
	const table = (caption, name, groups) => quartiles(caption, name, groups, measure.of, n => measure.write(n, currency))
	return h("section.market", costsByArea(list, currency, width),
		h("div.tables", table(t.by_place, t.place, places), table(t.by_rooms, t.rooms, rooms)))
}

// quartiles is a table of groups [name, flats]; their number is that of the flats with the measure.
function quartiles(caption, name, groups, measure, write) {
	const rows = groups.map(([name, list]) => [name, summary(list.map(measure).filter(n => n != null))])
		.filter(([, all]) => all)
	const row = ([name, {n, low, median, high}]) => h("tr", h("th", name, {scope: "row"}), h("td.number", number(n)),
		[low, median, high].map(n => h("td.number", h("data", write(n), {value: n}))))
	const heads = [t.list, t.quartile_low, t.median, t.quartile_high].map(head => h("th.number", head))
	const body = h("tbody")
	const table = h("table", h("caption", caption), h("thead", h("tr", h("th", name), heads)), body)
	const more = growing(body, rows, row, 12)
	return h("div", h("div.wide", {tabindex: 0, role: "group", label: caption}, table), more)
}

function costsByArea(list, currency, width) {
	const points = list.filter(({area}) => area > 0).map(flat => ({flat, x: flat.area, y: flat.cost,
		status: shortlisted.find(status => status === statusOf(flat))}))
	if (points.length === 0) return null
	const write = {x: squareMetres, y: n => money(n, currency, 0)}
	const medians = ["x", "y"].map(axis => write[axis](summary(points.map(point => point[axis])).median))
	const label = `${t.scatter}, ${count(t.n_flats, points.length)}, ${t.median} ${medians.join(", ")}`
	const pointed = h("p.pointed", {"aria-live": "polite"})
	const point = (at, hash = at && flatHash(at.flat.id)) => fill(pointed, at && h("a", described(at.flat), {href: hash}))
	const open = ({flat}) => (location.hash = flatHash(flat.id))
	const {element, beyond} = scatter(points, {width, label, write, point, open})
	const marks = shortlisted.filter(status => points.some(point => point.status === status))
	return h("figure", h("figcaption", h("h2", t.scatter), h("p.legend", marks.map(status =>
		h("span", statusName(status), {data: {status}}))), beyond > 0 && h("p.soft", count(t.n_beyond, beyond))),
	element, pointed)
}

// news are the flats by the week in which they were first seen.
function news(list, width) {
	const mondays = list.map(flat => mondayOf(instant(flat.first_seen ?? flat.date)))
		.filter(monday => monday && monday <= Date.now()).sort((a, b) => a - b)
	if (mondays.length === 0) return null
	const numbers = Map.groupBy(mondays, monday => monday)
	const weeks = []
	for (let monday = mondays.at(-1); monday >= mondays[0] && weeks.length < mostWeeks; monday = mondayOf(monday - 1))
		weeks.unshift([monday, numbers.get(monday)?.length ?? 0])
	const rows = weeks.map(([monday, n]) => h("tr", h("th", shortDay(monday), {scope: "row"}), h("td", number(n))))
	return h("section", h("h2", t.new_a_week), bars(weeks, {width: Math.min(width, 720), label: t.new_a_week}),
		h("table.sr", h("caption", t.new_a_week), h("tbody", rows)))
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
		h("span", (by < 0 ? "−" : "+") + percent(Math.abs(by / from)), {class: by < 0 ? "tag good" : "tag"}), " ",
		h("span.soft", since(date)))
	return changed.length > 0 && h("section", h("h2", t.cost_changes), rows, growing(rows, changed, row, 12))
}
