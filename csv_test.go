// Tests of csv.go.

package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// knownMembers returns the members of a flat that an import has set: those that are neither null nor empty, without
// those that every new flat has.
func knownMembers(f *Flat) string {
	flat := members{}
	json.Unmarshal([]byte(f.JSON()), &flat)
	maps.DeleteFunc(flat, func(name string, text json.RawMessage) bool {
		isEmpty := string(text) == "null" || string(text) == "[]" || string(text) == "{}"
		return isEmpty || name == "id" || name == "first_seen" || name == "cost_history" ||
			name == "status" && string(text) == `"new"`
	})
	return encodeJSON(flat)
}

// The columns of a row are the members of a flat.
func TestCSVColumns(t *testing.T) {
	for _, c := range []struct{ header, row, want string }{
		// As HomeHarvest writes them.
		{"property_url,property_id,mls_id,status,text,style,street,unit,city,state,zip_code,beds,full_baths,sqft," +
			"list_price,latitude,longitude,primary_photo,alt_photos",
			`https://www.portal.example/detail/1_A_St_Boston_MA_02118_M1-2,1,,FOR_RENT,"Bright, and ""large""",CONDO,` +
				`1 A St,Apt 2,Boston,MA,02118,2,1,850,2450,42.3389,-71.0706,https://ap.example/1.jpg,` +
				`"https://ap.example/2,w.jpg, https://ap.example/3.jpg"`,
			`{"text":"Bright, and \"large\"","location":"1 A St, Boston, MA","area":78.97,"cost":2450,"bedrooms":2,
			"photos":["https://ap.example/1.jpg","https://ap.example/2,w.jpg","https://ap.example/3.jpg"],
			"urls":["https://www.portal.example/detail/1_A_St_Boston_MA_02118_M1-2"],
			"details":{"property_id":"1","status":"FOR_RENT","style":"CONDO","unit":"Apt 2","full_baths":"1",
			"gps":[42.3389,-71.0706]}}`},
		// As a spreadsheet in German writes it, with amounts in words.
		{"Link;Title;Price;Size;Rooms;Address;Status;Notes;Heizung",
			"https://b.example/1;Altbau;1.240,50 €;38,5 m²;2,5;Weg 3, 10115 Berlin;followed;call;Gas",
			`{"title":"Altbau","cost":1240.5,"currency":"EUR","area":38.5,"rooms":2.5,"location":"Weg 3, 10115 Berlin",
			"status":"followed","notes":"call","urls":["https://b.example/1"],"details":{"Heizung":"Gas"}}`},
		// Separated by tabs. £450 pw is the rent of a week: 450 · 52 / 12 = 1950.
		{"url\tRENT\tsqm\tzip\tstreet\tcity\tx", "http://c.example/1\t£450 pw\t38\tE8 1AA\t1 A St\t\t",
			`{"cost":1950,"currency":"GBP","area":38,"location":"1 A St","urls":["http://c.example/1"]}`},
		// The first column of a field counts, and nothing is lost.
		{"link,cost,price,list_price,m2,sqft,image", "http://d.example/1,900,900,950,60,646,//d.example/1.jpg",
			`{"cost":900,"area":60,"urls":["http://d.example/1"],"photos":["https://d.example/1.jpg"],
			"details":{"list_price":"950","sqft":"646"}}`},
		// A latitude that is no number stays in details, and the city is not added to an address that has it.
		{"url,sqft,latitude,address,city,details", `http://e.example/1,"1,240",north,"1 A St, Rennes",Rennes,"{""a"":1}"`,
			`{"area":115.2,"location":"1 A St, Rennes","urls":["http://e.example/1"],"details":{"lat":"north","a":1}}`},
		// An apostrophe before the sign of a formula is left out.
		{"id,text,notes", "f@s,\"'=1+1\n'@x 'y\",'-5", `{"text":"=1+1\n@x 'y","notes":"-5"}`},
		// A status that flats do not have stays in details.
		{"id,status,title, ,date", "g,For sale,,,", `{"details":{"status":"For sale"}}`},
	} {
		s := newService(t, "[]", "[]")
		// Spreadsheets write blank rows, too: one is empty, the other one has two empty cells.
		blankRows := "\n" + string(delimiter([]byte(c.header)))
		s.want(s.ask("POST", "/api/v1/import", c.header+"\n"+c.row+"\n"+blankRows), 200,
			`{"data":{"added":1,"updated":0,"unchanged":0,"gone":0}}`)
		for _, f := range s.store.snapshot().all() {
			if got := knownMembers(f); !sameJSON(got, c.want) {
				t.Errorf("%s\ngot  %s\nwant %s", c.row, got, c.want)
			}
		}
	}
}

