// What is derived from a flat: its position, its travel times, and the other fields that only /find has.

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"

	"flats/internal/listing"
	"flats/internal/turns"
)

// queryFields returns the fields of /find: flatFields, derivedFields, and the named ones that the
// config adds, time_to.PLACE, rating.PERSON, travel.PERSON and travel_longest. codes has the constraints with the
// places, and may be nil. queryFields logs the places that a query cannot name.
func queryFields(log *slog.Logger, codes *PostalCodes, names ...string) *Fields[Flat] {
	fields := slices.Clone(derivedFields)
	var goers placeGoers
	if codes != nil {
		goers = newPlaceGoers(codes.constraints)
	}
	var people []string // those of names who go somewhere, for travel_longest
	for _, name := range names {
		kind, placeOrPerson, _ := strings.Cut(name, ".")
		if strings.ContainsAny(placeOrPerson, ",[]") { // it is a place: the config refuses such people
			log.Warn("no query can name a place with a comma or bracket", "place", placeOrPerson)
			continue
		}
		if kind == "travel" && goers.goesSomewhere(placeOrPerson) {
			people = append(people, placeOrPerson)
		}
		get := func(f *Flat) value {
			switch kind {
			case "rating":
				return f.Ratings.ratingBy(placeOrPerson)
			case "travel":
				return goers.shortest(f, placeOrPerson)
			case "travel_longest":
				return goers.longest(f, people)
			}
			return f.ServiceTimeTo.timeTo(placeOrPerson) // kind is time_to
		}
		fields = append(fields, derivedField[Flat]{name, get})
	}
	return flatFields.forFind(fields...)
}

// placeGoers tell who goes to each place: the name of a person, or "" for everybody. pageWays serves them to the page.
type placeGoers struct {
	Persons map[string]map[string]string `json:"persons"` // by constraint and place
	Others  map[string]string            `json:"others"`  // by place, for flats of no constraint in the config
}

func newPlaceGoers(constraints map[string]Constraint) placeGoers {
	g := placeGoers{Persons: map[string]map[string]string{}, Others: map[string]string{}}
	for name, constraint := range constraints {
		g.Persons[name] = map[string]string{}
		for place, to := range constraint.Places {
			g.Persons[name][place] = to.Person
		}
	}
	for place, to := range placesOfAll(constraints) {
		g.Others[place] = to.Person
	}
	return g
}

// shortest returns the shortest time, in seconds, from a flat to the places of its constraint where a person goes, or
// null.
func (g placeGoers) shortest(f *Flat, person string) *Number {
	persons, isConfigured := g.Persons[f.ServiceConstraint.String()] // by place
	if !isConfigured {
		persons = g.Others
	}
	for _, to := range f.ServiceTimeTo.times { // the shortest first
		who, isPlace := persons[to.place]
		goesThere := isPlace && (who == "" || who == person)
		if goesThere {
			return newNumber(to.seconds)
		}
	}
	return &Number{}
}

// longest returns the longest of the times of several people, or null if one is not known or there is nobody.
func (g placeGoers) longest(f *Flat, people []string) *Number {
	longest := &Number{}
	for _, person := range people {
		to := g.shortest(f, person)
		if !to.Known() {
			return to
		}
		if !longest.Known() || to.number > longest.number {
			longest = to
		}
	}
	return longest
}

// hasPersonalPlace reports whether there is a place where only one person goes.
func (g placeGoers) hasPersonalPlace() bool {
	for _, persons := range g.Persons {
		for _, who := range persons {
			if who != "" {
				return true
			}
		}
	}
	return false
}

// goesSomewhere reports whether there is a place where a person goes.
func (g placeGoers) goesSomewhere(person string) bool {
	for _, persons := range g.Persons {
		for _, who := range persons {
			if who == "" || who == person {
				return true
			}
		}
	}
	return false
}

