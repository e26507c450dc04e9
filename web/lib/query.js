// Builds the queries that the page sends to find.
//
// queryOf turns filters into a query, marketOf does so for prices and medians, conditionsOf for a saved view. tally,
// pageOf, wholePageOf, pileOf, withVisit, withStep and newSince are parameters for find. justAfter makes a bound
// of a time.

import {deleted, maxTime} from "./fields.js"
import {halfTyped} from "./search.js"
import {equalFields, isTime, knownFields, listFields, mapWindow, newestFirst, orderOf, range, ranges, tabOf,
	unknownIn} from "./state.js"

// fieldOf returns the API's field for a range: time_to of the chosen place for travel_time, and price for cost, because
// a cost of 0 is no price.
function fieldOf(name, {to}) {
	if (name === "travel_time" && to) return "time_to." + to
	return name === "cost" ? "price" : name
}

// sortKeys returns the API's sort keys for an order in the hash. Flats of one import are first seen together, so their
// own date comes second. In an order by money, the flats of each currency stand together, because amounts in different
// currencies are never compared; the most frequent currency comes first, because queryOf adds currencies=frequent. In
// an order by cost, flats without a price come last, also those with a cost of 0: their priced is 0. A monthly cost
// needs no such key, because without a price it is unknown, and the query has unknown values last.
function sortKeys(sort, filters) {
	if (sort === "-status_since" || sort === "-changed") return `${sort},${sortKeys(newestFirst, filters)}`
	if (sort.endsWith("first_seen")) return `${sort},${sort.replace("first_seen", "date")}`
	if (sort.endsWith("travel_time")) {
		// A function, because replace would take $& in the name of a place for a pattern.
		return sort.replace("travel_time", () => fieldOf("travel_time", filters))
	}
	if (/^-?monthly/.test(sort)) return "currency_code," + sort
	return /^-?cost/.test(sort) ? "-priced,currency_code," + sort : sort
}

// queryOf returns the query for the filters of a view, a URLSearchParams.
export function queryOf(filters) {
	const query = new URLSearchParams()
	const add = (name, value) => {
		if (value != null && value !== "") query.append(name, value)
	}
	add("q", halfTyped(filters.q))
	if (filters.q) add("forgive", "yes") // misspelled words find similar ones
	const {alive, within, unrated, any = [], not = []} = tabOf(filters.tab)
	if (alive) add("known[gone]", "no")
	if (within) add("min[changed]", daysAgo(within))
	for (const status of any) add("any[status]", status)
	for (const status of not) add("not[status]", status)
	if (unrated) add(`known[rating.${unrated}]`, "no")
	const unknown = unknownIn(filters)
	for (const name of ranges.filter(name => filters[name])) {
		const field = fieldOf(name, filters)
		const unit = isTime(name) ? 60 : 1
		const [from, to] = range(filters[name]).map(end => end && end * unit)
		add(`min[${field}]`, from)
		add(`max[${field}]`, to)
		// maxTime stands for all longer times, too. So a range that ends there or later leaves out flats with maxTime.
		if (isTime(name) && to >= maxTime) add(`not[${field}]`, maxTime)
		if (unknown.includes(name)) add("unknown", field)
	}
	for (const name of mapWindow) {
		const [from, to] = range(filters[name])
		add(`min[${name}]`, from)
		add(`max[${name}]`, to)
	}
	for (const name in listFields)
		for (const value of filters[name] ?? []) add(`any[${listFields[name]}]`, value)
	for (const name in equalFields) add(`filter[${equalFields[name]}]`, filters[name])
	for (const name in knownFields) add(`known[${knownFields[name]}]`, filters[name])
	add("min[status_since]", filters.since)
	if (filters.days > 0) add("min[first_seen]", daysAgo(filters.days))
	add("sort", sortKeys(orderOf(filters), filters))
	add("nulls", "last")
	if (query.get("sort").includes("currency_code")) add("currencies", "frequent")
	return query
}

// marketOf returns the query for the prices of all flats that match filters, except duplicates and deleted flats. With
// mine it has the flats of the shortlist only.
export function marketOf({tab, sort, mine, ...filters}) {
	const query = queryOf({...filters, tab: mine ? "shortlist" : "all", sort: newestFirst})
	if (mine) return query
	for (const status of ["duplicate", deleted]) query.append("not[status]", status)
	return query
}

// conditionsOf returns the query of a saved view as text: the conditions of filters, without the order.
export function conditionsOf(filters) {
	const query = queryOf(filters)
	for (const name of ["sort", "nulls", "currencies", "forgive"]) query.delete(name)
	return String(query)
}

// daysAgo returns the time some days ago, rounded down to the hour. So the same request is sent for an hour, and the
// worker finds the answer that it kept.
export function daysAgo(days) {
	const at = new Date()
	at.setHours(at.getHours() - 24 * days, 0, 0, 0)
	return at.toISOString()
}

// tally requests only the numbers of flats by status and currency. The worker keeps answers by address, so all views
// use these same parameters.
export const tally = {"page[size]": 1, fields: "status", counts: ["status", "currency_code"]}

// pageSize is the number of flats in a page of the list.
export const pageSize = 50
const rowFields = "status,title,cost,currency,utilities,charges,area,rooms,bedrooms,date,location,phone,details," +
	"service_constraint,service_postal_code,service_time_to,photos,urls,merged_ids,notes,notation,visit_date,next_step," +
	"next_date,first_seen,cost_history,gone"

// pageOf requests a page of the list with the counts of tally. It has only the fields that rows need: texts would be
// most of the first answer.
export const pageOf = number =>
	({"page[size]": pageSize, "page[number]": number, counts: tally.counts, fields: rowFields})

// wholePageOf requests the same flats with all fields.
export const wholePageOf = number => ({"page[size]": pageSize, "page[number]": number})

// pileOf requests the flats for Triage, with nothing but their status.
export const pileOf = {"page[size]": 1000, fields: "status"}

// withVisit requests the flats with a visit, in the order of the visits.
export const withVisit = {"known[visit_date]": "yes", sort: "visit_date"}

// withStep requests the flats that have a next step.
export const withStep = {"known[next_step]": "yes", sort: "next_date"}

// dueFields are the fields that Today shows.
export const dueFields = ("title,status,cost,currency,utilities,charges,area,rooms,bedrooms,location," +
	"service_postal_code,service_time_to,gps,phone,urls,photos,visit_date,next_step,next_date,status_since," +
	"contacted_since,notation,gone,cost_history").split(",")

// justAfter returns the time a millisecond after another, as a bound: min[…] includes its value.
export const justAfter = time => new Date(Date.parse(time) + 1).toISOString()

// newSince requests the number of new flats that were first seen after a time, and the newest of them.
export const newSince = time => ({"any[status]": "new", "known[gone]": "no", "min[first_seen]": justAfter(time),
	sort: newestFirst, "page[size]": 1, fields: "first_seen"})
