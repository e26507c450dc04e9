package main

import (
	"iter"
	"maps"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// This file is the full-text search: how texts fall into words, the index
// that knows which rows hold a word, and the query language over it.

// searchedFields are the parts of a [document]. A query can name one.
var searchedFields = [...]string{"title", "text", "location", "station", "details", "notes"}

// notesField is the last of them, and the one that changes often.
const notesField = len(searchedFields) - 1

// A document is what search sees of a record: the text of each searched field,
// by its number. A NUL parts two texts in one field: no phrase reaches over it.
type document func(field int) string

// folds maps each letter that is more than a base letter to what search
// takes it for: the base letter of every composed lower-case Latin, Greek and
// Cyrillic letter (Unicode's canonical decomposition), and the letters that
// stand for two or that keyboards lack.
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

// A tokenizer walks over the words of a text:
//
//	word = 1*( letter / digit / mark )   in scripts with spaces
//	     / letter / digit / mark         in scripts without
//
// folded to lower case, without diacritics, full-width forms made narrow.
// Combining marks and invisible format characters fold to nothing and part
// no word. The zero value with a text is ready; it is not for two goroutines.
type tokenizer struct {
	text string
	at   int    // the next byte to read
	word []byte // the current word, overwritten by next
	// glued: the word is a character of a script without spaces, right
	// behind another one.
	glued bool
	// parted: a NUL stands between the last word and this one.
	parted bool
	solo   bool // the last word was such a character, and nothing came since
}

// next goes to the next word and reports whether there is one.
func (t *tokenizer) next() bool {
	t.word, t.parted = t.word[:0], false
	solo := t.solo
	t.solo = false
	for t.at < len(t.text) {
		c := t.text[t.at]
		if c < utf8.RuneSelf {
			if c = asciiFold[c]; c > ' ' {
				t.word = append(t.word, c)
				t.at++
				continue
			}
			if len(t.word) > 0 {
				break
			}
			if c == 0 {
				t.parted = true
			}
			solo = false
			t.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		r = unicode.ToLower(r)
		if '！' <= r && r <= '～' {
			r = unicode.ToLower(r - '！' + '!')
		}
		switch {
		case spaceless(r):
			if len(t.word) > 0 {
				t.glued = false
				return true
			}
			t.at += size
			if mark, size := utf8.DecodeRuneInString(t.text[t.at:]); mark == voiced || mark == halfVoiced {
				r = composeKana(r, mark)
				t.at += size
			}
			t.word = utf8.AppendRune(t.word, r)
			t.glued, t.solo = solo, true
			return true
		case unicode.Is(unicode.Inherited, r), unicode.Is(unicode.Cf, r) && r != zeroWidthSpace,
			unicode.Is(unicode.Mn, r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Cyrillic):
			// Folds to nothing.
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if fold, ok := folds[r]; ok {
				t.word = append(t.word, fold...)
			} else {
				t.word = utf8.AppendRune(t.word, r)
			}
		default:
			if len(t.word) > 0 {
				t.glued = false
				return true
			}
			solo = false
		}
		t.at += size
	}
	t.glued = false
	return len(t.word) > 0
}

// asciiFold is what each ASCII byte is to a word: itself in lower case, 0 for
// NUL, a space for everything that parts words.
var asciiFold = func() (table [utf8.RuneSelf]byte) {
	for c := 1; c < len(table); c++ {
		r := rune(c)
		table[c] = ' '
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			table[c] = byte(unicode.ToLower(r))
		}
	}
	return table
}()

// zeroWidthSpace parts words, as its name says, unlike the other characters
// that do not show.
const zeroWidthSpace = '\u200B'

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

// spaceless tells the characters of scripts that put no space between words.
func spaceless(r rune) bool {
	return r >= 0x0E00 && (r == 'ー' || r == 'ｰ' ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// singular is a word without the -s or -x of a plural.
func singular(word string) string {
	if n := len(word) - 1; n > 0 && (word[n] == 's' || word[n] == 'x') {
		return word[:n]
	}
	return word
}

// sameWord reports whether two words are one, or a word and its plural.
func sameWord(a, b string) bool { return a == b || singular(a) == b || a == singular(b) }

// An Index knows the rows of each word of the documents that were added. Its
// owner guards it: any number of match, or one change.
type Index struct {
	// rows has the words of notes behind [ofNotes], apart from those of other
	// fields: so these need no look when notes change.
	rows map[string]*postings
	// sorted and fresh have all words, and some that no row has any longer:
	// sorted in order, fresh those that have come since.
	sorted, fresh []string
}

// ofNotes marks a word of notes; no word has a NUL.
const ofNotes = "\x00"

func newIndex() *Index { return &Index{rows: map[string]*postings{}} }

// mostFresh is how many words come before they are sorted in.
const mostFresh = 4000

// learn remembers a word that has no rows yet.
func (x *Index) learn(word string) *postings {
	rows := &postings{}
	x.rows[word] = rows
	if x.fresh = append(x.fresh, word); len(x.fresh) > mostFresh {
		x.sortIn()
	}
	return rows
}

// sortIn sorts the fresh words in. Where many words have no row any longer, it
// begins anew without them.
func (x *Index) sortIn() {
	if len(x.sorted)+len(x.fresh) > 2*len(x.rows) {
		x.sorted, x.fresh = slices.Sorted(maps.Keys(x.rows)), nil
		return
	}
	slices.Sort(x.fresh)
	all := make([]string, 0, len(x.sorted)+len(x.fresh))
	old := x.sorted
	for _, word := range x.fresh {
		n, again := slices.BinarySearch(old, word)
		all = append(all, old[:n]...)
		if old = old[n:]; !again && (len(all) == 0 || all[len(all)-1] != word) {
			all = append(all, word)
		}
	}
	x.sorted, x.fresh = append(all, old...), nil
}

// beginning yields the words that begin with some letters.
func (x *Index) beginning(letters string) iter.Seq[string] {
	return func(yield func(string) bool) {
		from, _ := slices.BinarySearch(x.sorted, letters)
		for _, word := range x.sorted[from:] {
			if !strings.HasPrefix(word, letters) || !yield(word) {
				break
			}
		}
		for _, word := range x.fresh {
			if strings.HasPrefix(word, letters) && !yield(word) {
				return
			}
		}
	}
}

// fill makes the index anew, of a number of rows, with all processors. It
// takes the texts from a function that any goroutine may call.
func (x *Index) fill(rows int, text func(row uint32, field int) string) {
	parts := make([]map[string]*postings, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range parts {
		group.Go(func() {
			parts[i] = map[string]*postings{}
			for row := rows * i / len(parts); row < rows*(i+1)/len(parts); row++ {
				for field := range searchedFields {
					for word := range keys(field, text(uint32(row), field)) {
						p := parts[i][string(word)]
						if p == nil {
							p = &postings{}
							parts[i][string(word)] = p
						}
						p.add(uint32(row))
					}
				}
			}
		})
	}
	group.Wait()
	x.rows = parts[0]
	for _, part := range parts[1:] {
		for word, rows := range part {
			if x.rows[word] != nil {
				rows = union([]*postings{x.rows[word], rows})
			}
			x.rows[word] = rows
		}
	}
	x.sorted, x.fresh = slices.Sorted(maps.Keys(x.rows)), nil
}

// keys yields the words of a field as the index has them, as often as they
// come up. The bytes are good until the next one.
func keys(field int, text string) iter.Seq[[]byte] {
	if field != notesField {
		return words(text)
	}
	return func(yield func([]byte) bool) {
		key := []byte(ofNotes)
		for word := range words(text) {
			if key = append(key[:len(ofNotes)], word...); !yield(key) {
				return
			}
		}
	}
}

// A change is what an update of a document means to the index: the words
// that it has no longer, and those that are new.
type change struct{ gone, come []string }

// difference compares two documents, of which it asks for the texts of fields
// as it needs them; changed says which fields differ. It reads nothing of the
// index, so that it needs no guard.
func difference(changed [len(searchedFields)]bool, before, after document) change {
	var c change
	// known are the words of fields that change: those that these had, that
	// they still have, and that have come.
	const had, has, came = 1, 2, 3
	known := map[string]int{}
	for field, changed := range changed {
		if changed {
			for word := range keys(field, before(field)) {
				known[string(word)] = had
			}
		}
	}
	gone := len(known)
	for field, changed := range changed {
		if !changed {
			continue
		}
		for word := range keys(field, after(field)) {
			switch known[string(word)] {
			case had:
				known[string(word)] = has
				gone--
			case 0:
				w := string(word)
				known[w] = came
				c.come = append(c.come, w)
			}
		}
	}
	// Only a word that has gone from one field has to be looked for in those
	// that stay, if it is not one of notes.
	var some uint64 // the bits of those
	for word, state := range known {
		if state == had && strings.HasPrefix(word, ofNotes) {
			gone--
		} else if state == had {
			some |= bitOf(word)
		}
	}
	for field := 0; field < notesField && gone > 0; field++ {
		if changed[field] {
			continue
		}
		for word := range words(after(field)) {
			if some&bitOf(word) != 0 && known[string(word)] == had {
				known[string(word)] = has
				gone--
			}
		}
	}
	for word, state := range known {
		if state == had {
			c.gone = append(c.gone, word)
		}
	}
	return c
}

// bitOf is one of 64 bits. Words that have different ones are not the same,
// which is sooner found out than whether they are in a map.
func bitOf[word string | []byte](w word) uint64 {
	return 1 << ((int(w[0])*5 + int(w[len(w)-1])*3 + len(w)) % 64)
}

// apply brings the index in step with a changed document.
func (x *Index) apply(row uint32, c change) {
	for _, word := range c.come {
		rows := x.rows[word]
		if rows == nil {
			rows = x.learn(word)
		}
		rows.add(row)
	}
	for _, word := range c.gone {
		rows := x.rows[word]
		rows.remove(row)
		if rows.n == 0 {
			delete(x.rows, word)
		}
	}
}

// match finds the rows that a query holds for, of a number of rows in all. A
// query without a positive word holds for none. Where it is not sure, the rows
// are those that the query may hold for, and their documents have to tell: the
// index knows no order of words, and no fields. The result may be shared with
// the index: it is good for as long as the index is guarded, and not to be
// changed.
func (x *Index) match(s search, rows int) (found *postings, sure bool) {
	found, sure = &postings{}, true
	if !s.positive() {
		return found, true
	}
	var all, without []*postings
	for _, g := range s {
		var either []*postings
		for _, t := range g {
			some, exact := x.term(t)
			sure = sure && exact
			switch {
			case !t.negated:
				either = append(either, some)
			case len(g) > 1 && exact:
				either = append(either, some.complement(rows))
			case len(g) > 1:
				either = append(either, (&postings{}).complement(rows))
			case exact:
				without = append(without, some)
			}
		}
		if either == nil {
			continue
		}
		set := union(either)
		if set.n == 0 {
			return set, true
		}
		all = append(all, set)
	}
	if len(all) == 0 {
		found = found.complement(rows)
	} else {
		found = intersect(all)
	}
	if without != nil {
		found = found.subtract(union(without))
	}
	return found, sure
}

// positive reports whether the query asks for anything.
func (s search) positive() bool {
	return slices.ContainsFunc(s, func(g group) bool {
		return slices.ContainsFunc(g, func(t term) bool { return !t.negated })
	})
}

// term finds the rows that have all words of a term; exact says that the term
// asks for no more.
func (x *Index) term(t term) (rows *postings, exact bool) {
	var sets []*postings
	exact = t.field == anyField
	for _, u := range t.units {
		exact = exact && len(u.words) == 1
		for _, word := range u.words {
			sets = append(sets, x.word(word, u.prefix))
		}
	}
	return intersect(sets), exact
}

// word finds the rows of a word and its plurals and singular, or of all words
// that begin like it.
func (x *Index) word(word string, prefix bool) *postings {
	var sets []*postings
	add := func(word string) {
		if rows := x.rows[word]; rows != nil {
			sets = append(sets, rows)
		}
	}
	for _, mark := range []string{"", ofNotes} {
		word := mark + word
		if prefix {
			for word := range x.beginning(word) {
				add(word)
			}
			continue
		}
		add(word)
		add(word + "s")
		add(word + "x")
		if s := singular(word); s != word {
			add(s)
		}
	}
	return union(sets)
}

// A reader decides a query about documents, one after the other, by their texts
// alone. It is not for two goroutines.
type reader struct {
	search search
	// known has the words that the query can ask for, under themselves: of all
	// other words it does not matter which they are, unless any word may have
	// the beginning that is asked for.
	known     map[string]string
	bits      uint64 // of the known words
	beginning bool
	tokens    [len(searchedFields)][]token // of the last document, as far as it was read
}

func (s search) reader() *reader {
	r := &reader{search: s, known: map[string]string{}}
	for _, g := range s {
		for _, t := range g {
			for _, u := range t.units {
				r.beginning = r.beginning || u.prefix
				for _, word := range u.words {
					for _, same := range []string{word, word + "s", word + "x", singular(word)} {
						r.known[same] = same
						r.bits |= bitOf(same)
					}
				}
			}
		}
	}
	return r
}

// holds decides the query about one document, of which it reads what it needs.
func (r *reader) holds(d document) bool {
	var read [len(searchedFields)]bool
	tokens := func(field int) []token {
		if !read[field] {
			read[field] = true
			r.tokens[field] = r.tokenize(r.tokens[field][:0], d(field))
		}
		return r.tokens[field]
	}
	return !slices.ContainsFunc(r.search, func(g group) bool {
		return !slices.ContainsFunc(g, func(t term) bool { return t.in(tokens) != t.negated })
	})
}

// A token is a word as a [tokenizer] finds it, "" for any that does not matter.
type token struct {
	word          string
	glued, parted bool
}

// tokenize appends the words of a text to tokens.
func (r *reader) tokenize(tokens []token, text string) []token {
	for t := (tokenizer{text: text}); t.next(); {
		word := ""
		if r.beginning {
			word = string(t.word)
		} else if r.bits&bitOf(t.word) != 0 {
			word = r.known[string(t.word)]
		}
		tokens = append(tokens, token{word, t.glued, t.parted})
	}
	return tokens
}

// in reports whether all units of the term stand in the texts of a document.
func (t term) in(tokens func(field int) []token) bool {
	return !slices.ContainsFunc(t.units, func(u unit) bool {
		for field := range searchedFields {
			if (t.field == anyField || t.field == field) && u.in(tokens(field)) {
				return false
			}
		}
		return true
	})
}

// in reports whether the unit stands in a text: its words one behind the
// other, with nothing but what parts words between them.
func (u unit) in(text []token) bool {
	for start := range text {
		if u.prefix && strings.HasPrefix(text[start].word, u.words[0]) {
			return true
		}
		if u.prefix || start+len(u.words) > len(text) {
			continue
		}
		same := 0
		for i, word := range u.words {
			t := &text[start+i]
			if !sameWord(word, t.word) || i > 0 && t.parted || u.glued[i] && !t.glued {
				break
			}
			same++
		}
		if same == len(u.words) {
			return true
		}
	}
	return false
}

// words yields the words of a text, as often as they come up. The bytes are
// good until the next one.
func words(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for t := (tokenizer{text: text}); t.next(); {
			if !yield(t.word) {
				return
			}
		}
	}
}

// A search is a parsed query: all of its groups must match.
type search []group

// A group matches where any of its terms does.
type group []term

// A term matches where all of its units do, or, negated, where not all do.
type term struct {
	source  string // as it stands in the query
	negated bool
	or      bool // the term is the word OR as it stands
	field   int  // of searchedFields, or -1 for any of them
	units   []unit
}

// A unit is a word, a phrase of several words, or the beginning of a word.
type unit struct {
	words  []string
	glued  []bool // the word touches the one before it, see tokenizer
	prefix bool
}

const anyField = -1

// parseSearch reads a query, whatever it holds:
//
//	query = *( space / term )
//	term  = [ "-" ] [ field ":" ] ( quote *any quote / 1*( any but space and quote ) [ "*" ] )
//	field = "title" / "text" / "location" / "station" / "details" / "notes"
//	quote = one of " “ ” „ « »
//
// A quote that is not closed reaches to the end; what holds no letter and no
// digit is passed over. OR between two terms makes a group of them; anywhere
// else it is a word.
func parseSearch(query string) search {
	var terms []term
	for {
		query = strings.TrimLeftFunc(query, unicode.IsSpace)
		if query == "" {
			break
		}
		t, rest := parseTerm(query)
		if len(t.units) > 0 {
			t.source = query[:len(query)-len(rest)]
			terms = append(terms, t)
		}
		query = rest
	}
	var s search
	for i := 0; i < len(terms); i++ {
		if terms[i].or && 0 < i && i < len(terms)-1 {
			i++
			s[len(s)-1] = append(s[len(s)-1], terms[i])
			continue
		}
		s = append(s, group{terms[i]})
	}
	// To say something twice asks for no more, but would take twice as long.
	said := make(map[string]bool, len(s))
	return slices.DeleteFunc(s, func(g group) bool {
		source := g[0].source
		if len(g) > 1 {
			var b strings.Builder
			for _, t := range g {
				b.WriteString(t.source + " ")
			}
			source = b.String()
		}
		again := said[source]
		said[source] = true
		return again
	})
}

// parseTerm reads the term that a query begins with and returns the rest.
func parseTerm(query string) (t term, rest string) {
	t.field = anyField
	query, t.negated = strings.CutPrefix(query, "-")
	for i, name := range searchedFields {
		after, ok := strings.CutPrefix(query, name+":")
		if r, _ := utf8.DecodeRuneInString(after); ok && after != "" && !unicode.IsSpace(r) {
			t.field, query = i, after
			break
		}
	}
	if r, size := utf8.DecodeRuneInString(query); isQuote(r) {
		phrase, rest := cutFunc(query[size:], isQuote)
		_, size = utf8.DecodeRuneInString(rest)
		t.units, _ = units(phrase, true)
		return t, rest[size:]
	}
	text, rest := cutFunc(query, func(r rune) bool { return unicode.IsSpace(r) || isQuote(r) })
	t.or = text == "OR" && t.field == anyField && !t.negated
	stem := strings.TrimRight(text, "*")
	var whole bool
	t.units, whole = units(stem, false)
	if n := len(t.units); stem != text && whole && n > 0 && len(t.units[n-1].words) == 1 {
		t.units[n-1].prefix = true
	}
	return t, rest
}

// units are the words of a text, all in one phrase or each for itself; the
// characters of a script without spaces stay together either way. whole says
// that the last word reaches to the end of the text.
func units(text string, phrase bool) (us []unit, whole bool) {
	t := tokenizer{text: text}
	for t.next() {
		whole = t.at == len(text)
		if n := len(us); n == 0 || !phrase && !t.glued {
			us = append(us, unit{})
		}
		u := &us[len(us)-1]
		u.glued = append(u.glued, t.glued && len(u.words) > 0)
		u.words = append(u.words, string(t.word))
	}
	return us, whole
}

func isQuote(r rune) bool { return strings.ContainsRune("\"“”„«»", r) }

// cutFunc cuts s before the first rune that f holds for.
func cutFunc(s string, f func(rune) bool) (before, after string) {
	if i := strings.IndexFunc(s, f); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// postings is a set of row numbers: a sorted list while the rows are few, a
// bitmap once that is smaller. The zero value is empty. Its owner guards it.
type postings struct {
	list []uint32
	bits []uint64 // row r is bit r%64 of bits[r/64]; nil while list holds the rows
	n    int      // how many rows there are
}

// add adds a row, at no cost beyond memory where it is the greatest.
func (p *postings) add(row uint32) {
	if p.bits == nil {
		i, found := len(p.list), false
		if i > 0 && row == p.list[i-1] {
			return
		}
		if i > 0 && row < p.list[i-1] {
			i, found = slices.BinarySearch(p.list, row)
		}
		if found {
			return
		}
		p.list = slices.Insert(p.list, i, row)
		p.n++
		if last := p.list[p.n-1]; p.n >= 64 && uint32(p.n) > last/32 {
			p.bits = make([]uint64, last/64+1)
			for _, row := range p.list {
				p.bits[row/64] |= 1 << (row % 64)
			}
			p.list = nil
		}
		return
	}
	for int(row/64) >= len(p.bits) {
		p.bits = append(p.bits, 0)
	}
	if w := &p.bits[row/64]; *w&(1<<(row%64)) == 0 {
		*w |= 1 << (row % 64)
		p.n++
	}
}

func (p *postings) remove(row uint32) {
	if !p.has(row) {
		return
	}
	p.n--
	if p.bits != nil {
		p.bits[row/64] &^= 1 << (row % 64)
		return
	}
	i, _ := slices.BinarySearch(p.list, row)
	p.list = slices.Delete(p.list, i, i+1)
}

func (p *postings) has(row uint32) bool {
	if p.bits != nil {
		return int(row/64) < len(p.bits) && p.bits[row/64]&(1<<(row%64)) != 0
	}
	_, found := slices.BinarySearch(p.list, row)
	return found
}

// all yields the rows in ascending order.
func (p *postings) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, row := range p.list {
			if !yield(row) {
				return
			}
		}
		for i, w := range p.bits {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// intersect returns the rows that are in each of the sets, which are put in
// order of size. One set is returned itself, none gives the empty set.
func intersect(sets []*postings) *postings {
	if len(sets) == 0 {
		return &postings{}
	}
	slices.SortFunc(sets, func(a, b *postings) int { return a.n - b.n })
	first, rest := sets[0], sets[1:]
	if len(rest) == 0 {
		return first
	}
	// A list may be longer than a bitmap of few rows: take a list if there is one.
	if i := slices.IndexFunc(sets, func(p *postings) bool { return p.bits == nil }); i >= 0 {
		sets[0], sets[i] = sets[i], sets[0]
		found := &postings{}
		for _, row := range sets[0].list {
			if !slices.ContainsFunc(rest, func(p *postings) bool { return !p.has(row) }) {
				found.list = append(found.list, row)
			}
		}
		found.n = len(found.list)
		return found
	}
	short := slices.MinFunc(sets, func(a, b *postings) int { return len(a.bits) - len(b.bits) })
	found := &postings{bits: slices.Clone(short.bits)}
	for _, p := range sets {
		for i := range found.bits {
			found.bits[i] &= p.bits[i]
		}
	}
	found.count()
	return found
}

// union returns the rows that are in any of the sets. One set is returned
// itself.
func union(sets []*postings) *postings {
	if len(sets) == 1 {
		return sets[0]
	}
	listed := 0
	for _, p := range sets {
		listed += len(p.list)
	}
	found := &postings{list: make([]uint32, 0, listed)}
	for _, p := range sets {
		for i, w := range p.bits {
			if i == len(found.bits) {
				found.bits = append(found.bits, p.bits[i:]...)
				break
			}
			found.bits[i] |= w
		}
		found.list = append(found.list, p.list...)
	}
	slices.Sort(found.list)
	found.list = slices.Compact(found.list)
	if found.bits == nil {
		found.n = len(found.list)
		return found
	}
	found.count()
	list := found.list
	found.list = nil
	for _, row := range list {
		found.add(row)
	}
	return found
}

// subtract returns the rows that are not in the other set.
func (p *postings) subtract(other *postings) *postings {
	if p.bits == nil || other.bits == nil {
		return p.keep(func(row uint32) bool { return !other.has(row) })
	}
	found := &postings{bits: slices.Clone(p.bits)}
	for i := range min(len(p.bits), len(other.bits)) {
		found.bits[i] &^= other.bits[i]
	}
	found.count()
	return found
}

// complement returns those of a number of rows that are not in the set.
func (p *postings) complement(rows int) *postings {
	all := &postings{bits: make([]uint64, (rows+63)/64), n: rows}
	for i := range all.bits {
		all.bits[i] = ^uint64(0)
	}
	if rows%64 != 0 {
		all.bits[rows/64] = 1<<(rows%64) - 1
	}
	return all.subtract(p)
}

// keep returns the rows that all checks hold for.
func (p *postings) keep(checks ...func(uint32) bool) *postings {
	if len(checks) == 0 {
		return p
	}
	found := &postings{}
	for row := range p.all() {
		if !slices.ContainsFunc(checks, func(check func(uint32) bool) bool { return !check(row) }) {
			found.list = append(found.list, row)
		}
	}
	found.n = len(found.list)
	return found
}

func (p *postings) count() {
	p.n = 0
	for _, w := range p.bits {
		p.n += bits.OnesCount64(w)
	}
}
