// Tests of store.go.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"
)

// Section 4.3: GET and PATCH find a flat by its id, also if its path needs escapes.
func TestFlat_4_3(t *testing.T) {
	s := newService(t, `[{"id":"97945@airbnb"},{"id":"a/b c%2F?"},{"id":"é\u0000\""},{"id":12345678901234567890},`+
		`{"id":".."},{"id":"-0"}]`, "[]")
	for path, id := range map[string]string{
		"97945@airbnb": `"97945@airbnb"`, "97945%40airbnb": `"97945@airbnb"`, "a%2Fb%20c%252F%3F": `"a/b c%2F?"`,
		"%C3%A9%00%22":         `"é\u0000\""`,
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
	for path, id := range map[string]string{"nope": "nope", "A": "A", "%22%3Cb%3E": `"<b>`,
		"12345678901234567891": "12345678901234567891", "7.0": "7.0"} {
		s.refuse(s.ask("GET", "/api/v1/flats/"+path, ""), 404, "No flat with id "+id+".")
		// The flat is looked up before the body is read.
		s.refuse(s.ask("PATCH", "/api/v1/flat/"+path, "no JSON"), 404, "No flat with id "+id+".")
	}
}

// A flat with any id of 1 to 1,024 bytes can be read and updated, even if the id
// looks like a path.
func TestOddIDs_4_3(t *testing.T) {
	for _, id := range []string{"/", "//", "///", ".", "..", "../", "a/../b", "./a", "a//b", "\n", "\r\n", " ", "%",
		"%2F", "a%zzb", "?", "#", "é/ü", strings.Repeat("x/", 512), "flats", ":id", "{id}", "api/v1/flats/a"} {
		for _, base := range []string{"", "/my/flats"} {
			s := newService(t, `[{"id":`+encodeJSON(id)+`}]`,
				"[]").with(func(c *Config) { c.WebsiteURL = "https://flats.example/my/flats/" })
			target := base + "/api/v1/flats/" + strings.ReplaceAll(url.PathEscape(id), ".", "%2E")
			s.want(s.ask("GET", target, ""), 200, s.ask("GET", target, "").body)
			got := s.ask("PATCH", base+"/api/v1/flat/"+url.PathEscape(id), `{"title":"x"}`)
			if got.status != 200 || !strings.HasPrefix(got.body, `{"data":{"id":`+encodeJSON(id)+`,"title":"x"`) {
				t.Errorf("PATCH %q under %q: %d %.200s", id, base, got.status, got.body)
			}
			got = s.ask("GET", target, "")
			if got.status != 200 || !strings.HasPrefix(got.body, `{"data":{"id":`+encodeJSON(id)+`,"title":"x"`) {
				t.Errorf("GET %q under %q: %d %.200s", id, base, got.status, got.body)
			}
		}
	}
	for _, id := range []string{`""`, `"` + strings.Repeat("x", 1025) + `"`} {
		_, err := readFlats("f", []byte(`[{"id":`+id+`}]`), nil, quiet)
		want := "f:1: id: want a string of 1 to 1024 bytes or an integer, got "
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v", id, err)
		}
	}
}

