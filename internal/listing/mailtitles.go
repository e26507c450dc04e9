// Titles and locations of mails: the line of a card that is its title, and the one with its address.

package listing

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var titleLabel = newPattern(`(?i)^{{titleLabel}} ?: +`)

var (
	// newsBefore matches what announces a listing before its title.
	newsBefore = newPattern(`(?i)^(?:[^:]{0,60}(?:^|\P{L}){{foundFor}}(?:\P{L}[^:]{0,40})?|{{newOne}} {{newsOf}}) ?: +`)
	// offeredBy matches a line about who offers a home.
	offeredBy = newPattern(`(?i)^{{offered}} {{offeredBy}} `)
)

// findTitle chooses the line of a card with the best title score above 0.
func (l *cardListing) findTitle(c *cardFields, card *card) {
	l.titleAt = -1
	best := 0
	for i := card.start; i < card.end; i++ {
		if score := c.titleScore(i, l.link.key); score > best {
			best, l.titleAt = score, i
		}
	}
	if l.titleAt >= 0 {
		text := titleLabel().ReplaceAllLiteralString(c.leaves[l.titleAt].text, "")
		text = cmp.Or(locationLabel().ReplaceAllLiteralString(text, ""), text) // a label alone stays
		text = cmp.Or(newsBefore().ReplaceAllLiteralString(text, ""), text)
		l.titleText = cmp.Or(c.facts[l.titleAt].titlePart(), text)
	}
}

var (
	homeKinds = phrasesOf("homeKind")
	bathWords = phrasesOf("bath")
	noTitle   = phrasesOf("noTitle")
)

// noTitleScore is the score of a leaf that is no title. No faults of any other leaf weigh as much.
const noTitleScore = -50

const (
	leastTitle        = 12  // letters of most titles; a shorter line is often a label or a place
	longestUsualTitle = 100 // letters of most titles; a longer line is often a description
)

const (
	longestProseTitle = 90 // letters of a sentence that may be a title
	longestLabelLine  = 40 // letters of a line that may be a label
	mostTitleWords    = 20 // words that are looked at in a line
)

// titleScore rates a leaf as a title candidate. link is the key of the listing's link, or "". The weights are in the
// order of what they prove: a label proves a title, a link to the listing is nearly as good, then come headings and
// words of homes. The length and the number of words decide between lines that are equal otherwise. The table of
// weights in docs/design.md names mails that need each.
func (c *cardFields) titleScore(i int, link string) int {
	l, f := &c.leaves[i], &c.facts[i]
	words := letterRuns().FindAllString(l.text, mostTitleWords)
	if c.isNoTitle(i, words) {
		return noTitleScore
	}
	score := 0
	if titleLabel().MatchString(l.text) {
		score += 8
	}
	if c.isLinkedTo(l, link) {
		score += 4
	} else if len(l.links) > 0 {
		score++
	}
	if l.isHeading {
		score += 3
	}
	size := runeCount(l.text)
	if size >= leastTitle && size <= longestUsualTitle {
		score++
	}
	if len(words) > 2 {
		score++
	}
	if adWords.in(f.lower) || f.isHome {
		score += 2
	}
	return score - c.labelFaults(i, words) - c.otherFaults(i, words)
}

// isNoTitle reports whether a leaf with these words cannot be a title: an image, a line about the mail, the agency or
// perhaps another card, a fact, a long sentence, or a line without a name.
func (c *cardFields) isNoTitle(i int, words []string) bool {
	l, f := &c.leaves[i], &c.facts[i]
	size := runeCount(l.text)
	isOfMail := f.isFooter || f.isSearch || strings.Contains(l.text, ":") && headLine().MatchString(l.text)
	isFact := f.isLabel || isValue(l.text) || reductions.in(f.lower)
	isLongProse := f.isProse && size > longestProseTitle
	hasNoName := size < 4 || len(words) == 0
	return l.isImage || f.isDoubtful || isOfMail || isFact || isLongProse || hasNoName ||
		offeredBy().MatchString(l.text)
}

