// What one can ask of the list: the search, the filters and their chips.

import {csvURL, find, flats} from "./api.js"
import {fill, h, later} from "./dom.js"
import {count, money, number, parseNumber, statusName, text, typed} from "./format.js"
import {tally} from "./offline.js"
import {equal, parametersOf, range, ranges} from "./state.js"
import {t} from "./strings.js"

/** The orders that a list can have, each with the direction that it begins with. */
export const sorts = ["-first_seen", "cost", "cost_per_area", "-area", "-rooms", "travel_time", "-notation",
	"visit_date", "title"]

const dayChoices = [1, 3, 7, 30]
const known = ["visit", "notes", "photos"]

const option = (value, label = value) => h("option", label, {value})

/**
 * makeControls makes the controls of a list; go(filters) is called as they
 * change.
 */
export function makeControls(go, signal) {
	let filters = {}
	const set = changes => go({...filters, ...changes})

	const search = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: later(() => set({q: search.value.trim()}), 200)})
	const panel = h("div.panel", {hidden: true})
	const toggle = h("button.toggle", {"aria-expanded": "false", click: () => open(panel.hidden)})
	const tools = makeTools(() => filters)
	const head = h("div.head", {role: "search"},
		h("div.field", search, h("button", "?", {label: t.search_help, popovertarget: "search-help"})),
		toggle, tools, panel, searchHelp())
	const done = h("button.primary.done", {click: () => open(false) || search.scrollIntoView()})
	const chips = h("div.chips")
	const ends = Object.fromEntries(ranges.map(field => [field, rangeControl(field, set)]))
	const selects = makeSelects(set)
	const order = sortControl(set)

	function open(yes) {
		panel.hidden = !yes
		toggle.setAttribute("aria-expanded", String(yes))
		head.classList.toggle("open", yes)
		if (yes && !panel.firstChild)
			fill(panel, [order, ...Object.values(ends), ...Object.values(selects)].map(({element}) => element), done)
		if (yes) offer().catch(() => {}) // the choices of before stay
	}

	// The choices are those that the other filters leave.
	async function offer() {
		const {counts} = await find(parametersOf(filters), {...tally, counts: Object.values(equal)}, {signal})
		for (const name in equal) selects[name].offer(counts[equal[name]])
	}

	function show(next) {
		filters = next
		if (search !== document.activeElement) search.value = filters.q ?? ""
		for (const field of ranges) ends[field].show(filters[field])
		for (const name in selects) selects[name].show(filters[name])
		order.show(filters.sort ?? sorts[0])
		const active = activeFilters(filters)
		fill(toggle, t.filters, active.length > 0 && ` (${active.length})`)
		fill(chips, active.map(({label, without}) => h("button.chip", label, h("span", "×", {"aria-hidden": "true"}),
			{label: text(t.remove_filter, {filter: label}), click: () => go(without)})),
		active.length > 0 && h("button.link", t.clear_filters, {click: () => go({tab: filters.tab, sort: filters.sort})}),
		currencies)
		if (!panel.hidden) offer().catch(() => {})
	}

	const currencies = h("span.currencies")

	// Where prices have several currencies, each is one to choose.
	function showCurrencies(counts = {}, {currency, cost, cost_per_area: each, sort = ""}) {
		const several = Object.keys(counts).filter(code => code !== "null")
		const compared = cost || each || sort.includes("cost")
		fill(currencies, compared && !currency && several.length > 1 && [t.currencies, several.map(code =>
			h("button.link", `${code} ${number(counts[code])}`, {click: () => set({currency: code})}))])
	}

	// On a phone the panel hides the list: its last button leads there.
	const showTotal = n => fill(done, count(t.show_n, n))

	return {head, chips, search, show, showCurrencies, showTotal}
}

/**
 * ranged gives for each range of the filters what it hides because it is not
 * known: the field, the parameters of what is hidden, the filters that show it.
 */
export function ranged(filters) {
	const unknown = filters.unknown?.split(",") ?? []
	return ranges.filter(field => filters[field] && !unknown.includes(field)).map(field => {
		const hidden = parametersOf({...filters, [field]: ""})
		// With a cost from some amount on, 0 is not let through.
		if (field === "cost" && range(filters.cost)[0] == null) hidden.append("filter[priced]", 0)
		else hidden.append(`known[${field}]`, "no")
		return {field, hidden, shown: {...filters, unknown: [...unknown, field].join()}}
	})
}

function rangeControl(field, set) {
	const inputs = ["from", "to"].map(end => h("input", {inputmode: "decimal", label: text(t[end], {name: t[field]}),
		placeholder: t[end + "_short"], size: 6, autocomplete: "off", "aria-describedby": `unreadable-${field}`}))
	const trouble = h("span.trouble", {id: `unreadable-${field}`})
	const change = later(() => {
		const ends = inputs.map(({value}) => parseNumber(value))
		ends.forEach((end, i) => inputs[i].setAttribute("aria-invalid", String(Number.isNaN(end))))
		const wrong = ends.some(Number.isNaN)
		fill(trouble, wrong && t.unreadable)
		if (!wrong) set({[field]: ends.every(end => end == null) ? "" : ends.map(end => end ?? "").join("..")})
	}, 300)
	const name = field === "travel_time" ? `${t.travel_time} (${t.minutes})` : t[field]
	return {
		element: h("fieldset.range", {input: change}, h("legend", name), inputs, trouble),
		show: given => range(given).forEach((end, i) => {
			if (inputs.includes(document.activeElement)) return
			inputs[i].value = typed(end)
			inputs[i].removeAttribute("aria-invalid")
		}),
	}
}

