// The reader of listings: what a text says about a home, as copied from a page, with menus, cookie banners, similar
// offers and imprints around it. Nothing here knows the page that shows it.

package listing

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"flats/internal/turns"
)

const linesAbove = 6 // lines above the title, or above the first fact, that may belong to the listing

// A Home is what [ReadText] has read. [Home.Members] returns it.
type Home struct {
	Link, title           string
	costs                 Costs
	area, rooms, bedrooms float64
	code, location, phone string
	details               map[string]string // floor, deposit, available_from and energy, as they stand
	text                  string
	isGuess               bool // the title is made of the words of the link
}

// A Text is what somebody has of a listing. Any of its members may be empty.
type Text struct {
	Text     string // as copied from a page
	Link     string // of the listing, if it is known
	Title    string // of the listing, if it is known
	IsShared bool   // an app has passed the text on: a link in it leads to the listing
}

// ReadText returns what a text says about a home. Of a text that says nothing about one, it returns a title or a text
// alone, or nothing. It reads at most the first 100,000 bytes and 2,000 lines.
func ReadText(work *turns.Task, given Text) Home {
	lines := withoutLinkLabels(linesOf(given.Text))
	link, title := given.Link, given.Title
	found := Home{Link: linkIn(lines, given.IsShared)}
	if found.Link != "" {
		lines = withoutLink(lines, found.Link)
		found.Link = unwrapLink(wholeLink(found.Link))
	}
	if link == "" {
		link = found.Link
	}
	title = strings.Join(linesOf(title), " ")
	isTitled := title != ""
	if isTitled {
		lines = append([]string{title}, lines...)
	}
	var all []textLine
	isBelowLabel := false // the line above is the label of a title
	for _, text := range lines {
		work.Step(stepsOfLetter * len(text))
		if !isBelowLabel && isTitleLabel(text) {
			isBelowLabel = true
			continue
		}
		line := newLine(work, text).withoutLabel(work)
		if isBelowLabel && wordOfThree().MatchString(text) {
			line.isTitle = true
		}
		isBelowLabel = false
		all = append(all, line)
	}
	found.read(work, all[:endOfListing(all)], link, isTitled, countryOf(link, all))
	if found.title == "" && link != "" && len(lines) == 0 { // the text is nothing but the link
		found.title, found.isGuess = titleOfLink(link), true
	}
	return found
}

// read reads the lines of a listing, which end before other offers and imprints. isTitled tells that the first one is
// its title.
func (r *Home) read(work *turns.Task, lines []textLine, link string, isTitled bool, country string) {
	title := titleIn(lines)
	if isTitled {
		title = lines[0].text
	}
	first := firstFact(lines)
	titleAt := lastLineOf(lines, title, first+linesBelow)
	start := 0
	if titleAt > linesAbove { // a title so far down has a menu above it, which is left out
		start = startOfListing(lines, min(titleAt, first))
	}
	facts := lines[start:]
	values := valuesOf(work, factLines(facts, country))
	ofHome := values // without what the page says about the advertiser
	if about := aboutHome(facts); len(about) < len(facts) {
		ofHome = valuesOf(work, factLines(about, country))
	}
	above := valuesOf(work, factLines(lines[:start], country)) // they count only after the values below them
	ordered := inOrder(slices.Concat(values, above))
	length := 0
	for _, l := range lines {
		length += len(l.text)
	}
	trail := ""
	if at := slices.IndexFunc(lines, textLine.isTrail); at >= 0 {
		trail = lines[at].text
	}
	head := leading(title, lettersOfTitle)
	r.title = shortened(title)
	r.text = textOf(facts, title, titleAt-start, isTitled)
	for _, readPart := range []func(){
		func() { r.costs = costIn(ordered, country) },
		func() { r.area = areaIn(ordered, isRoomTitle(head)) },
		func() { r.rooms = roomsIn(work, inOrder(ofHome), head, country) },
		func() { r.code, r.location = locationIn(facts, title, country, trail) },
		func() { r.phone = phoneIn(work, facts) },
		func() { r.bedrooms = bedroomsIn(values, country) },
		func() { r.details = detailsIn(textsOf(facts)) },
	} {
		work.Step(stepsOfLetter * length) // each part looks at all letters
		readPart()
	}
}

// lastLineOf returns the index of the last line that is the given text, among the lines up to the index end, or 0 if
// there is none.
func lastLineOf(lines []textLine, text string, end int) int {
	for at := min(end, len(lines)-1); at > 0; at-- {
		if lines[at].text == text {
			return at
		}
	}
	return 0
}

// Members returns what is known as the members of a listing, in JSON, and the names of members that may be wrong,
// because the text does not say them in so many words. What is not known is missing. Neither result is nil. Costs are
// amounts a month unless the home is for sale, areas square metres.
func (r *Home) Members() (listing map[string]json.RawMessage, unsure []string) {
	listing, unsure = map[string]json.RawMessage{}, []string{}
	set := func(name string, value any) {
		if value != "" && value != 0.0 { // all numbers here are of type float64
			listing[name] = jsonText(value)
		}
	}
	setUnsure := func(name string, value any, isUnsure bool) {
		set(name, value)
		if isUnsure && listing[name] != nil {
			unsure = append(unsure, name)
		}
	}
	if r.Link != "" {
		set("urls", []string{r.Link})
	}
	setUnsure("title", r.title, r.isGuess)
	set("text", r.text)
	setUnsure("cost", r.costs.Cost, !r.costs.isNamed)
	setUnsure("currency", r.costs.Currency, !r.costs.isSigned)
	set("utilities", r.costs.Utilities)
	set("charges", r.costs.Charges)
	set("deposit", r.costs.Deposit)
	set("fee", r.costs.Fee)
	set("area", r.area)
	set("rooms", r.rooms)
	set("bedrooms", r.bedrooms)
	setUnsure("location", r.location, r.code == "")
	set("service_postal_code", r.code)
	set("phone", r.phone)
	if len(r.details) > 0 {
		set("details", r.details)
	}
	return listing, unsure
}

