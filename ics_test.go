// Tests of ics.go.

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"flats/internal/turns"
)

// A calendar is a decoded feed. The decoder shares no code with the encoder, so that
// neither hides an error of the other.
type calendar struct {
	head   []string            // the unfolded lines outside of components
	zones  []string            // the unfolded lines of time zones
	events []map[string]string // by name; SUMMARY, DESCRIPTION and LOCATION are unescaped
}

// readCalendar decodes a feed. It checks the rules for all feeds, that components are
// complete, and that no property occurs twice in an event.
func readCalendar(t testing.TB, feed string) (c calendar) {
	t.Helper()
	if !strings.HasPrefix(feed, "BEGIN:VCALENDAR\r\n") || !strings.HasSuffix(feed, "\r\nEND:VCALENDAR\r\n") {
		t.Fatalf("the feed is not a single complete calendar: %q", feed)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(feed, "\r\n"), "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsFunc(line, unprintable) {
			t.Errorf("line %q of %d octets", line, len(line))
		}
		if folded, ok := strings.CutPrefix(line, " "); ok {
			lines[len(lines)-1] += folded
		} else {
			lines = append(lines, line)
		}
	}
	component := ""
	for _, line := range lines[1 : len(lines)-1] {
		name, value, ok := strings.Cut(line, ":")
		switch {
		case !ok || name == "" || value == "":
			t.Errorf("not a property: %q", line)
		case line == "BEGIN:VEVENT" && component == "":
			component = value
			c.events = append(c.events, map[string]string{})
		case line == "END:VEVENT" && component == "VEVENT":
			component = ""
		case line == "BEGIN:VTIMEZONE" && component == "":
			component = value
			c.zones = append(c.zones, line)
		case component == "VTIMEZONE":
			c.zones = append(c.zones, line)
			if line == "END:VTIMEZONE" {
				component = ""
			}
		case name == "BEGIN" || name == "END":
			t.Errorf("%s in %q", line, component)
		case component == "":
			c.head = append(c.head, line)
		default:
			event := c.events[len(c.events)-1]
			if _, ok := event[name]; ok {
				t.Errorf("%s occurs twice in an event", name)
			}
			if name == "SUMMARY" || name == "DESCRIPTION" || name == "LOCATION" {
				value = unescapeText(t, value)
			}
			event[name] = value
		}
	}
	if component != "" {
		t.Errorf("%s has no end", component)
	}
	return c
}

