// Long lines: those of a mail that hold all that is said about a home.

package listing

import (
	"slices"
	"strings"

	"flats/internal/turns"
)

// A linkSpan is a part of a line that is a link.
type linkSpan struct {
	start, end int
	link       string
}

// addSpan adds a span that follows the last one or continues it.
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

// cutPoints matches what separates the facts of a long line: bars, dots and runs of blanks.
var cutPoints = newPattern(`\s+[|·•●‧∙]\s+|\s{3,}| [–—] `)

// cutLine cuts a line with a link and two facts that is too long for a fact, and returns its parts as leaves. It cuts
// at bars, links and runs of blanks. Without two of these the line is a sentence, and nil is returned.
func cutLine(work *turns.Task, l leaf, line string, spans []linkSpan) []leaf {
	if len(spans) == 0 || len(line) <= longestFact || letters(line) <= longestFact {
		return nil
	}
	work.Step(8 * len(line))
	points := cutPoints().FindAllStringIndex(line, -1)
	if len(points) < 2 || !hasTwoFacts(line) {
		return nil
	}
	var parts []leaf
	add := func(start, end int, link string) {
		text := strings.Join(strings.Fields(strings.Trim(line[start:end], " \t|·•●‧∙–—")), " ")
		isAddress := webAddress().MatchString(text) // the link as the text shows it
		if text == "" || isAddress && link == "" {
			return
		}
		part := leaf{text: text, gap: l.gap, cell: l.cell, isHeading: l.isHeading}
		if len(parts) > 0 {
			part.gap = l.gap/4*4 + gapBreak
		}
		if link != "" {
			part.links, part.isLinked = []string{link}, !isAddress
		}
		if isAddress {
			part.text = ""
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
