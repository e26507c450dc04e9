// Tests of what the page says about messages, travel times, photos and the mailbox.

package web

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// startTravel runs the program with two flats that wait for a travel time, and with a stand-in for MOTIS, which is busy
// until isBusy is false and does not find the rue Pasteur until isFound is true. It returns the program's URL, and the
// requests to the stand-in.
func startTravel(t *testing.T, isBusy, isFound *atomic.Bool) (url string, asked chan string) {
	t.Helper()
	isBusy.Store(true)
	asked = make(chan string, 99)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- path.Base(r.URL.Path) + " " + r.FormValue("text") + r.FormValue("one") + " by " + r.UserAgent()
		switch {
		case isBusy.Load():
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusServiceUnavailable)
		case r.FormValue("text") == "rue Pasteur" && !isFound.Load():
			io.WriteString(w, `[]`)
		case strings.HasSuffix(r.URL.Path, "/one-to-all"):
			io.WriteString(w, `{"all": [{"place": {"name": "stop", "lat": 45.735, "lon": 4.839}, "duration": 20}]}`)
		default:
			io.WriteString(w, `[{"type": "ADDRESS", "name": "Rue Pasteur", "street": "Rue Pasteur", "houseNumber": "5",
				"lat": 45.735, "lon": 4.839}]`)
		}
	}))
	t.Cleanup(service.Close)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"postal_codes": ["postal_codes.json"],
		"travel": {"url": "`+service.URL+`", "contact": "me@example.org", "arrive": "08:30"},
		"constraints": {"lyon": {"time_to": {"work": {"gps": [45.7605, 4.8594]}}}}}`)
	writeFile(t, filepath.Join(dir, "postal_codes.json"), readFile(t, "testdata/sample/postal_codes.json"))
	writeFile(t, filepath.Join(dir, "flats.json"), `[
		{"id": 1, "title": "T2", "service_constraint": "lyon", "service_postal_code": "69004"},
		{"id": 2, "gps": [45.7, 4.8], "status": "ignored"}, {"id": 3, "gps": [48.1, 11.5]}]`)
	return startIn(t, dir), asked
}

// TestPageTravelService tests the state of a travel service.
func TestPageTravelService(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var isBusy, isFound atomic.Bool
	url, asked := startTravel(t, &isBusy, &isFound)
	p := &tab{browser: openBrowser(t), t: t, url: url}
	p.open("#/settings/places", 390)
	p.test("the page says how many flats wait", func() {
		p.comeBackUntil(serviceState + `.startsWith("work 1 of 2 flats are still waiting for a position or a travel time ")`)
		p.see(progressText, "1 of 2")
	})
	p.test("the page says what is wrong", func() {
		p.wait(serviceState + `.includes(" answered 503 Service Unavailable")`)
	})
	p.test("the view follows without a press", func() {
		isBusy.Store(false)
		p.wait(serviceState +
			`.startsWith("work No flat waits for a position or a travel time The travel service last answered on ")`)
		p.see(count(troubleInState), "0")
	})
	findLater(p, &isFound)
	addWithTime(p)
	p.test("the service is told who asks", func() {
		close(asked)
		var last string
		for last = range asked {
		}
		if want := "geocode 69007 Lyon 7e 5 rue Pasteur by flats/"; !strings.HasPrefix(last, want) ||
			!strings.HasSuffix(last, " (me@example.org)") {
			p.t.Errorf("asked last %q; want %q …", last, want)
		}
	})
	p.checkFaults()
}

// findLater adds an address that is found only after a second press.
func findLater(p *tab, isFound *atomic.Bool) {
	p.test("an address that was not found is asked for again", func() {
		p.eval(`fetch("api/v1/import", {method: "POST",
			body: '[{"id": 4, "location": "rue Pasteur", "service_constraint": "lyon"}]'})`)
		p.comeBackUntil(serviceState + `.endsWith(
			" The address of 1 flat was not found. It is asked for again after four weeks. Ask again")`)
		isFound.Store(true)
		p.click(askAgain)
		p.see(count(troubleInState), "0")
		p.see(`fetch("api/v1/travel").then((answer) => answer.json()).then(({data}) => data.waiting + data.not_found)`,
			"0")
	})
}

// addWithTime adds a listing, and waits for its travel time.
func addWithTime(p *tab) {
	p.test("a listing that is added gets its time within seconds", func() {
		p.typeHash("#/add")
		p.enter(pasteField, "T3 lumineux\n980 €\n61 m²\n5 rue Pasteur, 69007 Lyon")
		p.click(addButton)
		p.wait(isThere(flatHeading))
		p.see(`fetch("api/v1/flats").then((answer) => answer.json()).then(({data}) => JSON.stringify(
			data.find(({title}) => title === "T3 lumineux").service_time_to?.work.estimated))`,
			`{"from":[45.735,4.839],"precision":"house","arrive":"08:30"}`)
		p.wait(showsTimeAfterNews) // the flat may have been shown before its time was known, or after
		p.see(timeIn(".what"), "20 min|from the address, by public transport, arriving at 08:30 on a Tuesday| "+
			"(from the address, by public transport, arriving at 08:30 on a Tuesday)")
	})
}

// TestPageKeptPhotosState tests that the page says how many photos are kept, how large they are, and what has failed.
func TestPageKeptPhotosState(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	// Large enough for a number with a unit
	large := pngOf(1) + strings.Repeat("x", 1_250_000)
	flats := []object{{"id": "a", "status": "followed", "photos": []string{"http://127.0.0.1/private"},
		"kept_photos": []object{keptPhoto("https://photos.example/1"), keptPhoto("https://photos.example/2")}}}
	p.url, _ = startKeeping(t, `{"keep_photos": true}`, flats, map[string]string{
		"https://photos.example/1": large, "https://photos.example/2": large})
	p.open("#/settings/photos", 390)
	p.test("where photos are kept, the view follows without a press", func() {
		p.wait(sectionState("photos") + `.startsWith("2 photos are kept: 2.5 MB Last error: photos that could not be ` +
			`fetched: 1, the last one from 127.0.0.1")`)
	})
}

