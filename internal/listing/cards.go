// Cards: the parts of a mail that are each about one home.
//
// A card is found by its facts. The first fact that contradicts a card is a fact of the next one. The cut between two
// cards lies where the leaves between their facts are least close to each other.

package listing

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"flats/internal/turns"
)

// A card is a range of leaves. Its facts are in the leaves from first to last.
type card struct {
	start, end  int // end is the index after its last leaf
	first, last int
	cost        float64              // the last one
	costs       map[costKind]float64 // by their kinds as comparedAs returns them
	area        float64
	rooms       float64
	beds        float64
	isOnRequest bool   // its price is told on request
	link        string // the key of the first link in the leaves with its facts, as listingLink returns it
	linkAbove   string // the key of the last such link above its facts
	linkBelow   string // the key of the last such link below them, in a line of its own
	// leastCloseness is the least closeness of two leaves between its facts, or math.MaxInt if one leaf has them all.
	leastCloseness int
}

// A cardReader finds the cards in the leaves of a mail.
type cardReader struct {
	placeReader
	leaves  []leaf
	facts   []lineFacts
	links   map[string]mailLink // by the link as it stands
	repeats map[string]int      // how often each line occurs, by its text in lower case
}

// A mailLink is a link, with what its URL and its line tell about where it leads.
type mailLink struct {
	unwrapped string // the link itself: see unwrapLink
	key       string // see LinkKey
	isOpaque  bool   // it differs from mail to mail: see isOpaque
	shape     string // what links to listings of the same site have in common: see linkShape; "" if it is opaque

	leadsElsewhere bool // it does not show a listing, but shares or unsubscribes, for example
}

// newCardReader reads the facts of the leaves above a heading of other offers. lang is the language that the mail
// names, or "".
func newCardReader(work *turns.Task, leaves []leaf, lang string) *cardReader {
	r := &cardReader{links: map[string]mailLink{}, repeats: map[string]int{}}
	r.placeReader = placeReader{work: work, country: countryOfMail(lang, leaves), scores: map[string]int{}}
	for _, l := range leaves {
		r.repeats[strings.ToLower(l.text)]++
	}
	r.leaves = byColumns(work, leaves)
	r.facts = factsOf(work, r.leaves, r.country)
	r.leaves = r.aboveOtherOffers()
	r.dropSearchRanges()
	for i := range r.leaves {
		for _, link := range r.leaves[i].links {
			work.Step(len(link))
			r.readLink(link, &r.facts[i])
		}
	}
	return r
}

// readLink adds a link of a line to links, with what its URL and the line tell about it. f are the facts of the line.
func (r *cardReader) readLink(link string, f *lineFacts) {
	found, isKnown := r.links[link]
	if !isKnown {
		found.unwrapped = unwrapLink(link)
		found.key = LinkKey(found.unwrapped)
		found.isOpaque = isOpaque(found.unwrapped)
		found.leadsElsewhere = found.key == "" || !hasPath(found.unwrapped) || leadsElsewhere(link) ||
			leadsElsewhere(found.unwrapped)
		if !found.isOpaque {
			found.shape = linkShape(found.key)
		}
	}
	isOfFooter := f.isFooter && !f.hasFacts()
	isAction := f.isButton && actionWords.in(f.lower)
	found.leadsElsewhere = found.leadsElsewhere || isOfFooter || isAction
	r.links[link] = found
}

// dropSearchRanges removes the facts of lines above the first link that have a price range and at least two other
// words, such as "3 flats in Leeds for £900 to £1,200". They are what the search asks for, not facts of a home.
func (r *cardReader) dropSearchRanges() {
	for i := range r.leaves {
		if len(r.leaves[i].links) > 0 {
			return
		}
		f := &r.facts[i]
		r.work.Step(1)
		if f.cost == 0 {
			continue
		}
		r.work.Step(4 * len(f.lower))
		wordsBesides := wordsOfRanges().ReplaceAllLiteralString(f.residue(), "")
		if len(letterRuns().FindAllString(wordsBesides, 2)) < 2 {
			continue
		}
		isPriceOfRange := func(a amount) bool { return a.inRange && a.sign != "" }
		for _, v := range f.values {
			f.isSearch = f.isSearch || slices.ContainsFunc(v.amounts, isPriceOfRange)
		}
		if f.isSearch {
			*f = lineFacts{lower: f.lower, isSearch: true, isHome: f.isHome} // without facts
		}
	}
}

