// Tests of sharepage.go.

package main

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

// request returns a request as a browser on the service's host sends it. header alternates names and values.
func request(method, target string, header ...string) *http.Request {
	r := httptest.NewRequest(method, target, nil)
	r.Host, r.RemoteAddr = "flats.example", "203.0.113.7:1234"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return r
}

// fullFlat has a value in each field. What a page must not show has the word SECRET, or is one of the values in private
// (see TestSharedFacts).
const fullFlat = `{"id":"SECRETid@site","title":"Loft in the south","text":"Bright.\n\nQuiet.","area":71.5,"cost":1440,
	"currency":"€","utilities":"excluded","charges":191,"deposit":7766,"fee":5544,"rooms":2.5,"bedrooms":9,
	"date":"2019-08-07","location":"12 SECRETstreet","station":"SECRETstation","phone":"SECRET0151",
	"photos":["http://pics.example/1.jpg","https://pics.example/2.jpg","data:image/svg+xml,SECRETsvg",
		"javascript:SECRETjs",{"url":"https://pics.example/3.jpg"}],
	"urls":["javascript:alert(1)","https://site.example/7?a=1&b=2"],
	"details":{"floor":"3rd","heating":"call 0151 23456789","condition":"me@mail.example",
		"garden":"see www.site.example",
		"parking":"https://site.example/p","kitchen":true,"yearBuilt":1910,"available_from":"2026-12-01",
		"pets":{"SECRETpet":1},"gps":[48.123,11.456],"SECRETname":"SECRETvalue","read":{"SECRETread":1},
		"mail":{"from":"SECRETmail"},"commute":"SECRETway","deposit":1500,"lift":"\u202eSECRET@x"},
	"merged_ids":["SECRETmerged"],"notes":"SECRETnotes","notation":3.5,"status":"followed",
	"visit_date":"2026-11-03T18:15:00Z","service_constraint":"lyon","service_postal_code":"69007",
	"service_stations":[{"name":"SECRETstop","gps":[1,2]}],
	"service_time_to":{"Work":{"time":1500,"gps":[45.987,4.321],"mode":"WALK"},
		"Gym":{"time":5400,"estimated":{"over":true}},"School":{"time":600,"estimated":{"precision":"street"}}},
	"first_seen":"2018-07-06T05:04:03Z",
	"cost_history":[{"date":"2018-07-06","cost":1333},{"date":"2018-07-07","cost":1440}],
	"not_duplicates":["SECRETnot"],"next_step":"SECRETstep","next_date":"2017-06-05","updated_at":"2016-05-04T03:02:01Z",
	"status_since":"2015-04-03T02:01:00Z","status_by":"SECRETAnn","ratings":{"SECRETAnn":3,"SECRETBen":4},
	"corrected":{"title":"SECRETbefore"},
	"found_position":{"lat":45.75,"lng":4.85,"precision":"house","text":"SECRETfound"},
	"kept_photos":null,"gps":[45.761,4.851],"SECRETunknown":"SECRETelse"}`

