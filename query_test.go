// Tests of query.go.

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"flats/internal/turns"
)

// Section 4.1, filters: values are compared by their type.
func TestFilter_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ filter, want string }{
		{"filter[title]=Loft", "e b"},
		{"filter[title]=loft", ""},
		{"filter[title]=", ""},
		{"filter[cost]=700", "7 e"},
		{"filter[cost]=700.0", "7 e"},
		{"filter[cost]=7e2", "7 e"},
		{"filter[cost]=1200", "b"},
		{"filter[cost]=cheap", ""},
		{"filter[cost]=", ""},
		{"filter[cost]=null", ""},
		{"filter[cost]=0x2bc", ""},
		{"filter[area]=20.50", "a"},
		{"filter[date]=2026-01-02T09:00:00Z", "d b"},
		{"filter[date]=2026-01-02 10:00:00+0100", "d b"},
		{"filter[date]=2026-01-02T09:00", "d b"},
		{"filter[date]=2026-01-02", ""},
		{"filter[date]=yesterday", ""},
		{"filter[visit_date]=2026-12-01T18:00:00.000Z", "7"},
		{"filter[status]=new", "b"},
		{"filter[status]=5", "7"},
		{"filter[status]=5.0", "7"},
		{`filter[status]={"k":"v"}`, "d"},
		{`filter[status]={"k": "v"}`, ""},
		{"filter[status]=null", ""},
		{`filter[details]={"floor":2}`, "d"},
		{"filter[service_postal_code]=69007", "a e"},
		{"filter[id]=7", "7"},
		{"filter[id]=7.0", "7"},
		{"filter[id]=a", "a"},
		{"filter[notes]=", "7"},
		// All filters must match, including several on one field.
		{"filter[cost]=700&filter[title]=Loft", "e"},
		{"filter[cost]=700&filter[cost]=500", ""},
		{"filter[cost]=700&filter[cost]=700.00", "7 e"},
		// Parameters of another form are ignored.
		{"filter=x&filter[]=x&filters[cost]=1&filter[cost]x=1&xfilter[cost]=1&filter[co-st]=1&filter[é]=1&" +
			"Filter[cost]=1&page=3&utm=1&=&", "d a 7 e b"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.filter), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.filter, got, c.want)
		}
	}
	// A plus in a datetime is the sign of an offset, as users type it, or the
	// space after the day, as forms encode it.
	for raw, want := range map[string]string{
		"2026-01-02T10:00+01:00": "d b", "2026-01-02T10%3A00+01%3A00": "d b", "2026-01-02T10:00%2B01:00": "d b",
		"2026-01-02+09:00": "d b", "2026-01-02+10:00+01:00": "d b",
		"2026-01-02+10%3A00%2B01:00": "d b", "2026-01-02T10:00 01:00": "", "2026-01-02T10:00%2001:00": "",
		"+2026-01-02": "",
	} {
		r := httptest.NewRequest("GET", "https://flats.example/api/v1/flats", nil)
		r.URL.RawQuery = "filter%5Bdate%5D=" + raw
		if got := s.ids(s.send(r)); got != want {
			t.Errorf("filter[date]=%s: %s; want %s", raw, got, want)
		}
	}
	// The documented key pattern [A-z] also matches [ \ ] ^ _ and `.
	for _, name := range []string{"nope", "a]", "[a", `a\b`, "^", "`", "_", "9"} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query("filter["+name+"]=1"), ""), 500,
			"Invalid filter key provided: "+name+".")
	}
}

// Section 4.1, sort: values sort by their type, null first. Equal values stay in
// the order of the store, ascending or descending.
func TestSort_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ sort, want string }{
		{"", "d a 7 e b"}, // rule 3
		{"sort=cost", "d a 7 e b"},
		{"sort=-cost", "b 7 e a d"},
		{"sort=cost,area", "d a e 7 b"},
		{"sort=-area,title", "7 b e a d"},
		{"sort=-area,-title", "b 7 e a d"},
		{"sort=title", "d 7 b e a"},
		{"sort=date", "a 7 e b d"},
		{"sort=-date", "b d a 7 e"},
		{"sort=status", "e 7 a b d"},
		{"sort=id", "7 a b d e"},
		{"sort=cost&sort=area", "d a e 7 b"},
		{"sort=service_postal_code,-cost", "b 7 d e a"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.sort), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.sort, got, c.want)
		}
	}
	// Rule 2: the error quotes the key as it was given.
	for _, key := range []string{"nope", "-nope", "", "-", "--cost", "+cost", " cost", "COST", "cost;", `"<b>`} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query("sort=cost,"+key), ""), 400,
			"Invalid sorting key provided: "+key+".")
	}
	s.refuse(s.ask("GET", "/api/v1/flats?sort=", ""), 400, "Invalid sorting key provided: .")
}

