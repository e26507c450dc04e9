// The user's language: its texts, and how values are written and read in it.
//
// t has the texts of the page by name; text, named and count fill them in. The others write numbers, money, sizes,
// dates and times, and read what people type (parseNumber) and what listings say (instant).

import {currencyNamed, currencyOf} from "../lib/fields.js"
import {kept} from "../lib/kept.js"

// locale is the first of the browser's languages in which the page has texts, with its region: de-CH
// writes numbers differently from de-DE. language is the same without its region.
const languages = ["en", "fr", "de"]
export const locale = navigator.languages.find(tag => languages.includes(tag.slice(0, 2))) ?? "en"
export const language = locale.slice(0, 2)

// t has the texts by name, from the file of the language in strings/.
export const {default: t} = await import(`./strings/${language}.js`)

// format writes a value by Intl. Formatters are slow to make, and each row needs several, so they are kept.
function format(Kind, options, value) {
	const key = Kind.name + JSON.stringify(options)
	if (!kept.formatters.has(key)) kept.formatters.set(key, new Kind(locale, options))
	return kept.formatters.get(key).format(value)
}

// unbroken replaces the spaces of a text by no-break spaces.
const unbroken = text => text.replace(/\s/g, "\u00a0")

// text fills in a text of t: text(t.as_of, {time: "14:05"}) replaces {time} by the time.
export const text = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => values[name])

// named fills in a text of t with the name of a field, in lower case except in German: labels begin with a
// capital, but within a sentence only German nouns do.
export const named = (pattern, field) =>
	pattern.replace("{name}", language === "de" ? t[field] : t[field].toLowerCase())

// count fills in a text that has two forms, for one and for many: count(t.n_flats, 3) is "3 flats". In French, 0 has
// the first form, too.
export function count([one, many], n) {
	const isOne = language === "fr" ? n < 2 : Number(n) === 1
	return (isOne ? one : many).replace("#", number(n))
}

// statusName returns the word for a status; an unknown status is its own word.
export const statusName = status => t["status_" + status] ?? status

// readable writes the name of a member as words, in the style of the page's own labels: available_from and
// availableFrom become "Available from".
export const readable = name => name.replace(/[_\s]+/g, " ").trim()
	.replace(/(?<=[\p{Ll}\d])\p{Lu}(?=\p{Ll})/gu, letter => " " + letter.toLowerCase())
	.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
	.replace(/^\p{Ll}/u, letter => letter.toUpperCase())

// inWords writes any JSON value of a listing for people, with dates and numbers in the form of the locale.
export function inWords(value) {
	const list = [value ?? ""].flat()
	return list.some(item => typeof item === "object") ? JSON.stringify(value) : list.map(itemInWords).join(", ")
}

// itemInWords writes a boolean, a number or a text. Numbers of four digits are not grouped, because many are
// years.
function itemInWords(item) {
	if (typeof item === "boolean") return item ? t.yes : t.no
	if (typeof item === "number") return format(Intl.NumberFormat, {maximumFractionDigits: 6, useGrouping: "min2"}, item)
	if (!/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d\S*)?$/.test(item)) return item
	return [day(item), timed(item) && clock(item)].filter(Boolean).join(", ") || item
}

// number writes a number with at most some decimals.
export const number = (n, digits = 1) => format(Intl.NumberFormat, {maximumFractionDigits: digits}, n)

// numberInShort writes a number for a narrow place: "1,370", "8.7M".
export const numberInShort = n => (n < 100_000 ? number(n, 0)
	: format(Intl.NumberFormat, {notation: "compact", maximumSignificantDigits: 3}, n))

// percent writes a fraction as a percentage.
export const percent = n => unbroken(format(Intl.NumberFormat, {style: "percent"}, n))

// money writes an amount of a currency. A currency that is not a code of three letters follows the number.
export function money(amount, currency, digits = 2) {
	const code = currencyOf({currency})
	if (!/^[a-z]{3}$/i.test(code)) return unbroken(`${number(amount, digits)} ${code}`.trim())
	const style = {
		style: "currency",
		currency: code,
		maximumFractionDigits: digits,
		trailingZeroDisplay: "stripIfInteger",
	}
	return unbroken(format(Intl.NumberFormat, style, amount))
}

// squareMetres writes an area.
export const squareMetres = n => number(n) + "\u00a0m²"

// perArea writes a cost per square metre, with one decimal below 10.
export const perArea = (amount, currency) => money(amount, currency, amount < 10 ? 1 : 0) + "/m²"

// In a text without spaces, typedUnits matches units next to a number, and wordsAtNumber other words there.
const typedUnits = /^★|(?:\/?[Mm][²2]|qm|sqm|min|[Zz]i\.?|[Zz]immer|[Pp]ièces?|[Rr]ooms?)$/g
const wordsAtNumber = /^\D+(?=\d)|(?<=\d(?:[.,][-–—]+)?)[^\d.,–—-]\D*$/g

