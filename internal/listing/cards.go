// Cards: the parts of a mail that are each about one home.
//
// A card is found by its facts. It begins with the first fact that contradicts the card before, and the cut between two
// cards lies where the leaves between their facts are furthest apart.

package listing

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"flats/internal/turns"
)

// A card is a range of leaves. Its facts are in the leaves from first to last.
type card struct {
	start, end  int // end is the index after its last leaf
	first, last int
	cost        float64
	kinds       map[costKind]float64 // its costs, by their kinds as comparedAs returns them
	area        float64
	rooms       float64
	beds        float64
	isOnAsking  bool
	link        string // the key of a link that is not opaque
	above       string // the key of the last such link above its facts
	below       string // the key of the last such link below them, in a line of its own
	tightest    int    // the least gap between its facts
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
	key       string
	isOpaque  bool
	isOther   bool   // it does something else than show a listing, such as to share or to unsubscribe
	shape     string // what links to listings of the same site share: see linkShape; "" if it is opaque
}

// newCardReader reads the facts of leaves, up to a heading of other offers.
func newCardReader(work *turns.Task, leaves []leaf, lang string) *cardReader {
	r := &cardReader{links: map[string]mailLink{}, repeats: map[string]int{}}
	r.placeReader = placeReader{work: work, country: countryOfMail(lang, leaves), scores: map[string]int{}}
	for _, l := range leaves {
		r.repeats[strings.ToLower(l.text)]++
	}
	r.leaves = byColumns(work, leaves)
	r.facts = factsOf(work, r.leaves, r.country)
	r.leaves = r.ownOffers()
	r.passSearch()
	for i := range r.leaves {
		for _, link := range r.leaves[i].links {
			work.Step(len(link))
			r.readLink(link, &r.facts[i])
		}
	}
	return r
}

// readLink adds what is known about a link to links.
func (r *cardReader) readLink(link string, f *lineFacts) {
	found, isKnown := r.links[link]
	if !isKnown {
		found.unwrapped = unwrapLink(link)
		found.key = LinkKey(found.unwrapped)
		found.isOpaque = isOpaque(found.unwrapped)
		found.isOther = found.key == "" || isOtherLink(link) || isOtherLink(found.unwrapped) || !hasPath(found.unwrapped)
		if !found.isOpaque {
			found.shape = linkShape(found.key)
		}
	}
	found.isOther = found.isOther || f.isFooter && !f.has() || f.isButton && actionWords.in(f.lower)
	r.links[link] = found
}

// passSearch marks price ranges above the first link as those of the search, not of a home, if other words stand in
// their lines.
func (r *cardReader) passSearch() {
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
		others := rangeWords().ReplaceAllLiteralString(f.residue(), "")
		if len(letterRuns().FindAllString(others, 2)) < 2 {
			continue
		}
		isOfRange := func(a amount) bool { return a.inRange && a.sign != "" }
		for _, v := range f.values {
			f.isSearch = f.isSearch || slices.ContainsFunc(v.amounts, isOfRange)
		}
		if f.isSearch {
			*f = lineFacts{lower: f.lower, isSearch: true, isHome: f.isHome} // without facts
		}
	}
}

var rangeWords = newPattern(`(?i)(?:^|\P{L}){{rangeWord}}(?:\P{L}|$)`)

// likedOffers matches a heading of offers that the reader may like, too.
var likedOffers = newPattern(`(?i){{youMay}} (?:\p{L}+ ){0,3}{{youLike}}|{{youMayLike}}`)

const longestHeading = 60 // letters of a heading of other offers; a longer line is a sentence

// ownOffers returns the leaves above a heading of other offers. A heading above all facts is the heading of the mail.
func (r *cardReader) ownOffers() []leaf {
	seen := 0
	for i, l := range r.leaves {
		f := &r.facts[i]
		if f.has() {
			seen++
			continue
		}
		mayBeHeading := l.text != "" && runeCount(l.text) < longestHeading && (l.isHeading || !l.isLinked)
		if seen < 2 || !mayBeHeading || r.repeats[f.lower] > 1 {
			continue
		}
		if newLine(r.work, l.text).isAfterwards() || likedOffers().MatchString(l.text) {
			return r.leaves[:i]
		}
	}
	return r.leaves
}

