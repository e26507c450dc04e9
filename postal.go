package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
)

// This file contains the places: where flats are, and how far it is from them:
//
//	Postal codes         their file formats, the codes of each constraint, the code in an address
//	Positions            addresses and what the geocoder knows about them
//	Travel times         the times from flats to places
//	The travel service   the client that asks for positions and times

// Postal codes
// ------------

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

// words returns the folded words of a text, and after a word with umlauts its other spelling.
func words(text string) (list []string) {
	for t := (tokenizer{text: text}); t.next(); {
		list = append(list, string(t.word))
		if respelled := t.respelled(); respelled != "" {
			list = append(list, respelled)
		}
	}
	return list
}

// isSeparator reports whether a character separates words.
func isSeparator(r rune) bool {
	_, class := classify(r)
	return class == separator
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
		object[column] = json.RawMessage(encodeJSON(cells[i]))
		if column == "lat" || column == "lng" {
			number, err := strconv.ParseFloat(strings.TrimSpace(cells[i]), 64)
			// What is no number stays a string, which newPostalCode refuses.
			if err == nil && !math.IsInf(number, 0) && !math.IsNaN(number) {
				object[column] = json.RawMessage(encodeJSON(number))
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

// Positions
// ---------

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

// A position is what the geocoder knows about an address.
type position struct {
	Lat       *float64 `json:"lat"`
	Lng       *float64 `json:"lng"`
	Precision *string  `json:"precision"` // house, street or place; nil if the address is unknown
	Text      string   `json:"text"`      // the address that was asked for
}

// FoundPosition is a position, or null, which is the zero position.
type FoundPosition struct {
	AnyJSON
	position
}

func (v *FoundPosition) set(text string) error {
	var p position
	err := json.Unmarshal([]byte(text), &p)
	if err != nil || text != "null" && !p.isValid() {
		return unexpected("an object with lat, lng, precision and text, or null", text)
	}
	v.position = p
	return v.AnyJSON.set(text)
}

// isValid reports whether the position has the address and, if the geocoder knows it, a point on
// the earth and a precision.
func (p position) isValid() bool {
	switch {
	case p.Text == "":
		return false
	case p.Precision == nil:
		return true
	}
	return slices.Contains([]string{"house", "street", "place"}, *p.Precision) &&
		p.Lat != nil && p.Lng != nil && onEarth(*p.Lat, *p.Lng)
}

// foundNow returns the position that was found for the address that the flat has now, or the
// zero position.
func (f *Flat) foundNow() position {
	if text := f.FoundPosition.Text; text == "" || text != f.address() {
		return position{}
	}
	return f.FoundPosition.position
}

// maxAsked is the maximum number of words that the geocoder reads.
const maxAsked = 8

// address returns the address of the flat as the geocoder is asked for it: the postal code and
// its name, and words of the location that say more, up to maxAsked words in all. It returns ""
// if the location says no more, or if location and code are longer than maxAddress.
func (f *Flat) address() string {
	location, code := f.Location.String(), f.ServicePostalCode.String()
	known := []string{compact(code)}
	if entry := f.ServicePostalCode.entry; entry != nil {
		code += " " + entry.Name.String()
	}
	if len(location)+len(code) > maxAddress {
		return ""
	}
	known = append(known, words(code)...)
	isNew := func(word string) bool { return !slices.Contains(known, word) }
	isBetween := func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }
	asked := strings.Fields(code)
	var others []string
	for word := range strings.FieldsFuncSeq(location, isBetween) {
		if slices.ContainsFunc(words(word), isNew) && len(asked)+len(others) < maxAsked {
			others = append(others, strings.TrimFunc(word, isSeparator))
		}
	}
	if others == nil {
		return ""
	}
	return strings.Join(append(asked, others...), " ")
}

// A match is one result of the geocoder, a Match of MOTIS.
type match struct {
	Type        string   `json:"type"`
	Name        string   `json:"name"`
	Street      string   `json:"street"`
	HouseNumber string   `json:"houseNumber"`
	Lat         *float64 `json:"lat"`
	Lon         *float64 `json:"lon"`
}

// precision returns how precise a match is for a location, or "" if its street or name does
// not occur there.
func (m match) precision(location string) string {
	switch {
	case !occursIn(location, cmp.Or(m.Street, m.Name)):
		return ""
	case occursIn(location, m.HouseNumber):
		return "house"
	case m.Type == "ADDRESS" || m.Street != "":
		return "street"
	}
	return "place"
}

// occursIn reports whether the words of a part occur in a text, one after the other. Streets
// may be abbreviated.
func occursIn(text, part string) bool {
	sought := abbreviated(part)
	return strings.TrimSpace(sought) != "" && strings.Contains(abbreviated(text), sought)
}

// abbreviated returns the folded words of a text, with a space before and after each. A
// "strasse" at the end of a word is shortened to "str".
func abbreviated(text string) string {
	list := words(text)
	for i, word := range list {
		if name, ok := strings.CutSuffix(word, "strasse"); ok {
			list[i] = name + "str"
		}
	}
	return " " + strings.Join(list, " ") + " "
}

// Travel times
// ------------

// A Place is somewhere that the user goes, and to which flats have travel times.
type Place struct {
	name        string
	gps         json.RawMessage // as the config has it
	coordinates string          // as requests have them
	at          point
	mode        string // a key of speeds
}

// MarshalJSON returns the position of the place, which is all that /time_to_places serves of it.
func (p Place) MarshalJSON() ([]byte, error) { return p.gps, nil }

const byTransit = "PUBLIC_TRANSPORT"

// speeds are in metres per second. Public transport has the speed of the walk to a stop.
var speeds = map[string]float64{"WALK": 1.25, "BIKE": 4.2, byTransit: 1.25}

const (
	detour      = 1.3     // the way is longer than the straight line by this factor
	maxToPlace  = 150_000 // metres from a flat to a place
	maxFromCode = 15_000  // metres from a postal code to an address with that code
	maxToStop   = 1_500   // metres from a flat to a stop
	maxTime     = 5400    // seconds; a longer time is stored as this, with over
)

// travelSeconds returns the time for a straight-line distance in metres; mode is a key of speeds.
func travelSeconds(metres float64, mode string) float64 { return detour * metres / speeds[mode] }

// A travelTime is a member of service_time_to that the service has computed.
type travelTime struct {
	Time      int             `json:"time"` // seconds
	GPS       json.RawMessage `json:"gps"`
	Mode      string          `json:"mode"`
	Estimated estimate        `json:"estimated"`
}

// An estimate says what a travel time was computed from.
type estimate struct {
	From      [2]float64 `json:"from"`
	Precision string     `json:"precision"`
	Arrive    string     `json:"arrive,omitempty"`
	Over      bool       `json:"over,omitempty"` // the real time is longer than maxTime
}

// set sets the time to whole minutes, rounded up.
func (t *travelTime) set(seconds float64) {
	seconds = 60 * math.Ceil(seconds/60-1e-9) // a rounding error must not add a minute
	t.Estimated.Over = seconds > maxTime
	t.Time = int(min(seconds, maxTime))
}

// isSame reports whether a stored time has the same place, mode and estimate. It ignores the
// time and over, which follow from these.
func (t travelTime) isSame(stored json.RawMessage) bool {
	var s travelTime
	err := json.Unmarshal(stored, &s)
	t.Time, t.Estimated.Over = s.Time, s.Estimated.Over
	return err == nil && encodeJSON(s) == encodeJSON(t)
}

// timesIn returns the members of a service_time_to, none for null. ok is false for a value
// of another type.
func timesIn(text string) (times members, ok bool) {
	err := json.Unmarshal([]byte(text), &times)
	if times == nil {
		times = members{}
	}
	return times, err == nil
}

// isEstimated reports whether the service has computed a member of service_time_to.
func isEstimated(text json.RawMessage) bool {
	var object members
	return json.Unmarshal(text, &object) == nil && object["estimated"] != nil
}

// keepTimes changes the members that an import sets, so that the flat keeps the service's
// estimates for places that the listing does not name. It also drops estimates in the listing,
// such as those of an exported one.
func (set members) keepTimes(before *Flat) {
	listed, ok := timesIn(set.text("service_time_to"))
	if set["service_time_to"] == nil || !ok {
		return
	}
	named := len(listed)
	maps.DeleteFunc(listed, func(_ string, text json.RawMessage) bool { return isEstimated(text) })
	differs := len(listed) < named
	stored, _ := timesIn(before.ServiceTimeTo.JSON())
	for place, text := range stored {
		if listed[place] == nil && isEstimated(text) {
			listed[place] = text
			differs = true
		}
	}
	if differs {
		set["service_time_to"] = json.RawMessage(encodeJSON(listed))
	}
	// The same value in another spelling is no change.
	if sameValue(set["service_time_to"], json.RawMessage(before.ServiceTimeTo.JSON())) {
		delete(set, "service_time_to")
	}
}

// Stops holds the stops from which a place can be reached by public transport. The keys are the cell of
// a stop, and its latitude and longitude rounded to about ten metres. The rounding bounds the
// stops of a cell, however many an answer has.
type Stops map[[3]int16]map[[2]int32]stop

type stop struct {
	at      point
	minutes float64
}

// cellOf returns the cell of a point. Stops within maxToStop lie in the same cell or beside it.
func cellOf(p point) (cell [3]int16) {
	for i := range p {
		cell[i] = int16(math.Floor(p[i] * earthRadius / maxToStop))
	}
	return cell
}

// least returns the shortest time, in seconds, to walk to a stop and travel on from there.
func (s Stops) least(from point) float64 {
	least, cell := math.Inf(1), cellOf(from)
	for i := range int16(27) {
		x, y, z := i%3-1, i/3%3-1, i/9-1 // every combination of -1, 0 and 1
		near := [3]int16{cell[0] + x, cell[1] + y, cell[2] + z}
		for _, stop := range s[near] {
			if metres := from.distanceTo(stop.at); metres <= maxToStop {
				least = min(least, 60*stop.minutes+travelSeconds(metres, byTransit))
			}
		}
	}
	return least
}

var errNoStops = errors.New("the answer is not a list of stops")

// read adds the stops within maxToPlace of a place from an answer, a Reachable of MOTIS.
func (s Stops) read(work *task, body []byte, place point) (err error) {
	defer work.finish(&err)
	var answer struct{ All json.RawMessage }
	if json.Unmarshal(body, &answer) != nil {
		return errNoStops
	}
	list := json.NewDecoder(bytes.NewReader(answer.All))
	if bracket, _ := list.Token(); bracket != json.Delim('[') {
		return errNoStops
	}
	for list.More() {
		work.step(500)
		var reached struct {
			Place    match
			Duration *float64
		}
		if list.Decode(&reached) != nil {
			return errNoStops
		}
		lat, lng, minutes := reached.Place.Lat, reached.Place.Lon, reached.Duration
		if lat == nil || lng == nil || minutes == nil || *minutes < 0 || !onEarth(*lat, *lng) {
			continue
		}
		if at := pointAt(*lat, *lng); at.distanceTo(place) <= maxToPlace {
			rounded := [2]int32{int32(math.Round(*lat * 1e4)), int32(math.Round(*lng * 1e4))}
			s.add(cellOf(at), rounded, stop{at, *minutes})
		}
	}
	return nil
}

// add adds a stop, unless there is a quicker one at the same rounded position.
func (s Stops) add(cell [3]int16, rounded [2]int32, reached stop) {
	if s[cell] == nil {
		s[cell] = map[[2]int32]stop{}
	}
	if old, ok := s[cell][rounded]; !ok || reached.minutes < old.minutes {
		s[cell][rounded] = reached
	}
}

// The travel service
// ------------------

// Travel is a MOTIS server. No log, answer or error may show its URL beyond the host.
type Travel struct {
	url     *url.URL
	contact string // in the User-Agent
	arrive  string // the time of day of arrival
}

// A question is a request to the travel service: for the position of an address or, if text
// is "", for the stops from which a place can be reached.
type question struct {
	text  string
	place string // coordinates: of the place, or near the address; "" if none are known
}

// isAboutPlace reports whether the question is for the stops around a place.
func (q question) isAboutPlace() bool { return q.text == "" }

// answered is what the travel service has answered to a question.
type answered struct {
	position position
	stops    Stops
	refused  error // why there are no stops
	at       time.Time
}

// An inquiry is a question whose answer a flat needs.
type inquiry struct {
	question
	flat *Flat
	to   Place // the place of a question about stops
}

// A finder finds the positions of flats and their travel times, and stores them. Only run
// may use what mu does not guard.
type finder struct {
	seeker[inquiry]
	travel      *Travel // nil for none
	constraints map[string]Constraint
	zone        *time.Location   // of the time of arrival, nil for that of the system
	places      map[string]Place // of all constraints, by name; the first constraint that has a name wins
	client      *http.Client

	answers map[question]answered
	failed  question      // the last question that got no answer
	after   time.Duration // the wait that the service has asked for, or 0
	asked   time.Time     // when the last request was sent
	stored  time.Time     // when answers were last stored

	mu       sync.Mutex // guards the rest
	waiting  int        // the number of flats that lack a position or a time
	last     time.Time  // when the service last answered
	err      error      // what is wrong since then
	storeErr error      // why answers cannot be stored
	refused  error      // why there are no times to a place
}

func newFinder(store *Store, travel *Travel, constraints map[string]Constraint, zone *time.Location) *finder {
	d := &finder{
		travel:      travel,
		constraints: constraints,
		zone:        zone,
		places:      map[string]Place{},
		client:      &http.Client{CheckRedirect: noRedirect},
		answers:     map[question]answered{},
	}
	d.seeker = seeker[inquiry]{store: store, changed: store.forFinder, every: lookEvery, look: d.look, ask: d.ask}
	// Backward, so that the place of the first constraint overwrites others of the same name.
	for _, constraint := range slices.Backward(slices.Sorted(maps.Keys(constraints))) {
		maps.Copy(d.places, constraints[constraint].Places)
	}
	return d
}

// state returns the number of flats that wait for positions or times, when the service last
// answered, or the zero time, and what is wrong since then.
func (d *finder) state() (waiting int, last time.Time, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting, d.last, cmp.Or(d.err, d.storeErr, d.refused)
}

const (
	lookEvery = 10 * time.Second
	stopsAge  = day // when the stops of a place are asked for again
)

// look finds out what flats need, stores what is known of that, and makes the queue of the
// rest. It reports whether all that is known is stored.
func (d *finder) look(work *task) (isDone bool) {
	d.looked = time.Now()
	mayStore := len(d.queue) == 0 || d.looked.Sub(d.stored) >= storeEvery
	d.forget()
	first := map[question]inquiry{} // for each question, the inquiry that compare puts first
	waiting := 0
	isDone = true
	stored, err := d.store.amend(work, func(f *Flat) members {
		set, missing := d.settle(f)
		for _, i := range missing {
			best, ok := first[i.question]
			if !ok || d.compare(i, best) < 0 {
				first[i.question] = i
			}
		}
		mustWait := len(set) > 0 && !mayStore
		if mustWait || len(missing) > 0 {
			waiting++
		}
		if mustWait {
			isDone = false
			return nil
		}
		return set
	})
	if stored {
		d.stored = time.Now()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		if d.storeErr == nil {
			d.store.log.Warn("positions and travel times cannot be stored", "err", err)
		}
		d.storeErr = err
		return false
	}
	d.queue = slices.SortedFunc(maps.Values(first), d.compare)
	d.waiting, d.storeErr, d.refused = waiting, nil, d.anyRefusal()
	return isDone
}

// forget deletes the answers about places that are a day old.
func (d *finder) forget() {
	maps.DeleteFunc(d.answers, func(q question, a answered) bool {
		return q.isAboutPlace() && d.looked.Sub(a.at) >= stopsAge
	})
}

// anyRefusal returns why there are no stops around some place, or nil.
func (d *finder) anyRefusal() error {
	for _, a := range d.answers {
		if a.refused != nil {
			return a.refused
		}
	}
	return nil
}

// compare puts inquiries into the order in which they are asked. Those about places come first,
// as they are few and give rough times to all flats, and then those about the shortlist. The one
// that failed comes last, so that it cannot hold up the others. Within each group, the newest
// flats come first.
func (d *finder) compare(a, b inquiry) int {
	rank := func(i inquiry) int {
		switch {
		case i.question == d.failed:
			return 3
		case i.isAboutPlace():
			return 0
		case i.flat.isShortlisted():
			return 1
		}
		return 2
	}
	return cmp.Or(rank(a)-rank(b), b.flat.FirstSeen.at.Compare(a.flat.FirstSeen.at),
		strings.Compare(a.text+a.place, b.text+b.place))
}

// settle returns what is known about a flat and not yet stored, as its members, and the
// inquiries for the rest. It adds the stored position to the answers.
func (d *finder) settle(f *Flat) (set members, missing []inquiry) {
	set = members{}
	q := d.question(f)
	// A stored position answers the question for other flats, too. It is checked as an answer is,
	// because a listing may have brought it.
	stored := f.FoundPosition.position
	_, isKnown := d.answers[q]
	isAnswer := q.text != "" && stored.Text == q.text && stored.Precision != nil
	if isAnswer && !isKnown && d.isNear(f, pointAt(*stored.Lat, *stored.Lng)) {
		d.answers[q] = answered{position: stored}
	}
	status := unquote(f.Status.JSON())
	if f.Gone.Known() || slices.Contains([]string{"ignored", "duplicate", "user_deleted"}, status) {
		return set, nil
	}
	_, _, precision := f.position()
	if q.text != "" && precision != "own" && f.FoundPosition.Text != q.text {
		a, ok := d.answers[q]
		if ok {
			set["found_position"] = json.RawMessage(encodeJSON(a.position))
			f, _ = f.withMembers(set, d.store.codes, nil) // no error: the position is valid
		} else {
			missing = []inquiry{{question: q, flat: f}}
		}
		if !ok && precision == "" {
			return set, missing // until then, times from an earlier position stay
		}
	}
	times, unanswered := d.times(f)
	if times != nil {
		set["service_time_to"] = times
	}
	return set, append(missing, unanswered...)
}

// question returns the question for the position of the flat's address, or one without text.
func (d *finder) question(f *Flat) question {
	if d.travel == nil {
		return question{}
	}
	q := question{text: f.address()}
	if lat, lng, ok := f.ServicePostalCode.at(); ok {
		q.place = coordinates(lat, lng)
	} else if places := d.constraints[f.ServiceConstraint.String()].Places; len(places) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(places))) // any, but always the same
		q.place = places[first].coordinates
	}
	return q
}

