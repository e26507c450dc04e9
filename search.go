package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file contains the full-text search, and the search for duplicates:
//
//	Words           how a text is split and folded
//	Index           the rows that hold a word
//	Texts           phrases and fields, decided by the texts themselves
//	Query language  its grammar
//	Duplicates      flats that are probably one home

// searchedFields are the parts of a [document]. A query can name one.
var searchedFields = [...]string{"title", "text", "location", "station", "details", "notes"}

// A document is what search sees of a record: the text of each searched field,
// by its number. No phrase goes across a NUL in it.
type document func(field int) string

// Words
// -----

// folds maps letters to what search takes them for: every composed lower-case
// Latin, Greek and Cyrillic letter to its base (Unicode's canonical decomposition),
// and those that stand for two or that keyboards lack.
var folds = makeFolds(map[string]string{
	"a": "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", "b": "ḃḅḇ", "c": "çćĉċčḉ", "d": "ďḋḍḏḑḓđ",
	"e": "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "f": "ḟ", "g": "ĝğġģǧǵḡ", "h": "ĥȟḣḥḧḩḫẖ",
	"i": "ìíîïĩīĭįǐȉȋḭḯỉịı", "j": "ĵǰ", "k": "ķǩḱḳḵ", "l": "ĺļľḷḹḻḽł", "m": "ḿṁṃ", "n": "ñńņňǹṅṇṉṋ",
	"o": "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ", "p": "ṕṗ", "r": "ŕŗřȑȓṙṛṝṟ", "s": "śŝşšșṡṣṥṧṩſẛ",
	"t": "ţťțṫṭṯṱẗ", "u": "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "v": "ṽṿ", "w": "ŵẁẃẅẇẉẘ", "x": "ẋẍ",
	"y": "ýÿŷȳẏẙỳỵỷỹ", "z": "źżžẑẓẕ", "ʒ": "ǯ", "μ": "µ", "ss": "ß", "ae": "æǣǽ", "oe": "œ",
	"ff": "ﬀ", "fi": "ﬁ", "fl": "ﬂ", "ffi": "ﬃ", "ffl": "ﬄ",
	"α": "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "ε": "έἐἑἒἓἔἕὲέ", "η": "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ",
	"ι": "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ", "ο": "όὀὁὂὃὄὅὸό", "ρ": "ῤῥ", "σ": "ς",
	"υ": "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ", "ω": "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ",
	"а": "ӑӓ", "г": "ѓ", "е": "ѐёӗ", "ж": "ӂӝ", "з": "ӟ", "и": "йѝӣӥ", "к": "ќ", "о": "ӧ", "у": "ўӯӱӳ",
	"ч": "ӵ", "ы": "ӹ", "э": "ӭ", "і": "ї", "ѵ": "ѷ", "ә": "ӛ", "ө": "ӫ",
})

func makeFolds(letters map[string]string) map[rune]string {
	m := map[rune]string{}
	for base, composed := range letters {
		for _, r := range composed {
			m[r] = base
		}
	}
	return m
}

// A tokenizer yields the words of a text:
//
//	word = 1*( letter / digit / mark )   in scripts with spaces
//	     / letter / digit / mark         in scripts without
//
// folded to lower case, without diacritics, full-width forms made narrow.
// Combining marks and invisible characters fold to nothing and separate no words.
//
// A run of more than maxRun characters of base64 is data, such as an inline photo.
// It separates words and holds none.
type tokenizer struct {
	text string
	at   int    // the next byte to read
	run  int    // the end of the last run that was measured
	word []byte // the current word, overwritten by next
	// glued: the word is a character of a script without spaces, right
	// after another one.
	glued bool
	// separated: a NUL stands between the last word and this one.
	separated bool
	spaceless bool // the last word was such a character, and nothing came since
}

