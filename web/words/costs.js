// The cost of a home in the text of its listing: of several amounts, the one that one pays.
//
// costIn finds it. valuesOf cuts a text into labelled pieces; numeral, bareNumber and anyOf are patterns.

import {parseNumber} from "./format.js"

// numeral is the pattern of a number with its separators, as 1.450,50 or 1'240.
export const numeral = "\\d{1,3}(?:[.,' ]\\d{3})+(?!\\d)(?:[.,]\\d{1,2}(?!\\d))?" +
	"|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?"

// bareNumber matches a text that is a number and nothing else.
export const bareNumber = /^\d{1,9}(?:[.,' ]\d+)*(?: ?½| 1\/2)?$/

// anyOf makes the pattern of any of some words or patterns.
export const anyOf = (...words) => RegExp(words.join("|"), "iu")

// What amounts are called. Deposits and fees are never the cost. Neither are utilities, but a cost may include or
// exclude them.
const fee = anyOf("kaution|provision(?! pour)|courtage|ablöse|abstand|genossenschaft|hausgeld|stellplatz|parkplatz",
	"strom\\b|internet|finanz|kredit|rate\\b|einkommen|versicher|schufa|umzug|sparen|rabatt",
	"dép[oô]t|caution|honoraires|frais|taxe?\\b|état des lieux|référence|complément|estim",
	"énerg|mensualit|revenus|prêt|emprunt",
	"deposit|\\bfees?\\b|council|ground rent|mortgage|income|admin|garage|parking|assurance",
	"indskud|depositum|forudbetal|indflytning")
const utilities = anyOf("nebenkosten|heizkosten|betriebskosten|\\bnk\\b|\\bbk\\b|\\bhk\\b",
	"charges?(?!\\p{L})|bills|utilities|service charge|forbrug|a ?conto|varme\\b|ejerudgift")
const includes = anyOf("warm(?!wasser)|gesamt|total|brutto|inkl|incl|inclus|compris(?:es|e)?(?!\\p{L})|all[- ]?in",
	"samlet|i alt|tout compris|bills included")
const excludes = anyOf("zzgl|exkl|excl|hors|ohne|nicht|non[ -]|\\bplus\\b|\\bnot\\b|ekskl|netto|\\bhc\\b|kalt")
const both = /(?:^|[^\p{L}])(?:T?CC|C\.C\.)(?![\p{L}])/u
const rent = anyOf("miete|mtl|monat|kalt|preis|loyer|mois|prix|vente|\\brent|pcm|month|\\bpm\\b|price|cost|offers",
	"leje|måned|\\bmd\\b")
const searched = anyOf("(?:bis|max\\.?|min\\.?|maximum|minimum|up to|jusqu'?à?|entre|between|under|unter|" +
	"moins de|ab|dès|from) ?:? ?$")

// kindOf returns what words call an amount: "total", "rent" or "fee", or "" if they do not say.
function kindOf(words) {
	if (fee.test(words)) return "fee"
	const isTotal = both.test(words) || includes.test(words) && !/(?:nicht|non|not) (?:inkl|compris|incl)/i.test(words)
	if (isTotal) return "total"
	if (utilities.test(words) && !excludes.test(words)) return "fee"
	return rent.test(words) || excludes.test(words) && utilities.test(words) ? "rent" : ""
}

// Values and their labels

const unit = RegExp("€|EUR|CHF|£|\\$|DKK|kr\\.?|m²|m2|qm|sqm|sq ft|ca\\.|pcm|pw|\\/|monat|mois|month|mtl\\.?|md\\.?|" +
	"p\\.m\\.|zzgl\\.?|par|pro|per|[^\\p{L}]", "giu")
const otherLabels = anyOf("fläche|größe|zimmer|etage|baujahr|bezug|verfügbar|badezimmer|bad\\b|typ|kosten",
	"surface|pièces|étage|disponible|chambres|dpe|ges\\b|area|size|rooms|floor|available|bath",
	"værelse|størrelse|ledig")

const isValue = piece => /\d/.test(piece) && piece.length < 40 && piece.replace(unit, "") === ""
const isLabel = piece => !/\d/.test(piece) && piece.length < 45 && piece.split(" ").length < 7 &&
	(kindOf(piece) !== "" || otherLabels.test(piece))

// valuesOf cuts lines into pieces {text, label}. The label of a piece that is only a number is the piece before or
// after it.
export function valuesOf(lines) {
	const text = lines.join("\n").replace(/(\d)\n(m²|m2|€)(?=\n|$)/g, "$1 $2") // a unit in a line of its own
	const pieces = text.split(/\n|\t| [|·•–—] |;/).map(piece => piece.trim()).filter(Boolean)
	const kinds = pieces.map(piece => isValue(piece) && "value" || isLabel(piece) && "label")
	return pieces.map((text, i) => ({text, label: kinds[i] === "value" && pieces[labelOf(kinds, i)] || ""}))
}

const furthest = 40 // pieces of a block that are looked at

// labelOf returns the index of the label of a value, or -1. Some pages put labels above their values, others below:
// the first piece of a block of both tells which. In a table, a row of as many labels precedes the values.
function labelOf(kinds, at) {
	const end = Math.max(0, at - furthest)
	let first = at
	while (first > end && kinds[first - 1] === "value") first--
	const columns = kinds.slice(first, at + furthest).findIndex(kind => kind !== "value")
	const heads = kinds.slice(Math.max(0, first - columns), first)
	if (columns > 1 && heads.length === columns && heads.every(kind => kind === "label")) return at - columns
	first = at
	while (first > end && kinds[first - 1] && kinds[first - 1] !== kinds[first]) first--
	const label = kinds[first] === "label" ? at - 1 : at + 1
	return kinds[label] === "label" ? label : -1
}

// Amounts

const sign = "€|EUR(?:os?)?|CHF|SFr\\.?|Fr\\.|£|GBP|US\\$|\\$|USD|DKK|SEK|NOK|kr\\.?"
const dash = "(?:[.,] ?[-–—]{1,2})?"
const amount = RegExp(`(?<![\\p{L}\\d.,])(?:(?<sign>${sign}) ?(?<n>${numeral})|` +
	`(?<m>${numeral})${dash} ?(?<behind>${sign})(?!\\p{L})|` +
	`(?<bare>${numeral})${dash}(?! ?(?:m²|m2|qm|sq|zi|%|\\p{L}{2,3}\\b|\\d)))`, "giu")
const currencies = {"€": "EUR", EURO: "EUR", EUROS: "EUR", "£": "GBP", $: "USD", US$: "USD", FR: "CHF", SFR: "CHF"}
const each = RegExp("^[ ,.–-]*(?:\\/|pro|per|par|je|le|pr\\.?) ?(?:m²|m2|qm|sq|kvm|nacht|night|nuit|tag|day|" +
	"jour|jahr|year|an\\b|annum)|^ ?(?:p\\.a\\.|pa\\b|€?\\/m(?!\\p{L}))", "iu")
const weekly = /^ ?(?:pw\b|p\.?\/?w\b|(?:\/|per|a|pro|par) ?(?:week|wk|woche|semaine))/i
const often = "[ /.]*(?:(?:pro|par|per|im|a|pr\\.?)? ?(?:monat|mois|month|måned|md|mo)|mtl|monatlich|mensuels?|pcm|" +
	"p\\.?m)?[ .,(:–-]*"
const qualified = RegExp(`^${often}(?:warm(?!wasser)|inkl|incl|charges? (?:mensuelles )?comprise|T?CC(?!\\p{L})|` +
	"c\\.c\\.|tout|bills inc|all|brutto|gesamt|total)", "iu")

// costIn returns {cost, currency} from the values of a listing, or null: the first amount called total, else the
// first rent, else the first without a name. link determines the currency if no sign does.
export function costIn(values, link) {
	const all = values.flatMap(amountsIn)
	const best = ["total", "rent", "", "weekly"].map(kind => all.find(found => found.kind === kind)).find(Boolean)
	if (!best) return null
	const cost = best.kind === "weekly" ? Math.round(best.cost * 52 / 12) : best.cost
	return {cost, currency: currencyOf(best, link) ?? all.map(other => currencyOf(other)).find(Boolean)}
}

// currencyOf returns the code of an amount's currency. Kroner are those of the link's country.
function currencyOf({sign = ""}, link) {
	const code = sign.toUpperCase().replace(/\.$/, "")
	const [, domain] = /\.(\w+)$/.exec(URL.parse(link)?.hostname ?? "") ?? []
	if (code === "KR") return {se: "SEK", no: "NOK"}[domain] ?? "DKK"
	return (currencies[code] ?? code) || {dk: "DKK", ch: "CHF", uk: "GBP"}[domain]
}

// amountsIn returns the amounts of a value, {cost, sign, kind}.
function amountsIn({text, label}) {
	const found = [...text.matchAll(amount)].filter(({groups}) => !groups.bare || /\d{3}/.test(groups.bare))
	return found.map((match, i) => {
		const {groups: {sign, n, m, behind, bare}, index} = match
		const last = found[i - 1]
		const before = clause(text.slice(last ? last.index + last[0].length : 0, index), last)
		const after = text.slice(index + match[0].length, found[i + 1]?.index)
		const cost = parseNumber(n ?? m ?? bare)
		const kind = kindHere(before, after, label)
		return {cost, sign: sign ?? behind, kind: bare && !isNamed(before, label, text) ? "other" : kind}
	}).filter(({cost, kind}) => cost >= 50 && kind !== "other")
}

// isNamed reports whether a number without a currency follows the name of a rent.
const isNamed = (before, label, text) => {
	const isBehind = before.length < 40 && /[\p{L})]+ ?[:=]? ?$/u.test(before) && !searched.test(before)
	const words = isValue(text) ? label : isBehind ? before : ""
	return ["rent", "total"].includes(kindOf(words)) && /miete|loyer|rent|leje|preis|prix|price/i.test(words)
}

// clause returns the end of the words before an amount that refers to it. An "inkl." at its end refers to the amount
// before.
function clause(words, last) {
	const [, end] = /(?:^|[,;=(]|\. | (?:und|and|et|og|plus|dont|davon|sowie) |\+)([^,;=(+]*)$/iu.exec(words) ?? [, words]
	const own = end.split(/ (?:und|and|et|og|plus|dont|davon|sowie) /i).at(-1)
	return last ? own.replace(/^.*\b(?:inkl|incl|including|zzgl|plus|dont|davon|avec|y compris)\W*$/i, "") : own
}

// kindHere returns what an amount is, by the words before and after it, or by its label.
function kindHere(before, after, label) {
	if (each.test(after) || searched.test(before) && !/miete|loyer|rent|leje/i.test(before)) return "other"
	const [behind] = after.split(/[,;=]|\. | (?:und|and|et|og|plus|dont|davon) |\+/i)
	const kind = kindOf(before.slice(-60)) || kindOf(label)
	if (kind !== "fee" && qualified.test(after)) return "total"
	if (weekly.test(after)) return kind === "fee" ? kind : "weekly"
	return kind || kindOf(behind.slice(0, 40))
}
