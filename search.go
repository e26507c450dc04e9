package main

import (
	"bytes"
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

// This file implements full-text search and finds probable duplicates.
//
//	Words           splitting and folding a text
//	Index           the rows in which a word occurs
//	Texts           matching phrases and fields in the texts themselves
//	Query language  its grammar
//	Duplicates      flats that are probably the same home

// searchedFields are the names of the searched fields, as a query can use them.
var searchedFields = [...]string{"title", "text", "location", "station", "details", "notes"}

// A document returns the text of a searched field of a record. A phrase does not match
// across a NUL in the text.
type document func(field int) string

// Words
// -----

// folds maps letters to those that search replaces them with: every composed lower-case
// Latin, Greek and Cyrillic letter to its base (Unicode's canonical decomposition),
// ligatures, and letters that keyboards lack.
var folds = makeFolds(map[string]string{
	"a":   "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ",
	"b":   "ḃḅḇ",
	"c":   "çćĉċčḉ",
	"d":   "ďḋḍḏḑḓđ",
	"e":   "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ",
	"f":   "ḟ",
	"g":   "ĝğġģǧǵḡ",
	"h":   "ĥȟḣḥḧḩḫẖ",
	"i":   "ìíîïĩīĭįǐȉȋḭḯỉịı",
	"j":   "ĵǰ",
	"k":   "ķǩḱḳḵ",
	"l":   "ĺļľḷḹḻḽł",
	"m":   "ḿṁṃ",
	"n":   "ñńņňǹṅṇṉṋ",
	"o":   "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợøǿ",
	"p":   "ṕṗ",
	"r":   "ŕŗřȑȓṙṛṝṟ",
	"s":   "śŝşšșṡṣṥṧṩſẛ",
	"t":   "ţťțṫṭṯṱẗ",
	"u":   "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự",
	"v":   "ṽṿ",
	"w":   "ŵẁẃẅẇẉẘ",
	"x":   "ẋẍ",
	"y":   "ýÿŷȳẏẙỳỵỷỹ",
	"z":   "źżžẑẓẕ",
	"ʒ":   "ǯ",
	"μ":   "µ",
	"ss":  "ß",
	"ae":  "æǣǽ",
	"oe":  "œ",
	"ff":  "ﬀ",
	"fi":  "ﬁ",
	"fl":  "ﬂ",
	"ffi": "ﬃ",
	"ffl": "ﬄ",
	"α":   "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ",
	"ε":   "έἐἑἒἓἔἕὲέ",
	"η":   "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ",
	"ι":   "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ",
	"ο":   "όὀὁὂὃὄὅὸό",
	"ρ":   "ῤῥ",
	"σ":   "ς",
	"υ":   "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ",
	"ω":   "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ",
	"а":   "ӑӓ",
	"г":   "ѓ",
	"е":   "ѐёӗ",
	"ж":   "ӂӝ",
	"з":   "ӟ",
	"и":   "йѝӣӥ",
	"к":   "ќ",
	"о":   "ӧ",
	"у":   "ўӯӱӳ",
	"ч":   "ӵ",
	"ы":   "ӹ",
	"э":   "ӭ",
	"і":   "ї",
	"ѵ":   "ѷ",
	"ә":   "ӛ",
	"ө":   "ӫ",
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
// in lower case, without diacritics, and with narrow instead of full-width forms.
// Combining marks and invisible characters are dropped and do not separate words. A word
// with ä, ö or ü comes twice: as kuche, and then respelled as kueche.
//
// A run of more than maxRun characters of base64 is data, such as an inline photo.
// It separates words and contains none.
type tokenizer struct {
	work      *task // an error of its steps ends the text; nil for none
	text      string
	at        int    // the next byte to read
	run       int    // the end of the last run that was measured
	word      []byte // the current word, overwritten by next
	umlauts   []int  // where respelling it inserts an e
	glued     bool   // the word directly follows another one in a script without spaces
	separated bool   // a NUL is between the previous word and this one
	spaceless bool   // the text read last is a word in a script without spaces
}

// next advances to the next word and reports whether there is one.
func (t *tokenizer) next() bool {
	if len(t.umlauts) > 0 {
		t.respell()
		return true
	}
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
		// An umlaut is a letter, or the diaeresis that follows its base.
		if r >= utf8.RuneSelf && strings.ContainsRune("äöü\u0308", r) &&
			bytes.ContainsAny(t.word[max(0, len(t.word)-1):], "aou") {
			t.umlauts = append(t.umlauts, len(t.word))
		}
		t.at += size
	}
	return len(t.word) > 0
}

// respell replaces the current word with the one that has ae, oe, ue for its umlauts.
func (t *tokenizer) respell() {
	folded, from := string(t.word), 0
	t.word = t.word[:0]
	for _, at := range t.umlauts {
		t.word = append(append(t.word, folded[from:at]...), 'e')
		from = at
	}
	t.word, t.umlauts = append(t.word, folded[from:]...), t.umlauts[:0]
}

// maxRun exceeds the length of words, and of the chains that people write with
// hyphens and slashes.
const maxRun = 128

// skipData skips a run of base64 that begins here, if it is data, and reports whether it
// did.
func (t *tokenizer) skipData() bool {
	start := t.at
	t.run = start
	for t.run < len(t.text) && inRuns[t.text[t.run]] {
		t.run++
	}
	if t.work.step(20+t.run-start) != nil {
		t.run = len(t.text)
	} else if t.run-start <= maxRun {
		t.run++ // the character that ends this run cannot begin another one
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

// A class is the role of a character in words.
type class uint8

const (
	separator class = iota
	letter          // part of a word
	wholeWord       // a character of a script without spaces
	invisible       // ignored
)

// classify returns the narrow lower-case form of a character, and its class.
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
	case r >= 0x0E00 && (r == 'ー' || r == 'ｰ' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)):
		return r, wholeWord
	case r == '\u200B': // the zero-width space
		return r, separator
	case unicode.Is(unicode.Inherited, r), unicode.Is(unicode.Cf, r),
		unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Cyrillic):
		return r, invisible
	case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
		return r, letter
	}
	return r, separator
}