// next goes to the next word and reports whether there is one.
func (t *tokenizer) next() bool {
	glued := t.spaceless
	t.word, t.separated, t.glued, t.spaceless = t.word[:0], false, false, false
	for t.at < len(t.text) {
		if t.at >= t.run && t.skipData() {
			glued = false
			if len(t.word) > 0 {
				return true
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		r, class := classify(r)
		switch {
		case len(t.word) > 0 && (class == separator || class == wholeWord):
			return true
		case class == wholeWord:
			t.at += size
			if mark, size := utf8.DecodeRuneInString(t.text[t.at:]); mark == voiced || mark == halfVoiced {
				r = composeKana(r, mark)
				t.at += size
			}
			t.word = utf8.AppendRune(t.word, r)
			t.glued, t.spaceless = glued, true
			return true
		case class == separator:
			t.separated = t.separated || r == 0
			glued = false
		case class == letter:
			if r < utf8.RuneSelf {
				t.word = append(t.word, byte(r))
			} else if fold, ok := folds[r]; ok {
				t.word = append(t.word, fold...)
			} else {
				t.word = utf8.AppendRune(t.word, r)
			}
		}
		t.at += size
	}
	return len(t.word) > 0
}

// maxRun exceeds the length of words, and of the chains that people write with
// hyphens and slashes.
const maxRun = 128

// skipData skips the run of base64 that begins here if it is data, and reports
// whether it was.
func (t *tokenizer) skipData() bool {
	start := t.at
	t.run = start
	for t.run < len(t.text) && inRuns[t.text[t.run]] {
		t.run++
	}
	if t.run-start <= maxRun {
		t.run++ // no run begins with the character that ends this one
		return false
	}
	t.at = t.run
	return true
}

// inRuns contains the characters of both base64 alphabets (RFC 4648).
var inRuns = func() (in [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") {
		in[c] = true
	}
	return in
}()

// A class is what a character is to words.
type class uint8

const (
	separator class = iota
	letter          // part of a word
	wholeWord       // a character of a script without spaces
	invisible       // neither part of a word nor between words
)

// classify returns a character in lower case and narrow, and its class.
func classify(r rune) (rune, class) {
	if r < utf8.RuneSelf {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			return r, letter
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A', letter
		}
		return r, separator
	}
	r = unicode.ToLower(r)
	if '！' <= r && r <= '～' {
		r = unicode.ToLower(r - '！' + '!')
	}
	switch {
	case r >= 0x0E00 && (r == 'ー' || r == 'ｰ' ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)):
		return r, wholeWord
	case unicode.Is(unicode.Inherited, r), unicode.Is(unicode.Cf, r) && r != '\u200B', // the zero-width space separates words
		unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Cyrillic):
		return r, invisible
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return r, letter
	}
	return r, separator
}

// The combining sound marks of kana change what a letter is, so that they are
// no diacritics that fold to nothing.
const voiced, halfVoiced = '\u3099', '\u309A'

// composeKana is the letter of a kana with a sound mark; where there is none
// it is the kana.
func composeKana(kana, mark rune) rune {
	switch {
	case kana == 'う' || kana == 'ウ':
		return kana + 'ゔ' - 'う'
	case strings.ContainsRune("はひふへほハヒフヘホ", kana):
		return kana + 1 + mark - voiced
	case strings.ContainsRune("かきくけこさしすせそたちつてとカキクケコサシスセソタチツテト", kana):
		return kana + 1
	}
	return kana
}

// singular is a word without the -s or -x of a plural.
func singular(word string) string {
	if n := len(word) - 1; n > 0 && (word[n] == 's' || word[n] == 'x') {
		return word[:n]
	}
	return word
}

// Index
// -----

// An Index holds the posting list of each word, whatever the field. Any number of
// goroutines may search it while one updates it.
type Index struct {
	mu   sync.RWMutex         // guards the rest, held for moments
	rows map[string]*[]uint32 // posting lists by word, ascending

	// Searches by prefix need the words sorted. recent holds the words that came
	// after the last sort. A word in either may have no posting list any more.
	sorted, recent []string
}

