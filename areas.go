// The areas of postal codes, as flats areas prints them, and as the page offers them.

package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// areas are what is known about postal codes, by their area.
type areas map[string]area

// An area is what is known about the postal codes with one value of area.
type area struct {
	codes map[string]bool // postal codes that may have several towns
	towns map[string]int  // the number of entries by name
}

// add adds an entry to its area.
func (a areas) add(entry *PostalCode) {
	name := entry.Area.String()
	if a[name].codes == nil {
		a[name] = area{map[string]bool{}, map[string]int{}}
	}
	a[name].codes[entry.PostalCode.String()] = true
	if town := townOf(entry.Name.String()); town != "" {
		a[name].towns[town]++
	}
}

// printAreas prints a line for each area of a file of postal codes, sorted by the name of the
// area: its number of postal codes, and the towns that have the most of them.
func printAreas(w io.Writer, file string) error {
	entries, err := loadPostalFile(file)
	if err != nil {
		return err
	}
	areas := areas{}
	for _, entry := range entries {
		areas.add(entry)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(areas)) {
		a := areas[name]
		fmt.Fprintf(&b, "%s · %s", cmp.Or(printable(name), "(no area)"), withCommas(len(a.codes)))
		if examples := strings.Join(a.examples(), ", "); examples != "" {
			b.WriteString(" · " + printable(examples))
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// A servedArea is an area as it is served.
type servedArea struct {
	Area   string   `json:"area"`
	Name   *string  `json:"name"`
	Codes  int      `json:"codes"`  // the number of its postal codes
	Places []string `json:"places"` // examples of its towns
}

// served returns the areas with their names, sorted. Unless begin is "", only areas count that have a town whose
// name begins so.
func (a areas) served(names map[string]string, begin string) []servedArea {
	list := []servedArea{}
	begun := newSpelling(begin)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if begin == "" || a[name].hasTown(begun) {
			list = append(list, servedArea{name, orNull(names[name]), len(a[name].codes), a[name].examples()})
		}
	}
	return list
}

// hasTown reports whether the area has a town whose name begins with another one.
func (a area) hasTown(begin spelling) bool {
	for town := range a.towns {
		if newSpelling(town).beginsWith(begin) {
			return true
		}
	}
	return false
}

// A spelling is a name in simplified words with blanks between them, and the same with the other spelling of umlauts.
type spelling struct{ simple, respelled string }

func newSpelling(name string) spelling {
	var simple, respelled []string
	for t := (tokenizer{text: name}); t.next(); {
		simple = append(simple, string(t.word))
		respelled = append(respelled, cmp.Or(t.respelled(), string(t.word)))
	}
	return spelling{strings.Join(simple, " "), strings.Join(respelled, " ")}
}

// beginsWith reports whether the name begins with another one, in either spelling.
func (s spelling) beginsWith(begin spelling) bool {
	return strings.HasPrefix(s.simple, begin.simple) || strings.HasPrefix(s.respelled, begin.respelled)
}

// printable returns a text as it is, or quoted if a terminal might obey it.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// examples returns the names of up to three towns that have the most entries.
func (a area) examples() []string {
	byEntries := func(x, y string) int { return cmp.Or(a.towns[y]-a.towns[x], strings.Compare(x, y)) }
	names := slices.SortedFunc(maps.Keys(a.towns), byEntries)
	return append([]string{}, names[:min(3, len(names))]...)
}

// townOf returns the name of a town without the number of a district or of a post office after
// it, as in "Lyon 07" and "Lyon CEDEX 3", so that all parts of a town count as one.
func townOf(name string) string {
	fields := strings.Fields(name)
	for i, field := range fields {
		isCedex := strings.EqualFold(field, "cedex")
		if i > 0 && (isCedex || field[0] >= '0' && field[0] <= '9') {
			return strings.Join(fields[:i], " ")
		}
	}
	return strings.Join(fields, " ")
}

// withCommas returns a number with a comma after each group of three digits.
func withCommas(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
