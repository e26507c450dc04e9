// Tests of misspelled.go.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"flats/internal/turns"
)

// forgiven returns the ids of the flats that a search finds if words may be misspelled, in their order, and which
// words it has replaced: "word: other other; word: other".
func (s *service) forgiven(search string) (ids, replaced string) {
	s.Helper()
	for s.store.index.indexed.Load() != s.store.snapshot() {
		runtime.Gosched() // the index is updated after the answer to a change
	}
	got := s.ask("GET", "/api/v1/find?sort=id&forgive=yes&q="+url.QueryEscape(search), "")
	var answer struct{ Replaced []replacement }
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil || got.status != 200 {
		s.Fatalf("q=%s: %d %s: %v", search, got.status, got.body, err)
	}
	var words []string
	for _, r := range answer.Replaced {
		words = append(words, r.Word+": "+strings.Join(r.By, " "))
	}
	return s.ids(got), strings.Join(words, "; ")
}

// TestMisspelled tests what a search finds if one letter of a word is wrong.
func TestMisspelled(t *testing.T) {
	s := newService(t, `[{"id":1,"title":"Dachterrasse, Balkon","text":"Ruhige Wohnung, 80331 München"},
		{"id":2,"title":"Zwei Zimmer","text":"mit großer DACHTERRASSE","notes":"möbliert"},
		{"id":3,"title":"Loft","text":"Dachterrassenwohnung, teilmöbliert, Garderobe, Kellertür, Balkonn"},
		{"id":4,"title":"Küchenzeile","text":"東京都 603311"},
		{"id":5,"title":"Gaestezimmer, кухня, балкон"}]`, "[]")
	for _, c := range []struct{ search, ids, replaced string }{
		// One letter is left out, inserted or replaced, or two neighbours are swapped, also at the beginning or end.
		{"dachterasse", "1 2", "dachterasse: dachterrasse"},
		{"Dachterrrasse", "1 2", "dachterrrasse: dachterrasse"},
		{"dachterrazse", "1 2", "dachterrazse: dachterrasse"},
		{"dahcterrasse", "1 2", "dahcterrasse: dachterrasse"},
		{"achterrasse", "1 2", "achterrasse: dachterrasse"},
		{"adchterrasse", "1 2", "adchterrasse: dachterrasse"},
		{"xdachterrasse", "1 2", "xdachterrasse: dachterrasse"},
		{"dachterrass", "1 2", "dachterrass: dachterrasse"},
		{"dachterrases", "1 2", "dachterrases: dachterrasse"},
		{"dachterrassez", "1 2", "dachterrassez: dachterrasse"},
		{"dchterasse", "", ""},   // two letters
		{"dahcterrase", "", ""},  // two neighbours and a letter
		{"dachterrssae", "", ""}, // no neighbours
		// An umlaut is one letter, in either spelling, and the words are named as they are written.
		{"möblirt", "2", "möblirt: möbliert"},
		{"Moeblirt", "2", "moeblirt: möbliert"},
		{"moblirt", "2", "moblirt: möbliert"},
		{"küchenzeiel", "4", "küchenzeiel: küchenzeile"},
		{"gästezimer", "5", "gästezimer: gaestezimmer"},
		{"балкан", "5", "балкан: балкон"},
		{"блакон", "5", "блакон: балкон"},
		{"кухмя", "", ""}, // five letters
		// A word may be half typed.
		{"dachteras OR dachteras*", "1 2 3", "dachteras: dachterrasse dachterrassenwohnung"},
		{"dachterassenw*", "3", "dachterassenw: dachterrassenwohnung"},
		{"garden*", "", ""}, // Garderobe begins with garde, but the wrong letter must not be the last one
		{"kellerr*", "3", "kellerr: kellertür"},
		// Only words that no flat has are forgiven, and only if the search finds nothing.
		{"dachterrasse", "1 2", ""},
		{"dachterasse OR loft", "3", ""},
		{"balkon kellertür", "", ""},
		{"balkon dachterasse", "1", "dachterasse: dachterrasse"},
		{"loft dachterasse", "", ""},
		{"loft dachterasse OR dachterasse*", "3", "dachterasse: dachterrassenwohnung"},
		{"ballkon whonung", "1", "ballkon: balkon; whonung: wohnung"},
		{"ballkon-wohnnung", "1", "ballkon: balkon; wohnnung: wohnung"},
		{"dachterasse zimme", "", ""}, // five letters
		{"baklon", "1", "baklon: balkon"},
		{"title:dachterasse", "1", "dachterasse: dachterrasse"},
		{"text:dachterasse", "2", "dachterasse: dachterrasse"},
		{"notes:dachterasse", "", ""},
		{"dachterasse -balkon", "2", "dachterasse: dachterrasse"},
		{"balkon -dachterasse", "1", ""},
		{"ballkon -dachterasse", "1", "ballkon: balkon"},
		{`"dachterasse"`, "", ""},
		{`dachterasse "dachterasse"`, "", ""},
		{`"mit grosser dachterasse"`, "", ""},
		{"603312", "", ""}, // another number
		{"NOT dachterasse", "1 2 3 4 5", ""},
		{"東京郎", "", ""},
	} {
		if ids, replaced := s.forgiven(c.search); ids != c.ids || replaced != c.replaced {
			t.Errorf("%s finds %q and replaces %q; want %q and %q", c.search, ids, replaced, c.ids, c.replaced)
		}
	}
	one := newService(t, `[{"id":1,"text":"Balkon Balkonn Keller"}]`, "[]")
	if ids, replaced := one.forgiven("-balkon OR kelller"); ids != "1" || replaced != "kelller: keller" {
		t.Errorf("next to an excluded word that all flats have: found %s, replaced %s", ids, replaced)
	}
	// POST /search forgives nothing, and neither does /find without forgive=yes.
	if got := s.ids(s.search("dachterasse", "forgive=yes")); got != "" {
		t.Errorf("POST /search finds %q", got)
	}
	if got := s.ids(s.ask("GET", "/api/v1/find?q=dachterasse", "")); got != "" {
		t.Errorf("find without forgive finds %q", got)
	}
	// Conditions, counts and CSV apply to what is found.
	const params = "forgive=yes&q=dachterasse&sort=id&"
	got := s.ask("GET", "/api/v1/find?"+params+query("fields=title&filter[title]=Zwei Zimmer&counts=title"), "")
	s.want(got, 200, `{"data":[{"id":2,"title":"Zwei Zimmer"}],"page":0,"items_per_page":1,"total":1,"counts":
		{"title":{"Dachterrasse, Balkon":1,"Zwei Zimmer":1}},
		"replaced":[{"word":"dachterasse","by":["dachterrasse"]}]}`)
	csv := s.ask("GET", "/api/v1/find?"+params+"fields=id&format=csv", "").body
	if want := "\uFEFFid\r\n1\r\n2\r\n"; csv != want {
		t.Errorf("CSV: %q; want %q", csv, want)
	}
	s.refuse(s.ask("GET", "/api/v1/find?forgive=no", ""), 400, `Invalid forgive provided: want yes, got "no".`)
}