// A page shows only the facts of a flat.
func TestSharedFacts(t *testing.T) {
	s := newService(t, "["+fullFlat+"]", testCodes)
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	s = s.with(func(c *Config) { c.Timezone = zone })
	// Parts of the values that a page must not show: of costs, dates, positions, contacts and addresses.
	const private = "SECRET 7766 5544 1333 2019 2018 2017 2016 2015 45.9 4.32 45.7 4.85 48.1 11.4 0151 mail.example " +
		"www.site javascript data: notes\" Rating Visit"
	_, path := s.shareMade(`{"title":"Three <homes>","ids":["SECRETid@site"],"days":3}`)
	got := s.send(request("GET", path))
	for _, want := range []string{"<title>Three &lt;homes&gt;</title>", `lang="en"`, "1 flat · open until ",
		"<h2>Loft in the south</h2>", ">€1,440<", "€1,631 all in", "71.5\u00a0m²", "2.5 rooms", "<p>69007 Lyon 7e</p>",
		"Bright.\n\nQuiet.", "<dt>Floor</dt><dd>3rd</dd>", "<dt>Kitchen</dt><dd>yes</dd>",
		"<dt>Year built</dt><dd>1910</dd>", "<dt>Available from</dt><dd>1 Dec 2026</dd>", "<dt>Deposit</dt><dd>€1,500</dd>",
		"<dt>Work</dt><dd>25\u00a0min</dd>", "<dt>Gym</dt><dd>&gt;\u00a01\u00a0h\u00a030</dd>",
		"<dt>School</dt><dd>≈\u00a010\u00a0min</dd>", `<a href="https://site.example/7?a=1&amp;b=2"`,
		">Open the listing</a>",
		`src="https://pics.example/1.jpg"`, `src="https://pics.example/2.jpg"`, `src="https://pics.example/3.jpg"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	_, body, _ := strings.Cut(got.body, "<main>")
	for _, part := range strings.Fields(private) {
		if at := strings.Index(body, part); at >= 0 {
			t.Errorf("the page has %s: %.80s", part, body[max(0, at-20):])
		}
	}
	for _, tag := range []string{"<script", "<button", "<form", "<input", "<iframe", "<link", "style=", "onclick"} {
		if strings.Contains(got.body, tag) {
			t.Errorf("the page has %s", tag)
		}
	}
	for with, want := range map[string]string{
		"street":  "12 SECRETstreet, 69007 Lyon 7e",
		"notes":   `<dt>Notes</dt><dd class="text">SECRETnotes</dd>`,
		"ratings": `<dt>Rating</dt><dd class="text">★ 3.5</dd>`,
		"visit":   `<dt>Visit</dt><dd class="text">3 Nov 2026, 19:15</dd>`,
	} {
		_, path := s.shareMade(`{"title":"x","view":{"query":""},"with":["` + with + `"]}`)
		body := s.send(request("GET", path)).body
		if !strings.Contains(body, want) || strings.Count(body, "SECRET") != strings.Count(want, "SECRET") {
			t.Errorf("with %s: %s", with, body)
		}
	}
	if strings.Contains(s.logs.String(), strings.TrimPrefix(path, sharePath)) {
		t.Errorf("the log has the token: %s", s.logs)
	}
}

// A page has the words and numbers of the language in which it was made.
func TestShareLanguages(t *testing.T) {
	s := newService(t, "["+fullFlat+"]", testCodes)
	s.store.now = func() time.Time { return time.Date(2026, 1, 3, 4, 5, 6, 0, time.UTC) }
	for accepted, want := range map[string]string{
		"de-CH, fr": "de|offen bis |1.440\u00a0€|1.631\u00a0€ gesamt|71,5\u00a0m²|2,5 Zimmer|<dt>Etage</dt>|" +
			"Anzeige öffnen|01.12.2026|1 Wohnung",
		"fr": "fr|ouvert jusqu’au |1\u202f440\u00a0€|1\u202f631\u00a0€ tout compris|2,5 pièces|Étage|" +
			"Ouvrir l’annonce|01/12/2026|1 logement",
		"nl, en-GB":  "en|open until 2 Feb 2026|€1,440",
		"":           "en|open until",
		"nl;q=1, xx": "en|open until",
	} {
		_, path := s.shareMade(`{"title":"x","view":{"query":""}}`, "Accept-Language", accepted)
		body := s.send(request("GET", path, "Accept-Language", "fr")).body
		language, parts, _ := strings.Cut(want, "|")
		for part := range strings.SplitSeq(parts, "|") {
			if !strings.Contains(body, `<html lang="`+language+`">`) || !strings.Contains(body, part) {
				t.Errorf("%s: %s is missing in %s", accepted, part, body)
			}
		}
	}
	for _, language := range languages {
		words := pageWordsOf(language)
		for _, name := range []string{"until", "untitled", "photo", "open_listing", "no_share", "ask_again", "yes", "no",
			"no_price", "all_in", "n_flats", "n_flats+", "n_rooms", "n_rooms+", "photos", "notes", "notation", "visit_date"} {
			if words.texts[name] == "" {
				t.Errorf("%s has no %s", language, name)
			}
		}
		if !slices.Equal(words.factNames, pageWordsOf("en").factNames) || len(words.factNames) < 15 {
			t.Errorf("%s has the facts %q", language, words.factNames)
		}
	}
}

// A page has no flats that were dismissed or are gone since, and at most 500 flats of a view.
func TestSharedFlats(t *testing.T) {
	s := newService(t, `[{"id":1,"title":"One"},{"id":2,"title":"Two","gone":"2026-01-01"},
		{"id":3,"title":"Three","status":"ignored"},{"id":4,"title":"Four","status":"duplicate"},
		{"id":5,"title":"Five","status":"deleted"},{"id":6,"title":"Six","status":"visited"}]`, testCodes)
	_, ids := s.shareMade(`{"title":"x","ids":[6,5,4,3,2,1]}`)
	_, view := s.shareMade(`{"title":"x","view":{"query":"known[title]=yes&q=one+OR+two+OR+three"}}`)
	titles := func(path string) string {
		found := regexp.MustCompile(`<h2>([^<]*)`).FindAllStringSubmatch(s.send(request("GET", path)).body, -1)
		var all []string
		for _, title := range found {
			all = append(all, title[1])
		}
		return strings.Join(all, " ")
	}
	if got := titles(view); got != "One" {
		t.Errorf("by a view: %s", got)
	}
	if got := titles(ids); got != "Six One" {
		t.Errorf("by ids: %s", got)
	}
	s.ask("PATCH", "/api/v1/flat/6", `{"status":"ignored"}`)
	if got := titles(ids); got != "One" {
		t.Errorf("after one was dismissed: %s", got)
	}
	s.ask("PATCH", "/api/v1/flat/6", `{"status":"new"}`)
	if got := titles(ids); got != "Six One" {
		t.Errorf("after it was taken back: %s", got)
	}
	many := newService(t, manyFlats(maxSharedFlats+100, `"title":"x"`), testCodes)
	_, all := many.shareMade(`{"title":"x","view":{"query":""}}`)
	body := many.send(request("GET", all)).body
	if n := strings.Count(body, "<article>"); n != maxSharedFlats || !strings.Contains(body, ">500 flats · ") {
		t.Errorf("%d flats", n)
	}
}

// A page whose query is not valid any more is empty.
func TestStaleShare(t *testing.T) {
	s := newService(t, `[{"id":1,"service_time_to":{"work":{"time":60}}}]`, testCodes)
	p := testProgram(t, s.config, s.store, quiet)
	s.use(p)
	query := "filter[rating.Ann]=1" // no longer valid, as there are no people
	list := []Share{{ID: "x", Hash: hashOf("t"), Title: "x", Query: &query, Language: "en", Until: time.Now().Add(day)}}
	p.shares.list.Store(&list)
	got := s.send(request("GET", "/s/t"))
	if got.status != 200 || !strings.Contains(got.body, "0 flats") || !strings.HasSuffix(got.body, "</html>\n") {
		t.Errorf("%d %s; want 200 and a whole page of 0 flats", got.status, got.body)
	}
}

// A link opens its page without a password, and no other page. It also works on another site.
func TestShareAccess(t *testing.T) {
	s := newService(t, "["+fullFlat+"]", testCodes).with(func(c *Config) { c.Username, c.Password = "me", "pass" })
	s.refuse(s.ask("POST", "/api/v1/shares", `{"title":"x","view":{"query":""}}`), 401,
		"The user name or the password is wrong or missing.")
	password := []string{"Authorization", basic("me", "pass")}
	id, path := s.shareMade(`{"title":"x","view":{"query":""}}`, password...)
	token := strings.TrimPrefix(path, sharePath)
	for _, header := range [][]string{
		nil,
		{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
		{"Authorization", basic("me", "wrong")},
		{"Cookie", "a=b"},
	} {
		got := s.send(request("GET", path, header...))
		h := got.header
		if got.status != 200 || h["Set-Cookie"] != nil || h["Www-Authenticate"] != nil || h["X-Flats"] != nil {
			t.Errorf("%v: %d %v", header, got.status, h)
		}
		style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(got.body)[1]
		hash := sha256.Sum256([]byte(style))
		for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer",
			"Cache-Control": "private, no-store", "Content-Type": "text/html; charset=utf-8",
			"X-Content-Type-Options": "nosniff", "Etag": "",
			"Content-Security-Policy": "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
				"'; img-src 'self' https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"} {
			if h.Get(name) != want {
				t.Errorf("%s: %s; want %s", name, h.Get(name), want)
			}
		}
	}
	get, head := s.send(request("GET", path)), s.send(request("HEAD", path))
	if head.status != 200 || head.body != "" || fmt.Sprint(head.header) != fmt.Sprint(get.header) {
		t.Errorf("HEAD: %d %v\nGET: %v", head.status, head.header, get.header)
	}
	for _, other := range []string{"/?token=" + token, "/api/v1/shares", "/api/v1/shares/" + token,
		"/api/v1/flats?s=" + token, "/api/v1/ics/visits.ics?token=" + token, "/api/v1/photos/" + token} {
		if got := s.send(request("GET", other)); got.status != 401 {
			t.Errorf("%s: %d", other, got.status)
		}
	}
	for _, other := range []string{path + "/", path + "/photos", path + "/photos/", path + "/../../api/v1/flats",
		path + "/photos/../../../api/v1/flats", path + "/%2e%2e/api/v1/flats", path + "%2f", "/s/",
		"/s/" + token[1:], "/s/" + token + "x", "/s//" + token, "/s/../api/v1/flats", "/s/..%2fapi/v1/flats",
		path + "/photos/" + hashOf("x"), path + "/photos/..%2f..", "/s/" + strings.ToLower(token)} {
		if got := s.send(request("GET", other)); got.status != 404 || strings.Contains(got.body, "SECRET") {
			t.Errorf("%s: %d %s", other, got.status, got.body)
		}
	}
	if got := s.send(request("POST", path)); got.status != 405 || got.header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("POST: %d %v", got.status, got.header)
	}
	if got := s.ask("DELETE", "/api/v1/shares/"+id, "", password...); got.status != 204 {
		t.Errorf("DELETE: %d", got.status)
	}
}

// Unknown links, ended links and links that have ended by themselves get the same 404, after the same work.
func TestNoShare(t *testing.T) {
	s := newService(t, `[{"id":1}]`, testCodes)
	now := time.Date(2026, 1, 3, 4, 5, 6, 0, time.UTC)
	s.store.now = func() time.Time { return now }
	s.shareMade(`{"title":"x","ids":[1],"days":300}`)
	_, expired := s.shareMade(`{"title":"x","ids":[1],"days":1}`)
	id, ended := s.shareMade(`{"title":"x","ids":[1],"days":300}`)
	s.ask("DELETE", "/api/v1/shares/"+id, "")
	now = now.Add(day)
	const unknown = "/s/AAAAAAAAAAAAAAAAAAAAAA"
	paths := []string{unknown, expired, ended, unknown + "/photos/" + hashOf("x"), expired + "/photos/" + hashOf("x"),
		ended + "/photos/" + hashOf("x")}
	for _, c := range []struct {
		header      []string
		contentType string
		want        string
	}{
		{nil, typeJSON, `"There is no such page, or not any more."`},
		{[]string{"Sec-Fetch-Mode", "navigate", "Accept-Language", "de"}, "text/html; charset=utf-8",
			"<h1>Dieser Link führt nirgendwohin</h1>"},
		{[]string{"Accept", "text/html,*/*"}, "text/html; charset=utf-8", "<h1>This link leads nowhere</h1>"},
		{[]string{"Accept", "text/html", "Sec-Fetch-Mode", "no-cors"}, typeJSON, "There is no such page"},
	} {
		first := s.send(request("GET", unknown, c.header...))
		contentType := first.header.Get("Content-Type")
		if first.status != 404 || contentType != c.contentType || !strings.Contains(first.body, c.want) {
			t.Errorf("%v: %d %v %s", c.header, first.status, first.header, first.body)
		}
		for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Referrer-Policy": "no-referrer",
			"Cache-Control": "private, no-store", "X-Flats": "", "Set-Cookie": ""} {
			if first.header.Get(name) != want {
				t.Errorf("%s: %s; want %s", name, first.header.Get(name), want)
			}
		}
		work := testing.AllocsPerRun(20, func() { s.send(request("GET", unknown, c.header...)) })
		for _, path := range paths[1:] {
			got := s.send(request("GET", path, c.header...))
			if fmt.Sprint(got) != fmt.Sprint(first) {
				t.Errorf("%s: %v\nwant %v", path, got, first)
			}
			if strings.Contains(path, "photos") {
				continue
			}
			// Comparing a token with all shares takes the same work for each token.
			spent := testing.AllocsPerRun(20, func() { s.send(request("GET", path, c.header...)) })
			if math.Abs(spent-work) > 2 { // buffers are reused, but not always
				t.Errorf("%s: %v allocations; want %v", path, spent, work)
			}
		}
	}
}

// Kept photos of the flats on a page are served below it, and no others.
func TestSharedPhotos(t *testing.T) {
	dir := t.TempDir()
	kept := func(names ...string) string {
		var list []string
		for _, name := range names {
			list = append(list, fmt.Sprintf(`{"url":"http://h/%s","hash":"%s"}`, name, hashOf("http://h/"+name)))
		}
		return "[" + strings.Join(list, ",") + "]"
	}
	path := writeFile(t, dir, "flats.json", `[
		{"id":"a","status":"followed","photos":["http://h/1","http://h/x"],"kept_photos":`+kept("1", "2", "lost")+`},
		{"id":"b","status":"followed","photos":["http://h/3"],"kept_photos":`+kept("3")+`}]`)
	store, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	os.Mkdir(filepath.Join(dir, "photos"), 0o700)
	for _, name := range []string{"1", "2", "3"} {
		writeFile(t, filepath.Join(dir, "photos"), hashOf("http://h/"+name), pngOf("photo "+name))
	}
	s := newService(t, "[]", "[]")
	s.store, s.importer = store, newImporter(store)
	s = s.with(func(c *Config) { c.Data, c.Username, c.Password = path, "u", "p" })
	id, link := s.shareMade(`{"title":"x","ids":["a"]}`, "Authorization", basic("u", "p"))
	body := s.send(request("GET", link)).body
	photo := func(name string) string { return link + "/photos/" + hashOf("http://h/"+name) }
	sources := regexp.MustCompile(`<img src="([^"]*)"`).FindAllStringSubmatch(body, -1)
	relative := func(name string) string { return strings.TrimPrefix(photo(name), "/s/") }
	// The photos of the listing, one of them kept, and then the other kept ones.
	want := []string{relative("1"), "https://h/x", relative("2"), relative("lost")}
	for i, source := range sources {
		if len(sources) != len(want) || html.UnescapeString(source[1]) != want[i] {
			t.Fatalf("photos %q; want %q", sources, want)
		}
	}
	got := s.send(request("GET", photo("2"), "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors"))
	if got.status != 200 || got.body != pngOf("photo 2") {
		t.Errorf("a kept photo: %d %q", got.status, got.body)
	}
	for name, want := range map[string]string{
		"Content-Type":            "image/png",
		"Cache-Control":           "private, no-store",
		"Content-Security-Policy": "sandbox; frame-ancestors 'none'",
		"X-Robots-Tag":            "noindex",
		"Referrer-Policy":         "no-referrer",
	} {
		if value := got.header.Get(name); value != want {
			t.Errorf("%s: %q; want %q", name, value, want)
		}
	}
	part := s.send(request("GET", photo("2"), "Range", "bytes=1-3"))
	if part.status != 206 || part.body != "PNG" {
		t.Errorf("a range: %d %q", part.status, part.body)
	}
	for _, name := range []string{"3", "lost", "none"} {
		if got := s.send(request("GET", photo(name))); got.status != 404 {
			t.Errorf("photo %s: %d", name, got.status)
		}
	}
	got = s.ask("GET", "/api/v1/shares", "", "Authorization", basic("u", "p"))
	if !strings.Contains(got.body, `"opened":1`) {
		t.Errorf("photos count: %s", got.body)
	}
	s.ask("DELETE", "/api/v1/shares/"+id, "", "Authorization", basic("u", "p"))
	if got := s.send(request("GET", photo("1"))); got.status != 404 {
		t.Errorf("a photo of an ended share: %d", got.status)
	}
}

