// Tests of codes.go.

package main

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// Addresses of sixteen countries as people write them, with the code that each must get, or none. This code is for the
// constraint of its country and also among all codes, unless a fourth cell says that it is unclear there.
func TestAddressesOfCountries(t *testing.T) {
	codes, err := readPostalCodes("postal_codes.txt", []byte(readFile(t, "testdata/postal_codes.txt")))
	if err != nil {
		t.Fatal(err)
	}
	constraints := map[string]Constraint{}
	for _, code := range codes {
		constraints[code.country()] = Constraint{Areas: []string{code.Area.String()}}
	}
	postal := newPostalCodes(codes, constraints)
	// The addresses of a country with a code, and how many of these codes are found, for the log.
	type share struct{ addresses, found, foundAmongAll int }
	shares := map[string]*share{}
	for row := range strings.Lines(readFile(t, "testdata/addresses.txt")) {
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		country, want, address := cells[0], cells[1], cells[2]
		if shares[country] == nil {
			shares[country] = &share{}
		}
		s := shares[country]
		got := postal.codeIn(address, country, "")
		if got != want {
			t.Errorf("%q in %s: %q; want %q", address, country, got, want)
		}
		amongAll := postal.codeIn(address, "", "")
		wantAmongAll := want
		if isUnclear := len(cells) > 3; isUnclear {
			wantAmongAll = ""
		}
		if amongAll != wantAmongAll {
			t.Errorf("%q among all: %q; want %q", address, amongAll, wantAmongAll)
		}
		if want == "" {
			continue
		}
		s.addresses++
		if got == want {
			s.found++
		}
		if amongAll == want {
			s.foundAmongAll++
		}
	}
	for _, country := range slices.Sorted(maps.Keys(shares)) {
		s := shares[country]
		t.Logf("%s: %d of %d, among all %d", country, s.found, s.addresses, s.foundAmongAll)
		if s.addresses < 20 {
			t.Errorf("%s has %d addresses; want at least 20", country, s.addresses)
		}
	}
}

// Codes of digits are written with another separator than in their file, or without one. With five digits they
// need the name of their town, so that none is taken for another country's.
func TestCodeSeparators(t *testing.T) {
	codes, err := readPostalCodes("codes.csv", []byte(`postal_code,name,lat,lng,area
01310-100,São Paulo,-23.5,-46.6,BR-SP
560001,Bangalore G.P.O.,12.9,77.6,IN-KA
560311,Elsewhere,13,77,IN-KA
1000-001,Lisboa,38.7,-9.1,PT-11
00-545,Warszawa,52.2,21.0,PL-MZ
01-234,Warszawa,52.2,21.0,PL-MZ
01234,Dresden,51,13.7,DE-SN
60311,Frankfurt,50.1,8.7,DE-HE
75001,Paris,48.8,2.3,FR-IDF
111 22,Stockholm,59.3,18,SE-AB
150-0002,Shibuya,35.6,139.7,JP-13
1010,Wien,48.2,16.4,AT-09
`))
	if err != nil {
		t.Fatal(err)
	}
	postal := newPostalCodes(codes, nil)
	for address, want := range map[string]string{
		"Av. Paulista 1000, 01310100 São Paulo": "01310-100", "Av. Paulista, 01310-100": "01310-100",
		"01310 100 São Paulo": "01310-100", "CEP 01310100": "01310-100",
		"MG Road, Bengaluru 560 001": "560001", "Bengaluru-560001": "560001", "Bengaluru 560-001": "560001",
		"1000001 Lisboa": "1000-001", "1000-001 Lisboa": "1000-001", "1000 001 Lisboa": "1000-001",
		"00545 Warszawa": "00-545", "00 545 Warszawa": "00-545", "ul. Hoża 5, 00-545": "00-545",
		"01234 Dresden": "01234", "01234 Warszawa": "", "11122 Stockholm": "111 22",
		"〒1500002 Shibuya": "150-0002",
		// House numbers and other digits
		"Hauptstr. 5 60311 Frankfurt": "60311", "Str. 56 0311": "", "Str. 5603 11": "", "Str. 10 10 Wien": "",
		"00545": "", "75 001 Paris": "",
	} {
		if got := postal.codeIn(address, "", ""); got != want {
			t.Errorf("%q: %q; want %q", address, got, want)
		}
	}
}