// The words that most of the found flats have are named first. Words that none of them has are not named.
func TestMisspelledNames(t *testing.T) {
	s := newService(t, `[{"id":1,"text":"gartens"},{"id":2,"text":"GARTEN, gartend"},{"id":3,"text":"gartens gartenn"},
		{"id":4,"text":"gartend, garten, gartens"},{"id":5,"text":"garteng loft"}]`, "[]")
	if ids, replaced := s.forgiven("gartenb"); ids != "1 2 3 4 5" || replaced != "gartenb: gartens garten gartend" {
		t.Errorf("found %s, replaced %s", ids, replaced)
	}
	if ids, replaced := s.forgiven("gartenb loft"); ids != "5" || replaced != "gartenb: garteng" {
		t.Errorf("found %s, replaced %s", ids, replaced)
	}
}

// editDistance returns the number of letters that must be inserted, left out, replaced or swapped with their neighbour
// to make one word of another.
func editDistance(a, b []rune) int {
	d := make([][]int, len(a)+1) // d[i][j] is the distance of the first i letters of a and the first j of b
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
				continue
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + d[i-1][j-1]
			}
			d[i][j] = min(d[i][j], 1+d[i-1][j], 1+d[i][j-1])
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], 1+d[i-2][j-2])
			}
		}
	}
	return d[len(a)][len(b)]
}