// labelFaults returns the penalties for a line that is like a label or a button. A penalty of 4 undoes what a link to
// the listing scores, and a penalty of 6 what a link with a word of homes scores.
func (c *cardFields) labelFaults(i int, words []string) (faults int) {
	l, f := &c.leaves[i], &c.facts[i]
	if strings.HasSuffix(l.text, ":") { // a label, even if it is a link and long
		faults += 6
	}
	lastLetter, _ := utf8.DecodeLastRuneInString(l.text)
	isLikeButton := buttonWords.begins(f.lower) > 0 && strings.ContainsRune("-:>»→", lastLetter) // "View details »"
	if f.isButton || isLikeButton {
		faults += 6
	}
	if runeCount(l.text) >= longestLabelLine {
		return faults
	}
	isPhrase := strings.ContainsAny(l.text, ",!") || len(l.links) > 0 && len(words) > 2
	namesHome := homeKinds.in(f.lower) || tenantWord().MatchString(l.text)
	if isLabel(strings.TrimSuffix(l.text, ":")) && !isPhrase && !namesHome {
		faults += 4
	}
	name, value, hasColon := strings.Cut(l.text, ": ")
	if hasColon && hasDigit(value) && isLabel(name) { // "Floor: 3"
		faults += 6
	}
	return faults
}

var longCode = newPattern(`\d{4}`)

// otherFaults returns the penalties for what else titles rarely are: prices, facts, addresses, results of searches.
func (c *cardFields) otherFaults(i int, words []string) (faults int) {
	l, f := &c.leaves[i], &c.facts[i]
	hasLink := len(l.links) > 0
	hasTitlePart := f.titlePart() != ""
	if f.cost != 0 && !hasTitlePart {
		faults += 4
	}
	isOnlyFacts := isFactLine(f) && !homeKinds.in(strings.ToLower(f.residue())) || f.isRowOfFacts()
	if isOnlyFacts && !hasTitlePart {
		faults += 4
	}
	if noTitle.in(f.lower) {
		faults += 2
	}
	if searchWords.in(f.lower) && !hasLink { // it announces what was found
		faults += 6
	}
	if c.byLine.homesWith(f.lower) > 1 { // it is no name of one home
		faults += 4
	}
	isShortWord := len(words) == 1 && runeCount(l.text) < leastTitle
	if isShortWord && !hasLink {
		faults += 3
	}
	if address := c.addressScore(l.text); address >= leastAddress {
		if hasLink { // an address with a link may be the title
			faults++
		} else { // it has a line of its own
			faults += 2
		}
		isTownWithCode := address == codeScore && longCode().MatchString(l.text) // without a street
		if isTownWithCode && !adWords.in(f.lower) {
			faults += 3
		}
	}
	return faults
}

// titlePart returns the part of a line with a cost that may be a title, before or after its facts, or "". A part after
// the facts needs more words than a part before them, because few words there may be anything.
func (f *lineFacts) titlePart() string {
	if f.cost == 0 || len(f.values) == 0 {
		return ""
	}
	first, last := &f.values[0], &f.values[len(f.values)-1]
	n := len(first.amounts)
	endsInCost := n > 0 && first.amounts[n-1].sign != ""
	if endsInCost {
		beforeCost := strings.TrimRight(first.text[:first.amounts[n-1].start], " ,:–—-")
		if len(letterRuns().FindAllString(beforeCost, mostTitleWords)) > 4 && !isLabel(beforeCost) {
			return beforeCost // "House in High Street 5, Leeds £900"
		}
	}
	switch {
	case len(f.values) == 1:
		return ""
	case first.mayBeTitle(1):
		return first.text
	case last.mayBeTitle(3):
		return last.text
	}
	return ""
}

// mayBeTitle reports whether a piece may be a title: it has at least leastWords words and eight letters, no amounts,
// and is no label. With four words or more it is not taken for a label.
func (v *textValue) mayBeTitle(leastWords int) bool {
	words := len(letterRuns().FindAllString(v.text, mostTitleWords))
	isShortLabel := isLabel(strings.TrimSuffix(v.text, ":")) && words < 4
	return len(v.amounts) == 0 && runeCount(v.text) >= 8 && words >= leastWords && !isShortLabel
}

// isFactLine reports whether a line consists of facts: pieces with an amount and at most one word, such as "60 m²
// garden", and fewer than three words in other pieces. Words for bathrooms and words of up to three bytes do not count:
// "bath" and "bed".
func isFactLine(f *lineFacts) bool {
	facts, otherWords := 0, 0
	for _, v := range f.values {
		words := 0
		for _, word := range letterRuns().FindAllString(v.text, mostTitleWords) {
			if len(word) > 3 && bathWords.begins(strings.ToLower(word)) == 0 {
				words++
			}
		}
		if slices.ContainsFunc(v.amounts, amount.isFact) && words < 2 {
			facts++
		} else {
			otherWords += words
		}
	}
	return facts > 0 && otherWords < 3
}

