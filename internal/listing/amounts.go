// Amounts: the numbers in a text, with their currencies, scales, units and periods.

package listing

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

// An amount is a number in a text, with its currency, unit and period.
type amount struct {
	start, end int // offsets in the text, with its currency and its unit
	digits     int // offset of its first digit
	tail       int // offset of the text after its digits, its scale and its currency
	plainNumber
	sign    string // an ISO 4217 code, one of sharedSigns, or "" without a currency
	inRange bool   // it is one end of a range
	unit    amountUnit
	period  period
}

// AmountIn reads a field of a listing that is given as a text. kind is "cost", "area", "rooms" or, for other
// money, "monthly" or "once". country is the top-level domain of the listing's country ("ch", "uk"), or "". ok is
// false if the text has no such number. Only money has a currency, and that may be "".
func AmountIn(kind, text, country string) (value float64, currency string, ok bool) {
	switch kind {
	case "cost":
		return readCost(text, country)
	case "monthly", "once":
		value, currency, ok = readCost(text, country)
		isOther := currency == "" && strings.ContainsFunc(text, unicode.IsLetter) // "3 months' rent"
		return value, currency, ok && !isOther
	case "area":
		value, ok = readArea(text)
	case "rooms":
		value, ok = readRooms(text)
	}
	return value, "", ok
}

// readCost reads the cost in a text as sites write it, such as "1.240,50 €", "from $450K" or "£450 pw": the number
// next to a currency, else the first number that can be a cost. Of a range it is the lowest. A weekly or yearly cost is
// converted to a month, but an amount that is called monthly comes first. currency is an ISO 4217 code, or "" if the
// text names none.
func readCost(text, country string) (cost float64, currency string, ok bool) {
	text = shortText(text)
	found := amountsIn(nil, withCodes(text, country))
	best := -1
	for i, a := range found {
		if a.isCost() && (best < 0 || a.isBetterThan(found[best])) {
			best = i
		}
	}
	if best < 0 {
		if country == "" && strings.Contains(text, "KM") { // a cost in Bosnian marks was read as a distance
			return readCost(text, "ba")
		}
		return 0, "", false
	}
	a := found[best]
	cost = a.value
	if a.sign == "¥" && strings.ContainsAny(text, "元租厅室") { // Chinese rather than Japanese
		country = "cn"
	}
	if other, isRange := a.rangeWith(found, best); isRange && other.value < cost && other.value > 0 {
		cost = other.value
	}
	return a.period.monthly(cost), currencyIn(a.sign, country), true
}

// isCost reports whether a number in a field for a cost may be one: it counts nothing else.
func (a amount) isCost() bool { return a.unit == noUnit }

// isFact reports whether an amount has a currency, or a unit in which facts of homes are told.
func (a amount) isFact() bool {
	return a.sign != "" || a.unit != noUnit && a.unit != dateUnit && a.unit != otherUnit
}

// isBetterThan reports whether an amount is the cost rather than an earlier one: only it has a currency, or it is of a
// month and the earlier one of another period.
func (a amount) isBetterThan(earlier amount) bool {
	if (a.sign != "") != (earlier.sign != "") {
		return a.sign != ""
	}
	return a.period == perMonth && earlier.period != perMonth && earlier.period != noPeriod
}

// rangeWith returns the other end of the range that begins with an amount, which is all[i].
func (a amount) rangeWith(all []amount, i int) (other amount, ok bool) {
	if i+1 < len(all) && all[i+1].endsRangeOf(a) {
		return all[i+1], true
	}
	return amount{}, false
}

// endsRangeOf reports whether an amount is the other end of a range that begins with first. amountsIn has made their
// units alike.
func (a amount) endsRangeOf(first amount) bool {
	return a.inRange && first.inRange && a.unit == first.unit && a.start == first.end && a.start > 0
}