// placesOf returns the places of the flat's constraint or, if the config does not have that
// constraint, all places.
func (d *finder) placesOf(f *Flat) map[string]Place {
	if constraint, ok := d.constraints[f.ServiceConstraint.String()]; ok {
		return constraint.Places
	}
	return d.places
}

// isNear reports whether a position is near enough to be that of a flat's address.
func (d *finder) isNear(f *Flat, at point) bool {
	if lat, lng, ok := f.ServicePostalCode.at(); ok {
		return at.distanceTo(pointAt(lat, lng)) <= maxFromCode
	}
	if len(d.places) == 0 {
		return true // there is nothing to measure from
	}
	places := d.placesOf(f)
	if len(places) == 0 { // the constraint has none
		places = d.places
	}
	for _, place := range places {
		if at.distanceTo(place.at) <= maxToPlace {
			return true
		}
	}
	return false
}

// times returns the service_time_to of a flat with the times that are known now, or nil if
// nothing differs, and the inquiries for the times that are not known.
func (d *finder) times(f *Flat) (text json.RawMessage, missing []inquiry) {
	stored, ok := timesIn(f.ServiceTimeTo.JSON())
	places := d.placesOf(f)
	if !ok || len(stored)+len(places) == 0 {
		return nil, nil
	}
	lat, lng, precision := f.position()
	from := pointAt(lat.number, lng.number)
	times := maps.Clone(stored)
	isOutOfReach := func(place Place) bool { return precision == "" || from.distanceTo(place.at) > maxToPlace }
	maps.DeleteFunc(times, func(name string, text json.RawMessage) bool {
		place, ok := places[name]
		return isEstimated(text) && (!ok || isOutOfReach(place))
	})
	for name, place := range places {
		isTransit := place.mode == byTransit
		isListed := times[name] != nil && !isEstimated(times[name])
		hasNoService := isTransit && d.travel == nil
		if isOutOfReach(place) || isListed || hasNoService {
			continue
		}
		computed := travelTime{GPS: place.gps, Mode: place.mode}
		computed.Estimated.Precision = precision
		computed.Estimated.From = [2]float64{math.Round(lat.number*1e4) / 1e4, math.Round(lng.number*1e4) / 1e4}
		if isTransit {
			computed.Estimated.Arrive = d.travel.arrive
		}
		if computed.isSame(times[name]) {
			continue
		}
		needed := travelSeconds(from.distanceTo(place.at), place.mode)
		if isTransit {
			i := inquiry{question{place: place.coordinates}, f, place}
			a, ok := d.answers[i.question]
			if !ok {
				missing = append(missing, i)
			}
			if a.stops == nil {
				continue
			}
			needed = min(needed, a.stops.least(from))
		}
		computed.set(needed)
		times[name] = json.RawMessage(encodeJSON(computed))
	}
	if reflect.DeepEqual(times, stored) {
		return nil, missing
	}
	return json.RawMessage(encodeJSON(times)), missing
}

