// Tests of sidefile.go: what is durable, conflicts, damaged files.

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"flats/internal/turns"
)

// openViews opens the views next to the flats.json at path.
func openViews(imports *Importer, path string) (*Views, error) {
	file, err := openSideFile(imports.store.writer.files, path, "views.json")
	if err != nil {
		return nil, err
	}
	return newViews(imports, file, quiet)
}

// Views are durable before they are answered, and survive restarts. If anything fails, the
// list stays as it was, also in the file.
func TestViewsDurable(t *testing.T) {
	const old = `{"query":"min[cost]=1","page":"#/old"}`
	open := func(d *simDisk) (*Store, *Views) {
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		views, err := openViews(newImporter(store), "/flats.json")
		if err != nil {
			t.Fatal(err)
		}
		return store, views
	}
	put := func(v *Views, name, body string) error {
		object, err := parseObject([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = v.put(name, "", object)
		return err
	}
	state := func(v *Views) (texts []string) { // the views as JSON, without times
		for _, view := range *v.list.Load() {
			view.Seen, view.Told = "", ""
			texts = append(texts, encodeJSON(view))
		}
		return texts
	}
	for _, hasFile := range []bool{false, true} {
		for n := 1; ; n++ {
			d := newSimDisk()
			store, views := open(d)
			if hasFile {
				if err := put(views, "old", old); err != nil {
					t.Fatal(err)
				}
			}
			before := state(views)
			d.failIn(n)
			err := put(views, "new", `{"query":"q=x","notify":true}`)
			reached := d.mend()
			want := state(views)
			if isAsBefore := slices.Equal(want, before); isAsBefore != (err != nil) {
				t.Errorf("file %v, operation %d: %v, and the views are %q", hasFile, n, err, want)
			}
			// After a kill, the views are as they were in memory.
			killed, again := open(d.restartUnsynced())
			if got := state(again); !slices.Equal(got, want) {
				t.Errorf("file %v, operation %d: after a kill the views are %q; want %q", hasFile, n, got, want)
			}
			killed.Close()
			if err := put(views, "later", `{"query":""}`); err != nil {
				t.Errorf("file %v, operation %d: later: %v", hasFile, n, err)
			}
			store.Close()
			if !reached {
				break
			}
		}
	}
	// A crash at any instant leaves the file before or after.
	for n := 1; ; n++ {
		d := newSimDisk()
		store, views := open(d)
		if err := put(views, "old", old); err != nil {
			t.Fatal(err)
		}
		before := state(views)
		d.crash = true
		d.failIn(n)
		err := put(views, "old", `{"query":"max[cost]=2"}`)
		store.Close()
		reached := d.mend()
		for _, unsynced := range []bool{false, true} {
			after, again := open(d.restart(survivors{unsynced: unsynced}))
			got := state(again)
			isOld, isNew := slices.Equal(got, before), strings.Contains(got[0], "max[cost]=2")
			isLost := err == nil && isOld
			if !isOld && !isNew || isLost {
				t.Errorf("a crash at operation %d: %q after %v", n, got, err)
			}
			after.Close()
		}
		if !reached {
			break
		}
	}
}

// A views.json that another program has changed is not overwritten, and of two services
// only the one that owns the flats writes it.
func TestViewsConflict(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "flats.json")
	open := func() (*Store, *Views) {
		store, err := openStore(path, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		views, err := openViews(newImporter(store), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store, views
	}
	put := func(v *Views, name string) error {
		_, _, err := v.put(name, "", members{"query": json.RawMessage(`""`)})
		return err
	}
	_, first := open()
	if err := put(first, "a"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "views.json"))
	if err != nil || info.Mode() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("views.json: %v, %v; want mode 600", info, err)
	}
	secondStore, second := open() // takes the data over
	if err := put(first, "b"); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("a service that has lost the data: %v", err)
	}
	if err := put(second, "c"); err != nil {
		t.Error(err)
	}
	text := readFile(t, filepath.Join(dir, "views.json"))
	if !strings.Contains(text, `{"name":"a"`) || !strings.Contains(text, `{"name":"c"`) || strings.Contains(text, `"b"`) {
		t.Errorf("views.json is %s", text)
	}
	edited := strings.Replace(text, `"c"`, `"by hand"`, 1)
	writeFile(t, dir, "views.json", edited)
	if err := put(second, "d"); err == nil || !strings.Contains(err.Error(), "views.json was changed by another program") {
		t.Errorf("after an edit: %v", err)
	}
	if got := readFile(t, filepath.Join(dir, "views.json")); got != edited {
		t.Errorf("the edit was overwritten: %s", got)
	}
	_, err = secondStore.Update("none", []byte("{}"), nil, author{})
	if err == nil || !strings.Contains(err.Error(), "No flat") {
		t.Errorf("updates of flats after the edit: %v", err)
	}
	secondStore.Close()
	_, third := open()
	if indexView(*third.list.Load(), "by hand") < 0 {
		t.Error("the edit is not loaded")
	}
	for _, c := range []struct {
		what string
		make func(name string) error
		want string
	}{
		{"an empty file", func(name string) error { return os.WriteFile(name, nil, 0o600) }, "views.json:1:1: it is empty"},
		{"a link", func(name string) error { return os.Symlink("nowhere", name) },
			"views.json is a symbolic link to a file that does not exist"},
	} {
		folder := t.TempDir()
		if err := c.make(filepath.Join(folder, "views.json")); err != nil {
			t.Skip(err)
		}
		store, err := openStore(filepath.Join(folder, "flats.json"), osDisk{}, nil, quiet)
		if err == nil {
			defer store.Close()
			_, err = openViews(newImporter(store), filepath.Join(folder, "flats.json"))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.what, err, c.want)
		}
	}
}

