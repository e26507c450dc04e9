// A second, naive implementation of lists and search.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
)

// modelFields maps the names of the fields to the types of their values.
var modelFields = map[string]string{
	"id": "any", "title": "string", "text": "string", "area": "number", "cost": "number", "currency": "string",
	"utilities": "string", "rooms": "number", "bedrooms": "number", "date": "datetime", "location": "string",
	"station": "string", "phone": "string", "photos": "any", "urls": "any", "details": "any", "merged_ids": "any",
	"notes": "string", "notation": "number", "status": "any", "visit_date": "datetime", "service_constraint": "string",
	"service_postal_code": "string", "service_stations": "any", "service_time_to": "any",
}

// A model is a store of flats in the order of their file.
type model []*modelFlat

// A modelFlat is a decoded flat. keys and texts are derived from its members once,
// because every query reads them.
type modelFlat struct {
	id    string
	keys  map[string]modelKey
	texts map[string][][]modelWord // by searched field; details may have several
}

// The ranks of values, in the order of lists.
const (
	nullRank = iota
	numberRank
	stringRank
	datetimeRank
	otherRank
)

// A modelKey is a value as lists sort it: by rank, then by the value within the
// rank.
type modelKey struct {
	rank   int
	number *big.Rat
	text   string
	at     time.Time
}

func (a modelKey) compare(b modelKey) int {
	if a.rank != b.rank {
		return cmp.Compare(a.rank, b.rank)
	}
	switch a.rank {
	case numberRank:
		return a.number.Cmp(b.number)
	case datetimeRank:
		return a.at.Compare(b.at)
	}
	return cmp.Compare(a.text, b.text)
}

// newModel decodes a file of flats.
func newModel(t testing.TB, file string) (m model) {
	t.Helper()
	var flats []json.RawMessage
	if err := json.Unmarshal([]byte(file), &flats); err != nil {
		t.Fatal(err)
	}
	for _, text := range flats {
		f := &modelFlat{keys: map[string]modelKey{}, texts: map[string][][]modelWord{}}
		f.setMembers(t, `{"status":"new"}`)
		f.setMembers(t, string(text))
		f.id = f.keys["id"].text
		if f.id == "" {
			f.id = f.keys["id"].number.Num().String()
		}
		m = append(m, f)
	}
	return m
}

// setMembers sets the members of a JSON object on the flat, as PATCH does.
func (f *modelFlat) setMembers(t testing.TB, object string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		t.Fatalf("%v in %s", err, object)
	}
	for name, v := range members {
		f.keys[name] = modelKeyOf(t, modelFields[name], v)
		f.texts[name] = nil
		for _, text := range modelLeaves(v) {
			f.texts[name] = append(f.texts[name], modelWords(text))
		}
	}
}

