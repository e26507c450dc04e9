// The finder: which positions and travel times flats lack, and the service that knows them.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
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
	text string
	near string // coordinates: of the place, or near the address; "" if none are known
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

// A finder finds the positions of flats and their travel times, and stores them. Only the
// goroutine of run may use the members that mu does not guard.
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
	d.seeker = seeker[inquiry]{store: store, changed: store.changes(), every: lookEvery, look: d.look, ask: d.ask}
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
	stopsAge = day // when the stops of a place are asked for again
)

// look scans all flats for missing positions and travel times. It stores those that are known
// already, and queues questions for the rest. It reports whether everything known is stored.
func (d *finder) look(work *turns.Task) (isDone bool) {
	d.looked = time.Now()
	mayStore := len(d.queue) == 0 || d.looked.Sub(d.stored) >= storeEvery
	d.forget()
	first := map[question]inquiry{} // for each question, the inquiry that compare puts first
	waiting := 0
	isDone = true
	stored, err := d.store.amend(work, func(f *Flat) members {
		values, missing := d.settle(f)
		for _, i := range missing {
			best, ok := first[i.question]
			if !ok || d.compare(i, best) < 0 {
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
		return values
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

// anyRefusal returns why the service has refused to list the stops around a place, or nil.
func (d *finder) anyRefusal() error {
	for _, a := range d.answers {
		if a.refused != nil {
			return a.refused
		}
	}
	return nil
}

// compare sorts inquiries into the order in which they are made. Those about places come first,
// because they are few and give rough times to all flats. Those about the shortlist follow. The
// one that failed comes last, so that it does not hold up the others. Within each group, the
// newest flats come first.
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
		strings.Compare(a.text+a.near, b.text+b.near))
}

// settle returns what is known about a flat and not yet stored, as its members, and the
// inquiries for the rest. It adds the stored position to the answers.
func (d *finder) settle(f *Flat) (values members, missing []inquiry) {
	values = members{}
	q := d.question(f)
	// A stored position answers the question for other flats, too. It is checked as an answer is,
	// because a listing may have brought it.
	stored := f.FoundPosition.position()
	_, isKnown := d.answers[q]
	isAnswer := q.text != "" && stored.Text == q.text && stored.Precision != nil
	if isAnswer && !isKnown && d.isNear(f, pointAt(*stored.Lat, *stored.Lng)) {
		d.answers[q] = answered{position: stored}
	}
	if f.Gone.Known() || f.hasStatus(deadStatuses) {
		return values, nil
	}
	_, _, precision := f.position()
	if q.text != "" && precision != "own" && f.FoundPosition.position().Text != q.text {
		a, ok := d.answers[q]
		if ok {
			values.put("found_position", a.position)
			f, _ = f.withMembers(values, d.store.codes, nil) // no error: the position is valid
		} else {
			missing = []inquiry{{question: q, flat: f}}
		}
		if !ok && precision == "" {
			return values, missing // until then, times from an earlier position stay
		}
	}
	times, unanswered := d.times(f)
	if times != nil {
		values["service_time_to"] = times
	}
	return values, append(missing, unanswered...)
}

// question returns the question for the position of the flat's address, or one without text.
func (d *finder) question(f *Flat) question {
	if d.travel == nil {
		return question{}
	}
	q := question{text: f.address()}
	if lat, lng, ok := f.ServicePostalCode.at(); ok {
		q.near = coordinates(lat, lng)
	} else if places := d.constraints[f.ServiceConstraint.String()].Places; len(places) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(places))) // any, but always the same
		q.near = places[first].coordinates
	}
	return q
}

// placesOf returns the places of the flat's constraint. If the config has no such constraint, it
// returns all places.
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
		isTransit := place.Mode == byTransit
		isListed := times[name] != nil && !isEstimated(times[name])
		hasNoService := isTransit && d.travel == nil
		if isOutOfReach(place) || isListed || hasNoService {
			continue
		}
		computed := travelTime{GPS: place.GPS, Mode: place.Mode, Sections: []struct{}{}}
		computed.Estimated.Precision = precision
		computed.Estimated.From = [2]float64{math.Round(lat.number*1e4) / 1e4, math.Round(lng.number*1e4) / 1e4}
		if isTransit {
			computed.Estimated.Arrive = d.travel.Arrive
		}
		if computed.isSame(times[name]) {
			continue
		}
		needed := travelSeconds(from.distanceTo(place.at), place.Mode)
		if isTransit {
			i := inquiry{question{near: place.coordinates}, f, place}
			a, ok := d.answers[i.question]
			if !ok {
				missing = append(missing, i)
			}
			if a.stops == nil {
				continue
			}
			needed = min(needed, a.stops.least(from))
		}
		computed.setSeconds(needed)
		times.put(name, computed)
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
	if i.near != "" {
		values.Set("place", i.near)
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
		values := url.Values{"one": {i.near}, "time": {at.UTC().Format(time.RFC3339)}, "arriveBy": {"true"},
			"maxTravelTime": {"90"}, "transitModes": {"TRANSIT"}}
		body, refused, err := d.get(ctx, "one-to-all", values, time.Minute, 64<<20)
		if err != nil || refused != nil {
			return answered{refused: refused}, err
		}
		if err := stops.read(turns.NewTask(ctx, d.store.turns), body, i.to.at); err != nil {
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
	clock, _ := time.Parse("15:04", d.travel.Arrive) // the config has checked it
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
	agent := "flats/" + version + " (" + d.travel.Contact + ")"
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
