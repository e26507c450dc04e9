// Tests of routes.go.

package main

import (
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Section 4.2: each route answers its own methods only.
func TestRoutes_4_2(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	index := `{"opendata":"/api/v1/opendata","flats":"/api/v1/flats","flat":"/api/v1/flat/:id",
		"search":"/api/v1/search",
		"ics":"/api/v1/ics/visits.ics","time_to_places":"/api/v1/time_to_places"}`
	s.want(s.ask("GET", "/api/v1/", ""), 200, index)
	s.want(s.ask("GET", "/api/v1", ""), 200, index)
	s.want(s.ask("GET", "/api/v1/opendata", ""), 200, `{"postal_codes":"/api/v1/opendata/postal_codes"}`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200,
		`{"data":{"version":"`+version+`","flats":5,"postal_codes":5,"last_update":null}}`)
	s.store.now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 10, time.FixedZone("", 3600)) }
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"n"}`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200,
		`{"data":{"version":"`+version+`","flats":5,"postal_codes":5,"last_update":"2026-05-06T06:08:09Z"}}`)

	for _, path := range []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/time_to_places",
		"/api/v1/metadata", "/api/v1/opendata",
		"/api/v1/opendata/postal_codes", "/api/v1/ics/visits.ics"} {
		got, head := s.ask("GET", path, ""), s.ask("HEAD", path, "")
		if want := "application/json"; got.header.Get("Content-Type") != want && !strings.HasSuffix(path, "ics") {
			t.Errorf("GET %s: Content-Type %q; want %q", path, got.header.Get("Content-Type"), want)
		}
		if head.status != 200 || head.body != "" || !reflect.DeepEqual(head.header, got.header) {
			t.Errorf("HEAD %s: %d %q %v; want the header of GET, %v", path, head.status, head.body, head.header,
				got.header)
		}
	}
	// /flat updates a flat, /flats reads it.
	for _, c := range []struct{ method, path, allow string }{
		{"GET", "/api/v1/flat/a", "PATCH, OPTIONS"},
		{"PATCH", "/api/v1/flats/a", "GET, HEAD, OPTIONS"},
		{"POST", "/api/v1/flats", "GET, HEAD, OPTIONS"},
		{"GET", "/api/v1/search", "POST, OPTIONS"},
		{"DELETE", "/api/v1/ics/visits.ics", "GET, HEAD, OPTIONS"},
		{"PUT", "/api/v1/", "GET, HEAD, OPTIONS"},
	} {
		got := s.ask(c.method, c.path, "")
		s.refuse(got, 405, fmt.Sprintf("%s does not answer %s, only %s.", c.path, c.method, c.allow))
		if got.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: Allow %q; want %q", c.method, c.path, got.header.Get("Allow"), c.allow)
		}
	}
	for _, path := range []string{"/api", "/api/v2/flats", "/api/v1/flats/", "/api/v1/flat", "/api/v1/nope",
		"/favicon.ico"} {
		s.refuse(s.ask("GET", path, ""), 404, "There is nothing at "+path+".")
	}
}

// Every GET has a strong entity tag that changes with the resource, and answers 304
// if the client sends the current tag.
func TestEntityTags(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	paths := []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats?page[size]=2", "/api/v1/flats/a", "/api/v1/flats/b",
		"/api/v1/time_to_places",
		"/api/v1/metadata", "/api/v1/opendata", "/api/v1/opendata/postal_codes", "/api/v1/ics/visits.ics"}
	tags := map[string]string{}
	for _, path := range paths {
		tag := s.ask("GET", path, "").header.Get("Etag")
		tags[path] = tag
		if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
			t.Errorf("%s: ETag %s", path, tag)
		}
		unquoted := strings.Trim(tag, `"`)
		for sent, status := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200,
			unquoted: 200} {
			for _, method := range []string{"GET", "HEAD"} {
				got := s.ask(method, path, "", "If-None-Match", sent)
				if got.status != status || status == 304 && got.body != "" || got.header.Get("Etag") != tag {
					t.Errorf("%s %s with %s: %d %v; want %d", method, path, sent, got.status, got.header, status)
				}
			}
		}
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":"2026-12-01"}`)
	for _, path := range paths {
		hasFlatA := strings.HasPrefix(path, "/api/v1/flats") && path != "/api/v1/flats/b"
		hasVisits, hasLastUpdate := strings.HasSuffix(path, "visits.ics"), strings.HasSuffix(path, "metadata")
		want := hasFlatA || hasVisits || hasLastUpdate
		if hasChanged := s.ask("GET", path, "").header.Get("Etag") != tags[path]; hasChanged != want {
			t.Errorf("%s: tag changed: %v; want %v", path, hasChanged, want)
		}
	}
	// Errors and answers to unsafe methods have no entity tag.
	if tag := s.ask("GET", "/api/v1/flats/nope", "", "If-None-Match", "*").header.Get("Etag"); tag != "" {
		t.Errorf("404 with ETag %s", tag)
	}
	if got := s.ask("POST", "/api/v1/search", `{"query":"loft"}`, "If-None-Match", "*"); got.status != 200 {
		t.Errorf("search: %d %s", got.status, got.body)
	}
}

