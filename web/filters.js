// What one can ask of the list: the search, the filters and their chips, and
// the searches that this browser keeps.

import {find} from "./api.js"
import {fill, h, later} from "./dom.js"
import {count, money, named, number, parseNumber, statusName, t, text} from "./format.js"
import {equal, hashOf, liveIn, newestFirst, parametersOf, parse, range, ranges, shortlisted, store, stored,
	tally} from "./state.js"

// Tabs have a name, and hold the flats of some statuses; alive leaves out what is gone.
const tabs = {
	"": {label: t.live, holds: liveIn, alive: true},
	new: {label: t.status_new, holds: status => status === "new", alive: true},
	shortlist: {label: t.shortlist, holds: status => shortlisted.includes(status)},
	all: {label: t.all, holds: () => true},
}

/** tabOf is what a tab of some name shows; "is:<status>" is for one status alone. */
export const tabOf = (name = "") =>
	tabs[name] ?? {label: statusName(name.slice(3)), holds: status => name === "is:" + status}

// The filters that are chosen from a list. Those of equal get their values from the flats.
const withOr = field => ({label: t[field], values: ["", "yes", "no"],
	say: value => named(value === "yes" ? t.with : t.without, field)})
const choices = {
	sort: {values: [newestFirst, "cost", "cost_per_area", "-area", "-rooms", "travel_time", "-notation", "title"],
		say: sort => `${t[sort.replace("-", "")]} ${sort.startsWith("-") ? "↓" : "↑"}`},
	...Object.fromEntries(Object.keys(equal).map(name => [name, {values: [""], say: value => value}])),
	visit: withOr("visit_date"),
	notes: withOr("notes"),
	photos: withOr("photos"),
	days: {values: ["", "1", "3", "7", "30"], say: days => `${t.days} ${count(t.n_days, Number(days))}`},
}

const numberOf = async (parameters, signal) => (await find(parameters, tally, {signal})).total

/** makeControls makes the controls of a view of flats. */
export function makeControls(view, signal, ...tools) {
	let filters
	// It replaces the entry in the history: Back must not go through a word letter by letter.
	const go = filters => {
		history.replaceState(null, "", hashOf(view, filters))
		dispatchEvent(new Event("hashchange"))
	}
	const set = (name, value) => go({...filters, [name]: value,
		unknown: unknownIn(filters).filter(field => value || field !== name).join()})
	const search = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: later(() => set("q", search.value.trim()), 200)})
	const controls = Object.fromEntries(["sort", ...ranges, ...Object.keys(choices)].map(name =>
		[name, (choices[name] ? selectControl : rangeControl)(name, value => set(name, value))]))
	const panel = h("div.panel", {hidden: true}, Object.values(controls).map(({element}) => element),
		h("button.primary.done", t.show, {click: open}))
	const toggle = h("button.toggle", {"aria-expanded": "false", click: open})
	const help = h("div#search-help", {popover: "auto"}, h("h2", t.search_help),
		h("ul", t.search_lines.map(line => h("li", line))))
	const head = h("div.head", {role: "search"},
		h("div.field", search, h("button", "?", {label: t.search_help, popovertarget: help.id})), toggle,
		h("div.tools", tools), panel, help)
	const chips = h("div.chips")
	const currencies = h("p.currencies.soft")
	const hidden = h("div.hidden-ones")

	function open() {
		panel.hidden = !panel.hidden
		toggle.setAttribute("aria-expanded", !panel.hidden)
		if (panel.hidden) scrollTo(0, 0) // on a phone the panel hides the list
		else offer()
	}

	// The choices are those that the other filters leave.
	async function offer() {
		const asked = find(parametersOf(filters), {...tally, counts: Object.values(equal)}, {signal})
		const found = await asked.catch(() => null)
		if (found) for (const name in equal) controls[name].offer(found.counts[equal[name]])
	}

	function show(next) {
		filters = next
		if (search !== document.activeElement) search.value = filters.q ?? ""
		for (const name in controls) controls[name].show(filters[name])
		const active = activeFilters(filters)
		const {tab, sort} = filters
		fill(toggle, t.filters, active.length > 0 && ` (${active.length})`)
		fill(chips, active.map(({name, words}) => h("button.chip", words, " ×",
			{label: text(t.remove, {name: words}), click: () => set(name, "")})),
		active.length > 0 && h("button.link", t.clear, {click: () => go({tab, sort})}), currencies)
		if (!panel.hidden) offer()
	}

	function showCurrencies(counts) {
		const {currency, cost, cost_per_area: each, sort} = filters
		const several = Object.keys(counts).filter(code => code !== "null").length > 1 && !currency
		fill(currencies, several && (cost || each || sort?.includes("cost")) && t.currencies)
	}

	// What a range hides because nobody knows it.
	async function showHidden(signal) {
		const unknown = unknownIn(filters)
		const fields = ranges.filter(field => filters[field] && !unknown.includes(field))
		fill(hidden, await Promise.all(fields.map(async field => {
			const parameters = parametersOf({...filters, [field]: ""})
			// With a cost from some amount on, 0 is not let through.
			if (field === "cost" && range(filters.cost)[0] == null) parameters.append("filter[priced]", 0)
			else parameters.append(`known[${field}]`, "no")
			const n = await numberOf(parameters, signal)
			return n > 0 && h("p", text(named(t.n_without, field), {n: number(n)}), " · ",
				h("button.link", t.show, {click: () => go({...filters, unknown: [...unknown, field].join()})}))
		})))
	}

	return {head, chips, hidden, search, go, show, showCurrencies, showHidden}
}

