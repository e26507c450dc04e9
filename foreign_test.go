// Tests of foreign.go.

package main

import (
	"io"
	"strings"
	"testing"
)

// TestImportOther tests that the error of a file that holds no listings says what it is, by each door.
func TestImportOther(t *testing.T) {
	const (
		config  = "1: this looks like the config or the settings of flats: want listings"
		listing = `want a listing, such as {"id": "1", "title": "Two rooms"}, got `
		other   = "1: this object has no id, no link and no other member of a listing: want a list such as " +
			`[{"id": "1", "title": "Two rooms"}]`
		tar   = `1: this looks like a tar archive: unpack it, or restore it with "flats restore" if it is a backup`
		photo = "1: this looks like a photo or a video: want JSON or CSV"
		noCSV = "want JSON, or CSV with a header that names fields, such as id, url, title and cost"
	)
	tarred := "flats.json" + strings.Repeat("\x00", tarMark-len("flats.json")) + "ustar\x0000"
	s := newService(t, "[]", "[]")
	for _, c := range []struct{ text, want string }{
		{`{"addr": "127.0.0.1:8080", "people": ["Ann", "Ben"]}`, config},
		{`{"timezone": "Europe/Paris"}`, config},
		{"{\n\"mailbox\": {\"url\": \"imaps://a@h/f\"}\n}\n", config},
		{`[{"name": "Two rooms", "query": "min[rooms]=2"}]`, other},
		{`{"type": "FeatureCollection", "features": [{"type": "Feature"}]}`, other},
		{`{"error": "Not Found", "status_code": 404}`, other},
		{`{"a": {"id": "1"}, "b": {"id": "2"}}`,
			"1: want a list of listings in [ ], got an object of objects: leave out their names"},
		{`["a", "b"]`, "1: " + listing + `"a"`},
		{`[["id", "title"], ["1", "x"]]`, "1: " + listing + `["id", "title"]`},
		{"{\"id\": 1}\n{\"id\": 2}\n[2]", "3: " + listing + "[2]"},
		{"null", "1: want a JSON array, got null"},
		{"{\\rtf1 hello}", `1:2: the name must stand in double quotes, like "name"`},
		{"addr = \"x\"\n",
			`1: put a cell that has a quotation mark into quotation marks, and write the mark as "": ` + noCSV},
		{"addr: 127.0.0.1\n", "1: " + noCSV + ", got addr: 127.0.0.1"},
		{tarred, tar},
		{gzipped(tarred), tar},
		{"\xff\xd8\xff\xe0\x00\x10JFIF\x00", photo},
		{"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", photo},
		{"GIF89a\x80\x00", photo},
		{"RIFF\x10\x80\x00\x00WEBPVP8 ", photo},
		{"\x00\x00\x00\x18ftypheic\x00\x80", photo},
		{"\x7fELF\x02\x01\x80", "1: this is no text in UTF-8: want JSON or CSV"},
		{"BMW;title\n1;Caf\xe9", "2: byte 0xe9 is not UTF-8: save the text as UTF-8"},
		{"ID3 of the flat;title\n1;Caf\xe9", "2: byte 0xe9 is not UTF-8: save the text as UTF-8"},
	} {
		s.refuse(s.ask("POST", "/api/v1/import", c.text), 400, "Nothing was imported: body:"+c.want+".")
		file := writeFile(t, t.TempDir(), "in", c.text)
		err := runImport(options{files: []string{file}}, &Config{MaxImport: 1 << 20}, io.Discard)
		if got, want := errorText(err), file+":"+c.want+" (nothing was imported)"; got != want {
			t.Errorf("%q: %s; want %s", c.text, got, want)
		}
	}
}
