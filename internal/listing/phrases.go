// Phrases: words of many languages that are looked for in a text.

package listing

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// phrases are words to look for, in lower case. A phrase that begins or ends with "_" stands at the start or the end
// of a word; all others may be part of a word. Besides "_", each has at least two bytes. They are found in time linear
// in the text.
type phrases struct {
	words         func() []string
	once          sync.Once            // reads the words at the first use
	first, second [256]bool            // whether a phrase has the byte in its first, or second, place: faster than byStart
	byStart       map[[2]byte][]phrase // by their first two bytes
}

type phrase struct {
	text                 string
	beginsWord, endsWord bool // no letter may stand before it, or after it
}

// phrasesOf returns the phrases of the lists of words with these names.
func phrasesOf(names ...string) *phrases {
	return &phrases{words: listOf(names...)}
}

// phrasesIn returns the phrases of a list in one language. Their first use panics if the language has no such list.
func phrasesIn(code, list string) *phrases {
	return &phrases{words: func() []string {
		words := lexicons()[code][list]
		if words == nil {
			panic("no list of words in " + code + ": " + list)
		}
		return words
	}}
}

// anyOf returns the phrases in lists that separate them by "|".
func anyOf(lists ...string) *phrases {
	return &phrases{words: func() []string { return strings.Split(strings.Join(lists, "|"), "|") }}
}

// read reads the words, unless they have been read before.
func (p *phrases) read() {
	p.once.Do(func() {
		p.byStart = map[[2]byte][]phrase{}
		for _, text := range p.words() {
			text, beginsWord := strings.CutPrefix(text, "_")
			text, endsWord := strings.CutSuffix(text, "_")
			start := [2]byte{text[0], text[1]}
			p.first[text[0]], p.second[text[1]] = true, true
			p.byStart[start] = append(p.byStart[start], phrase{text, beginsWord, endsWord})
		}
	})
}

// in reports whether a text in lower case has one of the phrases.
func (p *phrases) in(text string) bool {
	p.read()
	for i := 0; i+1 < len(text); i++ {
		if p.first[text[i]] && p.second[text[i+1]] && p.at(text, i) > 0 {
			return true
		}
	}
	return false
}

// count returns how often the phrases occur in a text in lower case.
func (p *phrases) count(text string) int {
	p.read()
	n := 0
	for i := 0; i+1 < len(text); i++ {
		if p.first[text[i]] && p.second[text[i+1]] && p.at(text, i) > 0 {
			n++
		}
	}
	return n
}

// at returns the length of the phrase at an offset of a text, or 0. The caller has read the words, and the text has two
// bytes from i on.
func (p *phrases) at(text string, i int) int {
	for _, phrase := range p.byStart[[2]byte{text[i], text[i+1]}] {
		if !strings.HasPrefix(text[i:], phrase.text) {
			continue
		}
		if phrase.beginsWord && endsInLetter(text[:i]) {
			continue
		}
		if phrase.endsWord && beginsInLetter(text[i+len(phrase.text):]) {
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
	p.read()
	return p.at(text, 0)
}

// starts are words with which a text may begin, in any case of letters. No letter may follow a word that ends with "_".
// words must have longer words before their own prefixes, because the first one that fits is found.
type starts struct {
	words  func() []string
	once   sync.Once     // reads the words at the first use
	byByte [256][]phrase // by the first byte of the text
}

// startsOf returns the words of lists. wordsOf puts longer words before their own prefixes.
func startsOf(lists ...string) *starts {
	return &starts{words: listOf(lists...)}
}

// newStarts returns the words of a list such as "pm_|p.m.", which has longer words before their own prefixes.
func newStarts(list string) *starts {
	return &starts{words: func() []string { return strings.Split(list, "|") }}
}

// at returns the length of the word with which a text begins, or 0.
func (s *starts) at(text string) int {
	s.once.Do(s.read)
	if text == "" {
		return 0
	}
	for _, word := range s.byByte[text[0]] {
		if len(text) < len(word.text) || !strings.EqualFold(text[:len(word.text)], word.text) {
			continue
		}
		rest := text[len(word.text):]
		goesOn := beginsInLetter(rest) || strings.HasPrefix(rest, "²") // the m of "m²" is no word
		if !word.endsWord || !goesOn {
			return len(word.text)
		}
	}
	return 0
}

// read keeps the words by their first byte, in either case of the first letter.
func (s *starts) read() {
	for _, word := range s.words() {
		text, endsWord := strings.CutSuffix(word, "_")
		first, _ := utf8.DecodeRuneInString(text)
		var firstBytes []byte    // of the letter in each case
		for letter := first; ; { // SimpleFold goes around the cases of a letter
			if c := string(letter)[0]; !slices.Contains(firstBytes, c) {
				firstBytes = append(firstBytes, c)
				s.byByte[c] = append(s.byByte[c], phrase{text: text, endsWord: endsWord})
			}
			if letter = unicode.SimpleFold(letter); letter == first {
				break
			}
		}
	}
}

func beginsInLetter(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r)
}

func endsInLetter(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(r)
}

// runeCount returns the number of characters of a text.
func runeCount(text string) int { return utf8.RuneCountInString(text) }

// trailing returns the last n characters of a text.
func trailing(text string, n int) string {
	start := len(text)
	for ; n > 0 && start > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(text[:start])
		start -= size
	}
	return text[start:]
}

// leading returns the first n characters of a text.
func leading(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// setOf returns the words of a list, which white space separates, as a set.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(list) {
		set[word] = true
	}
	return set
}