// A damaged views.json is refused with the line and the member. A query that was valid and is not any more
// stays, with a warning.
func TestViewsFile(t *testing.T) {
	imports := newService(t, "[]", "[]").importer
	const view = `{"name":"a","query":"","seen":"2026-01-01"}`
	const tail = " (the file is left as it is: fix it, or put a backup in its place)"
	for _, c := range []struct{ text, want string }{
		{`{}`, "in:1: want a JSON array, got {}" + tail},
		{"[\n" + view + ",\n" + strings.Replace(view, `"a"`, "5", 1) + "]",
			"in:3: name: want a string, got 5" + tail},
		{`[{"query":"","seen":"2026-01-01"}]`, "in:1: name: is missing" + tail},
		{`[{"name":"a","seen":"2026-01-01"}]`, "in:1: query: is missing" + tail},
		{`[{"name":"a","query":""}]`, "in:1: seen: is missing" + tail},
		{`[{"name":"","query":"","seen":"2026-01-01"}]`,
			`in:1: name: want a text of 1 to 200 characters on one line, got ""` + tail},
		{`[{"name":"a","query":"","seen":"x"}]`, `in:1: seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "x"` + tail},
		{`[{"name":"a","query":"","seen":"2026-01-01","told":"x"}]`, `in:1: told: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "x"` + tail},
		{`[{"name":"a","query":"","seen":"2026-01-01","total":1}]`, "in:1: total: a view has no such member" + tail},
		{"[" + view + ",\n" + view + "]", `in:2: name: "a" appears twice` + tail},
		{`[{"name":"a",`, "in:1:14: a closing } is missing" + tail},
	} {
		if _, err := newViews(imports, &sideFile{name: "in", text: c.text}, quiet); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
	var logs bytes.Buffer
	const old = `[{"name":"a","query":"max[time_to.OLD]=5","seen":"2026-01-01","notify":true}]`
	views, err := newViews(imports, &sideFile{name: "in", text: old}, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil || !strings.Contains(logs.String(), "view=a") {
		t.Fatalf("%v, log %s", err, &logs)
	}
	answer := views.answer(turns.NewTask(t.Context(), turns.NewQueue()), (*views.list.Load())[0])
	want := `{"name":"a","query":"max[time_to.OLD]=5","page":null,"notify":true,` +
		`"seen":"2026-01-01","total":null,"new":null,"error":"Invalid max[time_to.OLD] provided: there is no such field."}`
	if got := encodeJSON(answer); got != want {
		t.Error(got)
	}
	if _, _, err := views.put("a", "", members{"page": json.RawMessage(`"#/x"`)}); err != nil {
		t.Errorf("another page of a refused query: %v", err)
	}
	sent, _ := parseObject([]byte(want)) // what GET has served
	if _, _, err := views.put("a", "", sent); err != nil {
		t.Errorf("a refused query sent back: %v", err)
	}
}

// TestDataID tests the id of the data: which requests are refused by it, how long it stays, and what becomes of a file
// that is damaged or cannot be read.
func TestDataID(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var logs bytes.Buffer
	open := func(dir string) (*program, string) {
		t.Helper()
		config := defaultConfig()
		config.Data = filepath.Join(dir, "flats.json")
		p, err := openProgram(config, slog.New(slog.NewTextHandler(&logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		return p, config.dataID
	}
	p, first := open(dir)
	name := filepath.Join(dir, "flats.json.id")
	if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Fatal(info, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "flats.json")); err == nil {
		t.Error("a flats.json was made before the first flat")
	}
	for _, c := range []struct {
		path, id string // of the data, "" if the request does not name it
		status   int
		answered string
	}{
		{"/api/v1/flats", first, 200, first},
		{"/api/v1/flats", "other", 421, first},
		{"/api/v1/flats/nope", first, 404, first},
		{"/api/v1/flats", "", 200, ""}, // a program
		// Browsers request these by themselves.
		{"/", "", 200, first},
		{"/sw.js", "", 200, first},
		{"/assets/x/nope", "", 404, first},
		{"/api/v1/photos/nope", "", 404, first},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://localhost"+c.path, nil)
		r.Header.Set("X-Flats", c.id)
		p.handler.ServeHTTP(w, r)
		if w.Code != c.status || w.Header().Get("X-Flats") != c.answered {
			t.Errorf("%s for %q: %d %v; want %d, %q", c.path, c.id, w.Code, w.Header(), c.status, c.answered)
		}
	}
	p.stop()
	// Data keep their id through a restart, and other data have another one.
	p, again := open(dir)
	p.stop()
	p, other := open(t.TempDir())
	p.stop()
	if again != first || other == first || logs.Len() > 0 && strings.Contains(logs.String(), ".id") {
		t.Errorf("ids %s, %s after a restart, %s elsewhere\n%s", first, again, other, &logs)
	}
	// A damaged file is replaced.
	writeFile(t, dir, "flats.json.id", "damaged")
	p, repaired := open(dir)
	p.stop()
	if got := readFile(t, name); got != repaired+"\n" || repaired == first || !strings.Contains(logs.String(), name) {
		t.Errorf("a damaged file became %q, the id is %s\n%s", got, repaired, &logs)
	}

	// A restore removes the id: its data may be others.
	writeFile(t, dir, "flats.json", "[]")
	archive := filepath.Join(t.TempDir(), "all.tgz")
	err := osArchiver(nil).backUp(t.Context(), filepath.Join(dir, "flats.json"), archive, withoutPhotos, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	os.Remove(filepath.Join(dir, "flats.json"))
	if err := osArchiver(nil).restore(t.Context(), filepath.Join(dir, "flats.json"), archive, io.Discard); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("restored data have the id of those before")
	}

	// A file that cannot be read is an error.
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	config := defaultConfig()
	config.Data = filepath.Join(dir, "flats.json")
	if _, err := openProgram(config, quiet); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("an id that cannot be read: %v", err)
	}
	// Each start of the sample has another id.
	ids := map[string]bool{}
	for range 2 {
		config := defaultConfig()
		config.sample = true
		p, err := openProgram(config, quiet)
		if err != nil || !strings.HasPrefix(config.dataID, "sample-") {
			t.Errorf("the sample has the id %s, %v", config.dataID, err)
		}
		p.stop()
		ids[config.dataID] = true
	}
	if len(ids) != 2 {
		t.Error("two starts of the sample have the same id")
	}
}

// TestSideFileMark tests that a byte order mark of an editor damages no file.
func TestSideFileMark(t *testing.T) {
	folder := t.TempDir()
	v := &visitor{setup: newSetup(t, folder, "{}")}
	v.access.rounds = 7
	v.must(200, "GET", "/api/v1/push", "")
	v.want(204, "PUT", "/api/v1/password", `{"password":"correct horse"}`)
	v.program.stop()
	id := v.config.dataID
	names := []string{"password.json", "push.json", "sessions.json", "flats.json.id"}
	for _, base := range names {
		writeFile(t, folder, base, "\uFEFF"+readFile(t, filepath.Join(folder, base)))
	}
	s := newSetup(t, folder, "{}")
	if strings.Contains(s.logs.String(), "damaged") || s.config.dataID != id {
		t.Errorf("the id is %s; want %s; the log is %s", s.config.dataID, id, s.logs)
	}
}
