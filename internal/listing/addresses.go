// Addresses: the postal code, the town and the street in one line of a text.

package listing

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// The names in an address, and what stands before and after them.
const (
	nameWord = `(?:St\.|(?:[dl]'|dell')?\p{Lu}[\p{L}']*(?:-[\p{L}']+)*)`
	// townName matches up to four names, perhaps with a district: "Paris 18e", "Wien 2 - Prater", "Köln - Deutz".
	townName = nameWord + `(?:(?: {{withinName}}){0,2} ` + nameWord + `){0,3}(?:,? \d{1,2}(?:er?|ER?|ème))?` +
		`(?: \d{1,2} - ` + nameWord + `| - ` + nameWord + `)?`
	beforeCode = `(?:^|[^\p{L}\d.,+])` // the code is not within a word or a number
	afterCode  = `(?:[^\p{L}\d]|$)`
)

// codeForms are the forms of addresses with a postal code: "75011 Paris" (five), "Paris 75011" (after), "8004 Zürich"
// (four, and alone as a whole line), "CH-8004 Zürich" (prefixed), "111 22 Stockholm" (spaced), "00-950 Warszawa"
// (dashed), and those of single countries. Group 1 is the address without the characters around it. The letters of some
// countries are no prefixes of four digits, because references look like that: "N-1234", "SI-2045".
var codeForms = struct {
	five, after, four, alone, prefixed, spaced, dashed, ie, nl, uk, ca, au, us pattern
}{
	five:  newPattern(beforeCode + `((?P<code>\d{5}),? (?P<town>` + townName + `))`),
	after: newPattern(`((?P<town>` + townName + `) \(?(?P<code>\d{5}))(?:[^\p{L}\d]|$)`),
	four:  newPattern(beforeCode + `((?P<code>\d{4}),?(?: -)? (?P<town>` + townName + `))`),
	alone: newPattern(`^(?:[^.!?]*, )?((?P<code>[1-9]\d{3})(?: [-–—])? (?P<town>` + townName + `))$`),
	prefixed: newPattern(`(?:^|[^\p{L}\d])((?:(?:CH|A|B|D|DK|F|AT)-?(?P<code>\d{4,5})|(?P<code>L-\d{4,5})|` +
		`(?:BE|FL|HU|LU|NO)-(?P<code>\d{4})|CH (?P<code>\d{4})|` +
		`(?:DE|ES?|FIN?|FR|HR|IT?)-(?P<code>\d{5})|(?:CZ|SE?|SK)-(?P<code>\d{3} ?\d{2})|` +
		`PT?-(?P<code>\d{4}-\d{3})|PL-(?P<code>\d{2}-\d{3})|NL-(?P<code>[1-9]\d{3} ?[A-Z]{2}))` +
		`(?: -)? (?P<town>` + townName + `))`),
	spaced: newPattern(beforeCode + `((?P<code>\d{3} ?\d{2}) (?P<town>` + townName + `))`),
	dashed: newPattern(`(?:^|[^\p{L}\d.,+-])((?P<code>\d{4}-\d{3}|\d{2}-\d{3}) (?P<town>` + townName + `))`),
	ie:     newPattern(`(?:^|[^\p{L}\d])((?P<code>[A-Z]\d[\dW] ?[A-Z\d]{4}))` + afterCode),
	nl: newPattern(beforeCode + `((?P<code>[1-9]\d{3} ?[A-Z]{2})(?: (?P<town>` + townName + `)|` +
		`[^\p{L}\d]|$))`),
	uk: newPattern(`((?P<town>` + townName + `(?:, ` + townName + `)*),? ` +
		`(?P<code>[A-Z]{1,2}\d[A-Z\d]?(?: \d[A-Z]{2})?))` + afterCode),
	ca: newPattern(`((?P<town>\p{Lu}[\p{L}. -]{1,60}),? (?P<code>[A-CEGHJ-NPR-TVXY]\d[A-Z] ?\d[A-Z]\d))` + afterCode),
	au: newPattern(`((?P<town>\p{Lu}[\p{L}. ]{1,60},? (?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT)) (?P<code>\d{4}))(?:\D|$)`),
	us: newPattern(`((?P<town>\p{Lu}[\p{L}. ]{1,60}, [A-Z]{2}) (?P<code>\d{5})(?:-\d{4})?)(?:\D|$)`),
}

