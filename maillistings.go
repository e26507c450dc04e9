package main

// Listings of mails: what a card says of its home, and whether that is enough.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

const maxMailListings = 500

// readMailListings returns the listings of a mail. note says why there are none, in words. It takes time linear in the
// text, and in turns. The error says that the text is no mail.
func readMailListings(work *task, text []byte) (listings Listings, note string, err error) {
	messages, err := readMail(work, text)
	if err != nil {
		return listings, "", err
	}
	listings.partial, listings.isMail = true, true
	isKnown := map[string]bool{}
	for _, m := range messages {
		for _, listing := range m.listings(work) {
			if id := listing.id(); !isKnown[id] && len(listings.Flats) < maxMailListings {
				isKnown[id] = true
				listings.Flats = append(listings.Flats, listing)
			}
		}
	}
	if len(listings.Flats) == 0 {
		note = messages[0].whyNone()
	}
	return listings, note, nil
}

// whyNone says why a mail has no listing.
func (m *mailMessage) whyNone() string {
	subject := leading(m.subject, 200)
	switch {
	case len(m.html)+len(m.plain) == 0:
		return fmt.Sprintf("The mail %q has no text.", subject)
	case m.isLodging:
		return fmt.Sprintf("The mail %q is about a stay by the night, not about a home.", subject)
	case isOtherMail(m.subject):
		return fmt.Sprintf("The mail %q is about something that was asked, agreed or ordered, not about new listings.", subject)
	case m.cards == 0:
		return fmt.Sprintf("In the mail %q nothing looks like a listing: no card has a price, an area or rooms.", subject)
	}
	return fmt.Sprintf("In the mail %q nothing has all that a listing has: a link, a title or a place, and two of "+
		"price, area, rooms and address.", subject)
}

// listings returns the listings in the HTML of a message, or where that has none in its plain text.
func (m *mailMessage) listings(work *task) (found []members) {
	for _, text := range m.html {
		leaves, lang := readHTML(work, text)
		found = append(found, m.listingsIn(work, leaves, lang)...)
	}
	if len(found) > 0 {
		return found
	}
	for _, text := range m.plain {
		found = append(found, m.listingsIn(work, readPlain(work, text), "")...)
	}
	return found
}

