// Tests of signin.go.

package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A visitor is a browser, as far as cookies go.
type visitor struct {
	*setup
	cookie string   // "name=value", "" for none
	header []string // names and values in turn, which each request has
}

// newLocked opens a program with a stored password, and returns a browser without a session.
func newLocked(t testing.TB, config string) *visitor {
	t.Helper()
	folder := t.TempDir()
	const rounds = 1 // of hashing, so that tests need not wait
	writeFile(t, folder, passwordBase, encodeJSON(newStoredPassword("correct horse", rounds)))
	v := &visitor{setup: newSetup(t, folder, config)}
	v.access.rounds = rounds
	return v
}

// ask sends a request with the cookie, and keeps the cookie that the answer sets.
func (v *visitor) ask(method, path, body string, header ...string) *httptest.ResponseRecorder {
	v.Helper()
	header = append(slices.Clone(v.header), header...)
	if v.cookie != "" {
		header = append(header, "Cookie", v.cookie)
	}
	w := v.fetch(method, path, body, header...)
	for _, cookie := range w.Result().Cookies() {
		v.cookie = cookie.Name + "=" + cookie.Value
		if cookie.MaxAge < 0 {
			v.cookie = ""
		}
	}
	return w
}

// want sends a request, and reports an answer with another status.
func (v *visitor) want(status int, method, path, body string, header ...string) *httptest.ResponseRecorder {
	v.Helper()
	w := v.ask(method, path, body, header...)
	if w.Code != status {
		v.Errorf("%s %s %.200s %q: %d %.300s; want %d", method, path, body, header, w.Code, w.Body, status)
	}
	return w
}

// another returns another browser without a session.
func (v *visitor) another(header ...string) *visitor { return &visitor{setup: v.setup, header: header} }

// signIn gives the password.
func (v *visitor) signIn() *visitor {
	v.Helper()
	v.want(204, "POST", "/api/v1/session", `{"password":"correct horse"}`)
	return v
}

