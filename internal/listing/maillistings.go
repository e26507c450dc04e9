// Listings of mails: what a card says about its home, and whether that is enough.

package listing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"flats/internal/turns"
)

// A mailListing is a listing of a mail, as the rules have accepted it.
type mailListing struct {
	id      string
	members map[string]json.RawMessage
}

// ReadMail returns the listings of a mail and of the mails attached to it, each as the rules accept it: at most 500, in
// the order of the mail. A listing has the members urls, title, text and details, and cost, currency, area, rooms,
// bedrooms, location, photos and date as far as the mail tells them. It has an id of its own only if its link differs
// from mail to mail, or if other listings of the mail differ from it only in their costs. note says in a sentence for
// the user why there are no listings, or what was left out.
//
// The error is not nil if the text is not a mail, or its header is longer than 256 KiB.
func ReadMail(work *turns.Task, text []byte, rules *MailRules) (listings []map[string]json.RawMessage, note string,
	err error) {
	messages, err := readMail(work, text, rules)
	if err != nil {
		return nil, "", err
	}
	left := leavesLeft{leaves: maxLeaves, text: maxMailBody, facts: maxFactLines}
	for _, m := range messages {
		if len(listings) == maxMailListings {
			break
		}
		hasID := map[string]bool{} // of this message: another one may say something newer about a home
		for _, listing := range m.listings(work, &left) {
			if !hasID[listing.id] && len(listings) < maxMailListings {
				hasID[listing.id] = true
				listings = append(listings, listing.members)
			}
		}
	}
	if len(listings) == 0 {
		at := slices.IndexFunc(messages, func(m *mailMessage) bool { return m.unknownCharset != "" })
		return listings, messages[max(0, at)].whyNone(), nil
	}
	for _, m := range messages {
		if note = m.leftOut(left.isCut); note != "" {
			break
		}
	}
	return listings, note, nil
}

const lettersOfSubject = 200 // the letters of a subject that a note shows

// whyNone says why a mail has no listing.
func (m *mailMessage) whyNone() string {
	subject := leading(m.subject, lettersOfSubject)
	switch {
	case m.unknownCharset != "":
		return fmt.Sprintf("%s is written in %s, a charset that cannot be read.", m.called("The mail"), m.unknownCharset)
	case len(m.html)+len(m.plain) == 0:
		return fmt.Sprintf("The mail %q has no text.", subject)
	case m.isLodging:
		return fmt.Sprintf("The mail %q is about a stay by the night, not about a home.", subject)
	case isOtherMail(m.subject):
		return fmt.Sprintf("The mail %q is about something that was asked, agreed or ordered, not about listings.",
			subject)
	case m.cards == 0:
		return fmt.Sprintf("In the mail %q nothing looks like a listing: there is no price, area or number of rooms.",
			subject)
	}
	note := fmt.Sprintf("In the mail %q nothing has all that a listing has: a link, a title or a place, and two of "+
		"price, area, rooms and address.", subject)
	if m.unmet != "" {
		note += fmt.Sprintf(" A title and a price alone are enough only if %s.", m.unmet)
	}
	return note
}

// called returns words such as "The mail" with the subject of a mail, or with its sender if the subject cannot be read.
func (m *mailMessage) called(words string) string {
	if m.subject == "" {
		return words + " from " + m.sender
	}
	return fmt.Sprintf("%s %q", words, leading(m.subject, lettersOfSubject))
}

// leftOut says which listings of a mail were left out, or "" if there are none. isCut tells that leavesLeft is
// used up.
func (m *mailMessage) leftOut(isCut bool) string {
	subject := leading(m.subject, lettersOfSubject)
	switch {
	case m.unknownCharset != "":
		return fmt.Sprintf("%s was left out: it is written in %s, a charset that cannot be read.",
			m.called("A part of the mail"), m.unknownCharset)
	case m.isFull || isCut:
		return fmt.Sprintf("The end of the mail %q was left out, because it is too long.", subject)
	case m.alike == 1:
		return fmt.Sprintf("Of the mail %q a listing was left out that says the same as another one.", subject)
	case m.alike > 1:
		return fmt.Sprintf("Of the mail %q %d listings were left out that say the same as others.", subject, m.alike)
	}
	return ""
}