// newIndex returns the index of the documents of a number of rows.
func newIndex(rows int, documents func(row uint32) document) *Index {
	x := &Index{rows: map[string]*[]uint32{}}
	for row := range uint32(rows) {
		for field := range searchedFields {
			for t := (tokenizer{text: documents(row)(field)}); t.next(); {
				list := x.rows[string(t.word)]
				if list == nil {
					list = new([]uint32)
					x.rows[string(t.word)] = list
				}
				if n := len(*list); n == 0 || (*list)[n-1] != row {
					*list = append(*list, row)
				}
			}
		}
	}
	for _, list := range x.rows {
		*list = slices.Clone(*list) // without the room that it grew into
	}
	x.sortWords()
	return x
}

// sortWords sorts all words. Only the goroutine that updates the index may call
// it: it reads rows without the lock.
func (x *Index) sortWords() {
	words := slices.Sorted(maps.Keys(x.rows))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sorted, x.recent = words, nil
}

// update replaces a document. It holds the lock for a part of the words at a time:
// until it returns, the row has some words of either document.
func (x *Index) update(row uint32, before, after document) {
	gone, come := wordsOf(before), wordsOf(after)
	for word := range come {
		if gone[word] {
			delete(gone, word)
			delete(come, word)
		}
	}
	x.change(come, row, x.insert)
	x.change(gone, row, x.remove)
	// A search by prefix looks at the recent words one by one, so they must stay few.
	if len(x.recent) > max(1000, len(x.sorted)/16) {
		x.sortWords()
	}
}

// change applies a change to the row of some words, for a moment at a time.
func (x *Index) change(words map[string]bool, row uint32, apply func(word string, row uint32)) {
	for part := range slices.Chunk(slices.Collect(maps.Keys(words)), 1000) {
		x.mu.Lock()
		for _, word := range part {
			apply(word, row)
		}
		x.mu.Unlock()
	}
}

func (x *Index) insert(word string, row uint32) {
	list := x.rows[word]
	if list == nil {
		list = new([]uint32)
		x.rows[word] = list
		x.recent = append(x.recent, word)
	}
	i, _ := slices.BinarySearch(*list, row)
	*list = slices.Insert(*list, i, row)
}

func (x *Index) remove(word string, row uint32) {
	list := x.rows[word]
	i, _ := slices.BinarySearch(*list, row)
	*list = slices.Delete(*list, i, i+1)
	if len(*list) == 0 {
		delete(x.rows, word)
	}
}

// wordsOf are the words of a document.
func wordsOf(d document) map[string]bool {
	words := map[string]bool{}
	for field := range searchedFields {
		for t := (tokenizer{text: d(field)}); t.next(); {
			words[string(t.word)] = true
		}
	}
	return words
}

// match returns the rows for which a query holds, among the first rows of the
// index. It reads the documents for what the index does not know: fields and the
// order of words. The result is undefined for rows that change meanwhile.
func (x *Index) match(work *task, s search, rows int, documents func(row uint32) document) (found rowSet, err error) {
	sure := true
	for _, g := range s {
		var either rowSet
		for _, t := range g {
			some, err := x.term(work, t, rows)
			if err != nil {
				return nil, err
			}
			if sure = sure && t.exact(); t.negated {
				if !t.exact() {
					clear(some) // not all have the words there, in their order
				}
				some = some.not(rows)
			}
			either = either.or(some)
		}
		found = found.and(either)
	}
	if found == nil {
		return newRowSet(rows), nil // no query, no rows
	} else if sure {
		return found, nil
	}
	for row := range found.all() {
		holds, err := s.holds(work, documents(row))
		if err != nil {
			return nil, err
		}
		found.set(row, holds)
	}
	return found, nil
}

// exact reports whether the index alone can tell where the term holds.
func (t term) exact() bool {
	return t.field == anyField && !slices.ContainsFunc(t.units, func(u unit) bool { return len(u.words) > 1 })
}

// term returns the rows that have all words of a term, among the first rows.
func (x *Index) term(work *task, t term, rows int) (found rowSet, err error) {
	for _, u := range t.units {
		for _, token := range u.words {
			some := newRowSet(rows)
			words := x.forms(token.word, u.prefix)
			for len(words) > 0 {
				done, steps := x.addRows(some, rows, words)
				words = words[done:]
				if err := work.step(steps); err != nil {
					return nil, err
				}
			}
			found = found.and(some)
		}
	}
	return found, work.step(len(found))
}

