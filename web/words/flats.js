// A flat in words: its fields with their labels, and what sums it up. Whatever shows a value of a flat writes it by
// fieldInWords or by one of the functions below.

import {costPerArea, currencyOf, monthlyOf, own, paidMonthly, paidOnce, placeOf, priceOf, siteOf, statusOf}
	from "../lib/fields.js"
import {me} from "../lib/people.js"
import {clock, count, dayAndTime, inWords, minutes, money, nearDay, number, numberInShort, parseNumber, perArea,
	readable, since, squareMetres, statusName, t, text} from "./format.js"
import {amountIn, dayIn, timeIn} from "./written.js"

// longest is how many characters of a title are shown. Browsers take seconds to lay out a word of tens of thousands.
const longest = 300

// title returns a flat's title, or its id if it has none. A title that is very long is cut.
export function title(flat) {
	const words = flat.title || String(flat.id)
	return words.length > longest ? words.slice(0, longest) + "…" : words
}

const labels = {location: t.place, service_postal_code: t.code, urls: t.link, merged_ids: t.same_home,
	not_duplicates: t.not_same, rating: t.notation, next_date: t.due_on}

// labelOf returns the label of a field.
export const labelOf = name => own(labels, name) ?? own(t, name) ?? detailName(name)

// fieldInWords writes a field of a flat, or returns "" if it has no value. A cost is then "no price".
export function fieldInWords(name, flat) {
	const value = flat[name]
	if (name === "cost") return cost(flat)
	if (value == null || value === "") return ""
	if (name === "status") return statusName(statusOf(flat))
	if (name === "visit_date") return dayAndTime(value)
	if (name === "next_date") return nearDay(value)
	if (name === "notation" || name === "rating") return `★ ${number(value)}`
	if (name === "area") return squareMetres(value)
	if (name === "utilities") return t["utilities_" + value] ?? value
	if ([...paidMonthly, ...paidOnce].includes(name)) return money(value, flat.currency)
	if (typeof value === "number") return number(value, 2)
	return typeof value === "string" ? value : inWords(value)
}

// stepInWords writes the next step of a flat and when it is due: "Call · tomorrow".
export const stepInWords = flat =>
	flat.next_step && [flat.next_step, fieldInWords("next_date", flat)].filter(Boolean).join(" · ")

const ratingsOf = ({ratings}) => Object.entries(ratings ?? {}).filter(([, n]) => n != null)
const inStars = ([person, n]) => `${person} ★ ${number(n)}`

// othersRatings writes the ratings of a flat by others than the person who uses this device: "Ben ★ 2".
export const othersRatings = flat => ratingsOf(flat).filter(([person]) => person !== me()).map(inStars).join(", ")

// apartRatings writes the ratings of a flat if two of them are two or more apart, or else returns "".
export function apartRatings(flat) {
	const all = ratingsOf(flat)
	const numbers = all.map(([, n]) => n)
	return Math.max(...numbers) - Math.min(...numbers) >= 2 ? all.map(inStars).join(" · ") : ""
}

// fieldsInWords writes the fields that a change of a flat sets: "Followed", "Rating ★ 4, Visit –".
export const fieldsInWords = (fields, flat = {}) => Object.keys(fields).map(name =>
	(name === "status" ? "" : labelOf(name) + " ") +
	(shortened(fieldInWords(name, {...flat, ...fields})) || "–")).join(", ")

// shortened cuts a text after 80 characters.
export const shortened = words => (words.length > 80 ? words.slice(0, 80) + "…" : words)

// sinceOf writes the day when a flat was first seen, or else the date of its listing.
export const sinceOf = ({first_seen, date}) => since(first_seen ?? date)

// siteName returns the site of a flat, or words for it if the flat was added without a link.
export const siteName = flat => (siteOf(flat) === "added" ? t.site_added : siteOf(flat))

// plainName returns the name of a detail in a form that is the same for yearBuilt and year_built.
const plainName = name => name.toLowerCase().replace(/[^\p{L}\d]/gu, "")
const detailNames = new Map(Object.entries(t).filter(([name]) => name.startsWith("detail_"))
	.map(([name, words]) => [plainName(name.slice("detail_".length)), words]))

// detailName returns the name of a detail in words.
export const detailName = name => detailNames.get(plainName(name)) ?? readable(name)

