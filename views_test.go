// Tests of views.go.

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// manyTerms returns a query of more terms than a search may have, in less than 4 KiB.
func manyTerms() string {
	var terms []string
	for i := range 1001 {
		terms = append(terms, strconv.FormatInt(int64(i), 36))
	}
	return strings.Join(terms, "+")
}

// The service keeps views, with the numbers of their flats.
func TestViews(t *testing.T) {
	s := newService(t, `[{"id":1,"cost":500,"rooms":2,"first_seen":"2026-01-01T10:00:00Z"},{"id":2,"cost":900,
		"rooms":3,"first_seen":"2026-01-02T10:00:00Z","title":"Loft"},{"id":3,"cost":null}]`, testCodes)
	s.store.now = func() time.Time { return time.Date(2026, 1, 3, 4, 5, 6, 0, time.UTC) }
	// The order of views is that in which they were added.
	for _, c := range []struct {
		method, name, body string
		status             int
		want               string
	}{
		{"PUT", "Two", `{"query":"min[rooms]=2&unknown=rooms"}`, 201,
			`{"data":{"name":"Two","query":"min[rooms]=2&unknown=rooms","page":null,"notify":false,` +
				`"seen":"2026-01-03T04:05:06Z","total":3,"new":0}}`},
		{"PUT", "a%2Fb%20%22%F0%9F%98%80", `{"query":"q=loft","page":"#/?q=loft","notify":true,` +
			`"seen":"2026-01-01T12:00"}`, 201, `{"data":{"name":"a/b \"😀","query":"q=loft","page":"#/?q=loft",` +
			`"notify":true,"seen":"2026-01-01T12:00","total":1,"new":1}}`},
		{"PUT", "Two", `{"seen":"2026-01-01T10:00:00Z"}`, 200,
			`{"data":{"name":"Two","query":"min[rooms]=2&unknown=rooms","page":null,"notify":false,` +
				`"seen":"2026-01-01T10:00:00Z","total":3,"new":1}}`},
		// What GET serves can be sent back.
		{"PUT", "Two", `{"name":"else","query":"","page":"#/","notify":false,"seen":"2025-01-01","total":7,"new":8,` +
			`"error":"x"}`, 200, `{"data":{"name":"Two","query":"","page":"#/","notify":false,` +
			`"seen":"2025-01-01","total":3,"new":2}}`},
		{"PUT", "Two", `{"page":null}`, 200, `{"data":{"name":"Two","query":"","page":null,"notify":false,` +
			`"seen":"2025-01-01","total":3,"new":2}}`},
		{"DELETE", "a/b%20%22%F0%9F%98%80", "", 204, ""},
		{"GET", "", "", 200, `{"data":[{"name":"Two","query":"","page":null,"notify":false,` +
			`"seen":"2025-01-01","total":3,"new":2}]}`},
	} {
		target := "/api/v1/views/" + c.name
		got := s.ask(c.method, strings.TrimSuffix(target, "/"), c.body)
		if c.status == 204 && got.status == 204 && got.body == "" {
			continue
		}
		s.want(got, c.status, c.want)
	}
	const wrong = "Invalid view provided: "
	for _, c := range []struct{ name, body, want string }{
		{"x", `{}`, "query: is missing."},
		{"x", `{"query":null}`, "query: must not be null."},
		{"x", `{"query":7}`, "query: want a string, got 7."},
		{"x", `{"query":"q=` + strings.Repeat("x", 4<<10) + `"}`, "query: want at most 4096 bytes, got 4098."},
		{"x", `{"query":"min[title]=1"}`,
			"query: Invalid min[title] provided: only number and datetime fields have ranges."},
		{"x", `{"query":"filter[time_to.OLD]=1"}`,
			"query: Invalid filter[time_to.OLD] provided: there is no such field."},
		{"x", `{"query":"sort=cost"}`, `query: "sort" is not a condition.`},
		{"x", `{"query":"q=a&page[size]=1"}`, `query: "page[size]" is not a condition.`},
		{"x", `{"query":"%zz=1"}`, `query: "%zz" is not a condition.`},
		{"x", `{"query":"q=%zz"}`, "query: Invalid q provided: invalid URL escape \"%zz\"."},
		{"x", `{"query":"q=` + manyTerms() + `"}`, "query: Invalid query provided: it has more than 1000 different terms."},
		{"x", `{"query":"","seen":"soon"}`, "seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or " +
			`2026-12-01T18:00:00+01:00, got "soon".`},
		{"x", `{"query":"","seen":""}`, "seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or " +
			`2026-12-01T18:00:00+01:00, got "".`},
		{"x", `{"query":"","seen":"2026-01-01T00:00:00.` + strings.Repeat("1", 100) + `"}`, "seen: want at most 100 bytes."},
		{"x", `{"query":"","seen":null}`, "seen: must not be null."},
		{"x", `{"query":"","page":"https://x"}`, `page: want null or a text that begins with #/, got "https://x".`},
		{"x", `{"query":"","page":"#/\n"}`, `page: want null or a text that begins with #/, got "#/\n".`},
		{"x", `{"query":"","notify":1}`, "notify: want true or false, got 1."},
		{"x", `{"query":"","told":"2026-01-01"}`, "told: a view has no such member."},
		{"x", `{"query":"","x":1}`, "x: a view has no such member."},
		{"x", `[]`, "want an object, got []."},
		{"", `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "".`},
		{"a%0Ab", `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "a\nb".`},
		{"%ff", `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "\xff".`},
		{strings.Repeat("x", 201), `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "` +
			strings.Repeat("x", 39) + "…."},
	} {
		s.refuse(s.ask("PUT", "/api/v1/views/"+c.name, c.body), 400, wrong+c.want)
	}
	s.refuse(s.ask("DELETE", "/api/v1/views/none", ""), 404, "No view with the name none.")
	// A refused change leaves all members as they were.
	s.ask("PUT", "/api/v1/views/Two", `{"page":"#/old"}`)
	s.ask("PUT", "/api/v1/views/Two", `{"page":"#/new","seen":"soon"}`)
	if got := s.ask("GET", "/api/v1/views", ""); !strings.Contains(got.body, `"page":"#/old"`) {
		t.Errorf("after a refused change the views are %s", got.body)
	}
	for i := range 99 {
		name := fmt.Sprint(i, strings.Repeat("x", 198))
		if got := s.ask("PUT", "/api/v1/views/"+name, `{"query":""}`); got.status != 201 {
			t.Fatalf("view %d: %d %s", i, got.status, got.body)
		}
	}
	s.refuse(s.ask("PUT", "/api/v1/views/more", `{"query":""}`), 400, wrong+"there are 100 views already.")
	for target, allow := range map[string]string{"views": "GET, HEAD, OPTIONS", "views/x": "PUT, DELETE, OPTIONS",
		"notify": "GET, HEAD, POST, OPTIONS"} {
		got := s.ask("OPTIONS", "/api/v1/"+target, "", "Origin", "https://flats.example",
			"Access-Control-Request-Method", "PUT")
		if got.status != 200 || got.header.Get("Allow") != allow ||
			got.header.Get("Access-Control-Allow-Methods") != allow {
			t.Errorf("OPTIONS %s: %d %v; want %s", target, got.status, got.header, allow)
		}
	}
	got := s.ask("GET", "/api/v1/views", "")
	if again := s.ask("GET", "/api/v1/views", "", "If-None-Match", got.header.Get("Etag")); again.status != 304 {
		t.Errorf("If-None-Match: %d; want 304", again.status)
	}
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
		views, err := openViews(newImporter(store), "/flats.json", false, quiet)
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
		_, _, err = v.put(name, object)
		return err
	}
	state := func(v *Views) (texts []string) {
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
			d.mu.Lock()
			d.failAt = len(d.ops) + n
			d.mu.Unlock()
			err := put(views, "new", `{"query":"q=x","notify":true}`)
			d.mu.Lock()
			reached := len(d.ops) >= d.failAt
			d.failAt = 0
			d.mu.Unlock()
			want := state(views)
			if failed := err != nil; failed != slices.Equal(want, before) {
				t.Errorf("file %v, operation %d: %v, and the views are %q", hasFile, n, err, want)
			}
			// After a kill, the store has the acknowledged state.
			killed, again := open(d.restart(true, false))
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
		d.mu.Lock()
		d.failAt, d.crash = len(d.ops)+n, true
		d.mu.Unlock()
		err := put(views, "old", `{"query":"max[cost]=2"}`)
		store.Close()
		d.mu.Lock()
		reached := len(d.ops) >= d.failAt
		d.mu.Unlock()
		for _, kept := range []bool{false, true} {
			after, again := open(d.restart(kept, false))
			got := state(again)
			isOld, isNew := slices.Equal(got, before), strings.Contains(got[0], "max[cost]=2")
			if !isOld && !isNew || err == nil && isOld {
				t.Errorf("a crash at operation %d: %q after %v", n, got, err)
			}
			after.Close()
		}
		if !reached {
			break
		}
	}
}

