// Tests of areas and rooms.

package listing

import (
	"strings"
	"testing"
)

// A currency next to an area belongs to the cost, so that the area counts, unless it is the area of a part of the home
// or of its plot.
func TestReadAreaBesideCost(t *testing.T) {
	for text, want := range map[string]float64{
		"2-Zimmer-Wohnung 65m2 ab EUR 1.200,--": 65,
		"2-Zimmer-Wohnung 65 m2 EUR 1.200":      65,
		"EUR 900 65 m²":                         65,
		"900 EUR 65 m²":                         65,
		"65m² à CHF 1'200.-":                    65,
		"Kaltmiete EUR 900 65 m²":               65,
		"Balkon 10 m² EUR 900":                  0,
		"Stellplatz 50 € 12 m²":                 0,
		"12 €/m² Balkon 10 m²":                  0,
		"Grundstück 500 m² EUR 300.000":         0,
	} {
		if got := ReadText(nil, Text{Text: text}).area; got != want {
			t.Errorf("the area of %q is %v; want %v", text, got, want)
		}
	}
}

// Rooms and bedrooms are read as people write them in a title.
func TestReadRoomsInTitle(t *testing.T) {
	for _, c := range []struct {
		text            string
		rooms, bedrooms float64
	}{
		{"appartement t3 lyon ¶ 900 €", 3, 0},
		{"Studio 25 m², proche tram t2 ¶ 600 €", 1, 0},
		{"Maison, borne de recharge de type 2 ¶ 900 €", 0, 0},
		{"One bed in a shared room ¶ £400 pcm", 0, 0},
		{"Flat ¶ two bed linen sets included ¶ £900 pcm", 0, 0},
		{"Hauptstraße 5-1/2, Berlin ¶ 900 €", 0, 0},
		{"Appartement T1bis ¶ 900 €", 1, 0},
		{"maison f4 avec jardin ¶ 900 €", 4, 0},
		{"Appartement de type 3 ¶ 900 €", 3, 0},
		{"Flat at 5/t3/uk ¶ £900 pcm", 0, 0},
		{"Küche Typ 3, type 2 ¶ 900 €", 0, 0},
		{"Studette au calme ¶ 400 €", 1, 0},
		{"Garsonka v centru ¶ 9000 Kč", 1, 0},
		{"Garçonnière ¶ 600 €", 1, 0},
		{"2-kamerappartement ¶ € 900", 2, 0},
		{"2 ZKDB ¶ 900 €", 2, 0},
		{"Piso 3 dorm. ¶ 900 €", 0, 3},
		{"Two bedroom flat ¶ £900 pcm", 0, 2},
		{"Appartement 75 m², 2 slpk ¶ € 950 p.m.", 0, 2},
		{"Three-bed house ¶ £900 pcm", 0, 3},
		{"One bedroom apartment ¶ £900 pcm", 0, 1},
		{"Appartement avec une chambre ¶ 900 €", 0, 0},
		{"Zwei Schlafzimmer, Balkon ¶ 900 €", 0, 2},
		{"Mieszkanie dwupokojowe ¶ 3000 zł", 2, 0},
		{"Pronájem, dvoupokojový byt ¶ 19000 Kč", 2, 0},
	} {
		got := ReadText(nil, Text{Text: strings.ReplaceAll(c.text, " ¶ ", "\n")})
		if got.rooms != c.rooms || got.bedrooms != c.bedrooms {
			t.Errorf("%q has %v rooms, %v bedrooms; want %v, %v", c.text, got.rooms, got.bedrooms, c.rooms, c.bedrooms)
		}
	}
}
