// Costs: what the amounts in a text are, by the words around them, and which of them is the cost of the home.

package listing

import (
	"slices"
	"strings"
)

// A foundCost is an amount of money in a text and the kind of cost that it is.
type foundCost struct {
	value     float64
	sign      string // the currency, as in amount
	kind      costKind
	fillsLine bool // the line of the amount has little or nothing else
	isProse   bool // the amount stands in a sentence
	excludes  bool // the words around the amount say that utilities come on top
}

const shortLine = 25 // letters of a line that has little more than an amount of money

// wordsAround are the words around an amount in a value.
type wordsAround struct {
	allBefore, allAfter string // up to where parting divides the words between two amounts
	before, after       string // the words of these that belong to the amount, in lower case
}

// costsIn returns the amounts of money in a value, with what its words and its label call them.
func (v *textValue) costsIn() []foundCost {
	var money []amount
	for _, a := range v.amounts {
		if v.isMoney(a) {
			money = append(money, a)
		}
	}
	var found []foundCost
	for i, words := range v.wordsOf(money) {
		c := v.costOf(money[i], words)
		if c.kind != otherCost && (c.value >= leastCost || c.kind.isExtra()) {
			found = append(found, c)
		}
	}
	return found
}

// wordsOf returns the words around each amount of money in a value.
func (v *textValue) wordsOf(money []amount) []wordsAround {
	around := make([]wordsAround, len(money))
	place := v.placeOfNames(money)
	start := 0 // of the words before an amount
	for i, a := range money {
		words := &around[i]
		words.allBefore, words.allAfter = v.text[start:max(start, a.start)], v.text[a.tail:]
		isFirst, isLast := i == 0, i+1 == len(money)
		words.before = strings.ToLower(clause(words.allBefore, isFirst))
		if isLast {
			words.after = strings.ToLower(words.allAfter)
			break
		}
		next := money[i+1]
		nextStart := max(a.tail, next.start)
		afterNext := v.text[max(nextStart, next.tail):]
		end, startOfNext := v.parting(words.before, a, nextStart, afterNext, place)
		words.allAfter = v.text[a.tail:end]
		words.after = strings.ToLower(words.allAfter)
		// A word alone between two amounts belongs to the next one, and so do words of a former price.
		if wordAlone().MatchString(words.allAfter) || formerWords.in(words.after) {
			words.after = ""
		}
		start = startOfNext
	}
	return around
}

// costOf returns an amount of money in a value with its kind, which is otherCost if it is no cost of the home.
func (v *textValue) costOf(a amount, words wordsAround) foundCost {
	c := foundCost{value: a.value, sign: a.sign, isProse: v.isProse}
	c.fillsLine = !v.isProse && (isValue(v.text) || v.length < shortLine)
	c.kind = a.kindAmong(words.before, words.after, v.lowerLabel)
	if c.kind == chargesCost {
		c.value = a.period.monthly(a.value)
	}
	if a.sign == "" && !v.countsAsMoney(a, words) {
		c.kind = otherCost
	}
	if isOfGoods(words.allBefore, words.allAfter) {
		c.kind = otherCost
	}
	// "From £900" in a sentence, or alone, may belong to a search or an advertisement.
	if c.kind == lowestCost && (v.isProse || !v.tellsSize()) {
		c.kind = otherCost
	}
	near := trailing(words.before, lettersBeforeCost) + " " + v.lowerLabel + " " +
		leading(words.after, lettersAfterCost)
	near = withoutFalseWords.Replace(near)
	isKM := kmBefore().MatchString(words.before) || kmAfter().MatchString(words.after)
	c.excludes = isKM || coldWords.in(near) || excludeWords.in(near) && utilityWords.in(near)
	return c
}

// countsAsMoney reports whether a number without a currency is an amount of money, by the words around it or by how it
// is written.
func (v *textValue) countsAsMoney(a amount, words wordsAround) bool {
	isCold := kmBefore().MatchString(words.before) && strings.Contains(words.allBefore, "KM") // "KM 850", not "km 850"
	isAdded := strings.HasSuffix(strings.TrimRight(words.allBefore, " "), "+")                // "9.500 kr + 900 aconto"
	switch {
	case codeAndTown().MatchString(v.text[a.start:]):
		return false // it is a postal code
	case isCold || rentNext().MatchString(words.after) || v.isNamedBy(words.before):
		return true
	case isAdded && kindOf(firstWord().FindString(words.after)) == chargesCost:
		return true
	}
	return v.hasDash(a) || a.period == perMonth || a.period == perWeek
}