// listingsIn returns the listings in the leaves of a body.
func (m *mailMessage) listingsIn(work *task, leaves []leaf, lang string) (found []members) {
	sender := cmpOr(forwardedSender(leaves), m.sender)
	r := newCardReader(work, leaves, lang)
	cards := r.cards()
	m.cards += len(cards)
	c := newCardFields(r, cards)
	for _, card := range cards {
		work.step(64 * (card.end - card.start))
		if listing := c.listing(card, m, sender); listing != nil {
			found = append(found, listing)
		}
	}
	return found
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

var fromLine = regexp.MustCompile(`(?i)^[*>\s]*(?:from|von|de|da|mittente|van|från|fra|od|lähettäjä|feladó|expéditeur|remitente) ?: ?\*?.*@`)

// forwardedSender returns the domain of the address in the last line "From:" of a mail that is quoted, or "".
func forwardedSender(leaves []leaf) (domain string) {
	for _, l := range leaves {
		if len(l.text) < 300 && strings.Contains(l.text, "@") && fromLine.MatchString(l.text) {
			if found := domainOf(l.text); found != "" {
				domain = found
			}
		}
	}
	return domain
}

// A cardFields reads the fields of cards. It knows what they have in common.
type cardFields struct {
	*cardReader
	cardsWith map[string]int // how many cards have a link, by its key
	images    map[string]int // how many cards have an image
	linesIn   map[string]int // how many cards have a line, in small letters

	isAboutHomes bool // some line tells of a home or of rent
}

func newCardFields(r *cardReader, cards []*card) *cardFields {
	c := &cardFields{
		cardReader: r,
		cardsWith:  map[string]int{},
		images:     map[string]int{},
		linesIn:    map[string]int{},
	}
	for i := range r.facts {
		c.isAboutHomes = c.isAboutHomes || homeOrRent.in(r.facts[i].lower)
	}
	for _, card := range cards {
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
	return c
}

// A cardListing is what a card says.
type cardListing struct {
	link        mailLink
	title       int // the index of its leaf, or -1
	titleText   string
	location    string
	hasAddress  bool
	photo       string
	hasPhoto    bool
	cost        float64
	currency    string
	area        float64
	rooms, beds float64
}

// listing returns a card as a listing, or nil if it does not say enough.
func (c *cardFields) listing(card *card, m *mailMessage, sender string) members {
	var l cardListing
	var values []labelled
	isLodging, isOnAsking, isHome, isWeekly, hasSleeps := false, false, isHomeMail(m.subject), false, false
	for i := card.start; i < card.end; i++ {
		f := &c.facts[i]
		isLodging = isLodging || f.isLodging
		isOnAsking = isOnAsking || f.isOnAsking
		isWeekly = isWeekly || f.kind == weeklyRent || weekRent.in(f.lower)
		hasSleeps = hasSleeps || sleepsWords.in(f.lower)
		isHome = isHome || homeOrRent.in(f.lower)
		if !f.isProse && !f.isSearch && !f.isFooter {
			values = append(values, f.values...)
		}
	}
	l.findLink(c, card)
	l.findPhoto(c, card)
	l.findTitle(c, card)
	l.findPlace(c, card)
	l.findAmounts(c, card, values)
	isLodging = isLodging || isWeekly && hasSleeps
	m.isLodging = m.isLodging || isLodging
	isFull := l.cost != 0 && l.area != 0 && l.rooms+l.beds != 0
	if !isHome && !isFull && !c.isAboutHomes {
		return nil
	}
	if isLodging || isOtherMail(m.subject) || l.link.address == "" || l.titleText == "" && l.location == "" {
		return nil
	}
	evidence := boolInt(l.cost != 0) + boolInt(l.area != 0) + boolInt(l.rooms+l.beds != 0) + boolInt(l.hasAddress)
	isTitled := l.title >= 0 && len(c.leaves[l.title].links) > 0
	switch {
	case evidence < 2,
		l.cost == 0 && !l.hasPhoto && !isOnAsking,
		l.area == 0 && l.rooms+l.beds == 0 && !(isHome && (l.hasPhoto || isTitled)):
		return nil
	}
	return l.members(c, card, m, sender)
}

// findPhoto chooses the photo of a card: the first image that leads to the listing, else the first that leads nowhere
// else. One that stands in three cards is none.
func (l *cardListing) findPhoto(c *cardFields, card *card) {
	for _, isAny := range []bool{false, true} {
		for i := card.start; i < card.end && !l.hasPhoto; i++ {
			leaf := &c.leaves[i]
			if !leaf.isImage || leaf.image != "" && c.images[leaf.image] > 2 {
				continue
			}
			isFree := len(leaf.links) == 0 || c.links[leaf.links[0]].isOpaque
			if c.isLinkedTo(leaf, l.link.key) || isAny && isFree {
				l.photo, l.hasPhoto = leaf.image, true
			}
		}
	}
}

// homeOrRent are words of a home or of rent.
var homeOrRent = anyOf("wohnung|zimmer|_haus_|häuser|altbau|neubau|miete|immobili|appartement|apartment|studio|maison|villa|loft",
	"penthouse|duplex|pièces|loyer|_flat|house|bedroom|_bed_|_beds_|_rent_|_rental|for sale|to let|pcm|lejlighed|værelse|husleje",
	"lejebolig|bolig|lägenhet|bostad|bostäd|_hyra|leilighet|husleie|woning|_huis_|kamer|_huur|te koop|_piso|alquiler|vivienda",
	"apartam|appartam|locale_|affitto|_casa_|kerrostalo|asunto|yksiö|vuokra|mieszkanie|kawaler|wynaj|_byt|pronáj|lakás",
	"kiadó|garsonier|închiri|moradia|imóve|arrenda|alugar|_home|property|properties|realty|annonce immo|quadrat")

// orders are words of mails about what was bought, booked or billed.
var orders = anyOf("_order_|_orders_|bestellung|_commande|_pedido|_ordine_|beställning|_ordre|_rechnung|_invoice|_facture|_factura",
	"_fattura|_booking|_buchung|_réservation|_prenotazione|_reserva_|_password|passwort|mot de passe|contraseña|wachtwoord|hasło",
	"_viewing|_receipt|_quittung|_factuur|_faktura|bestelling|zamówieni|tilaus|zahlung|_mahnung|_payment|_quote_|_devis_|preventivo",
	"ihre anfrage|deine anfrage|your enquiry|your inquiry|your message|your application|bewerbung|votre demande|votre message",
	"votre candidature|votre visite|tua richiesta|tu solicitud|tu mensaje|uw reactie|je reactie|uw bericht|din förfrågan",
	"twoje zapytanie|besichtigungstermin|terminbestätigung|_appointment|rendez-vous|_insurance|versicherung|assurance|seguro de")

// isReply matches the subject of a message that people write to each other.
var isReply = regexp.MustCompile(`(?i)^(?:re|aw|antw|sv|vs|odp|ré|rif|res|ynt)\s*(?:\[\d+\])?:`)

// isOtherMail reports whether a subject is that of a mail about something that was agreed, not about what is new.
func isOtherMail(subject string) bool {
	return isReply.MatchString(subject) || orders.in(strings.ToLower(subject))
}

func isHomeMail(subject string) bool { return homeOrRent.in(strings.ToLower(subject)) }

// findLink chooses the link of a card: one that no other card has, not opaque if any is not, the most frequent, then
// that of the line that is most like a title.
func (l *cardListing) findLink(c *cardFields, card *card) {
	type choice struct {
		link  mailLink
		count int
		score int // of the best title
	}
	var choices []*choice
	byKey := map[string]*choice{}
	for i := card.start; i < card.end; i++ {
		for _, address := range c.leaves[i].links {
			link := c.links[address]
			if link.isOther || c.cardsWith[link.key] > 1 {
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
}

var titleLabel = regexp.MustCompile(`(?i)^(?:titel|title|titre|título|titolo|tytuł|rubrik|otsikko|název|cím|objekt|overskrift|tittel) ?: +`)

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
	}
}

var (
	homeKinds = anyOf("wohnung|haus_|studio|maison|villa|loft|appart|apart|_flat|house|lejlighed|lägenhet|leilighet|woning|_huis",
		"_piso|_casa|locale|kerrostalo|rivitalo|omakoti|mieszkan|_byt|lakás|garsonier|moradia|kawaler|rækkehus|villa")
	noTitle = anyOf("neu_|_new_|_nouveau_|_nuovo_|_nuevo_|active|open house|tel.|telefon|added|available|verfügbar|_bezug_|disponib",
		"ledig|objekt-nr|_ref|e-mail|deposit|kaution|caution|fianza|aktiv")
	letterRuns = regexp.MustCompile(`\p{L}{2,}`)
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
	if size >= 12 && size <= 100 {
		score++
	}
	if len(words) > 2 {
		score++
	}
	if adWords.in(f.lower) || homeOrRent.in(f.lower) {
		score += 2
	}
	if f.isButton {
		score -= 6
	}
	if size < 40 && isLabel(strings.TrimSuffix(l.text, ":")) {
		score -= 4
	}
	if f.cost != 0 {
		score -= 4
	}
	if isFactLine(f) && !homeKinds.in(strings.ToLower(f.residue())) {
		score -= 4
	}
	if noTitle.in(f.lower) {
		score -= 2
	}
	if c.linesIn[f.lower] > 1 {
		score -= 2
	}
	if c.linesIn[f.lower] > 2 {
		score -= 2
	}
	if c.addressScore(l.text) >= 4 {
		score -= 2 - boolInt(len(l.links) > 0)
	}
	return score
}

// isFactLine reports whether a line consists of facts.
func isFactLine(f *lineFacts) bool {
	facts, others := 0, 0
	for _, v := range f.values {
		words := 0
		for _, word := range letterRuns.FindAllString(v.text, 20) {
			if len(word) > 3 {
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

// findPlace chooses the line of a card with its address, or else with its place.
func (l *cardListing) findPlace(c *cardFields, card *card) {
	best := 0
	for i := card.start; i < card.end; i++ {
		leaf, f := &c.leaves[i], &c.facts[i]
		if leaf.isImage || f.isProse || f.isFooter || f.isButton || f.isSearch {
			continue
		}
		for _, part := range segments.Split(leaf.text, 12) {
			text := strings.TrimSpace(titleLabel.ReplaceAllLiteralString(part, ""))
			bare := strings.TrimSpace(placeLabel.ReplaceAllLiteralString(text, ""))
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

var wayWithin = regexp.MustCompile(`(?:^|[\s,])(` + wayStart + `[^,\d]{2,40},? \d{1,4}(?:\P{L}|$|[a-zA-Z](?:\P{L}|$)))`)

// addressScore returns how much a text is an address: at least 4 with a postal code and a town, or with a street and a
// number, and less for names of places.
func (c *cardFields) addressScore(text string) int {
	if len(text) > 200 || text == "" {
		return 0
	}
	score := 0
	if hasDigit(text) {
		if found, ok := addressIn(text, "", c.country); ok && !numbersFirst.MatchString(text) {
			score = 5 + boolInt(found.hasStreet)
		}
		if score < 6 && wayWithin.MatchString(text) {
			score = max(score, 4)
		}
		for part := range strings.SplitSeq(text, ",") {
			part = strings.TrimSpace(part)
			if score < 6 && hasDigit(part) && (isStreet(part) && !adWords.in(strings.ToLower(part)) || wayWithin.MatchString(part) ||
				wholeUS.MatchString(part)) {
				score = max(score, 4) + boolInt(score > 0)
			}
		}
	}
	if score == 0 && (wayOnly.MatchString(text) || hasStreetPart(text)) {
		score = 2
	} else if score == 0 && placeNames.MatchString(text) && !features.MatchString(text) {
		score = 2
	} else if score == 0 && codeInBrackets.MatchString(text) {
		score = 5
	} else if score == 0 && plainTown.MatchString(text) && !adWords.in(strings.ToLower(text)) && letters(text) < 30 && text != strings.ToUpper(text) {
		score = 1
	}
	return score
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

var (
	wayOnly        = regexp.MustCompile(`(?:^|[\s,])` + wayStart + `\p{L}+`)
	codeInBrackets = regexp.MustCompile(`\p{Lu}[\p{L}' -]+ \(\d{4,5}\)`)
	plainTown      = regexp.MustCompile(`^` + townName + `(?: \([\p{L} -]+\))?$`)
	numbersFirst   = regexp.MustCompile(`^\d[\d.,' ]*(?:m²|qm|€|kr|zł|Kč)`)
	wholeUS        = regexp.MustCompile(`^\d{1,5} (?:[NSEW] )?(?:\p{Lu}[\p{L}'.]*|\d{1,3}(?:st|nd|rd|th)) (?:.*\b)?(?:St|Ave|Rd|Dr|Ln|Blvd|` +
		`Ct|Pl|Way|Row|Street|Avenue|Road|Drive|Lane|Court|Place|Terrace|Ter|Cir|Circle|Pkwy|Hwy|Trl|Loop)\b`)
)

// findAmounts sets the cost, the area and the rooms of a card.
func (l *cardListing) findAmounts(c *cardFields, card *card, values []labelled) {
	found := costsThatHold(costsAmong(values))
	if best, ok := mailCost(found); ok {
		l.cost = best.monthly()
		l.currency = currencyIn(best.sign, c.country)
		for _, v := range values {
			for _, a := range v.amounts {
				if a.inRange && a.sign != "" && a.value < best.value && a.value >= leastCost {
					l.cost = a.period.monthly(a.value)
				}
			}
		}
	}
	l.area = areaIn(values, false)
	for i := card.start; i < card.end; i++ {
		f := &c.facts[i]
		if f.isProse || f.isSearch || f.isFooter {
			continue
		}
		isFact := f.has()
		if f.rooms != 0 && (l.rooms == 0 || isFact) {
			l.rooms = f.rooms
			if isFact {
				break
			}
		}
	}
	for i := card.start; i < card.end && l.beds == 0; i++ {
		if f := &c.facts[i]; !f.isProse && !f.isSearch && !f.isFooter {
			l.beds = f.beds
		}
	}
	if l.rooms == 0 && l.beds == 0 {
		l.rooms = roomsInWords(values)
	}
}

var oneRoomWords = anyOf("_studio_|_studios_|studio flat|monolocale|kawalerka|garsonier|garzon|_estudio_|_yksiö|_etta_|einzimmer|garconni|1-zimmer")

// roomsInWords returns a number of rooms that the name of a home tells, or 0.
func roomsInWords(values []labelled) float64 {
	for _, v := range values {
		if v.isProse {
			continue
		}
		if oneRoomWords.in(v.lower) {
			return 1
		}
		if rooms := roomsInLetters(v.text); isRooms(rooms) {
			return rooms
		}
	}
	return 0
}

// mailCost returns the cost that one pays: the total before the rent or the price.
func mailCost(all []foundCost) (best foundCost, ok bool) {
	best, ok = bestCost(all)
	for _, c := range all {
		if c.kind == totalRent && (!ok || !c.isOfAnother(best)) {
			return c, true
		}
	}
	return best, ok
}

func (c foundCost) monthly() float64 {
	switch c.kind {
	case weeklyRent:
		return perWeek.monthly(c.value)
	case yearlyRent:
		return perYear.monthly(c.value)
	}
	return c.value
}

// members returns a listing as members of a flat.
func (l *cardListing) members(c *cardFields, card *card, m *mailMessage, sender string) members {
	listing := members{}
	set := func(name string, v any) { listing[name] = json.RawMessage(encodeJSON(v)) }
	title := cmpOr(l.titleText, l.location)
	set("title", title)
	set("urls", []string{l.link.address})
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
		if text := c.leaves[i].text; text != "" && !c.facts[i].isFooter {
			lines = append(lines, text)
		}
	}
	set("text", strings.Join(lines, "\n"))
	if !m.date.IsZero() {
		set("date", m.date.Format(time.RFC3339))
	}
	if l.link.isOpaque {
		rooms := l.rooms
		if rooms == 0 {
			rooms = l.beds
		}
		set("id", hashedID(foldedWords(title, l.location, numberText(l.area), numberText(rooms)), sender))
	}
	if valid, err := readListing(listing, true); err == nil {
		return valid
	}
	return nil
}

func numberText(n float64) string {
	if n == 0 {
		return ""
	}
	return encodeJSON(n)
}

// foldedWords returns the words of texts as searches fold them, joined by blanks.
func foldedWords(texts ...string) string {
	var folded []string
	for _, text := range texts {
		t := tokenizer{text: text}
		for t.next() {
			folded = append(folded, string(t.word))
		}
	}
	return strings.Join(folded, " ")
}

var errMailComplete = errors.New("a mail tells what is new, never all that a site has")

var (
	otherHosts = anyOf("facebook.|twitter.|instagram.|linkedin.|pinterest.|whatsapp|//x.com|youtube.|tiktok|_t.me|maps.google|google.com/maps",
		"goo.gl/maps|apple.com|play.google|openstreetmap")
	otherPaths = anyOf("unsubscribe|abmeld|abbestell|desabon|désabon|desinscri|disiscri|afmeld|uitschrij|avregistr|avprenum|/baja",
		"cancelar|odhlasit|wypisz|leiratkoz|dezabon|preferences|/share|sharer|mailto:|/alerts|/alert/|privacy|datenschutz|impressum",
		"/account|/konto|/settings|/login|optout|opt-out|contacto=|/kontakt|/contact")
)

// isOtherLink reports whether a link is one to manage, to share or to leave.
func isOtherLink(link string) bool {
	lower := strings.ToLower(link)
	return otherHosts.in(lower) || otherPaths.in(lower)
}

// hasPath reports whether a link leads to more than a site.
func hasPath(link string) bool {
	u, err := url.Parse(link)
	return err == nil && (strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "")
}
