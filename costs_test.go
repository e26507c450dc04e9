// Tests of which amounts are costs.

package main

import "testing"

// A costCase is a text with the cost and the fee that are read from it.
type costCase struct {
	text      string
	cost, fee float64
}

func wantCosts(t *testing.T, cases []costCase) {
	t.Helper()
	for _, c := range cases {
		got := readText(nil, listingText{text: c.text}).costs
		if got.cost != c.cost || got.fee != c.fee {
			t.Errorf("%q costs %v, with a fee of %v; want %v, %v", c.text, got.cost, got.fee, c.cost, c.fee)
		}
	}
}

// A fee that words say is included, excluded, a percentage or none is no name of the amount before it.
func TestCostBesideFee(t *testing.T) {
	wantCosts(t, []costCase{
		{"345 000 € honoraires inclus", 345000, 0},
		{"345 000 € HAI (honoraires 4 % charge acquéreur)", 345000, 0},
		{"245 000 € FAI (honoraires 5 % à la charge de l'acquéreur)", 245000, 0},
		{"345 000 € (honoraires à la charge du vendeur)", 345000, 0},
		{"345 000 € (4 % d'honoraires)", 345000, 0},
		{"Prix honoraires inclus : 345 000 €", 345000, 0},
		{"Maison\n345 000 € HAI (honoraires 4 % charge acquéreur)\nPrix hors honoraires : 331 000 €", 345000, 0},
		{"345 000 € frais de notaire réduits", 345000, 0},
		{"300.000 € provisionsfrei", 300000, 0},
		{"300.000 € zzgl. Provision 10.000 €", 300000, 10000},
		{"Ohne Provision 300.000 €", 300000, 0},
		{"£1,200 pcm no fees", 1200, 0},
		{"£1,200 pcm fees apply", 1200, 0},
		{"£900 pcm excluding council tax", 900, 0},
		{"250.000 € comisión incluida", 250000, 0},
		{"250.000 € spese d'agenzia escluse", 250000, 0},
		{"honoraires 850 €", 0, 0},
		{"850 € d'honoraires", 0, 0},
		{"12 000 € d'honoraires (4 %)", 0, 0},
		{"540 € honoraires charge locataire", 0, 0},
		{"Honoraires charge locataire : 540 €", 0, 0},
		{"zzgl. Provision 3.000 €", 0, 0},
		{"£300 admin fee", 0, 0},
		{"Loyer 900 € CC\n540 € d'honoraires dont 100 € d'état des lieux", 900, 540},
		{"Kaltmiete 900 €\nProvision 3.000 €", 900, 3000},
	})
}
