// Links of mails: which link of a card leads to its listing.

package listing

import (
	"slices"
	"strings"

	"flats/internal/turns"
)

// findLink chooses the link of a card, of those that no other card has: not an opaque link if there is any other, then
// the most frequent, then the link of the best title.
func (l *cardListing) findLink(c *cardFields, card *card) {
	type choice struct {
		link  mailLink
		count int
		score int // of the best title
	}
	var choices []*choice
	byKey := map[string]*choice{}
	for i := card.start; i < card.end; i++ {
		if c.facts[i].isDoubtful {
			continue
		}
		for _, text := range c.leaves[i].links {
			link := c.links[text]
			if link.isOther || c.cardsWith.of(link.key) > 1 {
				continue
			}
			known := byKey[link.key]
			if known == nil {
				known = &choice{link: link, score: -100}
				byKey[link.key] = known
				choices = append(choices, known)
			}
			known.count++
			known.score = max(known.score, c.titleScore(i, ""))
		}
	}
	for i, best := 0, (*choice)(nil); i < len(choices); i++ {
		other := choices[i]
		isBetter := best == nil
		if best != nil {
			switch {
			case best.link.isOpaque != other.link.isOpaque:
				isBetter = best.link.isOpaque
			case best.count != other.count:
				isBetter = other.count > best.count
			default:
				isBetter = other.score > best.score
			}
		}
		if isBetter {
			best = other
			l.link = best.link
		}
	}
	for _, other := range choices {
		if other.link.key != l.link.key && other.link.shape == l.link.shape && l.link.shape != "" {
			l.link = mailLink{} // of two homes
			return
		}
	}
}

// isOfOne reports whether a link may lead to one listing. Sites number what they have; what a link without a number
// leads to is a search, a town or an article.
func (l mailLink) isOfOne() bool {
	_, path, _ := strings.Cut(l.key, "/")
	return l.unwrapped != "" && (l.isOpaque || hasDigit(path))
}

// isSister reports whether a link leads to another page about the listing that a key is of: it is a link of the same
// site that no other card has.
func (c *cardFields) isSister(link, key string) bool {
	found := c.links[link]
	host, _, _ := strings.Cut(found.key, "/")
	own, _, _ := strings.Cut(key, "/")
	return host == own && !found.isOther && c.cardsWith.of(found.key) < 2
}

// haveOneForm reports whether the links of all cards are of one site, with as many folders and a number in each.
func (c *cardFields) haveOneForm() bool {
	if !c.isFormKnown {
		c.isFormKnown, c.isOneForm = true, c.findForm()
	}
	return c.isOneForm
}

// findForm is haveOneForm for the first time.
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
		own := host + strings.Repeat("/", 1+strings.Count(path, "/"))
		if l.link.isOpaque || !hasDigit(path) || form != "" && own != form {
			return false
		}
		form = own
	}
	return form != ""
}

// A chosenCard is a card whose listing tells enough.
type chosenCard struct {
	*cardListing
	card *card
}

// takeBareLinks replaces the links of listings of HTML by the links in the plain text if the former are all links of a
// mailer, and the plain text has as many links to listings, each below the title of another listing.
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
	last := ""          // the key of the last link
	var of *cardListing // whose title stands above
	for _, leaf := range readPlain(work, plain) {
		if l := byTitle[strings.ToLower(leaf.text)]; l != nil && leaf.text != "" {
			of = l
		}
		for _, text := range leaf.links {
			work.Step(len(text))
			link := mailLink{unwrapped: unwrapLink(text)}
			link.key = LinkKey(link.unwrapped)
			isOther := isOpaque(link.unwrapped) || isOtherLink(text) || isOtherLink(link.unwrapped)
			if isOther || !link.isOfOne() || link.key == last {
				continue
			}
			if of == nil || links[of].key != "" {
				return
			}
			last, links[of] = link.key, link
		}
	}
	if len(links) != len(listings) {
		return
	}
	for l, link := range links {
		l.link = link
	}
}