// wordsOfRanges matches words that belong to a price range, such as "from", "to" and "month".
var wordsOfRanges = newPattern(`(?i)(?:^|\P{L}){{rangeWord}}(?:\P{L}|$)`)

// likedOffers matches a heading of offers that the reader may like, too.
var likedOffers = newPattern(`(?i){{youMay}} (?:\p{L}+ ){0,3}{{youLike}}|{{youMayLike}}`)

const longestHeading = 60 // letters of a heading of other offers; a longer line is a sentence

// aboveOtherOffers returns the leaves above a heading of other offers. Such a line does not count if less than two
// leaves with facts stand above it, because then it is the heading of the mail itself, nor if it occurs several times,
// because then it is a part of cards.
func (r *cardReader) aboveOtherOffers() []leaf {
	leavesWithFacts := 0
	for i, l := range r.leaves {
		f := &r.facts[i]
		if f.hasFacts() {
			leavesWithFacts++
			continue
		}
		mayBeHeading := l.text != "" && runeCount(l.text) < longestHeading && (l.isHeading || !l.isLinked)
		if leavesWithFacts < 2 || !mayBeHeading || r.repeats[f.lower] > 1 {
			continue
		}
		if newLine(r.work, l.text).beginsWhatFollows() || likedOffers().MatchString(l.text) {
			return r.leaves[:i]
		}
	}
	return r.leaves
}

// cards returns the cards, in order.
func (r *cardReader) cards() []*card {
	var cards []*card
	var current *card
	// What came since the last leaf with facts.
	closeness := math.MaxInt // the least closeness of a leaf to the leaf before
	linkAbove := ""          // the last link to a listing
	for i := range r.leaves {
		closeness = min(closeness, r.leaves[i].closeness)
		f := &r.facts[i]
		link := r.listingLink(i)
		// Facts in a title begin a card only if the title links to another listing.
		isNextTitle := f.inTitle && f.area+f.rooms+f.beds != 0 && current.hasOtherLink(link)
		if !f.hasFacts() && !isNextTitle {
			linkAbove = cmp.Or(link, linkAbove)
			isOnlyLink := !r.leaves[i].isImage && (r.leaves[i].text == "" || f.isButton)
			if current != nil && link != "" && isOnlyLink {
				current.linkBelow = link
			}
			continue
		}
		if current == nil || current.clashes(f, link, closeness) || r.isOfNextHome(current, linkAbove, i) {
			if len(cards) == maxCards {
				break
			}
			current = &card{first: i, costs: map[costKind]float64{}, leastCloseness: math.MaxInt, linkAbove: linkAbove}
			cards = append(cards, current)
		} else {
			current.leastCloseness = min(current.leastCloseness, closeness)
		}
		current.add(f, i, link)
		closeness, linkAbove = math.MaxInt, ""
	}
	r.cut(cards)
	return cards
}

// isOfNextHome reports whether links show that a leaf with facts is of another home than the card above it. The card
// must have a cost. Either of these shows it:
//   - The leaf has a cost, and linkAbove leads to another home than the link above the facts of the card. linkAbove is
//     the last link between the facts of the card and the leaf, such as the title of the next card, or "".
//   - The first link from the leaf on leads to another home than the link below the card.
//
// Links with different keys lead to two homes if they have one shape, or if the leaf has the same cost as the card.
func (r *cardReader) isOfNextHome(c *card, linkAbove string, leaf int) bool {
	if c.cost == 0 {
		return false
	}
	cost := r.facts[leaf].cost
	isOtherHome := func(a, b string) bool { return a != b && (cost == c.cost || linkShape(a) == linkShape(b)) }
	hasLinksAbove := c.linkAbove != "" && linkAbove != ""
	if cost != 0 && hasLinksAbove && isOtherHome(linkAbove, c.linkAbove) {
		return true
	}
	if c.linkBelow == "" {
		return false
	}
	const near = 8 // leaves in which the link below a fact stands
	for i := leaf; i < min(len(r.leaves), leaf+near); i++ {
		if linkBelow := r.listingLink(i); linkBelow != "" {
			return isOtherHome(linkBelow, c.linkBelow)
		}
	}
	return false
}

// shorten leaves out what is far from the facts of a card. Without it, the last card of a mail would take all that
// follows. Most cards have fewer leaves anyway.
func (c *card) shorten() {
	const (
		far       = 40      // leaves above the first fact, or below the last one
		mostOfAll = 4 * far // leaves of a card, for one with many leaves between its facts
	)
	c.start = max(c.start, c.first-far)
	c.end = min(c.end, c.last+far, c.start+mostOfAll)
}