// isMisspelled reports whether a word has one wrong letter compared with another word or, of a prefix, with a beginning
// of it that has the same last letter.
func isMisspelled(word, other string, prefix bool) bool {
	a, b := []rune(word), []rune(other)
	if editDistance(a, b) == 1 {
		return true
	}
	for n := 1; prefix && n <= len(b); n++ {
		if a[len(a)-1] == b[n-1] && editDistance(a, b[:n]) == 1 {
			return true
		}
	}
	return false
}

// Random searches with random mistakes find what they should by the distances to all words of all flats.
func TestMisspelledModel(t *testing.T) {
	t.Parallel()
	letters := strings.Split("abcéß", "")
	random := rand.New(rand.NewPCG(5, 9))
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pick(random, letters))
		}
		return b.String()
	}
	var texts, flats []string
	for i := range 60 {
		text := word(4 + random.IntN(4))
		for range 4 {
			text += " " + word(4+random.IntN(5))
		}
		texts = append(texts, text)
		flats = append(flats, fmt.Sprintf(`{"id":%d,"text":%q}`, i, text))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	similar := 0 // how many searches with a mistake find something
	for i := range rounds(1500) {
		// A word of a flat with a mistake, or a random word if that of the flat is too short for one.
		asked := []rune(word(6 + random.IntN(3)))
		text := texts[random.IntN(len(texts))]
		if known := []rune(pick(random, strings.Fields(text))); len(known) >= 6 {
			asked = known
			at := random.IntN(len(asked) - 1)
			switch random.IntN(5) { // 4 changes nothing here
			case 0:
				asked[at], asked[at+1] = asked[at+1], asked[at]
			case 1:
				asked = slices.Delete(asked, at, at+1)
			case 2:
				asked = slices.Insert(asked, at, []rune(word(1))...)
			case 3:
				asked[at] = []rune(word(1))[0]
			}
			asked = asked[:len(asked)-random.IntN(2)] // perhaps without its last letter
		}
		if len(asked) < leastLetters {
			continue
		}
		prefix := random.IntN(2) == 0
		search := string(asked)
		if prefix {
			search += "*"
		}
		simple := words(string(asked))[0] // as words are compared: ss for ß
		finds := func(matches func(found string) bool) (ids []string) {
			for i, text := range texts {
				if slices.ContainsFunc(words(text), matches) {
					ids = append(ids, fmt.Sprint(i))
				}
			}
			return ids
		}
		want := finds(func(found string) bool {
			return prefix && strings.HasPrefix(found, simple) || found == simple
		})
		if len(want) == 0 && len([]rune(simple)) >= leastLetters {
			want = finds(func(found string) bool { return isMisspelled(simple, found, prefix) })
			similar += min(1, len(want))
		}
		// In the order of their numbers: 2 before 10.
		slices.SortFunc(want, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		if got, _ := s.forgiven(search); got != strings.Join(want, " ") {
			t.Fatalf("search %d: %s finds %s; want %s", i, search, got, want)
		}
	}
	if similar < rounds(300) {
		t.Errorf("only %d searches with a mistake found something", similar)
	}
}

// The work for misspelled words grows with the words of the index, but not with words of the search beyond
// maxMisspelled, nor with similar words beyond maxSimilar.
func TestMisspelledSteps(t *testing.T) {
	t.Parallel()
	steps := func(index, search string) int {
		s := newService(t, `[{"id":1,"text":"`+index+`"}]`, "[]")
		<-s.store.index.searchable
		q, err := parseQuery(s.store.table.fields, "forgive=yes&q="+url.QueryEscape(search), "cost")
		if err != nil {
			t.Fatal(err)
		}
		work := turns.NewTask(t.Context(), turns.NewQueue())
		defer work.Pause()
		if _, err := s.store.Find(work, q); err != nil {
			t.Fatal(err)
		}
		return work.Steps()
	}
	once, twice := steps(repeated(5000, "w%[1]d", " "), "missing"), steps(repeated(10_000, "w%[1]d", " "), "missing")
	if once < 10*5000 || twice < once*18/10 || twice > once*22/10 {
		t.Errorf("%d steps for 5,000 words, %d for 10,000", once, twice)
	}
	index := repeated(10_000, "w%[1]d", " ")
	some, more := steps(index, manyWords(maxMisspelled)), steps(index, manyWords(160))
	if limit := some + 160*10_000; some < maxMisspelled*10*10_000 || more > limit {
		t.Errorf("%d steps for %d words, %d for 160; want at most %d", some, maxMisspelled, more, limit)
	}
	// Of words that are similar to missinga the index has 4,000.
	similar := steps(repeated(4000, "missing%[1]dx", " "), "mising*")
	if limit := 4000*10 + maxSimilar*100; similar > limit {
		t.Errorf("%d steps for 4,000 similar words; want at most %d", similar, limit)
	}
}

// manyWords returns n different words of letters.
func manyWords(n int) (text string) {
	for i := range n {
		text += " missing" + strings.Repeat(string(rune('a'+i%26)), 2+i/26)
	}
	return text
}

// While the index lags, the answer has the version that the index knows: no client keeps it for the newer one.
func TestMisspelledVersion(t *testing.T) {
	s := newService(t, `[{"id":1,"text":"balkon"},{"id":2}]`, "[]")
	s.forgiven("x")
	lagging := s.store.index.indexed.Load()
	ask := func(header ...string) reply {
		return s.ask("GET", "/api/v1/find?forgive=yes&fields=id&q=terrase", "", header...)
	}
	before := ask()
	s.ask("PATCH", "/api/v1/flat/2", `{"text":"Terrasse"}`)
	s.forgiven("x") // waits for the index
	// Let the index forget the change.
	index := s.store.index.words
	recent := index.recent
	index.recent = nil
	s.store.index.indexed.Store(lagging)
	during := ask()
	if got := s.ids(during); got != "" || during.header.Get("ETag") != before.header.Get("ETag") {
		t.Errorf("an index that lags: found %q, with the tag %s; want that of before, %s", got, during.header.Get("ETag"),
			before.header.Get("ETag"))
	}
	index.recent = recent
	s.store.index.indexed.Store(s.store.snapshot())
	if got := ask("If-None-Match", during.header.Get("ETag")); got.status != 200 || s.ids(got) != "2" {
		t.Errorf("an index that knows the word: %d %s", got.status, got.body)
	}
}

// FuzzMisspelled checks that any search is answered, that a search that finds flats is not changed, and that flats have
// the words that are named.
func FuzzMisspelled(f *testing.F) {
	for _, seed := range []string{"dachterasse", `"dachterasse`, "-dachterasse", "dachterasse OR balkonn*", "title:balkn",
		"balkonn-kuechenzeiel", "東京都 dachterasse", "\u0308aaaaaaa", "kellerr*", "baaaaaaaaaaaaaaa"} {
		f.Add(seed)
	}
	shared := newService(f, `[{"id":1,"title":"Dachterrasse Balkon","text":"Küchenzeile 東京都"},
		{"id":2,"title":"aaaaaa bbbbbb","details":{"a":"éééééé"}}]`, "[]")
	known := map[string]bool{}
	for _, flat := range shared.store.snapshot().all() {
		for field := range searchedFields {
			for _, word := range words(flat.searched(field)) {
				known[word] = true
			}
		}
	}
	f.Fuzz(func(t *testing.T, search string) {
		s := *shared
		s.TB = t
		search = strings.ToValidUTF8(search, "?")
		if len(search) > 1000 {
			return
		}
		start := time.Now()
		plain := s.ids(s.ask("GET", "/api/v1/find?sort=id&q="+url.QueryEscape(search), ""))
		ids, replaced := s.forgiven(search)
		if plain != "" && (ids != plain || replaced != "") {
			t.Errorf("%q finds %s, forgiven %s, and replaces %s", search, plain, ids, replaced)
		}
		if (replaced == "") != (ids == plain) {
			t.Errorf("%q finds %q, forgiven %q, but replaces %q", search, plain, ids, replaced)
		}
		for part := range strings.SplitSeq(replaced, "; ") {
			word, by, _ := strings.Cut(part, ": ")
			for _, other := range strings.Fields(by) {
				if !known[words(other)[0]] || known[words(word)[0]] {
					t.Errorf("%q replaces %s by %s; flats have %q", search, word, other, slices.Sorted(maps.Keys(known)))
				}
			}
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%q took %v", search, took)
		}
	})
}
