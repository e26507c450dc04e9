// CSV: tables of listings that come in, with a column for each field, and records that go out.

package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"flats/internal/listing"
	"flats/internal/turns"
)

// columnFields has the fields of columns that are not named like a field, by the names of the columns. The texts for
// the location are joined. lat and lng become the member gps of details.
var columnFields = map[string]string{
	"url": "urls", "link": "urls", "property_url": "urls",
	"price": "cost", "rent": "cost", "list_price": "cost",
	"size": "area", "surface": "area", "sqm": "area", "m2": "area", "m²": "area", "sqft": "area",
	"beds":    "bedrooms",
	"address": "location", "street": "location", "city": "location", "state": "location",
	"zip": "service_postal_code", "zip_code": "service_postal_code", "postcode": "service_postal_code",
	"postal_code": "service_postal_code",
	"image":       "photos", "primary_photo": "photos", "alt_photos": "photos",
	"description": "text",
	"latitude":    "lat", "lat": "lat", "longitude": "lng", "lng": "lng", "lon": "lng",
}

// A column is a column of a table.
type column struct {
	name  string // as the header has it
	key   string // the name in lower case, with "_" for spaces, as in columnFields
	field string // the field that it sets, lat, lng, or "" for a member of details
}

// A csvTable reads the rows of CSV as listings.
type csvTable struct {
	columns []column
	rows    *csv.Reader
}

// readCSV calls read with each row of CSV as a listing, up to the first error, and returns the results.
// The first row that is not blank is the header. It must name a field, and tells whether commas, semicolons or tabs
// separate the cells. Errors name the text as given and the line.
func readCSV(name string, text []byte, read func(object members) (members, error)) (listings []members, err error) {
	header, _, _ := bytes.Cut(bytes.TrimLeft(text, " \r\n"), []byte("\n"))
	rows, err := newCSVReader(name, text, delimiter(header))
	if err != nil {
		return nil, err
	}
	t := csvTable{rows: rows}
	t.rows.FieldsPerRecord = -1 // any number of cells: listing checks it
	t.rows.ReuseRecord = true
	cells := []string{""} // blank, so that the loop reads the first row
	line := 1             // of the header
	const want = "JSON, or CSV with a header that names fields, such as id, url, title and cost"
	for isBlank(cells) {
		if cells, err = readCSVLine(name, t.rows); err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%w: want %s", err, want)
		}
		line, _ = t.rows.FieldPos(0)
	}
	if !t.readHeader(cells) {
		return nil, fmt.Errorf("%s:%d: %w", name, line, unexpected(want, string(bytes.TrimSpace(header))))
	}
	for {
		cells, err := readCSVLine(name, t.rows)
		if err == io.EOF {
			return listings, nil
		}
		if err != nil {
			return nil, err
		}
		if isBlank(cells) {
			continue // spreadsheets write rows of empty cells
		}
		line, _ := t.rows.FieldPos(0)
		object, err := t.listing(cells)
		if err == nil {
			object, err = read(object)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		listings = append(listings, object)
	}
}

func isBlank(cells []string) bool { return strings.TrimSpace(strings.Join(cells, "")) == "" }

// delimiter returns what separates the cells of a header: the most frequent of comma, semicolon and tab.
func delimiter(header []byte) rune {
	most, mostFrequent := 0, ','
	for _, r := range ",;\t" {
		if n := bytes.Count(header, []byte(string(r))); n > most {
			most, mostFrequent = n, r
		}
	}
	return mostFrequent
}

// readHeader reads the header, and reports whether it names a field.
func (t *csvTable) readHeader(cells []string) (namesField bool) {
	for _, cell := range cells {
		c := column{name: strings.TrimSpace(cell)}
		c.key = strings.ReplaceAll(strings.ToLower(c.name), " ", "_")
		c.field = columnFields[c.key]
		if _, ok := flatFields.byName[c.key]; ok {
			c.field = c.key
		}
		namesField = namesField || c.field != ""
		t.columns = append(t.columns, c)
	}
	return namesField
}

