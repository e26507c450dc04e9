// Tests of what is picked from the text of a listing.

package web

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestPickWorst tests that texts which repeat one part are read in a short time.
func TestPickWorst(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/pick")
	for _, part := range []string{"1", "1\n", "1 000 ", "€1", "Aa ", "Aa-", "A\n", "1 €\n", "Zimmer\n",
		"80331 Aa ", "0-", "Aa 1, ", "1071 AB ", "ul. ", "rue a ", "12-345 Aa ", "089 / ", "+", "1 zł ", "Ft ", "Tel. 0-",
		"+4", "http://a.b ", "Kaltmiete ", "inkl. 1 € ", "(", "\u00a0", "🏠"} {
		// The shortest of several times, because the machine may be busy
		took := p.eval(fmt.Sprintf(`(() => {
			const text = %s.repeat(100_000);
			let least = Infinity;
			for (let i = 0; i < 5 && least > 2_000; i++) {
				const start = performance.now();
				pick.pick(text);
				least = Math.min(least, performance.now() - start);
			}
			return least;
		})()`, encode(part)))
		if took.(float64) > 2_000 {
			t.Errorf("a text of %q takes %.0f ms; want at most 2,000", part, took)
		}
	}
}

// TestPick tests what is picked out of the texts of listings.
func TestPick(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	for _, c := range listingTexts {
		p.enter(".paste textarea", c.text)
		got := fmt.Sprint(p.eval(`[...document.querySelectorAll(".add [name]")].slice(0, 9).map((field) => field.value)`))
		want := fmt.Sprint([]string{c.link, c.title, c.cost, c.currency, c.area, c.rooms, c.code, c.place, c.phone})
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, want)
		}
	}
	p.checkFaults()
}

