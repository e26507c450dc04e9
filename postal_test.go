// Tests of postal.go.

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Section 2.2: a flat shows the postal code within its constraint, or {}.
func TestPostalCodeObject_2_2(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for id, want := range map[string]string{
		"a": `{"postal_code":"69007","name":"Lyon 7e","gps":[45.7336,4.8375]}`, // the first match in file order
		"b": `{}`,                                                              // no code
		"7": `{"postal_code":"10115","name":"Berlin","gps":[52.5323,13.3846]}`, // no areas: all codes
		"d": `{}`,                                                              // not in the constraint's areas
		"e": `{}`,                                                              // no such constraint
	} {
		var got struct {
			Data struct {
				Code json.RawMessage `json:"service_postal_code"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats/"+id, "").body), &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Data.Code) != want {
			t.Errorf("flat %s: %s; want %s", id, got.Data.Code, want)
		}
	}
	// Changing the constraint or the code looks the code up again.
	s.ask("PATCH", "/api/v1/flat/d", `{"service_constraint":"anywhere"}`)
	if got := s.ask("GET", "/api/v1/flats/d", "").body; !strings.Contains(got, `"name":"Berlin"`) {
		t.Errorf("after changing the constraint: %s", got)
	}
	got := s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":"99999"}`).body
	if !strings.Contains(got, `"service_postal_code":{"postal_code":"99999","name":"nowhere","gps":null}`) {
		t.Errorf("after changing the code: %s", got)
	}
	// A client can send back what GET returned: an object stands for its postal_code,
	// and {} leaves the code as it is.
	for _, c := range []struct{ body, want string }{
		{`{"service_postal_code":{"postal_code":"10115","name":"x","gps":[1,2]}}`, `"name":"Berlin"`},
		{`{"service_postal_code":{}}`, `"name":"Berlin"`},
		{`{"service_postal_code":null}`, `"service_postal_code":{}`},
	} {
		if got := s.ask("PATCH", "/api/v1/flat/d", c.body); got.status != 200 || !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %d %s; want %s", c.body, got.status, got.body, c.want)
		}
	}
	// GET shows "" and null alike, but they are different values. A filter by an empty code finds the former.
	const found, notFound = "d", ""
	for _, c := range []struct{ code, want string }{
		{`""`, found}, {`null`, notFound}, {`""`, found},
		{`{}`, found}, // changes nothing
		{`"x"`, notFound},
	} {
		s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":`+c.code+`}`)
		if got := s.ids(s.ask("GET", "/api/v1/flats?filter[service_postal_code]=", "")); got != c.want {
			t.Errorf("after setting the code %s, the empty code matches %q; want %q", c.code, got, c.want)
		}
	}
	// Sending back the same code changes nothing, even if it was written with escapes.
	s.ask("PATCH", "/api/v1/flat/a", `{"service_postal_code":"\u0036\u0039007"}`)
	tag := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag")
	s.ask("PATCH", "/api/v1/flat/a", `{"service_postal_code":{"postal_code":"69007"}}`)
	if got := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag"); got != tag {
		t.Errorf("the same code changed the entity tag from %s to %s", tag, got)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":{"name":"Berlin"}}`), 400,
		`Invalid payload provided: service_postal_code: want a string, null, or an object with postal_code, `+
			`got {"name":"Berlin"}.`)
	s.refuse(s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":{"postal_code":5}}`), 400,
		"Invalid payload provided: service_postal_code: want a string or null, got 5.")
}

