// Titles: the line of a text that is the title of a listing.

package listing

import (
	"slices"
	"strings"
	"unicode"
)

const (
	longestTitle   = 120 // letters of a title that is not shortened
	longestUnended = 60  // letters of a title that may end as a sentence does
	lettersOfTitle = 500 // the letters of a line that titleIn looks at
	linesBelow     = 12  // lines below the first fact among which the title may be
)

var (
	// asideWords are what a page says that is not about the listing: cookies, menus, buttons.
	asideWords  = phrasesOf("pageWord")
	asideForm   = newPattern(`^{{asideLine}}$|{{mapName}}$|\d ?{{photosAfter}}|{{photosBefore}} \(?\d`)
	manyWords   = phrasesOf("manyHomes")
	menuEntries = phrasesOf("menuEntry")
)

// isAside reports whether a line does not belong to a listing.
func (l textLine) isAside() bool { return asideWords.in(l.lower) || asideForm().MatchString(l.lower) }

var (
	labelAndNumber = newPattern(`^\S+(?: \S+)?:? [\d.,]+$`)
	twoSentences   = newPattern(`\p{Ll}{3}[.!?] \p{Lu}`)
	titleSign      = newPattern(`m²|(?:^| ){{titleWith}} `) // m² or a preposition: titles have these, labels do not
	inARow         = newPattern(` [|·•] `)
	codeNearStart  = newPattern(`^\D{0,40}\b\d{5}\b`)
	factAlone      = newPattern(`^[\d.,½ -]+\p{L}+\.?$`)
	shortLabel     = newPattern(`^[^:]{2,30}: \S+(?: \S+)?$`)
	wordOfThree    = newPattern(`\p{L}{3}`)
)

// worth scores how much a line looks like the title of a listing. isBelow tells that it is below the first fact. The
// table of weights in docs/design.md names texts that need each.
func (l textLine) worth(isBelow bool) int {
	isHome := adWords.in(l.lower)
	words := strings.Count(l.text, " ") + 1
	last := l.text[len(l.text)-1]
	score := 0
	add := func(holds bool, points int) {
		if holds {
			score += points
		}
	}
	hasLabelAlone := labelAndNumber().MatchString(l.text) && isLabel(strings.TrimRight(l.text, ": .,0123456789"))
	isSentence := strings.IndexByte(".?!:", last) >= 0 && l.length > longestUnended
	beginsWithCode := l.digits >= 5 && codeNearStart().MatchString(l.text)

	add(isHome, 4) // as much as all else that speaks for a line
	add(!isHome && isStreet(l.text), 2)
	add(l.length >= 20, 1)
	add(titleSign().MatchString(l.text), 1)

	add(hasLabelAlone, -6)
	add(twoSentences().MatchString(l.text), -4)
	add(l.isAside() && words < 6, -6) // a longer line may have such a word by chance
	add(manyWords.in(l.lower) || l.digits == 0 && menuEntries.in(l.lower), -4)
	add(l.isTrail(), -4)
	add(l.isFact && len(inARow().FindAllStringIndex(l.text, -1)) > 1, -5) // facts in a row
	add(l.isRowOfFacts(), -3)                                             // less than a home: it may be all that there is
	add(isSentence || l.length > longestTitle, -3)
	add(words == 1, -3)
	add(l.length < 10 || beginsWithCode, -2)
	add(l.digits > 0 && factAlone().MatchString(l.text), -6)
	add(isBelow, -1) // of equal lines, the one above the facts is the title
	return score
}

// isRowOfFacts reports whether a line is several facts, each with at most one word: "Miete 980 €, 52 m², 2 Zimmer".
func (l textLine) isRowOfFacts() bool {
	if l.digits == 0 || l.length > longestTitle {
		return false
	}
	facts := 0
	for part := range strings.FieldsFuncSeq(strings.ReplaceAll(l.text, ", ", " | "), isStroke) {
		factEnd, words := 0, "" // the end of the last fact, and what stands around the facts of the part
		for _, a := range amountsIn(nil, part) {
			if a.isFact() {
				words += part[factEnd:a.start] + " "
				factEnd = a.end
				facts++
			}
		}
		words += part[factEnd:]
		hasFact := factEnd > 0
		if !hasFact || adWords.in(strings.ToLower(words)) || len(strings.FieldsFunc(words, isNoLetter)) > 1 {
			return false
		}
	}
	return facts > 1
}