// TestPickScraps tests what is picked out of a link alone, and out of facts alone: no title and no text.
func TestPickScraps(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	for _, c := range []struct{ pasted, want string }{
		{"example.org/expose/999111", "https://example.org/expose/999111|||||||||"},
		{"https://example.org/9\nWarmmiete 1.390 €\n60 m²", "https://example.org/9||1390|EUR|60|||||"},
		{"https://www.example.org/", "https://www.example.org/|||||||||"},
		{"Schau mal, ein Loft in Kassel https://example.org/expose/7",
			"https://example.org/expose/7|Schau mal, ein Loft in Kassel||||||Kassel||"},
		{"Wohnung in Kassel\nwww.example.org/expose/7\nWarmmiete 900 €\nDatenschutz: https://example.net/privacy",
			"https://www.example.org/expose/7|Wohnung in Kassel|900|EUR||||Kassel||Warmmiete 900 €"},
		{"Appartement à Lyon, 900 € CC\nLes risques sont publiés sur le site www.example.org\nhttps://www.example.net/",
			"|Appartement à Lyon, 900 € CC|900|EUR||||Lyon||" +
				"Les risques sont publiés sur le site www.example.org\nhttps://www.example.net/"},
		{"Agence Dupont, Tél. 01 99 00 42 17\nLoyer 900 €\nT2 à Lyon",
			"|T2 à Lyon|900|EUR||2||Lyon|01 99 00 42 17|Agence Dupont, Tél. 01 99 00 42 17\nLoyer 900 €"},
		{"Appartement te huur in Leuven\nVeldstraat 240 bus 301, 3000 Leuven\n€ 900 per maand",
			"|Appartement te huur in Leuven|900|EUR|||3000|Veldstraat 240 bus 301, Leuven||" +
				"Veldstraat 240 bus 301, 3000 Leuven\n€ 900 per maand"},
		{"Location appartement 3 pièces\n1.680 €\nParis 11E (75011)\n3 pièces",
			"|Location appartement 3 pièces|1680|EUR||3|75011|Paris 11E||" +
				"1.680 €\nParis 11E (75011)\n3 pièces"},
		{"Koop\nBekijk alle foto's (27)\nFoto's 27\nVerzonnenstraat 14-BS\n9712 XX Groningen\n€ 298.000 k.k.\n" +
			"2 slaapkamers\nContact met makelaar\nOmschrijving\nRuim appartement.\nAantal kamers\n3 kamers (2 slaapkamers)",
			"|Verzonnenstraat 14-BS|298000|EUR||3|9712 XX|Verzonnenstraat 14-BS, Groningen||Koop\n9712 XX Groningen\n" +
				"€ 298.000 k.k.\n2 slaapkamers\nContact met makelaar\nOmschrijving\nRuim appartement.\nAantal kamers\n" +
				"3 kamers (2 slaapkamers)"},
		{"Te huur: Appartement Molenkade 45 B in Utrecht\n3532 XX (Lombok)\n€ 1.650 per maand",
			"|Te huur: Appartement Molenkade 45 B in Utrecht|1650|EUR|||3532 XX|Molenkade 45 B, Utrecht||" +
				"3532 XX (Lombok)\n€ 1.650 per maand"},
		{"Pronájem bytu 2+kk\n19 500 Kč za měsíc\n" +
			"Nabízíme k pronájmu světlý byt po celkové rekonstrukci na adrese Smyšlená 17, 130 00 Praha 3.",
			"|Pronájem bytu 2+kk|19500|CZK||2|130 00|Smyšlená 17, Praha||19 500 Kč za měsíc\n" +
				"Nabízíme k pronájmu světlý byt po celkové rekonstrukci na adrese Smyšlená 17, 130 00 Praha 3."},
		{"1 bed flat for sale\nFlat 2, 19 Invented Street, Bristol BS3 9XX\n£260,000",
			"|Flat 2, 19 Invented Street, Bristol BS3 9XX|260000|GBP|||BS3 9XX|Flat 2, 19 Invented Street, Bristol||" +
				"1 bed flat for sale\n£260,000"},
		{"2 Bed Flat, Made Up Street, M1\nManchester, M1 9XX\n£1,200 per month",
			"|2 Bed Flat, Made Up Street, M1|1200|GBP|||M1 9XX|Made Up Street, M1, Manchester||" +
				"Manchester, M1 9XX\n£1,200 per month"},
		{"Piso en venta en Calle Inventada, 6\n28015 Madrid\n410.000 €",
			"|Piso en venta en Calle Inventada, 6|410000|EUR|||28015|Calle Inventada, 6, Madrid||28015 Madrid\n410.000 €"},
		{"Neubauprojekt Musterpark\n2 - 4 Zimmer\n48 - 112 m²\nTel. (+352) 26 55 01 99",
			"|Neubauprojekt Musterpark|||||||(+352) 26 55 01 99|2 - 4 Zimmer\n48 - 112 m²\nTel. (+352) 26 55 01 99"},
		{"Two bed flat in Leeds\n£950 pcm\nMore properties from this agent\nCall agent: 020 7946 0199",
			"|Two bed flat in Leeds|950|GBP||||Leeds|020 7946 0199|£950 pcm\nMore properties from this agent\n" +
				"Call agent: 020 7946 0199"},
		{"Zurück zur Ergebnisliste\nMerken\nHelle Wohnung in Kassel\n900 €\nRuhig gelegen, mit Garten.",
			"|Helle Wohnung in Kassel|900|EUR||||Kassel||900 €\nRuhig gelegen, mit Garten."},
	} {
		p.enter(".paste textarea", c.pasted)
		p.see(fieldTexts, c.want)
	}
	p.checkFaults()
}

// TestPickCosts tests which of several amounts is the cost, and whether it includes utilities.
func TestPickCosts(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/pick")
	for _, c := range []struct{ text, want string }{
		{"Kaltmiete 900 €\nNebenkosten 150 €\nWarmmiete 1.050 €", "1050 included"},
		{"Kaltmiete 900 €\nNebenkosten 150 €", "900 excluded"},
		{"Wohnung in Kassel\n900 €\nMiete zzgl. NK: 900 €", "900 excluded"},
		{"Wohnung in Kassel\n900 €\nBruttomiete: 900 €", "900 included"},
		{"Appartement à Lyon\n900 € HC", "900 excluded"},
		{"Appartement à Lyon\n900 € CC", "900 included"},
		{"Appartement te huur\n€ 900 per maand (excl.)", "900 excluded"},
		{"Exklusive Wohnung in Kassel\nMiete 900 €", "900"},
		{"Piso en Málaga\n900 € gastos no incluidos", "900 excluded"},
		{"Flat to let\n£900 pcm", "900"},
		{"Exklusives Loft\nKaufpreis 300.000 € inkl. Küche", "300000"},
		// What the rent comprises stands in the line below it.
		{"Location studio 24 m²\nNantes (44000)\n710 €\nLe loyer comprend les charges\n24 m²\n" +
			"Loyer 640 € + 70 € de charges. Dépôt de garantie 640 €.", "710 included"},
		// A number of a house is no cost.
		{"Te huur: Appartement Molenkade 311-2 in Utrecht\n€ 1.650 per maand\n58 m²", "1650"},
		{"Te huur: Appartement Molenkade 455 B in Utrecht\n€ 1.650 per maand (incl.)", "1650 included"},
		// A former price is none, however often it stands there.
		{"Maison 5 pièces\n412 000 € 395 000 €\nAncien prix : 412 000 €", "395000"},
		{"Piso en venta\n198.000 € antes 215.000 €", "198000"},
		{"Loft in Kassel\nAlter Preis: 1.100 €\n990 €", "990"},
		{"Loft in Kassel\nstatt 1.100 € nur 990 €", "990"},
	} {
		got := p.eval(fmt.Sprintf(`(({cost, utilities = ""}) => (cost + " " + utilities).trim())(pick.pick(%s))`,
			encode(c.text)))
		if got != c.want {
			t.Errorf("%s: got %s; want %s", c.text, got, c.want)
		}
	}
	p.checkFaults()
}

