// Titles and locations of mails: the line of a card that is its title, and the one with its address.

package main

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var titleLabel = regexp.MustCompile(`(?i)^(?:titel|title|titre|título|titolo|tytuł|rubrik|otsikko|název|cím|` +
	`objekt|overskrift|tittel) ?: +`)

// findTitle chooses the line of a card that is most like a title.
func (l *cardListing) findTitle(c *cardFields, card *card) {
	l.title = -1
	best := 0
	for i := card.start; i < card.end; i++ {
		if score := c.titleScore(i, l.link.key); score > best {
			best, l.title = score, i
		}
	}
	if l.title >= 0 {
		l.titleText = titleLabel.ReplaceAllLiteralString(c.leaves[l.title].text, "")
		if lead := c.facts[l.title].lead(); lead != "" {
			l.titleText = lead
		}
	}
}

var (
	homeKinds = anyOf("wohnung|haus_|studio|maison|villa|loft|appart|apart|_flat|house|lejlighed|lägenhet|leilighet",
		"woning|_huis|_piso|_casa|locale|kerrostalo|rivitalo|omakoti|mieszkan|_byt|lakás|garsonier|moradia|kawaler",
		"rækkehus")
	bathWords = anyOf("bath|badezimmer|badkamer|baño|bagn|banheir|casas|łazien|badrum|badeværelse|kylpyh",
		"koupel|fürdő")
	noTitle = anyOf("neu_|_new_|_nouveau_|_nuovo_|_nuevo_|active|open house|tel.|telefon|added|available|verfügbar",
		"für sie|für dich|for you|pour vous|pour toi|per te_|para ti_|para si_|voor jou|voor u_|till dig|til dig|sinulle",
		"dla ciebie|pro vás|_bezug_|disponib|ledig|objekt-nr|_ref|e-mail|deposit|kaution|caution|fianza|aktiv")
)

