// Tests of single lines of a card: costs that have fallen, and places.

package listing

import (
	"fmt"
	"strings"
	"testing"
)

// oneHome returns the home of a mail with one card of a language, or nil.
func oneHome(t testing.TB, lang, title, cost, facts, place string) *readHome {
	t.Helper()
	const link, photo = "https://portal.example/home/8812001", "https://img.portal.example/8812001.jpg"
	body := fmt.Sprintf("<html lang=%q>%s</html>", lang, cardOf(link, photo, title, cost, facts, place))
	return mailHomes(t, mailOf(body))[fmt.Sprintf("[%q]", link)]
}

// The cost is the present price, not the former one and not the reduction.
func TestMailReductions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lang, line string
		want       float64
	}{
		{"es", "780 €/mes ha bajado 8%", 780},
		{"es", "Ha bajado 50 €: 780 €/mes", 780},
		{"es", "Ha bajado a 780 €/mes", 780},
		{"en", "£1,150 pcm, reduced by 5%", 1150},
		{"en", "Reduced to £1,150 pcm", 1150},
		{"en", "Reduced by £50 to £1,150 pcm", 1150},
		{"en", "£205,000 Price drop", 205000},
		{"en", "£205,000 (-£10,000)", 205000},
		{"en", "$2,100 ↓ $150", 2100},
		{"en", "$2,100 ($150 off)", 2100},
		{"de", "800 € um 50 € gesenkt", 800},
		{"de", "Um 50 € gesenkt: 800 €", 800},
		{"de", "Preis um 100 € reduziert auf 800 €", 800},
		{"de", "Preissenkung! Jetzt nur 990 € (zuvor 1.050 €)", 990},
		{"de", "850 € -8 %", 850},
		{"fr", "890 € CC (baisse de 3 %)", 890},
		{"fr", "640 € a baissé de 60 €", 640},
		{"it", "€ 890 ribassato del 5%", 890},
		{"it", "Ribasso di € 60: ora € 890", 890},
		{"nl", "€ 1.350 per maand, verlaagd met € 75", 1350},
		{"nl", "Verlaagd tot € 1.350 per maand", 1350},
		{"pl", "2 500 zł, obniżono o 200 zł", 2500},
		{"pl", "Cena obniżona do 2 500 zł", 2500},
		{"cs", "15 000 Kč, sleva 5 %", 15000},
		{"cs", "15 000 Kč, sníženo o 500 Kč", 15000},
		{"pt", "750 € baixou 6%", 750},
		{"sv", "2 450 000 kr, sänkt med 100 000 kr", 2450000},
		{"da", "10.400 kr., nedsat med 600 kr.", 10400},
		{"uk", "14 000 грн, знижено на 500 грн", 14000},
	} {
		f := oneHome(t, c.lang, "Bright flat with a loggia", c.line, "48 m² · 2 rooms", "Galway")
		if f == nil || f.Cost != c.want {
			t.Errorf("%q: %v; want %v", c.line, f, c.want)
		}
	}
}

// Words around money have the same meaning in each currency.
func TestMailCurrencies(t *testing.T) {
	for written, known := range spellings {
		if known.isAfterNumber {
			continue
		}
		line := func(text string) string { return strings.ReplaceAll(text, "#", written) }
		for _, text := range []string{"Was: 305,000 reduced by # 10,000", "Was: 305,000 (-10,000 #)",
			"Was: 305,000 ↓ #10,000"} {
			if got := withoutPriceDrop(line(text)); strings.Contains(got, "10,000") {
				t.Errorf("the present price of %q is %q", line(text), got)
			}
		}
		for _, text := range []string{"Flats up to # 900", "Flats max. #900", "900 # max"} {
			if !isSearchLine(line(text)) {
				t.Errorf("%q is no line of a search", line(text))
			}
		}
		for _, text := range []string{"Sold #300,000", "Let at # 1,200", "Shares from # 500"} {
			if !isDone(line(text)) {
				t.Errorf("%q is not done", line(text))
			}
		}
		for _, text := range []string{"3 days # 450", "3 nights # 450", "# 450 per weekend"} {
			if !isStay(line(text), strings.ToLower(line(text))) {
				t.Errorf("%q is no stay", line(text))
			}
		}
		if got, want := replaceMoney(line("Flat from # 900"), fromCost, "$1$2"), line("Flat # 900"); got != want {
			t.Errorf("from a cost: got %q; want %q", got, want)
		}
	}
}

