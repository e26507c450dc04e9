// Tests of rules.go, and of how views, imports and the geocoder use rules.

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/turns"
)

// ruled returns, for each flat on which a rule has decided, "id:status:rule", ordered by id.
func (s *service) ruled() string {
	s.Helper()
	const fields = "status,status_because,status_since,status_by"
	got := s.ask("GET", "/api/v1/find?known[status_because]=yes&sort=id&fields="+fields, "")
	var answer struct {
		Data []struct {
			ID, Status, Because string
			Since               string  `json:"status_since"`
			By                  *string `json:"status_by"`
			Rule                string  `json:"status_because"`
		}
	}
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
		s.Fatal(err, got.body)
	}
	var list []string
	for _, f := range answer.Data {
		if f.Since == "" || f.By != nil {
			s.Errorf("%s has status_since %q and status_by %v", f.ID, f.Since, f.By)
		}
		list = append(list, f.ID+":"+f.Status+":"+f.Rule)
	}
	return strings.Join(list, " ")
}

// put sets members of a view, which must be possible.
func (s *service) put(name, body string) {
	s.Helper()
	if got := s.ask("PUT", "/api/v1/views/"+name, body); got.status/100 != 2 {
		s.Fatalf("%s: %d %s", name, got.status, got.body)
	}
}

// A rule decides on a flat in the import that brings it. Of several rules, those that follow flats come first,
// then the first by name. A condition on a value does not hold for a flat without the value.
func TestRules(t *testing.T) {
	s := newService(t, `[{"id":"known","cost":100}]`, testCodes)
	s.put("b", `{"query":"min[cost]=1000","rule":"dismiss"}`)
	s.put("B", `{"query":"q=sublet","rule":"dismiss"}`)
	s.put("z", `{"query":"max[cost]=500&known[gone]=no","rule":"follow"}`)
	s.put("y", `{"query":"max[cost]=400","rule":"follow"}`)
	s.put("plain", `{"query":""}`) // a view without a rule
	listings := []string{
		`{"id":"dear","cost":2000}`,
		`{"id":"sublet","cost":1500,"text":"A SUBLET, short"}`, // B is before b
		`{"id":"cheap","cost":450,"text":"sublet"}`,            // z follows it
		`{"id":"cheaper","cost":300}`,                          // y is before z
		`{"id":"between","cost":700}`,                          // no rule finds it
		`{"id":"without-cost"}`,
		`{"id":"by","cost":1000,"status_by":"Zoe"}`, // status_by without a status is no decision
		// On the others something else has decided, or they are not new.
		`{"id":"known","cost":5000}`,
		`{"id":"with-status","cost":100,"status":"visited"}`,
		`{"id":"decided","cost":100,"status_since":"2026-01-01T00:00:00Z"}`,
		`{"id":"backup","cost":100,"first_seen":"2099-01-01T00:00:00Z"}`,
		`{"id":"corrected","cost":100,"corrected":{"cost":50}}`, // a backup, too
		`{"id":"twice","cost":700}`, `{"id":"twice","cost":7000}`,
	}
	got := s.ask("POST", "/api/v1/import", "["+strings.Join(listings, ",")+"]")
	counts := `"added":12,"updated":2,"unchanged":0,"gone":0,"followed":2,"dismissed":3`
	s.want(got, 200, `{"data":{`+counts+`}}`)
	if got := s.ask("GET", "/api/v1/imports", ""); !strings.Contains(got.body, counts) {
		t.Errorf("the list of imports is %s", got.body)
	}
	const want = "by:ignored:b cheap:followed:z cheaper:followed:y dear:ignored:b sublet:ignored:B"
	if got := s.ruled(); got != want {
		t.Errorf("decided: %s\nwant     %s", got, want)
	}
	for _, target := range []string{"find?filter[status_because]=y&fields=id", "find?q=&any[status_because]=y&fields=id"} {
		if got := s.ids(s.ask("GET", "/api/v1/"+target, "")); got != "cheaper" {
			t.Errorf("%s: %s", target, got)
		}
	}
	csv := s.ask("GET", "/api/v1/find?format=csv&filter[id]=cheaper&fields=status,status_because", "").body
	if csv != "\uFEFFid,status,status_because\r\ncheaper,followed,y\r\n" {
		t.Errorf("CSV: %q", csv)
	}
	text, isError := s.call("get_flat", `{"id":"cheaper"}`)
	if isError || !strings.Contains(text, `"status_because":"y"`) {
		t.Errorf("get_flat: %s", text)
	}
	if got := s.ask("GET", "/api/v1/flats/cheaper", "").body; strings.Contains(got, "because") {
		t.Errorf("version 1 serves %s", got)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/cheaper", `{"status_because":"x"}`), 400,
		"Invalid payload provided: status_because: a flat has no such field.")
	s.want(s.ask("POST", "/api/v1/import", `[{"id":"between"}]`), 200, // the counts have no 0 of followed and dismissed
		`{"data":{"added":0,"updated":0,"unchanged":1,"gone":0}}`)
}

