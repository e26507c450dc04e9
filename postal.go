package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
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

	json  string // as it is served in a list, behind a comma
	place string // as it is served in a flat, api.md 2.2
}

var (
	postalFields = fieldsOf(func(c *PostalCode) string { return c.json })
	codeField    = postalFields.byName["postal_code"]
)

// PostalCodes are the codes of all files, and those of each constraint. They
// do not change, and the nil value has none.
type PostalCodes struct {
	*Table[PostalCode]
	areas        map[string][]string               // of each constraint; nil takes every area
	byConstraint map[string]map[string]*PostalCode // constraint, then code
}

// loadPostalCodes reads files in one of three formats, told by their first
// character and line:
//
//   - a JSON array of objects with the fields of [PostalCode];
//   - CSV with a header that names these fields in any order, others ignored;
//   - GeoNames' postal-code file: tab-separated, no header, in its columns.
//
// areas are those of each constraint. An error names file, line and field.
func loadPostalCodes(files []string, areas map[string][]string) (*PostalCodes, error) {
	var rows []*PostalCode
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("postal codes: %w", err)
		}
		codes, err := readPostalCodes(file, string(text))
		if err != nil {
			return nil, err
		}
		rows = append(rows, codes...)
	}
	return newPostalCodes(rows, areas), nil
}

func newPostalCodes(rows []*PostalCode, areas map[string][]string) *PostalCodes {
	p := &PostalCodes{newTable(postalFields, func(c *PostalCode) string { return c.json }, rows), areas, map[string]map[string]*PostalCode{}}
	for constraint, areas := range areas {
		codes := map[string]*PostalCode{}
		for _, row := range rows {
			if areas != nil && !slices.Contains(areas, row.Area.in(row.json)) {
				continue
			}
			if code := row.PostalCode.in(row.json); codes[code] == nil {
				codes[code] = row
			}
		}
		p.byConstraint[constraint] = codes
	}
	return p
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
func readPostalCodes(name, text string) ([]*PostalCode, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	if err := (&scanner{text: text}).utf8(); err != nil {
		return nil, fmt.Errorf("%s: %w", place(name, text, err), err)
	}
	line, _, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "["):
		return readPostalJSON(name, text)
	case strings.Count(line, "\t") >= 10:
		return readGeoNames(name, text)
	}
	return readPostalCSV(name, text)
}

func readPostalJSON(name, text string) ([]*PostalCode, error) {
	var codes []*PostalCode
	err := eachObject(name, text, func(members []member, at int) error {
		code := &PostalCode{}
		var all literals
		for _, m := range members {
			i, ok := postalFields.byName[m.name]
			if !ok {
				continue
			}
			if err := postalFields.set(code, &all, i, m.literal); err != nil {
				return &fieldError{m.name, m.at, err}
			}
		}
		if err := code.seal(&all); err != nil {
			err.at = at
			return err
		}
		codes = append(codes, code)
		return nil
	})
	return codes, err
}

func readPostalCSV(name, text string) ([]*PostalCode, error) {
	r := csv.NewReader(strings.NewReader(text))
	line, _, _ := strings.Cut(text, "\n")
	if strings.Count(line, ";") > strings.Count(line, ",") {
		r.Comma = ';'
	}
	header, err := r.Read()
	if err != nil {
		return nil, csvError(name, err)
	}
	columns := make([]string, len(header))
	for i, column := range header {
		columns[i] = strings.ToLower(strings.TrimSpace(column))
	}
	for _, must := range []string{"postal_code", "name", "lat", "lng"} {
		if !slices.Contains(columns, must) {
			return nil, fmt.Errorf("%s:1: no column %q: want a header with postal_code, name, lat, lng and area, or GeoNames' tab-separated file", name, must)
		}
	}
	var codes []*PostalCode
	for {
		record, err := r.Read()
		if err == io.EOF {
			return codes, nil
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		line, _ := r.FieldPos(0)
		code, err := postalRecord(columns, record)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		codes = append(codes, code)
	}
}

func csvError(name string, err error) error {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %w", name, parse.Line, parse.Err)
	}
	if err == io.EOF {
		return fmt.Errorf("%s:1: the file is empty", name)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// readGeoNames reads the columns that download.geonames.org/export/zip/
// documents: country code, postal code, place name, three pairs of an
// administrative name and code, latitude, longitude, accuracy.
func readGeoNames(name, text string) ([]*PostalCode, error) {
	columns := []string{"postal_code", "name", "lat", "lng", "area"}
	var codes []*PostalCode
	line := 0
	for row := range strings.Lines(text) {
		line++
		row = strings.TrimRight(row, "\r\n")
		if row == "" {
			continue
		}
		cells := strings.Split(row, "\t")
		if len(cells) < 11 {
			return nil, fmt.Errorf("%s:%d: want at least 11 columns parted by tabs, got %d", name, line, len(cells))
		}
		area := cells[0]
		if admin := cells[4]; admin != "" {
			area += "-" + admin
		}
		code, err := postalRecord(columns, []string{cells[1], cells[2], cells[9], cells[10], area})
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// postalRecord makes a code of the cells of a table, where an empty cell says
// nothing and columns that the model does not know are passed over.
func postalRecord(columns, cells []string) (*PostalCode, error) {
	code := &PostalCode{}
	var all literals
	for i, cell := range cells {
		field, ok := postalFields.byName[columns[i]]
		if !ok || cell == "" {
			continue
		}
		literal := quote(cell)
		if _, ok := postalFields.list[field].at(code).(*Number); ok {
			number, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil {
				return nil, &fieldError{name: columns[i], err: wrongType("a number", strconv.Quote(cell))}
			}
			literal = formatNumber(number)
		}
		if err := postalFields.set(code, &all, field, literal); err != nil {
			return nil, &fieldError{name: columns[i], err: err}
		}
	}
	if err := code.seal(&all); err != nil {
		return nil, err
	}
	return code, nil
}

// seal checks what a code must have, and writes it as it is served.
func (c *PostalCode) seal(all *literals) *fieldError {
	if unquote(all[codeField]) == "" {
		return &fieldError{name: "postal_code", err: errors.New("a record must have one")}
	}
	for _, axis := range []struct {
		name    string
		degrees float64
		most    float64
	}{{"lat", c.Lat.Float(), 90}, {"lng", c.Lng.Float(), 180}} {
		if math.Abs(axis.degrees) > axis.most {
			return &fieldError{name: axis.name, err: fmt.Errorf("want at most %v degrees either way, got %v", axis.most, axis.degrees)}
		}
	}
	var b strings.Builder
	b.WriteByte(',')
	postalFields.write(&b, c, all)
	b.WriteByte('}')
	c.json = b.String()
	gps := "null"
	if c.Lat.Known() && c.Lng.Known() {
		gps = "[" + c.Lat.of(c.json) + "," + c.Lng.of(c.json) + "]"
	}
	c.place = fmt.Sprintf(`{"postal_code":%s,"name":%s,"gps":%s}`, c.PostalCode.of(c.json), c.Name.literal(c.json), gps)
	return nil
}
