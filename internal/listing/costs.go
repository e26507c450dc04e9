// Costs: what the amounts in a text are, by the words around them, and which of them is the cost of the home.

package listing

import (
	"slices"
	"strings"
)

// A foundCost is an amount of money in a text and the kind of cost that it is.
type foundCost struct {
	value    float64
	sign     string // as in amount
	kind     costKind
	isAlone  bool // nothing else stands in its line
	isProse  bool // it stands in a sentence
	excludes bool // its words say that utilities come on top
}

// costsIn returns the amounts of money in a value, with what its words and its label call them.
func (v *textValue) costsIn() []foundCost {
	var list []amount
	for _, a := range v.amounts {
		if v.isMoney(a) {
			list = append(list, a)
		}
	}
	var found []foundCost
	start := 0 // of the words before an amount
	for i, a := range list {
		isLater, isLast := i > 0, i+1 == len(list)
		words := v.text[start:max(start, a.start)]
		before := clause(words, isLater)
		rest := v.text[a.tail:]
		if !isLast {
			next := list[i+1]
			end := max(a.tail, next.start)
			end, start = v.parting(strings.ToLower(before), a, end, v.text[max(end, next.tail):])
			rest = v.text[a.tail:end]
		}
		after := rest
		// A word alone names the next amount, and so do words of a former price.
		if !isLast && (wordAlone().MatchString(rest) || formerWords.in(strings.ToLower(rest))) {
			after = ""
		}
		before, after = strings.ToLower(before), strings.ToLower(after)
		c := foundCost{value: a.value, sign: a.sign, isProse: v.isProse}
		c.isAlone = !v.isProse && (isValue(v.text) || v.letters < 25)
		c.kind = a.kindAmong(before, after, v.lowerLabel)
		if c.kind == chargesCost {
			c.value = a.period.monthly(a.value)
		}
		isNamed := v.isNamedBy(before) || rentNext().MatchString(after)
		if a.sign == "" && (!isNamed || codeAndTown().MatchString(v.text[a.start:])) {
			c.kind = otherCost
		}
		if isOfGoods(words, rest) {
			c.kind = otherCost
		}
		// A bound in a sentence, or alone, may belong to a search or an advertisement.
		if c.kind == lowestCost && (v.isProse || !v.tellsSize()) {
			c.kind = otherCost
		}
		words = trailing(before, wordsBefore) + " " + v.lowerLabel + " " + leading(after, wordsAfter)
		words = withoutFalseWords.Replace(words)
		c.excludes = coldWords.in(words) || excludeWords.in(words) && utilityWords.in(words)
		if c.kind != otherCost && (c.value >= leastCost || c.kind.isExtra()) {
			found = append(found, c)
		}
	}
	return found
}

// Letters next to an amount that may tell its kind.
const wordsBefore, wordsAfter = 60, 40

// parting returns where the words after an amount end, and where the words before the next amount begin. end is the
// start of the next amount. By default the words between go to both; with two rents, "kalt" and "warm" divide them:
// "980 kalt / 1180 warm", "Kaltmiete 980 Warmmiete 1180". before and after are the words around both amounts.
func (v *textValue) parting(before string, a amount, end int, after string) (last, next int) {
	first := min(a.end, end)
	between := strings.ToLower(v.text[first:end])
	left, right, hasSlash := strings.Cut(between, "/")
	word := strings.Trim(left, " ()")
	switch {
	case hasSlash && word != "" && strings.Trim(right, " (") == "":
		return first + len(left), end
	case strings.Contains(word, " "):
	case hasSlash && (tellsUtilities(word) || word == "" && tellsUtilities(right)):
		return first + len(left), first + len(left) + 1
	case hasSlash || !tellsUtilities(word):
	case tellsUtilities(strings.ToLower(firstWord().FindString(after))):
		return end, end
	case tellsUtilities(before):
		return first, first
	}
	return end, a.tail
}

var firstWord = newPattern(`^ ?\(?\p{L}+`)

// tellsUtilities reports whether words in lower case call an amount a rent with utilities, or one without.
func tellsUtilities(words string) bool {
	return coldWords.in(words) || includeWords.in(words) || comprisedWords.in(words)
}

const leastCost = 50 // of a home

// isOfGoods reports whether the words around an amount call it the price of what a new tenant takes over, such as a
// kitchen: "Küche (VB 500 €)".
func isOfGoods(before, after string) bool {
	before = trailing(strings.ToLower(before), 40)
	at := takenOver().FindStringIndex(before)
	after = leading(strings.ToLower(after), 30)
	return at != nil && (negotiable().MatchString(before[at[1]:]) || negotiable().MatchString(after))
}

