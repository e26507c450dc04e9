// A stand-in for a travel service, and a store whose geocoder asks it.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A motis answers as MOTIS does, in place of the network. It refuses what the contract of
// MOTIS does not allow.
type motis struct {
	t        testing.TB
	mu       sync.Mutex
	answer   func(path string, query url.Values) (*http.Response, error) // nil for matches and stops
	matches  map[string]string                                           // the answers of the geocoder by text
	stops    string                                                      // the answer about stops
	asked    []string                                                    // the text or place of each request
	times    []string                                                    // the times in requests for stops
	last     time.Time                                                   // of the last request
	tooEarly bool                                                        // two requests were less than a second apart
}

func (m *motis) RoundTrip(r *http.Request) (*http.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tooEarly = m.tooEarly || time.Since(m.last) < time.Second
	m.last = time.Now()
	query := r.URL.Query()
	if r.Header.Get("User-Agent") != "flats/"+version+" (me@example.org)" || r.Method != "GET" || r.Body != nil {
		m.t.Errorf("%s %s by %s", r.Method, r.URL, r.Header.Get("User-Agent"))
	}
	// The parameters that MOTIS takes, with the form of their values, and those that must be there.
	const gps = `-?\d{1,2}\.\d{4},-?\d{1,3}\.\d{4}`
	parameters := map[string]string{"text": `(?s).+`, "type": `ADDRESS,PLACE`, "numResults": `20`,
		"language": `en`, "place": gps}
	must := []string{"text"}
	if r.URL.Path == "/base/api/v1/one-to-all" {
		parameters = map[string]string{"one": gps, "time": `\d{4}-\d\d-\d\dT\d\d:\d\d:00Z`, "arriveBy": `true|false`,
			"maxTravelTime": `[1-9]|[1-8]\d|90`, "transitModes": `TRANSIT`}
		must = []string{"one", "maxTravelTime"}
		m.times = append(m.times, query.Get("time"))
	} else if r.URL.Path != "/base/api/v1/geocode" {
		m.t.Errorf("path %s", r.URL.Path)
	}
	m.asked = append(m.asked, query.Get("text")+query.Get("one"))
	for name, values := range query {
		form := regexp.MustCompile("^(" + parameters[name] + ")$")
		if parameters[name] == "" || len(values) != 1 || !form.MatchString(values[0]) {
			m.t.Errorf("%s: MOTIS does not take %s=%q", r.URL.Path, name, values)
			return motisAnswer(400, `{"error":"bad request"}`), nil
		}
	}
	for _, name := range must {
		if !query.Has(name) {
			m.t.Errorf("%s: %s is missing", r.URL.Path, name)
		}
	}
	if m.answer != nil {
		return m.answer(filepath.Base(r.URL.Path), query)
	}
	if query.Has("one") {
		return motisAnswer(200, m.stops), nil
	}
	return motisAnswer(200, cmp.Or(m.matches[query.Get("text")], "[]")), nil
}

// lastRequest returns the time of the last request.
func (m *motis) lastRequest() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

func motisAnswer(code int, body string, header ...string) *http.Response {
	w := httptest.NewRecorder()
	for i := 0; i < len(header); i += 2 {
		w.Header().Set(header[i], header[i+1])
	}
	w.WriteHeader(code)
	w.WriteString(body)
	return w.Result()
}

// motisMatch returns a match as MOTIS writes it.
func motisMatch(kind, name, street, number string, lat, lon float64) string {
	optional := ""
	if street != "" {
		optional += fmt.Sprintf(`"street":%q,`, street)
	}
	if number != "" {
		optional += fmt.Sprintf(`"houseNumber":%q,`, number)
	}
	return fmt.Sprintf(`{"type":%q,"tokens":[[0,5]],"name":%q,"id":"1",%s"lat":%v,"lon":%v,"country":"DE",`+
		`"areas":[{"name":"X","adminLevel":8,"matched":false,"unique":false,"default":true}],"score":1.5}`,
		kind, name, optional, lat, lon)
}

// motisStops returns an answer with stops, each a latitude, a longitude and minutes.
func motisStops(stops ...[3]float64) string {
	var list []string
	for _, s := range stops {
		list = append(list, fmt.Sprintf(`{"place":{"name":"stop","stopId":"x","lat":%v,"lon":%v,"level":0,`+
			`"departure":"2026-01-01T07:00:00Z","vertexType":"TRANSIT"},"duration":%v,"k":1}`, s[0], s[1], s[2]))
	}
	return `{"one":{"name":"START","lat":48.1,"lon":11.5,"level":0},"all":[` + strings.Join(list, ",") + `]}`
}