// cards returns the cards, in order.
func (r *cardReader) cards() []*card {
	var cards []*card
	var current *card
	gap := math.MaxInt // the least gap since the last fact
	above := ""        // the last link since then
	for i := range r.leaves {
		gap = min(gap, r.leaves[i].gap)
		f := &r.facts[i]
		link := r.realLink(i)
		isNextTitle := f.inTitle && f.area+f.rooms+f.beds != 0 && current.isOfAnother(link)
		if !f.has() && !isNextTitle {
			above = cmp.Or(link, above)
			if current != nil && link != "" && !r.leaves[i].isImage && (r.leaves[i].text == "" || f.isButton) {
				current.below = link
			}
			continue
		}
		if current == nil || current.clashes(f, link, gap) || r.isBeyond(current, above, i) {
			if len(cards) == maxCards {
				break
			}
			current = &card{first: i, kinds: map[costKind]float64{}, tightest: gap, above: above}
			cards = append(cards, current)
		} else {
			current.tightest = min(current.tightest, gap)
		}
		current.add(f, i, link)
		gap, above = math.MaxInt, ""
	}
	r.cut(cards)
	return cards
}

// isBeyond reports whether the links around a leaf show that it is of another listing than the card above it. between
// is the last link between them, which may be the title of the next card: it differs from the link above the card, and
// the leaf has a cost. Or the links below the card and below the leaf, in lines of their own, differ. Unless the costs
// are equal, such links must have one shape.
func (r *cardReader) isBeyond(c *card, between string, leaf int) bool {
	isOther := func(a, b string) bool {
		return a != b && (c.cost == r.facts[leaf].cost || linkShape(a) == linkShape(b))
	}
	if c.cost == 0 || between == "" && c.below == "" {
		return false
	}
	if c.above != "" && between != "" && r.facts[leaf].cost != 0 && isOther(between, c.above) {
		return true
	}
	const near = 8 // leaves
	for i := leaf; i < min(len(r.leaves), leaf+near) && c.below != ""; i++ {
		if below := r.realLink(i); below != "" {
			return isOther(below, c.below)
		}
	}
	return false
}

// shorten leaves out what is far from the facts of a card. A card has fewer lines, but the last one of a mail would
// take all that follows.
func (c *card) shorten() {
	const far = 40 // leaves
	c.start = max(c.start, c.first-far)
	c.end = min(c.end, c.last+far, c.start+4*far)
}

// maxCards is more than the listings of a mail, because not every card is a listing.
const maxCards = 4 * maxMailListings

// realLink returns the key of the first link of a leaf that leads to a listing, or "".
func (r *cardReader) realLink(i int) string {
	for _, link := range r.leaves[i].links {
		if l := r.links[link]; !l.isOpaque && !l.isOther {
			return l.key
		}
	}
	return ""
}

// isOfAnother reports whether a link leads to another listing than the link of the card.
func (c *card) isOfAnother(link string) bool {
	return c != nil && link != "" && c.link != "" && link != c.link
}

// clashes reports whether the facts of a leaf contradict the card, so that they begin another one: the leaf links to
// another listing, or has another area, number of rooms or cost. The same again begins a card only if the gap before it
// is smaller than any within the card.
func (c *card) clashes(f *lineFacts, link string, gap int) bool {
	if c.isOfAnother(link) {
		return true
	}
	differs := func(a, b float64) bool { return a != 0 && b != 0 && a != b }
	if differs(c.area, f.area) || differs(c.rooms, f.rooms) || differs(c.beds, f.beds) {
		return true
	}
	if f.isOnAsking && (c.cost != 0 || c.isOnAsking) || c.isOnAsking && f.cost != 0 {
		return true
	}
	isFar := gap < c.tightest && c.tightest > 0 && c.last > c.first // a smaller gap is a longer way
	if f.cost == 0 {
		isAgain := f.area != 0 && c.area != 0 || f.rooms != 0 && c.rooms != 0 || f.beds != 0 && c.beds != 0
		return isAgain && c.cost != 0 && isFar
	}
	same, isKnown := c.kinds[f.kind.comparedAs()]
	if isKnown && same != f.cost {
		return true
	}
	return (isKnown || c.cost == f.cost) && isFar
}

