// Words in many languages that tell apart homes, searches, messages from people and the frame of a mail.
//
// \x01 in a pattern is a byte of a currency next to a number: such patterns are for texts after maskSigns.

package listing

import "strings"

var (
	// sentenceEnds matches the end of a sentence, but not that of an abbreviation such as "St.".
	sentenceEnds = newPattern(`(?:\p{Ll}{3}|\d\d|[)”"»“])[.!?…](?:$|\s+\p{Lu})`)
	// beyond matches what a search asks for, up to the first digit: "max. 9" of "max. 900 €". Its group matches a word
	// for the lower end.
	beyond = newPattern(`(?i)(?:^|[\s(,;:„“"«|–-])(?:{{bound}}|({{from}})) ?:? ?\x01* ?\d`)
	// beyondUnit matches other bounds, and ranges of sizes.
	beyondUnit = newPattern(`(?i)` +
		`\d ?(?:m²|m2|qm) ?(?:[-–|]|{{until}}) ?\d[\d.,]* ?(?:m²|m2|qm)|` + // "60 m² - 80 m²"
		`\d ?{{orMore}}|` + // "3 or more"
		`\d ?(?:\+|(?:-|–|{{until}}) ?\d[\d.,]*) ?(?:m²|m2|qm|sq|{{countedRoom}})|` + // "60-80 m²", "3+ rooms"
		`\d ?{{boundAfter}}|(?:m²|m2|\x01) {{boundAfter}}`) // "900 € max"
	// forHome matches goods and services for homes of a size: furniture, insurance, a move.
	forHome = newPattern(`(?i)\p{L} {{forHome}} (?:\p{L}{1,6} )?\d[^\p{L}\d]{0,2}{{countedRoom}}`)
	// fromCost matches the word before the lowest of several costs, and the cost, so that the word can be removed.
	fromCost = newPattern(`(?i)(^|\s){{from}} +(\x01|\d[\d.,' ]*\d ?\x01)`)
	// sizeRange matches a line of the sizes of several homes in one building.
	sizeRange = newPattern(`^(?:(?:{{studio}}|\d+) ?(?:-|–|{{until}}) ?\d+(?:\+)?|\d\+) ?{{countedRoom}}(?:$|\P{L})`)
	// searchHead matches the name of a search before what it asks for.
	searchHead   = newPattern(`(?i)^(?:\p{L}+[ ’']){0,3}{{searchName}}(?: \d+)? ?: ?\P{N}`)
	averageWords = phrasesOf("average")
	extraWords   = phrasesOf("extraCost")
	lodgingWords = phrasesOf("lodging")
	// weekOffer matches a home for one week. It is for lines that have one of weekWords.
	weekOffer = newPattern(`(?i){{aWeek}} (?:{{one}}|1) {{week}}(?:\P{L}|$)`)
	weekWords = phrasesOf("week")
	// daysOffer matches a price of some days, or a home for one week of a year. It is for lines that have a digit.
	daysOffer = newPattern(`(?i)` +
		`\p{L}{4} {{weekNumber}} \d{1,2}(?:\D|$)|` + // "Bornholm week 32"
		`\d\.? ?[-–] ?(?:\p{L}{2,3}\.? )?\d{1,2}\.? {{dayMonth}}|` + // "3 - 10 Aug"
		`\d ?{{days}}[,:]? (?:(?:{{from}}|{{aWeek}}|à) |\x01+ ?\d)|` + // "3 days from £450", "3 days £450"
		`\x01 ?\d[\d.,]* ?(?:{{perMonthPaid}} |/ ?)?{{weekend}}|` + // "£450 per weekend"
		`{{weekend}},? \x01+ ?\d`) // "weekend, £450"
	// doneLine matches a line of a home that is not offered to the reader: it is sold or paid.
	doneLine = newPattern(`(?i)^(?:` +
		`(?:{{already}} )*{{gone}}(?: {{goneOn}}(?: |$)| ?[\x01:|!.–-]| \d|$)|` + // "Already sold", "Sold for £310,000"
		`{{let}} {{goneOn}} \x01|` + // "Let at £1,250"
		`{{paid}}$)`)
	// doneHeading matches a heading of homes that are sold or let, unless it matches notDone.
	doneHeading = newPattern(`(?i)(?:^|\P{L})(?:{{goneHomes}}|` +
		`{{letHomes}}(?: \p{L}+){0,2} {{let}})(?:\P{L}|$)`)
	notDone = newPattern(`(?i)(?:^|\P{L}){{notGone}}(?:\P{L}|$)`)
	// countedLine matches counters: the home is the reader's own, or on a waiting list, or only a share in a home is
	// offered. Such a line has a digit.
	countedLine = newPattern(`(?i)` +
		`\d {{views}}|` + // "210 views"
		`(?:^|\s){{viewed}}[: ]+\d[\d., ]* ?{{times}}(?:\P{L}|$)|` + // "Viewed 30 times"
		`{{place}} (?:{{numberSign}} )?\d+ {{placeOf}} \d|` + // "Place 3 of 40"
		`(?:^|\s){{share}} {{from}} (?:\x01+ ?)?\d`) // "Shares from £500"
	sleepsWords = phrasesOf("sleeps")
	weekRent    = phrasesOf("perWeekText")
	footerWords = phrasesOf("footer")
	buttonWords = phrasesOf("button")
	// actionWords are words of links that do something rather than show a listing.
	actionWords = phrasesOf("action")
	// companyLine matches a line with the name of a company, or with parts of addresses that mostly companies have. It is
	// for lines that have one of companyForms. A line that cantonLine matches, too, is an address.
	companyLine = newPattern(`(?i:GmbH|\bSARL\b|\bS\.A\.R\.L\b|\bLtd|\bLLC|\bA/S\b|s\.r\.[ol]|S\.p\.A|Sp\. z o|` +
		`\bSuite \d|\bP\.?O\.? Box)|` +
		`\bO[yY]\b|\bSpA\b|` + // not "spa"
		`\p{L},? (?:AG|B\.?V)\b|` + // not "1013 AG", which is a postal code
		`\p{L} (?:Srl|SRL|SAS|ApS|Kft|UAB|SIA|OÜ|Ltda|d\.o\.o|s\.r\.o)(?:\P{L}|$)|` + // not "sas"
		`\p{Ll} A[BS](?:,|$| ·)|` + // "Portal AB", but not "WOHNUNG AB SOFORT"
		`\p{Lu}\p{L}+,? Inc(?:$|\.$|\.?,|\.? [^\p{L}])`) // "Homes Inc.", but not "PCM Inc Bills"
	companyForms = phrasesOf("companyForm")
	cantonLine   = newPattern(`\b\d{4} \p{Lu}[\p{L}. -]* AG(?:\P{L}|$)`)
)

