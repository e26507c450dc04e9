// Tests of travel.go.

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A flat gets rough times from its postal code, then its position, and times from
// there. None of this counts as an update by the user.
func TestTravel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), munichConfig)
		defer func() { j.stop() }()
		const leo = "80797 München Schwabing Leopoldstr 5"
		j.motis.matches = map[string]string{leo: "[" + motisMatch("PLACE", "Leo", "", "", 48.16, 11.56) + "," +
			motisMatch("ADDRESS", "Leopoldstraße", "Leopoldstraße", "5", 52.5, 13.4) + "," +
			motisMatch("ADDRESS", "Leopoldstraße", "Leopoldstraße", "5", 48.1600, 11.5850) + "]"}
		j.imports(`[{"id":"a","location":"Leopoldstr. 5, 80797 München","service_constraint":"munich"}]`)
		before := j.store.Get("a")
		j.wantAsked("an address", workStops, workStops, workStops, workStops, leo) // stops for each of four arrivals
		const leoPosition = `{"lat":48.16,"lng":11.585,"precision":"house"}`
		leoTimes := estimated(52, 48.16, 11.585, "house")
		j.wants("a", leoPosition, leoTimes)
		// The clock of synctest begins on Saturday, 2000-01-01. The next Tuesday is the 4th.
		if want := []string{"2000-01-04T07:30:00Z", "2000-01-04T07:15:00Z", "2000-01-04T07:00:00Z",
			"2000-01-04T06:45:00Z"}; !slices.Equal(j.motis.times, want) {
			t.Errorf("arrival at %q; want %q", j.motis.times, want)
		}
		if before.UpdatedAt.JSON() != before.FirstSeen.JSON() || before.StatusSince.Known() {
			t.Errorf("updated_at %s, status_since %s", before.UpdatedAt.JSON(), before.StatusSince.JSON())
		}
		waiting, last, err := j.geocoder.state()
		if waiting != 0 || last.IsZero() || err != nil {
			t.Errorf("%d flats wait, last answer %v, %v", waiting, last, err)
		}
		// The same listing changes nothing, and what it says about found_position does not count.
		counts, err := newImporter(j.store).ImportText([]byte(`[{"id":"a","location":"Leopoldstr. 5, 80797 München",
			"service_time_to":null,"found_position":{"text":"x","lat":1,"lng":2,"precision":"house"}}]`), "")
		if err != nil || counts.Unchanged != 1 {
			t.Errorf("the same listing: %+v, %v", counts, err)
		}
		// The same address is not asked again, whatever has become of the first flat.
		j.imports(`[{"id":"b","location":"Leopoldstr. 5 80797 München","service_constraint":"munich"},
			{"id":"none","location":"Nirgendwo, 80331 München","service_constraint":"munich"}]`)
		j.wantAsked("the same address", "80331 München Nirgendwo")
		j.wants("b", leoPosition, leoTimes)
		j.wants("none", `{"lat":null,"lng":null,"precision":null}`, estimated(10, 48.1345, 11.571, "postal_code"))
		j.stop()
		j = newJourney(t, j.disk.restartUnsynced(), munichConfig)
		j.imports(`[{"id":"c","location":"Leopoldstr. 5, 80797 München","service_constraint":"munich"},
			{"id":"none","location":"Nirgendwo, 80331 München"}]`)
		j.wantAsked("after a restart", workStops, workStops, workStops, workStops)
		j.wants("c", leoPosition, leoTimes)
		// A position that a listing brings is not used for other flats unless it is near.
		const far = "80797 München Schwabing Hauptstr 9"
		j.imports(`[{"id":"far","location":"Hauptstr. 9, 80797 München","service_constraint":"munich",
			"found_position":{"lat":10,"lng":2,"precision":"house","text":"` + far + `"}}]`)
		j.wantAsked("a listing with a position")
		j.imports(`[{"id":"other","location":"Hauptstr. 9, 80797 München","service_constraint":"munich"}]`)
		j.wantAsked("the address of that listing", far)
		// The times of a user and of a listing stay. Another address is asked for.
		if _, err := j.store.Update("c", []byte(`{"service_time_to":{"work":{"time":7}},"location":"Elsewhere"}`),
			nil, author{}); err != nil {
			t.Fatal(err)
		}
		j.imports("[]")
		j.wantAsked("another address", "80797 München Schwabing Elsewhere")
		j.wants("c", `{"lat":null,"lng":null,"precision":null}`, `{"work":{"time":7}}`)
		j.imports(`[{"id":"c","service_time_to":{"gym":{"time":60},"work":{"estimated":{}}}}]`)
		j.wants("c", `{"lat":null,"lng":null,"precision":null}`, `{"gym":{"time":60},`+
			estimated(41, 48.161, 11.56, "postal_code")[1:])
		j.imports(`[{"id":"c","service_constraint":"nobody","service_postal_code":null,"location":"x"}]`)
		j.wantAsked("without a constraint", "x")
		j.wants("c", `{"lat":null,"lng":null,"precision":null}`, `{"gym":{"time":60}}`)
	})
}

