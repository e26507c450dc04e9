// Tests of main.go: the command line, the program, the debug server.

package main

import (
	"bytes"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// The program logs the path of its data, serves requests, and shuts down cleanly.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "config.json", `{"data": "d/my.json", "website_url": "https://flats.example/", "unknown_key": 1, `+
		`"feed_token": "t", "constraints": {"x": {"cost": [1, 2]}}}`)
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "d"), "my.json", `[{"id":1,"title":"a"}]`)
	p := start(t, dir, "-access-log")
	if status, body := p.do("PATCH", "/api/v1/flat/1", `{"status":"followed"}`); status != 200 {
		t.Errorf("PATCH: %d %s", status, body)
	}
	p.do("GET", "/api/v1/ics/visits.ics?token=secret-token", "")
	p.stop()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"data=" + filepath.Join(real, "d", "my.json"), "flats=1", "key=constraints.x.cost",
		"key=unknown_key",
		"set timezone, such as", "client=127.0.0.1:", "method=PATCH path=/api/v1/flat/1 status=200", "msg=stopping"} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, p.stderr)
		}
	}
	if strings.Contains(p.stderr.String(), "secret-token") {
		t.Errorf("the log contains the token:\n%s", p.stderr)
	}
	if got := readFile(t, filepath.Join(dir, "d", "my.json")); !strings.Contains(got, `"status":"followed"`) {
		t.Errorf("the data file is %s; want the updated status", got)
	}
	// A flag overrides the config file, and -log-json logs in JSON.
	p = start(t, dir, "-data", "other.json", "-log-json")
	p.stop()
	const want = `"level":"INFO","msg":"the data file does not exist yet: the first flat creates it"`
	if !strings.Contains(p.stderr.String(), want) {
		t.Errorf("the log is\n%s\nwant in it %s", p.stderr, want)
	}
}

// The program keeps views, and tells a receiver about an import.
func TestProgramNotify(t *testing.T) {
	titles := make(chan string, 9)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		titles <- r.Header.Get("Title")
	}))
	defer ts.Close()
	dir := t.TempDir()
	writeFile(t, dir, "config.json", `{"notify": {"url": "`+ts.URL+`/secret"}}`)
	p := start(t, dir)
	p.do("PUT", "/api/v1/views/all", `{"query":"","notify":true}`)
	p.do("POST", "/api/v1/import", `[{"id":1}]`)
	select {
	case title := <-titles:
		if title != "all: 1 new" {
			t.Errorf("the title is %q", title)
		}
	case <-time.After(time.Minute):
		t.Error("no message came within a minute")
	}
	p.stop()
	p = start(t, dir)
	if status, body := p.do("GET", "/api/v1/views", ""); status != 200 || !strings.Contains(body, `"name":"all"`) {
		t.Errorf("after a restart: %d %s", status, body)
	}
	p.stop()
	if strings.Contains(p.stderr.String(), "secret") || len(titles) > 0 {
		t.Errorf("%d messages more, the log is\n%s", len(titles), p.stderr.String())
	}
}

// The program keeps photos where the config says so, and a file that a listing names is safe.
func TestProgramPhotos(t *testing.T) {
	for config, want := range map[string]string{`{}`: `{"configured":false,"photos":0,`,
		`{"keep_photos":true}`: `{"configured":true,"photos":1,`} {
		dir := t.TempDir()
		writeFile(t, dir, "config.json", config)
		writeFile(t, dir, "flats.json", `[{"id":"a","status":"followed","photos":["http://127.0.0.1/private","http://h/1"],
			"kept_photos":[{"url":"http://h/1","hash":"`+hashOf("http://h/1")+`"},{"url":"x","hash":"../flats.json"}]}]`)
		folder := filepath.Join(dir, "photos")
		os.Mkdir(folder, 0o700)
		writeFile(t, folder, hashOf("http://h/1"), pngOf("1"))
		p := start(t, dir)
		p.do("POST", "/api/v1/import", `[{"id":"b","kept_photos":[{"url":"../flats.json","hash":"../flats.json"}]}]`)
		isKept := strings.Contains(config, "keep")
		p.await("the photo to fail", func() bool {
			_, state := p.do("GET", "/api/v1/photos", "")
			return strings.Contains(state, want) && strings.Contains(state, "not a public address") == isKept
		})
		if status, body := p.do("GET", "/api/v1/photos/"+hashOf("http://h/1"), ""); status != 200 || body != pngOf("1") {
			t.Errorf("%s: %d %q", config, status, body)
		}
		p.stop()
		if got := readFile(t, filepath.Join(dir, "flats.json")); !strings.Contains(got, `"id":"b"`) ||
			strings.Contains(got, "../flats.json") {
			t.Errorf("%s: flats.json is %s", config, got)
		}
	}
}

