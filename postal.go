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
//	Postal codes         their file formats, those of each constraint, the one in an address
//	Positions            addresses and what the geocoder knows of them
//	Travel times         the times from flats to places
//	The travel service   the client that asks for positions and times

// Postal codes
// ------------

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
	byCode       codeIndex
	byConstraint map[string]codeIndex
}

// A codeIndex has the entries of each code, in the order of the files, by what compact
// returns for the code.
type codeIndex map[string][]*PostalCode

// compact returns a code in lower case, without spaces and hyphens.
func compact(code string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, code)
}

func newCodeIndex(entries []*PostalCode, areas []string) codeIndex {
	index := codeIndex{}
	for _, entry := range entries {
		if areas == nil || slices.Contains(areas, entry.Area.String()) {
			code := compact(entry.PostalCode.String())
			index[code] = append(index[code], entry)
		}
	}
	return index
}

// get returns the first entry of a code as it is written in the files, or nil.
func (x codeIndex) get(code string) *PostalCode {
	for _, entry := range x[compact(code)] {
		if entry.PostalCode.String() == code {
			return entry
		}
	}
	return nil
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
		byCode:       newCodeIndex(entries, nil),
		byConstraint: map[string]codeIndex{},
	}
	for name, constraint := range constraints {
		p.byConstraint[name] = p.byCode
		if constraint.Areas != nil {
			p.byConstraint[name] = newCodeIndex(entries, constraint.Areas)
		}
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
	return p.byConstraint[constraint].get(code)
}

// maxAddress is the number of bytes of the longest address. A longer text is none.
const maxAddress = 1000

// in returns the postal code in an address: the only one of the constraint or, if there is
// none of these, the only one of all files. It returns "" if there is none, or if it is
// not clear which one is meant.
func (p *PostalCodes) in(address, constraint string) string {
	if p == nil || len(address) > maxAddress {
		return ""
	}
	own, constrained := p.byConstraint[constraint]
	found := own.in(address)
	isOwn := len(found) > 0
	if !isOwn {
		found = p.byCode.in(address)
	}
	if len(found) != 1 {
		return ""
	}
	code := slices.Collect(maps.Keys(found))[0]
	first := p.byCode.get(code)
	abroad := func(c *PostalCode) bool { return c.PostalCode.String() == code && c.country() != first.country() }
	isUnclear := !isOwn && own.get(code) != nil // it has another place in the constraint
	if isUnclear || !constrained && slices.ContainsFunc(p.byCode[compact(code)], abroad) {
		return ""
	}
	return code
}

// country returns the first part of the area.
func (c *PostalCode) country() string {
	country, _, _ := strings.Cut(c.Area.String(), "-")
	return country
}

// in returns the codes in an address: words, or pairs of words with nothing but spaces or a
// hyphen between them.
func (x codeIndex) in(address string) map[string]bool {
	found, all := map[string]bool{}, words(address)
	apart := func(r rune) bool { return isSeparator(r) && r != '-' && !unicode.IsSpace(r) }
	for part := range strings.FieldsFuncSeq(address, apart) {
		list := words(part)
		for i := range list {
			for _, written := range [][]string{list[i : i+1], list[i:min(i+2, len(list))]} {
				for _, entry := range x[strings.Join(written, "")] {
					if entry.isWritten(written) && entry.isClear(all) {
						found[entry.PostalCode.String()] = true
					}
				}
			}
		}
	}
	return found
}

// isWritten reports whether words are the code. Where a space in it may be left out, and
// before letters, it may be written as one word or as two.
func (c *PostalCode) isWritten(as []string) bool {
	code := c.PostalCode.String()
	free := func(r rune) bool { return r == ' ' || unicode.IsLetter(r) }
	own := words(code)
	return slices.Equal(own, as) ||
		strings.Join(own, "") == strings.Join(as, "") && strings.ContainsFunc(code, free) && len(own) != len(as)
}

var (
	fiveDigits   = regexp.MustCompile(`([0-9].*){5}`)
	threeLetters = regexp.MustCompile(`(\pL.*){3}`)
)

