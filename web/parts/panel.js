// The controls in the panel of filters: a select, checkboxes, or two fields for a range.

import {places} from "../lib/api.js"
import {fill, h, later, swap} from "../lib/dom.js"
import {own} from "../lib/fields.js"
import {look} from "../lib/flats.js"
import {people} from "../lib/people.js"
import {queryOf, tally} from "../lib/query.js"
import {simplify} from "../lib/search.js"
import {equalFields, isTime, listFields, newestFirst, orderOf, range, ways} from "../lib/state.js"
import {filterInWords, placeName, rangeName} from "../words/filters.js"
import {locale, number, parseNumber, t, text} from "../words/format.js"
import {wide} from "./rows.js"

const orders = [newestFirst, "cost", "monthly", "cost_per_area", "-area", "-rooms", "travel_time", ...ways, "-notation",
	"-status_since", "-changed", "title"]
const yesOrNo = ["", "yes", "no"]

// panelFilters has the filters that have a control, in the order of the panel, {label, none, values}. A filter with
// values gets a select, one of listFields gets checkboxes, the others get a range. A select has the options of values
// until its offer replaces them. none is what the option "" is called, if not t.any.
const panelFilters = {
	sort: {values: orders},
	cost: {},
	monthly: {},
	cost_per_area: {},
	area: {},
	rooms: {},
	bedrooms: {},
	travel_time: {},
	...Object.fromEntries(ways.map(name => [name, {}])),
	to: {label: t.travel_to, none: t.nearest, values: [""]},
	notation: {},
	constraint: {values: [""]},
	currency: {values: [""]},
	site: {values: [""]},
	...people.length > 0 && {by: {values: [""]}},
	visit: {label: t.visit_date, values: yesOrNo},
	notes: {label: t.notes, values: yesOrNo},
	photos: {label: t.photos, values: yesOrNo},
	days: {values: ["", "1", "3", "7", "30"]},
	place: {},
}

// common has the filters that are always in sight. The others are under "More filters".
const common = ["cost", "area", "rooms", "place", "days"]

// makeFilters makes a control for each filter, {element, show, offerValues}. A control calls set(name, value), or, for
// a range, typed(name, value) on each letter. show(filters) sets the controls. offerValues(filters) puts choices into
// the controls: the values of the flats that match filters, with their counts, and the places of travel times. If its
// requests fail, the controls stay as they are.
export function makeFilters(set, typed, signal) {
	const controlOf = (name, {values}) => {
		if (name in listFields) return placesControl(value => set(name, value), signal)
		if (values) return selectControl(name, value => set(name, value))
		return rangeControl(name, value => typed(name, value))
	}
	const controls = Object.fromEntries(Object.entries(panelFilters)
		.map(([name, filter]) => [name, controlOf(name, filter)]))
	controls.to.offer({}) // hidden until there are places to choose from
	const elementsOf = names => names.map(name => controls[name].element)
	const uncommon = Object.keys(panelFilters).filter(name => !common.includes(name))
	const uncommonBox = h("div.rest", elementsOf(uncommon))
	const opener = h("button.further")
	const element = h("div.fields", elementsOf(common), h("div.others", opener, uncommonBox))
	makeFold(uncommonBox, opener, signal)

	function offerValues(filters) {
		const fields = [...Object.values(equalFields), listFields.place]
		const counting = look(queryOf(filters), {...tally, counts: fields}, {signal})
		counting.then(({counts}) => {
			for (const name in equalFields) controls[name].offer(counts[equalFields[name]])
			controls.place.offer(counts.place)
		}, () => {})
		// The name of a place stands for all its postal codes, also those that other filters leave out now.
		const all = look(queryOf({tab: "all"}), {...tally, counts: listFields.place}, {signal})
		Promise.all([counting, all]).then(([some, {counts}]) =>
			controls.place.offer(some.counts.place, Object.keys(counts.place)), () => {})
		places(signal).then(areas => controls.to.offer(travelPlaces(areas)), () => {})
	}

	function show(filters) {
		for (const name in controls) controls[name].show(filters[name])
		controls.sort.show(orderOf(filters))
		// A table is also sorted by its heads, so it needs this control less than cards do.
		const home = wide.matches ? uncommonBox : element
		if (controls.sort.element.parentElement !== home) home.prepend(controls.sort.element)
		const n = uncommon.filter(name => name !== "sort" && filters[name]).length
		fill(opener, t.more_filters, n > 0 && ` (${number(n)})`)
	}

	return {element, show, offerValues}
}