// singular returns a word without a final s or x, which may mark a plural.
func singular(word string) string {
	if n := len(word) - 1; n > 0 && (word[n] == 's' || word[n] == 'x') {
		return word[:n]
	}
	return word
}

// Index
// -----

// An Index maps each word to the rows in which it occurs, in whatever field. Any number
// of goroutines may search it while one updates it.
type Index struct {
	mu   sync.RWMutex         // guards the rest, and is only held briefly
	rows map[string]*[]uint32 // posting lists by word, ascending

	// Prefix searches need the words sorted; recent are the words that were added after
	// the last sort. A word in either may no longer have a posting list.
	sorted, recent []string
}

// newIndex returns an index of the documents of the first rows.
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
		*list = slices.Clone(*list) // without spare capacity
	}
	x.sortWords()
	return x
}

// sortWords sorts all words. Only the goroutine that updates the index may call it,
// because it reads rows without the lock.
func (x *Index) sortWords() {
	words := slices.Sorted(maps.Keys(x.rows))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.sorted, x.recent = words, nil
}

// update replaces a document. It locks the index for a part of the words at a time, so
// that until it returns the row may be found by words of either document.
func (x *Index) update(row uint32, before, after document) {
	removed, added := wordsOf(before), wordsOf(after)
	for word := range added {
		if removed[word] {
			delete(removed, word)
			delete(added, word)
		}
	}
	x.change(added, row, x.insert)
	x.change(removed, row, x.remove)
	// A prefix search looks at the recent words one by one, so they must stay few.
	if len(x.recent) > max(1000, len(x.sorted)/16) {
		x.sortWords()
	}
}

// change calls apply for each word and the row, and releases the lock from time to time.
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

// wordsOf returns the words of a document.
func wordsOf(d document) map[string]bool {
	words := map[string]bool{}
	for field := range searchedFields {
		for t := (tokenizer{text: d(field)}); t.next(); {
			words[string(t.word)] = true
		}
	}
	return words
}

