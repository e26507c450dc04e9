// The state of the page, which is in the hash: the view, and the filters of the list.
//
//   #/?tab=new&cost=500..1200    the list, with filters
//   #/triage?<filters>           another view; most take the filters of the list
//   #/flat/<id>                  one flat
//   #/compare/<id>,<id>          flats side by side
//   #/settings/<section>         a section of Settings
//   #/add?title=…&url=…          a listing to add, as another page gives it
//
// parse reads a hash; hashOf, flatHash and compareHash write one. tabOf, orderOf and holds say which flats a tab has,
// and in which order. query.js turns filters into a query.

import {currencyOf, dead, own, shortlisted} from "./fields.js"
import {people, travellers} from "./people.js"

// The views besides the list
const views = ["today", "flat", "triage", "visits", "add", "compare", "duplicates", "map", "prices", "import",
	"settings", "start"]

// moved has the sections of Settings that were views of their own, by the names of these.
const moved = {notify: "messages", photos: "photos", travel: "places", mailbox: "listings"}

// isDead reports whether the user is done with flats of a status.
export const isDead = status => dead.includes(status)

// tabs has the tabs by name. Each says which flats it has, and in which order:
//   any     only flats with any of these statuses
//   not     no flats with any of these statuses
//   alive   if true, no flats that are gone
//   within  only flats that have changed within this number of days
//   sort    the order, if it is not newestFirst
const tabs = {
	"": {not: dead, alive: true},
	new: {any: ["new"], alive: true},
	changed: {not: dead, within: 7, sort: "-changed"},
	shortlist: {any: shortlisted, sort: "-status_since"},
	all: {},
}

// tabOf returns a tab by its name in the hash: one of tabs, or "is:" and a status, or "for:" and a person. The latter
// has the flats of the shortlist that this person has not rated.
export const tabOf = (name = "") => own(tabs, name) ?? {
	any: personOf(name) ? shortlisted : [name.slice("is:".length)],
	unrated: personOf(name),
	sort: "-status_since",
}

// personOf returns the person in the name of a tab, if there is one.
export const personOf = (name = "") => /^for:(.*)/s.exec(name)?.[1]

// holds reports whether a tab contains flats with a status.
export const holds = ({any, not = []}, status) => any?.includes(status) ?? !not.includes(status)

// ways are the travel times of people, if places are those of one of them.
export const ways = travellers.length > 0 ? [...travellers.map(person => "travel." + person), "travel_longest"] : []

// isTime reports whether a range is of travel times: filters have minutes, flats seconds.
export const isTime = name => name === "travel_time" || ways.includes(name)

// ranges are the fields with a filter from and to: 500..1200, 500.., ..1200.
export const ranges = ["cost", "monthly", "cost_per_area", "area", "rooms", "bedrooms", "travel_time", ...ways,
	"notation"]

// several names the field that must equal one of a filter's values, which are a list.
export const several = {place: "place"}

// mapWindow names the two ranges of the map's window, which flats must be in.
export const mapWindow = ["lat", "lng"]

// equal names the field that must equal a filter's value.
export const equal = {constraint: "service_constraint", currency: "currency_code", site: "site",
	...people.length > 0 && {by: "status_by"}}

// known names the field that must be known if a filter is "yes", and unknown if it is "no".
export const known = {visit: "visit_date", notes: "notes", photos: "photos"}

// The parameters of a hash, in their order there. to is the place for travel times, if not the nearest one. unknown
// lists the ranges that also allow flats whose value is not known. since is a time: only flats decided on later are
// shown. mine is "yes" if Prices leaves out what is not on the shortlist.
const names = ["tab", "q", ...ranges, ...mapWindow, "to", ...Object.keys({...several, ...equal, ...known}), "since",
	"days", "unknown", "sort", "mine"]

// parse reads a hash and returns {view, rest, filters}. An unknown view is the list; unknown and empty parameters,
// ranges without a number, and tabs of people whom the config does not name, are omitted.
export function parse(hash) {
	const [, name, rest = "", search] = /^#?\/?(\w*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
	const given = [...new URLSearchParams(search)].filter(([name, value]) => names.includes(name) && value)
		.filter(([name, value]) => ![...ranges, ...mapWindow].includes(name) || range(value).some(end => end != null))
	const filters = Object.fromEntries(given)
	if (filters.currency) filters.currency = currencyOf(filters)
	if (personOf(filters.tab) && !people.includes(personOf(filters.tab))) delete filters.tab
	if (filters.since && Number.isNaN(Date.parse(filters.since))) delete filters.since
	for (const name in several)
		if (filters[name]) filters[name] = given.filter(([other]) => other === name).map(([, value]) => value)
	if (own(moved, name)) return {view: "settings", rest: moved[name], filters}
	return {view: views.includes(name) ? name : "list", rest, filters}
}

// decoded returns what a part of a hash stands for: itself if a percent sign there escapes nothing.
function decoded(part) {
	try {
		return decodeURIComponent(part)
	} catch {
		return part
	}
}

// idOf returns the id of the flat that a route names.
export const idOf = ({rest}) => decoded(rest)

// idsOf returns the ids of all flats that a route names.
export const idsOf = ({rest}) => rest.split(",").filter(Boolean).map(decoded)

// hashOf returns the hash of a view with filters. Equal filters have equal hashes. A range that is removed is also
// removed from unknown. Only Prices has mine.
export function hashOf(view, filters = {}) {
	const mine = view === "prices" ? filters.mine : ""
	const all = {...filters, mine, unknown: unknownIn(filters).filter(name => filters[name]).join()}
	const search = new URLSearchParams(names.filter(name => all[name])
		.flatMap(name => [all[name]].flat().map(value => [name, value])))
	return "#/" + (view === "list" ? "" : view) + (search.size ? "?" + search : "")
}

// flatHash returns the hash of one flat.
export const flatHash = id => "#/flat/" + encodeURIComponent(id)

// compareHash returns the hash of flats side by side.
export const compareHash = ids => "#/compare/" + ids.map(encodeURIComponent).join()

// range reads "500..1200" as [500, 1200]; an open end is null.
export function range(text = "") {
	const [from, to] = text.split("..").map(parseFloat)
	return [from, to].map(end => (Number.isFinite(end) ? end : null))
}

// unknownIn returns the ranges that also allow flats whose value is not known.
export const unknownIn = ({unknown}) => unknown?.split(",") ?? []

// newestFirst is the order of most tabs.
export const newestFirst = "-first_seen"

// orderOf returns the order of filters, or that of their tab if they have none.
export const orderOf = ({sort, tab}) => sort ?? tabOf(tab).sort ?? newestFirst
