// Tests of listings with only a title and a price.

package listing

import (
	"fmt"
	"strings"
	"testing"
)

// A titleMail is a mail whose cards have titles and prices, as testdata/nothing.txt writes it.
type titleMail struct {
	name, head, intro string
	cards             [][]string // title, price and the end of the link
}

func readTitleMails(t testing.TB) (mails []titleMail) {
	for section := range strings.SplitSeq(readFile(t, "testdata/nothing.txt"), "=== ") {
		lines := strings.Split(strings.TrimSpace(section), "\n")
		if len(lines) < 5 {
			continue
		}
		m := titleMail{name: lines[0], head: strings.Join(lines[1:3], "\n"), intro: lines[3]}
		for _, line := range lines[4:] {
			m.cards = append(m.cards, strings.Split(line, " | "))
		}
		mails = append(mails, m)
	}
	return mails
}

// html returns the mail with a table of photos, linked titles and prices, and plain returns it as a text. What follows
// a price after "; " becomes a line of its own.
func (m *titleMail) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nContent-Type: text/html; charset=utf-8\n\n<p>%s</p><table>", m.head, m.intro)
	for _, c := range m.cards {
		link := "https://www.site.example/" + c[2]
		fmt.Fprintf(&b, `<tr><td><a href=%q><img src="https://img.site.example/%s.jpg" width="200"></a></td>`+
			`<td><a href=%q>%s</a><br>%s</td></tr>`, link, c[2], link, c[0], strings.ReplaceAll(c[1], "; ", "<br>"))
	}
	return b.String() + "</table><p>Site, 1 Harbour Row</p>"
}

func (m *titleMail) plain() string {
	text := m.head + "\nContent-Type: text/plain; charset=utf-8\n\n" + m.intro + "\n\n"
	for _, c := range m.cards {
		text += fmt.Sprintf("%s\n%s\nhttps://www.site.example/%s\n\n", c[0], strings.ReplaceAll(c[1], "; ", "\n"), c[2])
	}
	return text
}

// Titles of things, jobs, garages, stays and wishes bring no listings, whatever the search is called.
func TestMailTitlesOfOthers(t *testing.T) {
	t.Parallel()
	mails := readTitleMails(t)
	if len(mails) < 30 {
		t.Fatalf("%d mails", len(mails))
	}
	for _, m := range mails {
		for form, text := range map[string]string{"html": m.html(), "plain": m.plain()} {
			for _, h := range mailHomes(t, text) {
				t.Errorf("%s, %s: invented %s, %v", m.name, form, h.Title, h.Cost)
			}
		}
	}
}

// For a search for homes, a title and a price are enough.
func TestMailTitlesOfHomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ subject, intro, title, price string }{
		{"Neue Treffer zu deiner Suche „Mietwohnungen in Weimar“", "Schau gleich rein.", "Nachmieter gesucht", "640 €"},
		{"Neue Treffer", "Neue Treffer für „2-Zimmer-Wohnung in Jena“", "Nahe der Uni, mit Küche", "720 € VB"},
		{"Neue Angebote: Eigentumswohnungen Erfurt", "Hallo!", "Kapitalanlage am Dom", "129.000 €"},
		{"New ads for your alert: flats to rent in Leeds", "Hi,", "Top floor, free from May", "£850 pcm"},
		{"apartments / housing for rent: the hill (2 new)", "New listings", "Sundrenched, no fee", "$2,250"},
		{"Nouvelles annonces pour votre recherche : locations appartement Lyon", "Bonjour,", "Proche métro", "690 €"},
		{`Nuovi annunci per "Appartamenti in affitto Padova"`, "Ciao", "Luminoso, zona Arcella", "720 €"},
		{"Nuevos anuncios: pisos en alquiler, Valencia", "Hola", "Reformado junto al mercado", "950 €"},
		{"Nieuwe advertenties voor je zoekopdracht 'kamer delft' in Huizen en Kamers", "Hoi", "Ruim, per direct",
			"€ 675,00"},
		{"Nye annonser: Leiligheter til leie, Bergen", "Hei!", "Midt i sentrum", "12 500 kr"},
		{"Nya annonser: lägenheter att hyra, Malmö", "Hej", "Ljus, nära parken", "9 800 kr"},
		{"Nye annoncer: lejligheder til leje, Aarhus", "Hej", "Tæt på havnen", "8.500 kr."},
		{"Nowe ogłoszenia: mieszkania do wynajęcia, Kraków", "Witaj", "Blisko parku", "2 800 zł"},
		{"Nové inzeráty: pronájem bytů, Brno", "Dobrý den", "Po rekonstrukci u parku", "15 900 Kč"},
	} {
		m := titleMail{head: "From: Blatt <neu@site.example>\nSubject: " + c.subject, intro: c.intro}
		m.cards = [][]string{{c.title, c.price, "ad/3522070010"}, {c.title + "!", c.price, "ad/3522070011"}}
		for form, text := range map[string]string{"html": m.html(), "plain": m.plain()} {
			homes := mailHomes(t, text)
			first := homes[`["https://www.site.example/ad/3522070010"]`]
			if len(homes) != 2 || first == nil || first.Title != c.title || first.Cost == 0 {
				t.Errorf("%s, %s: %d homes, the first is %+v", c.subject, form, len(homes), first)
			}
		}
	}
}

