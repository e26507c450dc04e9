// The location of a home, in the lines of its listing.

package listing

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

var (
	// townAfter matches a preposition and a town: "in Erfurt", "à Lyon".
	townAfter = newPattern(`(?:^|\P{L})(?:in|à|i|a|en|em|w|v|på) (` + townName + `(?:, ` + townName + `)*)`)
	// features matches words in a row, such as "Lift, Keller, Balkon".
	features  = newPattern(`^[^ ,]+(?:, [^ ,]+){2,}$`)
	codeLabel = newPattern(`(?i)^{{codeLabel}} ?:? ?([A-Z\d][A-Z\d -]{2,9})$`) // "Postcode: LS1 4AP"
	// houseBefore matches a street with the number of a house, at the end of the words before a town.
	houseBefore = newPattern(`\S* ?(\p{Lu}[\p{L}'.-]+(?: \p{Lu}[\p{L}'.-]+){0,3} ` + houseNumber + `) $`)
	noTownName  = newPattern(`lage$|^\p{Lu}+$`) // "ruhiger Wohnlage", or a word in capitals
	// homeBefore matches what is advertised before its location: "2 Bed Flat, ", "Piso en venta en "
	homeBefore = newPattern(`^(?:\d [Bb]ed(?:room)? )?(?:[Aa]pp?art[ae]?ment[oe]?|[Ff]lat|[Hh]uis|[Ww]oning|` +
		`[Ww]ohnung|[Pp]iso|[Ss]tudio)(?: \p{Ll}+)*,? (\p{Lu})`)
	townAfterComma = newPattern(`, \p{Lu}`)
)

// isLocation reports whether a line is an address, or a row of names like one.
func isLocation(text string) bool { return rowOfNames.MatchString(text) || isStreet(text) }

// firstSentence returns a text up to the end of its first sentence. The point of "Maximilianstr. 5" ends none.
func firstSentence(text string) string {
	const mostStops = 20 // marks after which the first sentence may end; those of "str." are passed over
	for _, at := range sentenceEnd().FindAllStringSubmatchIndex(text, mostStops) {
		sentence := text[:at[2]] // without its mark
		if !strings.HasSuffix(strings.ToLower(sentence), "str") {
			return sentence
		}
	}
	return text
}

// The words about who advertises a home.
var (
	// agencyName matches a line that is the name of a company that lets or sells homes, with few words around a form
	// such as "Ltd". A longer line, or one with digits, a price or a question, says more than a name.
	agencyName = newPattern(`(?i)^[^\d:;?!\p{Sc}]{0,40}{{agencyForm}}[^\d:;?!\p{Sc}]{0,20}$`)
	// noAgency begins a line such as "No agency", which names none.
	noAgency = phrasesOf("noAgency")
	// advertiser begins the part of a page about the advertiser, whose address is not the address of the home. Of the
	// headings that begin so, those of notAdvertiser are about something else: "About this property".
	advertiser    = phrasesOf("advertiser")
	notAdvertiser = phrasesOf("aboutOther")
	// headingOfHome matches a heading above the text or the facts of the home.
	headingOfHome = newPattern(`^(?:{{textHeading}}$|{{factsHeading}})`)
)

// Longer lines are sentences, in which such words mean something else.
const (
	longestPageHeading = 60 // letters of a heading on a page
	longestAgencyName  = 80 // letters of the name of an agency
)

// isAdvertiser reports whether a line is a heading of what the page says about the advertiser.
func (l textLine) isAdvertiser() bool {
	return l.length < longestPageHeading && advertiser.begins(l.lower) > 0 && notAdvertiser.begins(l.lower) == 0
}

// upToAdvertiser returns the lines above what the page says about the advertiser. That is below the first fact: a menu
// above may have the same words.
func upToAdvertiser(facts []textLine) []textLine {
	start := slices.IndexFunc(facts, func(l textLine) bool { return l.isFact })
	if start < 0 {
		return facts
	}
	for i := start + 1; i < len(facts); i++ {
		if facts[i].isAdvertiser() {
			return facts[:i]
		}
	}
	return facts
}

