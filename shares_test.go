// Tests of shares.go.

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// shareMade shares what a body says, and returns the id and the path of the link.
func (s *service) shareMade(body string, header ...string) (id, path string) {
	s.Helper()
	got := s.ask("POST", "/api/v1/shares", body, header...)
	var made struct {
		Data struct{ ID, URL, Until string }
	}
	if err := json.Unmarshal([]byte(got.body), &made); err != nil || got.status != 201 {
		s.Fatalf("POST %s: %d %s", body, got.status, got.body)
	}
	path, isOurs := strings.CutPrefix(made.Data.URL, "https://flats.example")
	if !isOurs || !regexp.MustCompile(`^/s/[\w-]{22}$`).MatchString(path) {
		s.Fatalf("the link is %s", made.Data.URL)
	}
	return made.Data.ID, path
}

// The service makes, lists and ends links for others.
func TestShares(t *testing.T) {
	s := newService(t, `[{"id":1,"cost":500},{"id":"a","rooms":3}]`, testCodes)
	now := time.Date(2026, 1, 3, 4, 5, 6, 700_000_000, time.UTC)
	s.store.now = func() time.Time { return now }
	s.want(s.ask("GET", "/api/v1/shares", ""), 200, `{"data":[]}`)
	got := s.ask("POST", "/api/v1/shares", `{"title":"Ours","ids":["a",1,"1"],"with":["visit","street","visit"]}`)
	caching := got.header.Get("Cache-Control")
	if !strings.Contains(got.body, `"until":"2026-02-02T04:05:06Z"`) || caching != "private, no-store" {
		t.Errorf("without days: %s %v", got.body, got.header)
	}
	one, path := s.shareMade(`{"title":"é <b>","view":{"query":"min[rooms]=2","name":"Two","page":null,"seen":"x"},` +
		`"days":365}`)
	other, _ := s.shareMade(`{"title":"x","view":{"query":""},"ids":null,"days":1,"with":null}`)
	s.send(request("GET", path))
	s.send(request("GET", path))
	s.send(request("HEAD", path)) // does not count as opened
	listed := s.ask("GET", "/api/v1/shares", "").body
	listed = regexp.MustCompile(`"id":"[A-Z2-7]{16}"`).ReplaceAllString(listed, `"id":""`)
	s.want(reply{status: 200, body: listed}, 200, `{"data":[
		{"id":"","title":"Ours","until":"2026-02-02T04:05:06Z","with":["street","visit"],"opened":0},
		{"id":"","title":"é <b>","until":"2027-01-03T04:05:06Z","with":[],"opened":2},
		{"id":"","title":"x","until":"2026-01-04T04:05:06Z","with":[],"opened":0}]}`)
	if got := s.ask("DELETE", "/api/v1/shares/"+one, ""); got.status != 204 || got.body != "" {
		t.Errorf("DELETE: %d %s", got.status, got.body)
	}
	s.refuse(s.ask("DELETE", "/api/v1/shares/"+one, ""), 404, "No share with the id "+one+".")
	s.refuse(s.ask("DELETE", "/api/v1/shares?id=a/b", ""), 404, "No share with the id a/b.")
	if got := s.ask("DELETE", "/api/v1/shares?id="+other, ""); got.status != 204 {
		t.Errorf("DELETE by id: %d %s", got.status, got.body)
	}
	now = now.Add(30 * day) // the days of a share that names none
	s.want(s.ask("GET", "/api/v1/shares", ""), 200, `{"data":[]}`)
	got = s.ask("OPTIONS", "/api/v1/shares", "")
	if got.status != 200 || got.header.Get("Allow") != "GET, HEAD, POST, DELETE, OPTIONS" {
		t.Errorf("OPTIONS: %d %v", got.status, got.header)
	}
}