// TestSignInRefusals tests which requests get the page that asks for the password, which make the browser ask for it,
// and which get neither.
func TestSignInRefusals(t *testing.T) {
	v := newLocked(t, `{"feed_token":"f"}`)
	const page, box, neither = "a page", "a box", "neither" // a box of the browser, which WWW-Authenticate opens
	for _, c := range []struct {
		method, path string
		header       []string
		want         string
	}{
		// A person opens an address in a browser: it says so, or wants HTML first of all.
		{"GET", "/", []string{"Sec-Fetch-Mode", "navigate"}, page},
		{"GET", "/api/v1/flats/x", []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Dest", "document", "Accept", "*/*"}, page},
		{"POST", "/api/v1/search", []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "same-origin"}, page},
		{"GET", "/nothing", []string{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}, page},
		{"GET", "/", []string{"Accept", "text/html;q=0.9"}, page},
		{"HEAD", "/", []string{"Accept", "text/html"}, page},
		{"GET", "/", []string{"Accept", "text/html", "Authorization", basic("me", "wrong")}, page},
		{"GET", sessionPath, []string{"Accept", "text/html"}, page},
		// A program, or a script of another website.
		{"GET", "/", nil, box},
		{"GET", "/", []string{"Accept", "*/*;q=0.8,text/html"}, box},
		{"GET", "/", []string{"Accept", "application/xhtml+xml"}, box},
		{"GET", "/", []string{"Accept", "text/html", "Sec-Fetch-Dest", "empty"}, box}, // Accept no longer counts
		{"GET", "/api/v1/flats", []string{"Authorization", basic("me", "wrong 2")}, box},
		{"GET", "/api/v1/flats", []string{"Authorization", "Bearer f"}, box}, // the feed's token opens the feed only
		{"GET", feedPath, []string{"User-Agent", "Thunderbird"}, box},
		{"GET", "/api/v1/flats", []string{"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "cors"}, box},
		{"GET", "/api/v1/flats", []string{"Sec-Fetch-Site", "same-site", "Cookie", "flats-8080=x"}, box},
		{"GET", "/api/v1/flats", []string{"Sec-Fetch-Site", "same-site", "X-Flats", "x"}, box},
		{"GET", "/api/v1/flats", []string{"Cookie", "flats=ended"}, box}, // of the service at the default port
		// The page itself, which shows its own form. Over http browsers do not say where a request comes from, but the page
		// sends its cookie or X-Flats.
		{"GET", "/api/v1/flats", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors"}, neither},
		{"GET", "/api/v1/flats", []string{"Sec-Fetch-Site", "same-origin", "Authorization", basic("me", "wrong 3")}, neither},
		{"GET", "/api/v1/flats", []string{"Cookie", "flats-8080=ended"}, neither},
		{"PATCH", "/api/v1/flat/a", []string{"X-Flats", v.config.dataID}, neither},
	} {
		w := v.want(401, c.method, c.path, "", c.header...)
		isPage := w.Header().Get("Content-Type") == "text/html; charset=utf-8"
		isBox := w.Header().Get("WWW-Authenticate") != ""
		got := neither
		switch {
		case isPage && isBox:
			got = page + " and " + box
		case isPage:
			got = page
		case isBox:
			got = box
		}
		if got != c.want {
			t.Errorf("%s %s %q is answered by %s; want %s", c.method, c.path, c.header, got, c.want)
		}
	}
	v.want(404, "GET", "/nothing", "", "Accept", "text/html", "Authorization", basic("me", "correct horse"))
	v.want(200, "OPTIONS", "/api/v1/sessions", "")
}

// TestSignInPage tests the page that asks for the password: its policies, its words, and that it tells nothing.
func TestSignInPage(t *testing.T) {
	v := newLocked(t, `{"people":["Ann","Ben"],"feed_token":"SECRET","map_credit":"SECRET","username":"anna"}`)
	open := []string{"Sec-Fetch-Mode", "navigate", "Accept-Language"}
	for language, words := range map[string][]string{
		"en": {"<title>Sign in", ">Password<", "<button>Sign in"}, "xx": {`lang="en"`},
		"de-AT,en": {`lang="de"`, "<title>Anmelden", ">Passwort<", "<button>Anmelden"},
		"fr":       {`lang="fr"`, "<title>Connexion", ">Mot de passe<", "<button>Se connecter"},
	} {
		w := v.want(401, "GET", "/api/v1/flats?q=a&x=%22", "", append(open, language)...)
		body := w.Body.String()
		for _, word := range append(words, `method="post" action="/api/v1/session"`, `autocomplete="username"`,
			`autocomplete="current-password"`, `name="password"`, `name="next" value="/api/v1/flats?q=a&amp;x=%22"`) {
			if !strings.Contains(body, word) {
				t.Errorf("%s: %s is missing in %s", language, word, mainOf(body))
			}
		}
		for _, word := range []string{
			"SECRET", "Ann", "anna", // the config
			`role="alert"`, // no password was wrong yet
			"src=",         // files of the page, which need the password
			"ZgotmplZ",     // the mark of html/template for a value that it refuses
		} {
			if strings.Contains(body, word) {
				t.Errorf("%s: the page says %s: %s", language, word, mainOf(body))
			}
		}
		source := func(element string) string {
			text := regexp.MustCompile(`(?s)<` + element + `>(.*)</` + element + `>`).FindStringSubmatch(body)[1]
			hash := sha256.Sum256([]byte(text))
			return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; style-src " + source("style") + "; script-src " +
				source("script") + "; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s is %q; want %q", name, got, want)
			}
		}
	}
	v.header = []string{"X-Forwarded-For", "198.51.100.1", "Accept", "text/html"}
	for i := range guessBurst {
		w := v.want(401, "POST", sessionPath, fmt.Sprintf("password=wrong-%d&next=/?a", i), "Accept-Language", "de")
		if body := w.Body.String(); !strings.Contains(body, "Dieses Passwort ist falsch.") ||
			!strings.Contains(body, `value="/?a"`) || strings.Contains(body, "wrong-") || v.cookie != "" {
			t.Fatalf("a wrong password is answered with %s", body)
		}
	}
	w := v.want(429, "POST", sessionPath, "password=correct+horse")
	if !strings.Contains(w.Body.String(), "Try again in 3 seconds.") || w.Header().Get("Retry-After") != "3" {
		t.Errorf("too many wrong passwords are answered with %v %s", w.Header(), w.Body)
	}
	w = v.want(429, "GET", "/", "", "Authorization", basic("anna", "correct horse"))
	if !strings.Contains(w.Body.String(), "Try again in 3 seconds.") {
		t.Errorf("too many wrong passwords are answered with %s", w.Body)
	}
	w = v.want(429, "POST", sessionPath, `{"password":"correct horse"}`)
	if !strings.HasPrefix(w.Body.String(), `{"error":"Too many wrong passwords`) {
		t.Errorf("too many wrong passwords are answered with %s", w.Body)
	}
}

// mainOf returns the part of a page that is seen.
func mainOf(page string) string {
	_, main, _ := strings.Cut(page, "<main>")
	return main
}

// TestSignInElsewhere tests that the page names the https website to somebody who has opened it by http, and that
// ?sign-in shows the form in any case.
func TestSignInElsewhere(t *testing.T) {
	t.Parallel()
	v := newLocked(t, `{"website_url":"https://flats.example:8443/my"}`)
	for _, c := range []struct {
		path   string
		header []string
		isForm bool
	}{
		{"/", []string{"Host", "127.0.0.1:8080"}, false},
		{"/?a", []string{"Host", "flats.example:8080"}, false},
		{"/", []string{"Host", "other.example"}, false},
		{"/?sign-in", []string{"Host", "127.0.0.1:8080"}, true},
		{"/?a&sign-in=", []string{"Host", "127.0.0.1:8080"}, true},
		{"/", []string{"Host", "FLATS.example:8443"}, true},
		{"/", []string{"Host", "flats.example"}, true}, // as some proxies pass it on
		{"/", []string{"Host", "10.0.0.1:8080", "X-Forwarded-Proto", "https"}, true},
	} {
		body := v.want(401, "GET", c.path, "", append(c.header, "Sec-Fetch-Mode", "navigate")...).Body.String()
		if strings.Contains(body, "<form") != c.isForm ||
			strings.Contains(body, `href="https://flats.example:8443/my/?sign-in"`) == c.isForm {
			t.Errorf("%s %q is answered with %s", c.path, c.header, mainOf(body))
		}
	}
	plain := newLocked(t, `{"website_url":"http://flats.example/"}`)
	if body := plain.want(401, "GET", "/", "", "Accept", "text/html").Body.String(); !strings.Contains(body, "<form") {
		t.Errorf("a plain website is answered with %s", body)
	}
}

// TestSignIn tests what signing in answers, and whom it refuses.
func TestSignIn(t *testing.T) {
	t.Parallel()
	v := newLocked(t, `{"website_url":"http://localhost:8080/","cors_origins":["https://friend.example"]}`)
	const right, form = `{"password":"correct horse"}`, "password=correct+horse&username=me"
	for _, c := range []struct {
		body   string
		header []string
		status int
		want   string // the address, or the error
	}{
		{right, nil, 204, ""},
		{" \n" + right, []string{"Content-Type", "application/x-www-form-urlencoded"}, 204, ""}, // as curl -d
		{form, nil, 303, "/"},
		{form + "&next=%2F%3Fa%23%2Fflat%2F1", []string{"Origin", "http://localhost:8080"}, 303, "/?a#/flat/1"},
		{form, []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate"}, 303, "/"},
		{`{"password":"wrong"}`, nil, 401, "The password is wrong."},
		{`{"password":""}`, nil, 401, "The password is wrong."},
		{`{"password":"correct horse "}`, nil, 401, "The password is wrong."},
		{"password=wrong", nil, 401, "This password is wrong."},
		{"", nil, 400, "want a form or an object with one password"},
		{"password=a&password=correct+horse", nil, 400, "want a form"},
		{"password=%zz", nil, 400, "want a form"},
		{"{}", nil, 400, "want an object with a text as password"},
		{`{"password":5}`, nil, 400, "want an object"},
		{`{"password":"correct horse"}x`, nil, 400, "want an object"},
		{strings.Repeat("x", maxBody+1), nil, 413, "larger"},
		{form, []string{"Origin", "https://evil.example"}, 403, "refused"},
		{form, []string{"Origin", "null"}, 403, "refused"},
		{right, []string{"Sec-Fetch-Site", "same-site"}, 403, "refused"},
		{right, []string{"Origin", "http://localhost:9090"}, 403, "refused"}, // another port
		{right, []string{"Origin", "https://friend.example"}, 403, "Pages of other origins may not do this."},
	} {
		browser := v.another(c.header...)
		w := browser.want(c.status, "POST", sessionPath, c.body)
		if got := w.Header().Get("Location") + w.Body.String(); !strings.Contains(got, c.want) {
			t.Errorf("%.100s %q: %s; want %s", c.body, c.header, got, c.want)
		}
		wantCookie := c.status < 400
		if hasCookie := browser.cookie != ""; hasCookie != wantCookie || w.Header().Get("WWW-Authenticate") != "" {
			t.Errorf("%.100s %q: the headers are %v", c.body, c.header, w.Header())
		}
	}
	if w := v.another().want(401, "POST", sessionPath, "password=x"); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the headers are %v", w.Header())
	}
	open := newSetup(t, t.TempDir(), "{}")
	open.must(409, "POST", sessionPath, right)
	open.must(409, "POST", sessionPath, form)
	open.must(204, "DELETE", sessionPath, "")
	if got := open.must(200, "GET", "/api/v1/sessions", ""); got != "[]" {
		t.Errorf("without a password these are signed in: %s", got)
	}
}

// TestSignInOnce tests that signing in replaces a cookie that was sent, and that signing out ends it.
func TestSignInOnce(t *testing.T) {
	t.Parallel()
	v := newLocked(t, "{}")
	v.header = []string{"Sec-Fetch-Site", "same-origin"}
	v.cookie = "flats-8080=given-by-somebody-else"
	v.signIn()
	first := v.cookie
	value := strings.TrimPrefix(first, "flats-8080=")
	if random, err := base64.RawURLEncoding.DecodeString(value); err != nil || len(random) != 32 {
		t.Fatalf("the cookie is %s", first)
	}
	v.signIn()
	second := v.cookie
	v.want(200, "GET", "/api/v1/flats", "")
	v.cookie = first
	v.want(401, "GET", "/api/v1/flats", "")
	v.cookie = second
	v.want(204, "DELETE", sessionPath, "")
	if v.cookie != "" {
		t.Errorf("after signing out the cookie is %s", v.cookie)
	}
	v.cookie = second
	v.want(401, "GET", "/api/v1/flats", "")
	v.want(204, "DELETE", sessionPath, "") // an ended one
	v.cookie = ""
	for _, header := range [][]string{{"Authorization", basic("me", "correct horse")}, nil} {
		if w := v.ask("GET", "/api/v1/flats", "", header...); w.Header().Get("Set-Cookie") != "" {
			t.Errorf("%q sets the cookie %s", header, v.cookie)
		}
	}
}

// TestLanding tests that signing in leads to an address of this service only.
func TestLanding(t *testing.T) {
	long := "/?" + strings.Repeat("a", maxNext)
	for site, cases := range map[string]map[string]string{
		"http://localhost:8080/": {
			// Addresses of this service, without what would show the form again.
			"": "/", "/": "/", "/?a=b": "/?a=b", "/#/flat/1": "/#/flat/1", "/?a#/flat/a%2Fb?c#d": "/?a#/flat/a%2Fb?c#d",
			"/#/100%": "/#/100%", "/api/v1/flats/a%2Fb": "/api/v1/flats/a%2Fb", "/?sign-in": "/", "/?sign-in&a": "/?a",
			"/?a&sign-in=#/map": "/?a#/map", "/api/v1/session": "/", "/join/x": "/",
			"/?https://evil.example/": "/?https://evil.example/",
			// Addresses that browsers read as those of other sites, and those that are not normalized.
			"//evil.example": "/", "///evil.example": "/", "/\\evil.example": "/", "/a//b": "/",
			"\\\\evil.example":      "/",
			"https://evil.example/": "/", "https:evil.example": "/", "javascript:alert(1)": "/", "evil.example": "/",
			"/\t/evil.example": "/", "/\n/evil.example": "/", "\t//evil.example": "/", " //evil.example": "/", "/%zz": "/",
			"/a\r\nSet-Cookie: x=y": "/", "/..//evil.example": "/", "/.//evil.example": "/", "/a/../..//evil.example": "/",
			"/%2e%2e//evil.example": "/", "/#\r\nX: y": "/", "/?ä": "/", "/@evil.example": "/@evil.example",
			"//user@evil.example/": "/", "/%2F%2Fevil.example": "/", "?a": "/", "#/map": "/",
			"/%5cevil.example": "/%5cevil.example",
			long:               "/",
		},
		"https://flats.example/my/flats": {
			"/my/flats/?a": "/my/flats/?a", "/my/flats/#/map": "/my/flats/#/map", "/my/flats": "/my/flats/", "/": "/my/flats/",
			"/my/flats/../x": "/my/flats/", "/my/flats/%2e%2e/x": "/my/flats/", "/my/flatsx": "/my/flats/",
			"/my/flats/api/v1/session": "/my/flats/", "//my/flats/": "/my/flats/",
		},
	} {
		s := &server{config: &Config{WebsiteURL: site}}
		for next, want := range cases {
			if got := s.landing(next); got != want {
				t.Errorf("%s: %q leads to %q; want %q", site, next, got, want)
			}
		}
	}
}

// TestLandingUnderPath tests that signing in leads back to the page that was opened under the path of the website,
// whether or not a proxy strips that path.
func TestLandingUnderPath(t *testing.T) {
	v := newLocked(t, `{"website_url":"https://flats.example/my/flats/"}`)
	for path, want := range map[string]string{
		"/": "/my/flats/", "/my/flats/": "/my/flats/", "/my/flats/?a=b": "/my/flats/?a=b", "/?a=b": "/my/flats/?a=b",
		"/my/flats/api/v1/flats?q=a": "/my/flats/api/v1/flats?q=a", "/api/v1/flats?q=a": "/my/flats/api/v1/flats?q=a",
		"/my/flats/nothing": "/my/flats/nothing", "/nothing": "/my/flats/nothing", "//nothing": "/my/flats/nothing",
		"/api/v1/flats/a%2Fb%20c": "/my/flats/api/v1/flats/a%2Fb%20c", "/my/flats/api/v1/session": "/my/flats/",
	} {
		body := v.want(401, "GET", path, "", "Accept", "text/html", "Host", "flats.example").Body.String()
		if !strings.Contains(body, ` name="next" value="`+want+`"`) ||
			!strings.Contains(body, ` action="/my/flats/api/v1/session"`) {
			t.Errorf("%s: want %s in %s", path, want, mainOf(body))
		}
	}
}

// TestCookie tests the attributes of the cookie by the address of the website.
func TestCookie(t *testing.T) {
	t.Parallel()
	for site, want := range map[string]string{
		"http://flats.example/":           "flats=V; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax",
		"http://192.168.1.5:8080/":        "flats-8080=V; Path=/; Max-Age=15552000; HttpOnly; SameSite=Lax",
		"https://flats.example":           "flats=V; Path=/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax",
		"https://h.example:8443/my/flats": "flats-8443=V; Path=/my/flats; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax",
		"https://h.example/my/":           "flats=V; Path=/my/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax",
		"https://h.example/a;b/":          "flats=V; Path=/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax",
		"https://h.example/a%20b/":        "flats=V; Path=/a%20b/; Max-Age=15552000; HttpOnly; Secure; SameSite=Lax",
	} {
		v := newLocked(t, `{"website_url":"`+site+`"}`)
		w := v.want(204, "POST", sessionPath, `{"password":"correct horse"}`)
		got := w.Header().Values("Set-Cookie")
		_, value, _ := strings.Cut(v.cookie, "=")
		if len(got) != 1 || strings.Replace(got[0], value, "V", 1) != want {
			t.Errorf("%s: %q; want %s", site, got, want)
		}
		w = v.want(204, "DELETE", sessionPath, "")
		want = strings.NewReplacer("=V", "=", "15552000", "0").Replace(want)
		if got := w.Header().Values("Set-Cookie"); len(got) != 1 || got[0] != want {
			t.Errorf("%s: signing out sets %q; want %s", site, got, want)
		}
	}
}

// TestSessionRequests tests which requests the cookie of a session opens.
func TestSessionRequests(t *testing.T) {
	t.Parallel()
	v := newLocked(t, `{"website_url":"https://flats.example/","cors_origins":["https://friend.example"]}`).signIn()
	link := []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document", "Sec-Fetch-Site"}
	frame := []string{"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe", "Sec-Fetch-Site"}
	for _, c := range []struct {
		method string
		header []string
		want   int
	}{
		{"GET", nil, 200},
		{"GET", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"GET", []string{"Sec-Fetch-Site", "none"}, 200},
		{"GET", append(link, "cross-site"), 200},
		{"GET", append(link, "same-site"), 200},
		{"GET", []string{"Origin", "https://flats.example"}, 200},
		{"GET", []string{"Origin", "http://localhost"}, 200}, // the address at which the page is open
		{"POST", []string{"Origin", "https://flats.example", "Sec-Fetch-Site", "same-origin"}, 200},
		{"GET", append(frame, "same-site"), 403},
		{"GET", append(frame, "cross-site"), 403},
		{"GET", []string{"Sec-Fetch-Site", "same-site"}, 401},
		{"GET", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"GET", []string{"Sec-Fetch-Site", "something"}, 401},
		{"HEAD", append(link, "same-site"), 401},
		{"GET", []string{"Origin", "https://friend.example"}, 401},
		{"GET", []string{"Origin", "https://friend.example", "Sec-Fetch-Site", "same-site"}, 401},
		{"POST", []string{"Origin", "https://friend.example", "Sec-Fetch-Site", "same-site"}, 401},
		{"POST", append(link, "same-site", "Origin", "https://friend.example"), 401},
		{"GET", []string{"Origin", "http://localhost:9090"}, 401},
		{"GET", []string{"Origin", "null"}, 401},
		{"POST", []string{"Origin", "https://evil.example"}, 403},
		{"POST", []string{"Sec-Fetch-Site", "same-site"}, 403},
	} {
		path := "/api/v1/flats"
		if c.method == "POST" {
			path = "/api/v1/search"
		}
		v.want(c.want, c.method, path, `{"query":"a"}`, c.header...)
	}
	v.want(401, "GET", "/", "", append(frame, "same-site")...)
	v.want(200, "GET", "/", "", append(link, "same-site")...)
	right := v.cookie
	for cookies, want := range map[string]int{
		right + "x": 401, strings.ToUpper(right): 401, "other=1; " + right + "; flats=9": 200, "flats=; " + right: 200,
		"flats=a; flats=b; " + right: 200, "flats=a; flats=b": 401, strings.Replace(right, "flats", "Flats", 1): 401,
		strings.Repeat("flats=a; ", 2000) + right: 200,
	} {
		v.cookie = cookies
		v.want(want, "GET", "/api/v1/flats", "")
	}
	// The cookie is read before the password, and a wrong cookie does not spoil a right password.
	v.cookie = right
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", "wrong"))
	v.cookie = "flats=wrong"
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", "correct horse"))
	if got := strings.Count(v.logs.String(), "wrong user names"); got != 0 {
		t.Errorf("a wrong password with the right cookie was compared: %s", v.logs)
	}
}

// TestSessionAge tests that a session lasts for half a year after its last renewal, and that its cookie is renewed
// once a week, but not by an answer that caches keep.
func TestSessionAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		cookie := ""
		ask := func(path string) reply {
			got := s.from(laptop, "GET", path, "", "Cookie", cookie)
			if set := got.header.Get("Set-Cookie"); set != "" && !strings.HasPrefix(set, cookie+"; Path=/; Max-Age=15552000;") {
				t.Errorf("%s sets %s", path, set)
			}
			return got
		}
		got := s.from(laptop, "POST", sessionPath, "", "Content-Type", "x")
		s.refuse(got, 400, "Invalid session provided: want a form or an object with one password.")
		got = s.ask("POST", sessionPath, `{"password":"right"}`)
		cookie, _, _ = strings.Cut(got.header.Get("Set-Cookie"), ";")
		renewed := 0
		for range 4 * 365 { // every six hours for a year
			time.Sleep(6 * time.Hour)
			if got := ask("/api/v1/photos/" + strings.Repeat("0", 64)); got.status != 404 || got.header.Get("Set-Cookie") != "" {
				t.Fatalf("a photo: %d %v", got.status, got.header)
			}
			if got := ask("/sw.js"); got.header.Get("Set-Cookie") != "" {
				t.Fatalf("a file of the page: %v", got.header)
			}
			if got := ask("/api/v1/flats"); got.status != 200 {
				t.Fatalf("the flats: %d", got.status)
			} else if got.header.Get("Set-Cookie") != "" {
				renewed++
			}
		}
		if want := 365 / 7; renewed != want {
			t.Errorf("the cookie was renewed %d times in a year; want %d", renewed, want)
		}
		time.Sleep(7*day - 6*time.Hour)
		if got := ask("/"); got.header.Get("Set-Cookie") == "" || got.header.Get("Cache-Control") != "no-cache" {
			t.Errorf("after a week the page is answered with %v", got.header)
		}
		time.Sleep(180*day - time.Second)
		if got := s.access.list().Sessions; len(got) != 1 || got[0].hasEnded(time.Now()) {
			t.Errorf("after nearly half a year there are %v", got)
		}
		time.Sleep(time.Second)
		if got := ask("/api/v1/flats"); got.status != 401 {
			t.Errorf("after half a year: %d", got.status)
		}
		s.want(s.from(laptop, "GET", "/api/v1/sessions", basic("me", "right")), 200, `{"data":[]}`)
	})
}

