// Labels: the facts of a page as values with their labels, which stand before, above or below them, and what words
// call an amount of money.

package listing

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

// A textValue is a piece of a text with its label, which may be "".
type textValue struct {
	text, lower       string // lower is the text in lower case
	label, lowerLabel string
	length            int  // in characters
	isProse           bool // it is a sentence
	amounts           []amount
}

// The names of areas and of other facts.
var (
	wholeAreaWords = phrasesOf("area")
	otherLabels    = phrasesOf("label")
	includedWords  = phrasesOf("included")
	denials        = phrasesOf("denial")
	bedroomLabels  = phrasesOf("bedrooms")
)

var (
	bareNumber  = newPattern(`^\d{1,9}(?:[.,' ]\d+)*(?: ?½| 1/2| \+ 1 fél)?$`) // fél is a half in Hungarian
	inBrackets  = newPattern(` \([^)]*\)$`)
	afterColon  = newPattern(`: *\S`)
	labelUnit   = newPattern(`(?i) \(?(?:in )?(m²|m2|qm|sq\.? ?ft|sqft)\)?:?$`)
	areaUnit    = newPattern(`(?i)m²|m2|qm|kvm|m[qp]$|sq|ft`) // mq in Italian, mp in Romanian
	separator   = newPattern(`\n|\t| [|·•–—] |;`)
	sentenceEnd = newPattern(`\p{Ll}{3}([.!?])(?: |$)`)
)

// unitWords are the words of values that are neither currencies nor periods, in lower case. Longer words come before
// their own prefixes.
var unitWords = newStarts("m²|m2|qm|sqm|sq ft|ft|ca.|zzgl|fél|kk|par|pro|per|za")

// isValue reports whether a piece is a number with its unit and nothing else.
func isValue(piece string) bool {
	const tooLong = 40 // letters; counting them is slow, so the bytes come first
	if len(piece) >= 2*tooLong || !hasDigit(piece) || runeCount(piece) >= tooLong {
		return false
	}
	for at := 0; at < len(piece); {
		rest := piece[at:]
		first, size := utf8.DecodeRuneInString(rest)
		if unicode.IsLetter(first) {
			if size = signIn(piece, at); size == 0 {
				size = cmp.Or(unitWords.at(rest), periodLength(rest))
			}
			if size == 0 {
				return false
			}
		}
		at += size
	}
	return true
}

// signIn returns the length of the spelling of a currency at an offset of a text of numbers and units, or 0.
func signIn(text string, at int) int {
	_, length := signAfter(text[at:])
	switch {
	case length == 0 && randBefore(text[:at+1]) > 0: // an R for South African rands
		return len("R")
	case spellingOf(text[at:at+length]).isAfterNumber && !hasDigit(text[:at]):
		return 0
	}
	return length
}

// Longer pieces are sentences, not labels.
const (
	longestValue      = 90  // letters of a piece that is a fact
	shortestSentence  = 40  // letters of a piece that is a sentence, if it ends like one
	longestLabelPiece = 180 // bytes of a label with what is in brackets
	mostLabelLetters  = 44  // letters of a label, without what is in brackets
	mostLabelWords    = 6   // words of a label, without what is in brackets
	mostBedroomWords  = 3   // words of a label that ends in one of bedroomLabels
)

// isLabel reports whether a piece of a text is the label of a value.
func isLabel(piece string) bool {
	if len(piece) > longestLabelPiece || hasDigit(piece) || afterColon().MatchString(piece) {
		return false
	}
	name := strings.ToLower(inBrackets().ReplaceAllLiteralString(piece, ""))
	kind := kindOf(name)
	if kind == otherCost && includedWords.in(name) {
		return false // it says what a price includes
	}
	words := 1 + strings.Count(name, " ")
	if runeCount(name) > mostLabelLetters || words > mostLabelWords || denials.begins(strings.ToLower(piece)) > 0 {
		return false
	}
	isOfBedrooms := words <= mostBedroomWords && bedroomLabels.in(lastWord(name))
	return kind != noKind || otherLabels.in(name) || wholeAreaWords.in(name) || isOfBedrooms
}

// A pieceForm tells whether a piece looks like a value, a label or neither.
type pieceForm int

const (
	otherPiece pieceForm = iota
	valuePiece
	labelPiece
)

// isUnit reports whether a line is only the unit of the number in the line before: square metres or a currency.
func isUnit(line string) bool {
	if len(line) > longestSpelling {
		return false
	}
	money := spellingOf(line)
	return line == "m²" || line == "m2" || money.currency != "" && !money.isAfterNumber
}