// A list of flats as CSV can be imported, and changes nothing.
func TestCSVRoundTrip(t *testing.T) {
	s := newService(t, "[]", testCodes)
	const listings = `[{"id":"1@s","title":"-5 % \"now\"; x\t=y","text":"a,\nb <b>","cost":1240.5,"area":38.125,"rooms":2,
		"date":"2026-01-02T03:04+01:00","urls":["http://a.example/1","http://a.example/2"],
		"photos":[{"url":"http://p/1.jpg"}],
		"details":{"floor":3,"list":[1]},"service_constraint":"lyon","service_postal_code":"69007","merged_ids":["2@s"]},
		{"id":"2@s","location":"'s-Hertogenbosch","phone":"+33 199 004 217","currency":"EUR","cost":455.375,
		"charges":112.625,"text":"one\r\n\r\ntwo\nthree\rfour"}]`
	s.want(s.ask("POST", "/api/v1/import", listings), 200, `{"data":{"added":2,"updated":0,"unchanged":0,"gone":0}}`)
	csv := s.ask("GET", "/api/v1/find?format=csv", "").body
	s.want(s.ask("POST", "/api/v1/import", csv), 200, `{"data":{"added":0,"updated":0,"unchanged":2,"gone":0}}`)
	// As a spreadsheet saves it in countries with a decimal comma.
	s.want(s.ask("POST", "/api/v1/import", "id;cost;area\n1@s;1240,5;38,125\n2@s;455,3750;\n"), 200,
		`{"data":{"added":0,"updated":0,"unchanged":2,"gone":0}}`)
	other := newService(t, "[]", testCodes)
	other.ask("POST", "/api/v1/import", csv)
	if got, want := other.ask("GET", "/api/v1/find?format=csv", "").body, csv; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A title with apostrophes and the signs of formulas is the same after an export as CSV and an import of that.
func TestCSVApostrophes(t *testing.T) {
	signs := []string{"'", "'", "=", "+", "-", "@", ";", "\"", "a", "5", ",", " ", "\t", "\n"}
	random := rand.New(rand.NewPCG(7, 15))
	titles := []string{"'=SUM(1)", "'-5 °C", "''=", "=1", "'", "'a=1", "a'=1", "a;'=1", "it's -5"}
	for range rounds(300) {
		title := "x" // without it, the title may be blank, which an import leaves out
		for range random.IntN(8) {
			title = pick(random, signs) + title
		}
		titles = append(titles, title)
	}
	s, other := newService(t, "[]", testCodes), newService(t, "[]", testCodes)
	var listings []string
	for i, title := range titles {
		listings = append(listings, fmt.Sprintf(`{"id":"%d","title":%s}`, i, encodeJSON(title)))
	}
	s.ask("POST", "/api/v1/import", `{"plain":true,"data":[`+strings.Join(listings, ",")+`]}`)
	other.ask("POST", "/api/v1/import", s.ask("GET", "/api/v1/find?format=csv", "").body)
	for i, title := range titles {
		id := fmt.Sprint(i)
		if got := other.store.Get(id); got == nil || got.Title.String() != s.store.Get(id).Title.String() {
			t.Errorf("%q: got %v", title, got)
		}
	}
}

func FuzzApostrophes(f *testing.F) {
	for _, text := range []string{"'=SUM(1)", "''-5;'@", "\"'=", "a\t'+\n''"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		escaped := escapeFormulas(text)
		if got := unescapeFormulas(escaped); got != text {
			t.Errorf("%q is written as %q and read as %q", text, escaped, got)
		}
		for _, start := range formulaStarts(escaped) {
			if escaped[start] != '\'' {
				t.Errorf("%q is written as %q, with a formula", text, escaped)
			}
		}
	})
}