// jsonText returns a value as compact JSON, without escaping < and >. The value must be one that JSON can have.
func jsonText(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("jsonText: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// textOf returns the text of a listing, or "" if all its lines are facts. The title is part of the text only if it is
// shortened, and was not known before. Of the titleAt lines above the title, those of menus and buttons are left out.
func textOf(facts []textLine, title string, titleAt int, isTitled bool) string {
	if !slices.ContainsFunc(facts, func(l textLine) bool { return !l.isFactAlone() }) {
		return ""
	}
	var texts []string
	for i, l := range facts {
		if l.text == title && (isTitled || l.length <= longestTitle) {
			continue
		}
		if i >= titleAt || !l.isAside() {
			texts = append(texts, cmp.Or(l.written, l.text))
		}
	}
	return strings.Join(texts, "\n")
}

// Links

var (
	bareAddress = newPattern(`^[\w-]+(?:\.[\w-]+)+(?:/\S*)?$`)
	webLink     = newPattern(`(?i)\b(?:https?://|www\.)[^\s<>"]{3,}`)
	hostAlone   = newPattern(`(?i)^(?:https?://)?[^/?#]+/?$`)
)

const (
	longestShared = 200   // letters of a line that is passed on with a shared link
	mostLinks     = 2_000 // links of a line that are looked at
)

// linkIn returns the link of a listing as it stands in lines, or "" if there is none. It may be all of the text, also
// without "https://", or else a line that is only a link with a path. A link in a sentence may lead to an authority or
// to an imprint, so it counts only in a text of one short line, as people pass on listings, or in a text that is
// shared.
func linkIn(lines []string, isShared bool) string {
	if len(lines) == 1 && bareAddress().MatchString(lines[0]) && !isValue(lines[0]) {
		return lines[0]
	}
	var links []string
	for _, text := range lines {
		if found := onlyLink().FindStringSubmatch(text); found != nil {
			links = append(links, found[1])
		}
	}
	if len(lines) == 1 && len(links) == 1 {
		return withoutPunctuation(links[0])
	}
	if isShared || len(lines) == 1 && runeCount(lines[0]) < longestShared {
		for _, text := range lines {
			links = append(links, webLink().FindAllString(text, mostLinks)...)
		}
	}
	for _, link := range links {
		if !hostAlone().MatchString(link) {
			return withoutPunctuation(link)
		}
	}
	return ""
}

// withoutPunctuation removes the punctuation after a link.
func withoutPunctuation(link string) string { return strings.TrimRight(link, ".,;:!?)]'»") }

// wholeLink returns a link with its scheme: https, if it has none.
func wholeLink(link string) string {
	if IsWebLink(link) {
		return link
	}
	return "https://" + link
}

// withoutLink returns lines without a link in them.
func withoutLink(lines []string, link string) []string {
	var rest []string
	for _, text := range lines {
		if text = strings.Join(strings.Fields(strings.ReplaceAll(text, link, "")), " "); text != "" {
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
	return shortened(strings.TrimSpace(LinkHost(link) + " " + strings.Join(words, " ")))
}

// endings are the names of kinds of files at the end of a link.
var endings = setOf("html htm php aspx jsp")

// The listing itself

// First words of what follows a listing: other offers, and who runs the site.
var (
	otherOffers = phrasesOf("similar")
	afterwards  = phrasesOf("afterListing")
	moreOffers  = newPattern(`^{{moreOf}} {{moreHomes}}( {{from}})?`)
)

// beginsWhatFollows reports whether a line begins what follows a listing: other offers, or who runs the site.
func (l textLine) beginsWhatFollows() bool {
	if afterwards.begins(l.lower) > 0 {
		return true
	}
	if more := moreOffers().FindStringSubmatch(l.lower); more != nil {
		return more[1] == "" // "other homes from" is followed by who has them
	}
	rest := l.lower
	for range 3 { // "More similar homes": the word may be the third one
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
		if lines[i].length < longestPageHeading && lines[i].beginsWhatFollows() {
			return i
		}
	}
	return len(lines)
}

// startOfListing returns the index of the line where a listing begins. inside is the index of a line that belongs to
// it, and so do up to linesAbove lines directly above, as long as they look like a listing rather than like a menu.
func startOfListing(lines []textLine, inside int) int {
	start := inside
	for start > 0 && start > inside-linesAbove && lines[start-1].isOfListing() {
		start--
	}
	return start
}

// isOfListing reports whether a line is a part of a listing rather than of a menu.
func (l textLine) isOfListing() bool {
	return l.digits > 0 || isLabel(l.text) || isLocation(l.text) || adWords.in(l.lower) && !l.isAside()
}