// cutPieces cuts lines into pieces, and returns how many each line has. A unit in a line of its own becomes a part of
// the number in the piece before.
func cutPieces(lines []string) (pieces []string, counts []int) {
	counts = make([]int, len(lines))
	for i, line := range lines {
		if n := len(pieces); n > 0 && isUnit(line) && isDigit(lastByte(pieces[n-1])) {
			pieces[n-1] += " " + line
			continue
		}
		for _, part := range separator().Split(line, -1) {
			if part = strings.TrimSpace(part); part != "" {
				pieces = append(pieces, part)
				counts[i]++
			}
		}
	}
	return pieces, counts
}

// valuesOf cuts lines into pieces, gives values their labels, and charges the work to a task.
func valuesOf(work *turns.Task, lines []string) []textValue {
	pieces, _ := cutPieces(lines)
	b := newBlocks(pieces)
	values := make([]textValue, len(pieces))
	for i, text := range pieces {
		work.Step(stepsOfLetter * len(text))
		v := &values[i]
		if label := b.labelOf(i); label >= 0 {
			v.setLabel(pieces[label])
		}
		if bareNumber().MatchString(text) {
			if unit := labelUnit().FindStringSubmatch(v.label); unit != nil {
				text += " " + unit[1] // "Size (sqft)"
			}
		}
		v.text, v.lower = text, strings.ToLower(text)
		v.length = runeCount(text)
		endsLikeSentence := v.length > shortestSentence && sentenceEnd().MatchString(text)
		v.isProse = v.length > longestValue || endsLikeSentence
		v.amounts = amountsIn(work, text)
	}
	return values
}

func (v *textValue) setLabel(label string) {
	v.label = label
	v.lowerLabel = strings.ToLower(label)
}

func lastByte(text string) byte {
	if text == "" {
		return 0
	}
	return text[len(text)-1]
}

// inOrder puts facts before sentences. Sentences may also be about the parking space, the rooms and the neighbours.
func inOrder(values []textValue) []textValue {
	var facts, prose []textValue
	for _, v := range values {
		if v.isProse {
			prose = append(prose, v)
		} else {
			facts = append(facts, v)
		}
	}
	return append(facts, prose...)
}

// pieceBlocks tell what the pieces of a page look like, and whether labels fit the values next to them.
type pieceBlocks struct {
	kinds                []pieceForm
	fitsAbove, fitsBelow []bool // a label fits the value in the piece above it, or below it
}

func newBlocks(pieces []string) *pieceBlocks {
	b := &pieceBlocks{
		kinds:     make([]pieceForm, len(pieces)),
		fitsAbove: make([]bool, len(pieces)),
		fitsBelow: make([]bool, len(pieces)),
	}
	for i, text := range pieces {
		switch {
		case isValue(text):
			b.kinds[i] = valuePiece
		case isLabel(text):
			b.kinds[i] = labelPiece
		}
	}
	fits := func(i, j int) bool {
		return j >= 0 && j < len(pieces) && b.kinds[j] == valuePiece && fitsLabel(pieces[i], pieces[j])
	}
	for i, kind := range b.kinds {
		if kind == labelPiece {
			b.fitsAbove[i], b.fitsBelow[i] = fits(i, i-1), fits(i, i+1)
		}
	}
	return b
}

// fitsLabel reports whether a value has the unit that its label suggests.
func fitsLabel(label, value string) bool {
	label = strings.ToLower(label)
	if wholeAreaWords.in(label) {
		return areaUnit().MatchString(value)
	}
	if kindOf(label) != noKind {
		return isSigned(value)
	}
	return !areaUnit().MatchString(value) && !isSigned(value)
}

const furthest = 40 // pieces before and after a value that labelOf looks at, so that its time has a bound

// labelOf returns the index of the label of a piece, or -1 if the piece is no value or has none. A row of values after
// a row of as many labels is a table. Elsewhere labels and values alternate. Some pages put labels above their values,
// others below them: the way in which more labels fit counts. If as many fit either way, labels stand above if the
// first piece is a label.
func (b *pieceBlocks) labelOf(at int) int {
	if b.kinds[at] != valuePiece {
		return -1
	}
	kinds := b.kinds
	start, limit := max(0, at-furthest), min(len(kinds), at+furthest)

	// A table: the row of values goes from firstValue to valuesEnd, and its labels stand directly above.
	firstValue := at
	for firstValue > start && kinds[firstValue-1] == valuePiece {
		firstValue--
	}
	valuesEnd := at
	for valuesEnd < limit && kinds[valuesEnd] == valuePiece {
		valuesEnd++
	}
	columns := valuesEnd - firstValue
	isWholeRow := valuesEnd < limit // else the row may go on, and its number of columns is not known
	if isWholeRow && columns > 1 && firstValue >= columns && areLabels(kinds[firstValue-columns:firstValue]) {
		return at - columns
	}

	// A block in which labels and values alternate, from first to end.
	first := at
	for first > start && kinds[first-1] != otherPiece && kinds[first-1] != kinds[first] {
		first--
	}
	end := at + 1
	for end < limit && kinds[end] != otherPiece && kinds[end] != kinds[end-1] {
		end++
	}
	fitBelow, fitAbove := countTrue(b.fitsBelow[first:end]), countTrue(b.fitsAbove[first:end])
	areLabelsAbove := fitBelow > fitAbove || fitBelow == fitAbove && kinds[first] == labelPiece
	label := at + 1
	if areLabelsAbove {
		label = at - 1
	}
	if label >= 0 && label < len(kinds) && kinds[label] == labelPiece {
		return label
	}
	return -1
}

