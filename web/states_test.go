// Tests of what the page says of messages, travel times, photos and the mailbox.

package web

import (
	"fmt"
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

// TestPageTravelService tests that the page says what to write into the config or,
// with a travel service, how many flats wait and what is wrong, and that a listing
// that is added gets its time within seconds.
func TestPageTravelService(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".menu")
	p.click("#menu [data-view=travel]")
	p.see("location.hash", "#/travel")
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	p.wait(state + `.startsWith("No travel service is asked yet Add this to config.json")`)
	p.see(`document.querySelector(".told code").innerText`,
		`"travel": {"url": "https://api.transitous.org", "contact": "me@example.org"}`)
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".told button")
	p.see("copied", `"travel": {"url": "https://api.transitous.org", "contact": "me@example.org"}`)
	p.see(`[...document.querySelectorAll(".travel a")].map(({innerText, href}) => innerText + " " + href).join()`,
		"© OpenStreetMap contributors https://www.openstreetmap.org/copyright,"+
			"MOTIS https://github.com/motis-project/motis,Transitous https://transitous.org/sources/")
	p.checkFaults()

	// A stand-in for MOTIS
	var isBusy, isFound atomic.Bool
	isBusy.Store(true)
	asked := make(chan string, 99)
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
	p.url = startIn(t, dir)
	p.open("#/travel", 390)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` + // the service may not have looked yet
		state + `.startsWith("1 of 2 flats are still waiting for a position or a travel time ")`)
	p.see(`(({value, max}) => value + " of " + max)(document.querySelector("progress"))`, "1 of 2")
	p.wait(state + `.includes(" answered 503 Service Unavailable")`)
	isBusy.Store(false)
	// The view follows without a press.
	p.wait(state + `.startsWith("No flat waits for a position or a travel time The travel service last answered on ")`)
	p.see(`document.querySelectorAll(".told :is(.wrong, progress, button)").length`, "0")
	p.eval(`fetch("api/v1/import", {method: "POST", body: '[{"id": 4, "location": "rue Pasteur", "service_constraint": "lyon"}]'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` + state + `.endsWith(
		" The address of 1 flat was not found. It is asked for again after four weeks. Ask again")`)
	isFound.Store(true)
	p.click(".told button")
	p.see(`document.querySelectorAll(".told :is(.wrong, button)").length`, "0")
	p.see(`fetch("api/v1/travel").then((answer) => answer.json()).then(({data}) => data.waiting + data.not_found)`, "0")
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", "T3 lumineux\n980 €\n61 m²\n5 rue Pasteur, 69007 Lyon")
	p.click(".add .primary")
	p.wait(`document.querySelector(".flat h1")`)
	const time_ = `fetch("api/v1/flats").then((answer) => answer.json()).then(({data}) => JSON.stringify(
		data.find(({title}) => title === "T3 lumineux").service_time_to?.work.estimated))`
	p.see(time_, `{"from":[45.735,4.839],"precision":"house","arrive":"08:30"}`)
	// The flat may have been shown before its time was known, or after.
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) &&
		(document.querySelector("#fresh button")?.click(), document.querySelector(".what .duration"))`)
	p.see(`document.querySelector(".what .duration")?.title`,
		"from the address, by public transport, arriving at 08:30 on a Tuesday")
	p.see(`document.querySelector(".what .duration")?.firstChild.textContent.replace(/\s/g, " ")`, "20 min")
	close(asked)
	var last string
	for last = range asked {
	}
	if want := "geocode 69007 Lyon 7e 5 rue Pasteur by flats/"; !strings.HasPrefix(last, want) ||
		!strings.HasSuffix(last, " (me@example.org)") {
		t.Errorf("asked last %q; want %q …", last, want)
	}
	p.checkFaults()
}

