// Tests of values.go and json.go.

package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Numbers are compared to the last digit, even if a float64 cannot represent them.
func TestLargeNumbers_4_1(t *testing.T) {
	s := newService(t, `[{"id":9007199254740993,"cost":9007199254740993},
		{"id":9007199254740992,"cost":9007199254740992},
		{"id":-9007199254740992,"cost":2},{"id":-9007199254740993,"cost":2},{"id":10000000000000000,"cost":3},
			{"id":9999999999999999,"cost":3}]`, "[]")
	for _, c := range []struct{ query, want string }{
		{"filter[id]=9007199254740993", "9007199254740993"},
		{"filter[id]=9007199254740993.0", "9007199254740993"},
		{"filter[id]=1e16", "10000000000000000"},
		{"filter[cost]=9007199254740993", "9007199254740993"},
		{"sort=id&filter[cost]=2", "-9007199254740993 -9007199254740992"},
		{"sort=id&filter[cost]=3", "9999999999999999 10000000000000000"},
		{"sort=-id&filter[cost]=3", "10000000000000000 9999999999999999"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.query), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.query, got, c.want)
		}
	}
}

// Half is rounded away from zero, by the decimals that people see. The wants are those of Intl in a browser.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		number   float64
		decimals int
		want     string
	}{
		{62.25, 1, "62.3"}, {62.35, 1, "62.4"}, {62.05, 1, "62.1"}, {0.25, 1, "0.3"}, {0.05, 1, "0.1"}, {4.35, 1, "4.4"},
		{62.2499999, 1, "62.2"}, {0.04, 1, "0.0"}, {99.95, 1, "100.0"}, {-62.25, 1, "-62.3"}, {62, 1, "62.0"},
		{1.005, 2, "1.01"}, {8.345, 2, "8.35"}, {1.255, 2, "1.26"}, {2.675, 2, "2.68"}, {10.235, 2, "10.24"},
		{999.995, 2, "1000.00"}, {1234567.125, 2, "1234567.13"}, {2.5, 0, "3"}, {1e21, 1, "1000000000000000000000.0"},
		{5e-324, 2, "0.00"}, {0, 2, "0.00"},
	} {
		if got := rounded(c.number, c.decimals); got != c.want {
			t.Errorf("rounded(%v, %d) = %s; want %s", c.number, c.decimals, got, c.want)
		}
	}
}

// A number of more than maxDigits digits is refused, whatever its value.
func TestLongNumbers_4_1(t *testing.T) {
	s := newService(t, `[{"id":"a","cost":1e20},{"id":"b","cost":1},{"id":"c","cost":3}]`, "[]")
	s.ask("GET", "/api/v1/flats", "")
	zeros := strings.Repeat("0", 1000*maxDigits)
	for _, literal := range []string{"1" + zeros[:10_020] + "e-10000000", "1" + zeros + "e-399980",
		"0." + zeros + "1"} {
		got := s.ask("PATCH", "/api/v1/flat/b", `{"cost":`+literal+`}`)
		s.refuse(got, 400, "Invalid payload provided: cost: want a finite number or null, got "+excerpt(literal)+".")
		// A field of any type accepts it, but does not treat it as a number.
		if got := s.ask("PATCH", "/api/v1/flat/b", `{"status":`+literal+`}`); got.status != 200 {
			t.Errorf("%.20s: %d %s", literal, got.status, got.body)
		}
		s.ids(s.ask("GET", "/api/v1/flats?sort=-status", ""))
	}
}

// An unusual spelling of a number compares by its value.
func TestUnusualNumbers_4_1(t *testing.T) {
	s := newService(t, `[{"id":"a","cost":1e20},{"id":"b","cost":1},{"id":"c","cost":3}]`, "[]")
	zeros := strings.Repeat("0", maxDigits)
	// Each of these is 1e20, as the cost of a is.
	for _, literal := range []string{"1" + zeros[:20] + ".0", "1" + zeros[:380] + "e-360", "0." + zeros[:300] + "1e321",
		"1e+00020"} {
		got := s.ask("PATCH", "/api/v1/flat/b", `{"cost":`+literal+`,"status":`+literal+`}`)
		if ids := s.ids(s.ask("GET", "/api/v1/flats?sort=-cost,status", "")); got.status != 200 || ids != "b a c" {
			t.Errorf("%.20s: %d, sorted to %s; want 200, b a c", literal, got.status, ids)
		}
	}
	// Each of these is 0.
	for _, literal := range []string{"1e-99999999999999", "0e99999999999999999", "-0.0e-0"} {
		got := s.ask("PATCH", "/api/v1/flat/c", `{"cost":`+literal+`}`)
		if got.status != 200 || s.ids(s.ask("GET", "/api/v1/flats?filter[cost]=0", "")) != "c" {
			t.Errorf("%s: %d %s", literal, got.status, got.body)
		}
	}
	if ids := s.ids(s.ask("GET", "/api/v1/flats?filter[cost]=1e20", "")); ids != "a b" {
		t.Errorf("1e20 matches %s; want a b", ids)
	}
}