// unprintable reports whether some client refuses r or treats it as the end of a line.
func unprintable(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// unescapeText decodes a value of type TEXT (RFC 5545, 3.3.11).
func unescapeText(t testing.TB, value string) string {
	t.Helper()
	var b strings.Builder
	escaped := false
	for _, r := range value {
		switch {
		case escaped && r == 'n':
			b.WriteByte('\n')
		case escaped && strings.ContainsRune(`\;,`, r), !escaped && !strings.ContainsRune(`\;,`, r):
			b.WriteRune(r)
		case !escaped && r == '\\':
			escaped = true
			continue
		default:
			t.Errorf("%q in the text %q", r, value)
		}
		escaped = false
	}
	if escaped {
		t.Errorf("the text %q ends in an escape", value)
	}
	return b.String()
}

// calendar fetches and decodes the feed.
func (s *service) calendar() calendar {
	s.Helper()
	got := s.ask("GET", feedPath, "")
	if got.status != 200 || strings.Contains(got.body, "null") || strings.Contains(got.body, "<nil>") {
		s.Errorf("got %d %s", got.status, got.body)
	}
	return readCalendar(s, got.body)
}

// visit returns the event in the feed of one flat, given as a JSON object.
func visit(t testing.TB, flat string, setup ...func(*Config)) map[string]string {
	t.Helper()
	s := newService(t, "["+flat+"]", testCodes)
	for _, f := range setup {
		f(s.config)
	}
	c := s.calendar()
	if len(c.events) != 1 {
		t.Fatalf("%d events of %s", len(c.events), flat)
	}
	return c.events[0]
}

// zone loads a time zone.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Section 4.4: the exact bytes of a feed with every kind of value. Clients keep copies
// of the feed, so any change to its bytes must be deliberate.
func TestCalendarGolden_4_4(t *testing.T) {
	s := newService(t, `[
		{"id":"late","title":"Loft; \"north\", 2nd","text":"C:\\attic","area":80.50,"cost":1200.00,"currency":"EUR",
			"notes":"call\r\nfirst","location":"Lyon, Gerland",
			"visit_date":"2026-12-01T18:00:30.5+01:00","date":"2026-01-02T10:00:00+01:00",
				"updated_at":"2026-11-20T07:08:09Z"},
		{"id":"none","title":"no visit"},
		{"id":7,"title":null,"visit_date":"2026-12-01T09:00","service_constraint":"lyon",
			"service_postal_code":"69007"}]`, testCodes)
	const want = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//flats//visits//EN
CALSCALE:GREGORIAN
NAME:Flat visits
X-WR-CALNAME:Flat visits
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-PUBLISHED-TTL:PT1H
BEGIN:VEVENT
UID:7902699be42c8a8e46fbbb4501726517@flats
DTSTAMP:19700101T000000Z
DTSTART:20261201T090000
DTEND:20261201T100000
SUMMARY:Visit - untitled
DESCRIPTION:untitled (area: unknown\, cost: unknown)\nhttps://flats.example
 /#/flat/7\n\n
LOCATION:Lyon 7e
URL:https://flats.example/#/flat/7
END:VEVENT
BEGIN:VEVENT
UID:089001a35679a33ef3db0ca350db9b9a@flats
DTSTAMP:20261120T070809Z
DTSTART:20261201T170030Z
DTEND:20261201T180030Z
SUMMARY:Visit - Loft\; "north"\, 2nd
DESCRIPTION:Loft\; "north"\, 2nd (area: 80.50\, cost: 1200.00 EUR)\nhttps:/
 /flats.example/#/flat/late\n\nC:\\attic\n\ncall\nfirst
LOCATION:Lyon\, Gerland
URL:https://flats.example/#/flat/late
END:VEVENT
END:VCALENDAR
`
	if got := s.ask("GET", feedPath, "").body; got != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Section 4.4: a feed without events is still a calendar. A feed with events has no
// time zone, because Apple's clients would then move floating times.
func TestCalendarHead_4_4(t *testing.T) {
	want := []string{"VERSION:2.0", "PRODID:-//flats//visits//EN", "CALSCALE:GREGORIAN", "NAME:Flat visits",
		"X-WR-CALNAME:Flat visits",
		"REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"}
	for _, test := range []struct {
		flats         string
		events, zones int
	}{
		{`[]`, 0, 1},
		{`[{"id":1},{"id":2,"visit_date":null}]`, 0, 1},
		{`[{"id":1,"visit_date":"9999-12-31T23:30"}]`, 0, 1},
		{`[{"id":1,"visit_date":"2026-12-01"}]`, 1, 0},
		{`[{"id":1,"visit_date":"2026-12-01T18:00Z"}]`, 1, 0},
	} {
		c := newService(t, test.flats, testCodes).calendar()
		if !slices.Equal(c.head, want) {
			t.Errorf("%s: head %q", test.flats, c.head)
		}
		if len(c.events) != test.events || strings.Count(strings.Join(c.zones, "\n"), "BEGIN:VTIMEZONE") != test.zones {
			t.Errorf("%s: %d events and zones %q", test.flats, len(c.events), c.zones)
		}
		if test.zones == 1 &&
			!slices.Equal(c.zones, []string{"BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
				"TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"}) {
			t.Errorf("%s: zone %q", test.flats, c.zones)
		}
	}
}

// Section 4.4: an event has exactly the properties of the table.
func TestCalendarEvent_4_4(t *testing.T) {
	const head = `{"id":"x@y","visit_date":"2026-12-01T18:00",`
	const link = "https://flats.example/#/flat/x@y"
	for _, test := range []struct{ name, flat, summary, description, location string }{
		{"without notes", `"title":"Loft","area":80,"cost":1200,"currency":"EUR","text":"Big."`, "Loft",
			"Loft (area: 80, cost: 1200 EUR)\n" + link + "\n\nBig.", ""},
		{"with notes", `"title":"Loft","area":80.50,"cost":1.2e3,"currency":"EUR","text":"Big.","notes":"Ring\ntwice."`,
			"Loft", "Loft (area: 80.50, cost: 1.2e3 EUR)\n" + link + "\n\nBig.\n\nRing\ntwice.", ""},
		{"empty notes", `"title":"T","area":0,"cost":0.10,"currency":"€","text":"x","notes":""`, "T",
			"T (area: 0, cost: 0.10 €)\n" + link + "\n\nx", ""},
		{"large numbers", `"title":"T","area":1e21,"cost":1000000,"currency":"EUR","text":"x","notes":null`, "T",
			"T (area: 1e21, cost: 1000000 EUR)\n" + link + "\n\nx", ""},
		{"empty title", `"title":"","area":-0.0,"cost":9007199254740993`, "",
			" (area: -0.0, cost: 9007199254740993)\n" + link + "\n\n", ""},
		{"nothing known", `"title":null`, "untitled", "untitled (area: unknown, cost: unknown)\n" + link + "\n\n", ""},
		{"unknown cost", `"title":"T","area":9,"cost":null,"currency":"EUR","notes":"n"`, "T",
			"T (area: 9, cost: unknown EUR)\n" + link + "\n\n\n\nn", ""},
		{"unknown currency", `"title":"T","area":9,"cost":5,"currency":null,"text":""`, "T",
			"T (area: 9, cost: 5)\n" + link + "\n\n", ""},
		{"location", `"title":"T","location":"Lyon, Gerland","service_constraint":"lyon","service_postal_code":"69007"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", "Lyon, Gerland"},
		{"place of the postal code", `"title":"T","location":"","service_constraint":"lyon","service_postal_code":"69007"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", "Lyon 7e"},
		{"no such constraint", `"title":"T","location":null,"service_constraint":"nobody","service_postal_code":"69007"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", ""},
		{"code outside the constraint", `"title":"T","service_constraint":"lyon","service_postal_code":"10115"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", ""},
	} {
		got := visit(t, head+test.flat+"}")
		want := map[string]string{
			"UID": got["UID"], "DTSTAMP": "19700101T000000Z", "DTSTART": "20261201T180000", "DTEND": "20261201T190000",
			"SUMMARY": "Visit - " + test.summary, "DESCRIPTION": test.description, "URL": link,
		}
		if test.location != "" {
			want["LOCATION"] = test.location
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, want)
		}
	}
}

// Section 4.4: the URL escapes characters of an id that a URI may not contain, and
// percent signs, because the page decodes them.
func TestCalendarURL_4_4(t *testing.T) {
	for id, want := range map[string]string{
		`"a b"`: "a%20b", `"é"`: "%C3%A9", `"50%"`: "50%25", `"a/b?c#d"`: "a%2Fb%3Fc%23d", `"x@y"`: "x@y",
		`"\"<\\\r\n"`: "%22%3C%5C%0D%0A", `12`: "12",
	} {
		got := visit(t, `{"id":`+id+`,"visit_date":"2026-12-01"}`)["URL"]
		if got != "https://flats.example/#/flat/"+want {
			t.Errorf("id %s: URL %q; want …%s", id, got, want)
		}
	}
	// The description is text and has the id unescaped.
	description := visit(t, `{"id":"a b%é","visit_date":"2026-12-01"}`)["DESCRIPTION"]
	if !strings.Contains(description, "\nhttps://flats.example/#/flat/a b%é\n") {
		t.Errorf("DESCRIPTION %q", description)
	}
	// A URI is not a TEXT value: commas and semicolons are not escaped. A website_url
	// without a final slash is used as it is.
	got := visit(t, `{"id":1,"title":"T","visit_date":"2026-12-01"}`,
		func(c *Config) { c.WebsiteURL = "https://flats.example/ü,a;b" })
	if got["URL"] != "https://flats.example/%C3%BC,a;b#/flat/1" ||
		!strings.Contains(got["DESCRIPTION"], "\nhttps://flats.example/ü,a;b#/flat/1\n") {
		t.Errorf("got %q", got)
	}
}

// Section 4.4: DTSTART and DTEND for every form of a visit date. A time without an
// offset is floating, unless the config sets a time zone.
func TestCalendarStart_4_4(t *testing.T) {
	const none, paris, kathmandu = "", "Europe/Paris", "Asia/Kathmandu"
	for _, test := range []struct{ date, zone, start, end string }{
		{"2026-12-01T18:00", none, "20261201T180000", "20261201T190000"},
		{"2026-12-01 18:00:05", none, "20261201T180005", "20261201T190005"},
		{"2026-12-01T18:00:05.999", none, "20261201T180005", "20261201T190005"},
		{"2026-12-01", none, "20261201T000000", "20261201T010000"},
		{"2026-12-31T23:30", none, "20261231T233000", "20270101T003000"},
		{"2028-02-28T23:00", none, "20280228T230000", "20280229T000000"},
		{"2026-12-01T18:00Z", none, "20261201T180000Z", "20261201T190000Z"},
		{"2026-12-01T18:00:00+00:00", none, "20261201T180000Z", "20261201T190000Z"},
		{"2026-12-01T00:30:00+01:00", none, "20261130T233000Z", "20261201T003000Z"},
		{"2026-12-31T20:00-0530", none, "20270101T013000Z", "20270101T023000Z"},
		{"0001-01-01T00:00", none, "00010101T000000", "00010101T010000"},
		{"9999-12-31T22:59:59", none, "99991231T225959", "99991231T235959"},

		{"2026-12-01T18:00", paris, "20261201T170000Z", "20261201T180000Z"},
		{"2026-07-01T18:00", paris, "20260701T160000Z", "20260701T170000Z"},
		{"2026-07-01", paris, "20260630T220000Z", "20260630T230000Z"},
		{"2026-03-29T01:30", paris, "20260329T003000Z", "20260329T013000Z"}, // an hour later, clocks show 3:30
		{"2026-03-29T02:30", paris, "20260329T013000Z", "20260329T023000Z"}, // in the gap: the offset before it
		{"2026-10-25T02:30", paris, "20261025T003000Z", "20261025T013000Z"}, // occurs twice: the first
		{"2026-10-25T03:00", paris, "20261025T020000Z", "20261025T030000Z"},
		{"2026-03-08T02:30", "America/New_York", "20260308T073000Z", "20260308T083000Z"},
		{"2026-11-01T01:30", "America/New_York", "20261101T053000Z", "20261101T063000Z"},
		{"2026-12-01T18:00", kathmandu, "20261201T121500Z", "20261201T131500Z"},
		{"2026-12-01T18:00", "UTC", "20261201T180000Z", "20261201T190000Z"},
		{"2026-12-01T18:00-05:00", paris, "20261201T230000Z", "20261202T000000Z"},
		{"2026-12-01T18:00Z", kathmandu, "20261201T180000Z", "20261201T190000Z"},
	} {
		got := visit(t, `{"id":1,"visit_date":"`+test.date+`"}`, func(c *Config) {
			if test.zone != none {
				c.Timezone = zone(t, test.zone)
			}
		})
		if got["DTSTART"] != test.start || got["DTEND"] != test.end {
			t.Errorf("%s in %q: %s to %s; want %s to %s", test.date, test.zone, got["DTSTART"], got["DTEND"],
				test.start, test.end)
		}
	}
}

// Section 4.4: DTSTAMP is the time of the flat's last change through the service, or
// else its date, or else the Unix epoch. With the time of the request, each fetch would
// look like an update.
func TestCalendarStamp_4_4(t *testing.T) {
	for _, test := range []struct{ flat, want string }{
		{`"updated_at":"2026-11-20T07:08:09Z"`, "20261120T070809Z"},
		{`"updated_at":"2026-11-20T07:08:09Z","date":"2026-01-02T10:00:00Z"`, "20261120T070809Z"},
		{`"updated_at":"2025-11-20T07:08:09Z","date":"2026-01-02T10:00:00Z"`, "20251120T070809Z"},
		{`"updated_at":null,"date":"2026-01-02T10:00:00+01:00"`, "20260102T090000Z"},
		{`"date":"2026-01-02T10:00:00"`, "20260102T100000Z"},
		{`"date":"2026-01-02"`, "20260102T000000Z"},
		{`"date":"9999-12-31T23:59:59-05:00"`, "19700101T000000Z"},
		{`"date":null`, "19700101T000000Z"},
	} {
		if got := visit(t, `{"id":1,"visit_date":"2026-12-01",`+test.flat+`}`)["DTSTAMP"]; got != test.want {
			t.Errorf("%s: DTSTAMP %s; want %s", test.flat, got, test.want)
		}
	}

	s := newService(t, testFlats, testCodes)
	now := time.Date(2026, 11, 21, 2, 34, 28, 5, time.FixedZone("", 3600))
	s.store.now = func() time.Time { return now }
	before := s.calendar().events[0]["DTSTAMP"]
	for _, body := range []string{`{}`, `{"title":"Attic"}`, `{"title":5}`, `{"updated_at":"2030-01-01"}`} {
		s.ask("PATCH", "/api/v1/flat/7", body)
	}
	if got := s.calendar().events[0]["DTSTAMP"]; got != before {
		t.Errorf("DTSTAMP %s after updates that change nothing; want %s", got, before)
	}
	got := s.ask("PATCH", "/api/v1/flat/7", `{"notes":"n"}`)
	if got.status != 200 || strings.Contains(got.body, "updated_at") {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if got := s.calendar().events[0]["DTSTAMP"]; got != "20261121T013428Z" {
		t.Errorf("DTSTAMP %s after a change; want 20261121T013428Z", got)
	}
}

// Section 4.4: clients identify an event by its UID, so it depends on the id alone and
// must never change: the first case has a literal UID.
func TestCalendarUID_4_4(t *testing.T) {
	if got := visit(t, `{"id":7,"visit_date":"2026-12-01"}`)["UID"]; got != "7902699be42c8a8e46fbbb4501726517@flats" {
		t.Errorf("UID %s for flat 7", got)
	}
	ids := []string{`7`, `"07"`, `"a"`, `"A"`, `"a "`, `"é"`, `"e\u0301"`, `"a/b"`, `"a%2Fb"`, `"\u0000"`, `"\n"`,
		`"x@flats"`,
		`"` + strings.Repeat("x", 1000) + `"`, `"` + strings.Repeat("x", 1000) + `y"`}
	uids := map[string]bool{}
	for _, id := range ids {
		uid := visit(t, `{"id":`+id+`,"title":"one","visit_date":"2026-12-01"}`)["UID"]
		again := visit(t, `{"id":`+id+`,"title":"two","visit_date":"2027-01-01T10:00Z"}`)["UID"]
		if uid != again || len(uid) >= 255 || strings.Trim(uid, "0123456789abcdefghijklmnopqrstuvwxyz@.-") != "" {
			t.Errorf("id %s: UID %q, then %q", excerpt(id), uid, again)
		}
		uids[uid] = true
	}
	if len(uids) != len(ids) {
		t.Errorf("%d UIDs for %d ids", len(uids), len(ids))
	}
}

// Section 4.4: events are sorted by start and then by id, so that the feed does not
// depend on the order of the flats.
func TestCalendarOrder_4_4(t *testing.T) {
	flats := []string{`{"id":"3","visit_date":"2026-12-01T18:00:00.5Z"}`,
		`{"id":"1","visit_date":"2026-12-01T18:30+01:00"}`,
		`{"id":"5","visit_date":"2027-01-01"}`, `{"id":"2b","visit_date":"2026-12-01T18:00"}`,
		`{"id":"4","visit_date":"2026-12-01T19:00"}`,
		`{"id":"2a","visit_date":"2026-12-01T18:00Z"}`}
	order := func(s *service) string {
		var ids []string
		for _, e := range s.calendar().events {
			ids = append(ids, strings.TrimPrefix(e["URL"], "https://flats.example/#/flat/"))
		}
		return strings.Join(ids, " ")
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	slices.Reverse(flats)
	reversed := newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	if got := order(s); got != "1 2a 2b 3 4 5" {
		t.Errorf("event order %s", got)
	}
	if s.ask("GET", feedPath, "").body != reversed.ask("GET", feedPath, "").body {
		t.Error("the feed depends on the order of the flats")
	}
	s.config.Timezone = zone(t, "America/New_York") // 2b is at 23:00Z, 4 at 0:00Z
	if got := order(s); got != "1 2a 3 2b 4 5" {
		t.Errorf("event order in New York %s", got)
	}
}

// An event that cannot be built is logged and left out of the feed. Section 4.4 would end
// the feed there; the service includes the later events, too.
func TestCalendarOmitted_4_4(t *testing.T) {
	s := newService(t, `[{"id":"first","visit_date":"2026-12-01"},{"id":"ten thousand","visit_date":"9999-12-31T23:30"},
		{"id":"east","visit_date":"0000-01-01T00:00+01:00"},{"id":"last","visit_date":"9999-12-31T22:30"}]`, testCodes)
	c := s.calendar()
	if len(c.events) != 2 || c.events[0]["DTSTART"] != "20261201T000000" ||
		c.events[1]["DTSTART"] != "99991231T223000" {
		t.Errorf("events %q", c.events)
	}
	logs := s.logs.String()
	if !strings.Contains(logs, `"ten thousand" count=2`) || strings.Contains(logs, "first") {
		t.Errorf("logs %s", logs)
	}
	// The time zone moves the last visit beyond the year 9999.
	s.config.Timezone = zone(t, "America/New_York")
	if c := s.calendar(); len(c.events) != 1 {
		t.Errorf("events in New York %q", c.events)
	}
}

// Section 4.4: the feed escapes any text. The texts are set by PATCH, as a user would
// set them.
func TestCalendarText_4_4(t *testing.T) {
	for _, test := range []struct{ text, line, decoded string }{
		{`plain`, `plain`, "plain"},
		{`a;b,c`, `a\;b\,c`, "a;b,c"},
		{`C:\\n; \\`, `C:\\n\; \\`, `C:\n; \`},
		{`\\,`, `\\\,`, `\,`},
		{`say: \"now\"`, `say: "now"`, `say: "now"`},
		{`a\nb\r\nc\rd`, `a\nb\nc\nd`, "a\nb\nc\nd"},
		{`a\n\rb\r\r\nc`, `a\n\nb\n\nc`, "a\n\nb\n\nc"},
		{`a\u2028b\u2029c`, `a\nb\nc`, "a\nb\nc"},
		{`a\u000bb\u000cc\u0085d`, `a\nb\nc\nd`, "a\nb\nc\nd"},
		{`\u0000a\u0007\u001b[1m\u007f\u0080\u009fb`, `a[1mb`, "a[1mb"},
		{`\ufeffé\u00e9\ud83c\udfe0`, "\ufeffé\u00e9🏠", "\ufeffé\u00e9🏠"},
		{`\ud83c!`, "\ufffd!", "\ufffd!"}, // half of a surrogate pair
		{`END:VEVENT\r\nBEGIN:VALARM`, `END:VEVENT\nBEGIN:VALARM`, "END:VEVENT\nBEGIN:VALARM"},
	} {
		s := newService(t, `[{"id":1,"title":"T","visit_date":"2026-12-01"}]`, testCodes)
		got := s.ask("PATCH", "/api/v1/flat/1",
			`{"title":"`+test.text+`","location":"`+test.text+`","notes":"`+test.text+`"}`)
		if got.status != 200 {
			t.Errorf("%s: got %d %s", test.text, got.status, got.body)
		}
		feed := s.ask("GET", feedPath, "").body
		if line := "\r\nSUMMARY:Visit - " + test.line + "\r\n"; !strings.Contains(feed, line) {
			t.Errorf("no %q in %q", line, feed)
		}
		e := s.calendar().events[0]
		if e["LOCATION"] != test.decoded || !strings.HasPrefix(e["DESCRIPTION"], test.decoded+" (") ||
			!strings.HasSuffix(e["DESCRIPTION"], "\n\n"+test.decoded) {
			t.Errorf("%s: got %q; want %q", test.text, e, test.decoded)
		}
	}
	// An empty property is left out.
	if got := visit(t, `{"id":1,"location":"\u0001","visit_date":"2026-12-01"}`); got["LOCATION"] != "" {
		t.Errorf("got %q", got)
	}
	// The store refuses bytes that are not UTF-8, but the writer does not rely on that.
	var b strings.Builder
	w := icsWriter{bufio.NewWriter(&b)}
	w.text("SUMMARY", "a\xffb\xc3")
	w.text("LOCATION", "")
	w.Flush()
	if got := b.String(); got != "SUMMARY:a\ufffdb\ufffd\r\n" {
		t.Errorf("got %q", got)
	}
}

// Section 4.4: lines have at most 75 octets and are never folded inside a character:
// Outlook would show two halves, and other clients would refuse the feed.
func TestCalendarFolding_4_4(t *testing.T) {
	// "N:" and 73 octets are a line, and so are the space of a continuation and 74 octets.
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ value, want string }{
		{x(73), "N:" + x(73)},
		{x(74), "N:" + x(73) + "\r\n x"},
		{x(73 + 74), "N:" + x(73) + "\r\n " + x(74)},
		{x(73 + 75), "N:" + x(73) + "\r\n " + x(74) + "\r\n x"},
		{x(72) + "é", "N:" + x(72) + "\r\n é"},
		{x(71) + "é", "N:" + x(71) + "é"},
		{x(70) + "🏠", "N:" + x(70) + "\r\n 🏠"},
		{x(69) + "🏠y", "N:" + x(69) + "🏠\r\n y"},
		{x(73) + strings.Repeat("🏠", 19), "N:" + x(73) + "\r\n " + strings.Repeat("🏠", 18) + "\r\n 🏠"},
		{x(72) + "  y", "N:" + x(72) + " \r\n  y"}, // spaces on both sides
	} {
		var b strings.Builder
		w := icsWriter{bufio.NewWriter(&b)}
		w.line("N", test.value)
		w.Flush()
		if got := b.String(); got != test.want+"\r\n" {
			t.Errorf("line of %q:\ngot  %q\nwant %q", test.value, got, test.want)
		}
	}
	// Characters of each length at each distance from the fold.
	for _, letter := range []string{"é", "€", "🏠", ",", "\\", "\n", " "} {
		var titles, flats []string
		for n := range 80 {
			titles = append(titles, x(n)+strings.Repeat(letter, 60)+"x")
			flats = append(flats, fmt.Sprintf(`{"id":%d,"visit_date":"2026-12-01","title":%s}`, 100+n, encodeJSON(titles[n])))
		}
		for i, event := range newService(t, "["+strings.Join(flats, ",")+"]", testCodes).calendar().events {
			if event["SUMMARY"] != "Visit - "+titles[i] {
				t.Errorf("title %q: SUMMARY %q", titles[i], event["SUMMARY"])
			}
		}
	}
}

// Section 4.4: headers, conditional requests and unknown parameters. Some clients drop
// a feed for good on any status but 200, so the feed ignores unknown parameters.
func TestCalendarHTTP_4_4(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	first := s.ask("GET", feedPath, "")
	tag := first.header.Get("ETag")
	for name, want := range map[string]string{
		"Content-Type": "text/calendar; charset=utf-8", "Content-Disposition": `inline; filename="visits.ics"`,
		"ETag": tag,
	} {
		for method, got := range map[string]reply{"GET": s.ask("GET", feedPath, ""),
			"HEAD": s.ask("HEAD", feedPath, "")} {
			if values := got.header.Values(name); got.status != 200 || !slices.Equal(values, []string{want}) {
				t.Errorf("%s: %d with %s %q; want %q", method, got.status, name, values, want)
			}
			if got.header.Get("Content-Length") != fmt.Sprint(len(first.body)) {
				t.Errorf("%s: Content-Length %s", method, got.header.Get("Content-Length"))
			}
		}
	}
	if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		t.Errorf("ETag %s", tag)
	}
	for _, query := range []string{"?x=1", "?filter[nothing]=1", "?page[size]=0", "?%zz", "?token="} {
		if got := s.ask("GET", feedPath+query, ""); got.status != 200 || got.body != first.body {
			t.Errorf("%s: got %d %s", query, got.status, got.body)
		}
	}
	ignored := []string{"Accept", "application/json", "Range", "bytes=0-9",
		"If-Modified-Since", "Tue, 01 Dec 2099 00:00:00 GMT"}
	if got := s.ask("GET", feedPath, "", ignored...); got.status != 200 || got.body != first.body {
		t.Errorf("with the headers %q: got %d %s", ignored, got.status, got.body)
	}

	for _, test := range []struct {
		sent   string
		status int
	}{
		{tag, 304}, {"W/" + tag, 304}, {`"other", ` + tag, 304}, {"*", 304}, {`"other"`, 200},
		{strings.Trim(tag, `"`), 200}, {"", 200},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			got := s.ask(method, feedPath, "", "If-None-Match", test.sent)
			if got.status != test.status || got.header.Get("ETag") != tag || test.status == 304 && got.body != "" {
				t.Errorf("%s with If-None-Match %s: got %d %v", method, test.sent, got.status, got.header)
			}
		}
	}

	// The entity tag depends on the feed's bytes alone: it changes only with them, and
	// is the same after a restart.
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"no visit"}`)
	if got := s.ask("GET", feedPath, "", "If-None-Match", tag); got.status != 304 {
		t.Errorf("got %d after an update of another flat", got.status)
	}
	got := newService(t, testFlats, testCodes).ask("GET", feedPath, "")
	if got.body != first.body || got.header.Get("ETag") != tag {
		t.Errorf("after a restart: ETag %s; want %s", got.header.Get("ETag"), tag)
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":"2026-12-02T10:00"}`)
	got = s.ask("GET", feedPath, "", "If-None-Match", tag)
	if got.status != 200 || got.header.Get("ETag") == tag || len(readCalendar(t, got.body).events) != 2 {
		t.Errorf("got %d %v after adding a visit", got.status, got.header)
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":null}`)
	if got := s.ask("GET", feedPath, ""); got.body != first.body || got.header.Get("ETag") != tag {
		t.Errorf("got %v after removing that visit", got.header)
	}
}

