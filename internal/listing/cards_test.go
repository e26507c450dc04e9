// Tests of cards.go: where one home of a mail ends and the next begins.

package listing

import (
	"cmp"
	"flag"
	"fmt"
	"strings"
	"testing"
)

// A rowHome is a home in a mail that a test makes.
type rowHome struct {
	number      int // in its link
	title       string
	address     string
	cost        float64
	area, rooms int
}

var rowHomes = []rowHome{
	{8812001, "Bright flat with a loggia", "7 Harbour Row, Galway H91 AX01", 640, 48, 2},
	{8812014, "Quiet and green", "16 Chapel Lane, Galway H91 AX02", 750, 60, 3},
	{8812027, "Maisonette with garden", "25 Mill Street, Galway H91 AX03", 860, 72, 4},
	{8812040, "Old house, new kitchen", "34 Quay Road, Galway H91 AX04", 970, 84, 5},
}

func (h rowHome) link() string { return fmt.Sprintf("https://portal.example/home/%d", h.number) }

// in returns the listing of the home among those of mailHomes, or nil.
func (h rowHome) in(homes map[string]*readHome) *readHome {
	return homes[fmt.Sprintf("[%q]", h.link())]
}

// leaf returns the HTML of a part of a card. "linked" is the address as a link, and "button" a link to the listing.
func (h rowHome) leaf(name string) string {
	link := fmt.Sprintf("<a href=%q>", h.link())
	switch name {
	case "photo":
		return fmt.Sprintf(`%s<img src="https://img.portal.example/%d.jpg" width="300"></a>`, link, h.number)
	case "title":
		return link + h.title + "</a>"
	case "linked":
		return link + h.address + "</a>"
	case "address":
		return h.address
	case "price":
		return fmt.Sprintf("€%v per month", h.cost)
	case "facts":
		return fmt.Sprintf("%d m² · %d rooms", h.area, h.rooms)
	}
	return link + "View details</a>" // "button"
}

// faults returns how a listing differs from the home.
func (h rowHome) faults(f *readHome, hasPlace bool) (faults []string) {
	if f.Cost != h.cost || f.Area != float64(h.area) || f.Rooms != float64(h.rooms) {
		faults = append(faults, fmt.Sprint("its facts are ", f.Cost, f.Area, f.Rooms))
	}
	if place := f.Location; hasPlace && place != h.address {
		faults = append(faults, "its location is "+place)
	}
	if photos := string(f.Photos); !strings.Contains(photos, fmt.Sprint(h.number)) {
		faults = append(faults, "its photos are "+photos)
	}
	return faults
}

// mailHomes returns the homes of a mail, by the JSON of their URLs.
func mailHomes(t testing.TB, text string) map[string]*readHome {
	t.Helper()
	listings, _, err := ReadMail(nil, []byte(text), testRules)
	if err != nil {
		t.Fatal(err)
	}
	homes := map[string]*readHome{}
	for _, h := range homesIn(t, listings) {
		homes[string(h.URLs)] = h
	}
	return homes
}

// rowWrappers are what stands before and after each part of a card, by the names of the elements.
var rowWrappers = map[string][2]string{
	"div": {"<div>", "</div>"},
	"p":   {"<p>", "</p>"},
	"br":  {"", "<br>"},
	"tr":  {"<tr><td>", "</td></tr>"},
}

// rowOrders are orders in which cards have their parts, as leaf names them.
var rowOrders = []string{
	"photo title address price facts", "photo price facts linked", "photo price facts title address",
	"photo title price facts address", "photo price linked facts", "title photo price facts address",
	"price facts address photo button", "photo facts price title", "photo title price facts address button",
	"address title photo price facts", "title address photo facts price button",
}

// rowMail returns a mail in which the parts of all rowHomes, in an order, lie next to each other in one element. Each
// part is in an element of the name wrapper. above and below are further lines, or "".
func rowMail(wrapper, order, above, below string) string {
	texts := []string{above}
	for _, h := range rowHomes {
		for part := range strings.FieldsSeq(order) {
			texts = append(texts, h.leaf(part))
		}
	}
	texts = append(texts, below)
	body := ""
	for _, text := range texts {
		if text != "" {
			body += rowWrappers[wrapper][0] + text + rowWrappers[wrapper][1]
		}
	}
	if wrapper == "tr" {
		body = "<table>" + body + "</table>"
	}
	return mailOf(body)
}

