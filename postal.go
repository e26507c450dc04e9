package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file is the reference data: postal codes, the files they come in, and
// which of them a search constraint knows.

// PostalCode is a record of the open data; the json tags name its fields in
// lists, filters and sort keys. It never changes once it is loaded.
type PostalCode struct {
	PostalCode Text   `json:"postal_code"`
	Name       Text   `json:"name"`
	Lat        Number `json:"lat"`
	Lng        Number `json:"lng"`
	Area       Text   `json:"area"`

	served string // as it is served in a list
	inFlat string // as it is served in a flat, api.md 2.2
}

var postalFields = fieldsOf[PostalCode]()

// JSON is the record as it is served in a list.
func (c *PostalCode) JSON() string { return c.served }

// Code is the postal code of a flat. It is stored as a string, which is its
// key, and served as an object (api.md 2.2).
type Code struct {
	Text
	record *PostalCode // nil where no file has it
}

// JSON is the object, {} where there is no record.
func (c *Code) JSON() string {
	if c.record == nil {
		return "{}"
	}
	return c.record.inFlat
}

// share does nothing: what is served is not the text.
func (c *Code) share(string) {}

// PostalCodes are the codes of all files, and those of each constraint. They
// do not change, and the nil value has none.
type PostalCodes struct {
	*Table[PostalCode]
	all          *snapshot[PostalCode]
	byConstraint map[string]map[string]*PostalCode // constraint, then code
}

// loadPostalCodes reads files in one of three formats, told by their first
// character and line:
//
//   - a JSON array of objects with the fields of [PostalCode];
//   - CSV with a header that names these fields in any order, others ignored;
//   - GeoNames' postal-code file: tab-separated, no header, in its columns.
//
// An error names file, line and field.
func loadPostalCodes(files []string, constraints map[string]Constraint) (*PostalCodes, error) {
	var rows []*PostalCode
	for _, file := range files {
		text, err := readExisting(file, mostFile)
		if err != nil {
			return nil, fmt.Errorf("postal codes: %w", err)
		}
		codes, err := readPostalCodes(file, text)
		if err != nil {
			return nil, err
		}
		rows = append(rows, codes...)
	}
	return newPostalCodes(rows, constraints), nil
}

// readExisting reads a file that must be there, of at most some bytes.
func readExisting(name string, most int64) ([]byte, error) {
	text, info, err := readAll(osDisk{}, name, most)
	if err == nil && info == nil {
		err = fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	return text, err
}

// newPostalCodes takes records, and the constraints whose areas limit them.
func newPostalCodes(records []*PostalCode, constraints map[string]Constraint) *PostalCodes {
	rows := make([]uint32, len(records))
	for i := range rows {
		rows[i] = uint32(i)
	}
	p := &PostalCodes{&Table[PostalCode]{fields: postalFields}, (&snapshot[PostalCode]{}).withRecords(rows, records), map[string]map[string]*PostalCode{}}
	for name, constraint := range constraints {
		codes := map[string]*PostalCode{}
		for _, record := range records {
			code := record.PostalCode.String()
			if codes[code] == nil && (constraint.Areas == nil || slices.Contains(constraint.Areas, record.Area.String())) {
				codes[code] = record
			}
		}
		p.byConstraint[name] = codes
	}
	return p
}

// Find answers a query about all codes.
func (p *PostalCodes) Find(work *task, q *Query) (Page[PostalCode], error) {
	return p.find(work, p.all, q, nil)
}

// get returns the record of a code among those loaded for a constraint, the
// first one in the order of the files; nil where there is none.
func (p *PostalCodes) get(constraint, code string) *PostalCode {
	if p == nil {
		return nil
	}
	return p.byConstraint[constraint][code]
}

// readPostalCodes reads the text of a file; name is for errors.
func readPostalCodes(name string, text []byte) ([]*PostalCode, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if at := invalidUTF8(text); at >= 0 {
		return nil, fmt.Errorf("%s:%d: byte %#x is not UTF-8", name, line(text, at), text[at])
	}
	header, _, _ := bytes.Cut(text, []byte("\n"))
	switch {
	case bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")):
		return readObjects(name, text, newPostalCode)
	case bytes.Count(header, []byte("\t")) >= 10:
		return readGeoNames(name, string(text))
	}
	r := csv.NewReader(bytes.NewReader(text))
	if bytes.Count(header, []byte(";")) > bytes.Count(header, []byte(",")) {
		r.Comma = ';'
	}
	return readPostalCSV(name, r)
}

// readPostalCSV reads rows below a header.
func readPostalCSV(name string, r *csv.Reader) ([]*PostalCode, error) {
	var codes []*PostalCode
	var columns []string
	for {
		cells, err := r.Read()
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse):
			return nil, fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
		case err == io.EOF && columns == nil:
			return nil, fmt.Errorf("%s:1: the file is empty", name)
		case err == io.EOF:
			return codes, nil
		case columns == nil:
			for _, cell := range cells {
				columns = append(columns, strings.ToLower(strings.TrimSpace(cell)))
			}
			for _, must := range []string{"postal_code", "name", "lat", "lng"} {
				if !slices.Contains(columns, must) {
					return nil, fmt.Errorf("%s:1: no column %q: want a header with postal_code, name, lat, lng and area, or GeoNames' tab-separated file", name, must)
				}
			}
			continue
		}
		code, err := postalRow(columns, cells)
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		codes = append(codes, code)
	}
}

