// The controls of the search and the filters.
//
// makeControls makes them, for every view that has filters. describeView and filtersInWords write filters.

import {look, places} from "./api.js"
import {fill, h, later, swap} from "./dom.js"
import {count, locale, money, named, number, parseNumber, t, text} from "./format.js"
import {equal, hashOf, known, newestFirst, orderOf, parametersOf, range, ranges, several, sight, tabOf, tally, typed,
	unknownIn} from "./state.js"

// choices has the filters with a control, in their order in the panel. A filter with values has a select,
// one of several has boxes, the others have two fields for a range. say writes a value in words, for the
// chip.
const choices = {
	sort: {values: [newestFirst, "cost", "cost_per_area", "-area", "-rooms", "travel_time", "-notation",
		"-status_since", "-changed", "title"],
		say: sort => `${t[sort.replace("-", "")]} ${sort.startsWith("-") ? "↓" : "↑"}`},
}
for (const name of ranges) {
	choices[name] = {say: (given, filters) => rangeInWords(name, filters)}
	if (name === "travel_time") choices.to = {label: t.travel_to, none: t.nearest, values: [""], say: value => value}
}
for (const name in equal) choices[name] = {values: [""], say: value => value} // offer adds the values of the flats
for (const name in known) choices[name] = {label: t[known[name]], values: ["", "yes", "no"],
	say: value => named(value === "yes" ? t.with : t.without, known[name])}
choices.days = {values: ["", "1", "3", "7", "30"], say: days => `${t.days} ${count(t.n_days, days)}`}
for (const name in several) choices[name] = {}

// countFlats asks how many flats filters leave.
async function countFlats(filters, signal) {
	const {total} = await look(parametersOf(filters), tally, {signal})
	return total
}

// makeControls makes the controls of a view: head has the search field, the panel, and the buttons in
// tools; chips has the active filters; hidden says how many flats the ranges hide. It returns these
// elements with four functions:
//   show(filters)                sets the controls to filters
//   go(filters)                  opens the view with other filters
//   showCurrencies(counts)       adds a note if costs in several currencies are compared, with a button
//                                for each; counts has the number of flats by currency
//   showHidden(signal, total)    asks how many flats the ranges hide, besides the total that is shown
export function makeControls(view, signal, ...tools) {
	let filters
	const search = makeSearch(type)
	const panel = makePanel(set, type, signal)
	const head = h("div.head", {role: "search", keydown: ({key}) => key === "Enter" && apply()}, search.field,
		panel.toggle, h("div.tools", tools), panel.element, search.help)
	const chips = h("div.chips")
	const currencies = h("p.currencies.soft")
	const hidden = h("div.hidden-ones")

	function show(next) {
		filters = next
		search.show(filters.q)
		panel.show(filters)
		const held = chips.contains(document.activeElement)
		fill(chips, chipsOf(filters, set, clear), currencies)
		if (held) (chips.querySelector("button") ?? search.field.firstChild).focus({preventScroll: true})
	}

	// go replaces the address: otherwise "Back" would go through a word letter by letter.
	function go(next) {
		history.replaceState(null, "", hashOf(view, next))
		dispatchEvent(new Event("hashchange"))
	}

	// set changes one filter. The two of the map's window have one chip, which removes both.
	function set(name, value) {
		delete typed[name]
		const names = sight.includes(name) ? sight : [name]
		go({...filters, ...Object.fromEntries(names.map(name => [name, value]))})
	}

	// clear removes all filters, also those that were just typed.
	function clear() {
		for (const name in typed) delete typed[name]
		const {tab, to, sort} = filters
		go({tab, to, sort})
	}

	// type changes a filter by a letter. It is applied once typing pauses, by Enter, or by what opens a view before.
	function type(name, value) {
		if (value === undefined) delete typed[name] // what was typed cannot be read
		else typed[name] = value
		applySoon()
	}

	const isTyped = () => Object.keys(typed).length > 0
	const apply = () => isTyped() && dispatchEvent(new Event("hashchange"))
	const applySoon = later(apply, 200)
	// What is pressed may open another view, from which "Back" comes to this address.
	const keep = () => isTyped() && history.replaceState(null, "", hashOf(view, {...filters, ...typed}))
	addEventListener("click", keep, {capture: true, signal})

	function showCurrencies(counts) {
		const codes = Object.keys(counts).filter(code => code !== "null").sort()
		fill(currencies, comparesCurrencies(filters, counts) && [t.currencies, " ",
			codes.map(code => h("button", code, {click: () => set("currency", code)}))])
	}

	async function showHidden(signal, total) {
		const {fields, all} = withUnknown(filters)
		const n = fields.length > 0 ? await countFlats(all, signal) - total : 0
		const name = fields.map(field => named("{name}", field)).join(" / ")
		fill(hidden, n > 0 && h("p", text(t.n_without, {n: number(n), name}), " · ",
			h("button.link", t.show, {click: () => go(all)})))
	}

	return {head, chips, hidden, show, go, showCurrencies, showHidden}
}