// No log has a token, not even the access log.
func TestShareLogs(t *testing.T) {
	s := newService(t, `[{"id":1}]`, testCodes).with(func(c *Config) { c.WebsiteURL = "https://flats.example/sub/" })
	got := s.ask("POST", "/api/v1/shares", `{"title":"x","ids":[1]}`)
	found := regexp.MustCompile(`https://flats.example(/sub/s/([\w-]{22}))"`).FindStringSubmatch(got.body)
	path, token := found[1], found[2]
	// Paths that show a share, and paths like them that show none.
	for _, target := range []string{path, path + "/photos/x", "//s/" + token, "/s/" + token, "/sub//s/" + token,
		"/x/s/" + token, "/s%2f" + token, "/s/" + token + "/s/", "/S/" + token, "/api/v1/s/" + token, "/s/%20" + token} {
		s.send(request("GET", target))
		s.send(request("PUT", target))
	}
	logs := s.logs.String()
	if strings.Contains(logs, token) || strings.Count(logs, "/s/…") < 10 { // of the 22 requests, some have another path
		t.Errorf("the log has the token, or no requests:\n%s", logs)
	}
	if got := s.send(request("GET", path)); got.status != 200 {
		t.Errorf("below the website's path: %d %s", got.status, got.body)
	}
	if got := loggedPath("/api/v1/flats/a/s/b"); got != "/api/v1/flats/a/s/b" {
		t.Errorf("the path of a flat is logged as %s", got)
	}
}