// readArea reads an area in square metres. Square feet are converted, and rounded. Of a range it is the lowest.
func readArea(text string) (area float64, ok bool) {
	text = shortText(text)
	inFeet := feetBefore().MatchString(text)
	for _, unit := range []amountUnit{squareMetres, squareFeet, noUnit} { // the surest first
		for _, a := range amountsIn(nil, text) {
			if a.unit != unit || a.sign != "" {
				continue
			}
			if unit == squareFeet || unit == noUnit && inFeet {
				return math.Round(a.value * SquareFoot), true
			}
			named := landUnit().FindStringSubmatch(text[a.end:])
			if unit == noUnit && named != nil {
				return math.Round(a.value * landUnits[strings.ToLower(named[1])[0]]), true
			}
			return a.squareMetres(), true
		}
	}
	return 0, false
}

// SquareFoot is a square foot in square metres.
const SquareFoot = 0.092903

// landUnits are units of area for land, in square metres, by the first letters of their names.
var landUnits = map[byte]float64{'a': 4046.86, 'h': 10_000, 's': 0.836127, 'y': 0.836127}

// landUnit matches one of landUnits after a number.
var landUnit = newPattern(`(?i)^ ?(acre|hectare|ha|sq\.? ?y(?:ar)?d|yd²)s?(?:\P{L}|$)`)

// feetBefore matches a unit before its number: "Sq. ft: 900".
var feetBefore = newPattern(`(?i)\bsq\.? ?f(?:ee)?t`)

const largestHome = 2000 // m², more than any home has

// squareMetres returns an area. The point of "38.125 m²" is a decimal point, unlike the point of "1.240 m²", because
// no home has 38,125 m².
func (a amount) squareMetres() float64 {
	if a.value < largestHome {
		return a.value
	}
	return a.decimal()
}

// decimal returns the number of an amount with its only point or comma as the decimal point.
func (a amount) decimal() float64 {
	if strings.Count(a.written, ".")+strings.Count(a.written, ",") != 1 {
		return a.value
	}
	decimal, err := strconv.ParseFloat(strings.ReplaceAll(a.written, ",", "."), 64)
	if err != nil {
		return a.value
	}
	return decimal
}

// readRooms reads a number of rooms or bedrooms, such as "2,5 Zi.", "3½", "T2", or "3+kk". A studio has one room and
// no bedroom, so it is neither here.
func readRooms(text string) (rooms float64, ok bool) {
	text = shortText(text)
	if found := homeType().FindStringSubmatch(text); found != nil {
		rooms, _ = strconv.ParseFloat(found[1]+found[2], 64)
		return rooms, true
	}
	for _, unit := range []amountUnit{roomCount, bedroomCount, noUnit} { // the surest first
		for _, a := range amountsIn(nil, text) {
			if a.unit == unit && a.sign == "" {
				return a.rooms(), true
			}
		}
	}
	if strings.HasPrefix(text, "½") {
		return 0.5, true
	}
	return 0, false
}

// rooms returns a number of rooms. The point of "1.500" is a decimal point, because no home has 1,500 rooms.
func (a amount) rooms() float64 {
	const leastGrouped = 1000 // the least number with a separator of thousands
	if a.value < leastGrouped {
		return a.value
	}
	return a.decimal()
}

// homeType matches the type of a home by its rooms, as in France and Portugal (T3, T1bis, appartement t3, maison de
// type 3), and in Czechia (3+kk). Other things have types, too: "tram t2", "borne de type 2".
var homeType = newPattern(`(?:(?:(?:^|[^\p{L}\d])[TF]|` +
	`(?i:appartement|maison) (?:[tf]|(?:de )?type ))([1-9])(?: ?bis)?|` +
	`(?:^|[^\p{L}\d])([1-9])\+(?:kk|1))(?:[^\p{L}\d]|$)`)

// Real amounts are shorter.
const (
	longestAmount = 64                 // characters of an amount that are read
	longestPadded = 64 * longestAmount // bytes of an amount with its white space
)