// isClear reports whether the code in an address is no house number: it has five digits, or
// the first word of its name that has three letters stands in the address, too.
func (c *PostalCode) isClear(address []string) bool {
	name := words(c.Name.String())
	i := slices.IndexFunc(name, threeLetters.MatchString)
	return fiveDigits.MatchString(c.PostalCode.String()) || i >= 0 && slices.Contains(address, name[i])
}

// words returns the folded words of a text.
func words(text string) (list []string) {
	for t := (tokenizer{text: text}); t.next(); {
		list = append(list, string(t.word))
	}
	return list
}

// isSeparator reports whether a character is part of no word.
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

// Positions
// ---------

// A point is a position on the earth as a unit vector, because with vectors neither the
// poles nor the date line are special.
type point [3]float64

func pointAt(lat, lng float64) point {
	sinLat, cosLat := math.Sincos(lat * math.Pi / 180)
	sinLng, cosLng := math.Sincos(lng * math.Pi / 180)
	return point{cosLat * cosLng, cosLat * sinLng, sinLat}
}

const earthRadius = 6_371_000 // metres

// to returns the distance to another point in metres.
func (p point) to(q point) float64 {
	chord := math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
	return 2 * earthRadius * math.Asin(min(1, chord/2))
}

// onEarth reports whether a latitude and a longitude are a position.
func onEarth(lat, lng float64) bool { return math.Abs(lat) <= 90 && math.Abs(lng) <= 180 }

// coordinates returns a position as it is sent, with an accuracy of ten metres.
func coordinates(lat, lng float64) string { return fmt.Sprintf("%.4f,%.4f", lat, lng) }

// A position is what the geocoder knows of an address.
type position struct {
	Lat       *float64 `json:"lat"`
	Lng       *float64 `json:"lng"`
	Precision *string  `json:"precision"` // house, street or place; nil if the address is unknown
	Text      string   `json:"text"`      // the address, as it was asked
}

// FoundPosition is a [position], or null.
type FoundPosition struct{ Value }

func (v *FoundPosition) set(text string) error {
	var p position
	err := json.Unmarshal([]byte(text), &p)
	known := p.Precision != nil
	precise := known && slices.Contains([]string{"house", "street", "place"}, *p.Precision)
	placed := p.Lat != nil && p.Lng != nil && onEarth(*p.Lat, *p.Lng)
	if err != nil || text != "null" && (p.Text == "" || known && !(precise && placed)) {
		return wrongType("an object with lat, lng, precision and text, or null", text)
	}
	return v.Value.set(text)
}

// found returns the position that was found for the address that the flat has now, or the
// zero position.
func (f *Flat) found() (p position) {
	if !f.FoundPosition.Known() {
		return position{}
	}
	json.Unmarshal([]byte(f.FoundPosition.JSON()), &p) // no error: set has checked it
	if p.Text != f.address() {
		return position{}
	}
	return p
}

// maxAsked is the number of words that the geocoder reads.
const maxAsked = 8

// address returns the address of the flat as the geocoder is asked for it: the postal code
// and its name, and the other words of the location. It returns "" if there are no others.
func (f *Flat) address() string {
	location, code := f.Location.String(), f.ServicePostalCode.String()
	if entry := f.ServicePostalCode.entry; entry != nil {
		code += " " + entry.Name.String()
	}
	if len(location)+len(code) > maxAddress {
		return ""
	}
	asked, known := strings.Fields(code), words(code)
	known = append(known, compact(f.ServicePostalCode.String()))
	isNews := func(word string) bool { return !slices.Contains(known, word) }
	before := len(asked)
	for word := range strings.FieldsFuncSeq(location, func(r rune) bool {
		return unicode.IsSpace(r) || r == ',' || r == ';'
	}) {
		if slices.ContainsFunc(words(word), isNews) && len(asked) < maxAsked {
			asked = append(asked, strings.TrimFunc(word, isSeparator))
		}
	}
	if len(asked) == before {
		return ""
	}
	return strings.Join(asked, " ")
}