// nameOfHome are words of a home or of rent. homeOrRent also has words of sizes that only homes have.
var (
	nameOfHome = phrasesOf("homeName")
	homeOrRent = phrasesOf("homeName", "homeSize")
)

// services are words in the titles of offers to people who have a home.
var services = phrasesOf("service")

// orders are words of mails about what was bought, booked or billed.
var orders = phrasesOf("order")

// otherSubjects are words in the subjects of other mails about homes: a search was saved, a home is gone, and mails by
// movers, banks, employers and analysts.
var otherSubjects = phrasesOf("otherSubject")

// newsWords are words in the subjects of mails about one listing: something is new, or was looked for.
var newsWords = phrasesOf("news")

// ownHome matches words about the home that the reader has.
var ownHome = newPattern(`(?i)(?:^|\P{L}){{your}} {{ownHome}}(?:\P{L}|$)`)

// searchWords are words for searches.
var searchWords = phrasesOf("searched")

// commercialWords are words for rooms that nobody lives in.
var commercialWords = phrasesOf("commercial")

// goods are words of shops, employers, bills and the like.
var goods = phrasesOf("goods")

// viewWords are words of buttons that show a listing.
var viewWords = phrasesOf("view")

// firstPerson matches words that people write about themselves.
var firstPerson = newPattern(`(?:^|[\s,.!?]){{firstPerson}} `)

// letterWords are words of somebody who has met or will meet the reader.
var letterWords = phrasesOf("letter")

// replySubject matches the subject of a reply.
var replySubject = newPattern(`(?i)^{{reply}}\s*(?:\[\d+\])?[:：]`)

var (
	otherHosts = anyOf("facebook.|twitter.|instagram.|linkedin.|pinterest.|whatsapp|//x.com|youtube.|tiktok|_t.me",
		"maps.google|google.com/maps|goo.gl/maps|apple.com|play.google|openstreetmap")
	searchPaths = phrasesOf("searchPath")
	otherPaths  = phrasesOf("otherPath")
)

// leadsElsewhere reports whether a link manages a search, shares something or unsubscribes. The path of a search may
// also be in the link of a listing, which has a number.
func leadsElsewhere(link string) bool {
	lower := strings.ToLower(link)
	return otherHosts.in(lower) || otherPaths.in(lower) || searchPaths.in(lower) && !anyNumber().MatchString(lower)
}

// roomLayout matches rooms and kitchens as in Turkey and in Czechia: "3+1", "2+kk".
var roomLayout = newPattern(`(?:^|[^\p{L}\d+])[1-9]\+(?:kk|[01])(?:$|[^\p{L}\d+])`)

var (
	// inQuotes matches what a line has in quotes, and tenantWord a person whom somebody with a home looks for.
	inQuotes = newPattern(`["“”„«»'‘’‚『「]` +
		`[^"“”„«»'‘’‚『「』」]{2,80}["“”«»'‘’』」]`)
	tenantWord = newPattern(`(?i){{tenant}}`)
)

const mostQuotes = 4 // texts in quotes that are looked at in a line