// shortText returns the first longestAmount characters of a text without its markup and repeated white space. If it
// cuts the text, it drops a number at the end, which may be incomplete. It looks at longestPadded bytes, and may divide
// the last character there, which then belongs to no number.
func shortText(text string) string {
	isLong := len(text) > longestPadded
	text = text[:min(len(text), longestPadded)]
	text = strings.Join(strings.Fields(plainSpaces(PlainText(text))), " ")
	runes := []rune(text)
	if isLong || len(runes) > longestAmount {
		text = strings.TrimRight(string(runes[:min(len(runes), longestAmount)]), "0123456789.,' ")
	}
	return text
}

const (
	stepsOfLetter = 20   // steps of a turns.Task for looking at a letter
	stepsOfNumber = 1000 // steps for reading a number
)

// amountsIn returns the numbers in a text from left to right, in time linear in the text, which it charges to a task.
// The spaces and apostrophes of the text are those of plainSpaces. The first number of a range gets the scale, the
// currency, the unit and the period of the second, which begins where the first ends.
func amountsIn(work *turns.Task, text string) []amount {
	var found []amount
	lastEnd := 0 // of the amount before
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			i++
			continue
		}
		work.Step(stepsOfNumber)
		a, next := amountAt(text, i, lastEnd, rangeSign(found, text[lastEnd:i]))
		i = next
		if a.end == 0 { // it cannot be read
			continue
		}
		if n := len(found); n > 0 {
			last := &found[n-1]
			if a.mayEndRangeOf(*last) && isRangeBetween(text[last.end:a.start]) {
				last.end = a.start
				last.completeFrom(a)
				last.inRange, a.inRange = true, true
			}
		}
		found = append(found, a)
		lastEnd = a.end
	}
	return found
}

// rangeSign returns the currency of the amount before a number if both may be a range in millions, as in "$1.2-1.25m",
// or "". In such a range the first number is less than a hundred, which is no cost of a home.
func rangeSign(found []amount, between string) string {
	if n := len(found); n > 0 && isRangeBetween(between) {
		if number, _ := splitScale(found[n-1]); number < 100 {
			return found[n-1].sign
		}
	}
	return ""
}

// mayEndRangeOf reports whether an amount may be the other end of a range that begins with first, by the units of both.
func (a amount) mayEndRangeOf(first amount) bool {
	if first.sign != "" && a.unit != perArea {
		return a.unit == first.unit // "$3,050 - 1br" is no range
	}
	return a.unit == first.unit || first.unit == noUnit && a.unit != dateUnit && a.unit != otherUnit
}

// completeFrom gives the first number of a range the unit, the scale, the currency and the period that only the second
// one has: "900 - 1.000 €/Monat", "1,2 - 1,25 Mio. €".
func (a *amount) completeFrom(other amount) {
	if a.unit == noUnit && other.unit != dateUnit {
		a.unit = other.unit
	}
	if _, own := splitScale(*a); own == 1 {
		_, scale := splitScale(other)
		if scale > 1 && a.value <= other.value/scale { // else the first number is whole: "300,000 - 450K"
			a.value *= scale
		}
	}
	// mostTimes bounds the end of a range of money, as a multiple of its start: "3 - 900 €" is no range.
	const mostTimes = 4
	if a.sign == "" && a.value*mostTimes >= other.value {
		a.sign = other.sign
	}
	if a.period == noPeriod {
		a.period = other.period
	}
}

// splitScale returns the number of an amount as it is written, and its scale: 450 and 1000 of "450K".
func splitScale(a amount) (number, scale float64) {
	number, _, _ = readDigits(a.written)
	if number == 0 || a.value <= number+0.5 { // a half is no scale
		return number, 1
	}
	return number, math.Round(a.value / number)
}