// hasSeveralAreas reports whether a line has several areas and a word: "45 m² + terrace 10 m²".
func (l textLine) hasSeveralAreas() bool {
	n := 0
	for _, a := range amountsIn(nil, l.text) {
		if a.unit == squareMetres || a.unit == squareFeet {
			n++
		}
	}
	return n > 1 && wordOfThree().MatchString(l.text)
}

func isStroke(r rune) bool { return strings.ContainsRune("|·•;", r) }

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

const shortestMenu = 4 // lines

// menuOf reports for each line whether it is part of a menu: a run of at least shortestMenu lines of few words. The
// labels at the end of a run are no part of it, and neither is the line above them, which may be a heading.
func menuOf(lines []textLine) []bool {
	isMenu := make([]bool, len(lines))
	for first := 0; first < len(lines); {
		end := first
		for end < len(lines) && lines[end].isWords() {
			end++
		}
		heading := end - 1 // the last line that is no label
		for heading > first && isLabel(lines[heading].text) {
			heading--
		}
		if end-first >= shortestMenu {
			for i := first; i < heading; i++ {
				isMenu[i] = true
			}
		}
		first = end + 1 // the line at end is not of few words
	}
	return isMenu
}

// isWords reports whether a line is as short as an entry of a menu, with neither digits nor commas, points or colons.
func (l textLine) isWords() bool {
	const tooLong, tooManySpaces = 40, 5 // letters and spaces of more than an entry
	isShort := l.length < tooLong && strings.Count(l.text, " ") < tooManySpaces
	return isShort && !strings.ContainsAny(l.text, "0123456789,.:")
}

// isNoTitle reports whether a line is a fact, a button, or the name of a fact.
func (l textLine) isNoTitle() bool {
	if isPriceOnRequest(l.text) {
		return true
	}
	if !wordOfThree().MatchString(l.text) || l.isFactAlone() || isValue(l.text) || shortLabel().MatchString(l.text) {
		return true
	}
	if adWords.in(l.lower) { // it advertises a home
		return false
	}
	const (
		mostButtonSpaces  = 3  // spaces of a button; a line with more may have a word of one by chance
		tooLongNameOfCost = 45 // letters of a line that has more than the name of a cost
	)
	isButton := l.isAside() && strings.Count(l.text, " ") <= mostButtonSpaces
	isNameOfCost := l.length < tooLongNameOfCost && kindOf(l.lower).isExtra()
	return isButton || isNameOfCost
}

// titleIn returns the line that a label calls the title, or else the line that looks most like one, of the lines down
// to some below the first fact. Of equal ones it is the nearest to that fact. An amount, an entry of a menu and the
// name of a fact are not titles.
func titleIn(lines []textLine) string {
	start := firstFact(lines)
	near := lines[:min(len(lines), start+linesBelow)]
	if at := slices.IndexFunc(near, func(l textLine) bool { return l.isTitle }); at >= 0 {
		return near[at].text
	}
	isMenu := menuOf(lines[:start])
	best, bestWorth, bestDistance := "", 0, 0
	for i, l := range near {
		head := l // the beginning of a long line
		if l.length > lettersOfTitle {
			head = newLine(nil, leading(l.text, lettersOfTitle))
		}
		if head.isNoTitle() || i < start && isMenu[i] {
			continue
		}
		worth := head.worth(i > start)
		distance := max(i-start, start-i)
		if best == "" || worth > bestWorth || worth == bestWorth && distance < bestDistance {
			best, bestWorth, bestDistance = l.text, worth, distance
		}
	}
	if len(lines) == 1 && best == "" && lines[0].hasSeveralAreas() {
		return lines[0].text // no other field of a listing would keep it
	}
	return best
}

// shortened truncates a long title to its first words.
func shortened(title string) string {
	if runeCount(title) <= longestTitle {
		return title
	}
	title = leading(title, longestTitle)
	if i := strings.LastIndexFunc(title, unicode.IsSpace); i >= 0 {
		title = title[:i]
	}
	return title + " …"
}

// isFactAlone reports whether a line is a fact with at most one word: "Warmmiete 1.390 €", "60 m²".
func (l textLine) isFactAlone() bool {
	if !l.isFact || adWords.in(l.lower) {
		return false
	}
	n := 0
	for _, word := range strings.FieldsFunc(l.text, isNoLetter) {
		if runeCount(word) >= 3 && spellingOf(word).currency == "" {
			n++
		}
	}
	return n < 2
}
