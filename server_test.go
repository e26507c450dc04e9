package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The tests stand in the order of the API document, whose sections their
// names carry; behind them come the files, the program and the benchmarks.

// A service is a handler with what a test asks of it.
type service struct {
	testing.TB
	http.Handler
	config *Config
	store  *Store
	logs   *bytes.Buffer
}

// newService starts a service in memory with flats and postal codes, given as the
// texts of their files.
func newService(t testing.TB, flats, codes string) *service {
	t.Helper()
	s := &service{TB: t, logs: &bytes.Buffer{}}
	var err error
	s.config, _, err = parseConfig("config.json", `{"website_url": "https://flats.example/", "constraints": {
		"lyon": {"areas": ["FR-84"], "time_to": {"work": {"gps": [45.76, 4.85], "time": [0, 1800]}, "Gare \"Perrache\"": {"gps": [45.7485, 4.8258]}}},
		"anywhere": {"time_to": {}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := readPostalCodes("codes.json", codes)
	if err != nil {
		t.Fatal(err)
	}
	postal := newPostalCodes(rows, s.config.areas())
	list, err := readFlats("flats.json", flats, postal)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	s.store = memoryStore(list, postal, log)
	t.Cleanup(func() { s.store.Close() })
	s.Handler = newHandler(s.config, s.store, postal, log, false)
	return s
}

// A reply is an answer as a client sees it.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a request; header holds names and values in turn.
func (s *service) ask(method, target, body string, header ...string) reply {
	s.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "flats.example"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if got := w.Header().Get("Content-Length"); got != strconv.Itoa(w.Body.Len()) && method != "HEAD" && w.Code != 204 && w.Code != 304 {
		s.Errorf("%s %s: Content-Length %q, body of %d bytes", method, target, got, w.Body.Len())
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" {
		s.Errorf("%s %s: no nosniff", method, target)
	}
	return reply{w.Code, w.Header(), w.Body.String()}
}

// want checks status and body, as JSON where the wanted body is.
func (s *service) want(got reply, status int, body string) {
	s.Helper()
	if got.status != status || !sameJSON(got.body, body) {
		s.Errorf("got  %d %s\nwant %d %s", got.status, got.body, status, body)
	}
}

// refuse checks that an answer is an error object with a text.
func (s *service) refuse(got reply, status int, text string) {
	s.Helper()
	s.want(got, status, fmt.Sprintf(`{"error":%s,"status_code":%d}`, quote(text), status))
	if ct := got.header.Get("Content-Type"); ct != "application/json" {
		s.Errorf("error object of type %q", ct)
	}
}

func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(x, y)
}

// ids are those of the flats in a list body, or of the one in a flat body, in
// their order and as JSON; and the postal codes of postal code records.
func (s *service) ids(got reply) string {
	s.Helper()
	if got.status != 200 {
		s.Fatalf("got %d %s", got.status, got.body)
	}
	var list struct {
		Data []struct {
			ID   json.RawMessage `json:"id"`
			Code string          `json:"postal_code"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(got.body), &list); err != nil {
		s.Fatalf("%v in %s", err, got.body)
	}
	var ids []string
	for _, f := range list.Data {
		ids = append(ids, strings.Trim(string(f.ID)+f.Code, `"`))
	}
	return strings.Join(ids, " ")
}

// query escapes a query string that is written as it reads.
func query(s string) string {
	var b strings.Builder
	for i, p := range strings.Split(s, "&") {
		name, value, eq := strings.Cut(p, "=")
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(name))
		if eq {
			b.WriteString("=" + url.QueryEscape(value))
		}
	}
	return b.String()
}

const testCodes = `[{"postal_code":"69007","name":"Lyon 7e","lat":45.7336,"lng":4.8375,"area":"FR-84"},
	{"postal_code":"69007","name":"second of its code","lat":1,"lng":2,"area":"FR-84"},
	{"postal_code":"69003","name":"Lyon 3e","lat":45.7535,"lng":4.8695,"area":"FR-84"},
	{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846,"area":"DE-BE"},
	{"postal_code":"99999","name":"nowhere","lat":null,"lng":null,"area":null}]`

