// Countries: the country of a listing, by its link, or by the currency and the language of its text.

package listing

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// currencyCountries maps a currency to its country, as in the domains of sites. A dollar is American, if nothing else
// tells. Neither the euro nor the krone tells a country.
var currencyCountries = map[string]string{"CHF": "ch", "GBP": "uk", "$": "us", "USD": "us", "PLN": "pl", "CZK": "cz",
	"CAD": "ca", "AUD": "au", "NZD": "nz", "RON": "ro", "HUF": "hu", "DKK": "dk", "SEK": "se", "NOK": "no", "EUR": "",
	"kr": ""}

// CurrencyCountry returns the country that a currency tells, as in the domains of its sites, or "".
func CurrencyCountry(currency string) string {
	return currencyCountries[cmp.Or(spellingOf(currency).currency, currency)]
}

// A clue is what tells a country by its language.
type clue struct {
	country string
	words   *phrases
}

var (
	languageClues = []clue{
		{country: "de", words: anyOf("miete|wohnung|zimmer|kaufpreis|fläche")},
		{country: "fr", words: anyOf("_loyer|pièce_|pièces_|_louer|appartement à|charges comprises|chambre_",
			"chambres_|surface")},
		{country: "dk", words: anyOf("lejlighed|værelse|husleje|månedlig|ejerudgift|kontantpris|. sal_|boligareal")},
		{country: "se", words: anyOf("lägenhet|_hyra_|_hyran_|boarea| rum_|våning")},
		{country: "no", words: anyOf("leilighet|soverom|månedsleie|husleie|etasje|prisantydning|bruksareal")},
		{country: "nl", words: anyOf("kamer_|kamers_|_te huur_|_te koop_|huurprijs|vraagprijs|per maand|waarborgsom|_wonen_",
			"verdieping")},
		{country: "es", words: anyOf("alquiler|habitación|habitacion|_piso_|fianza|dormitorio|planta")},
		{country: "it", words: anyOf("affitto|_locali_|cauzione|spese condominio|piano_|bagno")},
		{country: "ro", words: anyOf("închiri|garsonier|apartament_|apartamente|suprafa|lună_|strada_|anunț|preț")},
		{country: "pt", words: anyOf("arrenda|imóve|moradia|€/mês|quartos|caução|andar_|m² área|casa de banho")},
	}
	eircode = newPattern(`Eircode|\bBER [A-G]\d?\b|, [AC-FHKNPRTV-Y]\d[\dW] ?[A-Z\d]{4}$`)
	austria = newPattern(`\b\d{4} (?:Wien|Graz|Linz|Salzburg|Innsbruck)\b`)
)

// countryOf returns the country of a listing as in the domain of a site, or "": by its link, or by the currencies and
// the words of its text. Each country has its own postal codes, before or after the place.
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
	case has(eircode):
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
			counts["se"] += 2
		}
	}
	best := ""
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

// PostalCode returns the postal code in an address, or "". A link of the listing may tell the country.
func PostalCode(address, link string) string {
	found, _ := addressIn(address, "", countryOf(link, nil))
	return found.code
}
