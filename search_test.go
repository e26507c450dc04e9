// Tests of search.go and index.go.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"flats/internal/turns"
)

// Section 4.3: errors in the body of a search are reported before errors in its parameters.
func TestSearchRequest_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, body := range []string{``, `{}`, `null`, `[]`, `"loft"`, `{"query":5}`, `{"query":null}`,
		`{"query":["loft"]}`, `{"Query":"loft"}`, `{"query":"loft"`,
		`{"query":"loft"}x`, "{\"query\":\"\xff\"}", `query=loft`} {
		s.refuse(s.ask("POST", "/api/v1/search?page[size]=x&sort=nope", body), 400, "Invalid query provided.")
	}
	body := `{"query":"loft", "more":1}`
	s.refuse(s.ask("POST", "/api/v1/search?page[size]=x", body), 400, "Invalid pagination provided.")
	s.refuse(s.ask("POST", "/api/v1/search?sort=nope", body), 400, "Invalid sorting key provided: nope.")
	s.refuse(s.ask("POST", "/api/v1/search?filter[nope]=1", body), 500, "Invalid filter key provided: nope.")
	for params, want := range map[string]string{"": "e b", "sort=-cost": "b e", "page[size]=1&page[number]=1": "b",
		"filter[cost]=700": "e", "filter[cost]=701": ""} {
		got := s.ask("POST", "/api/v1/search?"+params, body)
		if ids := s.ids(got); ids != want {
			t.Errorf("%s: %s; want %s", params, ids, want)
		}
	}
	got := s.ask("POST", "/api/v1/search?page[size]=1", body)
	if !strings.HasSuffix(got.body, `],"page":0,"items_per_page":1}`) || got.header.Get("X-Total-Count") != "2" ||
		!strings.Contains(got.header.Get("Link"), `page%5Bnumber%5D=1>; rel="next"`) {
		t.Errorf("got %s %v", got.body, got.header)
	}
}