// startWithSilentMailbox starts the program with a mailbox whose server gives no valid answer.
func startWithSilentMailbox(t *testing.T) (url string) {
	t.Helper()
	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			io.WriteString(conn, "* BYE [UNAVAILABLE] secret\r\n")
			conn.Close()
		}
	}()
	writeFile(t, filepath.Join(dir, "config.json"), `{"mailbox": {"url": "imap://secret@`+listener.Addr().String()+
		`/secret", "password": "secret"}}`)
	return startIn(t, dir)
}

// TestPageMailbox tests that the page says how many listings came from a mailbox, and what has failed.
func TestPageMailbox(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startWithSilentMailbox(t)
	p.open("#/settings/listings", 390)
	p.test("where a mailbox is read, it says what has failed", func() {
		p.comeBackUntil(sectionState("listings") + ` === "Since the start came 0 mails Last error: 127.0.0.1: ` +
			`the connection was answered with BYE UNAVAILABLE"`)
	})
	p.checkFaults()
}

// TestPageEmpty tests that each empty view says what to do next, and leads there.
func TestPageEmpty(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "One", "status": "ignored"}]`, "#/", 1280)
	for _, c := range []struct{ hash, words, leads string }{
		{"#/", emptyEnd, "No matching flats · All"},
		{"#/?tab=shortlist", emptyEnd, "No matching flats · Live"},
		{"#/?tab=all&q=two", emptyEnd, "No matching flats · Clear filters"},
		{"#/map", emptyFound, "No matching flats · All"},
		{"#/prices?q=two", emptyFound, "No matching flats · Clear filters"},
		{"#/today", emptyView, "Nothing is due today Flats"},
		{"#/triage", emptyView, "Nothing left to triage Shortlist"},
		{"#/visits", emptyView, "No upcoming visits A visit is set on the page of a flat. Shortlist"},
		{"#/compare/", emptyChoice, "Press “Compare” on two to six flats. Flats"},
		{"#/duplicates", emptyChoice,
			"No probable duplicates. Listings that look like one home appear here by themselves. Flats"},
	} {
		p.test("at "+c.hash, func() {
			p.typeHash(c.hash)
			p.see(text(c.words), c.leads)
			p.see(linkCount(c.words), "1")
		})
	}
	p.test("Clear filters leads to the flats", func() {
		p.typeHash("#/?tab=all&q=two")
		p.click(linkInEnd)
		p.see(rowCount, "1")
	})
}

// TestPageQuestions tests that a dialog of the page asks every question, and that the help separates the keys of the
// view from the keys of all views.
func TestPageQuestions(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for name, source := range readFolder(t) {
		if found := regexp.MustCompile(`\b(?:confirm|alert|prompt)\(`).FindString(source); found != "" {
			t.Errorf("%s has %s; want a dialog of the page", name, found)
		}
	}
	p := openTab(t, "", "#/", 1280)
	p.wait(isThere(anyRow))
	p.press("?")
	p.see(helpParts, "Here j,x|Everywhere g t,?")
}