// listing returns a row as a listing. Empty cells say nothing. A cell that no field takes becomes a member of details.
func (t *csvTable) listing(cells []string) (members, error) {
	row := csvRow{values: members{}, locationTexts: map[string]string{}}
	details := members{}
	for i, cell := range cells {
		cell = unescapeFormulas(cell)
		trimmed := strings.TrimSpace(cell)
		if trimmed == "" {
			continue
		}
		if i >= len(t.columns) {
			return nil, fmt.Errorf("want at most %d cells, as in the header, got %d", len(t.columns), len(cells))
		}
		c := t.columns[i]
		isTaken := row.take(c, cell)
		if !isTaken && c.name != "" && details[c.name] == nil {
			details.put(c.name, trimmed)
		}
	}
	if len(cells) < len(t.columns) {
		return nil, fmt.Errorf("want %d cells, as in the header, got %d", len(t.columns), len(cells))
	}
	if len(row.photos) > 0 && row.values["photos"] == nil {
		row.values.put("photos", row.photos)
	}
	setLocation(row.values, details, row.locationTexts)
	setDetails(row.values, details)
	return row.values, nil
}

// A csvRow collects the cells of a row that belong to fields.
type csvRow struct {
	values        members
	locationTexts map[string]string // by lat, lng, or the key of a column for the location
	photos        []string          // links, of cells with one link each
}

// take stores a cell, which is not blank, as a value of the field of its column. It reports false if the column has no
// field, if the text is no value of the field, or if an earlier column has another value of the field.
func (r *csvRow) take(c column, cell string) bool {
	trimmed := strings.TrimSpace(cell)
	switch {
	case c.field == "":
		return false
	case c.field == "location":
		return r.takeLocation(c.key, trimmed)
	case c.field == "lat" || c.field == "lng":
		return r.takeLocation(c.field, trimmed) // lat, also for a column named latitude
	case c.field == "photos" && trimmed[0] != '[': // one link; a JSON list is a value like others
		r.photos = append(r.photos, trimmed)
		return true
	case c.field == "status" && !slices.Contains(pageStatuses, readStatus(trimmed)):
		return false // a status of another program means nothing here
	}
	value := cellValue(c, cell)
	if r.values[c.field] == nil {
		r.values[c.field] = value
	}
	return string(r.values[c.field]) == string(value)
}

// takeLocation stores a text of the location under a key. It reports false if the row has one there already.
func (r *csvRow) takeLocation(key, text string) bool {
	if r.locationTexts[key] != "" {
		return false
	}
	r.locationTexts[key] = text
	return true
}

// cellValue returns a cell, which is not blank, as the JSON of its field.
func cellValue(c column, cell string) json.RawMessage {
	trimmed := strings.TrimSpace(cell)
	if c.key == "sqft" {
		if feet, ok := parseNumber(strings.ReplaceAll(trimmed, ",", "")); ok {
			squareMetres := math.Round(100*listing.SquareFoot*feet) / 100 // with two decimals
			return json.RawMessage(newNumber(squareMetres).JSON())
		}
		trimmed += " sqft" // an import reads the number in a text of area, such as "ca. 700 sqft"
	}
	switch new(Flat).field(flatFields.byName[c.field]).(type) { // the type of the field
	case *Text:
		return json.RawMessage(encodeJSON(cell)) // with its line breaks and indents
	case *Number, *Datetime, *Code, *Identifier: // one value, never a list; fitTypes reads a number in a text
		return json.RawMessage(encodeJSON(trimmed))
	}
	mayBeJSON := trimmed[0] == '[' || trimmed[0] == '{' // a bare number or word is a text
	if mayBeJSON && json.Valid([]byte(trimmed)) {
		return json.RawMessage(trimmed)
	}
	return json.RawMessage(encodeJSON(trimmed))
}

// setLocation sets the location, and the position in details. Cells of lat and lng that are no position stay in details
// as they are. texts has the cells by lat, lng, or the key of a column for the location.
func setLocation(values, details members, texts map[string]string) {
	location := joinParts(texts["address"], texts["street"], texts["location"], texts["city"], texts["state"])
	if location != "" {
		values.put("location", location)
	}
	if texts["lat"] == "" && texts["lng"] == "" {
		return
	}
	lat, isLat := parseNumber(texts["lat"])
	lng, isLng := parseNumber(texts["lng"])
	if isLat && isLng && onEarth(lat, lng) {
		details.put("gps", []json.RawMessage{json.RawMessage(newNumber(lat).JSON()),
			json.RawMessage(newNumber(lng).JSON())})
		return
	}
	for _, name := range []string{"lat", "lng"} {
		if text := texts[name]; text != "" {
			details.put(name, text)
		}
	}
}