// A rule decides on a flat once. A person who decides otherwise has the last word, whatever the listing says later. A
// listing sets status_because only on a new flat.
func TestRulesOnce(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.put("dear", `{"query":"min[cost]=1000","rule":"dismiss"}`)
	s.ask("POST", "/api/v1/import", `[{"id":"taken-back","cost":2000},{"id":"followed","cost":2000},
		{"id":"corrected","cost":500},{"id":"dearer","cost":500}]`)
	s.ask("PATCH", "/api/v1/flat/taken-back", `{"status":"new"}`)
	s.ask("PATCH", "/api/v1/flat/followed", `{"status":"followed"}`)
	s.ask("PATCH", "/api/v1/flat/corrected", `{"cost":3000}`)
	s.ask("POST", "/api/v1/import", `[{"id":"taken-back","cost":3000},{"id":"followed","cost":3000},
		{"id":"dearer","cost":4000,"status_because":"x"}]`)
	if got := s.ruled(); got != "" {
		t.Errorf("decided again: %s", got)
	}
	s.ask("POST", "/api/v1/views/dear/apply", "")
	if got := s.ruled(); got != "corrected:ignored:dear dearer:ignored:dear" {
		t.Errorf("applied: %s", got)
	}
	s.ask("POST", "/api/v1/import", `[{"id":"new","status":"ignored","status_because":"elsewhere"},
		{"id":"wrong-type","status_because":5}]`)
	because, wrong := s.store.Get("new").StatusBecause, s.store.Get("wrong-type").StatusBecause
	if because.JSON() != `"elsewhere"` || wrong.Known() {
		t.Errorf("listings have set %s and %s", because.JSON(), wrong.JSON())
	}
}

