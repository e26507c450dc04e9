// The types of fields, their order and their equality; points on the earth, and what is near them.

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// jsonTime is the layout of a time as a JSON string, with milliseconds if there are any.
const jsonTime = `"2006-01-02T15:04:05.999Z07:00"`

const day = 24 * time.Hour

// A value is the value of a field in a record. The zero value is null.
// All methods except setJSON and share are safe for concurrent use.
type value interface {
	// setJSON sets the value to a JSON text, which must be valid. If the text does not fit the type,
	// setJSON returns an error and changes nothing; only [KeptPhotos] keeps the valid part.
	setJSON(text string) error
	// JSON returns the JSON text as it was set, with the same digits and escapes.
	JSON() string
	// String returns the content of a string, the JSON text of anything else, and
	// "" for null.
	String() string
	// share replaces the value's own copy of its JSON by text, an identical part of the record's
	// JSON, so that the copy is freed.
	share(text string)
	// Known reports whether the value is not null.
	Known() bool
	// key returns the sort key of a value that is not null.
	key() key
	// matchingKeys returns the keys of the values that match the text of a filter. It
	// returns none if the text does not fit the type.
	matchingKeys(filter string) []key
}

// A literal is the JSON text of a value. Both "" and "null" are null.
type literal struct{ json string }

func (l *literal) JSON() string { return cmp.Or(l.json, "null") }

func (l *literal) String() string {
	if l.json == "null" {
		return ""
	}
	return unquote(l.json)
}

func (l *literal) Known() bool { return l.json != "" && l.json != "null" }

func (l *literal) share(text string) { l.json = text }

// Text is a string or null.
type Text struct{ literal }

func (t *Text) setJSON(text string) error {
	if text[0] != '"' && text != "null" {
		return unexpected("a string or null", text)
	}
	t.json = text
	return nil
}

// newText returns a text, or null if it is empty.
func newText(text string) *Text {
	t := &Text{}
	if text != "" {
		t.json = encodeJSON(text)
	}
	return t
}

