// The hash is the state of the page, so that Back, a reload and a bookmark keep
// it: #/?tab=new&cost=500..1200, #/triage?<filters>, #/flat/<id>, #/compare/<id>,<id>

const views = ["flat", "triage", "visits", "compare", "duplicates", "map", "prices", "import"] // beside the list

// What is dead is not among the live ones.
export const shortlisted = ["followed", "contacted", "visited"]
const dead = ["ignored", "duplicate", "user_deleted"]
export const statuses = ["new", ...shortlisted, ...dead]
export const liveIn = status => !dead.includes(status)

/** Fields that a view can have from and to: 500..1200, 500.., ..1200. */
export const ranges = ["cost", "cost_per_area", "area", "rooms", "bedrooms", "travel_time", "notation"]

/** Filters and the fields of the flat that must equal them. */
export const equal = {place: "location", code: "service_postal_code", constraint: "service_constraint",
	currency: "currency", site: "site"}

// visit, notes and photos are yes or no; days is how long ago a flat was first seen
// at most; unknown names the ranges that let through what is not known; tab is "" for
// the live ones, new, shortlist, all, or is:<status>.
const names = ["tab", "q", ...ranges, ...Object.keys(equal), "visit", "notes", "photos", "days", "unknown", "sort"]

/** parse reads a hash: the view, the rest behind it as text, and the filters. */
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

export const newestFirst = "-first_seen"

// Flats without a price come last, and currencies are never compared as numbers.
function sortKeys(sort = newestFirst) {
	if (sort.endsWith("first_seen")) return [sort, sort.replace("first_seen", "date")].join()
	return /^-?cost/.test(sort) ? "-priced,currency," + sort : sort
}

export function parametersOf(filters) {
	const parameters = new URLSearchParams()
	const add = (name, value) => value != null && value !== "" && parameters.append(name, value)
	add("q", filters.q)
	addTab(filters.tab, add)
	const unknown = new Set(filters.unknown?.split(","))
	for (const field of ranges.filter(field => filters[field])) {
		const unit = field === "travel_time" ? 60 : 1 // people say minutes
		const [from, to] = range(filters[field]).map(end => end && end * unit)
		add(`min[${field}]`, from)
		add(`max[${field}]`, to)
		if (unknown.has(field)) add("unknown", field)
		else if (field === "cost") add("filter[priced]", 1) // a cost of 0 is none
	}
	for (const name in equal) add(`filter[${equal[name]}]`, filters[name])
	add("known[visit_date]", filters.visit)
	add("known[notes]", filters.notes)
	add("known[photos]", filters.photos)
	if (filters.days > 0) add("min[first_seen]", daysAgo(filters.days))
	add("sort", sortKeys(filters.sort))
	add("nulls", "last")
	return parameters
}

function addTab(tab = "", add) {
	if (tab === "" || tab === "new") add("known[gone]", "no")
	if (tab === "") for (const status of dead) add("not[status]", status)
	if (tab === "new") add("filter[status]", "new")
	if (tab === "shortlist") for (const status of shortlisted) add("any[status]", status)
	if (tab.startsWith("is:")) add("filter[status]", tab.slice(3))
}

// Whole hours: the same question is found among what is kept of answers.
function daysAgo(days) {
	const at = new Date()
	at.setHours(at.getHours() - 24 * days, 0, 0, 0)
	return at.toISOString()
}

const counts = ["status", "currency"]

/** tally asks for the counts of a view alone, pageOf for a page of the list. */
export const tally = {"page[size]": 1, fields: "status", counts}
export const pageSize = 50
export const pageOf = number => ({"page[size]": pageSize, "page[number]": number, counts: number === 0 ? counts : []})

export const withVisit = {"known[visit_date]": "yes", sort: "visit_date"}

/** stored and store keep a value in this browser, which may refuse. */
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

/** trail is the hash that a flat was opened from, the ids of the flats there, and the last one opened. */
export const trail = {hash: "#/", ids: [], last: null}