// aboutHome returns the lines that are not about the advertiser. The part about the advertiser ends at a heading about
// the home: "Contact" may be a button above the description.
func aboutHome(facts []textLine) []textLine {
	var about []textLine
	for {
		lines := upToAdvertiser(facts)
		about = append(about, lines...)
		facts = facts[len(lines):]
		next := slices.IndexFunc(facts, func(l textLine) bool {
			return l.length < longestPageHeading && headingOfHome().MatchString(l.lower)
		})
		if next < 0 {
			return about
		}
		facts = facts[next:]
	}
}

const agencyLines = 3 // lines below the name of an agency that have its address

// withoutAgencies leaves out the lines below the name of an agency, which have its address. A name above the first fact
// does not count, because it may be the name of the site.
func withoutAgencies(lines []textLine) []textLine {
	start := slices.IndexFunc(lines, func(l textLine) bool { return l.isFact })
	if start < 0 {
		return lines
	}
	var kept []textLine
	leftOut := 0 // the next lines to leave out: they may have the address of an agency
	for i, l := range lines {
		if leftOut > 0 {
			leftOut--
		} else {
			kept = append(kept, l)
		}
		isAgency := l.length < longestAgencyName && noAgency.begins(l.lower) == 0 && agencyName().MatchString(l.text)
		if i >= start && isAgency {
			leftOut = agencyLines
		}
	}
	return kept
}

// A locationReader finds the location in the lines of a listing.
type locationReader struct {
	lines          []textLine
	title, country string
	trail          string // the line with the way to the page, as textLine.isTrail tells it, or ""
}

// locationIn returns the postal code and the location of a home, with the street if the listing has it. Either may
// be "".
func locationIn(facts []textLine, title, country, trail string) (code, location string) {
	r := &locationReader{withoutAgencies(upToAdvertiser(facts)), title, country, trail}
	code, location = r.address()
	if at := homeBefore().FindStringSubmatchIndex(location); at != nil {
		location = location[at[2]:]
	}
	return code, location
}

// address returns the postal code and the location, which may begin with words about the home.
func (r *locationReader) address() (code, location string) {
	street := r.ownStreet()
	best, ok := r.bestAddress(street)
	if street == "" {
		street = r.street()
	}
	hasAnyStreet := street != "" || best.way != "" // in its lines or its title
	if ok && (best.isWhole || best.town != "" && (best.hasStreet || !hasAnyStreet)) {
		return best.code, best.location
	}
	if ok && best.town != "" { // another line has the street, or the line has it after the town
		if street == "" {
			return best.code, joined(", ", best.way, best.town)
		}
		if strings.Contains(street, best.town) {
			return best.code, street
		}
		return best.code, street + ", " + best.location
	}
	location = r.locationWithoutCode(street)
	if ok { // the line has the code without the town
		if location == "" {
			location = best.location
		}
		// The line with the town may have the code after it.
		return best.code, strings.Replace(location, ", "+best.code, "", 1)
	}
	return r.codeWithLabel(), location
}

// codeWithLabel returns the postal code that has a label, in the same line or in the line above, or "".
func (r *locationReader) codeWithLabel() string {
	const mostOfLabel, mostOfCode = 30, 20 // bytes of the two lines
	for i, l := range r.lines {
		if found := codeLabel().FindStringSubmatch(l.text); found != nil {
			return found[1]
		}
		if next := r.text(i + 1); len(l.text) < mostOfLabel && len(next) < mostOfCode {
			if found := codeLabel().FindStringSubmatch(l.text + " " + next); found != nil {
				return found[1]
			}
		}
	}
	return ""
}

// text returns the text of a line, or "" beyond the first and the last one.
func (r *locationReader) text(i int) string {
	if i < 0 || i >= len(r.lines) {
		return ""
	}
	return r.lines[i].text
}

