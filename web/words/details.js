// Short facts in the text of a listing, for its details: the floor, the deposit, from when it is free, its energy
// class, and the number of its bedrooms. detailsIn finds them.

import {anyOf, numeral, sign} from "./costs.js"

const longest = 40 // letters of a fact
const maxPieces = 2_000 // pieces of a text that are read
const date = "\\d{1,2}[./-] ?\\d{1,2}[./-] ?\\d{2,4}|\\d{4}-\\d\\d-\\d\\d|" +
	"(?:\\d{1,2}(?:\\.|er|st|nd|rd|th)? (?:de )?)?\\p{L}{3,10},? (?:de )?20\\d\\d|" +
	"\\d{1,2}(?:\\.|er|st|nd|rd|th|º)? (?:de )?(?:jan|ene|gen|f[eéè]v|feb|mar|mär|a[pvb]r|ma[giyj]|ju[inl]|giu|lug|" +
	"aug|aoû|ago|se[pt]|o[kct]t|out|nov|d[eéi][zc])\\p{L}{0,7}(?!\\p{L})"
const now = "(?:ab |per |de )?(?:sofort|now|immediately|immédiate(?:ment)?|suite|direct(?: beschikbaar)?|nu|strax|" +
	"snarest|straks|inmediata|subito|od zaraz|(?:od )?ihned|azonnal)(?!\\p{L})|" +
	"nach (?:Vereinbarung|Absprache)|à convenir"

// What each fact is called, and what it looks like.
const facts = {
	floor: [
		anyOf("etage|stockwerk(?:\\(e\\))?|stock|geschoss|étage(?: de votre bien)?|floor|våning|etasje|piano|planta",
			"piętro|poziom|podlaží|emelet|verdieping|andar|woonlaag"),
		anyOf("\\d{1,2}.{0,30}|(?:erd|hoch|dach|unter)geschoss|(?:hoch)?parterre|\\b(?:EG|DG|UG)\\b|ground",
			"rez.{0,20}|stuen|bajo|terra|parter|přízemí"),
	],
	deposit: [
		anyOf("(?:miet)?kaution(?: o\\.? ?(?:ä\\.|genossenschaftsanteile)| \\/ genoss\\.-anteile)?|mietzinsdepot",
			"(?:montant du )?dépôt de garantie(?: de)?|garantie (?:locative|de loyer)|(?:security )?deposit(?: of)?",
			"depositum|deposition|waarborgsom|borg|fianza(?: de)?|cauzione|caução|kaucja|(?:vratná )?kauce|kaució"),
		anyOf(`(?:${sign}) ?(?:${numeral})|(?:${numeral})(?:[.,][–-]{1,2})? ?(?:${sign})(?!\\p{L})`,
			"(?:\\d{1,2}|une?|dos|tres|deux|trois|one|two|three) (?:mes|mois|month)\\p{L}*",
			"\\d{1,2} \\p{L}{3,}|\\d{1,3}(?:[.,' ]\\d{3})+|\\d{3,9}"),
	],
	available_from: [
		anyOf("(?:bezugs)?frei ab|bezug|verfügbar(?:keit)?(?: ab)?|disponib(?:le|ilité)(?: (?:le|à partir du|dès le))?",
			"(?:let )?available(?: from| date)*|ledig fra|overtagelsesdato|inflytt(?:ning)?|beschikbaar(?: vanaf)?",
			"aanvaarding|disponible desde(?: el)?|disponível a partir de|libero dal|dostępne od|dostupné od",
			"datum nastěhování|leieperiode|költözhető"),
		anyOf(date, now),
	],
	energy: [
		anyOf("energie(?:effizienz)?klasse|classe (?:énergi[ea]|énergétique|energetica)|dpe|epc(?: rating)?",
			"energy rating|ber|energielabel|energimærke|energiklass|energimerking|efficienza energetica",
			"(?:certificado energético:? )?consumo(?: energía)?|certificado energético|energetická náročnost",
			"penb|energiatanúsítvány|klasa energetyczna"),
		/(?:(?:klasse|classe|třída|class) )?[A-H]{1,2}\+{0,3}\d?(?![\p{L}\d])/iu,
	],
}
const bedroomNames = "schlafzimmer|(?:nombre de )?chambres?|bedrooms?|beds?|(?:aantal )?slaapkamers?|soverom|sovrum|" +
	"dormitorios?|habitaci(?:ones|ons)|habs?\\b\\.?|camere da letto|quartos|sypialnie?|υπνοδωμάτια|υ/δ"
