// Searches: what a mail was sent for. If it was a search for homes, a title with a price is enough for a listing.
//
// Sites for all kinds of things send such mails, too, with goods, jobs, garages and wishes among the homes. A wish is
// what somebody who looks for a home writes: "Family seeks flat".

package listing

import (
	"slices"
	"strings"
)

// A mailSearch is what the name of a search says about a mail that was sent for it.
type mailSearch struct {
	isOfHomes      bool
	isRent, isSale bool
	isFromPerson   bool // the mail is from a person, and was not sent for a search
}

// searchOf returns the search that a mail was sent for. Its name is in the subject, or in a line above the first card.
func (r *cardReader) searchOf(topic string, cards []*card, isFromPerson bool) mailSearch {
	s := mailSearch{isFromPerson: isFromPerson}
	names := []string{topic}
	if len(cards) > 0 {
		for i := max(0, cards[0].start-linesOfSearch); i < cards[0].start; i++ {
			names = append(names, r.leaves[i].text)
		}
	}
	isNews := newsWords.in(strings.ToLower(strings.Join(names, "\n")))
	for i, name := range names {
		r.work.Step(20 * len(name))
		isOfThings := namesThing(name)
		isSubject := i == 0
		if isSubject && isOfThings { // then no other line counts
			return s
		}
		if !isNews || isOfThings || forAnyHome().MatchString(name) || !isSearchForHomes(name) {
			continue
		}
		lower := strings.ToLower(name)
		s.isOfHomes = true
		s.isRent = s.isRent || toRent.in(lower)
		s.isSale = s.isSale || toBuy.in(lower)
	}
	return s
}

const linesOfSearch = 8 // lines above the first card in which the search may have its name

// isSearchForHomes reports whether a text is the name of a search for homes, or has it after a colon or in quotes.
func isSearchForHomes(text string) bool {
	if !homeAsWord().MatchString(text) {
		return false
	}
	lower := strings.ToLower(text)
	if toRent.in(lower) || toBuy.in(lower) {
		return true
	}
	_, afterColon, _ := strings.Cut(text, ":")
	return slices.ContainsFunc(append(inQuotes().FindAllString(text, mostQuotes), afterColon), namesOnlyHomes)
}

// namesOnlyHomes reports whether a text has a word for homes that searches for goods do not have: "flat", but not
// "house".
func namesOnlyHomes(text string) bool {
	const mostHomes = 8 // words for homes that are looked at
	return slices.ContainsFunc(homeAsWord().FindAllString(text, mostHomes), func(word string) bool {
		return !homesOfGoods()[strings.ToLower(strings.TrimFunc(word, isNoLetter))]
	})
}

// homesOfGoods are words for homes that also stand in the names of searches for goods.
var homesOfGoods = setOfWords("goodsHome")

// namesWish reports whether a title says that somebody seeks a home. A title that seeks a tenant offers one.
func namesWish(title string) bool {
	return wishTitle().MatchString(title) && !tenantWord().MatchString(title)
}

// namesThing reports whether a text, such as a title or the name of a search, names a thing, a job, a garage, a stay or
// wishes. Only the words before the home count, because what comes after it belongs to it: "flat with garage".
func namesThing(text string) bool {
	lower := strings.ToLower(text)
	isOfWishes := nameOfWishes().MatchString(text) && !tenantWord().MatchString(text)
	if isOfWishes || lodgingWords.in(lower) || nameOfHomeGoods().MatchString(text) {
		return true
	}
	if len(lower) == len(text) { // otherwise a letter has another length in lower case, and all words count
		lower = beforeHome(lower)
	}
	return things.in(lower) || works.in(lower) || services.in(lower) || commercialWords.in(lower) || goods.in(lower)
}

// beforeHome returns what stands before the home in a text in lower case: "garage " of "garage with flat". Each pattern
// looks at what the one before it has left. The first byte of a match stays, because it is often a space, in which
// beforePart and some phrases end.
func beforeHome(lower string) string {
	for _, home := range []pattern{homeAsWord, roomsOfHome, beforePart} {
		if at := home().FindStringIndex(lower); at != nil {
			lower = lower[:at[0]+1]
		}
	}
	return lower
}

// unmet returns the first condition that a listing with only a title and a price does not meet, in words for the user.
// It returns "" if the listing meets all.
func (s *mailSearch) unmet(title string, cost float64, currency string) string {
	switch {
	case title == "" || cost == 0:
		return "there are a title and a price"
	case !s.isOfHomes:
		return "the subject, or a line above the first one, names a search for homes"
	case s.isFromPerson:
		return "the sender is not a person"
	case namesThing(title) || namesWish(title):
		return "the title does not name something else"
	case !s.isPlausible(cost, currency):
		return "the price is one of a home"
	}
	return ""
}

// Bounds of the cost of a home whose listing has only a title and a price.
const (
	leastRent   = 50     // in any currency
	highestRent = 20_000 // in strongCurrencies; in others a rent may be millions
	leastSale   = 5_000  // in any currency
)

var strongCurrencies = setOf("EUR USD GBP CHF CAD AUD NZD")

// isPlausible reports whether a cost may be one of a home that the search asks for.
func (s *mailSearch) isPlausible(cost float64, currency string) bool {
	switch {
	case s.isSale && !s.isRent:
		return cost >= leastSale
	case s.isRent && !s.isSale:
		return cost >= leastRent && (cost <= highestRent || !strongCurrencies[currency])
	}
	return cost >= leastRent
}

var (
	// homeAsWord matches a word for homes that is no part of a longer word, such as "house-sitter" or "doll's-house". A
	// number may stand before it: "3-room". Words of scripts without spaces between words may stand anywhere.
	homeAsWord = newPattern(`(?i)(?:^|[^\p{L}-]|\d-){{homeWord}}(?:[^\p{L}'’-]|$)|{{homeWithin}}`)
	// roomsOfHome matches a number of rooms in a title, such as "3 Zi." or "T2".
	roomsOfHome = newPattern(`(?i)(?:^|[^\p{L}\d])(?:\d(?:[.,]\d)?[ -]?(?:{{roomShort}}|\+)|[tf][1-6])(?:[^\p{L}\d]|$)`)
	// nameOfWishes matches the name of a search among wishes, such as "flats wanted", and wishTitle the title of a wish,
	// such as "Family seeks flat" or "Wanted: flat".
	nameOfWishes = newPattern(`(?i)(?:^|\P{L}){{wanted}}(?:\P{L}|$)`)
	wishTitle    = newPattern(`(?i)(?:^|\P{L}){{wish}}(?:\P{L}|$)|^{{wishStart}}:? `)
	// beforePart matches the word between a home and a part of it: "with".
	beforePart = newPattern(`(?i)(?:^|\s){{partWith}}\s`)
	// forAnyHome matches words after goods that suit every home: "for your new home".
	forAnyHome = newPattern(`(?i)(?:^|\P{L}){{for}} {{anyHome}} (?:\p{L}+ )?(?:{{homeWord}}|home)(?:\P{L}|$)`)
	// nameOfHomeGoods matches the name of a category of goods for homes: "home & garden".
	nameOfHomeGoods = newPattern(`(?i){{homeGoods}} ?(?:[&+/,]|{{goodsAnd}}) ?(?:\p{L}+ )?{{garden}}`)
)

var (
	toRent = phrasesOf("toRent")
	toBuy  = phrasesOf("toBuy")
	// things are words for what nobody lives in: goods, garages and plots.
	things = phrasesOf("thing")
	// works are words for jobs, for people who do them, and for texts about homes.
	works = phrasesOf("work")
)