// The sample is served from memory, so nothing is written to disk, and its first visits are today.
func TestSample(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := start(t, dir, "-sample")
	status, body := p.do("PATCH", "/api/v1/flat/4711", `{"notes":"tried"}`)
	if status != 200 || !strings.Contains(body, `"notes":"tried"`) {
		t.Errorf("PATCH: %d %s", status, body)
	}
	status, body = p.do("POST", "/api/v1/import", `[{"id":"tried"}]`)
	if status != 200 || !strings.Contains(body, `"added":1`) {
		t.Errorf("import: %d %s", status, body)
	}
	_, feed := p.do("GET", "/api/v1/ics/visits.ics", "")
	today := time.Now().UTC().Add(-time.Hour).Format("20060102") // midnight may pass meanwhile
	starts := regexp.MustCompile("DTSTART:(.*?)Z?\r").FindAllStringSubmatch(feed, -1)
	for _, start := range starts {
		if start[1] < today {
			t.Errorf("a visit was before today: %s", start[1])
		}
	}
	if len(starts) < 3 {
		t.Errorf("%d visits; want at least 3", len(starts))
	}
	p.stop()
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("the folder contains %v; want no files", entries)
	}
	// The visits are from today on, on any date: here from 20 December to 3 January.
	for day := range 15 {
		config, err := options{sample: true}.config(quiet)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2031, 12, 20+day, 23, 59, 0, 0, time.UTC)
		store := openSample(config, now, quiet)
		visits := map[string]int{}
		for _, f := range store.snapshot().all() {
			if f.VisitDate.Known() {
				visits[f.VisitDate.at.Format(time.DateOnly)]++
			}
		}
		today, tomorrow := now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
		first := slices.Min(slices.Collect(maps.Keys(visits)))
		if first != today || visits[today] != 2 || visits[tomorrow] != 1 || len(visits) != 3 {
			t.Errorf("started at %v, the visits are on %v", now, visits)
		}
		for _, f := range store.snapshot().all() {
			if f.ServicePostalCode.entry == nil {
				t.Errorf("flat %s has a postal code that is not in the sample", f.ID.String())
			}
			// Its times are as if they had been computed.
			lat, lng, precision := f.position()
			times, _ := timesIn(f.ServiceTimeTo.JSON())
			for name, text := range times {
				place := config.Constraints[f.ServiceConstraint.String()].Places[name]
				from := [2]float64{lat.number, lng.number}
				estimated := estimate{Precision: precision, From: from, Arrive: "09:00"}
				want := travelTime{GPS: place.GPS, Mode: place.Mode, Sections: []struct{}{}, Estimated: estimated}
				if isEstimated(text) && !want.isSame(text) {
					t.Errorf("flat %s: %s: %s; want %s with a time", f.ID.String(), name, text, encodeJSON(want))
				}
			}
		}
		store.Close()
	}
}

