// What a listing says, picked out of its text as copied from a page, with menus, cookie banners, similar offers and
// imprints around it. Nothing here knows the page that shows it.
//
// pick reads a text; cleanLink and linkKey read links. costs.js, details.js and place.js have the names of costs, of
// short facts and of streets; data.js reads what a page says to machines.

import {phoneNumber} from "../lib/phone.js"
import {anyOf, bareNumber, costIn, fact, isLabel, numeral, valuesOf, wholeArea} from "./costs.js"
import {detailsIn} from "./details.js"
import {parseNumber} from "./format.js"
import {aboutHome, company, countryOf, home, imprint, isPlace, isStreet, placeIn} from "./place.js"

const longest = 100_000 // letters of a text that are read
const most = 2_000 // lines
const longestTitle = 120
const [above, below] = [6, 12] // lines between the first facts and a title below or above them

// pick returns what a text says, of {link, title, cost, currency, utilities, area, rooms, code, place, phone, text,
// details}, with short facts by name in details. It omits what it does not find. A link and a title that are already
// known help it.
export function pick(pasted, known = {}) {
	const words = plainOf(pasted)
	const address = linkIn(words)
	const found = cleanLink(address)
	const link = known.link ?? found
	const plain = plainOf([known.title, words.replaceAll(address, "")].filter(Boolean).join("\n"))
	const lines = plain.split("\n").map(line => line.trim()).filter(Boolean).slice(0, most)
	const main = lines.slice(0, endOf(lines))
	const title = known.title ? main[0] : titleIn(main)
	// Some pages have the first facts above the title. Anything further above is a menu.
	const heading = Math.max(0, main.lastIndexOf(title, firstFact(main) + below))
	const start = heading > above ? startOf(main, Math.min(heading, firstFact(main))) : 0
	const facts = main.slice(start)
	const values = inOrder([...valuesOf(facts), ...valuesOf(main.slice(0, start))])
	const country = countryOf(link, plain)
	const cost = costIn(values, country)

	// The title is text only if it is shortened, and was not known before. Lines above it may be those of a menu.
	function isText(line, i) {
		if (line === title) return !known.title && line.length > longestTitle
		const isAboveTitle = i < heading - start
		return !isAboveTitle || !aside.test(line)
	}

	return said({
		link: found,
		title: shortened(title),
		...cost,
		area: areaIn(values),
		rooms: roomsIn(inOrder(valuesOf(aboutHome(facts))), title, country),
		...placeIn(facts, country, title, main.find(isTrail)),
		phone: phoneIn(facts),
		details: detailsIn(facts, country),
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
const onlyLink = RegExp(`^[<("]?(${webLink.source})$`, "i")
const host = /^(?:https?:\/\/)?[^/?#]+\/?$/i // without a path
const longestShared = 200 // letters of a line that is passed on with a link

// linkIn returns the link of a listing as it stands in the text, or "": the text itself, also without "https://", or a
// line that is nothing but a link with a path. A link in a sentence may be that of an authority or of an imprint, so
// it counts only in a text of one short line, as people pass on listings.
function linkIn(text) {
	const whole = text.trim()
	if (bareAddress.test(whole)) return whole
	const lines = whole.split("\n").map(line => onlyLink.exec(line.trim())?.[1])
	const isLine = lines.length === 1
	if (isLine && lines[0]) return withoutEnd(lines[0])
	const shared = isLine && whole.length < longestShared ? whole.match(webLink) ?? [] : []
	return withoutEnd([...lines, ...shared].find(link => link && !host.test(link)) ?? "")
}

// withoutEnd removes the punctuation behind a link.
const withoutEnd = link => link.replace(/[.,;:!?)\]'»]+$/, "")

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
	"(?:\\S+ ){0,2}(?:ähnlich|simil[aeic]|semelhant|parecid|semblant|podobn|hasonl|lignend|liknand|vergelijkba|" +
	"gelijkaard|soortgelijk|samankalt|sličn|correlat|παρόμοι)",
	"(?:weitere|andere|mehr) (?:angebote|anzeigen|immobilien|inserate|objekte|wohnungen|nutzer)",
	"das könnte|auch interessant|passende|zuletzt (?:an)?gesehen|vous (?:aimerez|pourriez)|nos agences|mentions légales",
	"(?:anbieter-?)?impressum|rechtliche angaben|datenschutz|angaben gemäß|© ?|cookie|legal notice|imprint",
	"(?:annonces?|biens?) recommandé|(?:ces|d'autres|autres) (?:annonces|biens)",
	"(?:properties |homes )?you (?:may|might)|people also|recommended|recently",
	"(?:more|other|nearby) (?:properties|homes|listings|flats|rooms)(?! from)|properties nearby",
	"andre (?:boliger|leje)|seneste (?:boliger|lejemål)|om boligportalen|fler (?:bostäder|annonser)|boliger i nær",
	"zobacz także|ook interessant|se også|se även|meer woningen|anuncios que",
].join("|")})`, "iu")

// inOrder puts facts before sentences, which also tell of the parking space, the rooms and the neighbours.
const inOrder = values => [...values.filter(({isProse}) => !isProse), ...values.filter(({isProse}) => isProse)]

// isFact reports whether a line is a fact with its label: "Warmmiete 1.390 €", "60 m²".
const isFact = line => fact.test(line) && !home.test(line) && line.length < 40 &&
	(line.match(/\p{L}{3,}/gu) ?? []).filter(word => !/^[A-Z]{3}$/.test(word)).length < 2

// firstFact returns the index of the first line with an amount, or else the number of lines.
function firstFact(lines) {
	const at = lines.findIndex(line => fact.test(line))
	return at < 0 ? lines.length : at
}

// startOf returns where the listing begins: some lines above its first line, if these look like it more than like a
// menu, whose lines are words alone.
function startOf(lines, first) {
	let start = first
	const isPart = line => /\d/.test(line) || isLabel(line) || isPlace(line) ||
		home.test(line) && !aside.test(line)
	while (start > 0 && start > first - above && isPart(lines[start - 1])) start--
	return start
}

// endOf returns the number of lines before other offers and the imprint. A menu at the top may contain the same
// words, so only those below the first facts count.
function endOf(lines) {
	const start = firstFact(lines)
	const end = lines.findIndex((line, i) => i > start && line.length < 60 && afterwards.test(line))
	return end < 0 ? lines.length : end
}

const aside = anyOf("cookie|akzept|accept|einwillig|consent|traceur|datenschutz|privacy|partner|anmelden|registrieren",
	"\\bmerk(?:en|liste)\\b|inserieren|inserat aufgeben|anzeige aufgeben|startseite|kontakt|hilfe|favori|accueil",
	"déposer|se connecter|connexion|messages|aller au|recherche|retour|suivante|sign in|log in|register|saved|search",
	"suche|filter|zurück|back to|next|teilen|drucken|share|print|menü|menu|newsletter|log ind|opret|minimum|maximum",
	"skip to|zum inhalt|\\bsave\\b|^gem(?: bolig)?$|logga in|logg inn|spara|inloggen|bewaren|terug|accedi|pubblica",
	"torna |acceder|publica|volver|guardar|compartir|iniciar sess|voltar|dodaj|wróć|přihlásit|přidat|zpět|bejelentkez",
	"hirdetésfel|vissza|til innhold|ga naar|calcul",
	"beregn|precio de|street view|mapa?$|\\d ?(?:photos|foto'?s|bilder?|billeder|zdjęć)",
	"(?:photos|bilder|foto(?:'?s)?) \\(?\\d")
const many = anyOf("wohnungen|immobilien\\b|app?arte?ments|\\bflats|properties|houses|locations\\b|lejligheder|boliger")
const isTrail = line => !fact.test(line) && /(?:[›>»|/].*){2}/.test(line)

// worth scores how much a line looks like the title of a listing. isBelow tells that it is below the first fact, isMenu
// that it is part of a menu.
function worth(line, isBelow, isMenu) {
	const points = [
		[isMenu, -8],
		[home.test(line), 4],
		[isStreet(line) && !home.test(line), 2],
		[/^\S+(?: \S+)?:? [\d.,]+$/.test(line) && isLabel(line.replace(/[:\s\d.,]+$/, "")), -6],
		[/\p{Ll}{3}[.!?] \p{Lu}/u.test(line), -4],
		[line.length >= 20, 1],
		[/m²|(?:^| )(?:in|à|mit|avec|with|på) /.test(line), 1],
		[aside.test(line) && line.split(" ").length < 6, -6],
		[many.test(line), -4],
		[isTrail(line), -4],
		[line.split(/ [|·•] /).length > 2 && fact.test(line), -5], // facts in a row
		[/[.?!:]$/.test(line) && line.length > 60 || line.length > longestTitle, -3],
		[/,$/.test(line), -5], // a greeting
		[!line.includes(" "), -3],
		[/^\D{0,40}\b\d{5}\b/.test(line) || line.length < 10, -2],
		[/^[\d.,½ -]+\p{L}+\.?$/u.test(line), -6], // a fact alone
		[isBelow, -1],
	]
	return points.reduce((sum, [holds, by]) => sum + (holds ? by : 0), 0)
}

const shortest = 4 // lines of a menu

// menuOf reports for each line whether it is part of a menu: a run of short lines of words alone. The last one may be
// the heading after it, with labels of facts behind.
function menuOf(lines) {
	const isWords = line => line.length < 40 && line.split(" ").length < 6 && !/[\d,.:]/.test(line)
	const isMenu = lines.map(() => false)
	for (let first = 0, end; first < lines.length; first = end + 1) {
		for (end = first; end < lines.length && isWords(lines[end]);) end++
		let last = end - 1
		while (last > first && isLabel(lines[last])) last--
		if (end - first >= shortest) isMenu.fill(true, first, last)
	}
	return isMenu
}

// titleIn returns the line that looks most like a title, of those down to the first facts; of equal ones, the
// nearest to these.
function titleIn(lines) {
	const start = firstFact(lines)
	const isMenu = menuOf(lines.slice(0, start))
	const [best] = lines.slice(0, start + below)
		.map((line, i) => ({line, i, worth: worth(line, i > start, isMenu[i])}))
		.filter(({line}) => /\p{L}{3}/u.test(line) && !isFact(line) && !/^[^:]{2,30}: \S+(?: \S+)?$/.test(line))
		.sort((a, b) => b.worth - a.worth || Math.abs(a.i - start) - Math.abs(b.i - start))
	return best?.line
}

// shortened truncates a title that is a whole text to its first words.
const shortened = (title = "") =>
	(title.length > longestTitle ? title.slice(0, longestTitle).replace(/\s\S*$/, " …") : title)

// Area and rooms

// notAfter is the pattern of what is not the end of a range, such as "52 - 128 m²" of several homes.
const notAfter = number => `(?<!${number} ?[-–—] ?|${number} (?:bis|to|à|a|tot|do|till?) )`
const squareMetres = RegExp(`(?<![\\d.,])${notAfter("\\d\\d")}(${numeral}) ?(?:` +
	"m²|m2|m\\^2|qm|m[qp]\\b|τ\\.?μ|sqm|sq\\.? ?m\\b|kvm|[qk][uv]adratmeter|m(?:ètres)? carrés?|square met)", "giu")
const squareFeet = RegExp(`(?<![\\d.,])${notAfter("\\d\\d")}(${numeral}) ?(?:sq\\.? ?ft|sqft|ft²|square f)`, "giu")
const partArea = anyOf("balkon|terras|garten|grundst|keller|loggia|stellplatz|garage|nutzfl|dachboden|hof\\b",
	"wohnzimmer|schlafzimmer|küche|balcon|jardin|terrain|cave|séjour|salon|chambre|cuisine|terrace|garden|plot",
	"cellar|bedroom|kitchen|altan|have\\b|kælder|grund|køkken|€|eur\\b|pro\\b|per\\b|buitenruimte|perceel|terreno",
	"balcone|cantina|giardino|terraza|jardín|trastero|salón|varanda|balkong?\\b|tomt|uteplats|ogród|erkély|zahrad",
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

// besides matches the words between the area of a home and what else the home has.
const besides = / (?:mit|und|inkl|avec|et|plus|med|og|with|and|con|y|met|en|z|i|[+&])(?!\p{L})/iu

// amounts returns what a pattern finds in a value, with the words around it.
function amounts({text, label}, pattern) {
	const all = [...text.matchAll(pattern)]
	return all.map(({0: found, 1: amount, index}, i) => {
		const last = i > 0 ? all[i - 1].index + all[i - 1][0].length : 0
		const before = text.slice(Math.max(last, index - 30), index).split(/[,;(.]| - /).at(-1)
		const [after] = text.slice(index + found.length, index + found.length + 20).split(/[,;).]|\d/)[0].split(besides)
		return {amount: parseNumber(amount), about: `${label} ${before} ${after}`}
	})
}

const half = "\\d{1,2}(?:[.,][05])?(?: ?½| 1\\/2| \\+ 1 fél)?"
const roomsBehind = RegExp(`(?<![\\d.,€/])${notAfter("(?<!\\d)\\d")}(${half})[ -]?(?:` +
	"Zi\\b|Zi\\.|Zimmer|ZKB|Räume|Raum-|pièces?(?! d'eau)|" +
	"p\\.(?= |$)|vær|rooms?\\b|locali\\b|kamers?\\b|rum\\b|rom(?:s\\b|\\b)|pok(?:oje|ój|oi|ojow)|szob|huonetta|" +
	"sob(?:[ae]|ni)\\b|izb|δωμάτ|h ?(?=\\+))(?! frei)", "iu")
const roomName = "Zimmer(?:anzahl)?|Anzahl Zimmer|Zi\\.?|(?:Nombre de )?Pièces?|Rooms?|(?:Antal )?værelser|" +
	"(?:Aantal )?kamers|Locali|(?:Antal )?(?:rum|rom)|(?:Liczba )?pokoi|Szob(?:ák|aszám)|Huoneita|N(?:r\\.|" +
	"umăr)(?: de)? camere|(?:Broj )?soba|(?:Počet )?izieb"
const roomsBefore = RegExp(`(?:^|[^\\p{L}-])(?:${roomName})(?: \\([^)]*\\))? ?:? ?(${half})` +
	"(?![\\d.]|\\p{L}| ?(?:m²|m2|qm|sq|€|£))", "iu")
const roomLabel = RegExp(`^(?:${roomName})(?!\\p{L})`, "iu")
const type = /(?:^|[^\p{L}\d])[TF]([1-9])(?: ?bis)?(?![\p{L}\d])|(?<![\d.,+])([1-9])\+(?:kk|1)(?![\p{L}\d])/u
const studio = /(?:^|[^\p{L}])(?:studio|monolocale|kawalerka|garzon)(?![\p{L}'])/iu
const counted = {ein: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, une: 1, deux: 2, trois: 3, quatre: 4, cinq: 5,
	one: 1, two: 2, three: 3, four: 4, five: 5, en: 1, to: 2, tre: 3, fire: 4, bi: 2, tri: 3, quadri: 4}
const countedRooms = RegExp(`(?<!\\p{L})(${Object.keys(counted).join("|")})[ -]?(?:zimmer|pièces|rooms?|værelse|` +
	"roms?\\b|locale\\b)", "iu")

// oneOfSeveral matches the title of a room in a shared flat.
const oneOfSeveral = RegExp(`(?<!\\d[ -]?|(?:${Object.keys(counted).join("|")})[ -])(?<!\\p{L})` +
	"(?:room|zimmer|kamer|værelse|stanza|habitación|pokój|hybel) (?:\\p{L}+ ){0,2}(?:in|im?|en|w|a|till)(?!\\p{L})", "iu")

// roomsIn returns the number of rooms: as a fact of its own, else in the title, else anywhere. A Portuguese T2 has two
// bedrooms, and a French one two rooms.
function roomsIn(values, title = "", country) {
	const labelled = values.find(({text, label}) => roomLabel.test(label) && bareNumber.test(text.replace(/ \(.*/, "")))
	if (labelled) return roomNumber(labelled.text)
	if (oneOfSeveral.test(title)) return null
	const texts = values.map(({text}) => text)
	const short = texts.filter(text => text.length < 30)
	const facts = [...short.filter(text => roomsBefore.test(text)), title, ...short]
	const found = [...facts.map(text => roomsInDigits(text, country)), ...facts.map(roomsInLetters),
		...texts.flatMap(text => [roomsInDigits(text, country), roomsInLetters(text)])]
	return found.find(rooms => rooms > 0 && rooms < 30) ?? null
}

// roomsInDigits reads the number of rooms in one text.
function roomsInDigits(text, country) {
	const typed = country === "pt" ? null : type.exec(text)
	const [, digits, more] = roomsBehind.exec(text) ?? roomsBefore.exec(text) ?? typed ?? []
	return digits ?? more ? roomNumber(digits ?? more) : null
}

// roomsInLetters reads a number of rooms that is written as a word.
function roomsInLetters(text) {
	const [, word] = countedRooms.exec(text) ?? []
	if (word) return counted[word.toLowerCase()]
	return studio.test(text) ? 1 : null
}

// roomNumber reads "2,5", "3½" and "3 1/2".
const roomNumber = digits => parseFloat(digits.replace(",", ".")) + (/½|1\/2|fél/.test(digits) ? 0.5 : 0)

// Phone

const digits = "(?:\\+|00)?\\(?\\d(?:[ ./()–-]{0,3}\\d){6,13}"
const phones = [
	RegExp("(?<!\\p{L})(?:tel|telefon|phone|mobile?|handy|tél|téléphone|portable|tlf|call|llamar|ligar|zadzwoń|" +
		`volejte|ring|☎|📞|📱)[^\\d+(]{0,24}(${digits})(?![\\dXx*])`, "iu"),
	RegExp("(?<![\\d\\p{L}])((?:\\(?\\+\\d{2}|00\\d{2})[ ()]*\\d(?:[ ./()–-]{0,3}\\d){6,11})(?![\\dXx*])", "u"),
	/(?<![\d\p{L}.,-])(\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})(?![\dXx*])/u,
	/(?<![\d\p{L}.,-])(0[1-9](?:(?:[ .-]?\d{2}){4}|[ /.]\d{3}(?:[ .]\d{2}){2}| \d{3,4} \d{4}))(?![\dXx*])/u,
	/(?<![\d\p{L}.,-])(0\d{2,4}[ /-]{1,3}\d{2,8}(?:[ -]?\d{2,5}){0,3})(?![\dXx*])/u,
]
const notPhone = /fax|hotline|kundenservice|service client|iban|siret|\bref|\bid\b|hrb|ust|customer/i

// phoneIn returns the first phone number: one that is named so, else one that has the form of one.
function phoneIn(lines) {
	for (const [at, pattern] of phones.entries()) for (const [i, line] of lines.entries()) {
		const text = pattern.test(line) ? line : `${lines[i - 1]}: ${line}`
		const {0: match, 1: found = "", index} = pattern.exec(text) ?? []
		const before = text.slice(Math.max(0, index - 40), index).split(/[,;]/).at(-1)
		if (found.replace(/\D/g, "").length >= 8 && !notPhone.test(before) && !(at === 0 ? imprint : company).test(line))
			return phoneNumber(text.slice(index + match.length - found.length)).written.trim()
	}
	return null
}
