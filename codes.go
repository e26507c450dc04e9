// The postal code that stands in an address.

package main

import (
	"maps"
	"slices"
	"strings"
	"unicode"
)

// in returns the postal code in an address. If the address contains codes of the constraint, it
// must contain only one of them; otherwise it must contain only one code of all files, and without a
// constraint it must be clear of which country (see countryIn). in returns "" if it contains none, or
// if it is not clear which one is meant.
func (p *PostalCodes) in(address, constraint, country string) string {
	if p == nil || len(address) > maxAddress {
		return ""
	}
	address = strings.Map(narrow, address)
	c, constrained := p.constraints[constraint]
	own, all := map[string]bool{}, map[string]bool{}
	for _, entry := range p.writtenIn(address) {
		code := entry.PostalCode.String()
		all[code] = true
		if constrained && c.covers(entry) {
			own[code] = true
		}
	}
	found := own
	if len(own) == 0 {
		found = all
	}
	if len(found) != 1 {
		return ""
	}
	code := slices.Collect(maps.Keys(found))[0]
	// The constraint may have the same code for another town, which the address does not name.
	isUnclear := len(own) == 0 && p.get(constraint, code) != nil
	if isUnclear || !constrained && !p.isOfOneCountry(address, code, country) {
		return ""
	}
	return code
}

// isOfOneCountry reports whether all entries of a code that count in an address are in one country. Those of a code of
// five digits count whatever the address names.
func (p *PostalCodes) isOfOneCountry(address, code, country string) bool {
	if !p.isInSeveralCountries(code) {
		return true
	}
	return !fiveDigits().MatchString(code) && p.countryIn(address, code, country) != ""
}

// isInSeveralCountries reports whether the entries of a code are in more than one country.
// The country is the first part of an area.
func (p *PostalCodes) isInSeveralCountries(code string) bool {
	countries := map[string]bool{}
	for entry := range p.spelled(compact(code)) {
		if entry.PostalCode.String() == code {
			country, _, _ := strings.Cut(entry.Area.String(), "-")
			countries[country] = true
		}
	}
	return len(countries) > 1
}

// writtenIn returns the entries whose codes occur in an address: as one word, or as two with only
// spaces or hyphens between them.
func (p *PostalCodes) writtenIn(address string) (found []*PostalCode) {
	all := newAddressWords(words(address))
	isBreak := func(r rune) bool { return isSeparator(r) && r != '-' && !unicode.IsSpace(r) }
	for part := range strings.FieldsFuncSeq(address, isBreak) {
		list := words(part)
		for len(list) > 0 {
			entries, n := p.codeAt(list, all)
			found = append(found, entries...)
			list = list[n:]
		}
	}
	return found
}

// codeAt returns the entries of the code with which a list of words begins, and the number of its
// words, or no entries and 1.
func (p *PostalCodes) codeAt(list []string, all addressWords) (found []*PostalCode, n int) {
	for n := min(2, len(list)); n >= 1; n-- {
		span := list[:n]
		// Some codes must be written with a space or hyphen.
		for entry := range p.spelled(strings.Join(span, "")) {
			isSure := entry.matches(span) && (entry.isWhole() || entry.isNamedIn(all))
			isLong := sixDigits().MatchString(entry.PostalCode.String())
			if isSure || entry.isRegrouped(span) && (isLong || entry.isNamedWith(all)) {
				found = append(found, entry)
			}
		}
		if len(found) > 0 {
			return found, n
		}
	}
	if n := p.addOutward(list, all, &found); n > 0 {
		return found, n
	}
	p.addPrefixed(list[0], all, &found)
	return found, 1
}

// The inward parts of codes, by country. They follow the outward part, which the files of GeoNames
// have alone.
var inwardParts = map[string]pattern{
	"GB": newPattern(`^[0-9][a-z]{2}$`),
	"CA": newPattern(`^[0-9][a-z][0-9]$`),
	"NL": newPattern(`^[a-z]{2}$`),
	"IE": newPattern(`^(?:[0-9][0-9a-z]{3}|[0-9a-z][0-9][0-9a-z]{2}|[0-9a-z]{2}[0-9][0-9a-z]|[0-9a-z]{3}[0-9])$`),
}

// ordinal matches what may be the inward part of a British code, or an ordinal: "Flat E8 1st floor".
var ordinal = newPattern(`^[0-9](?:st|nd|rd|th)$`)

