// Numbers: what a site calls a listing in all of its links, however they differ otherwise.

package listing

import (
	"net/url"
	"slices"
	"strings"
)

// A Link is a link in the form in which it is compared with others.
type Link struct {
	Key    string // what links to one page have in common (see [LinkKey]), or "" if the text is not an http or https URL
	Number string // the site of the listing and its number there, or "" if the link has none

	numbersBefore  []string // the numbers before that one, sorted: those of a customer or a project, for example
	rest           string   // what follows the number and may tell listings apart: see restOf
	isRent, isSale bool     // the path has words for rent, or for sales
}

// ParseLink returns the link in a text. Its key is "" if the text is not an http or https URL.
//
// The number of a listing may be a UUID, a number of seven digits or more, a group of numbers, or a code of letters and
// digits. The last one in the path counts, and if there is none, the last one in the query.
func ParseLink(text string) (l Link) {
	u := parseLink(unwrapLink(text))
	if u == nil {
		return l
	}
	l.Key = keyOf(u)
	number := "" // of the listing
	parts := partsOf(u)
	for i := len(parts) - 1; i >= 0 && number == ""; i-- {
		if n := numberIn(parts[i]); n.number != "" && !n.isOfNoListing(parts[:i]) {
			number = n.number
			l.numbersBefore = numbersIn(append(slices.Clone(parts[:i]), n.before))
			l.rest = restOf(u, parts[i+1:], n)
		}
	}
	if number == "" {
		number, l.rest = numberInQuery(u)
		l.numbersBefore = numbersIn(parts)
	}
	// In the link of a mailer, a number counts only at the end of a path of words. Elsewhere it may be the number of a
	// reader or of a mail.
	partsAbove := parts[:max(0, len(parts)-1)]
	endsPathOfWords := l.rest == "" && areWords(partsAbove)
	if number == "" || isOfMailer(u) && !endsPathOfWords {
		return Link{Key: l.Key}
	}
	l.Number = domains().siteOf(hostOf(u)) + " " + number
	path := strings.ToLower(u.Path)
	l.isRent, l.isSale = rentPaths.in(path), salePaths.in(path)
	return l
}

// IsOfOneListing reports whether two links lead to one listing: they lead to one page, or they have one number of one
// site, and nothing else in them tells two homes apart. In doubt it returns false.
func (l *Link) IsOfOneListing(other *Link) bool {
	if l.Key == other.Key {
		return l.Key != ""
	}
	isRentAndSale := l.isOnlyRent() && other.isOnlySale() || l.isOnlySale() && other.isOnlyRent()
	before, otherBefore := l.numbersBefore, other.numbersBefore
	areNumbersAlike := hasAll(before, otherBefore) || hasAll(otherBefore, before) // one may leave some out

	// One link may go on after the number. But if it names a unit of a building, or a listing of an agency, the other one
	// is the page of the building or the agency: with it, all its homes would become one.
	oneEnds := l.rest == "" || other.rest == ""
	hasUnit := unitInRest().MatchString(l.rest + other.rest)
	isRestAlike := l.rest == other.rest || oneEnds && !hasUnit
	return l.Number != "" && l.Number == other.Number && areNumbersAlike && isRestAlike && !isRentAndSale
}

func (l *Link) isOnlyRent() bool { return l.isRent && !l.isSale }

func (l *Link) isOnlySale() bool { return l.isSale && !l.isRent }

// IsLike reports whether nothing but tokens, which differ from mail to mail, tells apart two links with one number.
func (l *Link) IsLike(other *Link) bool {
	isSameOffer := l.isRent == other.isRent && l.isSale == other.isSale
	return l.Number == other.Number && slices.Equal(l.numbersBefore, other.numbersBefore) && l.rest == other.rest &&
		isSameOffer
}

// hasAll reports whether a sorted list has all texts of another one.
func hasAll(list, others []string) bool {
	for _, text := range others {
		if _, found := slices.BinarySearch(list, text); !found {
			return false
		}
	}
	return true
}

// Words of paths that say what is offered.
var (
	rentPaths = phrasesOf("rentPath")
	salePaths = phrasesOf("salePath")
)

// partsOf returns the parts of the path of a link and, if its fragment is a route, of the fragment.
func partsOf(u *url.URL) []string {
	path := u.Path
	if u.Fragment != "" {
		route, _, _ := strings.Cut(u.Fragment, "?")
		path += "/" + strings.TrimLeft(route, "/!")
	}
	return slices.DeleteFunc(strings.Split(path, "/"), func(part string) bool { return part == "" })
}

