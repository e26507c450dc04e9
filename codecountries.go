// The country of a postal code that several countries have.

package main

import (
	"slices"
	"strings"
	"unicode"
)

// maxAddress is the maximum length of an address in bytes. A longer text is not an address.
const maxAddress = 1000

// countryIn returns the country of a code in an address: the only one in which the address has the name of the code's
// town next to the code, or as a part of its own. If there are several, it is the one whose letters stand before the
// code, or the given one. If the address ends with the name of another country, or it is not clear, countryIn
// returns "".
func (p *PostalCodes) countryIn(address, code, country string) string {
	if p == nil || len(address) > maxAddress {
		return ""
	}
	var parts []addressPart
	address = strings.ReplaceAll(strings.Map(narrow, address), " - ", ", ")
	for part := range strings.FieldsFuncSeq(address, isPartBreak) {
		parts = append(parts, newAddressPart(part, compact(code)))
	}
	var found []string
	for entry := range p.spelled(compact(code)) {
		isNamed := func(name string) bool {
			return slices.ContainsFunc(parts, func(part addressPart) bool { return part.names(name) })
		}
		if entry.PostalCode.String() == code && slices.ContainsFunc(entry.names(), isNamed) {
			found = append(found, entry.country())
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	named := namedCountry(parts)
	if named != "" && !slices.Contains(found, named) {
		return ""
	}
	hints := []string{named}
	for _, part := range parts {
		hints = append(hints, part.country)
	}
	for _, hint := range append(hints, country) {
		if slices.Contains(found, hint) {
			return hint
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// narrow returns the ASCII character for a wide one, as in Japanese addresses, and any other
// character as it is.
func narrow(r rune) rune {
	if '！' <= r && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// isPartBreak reports whether a character separates the parts of an address.
func isPartBreak(r rune) bool {
	return isSeparator(r) && r != '-' && r != '.' && r != '\'' && !unicode.IsSpace(r)
}

// An addressPart is a part of an address, between commas.
type addressPart struct {
	words   []string // without the code, simplified
	at      int      // the number of words before the code, or -1 if it is not in this part
	country string   // the country whose letters stand before the code, or ""
}

// letteredCode matches a code with letters joined to it: CH8001, 3011AD.
var letteredCode = newPattern(`^([a-z]{0,2})([0-9]+)[a-z]{0,2}$`)

func newAddressPart(text, code string) addressPart {
	part := addressPart{at: -1}
	for t := (tokenizer{text: text}); t.next(); {
		word, letters := string(t.word), ""
		if parts := letteredCode().FindStringSubmatch(word); parts != nil && parts[2] == code {
			word, letters = code, parts[1]
		}
		if word != code || part.at >= 0 {
			part.words = append(part.words, word)
			continue
		}
		part.at = len(part.words)
		if letters == "" && part.at > 0 {
			letters = part.words[part.at-1]
		}
		part.country = lettersOfCountry(letters)
	}
	return part
}

// countryLetters are the letters of countries that people write before codes, in addition to ISO
// 3166.
var countryLetters = map[string]string{"LU": "l", "DE": "d", "AT": "a", "BE": "b", "FR": "f", "IT": "i", "ES": "e",
	"PT": "p", "SE": "s", "NO": "n"}

// lettersOfCountry returns the country with letters that people write before codes, or "".
func lettersOfCountry(letters string) string {
	if letters == "" {
		return ""
	}
	for country := range cityNames {
		if strings.ToLower(country) == letters || countryLetters[country] == letters {
			return country
		}
	}
	return ""
}

var (
	// wayBefore and wayAfter match what makes a town's name next to it the name of a street.
	wayBefore = newPattern(`^(?:rue|avenue|av|boulevard|bd|place|via|viale|corso|piazza|calle|avenida|rua|ul|` +
		`allee|laan|straat|plein|weg|platz)$`)
	wayAfter = newPattern(`^(?:street|st|road|rd|avenue|ave|drive|dr|lane|ln|way|boulevard|blvd|court|terrace|` +
		`strasse|str|straat|laan|plein|platz|gasse|allee|gade|vej|gata|gatan)$`)
)

// names reports whether the part has a name after the code, perhaps with a word between, or begins with that name and
// is no street.
func (p addressPart) names(name string) bool {
	if p.at >= 0 {
		rest := p.words[p.at:]
		if begins(rest, name) || len(rest) > 0 && !wayBefore().MatchString(rest[0]) && begins(rest[1:], name) {
			return true
		}
	}
	rest := p.words
	for len(rest) > 1 && len(rest[0]) <= 2 {
		rest = rest[1:] // such as Le, La and St
	}
	return begins(rest, name) && !slices.ContainsFunc(rest, isOfStreet)
}

func isOfStreet(word string) bool {
	return strings.ContainsAny(word, "0123456789") || wayBefore().MatchString(word) || wayAfter().MatchString(word)
}

// begins reports whether words begin with a name that is not a street's.
func begins(list []string, name string) bool {
	rest, ok := strings.CutPrefix(strings.Join(list, " ")+" ", name+" ")
	next, _, _ := strings.Cut(rest, " ")
	return ok && !wayAfter().MatchString(next)
}

// namedCountry returns the country whose name is the last part of an address, or "".
func namedCountry(parts []addressPart) string {
	if len(parts) == 0 {
		return ""
	}
	return countryNames[strings.Join(parts[len(parts)-1].words, " ")]
}
