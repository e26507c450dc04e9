// Tests of what the page sets.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"flats/internal/imap/imaptest"
	"flats/internal/turns"
)

// A setup is a program in a folder of its own, with a config file.
type setup struct {
	testing.TB
	*program
	folder string
	logs   *lockedBuffer
}

// newSetup opens and starts a program with the text of a config file.
func newSetup(t testing.TB, folder, config string) *setup {
	t.Helper()
	s := &setup{TB: t, folder: folder, logs: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	c, err := parseConfig(filepath.Join(folder, "config.json"), []byte(config), log)
	if err == nil {
		err = c.finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.accessLog = true
	if s.program, err = openProgram(c, log); err != nil {
		t.Fatal(err)
	}
	s.start(t.Context())
	t.Cleanup(func() { s.program.stop() })
	return s
}

// fetch sends a request from this machine. header alternates names and values; Remote is the address of the client.
func (s *setup) fetch(method, path, body string, header ...string) *httptest.ResponseRecorder {
	s.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	for i := 0; i < len(header); i += 2 {
		switch header[i] {
		case "Remote":
			r.RemoteAddr = header[i+1]
		case "Host":
			r.Host = header[i+1]
		default:
			r.Header.Set(header[i], header[i+1])
		}
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// must returns the data of an answer, whose status must be the given one.
func (s *setup) must(status int, method, path, body string, header ...string) string {
	s.Helper()
	w := s.fetch(method, path, body, header...)
	if w.Code != status {
		s.Fatalf("%s %s %.200s: %d %s; want %d", method, path, body, w.Code, w.Body, status)
	}
	var answer struct {
		Data  json.RawMessage
		Wrong map[string]string
	}
	json.Unmarshal(w.Body.Bytes(), &answer)
	if answer.Wrong != nil {
		return strings.Join(slices.Sorted(maps.Keys(answer.Wrong)), " ")
	}
	return string(answer.Data)
}

// setting returns a setting as it is served.
func (s *setup) setting(key string) string {
	s.Helper()
	var all map[string]json.RawMessage
	if err := json.Unmarshal([]byte(s.must(200, "GET", "/api/v1/settings", "")), &all); err != nil {
		s.Fatal(err)
	}
	return string(all[key])
}

const fullSettings = `{"people":["Ann","Ben"],"timezone":"Europe/Paris","keep_photos":false,"max_photos":5000,
	"map_tiles":"https://t.example/{z}/{x}/{y}.png","map_credit":"c","website_url":"http://flats.example/",
	"who_we_are":"Ann & Ben\nno pets","feed_token":"feed-secret","import_token":"import-secret",
	"constraints":{"lyon":{"areas":["FR-84"],"time_to":{"work":{"gps":[45.7,4.8],"mode":"WALK","time":[0,1800]}}}},
	"travel":{"url":"http://127.0.0.1:1/path-secret","contact":"me@example.org"},
	"notify":{"url":"http://127.0.0.1:1/topic-secret?a","headers":{"Authorization":"header-secret"}},
	"mailbox":{"url":"imaps://me@127.0.0.1:1/Flats","password":"mail-secret"}}`

// TestSettings tests that what is set is served without its secrets, stored, and in force at once and after a restart.
func TestSettings(t *testing.T) {
	folder := t.TempDir()
	s := newSetup(t, folder, `{}`)
	if got := s.setting("max_photos") + s.setting("people") + s.setting("website_url"); got !=
		`{"value":2147483648,"from":"default"}{"value":null,"from":"default"}`+
			`{"value":"http://127.0.0.1:8080/","from":"default"}` {
		t.Errorf("the defaults are %s", got)
	}
	check := func(s *setup) {
		t.Helper()
		for key, want := range map[string]string{
			"people":       `{"value":["Ann","Ben"],"from":"settings"}`,
			"who_we_are":   `{"value":"Ann & Ben\nno pets","from":"settings"}`,
			"feed_token":   `{"value":true,"from":"settings"}`,
			"import_token": `{"value":true,"from":"settings"}`,
			"constraints": `{"value":{"lyon":{"areas":["FR-84"],"time_to":{"work":{"gps":[45.7,4.8],"mode":"WALK",` +
				`"time":[0,1800]}}}},"from":"settings"}`,
			"travel":  `{"value":{"contact":"me@example.org","url":true},"from":"settings","host":"127.0.0.1:1"}`,
			"notify":  `{"value":{"headers":{"Authorization":true},"url":true},"from":"settings","host":"127.0.0.1:1"}`,
			"mailbox": `{"value":{"password":true,"url":"imaps://me@127.0.0.1:1/Flats"},"from":"settings"}`,
		} {
			if got := s.setting(key); got != want {
				t.Errorf("%s is %s; want %s", key, got, want)
			}
		}
		if got := s.must(200, "GET", "/api/v1/metadata", ""); !strings.Contains(got, `"people":["Ann","Ben"]`) {
			t.Errorf("/metadata answers %s", got)
		}
		if got := s.must(200, "GET", "/api/v1/time_to_places", ""); got != `{"lyon":{"work":[45.7,4.8]}}` {
			t.Errorf("/time_to_places answers %s", got)
		}
		if got := s.must(200, "GET", "/api/v1/notify", ""); !strings.Contains(got, `"configured":true`) {
			t.Errorf("/notify answers %s", got)
		}
	}
	s.must(200, "PATCH", "/api/v1/settings", fullSettings)
	check(s)
	if info, err := os.Stat(filepath.Join(folder, "settings.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("settings.json: %v, %v", info, err)
	}
	if strings.Contains(s.logs.String(), "secret") {
		t.Errorf("the log has a secret: %s", s.logs)
	}
	s.program.stop()
	s = newSetup(t, folder, `{}`)
	check(s)
	if s.config.WebsiteURL != "http://flats.example/" || s.config.Timezone.String() != "Europe/Paris" {
		t.Errorf("%s %s", s.config.WebsiteURL, s.config.Timezone)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"people":null,"website_url":null}`)
	if got := s.setting("people") + s.setting("website_url"); got !=
		`{"value":null,"from":"default"}{"value":"http://127.0.0.1:8080/","from":"default"}` {
		t.Errorf("after null they are %s", got)
	}
}

// TestSettingsPrecedence tests that the config file wins over the settings.
func TestSettingsPrecedence(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "settings.json", `{"people":["Ann","Ben"],"timezone":"Europe/Paris"}`)
	s := newSetup(t, folder, `{"people":["Cid","Dan"],"timezone":null,"mailbox":{"url":"imaps://a@127.0.0.1:1/x",
		"password":"mail-secret","passwort":"typo-secret"}}`)
	if got := s.setting("people") + s.setting("timezone"); got !=
		`{"value":["Cid","Dan"],"from":"config"}{"value":"Europe/Paris","from":"settings"}` {
		t.Errorf("they are %s", got)
	}
	if got := s.setting("mailbox"); got != `{"value":{"password":true,"url":"imaps://a@127.0.0.1:1/x"},"from":"config"}` {
		t.Errorf("the mailbox is %s", got)
	}
	for body, want := range map[string]string{
		`{"people":["Ann","Ben"]}`:                  "people",
		`{"people":null,"mailbox":{}}`:              "mailbox people",
		`{"people":["Cid","Dan"],"feed_token":"a"}`: "people",
	} {
		if got := s.must(409, "PATCH", "/api/v1/settings", body); got != want {
			t.Errorf("%s: wrong are %s; want %s", body, got, want)
		}
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"timezone":"Europe/Berlin"}`)
	if text := readFile(t, filepath.Join(folder, "settings.json")); text !=
		"{\n\"people\": [\"Ann\",\"Ben\"],\n\"timezone\": \"Europe/Berlin\"\n}\n" {
		t.Errorf("settings.json is %s", text)
	}
}

// TestSettingsRefused tests that wrong settings are refused as a whole, and that the answer names each wrong key and
// quotes no value. Values that must not be quoted have "leak" in them.
func TestSettingsRefused(t *testing.T) {
	folder := t.TempDir()
	s := newSetup(t, folder, `{}`)
	s.must(200, "PATCH", "/api/v1/settings", fullSettings)
	before := readFile(t, filepath.Join(folder, "settings.json"))
	places := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"p%d":{"gps":[1,2]}`, i))
		}
		return strings.Join(list, ",")
	}
	for _, c := range []struct{ body, want string }{
		{``, ""},
		{`[]`, ""},
		{`null`, ""},
		{`"leak"`, ""},
		{`{"a":leak}`, ""},
		{"{\"people\":[\"\xff\"]}", ""},
		{`{"people":["leak"],"timezone":"leak"}`, "people timezone"},
		{`{"people":5,"max_photos":"leak","keep_photos":1}`, "keep_photos max_photos people"},
		{`{"people":["Ann","Ben"],"people":["Ann","Ben"]}`, "people"},
		{`{"addr":":1","password":"leak","geonames":"x","foo":1}`, "addr foo geonames password"},
		{`{"constraints":{"a":{"time_to":{"w":{"gps":[91,0]}}}}}`, "constraints.a.time_to.w.gps"},
		{`{"constraints":{"a":{"place":"leak"}}}`, "constraints.a.place"},
		{`{"constraints":{"a":{"areas":"leak"}}}`, "constraints.a.areas"},
		{`{"constraints":{"a":{"time_to":{` + places(51) + `}}}}`, "constraints.a.time_to"},
		{`{"mailbox":{"url":"imaps://leak:leak@h/f","x":1}}`, "mailbox.password mailbox.url mailbox.x"},
		{`{"mailbox":{"url":"imaps://a@h","password":"leak"}}`, "mailbox.from"},
		{`{"mailbox":{"url":"imaps://a@h/f","password":true}}`, "mailbox.password"},
		{`{"mailbox":{"url":"imaps://b@127.0.0.1:1/Flats","password":true}}`, "mailbox.password"},
		{`{"mailbox":{"url":"imap://me@127.0.0.1:1/Flats","password":true}}`, "mailbox.password"},
		{`{"mailbox":{"url":"imaps://me@127.0.0.1/Flats","password":true}}`, "mailbox.password"},
		{`{"mailbox":{"url":"imaps://me@127.0.0.1:1/Flats","password":"leak","certificate":"leak.pem"}}`,
			"mailbox.certificate"},
		{`{"notify":{"url":"https://127.0.0.1:1/a","headers":{"Authorization":true}}}`, "notify.headers"},
		{`{"notify":{"url":"http://127.0.0.1:2/a","headers":{"Authorization":true}}}`, "notify.headers"},
		{`{"notify":{"url":true,"headers":{"Other":true}}}`, "notify.headers"},
		{`{"notify":{"url":"ftp://leak","body":"{{","remind":"leak"}}`, "notify.body notify.remind notify.url"},
		{`{"travel":{"url":"http://leak@h/","contact":""}}`, "travel.contact travel.url"},
		{`{"postal_codes":["fr"]}`, "postal_codes"},
		{`{"postal_codes":["FR","FR"]}`, "postal_codes"},
		{`{"postal_codes":["FR"]}`, "postal_codes"},
		{`{"postal_codes":["codes.json"]}`, "postal_codes"},
		{`{"website_url":"http://leak@h/"}`, "website_url"},
		{`{"map_tiles":"http://leak"}`, "map_tiles"},
	} {
		w := s.fetch("PATCH", "/api/v1/settings", c.body)
		got := s.must(400, "PATCH", "/api/v1/settings", c.body)
		if got != c.want {
			t.Errorf("%s: wrong are %q; want %q", c.body, got, c.want)
		}
		if strings.Contains(strings.ReplaceAll(w.Body.String(), "leak.pem", ""), "leak") {
			t.Errorf("%s: the answer quotes a value: %s", c.body, w.Body)
		}
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"import_token":null}`)
	if got := s.must(400, "PATCH", "/api/v1/settings", `{"import_token":true}`); got != "import_token" {
		t.Errorf("wrong are %s", got)
	}
	s.must(413, "PATCH", "/api/v1/settings", `{"map_credit":"`+strings.Repeat("a", 1<<20)+`"}`)
	if got := readFile(t, filepath.Join(folder, "settings.json")); got != strings.Replace(before,
		"\"import_token\": \"import-secret\",\n", "", 1) {
		t.Errorf("settings.json has become %s", got)
	}
}

// TestSettingsKeepSecrets tests that true keeps a secret while what it is sent to stays.
func TestSettingsKeepSecrets(t *testing.T) {
	s := newSetup(t, t.TempDir(), `{}`)
	s.must(200, "PATCH", "/api/v1/settings", fullSettings)
	s.must(200, "PATCH", "/api/v1/settings", `{"feed_token":true,"import_token":true,
		"mailbox":{"url":"imaps://me@127.0.0.1:1/Other","password":true,"every":"1h"},
		"notify":{"url":true,"headers":{"Authorization":true,"X":"y"},"remind":"08:00"},
		"travel":{"url":true,"contact":"you@example.org"}}`)
	c := s.config
	for _, secret := range []struct{ got, want string }{
		{c.FeedToken, "feed-secret"},
		{c.ImportToken, "import-secret"},
		{c.Mailbox.Password, "mail-secret"},
		{c.Notify.Headers["Authorization"], "header-secret"},
		{c.Notify.URL, "http://127.0.0.1:1/topic-secret?a"},
		{c.Travel.URL, "http://127.0.0.1:1/path-secret"},
		// What is new is set.
		{c.Mailbox.folder, "Other"},
		{c.Notify.Headers["X"], "y"},
	} {
		if secret.got != secret.want {
			t.Errorf("got %q; want %q", secret.got, secret.want)
		}
	}
	// Another path of the same host is the same receiver.
	s.must(200, "PATCH", "/api/v1/settings",
		`{"notify":{"url":"http://127.0.0.1:1/new","headers":{"Authorization":true}}}`)
	if s.config.Notify.Headers["Authorization"] != "header-secret" || s.config.Notify.URL != "http://127.0.0.1:1/new" {
		t.Errorf("notify is %+v; want the new URL, and the header as it was", s.config.Notify)
	}
}

// TestWhoMaySet tests who may use the routes of the settings.
func TestWhoMaySet(t *testing.T) {
	open := newSetup(t, t.TempDir(), `{"addr":"0.0.0.0:8080","cors_origins":["https://friend.example","*"],
		"website_url":"https://flats.example/","feed_token":"f","import_token":"i"}`)
	closed := newSetup(t, t.TempDir(), `{"username":"me","password":"p","feed_token":"f","import_token":"i",
		"cors_origins":["https://friend.example"],"website_url":"https://flats.example/"}`)
	password := []string{"Authorization", basic("me", "p")}
	for _, c := range []struct {
		s      *setup
		header []string
		want   int
	}{
		// Without a password: programs on this machine, and the page that it opens.
		{open, nil, 200},
		{open, []string{"Remote", "[::1]:1"}, 200},
		{open, []string{"Remote", "[::ffff:127.0.0.1]:1"}, 200},
		{open, []string{"Host", "flats.example"}, 200},
		{open, []string{"Origin", "http://localhost"}, 200},
		{open, []string{"Origin", "https://flats.example", "Sec-Fetch-Site", "same-origin"}, 200},
		// Not other machines, names that are not known, proxies, or pages of other origins.
		{open, []string{"Remote", "192.168.1.5:1"}, 403},
		{open, []string{"Remote", "192.168.1.5:1", "Authorization", "Bearer i"}, 403},
		{open, []string{"Host", "evil.example"}, 403},
		{open, []string{"X-Forwarded-For", "127.0.0.1"}, 403},
		{open, []string{"X-Forwarded-Proto", "https"}, 403},
		{open, []string{"Forwarded", "for=127.0.0.1"}, 403},
		{open, []string{"X-Real-IP", "127.0.0.1"}, 403},
		{open, []string{"Via", "1.1 proxy"}, 403},
		{open, []string{"Origin", "https://friend.example"}, 403},
		{open, []string{"Origin", "null"}, 403},
		{open, []string{"Sec-Fetch-Site", "same-site"}, 403},
		{open, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		// With a password: whoever gives it, but not pages of other origins.
		{closed, nil, 401},
		{closed, []string{"Authorization", "Bearer i"}, 401},
		{closed, []string{"Remote", "192.168.1.5:1"}, 401},
		{closed, slices.Concat(password, []string{"Remote", "192.168.1.5:1", "X-Forwarded-For", "1.2.3.4"}), 200},
		{closed, slices.Concat(password, []string{"Origin", "https://friend.example"}), 403},
		{closed, slices.Concat(password, []string{"Origin", "https://flats.example"}), 200},
	} {
		for _, a := range []ask{
			{method: "GET", target: "/api/v1/settings"},
			{method: "PATCH", target: "/api/v1/settings", body: "{}"}, {method: "GET", target: "/api/v1/postal_codes"},
			{method: "GET", target: "/api/v1/geocode?text=a"}} {
			w := c.s.fetch(a.method, a.target, a.body, append(c.header, "Content-Type", "application/json")...)
			if w.Code != c.want {
				t.Errorf("%s %s with %q: %d %s; want %d", a.method, a.target, c.header, w.Code, w.Body, c.want)
			}
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("%s %s with %q allows %s to read", a.method, a.target, c.header, got)
			}
		}
		want := c.want
		if want == 200 {
			want = 400 // these requests are invalid, which only those are told who may use the routes
		}
		for _, a := range []ask{
			{method: "PUT", target: "/api/v1/postal_codes/x"}, {method: "DELETE", target: "/api/v1/postal_codes/x"},
			{method: "GET", target: "/api/v1/areas"}, {method: "POST", target: "/api/v1/mailbox/try"}} {
			w := c.s.fetch(a.method, a.target, a.body, append(c.header, "Content-Type", "application/json")...)
			if w.Code != want {
				t.Errorf("%s %s with %q: %d %s; want %d", a.method, a.target, c.header, w.Code, w.Body, want)
			}
		}
	}
	got := open.fetch("GET", "/api/v1/settings", "", "Remote", "192.168.1.5:1").Body.String()
	if !strings.Contains(got, "may do this, at localhost: set one there by the page or flats password") {
		t.Errorf("another machine is told %s", got)
	}
}

// TestSettingsRegions tests that places in constraints are refused if they are far from the postal codes, or need a
// travel service and there is none. They stay in force when the codes or the travel service are removed later.
func TestSettingsRegions(t *testing.T) {
	s := newSetup(t, t.TempDir(), `{}`)
	s.must(200, "PUT", "/api/v1/postal_codes/FR", frenchCodes)
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
	for _, c := range []struct{ gps, mode, want string }{
		{"[4.83,45.76]", "WALK", "constraints.a.time_to.w"},
		{"[45.76,4.83]", "PUBLIC_TRANSPORT", "constraints.a.time_to.w.mode"},
	} {
		body := `{"constraints":{"a":{"areas":["FR-84"],"time_to":{"w":{"gps":` + c.gps + `,"mode":"` + c.mode + `"}}}}}`
		if got := s.must(400, "PATCH", "/api/v1/settings", body); got != c.want {
			t.Errorf("%s: wrong are %q; want %q", body, got, c.want)
		}
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"travel":{"url":"http://127.0.0.1:1","contact":"me"},"constraints":{"a":{
		"near":{"gps":[45.76,4.83],"km":15},"time_to":{"w":{"gps":[45.76,4.83],"mode":"PUBLIC_TRANSPORT"}}}}}`)
	s.must(200, "PATCH", "/api/v1/settings", `{"travel":null,"postal_codes":null}`)
	if got := s.must(400, "PATCH", "/api/v1/settings", `{"constraints":{"a":{"near":{"km":-1}}}}`); got !=
		"constraints.a.near.gps constraints.a.near.km" {
		t.Errorf("wrong are %q", got)
	}
}

// TestCodesAfterFlats tests that flats that came before the postal codes and the regions get both once they are in
// force, by a change of settings or by a restart, and only once.
func TestCodesAfterFlats(t *testing.T) {
	t.Parallel()
	const flats = `[{"id":"plain","location":"Rue X, 69001 Lyon","urls":["https://x.fr/1"]},
		{"id":"paris","location":"75001 Paris","currency":"EUR"},
		{"id":"given","location":"69001 Lyon","service_postal_code":"69002"},
		{"id":"own region","location":"69001 Lyon","service_constraint":"elsewhere"},
		{"id":"emptied","location":"69001 Lyon","service_postal_code":"69002"},
		{"id":"no region","location":"69001 Lyon","service_constraint":"elsewhere"},
		{"id":"moved","location":"38000 Grenoble"},
		{"id":"two codes","location":"69002 Lyon or 38000 Grenoble"},
		{"id":"nowhere","title":"t"}]`
	wanted := map[string]string{ // the code, the region and the precision of the position
		"plain":      "69001 lyon postal_code",
		"paris":      "75001  ",
		"given":      "69002 lyon postal_code",
		"own region": "69001 elsewhere ",
		"emptied":    "  ",
		"no region":  "69001  ",
		"moved":      "38000 lyon postal_code", // as an import, which goes by what the listing says
		"two codes":  "  ",
		"nowhere":    "  ",
	}
	const regions = `"constraints":{"lyon":{"areas":["FR-84"]}}`
	add := func(s *setup) {
		s.must(200, "POST", "/api/v1/import", flats)
		s.must(200, "PATCH", "/api/v1/flat/emptied", `{"service_postal_code":null}`)
		s.must(200, "PATCH", "/api/v1/flat/no%20region", `{"service_constraint":null}`)
		s.must(200, "PATCH", "/api/v1/flat/moved", `{"location":"69001 Lyon"}`)
	}
	for name, load := range map[string]func(s *setup) *setup{
		"settings": func(s *setup) *setup {
			s.must(200, "PUT", "/api/v1/postal_codes/FR", frenchCodes)
			s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"],`+regions+`}`)
			return s
		},
		"codes first": func(s *setup) *setup {
			s.must(200, "PUT", "/api/v1/postal_codes/FR", frenchCodes)
			s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
			s.must(200, "PATCH", "/api/v1/settings", `{`+regions+`}`)
			return s
		},
		"regions first, and codes that come later": func(s *setup) *setup {
			withoutLyon := strings.Replace(frenchCodes, "FR\t69001", "FR\t69009", 1)
			s.must(200, "PUT", "/api/v1/postal_codes/FR", withoutLyon)
			s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"],`+regions+`}`)
			s.must(200, "PUT", "/api/v1/postal_codes/FR", frenchCodes)
			return s
		},
		"config": func(s *setup) *setup {
			s.program.stop()
			codes := writeFile(t, s.folder, "FR.txt", frenchCodes)
			return newSetup(s.TB, s.folder, `{"postal_codes":["`+codes+`"],`+regions+`}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSetup(t, t.TempDir(), `{}`)
			add(s)
			updatedAt := s.store.Get("plain").UpdatedAt.JSON()
			s = load(s)
			s.awaitRegion("plain")
			if got := s.store.Get("plain").UpdatedAt.JSON(); got != updatedAt {
				t.Errorf("updated_at is %s; want %s, as before", got, updatedAt)
			}
			for id, want := range wanted {
				f := s.store.Get(id)
				_, _, precision := f.position()
				got := f.ServicePostalCode.String() + " " + f.ServiceConstraint.String() + " " + precision
				if got != want {
					t.Errorf("%s has %q; want %q", id, got, want)
				}
			}
			stored, err := s.store.amend(turns.NewTask(t.Context(), s.store.turns), func(f *Flat) members {
				values, _ := readLater(f, s.store.codes)
				return values
			})
			if stored || err != nil {
				t.Errorf("flats are changed again: %v, %v", stored, err)
			}
			// All of it is durable.
			config := `{}`
			if name == "config" {
				config = `{"postal_codes":["FR.txt"],` + regions + `}`
			}
			s.program.stop()
			before := readFile(t, filepath.Join(s.folder, "flats.json"))
			if !strings.Contains(before, `"69001"`) {
				t.Errorf("flats.json has no code: %s", before)
			}
			s = newSetup(t, s.folder, config)
			s.program.stop() // only after the geocoder has looked at all flats, and may have changed some
			if got := readFile(t, filepath.Join(s.folder, "flats.json")); got != before {
				t.Errorf("after a restart flats.json is\n%s\nwant\n%s", got, before)
			}
		})
	}
}

// awaitRegion waits until a flat has a region.
func (s *setup) awaitRegion(id string) {
	s.Helper()
	for deadline := time.Now().Add(10 * time.Second); !s.store.Get(id).ServiceConstraint.Known(); {
		if time.Now().After(deadline) {
			s.Fatalf("%s has no region: it is %s", id, s.store.Get(id).JSON())
		}
		time.Sleep(time.Millisecond)
	}
}

// TestDamagedSettings tests that the start names a settings.json that it cannot read, and leaves it as it is.
func TestDamagedSettings(t *testing.T) {
	t.Run("a folder", func(t *testing.T) {
		config := defaultConfig()
		config.Data = filepath.Join(t.TempDir(), "flats.json")
		os.Mkdir(filepath.Join(filepath.Dir(config.Data), "settings.json"), 0o700)
		_, err := openProgram(config, quiet)
		if err == nil || !strings.Contains(err.Error(), "settings.json is not a regular file (") ||
			!strings.Contains(err.Error(), "move it away") {
			t.Error(err)
		}
	})
	for _, c := range []struct{ text, want string }{
		{"", "settings.json:1"},
		{"{", "settings.json:1"},
		{`[]`, "settings.json:1"},
		{`{"people":["A","B"],"people":[]}`, "settings.json: people: an object has this key twice"},
		{`{"people":["A"]}`, "settings.json: people: want 2 to 8 names"},
		{`{"addr":":1"}`, "settings.json: addr: is no setting"},
		{`{"feed_token":{"leak":1}}`, "settings.json: feed_token: want a string"},
	} {
		text, want, folder := c.text, c.want, t.TempDir()
		writeFile(t, folder, "settings.json", text)
		config := defaultConfig()
		config.Data = filepath.Join(folder, "flats.json")
		p, err := openProgram(config, quiet)
		if err == nil {
			p.stop()
			t.Errorf("%q is accepted", text)
			continue
		}
		isClear := strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "leak")
		if !isClear || !strings.Contains(err.Error(), "move it away") {
			t.Errorf("%q: %v", text, err)
		}
		if got := readFile(t, filepath.Join(folder, "settings.json")); got != text {
			t.Errorf("%q has become %q", text, got)
		}
	}
}

// TestSettingsKeepWhatLives tests that flats, imports and tags outlive a change of settings.
func TestSettingsKeepWhatLives(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, "flats.json", `[{"id":"a","service_postal_code":"69001","service_constraint":"lyon"}]`)
	s := newSetup(t, folder, `{}`)
	watchers := len(s.store.watchers)
	s.must(200, "POST", "/api/v1/import", `[{"id":"b","cost":5}]`)
	tag := s.fetch("GET", "/api/v1/flats/a", "").Header().Get("Etag")
	metadataTag := s.fetch("GET", "/api/v1/metadata", "").Header().Get("Etag")
	s.must(200, "PUT", "/api/v1/postal_codes/FR", "postal_code,name,lat,lng,area\n69001,Lyon 01,45.77,4.83,FR-84\n")
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"],"constraints":{"lyon":{}},"people":["A","B"]}`)
	if got := s.must(200, "GET", "/api/v1/imports", ""); !strings.Contains(got, `"added":1`) {
		t.Errorf("/imports answers %s", got)
	}
	// The flat has the name of its postal code now, so readers must not take their copies for current.
	w := s.fetch("GET", "/api/v1/flats/a", "", "If-None-Match", tag)
	if w.Code != 200 || !strings.Contains(w.Body.String(), `"name":"Lyon 01"`) {
		t.Errorf("the flat is %d %s", w.Code, w.Body)
	}
	if w := s.fetch("GET", "/api/v1/metadata", "", "If-None-Match", metadataTag); w.Code != 200 {
		t.Errorf("/metadata has the same tag: %d", w.Code)
	}
	// An update with the old tag is accepted, because nobody has changed the flat itself, but only one.
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["A","C"]}`)
	s.must(200, "PATCH", "/api/v1/flat/a", `{"notes":"n"}`, "If-Match", tag)
	s.must(412, "PATCH", "/api/v1/flat/a", `{"notes":"m"}`, "If-Match", tag)
	if n := len(s.store.watchers); n != watchers {
		t.Errorf("there are %d watchers; want %d, as before", n, watchers)
	}
}

// TestSettingsWait tests that a change of settings waits for a change of flats, but not for a reader, that others wait
// for it, and that it gives up after five seconds.
func TestSettingsWait(t *testing.T) {
	t.Parallel()
	s := newSetup(t, t.TempDir(), `{}`)
	s.must(200, "POST", "/api/v1/import", `[{"id":"a"}]`)
	body, end := slowBody(`{"notes":"n"}`)
	done := make(chan int)
	go func() {
		r := httptest.NewRequest("PATCH", "/api/v1/flat/a", body)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		done <- w.Code
	}()
	<-body.begun
	w := s.fetch("PATCH", "/api/v1/settings", `{"people":["A","B"]}`)
	if w.Code != 503 || w.Header().Get("Retry-After") == "" {
		t.Errorf("with an update under way: %d %s", w.Code, w.Body)
	}
	s.must(200, "GET", "/api/v1/flats", "")
	if got := s.setting("people"); got != `{"value":null,"from":"default"}` {
		t.Errorf("people are %s", got)
	}
	time.AfterFunc(time.Second, end)
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["A","B"]}`)
	if code := <-done; code != 200 {
		t.Errorf("the update was answered with %d", code)
	}
	if got := s.must(200, "GET", "/api/v1/flats/a", ""); !strings.Contains(got, `"notes":"n"`) {
		t.Errorf("the flat is %s", got)
	}
	// A reader that takes its answer slowly.
	reader := &stuckWriter{ResponseRecorder: httptest.NewRecorder(), begun: make(chan bool), goOn: make(chan bool)}
	go func() {
		r := httptest.NewRequest("POST", "/api/v1/search", strings.NewReader(`{"query":"x"}`))
		r.Host = "localhost"
		s.handler.ServeHTTP(reader, r)
		done <- reader.Code
	}()
	<-reader.begun
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["A","C"]}`)
	close(reader.goOn)
	if code := <-done; code != 200 {
		t.Errorf("the search was answered with %d", code)
	}
}

// TestReadersDuringSettings tests that requests that change nothing do not wait while settings change.
func TestReadersDuringSettings(t *testing.T) {
	s := newSetup(t, t.TempDir(), `{}`)
	if !s.gate.shut(time.Minute) {
		t.Fatal("somebody is inside the gate")
	}
	var hasOpened atomic.Bool
	timer := time.AfterFunc(10*time.Second, func() {
		hasOpened.Store(true)
		s.gate.open()
	})
	s.must(200, "GET", "/api/v1/flats", "")
	s.must(200, "POST", "/api/v1/search", `{"query":"x"}`)
	s.must(200, "POST", "/api/v1/read", `{"text":"A flat in Zurich for 1500 CHF"}`)
	if hasOpened.Load() {
		t.Error("a reader has waited")
	}
	if timer.Stop() {
		s.gate.open()
	}
}

// A slowReader is a body whose first bytes come when end is closed. It closes begun when they are asked for.
type slowReader struct {
	text    *strings.Reader
	begun   chan bool
	end     chan bool
	isBegun bool
}

func slowBody(text string) (*slowReader, func()) {
	r := &slowReader{text: strings.NewReader(text), begun: make(chan bool), end: make(chan bool)}
	return r, func() { close(r.end) }
}

func (r *slowReader) Read(b []byte) (int, error) {
	if !r.isBegun {
		r.isBegun = true
		close(r.begun)
		<-r.end
	}
	return r.text.Read(b)
}

// A stuckWriter takes the body of an answer, which must be one write, when goOn is closed. It closes begun before.
type stuckWriter struct {
	*httptest.ResponseRecorder
	begun, goOn chan bool
}

func (w *stuckWriter) Write(b []byte) (int, error) {
	close(w.begun)
	<-w.goOn
	return w.ResponseRecorder.Write(b)
}

// TestSettingsNotStored tests that the settings before stay in force, and on the disk, when others cannot be stored.
func TestSettingsNotStored(t *testing.T) {
	folder := t.TempDir()
	s := newSetup(t, folder, `{}`)
	watchers := len(s.store.watchers)
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["A","B"]}`)
	path := filepath.Join(folder, "settings.json")
	text := readFile(t, path)
	writeFile(t, folder, "settings.json", text+" ") // by another program
	s.must(500, "PATCH", "/api/v1/settings", `{"people":["A","C"]}`)
	if got := s.setting("people"); got != `{"value":["A","B"],"from":"settings"}` || readFile(t, path) != text+" " {
		t.Errorf("people are %s", got)
	}
	s.must(200, "POST", "/api/v1/import", `[{"id":"a"}]`)
	if n := len(s.store.watchers); n != watchers {
		t.Errorf("there are %d watchers; want %d, as before", n, watchers)
	}
}

