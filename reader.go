package main

// The reader of listings: what a text says of a home, as copied from a page, with menus, cookie banners, similar offers
// and imprints around it. Nothing here knows the page that shows it.

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

const (
	longestText  = 100_000 // bytes of a text that are read
	mostLines    = 2_000
	longestTitle = 120
	linesAbove   = 6  // lines between a title and the first facts
	linesBelow   = 12 // lines between the first facts and a title
)

// A textLine is a line of a text, with what is asked of it again and again.
type textLine struct {
	text, lower     string
	letters, digits int
	isFact          bool     // it has an amount of money or an area
	signs           []string // the currencies of its amounts
}

func newLine(text string) textLine {
	l := textLine{text: text, lower: strings.ToLower(text), letters: letters(text), digits: countAllDigits(text)}
	if l.digits == 0 {
		return l
	}
	for _, a := range amountsIn(text) {
		l.isFact = l.isFact || a.sign != "" || a.unit == squareMetres
		if a.sign != "" {
			l.signs = append(l.signs, a.sign)
		}
	}
	return l
}

// linesOf returns the lines of a text, without the empty ones.
func linesOf(text string) []string {
	text = strings.ToValidUTF8(text[:min(len(text), longestText)], "")
	text = plainSpaces(plainText(text))
	var lines []string
	for text := range strings.SplitSeq(text, "\n") {
		if text = strings.TrimSpace(repeatedSpaces.ReplaceAllLiteralString(text, " ")); text != "" {
			lines = append(lines, text)
		}
		if len(lines) == mostLines {
			break
		}
	}
	return lines
}

var repeatedSpaces = regexp.MustCompile(` {2,}`)

// textsOf returns the texts of lines.
func textsOf(lines []textLine) []string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = l.text
	}
	return texts
}

// A foundHome is what a text says of a home. What it does not say is 0, "" or nil.
type foundHome struct {
	link, title           string
	costs                 homeCosts
	area, rooms, bedrooms float64
	code, place, phone    string
	details               map[string]string // floor, deposit, available_from and energy, as they stand
	text                  string
	isGuess               bool // the title is made of the words of the link
}

// readText returns what a text says of a home. A link and a title that are already known help it, and may be "".
func readText(text, link, title string) foundHome {
	lines := linesOf(text)
	found := foundHome{link: linkIn(lines)}
	if found.link != "" {
		lines = withoutLink(lines, found.link)
		found.link = unwrapLink(wholeLink(found.link))
	}
	if link == "" {
		link = found.link
	}
	if title = strings.Join(linesOf(title), " "); title != "" {
		lines = append([]string{title}, lines...)
	}
	all := make([]textLine, len(lines))
	for i, text := range lines {
		all[i] = newLine(text)
	}
	found.read(all[:endOfListing(all)], link, title != "", countryOf(link, all))
	if found.title == "" && found.link != "" && len(lines) == 0 {
		found.title, found.isGuess = titleOfLink(found.link), true
	}
	return found
}

// read reads the lines of a listing, without what follows it. isTitled tells that the first one is its title.
func (r *foundHome) read(lines []textLine, link string, isTitled bool, country string) {
	title := titleIn(lines)
	if isTitled {
		title = lines[0].text
	}
	// Some pages have the first facts above the title. Anything further above is a menu.
	first := firstFact(lines)
	at := min(first+linesBelow, len(lines)-1)
	for at > 0 && lines[at].text != title {
		at--
	}
	at = max(0, at)
	start := 0
	if at > linesAbove {
		start = startOfListing(lines, min(at, first))
	}
	facts := lines[start:]
	values := valuesOf(textsOf(facts))
	ordered := inOrder(append(slices.Clip(values), valuesOf(textsOf(lines[:start]))...))
	isRoom := isRoomTitle(title)
	r.title = shortened(title)
	r.costs = costIn(ordered, country)
	r.area = areaIn(ordered, isRoom)
	r.rooms = roomsIn(inOrder(valuesOf(textsOf(aboutHome(facts)))), title, country)
	trail := slices.IndexFunc(lines, textLine.isTrail)
	trailText := ""
	if trail >= 0 {
		trailText = lines[trail].text
	}
	r.code, r.place = placeIn(facts, title, country, trailText)
	r.phone = phoneIn(facts)
	r.details, r.bedrooms = detailsIn(textsOf(facts), country)
	r.text = textOf(facts, title, at-start, isTitled)
}

