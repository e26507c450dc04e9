// What one can ask of the list: the search, the filters and their chips.

import {find, flats} from "./api.js"
import {fill, h, later} from "./dom.js"
import {count, money, named, number, parseNumber, statusName, text, typed} from "./format.js"
import {tally} from "./offline.js"
import {equal, newestFirst, parametersOf, range, ranges} from "./state.js"
import {t} from "./strings.js"

// The orders that a list is offered in.
const sorts = [newestFirst, "first_seen", "cost", "-cost", "cost_per_area", "-cost_per_area", "-area", "area", "-rooms",
	"rooms", "travel_time", "-notation", "visit_date", "title"]
const known = {visit: "visit_date", notes: "notes", photos: "photos"}

const option = (value, label = value) => h("option", label, {value})

/** makeControls makes the controls of a view of flats; go(filters) is called as they change. */
export function makeControls(go, signal, ...tools) {
	let filters = {}
	const set = (name, value) => go({...filters, [name]: value})

	const search = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: later(() => set("q", search.value.trim()), 200)})
	const selects = makeSelects(set)
	const controls = {...Object.fromEntries(ranges.map(field => [field, rangeControl(field, set)])), ...selects}
	const done = h("button.primary.done", {click: () => open(false)})
	const panel = h("div.panel", {hidden: true}, selects.sort.element,
		Object.values(controls).map(({element}) => element !== selects.sort.element && element), done)
	const toggle = h("button.toggle", {"aria-expanded": "false", click: () => open(panel.hidden)})
	const help = h("button", "?", {label: t.search_help, popovertarget: "search-help"})
	const head = h("div.head", {role: "search"},
		h("div.field", search, help), toggle, h("div.tools", tools), panel, searchHelp())
	const currencies = h("span.currencies.soft")
	const chips = h("div.chips")

	function open(yes) {
		panel.hidden = !yes
		toggle.setAttribute("aria-expanded", String(yes))
		head.classList.toggle("open", yes)
		if (yes) offer()
		else scrollTo(0, 0)
	}

	// The choices are those that the other filters leave.
	async function offer() {
		const asked = find(parametersOf(filters), {...tally, counts: Object.values(equal)}, {signal})
		const {counts = {}} = await asked.catch(() => ({}))
		for (const name in equal) selects[name].offer(counts[equal[name]])
	}

	function show(next) {
		filters = next
		if (search !== document.activeElement) search.value = filters.q ?? ""
		for (const name in controls) controls[name].show(filters[name])
		const active = activeFilters(filters)
		fill(toggle, t.filters, active.length > 0 && ` (${active.length})`)
		fill(chips, active.map(({label, without}) => h("button.chip", label, h("span", "×", {"aria-hidden": "true"}),
			{label: text(t.remove, {name: label}), click: () => go(without)})),
		active.length > 0 && h("button.link", t.clear_filters, {click: () => go({tab: filters.tab, sort: filters.sort})}),
		currencies)
		if (!panel.hidden) offer()
	}

	// Where prices have several currencies, each is one to choose.
	function showCurrencies(counts = {}) {
		const {currency, cost, cost_per_area: each, sort = ""} = filters
		const several = Object.keys(counts).filter(code => code !== "null")
		const compared = (cost || each || sort.includes("cost")) && !currency && several.length > 1
		fill(currencies, compared && [t.currencies, several.map(code =>
			h("button.link", `${code} ${number(counts[code])}`, {click: () => set("currency", code)}))])
	}

	// On a phone the panel hides the list: its last button leads there.
	const showTotal = n => fill(done, `${t.show}: ${count(t.n_flats, n)}`)

	return {head, chips, search, show, showCurrencies, showTotal}
}

/**
 * ranged gives for each range of the filters what it hides because it is not
 * known: in words, as parameters, and the filters that show it.
 */
export function ranged(filters) {
	const unknown = filters.unknown?.split(",") ?? []
	return ranges.filter(field => filters[field] && !unknown.includes(field)).map(field => {
		const hidden = parametersOf({...filters, [field]: ""})
		// With a cost from some amount on, 0 is not let through.
		if (field === "cost" && range(filters.cost)[0] == null) hidden.append("filter[priced]", 0)
		else hidden.append(`known[${field}]`, "no")
		return {words: named(t.n_without, field), hidden, shown: {...filters, unknown: [...unknown, field].join()}}
	})
}

