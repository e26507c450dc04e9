// What one can ask of the list: the search, the filters and the saved searches.
//
// makeControls makes the controls of the search and the filters, for every view that has filters.
// describeView says in words what filters ask for. savedSearches keeps views under names.

import {find} from "./api.js"
import {fill, h, later} from "./dom.js"
import {count, money, named, number, parseNumber, t, text} from "./format.js"
import {equal, hashOf, known, newestFirst, parametersOf, parse, range, ranges, store, stored, tabOf, tally,
	unknownIn} from "./state.js"

// The filters that have a control, in their order in the panel: a select where they have values, else
// two fields for a range. say writes a value in words, for the chip.
const choices = {
	sort: {values: [newestFirst, "cost", "cost_per_area", "-area", "-rooms", "travel_time", "-notation", "title"],
		say: sort => `${t[sort.replace("-", "")]} ${sort.startsWith("-") ? "↓" : "↑"}`},
}
for (const name of ranges) choices[name] = {say: (given, filters) => rangeInWords(name, filters)}
for (const name in equal) choices[name] = {values: [""], say: value => value} // offer adds those of the flats
for (const name in known) choices[name] = {label: t[known[name]], values: ["", "yes", "no"],
	say: value => named(value === "yes" ? t.with : t.without, known[name])}
choices.days = {values: ["", "1", "3", "7", "30"], say: days => `${t.days} ${count(t.n_days, days)}`}

// numberOf asks how many flats filters leave.
async function numberOf(filters, signal, more) {
	const {total} = await find(parametersOf(filters), {...tally, ...more}, {signal})
	return total
}

// makeControls makes the controls of a view: head (the search field, the panel, and tools, further
// buttons), chips (the active filters), and hidden (the number of flats that ranges hide). It returns
// these with functions: show sets the controls to filters, go opens the view with other filters, and
// showCurrencies and showHidden add notes.
export function makeControls(view, signal, ...tools) {
	let filters
	// The address is replaced, not added: "Back" would go through a word letter by letter.
	const go = filters => {
		history.replaceState(null, "", hashOf(view, filters))
		dispatchEvent(new Event("hashchange"))
	}
	// A range that is removed is removed from unknown, too.
	const set = (name, value) => go({...filters, [name]: value,
		unknown: unknownIn(filters).filter(field => value || field !== name).join()})
	const search = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: later(() => set("q", search.value.trim()), 200)})
	const controls = Object.fromEntries(Object.entries(choices).map(([name, {values}]) =>
		[name, (values ? selectControl : rangeControl)(name, value => set(name, value))]))
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
		if (panel.hidden) scrollTo(0, 0) // on a phone the panel has pushed the list down
		else offer()
	}

	// offer has the selects offer the values that flats of the view have, with their numbers.
	function offer() {
		find(parametersOf(filters), {...tally, counts: Object.values(equal)}, {signal}).then(({counts}) => {
			for (const name in equal) controls[name].offer(counts[equal[name]])
		}, () => {/* those of before will do */})
	}

	function show(next) {
		filters = next
		// What is being typed stays.
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

	// showCurrencies adds a note if costs in several currencies are compared. counts has the number of
	// flats by currency.
	function showCurrencies(counts) {
		const {currency, cost, cost_per_area: each, sort} = filters
		const several = Object.keys(counts).filter(code => code !== "null").length > 1 && !currency
		fill(currencies, several && (cost || each || sort?.includes("cost")) && t.currencies)
	}

	// showHidden asks how many flats the ranges hide because their value is not known, and offers to
	// show them.
	async function showHidden(signal, total) {
		const unknown = unknownIn(filters)
		const fields = ranges.filter(field => filters[field] && !unknown.includes(field))
		const all = {...filters, unknown: [...unknown, ...fields].join()}
		const n = fields.length && await numberOf(all, signal) - total
		const name = fields.map(field => named("{name}", field)).join(" / ")
		fill(hidden, n > 0 && h("p", text(t.n_without, {n: number(n), name}), " · ",
			h("button.link", t.show, {click: () => go(all)})))
	}

	return {head, chips, hidden, go, show, showCurrencies, showHidden}
}

// rangeControl makes the two fields of a range. What cannot be read is marked, and not set.
function rangeControl(field, set) {
	const end = (words, placeholder) => h("input", {label: text(words, {name: t[field]}), placeholder, size: 4,
		inputmode: "decimal", autocomplete: "off", "aria-describedby": "trouble-" + field})
	const inputs = [end(t.from, "≥"), end(t.to, "≤")]
	const trouble = h("p.trouble", {id: "trouble-" + field})
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

// selectControl makes a select.
function selectControl(name, set) {
	const {label = t[name], values, say} = choices[name]
	const select = h("select", {change: () => set(select.value)})
	const element = h("label", h("span", label), select)
	const option = (value, n) => h("option", value ? say(value) : t.any, n && ` (${number(n)})`, {value})
	const show = (value = values[0]) => {
		select.value = value
		// A value that is not offered, which came with the address, is added.
		if (select.selectedIndex < 0) select.append(Object.assign(option(value), {selected: true}))
	}
	// offer replaces the values. One value alone is no choice: the select is hidden.
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

// activeFilters returns the filters that have a chip, [{name, words}].
const activeFilters = filters => Object.keys(filters)
	.map(name => ({name, words: inWords(name, filters)})).filter(({words}) => words)

function inWords(name, filters) {
	if (name === "q") return `“${filters.q}”`
	return name !== "sort" && choices[name]?.say(filters[name], filters)
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

// describeView says in words what a view shows: its tab and its filters.
export const describeView = filters =>
	[tabOf(filters.tab).label, ...activeFilters(filters).map(({words}) => words)].join(", ")

// savedSearches makes the chips of the searches that this browser keeps. countNew asks how many flats
// have come in since each was last opened; show draws the chips, and counts the search with these
// filters as opened now; save asks for a name and keeps the view under it.
export function savedSearches() {
	const element = h("nav.saved", {label: t.saved})
	let filters, searches // [{name, hash, opened}]

	function show(next, all = stored("flats.searches") ?? []) {
		filters = next
		const hash = hashOf("list", filters)
		const opened = new Date().toISOString().slice(0, 19) + "Z" // the service stores whole seconds
		searches = all.map(search => (search.hash === hash ? {...search, opened} : search))
		store("flats.searches", searches)
		const removing = name => h("button.close", "×",
			{label: text(t.remove, {name}), click: () => show(filters, others(name))})
		fill(element, searches.map(({name, hash: to}) => h("span.chip",
			h("a", name, {href: to, "aria-current": to === hash && "page"}), h("b"),
			to === hash && removing(name))))
	}

	const others = name => searches.filter(search => search.name !== name)

	async function countNew(signal) {
		for (const [i, {hash, opened}] of searches.entries()) {
			const n = await numberOf(parse(hash).filters, signal, {"min[first_seen]": opened})
			fill(element.children[i].querySelector("b"), n > 0 && `${number(n)} ${t.status_new}`)
		}
	}

	function save() {
		const name = prompt(t.save, describeView(filters))?.trim()
		if (name) show(filters, [...others(name), {name, hash: hashOf("list", filters)}])
	}

	return {element, show, countNew, save}
}
