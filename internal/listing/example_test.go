// Examples of reading a text and comparing links.

package listing_test

import (
	"fmt"

	"flats/internal/listing"
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

// Two links to one listing have the same key.
func ExampleLinkKey() {
	fmt.Println(listing.LinkKey("https://www.homes.example/expose/48120011?utm_source=mail"))
	fmt.Println(listing.LinkKey("http://m.homes.example/expose/48120011/"))
	// Output:
	// homes.example/expose/48120011
	// homes.example/expose/48120011
}