// comparedAs returns the kind as which a cost of a card is compared: often only one of two prices has a name.
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
		c.kinds[f.kind.comparedAs()] = f.cost
		c.cost = f.cost
	}
	set := func(v *float64, said float64) {
		if *v == 0 {
			*v = said
		}
	}
	set(&c.area, f.area)
	set(&c.rooms, f.rooms)
	set(&c.beds, f.beds)
	c.isOnAsking = c.isOnAsking || f.isOnAsking
	if c.link == "" {
		c.link = link
	}
	if c.first == i {
		c.tightest = math.MaxInt
	}
}

// cut sets where cards begin and end.
func (r *cardReader) cut(cards []*card) {
	if len(cards) == 0 {
		return
	}
	if len(cards) == 1 {
		r.widen(cards[0])
		return
	}
	photoFirst := r.beginsWithPhoto(cards[0])
	outer := seam{first: cards[0].first, last: cards[len(cards)-1].last}
	for i, next := range cards[1:] {
		end := len(r.leaves)
		if i+2 < len(cards) {
			end = cards[i+2].first
		}
		at := r.cutBetween(cards[i], next, end, outer, photoFirst)
		cards[i].end, next.start = at, at
	}
	r.borrowStart(cards[0], cards[1])
	r.borrowEnd(cards[len(cards)-1], cards[len(cards)-2])
}

// A seam is the first and the last leaf with facts of a mail. The leaves around them show how cards begin and end.
type seam struct{ first, last int }

// longestSeam is the number of leaves between the facts of two cards up to which endVotes compares them with the leaves
// around all facts. A card has about as many; more are not in one row of cards.
const longestSeam = 12

// The weights of votes on where cards are cut. A link is surer than both ends together, and an end surer than the look
// of a leaf.
const (
	likeTitle = 2 // what a leaf looks like
	likeEnds  = 3 // how the first card begins, or how the last one ends
	likeLink  = 8 // whose link it has
)

// cutBetween returns the first leaf of the next card. It cuts at the smallest gap between the facts of the two cards.
// Of several such gaps the votes decide: of the leaves in between, and of the shape of the first and last cards. If
// votes are equal, too, it cuts at the last of the best places, and marks the leaves from the first of them on as
// doubtful. end is where the facts of the card after next begin.
func (r *cardReader) cutBetween(before, next *card, end int, outer seam, photoFirst bool) int {
	best, mostVotes := next.first, math.MinInt
	firstBest := best // of equal ones
	for i, votes := range r.cuts(before, next, end, outer, photoFirst) {
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

// cuts yields the leaves after the smallest gaps between the facts of two cards, with the votes for a cut before each:
// leaves above it are of the first card, leaves below it of the second.
func (r *cardReader) cuts(before, next *card, end int, outer seam, photoFirst bool) iter.Seq2[int, int] {
	start := before.last + 1
	least := math.MaxInt
	for i := start; i <= next.first; i++ {
		least = min(least, r.leaves[i].gap)
	}
	ofBefore, ofNext := r.linksOf(before.start, start), r.linksOf(next.first, end)
	ofFacts := r.linksOf(next.first, next.last+1)
	ends := r.endVotes(start, next.first, least, outer)
	return func(yield func(leaf, votes int) bool) {
		votes := 0
		for i := start; i <= next.first; i++ {
			r.work.Step(4)
			if r.leaves[i].gap == least && !yield(i, votes+ends[min(i-start, len(ends)-1)]) {
				return
			}
			if i < next.first {
				votes += r.vote(i, photoFirst, ofBefore, ofNext, ofFacts)
			}
		}
	}
}

// endVotes returns votes for a cut before each of the leaves from start to end, and after them; more than longestSeam
// leaves get none. In a row of cards in one element, the kinds of leaves come in the same order in each card: the
// leaves below a cut look like the leaves above the first card's facts, and the leaves above the cut like those below
// the last card's.
func (r *cardReader) endVotes(start, end, least int, outer seam) []int {
	votes := make([]int, min(end-start, longestSeam)+1)
	if end-start > longestSeam || end == start {
		return votes
	}
	top, bottom := outer.first, outer.last+1
	for top > max(0, outer.first-longestSeam-1) && r.leaves[top].gap >= least {
		top--
	}
	for bottom < min(len(r.leaves), outer.last+2+longestSeam) && r.leaves[bottom].gap >= least {
		bottom++
	}
	kinds := r.kindsOf(start, end)
	above, below := r.kindsOf(top, outer.first), r.kindsOf(outer.last+1, bottom)
	for i := range votes {
		// An address that is left over belongs to a card, not to the head or the foot of the mail.
		rest, isAlike := strings.CutSuffix(above, kinds[i:])
		votes[i] += likeEnds * boolInt(isAlike && !strings.HasSuffix(rest, "a"))
		rest, isAlike = strings.CutPrefix(below, kinds[:i])
		votes[i] += likeEnds * boolInt(isAlike && !strings.HasPrefix(rest, "a"))
	}
	return votes
}

// kindsOf returns the kinds of leaves, one letter each.
func (r *cardReader) kindsOf(start, end int) string {
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
		case r.addressScore(l.text) >= 4:
			kinds.WriteByte('a')
		case l.isHeading:
			kinds.WriteByte('h')
		default:
			kinds.WriteByte('t')
		}
	}
	return kinds.String()
}