// modelKeyOf returns the key of a decoded value of a field of the given type.
func modelKeyOf(t testing.TB, kind string, v any) modelKey {
	switch v := v.(type) {
	case nil:
		return modelKey{}
	case json.Number:
		number, _ := modelNumber(v.String())
		return modelKey{rank: numberRank, number: number}
	case string:
		if kind != "datetime" {
			return modelKey{rank: stringRank, text: v}
		}
		at, _, ok := modelDatetime(v)
		if !ok {
			t.Fatalf("the generator produced the invalid datetime %q", v)
		}
		return modelKey{rank: datetimeRank, at: at}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return modelKey{rank: otherRank, text: strings.TrimSuffix(b.String(), "\n")}
}

var modelNumberForm = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

// modelNumber parses a number in a filter.
func modelNumber(s string) (*big.Rat, bool) {
	if !modelNumberForm.MatchString(s) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// modelLenient matches the datetimes that time.Parse accepts beyond the grammar: a
// run of spaces, an hour of one digit, and an offset of 24 hours or 60 minutes.
var modelLenient = regexp.MustCompile(`  |[T ][0-9]:|:[0-9].*[+-](24(:?[0-9]{2})?|[0-9]{2}:?60)$`)

// modelDatetime parses a datetime of the grammar with the layouts of package time.
// offset reports whether it has an offset.
func modelDatetime(s string) (at time.Time, offset, ok bool) {
	for _, clock := range []string{"", "T15:04", " 15:04", "T15:04:05", " 15:04:05"} {
		for _, zone := range []string{"", "Z07:00", "Z0700", "Z07"} {
			if clock == "" && zone != "" {
				continue
			}
			if at, err := time.Parse("2006-01-02"+clock+zone, s); err == nil && !modelLenient.MatchString(s) {
				return at, zone != "", true
			}
		}
	}
	return at, false, false
}

// A modelQuery is a list query of api.md 4.1.
type modelQuery struct {
	filters      [][2]string // field and text
	sort         []string
	size, number int64 // size 0: no paging; number -1: not given
}

// raw returns the query as a query string.
func (q *modelQuery) raw() string {
	var ps []string
	for _, f := range q.filters {
		ps = append(ps, "filter%5B"+f[0]+"%5D="+url.QueryEscape(f[1]))
	}
	if q.sort != nil {
		ps = append(ps, "sort="+url.QueryEscape(strings.Join(q.sort, ",")))
	}
	if q.size > 0 {
		ps = append(ps, "page[size]="+strconv.FormatInt(q.size, 10))
	}
	if q.number >= 0 {
		ps = append(ps, "page%5Bnumber%5D="+strconv.FormatInt(q.number, 10))
	}
	return strings.Join(ps, "&")
}

// equals reports whether a filter for text matches the value, compared by its type.
func (k modelKey) equals(kind, text string) bool {
	switch k.rank {
	case nullRank:
		return false
	case numberRank:
		number, ok := modelNumber(text)
		return ok && k.number.Cmp(number) == 0
	case datetimeRank:
		at, _, ok := modelDatetime(text)
		return ok && k.at.Equal(at)
	}
	return k.text == text
}

// list returns the answer to q, restricted to the flats that match, in the form of
// [service.listed].
func (m model) list(q *modelQuery, match func(*modelFlat) bool) string {
	var found []*modelFlat
	for _, f := range m {
		isFound := match == nil || match(f)
		for _, filter := range q.filters {
			field, text := filter[0], filter[1]
			isFound = isFound && f.keys[field].equals(modelFields[field], text)
		}
		if isFound {
			found = append(found, f)
		}
	}
	sortKeys := q.sort
	if sortKeys == nil {
		sortKeys = []string{"cost"}
	}
	slices.SortStableFunc(found, func(a, b *modelFlat) int {
		for _, key := range sortKeys {
			name, isDescending := strings.CutPrefix(key, "-")
			order := a.keys[name].compare(b.keys[name])
			if isDescending {
				order = -order
			}
			if order != 0 {
				return order
			}
		}
		return 0
	})
	total, items := int64(len(found)), q.size
	number := max(q.number, 0)
	switch {
	case q.size == 0: // no paging
		items = total
	case number > total/q.size: // a page beyond the last one; number * q.size may overflow
		found = nil
	default:
		from := number * q.size
		found = found[from : from+min(q.size, total-from)]
	}
	var ids []string
	for _, f := range found {
		ids = append(ids, f.id)
	}
	return fmt.Sprintf("%s; total %d, page %d, items_per_page %d", strings.Join(ids, " "), total, number, items)
}

// patch updates a random flat in both the service and the model.
func (s *service) patch(m model, random *rand.Rand, members string) {
	s.Helper()
	f := m[random.IntN(len(m))]
	if got := s.ask("PATCH", "/api/v1/flat/"+url.PathEscape(f.id), members); got.status != 200 {
		s.Fatalf("PATCH %s %s: %d %s", f.id, members, got.status, got.body)
	}
	f.setMembers(s, members)
}

// A modelWord is a simplified word of a text.
type modelWord struct {
	text  string // with a, o, u for ä, ö, ü
	long  string // with ae, oe, ue for ä, ö, ü
	glued bool   // follows the word before it without a separator, in a script without spaces
}

// modelLetters maps the special letters in searchWords to their simplified forms.
var modelLetters = map[rune]string{
	'à': "a", 'â': "a", 'ä': "a", 'å': "a", 'ç': "c", 'é': "e", 'è': "e", 'ê': "e", 'ë': "e",
	'î': "i", 'ï': "i",
	'ñ': "n", 'ó': "o", 'ô': "o", 'ö': "o", 'ù': "u", 'û': "u", 'ü': "u", 'ß': "ss", 'æ': "ae",
	'œ': "oe", 'ø': "o",
	'ł': "l", 'đ': "d", 'ı': "i", 'ź': "z",
}

// modelWords splits a text into simplified words.
func modelWords(text string) (words []modelWord) {
	canContinue := false // whether a letter continues the last word
	wasWord := false     // whether the last rune was a word by itself, in a script without spaces
	text = strings.NewReplacer("a\u0308", "ä", "o\u0308", "ö", "u\u0308", "ü").Replace(strings.ToLower(text))
	for _, r := range text {
		switch {
		case 0x0300 <= r && r <= 0x036F:
			continue // a combining diacritic
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			words = append(words, modelWord{text: string(r), long: string(r), glued: wasWord})
			canContinue, wasWord = false, true
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !canContinue {
				words = append(words, modelWord{})
			}
			simple, ok := modelLetters[r]
			if !ok {
				simple = string(r)
			}
			words[len(words)-1].text += simple
			if strings.ContainsRune("äöü", r) {
				simple += "e"
			}
			words[len(words)-1].long += simple
			canContinue = true
		default:
			canContinue = false
		}
		wasWord = false
	}
	return words
}

// modelLeaves returns the strings and numbers in a JSON value. The documents do not say
// whether search reads member names, so random flats name members in letters that no
// query uses.
func modelLeaves(v any) (texts []string) {
	switch v := v.(type) {
	case string:
		texts = append(texts, v)
	case json.Number:
		texts = append(texts, v.String())
	case []any:
		for _, v := range v {
			texts = append(texts, modelLeaves(v)...)
		}
	case map[string]any:
		for _, v := range v {
			texts = append(texts, modelLeaves(v)...)
		}
	}
	return texts
}

// matches reports whether a and b are the same word in either spelling, or a word and its
// plural in -s or -x, or, for a prefix, whether b begins with a.
func (a modelWord) matches(b modelWord, prefix bool) bool {
	for _, x := range []string{a.text, a.long} {
		for _, y := range []string{b.text, b.long} {
			isPlural := x+"s" == y || x+"x" == y || y+"s" == x || y+"x" == x // either of the other
			isSame := x == y || isPlural
			if prefix {
				isSame = strings.HasPrefix(y, x)
			}
			if isSame {
				return true
			}
		}
	}
	return false
}

// A modelTerm is one word or phrase of a search.
type modelTerm struct {
	not    bool // after a minus
	phrase bool // in quotes
	prefix bool // before a *
	field  string
	words  []modelWord
}

// modelTermForm matches a term in its plain form. A query may contain other text, which
// is not an error, but the documents do not define its meaning.
var modelTermForm = regexp.MustCompile(
	`^(-?)(?:(title|text|location|station|details|notes):)?(?:"([^"“”„«»]*)"|` +
		`([\p{L}\p{Nd}\p{M}](?:[\p{L}\p{Nd}\p{M}'’-]*[\p{L}\p{Nd}])?)(\*?))(?: +|$)`)

// modelSearch parses a query of plain terms into groups of terms joined by OR. ok is
// false if the query has other text.
func modelSearch(query string) (groups [][]modelTerm, ok bool) {
	isAfterOR := false // the next term belongs to the last group
	for query != "" {
		if rest, isOR := strings.CutPrefix(query, "OR "); isOR && len(groups) > 0 && !isAfterOR {
			query, isAfterOR = strings.TrimLeft(rest, " "), true
			continue
		}
		match := modelTermForm.FindStringSubmatch(query)
		if match == nil {
			return nil, false
		}
		minus, field, quoted, word, star := match[1], match[2], match[3], match[4], match[5]
		if word == "OR" {
			return nil, false
		}
		t := modelTerm{not: minus != "", field: field, phrase: word == "", prefix: star != "",
			words: modelWords(quoted + word)} // one of both is empty
		if len(t.words) == 0 {
			return nil, false
		}
		if isAfterOR {
			last := &groups[len(groups)-1]
			*last = append(*last, t)
		} else {
			groups = append(groups, []modelTerm{t})
		}
		query, isAfterOR = query[len(match[0]):], false
	}
	return groups, !isAfterOR
}

// matches reports whether the flat matches each group of a query.
func (f *modelFlat) matches(groups [][]modelTerm) bool {
	hasPositive, matchesAll := false, true
	for _, group := range groups {
		matchesGroup := false
		for _, t := range group {
			hasPositive = hasPositive || !t.not
			matchesGroup = matchesGroup || f.matchesTerm(t) != t.not
		}
		matchesAll = matchesAll && matchesGroup
	}
	return hasPositive && matchesAll // a search of excluded words alone finds nothing
}

// matchesTerm reports whether the flat has the words of t, which may be excluded.
func (f *modelFlat) matchesTerm(t modelTerm) bool {
	// A quoted term is one phrase. In any other term, each word is a phrase, as is each
	// run of characters of a script without spaces.
	var phrases [][]modelWord
	for i, w := range t.words {
		if i > 0 && (t.phrase || w.glued) {
			phrases[len(phrases)-1] = append(phrases[len(phrases)-1], w)
		} else {
			phrases = append(phrases, []modelWord{w})
		}
	}
	for i, phrase := range phrases {
		if !f.matchesPhrase(t.field, phrase, t.prefix && i == len(phrases)-1) {
			return false
		}
	}
	return true
}

// matchesPhrase reports whether a field, or any if field is empty, contains the phrase.
func (f *modelFlat) matchesPhrase(field string, phrase []modelWord, prefix bool) bool {
	for _, name := range []string{"title", "text", "location", "station", "details", "notes"} {
		if field != "" && field != name {
			continue
		}
		for _, text := range f.texts[name] {
			for at := 0; at+len(phrase) <= len(text); at++ {
				isPhrase := true
				for i, w := range phrase {
					mustBeGlued := i > 0 && w.glued
					isPhrase = isPhrase && w.matches(text[at+i], prefix && len(phrase) == 1) &&
						(text[at+i].glued || !mustBeGlued)
				}
				if isPhrase {
					return true
				}
			}
		}
	}
	return false
}

// randomValues lists JSON values for random flats. There are few of each type, so that
// many flats share a value, and most values have several spellings.
var randomValues = map[string][]string{
	"string": {"null", `""`, `"Loft"`, `"loft"`, `"Loft "`, `"Zoé"`, `"Zoe\u0301"`, `"a&b=c;d"`, `"50%+1"`,
		`"say \"hi\""`, `"700"`, `"null"`, `"日本"`, `"😀"`, `"\uffee"`},
	"number": {"null", "0", "-0", "0.0", "700", "700.0", "7e2", "70.0E+1", "699.99", "700.01", "-3", "-3.0", "1e-3",
		"0.001", "1200", "2"},
	"datetime": {"null", `"2026-01-02"`, `"2026-01-02T00:00"`, `"2026-01-02 01:00+01:00"`, `"2026-01-01T22:30:00-0130"`,
		`"2026-01-02T00:00:00.000Z"`,
		`"2026-01-02T00:00:00.5Z"`, `"2026-01-02T01:00:00.500+01"`, `"2026-01-02T00:00:00,25"`,
		`"1969-12-31T23:59:59.75Z"`, `"1970-01-01"`, `"2026-01-01T23:59:59.999999999"`},
	"any": {"null", `"new"`, `"seen"`, `""`, `"5"`, "5", "5.0", "50e-1", "-5", "true", `"true"`, "false", "[]",
		"[1, 2]", "[1,2.0]", "{}", `{"a": 1}`, `{"a":1}`, `{"a":1.0}`, `{"a":{"b":[null,"x y"]}}`, `"{}"`},
}

// randomMembers returns an object of random fields, except the id, with random values.
func randomMembers(random *rand.Rand, names []string, chance float64) string {
	var members []string
	for _, name := range names {
		if name != "id" && random.Float64() < chance {
			members = append(members, `"`+name+`": `+pick(random, randomValues[modelFields[name]]))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// randomQuery returns a query whose filters use values of flats or near misses.
func randomQuery(random *rand.Rand, names []string) *modelQuery {
	q := &modelQuery{number: -1}
	for range random.IntN(4) {
		name := pick(random, names)
		kind := modelFields[name]
		if random.IntN(8) == 0 {
			kind = pick(random, []string{"any", "string", "number", "datetime"})
		}
		text := pick(random, randomValues[kind])
		if text[0] == '"' {
			if err := json.Unmarshal([]byte(text), &text); err != nil {
				panic(err)
			}
		} else {
			var b bytes.Buffer
			json.Compact(&b, []byte(text)) // cannot fail: it is JSON
			text = b.String()
		}
		if name == "id" {
			text = pick(random, []string{"7", "7.0", "70e-1", "x7", "-7", "007x", "4e1"})
		}
		if random.IntN(12) == 0 {
			text = pick(random, []string{text + " ", " " + text, strings.ToUpper(text), text + "0", text + "Z", ""})
		}
		q.filters = append(q.filters, [2]string{name, text})
	}
	for range random.IntN(4) {
		q.sort = append(q.sort, pick(random, []string{"", "-"})+pick(random, names))
	}
	if random.IntN(8) > 0 {
		q.size = 1 + random.Int64N(30)
		if random.IntN(20) == 0 {
			q.size = math.MaxInt64 - random.Int64N(3)
		}
	}
	if random.IntN(2) == 0 {
		q.number = random.Int64N(12)
		if random.IntN(20) == 0 {
			q.number = math.MaxInt64 - random.Int64N(3)
		}
	}
	return q
}

// searchWords is the vocabulary of random texts and queries. No two words differ only
// in a final -s or -x; TestSearch_4_3 tests those.
var searchWords = []string{
	"garden", "gardens", "flat", "flats", "bus", "glass", "x", "s", "a", "a1", "2", "46", "75011", "m2",
	"rénové", "renove", "château", "châteaux", "cœur", "coeur", "élève", "naïf", "garçon", "Noël",
	"où", "eau", "l'eau",
	"aujourd’hui", "vis-à-vis", "porte-fenêtre",
	"Straße", "strasse", "Größe", "grosse", "groß", "gros", "gro", "für", "STRASSE", "ŒUVRE", "Æbleskiver", "Ærø",
	"Küche", "Kueche", "kuche", "Möbelgeschäft", "moebelgeschaeft", "vue", "vü", "vu", "neuer", "Häuser",
	"aero", "Łódź-x", "łan", "lan", "đong", "Đong", "dong", "kapı", "kapi", "Ålesund", "niño",
	"東京", "京都", "東京都", "大阪", "北京大学", "ひろい", "ヘヤ",
	"กรุงเทพ", "กรุง", "เทพ", "東", "京",
}

// decompose replaces precomposed letters with a letter and a combining diacritic.
var decompose = strings.NewReplacer("é", "e\u0301", "è", "e\u0300", "ê", "e\u0302", "ë", "e\u0308",
	"à", "a\u0300", "â",
	"a\u0302", "ï", "i\u0308", "ä", "a\u0308",
	"ô", "o\u0302", "ö", "o\u0308", "ü", "u\u0308", "ù", "u\u0300", "ç", "c\u0327", "Å", "A\u030a",
	"å", "a\u030a", "ñ",
	"n\u0303", "ź", "z\u0301", "ó", "o\u0301")

// respell returns a random spelling of a word that search treats as equal.
func respell(random *rand.Rand, word string) string {
	if strings.ContainsRune(word, 'ı') { // its upper case is that of another letter
		return word
	}
	switch random.IntN(7) {
	case 0:
		return decompose.Replace(word)
	case 1:
		return strings.ToUpper(word)
	case 2:
		return decompose.Replace(strings.ToUpper(word[:1]) + word[1:])
	case 3:
		return strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "ł",
			"l", "Ł", "L",
			"đ", "d", "Đ", "D").Replace(word)
	case 4:
		return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue").Replace(word)
	}
	return word
}

// randomText returns up to six words with random separators.
func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(7) {
		b.WriteString(respell(random, pick(random, searchWords)) +
			pick(random, []string{" ", " ", " ", ", ", "-", " / ", "'", "\n", " (", "); ", "’", "_", "! ", "\t—"}))
	}
	return b.String()
}

// randomTexts returns an object of searched fields with random texts.
func randomTexts(random *rand.Rand) string {
	var members []string
	for _, name := range []string{"title", "text", "location", "station", "notes"} {
		if random.IntN(3) == 0 {
			members = append(members, `"`+name+`":`+
				pick(random, []string{encodeJSON(randomText(random)), encodeJSON(randomText(random)), "null"}))
		}
	}
	if random.IntN(4) == 0 {
		members = append(members, fmt.Sprintf(`"details":{"ж":%s,"жж":[%s,%s,%s],"жжж":true}`,
			encodeJSON(randomText(random)), encodeJSON(randomText(random)), encodeJSON(randomText(random)),
			pick(random, []string{"2", "46", "-75011"})))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// randomSearch returns a random query that modelSearch can parse, with rare exceptions.
func randomSearch(random *rand.Rand) string {
	var terms []string
	for range 1 + random.IntN(3) {
		word := respell(random, pick(random, searchWords))
		switch random.IntN(9) {
		case 0:
			if last := word[len(word)-1]; last != 's' && last != 'x' && last < 0x80 && unicode.IsLetter(rune(last)) {
				word += pick(random, []string{"s", "S"})
			}
		case 1:
			word = `"` + word + pick(random, []string{" ", ", ", "-"}) + respell(random, pick(random, searchWords)) +
				`"`
		case 2, 3:
			runes := []rune(word)
			if n := 1 + random.IntN(len(runes)); unicode.IsLetter(runes[n-1]) {
				word = string(runes[:n]) + "*"
			}
		case 4:
			const thai = 0xE00                          // the letters from here on are those of scripts without spaces
			if runes := []rune(word); runes[0] > thai { // a suffix of the word
				word = string(runes[random.IntN(len(runes)):])
			}
		}
		if random.IntN(4) == 0 {
			word = pick(random, []string{"title", "text", "location", "station", "details", "notes"}) + ":" + word
		}
		if random.IntN(5) == 0 {
			word = "-" + word
		}
		if len(terms) > 0 && random.IntN(4) == 0 {
			terms = append(terms, "OR")
		}
		terms = append(terms, word)
	}
	return strings.Join(terms, " ")
}

// modelDatetimeText decodes a datetime in a filter. A plus is a sign, except directly after the day, where it is a
// space. It returns an error if the day is escaped: the documents do not define what comes after such a day.
func modelDatetimeText(escaped string) (text string, err error) {
	text = strings.ReplaceAll(escaped, "+", "%2B")
	day, _, _ := strings.Cut(text, "%2B")
	isWholeDay := len(day) == len(time.DateOnly)
	if isWholeDay {
		text = strings.Replace(text, "%2B", " ", 1)
	} else if strings.Contains(day, "%") {
		err = errors.New("an escaped day")
	}
	text, _ = url.QueryUnescape(text)
	return text, err
}

// modelParse parses a raw query string by api.md 4.1 and returns the status of the answer.
// It returns an error if the documents do not define the answer.
func modelParse(raw string) (q *modelQuery, status int, err error) {
	q, status = &modelQuery{number: -1}, 200
	hasUnknownFilter := false
	filterForm := regexp.MustCompile(`^filter\[([A-z0-9_]+)\]$`)
	integer := func(text string, lowest int64) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < lowest {
			status = 400
		}
		return n
	}
	for parameter := range strings.SplitSeq(raw, "&") {
		name, escaped, _ := strings.Cut(parameter, "=")
		name, nameErr := url.QueryUnescape(name)
		if nameErr != nil {
			continue // such a parameter is ignored
		}
		field, kind := "", "" // of a filter; the kind is "" if there is no such field
		if match := filterForm.FindStringSubmatch(name); match != nil {
			field, kind = match[1], modelFields[match[1]]
		}
		text, textErr := url.QueryUnescape(escaped)
		isRead := kind != "" || slices.Contains([]string{"sort", "page[size]", "page[number]"}, name)
		if textErr != nil && isRead {
			status = 400
			continue
		}
		if kind == "datetime" {
			var undefined error
			text, undefined = modelDatetimeText(escaped)
			err = cmp.Or(undefined, err)
		}
		switch {
		case name == "page[size]":
			if q.size != 0 {
				err = errors.New("two sizes")
			}
			q.size = integer(text, 1)
		case name == "page[number]":
			if q.number != -1 {
				err = errors.New("two numbers")
			}
			q.number = integer(text, 0)
		case name == "sort":
			for key := range strings.SplitSeq(text, ",") {
				if modelFields[strings.TrimPrefix(key, "-")] == "" {
					status = 400
				}
				q.sort = append(q.sort, key)
			}
		case field != "":
			hasUnknownFilter = hasUnknownFilter || kind == ""
			looksLikeNumber := strings.Trim(text, "0123456789+-.eE") == ""
			if looksLikeNumber && !modelNumberForm.MatchString(text) || len(text) > 15 {
				err = errors.New("a number that the model does not support")
			}
			q.filters = append(q.filters, [2]string{field, text})
		}
	}
	if hasUnknownFilter && status == 200 { // rule 6: other errors come first, as a 400
		status = 500
	}
	return q, status, err
}