// Sections 4.2 and 4.3: each documented property of search, on a store of one flat.
func TestSearch_4_3(t *testing.T) {
	for _, c := range []struct {
		text string // the flat's title, or "field|text"
		hit  string // queries that find the flat, separated by |
		miss string // queries that do not, separated by |
	}{
		// Words are letters and digits.
		{"Bright flat, 46 m², 75011 Paris!", "bright|flat|46|75011|paris 46|m", "brigh|75|aris|flat46"},
		{"l'eau d’Arc_en-ciel", "eau|arc|ciel|l eau|l'eau|arc-en-ciel", "leau|arcenciel"},
		// Case and diacritics are ignored, precomposed or combining.
		{"Quartier RÉNOVÉ", "rénové|renove|RENOVE|re\u0301nove\u0301|Rènôvé", "renov"},
		{"quartier re\u0301nove\u0301", "rénové|renove|RÉNOVÉ", "renov"},
		{"Việt Łódź", "viet|việt|vie\u0323\u0302t|lodz|ŁÓDŹ", "vit"},
		{"Straße in Größe", "strasse|STRASSE|straße|STRAẞE|GRÖSSE", "strase|gruesse"},
		// In a query, ae, oe and ue find ä, ö and ü, and the reverse.
		{"Große Küche", "kueche|KUECHE|küche|Ku\u0308che|kuche|kueches|kuech*|kue*|küch*|title:kueche|\"grosse kueche\"",
			"text:kueche|-kueche grosse|grosse -kuech*|kuechen|kuecheneu*"},
		{"Ku\u0308che", "kueche|küche|kuech*", "kuechen"},
		{"Grosse Kueche", "küche|KÜCHE|Ku\u0308che|küch*|kü*|title:küch*|\"große küche\"",
			"kuche|kuch*|-küche grosse|kü"},
		{"Kuche", "küche|kuche", "kueche|kue*"},
		{"Büros, Möbelgeschäfte", "buero|büro|moebelgeschaeft*|möbelgeschäfte|mobelgeschafte|moebelgeschaefte",
			"boero"},
		{"la vue neuve", "vue|vü|neuve|neu*", "vu|neu|neuv"},
		{"vu du ciel", "vu|vü|du", "vue|due"},
		{"ÄRGER, Öl", "aerger|oel|ol|öl|a*|ae*|oe*", "arge|aoe"},
		// A word and its plural in -s or -x find each other.
		{"châteaux", "chateau|châteaux|CHATEAUX", "chateaus"},
		{"balcon", "balcon|balcons", "balco"},
		{"bons prix", "prix|bon", "pris|box"},
		{"bus", "bus|bu", "b"},
		{"glas", `glass|title:glass|"glass"|-title:x glass`, "title:glasss"},
		// Only title, text, location, station, details and notes are searched.
		{"text|needle", "needle|text:needle", "title:needle"},
		{"location|needle", "needle|location:needle", "station:needle"},
		{"station|needle", "needle|station:needle", "notes:needle"},
		{"details|needle", "needle|details:needle", "text:needle"},
		{"notes|needle", "needle|notes:needle", "details:needle"},
		{"phone|needle", "", "needle|phone:needle"},
		{"currency|needle", "", "needle"},
		{"service_constraint|needle", "", "needle"},
		// All words must match.
		{"sunny flat with balcony", "sunny balcony|balcony sunny", "sunny garage"},
		// A phrase stands in quotes.
		{"sunny flat with balcony", `"sunny flat"|"flat with balcony"|"SUNNY, flat"|"flats with"`,
			`"flat sunny"|"sunny with"|"sunny flat with a"`},
		// A soft hyphen joins words, a zero-width space separates them.
		{"Bal\u00adkon\u200bKüche", "balkon|küche", "bal|kon|balkonküche"},
		{"a a b", `"a a b"|"a b"`, `"a a a"|"b a"`},
		// A prefix ends in *.
		{"appartement", "app*|APP*|appartement*|title:app*", "part*|appartements*"},
		{"Œuvre", "oeu*|œu*|o*", "e*"},
		// A minus excludes a term.
		{"sunny flat", "sunny -garage|-garage flat|flat -title:garage|flat -\"flat sunny\"",
			"sunny -flat|flat -sun*|flat -\"sunny flat\"|sunny -title:flat"},
		// OR joins alternatives.
		{"sunny flat", "garage OR sunny|sunny OR garage|a OR b OR flat|flat garage OR sunny",
			"garage OR cellar|garage sunny OR flat|sunny or garage"},
		// AND and NOT are operators in capitals only.
		{"sunny flat", "sunny AND flat|sunny NOT garage|sunny AND NOT garage|NOT garage flat|garage OR NOT cellar " +
			"sunny|NOT OR flat|NOT AND OR flat sunny|sunny NOT NOT flat|NOT NOT sunny",
			"sunny AND garage|sunny NOT flat|sunny AND NOT flat|NOT garage|sunny not garage|sunny and flat|sunny NOT"},
		{"rock and roll not", "rock and roll|AND rock|rock AND|rock NOT", "rock AND jazz"},
		// field:word searches one field.
		{"sunny flat", "title:sunny|title:sun*|title:\"sunny flat\"", "text:sunny|title:garage"},
		{"cost 5", "cost:5", "cost:6"}, // cost is not searched: two words
		// A query without a positive term matches nothing.
		{"sunny flat", "", "| |-garage|-a OR -b|*|-|\"\"|!?|OR -garage -or"},
		// No query string is a syntax error.
		{"sunny flat", "sunny \"|sunny (|sunny [\\|sunny %|sunny \x00|sunny ***|sunny :|\"sunny flat",
			"\"sunny garage"},
		// Text in a script without spaces is found by any part of it.
		{"東京都渋谷区の部屋",
			"東京|京都|渋谷区|部屋|の|東京 部屋|\"渋谷区の\"|東京*", "京東|渋区|都京"},
		{"カタカナ ひらがな", "カナ|タカ|らが|カタカナ", "ナカ"},
		{"ห้องพักกรุงเทพ",
			"กรุงเทพ|ห้อง|พัก|เทพ", "เทพกรุง"},
		{"駅2分", "駅|2|分|駅2分", "3"},
		// Characters of such a script do not join across punctuation.
		{"東京、大阪", "東京|大阪", "京大"},
	} {
		field, text, ok := strings.Cut(c.text, "|")
		if !ok {
			field, text = "title", c.text
		}
		s := newService(t, `[{"id":"hit",`+encodeJSON(field)+`:`+encodeJSON(text)+`}]`, "[]")
		for want, queries := range map[string]string{"hit": c.hit, "": c.miss} {
			if queries == "" {
				continue
			}
			for query := range strings.SplitSeq(queries, "|") {
				if got := s.ids(s.search(query, "")); got != want {
					t.Errorf("search %q in %s %q: got %q; want %q", query, field, text, got, want)
				}
			}
		}
	}
}