// ask asks the first question in the queue, and reports whether there is an answer. If there is
// none, all questions wait.
func (d *finder) ask(ctx context.Context) bool {
	i := d.queue[0]
	d.queue = d.queue[1:]
	ask := d.askPosition
	if i.isAboutPlace() {
		ask = d.askStops
	}
	a, err := ask(ctx, i)
	a.at = time.Now()
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.answers[i.question] = a
		d.wait, d.last, d.err = 0, a.at, nil
		if a.refused != nil {
			d.refused = a.refused
			d.store.log.Warn("no travel times to a place until tomorrow", "place", i.to.name, "err", a.refused)
		}
		return true
	}
	d.wait = longer(d.wait)
	wait := cmp.Or(d.after, d.wait)
	isNew := d.err == nil || d.err.Error() != err.Error()
	if isNew && ctx.Err() == nil {
		d.store.log.Warn("positions and travel times must wait", "err", err, "again_in", wait)
	}
	d.queue = append(d.queue, i)
	d.failed, d.retry, d.err = i.question, a.at.Add(wait), err
	return false
}

// askPosition asks for the position of a flat's address.
func (d *finder) askPosition(ctx context.Context, i inquiry) (a answered, err error) {
	values := url.Values{"text": {i.text}, "type": {"ADDRESS,PLACE"}, "numResults": {"20"}, "language": {"en"}}
	if i.place != "" {
		values.Set("place", i.place)
	}
	body, refused, err := d.get(ctx, "geocode", values, 10*time.Second, 1<<20)
	if err != nil {
		return a, err
	}
	a.position = position{Text: i.text} // unknown, unless there is a match
	if refused != nil {
		return a, nil // the service cannot read the address, and would not read it again
	}
	var matches []match
	isNowhere := func(m match) bool { return m.Lat == nil || m.Lon == nil }
	err = json.Unmarshal(body, &matches)
	if err != nil || matches == nil || slices.ContainsFunc(matches, isNowhere) {
		return answered{}, fmt.Errorf("%s: the answer is not a list of places", d.travel.url.Host)
	}
	for _, m := range matches {
		precision := m.precision(i.flat.Location.String())
		if precision != "" && onEarth(*m.Lat, *m.Lon) && d.isNear(i.flat, pointAt(*m.Lat, *m.Lon)) {
			a.position = position{Lat: m.Lat, Lng: m.Lon, Precision: &precision, Text: i.text}
			break
		}
	}
	return a, nil
}

