// Links of mails: which link of a card leads to its listing.

package listing

import (
	"math"
	"slices"
	"strings"

	"flats/internal/turns"
)

// findLink chooses a link of a card that no other home has: not an opaque link if there is any other, then the most
// frequent, then the link of the best title. If another link of the card has the shape of the best one, the card may be
// about two homes, and findLink chooses none.
func (l *cardListing) findLink(c *cardFields, card *card) {
	type choice struct {
		link       mailLink
		count      int // leaves that have it
		titleScore int // the best one of these leaves
	}
	var choices []*choice
	byKey := map[string]*choice{}
	for i := card.start; i < card.end; i++ {
		if c.facts[i].isDoubtful {
			continue
		}
		for _, text := range c.leaves[i].links {
			link := c.links[text]
			if link.leadsElsewhere || c.byLink.homesWith(link.key) > 1 {
				continue
			}
			candidate := byKey[link.key]
			if candidate == nil {
				candidate = &choice{link: link, titleScore: math.MinInt}
				byKey[link.key] = candidate
				choices = append(choices, candidate)
			}
			candidate.count++
			const noLink = "" // it is not chosen yet
			candidate.titleScore = max(candidate.titleScore, c.titleScore(i, noLink))
		}
	}
	isBetter := func(a, b *choice) bool {
		switch {
		case a.link.isOpaque != b.link.isOpaque:
			return b.link.isOpaque
		case a.count != b.count:
			return a.count > b.count
		}
		return a.titleScore > b.titleScore
	}
	if len(choices) == 0 {
		return
	}
	best := choices[0]
	for _, other := range choices[1:] {
		if isBetter(other, best) {
			best = other
		}
	}
	for _, other := range choices {
		if other != best && other.link.shape == best.link.shape && best.link.shape != "" {
			return // the card has links to two homes
		}
	}
	l.link = best.link
}

// mayShowListing reports whether a link may lead to one listing. Sites number their listings: a link without a number
// leads to a search, a town or an article. An opaque link hides the number.
func (l mailLink) mayShowListing() bool {
	_, path, _ := strings.Cut(l.key, "/")
	return l.unwrapped != "" && (l.isOpaque || hasDigit(path))
}

// isSister reports whether a link may lead to another page about the listing whose own link has the given key, such as
// its gallery: it is of the same site, and no card of another home has it.
func (c *cardFields) isSister(link, key string) bool {
	found := c.links[link]
	linkHost, _, _ := strings.Cut(found.key, "/")
	keyHost, _, _ := strings.Cut(key, "/")
	return linkHost == keyHost && !found.leadsElsewhere && c.byLink.homesWith(found.key) < 2
}

// haveOneForm reports whether the links of all cards with a cost have one form: none is opaque, and all have one site,
// a number in the path, and equally many folders. It returns false if no card has a link and a cost.
func (c *cardFields) haveOneForm() bool {
	if !c.isFormKnown {
		c.isFormKnown, c.isOneForm = true, c.findForm()
	}
	return c.isOneForm
}

// findForm compares the links of all cards, for haveOneForm.
func (c *cardFields) findForm() bool {
	form := ""
	for _, card := range c.cards {
		c.work.Step(16 * (card.end - card.start))
		var l cardListing
		l.findLink(c, card)
		if l.link.unwrapped == "" || card.cost == 0 {
			continue
		}
		host, path, _ := strings.Cut(l.link.key, "/")
		path, _, _ = strings.Cut(path, "?")
		formOfLink := host + strings.Repeat("/", 1+strings.Count(path, "/")) // a slash for each folder
		hasOtherForm := form != "" && formOfLink != form
		if l.link.isOpaque || !hasDigit(path) || hasOtherForm {
			return false
		}
		form = formOfLink
	}
	return form != ""
}

// A chosenCard is a card that tells enough for a listing.
type chosenCard struct {
	*cardListing
	card *card
}

// takeBareLinks replaces the links of listings by links in the plain text. It does so if all links of the listings are
// opaque, as mailers make them, and the plain text has as many other links to listings, each below the title of another
// listing.
func takeBareLinks(work *turns.Task, listings []chosenCard, plain string) {
	isBare := func(l chosenCard) bool { return !l.link.isOpaque }
	if len(listings) == 0 || slices.ContainsFunc(listings, isBare) || !strings.Contains(plain, "://") {
		return
	}
	byTitle := map[string]*cardListing{}
	for _, l := range listings {
		byTitle[strings.ToLower(l.titleText)] = l.cardListing
	}
	links := map[*cardListing]mailLink{}
	lastKey := ""          // of the last link to a listing
	var above *cardListing // the last listing whose title stands above
	for _, leaf := range readPlain(work, plain) {
		titled := byTitle[strings.ToLower(leaf.text)]
		if titled != nil && leaf.text != "" {
			above = titled
		}
		for _, text := range leaf.links {
			work.Step(len(text))
			link := mailLink{unwrapped: unwrapLink(text)}
			link.key = LinkKey(link.unwrapped)
			isOther := isOpaque(link.unwrapped) || leadsElsewhere(text) || leadsElsewhere(link.unwrapped)
			if isOther || !link.mayShowListing() || link.key == lastKey {
				continue
			}
			hasLink := links[above].key != ""
			if above == nil || hasLink {
				return
			}
			lastKey = link.key
			links[above] = link
		}
	}
	if len(links) != len(listings) {
		return
	}
	for l, link := range links {
		l.link = link
	}
}