// No home takes facts of another one if the leaves of all homes lie next to each other in one element.
func TestCardsInARow(t *testing.T) {
	t.Parallel()
	check := func(wrapper, order, above, below string) {
		hasPlace := strings.Contains(order, "address") || strings.Contains(order, "linked")
		homes := mailHomes(t, rowMail(wrapper, order, above, below))
		for _, h := range rowHomes {
			faults := []string{"missing"}
			if found := h.in(homes); found != nil {
				faults = h.faults(found, hasPlace)
			}
			for _, fault := range faults {
				t.Errorf("%s: %s %q: home %d: %s", wrapper, order, above, h.number, fault)
			}
		}
	}
	for wrapper := range rowWrappers {
		for _, order := range rowOrders {
			check(wrapper, order, "", "")
			check(wrapper, order, "Hello, this is new to your search:", "With kind regards")
		}
	}
}

// A home that a mail has twice, for wide and for narrow screens, is read once.
func TestCardsTwice(t *testing.T) {
	t.Parallel()
	card := func(h rowHome, host, class string) string {
		link := fmt.Sprintf("https://%sportal.example/home/%d", host, h.number)
		photo := fmt.Sprintf("https://img.portal.example/%d.jpg", h.number)
		facts := fmt.Sprintf("%d m² · %d rooms", h.area, h.rooms)
		return fmt.Sprintf("<div class=%q>%s</div>", class,
			cardOf(link, photo, h.title, fmt.Sprintf("€%v per month", h.cost), facts, h.address))
	}
	for _, host := range []string{"", "m."} { // before the domain in the links of the narrow cards
		pairs, wide, narrow := "", "", ""
		for _, h := range rowHomes {
			pairs += card(h, "", "wide") + card(h, host, "narrow")
			wide += card(h, "", "wide")
			narrow += card(h, host, "narrow")
		}
		for name, body := range map[string]string{"side by side": pairs, "in blocks": wide + narrow} {
			flats := mailHomes(t, mailOf("<style>.narrow{display:none}</style>"+body))
			for _, h := range rowHomes {
				f := h.in(flats)
				if f == nil {
					t.Errorf("%s, %q: home %d is missing", name, host, h.number)
					continue
				}
				if faults := h.faults(f, true); len(faults) > 0 {
					t.Errorf("%s, %q: home %d: %s", name, host, h.number, faults)
				}
			}
			if len(flats) != len(rowHomes) {
				t.Errorf("%s, %q: %d homes; want %d", name, host, len(flats), len(rowHomes))
			}
		}
	}
}

// Bathrooms, showrooms and other words that end like rooms do not count the rooms of a home.
func TestMailRooms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line        string
		rooms, beds float64
	}{
		{"rooms: 3", 3, 0},
		{"Zimmer: 3", 3, 0},
		{"Zimmeranzahl: 3", 3, 0},
		{"bathrooms: 1", 0, 0},
		{"Showrooms: 1", 0, 0},
		{"Badezimmer: 1", 0, 0},
		{"Wohnzimmer: 1", 0, 0},
		{"salles de bain: 2", 0, 0},
		{"badkamers: 1", 0, 0},
		{"badeværelser: 1", 0, 0},
		{"kylpyhuoneita: 1", 0, 0},
		{"fürdőszoba: 1", 0, 0},
		{"bedrooms: 2", 0, 2},
		{"2 кімнати, 47 м²", 2, 0},
		{"3-комнатная, 60 кв. м", 3, 0},
		{"2 спальні", 0, 2},
	} {
		facts := factsOf(nil, []leaf{{text: test.line}}, "")[0]
		if facts.rooms != test.rooms || facts.beds != test.beds {
			t.Errorf("%q: %v rooms, %v bedrooms; want %v, %v", test.line, facts.rooms, facts.beds, test.rooms, test.beds)
		}
	}
}