// Section 2.3: the members of a postal code and the default order.
func TestPostalCodes_2_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/opendata/postal_codes", "")
	s.want(got, 200, `{"data":[{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846,"area":"DE-BE"},
		{"postal_code":"69003","name":"Lyon 3e","lat":45.7535,"lng":4.8695,"area":"FR-84"},
		{"postal_code":"69007","name":"Lyon 7e","lat":45.7336,"lng":4.8375,"area":"FR-84"},
		{"postal_code":"69007","name":"second of its code","lat":1,"lng":2,"area":"FR-84"},
		{"postal_code":"99999","name":"nowhere","lat":null,"lng":null,"area":null}],"page":0,"items_per_page":5}`)
	for query, want := range map[string]string{
		"filter%5Bpostal_code%5D=69007": "69007 69007", "filter%5Blat%5D=45.73360": "69007",
		"filter%5Bname%5D=Berlin":    "10115",
		"sort=-lng&page%5Bsize%5D=2": "10115 69003", "sort=area,-lat": "99999 10115 69003 69007 69007",
		"page%5Bsize%5D=2&page%5Bnumber%5D=2": "99999",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/opendata/postal_codes?"+query, "")); got != want {
			t.Errorf("%s: %s; want %s", query, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/opendata/postal_codes?sort=cost", ""), 400, "Invalid sorting key provided: cost.")
}

// Section 2.4: the places listed for each constraint.
func TestPlaces_2_4(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.want(s.ask("GET", "/api/v1/time_to_places", ""), 200,
		`{"data":{"lyon":{"work":[45.76,4.85],"Gare \"Perrache\"":[45.7485,4.8258]},"anywhere":{}}}`)
}

// tenCountries has some postal codes of ten countries, as the files of GeoNames have them.
const tenCountries = `postal_code,name,lat,lng,area
10115,Berlin,52.53,13.38,DE-BE
80331,München,48.13,11.57,DE-BY
01067,Dresden,51.05,13.73,DE-SN
01067,Dresden Friedrichstadt,51.06,13.72,DE-SN
75015,Bretten,49.03,8.70,DE-BW
1010,Wien,48.20,16.36,AT-09
1020,"Wien, Leopoldstadt",48.21,16.39,AT-09
5020,Salzburg,47.80,13.04,AT-05
2100,Korneuburg,48.34,16.33,AT-03
2100,Leobendorf,48.37,16.32,AT-03
8001,Zürich,47.37,8.54,CH-ZH
9000,St. Gallen,47.42,9.37,CH-SG
1003,Lausanne,46.52,6.63,CH-VD
1020,Renens VD,46.53,6.58,CH-VD
75015,Paris,48.84,2.29,FR-11
69007,Lyon 7e,45.73,4.84,FR-84
13001,Marseille 1er,43.29,5.38,FR-93
28001,Madrid,40.42,-3.68,ES-MD
08001,Barcelona,41.38,2.17,ES-CT
00184,Roma,41.89,12.49,IT-07
20121,Milano,45.47,9.19,IT-09
1012 AB,Amsterdam,52.37,4.90,NL-07
1016 GE,Amsterdam,52.37,4.88,NL-07
5211 BP,'s-Hertogenbosch,51.69,5.30,NL-06
2100,København Ø,55.70,12.57,DK-84
8000,Aarhus C,56.15,10.20,DK-82
9000,Aalborg,57.04,9.92,DK-81
NW3,London,51.55,-0.17,GB-ENG
SW1A 2AA,London,51.50,-0.13,GB-ENG
EH1 1YZ,Edinburgh,55.95,-3.19,GB-SCT
00-001,Warszawa,52.23,21.00,PL-78
31-042,Kraków,50.06,19.94,PL-77
01-067,Warszawa,52.25,20.97,PL-78
`

// The postal code in an address is found in the constraint of its country, and
// without a constraint among the codes of all countries. No wrong code is found.
func TestAddressCodes(t *testing.T) {
	codes, err := readPostalCodes("codes.csv", []byte(tenCountries))
	if err != nil {
		t.Fatal(err)
	}
	constraints := map[string]Constraint{}
	for _, code := range codes {
		country, _, _ := strings.Cut(code.Area.String(), "-")
		c := constraints[country]
		c.Areas = append(c.Areas, code.Area.String())
		constraints[country] = c
	}
	postal := newPostalCodes(codes, constraints)
	// want is the code that is found with the constraint, unbound the code that is found without any.
	for _, c := range []struct{ constraint, address, want, unbound string }{
		{"DE", "Sendlinger Str. 8, 80331 München", "80331", "80331"},
		{"DE", "80331 München (Altstadt)", "80331", "80331"},
		{"DE", "D-01067 Dresden, Ostra-Allee 9", "01067", "01067"},
		{"DE", "DE-10115 Berlin / Mitte", "10115", "10115"},
		{"DE", "Hauptstraße 10115, Dresden", "10115", "10115"}, // any number of five digits
		{"DE", "10115 oder 80331", "", ""},
		{"DE", "75015 Bretten", "75015", ""}, // also in France
		{"DE", "Olympiadorf", "", ""}, {"DE", "", "", ""}, {"DE", "München 8033", "", ""},
		{"DE", "München 803310", "", ""}, {"DE", "80 331 München", "", ""}, // no such code
		{"AT", "Stephansplatz 1, 1010 Wien", "1010", "1010"},
		{"AT", "A-1020 Wien, Praterstraße 1010/3/5", "", ""}, // 1010 is a code of Wien, too
		{"AT", "5020 Salzburg, Getreidegasse 1010", "5020", "5020"},
		{"AT", "Getreidegasse 5020", "", ""}, // a number of four digits, without its town
		{"AT", "1020 WIEN", "1020", "1020"},  // also in Switzerland, in another town
		{"CH", "Bahnhofstrasse 1, CH-8001 Zürich", "8001", "8001"},
		{"CH", "9000 St.Gallen", "9000", "9000"}, // also in Denmark
		{"CH", "1003 LAUSANNE, Rue 9000", "1003", "1003"},
		{"CH", "Chemin 1020, 1003 Lausanne", "1003", "1003"},
		{"FR", "12 rue Lecourbe, 75015 Paris", "75015", ""}, // also in Germany
		{"FR", "69007 Lyon - Jean Macé", "69007", "69007"},
		{"FR", "F-13001 MARSEILLE CEDEX 01", "13001", "13001"},
		{"IT", "Via Cavour 5, 00184 Roma RM", "00184", "00184"},
		{"IT", "I-20121 Milano (MI), Via 1010", "20121", "20121"},
		{"ES", "Calle de Serrano, 3, 28001 Madrid", "28001", "28001"},
		{"ES", "C/ Hospital 12, 3º 2ª, 08001, Barcelona", "08001", "08001"},
		{"NL", "Damrak 1, 1012 AB Amsterdam", "1012 AB", "1012 AB"},
		{"NL", "Damrak 1, 1012AB AMSTERDAM", "1012 AB", "1012 AB"},
		{"NL", "Prinsengracht 5, 1016 ge  Amsterdam", "1016 GE", "1016 GE"},
		{"NL", "5211bp 's-Hertogenbosch", "5211 BP", "5211 BP"},
		{"NL", "1012, AB Amsterdam", "", ""}, {"NL", "1012 AB", "", ""},
		{"DK", "Århusgade 84 2., th, 2100 København Ø", "2100", "2100"}, // also in Austria
		{"DK", "Vestergade 2100, 8000 Aarhus C", "8000", "8000"},
		{"DK", "DK-9000 Ålborg", "9000", "9000"}, // spelt otherwise
		{"DK", "9000 Aalborg", "9000", "9000"},
		{"GB", "Flat 2, 10 Downing Street, London SW1A 2AA", "SW1A 2AA", "SW1A 2AA"},
		{"GB", "Downing Street, London, sw1a2aa", "SW1A 2AA", "SW1A 2AA"},
		{"GB", "Hampstead, London nw3", "NW3", "NW3"},
		{"GB", "High Street, Edinburgh EH1 1YZ", "EH1 1YZ", "EH1 1YZ"},
		{"GB", "SW1A 2AA", "SW1A 2AA", "SW1A 2AA"},
		{"PL", "ul. Marszałkowska 1/3, 00-001 Warszawa", "00-001", "00-001"},
		{"PL", "31-042 Kraków, Rynek Główny 00-00", "31-042", "31-042"},
		{"PL", "01-067 Warszawa", "01-067", "01-067"},
		{"PL", "Nowa 00 / 001, Warszawa", "", ""},
		{"PL", "01067 Warszawa", "01-067", ""}, // also a German code
		{"AT", "2100 København", "", "2100"},   // the constraint has the code too, for a town that is not named
		{"AT", "2100 Korneuburg", "2100", "2100"},
		{"FR", "80331 München", "80331", "80331"}, // the constraint lacks the code, so no other town can be meant
		{"DE", "🏠🏡", "", ""}, {"DE", "<script>alert(80331)</script>", "80331", "80331"},
		{"DE", strings.Repeat("x ", 600) + "80331", "", ""}, // too long for an address
		{"DE", strings.Repeat("80331 ", 8<<20/6), "", ""},   // much too long: 8 MiB
	} {
		for constraint, want := range map[string]string{c.constraint: c.want, "": c.unbound} {
			if got := postal.codeIn(c.address, constraint, ""); got != want {
				t.Errorf("%q in %q: %q; want %q", excerpt(c.address), constraint, got, want)
			}
		}
	}
}

// The 1.87 million postal codes of GeoNames fit into the 400 MB of a small computer. The test loads a part of them,
// with a town for each three codes.
func TestPostalCodeMemory(t *testing.T) {
	const count = 50_000
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, "GB\tQ%d %dAB\tUpper Fairly Long Hamlet %d\tEngland\tENG\t\t\t\t\t%.4f\t%.4f\t6\n",
			i/10, i%10, i/3, 50+float64(i)/count, -1-float64(i)/count)
	}
	before := heapInUse()
	entries, err := readPostalCodes("GB.txt", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	codes := newPostalCodes(entries, nil)
	entries = nil
	used := float64(heapInUse()-before) / count
	t.Logf("%.0f bytes a code", used)
	if most := 400e6 / 1.87e6; used > most { // bytes of a code
		t.Errorf("a code takes %.0f bytes; want at most %.0f", used, most)
	}
	if codes.all.size != count {
		t.Errorf("got %d codes; want %d", codes.all.size, count)
	}
	runtime.KeepAlive(text.String()) // in use at both measurements, so that it does not count
}

