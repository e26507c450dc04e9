// Tests of areas.go: the areas of a file of postal codes.

package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestAreas tests the list of areas of each format of files.
func TestAreas(t *testing.T) {
	var many strings.Builder
	many.WriteString("postal_code,name,lat,lng,area\n")
	names := []string{"Lyon 07", "Lyon", "Lyon CEDEX 3", "Grenoble Cedex", "Vif"}
	for i := range 4125 {
		fmt.Fprintf(&many, "%05d,%s,1,2,FR-84\n", i, names[i%len(names)])
	}
	const geoNames = "FR\t69001\tLyon 01\tx\t84\tx\tx\tx\tx\t45.7\t4.8\t5\n"
	for _, c := range []struct{ text, want string }{
		{many.String(), "FR-84 · 4,125 · Lyon, Grenoble, Vif\n"},
		{geoNames + strings.Replace(geoNames, "\t84", "\t", 1), "FR · 1 · Lyon\nFR-84 · 1 · Lyon\n"},
		// A code counts once, a place for each of its entries, and places with as many in the order of their names.
		{`[{"postal_code": "1", "name": "B", "area": "X"}, {"postal_code": "1", "name": "D", "area": "X"},
			{"postal_code": "1", "name": "C", "area": "X"}, {"postal_code": "2", "name": "A", "area": "X"},
			{"postal_code": "3", "name": "D", "area": "X"}]`, "X · 3 · D, A, B\n"},
		{`[{"postal_code": "1"}, {"postal_code": "2", "name": "1er", "area": "A"}]`, "(no area) · 1\nA · 1 · 1er\n"},
		{`[{"postal_code": "1", "name": "\u001b[2JX", "area": "\u001b]0;title\u0007"}, {"postal_code": "2", "name":
			"\u202eY", "area": "A"}]`, "\"\\x1b]0;title\\a\" · 1 · \"\\x1b[2JX\"\nA · 1 · \"\\u202eY\"\n"},
		{"[]", ""},
	} {
		var b strings.Builder
		file := writeFile(t, t.TempDir(), "codes", c.text)
		if err := printAreas(&b, file); err != nil || b.String() != c.want {
			t.Errorf("%.100s: %v\n%s\nwant\n%s", c.text, err, b.String(), c.want)
		}
	}
	for _, c := range []struct {
		n    int
		want string
	}{{1, "1"}, {999, "999"}, {1000, "1,000"}, {1234567, "1,234,567"}} {
		if got := withCommas(c.n); got != c.want {
			t.Errorf("withCommas(%d) = %s; want %s", c.n, got, c.want)
		}
	}
}
