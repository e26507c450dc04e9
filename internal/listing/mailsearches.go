// Searches: what a mail was sent for. Of a search for homes, a title with a price is enough for a listing.

package listing

import (
	"slices"
	"strings"
	"unicode"
)

// A mailSearch is the search that a mail was sent for, as its name tells it.
type mailSearch struct {
	isOfHomes      bool
	isRent, isSale bool // its name says so
	isFromPerson   bool // the mail
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
		if isOfThings && i == 0 {
			break
		}
		if isNews && !isOfThings && !forAnyHome().MatchString(name) && isSearchForHomes(name) {
			lower := strings.ToLower(name)
			s.isOfHomes = true
			s.isRent, s.isSale = s.isRent || toRent.in(lower), s.isSale || toBuy.in(lower)
		}
	}
	return s
}

const linesOfSearch = 8 // above the first card

// isSearchForHomes reports whether a text is the name of a search for homes, or has it after a colon or in quotes.
func isSearchForHomes(text string) bool {
	if !wholeHome().MatchString(text) {
		return false
	}
	lower := strings.ToLower(text)
	if toRent.in(lower) || toBuy.in(lower) {
		return true
	}
	_, after, _ := strings.Cut(text, ":")
	return slices.ContainsFunc(append(inQuotes().FindAllString(text, 4), after), namesFlat)
}

// namesFlat reports whether a text has the word of a home that goods are rarely for, as "house" is.
func namesFlat(text string) bool {
	return slices.ContainsFunc(wholeHome().FindAllString(text, 8), func(word string) bool {
		return !houses()[strings.ToLower(strings.TrimFunc(word, isBetweenWords))]
	})
}

func isBetweenWords(r rune) bool { return !unicode.IsLetter(r) }

var houses = setOfWords("goodsHome")

// namesWish reports whether a title is one of somebody who looks for a home.
func namesWish(title string) bool {
	return isWish().MatchString(title) && !tenantWord().MatchString(title)
}

// namesThing reports whether a text, such as a title or the name of a search, names a thing, a job, a garage, a stay or
// a wish. What comes after the word of a home belongs to it.
func namesThing(text string) bool {
	lower := strings.ToLower(text)
	if isWanted().MatchString(text) && !tenantWord().MatchString(text) || lodgingWords.in(lower) ||
		homeAndGarden().MatchString(text) {
		return true
	}
	if len(lower) == len(text) {
		for _, form := range []pattern{wholeHome, roomsOfHome, beforePart} {
			if home := form().FindStringIndex(lower); home != nil {
				lower = lower[:home[0]+1]
			}
		}
	}
	return things.in(lower) || works.in(lower) || services.in(lower) || commercialWords.in(lower) || goods.in(lower)
}

// lacks returns what a listing of a title and a price lacks, or "" if that is enough.
func (s *mailSearch) lacks(title string, cost float64, currency string) string {
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

// The costs of a home of which there is only a title. The highest rent is in one of strongCurrencies.
const (
	leastRent   = 50
	highestRent = 20_000
	leastSale   = 5_000
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
	wholeHome = newPattern(`(?i)(?:^|[^\p{L}-]|\d-){{homeWord}}(?:[^\p{L}'’-]|$)|{{homeWithin}}`)
	// roomsOfHome matches a number of rooms in a title, such as "3 Zi." or "T2".
	roomsOfHome = newPattern(`(?i)(?:^|[^\p{L}\d])(?:\d(?:[.,]\d)?[ -]?(?:{{roomShort}}|\+)|[tf][1-6])(?:[^\p{L}\d]|$)`)
	// isWanted matches the name of a search for wishes, and isWish the title of one.
	isWanted = newPattern(`(?i)(?:^|\P{L}){{wanted}}(?:\P{L}|$)`)
	isWish   = newPattern(`(?i)(?:^|\P{L}){{wish}}(?:\P{L}|$)|^{{wishStart}}:? `)
	// beforePart matches the word before a part of a home.
	beforePart = newPattern(`(?i)(?:^|\s){{partWith}}\s`)
	// forAnyHome matches what goods are for.
	forAnyHome    = newPattern(`(?i)(?:^|\P{L}){{for}} {{anyHome}} (?:\p{L}+ )?(?:{{homeWord}}|home)(?:\P{L}|$)`)
	homeAndGarden = newPattern(`(?i){{homeGoods}} ?(?:[&+/,]|{{goodsAnd}}) ?(?:\p{L}+ )?{{garden}}`)
)

var (
	toRent = phrasesOf("toRent")
	toBuy  = phrasesOf("toBuy")
	// things are words of what is no home, or no home to live in: goods, garages and plots.
	things = phrasesOf("thing")
	// works are words of jobs, of those who do them and of what is written about homes.
	works = phrasesOf("work")
)
