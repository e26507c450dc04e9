// The user's language: its texts, and how numbers, money and dates are written and read in it.

const languages = ["en", "fr", "de"]
export const locale = navigator.languages.find(tag => languages.includes(tag.slice(0, 2))) ?? "en"
export const language = locale.slice(0, 2)
export const {default: t} = await import(`./strings/${language}.js`)

// Formatters are slow to make, and each row needs several.
const made = new Map()

function format(Kind, options, value) {
	const key = Kind.name + JSON.stringify(options)
	if (!made.has(key)) made.set(key, new Kind(locale, options))
	return made.get(key).format(value)
}

const unbroken = text => text.replace(/\s/g, "\u00a0")

export const text = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_, name) => values[name])

// In a sentence nouns are small, except in German.
export const named = (pattern, field) =>
	pattern.replace("{name}", language === "de" ? t[field] : t[field].toLowerCase())

export const count = ([one, many], n) =>
	((language === "fr" ? n < 2 : Number(n) === 1) ? one : many).replace("#", number(n))

export const title = flat => flat.title || String(flat.id)

export const statusName = status => t["status_" + status] ?? status

export function inWords(value) {
	if (typeof value === "boolean") return value ? t.yes : t.no
	const list = [value ?? ""].flat()
	return list.some(item => typeof item === "object") ? JSON.stringify(value) : list.join(", ")
}

export const number = (n, digits = 1) => format(Intl.NumberFormat, {maximumFractionDigits: digits}, n)

export const percent = n => unbroken(format(Intl.NumberFormat, {style: "percent"}, n))

const signs = {"€": "EUR", "$": "USD", "£": "GBP"}

// The code of a flat's currency, as the server compares them.
export const currencyOf = ({currency}) => signs[currency] ?? currency ?? ""

// What is no currency code stands behind the number.
export function money(amount, currency, digits = 2) {
	const code = currencyOf({currency})
	if (!/^[a-z]{3}$/i.test(code)) return unbroken(`${number(amount, digits)} ${code}`.trim())
	const style = {style: "currency", currency: code, maximumFractionDigits: digits, trailingZeroDisplay: "stripIfInteger"}
	return unbroken(format(Intl.NumberFormat, style, amount))
}

// A cost of 0 is no price.
export const priceOf = ({cost}) => (cost > 0 ? cost : null)

export const costPerArea = ({cost, area}) => (cost > 0 && area > 0 ? cost / area : null)

export const squareMetres = n => number(n) + "\u00a0m²"
export const perArea = (amount, currency) => money(amount, currency, amount < 10 ? 1 : 0) + "/m²"

// NaN of none.
export function quantile(numbers, part) {
	const sorted = numbers.toSorted((a, b) => a - b)
	const at = (sorted.length - 1) * part
	const low = sorted[Math.floor(at)]
	return low + (sorted[Math.ceil(at)] - low) * (at % 1)
}

export const median = numbers => quantile(numbers, 0.5)

// Down to 1, 2 or 5 and zeros.
export function rounded(n) {
	const tens = 10 ** Math.floor(Math.log10(n))
	return tens * [5, 2, 1].find(digit => digit * tens <= n)
}

// parseNumber reads numbers as people type them: null for nothing, NaN for what is none. A
// separator before exactly three digits parts thousands, else it is the decimal point.
export function parseNumber(typed) {
	const plain = typed.replace(/[\s'’€$£]/g, "")
	if (plain === "") return null
	const [thousands] = /^[1-9]\d{0,2}([.,])\d{3}(\1\d{3})*(?!\1?\d)/.exec(plain) ?? [""]
	const decimal = thousands.replace(/[.,]/g, "") + plain.slice(thousands.length).replace(",", ".")
	return /^\d*\.?\d+$/.test(decimal) ? Number(decimal) : NaN
}

// timed tells a datetime from a date.
export const timed = text => /\d[T ]\d/.test(text)

// instant reads ISO 8601; Date.parse knows +01:00, but not +0100 or +01.
export function instant(text) {
	if (!text) return null
	const iso = timed(text) ? text.replace(" ", "T") : text + "T00:00"
	const at = Date.parse(iso.replace(/(T.*[+-]\d\d):?(\d\d)?$/, (_, start, rest = "00") => start + ":" + rest))
	return Number.isNaN(at) ? null : at
}

// Dates are text or milliseconds.
const date = options => given => {
	const at = typeof given === "number" ? given : instant(given)
	return at == null ? "" : format(Intl.DateTimeFormat, options, at)
}

export const day = date({dateStyle: "medium"})
export const shortDay = date({day: "numeric", month: "short"})
export const longDay = date({dateStyle: "full"})
export const clock = date({timeStyle: "short"})
const month = date({month: "short", year: "numeric"})
const dayTime = date({weekday: "short", day: "numeric", month: "short", hour: "numeric", minute: "2-digit"})
export const dayAndTime = text => (timed(text) ? dayTime : longDay)(text)

export const since = text => (Date.now() - instant(text) < 330 * 24 * 3_600_000 ? shortDay : month)(text)

export const inKilometres = metres =>
	(metres < 1000 ? `${number(metres, 0)}\u00a0m` : `${number(metres / 1000)}\u00a0km`)

export function minutes(seconds) {
	const all = Math.round(seconds / 60)
	const rest = String(all % 60).padStart(2, "0")
	return unbroken(all < 60 ? `${all} min` : `${Math.floor(all / 60)} h ${rest}`)
}

// toControl and fromControl are for a datetime-local control, which knows no offset.
export function toControl(text) {
	const at = instant(text)
	return at == null ? "" : new Date(at).toLocaleString("sv").slice(0, 16).replace(" ", "T")
}

export function fromControl(value) {
	if (!value) return null
	const behind = new Date(value).getTimezoneOffset()
	const offset = new Date(Math.abs(behind) * 60_000).toISOString().slice(11, 16)
	return value.slice(0, 16) + ":00" + (behind > 0 ? "-" : "+") + offset
}