// maxCards is more than the listings of a mail, because not every card is a listing.
const maxCards = 4 * maxMailListings

// listingLink returns the key of the first link of a leaf that leads to a listing, or "".
func (r *cardReader) listingLink(i int) string {
	for _, link := range r.leaves[i].links {
		if l := r.links[link]; !l.isOpaque && !l.leadsElsewhere {
			return l.key
		}
	}
	return ""
}

// hasOtherLink reports whether a link and the link of the card lead to two listings. If either is missing, it is false.
func (c *card) hasOtherLink(link string) bool {
	return c != nil && link != "" && c.link != "" && link != c.link
}

// clashes reports whether the facts of a leaf contradict the card, so that they begin another one: the leaf links to
// another listing, or has another area, number of rooms or cost. A value that the card has already, such as the same
// cost, begins a card only if the leaf is less close to the card than the facts of the card are to each other.
// closeness is the least closeness of two neighbours among the leaves from the card's last fact to this leaf.
func (c *card) clashes(f *lineFacts, link string, closeness int) bool {
	if c.hasOtherLink(link) {
		return true
	}
	differs := func(a, b float64) bool { return a != 0 && b != 0 && a != b }
	if differs(c.area, f.area) || differs(c.rooms, f.rooms) || differs(c.beds, f.beds) {
		return true
	}
	hasPriceAgain := (f.cost != 0 || f.isOnRequest) && (c.cost != 0 || c.isOnRequest)
	if hasPriceAgain && (f.isOnRequest || c.isOnRequest) { // "price on request" is a price like no other
		return true
	}
	isFar := c.last > c.first && closeness < c.leastCloseness
	if f.cost == 0 {
		isSizeAgain := f.area != 0 && c.area != 0 || f.rooms != 0 && c.rooms != 0 || f.beds != 0 && c.beds != 0
		return isSizeAgain && c.cost != 0 && isFar
	}
	costOfKind, hasKind := c.costs[f.kind.comparedAs()]
	if hasKind && costOfKind != f.cost {
		return true
	}
	isCostAgain := hasKind || c.cost == f.cost
	return isCostAgain && isFar
}

// comparedAs returns the kind as which a cost is compared with others of its card. A price, a rent and a cost without a
// name are compared as one kind, because often only one of two prices has a name.
func (k costKind) comparedAs() costKind {
	if k == salePrice || k == noKind {
		return rentCost
	}
	return k
}

// add takes over the facts of a leaf that the card does not have yet, and the cost in any case.
func (c *card) add(f *lineFacts, i int, link string) {
	c.last = i
	if f.cost != 0 {
		c.costs[f.kind.comparedAs()] = f.cost
		c.cost = f.cost
	}
	c.area = cmp.Or(c.area, f.area)
	c.rooms = cmp.Or(c.rooms, f.rooms)
	c.beds = cmp.Or(c.beds, f.beds)
	c.isOnRequest = c.isOnRequest || f.isOnRequest
	if c.link == "" {
		c.link = link
	}
}

// cut sets where cards begin and end. Before, cards have only the first and the last leaf with their facts. In a mail
//
//	head | a b FACTS c | a b FACTS c | a b FACTS c | foot
//
// the leaves c, a and b between the facts of two cards are cut after c. The first card then begins as the second one
// does, and the last card ends as the one before it does.
func (r *cardReader) cut(cards []*card) {
	if len(cards) == 0 {
		return
	}
	if len(cards) == 1 {
		r.widen(cards[0])
		return
	}
	photosAreAbove := r.hasPhotoAbove(cards[0])
	allFacts := factSpan{first: cards[0].first, last: cards[len(cards)-1].last}
	for i, next := range cards[1:] {
		factsAfterNext := len(r.leaves)
		if i+2 < len(cards) {
			factsAfterNext = cards[i+2].first
		}
		at := r.cutBetween(cards[i], next, factsAfterNext, allFacts, photosAreAbove)
		cards[i].end, next.start = at, at
	}
	r.borrowStart(cards[0], cards[1])
	r.borrowEnd(cards[len(cards)-1], cards[len(cards)-2])
}

// A factSpan is the first and the last leaf with facts of a mail. The leaves above the first one show how cards begin,
// and the leaves below the last one how cards end.
type factSpan struct{ first, last int }

// mostBetween is the number of leaves between the facts of two cards up to which votesOfEnds compares them with the
// leaves around all facts. A card has about as many around its facts; with more in between, two cards are in no row.
const mostBetween = 12

