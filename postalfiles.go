// Files of postal codes.

package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// loadPostalCodes reads files. Each has one of three formats, which is recognized by
// its first character and its first line:
//
//   - a JSON array of objects with the fields of [PostalCode];
//   - CSV with a header that names these fields in any order; other columns are ignored;
//   - the postal-code file of GeoNames: tab-separated, without a header.
//
// Errors name the file, the line and the field.
func loadPostalCodes(files []string, constraints map[string]Constraint) (*PostalCodes, error) {
	// Nearly all that is read stays, so the heap may be little larger than that.
	defer debug.SetGCPercent(debug.SetGCPercent(15))
	var entries []*PostalCode
	for _, file := range files {
		codes, err := loadPostalFile(file)
		if err != nil {
			return nil, err
		}
		entries = append(entries, codes...)
	}
	return newPostalCodes(entries, constraints), nil
}

// maxRow is the number of bytes of a row in a file of GeoNames.
const maxRow = 64 << 10

// loadPostalFile reads a file. It reads those of GeoNames line by line, because they may have
// hundreds of megabytes.
func loadPostalFile(file string) ([]*PostalCode, error) {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("postal codes: %w", err)
		}
		defer f.Close()
		r := bufio.NewReaderSize(f, maxRow)
		start, _ := r.Peek(r.Size())
		if isGeoNames(start) {
			return collected(func(add func(*PostalCode)) error { return newPostalReader(file).readGeoNames(r, add) })
		}
	}
	text, err := readExisting(file, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("postal codes: %s does not exist: get the file of your country from "+
			"https://download.geonames.org/export/zip/ and unzip it there, or remove it from postal_codes", file)
	}
	if err != nil {
		return nil, fmt.Errorf("postal codes: %w", err)
	}
	return readPostalCodes(file, text)
}

// A postalReader reads a file of postal codes. Names and areas that are equal share their memory.
type postalReader struct {
	name      string // of the file, for errors
	texts     map[string]string
	areaNames map[string]string // by area, as far as files of GeoNames tell them
}

func newPostalReader(name string) postalReader {
	return postalReader{name, map[string]string{}, map[string]string{}}
}

// collected returns the postal codes with which read calls add.
func collected(read func(add func(*PostalCode)) error) (codes []*PostalCode, err error) {
	err = read(func(c *PostalCode) { codes = append(codes, c) })
	return codes, err
}

// readText reads a text of GeoNames or CSV, and calls add for each postal code.
func (r postalReader) readText(text io.Reader, add func(*PostalCode)) error {
	in := bufio.NewReaderSize(text, maxRow)
	if start, _ := in.Peek(maxRow); isGeoNames(start) {
		return r.readGeoNames(in, add)
	}
	all, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	return r.readTable(all, add)
}

// readPostalCodes reads the text of a file. Errors begin with name.
func readPostalCodes(name string, text []byte) ([]*PostalCode, error) {
	r := newPostalReader(name)
	if bytes.HasPrefix(text, []byte("PK\x03\x04")) {
		return nil, fmt.Errorf("%s: this is a zip archive: unzip it, and name the file that was in it", name)
	}
	isJSON := bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n"), []byte("["))
	if isJSON && invalidUTF8(text) < 0 {
		return readObjects(name, text, parseObject, r.entry)
	}
	return collected(func(add func(*PostalCode)) error { return r.readText(bytes.NewReader(text), add) })
}

// readTable reads a table in CSV.
func (r postalReader) readTable(text []byte, add func(*PostalCode)) error {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if at := invalidUTF8(text); at >= 0 {
		return fmt.Errorf("%s:%d: byte %#x is not UTF-8", r.name, line(text, at), text[at])
	}
	header, _, _ := bytes.Cut(text, []byte("\n"))
	comma := ','
	if bytes.Count(header, []byte(";")) > bytes.Count(header, []byte(",")) {
		comma = ';'
	}
	rows, err := newCSVReader(r.name, text, comma)
	if err != nil {
		return err
	}
	return r.readCSV(rows, add)
}

// isGeoNames reports whether a text that is no JSON begins like a file of GeoNames.
func isGeoNames(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	header, _, _ := bytes.Cut(text, []byte("\n"))
	isJSON := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("["))
	return !isJSON && bytes.Count(header, []byte("\t")) >= 10
}

// readCSV reads a header and the rows below it.
func (r postalReader) readCSV(rows *csv.Reader, add func(*PostalCode)) error {
	header, err := readCSVLine(r.name, rows)
	if err == io.EOF {
		return fmt.Errorf("%s:1: the file is empty", r.name)
	}
	if err != nil {
		return err
	}
	var columns []string
	for _, cell := range header {
		columns = append(columns, strings.ToLower(strings.TrimSpace(cell)))
	}
	for _, required := range []string{"postal_code", "name", "lat", "lng"} {
		if !slices.Contains(columns, required) {
			return fmt.Errorf("%s:1: no column %q: want a header with postal_code, name, lat and lng, "+
				"and perhaps area, or GeoNames' tab-separated file", r.name, required)
		}
	}
	for {
		cells, err := readCSVLine(r.name, rows)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		code, err := r.row(columns, cells)
		if err != nil {
			line, _ := rows.FieldPos(0)
			return fmt.Errorf("%s:%d: %w", r.name, line, err)
		}
		add(code)
	}
}