// match returns those of the first rows that match a query. It reads the documents for
// what the index does not have: fields and the order of words. The result is undefined
// for rows that change meanwhile.
func (x *Index) match(work *task, s search, rows int, documents func(row uint32) document) (found rowSet, err error) {
	exact := true
	for _, g := range s {
		var union rowSet
		for _, t := range g {
			matches, err := x.term(work, t, rows)
			if err != nil {
				return nil, err
			}
			exact = exact && t.exact()
			if t.negated {
				if !t.exact() {
					clear(matches) // a row with all words may still not match
				}
				matches = matches.not(rows)
			}
			union = union.or(matches)
		}
		found = found.and(union)
	}
	if found == nil {
		return newRowSet(rows), nil // an empty query matches nothing
	}
	if exact {
		return found, nil
	}
	for row := range found.all() {
		matches, err := s.matches(work, documents(row))
		if err != nil {
			return nil, err
		}
		found.set(row, matches)
	}
	return found, nil
}

// exact reports whether the index alone decides which rows match the term.
func (t term) exact() bool {
	return t.field == anyField && !slices.ContainsFunc(t.units, func(u unit) bool { return len(u.words) > 1 })
}

// term returns those of the first rows that have all words of a term.
func (x *Index) term(work *task, t term, rows int) (found rowSet, err error) {
	for _, u := range t.units {
		for _, token := range u.words {
			set := newRowSet(rows)
			words := x.forms(token.word, u.prefix)
			if token.respelled != "" {
				words = append(words, x.forms(token.respelled, u.prefix)...)
			}
			for len(words) > 0 {
				done, steps := x.addRows(set, rows, words)
				words = words[done:]
				if err := work.step(steps); err != nil {
					return nil, err
				}
			}
			found = found.and(set)
		}
	}
	return found, work.step(len(found))
}

// forms returns the words that match a word of a query: the word itself, its singular
// and its plurals or, for a prefix, all indexed words that begin with it.
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

// addRows adds the posting lists of words to a set of the first rows. It may stop early,
// to hold the lock only briefly; done is the number of words that it has added.
func (x *Index) addRows(set rowSet, rows int, words []string) (done, steps int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for done < len(words) && steps < 100_000 {
		steps += 20
		if list := x.rows[words[done]]; list != nil {
			n, _ := slices.BinarySearch(*list, uint32(rows)) // the set has no room for later rows
			set.add((*list)[:n])
			steps += n
		}
		done++
	}
	return done, steps
}

// Texts
// -----

// A token is a word as found by a [tokenizer].
type token struct {
	word, respelled  string // the second one is "" for a word without ä, ö, ü
	glued, separated bool
}

// tokens yields the words of the text.
func (t *tokenizer) tokens(yield func(token) bool) {
	for t.next() {
		word := token{word: string(t.word), glued: t.glued, separated: t.separated}
		if len(t.umlauts) > 0 && t.next() {
			word.respelled = string(t.word)
		}
		if !yield(word) {
			return
		}
	}
}

// A reading gives the words of a document to the terms of a query. It splits only the
// texts that they need. After an error all texts are empty.
type reading struct {
	work     *task
	document document
	texts    [len(searchedFields)][]token
}

// text returns the words of a field.
func (r *reading) text(field int) []token {
	if r.work.step(20) != nil {
		return nil
	}
	if r.texts[field] == nil {
		t := tokenizer{work: r.work, text: r.document(field)}
		r.texts[field] = slices.AppendSeq([]token{}, t.tokens)
	}
	return r.texts[field]
}

// matches reports whether the query matches a document, without the index.
func (s search) matches(work *task, d document) (bool, error) {
	r := &reading{work: work, document: d}
	for _, g := range s {
		matches := slices.ContainsFunc(g, func(t term) bool { return t.matches(r) != t.negated })
		if !matches || work.err != nil {
			return false, work.err
		}
	}
	return len(s) > 0, nil
}