// TestSampleSettings tests that the sample keeps settings in memory, and asks nobody.
func TestSampleSettings(t *testing.T) {
	config, err := options{sample: true}.config(quiet)
	if err == nil {
		err = config.finish()
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProgram(config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	s := &setup{TB: t, program: p}
	s.start(t.Context())
	defer s.program.stop()
	if got := s.setting("people") + s.setting("postal_codes"); got !=
		`{"value":["Ann","Ben"],"from":"settings"}{"value":["DE","FR"],"from":"settings"}` {
		t.Errorf("they are %s", got)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["C","D"],"notify":{"url":"http://127.0.0.1:1/"},
		"mailbox":{"url":"imaps://a@127.0.0.1:1/f","password":"p"},"travel":{"url":"http://127.0.0.1:1","contact":"a"}}`)
	s.must(409, "POST", "/api/v1/notify", "")
	s.must(409, "PUT", "/api/v1/postal_codes/AT", "")
	s.must(409, "POST", "/api/v1/mailbox/try", `{"url":"imaps://a@127.0.0.1:1/f","password":"p"}`)
	if got := s.must(200, "GET", "/api/v1/geocode?text=lyon", ""); !strings.Contains(got, "Lyon") {
		t.Errorf("/geocode answers %s", got)
	}
	if got := s.must(200, "GET", "/api/v1/areas?country=FR", ""); !strings.Contains(got, `"FR-84"`) {
		t.Errorf("/areas answers %s", got)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
	if got := s.must(200, "GET", "/api/v1/opendata/postal_codes?filter[area]=DE-BE", ""); got != "[]" {
		t.Errorf("codes of DE are still loaded: %.200s", got)
	}
}

// TestSettingsTable tests that each key of the config is in one of the two tables, and the docs name each.
func TestSettingsTable(t *testing.T) {
	docs := readFile(t, "docs/running.md")
	keys := map[string]bool{}
	for _, key := range slices.Concat(configKeys, settingKeys) {
		if keys[key.name] {
			t.Errorf("%s is in both tables", key.name)
		}
		keys[key.name] = true
		if !strings.Contains(docs, "| `"+key.name+"`") && !strings.Contains(docs, ", `"+key.name+"` |") {
			t.Errorf("docs/running.md does not name %s", key.name)
		}
	}
	for i := range reflect.TypeFor[Config]().NumField() {
		if key := reflect.TypeFor[Config]().Field(i).Tag.Get("json"); key != "" && !keys[key] {
			t.Errorf("%s is in no table", key)
		}
	}
}

// TestChangeEndsWithClient tests that a change that waits for another one ends when its client goes.
func TestChangeEndsWithClient(t *testing.T) {
	s := newSetup(t, t.TempDir(), `{}`)
	s.changing <- struct{}{} // as another change does
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.program.change(ctx, false, func(*Config) (members, error) { return nil, nil })
	if err == nil {
		t.Error("there is no error")
	}
	<-s.changing
}

// The person of a place must be one of people, whether these are set in the config or in the settings. The error names
// the key, at start and for the page.
func TestPersonsOfPlaces(t *testing.T) {
	const placeOf = `"constraints":{"home":{"time_to":{"work":{"gps":[1,2],"mode":"WALK","person":"%s"}}}}`
	const key = "constraints.home.time_to.work.person"
	folder := t.TempDir()
	s := newSetup(t, folder, `{}`)
	ann := "{" + fmt.Sprintf(placeOf, "Ann") + "}"
	if got := s.must(400, "PATCH", "/api/v1/settings", ann); got != key {
		t.Errorf("without people: %s", got)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["Ann","Ben"],`+ann[1:])
	s.must(200, "GET", "/api/v1/find?sort=travel.Ben&max[travel_longest]=60&fields=travel.Ann", "")
	for _, body := range []string{`{"people":["Ben","Cem"]}`, `{"people":null}`, "{" + fmt.Sprintf(placeOf, "Zoe") + "}"} {
		if got := s.must(400, "PATCH", "/api/v1/settings", body); got != key {
			t.Errorf("%s: %s", body, got)
		}
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"people":["Ben","Cem"],"constraints":{}}`)
	s.must(400, "GET", "/api/v1/find?fields=travel.Ann", "")
	s.program.stop()
	for _, c := range []struct {
		config, settings string
		wrong            string // the file with the wrong person, "" for none
		starts           bool
	}{
		{"{" + fmt.Sprintf(placeOf, "Zoe") + "}", `{"people":["Ann","Ben"]}`, "config.json", false},
		{"{" + fmt.Sprintf(placeOf, "Ben") + "}", `{"people":["Ann","Ben"]}`, "", true},
		{`{"people":["Ann","Ben"]}`, "{" + fmt.Sprintf(placeOf, "Zoe") + "}", "settings.json", true},
		{`{"people":["Ann","Ben"]}`, ann, "", true},
	} {
		folder := t.TempDir()
		path := writeFile(t, folder, "config.json", c.config)
		writeFile(t, folder, "settings.json", c.settings)
		var logs bytes.Buffer
		log := slog.New(slog.NewTextHandler(&logs, nil))
		config, err := options{configFile: path}.config(log)
		if err == nil {
			var p *program
			if p, err = openProgram(config, log); err == nil {
				p.stop()
			}
		}
		said := errorText(err) + logs.String()
		isRight := !strings.Contains(said, "want one of people")
		if c.wrong != "" {
			isRight = strings.Contains(said, c.wrong+": "+key+": want one of people")
		}
		if !isRight || (err == nil) != c.starts {
			t.Errorf("%s, %s: %v, %s", c.config, c.settings, err, &logs)
		}
	}
}

// TestPersonsChangedByConfig tests that places whose people the config has replaced keep no other setting from
// changing.
func TestPersonsChangedByConfig(t *testing.T) {
	const key = "constraints.home.time_to.work.person"
	folder := t.TempDir()
	writeFile(t, folder, "settings.json",
		`{"constraints":{"home":{"time_to":{"work":{"gps":[1,2],"mode":"WALK","person":"Ann"}}}}}`)
	s := newSetup(t, folder, `{"people":["Ben","Cem"]}`)
	if !strings.Contains(s.logs.String(), key) {
		t.Errorf("the log is %s", s.logs)
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"map_credit":"a"}`)
	same := `{"constraints":` + valueOf(s.setting("constraints")) + `}`
	if got := s.must(400, "PATCH", "/api/v1/settings", same); got != key {
		t.Errorf("wrong are %s", got)
	}
}