const testFlats = `[
{"id":"a","title":"Studio","cost":500,"area":20.5,"text":"small","status":"followed","service_constraint":"lyon","service_postal_code":"69007"},
{"id":"b","title":"Loft","cost":1200.00,"area":80,"currency":"EUR","rooms":3,"date":"2026-01-02T10:00:00+01:00","status":"new","x_seen":[1, 2],"photos":[{"url":"https://example.org/1.jpg"}]},
{"id":7,"title":"Attic","cost":700,"area":80,"notes":"","status":5,"visit_date":"2026-12-01T18:00","service_constraint":"anywhere","service_postal_code":"10115"},
{"id":"d","title":null,"cost":null,"date":"2026-01-02T09:00:00Z","status":{"k": "v"},"details":{"floor": 2},"service_constraint":"lyon","service_postal_code":"10115"},
{"id":"e","title":"Loft","cost":700,"area":79,"status":null,"service_constraint":"nobody","service_postal_code":"69007"}
]`

// Section 2.1: all fields in the order of the model, null where unknown, the
// members that the model does not know behind them.
func TestFlatFields_2_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.want(s.ask("GET", "/api/v1/flats/b", ""), 200, `{"data":{"id":"b","title":"Loft","text":null,"area":80,"cost":1200.00,"currency":"EUR",
		"utilities":null,"rooms":3,"bedrooms":null,"date":"2026-01-02T10:00:00+01:00","location":null,"station":null,"phone":null,
		"photos":[{"url":"https://example.org/1.jpg"}],"urls":null,"details":null,"merged_ids":null,"notes":null,"notation":null,"status":"new",
		"visit_date":null,"service_constraint":null,"service_postal_code":{},"service_stations":null,"service_time_to":null,"x_seen":[1,2]}}`)
	var order []string
	d := json.NewDecoder(strings.NewReader(s.ask("GET", "/api/v1/flats/a", "").body))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		if delim, ok := token.(json.Delim); ok {
			depth += map[json.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[delim]
		} else if name, ok := token.(string); ok && depth == 2 {
			order = append(order, name)
			if !d.More() {
				break
			}
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := strings.Fields(`id title text area cost currency utilities rooms bedrooms date location station phone photos urls details
		merged_ids notes notation status visit_date service_constraint service_postal_code service_stations service_time_to`)
	if !slices.Equal(order, want) {
		t.Errorf("fields in the order %q\nwant %q", order, want)
	}
}

// Section 2.1: every attribute is a filter key and a sort key.
func TestEveryField_2_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, f := range flatFields.list {
		if got := s.ask("GET", "/api/v1/flats?filter%5B"+f.name+"%5D=x&sort=-"+f.name, ""); got.status != 200 {
			t.Errorf("%s: %d %s", f.name, got.status, got.body)
		}
	}
	for _, name := range []string{"x_seen", "updated_at", "json", "ID", "Title"} {
		s.refuse(s.ask("GET", "/api/v1/flats?sort="+name, ""), 400, "Invalid sorting key provided: "+name+".")
		s.refuse(s.ask("GET", "/api/v1/flats?filter%5B"+name+"%5D=x", ""), 500, "Invalid filter key provided: "+name+".")
	}
}