// A change of a view and an update that are stored together do not depend on each other: after
// a restart, each is there if it was acknowledged, and else not, whichever operation fails.
func TestViewsBatch(t *testing.T) {
	const view = "a"
	for _, what := range []string{"put", "remove"} {
		reached := true
		for n := 1; reached; n++ {
			name := fmt.Sprintf("%s/operation %d", what, n)
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newSimDisk()
					d.names["/flats.json"] = &simFile{data: []byte(`[{"id":1}]`), lost: -1}
					h := newHunt(t, d, "")
					if what == "remove" {
						h.put(view, `{"query":"q=x"}`)
					}
					// Both wait for the writer, which takes them together.
					busy := make(chan bool)
					wait := func(func(string) *Flat) ([]edit, error) { <-busy; return nil, nil }
					go h.store.change(wait, nil)
					synctest.Wait()
					changed, updated := make(chan error, 1), make(chan error, 1)
					go func() {
						if what == "remove" {
							changed <- h.views.remove(view)
							return
						}
						_, _, err := h.views.put(view, members{"query": json.RawMessage(`"q=x"`)})
						changed <- err
					}()
					synctest.Wait()
					go func() {
						_, err := h.store.Update("1", []byte(`{"notes":"n"}`), nil)
						updated <- err
					}()
					synctest.Wait()
					d.mu.Lock()
					d.failAt = len(d.ops) + n
					d.mu.Unlock()
					close(busy)
					changeErr, updateErr := <-changed, <-updated
					d.mu.Lock()
					reached = len(d.ops) >= d.failAt
					d.failAt = 0
					d.mu.Unlock()
					again := newHunt(t, d.restart(true, false), "")
					hasView := indexView(*again.views.list.Load(), view) >= 0
					if (what == "put") != (hasView == (changeErr == nil)) {
						t.Errorf("%s, operation %d: %v, and after a restart there is a view: %v", what, n, changeErr, hasView)
					}
					if isUpdated := again.store.Get("1").Notes.Known(); isUpdated != (updateErr == nil) {
						t.Errorf("%s, operation %d: %v, and after a restart the update is there: %v", what, n, updateErr,
							isUpdated)
					}
					again.stop()
					h.stop()
				})
			})
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
		views, err := openViews(newImporter(store), path, false, quiet)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store, views
	}
	put := func(v *Views, name string) error {
		_, _, err := v.put(name, members{"query": json.RawMessage(`""`)})
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
	if _, err := secondStore.Update("none", []byte("{}"), nil); err == nil || !strings.Contains(err.Error(), "No flat") {
		t.Errorf("updates of flats after the edit: %v", err)
	}
	secondStore.Close()
	_, third := open()
	if indexView(*third.list.Load(), "by hand") < 0 {
		t.Error("the edit is not loaded")
	}
	for _, c := range []struct{ text, want string }{
		{"", "views.json:1: unexpected end of JSON input"},
		{"link", "views.json is a symbolic link to a file that does not exist"},
	} {
		folder := t.TempDir()
		if c.text == "" {
			writeFile(t, folder, "views.json", "")
		} else if err := os.Symlink("nowhere", filepath.Join(folder, "views.json")); err != nil {
			t.Skip(err)
		}
		store, err := openStore(filepath.Join(folder, "flats.json"), osDisk{}, nil, quiet)
		if err == nil {
			defer store.Close()
			_, err = openViews(newImporter(store), filepath.Join(folder, "flats.json"), false, quiet)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}

// A view is not acknowledged if another service has read views.json before it was replaced.
func TestViewsTakeover(t *testing.T) {
	write := func(d *simDisk) error {
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		views, err := openViews(newImporter(store), "/flats.json", false, quiet)
		if err == nil {
			_, _, err = views.put("a", members{"query": json.RawMessage(`""`)})
		}
		return err
	}
	d := newSimDisk()
	if err := write(d); err != nil {
		t.Fatal(err)
	}
	n := 1 + slices.IndexFunc(d.ops, func(op string) bool { return strings.HasPrefix(op, "open /views.json") })
	d = newSimDisk()
	d.hooks = map[int]func(){n: func() {
		second, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Error(err)
		}
		t.Cleanup(func() { second.Close() })
	}}
	if err := write(d); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("%v; want a conflict", err)
	}
}