// The initials of "Kaltmiete", next to an amount. Elsewhere they are kilometres.
var (
	kmBefore = newPattern(`(?:^|[,;|(·•]) ?km:? ?$`)
	kmAfter  = newPattern(`^ ?\(?km(?:\P{L}|$)`)
)

// The letters before and after an amount that may tell its kind.
const lettersBeforeCost, lettersAfterCost = 60, 40

// A namePlace tells on which side of the amounts of a text their names stand.
type namePlace int

const (
	bothSides    namePlace = iota // no side is known
	beforeAmount                  // "850 € Kaution 1700 €"
	afterAmount                   // "850 € Kaltmiete 150 € NK"
)

// placeOfNames returns where the names of amounts stand in a value. They stand after the amounts if the last one has
// its name there, and before them if it has not. If the first one has a name before it as well, the side is unknown.
func (v *textValue) placeOfNames(money []amount) namePlace {
	if len(money) < 2 {
		return bothSides
	}
	last := money[len(money)-1]
	isAfterLast := kindOf(strings.ToLower(firstWord().FindString(v.text[last.end:]))) != noKind
	before := strings.ToLower(clause(v.text[:money[0].start], true))
	isBeforeFirst := kindOf(trailing(before, lettersBeforeCost)) != noKind
	switch {
	case !isAfterLast:
		return beforeAmount
	case !isBeforeFirst:
		return afterAmount
	}
	return bothSides
}

// parting returns where the words after an amount end, and where the words before the next amount begin. nextStart is
// where the next amount itself begins. By default the words between the two amounts go to both. If both are rents,
// "kalt" and "warm" divide these words. If the words name one amount, place tells which. before are the words before
// the first amount, and afterNext those after the next one.
func (v *textValue) parting(before string, a amount, nextStart int, afterNext string,
	place namePlace) (endOfFirst, startOfNext int) {
	start := min(a.end, nextStart)
	between := strings.ToLower(v.text[start:nextStart])
	left, right, hasSlash := strings.Cut(between, "/")
	word := strings.Trim(left, " ()")
	slash := start + len(left)
	isOfRent := !strings.Contains(word, " ") && tellsUtilities(word)
	isOfRentNext := tellsUtilities(strings.ToLower(firstWord().FindString(afterNext)))
	isName := isNameOfCost(strings.Trim(between, " /()"))
	switch {
	case hasSlash && word != "" && strings.Trim(right, " (") == "": // "980 kalt / 1180 warm"
		return slash, nextStart
	case hasSlash && (isOfRent || word == "" && tellsUtilities(right)): // "980 kalt / warm 1180"
		return slash, slash + len("/")
	case !hasSlash && isOfRent && isOfRentNext: // "980 kalt 1180 warm"
		return nextStart, nextStart
	case !hasSlash && isOfRent && tellsUtilities(before): // "Kaltmiete 980 Warmmiete 1180"
		return start, start
	case isName && place == beforeAmount:
		return start, start
	case isName && place == afterAmount:
		return nextStart, nextStart
	}
	return nextStart, a.tail
}

// isNameOfCost reports whether the words between two amounts are the name of one of them. Several words that say
// something about utilities may belong to either: "900 € warm Kaution 2.000 €".
func isNameOfCost(words string) bool {
	const mostWords = 3 // words of the name of an amount, such as "security deposit"
	spaces := strings.Count(words, " ")
	isOneName := spaces == 0 || spaces < mostWords && !tellsUtilities(words) && !refersBack().MatchString(words)
	return isOneName && !strings.ContainsAny(words, ",;.+") && kindOf(words) != noKind
}

var firstWord = newPattern(`^ ?\(?\p{L}+`)

// tellsUtilities reports whether words in lower case call an amount a rent with utilities, or one without.
func tellsUtilities(words string) bool {
	return coldWords.in(words) || includeWords.in(words) || comprisedWords.in(words)
}

const leastCost = 50 // of a home; smaller amounts are fees, or prices of other things

// isOfGoods reports whether the words around an amount call it the price of what a new tenant takes over, such as a
// kitchen: "Küche (VB 500 €)".
func isOfGoods(before, after string) bool {
	const lettersBefore, lettersAfter = 40, 30 // where these words are looked for
	before = trailing(strings.ToLower(before), lettersBefore)
	after = leading(strings.ToLower(after), lettersAfter)
	goods := takenOver().FindStringIndex(before)
	if goods == nil {
		return false
	}
	afterGoods := before[goods[1]:]
	return negotiable().MatchString(afterGoods) || negotiable().MatchString(after)
}

