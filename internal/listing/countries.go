// Countries: the country of a listing, by its link, or by the currency and the language of its text.

package listing

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// currencyCountries maps a currency to its country, as in the domains of sites. A dollar is American, if nothing else
// tells. The euro and "kr" are missing, because neither tells a country.
var currencyCountries = map[string]string{"CHF": "ch", "GBP": "uk", "$": "us", "USD": "us", "PLN": "pl", "CZK": "cz",
	"CAD": "ca", "AUD": "au", "NZD": "nz", "RON": "ro", "HUF": "hu", "DKK": "dk", "SEK": "se", "NOK": "no"}

// CurrencyCountry returns the country of a currency, as a top-level domain such as "ch", or "" if the currency tells
// none. The currency may be a code, a sign or a name.
func CurrencyCountry(currency string) string {
	return currencyCountries[cmp.Or(spellingOf(currency).currency, currency)]
}

// A clue is a country with words that are frequent in its language.
type clue struct {
	country string
	words   *phrases
}

var (
	languageClues = []clue{
		{"de", phrasesIn("de", "clue")},
		{"fr", phrasesIn("fr", "clue")},
		{"dk", phrasesIn("da", "clue")},
		{"se", phrasesIn("sv", "clue")},
		{"no", phrasesIn("no", "clue")},
		{"nl", phrasesIn("nl", "clue")},
		{"es", phrasesIn("es", "clue")},
		{"it", phrasesIn("it", "clue")},
		{"ro", phrasesIn("ro", "clue")},
		{"pt", phrasesIn("pt", "clue")},
	}
	// ireland matches the name of an Irish code, an Irish energy rating, or such a code at the end of an address.
	ireland = newPattern(`Eircode|\bBER [A-G]\d?\b|, [AC-FHKNPRTV-Y]\d[\dW] ?[A-Z\d]{4}$`)
	// austria matches a postal code of four digits before a large town: German ones have five.
	austria = newPattern(`\b\d{4} (?:Wien|Graz|Linz|Salzburg|Innsbruck)\b`)
)

// countryOf returns the country of a listing as a top-level domain, such as "de": the domain of its link, if
// codesOf has the forms of that country's postal codes, or else the country that the text tells by postal codes,
// currencies and words. If the text tells none, it returns the domain of the link, which may be "com", or "".
func countryOf(link string, lines []textLine) string {
	domain := ""
	if u := parseLink(link); u != nil {
		host := u.Hostname()
		domain = host[strings.LastIndexByte(host, '.')+1:]
	}
	if codesOf[domain] != nil {
		return domain
	}
	country := countryOfCurrency(lines)
	if country == "" {
		country = countryOfLanguage(lines)
	}
	has := func(form pattern) bool {
		return slices.ContainsFunc(lines, func(l textLine) bool { return l.digits > 0 && form().MatchString(l.text) })
	}
	switch {
	case has(ireland):
		return "ie"
	case country == "us" && has(codeForms.ca):
		return "ca"
	case country == "us" && has(codeForms.au):
		return "au"
	case country == "de" && has(austria):
		return "at"
	case country == "":
		return domain
	}
	return country
}

// countryOfCurrency returns the country of the currency that is most frequent in a text, or "".
func countryOfCurrency(lines []textLine) string {
	counts := map[string]int{}
	for _, l := range lines {
		for _, sign := range l.signs {
			counts[currencyCountries[sign]]++
		}
		if strings.Contains(l.lower, "kr/mån") {
			counts["se"] += 2 // kr tells no country, but "mån" is Swedish, for a month
		}
	}
	best := "" // with the count of the euro and of other currencies without a country
	for _, country := range slices.Sorted(maps.Keys(counts)) {
		if counts[country] > counts[best] {
			best = country
		}
	}
	return best
}

// countryOfLanguage returns the country whose words are most frequent in a text, or "".
func countryOfLanguage(lines []textLine) string {
	best, most := "", 0
	for _, clue := range languageClues {
		n := 0
		for _, l := range lines {
			n += clue.words.count(l.lower)
		}
		if n > most {
			best, most = clue.country, n
		}
	}
	return best
}

// PostalCode returns the postal code in an address, or "". The link of the listing may tell the country.
func PostalCode(address, link string) string {
	found, _ := addressIn(address, "", countryOf(link, nil))
	return found.code
}
