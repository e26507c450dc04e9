// The areas of a file of postal codes, as flats areas prints them.

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

// An area is what is known about the postal codes with one value of area.
type area struct {
	codes map[string]bool // postal codes that may have several towns
	towns map[string]int  // the number of entries by name
}

// printAreas prints a line for each area of a file of postal codes, sorted by the name of the
// area: its number of postal codes, and the towns that have the most of them.
func printAreas(w io.Writer, file string) error {
	entries, err := loadPostalFile(file)
	if err != nil {
		return err
	}
	areas := map[string]area{}
	for _, entry := range entries {
		name := entry.Area.String()
		if areas[name].codes == nil {
			areas[name] = area{map[string]bool{}, map[string]int{}}
		}
		areas[name].codes[entry.PostalCode.String()] = true
		if town := townOf(entry.Name.String()); town != "" {
			areas[name].towns[town]++
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(areas)) {
		a := areas[name]
		fmt.Fprintf(&b, "%s · %s", cmp.Or(printable(name), "(no area)"), withCommas(len(a.codes)))
		if examples := a.examples(); examples != "" {
			b.WriteString(" · " + printable(examples))
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// printable returns a text as it is, or quoted if a terminal might obey it.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// examples returns the names of the three towns that have the most entries.
func (a area) examples() string {
	byEntries := func(x, y string) int { return cmp.Or(a.towns[y]-a.towns[x], strings.Compare(x, y)) }
	names := slices.SortedFunc(maps.Keys(a.towns), byEntries)
	return strings.Join(names[:min(3, len(names))], ", ")
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