// Errors in CSV name the line and the column.
func TestCSVErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"id,cost\n1,2\n3,cheap\n", `in:3: cost: want a finite number or null, got "cheap"`},
		{"id,title\n1,\"a\nb\"\n2,c,d\n", "in:4: want at most 2 cells, as in the header, got 3"},
		{"id,title,cost\n1,a\n", "in:2: want 3 cells, as in the header, got 2"},
		{"id,title\n1,a\"b\n", `in:2: put a cell that has a quotation mark into quotation marks, and write the mark as ""`},
		{"id,title\n1,\"a\n", `in:2: a quoted cell does not end, or has a quotation mark that is not written as ""`},
		{"id,date\n1,soon\n", "in:2: date: want an ISO 8601 datetime such as 2026-12-01T18:00 or " +
			"2026-12-01T18:00:00+01:00, got \"soon\""},
		{"title,cost\na,1\n", "in:2: " + noID},
		{"id" + strings.Repeat(",", maxColumns), // one cell more than commas
			"in:1: the row has more than 10000 cells"},
		// The row begins in line 3, and each cell has a line break, so that the error is in line 10002.
		{"id;x\n\n1" + strings.Repeat(";\"\n;\"", maxColumns), "in:10002: the row has more than 10000 cells"},
		// Commas inside a cell count for none. The cell has a line break, so the last row is line 4.
		{"id,title\n1,\"" + strings.Repeat(",", maxColumns) + "\n\"\"\"\n2\n", "in:4: want 2 cells, as in the header, got 1"},
		{",\n", "in:1: want JSON, or CSV with a header that names fields, such as id, url, title and cost, got ,"},
		{"a,b\n1,2\n", "in:1: want JSON, or CSV with a header that names fields, such as id, url, title and cost, got a,b"},
	} {
		if _, err := readListings("in", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// FuzzCSV tests that a row becomes a listing of valid JSON, and that one with any cell that is not blank is not empty.
func FuzzCSV(f *testing.F) {
	f.Add("id,url,price,sqft,street,city,x", "1,http://a.example/1,$450K,700,1 A St,Boston,'=1")
	f.Add("link;lat;lng;status;photos;image", "www.a.example;1;2;new;[];//b/1.jpg")
	f.Add("id\tdetails\tmerged_ids", "7\t{\"a\":1}\t[\"x\"]")
	f.Fuzz(func(t *testing.T, header, row string) {
		if strings.ContainsAny(header+row, "\r\n\"") {
			return
		}
		filledCells := 0
		errWrong := errors.New("wrong listing")
		_, err := readCSV("in", []byte(header+"\n"+row), func(listing members) (members, error) {
			text := encodeJSON(listing)
			for cell := range strings.SplitSeq(row, string(delimiter([]byte(header)))) {
				if strings.TrimSpace(cell) != "" {
					filledCells++
				}
			}
			if !json.Valid([]byte(text)) || filledCells > 0 && len(listing) == 0 {
				return nil, fmt.Errorf("%w: %q: %s", errWrong, row, text)
			}
			return listing, nil
		})
		if errors.Is(err, errWrong) { // other errors refuse the row
			t.Error(err)
		}
	})
}

// An answer as CSV follows RFC 4180 and escapes cells that a spreadsheet would take for
// formulas.
func TestFindCSV(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	got := s.ask("GET", "/api/v1/find?"+
		query("format=csv&fields=title,cost,notes,status,photos,details,service_postal_code,text,site&sort=-id"), "")
	want := "\uFEFFid,title,cost,notes,status,photos,details,service_postal_code,text,site\r\n" +
		"4,null,,,null,,\"{\"\"a\"\":1}\",,\"a \"\"b\"\"\nc\",\r\n" +
		"3@b@c,Null,0,,,,{},,,c\r\n" +
		"2@a,'=1+1,1200,-5,followed,\"[\"\"x\"\"]\",,69007,,a\r\n" +
		"1@a,Loft,1000,,new,[],,,,a\r\n" +
		"5,'@x,800.0,,new,,,,,\r\n"
	if got.status != 200 || got.body != want {
		t.Errorf("got  %q\nwant %q", got.body, want)
	}
	h := got.header
	if h.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || !strings.Contains(h.Get("Vary"), "Accept") {
		t.Errorf("CSV headers: %v", h)
	}
	list := s.ask("GET", "/api/v1/find", "")
	if other := list.header.Get("ETag"); other == h.Get("ETag") || other == "" {
		t.Errorf("the entity tag of CSV is %s, that of JSON %s; want them to differ", h.Get("ETag"), other)
	}
	for accept, wantsCSV := range map[string]bool{
		"text/csv": true, "application/json": false, "text/html,text/csv;q=0.5": true, "": false, "*/*": false,
		"text/*": true, "application/*": false,
		"text/csv;q=0": false, "text/csv; q=0.0, */*": false, "text/csv;q=0,text/*": false,
		"TEXT/CSV ;header=present; Q=0.1": true, "text/csvx": false,
		"application/json, text/csv;q=0.5": false, "application/json;q=0.5, text/csv": true,
		"application/json, text/csv": false,
		"text/csv, */*;q=0.8":        true, "text/csv;q=0.8, */*": false, "text/csv, */*": false,
		"application/json;q=0, */*;q=0.1":                                            true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8": false, "text/csv;q=x": false,
		",;,": false,
	} {
		got := s.ask("GET", "/api/v1/find", "", "Accept", accept)
		if strings.HasPrefix(got.body, "\uFEFFid,title,") != wantsCSV {
			t.Errorf("Accept %q: %s; want CSV: %v", accept, got.body[:30], wantsCSV)
		}
		got = s.ask("GET", "/api/v1/find?format=json", "", "Accept", accept)
		if !strings.HasPrefix(got.body, `{"data"`) {
			t.Errorf("Accept %q with format=json: %s", accept, got.body[:30])
		}
	}
	// Rows end in CRLF, and cells keep their line breaks.
	other := newService(t, `[{"id":1,"title":"a\r\nb\rc\nd\n"},{"id":2,"title":"\n"}]`, testCodes)
	other.want(other.ask("GET", "/api/v1/find?format=csv&fields=title&sort=id", ""), 200,
		"\uFEFFid,title\r\n1,\"a\r\nb\rc\nd\n\"\r\n2,\"\n\"\r\n")
	// Without fields, each row has a cell for each field of a flat.
	rows, err := csv.NewReader(strings.NewReader(s.ask("GET", "/api/v1/find?format=csv", "").body)).ReadAll()
	if err != nil || len(rows) != 6 || len(rows[0]) != len(flatFields.listedFields()) {
		t.Errorf("%d rows of CSV, %v", len(rows), err)
	}
}

// spreadsheet returns the cells that a spreadsheet reads from CSV. Quotes count at the
// beginning of a cell; after the closing one, the cell goes on to the next separator.
func spreadsheet(text string, separator byte) (cells []string) {
	cell, isQuoted, isAtStart := "", false, true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case isQuoted && strings.HasPrefix(text[i:], `""`):
			cell += `"`
			i++
		case isQuoted && c == '"':
			isQuoted = false
		case isQuoted:
			cell += string(c)
		case isAtStart && c == '"':
			isQuoted = true
		case c == separator || c == '\r' || c == '\n':
			cells, cell, isAtStart = append(cells, cell), "", true
			continue
		default:
			cell += string(c)
		}
		isAtStart = false
	}
	return append(cells, cell)
}