// What flats need is asked in order, at most one question a second, and what is
// found is stored at most every 30 seconds.
func TestTravelOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		d.put("/flats.json", `[{"id":"null","location":"a"},
			{"id":"old","location":"b","first_seen":"2026-01-01"},{"id":"new","location":"c","first_seen":"2026-02-01"},
			{"id":"visited","location":"d","first_seen":"2020-01-01","status":"visited"},
			{"id":"ignored","location":"e","status":"ignored"},{"id":"gone","location":"f","gone":"2026-01-01"},
			{"id":"own","location":"g","gps":[48.1345,11.571],"service_constraint":"munich"},
			{"id":"wrong","location":"h","gps":[200,11.571]},
			{"id":"far","location":"i","gps":[52.5,13.4]},{"id":"list","location":"j","service_time_to":[1,2],
			"gps":[48.1345,11.571]},{"id":"coded","service_constraint":"munich","service_postal_code":"80331"}]`)
		j := newJourney(t, d, munichConfig)
		defer func() { j.stop() }()
		time.Sleep(6 * time.Second)
		if waiting, _, _ := j.geocoder.state(); waiting == 0 || j.store.Get("coded").ServiceTimeTo.Known() {
			t.Errorf("after 6 seconds %d flats wait, coded has %s", waiting, j.store.Get("coded").ServiceTimeTo.JSON())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		j.wantAsked("the order", workStops, workStops, workStops, workStops, "d", "c", "b", "a", "h")
		j.wants("own", "null", estimated(10, 48.1345, 11.571, "own"))
		j.wants("coded", "null", estimated(10, 48.1345, 11.571, "postal_code"))
		j.wants("list", "null", "[1,2]")
		j.wants("far", "null", "null")
		j.wants("wrong", `{"lat":null,"lng":null,"precision":null}`, "null")
		// A long queue is stored every 30 seconds, so that after two minutes a part of it still waits.
		var many []string
		for i := range 300 {
			many = append(many, fmt.Sprintf(`{"id":"m%03d","location":"street%d"}`, i, i))
		}
		j.imports("[" + strings.Join(many, ",") + "]")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if waiting, _, _ := j.geocoder.state(); waiting < 100 || waiting > 200 {
			t.Errorf("after two minutes %d flats wait", waiting)
		}
		// A look is made ten seconds after the last one. A stop keeps the answers.
		j.motis.mu.Lock()
		j.motis.asked = nil
		j.motis.mu.Unlock()
		j.store.Update("m000", []byte(`{"status":"followed","location":"mine"}`), nil, author{})
		newImporter(j.store).ImportText([]byte(`[{"id":"z","location":"newest"}]`), "")
		time.Sleep(13 * time.Second)
		j.stop()
		j.motis.mu.Lock()
		i := slices.Index(j.motis.asked, "mine")
		if i < 0 || i > 10 || !slices.Contains(j.motis.asked, "newest") {
			t.Errorf("asked %q", j.motis.asked)
		}
		if !strings.Contains(j.store.Get("z").FoundPosition.JSON(), "newest") {
			t.Errorf("z has %s", j.store.Get("z").FoundPosition.JSON())
		}
	})
}

