// Where a home is, in the text of its listing: the country, the postal code and the place, with the street.
//
// countryOf guesses the country, placeIn finds the rest. isStreet recognizes an address, home what is advertised, and
// imprint and company who does; aboutHome leaves out what is said of them.

import {anyOf, fact} from "./costs.js"

// home matches what a listing is about.
export const home = anyOf("wohnung|zimmer|\\bzi\\b|haus\\b|altbau|neubau|dachgeschoss|\\bwg\\b",
	"appartement|apartment|studio|maison|villa|loft|penthouse|duplex|\\b[tf]\\d\\b|pièces",
	"\\bflat|house|\\bbed|\\broom|lejlighed|værelse|lejebolig|lägenhet|\\bvilla|leilighet|roms\\b|hybel|bostad",
	"\\b(?:etta|tvåa|trea|fyra)\\b|woning|\\bhuis|kamer\\b|\\bpiso?\\b|app?artam|(?:mono|bi|tri|quadri)locale|\\bcasa\\b",
	"kerrostalo|asunto|yksiö|kaksio|garsonier|mieszkanie|poko[ij]|kawaler|\\bbytu?\\b|lakás|garzon|moradia|ático")

// What tells the country of a listing where its link does not: the sign of its currency, or else its language.
const signs = {"": /€|EUR|\bkr\b/gi, ch: /\b(?:CHF|SFr\.?)/g, uk: /£/g, us: /\$ ?\d/g, pl: /\d ?zł|PLN/g,
	cz: /\d ?Kč|CZK/g, ca: /CA\$|CAD|C\$/g, au: /AU\$|AUD|A\$/g,
	ro: /\d lei\b|\bRON\b/g, hu: /\d ?Ft|HUF/g, dk: /DKK/g, se: /SEK|kr\/mån/g, no: /NOK/g}
const languages = {
	de: /miete|wohnung|zimmer|kaufpreis|fläche/gi,
	fr: /\bloyer|pièces?\b|\blouer|appartement à|charges comprises|chambres?\b|surface/gi,
	dk: /lejlighed|værelse|husleje|månedlig|ejerudgift|kontantpris|\d\. sal\b|boligareal/gi,
	se: /lägenhet|\bhyran?\b|boarea|\d rum\b|våning/gi,
	no: /leilighet|soverom|månedsleie|husleie|etasje|prisantydning|bruksareal/gi,
	nl: /kamers?\b|\bte (?:huur|koop)\b|huurprijs|vraagprijs|per maand|waarborgsom|\bwonen\b|verdieping/gi,
	es: /alquiler|habitaci[oó]n|\bpiso\b|fianza|dormitorio|planta/gi,
	it: /affitto|\blocali\b|cauzione|spese condominio|piano\b|bagno/gi,
	pt: /arrenda|quartos|caução|andar\b|m² área|casa de banho/gi,
}
const eircode = /Eircode|\bBER [A-G]\d?\b|, [AC-FHKNPRTV-Y]\d[\dW] ?[A-Z\d]{4}$/m
const austria = /\b\d{4} (?:Wien|Graz|Linz|Salzburg|Innsbruck)\b/

// countryOf guesses the country from the link, or the signs and words of the text. Each has its own postal codes,
// before or after the place.
export function countryOf(link, text) {
	const [, domain] = /\.(\w+)$/.exec(URL.parse(link)?.hostname ?? "") ?? []
	if (domain in codesOf) return domain
	const country = mostFrequent(signs, text) || mostFrequent(languages, text)
	if (eircode.test(text)) return "ie"
	if (country === "us") return ["ca", "au"].find(other => codes[other].test(text)) ?? country
	return country === "de" && austria.test(text) ? "at" : country || domain
}

// mostFrequent returns the name of the pattern that matches most often, or "" if none does.
function mostFrequent(patterns, text) {
	const counts = Object.entries(patterns).map(([name, pattern]) => [name, text.match(pattern)?.length ?? 0])
	return counts.reduce((best, other) => (other[1] > best[1] ? other : best), ["", 0])[0]
}

const small = "(?:am|an|der|dem|den|im|in|bei|ob|vor|sur|sous|lès|les|le|la|de|du|des|del|della|delle|degli|di|" +
	"da|do|dos|das|los|las|el|en|e|on|upon)"