// TestSearchOthers tests that a query whose search only excludes words finds all other flats, as
// the list of the page shows them, and that POST /search finds none.
func TestSearchOthers_4_3(t *testing.T) {
	s := newService(t, `[{"id":1,"title":"Room in a WG"},{"id":2,"title":"Loft"},{"id":3,"text":"sunny WG loft"}]`, "[]")
	for search, want := range map[string]string{
		"-wg": "2", "NOT wg": "2", "-loft": "1", `-"sunny wg"`: "1 2", "-title:wg": "2 3", "-wg -loft": "",
		"-room OR -sunny": "1 2 3", "-garage": "1 2 3", "-": "", `-""`: "",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/find?sort=id&"+query("q="+search), "")); got != want {
			t.Errorf("q=%s finds %q; want %q", search, got, want)
		}
		if got := s.ids(s.search(search, "")); got != "" {
			t.Errorf("search %s finds %q", search, got)
		}
	}
}

// TestSharedSearches tests the searches that the page sends, by a table that the tests of the page
// read, too, so that both follow the same rules.
func TestSharedSearches(t *testing.T) {
	var texts []struct {
		Text     string
		Searches []struct {
			Sent  string // what the page sends for a query
			Finds bool
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, "testdata/search.json")), &texts); err != nil {
		t.Fatal(err)
	}
	for _, c := range texts {
		s := newService(t, `[{"id":"hit","text":`+encodeJSON(c.Text)+`}]`, "[]")
		for _, search := range c.Searches {
			if finds := s.ids(s.search(search.Sent, "")) == "hit"; finds != search.Finds {
				t.Errorf("%s finds %q: %v; want %v", search.Sent, c.Text, finds, search.Finds)
			}
		}
	}
}

// Search reads the members of details in the order of their names, so that a phrase
// across two members is found every time or never.
func TestSearchDetails_4_3(t *testing.T) {
	for range 20 {
		s := newService(t,
			`[{"id":1,"details":{"heating":{"type":"gas","age":"old","unit":null},"lift":["yes","no"]}}]`, "[]")
		for query, want := range map[string]string{`"heating age"`: "1", `"heating type"`: "", `"type gas"`: "1",
			`"gas unit"`: "", `"lift yes"`: "1", `"yes no"`: ""} {
			if got := s.ids(s.search(query, "")); got != want {
				t.Fatalf("%s found %q; want %q", query, got, want)
			}
		}
	}
}

// A long run of base64 characters contains no words, but separates them.
func TestSearchData_4_3(t *testing.T) {
	const isData, isText = true, false
	const short, long = maxRun - 10, maxRun + 10
	run := func(n int) string { return strings.Repeat("QUJD/+8=-_", n/10) + "xyzxyzxyz"[:n%10] }
	for text, isLeftOut := range map[string]bool{ // of the words
		"photo data:image/png;base64," + run(40*maxRun) + " after": isData,
		"photo " + run(maxRun+1) + " after":                        isData,
		"photo é" + run(long) + "é after":                          isData,
		"photo " + run(maxRun) + " after":                          isText,
		"photo " + run(short) + "." + run(short) + " after":        isText,
		"photo qujd" + strings.Repeat("-", long) + " after":        isText, // a rule after a word
		"photo QUJD" + strings.Repeat("/_", long/2) + " after":     isText, // the same
	} {
		s := newService(t, `[{"id":1,"text":`+encodeJSON(text)+`}]`, "[]")
		if got := s.ids(s.search("photo after", "")); got != "1" {
			t.Errorf("%.40s: its words found %q; want 1", text, got)
		}
		if got := s.ids(s.search("qujd*", "")); (got == "") != isLeftOut {
			t.Errorf("%.40s: the run is found: %v; want %v", text, got != "", !isLeftOut)
		}
	}
}