// A spreadsheet takes no cell for a formula, whatever separator it assumes.
func TestCSVFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"=1+1", "'=1+1"},
		{"-5", "-5"}, // a number
		{"-5 °C", "'-5 °C"},
		{"Studio;=cmd|' /C calc'!A0", "Studio;'=cmd|' /C calc'!A0"},
		{"a;+b;-c;@d", "a;'+b;'-c;'@d"},
		{"a;;=b", "a;;'=b"},
		{"=a;=b", "'=a;'=b"},
		{"a, b;=c", `"a, b;'=c"`},
		{"a\n=b", "\"a\n'=b\""},
		{"a\r\n- b\r@c", "\"a\r\n'- b\r'@c\""},
		{"a\t=b", "a\t'=b"},
		{"\t=a", "\t'=a"},
		{" =a; =b", " '=a; '=b"},
		{`a;"=b"`, `"a;""'=b"""`},
		{`"=a"`, `"""'=a"""`},
		{"1;-2", "1;'-2"}, // not a number as a whole
		{"a=b+c-d@e; f", "a=b+c-d@e; f"},
		{`{"a":";=b"}`, `"{""a"":"";'=b""}"`},
		{";", ";"},
		{"", ""},
	} {
		if got := csvCell(c.text); got != c.want {
			t.Errorf("csvCell(%q) = %q; want %q", c.text, got, c.want)
		}
	}
	// Random texts: whatever separates cells, none begins with =, or with -. The texts have no digit after -, so that
	// none is a negative number, which may stay.
	random := rand.New(rand.NewPCG(12, 1))
	for range rounds(20_000) {
		var texts [3]string
		for i := range texts {
			for range random.IntN(6) {
				texts[i] += pick(random, []string{"=", "-", `"`, ";", ",", "\t", "\n", "\r", "a", "'", " "})
			}
		}
		line := fmt.Sprintf("1,%s,%s,%s\r\n", csvCell(texts[0]), csvCell(texts[1]), csvCell(texts[2]))
		for _, separator := range []byte(",;\t") {
			for _, cell := range spreadsheet(line, separator) {
				cell = strings.TrimSpace(cell)
				if strings.HasPrefix(cell, "=") || strings.HasPrefix(cell, "-") {
					t.Fatalf("%q: separated by %q there is a cell %q", texts, separator, cell)
				}
			}
		}
	}
}

