// Examples of reading a text and a mail, and of comparing links.

package listing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"flats/internal/listing"
	"flats/internal/turns"
)

// A text as somebody copies it from a page.
func ExampleReadText() {
	home := listing.ReadText(nil, listing.Text{
		Text: "Helle 3-Zimmer-Wohnung mit Balkon\nAhornweg 14, 99734 Nordhausen\n" +
			"Kaltmiete 1.240 €\nNebenkosten 210 €\nWohnfläche 72,5 m²",
		Link: "https://homes.example/expose/48120011",
	})
	members, _ := home.Members()
	for _, name := range []string{"title", "cost", "currency", "charges", "area", "rooms", "location"} {
		fmt.Printf("%s: %s\n", name, members[name])
	}
	// Output:
	// title: "Helle 3-Zimmer-Wohnung mit Balkon"
	// cost: 1240
	// currency: "EUR"
	// charges: 210
	// area: 72.5
	// rooms: 3
	// location: "Ahornweg 14, Nordhausen"
}

// An alert with two homes. A program that imports them says what it keeps, and under which id.
func ExampleReadMail() {
	mail := "From: alerts@homes.example\r\nSubject: 2 new homes for your search\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: text/html; charset=utf-8\r\n\r\n" +
		"<h3><a href='https://homes.example/expose/48120011'>Bright flat with a balcony</a></h3>" +
		"<p>1,240 € | 72.5 m² | 3 rooms | 99734 Nordhausen</p>" +
		"<h3><a href='https://homes.example/expose/48120012'>Quiet flat near the park</a></h3>" +
		"<p>990 € | 58 m² | 2 rooms | 99734 Nordhausen</p>"
	rules := listing.MailRules{
		Accept: func(found map[string]json.RawMessage) (map[string]json.RawMessage, string) {
			return found, string(found["urls"])
		},
		Fold: func(texts ...string) string { return strings.ToLower(strings.Join(texts, " ")) },
	}
	work := turns.NewTask(context.Background(), turns.NewQueue())
	listings, note, err := listing.ReadMail(work, []byte(mail), &rules)
	for _, found := range listings {
		fmt.Printf("%s: %s %s, %s m², %s rooms\n", found["title"], found["cost"], found["currency"], found["area"],
			found["rooms"])
	}
	fmt.Printf("note %q, error %v\n", note, err)
	// Output:
	// "Bright flat with a balcony": 1240 "EUR", 72.5 m², 3 rooms
	// "Quiet flat near the park": 990 "EUR", 58 m², 2 rooms
	// note "", error <nil>
}

// Two links to one listing have the same key.
func ExampleLinkKey() {
	fmt.Println(listing.LinkKey("https://www.homes.example/expose/48120011?utm_source=mail"))
	fmt.Println(listing.LinkKey("http://m.homes.example/expose/48120011/"))
	// Output:
	// homes.example/expose/48120011
	// homes.example/expose/48120011
}
