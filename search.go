// Search: words, the language of queries, and what matches in a text. index.go finds the rows that match, and
// misspelled.go the words that a misspelled one may mean.

package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

// words returns the simplified words of a text, and after a word with umlauts its other spelling.
func words(text string) (list []string) {
	for t := (tokenizer{text: text}); t.next(); {
		list = append(list, string(t.word))
		if respelled := t.respelled(); respelled != "" {
			list = append(list, respelled)
		}
	}
	return list
}

// isSeparator reports whether a character separates words.
func isSeparator(r rune) bool {
	_, class := classify(r)
	return class == separator
}

// A document returns the text of a record in a searched field, by the number of the field. A phrase does
// not match across a NUL in the text.
type document func(field int) string

// simpleLetters maps letters to their replacements in words. It has every composed lower-case
// Latin, Greek and Cyrillic letter with its base (Unicode's canonical decomposition),
// ligatures, and letters that keyboards lack.
var simpleLetters = makeSimpleLetters(map[string]string{
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

func makeSimpleLetters(letters map[string]string) map[rune]string {
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
// with ä, ö or ü has two spellings: Küche is simplified to kuche, and respelled as kueche.
//
// A run of more than maxRun characters of base64 is data, such as an inline photo.
// It separates words and contains none.
type tokenizer struct {
	work        *turns.Task // is told the work, in steps of a few nanoseconds; may be nil
	text        string
	at          int    // the next byte to read
	measured    int    // the offset up to which skipData has measured runs
	word        []byte // the current word, overwritten by next
	umlauts     []int  // the offsets in word at which respelled inserts an e
	isGlued     bool   // the word directly follows another one in a script without spaces
	isAfterNUL  bool   // there is a NUL between the previous word and this one
	isSpaceless bool   // the current word is a character of a script without spaces
}

// next advances to the next word and reports whether there is one.
func (t *tokenizer) next() bool {
	mayBeGlued := t.isSpaceless // until something separates the words
	t.word, t.umlauts = t.word[:0], t.umlauts[:0]
	t.isAfterNUL, t.isGlued, t.isSpaceless = false, false, false
	for t.at < len(t.text) {
		if t.at >= t.measured && t.skipData() {
			mayBeGlued = false
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
			t.isGlued, t.isSpaceless = mayBeGlued, true
			return true
		case class == separator:
			t.isAfterNUL = t.isAfterNUL || r == 0
			mayBeGlued = false
		case class == letter:
			if r < utf8.RuneSelf {
				t.word = append(t.word, byte(r))
			} else if simple, ok := simpleLetters[r]; ok {
				t.word = append(t.word, simple...)
			} else {
				t.word = utf8.AppendRune(t.word, r)
			}
		}
		// An umlaut is one character such as ä, or a letter and U+0308, the diaeresis. Either way the word ends in the
		// simple letter now.
		mayBeUmlaut := r >= utf8.RuneSelf && strings.ContainsRune("äöü\u0308", r)
		lastLetter := t.word[max(0, len(t.word)-1):]
		if mayBeUmlaut && bytes.ContainsAny(lastLetter, "aou") {
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
	start, end := t.at, t.at
	for end < len(t.text) && inRuns[t.text[end]] {
		end++
	}
	t.work.Step(20 + end - start)
	if end-start <= maxRun || isRule(t.text[start:end]) {
		t.measured = end + 1 // the character that ends this run cannot begin another one
		return false
	}
	t.at, t.measured = end, end
	return true
}

// isRule reports whether a run is mostly signs, as in a line of dashes after a word.
func isRule(run string) bool {
	signs := 0
	for i := range len(run) {
		if strings.IndexByte("+/-_=", run[i]) >= 0 {
			signs++
		}
	}
	return signs > len(run)/2
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

// singular returns a word without a final s or x, which may mark a plural: rooms, bureaux.
func singular(word string) string {
	if n := len(word) - 1; n > 0 && (word[n] == 's' || word[n] == 'x') {
		return word[:n]
	}
	return word
}

// A token is a word as found by a [tokenizer].
type token struct {
	word, respelled     string          // respelled is "" for a word without ä, ö, ü
	isGlued, isAfterNUL bool            // as in tokenizer
	near                map[string]bool // in a search, words that are found instead if no flat has this one
}

// tokens yields the words of the text.
func (t *tokenizer) tokens(yield func(token) bool) {
	for t.next() {
		word := token{word: string(t.word), respelled: t.respelled(), isGlued: t.isGlued, isAfterNUL: t.isAfterNUL}
		if !yield(word) {
			return
		}
	}
}

// matches reports whether the search matches a document, without the index: whether a term of each group holds.
func (s search) matches(work *turns.Task, d document) bool {
	found := s.phrasesIn(work, d)
	for _, g := range s.groups {
		if !slices.ContainsFunc(g, func(t term) bool { return t.matches(found) != t.negated }) {
			return false
		}
	}
	return len(s.groups) > 0
}

// phrasesIn returns the phrases of the search that occur in a document. It splits each text once, and only those
// that the phrases need.
func (s search) phrasesIn(work *turns.Task, d document) map[*searchPhrase]bool {
	found := map[*searchPhrase]bool{}
	for field := range s.fields {
		var sought []*searchPhrase
		for _, t := range slices.Concat(s.groups...) {
			for i := range t.phrases {
				if p := &t.phrases[i]; !found[p] && (t.field == anyField || t.field == field) {
					sought = append(sought, p)
				}
			}
			work.Step(20 * len(t.phrases)) // of a few nanoseconds each
		}
		for _, p := range findPhrases(work, d, field, sought) {
			found[p] = true
		}
	}
	return found
}

// findPhrases returns which of the sought phrases occur in a field of a document, and overwrites sought. It keeps the
// last words of the text alone, as many as the longest phrase has. A search keeps its memory while it waits for its
// turn, and many searches may wait.
func findPhrases(work *turns.Task, d document, field int, sought []*searchPhrase) (found []*searchPhrase) {
	if len(sought) == 0 {
		return nil
	}
	longest := 0
	for _, p := range sought {
		longest = max(longest, len(p.words))
	}
	var lastWords []token // up to the current one
	t := tokenizer{work: work, text: d(field)}
	for word := range t.tokens {
		if len(lastWords) == longest {
			lastWords = lastWords[1:]
		}
		lastWords = append(lastWords, word)
		sought = slices.DeleteFunc(sought, func(p *searchPhrase) bool {
			isFound := p.isAtEnd(work, lastWords)
			if isFound {
				found = append(found, p)
			}
			return isFound
		})
		if len(sought) == 0 {
			break
		}
	}
	return found
}

// matches reports whether all phrases of the term are among the found ones.
func (t term) matches(found map[*searchPhrase]bool) bool {
	for i := range t.phrases {
		if !found[&t.phrases[i]] {
			return false
		}
	}
	return true
}

// isAtEnd reports whether the words of a text end with the words of the phrase.
func (p *searchPhrase) isAtEnd(work *turns.Task, text []token) bool {
	if len(text) < len(p.words) {
		return false
	}
	end := text[len(text)-len(p.words):]
	matched := 0
	for matched < len(end) && p.matches(matched, &end[matched]) {
		matched++
	}
	work.Step(5 * (1 + matched)) // of a few nanoseconds each
	return matched == len(end)
}

// matches reports whether a token matches word i of the phrase.
func (p *searchPhrase) matches(i int, t *token) bool {
	wanted := &p.words[i]
	isAcrossNUL := i > 0 && t.isAfterNUL          // no phrase matches across a NUL: see the type document
	isPulledApart := wanted.isGlued && !t.isGlued // "東京" is not in "東 京", where it is no word
	if isAcrossNUL || isPulledApart {
		return false
	}
	isFound := p.finds(wanted.word, t) || wanted.respelled != "" && p.finds(wanted.respelled, t)
	isNear := wanted.near[t.word] || wanted.near[t.respelled]
	return isFound || isNear
}

// finds reports whether a token, in either spelling, is the word, its plural or its
// singular. If the phrase is the beginning of a word, the token need only begin with it.
func (p *searchPhrase) finds(word string, t *token) bool {
	for _, found := range [...]string{t.word, t.respelled} {
		isSame := word == found || singular(word) == found || word == singular(found)
		if p.isBeginning {
			isSame = strings.HasPrefix(found, word)
		}
		if isSame {
			return true
		}
	}
	return false
}

// A search is a parsed full-text search. It matches a document if all of its groups do. A search
// without groups matches nothing.
type search struct {
	groups []group
	fields []string // the names of the searched fields
}

// isPositive reports whether the search asks for something rather than only excluding something.
func (s search) isPositive() bool {
	isAsked := func(t term) bool { return !t.negated }
	return slices.ContainsFunc(s.groups, func(g group) bool { return slices.ContainsFunc(g, isAsked) })
}

// A group matches if any of its terms does.
type group []term

// A term matches if all of its phrases do: well-kept has two, well and kept, but "well kept" in quotes is one. A
// negated term matches unless all of them do.
type term struct {
	negated bool
	*operand
}

// An operand is a term without its negation. Equal operands of a search are the same pointer, so
// that terms can be compared with ==.
type operand struct {
	// operator is OR, AND or NOT if the term is this word without quotes, field or "-": then groupTerms takes it for an
	// operator or for a word. For other terms it is "".
	operator string
	field    int // the number of a searched field, or anyField
	phrases  []searchPhrase
	words    int  // the number of words in all phrases
	quoted   bool // the term is a phrase, or a word, in quotes
}

// A searchPhrase is a word, a phrase of several words, or the beginning of a word.
type searchPhrase struct {
	words       []token
	isBeginning bool
}

const anyField = -1

// maxTerms is the number of different terms that a search may have.
const maxTerms = 1000

// parseSearch parses the text of a search in the fields with the given names:
//
//	search = *( space / term )
//	term  = [ "-" ] [ field ":" ] ( quote *any quote / 1*( any but space and quote ) [ "*" ] )
//	field = a name
//	quote = one of " “ ” „ « »
//
// A quote that is not closed extends to the end. Terms without a letter or digit are
// ignored. OR between two terms puts them into one group. AND between two terms changes
// nothing. NOT before a term negates it. Elsewhere these are words.
//
// It is an error if there are more than maxTerms different terms. A term of several words counts
// as several, and again in each group that has it. Repeated groups count once.
func parseSearch(work *turns.Task, text string, fields []string) (search, error) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		} else if strings.ContainsRune("“”„«»", r) {
			return '"'
		}
		return r
	}, text)
	var terms []term
	// More operands than twice maxTerms are an error in any case: each but OR, AND and NOT counts as a term below.
	operands := map[string]*operand{}
	for text != "" && len(operands) <= 2*maxTerms {
		work.Step(500) // of a few nanoseconds each
		var t term
		t, text = parseTerm(work, strings.TrimLeft(text, " "), fields)
		if t.words == 0 {
			continue
		}
		content := fmt.Sprint(t.operator, t.field, t.phrases)
		first := operands[content]
		if first == nil {
			first = t.operand
			operands[content] = first
		}
		first.quoted = first.quoted || t.quoted
		t.operand = first
		terms = append(terms, t)
		work.Step(100 * t.words)
	}
	groups := groupTerms(work, terms)
	words := 0
	for _, t := range slices.Concat(groups...) {
		words += t.words
	}
	if words > maxTerms {
		return search{}, errorf(statusInvalid, "Invalid query provided: it has more than %d different terms.", maxTerms)
	}
	return search{groups, fields}, nil
}

// groupTerms returns the groups that the terms and the operators among them form.
func groupTerms(work *turns.Task, terms []term) (all []group) {
	joins, negates := false, false // whether OR, or NOT, stands before the term
	for i, t := range terms {
		// An operator that is last is a word, and so is an AND or OR that is first.
		isLast := i == len(terms)-1
		switch {
		case t.operator == "NOT" && !isLast:
			negates = !negates
			continue
		case t.operator != "" && !isLast && len(all) > 0:
			joins = joins || t.operator == "OR"
			continue
		}
		t.negated = t.negated != negates
		if !joins {
			all = append(all, group{})
		}
		g := &all[len(all)-1]
		if !slices.Contains(*g, t) {
			*g = append(*g, t)
		}
		work.Step(100 + len(*g))
		joins, negates = false, false
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(g group) bool {
		work.Step(100 * len(g))
		text := fmt.Sprint(g) // has the addresses of operands: equal operands have one address
		isRepeated := seen[text]
		seen[text] = true
		return isRepeated
	})
}

// parseTerm parses the term at the beginning of a search and returns the rest. The caller must
// have replaced white space by spaces and typographic quotes by ASCII ones.
func parseTerm(work *turns.Task, text string, fields []string) (t term, rest string) {
	t.operand = &operand{field: anyField}
	text, t.negated = strings.CutPrefix(text, "-")
	for i, name := range fields {
		if after, ok := strings.CutPrefix(text, name+":"); ok && after != "" && after[0] != ' ' {
			t.field, text = i, after
			break
		}
	}
	if text, ok := strings.CutPrefix(text, `"`); ok {
		phrase, rest, _ := strings.Cut(text, `"`)
		t.quoted = true
		t.split(work, phrase)
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
	t.split(work, stem)
	if n := len(t.phrases); hasStar && n > 0 {
		// A star makes the last word a beginning if it directly follows that word, as in gart* but not in gart.*. It has no
		// effect on a phrase of several words: only single words are searched by their beginning.
		beforeStar, _ := utf8.DecodeLastRuneInString(stem)
		last := &t.phrases[n-1]
		last.isBeginning = len(last.words) == 1 && !isSeparator(beforeStar)
	}
	return t, rest
}

// split makes phrases of the words of a text: one phrase if the operand is quoted, else one for each word. Glued words,
// those of a script without spaces, stay in one phrase either way. It stops at one word more than maxTerms, which is
// enough for parseSearch to refuse the search.
func (o *operand) split(work *turns.Task, text string) {
	t := tokenizer{work: work, text: text}
	for word := range t.tokens {
		if len(o.phrases) == 0 || !o.quoted && !word.isGlued {
			o.phrases = append(o.phrases, searchPhrase{})
		}
		p := &o.phrases[len(o.phrases)-1]
		p.words = append(p.words, word)
		o.words++
		if o.words > maxTerms {
			break
		}
	}
}

// simplifiedWords returns the words of texts in the form that searches compare, joined by blanks.
func simplifiedWords(texts ...string) string {
	var simplified []string
	for _, text := range texts {
		t := tokenizer{text: text}
		for t.next() {
			simplified = append(simplified, string(t.word))
		}
	}
	return strings.Join(simplified, " ")
}