// An error at start is reported on one line with exit status 1. A command line error has
// exit status 2. Help and version have exit status 0.
func TestCommandLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "bad.json", "{\n\"addr\": 5}")
	writeFile(t, dir, "flats.json", "[\n{}]")
	writeFile(t, dir, "listings.json", `[{"id":"1@ss"}]`)
	writeFile(t, dir, "of-a.json", `{"complete":"a","data":{"id":"1@a"}}`)
	writeFile(t, dir, "of-b.json", `{"complete":"b","data":{"id":"1@b"}}`)
	writeFile(t, dir, "codes.json", `{"postal_codes": ["FR.txt"]}`)
	writeFile(t, dir, "no-codes.json", `{"postal_codes": ["none.txt"]}`)
	writeFile(t, dir, "sample.json", `[{"postal_code": "1", "name": "Y", "area": "X"}]`)
	writeFile(t, dir, "FR.txt", "FR\t75001\tParis\tx\t11\tx\tx\tx\tx\tnorth\t2.3\t5\n")
	occupied, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer occupied.Close()
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-version", 0, "flats " + version},
		{"-h", 0, "Usage:"},
		{"-help", 0, "-access-log"},
		{"-nope", 2, "flats: flag provided but not defined: -nope"},
		{"serve", 2, `flats: there is no command "serve"`},
		{"areas", 2, "flats: areas: name one file of postal codes\n"},
		{"areas FR.txt FR.txt", 2, "flats: areas: name one file of postal codes\n"},
		{"areas -data x FR.txt", 2, "flats: areas accepts no flags\n"},
		{"backup", 2, "flats: backup: name one file"},
		{"backup -", 2, "flats: backup: name one file"},
		{"restore a b", 2, "flats: restore: name one file"},
		{"backup -complete s x", 2, "flats: backup accepts only -config, -data and -photos\n"},
		{"restore -photos x", 2, "flats: restore accepts only -config and -data\n"},
		{"-photos", 2, "flats: -photos is only for backup\n"},
		{"backup none/x.tgz", 1, "flats: open none/x.tgz."},
		{"restore none.tgz", 1, "flats: none.tgz: open none.tgz: "},
		{"areas sample.json", 0, "X · 1 · Y\n"},
		{"areas FR.txt", 1, "flats: FR.txt:1: lat: want a finite number or null, got \"north\"\n"},
		{"areas none.txt", 1, "flats: postal codes: open none.txt: "},
		{"-addr 8080", 2, "flats: -addr: want HOST:PORT"},
		{"-debug 8080", 2, "flats: -debug: want HOST:PORT"},
		{"-debug 0.0.0.0:6060", 2, "flats: -debug: want an address that only this machine reaches, such as 127.0.0.1:6060\n"},
		{"-debug example.org:6060", 2, "flats: -debug: want an address that only this machine reaches"},
		{"-debug " + occupied.Addr().String() + " -sample", 1, "choose another address with -debug\n"},
		{"-web none -sample", 1, "flats: -web: stat none/index.html: "},
		{"-web x import listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"-sample -data x", 2, "flats: -sample serves its own flats"},
		{"import", 2, "flats: import: name files"},
		{"-config none.json", 1, "flats: config: open none.json: "},
		{"-config bad.json", 1, "flats: bad.json: addr: want a string\n"},
		{"-config no-codes.json", 1, "/export/zip/ and unzip it there, or remove it from postal_codes\n"},
		{"-config codes.json", 1, "flats: FR.txt:1: lat: want a finite number or null, got \"north\"\n"},
		{"", 1, "/flats.json:2: id: a flat must have one (the file is left as it is: fix it, or put a backup in its " +
			"place)\n"},
		{"-addr " + occupied.Addr().String(), 1, "choose another address with -addr\n"},
		{"import none", 1, "flats: open none: "},
		{"-complete s", 2, "flats: -complete is only for import"},
		{"import -sample listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"-access-log import listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"import listings.json -addr 127.0.0.1:0", 2,
			"flats: import accepts only -config, -data and -complete\n"},
		{"import -version listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"import listings.json -log-json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"import listings.json -sample -h", 0, "Usage:"},
		{"import listings.json -nope", 2, "flats: flag provided but not defined: -nope\n"},
		{"import listings.json -complete", 2, "flats: flag needs an argument: -complete\n"},
		{"import -complete s -data x", 2, "flats: import: name files"},
		{"import -complete s --", 2, "flats: import: name files"},
		{"import listings.json -complete s", 1, `flats: -complete: no listing is from "s": all of its flats`},
		{"import listings.json -complete s -- -data", 1, "flats: open -data: "},
		{"import -- listings.json -complete ss", 1, "flats: open -complete: "},
		{"import ./-complete", 1, "flats: open ./-complete: "},
		{"import -complete= none", 2, `flats: invalid value "" for flag -complete: must not be empty`},
		{"import -complete s listings.json", 1,
			`flats: -complete: no listing is from "s": all of its flats would be marked as gone (nothing was imported)`},
		{"import of-a.json of-b.json", 1,
			`flats: of-b.json: complete: the listings are from "a", not from "b" (nothing was imported)`},
		{"import flats.json", 1, "flats: flats.json:2: id: a listing must have one, " +
			"or an http or https link in its urls (nothing was imported)\n"},
	} {
		args := strings.Fields(c.args)
		// A service that would start in spite of the error gets a free port, not the usual one.
		isService := c.args == "" || strings.HasPrefix(c.args, "-")
		if isService && c.status == 1 && !slices.Contains(args, "-addr") {
			args = append(args, "-addr", "127.0.0.1:0")
		}
		cmd := command(dir, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(out.String(), c.want) {
			t.Errorf("flats %s: %v, %s\nwant status %d, %s", c.args, err, out.String(), c.status, c.want)
		}
		if lines := strings.Count(out.String(), "\n"); c.status == 1 && lines != 1 {
			t.Errorf("flats %s: %d lines: %s", c.args, lines, out.String())
		}
	}
}