// forms returns the words that a word of a query stands for: itself, its singular
// and its plurals or, if it is a prefix, all indexed words that begin with it.
func (x *Index) forms(word string, prefix bool) []string {
	if !prefix {
		return []string{word, singular(word), word + "s", word + "x"}
	}
	x.mu.RLock()
	sorted, recent := x.sorted, x.recent
	x.mu.RUnlock()
	first, _ := slices.BinarySearch(sorted, word)
	sorted = sorted[first:]
	end, _ := slices.BinarySearchFunc(sorted, word, func(longer, word string) int {
		if strings.HasPrefix(longer, word) {
			return -1
		}
		return 1
	})
	forms := sorted[:end:end]
	for _, longer := range recent {
		if strings.HasPrefix(longer, word) {
			forms = append(forms, longer)
		}
	}
	return forms
}

// addRows adds the posting lists of words to a set of the first rows. To hold the
// lock only for a moment it may stop early: done is the number of words added.
func (x *Index) addRows(found rowSet, rows int, words []string) (done, steps int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for done < len(words) && steps < 100_000 {
		steps += 20
		if list := x.rows[words[done]]; list != nil {
			n, _ := slices.BinarySearch(*list, uint32(rows)) // later rows are not in the set
			found.add((*list)[:n])
			steps += n
		}
		done++
	}
	return done, steps
}

// Texts
// -----

// A token is a word as a [tokenizer] finds it.
type token struct {
	word             string
	glued, separated bool
}

func tokens(text string) []token {
	list := []token{}
	for t := (tokenizer{text: text}); t.next(); {
		list = append(list, token{string(t.word), t.glued, t.separated})
	}
	return list
}

// holds decides the query about a document by its texts alone, of which it
// reads what it needs.
func (s search) holds(work *task, d document) (bool, error) {
	var read [len(searchedFields)][]token
	var err error
	text := func(field int) []token {
		if read[field] == nil {
			read[field] = tokens(d(field))
		}
		if err == nil {
			err = work.step(10 * (1 + len(read[field])))
		}
		return read[field]
	}
	return len(s) > 0 && !slices.ContainsFunc(s, func(g group) bool {
		return err != nil || !slices.ContainsFunc(g, func(t term) bool { return t.holds(text) != t.negated })
	}), err
}

// holds reports whether all units of the term stand in the texts of a document.
func (t term) holds(text func(field int) []token) bool {
	return !slices.ContainsFunc(t.units, func(u unit) bool {
		for field := range searchedFields {
			if (t.field == anyField || t.field == field) && u.standsIn(text(field)) {
				return false
			}
		}
		return true
	})
}

// standsIn reports whether the unit stands in a text: its words one after the
// other, with nothing but separators between them.
func (u unit) standsIn(text []token) bool {
	for ; len(text) >= len(u.words); text = text[1:] {
		same := 0
		for same < len(u.words) && u.takes(same, &text[same]) {
			same++
		}
		if same == len(u.words) {
			return true
		}
	}
	return false
}

// takes reports whether a token can stand for a word of the unit: it is the word,
// its plural or its singular, or begins with it.
func (u unit) takes(i int, t *token) bool {
	word := u.words[i].word
	if u.prefix {
		return strings.HasPrefix(t.word, word)
	}
	same := word == t.word || singular(word) == t.word || word == singular(t.word)
	return same && (i == 0 || !t.separated) && (t.glued || !u.words[i].glued)
}

// Query language
// --------------

// A search is a parsed query: all of its groups must match. One without any
// matches nothing.
type search []group

// A group matches where any of its terms does.
type group []term

// A term matches where all of its units do, or, negated, where not all do.
type term struct {
	operator string // OR, AND or NOT, where the term may be that
	negated  bool
	field    int // of searchedFields, or -1 for any of them
	units    []unit
}

// A unit is a word, a phrase of several words, or the beginning of a word.
type unit struct {
	words  []token
	prefix bool
}

const anyField = -1

// mostTerms bounds the different terms of a query.
const mostTerms = 1000

