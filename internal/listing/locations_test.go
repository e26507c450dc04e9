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

// Two addresses have one street if one has the name of the street in the other, whatever the numbers of their houses
// and flats. An address of another street belongs to somebody else.
func TestIsSameStreet(t *testing.T) {
	for _, c := range []struct {
		one, other string
		want       bool
	}{
		{"12 rue du 8 Mai 1945", "3 rue du Bac", false},
		{"12 rue du 8 Mai 1945", "rue du 8 mai 1945, Lyon", true},
		{"Rue du 11 Novembre 5", "12 rue du 8 Mai", false},
		{"Flat 4, 12 High Street", "Flat 2, 9 Low Road", false},
		{"Flat 4, 12 High Street", "Flat 2, 12 High St", true},
		{"Flat 4, 12 High St", "Flat 4, 9 Low Rd", false},
		{"Apartment 3B, 12 High Street, Oxford", "12 High Street", true},
		{"Unit 7, 5 Elm Avenue", "5 Elm Ave", true},
		{"Ground Floor Flat, 12 High Street", "Ground Floor Flat, 9 Low Road", false},
		{"350 5th Avenue", "20 Lexington Avenue", false},
		{"350 5th Avenue", "350 5th Ave, New York", true},
		{"123 W 42nd Street", "99 Wall Street", false},
		{"123 W 42nd Street", "9 W 44th Street", false},
		{"Straße des 17. Juni 135", "Straße des Friedens 3", false},
		{"Straße des 17. Juni 135", "Straße des 17. Juni 3, Berlin", true},
		{"ul. 3 Maja 5", "ul. Prosta 5", false},
		{"ul. 3 Maja 5", "ul. 3 Maja 12, Gdynia", true},
		{"Calle 13, 5", "Calle 1, 5", false},
		{"Calle 13, 5", "Calle 13 # 45-10", true},
		{"Calle 2 de Mayo, 3", "Calle Mayor, 3", false},
		{"Schöne Wohnung, Hauptstraße 5", "Hauptstr. 7 HH", true},
		{"Bahnhofstrasse 5", "Bahnhof-Straße 5", true},
		{"12, rue Lepic", "Rue Lepic 12, Paris", true},
		{"12 bis rue de Marseille", "12 rue de Marseille", true},
		{"Boulevard Voltaire 5", "5 bd Voltaire", true},
		{"C/ Mayor, 12, 2º A", "C/ Mayor 12", true},
		{"Am Anger 5", "Am Anger 7, Erfurt", true},
		{"Am Anger 5", "Am Markt 5", false},
		{"Flat 4", "High Street 3", false},
	} {
		if got, back := isSameStreet(c.one, c.other), isSameStreet(c.other, c.one); got != c.want || back != c.want {
			t.Errorf("%q and %q are of one street: %t, %t; want %t", c.one, c.other, got, back, c.want)
		}
	}
}

// The letters of a country before a postal code are no part of the location.
func TestReadLettersBeforeCode(t *testing.T) {
	for _, c := range []struct{ text, code, location string }{
		{"Torstraße 5, D-10115 Berlin", "10115", "Torstraße 5, Berlin"},
		{"Torstraße 5, D - 10115 Berlin", "10115", "Torstraße 5, Berlin"},
		{"Torstraße 5, D 10115 Berlin", "10115", "Torstraße 5, Berlin"},
		{"Torstraße 5, DE-10115 Berlin", "10115", "Torstraße 5, Berlin"},
		{"Torstraße 5 D-10115 Berlin", "10115", "Torstraße 5, Berlin"},
		{"Torstraße 5 D - 10115 Berlin", "10115", "Torstraße 5 D, Berlin"},
		{"12 rue Lepic, FR-75018 Paris", "75018", "12 rue Lepic, Paris"},
		{"12 rue Lepic (F - 75018 Paris)", "75018", "12 rue Lepic, Paris"},
		{"Via Dante 5, I-20121 Milano", "20121", "Via Dante 5, Milano"},
		{"Via Dante 5, IT-20121 Milano", "20121", "Via Dante 5, Milano"},
		{"Calle Mayor 5, E-28013 Madrid", "28013", "Calle Mayor 5, Madrid"},
		{"Calle Mayor 5, ES-28013 Madrid", "28013", "Calle Mayor 5, Madrid"},
		{"Rua Augusta 5, P-1100-053 Lisboa", "1100-053", "Rua Augusta 5, Lisboa"},
		{"Rua Augusta 5, PT-1100-053 Lisboa", "1100-053", "Rua Augusta 5, Lisboa"},
		{"Mariahilfer Straße 5, A-1060 Wien", "1060", "Mariahilfer Straße 5, Wien"},
		{"Langstrasse 5, CH 8004 Zürich", "8004", "Langstrasse 5, Zürich"},
		{"Städtle 5, FL-9490 Vaduz", "9490", "Städtle 5, Vaduz"},
		{"12 rue Haute, BE-1000 Bruxelles", "1000", "12 rue Haute, Bruxelles"},
		{"12 rue Haute, L-1718 Luxembourg", "L-1718", "12 rue Haute, Luxembourg"},
		{"12 rue Haute, LU-1718 Luxembourg", "1718", "12 rue Haute, Luxembourg"},
		{"Prinsengracht 5, NL-1015 DK Amsterdam", "1015 DK", "Prinsengracht 5, Amsterdam"},
		{"Storgatan 5, S-111 22 Stockholm", "111 22", "Storgatan 5, Stockholm"},
		{"Storgatan 5, SE-11122 Stockholm", "11122", "Storgatan 5, Stockholm"},
		{"Storgata 5, NO-0155 Oslo", "0155", "Storgata 5, Oslo"},
		{"ul. Prosta 5, PL-00-950 Warszawa", "00-950", "ul. Prosta 5, Warszawa"},
		{"Dlouhá 5, CZ-110 00 Praha", "110 00", "Dlouhá 5, Praha"},
		{"Váci utca 5, H-1051 Budapest, 190 000 Ft", "1051", "Váci utca 5, Budapest"},
		{"Mannerheimintie 5, FIN-00100 Helsinki", "00100", "Mannerheimintie 5, Helsinki"},
		{"Ref: LU 1234 Charming house", "", ""},
		{"Reference SI-2045 Beautiful flat", "", ""},
		{"Ref. N-1234 Haus am See", "", ""},
		{"Objekt S-1234 Schöne Aussicht", "", ""},
	} {
		got := ReadText(nil, Text{Text: "Home to let\n" + c.text + "\n65 m²"})
		if got.code != c.code || got.location != c.location {
			t.Errorf("%q is in %q, %q; want %q, %q", c.text, got.code, got.location, c.code, c.location)
		}
	}
}