// The flats of an import are new for a view that is added while the import runs. An import
// after a restart is later than all that a view has seen, even if the clock went back.
func TestViewsTimes(t *testing.T) {
	d := newSimDisk()
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var store *Store
	var imports *Importer
	var views *Views
	open := func() {
		var err error
		if store, err = openStore("/flats.json", d, nil, quiet); err == nil {
			store.now = func() time.Time { return clock }
			imports = newImporter(store)
			views, err = openViews(imports, "/flats.json", false, quiet)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put := func(name string) {
		t.Helper()
		object := members{"query": json.RawMessage(`""`), "notify": json.RawMessage("true")}
		if _, _, err := views.put(name, object); err != nil {
			t.Fatal(err)
		}
	}
	wantNew := func(want string) {
		t.Helper()
		got := ""
		for _, view := range *views.list.Load() {
			answer := views.answer(newTask(t.Context(), newLock()), view)
			got += fmt.Sprint(view.Name, *answer.New, " ")
		}
		if got != want {
			t.Errorf("new flats: %q; want %q", got, want)
		}
	}
	open()
	put("a")
	listings := Listings{Flats: []members{{"id": json.RawMessage("1")}}}
	plan := newImportPlan(t.Context(), store, listings, imports.clock.begin())
	put("b")
	if err := store.change(plan.edits, &importedFile{}); err != nil {
		t.Fatal(err)
	}
	imports.clock.end()
	put("c")
	wantNew("a1 b1 c0 ")
	store.Close()
	clock = clock.Add(-time.Hour)
	open()
	if _, err := imports.ImportText([]byte(`[{"id":2}]`), ""); err != nil {
		t.Fatal(err)
	}
	wantNew("a2 b2 c1 ")
	store.Close()
}

// A damaged views.json is refused with the line and the member. A query that is refused
// later stays, with a warning.
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
			`in:1: name: want a text of 1 to 200 bytes on one line, got ""` + tail},
		{`[{"name":"a","query":"","seen":"x"}]`, `in:1: seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "x"` + tail},
		{`[{"name":"a","query":"","seen":"2026-01-01","told":"x"}]`, `in:1: told: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "x"` + tail},
		{`[{"name":"a","query":"","seen":"2026-01-01","total":1}]`, "in:1: total: a view has no such member" + tail},
		{"[" + view + ",\n" + view + "]", `in:2: name: "a" appears twice` + tail},
		{`[{"name":"a",`, "in:1: unexpected end of JSON input" + tail},
	} {
		if _, err := newViews(imports, &viewsFile{name: "in", text: c.text}, quiet); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
	var logs bytes.Buffer
	const old = `[{"name":"a","query":"max[time_to.OLD]=5","seen":"2026-01-01","notify":true}]`
	views, err := newViews(imports, &viewsFile{name: "in", text: old}, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil || !strings.Contains(logs.String(), "view=a") {
		t.Fatalf("%v, log %s", err, &logs)
	}
	answer := views.answer(newTask(t.Context(), newLock()), (*views.list.Load())[0])
	want := `{"name":"a","query":"max[time_to.OLD]=5","page":null,"notify":true,` +
		`"seen":"2026-01-01","total":null,"new":null,"error":"Invalid max[time_to.OLD] provided: there is no such field."}`
	if got := encodeJSON(answer); got != want {
		t.Error(got)
	}
	if _, _, err := views.put("a", members{"page": json.RawMessage(`"#/x"`)}); err != nil {
		t.Errorf("another page of a refused query: %v", err)
	}
	sent, _ := parseObject([]byte(want)) // what GET has served
	if _, _, err := views.put("a", sent); err != nil {
		t.Errorf("a refused query sent back: %v", err)
	}
}

// The sample has two views.
func TestSampleViews(t *testing.T) {
	s, _ := described(t)
	views, err := openViews(s.importer, "", true, quiet)
	if err != nil || len(*views.list.Load()) != 2 {
		t.Fatal(views, err)
	}
	for _, view := range *views.list.Load() {
		answer := views.answer(newTask(t.Context(), newLock()), view)
		if answer.Error != "" || *answer.Total == 0 {
			t.Errorf("%s: %v", view.Name, encodeJSON(answer))
		}
	}
}