// A match is one of the answers of the geocoder, as the Match of MOTIS.
type match struct {
	Type        string   `json:"type"`
	Name        string   `json:"name"`
	Street      string   `json:"street"`
	HouseNumber string   `json:"houseNumber"`
	Lat         *float64 `json:"lat"`
	Lon         *float64 `json:"lon"`
}

// position returns the position of a match, if its street or name stands in a location.
func (m match) position(location string) (p position, ok bool) {
	if !standsIn(location, cmp.Or(m.Street, m.Name)) || !onEarth(*m.Lat, *m.Lon) {
		return position{}, false
	}
	precision := "place"
	if standsIn(location, m.HouseNumber) {
		precision = "house"
	} else if m.Type == "ADDRESS" || m.Street != "" {
		precision = "street"
	}
	return position{Lat: m.Lat, Lng: m.Lon, Precision: &precision}, true
}

// standsIn reports whether the words of a part stand in a text, one after the other. Streets
// may be abbreviated.
func standsIn(text, part string) bool {
	sought := abbreviated(part)
	return sought != " " && strings.Contains(abbreviated(text), sought)
}

// abbreviated returns the folded words of a text, with a space before and after each.
func abbreviated(text string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, word := range words(text) {
		if name, ok := strings.CutSuffix(word, "strasse"); ok {
			word = name + "str"
		}
		b.WriteString(word + " ")
	}
	return b.String()
}

// Travel times
// ------------

// A Place is a place that travel times are computed to.
type Place struct {
	name string
	gps  json.RawMessage // as it stands in the config
	sent string          // as it is sent
	at   point
	mode string // a key of speeds, or byTransit
}

// newPlace returns a place that is reached by public transport.
func newPlace(name string, gps json.RawMessage, lat, lng float64) Place {
	return Place{name: name, gps: gps, sent: coordinates(lat, lng), at: pointAt(lat, lng), mode: byTransit}
}

const byTransit = "PUBLIC_TRANSPORT"

// speeds are in metres a second.
var speeds = map[string]float64{"WALK": 1.25, "BIKE": 4.2}

const (
	detour    = 1.3     // the way is longer than the straight line by this factor
	maxFar    = 150_000 // metres to the places that count
	maxInCode = 15_000  // metres from a postal code to its addresses
	maxToStop = 1_500   // metres
	maxTime   = 5400    // seconds; a longer time counts as this, with over
)

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
	Over      bool       `json:"over,omitempty"` // it takes longer
}

// setTime sets the time to whole minutes, rounded up.
func (t *travelTime) setTime(seconds float64) {
	seconds = 60 * math.Ceil(seconds/60-1e-9)
	t.Estimated.Over = seconds > maxTime
	t.Time = int(min(seconds, maxTime))
}

// isSame reports whether a stored time was computed from the same, and for the same.
func (t travelTime) isSame(stored json.RawMessage) bool {
	var s travelTime
	err := json.Unmarshal(stored, &s)
	t.Time, t.Estimated.Over = s.Time, s.Estimated.Over
	return err == nil && encodeJSON(s) == encodeJSON(t)
}

// timesIn returns the members of a service_time_to, none for null. ok is false for a value
// of another type.
func timesIn(text string) (times members, ok bool) {
	times = members{}
	if text == "" || text == "null" {
		return times, true
	}
	return times, json.Unmarshal([]byte(text), &times) == nil
}

// isEstimated reports whether the service has computed a member of service_time_to.
func isEstimated(text json.RawMessage) bool {
	var object members
	return json.Unmarshal(text, &object) == nil && object["estimated"] != nil
}

// keepTimes keeps what the service has computed to the places that a listing does not name.
func (set members) keepTimes(before *Flat) {
	listed, ok := timesIn(string(set["service_time_to"]))
	if set["service_time_to"] == nil || !ok {
		return
	}
	named := len(listed)
	maps.DeleteFunc(listed, func(_ string, text json.RawMessage) bool { return isEstimated(text) })
	added := len(listed) < named
	stored, _ := timesIn(before.ServiceTimeTo.JSON())
	for place, text := range stored {
		if listed[place] == nil && isEstimated(text) {
			listed[place], added = text, true
		}
	}
	if added {
		set["service_time_to"] = json.RawMessage(encodeJSON(listed))
	}
	if sameValue(set["service_time_to"], json.RawMessage(before.ServiceTimeTo.JSON())) {
		delete(set, "service_time_to")
	}
}

