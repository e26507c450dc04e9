// Tests of flats.go.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Section 2.1: a flat has all fields in the documented order, null where unknown,
// followed by its unknown members.
func TestFlatFields_2_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.want(s.ask("GET", "/api/v1/flats/b", ""), 200,
		`{"data":{"id":"b","title":"Loft","text":null,"area":80,"cost":1200.00,"currency":"EUR",
		"utilities":null,"rooms":3,"bedrooms":null,"date":"2026-01-02T10:00:00+01:00","location":null,"station":null,
			"phone":null,
		"photos":[{"url":"https://example.org/1.jpg"}],"urls":null,"details":null,"merged_ids":null,"notes":null,
			"notation":null,"status":"new",
		"visit_date":null,"service_constraint":null,"service_postal_code":{},"service_stations":null,
			"service_time_to":null,"x_seen":[1,2]}}`)
	// order has the names of the members of data, which a decoder reads one by one.
	var order []string
	d := json.NewDecoder(strings.NewReader(s.ask("GET", "/api/v1/flats/a", "").body))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		if delim, isDelim := token.(json.Delim); isDelim {
			if delim == '{' || delim == '[' {
				depth++
			} else {
				depth--
			}
		} else if name, isName := token.(string); isName && depth == 2 { // a member of data
			order = append(order, name)
			if !d.More() {
				break
			}
			var skipped any
			if err := d.Decode(&skipped); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := strings.Fields(`
		id title text area cost currency utilities rooms bedrooms date location station phone photos urls details
		merged_ids notes notation status visit_date service_constraint service_postal_code service_stations service_time_to`)
	if !slices.Equal(order, want) {
		t.Errorf("field order %q\nwant %q", order, want)
	}
}

// Section 2.1: every attribute is a filter key and a sort key.
func TestEveryField_2_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, i := range flatFields.listedFields() {
		f := flatFields.list[i]
		if got := s.ask("GET", "/api/v1/flats?filter%5B"+f.name+"%5D=x&sort=-"+f.name, ""); got.status != 200 {
			t.Errorf("%s: %d %s", f.name, got.status, got.body)
		}
	}
	for _, name := range []string{"x_seen", "updated_at", "json", "ID", "Title"} {
		s.refuse(s.ask("GET", "/api/v1/flats?sort="+name, ""), 400, "Invalid sorting key provided: "+name+".")
		s.refuse(s.ask("GET", "/api/v1/flats?filter%5B"+name+"%5D=x", ""), 500,
			"Invalid filter key provided: "+name+".")
	}
}

// Section 3: a status is any JSON value, stored as it was given.
func TestStatus_3(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, "[]")
	for _, status := range []string{`"followed"`, `"Followed "`, `""`, `null`, `true`, `5`, `2.50`, `["x y"]`,
		`{"a":[1,2.50,{}]}`} {
		got := s.ask("PATCH", "/api/v1/flat/a", `{"status":`+status+`}`)
		s.want(got, 200, s.ask("GET", "/api/v1/flats/a", "").body)
		if !strings.Contains(got.body, `"status":`+status+`,`) {
			t.Errorf("status %s: %s", status, got.body)
		}
	}
}

// A flat that has "deleted", as the page once wrote it, is served as it is and counts as deleted in queries,
// duplicates, CSV, travel times and messages.
func TestStatusDeleted(t *testing.T) {
	s := newService(t, `[{"id":"a","status":"deleted","phone":"0198","cost":700,"area":40},
		{"id":"b","status":"user_deleted","phone":"0198","cost":700,"area":40},
		{"id":"c","phone":"0198","cost":700,"area":40},{"id":"d","phone":"0198","cost":700,"area":40}]`, "[]")
	for raw, want := range map[string]string{
		"not[status]=user_deleted":   `"total":2`,
		"any[status]=user_deleted":   `"total":2`,
		"filter[status]=deleted":     `"total":2`,
		"counts=status&page[size]=1": `"counts":{"status":{"new":2,"user_deleted":2}}`,
		"fields=status&filter[id]=a": `"status":"deleted"`,
	} {
		if got := s.ask("GET", "/api/v1/find?"+query(raw), ""); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s; want %s", raw, got.body, want)
		}
	}
	if got, want := s.duplicates(), "c d phone"; got != want {
		t.Errorf("duplicates %q; want %q", got, want)
	}
	if !s.store.Get("a").hasStatus(deadStatuses) { // travel times and the daily message leave out such flats
		t.Error("the flat is not dead")
	}
	s.want(s.ask("POST", "/api/v1/import", "id,status\ne,deleted\nf,odd\n"), 200,
		`{"data":{"added":2,"updated":0,"unchanged":0,"gone":0}}`)
	s.want(s.ask("GET", "/api/v1/find?"+query("fields=id,status,details&any[id]=e&any[id]=f&sort=id"), ""), 200,
		`{"data":[{"id":"e","status":"deleted","details":{}},{"id":"f","status":"new","details":{"status":"odd"}}],
			"page":0,"items_per_page":2,"total":2,"counts":{}}`)
	s.want(s.ask("PATCH", "/api/v1/flat/c", `{"status":"deleted"}`), 200, s.ask("GET", "/api/v1/flats/c", "").body)
	if got := s.ask("GET", "/api/v1/flats/c", ""); !strings.Contains(got.body, `"status":"deleted"`) {
		t.Errorf("the status is not stored as it was given: %s", got.body)
	}
}