// Section 2.2: the postal code of the flat's constraint, or {}.
func TestPostalCodeObject_2_2(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for id, want := range map[string]string{
		"a": `{"postal_code":"69007","name":"Lyon 7e","gps":[45.7336,4.8375]}`, // the first in file order
		"b": `{}`,                                                              // no code
		"7": `{"postal_code":"10115","name":"Berlin","gps":[52.5323,13.3846]}`, // a constraint without areas knows all
		"d": `{}`,                                                              // not in the constraint's areas
		"e": `{}`,                                                              // no such constraint
	} {
		var got struct {
			Data struct {
				Code json.RawMessage `json:"service_postal_code"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats/"+id, "").body), &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Data.Code) != want {
			t.Errorf("flat %s: %s; want %s", id, got.Data.Code, want)
		}
	}
	// An update of either half looks the code up again.
	s.ask("PATCH", "/api/v1/flat/d", `{"service_constraint":"anywhere"}`)
	if got := s.ask("GET", "/api/v1/flats/d", "").body; !strings.Contains(got, `"name":"Berlin"`) {
		t.Errorf("after a change of the constraint: %s", got)
	}
	got := s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":"99999"}`).body
	if !strings.Contains(got, `"service_postal_code":{"postal_code":"99999","name":"nowhere","gps":null}`) {
		t.Errorf("after a change of the code: %s", got)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":{"postal_code":"99999"}}`), 400,
		`Invalid payload provided: service_postal_code: want a string or null, got {"postal_code":"99999"}.`)
}

// Section 2.3: the record of a postal code, and its default order.
func TestPostalCodes_2_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/opendata/postal_codes", "")
	s.want(got, 200, `{"data":[{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846,"area":"DE-BE"},
		{"postal_code":"69003","name":"Lyon 3e","lat":45.7535,"lng":4.8695,"area":"FR-84"},
		{"postal_code":"69007","name":"Lyon 7e","lat":45.7336,"lng":4.8375,"area":"FR-84"},
		{"postal_code":"69007","name":"second of its code","lat":1,"lng":2,"area":"FR-84"},
		{"postal_code":"99999","name":"nowhere","lat":null,"lng":null,"area":null}],"page":0,"items_per_page":5}`)
	for query, want := range map[string]string{
		"filter%5Bpostal_code%5D=69007": "69007 69007", "filter%5Blat%5D=45.73360": "69007", "filter%5Bname%5D=Berlin": "10115",
		"sort=-lng&page%5Bsize%5D=2": "10115 69003", "sort=area,-lat": "99999 10115 69003 69007 69007",
		"page%5Bsize%5D=2&page%5Bnumber%5D=2": "99999",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/opendata/postal_codes?"+query, "")); got != want {
			t.Errorf("%s: %s; want %s", query, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/opendata/postal_codes?sort=cost", ""), 400, "Invalid sorting key provided: cost.")
}

// Section 2.4: the places of each constraint.
func TestPlaces_2_4(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.want(s.ask("GET", "/api/v1/time_to_places", ""), 200,
		`{"data":{"lyon":{"work":[45.76,4.85],"Gare \"Perrache\"":[45.7485,4.8258]},"anywhere":{}}}`)
}

// Section 4.1, filters: equality by the type of the value.
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
		// Several filters combine, also on one field.
		{"filter[cost]=700&filter[title]=Loft", "e"},
		{"filter[cost]=700&filter[cost]=500", ""},
		{"filter[cost]=700&filter[cost]=700.00", "7 e"},
		// Parameters of another form are ignored.
		{"filter=x&filter[]=x&filters[cost]=1&filter[cost]x=1&xfilter[cost]=1&filter[co-st]=1&filter[é]=1&Filter[cost]=1&page=3&utm=1&=&", "d a 7 e b"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.filter), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.filter, got, c.want)
		}
	}
	// [A-z] spans more than letters.
	for _, name := range []string{"nope", "a]", "[a", `a\b`, "^", "`", "_", "9"} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query("filter["+name+"]=1"), ""), 500, "Invalid filter key provided: "+name+".")
	}
}

// Section 4.1, sort: by the types of the values, null first, ties in the order
// of the store both ways.
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
	// Rule 2: the key is echoed as it was given.
	for _, key := range []string{"nope", "-nope", "", "-", "--cost", "+cost", " cost", "COST", "cost;", `"<b>`} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query("sort=cost,"+key), ""), 400, "Invalid sorting key provided: "+key+".")
	}
	s.refuse(s.ask("GET", "/api/v1/flats?sort=", ""), 400, "Invalid sorting key provided: .")
}