// amountAt returns the amount whose first digit is at an offset, and the offset where to look for the next one. An
// amount that cannot be read has the end 0. lastEnd is the end of the amount before, from which on text may belong to
// this amount. ofRange is the currency of the amount before if both are a range, or "".
func amountAt(text string, at, lastEnd int, ofRange string) (a amount, next int) {
	before := text[lastEnd:at]
	sign, signLength, scale := scaledCurrencyBefore(before)
	rand := randBefore(before)
	isOfCode := sign == "" && rand == 0 && endsInLetter(before) // "T2 950 €", "LS6 950 €"
	value, length, ok := readDigits(text[at:])
	if space := strings.IndexByte(text[at:at+length], ' '); isOfCode && space > 0 {
		value, length, ok = readDigits(text[at : at+space])
	}
	a = amount{start: at, digits: at, plainNumber: plainNumber{value, text[at : at+length]}}
	end := at + length
	const longestDate = 14 // bytes of a date, with the one after it
	if date := dateAt().FindString(text[at:min(len(text), at+longestDate)]); isDate(date) {
		a.end = at + len(date)
		a.tail = a.end
		a.unit = dateUnit
		return a, a.end
	}
	if !ok {
		return amount{}, end
	}
	half := halfAt(text[end:])
	if half > 0 {
		a.value += 0.5
		end += half
	}
	if sign != "" {
		a.sign = sign
		a.start -= signLength
	} else if length := clockAt(text[at:]); length > 0 {
		a.end = at + length
		a.tail = a.end
		a.unit = otherUnit
		return a, a.end
	}
	if rand > 0 {
		a.sign = "ZAR" // unless isRand denies it below
	}
	end = a.readAfter(text, end, cmp.Or(a.sign, ofRange))
	if _, own := splitScale(a); own == 1 && scale > 1 {
		a.scaleBy(scale)
	}
	a.end = end
	switch {
	case rand > 0 && a.isRand():
		a.start -= rand
	case rand > 0:
		a.sign = ""
	}
	if a.unit == noUnit && a.sign == "" {
		a.unit = unitBefore(text[lastEnd:a.start])
	}
	if a.unit == noUnit && a.sign == "" && half > 0 && a.countsRooms("") {
		a.unit = roomCount // a home of 4 ½ in Québec
	}
	if a.period == noPeriod {
		a.period = periodBefore(text[lastEnd:a.start])
	}
	return a, end
}

// randBefore returns the length of an R for South African rands at the end of a text before a number, or 0.
func randBefore(text string) int {
	rest := strings.TrimSuffix(text, " ")
	last, _ := utf8.DecodeLastRuneInString(strings.TrimSuffix(rest, "R"))
	if !strings.HasSuffix(rest, "R") || unicode.IsLetter(last) {
		return 0
	}
	return len("R") + len(text) - len(rest)
}

// isRand reports whether a number after an R is a cost, and not part of a code: it has a period, or it has thousands,
// grouped as in "R 12 500".
func (a amount) isRand() bool {
	isGrouped := a.value >= 1000 && strings.ContainsAny(a.written, " ,.")
	return a.unit == noUnit && (a.period != noPeriod || isGrouped)
}

// readAfter reads what follows the digits of an amount, and returns where that ends. sign is the currency before the
// amount, or before the range that it ends.
func (a *amount) readAfter(text string, end int, sign string) int {
	rest := text[end:]
	dash := dashAt(rest) // "900,–"
	scale, length := scaleAt(rest, sign, a.value)
	if scale > 1 {
		a.scaleBy(scale)
		end += length
		rest = text[end:]
	} else if dash > 0 {
		end += dash
		rest = text[end:]
	}
	if scale > 1 && ofMoney.at(rest) > 0 { // "millones de euros"
		end += len(" de")
		rest = text[end:]
	}
	if sign, length := signAfter(rest); sign != "" && !isOfNext(rest, length) {
		if a.sign == "" || sharedSigns[a.sign] != nil {
			a.sign = sign
		}
		end += length
		rest = text[end:]
		if code, length := signAfter(rest); len(code) == len("CAD") && sharedSigns[a.sign] != nil { // "900 $ CAD"
			a.sign = code
			end += length
			rest = text[end:]
		}
		isSymbol := !endsInLetter(text[:end])
		if cents := a.centsAt(rest); scale == 1 && dash == 0 && isSymbol && cents > 0 {
			a.value += cents
			end += len("50")
			rest = text[end:]
		}
	}
	a.tail = end
	if isPerArea(rest) {
		a.unit = perArea
		return end
	}
	var unitLength int
	a.period, unitLength = periodAt(rest)
	if a.period == noPeriod && scale <= 1 && dash == 0 {
		a.unit, unitLength = a.unitAt(rest, a.sign != "")
	}
	return end + unitLength
}