// Times by foot and bicycle need no service. They stay until the values change from which they were computed, and go
// when their place leaves the config.
func TestTravelStreet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := strings.Replace(munichConfig, `"travel"`, `"unknown"`, 1)
		j := newJourney(t, newSimDisk(), config)
		defer func() { j.stop() }()
		j.imports(`[{"id":"a","service_constraint":"bike","service_postal_code":"80331","location":"Marienplatz"},
			{"id":"b","service_constraint":"munich","service_postal_code":"80331"},
			{"id":"near","service_constraint":"bike","gps":[48.15,11.58]},
			{"id":"no","service_constraint":"bike","service_postal_code":"80000"},
			{"id":"other","gps":[48.14,11.56],"service_time_to":{"x":{"estimated":{}},"y":{"time":1}}}]`)
		j.wantAsked("without travel")
		const street = `{"park":{"time":1980,"gps":[48.15,11.58],"mode":"WALK","sections":[],` +
			`"estimated":{"from":[48.1345,11.571],"precision":"postal_code"}},"work":{"time":360,"gps":[48.14,11.56],` +
			`"mode":"BIKE","sections":[],"estimated":{"from":[48.1345,11.571],"precision":"postal_code"}}}`
		j.wants("a", "null", street)
		j.wants("b", "null", "{}")
		j.wants("no", "null", "{}")
		// Without a constraint, work is the place of the first constraint, bike.
		j.wants("other", "null", `{"park":{"time":1980,"gps":[48.15,11.58],"mode":"WALK","sections":[],`+
			`"estimated":{"from":[48.14,11.56],"precision":"own"}},"work":{"time":0,"gps":[48.14,11.56],"mode":"BIKE",`+
			`"sections":[],"estimated":{"from":[48.14,11.56],"precision":"own"}},"y":{"time":1}}`)
		if got := j.store.Get("near").ServiceTimeTo.timeTo("park"); got.number != 0 {
			t.Errorf("at the park, the way to it takes %v", got)
		}
		version := j.store.Get("a").version
		j.imports(`[{"id":"a","service_time_to":{}}]`)
		if j.store.Get("a").version != version {
			t.Error("the same times are an update")
		}
		j.imports(`[{"id":"a","service_time_to":{"work":{"time":5},"park":{"time":7,"estimated":{}}}}]`)
		j.wants("a", "null", regexp.MustCompile(`"work":.*`).ReplaceAllString(street, `"work":{"time":5}}`))
		j.imports(`[{"id":"a","service_time_to":[]}]`)
		j.wants("a", "null", `[]`)
		j.imports(`[{"id":"a","service_time_to":null,"service_postal_code":"80797"}]`)
		if got := j.store.Get("a").ServiceTimeTo.JSON(); !strings.Contains(got, "48.161") {
			t.Errorf("with another code the times are %s", got)
		}
		// A place that has left the config takes its times along.
		j.stop()
		j = newJourney(t, j.disk.restartUnsynced(), strings.Replace(config, `"park"`, `"parc"`, 1))
		j.imports("[]")
		if got := placesWithTimes(j.store.Get("a")); !slices.Equal(got, []string{"parc", "work"}) {
			t.Errorf("after another config there are times to %q", got)
		}
	})
}