// Section 4.1, rules 1, 4 and 5, and section 8: pages.
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
		{"page[number]=4", "d a 7 e b", "4", "5"}, // takes effect only together with the size
		{"page[size]=9223372036854775807&page[number]=9223372036854775807", "", "9223372036854775807", "9223372036854775807"},
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
		if tail := `],"page":` + c.number + `,"items_per_page":` + c.items + `}`; !strings.HasSuffix(got.body, tail) || !strings.HasPrefix(got.body, `{"data":[`) {
			t.Errorf("%s: the body is %s; want its end %s", c.page, got.body, tail)
		}
	}
	for _, page := range []string{
		"page[size]=0", "page[size]=-1", "page[size]=", "page[size]=x", "page[size]=1.0", "page[size]=1e3", "page[size]= 1", "page[size]=0x1",
		"page[size]=9223372036854775808", "page[size]=99999999999999999999999", "page[size]=1_0", "page[size]=1&page[size]=2",
		"page[number]=-1", "page[number]=x", "page[number]=", "page[number]=9223372036854775808", "page[size]=2&page[number]=-1",
		"page[size]=x&sort=nope", "page[size]=x&filter[nope]=1", "filter[nope]=1&page[number]=x&sort=nope", // the first kind first
	} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query(page), ""), 400, "Invalid pagination provided.")
	}
	// Rule 6: a failure of the first two kinds is 400 whatever else is wrong.
	s.refuse(s.ask("GET", "/api/v1/flats?"+query("filter[nope]=1&sort=nope"), ""), 400, "Invalid sorting key provided: nope.")
	// What cannot be decoded is refused, a semicolon is a character.
	for _, raw := range []string{"filter%5Bcost%5D=%zz", "%=1", "a=%f"} {
		if got := s.ask("GET", "/api/v1/flats?"+raw, ""); got.status != 400 || !strings.Contains(got.body, "Invalid query string provided: ") {
			t.Errorf("%s: %d %s", raw, got.status, got.body)
		}
	}
	if got := s.ids(s.ask("GET", "/api/v1/flats?filter%5Btitle%5D=Loft;x&page%5Bsize%5D=1", "")); got != "" {
		t.Errorf("a semicolon parts parameters: got %s", got)
	}
}

