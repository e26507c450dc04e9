// Searches: what a mail was sent for. Of a search for homes, a title with a price is enough for a listing.

package listing

import (
	"slices"
	"strings"
)

// A mailSearch is the search that a mail was sent for, as its name tells it.
type mailSearch struct {
	isOfHomes      bool
	isRent, isSale bool // its name says so
	isFromPerson   bool // the mail is
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
		if isOfThings && i == 0 { // the subject names a search for something else
			break
		}
		if isNews && !isOfThings && !forAnyHome().MatchString(name) && isSearchForHomes(name) {
			lower := strings.ToLower(name)
			s.isOfHomes = true
			s.isRent = s.isRent || toRent.in(lower)
			s.isSale = s.isSale || toBuy.in(lower)
		}
	}
	return s
}

const linesOfSearch = 8 // lines above the first card in which the search may have its name

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

// namesFlat reports whether a text has a word for homes other than those that searches for goods have, too: "house".
func namesFlat(text string) bool {
	return slices.ContainsFunc(wholeHome().FindAllString(text, 8), func(word string) bool {
		return !houses()[strings.ToLower(strings.TrimFunc(word, isNoLetter))]
	})
}

var houses = setOfWords("goodsHome")

// namesWish reports whether a title is by somebody who looks for a home.
func namesWish(title string) bool {
	return wishTitle().MatchString(title) && !tenantWord().MatchString(title)
}

// namesThing reports whether a text, such as a title or the name of a search, names a thing, a job, a garage, a stay or
// a wish. What comes after the word for a home belongs to the home.
func namesThing(text string) bool {
	lower := strings.ToLower(text)
	if wantedName().MatchString(text) && !tenantWord().MatchString(text) || lodgingWords.in(lower) ||
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

// unmet returns the first condition that a listing with only a title and a price does not meet, in words for the user,
// or "" if it needs nothing else.
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

// Bounds of the cost of a home whose listing has only a title and a price, in any currency. highestRent is for
// strongCurrencies only: in others a rent may be millions.
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
	// wantedName matches the name of a search among wishes, and wishTitle the title of a wish.
	wantedName = newPattern(`(?i)(?:^|\P{L}){{wanted}}(?:\P{L}|$)`)
	wishTitle  = newPattern(`(?i)(?:^|\P{L}){{wish}}(?:\P{L}|$)|^{{wishStart}}:? `)
	// beforePart matches the word between a home and a part of it.
	beforePart = newPattern(`(?i)(?:^|\s){{partWith}}\s`)
	// forAnyHome matches the words for goods that suit every home.
	forAnyHome    = newPattern(`(?i)(?:^|\P{L}){{for}} {{anyHome}} (?:\p{L}+ )?(?:{{homeWord}}|home)(?:\P{L}|$)`)
	homeAndGarden = newPattern(`(?i){{homeGoods}} ?(?:[&+/,]|{{goodsAnd}}) ?(?:\p{L}+ )?{{garden}}`)
)

var (
	toRent = phrasesOf("toRent")
	toBuy  = phrasesOf("toBuy")
	// things are words for what nobody lives in: goods, garages and plots.
	things = phrasesOf("thing")
	// works are words for jobs, for people who do them, and for texts about homes.
	works = phrasesOf("work")
)