function rangeControl(field, set) {
	const inputs = [[t.from, "≥"], [t.to, "≤"]].map(([label, placeholder]) => h("input", {placeholder,
		label: text(label, {name: t[field]}), inputmode: "decimal", size: 6, autocomplete: "off",
		"aria-describedby": "trouble-" + field}))
	const trouble = h("span.trouble", {id: "trouble-" + field})
	const input = later(() => {
		const ends = inputs.map(({value}) => parseNumber(value))
		inputs.forEach((input, i) => input.setAttribute("aria-invalid", String(Number.isNaN(ends[i]))))
		fill(trouble, ends.some(Number.isNaN) && t.unreadable)
		if (trouble.firstChild) return
		set(field, ends.every(end => end == null) ? "" : ends.map(typed).join(".."))
	}, 300)
	const show = given => {
		if (!inputs.includes(document.activeElement)) range(given).forEach((end, i) => (inputs[i].value = typed(end)))
	}
	const name = field === "travel_time" ? `${t.travel_time} (min)` : t[field]
	return {show, element: h("fieldset.range", {input}, h("legend", name), inputs, trouble)}
}

function selectControl(name, label, options, set) {
	const select = h("select", {change: () => set(name, select.value)}, options)
	const show = (value = "") => {
		if (![...select.options].some(option => option.value === value)) select.append(option(value))
		select.value = value
	}
	const element = h("label", h("span", label), select)
	// One value alone is no choice.
	const offer = (counts = {}) => {
		const {value} = select
		const values = [...new Set([...Object.keys(counts), value])].filter(value => value && value !== "null")
		const label = value => `${nameOf(name, value)} (${number(counts[value] ?? 0)})`
		fill(select, any(), values.sort((a, b) => a.localeCompare(b)).map(value => option(value, label(value))))
		select.value = value
		element.hidden = values.length < 2 && !value
	}
	return {element, show, offer}
}

const any = () => option("", t.any)

// The names of postal codes stand in the flats.
function nameOf(field, value) {
	const codes = field === "code" ? [...flats.values()].map(({service_postal_code: code}) => code) : []
	const found = codes.find(code => code?.postal_code === value)
	return found ? `${value} ${found.name}` : value
}

function makeSelects(set) {
	const selects = {}
	const add = (name, label, ...options) => (selects[name] = selectControl(name, label, options, set))
	const sortName = sort => `${t[sort.replace("-", "")]} ${sort.startsWith("-") ? "↓" : "↑"}`
	add("sort", t.sort, sorts.map((sort, i) => option(i === 0 ? "" : sort, sortName(sort))))
	for (const name in equal) add(name, t[name], any())
	for (const name in known) add(name, t[known[name]], any(), option("yes", t.yes), option("no", t.no))
	add("days", t.days, any(), [1, 3, 7, 30].map(n => option(String(n), count(t.n_days, n))))
	return selects
}

function searchHelp() {
	const lines = t.search_lines.map(line => line.split(/: (?!.*: )/))
	return h("div#search-help", {popover: "auto"}, h("h2", t.search_help),
		h("dl", lines.map(([example, meaning]) => h("div", h("dt", h("code", example)), h("dd", meaning)))))
}

/** activeFilters are the filters in words, each with what is left without it. */
function activeFilters(filters) {
	const found = []
	const add = (name, label) => {
		const {[name]: left, unknown = "", ...without} = filters
		found.push({label, without: {...without, unknown: unknown.split(",").filter(field => field !== name).join()}})
	}
	for (const field of ranges.filter(field => filters[field])) add(field, rangeInWords(field, filters))
	for (const name in equal) if (filters[name]) add(name, nameOf(name, filters[name]))
	for (const name in known) if (filters[name])
		add(name, named(filters[name] === "yes" ? t.with_name : t.without_name, known[name]))
	if (filters.days) add("days", `${t.days} ${count(t.n_days, Number(filters.days))}`)
	return found
}

function rangeInWords(field, filters) {
	const units = {area: " m²", travel_time: " min"}
	const priced = field.startsWith("cost") && filters.currency
	const write = n => (priced ? money(n, filters.currency) : number(n) + (units[field] ?? ""))
	const [from, to] = range(filters[field])
	const words = from == null ? "≤ " + write(to) : to == null ? "≥ " + write(from) : `${write(from)}–${write(to)}`
	const all = `${t[field]} ${words}`
	return filters.unknown?.split(",").includes(field) ? text(t.or_unknown, {range: all}) : all
}

/** describeView is a view in words: its tab, its search and its filters. */
export function describeView(filters) {
	const tabs = {"": t.live, new: t.status_new, shortlist: t.shortlist, all: t.all}
	const {tab = "", q} = filters
	return [tabs[tab] ?? statusName(tab.slice(3)), q && `“${q}”`, ...activeFilters(filters).map(({label}) => label)]
		.filter(Boolean).join(", ")
}
