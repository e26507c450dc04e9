// Tests of debug.go: what is served, and to whom.

package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestDebug tests that the debug server answers, though not pages of other sites, and that the
// service itself has no such paths.
func TestDebug(t *testing.T) {
	p := start(t, t.TempDir(), "-sample", "-debug", "127.0.0.1:0")
	url := regexp.MustCompile(`(http://[0-9.:]+)/debug/`).FindStringSubmatch(p.stderr.String())[1]
	p.await("the service to listen", func() bool {
		found := regexp.MustCompile(`msg=listening url=(http://[0-9.:]+)`).FindStringSubmatch(p.stderr.String())
		if found != nil {
			p.url = found[1]
		}
		return found != nil
	})
	for _, c := range []struct {
		method, path, host, site string
		status                   int
		want                     string
	}{
		{"GET", "/debug/pprof/", "", "", 200, "goroutine"},
		{"GET", "/debug/pprof/heap?debug=1", "", "", 200, "heap profile"},
		{"GET", "/debug/vars", "localhost:1", "same-origin", 200, "memstats"},
		{"GET", "/debug/vars", "", "cross-site", 403, "only pages"},
		{"GET", "/debug/vars", "evil.example", "", 403, "only pages"},
		{"POST", "/debug/pprof/profile", "", "", 405, ""},
		{"GET", "/", "", "", 404, ""},
	} {
		r, err := http.NewRequest(c.method, url+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = c.host
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%v: %v, %d %.100s", c, err, answer.StatusCode, body)
		}
	}
	if status, _ := p.do("GET", "/debug/vars", ""); status != 404 {
		t.Errorf("the service answers /debug/vars: %d", status)
	}
	p.stop()
}