// TestMarkedTags tests that a tag that a proxy has marked still names its version, and no other.
func TestMarkedTags(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	const read, update, find = "/api/v1/flats/a", "/api/v1/flat/a", "/api/v1/find"
	for _, c := range []struct {
		form   string // of the tag, in which X stands for what the quotes hold
		isSame bool
	}{
		{`"X"`, true}, {`W/"X"`, true}, {`"y", W/"X-br"`, true},
		// Marks of proxies that compress answers.
		{`"X-gzip"`, true}, {`W/"X-gzip"`, true}, {`"X-zstd"`, true}, {`"X-br"`, true}, {`"X-df"`, true}, {`"X;br"`, true},
		{`"X.gz"`, true}, {`"X+gzip"`, true}, {`"X-gzip-df"`, true}, {`"X"-gzip`, true}, {`"X`, true},
		// Other tags.
		{`"X1"`, false}, {`"1X"`, false}, {`"x-gzip"`, false}, {`"-gzip"`, false}, {`"csv-X"`, false},
		// No tags.
		{`X`, false}, {`w/"X"`, false},
	} {
		tag := s.ask("GET", read, "").header.Get("Etag")
		sent := strings.ReplaceAll(c.form, "X", strings.Trim(tag, `"`))
		if got := s.ask("GET", read, "", "If-None-Match", sent); (got.status == 304) != c.isSame {
			t.Errorf("GET with If-None-Match %s of %s: %d", c.form, tag, got.status)
		}
		got := s.ask("PATCH", update, `{"notes":"`+tag[1:len(tag)-1]+`"}`, "If-Match", sent)
		if (got.status == 200) != c.isSame || (got.status == 412) == c.isSame {
			t.Errorf("PATCH with If-Match %s of %s: %d %s", c.form, tag, got.status, got.body)
		}
	}
	// JSON and CSV of the same flats have different tags.
	json, csv := s.ask("GET", find, "").header.Get("Etag"), s.ask("GET", find+"?format=csv", "").header.Get("Etag")
	for _, c := range []struct {
		query, sent string
		status      int
	}{{"", json, 304}, {"", csv, 200}, {"?format=csv", json, 200}, {"?format=csv", csv, 304},
		{"?format=csv", strings.TrimSuffix(csv, `"`) + `-gzip"`, 304}} {
		if got := s.ask("GET", find+c.query, "", "If-None-Match", c.sent); got.status != c.status {
			t.Errorf("%s with %s: %d; want %d", c.query, c.sent, got.status, c.status)
		}
	}
}

// Section 4.5: OPTIONS ignores the id, the parameters and the body.
func TestOptions_4_5(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for path, want := range map[string]string{
		"/api/v1/flats": "", "/api/v1/flats?page[size]=x": "", "/api/v1/flats/a": "{}", "/api/v1/flats/nope": "{}",
		"/api/v1/flat/nope": "{}",
		"/api/v1/search":    "{}", "/api/v1/ics/visits.ics": "{}", "/api/v1/time_to_places": "{}",
		"/api/v1/metadata": "{}", "/api/v1/opendata/postal_codes": "{}",
	} {
		got := s.ask("OPTIONS", path, "no JSON")
		if got.status != 200 || got.body != want || got.header.Get("Allow") == "" {
			t.Errorf("OPTIONS %s: %d %q %v; want 200 %q", path, got.status, got.body, got.header, want)
		}
	}
	for _, path := range []string{"/api/v1/", "/api/v1", "/api/v1/opendata"} {
		got := s.ask("OPTIONS", path, "")
		if got.status != 204 || got.body != "" || got.header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d %q %v", path, got.status, got.body, got.header)
		}
	}
	s.refuse(s.ask("OPTIONS", "/api/v1/nope", ""), 404, "There is nothing at /api/v1/nope.")
}

