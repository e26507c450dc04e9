// Units: what a number counts, and the time that a cost is for, by the words around it.

package listing

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An amountUnit is what a number counts, as far as the words around it tell.
type amountUnit int

const (
	noUnit amountUnit = iota
	squareMetres
	squareFeet
	roomCount
	bedroomCount
	perArea // a cost of each square metre
	dateUnit
	otherUnit // clock times, percentages, ordinals, floors, homes, minutes, kilometres, parts of codes
)

// A period is the time that a cost is for.
type period int

const (
	noPeriod period = iota
	perMonth
	perWeek
	perYear
	perDay
)

// monthly returns a cost of a period as one of a month, rounded. A cost without a period, and one of a day, stay as
// they are.
func (p period) monthly(cost float64) float64 {
	switch p {
	case perWeek:
		return math.Round(cost * 52 / 12)
	case perYear:
		return math.Round(cost / 12)
	}
	return cost
}

// A plainNumber is a number in a text.
type plainNumber struct {
	value   float64 // times its scale: 450K is 450,000
	written string  // the digits as they stand, with their separators
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// countDigits returns the number of digits with which a text begins.
func countDigits(text string) int {
	n := 0
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	return n
}

// The words after a number.
var (
	metresWords  = startsOf("squareMetres")
	feetWords    = startsOf("squareFeet")
	roomUnits    = startsOf("roomUnit")
	bedroomUnits = startsOf("bedroomUnit")
	floorWords   = startsOf("floorUnit")
	homeWords    = startsOf("homeUnit")
	countWords   = startsOf("otherUnit")
	ordinalEnds  = startsOf("ordinal")
	noRooms      = startsOf("notRoom") // after a word of roomUnits that then counts no rooms
	metreAlone   = newStarts("m_")     // for a square metre, as in "12 €/m"
	perMetre     = startsOf("perSquare")
)

// unitAt returns the unit that the text after a number begins with, and its length. The length is 0 for dates and other
// units, which do not become part of the amount, except for the rest of a code. An amount of money has no unit but an
// area.
func (n plainNumber) unitAt(text string, isMoney bool) (amountUnit, int) {
	rest := strings.TrimLeft(text, " -")
	skipped := len(text) - len(rest)
	if skipped > 1 { // what follows is no unit of the number, as in "3 - room"
		rest, skipped = text, 0
	}
	if length := metresWords.at(rest); length > 0 {
		return squareMetres, skipped + length
	}
	if length := feetWords.at(rest); length > 0 {
		return squareFeet, skipped + length
	}
	if isMoney {
		return noUnit, 0
	}
	if floorWords.at(rest) > 0 || homeWords.at(rest) > 0 {
		return otherUnit, 0
	}
	if length := bedroomUnits.at(rest); length > 0 {
		return bedroomCount, skipped + length
	}
	if length := roomUnits.at(rest); length > 0 && n.countsRooms(rest[length:]) {
		return roomCount, skipped + length
	}
	if n.isOrdinal(text) || countWords.at(rest) > 0 {
		return otherUnit, 0
	}
	if months()[strings.ToLower(wordAt(rest))] && n.value <= 31 { // "3 May"
		return dateUnit, 0
	}
	if after, ok := strings.CutPrefix(rest, "de "); ok && months()[strings.ToLower(wordAt(after))] { // "3 de mayo"
		return dateUnit, 0
	}
	if letters := wordAt(text); letters != "" && len(letters) <= 3 {
		return otherUnit, len(letters) // part of a code: 1AA, 12b
	}
	return noUnit, 0
}

// maxRooms is the largest number of rooms that a home may have. Larger numbers are areas, or numbers of houses.
const maxRooms = 30

// countsRooms reports whether a number may be one of rooms: at most maxRooms, whole or with a half. rest is the text
// after the word for rooms.
func (n plainNumber) countsRooms(rest string) bool {
	if noRooms.at(rest) > 0 {
		return false
	}
	halves := n.value * 2
	return n.value <= maxRooms && halves == math.Trunc(halves)
}

// isOrdinal reports whether a number is an ordinal, by the text after it: 2nd, 3e, and 2. before a word.
func (n plainNumber) isOrdinal(text string) bool {
	if len(n.written) > 2 {
		return false
	}
	if ordinalEnds.at(text) > 0 {
		return true
	}
	after, hasPoint := strings.CutPrefix(text, ". ")
	return hasPoint && beginsInLetter(after)
}

// unitBefore returns the unit of a number that no unit follows, by the text before it.
func unitBefore(before string) amountUnit {
	last, _ := utf8.DecodeLastRuneInString(before)
	if unicode.IsLetter(last) || last == '#' || last == '_' || last == '°' {
		return otherUnit // part of a code: T2, #12
	}
	word := strings.ToLower(lastWord(strings.TrimRight(before, ".° ")))
	switch {
	case months()[word]:
		return dateUnit
	case numberWords()[word]:
		return otherUnit
	}
	return noUnit
}

// numberWords are words after which a number counts nothing.
var numberWords = setOfWords("numbered")

// months are the names of months and their short forms.
var months = setOfWords("month")

// Periods

// The words after a cost that name its period, perhaps after "per", a stroke or such.
var periodWords = map[period]*starts{
	perMonth: startsOf("perMonth"), perWeek: startsOf("perWeek"), perYear: startsOf("perYear"), perDay: startsOf("perDay"),
}

var periods = []period{perMonth, perWeek, perYear, perDay} // in the order in which texts are searched for them

var perWords = startsOf("per")

// periodAt returns the period with which the text after a cost begins, and its length, or noPeriod and 0.
func periodAt(text string) (period, int) {
	const mostBetween = 4 // bytes between a cost and its period: " (", ",– "
	rest := strings.TrimLeft(text, " ,.-–(")
	if len(text)-len(rest) > mostBetween {
		return noPeriod, 0
	}
	per := perWords.at(rest)
	for _, start := range []int{per, 0} { // after a word such as "per", or else at once
		word := strings.ToLower(wordAt(rest[start:]))
		lacksPer := start == 0 && needsPer()[word]
		for _, p := range periods {
			const longestEnding = 4 // bytes of the ending of a word, as in "monatlich"
			length := periodWords[p].at(rest[start:])
			isOtherWord := len(word)-length > longestEnding // "Monatsmiete"
			if length == 0 || isOtherWord || lacksPer {
				continue
			}
			return p, len(text) - len(rest) + start + length
		}
	}
	return noPeriod, 0
}

// periodLength returns the length of the name of a period with which a text begins, or 0.
func periodLength(text string) int {
	for _, p := range periods {
		if length := periodWords[p].at(text); length > 0 {
			return length
		}
	}
	return 0
}

// needsPer has words that name the period of a cost only after "per": "3 months" is a duration.
var needsPer = setOfWords("duration")

// The parts of words before a cost that name its period: "Jahresmiete", "Weekly rent".
var periodNames = map[period]func() []string{
	perMonth: listOf("monthly"),
	perWeek:  listOf("weekly"),
	perYear:  listOf("yearly"),
	perDay:   func() []string { return nil },
}

// periodBefore returns the period that the words before a cost name. Words before a separator belong to another amount.
func periodBefore(before string) period {
	const longest = 40 // bytes before the cost in which these words are looked for
	before = before[max(0, len(before)-longest):]
	if i := strings.LastIndexAny(before, ",;/|\n"); i >= 0 {
		before = before[i+1:]
	}
	before = strings.ToLower(before)
	for _, p := range periods {
		for _, name := range periodNames[p]() {
			if strings.Contains(before, name) {
				return p
			}
		}
	}
	return noPeriod
}

// isPerArea reports whether the text after a cost makes it the price of a square metre or foot.
func isPerArea(text string) bool {
	rest := strings.TrimLeft(text, " ")
	spaces := len(text) - len(rest)
	per := perMetre.at(rest)
	if per == 0 || spaces > 1 {
		return false
	}
	rest = rest[per:]
	return metresWords.at(rest) > 0 || feetWords.at(rest) > 0 || metreAlone.at(rest) > 0
}

// wordAt returns the letters with which a text begins.
func wordAt(text string) string {
	for i, r := range text {
		if !unicode.IsLetter(r) {
			return text[:i]
		}
	}
	return text
}

// lastWord returns the letters at the end of a text, before spaces and colons there.
func lastWord(text string) string {
	text = strings.TrimRight(text, " :")
	start := strings.LastIndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if start < 0 {
		return text
	}
	_, size := utf8.DecodeRuneInString(text[start:])
	return text[start+size:]
}