// matches reports whether all units of the term occur in the texts of a document.
func (t term) matches(r *reading) bool {
	return !slices.ContainsFunc(t.units, func(u unit) bool {
		for field := range searchedFields {
			if (t.field == anyField || t.field == field) && u.occursIn(r, field) {
				return false
			}
		}
		return true
	})
}

// occursIn reports whether the words of the unit occur in a text one after the other.
func (u unit) occursIn(r *reading, field int) bool {
	for text := r.text(field); len(text) >= len(u.words); text = text[1:] {
		same := 0
		for same < len(u.words) && u.matches(same, &text[same]) {
			same++
		}
		if same == len(u.words) {
			return true
		}
		if r.work.step(5*(1+same)) != nil {
			return false
		}
	}
	return false
}

// matches reports whether a token matches a word of the unit.
func (u unit) matches(i int, t *token) bool {
	word := &u.words[i]
	found := u.finds(word.word, t) || word.respelled != "" && u.finds(word.respelled, t)
	return found && (i == 0 || !t.separated) && (t.glued || !word.glued)
}

// finds reports whether a token, in either spelling, is a word, its plural or its
// singular, or begins with it if that is a prefix.
func (u unit) finds(word string, t *token) bool {
	for _, found := range [...]string{t.word, t.respelled} {
		if u.prefix && strings.HasPrefix(found, word) ||
			!u.prefix && (word == found || singular(word) == found || word == singular(found)) {
			return true
		}
	}
	return false
}

// Query language
// --------------

// A search is a parsed query. It matches a document if all of its groups do, and nothing
// if it has none.
type search []group

// A group matches if any of its terms does.
type group []term

// A term matches if all of its units do or, if it is negated, if not all of them do.
type term struct {
	negated bool
	*operand
}

// An operand is what a term asks for. The terms of a query share equal ones.
type operand struct {
	operator string // OR, AND or NOT if the term may be an operator, else ""
	field    int    // an index of searchedFields, or anyField
	units    []unit
	words    int // in all units
}

// A unit is a word, a phrase of several words, or the beginning of a word.
type unit struct {
	words  []token
	prefix bool
}

const anyField = -1

// maxTerms is the number of different terms that a query may have.
const maxTerms = 1000

// parseSearch parses a query:
//
//	query = *( space / term )
//	term  = [ "-" ] [ field ":" ] ( quote *any quote / 1*( any but space and quote ) [ "*" ] )
//	field = "title" / "text" / "location" / "station" / "details" / "notes"
//	quote = one of " “ ” „ « »
//
// A quote that is not closed extends to the end. Terms without a letter or digit are
// ignored. OR between two terms puts them into one group, AND between two terms changes
// nothing, and NOT before a term negates it; elsewhere these are words. A query of only
// negated terms matches nothing.
//
// It is an error if there are more than maxTerms different terms. A term counts once for
// each of its words, and once for each group that has it. Repeated groups count once.
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
	operands, words := map[string]*operand{}, 0
	for query != "" && words <= maxTerms && work.step(500) == nil {
		var t term
		t, query = parseTerm(work, strings.TrimLeft(query, " "))
		if len(t.units) == 0 {
			continue
		}
		text := fmt.Sprint(*t.operand)
		if operands[text] == nil {
			operands[text] = t.operand
			words += t.words
		}
		t.operand = operands[text]
		terms = append(terms, t)
		work.step(100 * t.words)
	}
	s := grouped(work, terms)
	asked := 0
	for _, t := range slices.Concat(s...) {
		asked += t.words
	}
	if work.err == nil && max(words, asked) > maxTerms {
		return nil, fail(invalid, "Invalid query provided: it has more than %d different terms.", maxTerms)
	}
	return s, work.err
}

