// The index: the flats in which a word occurs.

package main

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"flats/internal/turns"
)

// searched returns the text of a field, by its number in searchedFields. The method value f.searched is a
// [document].
func (f *Flat) searched(field int) string {
	name := searchedFields[field]
	if name == "details" {
		return f.Details.words
	}
	return f.field(flatFields.byName[name]).String()
}

// A textIndex is the index of words of the flats. Its goroutine updates it, and the index of links, after each
// change of the flats. Until then, searches read the texts of the flats that have changed.
type textIndex struct {
	current    func() *snapshot[Flat]
	links      *linkIndex                     // updated together with words
	searchable chan struct{}                  // closed once words is built
	changed    chan struct{}                  // receives when the flats have changed
	words      *Index                         // set before searchable is closed
	indexed    atomic.Pointer[snapshot[Flat]] // the flats in words, which may also have some later ones already
}

// run builds the index, and then updates it until quit is closed.
func (x *textIndex) run(quit <-chan struct{}) {
	indexed := x.current()
	x.words = newIndex(indexed.size, func(row uint32) document { return indexed.row(row).searched })
	x.indexed.Store(indexed)
	close(x.searchable)
	x.links.update(indexed)
	for {
		select {
		case <-x.changed:
		case <-quit:
			return
		}
		flats := x.current()
		for row, f := range flats.changed(indexed) {
			before := blank // a new flat replaces no other one
			if int(row) < indexed.size {
				before = indexed.row(row)
			}
			differs := func(name string) bool {
				i := flatFields.byName[name]
				return before.field(i).JSON() != f.field(i).JSON()
			}
			if slices.ContainsFunc(searchedFields, differs) {
				x.words.update(row, before.searched, f.searched)
			}
		}
		x.links.update(flats)
		indexed = flats
		x.indexed.Store(indexed)
	}
}

// match returns the current flats, and the rows of those that match a full-text search. It
// waits until the index is built.
func (x *textIndex) match(work *turns.Task, s search) (rowSet, *snapshot[Flat]) {
	work.Wait(x.searchable)
	indexed := x.indexed.Load()
	found := x.words.match(work, s, indexed.size, func(row uint32) document { return indexed.row(row).searched })
	flats := x.current()
	matching := newRowSet(flats.size) // with room for the flats that are not indexed yet
	copy(matching, found)
	for row, f := range flats.changed(indexed) {
		matching.include(row, s.matches(work, f.searched))
	}
	return matching, flats
}

// An Index maps each word to the rows in which it occurs, in any field. Any number of
// goroutines may search it while one updates it.
type Index struct {
	// mu guards the rest, and is only held briefly. The goroutine that updates the index reads without it, because no
	// other one writes.
	mu   sync.RWMutex
	rows map[string][]uint32 // posting lists by word, ascending

	// partial has the rows with words that are not indexed. Searches read their documents.
	partial map[uint32]bool

	// Prefix searches need sorted words. recent has the words added since the last sort. A
	// word in either list may no longer have a posting list.
	sorted, recent []string
}

// newIndex returns an index of the documents of the first size rows.
func newIndex(size int, documents func(row uint32) document) *Index {
	x := &Index{rows: map[string][]uint32{}, partial: map[uint32]bool{}}
	for row := range uint32(size) {
		words, areAll := wordsOf(documents(row))
		for word := range words {
			x.rows[word] = append(x.rows[word], row)
		}
		if !areAll {
			x.partial[row] = true
		}
	}
	for word, list := range x.rows {
		x.rows[word] = slices.Clone(list) // without spare capacity
	}
	x.sortWords()
	return x
}

// sortWords sorts all words. Only the goroutine that updates the index may call it,
// because it reads the map without the lock.
func (x *Index) sortWords() {
	words := slices.Sorted(maps.Keys(x.rows))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sorted, x.recent = words, nil
}

// update replaces a document. It locks the index for one word at a time. Until it returns,
// a search may find the row by words of either document.
func (x *Index) update(row uint32, before, after document) {
	oldWords, _ := wordsOf(before)
	newWords, areAll := wordsOf(after)
	x.setPartial(row, !areAll)
	for word := range newWords {
		if !oldWords[word] {
			x.insert(word, row)
		}
	}
	for word := range oldWords {
		if !newWords[word] {
			x.remove(word, row)
		}
	}
	// A prefix search compares the recent words one by one, so they must stay few. But to sort all words takes long, so
	// many must have come since the last time.
	maxRecent := max(1000, len(x.sorted)/16)
	if len(x.recent) > maxRecent {
		x.sortWords()
	}
}

// setPartial sets whether a row has words that are not indexed.
func (x *Index) setPartial(row uint32, isPartial bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if isPartial {
		x.partial[row] = true
	} else {
		delete(x.partial, row)
	}
}

// partialRows returns the partial rows among the first size rows, whose documents searches must read.
func (x *Index) partialRows(size int) (rows []uint32) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for row := range x.partial {
		if int(row) < size {
			rows = append(rows, row)
		}
	}
	return rows
}

