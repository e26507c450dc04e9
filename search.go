package main

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file implements full-text search and finds probable duplicates.
//
//	Words            splitting and folding a text
//	Index            the rows in which a word occurs
//	Texts            matching fields and phrases in the texts themselves
//	Search language  its grammar
//	Duplicates       flats that are probably the same home

// searchedFields are the searched fields, by the names that a search can use.
var searchedFields = [...]string{"title", "text", "location", "station", "details", "notes"}

// A document returns the text of a searched field of a record. A phrase does not match
// across a NUL in the text.
type document func(field int) string

// Words
// -----

// folds maps letters to their replacements in words. It has every composed lower-case
// Latin, Greek and Cyrillic letter with its base (Unicode's canonical decomposition),
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
// with ä, ö or ü has two spellings: Küche is folded to kuche, and respelled as kueche.
//
// A run of more than maxRun characters of base64 is data, such as an inline photo.
// It separates words and contains none.
type tokenizer struct {
	work      *task // counts the steps; may be nil
	text      string
	at        int    // the next byte to read
	run       int    // the offset up to which runs of base64 are measured
	word      []byte // the current word, overwritten by next
	umlauts   []int  // the offsets in word at which respelled inserts an e
	glued     bool   // the word directly follows another one in a script without spaces
	separated bool   // there is a NUL between the previous word and this one
	spaceless bool   // the last word is a character of a script without spaces
}

// next advances to the next word and reports whether there is one.
func (t *tokenizer) next() bool {
	glued := t.spaceless
	t.word, t.umlauts = t.word[:0], t.umlauts[:0]
	t.separated, t.glued, t.spaceless = false, false, false
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
		// An umlaut is one character, which is folded by now, or a base and a combining diaeresis.
		mayBeUmlaut := r >= utf8.RuneSelf && strings.ContainsRune("äöü\u0308", r)
		base := t.word[max(0, len(t.word)-1):]
		if mayBeUmlaut && bytes.ContainsAny(base, "aou") {
			t.umlauts = append(t.umlauts, len(t.word))
		}
		t.at += size
	}
	return len(t.word) > 0
}

// respelled returns the current word with ae, oe and ue for its umlauts, or "" if it has none.
func (t *tokenizer) respelled() string {
	if len(t.umlauts) == 0 {
		return ""
	}
	var b strings.Builder
	from := 0
	for _, at := range t.umlauts {
		b.Write(t.word[from:at])
		b.WriteByte('e')
		from = at
	}
	b.Write(t.word[from:])
	return b.String()
}

// maxRun is the length up to which a run of base64 characters is read as words. It exceeds the
// length of words, and of words that people join with hyphens and slashes.
const maxRun = 128