// Section 4.3: an update sets each field in the body and returns the flat.
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
		{`{"status":{"a" : [1, 2.50, "x y"]}}`, "status", `{"a":[1,2.50,"x y"]}`},
		{`{"visit_date":"2026-12-01T18:00"}`, "visit_date", `"2026-12-01T18:00"`},
		{`{"visit_date":"2026-12-01 18:00:00.5+0100"}`, "visit_date", `"2026-12-01 18:00:00.5+0100"`}, // kept as written
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
		{`{"title":"T1","title":"T2"}`, "title", `"T2"`}, // the last value counts
		{`{}`, "title", `"T2"`},
	} {
		got := s.ask("PATCH", "/api/v1/flat/b", c.body)
		if after := field("b", c.name); got.status != 200 || after != c.want ||
			got.body != s.ask("GET", "/api/v1/flats/b", "").body {
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

	// An update with any error sets nothing.
	before := s.ask("GET", "/api/v1/flats", "").body
	for body, detail := range map[string]string{
		``:                            "unexpected end of JSON input",
		`null`:                        `want an object, got null`,
		`[]`:                          `want an object, got []`,
		`"status"`:                    `want an object, got "status"`,
		`{"title":"x"`:                "unexpected end of JSON input",
		`{"title":"x"}x`:              `invalid character 'x' after top-level value`,
		`{"title":"x"}{"title":"y"}`:  `invalid character '{' after top-level value`,
		`{"title":"x",}`:              `invalid character '}' looking for beginning of object key string`,
		`{'title':1}`:                 `invalid character '\'' looking for beginning of object key string`,
		"{\"title\":\"\xff\"}":        "byte 0xff is not UTF-8",
		"{\"title\":\"a\nb\"}":        `invalid character '\n' in string literal`,
		`{"title":"x","cost":"5"}`:    `cost: want a finite number or null, got "5"`,
		`{"title":"x","cost":1e999}`:  `cost: want a finite number or null, got 1e999`,
		`{"title":"x","cost":NaN}`:    `invalid character 'N' looking for beginning of value`,
		`{"title":5}`:                 "title: want a string or null, got 5",
		`{"title":"x","nope":1}`:      "nope: a flat has no such field",
		`{"title":"x","Title":"y"}`:   "Title: a flat has no such field",
		`{"x_seen":1}`:                "x_seen: only an import can change it",
		`{"x_seen":null}`:             "x_seen: only an import can change it",
		`{"updated_at":"2026-01-01"}`: "updated_at: a flat has no such field",
		`{"title":"x","id":"other"}`:  `id: the id of the flat is "b" and cannot be changed`,
		`{"id":null}`:                 "id: want a string of 1 to 1024 bytes or an integer, got null",
		`{"id":1.5}`:                  "id: want a string of 1 to 1024 bytes or an integer, got 1.5",
		`{"visit_date":"tomorrow"}`: `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "tomorrow"`,
		`{"visit_date":"2026-02-30"}`: `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "2026-02-30"`,
		`{"visit_date":1764612000}`: `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "1764612000"`,
		`{"title":"x","area":[1]}`: "area: want a finite number or null, got [1]",
		`{"details":` + strings.Repeat("[", 9996) + strings.Repeat("]", 9996) +
			"}": "nested too deeply",
	} {
		got := s.ask("PATCH", "/api/v1/flat/b", body)
		s.refuse(got, 400, "Invalid payload provided: "+detail+".")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/b", `{"title":"`+strings.Repeat("x", 1<<20)+`"}`), 413,
		"The body is larger than 1048576 bytes.")
	if after := s.ask("GET", "/api/v1/flats", "").body; after != before {
		t.Errorf("a refused update changed a flat:\n%s\n%s", before, after)
	}
}

// Sending back a flat as GET returned it changes nothing. An update with If-Match is
// made only if the flat has not changed since.
func TestSendBack_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, id := range []string{"a", "b", "7", "d", "e"} {
		got := s.ask("GET", "/api/v1/flats/"+id, "")
		var body struct{ Data json.RawMessage }
		if err := json.Unmarshal([]byte(got.body), &body); err != nil {
			t.Fatal(err)
		}
		tag := got.header.Get("Etag")
		s.want(s.ask("PATCH", "/api/v1/flat/"+id, string(body.Data), "If-Match", tag), 200, got.body)
		if again := s.ask("GET", "/api/v1/flats/"+id, ""); again.header.Get("Etag") != tag {
			t.Errorf("%s: the tag changed from %s to %s", id, tag, again.header.Get("Etag"))
		}
		for sent, status := range map[string]int{tag: 200, `"x", ` + tag: 200, "*": 200, `"x"`: 412, "W/" + tag: 200,
			"": 412} {
			got := s.ask("PATCH", "/api/v1/flat/"+id, `{}`, "If-Match", sent)
			if got.status != status {
				t.Errorf("%s: If-Match: %s: %d %s; want %d", id, sent, got.status, got.body, status)
			}
		}
		s.ask("PATCH", "/api/v1/flat/"+id, `{"notes":"theirs"}`)
		s.refuse(s.ask("PATCH", "/api/v1/flat/"+id, `{"notes":"mine"}`, "If-Match", tag), 412,
			"The flat has changed since: read it again.")
	}
	// Unknown members are compared as JSON values. Numbers are equal if JavaScript
	// clients, which send back rounded numbers, cannot tell them apart.
	s = newService(t, `[{"id":1,"n":18,"big":9007199254740993,"huge":1e999,"o":{"a":[1,{"b":2.50}],"c":null}}]`, "[]")
	for members, ok := range map[string]bool{
		`"n":18`: true, `"n":18.0`: true, `"n":1.8e1`: true, `"n":"18"`: false, `"n":null`: false, `"n":19`: false,
		`"none":null`: true, `"none":0`: false,
		`"big":9007199254740993.0`: true, `"big":9007199254740992`: true, `"big":9007199254740994`: false,
		`"huge":1e999`: true, `"huge":1e998`: false, `"o":{"c":null,"a":[1.0,{"b":2.5}]}`: true,
		`"o":{"a":[1,{"b":2.5}]}`: false, `"o":{"a":[{"b":2.5},1],"c":null}`: false,
	} {
		want := 400
		if ok {
			want = 200
		}
		if got := s.ask("PATCH", "/api/v1/flat/1", "{"+members+"}"); got.status != want {
			t.Errorf("%s: %d %s; want %d", members, got.status, got.body, want)
		}
	}
}