var (
	wordAlone   = newPattern(`^ ?[,;] \p{L}+ $`)
	codeAndTown = newPattern(`^\d{5} \p{Lu}\p{Ll}`)
	rentNext    = newPattern(`^ ?\(?{{rentAfter}}(?:\P{L}|$)`)
	takenOver   = newPattern(`{{takeover}}`)
	negotiable  = newPattern(`(?:^|\P{L}){{negotiable}}(?:\P{L}|$)`)
	threeDigits = newPattern(`\d{3}`)
	shortWord   = newPattern(`^ ?(?:\p{L}{2,3}(?:[^\p{L}]|$)|\d|%)`)
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
	if n := len(before); n > 1 && strings.IndexByte(" /-", before[n-1]) >= 0 && isDigit(before[n-2]) {
		return false
	}
	return a.period != noPeriod || !shortWord().MatchString(v.text[a.tail:])
}

// isNamedBy reports whether the words before a number without a currency name a cost. If the value is nothing but the
// number, its label counts instead.
func (v *textValue) isNamedBy(before string) bool {
	words := ""
	if isValue(v.text) {
		words = v.lowerLabel
	} else if runeCount(before) < 40 && endsInName().MatchString(before) && !isSearched(before) {
		words = before
	}
	switch kindOf(words) {
	case depositCost, feeCost, chargesCost:
		return true
	case rentCost, totalRent, salePrice:
		return priceNames.in(words) || endsInWord(words, rentAfterWords())
	}
	return false
}

var endsInName = newPattern(`[\p{L})]+ ?[:=]? ?$`)

// isSearched reports whether the words before an amount make it a limit of what somebody searches for.
func isSearched(before string) bool { return endsInWord(before, boundWords()) }

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

// clause returns the part of the words before an amount that refers to it: their end. If the amount is not the first of
// a text, a last word such as "inkl." refers to the amount before it.
func clause(words string, isLater bool) string {
	words = words[strings.LastIndexAny(words, ",;=(+")+1:]
	words = words[max(0, len(words)-400):] // no more, to be fast
	if all := conjunctions().FindAllStringIndex(words, -1); all != nil {
		words = words[all[len(all)-1][1]:]
	}
	if isLater && refersBack().MatchString(words) {
		return ""
	}
	return words
}

var refersBack = newPattern(`(?i)(?:^|\W){{refersBack}}\W*$`)

// kindAmong returns the kind of an amount, by the words before and after it, or by its label.
func (a *amount) kindAmong(before, after, label string) costKind {
	if a.unit == perArea || a.period == perDay || perSquareMetre().MatchString(after) {
		return otherCost
	}
	if isSearched(before) && !rentNames.in(before) {
		if endsInWord(before, fromWords()) && !a.inRange && (a.period == noPeriod || a.period == perMonth) {
			return lowestCost
		}
		return otherCost
	}
	kind := kindOf(withoutAsides(trailing(before, wordsBefore)))
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
	if a.period == noPeriod && feesWithin().MatchString(after) {
		return salePrice
	}
	after = feeAside().ReplaceAllLiteralString(leading(after, 120), "")
	after = otherFee().ReplaceAllLiteralString(after, "")
	if at := nextClause().FindStringIndex(after); at != nil {
		after = after[:at[0]]
	}
	return kindOf(leading(after, wordsAfter))
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
	// feesWithin matches how French sites mark a price that includes the fees.
	feesWithin = newPattern(`^ ?\(?{{feeWithin}}(?:\P{L}|$)`)
	noFee      = newPattern(`(?:^|\P{L}){{denial}} (?:\p{L}+ )?{{feeName}}(?:\P{L}+|$)|` + freeOfFee)
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
	isSigned                    bool // the text tells the currency, not by a sign of several countries
}

// CostsOf returns what the text of a listing tells about its cost: the utilities, the charges, the deposit and the fee.
// If the text does not have the cost, it returns only that: then its amounts may belong to another home.
func CostsOf(text string, cost float64) Costs {
	values := valuesOf(nil, linesOf(text))
	said := costsAmong(values)
	found := Costs{Cost: cost}
	for _, c := range said {
		if c.value != cost {
			continue
		}
		switch c.kind {
		case totalRent, rentCost, salePrice, noKind:
			found = costsWith(said, c, "")
		}
		if found.Utilities != "" {
			break
		}
	}
	return found
}

