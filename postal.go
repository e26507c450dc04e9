// Postal codes: their files and their constraints; places.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"flats/internal/turns"
)

// A Constraint is a region in which to look for a home, such as a city.
type Constraint struct {
	Areas  []string         `json:"areas"`   // the areas of its postal codes; nil means all areas, or none if Near is set
	Near   *Near            `json:"near"`    // a circle with further postal codes, or nil
	Places map[string]Place `json:"time_to"` // by name
}

// PostalCode is an entry of a postal-code file. The field tags name its fields in lists,
// filters and sort keys. A PostalCode never changes after it is loaded.
type PostalCode struct {
	PostalCode Text    `field:"postal_code"`
	Name       Text    `field:"name"`
	Lat        Degrees `field:"lat"`
	Lng        Degrees `field:"lng"`
	Area       Text    `field:"area"`
}

var postalFields = fieldsOf[PostalCode]()

// JSON returns the postal code as a list serves it.
func (c *PostalCode) JSON() string {
	members := make([]string, len(postalFields.list))
	for i, f := range postalFields.list {
		members[i] = postalFields.labels[i] + ":" + f.value(c).JSON()
	}
	return "{" + strings.Join(members, ",") + "}"
}

// inFlat returns the JSON in a flat.
func (c *PostalCode) inFlat() string {
	gps := "null"
	if c.Lat.Known() && c.Lng.Known() {
		gps = "[" + c.Lat.JSON() + "," + c.Lng.JSON() + "]"
	}
	return fmt.Sprintf(`{"postal_code":%s,"name":%s,"gps":%s}`, c.PostalCode.JSON(), c.Name.JSON(), gps)
}

// country returns the country of an entry, which is the first part of its area.
func (c *PostalCode) country() string {
	country, _, _ := strings.Cut(c.Area.String(), "-")
	return country
}

// Code is the postal code of a flat. It is stored, filtered and sorted as a string, and
// served as an object.
type Code struct {
	Text
	entry *PostalCode // nil if no file has the code
}

