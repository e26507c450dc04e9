// Facts of mails: the facts about a home in each line of a mail, and which lines have none.

package listing

import (
	"slices"
	"strings"

	"flats/internal/turns"
)

// A lineFacts holds the facts of a leaf about a home, and what kind of line the leaf is. A fact that is missing is 0.
type lineFacts struct {
	lower   string      // the line in lower case
	values  []textValue // the pieces of the line, with their labels
	cost    float64     // what is paid for a home
	kind    costKind    // of cost
	area    float64
	rooms   float64
	beds    float64 // bedrooms
	inTitle bool    // the facts are part of a title, so that they begin no card

	isProse     bool // a sentence
	isSearch    bool // what a search asks for, or an average
	isFooter    bool // about the mail, its sender or the search
	isButton    bool
	isHome      bool // it names a home or rent, and not as the purpose of something else
	isDone      bool // the home is not offered to the reader
	isLodging   bool // a place by the night
	isLabel     bool // it is the label of a value in a table
	isOnRequest bool // the price is told on request
	isDoubtful  bool // it may belong to the card before as well as to the next

	hasPlaceLabel bool // it is a value in a table, whose label announces a place
}

// hasFacts reports whether a leaf has facts that may begin a card.
func (f *lineFacts) hasFacts() bool {
	return !f.inTitle && (f.cost != 0 || f.area != 0 || f.rooms != 0 || f.beds != 0 || f.isOnRequest)
}

// endsCard reports whether a card ends above a line: at a sentence, or at a line about the mail. A card without a link
// goes on below the name of a company, which may be the agency.
func (f *lineFacts) endsCard(hasLink bool) bool {
	return f.isProse || f.isFooter && (hasLink || footerWords.in(f.lower))
}

// mayHaveFacts reports whether a line is neither a sentence nor about a search or the mail, where numbers are no facts.
func (f *lineFacts) mayHaveFacts() bool { return !f.isProse && !f.isSearch && !f.isFooter }

const (
	shortestProse = 45                  // letters of a line that is a sentence, if it has the end of one
	longestButton = 40                  // letters of a button; a longer line has words of one by chance
	shortestHead  = 12                  // letters of a heading over several homes; a shorter line is a badge of one home
	titleLetters  = 6                   // letters besides its facts that make a link or a heading a title
	maxFactLines  = 8 * maxMailListings // lines with numbers of a mail
)

// factsOf returns the facts of each leaf.
func factsOf(work *turns.Task, leaves []leaf, country string) []lineFacts {
	facts := make([]lineFacts, len(leaves))
	lines := classifyLines(work, leaves, facts, country)
	for value, label := range labelsOf(leaves) {
		facts[label].isLabel = true
		facts[value].hasPlaceLabel = locationLabel().MatchString(leaves[label].text)
	}
	addValues(work, leaves, facts, lines)
	for i, line := range lines {
		if line != "" {
			work.Step(20 * len(line))
			facts[i].read(&leaves[i], country)
		}
	}
	return facts
}

// classifyLines finds what kinds of lines leaves are. It returns the lines that may have facts of a home, in the form
// of factLine, and "" for all others.
func classifyLines(work *turns.Task, leaves []leaf, facts []lineFacts, country string) []string {
	lines := make([]string, len(leaves))
	isBelowAverages := false // the last heading is about averages
	isBelowDone := false     // the last heading that is no link is about homes that are sold or let
	for i := range leaves {
		text := leaves[i].text
		work.Step(4 + len(text))
		f := &facts[i]
		f.classify(&leaves[i])
		if leaves[i].isHeading && !leaves[i].isImage && len(leaves[i].links) == 0 {
			isBelowDone = isOfDoneHomes(text)
		}
		f.isDone = f.isDone || isBelowDone && !leaves[i].isHeading
		if f.isProse {
			continue
		}
		lines[i] = factLine(replaceMoney(text, fromCost, "$1$2"), country)
		if leaves[i].isHeading {
			isBelowAverages = averageWords.in(f.lower)
		}
		isCriterion := hasDigit(text) &&
			(isBelowAverages || sizeRange().MatchString(f.lower) || isSearchLine(lines[i]) || f.quotesSearch(text))
		f.isSearch = isCriterion || averageWords.in(f.lower) || extraWords.begins(f.lower) > 0
		if f.isSearch || f.isFooter {
			lines[i] = ""
		}
	}
	return lines
}

