// Lines of mails: of plain texts, and long lines that hold all facts of a home.

package listing

import (
	"slices"
	"strings"

	"flats/internal/turns"
)

const (
	maxLeaves    = 40_000 // lines and images of a mail
	longestFact  = 110    // letters of a line of a mail that may be a fact
	maxLineText  = 500    // letters of a line of a mail
	maxLeafLinks = 8      // links of a line of a mail

	// longestPlainLine is the number of bytes of a line of a plain text that are read: maxLineText letters of up to four
	// bytes, and a link.
	longestPlainLine = 4*maxLineText + maxLinkLength
)

// A leaf is a line or an image, in the order of the mail.
type leaf struct {
	text      string
	isImage   bool
	image     string   // the URL of the image, or "" if it is attached
	links     []string // what the line or the image links to
	isLinked  bool     // all of the line is a link
	isHeading bool
	cell      *cell // the innermost cell of a table

	closeness int // to the leaf before: see closenessOf
}

// closenessOf returns how close two leaves that follow each other are. depth counts the elements that both are in. The
// more of these, the closer the leaves are. At the same depth, the separator decides.
func closenessOf(depth, separator int) int { return separatorKinds*depth + separator }

func depthOf(closeness int) int     { return closeness / separatorKinds }
func separatorOf(closeness int) int { return closeness % separatorKinds }

// What stands between two leaves, from what separates them most to what separates them least.
const (
	ruleSeparator  = iota // a rule, or an empty element
	blockSeparator        // the end or the start of an element
	blankSeparator        // an empty line
	breakSeparator        // a line break
	separatorKinds        // the number of kinds
)

// A cell is the place of a leaf in a table. Tables often nest, so a leaf has a cell in each table around it.
type cell struct {
	table    *grid
	row, col int
	parent   *cell // the cell that the table is in
}

// A grid is a table. cols counts the cells of the current row, depth the elements around the table.
type grid struct{ rows, cols, depth int }

// addLink adds a link that the leaf does not have yet, up to maxLeafLinks.
func (l *leaf) addLink(link string) {
	if len(l.links) < maxLeafLinks && !slices.Contains(l.links, link) {
		l.links = append(l.links, link)
	}
}

// A linkSpan is a part of a line that is a link.
type linkSpan struct {
	start, end int
	link       string
}

// addSpan adds a span after the last one, or extends the last one if it has the same link and is next to it.
func addSpan(spans []linkSpan, next linkSpan) []linkSpan {
	if len(spans) == 0 {
		return append(spans, next)
	}
	last := &spans[len(spans)-1]
	isNextTo := next.start-last.end <= 1 // there may be a blank in between
	if last.link == next.link && isNextTo {
		last.end = next.end
		return spans
	}
	return append(spans, next)
}

// linksIn returns the URLs of a line of a text.
func linksIn(line string) (spans []linkSpan) {
	if !strings.Contains(line, "://") {
		return nil
	}
	for _, at := range linkInText().FindAllStringIndex(line, maxLeafLinks) {
		spans = append(spans, linkSpan{at[0], at[1], withoutBrackets(line[at[0]:at[1]])})
	}
	return spans
}

// withoutBrackets returns a URL that linkInText has found without the brackets around it and the marks after it.
func withoutBrackets(found string) string {
	return strings.TrimRight(strings.TrimLeft(found, "<(["), ">)].,;!")
}

var (
	linkInText = newPattern(`[<(\[]?https?://[^\s<>"\]]+[>)\]]?`)
	ruleOfText = newPattern(`^[\s\-–—=_*~·•#+.]{3,}$`)
	quoteMarks = newPattern(`^(?:> ?)+`)
	bullet     = newPattern(`^(?:[*•·–-]|\d{1,3}[.)]) +`)
)

// cutPoints matches what separates the facts of a long line: bars, dots and runs of blanks.
var cutPoints = newPattern(`\s+[|·•●‧∙]\s+|\s{3,}| [–—] `)

// hyphens matches what separates the facts of a line without cutPoints.
var hyphens = newPattern(` - `)