// bestAddress returns the most complete of the addresses with the first postal code of a listing. Addresses with
// another street than own do not count, unless own is "".
func (r *locationReader) bestAddress(own string) (best foundAddress, ok bool) {
	firstCode := ""
	for i, l := range r.lines {
		above := r.text(i - 1)
		if companyWords.in(strings.ToLower(above)) {
			above = ""
		}
		found, isFound := addressIn(l.text, above, r.country)
		if names := r.namesAbove(i); names != "" {
			// Without a country, the code is read as a British one. Canadian codes are read in any country.
			found, isFound = addressIn(names+" "+l.text, "", cmp.Or(r.country, "uk"))
		}
		// The title has the words of the line above, too: they are the town.
		isPartOfTitle := above != r.title && strings.Contains(r.title, above)
		isTownAbove := above != "" && isPartOfTitle && len(above) < tooLongRow
		if !isFound && isTownAbove && hasDigit(l.text) {
			found, isFound = addressIn(above+" "+l.text, "", r.country)
		}
		isOfSomebodyElse := own != "" && found.way != "" && !isSameStreet(own, found.way)
		if !isFound || isOfSomebodyElse {
			continue
		}
		// A British code may be given by its first half. The whole code, which begins so, counts more.
		isLonger := len(found.code) > len(best.code)
		addsStreet := len(found.code) == len(best.code) && found.hasStreet && !best.hasStreet
		switch {
		case !ok:
			best, ok, firstCode = found, true, found.code
		case strings.HasPrefix(found.code, firstCode) && (isLonger || addsStreet):
			best = found
		}
	}
	return best, ok
}

var (
	// codeAlone matches a line that is a British or a Canadian code. Only these are told by their form alone.
	codeAlone   = newPattern(`^(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-CEGHJ-NPR-TVXY]\d[A-Z] \d[A-Z]\d)$`)
	namesOnly   = newPattern(`^` + townName + `(?:, (?:` + townName + `|[A-Z]{2}))*$`)
	noTownAbove = newPattern(`(?i)^{{aboveCode}}(?:\P{L}|$)`)
)

// namesAbove returns the street and the town, perhaps with its district, in the lines above a postal code that stands
// alone. It returns "" if there is no street: a line of names may be anything.
func (r *locationReader) namesAbove(i int) string {
	if !codeAlone().MatchString(r.text(i)) {
		return ""
	}
	const (
		mostAbove        = 3  // lines above a code that may name its place: a street, a district and a town
		longestNameAbove = 60 // letters of a line above a code; a longer one is a sentence
	)
	names := ""
	for above := i - 1; above >= max(0, i-mostAbove); above-- {
		l := r.lines[above]
		if l.length > longestNameAbove || l.isFact {
			return ""
		}
		text := strings.TrimSuffix(l.text, ",")
		if names != "" && isStreet(text) {
			return text + ", " + names
		}
		if adWords.in(l.lower) || isLabel(text) || noTownAbove().MatchString(text) || !namesOnly().MatchString(text) {
			return ""
		}
		names = joined(", ", text, names)
	}
	return ""
}

const belowTitle = 6 // lines from the title on in which an address is the home's; further down it may be an agency's

// ownStreet returns the street of the home, or "": the one in the lines from the title on, or the one in the title if
// it has the number of a house. If these two differ, the one in the title counts. An address with another street
// belongs to somebody else.
func (r *locationReader) ownStreet() string {
	inTitle := r.streetInTitle()
	if !hasDigit(inTitle) || !hasStreetName(inTitle) {
		inTitle = ""
	}
	start := slices.IndexFunc(r.lines, func(l textLine) bool { return l.text == r.title })
	if start < 0 {
		return inTitle
	}
	below := streetInLines(r.lines[start:min(len(r.lines), start+belowTitle)])
	if below != "" && (inTitle == "" || isSameStreet(below, inTitle)) {
		return below
	}
	return inTitle
}

