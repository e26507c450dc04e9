// What a listing says, picked out of its text as copied from a page, with menus, cookie banners, similar offers and
// imprints around it. Nothing here knows the page that shows it.
//
// pick reads a text; cleanLink and linkKey read links. costs.js has the names of costs, data.js reads what a page
// says to machines.

import {anyOf, bareNumber, costIn, numeral, valuesOf} from "./costs.js"
import {parseNumber} from "./format.js"

const longest = 100_000 // letters of a text that are read
const most = 2_000 // lines
const longestTitle = 120
const [above, below] = [6, 12] // lines between the first facts and a title below or above them

// pick returns what a text says, of {link, title, cost, currency, area, rooms, code, place, phone, text}. It omits
// what it does not find. A link and a title that are already known help it.
export function pick(pasted, known = {}) {
	const found = linkIn(plainOf(pasted))
	const link = known.link ?? found
	const words = bareAddress.test(pasted.trim()) ? "" : pasted
	const plain = plainOf([known.title, words].filter(Boolean).join("\n"))
	const lines = plain.replace(webLink, "").split("\n").map(line => line.trim()).filter(Boolean).slice(0, most)
	const main = lines.slice(0, endOf(lines))
	const title = known.title ? main[0] : titleIn(main)
	// Some pages have the first facts above the title. Anything further above is a menu.
	const heading = Math.max(0, main.lastIndexOf(title, firstFact(main) + below))
	const start = heading > above ? Math.min(heading, Math.max(firstFact(main), heading - above)) : 0
	const facts = main.slice(start)
	const values = [...valuesOf(facts), ...valuesOf(main.slice(0, start))]
	const cost = costIn(values, link)
	const isText = (line, i) => line !== title ? i >= heading - start || !aside.test(line)
		: !known.title && line.length > longestTitle
	return said({
		link: found,
		title: shortened(title),
		...cost,
		area: areaIn(values),
		rooms: roomsIn(values, title),
		...placeIn(facts, countryOf(link, cost?.currency, plain), title),
		phone: phoneIn(facts),
		text: facts.every(isFact) ? null : facts.filter(isText).join("\n"),
	})
}

// said returns the members that have a value.
export const said = members =>
	Object.fromEntries(Object.entries(members).filter(([, value]) => value != null && value !== ""))

// plainOf replaces all kinds of spaces and apostrophes by plain ones, and bounds the length of a text.
const plainOf = pasted => pasted.slice(0, longest)
	.replace(/\r\n?/g, "\n").replace(/[\u00a0\u2000-\u200a\u202f]/g, " ").replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
	.replace(/’/g, "'").replace(/[ \f\v]{2,}/g, " ")

// Links