// A stop is a place from which another one can be reached by public transport.
type stop struct {
	at      point
	minutes float64
}

// Stops are those from which a place can be reached, by the cell in which they lie.
type Stops struct {
	cells map[[3]int16][]stop
	at    time.Time // when they were asked for
}

// cellSize is the size of a cell. Stops that are near a point lie in its cell or beside it.
const cellSize = float64(maxToStop) / earthRadius

func cellOf(p point) [3]int16 {
	return [3]int16{int16(math.Floor(p[0] / cellSize)), int16(math.Floor(p[1] / cellSize)),
		int16(math.Floor(p[2] / cellSize))}
}

// least returns the shortest time in seconds of walking to a stop and going on from there.
func (s *Stops) least(from point) (seconds float64) {
	seconds = math.Inf(1)
	cell := cellOf(from)
	for i := range int16(27) {
		near := s.cells[[3]int16{cell[0] + i%3 - 1, cell[1] + i/3%3 - 1, cell[2] + i/9 - 1}]
		for _, stop := range near {
			if metres := from.to(stop.at); metres <= maxToStop {
				seconds = min(seconds, 60*stop.minutes+walking(metres))
			}
		}
	}
	return seconds
}

func walking(metres float64) float64 { return detour * metres / speeds["WALK"] }

