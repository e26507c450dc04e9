// Tests of trials.go.

package main

import (
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"flats/internal/imap/imaptest"
)

// TestGeocode tests the places of an address: those of the travel service, which may answer nonsense, and those of the
// loaded postal codes.
func TestGeocode(t *testing.T) {
	answer, status := "", 200 // of the travel service
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		w.Write([]byte(answer))
	}))
	defer server.Close()
	s := newSetup(t, t.TempDir(), `{"travel":{"url":"`+server.URL+`","contact":"me"}}`)
	codes := frenchCodes + geoNamesRow("FR", "29000", "Lyonel", "Bretagne", "29", 48, -4) +
		geoNamesRow("FR", "68000", "Würzel", "", "", 47.5, 7.25)
	s.must(200, "PUT", "/api/v1/postal_codes/FR", codes)
	s.must(200, "PATCH", "/api/v1/settings", `{"postal_codes":["FR"]}`)
	const lyon = `{"name":"Lyon, Auvergne-Rhône-Alpes","gps":[45.760000000000005,4.83],"precision":"place"}`
	for _, c := range []struct {
		text, answer string
		status       int
		want         string
	}{
		{"Lyon", "[]", 200, lyon + `,{"name":"Lyonel, Bretagne","gps":[48,-4],"precision":"place"}`},
		{"LYON", "", 500, lyon + `,{"name":"Lyonel, Bretagne","gps":[48,-4],"precision":"place"}`},
		{"12 rue X, 69002 Lyon", "<html>", 200, `{"name":"69002 Lyon 02","gps":[45.75,4.83],"precision":"postal_code"}`},
		{"wuerz", "[]", 200, `{"name":"Würzel, FR","gps":[47.5,7.25],"precision":"place"}`},
		{"nowhere", `[{"lat":1,"lon":2,"type":"PLACE","name":"Nowhere","areas":[{"name":"Land","default":true}]}]`, 200,
			`{"name":"Nowhere, Land","gps":[1,2],"precision":"place"}`},
		{"5 Main St", `[{"lat":1,"lon":2,"type":"ADDRESS","name":"Main St","street":"Main St","houseNumber":"5","zip":"1"},
			{"lat":1,"lon":2,"type":"ADDRESS","name":"Main St","street":"Main St","houseNumber":"5","zip":"1"},
			{"lat":3,"lon":4,"type":"ADDRESS","street":"Main St","houseNumber":"7"}]`, 200,
			`{"name":"Main St 5, 1","gps":[1,2],"precision":"house"},{"name":"Main St 7","gps":[3,4],"precision":"street"}`},
		// What cannot be used is left out.
		{"nowhere", `[{"lat":91,"lon":2,"name":"a"},{"lon":2,"name":"b"},{"lat":1,"lon":1},null,
			{"lat":1,"lon":1,"name":"\u0000"}]`, 200, ""},
		{"nowhere", `{"lat":1}`, 200, ""},
		{"nowhere", `[{"lat":"x"}]`, 200, ""},
		{"nowhere", `[` + strings.Repeat(" ", 1<<20) + `]`, 200, ""},
		{"?!", "", 404, ""},
	} {
		s.geocoder.pace = &pace{}
		answer, status = c.answer, c.status
		target := "/api/v1/geocode?text=" + strings.NewReplacer(" ", "+", "?", "%3F", "ü", "%C3%BC").Replace(c.text)
		if got := s.must(200, "GET", target, ""); got != "["+c.want+"]" {
			t.Errorf("%s, when the service answers %.100s: %s; want %s", c.text, c.answer, got, c.want)
		}
	}
	for _, query := range []string{"", "?text=", "?text=+", "?text=a&text=b", "?text=" + strings.Repeat("a", 201)} {
		s.must(400, "GET", "/api/v1/geocode"+query, "")
	}
}