// Postal codes can be read from JSON, CSV and GeoNames files. Errors name the line.
func TestPostalCodeFiles(t *testing.T) {
	const want = `{"postal_code":"01000","name":"Bourg, \"en\" Bresse","lat":46.2,"lng":5.22,"area":"FR-84"}` + "\n" +
		`{"postal_code":"2100","name":"København Ø","lat":55.7,"lng":null,"area":"DK"}` + "\n"
	for name, text := range map[string]string{
		"JSON": "\uFEFF" + `[ {"postal_code":"01000","name":"Bourg, \"en\" Bresse","area":"FR-84","lat":46.2,` +
			`"lng":5.22,"population":1},` + "\n" +
			`{"postal_code":"2100","name":"København Ø","lat":55.7,"area":"DK"}]`,
		"CSV": "\uFEFFarea,Lat,lng,more,name,postal_code\r\nFR-84,46.2,5.22,x,\"Bourg, \"\"en\"\" " +
			"Bresse\",01000\r\nDK,55.70,,,København Ø,2100\r\n",
		"CSV;": "area;lat;lng;name;postal_code\nFR-84;46.2;5.22;\"Bourg, \"\"en\"\" " +
			"Bresse\";01000\nDK;55.70;;København Ø;2100",
		"GeoNames": "FR\t01000\tBourg, \"en\" " +
			"Bresse\tAuvergne-Rhône-Alpes\t84\tAin\t01\tBourg\t012\t46.2\t5.22\t5\nDK\t2100\tKøbenhavn " +
			"Ø\t\t\t\t\t\t\t55.7\t\t\n",
	} {
		codes, err := readPostalCodes(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got strings.Builder
		for _, c := range codes {
			got.WriteString(c.JSON() + "\n")
		}
		if got.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got.String(), want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "codes:1: the file is empty"},
		{"[{}]", "codes:1: postal_code: must not be empty"},
		{"[{\"postal_code\":\"1\"},\n{\"postal_code\":2}]", "codes:2: postal_code: want a string or null, got 2"},
		{"[{\"postal_code\":\"1\",\n\"lat\":91}]", "codes:1: lat: want at most 90 degrees either way, got 91"},
		{"[1]", `codes:1: want an object, got 1`},
		{"PK\x03\x04\x14\x00", "codes: this is a zip archive: unzip it, and name the file that was in it"},
		{"code,name\n", `codes:1: no column "postal_code": want a header with postal_code, name, lat and lng, ` +
			`and perhaps area, or GeoNames' tab-separated file`},
		{"postal_code,name,lat,lng\n1,a,2,3\n1,a\n", "codes:3: wrong number of fields"},
		{"postal_code,name,lat,lng\n1,a,2,x\n", `codes:2: lng: want a finite number or null, got "x"`},
		{"postal_code,name,lat,lng\n1,\"a,2,3\n", `codes:2: a quoted cell does not end`},
		{strings.Repeat("a\t", 11) + "\nFR\t1", `codes:1: lat: want a finite number or null, got "a"`},
		{"FR\t1\ta" + strings.Repeat("\t", 9) + "\nFR\t1",
			"codes:2: want at least 11 columns separated by tabs, got 2"},
		{"postal_code,name\xe9", "codes:1: byte 0xe9 is not UTF-8"},
	} {
		if _, err := readPostalCodes("codes", []byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}