// parseSearch reads a query:
//
//	query = *( space / term )
//	term  = [ "-" ] [ field ":" ] ( quote *any quote / 1*( any but space and quote ) [ "*" ] )
//	field = "title" / "text" / "location" / "station" / "details" / "notes"
//	quote = one of " “ ” „ « »
//
// A quote that is not closed reaches to the end; what holds no letter and no
// digit is ignored. OR between two terms makes a group of them, AND between two
// terms says what goes without saying, and NOT before a term negates it;
// anywhere else these are words. What stands in a query twice counts once. The
// only error is that there are more than mostTerms terms.
func parseSearch(work *task, query string) (search, error) {
	query = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		} else if strings.ContainsRune("“”„«»", r) {
			return '"'
		}
		return r
	}, query)
	var terms []term
	seen := map[string]bool{}
	for query = strings.TrimLeft(query, " "); query != ""; query = strings.TrimLeft(query, " ") {
		var t term
		if t, query = parseTerm(query); len(t.units) == 0 {
			continue
		}
		if err := work.step(500); err != nil {
			return nil, err
		}
		terms, seen[fmt.Sprint(t.field, t.units)] = append(terms, t), true
		if len(seen) > mostTerms {
			return nil, fail(invalid, "Invalid query provided: it has more than %d different terms.", mostTerms)
		}
	}
	return grouped(terms), nil
}

// grouped applies the operators among terms. A query that asks for nothing, but
// only against something, is none.
func grouped(terms []term) (s search) {
	joins, negates, positive := false, false, false
	for i, t := range terms {
		switch last := i == len(terms)-1; {
		case t.operator == "NOT" && !last:
			negates = !negates
			continue
		case t.operator != "" && !last && len(s) > 0:
			joins = joins || t.operator == "OR"
			continue
		}
		t.negated = t.negated != negates
		positive = positive || !t.negated
		if !joins {
			s = append(s, group{})
		}
		g := &s[len(s)-1]
		*g = append(*g, t)
		joins, negates = false, false
	}
	if !positive {
		return nil
	}
	said := map[string]bool{}
	return slices.DeleteFunc(s, func(g group) bool {
		key := fmt.Sprint(g)
		again := said[key]
		said[key] = true
		return again
	})
}

// parseTerm reads the term that a query begins with and returns the rest. All
// white space is spaces by now, and quotes are alike.
func parseTerm(query string) (t term, rest string) {
	t.field = anyField
	query, t.negated = strings.CutPrefix(query, "-")
	for i, name := range searchedFields {
		if after, ok := strings.CutPrefix(query, name+":"); ok && after != "" && after[0] != ' ' {
			t.field, query = i, after
			break
		}
	}
	if query, ok := strings.CutPrefix(query, `"`); ok {
		phrase, rest, _ := strings.Cut(query, `"`)
		t.units = units(phrase, true)
		return t, rest
	}
	end := strings.IndexAny(query, ` "`)
	if end < 0 {
		end = len(query)
	}
	text, rest := query[:end], query[end:]
	if (text == "OR" || text == "AND" || text == "NOT") && t.field == anyField && !t.negated {
		t.operator = text
	}
	stem := strings.TrimRight(text, "*")
	t.units = units(stem, false)
	if n := len(t.units); stem != text && n > 0 && len(t.units[n-1].words) == 1 {
		r, _ := utf8.DecodeLastRuneInString(stem)
		_, class := classify(r)
		t.units[n-1].prefix = class != separator // the word reaches to the end
	}
	return t, rest
}

// units are the words of a text, all in one phrase or each for itself; the
// characters of a script without spaces stay together either way.
func units(text string, phrase bool) (us []unit) {
	for _, t := range tokens(text) {
		if len(us) == 0 || !phrase && !t.glued {
			us = append(us, unit{})
		}
		u := &us[len(us)-1]
		u.words = append(u.words, t)
	}
	return us
}

// Duplicates
// ----------