// The weights of votes on where cards are cut. A link is surer than both ends together, and an end surer than the look
// of a leaf. The table of weights in docs/design.md names mails that need each.
const (
	likeTitle = 2 // what a leaf looks like: an image, a heading, a button
	likeEnds  = 3 // how the first card begins, or how the last one ends
	likeLink  = 8 // the card to which its link leads
)

// cutBetween returns the first leaf of the next card. It cuts where two leaves between the facts of the two cards are
// least close to each other. If that is so in several places, the cut with the most votes counts. If several cuts have
// as many votes, the last one counts, and the leaves between the first and the last of them are marked as doubtful.
// factsAfterNext is where the facts of the card after next begin.
func (r *cardReader) cutBetween(before, next *card, factsAfterNext int, allFacts factSpan, photosAreAbove bool) int {
	best, mostVotes := next.first, math.MinInt
	firstBest := best // the first of the cuts with the most votes; best is the last of them
	for i, votes := range r.cuts(before, next, factsAfterNext, allFacts, photosAreAbove) {
		if votes > mostVotes {
			firstBest = i
		}
		if votes >= mostVotes {
			best, mostVotes = i, votes
		}
	}
	for i := firstBest; i < best; i++ {
		r.facts[i].isDoubtful = true
	}
	return best
}

// cuts yields the leaves between the facts of two cards that are least close to the leaf above them. Each may begin the
// second card. With it comes the sum of the votes for that: of the leaves above it, which would then be of the first
// card, and of the ends.
func (r *cardReader) cuts(before, next *card, factsAfterNext int, allFacts factSpan,
	photosAreAbove bool) iter.Seq2[int, int] {
	start := before.last + 1
	least := r.leastCloseness(start, next.first+1)
	linksBefore, linksNext := r.linksOf(before.start, start), r.linksOf(next.first, factsAfterNext)
	linksOfNextFacts := r.linksOf(next.first, next.last+1)
	votesOfEnds := r.votesOfEnds(start, next.first, least, allFacts)
	return func(yield func(leaf, votes int) bool) {
		votesAbove := 0
		for i := start; i <= next.first; i++ {
			r.work.Step(4)
			if r.leaves[i].closeness == least && !yield(i, votesAbove+votesOfEnds[i-start]) {
				return
			}
			if i < next.first {
				votesAbove += r.vote(i, photosAreAbove, linksBefore, linksOfNextFacts, linksNext)
			}
		}
	}
}

// votesOfEnds returns the votes of the ends for a cut before each leaf from start to end, the leaves between the facts
// of two cards. All cards of a row have the same kinds of leaves in the same order. So the leaves after the right cut
// are of the same kinds as those above the first facts of all, and the leaves before it as those below the last facts:
//
//	head | a b FACTS c | a b FACTS c | foot
//
// Of the leaves c, a and b in the middle, a and b stand above the first facts as well, and c below the last ones. More
// than mostBetween leaves have no votes. least is the closeness of the two leaves at the cut.
func (r *cardReader) votesOfEnds(start, end, least int, allFacts factSpan) []int {
	votes := make([]int, end-start+1)
	if end-start > mostBetween || end == start {
		return votes
	}
	const reach = mostBetween + 1 // the most leaves that are compared, and the one beyond them
	// Where leaves are less close than at the cut, another element begins: the head or the foot of the mail.
	top, bottom := allFacts.first, allFacts.last+1
	for top > max(0, allFacts.first-reach) && r.leaves[top].closeness >= least {
		top--
	}
	for bottom < min(len(r.leaves), allFacts.last+1+reach) && r.leaves[bottom].closeness >= least {
		bottom++
	}
	kinds := r.leafKinds(start, end)
	above, below := r.leafKinds(top, allFacts.first), r.leafKinds(allFacts.last+1, bottom)
	for i := range votes { // a cut before leaf start+i
		// If an address is directly above the leaves that match, the first card begins earlier than they do: with the
		// address. In the same way the last card may end later. Then the ends are not alike.
		//
		// An end without leaves matches any other: a cut before leaf start has one, and so has a cut before leaf end.
		beyondAbove, beginsAlike := strings.CutSuffix(above, kinds[i:])
		if beginsAlike && !strings.HasSuffix(beyondAbove, kindOfAddress) {
			votes[i] += likeEnds
		}
		beyondBelow, endsAlike := strings.CutPrefix(below, kinds[:i])
		if endsAlike && !strings.HasPrefix(beyondBelow, kindOfAddress) {
			votes[i] += likeEnds
		}
	}
	return votes
}