// A rule concerns flats that come after it was made or changed. A rule with a query that is no longer valid decides
// nothing.
func TestRulesBegin(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.store.table = newTable(queryFields(quiet, nil, "time_to.work"))
	imports := func(id string) {
		s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"id":%q,"cost":2000}]`, id))
	}
	imports("before")
	s.put("dear", `{"query":"min[cost]=1000","rule":"dismiss"}`)
	imports("dismissed")
	s.put("dear", `{"rule":null}`)
	imports("without-rule")
	s.put("dear", `{"rule":"dismiss"}`)
	s.put("dear", `{"rule":"follow"}`)
	imports("followed")
	s.put("dear", `{"query":"min[cost]=9000"}`)
	imports("too-cheap")
	s.put("dear", `{"query":"known[time_to.work]=no"}`)
	imports("without-time")
	s.store.table = newTable(queryFields(quiet, nil))   // which lacks time_to.work
	s.ask("PUT", "/api/v1/views/other", `{"query":""}`) // reads the rules again
	imports("invalid-rule")
	if got := s.ruled(); got != "dismissed:ignored:dear followed:followed:dear without-time:followed:dear" {
		t.Errorf("decided: %s", got)
	}
	s.refuse(s.ask("POST", "/api/v1/views/dear/apply", ""), 400,
		"Invalid known[time_to.work] provided: there is no such field.")
}

// PUT sets the rule of a view, and GET serves it if the view has one.
func TestRuleMember(t *testing.T) {
	s := newService(t, "[]", testCodes)
	served := func(rule string) string {
		return `{"data":{"name":"x","query":"","page":null,"notify":false,"seen":"2026-01-01",` + rule + `"total":0,"new":0}}`
	}
	s.want(s.ask("PUT", "/api/v1/views/x", `{"query":"","seen":"2026-01-01","rule":"dismiss"}`), 201,
		served(`"rule":"dismiss",`))
	s.want(s.ask("PUT", "/api/v1/views/x", `{"notify":false}`), 200, served(`"rule":"dismiss",`))
	for _, c := range []struct{ rule, got string }{
		{`"hide"`, `"hide"`}, {`""`, `""`}, {"7", "7"}, {"true", "true"}, {`["follow"]`, `["follow"]`}, {"{}", "{}"},
	} {
		s.refuse(s.ask("PUT", "/api/v1/views/x", `{"rule":`+c.rule+`}`), 400,
			`Invalid view provided: rule: want "dismiss", "follow" or null, got `+c.got+`.`)
	}
	s.refuse(s.ask("PUT", "/api/v1/views/x", `{"ruled":"2026-01-01"}`), 400,
		"Invalid view provided: ruled: a view has no such member.")
	s.want(s.ask("PUT", "/api/v1/views/x", `{"rule":"\u0066ollow"}`), 200, served(`"rule":"follow",`))
	s.want(s.ask("PUT", "/api/v1/views/x", `{"rule":null}`), 200, served(""))
}

// The member ruled is when the rule was made or changed. Other changes of the view leave it.
func TestRuledSince(t *testing.T) {
	d := newSimDisk()
	store, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	views, err := openViews(newImporter(store), "/flats.json")
	if err != nil {
		t.Fatal(err)
	}
	last := "" // the value of ruled before
	for _, c := range []struct {
		change string
		isNew  bool // whether ruled becomes the time of the change
	}{
		{`{"query":"","rule":"dismiss"}`, true}, {`{"rule":"dismiss","notify":true}`, false},
		{`{"seen":"2026-01-01"}`, false},
		{`{"rule":"follow"}`, true}, {`{"query":"q=a"}`, true}, {`{"query":"q=a","page":"#/"}`, false},
	} {
		object, _ := parseObject([]byte(c.change))
		view, _, err := views.put("x", "", object)
		if err != nil || view.Ruled == "" || (view.Ruled != last) != c.isNew {
			t.Errorf("%s: %v, ruled %q; was %q", c.change, err, view.Ruled, last)
		}
		last = view.Ruled
	}
	if view, _, _ := views.put("x", "", members{"rule": json.RawMessage("null")}); view.Ruled != "" {
		t.Errorf("without a rule, ruled is %q", view.Ruled)
	}
}

// The rules survive a restart, with the time from which they decide. A time that is missing or wrong is now.
func TestRulesKept(t *testing.T) {
	d := newSimDisk()
	open := func() (*Store, *Importer, *Views) {
		t.Helper()
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		importer := newImporter(store)
		views, err := openViews(importer, "/flats.json")
		if err != nil {
			t.Fatal(err)
		}
		return store, importer, views
	}
	store, importer, views := open()
	object := members{"query": json.RawMessage(`""`), "rule": json.RawMessage(`"follow"`)}
	if _, _, err := views.put("all", "", object); err != nil {
		t.Fatal(err)
	}
	importer.ImportText([]byte(`[{"id":"a"}]`), "")
	ruled := (*views.list.Load())[0].Ruled
	store.Close()
	store, importer, views = open()
	importer.ImportText([]byte(`[{"id":"b"}]`), "")
	for _, id := range []string{"a", "b"} {
		if f := store.Get(id); f.Status.String() != "followed" || f.StatusBecause.String() != "all" {
			t.Errorf("%s is %s because of %s", id, f.Status.JSON(), f.StatusBecause.JSON())
		}
	}
	if again := (*views.list.Load())[0].Ruled; again != ruled || ruled == "" {
		t.Errorf("ruled is %q after a restart; was %q", again, ruled)
	}
	store.Close()
	for _, c := range []struct{ members, want string }{ // want is a part of the error, or "" for none
		{`"rule":"follow"`, ""}, {`"rule":"follow","ruled":"2099-01-01"`, ""}, {`"rule":"hide"`, "rule: want "},
		{`"rule":"follow","ruled":"soon"`, "ruled: want an ISO 8601 datetime"},
	} {
		text := `[{"name":"all","query":"","page":null,"notify":false,"seen":"2026-01-01",` + c.members + `}]`
		d.put("/views.json", text)
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		views, err := openViews(newImporter(store), "/flats.json")
		if c.want == "" {
			if at, _, _ := parseDatetime((*views.list.Load())[0].Ruled); err != nil || time.Since(at).Abs() > time.Hour {
				t.Errorf("%s: %v, ruled %v", c.members, err, at)
			}
		} else if err == nil || !strings.Contains(err.Error(), "views.json:1: "+c.want) {
			t.Errorf("%s: %v; want %s", c.members, err, c.want)
		}
		store.Close()
	}
}

// apply decides on all flats of the view on which nobody has decided, by the path or by ?name=.
func TestRulesApply(t *testing.T) {
	s := newService(t, `[{"id":"old","cost":2000},{"id":7,"cost":2000,"first_seen":"2020-01-01"},{"id":"low","cost":5},
		{"id":"back","cost":2000,"status_since":"2026-01-01"},{"id":"seen","cost":2000,"status":"visited"}]`, testCodes)
	s.put("a%2Fb", `{"query":"min[cost]=1000"}`)
	s.refuse(s.ask("POST", "/api/v1/views/none/apply", ""), 404, "No view with the name none.")
	s.refuse(s.ask("POST", "/api/v1/views/apply", ""), 404, "No view with the name .")
	s.refuse(s.ask("POST", "/api/v1/views/a%2Fb/apply", ""), 409, "The view a/b has no rule.")
	s.put("a%2Fb", `{"rule":"dismiss"}`)
	s.want(s.ask("POST", "/api/v1/views/a%2Fb/apply", ""), 200, `{"data":{"ids":[7,"old"]}}`)
	const target = "/api/v1/find?filter[status_because]=a/b&filter[status]=ignored&fields=id&sort=-cost"
	if got := s.ids(s.ask("GET", target, "")); got != "old 7" {
		t.Errorf("decided: %s", got)
	}
	s.want(s.ask("POST", "/api/v1/views/apply?name=a/b", ""), 200, `{"data":{"ids":[]}}`)
	// A view may be named as the path ends.
	s.put("apply", `{"query":"filter[cost]=5","rule":"follow"}`)
	s.put("x/apply", `{"query":""}`)
	s.want(s.ask("POST", "/api/v1/views/apply/apply", ""), 200, `{"data":{"ids":["low"]}}`)
	for target, allow := range map[string]string{"x": "PUT, DELETE, OPTIONS", "apply": "PUT, DELETE, POST, OPTIONS",
		"x/apply": "PUT, DELETE, POST, OPTIONS"} {
		for method, status := range map[string]int{"OPTIONS": 200, "GET": 405} {
			got := s.ask(method, "/api/v1/views/"+target, "")
			if got.status != status || got.header.Get("Allow") != allow {
				t.Errorf("%s %s: %d %s; want %d %s", method, target, got.status, got.header.Get("Allow"), status, allow)
			}
		}
	}
}

// The decisions of apply are durable, all or none, whichever operation fails.
func TestRulesApplyWhole(t *testing.T) {
	for n, reached := 1, true; reached; n++ {
		synctest.Test(t, func(t *testing.T) {
			d := newSimDisk()
			h := newHunt(t, d)
			h.imports(`[{"id":"a"},{"id":"b"}]`)
			h.put("all", `{"query":"","rule":"follow"}`)
			d.failIn(n)
			ids, err := h.views.apply(turns.NewTask(t.Context(), turns.NewQueue()), "all")
			reached = d.mend()
			again := newHunt(t, d.restartUnsynced())
			for _, store := range []*Store{h.store, again.store} {
				a, b := store.Get("a").isShortlisted(), store.Get("b").isShortlisted()
				if a != b || a != (err == nil) || a != (len(ids) == 2) {
					t.Errorf("operation %d: %v, %v; a is followed: %v, b: %v", n, ids, err, a, b)
				}
			}
			again.stop()
			h.stop()
		})
	}
}

// No message tells of a flat that a rule has dismissed, whatever the view: neither when it comes nor when it becomes
// cheaper or goes. Messages tell of a flat that a rule follows, but not of what apply decides.
func TestRulesAreSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		const link = "https://flats.example/#/flat/"
		h.imports(`[{"id":"old@s","cost":90}]`)
		h.put("all", `{"query":"","notify":true}`)
		h.put("out", `{"query":"any[status]=ignored","notify":true}`)
		h.put("dear", `{"query":"min[cost]=1000","rule":"dismiss"}`)
		h.put("cheap", `{"query":"max[cost]=100","rule":"follow"}`)
		h.imports(`[{"id":"dear@s","cost":2000},{"id":"cheap@s","cost":99}]`)
		h.wants("new", "all: 1 new | "+link+"cheap@s | New: untitled, 99\n"+link+"cheap@s\n")
		_, err := h.views.apply(turns.NewTask(t.Context(), turns.NewQueue()), "cheap")
		if err != nil || !h.store.Get("old@s").isShortlisted() {
			t.Errorf("apply: %v, old@s has %s", err, h.store.Get("old@s").Status.JSON())
		}
		time.Sleep(time.Minute)
		h.wants("applied")
		h.imports(`[{"id":"dear@s","cost":1900}]`)
		h.wants("cheaper")
		h.importsAll(`[{"id":"cheap@s","cost":98},{"id":"old@s","cost":90}]`, "s")
		h.wants("gone", "all: 1 cheaper | "+link+"cheap@s | Cheaper: untitled, 98 (was 99)\n"+link+"cheap@s\n")
		// Once a person follows the flat, messages tell of it again.
		h.store.Update("dear@s", []byte(`{"status":"followed"}`), nil, author{})
		h.imports(`[{"id":"dear@s","cost":1800}]`)
		h.wants("taken back", "all: 1 cheaper | "+link+"dear@s | Cheaper: untitled, 1,800 (was 1,900)\n"+link+"dear@s\n")
		// A person who dismisses a flat does not silence it: both all and out, which asks for dismissed flats, match.
		h.store.Update("dear@s", []byte(`{"status":"ignored"}`), nil, author{})
		h.imports(`[{"id":"dear@s","cost":1700}]`)
		const cheaper = ": 1 cheaper | " + link + "dear@s | Cheaper: untitled, 1,700 (was 1,800)\n" + link + "dear@s\n"
		h.wants("dismissed by a person", "all"+cheaper, "out"+cheaper)
	})
}

// A rule decides when the service finds the position or the times that its query asks for, and for no other
// reason: not on a flat that has matched since its listing or the user changed it, nor on a backup.
func TestRulesLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), munichConfig)
		defer func() { j.stop() }()
		importer := newImporter(j.store)
		views, err := openViews(importer, "/flats.json")
		if err != nil {
			t.Fatal(err)
		}
		put := func(name, query, kind string) {
			object := members{"query": json.RawMessage(encodeJSON(query)), "rule": json.RawMessage(encodeJSON(kind))}
			if _, _, err := views.put(name, "", object); err != nil {
				t.Fatal(err)
			}
		}
		const where = `"service_constraint":"bike","service_postal_code":"80331"`
		j.imports(`[{"id":"before","service_constraint":"bike"}]`)
		put("near", "max[time_to.park]=3000", "follow")
		put("cheap", "max[cost]=500", "dismiss")
		before := j.store.Get("before").UpdatedAt.JSON()
		counts, err := importer.ImportText([]byte(`[{"id":"near",`+where+`},
			{"id":"backup","first_seen":"2099-01-01",`+where+`},{"id":"cheap","cost":400,`+where+`},
			{"id":"changed","cost":900},{"id":"visited","status":"visited",`+where+`},
			{"id":"nowhere","service_constraint":"bike"}]`), "")
		if err != nil || counts.Followed != 0 || counts.Dismissed != 1 {
			t.Errorf("the import counts %+v, %v; want 1 dismissed and none followed", counts, err)
		}
		if _, err := j.store.Update("changed", []byte(`{"cost":300}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
		importer.ImportText([]byte(`[{"id":"before","service_postal_code":"80331"},{"id":"changed",`+where+`}]`), "")
		time.Sleep(40 * time.Second)
		synctest.Wait()
		const near, toPark = `"followed" "near"`, true
		for _, c := range []struct {
			id, want string // the status and the rule
			hasTime  bool   // to the park
		}{
			{"near", near, toPark},
			{"changed", near, toPark},             // its cost matches cheap since the user changed it: no reason
			{"before", `"new" null`, toPark},      // it was there before the rules
			{"backup", `"new" null`, toPark},      // is never decided on
			{"visited", `"visited" null`, toPark}, // has a status
			{"cheap", `"ignored" "cheap"`, false}, // no times are asked for a dismissed flat
			{"nowhere", `"new" null`, false},      // has no position
		} {
			f := j.store.Get(c.id)
			got := f.Status.JSON() + " " + f.StatusBecause.JSON()
			if got != c.want || f.StatusSince.Known() != f.StatusBecause.Known() {
				t.Errorf("%s is %s since %s; want %s", c.id, got, f.StatusSince.JSON(), c.want)
			}
			if c.hasTime && !f.ServiceTimeTo.timeTo("park").Known() {
				t.Errorf("%s has no time to the park: %s", c.id, f.ServiceTimeTo.JSON())
			}
		}
		if after := j.store.Get("before").UpdatedAt.JSON(); after == before {
			t.Errorf("before was not updated")
		}
		// A listing lowers the cost, so that cheap matches. Then another gives a position, which neither cheap nor all
		// asks for. Neither of these is a reason.
		importer.ImportText([]byte(`[{"id":"later","cost":900,"service_constraint":"bike"}]`), "")
		importer.ImportText([]byte(`[{"id":"later","cost":300}]`), "")
		put("all", "max[cost]=300", "follow")
		importer.ImportText([]byte(`[{"id":"later","service_postal_code":"80331",
			"service_time_to":{"park":{"time":4000}}}]`), "")
		time.Sleep(40 * time.Second)
		synctest.Wait()
		if f := j.store.Get("later"); f.StatusBecause.Known() || !f.ServiceTimeTo.timeTo("work").Known() {
			t.Errorf("later is %s because of %s, %s", f.Status.JSON(), f.StatusBecause.JSON(), f.ServiceTimeTo.JSON())
		}
	})
}

