// Tests of updates.go.

package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// An update that is sent again with its key changes nothing, whatever was set meanwhile, and whatever its If-Match.
func TestUpdateKeys(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, "[]").with(func(c *Config) { c.People = []string{"Ann", "Ben"} })
	const made = "The flat has had this update already."
	for i, c := range []struct{ query, mine, others string }{
		{"", `"status":"ignored"`, `"status":"new"`},
		{"", `"visit_date":"2031-01-01"`, `"visit_date":null`},
		{"", `"next_step":"Call","next_date":"2031-01-01"`, `"next_step":null`},
		{"", `"notes":"mine"`, `"notes":null`},
		{"by=Ann&", `"rating":4`, `"rating":1`},
		{"", `"status":"new"`, `"status":"followed"`}, // mine changes nothing, and counts all the same
	} {
		keys := fmt.Sprintf("?%skey=0.%d-e&key=second.%[2]d", c.query, i)
		target := "/api/v1/flat/a"
		if got := s.ask("PATCH", target+keys, "{"+c.mine+"}"); got.status != 200 || strings.Contains(got.body, "key") {
			t.Fatalf("%s: %d %s", c.mine, got.status, got.body)
		}
		if got := s.ask("PATCH", target+"?"+c.query, "{"+c.others+"}"); got.status != 200 {
			t.Fatalf("%s: %d %s", c.others, got.status, got.body)
		}
		before := fmt.Sprint(listed(s.store))
		s.refuse(s.ask("PATCH", target+keys, "{"+c.mine+"}"), 409, made)
		s.refuse(s.ask("PATCH", target+fmt.Sprintf("?key=second.%d", i), "{}", "If-Match", `"none"`), 409, made)
		s.refuse(s.ask("PATCH", target+fmt.Sprintf("?key=third.%d", i), "{}", "If-Match", `"none"`), 412,
			"The flat has changed since: read it again.")
		if after := fmt.Sprint(listed(s.store)); after != before {
			t.Errorf("%s: %s; want %s", c.mine, after, before)
		}
	}
	for _, keys := range []string{"key=", "key=a&key=%C3%A4", "key=a+b", "key=" + strings.Repeat("a", 65),
		"key=" + strings.Join(strings.Split("abcdefghijk", ""), "&key=")} {
		const wrong = "Invalid key provided: must be 1 to 64 letters, digits, points and dashes, at most 10 times."
		s.refuse(s.ask("PATCH", "/api/v1/flat/a?"+keys, "{}"), 400, wrong)
		s.refuse(s.ask("POST", "/api/v1/import?"+keys, `[{"id":"a"}]`), 400, wrong)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"update_keys":["x"]}`), 400,
		"Invalid payload provided: update_keys: a flat has no such field.")
}

// An import that is sent again with its key changes no flat that it has set.
func TestUpdateKeysOfImport(t *testing.T) {
	s := newService(t, `[{"id":"b","cost":1}]`, "[]")
	const body = `[{"id":"a","cost":900},{"id":"a","cost":950},{"id":"b","cost":2,"update_keys":["x"]}]`
	s.want(s.ask("POST", "/api/v1/import?key=k", body), 200,
		`{"data":{"added":1,"updated":2,"unchanged":0,"gone":0}}`)
	s.ask("POST", "/api/v1/import", `[{"id":"a","cost":800}]`)
	s.want(s.ask("POST", "/api/v1/import?key=k", body), 200,
		`{"data":{"added":0,"updated":0,"unchanged":3,"gone":0}}`)
	s.want(s.ask("GET", "/api/v1/find?sort=id&fields=cost", ""), 200,
		`{"data":[{"id":"a","cost":800},{"id":"b","cost":2}],"page":0,"items_per_page":2,"total":2,"counts":{}}`)
	s.want(s.ask("POST", "/api/v1/import?key=x", body), 200,
		`{"data":{"added":0,"updated":3,"unchanged":0,"gone":0}}`)
}

// A complete import that is sent again with its key does not mark flats as gone that others have imported meanwhile.
func TestUpdateKeysComplete(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.ask("POST", "/api/v1/import", `[{"id":"1@s"},{"id":"2@s","title":"b"}]`)
	const target = "/api/v1/import?complete=s&key="
	s.want(s.ask("POST", target+"k", `[{"id":"1@s","title":"a"}]`), 200,
		`{"data":{"added":0,"updated":1,"unchanged":0,"gone":1}}`)
	s.ask("POST", "/api/v1/import", `[{"id":"2@s","title":"b"},{"id":"3@s","title":"c"}]`)
	s.want(s.ask("POST", target+"k", `[{"id":"1@s","title":"a"}]`), 200, countsOf(Counts{Unchanged: 1}))
	s.want(s.ask("POST", target+"l", `[{"id":"1@s","title":"a"}]`), 200,
		`{"data":{"added":0,"updated":1,"unchanged":0,"gone":2}}`)
}

// A flat remembers the last twenty keys, also after a restart.
func TestUpdateKeysStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "flats.json")
	writeFile(t, filepath.Dir(path), "flats.json", `[{"id":"a","update_keys":5}]`)
	open := func() *Store {
		t.Helper()
		s, err := openStore(path, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	// isMade makes an update with a key, unless one with this key was made.
	isMade := func(s *Store, n int) bool {
		t.Helper()
		_, err := s.Update("a", []byte(`{}`), nil, author{keys: []string{fmt.Sprint(n)}})
		var refused *statusError
		if err != nil && (!errors.As(err, &refused) || refused.status != 409) {
			t.Fatal(err)
		}
		return err != nil
	}
	s := open()
	for i := range 25 { // keys 0 to 24, of which 5 to 24 are the last twenty
		if isMade(s, i) {
			t.Errorf("the key %d is known before it is given", i)
		}
	}
	for range 2 { // from the journal, and from the file it is merged into
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = open()
		if !isMade(s, 5) || !isMade(s, 24) {
			t.Error("the last keys are forgotten")
		}
	}
	if isMade(s, 4) {
		t.Error("more than 20 keys are known")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