var (
	wordAlone   = newPattern(`^ ?[,;] \p{L}+ $`) // between two amounts: ", deposit "
	codeAndTown = newPattern(`^\d{5} \p{Lu}\p{Ll}`)
	rentNext    = newPattern(`^ ?\(?{{rentNext}}(?:\P{L}|$)`)
	takenOver   = newPattern(`{{takeover}}`)
	negotiable  = newPattern(`(?:^|\P{L}){{negotiable}}(?:\P{L}|$)`)
	threeDigits = newPattern(`\d{3}`)
	// otherAfter matches what makes the number before it no amount of money: a short word such as "km", a digit, "%".
	otherAfter = newPattern(`^ ?(?:\p{L}{2,3}(?:[^\p{L}]|$)|\d|%)`)
)

// isMoney reports whether an amount may be one of money. Without a currency it must have three digits, and the
// characters around it must not make it a part of something else.
func (v *textValue) isMoney(a amount) bool {
	if a.sign != "" {
		return a.unit == noUnit || a.unit == perArea || a.unit == otherUnit
	}
	if a.unit != noUnit && a.unit != perArea || a.written[0] == '0' || !threeDigits().MatchString(a.written) {
		return false
	}
	before := v.text[:a.digits]
	endsInSeparator := before != "" && strings.IndexByte(" /-", lastByte(before)) >= 0
	if endsInSeparator && isDigit(lastByte(before[:len(before)-1])) {
		return false // it continues another number, as 345 of "12-345"
	}
	after := v.text[a.tail:]
	word := strings.ToLower(wordAt(strings.TrimSpace(after)))
	isOfCost := kindOf(word) != noKind || tellsUtilities(word) // "Kaltmiete 900,- NK 150,-", "Loyer 900 HC"
	return a.period != noPeriod || isOfCost || v.hasDash(a) || !otherAfter().MatchString(after)
}

// hasDash reports whether a number has a dash in place of cents, as only an amount of money has: "850,-".
func (v *textValue) hasDash(a amount) bool { return dashAt(v.text[a.digits+len(a.written):]) > 0 }

// isNamedBy reports whether the words before a number without a currency name a cost. If the value is nothing but the
// number, its label counts instead.
func (v *textValue) isNamedBy(before string) bool {
	const longestCostName = 40 // letters of words that name a cost; longer ones are a sentence
	words := ""
	if isValue(v.text) {
		words = v.lowerLabel
	} else if runeCount(before) < longestCostName && endsInName().MatchString(before) && !endsInBound(before) {
		words = before
	}
	switch kindOf(words) {
	case depositCost, feeCost, chargesCost:
		return true
	case rentCost, totalRent, salePrice:
		// Many words only hint at a rent or a price. Without a currency the number needs a plain name, such as "price",
		// or a word that stands right next to a number, such as "kalt".
		return priceNames.in(words) || endsInWord(words, rentNextWords())
	}
	return false
}

var endsInName = newPattern(`[\p{L})]+ ?[:=]? ?$`)

// endsInBound reports whether the words before an amount end in one such as "up to", which makes the amount a limit of
// what somebody searches for, or "from", which may also name the lowest of several costs (kindAmong).
func endsInBound(before string) bool { return endsInWord(before, boundWords()) }

// endsInWord reports whether a text ends in one of some words, perhaps before a colon.
func endsInWord(text string, words []string) bool {
	text = strings.TrimRight(text, " :")
	for _, word := range words {
		if rest, ok := strings.CutSuffix(text, word); ok && !endsInLetter(rest) {
			return true
		}
	}
	return false
}

// tellsSize reports whether a value has an area or a number of rooms.
func (v *textValue) tellsSize() bool {
	return slices.ContainsFunc(v.amounts, func(a amount) bool {
		return a.unit == squareMetres || a.unit == squareFeet || a.unit == roomCount || a.unit == bedroomCount
	})
}

var conjunctions = newPattern(`(?i) {{and}} `)

const longestClause = 400 // bytes before an amount in which its words are looked for