// isOfNext reports whether the currency after a number belongs to the next number, as in "Dublin 8 €1850". It does if
// it stands directly before that number, which has neither another currency nor a unit. rest is the text after the
// first number, and length that of the currency with the space before it.
func isOfNext(rest string, length int) bool {
	next := rest[length:]
	if rest[0] != ' ' || next == "" || !isDigit(next[0]) {
		return false
	}
	value, digits, _ := readDigits(next)
	n := plainNumber{value, next[:digits]}
	after := next[digits:]
	period, _ := periodAt(after)
	if scale, _ := scaleAt(after, rest[1:length], value); period != noPeriod || scale > 1 {
		return true
	}
	sign, _ := signAfter(after)
	unit, _ := n.unitAt(after, false)
	return sign == "" && unit == noUnit
}

// scaleBy multiplies a number by a scale. The point of "1.295m" is a decimal point, because no home costs thousands of
// millions.
func (a *amount) scaleBy(scale float64) {
	if scale >= 1e6 {
		a.value = a.decimal()
	}
	a.value *= scale
}

// centsAt returns the cents with which the text after a currency begins, as in "1200€50", as a part of one, or 0. A
// space before them, or other words after them, make them another number: "750 € 50", "900€65 m²".
func (a *amount) centsAt(text string) float64 {
	found := centsAfter().FindStringSubmatch(text)
	if found == nil || a.value != math.Trunc(a.value) {
		return 0
	}
	cents, _ := strconv.ParseFloat(found[1], 64) // no error: they are two digits
	return cents / 100
}

var centsAfter = newPattern(`(?i)^(\d\d)(?:$|\n|[;)]| ?/ ?(?:mois|m²|m2)| ?(?:cc|hc|c\.c|h\.c|charges)(?:\P{L}|$))`)

// isSigned reports whether a text has an amount of money with its currency.
func isSigned(text string) bool {
	return slices.ContainsFunc(amountsIn(nil, text), func(a amount) bool { return a.sign != "" })
}

// Digits

const mostDigits = 16 // digits of a number; one with more is not read, because a float64 has no more

// readDigits reads the number with which a text begins. A separator before exactly three digits groups thousands,
// except after a 0 ("0.240"), after more than three digits ("1240.500"), and after another separator ("1.240,500"). In
// India, groups of two digits precede that of three ("1,25,000"). Any other point or comma is the decimal point, and
// any other separator ends the number. ok is false for a number of too many digits.
func readDigits(text string) (value float64, length int, ok bool) {
	length = countDigits(text)
	number := text[:length] // the digits, with a point before decimals
	var group byte          // the separator of thousands, or 0
	if groups := indianGroups(text[length:]); groups > 0 && length <= 2 && number[0] != '0' {
		number += strings.ReplaceAll(text[length:length+groups], ",", "")
		length += groups
		group = ','
	}
	for length < len(text) && strings.IndexByte(".,' ", text[length]) >= 0 {
		sep := text[length]
		n := countDigits(text[length+1:])
		mayGroup := group == sep || group == 0 && len(number) <= 3
		if n == 3 && number[0] != '0' && mayGroup {
			number += text[length+1 : length+4]
			length += 4
			group = sep
			continue
		}
		if n > 0 && sep != group && (sep == '.' || sep == ',') {
			number += "." + text[length+1:length+1+n]
			length += 1 + n
		}
		break
	}
	if len(number) > mostDigits {
		return 0, length, false
	}
	value, err := strconv.ParseFloat(number, 64)
	return value, length, err == nil
}

// indianGroups returns the length of the groups of digits, two and at last three, with which the rest of a number
// begins: ",25,000". It returns 0 if there are none.
func indianGroups(text string) int {
	length := 0
	for strings.HasPrefix(text[length:], ",") && countDigits(text[length+1:]) == 2 {
		length += 3
	}
	if length > 0 && strings.HasPrefix(text[length:], ",") && countDigits(text[length+1:]) == 3 {
		return length + 4
	}
	return 0
}