// leavesLeft is how much of a mail may still be read. All bodies of a mail share what one body may have, because there
// may be 200 of them, and each line takes long, above all a line with numbers.
type leavesLeft struct {
	leaves int
	text   int  // bytes
	facts  int  // lines with a digit
	isCut  bool // take has left leaves out
}

// take returns the leaves that may still be read, from the first one on, and subtracts them from what is left.
func (l *leavesLeft) take(leaves []leaf) []leaf {
	for i := range leaves {
		if l.isEmpty() {
			l.isCut = true
			return leaves[:i]
		}
		l.leaves--
		l.text -= len(leaves[i].text)
		l.facts -= boolInt(hasDigit(leaves[i].text))
	}
	return leaves
}

func (l *leavesLeft) isEmpty() bool { return l.leaves == 0 || l.text <= 0 || l.facts == 0 }

// A mailBody is a text of a mail.
type mailBody struct {
	leaves []leaf
	lang   string // of HTML, as it is written there
	isHTML bool
}

// listings returns the listings in the HTML of a message, or, if that has none, in its plain text.
func (m *mailMessage) listings(work *turns.Task, left *leavesLeft) (found []mailListing) {
	read := func(b mailBody) {
		b.leaves = left.take(b.leaves)
		found = append(found, m.listingsIn(work, b)...)
	}
	isEnough := func() bool { return left.isEmpty() || len(found) >= maxMailListings }
	for _, text := range m.html {
		if isEnough() {
			break
		}
		leaves, lang := readHTML(work, text)
		read(mailBody{leaves: leaves, lang: lang, isHTML: true})
	}
	if len(found) > 0 {
		return found
	}
	for _, text := range m.plain {
		if isEnough() {
			break
		}
		read(mailBody{leaves: readPlain(work, text)})
	}
	return found
}

// listingsIn returns the listings in a body.
func (m *mailMessage) listingsIn(work *turns.Task, b mailBody) []mailListing {
	forwarded := m.rules.forwardIn(b.leaves)
	sender := cmp.Or(forwarded.sender, m.sender)
	m.topic = withoutForward(cmp.Or(forwarded.subject, m.subject))
	r := newCardReader(work, b.leaves[forwarded.end:], b.lang)
	cards := r.cards()
	m.cards += len(cards)
	c := newCardFields(r, cards)
	c.search = c.searchOf(m.topic, cards, m.isFromPerson(forwarded))
	var all []chosenCard
	lodgings := 0 // cards
	for _, card := range cards {
		card.shorten()
		work.Step(64 * (card.end - card.start))
		l := c.listing(card, m)
		lodgings += boolInt(c.isLodging)
		if l != nil {
			all = append(all, chosenCard{l, card})
		}
	}
	if b.isHTML && len(m.plain) > 0 {
		takeBareLinks(work, all, m.plain[0])
	}
	found, last := m.accepted(c, all, sender)
	if 2*lodgings > len(cards) {
		return nil
	}
	if len(found) > 1 && m.isFromPerson(forwarded) && hasLetterWords(r.leaves) {
		return nil
	}
	if len(found) != 1 {
		return found
	}
	// A single listing may be the home of the reader, a home that a person writes about, or one in a text with a link to
	// another site.
	isOfOtherSite := !b.isHTML && !isOfSender(found[0].id, sender)
	isLetter := isOfOwnHome(m.topic) || m.isLetter(r.leaves, last.card, forwarded)
	hasPlace := last.location != "" || c.search.isOfHomes
	looksLikeListing := last.hasPhoto || hasPlace && !inFirstPerson(r.leaves)
	isAlert := last.isComplete() || m.isAlert(found[0].members)
	if isOfOtherSite || isLetter || !looksLikeListing || !isAlert {
		return nil
	}
	return found
}

// accepted returns the listings of a body that the rules accept, each home once, and the card of the last one.
func (m *mailMessage) accepted(c *cardFields, all []chosenCard, sender string) (found []mailListing, last chosenCard) {
	byID := twins{}
	for _, l := range all {
		if len(found) == maxMailListings {
			m.isFull = true
			break
		}
		kept, id := m.rules.Accept(l.members(c, l.card, m, sender))
		if kept == nil {
			continue
		}
		isNew, isAlike := byID.add(id, l.cardListing, len(found))
		m.alike += boolInt(isAlike)
		if isNew {
			found = append(found, mailListing{id, kept})
			last = l
		}
	}
	byID.separate(found, sender)
	return found, last
}