// kindOfAddress is what leafKinds returns for an address.
const kindOfAddress = "a"

// leafKinds returns the kinds of leaves, one letter each: an image, prose, a button, a link, an address, a heading or
// another text.
func (r *cardReader) leafKinds(start, end int) string {
	var kinds strings.Builder
	for i := start; i < end; i++ {
		l, f := &r.leaves[i], &r.facts[i]
		switch {
		case l.isImage:
			kinds.WriteByte('i')
		case f.isFooter, f.isProse:
			kinds.WriteByte('p')
		case f.isButton:
			kinds.WriteByte('b')
		case l.isLinked:
			kinds.WriteByte('l')
		case r.addressScore(l.text) >= leastAddress:
			kinds.WriteString(kindOfAddress)
		case l.isHeading:
			kinds.WriteByte('h')
		default:
			kinds.WriteByte('t')
		}
	}
	return kinds.String()
}

// cardLinks are the keys and the shapes of the links in a range of leaves.
type cardLinks struct{ keys, shapes map[string]bool }

// linksOf returns the links in a range of leaves, without those that lead to no listing.
func (r *cardReader) linksOf(start, end int) cardLinks {
	found := cardLinks{map[string]bool{}, map[string]bool{}}
	r.work.Step(max(0, end-start))
	for i := start; i < end; i++ {
		for _, link := range r.leaves[i].links {
			if l := r.links[link]; !l.leadsElsewhere {
				found.keys[l.key] = true
				found.shapes[l.shape] = true
			}
		}
	}
	return found
}

// vote returns a positive score if a leaf between the facts of two cards belongs to the first card, and a negative one
// if it belongs to the second. A link decides. A leaf belongs to the card that has the same link. If neither card has
// the link, but only one has another link of the same shape, the leaf belongs to the other card: a card has only one
// link of the shape of a listing. linksBefore are the links of the first card, linksOfNextFacts the links in the facts
// of the second one, and linksNext also has the links below them, up to the facts of a third card.
func (r *cardReader) vote(i int, photosAreAbove bool, linksBefore, linksOfNextFacts, linksNext cardLinks) int {
	l, f := &r.leaves[i], &r.facts[i]
	for _, text := range l.links {
		link := r.links[text]
		isBefore, isNext := linksBefore.keys[link.key], linksNext.keys[link.key]
		switch {
		case isBefore && !isNext:
			return likeLink
		case isNext && !isBefore:
			return -likeLink
		case isBefore || link.leadsElsewhere || link.shape == "": // it tells nothing
		case linksBefore.shapes[link.shape] && !linksOfNextFacts.shapes[link.shape]:
			return -likeLink // a link below the facts may be of the third card
		case !linksBefore.shapes[link.shape] && linksNext.shapes[link.shape]:
			return likeLink // the only link of the second card may be below its facts
		}
	}
	switch {
	case l.isImage && photosAreAbove:
		return -likeTitle
	case l.isImage:
		return likeTitle
	case f.isButton, f.isFooter:
		return likeTitle
	case l.isHeading, l.isLinked && r.repeats[f.lower] < 3: // a link in three cards may be a button
		return -likeTitle
	}
	return 0
}

// hasPhotoAbove reports whether the photo of a card is above its facts.
func (r *cardReader) hasPhotoAbove(c *card) bool {
	const reach = 5 // leaves
	above := r.leaves[max(0, c.first-reach):c.first]
	return slices.ContainsFunc(above, func(l leaf) bool { return l.isImage })
}

// borrowStart sets where the first card begins. It adds leaves above the facts of the card as long as a leaf is closer
// to the card than the second card is, or is in the same element and seems to be of the card: the second card has as
// many leaves above its facts, or the leaf has a link of the card. Such a leaf must be no sentence.
func (r *cardReader) borrowStart(c, second *card) {
	cutCloseness := r.leaves[second.start].closeness
	mostAbove := second.first - second.start
	ownLinks := r.linksOf(c.first, c.last+1).keys
	start := c.first
	for start > 0 {
		above := start - 1
		closeness := r.leaves[start].closeness // of the two
		isInElement := depthOf(closeness) >= depthOf(cutCloseness)
		seemsOfCard := (c.first-above <= mostAbove || r.hasLinkOf(above, ownLinks)) && !r.facts[above].isProse
		if !isCloser(closeness, cutCloseness) && !(isInElement && seemsOfCard) {
			break
		}
		maps.Copy(ownLinks, r.linksOf(above, start).keys)
		start = above
	}
	c.start = start
}