// No reader sees a flat before the rules have decided, however large the import is.
func TestRulesUnseen(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.put("all", `{"query":"known[cost]=yes","rule":"dismiss"}`)
	seen := make(chan int) // receives how many flats were seen undecided
	go func() {
		undecided := 0
		for {
			for _, f := range s.store.snapshot().all() {
				if f.isUndecided() {
					undecided++
				}
			}
			select {
			case seen <- undecided:
				return
			default:
			}
		}
	}()
	var list []string
	for i := range 4 * importBatch { // the last batch has the flats of the first one again
		list = append(list, fmt.Sprintf(`{"id":"f%d","cost":1}`, i%(3*importBatch)))
	}
	got := s.ask("POST", "/api/v1/import", "["+strings.Join(list, ",")+"]")
	dismissed := fmt.Sprintf(`"dismissed":%d`, 3*importBatch)
	if undecided := <-seen; undecided > 0 || !strings.Contains(got.body, dismissed) {
		t.Errorf("a reader saw %d flats undecided; %s", undecided, got.body)
	}
}

// A rule whose PUT was answered before an import is stored concerns that import.
func TestRulesMeanwhile(t *testing.T) {
	s := newService(t, "[]", testCodes)
	listings := Listings{Flats: []members{{"id": json.RawMessage("1")}, {"id": json.RawMessage("2")}}}
	plan := newImportPlan(t.Context(), s.store, listings, s.importer.clock.begin())
	defer s.importer.clock.end()
	if err := plan.prepare(s.store.Get); err != nil {
		t.Fatal(err)
	}
	s.put("all", `{"query":"","rule":"dismiss"}`)
	err := s.store.change(plan.edits, &importedFile{})
	if err == errStale { // as Import does, prepare again
		if err = plan.prepare(s.store.Get); err == nil {
			err = s.store.change(plan.edits, &importedFile{})
		}
	}
	if counts := plan.counts(); err != nil || counts.Dismissed != 2 || !s.store.Get("1").isRuledOut() {
		t.Errorf("%v, %+v, and flat 1 is %s; want 2 dismissed", err, counts, s.store.Get("1").Status.JSON())
	}
}