// cutLine cuts a long line with links and two facts at bars, dots, dashes, runs of blanks and links. It returns the
// parts as leaves. whole is the leaf of the line: the first part is as close to the leaf before as whole, and each
// other part has the given closeness to the part before it. For any other line, such as a sentence, it returns nil.
func cutLine(work *turns.Task, whole leaf, closenessOfParts int, line string, spans []linkSpan) []leaf {
	if len(spans) == 0 || runeCount(line) <= longestFact {
		return nil
	}
	work.Step(8 * len(line))
	points := cutPoints().FindAllStringIndex(line, -1)
	if len(points) < 2 {
		points = hyphens().FindAllStringIndex(line, -1)
	}
	if len(points) < 2 || !hasTwoFacts(line) { // two points make three parts: a title and two facts
		return nil
	}
	var parts []leaf
	// addPart adds line[start:end], which links to link, or nowhere if link is "".
	addPart := func(start, end int, link string) {
		text := strings.Join(strings.Fields(strings.Trim(line[start:end], " \t|·•●‧∙–—")), " ")
		isURL := webAddress().MatchString(text)
		if text == "" || isURL && link == "" { // a URL that is no link says nothing
			return
		}
		part := leaf{text: text, closeness: whole.closeness, cell: whole.cell, isHeading: whole.isHeading}
		if len(parts) > 0 {
			part.closeness = closenessOfParts
		}
		if link != "" {
			part.links = []string{link}
			part.isLinked = !isURL
		}
		if isURL {
			part.text = "" // it only shows the link
		}
		parts = append(parts, part)
	}
	start := 0 // of the next part
	// cutUpTo adds the parts from start to end, all of which link to link.
	cutUpTo := func(end int, link string) {
		for _, point := range points {
			if point[0] >= start && point[1] <= end {
				addPart(start, point[0], link)
				start = point[1]
			}
		}
		end = max(start, end)
		addPart(start, end, link)
		start = end
	}
	for _, span := range spans {
		cutUpTo(span.start, "")
		cutUpTo(min(span.end, len(line)), span.link)
	}
	cutUpTo(len(line), "")
	return parts
}

// hasTwoFacts reports whether a line has two of a cost, an area and a number of rooms.
func hasTwoFacts(line string) bool {
	amounts := amountsIn(nil, line)
	hasCost := slices.ContainsFunc(amounts, func(a amount) bool { return a.sign != "" && a.unit == noUnit })
	hasArea := slices.ContainsFunc(amounts, func(a amount) bool {
		return a.unit == squareMetres || a.unit == squareFeet
	})
	hasRooms := slices.ContainsFunc(amounts, func(a amount) bool {
		return a.unit == roomCount || a.unit == bedroomCount
	})
	return boolInt(hasCost)+boolInt(hasArea)+boolInt(hasRooms) > 1
}

// readPlain returns the leaves of a plain text.
func readPlain(work *turns.Task, text string) (leaves []leaf) {
	const depth = 1             // of all lines, because a plain text has no elements
	separator := blockSeparator // from the last leaf
	emptyLines := 0             // since the last leaf
	for line := range strings.SplitSeq(plainSpaces(text), "\n") {
		if len(leaves) >= maxLeaves {
			break
		}
		work.Step(4 + len(line)/8)
		line = line[:min(len(line), longestPlainLine)]
		line = strings.TrimSpace(hidden.Replace(quoteMarks().ReplaceAllLiteralString(strings.TrimSpace(line), "")))
		if line == "" {
			emptyLines++
			if emptyLines == 1 {
				separator = min(separator, blankSeparator)
			} else { // two empty lines separate as paragraphs do
				separator = min(separator, blockSeparator)
			}
			continue
		}
		emptyLines = 0
		if ruleOfText().MatchString(line) {
			separator = ruleSeparator
			continue
		}
		l := leaf{closeness: closenessOf(depth, separator)}
		separator = breakSeparator
		if parts := cutLine(work, l, closenessOf(depth, breakSeparator), line, linksIn(line)); parts != nil {
			leaves = append(leaves, parts[:min(len(parts), maxLeaves-len(leaves))]...)
			continue
		}
		l.text, l.links = cutLinks(line)
		l.text = bullet().ReplaceAllLiteralString(leading(strings.Join(strings.Fields(l.text), " "), maxLineText), "")
		leaves = append(leaves, l)
	}
	return leaves
}

// cutLinks returns a line without its URLs, and the URLs.
func cutLinks(line string) (rest string, links []string) {
	if !strings.Contains(line, "://") {
		return line, nil
	}
	for _, found := range linkInText().FindAllString(line, maxLeafLinks) {
		links = append(links, withoutBrackets(found))
	}
	return strings.TrimSpace(linkInText().ReplaceAllLiteralString(line, "")), links
}