// read adds the stops in an answer, the Reachable of MOTIS, that count for a place.
func (s *Stops) read(work *task, body []byte, place point) error {
	var answer struct {
		All []struct {
			Place    struct{ Lat, Lon *float64 }
			Duration *float64
		}
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.All == nil {
		return errors.New("the answer is no list of stops")
	}
	for _, reached := range answer.All {
		lat, lng, minutes := reached.Place.Lat, reached.Place.Lon, reached.Duration
		if lat == nil || lng == nil || minutes == nil || *minutes < 0 || !onEarth(*lat, *lng) {
			continue
		}
		if at := pointAt(*lat, *lng); at.to(place) <= maxFar {
			s.cells[cellOf(at)] = append(s.cells[cellOf(at)], stop{at, *minutes})
		}
		if err := work.step(500); err != nil {
			return err
		}
	}
	return nil
}

// The travel service
// ------------------

// Travel is a server of MOTIS. No log, answer or error may show its URL beyond the host.
type Travel struct {
	url     *url.URL
	contact string // in the User-Agent
	arrive  string // the time of day of arrival
}

// A question is a request to the travel service: for the position of an address or, if text
// is "", for the stops from which a place can be reached.
type question struct {
	text  string
	place string // the coordinates of the place, or those near the address, or ""
}

// An inquiry is a question whose answer a flat needs.
type inquiry struct {
	question
	flat *Flat
}

// compare orders inquiries as they are asked. Those about places come first, as they are few
// and give rough times to all flats.
func (i inquiry) compare(j inquiry) int {
	rank := func(i inquiry) int {
		switch {
		case i.text == "":
			return 0
		case i.flat.hasStatus("followed", "contacted", "visited"):
			return 1
		}
		return 2
	}
	return cmp.Or(rank(i)-rank(j), j.flat.FirstSeen.Time().Compare(i.flat.FirstSeen.Time()),
		strings.Compare(i.text+i.place, j.text+j.place))
}

// A finder finds the positions of flats and their travel times, and stores them. Only run
// may use what mu does not guard.
type finder struct {
	store  *Store
	config *Config
	places map[string]Place // the places of all constraints by name, the first of a name
	bySent map[string]Place // all places
	client *http.Client

	seen    *snapshot[Flat]        // the flats of the last look
	waiting map[uint32]bool        // the rows of those that needed something then
	queue   []inquiry              // what to ask, in this order
	known   map[question]position  // the answers about addresses
	stops   map[string]*Stops      // the answers about places
	refused map[question]time.Time // places without stops, and when they may be asked about again
	failed  question               // the last one that got no answer
	wait    time.Duration          // before it was asked last, after a failure
	after   time.Duration          // what the service asks to wait, or 0
	retry   time.Time              // no request before
	asked   time.Time              // when the last request was sent
	looked  time.Time              // when the flats were last looked at
	written time.Time              // when results were last stored

	mu       sync.Mutex // guards the rest
	count    int        // the number of flats that wait
	last     time.Time  // when the service last answered
	err      error      // what is wrong since then
	storeErr error      // why results cannot be stored
	refusal  error      // why there are no times to a place
}

func newFinder(store *Store, config *Config) *finder {
	d := &finder{
		store:   store,
		config:  config,
		places:  map[string]Place{},
		bySent:  map[string]Place{},
		client:  &http.Client{CheckRedirect: noRedirect},
		seen:    &snapshot[Flat]{},
		waiting: map[uint32]bool{},
		known:   map[question]position{},
		stops:   map[string]*Stops{},
		refused: map[question]time.Time{},
	}
	for _, constraint := range slices.Backward(slices.Sorted(maps.Keys(config.Constraints))) {
		for name, place := range config.Constraints[constraint].Places {
			d.places[name] = place
			d.bySent[place.sent] = place
		}
	}
	return d
}

// state returns the number of flats that wait for positions or times, when the service last
// answered, or the zero time, and what is wrong since then.
func (d *finder) state() (waiting int, last time.Time, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.count, d.last, cmp.Or(d.err, d.storeErr, d.refusal)
}

const (
	askEvery   = time.Second
	lookEvery  = 10 * time.Second
	writeEvery = 30 * time.Second // while there is something to ask
	tableAge   = 24 * time.Hour   // after which stops are asked for again, and what was refused
	maxEdits   = 100              // flats in an update
)

// run finds positions and travel times until ctx is done: at once, and after imports and
// updates.
func (d *finder) run(ctx context.Context) {
	changed, answered := true, false
	for ctx.Err() == nil {
		since := time.Since(d.looked)
		isDone := answered && len(d.queue) == 0 && d.storeErr == nil
		isDue := changed || answered && time.Since(d.written) >= writeEvery
		if isDone || isDue && since >= lookEvery || since >= time.Hour {
			answered = !d.look(newTask(ctx, d.store.turns))
			changed = false
		}
		if len(d.queue) > 0 && !time.Now().Before(d.retry) {
			answered = d.ask(ctx, d.queue[0]) || answered
		}
		touched := d.store.touched
		if changed {
			touched = nil // it is known already
		}
		select {
		case <-ctx.Done():
		case <-touched:
			changed = true
		case <-time.After(askEvery):
		}
	}
	if answered {
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendGrace)
		defer cancel()
		d.queue = nil
		d.look(newTask(late, d.store.turns)) // what it cannot store is asked again after the next start
	}
}

// look finds out what flats need, stores what is known of that, and makes the queue of the
// rest. It reports whether all that is known is stored.
func (d *finder) look(work *task) (done bool) {
	defer work.pause()
	now := time.Now()
	writes := len(d.queue) == 0 || now.Sub(d.written) >= writeEvery
	maps.DeleteFunc(d.refused, func(_ question, until time.Time) bool { return !until.After(now) })
	maps.DeleteFunc(d.stops, func(_ string, s *Stops) bool { return now.Sub(s.at) >= tableAge })
	d.looked = now
	if d.catchUp(work) != nil {
		return false
	}
	first, count := map[question]inquiry{}, 0
	edits, unstored, err := []edit(nil), 0, error(nil)
	for row := range d.waiting {
		f := d.seen.row(row)
		set, questions := d.settle(f)
		if work.step(3000+len(f.served)) != nil {
			return false
		}
		e := edit{}
		if len(set) > 0 {
			e, _ = d.store.edit(f, set, f.UpdatedAt.JSON()) // an error means that the flat would be too large
		}
		if len(questions) == 0 && e.delta == "" {
			delete(d.waiting, row)
		}
		questions = slices.DeleteFunc(questions, func(q question) bool { return !d.refused[q].IsZero() })
		for _, q := range questions {
			if i, ok := first[q]; !ok || (inquiry{q, f}).compare(i) < 0 {
				first[q] = inquiry{q, f}
			}
		}
		if len(questions) > 0 {
			count++
		}
		switch {
		case e.delta == "":
		case !writes || err != nil:
			unstored++
		default:
			edits = append(edits, e)
		}
		if len(edits) == maxEdits {
			err = d.write(work, edits)
			edits = nil
		}
	}
	if len(edits) > 0 {
		err = d.write(work, edits)
	}
	d.enqueue(first)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.count, d.storeErr = count+unstored, err
	if len(d.refused) == 0 {
		d.refusal = nil
	}
	return unstored == 0 && err == nil
}