// A rule finds the same flats as /find does.
func TestRulesMatch(t *testing.T) {
	s, _ := sampleService(t)
	list := everydayFlats(300)
	s.ask("POST", "/api/v1/import", list)
	f := s.store.snapshot().row(0)
	queries := []string{"", "q=balcony", "q=-balcony", "q=%22a+b%22", "q=!", "min[cost]=700&max[cost]=900",
		"max[cost]=900&unknown=cost", "known[rooms]=no", "known[gone]=no&not[status]=ignored",
		"any[status]=new&any[status]=followed", "filter[id]=" + f.ID.String(), "min[first_seen]=2020-01-01",
		"not[currency]=EUR&known[currency]=yes", "max[cost_per_area]=20", "max[travel_time]=1800",
		"min[lat]=48&max[lng]=20", "any[place]=69007+Lyon+7e", "filter[cost]=840.0", "q=title:loft+OR+text:quiet",
		"filter[rooms]=1&filter[rooms]=2",
		"max[area]=50&unknown=area&q=a*", "known[photos]=yes", "min[date]=2026-01-01", "any[site]=example"}
	selective := 0 // queries that find some of the flats, but not all
	for _, query := range queries {
		q, err := parseQuery(s.store.table.fields, query, "-first_seen")
		if err != nil {
			t.Fatal(query, err)
		}
		r, err := newRule("x", "follow", time.Time{}, q)
		if err != nil {
			t.Fatal(query, err)
		}
		page, err := s.store.Find(turns.NewTask(t.Context(), turns.NewQueue()), q)
		if err != nil {
			t.Fatal(query, err)
		}
		found := map[*Flat]bool{}
		for _, f := range page.records {
			found[f] = true
		}
		for _, f := range s.store.snapshot().all() {
			if got := r.matches(nil, s.store.table.fields, f); got != found[f] {
				t.Errorf("%s: the rule matches %s: %v; find: %v", query, f.ID.String(), got, found[f])
			}
		}
		if len(found) > 0 && len(found) < s.store.snapshot().size {
			selective++
		}
	}
	if selective < len(queries)/2 {
		t.Errorf("only %d of %d queries tell flats apart; want at least half", selective, len(queries))
	}
}

// A decision that a person makes while apply waits for the writer stays.
func TestRulesApplyLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk())
		defer func() { h.stop() }()
		h.imports(`[{"id":"a"},{"id":"b"}]`)
		h.put("all", `{"query":"","rule":"dismiss"}`)
		busy := make(chan bool)
		go h.store.change(func(func(string) *Flat) ([]edit, error) { <-busy; return nil, nil }, nil)
		synctest.Wait()
		go h.store.Update("a", []byte(`{"status":"followed"}`), nil, author{})
		synctest.Wait()
		done := make(chan string, 1)
		go func() {
			ids, err := h.views.apply(turns.NewTask(t.Context(), turns.NewQueue()), "all")
			done <- fmt.Sprintf("%s %v", ids, err)
		}()
		synctest.Wait()
		close(busy)
		if got := <-done; got != `["b"] <nil>` || !h.store.Get("a").isShortlisted() || !h.store.Get("b").isRuledOut() {
			t.Errorf("applied to %s; a is %s", got, h.store.Get("a").Status.JSON())
		}
	})
}