var (
	// sureForms are read in any country, because nothing else looks like them. anyForms are read if the country is not
	// known, or has no forms in codesOf, which maps a country to its forms.
	sureForms = []pattern{codeForms.prefixed, codeForms.ca, codeForms.au}
	anyForms  = []pattern{codeForms.five, codeForms.after, codeForms.spaced}
	codesOf   = map[string][]pattern{
		"us": {codeForms.us}, "uk": {codeForms.uk}, "fr": {codeForms.after, codeForms.five, codeForms.alone},
		"ch": {codeForms.four}, "dk": {codeForms.four}, "at": {codeForms.five, codeForms.four}, "be": {codeForms.four},
		"no": {codeForms.four}, "se": {codeForms.spaced}, "cz": {codeForms.spaced}, "hu": {codeForms.four},
		"pt": {codeForms.dashed}, "pl": {codeForms.dashed}, "nl": {codeForms.nl, codeForms.alone},
		"es": {codeForms.five}, "ie": {codeForms.ie}, "it": {codeForms.five},
		"de": {codeForms.five, codeForms.after},
	}
	// notCodeAfter matches what follows a number that is an amount or a size, as in "Area 12345 m".
	notCodeAfter = newPattern(`^(?:[.,]\d| ?m)`)
	// noTown matches words that look like a town after a number: "2026 Mai".
	noTown = newPattern(`^(?:Uhr|Aufrufe|Views|Januar|Februar|März|April|Mai|Juni|Juli|` +
		`August|September|Oktober|November|Dezember|Zimmer|Wohnung|Neubau|Altbau|Baujahr|Kaution|Miete|Kaltmiete|ID|` +
		`Nr)(?:[^\p{L}-]|$)`)
)

// A codeMatch is an address with a postal code in a line.
type codeMatch struct {
	start, end int // of the code with its town
	code, town string
}

// matchCode returns the first match of a form whose code is no amount, no size, and not the value of a label. ok is
// false if there is none, or if its town is a word such as a month: "2026 Mai". It looks for no further match then,
// because the numbers after such a word are rarely codes either: "Baujahr 1985 Neubau, 2019 Renoviert".
func matchCode(form pattern, text string) (m codeMatch, ok bool) {
	expression := form()
	for start := 0; start < len(text); {
		at := expression.FindStringSubmatchIndex(text[start:])
		if at == nil {
			return m, false
		}
		m = codeMatch{start: start + at[2], end: start + at[3]}
		codeStart, codeEnd := 0, 0
		for i, name := range expression.SubexpNames() {
			if at[2*i] < 0 { // the group has not matched
				continue
			}
			groupStart, groupEnd := start+at[2*i], start+at[2*i+1]
			switch name {
			case "code":
				codeStart, codeEnd = groupStart, groupEnd
				m.code = text[groupStart:groupEnd]
			case "town":
				m.town = text[groupStart:groupEnd]
			}
		}
		isNumber := m.code[0] != '0' && isDigit(m.code[0]) && isDigit(lastByte(m.code)) // no amount begins with 0
		isAmount := isNumber && isNextToSign(text, codeStart, codeEnd)
		// Of the forms that end in a code, only this one has codes that may be sizes: "Area 12345 m". The others have a
		// state before the code, or letters in it.
		mayBeSize := expression == codeForms.after()
		isSize := mayBeSize && notCodeAfter().MatchString(text[m.end:])
		if !isAmount && !isSize && !m.isValue(text, codeStart) && !m.isYear(text[:codeStart]) {
			return m, !noTown().MatchString(m.town)
		}
		start = codeEnd
	}
	return m, false
}

// isYear reports whether the code of a match is the year of a date, by the text before it: "per 1. April 2027, Bern".
func (m codeMatch) isYear(before string) bool {
	word := strings.ToLower(lastWord(strings.TrimRight(before, ". ")))
	return yearForm().MatchString(m.code) && (months()[word] || monthNumber().MatchString(before))
}