// grouped returns the query that the terms and the operators among them form. A query of
// only negated terms matches nothing.
func grouped(work *task, terms []term) (s search) {
	joins, negates, positive := false, false, false
	seen := map[string]bool{}
	endGroup := func() {
		last := max(0, len(s)-1)
		text := fmt.Sprint(s[last:])
		if seen[text] {
			s = s[:last]
		}
		seen[text] = true
	}
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
			endGroup()
			s = append(s, group{})
		}
		g := &s[len(s)-1]
		if !slices.Contains(*g, t) {
			*g = append(*g, t)
		}
		if work.step(100+len(*g)) != nil {
			return nil
		}
		joins, negates = false, false
	}
	endGroup()
	if !positive {
		return nil
	}
	return s
}

// parseTerm parses the term at the beginning of a query and returns the rest. White
// space must already be spaces, and all quotes the ASCII one.
func parseTerm(work *task, query string) (t term, rest string) {
	t.operand = &operand{field: anyField}
	query, t.negated = strings.CutPrefix(query, "-")
	for i, name := range searchedFields {
		if after, ok := strings.CutPrefix(query, name+":"); ok && after != "" && after[0] != ' ' {
			t.field, query = i, after
			break
		}
	}
	if query, ok := strings.CutPrefix(query, `"`); ok {
		phrase, rest, _ := strings.Cut(query, `"`)
		t.units, t.words = units(work, phrase, true)
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
	t.units, t.words = units(work, stem, false)
	if n := len(t.units); stem != text && n > 0 && len(t.units[n-1].words) == 1 {
		r, _ := utf8.DecodeLastRuneInString(stem)
		_, class := classify(r)
		t.units[n-1].prefix = class != separator // the star directly follows the word
	}
	return t, rest
}

// units returns the words of a text as one phrase, or as a unit each. Characters of a
// script without spaces stay together either way. It stops after more than maxTerms words.
func units(work *task, text string, phrase bool) (us []unit, words int) {
	t := tokenizer{work: work, text: text}
	for word := range t.tokens {
		if len(us) == 0 || !phrase && !word.glued {
			us = append(us, unit{})
		}
		u := &us[len(us)-1]
		u.words = append(u.words, word)
		if words++; words > maxTerms {
			break
		}
	}
	return us, words
}

// Duplicates
// ----------

// A home contains the facts about a flat that identify a home. Unknown ones are "", or
// NaN.
type home struct {
	id                    string // "" if the flat is in no group; its photos still count
	cost, area, rooms     float64
	currency              string
	code, location, phone string
	photos, urls          []string // addresses
	merged                []string // the ids of flats that are the same home
	apart                 []string // the ids of flats that are other homes
}

// A homeGroup is a set of flats that are probably the same home. Each reason applies to
// at least two of them.
type homeGroup struct {
	rows    []uint32
	because []string
	apart   map[*homeGroup]bool // the groups that must not be joined with this one
}

// A grouping is a partition of rows into groups.
type grouping struct {
	work  *task
	group []*homeGroup // by row
}

// join joins the groups of two rows for the given reasons. It reports false, and changes
// nothing, if the groups must stay apart. It moves the smaller group, so that each row
// moves rarely.
func (g *grouping) join(a, b uint32, because ...string) bool {
	small, large := g.group[a], g.group[b]
	if len(small.rows) > len(large.rows) {
		small, large = large, small
	}
	if small != large {
		if small.apart[large] {
			return false
		}
		g.work.step(10*len(small.rows) + 100*len(small.apart))
		for _, row := range small.rows {
			g.group[row] = large
		}
		for other := range small.apart {
			delete(other.apart, small)
			other.apart[large], large.apart[other] = true, true
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
	maxShared = 8  // the flats that may share a photo or URL of a home; more share an agency's logo
	maxAlike  = 50 // the flats in a set, and the sets that a flat is compared with
	maxHouses = 8  // the house numbers in a location
)

// duplicates returns the groups of flats that are probably the same home, in the order
// of their first rows.
func duplicates(work *task, homes []home) (groups []*homeGroup, err error) {
	g := &grouping{work, make([]*homeGroup, len(homes))}
	g.joinLinked(homes)
	g.joinAlike(homes)
	if work.err != nil {
		return nil, work.err
	}
	seen := map[*homeGroup]bool{}
	for _, group := range g.group {
		if len(group.rows) > 1 && !seen[group] {
			slices.Sort(group.rows)
			slices.Sort(group.because)
			groups = append(groups, group)
			seen[group] = true
		}
	}
	return groups, nil
}

// A link is an address that flats may share, and the reason why those are the same home.
type link struct{ because, address string }

// links returns the addresses of a flat's photos, and its own.
func (h home) links() (links []link) {
	for _, address := range h.photos {
		links = append(links, link{"photo", address})
	}
	for _, address := range h.urls {
		links = append(links, link{"url", address})
	}
	return links
}

// joinLinked puts each flat into a group of its own, and then joins flats if one is
// merged into the other or if they share a link.
func (g *grouping) joinLinked(homes []home) {
	rows, sharing := make(map[string]uint32, len(homes)), make(map[link][]uint32, len(homes))
	for row, h := range homes {
		g.group[row] = &homeGroup{rows: []uint32{uint32(row)}, apart: map[*homeGroup]bool{}}
		rows[h.id] = uint32(row)
		for _, l := range h.links() {
			sharing[l] = append(sharing[l], uint32(row))
			g.work.step(20)
		}
		g.work.step(20)
	}
	delete(rows, "")
	for row, h := range homes {
		for _, id := range h.apart {
			if other, ok := rows[id]; ok && other != uint32(row) {
				a, b := g.group[row], g.group[other]
				a.apart[b], b.apart[a] = true, true
			}
			g.work.step(50)
		}
	}
	for row, h := range homes {
		for _, id := range h.merged {
			if other, ok := rows[id]; ok && other != uint32(row) {
				g.join(uint32(row), other, "merged_ids")
			}
			g.work.step(20)
		}
		for _, l := range h.links() {
			g.work.step(20)
			if len(sharing[l]) > maxShared {
				continue
			}
			for _, other := range sharing[l] {
				if other < uint32(row) && h.id != "" && homes[other].id != "" {
					g.join(uint32(row), other, l.because)
				}
			}
		}
		if g.work.step(20) != nil {
			return
		}
	}
}

// A likeness contains the facts by which flats are alike. A text is replaced by a number
// that depends on the currency, too, or by 0 if it is unknown.
type likeness struct {
	row                   uint32
	cost, area, rooms     float64
	code, location, phone int
	houses                []string // the house numbers in the location
	costs, areas          [2]int   // the steps of flats that may be alike, its own first
}

// reasons returns the reasons why two flats are probably the same home, or nil.
func (l *likeness) reasons(other *likeness) (because []string) {
	const about = 1 + 1e-9 // allows for rounding in float64
	if math.Abs(l.area-other.area) > about || 50*math.Abs(l.cost-other.cost) > max(l.cost, other.cost)*about {
		return nil
	}
	if l.rooms < other.rooms || l.rooms > other.rooms { // false if either is NaN
		return nil
	}
	shared := func(house string) bool { return slices.Contains(other.houses, house) }
	if len(l.houses) > 0 && len(other.houses) > 0 && !slices.ContainsFunc(l.houses, shared) {
		return nil
	}
	sameCode := l.code != 0 && l.code == other.code
	sameLocation := l.location != 0 && l.location == other.location
	if sameCode || sameLocation && (l.code == 0 || other.code == 0) {
		because = append(because, "place")
	}
	if l.phone != 0 && l.phone == other.phone {
		because = append(because, "phone")
	}
	return because
}

// joinAlike joins flats that are alike. It puts each flat into the first set in which
// any two flats are alike. To compare few of them, it finds sets by the facts about
// their first flat: the code, location or phone, and the cost and area in steps of
// twice the tolerance.
func (g *grouping) joinAlike(homes []home) {
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
	setsAt := map[[3]int][]int{} // by text, cost and area
	for row, h := range homes {
		if h.id == "" || math.IsNaN(h.cost+h.area) {
			continue
		}
		l := likeness{
			row:      uint32(row),
			cost:     h.cost,
			area:     h.area,
			rooms:    h.rooms,
			houses:   houseNumbers(h.location),
			code:     number(h.code, h.currency),
			location: number(h.location, h.currency),
			phone:    number(h.phone, h.currency),
			costs:    nearby(math.Log(max(h.cost, 0.01)) / 0.0406),
			areas:    nearby(h.area / 2.02),
		}
		flats = append(flats, l)
		texts := slices.DeleteFunc([]int{l.code, l.location, l.phone}, func(text int) bool { return text == 0 })
		var candidates []int
		for _, text := range texts {
			for i := range 4 {
				near := setsAt[[3]int{text, l.costs[i/2], l.areas[i%2]}]
				candidates = append(candidates, near[max(0, len(near)-maxAlike):]...)
			}
		}
		slices.Sort(candidates)
		unlike := func(other likeness) bool { return g.work.step(20) != nil || l.reasons(&other) == nil }
		joins := func(set int) bool {
			flats := sets[set]
			return len(flats) < maxAlike && !slices.ContainsFunc(flats, unlike) && g.join(l.row, flats[0].row)
		}
		if i := slices.IndexFunc(slices.Compact(candidates), joins); i >= 0 {
			set := candidates[i]
			sets[set] = append(sets[set], l)
		} else {
			for _, text := range texts {
				key := [3]int{text, l.costs[0], l.areas[0]}
				setsAt[key] = append(setsAt[key], len(sets))
			}
			sets = append(sets, []likeness{l})
		}
		if g.work.step(200+50*len(candidates)) != nil {
			return
		}
	}
	g.explain(flats)
}

// explain adds to each group the reasons that apply to any two of its flats, not only to
// the pairs that were joined. It compares each flat with those near it until a reason is
// found. A few flats on one spot usually suffice for that, and at most maxAlike are compared.
func (g *grouping) explain(flats []likeness) {
	type spot struct {
		group            *homeGroup
		reason           string
		text, cost, area int
	}
	near := map[spot][]*likeness{}
	flats = slices.DeleteFunc(flats, func(l likeness) bool { return len(g.group[l.row].rows) == 1 })
	// Flats without a code come first, because others share a location only with these.
	slices.SortFunc(flats, func(a, b likeness) int { return cmp.Compare(a.code, b.code) })
	for i := range flats {
		l, group := &flats[i], g.group[flats[i].row]
		compare := func(reason string, texts ...int) {
			for _, text := range texts {
				for n := 0; n < 4 && text != 0 && !slices.Contains(group.because, reason); n++ {
					for _, other := range near[spot{group, reason, text, l.costs[n/2], l.areas[n%2]}] {
						g.join(l.row, other.row, l.reasons(other)...)
						g.work.step(20)
					}
				}
			}
			own := spot{group, reason, texts[0], l.costs[0], l.areas[0]}
			if len(near[own]) < maxAlike {
				near[own] = append(near[own], l)
			}
		}
		compare("place", cmp.Or(l.code, l.location), l.location)
		compare("phone", l.phone)
		if g.work.step(300) != nil {
			return
		}
	}
}

// houseNumbers returns the numbers of one to three digits in a location, up to that of a
// floor: a later number with a full stop, as in "12 3., th" and "12, 3. OG". Flats of
// different houses often have the floor and the door in common. It returns maxHouses
// numbers at most.
func houseNumbers(location string) (numbers []string) {
	isNone := func(r rune) bool { return r != '.' && (r < '0' || r > '9') }
	for part := range strings.FieldsFuncSeq(location, isNone) {
		number := strings.Trim(part, ".")
		if number != "" && number+"." == part && len(numbers) > 0 || len(numbers) == maxHouses {
			break
		}
		if number != "" && len(number) <= 3 {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// nearby returns the step that contains a number, which is its floor, and the
// neighbouring step that is closer to the number.
func nearby(number float64) [2]int {
	step := int(math.Floor(number))
	if number-float64(step) < 0.5 {
		return [2]int{step, step - 1}
	}
	return [2]int{step, step + 1}
}