// Homes that are sold or let, places on waiting lists, and counts of visitors are not offered to the reader.
func TestMailDone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"SOLD 11/03/2026", "Sold STC", "Already sold", "Closed", "Sold for £310,000",
		"Erfolgreich vermietet", "bereits verkauft", "Déjà loué", "Già affittato", "Reeds verhuurd", "Redan såld",
		"Vu 210 fois", "Besucht: 143 Mal", "Viewed 30 times", "Visto 412 veces", "210 views", "Platz 214 von 900",
		"Part à partir de 500 €", "Slutpris 5 450 000 kr", "Slutpris: 3 395 000 kr", "Sold price £310,000",
		"Såldes för 2 100 000 kr", "Toteutunut hinta 210 000 €", "Cena transakcyjna: 510 000 zł",
		"Prix de vente final : 310 000 €", "Let at £1,250 pcm", "Let for £900",
		"Sale completed 14 October 2026", "Anuncio desactivado", "Ya no disponible", "Nicht mehr verfügbar",
		"Plus disponible", "Non più disponibile", "Niet meer beschikbaar", "Annonce désactivée"} {
		if !isDone(line) {
			t.Errorf("%q is offered", line)
		}
	}
	for _, line := range []string{"Closed kitchen", "Verkauft wird eine Wohnung", "Sold with vacant possession",
		"3 Zimmer", "Vermietete Wohnung", "Seen from the park", "Besuchen Sie uns", "Place 4 cars", "Rented car park",
		"850 €", "Slutet område", "Let this be your home", "Let at indrette", "Let for alle",
		"To let", "Disponible de suite", "Verfügbar ab sofort", "Platz für 2 Autos", "Vue sur 2 jardins"} {
		if isDone(line) {
			t.Errorf("%q is not offered", line)
		}
	}
}

// A subject about the reader's own home is not about new homes, but a subject about their search is.
func TestMailOwnHome(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]bool{
		"New estimate for your home": true, "Nouveau : les statistiques de votre bien": true,
		"Neue Mitteilung zu Ihrem Objekt": true, "Nieuw: de waarde van uw woning": true, "Nyt til din bolig": true,
		"Nuovi arrivi per la tua casa": true, "Your new home is waiting": false, "New for your home search": false,
		"3 neue Wohnungen für Ihre Suche": false, "Nouvelles annonces pour votre alerte": false,
		"Din bevakning: nya bostäder": false, "Deine Miete im Dezember": true, "Your rent for May": true,
		"Votre loyer de mai": true, "Je huur van mei": true, "Tu alquiler de mayo": true, "Twój czynsz": true,
		"Nuevos pisos para ti": false,
	} {
		if got := isOfOwnHome(subject); got != want {
			t.Errorf("%q: %v; want %v", subject, got, want)
		}
	}
}

// Badges, the ends of letters and names of writers are not towns.
func TestMailTowns(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"Leipzig": true, "Bad Homburg": true, "Neustadt": true, "Neu": false,
		"Nouveau": false, "Viele Grüße": false, "By Ann Writer": false, "Reserviert": false} {
		if got := isTown(text); got != want {
			t.Errorf("%q: %v; want %v", text, got, want)
		}
	}
}

// The price of one week or of some nights is the price of a stay, but a rent per week is not.
func TestMailStays(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"3.895 kr. for en uge": true, "€ 700 für eine Woche": true, "650 € pour une semaine": true,
		"5 200 kr för en vecka": true, "£900 for one week": true, "480 € per una settimana": true, "7 nætter": true,
		"5 nätter från 3 900 kr": true, "£450 per week": false, "450 kr. pr. uge": false, "80 m², 3 rum": false,
	} {
		if got := isStay(line, strings.ToLower(line)); got != want {
			t.Errorf("%q is a stay: %v; want %v", line, got, want)
		}
	}
}