// titleScore returns how much a leaf is like a title. link is the key of the listing's link, or "".
func (c *cardFields) titleScore(i int, link string) int {
	l, f := &c.leaves[i], &c.facts[i]
	size := letters(l.text)
	if l.isImage || f.isProse && size > 90 || size < 4 || f.isFooter || f.isSearch {
		return -50
	}
	score := 0
	if reductions.in(f.lower) {
		return -50
	}
	words := letterRuns.FindAllString(l.text, 20)
	if len(words) == 0 || isValue(l.text) {
		return -50
	}
	if titleLabel.MatchString(l.text) {
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
	if strings.HasSuffix(l.text, ":") {
		score -= 6
	}
	if size >= 12 && size <= 100 {
		score++
	}
	if len(words) > 2 {
		score++
	}
	if adWords.in(f.lower) || f.isHome {
		score += 2
	}
	return score - c.titleFaults(i, words)
}

// titleFaults returns how much a leaf with some words is unlike a title.
func (c *cardFields) titleFaults(i int, words []string) int {
	l, f := &c.leaves[i], &c.facts[i]
	size, score := letters(l.text), 0
	if f.isButton {
		score -= 6
	}
	if size < 40 && isLabel(strings.TrimSuffix(l.text, ":")) && !homeKinds.in(f.lower) {
		score -= 4
	}
	isMixed := f.lead() != ""
	if f.cost != 0 && !isMixed {
		score -= 4
	}
	if !isMixed && isFactLine(f) && !homeKinds.in(strings.ToLower(f.residue())) {
		score -= 4
	}
	if noTitle.in(f.lower) {
		score -= 2
	}
	if n := c.linesIn[f.lower]; n > 1 {
		score -= 4 + 2*boolInt(n > 2)
	}
	if len(words) == 1 && size < 12 && len(l.links) == 0 {
		score -= 3
	}
	if c.addressScore(l.text) >= 4 {
		score -= 2 - boolInt(len(l.links) > 0)
	}
	return -score
}

// lead returns the part of a line with a cost that is a title before its facts, or "".
func (f *lineFacts) lead() string {
	if f.cost == 0 || len(f.values) < 2 {
		return ""
	}
	lead := f.values[0].text
	if len(f.values[0].amounts) > 0 || letters(lead) < 8 || isLabel(strings.TrimSuffix(lead, ":")) {
		return ""
	}
	return lead
}

// isFactLine reports whether a line consists of facts.
func isFactLine(f *lineFacts) bool {
	facts, others := 0, 0
	for _, v := range f.values {
		words := 0
		for _, word := range letterRuns.FindAllString(v.text, 20) {
			if len(word) > 3 && bathWords.begins(strings.ToLower(word)) == 0 {
				words++
			}
		}
		isFact := false
		for _, a := range v.amounts {
			isFact = isFact || a.sign != "" || a.unit != noUnit && a.unit != dateUnit && a.unit != otherUnit
		}
		if isFact && words < 2 {
			facts++
		} else {
			others += words
		}
	}
	return facts > 0 && others < 3
}

func (c *cardFields) isLinkedTo(l *leaf, key string) bool {
	return key != "" && slices.ContainsFunc(l.links, func(link string) bool { return c.links[link].key == key })
}

var segments = regexp.MustCompile(` [|·•●] |\t`)

// findLocation chooses the line of a card with its address, or else with its town.
func (l *cardListing) findLocation(c *cardFields, card *card) {
	best := 0
	for i := card.start; i < card.end; i++ {
		leaf, f := &c.leaves[i], &c.facts[i]
		if leaf.isImage || f.isProse || f.isFooter || f.isButton || f.isSearch {
			continue
		}
		line := leaf.text
		if f.cost != 0 {
			line = betweenFacts.ReplaceAllString(line, "$1 | ")
		}
		for _, part := range segments.Split(line, 12) {
			part = withoutFacts(part)
			text := strings.TrimSpace(titleLabel.ReplaceAllLiteralString(part, ""))
			bare := strings.TrimSpace(locationLabel.ReplaceAllLiteralString(strings.TrimLeftFunc(text, isSymbol), ""))
			score := 2 * c.addressScore(bare)
			hasAddress := score >= 8
			if bare != text && bare != "" {
				score += 3
			}
			if score == 0 {
				continue
			}
			if i == l.title {
				score -= 1 + 2*boolInt(score < 8)
			}
			if score > best {
				best = score
				l.location, l.hasAddress = bare, hasAddress
			}
		}
	}
}

// withoutFacts returns a text without the areas and numbers of rooms behind its last comma: "Bath" of "Bath, 60 m²".
func withoutFacts(text string) string {
	for {
		at := strings.LastIndexByte(text, ',')
		isFact := func(a amount) bool {
			return a.unit == squareMetres || a.unit == squareFeet ||
				a.unit == roomCount || a.unit == bedroomCount
		}
		if at <= 0 || !slices.ContainsFunc(amountsIn(text[at:]), isFact) {
			return text
		}
		text = text[:at]
	}
}

// isSymbol reports whether a character is a symbol such as a pin of a map.
func isSymbol(r rune) bool { return unicode.Is(unicode.So, r) || unicode.IsSpace(r) || r == '\ufe0f' }

var wayWithin = regexp.MustCompile(`(?:^|[\s,])(` + wayStart + `[^,\d]{2,40},? \d{1,4}(?:\P{L}|$|[a-zA-Z](?:\P{L}|$)))`)

// addressScore returns how much a text is an address: at least 4 with a postal code and a town, or with a street and a
// number, and less for names of towns.
func (c *cardFields) addressScore(text string) int {
	if len(text) > 200 || text == "" {
		return 0
	}
	score, isKnown := c.addresses[text]
	if !isKnown {
		c.work.step(100 * len(text))
		score = c.readAddress(text)
		c.addresses[text] = score
	}
	return score
}

// readAddress is addressScore for a text that was not read before.
func (c *cardFields) readAddress(text string) (score int) {
	if hasDigit(text) {
		if found, ok := addressIn(text, "", c.country); ok && !numbersFirst.MatchString(text) {
			score = 5 + boolInt(found.hasStreet)
		}
		if score < 6 && wayWithin.MatchString(text) {
			score = max(score, 4)
		}
		for part := range strings.SplitSeq(text, ",") {
			part = strings.TrimSpace(part)
			if score < 6 && hasDigit(part) && isStreetWithNumber(part) {
				score = max(score, 4) + boolInt(score > 0)
			}
		}
	}
	if score == 0 && (wayOnly.MatchString(text) || hasStreetPart(text)) {
		score = 2
	} else if score == 0 && rowOfNames.MatchString(text) && !features.MatchString(text) {
		score = 2
	} else if score == 0 && codeInBrackets.MatchString(text) {
		score = 5
	} else if score == 0 && isTown(text) {
		score = 1
	}
	return score
}

// isStreetWithNumber reports whether a part of a text between commas is a street, with a number.
func isStreetWithNumber(part string) bool {
	return isAddress(part) || wayWithin.MatchString(part) || wholeUS.MatchString(part)
}

// hasStreetPart reports whether a part of a text between commas is a street, without a number.
func hasStreetPart(text string) bool {
	if !strings.Contains(text, ", ") {
		return false
	}
	for part := range strings.SplitSeq(text, ", ") {
		if isWholeStreet(part) {
			return true
		}
	}
	return false
}

// isTown reports whether a text may be the name of a town and nothing else.
func isTown(text string) bool {
	return letters(text) < 30 && text != strings.ToUpper(text) && plainTown.MatchString(text) &&
		!adWords.in(strings.ToLower(text))
}

var (
	wayOnly        = regexp.MustCompile(`(?:^|[\s,])` + wayStart + `\p{L}+`)
	codeInBrackets = regexp.MustCompile(`\p{Lu}[\p{L}' -]+ \(\d{4,5}\)`)
	plainTown      = regexp.MustCompile(`^` + townName + `(?: \([\p{L} -]+\))?$`)
	numbersFirst   = regexp.MustCompile(`^\d[\d.,' ]*(?:m²|qm|€|kr|zł|Kč)`)
	wholeUS        = regexp.MustCompile(`^\d{1,5} (?:[NSEW] )?(?:\p{Lu}[\p{L}'.]*|\d{1,3}(?:st|nd|rd|th)) (?:.*\b)?` +
		`(?:St|Ave|Rd|Dr|Ln|Blvd|Ct|Pl|Way|Row|Street|Avenue|Road|Drive|Lane|Court|Place|Terrace|Ter|Cir|Circle|Pkwy|` +
		`Hwy|Trl|Loop)\b`)
)

// A cardFields reads the fields of cards. It knows what they have in common.
type cardFields struct {
	*cardReader
	cardsWith map[string]int // how many cards have a link, by its key
	images    map[string]int // how many cards have an image
	linesIn   map[string]int // how many cards have a line, in small letters

	addresses map[string]int // what addressScore returned

	isAboutHomes bool // half of the cards are about a home or rent, or a line beside them is
	isShop       bool // some line is one of a shop
}

func newCardFields(r *cardReader, cards []*card) *cardFields {
	c := &cardFields{
		cardReader: r,
		cardsWith:  map[string]int{},
		images:     map[string]int{},
		linesIn:    map[string]int{},
		addresses:  map[string]int{},
	}
	isHome := make([]bool, len(r.facts)) // of lines outside cards
	for i := range r.facts {
		c.isShop = c.isShop || goods.in(r.facts[i].lower)
		isHome[i] = r.facts[i].isHome
	}
	homes := 0 // cards
	for _, card := range cards {
		if slices.Contains(isHome[card.start:card.end], true) {
			homes++
		}
		clear(isHome[card.start:card.end])
		keys, images, lines := map[string]bool{}, map[string]bool{}, map[string]bool{}
		r.collectLinks(keys, card.start, card.end)
		for i := card.start; i < card.end; i++ {
			images[r.leaves[i].image] = true
			lines[r.facts[i].lower] = true
		}
		for key := range keys {
			c.cardsWith[key]++
		}
		for image := range images {
			c.images[image]++
		}
		for line := range lines {
			c.linesIn[line]++
		}
	}
	c.isAboutHomes = slices.Contains(isHome, true) || 2*homes >= len(cards)
	return c
}

// A cardListing is what a card says.
type cardListing struct {
	link          mailLink
	title         int // the index of its leaf, or -1
	titleText     string
	isTitled      bool // the title is a link
	location      string
	hasAddress    bool
	isYearly      bool // the cost is that of a year
	isOfHome      bool // the cost is called a rent or a price, or is as high as that of a home
	photo         string
	hasPhoto      bool
	isPhotoLinked bool
	cost          float64
	currency      string
	area          float64
	rooms, beds   float64
}