const word = "(?:St\\.|\\p{Lu}[\\p{L}']*(?:-[\\p{L}']+)*)"
const town = `${word}(?:(?: ${small}){0,2} ${word}){0,3}(?:,? \\d{1,2}(?:er?|ER?|ème)(?![\\p{L}\\d]))?` +
	`(?: \\d{1,2}(?= - \\p{Lu}))?(?: - ${word})?`
const codes = {
	five: RegExp(`(?<![\\p{L}\\d.,+])(?<code>\\d{5}),? (?<town>${town})`, "u"),
	behind: RegExp(`(?<town>${town}) \\(?(?<code>\\d{5})(?![\\p{L}\\d]|[.,]\\d| ?[€m])\\)?`, "u"),
	four: RegExp(`(?<![\\p{L}\\d.,+])(?<code>\\d{4}),?(?: -)? (?<town>${town})`, "u"),
	alone: RegExp(`(?<=^(?:[^.!?]*, )?)(?<code>[1-9]\\d{3})(?: [-–—])? (?<town>${town})$`, "u"),
	prefixed: RegExp(`(?<![\\p{L}\\d])(?:CH|A|B|D|DK|F|AT|(?=L))-?(?<code>(?:L-)?\\d{4,5})(?: -)? (?<town>${town})`, "u"),
	spaced: RegExp(`(?<![\\p{L}\\d.,+])(?<code>\\d{3} ?\\d{2}) (?<town>${town})`, "u"),
	dashed: RegExp(`(?<![\\p{L}\\d.,+-])(?<code>\\d{4}-\\d{3}|\\d{2}-\\d{3}) (?<town>${town})`, "u"),
	ie: /(?<![\p{L}\d])(?<code>[A-Z]\d[\dW] ?[A-Z\d]{4})(?![\p{L}\d])/u,
	nl: RegExp(`(?<![\\p{L}\\d.,+])(?<code>[1-9]\\d{3} ?[A-Z]{2})(?![\\p{L}\\d])(?: (?<town>${town}))?`, "u"),
	uk: RegExp(`(?<town>${town}(?:, ${town})*),? ` +
		"(?<code>[A-Z]{1,2}\\d[A-Z\\d]?(?: \\d[A-Z]{2})?)(?![\\p{L}\\d])", "u"),
	ca: /(?<town>\p{Lu}[\p{L}. -]{1,60}),? (?<code>[A-CEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d)(?![\p{L}\d])/u,
	au: /(?<town>\p{Lu}[\p{L}. ]{1,60},? (?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT)) (?<code>\d{4})(?!\d)/u,
	us: /(?<town>\p{Lu}[\p{L}. ]{1,60}, [A-Z]{2}) (?<code>\d{5})(?:-\d{4})?(?!\d)/u,
}
// These codes have a form that nothing else has.
const sure = [codes.prefixed, codes.ca, codes.au]
const codesOf = {us: [codes.us], uk: [codes.uk], fr: [codes.behind, codes.five, codes.alone], ch: [codes.four],
	dk: [codes.four], at: [codes.five, codes.four], be: [codes.four], no: [codes.four], se: [codes.spaced],
	cz: [codes.spaced], hu: [codes.four], pt: [codes.dashed], pl: [codes.dashed], nl: [codes.nl, codes.alone],
	es: [codes.five], ie: [codes.ie], it: [codes.five], de: [codes.five, codes.behind]}
// imprint and company match the lines of who advertises.
export const imprint = anyOf("HRB|SIRET|\\bRCS\\b|\\bCVR|\\bUSt|registered|siège|impressum")
export const company = anyOf(imprint.source, "GmbH|\\bAG\\b|\\bKG\\b|\\bLtd|\\bA\\/S\\b|\\bApS\\b",
	"agence|agency|makler|office|kontor")
// agency matches the name of a company that lets or sells homes, in a line of its own.
const agency = RegExp("^(?!(?:kein|ohne|sans|no) )[^\\d:;?!€]{0,40}(?:GmbH|\\bKG\\b|\\bs\\.?r\\.?[lo]\\b|\\bLtd|" +
	"makelaars|lettings|hausverwaltung|inmobiliaria|nieruchomości|studio immobiliare|régie|gérance|\\bagence\\b|" +
	"agenzia|vastgoed)[^\\d:;?!€]{0,20}$", "iu")
// advertiser begins what a page says of the advertiser, whose address is not that of the home.
const advertiser = RegExp("^(?:anbieter|inserent|(?:l')?agence|agenzia|agentur|oferent|makler|makelaar|mäklare|" +
	"vendeur|annonceur|anunciante|advertiser|inserzionista|prodavatelj|μεσιτικό|udlejer|hyresvärd|utleier|hirdető|" +
	"[ck]onta[ck]t|(?:selling|letting|listing|estate) agent|listed by|marketed by|about (?!this|the\\b|us\\b))", "i")
// How streets are called: Hauptstraße 5, rue de la Paix 5, 5 High Street
const streetEnd = "(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|vej|gade|allé|straat|laan|kade|" +
	"plein|gracht|gatan|vägen|gata|gate|gaten|vei|veien|utca|ulica|halde)"
const streetStart = "(?:rue|avenue|av\\.|boulevard|bd|place|quai|cours|chemin|allée|impasse|passage|route|calle|" +
	"avenida|paseo|plaza|carrer|via|viale|piazza|corso|rua|travessa|praça|ul\\.|ulica|aleja|al\\.)"
const englishEnd = "(?:street|road|lane|avenue|drive|close|yard|terrace|crescent|square|gardens|grove|park|place|" +
	"court|hill|row|mews|walk|green)"
const house = "\\d{1,4} ?[A-Za-z]?(?![\\p{L}\\d])(?:[-/](?:\\d{1,4}[a-z]?|[A-Z]{1,2}(?!\\p{L})))?"
// eitherCase lets each word of (?:a|b) begin with a capital letter, too.
const eitherCase = words => words.replace(/(?<=:|\|)\p{L}/gu, letter => `[${letter}${letter.toUpperCase()}]`)
const wayStart = `${eitherCase(streetStart)} (?:(?:d\\p{Ll}{0,4}|l[aeo]s?|el|aux?) |\\p{Ll}{1,4}')*[\\p{Lu}\\d]`
const wholeStreets = [
	RegExp(`${streetEnd} ${house}(?=[,.()]|$| \\d| [-–/])`, "iu"),
	RegExp(`^(?:\\d{1,4},? )?${wayStart}[\\p{L}\\d' .-]{2,40}(?:,? ${house})?(?:,|$)`, "u"),
	RegExp(`^(?:${house},? )?[\\p{L}' -]{2,40} (?=\\p{Lu})${eitherCase(englishEnd)}(?: #\\w+)?(?:,|$)`, "u"),
]
const wholeStreet = line => line.length < 100 && wholeStreets.some(pattern => pattern.test(line))
const wayOfFlat = RegExp("^(?:apartment|apt\\.?|flat|unit) [\\p{L}\\d]{1,4}, (?:[\\p{L}' -]{2,40}, )?" +
	`(?:${house},? )?[\\p{L}' -]{2,40} ${englishEnd}(?:,|$)`, "iu")
const wayBehind = RegExp(`(?<=\\p{L} )(?:\\d{1,4},? )?${wayStart}[^,]*(?:,[^,]*){0,3}$`, "u")

// isStreet reports whether a line begins with a street, as an address does.
export const isStreet = line => !company.test(line) && (wholeStreet(line) || line.length < 100 &&
	/^\p{Lu}[\p{L}'. -]{2,40},? \d{1,4} ?[A-Za-z]?(?:[-/](?:\d{1,4}|[A-Z]{1,2}))?(?: \d{1,2}\.)?(?:,|$)/u.test(line))

const isAddress = line => isStreet(line) && !home.test(line)

const street = anyOf(`${streetEnd}(?: \\d|$)`,
	`(?<!\\p{L})${streetStart} \\p{L}`,
	`\\b(?:${englishEnd}|pl|ave?|st|blvd|dr|rd|ln|ct)\\b`,
	"\\p{L},? \\d{1,4} ?[a-z]?(?:[-/]\\d{1,4}[a-z]?)?$")
const isWay = text => text && text.length < 60 && (street.test(text) || isStreet(text)) && !fact.test(text)
const noTown = RegExp("^(?:Euro?|EUR|CHF|Uhr|Aufrufe|Views|Januar|Februar|März|April|Mai|Juni|Juli|August|" +
	"September|Oktober|November|Dezember|Zimmer|Wohnung|Neubau|Altbau|Baujahr|Kaution|Miete|Kaltmiete|ID|Nr|Kč|Ft)" +
	"(?![\\p{L}-])", "u")
const placeLabel = RegExp("^(?:Add?ress?e?|Anschrift|Lage|Standort|Ort|Lo[ck]ali[sz]a[^ :]+|Ville|Quartier|Location|" +
	"Beliggenhed|Område|Dirección|Ubicación|Indirizzo|Morada|Cím|Lokacija|Τοποθεσία|Περιοχή) ?(?:: ?|$)", "i")

const sentence = /(?<=\p{Ll}{3})[.!?](?: |$)/u
const townBehind = RegExp(`(?<!\\p{L})(?:in|à|i|a|en|em|w|v|på) (${town}(?:, ${town})*)`, "u")

// The parts of an address are names, with house numbers, and words such as "utca" that are written small.
const name = `(?:${word}|${small}|\\d{1,4}\\p{L}?(?:[-/]\\d{1,4})?|-|[IVX]+\\.|` +
	"út|utca|tér|kerület|kommun|județul|ul\\.|gate|vei|plats)"
const part = `${name}(?: ${name}){0,6}`
const placeNames = RegExp(`^(?=\\p{Lu}|ul|\\d)${part}(?:(?:,| -) ${part}){1,4}$`, "u")
const features = /^[^ ,]+(?:, [^ ,]+){2,}$/ // single words in a row, such as "Lift, Keller, Balkon"
const codeLabel = RegExp("^(?:post ?code|plz|postleitzahl|code postal|postnummer|postinumero|código postal|psč|cap|" +
	"zip(?: code)?) ?:? ?([A-Z\\d][A-Z\\d -]{2,9})$", "i")
const codeIn = line => codeLabel.exec(line)?.[1]
const houseAtEnd = RegExp(`(?<!\\S)(\\p{Lu}[\\p{L}'.-]+(?: \\p{Lu}[\\p{L}'.-]+){0,2} ${house})$`, "u")
const houseBefore = RegExp(`(${home.source})?\\S* ?(\\p{Lu}[\\p{L}'.-]+(?: \\p{Lu}[\\p{L}'.-]+){0,3} ${house}) $`, "u")

// upToAdvertiser returns the lines above what the page says of the advertiser.
function upToAdvertiser(facts) {
	const start = facts.findIndex(line => fact.test(line))
	const end = facts.findIndex((line, i) => start >= 0 && i > start && line.length < 60 && advertiser.test(line))
	return end < 0 ? facts : facts.slice(0, end)
}

const heading = anyOf(
	"^(?:objekt)?beschreibung$|^description$|omschrijving$|^kenmerken$|^descripci[oó]n$|^descrizione$",
	"^descrição$|^opis$|^beskriv(?:else|ning)$|^caratteristiche|^características")

// aboutHome returns the lines that do not tell of the advertiser. A button that asks for a message may stand above the
// description of the home.
export function aboutHome(facts) {
	const lines = upToAdvertiser(facts)
	const rest = facts.slice(lines.length)
	const next = rest.findIndex(line => heading.test(line))
	return next < 0 ? lines : [...lines, ...aboutHome(rest.slice(next))]
}

const agencyLines = 3 // below the name of an agency

// withoutAgencies removes the lines below the name of an agency, which have its address. A name above the first fact
// may be that of the site.
function withoutAgencies(lines) {
	const start = lines.findIndex(line => fact.test(line))
	const isName = line => agency.test(line)
	return lines.filter((_, i) => start < 0 || !lines.slice(Math.max(start, i - agencyLines), i).some(isName))
}

// placeIn returns the postal code and the place, with the street if the listing has it, or else the place in its title.
export function placeIn(facts, country, title = "", trail = "") {
	const {code, place} = addressOf(facts, country, title, trail)
	return {code, place: place?.replace(homeBefore, "")}
}

// addressOf returns what placeIn does, with words about the home before the place.
function addressOf(facts, country, title, trail) {
	const lines = withoutAgencies(upToAdvertiser(facts))
	const own = ownStreet(lines, title)
	const all = lines.flatMap((line, i) => {
		const above = company.test(lines[i - 1]) ? "" : lines[i - 1]
		const isTown = above !== title && title.includes(above)
		return addressIn(line, above, country) ?? (isTown && addressIn(`${above} ${line}`, "", country) || [])
	}).filter(({way}) => !own || !way || isSameStreet(own, way))
	const same = all.filter(({code}) => code.startsWith(all[0].code))
	const [whole] = same.sort((a, b) => b.code.length - a.code.length || b.hasStreet - a.hasStreet)
	const street = own ?? streetIn(lines, title)
	// A line has the whole address, or all of it that the listing has.
	if (whole?.isWhole || whole?.town && (whole.hasStreet || !street)) return {code: whole.code, place: whole.place}
	// A line has the code and the town, and another one the street, perhaps with the town.
	if (whole?.town) return {code: whole.code, place: street.includes(whole.town) ? street : `${street}, ${whole.place}`}
	const place = placeWithoutCode(lines, title, street, trail)
	// A line has the code without a town, which is named elsewhere, perhaps with the code behind it.
	if (whole) return {code: whole.code, place: (place || whole.place).replace(`, ${whole.code}`, "")}
	// No line has an address with a code. The code may have a label, in the same line or in the line above.
	return {code: lines.map((line, i) => codeIn(line) ?? codeIn(`${line} ${lines[i + 1]}`)).find(Boolean), place}
}

const belowTitle = 6 // lines in which the address of a listing stands

// ownStreet returns the street with a house number that the title or a line below it has, or undefined. An address
// with another street is that of somebody else.
function ownStreet(lines, title) {
	const street = streetInTitle(title)
	const inTitle = /\d/.test(street) && wholeStreet(street) ? street : undefined
	const start = lines.indexOf(title)
	const near = start < 0 ? undefined : streetInLines(lines.slice(start, start + belowTitle))
	return near && (!inTitle || isSameStreet(near, inTitle)) ? near : inTitle
}

// streetIn returns a line that is an address, or else the address in the title.
const streetIn = (lines, title) => streetInLines(lines) ?? streetInTitle(title)

function streetInLines(lines) {
	const isFree = line => !sentence.test(line) && !fact.test(line) && !home.test(line)
	return lines.find((line, i) => wholeStreet(line) && isFree(line) &&
		![line, lines[i - 1]].some(line => company.test(line)))
}

function streetInTitle(title) {
	const name = title.slice(0, 300)
	const [found] = isAddress(name) || wayOfFlat.test(name) ? [name] : wayBehind.exec(name) ?? []
	return found?.split(sentence)[0]
}

// isSameStreet reports whether one of two addresses has the street of the other.
function isSameStreet(one, other) {
	const lettersOf = text => text.toLowerCase().replace(/stra(?:ß|ss)e|str\./g, "str").replace(/[^\p{L}]/gu, "")
	const nameOf = text => lettersOf(text.replace(/^[\d/-]+\p{L}?,? /u, "").split(/[,\d]/)[0])
	return lettersOf(one).includes(nameOf(other)) || lettersOf(other).includes(nameOf(one))
}

// placeWithoutCode returns the place of a listing that has no town next to a postal code. It is the first of these that
// there is:
//   1. What follows a label. If that is not a street, the listing's street stands before it.
//   2. The street, if its line or the title goes on with a town.
//   3. The names with which a sentence begins, if the first one is a street.
//   4. The street and the town. The town is the one in the title, or else a line of names near the title, or else what
//      the breadcrumb has in common with the title. The line above the town may have the street, too.
function placeWithoutCode(lines, title, street, trail) {
	const listed = lines.map((line, i) => labelled(line, lines[i + 1])).find(Boolean)
	if (listed) return isStreet(listed) || !street ? listed : `${street}, ${listed}`
	const isOwn = text => text && (!street || isSameStreet(street, text))
	const withTown = [street, streetInTitle(title)].find(text => isOwn(text) && /, \p{Lu}/u.test(text))
	if (withTown) return withTown
	const begun = lines.map(line => line.slice(0, 200).split(sentence)[0])
		.find(text => placeNames.test(text) && isStreet(text) && isOwn(text))
	if (begun) return begun
	const near = lines.indexOf(title) + 1
	const names = lines.slice(Math.max(0, near - 4), near + 4).find(line => placeNames.test(line) &&
		!home.test(line) && !fact.test(line) && !features.test(line))
	const town = townIn(title)
	const way = [street, lines[lines.indexOf(town) - 1]].find(isWay)
	return [way, town ?? names ?? townInTrail(trail, title)].filter(Boolean).join(", ")
}

// labelled returns a place behind its label, or in the line below.
function labelled(line, next = "") {
	if (line.length > 100 || !placeLabel.test(line)) return null
	return line.replace(placeLabel, "") || isPlace(next) && next
}

// townInTrail returns the parts of a breadcrumb that the title has too.
const townInTrail = (trail, title) => trail.split(/ [›>»|/] /).filter(part => title.includes(part)).reverse().join(", ")

// townIn returns the town in a title, with the street and house before it: "Wohnung Am Anger 5 in Erfurt".
function townIn(title) {
	const {1: found, index} = townBehind.exec(title.slice(0, 300)) ?? []
	if (!found || /lage$|^\p{Lu}+$/u.test(found) || street.test(found) || home.test(found)) return null
	const [, , way] = houseBefore.exec(title.slice(0, index)) ?? []
	return [way, found].filter(Boolean).join(", ")
}

// homeBefore matches what is advertised before its place: "2 Bed Flat, ", "Piso en venta en "
const homeBefore = RegExp("^(?:\\d [Bb]ed(?:room)? )?" +
	"(?:[Aa]pp?art[ae]?ment[oe]?|[Ff]lat|[Hh]uis|[Ww]oning|[Ww]ohnung|" +
	"[Pp]iso|[Ss]tudio)(?: \\p{Ll}+)*,? (?=\\p{Lu})", "u")
const kindOfHome = /^(?:(?:bed(?:room)?s?|flat|apartment|house|studio|room|double|single)(?: |$))+$/i

// addressIn reads {code, town, way, place, hasStreet} in a line. The street, way, may also stand in the line above, or
// behind the town, where place does not have it. isWhole tells that the line has all of it, without a town behind the
// code.
function addressIn(line, above = "", country) {
	if (company.test(line) || line.length > 300) return null
	const patterns = [...sure, ...codesOf[country] ?? [codes.five, codes.behind, codes.spaced]]
	const match = patterns.map(pattern => pattern.exec(line))
		.find(match => match && !noTown.test(match.groups.town ?? ""))
	if (!match) return null
	const {index, groups: {code, town: found}} = match
	const town = found?.split(", ").filter((part, i, {length}) => i === length - 1 || !kindOfHome.test(part)).join(", ")
	const lead = line.slice(0, index).replace(placeLabel, "").split(/[|•·:]/).at(-1)
	const before = lead.replace(/[\s,(–-]+$/, "").trim()
	const [behind = before] = isAddress(before) ? [] : wayBehind.exec(before) ?? []
	const way = [behind, before ? "" : above.replace(placeLabel, "").replace(/,$/, "")].find(isWay) ??
		houseAtEnd.exec(before)?.[1]
	if (!town && placeNames.test(before)) return {code, place: before, hasStreet: true, isWhole: true}
	// "41 Oxford Street" has the number of the house before the street, which is read as a part of the town.
	const isSplit = line.startsWith(town, index) && street.test(town.split(",")[0]) && /\d\p{L}? $/u.test(lead)
	const place = way?.includes(town) ? way : [way, town].filter(Boolean).join(isSplit ? " " : ", ")
	const after = line.slice(index + match[0].length).replace(/^[ ,)–-]+/, "")
	return {
		code,
		town,
		place,
		way: way ?? (wholeStreet(after) ? after : ""),
		hasStreet: Boolean(way) || isStreet(town ?? ""),
	}
}

// isPlace reports whether a line is an address.
export const isPlace = line => placeNames.test(line) || isStreet(line)