// The note of a mail without listings names the condition that a title and a price alone do not meet.
func TestMailTitlesLack(t *testing.T) {
	t.Parallel()
	const search, flat = "Neue Treffer: Mietwohnungen in Weimar", "Hell und ruhig"
	const site, person = "Blatt <neu@site.example>", "Ann Li <ann.li@site.example>"
	const likeFirst, otherForm = "ad/35222", "a/b/35222" // the links of the second card; the first has ad/35221
	for _, c := range []struct{ from, subject, title, price, secondLink, want string }{
		{site, "Neue Treffer: Weimar", "Haus am Park", "640 €", likeFirst, "names a search for homes"},
		{person, search, flat, "640 €", likeFirst, "the sender is not a person"},
		{site, search, "Sofa, wie neu", "110 €", likeFirst, "does not name something else"},
		{site, search, flat, "45.000 €", likeFirst, "the price is one of a home"},                      // too high a rent
		{site, "Neue Treffer: Wohnung kaufen", flat, "640 €", likeFirst, "the price is one of a home"}, // too low a price
		{site, search, flat, "640 €", otherForm, "all links are of one form"},
	} {
		m := titleMail{head: "From: " + c.from + "\nSubject: " + c.subject, intro: "Hallo"}
		m.cards = [][]string{{c.title, c.price, "ad/35221"}, {c.title + "!", c.price, c.secondLink}}
		listings, note, err := ReadMail(nil, []byte(m.html()), testRules)
		if err != nil || len(listings) > 0 || !strings.Contains(note, c.want) {
			t.Errorf("%s, %s: %d listings, note %q, %v", c.subject, c.title, len(listings), note, err)
		}
	}
}

// A word for a thing in the name of a place does not make the home a thing.
func TestThingsInPlaces(t *testing.T) {
	for _, c := range []struct{ title, facts string }{
		{"Plaza de España 4, 28008 Madrid", "950 €; alquiler"},
		{"12 Garage Lane, London SE1 9GF", "£1,250 pcm"},
	} {
		m := titleMail{head: "From: Blatt <neu@site.example>\nSubject: New homes to rent", intro: "New homes to rent"}
		m.cards = [][]string{{c.title, c.facts, "ad/3522071991"}, {c.title + "!", c.facts, "ad/3522071992"}}
		if homes := mailHomes(t, m.html()); len(homes) != 2 {
			t.Errorf("%s: %d homes", c.title, len(homes))
		}
	}
}

// Of the first match of a pattern for homes, mostly with a space before it, only the first byte is left, and nothing
// after it.
func TestBeforeHome(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"garage with flat":         "garage ",
		"desk for 3-room flat":     "desk for 3",
		"parking, 2 zi.":           "parking, ",
		"büro zu wohnung umgebaut": "büro zu ", // a commercial phrase
		"flat with garage":         "f",
		"house-sitter":             "house-sitter",
		"sofa":                     "sofa",
	} {
		if got := beforeHome(text); got != want {
			t.Errorf("beforeHome(%q) = %q; want %q", text, got, want)
		}
	}
}
