// The contract: what the service answers over HTTP, in the order of docs/api.md.

package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Sections 2.5 and 7: each row of the table of errors is answered with an error object. These are errors of clients,
// so none is logged.
func TestErrors_7(t *testing.T) {
	for _, c := range []struct {
		name, method, target, body string
		status                     int
		text                       string
	}{
		{"pagination", "GET", "/api/v1/flats?page[size]=0", "", 400, "Invalid pagination provided."},
		{"sort key", "GET", "/api/v1/flats?sort=nope", "", 400, "Invalid sorting key provided: nope."},
		{"update that is no JSON", "PATCH", "/api/v1/flat/a", "{", 400,
			"Invalid payload provided: unexpected end of JSON input."},
		{"search that is no JSON", "POST", "/api/v1/search", "{", 400, "Invalid query provided."},
		{"search without a query", "POST", "/api/v1/search", "{}", 400, "Invalid query provided."},
		{"read of no flat", "GET", "/api/v1/flats/nope", "", 404, "No flat with id nope."},
		{"update of no flat", "PATCH", "/api/v1/flat/nope", "{}", 404, "No flat with id nope."},
		{"any other failure", "GET", "/api/v1/flats?filter[nope]=1", "", 500, "Invalid filter key provided: nope."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newService(t, testFlats, testCodes)
			s.refuse(s.ask(c.method, c.target, c.body), c.status, c.text)
			if logs := s.logs.String(); strings.Contains(logs, "level=ERROR") {
				t.Errorf("log %s; want no error", logs)
			}
		})
	}
}

// Section 7: a panic is logged and answered with a 500. A panic after the first byte
// aborts the connection.
func TestFailures_7(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	broken := &server{log: log}
	s.Handler = broken.observed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic("out of milk") }),
		false)
	s.refuse(s.ask("GET", "/", ""), 500, "internal error: out of milk")
	if !strings.Contains(s.logs.String(), "out of milk") || !strings.Contains(s.logs.String(), "_test.go") {
		t.Errorf("the log lacks the panic or its position: %s", s.logs)
	}
	s.Handler = broken.observed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("half"))
		panic("too late")
	}), false)
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("a panic after the first byte: recovered %v; want http.ErrAbortHandler", got)
			}
		}()
		s.ask("GET", "/", "")
	}()
}

// A body with an unsupported content coding is refused. Shared caches may not store API
// answers, errors or the feed. CONNECT gets a 405 with all methods in Allow.
func TestHeaders(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ method, path, body string }{{"PATCH", "/api/v1/flat/a", `{"title":"x"}`},
		{"POST", "/api/v1/search", `{"query":"loft"}`}} {
		s.refuse(s.ask(c.method, c.path, c.body, "Content-Encoding", "br"), 415,
			`The content encoding "br" is not supported: send the body without it.`)
		if got := s.ask(c.method, c.path, c.body, "Content-Encoding", "identity"); got.status != 200 {
			t.Errorf("identity: %d %s", got.status, got.body)
		}
	}
	for _, path := range []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/flats/nope", "/api/v1/nope",
		"/api/v1/metadata", feedPath, feedPath + "?token=x"} {
		if got := s.ask("GET", path, "").header.Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
	}
	r := httptest.NewRequest("CONNECT", "/api/v1/flats", nil)
	r.Host = "flats.example"
	got := s.send(r)
	if got.status != 405 || got.header.Get("Allow") != "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" {
		t.Errorf("CONNECT: %d %v", got.status, got.header)
	}
}
