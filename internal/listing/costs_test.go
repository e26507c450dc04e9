// Tests of which amounts are costs.

package listing

import "testing"

// A costCase is a text, and the cost and the fee that are read from it.
type costCase struct {
	text      string
	cost, fee float64
}

func wantCosts(t *testing.T, cases []costCase) {
	t.Helper()
	for _, c := range cases {
		got := ReadText(nil, Text{Text: c.text}).costs
		if got.Cost != c.cost || got.Fee != c.fee {
			t.Errorf("%q costs %v, with a fee of %v; want %v, %v", c.text, got.Cost, got.Fee, c.cost, c.fee)
		}
	}
}

// An amount stays the cost if words next to it say that a fee is included, excluded, a percentage or not due. An amount
// of the fee is not the cost, and is read as the fee only of a text that has a cost.
func TestCostAndFee(t *testing.T) {
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

// Taxes and what is paid to notaries and registers are never the cost.
func TestCostIsNoTax(t *testing.T) {
	var cases []costCase
	for _, text := range []string{
		"Stamp duty £11,250", "£11,250 stamp duty", "Flat\nStamp duty £11,250", "SDLT: £5,000", "Notary fees € 3.000",
		"Notarkosten 3.000 €", "Grunderwerbsteuer 12.000 €", "Kaufnebenkosten 30.000 €", "Stempelsteuer 900 €",
		"Frais de notaire 22 000 €", "22 000 € de frais de notaire", "Droits de mutation 20 000 €",
		"Taxe foncière : 1 200 €/an", "Council tax: £150 pcm", "Property taxes $4,200/yr", "Taxes: $4,200",
		"Land transfer tax $12,000", "Closing costs $9,000", "HOA dues $350", "IBI 450 €", "IBI: 450 €/año",
		"ITP 12.000 €", "ITP: 12.000 €", "Impuestos 3.000 €",
		"Gastos de notaría 3.000 €", "Imposta di registro 3.000 €", "IMU 800 €",
		"IMI 300 €", "Overdrachtsbelasting € 8.000", "Legal costs £1,500", "Land registry £150", "Survey £500",
	} {
		cases = append(cases, costCase{text, 0, 0})
	}
	wantCosts(t, append(cases, []costCase{
		{"£450,000\nStamp duty £11,250", 450000, 0},
		{"No stamp duty £450,000", 450000, 0},
		{"Free of stamp duty: £200,000", 200000, 0},
		{"450.000 € IBI incluido", 450000, 0},
		{"$2,400/mo plus taxes", 2400, 0},
		{"Price before taxes $300,000", 300000, 0},
		{"Price $300,000\nHOA $350/mo", 300000, 0},
		{"No HOA $300,000", 300000, 0},
		{"Loyer taxes comprises : 900 €", 900, 0},
		{"Piso en Ibi 85.000 €", 85000, 0},
		{"Mieszkanie umeblowane, AGD itp. 2500 zł", 2500, 0},
		{"Kiadó lakás 250 000 Ft", 250000, 0},
		{"Taxi 5 min, £900 pcm", 900, 0},
	}...))
}

// An amount after "from" is the cost if its line also has an area or a number of rooms and is no sentence, and if the
// text has no other cost.
func TestCostFrom(t *testing.T) {
	wantCosts(t, []costCase{
		{"2-Zimmer-Wohnung 65m2 ab EUR 1.200,--", 1200, 0},
		{"2 Zimmer, 65 m², ab 900 €", 900, 0},
		{"3 pièces 65 m² dès 250 000 €", 250000, 0},
		{"2 bed flats from £900 pcm", 900, 0},
		{"2 Zimmer 60 m²\n900 €\n3 Zimmer 80 m² ab 1.100 €", 900, 0},
		{"Wohnung ab 900 €", 0, 0},          // no size
		{"2 Zimmer, 50 m² bis 900 €", 0, 0}, // up to, not from
		{"2 Zimmer ab 500 € bis 900 €", 0, 0},
		{"Wohnung in Kassel\nUmzug ab 300 €\n2 Zimmer", 0, 0}, // the size is in another line
		{"Internet 50 MBit ab 30 €", 0, 0},
		// A sentence.
		{"Wir vermieten schöne Wohnungen mit 2 Zimmern und 60 m² ab 900 € im Monat. Melden Sie sich.", 0, 0},
	})
}

// Charges are monthly, as the cost is.
func TestChargesOfPeriods(t *testing.T) {
	for charges, want := range map[string]float64{
		"Nebenkosten: 2.400 € pro Jahr":       200,
		"Jährliche Nebenkosten: 2.400 €":      200,
		"Nebenkosten\n2.400 €/Jahr":           200,
		"Service charge: 1,200 € per annum":   100,
		"Charges de copropriété : 1 200 €/an": 100,
		"Nebenkosten: 50 € pro Woche":         217,
		"Nebenkosten: 240 € pro Monat":        240,
		"Nebenkosten: 240 €":                  240,
	} {
		text := "Wohnung in Kassel\nKaltmiete: 900 €\n" + charges
		if got := ReadText(nil, Text{Text: text}).costs; got.Cost != 900 || got.Charges != want {
			t.Errorf("%q: cost %v, charges %v; want 900, %v", text, got.Cost, got.Charges, want)
		}
	}
}

// The words between two rents of a line name one of them: the rent before them, or the rent after them.
func TestRentsOfOneLine(t *testing.T) {
	for _, c := range []struct {
		text, utilities string
		cost, charges   float64
	}{
		{"980 kalt / 1180 warm", "included", 1180, 200},
		{"980 € kalt / 1.180 € warm", "included", 1180, 200},
		{"980€ kalt/1180€ warm", "included", 1180, 200},
		{"980,- kalt / 1.180,- warm", "included", 1180, 200},
		{"980 (kalt) / 1180 (warm)", "included", 1180, 200},
		{"Miete: 980 kalt / 1180 warm", "included", 1180, 200},
		{"1180 warm / 980 kalt", "included", 1180, 200},
		{"1.180 € warm / 980 € kalt", "included", 1180, 200},
		{"980 kalt 1180 warm", "included", 1180, 200},
		{"980 € kalt 1180 € warm", "included", 1180, 200},
		{"980 € kalt (1180 € warm)", "included", 1180, 200},
		{"980 € Kaltmiete / 1180 € Warmmiete", "included", 1180, 200},
		{"1180 € Warmmiete 980 € Kaltmiete", "included", 1180, 200},
		{"Kaltmiete 980 Warmmiete 1180", "included", 1180, 200},
		{"Kaltmiete 980 € Warmmiete 1180 €", "included", 1180, 200},
		{"Kaltmiete 980 € / Warmmiete 1180 €", "included", 1180, 200},
		{"Warmmiete 1180 Kaltmiete 980", "included", 1180, 200},
		{"Warmmiete 1180 € / Kaltmiete 980 €", "included", 1180, 200},
		{"kalt 980 € / warm 1180 €", "included", 1180, 200},
		{"warm 1180 € / kalt 980 €", "included", 1180, 200},
		{"kalt 980 / warm 1180", "included", 1180, 200},
		{"warm: 1180 kalt: 980", "included", 1180, 200},
		{"980 € kalt + 200 € NK / 1180 € warm", "included", 1180, 200},
		{"980 kalt + 200 NK / 1180 warm", "included", 1180, 200},
		{"980 €/Monat kalt / 1180 €/Monat warm", "included", 1180, 200},
		{"Kaltmiete 980 € / Nebenkosten 200 € / Warmmiete 1180 €", "included", 1180, 200},
		{"£900 excl. bills / £1,000 incl. bills", "included", 1000, 100},
		{"900 € HC / 1 000 € CC", "included", 1000, 100},
		{"1 000 € CC / 900 € HC", "included", 1000, 100},
		{"Loyer HC 900 € / Loyer CC 1 000 €", "included", 1000, 100},
		{"Miete 900 € + Heizung/Nebenkosten 150 €", "", 900, 150},
		{"900 € kalt + NK 200 € inkl. Heizung", "excluded", 900, 200},
		{"900 € / Monat kalt", "excluded", 900, 0},
		{"Miete 900 € Nebenkosten 150 €", "", 900, 150},
		{"Miete 900 € / Kaution 2.000 €", "", 900, 0},
		{"Miete 900 € warm Kaution 2.000 €", "included", 900, 0},
		{"900 € NK 200 €", "", 900, 200},
		{"900 € Kaltmiete 200 € NK", "excluded", 900, 200},
		{"Kaltmiete 900,- NK 200,- Kaution 1800,-", "excluded", 900, 200},
		{"KM 900 NK 200", "excluded", 900, 200},
		{"km 900", "", 0, 0},
		{"9.500 kr/md + 900 aconto", "", 9500, 900},
		{"18 500 Kč + 3 500 poplatky", "", 18500, 3500},
		{"900 € + 150 NK", "", 900, 150},
		{"900 € Kaution 1800 € Provision 500 €", "", 900, 0},
		{"900 € loyer 80 € charges 950 € dépôt", "", 900, 80},
	} {
		got := ReadText(nil, Text{Text: "Wohnung am Kanal\n" + c.text}).costs
		if got.Cost != c.cost || got.Utilities != c.utilities || got.Charges != c.charges {
			t.Errorf("%q: cost %v %s, charges %v; want %v %s, %v", c.text, got.Cost, got.Utilities, got.Charges, c.cost,
				c.utilities, c.charges)
		}
	}
}