// makeSearch makes the search field and its help. The field calls type("q", words) with each letter. show(words)
// sets it, but not to words of before those that are being typed.
function makeSearch(type) {
	const input = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: () => type("q", input.value.trim())})
	const help = h("div#search-help", {popover: "auto"}, h("h2", t.search_help),
		h("ul", t.search_lines.map(line => h("li", line))))
	const field = h("div.field", input, h("button", "?", {label: t.search_help, popovertarget: help.id}))

	function show(words = "") {
		if (!("q" in typed) && input.value.trim() !== words) input.value = words
	}

	return {field, help, show}
}

// makePanel makes the panel with a control for each filter, and toggle, the button that opens and closes
// it. A control calls set(name, value), or a range type(name, value) with each letter. show(filters) sets the controls
// to filters.
function makePanel(set, type, signal) {
	let filters
	const controlOf = (name, {values}) => {
		if (name in several) return boxesControl(name, value => set(name, value))
		if (values) return selectControl(name, value => set(name, value))
		return rangeControl(name, value => type(name, value))
	}
	const controls = Object.fromEntries(Object.entries(choices).map(([name, choice]) => [name, controlOf(name, choice)]))
	controls.to.offer({}) // hidden until there are places to choose from
	const element = h("div.panel", {hidden: true}, Object.values(controls).map(control => control.element),
		h("button.primary.done", t.show, {click: turn}))
	const toggle = h("button.toggle", {"aria-expanded": "false", click: turn})

	// turn opens or closes the panel.
	function turn() {
		element.hidden = !element.hidden
		toggle.setAttribute("aria-expanded", !element.hidden)
		if (element.hidden) scrollTo(0, 0) // on a phone the panel has pushed the list down
		else offerValues()
	}

	// offerValues has the controls offer the values that flats of the view have, with their numbers, and the
	// places of travel times. If a request fails, they keep the values that they have.
	function offerValues() {
		const counted = {...equal, ...several}
		look(parametersOf(filters), {...tally, counts: Object.values(counted)}, {signal}).then(({counts}) => {
			for (const name in counted) controls[name].offer(counts[counted[name]])
		}, () => {})
		places(signal).then(areas => controls.to.offer(travelPlaces(areas)), () => {})
	}

	function show(next) {
		filters = next
		for (const name in controls) controls[name].show(filters[name])
		controls.sort.show(orderOf(filters))
		const n = activeFilters(filters).length
		fill(toggle, t.filters, n > 0 && ` (${n})`)
		if (!element.hidden) offerValues()
	}

	return {element, toggle, show}
}

// chipsOf makes a chip for each active filter, which removes it by set, and a button that clears them
// all by clear.
function chipsOf(filters, set, clear) {
	const chips = activeFilters(filters).map(({name, words, rest}) => h("button.chip", words, " ×",
		{label: text(t.remove, {name: words}), click: () => set(name, rest)}))
	return chips.length > 0 ? [chips, h("button.link", t.clear, {click: clear})] : []
}

// comparesCurrencies reports whether filters compare costs in several currencies. counts has the number
// of flats by currency.
function comparesCurrencies({currency, cost, cost_per_area: each, sort}, counts) {
	const several = Object.keys(counts).filter(code => code !== "null").length > 1
	return several && !currency && (cost || each || sort?.includes("cost"))
}

// withUnknown returns fields, the ranges that hide flats whose value is not known, and all, the filters
// that show these flats too.
function withUnknown(filters) {
	const unknown = unknownIn(filters)
	const fields = ranges.filter(field => filters[field] && !unknown.includes(field))
	return {fields, all: {...filters, unknown: [...unknown, ...fields].join()}}
}

// rangeControl makes the two fields of a range, which call type(value) with each letter. Text that is not a number and
// a range that is the wrong way round are no value. They are marked once typing pauses, or by Enter.
function rangeControl(field, type) {
	const end = (words, placeholder) => h("input", {label: text(words, {name: t[field]}), placeholder, size: 4,
		inputmode: "decimal", autocomplete: "off", "aria-describedby": "trouble-" + field})
	const inputs = [end(t.from, "≥"), end(t.to, "≤")]
	const trouble = h("p.trouble", {id: "trouble-" + field})

	// read returns the two numbers, and whether they are the wrong way round.
	function read() {
		const ends = inputs.map(({value}) => parseNumber(value))
		const [from, to] = ends
		return {ends, isTurned: from != null && to != null && from > to}
	}

	// check marks the fields that are wrong.
	function check() {
		const {ends, isTurned} = read()
		inputs.forEach((input, i) => input.setAttribute("aria-invalid", isTurned || Number.isNaN(ends[i])))
		fill(trouble, ends.some(Number.isNaN) ? t.unreadable : isTurned && t.turned_round)
	}

	const checkSoon = later(check, 300)

	function input() {
		const {ends, isTurned} = read()
		const isReadable = !isTurned && !ends.some(Number.isNaN)
		const value = ends.some(end => end != null) ? ends.join("..") : ""
		type(isReadable ? value : undefined)
		checkSoon()
	}

	function show(given) {
		if (inputs.includes(document.activeElement)) return
		range(given).forEach((end, i) => (inputs[i].value = end ?? ""))
		check()
	}
	const name = h("legend", t[field], field === "travel_time" && " (min)")
	return {show, element: h("fieldset.range", {input, change: check}, name, inputs, trouble)}
}

