// Lines: the lines of a text, and what they are about.

package listing

import (
	"slices"
	"strings"

	"flats/internal/turns"
)

const (
	longestText = 100_000 // bytes of a text that are read
	mostLines   = 2_000   // lines of a text that are read
)

// A textLine is a line of a text, with what is asked of it again and again.
type textLine struct {
	text, lower    string
	written        string   // the line before its label was cut off, or "" without a label
	isTitle        bool     // its label says that it is the title
	length, digits int      // how many characters it has, and how many of them are digits
	isFact         bool     // it has an amount with a currency, or an area in square metres
	signs          []string // the currencies of its amounts
}

func newLine(work *turns.Task, text string) textLine {
	l := textLine{text: text, lower: strings.ToLower(text), length: runeCount(text), digits: countAllDigits(text)}
	if l.digits == 0 {
		return l
	}
	for _, a := range amountsIn(work, text) {
		l.isFact = l.isFact || a.sign != "" || a.unit == squareMetres
		if a.sign != "" {
			l.signs = append(l.signs, a.sign)
		}
	}
	return l
}

// countAllDigits returns the number of digits in a text.
func countAllDigits(text string) int {
	n := 0
	for i := range len(text) {
		if isDigit(text[i]) {
			n++
		}
	}
	return n
}

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }

// linesOf returns the lines of a text, without the empty ones.
func linesOf(text string) []string {
	text = strings.ToValidUTF8(text[:min(len(text), longestText)], "")
	text = plainSpaces(PlainText(text))
	var lines []string
	for text := range strings.SplitSeq(text, "\n") {
		if text = strings.TrimSpace(repeatedSpaces().ReplaceAllLiteralString(text, " ")); text != "" {
			lines = append(lines, text)
		}
		if len(lines) == mostLines {
			break
		}
	}
	return lines
}

var repeatedSpaces = newPattern(` {2,}`)

// sentenceDot matches the end of a sentence. The point of "3. Stock" ends none.
var sentenceDot = newPattern(`[^\d\s]{2}(\. )`)

// sentencesOf cuts a text into its sentences, and drops the points between them.
func sentencesOf(text string) []string {
	var sentences []string
	add := func(sentence string) {
		if sentence = strings.TrimSpace(sentence); sentence != "" {
			sentences = append(sentences, sentence)
		}
	}
	start := 0
	for _, found := range sentenceDot().FindAllStringSubmatchIndex(text, -1) {
		dot, next := found[2], found[3]
		add(text[start:dot])
		start = next
	}
	add(text[start:])
	return sentences
}

// textsOf returns the texts of lines.
func textsOf(lines []textLine) []string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	return texts
}

// firstFact returns the index of the first line that is a fact, or the number of lines if none is.
func firstFact(lines []textLine) int {
	if at := slices.IndexFunc(lines, func(l textLine) bool { return l.isFact }); at >= 0 {
		return at
	}
	return len(lines)
}

// isTrail reports whether a line is the way to a page in its site: "Home › Berlin › Flats".
func (l textLine) isTrail() bool { return !l.isFact && trail().MatchString(l.text) }

var trail = newPattern(`[›>»|/].*[›>»|/]`)

var (
	imprintWords = phrasesOf("imprint")               // about the company that runs a site
	companyWords = phrasesOf("imprint", "agencyName") // about companies, above all agencies
	adWords      = phrasesOf("home")                  // for homes, as in titles: "flat", "studio"
)

// Facts in lines

// factLines returns the texts of lines as factLine does.
func factLines(lines []textLine, country string) []string {
	texts := textsOf(lines)
	for i := range texts {
		texts[i] = factLine(texts[i], country)
	}
	return texts
}

// factLine puts " | " between the facts of a line, and removes what is no fact of the home: price drops and the areas
// of cellars.
func factLine(line, country string) string {
	line = withoutPriceDrop(line)
	hasHyphen := strings.Contains(line, " - ")
	if hasHyphen {
		line = betweenFacts().ReplaceAllString(line, "$1 | ")
	}
	line = betweenLabels().ReplaceAllString(line, " | $1")
	if !hasDigit(line) {
		return line
	}
	for range 2 { // matches overlap, since a value is after one label and before the next: the second pass finds the rest
		line = replaceMoney(line, afterValues, "$1 | $2")
	}
	if hasHyphen {
		line = beforeTitle().ReplaceAllString(replaceMoney(line, costAndRooms, "$1 | $2"), "$1 | $2")
	}
	return withHomeArea(line, country)
}

// withHomeArea returns a line with the area of a home in the usual form. In Sweden the area of cellars and such follows
// it after a plus sign, in Austria it may be called Nutzfläche, and in Czechia it may follow the layout.
func withHomeArea(line, country string) string {
	if country == "at" {
		line = strings.ReplaceAll(line, "Nutzfl", "Wohnfl")
	}
	return sideArea().ReplaceAllString(layoutFirst().ReplaceAllString(line, "$1 | $2"), "$1 $2")
}