// borrowEnd sets where the last card ends. It adds leaves below as borrowStart adds leaves above. Sentences may be
// among them, but the card always ends above a line about the mail.
func (r *cardReader) borrowEnd(c, before *card) {
	cutCloseness := r.leaves[before.end].closeness
	mostBelow := before.end - before.last - 1
	ownLinks := r.linksOf(c.start, c.last+1).keys
	end := c.last + 1
	for end < len(r.leaves) && !r.facts[end].isFooter {
		closeness := r.leaves[end].closeness // to the leaf above
		isInElement := depthOf(closeness) >= depthOf(cutCloseness)
		seemsOfCard := end-c.last <= mostBelow || r.hasLinkOf(end, ownLinks)
		if !isCloser(closeness, cutCloseness) && !(isInElement && seemsOfCard) {
			break
		}
		end++
	}
	c.end = end
}

// hasLinkOf reports whether a leaf has a link whose key is in a set.
func (r *cardReader) hasLinkOf(i int, keys map[string]bool) bool {
	return slices.ContainsFunc(r.leaves[i].links, func(link string) bool { return keys[r.links[link].key] })
}

// isCloser reports whether two leaves are closer than the leaves at a cut: more elements contain both of them, or as
// many do and only a line break separates these two, but not the leaves at the cut.
func isCloser(closeness, cutCloseness int) bool {
	depth, cutDepth := depthOf(closeness), depthOf(cutCloseness)
	isBreak := separatorOf(closeness) == breakSeparator
	isCutBreak := separatorOf(cutCloseness) == breakSeparator
	return depth > cutDepth || depth == cutDepth && isBreak && !isCutBreak
}

// mostWidened is the number of leaves by which widen makes a card larger.
const mostWidened = 60

// widen sets where the only card of a mail begins and ends: it takes leaves around its facts, the closest first, until
// it has text with a link and the next leaves are outside of its element. It stops at sentences and at lines about the
// mail. A card that is still not whole after mostWidened leaves stays as it is, without a photo that stands outside.
func (r *cardReader) widen(c *card) {
	c.start, c.end = c.first, c.last+1
	for range mostWidened {
		above, below := -1, -1 // the closeness to the leaves at both ends, -1 where the card cannot grow
		if c.start > 0 && !r.facts[c.start-1].isProse && !r.facts[c.start-1].isFooter {
			above = r.leaves[c.start].closeness
		}
		hasLink := r.hasLinkedText(c)
		if c.end < len(r.leaves) && !r.facts[c.end].endsCard(hasLink) {
			below = r.leaves[c.end].closeness
		}
		isStuck := above < 0 && below < 0
		isNextOutside := depthOf(max(above, below)) < depthOf(r.leastCloseness(c.start+1, c.end))
		if isStuck || hasLink && isNextOutside {
			r.joinPhoto(c)
			return
		}
		if above >= below {
			c.start--
		} else {
			c.end++
		}
	}
}

// joinPhoto adds the image above or below a card that has none.
func (r *cardReader) joinPhoto(c *card) {
	isImage := func(l leaf) bool { return l.isImage }
	if slices.ContainsFunc(r.leaves[c.start:c.end], isImage) {
		return
	}
	const reach = 2 // leaves above the card; below it, only the next one counts
	for start := c.start - 1; start >= max(0, c.start-reach); start-- {
		if r.leaves[start].isImage {
			c.start = start
			return
		}
	}
	if c.end < len(r.leaves) && r.leaves[c.end].isImage {
		c.end++
	}
}

// leastCloseness returns the least closeness of leaves to the leaf before them, or math.MaxInt if there are no leaves.
func (r *cardReader) leastCloseness(start, end int) int {
	least := math.MaxInt
	for i := start; i < end; i++ {
		least = min(least, r.leaves[i].closeness)
	}
	return least
}

// hasLinkedText reports whether a line of the card, neither a button nor a price, may link to its listing.
func (r *cardReader) hasLinkedText(c *card) bool {
	for i := c.start; i < c.end; i++ {
		l, f := &r.leaves[i], &r.facts[i]
		if l.isImage || f.isButton || f.cost != 0 {
			continue
		}
		if slices.ContainsFunc(l.links, func(link string) bool { return !r.links[link].leadsElsewhere }) {
			return true
		}
	}
	return false
}
