// What a text looks like that holds no listings.

package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// foreignKind returns a clause that names the format of a text, if the text looks like a format that an
// import cannot read, or "".
func foreignKind(text []byte) string {
	if bytes.HasPrefix(text[min(len(text), tarMark):], []byte("ustar")) {
		return `this looks like a tar archive: unpack it, or restore it with "flats restore" if it is a backup`
	}
	if bytes.HasPrefix(text, []byte("BZh")) && bytes.HasPrefix(text[min(len(text), 4):], []byte("1AY&SY")) {
		return packedKind // by bzip2: a digit between the two is its level
	}
	for _, kind := range []struct{ start, clause string }{
		// Letters also match capital letters.
		{"pk\x03\x04", archiveKind(text)}, // zip, xlsx and ods
		{"\xd0\xcf\x11\xe0", excelKind},   // xls
		{"%pdf", "this looks like a PDF: want JSON or CSV"},
		{"\x28\xb5\x2f\xfd", packedKind}, // zstd
		{"\xfd7zxz", packedKind},         // xz
		{"7z\xbc\xaf", packedKind},
		{"rar!\x1a", packedKind},
		{"<?xml", "this looks like XML: want JSON or CSV"}, {"<rss", "this looks like XML: want JSON or CSV"},
		{"<feed", "this looks like XML: want JSON or CSV"},
		{"<", "this looks like a web page, perhaps one that asks to sign in: want JSON or CSV"},
	} {
		start := text[:min(len(text), len(kind.start))]
		if strings.EqualFold(string(start), kind.start) {
			return kind.clause
		}
	}
	return ""
}

// tarMark is the offset of the mark of a tar archive.
const tarMark = 257

// binaryKind returns a clause that names the kind of a text that is not UTF-8, if it looks like no text at all, or "".
func binaryKind(text []byte) string {
	if bytes.HasPrefix(text, []byte("[")) || bytes.HasPrefix(text, []byte("{")) {
		return ""
	}
	kind := http.DetectContentType(text)
	isImage := strings.HasPrefix(kind, "image/") && kind != "image/bmp" // a text may begin with BM
	isFromPhone := bytes.HasPrefix(text[min(len(text), 4):], []byte("ftyp"))
	switch {
	case isImage || isFromPhone || strings.HasPrefix(kind, "video/"):
		return "this looks like a photo or a video: want JSON or CSV"
	case kind == "application/octet-stream":
		return "this is no text in UTF-8: want JSON or CSV"
	}
	return ""
}

const (
	excelKind  = "this looks like an Excel file: save it as CSV"
	packedKind = "this looks like a packed file: unpack it, or pack it with gzip"
)

// archiveKind returns the clause for a zip file, which may be a spreadsheet. The names of the files in it, and the type
// of an ods file, are not packed.
func archiveKind(text []byte) string {
	switch {
	case bytes.Contains(text, []byte("xl/")):
		return excelKind
	case bytes.Contains(text, []byte("opendocument.spreadsheet")):
		return "this looks like a spreadsheet: save it as CSV"
	}
	return packedKind
}

const (
	wantedListing = `{"id": "1", "title": "Two rooms"}`
	wantedList    = "[" + wantedListing + "]"
)

// otherKind returns a clause that says what an object is that has no member of a listing.
func otherKind(object members) string {
	isConfig := slices.ContainsFunc(configMembers, object.has)
	isNoObject := func(value json.RawMessage) bool { return !bytes.HasPrefix(value, []byte("{")) }
	values := slices.Collect(maps.Values(object))
	hasListings := len(values) > 1 && !slices.ContainsFunc(values, isNoObject)
	switch {
	case isConfig:
		return "this looks like the config or the settings of flats: want listings"
	case hasListings:
		return "want a list of listings in [ ], got an object of objects: leave out their names"
	}
	return "this object has no id, no link and no other member of a listing: want a list such as " + wantedList
}

// configMembers are keys of the config that no listing has.
var configMembers = strings.Fields("addr website_url postal_codes people notify travel mailbox constraints timezone " +
	"keep_photos max_photos feed_token import_token who_we_are map_tiles")