// A wrong share is answered with a 400 that says what is wrong.
func TestWrongShares(t *testing.T) {
	s := newService(t, `[{"id":1},{"id":"a"}]`, testCodes)
	const title = `title: want a text of 1 to 200 characters on one line.`
	const days = `days: want a whole number from 1 to 365, got `
	a := func(rest string) string { return `{"title":"a",` + rest + `}` }
	for body, want := range map[string]string{
		`[]`:              `want an object, got [].`,
		`{}`:              title,
		`{"title":""}`:    title,
		`{"title":7}`:     `title: want a string or null, got 7.`,
		`{"title":"a\n"}`: title,
		`{"title":"` + strings.Repeat("ä", 201) + `"}`: title,
		`{"title":"a"}`:                      `view: want one of view and ids.`,
		a(`"view":{"query":""},"ids":["a"]`): `view: want one of view and ids.`,
		a(`"view":7`):                        `view: want an object with query, got 7.`,
		a(`"view":{}`):                       `view.query: want a string, got null.`,
		a(`"view":{"query":7}`):              `view.query: want a string, got 7.`,
		a(`"view":{"query":"","x":1}`):       `view.x: a view has no such member.`,
		a(`"view":{"query":"sort=cost"}`):    `view.query: "sort" is not a condition.`,
		a(`"view":{"query":"min[title]=1"}`): `view.query: Invalid min[title] provided: ` +
			`only number and datetime fields have ranges.`,
		a(`"view":{"query":"q=` + strings.Repeat("x", 4095) + `"}`): `view.query: want at most 4096 bytes, got 4097.`,
		a(`"ids":[]`):                     `ids: want a list of 1 to 500 ids, got [].`,
		a(`"ids":"a"`):                    `ids: want a list of 1 to 500 ids, got "a".`,
		a(`"ids":[null]`):                 `ids: want a string of 1 to 1024 bytes or an integer, got null.`,
		a(`"ids":["a","nope"]`):           `ids: there is no flat with the id "nope".`,
		a(`"ids":["a"],"days":0`):         days + `0.`,
		a(`"ids":["a"],"days":366`):       days + `366.`,
		a(`"ids":["a"],"days":1.5`):       days + `1.5.`,
		a(`"ids":["a"],"days":"30"`):      days + `"30".`,
		a(`"ids":["a"],"with":"notes"`):   `with: want a list of street, notes, ratings, visit, got "notes".`,
		a(`"ids":["a"],"with":["phone"]`): `with: want only street, notes, ratings, visit, got "phone".`,
		a(`"ids":["a"],"password":"x"`):   `password: a share has no such member.`,
	} {
		s.refuse(s.ask("POST", "/api/v1/shares", body), 400, "Invalid share provided: "+want)
	}
	many := `{"title":"a","ids":["a"` + strings.Repeat(`,"a"`, maxSharedFlats) + "]}"
	if got := s.ask("POST", "/api/v1/shares", many); got.status != 400 || !strings.Contains(got.body, "ids: want a list") {
		t.Errorf("%d ids: %d %s; want a 400 about ids", maxSharedFlats+1, got.status, got.body)
	}
	s.want(s.ask("GET", "/api/v1/shares", ""), 200, `{"data":[]}`)
}

// No more than maxShares are open at a time.
func TestTooManyShares(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, testCodes)
	for range maxShares {
		s.shareMade(`{"title":"a","ids":["a"]}`)
	}
	s.refuse(s.ask("POST", "/api/v1/shares", `{"title":"a","ids":["a"]}`), 400,
		fmt.Sprintf("Invalid share provided: there are %d open ones already: end one.", maxShares))
	const usualDays = 30 // of a share that names none; then it ends by itself
	s.store.now = func() time.Time { return time.Now().Add((usualDays + 1) * day) }
	s.shareMade(`{"title":"a","ids":["a"]}`)
}