// street returns the first line with a street, or else the street in the title.
func (r *locationReader) street() string {
	if found := streetInLines(r.lines); found != "" {
		return found
	}
	return r.streetInTitle()
}

// streetInLines returns the first line of one sentence that names a street, or "". Advertisements and the addresses of
// companies do not count.
func streetInLines(lines []textLine) string {
	for i, l := range lines {
		isOfCompany := companyWords.in(l.lower) || i > 0 && companyWords.in(lines[i-1].lower)
		if isOfCompany || adWords.in(l.lower) || l.isFact {
			continue
		}
		if hasStreetName(l.text) && firstSentence(l.text) == l.text {
			return l.text
		}
	}
	return ""
}

const mostOfTitle = 300 // letters of a title in which a street and a town are looked for

// streetInTitle returns the street in the title, or "". The title may begin with it, or with a flat and its street, or
// have it after other words.
func (r *locationReader) streetInTitle() string {
	name := leading(r.title, mostOfTitle)
	if isAddress(name) || wayOfFlat().MatchString(name) {
		return firstSentence(name)
	}
	if found := wayAfter().FindStringSubmatch(name); found != nil {
		return firstSentence(found[1])
	}
	// "Wohnung in der Hauptstraße 5" ends in the street.
	if found := houseAtEnd().FindStringSubmatch(name); found != nil && isAddress(found[1]) && hasStreetName(found[1]) {
		return found[1]
	}
	return ""
}

var (
	streetForms = strings.NewReplacer("straße", "str", "strasse", "str", "str.", "str", "street", "st", "road", "rd",
		"avenue", "av", "ave", "av", "boulevard", "bd", "blvd", "bd")
	leadNumber  = newPattern(`^[\d/-]+\p{L}?,? `) // the number of a house before its street
	streetWords = newPattern(`^` + wayWords)      // words before the name of a street: "rue du 8 Mai 1945"
	houseDigits = newPattern(`\d+\p{L}?(?:\.?$|[^\p{L}\d.])`)
	digitsAlone = newPattern(`\d+`)
	flatAlone   = newPattern(`(?i)^` + flatNumber + `$`)
)

// isSameStreet reports whether one of two addresses has the street of the other.
func isSameStreet(one, other string) bool {
	comparable := func(text string) string {
		text = streetForms.Replace(strings.ToLower(text))
		text = digitsAlone().ReplaceAllString(text, "\n$0\n") // "calle 1" is no part of "calle 13"
		return strings.Map(comparableRune, text)
	}
	isIn := func(name, address string) bool {
		return name != "" && strings.Contains(comparable(address), comparable(name))
	}
	return isIn(streetNameIn(one), other) || isIn(streetNameIn(other), one)
}

// comparableRune drops everything but letters, digits and line breaks, for strings.Map.
func comparableRune(r rune) rune {
	if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\n' {
		return r
	}
	return -1
}

// streetNameIn returns the name of the street in an address, without the numbers of the house and of the flat. A number
// directly after a word such as "rue du", and an ordinal, belong to the name: "rue du 8 Mai 1945", "5th Avenue",
// "Straße des 17. Juni 135".
func streetNameIn(address string) string {
	name := ""
	for part := range strings.SplitSeq(address, ",") {
		part = leadNumber().ReplaceAllLiteralString(strings.TrimSpace(part), "")
		if hasStreetName(part) {
			name = part
			break
		}
		if name == "" && strings.ContainsFunc(part, unicode.IsLetter) && !flatAlone().MatchString(part) {
			name = part
		}
	}
	start := len(streetWords().FindString(name))
	start += countDigits(name[start:])
	if house := houseDigits().FindStringIndex(name[start:]); house != nil {
		name = name[:start+house[0]]
	}
	return name
}