// readGeoNames reads the columns of download.geonames.org/export/zip/: country and
// postal code, place, three pairs of an area's name and code, latitude, longitude.
func readGeoNames(name, text string) ([]*PostalCode, error) {
	columns := []string{"postal_code", "name", "lat", "lng", "area"}
	var codes []*PostalCode
	for i, row := range strings.Split(text, "\n") {
		row = strings.TrimRight(row, "\r")
		if row == "" {
			continue
		}
		cells := strings.Split(row, "\t")
		if len(cells) < 11 {
			return nil, fmt.Errorf("%s:%d: want at least 11 columns separated by tabs, got %d", name, i+1, len(cells))
		}
		area := cells[0]
		if admin := cells[4]; admin != "" {
			area += "-" + admin
		}
		code, err := postalRow(columns, []string{cells[1], cells[2], cells[9], cells[10], area})
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// postalRow makes a code of the cells of a table, where an empty cell says
// nothing and columns that the model does not know are ignored.
func postalRow(columns, cells []string) (*PostalCode, error) {
	object := members{}
	for i, column := range slices.Backward(columns) { // the first one of a name counts
		number, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
		switch {
		case cells[i] == "":
		case (column == "lat" || column == "lng") && err == nil && !math.IsInf(number, 0) && !math.IsNaN(number):
			object[column] = json.RawMessage(encodeJSON(number))
		default:
			object[column] = json.RawMessage(encodeJSON(cells[i]))
		}
	}
	return newPostalCode(object)
}

// newPostalCode makes a code of an object with its fields.
func newPostalCode(object members) (*PostalCode, error) {
	c := &PostalCode{}
	for _, field := range postalFields.list {
		if text, ok := object[field.name]; ok {
			if err := field.value(c).set(string(text)); err != nil {
				return nil, fmt.Errorf("%s: %w", field.name, err)
			}
		}
	}
	switch lat, lng := c.Lat.Float(), c.Lng.Float(); {
	case c.PostalCode.String() == "":
		return nil, errors.New("postal_code: a record must have one")
	case math.Abs(lat) > 90:
		return nil, fmt.Errorf("lat: want at most 90 degrees either way, got %v", lat)
	case math.Abs(lng) > 180:
		return nil, fmt.Errorf("lng: want at most 180 degrees either way, got %v", lng)
	}
	c.served = postalFields.encode(c, "}")
	gps := "null"
	if c.Lat.Known() && c.Lng.Known() {
		gps = "[" + c.Lat.JSON() + "," + c.Lng.JSON() + "]"
	}
	c.inFlat = fmt.Sprintf(`{"postal_code":%s,"name":%s,"gps":%s}`, c.PostalCode.JSON(), c.Name.JSON(), gps)
	return c, nil
}