// Answers that cannot be used make all requests wait, for 1, 2, 4 … 60 minutes or
// what the service says. They lose nothing and store nothing, and the log says once why.
func TestTravelFailures(t *testing.T) {
	long := strings.Repeat(" ", 1<<20)
	for _, c := range []struct {
		what   string
		answer *http.Response
		err    error
		want   string
		wait   time.Duration
	}{
		{"network", nil, errors.New("dial tcp 10.0.0.1: refused"), "motis.example: no valid answer", time.Minute},
		{"500", motisAnswer(500, "x"), nil, "motis.example answered 500 Internal Server Error", time.Minute},
		{"503", motisAnswer(503, "x", "Retry-After", "7"), nil, "motis.example answered 503 Service Unavailable",
			7 * time.Second},
		{"429", motisAnswer(429, "x", "Retry-After", "99999999999"), nil, "motis.example answered 429 Too Many Requests",
			time.Hour},
		{"429 for a day", motisAnswer(429, "x", "Retry-After", "86400"), nil,
			"motis.example answered 429 Too Many Requests", time.Hour},
		{"redirect", motisAnswer(302, "", "Location", "https://elsewhere.example/"), nil,
			"motis.example answered 302 Found", time.Minute},
		{"204", motisAnswer(204, ""), nil, "motis.example answered 204 No Content", time.Minute},
		{"no JSON", motisAnswer(200, "<html>"), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"NaN", motisAnswer(200, `[{"name":"x","lat":NaN,"lon":1}]`), nil,
			"motis.example: the answer is not a list of places", time.Minute},
		{"null", motisAnswer(200, `null`), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"object", motisAnswer(200, `{}`), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"two", motisAnswer(200, `[][]`), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"no lat", motisAnswer(200, `[{"name":"x","lon":1}]`), nil, "motis.example: the answer is not a list of places",
			time.Minute},
		{"text", motisAnswer(200, `[{"lat":"1","lon":1}]`), nil, "motis.example: the answer is not a list of places",
			time.Minute},
		{"too large", motisAnswer(200, "[]"+long), nil, "motis.example: the answer has more than 1048576 bytes",
			time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			config := strings.Replace(munichConfig, `"time_to":{"work":{"gps":[48.1400,11.5583]}}`, `"time_to":{}`, 1)
			j := newJourney(t, newSimDisk(), config)
			defer func() { j.stop() }()
			var tries atomic.Int64
			j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
				if tries.Add(1) == 1 {
					return c.answer, c.err
				}
				return motisAnswer(200, "["+motisMatch("PLACE", "Rathaus", "", "", 48.13, 11.57)+"]"), nil
			}
			const listing = `[{"id":"a","location":"Rathaus","service_constraint":"munich"}]`
			if _, err := newImporter(j.store).ImportText([]byte(listing), ""); err != nil {
				t.Fatal(err)
			}
			time.Sleep(11 * time.Second)
			synctest.Wait()
			began := j.motis.lastRequest()
			goesOn := c.wait > 10*time.Second // else the next try may be over
			if goesOn {
				waiting, last, err := j.geocoder.state()
				isStored := j.store.Get("a").FoundPosition.Known()
				if waiting != 1 || !last.IsZero() || isStored || fmt.Sprint(err) != c.want {
					t.Errorf("%s: %d wait, last %v, error %v; want %s", c.what, waiting, last, err, c.want)
				}
			}
			time.Sleep(c.wait + 15*time.Second)
			synctest.Wait()
			waited := j.motis.lastRequest().Sub(began)
			if goesOn && (waited < c.wait || waited > c.wait+2*time.Second) {
				t.Errorf("%s: waited %v; want %v", c.what, waited, c.wait)
			}
			waiting, last, err := j.geocoder.state()
			if waiting != 0 || last.IsZero() || err != nil || tries.Load() != 2 {
				t.Errorf("%s: %d wait, last %v, %v, %d tries", c.what, waiting, last, err, tries.Load())
			}
			j.wants("a", `{"lat":48.13,"lng":11.57,"precision":"place"}`, "{}")
			logs := j.logs.String()
			if strings.Count(logs, "must wait") != 1 || strings.Contains(logs, "base") || strings.Contains(logs, "elsewhere") {
				t.Errorf("%s: the log is %s", c.what, logs)
			}
		})
	}
}