// addOutward adds the entries of the outward part with which a list of words begins, if its inward
// part follows, joined or as the next word. It returns the number of words, or 0. A code with
// letters counts without the name of its town.
func (p *PostalCodes) addOutward(list []string, all addressWords, found *[]*PostalCode) int {
	add := func(outward, inward string) (isFound bool) {
		for entry := range p.spelled(outward) {
			pattern := inwardParts[entry.country()]
			if pattern == nil || !pattern().MatchString(inward) || compact(entry.PostalCode.String()) != outward {
				continue
			}
			hasLetter := strings.ContainsFunc(outward, unicode.IsLetter)
			if hasLetter && !ordinal().MatchString(inward) || entry.isNamedIn(all) {
				*found = append(*found, entry)
				isFound = true
			}
		}
		return isFound
	}
	if len(list) > 1 && add(list[0], list[1]) {
		return 2
	}
	word := list[0]
	for length := 2; length <= 4; length++ { // of the inward part
		if len(word) > length+1 && add(word[:len(word)-length], word[len(word)-length:]) {
			return 1
		}
	}
	return 0
}

// loadedPrefixes are the letters before the digits of codes in the files of GeoNames.
var loadedPrefixes = []string{"l", "lv", "lt", "ad", "md", "az"}

var prefixedCode = newPattern(`^([a-z]{1,2})([0-9]{3,6})$`)

// addPrefixed adds the entries of a code that has its country's letters only in the file, or only in
// the address: L-1111 and 1111, 8001 and CH8001.
func (p *PostalCodes) addPrefixed(word string, all addressWords, found *[]*PostalCode) {
	add := func(key, prefix string) {
		for entry := range p.spelled(key) {
			country := entry.country()
			isPrefix := strings.ToLower(country) == prefix || countryLetters[country] == prefix
			if isPrefix && entry.isNamedIn(all) {
				*found = append(*found, entry)
			}
		}
	}
	if parts := prefixedCode().FindStringSubmatch(word); parts != nil {
		add(parts[2], parts[1])
		return
	}
	if strings.Trim(word, "0123456789") == "" {
		for _, prefix := range loadedPrefixes {
			add(prefix+word, prefix)
		}
	}
}

// matches reports whether words spell the code. A code with a space or a letter may also be
// written with more or fewer words: "1012 AB" as "1012AB". A code of digits and hyphens may not.
func (c *PostalCode) matches(written []string) bool {
	code := c.PostalCode.String()
	own := words(code)
	if slices.Equal(own, written) {
		return true
	}
	isSpaceOrLetter := func(r rune) bool { return r == ' ' || unicode.IsLetter(r) }
	maySplitOrJoin := strings.ContainsFunc(code, isSpaceOrLetter) && len(own) != len(written)
	return maySplitOrJoin && strings.Join(own, "") == strings.Join(written, "")
}

// isRegrouped reports whether words spell a code of digits and hyphens with another separator or none: 01310-100
// as 01310100, 00-545 as 00545, 560001 as 560 001. In other groups than these the first word is a house number.
func (c *PostalCode) isRegrouped(written []string) bool {
	own := words(c.PostalCode.String())
	joined := strings.Join(written, "")
	if len(own) == len(written) || joined != strings.Join(own, "") || strings.Trim(joined, "0123456789") != "" {
		return false
	}
	isJoined := len(written) == 1 && len(own) == 2
	isSplit := len(written) == 2 && len(own) == 1 && len(written[0]) == 3 && len(written[1]) == 3
	return isJoined || isSplit
}

// wholeCodes match codes with an outward part that has letters, and an inward part.
var wholeCodes = map[string]pattern{
	"GB": newPattern(`^[a-z]{1,2}[0-9][0-9a-z]?[0-9][a-z]{2}$`),
	"CA": newPattern(`^[a-z][0-9][a-z][0-9][a-z][0-9]$`),
}

// isWhole reports whether the code cannot be anything else in an address, such as a house number.
func (c *PostalCode) isWhole() bool {
	pattern := wholeCodes[c.country()]
	return pattern != nil && pattern().MatchString(compact(c.PostalCode.String()))
}

var (
	fiveDigits = newPattern(`([0-9].*){5}`)
	sixDigits  = newPattern(`([0-9].*){6}`)
)

// addressWords are the words of an address.
type addressWords struct {
	list   []string
	joined string // with a space before and after each
}

func newAddressWords(list []string) addressWords {
	return addressWords{list, " " + strings.Join(list, " ") + " "}
}

// isNamedIn reports whether the code cannot be a house number in an address: it has five digits, or one of its names is
// in the address.
func (c *PostalCode) isNamedIn(all addressWords) bool {
	return fiveDigits().MatchString(c.PostalCode.String()) || c.isNamedWith(all)
}

// isNamedWith reports whether one of the code's names is in an address.
func (c *PostalCode) isNamedWith(all addressWords) bool {
	isInAddress := func(name string) bool { return strings.Contains(all.joined, " "+name+" ") }
	return slices.ContainsFunc(c.names(), isInAddress)
}