// TestPageKeptPhotosState tests that the page says what to write into the config or, where photos are kept, how many,
// how large and how many wait, and what has failed.
func TestPageKeptPhotosState(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".menu")
	p.see(`[...document.querySelectorAll("#menu h2, #menu h2 ~ a")].map((item) => item.innerText).join()`,
		"Background tasks,Mailbox,Photos,Travel,Tell me")
	p.click("#menu [data-view=photos]")
	p.see("location.hash", "#/photos")
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	p.see(state, `No photos are kept yet Add this line to config.json, inside its braces. Restart the service. `+
		`"keep_photos": true Copy It fetches the photos from the listings’ sites, which then see the address `+
		"of the service.")
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".told button")
	p.see("copied", `"keep_photos": true`)
	p.checkFaults()

	// Large enough for a number with a unit
	large := pngOf(1) + strings.Repeat("x", 1_250_000)
	flats := []object{{"id": "a", "status": "followed", "photos": []string{"http://127.0.0.1/private"},
		"kept_photos": []object{keptPhoto("https://photos.example/1"), keptPhoto("https://photos.example/2")}}}
	p.url, _ = startKeeping(t, `{"keep_photos": true}`, flats, map[string]string{
		"https://photos.example/1": large, "https://photos.example/2": large})
	p.open("#/photos", 390)
	// The view follows without a press.
	p.wait(state + `.startsWith("2 photos are kept: 2.5 MB Last error: photos that could not be ` +
		`fetched: 1, the last one from 127.0.0.1")`)
	p.checkFaults()
}

// TestPageMailbox tests that the page says what to write into the config or, with a mailbox, when it was last read,
// what came, and what has failed.
func TestPageMailbox(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.click(".menu")
	p.click("#menu [data-view=mailbox]")
	p.see("location.hash", "#/mailbox")
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	const example = `"mailbox": {"url": "imaps://me%40example.org@imap.example.org/Flats", "password": "…"}`
	p.wait(state + `.startsWith("No mailbox is read yet Save your searches on the portals")`)
	p.see(`document.querySelector(".told code").innerText`, example)
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.click(".told button")
	p.see("copied", example)
	p.checkFaults()

	dir := t.TempDir()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // a server that says nothing valid
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
	p.url = startIn(t, dir)
	p.open("#/mailbox", 390)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` + // the service may not have looked yet
		state + ` === "Since the start came 0 mails, with 0 listings Last error: 127.0.0.1: ` +
		`the connection was answered with BYE UNAVAILABLE"`)
	p.checkFaults()
}

// TestPageEmpty tests that each view without anything to show says what to do next, and leads there.
func TestPageEmpty(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "One", "status": "ignored"}]`, "#/", 1280)
	for _, c := range []struct{ hash, words, leads string }{
		{"#/", ".foot .end", "No matching flats · All"},
		{"#/?tab=shortlist", ".foot .end", "No matching flats · Live"},
		{"#/?tab=all&q=two", ".foot .end", "No matching flats · Clear filters"},
		{"#/map", ".found span", "No matching flats · All"},
		{"#/prices?q=two", ".found span", "No matching flats · Clear filters"},
		{"#/today", ".empty", "Nothing is due today Flats"},
		{"#/triage", ".empty", "Nothing left to triage Shortlist"},
		{"#/visits", ".empty", "No upcoming visits A visit is set on the page of a flat. Shortlist"},
		{"#/compare/", "p.soft", "Press “Compare” on two to six flats. Flats"},
		{"#/duplicates", "p.soft",
			"No probable duplicates. Listings that look like one home appear here by themselves. Flats"},
	} {
		p.eval("location.hash = " + encode(c.hash))
		p.see(fmt.Sprintf(`document.querySelector("main %s")?.innerText.replace(/\s+/g, " ").trim()`, c.words), c.leads)
		p.see(fmt.Sprintf(`document.querySelectorAll("main %s :is(a, button)").length`, c.words), "1")
	}
	p.eval(`location.hash = "#/?tab=all&q=two"`)
	p.click(".foot .link")
	p.see(rowCount, "1")
	p.checkFaults()
}

// TestPageQuestions tests that every question is asked by a dialog of the page, and that the help tells the keys of the
// view from those that hold everywhere.
func TestPageQuestions(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for name, source := range readFolder(t) {
		if found := regexp.MustCompile(`\b(?:confirm|alert|prompt)\(`).FindString(source); found != "" {
			t.Errorf("%s has %s; want a dialog of the page", name, found)
		}
	}
	p := openTab(t, "", "#/", 1280)
	p.wait(`document.querySelector(".row")`)
	p.press("?")
	const parts = `[...document.querySelectorAll("#help section")].map((part) => part.querySelector("h3").innerText + " " +
		["j", "x", "g t", "?"].filter((key) => [...part.querySelectorAll("kbd")].some((cap) => cap.innerText === key)))
		.join("|")`
	p.see(parts, "Here j,x|Everywhere g t,?")
	p.checkFaults()
}
