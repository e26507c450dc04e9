// Reads the amounts and dates of details as sites write them, so that the page shows them in the user's form.
//
// amountIn and dayIn read a whole text, timeIn reads a number. They return null if the value may mean anything else.

import {currencyNamed} from "../lib/fields.js"
import {kept} from "../lib/kept.js"
import {parseNumber} from "./format.js"

// amountForm matches a currency, a number such as 1'240.–, and a currency.
const amountForm = /^([^\s\d]*)\s*(\d[\d\s.,'’]*(?:[.,][-–—]+\s*)?)([^\s\d–—-]*)$/

// amountIn reads an amount with its currency before or after it, and returns {cost, currency}.
export function amountIn(text) {
	const [, before = "", digits = "", after = ""] = amountForm.exec(text.trim()) ?? []
	const cost = parseNumber(digits)
	const currency = currencyNamed(before + after)
	const isOneCurrency = currency && !(before && after)
	return cost > 0 && isOneCurrency ? {cost, currency} : null
}

// plainMonth returns the name of a month without case, accents and a dot.
const plainMonth = name => name.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f.]/g, "")

// monthOf returns the number of a month by its name in English, French or German, or undefined.
function monthOf(name) {
	kept.months ??= new Map(["en", "fr", "de"].flatMap(language => ["long", "short"].flatMap(month => {
		const {format} = new Intl.DateTimeFormat(language, {month})
		return Array.from({length: 12}, (_, i) => [plainMonth(format(new Date(2026, i, 1))), i + 1])
	})))
	return kept.months.get(plainMonth(name))
}

// The forms of dates: 1.2.2027 or 12/01/2027, "3rd March 2027", "March 3rd, 2027"
const allDigits = /^(?<first>\d\d?)(?<sign>[./])(?<second>\d\d?)\k<sign>(?<year>\d{4})$/
const dayFirst = /^(?<day>\d\d?)(?:er|st|nd|rd|th|\.)?\s+(?<month>\p{L}+\.?)\s+(?<year>\d{4})$/u
const monthFirst = /^(?<month>\p{L}+\.?)\s+(?<day>\d\d?)(?:st|nd|rd|th)?,?\s+(?<year>\d{4})$/u

// dayIn reads a date, and returns it as ISO 8601. In 12/01/2027 the day comes first, except if costs are in USD, or if
// the second number is too high for a month.
export function dayIn(text, currency) {
	const digits = allDigits.exec(text.trim())?.groups
	if (digits) {
		const {first, sign, second, year} = digits
		const isMonthFirst = sign === "/" && (Number(second) > 12 || currency === "USD" && Number(first) <= 12)
		return isMonthFirst ? iso(year, first, second) : iso(year, second, first)
	}
	const words = (dayFirst.exec(text.trim()) ?? monthFirst.exec(text.trim()))?.groups
	return words ? iso(words.year, monthOf(words.month), words.day) : null
}

// timeNames matches the names of details that are times.
const timeNames = /(^|[^a-z])(date|datum|published|created|updated|modified|available)|Date|Datum|_at$|At$|_seen$/

// timeIn reads a time that is written as the seconds or milliseconds since 1970, and returns it as ISO 8601. The name
// of the detail must say that it is a time, and the year must be one of this century.
export function timeIn(name, n) {
	const isNamed = timeNames.test(name)
	const time = n < 1e11 ? n * 1000 : n // as milliseconds, numbers below 1e11 would be before 1974
	return isNamed && time >= Date.UTC(2000) && time < Date.UTC(2100) ? new Date(time).toISOString() : null
}

// iso returns a date as ISO 8601, or null if there is no such day.
function iso(year, month, day) {
	const date = new Date(Date.UTC(year, month - 1, day))
	return date.getUTCDate() === Number(day) && date.getUTCMonth() === month - 1 ? date.toISOString().slice(0, 10) : null
}