// enqueue makes the queue of inquiries. The question that failed is the last, so that it
// cannot hold up the others.
func (d *finder) enqueue(inquiries map[question]inquiry) {
	failed, ok := inquiries[d.failed]
	delete(inquiries, d.failed)
	d.queue = slices.SortedFunc(maps.Values(inquiries), inquiry.compare)
	if ok {
		d.queue = append(d.queue, failed)
	}
}

// catchUp adds the flats that have changed since the last look to those that wait.
func (d *finder) catchUp(work *task) error {
	flats := d.store.snapshot()
	for row, f := range flats.changed(d.seen) {
		d.waiting[row] = true
		if p := f.found(); p.Text != "" {
			d.known[d.question(f)] = p
		}
		if err := work.step(1000 + len(f.served)); err != nil {
			return err
		}
	}
	d.seen = flats
	return nil
}

// write stores edits.
func (d *finder) write(work *task, edits []edit) error {
	work.pause()
	d.written = time.Now()
	if err := d.store.complete(edits); err != nil {
		if d.storeErr == nil {
			d.store.log.Warn("positions and travel times cannot be stored", "err", err)
		}
		return err
	}
	return work.resume()
}

// settle returns what is known about a flat and not yet stored, as its members, and the
// questions for the rest.
func (d *finder) settle(f *Flat) (set members, questions []question) {
	set = members{}
	if f.Gone.Known() || f.hasStatus("ignored", "duplicate", "user_deleted") {
		return set, nil
	}
	q := d.question(f)
	_, _, precision := f.position()
	if d.config.Travel != nil && q.text != "" && precision != "own" && f.found().Text != q.text {
		if p, ok := d.known[q]; ok {
			set["found_position"] = json.RawMessage(encodeJSON(p))
			f, _ = f.withMembers(set, d.store.codes, nil) // no error: the position is valid
		} else {
			questions = append(questions, q)
		}
	}
	times, missing := d.times(f, len(questions) > 0)
	if times != nil {
		set["service_time_to"] = times
	}
	return set, append(questions, missing...)
}

// hasStatus reports whether the status is one of some texts.
func (f *Flat) hasStatus(texts ...string) bool {
	text := f.Status.JSON()
	return text[0] == '"' && slices.Contains(texts, unquote(text))
}

// question returns the question for the position of the flat's address, or one without text.
func (d *finder) question(f *Flat) question {
	q := question{text: f.address()}
	if at, ok := f.ServicePostalCode.at(); ok {
		q.place = coordinates(at[0], at[1])
	} else if places := d.config.Constraints[f.ServiceConstraint.String()].Places; len(places) > 0 {
		q.place = places[slices.Min(slices.Collect(maps.Keys(places)))].sent
	}
	return q
}

// at returns the latitude and longitude of the postal code.
func (c *Code) at() (gps [2]float64, ok bool) {
	if c.entry == nil || !c.entry.Lat.Known() || !c.entry.Lng.Known() {
		return gps, false
	}
	return [2]float64{c.entry.Lat.Float(), c.entry.Lng.Float()}, true
}

// placesOf returns the places of the flat's constraint or, if it has none that is
// configured, of all.
func (d *finder) placesOf(f *Flat) map[string]Place {
	if constraint, ok := d.config.Constraints[f.ServiceConstraint.String()]; ok {
		return constraint.Places
	}
	return d.places
}