// A place is read without its label, which may be a line of its own, and with the street of the title.
func TestMailPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, title, place, want string }{
		{"fi", "Kaksio keskustassa", "Osoite: Hämeenkatu 14, 33100 Tampere", "Hämeenkatu 14, 33100 Tampere"},
		{"de", "Helle Wohnung", "Adresse: Hauptstr. 5, 04177 Leipzig", "Hauptstr. 5, 04177 Leipzig"},
		{"en", "Bright flat", "Address: 12 Mill Lane, Leeds LS6 2AB", "12 Mill Lane, Leeds LS6 2AB"},
		{"it", "Trilocale luminoso", "Indirizzo: Via Emilia 20, 41121 Modena", "Via Emilia 20, 41121 Modena"},
		{"es", "Piso con terraza", "Dirección: Calle Mayor 8, 31001 Pamplona", "Calle Mayor 8, 31001 Pamplona"},
		{"nl", "Appartement aan het water", "Adres: Langestraat 88, 3811 AK Amersfoort",
			"Langestraat 88, 3811 AK Amersfoort"},
		{"pt", "Apartamento com varanda", "Endereço: Rua Augusta 12, Lisboa", "Rua Augusta 12, Lisboa"},
		{"hu", "Kiadó lakás", "Cím: 6724 Szeged, Kossuth Lajos utca 8", "6724 Szeged, Kossuth Lajos utca 8"},
		{"cs", "Byt s balkonem", "Adresa: Dlouhá 12, 110 00 Praha", "Dlouhá 12, 110 00 Praha"},
		{"ro", "Garsonieră renovată", "Adresa: Strada Lungă 12, Brașov", "Strada Lungă 12, Brașov"},
		{"et", "Valge korter", "Aadress: Pikk 12, Tallinn", "Pikk 12, Tallinn"},
		{"el", "Φωτεινό διαμέρισμα", "Διεύθυνση: Αθηνάς 12", "Αθηνάς 12"},
		{"tr", "Deniz manzaralı daire", "İstanbul / Kadıköy", "İstanbul / Kadıköy"},
		{"tr", "Deniz manzaralı daire", "Kadıköy, İstanbul", "Kadıköy, İstanbul"},
		{"tr", "Deniz manzaralı daire", "Ankara/Çankaya", "Ankara/Çankaya"},
		{"tr", "Deniz manzaralı daire", "İzmir / Karşıyaka / Bostanlı", "İzmir / Karşıyaka / Bostanlı"},
		{"tr", "Deniz manzaralı daire", "Konum: Muratpaşa, Antalya", "Muratpaşa, Antalya"},
		{"de", "Helle Wohnung", "Sauna / Pool", ""},
		{"it", "Trilocale luminoso", "Piano 2", ""},
		{"it", "Trilocale luminoso", "Piano 2 di 5", ""},
		{"ro", "Garsonieră renovată", "Etaj 3/8", ""},
		{"ro", "Garsonieră renovată", "Etaj 3 din 8", ""},
		{"pl", "Jasne mieszkanie", "Piętro 3/5", ""},
		{"en", "Bright flat", "Floor 2 of 5", ""},
		{"cs", "Byt s balkonem", "Patro 2/4", ""},
		{"es", "Piso con terraza", "Planta 3", ""},
		{"fi", "Kaksio keskustassa", "Kerros 4", ""},
		{"pl", "Jasne mieszkanie", "Piętro 1", ""},
		{"de", "Helle Wohnung", "Baujahr 1972", ""},
		{"nl", "Lichte woning", "Prinsengracht 5, 1013 AG Amsterdam", "Prinsengracht 5, 1013 AG Amsterdam"},
		{"nl", "Lichte woning", "3513AG Utrecht", "3513AG Utrecht"},
		{"de-CH", "Helle Wohnung", "Bahnhofstrasse 4, 5000 Aarau AG", "Bahnhofstrasse 4, 5000 Aarau AG"},
		{"uk", "Квартира", "вул. Шевченка 12, Львів", "вул. Шевченка 12, Львів"},
		{"uk", "Квартира", "Львів, вул. Шевченка, 12", "Львів, вул. Шевченка, 12"},
		{"uk", "Квартира", "просп. Свободи, 28, Львів",
			"просп. Свободи, 28, Львів"},
		{"uk", "Квартира", "Київ, вулиця Хрещатик 10",
			"Київ, вулиця Хрещатик 10"},
		{"uk", "Квартира", "бульв. Лесі Українки 5, Київ",
			"бульв. Лесі Українки 5, Київ"},
		{"uk", "Квартира", "пров. Тихий 3, Одеса", "пров. Тихий 3, Одеса"},
		{"bg", "Апартамент с тераса", "ул. Шипка 14, София", "ул. Шипка 14, София"},
		{"nl", "Appartement Langestraat 88", "Amersfoort", "Langestraat 88, Amersfoort"},
		{"nl", "Te huur: Koppel 5", "Amersfoort", "Koppel 5, Amersfoort"},
		{"nl", "Bovenwoning Van Goghlaan 12", "3812 VA Amersfoort", "Van Goghlaan 12, 3812 VA Amersfoort"},
		{"nl", "Bovenwoning Van Goghlaan 12", "Adres: 3812 VA Amersfoort", "Van Goghlaan 12, 3812 VA Amersfoort"},
		{"nl", "Benedenwoning Brink 3a", "Deventer", "Brink 3a, Deventer"},
		{"nl", "Studio Type 12", "Deventer", "Deventer"},
		{"de", "Wohnung Lindenallee 5", "Halle", "Lindenallee 5, Halle"},
		{"de", "Wohnung Nr. 5", "Halle", "Halle"},
		{"de", "Wohnung Objekt 512", "Halle", "Halle"},
		{"sv", "Lägenhet Storgatan 14", "Linköping", "Storgatan 14, Linköping"},
		{"en-GB", "Flat 3, 18 Mill Road", "Cambridge CB1 2AD", "18 Mill Road, Cambridge CB1 2AD"},
		{"en-GB", "52 Gwydir Street", "Cambridge CB1 2LL", "52 Gwydir Street, Cambridge CB1 2LL"},
		{"fr", "Appartement, 12 rue de la Paix", "69007 Lyon", "12 rue de la Paix, 69007 Lyon"},
		{"en-US", "418 Larkspur St", "Dunmore, OH 44104", "418 Larkspur St, Dunmore, OH 44104"},
		{"en-GB", "2 bedroom flat in a quiet street", "Cambridge CB1 2LL", "Cambridge CB1 2LL"},
		{"en-GB", "2 Bedroom Flat In Mill Court", "Leeds LS1 4AB", "Leeds LS1 4AB"},
		{"en-GB", "3 Bed Terrace", "Leeds LS1 4AB", "Leeds LS1 4AB"},
		{"en-GB", "1 Studio Apartment Near Station Road", "Leeds LS1 4AB", "Leeds LS1 4AB"},
		{"en-GB", "3 rooms, 1 minute to High Street", "Cambridge CB1 2LL", "Cambridge CB1 2LL"},
	} {
		f := oneHome(t, c.lang, c.title, "€ 950", "48 m² · 2 rooms", c.place)
		if f == nil || f.Location != c.want {
			got := "no flat"
			if f != nil {
				got = f.Location
			}
			t.Errorf("%q %q: %s; want %s", c.title, c.place, got, c.want)
		}
	}
}