const ordinal = "(?:\\d{1,2}(?:\\.|er|e|ème|st|nd|rd|th|º|ª)?|ground|first|second|third|fourth|fifth|top|" +
	"primera|segunda|tercera|cuarta|quinta)"
const floorBehind = RegExp(`(?<![\\p{L}\\d.,])(?:planta \\d{1,2}[ºª]?|${ordinal} ?` +
	"(?:stock|og\\b|obergeschoss|étage|floor|sal\\b|etasje|andar|emelet|planta))(?![\\p{L}\\d])", "iu")
const bedroomsBehind = RegExp(`(?<![\\p{L}\\d.,])(\\d{1,2})[ -](?:${bedroomNames})(?!\\p{L})`, "iu")
const portugueseType = /(?<![\p{L}\d])T([1-9])(?![\p{L}\d])/u
const bedroomsBefore = RegExp(`^(?:${bedroomNames}) ?:? ?(\\d{1,2})$`, "iu")

// detailsIn returns the facts in the lines of a listing by name, as texts of at most 40 letters, and the number of
// bedrooms, which a Portuguese T2 has two of. It returns null if there are none.
export function detailsIn(lines, country) {
	const pieces = lines.flatMap(line => line.split(/\t|\s[|·•]\s|(?<=[^\d\s]{2})\. |; /)).map(piece => piece.trim())
		.filter(Boolean).slice(0, maxPieces)
	const short = pieces.filter(piece => piece.length < 80)
	const found = Object.fromEntries(Object.entries(facts).map(([name, [names, form]]) => [name, firstOf(pieces,
		RegExp(`^(?:${names.source})(?![\\p{L}-]) ?(?:ca\\.|\\([^)]*\\))? ?:? ?(.*)$`, "iu"),
		RegExp(`^(?:${form.source})`, "iu"))]))
	for (const name of ["deposit", "available_from"]) found[name] ??= inSentence(pieces, facts[name])
	found.floor ??= short.map(piece => floorBehind.exec(piece)?.[0]).find(Boolean)
	const labelled = pieces.map((piece, i) => bedroomsBefore.exec(piece) ??
		bedroomsBefore.exec(`${piece} ${pieces[i + 1]}`)).find(Boolean)
	const behind = country === "pt" ? portugueseType : bedroomsBehind
	const [, bedrooms] = labelled ?? short.map(piece => behind.exec(piece)).find(Boolean) ?? []
	const all = Object.entries({...found, bedrooms: Number(bedrooms)}).filter(([, value]) => value)
	return all.length > 0 ? Object.fromEntries(all) : null
}

// firstOf returns the first value of a form that stands behind its name, or in the piece after it.
function firstOf(pieces, name, form) {
	for (const [i, piece] of pieces.entries()) {
		const [, rest] = piece.length < 100 && name.exec(piece) || []
		const [value] = rest === undefined ? [] : form.exec(rest || pieces[i + 1] || "") ?? []
		if (value && value.length <= longest) return value.trim()
	}
	return undefined
}

// inSentence returns the first value of a form that stands behind its name anywhere in a piece.
function inSentence(pieces, [names, form]) {
	const pattern = RegExp(`(?<![\\p{L}-])(?:${names.source}):? (${form.source})`, "iu")
	return pieces.map(piece => pattern.exec(piece.slice(0, 500))?.[1]).find(value => value?.length <= longest)
}