// halfAt returns the length of a half at the start of text, the part after a number: "½", " ½", " 1/2" or
// " + 1 fél".
func halfAt(text string) int {
	for _, half := range []string{"½", " ½", " 1/2", " + 1 fél"} {
		if strings.HasPrefix(text, half) && !isDigit((text + " ")[len(half)]) {
			return len(half)
		}
	}
	return 0
}

// dashAt returns the length of a dash for no cents at the start of text, the part after a number: ".–", ",-".
func dashAt(text string) int {
	for _, dash := range []string{".--", ",--", ".-", ",-", ":-", ".–", ",–", ".—", ",—"} {
		if strings.HasPrefix(text, dash) {
			return len(dash)
		}
	}
	return 0
}

// dateAt matches dates such as 2026-11-30, 30.11.2026, 30/11/26 and 30.11.
var dateAt = newPattern(`^(?:\d{4}-\d\d-\d\d|\d{4}/\d\d/\d\d|\d{1,2}([./-]) ?\d{1,2}[./-] ?(?:\d{4}|` +
	`\d\d)(?:\D|$)|` +
	`\d{1,2}\.\d{1,2}\.(?:\D|$))`)

// isDate reports whether what looks like a date can be one: a day and a month in either order. In "costs 12.50." there
// is none.
func isDate(text string) bool {
	numbers := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if len(numbers) == 0 {
		return false
	}
	if len(numbers[0]) == 4 {
		return true
	}
	first, _ := strconv.Atoi(numbers[0])
	second, _ := strconv.Atoi(numbers[1])
	return first >= 1 && second >= 1 && first <= 31 && second <= 31 && min(first, second) <= 12
}

var betweenRange = newPattern(`^ ?(?:-|–|—|{{rangeTo}}) ?$`)

// isRangeBetween reports whether what stands between two numbers makes them a range. "and" does so
// even without "between" before it: two costs that are to be added have a name between them, "900 and deposit 1800".
func isRangeBetween(text string) bool {
	return len(text) < longestBetween && betweenRange().MatchString(text)
}

const longestBetween = 8 // bytes; a text between two numbers that has as many makes no range

// halfDays are the words after an hour from 1 to 12.
var halfDays = newStarts("am_|pm_|a.m.|p.m.")

var (
	oclock  = startsOf("oclock")
	ofMoney = startsOf("scaleOf") // between a scale and its currency
)

// clockAt returns the length of the time of day with which a text begins, or 0: "18:30", "10.30am", the "10" of
// "10-11am".
func clockAt(text string) int {
	length, isClock := timeAt(text)
	if length == 0 || isClock {
		return length
	}
	rest := text[length:]
	next := strings.IndexAny(rest[:min(len(rest), longestBetween)], "0123456789")
	if next < 0 || !isRangeBetween(rest[:next]) {
		return 0
	}
	if _, isClock = timeAt(rest[next:]); isClock {
		return length
	}
	return 0
}

// timeAt returns the length of what may be a time of day, or 0, and whether it is one by its form or the words after
// it.
func timeAt(text string) (length int, isClock bool) {
	length = countDigits(text)
	hour, _ := strconv.Atoi(text[:min(length, 2)])
	if length > 2 || hour > 24 {
		return 0, false
	}
	if rest := text[length:]; len(rest) > 2 && strings.IndexByte(":.h", rest[0]) >= 0 && countDigits(rest[1:]) == 2 {
		if rest[1] > '5' { // an hour has 60 minutes
			return 0, false
		}
		isClock = rest[0] != '.' // 18.30 may be a number
		length += len(":30")
	}
	rest := strings.TrimPrefix(text[length:], " ")
	after := oclock.at(rest)
	if after == 0 && hour <= 12 {
		after = halfDays.at(rest)
	}
	if after > 0 {
		return len(text) - len(rest) + after, true
	}
	return length, isClock
}
