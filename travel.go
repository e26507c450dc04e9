// The geocoder: which positions and travel times flats lack, and the service that knows them.

package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"flats/internal/turns"
)

// Travel is a MOTIS server. No log, answer or error may show its URL beyond the host.
type Travel struct {
	URL     string `json:"url"`
	Contact string `json:"contact"` // in the User-Agent
	Arrive  string `json:"arrive"`  // the time of day of arrival

	url *url.URL // URL, parsed
}

// A question is a request to the travel service: for the position of an address or, if text
// is "", for the stops from which a place can be reached.
type question struct {
	text string // the address, or ""
	near string // coordinates of the place, or near the address; "" if none are known
}

// isAboutPlace reports whether the question is for the stops around a place.
func (q question) isAboutPlace() bool { return q.text == "" }

// A travelAnswer is the travel service's answer to a question.
type travelAnswer struct {
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

// A geocoder finds the positions of flats and their travel times, and stores them. Only the
// goroutine of run may use the members that mu does not guard.
type geocoder struct {
	backfill[inquiry]
	travel      *Travel // nil for none
	constraints map[string]Constraint
	zone        *time.Location   // of the time of arrival, nil for the zone of the system
	places      map[string]Place // of all constraints, by name: see placesOfAll
	client      *http.Client
	service     json.RawMessage // a hash of the travel service's URL
	woken       chan struct{}   // backfill.changed, to send to

	answers   map[question]travelAnswer
	failed    question             // the last question that got no answer
	askedWait time.Duration        // the wait that the service has asked for, or 0
	pace      *pace                // of all requests to the service
	stored    time.Time            // when answers were last stored
	refusals  []string             // the addresses that the service has refused since the time in answered
	doubted   map[string]time.Time // by address: a refusal before this time does not count
	answered  time.Time            // when an address was last answered with a list of places
	renewed   time.Time            // an address that was asked for before this time, and not found, is asked for again

	mu       sync.Mutex // guards the rest
	waiting  int        // the number of flats that lack a position or a time
	unknown  int        // the number of flats whose address was not found
	wantedAt time.Time  // when the user last wanted unknown addresses to be asked for again; look copies it to renewed
	last     time.Time  // when the service last answered
	err      error      // what is wrong since then
	storeErr error      // why answers cannot be stored
	refused  error      // why there are no times to a place
}

func newGeocoder(store *Store, travel *Travel, constraints map[string]Constraint, zone *time.Location) *geocoder {
	g := &geocoder{
		travel:      travel,
		constraints: constraints,
		zone:        zone,
		places:      placesOfAll(constraints),
		client:      &http.Client{CheckRedirect: noRedirect},
		woken:       store.changes(),
		answers:     map[question]travelAnswer{},
		pace:        &pace{},
		doubted:     map[string]time.Time{},
	}
	if travel != nil {
		sum := sha256.Sum256([]byte(travel.URL))
		g.service = fmt.Appendf(nil, `"%x"`, sum[:4])
	}
	g.backfill = backfill[inquiry]{store: store, changed: g.woken, every: lookEvery, look: g.look, ask: g.ask}
	return g
}

// inherit takes over the answers and waits of before, which has stopped, if both ask the same service. The other
// members come from the config, or the first look sets them.
func (g *geocoder) inherit(before *geocoder) {
	g.pace = before.pace
	now, then := g.travel, before.travel
	if now == nil || then == nil {
		return
	}
	isSameService := now.URL == then.URL && now.Contact == then.Contact && now.Arrive == then.Arrive
	if !isSameService || cmp.Or(g.zone, time.Local).String() != cmp.Or(before.zone, time.Local).String() {
		return
	}
	g.answers = before.answers
	g.failed = before.failed
	g.askedWait = before.askedWait
	g.refusals = before.refusals
	g.doubted = before.doubted
	g.answered = before.answered
	g.renewed = before.renewed
	g.failurePause = before.failurePause
	g.notBefore = before.notBefore
	before.mu.Lock()
	defer before.mu.Unlock()
	g.waiting = before.waiting
	g.unknown = before.unknown
	g.wantedAt = before.wantedAt
	g.last = before.last
	g.err = before.err
}

// state returns the number of flats that wait for positions or times, when the service last
// answered, or the zero time, and what is wrong since then.
func (g *geocoder) state() (waiting int, last time.Time, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.waiting, g.last, cmp.Or(g.err, g.storeErr, g.refused)
}

// notFound returns the number of flats whose address was not found.
func (g *geocoder) notFound() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.unknown
}