// TestGeocodeWaits tests that a travel service that has asked to wait is asked nothing meanwhile, and that a request
// that cannot wait so long does not delay the questions of the geocoder.
func TestGeocodeWaits(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(429)
	}))
	defer server.Close()
	s := newSetup(t, t.TempDir(), `{"travel":{"url":"`+server.URL+`","contact":"me"}}`)
	for range 3 {
		s.must(200, "GET", "/api/v1/geocode?text=a", "")
	}
	if asked != 1 {
		t.Errorf("the service was asked %d times", asked)
	}
	s.geocoder.pace = &pace{}
	s.geocoder.pace.hold(maxGeocode + time.Second) // longer than a request waits
	next := s.geocoder.pace.next
	s.must(200, "GET", "/api/v1/geocode?text=a", "")
	if !s.geocoder.pace.next.Equal(next) {
		t.Error("a request that cannot wait delays the next question")
	}
}

// TestMailboxTry tests what is told of a mailbox before it is set, and that nothing is stored.
func TestMailboxTry(t *testing.T) {
	other := strings.ReplaceAll(alertMail(2, 900), "portal.example", "other.example")
	mails := imaptest.NewServer(t, alertMail(1, 840), other)
	port := mails.Listen()
	folder := t.TempDir()
	s := newSetup(t, folder, `{}`)
	var chain strings.Builder
	for _, der := range mails.Certificate.Certificate {
		pem.Encode(&chain, &pem.Block{Type: "CERTIFICATE", Bytes: der})
	}
	certificate := writeFile(t, folder, "cert.pem", chain.String())
	value := func(path, more string) string {
		return fmt.Sprintf(`{"url":"imaps://hunter@127.0.0.1:%d%s","certificate":%q%s}`, port, path, certificate, more)
	}
	const folders = `"folders":["INBOX","Flats"],`
	for _, c := range []struct{ body, want string }{
		{value("", `,"password":"secret-1"`), folders + `"mails":null,"listings":null,"examples":[]`},
		{value("/Flats", `,"password":"secret-1"`), folders + `"mails":2,"listings":2,"examples":[{"title":`},
		{value("/Flats", `,"password":"secret-1","from":["portal.example"]`), folders + `"mails":1,"listings":1,`},
	} {
		if got := s.must(200, "POST", "/api/v1/mailbox/try", c.body); !strings.HasPrefix(got, "{"+c.want) {
			t.Errorf("%s: %s; want %s", c.body, got, c.want)
		}
	}
	relative := strings.ReplaceAll(value("", `,"password":"secret-1"`), certificate, "cert.pem")
	s.must(200, "POST", "/api/v1/mailbox/try", relative)
	for _, c := range []struct{ body, want string }{
		{value("/Flats", `,"password":"wrong"`), "check the user and the password; many providers want an app password"},
		{value("/None", `,"password":"secret-1"`), "check the folder"},
		{`{"url":"imaps://hunter@127.0.0.1:1/Flats","password":"secret-1"}`, "127.0.0.1: "},
		{fmt.Sprintf(`{"url":"imaps://hunter@127.0.0.1:%d/Flats","password":"secret-1"}`, port),
			"name that in mailbox.certificate"},
	} {
		w := s.fetch("POST", "/api/v1/mailbox/try", c.body)
		if w.Code != 502 || !strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s; want %s", c.body, w.Code, w.Body, c.want)
		}
	}
	for _, c := range []struct{ body, want string }{
		{`{}`, "mailbox.password mailbox.url"},
		{`{"url":5,"password":[],"foo":1}`, "mailbox.foo mailbox.password mailbox.url"},
		{`{"url":"http://h","password":"a"}`, "mailbox.url"},
		{`{"url":"imaps://a@h","password":true}`, "mailbox.password"},
		{`{"url":"imaps://a@h","password":"a","certificate":"/none"}`, "mailbox.certificate"},
		{`[]`, ""}, {``, ""},
	} {
		if got := s.must(400, "POST", "/api/v1/mailbox/try", c.body); got != c.want {
			t.Errorf("%s: wrong are %q; want %q", c.body, got, c.want)
		}
	}
	s.must(200, "PATCH", "/api/v1/settings", `{"mailbox":`+value("/Flats", `,"password":"secret-1","every":"24h"`)+`}`)
	s.must(200, "POST", "/api/v1/mailbox/try", value("", `,"password":true`))
	if _, err := os.Stat(filepath.Join(folder, "none")); err == nil || s.setting("mailbox") == "" {
		t.Error("the mailbox is not set")
	}
	if strings.Contains(s.logs.String(), "secret") {
		t.Errorf("the log has a secret: %s", s.logs)
	}
}
