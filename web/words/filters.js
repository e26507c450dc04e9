// Tabs and filters in words. describeView and filtersInWords write everything that a view has, tabName, filterInWords
// and activeFilters its parts; datedFilterIn names a filter that depends on the date. parts/naming.js proposes names.

import {own} from "../lib/fields.js"
import {me} from "../lib/people.js"
import {isTime, knownFields, listFields, mapWindow, personOf, range, ranges, tabOf, unknownIn} from "../lib/state.js"
import {count, money, named, number, sinceWhen, statusName, t, text} from "./format.js"

const tabNames = {"": t.live, new: t.status_new, changed: t.changed, shortlist: t.shortlist, all: t.all}

// tabName returns the name of a tab of the list.
export function tabName(name = "") {
	const person = personOf(name)
	if (person) return person === me() ? t.for_me : text(t.for_name, {name: person})
	return own(tabNames, name) ?? statusName(name.slice("is:".length))
}

// datedFilterIn returns the name of a filter whose flats depend on the current date, such as "First seen within", or a
// falsy value. The service cannot keep a view with such a filter.
export const datedFilterIn = ({tab, days}) => (tabOf(tab).within ? tabName(tab) : days > 0 && t.days)

// filterInWords writes a value of a filter. The words of a range depend on other filters, in filters.
export function filterInWords(name, value, filters) {
	if (name === "q") return text(t.quoted, {word: value})
	if (name === "sort") return `${rangeName(value.replace("-", "")) ?? value} ${value.startsWith("-") ? "↓" : "↑"}`
	if (name === "days") return `${t.days} ${count(t.n_days, value)}`
	if (name === "site") return value === "added" ? t.site_added : value
	if (name === "since") return text(t.decided_since, {date: sinceWhen(value)})
	if (name === "by") return text(t.by_name, {name: value})
	if (name in knownFields) return named(value === "yes" ? t.with : t.without, knownFields[name])
	return ranges.includes(name) ? rangeInWords(name, value, filters) : value
}

// rangeName returns the name of a range.
export const rangeName = name =>
	(name.startsWith("travel.") ? text(t.way_of, {name: name.slice("travel.".length)}) : own(t, name))

function unitOf(name) {
	if (name === "area") return " m²"
	return isTime(name) ? " min" : ""
}

// rangeInWords writes a range: "Cost ≤ €900", "Rooms 2–3 or unknown".
function rangeInWords(name, value, filters) {
	const {currency, to: place} = filters
	const write = n => (/^(cost|monthly)/.test(name) && currency ? money(n, currency) : number(n) + unitOf(name))
	const [from, to] = range(value)
	let ends
	if (from == null) ends = "≤ " + write(to)
	else if (to == null) ends = "≥ " + write(from)
	else if (from === to) ends = write(to)
	else ends = `${write(from)}–${write(to)}`
	const label = name === "travel_time" && place ? `${t.travel_to} ${place}` : rangeName(name)
	const words = `${label} ${ends}`
	return unknownIn(filters).includes(name) ? text(t.or_unknown, {range: words}) : words
}

// codeBefore matches a postal code before the name of its place: 2100, 1012 AB, 110 00, 4000-123, 00-950, SW1A 1AA.
const codeBefore = /^(?:\d{3,}(?:[ -]\d{2,4})?(?: [A-Z]{2})?|\d\d-\d{3}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}) (?=\S)/

// placeName returns the name of a place without its postal code.
export const placeName = place => place.replace(codeBefore, "")

// namesWithoutChip has the filters without a chip: tab and mine have a control of their own (mine in Prices), unknown
// and to belong to the words of a range, and sort does not change which flats are shown.
const namesWithoutChip = ["tab", "unknown", "sort", "to", "mine"]

// activeFilters returns the filters that have a chip, [{name, words, rest}]. rest is the value of the filter without
// the part that the chip names.
export const activeFilters = filters => Object.keys(filters).flatMap(name => {
	const value = filters[name]
	if (name in listFields) return placeChips(name, value)
	if (mapWindow.includes(name)) {
		const first = mapWindow.find(range => filters[range]) // the two ranges of the window have one chip
		return name === first ? [{name, words: t.on_map, rest: ""}] : []
	}
	if (namesWithoutChip.includes(name) || !value) return []
	return [{name, words: filterInWords(name, value, filters), rest: ""}]
})

// placeChips returns the filters of places, one for each name, which may stand for several postal codes.
const placeChips = (name, value) => [...Map.groupBy(value, placeName)].map(([words, places]) => ({
	name,
	words: places.length > 1 ? words : places[0],
	rest: value.filter(place => !places.includes(place)),
}))

// filtersInWords writes the filters of a view, without its tab.
export const filtersInWords = filters => activeFilters(filters).map(({words}) => words).join(", ")

// replacedInWords says which words of a search no flat has, and which others are found instead.
export const replacedInWords = replaced => replaced.map(({word, by}) =>
	text(t.nothing_has, {word, others: by.map(other => text(t.quoted, {word: other})).join(", ")})).join(" · ")

// describeView writes what a view shows: its tab and its filters.
export const describeView = filters => [tabName(filters.tab), filtersInWords(filters)].filter(Boolean).join(", ")