// collectLinks adds the keys of the links in a range of leaves to keys.
func (r *cardReader) collectLinks(keys map[string]bool, start, end int) {
	for i := start; i < end; i++ {
		for _, link := range r.leaves[i].links {
			keys[r.links[link].key] = true
		}
	}
}

// cardLinks are the keys and the shapes of the links in a range of leaves.
type cardLinks struct{ keys, shapes map[string]bool }

func (r *cardReader) linksOf(start, end int) cardLinks {
	found := cardLinks{map[string]bool{}, map[string]bool{}}
	r.work.Step(max(0, end-start))
	for i := start; i < end; i++ {
		for _, link := range r.leaves[i].links {
			if l := r.links[link]; !l.isOther {
				found.keys[l.key] = true
				found.shapes[l.shape] = true
			}
		}
	}
	return found
}

// linkShape returns the site, the first folder and the number of folders of a link's key.
func linkShape(key string) string {
	path, _, _ := strings.Cut(key, "?")
	host, path, _ := strings.Cut(path, "/")
	folder, rest, ok := strings.Cut(path, "/")
	if !ok {
		folder = ""
	}
	return fmt.Sprintf("%s/%s/%d", host, folder, strings.Count(rest, "/"))
}

// vote returns a positive score if the leaf belongs to the first card, a negative one for the second. A link decides:
// it belongs to the card that has it, or to the other card if only one has a link of its shape. ofBefore are the links
// of the first card, ofFacts the links in the facts of the second, and ofNext these and the links below, up to the
// facts of a third card.
func (r *cardReader) vote(i int, photoFirst bool, ofBefore, ofNext, ofFacts cardLinks) int {
	l, f := &r.leaves[i], &r.facts[i]
	for _, text := range l.links {
		link := r.links[text]
		isBefore, isNext := ofBefore.keys[link.key], ofNext.keys[link.key]
		switch {
		case isBefore && !isNext:
			return likeLink
		case isNext && !isBefore:
			return -likeLink
		case isNext || link.isOther || link.shape == "":
		case ofBefore.shapes[link.shape] && !ofFacts.shapes[link.shape]:
			return -likeLink
		case !ofBefore.shapes[link.shape] && ofNext.shapes[link.shape]:
			return likeLink
		}
	}
	switch {
	case l.isImage && photoFirst:
		return -likeTitle
	case l.isImage:
		return likeTitle
	case f.isButton, f.isFooter:
		return likeTitle
	case l.isHeading, l.isLinked && r.repeats[f.lower] < 3:
		return -likeTitle
	}
	return 0
}

// beginsWithPhoto reports whether the photo of a card is above its facts.
func (r *cardReader) beginsWithPhoto(c *card) bool {
	for i := c.first; i >= 0 && i > c.first-6; i-- {
		if r.leaves[i].isImage {
			return true
		}
	}
	return false
}

// borrowStart sets where the first card begins: with as many leaves above its facts as the second card has, and with
// more leaves that are closer to its facts than cards are to each other.
func (r *cardReader) borrowStart(c, next *card) {
	cut := r.leaves[next.start].gap
	above := next.first - next.start
	own := r.linksOf(c.first, c.last+1).keys
	i := c.first
	for ; i > 0; i-- {
		isClose := r.isCloser(r.leaves[i].gap, cut)
		isBorrowed := depthOf(r.leaves[i].gap) >= depthOf(cut) && (c.first-i < above || r.hasLinkOf(i-1, own))
		if !isClose && (!isBorrowed || r.facts[i-1].isProse) {
			break
		}
		maps.Copy(own, r.linksOf(i-1, i).keys)
	}
	c.start = i
}

