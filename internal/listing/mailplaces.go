// Places of mails: which lines are addresses, and which are names of towns.

package listing

import (
	"strings"

	"flats/internal/turns"
)

// What names of places in East Asia consist of.
const (
	hanLetters = `\p{Han}\p{Hiragana}\p{Katakana}ー々`
	hanName    = `[` + hanLetters + `]{1,20}`
	// hanNameEnd ends the name of a city (市), a ward (区, 區), a town (町), a village (村), a county (郡),
	// a road (路), a street (街, 道) or a house (号).
	hanNameEnd = `[市区區町村郡路街道号]`
	// hanNumberEnd follows the first number of an address: a word for a block (丁目), a lot (番, 番地) or
	// a house (号, 號), or another number, as in "1-19-11".
	hanNumberEnd = `(?:丁目|番地?|号|號|[-－−]\d{1,4})`
)

// A placeReader rates texts as addresses. It remembers the scores, because regular expressions take long.
type placeReader struct {
	work    *turns.Task
	country string         // as in the domain of a site, or ""
	scores  map[string]int // what addressScore returned
}

// numberedWay matches a street after the number of a house, as in France.
var numberedWay = newPattern(`^\d{1,4} ?(?:bis|ter|[a-zA-Z])?,? ` + wayStart)

// wayWithin matches a street with the number of a house at its end, within a text.
var wayWithin = newPattern(`(?:^|[\s,])(` + wayStart + `[^,\d]{2,40},? \d{1,4}(?:\P{L}|$|[a-zA-Z](?:\P{L}|$)))`)

// What addressScore returns. From leastAddress on a text is an address; below, it is only a place.
const (
	townScore    = 1 // a word that may be a town
	placeScore   = 2 // a street without a number, or several names
	streetScore  = 4 // a street with a number
	codeScore    = 5 // a postal code and a town, a whole address of East Asia, or a street with a number and more
	wholeScore   = 6 // a postal code, a town and a street
	leastAddress = streetScore
)

// addressScore rates a text as an address, from 0 to wholeScore.
func (p *placeReader) addressScore(text string) int {
	const longest = 200 // bytes of an address
	if len(text) > longest || text == "" {
		return 0
	}
	score, isKnown := p.scores[text]
	if !isKnown {
		p.work.Step(100 * len(text))
		score = p.readAddress(text)
		p.scores[text] = score
	}
	return score
}

// readAddress rates a text for addressScore, which remembers the score.
func (p *placeReader) readAddress(text string) (score int) {
	const longestPrice = 20 // letters of a text that is only an amount of money; an address may have a price after it
	isAmount := strings.Contains(text, "%") || isSigned(text) && runeCount(text) < longestPrice
	if isAmount || countedName().MatchString(text) || noPlace.in(strings.ToLower(text)) {
		return 0
	}
	if hasDigit(text) {
		if found, ok := addressIn(text, "", p.country); ok && !numbersFirst().MatchString(maskSigns(text)) {
			score = codeScore
			if found.hasStreet {
				score = wholeScore
			}
		}
		if wayWithin().MatchString(text) {
			score = max(score, streetScore)
		}
		for part := range strings.SplitSeq(text, ",") {
			part = strings.TrimSpace(part)
			if score == wholeScore || !hasDigit(part) || !isStreetWithNumber(part) {
				continue
			}
			if score == 0 {
				score = streetScore
			} else { // a street besides what was found before is worth more than either
				score = max(score, streetScore) + 1
			}
		}
	}
	if hanAddress().MatchString(text) || hangulAddress().MatchString(text) {
		return max(score, codeScore)
	}
	isRow := func() bool { return rowOfNames.MatchString(text) && !features().MatchString(text) }
	switch {
	case score > 0:
		return score
	case hanTown().MatchString(text), wayOnly().MatchString(text), hasStreetPart(text), isRow(), p.isDistrict(text):
		return placeScore
	case codeInBrackets().MatchString(text), codeAtEnd().MatchString(text):
		return codeScore
	case isTown(text):
		return townScore
	}
	return 0
}

