// Tests of areas and rooms.

package listing

import "testing"

// The currency of a cost next to an area does not make it an area that has a cost of its own.
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