// withoutPriceDrop returns a line without the amount by which a price has fallen. If a word such as "reduced by"
// remains, it returns what follows a word such as "now", or else what precedes the word, if that has a price.
func withoutPriceDrop(line string) string {
	if !hasDigit(line) {
		return line
	}
	lower := strings.ToLower(line)
	if fallenWords.in(lower) || strings.ContainsAny(line, "↓▼(") { // "(" may begin "(-50 €)"
		line = replaceMoney(replaceMoney(line, reducedBy, " | "), reducedTo, " | $1")
		lower = strings.ToLower(line)
	}
	areOffsetsEqual := len(lower) == len(line) // a few letters have another length in lower case
	if !reductions.in(lower) || !areOffsetsEqual {
		return line
	}
	if at := presently().FindStringIndex(line); at != nil {
		return line[at[1]:]
	}
	for i := range len(lower) - 1 {
		if reductions.begins(lower[i:]) > 0 && isSigned(line[:i]) {
			return line[:i]
		}
	}
	return line
}

// maskSigns returns a text in which \x01 replaces each byte of a currency next to a number. So one pattern matches all
// currencies, and offsets stay the same.
func maskSigns(text string) string {
	var masked []byte
	numberEnd := 0 // of the number before, with its currency
	mask := func(start, end int) {
		masked = append(masked, text[len(masked):start]...)
		masked = append(masked, strings.Repeat("\x01", end-start)...)
	}
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		if _, before := signBefore(text[numberEnd:i]); before > 0 {
			mask(i-before, len(strings.TrimSuffix(text[:i], " ")))
		}
		_, digits, _ := readDigits(text[i:])
		i += digits
		if _, after := signAfter(text[i:]); after > 0 {
			space := boolInt(text[i] == ' ') // it stays
			mask(i+space, i+after)
			i += after
		}
		numberEnd = i
	}
	if masked == nil {
		return text
	}
	return string(masked) + text[len(masked):]
}

func boolInt(is bool) int {
	if is {
		return 1
	}
	return 0
}

// replaceMoney replaces what a pattern matches in a line after maskSigns.
func replaceMoney(line string, form pattern, with string) string {
	all := form().FindAllStringSubmatchIndex(maskSigns(line), -1)
	if all == nil {
		return line
	}
	var b []byte
	at := 0
	for _, found := range all {
		b = append(b, line[at:found[0]]...)
		b = form().ExpandString(b, with, line, found)
		at = found[1]
	}
	return string(b) + line[at:]
}

const someMoney = `(?:\x01+ ?)?\d[\d.,' ]*(?: ?(?:%|\x01+))?` // after maskSigns

var (
	betweenLabels = newPattern(` / (\p{Lu}[\p{L} ]{2,20}:)`)
	// betweenFacts matches a hyphen that separates facts rather than the ends of a range.
	betweenFacts = newPattern(`([^\s\dKkM]) - `)
	// afterValues matches a value and the label of the next one, as in "Rooms: 3 Area: 72 m²". It needs maskSigns.
	afterValues = newPattern(`(: ?(?:\x01+ ?)?[^\s:]*\d[^\s:]*(?: (?:m²|m2|qm|\x01+))?) ` +
		`(\p{Lu}[\p{L}.]*(?: \p{Ll}+)?: ?(?:\x01+ ?)?[^\s:\p{L}]*\d)`)
	// costAndRooms matches a price before rooms or an area, as in "$900 - 2br", which is no range.
	costAndRooms = newPattern(`(\x01 ?\d[\d.,]*|\d[\d.,]* ?\x01+) - ` +
		`(\d[\d.,]* ?(?:{{countedRoom roomShort}}|m²|m2|qm|ft2|ft²|sq)(?:\P{L}|$))`)
	// beforeTitle matches a fact before a title.
	beforeTitle = newPattern(`(\d(?:br|bd|ft2|ft²|m²|m2|qm)?) - (\p{L}{3})`)
	// sideArea matches an area and the area of cellars and such, and layoutFirst the rooms before an area.
	sideArea    = newPattern(`(\d{2}(?:[.,]\d+)?) ?\+ ?\d[\d.,]* ?(m²|m2|kvm)`)
	layoutFirst = newPattern(`((?:^|[^\d+])\d\+(?:1|kk),?) (\d{2,3}(?:[.,]\d+)? ?m[²2])`)
	// reductions are words before the amount by which a price has fallen.
	reductions = phrasesOf("reduction")
	// fallenWords has the words without which neither reducedTo nor reducedBy matches, except by a sign such as "↓".
	fallenWords = phrasesOf("reduced", "cheaper")
	// reducedTo matches the words before the price after a reduction: "reduced to ".
	reducedTo = newPattern(`(?i)(?:^|[\s(,;]){{reduced}} {{reducedTo}} ((?:\x01+ ?)?\d)`)
	// reducedBy matches the amount of a reduction with its words.
	reducedBy = newPattern(`(?i)(?:^|[\s(,;–-])(?:` +
		`{{reduced}} (?:{{reducedBy}} )?\d[\d.,]* ?%|` + // "reduced by 5 %"
		`(?:{{reduced}} {{reducedBy}}|{{hasFallen}}) ` + someMoney + `|` + // "reduced by £50"
		`{{reducedBy}} ` + someMoney + ` {{reduced cheaper}}|` + // "um 50 € gesenkt"
		someMoney + ` {{cheaper}}(?:\P{L}|$)|` + // "50 € günstiger"
		`[↓▼] ?` + someMoney + `)|` +
		`\([-−–] ?` + someMoney + `\)`) // "(-50 €)"
	// presently matches words before the present price.
	presently = newPattern(`(?i)(?:^|\P{L}){{now}}(?:[ :]+(?:{{only}} )?)`)
)