// Pages put together are the list, whatever the sort key: none is repeated or
// lost among ties.
func TestPagesCoverTheList(t *testing.T) {
	var flats []string
	for i := range 97 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d,"rooms":%d,"status":"s%d"}`, i, i%3, i%2, i%5))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	for _, q := range []string{"sort=cost", "sort=-cost", "sort=status,-rooms", "sort=-title", "filter[status]=s1&sort=-rooms", "filter[rooms]=1&filter[cost]=0"} {
		whole := s.ids(s.ask("GET", "/api/v1/flats?"+query(q), ""))
		for _, size := range []int{1, 7, 96, 97, 98} {
			var pages []string
			for number := range 100 {
				page := s.ids(s.ask("GET", fmt.Sprintf("/api/v1/flats?%s&page%%5Bsize%%5D=%d&page%%5Bnumber%%5D=%d", query(q), size, number), ""))
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

// The headers beside a list body: the number of matches and, for a page, the
// links of RFC 8288 relative to the list.
func TestListHeaders_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/flats?"+query("filter[cost]=700"), "")
	if got.header.Get("X-Total-Count") != "2" || got.header.Get("Link") != "" {
		t.Errorf("got %v", got.header)
	}
	for number, want := range map[string]string{
		"0": "first=0 next=1 last=2", "1": "first=0 prev=0 next=2 last=2", "2": "first=0 prev=1 last=2", "9": "first=0 prev=2 last=2",
	} {
		got := s.ask("GET", "/api/v1/flats?sort=-cost&page[size]=2&page[number]="+number, "")
		var links []string
		for link := range strings.FieldsSeq(want) {
			rel, number, _ := strings.Cut(link, "=")
			links = append(links, `<?sort=-cost&page[size]=2&page%5Bnumber%5D=`+number+`>; rel="`+rel+`"`)
		}
		if got.header.Get("X-Total-Count") != "5" || got.header.Get("Link") != strings.Join(links, ", ") {
			t.Errorf("page %s: got  %v\nwant %v", number, got.header, links)
		}
	}
	// What a header or a URI cannot hold is encoded; nothing else changes.
	r := httptest.NewRequest("GET", "https://flats.example/api/v1/flats", nil)
	r.URL.RawQuery = "page[size]=9&x=%41<\"é>"
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if link := w.Header().Get("Link"); !strings.HasPrefix(link, `<?page[size]=9&x=%41%3C%22%C3%A9%3E&page%5Bnumber%5D=0>; rel="first"`) {
		t.Errorf("Link %s", link)
	}
	// A list without a record has one page.
	if link := s.ask("GET", "/api/v1/flats?page[size]=9&filter[title]=x", "").header.Get("Link"); strings.Contains(link, "next") || strings.Contains(link, "prev") {
		t.Errorf("Link %s", link)
	}
}

// Section 4.2: the route table.
func TestRoutes_4_2(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	index := `{"opendata":"/api/v1/opendata","flats":"/api/v1/flats","flat":"/api/v1/flat/:id","search":"/api/v1/search",
		"ics":"/api/v1/ics/visits.ics","time_to_places":"/api/v1/time_to_places"}`
	s.want(s.ask("GET", "/api/v1/", ""), 200, index)
	s.want(s.ask("GET", "/api/v1", ""), 200, index)
	s.want(s.ask("GET", "/api/v1/opendata", ""), 200, `{"postal_codes":"/api/v1/opendata/postal_codes"}`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200, `{"data":{"version":"`+version+`","flats":5,"postal_codes":5,"last_update":null}}`)
	s.store.now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 10, time.FixedZone("", 3600)) }
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"n"}`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200, `{"data":{"version":"`+version+`","flats":5,"postal_codes":5,"last_update":"2026-05-06T06:08:09Z"}}`)

	for _, path := range []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/time_to_places", "/api/v1/metadata", "/api/v1/opendata",
		"/api/v1/opendata/postal_codes", "/api/v1/ics/visits.ics"} {
		got, head := s.ask("GET", path, ""), s.ask("HEAD", path, "")
		if want := "application/json"; got.header.Get("Content-Type") != want && !strings.HasSuffix(path, "ics") {
			t.Errorf("GET %s: Content-Type %q; want %q", path, got.header.Get("Content-Type"), want)
		}
		if head.status != 200 || head.body != "" || !reflect.DeepEqual(head.header, got.header) {
			t.Errorf("HEAD %s: %d %q %v; want the header of GET, %v", path, head.status, head.body, head.header, got.header)
		}
	}
	// The singular segment updates, the plural one reads.
	for _, c := range []struct{ method, path, allow string }{
		{"GET", "/api/v1/flat/a", "PATCH, OPTIONS"},
		{"PATCH", "/api/v1/flats/a", "GET, HEAD, OPTIONS"},
		{"POST", "/api/v1/flats", "GET, HEAD, OPTIONS"},
		{"GET", "/api/v1/search", "POST, OPTIONS"},
		{"DELETE", "/api/v1/ics/visits.ics", "GET, HEAD, OPTIONS"},
		{"PUT", "/api/v1/", "GET, HEAD, OPTIONS"},
	} {
		got := s.ask(c.method, c.path, "")
		s.refuse(got, 405, fmt.Sprintf("%s does not answer %s, only %s.", c.path, c.method, c.allow))
		if got.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: Allow %q; want %q", c.method, c.path, got.header.Get("Allow"), c.allow)
		}
	}
	for _, path := range []string{"/api", "/api/v2/flats", "/api/v1/flats/", "/api/v1/flats/a/b", "/api/v1/flat", "/api/v1/nope", "/favicon.ico"} {
		s.refuse(s.ask("GET", path, ""), 404, "There is nothing at "+path+".")
	}
}