var (
	yearForm    = newPattern(`^20[2-4]\d$`) // homes are free now or soon, and "4 Septembre 1950 Sion" has a code
	monthNumber = newPattern(`(?:^|\D)(?:0?[1-9]|1[0-2])/$`)
)

// isValue reports whether the code of a match, at start in text, is the value of one label, and its town the next
// label: "3600 Area" in "Deposit: 3600 Area: 72 m²".
func (m codeMatch) isValue(text string, start int) bool {
	return strings.HasPrefix(text[m.end:], ":") &&
		(strings.HasSuffix(strings.TrimRight(text[:start], " "), ":") || isLabel(m.town))
}

// flatNumber matches the number of a flat: "Flat 4".
const flatNumber = `(?:apartment|apt\.?|flat|unit) [\p{L}\d]{1,4}`

const houseNumber = `\d{1,4}(?: (?:bis|ter|quater)| ?[A-Za-z])?(?:[-/](?:\d{1,4}[a-z]?|[A-Z]{1,2}))?`

// How streets are called: Hauptstraße 5 (streetEnd), rue de la Paix 5 (streetStart), 5 High Street (streetWord).
var (
	wayWords = `(?:{{streetStart}}|{{StreetStart}}) (?:(?:d\p{Ll}{0,4}|l[aeo]s?|el|aux?) |\p{Ll}{1,4}')*`
	wayStart = wayWords + `[\p{Lu}\d]`
	streets  = []pattern{
		newPattern(`(?i){{streetEnd}} ` + houseNumber + `(?:[,.()]|$| \d| [-–/])`),
		newPattern(`^(?:` + houseNumber + `,? )?` + wayStart + `[\p{L}\d' .-]{2,40}` +
			`(?:,? ` + houseNumber + `)?(?:,|$)`),
		newPattern(`^(?:` + houseNumber + `,? )?[\p{L}' -]{2,40} {{StreetWord}}(?: #\w+)?(?:,|$)`),
	}
	// wayOfFlat matches a flat and its street: "Flat 4, 12 High Street".
	wayOfFlat = newPattern(`(?i)^` + flatNumber + `, (?:[\p{L}' -]{2,40}, )?` +
		`(?:` + houseNumber + `,? )?[\p{L}' -]{2,40} {{streetWord}}(?:,|$)`)
	// wayAfter matches a street at the end, after other words: "Studio rue Lepic 12, Paris".
	wayAfter = newPattern(`\p{L} ((?:` + houseNumber + `,? )?` + wayStart + `[^,]*(?:,[^,]*){0,3})$`)
	// plainStreet matches a name with the number of a house: "Am Anger 5".
	plainStreet = newPattern(`^\p{Lu}[\p{L}'. -]{2,40},? \d{1,4} ?[A-Za-z]?(?:[-/](?:\d{1,4}|[A-Z]{1,2}))?` +
		`(?: \d{1,2}\.)?(?:,|$)`)
	// wayNames match texts that may be streets if they stand next to a town.
	wayNames = []pattern{
		newPattern(`(?i){{streetEnd}}(?: \d|$)`),
		newPattern(`(?i)(?:^|\P{L}){{streetStart}} \p{L}`),
		newPattern(`(?i)\b(?:{{streetWord}}|pl|ave?|st|blvd|dr|rd|ln|ct)\b`),
		newPattern(`(?i)\p{L},? \d{1,4} ?[a-z]?(?:[-/]\d{1,4}[a-z]?)?$`),
	}
)

// Texts of so many letters are sentences, not streets. Their bytes are compared first, two for a letter, because that
// needs no count.
const (
	tooLongStreet     = 100
	tooLongNextToTown = 60 // for a text that is a street only if it stands next to a town
)

// hasStreetName reports whether a text names a street, by a word such as "Street" in its name.
func hasStreetName(text string) bool {
	if len(text) > 2*tooLongStreet || runeCount(text) >= tooLongStreet || bedroomsFirst().MatchString(text) {
		return false // "3 bd 2 ba" is no boulevard
	}
	for _, form := range streets {
		if form().MatchString(text) {
			return true
		}
	}
	return false
}