// clause returns the words before an amount that belong to it: those after the last comma, bracket, "and" or the like.
// It returns "" if they refer to the amount before, as "inkl." in "900 € inkl. 100 €": this amount is then a part
// of that one, or added to it. isFirst says that there is no amount before.
func clause(words string, isFirst bool) string {
	words = words[strings.LastIndexAny(words, ",;=(+")+1:]
	words = words[max(0, len(words)-longestClause):]
	if ands := conjunctions().FindAllStringIndex(words, -1); ands != nil {
		lastAnd := ands[len(ands)-1]
		words = words[lastAnd[1]:]
	}
	if !isFirst && refersBack().MatchString(words) {
		return ""
	}
	return words
}

// refersBack matches words at the end of a text that make the next amount a part of the one before: "inkl. ".
var refersBack = newPattern(`(?i)(?:^|\W){{refersBack}}\W*$`)

// kindAmong returns the kind of an amount. The words before it count most, then its label, then the words after it. But
// its unit and its period may tell more than any of them.
func (a *amount) kindAmong(before, after, label string) costKind {
	if a.unit == perArea || a.period == perDay || perSquareMetre().MatchString(after) {
		return otherCost
	}
	// "Up to 900" is what somebody searches for, unless the words name a rent, as in "rent up to 900". "From 900" may be
	// the lowest of several costs.
	if endsInBound(before) && !rentNames.in(before) {
		isFrom := endsInWord(before, fromWords()) && !a.inRange
		if isFrom && (a.period == noPeriod || a.period == perMonth) {
			return lowestCost
		}
		return otherCost
	}
	kind := kindOf(withoutAsides(trailing(before, lettersBeforeCost)))
	if kind == noKind {
		kind = kindOf(withoutAsides(label))
	}
	switch {
	case a.period == perYear && !kind.isExtra():
		return yearlyRent
	case !kind.isExtra() && kind != salePrice && makesTotal().MatchString(after):
		return totalRent
	case a.period == perWeek && !kind.isExtra():
		return weeklyRent
	case kind != noKind:
		return kind
	}
	if a.period == noPeriod && saleMark().MatchString(after) {
		return salePrice
	}
	// Fees that the amount includes or excludes may take more letters than lettersAfterCost. So they are removed first,
	// from three times as many letters.
	after = feeAside().ReplaceAllLiteralString(leading(after, 3*lettersAfterCost), "")
	after = otherFee().ReplaceAllLiteralString(after, "")
	if at := nextClause().FindStringIndex(after); at != nil {
		after = after[:at[0]]
	}
	return kindOf(leading(after, lettersAfterCost))
}

// withoutAsides removes "no fees" from the words before an amount. It removes "fees included" and "fees not included"
// only if a name of a price remains, as in "Price, fees included: 300,000".
func withoutAsides(words string) string {
	words = noFee().ReplaceAllLiteralString(words, "")
	if rest := feeAside().ReplaceAllLiteralString(words, ""); priceNames.in(rest) {
		return rest
	}
	return words
}

// What an amount may include or exclude, and the words that say so.
const (
	feeIsIncluded = `(?:{{notState}} )?{{feeState}}\p{Ll}{0,2}` // with the ending of an adjective
	freeOfFee     = `{{feeFree}}\p{Ll}{0,2}`
	percentage    = `\d{1,2}(?:[.,]\d{1,2})? ?%`
)

var (
	perSquareMetre = newPattern(`^ ?/m(?:[^\p{L}]|$)`)
	// saleMark matches how French sites mark a price for sale that includes the fees of the agent: "FAI". No rent is
	// marked so.
	saleMark = newPattern(`^ ?\(?{{feeWithin}}(?:\P{L}|$)`)
	noFee    = newPattern(`(?:^|\P{L}){{denial}} (?:\p{L}+ )?{{feeName}}(?:\P{L}+|$)|` + freeOfFee)
	// feeAside matches fees that an amount includes or excludes.
	feeAside = newPattern(`(?:^|\P{L}){{denial aside}} (?:\p{L}+ )?{{feeName}}(?:\P{L}|$)|` +
		`(?:^|\P{L}){{feeName}}(?: (?:d')?\p{L}+){0,2} ` + feeIsIncluded + `|` + freeOfFee)
	// otherFee matches words after an amount about a fee: how much of the amount it is, or that the other side pays it.
	otherFee = newPattern(`^[ (,–-]*(?:{{ofWhich}} )?(?:{{feeName}}(?: (?:d')?\p{L}+){0,2} ?:? ?` + percentage +
		`|` + percentage + ` (?:d')?(?:\p{L}+ )?{{feeName}})[^,;)]*|` +
		`^[ (,–-]*{{feePayer}}|^ ?\({{feeOfBuyer}}\)`)
	nextClause = newPattern(`[,;=]|\. | {{and}} |\+`)
	// makesTotal matches words after an amount that make it a total.
	makesTotal = newPattern(`^[ /.]*(?:{{perMonthPaid}}? ?{{monthPaid}}|{{paidMonthly}})?[ .,(:–-]*` +
		`(?:warm(?:[^w]|$)|{{totalAfter}}|t?cc(?:\P{L}|$)|c\.c\.)`)
	onRequest = newPattern(`(?i)^{{onRequest}}$`)
)