// The notation is the mean of the ratings to one decimal, halves up.
func TestRatingsMean(t *testing.T) {
	for _, c := range []struct{ ratings, mean string }{
		{"1 2", "1.5"}, {"1 1.1", "1.1"}, {"0.3 2.4", "1.4"}, {"4.1 4", "4.1"}, {"1 2 2", "1.7"}, {"1 1 2", "1.3"},
		{"0.1 0.2", "0.2"},
		{"-1 -1.1", "-1"}, {"-1.1 -1.2", "-1.1"}, {"2.2 2.3", "2.3"}, {"1.1 1.2 1.3 1.4", "1.3"}, {"0", "0"}, {"-0", "0"},
		{"0.04", "0"}, {"1e308 1e308", "1e+308"}, {"1e-400", "0"}, {"9007199254740992", "9007199254740992"}, {"", "null"},
	} {
		ratings, mean := &Ratings{}, json.RawMessage("null")
		for i, rating := range strings.Fields(c.ratings) {
			person := fmt.Sprint(i)
			var all json.RawMessage
			all, mean = ratings.withRating(person, json.RawMessage(rating))
			if err := ratings.setJSON(string(all)); err != nil {
				t.Fatal(err)
			}
		}
		// A number may be written with an exponent, or without.
		number, _ := parseNumber(string(mean))
		if !slices.Contains([]string{string(mean), fmt.Sprint(number), fmt.Sprintf("%.0f", number)}, c.mean) {
			t.Errorf("%s: mean %s; want %s", c.ratings, mean, c.mean)
		}
	}
}

