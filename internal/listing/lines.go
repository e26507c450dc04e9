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
	text, lower     string
	written         string // the line with the label of its value, or "" if it has none
	isTitle         bool   // its label says that it is the title
	letters, digits int
	isFact          bool     // it has an amount of money or an area
	signs           []string // the currencies of its amounts
}

func newLine(work *turns.Task, text string) textLine {
	l := textLine{text: text, lower: strings.ToLower(text), letters: letters(text), digits: countAllDigits(text)}
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

// Labels of titles and links, before their values or in the line above.
var (
	titleNames  = phrasesOf("titleName")
	linkNames   = phrasesOf("linkName")
	moreOfLabel = newPattern(`^(?: [\p{L}']{2,20}){0,3} ?$`) // "Titel der Anzeige"
)

const longestLabel = 80 // bytes

// cutColon cuts a line after the colon of its label. The label is the whole line if it has no colon.
func cutColon(line string) (label, value string) {
	start := line[:min(len(line), longestLabel)]
	for _, colon := range []string{":", "："} {
		if at := strings.Index(start, colon); at >= 0 {
			return line[:at], strings.TrimPrefix(line[at+len(colon):], " ")
		}
	}
	return line, ""
}

// isNamed reports whether a label is one of some names, perhaps with more words after it.
func isNamed(label string, names *phrases) bool {
	if len(label) > longestLabel {
		return false
	}
	lower := strings.ToLower(label)
	length := names.begins(lower)
	return length > 0 && moreOfLabel().MatchString(lower[length:])
}

// withoutLinkLabels returns lines without the labels of links that stand alone in their lines.
func withoutLinkLabels(lines []string) []string {
	var rest []string
	for i, text := range lines {
		label, value := cutColon(text)
		link := value
		if link == "" && i+1 < len(lines) {
			link = lines[i+1]
		}
		if onlyLink().MatchString(link) && isNamed(label, linkNames) {
			if value == "" {
				continue
			}
			text = value
		}
		rest = append(rest, text)
	}
	return rest
}

// isTitleLabel reports whether a line is the label of a title, whose value is the next line.
func isTitleLabel(text string) bool {
	label, value := cutColon(text)
	if value != "" || len(text) > longestLabel {
		return false
	}
	if label == text { // without a colon, only the name itself is a label
		lower := strings.ToLower(text)
		return titleNames.begins(lower) == len(lower)
	}
	return isNamed(label, titleNames)
}

// withoutLabel returns a line without the label of its title or its address. A value that is not the address itself,
// such as the name of a district, keeps its label, which says what it is.
func (l textLine) withoutLabel(work *turns.Task) textLine {
	label, value := cutColon(l.text)
	if value == "" {
		return l
	}
	isTitle := isNamed(label, titleNames) && wordOfThree().MatchString(value)
	isPlace := hasDigit(value) && locationLabel().MatchString(l.text[:len(l.text)-len(value)]) && isPlaced(value)
	if !isTitle && !isPlace {
		return l
	}
	bare := newLine(work, value)
	bare.written, bare.isTitle = l.text, isTitle
	return bare
}

// isPlaced reports whether a text is a whole address, which needs no label.
func isPlaced(text string) bool {
	return isWholeStreet(text) || codeStart().MatchString(text)
}

var codeStart = newPattern(`^\d{3} ?\d{2} \p{Lu}|^\d{2}-?\d{3} \p{Lu}|^\d{4}(?: ?[A-Z]{2})? \p{Lu}`)

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

var sentenceDot = newPattern(`[^\d\s]{2}(\. )`)

// longestPiece is the number of letters of a part of a line that is searched for short facts.
const longestPiece = 80

// sentencesOf cuts a text after its sentences.
func sentencesOf(text string) []string {
	var sentences []string
	start := 0
	for _, at := range append(sentenceDot().FindAllStringSubmatchIndex(text, -1), []int{0, 0, len(text), len(text)}) {
		if sentence := strings.TrimSpace(text[start:at[2]]); sentence != "" {
			sentences = append(sentences, sentence)
		}
		start = at[3]
	}
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

// firstFact returns the index of the first line with an amount, or else the number of lines.
func firstFact(lines []textLine) int {
	if at := slices.IndexFunc(lines, func(l textLine) bool { return l.isFact }); at >= 0 {
		return at
	}
	return len(lines)
}

func (l textLine) isTrail() bool { return !l.isFact && trail().MatchString(l.text) }

var trail = newPattern(`[›>»|/].*[›>»|/]`)

// Words about who advertises a home, and what a listing is about.
var (
	imprintWords = phrasesOf("imprint")
	companyWords = anyOf("hrb|siret|_rcs_|_cvr|_ust|registered|siège|impressum|gmbh|_ag_|_kg_|_ltd|_a/s_|_aps_|agence",
		"agency|makler|office|kontor")
	adWords = phrasesOf("home")
)