// Random searches match the model's, with random filters, sorts and pages, before
// and after updates of the texts.
func TestRandomSearches_4_3(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 6))
		var flats []string
		for i := range 150 {
			flat := fmt.Sprintf(`{"id":%d,"cost":%d,"rooms":%d}`, i, i%7, i%3)
			flats = append(flats, withMembersOf(flat, randomTexts(random)))
		}
		file := "[" + strings.Join(flats, ",\n") + "]"
		s, m := newService(t, file, testCodes), newModel(t, file)
		found := 0
		for i := range rounds(800) {
			if random.IntN(3) == 0 {
				s.patch(m, random, randomTexts(random))
			}
			text := randomSearch(random)
			groups, ok := modelSearch(text)
			if !ok {
				continue // such as a prefix that ends in a vowel sign
			}
			q := &modelQuery{number: -1}
			if random.IntN(2) == 0 {
				q = randomQuery(random, []string{"cost", "rooms", "cost", "id", "title"})
				if random.IntN(2) == 0 {
					q.filters = nil
				}
			}
			got := s.listed(s.search(text, q.raw()))
			want := m.list(q, func(f *modelFlat) bool { return f.matches(groups) })
			if got != want {
				t.Fatalf("seed %d, search %d: %q?%s\ngot  %s\nwant %s", seed, i, text, q.raw(), got, want)
			}
			if !strings.HasPrefix(got, ";") {
				found++
			}
		}
		if found < rounds(160) {
			t.Errorf("seed %d: only %d searches found a flat", seed, found)
		}
	}
}

// withMembersOf returns an object, which has members, with those of another one, which may have none.
func withMembersOf(object, other string) string {
	if other == "{}" {
		return object
	}
	return strings.TrimSuffix(object, "}") + "," + strings.TrimPrefix(other, "{")
}

// A query is an error only if it has too many different terms, counted after folding. A
// term counts once for each of its words, and once for each group that has it.
func TestManyTerms(t *testing.T) {
	t.Parallel()
	s := newService(t, `[{"id":1,"title":"flat w1 w2"},{"id":2,"title":"other"}]`, "[]")
	terms := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(form, "%d", strconv.Itoa(i)))
		}
		return b.String()
	}
	const most = maxTerms
	// By the form of a term, how many terms it counts as. A number of such forms that has fewer than most of them is
	// answered, and a number that has more is refused.
	for form, words := range map[string]int{"w%d ": 1, "w%d* ": 1, "-w%d ": 1, "w%d OR ": 1, "-w%d OR ": 1,
		"title:w%d ": 1, `"w w%d" `: 2, "NOT w%d ": 1, "a-b-w%d ": 3, `-"a a a%d" `: 3, "部屋%d ": 3,
		"a OR w%d AND ": 2, "w%d OR b%d OR flat w%d OR b%d OR flat ": 3} {
		few, many := most/words-2, most/words+1
		if got := s.search("flat "+terms(few, form), ""); got.status != 200 {
			t.Errorf("%d times %q: %d %.200s", few, form, got.status, got.body)
		}
		s.refuse(s.search("flat "+terms(many, form), ""), 400,
			"Invalid query provided: it has more than 1000 different terms.")
	}
	for phrase, want := range map[string]int{terms(most, "w"): 200, terms(most, "w "): 200, terms(most+1, "w "): 400,
		terms(most, "屋"): 200, terms(most+1, "屋"): 400, terms(1<<18, "w "): 400, terms(1<<18, "w- "): 400} {
		if got := s.search(`"`+phrase+`"`, ""); got.status != want {
			t.Errorf("%.20q with %d bytes: %d; want %d", phrase, len(phrase), got.status, want)
		}
	}
	// Terms that are repeated count once.
	for _, query := range []string{strings.Repeat("flat Flat FLÀT ", 5000), strings.Repeat("f* F** ", 5000) + "w1",
		strings.Repeat(`flat OR "w1  w2" OR "W1, W2" `, 3000) + " flat", terms(900, "flat OR w%d OR flat OR ") + "flat",
		strings.Repeat(terms(300, `"a w%d" OR `)+"flat ", 9)} {
		if got := s.ids(s.search(query, "")); got != "1" {
			t.Errorf("%.40s…: %s", query, got)
		}
	}
}

