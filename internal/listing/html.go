// HTML: the lines and images of a mail, as its reader sees them.

package listing

import (
	"html"
	"strconv"
	"strings"

	"flats/internal/turns"
)

const (
	maxLevels       = 256 // elements in elements of a mail; deeper ones are not opened, but their text is read
	iconSize        = 64  // pixels of the largest icon
	longestIconName = 60  // bytes; a longer alternative text of an icon describes it
)

// An element is an open element, with what it inherits from the elements around it.
type element struct {
	name                string
	link                string // of the innermost <a>, or ""
	isHidden, inHeading bool
	isEmpty             bool // it has no leaf yet
	isBlock             bool // it begins and ends a line
	isBoundary          bool // see boundaries
	cell                *cell
	table               *grid // the innermost table
	leavesBefore        int   // the number of leaves before it
}

// A htmlReader turns HTML into leaves.
type htmlReader struct {
	work      *turns.Task
	text      string
	lang      string
	lastQuote [2]int // the offsets of the last " and of the last ' in the text
	open      []element
	unopened  int            // open elements beyond maxLevels
	counts    map[string]int // how many elements of each name are open
	leaves    []leaf

	// What came since the last leaf.
	depth    int  // the least number of open elements
	hasBlock bool // a block began or ended where the depth was the least so far
	hasRule  bool // a rule or an empty element came at that depth, and no block at a lesser one since
	breaks   int  // line breaks

	// The current line.
	line           strings.Builder
	lineSize       int // letters
	linked         int // letters that are links
	current        leaf
	spans          []linkSpan // its links
	innerCloseness int        // of its parts, if it is cut
	afterSpan      bool       // the last tag was the end of a span
}

// readHTML returns the leaves of HTML, and the language that it names, or "". It takes time linear in the text.
func readHTML(work *turns.Task, text string) (leaves []leaf, lang string) {
	r := &htmlReader{work: work, text: text, counts: map[string]int{}}
	r.lastQuote = [2]int{strings.LastIndexByte(text, '"'), strings.LastIndexByte(text, '\'')}
	r.open = []element{{isEmpty: true}}
	r.depth = 1
	for at := 0; at < len(text) && len(r.leaves) < maxLeaves; {
		next := strings.IndexByte(text[at:], '<')
		if next < 0 {
			next = len(text) - at
		}
		if next > 0 {
			r.addText(text[at : at+next])
		}
		at += next
		if at < len(text) {
			at = r.readTag(at)
		}
	}
	r.endLine()
	return r.leaves, r.lang
}