function selectControl(name, label, options, set) {
	const select = h("select", {change: () => set({[name]: select.value})}, option("", t.any), options)
	const has = value => [...select.options].some(option => option.value === value)
	return {
		select,
		element: h("label", h("span", label), select),
		show: (value = "") => {
			if (!has(value)) select.append(option(value))
			select.value = value
		},
		offer: (counts = {}) => {
			const {value} = select
			const known = Object.keys(counts).filter(value => value !== "null" && value !== "")
			const values = [...new Set([...known, value].filter(Boolean))].sort((a, b) => a.localeCompare(b))
			const label = value => `${nameOf(name, value)} (${number(counts[value] ?? 0)})`
			fill(select, option("", t.any), values.map(value => option(value, label(value))))
			select.value = value
			// One value alone is no choice.
			select.parentElement.hidden = values.length < 2 && !value
		},
	}
}

// The names of postal codes stand in the flats.
function nameOf(field, value) {
	if (field !== "code") return value
	const codes = [...flats.values()].map(({service_postal_code: code}) => code)
	const known = codes.find(code => code?.postal_code === value)
	return known ? `${value} ${known.name}` : value
}

function makeSelects(set) {
	const selects = {}
	for (const name in equal) selects[name] = selectControl(name, t[name], [], set)
	const yesOrNo = () => [option("yes", t.with_it), option("no", t.without_it)]
	for (const name of known)
		selects[name] = selectControl(name, t[name === "visit" ? "visit_date" : name], yesOrNo(), set)
	selects.days = selectControl("days", t.days, dayChoices.map(n => option(String(n), count(t.n_days, n))), set)
	return selects
}

function sortControl(set) {
	const bare = sort => sort.replace("-", "")
	const select = h("select", {label: t.sort, change: () => set({sort: sorts.find(sort => bare(sort) === select.value)})},
		sorts.map(sort => option(bare(sort), t[bare(sort)])))
	let current = sorts[0]
	const turn = h("button", {click: () => set({sort: turned(current)})})
	return {
		element: h("div.sort", h("span", t.sort), h("div.line", select, turn)),
		show: sort => {
			current = sort
			if (![...select.options].some(({value}) => value === bare(sort))) select.append(option(bare(sort), t[bare(sort)]))
			select.value = bare(sort)
			const descending = sort.startsWith("-")
			fill(turn, descending ? "↓" : "↑")
			turn.setAttribute("aria-label", descending ? t.descending : t.ascending)
		},
	}
}

/** turned is the other direction of an order. */
export const turned = sort => (sort.startsWith("-") ? sort.slice(1) : "-" + sort)

function makeTools(filters) {
	const csv = h("a.button", t.csv, {download: "flats.csv", click: () => (csv.href = csvURL(parametersOf(filters())))})
	csv.href = csvURL(parametersOf({}))
	const button = (label, act) => h("button", label, {data: {act}})
	return h("div.tools", button(t.save_view, "save"), button(t.print, "print"), csv)
}

function searchHelp() {
	const lines = ["words", "phrase", "prefix", "not", "or", "field"]
	return h("div#search-help", {popover: "auto"}, h("h2", t.search_help),
		h("dl", lines.map(line => h("div", h("dt", h("code", t["example_" + line])), h("dd", t["help_" + line])))))
}

/** activeFilters are the filters in words, each with what is left without it. */
export function activeFilters(filters) {
	const found = []
	const add = (label, ...names) => {
		const without = {...filters}
		for (const name of names) delete without[name]
		if (without.unknown) without.unknown = without.unknown.split(",").filter(field => without[field]).join()
		found.push({label, without})
	}
	const unknown = filters.unknown?.split(",") ?? []
	for (const field of ranges.filter(field => filters[field])) {
		const words = rangeInWords(field, filters)
		add(unknown.includes(field) ? text(t.or_unknown, {range: words}) : words, field)
	}
	for (const name of ["place", "constraint", "currency", "site"]) if (filters[name]) add(filters[name], name)
	if (filters.code) add(nameOf("code", filters.code), "code")
	for (const name of known) if (filters[name]) add(t[(filters[name] === "yes" ? "with_" : "without_") + name], name)
	if (filters.days) add(text(t.first_seen_within, {days: count(t.n_days, Number(filters.days))}), "days")
	return found
}

const units = {area: " m²", travel_time: " min"}

function rangeInWords(field, filters) {
	const write = n => {
		if (field === "cost" || field === "cost_per_area") return filters.currency ? money(n, filters.currency) : number(n)
		return number(n) + (units[field] ?? "")
	}
	const [from, to] = range(filters[field])
	if (from == null) return `${t[field]} ≤ ${write(to)}`
	if (to == null) return `${t[field]} ≥ ${write(from)}`
	return `${t[field]} ${from === to ? write(from) : `${write(from)}–${write(to)}`}`
}

/** describeView is a view in words: its tab, its search and its filters. */
export function describeView(filters) {
	const tabs = {"": t.live, new: t.status_new, shortlist: t.shortlist, all: t.all}
	const {tab = "", q} = filters
	return [tabs[tab] ?? statusName(tab.slice(3)), q && `“${q}”`, ...activeFilters(filters).map(({label}) => label)]
		.filter(Boolean).join(", ")
}