// askAgain makes the geocoder ask again for the addresses that were not found, and at once unless
// the service has said how long to wait. It returns the number of flats that wait then.
func (g *geocoder) askAgain() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.wantedAt = time.Now().Truncate(time.Millisecond) // the times of questions are stored in milliseconds
	g.waiting, g.unknown = g.waiting+g.unknown, 0      // until the next look
	wake(g.woken)
	return g.waiting
}

const (
	stopsAge   = day      // when the stops of a place are asked for again
	unknownAge = 28 * day // when an address that was not found is asked for again
	manyInRow  = 3        // refused addresses in a row after which the service is at fault, not the addresses
)

// look scans all flats for missing positions and travel times, and for postal codes and constraints that can be read
// (readLater). It stores those that are known already, and queues questions for the rest. It reports whether everything
// known is stored.
func (g *geocoder) look(work *turns.Task) (isDone bool) {
	g.lastLook = time.Now()
	mayStore := len(g.queue) == 0 || g.lastLook.Sub(g.stored) >= storeEvery // so that one update has many answers
	g.noteWanted()
	g.forget()
	first := map[question]inquiry{} // for each question, the inquiry that compare puts first
	waiting, unknown := 0, 0
	isDone = true
	isDecided := false // whether a rule has decided on a flat
	stored, err := g.store.amend(work, func(f *Flat) members {
		values, missing, isUnknown := g.knownAndMissing(f)
		if isUnknown {
			unknown++
		}
		for _, i := range missing {
			best, ok := first[i.question]
			if !ok || g.compare(i, best) < 0 {
				first[i.question] = i
			}
		}
		mustWait := len(values) > 0 && !mayStore
		if mustWait || len(missing) > 0 {
			waiting++
		}
		if mustWait {
			isDone = false
			return nil
		}
		decides := g.store.decideLater(work, f, values) // may add to values
		isDecided = isDecided || decides
		return values
	})
	if stored {
		g.stored = time.Now()
	}
	if stored && isDecided {
		g.store.wakeWatchers() // a followed flat may have photos to keep
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		if g.storeErr == nil {
			g.store.log.Warn("positions and travel times cannot be stored", "err", err)
		}
		g.storeErr = err
		return false
	}
	g.queue = slices.SortedFunc(maps.Values(first), g.compare)
	g.waiting = waiting
	g.unknown = unknown
	g.storeErr = nil
	g.refused = g.anyRefusal()
	return isDone
}

// noteWanted notes when the user last wanted unknown addresses to be asked for again. If that was since the last look,
// it ends the wait, unless the service has said how long to wait.
func (g *geocoder) noteWanted() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.wantedAt.After(g.renewed) && g.askedWait == 0 {
		g.notBefore = time.Time{}
	}
	g.renewed = g.wantedAt
}

// forget deletes the answers about addresses that are to be asked for again, and the answers about
// places that are older than stopsAge.
func (g *geocoder) forget() {
	maps.DeleteFunc(g.answers, func(q question, a travelAnswer) bool {
		if q.isAboutPlace() {
			return g.lastLook.Sub(a.at) >= stopsAge
		}
		return g.mustAskAgain(a.position)
	})
}

