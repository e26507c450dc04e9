// The hash is the state of the page: #/?tab=new&cost=500..1200, #/triage?<filters>,
// #/flat/<id>, #/compare/<id>,<id>

import {statusName, t} from "./format.js"

const views = ["flat", "triage", "visits", "compare", "duplicates", "map", "prices", "import"] // beside the list

export const shortlisted = ["followed", "contacted", "visited"]
const dead = ["ignored", "duplicate", "user_deleted"]
export const statuses = ["new", ...shortlisted, ...dead]

// A tab holds flats of any of some statuses, or of all but some; alive leaves out what is gone.
const tabs = {
	"": {label: t.live, not: dead, alive: true},
	new: {label: t.status_new, any: ["new"], alive: true},
	shortlist: {label: t.shortlist, any: shortlisted},
	all: {label: t.all},
}

export function tabOf(name = "") {
	const status = name.slice(3)
	return tabs[name] ?? {label: statusName(status), any: [status]}
}

export const holds = ({any, not = []}, status) => any?.includes(status) ?? !not.includes(status)

/** Fields that a view can have from and to: 500..1200, 500.., ..1200. */
export const ranges = ["cost", "cost_per_area", "area", "rooms", "bedrooms", "travel_time", "notation"]

/** Filters and the fields that must equal them, or that must be known or must not. */
export const equal = {place: "location", code: "service_postal_code", constraint: "service_constraint",
	currency: "currency", site: "site"}
export const known = {visit: "visit_date", notes: "notes", photos: "photos"}

// unknown names the ranges that let through what is not known.
const names = ["tab", "q", ...ranges, ...Object.keys({...equal, ...known}), "days", "unknown", "sort"]

export function parse(hash) {
	const [, name, rest = "", search] = /^#?\/?(\w*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(hash) ?? []
	const given = [...new URLSearchParams(search)].filter(([name, value]) => names.includes(name) && value)
	return {view: views.includes(name) ? name : "list", rest, filters: Object.fromEntries(given)}
}

export const idOf = ({rest}) => decodeURIComponent(rest)
export const idsOf = ({rest}) => rest.split(",").filter(Boolean).map(decodeURIComponent)

export function hashOf(view, filters = {}) {
	const search = new URLSearchParams(names.filter(name => filters[name]).map(name => [name, filters[name]]))
	return "#/" + (view === "list" ? "" : view) + (search.size ? "?" + search : "")
}

export const flatHash = id => "#/flat/" + encodeURIComponent(id)
export const compareHash = ids => "#/compare/" + ids.map(encodeURIComponent).join()

/** range reads "500..1200" as [500, 1200]; what is open is null. */
export function range(text = "") {
	const [from, to] = text.split("..").map(parseFloat)
	return [from, to].map(end => (Number.isFinite(end) ? end : null))
}

export const unknownIn = ({unknown}) => unknown?.split(",") ?? []

export const newestFirst = "-first_seen"

// Flats without a price come last, and currencies are never compared as numbers.
function sortKeys(sort = newestFirst) {
	if (sort.endsWith("first_seen")) return `${sort},${sort.replace("first_seen", "date")}`
	return /^-?cost/.test(sort) ? "-priced,currency," + sort : sort
}

export function parametersOf(filters) {
	const parameters = new URLSearchParams()
	const add = (name, value) => value != null && value !== "" && parameters.append(name, value)
	add("q", filters.q)
	const {alive, any = [], not = []} = tabOf(filters.tab)
	if (alive) add("known[gone]", "no")
	for (const status of any) add("any[status]", status)
	for (const status of not) add("not[status]", status)
	const unknown = unknownIn(filters)
	for (const field of ranges.filter(field => filters[field])) {
		const unit = field === "travel_time" ? 60 : 1 // people say minutes
		const [from, to] = range(filters[field]).map(end => end && end * unit)
		add(`min[${field}]`, from)
		add(`max[${field}]`, to)
		if (unknown.includes(field)) add("unknown", field)
		else if (field === "cost") add("filter[priced]", 1) // a cost of 0 is none
	}
	for (const name in equal) add(`filter[${equal[name]}]`, filters[name])
	for (const name in known) add(`known[${known[name]}]`, filters[name])
	if (filters.days > 0) add("min[first_seen]", daysAgo(filters.days))
	add("sort", sortKeys(filters.sort))
	add("nulls", "last")
	return parameters
}

// Whole hours: the same question is found among what is kept of answers.
function daysAgo(days) {
	const at = new Date()
	at.setHours(at.getHours() - 24 * days, 0, 0, 0)
	return at.toISOString()
}

export const tally = {"page[size]": 1, fields: "status", counts: ["status", "currency"]}
export const pageSize = 50
export const pageOf = number => ({"page[size]": pageSize, "page[number]": number, counts: tally.counts})

export const withVisit = {"known[visit_date]": "yes", sort: "visit_date"}

export function stored(name) {
	try {
		return JSON.parse(localStorage.getItem(name))
	} catch {
		return null
	}
}

export function store(name, value) {
	try {
		if (value == null) localStorage.removeItem(name)
		else localStorage.setItem(name, JSON.stringify(value))
	} catch {/* the page works without */}
}

/** Where a flat was opened from, the ids of the flats there, and the last one opened. */
export const trail = {hash: "#/", ids: [], last: null}