// A partNumber is a number in a part of a path, and the text around it there.
type partNumber struct {
	before, number, after string
	isUnsure              bool // it is a code ("a1b2c3d4") or a group ("12-345-678"), so it may be no number of a listing
}

const (
	leastNumber = 7  // digits of the number of a listing; shorter ones may be codes, prices or sizes
	leastGroup  = 9  // digits of a group of numbers such as "12-345-678"; shorter ones may be dates
	mostNumber  = 20 // digits of a number; longer ones are tokens
	mostLetters = 3  // letters that are part of a number, before its digits
	leastToken  = 16 // letters and digits of a token, a text that differs from mail to mail: see hasToken
)

var (
	groupAtEnd   = newPattern(`(?:^|[^0-9A-Za-z])([A-Za-z]{0,3}[0-9]+(?:[-_][0-9]+)+)$`)
	groupAtStart = newPattern(`^([A-Za-z]{0,3}[0-9]+(?:[-_][0-9]+)+)(?:[^0-9A-Za-z]|$)`)
	// dateInGroup matches a date with the year first, or last.
	dateInGroup = newPattern(`(?:19|20)[0-9]{2}[-_][01]?[0-9][-_][0-3]?[0-9]|` +
		`(?:^|[^0-9])[0-3]?[0-9][-_][0-3]?[0-9][-_](?:19|20)[0-9]{2}(?:[^0-9]|$)`)
	// timeNumber matches digits that are a date with a time, or a date from 2020 to 2049 with the year last. A date
	// with the year first is a dateNumber.
	timeNumber = newPattern(`^(?:` +
		`(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])` +
		`(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?|` + // 202611301412, perhaps with seconds
		`(?:0[1-9]|[12][0-9]|3[01])(?:0[1-9]|1[0-2])20[2-4][0-9]|` + // 30112026
		`(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])20[2-4][0-9])$`) // 11302026
	// roundPrice matches a number of seven or eight digits that may be a price, such as 1250000.
	roundPrice = newPattern(`^[A-Za-z]*[0-9]{4,5}000$`)
	// noListingWord matches words before the numbers of agencies, readers and searches.
	noListingWord = newPattern(`(?i)(?:^|[-_.,~])(?:agen(?:t|te|ti|tur|c[ey]|cies|cia|zia|tie)|makler|meklere?|makelaar|` +
		`broker|realtor|inmobiliaria|imobiliaria|anbieter|user|kunden?|kundenid|customer|client|seller|such[ea]|` +
		`suchauftrag|search|alerte?)$`)
	uuidInPart = newPattern(`(?:^|[^0-9A-Za-z])(` + uuid + `)(?:[^0-9A-Za-z]|$)`)
	// unitInRest matches a unit of a building, or a listing of an agency, in what follows a number: see restOf.
	unitInRest = newPattern(`(?i)` +
		`(?:^|/)(?:` + pathUnit + `)[-_/]?[a-z]?\d{1,4}[a-z]?(?:/|$)|` + // a part: unit-12, flat/3b
		`^\d{1,4}[a-z]?(?:/|$)|` + // only a short number at the start: 12, 3b/photos
		`[?&](?:` + queryUnit + `)[^=&]*=`) // the start of a parameter: ?expose=12, &unit_no=7
)

// numberIn returns the number in a part of a path. A token is not a number.
func numberIn(part string) partNumber {
	name := withoutEnding(part)
	if strings.IndexFunc(name, isDigitRune) < 0 {
		return partNumber{}
	}
	cut := func(start, end int) partNumber {
		return partNumber{before: name[:start], number: name[start:end], after: name[end:]}
	}
	if strings.Count(name, "-") >= 4 { // so many are in a UUID
		if at := uuidInPart().FindStringSubmatchIndex(name); at != nil {
			n := cut(at[2], at[3])
			n.number = strings.ToLower(n.number)
			return n
		}
	}
	if isCode(name) {
		return partNumber{number: name, isUnsure: true}
	}
	if hasToken(name) {
		return partNumber{}
	}
	if start := digitsAtEnd(name); start >= 0 {
		followsWords := start > 0
		if followsWords && roundPrice().MatchString(name[start:]) {
			return partNumber{}
		}
		return cut(start, len(name))
	}
	if end := digitsAtStart(name); end >= 0 {
		return cut(0, end)
	}
	if start, end := groupIn(name); end > 0 {
		n := cut(start, end)
		n.number = separators.Replace(n.number) // some links have it without separators
		n.isUnsure = true
		return n
	}
	return partNumber{}
}

// isOfNoListing reports whether the word before the number says that it is the number of an agency, a reader or a
// search. above has the parts of the path before the part with the number.
func (n partNumber) isOfNoListing(above []string) bool {
	word := strings.TrimRight(n.before, "-_.,~")
	if word == "" && n.after == "" && len(above) > 0 {
		word = above[len(above)-1]
	}
	return noListingWord().MatchString(word)
}