func areLabels(kinds []pieceForm) bool {
	for _, kind := range kinds {
		if kind != labelPiece {
			return false
		}
	}
	return true
}

func countTrue(list []bool) int {
	n := 0
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// Kinds

// A costKind is what the words of a text call an amount.
type costKind int

const (
	noKind      costKind = iota // no words call it anything
	salePrice                   // the price of a home that is sold
	totalRent                   // a rent with utilities, as in "Warmmiete"
	rentCost                    // a rent, as in "Kaltmiete"
	weeklyRent                  // a rent of a week
	yearlyRent                  // a rent of a year
	lowestCost                  // the lowest of several rents or prices
	chargesCost                 // utilities
	depositCost                 // what one gets back
	feeCost                     // what is paid once, to an agency or for moving in
	formerCost                  // a rent or price that no longer holds
	otherCost                   // anything else with a price, such as a parking space or a square metre
)

// What amounts are called, in many languages. Deposits, loans and fees are never the cost. Neither are utilities, but
// a cost may include or exclude them.
var (
	depositWords   = phrasesOf("deposit")
	loanWords      = phrasesOf("loan")
	feeWords       = phrasesOf("fee")
	otherWords     = phrasesOf("otherCost")
	utilityWords   = phrasesOf("charges")
	includeWords   = phrasesOf("withCharges")
	excludeWords   = phrasesOf("withoutCharges")
	deniedWords    = phrasesOf("notIncluded")
	comprisedWords = anyOf("_cc_|_tcc_|_c.c._") // "charges comprises"; each _ is the edge of a word
	coldWords      = phrasesOf("coldRent")
	saleWords      = phrasesOf("salePrice")
	rentWords      = phrasesOf("rent")
	formerWords    = phrasesOf("former")
	areaCostWords  = phrasesOf("perArea")
	boundWords     = listOf("bound", "from") // before an amount that somebody asks for at most or at least
	fromWords      = listOf("from")
	rentNextWords  = listOf("rentNext") // "kalt" of "kalt 900" and of "900 kalt"
	rentNames      = phrasesOf("rentName")
	priceNames     = phrasesOf("rentName", "priceName") // "rent", "price"
)

// withoutFalseWords replaces words that mean something else than what they contain: warm water is not a warm rent, Ibi
// is a town as well as a tax, and Polish "itp." is "etc.".
var withoutFalseWords = strings.NewReplacer("warmwasser", "wasser", "kaltwasser", "wasser", "provision pour", "charges",
	"provision sur", "charges", "provisions sur", "charges", "provisions pour", "charges", "administracyjn", "",
	"hoa fee", "hoa", "en ibi", "", "itp.", "", "czynsz najmu", "najmu", "budget-friendly", "", "budget friendly", "")

// kindOf returns what words, in lower case, call an amount. Of several kinds, those that are never the cost come first:
// "Kaution: 3 Monatsmieten" is a deposit, although "miete" is a rent.
func kindOf(words string) costKind {
	if words == "" {
		return noKind
	}
	words = withoutFalseWords.Replace(words)
	switch {
	case depositWords.in(words):
		return depositCost
	case loanWords.in(words), otherWords.in(words):
		return otherCost
	case feeWords.in(words):
		return feeCost
	case areaCostWords.in(words):
		return otherCost
	case formerWords.in(words):
		return formerCost
	case saleWords.in(words):
		return salePrice
	case comprisedWords.in(words), includeWords.in(words) && !deniedWords.in(words):
		return totalRent
	case utilityWords.in(words):
		if excludeWords.in(words) {
			return rentCost
		}
		return chargesCost
	case rentWords.in(words):
		return rentCost
	}
	return noKind
}

// isExtra reports whether an amount of a kind is paid in addition to the cost.
func (k costKind) isExtra() bool {
	return k == depositCost || k == feeCost || k == chargesCost || k == otherCost
}