// A question that never gets an answer does not hold up the others, and the wait grows to an
// hour. Meanwhile imports and times by bicycle go on.
func TestTravelHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), strings.Replace(munichConfig, `"time_to":{"work"`, `"time_to":{"x"`, 1))
		defer func() { j.stop() }()
		var tries []time.Time // of all questions
		j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
			tries = append(tries, time.Now())
			switch query.Get("text") {
			case "bad":
				return motisAnswer(500, ""), nil
			case "hangs":
				time.Sleep(9 * time.Second) // less than the limit of ten
			}
			return motisAnswer(200, "[]"), nil
		}
		j.imports(`[{"id":"z","location":"good","service_constraint":"none"},{"id":"y","location":"hangs"}]`)
		j.imports(`[{"id":"a","location":"bad","service_constraint":"none"}]`)
		if _, err := newImporter(j.store).ImportText([]byte(`[{"id":"b","location":"better","service_constraint":"none"},
			{"id":"c","service_constraint":"bike","gps":[48.14,11.56]}]`), ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Second)
		if !j.store.Get("c").ServiceTimeTo.Known() || j.store.Get("b").FoundPosition.Known() {
			t.Errorf("while all wait c has %s", j.store.Get("c").ServiceTimeTo.JSON())
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if j.store.Get("b").FoundPosition.JSON() == "null" || !j.store.Get("z").FoundPosition.Known() {
			t.Error("one question held up another")
		}
		time.Sleep(10 * time.Hour)
		synctest.Wait()
		var waits []string
		for i := range tries[:len(tries)-1] {
			if wait := tries[i+1].Sub(tries[i]).Round(time.Minute); wait > 0 {
				waits = append(waits, wait.String())
			}
		}
		got := strings.Join(waits, " ")
		if !strings.Contains(got, "1m0s 2m0s 4m0s 8m0s 16m0s 32m0s 1h0m0s 1h0m0s") {
			t.Errorf("the waits are %s", got)
		}
	})
}

// A place without stops waits for the next day, while others go on. So does a place that the service
// refuses. Stops of another city do not count.
func TestTravelNoStops(t *testing.T) {
	for what, answer := range map[string]func() *http.Response{
		"empty":        func() *http.Response { return motisAnswer(200, motisStops()) },
		"another city": func() *http.Response { return motisAnswer(200, motisStops([3]float64{52.5, 13.4, 5})) },
		"no stops": func() *http.Response {
			return motisAnswer(200, `{"all":[{},{"duration":5},{"place":{"lat":200,"lon":11.5},"duration":5},`+
				`{"place":{"lat":48.1,"lon":11.5},"duration":-5},{"place":{"lat":48.1}}]}`)
		},
		"refused": func() *http.Response { return motisAnswer(400, `{"error":"x"}`) },
	} {
		synctest.Test(t, func(t *testing.T) {
			j := newJourney(t, newSimDisk(), munichConfig)
			defer func() { j.stop() }()
			var answers atomic.Bool
			j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
				if query.Has("one") && !answers.Load() {
					return answer(), nil
				} else if query.Has("one") {
					return motisAnswer(200, j.motis.stops), nil
				}
				return motisAnswer(400, "{}"), nil
			}
			j.imports(`[{"id":"a","location":"X 80331","service_constraint":"munich"}]`)
			waiting, last, err := j.geocoder.state()
			if waiting != 0 || last.IsZero() || err == nil || !strings.HasPrefix(err.Error(), "motis.example ") {
				t.Errorf("%s: %d wait, last %v, error %v", what, waiting, last, err)
			}
			j.wants("a", `{"lat":null,"lng":null,"precision":null}`, "{}")
			answers.Store(true)
			time.Sleep(23 * time.Hour)
			j.wants("a", `{"lat":null,"lng":null,"precision":null}`, "{}")
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			j.wants("a", `{"lat":null,"lng":null,"precision":null}`, estimated(10, 48.1345, 11.571, "postal_code"))
			if _, _, err := j.geocoder.state(); err != nil {
				t.Errorf("%s: on the next day %v", what, err)
			}
		})
	}
}