func valueOf(setting string) string {
	var shown shownSetting
	json.Unmarshal([]byte(setting), &shown)
	return string(shown.Value)
}

// TestMissingCertificate tests that the service starts without the certificate of a mailbox that the page has set. It
// says what is missing, changes other settings, and reads the mailbox when the file is there.
func TestMissingCertificate(t *testing.T) {
	mails := imaptest.NewServer(t, alertMail(1, 840))
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: mails.Certificate.Certificate[0]})
	value := fmt.Sprintf(`{"mailbox":{"url":"imaps://hunter@127.0.0.1:%d/Flats","password":"secret-1","certificate":`+
		`"cert.pem"}}`, mails.Listen())
	for name, put := range map[string]func(path string) error{
		"none":     func(string) error { return nil },
		"empty":    func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"half":     func(path string) error { return os.WriteFile(path, certificate[:len(certificate)/2], 0o600) },
		"nowhere":  func(path string) error { return os.Symlink("none.pem", path) },
	} {
		folder := t.TempDir()
		writeFile(t, folder, "settings.json", value)
		path := filepath.Join(folder, "cert.pem")
		if err := put(path); err != nil {
			t.Fatal(err)
		}
		s := newSetup(t, folder, `{}`)
		isSaid := func() bool {
			state := s.must(200, "GET", "/api/v1/mailbox", "")
			return strings.Contains(state, `"error":"mailbox.certificate: `) && strings.Contains(state, path)
		}
		awaitTrue(t, name, isSaid)
		if logs := s.logs.String(); !strings.Contains(logs, "level=WARN") || !strings.Contains(logs, "mailbox.certificate") {
			t.Errorf("%s: the log is %s", name, logs)
		}
		s.must(200, "PATCH", "/api/v1/settings", `{"map_credit":"a"}`)
		newValue := strings.ReplaceAll(value, "secret-1", "secret-2")
		if got := s.must(400, "PATCH", "/api/v1/settings", newValue); got != "mailbox.certificate" {
			t.Errorf("%s: wrong are %s", name, got)
		}
		os.Remove(path)
		writeFile(t, folder, "cert.pem", string(certificate))
		s.must(200, "PATCH", "/api/v1/settings", `{"map_credit":"b"}`) // looks at once
		awaitTrue(t, name, func() bool {
			return strings.Contains(s.must(200, "GET", "/api/v1/mailbox", ""), `"error":null,"mails":1`)
		})
		s.program.stop()
	}
}

func awaitTrue(t *testing.T, name string, isTrue func() bool) {
	t.Helper()
	for range 500 {
		if isTrue() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s: it takes too long", name)
}

// A byte order mark before the settings, which some editors write, does not count.
func TestReadSettingsMark(t *testing.T) {
	t.Parallel()
	settings, err := readSettings(settingsBase, "\uFEFF{\"map_credit\":\"x\"}")
	if err != nil || settings.text("map_credit") != `"x"` {
		t.Errorf("the settings are %v, %v; want x as map_credit", settings, err)
	}
}