// If several methods share a path, Allow and the preflight list all of them.
func TestSharedPath(t *testing.T) {
	s := newService(t, "[]", "[]")
	x := &server{config: s.config, access: newAccess(s.config, s.store, quiet), log: quiet}
	mux := x.routes([]route{
		{"GET", "/x", constant("1"), constant("{}")},
		{"PUT", "/x", constant("2"), constant("{}")},
		{"DELETE", "/x", constant("3"), constant("{}")},
	})
	s.Handler = x.observed(x.guarded(mux))
	for method, want := range map[string]string{"GET": "1", "PUT": "2", "DELETE": "3", "OPTIONS": "{}"} {
		if got := s.ask(method, "/x", ""); got.status != 200 || got.body != want {
			t.Errorf("%s: %d %s; want %s", method, got.status, got.body, want)
		}
	}
	const methods = "GET, HEAD, PUT, DELETE, OPTIONS"
	if got := s.ask("PATCH", "/x", ""); got.status != 405 || got.header.Get("Allow") != methods {
		t.Errorf("PATCH: %d %v", got.status, got.header)
	}
	got := s.ask("OPTIONS", "/x", "", "Origin", "https://flats.example", "Access-Control-Request-Method", "PUT")
	if got.header.Get("Access-Control-Allow-Methods") != methods || got.header.Get("Allow") != methods {
		t.Errorf("preflight: %v", got.header)
	}
}

// Section 4.5: the site's own origin and those in cors_origins may read and change
// flats. Other origins may not.
func TestOrigins_4_5(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) { c.CORSOrigins = []string{"http://localhost:3000"} })
	for origin, allowed := range map[string]bool{
		"https://flats.example": true, "http://localhost:3000": true, "": true,
		"https://flats.example:8443": false, "https://evil.example": false, "null": false, "http://localhost": false,
		"https://flats.example.evil.example": false,
	} {
		got := s.ask("GET", "/api/v1/flats?page[size]=1", "", "Origin", origin)
		h := got.header
		if got.status != 200 || h.Get("Vary") != "Origin" ||
			(h.Get("Access-Control-Allow-Origin") == origin) != allowed {
			t.Errorf("GET from %q: %d %v", origin, got.status, h)
		}
		const exposed = "ETag, Link, Retry-After, X-Flats, X-Total-Count"
		if origin != "" && allowed && (h.Get("Access-Control-Expose-Headers") != exposed ||
			h.Get("Access-Control-Allow-Credentials") != "true") {
			t.Errorf("GET from %q: %v", origin, h)
		}
		got = s.ask("OPTIONS", "/api/v1/flat/a", "", "Origin", origin, "Access-Control-Request-Method", "PATCH",
			"Access-Control-Request-Headers", "content-type")
		if got.status != 200 || origin != "" &&
			strings.Contains(got.header.Get("Access-Control-Allow-Methods"), "PATCH") != allowed {
			t.Errorf("preflight from %q: %d %v", origin, got.status, got.header)
		}
		got = s.ask("PATCH", "/api/v1/flat/a", `{"title":"from `+origin+`"}`, "Origin", origin)
		if allowed && got.status != 200 {
			t.Errorf("PATCH from %q: %d %s", origin, got.status, got.body)
		} else if !allowed {
			s.refuse(got, 403, fmt.Sprintf("Requests from the origin %q are refused: add it to cors_origins to allow "+
				"them.", origin))
		}
	}
	// Without an Origin header, Sec-Fetch-Site decides.
	s.refuse(s.ask("POST", "/api/v1/search", `{"query":"x"}`, "Sec-Fetch-Site", "cross-site"), 403,
		`Requests from the origin "" are refused: add it to cors_origins to allow them.`)
	if got := s.ask("POST", "/api/v1/search", `{"query":"x"}`, "Sec-Fetch-Site", "same-origin"); got.status != 200 {
		t.Errorf("same-origin: %d %s", got.status, got.body)
	}
	// An allowed origin can read errors, too.
	got := s.ask("GET", "/api/v1/flats/nope", "", "Origin", "http://localhost:3000")
	if got.header.Get("Access-Control-Allow-Origin") != "http://localhost:3000" {
		t.Errorf("404: %v", got.header)
	}
}