// locationWithoutCode returns the location of a listing that has no town next to a postal code: the first of these that
// the listing has.
//  1. What follows a label of a place, after the street of the listing unless it is a street itself.
//  2. The street, if its line or the title continues with a town.
//  3. The names with which a sentence begins, if the first one is a street.
//  4. The street and the town. The town is the one in the title, or else a line of names near the title, or else what
//     the trail of links has in common with the title. The line above the town may have the street, too.
func (r *locationReader) locationWithoutCode(street string) string {
	const mostRead = 200 // letters of a line in which a street is looked for
	for i, l := range r.lines {
		listed := afterLocationLabel(cmp.Or(l.written, l.text), r.text(i+1))
		if listed == "" {
			continue
		}
		if isStreet(listed) {
			return listed
		}
		return joined(", ", street, listed)
	}
	mayBeOfHome := func(text string) bool { return text != "" && (street == "" || isSameStreet(street, text)) }
	for _, text := range []string{street, r.streetInTitle()} {
		if mayBeOfHome(text) && townAfterComma().MatchString(text) {
			return text
		}
	}
	for _, l := range r.lines {
		sentence := firstSentence(leading(l.text, mostRead))
		if rowOfNames.MatchString(sentence) && isStreet(sentence) && mayBeOfHome(sentence) {
			return sentence
		}
	}
	town := townIn(r.title)
	way := street
	if !mayBeStreet(way) {
		way = ""
		townAt := slices.IndexFunc(r.lines, func(l textLine) bool { return town != "" && l.text == town })
		if above := r.text(townAt - 1); mayBeStreet(above) { // "" if no line is the town
			way = above
		}
	}
	if town == "" {
		town = r.namesNearTitle()
	}
	if town == "" {
		town = r.townInTrail()
	}
	return joined(", ", way, town)
}

// namesNearTitle returns the first line of names from three lines above the title to four below it, or "". If no line
// is the title, it looks at the first four lines.
func (r *locationReader) namesNearTitle() string {
	const mostAbove, mostBelow = 3, 4
	titleAt := slices.IndexFunc(r.lines, func(l textLine) bool { return l.text == r.title }) // -1 if no line is the title
	for _, l := range r.lines[max(0, titleAt-mostAbove):min(len(r.lines), titleAt+1+mostBelow)] {
		if rowOfNames.MatchString(l.text) && !adWords.in(l.lower) && !l.isFact && !features().MatchString(l.text) {
			return l.text
		}
	}
	return ""
}

// afterLocationLabel returns a location after its label, or in the line below, or "".
func afterLocationLabel(text, next string) string {
	const longest = 100 // letters; a longer line is a sentence
	if len(text) > 2*longest || runeCount(text) > longest {
		return ""
	}
	label := locationLabel().FindString(text)
	if label == "" {
		return ""
	}
	if rest := text[len(label):]; rest != "" {
		return rest
	}
	if isLocation(next) {
		return next
	}
	return ""
}

var trailParts = newPattern(` [›>»|/] `)

// townInTrail returns the parts of a trail of links, such as "Home › Berlin › Mitte", that the title has, too.
func (r *locationReader) townInTrail() string {
	var parts []string
	for _, part := range trailParts().Split(r.trail, -1) {
		if part != "" && strings.Contains(r.title, part) {
			parts = append(parts, part)
		}
	}
	slices.Reverse(parts)
	return strings.Join(parts, ", ")
}

// townIn returns the town in a title, with the street and house before it: "Wohnung Am Anger 5 in Erfurt".
func townIn(title string) string {
	title = leading(title, mostOfTitle)
	at := townAfter().FindStringSubmatchIndex(title)
	if at == nil {
		return ""
	}
	found := title[at[2]:at[3]]
	if noTownName().MatchString(found) || hasWayName(found) || adWords.in(strings.ToLower(found)) {
		return ""
	}
	words := strings.TrimSuffix(title[:at[2]], " ")
	before := words[:strings.LastIndexByte(words, ' ')+1] // without the preposition
	if way := houseBefore().FindStringSubmatch(before); way != nil {
		return way[1] + ", " + found
	}
	return found
}
