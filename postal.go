package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file contains the reference data: postal codes, their file formats, and the
// postal codes of each constraint.

// PostalCode is an entry of the open data. The json tags name its fields in lists,
// filters and sort keys. A PostalCode does not change after it was loaded.
type PostalCode struct {
	PostalCode Text   `json:"postal_code"`
	Name       Text   `json:"name"`
	Lat        Number `json:"lat"`
	Lng        Number `json:"lng"`
	Area       Text   `json:"area"`

	served string // the JSON in a list
	inFlat string // the JSON in a flat
}

var postalFields = fieldsOf[PostalCode]()

// JSON returns the postal code as a list serves it.
func (c *PostalCode) JSON() string { return c.served }

// Code is the postal code of a flat. It is stored, filtered and sorted as a string, and
// served as an object.
type Code struct {
	Text
	entry *PostalCode // nil if no file has the code
}

// set is like [Text.set], but removes escapes, because the object that is served has none.
func (c *Code) set(json string) error {
	if strings.Contains(json, `\`) {
		json = encodeJSON(unquote(json))
	}
	return c.Text.set(json)
}

// JSON returns the object, {} if there is no entry.
func (c *Code) JSON() string {
	if c.entry == nil {
		return "{}"
	}
	return c.entry.inFlat
}

// share does nothing, because the text is not served.
func (c *Code) share(string) {}

// PostalCodes holds the postal codes of all files, and those of each constraint. It
// does not change. The nil value is empty.
type PostalCodes struct {
	*Table[PostalCode]
	all          *snapshot[PostalCode]
	byConstraint map[string]map[string]*PostalCode // by constraint, then by code
}

// loadPostalCodes reads files. Each has one of three formats, which is recognized by
// its first character and its first line:
//
//   - a JSON array of objects with the fields of [PostalCode];
//   - CSV with a header that names these fields in any order; other columns are ignored;
//   - the postal-code file of GeoNames: tab-separated, without a header.
//
// Errors name the file, the line and the field.
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

// newPostalCodes returns the postal codes of some entries. The areas of a constraint
// limit its entries.
func newPostalCodes(entries []*PostalCode, constraints map[string]Constraint) *PostalCodes {
	rows := make([]uint32, len(entries))
	for i := range rows {
		rows[i] = uint32(i)
	}
	p := &PostalCodes{
		Table:        newTable(postalFields),
		all:          (&snapshot[PostalCode]{}).withRecords(rows, entries),
		byConstraint: map[string]map[string]*PostalCode{},
	}
	for name, constraint := range constraints {
		codes := map[string]*PostalCode{}
		for _, entry := range entries {
			code := entry.PostalCode.String()
			inAreas := constraint.Areas == nil || slices.Contains(constraint.Areas, entry.Area.String())
			if codes[code] == nil && inAreas {
				codes[code] = entry
			}
		}
		p.byConstraint[name] = codes
	}
	return p
}

// Find answers a query about all postal codes.
func (p *PostalCodes) Find(work *task, q *Query) (Page[PostalCode], error) {
	return p.find(work, p.all, q, nil)
}

// get returns the first entry of a code among those of a constraint, in the order of
// the files, or nil.
func (p *PostalCodes) get(constraint, code string) *PostalCode {
	if p == nil {
		return nil
	}
	return p.byConstraint[constraint][code]
}

// readPostalCodes reads the text of a file. Errors begin with name.
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

// readPostalCSV reads a header and the rows below it.
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
					return nil, fmt.Errorf("%s:1: no column %q: want a header with postal_code, name, lat, lng and area, "+
						"or GeoNames' tab-separated file", name, must)
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

// readGeoNames reads the columns of download.geonames.org/export/zip/: country, postal
// code, place, the name and code of three areas, latitude, longitude.
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

// postalRow returns the postal code in a row of a table. Empty cells are null, and
// unknown columns are ignored.
func postalRow(columns, cells []string) (*PostalCode, error) {
	object := members{}
	for i, column := range slices.Backward(columns) { // the first column of a name counts
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

// newPostalCode returns the postal code that has the members of an object.
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
		return nil, errors.New("postal_code: must not be empty")
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