// selectControl makes the select of a filter. show(value) selects a value; offer(counts) replaces the
// values by those that counts has, with their numbers. Once there was something to choose, the select stays, also
// while a search that is being typed leaves one value.
function selectControl(name, set) {
	const {label = t[name], none = t.any, values, say} = choices[name]
	const select = h("select", {change: () => set(select.value)})
	const element = h("label", h("span", label), select)
	let stays = false
	const option = (value, n) => h("option", value ? say(value) : none, n && ` (${number(n)})`, {value})
	const show = (value = values[0]) => {
		select.value = value
		// The address may have a value that is not offered.
		if (select.selectedIndex < 0) select.append(Object.assign(option(value), {selected: true}))
	}

	function offer(counts) {
		const {value} = select
		const values = Object.keys(counts).filter(value => value !== "null").sort((a, b) => a.localeCompare(b))
		fill(select, ["", ...values].map(value => option(value, counts[value])))
		stays ||= values.length > 1 || value !== "" // one value alone leaves nothing to choose
		element.hidden = !stays
		show(value)
	}

	fill(select, values.map(value => option(value)))
	return {element, show, offer}
}

// boxesControl makes a box for each value of a filter that has several. show(values) ticks some, offer(counts)
// replaces the boxes by those of the values that counts has, with their numbers.
function boxesControl(name, set) {
	const legend = h("legend", t[name])
	let list = h("div.boxes")
	const element = h("fieldset.several", {hidden: true}, legend, list)
	let chosen = []
	let offered = {}
	let stays = false // as in selectControl

	function turn({target: {value, checked}}) {
		set(checked ? [...chosen, value] : chosen.filter(other => other !== value))
	}

	// draw replaces the list and keeps its place. swap keeps the focus.
	function draw() {
		const values = [...new Set([...Object.keys(offered), ...chosen])].filter(value => value !== "null")
			.sort((a, b) => a.localeCompare(b, locale, {numeric: true}))
		const {scrollTop} = list
		list = swap(list, h("div.boxes", values.map(value => h("label", h("input", {type: "checkbox", value,
			checked: chosen.includes(value), change: turn}), h("span", value,
			offered[value] && ` (${number(offered[value])})`)))))
		list.scrollTop = scrollTop
		stays ||= values.length > 1 || chosen.length > 0
		element.hidden = !stays
	}

	function show(values = []) {
		chosen = values
		draw()
	}

	function offer(counts) {
		offered = counts
		draw()
	}

	return {element, show, offer}
}

// travelPlaces returns the places of all search areas as counts without numbers. A place whose name has a comma
// or a bracket is left out, because the service has no field for it.
function travelPlaces(areas) {
	const names = Object.values(areas).flatMap(Object.keys).filter(name => !/[,[\]]/.test(name))
	return Object.fromEntries(names.map(name => [name, null]))
}

// activeFilters returns the filters that have a chip, [{name, words, rest}]. rest is what is left of the filter
// without what the chip names.
const activeFilters = filters => Object.keys(filters).flatMap(name => {
	if (name in several) return filters[name].map(words =>
		({name, words, rest: filters[name].filter(other => other !== words)}))
	return {name, words: inWords(name, filters), rest: ""}
}).filter(({words}) => words)

// inWords writes a filter for its chip, or returns undefined or false for one without a chip: the order, and
// the place of travel times, do not change which flats are shown.
function inWords(name, filters) {
	if (name === "q") return `“${filters.q}”`
	if (sight.includes(name)) return name === sight.find(name => filters[name]) && t.on_map
	return !["sort", "to"].includes(name) && choices[name]?.say(filters[name], filters)
}

const units = {area: " m²", travel_time: " min"}

// rangeInWords writes a range: "Cost ≤ €900", "Rooms 2–3 or unknown".
function rangeInWords(field, filters) {
	const {currency, to: place} = filters
	const write = n => (field.startsWith("cost") && currency ? money(n, currency) : number(n) + (units[field] ?? ""))
	const [from, to] = range(filters[field])
	const ends = from == null ? "≤ " + write(to) : to == null ? "≥ " + write(from)
		: from === to ? write(to) : `${write(from)}–${write(to)}`
	const words = (field === "travel_time" && place ? `${t.travel_to} ${place} ` : `${t[field]} `) + ends
	return unknownIn(filters).includes(field) ? text(t.or_unknown, {range: words}) : words
}

// filtersInWords writes the filters of a view, without its tab.
export const filtersInWords = filters => activeFilters(filters).map(({words}) => words).join(", ")

// describeView writes what a view shows in words: its tab and its filters.
export const describeView = filters => [tabOf(filters.tab).label, filtersInWords(filters)].filter(Boolean).join(", ")
