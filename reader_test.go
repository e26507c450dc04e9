// Tests of what is read from the texts of listings.

package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// A readerCase is a text with what is read from it, by field.
type readerCase struct {
	name, text string
	want       map[string]string
}

// readerCases reads a file in testdata: "=== name", lines "field: value", "---", and a text.
func readerCases(t testing.TB, name string) []readerCase {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var cases []readerCase
	for _, part := range strings.Split("\n"+string(text), "\n=== ")[1:] {
		head, text, ok := strings.Cut(part, "\n---\n")
		if !ok {
			t.Fatalf("testdata/%s: %.40q has no line ---", name, part)
		}
		c := readerCase{want: map[string]string{}, text: strings.TrimSuffix(text, "\n")}
		for i, line := range strings.Split(head, "\n") {
			field, value, _ := strings.Cut(line, ": ")
			if i == 0 {
				c.name = line
			} else {
				c.want[field] = strings.ReplaceAll(value, `\n`, "\n")
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// fields returns what is read by field, numbers as they are written in the cases.
func (f foundHome) fields() map[string]string {
	number := func(n float64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return map[string]string{
		"link": f.link, "title": f.title, "cost": number(f.costs.cost), "currency": f.costs.currency,
		"utilities": f.costs.utilities, "charges": number(f.costs.charges), "deposit": number(f.costs.deposit),
		"fee": number(f.costs.fee), "area": number(f.area), "rooms": number(f.rooms),
		"bedrooms": number(f.bedrooms), "code": f.code, "place": f.place, "phone": f.phone, "text": f.text,
	}
}

func TestReadAds(t *testing.T) {
	right, all := 0, 0
	for _, c := range readerCases(t, "ads.txt") {
		got := readText(nil, listingText{text: c.text}).fields()
		for _, field := range strings.Fields("link title cost currency area rooms code place phone") {
			if c.want[field] == "" && got[field] == "" {
				continue
			}
			all++
			if got[field] == c.want[field] {
				right++
			} else {
				t.Errorf("%s: %s is %q; want %q", c.name, field, got[field], c.want[field])
			}
		}
	}
	t.Logf("%d of %d fields are right", right, all)
}

func TestReadScraps(t *testing.T) {
	for _, c := range readerCases(t, "scraps.txt") {
		got := readText(nil, listingText{text: c.text}).fields()
		for _, field := range strings.Fields("link title cost currency area rooms code place phone text") {
			if got[field] != c.want[field] {
				t.Errorf("%.60q: %s is %q; want %q", c.text, field, got[field], c.want[field])
			}
		}
	}
}

func TestReadCosts(t *testing.T) {
	for _, row := range rowsOf(t, "costs.txt", 2) {
		text := strings.ReplaceAll(row[0], " ¶ ", "\n")
		found := readText(nil, listingText{text: text}).costs
		got := strings.TrimSpace(fmt.Sprint(found.cost, " ", found.utilities))
		if got != row[1] {
			t.Errorf("%q costs %s; want %s", text, got, row[1])
		}
	}
}

func BenchmarkReadText(b *testing.B) {
	var all strings.Builder
	for _, c := range readerCases(b, "ads.txt") {
		all.WriteString(c.text + "\n")
	}
	text := all.String()[:20_000]
	for b.Loop() {
		readText(nil, listingText{text: text})
	}
}
