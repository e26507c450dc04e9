// Reads the fields of a flat, which an importer may have filled with anything that the API allows.

import {imageURL} from "./dom.js"
import {kept} from "./kept.js"

// keyOf returns the text of a flat's id, which may be a number. Two ids with the same text are one flat.
export const keyOf = flat => String(flat.id)

// statusOf returns the status of a flat as text; the API allows any JSON value there.
export const statusOf = ({status}) => (typeof status === "string" ? status : JSON.stringify(status ?? null))

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

const dash = "[\\u2010-\\u2015\\u2212-]"
const between = `(?:[ ,./()+]|${dash})` // what may stand between the digits of a phone number
const inARow = RegExp(`[+(]*\\d(?:${between}{0,5}\\d)*`, "gu")
const separator = RegExp(between + "+", "gu")
const ofSeveral = RegExp(`/| ${dash} |  `, "u")
const afterWhole = RegExp(`[(+]|/ ?${dash}`, "u")
const extensions = RegExp("^[ ,(.–-]{0,4}(?:(?:DW|Durchwahl)[ .:–-]{0,3}(?<direct>\\d{1,6})|" +
	"(?:ext(?:ension|n)?|x|#|poste|int(?:erno)?|toestel|tst|lokal|wewn?|Nebenstelle|Nst)[ .:–-]{0,3}" +
	"(?<extension>\\d{1,6}))(?!\\d)", "iu")
// Letters that are part of a number, as in 1-800-FLATS
const lettersBehind = /^(?:[-.]?\p{L}{2}| ?[-./]? ?\p{Lu}{3})[\p{L}\d-]*/u
const digitsOf = text => text.replace(/\D/g, "")

// phoneNumber returns the first phone number of a text with the extension behind it, {written, number, extension,
// direct}, or undefined. Fewer than five digits count only if there is nothing else. direct is an extension that is
// dialled with the number, as in Germany; a switchboard connects the others. A number with letters has only written.
export function phoneNumber(text) {
	const line = text.slice(0, 500).replace(/[^\S\n]/g, " ")
	const runs = [...line.matchAll(inARow)]
	const {0: run, index} = runs.find(([run]) => digitsOf(run).length >= 5) ?? runs[0] ?? {}
	if (!run) return undefined
	const number = run.slice(0, endOfNumber(run))
	const rest = line.slice(index + number.length)
	const {0: behind = "", groups} = extensions.exec(rest) ?? []
	const [letters] = lettersBehind.exec(rest) ?? []
	if (!groups && letters && digitsOf(number).length < 8) return {written: number + letters}
	return {written: number + behind, number, ...groups}
}

// endOfNumber returns the length of the first of several numbers in a row. Most of what separates two numbers may
// also stand within one, so it depends on the digits before and after.
function endOfNumber(run) {
	for (const {0: gap, index} of run.matchAll(separator)) {
		const before = digitsOf(run.slice(0, index).replace(/^\D*00|\(0\)/g, "")).length
		const rest = run.slice(index + gap.length)
		const isNext = ofSeveral.test(gap) && digitsOf(rest).length >= 7 && before >= (rest.startsWith("0") ? 7 : 8)
		if (isNext || before >= 6 && gap.includes(",") || before >= 7 && afterWhole.test(gap)) return index
	}
	return run.length
}

// dialled returns what a phone dials for the first number of a text: a leading plus, its digits, and its extension
// after a comma, which is a pause. The zero in "+49 (0)89" is only for calls within the country, except in Italy. It
// returns "" for a number with letters: without them another number would be dialled.
export function dialled(phone) {
	const {number = "", extension, direct} = phoneNumber(phone) ?? {}
	const whole = direct ? number.replace(RegExp(` ?${dash} ?0$`, "u"), "") + direct : number
	const [, sign = "", rest] = /^[^\d+]*(\+|00)?(.*)$/.exec(whole)
	const abroad = sign && digitsOf(rest.replace(/^(\D*(?!39)\d+\D*)\(0\)/, "$1")).replace(/^(3[1-3]|4[13469])0/, "$1")
	return sign + (abroad || digitsOf(rest)) + (extension ? "," + extension : "")
}

// detailsOf returns the details of a flat by name: members that only its site knows, under names that the site gives
// them. Details that are not an object have the name "details".
export const detailsOf = ({details}) => (typeof details === "object" ? {...details} : {details})

const isShort = value => ["boolean", "number"].includes(typeof value) ||
	typeof value === "string" && value.trim() !== "" && value.length <= 40

// shortDetails returns the first eight details of a flat that are short enough to decide by, [name, value].
export const shortDetails = flat => Object.entries(detailsOf(flat)).filter(([, value]) => isShort(value)).slice(0, 8)
