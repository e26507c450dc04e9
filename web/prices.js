// Prices: what the flats of a view cost, by place, rooms and area, and how that changes.

import {findAll, keyOf, onChange, statusOf} from "./api.js"
import {bars, scatter} from "./charts.js"
import {fill, h} from "./dom.js"
import {describeView, makeControls} from "./filters.js"
import {costPerArea, count, instant, money, named, number, percent, perArea, priceOf, shortDay, since,
	squareMetres, statusName, text} from "./format.js"
import {changes, watch} from "./fresh.js"
import {growing} from "./growing.js"
import {failed, title} from "./notice.js"
import {costChange, described, place} from "./parts.js"
import {flatHash, hashOf, parametersOf, shortlisted, store, stored, trail} from "./state.js"
import {byCurrency, summary} from "./stats.js"
import {t} from "./strings.js"

const fields = "title,status,cost,currency,area,rooms,location,service_postal_code,date,first_seen,cost_history"
const mostWeeks = 26

// What the tables say of a flat: its cost, or that per square metre.
const measures = {
	cost: {of: priceOf, write: (n, currency) => money(n, currency, 0)},
	cost_per_area: {of: costPerArea, write: perArea},
}

export async function show(root, route, signal) {
	const bar = h("div.fresh", {role: "status"})
	const controls = makeControls(filters => {
		history.replaceState(null, "", hashOf("prices", filters))
		dispatchEvent(new Event("hashchange"))
	}, signal)
	const about = h("p.line")
	const body = h("div")
	fill(root, h("h1.sr", t.prices, {tabindex: -1}), controls.head, controls.chips, bar, about, body)
	let filters, list, changed
	let measure = stored("flats.measure") === "cost_per_area" ? "cost_per_area" : "cost"

	async function update(route) {
		filters = route.filters
		controls.show(filters)
		changed = changes(parametersOf(filters), signal)
		await load()
	}

	async function load() {
		try {
			[list] = await Promise.all([findAll(parametersOf(filters), {fields}, {signal}), changed()])
			render()
		} catch (error) {
			failed(error, load)
		}
	}

	function render() {
		const priced = list.filter(flat => priceOf(flat) != null)
		const currencies = byCurrency(priced)
		Object.assign(trail, {hash: location.hash, ids: [], more: null})
		fill(about, h("a", `${describeView(filters)}: ${count(t.n_flats, list.length)}`, {href: hashOf("list", filters)}),
			list.length > priced.length && h("span.soft", text(named(t.n_without, "cost"), {n: number(list.length - priced.length)})),
			currencies.length > 1 && h("span.soft", t.currencies_apart), list.length === 0 && t.no_match)
		const width = root.clientWidth
		const markets = currencies.map(([currency, some]) => [
			currencies.length > 1 && h("h2", currency || t.no_currency), market(currency, some, measures[measure], width)])
		fill(body, priced.length > 0 && choice(), markets, news(list, width), costChanges(list))
	}

	const choice = () => h("div.line", {role: "group", label: t.prices}, Object.keys(measures).map(name =>
		h("button", t[name], {"aria-pressed": String(name === measure), data: {measure: name}, click: () => {
			measure = name
			store("flats.measure", name)
			render()
			body.querySelector(`[data-measure=${name}]`).focus()
		}})))

	onChange(flat => {
		list = list.map(other => (keyOf(other) === keyOf(flat) ? flat : other))
		render()
	}, signal)
	await update(route)
	return {update, fresh: watch(bar, () => changed(), load)}
}

// market is what there is to say of the flats of a currency.
function market(currency, list, measure, width) {
	const write = n => h("data", measure.write(n, currency), {value: String(n)})
	const numbers = list.map(measure.of).filter(n => n != null)
	const all = summary(numbers)
	const rooms = [...Map.groupBy(list, flat => (flat.rooms > 0 ? flat.rooms : Infinity))].sort(([a], [b]) => a - b)
		.map(([n, some]) => [Number.isFinite(n) ? count(t.n_rooms, n) : t.no_rooms, some])
	const places = [...Map.groupBy(list, place)].sort(([, a], [, b]) => b.length - a.length)
		.map(([name, some]) => [name || t.no_place, some])
	const fact = (name, n) => h("div", h("dt", name), h("dd", write(n)))
	return h("section.market",
		all && h("dl.facts", fact(t.quartile_low, all.low), fact(t.median, all.median), fact(t.quartile_high, all.high)),
		costsByArea(list, currency, width),
		h("div.tables", quartiles(t.by_place, t.place, places, measure, write),
			quartiles(t.by_rooms, t.rooms, rooms, measure, write)))
}