// A search ends when its client disconnects, even if the connection has served other
// requests before.
func TestSearchDisconnect(t *testing.T) {
	long(t)
	t.Parallel()
	s := newService(t, `[{"id":1}]`, "[]")
	<-s.store.index.searchable
	s.store.index.indexed.Store(nil)
	s.store.index.searchable = make(chan struct{}) // never closed
	ended := make(chan struct{})
	c := dial(t, listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			defer close(ended)
		}
		s.Handler.ServeHTTP(w, r)
	})))
	r := bufio.NewReader(c)
	for range 2 { // requests before the search
		io.WriteString(c, "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n")
		got, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, got.Body)
	}
	io.WriteString(c, "POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n\r\n{\"query\":\"a\"}")
	select {
	case <-ended:
		t.Fatal("the search ended before its client disconnected")
	case <-time.After(50 * time.Millisecond):
	}
	c.Close()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the search did not end after its client disconnected")
	}
}

// Prefix searches find words while thousands are added and removed, and the index
// lists each word once.
func TestManyWords(t *testing.T) {
	t.Parallel()
	s := newService(t, `[{"id":1,"title":"first"},{"id":2,"title":"second"}]`, "[]")
	for round := range 4 {
		for i := range 1500 {
			s.ask("PATCH", "/api/v1/flat/1", fmt.Sprintf(`{"notes":"w%d u%d v%d"}`, mixed(i, 1500), i, round*i))
		}
		for query, want := range map[string]string{"w*": "1", fmt.Sprintf("w%d*", mixed(1499, 1500)): "1", "u1499*": "1",
			"u1498*": "", "sec*": "2", "fir* w*": "1", "x*": ""} {
			if got := s.ids(s.search(query, "")); got != want {
				t.Errorf("round %d: %q found %q; want %q", round, query, got, want)
			}
		}
		for s.store.index.indexed.Load() != s.store.snapshot() {
			runtime.Gosched() // the index is updated after the answer
		}
		s.store.mu.RLock()
		x := s.store.index.words
		var words []string // those that some flat has
		for _, word := range slices.Concat(x.sorted, x.recent) {
			if x.rows[word] != nil {
				words = append(words, word)
			}
		}
		slices.Sort(words)
		if !slices.Equal(slices.Compact(words), slices.Sorted(maps.Keys(x.rows))) {
			t.Errorf("round %d: %d words, %d lists of rows", round, len(words), len(x.rows))
		}
		s.store.mu.RUnlock()
	}
}

// While the index does not match the snapshot, a search reads the texts instead.
func TestLaggingIndex(t *testing.T) {
	s := newService(t, `[{"id":1,"text":"on the way"},{"id":2,"text":"by the way"}]`, "[]")
	<-s.store.index.searchable
	lagging := s.store.index.indexed.Load()
	s.ask("POST", "/api/v1/import", `[{"id":3,"text":"on the way"},{"id":4,"text":"away"}]`)
	for s.store.index.indexed.Load() == lagging {
		runtime.Gosched()
	}
	s.store.index.indexed.Store(lagging) // as before the index was updated
	for query, want := range map[string]string{`"on the way"`: "1 3", "text:way": "1 2 3", "way": "1 2 3",
		"way -on": "2", "aw*": "4", "way -text:on": "2"} {
		if got := s.ids(s.search(query, "sort=id")); got != want {
			t.Errorf("%s found %q; want %q", query, got, want)
		}
	}
	// Only searches wait while the index is updated.
	s.store.index.words.mu.Lock()
	defer s.store.index.words.mu.Unlock()
	if got := s.ask("PATCH", "/api/v1/flat/1", `{"notes":"new words"}`); got.status != 200 {
		t.Errorf("an update while the index is locked: %d %s; want 200", got.status, got.body)
	}
	if got := s.ids(s.ask("GET", "/api/v1/flats?sort=id", "")); got != "1 2 3 4" {
		t.Errorf("listed %q", got)
	}
}

