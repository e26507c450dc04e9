// Functions that read the fields of a flat. An importer may have filled them with anything that the API allows.

import {imageURL} from "./dom.js"
import {kept} from "./kept.js"

// Values that the page shares with the service, which writes them into the page:
//   statuses      the statuses that the page sets, in the order in which a flat gets them
//   shortlist     the statuses of flats that the user pursues, in that order
//   dead          the statuses of flats that the user does not want to see again
//   deleted       the status in dead of flats that should never have been in the list
//   markName      the beginning of the names of views that the page keeps for itself (parts/seen.js)
//   maxTime       the longest travel time in seconds; the service stores longer ones as this
//   currencies    spellings by currency code, separated by spaces
//   paidMonthly   the names of fields with money paid each month, without cost
//   paidOnce      the names of fields with money paid once
//   plainNumbers  the names of fields that can be corrected and are numbers without a currency
//   searched      the names of fields whose words a search reads
export const {
	statuses, shortlist: shortlisted, dead, deleted, markName, maxTime, currencies, paidMonthly, paidOnce, plainNumbers,
	searched,
} = JSON.parse(document.querySelector("meta[name=flats-values]").content)

// own returns a member of an object, or undefined. Use it for names from outside: flats, views, places and people may
// be called "constructor" or "__proto__", which every object inherits.
export const own = (object, name) => (object != null && Object.hasOwn(object, name) ? object[name] : undefined)

// keyOf returns a flat's id as text. The id may be a number; ids with the same text are the same flat.
export const keyOf = flat => String(flat.id)

// idsIn returns the ids in a field, which is a list, a single id or null, as texts.
export const idsIn = ids => [ids ?? []].flat().map(String)

// statusOf returns the status of a flat as text; the API allows any JSON value. The word "deleted" is an older name of
// the status deleted.
export function statusOf({status}) {
	const text = typeof status === "string" ? status : JSON.stringify(status ?? null)
	return text === "deleted" ? deleted : text
}

// siteOf returns the site of a listing, the part of its id after "@", or "".
export const siteOf = flat => /@([^@]*)$/.exec(keyOf(flat))?.[1] ?? ""

// photoURLs returns the addresses of a flat's photos: first the listing's, then those that only the service keeps.
export function photoURLs(flat) {
	const listed = [flat.photos].flat().map(photo => imageURL(photo?.url ?? photo)).filter(Boolean)
	const onlyKept = kept.photos.byFlat.get(keyOf(flat))?.filter(url => !listed.includes(url)) ?? []
	return [...listed, ...onlyKept]
}

// placeOf returns the name of the place of the flat's postal code, or else the place that the listing names, or "".
export const placeOf = ({service_postal_code: code, location}) => code?.name || location || ""

// pointOf reads a position [latitude, longitude], or returns null.
function pointOf(gps) {
	const at = [gps].flat().map(value => (value === "" || value == null ? NaN : Number(value)))
	const [north, east] = at
	const isOnEarth = Math.abs(north) <= 90 && Math.abs(east) <= 180
	return at.length === 2 && at.every(Number.isFinite) && isOnEarth ? at : null
}

// positionOf returns the position that a flat itself has, [latitude, longitude], or null.
export const positionOf = ({gps, details}) => pointOf(gps ?? details?.gps)

// travelTimes returns the travel times of a flat, [[name of the place, seconds, entry]]. entry is the API's object for
// the place: it may have the mode, and has estimated if the service computed the time. Like the service, travelTimes
// leaves out entries without a number as their time.
export const travelTimes = ({service_time_to: entries}) => Object.entries(Array.isArray(entries) ? {} : entries ?? {})
	.map(([name, to]) => [name, to?.time, to])
	.filter(([, time]) => Number.isFinite(time))

