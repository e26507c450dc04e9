// The controls for the search and the filters. makeControls makes them, for every view that has filters.

import {places} from "../lib/api.js"
import {fill, h, later, swap} from "../lib/dom.js"
import {look} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {queryOf, tally} from "../lib/query.js"
import {equal, hashOf, known, mapWindow, newestFirst, orderOf, range, ranges, several,
	unknownIn} from "../lib/state.js"
import {activeFilters, filterInWords} from "../words/filters.js"
import {locale, named, number, parseNumber, t, text} from "../words/format.js"

// choices has the filters with a control, in their order in the panel. A filter with values has a select, one of
// several has boxes, the others have two fields for a range. offer adds the values that the flats have.
const choices = {
	sort: {values: [newestFirst, "cost", "cost_per_area", "-area", "-rooms", "travel_time", "-notation",
		"-status_since", "-changed", "title"]},
	...Object.fromEntries(ranges.flatMap(name => (name !== "travel_time" ? [[name, {}]]
		: [[name, {}], ["to", {label: t.travel_to, none: t.nearest, values: [""]}]]))),
	...Object.fromEntries(Object.keys(equal).map(name => [name, {values: [""]}])),
	...Object.fromEntries(Object.keys(known).map(name => [name, {label: t[known[name]], values: ["", "yes", "no"]}])),
	days: {values: ["", "1", "3", "7", "30"]},
	...Object.fromEntries(Object.keys(several).map(name => [name, {}])),
}

// countFlats requests the number of flats that match filters.
async function countFlats(filters, signal) {
	const {total} = await look(queryOf(filters), tally, {signal})
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

	// set changes one filter. The two ranges of the map's window have one chip, which removes both.
	function set(name, value) {
		delete kept.typed[name]
		const names = mapWindow.includes(name) ? mapWindow : [name]
		go({...filters, ...Object.fromEntries(names.map(name => [name, value]))})
	}

	// clear removes all filters, including those being typed.
	function clear() {
		for (const name in kept.typed) delete kept.typed[name]
		const {tab, to, sort} = filters
		go({tab, to, sort})
	}

	// type changes a filter letter by letter. The change is applied once typing pauses, on Enter, or when a view opens.
	function type(name, value) {
		if (value === undefined) delete kept.typed[name] // what was typed cannot be read
		else kept.typed[name] = value
		applySoon()
	}

	const isTyped = () => Object.keys(kept.typed).length > 0
	const apply = () => isTyped() && dispatchEvent(new Event("hashchange"))
	const applySoon = later(apply, 200)
	// A click may open another view, from which "Back" returns to this address.
	const keep = () => isTyped() && history.replaceState(null, "", hashOf(view, {...filters, ...kept.typed}))
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

// makeSearch makes the search field and its help. The field calls type("q", words) on each letter. show(words) sets
// it, unless something is being typed.
function makeSearch(type) {
	const input = h("input#search", {type: "search", label: t.search, placeholder: t.search, autocomplete: "off",
		input: () => type("q", input.value.trim())})
	const help = h("div#search-help", {popover: "auto"}, h("h2", t.search_help),
		h("ul", t.search_lines.map(line => h("li", line))))
	const field = h("div.field", input, h("button", "?", {label: t.search_help, popovertarget: help.id}))

	function show(words = "") {
		if (!("q" in kept.typed) && input.value.trim() !== words) input.value = words
	}

	return {field, help, show}
}

// makePanel makes the panel with a control for each filter, and toggle, the button that opens and closes it. A
// control calls set(name, value), or, for a range, type(name, value) on each letter. show(filters) sets the controls
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

	// offerValues requests the values of the matching flats, with their counts, and the places of travel times, and has
	// the controls offer them. If a request fails, the controls keep their values.
	function offerValues() {
		const counted = {...equal, ...several}
		look(queryOf(filters), {...tally, counts: Object.values(counted)}, {signal}).then(({counts}) => {
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

// comparesCurrencies reports whether filters compare costs in several currencies. counts has the number of flats by
// currency.
function comparesCurrencies({currency, cost, cost_per_area: each, sort}, counts) {
	const several = Object.keys(counts).filter(code => code !== "null").length > 1
	return several && !currency && (cost || each || sort?.includes("cost"))
}

// withUnknown returns fields, the ranges that hide flats whose value is not known, and all, the filters that show
// these flats too.
function withUnknown(filters) {
	const unknown = unknownIn(filters)
	const fields = ranges.filter(field => filters[field] && !unknown.includes(field))
	return {fields, all: {...filters, unknown: [...unknown, ...fields].join()}}
}

// rangeControl makes the two fields of a range, which call type(value) on each letter. Text that is not a number and
// a range whose ends are swapped have no value. They are marked once typing pauses, or on Enter.
function rangeControl(field, type) {
	const end = (words, placeholder) => h("input", {label: text(words, {name: t[field]}), placeholder, size: 4,
		inputmode: "decimal", autocomplete: "off", "aria-describedby": "trouble-" + field})
	const inputs = [end(t.from, "≥"), end(t.to, "≤")]
	const trouble = h("p.trouble", {id: "trouble-" + field})

	// read returns the two numbers, and whether they are swapped.
	function read() {
		const ends = inputs.map(({value}) => parseNumber(value))
		const [from, to] = ends
		return {ends, isTurned: from != null && to != null && from > to}
	}

	// check marks invalid fields.
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

// selectControl makes the select of a filter. show(value) selects a value; offer(counts) replaces the values by
// those in counts, with their numbers. Once there was a choice, the select stays, even while the search being typed
// leaves only one value.
function selectControl(name, set) {
	const {label = t[name], none = t.any, values} = choices[name]
	const select = h("select", {change: () => set(select.value)})
	const element = h("label", h("span", label), select)
	let stays = false
	const option = (value, n) => h("option", value ? filterInWords(name, value) : none, n && ` (${number(n)})`, {value})
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

// boxesControl makes a box for each value of a filter that has several. show(values) ticks some; offer(counts)
// replaces the boxes by those of the values in counts, with their numbers.
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

	// draw replaces the list and keeps its scroll position. swap keeps the focus.
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

// travelPlaces returns the places of all constraints as counts without numbers. It leaves out places with a comma or
// a bracket in their name, because the service has no field for them.
function travelPlaces(areas) {
	const names = Object.values(areas).flatMap(Object.keys).filter(name => !/[,[\]]/.test(name))
	return Object.fromEntries(names.map(name => [name, null]))
}