// isDistrict reports whether a text is a town and a part of it with a slash between them, as in Turkey. Elsewhere a
// slash separates other words as well.
func (p *placeReader) isDistrict(text string) bool {
	if p.country != "tr" && !strings.ContainsAny(text, "İığşĞŞ") {
		return false
	}
	found := districtForm().FindStringSubmatch(text)
	return found != nil && isTown(found[1]) && isTown(found[2])
}

// isStreetWithNumber reports whether a part of a text between commas is a street, with a number.
func isStreetWithNumber(part string) bool {
	return isAddress(part) || wayWithin().MatchString(part) || streetInUS().MatchString(part)
}

// hasStreetPart reports whether a part of a text between commas names a street, which may have no number.
func hasStreetPart(text string) bool {
	if !strings.Contains(text, ", ") {
		return false
	}
	for part := range strings.SplitSeq(text, ", ") {
		if hasStreetName(part) {
			return true
		}
	}
	return false
}

// isTown reports whether a text may be the name of a town and nothing else.
func isTown(text string) bool {
	const longestTown = 30 // letters of the name of a town
	lower := strings.ToLower(text)
	return runeCount(text) < longestTown && text != strings.ToUpper(text) && plainTown().MatchString(text) &&
		!adWords.in(lower) && !notTown.in(lower) && !badges()[lower] && !byline().MatchString(text)
}

// notTown are words of badges and of the ends of letters, such as "Regards", which look like names of towns.
var notTown = phrasesOf("notTown")

// noPlace are words about the cost of a home and who may rent it, which look like names of places.
var noPlace = phrasesOf("noPlace")

// badges are lines that only tell that something is new.
var badges = setOfWords("badge")

// byline matches the name of an author, such as "By Ann".
var byline = newPattern(`^(?i:{{byline}}) \p{Lu}`)

