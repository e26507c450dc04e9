// The state of the page: the view and its filters, which are in the hash; the searches that they make;
// and what the browser keeps.
//
//   #/?tab=new&cost=500..1200    the list, with filters
//   #/triage?<filters>           another view; most take the filters of the list
//   #/flat/<id>                  one flat
//   #/compare/<id>,<id>          flats side by side
//   #/add?title=…&url=…          a listing to add, as another page gives it
//
// parse reads a hash; hashOf, flatHash and compareHash write one. parametersOf turns filters into a
// search; tally, pageOf, pileOf and withVisit complete one. queryOf turns them into a view that the service
// keeps, which relativeIn may rule out. tabOf, orderOf and holds say what a tab contains, and in which order. typed has
// the filters that are not in the hash yet. stored and store use the browser's storage, forgetStored empties it. trail
// has the way from a flat back to its list.

import {statusName, t} from "./format.js"
import {halfTyped} from "./marks.js"

// The views beside the list
const views = ["flat", "triage", "visits", "add", "compare", "duplicates", "map", "prices", "import", "notify"]

// shortlisted has the statuses of flats that the user pursues, in the order in which a flat gets them.
export const shortlisted = ["followed", "contacted", "visited"]
const dead = ["ignored", "duplicate", "user_deleted"]

// statuses are those that the page offers. A flat may have any other.
export const statuses = ["new", ...shortlisted, ...dead]

// tabs has the tabs by name. A tab has the flats with any of some statuses, or all but those with some; alive
// leaves out flats that are gone, within those that have not changed for some days. sort is the order of a
// tab, if it is not newestFirst.
const tabs = {
	"": {label: t.live, not: dead, alive: true},
	new: {label: t.status_new, any: ["new"], alive: true},
	changed: {label: t.changed, not: ["duplicate", "user_deleted"], within: 7, sort: "-changed"},
	shortlist: {label: t.shortlist, any: shortlisted, sort: "-status_since"},
	all: {label: t.all},
}

// tabOf returns a tab by its name in the hash: one of tabs, or "is:" and a status.
export function tabOf(name = "") {
	const status = name.slice(3)
	return tabs[name] ?? {label: statusName(status), any: [status], sort: "-status_since"}
}

// holds reports whether a tab has flats with a status.
export const holds = ({any, not = []}, status) => any?.includes(status) ?? !not.includes(status)

// ranges are the fields with a filter from and to: 500..1200, 500.., ..1200.
export const ranges = ["cost", "cost_per_area", "area", "rooms", "bedrooms", "travel_time", "notation"]

// several names the field that must equal one of a filter's values, which are a list.
export const several = {place: "place"}

// sight names the two ranges of the map's window: the flats within it are left.
export const sight = ["lat", "lng"]

// equal names the field that must equal a filter's value.
export const equal = {constraint: "service_constraint", currency: "currency", site: "site"}

// known names the field that must be known if a filter is "yes", and must not if it is "no".
export const known = {visit: "visit_date", notes: "notes", photos: "photos"}

// The parameters of a hash, in their order there. to is the place to which travel times are, where it is not
// the nearest one. unknown lists the ranges that let through flats whose value is not known.
const names = ["tab", "q", ...ranges, ...sight, "to", ...Object.keys({...several, ...equal, ...known}), "days",
	"unknown", "sort"]

// parse reads a hash and returns {view, rest, filters}. An unknown view is the list; unknown and empty
// parameters, and ranges without a number, are left out.
export function parse(hash) {
	const [, name, rest = "", search] = /^#?\/?(\w*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
	const given = [...new URLSearchParams(search)].filter(([name, value]) => names.includes(name) && value)
		.filter(([name, value]) => ![...ranges, ...sight].includes(name) || range(value).some(end => end != null))
	const filters = Object.fromEntries(given)
	for (const name in several)
		if (filters[name]) filters[name] = given.filter(([other]) => other === name).map(([, value]) => value)
	return {view: views.includes(name) ? name : "list", rest, filters}
}

// idOf returns the id of the flat that a route names.
export const idOf = ({rest}) => decodeURIComponent(rest)

// idsOf returns the ids of all flats that a route names.
export const idsOf = ({rest}) => rest.split(",").filter(Boolean).map(decodeURIComponent)

