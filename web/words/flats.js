// A flat in words: its fields with their labels, and what sums it up. Whatever shows a value of a flat writes it by
// fieldInWords or by one of the functions below.

import {costPerArea, placeOf, priceOf, statusOf} from "../lib/fields.js"
import {count, dayAndTime, inWords, money, number, perArea, since, squareMetres, statusName, t} from "./format.js"

// title returns a flat's title, or its id if it has none.
export const title = flat => flat.title || String(flat.id)

const labels = {location: t.place, service_postal_code: t.code, merged_ids: t.same_home, not_duplicates: t.not_same}

// labelOf returns the label of a field.
export const labelOf = name => labels[name] ?? t[name]

// fieldInWords writes a field of a flat, or returns "" if it has no value.
export function fieldInWords(name, flat) {
	const value = flat[name]
	if (name === "cost") return cost(flat)
	if (value == null || value === "") return ""
	if (name === "status") return statusName(statusOf(flat))
	if (name === "visit_date") return dayAndTime(value)
	if (name === "notation") return `★ ${number(value)}`
	if (name === "area") return squareMetres(value)
	if (name === "utilities") return t["utilities_" + value] ?? value
	if (typeof value === "number") return number(value, 2)
	return typeof value === "string" ? value : inWords(value)
}

// fieldsInWords writes the fields that a change of a flat sets: "Followed", "Rating ★ 4, Visit –".
export const fieldsInWords = (fields, flat = {}) => Object.keys(fields).map(name =>
	(name === "status" ? "" : labelOf(name) + " ") + (fieldInWords(name, {...flat, ...fields}) || "–")).join(", ")

// sinceOf writes when the flat was first seen, or else the date of its listing.
export const sinceOf = ({first_seen, date}) => since(first_seen ?? date)

// cost writes a flat's cost, or "no price".
export const cost = flat => (priceOf(flat) == null ? t.no_price : money(flat.cost, flat.currency))

// sizes writes a flat's area and rooms, as far as they are known.
export const sizes = ({area, rooms}) =>
	[area > 0 && squareMetres(area), rooms > 0 && count(t.n_rooms, rooms)].filter(Boolean)

// costEach writes a flat's cost per square metre, or returns null.
export const costEach = flat => costPerArea(flat) && perArea(costPerArea(flat), flat.currency)

// described describes a flat in one line, to share it and for screen readers.
export const described = flat => [title(flat), cost(flat), ...sizes(flat), placeOf(flat)].filter(Boolean).join(", ")

// escaped returns a pattern that matches a text.
const escaped = text => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

// addressOf writes the address as on an envelope. Many locations already contain the town, with or without its
// postal code.
export function addressOf({location, service_postal_code: code}) {
	const {postal_code: digits = "", name = ""} = code ?? {}
	const town = [digits, name].filter(Boolean).join(" ")
	if (!location || !town) return location || town
	const holds = word => RegExp(`(?<![\\p{L}\\d])${escaped(word)}(?![\\p{L}\\d])`, "iu")
	if (digits && holds(digits).test(location)) return location
	if (name && holds(name).test(location)) return location.replace(holds(name), () => town)
	return `${location}, ${town}`
}