// A home is what tells whether two flats are probably one home. What is not known
// is "", or NaN.
type home struct {
	id                    string // "" for one that is in no group, though its photos count
	cost, area            float64
	currency              string
	code, location, phone string
	photos, merged, apart []string // addresses; ids of flats that it is one with, and not one with
}

// A homeGroup is the rows of flats that are probably one home, and the reasons that
// hold between any two of them.
type homeGroup struct {
	rows    []uint32
	because []string
}

// A grouping has the group of each row, and the rows that are in no group with it.
type grouping struct {
	group []*homeGroup
	apart map[uint32][]uint32
}

// join makes the groups of two rows one, unless flats in them are apart.
func (g *grouping) join(a, b uint32, because ...string) bool {
	small, large := g.group[a], g.group[b]
	if len(small.rows) > len(large.rows) {
		small, large = large, small
	}
	if small != large {
		for _, row := range small.rows {
			if slices.ContainsFunc(g.apart[row], func(other uint32) bool { return g.group[other] == large }) {
				return false
			}
		}
		for _, row := range small.rows {
			g.group[row] = large
		}
		large.rows = append(large.rows, small.rows...)
		because = append(because, small.because...)
	}
	for _, reason := range because {
		if !slices.Contains(large.because, reason) {
			large.because = append(large.because, reason)
		}
	}
	return true
}

const (
	mostPhotos = 8  // flats that may have a photo of one home: more have an agency's
	mostAlike  = 50 // flats in a set, and sets that a flat is compared with
)

// duplicates finds the groups of flats that are probably one home, in the order
// of their first rows. Each flat joins those that are merged into it or have a photo
// of its own, then the first set in which it is alike with all. Groups in which two
// flats are apart are never joined.
func duplicates(work *task, homes []home) (groups []*homeGroup, err error) {
	g := &grouping{make([]*homeGroup, len(homes)), map[uint32][]uint32{}}
	rows, photos := make(map[string]uint32, len(homes)), make(map[string][]uint32, len(homes))
	for row, h := range homes {
		g.group[row], rows[h.id] = &homeGroup{rows: []uint32{uint32(row)}}, uint32(row)
		for _, address := range h.photos {
			photos[address] = append(photos[address], uint32(row))
		}
		if err := work.step(20 * (1 + len(h.photos))); err != nil {
			return nil, err
		}
	}
	delete(rows, "")
	for row, h := range homes {
		for _, id := range h.apart {
			if other, ok := rows[id]; ok {
				g.apart[uint32(row)], g.apart[other] = append(g.apart[uint32(row)], other), append(g.apart[other], uint32(row))
			}
		}
	}
	for row, h := range homes {
		for _, id := range h.merged {
			if other, ok := rows[id]; ok && other != uint32(row) {
				g.join(uint32(row), other, "merged_ids")
			}
		}
		for _, address := range h.photos {
			sharing := photos[address]
			if len(sharing) > mostPhotos {
				continue
			}
			for _, other := range sharing {
				if other < uint32(row) && h.id != "" && homes[other].id != "" {
					g.join(uint32(row), other, "photo")
				}
			}
		}
		if err := work.step(20); err != nil {
			return nil, err
		}
	}
	if err := g.joinAlike(work, homes); err != nil {
		return nil, err
	}
	seen := map[*homeGroup]bool{}
	for _, group := range g.group {
		if len(group.rows) > 1 && !seen[group] {
			slices.Sort(group.rows)
			slices.Sort(group.because)
			groups, seen[group] = append(groups, group), true
		}
	}
	return groups, nil
}

// A likeness is what flats that are alike have in common. Texts are numbers, other
// ones for each currency, and 0 where they are not known.
type likeness struct {
	row                   uint32
	cost, area            float64
	code, location, phone int
	costs, areas          [2]int // steps in which those lie that are alike, the flat's own first
}

// reasons tells why two flats are probably one home; nil where they are not.
func (l *likeness) reasons(other *likeness) (because []string) {
	const about = 1 + 1e-9 // and what decimals lose as float64
	if math.Abs(l.area-other.area) > about || 50*math.Abs(l.cost-other.cost) > max(l.cost, other.cost)*about {
		return nil
	}
	if l.code != 0 && l.code == other.code || (l.code == 0 || other.code == 0) && l.location != 0 && l.location == other.location {
		because = append(because, "place")
	}
	if l.phone != 0 && l.phone == other.phone {
		because = append(because, "phone")
	}
	return because
}