func (x *Index) insert(word string, row uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.rows[word]
	if list == nil {
		x.recent = append(x.recent, word)
	}
	i, _ := slices.BinarySearch(list, row)
	x.rows[word] = slices.Insert(list, i, row)
}

func (x *Index) remove(word string, row uint32) {
	x.mu.Lock()
	defer x.mu.Unlock()
	list := x.rows[word]
	i, _ := slices.BinarySearch(list, row)
	x.rows[word] = slices.Delete(list, i, i+1)
	if len(list) == 1 {
		delete(x.rows, word)
	}
}

// A word in the index takes ten times the memory of its text. The limits keep random text from filling it.
const (
	maxIndexed = 20_000 // different words of a flat in the index
	maxLetters = 64     // letters of a word in the index
)

// wordsOf returns the words of a document that are indexed, and whether these are all.
func wordsOf(d document) (words map[string]bool, areAll bool) {
	words, areAll = map[string]bool{}, true
	defer func() {
		if recover() != nil { // a panic about one document must not end the service
			areAll = false
		}
	}()
	for field := range searchedFields {
		for t := (tokenizer{text: d(field)}); t.next(); {
			for _, word := range []string{string(t.word), t.respelled()} {
				switch {
				case word == "" || words[word]:
				case len(words) == maxIndexed || utf8.RuneCountInString(word) > maxLetters:
					areAll = false
				default:
					words[word] = true
				}
			}
		}
	}
	return words, areAll
}

// match returns which of the first size rows match a search. The index stores neither
// fields nor word order: for these, match reads the documents. The result is undefined for
// rows that change during the call.
func (x *Index) match(work *turns.Task, s search, size int, documents func(row uint32) document) (found rowSet) {
	isExact := true // whether the index alone decides
	for _, g := range s.groups {
		rows, isGroupExact := x.rowsOf(work, g, size)
		isExact = isExact && isGroupExact
		found = found.and(rows) // the rows of the first group: found is nil until then
	}
	if found == nil {
		return newRowSet(size) // an empty search matches nothing
	}
	partial := x.partialRows(size)
	found.add(partial)
	toRead := found.all()
	if isExact {
		toRead = slices.Values(partial)
	}
	for row := range toRead {
		found.include(row, s.matches(work, documents(row)))
	}
	return found
}

// rowsOf returns which of the first size rows may match a group, and reports whether the index alone decides that.
func (x *Index) rowsOf(work *turns.Task, g group, size int) (rows rowSet, isExact bool) {
	rows = newRowSet(size)
	isExact = true
	for _, t := range g {
		matches := x.rowsWith(work, t, size)
		isExact = isExact && t.isExact()
		if t.negated {
			if !t.isExact() {
				clear(matches) // only the texts can exclude rows
			}
			matches = matches.not(size)
		}
		rows.or(matches)
	}
	return rows, isExact
}

// isExact reports whether the index alone decides which rows match the term.
func (t term) isExact() bool {
	hasOrder := func(phrase searchPhrase) bool { return len(phrase.words) > 1 }
	return t.field == anyField && !slices.ContainsFunc(t.phrases, hasOrder)
}

// rowsWith returns which of the first size rows have all words of a term.
func (x *Index) rowsWith(work *turns.Task, t term, size int) (found rowSet) {
	for _, phrase := range t.phrases {
		for _, wanted := range phrase.words {
			withWord := newRowSet(size)
			words := x.forms(wanted.word, phrase.isBeginning)
			if wanted.respelled != "" {
				words = append(words, x.forms(wanted.respelled, phrase.isBeginning)...)
			}
			for _, word := range slices.AppendSeq(words, maps.Keys(wanted.near)) {
				work.Step(20 + x.addRows(withWord, size, word)) // in steps of a few nanoseconds, as in all this file
			}
			found = found.and(withWord) // these rows themselves for the first word: found is nil until then
		}
	}
	work.Step(len(found))
	return found
}

// forms returns the words that match a word of a search: the word itself, its singular
// and its plurals. If it is the beginning of a word, forms returns the indexed words that begin with it.
func (x *Index) forms(word string, isBeginning bool) []string {
	if !isBeginning {
		return []string{word, singular(word), word + "s", word + "x"} // x as in the French "lieux"
	}
	x.mu.RLock()
	sorted, recent := x.sorted, x.recent
	x.mu.RUnlock()
	isOther := func(indexed string) bool { return !strings.HasPrefix(indexed, word) }
	first, _ := slices.BinarySearch(sorted, word)
	sorted = sorted[first:]
	if end := slices.IndexFunc(sorted, isOther); end >= 0 {
		sorted = sorted[:end]
	}
	return slices.DeleteFunc(slices.Concat(sorted, recent), isOther) // recent is not sorted
}

// addRows adds the posting list of a word to a set of the first size rows, and returns the
// length of what it has added.
func (x *Index) addRows(set rowSet, size int, word string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	list := x.rows[word]
	n, _ := slices.BinarySearch(list, uint32(size)) // the set has no room for later rows
	set.add(list[:n])
	return n
}
