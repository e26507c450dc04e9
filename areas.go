// The areas of postal codes, as flats areas prints them and as the page offers them; and warnings about constraints,
// which choose areas.

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// areas are what is known about postal codes, by their area.
type areas map[string]area

// An area is what is known about the postal codes with one value of area.
type area struct {
	codes map[string]bool // postal codes that may have several towns
	towns map[string]int  // the number of entries by name
}

// add adds an entry to its area.
func (a areas) add(entry *PostalCode) {
	name := entry.Area.String()
	if a[name].codes == nil {
		a[name] = area{map[string]bool{}, map[string]int{}}
	}
	a[name].codes[entry.PostalCode.String()] = true
	if town := townOf(entry.Name.String()); town != "" {
		a[name].towns[town]++
	}
}

// printAreas prints a line for each area of a file of postal codes, sorted by the name of the
// area: its number of postal codes, and the towns that have the most of them.
func printAreas(w io.Writer, file string) error {
	entries, err := loadPostalFile(file)
	if err != nil {
		return err
	}
	found := areas{}
	for _, entry := range entries {
		found.add(entry)
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(found)) {
		a := found[name]
		fmt.Fprintf(&b, "%s · %s", cmp.Or(printable(name), "(no area)"), withCommas(len(a.codes)))
		if examples := strings.Join(a.examples(), ", "); examples != "" {
			b.WriteString(" · " + printable(examples))
		}
		b.WriteByte('\n')
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// A servedArea is an area as it is served.
type servedArea struct {
	Area   string   `json:"area"`
	Name   *string  `json:"name"`
	Codes  int      `json:"codes"`  // the number of its postal codes
	Places []string `json:"places"` // examples of its towns
}

// served returns the areas with their names, sorted. Unless begin is "", it returns only areas with a town whose name
// begins with it.
func (a areas) served(names map[string]string, begin string) []servedArea {
	list := []servedArea{}
	beginning := newSpelling(begin)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if begin == "" || a[name].hasTown(beginning) {
			list = append(list, servedArea{name, orNull(names[name]), len(a[name].codes), a[name].examples()})
		}
	}
	return list
}

// hasTown reports whether the area has a town whose name has a beginning.
func (a area) hasTown(beginning spelling) bool {
	for town := range a.towns {
		if newSpelling(town).beginsWith(beginning) {
			return true
		}
	}
	return false
}

// A spelling is a name in simplified words with spaces between them. respelled has ae, oe and ue for umlauts.
type spelling struct{ simple, respelled string }

func newSpelling(name string) spelling {
	var simple, respelled []string
	for t := (tokenizer{text: name}); t.next(); {
		simple = append(simple, string(t.word))
		respelled = append(respelled, cmp.Or(t.respelled(), string(t.word)))
	}
	return spelling{strings.Join(simple, " "), strings.Join(respelled, " ")}
}

// beginsWith reports whether the name begins with another one, in either spelling.
func (s spelling) beginsWith(other spelling) bool {
	return strings.HasPrefix(s.simple, other.simple) || strings.HasPrefix(s.respelled, other.respelled)
}

// printable returns a text as it is, or quoted if a terminal might obey it.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// examples returns the names of up to three towns that have the most entries.
func (a area) examples() []string {
	byEntries := func(x, y string) int { return cmp.Or(a.towns[y]-a.towns[x], strings.Compare(x, y)) }
	names := slices.SortedFunc(maps.Keys(a.towns), byEntries)
	return append([]string{}, names[:min(3, len(names))]...)
}

// townOf returns the name of a town without the number of a district or of a post office after
// it, as in "Lyon 07" and "Lyon CEDEX 3", so that all parts of a town count as one.
func townOf(name string) string {
	fields := strings.Fields(name)
	for i, field := range fields {
		isCedex := strings.EqualFold(field, "cedex")
		if i > 0 && (isCedex || field[0] >= '0' && field[0] <= '9') {
			return strings.Join(fields[:i], " ")
		}
	}
	return strings.Join(fields, " ")
}

// withCommas returns a number with a comma after each group of three digits.
func withCommas(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

const (
	maxFar          = 300_000 // metres between a place and the nearest postal code of its constraint
	maxAreaWarnings = 10      // warnings about the areas of a constraint
)

// warnRegions warns of what is probably wrong with the constraints of a config.
func warnRegions(c *Config, codes *PostalCodes, log *slog.Logger) {
	known := codes.areas()
	for _, name := range slices.Sorted(maps.Keys(c.Constraints)) {
		constraint := c.Constraints[name]
		hasNear, hasAreas := constraint.Near != nil, constraint.Areas != nil
		switch {
		case !hasNear && !hasAreas:
			continue
		case codes.all.size == 0:
			log.Warn("a constraint has areas or near, which mean nothing without postal codes: set postal_codes",
				"constraint", name)
			continue
		}
		unknown := slices.DeleteFunc(slices.Clone(constraint.Areas), func(area string) bool { return known[area] })
		for _, area := range unknown[:min(len(unknown), maxAreaWarnings)] {
			log.Warn("no postal code has this area", "constraint", name, "area", area, "instead_perhaps", similar(area, known))
		}
		if hasNear && !codes.hasCodeOf(Constraint{Areas: []string{}, Near: constraint.Near}) {
			log.Warn("no postal code lies near enough", "constraint", name, "km", constraint.Near.KM)
		}
		if !codes.hasCodeOf(constraint) {
			log.Warn("the constraint has no postal code: its flats get no position and no travel times from one",
				"constraint", name)
		}
	}
	for _, wrong := range []wrongKeys{c.farPlaces(codes), c.transitWithoutTravel(), c.wrongTimes()} {
		for _, key := range slices.Sorted(maps.Keys(wrong)) {
			log.Warn("a place is probably not what you mean", "key", key, "why", wrong[key])
		}
	}
}

// areas returns the names of the areas of the postal codes.
func (p *PostalCodes) areas() map[string]bool {
	names := map[string]bool{}
	for row := range p.all.size {
		names[p.all.row(uint32(row)).Area.String()] = true
	}
	delete(names, "")
	return names
}

// similar returns up to three known areas with the longest prefix in common with area.
func similar(area string, known map[string]bool) []string {
	rest := slices.Sorted(maps.Keys(known))
	var found []string
	for length := len(area); length >= 0 && len(found) < 3; length-- {
		rest = slices.DeleteFunc(rest, func(name string) bool {
			isAlike := len(found) < 3 && len(name) >= length && strings.EqualFold(name[:length], area[:length])
			if isAlike {
				found = append(found, name)
			}
			return isAlike
		})
	}
	return found
}

// farPlaces returns an error for each place that is far from all postal codes of its constraint, by the key of the
// place. Postal codes without a position do not count, and without any position no place is far.
func (c *Config) farPlaces(codes *PostalCodes) wrongKeys {
	wrong := wrongKeys{}
	for name, constraint := range c.Constraints {
		far, swapped := map[string]point{}, map[string]point{}
		for place, to := range constraint.Places {
			far[place] = to.at
		}
		codes.dropNear(constraint, far)
		for place := range far {
			lat, lng, _ := coordinatesIn(constraint.Places[place].GPS) // no error: it was checked
			if onEarth(lng, lat) {
				swapped[place] = pointAt(lng, lat)
			}
		}
		farSwapped := maps.Clone(swapped)
		codes.dropNear(constraint, farSwapped)
		for place := range far {
			text := fmt.Sprintf("lies more than %d km from the nearest postal code of its constraint", maxFar/1000)
			_, canSwap := swapped[place]
			if _, isFar := farSwapped[place]; canSwap && !isFar {
				text += ": latitude and longitude look swapped"
			}
			wrong.add("constraints."+name+".time_to."+place, errors.New(text))
		}
	}
	return wrong
}

// dropNear removes the places to which one of the constraint's postal codes is near, and all places if the constraint
// has no code with a position.
func (p *PostalCodes) dropNear(c Constraint, places map[string]point) {
	hasPosition := false
	for row := 0; row < p.all.size && len(places) > 0; row++ {
		entry := p.all.row(uint32(row))
		if !entry.Lat.Known() || !entry.Lng.Known() || !c.covers(entry) {
			continue
		}
		hasPosition = true
		at := pointAt(entry.Lat.number, entry.Lng.number)
		maps.DeleteFunc(places, func(_ string, place point) bool { return at.distanceTo(place) <= maxFar })
	}
	if !hasPosition {
		clear(places)
	}
}

// transitWithoutTravel returns an error for each place with times by public transport, by the key of its mode, if no
// travel service is set.
func (c *Config) transitWithoutTravel() wrongKeys {
	return c.wrongTransit(func(Place) bool { return true })
}

// chosenTransitWithoutTravel is transitWithoutTravel without the places that have public transport by default.
func (c *Config) chosenTransitWithoutTravel() wrongKeys {
	return c.wrongTransit(func(to Place) bool { return to.isChosen })
}

// wrongTransit returns an error for each place with times by public transport that counts.
func (c *Config) wrongTransit(counts func(Place) bool) wrongKeys {
	wrong := wrongKeys{}
	if c.Travel != nil {
		return wrong
	}
	for name, constraint := range c.Constraints {
		for place, to := range constraint.Places {
			if to.Mode == byTransit && counts(to) {
				wrong.add("constraints."+name+".time_to."+place+".mode",
					errors.New("no times by public transport until travel is set; WALK and BIKE work"))
			}
		}
	}
	return wrong
}

// maxSeconds returns how long the way to a place may take, or 0 for any time. A Time other than [0, seconds] is an
// error: configs written for other programs may have such times.
func (p Place) maxSeconds() (seconds float64, err error) {
	if p.Time == nil {
		return 0, nil
	}
	var ends []*float64
	err = json.Unmarshal(p.Time, &ends)
	switch {
	case err != nil || len(ends) != 2 || ends[1] != nil && *ends[1] <= 0:
		return 0, errors.New("want how long it may take at most, in seconds, such as [0, 1800]")
	case ends[1] == nil:
		return 0, nil
	}
	return *ends[1], nil
}

// wrongTimes returns an error for each place with a time that is not valid (see maxSeconds), by the key of the time.
func (c *Config) wrongTimes() wrongKeys {
	wrong := wrongKeys{}
	for name, constraint := range c.Constraints {
		for place, to := range constraint.Places {
			_, err := to.maxSeconds()
			wrong.add("constraints."+name+".time_to."+place+".time", err)
		}
	}
	return wrong
}