// Section 4.1, rules 1, 4 and 5, and section 8: a page is a slice of the list.
func TestPages_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct {
		page, want    string
		number, items string
	}{
		{"", "d a 7 e b", "0", "5"},
		{"page[size]=2", "d a", "0", "2"},
		{"page[size]=2&page[number]=0", "d a", "0", "2"},
		{"page[size]=2&page[number]=1", "7 e", "1", "2"},
		{"page[size]=2&page[number]=2", "b", "2", "2"},
		{"page[size]=2&page[number]=3", "", "3", "2"},
		{"page[size]=5&page[number]=1", "", "1", "5"},
		{"page[size]=1000", "d a 7 e b", "0", "1000"},
		{"page[number]=4", "d a 7 e b", "4", "5"}, // ignored without a size
		{"page[size]=9223372036854775807&page[number]=9223372036854775807", "", "9223372036854775807",
			"9223372036854775807"},
		{"page[size]=9223372036854775807", "d a 7 e b", "0", "9223372036854775807"},
		{"page[size]=2&page[number]=9223372036854775807", "", "9223372036854775807", "2"},
		{"page[size]=2&filter[cost]=700&page[number]=0", "7 e", "0", "2"},
		{"page[size]=1&filter[cost]=700&page[number]=1", "e", "1", "1"},
		{"page[size]=2&page[size]=2", "d a", "0", "2"},
	} {
		got := s.ask("GET", "/api/v1/flats?"+query(c.page), "")
		if ids := s.ids(got); ids != c.want {
			t.Errorf("%s: %s; want %s", c.page, ids, c.want)
		}
		tail := `],"page":` + c.number + `,"items_per_page":` + c.items + `}`
		if !strings.HasSuffix(got.body, tail) || !strings.HasPrefix(got.body, `{"data":[`) {
			t.Errorf("%s: the body is %s; want it to end in %s", c.page, got.body, tail)
		}
	}
	for _, page := range []string{
		"page[size]=0", "page[size]=-1", "page[size]=", "page[size]=x", "page[size]=1.0", "page[size]=1e3",
		"page[size]= 1", "page[size]=0x1",
		"page[size]=9223372036854775808", "page[size]=99999999999999999999999", "page[size]=1_0",
		"page[size]=1&page[size]=2",
		"page[number]=-1", "page[number]=x", "page[number]=", "page[number]=9223372036854775808",
		"page[size]=2&page[number]=-1",
		// a pagination error comes before the other kinds
		"page[size]=x&sort=nope", "page[size]=x&filter[nope]=1", "filter[nope]=1&page[number]=x&sort=nope",
	} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query(page), ""), 400, "Invalid pagination provided.")
	}
	// Rule 6: an error in pagination or sorting is a 400 whatever else is wrong.
	s.refuse(s.ask("GET", "/api/v1/flats?"+query("filter[nope]=1&sort=nope"), ""), 400,
		"Invalid sorting key provided: nope.")
	// A known parameter that cannot be decoded is refused. An unknown parameter is
	// ignored, even if it cannot be decoded, and hides no other error. A semicolon is
	// an ordinary character.
	s.refuse(s.ask("GET", "/api/v1/flats?filter%5Bcost%5D=%zz", ""), 400,
		`Invalid filter[cost] provided: invalid URL escape "%zz".`)
	s.refuse(s.ask("GET", "/api/v1/flats?filter%5Bnope%5D=1&filter%5Bcost%5D=%zz", ""), 400,
		`Invalid filter[cost] provided: invalid URL escape "%zz".`)
	s.refuse(s.ask("GET", "/api/v1/flats?page%5Bsize%5D=%zz", ""), 400, "Invalid pagination provided.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=%zz", ""), 400, "Invalid sorting key provided: %zz.")
	for _, raw := range []string{"%=1", "a=%f", "filter%zz[cost]=1", "a=%f;%"} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+raw, "")); got != "d a 7 e b" {
			t.Errorf("%s: %s", raw, got)
		}
		s.refuse(s.ask("GET", "/api/v1/flats?"+raw+"&sort=nope&filter%5Bcost%5D=%zz", ""), 400,
			"Invalid sorting key provided: nope.")
		s.refuse(s.ask("GET", "/api/v1/flats?"+raw+"&filter[nope]=1", ""), 500, "Invalid filter key provided: nope.")
	}
	if got := s.ids(s.ask("GET", "/api/v1/flats?filter%5Btitle%5D=Loft;x&page%5Bsize%5D=1", "")); got != "" {
		t.Errorf("a semicolon separates parameters: got %s", got)
	}
}