// withoutEnding returns a part of a path without an ending such as .html.
func withoutEnding(part string) string {
	isASCIILetter := func(r rune) bool { return r < 0x80 && isLetter(byte(r)) }
	beforeLetters := strings.TrimRightFunc(part, isASCIILetter)
	letters := len(part) - len(beforeLetters)
	name, hasPoint := strings.CutSuffix(beforeLetters, ".")
	if hasPoint && letters >= 2 && letters <= 5 { // from ".do" to ".xhtml"
		return name
	}
	return part
}

var separators = strings.NewReplacer("-", "", "_", "")

// groupIn returns where a group of numbers, joined by hyphens or underscores, stands at the end of a text or at its
// start, with the letters that are part of it. end is 0 if there is none.
func groupIn(text string) (start, end int) {
	if countAllDigits(text) < leastGroup {
		return 0, 0
	}
	for _, form := range []pattern{groupAtEnd, groupAtStart} {
		if at := form().FindStringSubmatchIndex(text); at != nil {
			group := text[at[2]:at[3]]
			n := countAllDigits(group)
			if n >= leastGroup && n <= mostNumber && !dateInGroup().MatchString(group) {
				return at[2], at[3]
			}
		}
	}
	return 0, 0
}

// digitsAtEnd returns where the number at the end of a text begins, with up to mostLetters letters before its digits,
// or -1.
func digitsAtEnd(text string) int {
	start := len(strings.TrimRightFunc(text, isDigitRune))
	if !isNumber(text[start:]) {
		return -1
	}
	word := strings.TrimRightFunc(text[:start], isWordRune)
	if start-len(word) > mostLetters {
		return -1
	}
	return len(word)
}

// digitsAtStart returns where the number at the start of a text ends, or -1. The number may have up to mostLetters
// letters before its digits, and none after them.
func digitsAtStart(text string) int {
	fromDigits := strings.TrimLeftFunc(text, func(r rune) bool { return isWordRune(r) && !isDigitRune(r) })
	rest := strings.TrimLeftFunc(fromDigits, isDigitRune)
	letters := len(text) - len(fromDigits)
	digits := fromDigits[:len(fromDigits)-len(rest)]
	hasLetterAfter := rest != strings.TrimLeftFunc(rest, isWordRune)
	if !isNumber(digits) || letters > mostLetters || hasLetterAfter {
		return -1
	}
	return len(text) - len(rest)
}

// isNumber reports whether digits may be the number of a listing.
func isNumber(digits string) bool {
	return len(digits) >= leastNumber && len(digits) <= mostNumber && !dateNumber().MatchString(digits) &&
		!timeNumber().MatchString(digits)
}

func isDigitRune(r rune) bool { return '0' <= r && r <= '9' }

// isWordRune reports whether a rune is a letter or a digit. All runes beyond ASCII count as letters.
func isWordRune(r rune) bool { return isDigitRune(r) || r > '~' || isLetter(byte(r)) }

var (
	wordAndNumber = newPattern(`^[A-Za-z]+[0-9]+[A-Za-z]?$`)                   // Lindenweg12a
	longWord      = newPattern(`^[A-Za-z]+(?:[0-9]{0,4}[A-Za-z]?)$`)           // Erdgeschosswohnung2
	wordsJoined   = newPattern(`^[0-9]*(?:[A-Z]?[a-z]{2,}[0-9]*)+[A-Za-z]?$`)  // Top5Haus
	sizeInWord    = newPattern(`(?i)[0-9](?:zi|raum|room|bed|qm|m2|sqm|sqft)`) // 3zimmer50qm
)

// isCode reports whether a part of a path is a code of letters and digits rather than words:
//   - 24 hexadecimal digits, as some databases make their ids, or 8;
//   - 6 to 8 letters and digits, with small letters and capitals;
//   - 8 to 14 with capitals only, or 10 to 14 with small letters only: words with a number look like shorter ones.
func isCode(part string) bool {
	var digits, small, capitals, hexadecimals int
	for i := range len(part) {
		c := part[i]
		switch {
		case isDigit(c):
			digits++
		case !isLetter(c):
			return false
		case c >= 'a':
			small++
		default:
			capitals++
		}
		lower := c | 0x20
		hexadecimals += boolInt(isDigit(c) || lower <= 'f') // c is a digit or a letter
	}
	letters, n := small+capitals, len(part)
	if digits == 0 || letters == 0 || n > 24 {
		return false
	}
	isOfOneCase := small == 0 || capitals == 0
	isHexadecimal := hexadecimals == n && isOfOneCase
	isLongOfOneCase := small == 0 && n >= 8 || capitals == 0 && n >= 10 && digits >= 2
	isWord := wordAndNumber().MatchString(part) || sizeInWord().MatchString(part)
	hasNumber := func() bool { return digitsAtStart(part) >= 0 || digitsAtEnd(part) >= 0 }
	switch {
	case isHexadecimal && n == 24:
		return true
	case n < 6 || n > 14 || isWord:
		return false
	case isHexadecimal && n == 8 || isLongOfOneCase:
		return !hasNumber() // else that is the number of the listing
	}
	return n <= 8 && !isOfOneCase && !wordsJoined().MatchString(part)
}