// borrowEnd sets where the last card ends, in the same way, but above a line about the mail.
func (r *cardReader) borrowEnd(c, before *card) {
	cut := r.leaves[before.end].gap
	below := before.end - before.last
	own := r.linksOf(c.start, c.last+1).keys
	i := c.last + 1
	for ; i < len(r.leaves); i++ {
		isClose := r.isCloser(r.leaves[i].gap, cut)
		isBorrowed := depthOf(r.leaves[i].gap) >= depthOf(cut) && (i-c.last < below || r.hasLinkOf(i, own))
		if !isClose && !isBorrowed || r.facts[i].isFooter {
			break
		}
	}
	c.end = i
}

// hasLinkOf reports whether a leaf has a link whose key is in a set.
func (r *cardReader) hasLinkOf(i int, keys map[string]bool) bool {
	return slices.ContainsFunc(r.leaves[i].links, func(link string) bool { return keys[r.links[link].key] })
}

// isCloser reports whether a gap lies deeper than a cut: inside an element that the cut separates, or in a paragraph.
func (r *cardReader) isCloser(gap, cut int) bool {
	depth, cutDepth := depthOf(gap), depthOf(cut)
	return depth > cutDepth || depth == cutDepth && separatorOf(gap) == gapBreak && separatorOf(cut) < gapBreak
}

// mostWidened is the number of leaves that the only card of a mail takes.
const mostWidened = 60

// widen sets where the only card of a mail begins and ends: it takes leaves around its facts, the closest first, until
// it has text with a link and the next leaves are outside of its element. It stops at sentences and at lines about the
// mail.
func (r *cardReader) widen(c *card) {
	c.start, c.end = c.first, c.last+1
	for range mostWidened {
		above, below := -1, -1 // the gaps at both ends, -1 where the card cannot grow
		if c.start > 0 && !r.facts[c.start-1].isProse && !r.facts[c.start-1].isFooter {
			above = r.leaves[c.start].gap
		}
		hasLink := r.hasLinkedText(c)
		if c.end < len(r.leaves) && !r.facts[c.end].endsCard(hasLink) {
			below = r.leaves[c.end].gap
		}
		isStuck := above < 0 && below < 0
		if isStuck || hasLink && depthOf(max(above, below)) < depthOf(c.leastGap(r)) {
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

// endsCard reports whether a card ends above a line: at a sentence, or at a line about the mail. The name of a company
// is part of a card without a link.
func (f *lineFacts) endsCard(hasLink bool) bool {
	return f.isProse || f.isFooter && (hasLink || footerWords.in(f.lower))
}

// joinPhoto adds the image next to a card that has none.
func (r *cardReader) joinPhoto(c *card) {
	isImage := func(l leaf) bool { return l.isImage }
	if slices.ContainsFunc(r.leaves[c.start:c.end], isImage) {
		return
	}
	for above := 1; above <= 2 && c.start-above >= 0; above++ {
		if r.leaves[c.start-above].isImage {
			c.start -= above
			return
		}
	}
	if c.end < len(r.leaves) && r.leaves[c.end].isImage {
		c.end++
	}
}

// leastGap returns the least gap within a card.
func (c *card) leastGap(r *cardReader) int {
	least := math.MaxInt
	for i := c.start + 1; i < c.end; i++ {
		least = min(least, r.leaves[i].gap)
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
		if slices.ContainsFunc(l.links, func(link string) bool { return !r.links[link].isOther }) {
			return true
		}
	}
	return false
}

// isOtherLink reports whether a link manages a search, shares something or unsubscribes.
func isOtherLink(link string) bool {
	lower := strings.ToLower(link)
	return otherHosts.in(lower) || otherPaths.in(lower) || searchPaths.in(lower) && !anyNumber().MatchString(lower)
}

// hasPath reports whether a link leads to more than a site.
func hasPath(link string) bool {
	u, err := url.Parse(link)
	return err == nil && (strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "")
}