// Nothing that listings say becomes markup or runs.
func TestShareInjection(t *testing.T) {
	flat := `{"id":"a","title":"T%[1]s","text":"%[1]s","currency":"%[1]s","cost":5,"location":"%[1]s","notes":"%[1]s",
		"service_postal_code":"%[1]s","details":{"floor":"<i>","heating":"%[1]s","lift":"javascript:alert(1)"},
		"photos":["javascript:alert(1)","https://h/\"onerror=alert(1)","//h/x","https://h/%%22><script>","data:text/html,x"],
		"urls":["JaVaScRiPt:alert(1)","data:text/html,<script>","https://h/'\"><script>alert(1)</script>"],
		"service_time_to":{"%[1]s":{"time":60}}}`
	const bad = `"'</style></title><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}`
	escaped := strings.Trim(encodeJSON(bad), `"`) + `\u0000\u202e\u2066` // NUL, and characters that turn text around
	s := newService(t, "["+fmt.Sprintf(flat, escaped)+"]", testCodes)
	title, _, _ := strings.Cut(escaped, `\u0000`)
	_, path := s.shareMade(`{"title":"` + title + `","ids":["a"],"with":["street","notes"]}`)
	body := s.send(request("GET", path)).body
	unquoted := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(body, "")
	for tag, want := range map[string]int{"<script": 0, "</style>": 1, "<img": 2, "<a ": 1} {
		if got := strings.Count(body, tag); got != want {
			t.Errorf("the page has %d %s; want %d: %s", got, tag, want, body)
		}
	}
	hasHandler := regexp.MustCompile(`<[^>]* on\w+=`).MatchString(unquoted)
	if hasHandler || strings.ContainsAny(body, "\x00\u202e\u2066") {
		t.Errorf("markup of listings: %s", body)
	}
	for _, address := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if !strings.HasPrefix(address[1], "https://h/") {
			t.Errorf("the address %s", address[1])
		}
	}
}

