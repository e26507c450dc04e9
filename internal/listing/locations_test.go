// Tests of the locations of listings.

package listing

import (
	"strings"
	"testing"
)

// An address may stand in several lines, with its code alone in the last one.
func TestReadAddressInLines(t *testing.T) {
	for _, c := range []struct{ text, code, location string }{
		{"12 Holloway Road ¶ London ¶ N7 6PP", "N7 6PP", "12 Holloway Road, London"},
		{"2 Bed Flat ¶ 12 Holloway Road, ¶ London, ¶ N7 6PP ¶ £1,500 pcm", "N7 6PP", "12 Holloway Road, London"},
		{"£1,500 pcm ¶ 221B Baker Street ¶ London ¶ NW1 6XE", "NW1 6XE", "221B Baker Street, London"},
		{"12 High Street ¶ Headington ¶ Oxford ¶ OX1 4AB ¶ £1,500 pcm", "OX1 4AB", "12 High Street, Headington, Oxford"},
		{"Flat 4, 12 High Street ¶ Oxford ¶ OX1 4AB ¶ £1,500 pcm", "OX1 4AB", "Flat 4, 12 High Street, Oxford"},
		{"£900 pcm ¶ Holloway Road ¶ Bury St. Edmunds ¶ IP33 1AA", "IP33 1AA", "Holloway Road, Bury St. Edmunds"},
		{"$2,400 ¶ 123 Main Street ¶ Toronto, ON ¶ M5V 2T6", "M5V 2T6", "123 Main Street, Toronto, ON"},
		{"Lovely flat ¶ 12 High Street ¶ Oxford OX1 4AB ¶ £900 pcm", "OX1 4AB", "12 High Street, Oxford"},
		{"£900 pcm ¶ 12 High Street ¶ Postcode ¶ N7 6PP", "N7 6PP", "12 High Street"},
		{"£900 pcm ¶ 12 High Street ¶ Reference ¶ AB1 2CD", "", "12 High Street"},
		{"£900 pcm ¶ Balcony ¶ N7 6PP", "", ""},
		{"£900 pcm ¶ 12 High Street ¶ EPC ¶ C2", "", "12 High Street"},
	} {
		got := ReadText(nil, Text{Text: strings.ReplaceAll(c.text, " ¶ ", "\n")})
		if got.code != c.code || got.location != c.location {
			t.Errorf("%q is in %q, %q; want %q, %q", c.text, got.code, got.location, c.code, c.location)
		}
	}
}