// askStops asks for the stops from which a place can be reached. It asks for four times of
// arrival, because the durations include the wait between the last stop and that time.
func (d *finder) askStops(ctx context.Context, i inquiry) (answered, error) {
	host := d.travel.url.Host
	stops := Stops{}
	for early := range 4 {
		at := d.arrival().Add(-time.Duration(early) * 15 * time.Minute)
		values := url.Values{"one": {i.place}, "time": {at.UTC().Format(time.RFC3339)}, "arriveBy": {"true"},
			"maxTravelTime": {"90"}, "transitModes": {"TRANSIT"}}
		body, refused, err := d.get(ctx, "one-to-all", values, time.Minute, 64<<20)
		if err != nil || refused != nil {
			return answered{refused: refused}, err
		}
		if err := stops.read(newTask(ctx, d.store.turns), body, i.to.at); err != nil {
			return answered{}, fmt.Errorf("%s: %w", host, err)
		}
	}
	if len(stops) == 0 {
		return answered{refused: fmt.Errorf("%s knows no stop from which %s can be reached", host, i.to.name)}, nil
	}
	return answered{stops: stops}, nil
}

// arrival returns the time of arrival: on the next Tuesday, never today.
func (d *finder) arrival() time.Time {
	now := d.store.now().In(cmp.Or(d.zone, time.Local))
	days := 1
	for (now.Weekday()+time.Weekday(days))%7 != time.Tuesday {
		days++
	}
	clock, _ := time.Parse("15:04", d.travel.arrive) // the config has checked it
	return time.Date(now.Year(), now.Month(), now.Day()+days, clock.Hour(), clock.Minute(), 0, 0, now.Location())
}