// originOf returns the point from which to measure distances of a flat, {at, isExact}. at is the position of the flat,
// or else the point from which its travel times were computed, or else the position of its postal code; at may be null
// or undefined. isExact is true if at is the position of the flat or of its house.
export function originOf(flat) {
	const exact = positionOf(flat)
	const {from, precision} = travelTimes(flat).map(([, , entry]) => entry?.estimated).find(Boolean) ?? {}
	const isExact = exact != null || precision === "house"
	return {at: exact ?? pointOf(from) ?? flat.service_postal_code?.gps, isExact}
}

// priceOf returns a flat's cost, or null if it has none. A cost of 0 is no price.
export const priceOf = ({cost}) => (cost > 0 ? cost : null)

// utilitiesOf returns "included", "excluded", or "" if a flat does not say whether its cost includes utilities.
export const utilitiesOf = ({utilities}) => (["included", "excluded"].includes(utilities) ? utilities : "")

// monthlyOf returns the monthly cost with utilities, or null if it is not known.
export function monthlyOf(flat) {
	const {cost, charges} = flat
	if (!priceOf(flat) || !utilitiesOf(flat)) return null
	if (utilitiesOf(flat) === "included") return cost
	return charges == null ? null : cost + charges
}

// costPerArea returns the cost per square metre, or null if cost or area is not known.
export const costPerArea = ({cost, area}) => (cost > 0 && area > 0 ? cost / area : null)

const currencyCodes = new Map(Object.entries(currencies)
	.flatMap(([code, spellings]) => spellings.split(" ").map(spelling => [spelling, code])))

// currencyNamed returns the code of a currency that is given by its code, sign or name, or undefined.
export const currencyNamed = text => currencyCodes.get(text) ?? currencyCodes.get(text.toLowerCase())

// currencyOf returns the code of a flat's currency, or the currency itself if it is unknown, or "". Like the service's
// currency_code, it takes any three letters for a code.
export function currencyOf({currency}) {
	const written = String(currency ?? "").trim()
	return currencyNamed(written) ?? (/^[a-z]{3}$/i.test(written) ? written.toUpperCase() : written)
}

// currenciesIn returns the currency codes in counts, the numbers of flats by currency, without "null".
export const currenciesIn = counts => Object.keys(counts).filter(code => code !== "null").sort()

// costChange returns the last change between two prices, {from, to, by, date}, or null. by is the difference.
export function costChange({cost_history: history}) {
	const priced = [history ?? []].flat().filter(entry => entry?.cost > 0)
	const [before, last] = priced.slice(-2)
	return last ? {from: before.cost, to: last.cost, by: last.cost - before.cost, date: last.date} : null
}

// priceChange returns the last entry of the cost history if a price appeared or disappeared with it, else null.
export function priceChange({cost_history: history}) {
	const [before, last] = [history ?? []].flat().slice(-2)
	const isPriced = entry => entry?.cost > 0
	return last && isPriced(before) !== isPriced(last) ? last : null
}

// detailsOf returns the details of a flat by name: values and names that are specific to its site. If the details are
// not an object, they get the name "details".
export function detailsOf({details}) {
	if (typeof details !== "object") return {details}
	const {read, ...others} = details ?? {} // read has the fields that an import read from the text
	return others
}

const longestGlance = 40 // characters
const mostGlances = 8 // details of a flat

// isShort reports whether a value is short enough for a glance.
const isShort = value => ["boolean", "number"].includes(typeof value) ||
	typeof value === "string" && value.trim() !== "" && value.length <= longestGlance

// shortDetails returns the first details that are short enough for a glance, [[name, value]]. It leaves out the
// position, which is for maps.
export const shortDetails = flat => Object.entries(detailsOf(flat))
	.filter(([name, value]) => name !== "gps" && isShort(value)).slice(0, mostGlances)

// withoutEmpty returns an object without the members that are null, undefined or "".
export const withoutEmpty = members =>
	Object.fromEntries(Object.entries(members).filter(([, value]) => value != null && value !== ""))