const bareAddress = /^[\w-]+(\.[\w-]+)+(\/\S*)?$/
const webLink = /\b(?:https?:\/\/|www\.)[^\s<>"]{3,2000}/gi

// linkIn returns the first link of a text, or the text itself if it is an address without "https://".
function linkIn(text) {
	const [found = text.trim()] = text.match(webLink) ?? []
	if (!/^https?:/i.test(found) && !bareAddress.test(found)) return null
	return cleanLink(found.replace(/[.,;:!?)\]'»]+$/, ""))
}

const tracking = /^(utm_\w*|fbclid|gclid|mc_[ce]id|referrer|search(type|id)|navigation\w+|channel)$/i

// cleanLink returns a web address without tracking parameters, or null.
export function cleanLink(text) {
	const isWhole = /^https?:/i.test(text)
	const url = URL.parse(isWhole ? text : "https://" + text)
	if (!url || !isWhole && !url.hostname.includes(".")) return null
	for (const name of [...url.searchParams.keys()]) if (tracking.test(name)) url.searchParams.delete(name)
	if (!/^#[/!][^?]*\w/.test(url.hash)) url.hash = "" // these are routes, which name the listing
	return url.href
}

// linkKey returns what two links to one listing have in common.
export const linkKey = link =>
	cleanLink(link)?.replace(/^https?:\/\/((www|m|mobile)\.)?/, "").replace(/\/(?=$|\?)/, "") ?? null

// The listing itself

// The words that begin what follows a listing: other offers, and who runs the site.
const afterwards = RegExp(`^(?:${[
	"ähnliche|weitere (?:angebote|anzeigen|immobilien|objekte|wohnungen)|andere (?:angebote|anzeigen|nutzer)",
	"das könnte|auch interessant|passende|mehr (?:angebote|anzeigen|immobilien)|zuletzt (?:an)?gesehen",
	"(?:anbieter-?)?impressum|rechtliche angaben|datenschutz|angaben gemäß|© ?|cookie|legal notice|imprint",
	"(?:annonces?|biens?) (?:similaires|recommandé)|(?:ces|d'autres|autres) (?:annonces|biens)",
	"vous (?:aimerez|pourriez)|nos agences|mentions légales",
	"similar |you (?:may|might)|people also|recommended|recently",
	"(?:more|other|nearby) (?:properties|homes|listings|flats)",
	"lignende|andre (?:boliger|leje)|seneste (?:boliger|lejemål)|om boligportalen",
].join("|")})`, "i")

const fact = anyOf(`(?:€|£|\\$|EUR|CHF|DKK|kr\\.?|Fr\\.) ?(?:${numeral})`,
	`(?:${numeral})[.,–-]* ?(?:€|£|EUR|CHF|kr\\b)`, "\\d (?:m²|m2|qm)")

// isFact reports whether a line is a fact with its label: "Warmmiete 1.390 €", "60 m²".
const isFact = line => fact.test(line) && !home.test(line) && line.length < 40 &&
	(line.match(/\p{L}{3,}/gu) ?? []).filter(word => !/^(?:EUR|CHF|DKK)$/.test(word)).length < 2

// firstFact returns the index of the first line with an amount, or else the number of lines.
const firstFact = lines => (lines.findIndex(line => fact.test(line)) + lines.length + 1) % (lines.length + 1)

// endOf returns the number of lines before other offers and the imprint. A menu at the top may contain the same
// words, so only those below the first facts count.
function endOf(lines) {
	const start = firstFact(lines)
	const end = lines.findIndex((line, i) => i > start && line.length < 60 && afterwards.test(line))
	return end < 0 ? lines.length : end
}

const home = anyOf("wohnung|zimmer|\\bzi\\b|haus\\b|altbau|neubau|dachgeschoss|\\bwg\\b",
	"appartement|apartment|studio|maison|villa|loft|penthouse|duplex|\\b[tf]\\d\\b|pièces",
	"\\bflat|house|\\bbed|\\broom|lejlighed|værelse|lejebolig")
const aside = anyOf("cookie|akzept|accept|einwillig|consent|traceur|datenschutz|privacy|partner",
	"anmelden|registrieren|\\bmerk(?:en|liste)\\b|inserieren|inserat aufgeben|anzeige aufgeben|startseite|kontakt|hilfe",
	"favori|accueil|déposer|se connecter|connexion|messages|aller au|recherche|retour|suivante",
	"sign in|log in|register|saved|search|suche|filter|zurück|back to|next|teilen|drucken|share|print",
	"menü|menu|newsletter|log ind|opret|minimum|maximum|skip to|zum inhalt")
const many = anyOf("wohnungen|immobilien\\b|appartements|apartments|\\bflats|properties|houses",
	"locations\\b|lejligheder|boliger")

// worth scores how much a line looks like the title of a listing.
function worth(line, isAfter) {
	const points = [
		[home.test(line), 4],
		[line.length >= 20, 1],
		[/m²|(?:^| )(?:in|à|mit|avec|with|på) /.test(line), 1],
		[aside.test(line), -6],
		[many.test(line), -4],
		[!fact.test(line) && /(?:[›>»|/].*){2}/.test(line), -4],
		[/[.?!:]$/.test(line) && line.length > 60 || line.length > longestTitle, -3],
		[/,$/.test(line), -5], // a greeting
		[!line.includes(" "), -3],
		[/^\D{0,40}\b\d{5}\b/.test(line) || line.length < 10, -2],
		[/^[\d.,½ -]+\p{L}+\.?$/u.test(line), -6], // a fact alone
		[isAfter, -1],
	]
	return points.reduce((sum, [holds, by]) => sum + (holds ? by : 0), 0)
}

// titleIn returns the line that looks most like a title, of those down to the first facts; of equal ones, the
// nearest to these.
function titleIn(lines) {
	const start = firstFact(lines)
	const [best] = lines.slice(0, start + below)
		.map((line, i) => ({line, i, worth: worth(line, i > start)}))
		.filter(({line}) => /\p{L}{3}/u.test(line) && !isFact(line))
		.sort((a, b) => b.worth - a.worth || Math.abs(a.i - start) - Math.abs(b.i - start))
	return best?.line
}

// shortened truncates a title that is a whole text to its first words.
const shortened = (title = "") =>
	(title.length > longestTitle ? title.slice(0, longestTitle).replace(/\s\S*$/, " …") : title)

// Area and rooms

const squareMetres = RegExp(`(?<![\\d.,])(${numeral}) ?(?:m²|m2|m\\^2|qm|sqm|sq\\.? ?m\\b|kvm|quadratmeter|` +
	"m(?:ètres)? carrés?|kvadratmeter|square met)", "giu")
const squareFeet = RegExp(`(?<![\\d.,])(${numeral}) ?(?:sq\\.? ?ft|sqft|ft²|square f)`, "giu")
const wholeArea = anyOf("wohnfl|wohnungsgr|zimmergr|fläche|living|\\bsize|\\barea|habitable|carrez|surface",
	"bolig|størrelse")
const partArea = anyOf("balkon|terras|garten|grundst|keller|loggia|stellplatz|garage|nutzfl|dachboden|hof\\b",
	"wohnzimmer|schlafzimmer|küche|balcon|jardin|terrain|cave|séjour|salon|chambre|cuisine|terrace|garden|plot",
	"cellar|bedroom|kitchen|altan|have\\b|kælder|grund\\b|køkken|€|eur\\b|pro\\b|per\\b",
	"bis\\b|max|mindest|jusqu")

// areaIn returns the area of the home: one that is named so, else the first that is not that of a room, a balcony or
// a garden.
function areaIn(values) {
	for (const [pattern, metres] of [[squareMetres, 1], [squareFeet, 0.092903]]) {
		const homes = values.flatMap(value => amounts(value, pattern)).filter(({amount, about}) =>
			amount * metres >= 8 && amount * metres < 2_000 && !partArea.test(about))
		const best = homes.find(({about}) => wholeArea.test(about)) ?? homes[0]
		if (best) return metres === 1 ? best.amount : Math.round(best.amount * metres)
	}
	return null
}

// amounts returns what a pattern finds in a value, with the words around it.
function amounts({text, label}, pattern) {
	const all = [...text.matchAll(pattern)]
	return all.map(({0: found, 1: amount, index}, i) => {
		const last = i > 0 ? all[i - 1].index + all[i - 1][0].length : 0
		const before = text.slice(Math.max(last, index - 30), index).split(/[,;(.]| - /).at(-1)
		const [after] = text.slice(index + found.length, index + found.length + 20).split(/[,;).]|\d/)
		return {amount: parseNumber(amount), about: `${label} ${before} ${after}`}
	})
}

const half = "\\d{1,2}(?:[.,][05])?(?: ?½| 1\\/2)?"
const roomsBehind = RegExp(`(?<![\\d.,€/])(${half})[ -]?(?:Zi\\b|Zi\\.|Zimmer|ZKB|Räume|Raum-|pièces?(?! d'eau)|` +
	"p\\.(?= |$)|vær|rooms?\\b)(?! frei)", "iu")
const roomName = "Zimmer(?:anzahl)?|Anzahl Zimmer|Zi\\.?|(?:Nombre de )?Pièces?|Rooms?|(?:Antal )?værelser"
const roomsBefore = RegExp(`(?:^|[^\\p{L}-])(?:${roomName})(?: \\([^)]*\\))? ?:? ?(${half})` +
	"(?![\\d.]|\\p{L}| ?(?:m²|m2|qm|€|£))", "iu")
const roomLabel = RegExp(`^(?:${roomName})(?!\\p{L})`, "iu")
const type = /(?:^|[^\p{L}\d])[TF]([1-9])(?: ?bis)?(?![\p{L}\d])/u
const studio = /(?:^|[^\p{L}])studio(?![\p{L}])/iu
const counted = {ein: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5,
	one: 1, two: 2, three: 3, four: 4, five: 5, en: 1, to: 2, tre: 3, fire: 4}
const countedRooms = RegExp(`(?<!\\p{L})(${Object.keys(counted).join("|")})[ -]?(?:zimmer|pièces|rooms?|værelse)`, "iu")

// roomsIn returns the number of rooms: as a fact of its own, else in the title, else anywhere.
function roomsIn(values, title = "") {
	const labelled = values.find(({text, label}) => roomLabel.test(label) && bareNumber.test(text))
	if (labelled) return roomNumber(labelled.text)
	const texts = values.map(({text}) => text)
	const short = texts.filter(text => text.length < 30)
	for (const group of [short.filter(text => roomsBefore.test(text)), [title], short, texts])
		for (const text of group) {
			const found = roomsOf(text)
			if (found > 0 && found < 30) return found
		}
	return null
}

// roomsOf reads the number of rooms in one text.
function roomsOf(text) {
	const [, digits] = roomsBehind.exec(text) ?? roomsBefore.exec(text) ?? type.exec(text) ?? []
	if (digits) return roomNumber(digits)
	const [, word] = countedRooms.exec(text) ?? []
	if (word) return counted[word.toLowerCase()]
	return studio.test(text) ? 1 : null
}

// roomNumber reads "2,5", "3½" and "3 1/2".
const roomNumber = digits => parseFloat(digits.replace(",", ".")) + (/½|1\/2/.test(digits) ? 0.5 : 0)

// Place

// countryOf guesses the country from the currency, the language or the link. Each has its own postal codes, before
// or after the place.
function countryOf(link, currency, text) {
	const [, domain] = /\.(\w+)$/.exec(URL.parse(link)?.hostname ?? "") ?? []
	const guess = {CHF: "ch", DKK: "dk", SEK: "se", NOK: "no", GBP: "uk", USD: "us"}[currency]
	if (guess) return guess
	if (/\b(?:loyer|pièces?|louer|appartement à|charges comprises)\b/i.test(text)) return "fr"
	return /\b\d{4} (?:Wien|Graz|Linz|Salzburg|Innsbruck)\b/.test(text) ? "at" : domain
}

const small = "(?:am|an|der|dem|den|im|in|bei|ob|vor|sur|sous|lès|les|le|la|de|du|des|en|on|upon)"
const word = "(?:St\\.|\\p{Lu}[\\p{L}']*(?:-[\\p{L}']+)*)"
const town = `${word}(?:(?: ${small}){0,2} ${word}){0,3}(?:,? \\d{1,2}(?:er|e|ème)(?![\\p{L}\\d]))?(?: - ${word})?`
const codes = {
	five: RegExp(`(?<![\\p{L}\\d.,+])(?:[DF]-)?(?<code>\\d{5}),? (?<town>${town})`, "u"),
	behind: RegExp(`(?<town>${town}) \\(?(?<code>\\d{5})(?![\\p{L}\\d]|[.,]\\d| ?[€m])\\)?`, "u"),
	four: RegExp(`(?<![\\p{L}\\d.,+])(?:CH|A|DK|AT)?-?(?<code>[1-9]\\d{3}),? (?<town>${town})`, "u"),
	uk: RegExp(`(?<town>${town}(?:, ${town})*),? ` +
		"(?<code>[A-Z]{1,2}\\d[A-Z\\d]?(?: \\d[A-Z]{2})?)(?![\\p{L}\\d])", "u"),
	us: /(?<town>\p{Lu}[\p{L}. ]{1,60}, [A-Z]{2}) (?<code>\d{5})(?:-\d{4})?(?!\d)/u,
}
const codesOf = {us: [codes.us], uk: [codes.uk], fr: [codes.behind, codes.five], ch: [codes.four],
	dk: [codes.four], at: [codes.five, codes.four], be: [codes.four], no: [codes.four], se: []}
const imprint = anyOf("HRB|SIRET|\\bRCS\\b|\\bCVR|\\bUSt|registered|siège|impressum")
const company = anyOf(imprint.source, "GmbH|\\bAG\\b|\\bKG\\b|\\bLtd|\\bA\\/S\\b|\\bApS\\b",
	"agence|agency|makler|office|kontor")
const street = anyOf("(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|vej|gade|allé)(?: \\d|\\b)",
	"\\b(?:rue|avenue|av\\.|boulevard|bd|place|quai|cours|chemin|allée|impasse|passage|route)\\b",
	"\\b(?:road|street|lane|drive|close|pl|ave?|st|blvd|dr|rd|ln|ct)\\b", "\\p{L} \\d{1,3} ?[a-z]?$")
const noStreet = /^(?:zimmer|anzahl|etage|stock|baujahr|pièces|étage|rooms|floor)/i
const noTown = RegExp("^(?:Euro?|EUR|CHF|Uhr|Aufrufe|Views|Januar|Februar|März|April|Mai|Juni|Juli|August|" +
	"September|Oktober|November|Dezember|Zimmer|Wohnung|Neubau|Baujahr|Kaution|Miete|Kaltmiete|ID|Nr)" +
	"(?![\\p{L}-])", "u")
const placeLabel = RegExp("^(?:Adresse|Anschrift|Lage|Standort|Ort|Localisation|Ville|Quartier|Address|Location|" +
	"Beliggenhed|Område) ?: ?", "i")

// placeIn returns the postal code and the place, with the street if it precedes them.
function placeIn(lines, country, title = "") {
	const all = lines.flatMap((line, i) =>
		addressIn(line, company.test(lines[i - 1]) ? "" : lines[i - 1], country) ?? [])
	const [first] = all
	const same = all.filter(({code}) => code.startsWith(first.code))
	const [whole] = same.sort((a, b) => b.code.length - a.code.length || b.hasStreet - a.hasStreet)
	if (whole) return {code: whole.code, place: whole.place}
	const named = lines.find(line => placeLabel.test(line) && line.length < 100)
	if (named) return {place: named.replace(placeLabel, "")}
	const [, inTitle] = RegExp(`(?<!\\p{L})(?:in|à|i) (${town}(?:, ${town})*)`, "u").exec(title) ?? []
	return {place: /lage$/.test(inTitle) ? null : inTitle}
}

// addressIn reads {code, place, hasStreet} in a line; the street may be in the line above.
function addressIn(line, above = "", country) {
	if (company.test(line) || line.length > 300) return null
	const patterns = codesOf[country] ?? [codes.five, codes.behind]
	const pattern = patterns.find(pattern => !noTown.test(pattern.exec(line)?.groups.town ?? "Euro"))
	if (!pattern) return null
	const {index, groups: {code, town}} = pattern.exec(line)
	const before = line.slice(0, index).replace(placeLabel, "").split(/[|•·:]/).at(-1).replace(/[\s,(–-]+$/, "").trim()
	const way = [before, before ? "" : above.replace(placeLabel, "").replace(/,$/, "")]
		.find(text => text && text.length < 60 && street.test(text) && !fact.test(text) && !noStreet.test(text))
	return {code, place: [way, town].filter(Boolean).join(", "), hasStreet: Boolean(way)}
}

// Phone

const digits = "(?:\\+|00)?\\(?\\d(?:[ ./()–-]{0,3}\\d){6,13}"
const phones = [
	RegExp("(?:tel|telefon|phone|mobile?|handy|tél|téléphone|portable|tlf|call|☎|📞|📱)[^\\d+(]{0,24}" +
		`(${digits})(?![\\dXx*])`, "iu"),
	RegExp("(?<![\\d\\p{L}])((?:\\+\\d{2}|00\\d{2})[ ()]*\\d(?:[ ./()–-]{0,3}\\d){6,11})(?![\\dXx*])", "u"),
	/(?<![\d\p{L}.,-])(\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\dXx*])/u,
	/(?<![\d\p{L}.,-])(0[1-9](?:[ .-]?\d{2}){4})(?![\dXx*])/u,
	/(?<![\d\p{L}.,-])(0\d{2,4}[ /-]{1,3}\d{2,8}(?:[ -]?\d{2,5}){0,3})(?![\dXx*])/u,
]
const notPhone = /fax|hotline|kundenservice|service client|iban|siret|\bref|\bid\b|hrb|ust|customer/i

// phoneIn returns the first phone number: one that is named so, else one that has the form of one.
function phoneIn(lines) {
	for (const [at, pattern] of phones.entries()) for (const [i, line] of lines.entries()) {
		const text = pattern.test(line) ? line : `${lines[i - 1]}: ${line}`
		const {1: found, index} = pattern.exec(text) ?? []
		const before = text.slice(Math.max(0, index - 40), index).split(/[,;]/).at(-1)
		if (found?.replace(/\D/g, "").length >= 8 && !notPhone.test(before) && !(at === 0 ? imprint : company).test(line))
			return found.trim()
	}
	return null
}