function rangeControl(field, set) {
	const end = (words, placeholder) => h("input", {label: text(words, {name: t[field]}), placeholder, size: 6,
		inputmode: "decimal", autocomplete: "off", "aria-describedby": "trouble-" + field})
	const inputs = [end(t.from, "≥"), end(t.to, "≤")]
	const trouble = h("span.trouble", {id: "trouble-" + field})
	const input = later(() => {
		const ends = inputs.map(({value}) => parseNumber(value))
		inputs.forEach((input, i) => input.setAttribute("aria-invalid", Number.isNaN(ends[i])))
		fill(trouble, ends.some(Number.isNaN) && t.unreadable)
		if (!trouble.firstChild) set(ends.some(end => end != null) ? ends.join("..") : "")
	}, 300)
	const show = given => {
		if (!inputs.includes(document.activeElement)) range(given).forEach((end, i) => (inputs[i].value = end))
	}
	const name = h("legend", t[field], field === "travel_time" && " (min)")
	return {show, element: h("fieldset.range", {input}, name, inputs, trouble)}
}

function selectControl(name, set) {
	const {label = t[name], values, say} = choices[name]
	const select = h("select", {change: () => set(select.value)})
	const element = h("label", {class: name}, h("span", label), select)
	const option = (value, n) => h("option", value ? say(value) : t.any, n && ` (${number(n)})`, {value})
	const show = (value = values[0]) => {
		if (![...select.options].some(option => option.value === value)) select.append(option(value))
		select.value = value
	}
	// One value alone is no choice.
	function offer(counts) {
		const {value} = select
		const values = Object.keys(counts).filter(value => value !== "null").sort((a, b) => a.localeCompare(b))
		fill(select, ["", ...values].map(value => option(value, counts[value])))
		element.hidden = values.length < 2 && !value
		show(value)
	}
	fill(select, values.map(value => option(value)))
	return {element, show, offer}
}

const unknownIn = ({unknown}) => unknown?.split(",") ?? []

const activeFilters = filters => Object.keys(filters)
	.map(name => ({name, words: filters[name] && inWords(name, filters)})).filter(({words}) => words)

function inWords(name, filters) {
	if (name === "q") return `“${filters.q}”`
	if (ranges.includes(name)) return rangeInWords(name, filters)
	return name !== "sort" && choices[name]?.say(filters[name])
}

const units = {area: " m²", travel_time: " min"}

function rangeInWords(field, filters) {
	const {currency} = filters
	const write = n => (field.startsWith("cost") && currency ? money(n, currency) : number(n) + (units[field] ?? ""))
	const [from, to] = range(filters[field])
	const ends = from == null ? "≤ " + write(to) : to == null ? "≥ " + write(from) : `${write(from)}–${write(to)}`
	const words = `${t[field]} ${ends}`
	return unknownIn(filters).includes(field) ? text(t.or_unknown, {range: words}) : words
}

/** describeView is a view in words: its tab, its search and its filters. */
export const describeView = filters =>
	[tabOf(filters.tab).label, ...activeFilters(filters).map(({words}) => words)].join(", ")

/** savedSearches makes chips of named views that say how much came in since they were last opened. */
export function savedSearches() {
	const element = h("nav.saved", {label: t.saved})
	let filters, searches // [{name, hash, opened}]

	function show(next, all = stored("flats.searches") ?? []) {
		filters = next
		const hash = hashOf("list", filters)
		const opened = new Date().toISOString().slice(0, 19) + "Z" // the service counts in seconds
		searches = all.map(search => (search.hash === hash ? {...search, opened} : search))
		store("flats.searches", searches)
		element.hidden = searches.length === 0
		fill(element, searches.map(({name, hash: to}) => h("span.chip",
			h("a", name, {href: to, "aria-current": to === hash && "page"}), h("b"),
			to === hash && h("button.close", "×", {label: text(t.remove, {name}), click: () => show(filters, others(name))}))))
	}

	const others = name => searches.filter(search => search.name !== name)

	async function countNew(signal) {
		for (const [i, {hash, opened}] of searches.entries()) {
			const parameters = parametersOf(parse(hash).filters)
			parameters.append("min[first_seen]", opened)
			const n = await numberOf(parameters, signal)
			fill(element.children[i].querySelector("b"), n > 0 && `${number(n)} ${t.status_new}`)
		}
	}

	function save() {
		const name = prompt(t.save, describeView(filters))?.trim()
		if (name) show(filters, [...others(name), {name, hash: hashOf("list", filters)}])
	}

	return {element, show, countNew, save}
}
