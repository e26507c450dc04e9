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

// A title that ends in the town and the number of a district is no street above the postal code.
func TestReadDistrictInTitle(t *testing.T) {
	for _, c := range []struct{ text, code, location string }{
		{"Bel appartement rénové, Paris 18e ¶ 75018 Paris ¶ 1 100 € CC ¶ 35 m² ¶ 2 pièces", "75018", "Paris 18e"},
		{"Appartement T2 lumineux, Paris 11e ¶ 75011 Paris ¶ 1 100 € CC", "75011", "Paris 11e"},
		{"Studio meublé, Lyon 3e ¶ 69003 Lyon ¶ 650 € CC", "69003", "Lyon 3e"},
		{"Bel appartement rénové à Paris 18e ¶ 75018 Paris ¶ 1 100 € CC", "75018", "Paris 18e"},
		{"Maison de ville, Bordeaux 2 ¶ 33000 Bordeaux ¶ 1 600 € CC", "33000", "Bordeaux 2"},
		{"Schöne Altbauwohnung, Wien 7 ¶ 1070 Wien ¶ 1.100 €", "1070", "Wien 7"},
		{"Precioso piso reformado, Madrid 4 ¶ 28004 Madrid ¶ 1.100 €", "28004", "Madrid 4"},
		{"Bellissimo appartamento, Roma 2 ¶ 00196 Roma ¶ 1.100 €", "00196", "Roma 2"},
		{"Hezký byt po rekonstrukci, Praha 5 ¶ 150 00 Praha ¶ 19 000 Kč", "150 00", "Praha 5"},
		{"Felújított lakás, Budapest 13 ¶ 1132 Budapest ¶ 250 000 Ft", "1132", "Budapest 13"},
		{"Hyggelig lejlighed, København 2 ¶ 2100 København Ø ¶ 9.500 kr.", "2100", "København Ø"},
		{"Bel appartement, Paris 18e ¶ 75018 Paris ¶ 1 100 € ¶ 12 rue Lepic", "75018", "12 rue Lepic, Paris 18e"},
		{"Bel appartement, Paris 18e, 75018 Paris ¶ 1 100 €", "75018", "Paris 18e"},
		{"Bel appartement, 12 rue Lepic, Paris 18e ¶ 75018 Paris ¶ 1 100 €", "75018", "12 rue Lepic, Paris 18e"},
		{"Bel appartement 12 rue Lepic, Paris 18e ¶ 75018 Paris ¶ 1 100 €", "75018", "12 rue Lepic, Paris 18e"},
		{"Bel appartement ¶ 12 rue Lepic, Paris 18e ¶ 75018 Paris ¶ 1 100 €", "75018", "12 rue Lepic, Paris 18e"},
		{"Schöne Wohnung im Haus 3, Wien 7 ¶ 1070 Wien ¶ 1.100 €", "1070", "Wien 7"},
		{"Schöne Wohnung ¶ Hauptstraße, Dresden 3 ¶ 01127 Dresden ¶ 700 €", "01127", "Hauptstraße, Dresden 3"},
		{"Bel appartement, Montmartre 18e ¶ 75018 Paris ¶ 1 100 €", "75018", "Montmartre 18e, Paris"},
		{"Bellissimo appartamento, via Roma 5 ¶ 00184 Roma ¶ 900 €", "00184", "via Roma 5"},
		{"Schöne Wohnung, Am Anger 5 ¶ 99084 Erfurt ¶ 900 €", "99084", "Am Anger 5, Erfurt"},
		{"Haus 3, Hauptstraße 5 ¶ 04107 Leipzig ¶ 900 €", "04107", "Haus 3, Hauptstraße 5, Leipzig"},
		{"Bel appartement rénové, Paris 18e ¶ 12 rue Lepic, 75018 Paris ¶ 1 100 €", "75018", "12 rue Lepic, Paris"},
		{"Bel appartement ¶ 12 rue de Paris ¶ 75018 Paris ¶ 1 100 €", "75018", "12 rue de Paris"},
		{"Bel appartement ¶ Rue de Paris 12 ¶ 75018 Paris ¶ 1 100 €", "75018", "Rue de Paris 12"},
		{"Schöne Wohnung ¶ Am Anger 5 ¶ 99084 Erfurt ¶ 900 €", "99084", "Am Anger 5, Erfurt"},
	} {
		got := ReadText(nil, Text{Text: strings.ReplaceAll(c.text, " ¶ ", "\n")})
		if got.code != c.code || got.location != c.location {
			t.Errorf("%q is in %q, %q; want %q, %q", c.text, got.code, got.location, c.code, c.location)
		}
	}
}
