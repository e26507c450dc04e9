// Tests of areas and rooms.

package listing

import "testing"

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