// detailInWords writes the value of a detail. A deposit that is only a number is an amount of the flat's currency,
// unless it is so small that it counts months. The mail that a flat comes from is written as its date and sender.
export function detailInWords(name, value, {currency}) {
	if (name === "mail" && value?.from) return [value.date && since(value.date), value.from].filter(Boolean).join(", ")
	const isNumeral = typeof value === "string" && /^\s*\d[\d.,'’\s]*$/.test(value)
	const plain = isNumeral ? parseNumber(value) : value
	const isDeposit = typeof plain === "number" && detailName(name) === t.detail_deposit
	if (isDeposit && plain >= 50) return money(plain, currency) // a lower number counts months
	const amount = typeof value === "string" && amountIn(value)
	if (amount) return money(amount.cost, amount.currency)
	if (/^\d+$/.test(value)) return inWords(timeIn(name, Number(value)) ?? value)
	const day = typeof value === "string" && dayIn(value, currency)
	return inWords(day || value)
}

// detailsInLines writes details for a field: "Floor: 3", a line each.
export const detailsInLines = details =>
	Object.entries(details).map(([name, value]) => `${detailName(name)}: ${inWords(value)}`).join("\n")

// readDetails reads the lines of detailsInLines, which people may have edited. It leaves out a line without a name or a
// value.
export const readDetails = lines => Object.fromEntries(lines.split("\n")
	.map(line => line.split(":"))
	.map(([name, ...value]) => [keyOfDetail(name.trim()), value.join(":").trim()])
	.filter(([name, value]) => name && value))

// keyOfDetail returns the name of a detail by its name in words.
const keyOfDetail = name => Object.keys(t).find(key => key.startsWith("detail_") && t[key] === name)
	?.slice("detail_".length) ?? name

// cost writes a flat's cost, or "no price".
export const cost = flat => (priceOf(flat) == null ? t.no_price : money(flat.cost, flat.currency))

// costInShort writes a flat's cost for a narrow place, without its currency if that is a given one. It returns "" if
// there is no price.
export function costInShort(flat, currency) {
	if (priceOf(flat) == null) return ""
	const other = currencyOf(flat) !== currency && currencyOf(flat)
	return numberInShort(flat.cost) + (other ? `\u00a0${other}` : "")
}

// monthlyInWords writes what a month costs in all: "€1,100 a month: 900 + 200". It returns "" if that is not known or
// equals the cost.
export function monthlyInWords(flat) {
	const sum = monthlyBeyondCost(flat)
	return sum && text(t.a_month, {sum, cost: number(flat.cost, 2), charges: number(flat.charges, 2)})
}

// monthlyBriefly writes the same without the parts: "€1,100 all in".
export function monthlyBriefly(flat) {
	const sum = monthlyBeyondCost(flat)
	return sum && text(t.all_in, {sum})
}

// monthlyBeyondCost writes the monthly cost with utilities, or returns "" if it is not known or equals the cost.
function monthlyBeyondCost(flat) {
	const sum = monthlyOf(flat)
	return sum == null || sum === flat.cost ? "" : money(sum, flat.currency)
}

// onceInWords writes what is paid once: "Deposit €2,700, Fee €300".
export const onceInWords = flat => paidOnce.filter(name => flat[name] > 0)
	.map(name => `${labelOf(name)} ${fieldInWords(name, flat)}`).join(", ")

// sizes writes a flat's area and rooms, as far as they are known.
export const sizes = ({area, rooms}) =>
	[area > 0 && squareMetres(area), rooms > 0 && count(t.n_rooms, rooms)].filter(Boolean)

// costPerAreaInWords writes a flat's cost per square metre, or returns null.
export const costPerAreaInWords = flat => costPerArea(flat) && perArea(costPerArea(flat), flat.currency)

// travelTime writes the time of an entry of travelTimes: "25 min", "≈ 25 min" if it was computed from less than a
// house, "> 90 min".
export function travelTime(seconds, entry) {
	const {precision, over} = entry?.estimated ?? {}
	if (over) return `> ${number(seconds / 60)}\u00a0min`
	return (["street", "postal_code", "place"].includes(precision) ? "≈\u00a0" : "") + minutes(seconds)
}

// travelHow says from where the time of an entry was computed, by what, and arriving when, as far as that is known.
export function travelHow(entry) {
	const {precision, arrive} = entry?.estimated ?? {}
	const time = clock(`2000-01-01T${arrive}`)
	return [t["from_" + precision], t["mode_" + entry?.mode], time && text(t.arriving, {time})].filter(Boolean).join(", ")
}

// described describes a flat in one line, to share it and for screen readers.
export const described = flat => [title(flat), cost(flat), ...sizes(flat), placeOf(flat)].filter(Boolean).join(", ")

// escaped returns a pattern that matches a text.
const escaped = text => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

// addressOf writes the address as on an envelope: "Hauptstr. 3, 80331 München". Many locations already contain the
// town, with or without its postal code.
export function addressOf({location, service_postal_code: code}) {
	const {postal_code: digits = "", name = ""} = code ?? {}
	const town = [digits, name].filter(Boolean).join(" ")
	if (!location || !town) return location || town
	const wholeWord = word => RegExp(`(?<![\\p{L}\\d])${escaped(word)}(?![\\p{L}\\d])`, "iu")
	if (digits && wholeWord(digits).test(location)) return location
	if (name && wholeWord(name).test(location)) return location.replace(wholeWord(name), () => town)
	return `${location}, ${town}`
}