// The pages of a list together are the whole list, whatever the sort key: no flat
// is repeated or missing among equal keys.
func TestPagesCoverTheList_4_1(t *testing.T) {
	var flats []string
	for i := range 97 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d,"rooms":%d,"status":"s%d"}`, i, i%3, i%2, i%5))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	for _, q := range []string{"sort=cost", "sort=-cost", "sort=status,-rooms", "sort=-title",
		"filter[status]=s1&sort=-rooms", "filter[rooms]=1&filter[cost]=0"} {
		whole := s.ids(s.ask("GET", "/api/v1/flats?"+query(q), ""))
		for _, size := range []int{1, 7, 96, 97, 98} {
			var pages []string
			for number := range 100 {
				page := s.ids(s.ask("GET", fmt.Sprintf("/api/v1/flats?%s&page%%5Bsize%%5D=%d&page%%5Bnumber%%5D=%d",
					query(q), size, number), ""))
				if page != "" {
					pages = append(pages, page)
				}
			}
			if got := strings.Join(pages, " "); got != whole {
				t.Errorf("%s by %d: %s\nwant %s", q, size, got, whole)
			}
		}
	}
}

// Random lists match the model's, before and after random updates: the cached
// orders and lookups follow the flats.
func TestRandomLists_4_1(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 4))
		names := slices.Sorted(maps.Keys(modelFields))
		// The last seed uses few fields, so that several filters match together.
		if seed == 2 {
			names = []string{"id", "cost", "title", "status", "date", "rooms"}
		}
		var flats []string
		for i := range 600 {
			id := strconv.Itoa(i)
			if i%3 == 0 {
				id = `"x` + id + `"`
			} else if i%7 == 0 {
				id = "-" + id
			}
			flats = append(flats, withMembersOf(`{"id": `+id+"}", randomMembers(random, names, 0.9)))
		}
		file := "[" + strings.Join(flats, ",\n") + "]"
		s, m := newService(t, file, testCodes), newModel(t, file)
		for i := range rounds(480) {
			if random.IntN(2) == 0 {
				s.patch(m, random, randomMembers(random, names, 0.2))
			}
			q := randomQuery(random, names)
			got, want := s.listed(s.ask("GET", "/api/v1/flats?"+q.raw(), "")), m.list(q, nil)
			if got != want {
				t.Fatalf("seed %d, query %d: %+v\n%s\ngot  %s\nwant %s", seed, i, *q, q.raw(), got, want)
			}
		}
	}
}

// The memory of a query depends on the number of its fields, not on the number of its conditions.
func TestManyConditions(t *testing.T) {
	var flats []string
	for i := range 20_000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d}`, i, i%1000))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	<-s.store.index.searchable
	conditions := []string{"filter[cost]=800", "any[cost]=8", "not[cost]=8", "min[cost]=8", "known[cost]=yes"}
	for _, condition := range conditions {
		raw := "page[size]=1&counts=status" + strings.Repeat("&"+condition, 3000)
		q, err := parseQuery(s.store.table.fields, raw, "cost")
		if err != nil || len(q.conditions) != 1 {
			t.Fatalf("%s: %v, %d conditions", condition, err, len(q.conditions))
		}
		const anyNumber, oneMiB = 1 << 62, 1 << 20
		for _, limit := range []uint64{anyNumber, oneMiB} { // the first round also sorts the flats
			allocated := allocatedBy(func() { _, err = s.store.Find(turns.NewTask(t.Context(), turns.NewQueue()), q) })
			if err != nil || allocated > limit {
				t.Errorf("%s: %v, %d bytes allocated; want at most %d", condition, err, allocated, limit)
			}
		}
	}
	// Conditions on several fields combine. Each cost from 0 to 999 is that of 20 flats; flat 3 does not cost 7.
	got := s.ask("GET", "/api/v1/find?page[size]=1&counts=cost&counts=id&min[cost]=1&any[cost]=7&not[id]=3&max[area]=1"+
		"&unknown=area", "")
	if !strings.Contains(got.body, `"total":20,`) {
		t.Errorf("conditions on several fields find %d %.300s; want the 20 flats that cost 7", got.status, got.body)
	}
}