// A long feed is made in turns, and does not take memory while a client does not read it.
func TestCalendarLong(t *testing.T) {
	long(t)
	var flats []string
	for i := range 1000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"visit_date":"2026-12-01","text":"%s"}`, i, strings.Repeat("x", 2000)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	<-s.store.index.searchable
	whole := s.ask("GET", feedPath, "")
	if n := len(readCalendar(t, whole.body).events); n != len(flats) {
		t.Errorf("%d events; want %d", n, len(flats))
	}
	before, after := heapInUse(), int64(0)
	discard := writerFunc(func(b []byte) (int, error) {
		if after == 0 {
			after = heapInUse()
		}
		return len(b), nil
	})
	s.ServeHTTP(discard, httptest.NewRequest("GET", "http://flats.example"+feedPath, nil))
	if after > before+int64(len(whole.body))/4 {
		t.Errorf("%d bytes are held at the first write of %d", after-before, len(whole.body))
	}
	// While another task has the turn, it waits.
	takeTurn(t, s.store.turns)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("a feed that got no turn: recovered %v; want http.ErrAbortHandler", got)
		}
	}()
	s.ServeHTTP(discard, httptest.NewRequestWithContext(ctx, "GET", "http://flats.example"+feedPath, nil))
}

// rawLiteral returns s as a JSON string, and keeps bytes that are not UTF-8.
func rawLiteral(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// notASCII reports whether r is not a printable ASCII character, or is a space.
func notASCII(r rune) bool { return r <= ' ' || r >= 0x7f }

// collapseInvalid replaces bytes that are not UTF-8 and runs of U+FFFD by one U+FFFD, because
// the number of replacement characters does not matter.
func collapseInvalid(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	for strings.Contains(s, "\ufffd\ufffd") {
		s = strings.ReplaceAll(s, "\ufffd\ufffd", "\ufffd")
	}
	return s
}

// shown returns a text as a client must show it: any line break is a newline, a tab is a
// space, and other control characters are removed.
func shown(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n",
		"\u2028", "\n", "\u2029", "\n", "\t", " ").Replace(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	return collapseInvalid(text)
}

// FuzzCalendar checks that the feed of any flat is valid and has the flat's texts, except
// for the characters that shown replaces or removes.
func FuzzCalendar(f *testing.F) {
	for _, seed := range [][4]string{
		{"Loft", "Big, bright; C:\\x \"y\"", "call\r\nfirst", "a"},
		{"", "", "", "0"},
		{strings.Repeat("🏠", 40), strings.Repeat("é ", 80), "\u2028\ufeff\x00\t\x7f\u0085", "a/b c%20#é"},
		{"\xff\xc3", "\r\r\n\n\r", "END:VCALENDAR\r\nBEGIN:VALARM", "\xe2\x82"},
		{"\\n\\N\\;", " ", strings.Repeat("\\,;", 60), strings.Repeat("x", 300)},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	codes := newPostalCodes(nil, nil)
	f.Fuzz(func(t *testing.T, title, text, notes, id string) {
		if id == "" {
			t.Skip("a flat must have an id")
		}
		set := members{}
		for name, text := range map[string]string{"id": id, "title": title, "text": text, "notes": notes,
			"location": title, "visit_date": "2026-12-01T18:00"} {
			set[name] = json.RawMessage(rawLiteral(text))
		}
		flat, err := blank.withMembers(set, codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		const website = "https://flats.example/"
		work := turns.NewTask(t.Context(), turns.NewQueue())
		visits := visitsOf(work, maps.All(map[uint32]*Flat{0: flat}), nil, quiet)
		var feed strings.Builder
		out := bufio.NewWriter(&feed)
		writeCalendar(work, out, visits, website)
		out.Flush()
		c := readCalendar(t, feed.String())
		if len(c.events) != 1 || len(c.zones) != 0 {
			t.Fatalf("%d events and zones %q", len(c.events), c.zones)
		}
		e := c.events[0]

		// The URL contains the id, up to bytes that are not UTF-8.
		link, ok := strings.CutPrefix(e["URL"], website+"#/flat/")
		back, err := url.PathUnescape(link)
		if !ok || err != nil || collapseInvalid(back) != collapseInvalid(id) {
			t.Errorf("the URL %q has the id %q, %v; want %q", e["URL"], back, err, id)
		}
		if strings.ContainsAny(link, "/?# ") || strings.ContainsFunc(link, notASCII) {
			t.Errorf("the id %q is not escaped in the URL %q", id, e["URL"])
		}
		if len(e["UID"]) == 0 || len(e["UID"]) >= 255 {
			t.Errorf("UID %q", e["UID"])
		}
		if want := shown("Visit - " + title); collapseInvalid(e["SUMMARY"]) != want {
			t.Errorf("SUMMARY %q; want %q", e["SUMMARY"], want)
		}
		want := title + " (area: unknown, cost: unknown)\n" + website + "#/flat/" + id + "\n\n" + text
		if notes != "" {
			want += "\n\n" + notes
		}
		if want = shown(want); collapseInvalid(e["DESCRIPTION"]) != want {
			t.Errorf("DESCRIPTION %q; want %q", e["DESCRIPTION"], want)
		}
	})
}