// Of concurrent updates with the same If-Match, only the first succeeds.
func TestIfMatchTogether(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	tag := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag")
	started, release := make(chan struct{}), make(chan struct{})
	go s.store.change(func(func(string) *Flat) ([]edit, error) { close(started); <-release; return nil, nil }, nil)
	<-started
	const updates = 8
	statuses := make(chan int, updates)
	for i := range updates {
		go func() {
			statuses <- s.ask("PATCH", "/api/v1/flat/a", fmt.Sprintf(`{"notation":%d}`, i), "If-Match", tag).status
		}()
	}
	time.Sleep(50 * time.Millisecond) // let all of them wait for the writer
	close(release)
	count := map[int]int{}
	for range updates {
		count[<-statuses]++
	}
	if count[200] != 1 || count[412] != updates-1 {
		t.Errorf("answers by status: %v; want 200 once, and 412 for all others", count)
	}
}

// An update with another status sets status_since, and no import does.
func TestStatusSince(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, "[]")
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.store.now = func() time.Time { return clock }
	// The first case is at one o'clock, each of the others an hour later.
	for _, c := range []struct{ body, want string }{
		{`PATCH {"notes":"x","status":"new"}`, `null`},
		{`PATCH {"status":"followed"}`, `"2026-01-01T02:00:00Z"`},
		{`PATCH {"status":"followed","cost":5}`, `"2026-01-01T02:00:00Z"`},
		{`POST [{"id":"a","status":"x","status_since":"2020-01-01","cost":7}]`, `"2026-01-01T02:00:00Z"`},
		{`PATCH {"status":7}`, `"2026-01-01T05:00:00Z"`},
		{`PATCH {"status":7.0}`, `"2026-01-01T05:00:00Z"`},
		{`PATCH {"status":null}`, `"2026-01-01T07:00:00Z"`},
	} {
		clock = clock.Add(time.Hour)
		method, body, _ := strings.Cut(c.body, " ")
		got := s.ask(method, map[string]string{"PATCH": "/api/v1/flat/a", "POST": "/api/v1/import"}[method], body)
		if since := s.store.Get("a").StatusSince.JSON(); got.status != 200 || since != c.want {
			t.Errorf("%s: %d, status_since %s; want %s", c.body, got.status, since, c.want)
		}
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"status_since":"2026-01-01"}`), 400,
		"Invalid payload provided: status_since: a flat has no such field.")
	// An update that takes back a status also brings back the time of the status before. It is still seven o'clock.
	for _, c := range []struct{ query, body, want string }{
		{"status_since=2026-01-01T03:30:00%2B01:00", `{"status":"x","cost":8}`, `"2026-01-01T02:30:00Z"`},
		{"status_since=2026-01-01T01:00:00Z", `{"status":"x","cost":9}`, `"2026-01-01T02:30:00Z"`}, // the same status
		{"status_since=2026-01-01T06:00:00.5Z&status_since=2026-01-01T06:00:00.5Z", `{"status":"y"}`,
			`"2026-01-01T06:00:00.5Z"`},
		{"status_since=2025-12-31", `{"status":"w"}`, `"2025-12-31T00:00:00Z"`},           // a date, as in listings
		{"status_since=2026-01-01T07:00:01Z", `{"status":"z"}`, `"2026-01-01T07:00:00Z"`}, // the clock was set back
	} {
		got := s.ask("PATCH", "/api/v1/flat/a?"+c.query, c.body)
		if since := s.store.Get("a").StatusSince.JSON(); got.status != 200 || since != c.want {
			t.Errorf("%s %s: %d, status_since %s; want %s", c.query, c.body, got.status, since, c.want)
		}
	}
	for _, times := range []string{"status_since", "status_since=x", "status_since=2026-02-30",
		"status_since=2026-01-01T01:00:00Z&status_since=2026-01-01T02:00:00Z"} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a?"+times, `{"status":"z"}`), 400,
			"Invalid status_since provided: must be a time such as 2026-01-05T18:00:00Z.")
	}
}

// An import sets the next step only on a new flat. Without a step there is no date.
func TestNextStep(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, "[]")
	for _, c := range []struct{ request, step, date string }{
		{`PATCH {"next_step":"Call","next_date":"2026-12-01T18:00"}`, `"Call"`, `"2026-12-01T18:00"`},
		{`POST [{"id":"a","next_step":"Pay","next_date":"2027-01-01"}]`, `"Call"`, `"2026-12-01T18:00"`},
		{`PATCH {"next_date":null}`, `"Call"`, `null`},
		{`PATCH {"next_date":"2026-12-02"}`, `"Call"`, `"2026-12-02"`},
		{`PATCH {"next_step":null}`, `null`, `null`},
		{`PATCH {"next_step":"Pay","next_date":"2026-12-02"}`, `"Pay"`, `"2026-12-02"`},
		{`PATCH {"next_step":null,"next_date":"2026-12-02"}`, `null`, `null`}, // the date is as before
		{`PATCH {"next_step":"Pay","next_date":"2026-12-02"}`, `"Pay"`, `"2026-12-02"`},
		{`PATCH {"next_step":""}`, `""`, `null`},
	} {
		method, body, _ := strings.Cut(c.request, " ")
		got := s.ask(method, map[string]string{"PATCH": "/api/v1/flat/a", "POST": "/api/v1/import"}[method], body)
		var answer struct{ Data members }
		json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats/a", "").body), &answer)
		step, date := answer.Data.text("next_step"), answer.Data.text("next_date")
		if got.status != 200 || step != c.step || date != c.date {
			t.Errorf("%s: %d, %s on %s; want %s on %s", c.request, got.status, step, date, c.step, c.date)
		}
	}
	for _, step := range []string{"", `"next_step":"",`, `"next_step":null,`} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a", "{"+step+`"next_date":"2026-12-02"}`), 400,
			"Invalid payload provided: next_date: the flat has no next_step: set it, too.")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"next_step":5}`), 400,
		"Invalid payload provided: next_step: want a string or null, got 5.")
	s.ask("POST", "/api/v1/import", `[{"id":"b","next_step":"Call","next_date":"2026-12-02"},{"id":"c","next_date":"x"},`+
		`{"id":"d","next_date":"2026-12-02"},{"id":"e","next_step":"","next_date":"2026-12-02"},`+
		`{"id":"f","next_step":[5],"next_date":"2026-12-02"}]`)
	for target, want := range map[string]string{
		"flats?filter[next_step]=Call": "b", "find?max[next_date]=2026-12-02": "b", "find?sort=-next_date,id": "b a c d e f",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/"+target, "")); got != want {
			t.Errorf("%s: flats %q; want %q", target, got, want)
		}
	}
}

