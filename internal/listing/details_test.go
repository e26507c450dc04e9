// Tests of short facts.

package listing

import "testing"

// Bedrooms are read in the short forms of sites and in sentences. Letters of postal codes and of streets, and the
// bedrooms of other homes in a long sentence, count none.
func TestReadBedrooms(t *testing.T) {
	for text, want := range map[string]float64{
		"3 bed":           3,
		"3BR/2BA":         3,
		"3 BR 2 BA":       3,
		"3br apartment":   3,
		"3 br":            3,
		"2BR apartment":   2,
		"3bed flat":       3,
		"3BD/2BA":         3,
		"3 bd 2 ba":       3,
		"3 bds":           3,
		"3-BR condo":      3,
		"2 bdrms":         2,
		"2BHK":            2,
		"Loft, 2br, $900": 2,
		"ático 120 m², 3 habitaciones, 2 baños, terraza 40 m², 250.000 €, gastos de comunidad 150 €/mes":   3,
		"Piso de 80 m², 2 habitaciones, 1 baño, ascensor, calefacción, 900 €/mes, fianza 1 mes, amueblado": 2,
		"Bel appartement au troisième étage avec ascenseur, 3 chambres, salon, cuisine, balcon et parking": 3,
		"12 bd Victor Hugo, 69006 Lyon": 0,
		"5 bd, Paris":                   0,
		"Holloway Road, London N7 3BR":  0,
		"Number of bedrooms: 1":         1,
		"Dormitorios 3":                 3,
		"2 quartos":                     2,
		"2 bd, $1,900":                  2,
		"SW1A 2BD":                      0,
		"BR1 3AB":                       0,
		"12BR34":                        0,
		"3 Broad Street":                0,
		"2 Brunnen, 3 Bdellium":         0,
		"We also have many other homes for families, for instance with 3 bedrooms and a garden, so give us a call":  0,
		"Nous avons beaucoup d'autres biens, par exemple une maison avec jardin, 3 chambres à louer, à la campagne": 0,
	} {
		if got := bedroomsIn(valuesOf(nil, []string{text}), ""); got != want {
			t.Errorf("bedroomsIn(%q) = %v; want %v", text, got, want)
		}
	}
}