// mustAskAgain reports whether an address was not found and is to be asked for again: after four
// weeks, after a change of the service's URL, when the user wants it, or because the service has
// refused this address among many.
func (g *geocoder) mustAskAgain(p position) bool {
	if p.Precision != nil || p.Text == "" {
		return false
	}
	at, err := time.Parse(jsonTime, string(p.Asked)) // earlier versions did not store it
	age := g.lastLook.Sub(at)                        // negative if the clock has been set back
	isOutdated := err != nil || age < 0 || age >= unknownAge || !bytes.Equal(p.Service, g.service)
	return isOutdated || at.Before(g.renewed) || at.Before(g.doubted[p.Text])
}

// anyRefusal returns why the service has refused to list the stops around a place, or nil.
func (g *geocoder) anyRefusal() error {
	for _, a := range g.answers {
		if a.refused != nil {
			return a.refused
		}
	}
	return nil
}

// compare sorts inquiries into the order in which they are made. Inquiries about places come first,
// because they are few and give rough times to all flats. The shortlist follows, and then other
// flats. Addresses that were asked for before come later, and the question that has just failed
// comes last, so that they do not hold up the others. Within each group, the newest flats come first.
func (g *geocoder) compare(a, b inquiry) int {
	rank := func(i inquiry) int { // a lower rank comes first
		wasAsked := i.text != "" && i.text == i.flat.FoundPosition.position().Text
		switch {
		case i.question == g.failed:
			return 4
		case wasAsked:
			return 3
		case i.isAboutPlace():
			return 0
		case i.flat.isShortlisted():
			return 1
		}
		return 2
	}
	return cmp.Or(rank(a)-rank(b), b.flat.FirstSeen.at.Compare(a.flat.FirstSeen.at),
		strings.Compare(a.text+a.near, b.text+b.near))
}

// knownAndMissing returns what is known about a flat and not yet stored, as its members, and the
// inquiries for the rest. It also reports whether the address was not found. It adds the flat's
// stored position to the answers.
func (g *geocoder) knownAndMissing(f *Flat) (values members, missing []inquiry, isUnknown bool) {
	values, f = readLater(f, g.store.codes)
	q := g.question(f)
	// A stored position answers the question for other flats, too. It is checked as an answer is,
	// because a listing may have brought it.
	stored := f.FoundPosition.position()
	_, hasAnswer := g.answers[q]
	wasFound := q.text != "" && stored.Text == q.text && stored.Precision != nil
	if wasFound && !hasAnswer && g.isNear(f, pointAt(*stored.Lat, *stored.Lng)) {
		g.answers[q] = travelAnswer{position: stored}
	}
	if f.Gone.Known() || f.hasStatus(deadStatuses) {
		return values, nil, false
	}
	_, _, precision := f.position() // "own" if the user or the listing gives coordinates, "" if there is no position
	if q.text != "" && precision != "own" {
		isStored := stored.Text == q.text && !g.mustAskAgain(stored)
		a, hasAnswer := g.answers[q]
		switch {
		case isStored:
		case hasAnswer:
			values.put("found_position", a.position)
			f, _ = f.withMembers(values, g.store.codes, nil) // no error: the position is valid
		case precision == "":
			return values, []inquiry{{question: q, flat: f}}, false // until the answer, times from an earlier position stay
		default:
			missing = []inquiry{{question: q, flat: f}}
		}
		isUnknown = len(missing) == 0 && f.FoundPosition.position().Precision == nil
	}
	times, unanswered := g.times(f)
	if times != nil {
		values["service_time_to"] = times
	}
	return values, append(missing, unanswered...), isUnknown
}

// question returns the question for the position of the flat's address. Its text is "" if the flat has no address, or
// there is no travel service.
func (g *geocoder) question(f *Flat) question {
	if g.travel == nil {
		return question{}
	}
	q := question{text: f.address()}
	if lat, lng, ok := f.ServicePostalCode.at(); ok {
		q.near = coordinates(lat, lng)
	} else if places := g.constraints[f.ServiceConstraint.String()].Places; len(places) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(places))) // any, but always the same
		q.near = places[first].coordinates
	}
	return q
}