// isNear reports whether a position can be that of a flat's address.
func (d *finder) isNear(f *Flat, at point) bool {
	if code, ok := f.ServicePostalCode.at(); ok {
		return at.to(pointAt(code[0], code[1])) <= maxInCode
	}
	places := d.placesOf(f)
	if len(places) == 0 {
		places = d.places
	}
	for _, place := range places {
		if at.to(place.at) <= maxFar {
			return true
		}
	}
	return len(places) == 0
}

// times returns the service_time_to of a flat with the times that are known now, or nil if
// nothing differs, and the questions for the others. If the flat's position is being asked
// for, times from an earlier one stay meanwhile.
func (d *finder) times(f *Flat, asking bool) (text json.RawMessage, missing []question) {
	stored, ok := timesIn(f.ServiceTimeTo.JSON())
	lat, lng, precision := f.position()
	if !ok || precision == "" && asking {
		return nil, nil
	}
	from, places := pointAt(lat.Float(), lng.Float()), d.placesOf(f)
	isFar := func(place Place) bool { return precision == "" || from.to(place.at) > maxFar }
	changed := false
	maps.DeleteFunc(stored, func(name string, text json.RawMessage) bool {
		place, ok := places[name]
		isOld := isEstimated(text) && (!ok || isFar(place))
		changed = changed || isOld
		return isOld
	})
	for _, name := range slices.Sorted(maps.Keys(places)) {
		place := places[name]
		if isFar(place) || stored[name] != nil && !isEstimated(stored[name]) {
			continue
		}
		time := travelTime{GPS: place.gps, Mode: place.mode, Estimated: estimate{Precision: precision,
			From: [2]float64{math.Round(lat.Float()*1e4) / 1e4, math.Round(lng.Float()*1e4) / 1e4}}}
		stops := d.stops[place.sent]
		if place.mode == byTransit {
			if d.config.Travel == nil {
				continue
			}
			time.Estimated.Arrive = d.config.Travel.arrive
		}
		switch {
		case time.isSame(stored[name]):
			continue
		case place.mode == byTransit && stops == nil:
			missing = append(missing, question{place: place.sent})
			continue
		case place.mode == byTransit:
			time.setTime(min(stops.least(from), walking(from.to(place.at))))
		default:
			time.setTime(detour * from.to(place.at) / speeds[place.mode])
		}
		stored[name], changed = json.RawMessage(encodeJSON(time)), true
	}
	if !changed {
		return nil, missing
	}
	if len(stored) == 0 {
		return json.RawMessage("null"), missing
	}
	return json.RawMessage(encodeJSON(stored)), missing
}

// ask asks the first question in the queue, and reports whether there is an answer. Without
// one all questions wait.
func (d *finder) ask(ctx context.Context, i inquiry) bool {
	ask := d.askPosition
	if i.text == "" {
		ask = d.askStops
	}
	err := ask(ctx, i)
	d.queue = d.queue[1:]
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.wait, d.last, d.err = 0, time.Now(), nil
		return true
	}
	if ctx.Err() != nil {
		return false
	}
	d.wait = longer(d.wait)
	wait := cmp.Or(d.after, d.wait)
	if d.err == nil || d.err.Error() != err.Error() {
		d.store.log.Warn("positions and travel times must wait", "err", err, "again_in", wait)
	}
	d.queue = append(d.queue, i)
	d.failed, d.retry, d.err = i.question, time.Now().Add(wait), err
	return false
}

