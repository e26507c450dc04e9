// Tests of containers.go.

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// gzipped returns a text as gzip.
func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// inUTF16 returns a text in UTF-16 with a byte order mark.
func inUTF16(text string, order binary.AppendByteOrder) string {
	b := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// The same two listings can be imported in every form.
func TestContainers(t *testing.T) {
	const one, two = `{"id":"1","title":"Büro 🏠","cost":845}`, `{"id":"2","title":"a, b","cost":900}`
	const list = "[" + one + "," + two + "]"
	const csv = "id,title,cost\r\n1,Büro 🏠,845\r\n2,\"a, b\",900\r\n"
	for name, text := range map[string]string{
		"array":                list,
		"data":                 `{"data":` + list + `}`,
		"listings":             `{"page":1,"listings":` + list + `}`,
		"items":                `{"items":` + list + `,"next":null}`,
		"results":              `{"count":2,"results":` + list + `}`,
		"data that is no list": `{"data":null,"results":` + list + `}`,
		"lines":                one + "\n" + two + "\n",
		"lines on Windows":     one + "\r\n\r\n" + two,
		"lines without ends":   one + two,
		"lines that are long":  "{\n\"id\":\"1\",\n\"title\":\"Büro 🏠\",\"cost\":845}\n" + two,
		"CSV":                  csv,
		"CSV with a mark":      "\uFEFF" + csv,
		"semicolons":           "id;title;cost\n1;Büro 🏠;845\n2;\"a, b\";900",
		"tabs":                 "id\ttitle\tcost\n1\tBüro 🏠\t845\n2\ta, b\t900\n",
	} {
		for packing, packed := range map[string]string{
			"":               text,
			"gzip":           gzipped(text),
			"UTF-16LE":       inUTF16(text, binary.LittleEndian),
			"UTF-16BE":       inUTF16(text, binary.BigEndian),
			"UTF-16 in gzip": gzipped(inUTF16(text, binary.LittleEndian)),
			"blank":          " \n" + strings.TrimPrefix(text, "\uFEFF"),
		} {
			if name == "CSV with a mark" && strings.HasPrefix(packing, "UTF-16") || packing == "blank" && text[0] == 'i' {
				continue
			}
			s := newService(t, "[]", "[]")
			s.want(s.ask("POST", "/api/v1/import", packed), 200,
				`{"data":{"added":2,"updated":0,"unchanged":0,"gone":0}}`)
			s.want(s.ask("GET", "/api/v1/find?fields=title,cost&sort=id", ""), 200, `{"data":[{"id":"1","title":"Büro 🏠",
				"cost":845},{"id":"2","title":"a, b","cost":900}],"page":0,"items_per_page":2,"total":2,"counts":{}}`)
			if t.Failed() {
				t.Fatalf("%s %s", name, packing)
			}
		}
	}
}

// An object with members of a home is one listing, whatever else it has, and any other one holds those
// in its data. If it may be either, the error names both.
func TestListingOrContainer(t *testing.T) {
	const home = `"url":"https://x.example/55555","cost":900`
	unclear := func(identity, list string) string {
		return "in:1: this may be one listing, which has " + identity + ", or hold others in " + list +
			": put a single listing into an array, or send " + list + " alone"
	}
	for _, c := range []struct{ text, ids, err string }{
		{`{` + home + `,"items":[]}`, "1", ""},
		{`{` + home + `,"results":["balcony"]}`, "1", ""},
		{`{` + home + `,"data":{"floor":3}}`, "1", ""},
		{`{` + home + `,"items":[{"id":"similar","cost":5}]}`, "1", ""},
		{`{` + home + `,"Listings":[{"id":"a"}]}`, "1", ""},
		{`{` + home + `,"event":"test"}`, "1", ""},
		{`{"id":"a","title":"T","items":[]}`, "a", ""},
		{`{"id":"a","items":["balcony"]}`, "a", ""},
		{`{"id":"a"}`, "a", ""},
		{`{"id":"srch","data":[{"id":"a"},{"id":"b"}]}`, "a b", ""},
		{`{"url":"https://x.example/search","items":[{"url":"https://x.example/66666"},{"id":"b"}],"total":2}`, "1 b", ""},
		{`{"id":"srch","data":{"id":"a","cost":1}}`, "a", ""},
		{`{"id":"srch","data":[]}`, "", ""},
		{`{"id":null,"url":"","title":"Search","items":[{"id":"a"}]}`, "a", ""},
		{`{"ID":"srch","title":"Search","data":[{"id":"a"}]}`, "a", ""},
		{`{"Data":[{"id":"b"}],"data":[{"id":"a"}]}`, "a", ""},
		{`{"data":[{"id":"b"}],"data":[{"id":"a"}]}`, "a", ""},
		{`{"id":"a","title":"T","items":[{"id":"b"}]}`, "", unclear("id and title", "items")},
		{`{"url":"https://x.example/1","rooms":2,"data":{"id":"b"}}`, "", unclear("url and rooms", "data")},
		{`{"id":"a","items":[]}`, "", unclear("id", "items")},
		{`[{"id":"a","title":"T","items":[{"id":"b"}]}]`, "a", ""},
	} {
		listings, err := readListings("in", []byte(c.text))
		var ids []string
		for _, listing := range listings.Flats {
			id := listingID(listing)
			if listing["id"] == nil {
				id = "1" // its id is made of its link
			}
			ids = append(ids, id)
		}
		isExpected := err == nil && c.err == "" || err != nil && err.Error() == c.err
		if got := strings.Join(ids, " "); got != c.ids || !isExpected {
			t.Errorf("%s: %q, %v; want %q, %s", c.text, got, err, c.ids, c.err)
		}
	}
}

// The error of a text that is no import names what it looks like, and the line.
func TestForeignContainers(t *testing.T) {
	const python, excel = ": this looks like Python's own notation: write it with json.dump",
		"in:1: this looks like an Excel file: save it as CSV"
	const nan = "in:1:17: JSON has no NaN, Infinity or undefined: write null"
	const after = "nothing may follow the last bracket: remove this, or a bracket too many before it"
	for _, c := range []struct{ text, want string }{
		{"<!DOCTYPE html>\n<html>", "in:1: this looks like a web page, perhaps one that asks to sign in: want JSON or CSV"},
		{" <html>", "in:1: this looks like a web page, perhaps one that asks to sign in: want JSON or CSV"},
		{`<?xml version="1.0"?><a/>`, "in:1: this looks like XML: want JSON or CSV"},
		{"%PDF-1.7\n\xe2\xe3", "in:1: this looks like a PDF: want JSON or CSV"},
		{"PK\x03\x04\x14\x00xl/workbook.xml\xff", excel},
		{"\xd0\xcf\x11\xe0\xa1\xb1", excel},
		{"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
			"in:1: this looks like a spreadsheet: save it as CSV"},
		{"PK\x03\x04listings.json", "in:1: this looks like a packed file: unpack it, or pack it with gzip"},
		{"BZh11AY&SY", "in:1: this looks like a packed file: unpack it, or pack it with gzip"},
		{"BZh91AY&SY", "in:1: this looks like a packed file: unpack it, or pack it with gzip"},
		{"\x28\xb5\x2f\xfd\x04", "in:1: this looks like a packed file: unpack it, or pack it with gzip"},
		{"[{'id': 1}]", "in:1:3: write double quotes, not single ones" + python},
		{"{'id': 1}", "in:1:2: write double quotes, not single ones" + python},
		{"[{\"id\": 1,\n\"area\": None}]", "in:2:9: write null" + python},
		{`{"id":1,"b":True}`, "in:1:13: write true, false and null in lower case" + python},
		{"{\"id\":1}\n{\"id\":2,\"b\":False}", "in:2:13: write true, false and null in lower case" + python},
		{`[{"id":1,"cost":NaN}]`, nan},
		{`[{"id":1,"cost":nan}]`,
			nan},
		{`[{"id":1,"cost":-Infinity}]`,
			nan},
		{`[{"id":1,"cost":undefined}]`,
			nan},
		{"[\x00{\x00\"\x00", "in:1:2: this looks like UTF-16 without a byte order mark: save it as UTF-8"},
		{"[{\"id\":1,\n\"title\":\"Caf\xe9\"}]", "in:2: byte 0xe9 is not UTF-8: save the text as UTF-8"},
		{"id;title\n1;Caf\xe9", "in:2: byte 0xe9 is not UTF-8: save the text as UTF-8"},
		{"\xff\xfe[\x00]", "in:1: the UTF-16 ends in the middle of a character"},
		{"\xff\xfe\x00\xd8", "in:1: the UTF-16 ends in the middle of a character"},
		{"\xff\xfe\x00\xdc[\x00", "in:1: the UTF-16 has half a character"},
		{"{\"id\":1}\n{\"id\":2,\n\"cost\":\"x\"}", `in:2: cost: want a finite number or null, got "x"`},
		{"{\"id\":1}\n\n{\"id\":2,\n\"cost\"", "in:4:7: a colon is missing after the name"},
		{"{\"id\":1}\n{\"id\":2}\n5", "in:3: want an object, got 5"},
		{"{\"id\":1}\n{\"id\":2}\n]", "in:3:1: " + after},
		{"{\"id\":1}\n5", "in:2:1: " + after},
		{`{"items":[{"id":1,"cost":{}}]}`, "in:1: cost: want a finite number or null, got {}"},
		// Where one line has several listings, the error names the one.
		{`[{"id":1},{"id":"2@s","cost":"x"}]`, `in:1: listing 2 (2@s): cost: want a finite number or null, got "x"`},
		{`{"data":[{"id":1,"cost":"x"},{"id":2}]}`, `in:1: listing 1 (1): cost: want a finite number or null, got "x"`},
		{`[{"id":1},{"title":"Loft"}]`, "in:1: listing 2 (Loft): " + noID},
		{"just a text", "in:1: want JSON, or CSV with a header that names fields, such as id, url, title and cost, " +
			"got just a text"},
	} {
		if _, err := readListings("in", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// A gzipped text is unpacked to its limit, in each way of importing.
func TestUnpack(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	for _, c := range []struct{ text, want, err string }{
		{"plain", "plain", ""},
		{gzipped("text"), "text", ""},
		{gzipped("te") + gzipped("xt"), "text", ""},
		{gzipped(strings.Repeat("x", limit)), strings.Repeat("x", limit), ""},
		{gzipped(strings.Repeat("x", limit+1)), "", "too large when it is unpacked: more than 1024 bytes"},
		{gzipped("text")[:15], "", "damaged gzip: unexpected EOF"},
		{"\x1f\x8bx", "", "damaged gzip: unexpected EOF"},
		{gzipped("text") + "\n", "", "damaged gzip: 1 bytes that are not gzip follow its end"},
		{gzipped("te") + gzipped("xt") + "more than a header", "",
			"damaged gzip: 18 bytes that are not gzip follow its end"},
		{gzipped("te") + gzipped("xt")[:15], "", "damaged gzip: unexpected EOF"},
		{gzipped("te") + gzipped(strings.Repeat("x", limit-1)), "", "too large when it is unpacked: more than 1024 bytes"},
	} {
		got, err := unpack([]byte(c.text), limit)
		if string(got) != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%q: %q, %v; want %q, %s", c.text, got, err, c.want, c.err)
		}
	}
	s := newService(t, "[]", "[]")
	s.refuse(s.ask("POST", "/api/v1/import", gzipped("[]")[:10]), 400, "The body is damaged gzip: unexpected EOF.")
	s.refuse(s.ask("POST", "/api/v1/import", gzipped(strings.Repeat(" ", maxImportBody+1))), 413,
		"The body is too large when it is unpacked: more than 67108864 bytes.")
	s.want(s.ask("POST", "/api/v1/import", gzipped(gzipped(`{"id":1}`)), "Content-Encoding", "gzip"), 200,
		`{"data":{"added":1,"updated":0,"unchanged":0,"gone":0}}`)
}

// Whatever the text, reading it neither panics nor accepts a listing that cannot be read again.
func FuzzContainer(f *testing.F) {
	for _, text := range []string{`[{"id":1}]`, "{\"id\":1}\n{\"url\":\"http://a.example/1\"}", "id,cost\n1,2\n",
		"url;price;sqft\nhttp://a.example/1;$450K;700", `{"items":[{"id":"a","cost":"1 240"}]}`,
		gzipped(`{"id":1}`), inUTF16(`{"id":1}`, binary.LittleEndian), "PK\x03\x04", "[{'id': None}]",
		`{"provider":"p","priceChanges":[{"id":1,"newPrice":"1 €","title":"<b>a</b>"}]}`,
		`[{"id":1,"photos":"//a/1.jpg, www.b/2.jpg","address":{"city":"x"},"details":{"a":"&amp;"}}]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		unpacked, err := unpack(text, 1<<16)
		if err != nil {
			return
		}
		listings, err := readListings("in", unpacked)
		if err != nil {
			return
		}
		listings.Plain, listings.Own = true, true
		again, err := readListings("again", []byte(encodeJSON(listings)))
		if err != nil || encodeJSON(again.Flats) != encodeJSON(listings.Flats) {
			t.Errorf("%q: %v\nfirst %s\nagain %s", text, err, encodeJSON(listings.Flats), encodeJSON(again.Flats))
		}
	})
}