// readTag reads the tag or the comment at an offset, and returns where it ends.
func (r *htmlReader) readTag(at int) int {
	rest := r.text[at:]
	if strings.HasPrefix(rest, "<!--") {
		end := strings.Index(rest[2:], "-->") // "<!-->" is a comment, too
		if end < 0 {
			return len(r.text)
		}
		r.work.Step(end / 16)
		return at + 2 + end + len("-->")
	}
	isEnd := strings.HasPrefix(rest, "</")
	start := at + 1 // of the name
	if isEnd {
		start++
	}
	if hasName := start < len(r.text) && isLetter(r.text[start]); !hasName {
		if strings.HasPrefix(rest, "<!") || strings.HasPrefix(rest, "<?") || isEnd {
			if end := strings.IndexByte(rest, '>'); end >= 0 {
				return at + end + 1
			}
			return len(r.text)
		}
		r.addText("<")
		return at + 1
	}
	const longestName = 20 // bytes of the name of an element; those that matter here have fewer
	end := skipUntil(r.text[:min(len(r.text), start+longestName)], start, " \t\r\n/>")
	name := strings.ToLower(r.text[start:end])
	attributes, end := r.readAttributes(end)
	r.work.Step(8 + (end-at)/8)
	if isEnd {
		r.closeElement(name)
		return end
	}
	if skippedElements[name] {
		return r.endOf(name, end)
	}
	r.openElement(name, attributes)
	return end
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// skippedElements are elements whose content is not text of the mail.
var skippedElements = setOf("script style title textarea select template noframes iframe object svg xml")

// endOf returns the offset after an element whose content is not read. at is where the content begins.
func (r *htmlReader) endOf(name string, at int) int {
	for {
		next := strings.Index(r.text[at:], "</")
		if next < 0 {
			return len(r.text)
		}
		at += next + 2
		r.work.Step(next / 16)
		if len(r.text) >= at+len(name) && strings.EqualFold(r.text[at:at+len(name)], name) {
			if end := strings.IndexByte(r.text[at:], '>'); end >= 0 {
				return at + end + 1
			}
			return len(r.text)
		}
	}
}

// keptAttributes are the attributes that are read.
var keptAttributes = setOf("href src data-src srcset background style width height alt hidden lang class")

// readAttributes reads the attributes of a tag from an offset on, and returns where the tag ends.
func (r *htmlReader) readAttributes(at int) (map[string]string, int) {
	var attributes map[string]string
	text := r.text
	for at < len(text) {
		at = skipAll(text, at, " \t\r\n/\f")
		if at >= len(text) || text[at] == '>' {
			return attributes, min(at+1, len(text))
		}
		start := at
		at = skipUntil(text, at+1, " \t\r\n/>=") // also "=" may begin a name
		name := text[start:at]
		at = skipAll(text, at, " \t\r\n")
		value := ""
		if at < len(text) && text[at] == '=' {
			value, at = r.readValue(at + 1)
		}
		name = strings.ToLower(name[:min(len(name), 20)]) // no name in keptAttributes is as long
		if !keptAttributes[name] {
			continue
		}
		if attributes == nil {
			attributes = map[string]string{}
		}
		if _, isKnown := attributes[name]; !isKnown {
			attributes[name] = html.UnescapeString(value[:min(len(value), maxLinkLength)])
		}
	}
	return attributes, at
}

// readValue reads the value of an attribute, and returns where it ends.
func (r *htmlReader) readValue(at int) (string, int) {
	text := r.text
	at = skipAll(text, at, " \t\r\n")
	if at < len(text) {
		for i, quote := range []byte(`"'`) {
			if text[at] == quote && r.lastQuote[i] > at { // else the quote has no end
				end := at + 1 + strings.IndexByte(text[at+1:], quote)
				return text[at+1 : end], end + 1
			}
		}
	}
	start := at
	at = skipUntil(text, at, " \t\r\n>")
	return text[start:at], at
}

// skipAll returns the offset of the first byte from at on that is not one of bytes, or else the length of the text.
func skipAll(text string, at int, bytes string) int {
	for at < len(text) && strings.IndexByte(bytes, text[at]) >= 0 {
		at++
	}
	return at
}

// skipUntil returns the offset of the first byte from at on that is one of bytes, or else the length of the text.
func skipUntil(text string, at int, bytes string) int {
	for at < len(text) && strings.IndexByte(bytes, text[at]) < 0 {
		at++
	}
	return at
}

// Elements

var (
	voidElements = setOf("br img hr input meta link wbr area base col embed source track")
	// blockElements begin and end a line.
	blockElements = setOf("p div li tr h1 h2 h3 h4 h5 h6 ul ol table section article header footer blockquote dd dt dl " +
		"pre hr aside main nav figure figcaption tbody thead tfoot fieldset form td th center address body html head " +
		"button caption details summary option v:rect amp-carousel")
	headings = setOf("h1 h2 h3 h4 h5 h6")
	// closedBy maps an element to the elements that its start tag ends.
	closedBy = map[string][]string{"td": {"td", "th"}, "th": {"td", "th"}, "tr": {"tr", "td", "th"}, "li": {"li"},
		"dt": {"dt", "dd"}, "dd": {"dt", "dd"}, "a": {"a"}, "p": {"p"}, "div": {"p"}, "table": {"p"}, "ul": {"p"}}
	// boundaries are elements that the end tags of other elements in them do not end. They end with their own end tag,
	// or with their table or row.
	boundaries = setOf("table td th")
	// unseenStyle matches the style of an element that is not shown, or whose text is struck through.
	unseenStyle = newPattern(`display\s*:\s*none|visibility\s*:\s*hidden|max-height\s*:\s*0(?:px)?\s*(?:;|!|$)|` +
		`line-through`)
	// blockStyle matches the style of an element that begins and ends a line, whatever its name.
	blockStyle = newPattern(`(?:^|[;\s])(?:float\s*:\s*(?:left|right)|` +
		`display\s*:\s*(?:block|flex)|position\s*:\s*absolute)`)
	struckElements = setOf("del s strike")
	// background matches the URL of the background in the style of an element.
	background = newPattern(`background(?:-image)?\s*:[^;]*url\(\s*['"]?([^'")]+)`)
)

// openElement reads a start tag.
func (r *htmlReader) openElement(name string, attributes map[string]string) {
	style := strings.ToLower(attributes["style"])
	switch name {
	case "br":
		r.endLine()
		r.breaks++
		return
	case "hr":
		r.endLine()
		r.markRule()
		return
	case "img", "amp-img":
		if !unseenStyle().MatchString(style) && !r.top().isHidden {
			r.addImage(attributes)
		}
		if name == "img" {
			return
		}
	case "html":
		r.lang = attributes["lang"]
	}
	if voidElements[name] {
		return
	}
	if name == "span" && r.afterSpan && r.line.Len() > 0 && !strings.HasSuffix(r.line.String(), " ") {
		r.addText(" | ") // so that "3 rooms</span><span>72 m²" is not read as one piece
	}
	r.afterSpan = false
	for _, closed := range closedBy[name] {
		r.closeWithin(closed, name)
	}
	isBlock := blockElements[name] || blockStyle().MatchString(style)
	if isBlock {
		r.endLine()
		r.markBlock()
	}
	if len(r.open) >= maxLevels {
		r.unopened++
		return
	}
	r.open = append(r.open, r.newElement(name, attributes, style))
	r.top().isBlock = isBlock
	r.counts[name]++
	if source := backgroundOf(attributes); source != "" && !r.top().isHidden {
		r.addImageLeaf(source)
	}
}

// newElement returns the element of a start tag.
func (r *htmlReader) newElement(name string, attributes map[string]string, style string) element {
	e := *r.top()
	e.name = name
	e.isEmpty, e.isBoundary = true, boundaries[name]
	_, isHidden := attributes["hidden"]
	e.isHidden = e.isHidden || isHidden || unseenStyle().MatchString(style) || struckElements[name]
	e.inHeading = e.inHeading || headings[name]
	e.leavesBefore = len(r.leaves)
	switch name {
	case "a":
		e.link = strings.TrimSpace(attributes["href"])
	case "table":
		e.table = &grid{depth: len(r.open)}
	case "tr":
		if e.table != nil {
			e.table.rows++
			e.table.cols = 0
		}
	case "td", "th":
		if e.table != nil {
			e.cell = &cell{table: e.table, row: e.table.rows, col: e.table.cols, parent: e.cell}
			e.table.cols++
		}
	}
	return e
}

func (r *htmlReader) top() *element { return &r.open[len(r.open)-1] }

// closeElement reads an end tag.
func (r *htmlReader) closeElement(name string) {
	r.afterSpan = name == "span"
	if voidElements[name] {
		if name == "br" {
			r.openElement(name, nil)
		}
		return
	}
	if r.unopened > 0 {
		r.unopened--
		if blockElements[name] {
			r.endLine()
		}
		return
	}
	r.closeWithin(name, name)
}

// closeWithin closes the innermost element of a name, and what is open in it, unless a table or a cell is in between.
// by is the name of the tag that closes it.
func (r *htmlReader) closeWithin(name, by string) {
	if r.counts[name] <= 0 {
		return
	}
	isRow := by == "tr" || name == "tr" // a row ends the cells in it, but no table
	for i := len(r.open) - 1; i > 0; i-- {
		r.work.Step(1)
		e := &r.open[i]
		if e.name == name {
			for len(r.open) > i {
				r.closeTop()
			}
			return
		}
		endsCells := isRow && e.name != "table"
		if e.isBoundary && name != "table" && !endsCells {
			return
		}
	}
}

// closeTop closes the innermost element.
func (r *htmlReader) closeTop() {
	e := *r.top()
	if e.isBlock {
		r.endLine()
	}
	// An empty row or paragraph separates what is above it from what is below it, as a rule does.
	isSpacer := e.name == "tr" || e.name == "div" || e.name == "p" || e.name == "table"
	isEmpty := r.top().isEmpty // endLine may have changed this since e was copied
	r.open = r.open[:len(r.open)-1]
	r.counts[e.name]--
	if !isEmpty {
		r.top().isEmpty = false
	}
	leavesInside := len(r.leaves) - e.leavesBefore
	if r.line.Len() > 0 {
		leavesInside++ // the current line
	}
	isLinkAround := e.name == "a" && leavesInside > 1 // around a card, for example, so that it is like a block
	if e.isBlock || isLinkAround {
		r.markBlock()
	} else {
		r.depth = min(r.depth, len(r.open))
	}
	if isEmpty && isSpacer && !e.isHidden {
		r.markRule()
	}
}

// markBlock notes that a block begins or ends in the innermost open element. If fewer elements are open than before, a
// rule in one of the elements that have ended no longer counts.
func (r *htmlReader) markBlock() {
	if len(r.open) < r.depth {
		r.depth = len(r.open)
		r.hasRule = false
	}
	r.hasBlock = r.hasBlock || len(r.open) == r.depth
}

// markRule notes a rule in the innermost open element.
func (r *htmlReader) markRule() {
	if len(r.open) <= r.depth {
		r.depth = len(r.open)
		r.hasRule = true
	}
}

// Leaves

// addText adds text to the current line.
func (r *htmlReader) addText(text string) {
	r.work.Step(1 + len(text)/8)
	if r.top().isHidden || r.lineSize > maxLineText {
		return
	}
	text = html.UnescapeString(text)
	isSpaced := false
	for _, c := range hidden.Replace(plainSpaces(text)) {
		if c == ' ' || c == '\n' || c == '\t' || c == '\u034f' { // U+034F is invisible, too
			isSpaced = true
			continue
		}
		if r.line.Len() == 0 {
			r.beginLine()
		} else if isSpaced && !strings.HasSuffix(r.line.String(), " ") {
			r.line.WriteByte(' ')
		}
		isSpaced = false
		r.afterSpan = false
		if r.lineSize++; r.lineSize > maxLineText {
			return
		}
		start := r.line.Len()
		r.line.WriteRune(c)
		if link := r.top().link; link != "" {
			r.linked++
			r.current.addLink(link)
			r.spans = addSpan(r.spans, linkSpan{start, r.line.Len(), link})
		}
		r.current.isHeading = r.current.isHeading || r.top().inHeading
	}
	if isSpaced && r.line.Len() > 0 && !strings.HasSuffix(r.line.String(), " ") {
		r.line.WriteByte(' ')
	}
}

// beginLine notes what is before a line, and in which elements it begins.
func (r *htmlReader) beginLine() {
	r.current = leaf{closeness: r.takeCloseness(), cell: r.top().cell}
	r.lineSize = 0
	r.linked = 0
	r.spans = r.spans[:0]
	r.innerCloseness = closenessOf(len(r.open), breakSeparator)
}

// endLine adds the current line to the leaves.
func (r *htmlReader) endLine() {
	if r.line.Len() == 0 {
		return
	}
	line := strings.TrimSpace(r.line.String())
	r.line.Reset()
	if parts := cutLine(r.work, r.current, r.innerCloseness, line, r.spans); parts != nil {
		r.lineSize = 0
		r.top().isEmpty = false
		r.leaves = append(r.leaves, parts[:min(len(parts), max(0, maxLeaves-len(r.leaves)))]...)
		return
	}
	text, links := cutLinks(line)
	r.current.text = text
	for _, link := range links {
		r.current.addLink(link)
	}
	isMostlyLinked := 5*r.linked >= 4*r.lineSize-5 // four fifths of its letters, or one letter less
	r.current.isLinked = r.linked > 0 && isMostlyLinked
	r.lineSize = 0
	r.top().isEmpty = false
	if len(r.leaves) < maxLeaves {
		r.leaves = append(r.leaves, r.current)
	}
}

// takeCloseness returns how close the leaf that begins is to the leaf before, and forgets what came in between.
func (r *htmlReader) takeCloseness() int {
	separator := breakSeparator
	switch {
	case r.hasRule:
		separator = ruleSeparator
	case r.hasBlock:
		separator = blockSeparator
	case r.breaks > 1:
		separator = blankSeparator
	}
	closeness := closenessOf(r.depth, separator)
	r.depth = len(r.open)
	r.hasBlock = false
	r.hasRule = false
	r.breaks = 0
	return closeness
}

// addImageLeaf adds an image to the leaves, after the current line.
func (r *htmlReader) addImageLeaf(source string) {
	r.endLine()
	l := leaf{isImage: true, image: source, closeness: r.takeCloseness(), cell: r.top().cell}
	if link := r.top().link; link != "" {
		l.links = []string{link}
	}
	r.top().isEmpty = false
	if len(r.leaves) < maxLeaves {
		r.leaves = append(r.leaves, l)
	}
}

// addImage adds an image to the leaves, or the name of an icon to the line.
func (r *htmlReader) addImage(attributes map[string]string) {
	alt := strings.TrimSpace(attributes["alt"])
	if isIcon(attributes) {
		if alt != "" && len(alt) < longestIconName {
			if r.line.Len() > 0 {
				r.addText(" | ")
			}
			r.addText(html.EscapeString(strings.TrimSuffix(alt, ":")) + ": ")
		}
		return
	}
	source := attributes["src"]
	if loadedLater := attributes["data-src"]; webAddress().MatchString(loadedLater) {
		source = loadedLater
	}
	if !webAddress().MatchString(source) && attributes["srcset"] != "" {
		source = strings.Fields(attributes["srcset"] + " -")[0] // the first of several; "-" if it has only spaces
		source = strings.TrimSuffix(source, ",")
	}
	hasURL, isAttached := webAddress().MatchString(source), strings.HasPrefix(source, "cid:")
	if isLogo(source, alt) || !hasURL && !isAttached {
		return
	}
	if !hasURL {
		source = ""
	}
	r.addImageLeaf(source)
}

var styleSize = newPattern(`(?:^|[;\s])(?:width|height)\s*:\s*(\d+)(?:\.\d+)?px`)

// isIcon reports whether an image is at most iconSize wide or high.
func isIcon(attributes map[string]string) bool {
	sizes := []string{attributes["width"], attributes["height"]}
	for _, found := range styleSize().FindAllStringSubmatch(attributes["style"], 4) {
		sizes = append(sizes, found[1])
	}
	for _, size := range sizes {
		pixels, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(size), "px"))
		if err == nil && pixels <= iconSize {
			return true
		}
	}
	return false
}

var logoWords = anyOf("logo|nophoto|no-photo|no_photo|noimage|no-image|no_image|placeholder|_map_|_maps_|staticmap",
	"spacer|pixel|tracking|_karte_|_icon")

// isLogo reports whether an image is no photo: a logo, a map or an image in the place of a photo.
func isLogo(source, alt string) bool {
	return logoWords.in(strings.ToLower(source)) || logoWords.in(strings.ToLower(alt))
}

// backgroundOf returns the URL of the background of an element, or "".
func backgroundOf(attributes map[string]string) string {
	source := attributes["background"]
	inStyle := background().FindStringSubmatch(attributes["style"])
	if source == "" && inStyle != nil {
		source = inStyle[1]
	}
	if !webAddress().MatchString(source) || isLogo(source, "") || isIcon(attributes) {
		return ""
	}
	return source
}