// isRowOfFacts reports whether a line with a digit has three or more pieces, all of them short, as in
// "3 rooms | 72 m² | Flat".
func (f *lineFacts) isRowOfFacts() bool {
	const longestPieceOfRow = 14 // letters of a piece that has little more than a number
	isLong := func(v textValue) bool {
		const tooManyWords = 3
		words := letterRuns().FindAllString(v.text, tooManyWords)
		return len(words) == tooManyWords || runeCount(v.text) > longestPieceOfRow
	}
	return len(f.values) > 2 && hasDigit(f.lower) && !slices.ContainsFunc(f.values, isLong)
}

// isLinkedTo reports whether a leaf has a link with a key.
func (c *cardFields) isLinkedTo(l *leaf, key string) bool {
	return key != "" && slices.ContainsFunc(l.links, func(link string) bool { return c.links[link].key == key })
}

// segments matches what separates the parts of a line that may each be a place.
var segments = newPattern(` [|·•●] |\t`)

// A partPlace is the place that a part of a line may be, without its label.
type partPlace struct {
	text         string
	addressScore int
	score        int // twice the address score, plus the weight of a label, less that of standing in the title
}

// placeIn reads the place in a part of a line of a card.
func (l *cardListing) placeIn(part string, i int, c *cardFields, card *card) (place partPlace) {
	part = withoutFacts(withoutCost(part))
	part = newsBefore().ReplaceAllLiteralString(part, "")
	part = strings.TrimSpace(titleLabel().ReplaceAllLiteralString(part, ""))
	text := locationLabel().ReplaceAllLiteralString(strings.TrimLeftFunc(part, isSymbol), "")
	text = strings.TrimSpace(text)
	if codeOnly().MatchString(text) {
		text = c.withTown(text, i, card)
	}
	place = partPlace{text: text, addressScore: c.addressScore(text)}
	if found := townWithCode().FindStringSubmatch(text); found != nil && place.addressScore < leastAddress {
		place.text, place.addressScore = found[1], leastAddress
	}
	// An address score is doubled, so that a label, with 3, weighs more than one step of it and less than two.
	place.score = 2 * place.addressScore
	hasLabel := place.text != part || c.facts[i].hasPlaceLabel // or a symbol, a town from another line, or words before it
	if hasLabel && place.text != "" {
		place.score += 3
	}
	isInTitle := i == l.titleAt && strings.Contains(l.titleText, place.text)
	switch {
	case !isInTitle || place.score == 0:
	case place.score < 2*leastAddress: // a mere place in a title: a place one step worse in another line is better
		place.score -= 3
	default: // the same address in another line is better
		place.score--
	}
	return place
}

// findLocation chooses the line of a card with its address, or else with its town: the part of a line with the best
// score.
func (l *cardListing) findLocation(c *cardFields, card *card) {
	const mostParts = 12 // parts of a line, of which the last one has all that is left
	var best partPlace
	at := -1 // the leaf with the best score
	for i := card.start; i < card.end; i++ {
		leaf, f := &c.leaves[i], &c.facts[i]
		if leaf.isImage || f.isProse || f.isFooter || f.isButton || f.isSearch || f.isDoubtful || f.isLabel {
			continue
		}
		line := leaf.text
		if f.cost != 0 {
			line = betweenFacts().ReplaceAllString(line, "$1 | ")
		}
		for _, part := range segments().Split(line, mostParts) {
			if place := l.placeIn(part, i, c, card); place.score > best.score {
				best, at = place, i
			}
		}
	}
	if at < 0 {
		return
	}
	l.location = best.text
	l.hasAddress = best.addressScore >= leastAddress
	l.isAddressShared = l.hasAddress && c.byLine.homesWith(c.facts[at].lower) > 1
	if best.addressScore < wholeScore {
		l.addStreet(c, card, at)
	}
}

// addStreet puts the street before the location, which is in the leaf at, if the street stands in the line above or in
// the title.
func (l *cardListing) addStreet(c *cardFields, card *card, at int) {
	if at > card.start && l.hasAddress && separatorOf(c.leaves[at].closeness) == breakSeparator {
		if above := c.leaves[at-1].text; isStreetWithNumber(above) {
			l.location = above + ", " + l.location
			return
		}
	}
	street := streetOfTitle(l.titleText, c.country)
	if street == "" || at == l.titleAt || strings.Contains(l.location, street) {
		return
	}
	l.location = street + ", " + l.location
	l.hasAddress = true
	l.isAddressShared = false
}