// A journey is a store on a simulated disk, with a geocoder that runs.
type journey struct {
	t        *testing.T
	disk     *simDisk
	store    *Store
	config   *Config
	geocoder *geocoder
	motis    *motis
	logs     *lockedBuffer
	stop     func()
}

const munichCodes = `[{"postal_code":"80331","name":"München","lat":48.1345,"lng":11.5710,"area":"DE-BY"},
	{"postal_code":"80797","name":"München Schwabing","lat":48.1610,"lng":11.5600,"area":"DE-BY"},
	{"postal_code":"80000","name":"nowhere","lat":null,"lng":null,"area":"DE-BY"}]`

const munichConfig = `{"timezone":"Europe/Berlin",
	"travel":{"url":"https://motis.example/base/","contact":"me@example.org","arrive":"08:30"},
	"constraints":{"munich":{"areas":["DE-BY"],"time_to":{"work":{"gps":[48.1400,11.5583]}}},
		"bike":{"time_to":{"work":{"gps":[48.14,11.56],"mode":"BIKE"},"park":{"gps":[48.15,11.58],"mode":"WALK"}}}}}`

// newJourney starts a journey that each change has prepared. It must be called in a bubble of synctest.
func newJourney(t *testing.T, disk *simDisk, config string, change ...func(*journey)) *journey {
	t.Helper()
	j := &journey{t: t, disk: disk, motis: &motis{t: t, stops: motisStops([3]float64{48.1345, 11.571, 10})},
		logs: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(j.logs, nil))
	rows, err := readPostalCodes("codes.json", []byte(munichCodes))
	if err != nil {
		t.Fatal(err)
	}
	if j.config, err = parseConfig("config.json", []byte(config), log); err != nil {
		t.Fatal(err)
	}
	if j.store, err = openStore("/flats.json", disk, newPostalCodes(rows, j.config.Constraints), log,
		j.config.fieldNames()...); err != nil {
		t.Fatal(err)
	}
	j.geocoder = newGeocoder(j.store, j.config.Travel, j.config.Constraints, j.config.Timezone)
	j.geocoder.client.Transport = j.motis
	for _, f := range change {
		f(j)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { j.geocoder.run(ctx) })
	j.stop = func() {
		cancel()
		running.Wait()
		j.store.Close()
	}
	return j
}

// imports imports listings and waits until the geocoder has had the time to look and ask.
func (j *journey) imports(listings string) {
	j.t.Helper()
	if _, err := newImporter(j.store).ImportText([]byte(listings), ""); err != nil {
		j.t.Fatal(err)
	}
	time.Sleep(40 * time.Second)
	synctest.Wait()
}

// wants compares what is stored of a flat, found_position and service_time_to, with JSON
// texts. It ignores what was asked, when and of whom.
func (j *journey) wants(id, found, times string) {
	j.t.Helper()
	f := j.store.Get(id)
	var position object
	json.Unmarshal([]byte(f.FoundPosition.JSON()), &position)
	for _, name := range []string{"text", "asked", "service"} {
		delete(position, name)
	}
	if got := encodeJSON(position); !sameJSON(got, found) {
		j.t.Errorf("%s: found_position %s; want %s", id, got, found)
	}
	if got := f.ServiceTimeTo.JSON(); !sameJSON(got, times) {
		j.t.Errorf("%s: service_time_to %s; want %s", id, got, times)
	}
}

// wantAsked compares the texts and places that were asked since the last call.
func (j *journey) wantAsked(what string, want ...string) {
	j.t.Helper()
	j.motis.mu.Lock()
	defer j.motis.mu.Unlock()
	if !slices.Equal(j.motis.asked, want) {
		j.t.Errorf("%s: asked %q; want %q", what, j.motis.asked, want)
	}
	if j.motis.asked = nil; j.motis.tooEarly {
		j.t.Errorf("%s: two requests in one second", what)
	}
}

const workStops = "48.1400,11.5583"

// estimated returns a member of service_time_to in the constraint munich.
func estimated(minutes int, lat, lng float64, precision string) string {
	over := ""
	if minutes == 90 { // the longest time that is stored
		over = `,"over":true`
	}
	return fmt.Sprintf(`{"work":{"time":%d,"gps":[48.1400,11.5583],"mode":"PUBLIC_TRANSPORT","sections":[],`+
		`"estimated":{"from":[%v,%v],"precision":%q,"arrive":"08:30"%s}}}`, 60*minutes, lat, lng, precision, over)
}