// A line with the name of a company is about the mail itself. The letters of codes, cantons and bills are not such
// names.
func TestMailCompanies(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"Portal GmbH, Hauptstr. 5, Berlin": true, "Portal AG": true, "Portal B.V. · KvK 123": true, "Homes Inc.": true,
		"Homes, Inc": true, "Sociedad S.A.R.L.": true, "Asunnot Oy": true, "Portal S.p.A.": true,
		"Casapronta Srl, Via Farini 3": true, "Portal SAS, 12 rue Haute": true, "Portal AB, Box 12": true,
		"Boliger ApS · Gade 60": true, "Portal Kft., Kossuth utca 8": true, "Oglasi d.o.o., Ilica 10": true,
		"Bolig AS, Grensen 5": true, "ab 3 Zimmer": false, "sas de 4 m²": false, "WOHNUNG AB SOFORT": false,
		"12 Way, Suite 4": true,
		"PO Box 12":       true, "Prinsengracht 5, 1013 AG Amsterdam": false, "Kade 2, 1013BV Amsterdam": false,
		"Bahnhofstrasse 4, 5000 Aarau AG": false, "£900 pcm inc. bills": false, "£900 PCM Inc Bills": false,
		"Villa with spa": false, "Suite parentale": false, "€ 900 inc": false,
	} {
		if got := factsOf(nil, []leaf{{text: line}}, "")[0].isFooter; got != want {
			t.Errorf("%q is a footer: %v; want %v", line, got, want)
		}
	}
}

// Subjects of lenders, analysts and landlords tell of no new listings, and links to tours and articles lead to none.
func TestMailOthers(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]bool{
		"Rates just dropped to 5.875% – see what you could afford": true, "How much house can you get?": true,
		"Bauzinsen im November": true, "Les taux baissent encore": true, "De hypotheekrente daalt": true,
		"Så såldes bostäderna i ditt område": true, "Marknadsrapport november": true, "Homes sold near you": true,
		"What $2,400/mo buys you today": true, "Was man für 300.000 € bekommt": true,
		"Que peut-on acheter avec 200 000 € ?": true, "Net verkocht in jouw buurt": true,
		"Solgte boliger på Vesterbro": true, "How your rent compares": true, "Unsere Erfolge im Herbst": true,
		"Il tuo pagamento è in arrivo": true, "Your December rent is due": true, "Votre loyer arrive à échéance": true,
		"Le tue prenotazioni": true, "Deine Miete im Dezember": false, "Din hyresavi": true,
		"Compte-rendu de votre état des lieux": true, "Tus viviendas ya no están disponibles": true,
		"Diese Wohnung ist nicht mehr verfügbar": true, "Auszahlung unterwegs": true,
		"Zuletzt verkauft in Göttingen": true, "Recent verkocht in Utrecht": true, "Los tipos de interés bajan": true,
		"3 new homes in Rateshead": false, "2 Zimmer, Wohnung, neu": false, "Nieuw: huurwoning met terras": false,
		"New homes at reduced prices": false, "Nya bostäder till salu": false,
		"Nye og solgte i din søgning": false,
	} {
		if got := isOtherMail(subject); got != want {
			t.Errorf("%q: %v; want %v", subject, got, want)
		}
	}
	for link, want := range map[string]bool{
		"https://www.snug.example/home-tours/441201": true, "https://www.snug.example/inspiration/88120": true,
		"https://www.snug.example/stories/44120-hackney": true, "https://www.snug.example/interiors/44120": true,
		"https://www.snug.example/shop-the-look/44120": true, "https://www.snug.example/achat/tours-37/88120": false,
		"https://www.snug.example/home/441201": false,
	} {
		if got := leadsElsewhere(link); got != want {
			t.Errorf("%q: %v; want %v", link, got, want)
		}
	}
}

// The cost of a renovation is not the cost of a home, but the price of a renovated home is.
func TestMailWorks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]float64{
		"renovated for £38,000": 0, "refurbished for £61,500": 0, "rénové pour 45 000 €": 0,
		"renoviert für 80.000 €": 0,
		"Budget £650 pcm":        0, "Budget: 900 €": 0, "Budget : 60 000 €": 0,
		"Umbaukosten: 120.000 €": 0, "verbouwd voor € 90.000": 0, "Reformado por 35.000 €": 0,
		"Renovated flat for £1,200 pcm": 1200, "Renoviert! 980 €": 980, "Budget-friendly flat £900": 900,
		"Maison avec travaux 120 000 €": 120000, "Montant des travaux : 45 000 €": 0,
		"Appartement rénové, 890 € CC": 890,
	} {
		if got := factsOf(nil, []leaf{{text: line}}, "")[0].cost; got != want {
			t.Errorf("%q: %v; want %v", line, got, want)
		}
	}
}