// Every GET has a strong entity tag that is new after each change of what it
// stands for, and answers 304 to who holds it.
func TestEntityTags(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	paths := []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats?page[size]=2", "/api/v1/flats/a", "/api/v1/flats/b", "/api/v1/time_to_places",
		"/api/v1/metadata", "/api/v1/opendata", "/api/v1/opendata/postal_codes", "/api/v1/ics/visits.ics"}
	tags := map[string]string{}
	for _, path := range paths {
		tag := s.ask("GET", path, "").header.Get("Etag")
		tags[path] = tag
		if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
			t.Errorf("%s: ETag %s", path, tag)
		}
		for held, status := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200, tag[1 : len(tag)-1]: 200} {
			for _, method := range []string{"GET", "HEAD"} {
				got := s.ask(method, path, "", "If-None-Match", held)
				if got.status != status || status == 304 && got.body != "" || got.header.Get("Etag") != tag {
					t.Errorf("%s %s with %s: %d %v; want %d", method, path, held, got.status, got.header, status)
				}
			}
		}
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":"2026-12-01"}`)
	for _, path := range paths {
		changed := strings.HasPrefix(path, "/api/v1/flats") && path != "/api/v1/flats/b" || strings.HasSuffix(path, "visits.ics") || strings.HasSuffix(path, "metadata")
		if got := s.ask("GET", path, "").header.Get("Etag") != tags[path]; got != changed {
			t.Errorf("%s: tag changed %v; want %v", path, got, changed)
		}
	}
	// An error has none, and neither has the answer to an unsafe method.
	if tag := s.ask("GET", "/api/v1/flats/nope", "", "If-None-Match", "*").header.Get("Etag"); tag != "" {
		t.Errorf("404 with ETag %s", tag)
	}
	if got := s.ask("POST", "/api/v1/search", `{"query":"loft"}`, "If-None-Match", "*"); got.status != 200 {
		t.Errorf("search: %d %s", got.status, got.body)
	}
}

// Section 4.3: reading one flat. Ids with characters of their own are found.
func TestFlat_4_3(t *testing.T) {
	s := newService(t, `[{"id":"97945@airbnb"},{"id":"a/b c%2F?"},{"id":"é\u0000\""},{"id":12345678901234567890},{"id":".."},{"id":"-0"}]`, "[]")
	for path, id := range map[string]string{
		"97945@airbnb": `"97945@airbnb"`, "97945%40airbnb": `"97945@airbnb"`, "a%2Fb%20c%252F%3F": `"a/b c%2F?"`, "%C3%A9%00%22": `"é\u0000\""`,
		"12345678901234567890": "12345678901234567890", "%2E%2E": `".."`, "-0": `"-0"`,
	} {
		got := s.ask("GET", "/api/v1/flats/"+path, "")
		if got.status != 200 || !strings.HasPrefix(got.body, `{"data":{"id":`+id+`,`) {
			t.Errorf("%s: %d %.60s; want id %s", path, got.status, got.body, id)
		}
		if got := s.ask("PATCH", "/api/v1/flat/"+path, `{"status":"x"}`); got.status != 200 {
			t.Errorf("PATCH %s: %d %s", path, got.status, got.body)
		}
	}
	for path, id := range map[string]string{"nope": "nope", "A": "A", "%22%3Cb%3E": `"<b>`, "12345678901234567891": "12345678901234567891", "7.0": "7.0"} {
		s.refuse(s.ask("GET", "/api/v1/flats/"+path, ""), 404, "No flat with id "+id+".")
		s.refuse(s.ask("PATCH", "/api/v1/flat/"+path, "no JSON"), 404, "No flat with id "+id+".") // looked up before the body is read
	}
}