var (
	wayOnly        = newPattern(`(?:^|[\s,])` + wayStart + `\p{L}+`)                // "Via Roma"
	codeInBrackets = newPattern(`\p{Lu}[\p{L}' -]+ \(\d{4,5}\)`)                    // "Leipzig (04275)"
	townWithCode   = newPattern(` in (` + townName + ` \([A-Z]{1,2}\d[\dA-Z]?\))$`) // "Flat in Leeds (LS6)"
	// codeAtEnd matches a town before its code, such as "Leipzig, 04275". Four digits that begin with 20 are no code:
	// they may be a year.
	codeAtEnd = newPattern(`^(?:[^,\d]+, )?` + townName + `, (?:\d{5}|(?:[13-9]\d|2[1-9])\d{2})$`)
	// codeOnly matches a code alone, such as "04275", "1013 AG" or "(5000)". A year alone also matches.
	codeOnly = newPattern(`^\(?(?:\d{5}|[1-9]\d{3}|\d{2}-\d{3}|\d{3} \d{2}|\d{4} ?[A-Z]{2})\)?$`)
	// countedName matches a part of a home with its number, such as "Piano 2", which looks like a street.
	countedName = newPattern(`(?i)^{{countedPart}},? \d{1,4}(?: ?(?:/|{{ofTotal}}) ?\d{1,3})?$`)
	// districtForm matches a town and a part of it, in either order: "İstanbul / Kadıköy".
	districtForm = newPattern(`^(` + townName + `) ?/ ?(` + townName + `)(?: ?/ ?` + townName + `)?$`)
	// hanAddress matches an address of Japan or China with its numbers: "渋谷区神南1-19-11".
	hanAddress = newPattern(`^` + hanName + hanNameEnd + `[` + hanLetters + ` ]{0,20}\d{1,4}` + hanNumberEnd + `{0,4}$`)
	// hangulAddress matches an address of Korea with its number, such as "서울 마포구 월드컵로 12":
	//   - a city or a province
	//   - up to two of a city (시), a county (군), a district (구), a town (읍) and a township (면)
	//   - a road (로), a street (길), a neighbourhood (동) or a section of a street (가), perhaps with a number, or
	//     with a numbered street (길, 번길) or section (가) of it
	//   - the number of the house
	hangulAddress = newPattern(`^\p{Hangul}{2,12}(?: \p{Hangul}{1,6}[시군구읍면]){0,2} ` +
		`\p{Hangul}{1,8}[로길동가](?:\d{1,3}(?:번?길|가))? ` +
		`\d{1,4}(?:-\d{1,4})?(?:$|[ ,(])`)
	// hanTown matches a prefecture (都, 道, 府, 県), a province (省) or a city (市), and a part of it, without a
	// number: "東京都渋谷区".
	hanTown = newPattern(`^` + hanName + `[都道府県省市]` + hanName + `[市区區町村郡][` +
		hanLetters + `]{0,12}$`)
	// plainTown matches a town alone, perhaps with a part of it in parentheses.
	plainTown = newPattern(`^` + townName + `(?: \([\p{L} -]+\))?$`)
	// numbersFirst matches a text that begins with an area or a cost: "72 m²", "900 €". It is for texts after
	// maskSigns, which puts \x01 in the place of each byte of a currency.
	numbersFirst = newPattern(`^\d[\d.,' ]*(?:m²|qm|\x01)`)
	// streetInUS matches a street after the number of a house: "45-15 43rd Avenue".
	streetInUS = newPattern(`^\d{1,5}(?:-\d{1,4})? (?:[NSEW] )?(?:\p{Lu}[\p{L}'.]*|\d{1,3}(?:st|nd|rd|th)) (?:.*\b)?` +
		`(?:St|Ave|Rd|Dr|Ln|Blvd|Ct|Pl|Way|Row|Street|Avenue|Road|Drive|Lane|Court|Place|Terrace|Ter|Cir|Circle|Pkwy|` +
		`Hwy|Trl|Loop)\b`)
)

// countryOfMail returns the country of a mail as a top-level domain, or "". lang tells the country, or else the text.
func countryOfMail(lang string, leaves []leaf) string {
	language, region, _ := strings.Cut(strings.ToLower(lang), "-")
	if len(region) == 2 {
		if region == "gb" {
			return "uk"
		}
		return region
	}
	if country := countriesOf[language]; country != "" {
		return country
	}
	var lines []textLine
	const enough = 500 // lines to tell a country by
	for _, l := range leaves[:min(len(leaves), enough)] {
		lines = append(lines, newLine(nil, l.text))
	}
	country := countryOf("", lines)
	if country == "us" && language == "fr" {
		return "ca" // dollars, in French
	}
	if country != "" {
		return country
	}
	mostWords := 0
	for _, candidate := range countriesOfKroner {
		n := 0
		for _, l := range lines {
			n += candidate.words.count(l.lower)
		}
		if n > mostWords {
			country, mostWords = candidate.name, n
		}
	}
	return country
}

// countriesOfKroner are the countries whose currencies have the sign "kr", with words that tell them apart.
var countriesOfKroner = []struct {
	name  string
	words *phrases
}{
	{"dk", phrasesIn("da", "crown")},
	{"no", phrasesIn("no", "crown")},
	{"se", phrasesIn("sv", "crown")},
}

// countriesOf maps a language to the country where it is mainly spoken.
var countriesOf = map[string]string{"sv": "se", "da": "dk", "nb": "no", "no": "no", "nn": "no", "fi": "fi", "pl": "pl",
	"cs": "cz", "hu": "hu", "ro": "ro", "it": "it", "es": "es", "pt": "pt", "nl": "nl", "tr": "tr", "el": "gr",
	"uk": "ua", "bg": "bg", "ja": "jp"}