// A service that does not answer delays nobody: the question ends after ten seconds. A full disk
// loses nothing, and a flat that would be too large holds up nothing.
func TestTravelDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), munichConfig, func(j *journey) {
			j.geocoder.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})
		})
		defer func() { j.stop() }()
		began := time.Now()
		for i := range 3 {
			if _, err := newImporter(j.store).ImportText(fmt.Appendf(nil, `[{"id":%d,"location":"a"}]`, i), ""); err != nil {
				t.Fatal(err)
			}
			if _, err := j.store.Update(strconv.Itoa(i), []byte(`{"notes":"x"}`), nil, author{}); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("while a service did not answer, imports and updates took %v", waited)
		}
		time.Sleep(21 * time.Second)
		if _, _, err := j.geocoder.state(); err == nil || err.Error() != "motis.example: no answer in time" {
			t.Errorf("after ten seconds: %v", err)
		}
		j.stop()
		j = newJourney(t, newSimDisk(), munichConfig)
		j.imports(`[{"id":"a","location":"b"},{"id":"big","service_constraint":"munich","service_postal_code":"80331",
			"text":"` + strings.Repeat("x", maxLine.bytes-800) + `"}]`)
		j.imports(`[{"id":"b","location":"c"},{"id":"long","location":"` + strings.Repeat("c ", 1<<18) + `"},
			{"id":"emoji","location":"🏠 🏡"},{"id":"script","location":"<script>alert(1)</script>"}]`)
		j.motis.mu.Lock()
		asked := strings.Join(j.motis.asked, "|")
		isNoAddress := func(part string) bool { return strings.Contains(asked, part) }
		if !strings.Contains(asked, "|b|c") || slices.ContainsFunc([]string{"script", "c c", "🏠"}, isNoAddress) {
			t.Errorf("asked %.1000q", asked)
		}
		j.motis.mu.Unlock()
		if waiting, _, err := j.geocoder.state(); waiting != 0 || err != nil || !j.store.Get("b").FoundPosition.Known() {
			t.Errorf("with large flats, %d wait, %v", waiting, err)
		}
		newImporter(j.store).ImportText([]byte(`[{"id":"d","location":"e"}]`), "")
		time.Sleep(time.Millisecond)
		j.disk.setFull(true)
		time.Sleep(50 * time.Second)
		if _, _, err := j.geocoder.state(); err == nil || !strings.HasPrefix(err.Error(), "nothing was stored") {
			t.Errorf("on a full disk: %v", err)
		}
		j.disk.setFull(false)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if _, _, err := j.geocoder.state(); err != nil || !j.store.Get("d").FoundPosition.Known() {
			t.Errorf("after a full disk: %v, %s", err, j.store.Get("d").FoundPosition.JSON())
		}
		if logs := j.logs.String(); strings.Count(logs, "cannot be stored") != 1 {
			t.Errorf("the log is %.2000s; want one warning", logs)
		}
	})
}

// The time of arrival is on the next Tuesday and never today, in the time zone of the config.
func TestArrival(t *testing.T) {
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	d := newGeocoder(newService(t, "[]", "[]").store, config.Travel, config.Constraints, config.Timezone)
	for now, want := range map[string]string{
		"2026-01-05T12:00:00Z": "2026-01-06T07:30:00Z", // a Monday
		"2026-01-05T23:30:00Z": "2026-01-13T07:30:00Z", // a Tuesday in Berlin
		"2026-01-06T05:00:00Z": "2026-01-13T07:30:00Z", "2026-01-07T12:00:00Z": "2026-01-13T07:30:00Z",
		"2026-01-10T12:00:00Z": "2026-01-13T07:30:00Z", "2026-01-11T12:00:00Z": "2026-01-13T07:30:00Z",
		"2026-03-28T12:00:00Z": "2026-03-31T06:30:00Z", // in summer
		"2026-12-30T12:00:00Z": "2027-01-05T07:30:00Z",
	} {
		d.store.now = func() time.Time { at, _ := time.Parse(time.RFC3339, now); return at }
		if got := d.arrival().UTC().Format(time.RFC3339); got != want {
			t.Errorf("at %s: %s; want %s", now, got, want)
		}
	}
}

