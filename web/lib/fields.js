// Reads the fields of a flat, which an importer may have filled with anything that the API allows.

import {imageURL} from "./dom.js"
import {kept} from "./kept.js"

// What the service knows, too, and writes into the page:
//   statuses   those that the page sets, in the order in which a flat gets them
//   shortlist  the statuses of flats that the user pursues, in the order in which a flat gets them
//   dead       the statuses of flats that the user does not want to see again
//   deleted    the one of these that flats get which were never meant to be there
//   markName   the beginning of the names of views that the page keeps for itself (parts/seen.js)
//   maxTime    the longest travel time in seconds; a longer one is stored as this one
//   currencies the codes of currencies, each with what people write for it
//   paidMonthly, paidOnce  the fields that are money beside the cost
//   plainNumbers           the fields that can be corrected and are numbers without a currency
export const {
	statuses, shortlist: shortlisted, dead, deleted, markName, maxTime, currencies, paidMonthly, paidOnce, plainNumbers,
} = JSON.parse(document.querySelector("meta[name=flats-values]").content)

// own returns a member of an object by a name from outside, or undefined. Every object inherits "constructor" and
// "__proto__", which a flat, a view, a place or a person may be called.
export const own = (object, name) => (object != null && Object.hasOwn(object, name) ? object[name] : undefined)

// keyOf returns the text of a flat's id, which may be a number. Two ids with the same text are one flat.
export const keyOf = flat => String(flat.id)

// idsIn returns the ids in a field as text: a list, a single id, or nothing.
export const idsIn = ids => [ids ?? []].flat().map(String)

// statusOf returns the status of a flat as text; the API allows any JSON value there. As in queries, "deleted" counts
// as the word for it of today.
export function statusOf({status}) {
	const text = typeof status === "string" ? status : JSON.stringify(status ?? null)
	return text === "deleted" ? deleted : text
}

// siteOf returns the site of a listing, which follows "@" in its id.
export const siteOf = flat => /@([^@]*)$/.exec(keyOf(flat))?.[1] ?? ""

// photoURLs returns the addresses of a flat's photos that can be shown: those of the listing, then those that it no
// longer names but the service keeps.
export function photoURLs(flat) {
	const listed = [flat.photos].flat().map(photo => imageURL(photo?.url ?? photo)).filter(Boolean)
	const further = kept.photos.of.get(keyOf(flat))?.filter(url => !listed.includes(url)) ?? []
	return [...listed, ...further]
}

// placeOf returns the name of the flat's place: that of its postal code, or the listing's own.
export const placeOf = ({service_postal_code: code, location}) => code?.name || location || ""

// pointOf reads a position [latitude, longitude], or returns null.
function pointOf(gps) {
	const at = [gps].flat().map(value => (value === "" || value == null ? NaN : Number(value)))
	return at.length === 2 && at.every(Number.isFinite) && Math.abs(at[0]) <= 90 && Math.abs(at[1]) <= 180 ? at : null
}

// positionOf returns the flat's own position [latitude, longitude], or null.
export const positionOf = ({gps, details}) => pointOf(gps ?? details?.gps)

// travelTimes returns the travel times of a flat, [name of the place, seconds, entry]. An entry may have the mode, and
// estimated if the service has computed the time.
export const travelTimes = flat => Object.entries(flat.service_time_to ?? {})
	.map(([name, to]) => [name, Number(to?.time ?? to), to])
	.filter(([, time]) => Number.isFinite(time))

// originOf returns the point from which distances of a flat are measured, {at: [latitude, longitude], isExact}: its own
// position, or else the one that its travel times were computed from, or else that of its postal code. at may be null
// or undefined.
export function originOf(flat) {
	const own = positionOf(flat)
	const {from, precision} = travelTimes(flat).map(([, , entry]) => entry?.estimated).find(Boolean) ?? {}
	return {at: own ?? pointOf(from) ?? flat.service_postal_code?.gps, isExact: own != null || precision === "house"}
}

// priceOf returns a flat's cost, or null if it has none: a cost of 0 is no price.
export const priceOf = ({cost}) => (cost > 0 ? cost : null)

// utilitiesOf returns whether a flat's cost includes utilities: "included" or "excluded", or "" if that is not known.
export const utilitiesOf = ({utilities}) => (["included", "excluded"].includes(utilities) ? utilities : "")

// monthlyOf returns what a month costs with utilities, or null if that is not known.
export function monthlyOf(flat) {
	const {cost, charges} = flat
	if (!priceOf(flat) || !utilitiesOf(flat)) return null
	return utilitiesOf(flat) === "included" ? cost : charges == null ? null : cost + charges
}

// costPerArea returns the cost per square metre, or null if cost or area is not known.
export const costPerArea = ({cost, area}) => (cost > 0 && area > 0 ? cost / area : null)

const currencyCodes = new Map(Object.entries(currencies)
	.flatMap(([code, spellings]) => spellings.split(" ").map(spelling => [spelling, code])))

// currencyNamed returns the code of a currency by its code, its sign or its name, or undefined.
export const currencyNamed = text => currencyCodes.get(text) ?? currencyCodes.get(text.toLowerCase())

// currencyOf returns the code of a flat's currency, as currency_code of the service: three letters in any case count as
// a code, too.
export const currencyOf = ({currency}) =>
	currencyNamed(String(currency ?? "")) ?? (/^[a-z]{3}$/i.test(currency) ? currency.toUpperCase() : currency) ?? ""

// currenciesIn returns the currencies that flats have, of which counts has the numbers by currency.
export const currenciesIn = counts => Object.keys(counts).filter(code => code !== "null").sort()

// costChange returns the last change of the cost, {from, to, by, date}, or null.
export function costChange({cost_history: history}) {
	const known = [history ?? []].flat().filter(entry => entry?.cost > 0)
	const [before, last] = known.slice(-2)
	return last ? {from: before.cost, to: last.cost, by: last.cost - before.cost, date: last.date} : null
}

// priceChange returns the last entry of the cost history, if it or the one before has no price, but the other has one;
// else null.
export function priceChange({cost_history: history}) {
	const [before, last] = [history ?? []].flat().slice(-2)
	const isPriced = entry => entry?.cost > 0
	return last && isPriced(before) !== isPriced(last) ? last : null
}

// detailsOf returns the details of a flat by name: members that only its site knows, under names that the site gives
// them. Details that are not an object have the name "details".
export function detailsOf({details}) {
	if (typeof details !== "object") return {details}
	const {read, ...others} = details ?? {} // read names what an import took from the text
	return others
}

const isShort = value => ["boolean", "number"].includes(typeof value) ||
	typeof value === "string" && value.trim() !== "" && value.length <= 40

// shortDetails returns the first eight details of a flat that are short enough to decide by, [name, value]. A position
// is for maps.
export const shortDetails = flat => Object.entries(detailsOf(flat))
	.filter(([name, value]) => name !== "gps" && isShort(value)).slice(0, 8)

// said returns the members that have a value.
export const said = members =>
	Object.fromEntries(Object.entries(members).filter(([, value]) => value != null && value !== ""))
