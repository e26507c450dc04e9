// Reads the fields of a flat, which an importer may have filled with anything that the API allows.

import {imageURL} from "./dom.js"

// keyOf returns the text of a flat's id, which may be a number. Two ids with the same text are one flat.
export const keyOf = flat => String(flat.id)

// statusOf returns the status of a flat as text; the API allows any JSON value there.
export const statusOf = ({status}) => (typeof status === "string" ? status : JSON.stringify(status ?? null))

// siteOf returns the site of a listing, which follows "@" in its id.
export const siteOf = flat => /@([^@]*)$/.exec(keyOf(flat))?.[1] ?? ""

// photoURLs returns the addresses of a flat's photos that can be shown.
export const photoURLs = ({photos}) => [photos].flat().map(photo => imageURL(photo?.url ?? photo)).filter(Boolean)

// placeOf returns the name of the flat's place: that of its postal code, or the listing's own.
export const placeOf = ({service_postal_code: code, location}) => code?.name || location || ""

// positionOf returns the flat's own position [latitude, longitude], or null.
export function positionOf({gps, details}) {
	const at = [gps ?? details?.gps].flat().map(value => (value === "" || value == null ? NaN : Number(value)))
	return at.length === 2 && at.every(Number.isFinite) && Math.abs(at[0]) <= 90 && Math.abs(at[1]) <= 180 ? at : null
}

// travelTimes returns the travel times of a flat, [name of the place, seconds].
export const travelTimes = flat => Object.entries(flat.service_time_to ?? {})
	.map(([name, to]) => [name, Number(to?.time ?? to)])
	.filter(([, time]) => Number.isFinite(time))

// priceOf returns a flat's cost, or null if it has none: a cost of 0 is no price.
export const priceOf = ({cost}) => (cost > 0 ? cost : null)

// costPerArea returns the cost per square metre, or null if cost or area is not known.
export const costPerArea = ({cost, area}) => (cost > 0 && area > 0 ? cost / area : null)

const codes = {"€": "EUR", "$": "USD", "£": "GBP"}

// currencyOf returns the code of a flat's currency. Signs count as codes, as they do in the service.
export const currencyOf = ({currency}) => codes[currency] ?? currency ?? ""

// costChange returns the last change of the cost, {from, to, by, date}, or null.
export function costChange({cost_history: history}) {
	const known = [history ?? []].flat().filter(entry => entry?.cost > 0)
	const [before, last] = known.slice(-2)
	return last ? {from: before.cost, to: last.cost, by: last.cost - before.cost, date: last.date} : null
}

// dialled returns the number that a phone dials: the digits of the first of several numbers, with a leading plus,
// and without the zero in "+49 (0)89", which is only for calls within the country.
export function dialled(phone) {
	const first = phone.split(/[,;|\n]|\s(?:\p{L}+|\/)\s/u).find(part => /(?:\d\D*){5}/.test(part)) ?? phone
	const [, abroad] = /^[^\d+]*(\+|00)/.exec(first) ?? []
	const digits = (abroad ? first.replace("(0)", "") : first).replace(/\D/g, "")
	return abroad === "+" ? "+" + digits : digits
}

// detailsOf returns the details of a flat by name: members that only its site knows, under names that the site gives
// them. Details that are not an object have the name "details".
export const detailsOf = ({details}) => (typeof details === "object" ? {...details} : {details})

const isShort = value => ["boolean", "number"].includes(typeof value) ||
	typeof value === "string" && value.trim() !== "" && value.length <= 40

// shortDetails returns the first eight details of a flat that are short enough to decide by, [name, value].
export const shortDetails = flat => Object.entries(detailsOf(flat)).filter(([, value]) => isShort(value)).slice(0, 8)