// textOf returns the text of a listing, or "" if all its lines are facts. The title is text only if it is shortened, and
// was not known before. Lines above it, of which there are above, may be those of a menu.
func textOf(facts []textLine, title string, above int, isTitled bool) string {
	if !slices.ContainsFunc(facts, func(l textLine) bool { return !l.isFactAlone() }) {
		return ""
	}
	var texts []string
	for i, l := range facts {
		if l.text == title && (isTitled || l.letters <= longestTitle) {
			continue
		}
		if i >= above || !l.isAside() {
			texts = append(texts, l.text)
		}
	}
	return strings.Join(texts, "\n")
}

// Links

var (
	bareAddress = regexp.MustCompile(`^[\w-]+(?:\.[\w-]+)+(?:/\S*)?$`)
	webLink     = regexp.MustCompile(`(?i)\b(?:https?://|www\.)[^\s<>"]{3,}`)
	onlyLink    = regexp.MustCompile(`(?i)^[<("]?((?:https?://|www\.)[^\s<>"]{3,})$`)
	hostAlone   = regexp.MustCompile(`(?i)^(?:https?://)?[^/?#]+/?$`)
)

const longestShared = 200 // letters of a line that is passed on with a link

// linkIn returns the link of a listing as it stands in lines, or "": the text itself, also without "https://", or a
// line that is nothing but a link with a path. A link in a sentence may be that of an authority or of an imprint, so
// it counts only in a text of one short line, as people pass on listings.
func linkIn(lines []string) string {
	if len(lines) == 1 && bareAddress.MatchString(lines[0]) && !isValue(lines[0]) {
		return lines[0]
	}
	var links []string
	for _, text := range lines {
		if found := onlyLink.FindStringSubmatch(text); found != nil {
			links = append(links, found[1])
		}
	}
	if len(lines) == 1 && len(links) == 1 {
		return withoutEnd(links[0])
	}
	if len(lines) == 1 && letters(lines[0]) < longestShared {
		links = append(links, webLink.FindAllString(lines[0], -1)...)
	}
	for _, link := range links {
		if !hostAlone.MatchString(link) {
			return withoutEnd(link)
		}
	}
	return ""
}

// withoutEnd removes the punctuation behind a link.
func withoutEnd(link string) string { return strings.TrimRight(link, ".,;:!?)]'»") }

// wholeLink returns a link with its scheme.
func wholeLink(link string) string {
	if len(link) > 5 && strings.EqualFold(link[:4], "http") {
		return link
	}
	return "https://" + link
}

// withoutLink returns lines without a link in them.
func withoutLink(lines []string, link string) []string {
	var rest []string
	for _, text := range lines {
		if text = strings.TrimSpace(strings.ReplaceAll(text, link, "")); text != "" {
			rest = append(rest, text)
		}
	}
	return rest
}

