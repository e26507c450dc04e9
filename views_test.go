// Tests of views.go.

package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/turns"
)

// manyTerms returns a query of more terms than a search may have, in less than 4 KiB.
func manyTerms() string {
	var terms []string
	for i := range 1001 {
		terms = append(terms, strconv.FormatInt(int64(i), 36))
	}
	return strings.Join(terms, "+")
}

// A view that is renamed keeps its place and its members, and takes the name from another one.
func TestViewRename(t *testing.T) {
	s := newService(t, `[]`, testCodes)
	for _, name := range []string{"a", "b", "c"} {
		s.ask("PUT", "/api/v1/views/"+name, `{"query":"q=`+name+`","notify":true,"seen":"2026-01-01"}`)
	}
	check := func(want string) {
		t.Helper()
		var got struct{ Data []View }
		if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/views", "").body), &got); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, view := range got.Data {
			names = append(names, view.Name+" "+view.Query)
		}
		if strings.Join(names, ",") != want {
			t.Errorf("the views are %q; want %q", names, want)
		}
	}
	const served = `{"data":{"name":%q,"query":"q=a","page":null,"notify":true,"seen":"2026-01-01","total":0,"new":0}}`
	s.want(s.ask("PUT", "/api/v1/views/d?was=a", `{}`), 200, fmt.Sprintf(served, "d"))
	check("d q=a,b q=b,c q=c")
	s.want(s.ask("PUT", "/api/v1/views?name=c&was=d", `{}`), 200, fmt.Sprintf(served, "c"))
	check("c q=a,b q=b")
	s.want(s.ask("PUT", "/api/v1/views/c?was=c", `{}`), 200, fmt.Sprintf(served, "c"))
	s.refuse(s.ask("PUT", "/api/v1/views/x?was=none", `{"query":""}`), 404, "No view with the name none.")
	s.refuse(s.ask("PUT", "/api/v1/views/x?was=b", `{"seen":"soon"}`), 400, "Invalid view provided: seen: want an "+
		`ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "soon".`)
	check("c q=a,b q=b")
	// The views "flats: seen …" have a bound of their own, so that b cannot become one more of them.
	for i := range 100 {
		s.ask("PUT", fmt.Sprintf("/api/v1/views/flats:%%20seen%%20%d", i), `{"query":""}`)
	}
	s.refuse(s.ask("PUT", "/api/v1/views/flats:%20seen?was=b", `{}`), 400,
		"Invalid view provided: there are 100 views already.")
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
		{"", `{"query":""}`, `name: want a text of 1 to 200 characters on one line, got "".`},
		{"a%0Ab", `{"query":""}`, `name: want a text of 1 to 200 characters on one line, got "a\nb".`},
		{strings.Repeat("%F0%9F%8F%A1", 201), `{"query":""}`, `name: want a text of 1 to 200 characters on one line, got "` +
			strings.Repeat("🏡", 9) + "…."},
		{"%ff", `{"query":""}`, `name: want a text of 1 to 200 characters on one line, got "\xff".`},
		{strings.Repeat("x", 201), `{"query":""}`, `name: want a text of 1 to 200 characters on one line, got "` +
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
		name := fmt.Sprint(i, strings.Repeat("🏡", 198)) // with up to 200 characters
		if got := s.ask("PUT", "/api/v1/views/"+name, `{"query":""}`); got.status != 201 {
			t.Fatalf("view %d: %d %s", i, got.status, got.body)
		}
	}
	s.refuse(s.ask("PUT", "/api/v1/views/more", `{"query":""}`), 400, wrong+"there are 100 views already.")
	// The views "flats: seen …", which mark up to where people have looked at the list, are not among the hundred.
	for i := range 100 {
		s.ask("PUT", fmt.Sprintf("/api/v1/views/flats:%%20seen%%20%d", i), `{"query":""}`)
	}
	s.refuse(s.ask("PUT", "/api/v1/views/flats:%20seen", `{"query":""}`), 400, wrong+"there are 100 views already.")
	s.want(s.ask("PUT", "/api/v1/views/flats:%20seen%2099", `{"seen":"2026-01-02T00:00:00Z"}`), 200,
		`{"data":{"name":"flats: seen 99","query":"","page":null,"notify":false,"seen":"2026-01-02T00:00:00Z","total":3,
			"new":1}}`)
	var lines []string
	for i := range 200 {
		name := [...]string{"flats: seen ", ""}[i%2] + strconv.Itoa(i) // a hundred of each kind
		lines = append(lines, encodeJSON(View{Name: name, Seen: "2026-01-02"}))
	}
	if list, err := readViews("views.json", []byte("["+strings.Join(lines, ",\n")+"]")); len(list) != 200 || err != nil {
		t.Errorf("%d views can be read again: %v", len(list), err)
	}
	for target, allow := range map[string]string{"views": "GET, HEAD, PUT, DELETE, OPTIONS",
		"views/x": "PUT, DELETE, OPTIONS",
		"notify":  "GET, HEAD, POST, OPTIONS"} {
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
					d.put("/flats.json", `[{"id":1}]`)
					h := newHunt(t, d)
					if what == "remove" {
						h.put(view, `{"query":"q=x"}`)
					}
					// The writer is busy until both changes wait, so that it takes them together.
					release := make(chan bool)
					wait := func(func(string) *Flat) ([]edit, error) { <-release; return nil, nil }
					go h.store.change(wait, nil)
					synctest.Wait()
					changed, updated := make(chan error, 1), make(chan error, 1)
					go func() {
						if what == "remove" {
							changed <- h.views.remove(view)
							return
						}
						_, _, err := h.views.put(view, "", members{"query": json.RawMessage(`"q=x"`)})
						changed <- err
					}()
					synctest.Wait()
					go func() {
						_, err := h.store.Update("1", []byte(`{"notes":"n"}`), nil, author{})
						updated <- err
					}()
					synctest.Wait()
					d.failIn(n)
					close(release)
					changeErr, updateErr := <-changed, <-updated
					reached = d.mend()
					again := newHunt(t, d.restartUnsynced())
					hasView := indexView(*again.views.list.Load(), view) >= 0
					wantsView := changeErr == nil // for a put; a removal that fails leaves the view
					if what == "remove" {
						wantsView = changeErr != nil
					}
					if hasView != wantsView {
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
			views, err = openViews(imports, "/flats.json")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put := func(name string) {
		t.Helper()
		object := members{"query": json.RawMessage(`""`), "notify": json.RawMessage("true")}
		if _, _, err := views.put(name, "", object); err != nil {
			t.Fatal(err)
		}
	}
	wantNew := func(want string) { // for each view, its name and the number of its new flats
		t.Helper()
		got := ""
		for _, view := range *views.list.Load() {
			answer := views.answer(turns.NewTask(t.Context(), turns.NewQueue()), view)
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
	if err := plan.prepare(store.Get); err != nil {
		t.Fatal(err)
	}
	put("b") // while the import runs
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

// The sample has two views.
func TestSampleViews(t *testing.T) {
	s, _ := sampleService(t)
	views, err := newViews(s.importer, sampleViews(), quiet)
	if err != nil || len(*views.list.Load()) != 2 {
		t.Fatal(views, err)
	}
	for _, view := range *views.list.Load() {
		answer := views.answer(turns.NewTask(t.Context(), turns.NewQueue()), view)
		if answer.Error != "" || *answer.Total == 0 {
			t.Errorf("%s: %v", view.Name, encodeJSON(answer))
		}
	}
}