// TestForeignReads tests that a page of another site cannot find out what the user keeps by loading
// answers, and that pages of the origins in cors_origins, links, and programs still get answers.
func TestForeignReads(t *testing.T) {
	t.Parallel()
	byNobody := newService(t, testFlats, testCodes)
	byMine := byNobody.with(func(c *Config) { c.CORSOrigins = []string{"https://mine.example"} })
	byAnyone := byNobody.with(func(c *Config) { c.CORSOrigins = []string{"*"} })
	withToken := byNobody.with(func(c *Config) { c.Username, c.Password, c.FeedToken = "me", "secret", "token" })
	const cross, mine = "cross-site", "https://mine.example"
	for _, c := range []struct {
		s                        *service // by whom it may be read
		path, site, mode, origin string   // mode is Sec-Fetch-Mode and, after a space, Sec-Fetch-Dest
		status                   int
		policy                   string
	}{
		// What a page of another site shows inside itself is refused. What a click opens is answered.
		{byNobody, "/api/v1/flats/a", cross, "navigate object", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats/a", cross, "navigate embed", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats/a", cross, "navigate iframe", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats/a", "same-site", "navigate object", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats/a", "same-origin", "navigate iframe", "", 200, "same-origin"},
		{byNobody, "/api/v1/flats/a", cross, "navigate document", "", 200, "same-origin"},
		{byNobody, "/api/v1/flats/a", "same-site", "navigate document", "", 200, "same-origin"},
		{byNobody, "/api/v1/flats", cross, "navigate", "", 200, "same-origin"},
		{byNobody, "/api/v1/flats", "none", "navigate", "", 200, "same-origin"}, // typed by the user
		// What a script or an image of another site asks for is refused, whatever the answer would be.
		{byNobody, "/api/v1/flats", cross, "no-cors", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats/a", cross, "cors", mine, 403, "same-origin"},
		{byNobody, "/api/v1/flats/nope", cross, "no-cors", "", 403, "same-origin"},
		{byNobody, "/api/v1/photos/" + strings.Repeat("0", 64), cross, "no-cors", "", 403, "same-origin"},
		{byNobody, feedPath, cross, "no-cors", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats", cross, "", "", 403, "same-origin"},
		{byNobody, "/api/v1/flats", "same-origin", "cors", "", 200, "same-origin"},
		{byNobody, "/api/v1/flats", "same-site", "cors", "", 200, "same-origin"},
		{byNobody, "/api/v1/flats", "", "", "", 200, "same-origin"}, // a program
		{byNobody, "/", cross, "no-cors", "", 200, "same-origin"},   // the page has no flats in itself
		// Of origins in cors_origins, only requests that name their origin are answered, unless any origin may read.
		{byMine, "/api/v1/flats", cross, "cors", mine, 200, "cross-origin"},
		{byMine, "/api/v1/flats", cross, "cors", "https://other.example", 403, "same-origin"},
		{byMine, "/api/v1/flats", cross, "no-cors", "", 403, "same-origin"},
		{byAnyone, "/api/v1/flats", cross, "cors", "https://other.example", 200, "cross-origin"},
		{byAnyone, "/api/v1/flats", cross, "no-cors", "", 200, "cross-origin"},
		// The token opens the calendar alone.
		{withToken, feedPath + "?token=token", cross, "cors", "https://calendar.example", 200, "same-origin"},
		{withToken, feedPath + "?token=wrong", cross, "cors", "https://calendar.example", 403, "same-origin"},
		{withToken, "/api/v1/flats?token=token", cross, "no-cors", "", 403, "same-origin"},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			mode, destination, _ := strings.Cut(c.mode, " ")
			got := c.s.ask(method, c.path, "", "Sec-Fetch-Site", c.site, "Sec-Fetch-Mode", mode, "Sec-Fetch-Dest", destination,
				"Origin", c.origin)
			policy := got.header.Get("Cross-Origin-Resource-Policy")
			if got.status != c.status || policy != c.policy {
				t.Errorf("%s %s from %q, %s, %q: %d %v; want %d, %s", method, c.path, c.site, c.mode, c.origin,
					got.status, got.header, c.status, c.policy)
			}
		}
	}
}

// With "*" in cors_origins any page may change flats, but not with the password that the
// browser has stored: requests that a browser sends without a preflight are refused, and a
// preflight does not allow the password. Origins that are named may use it.
func TestAnyOrigin(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) {
		c.CORSOrigins, c.Username, c.Password = []string{"*", "https://named.example"}, "me", "pass"
	})
	const foreign, named = "https://any.example", "https://named.example"
	for _, c := range []struct {
		name, method, target, contentType, origin, site string
		status                                          int
	}{
		{"a read", "GET", "/api/v1/flats", "", foreign, "cross-site", 200},
		{"JSON", "POST", "/api/v1/import", "application/json", foreign, "cross-site", 200},
		{"JSON with parameters", "POST", "/api/v1/import", "Application/JSON; charset=utf-8", foreign, "same-site", 200},
		{"JSON of an old browser", "POST", "/api/v1/import", "application/json", foreign, "", 200},
		{"an update", "PATCH", "/api/v1/flat/a", "application/json", foreign, "cross-site", 200},
		{"a view", "PUT", "/api/v1/views/x", "application/json", foreign, "cross-site", 201},
		{"a method with a preflight", "DELETE", "/api/v1/views/x", "", foreign, "cross-site", 204},
		{"text", "POST", "/api/v1/import", "text/plain", foreign, "cross-site", 403},
		{"text of an old browser", "POST", "/api/v1/import", "text/plain", foreign, "", 403},
		{"text of a sandbox", "POST", "/api/v1/import", "text/plain", "null", "", 403},
		{"text without an origin", "POST", "/api/v1/import", "text/plain", "", "cross-site", 403},
		{"JSON in a parameter", "POST", "/api/v1/import", "text/plain; a=application/json", foreign, "cross-site", 403},
		{"JSON after text", "POST", "/api/v1/import", "text/plain; x, application/json", foreign, "cross-site", 403},
		{"a form with files", "POST", "/api/v1/import", "multipart/form-data; boundary=x", foreign, "cross-site", 403},
		{"a form", "POST", "/api/v1/import", "application/x-www-form-urlencoded", foreign, "cross-site", 403},
		{"another type", "POST", "/api/v1/import", "application/jsonx", foreign, "cross-site", 403},
		{"an import without a type", "POST", "/api/v1/import", "", foreign, "cross-site", 403},
		{"a message", "POST", "/api/v1/notify", "", foreign, "cross-site", 403},
		{"an update as text", "PATCH", "/api/v1/flat/a", "text/plain", foreign, "cross-site", 403},
		{"a view without a type", "PUT", "/api/v1/views/x", "", foreign, "cross-site", 403},
		{"text from a named origin", "POST", "/api/v1/import", "text/plain", named, "cross-site", 200},
		{"text from the page", "POST", "/api/v1/import", "text/plain", "https://flats.example", "same-origin", 200},
		{"text from a program", "POST", "/api/v1/import", "text/plain", "", "", 200},
	} {
		body := map[string]string{"POST": `[{"id":"1@s"}]`, "PATCH": `{"title":"x"}`, "PUT": `{"query":""}`}[c.method]
		got := s.ask(c.method, c.target, body, "Content-Type", c.contentType, "Origin", c.origin, "Sec-Fetch-Site", c.site,
			"Authorization", basic("me", "pass"))
		if got.status != c.status {
			t.Errorf("%s: %d %s; want %d", c.name, got.status, got.body, c.status)
		}
		allowedOrigin := got.header.Get("Access-Control-Allow-Origin")
		allowsPassword := got.header.Get("Access-Control-Allow-Credentials") != ""
		mayUsePassword := c.origin != foreign && c.origin != "null"
		if c.origin != "" && (allowedOrigin != c.origin || allowsPassword != mayUsePassword) {
			t.Errorf("%s: %v", c.name, got.header)
		}
	}
	for origin, credentials := range map[string]string{foreign: "", named: "true"} {
		got := s.ask("OPTIONS", "/api/v1/import", "", "Origin", origin, "Access-Control-Request-Method", "POST")
		if got.header.Get("Access-Control-Allow-Credentials") != credentials {
			t.Errorf("preflight from %s: %v", origin, got.header)
		}
	}
}