// The country of a code that several countries have: by the town next to it, by what is written before it or at the
// end, or else by the currency or the site.
func TestCountryOfCode(t *testing.T) {
	codes, err := readPostalCodes("codes.csv", []byte(`postal_code,name,lat,lng,area
1000,Bruxelles,50.8,4.3,BE-BRU
1000,Lausanne,46.5,6.6,CH-VD
1000,København K,55.7,12.6,DK-84
1010,"Wien, Innere Stadt",48.2,16.4,AT-09
1010,Lausanne,46.5,6.6,CH-VD
2300,La Chaux-de-Fonds,47.1,6.8,CH-NE
2300,København S,55.7,12.6,DK-84
2300,Turnhout,51.3,4.9,BE-VLG
9100,Sint-Niklaas,51.2,4.1,BE-VLG
9100,Aalborg,57.0,9.9,DK-81
6500,Bellinzona,46.2,9.0,CH-TI
6500,Beaumont,50.2,4.2,BE-WAL
8500,Halle,51.0,3.0,BE-VLG
8500,Halle,47.0,9.0,CH-SG
6300,Zug,47.2,8.5,CH-ZG
6300,Zug,46.5,19.0,HU-BK
9490,Vaduz,47.1,9.5,LI-11
9490,Vaduz,47.2,13.0,AT-07
`))
	if err != nil {
		t.Fatal(err)
	}
	postal := newPostalCodes(codes, nil)
	for _, c := range []struct{ address, code, country, want string }{
		// The town next to the code.
		{"Rue Haute 5, 1000 Brussel", "1000", "", "BE"}, {"1000 Brüssel", "1000", "", "BE"},
		{"1000 Losanna", "1000", "", "CH"}, {"Bredgade 3, 1000 København K", "1000", "", "DK"},
		{"1000 Kopenhagen", "1000", "", "DK"}, {"Vienna, 1010", "1010", "", "AT"}, {"Wien 1010", "1010", "", "AT"},
		{"A-1010 Wien", "1010", "", "AT"}, {"CH1010 Lausanne", "1010", "", "CH"}, {"1010 Bécs", "1010", "", "AT"},
		{"2300 La Chaux-de-Fonds", "2300", "", "CH"}, {"La Chaux-de-Fonds 2300", "2300", "", "CH"},
		{"9100 Sint Niklaas", "9100", "", "BE"}, {"Saint-Nicolas (9100)", "9100", "", "BE"},
		{"6500 Bellenz", "6500", "", "CH"}, {"Lausanne, Rue du Pont 4, 1000", "1000", "", "CH"},
		{"1000 Bruxelles, Avenue de Lausanne 12", "1000", "", "BE"},
		{"Avenue de Vienne 3, 1010 Lausanne", "1010", "", "CH"},
		// The country that stands there.
		{"8500 Halle, Belgique", "8500", "", "BE"}, {"8500 Halle - Schweiz", "8500", "", "CH"},
		{"CH-8500 Halle", "8500", "", "CH"}, {"B-8500 Halle", "8500", "", "BE"}, {"8500 Halle, BELGIË", "8500", "", "BE"},
		{"H-6300 Zug", "6300", "CH", "HU"}, {"HU 6300 Zug", "6300", "", "HU"}, {"CH-6300 Zug", "6300", "HU", "CH"},
		{"FL-9490 Vaduz", "9490", "", "LI"}, {"LI-9490 Vaduz", "9490", "AT", "LI"}, {"A-9490 Vaduz", "9490", "", "AT"},
		{"la 6300 Zug", "6300", "", ""}, // a word of two letters
		// The currency or the site.
		{"8500 Halle", "8500", "CH", "CH"}, {"8500 Halle", "8500", "BE", "BE"}, {"CH-8500 Halle", "8500", "BE", "CH"},
		{"1000 Lausanne", "1000", "BE", "CH"}, // a site may list homes abroad
		// None.
		{"8500 Halle", "8500", "", ""}, {"8500 Halle", "8500", "DK", ""}, {"8500 Halle, France", "8500", "CH", ""},
		{"Avenue de Vienne 1010, Genève", "1010", "", ""}, {"Rue Bruxelles 1000, Paris", "1000", "", ""},
		{"1010 Vienna Street, Springfield", "1010", "", ""}, {"1000 Lausanne Ave", "1000", "", ""},
		{"1000 rue Bruxelles, Montréal", "1000", "", ""}, {"Via Lausanne 1000, Roma", "1000", "CH", ""},
		{"1000", "1000", "BE", ""}, {"Hauptstr. 1000", "1000", "BE", ""}, {"", "1000", "BE", ""},
		{"1000 Bruxelles, Lausanne", "1000", "", ""}, {"1000 Bruxelles, Bulgaria", "1000", "", ""},
	} {
		if got := postal.countryIn(c.address, c.code, c.country); got != c.want {
			t.Errorf("%q with %q: %q; want %q", c.address, c.country, got, c.want)
		}
		want := c.code
		if c.want == "" {
			want = ""
		}
		if got := postal.codeIn(c.address, "", c.country); got != want {
			t.Errorf("the code in %q with %q: %q; want %q", c.address, c.country, got, want)
		}
	}
}

// A code of five digits that several countries have counts for none of them, whatever the address says. One of a single
// country needs no town.
func TestFiveDigitsOfCountries(t *testing.T) {
	codes, err := readPostalCodes("codes.csv", []byte(`postal_code,name,lat,lng,area
10115,Berlin,52.5,13.4,DE-BE
10115,Tallinn,59.4,24.7,EE-37
20095,Hamburg,53.5,10.0,DE-HH
`))
	if err != nil {
		t.Fatal(err)
	}
	postal := newPostalCodes(codes, nil)
	for _, c := range []struct{ address, country, want string }{
		{"10115 Berlin, Germany", "DE", ""}, {"D-10115 Berlin", "DE", ""}, {"10115 Tallinn", "", ""},
		{"20095 Hamburg", "", "20095"}, {"20095", "", "20095"},
	} {
		if got := postal.codeIn(c.address, "", c.country); got != c.want {
			t.Errorf("the code in %q with %q: %q; want %q", c.address, c.country, got, c.want)
		}
	}
}