var derivedFields = []derivedField[Flat]{
	{"cost_per_area", func(f *Flat) value {
		if f.Cost.number > 0 && f.Area.number > 0 {
			return newNumber(f.Cost.number / f.Area.number)
		}
		return &Number{}
	}},
	{"travel_time", func(f *Flat) value { return f.ServiceTimeTo.shortest() }},
	{"site", func(f *Flat) value {
		id := f.ID.String()
		at := strings.LastIndexByte(id, '@')
		if at < 0 {
			return &Text{}
		}
		return newText(id[at+1:])
	}},
	{"gps", func(f *Flat) value {
		if f.gps == nil {
			return &AnyJSON{}
		}
		return &f.gps.AnyJSON
	}},
	{"lat", func(f *Flat) value { lat, _, _ := f.position(); return lat }},
	{"lng", func(f *Flat) value { _, lng, _ := f.position(); return lng }},
	{"precision", func(f *Flat) value { _, _, precision := f.position(); return newText(precision) }},
	{"place", func(f *Flat) value {
		// The place is the postal code with its name, or else the location.
		place := f.ServicePostalCode.String()
		if entry := f.ServicePostalCode.entry; entry != nil {
			place = strings.TrimSpace(place + " " + entry.Name.String())
		}
		if place == "" && f.Location.JSON() != `""` { // newText makes an empty location null
			return &f.Location // not a copy, because it may be long
		}
		return newText(place)
	}},
	{"url", func(f *Flat) value { return &f.URLs.first }},
	// priced and price treat a cost of 0 as no price. The page sorts by priced, so that flats
	// without a price come last, and filters by price.
	{"priced", func(f *Flat) value {
		if f.Cost.number > 0 {
			return newNumber(1)
		}
		return newNumber(0)
	}},
	{"price", func(f *Flat) value {
		if f.Cost.number > 0 {
			return &f.Cost
		}
		return &Number{}
	}},
	{"currency_code", func(f *Flat) value { return newText(f.currencyCode()) }},
	{"monthly", func(f *Flat) value { return newNumber(f.monthly()) }},
	{"monthly_per_area", func(f *Flat) value {
		if f.Area.number > 0 {
			return newNumber(f.monthly() / f.Area.number)
		}
		return &Number{}
	}},
	{"contacted_since", func(f *Flat) value {
		if f.hasStatus([]string{"contacted"}) {
			return &f.StatusSince
		}
		return &Datetime{}
	}},
	// changed is when an import last found another cost, or found the flat gone: the later of the two. The first entry of
	// the cost history is not a change.
	{"changed", func(f *Flat) value {
		if cost := f.CostHistory.changed; cost != nil && cost.at.After(f.Gone.at) {
			return cost
		}
		return &f.Gone
	}},
}

// currencyCode returns the code of the flat's currency, or the currency as it is if it has none.
func (f *Flat) currencyCode() string { return listing.CurrencyCode(f.Currency.String()) }

// monthly returns what a month costs with utilities, in whole cents, or NaN if that is not known. A cost of 0 is not a
// price.
func (f *Flat) monthly() float64 {
	utilities := f.Utilities.String()
	switch {
	case f.Cost.number > 0 && utilities == "included":
		return f.Cost.number
	case f.Cost.number > 0 && utilities == "excluded" && f.Charges.Known():
		return math.Round((f.Cost.number+f.Charges.number)*100) / 100
	}
	return math.NaN()
}