// setJSON is like [Text.setJSON], but removes escapes, because the object that is served has none.
func (c *Code) setJSON(json string) error {
	if strings.Contains(json, `\`) {
		json = encodeJSON(unquote(json))
	}
	return c.Text.setJSON(json)
}

// JSON returns the postal code as an object, or {} if there is no entry.
func (c *Code) JSON() string {
	if c.entry == nil {
		return "{}"
	}
	return c.entry.inFlat()
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

// PostalCodes holds the postal codes of all files, and finds the codes of a constraint. The codes
// never change, and the type is safe for concurrent use. Methods that return what a code or an
// address belongs to take a nil *PostalCodes for an empty one.
type PostalCodes struct {
	*Table[PostalCode]
	all         *snapshot[PostalCode]
	constraints map[string]Constraint
	index       []indexedCode     // sorted by hash, then by row
	seed        maphash.Seed      // of the hashes
	areaNames   map[string]string // the names of areas, as far as they are known

	// The names of constraints. Where there are more than two, two are enough: onlyConstraint then finds that none is the
	// only one.
	constraintsOfArea     map[string][]string // by area, those that name it: at most two
	constraintsOfAllAreas []string            // those for all areas: at most two
	constraintsWithNear   []string
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
	// Nearly everything read is kept, so collect garbage when the heap has grown by 15 percent, until the function ends.
	percentBefore := debug.SetGCPercent(15)
	defer debug.SetGCPercent(percentBefore)
	names := map[string]string{} // of areas
	var entries []*PostalCode
	for _, file := range files {
		codes, err := loadPostalFile(file, names)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("postal codes: %s does not exist: get the file of your country from "+
				"https://download.geonames.org/export/zip/ and unzip it there, or remove it from postal_codes", file)
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, codes...)
	}
	codes := newPostalCodes(entries, constraints)
	codes.areaNames = names
	return codes, nil
}

const (
	maxRow   = 64 << 10 // bytes of a row in a file of GeoNames
	maxTable = 64 << 20 // bytes of CSV that the page brings: all of it is in memory
)

// errTableSize is the error of CSV that is too large.
var errTableSize = errorf(http.StatusRequestEntityTooLarge, "Postal codes in CSV may have %d bytes.", maxTable)

// loadPostalFile reads a file, and adds the names of its areas to areaNames, if it is one of GeoNames. It reads such
// files line by line, because they may have hundreds of megabytes.
func loadPostalFile(file string, areaNames map[string]string) ([]*PostalCode, error) {
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("postal codes: %w", err)
		}
		defer f.Close()
		r := bufio.NewReaderSize(f, maxRow)
		start, _ := r.Peek(r.Size())
		if isGeoNames(start) {
			reader := newPostalReader(file)
			reader.areaNames = areaNames
			return collect(func(add func(*PostalCode)) error { return reader.readGeoNames(r, add) })
		}
	}
	text, err := readExisting(file, maxFile)
	if err != nil {
		return nil, fmt.Errorf("postal codes: %w", err)
	}
	return readPostalCodes(file, text)
}

// newPostalCodes indexes the entries by their codes, and the constraints by their areas.
func newPostalCodes(entries []*PostalCode, constraints map[string]Constraint) *PostalCodes {
	rows := make([]uint32, len(entries))
	for i := range rows {
		rows[i] = uint32(i)
	}
	p := &PostalCodes{
		Table: newTable(postalFields),
		all:   (&snapshot[PostalCode]{}).withRecords(rows, entries),
		index: make([]indexedCode, len(entries)),
		seed:  maphash.MakeSeed(),
	}
	for i, entry := range entries {
		p.index[i] = indexedCode{p.hash(compact(entry.PostalCode.String())), uint32(i)}
	}
	slices.SortFunc(p.index, func(a, b indexedCode) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row))
	})
	return p.with(constraints)
}

// with returns the same codes with other constraints. Two names of an area, or of all, are enough: see PostalCodes.
func (p *PostalCodes) with(constraints map[string]Constraint) *PostalCodes {
	next := *p
	next.constraints = constraints
	next.constraintsOfArea = map[string][]string{}
	next.constraintsOfAllAreas, next.constraintsWithNear = nil, nil
	for name, c := range constraints {
		if c.Near != nil {
			next.constraintsWithNear = append(next.constraintsWithNear, name)
		}
		isForAllAreas := c.Areas == nil && c.Near == nil
		if isForAllAreas && len(next.constraintsOfAllAreas) < 2 {
			next.constraintsOfAllAreas = append(next.constraintsOfAllAreas, name)
		}
		for _, area := range c.Areas {
			names := next.constraintsOfArea[area]
			if len(names) < 2 && !slices.Contains(names, name) {
				next.constraintsOfArea[area] = append(names, name)
			}
		}
	}
	return &next
}

// An indexedCode has the hash of a compact code, and the row of an entry with the code. It takes an
// eighth of the memory of an element of a map.
type indexedCode struct{ hash, row uint32 }

func (p *PostalCodes) hash(compactCode string) uint32 {
	return uint32(maphash.String(p.seed, compactCode))
}

// entriesOf yields the entries with a compact code, in the order of the files.
func (p *PostalCodes) entriesOf(compactCode string) iter.Seq[*PostalCode] {
	return func(yield func(*PostalCode) bool) {
		hash := p.hash(compactCode)
		i, _ := slices.BinarySearchFunc(p.index, hash, func(c indexedCode, hash uint32) int {
			return cmp.Compare(c.hash, hash)
		})
		for ; i < len(p.index) && p.index[i].hash == hash; i++ {
			entry := p.all.row(p.index[i].row)
			if compact(entry.PostalCode.String()) == compactCode && !yield(entry) {
				return
			}
		}
	}
}

// covers reports whether a postal code belongs to the constraint.
func (c Constraint) covers(entry *PostalCode) bool {
	isForAllAreas := c.Areas == nil && c.Near == nil
	hasPosition := entry.Lat.Known() && entry.Lng.Known()
	isInCircle := c.Near != nil && hasPosition && c.Near.contains(entry.Lat.number, entry.Lng.number)
	return isForAllAreas || slices.Contains(c.Areas, entry.Area.String()) || isInCircle
}

// emptyConstraints returns the sorted names of the constraints with Areas or Near that cover no postal code.
func (p *PostalCodes) emptyConstraints() []string {
	if p == nil {
		return nil
	}
	var names []string
	for name, c := range p.constraints {
		if (c.Areas != nil || c.Near != nil) && !p.hasCodeOf(c) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// hasCodeOf reports whether a constraint covers any of the postal codes.
func (p *PostalCodes) hasCodeOf(c Constraint) bool {
	for row := range p.all.size {
		if c.covers(p.all.row(uint32(row))) {
			return true
		}
	}
	return false
}

// compact returns a code in lower case, without spaces and hyphens.
func compact(code string) string { return strings.ToLower(gaps.Replace(code)) }

var gaps = strings.NewReplacer(" ", "", "-", "")

// Find answers a query about all postal codes.
func (p *PostalCodes) Find(work *turns.Task, q *Query) (Page[PostalCode], error) {
	return p.find(work, p.all, q, nil), nil
}

// ofCountry returns the postal codes of a country, and adds the names of their areas to names.
func (p *PostalCodes) ofCountry(country string, names map[string]string) (found []*PostalCode) {
	if p == nil {
		return nil
	}
	for _, entry := range p.all.all() {
		if entry.country() == country {
			found = append(found, entry)
			names[entry.Area.String()] = p.areaNames[entry.Area.String()]
		}
	}
	return found
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
	// Codes with the same compact form may differ in case, spaces or hyphens.
	for entry := range p.entriesOf(compact(code)) {
		if entry.PostalCode.String() == code && c.covers(entry) {
			return entry
		}
	}
	return nil
}

// onlyConstraint returns the name of the constraint that has a code, or "" if none or several have it. Unless the
// country is "", only codes of the country count.
func (p *PostalCodes) onlyConstraint(code, country string) string {
	if p == nil {
		return ""
	}
	only := ""
	for entry := range p.entriesOf(compact(code)) {
		isOtherCountry := country != "" && entry.country() != country
		if entry.PostalCode.String() != code || isOtherCountry {
			continue
		}
		// Others cover the entry only if two of these do, too: see PostalCodes.
		candidates := slices.Concat(p.constraintsOfArea[entry.Area.String()], p.constraintsOfAllAreas, p.constraintsWithNear)
		for _, name := range candidates {
			if !p.constraints[name].covers(entry) {
				continue
			}
			if only != "" && only != name {
				return ""
			}
			only = name
		}
	}
	return only
}

// A postalReader reads a file of postal codes. Equal names and areas share their memory.
type postalReader struct {
	name      string            // of the file, for errors
	texts     map[string]string // the JSON of each name and area, by an equal text
	areaNames map[string]string // by area, as far as files of GeoNames tell them
}

func newPostalReader(name string) postalReader {
	return postalReader{name, map[string]string{}, map[string]string{}}
}

// collect returns the postal codes that read passes to add.
func collect(read func(add func(*PostalCode)) error) (codes []*PostalCode, err error) {
	err = read(func(c *PostalCode) { codes = append(codes, c) })
	return codes, err
}

// readText reads a text of GeoNames, or CSV of at most maxTable bytes, and calls add for each postal code.
func (r postalReader) readText(text io.Reader, add func(*PostalCode)) error {
	in := bufio.NewReaderSize(text, maxRow)
	if start, _ := in.Peek(maxRow); isGeoNames(start) {
		return r.readGeoNames(in, add)
	}
	all, err := io.ReadAll(io.LimitReader(in, maxTable+1))
	if err != nil {
		return err
	}
	if len(all) > maxTable {
		return errTableSize
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
	if isJSON && invalidUTF8(text) < 0 { // else readTable names the byte that is not UTF-8
		return readObjects(name, text, parseObject, r.entry)
	}
	return collect(func(add func(*PostalCode)) error {
		if isGeoNames(text) {
			return r.readGeoNames(bufio.NewReaderSize(bytes.NewReader(text), maxRow), add)
		}
		return r.readTable(text, add)
	})
}

// readTable reads a table in CSV.
func (r postalReader) readTable(text []byte, add func(*PostalCode)) error {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if at := invalidUTF8(text); at >= 0 {
		return fmt.Errorf("%s:%d: byte %#x is not UTF-8", r.name, lineNumber(text, at), text[at])
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

// geoNamesColumns is how many columns of a file of GeoNames geoName needs. More may follow.
const geoNamesColumns = 11

// isGeoNames reports whether a text begins like a file of GeoNames, with at least geoNamesColumns, and not like JSON.
func isGeoNames(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	header, _, _ := bytes.Cut(text, []byte("\n"))
	isJSON := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("["))
	return !isJSON && bytes.Count(header, []byte("\t"))+1 >= geoNamesColumns
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

// geoName returns the postal code in a line of a file of GeoNames.
func (r postalReader) geoName(columns []string, row string) (*PostalCode, error) {
	if at := invalidUTF8([]byte(row)); at >= 0 {
		return nil, fmt.Errorf("byte %#x is not UTF-8", row[at])
	}
	// The cells: 0 is the country, 1 the code, 2 the place, 3 and 4 the name and code of the largest area, 9 and 10 the
	// latitude and longitude.
	cells := strings.SplitN(row, "\t", geoNamesColumns+1)
	if len(cells) < geoNamesColumns {
		return nil, fmt.Errorf("want at least %d columns separated by tabs, got %d", geoNamesColumns, len(cells))
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
	cell := func(name string) string { // of several columns with the name, the first that is not empty
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
	return c, r.checkAndShare(c)
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
	return c, r.checkAndShare(c)
}

// checkAndShare checks a postal code, and makes it share the memory of equal names and areas.
func (r postalReader) checkAndShare(c *PostalCode) error {
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

// A Place is somewhere that the user goes, and to which flats have travel times.
type Place struct {
	GPS  json.RawMessage `json:"gps"`
	Mode string          `json:"mode"` // a key of speeds

	Person string          `json:"person"` // the one who goes there, or "" for everybody
	Time   json.RawMessage `json:"time"`   // how long it may take, [least, most] in seconds

	name        string
	coordinates string // of GPS, as requests have them
	at          point
	isModeSet   bool // whether the config sets the mode
}

// placesOfAll returns the places of all constraints by name. Of places with one name it returns the place of the first
// constraint in the order of names.
func placesOfAll(constraints map[string]Constraint) map[string]Place {
	places := map[string]Place{}
	// Go backward, so that the place of the first constraint replaces the others.
	for _, constraint := range slices.Backward(slices.Sorted(maps.Keys(constraints))) {
		maps.Copy(places, constraints[constraint].Places)
	}
	return places
}

// MarshalJSON returns the position of the place, which is all that /time_to_places serves of it.
func (p Place) MarshalJSON() ([]byte, error) { return p.GPS, nil }

const byTransit = "PUBLIC_TRANSPORT"

// speeds are in metres per second: 4.5 km/h on foot, and 15 km/h by bike. Public transport has the speed of the walk to
// a stop.
var speeds = map[string]float64{"WALK": 1.25, "BIKE": 4.2, byTransit: 1.25}

const (
	detour = 1.3 // the way is longer than the straight line by this factor
)

// travelSeconds returns the time for a straight-line distance in metres; mode is a key of speeds.
func travelSeconds(metres float64, mode string) float64 { return detour * metres / speeds[mode] }