// setDetails makes details the field details of a row. A column may also have the name details. If its cell has an
// object, the members of this object replace those of the same names. Any other cell becomes the member details.
func setDetails(values, details members) {
	if len(details) == 0 {
		return
	}
	if given := values["details"]; given != nil {
		var object members
		if json.Unmarshal(given, &object) != nil {
			details["details"] = given // no object
		}
		maps.Copy(details, object)
	}
	values.put("details", details)
}

// unescapeFormulas undoes escapeFormulas.
func unescapeFormulas(text string) string {
	var plain strings.Builder
	copied := 0
	for _, start := range formulaStarts(text) {
		if text[start] == '\'' {
			plain.WriteString(text[copied:start])
			copied = start + 1
		}
	}
	return plain.String() + text[copied:]
}

// writeCSV writes records as CSV with a header (RFC 4180). fields are the numbers of the fields to write, or nil for
// those that the API lists. A byte order mark tells Excel that the text is UTF-8.
func (t *Fields[R]) writeCSV(work *turns.Task, out *bufio.Writer, records []*R, fields []int) {
	if fields == nil {
		fields = t.listedFields()
	}
	cells := make([]string, len(fields))
	row := func(textOf func(field[R]) string) string { // a cell for each field
		for i, number := range fields {
			cells[i] = csvCell(textOf(t.list[number]))
		}
		return strings.Join(cells, ",") + "\r\n"
	}
	header := row(func(f field[R]) string { return f.name })
	out.WriteString("\uFEFF" + header)
	for _, r := range records {
		out.WriteString(row(func(f field[R]) string {
			text := f.value(r).String()
			work.Step(100 + 4*len(text)) // as long as a cell takes, in steps of a few nanoseconds
			_, decimals, _ := strings.Cut(text, ".")
			if f.isNumber() && len(decimals) == 3 {
				text += "0" // 1.240 may be 1240 where it is read again
			}
			return text
		}))
	}
}

// csvCell returns a text as a CSV cell that no spreadsheet takes for a formula. Unlike
// csv.Writer, it leaves line breaks in the text as they are.
func csvCell(text string) string {
	if _, isNumber := parseNumber(text); !isNumber {
		text = escapeFormulas(text)
	}
	if strings.ContainsAny(text, "\",\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// escapeFormulas writes an apostrophe before each =, +, - and @ that a spreadsheet may find at the
// start of a cell, and before the apostrophes there.
func escapeFormulas(text string) string {
	var escaped strings.Builder
	copied := 0
	for _, start := range formulaStarts(text) {
		escaped.WriteString(text[copied:start] + "'")
		copied = start
	}
	return escaped.String() + text[copied:]
}

// formulaStarts returns the offsets in the text of a cell at which a spreadsheet may see a formula: =, +, - or @ at the
// start of a cell, perhaps after apostrophes. A spreadsheet that separates cells by semicolons reads 1,"a;=b" as the
// cells 1,"a and =b": a quote that is not at the start of a cell has no effect there. So a cell may start at the start
// of the text, and after each semicolon, tab and line break in it.
func formulaStarts(text string) (starts []int) {
	atStart := true // of a cell
	for i, c := range []byte(text) {
		if atStart && strings.IndexByte("'=+-@", c) >= 0 {
			withoutApostrophes := strings.TrimLeft(text[i:], "'")
			if withoutApostrophes != "" && strings.IndexByte("=+-@", withoutApostrophes[0]) >= 0 {
				starts = append(starts, i)
			}
		}
		switch c {
		case ';', '\t', '\r', '\n':
			atStart = true
		case '"', ' ': // spreadsheets may drop these at the start of a cell
		default:
			atStart = false
		}
	}
	return starts
}