// twins are the listings of a mail by their ids. If a link is opaque, the id is made of the title, the place and the
// size. Then several homes may have one id: flats of a new building often differ only in their costs.
type twins map[string][]twin

type twin struct {
	link string // the key
	cost float64
	at   int // its index among the listings found
}

// add adds a listing with its index among the listings found, if it is new: all listings with its id have other links
// and other costs. A listing with the link of another one is the same. A listing with another link is alike if it may
// have the same cost: several agents may offer the home, each with photos of their own.
func (t twins) add(id string, l *cardListing, at int) (isNew, isAlike bool) {
	for _, other := range t[id] {
		if other.link == l.link.key {
			return false, false
		}
		isAlike = isAlike || other.cost == l.cost || other.cost == 0 || l.cost == 0
	}
	if isAlike {
		return false, true
	}
	t[id] = append(t[id], twin{l.link.key, l.cost, at})
	return true, false
}

// separate gives the listings that share an id ids of their own. The cheapest one keeps the id. The others get theirs
// in the order of their costs, so that another mail with the same listings, in any order, gives them the same ids.
func (t twins) separate(found []mailListing, sender string) {
	for id, all := range t {
		slices.SortFunc(all, func(a, b twin) int { return cmp.Compare(a.cost, b.cost) })
		for i := 1; i < len(all); i++ {
			listing := &found[all[i].at]
			listing.id = hashedID(fmt.Sprint(id, " ", i+1), sender)
			listing.members["id"] = jsonText(listing.id)
		}
	}
}

// cardSigns are further signs in the lines of a card that tell whether it is a listing.
type cardSigns struct {
	values                         []textValue
	facts, criteria                int  // lines with facts, and lines with what a search asks for
	isLodging, isDone, isOnRequest bool // at least one line is: see lineFacts
	namesHomeOrSize                bool // a line names a home, a rent, or a size that only homes have
	namesHome                      bool // a line names a home or a rent
	hasRange                       bool // a line has the sizes of several homes in one building
}

// readLines reads the signs of a card of a mail with a topic.
func (l *cardListing) readLines(c *cardFields, card *card, topic string) (s cardSigns) {
	var isWeekly, hasSleeps bool
	for i := card.start; i < card.end; i++ {
		f := &c.facts[i]
		l.hasLayout = l.hasLayout || f.rooms != 0 && roomLayout().MatchString(f.lower)
		l.isAreaLineShared = l.isAreaLineShared || f.area != 0 && c.byLine.homesWith(f.lower) > 1
		s.isLodging = s.isLodging || f.isLodging
		s.isDone = s.isDone || f.isDone
		s.isOnRequest = s.isOnRequest || f.isOnRequest
		isWeekly = isWeekly || f.kind == weeklyRent || weekRent.in(f.lower)
		hasSleeps = hasSleeps || sleepsWords.in(f.lower)
		s.namesHomeOrSize = s.namesHomeOrSize || f.isHome
		s.namesHome = s.namesHome || f.isHome && c.namesHome(f)
		s.facts += boolInt(f.hasFacts())
		isRange := f.isSearch && sizeRange().MatchString(f.lower)
		s.hasRange = s.hasRange || isRange
		s.criteria += boolInt(f.isSearch && !isRange && hasDigit(f.lower))
		if f.mayHaveFacts() {
			s.values = append(s.values, f.values...)
		}
	}
	s.isLodging = s.isLodging || isWeekly && (hasSleeps || lodgingWords.in(strings.ToLower(topic)))
	l.isHomeCost = s.hasRange // goods have no sizes of several homes
	return s
}