// TestPickDetails tests which short facts are picked out of the lines of a listing.
func TestPickDetails(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/details")
	for _, c := range []struct{ line, want string }{
		{"Planta 3ª exterior", "floor 3ª exterior"},
		{"72 m², planta 3ª exterior", "floor planta 3ª"},
		{"2ª Planta", "floor 2ª Planta"},
		{"Third floor with lift", "floor Third floor"},
		{"Floor area 52 m² on two floors, 900 plantas", ""},
		{"Fianza de 2 meses", "deposit 2 meses"},
		{"Se pide fianza de dos meses", "deposit dos meses"},
		{"Montant du dépôt de garantie 1500 €", "deposit 1500 €"},
		{"No deposit. The deposit is protected by one scheme", ""},
		{"Piso reformado, disponible desde el 1 de enero, sin muebles", "available_from 1 de enero"},
		{"Le logement est disponible à partir du 1er mars 2027", "available_from 1er mars 2027"},
		{"Available from 1 March, unfurnished", "available_from 1 March"},
		{"Disponible de suite", "available_from de suite"},
		{"Available for 2 people, from 9 to 5", ""},
		{"Certificado energético: Consumo: E", "energy E"},
		{"Consumo: 120 kWh", ""},
	} {
		got := p.eval(fmt.Sprintf(`Object.entries(details.detailsIn([%s]) ?? {}).map((fact) => fact.join(" ")).join()`,
			encode(c.line)))
		if got != c.want {
			t.Errorf("%s: got %s; want %s", c.line, got, c.want)
		}
	}
	p.checkFaults()
}

// TestPickLinks tests which links lead to one listing.
func TestPickLinks(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("words/pick")
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{"https://www.example.org/expose/999111", "https://example.org/expose/999111#/", true},
		{"https://www.example.org/expose/999111", "http://m.example.org/expose/999111/?utm_source=a", true},
		{"https://www.example.org/9", "https://www.example.org/9?referrer=RESULT_LIST&searchType=shape#/", true},
		{"https://www.example.org/properties/7", "https://www.example.org/properties/7#/?channel=RES_LET", true},
		{"https://www.example.org/#/listing/7", "https://www.example.org/#/listing/8", false},
		{"https://www.example.org/#!7", "https://www.example.org/", false},
		{"https://www.example.org/?id=7", "https://www.example.org/?id=8", false},
		{"https://www.example.org/?ref=7", "https://www.example.org/", false},
	} {
		same := p.eval(fmt.Sprintf("pick.linkKey(%s) === pick.linkKey(%s)", encode(c.one), encode(c.other)))
		if same != c.same {
			t.Errorf("%s and %s lead to one listing: %v; want %v", c.one, c.other, same, c.same)
		}
	}
	p.checkFaults()
}

// linkID returns the id of a flat that was added by its link.
func linkID(link, host string) string {
	return fmt.Sprintf("%.8x@%s", sha256.Sum256([]byte(link)), host)
}

// The fields of Add that are always shown.
const fieldTexts = `[...document.querySelectorAll(".add [name]")].slice(0, 10).map((field) => field.value).join("|")`