// namesCompany reports whether a text has the name of a company. The letters of "1013 AG Amsterdam" are part of a
// postal code, and "AG" of "5000 Aarau AG" is a canton.
func namesCompany(text string) bool {
	lower := strings.ToLower(text)
	return companyWords.in(lower) && companyWords.in(codeLetters().ReplaceAllString(lower, "$1"))
}

var codeLetters = newPattern(`(\d{4} ?(?:\p{L}[\p{L}. -]* )?)(?:ag|kg)(?:\P{L}|$)`)

// isStreet reports whether a text names a street, or is a name with the number of a house. It reports false for a text
// with the name of a company.
func isStreet(text string) bool {
	if len(text) > 2*tooLongStreet || namesCompany(text) {
		return false
	}
	return hasStreetName(text) || runeCount(text) < tooLongStreet && plainStreet().MatchString(text)
}

// isAddress reports whether a text is a street, as isStreet tells, and does not advertise a home.
func isAddress(text string) bool { return isStreet(text) && !advertises(text) }

// mayBeStreet reports whether a text is a street, or may be one if it stands next to a town.
func mayBeStreet(text string) bool {
	if text == "" || len(text) > 2*tooLongNextToTown || runeCount(text) >= tooLongNextToTown ||
		newLine(nil, text).isFact {
		return false
	}
	return hasWayName(text) || isStreet(text)
}

// The parts of an address are names, with house numbers, and words in lower case such as "utca".
const (
	rowName = `(?:` + nameWord + `|{{withinName}}|\d{1,4}\p{L}?(?:[-/]\d{1,4})?|-|[IVX]+\.|` +
		`{{placeWord}})`
	rowPart = rowName + `(?: ` + rowName + `){0,6}`
)

var rowOfNames = rowForm{newPattern(`^` + rowPart + `(?:(?:,| -) ` + rowPart + `){1,4}$`)}

// A rowForm matches names in a row. It tries only texts that begin like an address.
type rowForm struct{ names pattern }

var rowStart = newPattern(`^(?:[dl]'|dell')?(?:\p{Lu}|ul|\d)`)

// tooLongRow is the number of bytes from which a text is more than the parts of an address: a sentence.
const tooLongRow = 300

func (p rowForm) MatchString(text string) bool {
	return len(text) < tooLongRow && rowStart().MatchString(text) && p.names().MatchString(text)
}

// A foundAddress is an address with a postal code in a line.
type foundAddress struct {
	code, town string
	way        string // the street, which may also stand in the line above, or after the town
	location   string // the town, with the street unless that stands after it
	hasStreet  bool   // the location has a street
	isWhole    bool   // no town follows the code, so the location is all that stands before it
}

// homeKind matches a kind of home or of a room.
const homeKind = `(?:bed(?:room)?s?|bath(?:room)?s?|flats?|apartments?|houses?|studios?|rooms?|double|single)`

var (
	// wayStartAtEnd matches the beginning of the name of a street at the end of a text: "rue de ".
	wayStartAtEnd = newPattern(`(?i)(?:^|\P{L}){{streetStart}} (?:{{withinName}} )*$`)
	kindOfHome    = newPattern(`(?i)^(?:` + homeKind + `(?: |$))+$`)
	// countedHome matches words after a number that is not the number of a house, as in "3 Flats, Leeds".
	countedHome = newPattern(`(?i)^(?:` + homeKind + `|propert(?:y|ies)|parkings?)(?: |$)`)
	houseLetter = newPattern(`^\p{Lu} `)
	// onlyNumbers matches the number of a house alone, or after the number of a flat: "1/2, 45". numberAfter matches it
	// at the end, after a mark that ends something else: "New! 5".
	onlyNumbers = newPattern(`^((?:` + houseNumber + `, ?)?` + houseNumber + `)$`)
	numberAfter = newPattern(`(?:[\p{L})][,;.!]|[^\d] [-–|]) (` + houseNumber + `)$`)
	// houseAtEnd matches a name and the number of a house at the end: "in der Hauptstraße 5".
	houseAtEnd = newPattern(`(?:^|\s)(\p{Lu}[\p{L}'.-]+(?: \p{Lu}[\p{L}'.-]+){0,2} ` + houseNumber + `)$`)
	// lettersBeforeCode matches the letters of a country at the end of a text before a code, as in ", D - 10115 Berlin".
	// After the number of a house, a letter belongs to that.
	lettersBeforeCode = newPattern(`(?:^|[,(] ?)(?:[ABDEFHILNPS]|AT|BE|CH|CZ|DE|DK|ES|FIN?|FL|FR|HR|HU|IT|LI|LU|NL|` +
		`NO|PL|PT|SE|SI|SK|SLO)(?: ?[-–] ?| )$`)
	// splitStreet matches the number of a house at the end, before what is read as the town.
	splitStreet   = newPattern(`(?:\d\p{L}?|^` + houseNumber + `,) $`)
	locationLabel = newPattern(`(?i)^(?:plz ?[/,&] ?ort|{{placeLabel}}|{{placeStart}}[^ :]+) ?(?:[:：] ?|$)`)
)