// FuzzQuery checks that any query string gets the documented answer.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "filter%5Bcost%5D=700&sort=-area,title&page%5Bsize%5D=2&page%5Bnumber%5D=1",
		"filter[status]=5.0&filter[id]=7", "sort=nope",
		"filter[nope]=1", "page[size]=0", "filter[date]=2026-01-02T09:00Z", "%zz=1", "a;b=1&&=",
		"page[size]=9223372036854775807&page[number]=9223372036854775807",
		"filter[title]=Loft&sort=-cost,id", "filter[details]=%7B%22floor%22%3A2%7D",
		"min[cost]=1&max[date]=2026-01-01&unknown=cost&known[area]=yes&any[id]=7&" +
			"not[status]=x&nulls=last&fields=cost,site&counts=status&q=a",
		"format=csv&sort=-travel_time",
	} {
		f.Add(seed)
	}
	shared, m := newService(f, testFlats, testCodes), newModel(f, testFlats)
	f.Fuzz(func(t *testing.T, raw string) {
		s := *shared
		s.TB = t
		s.logs.Reset()
		r := httptest.NewRequest("GET", "https://flats.example/api/v1/flats", nil)
		r.URL.RawQuery = raw
		got := s.send(r)
		if !json.Valid([]byte(got.body)) {
			t.Fatalf("%q: the body is not JSON: %s", raw, got.body)
		}
		switch got.status {
		case 200:
			s.listed(got)
		case 400:
		case 500:
			if !strings.HasPrefix(got.body, `{"error":"Invalid filter key provided: `) {
				t.Fatalf("%q: %s\n%s", raw, got.body, s.logs)
			}
		default:
			t.Fatalf("%q: %d %s", raw, got.status, got.body)
		}
		r.URL.Path = "/api/v1/find"
		found := s.send(r)
		isCSV := found.header.Get("Content-Type") == "text/csv; charset=utf-8"
		if found.status != 200 && found.status != 400 || !isCSV && !json.Valid([]byte(found.body)) {
			t.Fatalf("find?%s: %d %s", raw, found.status, found.body)
		}
		q, status, err := modelParse(raw)
		if err != nil {
			return
		}
		if got.status != status {
			t.Fatalf("%q: %d %s; want %d", raw, got.status, got.body, status)
		}
		if status != 200 {
			return
		}
		if want := m.list(q, nil); s.listed(got) != want {
			t.Fatalf("%q: %s\nwant %s", raw, s.listed(got), want)
		}
	})
}

// TestWhere tests which routes can name the fields of lists, the fields that only /find has, and
// the fields that no answer has.
func TestWhere(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for name, want := range map[string]string{ // what sort of flats, sort of find, and fields of find answer
		"title":         "200 200 200",
		"gone":          "200 200 200",
		"status_by":     "400 200 200",
		"cost_per_area": "400 200 200",
		"updated_at":    "400 400 400",
		"unknown":       "400 400 400",
	} {
		var got []string
		for _, query := range []string{"flats?sort=", "find?sort=", "find?fields="} {
			got = append(got, fmt.Sprint(s.ask("GET", "/api/v1/"+query+name, "").status))
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: the routes answer %s; want %s", name, text, want)
		}
	}
}

// A tag with an unknown option, such as a typo, ends the program at its start.
func TestTagOptions(t *testing.T) {
	type record struct {
		Known Text `field:"known,omitempty,searched"`
		Wrong Text `field:"wrong,correctible"`
	}
	for what, act := range map[string]func(){
		"a tag": func() { fieldsOf[record]() }, "a use": func() { flatFields.with("correctible") },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != `fields have no option "correctible"` {
					t.Errorf("%s: got %s", what, got)
				}
			}()
			act()
		}()
	}
}
