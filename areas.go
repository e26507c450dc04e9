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

// areas has each area by its name: the value of the field area of its postal codes, such as CH-ZH.
type areas map[string]area

// An area is what is known about the postal codes of an area.
type area struct {
	codes map[string]bool // a set, because a code has an entry for each of its towns
	towns map[string]int  // the number of entries, by the name of the town
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
	entries, err := loadPostalFile(file, map[string]string{})
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

// served returns the areas in the order of their names, such as CH-ZH. longNames has names in words, such as Zürich,
// by these short ones. Unless townPrefix is "", served returns only the areas with a town whose name begins with it.
func (a areas) served(longNames map[string]string, townPrefix string) []servedArea {
	list := []servedArea{}
	prefix := newSimpleName(townPrefix)
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if townPrefix == "" || a[name].hasTown(prefix) {
			list = append(list, servedArea{name, orNull(longNames[name]), len(a[name].codes), a[name].examples()})
		}
	}
	return list
}

// hasTown reports whether the area has a town whose name begins with prefix.
func (a area) hasTown(prefix simpleName) bool {
	for town := range a.towns {
		if newSimpleName(town).beginsWith(prefix) {
			return true
		}
	}
	return false
}

// A simpleName is a name in simplified words with spaces between them: plain is "zurich" for Zürich, and respelled,
// with ae, oe and ue for umlauts, is "zuerich".
type simpleName struct{ plain, respelled string }

func newSimpleName(name string) simpleName {
	var plain, respelled []string
	for t := (tokenizer{text: name}); t.next(); {
		plain = append(plain, string(t.word))
		respelled = append(respelled, cmp.Or(t.respelled(), string(t.word)))
	}
	return simpleName{strings.Join(plain, " "), strings.Join(respelled, " ")}
}

// beginsWith reports whether the name begins with another one, in either spelling.
func (n simpleName) beginsWith(prefix simpleName) bool {
	return strings.HasPrefix(n.plain, prefix.plain) || strings.HasPrefix(n.respelled, prefix.respelled)
}

// printable returns a text as it is or, if it has control characters, quoted: a terminal may take these for commands.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// examples returns the names of up to three towns, those with the most entries. It is never nil, so that its JSON is a
// list.
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
		isNumber := field[0] >= '0' && field[0] <= '9'
		if i > 0 && (isCedex || isNumber) {
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
	// maxFar is in metres. A place that is further from each postal code of its constraint is probably a mistake: flats at
	// these codes get no travel times to it, because it is also further than maxToPlace.
	maxFar          = 300_000
	maxAreaWarnings = 10 // warnings about the areas of a constraint
)

// warnConstraints warns of what is probably wrong with the constraints of a config.
func warnConstraints(c *Config, codes *PostalCodes, log *slog.Logger) {
	knownAreas := codes.areaSet()
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
		isKnown := func(area string) bool { return knownAreas[area] }
		unknownAreas := slices.DeleteFunc(slices.Clone(constraint.Areas), isKnown)
		for _, area := range unknownAreas[:min(len(unknownAreas), maxAreaWarnings)] {
			log.Warn("no postal code has this area", "constraint", name, "area", area,
				"instead_perhaps", similarAreas(area, knownAreas))
		}
		nearAlone := Constraint{Near: constraint.Near}
		if hasNear && !codes.hasCodeOf(nearAlone) {
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

// areaSet returns the names of the areas of the postal codes.
func (p *PostalCodes) areaSet() map[string]bool {
	names := map[string]bool{}
	for row := range p.all.size {
		names[p.all.row(uint32(row)).Area.String()] = true
	}
	delete(names, "") // of codes without an area
	return names
}

// similarAreas returns up to three known areas: those that have the longest prefix in common with area.
func similarAreas(area string, known map[string]bool) []string {
	names := slices.Sorted(maps.Keys(known))
	var similar []string
	for length := len(area); length >= 0; length-- {
		for _, name := range names {
			hasPrefix := len(name) >= length && strings.EqualFold(name[:length], area[:length])
			if !hasPrefix || slices.Contains(similar, name) {
				continue
			}
			if similar = append(similar, name); len(similar) == 3 {
				return similar
			}
		}
	}
	return similar
}

// farPlaces returns an error for each place that is far from all postal codes of its constraint, by the key of the
// place. Postal codes without a position do not count, and without any position no place is far.
func (c *Config) farPlaces(codes *PostalCodes) wrongKeys {
	wrong := wrongKeys{}
	for name, constraint := range c.Constraints {
		far := map[string]point{} // all places, until dropNear removes the others
		for place, to := range constraint.Places {
			far[place] = to.at
		}
		codes.dropNear(constraint, far)
		swapped := map[string]point{} // the far places with latitude and longitude swapped, if that is on earth
		for place := range far {
			lat, lng, _ := coordinatesIn(constraint.Places[place].GPS) // no error: it was checked
			if onEarth(lng, lat) {
				swapped[place] = pointAt(lng, lat)
			}
		}
		stillFar := maps.Clone(swapped)
		codes.dropNear(constraint, stillFar)
		for place := range far {
			text := fmt.Sprintf("lies more than %d km from the nearest postal code of its constraint", maxFar/1000)
			_, canBeSwapped := swapped[place]
			_, isStillFar := stillFar[place]
			if canBeSwapped && !isStillFar {
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
	return c.wrongTransit(func(to Place) bool { return to.isModeSet })
}

// wrongTransit is transitWithoutTravel with only the places that isIncluded accepts.
func (c *Config) wrongTransit(isIncluded func(Place) bool) wrongKeys {
	wrong := wrongKeys{}
	if c.Travel != nil {
		return wrong
	}
	for name, constraint := range c.Constraints {
		for place, to := range constraint.Places {
			if to.Mode == byTransit && isIncluded(to) {
				wrong.add("constraints."+name+".time_to."+place+".mode",
					errors.New("no times by public transport until travel is set; WALK and BIKE work"))
			}
		}
	}
	return wrong
}

// maxSeconds returns how long the way to a place may take, or 0 for any time. In the config it is the second number of
// a range: [0, 1800] is half an hour, and [0, null] any time. A Time of another form is an error, but only here, not
// where the config is read: configs written for other programs may have such times.
func (p Place) maxSeconds() (seconds float64, err error) {
	if p.Time == nil {
		return 0, nil
	}
	var leastAndMost []*float64
	wrong := errors.New("want how long it may take at most, in seconds, such as [0, 1800]")
	if json.Unmarshal(p.Time, &leastAndMost) != nil || len(leastAndMost) != 2 {
		return 0, wrong
	}
	most := leastAndMost[1]
	switch {
	case most == nil:
		return 0, nil
	case *most <= 0:
		return 0, wrong
	}
	return *most, nil
}

// wrongTimes returns an error for each place with a time that is not valid (see maxSeconds), by the key of the time.
func (c *Config) wrongTimes() wrongKeys {
	wrong := wrongKeys{}
	for name, constraint := range c.Constraints {
		for place, to := range constraint.Places {
			_, err := to.maxSeconds() // nil for a valid time: then add adds nothing
			wrong.add("constraints."+name+".time_to."+place+".time", err)
		}
	}
	return wrong
}
