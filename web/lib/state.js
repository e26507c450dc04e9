// The state of the page: the view and the filters of the list, which are in the hash.
//
//   #/?tab=new&cost=500..1200    the list, with filters
//   #/triage?<filters>           another view; most take the filters of the list
//   #/flat/<id>                  one flat
//   #/compare/<id>,<id>          flats side by side
//   #/settings/<section>         a section of Settings
//   #/add?title=…&url=…          a listing to add, as another page gives it
//
// parse reads a hash; hashOf, flatHash and compareHash write one. tabOf, orderOf and holds describe the tabs of the
// list. query.js turns filters into a query.

import {currencyOf, dead, own, shortlisted} from "./fields.js"
import {people, travellers} from "./people.js"

// The views other than the list
const views = ["today", "flat", "triage", "visits", "add", "compare", "duplicates", "map", "prices", "import",
	"settings", "start"]

// movedViews has the sections of Settings that were views in earlier versions, by their old names.
const movedViews = {notify: "messages", photos: "photos", travel: "places", mailbox: "listings"}

// isDead reports whether a status means that the user is done with a flat.
export const isDead = status => dead.includes(status)

// tabs describes the tabs of the list by name:
//   any     only flats with any of these statuses
//   not     no flats with any of these statuses
//   alive   if true, no flats that are gone
//   within  only flats that have changed within this number of days
//   sort    the order, if not newestFirst
const tabs = {
	"": {not: dead, alive: true},
	new: {any: ["new"], alive: true},
	changed: {not: dead, within: 7, sort: "-changed"},
	shortlist: {any: shortlisted, sort: "-status_since"},
	all: {},
}

// tabOf describes a tab by its name in the hash: one of tabs, "is:" and a status, or "for:" and a person. The last has
// the flats of the shortlist that the person has not rated.
export const tabOf = (name = "") => own(tabs, name) ?? {
	any: personOf(name) ? shortlisted : [name.slice("is:".length)],
	unrated: personOf(name),
	sort: "-status_since",
}

// personOf returns the person in the name of a tab, or undefined.
export const personOf = (name = "") => /^for:(.*)/s.exec(name)?.[1]

// holds reports whether a tab has flats with a status.
export const holds = ({any, not = []}, status) => any?.includes(status) ?? !not.includes(status)

// ways names the filters with a range for the travel time of each person, if some places belong to one person.
export const ways = travellers.length > 0 ? [...travellers.map(person => "travel." + person), "travel_longest"] : []

// isTime reports whether a range is a travel time. Filters have minutes, flats seconds.
export const isTime = name => name === "travel_time" || ways.includes(name)

// ranges names the filters with a range: 500..1200, 500.., ..1200.
export const ranges = ["cost", "monthly", "cost_per_area", "area", "rooms", "bedrooms", "travel_time", ...ways,
	"notation"]

// listFields maps filters with a list of values to the field that must have one of them.
export const listFields = {place: "place"}

// mapWindow names the two ranges that are the window of the map.
export const mapWindow = ["lat", "lng"]

// equalFields maps filters to the field that must have their value.
export const equalFields = {constraint: "service_constraint", currency: "currency_code", site: "site",
	...people.length > 0 && {by: "status_by"}}

// knownFields maps filters to the field that must have a value, for "yes", or none, for "no".
export const knownFields = {visit: "visit_date", notes: "notes", photos: "photos"}

// parameterNames has the parameters of a hash in order. Those not described above:
//   to       the place of travel_time, if not the nearest one
//   since    a time: only flats that got their status later
//   days     only flats first seen within this number of days
//   unknown  the ranges that also allow flats without a value, separated by commas
//   mine     "yes" if Prices shows only the shortlist
const parameterNames = ["tab", "q", ...ranges, ...mapWindow, "to",
	...Object.keys({...listFields, ...equalFields, ...knownFields}), "since", "days", "unknown", "sort", "mine"]

// parse parses a hash as {view, rest, filters}. rest is the path after the view. An unknown view becomes the list.
// filters leaves out parameters that are unknown or empty, ranges without a number, and tabs of people who are not in
// the config.
export function parse(hash) {
	const [, view, rest = "", search] = /^#?\/?(\w*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
	const isRange = name => [...ranges, ...mapWindow].includes(name)
	const hasNumber = value => range(value).some(end => end != null)
	const parameters = [...new URLSearchParams(search)].filter(([name, value]) => parameterNames.includes(name) && value)
		.filter(([name, value]) => !isRange(name) || hasNumber(value))
	const filters = Object.fromEntries(parameters)
	if (filters.currency) filters.currency = currencyOf(filters)
	if (personOf(filters.tab) && !people.includes(personOf(filters.tab))) delete filters.tab
	if (filters.since && Number.isNaN(Date.parse(filters.since))) delete filters.since
	for (const name in listFields) // the hash has a parameter for each value
		if (filters[name]) filters[name] = parameters.filter(([other]) => other === name).map(([, value]) => value)
	if (own(movedViews, view)) return {view: "settings", rest: movedViews[view], filters}
	return {view: views.includes(view) ? view : "list", rest, filters}
}

// decode decodes a part of a hash, or returns it unchanged if it is not encoded correctly.
function decode(part) {
	try {
		return decodeURIComponent(part)
	} catch {
		return part
	}
}

// idOf returns the id of the flat in a route.
export const idOf = ({rest}) => decode(rest)

// idsOf returns the ids of the flats in a route.
export const idsOf = ({rest}) => rest.split(",").filter(Boolean).map(decode)

// hashOf returns the hash of a view with filters. Equal filters have equal hashes. unknown loses the ranges that are
// not set, and mine is for Prices only.
export function hashOf(view, filters = {}) {
	const mine = view === "prices" ? filters.mine : ""
	const all = {...filters, mine, unknown: unknownIn(filters).filter(name => filters[name]).join()}
	const search = new URLSearchParams(parameterNames.filter(name => all[name])
		.flatMap(name => [all[name]].flat().map(value => [name, value])))
	const path = view === "list" ? "" : view
	return `#/${path}` + (search.size > 0 ? "?" + search : "")
}

// flatHash returns the hash of one flat.
export const flatHash = id => "#/flat/" + encodeURIComponent(id)

// compareHash returns the hash of a comparison of flats.
export const compareHash = ids => "#/compare/" + ids.map(encodeURIComponent).join()

// range parses "500..1200" as [500, 1200]. An open end is null.
export function range(text = "") {
	const [from, to] = text.split("..").map(parseFloat)
	return [from, to].map(end => (Number.isFinite(end) ? end : null))
}

// unknownIn returns the ranges that also allow flats without a value.
export const unknownIn = ({unknown}) => unknown?.split(",") ?? []

// newestFirst is the default order.
export const newestFirst = "-first_seen"

// orderOf returns the order in filters, or else the order of their tab.
export const orderOf = ({sort, tab}) => sort ?? tabOf(tab).sort ?? newestFirst
