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
