// The cost of a home in the text of its listing: of several amounts, the one that one pays.
//
// costIn finds it. valuesOf cuts a text into labelled pieces, isLabel finds their labels; numeral, sign, fact,
// bareNumber and anyOf are patterns.

import {parseNumber} from "./format.js"

// numeral is the pattern of a number with its separators, as 1.450,50 or 1'240.
export const numeral = "\\d{1,3}(?:[.,' ]\\d{3})+(?!\\d)(?:[.,]\\d{1,2}(?!\\d))?" +
	"|\\d{1,9}(?:[.,]\\d{1,2}(?!\\d))?"

// bareNumber matches a text that is a number and nothing else, also one of rooms: 2½, 3 1/2, 2 + 1 fél.
export const bareNumber = /^\d{1,9}(?:[.,' ]\d+)*(?: ?½| 1\/2| \+ 1 fél)?$/

// anyOf makes the pattern that matches any of some words or patterns, in either case.
export const anyOf = (...words) => RegExp(words.join("|"), "iu")

// What amounts are called, in the languages of the texts that people paste. Deposits, loans and fees are never the
// cost. Neither are utilities, but a cost may include or exclude them.
const fee = anyOf(
	// deposits
	"kaution|genossenschaft|dép[oô]t|caution|garan[tț]|deposit|indskud|forudbetal|indflytning|waarborg|\\bborg\\b",
	"\\bbond\\b|vakuus|takuu|polog|zábezpeka|εγγύηση|fianza|cauzione|cau[cç]|kau[cč]",
	// loans
	"finanz|kredit|kredyt|rate\\b|rata\\b|ratę|mensualit|prêt|emprunt|mortgage|borrow|hypothe|maandlast|hipotec|cuota",
	"mutuo|ydelse|udbetaling|brutto ?\\/ ?netto|\\blån|kontantinsats|boendekostnad|prestaç|úvěr|splátk|hitel|törleszt",
	// fees and taxes
	"provision(?! pour)|prowizj|provize|provvig|jutalék|comm?iss?i|courtage|ablöse|abstand|honoraires|frais|taxe?\\b",
	"état des lieux|complément|\\bfees?\\b|council|admin|ground rent|notar|grunderwerb|steuer|omkostning|fellesgjeld",
	// anything else with a price
	"hausgeld|stellplatz|parkplatz|parking|garage|strom\\b|internet|einkommen|einnahmen|versicher|schufa|umzug|sparen",
	"autopaikka|parkolás|parcare|parkiranje|rabatt|référence|estim|\\best\\.|énerg|revenus|income|assurance")
const utilities = anyOf("nebenkosten|heizkosten|betriebskosten|\\bnk\\b|\\bbk\\b|\\bhk\\b",
	"charges?(?!\\p{L})|bills|utilities|service ?(?:charge|kosten)|forbrug|a ?conto|varme\\b|ejerudgift|avgift|drift",
	"felleskost|fellesutgift|fælles|gastos|comunidad|spese|condom[ií]nio|despesas|czynsz(?! najmu)|opłat|poplat|služb",
	"rezsi|közös k|energi[ea]\\b|vastike|vesimaksu|sähkö|întreținere|režij|režie|κοινόχρηστα")
const includes = anyOf("warm(?!wasser)|gesamt|total|brutt?o?(?!\\p{L})|bruttomiet|in[ck]l|compris(?:es|e)?(?!\\p{L})",
	"comprend les charges|all[- ]?in|samlet|i alt|celkov|lordo")
const excludes = anyOf("zzgl|exkl|excl|hors|ohne|nicht|non[ -]|\\bplus\\b|\\bnot\\b|ekskl|netto|\\bhc\\b|kalt|no inclu")
const both = /(?:^|[^\p{L}])(?:T?CC|C\.C\.)(?![\p{L}])/u
const cold = anyOf("kalt(?!wasser)|netto|loyer net\\b|hors charges|\\bhc\\b|\\b(?:exkl|excl|ekskl|zzgl)(?!\\p{L})")
const sale = anyOf("kaufpreis|asking price|guide price|offers (?:over|in)|prix de vente|vraagprijs|kosten koper",
	"myyntihinta|velaton hinta|\\bk\\.k\\.|kontantpris|prisantydning|utropspris|precio de venta|prezzo di vendita",
	"preço de venda|vételár|irányár")
const rent = anyOf("miete|mtl|monat|kalt|preis|loyer|mois|prix|vente|\\brent|pcm|month|\\bpm\\b|price|cost|offers",
	"leje|måned|\\bmd\\b|\\bpris\\b|leie|hyra|huur|per maand|prijs|alquiler|precio|affitto|canone|vuokra|hinta|\\bkk\\b",
	"chirie|preț|lună|cijena|najam|ενοίκιο|τιμή|prezzo|renda|preço|cena|najmu|nájem|bérleti|(?<!\\p{L})ár(?!\\p{L})")
const searched = RegExp("(?:bis|m(?:ax|in)(?:\\.|imum)?|up to|jusqu'?à?|entre|between|under|unter|moins de|ab|dès|" +
	"from) ?:? ?$", "iu")
const former = anyOf("ancien(?:ne)? (?:prix|loyer)|vorher|bisher|statt|\\bwas\\b|previous|reduced from|last sold",
	"anterior|precedente|\\bantes\\b|tidligere|tidigare|før\\b|poprzedni|původní|korábbi|oude? prijs",
	"alte[rn]? preis|zuvor")
const perArea = /(?:\/|au|pro|per|par|pr\.?|por|al|za|ár) ?(?:m²|m2|qm|kvm|sq)|kvadratmeter/i

// kindOf returns what words call an amount: "sale", "total", "rent", "fee", "former", "other" for a cost per area, or
// "" if they do not say.
function kindOf(words) {
	if (fee.test(words)) return "fee"
	if (perArea.test(words)) return "other"
	if (former.test(words)) return "former"
	if (sale.test(words)) return "sale"
	const isTotal = both.test(words) || includes.test(words) && !/(?:nicht|non?|not) (?:inkl|compris|incl)/i.test(words)
	if (isTotal) return "total"
	if (utilities.test(words) && !excludes.test(words)) return "fee"
	return rent.test(words) || excludes.test(words) && utilities.test(words) ? "rent" : ""
}

// Values and their labels

// wholeArea matches what the area of a home is called.
export const wholeArea = anyOf("wohnfl|wohnungsgr|zimmergr|fläche|living (?:area|space)|livable|\\bsize|\\barea",
	"habitable|carrez|surface|bolig|størrelse|boarea|bruksareal|primærrom|wonen|oppervlak|superficie|construid|área",
	"powierzchnia|suprafa|pinta-ala|površina|εμβαδόν|plocha|alapter")

// sign is the pattern of a currency.
export const sign = "€|EUR(?:os?)?|CHF|CA\\$|AU\\$|C\\$|A\\$|CAD|AUD|lei(?!\\p{L})|RON|SFr\\.?|Fr\\.|£|GBP|" +
	"US\\$|\\$|USD|DKK|SEK|NOK|kr\\.?|zł|PLN|Kč|CZK|Ft(?!²)|HUF"
// fact matches an amount or an area.
export const fact = anyOf(`(?:${sign}) ?(?:${numeral})`,
	`(?:${numeral})[.,:–-]* ?(?:${sign})(?!\\p{L})`, "\\d (?:m²|m2|qm)")

const unit = RegExp(`${sign}|m²|m2|qm|sqm|sq ft|ca\\.|pcm|pw|\\/|monat|mois|month|mtl\\.?|md\\.?|p\\.m\\.|zzgl\\.?|` +
	"fél|kk|lună|lun\\u0103|mån|maand|mese|mes|mês|miesiąc|mies|měsíc|par|pro|per|za|[^\\p{L}]", "giu")
const otherLabels = anyOf(wholeArea.source, "größe|zimmer|^zi\\.?$|etage|baujahr|bezug|verfügbar|bad\\b|typ|kosten",
	"pièces|étage|disponible|chambres|dpe|ges\\b|area|size|rooms|floor|available|bath|værelse|ledig|antal|byg|våning",
	"soverom|rom\\b|etasje|kamers|perceel|inhoud|huoneita|kerros|camere|etaj|soba|kat\\b|izby|δωμάτια|locali|piano",
	"habitac|planta|piętro|pokoi|podlaží|szob|emelet|energi")

const isValue = piece => /\d/.test(piece) && piece.length < 40 && piece.replace(unit, "") === ""

const denial = /^(?:ohne|keine|sans|no|senza|sin|sem|fără|bez|geen|zonder|uden|uten|utan) /i

// isLabel reports whether a piece of a text is the label of a value.
export function isLabel(piece) {
	const name = piece.replace(/ \([^)]*\)$/, "")
	return !denial.test(piece) && !/\d|: *\S/.test(piece) && name.length < 45 && name.split(" ").length < 7 &&
		(kindOf(name) !== "" || otherLabels.test(name))
}

// valuesOf cuts lines into pieces {text, label, isProse}. The label of a piece that is only a number is the piece
// before or after it.
export function valuesOf(lines) {
	const text = lines.join("\n").replace(/(\d)\n(m²|m2|€)(?=\n|$)/g, "$1 $2") // a unit in a line of its own
	const pieces = text.split(/\n|\t| [|·•–—] |;/).map(piece => piece.trim()).filter(Boolean)
	const kinds = pieces.map(piece => isValue(piece) && "value" || isLabel(piece) && "label")
	const isFit = (i, by) => kinds[i] === "label" && kinds[i + by] === "value" && fits(pieces[i], pieces[i + by])
	const [fitsNext, fitsLast] = [1, -1].map(by => pieces.map((_, i) => isFit(i, by)))
	const labels = kinds.map((kind, i) => kind === "value" && pieces[labelOf(kinds, i, fitsNext, fitsLast)] || "")
	return pieces.map((text, i) => ({
		text: bareNumber.test(text) ? text + unitOf(labels[i]) : text,
		label: labels[i],
		isProse: text.length > 90 || text.length > 40 && /\p{Ll}{3}[.!?](?: |$)/u.test(text),
	}))
}

const isArea = /m²|m2|qm|kvm|m[qp]$|sq|ft/i
const isMoney = RegExp(sign, "i")

// unitOf returns the unit of an area that a label gives in place of its value: "Size (sqft)".
const unitOf = label => / \(?(?:in )?(?<unit>m²|m2|qm|sq\.? ?ft|sqft)\)?:?$/i.exec(label)?.groups.unit ?? ""

// fits reports whether a value has the unit that its label suggests.
function fits(label, value) {
	if (wholeArea.test(label)) return isArea.test(value)
	return kindOf(label) ? isMoney.test(value) : !isArea.test(value) && !isMoney.test(value)
}

const furthest = 40 // pieces of a block that are looked at

// labelOf returns the index of the label of a value, or -1. Some pages put labels above their values, others below:
// what fits in a block of both tells which, or else its first piece. In a table, a row of as many labels precedes the
// values.
function labelOf(kinds, at, fitsNext, fitsLast) {
	const start = Math.max(0, at - furthest)
	let first = at
	while (first > start && kinds[first - 1] === "value") first--
	const columns = kinds.slice(first, at + furthest).findIndex(kind => kind !== "value")
	const heads = kinds.slice(Math.max(0, first - columns), first)
	if (columns > 1 && heads.length === columns && heads.every(kind => kind === "label")) return at - columns
	first = at
	while (first > start && kinds[first - 1] && kinds[first - 1] !== kinds[first]) first--
	let end = at + 1
	while (end < at + furthest && kinds[end] && kinds[end] !== kinds[end - 1]) end++
	const count = all => all.slice(first, end).filter(Boolean).length
	const above = count(fitsNext) // labels that fit the value below them
	const below = count(fitsLast) // labels that fit the value above them
	const isAbove = above === below ? kinds[first] === "label" : above > below
	const label = isAbove ? at - 1 : at + 1
	return kinds[label] === "label" ? label : -1
}

// Amounts

const dash = "(?:[.,:] ?[-–—]{1,2})?"
const amount = RegExp(`(?<![\\p{L}\\d.,])(?:(?<sign>${sign}) ?(?<n>${numeral})|` +
	`(?<m>${numeral})${dash} ?(?<behind>${sign})(?!\\p{L})|` +
	`(?<bare>(?<!\\d[ /-])(?!0)(?:${numeral}))${dash}(?! ?(?:m²|m2|qm|sq|zi|%|\\p{L}{2,3}\\b|\\d)))`, "giu")
const currencies = {"€": "EUR", EURO: "EUR", EUROS: "EUR", "£": "GBP", US$: "USD", FR: "CHF", SFR: "CHF",
	CA$: "CAD", C$: "CAD", AU$: "AUD", A$: "AUD", LEI: "RON", ZŁ: "PLN", KČ: "CZK", FT: "HUF"}
const ownCurrencies = {dk: "DKK", se: "SEK", no: "NOK", ca: "CAD", au: "AUD", ch: "CHF", uk: "GBP"}
const each = RegExp("^[ ,.–-]*(?:\\/|pro|per|par|je|le|pr\\.?|za|al) ?(?:m²|m2|qm|sq|kvm|nacht|night|nuit|tag|day|" +
	"jour|jahr|year|år\\b|an\\b|annum)|^ ?(?:p\\.a\\.|pa\\b|€?\\/m(?!\\p{L}))", "iu")
const weekly = /^ ?(?:pw\b|p\.?\/?w\b|(?:\/|per|a|pro|par) ?(?:week|wk|woche|semaine))/i
const often = "[ /.]*(?:(?:pro|par|per|im|a|pr\\.?)? ?(?:monat|mois|month|måned|md|mo)|mtl|monatlich|mensuels?|pcm|" +
	"p\\.?m)?[ .,(:–-]*"
const qualified = RegExp(`^${often}(?:warm(?!wasser)|inkl|incl|charges? (?:mensuelles )?comprise|T?CC(?!\\p{L})|` +
	"c\\.c\\.|tout|bills inc|all|brutto|gesamt|total)", "iu")

const onRequest = RegExp("^(?:(?:kauf)?preis:? )?(?:auf anfrage|p\\.?o\\.?a\\.?|price on (?:application|request)|" +
	"prix sur demande|(?:prix )?nous consulter|(?:precio )?a consultar|(?:prijs )?op aanvraag|" +
	"(?:preço )?sob consulta|trattativa riservata|prezzo su richiesta|cena do negocjacji|pris på forespørgsel|" +
	"cena na vyžádání)$", "i")

// costIn returns {cost, currency, utilities} from the values of a listing, or null: the price of a sale, else the first
// amount called total, else the first that is a rent or stands alone without a name, else the only one. utilities is
// "included" or "excluded" if the words at that cost say so. country determines the currency if no sign does. A price
// on request is no cost, and neither is one that is called former anywhere, nor a number without a currency where
// another has one.
export function costIn(values, country) {
	if (values.some(({text}) => onRequest.test(text))) return null
	const found = values.flatMap(amountsIn)
	const formerCosts = found.filter(({kind}) => kind === "former").map(({cost}) => cost)
	const hasSign = found.some(({sign, kind}) => sign && ["sale", "total", "rent", ""].includes(kind))
	const isCost = ({cost, sign, kind}) => !formerCosts.includes(cost) && (sign || kind !== "rent" || !hasSign)
	const all = found.filter(isCost)
	const first = kind => all.find(found => found.kind === kind)
	const unnamed = all.filter(({kind}) => kind === "")
	const isOne = new Set(unnamed.map(({cost}) => cost)).size === 1
	const price = all.find(({kind, isAlone}) => kind === "rent" || kind === "" && isAlone) ?? (isOne ? unnamed[0] : null)
	const total = all.find(found => found.kind === "total" && !(price && isOfAnother(found, price)))
	const best = first("sale") ?? total ?? price ?? first("weekly")
	if (!best) return null
	const same = all.filter(({cost}) => cost === best.cost)
	return {
		cost: best.kind === "weekly" ? Math.round(best.cost * 52 / 12) : best.cost,
		currency: currencyOf(best, country) ?? all.map(other => currencyOf(other, country)).find(Boolean),
		utilities: best.kind === "sale" ? null : utilitiesOf(same),
	}
}

// utilitiesOf returns whether amounts include utilities, or null if their words do not say or contradict each other.
function utilitiesOf(amounts) {
	const isTotal = amounts.some(({kind}) => kind === "total")
	const isCold = amounts.some(({isCold}) => isCold)
	if (isTotal === isCold) return null
	return isTotal ? "included" : "excluded"
}

// isOfAnother reports whether a total is not that of a price. A total comprises its price, so it is not less, and not
// twice as much. A price that only a sentence names tells nothing about a total that is a fact.
function isOfAnother(total, price) {
	if (price.isProse && !total.isProse) return false
	return total.cost < price.cost || total.cost > 2 * price.cost
}

// currencyOf returns the code of an amount's currency. Kroner and dollars are those of the country.
function currencyOf({sign = ""}, country) {
	const code = sign.toUpperCase().replace(/\.$/, "")
	const own = ownCurrencies[country]
	if (code === "$") return /CAD|AUD/.test(own) ? own : "USD"
	if (code === "KR") return /SEK|NOK/.test(own) ? own : "DKK"
	return (currencies[code] ?? code) || own
}

// isCold reports whether words say that an amount excludes utilities.
const isCold = words => cold.test(words) || excludes.test(words) && utilities.test(words)

// amountsIn returns the amounts of a value, {cost, sign, kind, isAlone, isProse, isCold}.
function amountsIn({text, label, isProse}) {
	const found = [...text.matchAll(amount)].filter(({groups}) => !groups.bare || /\d{3}/.test(groups.bare))
	return found.map((match, i) => {
		const {groups: {sign, n, m, behind, bare}, index} = match
		const last = found[i - 1]
		const before = clause(text.slice(last ? last.index + last[0].length : 0, index), last)
		const rest = text.slice(index + match[0].length, found[i + 1]?.index)
		// A word alone names the next amount, and so does one of a former price.
		const isNext = found[i + 1] && (/^ ?[,;] \p{L}+ $/u.test(rest) || former.test(rest))
		const after = isNext ? "" : rest
		const cost = parseNumber(n ?? m ?? bare)
		const kind = kindHere(before, after, label)
		const isAlone = !isProse && (isValue(text) || text.length < 25)
		return {
			cost,
			sign: sign ?? behind,
			isAlone,
			isProse,
			kind: bare && !isNamed(before, label, text) ? "other" : kind,
			isCold: isCold(`${before.slice(-60)} ${label} ${after.slice(0, 40)}`),
		}
	}).filter(({cost, kind}) => cost >= 50 && kind !== "other")
}

const priceName = anyOf("miete|loyer|rent|leje|preis|prix|price|\\bpris\\b|leie",
	"hyra|huur|prijs|precio|prezzo|preço|cena|nájem")

// isNamed reports whether a number without a currency follows the name of a rent.
const isNamed = (before, label, text) => {
	const isBehind = before.length < 40 && /[\p{L})]+ ?[:=]? ?$/u.test(before) && !searched.test(before)
	const words = isValue(text) ? label : isBehind ? before : ""
	return ["rent", "total", "sale"].includes(kindOf(words)) && priceName.test(words)
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
	if (!["fee", "sale"].includes(kind) && qualified.test(after)) return "total"
	if (weekly.test(after)) return kind === "fee" ? kind : "weekly"
	return kind || kindOf(behind.slice(0, 40))
}