// A fact that is a date is shown as the clocks of the config show it, as the page shows it to somebody there, in
// the language of the page.
func TestSharedDates(t *testing.T) {
	for _, c := range []struct{ language, zone, date, want string }{
		{"en", "Europe/Berlin", "2026-12-01T00:00:00+01:00", "1 Dec 2026"},
		{"en", "Europe/Berlin", "2026-12-01 00:00+0100", "1 Dec 2026"},
		{"en", "Europe/Berlin", "2026-11-30T23:00:00Z", "1 Dec 2026"},
		{"en", "Europe/Berlin", "2026-07-01T00:00:00.5+02", "1 Jul 2026"},
		{"en", "Europe/Berlin", "2026-12-01T23:59:00", "1 Dec 2026"}, // without an offset it is in any zone
		{"en", "Europe/Berlin", "2026-12-01", "1 Dec 2026"},
		{"en", "America/New_York", "2026-12-01T00:00:00+01:00", "30 Nov 2026"},
		{"en", "America/New_York", "2026-12-01T00:00", "1 Dec 2026"},
		{"en", "America/New_York", "2026-12-01T00:00:00-05:00", "1 Dec 2026"},
		{"en", "Pacific/Auckland", "2026-11-30T12:00:00Z", "1 Dec 2026"},
		{"de", "Europe/Berlin", "2026-12-01T00:00:00+01:00", "01.12.2026"},
		{"de", "Europe/Berlin", "2027-01-05", "05.01.2027"},
		{"fr", "Europe/Paris", "2026-11-30T23:00:00Z", "01/12/2026"},
		{"de", "Europe/Berlin", "5th January 2027", "5th January 2027"}, // words of the listing stay
		{"fr", "Europe/Paris", "01.01.2027", "01.01.2027"},
	} {
		zone, err := time.LoadLocation(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		p := sharedPage{pageWords: pageWordsOf(c.language), zone: zone}
		if got := p.fact(nil, "available_from", []byte(encodeJSON(c.date))); got != c.want {
			t.Errorf("%s in %s: %s; want %s", c.date, c.zone, got, c.want)
		}
	}
}

// A deposit with as many digits as a phone number is shown if it has the currency of the flat.
func TestSharedDeposit(t *testing.T) {
	p := sharedPage{pageWords: pageWordsOf("en")}
	flats, err := readFlats("test", []byte(`[{"id":1,"currency":"EUR"}]`), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"deposit", "3.751,50 €", "€3,751.50"}, {"deposit", "3751.50", ""}, {"deposit", "CHF 3751.50", ""},
		{"deposit", "0151 23456", ""}, {"floor", "3.751,50 €", ""}, {"deposit", "2 months", "2 months"},
	} {
		if got := p.fact(flats[0], c.name, []byte(encodeJSON(c.text))); got != c.want {
			t.Errorf("%s %s: %q; want %q", c.name, c.text, got, c.want)
		}
	}
}