// makeFold makes a button open and close a box. In a wide window the box lies over the list, and a press elsewhere or
// Escape closes it.
function makeFold(box, button, signal) {
	const around = button.parentElement
	const setOpen = isOpen => {
		box.hidden = !isOpen
		button.setAttribute("aria-expanded", isOpen)
	}
	setOpen(false)
	button.addEventListener("click", () => {
		setOpen(box.hidden)
		if (wide.matches) box.querySelector("input, select").focus()
	})
	addEventListener("pointerdown", ({target}) => {
		if (wide.matches && !around.contains(target)) setOpen(false)
	}, {signal})
	around.addEventListener("keydown", event => {
		if (event.key !== "Escape" || box.hidden || !wide.matches) return
		event.stopPropagation()
		setOpen(false)
		button.focus()
	})
}

// rangeControl makes the two fields of a range, which call typed(value) on each letter. If a text is no number, or the
// ends are swapped, value is undefined. Such fields are marked as wrong once typing pauses, or on Enter.
function rangeControl(field, typed) {
	const label = rangeName(field)
	const end = (words, placeholder) => h("input", {label: text(words, {name: label}), placeholder, size: 4,
		inputmode: "decimal", autocomplete: "off", "aria-describedby": "trouble-" + field})
	const inputs = [end(t.from, "min"), end(t.to, "max")]
	const trouble = h("p.trouble", {id: "trouble-" + field})

	// read returns {ends, areSwapped}: the two numbers, null for an empty field and NaN for a text that is no number, and
	// whether the first is higher than the second.
	function read() {
		const ends = inputs.map(({value}) => parseNumber(value))
		const [from, to] = ends
		return {ends, areSwapped: from != null && to != null && from > to}
	}

	// check marks invalid fields.
	function check() {
		const {ends, areSwapped} = read()
		inputs.forEach((input, i) => input.setAttribute("aria-invalid", areSwapped || Number.isNaN(ends[i])))
		const isUnreadable = ends.some(Number.isNaN)
		fill(trouble, isUnreadable && t.unreadable, areSwapped && t.turned_round)
	}

	const checkSoon = later(check, 300)

	function input() {
		const {ends, areSwapped} = read()
		const isValid = !areSwapped && !ends.some(Number.isNaN)
		const value = ends.some(end => end != null) ? ends.join("..") : ""
		typed(isValid ? value : undefined)
		checkSoon()
	}

	function show(given) {
		if (inputs.includes(document.activeElement)) return
		range(given).forEach((end, i) => (inputs[i].value = end ?? ""))
		// Fields do not move while one types.
		const isUsed = element.closest(".fields")?.contains(document.activeElement)
		// On a phone a cost has room for millions from the start.
		const isLong = !wide.matches && ["cost", "monthly"].includes(field)
		if (!isUsed) element.classList.toggle("wide", isLong || inputs.some(({value}) => value.length > 6))
		check()
	}

	const name = h("span", label, isTime(field) && " (min)")
	const box = h("div.range", {role: "group", label}, name, inputs[0], h("small", "–"), inputs[1])
	const element = h("div", {input, change: check}, box, trouble)
	return {show, element}
}