// Costs are the costs of a home that a text names, in the currency of the text. Missing ones are 0 or "".
type Costs struct {
	Cost, Charges, Deposit, Fee float64
	Currency, Utilities         string
	isNamed                     bool // words call the cost a rent or a price
	isSigned                    bool // the text tells the currency, and not by a sign that several currencies share
}

// CostsOf returns what the text of a listing tells about its cost: the utilities, the charges, the deposit and the fee.
// If the text does not name the cost, it returns the cost alone, because the amounts may belong to another home.
func CostsOf(text string, cost float64) Costs {
	values := valuesOf(nil, linesOf(text))
	all := costsAmong(values)
	found := Costs{Cost: cost}
	for _, c := range all {
		if c.value != cost {
			continue
		}
		if c.isPrice() {
			found = costsWith(all, c, "")
		}
		if found.Utilities != "" {
			break
		}
	}
	return found
}

// costsAmong returns the amounts of money in values, in the order of the values.
func costsAmong(values []textValue) []foundCost {
	var found []foundCost
	for i := range values {
		found = append(found, values[i].costsIn()...)
	}
	return found
}

// costIn returns the costs among the values of a listing: the cost that bestCost chooses, with what the other amounts
// say about it. A listing with a price on request has none. Utilities are "included" or "excluded" if the words at the
// cost tell. country determines the currency if no sign does.
func costIn(values []textValue, country string) Costs {
	if slices.ContainsFunc(values, func(v textValue) bool { return isPriceOnRequest(v.text) }) {
		return Costs{}
	}
	all := costsThatHold(costsAmong(values))
	if best, ok := bestCost(all); ok {
		return costsWith(all, best, country)
	}
	return Costs{}
}

// isPriceOnRequest reports whether a text says that the price is told on request.
func isPriceOnRequest(text string) bool {
	const longest = 60 // bytes; no such text is longer
	return len(text) < longest && onRequest().MatchString(text)
}

// costsThatHold returns costs without those that are called former anywhere. If a price has a currency, rents without
// one go, too: they may be other numbers.
func costsThatHold(found []foundCost) []foundCost {
	isFormer := map[float64]bool{}
	hasSignedPrice := false
	for _, c := range found {
		isFormer[c.value] = isFormer[c.value] || c.kind == formerCost
		hasSignedPrice = hasSignedPrice || c.sign != "" && c.isPrice()
	}
	return slices.DeleteFunc(slices.Clone(found), func(c foundCost) bool {
		isUnsignedRent := (c.kind == rentCost || c.kind == noKind) && c.sign == ""
		return isFormer[c.value] || isUnsignedRent && hasSignedPrice
	})
}

// isPrice reports whether a cost may be the price or the rent of a home.
func (c foundCost) isPrice() bool {
	return c.kind == salePrice || c.kind == totalRent || c.kind == rentCost || c.kind == noKind
}

// bestCost returns the cost of the home among all amounts: the first of these that there is.
//  1. The price of a sale.
//  2. A total rent, unless it does not fit the rent of 3 or 4.
//  3. A rent, or an amount without a name whose line has little else.
//  4. The only amount without a name.
//  5. The rent of a week, then of a year, then the lowest of several costs.
func bestCost(all []foundCost) (best foundCost, ok bool) {
	first := func(is func(foundCost) bool) (foundCost, bool) {
		for _, c := range all {
			if is(c) {
				return c, true
			}
		}
		return foundCost{}, false
	}
	ofKind := func(kind costKind) func(foundCost) bool {
		return func(c foundCost) bool { return c.kind == kind }
	}
	if best, ok = first(ofKind(salePrice)); ok {
		return best, true
	}
	isRent := func(c foundCost) bool { return c.kind == rentCost || c.kind == noKind && c.fillsLine }
	rent, hasRent := first(isRent)
	unnamed, isOnly := onlyUnnamed(all)
	if !hasRent && isOnly {
		rent, hasRent = unnamed, true
	}
	isTotal := func(c foundCost) bool { return c.kind == totalRent && !(hasRent && c.isNoTotalOf(rent)) }
	if total, ok := first(isTotal); ok {
		return total, true
	}
	if hasRent {
		return rent, true
	}
	if best, ok = first(ofKind(weeklyRent)); ok {
		return best, true
	}
	if best, ok = first(ofKind(yearlyRent)); ok {
		return best, true
	}
	return first(ofKind(lowestCost))
}