// The left column of a table has no labels if it has names of homes.
func TestMailNames(t *testing.T) {
	t.Parallel()
	for _, form := range []string{
		"<td>%s</td><td><a href=%q>€%v · %d m² · %d rooms</a></td>",
		"<td>%s</td><td>€%[3]v · %[4]d m² · %[5]d rooms <a href=%[2]q>see it</a></td>",
	} {
		body := ""
		for _, h := range rowHomes {
			body += "<tr>" + fmt.Sprintf(form, h.title, h.link(), h.cost, h.area, h.rooms) + "</tr>"
		}
		flats := mailHomes(t, mailOf("<table>"+body+"</table>"))
		for _, h := range rowHomes {
			f := h.in(flats)
			if f == nil || f.Title != h.title || f.Cost != h.cost {
				t.Errorf("%s: %v", form, f)
			}
		}
	}
}

// The row of labels of a table tells what the numbers below are, in any row and in any language.
func TestMailHeads(t *testing.T) {
	t.Parallel()
	for _, heads := range []string{
		"Bostad|Adress|Storlek|Rum|Hyra", "Home|Address|Size|Rooms|Rent", "Wohnung|Adresse|Größe|Zimmer|Miete",
		"Logement|Adresse|Surface|Pièces|Loyer", "Mieszkanie|Adres|Metraż|Pokoje|Cena",
		"Byt|Adresa|Plocha|Počet pokojů|Nájem",
	} {
		row := func(cells, tag string) string {
			open, end := "<"+tag+">", "</"+tag+">"
			return "<tr>" + open + strings.ReplaceAll(cells, "|", end+open) + end + "</tr>"
		}
		body := row(heads, "th")
		for _, h := range rowHomes {
			body += row(fmt.Sprintf("%s|%s|%d m²|%d|€%v", h.leaf("title"), h.address, h.area, h.rooms, h.cost), "td")
		}
		flats := mailHomes(t, mailOf("<table>"+body+"</table>"))
		for _, h := range rowHomes {
			f := h.in(flats)
			if f == nil || f.Rooms != float64(h.rooms) || f.Location != h.address {
				t.Errorf("%s: home %d is not in %v", heads, h.number, flats)
			}
		}
	}
}

