// Tests of mailtitles.go: the titles, places and facts of cards.

package listing

import (
	"fmt"
	"strings"
	"testing"
)

// A cardLines has the lines of a card, and the values that are read from them. A title or location that is "" is not
// compared.
type cardLines struct {
	name            string
	lines           []string // a line after "@" is a link to the listing
	title, location string
	cost, area      float64
	rooms, beds     float64
}

// html and plain return the body of a mail with two cards of these lines. The cards differ in links, titles and costs.
func (c *cardLines) html() string {
	var b strings.Builder
	b.WriteString("Content-Type: text/html; charset=utf-8\n\n<html>")
	for i := range 2 {
		b.WriteString("<div>")
		for _, line := range c.lines {
			link := fmt.Sprintf(`<a href="https://portal.example/expose/481200%d">`, i)
			text, isLinked := strings.CutPrefix(c.line(line, i), "@")
			if isLinked {
				text = link + text + "</a>"
			}
			fmt.Fprintf(&b, "<p>%s</p>", text)
		}
		fmt.Fprintf(&b, `<p><a href="https://portal.example/expose/481200%d">Details</a></p></div>`, i)
	}
	return b.String()
}

func (c *cardLines) plain() string {
	var b strings.Builder
	b.WriteString("Content-Type: text/plain; charset=utf-8\n\n")
	for i := range 2 {
		for _, line := range c.lines {
			fmt.Fprintf(&b, "%s\n", strings.TrimPrefix(c.line(line, i), "@"))
		}
		fmt.Fprintf(&b, "https://portal.example/expose/481200%d\n\n\n", i)
	}
	return b.String()
}

// line returns a line of the first card, or of the second one with another cost and title.
func (c *cardLines) line(line string, i int) string {
	if i == 0 {
		return line
	}
	return strings.NewReplacer("1.250", "1.350", "1,250", "1,350", "Ruhige", "Laute", "ruhige", "laute", "Quiet",
		"Loud").Replace(line)
}

// Places, badges, amounts, agents and news are neither titles nor places, and the facts of one line are told apart.
func TestMailCardLines(t *testing.T) {
	t.Parallel()
	for _, c := range []cardLines{
		{"a place is no title", []string{"@Südvorstadt, Leipzig (04275)", "@Ruhige Lage, mit Aufzug!", "1.250 € Kaltmiete",
			"85 m² | 3 Zimmer"}, "Ruhige Lage, mit Aufzug!", "Südvorstadt, Leipzig (04275)", 1250, 85, 3, 0},
		{"a kind is no title", []string{"Wohnung", "Ruhige Lage am Stadtpark", "1.250 € | 72 m² | 3 Zimmer",
			"99084 Erfurt"},
			"Ruhige Lage am Stadtpark", "99084 Erfurt", 1250, 72, 3, 0},
		{"a badge is no place", []string{"Ruhige Wohnung am Park", "Verfügbar", "1.250 € | 72 m² | 3 Zimmer", "Erfurt"},
			"Ruhige Wohnung am Park", "Erfurt", 1250, 72, 3, 0},
		{"a reduction is no place", []string{"Ruhige Wohnung am Park", "↓ 7% 1.250 €", "72 m² | 3 Zimmer",
			"Erfurt, 99084"},
			"Ruhige Wohnung am Park", "Erfurt, 99084", 1250, 72, 3, 0},
		{"a town above its code", []string{"Ruhige Wohnung am Park", "1.250 € | 72 m² | 3 Zimmer", "Erfurt", "(99084)"},
			"", "Erfurt (99084)", 1250, 72, 3, 0},
		{"a code above its town", []string{"Ruhige Wohnung am Park", "1.250 € | 72 m² | 3 Zimmer", "99084", "Erfurt"},
			"", "99084 Erfurt", 1250, 72, 3, 0},
		{"a street with two numbers", []string{"Rental Unit in Sunnyside", "45-15 43rd Avenue #4A", "$1,250", "2 Beds"},
			"", "45-15 43rd Avenue #4A", 1250, 0, 0, 2},
		{"an agent is no title", []string{"$1,250", "2 bed | 1 bath | Parking | No Fee", "Quiet Hills, Brooklyn",
			"Posted by Owner"},
			"Quiet Hills, Brooklyn", "Quiet Hills, Brooklyn", 1250, 0, 0, 2},
		{"news before a title", []string{"@We found a new property for you: Quiet house by the lake", "$1,250", "2 Beds",
			"12 High Street, Leeds LS1 4AB"}, "Quiet house by the lake", "", 1250, 0, 0, 2},
		{"facts before a title", []string{"$1,250 - 2br - 925ft2 - Quiet loft with roof deck", "(The Hill)"},
			"Quiet loft with roof deck", "", 1250, 86, 0, 2},
		{"labels in a row", []string{"@Ruhige Wohnung am Park", "Zimmer: 3,00 Wohnfläche: 77,00 m²",
			"Miete: 1.250 € Privat",
			"99084 Erfurt"}, "Ruhige Wohnung am Park", "99084 Erfurt", 1250, 77, 3, 0},
		{"a tenant is no purpose", []string{"@Nachmieter für ruhige 2-Zimmer-Wohnung", "2-Zimmer-Wohnung | Jena, Zentrum",
			"1.250 € | 51 m²"}, "Nachmieter für ruhige 2-Zimmer-Wohnung", "Jena, Zentrum", 1250, 51, 2, 0},
		{"a building of several flats", []string{"@Quiet Towers", "1819 Harbor Ln, Boise, ID 83702", "$1,250 - $1,800",
			"1-2 Beds"},
			"Quiet Towers", "1819 Harbor Ln, Boise, ID 83702", 1250, 0, 0, 0},
		{"a gross area", []string{"@Apartamento Quiet", "1.250 €", "Área bruta: 98 m² | Área útil: 82 m²",
			"1900-346 Lisboa"},
			"", "", 1250, 82, 0, 0},
		{"a title and a place before a price", []string{"Quiet flat to let in Via Filadelfia 12, Torino € 1.250", "88 m²",
			"3 locali"}, "Quiet flat to let in Via Filadelfia 12, Torino", "Quiet flat to let in Via Filadelfia 12, Torino",
			1250, 88, 3, 0},
		{"a range of beds", []string{"3 rentals matching your search", "@Quiet Mill at the harbour", "Studio - 3 Beds",
			"$1,250 - $2,940+",
			"500 W Main St, Boise, ID"}, "Quiet Mill at the harbour", "500 W Main St, Boise, ID", 1250, 0, 0, 0},
		{"a title that denies a fee", []string{"@Quiet flat, provisionsfrei", "1.250 €", "88 m²", "99084 Erfurt"},
			"Quiet flat, provisionsfrei", "99084 Erfurt", 1250, 88, 0, 0},
		{"a gross area alone", []string{"@Apartamento Quiet", "1.250 €", "Área bruta: 98 m²", "1900-346 Lisboa"},
			"", "", 1250, 98, 0, 0},
	} {
		const head = "From: Portal <news@portal.example>\nSubject: 2 new flats to rent\n"
		for form, text := range map[string]string{"html": c.html(), "plain": c.plain()} {
			homes := mailHomes(t, head+text)
			h := homes[`["https://portal.example/expose/4812000"]`]
			if len(homes) != 2 || h == nil {
				t.Errorf("%s, %s: %d homes", c.name, form, len(homes))
				continue
			}
			isTitle := c.title == "" || h.Title == c.title || form == "plain" && strings.Contains(c.line(h.Title, 0), c.title)
			isRead := h.Cost == c.cost && h.Area == c.area && h.Rooms == c.rooms && h.Bedrooms == c.beds
			if !isTitle || c.location != "" && h.Location != c.location || !isRead {
				t.Errorf("%s, %s: %+v", c.name, form, *h)
			}
		}
	}
}

