// JSON texts.

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// valuesIn counts the members and elements of the next value of a decoder.
func valuesIn(d *json.Decoder) (members, elements int) {
	open, _ := d.Token()
	if open != json.Delim('[') && open != json.Delim('{') {
		return 0, 0
	}
	for d.More() {
		if open == json.Delim('{') {
			d.Token() // the name
			members++
		} else {
			elements++
		}
		m, e := valuesIn(d)
		members, elements = members+m, elements+e
	}
	d.Token() // the closing bracket
	return members, elements
}

// Members and elements are counted as a decoder finds them.
func FuzzCountValues(f *testing.F) {
	for _, text := range []string{
		`1`, `"a:b,[c"`, `[]`, `{}`, ` [ ] `, `[ 1 , 2 ]`, `[[]]`, `[[],[]]`, `{"a":[]}`, `{"a" : {} , "a":[{}]}`,
		`["\"",":\\",","]`, `{"\":":["[",{"x":[1,[2,[3]]]}]}`, "[\n1\n]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		members, elements := countValues([]byte(text))
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		wantMembers, wantElements := valuesIn(d)
		if members != wantMembers || elements != wantElements {
			t.Errorf("countValues(%q) = %d, %d; want %d, %d", text, members, elements, wantMembers, wantElements)
		}
	})
}