// Bounds of a search are known by words of many languages, abbreviated or in full.
func TestMailBounds(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"København, maks. 15.000 kr.", "Oslo, maksimalt 15 000 kr", "Cluj-Napoca, preț maxim 500 €",
		"Mieszkanie, maksymalnie 3000 zł", "Lisboa, máx. 1.200 €", "Praha, nejvýše 20 000 Kč", "Vilnius, iki 600 €",
		"Tartu, kuni 500 €", "Rīga, līdz 400 €", "Kadıköy, en fazla 25.000 TL", "Αθήνα, έως 600 €",
		"Київ, до 15 000 грн", "Malmö, upp till 9 000 kr", "Zagreb, najviše 700 €",
		"Bratislava, najviac 700 €",
		"Madrid, como máximo 900 €", "Praha, alespoň 40 m²", "Kyiv, від 40 м²", "Sofia, поне 50 м²",
	} {
		if !isSearchLine(line) {
			t.Errorf("%q is no search", line)
		}
	}
	for _, line := range []string{
		"Votre recherche : location, Lyon 7e, 2 pièces, 900 €", "Ihre Suche: Göttingen, 2 Zimmer, 900 €",
		"Your saved search: Leeds, 2 bed, £900", "Tu búsqueda: Madrid, 900 €", "Zoekopdracht: Utrecht, € 900",
		"Bevakning 2: Uppsala, 9 000 kr", "Sua busca: Curitiba, R$ 3.000", "La tua ricerca: Modena, 700 €",
		"Suchauftrag 1: Halle, 600 €",
	} {
		if !isSearchLine(line) {
			t.Errorf("%q is no search", line)
		}
	}
	for _, line := range []string{"Suche Nachmieter: 2 Zimmer, 900 €", "Gesucht und gefunden: 900 €",
		"Price alert: £900", "15.000 kr. pr. md.", "500 € / lună", "Київ, від 15 000 грн",
		"Iki Park 12, 600 €", "Najam 700 €"} {
		if isSearchLine(line) {
			t.Errorf("%q is a search", line)
		}
	}
}