// textsIn returns the named members of an object, which must be strings or null. A null becomes "".
func textsIn(object members, names ...string) (map[string]string, error) {
	texts := map[string]string{}
	for _, name := range names {
		var text Text
		if err := text.setJSON(object.text(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		texts[name] = text.String()
	}
	return texts, nil
}

func (t *Text) key() key { return textKey(t.String()) }

func (t *Text) matchingKeys(filter string) []key { return []key{textKey(filter)} }

// Number is a finite number or null.
type Number struct {
	literal
	number float64 // 0 for null
}

func (n *Number) setJSON(text string) error {
	number, ok := parseNumber(text)
	if !ok && text != "null" {
		return unexpected("a finite number or null", text)
	}
	n.json, n.number = text, number
	return nil
}

// newNumber returns a number, or null if it is not finite.
func newNumber(number float64) *Number {
	n := &Number{}
	if text, err := json.Marshal(number); err == nil { // an error means NaN or Inf
		n.setJSON(string(text))
	}
	return n
}

// rounded returns a finite number with a number of decimals. Half is rounded away from zero, as Intl does on the page,
// by the shortest decimal text of the number: 1.005 has two decimals in 1.01, although its float64 is a little less.
func rounded(number float64, decimals int) string {
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(number, 'g', -1, 64))
	return exact.FloatString(decimals)
}

func (n *Number) key() key { return numberKey(n.json, n.number) }

func (n *Number) matchingKeys(filter string) []key {
	if number, ok := parseNumber(filter); ok {
		return []key{numberKey(filter, number)}
	}
	return nil
}

// Datetime is an ISO 8601 date, with or without a time, or null. See [parseDatetime].
type Datetime struct {
	literal
	at time.Time // in UTC, or the zero time for null
}

func (d *Datetime) setJSON(text string) error {
	if text == "null" {
		*d = Datetime{literal: literal{text}}
		return nil
	}
	at, _, err := parseDatetime(unquote(text))
	if err != nil {
		return err
	}
	*d = Datetime{literal: literal{text}, at: at}
	return nil
}

// hasOffset reports whether the text has an offset from UTC. If not, at takes it to be in UTC.
func (d *Datetime) hasOffset() bool {
	_, hasOffset, _ := parseDatetime(d.String()) // no error: setJSON has checked it
	return hasOffset
}

// hasTime reports whether the text has a time of day.
func (d *Datetime) hasTime() bool { return len(d.String()) > len(time.DateOnly) }

// shownIn returns what the clocks of a zone show at the datetime. Without an offset, that is the datetime itself.
func (d *Datetime) shownIn(zone *time.Location) time.Time {
	if d.hasOffset() {
		return d.at.In(zone)
	}
	return d.at
}

func (d *Datetime) key() key { return instantKey(d.at) }

func (d *Datetime) matchingKeys(filter string) []key {
	if at, _, err := parseDatetime(filter); err == nil {
		return []key{instantKey(at)}
	}
	return nil
}

// AnyJSON is any JSON value.
type AnyJSON struct{ literal }

func (v *AnyJSON) setJSON(text string) error {
	v.json = text
	if strings.ContainsAny(text, " \t\r\n") {
		v.json = encodeJSON(json.RawMessage(text)) // compacts it
	}
	return nil
}

// setObject sets the value to a JSON object whose members are all valid, or to null. An empty
// object becomes null. Errors name the type by want.
func (v *AnyJSON) setObject(text, want string, isValid func(name, text string) bool) error {
	var object members
	isWrong := json.Unmarshal([]byte(text), &object) != nil // null is no error, and has no members
	for name, member := range object {
		isWrong = isWrong || !isValid(name, string(member))
	}
	if isWrong {
		return unexpected(want, text)
	}
	if len(object) == 0 {
		text = "null"
	}
	return v.setJSON(text)
}

// list returns the elements of a JSON list, or nil if the value is not a list.
func (v *AnyJSON) list() (list []json.RawMessage) {
	if v.Known() {
		json.Unmarshal([]byte(v.json), &list)
	}
	return list
}

// ids returns the texts of the ids in a JSON list.
func (v *AnyJSON) ids() (ids []string) {
	for _, id := range v.list() {
		ids = append(ids, unquote(string(id)))
	}
	return ids
}

// members returns the members of a JSON object, or none if the value is not an object.
func (v *AnyJSON) members() members {
	object := members{}
	if v.Known() {
		json.Unmarshal([]byte(v.JSON()), &object)
	}
	return object
}

// withMember returns a copy of the value with a member set, if it is an object or null. It returns
// any other value as it is.
func (v *AnyJSON) withMember(name string, text json.RawMessage) json.RawMessage {
	object := members{}
	if v.Known() && json.Unmarshal([]byte(v.JSON()), &object) != nil {
		return json.RawMessage(v.JSON())
	}
	object[name] = text
	return json.RawMessage(encodeJSON(object))
}

func (v *AnyJSON) key() key {
	if v.json[0] == '"' {
		return textKey(v.String())
	} else if number, ok := parseNumber(v.json); ok {
		return numberKey(v.json, number)
	}
	return key{kind: kindOther, text: v.json}
}

func (v *AnyJSON) matchingKeys(filter string) []key {
	return append(new(Number).matchingKeys(filter), textKey(filter), key{kind: kindOther, text: filter})
}

// Identifier is a string or an integer, of 1 to maxIdentifier bytes. 7 and "7" identify
// the same record, although their sort keys differ.
type Identifier struct{ AnyJSON }

const maxIdentifier = 1024 // bytes of an id

func (id *Identifier) setJSON(text string) error {
	size := len(unquote(text))
	isValidType := text[0] == '"' || isInteger(text)
	if !isValidType || size == 0 || size > maxIdentifier {
		return unexpected("a string of 1 to 1024 bytes or an integer", text)
	}
	id.json = text
	return nil
}

// A key is the sort key of a value. Null sorts first, then numbers, texts by their
// bytes, instants, and other values by their compact JSON text. Values are equal if
// their keys are ==.
type key struct {
	kind   kind
	nano   int32   // the nanoseconds of an instant
	number float64 // the number, or the Unix seconds of an instant
	text   string  // the text, or the exact value of a large number (see numberKey)
}

type kind uint8

const (
	kindNull kind = iota
	kindNumber
	kindText
	kindInstant
	kindOther
)

func (a key) compare(b key) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	if a.number != b.number {
		return cmp.Compare(a.number, b.number)
	}
	if a.kind == kindNumber && a.text != b.text { // large numbers with the same float64
		x, _ := new(big.Rat).SetString(a.text)
		y, _ := new(big.Rat).SetString(b.text)
		return x.Cmp(y)
	}
	return cmp.Or(cmp.Compare(a.nano, b.nano), strings.Compare(a.text, b.text))
}

// numberKey returns the key of a number with the given text. From 2^53 on, several integers
// share one float64, so the key also has the exact value.
func numberKey(text string, number float64) key {
	k := key{kind: kindNumber, number: number}
	if math.Abs(number) >= 1<<53 {
		exact, _ := new(big.Rat).SetString(text) // accepts whatever parseNumber accepts
		k.text = exact.RatString()
	}
	return k
}

func textKey(text string) key { return key{kind: kindText, text: text} }

func instantKey(at time.Time) key {
	return key{kind: kindInstant, number: float64(at.Unix()), nano: int32(at.Nanosecond())}
}

// maxDigits is the number of digits of a number, because strconv and math/big are slow for
// very long ones.
const maxDigits = 400