// withPeople returns a service of flats with two people.
func withPeople(t *testing.T, flats string) *service {
	t.Helper()
	s := newService(t, flats, testCodes)
	s = s.with(func(c *Config) { c.People = []string{"Ann", "Ben Ö."} })
	s.store.table = newTable(queryFields(quiet, nil, s.config.fieldNames()...))
	s.Handler = s.with(func(*Config) {}).Handler
	return s
}

// An update says who makes it. A new status and a rating keep that. The notation is the mean of
// the ratings.
func TestPeople(t *testing.T) {
	s := withPeople(t, `[{"id":"a"}]`)
	wants := func(what, status, ratings, notation string) {
		t.Helper()
		f := s.store.Get("a")
		if f.StatusBy.JSON() != status || f.Ratings.JSON() != ratings || f.Notation.JSON() != notation {
			t.Errorf("%s: status_by %s, ratings %s, notation %s; want %s, %s, %s", what, f.StatusBy.JSON(),
				f.Ratings.JSON(), f.Notation.JSON(), status, ratings, notation)
		}
	}
	for _, c := range []struct{ by, body, status, ratings, notation string }{
		{"?by=Ann", `{"status":"followed"}`, `"Ann"`, `null`, `null`},
		{"?by=Ben+%C3%96.", `{"status":"followed","notes":"x"}`, `"Ann"`, `null`, `null`}, // the same status
		{"?by=Ben+%C3%96.&by=Ben%20%C3%96.", `{"status":"ignored","rating":4}`, `"Ben Ö."`, `{"Ben Ö.":4}`, `4`},
		{"", `{"status":"ignored"}`, `"Ben Ö."`, `{"Ben Ö.":4}`, `4`},
		{"", `{"status":"new"}`, `null`, `{"Ben Ö.":4}`, `4`},
		{"?by=Ann", `{"rating":2.50}`, `null`, `{"Ann":2.50,"Ben Ö.":4}`, `3.3`}, // the mean 3.25, rounded
		{"?by=Ann", `{"notation":1}`, `null`, `{"Ann":2.50,"Ben Ö.":4}`, `1`},
		{"?by=Ann", `{"rating":2.5}`, `null`, `{"Ann":2.5,"Ben Ö.":4}`, `3.3`},
		{"?by=Ann&%62y=Ann", `{"rating":null}`, `null`, `{"Ben Ö.":4}`, `4`},
		{"?by=Ann", `{"rating":null}`, `null`, `{"Ben Ö.":4}`, `4`},
		{"?by=Ben+%C3%96.", `{"rating":null,"notes":"none"}`, `null`, `null`, `null`},
	} {
		if got := s.ask("PATCH", "/api/v1/flat/a"+c.by, c.body); got.status != 200 ||
			strings.Contains(got.body, "rating") || strings.Contains(got.body, "status_by") {
			t.Errorf("%s %s: %d %s", c.by, c.body, got.status, got.body)
		}
		wants(c.by+" "+c.body, c.status, c.ratings, c.notation)
	}
	for _, by := range []string{"?by=", "?by=ann", "?by=Ann&by=Ben+%C3%96.", "?by=%zz", "?by=Ann&by", "?by=Ben+Ö"} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a"+by, `{"status":"x"}`), 400,
			"Invalid by provided: must name one of the people in the config.")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/none?by=x", `{`), 404, "No flat with id none.")
	const both = "rating: notation becomes the mean of the ratings, and cannot be set together with one"
	for body, want := range map[string]string{
		`{"rating":"4"}`:              `rating: want a finite number or null, got "4"`,
		`{"status":"x","rating":[4]}`: `rating: want a finite number or null, got [4]`,
		`{"rating":4,"notation":4}`:   both, `{"rating":null,"notation":null}`: both,
		`{"rating":4,"ratings":{"Ann":1}}`: "ratings: a flat has no such field",
		`{"status_by":"Ann","rating":4}`:   "status_by: a flat has no such field",
		`{"rating":` + strings.Repeat("9", 401) + `}`: "rating: want a finite number or null, got " +
			strings.Repeat("9", 40) + "…",
	} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a?by=Ann", body), 400, "Invalid payload provided: "+want+".")
	}
	for _, body := range []string{`{"rating":4}`, `{"rating":null}`} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a", body), 400,
			"Invalid payload provided: rating: name the person with ?by=.")
	}
	wants("after errors", `null`, `null`, `null`)
	// The answer of GET can be sent back, even if it has an unknown member rating.
	unknown := withPeople(t, `[{"id":"b","rating":3}]`)
	var answer struct{ Data json.RawMessage }
	json.Unmarshal([]byte(unknown.ask("GET", "/api/v1/flats/b", "").body), &answer)
	if got := unknown.ask("PATCH", "/api/v1/flat/b?by=Ann", string(answer.Data)); got.status != 200 ||
		unknown.store.Get("b").Ratings.Known() {
		t.Errorf("what GET gave: %d %s", got.status, got.body)
	}
	unknown.ask("PATCH", "/api/v1/flat/b?by=Ann", `{"rating":3}`)
	if got := unknown.store.Get("b").Ratings.JSON(); got != `{"Ann":3}` {
		t.Errorf("the ratings are %s", got)
	}
	tag := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag")
	if got := s.ask("PATCH", "/api/v1/flat/a?by=Ann", `{"rating":5}`, "If-Match", tag); got.status != 200 {
		t.Errorf("If-Match: %d %s", got.status, got.body)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a?by=Ann", `{"rating":1}`, "If-Match", tag), 412,
		"The flat has changed since: read it again.")
	wants("after If-Match", `null`, `{"Ann":5}`, `5`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200, `{"data":{"version":"`+version+`","flats":1,"postal_codes":5,
		"last_update":"`+s.store.Get("a").UpdatedAt.at.Format(time.RFC3339)+`","people":["Ann","Ben Ö."]}}`)

	// Without people there are no such fields, and a rating that a listing has brought may be sent back.
	s = newService(t, `[{"id":"a"},{"id":"own","rating":4.5}]`, "[]")
	s.ask("PATCH", "/api/v1/flat/a?by=x", `{"status":"x"}`)
	wants("without people", `null`, `null`, `null`)
	const noField, fixed = "a flat has no such field", "only an import can change it"
	for target, want := range map[string]string{"a": noField, "a?by=Ann": noField, "own": fixed, "own?by=Ann": fixed} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/"+target, `{"rating":5}`), 400, "Invalid payload provided: rating: "+want+".")
	}
	s.refuse(s.ask("GET", "/api/v1/find?sort=rating.Ann", ""), 400, "Invalid sorting key provided: rating.Ann.")
	s = withPeople(t, `[{"id":"own","rating":4.5}]`)
	s.want(s.ask("PATCH", "/api/v1/flat/own", `{"rating":4.50}`), 200, s.ask("GET", "/api/v1/flats/own", "").body)
	s.refuse(s.ask("PATCH", "/api/v1/flat/own", `{"rating":5}`), 400,
		"Invalid payload provided: rating: only an import can change it.")
}