// get asks the service, at most once in askEvery, and returns the body of its answer. A refusal
// concerns this request alone.
func (d *finder) get(ctx context.Context, path string, values url.Values, timeout time.Duration,
	limit int64) (body []byte, refused, err error) {
	select {
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-time.After(time.Until(d.asked.Add(askEvery))):
	}
	d.asked, d.after = time.Now(), 0
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	host := d.travel.url.Host
	target := d.travel.url.JoinPath("api/v1", path)
	target.RawQuery = values.Encode()
	agent := "flats/" + version + " (" + d.travel.contact + ")"
	r := &http.Request{Method: http.MethodGet, URL: target, Header: http.Header{"User-Agent": {agent}}}
	answer, err := d.client.Do(r.WithContext(ctx))
	if err == nil {
		defer answer.Body.Close()
		body, err = io.ReadAll(io.LimitReader(answer.Body, limit+1))
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %s", host, reason(err))
	}
	status := answer.StatusCode
	switch {
	case isRefusal(status):
		return nil, statusError(host, status), nil
	case status != http.StatusOK:
		seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 for a date
		seconds = max(0, min(seconds, int(maxWait.Seconds())))
		d.after = time.Duration(seconds) * time.Second
		return nil, nil, statusError(host, status)
	case int64(len(body)) > limit:
		return nil, nil, fmt.Errorf("%s: the answer has more than %d bytes", host, limit)
	}
	return body, nil, nil
}