// parseNumber parses a finite decimal number. Unlike JSON, it also accepts leading zeros, a plus
// sign, and a point without digits on one side.
func parseNumber(s string) (float64, bool) {
	if s == "" || len(s) > maxDigits || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, false
	}
	number, err := strconv.ParseFloat(s, 64)
	return number, err == nil
}

// parseDatetime parses an ISO 8601 date, or date and time, as people and browsers
// write them:
//
//	datetime = date [ ( "T" / " " ) time [ offset ] ]
//	date     = 4DIGIT "-" 2DIGIT "-" 2DIGIT
//	time     = 2DIGIT ":" 2DIGIT [ ":" 2DIGIT [ ( "." / "," ) 1*DIGIT ] ]
//	offset   = "Z" / ( "+" / "-" ) 2DIGIT [ [ ":" ] 2DIGIT ]
//
// The day must exist. 24:00 and leap seconds are errors. Digits beyond nanoseconds
// are ignored. A time without an offset is taken as UTC.
func parseDatetime(s string) (at time.Time, hasOffset bool, err error) {
	const day, minutes, seconds = "2006-01-02", "2006-01-02T15:04", "2006-01-02T15:04:05"
	local := strings.Replace(s, " ", "T", 1)
	zone := ""
	if i := strings.LastIndexAny(local, "Z+-"); i > len(day) {
		local, zone = local[:i], local[i:]
	}
	layout := day
	if len(local) == len(minutes) {
		layout = minutes
	} else if len(local) >= len(seconds) {
		layout = seconds // time.Parse also accepts a fraction
	}
	switch len(zone) {
	case len("Z"), len("+01:00"):
		layout += "Z07:00"
	case len("+0100"):
		layout += "Z0700"
	case len("+01"):
		layout += "Z07"
	}
	at, err = time.Parse(layout, local+zone)
	// time.Parse accepts offsets of 24 hours and of 60 minutes.
	hasWrongHours := len(zone) >= len("+01") && zone[len("+"):len("+01")] > "23"
	hasWrongMinutes := len(zone) >= len("+0100") && zone[len(zone)-len("00"):] > "59"
	if err != nil || hasWrongHours || hasWrongMinutes {
		const want = "an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00"
		return time.Time{}, false, unexpected(want, strconv.Quote(s))
	}
	return at.UTC(), zone != "", nil
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

// coordinatesIn returns the latitude and the longitude in a pair of numbers, such as the gps of a place.
func coordinatesIn(gps json.RawMessage) (lat, lng float64, err error) {
	var pair []*float64
	err = json.Unmarshal(gps, &pair) // an empty text is an error, too
	isPair := err == nil && len(pair) == 2 && pair[0] != nil && pair[1] != nil
	if !isPair || !onEarth(*pair[0], *pair[1]) {
		return 0, 0, errors.New("want a latitude of at most 90 and a longitude of at most 180 degrees, " +
			"such as [48.8566, 2.3522]")
	}
	return *pair[0], *pair[1], nil
}

// coordinates returns a position as requests have it, rounded to about ten metres.
func coordinates(lat, lng float64) string { return fmt.Sprintf("%.4f,%.4f", lat, lng) }

const maxNear = 1000 // kilometres around a town

// Near is a position and what is around it.
type Near struct {
	GPS json.RawMessage `json:"gps"`
	KM  float64         `json:"km"` // the distance along a great circle

	lat float64
	at  point
}

// contains reports whether a position is near enough.
func (n *Near) contains(lat, lng float64) bool {
	const degree = 111.0                            // kilometres, a little less than a degree of latitude
	mayBeNear := math.Abs(lat-n.lat) <= n.KM/degree // false for most positions, which need no exact distance
	return mayBeNear && n.at.distanceTo(pointAt(lat, lng)) <= 1000*n.KM
}

// Degrees is a latitude, a longitude, or null. Unlike a Number it does not keep the text, because
// there are millions of them.
type Degrees struct {
	number  float64
	isKnown bool
}

func (d *Degrees) setJSON(text string) error {
	var n Number
	err := n.setJSON(text)
	if err == nil {
		*d = Degrees{n.number, n.Known()}
	}
	return err
}

// setCell sets the degrees in a cell of a table; an empty one is null.
func (d *Degrees) setCell(cell string) error {
	if cell == "" {
		return nil
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return unexpected("a finite number or null", encodeJSON(cell))
	}
	*d = Degrees{number, true}
	return nil
}

// value returns the degrees as a number.
func (d *Degrees) value() *Number {
	if !d.isKnown {
		return &Number{}
	}
	return newNumber(d.number)
}

func (d *Degrees) JSON() string { return d.value().JSON() }

func (d *Degrees) String() string { return d.value().String() }

func (d *Degrees) share(string) {}

func (d *Degrees) Known() bool { return d.isKnown }

func (d *Degrees) key() key { return d.value().key() }

func (d *Degrees) matchingKeys(filter string) []key { return d.value().matchingKeys(filter) }
