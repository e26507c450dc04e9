// Tests of csvrows.go.

package main

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// An answer as CSV follows RFC 4180 and escapes cells that a spreadsheet would take for
// formulas.
func TestFindCSV(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	got := s.ask("GET", "/api/v1/find?"+
		query("format=csv&fields=title,cost,notes,status,photos,details,service_postal_code,text,site&sort=-id"), "")
	want := "\uFEFFid,title,cost,notes,status,photos,details,service_postal_code,text,site\r\n" +
		"4,null,,,null,,\"{\"\"a\"\":1}\",,\"a \"\"b\"\"\nc\",\r\n" +
		"3@b@c,Null,0,,,,{},,,c\r\n" +
		"2@a,'=1+1,1200,-5,followed,\"[\"\"x\"\"]\",,69007,,a\r\n" +
		"1@a,Loft,1000,,new,[],,,,a\r\n" +
		"5,'@x,800.0,,new,,,,,\r\n"
	if got.status != 200 || got.body != want {
		t.Errorf("got  %q\nwant %q", got.body, want)
	}
	h := got.header
	if h.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || !strings.Contains(h.Get("Vary"), "Accept") {
		t.Errorf("CSV headers: %v", h)
	}
	list := s.ask("GET", "/api/v1/find", "")
	if other := list.header.Get("ETag"); other == h.Get("ETag") || other == "" {
		t.Errorf("the entity tag of CSV is %s, that of JSON %s; want them to differ", h.Get("ETag"), other)
	}
	for accept, csv := range map[string]bool{
		"text/csv": true, "application/json": false, "text/html,text/csv;q=0.5": true, "": false, "*/*": false,
		"text/*": true, "application/*": false,
		"text/csv;q=0": false, "text/csv; q=0.0, */*": false, "text/csv;q=0,text/*": false,
		"TEXT/CSV ;header=present; Q=0.1": true, "text/csvx": false,
		"application/json, text/csv;q=0.5": false, "application/json;q=0.5, text/csv": true,
		"application/json, text/csv": false,
		"text/csv, */*;q=0.8":        true, "text/csv;q=0.8, */*": false, "text/csv, */*": false,
		"application/json;q=0, */*;q=0.1":                                            true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8": false, "text/csv;q=x": false,
		",;,": false,
	} {
		got := s.ask("GET", "/api/v1/find", "", "Accept", accept)
		if strings.HasPrefix(got.body, "\uFEFFid,title,") != csv {
			t.Errorf("Accept %q: %s; want CSV: %v", accept, got.body[:30], csv)
		}
		got = s.ask("GET", "/api/v1/find?format=json", "", "Accept", accept)
		if !strings.HasPrefix(got.body, `{"data"`) {
			t.Errorf("Accept %q with format=json: %s", accept, got.body[:30])
		}
	}
	// Rows end in CRLF, and cells keep their line breaks.
	other := newService(t, `[{"id":1,"title":"a\r\nb\rc\nd\n"},{"id":2,"title":"\n"}]`, testCodes)
	other.want(other.ask("GET", "/api/v1/find?format=csv&fields=title&sort=id", ""), 200,
		"\uFEFFid,title\r\n1,\"a\r\nb\rc\nd\n\"\r\n2,\"\n\"\r\n")
	// Without fields, each row has a cell for each field of a flat.
	rows, err := csv.NewReader(strings.NewReader(s.ask("GET", "/api/v1/find?format=csv", "").body)).ReadAll()
	if err != nil || len(rows) != 6 || len(rows[0]) != len(flatFields.listed()) {
		t.Errorf("%d rows of CSV, %v", len(rows), err)
	}
}

// spreadsheet returns the cells that a spreadsheet reads from CSV. Quotes count at the
// beginning of a cell; after the closing one, the cell goes on to the next separator.
func spreadsheet(text string, separator byte) (cells []string) {
	cell, quoted, begins := "", false, true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '"' && i+1 < len(text) && text[i+1] == '"':
			cell += `"`
			i++
		case quoted && c == '"':
			quoted = false
		case quoted:
			cell += string(c)
		case begins && c == '"':
			quoted, begins = true, false
			continue
		case c == separator || c == '\r' || c == '\n':
			cells, cell, begins = append(cells, cell), "", true
			continue
		default:
			cell += string(c)
		}
		begins = false
	}
	return append(cells, cell)
}

// A spreadsheet takes no cell for a formula, whatever separator it assumes.
func TestCSVFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"=1+1", "'=1+1"},
		{"-5", "-5"},
		{"-5 °C", "'-5 °C"},
		{"Studio;=cmd|' /C calc'!A0", "Studio;'=cmd|' /C calc'!A0"},
		{"a;+b;-c;@d", "a;'+b;'-c;'@d"},
		{"a;;=b", "a;;'=b"},
		{"=a;=b", "'=a;'=b"},
		{"a, b;=c", `"a, b;'=c"`},
		{"a\n=b", "\"a\n'=b\""},
		{"a\r\n- b\r@c", "\"a\r\n'- b\r'@c\""},
		{"a\t=b", "a\t'=b"},
		{"\t=a", "\t'=a"},
		{" =a; =b", " '=a; '=b"},
		{`a;"=b"`, `"a;""'=b"""`},
		{`"=a"`, `"""'=a"""`},
		{"1;-2", "1;'-2"},
		{"a=b+c-d@e; f", "a=b+c-d@e; f"},
		{`{"a":";=b"}`, `"{""a"":"";'=b""}"`},
		{";", ";"},
		{"", ""},
	} {
		if got := csvCell(c.text); got != c.want {
			t.Errorf("csvCell(%q) = %q; want %q", c.text, got, c.want)
		}
	}
	// Random texts: whatever separates cells, none begins with = or -.
	random := rand.New(rand.NewPCG(12, 1))
	for range rounds(20_000) {
		var texts [3]string
		for i := range texts {
			for range random.IntN(6) {
				texts[i] += pick(random, []string{"=", "-", `"`, ";", ",", "\t", "\n", "\r", "a", "'", " "})
			}
		}
		s := fmt.Sprintf("1,%s,%s,%s\r\n", csvCell(texts[0]), csvCell(texts[1]), csvCell(texts[2]))
		for _, separator := range []byte(",;\t") {
			for _, cell := range spreadsheet(s, separator) {
				if cell = strings.TrimSpace(cell); cell != "" && strings.Contains("=-", cell[:1]) {
					t.Fatalf("%q: separated by %q there is a cell %q", texts, separator, cell)
				}
			}
		}
	}
}
