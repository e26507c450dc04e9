// Tests of program.go: what is opened together, and closed again.

package main

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A program that is stopped leaves all data in flats.json, without a journal and unlocked. One that cannot be opened
// leaves the data unlocked, too, and leaves the file that it could not read as it was.
func TestProgramStops(t *testing.T) {
	dir := t.TempDir()
	config := defaultConfig()
	config.WebsiteURL = "https://flats.example/"
	config.Data = writeFile(t, dir, "flats.json", `[{"id":"a"}]`)
	update := func(notes string) {
		t.Helper()
		p, err := openProgram(config, quiet)
		if err != nil {
			t.Fatal(err)
		}
		p.start(t.Context())
		r := httptest.NewRequest("PATCH", "/api/v1/flat/a", strings.NewReader(`{"notes":"`+notes+`"}`))
		r.Host = "flats.example"
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		if w.Code != 200 {
			t.Errorf("an update: %d %s; want 200", w.Code, w.Body)
		}
		if _, err := openProgram(config, quiet); err == nil || !strings.Contains(err.Error(), "is in use") {
			t.Errorf("a second program: %v", err)
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		if got := readFile(t, config.Data); !strings.Contains(got, `"notes":"`+notes+`"`) {
			t.Errorf("flats.json is %s", got)
		}
		if _, err := os.Stat(config.Data + ".log"); err == nil {
			t.Error("the journal is still there")
		}
	}
	update("before failures")
	for name, text := range map[string]string{"views.json": "[", "codes.json": "{}", "flats.json": "["} {
		path := filepath.Join(dir, name)
		before, _ := os.ReadFile(path)
		writeFile(t, dir, name, text)
		config.PostalCodes = nil
		if name == "codes.json" {
			config.PostalCodes = []string{path}
		}
		p, err := openProgram(config, quiet)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("opened with a damaged %s: %v, %v; want an error that names it", name, p, err)
		}
		if got := readFile(t, path); got != text {
			t.Errorf("%s has become %q; want %q, as it was", name, got, text)
		}
		os.Remove(path)
		if before != nil {
			writeFile(t, dir, name, string(before))
		}
	}
	config.PostalCodes = nil
	update("after failures")
}

// The sample is served from memory, and stops as any other program does.
func TestProgramSample(t *testing.T) {
	config, err := options{sample: true}.config(quiet)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProgram(config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	p.start(t.Context())
	const sampleViews = 2
	if size, views := p.store.snapshot().size, len(*p.views.list.Load()); size == 0 || views != sampleViews {
		t.Errorf("there are %d flats and %d views; want flats and %d views", size, views, sampleViews)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

// TestOpenWithoutCodes tests that the start warns of constraints whose areas match no postal code, and that
// /travel names them.
func TestOpenWithoutCodes(t *testing.T) {
	dir := t.TempDir()
	config := defaultConfig()
	config.WebsiteURL = "https://flats.example/"
	config.Data = filepath.Join(dir, "flats.json")
	config.PostalCodes = []string{writeFile(t, dir, "codes.json",
		`[{"postal_code":"69007","name":"Lyon 7e","lat":45.7,"lng":4.8,"area":"FR-69"}]`)}
	config.Constraints = map[string]Constraint{
		"lyon": {Areas: []string{"FR-69"}},
		"far":  {Areas: []string{"FR-99"}},
		"any":  {}, // all areas
		"none": {Areas: []string{}},
	}
	var log strings.Builder
	p, err := openProgram(config, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	p.start(t.Context())
	defer p.stop()
	var warned []string
	for line := range strings.Lines(log.String()) {
		if _, rest, ok := strings.Cut(line, "constraint="); ok {
			warned = append(warned, strings.TrimSpace(rest))
		}
	}
	// One warning of an area without a code, and then one of each constraint without a code.
	if got := strings.Join(warned, "; "); got != "far area=FR-99 instead_perhaps=[FR-69]; far; none" {
		t.Errorf("the start warns of %q; the log is\n%s", got, &log)
	}
	r := httptest.NewRequest("GET", "/api/v1/travel", nil)
	r.Host = "flats.example"
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	if got := w.Body.String(); !strings.Contains(got, `"without_codes":["far","none"]`) {
		t.Errorf("/travel answers %s", got)
	}
}