// quartiles is a table of groups [name, flats]; their number is that of the flats with the measure.
function quartiles(caption, name, groups, measure, write) {
	const rows = groups.map(([name, list]) => [name, summary(list.map(measure.of).filter(n => n != null))])
		.filter(([, all]) => all)
	const row = ([name, {n, low, median, high}]) => h("tr", h("th", name, {scope: "row"}), h("td.number", number(n)),
		[low, median, high].map(n => h("td.number", write(n))))
	const heads = [t.list, t.quartile_low, t.median, t.quartile_high].map(head => h("th.number", head, {scope: "col"}))
	const body = h("tbody")
	const more = growing(body, rows, row, 12)
	return h("div", h("div.wide", {tabindex: 0, role: "group", label: caption}, h("table", h("caption", caption),
		h("thead", h("tr", h("th", name, {scope: "col"}), heads)), body)), more)
}

function costsByArea(list, currency, width) {
	const dots = list.filter(({area}) => area > 0).map(flat => ({flat, x: flat.area, y: flat.cost,
		status: shortlisted.includes(statusOf(flat)) && statusOf(flat)}))
	if (dots.length === 0) return null
	const write = n => money(n, currency, 0)
	const link = h("a")
	const open = ({flat}) => { location.hash = flatHash(flat.id) }
	const [areas, costs] = [summary(dots.map(({x}) => x)), summary(dots.map(({y}) => y))]
	const label = text(t.scatter_label,
		{n: number(dots.length), area: squareMetres(areas.median), cost: write(costs.median)})
	const {element, beyond} = scatter(dots, {width, height: Math.min(420, Math.max(260, width / 2)), label, open,
		axes: {x: {write: squareMetres}, y: {write}}, point: dot => {
			link.textContent = dot ? described(dot.flat) : ""
			if (dot) link.href = flatHash(dot.flat.id)
		}})
	const marks = shortlisted.filter(status => dots.some(dot => dot.status === status))
	return h("figure", h("figcaption", h("h2", t.scatter), h("p.legend", marks.map(status =>
		h("span", statusName(status), {data: {status}}))), beyond > 0 && h("p.soft", count(t.n_beyond, beyond))), element,
	h("p.pointed", {"aria-live": "polite"}, link))
}

// news are the flats by the week in which they were first seen.
function news(list, width) {
	const mondays = list.map(flat => mondayOf(flat.first_seen ?? flat.date))
		.filter(monday => monday && monday <= Date.now()).sort((a, b) => a - b)
	if (mondays.length === 0) return null
	const numbers = Map.groupBy(mondays, monday => monday)
	const weeks = []
	for (let monday = mondays.at(-1); monday >= mondays[0] && weeks.length < mostWeeks; monday = mondayOf(monday - 1))
		weeks.unshift([monday, numbers.get(monday)?.length ?? 0])
	const label = `${t.new_a_week}: ${weeks.map(([, n]) => n).join(", ")}`
	return h("section", h("h2", t.new_a_week), bars(weeks, {width: Math.min(width, 720), height: 180, label}),
		h("table.sr", h("caption", t.new_a_week), h("tbody", weeks.map(([monday, n]) =>
			h("tr", h("th", shortDay(monday), {scope: "row"}), h("td", number(n)))))))
}

// mondayOf is the time at which the week of a date begins here.
function mondayOf(date) {
	const at = typeof date === "number" ? date : instant(date)
	if (at == null) return null
	const day = new Date(at)
	return new Date(day.getFullYear(), day.getMonth(), day.getDate() - (day.getDay() + 6) % 7).getTime()
}

function costChanges(list) {
	const changed = list.map(flat => ({flat, ...costChange(flat)})).filter(({by}) => by)
		.sort((a, b) => (instant(b.date) ?? 0) - (instant(a.date) ?? 0))
	if (list.length === 0) return null
	const parts = changed.map(({from, by}) => by / from)
	const signed = part => (part < 0 ? "−" : "+") + percent(Math.abs(part))
	const rows = h("ol.changes")
	const row = ({flat, from, to, by, date}) => h("li", h("a", title(flat), {href: flatHash(flat.id)}), " ",
		h("b", `${money(from, flat.currency)} → ${money(to, flat.currency)}`), " ",
		h("span", signed(by / from), {class: by < 0 ? "tag good" : "tag"}), " ", h("span.soft", since(date)))
	if (changed.length === 0) return h("section", h("h2", t.cost_changes), h("p.soft", t.no_cost_changes))
	const words = [count(t.n_cheaper, parts.filter(part => part < 0).length),
		count(t.n_dearer, parts.filter(part => part > 0).length), `${t.median} ${signed(summary(parts).median)}`]
	return h("section", h("h2", t.cost_changes), h("p", words.join(", ")), rows, growing(rows, changed, row, 12))
}