// An answer without an end is not read beyond the limit.
func TestTravelEndless(t *testing.T) {
	t.Parallel()
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	d := newGeocoder(newService(t, "[]", "[]").store, config.Travel, config.Constraints, config.Timezone)
	read := 0 // bytes
	d.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		d.pace = &pace{} // the next question need not wait
		endless := readerFunc(func(b []byte) (int, error) {
			read += len(b)
			return len(b), nil
		})
		return &http.Response{StatusCode: 200, Body: io.NopCloser(endless)}, nil
	})
	_, err = d.askStops(t.Context(), inquiry{question: question{near: workStops}})
	if err == nil || err.Error() != "motis.example: the answer has more than 67108864 bytes" || read > 65<<20 { // 64 MiB
		t.Errorf("stops: %v after %d bytes; want an error after 64 MiB", err, read)
	}
	read = 0
	_, err = d.askPosition(t.Context(), inquiry{question: question{text: "x"}, flat: blank})
	if err == nil || err.Error() != "motis.example: the answer has more than 1048576 bytes" || read > 2<<20 {
		t.Errorf("positions: %v after %d bytes; want an error after 1 MiB", err, read)
	}
}

// placesWithTimes returns the places to which a flat has travel times, sorted.
func placesWithTimes(f *Flat) (places []string) {
	for _, t := range f.ServiceTimeTo.times {
		places = append(places, t.place)
	}
	slices.Sort(places)
	return places
}

// A refusal for another reason than the address says nothing about the address: all questions wait,
// /travel says why, and nothing is stored. The same happens if three addresses in a row are refused.
func TestTravelRefused(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404, 405, 408, 410, 422, 451} {
		synctest.Test(t, func(t *testing.T) {
			config := strings.Replace(munichConfig, `"time_to":{"work":{"gps":[48.1400,11.5583]}}`, `"time_to":{}`, 1)
			j := newJourney(t, newSimDisk(), config)
			defer func() { j.stop() }()
			var refuses atomic.Bool
			refuses.Store(true)
			j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
				if refuses.Load() {
					return motisAnswer(status, "<html>"), nil
				}
				return motisAnswer(200, "["+motisMatch("PLACE", "Rathaus", "", "", 48.13, 11.57)+"]"), nil
			}
			var listings []string
			for i := range 5 {
				listings = append(listings, fmt.Sprintf(`{"id":"%d","location":"Rathaus %c",`+
					`"service_constraint":"munich"}`, i, 'a'+i))
			}
			j.imports("[" + strings.Join(listings, ",") + "]")
			time.Sleep(time.Hour)
			synctest.Wait()
			want := fmt.Sprintf("motis.example answered %d %s", status, http.StatusText(status))
			leastWaiting := len(listings)
			if isOfAddress := status == 400 || status == 422; isOfAddress {
				want += " to 5 addresses in a row"
				leastWaiting = manyInRow
			}
			waiting, _, err := j.geocoder.state()
			if waiting < leastWaiting || err == nil || err.Error() != want {
				t.Errorf("%d: %d wait, %v; want %s", status, waiting, err, want)
			}
			refuses.Store(false)
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			for i := range 5 {
				j.wants(strconv.Itoa(i), `{"lat":48.13,"lng":11.57,"precision":"place"}`, "{}")
			}
			if waiting, _, err := j.geocoder.state(); waiting != 0 || err != nil {
				t.Errorf("%d: then %d wait, %v", status, waiting, err)
			}
		})
	}
}