// listing reads the listing of a card. It returns nil if the card does not tell enough.
func (c *cardFields) listing(card *card, m *mailMessage) *cardListing {
	var l cardListing
	s := l.readLines(c, card, m.topic)
	l.findLink(c, card)
	l.findPhoto(c, card)
	l.findTitle(c, card)
	l.findLocation(c, card)
	l.findAmounts(c, card, s.values)
	l.isTitleLinked = l.titleAt >= 0 && len(c.leaves[l.titleAt].links) > 0
	c.isLodging = s.isLodging
	m.isLodging = m.isLodging || s.isLodging
	isHomeSubject := isHomeMail(m.topic)
	isHome := s.namesHomeOrSize || isHomeSubject || c.search.isOfHomes
	if !c.mayOffer(&l, &s, m, isHome) || !c.isShown(card, l.link.key) {
		return nil
	}
	c.work.Step(40 * len(l.titleText))
	if !l.isOfOtherThing(c, card) && l.hasEvidence(&s, isHome, isHomeSubject) {
		return &l
	}
	// In a mail for a search for homes, a title and a price are enough.
	unmet := c.search.unmet(l.titleText, l.cost, l.currency)
	if unmet == "" && !c.haveOneForm() {
		unmet = "all links are of one form and have a number"
	}
	if unmet != "" {
		m.unmet = cmp.Or(m.unmet, unmet)
		return nil
	}
	return &l
}

// mayOffer reports whether a card may offer a home: it has a link and a name, is about homes, and is no shop's, no stay
// and no search. isHome tells that the card or the mail is about homes.
func (c *cardFields) mayOffer(l *cardListing, s *cardSigns, m *mailMessage, isHome bool) bool {
	isAboutHome := isHome || l.hasCostAndSize() || c.isAboutHomes
	title := strings.ToLower(l.titleText)
	isNoOffer := s.isLodging || s.isDone || isOtherMail(m.subject) || isOtherMail(m.topic)
	hasLinkAndName := l.link.mayShowListing() && (title != "" || l.location != "")
	isOfShop := c.isShop || commercialWords.in(title) || services.in(title)
	isOfSearch := s.criteria > 1 && s.criteria > s.facts // rather what a search asks for than a home
	return isAboutHome && !isNoOffer && hasLinkAndName && !isOfShop && !isOfSearch
}

// isOfOtherThing reports whether the title of a listing names a wish, of somebody who seeks a home, or a thing. A thing
// has no rooms, and less area than the largest garage. If there is no title, or it is only the place, which may contain
// the word for a thing ("Garage Lane"), the first line of the card counts.
func (l *cardListing) isOfOtherThing(c *cardFields, card *card) bool {
	const largestGarage = 25 // m²
	name := l.titleText
	if strings.Contains(l.location, name) {
		name = c.leaves[card.start].text
		if strings.Contains(l.location, name) {
			return false
		}
	}
	mayBeThing := l.rooms+l.beds == 0 && l.area < largestGarage
	return namesWish(name) || mayBeThing && namesThing(name)
}

// hasEvidence reports whether a card tells two of a cost, an area, a number of rooms and an address, and does not offer
// goods. isHome tells that the card or the mail is about homes, and isHomeSubject that the subject is.
func (l *cardListing) hasEvidence(s *cardSigns, isHome, isHomeSubject bool) bool {
	hasRooms := l.rooms+l.beds != 0 || s.hasRange
	hasHomeSize := l.rooms+l.beds != 0 || l.area >= leastHome
	hasCost := l.cost != 0 && (hasHomeSize || !l.isYearly)
	hasArea := l.area != 0 && hasHomeSize
	evidence := boolInt(hasCost) + boolInt(hasArea) + boolInt(hasRooms) + boolInt(l.hasAddress)
	isOfGoods := hasCost && !l.isHomeCost && l.isOfGoods(evidence, isHomeSubject, s.namesHome)
	if evidence < 2 || isOfGoods {
		return false
	}
	// Something else must make up for a cost, a name of a home or a size that is missing.
	hasCostOrElse := l.cost != 0 || s.isOnRequest || l.hasPhoto && l.location != ""
	hasHomeOrElse := hasRooms || l.hasAddress || s.namesHomeOrSize
	hasSizeOrElse := hasRooms || l.area != 0 || isHome && (l.hasPhoto || l.isTitleLinked)
	return hasCostOrElse && hasHomeOrElse && hasSizeOrElse
}

// isComplete reports whether cost, area, rooms, address, linked title and linked photo are all known.
func (l *cardListing) isComplete() bool {
	return l.hasCostAndSize() && l.hasAddress && l.isTitleLinked && l.isPhotoLinked
}

