// Points on the earth, what is near them, and the numbers of a position.

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

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
	err = json.Unmarshal(gps, &pair) // nothing is an error, too
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
	const degree = 111.0 // kilometres, at least, of latitude: most positions need no exact distance
	return math.Abs(lat-n.lat) <= n.KM/degree && n.at.distanceTo(pointAt(lat, lng)) <= 1000*n.KM
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
