// Postal codes: their files, and the code in an address; points and places.

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Constraint is a region in which to look for a home, such as a city.
type Constraint struct {
	Areas  []string         `json:"areas"`   // the areas of its postal codes; nil for all
	Places map[string]Place `json:"time_to"` // by name
}

// PostalCode is an entry of a postal-code file. The field tags name its fields in lists,
// filters and sort keys. A PostalCode never changes after it is loaded.
type PostalCode struct {
	PostalCode Text   `field:"postal_code"`
	Name       Text   `field:"name"`
	Lat        Number `field:"lat"`
	Lng        Number `field:"lng"`
	Area       Text   `field:"area"`

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

// JSON returns the postal code as an object, or {} if there is no entry.
func (c *Code) JSON() string {
	if c.entry == nil {
		return "{}"
	}
	return c.entry.inFlat
}

// at returns the latitude and longitude of the postal code, if they are known.
func (c *Code) at() (lat, lng float64, ok bool) {
	if c.entry == nil || !c.entry.Lat.Known() || !c.entry.Lng.Known() {
		return 0, 0, false
	}
	return c.entry.Lat.number, c.entry.Lng.number, true
}

// share does nothing: the object that is served cannot replace the stored code.
func (c *Code) share(string) {}

// PostalCodes holds the postal codes of all files, and finds those of a constraint. The codes
// never change, and the type is safe for concurrent use. A nil *PostalCodes is empty for get
// and in; other methods do not accept it.
type PostalCodes struct {
	*Table[PostalCode]
	all         *snapshot[PostalCode]
	constraints map[string]Constraint
	byCompact   map[string][]*PostalCode // by compact code, in the order of the files
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
	var entries []*PostalCode
	for _, file := range files {
		text, err := readExisting(file, maxFile)
		if err != nil {
			return nil, fmt.Errorf("postal codes: %w", err)
		}
		codes, err := readPostalCodes(file, text)
		if err != nil {
			return nil, err
		}
		entries = append(entries, codes...)
	}
	return newPostalCodes(entries, constraints), nil
}

// newPostalCodes indexes the entries. A constraint covers those in its areas, or all if it has
// no areas.
func newPostalCodes(entries []*PostalCode, constraints map[string]Constraint) *PostalCodes {
	rows := make([]uint32, len(entries))
	for i := range rows {
		rows[i] = uint32(i)
	}
	p := &PostalCodes{
		Table:       newTable(postalFields),
		all:         (&snapshot[PostalCode]{}).withRecords(rows, entries),
		constraints: constraints,
		byCompact:   map[string][]*PostalCode{},
	}
	for _, entry := range entries {
		code := compact(entry.PostalCode.String())
		p.byCompact[code] = append(p.byCompact[code], entry)
	}
	return p
}

// covers reports whether a postal code is one of the constraint's.
func (c Constraint) covers(entry *PostalCode) bool {
	return c.Areas == nil || slices.Contains(c.Areas, entry.Area.String())
}

// compact returns a code in lower case, without spaces and hyphens.
func compact(code string) string { return strings.ToLower(gaps.Replace(code)) }

var gaps = strings.NewReplacer(" ", "", "-", "")

// Find answers a query about all postal codes.
func (p *PostalCodes) Find(work *task, q *Query) (Page[PostalCode], error) {
	return p.find(work, p.all, q, nil), nil
}

// get returns the first entry of a code that a constraint covers, in the order of the files,
// or nil.
func (p *PostalCodes) get(constraint, code string) *PostalCode {
	if p == nil {
		return nil
	}
	c, ok := p.constraints[constraint]
	if !ok {
		return nil
	}
	// byCompact also has codes that differ in case, spaces or hyphens.
	for _, entry := range p.byCompact[compact(code)] {
		if entry.PostalCode.String() == code && c.covers(entry) {
			return entry
		}
	}
	return nil
}

// maxAddress is the maximum length of an address in bytes. A longer text is no address.
const maxAddress = 1000

// in returns the postal code in an address. If the address contains codes of the constraint, it
// must contain only one of them; otherwise it must contain only one code of all files. in returns
// "" if it contains none, or if it is not clear which one is meant.
func (p *PostalCodes) in(address, constraint string) string {
	if p == nil || len(address) > maxAddress {
		return ""
	}
	c, constrained := p.constraints[constraint]
	own, all := map[string]bool{}, map[string]bool{}
	for _, entry := range p.writtenIn(address) {
		code := entry.PostalCode.String()
		all[code] = true
		if constrained && c.covers(entry) {
			own[code] = true
		}
	}
	found := own
	if len(own) == 0 {
		found = all
	}
	if len(found) != 1 {
		return ""
	}
	code := slices.Collect(maps.Keys(found))[0]
	// The constraint may have the same code for another town, which the address does not name.
	isUnclear := len(own) == 0 && p.get(constraint, code) != nil
	if isUnclear || !constrained && p.isInSeveralCountries(code) {
		return ""
	}
	return code
}

// isInSeveralCountries reports whether the entries of a code are in more than one country.
// The country is the first part of an area.
func (p *PostalCodes) isInSeveralCountries(code string) bool {
	countries := map[string]bool{}
	for _, entry := range p.byCompact[compact(code)] {
		if entry.PostalCode.String() == code {
			country, _, _ := strings.Cut(entry.Area.String(), "-")
			countries[country] = true
		}
	}
	return len(countries) > 1
}

// writtenIn returns the entries whose codes occur in an address: as one word, or as two with
// only spaces or hyphens between them.
func (p *PostalCodes) writtenIn(address string) (found []*PostalCode) {
	all := words(address)
	isBreak := func(r rune) bool { return isSeparator(r) && r != '-' && !unicode.IsSpace(r) }
	for part := range strings.FieldsFuncSeq(address, isBreak) {
		list := words(part)
		for i := range list {
			for n := 1; n <= 2 && i+n <= len(list); n++ {
				span := list[i : i+n]
				// byCompact also has codes that must be written with a space or hyphen.
				for _, entry := range p.byCompact[strings.Join(span, "")] {
					if entry.matches(span) && !entry.mayBeHouseNumber(all) {
						found = append(found, entry)
					}
				}
			}
		}
	}
	return found
}

// matches reports whether words spell the code. A code with a space or a letter may also be
// written with more or fewer words: "1012 AB" as "1012AB". A code of digits and hyphens may not.
func (c *PostalCode) matches(written []string) bool {
	code := c.PostalCode.String()
	own := words(code)
	if slices.Equal(own, written) {
		return true
	}
	isSpaceOrLetter := func(r rune) bool { return r == ' ' || unicode.IsLetter(r) }
	maySplitOrJoin := strings.ContainsFunc(code, isSpaceOrLetter) && len(own) != len(written)
	return maySplitOrJoin && strings.Join(own, "") == strings.Join(written, "")
}

var (
	fiveDigits   = regexp.MustCompile(`([0-9].*){5}`)
	threeLetters = regexp.MustCompile(`(\pL.*){3}`)
)

// mayBeHouseNumber reports whether the code in an address may be a house number: it has fewer
// than five digits, and the first word of its name that has three letters is not in the address.
func (c *PostalCode) mayBeHouseNumber(address []string) bool {
	if fiveDigits.MatchString(c.PostalCode.String()) {
		return false
	}
	name := words(c.Name.String())
	i := slices.IndexFunc(name, threeLetters.MatchString)
	return i < 0 || !slices.Contains(address, name[i])
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
		return readObjects(name, text, parseObject, newPostalCode)
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
	header, err := readCSVLine(name, r)
	if err == io.EOF {
		return nil, fmt.Errorf("%s:1: the file is empty", name)
	}
	if err != nil {
		return nil, err
	}
	var columns []string
	for _, cell := range header {
		columns = append(columns, strings.ToLower(strings.TrimSpace(cell)))
	}
	for _, required := range []string{"postal_code", "name", "lat", "lng"} {
		if !slices.Contains(columns, required) {
			return nil, fmt.Errorf("%s:1: no column %q: want a header with postal_code, name, lat and lng, "+
				"and perhaps area, or GeoNames' tab-separated file", name, required)
		}
	}
	for {
		cells, err := readCSVLine(name, r)
		if err == io.EOF {
			return codes, nil
		}
		if err != nil {
			return nil, err
		}
		code, err := postalLine(columns, cells)
		if err != nil {
			line, _ := r.FieldPos(0)
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		codes = append(codes, code)
	}
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
		code, err := postalLine(columns, []string{cells[1], cells[2], cells[9], cells[10], area})
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		codes = append(codes, code)
	}
	return codes, nil
}

// postalLine returns the postal code in a line of a file. Empty cells are null, and
// unknown columns are ignored.
func postalLine(columns, cells []string) (*PostalCode, error) {
	object := members{}
	// If several columns have the same name, the first that is not empty counts: it is set last.
	for i, column := range slices.Backward(columns) {
		if cells[i] == "" {
			continue
		}
		object.put(column, cells[i])
		if column == "lat" || column == "lng" {
			number, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
			// What is no number stays a string, which newPostalCode refuses.
			if err == nil && !math.IsInf(number, 0) && !math.IsNaN(number) {
				object.put(column, number)
			}
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
	lat, lng := c.Lat.number, c.Lng.number
	switch {
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

// A point is a position on the earth as a unit vector, so that neither the poles nor the date
// line is a special case.
type point [3]float64

func pointAt(lat, lng float64) point {
	sinLat, cosLat := math.Sincos(lat * math.Pi / 180)
	sinLng, cosLng := math.Sincos(lng * math.Pi / 180)
	return point{cosLat * cosLng, cosLat * sinLng, sinLat}
}

const earthRadius = 6_371_000 // metres

// distanceTo returns the distance to another point in metres.
func (p point) distanceTo(q point) float64 {
	dx, dy, dz := p[0]-q[0], p[1]-q[1], p[2]-q[2]
	chord := math.Sqrt(dx*dx + dy*dy + dz*dz)
	return 2 * earthRadius * math.Asin(min(1, chord/2))
}

// onEarth reports whether a latitude and a longitude are a position.
func onEarth(lat, lng float64) bool { return math.Abs(lat) <= 90 && math.Abs(lng) <= 180 }

// coordinates returns a position as requests have it, rounded to about ten metres.
func coordinates(lat, lng float64) string { return fmt.Sprintf("%.4f,%.4f", lat, lng) }

// A Place is somewhere that the user goes, and to which flats have travel times.
type Place struct {
	GPS  json.RawMessage `json:"gps"`
	Mode string          `json:"mode"` // a key of speeds

	name        string
	coordinates string // of GPS, as requests have them
	at          point
}

// MarshalJSON returns the position of the place, which is all that /time_to_places serves of it.
func (p Place) MarshalJSON() ([]byte, error) { return p.GPS, nil }

const byTransit = "PUBLIC_TRANSPORT"

// speeds are in metres per second. Public transport has the speed of the walk to a stop.
var speeds = map[string]float64{"WALK": 1.25, "BIKE": 4.2, byTransit: 1.25}

const (
	detour = 1.3 // the way is longer than the straight line by this factor
)

// travelSeconds returns the time for a straight-line distance in metres; mode is a key of speeds.
func travelSeconds(metres float64, mode string) float64 { return detour * metres / speeds[mode] }