// addressIn returns the address with a postal code in a line of a text. above is the line above, or "". country is a
// top-level domain that tells which forms of codes to read (codesOf), or "".
func addressIn(text, above, country string) (found foundAddress, ok bool) {
	const longest = 300 // letters of a line in which an address is looked for
	if !hasDigit(text) || len(text) > 2*longest || runeCount(text) > longest || namesCompany(text) {
		return found, false
	}
	forms := codesOf[country]
	if forms == nil {
		forms = anyForms
	}
	var m codeMatch
	for _, form := range slices.Concat(sureForms, forms) { // the first that matches counts
		if m, ok = matchCode(form, text); ok {
			break
		}
	}
	if !ok {
		return found, false
	}
	other, isFive := matchCode(codeForms.five, text)
	if isFive && other.start > m.start && wayStartAtEnd().MatchString(text[:m.start]) {
		m = other // "rue de Marseille 69007 Lyon" is in Lyon
	}
	if letter := houseLetter().FindString(m.town); letter != "" && endsInDigit(text[:m.start]) {
		m.start += len(letter) // "221B Baker Street": the letter is the number's
		m.town = m.town[len(letter):]
	}
	found = foundAddress{code: m.code, town: townOnly(m.town)}
	lead := text[:m.start]
	lead = locationLabel().ReplaceAllLiteralString(lead, "")
	lead = afterAny(lead, "|•·:")
	lead = lettersBeforeCode().ReplaceAllLiteralString(lead, "")
	before := strings.TrimSpace(strings.TrimRight(lead, " \t,(–-"))
	after := strings.TrimLeft(text[m.end:], " ,)–-")
	if !hasStreetName(after) {
		after = ""
	}
	if after != "" {
		above = "" // the street follows, so "Loft am Park" in the line above is not read as one
	}
	if district := districtOf(cmp.Or(before, above), found.town); district != "" {
		found.location = district // "Bel appartement, Paris 18e" above "75018 Paris"
		return found, true
	}
	found.way = wayIn(before, above)
	if found.town == "" && rowOfNames.MatchString(before) {
		found.location, found.hasStreet, found.isWhole = before, true, true
		return found, true
	}
	beginsWithTown := strings.HasPrefix(text[m.start:], found.town) // rather than with the code
	found.locate(before, beginsWithTown && splitStreet().MatchString(lead))
	found.way = cmp.Or(found.way, after)
	return found, true
}

// locate joins the street and the town. isSplit tells that the number of a house stands right before the town: the
// street of "41 Oxford Street, Leeds" is read as a part of the town.
func (f *foundAddress) locate(before string, isSplit bool) {
	firstTown, rest, _ := strings.Cut(f.town, ",")
	isSplitWay := isSplit && hasWayName(firstTown)
	number := ""
	countsOther := countedHome().MatchString(firstTown) || months()[strings.ToLower(firstTown)] // "3 Flats", "12 March"
	if isSplit && f.way == "" && !countsOther {
		number = numberAtEnd(before)
	}
	isNameAlone := number == before && rest != "" // "12 Broadway, Leeds": nothing else stands before the town
	if number != "" && (isSplitWay || isNameAlone) {
		f.way = number + " " + firstTown
		f.location = number + " " + f.town
		f.hasStreet = true
		return
	}
	switch {
	case strings.Contains(f.way, f.town) && f.way != "":
		f.location = f.way
	case isSplitWay:
		f.location = joined(" ", f.way, f.town)
	default:
		f.location = joined(", ", f.way, f.town)
	}
	f.hasStreet = f.way != "" || isStreet(f.town)
}