// Addresses that a service cannot read hold up nothing, however many they are, once it has read others.
func TestTravelUnreadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), munichConfig)
		defer func() { j.stop() }()
		j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
			if strings.HasPrefix(query.Get("text"), "bad") {
				return motisAnswer(422, "{}"), nil
			}
			return motisAnswer(200, "[]"), nil
		}
		var listings []string
		for i := range 7 {
			listings = append(listings, fmt.Sprintf(`{"id":"%d","location":"bad %c"}`, i, 'a'+i))
		}
		j.imports("[" + strings.Join(listings, ",") + "]")
		j.imports(`[{"id":"good","location":"good"},{"id":"too","location":"good too"}]`)
		time.Sleep(24 * time.Hour)
		j.imports(`[{"id":"last","location":"good at last"}]`)
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		if waiting, _, err := j.geocoder.state(); waiting != 0 || err != nil || j.geocoder.notFound() != 10 {
			t.Errorf("%d wait, %v, %d not found", waiting, err, j.geocoder.notFound())
		}
	})
}

// TestTravelUnconfigured tests what /travel answers if the config names no travel service.
func TestTravelUnconfigured(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.want(s.ask("GET", "/api/v1/travel", ""), 200,
		`{"data":{"configured":false,"waiting":0,"not_found":0,"last":null,"error":null}}`)
	s.refuse(s.ask("POST", "/api/v1/travel", ""), 409, "No travel service is configured: set travel in the config.")
}

// An address that was not found is asked for again after four weeks, with another url, and when the user wants it. It
// is also asked for if the time of the last question is not known, because an earlier version did not store that.
func TestTravelAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := newSimDisk()
		disk.put("/flats.json",
			`[{"id":"old","location":"a","found_position":{"lat":null,"lng":null,"precision":null,"text":"a"}},
			{"id":"wrong-types","location":"b","found_position":{"precision":null,"text":"b","asked":7,"service":[]}}]`)
		j := newJourney(t, disk, munichConfig)
		defer func() { j.stop() }()
		j.imports(`[{"id":"same","location":"a"}]`)
		j.wantAsked("a null of an earlier version", "a", "b")
		j.wants("same", `{"lat":null,"lng":null,"precision":null}`, "{}")
		j.imports(`[{"id":"third","location":"a"}]`)
		j.wantAsked("the same address")
		if got := j.geocoder.notFound(); got != 4 {
			t.Errorf("%d not found; want 4", got)
		}
		j.geocoder.askAgain()
		time.Sleep(40 * time.Second)
		synctest.Wait()
		j.wantAsked("when the user wants it", "a", "b")
		time.Sleep(27 * day)
		synctest.Wait()
		j.wantAsked("after 27 days")
		time.Sleep(2 * day)
		synctest.Wait()
		j.wantAsked("after 29 days", "a", "b")
		j.stop()
		j = newJourney(t, j.disk.restartUnsynced(), munichConfig)
		j.imports("[]")
		j.wantAsked("after a restart")
		j.stop()
		j = newJourney(t, j.disk.restartUnsynced(), strings.Replace(munichConfig, "base/", "base", 1))
		j.imports("[]")
		j.wantAsked("with another url", "a", "b")
		// A question that the user wants does not wait after a failure, unless the service has said how long.
		j.motis.answer = func(string, url.Values) (*http.Response, error) { return motisAnswer(403, ""), nil }
		j.geocoder.askAgain()
		time.Sleep(50 * time.Minute)
		synctest.Wait()
		j.motis.mu.Lock()
		j.motis.asked, j.motis.answer = nil, nil
		j.motis.mu.Unlock()
		j.geocoder.askAgain()
		time.Sleep(40 * time.Second)
		synctest.Wait()
		j.wantAsked("after a failure", "a", "b")
	})
}
