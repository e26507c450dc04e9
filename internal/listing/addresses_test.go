// Tests of addresses.

package listing

import "testing"

// A number right before a street or a town is the number of the house, unless it counts something or ends an amount.
func TestAddressWithHouseNumber(t *testing.T) {
	for _, c := range []struct{ text, country, location string }{
		// The number of a house, perhaps with a letter, as a range, or after the number of a flat.
		{"12 Holloway Road, London N7 6PP", "uk", "12 Holloway Road, London"},
		{"12 High Street, Oxford OX1 4AB", "uk", "12 High Street, Oxford"},
		{"221B Baker Street, London NW1 6XE", "uk", "221B Baker Street, London"},
		{"221 B Baker Street, London NW1 6XE", "uk", "221 B Baker Street, London"},
		{"12-14 Holloway Road, Islington, London N7 6PP", "uk", "12-14 Holloway Road, Islington, London"},
		{"12, Holloway Road, London N7 6PP", "uk", "12 Holloway Road, London"},
		{"1/2, 45 Byres Road, Glasgow G12 8QX", "uk", "1/2, 45 Byres Road, Glasgow"},
		{"Flat 4, 12 Holloway Road, London N7 6PP", "uk", "Flat 4, 12 Holloway Road, London"},
		{"221B George Street Sydney NSW 2000", "au", "221B George Street Sydney NSW"},
		{"12 Broadway, London N7 6PP", "uk", "12 Broadway, London"}, // no word for a street, but nothing else in its line
		// It follows a label or another sentence.
		{"Address: 12 Bedford Road, London N7 6PP", "uk", "12 Bedford Road, London"},
		{"New! 5 Mayfield Road, London N7 6PP", "uk", "5 Mayfield Road, London"},
		// The end of an amount.
		{"Price: £300,000 Holloway Road, London N7 6PP", "uk", "Holloway Road, London"},
		{"£300 000 Holloway Road, London N7 6PP", "uk", "Holloway Road, London"},
		// A number that counts something, or is part of a date.
		{"2 Bedrooms, London N7 6PP", "uk", "London"},
		{"3 Apartments Holloway Road, London N7 6PP", "uk", "Apartments Holloway Road, London"},
		{"12 March, London N7 6PP", "uk", "March, London"},
		// A number before a town, and a letter without one.
		{"14 London E8", "uk", "London"},
		{"12 Kassel 34117", "de", "Kassel"},
		{"B Road, London N7 6PP", "uk", "B Road, London"},
	} {
		if got, _ := addressIn(c.text, "", c.country); got.location != c.location {
			t.Errorf("addressIn(%q, \"\", %q) is in %q; want %q", c.text, c.country, got.location, c.location)
		}
	}
}

// A number between two labels is no postal code, but a number after the label of a place is.
func TestAddressBetweenLabels(t *testing.T) {
	for text, want := range map[string]string{
		// Four digits and a word that look like a Swiss code and its town.
		"Rent: 1200 CHF Deposit: 3600 Area: 72 m²": "",
		"Kaution: 3600 Fläche: 72 m²":              "",
		"Year: 1990 Floor: 2":                      "",
		"Deposit 3600 Area: 72 m²":                 "",

		"Deposit: 3600 Area: 72 m², 8004 Zürich":       "Zürich",
		"8004 Zürich: bright rooms":                    "Zürich",
		"Address: 8004 Zürich":                         "Zürich",
		"Address: 8004 Zürich, Area: 72 m²":            "Zürich",
		"Bright rooms: 8004 Zürich (near the station)": "Zürich",
	} {
		if got, _ := addressIn(text, "", "ch"); got.location != want {
			t.Errorf("addressIn(%q, \"\", \"ch\") is in %q; want %q", text, got.location, want)
		}
	}
}

// A number before a word such as a month is no postal code. Numbers after it are not taken for codes either.
func TestAddressAfterMonth(t *testing.T) {
	for _, c := range []struct{ text, country string }{
		{"Frei ab 2026 Mai", "ch"},
		{"Frei ab 2026 Mai, 2400 Depot", "ch"},
		{"Baujahr 1985 Neubau, 2019 Renoviert", "ch"},
		{"1234 Aufrufe, 2345 Anfragen", "at"},
	} {
		if got, _ := addressIn(c.text, "", c.country); got.location != "" {
			t.Errorf("addressIn(%q, \"\", %q) is in %q; want no town", c.text, c.country, got.location)
		}
	}
}

// "bd" is a boulevard before a name, and bedrooms before a number of bathrooms.
func TestHasStreetName(t *testing.T) {
	for text, want := range map[string]bool{
		"12 bd Victor Hugo":      true,
		"2 Bd Saint-Michel, 3 p": true,
		"3 bd 2 ba":              false,
		"3 bd 2 bath, terrace":   false,
	} {
		if got := hasStreetName(text); got != want {
			t.Errorf("hasStreetName(%q) = %t; want %t", text, got, want)
		}
	}
}