// A line with the day of a payment makes a mail a bill.
func TestMailBills(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"Abbuchung am 3. Dezember", "Förfallodag 30 november", "Due date: 1 December",
		"Prélevé le 4 décembre", "Vervaldatum 1 december", "Fecha de vencimiento: 1 de mayo", "Eräpäivä 2.12.2026",
		"Termin płatności: 10.12.2026", "Data di scadenza: 1/12/2026", "Forfaldsdato 1. december"} {
		if f := oneHome(t, "en", "Bright flat", "€ 980 per month", "48 m² · 2 rooms</p><p>"+line, "Galway"); f != nil {
			t.Errorf("%q: %v", line, f)
		}
	}
	const available = "48 m² · 2 rooms</p><p>Available from 1 May"
	if oneHome(t, "en", "Bright flat", "€ 980 per month", available, "Galway") == nil {
		t.Error("no flat that is available from a day")
	}
}

// Facts that stand in one line in some countries are read there.
func TestMailFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		country, line string
		area, rooms   float64
	}{
		{"se", "141+32 m²", 141, 0},
		{"se", "72 + 10 kvm", 72, 0},
		{"se", "98,5+12 m² | 4 rum", 98.5, 4},
		{"se", "Villa, 110 + 45 m²", 110, 0},
		{"se", "60+8m²", 60, 0},
		{"cz", "3+1 120 m²", 120, 3},
		{"cz", "2+kk, 54 m²", 54, 2},
		{"at", "71 m² Nutzfläche · 3 Zimmer", 71, 3},
		{"at", "Nutzfläche: 55,5 m²", 55.5, 0},
		{"at", "Nutzfläche ca. 80 m²", 80, 0},
		{"at", "71 m² Nutzfl.", 71, 0},
		{"at", "35 m² Keller", 0, 0},
		{"de", "35 m² Nutzfläche", 0, 0},
		{"ro", "1 cameră", 0, 1},
		{"ro", "o cameră", 0, 0},
		{"ro", "2 camere", 0, 2},
		{"tr", "3+1 · 120 m²", 120, 3},
		{"jp", "1K · 24.1m²", 24.1, 1},
		{"jp", "2DK · 40m²", 40, 2},
		{"jp", "ワンルーム 1R", 0, 0},
		{"us", "$1K · 24.1m²", 24.1, 0},
	} {
		f := factsOf(nil, []leaf{{text: c.line}}, c.country)[0]
		if f.area != c.area || f.rooms != c.rooms {
			t.Errorf("%s %q: %v m², %v rooms; want %v, %v", c.country, c.line, f.area, f.rooms, c.area, c.rooms)
		}
	}
}

// A line that says what a price includes is not the name of another amount.
func TestMailIncluded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ lang, line string }{
		{"cs", "energie zahrnuty v ceně"}, {"en", "parking included"}, {"de", "Strom inklusive"},
		{"de", "Internet inklusive"}, {"fr", "parking inclus"}, {"es", "garaje incluido"}, {"sv", "el och värme ingår"},
		{"da", "inkl. varme"}, {"pl", "media w cenie"}, {"it", "spese incluse"}, {"nl", "servicekosten inbegrepen"},
		{"fr", "charges comprises"}, {"en", "bills included"}, {"pt", "despesas incluídas"}, {"no", "strøm inkludert"},
	} {
		f := oneHome(t, c.lang, "Bright flat with a loggia", "€ 980</p><p>"+c.line, "48 m² · 2 rooms", "Galway")
		if f == nil || f.Cost != 980 {
			t.Errorf("%q: %v; want 980", c.line, f)
		}
	}
}

// A dollar in a French mail is a Canadian one.
func TestMailDollars(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"fr": "CAD", "fr-CA": "CAD", "en-CA": "CAD", "en": "USD", "en-AU": "AUD"} {
		f := oneHome(t, lang, "Appartement lumineux", "1 950 $ / mois", "2 chambres · 64 m²", "Montréal")
		if f == nil || f.Currency != want {
			t.Errorf("%s: %v; want %s", lang, f, want)
		}
	}
}