// The ids of one share cannot fill the file.
func TestLargeShare(t *testing.T) {
	flats := make([]string, 200)
	ids := make([]string, len(flats))
	for i := range flats {
		ids[i] = fmt.Sprintf("%q", fmt.Sprint(strings.Repeat("x", 1000), i))
		flats[i] = `{"id":` + ids[i] + `}`
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	got := s.ask("POST", "/api/v1/shares", `{"title":"a","ids":[`+strings.Join(ids, ",")+`]}`)
	if got.status != 400 || !strings.Contains(got.body, "ids: want at most 131072 bytes, got 201") {
		t.Errorf("%d %s; want 400, because the ids have more than 131072 bytes", got.status, got.body)
	}
	s.shareMade(`{"title":"a","ids":[` + strings.Join(ids[:120], ",") + `]}`) // less than 131072 bytes
}

// openShares opens a program whose flats are in a file, next to shares.json.
func openShares(t *testing.T, path string) (*service, *program) {
	t.Helper()
	config := defaultConfig()
	config.Data, config.WebsiteURL = path, "https://flats.example/"
	p, err := openProgram(config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	s := &service{TB: t}
	s.use(p)
	return s, p
}

// sharesFile returns the text of the file that a program stores for one share of flat a with a title, given as JSON,
// and the path of its link, which was opened three times.
func sharesFile(t *testing.T, path, title string) (text, link string) {
	t.Helper()
	s, p := openShares(t, path)
	_, link = s.shareMade(`{"title":`+title+`,"ids":["a"],"days":3}`, "Accept-Language", "de-AT, en")
	for range 3 {
		if got := s.send(request("GET", link)); got.status != 200 {
			t.Fatalf("GET: %d", got.status)
		}
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	return readFile(t, filepath.Join(filepath.Dir(path), "shares.json")), link
}

// shares.json has no token, and only its owner may read it.
func TestSharesFile(t *testing.T) {
	dir := t.TempDir()
	text, link := sharesFile(t, writeFile(t, dir, "flats.json", `[{"id":"a","title":"Loft"}]`), `"x"`)
	info, err := os.Stat(filepath.Join(dir, "shares.json"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v", info.Mode())
	}
	token := strings.TrimPrefix(link, "/s/")
	if strings.Contains(text, token) || !strings.Contains(text, hashOf(token)) {
		t.Errorf("shares.json: %s", text)
	}
}

// The links survive a restart, with their titles, languages and counts.
func TestSharesRestart(t *testing.T) {
	path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a","title":"Loft"}]`)
	const title = `"For\u2028<you>"` // with characters that JSON may write in two ways
	_, link := sharesFile(t, path, title)
	s, p := openShares(t, path)
	if got := s.send(request("GET", link)); got.status != 200 || !strings.Contains(got.body, `lang="de"`) {
		t.Errorf("after a restart: %d %s", got.status, got.body)
	}
	var listed struct {
		Data []struct {
			Title  string
			Opened int
		}
	}
	got := s.ask("GET", "/api/v1/shares", "")
	if err := json.Unmarshal([]byte(got.body), &listed); err != nil || len(listed.Data) != 1 {
		t.Fatalf("after a restart: %s", got.body)
	}
	const opened = 3 + 1 // before and after the restart
	if share := listed.Data[0]; encodeJSON(share.Title) != title || share.Opened != opened {
		t.Errorf("after a restart: %s", got.body)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
}

// The limit on titles counts characters, when a link is made and when it is read again.
func TestShareTitles(t *testing.T) {
	for _, title := range []string{strings.Repeat("x", 200), strings.Repeat("ä", 200), strings.Repeat("漢", 200),
		strings.Repeat("🏠", 200)} {
		text, _ := sharesFile(t, writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`), encodeJSON(title))
		list, err := readShares("shares.json", text)
		if err != nil || len(list) != 1 || list[0].Title != title {
			t.Errorf("%s is read again as %+v, %v", title, list, err)
		}
	}
}

// A damaged shares.json is refused, and left as it is.
func TestSharesDamaged(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[{"id":"a","title":"Loft"}]`)
	text, link := sharesFile(t, path, `"x"`)
	hash := hashOf(strings.TrimPrefix(link, "/s/"))
	good := strings.Split(text, "\n")[1] // the line of the share
	for damage, want := range map[string]string{
		"":            "shares.json:1:1: it is empty",
		"[{}]":        "shares.json:1: id: is missing",
		"[\n{\"x\"}]": "shares.json:2:5: ",
		"[" + strings.Replace(good, `"title"`, `"titel"`, 1) + "]":        `unknown field "titel"`,
		"[" + strings.Replace(good, hash, "ab", 1) + "]":                  "hash: want a SHA-256 in hex",
		"[" + strings.Replace(good, `"ids"`, `"query":"","ids"`, 1) + "]": "query: want one of query and ids",
	} {
		name := writeFile(t, dir, "shares.json", damage)
		config := defaultConfig()
		config.Data = path
		if _, err := openProgram(config, quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", damage, err, want)
		}
		if readFile(t, name) != damage {
			t.Errorf("%s has changed", damage)
		}
	}
}

// Shares stay open over a change of the settings.
func TestSharesOverSettings(t *testing.T) {
	s := newService(t, `[{"id":"a","title":"a"}]`, testCodes)
	_, link := s.shareMade(`{"title":"a","view":{"query":"q=a"}}`)
	if got := s.ask("PATCH", "/api/v1/settings", `{"people":["Ann","Ben"]}`); got.status != 200 {
		t.Fatalf("PATCH: %d %s", got.status, got.body)
	}
	if got := s.send(request("GET", link)); got.status != 200 {
		t.Errorf("after a change of settings: %d %s", got.status, got.body)
	}
}