// A long search does not delay updates, and ends when its client disconnects.
func TestLongSearch(t *testing.T) {
	var flats []string
	for i := range 2000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"text":"%s"}`, i, strings.Repeat("of the house ", 100)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	var query strings.Builder
	query.WriteString("house")
	for i := range 120 {
		fmt.Fprintf(&query, ` -"of the x%d" y%d* OR house a* -z%d`, i, i, i)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		q, err := parseQuery(flatFields, "", "cost")
		if err == nil {
			work := turns.NewTask(ctx, turns.NewQueue())
			defer work.Pause()
			endsEarly(func() { _, err = s.store.Search(work, query.String()+" house", q) })
		}
		done <- err
	}()
	for i := range 20 {
		if got := s.ask("PATCH", "/api/v1/flat/7", fmt.Sprintf(`{"cost":%d}`, i)); got.status != 200 {
			t.Errorf("update %d: %d %s; want 200", i, got.status, got.body)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	// A short search is answered even if its context has ended, as for a client that
	// has closed its sending side.
	<-s.store.index.searchable
	q, err := parseQuery(flatFields, "", "cost")
	for range 50 {
		if err == nil {
			_, err = s.store.Search(turns.NewTask(ctx, turns.NewQueue()), "house", q)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// The steps of a search grow with the texts and with the words of the query, but not with
// words beyond what a query may have. A search ends within a text, too.
func TestSearchSteps(t *testing.T) {
	t.Parallel()
	const a, e, words = "a ", "é", 10_000 // of one letter, and letters that make one long word
	phrase := func(n int) string { return `"` + strings.Repeat(a, n) + `c"` }
	steps := func(ctx context.Context, text, query string) (total int, err error) {
		s := newService(t, `[{"id":1,"text":"`+text+` c"}]`, "[]")
		<-s.store.index.searchable
		q, err := parseQuery(flatFields, "", "cost")
		if err != nil {
			t.Fatal(err)
		}
		work := turns.NewTask(ctx, turns.NewQueue())
		work.Spend(time.Hour)
		if endsEarly(func() { _, err = s.store.Search(work, query, q) }) {
			err = ctx.Err()
		}
		return work.Steps(), err
	}
	text := strings.Repeat(a, words)
	for _, c := range []struct {
		name          string
		text, query   string // of some size
		text2, query2 string // of twice that size
	}{
		{"text", text, phrase(400), text + text, phrase(400)},
		{"phrase", text, phrase(400), text, phrase(800)},
		{"long words", strings.Repeat(e, words), "text:c", strings.Repeat(e, 2*words), "text:c"},
		{"no words", strings.Repeat("。", words), "text:c", strings.Repeat("。", 2*words), "text:c"},
		{"repeated terms", "c", strings.Repeat(a, words), "c", strings.Repeat(a, 2*words)},
		{"no terms", "c", strings.Repeat("- ", words), "c", strings.Repeat("- ", 2*words)},
		{"long term", "c", "c " + strings.Repeat(e, words), "c", "c " + strings.Repeat(e, 2*words)},
	} {
		once, err := steps(t.Context(), c.text, c.query)
		twice, err2 := steps(t.Context(), c.text2, c.query2)
		if err = errors.Join(err, err2); err != nil || twice < once*18/10 || twice > once*22/10 {
			t.Errorf("%s: %d steps, and %d for twice the size: %v", c.name, once, twice, err)
		}
	}
	var terms strings.Builder
	for i := range 1 << 15 {
		fmt.Fprintf(&terms, "w%d ", i)
	}
	const manyWords = 1 << 18
	for _, query := range []string{phrase(manyWords), terms.String()} {
		if n, err := steps(t.Context(), text, query); err == nil || n > 8*manyWords {
			t.Errorf("%.20q… with too many words takes %d steps: %v", query, n, err)
		}
	}
	const looks, stepsEach = 1000, 4096 // a task looks at its context after so many steps, or a few more
	n, err := steps(&countedContext{t.Context(), looks}, text, phrase(900))
	if err != context.Canceled || n > 2*looks*stepsEach {
		t.Errorf("the search of a client that has gone ends after %d steps: %v", n, err)
	}
}

// FuzzSearch checks that any search is answered, and that the answer matches the model's
// if the model can parse the query.
func FuzzSearch(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		f.Add(randomSearch(random))
	}
	for _, seed := range []string{"", "-", "\"", "OR", "a OR", "title:", "-title:\"a", "***", "a\"b\"c*",
		"“x”", "\x00",
		"\xff", "title:text:a", "a OR -b", "東京 OR \"都 x"} {
		f.Add(seed)
	}
	var flats []string
	for i := range 80 {
		flats = append(flats, withMembersOf(fmt.Sprintf(`{"id":%d}`, i), randomTexts(random)))
	}
	file := "[" + strings.Join(flats, ",\n") + "]"
	shared, m := newService(f, file, "[]"), newModel(f, file)
	f.Fuzz(func(t *testing.T, text string) {
		s := *shared
		s.TB = t
		text = strings.ToValidUTF8(text, "?") // as JSON requires
		if len(text) > 1000 {
			return
		}
		start := time.Now()
		defer func() {
			// A generous limit, proportional to the size of the query times the store.
			limit := 5*time.Second + time.Duration(len(text)*len(flats))*100*time.Microsecond
			if took := time.Since(start); took > limit {
				t.Errorf("%q took %v; want at most %v", text, took, limit)
			}
		}()
		find := func(text string) map[string]bool {
			found := map[string]bool{}
			for id := range strings.FieldsSeq(s.ids(s.search(text, "sort=id"))) {
				found[id] = true
			}
			return found
		}
		all := find(text)
		// An excluded word never adds results, except before OR, which would join it to the
		// next term.
		if !strings.Contains(text, "OR") {
			for _, excluded := range []string{"-garden ", "-\"a\" ", "-title:eau ", "-東* "} {
				for id := range find(excluded + text) {
					if !all[id] {
						t.Errorf("%q found %s, but %q did not", excluded+text, id, text)
					}
				}
			}
		}
		// The model supports only the letters of modelLetters and searchWords.
		groups, ok := modelSearch(text)
		for _, r := range text {
			_, isSpecial := modelLetters[unicode.ToLower(r)]
			ok = ok && (r < 0x80 || isSpecial || 0x300 <= r && r <= 0x36F ||
				strings.ContainsRune(strings.Join(searchWords, ""), r))
		}
		if !ok {
			return
		}
		for _, f := range m {
			if want := f.matches(groups); want != all[f.id] {
				t.Errorf("search %q: flat %s: %v; want %v\n%s", text, f.id, !want, want, flats[slices.Index(m, f)])
			}
		}
	})
}

// A search keeps few words of a long text while it reads it, so that many searches can wait in their turns.
func TestSearchMemory(t *testing.T) {
	long(t)
	const size = 1 << 19
	text := strings.Repeat("a ", size/2) + "z"
	for _, query := range []string{"missing", `"a a a b"`, "text:x* -b", `"b` + strings.Repeat(" a", maxTerms-1) + `"`} {
		s, err := parseSearch(nil, query, searchedFields)
		if err != nil {
			t.Fatal(err)
		}
		before, held, looks := heapInUse(), int64(0), 0
		ctx := &hookedContext{Context: t.Context(), onErr: func() {
			if looks++; looks%256 == 0 {
				held = max(held, heapInUse()-before)
			}
		}}
		work := turns.NewTask(ctx, turns.NewQueue())
		work.Spend(time.Hour) // so that each look at the clock is one at the context
		s.matches(work, func(field int) string {
			if searchedFields[field] == "text" {
				return text
			}
			return ""
		})
		work.Pause()
		if looks < 1000 || held > size/2 {
			t.Errorf("%.20q: after %d looks the words of a text of %d bytes take %d bytes", query, looks, size, held)
		}
	}
}