// If all of a card is a link, its title is its name or its address, not the line of its facts.
func TestMailFactRows(t *testing.T) {
	t.Parallel()
	for _, row := range []string{"2 Bed · 1 Bath · Apartment", "3 pièces · 64 m² · Maison",
		"2 Zi. | 58 m² | Wohnung", "Studio · 1 Bath · 31 m²", "3 hab. · 1 baño · Piso · 90 m²",
		"2 beds • 1 bath • House"} {
		for _, title := range []string{"22 Sandford Avenue, Donnybrook, Dublin 4", "Bright home by the canal"} {
			const link = "https://portal.example/home/8812001"
			flats := mailHomes(t, mailOf(fmt.Sprintf(`<a href=%q><img src="https://img.portal.example/1.jpg" `+
				`width="300"><div>€2,100 per month</div><div>%s</div><div>%s</div></a>`, link, title, row)))
			f := flats[fmt.Sprintf("[%q]", link)]
			if f == nil || f.Title != title {
				t.Errorf("%q: %v; want %q", row, f, title)
			}
		}
	}
}

// If cards in one element begin in different ways, links tell to which card a line belongs.
func TestMailLinkVotes(t *testing.T) {
	link := func(id, content string) string {
		return fmt.Sprintf(`<p><a href="https://portal.example/expose/%s">%s</a></p>`, id, content)
	}
	photo := func(id string) string { return link(id, `<img src="https://img.portal.example/1.jpg" width="300">`) }
	mail := mailOf("<div>" + photo("48120") + "<p>€850 per month, 3 rooms, 72 m²</p>" +
		link("48120", "Sunny flat by the park with balcony") + "<p>€950 per month, 2 rooms, 60 m²</p>" +
		link("48121", "Quiet flat by the canal") + photo("48121") + "<p>€750 per month, 1 room, 40 m²</p>" +
		link("48122", "Small flat by the lake") + "</div>")
	listings, _, err := ReadMail(nil, []byte(mail), testRules)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, l := range listings {
		titles = append(titles, string(l["title"]))
	}
	const want = `"Sunny flat by the park with balcony" "Quiet flat by the canal" "Small flat by the lake"`
	if got := strings.Join(titles, " "); got != want {
		t.Errorf("the titles are %s; want %s", got, want)
	}
}

var traced = flag.String("mail", "given/g01-de-nested", "the mail of testdata/mails that TestMailTrace logs")

// TestMailTrace logs the leaves of a mail with their facts, its cards, and the votes on where each card begins:
//
//	go test ./internal/listing -run MailTrace -v -mail own/d06-es-flat-rows
func TestMailTrace(t *testing.T) {
	t.Parallel()
	messages, err := readMail(nil, []byte(readFile(t, "testdata/mails/"+*traced+".eml")), testRules)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		for _, html := range m.html {
			leaves, lang := readHTML(nil, html)
			r := newCardReader(nil, leaves, lang)
			cards := r.cards()
			c := newCardFields(r, cards)
			t.Logf("%d bytes of HTML, %d leaves, %d above a heading of other offers", len(html), len(leaves), len(r.leaves))
			for i, l := range r.leaves {
				f, link := &r.facts[i], "none"
				for _, card := range cards {
					if l := c.listing(card, m); l != nil && card.start <= i && i < card.end {
						link = l.link.key
					}
				}
				t.Logf("%3d  closeness %2d.%d  %s", i, depthOf(l.closeness), separatorOf(l.closeness), cmp.Or(l.text, "(image)"))
				t.Logf("     cost %g, area %g, rooms %g, beds %g; in a title %t, button %t, prose %t; "+
					"scores: address %d, title %d",
					f.cost, f.area, f.rooms, f.beds, f.inTitle, f.isButton, f.isProse, r.addressScore(l.text), c.titleScore(i, link))
			}
			for i, card := range cards {
				t.Logf("card %d-%d, facts in %d-%d", card.start, card.end-1, card.first, card.last)
				if i == 0 {
					continue
				}
				factsAfterNext := len(r.leaves)
				if i+1 < len(cards) {
					factsAfterNext = cards[i+1].first
				}
				allFacts := factSpan{first: cards[0].first, last: cards[len(cards)-1].last}
				for leaf, votes := range r.cuts(cards[i-1], card, factsAfterNext, allFacts, r.hasPhotoAbove(cards[0])) {
					t.Logf("    a cut before %d has %d votes", leaf, votes)
				}
			}
		}
	}
}