// isOfGoods reports whether a price without a name may be the price of goods for a home. evidence counts what
// hasEvidence has found; it asks for two at least. namesHome tells that a line of the card names a home or a rent.
func (l *cardListing) isOfGoods(evidence int, isHomeSubject, namesHome bool) bool {
	isHigh := l.cost >= leastPrice
	if l.location == "" { // then the subject must be about homes, and the price high or the evidence more than the least
		hasMore := evidence > 2 || isHigh
		return !isHomeSubject || !hasMore
	}
	if isHigh || isHomeSubject {
		return false
	}
	if l.isAddressShared { // all that a shop has is at one address
		return true
	}
	tellsAll := l.hasCostAndSize() && (l.hasAddress || l.hasLayout) && !l.isAreaLineShared
	return !namesHome && !tellsAll
}

// hasCostAndSize reports whether a listing has a cost, an area and a number of rooms.
func (l *cardListing) hasCostAndSize() bool { return l.cost != 0 && l.area != 0 && l.rooms+l.beds != 0 }

// leastPrice is a price that few goods have, but most homes for sale. A rent is below it.
const leastPrice = 50_000

// leastHome is the area, in m², of the smallest home whose rooms need not be told.
const leastHome = 12

// isShown reports whether the link with a key shows a listing in a card: the link of an image, of a line that is no
// button, or of a button such as "View". Other links do something else.
func (c *cardFields) isShown(card *card, link string) bool {
	for i := card.start; i < card.end; i++ {
		l, f := &c.leaves[i], &c.facts[i]
		if !c.isLinkedTo(l, link) {
			continue
		}
		isOnlySymbols := l.text != "" && !letterRuns().MatchString(l.text) && !hasDigit(l.text) // "♥"
		isOtherButton := f.isButton && l.isLinked && !viewWords.in(f.lower)
		if l.isImage || !isOnlySymbols && !isOtherButton {
			return true
		}
	}
	return false
}

// findPhoto chooses the photo of a card: the first image that links to the listing, or else the first one that does not
// link to another listing. An image in the cards of three homes or more is not the photo of a home.
func (l *cardListing) findPhoto(c *cardFields, card *card) {
	for i := card.start; i < card.end; i++ {
		leaf := &c.leaves[i]
		isCommon := leaf.image != "" && c.byImage.homesWith(leaf.image) > 2
		if !leaf.isImage || isCommon || c.facts[i].isDoubtful {
			continue
		}
		if c.isLinkedTo(leaf, l.link.key) {
			l.photo, l.hasPhoto, l.isPhotoLinked = leaf.image, true, true
			return
		}
		mayBeOfHome := len(leaf.links) == 0 || c.links[leaf.links[0]].isOpaque || c.isSister(leaf.links[0], l.link.key)
		if mayBeOfHome && !l.hasPhoto { // unless an image below links to the listing
			l.photo, l.hasPhoto = leaf.image, true
		}
	}
}

// isOtherMail reports whether a subject tells of something that was asked, agreed or ordered, not of new listings.
func isOtherMail(subject string) bool {
	lower := strings.ToLower(subject)
	return replySubject().MatchString(withoutForward(subject)) || orders.in(lower) || otherSubjects.in(lower)
}

// isHomeMail reports whether a subject tells of homes or rent, and not of something for a home.
func isHomeMail(subject string) bool {
	return homeOrRent.in(strings.ToLower(subject)) && !isForHome(subject) && !isOfOwnHome(subject)
}

// isOfOwnHome reports whether a subject is about the home that the reader has.
func isOfOwnHome(subject string) bool {
	return ownHome().MatchString(subject) && !searchWords.in(strings.ToLower(subject))
}

// namesHome reports whether a line names a home or a rent, rather than how many rooms something is for.
func (c *cardFields) namesHome(f *lineFacts) bool {
	for i := range f.values {
		if text := f.values[i].text; nameOfHome.in(strings.ToLower(text)) {
			return true
		}
	}
	return len(f.values) == 0 && nameOfHome.in(f.lower)
}

// findAmounts sets the cost, the area and the rooms of a card.
func (l *cardListing) findAmounts(c *cardFields, card *card, values []textValue) {
	found := costsThatHold(costsAmong(values))
	if best, ok := mailCost(found); ok {
		l.cost, l.isYearly = best.monthly(), best.kind == yearlyRent
		l.currency = currencyIn(best.sign, c.country)
		l.isHomeCost = l.isHomeCost || best.kind != noKind
		for _, v := range values {
			for _, a := range v.amounts {
				if a.sign == "" {
					continue
				}
				isMonthly := a.value == best.value && a.period == perMonth
				l.isHomeCost = l.isHomeCost || isMonthly
				isLowerEnd := a.inRange && a.value < best.value
				if isLowerEnd && a.value >= leastCost { // of a range of costs, the lower end counts
					l.cost = a.period.monthly(a.value)
				}
			}
		}
	}
	l.area = netArea(values)
	l.findRooms(c, card, values)
}