// threats has a test for each row of the table of threats in docs/running.md, by its first cell.
var threats = map[string]func(t *testing.T){
	"the same machine": func(t *testing.T) {
		v := newLocked(t, `{"feed_token":"f"}`).signIn()
		v.must(200, "POST", "/api/v1/import", `[{"id":"a"}]`, "Cookie", v.cookie)
		v.must(200, "PATCH", "/api/v1/settings", `{"import_token":"secret"}`, "Cookie", v.cookie)
		v.another().want(401, "GET", "/api/v1/flats", "")
		v.another().want(401, "GET", "/api/v1/settings", "")
		for _, name := range []string{"flats.json", sessionsBase, settingsBase} {
			if info, err := os.Stat(filepath.Join(v.folder, name)); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v, %v", name, err, info)
			}
		}
		open := newSetup(t, t.TempDir(), "{}")
		open.must(200, "GET", "/api/v1/flats", "")
		open.must(200, "GET", "/api/v1/settings", "")
	},
	"the home's network": func(t *testing.T) {
		open := newSetup(t, t.TempDir(), `{"addr":"0.0.0.0:8080"}`)
		for _, path := range []string{"/api/v1/settings", "/api/v1/backups", "/api/v1/sessions"} {
			open.must(403, "GET", path, "", "Remote", laptop)
		}
		open.must(403, "PUT", "/api/v1/password", `{"password":"correct horse"}`, "Remote", laptop)
		synctest.Test(t, func(t *testing.T) {
			s := newGuarded(t)
			defer s.store.Close()
			if got := s.flood(laptop); got != guessBurst {
				t.Errorf("%d guesses were compared", got)
			}
			if got := s.flood("10.1.2.3:1"); got != 0 {
				t.Errorf("another device has %d more", got)
			}
			time.Sleep(logEvery)
		})
	},
	"the internet": func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := newGuarded(t)
			defer s.store.Close()
			s.flood(attacker)
			for _, c := range []struct {
				address string
				want    int
			}{{attacker, 429}, {"198.51.100.7:1", 429}, {phone, 429}, {laptop, 200}} {
				if got := s.from(c.address, "GET", "/api/v1/flats", basic("me", "right")); got.status != c.want {
					t.Errorf("the right password from %s: %d; want %d", c.address, got.status, c.want)
				}
			}
			time.Sleep(logEvery)
		})
	},
	"another site": func(t *testing.T) {
		v := newLocked(t, `{"cors_origins":["https://friend.example"]}`).signIn()
		site := func(origin, mode, destination string) []string {
			return []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", mode, "Sec-Fetch-Dest", destination,
				"Origin", origin}
		}
		for _, origin := range []string{"https://evil.example", "https://friend.example", "null"} {
			for _, c := range []struct{ method, path, body string }{
				{"GET", "/api/v1/flats", ""}, {"PATCH", "/api/v1/flat/a", `{"notes":"x"}`}, {"DELETE", sessionPath, ""},
				{"POST", sessionPath, "password=correct+horse"}, {"PUT", "/api/v1/password", `{"password":"a new password"}`},
				{"POST", "/api/v1/invites", ""}, {"GET", "/api/v1/sessions", ""},
			} {
				w := v.ask(c.method, c.path, c.body, site(origin, "cors", "empty")...)
				if w.Code != 401 && w.Code != 403 || w.Header().Get("Set-Cookie") != "" {
					t.Errorf("%s %s from %s: %d %v", c.method, c.path, origin, w.Code, w.Header())
				}
			}
		}
		v.want(403, "GET", "/api/v1/flats", "", site("", "no-cors", "image")...)
		v.want(403, "GET", "/api/v1/flats", "", site("", "navigate", "iframe")...)
		w := v.another().want(401, "GET", "/", "", site("", "navigate", "iframe")...)
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("the sign-in page can be framed: %v", w.Header())
		}
		w = v.want(200, "GET", "/", "")
		if !strings.Contains(w.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("the page can be framed: %v", w.Header())
		}
		for _, path := range []string{"/", "/api/v1/flats", "/api/v1/find", "/api/v1/settings", feedPath} {
			w = v.want(200, "GET", path, "")
			if w.Header().Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s can be loaded: %v", path, w.Header())
			}
		}
		open := newSetup(t, t.TempDir(), "{}")
		open.must(403, "GET", "/api/v1/flats", "", "Host", "rebound.example")
		open.must(403, "PUT", "/api/v1/password", `{"password":"correct horse"}`, "Host", "rebound.example")
	},
	"another service of the same host": func(t *testing.T) {
		v := newLocked(t, "{}")
		v.cookie = "flats-8080=tossed"
		v.signIn()
		right := v.cookie
		v.want(401, "GET", "/api/v1/flats", "", "Origin", "http://localhost:9090")
		v.want(401, "GET", "/api/v1/flats", "", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors")
		v.want(403, "PATCH", "/api/v1/flat/a", "{}", "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors")
		v.cookie = "flats-8080=tossed; " + right + "; flats-8080=tossed"
		v.want(200, "GET", "/api/v1/flats", "")
		if right == "flats-8080=tossed" {
			t.Error("signing in has kept a cookie that somebody else has made")
		}
	},
	"a link to sign in": func(t *testing.T) {
		v := newLocked(t, "{}")
		w := v.want(401, "GET", "//evil.example/%2e%2e?x#y", "", "Accept", "text/html")
		if strings.Contains(w.Body.String(), `value="//`) || strings.Contains(w.Body.String(), "https://evil") {
			t.Errorf("the page leads to %s", mainOf(w.Body.String()))
		}
		w = v.want(303, "POST", sessionPath, "password=correct+horse&next=https%3A%2F%2Fevil.example")
		if got := w.Header().Get("Location"); got != "/" {
			t.Errorf("signing in leads to %s", got)
		}
		v.another().want(403, "POST", sessionPath, "password=correct+horse", "Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "navigate")
	},
	"an invite": func(t *testing.T) {
		v := newLocked(t, "{}").signIn()
		link := inviteIn(t, v.want(201, "POST", "/api/v1/invites", "").Body.String())
		v.another().want(200, "GET", link, "")
		v.another().want(403, "POST", link, "", "Sec-Fetch-Site", "cross-site")
		v.another().want(303, "POST", link, "")
		v.another().want(404, "POST", link, "")
		if strings.Contains(v.logs.String(), strings.TrimPrefix(link, joinPath)) {
			t.Errorf("the log has the code of an invite: %s", v.logs)
		}
	},
	"a shared page": func(t *testing.T) {
		v := newLocked(t, "{}").signIn()
		v.want(200, "POST", "/api/v1/import", `[{"id":"a","title":"Loft","cost":900},{"id":"b","title":"Attic"}]`)
		w := v.want(201, "POST", "/api/v1/shares", `{"title":"For you","ids":["a"],"days":1}`)
		var share struct{ Data struct{ ID, URL string } }
		if err := json.Unmarshal(w.Body.Bytes(), &share); err != nil {
			t.Fatal(err)
		}
		path := share.Data.URL[strings.Index(share.Data.URL, sharePath):]
		reader := v.another()
		if body := reader.want(200, "GET", path, "").Body.String(); strings.Contains(body, "Attic") || reader.cookie != "" {
			t.Errorf("the page is %s, and sets the cookie %q", body, reader.cookie)
		}
		token := strings.TrimPrefix(path, sharePath)
		for _, path := range []string{"/", "/api/v1/flats", "/api/v1/shares", "/api/v1/sessions"} {
			reader.want(401, "GET", path+"?token="+token, "", "Authorization", "Bearer "+token)
		}
		reader.want(401, "POST", sessionPath, `{"password":"`+token+`"}`)
		reader.want(404, "GET", joinPath+token, "")
		v.want(204, "DELETE", "/api/v1/shares/"+share.Data.ID, "")
		reader.want(404, "GET", path, "")
	},
	"a token": func(t *testing.T) {
		v := newLocked(t, `{"feed_token":"f","import_token":"i"}`)
		v.want(200, "GET", feedPath+"?token=f", "")
		v.want(200, "POST", importPath, "[]", "Authorization", "Bearer i")
		for _, path := range []string{"/", "/api/v1/flats", "/api/v1/sessions", "/api/v1/settings", "/api/v1/backups"} {
			v.want(401, "GET", path+"?token=f", "", "Authorization", "Bearer i")
		}
		v.want(401, "POST", sessionPath, `{"password":"i"}`, "Authorization", "Bearer i")
		v.want(401, "PUT", "/api/v1/password", `{"password":"a new password"}`, "Authorization", "Bearer i")
	},
	"a stolen cookie": func(t *testing.T) {
		v := newLocked(t, `{"website_url":"https://localhost/"}`)
		w := v.want(204, "POST", sessionPath, `{"password":"correct horse"}`)
		if set := w.Header().Get("Set-Cookie"); !strings.Contains(set, "; HttpOnly; Secure; SameSite=Lax") {
			t.Errorf("the cookie is %s", set)
		}
		thief := v.another()
		thief.cookie = v.cookie
		thief.want(200, "GET", "/api/v1/flats", "")
		thief.want(403, "PUT", "/api/v1/password", `{"password":"a new password"}`)
		// The thief signs in by an invite, which ends the session of the cookie, and still has another invite. When the
		// owner ends the session of the thief, that invite ends, too.
		invites := func(from *visitor) string {
			return inviteIn(t, from.want(201, "POST", "/api/v1/invites", "").Body.String())
		}
		owner := v.another().signIn()
		ofOwner, first, second := invites(owner), invites(thief), invites(thief)
		thief.want(303, "POST", first, "")
		v.want(401, "GET", "/api/v1/flats", "")
		for _, device := range owner.sessions() {
			if !device.This {
				owner.want(204, "DELETE", "/api/v1/sessions/"+device.ID, "")
			}
		}
		thief.want(401, "GET", "/api/v1/flats", "")
		thief.want(404, "POST", second, "")
		v.another().want(200, "GET", ofOwner, "")
		v.signIn()
		thief.cookie = v.cookie
		v.want(204, "PUT", "/api/v1/password", `{"password":"a new password","old":"correct horse"}`)
		thief.want(401, "GET", "/api/v1/flats", "")
	},
	"a stolen file": func(t *testing.T) {
		v := newLocked(t, "{}").signIn()
		link := inviteIn(t, v.want(201, "POST", "/api/v1/invites", "").Body.String())
		v.another().want(401, "GET", "/", "", "Authorization", basic("me", "horse battery"))
		_, value, _ := strings.Cut(v.cookie, "=")
		for _, secret := range []string{value, strings.TrimPrefix(link, joinPath), "correct horse", "horse battery"} {
			text := readFile(t, filepath.Join(v.folder, sessionsBase)) + readFile(t, filepath.Join(v.folder, passwordBase)) +
				v.logs.String()
			if strings.Contains(text, secret) {
				t.Errorf("%s is in %s", secret, text)
			}
		}
		for _, name := range []string{sessionsBase, passwordBase} {
			if archiveName().MatchString(name) || isExtra(name) || canRestore(name) {
				t.Errorf("an archive may have %s", name)
			}
		}
		if passwordRounds < 600_000 {
			t.Errorf("a guess costs %d rounds", passwordRounds)
		}
	},
	"a lost phone": func(t *testing.T) {
		v := newLocked(t, `{"people":["Ann","Ben"]}`).signIn()
		phone := v.another("User-Agent", safari).signIn()
		for _, device := range v.sessions() {
			if device.Name == "Safari · iPhone" {
				v.want(204, "DELETE", "/api/v1/sessions/"+device.ID, "")
			}
		}
		phone.want(401, "GET", "/api/v1/flats", "")
		v.want(200, "GET", "/api/v1/flats", "")
	},
}

// TestThreats tests the table of threats in docs/running.md. Each row has a test of its name.
func TestThreats(t *testing.T) {
	t.Parallel()
	_, table, _ := strings.Cut(readFile(t, "docs/running.md"), "| who | could | what stands against it |\n|---|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := 0
	for row := range strings.Lines(table) {
		name, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		test := threats[name]
		if test == nil {
			t.Errorf("%q has no test", name)
			continue
		}
		rows++
		t.Run(name, test)
	}
	if rows != len(threats) || rows == 0 {
		t.Errorf("the table has %d rows with a test; want %d", rows, len(threats))
	}
}