// addValues adds the values of lines, with their labels, to the facts of the lines. It reads the values of all lines at
// once, because a label may stand in another line.
func addValues(work *turns.Task, leaves []leaf, facts []lineFacts, lines []string) {
	denied := deniedTitles(leaves, facts, lines)
	heads := headsOf(leaves)
	unread := valuesOf(work, lines) // the values of the lines from the next one on
	_, counts := cutPieces(lines)   // how many values each line has
	for i, line := range lines {
		n := counts[i]
		values := slices.DeleteFunc(unread[:n:n], func(v textValue) bool { return reductions.in(v.lower) })
		unread = unread[n:]
		isOneValue := n == 1 && len(values) == 1 && isValue(line)
		if isOneValue && values[0].label == "" {
			values[0].guessLabel(lines, i)
		}
		for j := range values {
			if v := &values[j]; heads[i] != "" {
				v.setLabel(heads[i])
			} else if v.label != "" && denied[v.label] {
				v.setLabel("")
			}
		}
		facts[i].values = values
	}
}

// quotesSearch reports whether a line has the name of a search in quotes, with a number in it.
func (f *lineFacts) quotesSearch(text string) bool {
	return searchWords.in(f.lower) && slices.ContainsFunc(inQuotes().FindAllString(text, mostQuotes), hasDigit)
}

// deniedTitles returns the linked lines that tell what is not to be paid, such as "No fees". They are not labels of
// prices.
func deniedTitles(leaves []leaf, facts []lineFacts, lines []string) map[string]bool {
	denied := map[string]bool{}
	for i := range leaves {
		if leaves[i].isLinked && denials.in(facts[i].lower) {
			denied[lines[i]] = true
		}
	}
	return denied
}

// classify finds what kind of line a leaf is, without looking at other leaves.
func (f *lineFacts) classify(l *leaf) {
	f.lower = strings.ToLower(l.text)
	f.isHome = homeOrRent.in(f.lower) && !isForHome(l.text)
	size := runeCount(l.text)
	endsLikeSentence := size > shortestProse && sentenceEnds().MatchString(l.text)
	f.isProse = size > longestFact || endsLikeSentence
	f.isFooter = footerWords.in(f.lower) || companyForms.in(f.lower) && isOfCompany(l.text)
	f.isDone = isDone(l.text)
	f.isLodging = isStay(l.text, f.lower)
	namesAction := buttonWords.begins(f.lower) > 0 || actionWords.in(f.lower)
	f.isButton = size < longestButton && namesAction && len(l.links) > 0
}

// isOfCompany reports whether a line has the name of a company. "5000 Aarau AG" is an address: AG is a canton, too.
func isOfCompany(text string) bool {
	return companyLine().MatchString(text) && !cantonLine().MatchString(text)
}

// isDone reports whether a line shows that a home is not offered to the reader: it is sold or paid, or has a counter
// such as "12 views" or "place 3 of 40", so that it is the reader's own or on a waiting list.
func isDone(text string) bool {
	text = maskSigns(text)
	return doneLine().MatchString(text) || hasDigit(text) && countedLine().MatchString(text)
}

// isOfDoneHomes reports whether a heading announces homes that are sold or let. "Sold" alone is a badge of one home.
func isOfDoneHomes(heading string) bool {
	isBadge := runeCount(heading) < shortestHead
	return !isBadge && doneHeading().MatchString(heading) && !notDone().MatchString(heading)
}

// isStay reports whether a line offers lodging by the night. lower is the line in lower case.
func isStay(text, lower string) bool {
	isByWeek := sleepsWords.in(lower) && weekRent.in(lower)
	isForWeek := weekWords.in(lower) && weekOffer().MatchString(lower)
	isForDays := hasDigit(text) && daysOffer().MatchString(maskSigns(text))
	return lodgingWords.in(lower) || isByWeek || isForWeek || isForDays
}

// guessLabel takes the line above or below a value, which is line i, for its label: a name of rooms for a bare number,
// and the name of a part of a home for anything else.
func (v *textValue) guessLabel(lines []string, i int) {
	const longest = 60 // bytes of a line that is a label
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(lines) || len(lines[j]) > longest || hasDigit(lines[j]) {
			continue
		}
		lower := strings.ToLower(lines[j])
		isName := partAreaWords.in(lower)
		if bareNumber().MatchString(v.text) {
			isName = bedroomLabels.in(lower) || roomLabel().MatchString(lower)
		}
		if isName {
			v.setLabel(lines[j])
			return
		}
	}
}

