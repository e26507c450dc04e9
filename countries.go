package main

// Countries: the country of a listing, by its link, or by the currency and the language of its text.

import (
	"net/url"
	"regexp"
	"strings"
)

// A clue is what tells a country in a text.
type clue struct {
	country string
	signs   *regexp.Regexp
	words   *phrases
}

// What tells the country of a listing where its link does not: the sign of its currency, or else its language.
var (
	signClues = []clue{
		{country: "", signs: regexp.MustCompile(`€|(?i:EUR|\bkr\b)`)},
		{country: "ch", signs: regexp.MustCompile(`\b(?:CHF|SFr\.?|Fr\. ?\d)`)},
		{country: "uk", signs: regexp.MustCompile(`£`)},
		{country: "us", signs: regexp.MustCompile(`\$ ?\d`)},
		{country: "pl", signs: regexp.MustCompile(`\d ?zł|PLN`)},
		{country: "cz", signs: regexp.MustCompile(`\d ?Kč|CZK`)},
		{country: "ca", signs: regexp.MustCompile(`CA\$|CAD|\bC\$`)},
		{country: "au", signs: regexp.MustCompile(`AU\$|AUD|\bA\$`)},
		{country: "nz", signs: regexp.MustCompile(`NZ\$|NZD`)},
		{country: "ro", signs: regexp.MustCompile(`\d lei\b|\bRON\b`)},
		{country: "hu", signs: regexp.MustCompile(`\d ?Ft|HUF`)},
		{country: "dk", signs: regexp.MustCompile(`DKK`)},
		{country: "se", signs: regexp.MustCompile(`SEK|kr/mån`)},
		{country: "no", signs: regexp.MustCompile(`NOK`)},
	}
	languageClues = []clue{
		{country: "de", words: anyOf("miete|wohnung|zimmer|kaufpreis|fläche")},
		{country: "fr", words: anyOf("_loyer|pièce_|pièces_|_louer|appartement à|charges comprises|chambre_|chambres_|surface")},
		{country: "dk", words: anyOf("lejlighed|værelse|husleje|månedlig|ejerudgift|kontantpris|. sal_|boligareal")},
		{country: "se", words: anyOf("lägenhet|_hyra_|_hyran_|boarea| rum_|våning")},
		{country: "no", words: anyOf("leilighet|soverom|månedsleie|husleie|etasje|prisantydning|bruksareal")},
		{country: "nl", words: anyOf("kamer_|kamers_|_te huur_|_te koop_|huurprijs|vraagprijs|per maand|waarborgsom|_wonen_",
			"verdieping")},
		{country: "es", words: anyOf("alquiler|habitación|habitacion|_piso_|fianza|dormitorio|planta")},
		{country: "it", words: anyOf("affitto|_locali_|cauzione|spese condominio|piano_|bagno")},
		{country: "pt", words: anyOf("arrenda|quartos|caução|andar_|m² área|casa de banho")},
	}
	eircode = regexp.MustCompile(`(?m)Eircode|\bBER [A-G]\d?\b|, [AC-FHKNPRTV-Y]\d[\dW] ?[A-Z\d]{4}$`)
	austria = regexp.MustCompile(`\b\d{4} (?:Wien|Graz|Linz|Salzburg|Innsbruck)\b`)
)

// countryOf returns the country of a listing as in the domain of a site, or "": by its link, or by the signs and words
// of its text. Each country has its own postal codes, before or after the place.
func countryOf(link, text string) string {
	domain := ""
	if u, err := url.Parse(link); err == nil {
		host := u.Hostname()
		domain = host[strings.LastIndexByte(host, '.')+1:]
	}
	if codesOf[domain] != nil {
		return domain
	}
	country := mostFrequent(signClues, text)
	if country == "" {
		country = mostFrequent(languageClues, text)
	}
	switch {
	case eircode.MatchString(text):
		return "ie"
	case country == "us" && codeForms.ca.MatchString(text):
		return "ca"
	case country == "us" && codeForms.au.MatchString(text):
		return "au"
	case country == "de" && austria.MatchString(text):
		return "at"
	case country == "":
		return domain
	}
	return country
}

// mostFrequent returns the country whose clue is in a text most often, or "".
func mostFrequent(clues []clue, text string) string {
	best, most := "", 0
	lower := strings.ToLower(text)
	for _, clue := range clues {
		n := 0
		if clue.signs != nil {
			n = len(clue.signs.FindAllStringIndex(text, -1))
		} else {
			n = clue.words.count(lower)
		}
		if n > most {
			best, most = clue.country, n
		}
	}
	return best
}