// withTown joins a postal code that has a line of its own with the town in the line above or below it.
func (c *cardFields) withTown(code string, i int, card *card) string {
	isPlace := func(i int) bool { // without a number
		text := c.leaves[i].text
		return card.start <= i && i < card.end && !hasDigit(text) && c.addressScore(text) > 0
	}
	switch {
	case i > 0 && isPlace(i-1):
		return strings.TrimRight(c.leaves[i-1].text, ", ") + " " + code
	case i+1 < len(c.leaves) && isPlace(i+1):
		return code + " " + c.leaves[i+1].text
	}
	return code
}

var (
	titleParts = newPattern(`, | [-–|] |: `)
	// notStreets are words before a number that is no house number.
	notStreets = phrasesOf("notStreet")
)

// streetOfTitle returns the street with a number in a title, without words for the home before it, or "". In the
// Netherlands a street may be called anything, such as "Brink 3a", so any words before a number may be one.
func streetOfTitle(title, country string) string {
	for part := range strings.SplitSeq(titleParts().ReplaceAllLiteralString(title, "\n"), "\n") {
		found := houseAtEnd().FindStringSubmatch(part)
		if found == nil {
			isNumberFirst := streetInUS().MatchString(part) || numberedWay().MatchString(part)
			if isNumberFirst && !adWords.in(strings.ToLower(part)) {
				return part
			}
			continue
		}
		street := withoutHomeWords(found[1])
		lower := strings.ToLower(street)
		if !letterRuns().MatchString(street) || adWords.in(lower) {
			continue
		}
		isDutchStreet := country == "nl" && street != title && !notStreets.in(lower)
		if hasStreetName(street) || isDutchStreet {
			return street
		}
	}
	return ""
}

// withoutHomeWords returns a text without the words for a home at its start: "Brink 3a" of "Studio Brink 3a".
func withoutHomeWords(text string) string {
	for {
		first, rest, hasMore := strings.Cut(text, " ")
		if !hasMore || !adWords.in(strings.ToLower(first)) {
			return text
		}
		text = rest
	}
}

// withoutCost returns a text without its amounts of money: "Bath" of "£950 (Bath)", "Bath — £950", "Private, Bath
// £950". It prefers what follows the last amount. Without letters there, it returns what precedes the first amount, if
// that ends with a dash or has words after a comma, and leaves out a badge before the first comma. Other texts stay.
func withoutCost(text string) string {
	if !isSigned(text) {
		return text
	}
	amounts := slices.DeleteFunc(amountsIn(nil, text), func(a amount) bool { return a.sign == "" })
	before, after := text[:amounts[0].start], text[amounts[len(amounts)-1].end:]
	if rest := strings.Trim(after, " -–—,·•:/"); letterRuns().MatchString(rest) {
		if strings.HasPrefix(rest, "(") {
			return strings.TrimSuffix(rest[1:], ")")
		}
		return rest
	}
	if rest, ok := strings.CutSuffix(strings.TrimSpace(before), "—"); ok {
		return strings.TrimSpace(rest)
	}
	first, others, ok := strings.Cut(before, ", ")
	switch {
	case ok && badges()[strings.ToLower(first)]:
		return strings.TrimSpace(others)
	case ok && letterRuns().MatchString(others):
		return strings.TrimSpace(before)
	}
	return text
}

// withoutFacts removes areas and numbers of rooms after commas from the end of a text: "Bath" of "Bath, 60 m²".
func withoutFacts(text string) string {
	for {
		at := strings.LastIndexByte(text, ',')
		isFact := func(a amount) bool {
			return a.unit == squareMetres || a.unit == squareFeet ||
				a.unit == roomCount || a.unit == bedroomCount
		}
		if at <= 0 || !slices.ContainsFunc(amountsIn(nil, text[at:]), isFact) {
			return text
		}
		text = text[:at]
	}
}

// isSymbol reports whether a character is a symbol such as a pin of a map.
func isSymbol(r rune) bool { return unicode.Is(unicode.So, r) || unicode.IsSpace(r) || r == '\ufe0f' }

// A cardFields reads the fields of cards. It counts in how many homes a link, an image or a line occurs.
type cardFields struct {
	*cardReader
	byLink  cardTally // by the keys of links
	byImage cardTally // by the addresses of images
	byLine  cardTally // by lines in lower case

	isAboutHomes bool // half of the cards are about a home or rent, or a line outside them is
	isShop       bool // a line names goods
	isLodging    bool // the card that was read last is about a place by the night
	search       mailSearch

	cards       []*card
	isFormKnown bool // haveOneForm has compared the links
	isOneForm   bool // what it has found
}