// Section 4.3: an update sets each key that is present, and says so.
func TestUpdate_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	field := func(id, name string) string {
		var got struct{ Data map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats/"+id, "").body), &got); err != nil {
			t.Fatal(err)
		}
		return string(got.Data[name])
	}
	for _, c := range []struct{ body, name, want string }{
		{`{"status":"followed"}`, "status", `"followed"`},
		{`{"status":""}`, "status", `""`},
		{`{"status":null}`, "status", `null`},
		{`{"status":{"a" : [1, 2.50, "x y"]}}`, "status", `{"a":[1,2.50,"x y"]}`}, // any value, section 3
		{`{"status":true}`, "status", `true`},
		{`{"visit_date":"2026-12-01T18:00"}`, "visit_date", `"2026-12-01T18:00"`},
		{`{"visit_date":"2026-12-01 18:00:00.5+0100"}`, "visit_date", `"2026-12-01 18:00:00.5+0100"`}, // kept as given
		{`{"visit_date":null}`, "visit_date", `null`},
		{`{"notes":"n\u00e9 \ud83d\ude00"}`, "notes", `"n\u00e9 \ud83d\ude00"`},
		{`{"cost":1e3}`, "cost", `1e3`},
		{`{"cost":0.10}`, "cost", `0.10`},
		{`{"cost":null}`, "cost", `null`},
		{`{"photos":[]}`, "photos", `[]`},
		{`{"details":"text"}`, "details", `"text"`},
		{`{"title":"T","area":1,"rooms":2}`, "area", `1`},
		{"\t{ \"title\" :\r\n \"T2\" } ", "title", `"T2"`},
		{`{"id":"b"}`, "id", `"b"`},
		{`{}`, "title", `"T2"`},
	} {
		got := s.ask("PATCH", "/api/v1/flat/b", c.body)
		if after := field("b", c.name); got.status != 200 || after != c.want || got.body != s.ask("GET", "/api/v1/flats/b", "").body {
			t.Errorf("%s: %d %s\n%s is %s; want %s", c.body, got.status, got.body, c.name, after, c.want)
		}
	}
	if got := field("b", "x_seen"); got != "[1,2]" {
		t.Errorf("an unknown member became %s", got)
	}
	// The id keeps its type; the same text is the same id.
	s.ask("PATCH", "/api/v1/flat/7", `{"id":7,"title":"Top"}`)
	if field("7", "id") != "7" || field("7", "title") != `"Top"` {
		t.Errorf("got id %s, title %s", field("7", "id"), field("7", "title"))
	}

	// Anything wrong, and nothing is set.
	before := s.ask("GET", "/api/v1/flats", "").body
	for body, detail := range map[string]string{
		``:                            "want an object, got the end",
		`null`:                        `want an object, got "null"`,
		`[]`:                          `want an object, got "[]"`,
		`"status"`:                    `want an object, got "\"status\""`,
		`{"title":"x"`:                "want a comma or the end of the object, got the end",
		`{"title":"x"}x`:              `want the end, got "x"`,
		`{"title":"x"}{"title":"y"}`:  `want the end, got "{\"title\":\"y\"}"`,
		`{"title":"x",}`:              `want a string, got "}"`,
		`{'title':1}`:                 `want a string, got "'title':1}"`,
		`{"title":"x","title":"y"}`:   `the name "title" stands twice in one object`,
		"{\"title\":\"\xff\"}":        "byte 0xff is not UTF-8",
		"{\"title\":\"a\nb\"}":        `want no control character in a string, got "\nb\"}"`,
		`{"title":"x","cost":"5"}`:    `cost: want a number or null, got "5"`,
		`{"title":"x","cost":1e999}`:  `cost: want a finite number or null, got 1e999`,
		`{"title":"x","cost":NaN}`:    `want a value, got "NaN}"`,
		`{"title":5}`:                 "title: want a string or null, got 5",
		`{"title":"x","nope":1}`:      "nope: a flat has no such field",
		`{"title":"x","Title":"y"}`:   "Title: a flat has no such field",
		`{"x_seen":1}`:                "x_seen: a flat has no such field",
		`{"updated_at":"2026-01-01"}`: "updated_at: a flat has no such field",
		`{"title":"x","id":"other"}`:  `id: the flat's own id is "b", and it stays`,
		`{"id":null}`:                 "id: want a string with something in it or an integer, got null",
		`{"id":1.5}`:                  "id: want a string with something in it or an integer, got 1.5",
		`{"visit_date":"tomorrow"}`:   `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "tomorrow"`,
		`{"visit_date":"2026-02-30"}`: "visit_date: there is no such day as 2026-02-30",
		`{"visit_date":1764612000}`:   "visit_date: want a datetime or null, got 1764612000",
		`{"service_postal_code":{}}`:  "service_postal_code: want a string or null, got {}",
		`{"title":"x","area":[1]}`:    "area: want a number or null, got [1]",
		strings.Repeat(`{"a":`, 2000): "want at most 1000 values inside one another, got \"{\\\"a\\\":{\\\"a\\\":{\\\"a\\\":{\"",
	} {
		got := s.ask("PATCH", "/api/v1/flat/b", body)
		s.refuse(got, 400, "Invalid payload provided: "+detail+".")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/b", `{"title":"`+strings.Repeat("x", 1<<20)+`"}`), 413, "The body is larger than 1048576 bytes.")
	if after := s.ask("GET", "/api/v1/flats", "").body; after != before {
		t.Errorf("a refused update left its mark:\n%s\n%s", before, after)
	}
}

