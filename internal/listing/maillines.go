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

	gap int // from the leaf before: see gapOf
}

// gapOf returns a gap that tells how far two leaves are apart: by the depth of the deepest element that was open all
// the time in between, and then by what separates them there. The smaller the gap, the further they are apart.
func gapOf(depth, separator int) int { return separatorKinds*depth + separator }

func depthOf(gap int) int     { return gap / separatorKinds }
func separatorOf(gap int) int { return gap % separatorKinds }

// What separates two leaves.
const (
	gapRule        = iota // a rule, or an empty element
	gapBlock              // the end or the start of an element
	gapBlank              // an empty line
	gapBreak              // a line break
	separatorKinds        // their number
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
	if n := len(l.links); n > 0 && l.links[n-1] == link || n >= maxLeafLinks || slices.Contains(l.links, link) {
		return
	}
	l.links = append(l.links, link)
}

// A linkSpan is a part of a line that is a link.
type linkSpan struct {
	start, end int
	link       string
}

// addSpan adds a span after the last one, or extends the last one if it has the same link and is next to it.
func addSpan(spans []linkSpan, next linkSpan) []linkSpan {
	if n := len(spans) - 1; n >= 0 && spans[n].link == next.link && next.start-spans[n].end <= 1 {
		spans[n].end = next.end
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
		link := strings.TrimRight(strings.TrimLeft(line[at[0]:at[1]], "<(["), ">)].,;!")
		spans = append(spans, linkSpan{at[0], at[1], link})
	}
	return spans
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

// cutLine cuts a long line with links and two facts at bars, dots, runs of blanks and links. It returns the parts as
// leaves like l, with the gap inner between them. It returns nil for any other line, such as a sentence.
func cutLine(work *turns.Task, l leaf, inner int, line string, spans []linkSpan) []leaf {
	if len(spans) == 0 || len(line) <= longestFact || runeCount(line) <= longestFact {
		return nil
	}
	work.Step(8 * len(line))
	points := cutPoints().FindAllStringIndex(line, -1)
	if len(points) < 2 {
		points = hyphens().FindAllStringIndex(line, -1)
	}
	if len(points) < 2 || !hasTwoFacts(line) {
		return nil
	}
	var parts []leaf
	add := func(start, end int, link string) {
		text := strings.Join(strings.Fields(strings.Trim(line[start:end], " \t|·•●‧∙–—")), " ")
		isURL := webAddress().MatchString(text)
		if text == "" || isURL && link == "" { // a URL that is no link says nothing
			return
		}
		part := leaf{text: text, gap: l.gap, cell: l.cell, isHeading: l.isHeading}
		if len(parts) > 0 {
			part.gap = inner
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
	at := 0
	cut := func(end int, link string) {
		for _, point := range points {
			if point[0] >= at && point[1] <= end {
				add(at, point[0], link)
				at = point[1]
			}
		}
		add(at, max(at, end), link)
		at = max(at, end)
	}
	for _, span := range spans {
		cut(span.start, "")
		cut(min(span.end, len(line)), span.link)
	}
	cut(len(line), "")
	return parts
}

// hasTwoFacts reports whether a line has two of a cost, an area and a number of rooms.
func hasTwoFacts(line string) bool {
	amounts := amountsIn(nil, line)
	n := 0
	for _, isFact := range []func(amount) bool{
		func(a amount) bool { return a.sign != "" && a.unit == noUnit },
		func(a amount) bool { return a.unit == squareMetres || a.unit == squareFeet },
		func(a amount) bool { return a.unit == roomCount || a.unit == bedroomCount },
	} {
		n += boolInt(slices.ContainsFunc(amounts, isFact))
	}
	return n > 1
}

// readPlain returns the leaves of a plain text.
func readPlain(work *turns.Task, text string) (leaves []leaf) {
	gap := gapOf(1, gapBlock)
	blanks := 0
	for line := range strings.SplitSeq(plainSpaces(text), "\n") {
		if len(leaves) >= maxLeaves {
			break
		}
		work.Step(4 + len(line)/8)
		line = line[:min(len(line), 4*maxLineText+maxLinkLength)]
		line = strings.TrimSpace(hidden.Replace(quoteMarks().ReplaceAllLiteralString(strings.TrimSpace(line), "")))
		if line == "" {
			blanks++
			gap = min(gap, gapOf(1, gapBlank))
			if blanks > 1 {
				gap = min(gap, gapOf(1, gapBlock))
			}
			continue
		}
		blanks = 0
		if ruleOfText().MatchString(line) {
			gap = gapOf(1, gapRule)
			continue
		}
		l := leaf{gap: gap}
		if parts := cutLine(work, l, gapOf(1, gapBreak), line, linksIn(line)); parts != nil {
			leaves = append(leaves, parts[:min(len(parts), maxLeaves-len(leaves))]...)
			gap = gapOf(1, gapBreak)
			continue
		}
		l.text, l.links = cutLinks(line)
		l.text = bullet().ReplaceAllLiteralString(leading(strings.Join(strings.Fields(l.text), " "), maxLineText), "")
		leaves = append(leaves, l)
		gap = gapOf(1, gapBreak)
	}
	return leaves
}

// cutLinks returns a line without the URLs in it, and these.
func cutLinks(line string) (rest string, links []string) {
	if !strings.Contains(line, "://") {
		return line, nil
	}
	for _, found := range linkInText().FindAllString(line, maxLeafLinks) {
		links = append(links, strings.TrimRight(strings.TrimLeft(found, "<(["), ">)].,;!"))
	}
	return strings.TrimSpace(linkInText().ReplaceAllLiteralString(line, "")), links
}