// placesOf returns the places of the flat's constraint. If the config has no such constraint, it
// returns all places.
func (g *geocoder) placesOf(f *Flat) map[string]Place {
	if constraint, ok := g.constraints[f.ServiceConstraint.String()]; ok {
		return constraint.Places
	}
	return g.places
}

// isNear reports whether a position is near enough to be the position of a flat's address.
func (g *geocoder) isNear(f *Flat, at point) bool {
	if lat, lng, ok := f.ServicePostalCode.at(); ok {
		return at.distanceTo(pointAt(lat, lng)) <= maxFromCode
	}
	if len(g.places) == 0 {
		return true // there is nothing to measure from
	}
	places := g.placesOf(f)
	if len(places) == 0 { // the constraint has no places
		places = g.places
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
func (g *geocoder) times(f *Flat) (text json.RawMessage, missing []inquiry) {
	stored, ok := timesIn(f.ServiceTimeTo.JSON())
	places := g.placesOf(f)
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
		isTransit := place.Mode == byTransit
		isGiven := times[name] != nil && !isEstimated(times[name]) // an import has brought the time
		hasNoService := isTransit && g.travel == nil
		if isOutOfReach(place) || isGiven || hasNoService {
			continue
		}
		computed := g.timeWithoutSeconds(f, place)
		if computed.isSame(times[name]) { // the seconds follow from the rest
			continue
		}
		needed := travelSeconds(from.distanceTo(place.at), place.Mode)
		if isTransit {
			i := inquiry{question{near: place.coordinates}, f, place}
			a, hasAnswer := g.answers[i.question]
			if !hasAnswer {
				missing = append(missing, i)
			}
			if a.stops == nil { // there is no answer, or the service has refused one
				continue
			}
			needed = min(needed, a.stops.shortestTime(from)) // going on foot may be quicker
		}
		computed.setSeconds(needed)
		times.put(name, computed)
	}
	if reflect.DeepEqual(times, stored) {
		return nil, missing
	}
	return json.RawMessage(encodeJSON(times)), missing
}

// timeWithoutSeconds returns the travel time from a flat to a place as it is stored, except for the seconds.
func (g *geocoder) timeWithoutSeconds(f *Flat, place Place) travelTime {
	lat, lng, precision := f.position()
	round := func(degrees float64) float64 { return math.Round(degrees*1e4) / 1e4 } // to about ten metres
	t := travelTime{GPS: place.GPS, Mode: place.Mode, Sections: []struct{}{}}
	t.Estimated.From = [2]float64{round(lat.number), round(lng.number)}
	t.Estimated.Precision = precision
	if place.Mode == byTransit {
		t.Estimated.Arrive = g.travel.Arrive
	}
	return t
}

// ask asks the first question in the queue, and reports whether there is an answer. If there is
// none, all questions wait.
func (g *geocoder) ask(ctx context.Context) bool {
	i := g.queue[0]
	g.queue = g.queue[1:]
	askFor := g.askPosition
	if i.isAboutPlace() {
		askFor = g.askStops
	}
	a, err := askFor(ctx, i)
	a.at = time.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	if err == nil {
		g.answers[i.question] = a
		g.failurePause, g.last, g.err = 0, a.at, nil
		if a.refused != nil {
			g.refused = a.refused
			g.store.log.Warn("no travel times to a place until tomorrow", "place", i.to.name, "err", a.refused)
		}
		return true
	}
	g.failurePause = backoff(g.failurePause)
	wait := cmp.Or(g.askedWait, g.failurePause)
	isNew := g.err == nil || g.err.Error() != err.Error()
	if isNew && ctx.Err() == nil {
		g.store.log.Warn("positions and travel times must wait", "err", err, "again_in", wait)
	}
	g.queue = append(g.queue, i)
	g.failed, g.notBefore, g.err = i.question, a.at.Add(wait), err
	return false
}

const (
	maxGeocode     = 10 * time.Second // to wait for the travel service when it looks for an address
	maxGeocodeBody = 1 << 20          // bytes of the travel service's answer about an address
)

// geocodeValues returns the parameters of a request for places that fit an address, those near some coordinates first.
// near may be "". It asks for more places than anybody needs, because some of them may not be usable.
func geocodeValues(text, near string) url.Values {
	values := url.Values{"text": {text}, "type": {"ADDRESS,PLACE"}, "numResults": {"20"}, "language": {"en"}}
	if near != "" {
		values.Set("place", near)
	}
	return values
}

// askPosition asks for the position of a flat's address.
func (g *geocoder) askPosition(ctx context.Context, i inquiry) (a travelAnswer, err error) {
	body, refused, err := g.get(ctx, "geocode", geocodeValues(i.text, i.near), maxGeocode, maxGeocodeBody)
	if err != nil {
		return a, err
	}
	now := time.Now()
	// The position is unknown unless there is a match.
	a.position = position{Text: i.text, Asked: json.RawMessage(now.UTC().Format(jsonTime)), Service: g.service}
	if refused != nil {
		return a, g.doubt(i.text, refused)
	}
	var matches []match
	isNowhere := func(m match) bool { return m.Lat == nil || m.Lon == nil }
	err = json.Unmarshal(body, &matches)
	if err != nil || matches == nil || slices.ContainsFunc(matches, isNowhere) {
		return travelAnswer{}, fmt.Errorf("%s: the answer is not a list of places", g.travel.url.Host)
	}
	g.refusals, g.answered = nil, now
	for _, m := range matches {
		precision := m.precision(i.flat.Location.String())
		if precision != "" && onEarth(*m.Lat, *m.Lon) && g.isNear(i.flat, pointAt(*m.Lat, *m.Lon)) {
			a.position = position{Lat: m.Lat, Lng: m.Lon, Precision: &precision, Text: i.text}
			break
		}
	}
	return a, nil
}

// doubt notes that the service has refused an address. It returns nil if that counts as an answer: the service cannot
// read this address. After manyInRow refused addresses it returns an error, because the service itself must have
// failed, and all of them are asked for again. If such an address is refused once more, and the service has answered
// another one meanwhile, the refusal counts.
func (g *geocoder) doubt(text string, refused error) error {
	since, isDoubted := g.doubted[text]
	if isDoubted && g.answered.After(since) {
		return nil
	}
	if !slices.Contains(g.refusals, text) {
		g.refusals = append(g.refusals, text)
	}
	if len(g.refusals) < manyInRow {
		return nil
	}
	for _, text := range g.refusals {
		g.doubted[text] = time.Now()
	}
	return fmt.Errorf("%w to %d addresses in a row", refused, len(g.refusals))
}

// askStops asks for the stops from which a place can be reached. It asks for four times of
// arrival, because the durations include the wait between the last stop and that time.
func (g *geocoder) askStops(ctx context.Context, i inquiry) (travelAnswer, error) {
	host := g.travel.url.Host
	stops := Stops{}
	for quarters := range 4 {
		at := g.arrival().Add(-time.Duration(quarters) * 15 * time.Minute)
		const minutes = "90" // of the longest way
		values := url.Values{"one": {i.near}, "time": {at.UTC().Format(time.RFC3339)}, "arriveBy": {"true"},
			"maxTravelTime": {minutes}, "transitModes": {"TRANSIT"}}
		const timeout, maxBody = time.Minute, 64 << 20 // a city has many stops
		body, refused, err := g.get(ctx, "one-to-all", values, timeout, maxBody)
		if err != nil || refused != nil {
			return travelAnswer{refused: refused}, err
		}
		if err := stops.read(turns.NewTask(ctx, g.store.turns), body, i.to.at); err != nil {
			return travelAnswer{}, fmt.Errorf("%s: %w", host, err)
		}
	}
	if len(stops) == 0 {
		return travelAnswer{refused: fmt.Errorf("%s knows no stop from which %s can be reached", host, i.to.name)}, nil
	}
	return travelAnswer{stops: stops}, nil
}

// arrival returns the time of arrival: on the next Tuesday, never today.
func (g *geocoder) arrival() time.Time {
	now := g.store.now().In(cmp.Or(g.zone, time.Local))
	days := 1
	for (now.Weekday()+time.Weekday(days))%7 != time.Tuesday {
		days++
	}
	clock, _ := time.Parse("15:04", g.travel.Arrive) // the config has checked it
	return time.Date(now.Year(), now.Month(), now.Day()+days, clock.Hour(), clock.Minute(), 0, 0, now.Location())
}

// get asks the service, and returns the body of its answer. refused is not nil after a status 400 or 422, which says
// that the service refuses this request. Any other status but 200 is an error, because it says nothing about the
// request. If the service then asks to wait, pace puts off all requests, also those of settings (search), and askedWait
// puts off the geocoder's next try, even if the user wants it earlier (noteWanted).
func (g *geocoder) get(ctx context.Context, path string, values url.Values, timeout time.Duration,
	limit int64) (body []byte, refused, err error) {
	if err := g.pace.wait(ctx, maxWait); err != nil {
		return nil, nil, err
	}
	g.askedWait = 0
	body, status, askedWait, err := g.travel.request(ctx, g.client, path, values, timeout, limit)
	statusErr := unwantedStatus(g.travel.url.Host, status)
	switch {
	case err != nil:
		return nil, nil, err
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return nil, statusErr, nil
	case status != http.StatusOK:
		g.askedWait = askedWait
		g.pace.hold(askedWait)
		return nil, nil, statusErr
	}
	return body, nil, nil
}

// request sends a request. It returns the body of an answer and its status, and how long the service asks to wait.
func (t *Travel) request(ctx context.Context, client *http.Client, path string, values url.Values,
	timeout time.Duration, limit int64) (body []byte, status int, askedWait time.Duration, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	host := t.url.Host
	target := t.url.JoinPath("api/v1", path)
	target.RawQuery = values.Encode()
	agent := "flats/" + version + " (" + t.Contact + ")"
	r := &http.Request{Method: http.MethodGet, URL: target, Header: http.Header{"User-Agent": {agent}}}
	answer, err := client.Do(r.WithContext(ctx))
	if err == nil {
		defer answer.Body.Close()
		body, err = io.ReadAll(io.LimitReader(answer.Body, limit+1))
	}
	if err != nil {
		return nil, 0, 0, fmt.Errorf("%s: %s", host, netErrorText(err))
	}
	if answer.StatusCode == http.StatusOK && int64(len(body)) > limit {
		return nil, 0, 0, fmt.Errorf("%s: the answer has more than %d bytes", host, limit)
	}
	return body, answer.StatusCode, retryAfter(answer), nil
}

// decideLater lets the rules decide on a flat for which the service has found values, such as a travel time. It adds
// the decision of a rule to values if the flat matches the rule only with them. Rules decide on each flat when it
// comes: if it matches a rule even without values, somebody has changed it since then, which is no reason to decide on
// it. decideLater reports whether a rule has decided.
func (s *Store) decideLater(work *turns.Task, f *Flat, values members) bool {
	rules := s.rules.Load()
	if len(rules.rules) == 0 || len(values) == 0 || f.Restored.Known() || !f.isUndecided() { // no rule may decide
		return false
	}
	next, err := f.withMembers(values, s.codes, nil)
	if err != nil {
		return false // amend refuses the members, too
	}
	r := rules.ruleFor(work, s.table.fields, next, f.FirstSeen.at)
	if r == nil || r.matches(work, s.table.fields, f) {
		return false
	}
	maps.Copy(values, r.decision(s.now().UTC().Format(jsonTime)))
	return true
}