// Homes below a heading of homes that are sold or let are not offered, up to the next heading.
func TestMailDoneHeadings(t *testing.T) {
	t.Parallel()
	card := func(n int) string {
		link := fmt.Sprintf("https://portal.example/home/%d", n)
		return cardOf(link, link+".jpg", "Bright flat with a loggia", "€ 980 per month", "48 m² · 2 rooms", "Galway")
	}
	for _, heading := range []string{"Onlangs verkocht in jouw buurt", "Erfolgreich vermittelt: eine Auswahl",
		"Recently sold near you", "Similar flats near you let for", "Solgte boliger", "Sålda i ditt område",
		"Récemment vendus près de chez vous", "Vendidos recientemente", "Venduti di recente", "Niedawno sprzedane"} {
		for _, tag := range []string{"h2", "h3"} {
			body := fmt.Sprintf("%s<%s>%s</%[2]s>%[4]s%s<h2>New flats</h2>%s", card(881201), tag, heading, card(881202),
				card(881203), card(881204))
			flats := mailHomes(t, mailOf(body))
			isLast := !newLine(nil, heading).beginsWhatFollows()
			for n, want := range map[int]bool{881201: true, 881202: false, 881203: false, 881204: isLast} {
				if got := flats[fmt.Sprintf(`["https://portal.example/home/%d"]`, n)] != nil; got != want {
					t.Errorf("%q in %s: %d is new: %v; want %v", heading, tag, n, got, want)
				}
			}
		}
	}
	for _, heading := range []string{"3 new flats", "Haus wird verkauft", "To let in Galway", "À vendre", "Te koop",
		"Nicht verkauft: 2 Wohnungen", "Let at indrette for to"} {
		if flats := mailHomes(t, mailOf("<h2>"+heading+"</h2>"+card(881202)+card(881203))); len(flats) != 2 {
			t.Errorf("%q: %v", heading, flats)
		}
	}
}

// Rooms that nobody lives in are not homes, in any language. Bedrooms have names of their own in America.
func TestMailCommercial(t *testing.T) {
	t.Parallel()
	for lang, title := range map[string]string{"es": "Local comercial en calle Mayor, 3", "it": "Locale commerciale",
		"en": "Office to let", "de": "Büro zu vermieten", "pt": "Sala comercial", "hr": "Poslovni prostor, centar",
		"hu": "Üzlethelyiség", "pl": "Lokal handlowy", "tr": "Merkezde kiralık ofis", "fi": "Toimistotila keskustassa"} {
		if f := oneHome(t, lang, title, "€ 980", "48 m² · 2 rooms", "Galway"); f != nil {
			t.Errorf("%q: %v", title, f)
		}
	}
	for lang, title := range map[string]string{"de": "3-Zimmer-Wohnung mit Büro in Weende",
		"tr": "Home ofis için daire", "en": "Two-bed flat with home office"} {
		if f := oneHome(t, lang, title, "€ 980", "48 m² · 2 rooms", "Galway"); f == nil {
			t.Errorf("%q: no flat", title)
		}
	}
	for line, want := range map[string]float64{"2 recámaras · 85 m²": 2, "1 recámara": 1, "Recámaras: 3": 3,
		"3 alcobas": 3, "2 habitaciones": 2} {
		if got := factsOf(nil, []leaf{{text: line}}, "mx")[0].beds; got != want {
			t.Errorf("%q: %v; want %v", line, got, want)
		}
	}
}

// The unit of a number may be a line of its own. Without a number before it, it is a piece like any other.
func TestMailUnitLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lines []string
		costs []float64 // of the lines
	}{
		{[]string{"900", "€"}, []float64{900, 0}},
		{[]string{"900", "", "€", "3 rooms"}, []float64{900, 0, 0, 0}},
		{[]string{"", "€", "900 €"}, []float64{0, 0, 900}},
		{[]string{"900;", "€", "800 €"}, []float64{900, 0, 800}},
		{[]string{"900", ";", "€", "800 €"}, []float64{900, 0, 0, 800}},
	} {
		var leaves []leaf
		for _, line := range test.lines {
			leaves = append(leaves, leaf{text: line})
		}
		for i, f := range factsOf(nil, leaves, "") {
			if f.cost != test.costs[i] {
				t.Errorf("%q: the cost of line %d is %v; want %v", test.lines, i, f.cost, test.costs[i])
			}
		}
	}
}