// hashOf returns the hash of a view with filters. Equal filters have equal hashes. A range that is removed is removed
// from unknown, too.
export function hashOf(view, filters = {}) {
	const all = {...filters, unknown: unknownIn(filters).filter(name => filters[name]).join()}
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

// unknownIn returns the ranges that let through flats whose value is not known.
export const unknownIn = ({unknown}) => unknown?.split(",") ?? []

// typed has the filters that were typed since the hash was last read, by name. filters.js sets them; the next view
// that opens has them, whatever opens it (withTyped in bar.js).
export const typed = {}

// newestFirst is the order of most tabs.
export const newestFirst = "-first_seen"

// fieldOf returns the API's field for a range: that of the travel time depends on the place, and a cost of 0 is no
// price.
function fieldOf(name, {to}) {
	if (name === "travel_time" && to) return "time_to." + to
	return name === "cost" ? "price" : name
}

// orderOf returns the order of filters, which is that of their tab if they name none.
export const orderOf = ({sort, tab}) => sort ?? tabOf(tab).sort ?? newestFirst

// sortKeys returns the API's sort keys for an order of filters. Flats first seen together, which came in by
// one import, are sorted by their own date. By cost, flats without a price come last, and each currency
// stands apart, because different currencies are never compared as numbers.
function sortKeys(sort, filters) {
	if (sort === "-status_since" || sort === "-changed") return `${sort},${sortKeys(newestFirst, filters)}`
	if (sort.endsWith("first_seen")) return `${sort},${sort.replace("first_seen", "date")}`
	if (sort.endsWith("travel_time")) return sort.replace("travel_time", () => fieldOf("travel_time", filters))
	return /^-?cost/.test(sort) ? "-priced,currency," + sort : sort
}

// parametersOf returns the parameters of the API's find for the filters of a view.
export function parametersOf(filters) {
	const parameters = new URLSearchParams()
	const add = (name, value) => value != null && value !== "" && parameters.append(name, value)
	add("q", halfTyped(filters.q))
	const {alive, within, any = [], not = []} = tabOf(filters.tab)
	if (alive) add("known[gone]", "no")
	if (within) add("min[changed]", daysAgo(within))
	for (const status of any) add("any[status]", status)
	for (const status of not) add("not[status]", status)
	const unknown = unknownIn(filters)
	for (const name of ranges.filter(name => filters[name])) {
		const field = fieldOf(name, filters)
		const unit = name === "travel_time" ? 60 : 1 // filters have minutes, flats seconds
		const [from, to] = range(filters[name]).map(end => end && end * unit)
		add(`min[${field}]`, from)
		add(`max[${field}]`, to)
		if (unknown.includes(name)) add("unknown", field)
	}
	for (const name of sight) {
		const [from, to] = range(filters[name])
		add(`min[${name}]`, from)
		add(`max[${name}]`, to)
	}
	for (const name in several) for (const value of filters[name] ?? []) add(`any[${several[name]}]`, value)
	for (const name in equal) add(`filter[${equal[name]}]`, filters[name])
	for (const name in known) add(`known[${known[name]}]`, filters[name])
	if (filters.days > 0) add("min[first_seen]", daysAgo(filters.days))
	add("sort", sortKeys(orderOf(filters), filters))
	add("nulls", "last")
	return parameters
}

// queryOf returns the conditions of the search for filters, for a view that the service keeps.
export function queryOf(filters) {
	const parameters = parametersOf(filters)
	for (const name of ["sort", "nulls"]) parameters.delete(name)
	return String(parameters)
}

// relativeIn returns the label of a filter whose flats depend on the day, if there is one. The service
// cannot keep such a view.
export function relativeIn({tab, days}) {
	const {within, label} = tabOf(tab)
	return within ? label : days > 0 && t.days
}

// daysAgo returns the time some days ago, rounded down to the hour. So a request is the same within an
// hour, and the worker finds the answer that it kept.
function daysAgo(days) {
	const at = new Date()
	at.setHours(at.getHours() - 24 * days, 0, 0, 0)
	return at.toISOString()
}

// tally asks for the numbers of flats by status and currency, and for the smallest page. The worker
// keeps answers by their address, so all views must ask with the same parameters.
export const tally = {"page[size]": 1, fields: "status", counts: ["status", "currency"]}

// pageOf asks for a page of the list, with the same numbers as tally.
export const pageSize = 50
export const pageOf = number => ({"page[size]": pageSize, "page[number]": number, counts: tally.counts})

// pileOf asks for the pile of the triage.
export const pileOf = {"page[size]": 1000, fields: "status"}

// withVisit asks for the flats that have a visit, in the order of the visits.
export const withVisit = {"known[visit_date]": "yes", sort: "visit_date"}

// stored returns what store kept under a name, or null if there is nothing, or the browser allows no
// storage. area is "localStorage", or "sessionStorage" for what belongs to this tab.
export function stored(name, area = "localStorage") {
	try {
		return JSON.parse(globalThis[area].getItem(name))
	} catch {
		return null
	}
}

// store keeps a value under a name in this browser; null removes it. After forgetStored it does nothing.
export function store(name, value, area = "localStorage") {
	if (isForgotten) return
	try {
		if (value == null) globalThis[area].removeItem(name)
		else globalThis[area].setItem(name, JSON.stringify(value))
	} catch {/* full, or not allowed: the page works without */}
}

let isForgotten = false

// forgetStored deletes what store kept, for good: nothing is kept again before the page is next opened.
export function forgetStored() {
	isForgotten = true
	localStorage.clear() // other tabs get the event "storage"
	sessionStorage.clear()
}

// trail has the ways on from a flat. hash is the view that it was opened from, for "Back" (app.js sets it);
// ids are the flats there in their order, for "Previous flat" and "Next flat" (each view sets them);
// last is the flat that was opened last (flat.js sets it). keepTrail keeps it through a reload.
export const trail = {hash: "#/", ids: [], last: null, ...stored("flats.trail", "sessionStorage")}
export const keepTrail = () => store("flats.trail", trail, "sessionStorage")