// onlyUnnamed returns the amount that no words call anything, if there is only one such amount. It may occur twice.
func onlyUnnamed(all []foundCost) (one foundCost, ok bool) {
	for _, c := range all {
		if c.kind != noKind {
			continue
		}
		if ok && c.value != one.value {
			return one, false
		}
		if !ok {
			one, ok = c, true
		}
	}
	return one, ok
}

// isNoTotalOf reports whether a total does not belong to a rent, because it is less, or more than twice as much. A rent
// that only a sentence names tells nothing about a total that is a fact.
func (c foundCost) isNoTotalOf(rent foundCost) bool {
	if rent.isProse && !c.isProse {
		return false
	}
	return c.value < rent.value || c.value > 2*rent.value
}

// isPartOf reports whether a rent is a total without its utilities: "Miete" next to "Gesamtmiete".
func (c foundCost) isPartOf(total foundCost) bool {
	return total.kind == totalRent && c.value < total.value && total.value <= 2*c.value
}

// costsWith returns a cost with what all amounts say about it.
func costsWith(all []foundCost, best foundCost, country string) Costs {
	found := Costs{Cost: best.value, isNamed: best.kind != noKind && best.kind != lowestCost}
	switch best.kind {
	case weeklyRent:
		found.Cost = perWeek.monthly(best.value)
	case yearlyRent:
		found.Cost = perYear.monthly(best.value)
	}
	includes, excludes := false, false                    // what words at the cost say about utilities
	for _, c := range append([]foundCost{best}, all...) { // best first: its currency counts most
		if c.value == best.value {
			includes = includes || c.kind == totalRent
			excludes = excludes || c.excludes && c.kind != depositCost && c.kind != chargesCost
		}
		if found.Currency == "" {
			found.Currency = currencyIn(c.sign, country)
			found.isSigned = found.Currency != "" && sharedSigns[c.sign] == nil
		}
	}
	if found.Currency == "" {
		found.Currency = ownCurrencies[country]
	}
	found.Deposit = firstOf(all, depositCost)
	found.Fee = firstOf(all, feeCost)
	if best.kind == salePrice {
		found.Deposit = 0
		return found
	}
	excludes = excludes || best.kind == rentCost && slices.ContainsFunc(all, best.isPartOf)
	switch {
	case includes && !excludes:
		found.Utilities = "included"
	case excludes && !includes: // neither of them, and both, tell nothing
		found.Utilities = "excluded"
	}
	found.Charges = chargesNextTo(all, best, found)
	return found
}

// firstOf returns the first cost of a kind, or 0.
func firstOf(all []foundCost, kind costKind) float64 {
	for _, c := range all {
		if c.kind == kind {
			return c.value
		}
	}
	return 0
}

// chargesNextTo returns the utilities next to a cost, or 0: the total minus the rent, or else the amount called
// utilities. A cost that includes utilities is the total, so the rent is looked for. Any other cost is the rent, so the
// total is looked for.
func chargesNextTo(all []foundCost, best foundCost, found Costs) float64 {
	cost := found.Cost
	for _, c := range all {
		isRentOfCost := false
		switch c.kind {
		case rentCost:
			isRentOfCost = c.value < cost && (c.excludes || !c.isProse && c.isPartOf(best))
		case noKind:
			isRentOfCost = c.excludes && c.isPartOf(best) // "900 € HC / 1 000 € CC"
		}
		isTotalOfCost := c.kind == totalRent && c.value > cost && c.value <= 2*cost
		switch {
		case found.Utilities == "included" && isRentOfCost:
			return cost - c.value
		case found.Utilities != "included" && isTotalOfCost:
			return c.value - cost
		}
	}
	return firstOf(all, chargesCost)
}