func newCardFields(r *cardReader, cards []*card) *cardFields {
	c := &cardFields{
		cardReader: r,
		cards:      cards,
		byLink:     cardTally{},
		byImage:    cardTally{},
		byLine:     cardTally{},
	}
	namesHome := make([]bool, len(r.facts)) // of each line, but false in the cards that are counted already
	for i := range r.facts {
		c.isShop = c.isShop || goods.in(r.facts[i].lower)
		namesHome[i] = r.facts[i].isHome
	}
	cardsOfHomes := 0
	for _, card := range cards {
		if slices.Contains(namesHome[card.start:card.end], true) {
			cardsOfHomes++
		}
		clear(namesHome[card.start:card.end])
		r.work.Step(8 * (card.end - card.start))
		counted := countedCard{card: card, links: map[string]bool{}}
		r.collectLinks(counted.links, card.start, card.end)
		for key := range counted.links {
			c.byLink.add(key, counted)
		}
		for i := card.start; i < card.end; i++ {
			c.byImage.add(r.leaves[i].image, counted)
			c.byLine.add(r.facts[i].lower, counted)
		}
	}
	c.isAboutHomes = slices.Contains(namesHome, true) || 2*cardsOfHomes >= len(cards)
	return c
}

// collectLinks adds the keys of the links in a range of leaves to keys.
func (r *cardReader) collectLinks(keys map[string]bool, start, end int) {
	for i := start; i < end; i++ {
		for _, link := range r.leaves[i].links {
			keys[r.links[link].key] = true
		}
	}
}

// A cardTally counts the homes that have a link, an image or a line. Cards with the same facts and links are about one
// home: some mails have each card twice, for narrow and for wide screens. The key of a link, the address of an image or
// a line in lower case is mapped to the cards that have it, one for each home and mostCounted at most.
type cardTally map[string][]countedCard

// A countedCard is a card in a cardTally.
type countedCard struct {
	*card
	links map[string]bool // by their keys
}

const (
	mostCounted   = 3  // cards that are counted with the same link, image or line; more make no difference
	mostTwinLinks = 40 // links of a card that are compared with those of other cards; a card about one home has fewer
)

// add counts a card, unless it has counted its twin or mostCounted cards.
func (t cardTally) add(key string, c countedCard) {
	counted := t[key]
	if len(counted) < mostCounted && !slices.ContainsFunc(counted, c.isTwin) {
		t[key] = append(counted, c)
	}
}

// homesWith returns how many homes have the link, the image or the line of a key, but at most mostCounted.
func (t cardTally) homesWith(key string) int { return len(t[key]) }

// isTwin reports whether two cards are about one home: no fact of one contradicts the other, and one of them has links,
// all of which are also in the other.
func (c countedCard) isTwin(other countedCard) bool {
	if c.card == other.card {
		return true
	}
	differs := func(a, b float64) bool { return a != 0 && b != 0 && a != b }
	if differs(c.cost, other.cost) || differs(c.area, other.area) || differs(c.rooms, other.rooms) ||
		differs(c.beds, other.beds) {
		return false
	}
	fewerLinks, moreLinks := c.links, other.links
	if len(fewerLinks) > len(moreLinks) {
		fewerLinks, moreLinks = moreLinks, fewerLinks
	}
	if len(fewerLinks) > mostTwinLinks {
		return false
	}
	for key := range fewerLinks {
		if !moreLinks[key] {
			return false
		}
	}
	return len(fewerLinks) > 0
}

// A cardListing is the listing read from one card, before it is checked. cardFields.listing fills it. Most members that
// begin with is or has are evidence, by which hasEvidence, isOfGoods and isComplete judge whether the card offers a
// home.
type cardListing struct {
	link mailLink // findLink sets it

	// findTitle sets these, and listing the last one.
	titleAt       int // the index of the leaf with the title, or -1
	titleText     string
	isTitleLinked bool // the title is a link

	// findLocation sets these.
	location        string
	hasAddress      bool // the location is an address rather than a town
	isAddressShared bool // another home has the same address, as all that a shop offers: see isOfGoods

	// findPhoto sets these.
	hasPhoto      bool
	photo         string // the URL of the photo, or "" if it is attached
	isPhotoLinked bool   // the photo links to the listing

	// findAmounts sets these.
	cost        float64
	currency    string
	isYearly    bool // the cost is for a year
	area        float64
	rooms, beds float64

	// readLines sets these, and findAmounts isHomeCost, too.
	isHomeCost       bool // the cost is called a rent or a price, or is for a month, so that it is no price of goods
	isAreaLineShared bool // another home has the same line with the area
	hasLayout        bool // the rooms are told as "3+1"
}