// findRooms sets the numbers of rooms and bedrooms of a card. The number of rooms in a title counts only if no other
// line has one.
func (l *cardListing) findRooms(c *cardFields, card *card, values []textValue) {
	for i := card.start; i < card.end; i++ {
		f := &c.facts[i]
		if !f.mayHaveFacts() {
			continue
		}
		if f.rooms != 0 && !f.inTitle {
			l.rooms = f.rooms
			break
		}
		l.rooms = cmp.Or(l.rooms, f.rooms)
	}
	for i := card.start; i < card.end && l.beds == 0; i++ {
		if f := &c.facts[i]; f.mayHaveFacts() {
			l.beds = f.beds
		}
	}
	if l.rooms == 0 && l.beds == 0 {
		l.rooms = roomsInWords(values)
	}
}

// roomsInWords returns the first number of rooms that a short value has in words, or 0.
func roomsInWords(values []textValue) float64 {
	for _, v := range values {
		if v.isProse {
			continue
		}
		if rooms := v.roomsInLetters(); isRooms(rooms) {
			return rooms
		}
	}
	return 0
}

// mailCost returns the cost that one pays: the total rather than the rent or the price.
func mailCost(all []foundCost) (best foundCost, ok bool) {
	best, ok = bestCost(all)
	for _, c := range all {
		if c.kind == totalRent && (!ok || !c.isNoTotalOf(best)) {
			return c, true
		}
	}
	return best, ok
}

// monthly returns a cost as one of a month, unless it is a price.
func (c foundCost) monthly() float64 {
	switch c.kind {
	case weeklyRent:
		return perWeek.monthly(c.value)
	case yearlyRent:
		return perYear.monthly(c.value)
	}
	return c.value
}

// members returns a listing as the members of its JSON. Its details say which mail it comes from.
func (l *cardListing) members(c *cardFields, card *card, m *mailMessage, sender string) map[string]json.RawMessage {
	listing := map[string]json.RawMessage{}
	set := func(name string, v any) { listing[name] = jsonText(v) }
	title := cmp.Or(l.titleText, l.location)
	set("title", title)
	set("urls", []string{l.link.unwrapped})
	if l.location != "" {
		set("location", l.location)
	}
	if l.cost != 0 {
		set("cost", l.cost)
		if l.currency != "" {
			set("currency", l.currency)
		}
	}
	for name, number := range map[string]float64{"area": l.area, "rooms": l.rooms, "bedrooms": l.beds} {
		if number != 0 && !math.IsInf(number, 0) {
			set(name, number)
		}
	}
	if l.photo != "" {
		set("photos", []map[string]string{{"url": l.photo}})
	}
	var lines []string
	for i := card.start; i < card.end; i++ {
		if text := c.leaves[i].text; text != "" && !c.facts[i].isFooter && !c.facts[i].isDoubtful {
			lines = append(lines, text)
		}
	}
	set("text", strings.Join(lines, "\n"))
	if !m.date.IsZero() {
		set("date", m.date.Format(time.RFC3339))
	}
	listing["details"] = m.origin(sender)
	if l.link.isOpaque {
		rooms := numberText(cmp.Or(l.rooms, l.beds))
		set("id", hashedID(m.rules.Fold(title, l.location, numberText(l.area), rooms), sender))
	}
	return listing
}

// origin returns details that say which mail a flat comes from. sender is a domain.
func (m *mailMessage) origin(sender string) json.RawMessage {
	origin := map[string]string{"from": sender}
	if sender == m.sender && m.name != "" {
		origin["from"] = m.name
	}
	if !m.date.IsZero() {
		origin["date"] = m.date.Format(time.RFC3339)
	}
	return jsonText(map[string]any{"mail": origin})
}

// numberText returns a number as a text, or "" for 0.
func numberText(n float64) string {
	if n == 0 {
		return ""
	}
	return string(jsonText(n))
}