// Money has two decimals or none.
func TestSharedMoney(t *testing.T) {
	for _, c := range []struct{ language, currency, want string }{
		{"en", "EUR", "€800.50"}, {"en", "CHF", "CHF\u00a0800.50"}, {"de", "EUR", "800,50\u00a0€"},
		{"fr", "", "800,50"},
	} {
		flats, err := readFlats("test", []byte(`[{"id":1,"currency":"`+c.currency+`"}]`), nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		words := pageWordsOf(c.language)
		if got := words.money(flats[0], 800.5); got != c.want {
			t.Errorf("%s: %q; want %q", c.language, got, c.want)
		}
		if got := words.money(flats[0], 1240); strings.HasSuffix(got, "0.00") || strings.Contains(got, "1240") {
			t.Errorf("%s: %q", c.language, got)
		}
	}
}

// Numbers on a page are rounded as the page of the household rounds them.
func TestSharedRounding(t *testing.T) {
	words := pageWordsOf("de")
	for number, want := range map[float64]string{62.25: "62,3", 62.35: "62,4", 0.05: "0,1", 1249.95: "1.250",
		-62.25: "-62,3", 71.5: "71,5", 46: "46"} {
		if got := words.number(number, 1); got != want {
			t.Errorf("%v: %s; want %s", number, got, want)
		}
	}
	for number, want := range map[float64]string{1.005: "1,01", 2.675: "2,68", 1440.125: "1.440,13", 999.999: "1.000"} {
		if got := words.number(number, 2); got != want {
			t.Errorf("%v: %s; want %s", number, got, want)
		}
	}
}

// A flat without anything has a page, too.
func TestSharedNothing(t *testing.T) {
	s := newService(t, `[{"id":"SECRET","cost":0,"photos":"x","urls":7,"details":[1],"service_time_to":"x",
		"location":"SECRET 1","service_postal_code":"SECRET street"}]`, testCodes)
	_, path := s.shareMade(`{"title":"x","ids":["SECRET"]}`)
	body := s.send(request("GET", path)).body
	isNamed := strings.Contains(body, "<h2>Flat</h2>") && strings.Contains(body, "no price")
	if !isNamed || strings.Contains(body, "SECRET") {
		t.Error(body)
	}
}

// A text that may be a contact, such as a phone number, is no short fact.
func TestMayBeContact(t *testing.T) {
	for text, want := range map[string]bool{
		"3. Stock": false, "2.OG": false, "ab 01.12.2026": false, "2026-12-01": false, "1910": false, "3 MMK": false,
		"B (75 kWh/m²)": false, "ca. 50 m²": false, "12.500 €": false, "A+++": false,
		"0151 23456": true, "+49 89 1234": true, "06.12.34.56.78": true, "06.12.3456": true, "Tel 12 34 56": true,
		"①⑦⑥①②③④": true, "⁰¹⁵¹²³⁴": true, "a﹫b": true,
		"site。example": true, "site．example": true, "site｡example": true,
		"٠١٢٣٤٥٦": true, "a@b": true, "a＠b": true, "ann (at) mail": true, "ann at mail": true, "www.a": true,
		"t.me/ann": true, "site.\u200bexample": true, "mailto:x": true, "https://a": true, "site.example": true,
		"163.com": true, "javascript:x": true,
	} {
		if got := mayBeContact(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// FuzzPlainText tests that plainText returns no control or bidi characters, and not too many characters.
func FuzzPlainText(f *testing.F) {
	for _, text := range []string{"", "a\r\nb\tc", "\u202eabc\u2069", "\x00\x1b[1m", "\xff", "a\u2028b",
		"👩‍👩‍👧", "\u061c\u200f", strings.Repeat("x", 30)} {
		f.Add(text, 10)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = max(1, min(most, 100))
		for got, controls := range map[string]string{plainText(text, most): "\n", plainLine(text, most): ""} {
			isWrong := func(r rune) bool {
				isControl := unicode.IsControl(r) && !strings.ContainsRune(controls, r)
				return isControl || unicode.Is(unicode.Bidi_Control, r)
			}
			isTooLong := utf8.RuneCountInString(got) > most+len([]rune("…"))
			if !utf8.ValidString(got) || strings.ContainsFunc(got, isWrong) || isTooLong {
				t.Errorf("%q becomes %q", text, got)
			}
		}
	})
}

// A text is cut, and keeps its line breaks.
func TestPlainText(t *testing.T) {
	const most = 12 // characters
	for text, want := range map[string]string{
		"a\r\nb\rc\u2028d\te":         "a\nb\nc\nd e",
		" \x00a\u202eb\u200fc\u061c ": "abc",
		strings.Repeat("ä", 20):       strings.Repeat("ä", 12) + "…",
		strings.Repeat("ä", 12):       strings.Repeat("ä", 12),
		"\xffa":                       "\uFFFDa",
	} {
		if got := plainText(text, most); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
	s := newService(t, `[{"id":1,"text":"`+strings.Repeat("é", maxSharedText+50)+`"}]`, testCodes)
	_, path := s.shareMade(`{"title":"x","ids":[1]}`)
	if n := strings.Count(s.send(request("GET", path)).body, "é"); n != maxSharedText {
		t.Errorf("the text has %d characters", n)
	}
}

// A long page is made in turns: it waits while another task has the turn, here until the client gives up.
func TestShareTurns(t *testing.T) {
	long(t)
	t.Parallel()
	s := newService(t, manyFlats(maxSharedFlats, `"text":"`+strings.Repeat("a long text ", 1000)+`"`), testCodes)
	_, path := s.shareMade(`{"title":"x","view":{"query":""}}`)
	if got := s.send(request("GET", path)); strings.Count(got.body, "<article>") != maxSharedFlats {
		t.Fatalf("%d %d bytes", got.status, len(got.body))
	}
	takeTurn(t, s.store.turns)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("a page that got no turn: recovered %v; want http.ErrAbortHandler", got)
		}
	}()
	s.send(request("GET", path).WithContext(ctx))
}
