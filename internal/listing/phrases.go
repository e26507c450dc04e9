// Phrases: words of many languages that are looked for in a text.

package listing

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// phrases are words to look for, in lower case. A phrase that begins or ends with "_" stands at the start or the end
// of a word; all others may be part of a word. They are found in time linear in the text.
type phrases struct {
	first, second [256]bool // the bytes with which a phrase begins
	byStart       map[[2]byte][]phrase
}

type phrase struct {
	text             string
	isStart, isWhole bool // a word starts, and ends, with it
}

// anyOf returns the phrases in lists that separate them by strokes.
func anyOf(lists ...string) *phrases {
	p := &phrases{byStart: map[[2]byte][]phrase{}}
	for _, list := range lists {
		for text := range strings.SplitSeq(list, "|") {
			text, isStart := strings.CutPrefix(text, "_")
			text, isWhole := strings.CutSuffix(text, "_")
			start := [2]byte{text[0], text[1]}
			p.first[text[0]], p.second[text[1]] = true, true
			p.byStart[start] = append(p.byStart[start], phrase{text, isStart, isWhole})
		}
	}
	return p
}

// in reports whether a text in lower case has one of the phrases.
func (p *phrases) in(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if p.first[text[i]] && p.second[text[i+1]] && p.at(text, i) > 0 {
			return true
		}
	}
	return false
}

// count returns how often the phrases occur in a text in lower case.
func (p *phrases) count(text string) int {
	n := 0
	for i := 0; i+1 < len(text); i++ {
		if p.first[text[i]] && p.second[text[i+1]] && p.at(text, i) > 0 {
			n++
		}
	}
	return n
}

// at returns the length of the phrase at an offset of a text, or 0.
func (p *phrases) at(text string, i int) int {
	for _, phrase := range p.byStart[[2]byte{text[i], text[i+1]}] {
		if !strings.HasPrefix(text[i:], phrase.text) {
			continue
		}
		if phrase.isStart && endsInLetter(text[:i]) {
			continue
		}
		if phrase.isWhole && beginsInLetter(text[i+len(phrase.text):]) {
			continue
		}
		return len(phrase.text)
	}
	return 0
}

// begins returns the length of the phrase at the start of a text in lower case, or 0.
func (p *phrases) begins(text string) int {
	if len(text) < 2 {
		return 0
	}
	return p.at(text, 0)
}

func beginsInLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

func endsInLetter(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r)
}

// letters returns the number of characters of a text.
func letters(text string) int { return utf8.RuneCountInString(text) }

// trailing returns the last characters of a text.
func trailing(text string, n int) string {
	start := len(text)
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	return text[start:]
}

// leading returns the first characters of a text.
func leading(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// setOf returns the words of a list.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