// joinAlike joins flats that are alike, in sets in which all are alike in pairs.
// To be compared with few others, a set is found by what its first flat has: a
// code, location or phone, and cost and area in steps of twice what they may differ.
func (g *grouping) joinAlike(work *task, homes []home) error {
	numbers := map[[2]string]int{} // of a text and a currency
	number := func(text, currency string) int {
		key := [2]string{text, currency}
		if numbers[key] == 0 && text != "" {
			numbers[key] = len(numbers) + 1
		}
		return numbers[key]
	}
	var flats []likeness
	var sets [][]likeness
	near := map[[3]int][]int{}
	for row, h := range homes {
		if h.id == "" || math.IsNaN(h.cost+h.area) {
			continue
		}
		l := likeness{uint32(row), h.cost, h.area, number(h.code, h.currency), number(h.location, h.currency), number(h.phone, h.currency),
			nearby(math.Log(max(h.cost, 0.01)) / 0.0406), nearby(h.area / 2.02)}
		flats = append(flats, l)
		texts := slices.DeleteFunc([]int{l.code, l.location, l.phone}, func(text int) bool { return text == 0 })
		var room []int
		for _, text := range texts {
			for i := range 4 {
				some := near[[3]int{text, l.costs[i/2], l.areas[i%2]}]
				room = append(room, some[max(0, len(some)-mostAlike):]...)
			}
		}
		slices.Sort(room)
		unlike := func(other likeness) bool { return l.reasons(&other) == nil }
		fits := func(set int) bool {
			return len(sets[set]) < mostAlike && !slices.ContainsFunc(sets[set], unlike) && g.join(l.row, sets[set][0].row)
		}
		if i := slices.IndexFunc(slices.Compact(room), fits); i >= 0 {
			sets[room[i]] = append(sets[room[i]], l)
		} else {
			for _, text := range texts {
				key := [3]int{text, l.costs[0], l.areas[0]}
				near[key] = append(near[key], len(sets))
			}
			sets = append(sets, []likeness{l})
		}
		if err := work.step(200 + 50*len(room)); err != nil {
			return err
		}
	}
	return g.explain(work, flats)
}

// explain adds to each group the reasons that hold between any two of its flats,
// whichever pairs have joined them. Each flat is compared with those near it until a
// reason is found, which is as soon as a few share a spot: the work is linear.
func (g *grouping) explain(work *task, flats []likeness) error {
	type spot struct {
		group            *homeGroup
		reason           string
		text, cost, area int
	}
	near := map[spot][]*likeness{}
	flats = slices.DeleteFunc(flats, func(l likeness) bool { return len(g.group[l.row].rows) == 1 })
	// Those without a code come first: the others share a location with these alone.
	slices.SortFunc(flats, func(a, b likeness) int { return cmp.Compare(a.code, b.code) })
	for i := range flats {
		l, group := &flats[i], g.group[flats[i].row]
		for reason, texts := range map[string][]int{"place": {cmp.Or(l.code, l.location), l.location}, "phone": {l.phone}} {
			for _, text := range texts {
				for n := 0; n < 4 && text != 0 && !slices.Contains(group.because, reason); n++ {
					for _, other := range near[spot{group, reason, text, l.costs[n/2], l.areas[n%2]}] {
						g.join(l.row, other.row, l.reasons(other)...)
					}
				}
			}
			own := spot{group, reason, texts[0], l.costs[0], l.areas[0]}
			near[own] = append(near[own], l)
		}
		if err := work.step(300); err != nil {
			return err
		}
	}
	return nil
}

// nearby is the step that a number lies in, and the one next to the half of it.
func nearby(number float64) [2]int {
	step := int(math.Floor(number))
	if number-float64(step) < 0.5 {
		return [2]int{step, step - 1}
	}
	return [2]int{step, step + 1}
}