// The head of a forwarded mail is neither a title nor a place. A range above the first card is what the search asks
// for.
func TestMailAboveCards(t *testing.T) {
	t.Parallel()
	const forward = "Fwd:\n\nVon: Portal <news@portal.example>\nDatum: Mo., 16. Nov. 2026 um 07:25\n" +
		"Betreff: 1 neue Wohnung in Erfurt\nAn: <kim@example.org>\n\nWohnung\n1.250 € | 72 m² | 3 Zimmer\n99084 Erfurt\n" +
		"https://portal.example/expose/4812001\n"
	const weekly = "Rental properties in the south, $350 to $600 per week\n\nHouse by the lake\n3 bedrooms\n$400 " +
		"per week\n" +
		"https://portal.example/expose/4812001\n\n\nFlat\n2 bedrooms\n$500 per week\nhttps://portal.example/expose/4812002\n"
	for _, c := range []struct {
		name, body, title string
		cost              float64
	}{
		{"a forward", forward, "99084 Erfurt", 1250},
		{"a search", weekly, "House by the lake", 1733},
	} {
		text := "From: Portal <news@portal.example>\nSubject: 2 new rental properties\nContent-Type: text/plain; " +
			"charset=utf-8\n\n"
		h := mailHomes(t, text+c.body)[`["https://portal.example/expose/4812001"]`]
		if h == nil || h.Title != c.title || h.Cost != c.cost {
			t.Errorf("%s: %+v", c.name, h)
		}
	}
}

// Homes below a heading of offers that the reader might like are not read.
func TestMailLikedOffers(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{"Other rentals you might like", "Das könnte dich auch interessieren",
		"Ces maisons pourraient vous intéresser", "Altre case che potrebbero piacerti", "Kanskje også interessant",
		"Du kanske också gillar", "Oferty, które mogą cię zainteresować"} {
		card := "For rent\n$2,150/mo\n2 bd | 1 ba | 904 sqft | Apartment\n18 Harrow Hill Rd #4, Boise, ID 83702\n" +
			"View this listing - https://portal.example/homes/4812%d\n\n"
		text := "From: Portal <news@portal.example>\nSubject: New listing\nContent-Type: text/plain; charset=utf-8\n\n" +
			fmt.Sprintf(card, 1) + heading + "\n\n" + fmt.Sprintf(strings.Replace(card, "2,150", "1,450", 1), 2)
		homes := mailHomes(t, text)
		if len(homes) != 1 || homes[`["https://portal.example/homes/48121"]`] == nil {
			t.Errorf("%s: %d homes", heading, len(homes))
		}
	}
}