// maxColumns is the largest number of cells in a row of CSV.
const maxColumns = 10_000

// newCSVReader returns a reader of the rows of a text (RFC 4180). A row with more than maxColumns
// cells is an error, because csv.Reader takes 80 bytes for each of them, however short it is.
func newCSVReader(name string, text []byte, comma rune) (*csv.Reader, error) {
	line, cells, isQuoted := 1, 1, false
	for _, c := range text {
		switch {
		case c == '"':
			isQuoted = !isQuoted // a quotation mark within a cell stands twice
		case c == '\n' && isQuoted:
			line++
		case c == '\n':
			line, cells = line+1, 1
		case rune(c) == comma && !isQuoted:
			cells++
		}
		if cells > maxColumns {
			return nil, fmt.Errorf("%s:%d: the row has more than %d cells", name, line, maxColumns)
		}
	}
	rows := csv.NewReader(bytes.NewReader(text))
	rows.Comma = comma
	return rows, nil
}

// readCSVLine reads the cells of a line. Errors name the line, except io.EOF after the last one.
func readCSVLine(name string, r *csv.Reader) (cells []string, err error) {
	cells, err = r.Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		err = fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	return cells, err
}

// readGeoNames reads the columns of download.geonames.org/export/zip/: country, postal
// code, place, the name and code of three areas, latitude, longitude.
func (r postalReader) readGeoNames(text *bufio.Reader, add func(*PostalCode)) error {
	columns := []string{"postal_code", "name", "lat", "lng", "area"}
	for n := 1; ; n++ {
		read, err := text.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			return fmt.Errorf("%s:%d: the row has more than %d bytes", r.name, n, text.Size())
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("postal codes: %w", err)
		}
		isLast := err == io.EOF
		row := strings.TrimRight(string(read), "\r\n")
		if n == 1 {
			row = strings.TrimPrefix(row, "\uFEFF")
		}
		if row != "" {
			code, err := r.geoName(columns, row)
			if err != nil {
				return fmt.Errorf("%s:%d: %w", r.name, n, err)
			}
			add(code)
		}
		if isLast {
			return nil
		}
	}
}

// geoName reads a line of readGeoNames.
func (r postalReader) geoName(columns []string, row string) (*PostalCode, error) {
	if at := invalidUTF8([]byte(row)); at >= 0 {
		return nil, fmt.Errorf("byte %#x is not UTF-8", row[at])
	}
	cells := strings.SplitN(row, "\t", 12)
	if len(cells) < 11 {
		return nil, fmt.Errorf("want at least 11 columns separated by tabs, got %d", len(cells))
	}
	area := cells[0]
	if admin := cells[4]; admin != "" {
		area += "-" + admin
	}
	if cells[3] != "" && r.areaNames[area] == "" {
		r.areaNames[area] = strings.Clone(cells[3])
	}
	return r.row(columns, []string{cells[1], cells[2], cells[9], cells[10], area})
}

// row returns the postal code in a row of a file. Empty cells are null, and
// unknown columns are ignored. It makes no JSON of the row, because files have millions of them.
func (r postalReader) row(columns, cells []string) (*PostalCode, error) {
	cell := func(name string) string { // the first that is not empty, if several columns have the name
		for i, column := range columns {
			if column == name && cells[i] != "" {
				return cells[i]
			}
		}
		return ""
	}
	c := &PostalCode{
		PostalCode: *newText(cell("postal_code")),
		Name:       *newText(cell("name")),
		Area:       *newText(cell("area")),
	}
	if err := c.Lat.setCell(cell("lat")); err != nil {
		return nil, fmt.Errorf("lat: %w", err)
	}
	if err := c.Lng.setCell(cell("lng")); err != nil {
		return nil, fmt.Errorf("lng: %w", err)
	}
	return c, r.finish(c)
}

// entry returns the postal code that has the members of an object.
func (r postalReader) entry(object members) (*PostalCode, error) {
	c := &PostalCode{}
	for _, field := range postalFields.list {
		if text, ok := object[field.name]; ok {
			if err := field.value(c).setJSON(string(text)); err != nil {
				return nil, fmt.Errorf("%s: %w", field.name, err)
			}
		}
	}
	return c, r.finish(c)
}

// finish checks a postal code, and lets it share its texts.
func (r postalReader) finish(c *PostalCode) error {
	switch {
	case c.PostalCode.String() == "":
		return errors.New("postal_code: must not be empty")
	case math.Abs(c.Lat.number) > 90:
		return fmt.Errorf("lat: want at most 90 degrees either way, got %v", c.Lat.number)
	case math.Abs(c.Lng.number) > 180:
		return fmt.Errorf("lng: want at most 180 degrees either way, got %v", c.Lng.number)
	}
	for _, text := range []*Text{&c.Name, &c.Area} {
		if r.texts[text.json] == "" {
			r.texts[text.json] = text.json
		}
		text.json = r.texts[text.json]
	}
	return nil
}
