// Labels of lines: the lines of a text that are called its title, its link or its address.

package listing

import (
	"strings"

	"flats/internal/turns"
)

// Labels of titles and links, before their values or in the line above.
var (
	titleNames  = phrasesOf("titleName")
	linkNames   = phrasesOf("linkName")
	onlyLink    = newPattern(`(?i)^[<("]?((?:https?://|www\.)[^\s<>"]{3,})$`)
	moreOfLabel = newPattern(`^(?: [\p{L}']{2,20}){0,3} ?$`) // "Titel der Anzeige"
)

const longestLabel = 80 // bytes of a line in which its label is looked for

// cutColon cuts a line after the colon of its label. The label is the whole line if it has no colon.
func cutColon(line string) (label, value string) {
	start := line[:min(len(line), longestLabel)]
	for _, colon := range []string{":", "："} {
		if at := strings.Index(start, colon); at >= 0 {
			return line[:at], strings.TrimPrefix(line[at+len(colon):], " ")
		}
	}
	return line, ""
}

// isLabelAmong reports whether a label is one of some names, perhaps with more words after it.
func isLabelAmong(label string, names *phrases) bool {
	if len(label) > longestLabel {
		return false
	}
	lower := strings.ToLower(label)
	length := names.begins(lower)
	return length > 0 && moreOfLabel().MatchString(lower[length:])
}

// withoutLinkLabels returns lines without the labels of links: of a line with a label and nothing but a link, it keeps
// the link, and it drops a label in the line above a link.
func withoutLinkLabels(lines []string) []string {
	var rest []string
	for i, text := range lines {
		label, value := cutColon(text)
		link := value
		if link == "" && i+1 < len(lines) {
			link = lines[i+1]
		}
		if onlyLink().MatchString(link) && isLabelAmong(label, linkNames) {
			if value == "" {
				continue
			}
			text = value
		}
		rest = append(rest, text)
	}
	return rest
}

// isTitleLabel reports whether a line is only the label of a title, which then stands in the next line.
func isTitleLabel(text string) bool {
	label, value := cutColon(text)
	if value != "" || len(text) > longestLabel {
		return false
	}
	if label == text { // without a colon, only the name itself is a label
		lower := strings.ToLower(text)
		return titleNames.begins(lower) == len(lower)
	}
	return isLabelAmong(label, titleNames)
}

// withoutLabel returns a line without the label of its title or its address. A value that is not the address itself,
// such as the name of a district, keeps its label, which says what it is.
func (l textLine) withoutLabel(work *turns.Task) textLine {
	label, value := cutColon(l.text)
	if value == "" {
		return l
	}
	isTitle := isLabelAmong(label, titleNames) && wordOfThree().MatchString(value)
	isPlace := hasDigit(value) && locationLabel().MatchString(l.text[:len(l.text)-len(value)]) && isWholeAddress(value)
	if !isTitle && !isPlace {
		return l
	}
	bare := newLine(work, value)
	bare.written = l.text
	bare.isTitle = isTitle
	return bare
}

// isWholeAddress reports whether a text is a whole address, which needs no label.
func isWholeAddress(text string) bool {
	return hasStreetName(text) || codeStart().MatchString(text)
}

var codeStart = newPattern(`^\d{3} ?\d{2} \p{Lu}|^\d{2}-?\d{3} \p{Lu}|^\d{4}(?: ?[A-Z]{2})? \p{Lu}`)
