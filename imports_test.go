// Tests of imports.go.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// An import sets the fields of its listings, except the user's own fields of existing
// flats.
func TestImportUpsert(t *testing.T) {
	s := newService(t, `[{"id":7,"title":"old","cost":1,"status":"followed","notes":"mine","notation":4,`+
		`"visit_date":"2026-01-01","x":1,"y":2,"service_postal_code":"69007"}]`, testCodes)
	s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	load := func(text string) Counts {
		t.Helper()
		listings, err := readListings("in", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		counts, err := s.importer.Import(context.Background(), listings, nil)
		if err != nil {
			t.Fatal(err)
		}
		return counts
	}
	const listing = `[{"id":"7","title":"new","cost":null,"status":"new","notes":"theirs","notation":1,
		"visit_date":null,"y":3,"z":4,"updated_at":"1999-01-01","service_postal_code":{}},
		{"id":"8","title":"added","status":"contacted","notes":"n","service_postal_code":{}},
			{"id":"8","title":"added twice"}]`
	if got := load(listing); got != (Counts{Added: 1, Updated: 2}) {
		t.Errorf("got %v", got)
	}
	want := `{"id":7,"title":"new","status":"followed","visit_date":"2026-01-01","notes":"mine","notation":4,` +
		`"service_postal_code":"69007","x":1,"y":3,"z":4,"updated_at":"2026-01-02T03:04:05Z"}`
	if got := string(s.store.Get("7").appendStored(nil)); !sameJSON(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = `{"id":"8","title":"added twice","status":"contacted","notes":"n","photos":[],"urls":[],"details":{},` +
		`"merged_ids":[],"service_stations":[],"service_time_to":{},"first_seen":"2026-01-02T03:04:05Z",` +
		`"updated_at":"2026-01-02T03:04:05Z"}`
	if got := string(s.store.Get("8").appendStored(nil)); !sameJSON(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.store.now = time.Now
	load(listing)
	if got := string(s.store.Get("7").appendStored(nil)); !strings.Contains(got, `"2026-01-02T03:04:05Z"`) {
		t.Errorf("an unchanged flat has a new updated_at: %s", got)
	}
	if got := load(`{"id":7,"title":"new"}`); got != (Counts{Unchanged: 1}) {
		t.Errorf("got %v", got)
	}
}

// Imports maintain cost_history, first_seen, gone and merged_ids. The clock
// advances by an hour before each step.
func TestImportHistory(t *testing.T) {
	// The flat "old" is from a version without these fields.
	s := newService(t, `[{"id":"old","cost":100,"merged_ids":["m"]},{"id":"none"}]`, "[]")
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.store.now = func() time.Time { return clock }
	for _, step := range []struct { // at 1:00, 2:00 and so on
		request string // listings, "s " and the listings of a complete import of site s, or "PATCH id body"
		counts  string
		want    string // the flat with this id afterwards, without what is empty or the user's own
	}{
		// Equal costs and null merged_ids add nothing.
		{`[{"id":"old","cost":100.0e0,"merged_ids":null}]`, "1 unchanged", `{"id":"old","cost":1e2,"merged_ids":["m"]}`},
		{`[{"id":"old"}]`, "1 unchanged", `{"id":"old","cost":1e2,"merged_ids":["m"]}`},
		// The history starts with the old cost, without a date.
		{`[{"id":"old","cost":90}]`, "1 updated",
			`{"id":"old","cost":90,"merged_ids":["m"],"cost_history":[{"date":null,"cost":1e2},` +
				`{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		{`[{"id":"none","cost":7}]`, "1 updated",
			`{"id":"none","cost":7,"cost_history":[{"date":"2026-01-01T04:00:00Z","cost":7}]}`},
		{`[{"id":"new","cost":50}]`, "1 added",
			`{"id":"new","cost":50,"first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`[{"id":"free"}]`, "1 added", `{"id":"free","first_seen":"2026-01-01T06:00:00Z"}`},
		// The history gets no entry for null or for the same number as in the last entry,
		// even if the user has set another cost.
		{`[{"id":"new","cost":null}]`, "1 updated",
			`{"id":"new","first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`PATCH new {"cost":45}`, "", `{"id":"new","cost":45,"first_seen":"2026-01-01T05:00:00Z",` +
			`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`[{"id":"new","cost":50.00}]`, "1 updated",
			`{"id":"new","cost":50,"first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`[{"id":"new","cost":60},{"id":"new","cost":50}]`, "2 updated",
			`{"id":"new","cost":50,"first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50},{"date":"2026-01-01T10:00:00Z","cost":60},` +
				`{"date":"2026-01-01T10:00:00Z","cost":50}]}`},
		// A listing's values of these fields count only for a new flat, and the import adds
		// nothing to them.
		{`[{"id":"free","first_seen":"1999-01-01","cost_history":[],"gone":"1999-01-01","not_duplicates":[1]}]`,
			"1 unchanged", `{"id":"free","first_seen":"2026-01-01T06:00:00Z"}`},
		{`[{"id":"back","cost":9,"first_seen":"2025-01-01","gone":"2025-02-01T00:00:00Z","not_duplicates":[7,"x"]}]`,
			"1 added", `{"id":"back","cost":9,"first_seen":"2025-01-01","gone":"2025-02-01T00:00:00Z",` +
				`"not_duplicates":[7,"x"]}`},
		{`[{"id":"kept","cost":9,"cost_history":[{"date":null,"cost":8},{"date":"2025-01-01","cost":9}],"gone":null}]`,
			"1 added", `{"id":"kept","cost":9,"cost_history":[{"date":null,"cost":8},{"date":"2025-01-01","cost":9}]}`},
		// Any import that contains a flat clears gone.
		{`[{"id":"back"}]`, "1 updated", `{"id":"back","cost":9,"first_seen":"2025-01-01","not_duplicates":[7,"x"]}`},
		// merged_ids only grow, and not_duplicates stay.
		{`[{"id":"old","merged_ids":["n","m",5]},{"id":"free","merged_ids":"odd"}]`, "2 updated",
			`{"id":"old","cost":90,"merged_ids":["m","n",5],` +
				`"cost_history":[{"date":null,"cost":1e2},{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		{`[{"id":"old","merged_ids":["5","n"]}]`, "1 unchanged",
			`{"id":"old","cost":90,"merged_ids":["m","n",5],` +
				`"cost_history":[{"date":null,"cost":1e2},{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		{`[{"id":"old","merged_ids":{}}]`, "1 unchanged",
			`{"id":"old","cost":90,"merged_ids":["m","n",5],` +
				`"cost_history":[{"date":null,"cost":1e2},{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		// A complete import marks the other flats of its site as gone, unless they are merged
		// with a flat that is not gone.
		{`[{"id":"a@s"},{"id":"b@s","merged_ids":["b@s","a@s"]},{"id":"c@s","merged_ids":["d@t","b@s"]},{"id":"d@t"},` +
			`{"id":"e@s","merged_ids":["f@s"]},{"id":"f@s","merged_ids":["e@s","nobody"]},{"id":"s"},{"id":"x@ss"}]`,
			"8 added", `{"id":"s","first_seen":"2026-01-01T18:00:00Z"}`},
		{`s [{"id":"f@s"}]`, "1 unchanged, 2 gone",
			`{"id":"a@s","first_seen":"2026-01-01T18:00:00Z","gone":"2026-01-01T19:00:00Z"}`},
		{`PATCH a@s {"status":"kept","notes":"mine"}`, "",
			`{"id":"b@s","merged_ids":["b@s","a@s"],"first_seen":"2026-01-01T18:00:00Z","gone":"2026-01-01T19:00:00Z"}`},
		{`s [{"id":"f@s"},{"id":"g@s"}]`, "1 added, 1 unchanged",
			`{"id":"c@s","merged_ids":["d@t","b@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`t [{"id":"h@t"}]`, "1 added, 1 gone",
			`{"id":"c@s","merged_ids":["d@t","b@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`[{"id":"d@t"}]`, "1 updated", `{"id":"c@s","merged_ids":["d@t","b@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`s [{"id":"a@s"}]`, "1 updated, 3 gone",
			`{"id":"b@s","merged_ids":["b@s","a@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`{"data":[{"id":"e@s"}],"complete":"s"}`, "1 updated, 2 gone",
			`{"id":"f@s","merged_ids":["e@s","nobody"],"first_seen":"2026-01-01T18:00:00Z"}`},
	} {
		clock = clock.Add(time.Hour)
		var got reply
		var want struct{ ID string }
		json.Unmarshal([]byte(step.want), &want)
		if rest, ok := strings.CutPrefix(step.request, "PATCH "); ok {
			id, body, _ := strings.Cut(rest, " ")
			got = s.ask("PATCH", "/api/v1/flat/"+id, body)
		} else {
			site, body, complete := strings.Cut(step.request, " [")
			if complete {
				got = s.ask("POST", "/api/v1/import?complete="+site, "["+body)
			} else {
				got = s.ask("POST", "/api/v1/import", step.request)
			}
			var answer struct{ Data Counts }
			json.Unmarshal([]byte(got.body), &answer)
			if countsText(answer.Data) != step.counts {
				t.Errorf("%s: %s; want %s", step.request, got.body, step.counts)
			}
		}
		flat := members{}
		json.Unmarshal([]byte(s.store.Get(want.ID).JSON()), &flat)
		maps.DeleteFunc(flat, func(name string, text json.RawMessage) bool {
			isEmpty := string(text) == "null" || string(text) == emptyValues[name]
			return isEmpty || name == "status" || name == "service_postal_code"
		})
		if got.status != 200 || !sameJSON(encodeJSON(flat), step.want) {
			t.Errorf("%s: %d\ngot  %s\nwant %s", step.request, got.status, encodeJSON(flat), step.want)
		}
	}
	if a := s.store.Get("a@s"); a.Status.String() != "kept" || notesOf(a) != "mine" {
		t.Errorf("an import changed the user's fields: %s", a.JSON())
	}
}

// countsText formats the counts that are not 0, such as "1 added, 2 gone".
func countsText(c Counts) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprint(n, " ", what))
		}
	}
	add(c.Added, "added")
	add(c.Updated, "updated")
	add(c.Unchanged, "unchanged")
	add(c.Gone, "gone")
	return strings.Join(parts, ", ")
}

// What the service adds to a flat by itself never makes an import fail, however often it is repeated.
func TestOwnGrowth(t *testing.T) {
	t.Parallel()
	s := newService(t, "[]", "[]")
	imports := func(what, path, listings string) {
		t.Helper()
		if got := s.ask("POST", path, "["+strings.TrimSuffix(listings, ",")+"]"); got.status != 200 {
			t.Fatalf("%s: %d %s", what, got.status, got.body)
		}
	}
	for i := range 4 { // a listing that stands twice in a dump, at two prices
		flips := strings.Repeat(`{"id":"flip@s","cost":900},{"id":"flip@s","cost":950},`, 50)
		imports("prices", "/api/v1/import", strings.Replace(flips, "900", fmt.Sprint(100+i), 1))
	}
	costs := s.store.Get("flip@s").CostHistory.entries()
	if n := len(costs); n != maxCosts || costs[0].cost.JSON() != "100" || costs[n-1].cost.JSON() != "950" {
		t.Errorf("%d costs, the first one %s", n, costs[0].cost.JSON())
	}
	for i := range 6 { // the site renames the other listing: import 1 has "10", "11" … "199", import 6 "60" … "699"
		ids := repeated(100, fmt.Sprintf(`"%d%%[1]d"`, i+1), ",")
		imports("ids", "/api/v1/import", `{"id":"m@s","merged_ids":["same",`+ids+`]}`)
	}
	ids := s.store.Get("m@s").MergedIDs.ids()
	// Of 601 ids the first one and the last 499 are kept. Those of import 1 are dropped, and "20" of import 2.
	if n := len(ids); n != maxMerged || ids[0] != "same" || ids[1] != "21" || ids[n-1] != "699" {
		t.Errorf("%d ids: %q", n, ids)
	}
	imports("many ids", "/api/v1/import", `{"id":"m@s","merged_ids":[`+repeated(maxMerged+9, `"n%[1]d"`, ",")+`]}`)
	if ids := s.store.Get("m@s").MergedIDs.ids(); len(ids) != maxMerged+9 || ids[0] != "n0" {
		t.Errorf("%d ids: %q", len(ids), ids)
	}
	// A listing may have up to 10,000 values. This one leaves room for few entries of the history of its cost.
	for cost := range 5 {
		full := fmt.Sprintf(`{"id":"full@s","cost":%d,"details":[%s]}`, cost+1, repeated(9980, "1", ","))
		imports("full", "/api/v1/import", full)
	}
	for n := 9999; ; n-- { // none@s gets as many values as an import may give it
		text := fmt.Sprintf(`[{"id":"none@s","details":[%s]}]`, repeated(n, "1", ","))
		if got := s.ask("POST", "/api/v1/import", text); got.status == 200 {
			break
		}
	}
	imports("the rest", "/api/v1/import?complete=s", `{"id":"m@s"}`)
	if f := s.store.Get("full@s"); costOf(f) != "5" || !f.Gone.Known() {
		t.Errorf("the full flat: cost %s, gone %s", costOf(f), f.Gone.JSON())
	}
}

// Only imports may set first_seen, gone and cost_history, and users may set not_duplicates
// to a list of ids. Invalid values of these fields in flats.json are ignored.
func TestImportFields(t *testing.T) {
	var logs lockedBuffer
	path := writeFile(t, t.TempDir(), "flats.json",
		`[{"id":1,"first_seen":5,"gone":true,"cost_history":"x","not_duplicates":[null]},`+
			`{"id":2,"gone":"2026-01-01","x":1}]`)
	writeFile(t, filepath.Dir(path), "flats.json.log", journalRecordText(`"id":1,"cost":5,"cost_history":[5]}`))
	store, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, "[]", "[]")
	s.store.Close()
	s.store, s.importer = store, newImporter(store)
	s = s.with(func(*Config) {})
	t.Cleanup(func() { store.Close() })
	// Four values of flat 1 in flats.json are invalid, and its cost_history in the journal.
	if n := strings.Count(logs.String(), "invalid value ignored"); n != 5 {
		t.Errorf("%d warnings; want 5: %s", n, logs.String())
	}
	got := s.ask("GET", "/api/v1/flats/1", "").body
	if strings.Contains(got, "first_seen") || !strings.HasSuffix(got, `"service_time_to":null}}`) {
		t.Errorf("got %s", got)
	}
	got = s.ask("GET", "/api/v1/flats/2", "").body
	if !strings.HasSuffix(got, `"service_time_to":null,"gone":"2026-01-01","x":1}}`) {
		t.Errorf("got %s", got)
	}
	const list = "/api/v1/flats?filter[gone]=2026-01-01T00:00Z&sort=-gone,first_seen,cost_history,not_duplicates"
	if got := s.ids(s.ask("GET", list, "")); got != "2" {
		t.Errorf("filter: %s; want 2", got)
	}
	// patch is the error if a user sets the value, listing that if a listing has it; "" for none.
	for _, c := range []struct{ field, value, patch, listing string }{
		{"first_seen", `5`, "first_seen: only an import can change it",
			`first_seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "5"`},
		{"first_seen", `null`, "", ""},
		{"first_seen", `"2026-01-01"`, "first_seen: only an import can change it", ""},
		{"gone", `"soon"`, "gone: only an import can change it",
			`gone: want an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "soon"`},
		{"gone", `"2026-01-01"`, "", ""},
		{"cost_history", `[]`, "cost_history: only an import can change it", ""},
		{"cost_history", `[{"date":"x","cost":1}]`, "cost_history: only an import can change it",
			`cost_history: want a list of objects with date and cost, or null, got [{"date":"x","cost":1}]`},
		{"cost_history", `[{"date":null}]`, "cost_history: only an import can change it",
			`cost_history: want a list of objects with date and cost, or null, got [{"date":null}]`},
		{"not_duplicates", `{}`, "not_duplicates: want a list of ids or null, got {}",
			"not_duplicates: want a list of ids or null, got {}"},
		{"not_duplicates", `["a",1.5]`, "not_duplicates: want a string of 1 to 1024 bytes or an integer, got 1.5",
			"not_duplicates: want a string of 1 to 1024 bytes or an integer, got 1.5"},
		{"not_duplicates", `["a", 1]`, "", ""},
		{"not_duplicates", `null`, "", ""},
	} {
		body := fmt.Sprintf(`{"%s":%s}`, c.field, c.value)
		if got := s.ask("PATCH", "/api/v1/flat/2", body); c.patch != "" {
			s.refuse(got, 400, "Invalid payload provided: "+c.patch+".")
		} else if got.status != 200 {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
		listing := "[\n" + fmt.Sprintf(`{"id":3,"%s":%s}]`, c.field, c.value)
		if got := s.ask("POST", "/api/v1/import", listing); c.listing != "" {
			s.refuse(got, 400, "Nothing was imported: body:2: "+c.listing+".")
		} else if got.status != 200 {
			t.Errorf("%s: %d %s", listing, got.status, got.body)
		}
	}
}

// POST /import accepts or refuses listings as a whole, and GET /imports lists the latest
// imports with their results.
func TestImportRequest(t *testing.T) {
	t.Parallel()
	s := newService(t, "[]", "[]")
	s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	s.want(s.ask("GET", "/api/v1/imports", ""), 200, `{"data":[]}`)
	const added = `{"data":{"added":1,"updated":0,"unchanged":0,"gone":0}}`
	s.want(s.ask("POST", "/api/v1/import", `[{"id":"1@s"}]`), 200, added)
	// Other parameters are ignored, even if they cannot be decoded. The names of codings are in any case.
	s.want(s.ask("POST", "/api/v1/import?x=%zz&COMPLETE=y", gzipped(`{"id":"2@s"}`), "Content-Encoding", "GZIP"), 200,
		added)
	s.want(s.ask("POST", "/api/v1/import?complete=s&complete=s", `{"data":[{"id":"1@s"}]}`, "Content-Encoding",
		"identity"), 200, `{"data":{"added":0,"updated":0,"unchanged":1,"gone":1}}`)
	for _, c := range []struct {
		target, body, coding string
		status               int
		want                 string
	}{
		{"", ``, "", 400, "Nothing was imported: body:1:1: it is empty."},
		{"", "[{\"id\":1},\n{\"id\":2,\"cost\":\"x\"}]", "", 400,
			`Nothing was imported: body:2: cost: want a finite number or null, got "x".`},
		{"?complete=", `[{"id":"1@s"}]`, "", 400, "Invalid complete provided: must name one site."},
		{"?complete=%zz", `[{"id":"1@s"}]`, "", 400, "Invalid complete provided: must name one site."},
		{"?complete=s&complete=t", `[{"id":"1@s"}]`, "", 400, "Invalid complete provided: must name one site."},
		{"?complete=t", `[{"id":"1@s"}]`, "", 400,
			`Nothing was imported: complete: no listing is from "t": all of its flats would be marked as gone.`},
		{"?complete=t", `{"complete":"s","data":[{"id":"1@s"},{"id":"1@t"}]}`, "", 400,
			`Nothing was imported: complete: the listings are from "s", not from "t".`},
		{"", `{"complete":"","data":[{"id":"1@s"}]}`, "", 400,
			"Nothing was imported: body:1: complete: want the name of a site, got nothing."},
		{"", `{"complete":5,"data":[{"id":"1@s"}]}`, "", 400,
			"Nothing was imported: body:1: complete: want a string or null, got 5."},
		{"", `{"complete":"s","data":[]}`, "", 400,
			`Nothing was imported: body:1: complete: no listing is from "s": all of its flats would be marked as gone.`},
		{"", `[]`, "br", 415, `The content encoding "br" is not supported: send the body without it.`},
		{"", `[]`, "gzip", 400, "The body could not be read: unexpected EOF."},
		{"", gzipped(`[]`)[:12], "gzip", 400, "The body could not be read: unexpected EOF."},
	} {
		s.refuse(s.ask("POST", "/api/v1/import"+c.target, c.body, "Content-Encoding", c.coding), c.status, c.want)
		reason := strings.TrimSuffix(strings.TrimPrefix(c.want, "Nothing was imported: "), ".")
		if got := encodeJSON(s.importer.Outcomes()[0].Error); got != encodeJSON(c.want) && got != encodeJSON(reason) {
			t.Errorf("%s %.20q: the list of imports has the error %s; want %s", c.target, c.body, got, c.want)
		}
	}
	if n := s.store.snapshot().size; n != 2 {
		t.Errorf("%d flats", n)
	}
	s.want(s.ask("OPTIONS", "/api/v1/import", ""), 200, "{}")
	s.want(s.ask("OPTIONS", "/api/v1/imports", ""), 200, "{}")
	got := s.ask("POST", "/api/v1/import", `[]`, "Origin", "https://else.example", "Sec-Fetch-Site", "cross-site")
	if got.status != 403 {
		t.Errorf("cross-origin: %d %s", got.status, got.body)
	}
	// The latest import comes first, and refused imports have the reason. Three were accepted, then 13 refused.
	got = s.ask("GET", "/api/v1/imports", "")
	var list struct{ Data []json.RawMessage }
	if err := json.Unmarshal([]byte(got.body), &list); err != nil || len(list.Data) != 16 {
		t.Fatalf("%v in %s", err, got.body)
	}
	for i, want := range map[int]string{ // 15 is the first import
		15: `{"at":"2026-01-02T03:04:05Z","source":"HTTP","added":1,"updated":0,"unchanged":0,"gone":0,"error":null}`,
		13: `{"at":"2026-01-02T03:04:05Z","source":"HTTP","added":0,"updated":0,"unchanged":1,"gone":1,"error":null}`,
		3: `{"at":"2026-01-02T03:04:05Z","source":"HTTP","added":0,"updated":0,"unchanged":0,"gone":0,` +
			`"error":"body:1: complete: no listing is from \"s\": all of its flats would be marked as gone"}`,
	} {
		if string(list.Data[i]) != want {
			t.Errorf("import %d is %s; want %s", i, list.Data[i], want)
		}
	}
	if again := s.ask("GET", "/api/v1/imports", "", "If-None-Match", got.header.Get("Etag")); again.status != 304 {
		t.Errorf("an unchanged list: %d; want 304", again.status)
	}
	for range 20 {
		s.ask("POST", "/api/v1/import", `[]`)
	}
	again := s.ask("GET", "/api/v1/imports", "", "If-None-Match", got.header.Get("Etag"))
	if again.status != 200 || strings.Count(again.body, `"at"`) != 20 || strings.Contains(again.body, `"gone":1`) {
		t.Errorf("after 20 more imports: %d %s", again.status, again.body)
	}
}

// An import that is too large is refused, gzipped or not, and the list of imports says so.
func TestImportTooLarge(t *testing.T) {
	long(t)
	t.Parallel()
	s := newService(t, "[]", "[]")
	const want = "The body is larger than 67108864 bytes."
	s.refuse(s.ask("POST", "/api/v1/import", "["+strings.Repeat(" ", maxImportBody)), 413, want)
	s.refuse(s.ask("POST", "/api/v1/import", gzipped(strings.Repeat(" ", maxImportBody+1)), "Content-Encoding", "gzip"),
		413, want)
	outcomes := s.importer.Outcomes()
	if len(outcomes) != 2 {
		t.Errorf("the list has %d imports; want 2", len(outcomes))
	}
	for i, outcome := range outcomes {
		if got := encodeJSON(outcome.Error); got != encodeJSON(want) {
			t.Errorf("import %d has the error %s; want %s", i, got, want)
		}
	}
}

// A few long imports are received at a time, and others are refused, so that stalled clients
// do not hold much memory. Short imports are accepted meanwhile.
func TestLongUploads(t *testing.T) {
	s := newService(t, "[]", "[]")
	const long = maxBody + 1
	stalled := make(chan struct{}) // receives when an upload waits for its rest
	sendRest := make(chan struct{})
	ended := make(chan int) // receives the status of an upload
	for range maxUploads {
		go func() {
			r := httptest.NewRequest("POST", "http://flats.example/api/v1/import", io.MultiReader(
				readerFunc(func([]byte) (int, error) {
					stalled <- struct{}{}
					<-sendRest
					return 0, io.EOF
				}), strings.NewReader("[]"))) // of unknown length
			ended <- s.send(r).status
		}()
	}
	for range maxUploads {
		<-stalled
	}
	const none = `{"data":{"added":0,"updated":0,"unchanged":0,"gone":0}}`
	got := s.ask("POST", "/api/v1/import", strings.Repeat(" ", long)+"[]")
	s.refuse(got, 503, "4 other long imports are under way: try again later.")
	if got.header.Get("Retry-After") != "60" {
		t.Errorf("the header is %v; want 60 as Retry-After", got.header)
	}
	s.want(s.ask("POST", "/api/v1/import", "[]"), 200, none)
	// Once one of them has ended, another long one is accepted.
	sendRest <- struct{}{}
	if status := <-ended; status != 200 {
		t.Error(status)
	}
	s.want(s.ask("POST", "/api/v1/import", strings.Repeat(" ", long)+"[]"), 200, none)
	close(sendRest)
	for range maxUploads - 1 {
		<-ended
	}
}

// Flags of import may stand before, between or after its files, and -- ends the flags.
// import warns if the data folder has no files of a service.
func TestImportArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		existing string // a file in the folder
		args     string
		folder   string // of the file for the service
		unused   string // the data file that the warning names, or "" for no warning
	}{
		{"", "a.json b.json", "import", "flats.json"},
		{"", "a.json -data d/x.json b.json -complete s", "d/import", "d/x.json"},
		{"", "-data d/x.json -- a.json -complete.json", "d/import", "d/x.json"},
		{"flats.json", "a.json b.json", "import", ""},
		{"flats.json.log", "a.json b.json", "import", ""},
		{"flats.json.log.000001-ABCDEFGH", "a.json b.json", "import", ""},
		{"import/.keep", "a.json b.json", "import", ""},
		{"d/flats.json", "a.json b.json", "import", "flats.json"},
		{"d/x.json", "a.json b.json -data d/x.json", "d/import", ""},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.json": `{"id":"1@s"}`, "b.json": `{"id":"2@s"}`,
			"-complete.json": `{"id":"3@s"}`, c.existing: ""} {
			if name != "" {
				os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
				writeFile(t, dir, name, text)
			}
		}
		out, err := command(dir, append([]string{"import"}, strings.Fields(c.args)...)...).CombinedOutput()
		first, second, _ := strings.Cut(string(out), "\n")
		if err != nil || first != "listings handed to the service in "+c.folder+": 2" {
			t.Errorf("import %s: %v, %s", c.args, err, out)
		}
		isWanted := second == ""
		if c.unused != "" {
			isWanted = strings.Contains(second, filepath.Join(filepath.Base(dir), c.unused)+" yet: ")
		}
		if !isWanted {
			t.Errorf("import %s, with an existing %q: %s", c.args, c.existing, out)
		}
		files, _ := filepath.Glob(filepath.Join(dir, c.folder, "*.json"))
		if len(files) != 1 {
			t.Errorf("import %s: %q", c.args, files)
			continue
		}
		isComplete := strings.Contains(readFile(t, files[0]), `"complete":"s"`)
		if want := strings.HasSuffix(c.args, "-complete s"); isComplete != want {
			t.Errorf("import %s: the file is a complete import: %t; want %t", c.args, isComplete, want)
		}
	}
}

// The command import refuses files that together are too much for the service.
func TestImportTooManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	many := []string{"import"}
	for i := range maxRepeats + 1 {
		name := fmt.Sprintf("%d.json", i)
		writeFile(t, dir, name, fmt.Sprintf(`[{"id":"same","cost":%d}]`, i))
		many = append(many, name)
	}
	refused, err := command(dir, many...).CombinedOutput()
	want := fmt.Sprintf("flats: the files together:1: listing %d (same): id: same appears more than %d times "+
		"(nothing was imported)\n", maxRepeats+1, maxRepeats)
	if err == nil || string(refused) != want {
		t.Errorf("%v, %s; want %s", err, refused, want)
	}
	writeFile(t, dir, "config.json", `{"max_import":30}`)
	writeFile(t, dir, "a.json", `{"id":"1@s"}`)
	writeFile(t, dir, "b.json", `{"id":"2@s"}`)
	out, err := command(dir, "import", "a.json", "b.json").CombinedOutput()
	left, _ := filepath.Glob(filepath.Join(dir, "import", "*"))
	if err == nil || !strings.Contains(string(out), "more than 30 bytes: import them in parts") || len(left) > 0 {
		t.Errorf("files that are too large together: %v, %s, %q", err, out, left)
	}
}

// An import interrupted at any file operation is complete or absent after a restart, and
// a failed import changes nothing. Importing the file again does not undo the user's
// changes since.
func TestImportInterrupted(t *testing.T) {
	t.Parallel()
	const newTitles = 48 // listings of f0, f1 …
	var listing []string
	for i := range newTitles {
		listing = append(listing, fmt.Sprintf(`{"id":"f%d","title":"new","cost":%d}`, i, i))
	}
	listing = append(listing, `{"id":"there@s"}`) // so that away@s is gone
	listings, err := readListings("", []byte(`{"complete":"s","data":[`+strings.Join(listing, ",")+"]}"))
	if err != nil {
		t.Fatal(err)
	}
	failed, survived := 0, 0
	for n := 1; ; n++ {
		d := newSimDisk()
		d.put("/flats.json", `[{"id":"f0","title":"old","notes":"mine"},{"id":"away@s"}]`)
		d.failAt, d.crash = n, n%2 == 0 // the power fails, too, at each second operation
		file, isAcked := importedFile{Name: "a", Sum: "aa"}, false
		if s, err := openStore("/flats.json", d, nil, quiet); err == nil {
			_, err := newImporter(s).Import(context.Background(), listings, &file)
			isAcked = err == nil
			if !isAcked {
				failed++
				if got := listed(s); len(got) != 2 || titleOf(s.Get("f0")) != "old" || s.Get("away@s").Gone.Known() {
					t.Errorf("operation %d failed, but the flats are %s", n, got)
				}
			}
			s.Close()
		}
		// What the disk keeps of unsynced data changes from one operation to the next.
		remains := survivors{unsynced: n%2 == 0, halfAppended: n%3 == 0}
		s, err := openStore("/flats.json", d.restart(remains), nil, quiet)
		if err != nil {
			t.Fatalf("cut at operation %d: %v", n, err)
		}
		isImported := s.writer.files.imported["a"] == file
		got, want := len(listed(s)), len([]string{"f0", "away@s"})
		if isImported {
			want = len(listings.Flats) + len([]string{"away@s"})
			survived++
		}
		isLost := isAcked && !isImported
		if got != want || isLost || isImported != s.Get("away@s").Gone.Known() {
			t.Errorf("cut at operation %d: %d flats; imported %v, acknowledged %v", n, got, isImported, isAcked)
		}
		usersTitles := map[string]string{}
		for id := range s.rows {
			usersTitles[id] = "mine " + id
			if _, err := s.Update(id, []byte(`{"title":"`+usersTitles[id]+`"}`), nil, author{}); err != nil {
				t.Fatal(err)
			}
		}
		if !isImported {
			if _, err := newImporter(s).Import(context.Background(), listings, &file); err != nil {
				t.Errorf("cut at operation %d: %v", n, err)
			}
			delete(usersTitles, "f0") // the import came after that update, and has another title
		}
		for i := range newTitles {
			id := fmt.Sprintf("f%d", i)
			want := cmp.Or(usersTitles[id], "new")
			if f := s.Get(id); f == nil || titleOf(f) != want {
				t.Errorf("cut at operation %d: flat %s is %v; want the title %q", n, id, f, want)
			}
		}
		if notesOf(s.Get("f0")) != "mine" {
			t.Errorf("cut at operation %d: notes %q", n, notesOf(s.Get("f0")))
		}
		// Once the file is gone, a scan forgets that it was imported.
		err = newWatcher(newImporter(s), t.TempDir(), maxFile).scan(t.Context())
		if err != nil || len(s.writer.files.imported) != 0 {
			t.Errorf("cut at operation %d: %v is still recorded, %v", n, s.writer.files.imported, err)
		}
		s.Close()
		if len(d.ops) < n {
			break
		}
	}
	if failed < 5 || survived < 5 {
		t.Errorf("%d imports failed and %d survived; want at least 5 each", failed, survived)
	}
}

// The work of a complete import is proportional to the flats in a chain of merged_ids, whether
// its end is listed or gone.
func TestImportChain(t *testing.T) {
	// allocations returns how often an import of the flat that end names allocates, among so many flats in a chain.
	allocations := func(flats int, end string) uint64 {
		var chain []string
		for i := range flats {
			chain = append(chain, fmt.Sprintf(`{"id":"%d@s","merged_ids":["%d@s"]}`, i, i+1))
		}
		s := newStore(nil, nil, quiet, nil)
		defer s.Close()
		if _, err := newImporter(s).ImportText([]byte("["+strings.Join(chain, ",")+"]"), ""); err != nil {
			t.Fatal(err)
		}
		for s.index.indexed.Load() != s.snapshot() {
			time.Sleep(time.Millisecond) // the index allocates, too
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		counts, err := newImporter(s).ImportText([]byte(fmt.Sprintf(`[{"id":"%s@s"}]`, end)), "s")
		runtime.ReadMemStats(&after)
		want := Counts{Added: 1, Gone: flats}
		if end != "other" { // then it is the end of the chain, which keeps all others
			want.Gone = 0
		}
		if err != nil || counts != want {
			t.Errorf("a chain of %d with %s: %+v, %v; want %+v", flats, end, counts, err, want)
		}
		return after.Mallocs - before.Mallocs
	}
	// The end of a chain of 500 flats is called 500.
	for _, ends := range [][2]string{{"500", "1000"}, {"other", "other"}} {
		once, twice := allocations(500, ends[0]), allocations(1000, ends[1])
		if twice > 2*once+once/4 {
			t.Errorf("with %s: %d allocations for 500 flats, %d for 1000", ends[0], once, twice)
		}
	}
}

// FuzzImport checks that accepted listings can be imported twice, adding no flats the
// second time, and that the error for refused listings names a line.
func FuzzImport(f *testing.F) {
	for _, text := range []string{`[{"id":1,"url":"u","flatisfy":{"postal_code":"1","matched_stations":[]}}]`,
		"{\"data\":[{\"id\":\"a\"},\n{\"id\":\"a\",\"x\":1}]}", `{"id":"b","flatisfy_constraint":"c"}`,
		`{"data":{"id":3,"utilities":"C.C.","service_postal_code":{}}}`, "[\n{\"id\":\"\xff\"}]", `{"data":5}`, `[]`,
		`{"data":[`, "\ufeff[{\"id\":1,\"updated_at\":5}]", `{"id":1,"data":[{"id":2}]}`,
		`{"complete":"s","data":[{"id":"1@s","merged_ids":[2,"2@s"],"cost":1},{"id":"1@s","cost":2,"merged_ids":{}}]}`,
		`[{"id":1,"gone":"2026-01-01","first_seen":null,"cost_history":[{"cost":1}],"not_duplicates":[1,"1"]}]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		listings, err := readListings("in", []byte(text))
		if err != nil {
			if !regexp.MustCompile(`^in:[1-9][0-9]*(:[1-9][0-9]*)?: `).MatchString(err.Error()) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		s := newStore(nil, nil, quiet, nil)
		defer s.Close()
		for _, again := range []bool{false, true} {
			counts, err := newImporter(s).Import(context.Background(), listings, nil)
			if err != nil || again && counts.Added > 0 ||
				counts.Added+counts.Updated+counts.Unchanged != len(listings.Flats) {
				t.Errorf("%q: %v, %v", text, counts, err)
			}
		}
		backup, err := readListings("in", []byte("["+strings.Join(listed(s), ",")+"]"))
		if err != nil || len(backup.Flats) != s.snapshot().size {
			t.Errorf("%q: the imported flats %q cannot be imported again: %v", text, listed(s), err)
		}
	})
}

// A first_seen ahead of the clock becomes now, so that later imports do not get times ahead of the clock.
func TestFirstSeenAhead(t *testing.T) {
	s := newService(t, "[]", "[]")
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.store.now = func() time.Time { return now }
	s.ask("POST", "/api/v1/import", `[{"id":"ahead","first_seen":"2026-01-01T20:00:00Z"},
		{"id":"far","first_seen":"2030-01-01"},{"id":"before","first_seen":"2025-12-31T23:00:00Z"}]`)
	s.ask("POST", "/api/v1/import", `[{"id":"next"}]`)
	for id, want := range map[string]string{"ahead": "2026-01-01T00:00:00Z", "far": "2026-01-01T00:00:00Z",
		"before": "2025-12-31T23:00:00Z", "next": "2026-01-01T00:00:00.001Z"} {
		if got := s.store.Get(id).FirstSeen.String(); got != want {
			t.Errorf("%s was first seen at %s; want %s", id, got, want)
		}
	}
}

// An import loses no updates that come while it is prepared, and they lose nothing of the import. It ends
// however many updates come.
func TestImportAmongUpdates(t *testing.T) {
	t.Parallel()
	s := newService(t, "[]", "[]")
	const flats, updaters, imports = 60, 4, 4
	last := make([]int, flats) // the number in the notes that were last acknowledged, by id
	importing := func(cost int) {
		t.Helper()
		listing := fmt.Sprintf(`{"id":"f%%[1]d","cost":%d,"text":"%s"}`, cost, strings.Repeat("a ", 199))
		if _, err := s.importer.ImportText([]byte("["+repeated(flats, listing, ",")+"]"), ""); err != nil {
			t.Fatal(err)
		}
	}
	importing(1)
	var group sync.WaitGroup
	stop := make(chan struct{})
	for u := range updaters {
		group.Go(func() {
			for n := 1; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				i := n*updaters%flats + u // no other updater has this flat
				if got := s.ask("PATCH", fmt.Sprintf("/api/v1/flat/f%d", i), fmt.Sprintf(`{"notes":"%d"}`, n)); got.status != 200 {
					t.Errorf("PATCH: %d %s", got.status, got.body)
				}
				last[i] = n
			}
		})
	}
	for n := range imports {
		importing(n + 2)
	}
	close(stop)
	group.Wait()
	for i, n := range last {
		f := s.store.Get(fmt.Sprintf("f%d", i))
		costs := len(f.CostHistory.list())
		notes, cost := f.Notes.String(), f.Cost.JSON()
		if n > 0 && notes != fmt.Sprint(n) || cost != fmt.Sprint(imports+1) || costs != imports+1 {
			t.Errorf("flat %d has the notes %q, the cost %s and %d costs; want %d, %d and %[6]d", i, notes, cost, costs, n,
				imports+1)
		}
	}
}

// A listing that only writes a number in another way is no update, even if the user has corrected the number.
func TestImportNumbers(t *testing.T) {
	s := newService(t, `[{"id":"a","cost":1240,"area":50.5,"rooms":3,"details":{"floor":3,"n":[1,20]}},
		{"id":"b","cost":1240,"area":50}]`, testCodes)
	s.ask("PATCH", "/api/v1/flat/b", `{"cost":1300}`)
	before := listed(s.store)
	got := s.ask("POST", "/api/v1/import", `[{"id":"a","cost":1240.0,"area":5.05e1,"rooms":3.00,"details":{"floor":3.0,
		"n":[1.0,2e1]}},{"id":"b","cost":1.24e3,"area":50.0}]`)
	if !strings.Contains(got.body, `"updated":0`) || !slices.Equal(listed(s.store), before) {
		t.Errorf("the same numbers: %s", got.body)
	}
	got = s.ask("POST", "/api/v1/import", `[{"id":"a","cost":1240.5,"merged_ids":[9007199254740993]}]`)
	if !strings.Contains(got.body, `"updated":1`) || s.store.Get("a").Cost.JSON() != "1240.5" {
		t.Errorf("another number: %s", got.body)
	}
}

// Each import has a later time than the import before, whatever the clock says, also
// after a restart.
func TestImportTimes(t *testing.T) {
	d := newSimDisk()
	clock := time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC)
	var s *Store
	var imports *Importer
	open := func() {
		var err error
		if s, err = openStore("/flats.json", d, nil, quiet); err != nil {
			t.Fatal(err)
		}
		s.now = func() time.Time { return clock }
		imports = newImporter(s)
	}
	open()
	const runsOn, restarts = false, true
	for i, c := range []struct {
		by      time.Duration // moves the clock
		restart bool
		listing string
		want    string // the latest time that any flat has afterwards
	}{
		{0, runsOn, `{"id":"0"}`, "2126-01-01T00:00:00Z"},
		{0, runsOn, `{"id":"1"}`, "2126-01-01T00:00:00.001Z"},
		{0, restarts, `{"id":"2"}`, "2126-01-01T00:00:00.002Z"},
		{-time.Hour, restarts, `{"id":"3"}`, "2126-01-01T00:00:00.003Z"},
		{2 * time.Hour, runsOn, `{"id":"4","cost":5}`, "2126-01-01T01:00:00Z"},
		{0, runsOn, `{"id":"4","cost":6}`, "2126-01-01T01:00:00.001Z"},
		{0, restarts, `{"id":"5"}`, "2126-01-01T01:00:00.002Z"},
		// A first_seen ahead of the clock becomes now. Other times count if they are at most a day ahead.
		{0, runsOn, `{"id":"r","first_seen":"2126-01-01T20:00:00Z"},{"id":"6"}`, "2126-01-01T01:00:00.003Z"},
		{0, runsOn, `{"id":"7"}`, "2126-01-01T01:00:00.004Z"},
		{20 * time.Hour, runsOn, `{"id":"far","gone":"2126-02-01T00:00:00Z"},{"id":"8"}`, "2126-01-01T21:00:00Z"},
		{0, restarts, `{"id":"9"}`, "2126-01-01T21:00:00.001Z"},
		// Fractions of a millisecond are rounded up.
		{time.Hour, runsOn, `{"id":"m","gone":"2126-01-01T23:00:00.0005Z"},{"id":"10"}`, "2126-01-01T22:00:00Z"},
		{0, restarts, `{"id":"11"}`, "2126-01-01T23:00:00.002Z"},
		// A clock that goes back and forth by days changes no order.
		{-80 * time.Hour, restarts, `{"id":"12"}`, "2126-01-01T23:00:00.003Z"},
		{0, restarts, `{"id":"13"}`, "2126-01-01T23:00:00.004Z"},
		{-20 * 365 * 24 * time.Hour, restarts, `{"id":"14"}`, "2126-01-01T23:00:00.005Z"},
		{21 * 365 * 24 * time.Hour, restarts, `{"id":"15"}`, "2126-12-29T14:00:00Z"},
		{-300 * 24 * time.Hour, restarts, `{"id":"16"}`, "2126-12-29T14:00:00.001Z"},
		{0, runsOn, `{"id":"16","cost":5},{"id":"15","cost":5}`, "2126-12-29T14:00:00.002Z"},
		{0, restarts, `{"id":"17"}`, "2126-12-29T14:00:00.003Z"},
	} {
		clock = clock.Add(c.by)
		if c.restart {
			s.Close()
			open()
		}
		if _, err := imports.ImportText([]byte("["+c.listing+"]"), ""); err != nil {
			t.Fatal(err)
		}
		var last Datetime
		for _, f := range s.snapshot().all() {
			for _, entry := range append(f.CostHistory.entries(), costEntry{date: f.FirstSeen}) {
				if entry.date.at.After(last.at) {
					last = entry.date
				}
			}
		}
		if last.String() != c.want {
			t.Errorf("import %d: the last time is %s; want %s", i, last.String(), c.want)
		}
	}
	s.Close()
}

// A time between imports is earlier than the time of each import that is running or begins later.
func TestImportClock(t *testing.T) {
	clock := importClock{now: time.Now}
	var begun []time.Time     // the times of imports, in their order
	var complete atomic.Int64 // the number of imports that have ended
	var between []time.Time
	var completeAt []int64 // the number of imports that had ended when the time of the same index in between was known
	done := make(chan bool)
	go func() {
		for range 100_000 {
			begun = append(begun, clock.begin())
			complete.Add(1)
			clock.end()
		}
		close(done)
	}()
	for isRunning := true; isRunning; {
		select {
		case <-done:
			isRunning = false
		default:
			between = append(between, clock.between())
			completeAt = append(completeAt, complete.Load())
		}
	}
	for i, at := range between {
		earlier, _ := slices.BinarySearchFunc(begun, at, time.Time.Compare) // how many imports began before it
		if int64(earlier) > completeAt[i] {
			t.Fatalf("after %d imports, a time after %d of them: %v", completeAt[i], earlier, at)
		}
	}
}

// A time in flats.json that is a lifetime ahead, because a person has set it, moves no later import.
func TestTimeOfYear10000(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","updated_at":"9999-12-31T23:59:59.999Z"}]`)}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := newImporter(s).ImportText([]byte(`[{"id":"b"}]`), ""); err != nil {
		t.Fatal(err)
	}
	if seen := s.Get("b").FirstSeen; seen.at.Year() < 2020 || seen.at.After(time.Now().Add(time.Hour)) {
		t.Errorf("first seen at %s", seen.JSON())
	}
}