// costsAmong returns the amounts of money in values, facts before sentences.
func costsAmong(values []textValue) []foundCost {
	var found []foundCost
	for i := range values {
		found = append(found, values[i].costsIn()...)
	}
	return found
}

// costIn returns the costs among the values of a listing. The cost is the price of a sale, else the first amount called
// total, else the first that is a rent or stands alone without a name, else the only one. Utilities are "included" or
// "excluded" if the words at the cost tell. country determines the currency if no sign does. A price on request is no
// cost, and neither is an amount that is called former anywhere, nor a number without a currency if another has one.
func costIn(values []textValue, country string) Costs {
	for _, v := range values {
		if len(v.text) < 60 && onRequest().MatchString(v.text) {
			return Costs{}
		}
	}
	all := costsThatHold(costsAmong(values))
	if best, ok := bestCost(all); ok {
		return costsWith(all, best, country)
	}
	return Costs{}
}

// costsThatHold returns costs without former ones. If a price has a currency, rents without one go, too.
func costsThatHold(found []foundCost) []foundCost {
	isFormer := map[float64]bool{}
	hasSign := false
	for _, c := range found {
		isFormer[c.value] = isFormer[c.value] || c.kind == formerCost
		hasSign = hasSign || c.sign != "" && c.isPrice()
	}
	var all []foundCost
	for _, c := range found {
		if !isFormer[c.value] && (c.sign != "" || c.kind != rentCost || !hasSign) {
			all = append(all, c)
		}
	}
	return all
}

// isPrice reports whether a cost may be the price or the rent of a home.
func (c foundCost) isPrice() bool {
	return c.kind == salePrice || c.kind == totalRent || c.kind == rentCost || c.kind == noKind
}

// bestCost returns the cost of the home among all amounts.
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
	price, hasPrice := first(func(c foundCost) bool { return c.kind == rentCost || c.kind == noKind && c.isAlone })
	if unnamed, isOne := onlyOne(all); !hasPrice && isOne {
		price, hasPrice = unnamed, true
	}
	total, ok := first(func(c foundCost) bool {
		return c.kind == totalRent && !(hasPrice && c.isOfAnother(price))
	})
	if ok {
		return total, true
	}
	if hasPrice {
		return price, true
	}
	if best, ok = first(ofKind(weeklyRent)); ok {
		return best, true
	}
	if best, ok = first(ofKind(yearlyRent)); ok {
		return best, true
	}
	return first(ofKind(lowestCost))
}

// onlyOne returns the amount that no words call anything, if there is only one such amount.
func onlyOne(all []foundCost) (one foundCost, ok bool) {
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

// isOfAnother reports whether a total does not belong to a price, because it is less, or more than twice as much. A
// price that only a sentence names tells nothing about a total that is a fact.
func (c foundCost) isOfAnother(price foundCost) bool {
	if price.isProse && !c.isProse {
		return false
	}
	return c.value < price.value || c.value > 2*price.value
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
	isTotal, excludes := false, false
	for _, c := range append([]foundCost{best}, all...) {
		if c.value == best.value {
			isTotal = isTotal || c.kind == totalRent
			excludes = excludes || c.excludes && c.kind != depositCost && c.kind != chargesCost
		}
		if found.Currency == "" {
			found.Currency = currencyIn(c.sign, country)
		}
	}
	found.isSigned = found.Currency != "" && best.sign != "$" && best.sign != "kr"
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
	if isTotal != excludes { // the words tell, and do not contradict each other
		found.Utilities = "excluded"
		if isTotal {
			found.Utilities = "included"
		}
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

// chargesNextTo returns the utilities next to a cost: the total minus the rent, or else the amount called utilities.
func chargesNextTo(all []foundCost, best foundCost, found Costs) float64 {
	cost := found.Cost
	for _, c := range all {
		isRent := false
		switch c.kind {
		case rentCost:
			isRent = c.value < cost && (c.excludes || !c.isProse && c.isPartOf(best))
		case noKind:
			isRent = c.excludes && c.isPartOf(best) // "900 € HC / 1 000 € CC"
		}
		isTotal := c.kind == totalRent && c.value > cost && c.value <= 2*cost
		switch {
		case found.Utilities == "included" && isRent:
			return cost - c.value
		case found.Utilities != "included" && isTotal:
			return c.value - cost
		}
	}
	return firstOf(all, chargesCost)
}