// unspaced returns a typed text without spaces, and without units next to its number.
const unspaced = typed => typed.replace(/[\s'’]/g, "").replace(typedUnits, "")

// currencyIn returns the code of the currency next to a number that was typed or pasted, or undefined.
export const currencyIn = typed => unspaced(typed).match(wordsAtNumber)?.map(currencyNamed).find(Boolean)

// groupedForm matches digits in groups of thousands, 1.200.000, or as in India, 12,00,000.
const groupedForm = /^(?:[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?!\1?\d)|[1-9]\d?(?:,\d\d)+,\d{3}(?!,?\d))/

// parseNumber reads a number as people type or paste it: "1 200", "1.200", "1200,50", "1.450 €", "72 m²",
// "30 min", "CHF 1'240.–", "16 €/m²". A separator before exactly three digits groups thousands (or lakhs, as in
// "1,25,000"), else it is the decimal point. It returns null if nothing was typed, and NaN if the text is not a number.
export function parseNumber(typed) {
	if (typed.trim() === "") return null
	const plain = unspaced(typed).replace(wordsAtNumber, word => (currencyNamed(word) ? "" : word))
		.replace(/[.,][-–—]+$/, "")
	const [thousands] = groupedForm.exec(plain) ?? [""]
	const decimal = thousands.replace(/[.,]/g, "") + plain.slice(thousands.length).replace(",", ".")
	return /^\d*\.?\d+$/.test(decimal) ? Number(decimal) : NaN
}

// timed reports whether a date has a time of day.
export const timed = text => /\d[T ]\d/.test(text)

// datetime matches a date or datetime in any form that the service accepts, but also days that do not exist, such as
// 2026-02-30. Its groups are the day, hours and minutes, seconds, their fraction, and the offset.
const datetime = new RegExp(String.raw`^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)` +
	String.raw`(?::([0-5]\d)(?:[.,](\d+))?)?(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?)?$`)

// instant reads an ISO 8601 date or datetime, and returns milliseconds since 1970, or null. It reads what the service
// accepts, in each browser alike: it passes Date.parse a single form. Without an offset it is local time; a date alone
// begins at midnight.
export function instant(text) {
	const [, day, minutes = "00:00", seconds = "00", fraction = "", zone = ""] = datetime.exec(text) ?? []
	const exists = new Date(day).toJSON()?.startsWith(day) // 2026-02-30 is invalid, or 2026-03-02
	if (!exists) return null
	const offset = zone.replace(/(\d\d):?(\d\d)?$/, (_, hours, rest = "00") => `${hours}:${rest}`)
	return Date.parse(`${day}T${minutes}:${seconds}.${fraction.padEnd(3, "0").slice(0, 3)}${offset}`)
}

const inMilliseconds = given => (typeof given === "number" ? given : instant(given))

// date returns a function that writes a date, given as text or in milliseconds, and returns "" for
// anything else. The time of day is never broken across lines.
const date = options => given => {
	const at = inMilliseconds(given)
	return at == null ? "" : format(Intl.DateTimeFormat, options, at).replace(/(?<=:\d\d)\s/g, "\u00a0")
}

// day writes a date: "3 Nov 2026".
export const day = date({dateStyle: "medium"})

// shortDay writes a date without its year: "3 Nov".
export const shortDay = date({day: "numeric", month: "short"})

// longDay writes a date with its weekday: "Tuesday, 3 November 2026".
export const longDay = date({dateStyle: "full"})

// clock writes the time of day: "14:05".
export const clock = date({timeStyle: "short"})

const month = date({month: "short", year: "numeric"})
const dayTime = {weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit"}
const inThisYear = date(dayTime)
const inAnyYear = date({...dayTime, year: "numeric"})
const isThisYear = given => new Date(inMilliseconds(given)).getFullYear() === new Date().getFullYear()

// weekdayAndDay writes a date with its weekday, and with its year unless that is the current one: "Tuesday 3 November".
export const weekdayAndDay = given => (isThisYear(given) ? weekdayInThisYear : longDay)(given)
const weekdayInThisYear = date({weekday: "long", day: "numeric", month: "long"})

// dayAndTime writes the date of a visit, with its time of day if it has one, and with its year unless that is the
// current one.
export function dayAndTime(text) {
	if (!timed(text)) return longDay(text)
	return isThisYear(text) ? inThisYear(text) : inAnyYear(text)
}

// since writes a past date briefly: day and month, or month and year after eleven months.
export const since = text => (Date.now() - instant(text) < 330 * 24 * 3_600_000 ? shortDay : month)(text)

// lately writes a past date as people tell it: "today", "yesterday", "Saturday", and before that like since. With the
// option withTime it writes the time of today instead, if the date has one: "7:00".
export function lately(text, {withTime} = {}) {
	const days = -daysFromToday(instant(text))
	if (!(days >= 0 && days < 7)) return since(text)
	if (days === 0 && withTime && timed(text)) return clock(text)
	return days < 2 ? relativeDay(-days) : weekdayOnly(text)
}

// afterSince changes words for a date so that they can follow "since": in some languages, a day of the month then has
// an article.
const afterSince = (words, date) => (words === shortDay(date) ? text(t.since_day, {date: words}) : words)

// latelySince writes a past date like lately, in the form that follows "since".
export const latelySince = (date, options) => afterSince(lately(date, options), date)

// weekday writes the day of the week and the time of day: "Sat 18:40".
export const weekday = date({weekday: "short", hour: "numeric", minute: "2-digit"})
const weekdayOnly = date({weekday: "long"})
export const shortWeekday = date({weekday: "short"})

// exactly writes a date with its time of day, if it has one: "Tuesday, 3 November 2026 at 14:05".
export const exactly = text => (timed(text) ? longDayAndTime : longDay)(text)
const longDayAndTime = date({dateStyle: "full", timeStyle: "short"})

const midnightOf = time => new Date(time).setHours(0, 0, 0, 0)

// daysFromToday returns how many days after today a time is, or a negative number.
export const daysFromToday = time => Math.round((midnightOf(time) - midnightOf(Date.now())) / (24 * 3_600_000))

// relativeDay writes a number of days from today: "today", "yesterday", "in 3 days".
export const relativeDay = days => new Intl.RelativeTimeFormat(locale, {numeric: "auto"}).format(days, "day")

// nearDay writes the day of a date as people tell it: "yesterday", "tomorrow", "in 3 days", from a week on "3 Nov";
// with the time of day if it has one.
export function nearDay(text) {
	const at = instant(text)
	if (at == null) return ""
	const days = daysFromToday(at)
	const name = Math.abs(days) < 7 ? relativeDay(days) : shortDay(at)
	return timed(text) ? `${name} ${clock(at)}` : name
}

// ago writes a past date as people tell it: "12 min ago", "2 h ago" on the same day or within six hours,
// "yesterday 18:40", "Sat 18:40", and from a week on like since. A clock may be some minutes slow, so the next hour
// counts as past. A date without a time of day has none here: "today", "yesterday", "Saturday".
export function ago(text) {
	const at = instant(text)
	const past = (Date.now() - at) / 60_000 // minutes
	const days = -daysFromToday(at)
	if (at == null || past < -60 || days >= 7) return since(text)
	const hasTime = timed(text)
	const isRecent = days === 0 || past < 6 * 60
	if (hasTime && past < 60) return inPast(Math.max(1, Math.floor(past)), "min")
	if (hasTime && isRecent) return inPast(Math.floor(past / 60), "h")
	if (days > 1) return unbroken((hasTime ? weekday : weekdayOnly)(text))
	const name = relativeDay(-days)
	return hasTime ? `${name} ${clock(text)}` : name
}

// briefly writes a past date for a narrow column: "20:48" today, "Sat" within a week, and before that like since.
export function briefly(text) {
	const days = -daysFromToday(instant(text))
	if (!(days >= 0 && days < 7)) return since(text)
	if (days > 0) return shortWeekday(text)
	return timed(text) ? clock(text) : relativeDay(0)
}

// sinceWhen writes a past time for "New since {date}", where "2 h ago" would be wrong: "19:40", "yesterday 21:10", and
// before that like ago.
export function sinceWhen(date) {
	const days = daysFromToday(instant(date))
	if (days < -1) return afterSince(ago(date), date)
	return [days < 0 && relativeDay(days), clock(date)].filter(Boolean).join(" ")
}

const inPast = (n, unit) => unbroken(text(t.ago, {time: `${n} ${unit}`}))

// inKilometres writes a distance in metres, below one kilometre as metres.
export const inKilometres = metres =>
	(metres < 1000 ? `${number(metres, 0)}\u00a0m` : `${number(metres / 1000)}\u00a0km`)

// minutes writes a duration in seconds, in minutes or hours and minutes.
export function minutes(seconds) {
	const all = Math.round(seconds / 60)
	const rest = String(all % 60).padStart(2, "0")
	return unbroken(all < 60 ? `${all} min` : `${Math.floor(all / 60)} h ${rest}`)
}

// inField writes a value for an input field, without thousands separators. parseNumber reads a positive number as the
// same one: a zero follows three decimals that it would take for thousands, as in "1.6090".
export function inField(value, digits = 20) {
	if (typeof value !== "number") return value ?? ""
	const written = format(Intl.NumberFormat, {useGrouping: false, maximumFractionDigits: digits}, value)
	return /^[1-9]\d{0,2}[.,]\d{3}$/.test(written) ? written + "0" : written
}

// toControl turns a datetime into the value of a datetime-local control, which is local time without an
// offset. The locale "sv" writes ISO 8601.
export function toControl(text) {
	const at = instant(text)
	return at == null ? "" : new Date(at).toLocaleString("sv").slice(0, 16).replace(" ", "T")
}

// fromControl turns the value of a datetime-local control into a datetime with this browser's offset.
export function fromControl(value) {
	if (!value) return null
	const toUTC = new Date(value).getTimezoneOffset() // minutes to add: -60 in Berlin in winter
	const offset = new Date(Math.abs(toUTC) * 60_000).toISOString().slice(11, 16) // as hh:mm
	return value.slice(0, 16) + ":00" + (toUTC > 0 ? "-" : "+") + offset
}