// Sort keys that are repeated change nothing, and a long query gets no Link, which would repeat it.
func TestLongQueries_4_1(t *testing.T) {
	s := newService(t, `[{"id":"a","cost":1},{"id":"b","cost":2},{"id":"c","cost":3}]`, "[]")
	if ids := s.ids(s.ask("GET", "/api/v1/flats?sort=-id"+strings.Repeat(",id,cost", 5000), "")); ids != "c b a" {
		t.Errorf("sorted to %s; want c b a", ids)
	}
	got := s.ask("GET", "/api/v1/flats?page[size]=1&x="+strings.Repeat("y", 5000), "")
	if link := got.header.Get("Link"); link != "" {
		t.Errorf("the Link header has %d bytes; want none", len(link))
	}
}

// FuzzDatetime checks that parseDatetime accepts the same datetimes as package time with
// the layouts of the grammar, and returns the same instants.
func FuzzDatetime(f *testing.F) {
	for _, text := range randomValues["datetime"][1:] {
		f.Add(strings.Trim(text, `"`))
	}
	for _, seed := range []string{"2026-02-29", "2024-02-29T23:59:59Z", "2026-12-01T24:00", "2016-12-31T23:59:60Z",
		"0000-01-01T00:00+23:59",
		"9999-12-31 23:59:59.999999999-2359", "2026-1-2", "2026-01-02t10:00z", "2026-01-02T1:00", "2026-01-02  10:00",
		"2026-01-02T10:00+24:00", "2026-01-02T10:00+01:60",
		"2026-01-02T10:00:00.1234567890", "2026-01-02T10:00:00.", "2026-01-02T10:00:00,Z", "2026-01-02T10:00:00.+01:00",
		"2026-01-02T10:00:00.5",
		"2026-01-02T10", "0000-01-24", "20260102", "2026-01-02Z", "2026-01-02T10:00 +01:00", "+2026-01-02", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, offset, err := parseDatetime(text)
		want, wantOffset, ok := modelDatetime(text)
		if err != nil {
			if ok {
				t.Errorf("parseDatetime(%q): %v; want %v", text, err, want)
			}
			return
		}
		if !ok {
			t.Fatalf("parseDatetime(%q) = %v; want an error", text, at)
		}
		if !at.Equal(want) || offset != wantOffset {
			t.Errorf("parseDatetime(%q) = %v, %v; want %v, %v", text, at, offset, want, wantOffset)
		}
	})
}

// FuzzJSON checks that an object accepted by parseObject is valid JSON and UTF-8, has the
// same value in encoding/json, and can be read again as a list element.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":1}`, ` { "a" : [ 1 , -0.5e+7 , {"b":null} ] , "é\\u00e9\n":"\ud800" } `,
		`{"a":01}`, `{"a":1,"a":2}`, `{"a":"\x"}`, `[]`, `null`, `{"a":"` + "\xff" + `"}`, "{\"a\":\"\u2028<\"}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, err := parseObject([]byte(text))
		var want map[string]any
		if wantErr := json.Unmarshal([]byte(text), &want); err != nil {
			isNull := strings.TrimSpace(text) == "null"
			isStricter := isNull || strings.Contains(err.Error(), "not UTF-8") ||
				strings.Contains(err.Error(), "nested too deeply")
			if wantErr == nil && !isStricter {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		again := encodeJSON(object)
		if !utf8.ValidString(again) || !sameJSON(again, text) {
			t.Errorf("%q became %q", text, again)
		}
		for _, member := range object { // any value can be searched as details
			content := &Flat{}
			content.Details.setJSON(string(member))
			content.searched(slices.Index(searchedFields, "details"))
		}
		_, err = readObjects("", []byte("[{\"a\":["+again+"]}]"), parseObject, func(members) (int, error) { return 0, nil })
		if err != nil {
			t.Errorf("%q in a list: %v", text, err)
		}
	})
}

// A number that the service has read in a text, or computed, is written as people write it, up to 21 digits.
func TestNewNumber(t *testing.T) {
	t.Parallel()
	for number, want := range map[float64]string{0: "0", 2.5: "2.5", 1250000: "1250000", 123456789012: "123456789012",
		1e21: "1e+21", 0.00001: "0.00001", math.Inf(1): "", math.NaN(): ""} {
		if got := newNumber(number).json; got != want {
			t.Errorf("%g: %s; want %s", number, got, want)
		}
	}
}