// Queries know who decided, and the ratings of each person. Listings set these only on new flats.
// A person who is no longer in the config, such as Zoe, stays in the flats.
func TestFindPeople(t *testing.T) {
	s := withPeople(t, `[{"id":"stored-wrong","status_by":5,"ratings":[1]},
		{"id":"of-zoe","status":"followed","status_by":"Zoe","ratings":{"Zoe":5},"notation":5}]`)
	got := s.ask("POST", "/api/v1/import", `[
		{"id":"new","status":"followed","status_by":"Ann","ratings":{"Ann":3,"Zoe":1}},
		{"id":"wrong","status_by":["Ann"],"ratings":{"Ann":null}},{"id":"empty","ratings":{},"status_by":null},
		{"id":"of-zoe","status_by":"Ann","ratings":null},{"id":"with-rating","rating":4.5}]`)
	if got.status != 200 {
		t.Fatal(got.body)
	}
	logs := s.logs.String()
	if strings.Count(logs, "invalid value ignored") != 2 || !strings.Contains(logs, "field=status_by flat=wrong") ||
		!strings.Contains(logs, "field=ratings flat=wrong") {
		t.Errorf("the log is %s; want two invalid values, status_by and ratings of the flat wrong", logs)
	}
	s.ask("PATCH", "/api/v1/flat/of-zoe?by=Ben+%C3%96.", `{"rating":2,"status":"visited"}`)
	// The notation of of-zoe is the mean of its ratings.
	s.want(s.ask("GET", "/api/v1/find?sort=id&fields=status_by,ratings,rating.Ann,rating.Ben+%C3%96.,notation", ""), 200,
		`{"data":[
		{"id":"empty","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null},
		{"id":"new","status_by":"Ann","ratings":{"Ann":3,"Zoe":1},"rating.Ann":3,"rating.Ben Ö.":null,"notation":null},
		{"id":"of-zoe","status_by":"Ben Ö.","ratings":{"Ben Ö.":2,"Zoe":5},"rating.Ann":null,"rating.Ben Ö.":2,
			"notation":3.5},
		{"id":"stored-wrong","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null},
		{"id":"with-rating","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null},
		{"id":"wrong","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null}],
		"page":0,"items_per_page":6,"total":6,"counts":{}}`)
	for target, want := range map[string]string{
		"known[rating.Ben Ö.]=no&any[status]=followed": "new",
		"filter[status_by]=Ann":                        "new",
		"min[rating.Ann]=3":                            "new",
		"known[ratings]=yes&sort=-rating.Ann":          "new of-zoe",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/find?"+query(target), "")); got != want {
			t.Errorf("%s: %s; want %s", target, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/find?known[rating.Zoe]=no", ""), 400,
		"Invalid known[rating.Zoe] provided: there is no such field.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=status_by", ""), 400, "Invalid sorting key provided: status_by.")
	if got := s.ask("GET", "/api/v1/flats/of-zoe", "").body; strings.Contains(got, "ratings") ||
		strings.Contains(got, "status_by") {
		t.Errorf("version 1 serves %s", got)
	}
	// A view may name a person.
	got = s.ask("PUT", "/api/v1/views/for%20Ann", `{"query":"known[rating.Ann]=no&any[status]=visited"}`)
	if got.status != 201 || !strings.Contains(got.body, `"total":1,`) {
		t.Errorf("a view: %d %s", got.status, got.body)
	}
}