// flats.json is written with one flat per line and without null members. It keeps its
// mode and its symbolic link. It may be read from any other layout of the same JSON, also
// after a byte order mark.
func TestFlatsFileForm(t *testing.T) {
	dir := t.TempDir()
	target := writeFile(t, dir, "real.json", "\uFEFF[ {\n\"id\" : 1, \"x\": { \"y\" : [ 1, \"a b\" ] "+
		"},\r\n\t\"title\": null, \"cost\": 1.50,\n\"service_postal_code\":\"1\" }\n,{\"id\":\"b\",\"status\":null}]")
	if err := os.Chmod(target, 0o604); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "flats.json")
	if err := os.Symlink("real.json", link); err != nil {
		t.Skip(err)
	}
	s, err := openStore(link, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC) }
	if _, err := s.Update("b", []byte(`{"notes":"n"}`), nil, author{}); err != nil {
		t.Fatal(err)
	}
	journal := readFile(t, target+".log") // next to the file that the link leads to
	rest := `"id":"b","notes":"n","updated_at":"2026-01-02T03:04:05Z"}` + "\n"
	if len(journal) != len(journalRecordHead(0))+len(rest) || !strings.HasSuffix(journal, rest) {
		t.Errorf("the journal is %q; want one record that ends in %q", journal, rest)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	want := `[
{"id":1,"cost":1.50,"status":"new","service_postal_code":"1","x":{"y":[1,"a b"]}},
{"id":"b","notes":"n","status":null,"updated_at":"2026-01-02T03:04:05Z"}
]
`
	if got := readFile(t, target); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("flats.json is no longer a link: %v, %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o604 {
		t.Errorf("mode %v, %v; want 0604", info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder contains %v, %v; want 2 entries", entries, err)
	}
}

// A store is opened neither at a folder nor at a dangling link, whose target may be on an
// unmounted file system.
func TestFlatsFileRefused(t *testing.T) {
	_, err := openStore(t.TempDir(), osDisk{}, nil, quiet)
	if err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	dangling := filepath.Join(t.TempDir(), "flats.json")
	if err := os.Symlink("unmounted/flats.json", dangling); err != nil {
		t.Skip(err)
	}
	_, err = openStore(dangling, osDisk{}, nil, quiet)
	if err == nil || !strings.Contains(err.Error(), "is a symbolic link to a file that does not exist") {
		t.Errorf("a dangling link: %v", err)
	}
}

// An error in flats.json is reported with its line and field, and the file is not
// changed.
func TestFlatsFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "flats.json:1:1: it is empty",
		"{}":                 `flats.json:1: want a JSON array, got {}`,
		"null":               `flats.json:1: want a JSON array, got null`,
		"[\n{\"id\":1},\n5]": `flats.json:3: want an object, got 5`,
		"[\n{\"id\":1}\n":    "flats.json:2:9: a closing ] is missing",
		"[\n{\"id\":1},\n]":  "flats.json:2:9: there is one comma too many before the ]",
		"[{\"id\":1}]\n\nx": "flats.json:3:1: nothing may follow the last bracket: remove this, or a bracket " +
			"too many before it",
		"[\n{\"id\":1,\n\"cost\":\"cheap\"}]":                `flats.json:2: cost: want a finite number or null, got "cheap"`,
		"[\n{\"id\":1},\n{\"title\":\"x\"}]":                 "flats.json:3: id: a flat must have one",
		"[\n{\"id\":1},\n{\"id\":\"1\"}]":                    `flats.json:3: id: "1" appears twice`,
		"\uFEFF[\n{\"id\":1},\n\n{\"id\":2},{\"id\":\"1\"}]": `flats.json:4: id: "1" appears twice`,
		"\uFEFF\n[{\"id\":1},\n{\"cost\":\"x\",\"id\":2}]": `flats.json:3: cost: want a finite number or null, ` +
			`got "x"`,
		"[{\"id\":\"\"}]": `flats.json:1: id: want a string of 1 to 1024 bytes or an integer, got ""`,
		"[{\"id\":1},\n{\"id\":2,\"text\":\"\xe9\"}]": "flats.json:2: byte 0xe9 is not UTF-8",
		"[{\"id\":1,\"date\":\"2026-13-01\"}]": `flats.json:1: date: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "2026-13-01"`,
		"[{\"id\":1,\n\"updated_at\":5}]": `flats.json:1: updated_at: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "5"`,
	} {
		path := writeFile(t, t.TempDir(), "flats.json", text)
		_, err := openStore(path, osDisk{}, nil, quiet)
		if err == nil || !strings.HasPrefix(err.Error(), filepath.Dir(path)+"/"+want+" (") {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
		if got := readFile(t, path); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A flat with almost the maximum number of members can be imported, updated, and read again
// at start. Imports and updates that together exceed the maximum are refused.
func TestManyMembers(t *testing.T) {
	t.Parallel()
	var listing strings.Builder
	listing.WriteString(`[{"id":"a"`)
	const unknown = 9_970 // with the other members nearly maxLine.values
	for i := range unknown {
		fmt.Fprintf(&listing, `,"m%d":%d`, mixed(i, unknown), i)
	}
	listing.WriteString("}]")
	path := writeFile(t, t.TempDir(), "flats.json", "[]")
	s, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	listings, err := readListings("in", []byte(listing.String()))
	if err != nil {
		t.Fatal(err)
	}
	update := strings.Trim(strings.Replace(listing.String(), `"id"`, `"notes":"x","id"`, 1), "[]")
	for range 2 { // a new flat, and an existing one
		if _, err := newImporter(s).Import(context.Background(), listings, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Update("a", []byte(update), nil, author{}); err != nil {
		t.Fatal(err)
	}
	want := s.Get("a").JSON()
	// The flat has room for fewer than 40 values more: unknown ones, and those of the fields that each flat has.
	details := strings.Repeat(`"x":{"":1},`, 20) + `"y":1`
	_, err = newImporter(s).ImportText([]byte(`[{"id":"a","details":{`+details+`}}]`), "")
	if err == nil || !strings.Contains(err.Error(), errLarge.Error()) {
		t.Errorf("an import of too many members: %v; want %v", err, errLarge)
	}
	_, err = s.Update("a", []byte(`{"photos":[`+strings.Repeat(`{"":1},`, 40)+`1]}`), nil, author{})
	if err == nil || !strings.Contains(err.Error(), errLarge.Error()) {
		t.Errorf("an update of too many members: %v; want %v", err, errLarge)
	}
	s.Close()
	if s, err = openStore(path, osDisk{}, nil, quiet); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.Get("a").JSON(); got != want || len(s.Get("a").unknownMembers()) != unknown {
		t.Errorf("the flat has %d bytes after a restart; want %d", len(got), len(want))
	}
}

// The statuses of after the visit are known wherever statuses are: on the shortlist, in a CSV, to assistants.
func TestStatusesAfterVisit(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.ask("POST", "/api/v1/import", "id,title,cost,url,status\n1@a,A,900,https://a.example/1,applied\n"+
		"2@a,B,900,https://a.example/2,offered\n3@a,C,900,https://a.example/3,signed\n"+
		"4@a,D,900,https://a.example/4,refused\n5@a,E,900,https://a.example/5,visited twice\n")
	for _, want := range []struct {
		id, status             string
		isShortlisted, isAlive bool
	}{
		{"5@a", "new", false, true}, // "visited twice" is no status
		{"1@a", "applied", true, true},
		{"2@a", "offered", true, true},
		{"3@a", "signed", false, true},
		{"4@a", "refused", false, false},
	} {
		f := s.store.Get(want.id)
		if f == nil || f.Status.String() != want.status || f.isShortlisted() != want.isShortlisted ||
			f.hasStatus(deadStatuses) == want.isAlive {
			t.Errorf("%s: %v; want %v", want.id, f, want)
		}
		if want.status == "new" {
			continue
		}
		if text, isError := s.call("update_flat", `{"id":"5@a","status":"`+want.status+`"}`); isError {
			t.Errorf("%s: an assistant cannot set it: %s", want.status, text)
		}
	}
	instructions := readFile(t, "docs/mcp.json")
	for _, status := range []string{"applied (", "offered (", "signed (", "refused ("} {
		if !strings.Contains(instructions, status) {
			t.Errorf("assistants are not told of %s", status)
		}
	}
}
