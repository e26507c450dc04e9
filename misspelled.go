// Words of a search that no flat has because one of their letters is wrong.

package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

const (
	leastLetters    = 6     // letters of a word of which one may be wrong; shorter words must be right
	maxMisspelled   = 16    // words and beginnings of words in a search that may have a wrong letter
	maxSimilar      = 1_000 // words of the index that a misspelled word may stand for
	maxReplacements = 3     // words that an answer names in place of a misspelled one
)

// forgive is like match for a search that has found nothing: it lets misspelled words stand for similar words of the
// index. replaced has each such word with the most frequent of these. version is the version of the flats whose words
// the index has; it may be older than flats.
//
// A word is similar if it differs in one letter that is inserted, left out or replaced, or in two neighbours that are
// swapped. A prefix, such as balkn*, may have the wrong letter anywhere but at its end, because too many words begin
// with the letters before. There, a letter may only be typed twice, or stand for the last letter of a word. Words
// with fewer than leastLetters letters or with a digit, in quotes, or excluded by the search must be right.
func (x *textIndex) forgive(work *turns.Task, s search, text string) (found rowSet, flats *snapshot[Flat],
	version uint64, replaced []replacement) {
	indexed := x.indexed.Load()
	misspelled := x.words.replaceMisspelled(work, s, indexed.size)
	found, flats = x.match(work, s)
	near := map[string]map[string]bool{} // by word, because a search may have it as a prefix, too
	var list []string                    // the words in their order
	for _, t := range misspelled {
		if near[t.word] == nil {
			near[t.word] = map[string]bool{}
			list = append(list, t.word)
		}
		maps.Copy(near[t.word], t.near)
	}
	for _, word := range list {
		if instead := x.words.mostFrequent(work, near[word], found, flats); len(instead) > 0 {
			replaced = append(replaced, replacement{cmp.Or(asWritten(work, text, word), word), instead})
		}
	}
	return found, flats, indexed.version, replaced
}

// replaceMisspelled sets near for the words of a search that may be misspelled, and returns them: the misspellable
// words of each group that matches none of the first size rows.
func (x *Index) replaceMisspelled(work *turns.Task, s search, size int) (misspelled []*token) {
	for _, g := range s.groups {
		if rows, _ := x.rowsOf(work, g, size); rows.count() > 0 {
			continue
		}
		for _, p := range g.misspellable() {
			if len(misspelled) == maxMisspelled {
				return misspelled
			}
			t := &p.words[0]
			t.near = x.similarWords(work, t, p.isBeginning)
			misspelled = append(misspelled, t)
		}
	}
	return misspelled
}

// misspellable returns the words and beginnings of words of a group in which a letter may be wrong.
func (g group) misspellable() (list []*searchPhrase) {
	for _, t := range g {
		if t.negated || t.quoted {
			continue
		}
		for i := range t.phrases {
			p := &t.phrases[i]
			word := p.words[0].word
			hasDigit := strings.ContainsFunc(word, unicode.IsDigit)
			if len(p.words) == 1 && utf8.RuneCountInString(word) >= leastLetters && !hasDigit {
				list = append(list, p)
			}
		}
	}
	return list
}

// similarWords returns the words of the index that are similar to a word of a search or, with isBeginning, that begin
// with something similar.
func (x *Index) similarWords(work *turns.Task, t *token, isBeginning bool) map[string]bool {
	x.mu.RLock()
	lists := [...][]string{x.sorted, x.recent}
	x.mu.RUnlock()
	near := map[string]bool{}
	for _, words := range lists {
		for _, word := range words {
			if len(near) == maxSimilar {
				return near
			}
			isRespelled := t.respelled != "" && isSimilar(t.respelled, word, isBeginning) // as kueche for küche
			if isRespelled || isSimilar(t.word, word, isBeginning) {
				near[word] = true
			}
			work.Step(10) // steps take a few nanoseconds each
		}
	}
	return near
}