// A table and a list of all flats have the user's own values, however they are written.
func TestCorrectionsInTable(t *testing.T) {
	const fields = "/api/v1/find?fields=text,location,cost,charges,urls,corrected,notation"
	const listing = `[{"id":"a","text":"x\r\ny","cost":900,"location":"Lyon","urls":["https://s.example/1"]}]`
	for _, own := range []string{`"text":"my own\r\ntext"`, `"location":" mine "`, `"urls":"https://mine.example/1"`,
		`"urls":["www.mine.example/1"]`, `"cost":455.375`, `"charges":112.625`, `"notation":4.125`, `"charges":-1.125`} {
		for _, path := range []string{"/api/v1/find?format=csv", "/api/v1/flats"} {
			s := newService(t, "[]", testCodes)
			s.ask("POST", "/api/v1/import", listing)
			if got := s.ask("PATCH", "/api/v1/flat/a", "{"+own+"}"); got.status != 200 {
				t.Fatal(own, got.body)
			}
			// An import makes a link whole, and links a list.
			want := strings.NewReplacer(`"urls":"https://mine.example/1"`, `"urls":["https://mine.example/1"]`,
				`["www.mine`, `["https://www.mine`).Replace(s.ask("GET", fields, "").body)
			copied := s.ask("GET", path, "").body
			if path == "/api/v1/flats" {
				copied = encodeJSON(member(decodeJSON(copied), "data"))
			}
			for _, body := range []string{copied, listing} {
				if got := s.importAny(body); got.status != 200 {
					t.Errorf("%s, %s: %s", own, path, got.body)
				}
			}
			if got := s.ask("GET", fields, "").body; got != want {
				t.Errorf("%s, %s:\ngot  %s\nwant %s", own, path, got, want)
			}
		}
	}
}

// TestCSVOfOwnValues tests that what users have written, and long numbers, stay as they are when the CSV of the flats
// is imported again, here and elsewhere.
func TestCSVOfOwnValues(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.ask("POST", "/api/v1/import", `[{"id":"1@s","title":"a"},{"id":"2@s","cost":12345678901234567890,"area":45.125},
		{"id":12345678901234567890,"phone":"00491701234567890123","deposit":1.23456789012345678901}]`)
	for _, own := range []string{
		`{"utilities":"H.C."}`, `{"utilities":"C.C."}`, `{"utilities":" warm "}`, `{"title":"A &amp; <b>B</b>"}`,
		`{"location":"a\nb"}`, `{"phone":"00012"}`, `{"currency":"€"}`, `{"text":"  x\r\n- y"}`, `{"cost":1.240}`,
	} {
		if got := s.ask("PATCH", "/api/v1/flat?id=1@s", own); got.status != 200 {
			t.Fatalf("%s: %s", own, got.body)
		}
		s.testCopy(t, own)
	}
}

// testCopy tests that the CSV of all flats changes none here, and brings the same values elsewhere.
func (s *service) testCopy(t *testing.T, name string) {
	t.Helper()
	const fields = "/api/v1/find?sort=id&" +
		"fields=title,text,area,cost,currency,utilities,location,phone,deposit,cost_history"
	copied := s.ask("GET", "/api/v1/find?format=csv", "").body
	before := s.ask("GET", fields, "").body
	if got := s.ask("POST", "/api/v1/import", copied); !strings.Contains(got.body, `"added":0,"updated":0`) {
		t.Errorf("%s: %s", name, got.body)
	}
	if got := s.ask("GET", fields, "").body; got != before {
		t.Errorf("%s:\ngot  %s\nwant %s", name, got, before)
	}
	other := newService(t, "[]", "[]")
	other.ask("POST", "/api/v1/import", copied)
	asTexts := strings.NewReplacer(`"id":12345678901234567890`, `"id":"12345678901234567890"`, "1.240", "1.24",
		`1.2400`, "1.24", "45.1250", "45.125")
	got, want := other.ask("GET", fields, "").body, asTexts.Replace(before)
	if asTexts.Replace(got) != want {
		t.Errorf("%s, elsewhere:\ngot  %s\nwant %s", name, got, want)
	}
}