// The ratings, and who decided, survive a restart and a fold.
func TestPeopleStored(t *testing.T) {
	d := newSimDisk()
	for _, by := range []string{"Ann", "Ben"} {
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if s.Get("a") == nil {
			newImporter(s).ImportText([]byte(`[{"id":"a"}]`), "")
		}
		text := []byte(`{"rating":4,"status":"` + by + `"}`)
		if _, err := s.Update("a", text, nil, author{hasPeople: true, person: by}); err != nil {
			t.Fatal(err)
		}
		d = d.restartSynced() // without Close
		s.Close()
	}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f := s.Get("a")
	if f.StatusBy.String() != "Ben" || f.Ratings.JSON() != `{"Ann":4,"Ben":4}` || f.Notation.number != 4 {
		t.Errorf("status_by %s, ratings %s, notation %s", f.StatusBy.JSON(), f.Ratings.JSON(), f.Notation.JSON())
	}
}

// During concurrent updates and imports, each answer shows a single state of the store.
// Every change keeps cost + area at 1000 in each flat, and each import adds all its
// flats or none.
func TestConsistency(t *testing.T) {
	t.Parallel()
	const first, imported, clients = 300, 10, 3 // flats at first and of the imports, and clients that send updates
	var flats []string
	for i := range first {
		flats = append(flats, fmt.Sprintf(`{"id":"f%d","cost":%d,"area":%d,"text":"word w%d","status":"%s"}`, i, i,
			1000-i, i%7, []string{"left", "right"}[i%2]))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for w := range clients {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for range rounds(800) {
				cost := random.IntN(1000)
				id := random.IntN(first/clients)*clients + w // of a flat that no other client changes
				got := s.ask("PATCH", fmt.Sprintf("/api/v1/flat/f%d", id),
					fmt.Sprintf(`{"cost":%d,"area":%d,"text":"word w%d"}`, cost, 1000-cost, random.IntN(7)))
				if got.status != 200 {
					t.Errorf("PATCH: %d %s", got.status, got.body)
				}
			}
		})
	}
	writers.Go(func() {
		for n := range 20 {
			var batch []string
			for i := range imported {
				batch = append(batch, fmt.Sprintf(`{"id":"new%d","cost":%d,"area":%d,"text":"word w1"}`, i, n, 1000-n))
			}
			listings, err := readListings("", []byte("["+strings.Join(batch, ",")+"]"))
			if err != nil {
				t.Error(err)
			}
			if _, err := s.importer.Import(context.Background(), listings, nil); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 4 {
		readers.Go(func() {
			const descending, ofAll = "sort=-cost&page[size]=50", "sort=cost" // the latter has all flats in one page
			queries := []string{descending, ofAll, "filter[status]=left&sort=area,-id",
				"sort=title,-cost&page[size]=30&page[number]=3"}
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				query, isSearch := queries[(n+i)%len(queries)], n%3 == 0
				got := s.ask("GET", "/api/v1/flats?"+query, "")
				if isSearch {
					got = s.ask("POST", "/api/v1/search?"+query, `{"query":"word -w3"}`)
				}
				var list struct {
					Data []struct {
						ID         string
						Cost, Area float64
						Text       string
					}
				}
				if err := json.Unmarshal([]byte(got.body), &list); err != nil {
					t.Errorf("%v in %s", err, got.body)
					return
				}
				seen, added := map[string]bool{}, 0
				for k, f := range list.Data {
					if seen[f.ID] || f.Cost+f.Area != 1000 || isSearch && f.Text == "word w3" {
						t.Errorf("inconsistent or repeated flat %+v", f)
					}
					seen[f.ID] = true
					if strings.HasPrefix(f.ID, "new") {
						added++
					}
					if k == 0 {
						continue
					}
					before := list.Data[k-1].Cost
					if query == ofAll && f.Cost < before || query == descending && f.Cost > before {
						t.Errorf("flats out of order: cost %v after %v", f.Cost, before)
					}
				}
				isPartOfImport := added != 0 && added != imported
				lacksFlats := !isSearch && len(seen) != first+added
				if query == ofAll && (isPartOfImport || lacksFlats) {
					t.Errorf("%d flats, %d of the %d imported ones", len(seen), added, imported)
				}
				if total, _ := strconv.Atoi(got.header.Get("X-Total-Count")); total < len(seen) || total > first+imported {
					t.Errorf("X-Total-Count %d with %d flats", total, len(seen))
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}

// Indexes and cached orders do not keep replaced flats in memory.
func TestOldFlatsFreed(t *testing.T) {
	s := newService(t, `[{"id":"a","title":"first","location":"here","cost":1,"visit_date":"2026-12-01"},{"id":"b"}]`,
		"[]")
	s.ask("GET", "/api/v1/flats?filter[location]=here&filter[id]=a&filter[visit_date]=2026-12-01&sort=title,-location",
		"")
	s.search("first", "")
	flat := weak.Make(s.store.Get("a"))
	for i := range maxMoved + 1 { // an order that lags more versions than maxMoved is dropped
		if got := s.ask("PATCH", "/api/v1/flat/a", fmt.Sprintf(`{"notes":"%d"}`, i)); got.status != 200 {
			t.Fatal(got)
		}
	}
	runtime.GC()
	if flat.Value() != nil {
		t.Error("the original flat is still in memory")
	}
}

// FuzzUpdate checks that the files equal the flats in memory after any update and import,
// both after a crash and after a clean shutdown.
func FuzzUpdate(f *testing.F) {
	for _, text := range []string{`{"id":"7","notes":"x"}`, `{"i\u0064":7,"cost":1e2,"n\u006ftes":"\ud800"}`,
		`{"id":"\u0061","status":{"a":[1, 2]},"visit_date":"2026-12-01 10:00:00.5+01"}`,
		`{"id":9,"x":{"y":null},"é\n":"<","status":null}`,
		`{"id":"9","flatisfy":{"postal_code":"1","constraint":"c"},"url":"u","title":"\n"}`,
		`{"data":[{"id":1},{"id":"1","z":1},{"id":7,"z":[ 2 ]}]}`,
		`{"service_postal_code":"69100","service_constraint":"lyon"}`,
		`{"id":"7","cost":1,"merged_ids":["a", 1],"not_duplicates":["a"]}`,
		`{"complete":"x","data":[{"id":"1@x","first_seen":"2026-01-01"},{"id":"7","merged_ids":[ 1 ]}]}`} {
		f.Add(text)
	}
	rows, err := readPostalCodes("codes.json", []byte(testCodes))
	if err != nil {
		f.Fatal(err)
	}
	codes := newPostalCodes(rows, map[string]Constraint{"lyon": {}})
	const base = `[{"id":7,"x":1},{"id":"a","status":null,"service_postal_code":"69100","service_constraint":"lyon"},` +
		`{"id":"null"}]`
	f.Fuzz(func(t *testing.T, text string) {
		d := newSimDisk()
		d.put("/flats.json", base)
		s, err := openStore("/flats.json", d, codes, quiet)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string) {
			again, err := openStore("/flats.json", d.restartSynced(), codes, quiet)
			if err != nil {
				t.Fatalf("%s, %q: %v", what, text, err)
			}
			defer again.Close()
			want, got := s.snapshot(), again.snapshot()
			if got.size != want.size {
				t.Fatalf("%s, %q: %d flats; want %d", what, text, got.size, want.size)
			}
			for row, f := range want.all() {
				if got, want := string(got.row(row).appendStored(nil)), string(f.appendStored(nil)); got != want {
					t.Errorf("%s, %q: the restored flat is\n%s; want\n%s", what, text, got, want)
				}
			}
		}
		for _, id := range []string{"7", "a", "null"} {
			s.Update(id, []byte(text), nil, author{})
			check("an update of " + id)
		}
		if listings, err := readListings("", []byte(text)); err == nil {
			if _, err := newImporter(s).Import(context.Background(), listings, nil); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			check("an import")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		check("Close")
	})
}

// A channel of changes receives once for all updates and imports that came before. Nobody waits
// for its receiver.
func TestChanges(t *testing.T) {
	s := newStore(nil, nil, quiet, nil)
	defer s.Close()
	first, second := s.changes(), s.changes()
	received := func(c chan struct{}) (n int) {
		for len(c) > 0 {
			<-c
			n++
		}
		return n
	}
	imports := newImporter(s)
	for _, change := range []func() error{
		func() error { _, err := imports.ImportText([]byte(`[{"id":"a"}]`), ""); return err },
		func() error { _, err := s.Update("a", []byte(`{"notes":"x"}`), nil, author{}); return err },
	} {
		for range 3 {
			if err := change(); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := received(first), received(second); a != 1 || b != 1 {
			t.Errorf("received %d and %d times; want once each", a, b)
		}
	}
}