// The example of a flat in docs/running.md is also on the page, and it can be imported.
func TestDocumentedListing(t *testing.T) {
	_, text, _ := strings.Cut(readFile(t, "docs/running.md"), "into `listings.json`:\n\n")
	text, _, _ = strings.Cut(text, "\n\n")
	listings := strings.ReplaceAll(strings.TrimPrefix(text, "    "), "\n    ", "\n") // without the indentation
	if !strings.Contains(readFile(t, "web/parts/welcome.js"), "const example = `"+listings+"`") {
		t.Errorf("the page does not show %s", listings)
	}
	counts, err := newImporter(newStore(nil, nil, quiet, nil)).ImportText([]byte(listings), "")
	if err != nil || counts.Added != 1 {
		t.Errorf("%d flats were added; %v", counts.Added, err)
	}
}

// TestDebug tests that the debug server answers, though not pages of other sites, and that the
// service itself has no such paths.
func TestDebug(t *testing.T) {
	p := start(t, t.TempDir(), "-sample", "-debug", "127.0.0.1:0")
	url := regexp.MustCompile(`(http://[0-9.:]+)/debug/`).FindStringSubmatch(p.stderr.String())[1]
	p.await("the service to listen", func() bool {
		found := regexp.MustCompile(`msg=listening url=(http://[0-9.:]+)`).FindStringSubmatch(p.stderr.String())
		if found != nil {
			p.url = found[1]
		}
		return found != nil
	})
	for _, c := range []struct {
		method, path, host, site string
		status                   int
		want                     string
	}{
		{"GET", "/debug/pprof/", "", "", 200, "goroutine"},
		{"GET", "/debug/pprof/heap?debug=1", "", "", 200, "heap profile"},
		{"GET", "/debug/vars", "localhost:1", "same-origin", 200, "memstats"},
		{"GET", "/debug/vars", "", "cross-site", 403, "only pages"},
		{"GET", "/debug/vars", "evil.example", "", 403, "only pages"},
		{"POST", "/debug/pprof/profile", "", "", 405, ""},
		{"GET", "/", "", "", 404, ""},
	} {
		r, err := http.NewRequest(c.method, url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%v: %v, %d %.100s", c, err, answer.StatusCode, body)
		}
	}
	if status, _ := p.do("GET", "/debug/vars", ""); status != 404 {
		t.Errorf("the service answers /debug/vars: %d", status)
	}
	p.stop()
}
