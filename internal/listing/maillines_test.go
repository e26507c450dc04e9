// Tests of lines that hold all that is said about a home.

package listing

import (
	"fmt"
	"strings"
	"testing"
)

// A card of one long line is read like a card of several lines, but a long sentence is not a card.
func TestMailLongLines(t *testing.T) {
	t.Parallel()
	const facts = "3 Zimmer%[1]s72,5 m²%[1]s890 € Kaltmiete%[1]sLindenweg 5, 99084 Erfurt%[1]sfrei ab 1.3.%[1]s" +
		"Balkon, Keller, Einbauküche, Stellplatz im Hof, ruhige Lage am Park, Haustiere nach Absprache, provisionsfrei"
	const sentence = "Die helle Wohnung hat 3 Zimmer und 72,5 m², kostet 890 € Kaltmiete und liegt am Lindenweg 5, " +
		"99084 Erfurt, mehr zeigt die Seite, "
	other := strings.NewReplacer("890", "940", "Helle", "Dunkle") // makes the second home of a mail
	const link = `<a href="https://portal.example/expose/48120%d">`
	bars, dots, blanks := fmt.Sprintf(facts, " | "), fmt.Sprintf(facts, " · "), fmt.Sprintf(facts, "    ")
	for _, c := range []struct {
		name, kind, line string
		isCard           bool
	}{
		{"bars, HTML", "html", "<p>" + link + "Helle Wohnung</a> | " + bars, true},
		{"dots, HTML", "html", "<p>" + link + "Helle Wohnung</a> · " + dots, true},
		{"a link at the end, HTML", "html", "<p>Helle Wohnung | " + bars + " | " + link + "Zum Exposé</a>", true},
		{"bars, text", "plain", "Helle Wohnung | " + bars + " | https://portal.example/expose/48120%d\n\n", true},
		{"blanks, text", "plain", "Helle Wohnung    " + blanks + "    https://portal.example/expose/48120%d\n\n", true},
		{"a sentence, HTML", "html", "<p>" + sentence + link + "wie ich finde</a>.", false},
	} {
		text := "From: Portal <news@portal.example>\nSubject: 2 neue Wohnungen\nContent-Type: text/" + c.kind +
			"; charset=utf-8\n\n" + fmt.Sprintf(c.line, 1) + fmt.Sprintf(other.Replace(c.line), 2)
		homes := mailHomes(t, text)
		if !c.isCard {
			if len(homes) > 0 {
				t.Errorf("%s: %d homes; want none", c.name, len(homes))
			}
			continue
		}
		h := homes[`["https://portal.example/expose/481201"]`]
		if len(homes) != 2 || h == nil {
			t.Errorf("%s: the homes are %+v; want two", c.name, homes)
			continue
		}
		const want = "Helle Wohnung, 890, 72.5 m², 3 rooms, Lindenweg 5, 99084 Erfurt"
		got := fmt.Sprintf("%s, %v, %v m², %v rooms, %s", h.Title, h.Cost, h.Area, h.Rooms, h.Location)
		if got != want {
			t.Errorf("%s: the first home is %s; want %s", c.name, got, want)
		}
	}
}