// position returns the latitude and longitude of the flat, and how precise they are: "own"
// from its gps, else "house" or "street" from its found position, else "postal_code", else
// "place" from its found position, or "" if they are not known.
func (f *Flat) position() (lat, lng *Number, precision string) {
	if f.gps != nil && f.gps.isValid {
		return &f.gps.lat, &f.gps.lng, "own"
	}
	found := f.FoundPosition.position()
	isFound := f.isFound && found.Precision != nil
	isFoundHome := isFound && *found.Precision != "place" // more precise than a postal code
	_, _, hasCode := f.ServicePostalCode.at()
	if hasCode && !isFoundHome {
		return f.ServicePostalCode.entry.Lat.value(), f.ServicePostalCode.entry.Lng.value(), "postal_code"
	}
	if isFound {
		return newNumber(*found.Lat), newNumber(*found.Lng), *found.Precision
	}
	return &Number{}, &Number{}, ""
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

// abbreviated returns the simplified words of a text, with a space before and after each. A
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

const (
	maxToPlace  = 150_000 // metres from a flat to a place to which the way is computed
	maxFromCode = 15_000  // metres from a postal code to an address with that code
	maxToStop   = 1_500   // metres from a flat to a stop to which one walks
	// maxTime is in seconds: 90 minutes, the longest way that askStops asks for. A longer time is stored as maxTime, with
	// over.
	maxTime = 5400
)

// A travelTime is a member of service_time_to that the service has computed.
type travelTime struct {
	Time      int             `json:"time"` // seconds
	GPS       json.RawMessage `json:"gps"`
	Mode      string          `json:"mode"`
	Sections  []struct{}      `json:"sections"` // empty, for programs that expect it as in Flatisfy's times
	Estimated estimate        `json:"estimated"`
}

// An estimate says what a travel time was computed from.
type estimate struct {
	From      [2]float64 `json:"from"`
	Precision string     `json:"precision"`        // of From, as in /find
	Arrive    string     `json:"arrive,omitempty"` // the time of day of arrival, for public transport
	Over      bool       `json:"over,omitempty"`   // the real time is longer than maxTime
}

// setSeconds sets the time to whole minutes, rounded up.
func (t *travelTime) setSeconds(seconds float64) {
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

// keepTimes changes the members that an import sets on a flat, so that the flat keeps the service's
// estimates for places that the listing does not name. It also drops estimates in the listing, as
// an exported flat has them.
func keepTimes(values members, before *Flat) {
	listed, ok := timesIn(values.text("service_time_to"))
	if values["service_time_to"] == nil || !ok {
		return
	}
	count := len(listed)
	maps.DeleteFunc(listed, func(_ string, text json.RawMessage) bool { return isEstimated(text) })
	differs := len(listed) < count
	stored, _ := timesIn(before.ServiceTimeTo.JSON())
	for place, text := range stored {
		if listed[place] == nil && isEstimated(text) {
			listed[place] = text
			differs = true
		}
	}
	if differs {
		values.put("service_time_to", listed)
	}
	// The same value in another spelling is not a change.
	if sameValue(values["service_time_to"], json.RawMessage(before.ServiceTimeTo.JSON())) {
		delete(values, "service_time_to")
	}
}

// Stops holds the stops from which a place can be reached by public transport, by their cell (cellOf), and by their
// latitude and longitude rounded to about ten metres. The rounding bounds the stops of a cell, however many an answer
// has.
type Stops map[[3]int16]map[[2]int32]stop

type stop struct {
	at      point
	minutes float64 // from the stop to the place
}

// cellOf returns the cell of a point: a cube with edges of maxToStop metres. Stops within maxToStop of the point lie in
// this cell or in one next to it.
func cellOf(p point) (cell [3]int16) {
	for i := range p {
		cell[i] = int16(math.Floor(p[i] * earthRadius / maxToStop)) // a point has coordinates from -1 to 1
	}
	return cell
}

// shortestTime returns the shortest time, in seconds, to walk to a stop and travel on to the place from there, or +Inf
// if no stop is within maxToStop.
func (s Stops) shortestTime(from point) float64 {
	shortest, cell := math.Inf(1), cellOf(from)
	for i := range int16(27) {
		x, y, z := i%3-1, i/3%3-1, i/9-1 // every combination of -1, 0 and 1
		near := [3]int16{cell[0] + x, cell[1] + y, cell[2] + z}
		for _, stop := range s[near] {
			if metres := from.distanceTo(stop.at); metres <= maxToStop {
				shortest = min(shortest, 60*stop.minutes+travelSeconds(metres, byTransit))
			}
		}
	}
	return shortest
}

var errNoStops = errors.New("the answer is not a list of stops")

// read adds the stops within maxToPlace of a place from an answer, a Reachable of MOTIS.
func (s Stops) read(work *turns.Task, body []byte, place point) (err error) {
	defer work.Finish(&err)
	var answer struct{ All json.RawMessage }
	if json.Unmarshal(body, &answer) != nil {
		return errNoStops
	}
	list := json.NewDecoder(bytes.NewReader(answer.All))
	if bracket, _ := list.Token(); bracket != json.Delim('[') {
		return errNoStops
	}
	for list.More() {
		work.Step(500) // as long as an element takes, in steps of a few nanoseconds
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
			rounded := [2]int32{int32(math.Round(*lat * 1e4)), int32(math.Round(*lng * 1e4))} // four decimals: ten metres
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