// titleOfLink returns the host of a link and the words of its path.
func titleOfLink(link string) string {
	u := parseLink(link)
	if u == nil {
		return ""
	}
	words := strings.FieldsFunc(u.Path, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	words = slices.DeleteFunc(words, func(word string) bool { return endings[strings.ToLower(word)] })
	return shortened(strings.TrimSpace(linkHost(link) + " " + strings.Join(words, " ")))
}

// endings are the names of kinds of files at the end of a link.
var endings = setOf("html htm php aspx jsp")

// The listing itself

// afterwards matches the words that begin what follows a listing: other offers, and who runs the site.
var (
	otherOffers = anyOf("ähnlich|simila|simile|simili|similc|semelhant|parecid|semblant|podobn|hasonl|lignend|liknand",
		"vergelijkba|gelijkaard|soortgelijk|samankalt|sličn|correlat|παρόμοι")
	afterwards = anyOf("weitere angebote|weitere anzeigen|weitere immobilien|weitere inserate|weitere objekte",
		"weitere wohnungen|weitere nutzer|andere angebote|andere anzeigen|andere immobilien|andere inserate",
		"andere objekte|andere wohnungen|andere nutzer|mehr angebote|mehr anzeigen|mehr immobilien|mehr inserate",
		"mehr objekte|mehr wohnungen|mehr nutzer|das könnte|auch interessant|passende|zuletzt gesehen",
		"zuletzt angesehen|vous aimerez|vous pourriez|nos agences|mentions légales|impressum|anbieterimpressum",
		"anbieter-impressum|rechtliche angaben|datenschutz|angaben gemäß|©|cookie|legal notice|imprint",
		"annonce recommandé|annonces recommandé|bien recommandé|biens recommandé|ces annonces|ces biens",
		"d'autres annonces|d'autres biens|autres annonces|autres biens|you may|you might|properties you may",
		"properties you might|homes you may|homes you might|people also|recommended|recently|properties nearby",
		"andre boliger|andre leje|seneste bolig|seneste lejemål|om boligportalen|fler bostäder|fler annonser",
		"boliger i nær|zobacz także|ook interessant|se også|se även|meer woningen|anuncios que")
	moreOffers = regexp.MustCompile(`^(?:more|other|nearby) (?:properties|homes|listings|flats|rooms)(?: from)?`)
)

// isAfterwards reports whether a line begins what follows a listing.
func (l textLine) isAfterwards() bool {
	if afterwards.begins(l.lower) > 0 {
		return true
	}
	if more := moreOffers.FindString(l.lower); more != "" {
		return !strings.HasSuffix(more, " from")
	}
	rest := l.lower
	for range 3 { // the word may be the third one
		if otherOffers.begins(rest) > 0 {
			return true
		}
		_, after, ok := strings.Cut(rest, " ")
		if !ok {
			return false
		}
		rest = after
	}
	return false
}

// endOfListing returns the number of lines before other offers and the imprint. A menu at the top may contain the same
// words, so only those below the first facts count.
func endOfListing(lines []textLine) int {
	for i := firstFact(lines) + 1; i < len(lines); i++ {
		if lines[i].letters < 60 && lines[i].isAfterwards() {
			return i
		}
	}
	return len(lines)
}

// firstFact returns the index of the first line with an amount, or else the number of lines.
func firstFact(lines []textLine) int {
	if at := slices.IndexFunc(lines, func(l textLine) bool { return l.isFact }); at >= 0 {
		return at
	}
	return len(lines)
}

// startOfListing returns where a listing begins: some lines above its first one, if these look like it more than like
// a menu, whose lines are words alone.
func startOfListing(lines []textLine, first int) int {
	start := first
	for start > 0 && start > first-linesAbove && lines[start-1].isPart() {
		start--
	}
	return start
}

// isPart reports whether a line is a part of a listing rather than of a menu.
func (l textLine) isPart() bool {
	return l.digits > 0 || isLabel(l.text) || isPlace(l.text) || adWords.in(l.lower) && !l.isAside()
}

// isFactAlone reports whether a line is a fact with its label: "Warmmiete 1.390 €", "60 m²".
func (l textLine) isFactAlone() bool {
	if !l.isFact || l.letters >= 40 || adWords.in(l.lower) {
		return false
	}
	n := 0
	for _, word := range strings.FieldsFunc(l.text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if letters(word) >= 3 && !currencyCodes[word] {
			n++
		}
	}
	return n < 2
}

func (l textLine) isTrail() bool { return !l.isFact && trail.MatchString(l.text) }

var trail = regexp.MustCompile(`[›>»|/].*[›>»|/]`)