// Section 5: with a password, every request but OPTIONS requires it. The feed token
// gives access to the calendar only.
func TestPassword_5(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) {
		c.Username, c.Password, c.FeedToken = "me", "pass:wörd", "tok;en"
	})
	const text = "The user name or the password is wrong or missing."
	paths := []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/flats/nope", "/api/v1/ics/visits.ics",
		"/api/v1/metadata", "/api/v1/nope", "/"}
	for _, path := range paths {
		for _, header := range []string{"", basic("me", "wrong"), basic("you", "pass:wörd"), basic("", ""),
			basic("me", ""), "Basic x", "Bearer tok;en"} {
			got := s.ask("GET", path, "", "Authorization", header)
			s.refuse(got, 401, text)
			if got.header.Get("WWW-Authenticate") != `Basic realm="flats", charset="UTF-8"` ||
				got.header.Get("Etag") != "" {
				t.Errorf("%s: %v", path, got.header)
			}
		}
		if got := s.ask("GET", path, "", "Authorization", basic("me", "pass:wörd")); got.status == 401 {
			t.Errorf("%s refuses the right password", path)
		}
	}
	// Services under one host have realms of their own, so that a browser tells their passwords apart.
	for site, realm := range map[string]string{
		"https://h.example/ann": "flats ann", "https://h.example/a/b%22c/": "flats a/b%22c"} {
		other := s.with(func(c *Config) { c.WebsiteURL = site })
		want := `Basic realm="` + realm + `", charset="UTF-8"`
		if got := other.ask("GET", "/api/v1/flats", "").header.Get("WWW-Authenticate"); got != want {
			t.Errorf("%s: %s; want %s", site, got, want)
		}
	}
	// The files of the page are open, apart from the page itself, and have nothing of the household.
	home := s.ask("GET", "/", "", "Authorization", basic("me", "pass:wörd"))
	asset := "/" + regexp.MustCompile(`assets/[^"]*/app.js`).FindString(home.body)
	for _, path := range []string{asset, "/sw.js", "/manifest.webmanifest"} {
		if got := s.ask("GET", path, ""); got.status != 200 || strings.Contains(got.body, "tok;en") {
			t.Errorf("%s without a password: %d", path, got.status)
		}
	}
	for _, path := range []string{"/assets/x/y", "/assets/../api/v1/flats", "/assets/x/%2e%2e/%2e%2e/api/v1/flats"} {
		if got := s.ask("GET", path, ""); got.status == 200 {
			t.Errorf("%s without a password: %s", path, got.body)
		}
	}
	opened := s.ask("GET", "/", "", "Accept", "text/html,*/*;q=0.8", "Accept-Language", "de")
	if opened.status != 401 || !strings.Contains(opened.body, "Anmelden") ||
		opened.header.Get("WWW-Authenticate") != "" {
		t.Errorf("the page as a browser opens it: %d %v %s", opened.status, opened.header, opened.body)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"title":"x"}`), 401, text)
	s.want(s.ask("OPTIONS", "/api/v1/search", ""), 200, "{}")
	for target, status := range map[string]int{
		"/api/v1/ics/visits.ics?token=tok;en": 200, "/api/v1/ics/visits.ics?x&token=tok%3Ben": 200,
		"/api/v1/ics/visits.ics?token=":      401,
		"/api/v1/ics/visits.ics?token=token": 401, "/api/v1/flats?token=tok;en": 401,
		"/api/v1/metadata?token=tok;en": 401,
	} {
		if got := s.ask("GET", target, ""); got.status != status {
			t.Errorf("%s: %d; want %d", target, got.status, status)
		}
	}
	got := s.ask("GET", "/api/v1/metadata", "", "Authorization", basic("me", "pass:wörd"))
	if public := got.body + s.logs.String(); strings.Contains(public, "wörd") || strings.Contains(public, "tok") {
		t.Errorf("a secret appears in %s\n%s", got.body, s.logs)
	}
	got = s.with(func(c *Config) { c.FeedToken = "" }).ask("GET", "/api/v1/ics/visits.ics?token=", "")
	if got.status != 401 {
		t.Errorf("an empty token, none configured: %d; want 401", got.status)
	}
}

// The import token opens POST /api/v1/import and nothing else.
func TestImportToken(t *testing.T) {
	open := newService(t, testFlats, testCodes)
	s := open.with(func(c *Config) { c.Username, c.Password, c.ImportToken = "me", "pass", "tok" })
	const importing = "/api/v1/import"
	for _, c := range []struct {
		name, method, target, header, value string
		status                              int
	}{
		{"the token", "POST", importing, "Authorization", "Bearer tok", 200},
		{"another spelling", "POST", "//api/v1/import", "Authorization", "bearer  tok", 200},
		{"a complete list", "POST", importing + "?complete=s", "Authorization", "Bearer tok", 200},
		{"the password", "POST", importing, "Authorization", basic("me", "pass"), 200},
		{"another token", "POST", importing, "Authorization", "Bearer token", 401},
		{"no token", "POST", importing, "Authorization", "Bearer", 401},
		{"no scheme", "POST", importing, "Authorization", "tok", 401},
		{"another scheme", "POST", importing, "Authorization", basic("tok", "tok"), 401},
		{"another header", "POST", importing, "X-Token", "Bearer tok", 401},
		{"a parameter", "POST", importing + "?token=tok", "X", "x", 401},
		{"another method", "GET", importing, "Authorization", "Bearer tok", 401},
		{"the list of imports", "GET", "/api/v1/imports", "Authorization", "Bearer tok", 401},
		{"a search", "POST", "/api/v1/search", "Authorization", "Bearer tok", 401},
		{"an update", "PATCH", "/api/v1/flat/a", "Authorization", "Bearer tok", 401},
		{"the calendar", "GET", feedPath, "Authorization", "Bearer tok", 401},
	} {
		if got := s.ask(c.method, c.target, `[{"id":"1@s"}]`, c.header, c.value); got.status != c.status {
			t.Errorf("%s: %d %s; want %d", c.name, got.status, got.body, c.status)
		}
	}
	none := s.with(func(c *Config) { c.ImportToken = "" })
	s.refuse(none.ask("POST", "/api/v1/import", "[]", "Authorization", "Bearer "), 401,
		"The user name or the password is wrong or missing.")
	// Without a password the token changes nothing.
	s.want(open.ask("POST", "/api/v1/import", "[]", "Authorization", "Bearer wrong"), 200,
		`{"data":{"added":0,"updated":0,"unchanged":0,"gone":0}}`)
	if strings.Contains(s.logs.String(), "tok") {
		t.Errorf("the log shows the token: %s", s.logs)
	}
}

// Without a password, a service on a loopback address refuses host names that another
// site could point at it (DNS rebinding).
func TestHosts(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	ask := func(s *service, host string) reply {
		r := httptest.NewRequest("GET", "/api/v1/metadata", nil)
		r.Host = host
		return s.send(r)
	}
	for host, allowed := range map[string]bool{
		"127.0.0.1:8080": true, "127.0.0.1": true, "[::1]:8080": true, "[::1]": true, "192.0.2.7:80": true,
		"localhost": true, "LocalHost:9": true, "localhost.": true,
		"flats.example": true, "FLATS.example:444": true, "": true, "evil.example": false,
		"localhost.evil.example": false, "127.0.0.1.nip.example:8080": false,
	} {
		got := ask(s, host)
		if allowed && got.status != 200 {
			t.Errorf("%q: %d %s", host, got.status, got.body)
		} else if !allowed {
			s.refuse(got, 403, fmt.Sprintf("The host name %q is not known here: set website_url to the URL under "+
				"which the service is reached.", host))
		}
	}
	for what, change := range map[string]func(*Config){
		"another address": func(c *Config) { c.Addr = "0.0.0.0:8080" },
		"a password":      func(c *Config) { c.Username, c.Password = "u", "p" },
	} {
		if got := ask(s.with(change), "container-7"); got.status == 403 {
			t.Errorf("with %s: %d %s", what, got.status, got.body)
		}
	}
}

// Behind a proxy, the service answers under the path of website_url, whether or not
// the proxy strips that path.
func TestWebsitePath(t *testing.T) {
	t.Parallel()
	s := newService(t, `[{"id":"a/b"}]`, testCodes).with(func(c *Config) {
		c.WebsiteURL, c.Username, c.Password, c.FeedToken = "https://flats.example/my/flats/", "u", "p", "t"
	})
	for _, base := range []string{"", "/my/flats"} {
		for path, status := range map[string]int{"/api/v1/flats": 200, "/api/v1/flats/a%2Fb": 200,
			"/api/v1/nope": 404} {
			if got := s.ask("GET", base+path, "", "Authorization", basic("u", "p")); got.status != status {
				t.Errorf("%s%s: %d %s", base, path, got.status, got.body)
			}
		}
		if got := s.ask("GET", base+"/api/v1/ics/visits.ics?token=t", ""); got.status != 200 {
			t.Errorf("the calendar under %q: %d %s", base, got.status, got.body)
		}
	}
	s.refuse(s.ask("GET", "/my/flatsapi/v1/flats", "", "Authorization", basic("u", "p")), 404,
		"There is nothing at /my/flatsapi/v1/flats.")
	// Leading slashes cause no redirect.
	for _, path := range []string{"//api/v1/flats", "///api/v1/metadata", "/my/flats//api/v1/flats",
		"//api/v1/flats/a%2Fb", "/my/flats/", "/"} {
		if got := s.ask("GET", "https://flats.example"+path, "", "Authorization", basic("u", "p")); got.status != 200 {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
	// The page loads its assets relative to its folder.
	got := s.ask("GET", "https://flats.example/my/flats?sign-in", "")
	if location := got.header.Get("Location"); got.status != 307 || location != "/my/flats/?sign-in" {
		t.Errorf("without the last slash: %d to %q", got.status, location)
	}
	// Every path requires the password, and no redirect leads outside the website's path.
	for _, path := range []string{"/my/flats/%2e%2e/x", "/my/../x", "/my%2fflats/api/v1/flats",
		"/my/flats/api/v1/flats/..", "/my/flatsx", "/%2e", "/my/flats/nope/", "//"} {
		s.refuse(s.ask("GET", "https://flats.example"+path, ""), 401,
			"The user name or the password is wrong or missing.")
		got := s.ask("GET", "https://flats.example"+path, "", "Authorization", basic("u", "p"))
		location := got.header.Get("Location")
		if location != "" && !strings.HasPrefix(location, "/my/flats/") && got.status != 200 {
			t.Errorf("%s: %d to %s", path, got.status, location)
		}
	}
}

// A website path that is also a path of the service hides none of the service's paths.
// A request path with two meanings is relative to the website path.
func TestWebsitePathOverlap(t *testing.T) {
	t.Parallel()
	plain := newService(t, `[{"id":"a/b"},{"id":"api/v1/metadata"}]`, testCodes)
	asset := "/" + regexp.MustCompile(`assets/[^"]*/style.css`).FindString(plain.ask("GET", "/", "").body)
	for _, base := range []string{"/api", "/api/v1", "/assets", "/api/v1/flats", "/api/api", "/flats"} {
		s := plain.with(func(c *Config) { c.WebsiteURL = "https://flats.example" + base + "/" })
		same := func(path, as string) {
			t.Helper()
			got, want := s.ask("GET", path, ""), plain.ask("GET", as, "")
			if got.status != want.status || got.body != want.body || want.status != 200 {
				t.Errorf("website path %s, %s: %d %.80s; want the answer to %s", base, path, got.status, got.body, as)
			}
		}
		for _, path := range []string{"/api/v1/flats", "/api/v1/flats/a%2Fb", "/api/v1/imports",
			"/api/v1/opendata/postal_codes", asset, "/sw.js"} {
			same(base+path, path)
			if path != base {
				same(path, path)
			}
		}
		same(base+"/", "/")
		same("/", "/")
		if got := s.ask("GET", base+"/no/pe", ""); got.status != 404 {
			t.Errorf("website path %s: %d %s; want 404", base, got.status, got.body)
		}
	}
	s := plain.with(func(c *Config) { c.WebsiteURL = "https://flats.example/api/v1/flats/" })
	if got := s.ask("GET", "/api/v1/flats/api/v1/metadata", ""); !strings.Contains(got.body, `"flats":2`) {
		t.Errorf("a path with two meanings: %d %s", got.status, got.body)
	}
}