// askPosition asks for the position of a flat's address.
func (d *finder) askPosition(ctx context.Context, i inquiry) error {
	q, f := i.question, i.flat
	values := url.Values{"text": {q.text}, "type": {"ADDRESS,PLACE"}, "numResults": {"20"}, "language": {"en"}}
	if q.place != "" {
		values.Set("place", q.place)
	}
	body, err := d.get(ctx, "geocode", values, 10*time.Second, 1<<20)
	var refused refusedError
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	var matches []match
	noPosition := func(m match) bool { return m.Lat == nil || m.Lon == nil }
	if err == nil && (json.Unmarshal(body, &matches) != nil || matches == nil ||
		slices.ContainsFunc(matches, noPosition)) {
		return fmt.Errorf("%s: the answer is no list of places", d.config.Travel.url.Host)
	}
	found := position{}
	for _, m := range matches {
		p, ok := m.position(f.Location.String())
		if ok && d.isNear(f, pointAt(*m.Lat, *m.Lon)) {
			found = p
			break
		}
	}
	found.Text = q.text
	d.known[q] = found
	return nil
}

// askStops asks for the stops from which a place can be reached. It asks for four times of
// arrival, because the durations include the wait between the last stop and that time.
func (d *finder) askStops(ctx context.Context, i inquiry) error {
	q, host := i.question, d.config.Travel.url.Host
	stops := &Stops{cells: map[[3]int16][]stop{}, at: time.Now()}
	refuse := func(why error) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.refused[q], d.refusal = time.Now().Add(tableAge), why
		d.store.log.Warn("no travel times to a place until tomorrow", "place", d.bySent[q.place].name, "err", why)
		return nil
	}
	for early := range 4 {
		at := d.arrival().Add(-time.Duration(early) * 15 * time.Minute)
		body, err := d.get(ctx, "one-to-all", url.Values{"one": {q.place}, "time": {at.UTC().Format(time.RFC3339)},
			"arriveBy": {"true"}, "maxTravelTime": {"90"}, "transitModes": {"TRANSIT"}}, time.Minute, 64<<20)
		var refused refusedError
		if errors.As(err, &refused) {
			return refuse(err)
		}
		if err == nil {
			work := newTask(ctx, d.store.turns)
			if err = stops.read(work, body, d.bySent[q.place].at); err != nil {
				err = fmt.Errorf("%s: %w", host, err)
			}
			work.pause()
		}
		if err != nil {
			return err
		}
	}
	if len(stops.cells) == 0 {
		return refuse(fmt.Errorf("%s knows no stop from which %s can be reached", host, d.bySent[q.place].name))
	}
	d.stops[q.place] = stops
	return nil
}

// arrival returns the time of arrival: on the next Tuesday, never today.
func (d *finder) arrival() time.Time {
	now := d.store.now().In(cmp.Or(d.config.Timezone, time.Local))
	days := (int(time.Tuesday-now.Weekday())+6)%7 + 1
	clock, _ := time.Parse("15:04", d.config.Travel.arrive) // the config has checked it
	return time.Date(now.Year(), now.Month(), now.Day()+days, clock.Hour(), clock.Minute(), 0, 0, now.Location())
}

// A refusedError is an answer that concerns one request alone.
type refusedError struct{ error }

// get asks the service, at most once in a while, and returns its answer.
func (d *finder) get(ctx context.Context, path string, values url.Values, patience time.Duration,
	most int64) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Until(d.asked.Add(askEvery))):
	}
	d.asked, d.after = time.Now(), 0
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	host, target := d.config.Travel.url.Host, d.config.Travel.url.JoinPath("api/v1", path)
	target.RawQuery = values.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: the request cannot be made", host)
	}
	r.Header.Set("User-Agent", "flats/"+version+" ("+d.config.Travel.contact+")")
	answer, err := d.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", host, reason(err))
	}
	defer answer.Body.Close()
	status := answer.StatusCode
	if status == http.StatusOK {
		body, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
		if err != nil {
			return nil, fmt.Errorf("%s: %s", host, reason(err))
		}
		if int64(len(body)) > most {
			return nil, fmt.Errorf("%s: the answer has more than %d bytes", host, most)
		}
		return body, nil
	}
	err = fmt.Errorf("%s answered %d %s", host, status, http.StatusText(status))
	if status/100 == 4 && status != http.StatusTooManyRequests {
		return nil, refusedError{err}
	}
	seconds, _ := strconv.Atoi(answer.Header.Get("Retry-After")) // 0 for a date
	d.after = time.Duration(min(seconds, int(maxWait/time.Second))) * time.Second
	return nil, err
}