// isForHome reports whether a text offers something for a home. Who looks for a tenant for a home offers the home.
func isForHome(text string) bool {
	return forHome().MatchString(text) && !tenantWord().MatchString(text)
}

// isSearchLine reports whether a line with a number is a criterion of a search, such as "up to €900".
func isSearchLine(text string) bool {
	const mostBounds = 8 // bounds that are looked at in a line
	masked := maskSigns(text)
	if beyondUnit().MatchString(masked) || searchHead().MatchString(text) || isForHome(text) {
		return true
	}
	found := beyond().FindAllStringSubmatchIndex(masked, mostBounds)
	if found == nil {
		return false
	}
	amounts := amountsIn(nil, text)
	for _, at := range found {
		firstDigit := at[1] - 1 // beyond ends with it
		i := slices.IndexFunc(amounts, func(a amount) bool { return a.digits == firstDigit })
		if i < 0 || amounts[i].unit == dateUnit || amounts[i].unit == otherUnit {
			continue
		}
		isFrom := at[2] >= 0 // the word before the number is one of {{from}}
		isSize := amounts[i].sign == "" && amounts[i].unit != noUnit
		if !isFrom || isSize { // "up to €900", "from 40 m²"; but "from €900" tells a cost
			return true
		}
	}
	return false
}

// residue returns the words of a line without its amounts, with blanks between them.
func (f *lineFacts) residue() string {
	const mostWords = 40 // words of a line that count; a title or the name of a search has fewer
	var rest strings.Builder
	for i := range f.values {
		v := &f.values[i]
		at := 0
		for _, a := range v.amounts {
			if a.start >= at {
				rest.WriteString(v.text[at:a.start] + " ")
				at = a.end
			}
		}
		rest.WriteString(v.text[min(at, len(v.text)):] + " ")
	}
	return strings.Join(letterRuns().FindAllString(rest.String(), mostWords), " ")
}

// read reads the facts in the values of a line.
func (f *lineFacts) read(l *leaf, country string) {
	for i := range f.values {
		v := &f.values[i]
		f.isOnRequest = f.isOnRequest || isPriceOnRequest(v.text)
		if !hasDigit(v.text) {
			continue
		}
		for _, c := range v.costsIn() {
			if c.isPaid() && f.cost == 0 {
				f.cost, f.kind = c.value, c.kind
			}
		}
		for _, unit := range []amountUnit{squareMetres, squareFeet} {
			for _, area := range v.homeAreas(unit) {
				if f.area == 0 && !grossAreaWords.in(area.about) {
					f.area = area.metres
				}
			}
		}
		if beds := v.bedrooms(country); beds != 0 && f.beds == 0 {
			f.beds = beds
		}
		if rooms := v.rooms(country); rooms != 0 && f.rooms == 0 {
			f.rooms = rooms
		}
	}
	mayBeTitle := (l.isLinked || l.isHeading) && f.cost == 0
	f.inTitle = mayBeTitle && runeCount(f.residue()) >= titleLetters
}

// isPaid reports whether a cost may be what is paid for a home. Unlike isPrice, it accepts rents of a week or a year.
func (c foundCost) isPaid() bool { return c.isPrice() || c.kind == weeklyRent || c.kind == yearlyRent }

var letterRuns = newPattern(`\p{L}{2,}`)

// grossAreaWords are words for an area with walls and stairs. Only netArea counts such an area, if there is no other.
var grossAreaWords = phrasesOf("grossArea")

// netArea returns the area of a home as wholeArea chooses it among net areas, or else among gross ones. It returns 0 if
// there are none. Areas in square feet count only if none is in square metres.
func netArea(values []textValue) float64 {
	for _, unit := range []amountUnit{squareMetres, squareFeet} {
		var all, net []homeArea
		for i := range values {
			for _, area := range values[i].homeAreas(unit) {
				all = append(all, area)
				if !grossAreaWords.in(area.about) {
					net = append(net, area)
				}
			}
		}
		switch {
		case len(net) > 0:
			return wholeArea(net)
		case len(all) > 0:
			return wholeArea(all)
		}
	}
	return 0
}