// A proxy may answer 400 to a path with an encoded separator. Names in parameters pass it.
func TestNamedByParameter(t *testing.T) {
	const id = `a/b\c?d#e;f%g`
	s := newService(t, `[{"id":`+encodeJSON(id)+`,"title":"Loft"},{"id":"b","title":"Attic"}]`, testCodes)
	inner := s.Handler
	refused := regexp.MustCompile(`(?i)%(2f|5c|3f|23|3b|25)`)
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refused.MatchString(cmp.Or(r.URL.RawPath, r.URL.EscapedPath())) {
			http.Error(w, "<html>", http.StatusBadRequest)
			return
		}
		inner.ServeHTTP(w, r)
	})
	name := url.QueryEscape(id)
	direct := httptest.NewRecorder()
	s.Handler.ServeHTTP(direct, httptest.NewRequest("GET", "/api/v1/flats/"+name, nil))
	if direct.Code != 400 {
		t.Errorf("through the proxy the path is answered with %d", direct.Code)
	}
	got := s.ask("GET", "/api/v1/flats?id="+name, "")
	tag := got.header.Get("ETag")
	if got.status != 200 || !strings.Contains(got.body, `"title":"Loft"`) || tag == "" {
		t.Errorf("the flat: %d %s %v", got.status, got.body, got.header)
	}
	if got := s.ask("GET", "/api/v1/flats?id="+name, "", "If-None-Match", tag); got.status != 304 {
		t.Errorf("with its tag: %d", got.status)
	}
	got = s.ask("PATCH", "/api/v1/flat?id="+name+"&key=k1", `{"rooms":3}`, "If-Match", tag)
	if got.status != 200 || s.store.Get(id).Rooms.JSON() != "3" || got.header.Get("ETag") == tag {
		t.Errorf("the update: %d %s", got.status, got.body)
	}
	for _, c := range []struct {
		parameters string
		status     int
	}{
		{"&key=k1", 409}, // the same key for another update
		{"", 412},        // the flat has changed since
		{"&id=b", 404},   // two ids
	} {
		got := s.ask("PATCH", "/api/v1/flat?id="+name+c.parameters, `{"rooms":4}`, "If-Match", tag)
		if got.status != c.status {
			t.Errorf("PATCH ?id=…%s: %d %s; want %d", c.parameters, got.status, got.body, c.status)
		}
	}
	for _, c := range []struct {
		method, target string
		status         int
		allow          string
	}{
		{"OPTIONS", "/api/v1/flat?id=b", 200, "PATCH, OPTIONS"},
		{"GET", "/api/v1/flat?id=b", 405, "PATCH, OPTIONS"},
		{"PATCH", "/api/v1/flat", 404, ""},
		{"GET", "/api/v1/flat?id=", 404, ""},
		{"PATCH", "/api/v1/flat?id=nope", 404, ""},
		{"GET", "/api/v1/flats?id=nope", 404, ""},
		{"OPTIONS", "/api/v1/views", 200, "GET, HEAD, PUT, DELETE, OPTIONS"},
		{"PUT", "/api/v1/views?name=" + name, 201, ""},
		{"PUT", "/api/v1/views?name=" + name, 200, ""},
		{"PUT", "/api/v1/views", 400, ""},
		{"DELETE", "/api/v1/views?name=" + name, 204, ""},
		{"DELETE", "/api/v1/views?name=" + name, 404, ""},
		{"DELETE", "/api/v1/views", 404, ""},
	} {
		body := ""
		if c.method == "PUT" || c.method == "PATCH" {
			body = `{"query":"q=x"}`
		}
		got := s.ask(c.method, c.target, body)
		if got.status != c.status || c.allow != "" && got.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: %d %v %s; want %d %s", c.method, c.target, got.status, got.header, got.body, c.status, c.allow)
		}
	}
	// With other parameters, or without a value, id means nothing to the list, as in version 1.
	for _, target := range []string{"?id=b&sort=id", "?sort=id&id=b", "?id=", "?id=b&id=b"} {
		if got := s.ask("GET", "/api/v1/flats"+target, ""); !strings.Contains(got.body, `"items_per_page":2`) {
			t.Errorf("GET /api/v1/flats%s: %d %s", target, got.status, got.body)
		}
	}
}