// selectControl makes the select of a filter. show(value) selects a value, offer(counts) replaces the options by the
// values in counts. The select is hidden until there is a choice. Then it stays, even while a search being typed leaves
// only one value.
function selectControl(name, set) {
	const {label = t[name], none = t.any, values} = panelFilters[name]
	const select = h("select", {change: () => set(select.value)})
	const element = h("label", h("span", label), select)
	let stays = false
	const option = (value, n) => h("option", value ? filterInWords(name, value) : none, n && ` (${number(n)})`, {value})
	const show = (value = values[0]) => {
		select.value = value
		// The filters may have a value that is not offered.
		if (select.selectedIndex < 0) select.append(Object.assign(option(value), {selected: true}))
	}

	function offer(counts) {
		const {value} = select
		const values = Object.keys(counts).filter(value => value !== "null").sort((a, b) => a.localeCompare(b))
		fill(select, ["", ...values].map(value => option(value, counts[value])))
		const leastValues = name === "by" ? 1 : 2 // a single value is no choice, but a single person is
		stays ||= values.length >= leastValues || value !== ""
		element.hidden = !stays
		show(value)
	}

	fill(select, values.map(value => option(value)))
	return {element, show, offer}
}

// placesControl makes a checkbox for each name of a place, which stands for all its postal codes, and a field to search
// the names. A button shows the chosen names, and opens the checkboxes. show(places) ticks the chosen places.
// offer(counts, all) replaces the checkboxes by one for each name in counts, most flats first. all, if given, has the
// places of all flats.
function placesControl(set, signal) {
	const search = h("input", {type: "search", label: t.find_place, placeholder: t.place, autocomplete: "off",
		input: draw})
	let list = h("div.boxes")
	const ticked = h("b")
	const opener = h("button.opener", h("span", t.place), ticked)
	const box = h("div.several", search, list)
	const element = h("fieldset", {hidden: true}, h("legend.sr", t.place), opener, box)
	makeFold(box, opener, signal)
	let chosen = []
	let counts = {}
	let all = []
	let groups = new Map() // lists of places by name
	let stays = false // as in selectControl

	// tick chooses the places of a name, or drops them.
	function tick({target: {value, checked}}) {
		const places = groups.get(value)
		const others = chosen.filter(place => !places.includes(place))
		set(checked ? [...others, ...places] : others)
	}

	const numberIn = places => places.reduce((sum, place) => sum + (own(counts, place) ?? 0), 0)

	// boxOf makes the checkbox of a name. It returns a falsy value if no place is chosen and none has flats.
	function boxOf([name, places]) {
		const n = numberIn(places)
		const chosenHere = places.filter(place => chosen.includes(place)).length
		const input = h("input", {type: "checkbox", value: name, checked: chosenHere === places.length, change: tick})
		input.indeterminate = chosenHere > 0 && chosenHere < places.length
		return (n > 0 || chosenHere > 0) && h("label", input, h("span", name, n > 0 && ` (${number(n)})`))
	}

	// draw replaces the list and keeps its scroll position; swap keeps the focus.
	function draw() {
		const offered = new Set([...Object.keys(counts), ...all, ...chosen])
		groups = Map.groupBy([...offered].filter(place => place !== "null"), placeName)
		const typed = simplify(search.value.trim())
		const found = [...groups].filter(([name, places]) => [name, ...places].some(words => simplify(words).includes(typed)))
			.sort(([a, here], [b, there]) => numberIn(there) - numberIn(here) || a.localeCompare(b, locale, {numeric: true}))
		const chosenGroups = [...groups].filter(([, places]) => places.some(place => chosen.includes(place)))
		fill(ticked, chosenGroups.map(([name]) => name).join(", ") || t.any)
		const {scrollTop} = list
		list = swap(list, h("div.boxes", found.map(boxOf)))
		list.scrollTop = scrollTop
		stays ||= groups.size > 1 || chosen.length > 0
		element.hidden = !stays
	}

	function show(places = []) {
		chosen = places
		draw()
	}

	function offer(newCounts, newAll = all) {
		counts = newCounts
		all = newAll
		draw()
	}

	return {element, show, offer}
}

// travelPlaces returns the places of all constraints in the form of counts, without numbers. It leaves out names with a
// comma or a bracket, because the service has no field for their travel times.
function travelPlaces(areas) {
	const names = Object.values(areas).flatMap(Object.keys).filter(name => !/[,[\]]/.test(name))
	return Object.fromEntries(names.map(name => [name, null]))
}