// numberAtEnd returns the number of a house at the end of a text, with the number of a flat before it, or "". The text
// must be nothing else ("45", "1/2, 45"), or have a mark before it ("New! 5"). The end of an amount such as "1 200"
// does not count.
func numberAtEnd(text string) string {
	for _, form := range []pattern{onlyNumbers, numberAfter} {
		if found := form().FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}
	return ""
}

// districtOf returns the town with the number of its district if a text ends in both, perhaps after words about a home.
// If the text has only the first words of the town, districtOf returns the town: "København 2" is in "København Ø".
// Otherwise it returns "".
func districtOf(text, town string) string {
	at := numberOfDistrict().FindStringIndex(text)
	if at == nil {
		return ""
	}
	for name := town; name != ""; name = name[:max(0, strings.LastIndexByte(name, ' '))] {
		before, isTown := strings.CutSuffix(text[:at[0]], name)
		if !isTown {
			continue
		}
		switch {
		case !mayPrecedeTown(before):
			return ""
		case name != town:
			return town
		}
		return text[len(before):]
	}
	return ""
}

var numberOfDistrict = newPattern(` \d{1,2}(?:er?|ER?|ème)?$`)

// mayPrecedeTown reports whether the name after a text may be a town rather than a part of a street. It may if the text
// is empty, ends in a comma after what is no street, or is about a home and does not end as "rue de " does.
func mayPrecedeTown(before string) bool {
	part, isPart := strings.CutSuffix(before, ", ")
	if isPart {
		part = strings.TrimSpace(afterAny(part, ","))
		return advertises(part) || !isStreet(part) && !hasWayName(part)
	}
	return before == "" || strings.HasSuffix(before, " ") && advertises(before) && !wayStartAtEnd().MatchString(before)
}

func advertises(text string) bool { return adWords.in(strings.ToLower(text)) }

// afterHome returns the street in a text after words about a home: "Helle Wohnung, Ahornweg 5". Without these, it
// returns the text. The number of a flat, as in "Flat 4, 12 High Street", belongs to the address.
func afterHome(text string) string {
	for at := range len(text) {
		rest, isPart := strings.CutPrefix(text[at:], ", ")
		if isPart && isStreet(rest) && advertises(text[:at]) && !endsInDigit(text[:at]) {
			return rest
		}
	}
	return text
}

// wayIn returns the street before a town, or in the line above if nothing stands before the town.
func wayIn(before, above string) string {
	way := before
	if !isAddress(before) {
		if found := wayAfter().FindStringSubmatch(before); found != nil {
			way = found[1]
		}
	}
	if mayBeStreet(way) {
		return afterHome(way)
	}
	if before == "" {
		above = strings.TrimSuffix(locationLabel().ReplaceAllLiteralString(above, ""), ",")
		if mayBeStreet(above) {
			return afterHome(above)
		}
	}
	if found := houseAtEnd().FindStringSubmatch(before); found != nil {
		return found[1]
	}
	return ""
}

// townOnly returns a town without parts such as "Studio" in "Studio, Leeds". The last part stays, whatever it is.
func townOnly(town string) string {
	parts := strings.Split(town, ", ")
	var kept []string
	for i, part := range parts {
		if i == len(parts)-1 || !kindOfHome().MatchString(part) {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, ", ")
}

// hasWayName reports whether a text may be a street, by its words or by the number of a house.
func hasWayName(text string) bool {
	for _, form := range wayNames {
		if form().MatchString(text) {
			return true
		}
	}
	return false
}

func endsInDigit(text string) bool { return text != "" && isDigit(text[len(text)-1]) }

// afterAny returns the text after the last of some characters in it.
func afterAny(text, chars string) string {
	i := strings.LastIndexAny(text, chars)
	if i < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[i:])
	return text[i+size:]
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	var list []string
	for _, text := range texts {
		if text != "" {
			list = append(list, text)
		}
	}
	return strings.Join(list, separator)
}