// hasToken reports whether a part of a path has a token: a run of letters and digits that may differ from mail to mail.
func hasToken(part string) bool {
	if len(part) < leastToken {
		return false
	}
	endsRun := func(r rune) bool { return r > '~' || !isWordRune(r) }
	for run := range strings.FieldsFuncSeq(part, endsRun) {
		if len(run) < leastToken {
			continue
		}
		hasDigits := strings.IndexFunc(run, isDigitRune) >= 0
		hasLetters := strings.TrimLeftFunc(run, isDigitRune) != ""
		switch {
		case !hasLetters && len(run) > mostNumber:
			return true
		case hasLetters && hasDigits && !longWord().MatchString(run) && !isCode(run):
			return true
		}
	}
	return false
}

// numbersIn returns the numbers in parts of a path, sorted. It passes over tokens.
func numbersIn(parts []string) (numbers []string) {
	for _, part := range parts {
		if !hasToken(part) {
			numbers = append(numbers, strings.FieldsFunc(part, func(r rune) bool { return !isDigitRune(r) })...)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// restOf returns what follows the number in a link: the rest of its part, the parts below, and the parameters that may
// tell listings apart. It passes over a token below, unless the part before the token names what is listed.
func restOf(u *url.URL, below []string, n partNumber) string {
	var rest []string
	if after := strings.Trim(n.after, "-_.,~"); after != "" {
		rest = append(rest, after)
	}
	hasPartBelow := false // rest has a part below
	above := ""           // the part before
	for _, part := range below {
		if !hasToken(part) || idName().MatchString(above) {
			rest = append(rest, part)
			hasPartBelow = true
		}
		above = part
	}
	// A number that ends the path is the number of the listing. Then a parameter can only name a unit of a building. Else
	// the number may be that of a customer: with a part below it, each parameter may name the listing, else only an id.
	endsPath := len(below) == 0 && n.after == "" && !n.isUnsure
	query := tellingParameters(u, func(name string) bool {
		mayNameListing := !endsPath && (hasPartBelow || idName().MatchString(name))
		return mayNameListing || unitName().MatchString(name)
	})
	if len(query) > 0 {
		slices.Sort(query)
		rest = append(rest, "?"+strings.Join(query, "&"))
	}
	return strings.Join(rest, "/")
}

// tellingParameters returns the parameters of a link that may tell listings apart, if counts reports true for their
// names.
func tellingParameters(u *url.URL, counts func(name string) bool) (kept []string) {
	for parameter := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(parameter, "=")
		isToken := hasToken(value) && !idName().MatchString(name)
		if value != "" && !isToken && !displayName().MatchString(name) && counts(name) {
			kept = append(kept, parameter)
		}
	}
	return kept
}

// numberInQuery returns the last number in the query of a link, and the rest of the query. The path is part of the
// rest, unless the name of the number says that it is the number of a listing.
func numberInQuery(u *url.URL) (number, rest string) {
	parameters := tellingParameters(u, func(string) bool { return true })
	for i := len(parameters) - 1; i >= 0; i-- {
		name, value, _ := strings.Cut(parameters[i], "=")
		if n := numberIn(value); n.number != "" && n.before == "" && n.after == "" { // the value is nothing else
			parameters = slices.Delete(parameters, i, i+1)
			slices.Sort(parameters)
			rest = strings.Join(parameters, "&")
			isOfListing := idName().MatchString(name) && !otherName().MatchString(name)
			if !isOfListing {
				rest = strings.Trim(u.Path, "/") + "?" + rest
			}
			return n.number, rest
		}
	}
	return "", ""
}

// areWords reports whether parts of a path are words: letters and hyphens.
func areWords(parts []string) bool {
	isNotOfWords := func(r rune) bool { return isDigitRune(r) || r != '-' && !isWordRune(r) }
	return !slices.ContainsFunc(parts, func(part string) bool { return strings.ContainsFunc(part, isNotOfWords) })
}