// isSimilar reports whether a word of the index is similar to the word that a search wants. With isBeginning, the
// search wants all words that begin with wanted.
func isSimilar(wanted, indexed string, isBeginning bool) bool {
	same := 0
	for same < min(len(wanted), len(indexed)) && wanted[same] == indexed[same] {
		same++
	}
	for same > 0 && same < len(wanted) && !utf8.RuneStart(wanted[same]) { // the letters differ in a later byte
		same--
	}
	// The words are equal up to here. Their rests may differ only in their first letters.
	wantedRest, indexedRest := wanted[same:], indexed[same:]
	wantedLetter, wantedTail := cutLetter(wantedRest)
	indexedLetter, indexedTail := cutLetter(indexedRest)
	agree := func(wanted, indexed string) bool {
		// Every word begins with "". So an empty rest of a beginning agrees only with an empty one.
		begins := isBeginning && wanted != "" && strings.HasPrefix(indexed, wanted)
		return wanted == indexed || begins
	}
	haveLetters := wantedLetter != "" && indexedLetter != ""
	isOnlyLastWrong := isBeginning && wantedLetter != "" && wantedTail == ""
	switch {
	case indexedLetter != "" && agree(wantedRest, indexedTail): // wanted lacks a letter
		return true
	case wantedLetter != "" && agree(wantedTail, indexedRest): // wanted has a letter too many
		return true
	case haveLetters && agree(wantedTail, indexedTail): // wanted has another letter
		return true
	case isOnlyLastWrong:
		// All longer words that begin with the letters before would be similar. So the letter must only be typed twice:
		// balkoo* finds balkons, but balkox* does not.
		return strings.HasSuffix(wanted[:same], wantedLetter)
	case haveLetters: // two neighbours may be swapped
		wantedSecond, wantedEnd := cutLetter(wantedTail)
		indexedSecond, indexedEnd := cutLetter(indexedTail)
		areSwapped := wantedLetter == indexedSecond && wantedSecond == indexedLetter
		return areSwapped && agree(wantedEnd, indexedEnd)
	}
	return false
}

// cutLetter returns the first letter of a text, or "", and what follows it.
func cutLetter(text string) (letter, tail string) {
	_, size := utf8.DecodeRuneInString(text)
	return text[:size], text[size:]
}

// mostFrequent returns at most maxReplacements of the words in near, the one that is in the largest number of found
// flats first. It spells each word as one of these flats does, and leaves out words that none of them has.
func (x *Index) mostFrequent(work *turns.Task, near map[string]bool, found rowSet, flats *snapshot[Flat]) (
	spellings []string) {
	type counted struct {
		word  string
		rows  int    // the number of found flats with the word
		first uint32 // the first row of these
	}
	var list []counted
	for word := range near {
		rows := newRowSet(flats.size)
		work.Step(20 + x.addRows(rows, flats.size, word) + 2*len(rows))
		rows = found.and(rows)
		for first := range rows.all() { // only the first, if there is any
			list = append(list, counted{word, rows.count(), first})
			break
		}
	}
	slices.SortFunc(list, func(a, b counted) int {
		return cmp.Or(b.rows-a.rows, strings.Compare(a.word, b.word))
	})
	for _, c := range list {
		if len(spellings) == maxReplacements {
			break
		}
		f := flats.row(c.first)
		written := ""
		for field := 0; written == "" && field < len(searchedFields); field++ {
			written = asWritten(work, f.searched(field), c.word)
		}
		if written != "" && !slices.Contains(spellings, written) { // the index may have kuche and kueche for küche
			spellings = append(spellings, written)
		}
	}
	return spellings
}

// asWritten returns a word as a text spells it, in lower case, or "" if the text does not have it.
func asWritten(work *turns.Task, text, word string) string {
	t := tokenizer{work: work, text: text}
	for before := 0; t.next(); before = t.at {
		if string(t.word) == word || t.respelled() == word {
			parts := strings.FieldsFunc(text[before:t.at], isSeparator)
			return strings.ToLower(parts[len(parts)-1]) // the text has separators before the word
		}
	}
	return ""
}
