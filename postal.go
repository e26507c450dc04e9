// Postal codes and their constraints; points and places.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"flats/internal/turns"
)

// A Constraint is a region in which to look for a home, such as a city.
type Constraint struct {
	Areas  []string         `json:"areas"`   // the areas of its postal codes; nil for all
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

// Degrees is a latitude, a longitude, or null. Unlike a Number it does not keep the text, because
// there are millions of them.
type Degrees struct {
	number  float64
	isKnown bool
}

func (d *Degrees) setJSON(json string) error {
	var n Number
	err := n.setJSON(json)
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

// PostalCodes holds the postal codes of all files, and finds those of a constraint. The codes
// never change, and the type is safe for concurrent use. A nil *PostalCodes is empty for get
// and in; other methods do not accept it.
type PostalCodes struct {
	*Table[PostalCode]
	all         *snapshot[PostalCode]
	constraints map[string]Constraint
	index       []indexedCode       // sorted by hash, then by row
	seed        maphash.Seed        // of the hashes
	ofArea      map[string][]string // the names of up to two constraints that name an area
	ofAnyArea   []string            // those of up to two constraints for all areas
	areaNames   map[string]string   // the names of areas, as far as they are known
}

// newPostalCodes indexes the entries. A constraint covers those in its areas, or all if it has
// no areas.
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

// with returns the same codes with other constraints.
func (p *PostalCodes) with(constraints map[string]Constraint) *PostalCodes {
	next := *p
	next.constraints, next.ofArea, next.ofAnyArea = constraints, map[string][]string{}, nil
	for name, c := range constraints {
		if c.Areas == nil && len(next.ofAnyArea) < 2 {
			next.ofAnyArea = append(next.ofAnyArea, name)
		}
		for _, area := range c.Areas {
			if len(next.ofArea[area]) < 2 && !slices.Contains(next.ofArea[area], name) {
				next.ofArea[area] = append(next.ofArea[area], name)
			}
		}
	}
	return &next
}

// An indexedCode is the row of a code, by the hash of the compact code. It takes an eighth of the
// memory of an element of a map.
type indexedCode struct{ hash, row uint32 }

func (p *PostalCodes) hash(compactCode string) uint32 {
	return uint32(maphash.String(p.seed, compactCode))
}

// spelled yields the entries with a compact code, in the order of the files.
func (p *PostalCodes) spelled(compactCode string) iter.Seq[*PostalCode] {
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

// covers reports whether a postal code is one of the constraint's.
func (c Constraint) covers(entry *PostalCode) bool {
	return c.Areas == nil || slices.Contains(c.Areas, entry.Area.String())
}

// uncovered returns the names of the constraints with areas to which none of the postal codes
// belongs, sorted.
func (p *PostalCodes) uncovered() []string {
	if p == nil {
		return nil
	}
	var names []string
	for name, c := range p.constraints {
		if c.Areas != nil && !p.covered(c) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// covered reports whether a constraint covers any postal code.
func (p *PostalCodes) covered(c Constraint) bool {
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
	// Other codes differ from it in case, spaces or hyphens.
	for entry := range p.spelled(compact(code)) {
		if entry.PostalCode.String() == code && c.covers(entry) {
			return entry
		}
	}
	return nil
}

// onlyConstraint returns the name of the only constraint that has a code, or "". Unless the country is "", only codes
// of the country count.
func (p *PostalCodes) onlyConstraint(code, country string) string {
	if p == nil {
		return ""
	}
	only := ""
	for entry := range p.spelled(compact(code)) {
		if entry.PostalCode.String() != code || country != "" && entry.country() != country {
			continue
		}
		for _, name := range slices.Concat(p.ofArea[entry.Area.String()], p.ofAnyArea) {
			if only != "" && only != name {
				return ""
			}
			only = name
		}
	}
	return only
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