// Section 4.3: the body of a search comes first, then its parameters.
func TestSearchRequest_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, body := range []string{``, `{}`, `null`, `[]`, `"loft"`, `{"query":5}`, `{"query":null}`, `{"query":["loft"]}`, `{"Query":"loft"}`, `{"query":"loft"`,
		`{"query":"loft"}x`, "{\"query\":\"\xff\"}", `query=loft`} {
		s.refuse(s.ask("POST", "/api/v1/search?page[size]=x&sort=nope", body), 400, "Invalid query provided.")
	}
	body := `{"query":"loft", "more":1}`
	s.refuse(s.ask("POST", "/api/v1/search?page[size]=x", body), 400, "Invalid pagination provided.")
	s.refuse(s.ask("POST", "/api/v1/search?sort=nope", body), 400, "Invalid sorting key provided: nope.")
	s.refuse(s.ask("POST", "/api/v1/search?filter[nope]=1", body), 500, "Invalid filter key provided: nope.")
	for params, want := range map[string]string{"": "e b", "sort=-cost": "b e", "page[size]=1&page[number]=1": "b", "filter[cost]=700": "e", "filter[cost]=701": ""} {
		got := s.ask("POST", "/api/v1/search?"+params, body)
		if ids := s.ids(got); ids != want {
			t.Errorf("%s: %s; want %s", params, ids, want)
		}
	}
	got := s.ask("POST", "/api/v1/search?page[size]=1", body)
	if !strings.HasSuffix(got.body, `],"page":0,"items_per_page":1}`) || got.header.Get("X-Total-Count") != "2" || !strings.Contains(got.header.Get("Link"), `page%5Bnumber%5D=1>; rel="next"`) {
		t.Errorf("got %s %v", got.body, got.header)
	}
}

// Section 4.5: OPTIONS answers without looking at anything.
func TestOptions_4_5(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for path, want := range map[string]string{
		"/api/v1/flats": "", "/api/v1/flats?page[size]=x": "", "/api/v1/flats/a": "{}", "/api/v1/flats/nope": "{}", "/api/v1/flat/nope": "{}",
		"/api/v1/search": "{}", "/api/v1/ics/visits.ics": "{}", "/api/v1/time_to_places": "{}", "/api/v1/metadata": "{}", "/api/v1/opendata/postal_codes": "{}",
	} {
		got := s.ask("OPTIONS", path, "no JSON")
		if got.status != 200 || got.body != want || got.header.Get("Allow") == "" {
			t.Errorf("OPTIONS %s: %d %q %v; want 200 %q", path, got.status, got.body, got.header, want)
		}
	}
	for _, path := range []string{"/api/v1/", "/api/v1", "/api/v1/opendata"} {
		if got := s.ask("OPTIONS", path, ""); got.status != 204 || got.body != "" || got.header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d %q %v", path, got.status, got.body, got.header)
		}
	}
	s.refuse(s.ask("OPTIONS", "/api/v1/nope", ""), 404, "There is nothing at /api/v1/nope.")
}

// Section 7: any other failure is a 500 with its text, and the service goes on.
func TestFailures_7(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	broken := &server{log: log}
	s.Handler = broken.recovered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic("out of milk") }))
	s.refuse(s.ask("GET", "/", ""), 500, "internal error: out of milk")
	if !strings.Contains(s.logs.String(), "out of milk") || !strings.Contains(s.logs.String(), "server_test.go") {
		t.Errorf("the log has no panic and place: %s", s.logs)
	}
	s.Handler = broken.recovered(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("half"))
		panic("too late")
	}))
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("a begun answer ended in %v; want it cut", got)
			}
		}()
		s.ask("GET", "/", "")
	}()
}

var _ = os.Stdout
var _ = io.EOF
var _ = time.Now