// skipData measures the run of base64 that begins at t.at. It skips the run if it is data,
// and reports whether it did.
func (t *tokenizer) skipData() bool {
	start := t.at
	t.run = start
	for t.run < len(t.text) && inRuns[t.text[t.run]] {
		t.run++
	}
	t.work.step(20 + t.run - start)
	if t.run-start <= maxRun {
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

var spacelessScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

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
	if '！' <= r && r <= '～' { // full-width ASCII
		r = unicode.ToLower(r - '！' + '!')
	}
	switch {
	// The first of these scripts, Thai, begins at U+0E00, so most letters need no table lookup.
	// The marks that lengthen a vowel in Japanese are in none of the tables.
	case r >= 0x0E00 && (r == 'ー' || r == 'ｰ' || unicode.In(r, spacelessScripts...)):
		return r, wholeWord
	case r == '\u200B': // the zero-width space
		return r, separator
	// Combining marks, format characters, and marks that writers of these scripts may omit.
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

// An Index maps each word to the rows in which it occurs, in any field. Any number of
// goroutines may search it while one updates it.
type Index struct {
	mu   sync.RWMutex        // guards the rest, and is only held briefly
	rows map[string][]uint32 // posting lists by word, ascending

	// Prefix searches need sorted words. recent has the words added since the last sort. A
	// word in either list may no longer have a posting list.
	sorted, recent []string
}

// newIndex returns an index of the documents of the first size rows.
func newIndex(size int, documents func(row uint32) document) *Index {
	x := &Index{rows: map[string][]uint32{}}
	for row := range uint32(size) {
		for word := range wordsOf(documents(row)) {
			x.rows[word] = append(x.rows[word], row)
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
	removed, added := wordsOf(before), wordsOf(after)
	for word := range added {
		if !removed[word] {
			x.insert(word, row)
		}
	}
	for word := range removed {
		if !added[word] {
			x.remove(word, row)
		}
	}
	// A prefix search compares the recent words one by one, so they must stay few.
	if len(x.recent) > max(1000, len(x.sorted)/16) {
		x.sortWords()
	}
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

// wordsOf returns the words of a document.
func wordsOf(d document) map[string]bool {
	words := map[string]bool{}
	for field := range searchedFields {
		for t := (tokenizer{text: d(field)}); t.next(); {
			words[string(t.word)] = true
			if respelled := t.respelled(); respelled != "" {
				words[respelled] = true
			}
		}
	}
	return words
}

// match returns which of the first size rows match a search. The index stores neither
// fields nor word order: for these, match reads the documents. The result is undefined for
// rows that change during the call.
func (x *Index) match(work *task, s search, size int, documents func(row uint32) document) (found rowSet) {
	exact := true
	for _, g := range s {
		union := newRowSet(size)
		for _, t := range g {
			matches := x.rowsWith(work, t, size)
			exact = exact && t.exact()
			if t.negated {
				if !t.exact() {
					clear(matches) // only the texts can exclude rows, below
				}
				matches = matches.not(size)
			}
			union.or(matches)
		}
		found = found.and(union)
	}
	if found == nil {
		return newRowSet(size) // an empty search matches nothing
	}
	if exact {
		return found
	}
	for row := range found.all() {
		found.set(row, s.matches(work, documents(row)))
	}
	return found
}

// exact reports whether the index alone decides which rows match the term.
func (t term) exact() bool {
	isPhrase := func(u unit) bool { return len(u.words) > 1 }
	return t.field == anyField && !slices.ContainsFunc(t.units, isPhrase)
}

// rowsWith returns which of the first size rows have all words of a term.
func (x *Index) rowsWith(work *task, t term, size int) (found rowSet) {
	for _, u := range t.units {
		for _, wanted := range u.words {
			set := newRowSet(size)
			words := x.forms(wanted.word, u.prefix)
			if wanted.respelled != "" {
				words = append(words, x.forms(wanted.respelled, u.prefix)...)
			}
			for _, word := range words {
				work.step(20 + x.addRows(set, size, word))
			}
			found = found.and(set)
		}
	}
	work.step(len(found))
	return found
}

// forms returns the words that match a word of a search: the word itself, its singular
// and its plurals. For a prefix, it returns the indexed words that begin with it.
func (x *Index) forms(word string, prefix bool) []string {
	if !prefix {
		return []string{word, singular(word), word + "s", word + "x"}
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
	return slices.DeleteFunc(slices.Concat(sorted, recent), isOther)
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

// Texts
// -----

// A token is a word as found by a [tokenizer].
type token struct {
	word, respelled  string // respelled is "" for a word without ä, ö, ü
	glued, separated bool
}

// tokens yields the words of the text.
func (t *tokenizer) tokens(yield func(token) bool) {
	for t.next() {
		if !yield(token{string(t.word), t.respelled(), t.glued, t.separated}) {
			return
		}
	}
}

// A reading holds the words of a document while terms are matched. It splits only the
// texts that the terms need.
type reading struct {
	work     *task
	document document
	words    [len(searchedFields)][]token // nil for fields that are not split yet
}

// wordsIn returns the words of a field.
func (r *reading) wordsIn(field int) []token {
	r.work.step(20)
	if r.words[field] == nil {
		t := tokenizer{work: r.work, text: r.document(field)}
		r.words[field] = slices.AppendSeq([]token{}, t.tokens)
	}
	return r.words[field]
}

// matches reports whether the search matches a document, without the index.
func (s search) matches(work *task, d document) bool {
	r := &reading{work: work, document: d}
	for _, g := range s {
		if !slices.ContainsFunc(g, func(t term) bool { return t.matches(r) != t.negated }) {
			return false
		}
	}
	return len(s) > 0
}

// matches reports whether all units of the term occur in the texts of a document.
func (t term) matches(r *reading) bool {
	for _, u := range t.units {
		occurs := false
		for field := range searchedFields {
			isSearched := t.field == anyField || t.field == field
			occurs = occurs || isSearched && u.occursIn(r, field)
		}
		if !occurs {
			return false
		}
	}
	return true
}

// occursIn reports whether the words of the unit occur in a field one after the other.
func (u unit) occursIn(r *reading, field int) bool {
	for rest := r.wordsIn(field); len(rest) >= len(u.words); rest = rest[1:] {
		same := 0
		for same < len(u.words) && u.matches(same, &rest[same]) {
			same++
		}
		if same == len(u.words) {
			return true
		}
		r.work.step(5 * (1 + same))
	}
	return false
}

// matches reports whether a token matches word i of the unit.
func (u unit) matches(i int, t *token) bool {
	wanted := &u.words[i]
	if i > 0 && t.separated || wanted.glued && !t.glued {
		return false
	}
	return u.finds(wanted.word, t) || wanted.respelled != "" && u.finds(wanted.respelled, t)
}

// finds reports whether a token, in either spelling, is the word, its plural or its
// singular. If the unit is a prefix, the token need only begin with the word.
func (u unit) finds(word string, t *token) bool {
	for _, found := range [...]string{t.word, t.respelled} {
		same := word == found || singular(word) == found || word == singular(found)
		if u.prefix {
			same = strings.HasPrefix(found, word)
		}
		if same {
			return true
		}
	}
	return false
}

// Search language
// ---------------

// A search is a parsed full-text search. It matches a document if all of its groups do. A search
// without groups matches nothing.
type search []group

// A group matches if any of its terms does.
type group []term

// A term matches if all of its units do. A negated term matches unless all of them do.
type term struct {
	negated bool
	*operand
}

// An operand is a term without its negation. Equal operands of a search are the same pointer, so
// that terms can be compared with ==.
type operand struct {
	operator string // OR, AND or NOT if the term may be an operator, else ""
	field    int    // an index of searchedFields, or anyField
	units    []unit
	words    int // the number of words in all units
}

// A unit is a word, a phrase of several words, or the beginning of a word.
type unit struct {
	words  []token
	prefix bool
}

const anyField = -1

// maxTerms is the number of different terms that a search may have.
const maxTerms = 1000

// parseSearch parses the text of a search:
//
//	search = *( space / term )
//	term  = [ "-" ] [ field ":" ] ( quote *any quote / 1*( any but space and quote ) [ "*" ] )
//	field = "title" / "text" / "location" / "station" / "details" / "notes"
//	quote = one of " “ ” „ « »
//
// A quote that is not closed extends to the end. Terms without a letter or digit are
// ignored. OR between two terms puts them into one group. AND between two terms changes
// nothing. NOT before a term negates it. Elsewhere these are words. A search of only negated
// terms matches nothing.
//
// It is an error if there are more than maxTerms different terms. A term of several words counts
// as several, and again in each group that has it. Repeated groups count once.
func parseSearch(work *task, text string) (search, error) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		} else if strings.ContainsRune("“”„«»", r) {
			return '"'
		}
		return r
	}, text)
	var terms []term
	// To bound the work, stop when there are certainly too many terms: all operands except
	// operators count below.
	operands := map[string]*operand{}
	for text != "" && len(operands) <= 2*maxTerms {
		work.step(500)
		var t term
		t, text = parseTerm(work, strings.TrimLeft(text, " "))
		if t.words == 0 {
			continue
		}
		content := fmt.Sprint(*t.operand)
		if operands[content] == nil {
			operands[content] = t.operand
		}
		t.operand = operands[content]
		terms = append(terms, t)
		work.step(100 * t.words)
	}
	s := grouped(work, terms)
	words, positive := 0, false
	for _, t := range slices.Concat(s...) {
		words += t.words
		positive = positive || !t.negated
	}
	if words > maxTerms {
		return nil, fail(statusInvalid, "Invalid query provided: it has more than %d different terms.", maxTerms)
	}
	if !positive {
		return nil, nil
	}
	return s, nil
}

// grouped returns the search that the terms and the operators among them form.
func grouped(work *task, terms []term) (s search) {
	joins, negates := false, false
	for i, t := range terms {
		// An operator that is last is a word, and so is an AND or OR that is first.
		last := i == len(terms)-1
		switch {
		case t.operator == "NOT" && !last:
			negates = !negates
			continue
		case t.operator != "" && !last && len(s) > 0:
			joins = joins || t.operator == "OR"
			continue
		}
		t.negated = t.negated != negates
		if !joins {
			s = append(s, group{})
		}
		g := &s[len(s)-1]
		if !slices.Contains(*g, t) {
			*g = append(*g, t)
		}
		work.step(100 + len(*g))
		joins, negates = false, false
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(s, func(g group) bool {
		work.step(100 * len(g))
		text := fmt.Sprint(g) // has the addresses of operands, which are the same for equal ones
		repeated := seen[text]
		seen[text] = true
		return repeated
	})
}

// parseTerm parses the term at the beginning of a search and returns the rest. The caller must
// have replaced white space by spaces and typographic quotes by ASCII ones.
func parseTerm(work *task, text string) (t term, rest string) {
	t.operand = &operand{field: anyField}
	text, t.negated = strings.CutPrefix(text, "-")
	for i, name := range searchedFields {
		if after, ok := strings.CutPrefix(text, name+":"); ok && after != "" && after[0] != ' ' {
			t.field, text = i, after
			break
		}
	}
	if text, ok := strings.CutPrefix(text, `"`); ok {
		phrase, rest, _ := strings.Cut(text, `"`)
		t.split(work, phrase, true)
		return t, rest
	}
	end := strings.IndexAny(text, ` "`)
	if end < 0 {
		end = len(text)
	}
	word, rest := text[:end], text[end:]
	if (word == "OR" || word == "AND" || word == "NOT") && t.field == anyField && !t.negated {
		t.operator = word
	}
	stem := strings.TrimRight(word, "*")
	hasStar := stem != word
	t.split(work, stem, false)
	if n := len(t.units); hasStar && n > 0 && len(t.units[n-1].words) == 1 {
		r, _ := utf8.DecodeLastRuneInString(stem)
		_, class := classify(r)
		t.units[n-1].prefix = class != separator // the star directly follows the word
	}
	return t, rest
}

// split makes units of the words of a text: one phrase, or one unit for each word. Glued words
// stay in one unit either way. It stops after more than maxTerms words.
func (o *operand) split(work *task, text string, phrase bool) {
	t := tokenizer{work: work, text: text}
	for word := range t.tokens {
		if len(o.units) == 0 || !phrase && !word.glued {
			o.units = append(o.units, unit{})
		}
		u := &o.units[len(o.units)-1]
		u.words = append(u.words, word)
		o.words++
		if o.words > maxTerms {
			break
		}
	}
}

// Duplicates
// ----------

// A home contains the facts of a flat that are compared to find its duplicates. Unknown facts are
// "" or NaN. The id of a flat with the status duplicate is "": it joins no group, but counts as one
// of the flats that share a link (maxShared).
type home struct {
	id                    string
	cost, area, rooms     float64
	currency              string
	code, location, phone string
	address               *address // in the location; set when first needed
	links                 []link
	merged                []string // the ids of flats that are the same home
	apart                 []string // the ids of flats that are other homes
}

// A link is a web address that flats of one home may share, and the reason to group them.
type link struct{ because, url string }

// alike returns the reasons why two flats are probably the same home by their facts, or nil. Cost
// and area must be known. Areas may differ by 1 m², and costs by 2 %.
func (h *home) alike(other *home) (because []string) {
	const slack = 1 + 1e-9 // for rounding in float64
	const maxAreaGap = 1 * slack
	maxCostGap := 0.02 * max(h.cost, other.cost) * slack
	if math.Abs(h.area-other.area) > maxAreaGap || math.Abs(h.cost-other.cost) > maxCostGap {
		return nil
	}
	if h.currency != other.currency {
		return nil
	}
	if h.rooms < other.rooms || h.rooms > other.rooms { // false if either is NaN
		return nil
	}
	place, otherPlace := h.code, other.code
	if place == "" || otherPlace == "" {
		place, otherPlace = h.location, other.location
	}
	if place != "" && place == otherPlace {
		because = append(because, "place")
	}
	if h.phone != "" && h.phone == other.phone {
		because = append(because, "phone")
	}
	if because != nil && h.parsedAddress().differs(other.parsedAddress()) {
		return nil
	}
	return because
}

// An address is the part of a location that tells homes apart.
type address struct {
	street    string   // the first four letters of the street, folded
	respelled string   // the same with ae, oe, ue for ä, ö, ü
	numbers   []string // of the house with its letter, the floor, and the door; nil if unknown
}

// differs reports whether two addresses belong to different homes.
func (a *address) differs(b *address) bool {
	known := min(len(a.numbers), len(b.numbers)) // numbers that both addresses have
	sameStreet := a.street == b.street || a.respelled == b.respelled
	sameNumbers := slices.Equal(a.numbers[:known], b.numbers[:known])
	return known > 0 && !(sameStreet && sameNumbers)
}

// addressPattern matches a street, the house number, its letter, and the rest. An ordinal
// is not a house number, as in "Straße des 17. Juni 135".
var addressPattern = regexp.MustCompile(`(?s)(\p{L}[^,0-9]*),? *([0-9]{1,3})[ /]?(\p{L}?)((?:[^.0-9\p{L}].*)?)$`)

// maxLocation limits the bytes of a location that are searched for an address.
const maxLocation = 200

// parsedAddress returns the address in the location. The floor and the door are the first
// numbers of one or two digits after the house number.
func (h *home) parsedAddress() *address {
	if h.address != nil {
		return h.address
	}
	h.address = &address{}
	parts := addressPattern.FindStringSubmatch(h.location[:min(len(h.location), maxLocation)])
	if parts == nil {
		return h.address
	}
	var street, respelled string
	t := tokenizer{text: parts[1]}
	for word := range t.tokens {
		street += word.word
		respelled += cmp.Or(word.respelled, word.word)
	}
	house := strings.ToLower(parts[2] + parts[3])
	numbers := strings.FieldsFunc(parts[4], func(r rune) bool { return r < '0' || r > '9' })
	numbers = slices.DeleteFunc(numbers, func(number string) bool { return len(number) > 2 })
	floorAndDoor := numbers[:min(2, len(numbers))]
	h.address.street = firstLetters(street)
	h.address.respelled = firstLetters(respelled)
	h.address.numbers = append([]string{house}, floorAndDoor...)
	return h.address
}

// firstLetters returns the first four letters of a street. Only these are compared, because sites
// abbreviate the rest.
func firstLetters(street string) string { return fmt.Sprintf("%.4s", street) }

// A homeGroup is a set of flats that are probably the same home. Each reason joined at
// least two of them.
type homeGroup struct {
	rows    []uint32
	because []string
	apart   map[*homeGroup]bool // the groups that must not be joined with this one
}

// A grouping is a partition of homes into groups.
type grouping struct {
	work  *task
	homes []home
	rows  map[string]uint32 // by id
	group []*homeGroup      // by row
}

const (
	maxShared = 8  // the most flats that share a photo or URL of a home; more share an agency's logo
	maxAlike  = 50 // the most flats in a set of joinAlike, and the most sets compared at a spot
)

// duplicates returns the groups of flats that are probably the same home, in the order
// of their first rows.
func duplicates(work *task, homes []home) (groups []*homeGroup) {
	g := &grouping{work: work, homes: homes, rows: make(map[string]uint32, len(homes))}
	for row, h := range homes {
		g.group = append(g.group, &homeGroup{rows: []uint32{uint32(row)}, apart: map[*homeGroup]bool{}})
		if h.id != "" {
			g.rows[h.id] = uint32(row)
		}
		work.step(20)
	}
	g.keepApart()
	g.joinLinked()
	g.joinAlike()
	seen := map[*homeGroup]bool{}
	for _, group := range g.group {
		if len(group.rows) > 1 && !seen[group] {
			slices.Sort(group.rows)
			slices.Sort(group.because)
			groups = append(groups, group)
			seen[group] = true
		}
	}
	return groups
}

// others returns the rows of the ids that the flat at a row lists, without that row itself.
func (g *grouping) others(row uint32, ids []string) (rows []uint32) {
	for _, id := range ids {
		if other, ok := g.rows[id]; ok && other != row {
			rows = append(rows, other)
		}
		g.work.step(50)
	}
	return rows
}

// keepApart marks the groups that must not be joined.
func (g *grouping) keepApart() {
	for row := range g.homes {
		for _, other := range g.others(uint32(row), g.homes[row].apart) {
			a, b := g.group[row], g.group[other]
			a.apart[b], b.apart[a] = true, true
		}
	}
}

// join joins the groups of two rows for the given reasons. It reports false, and changes
// nothing, if the groups must stay apart. It moves the smaller group, so that each row
// moves rarely.
func (g *grouping) join(a, b uint32, because ...string) bool {
	small, large := g.group[a], g.group[b]
	if len(small.rows) > len(large.rows) {
		small, large = large, small
	}
	if small.apart[large] {
		return false
	}
	if small != large {
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

// joinLinked joins flats if one is merged into the other or if they share a link.
func (g *grouping) joinLinked() {
	sharing := make(map[link][]uint32, len(g.homes))
	for row := range g.homes {
		for _, l := range g.homes[row].links {
			sharing[l] = append(sharing[l], uint32(row))
			g.work.step(20)
		}
	}
	for row := range g.homes {
		h := &g.homes[row]
		for _, other := range g.others(uint32(row), h.merged) {
			g.join(uint32(row), other, "merged_ids")
		}
		for _, l := range h.links {
			g.work.step(20)
			if h.id == "" || len(sharing[l]) > maxShared {
				continue
			}
			for _, other := range sharing[l] {
				if other < uint32(row) && g.homes[other].id != "" {
					g.join(uint32(row), other, l.because)
				}
			}
		}
		g.work.step(20)
	}
}

// A spot is where joinAlike looks for flats that are alike: a currency, a code, location or
// phone, and a step of the cost and one of the area. Steps are wider than twice the tolerances
// of alike, so that flats alike to a flat are on its own step or on the nearer one beside it.
type spot struct {
	currency, text     string
	costStep, areaStep float64 // whole numbers
}

const (
	costWidth = 0.0406 // a little more than 2 * -ln(1-0.02): steps divide the logarithm of the cost
	areaWidth = 2.02   // m², a little more than 2 * 1 m²
)

// joinAlike joins flats that are alike. It collects sets in which any two flats are alike. Each
// flat joins the first set that takes it, or else begins a new one. A set is found by the spots
// of its first flat, so that few flats are compared.
func (g *grouping) joinAlike() {
	var sets [][]uint32
	setsAt := map[spot][]int{}
	for row := range g.homes {
		h := &g.homes[row]
		if h.id == "" || math.IsNaN(h.cost) || math.IsNaN(h.area) {
			continue
		}
		positive := max(h.cost, 0.01)            // for the logarithm
		costAt := math.Log(positive) / costWidth // in steps
		areaAt := h.area / areaWidth             // in steps
		var spots []spot
		var candidates []int
		for _, text := range []string{h.code, h.location, h.phone} {
			if text == "" {
				continue
			}
			spots = append(spots, spot{h.currency, text, math.Floor(costAt), math.Floor(areaAt)})
			// Half a step down and half a step up reach the flat's own step and the nearer one beside it.
			for _, nearCost := range []float64{costAt - 0.5, costAt + 0.5} {
				for _, nearArea := range []float64{areaAt - 0.5, areaAt + 0.5} {
					near := setsAt[spot{h.currency, text, math.Floor(nearCost), math.Floor(nearArea)}]
					candidates = append(candidates, near[max(0, len(near)-maxAlike):]...)
				}
			}
		}
		slices.Sort(candidates)
		candidates = slices.Compact(candidates)
		joined := false
		for _, i := range candidates {
			joined = g.joinSet(uint32(row), sets[i])
			if joined {
				sets[i] = append(sets[i], uint32(row))
				break
			}
		}
		if !joined {
			for _, at := range spots {
				setsAt[at] = append(setsAt[at], len(sets))
			}
			sets = append(sets, []uint32{uint32(row)})
		}
		g.work.step(200 + 50*len(candidates))
	}
}

// joinSet joins a flat with the group of a set, if the set has room, all of its flats are
// like this one, and their groups need not stay apart. It reports whether it did.
func (g *grouping) joinSet(row uint32, set []uint32) bool {
	if len(set) == maxAlike {
		return false
	}
	var because []string
	for _, other := range set {
		reasons := g.homes[row].alike(&g.homes[other])
		g.work.step(20)
		if reasons == nil {
			return false
		}
		because = append(because, reasons...)
	}
	return g.join(row, set[0], because...)
}
