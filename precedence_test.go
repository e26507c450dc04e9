// Tests of which values of a listing a flat takes, and which of its own it keeps.

package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/imap/imaptest"
	"flats/internal/listing"
)

// An import takes the code from the location where the listing has none. It ends a
// correction only with another location, and leaves a backup as it is.
func TestImportCodes(t *testing.T) {
	s := newService(t, "[]", testCodes)
	for _, c := range []struct{ request, code, corrected string }{ // an import, unless it begins with PATCH
		{`[{"id":"a","location":"Rue X, 69007 Lyon","service_constraint":"lyon"}]`, "69007", "null"},
		{`[{"id":"a","location":"Rue X, 69007 Lyon","service_postal_code":{}}]`, "69007", "null"},
		// A correction stays until a listing has a code in another location.
		{`PATCH {"service_postal_code":"69003"}`, "69003", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"Rue X, 69007 Lyon","service_postal_code":""}]`, "69003",
			`{"service_postal_code":"69007"}`},
		{`[{"id":"a","title":"without a location"}]`, "69003", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"69007 Lyon"}]`, "69003", `{"service_postal_code":"69007"}`},
		{`PATCH {"service_postal_code":null}`, "", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"69007 Lyon","service_postal_code":null}]`, "", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"10115 Berlin"}]`, "", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"69007 Lyon"}]`, "", `{"service_postal_code":"69007"}`},
		{`PATCH {"service_postal_code":"69007"}`, "69007", "null"},
		{`[{"id":"a","location":"10115 Berlin"}]`, "10115", "null"},
		{`[{"id":"a","location":"Berlin"}]`, "10115", "null"},
		{`[{"id":"a","location":"69003 Lyon","service_postal_code":"69007"}]`, "69007", "null"},
		{`[{"id":"a","location":"69003 Lyon"}]`, "69007", "null"},
		{`[{"id":"a","location":"Rue X, 69003 Lyon"}]`, "69007", "null"},
		{`[{"id":"a","location":"69003 Lyon","service_postal_code":null}]`, "69003", "null"},
		{`[{"id":"a","location":"69003 Lyon","corrected":{"title":"x"},"service_postal_code":null}]`, "",
			`{"title":"x"}`},
		{`[{"id":"a","location":"69003 Lyon"}]`, "69003", `{"title":"x"}`},
	} {
		body, isPatch := strings.CutPrefix(c.request, "PATCH ")
		got := reply{}
		if isPatch {
			got = s.ask("PATCH", "/api/v1/flat/a", body)
		} else {
			got = s.ask("POST", "/api/v1/import", body)
		}
		f := s.store.Get("a")
		if code := f.ServicePostalCode.String(); got.status != 200 || code != c.code || f.Corrected.JSON() != c.corrected {
			t.Errorf("%s: %d, code %q, corrected %s; want %q, %s", c.request, got.status, code, f.Corrected.JSON(), c.code,
				c.corrected)
		}
	}
	// A backup, which has first_seen, keeps what it has, here no code. The code in an address of fredy is read, too.
	s.ask("POST", "/api/v1/import", `[{"id":"b","location":"69007 Lyon","first_seen":"2026-01-01"}]`)
	s.ask("POST", "/api/v1/import", `{"provider":"p","listings":[{"url":"https://x/1","address":"10115 Berlin"}]}`)
	if code := s.store.Get("b").ServicePostalCode.JSON(); code != "{}" || s.store.Get("b").ServicePostalCode.Known() {
		t.Errorf("a listing with first_seen has the code %s", code)
	}
	s.want(s.ask("GET", "/api/v1/find?filter[site]=p&fields=place", ""), 200, `{"data":[{"id":"8cfc4bebe4e75b65@p",
		"place":"10115 Berlin"}],"page":0,"items_per_page":1,"total":1,"counts":{}}`)
}

// A correction stays until the listing says something else, or until the user
// sets what the listing says.
func TestCorrections(t *testing.T) {
	s := newService(t, `[{"id":"a","area":46,"title":null,"phone":"1"}]`, testCodes)
	for _, c := range []struct{ request, area, corrected string }{
		// What the user sets is a correction, which has what the listing says.
		{`PATCH {"area":50,"notes":"x"}`, `50`, `{"area":46}`},
		{`PATCH {"area":51,"title":"mine"}`, `51`, `{"area":46,"title":null}`},
		{`PATCH {"area":51.0}`, `51.0`, `{"area":46,"title":null}`},
		// It ends when the listing says what the user has set, and stays while the listing says the same as before.
		{`POST [{"id":"a","area":46.0,"title":"mine"}]`, `51.0`, `{"area":46}`},
		{`POST [{"id":"a","area":null}]`, `51.0`, `{"area":46}`},
		{`POST [{"id":"a"}]`, `51.0`, `{"area":46}`},
		{`POST [{"id":"a","area":51}]`, `51.0`, `null`},
		// It ends when the user sets what the listing says.
		{`PATCH {"area":null,"service_postal_code":"69007"}`, `null`, `{"area":51.0,"service_postal_code":null}`},
		{`PATCH {"area":51.00,"service_postal_code":{"postal_code":"10115"}}`, `51.00`, `{"service_postal_code":null}`},
		{`POST [{"id":"a","service_postal_code":"10115"}]`, `51.00`, `null`},
		// The corrections of a backup replace those of the flat.
		{`POST [{"id":"a","area":44,"corrected":{"area":40,"phone":"0"}}]`, `44`, `{"area":40,"phone":"0"}`},
		{`POST [{"id":"a","area":40,"corrected":null}]`, `44`, `{"area":40,"phone":"0"}`},
		{`POST [{"id":"a","area":41,"corrected":{}}]`, `41`, `{"phone":"0"}`},
		// Photos, details and the user's own fields cannot be corrected, and further costs can.
		{`PATCH {"phone":"0","photos":["t"],"details":{"a":1},"status":"x"}`, `41`, `null`},
		{`PATCH {"charges":150,"deposit":900,"fee":0,"utilities":"excluded"}`, `41`,
			`{"charges":null,"deposit":null,"fee":null,"utilities":null}`},
		{`POST [{"id":"a","charges":120,"deposit":"three months' rent"}]`, `41`,
			`{"deposit":null,"fee":null,"utilities":null}`},
		{`PATCH {"deposit":null,"fee":null,"utilities":null}`, `41`, `null`},
	} {
		method, body, _ := strings.Cut(c.request, " ")
		got := s.ask(method, map[string]string{"PATCH": "/api/v1/flat/a", "POST": "/api/v1/import"}[method], body)
		row := s.ask("GET", "/api/v1/find?fields=area,corrected", "").body
		if want := `{"id":"a","area":` + c.area + `,"corrected":` + c.corrected + `}`; got.status != 200 ||
			!strings.Contains(row, want) {
			t.Errorf("%s: %d %s\ngot  %s\nwant %s", c.request, got.status, got.body, row, want)
		}
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"area":1}`)
	for _, target := range []string{"flats/a", "flats", "find", "find?format=csv"} {
		if got := s.ask("GET", "/api/v1/"+target, ""); strings.Contains(got.body, "corrected") {
			t.Errorf("%s serves corrections: %s", target, got.body)
		}
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"corrected":{"area":2}}`), 400,
		"Invalid payload provided: corrected: a flat has no such field.")
	for _, bad := range []string{`{"area":"2"}`, `{"notes":"x"}`, `7`, `[]`} {
		s.refuse(s.ask("POST", "/api/v1/import", `[{"id":"b","corrected":`+bad+`}]`), 400,
			"Nothing was imported: body:1: corrected: want an object of fields that can be corrected, or null, got "+bad+".")
	}
	// An earlier version kept unknown members of any type.
	old := newService(t, `[{"id":"a","corrected":5,"status_since":"then"}]`, "[]")
	if f := old.store.Get("a"); f.Corrected.Known() || f.StatusSince.Known() {
		t.Errorf("invalid values count: %s %s", f.Corrected.JSON(), f.StatusSince.JSON())
	}
}

// Empty values of a listing say nothing, and neither does a table of all flats, which has the user's own values.
func TestCorrectionsKept(t *testing.T) {
	s := newService(t, "[]", testCodes)
	const listing = `[{"id":"a","title":"T","text":"x","cost":900,"location":"Lyon","phone":"1",
		"urls":["https://s.example/1"]}]`
	const fields = "/api/v1/find?fields=title,text,cost,location,phone,urls,corrected"
	s.ask("POST", "/api/v1/import", listing)
	s.ask("PATCH", "/api/v1/flat/a", `{"title":"mine","text":"mine","cost":950,"location":"mine","phone":"2",
		"urls":["https://mine.example/2"]}`)
	want := s.ask("GET", fields, "").body
	table := s.ask("GET", "/api/v1/find?format=csv", "").body
	list := member(decodeJSON(s.ask("GET", "/api/v1/flats", "").body), "data")
	for what, body := range map[string]string{
		"empty values": `[{"id":"a","title":"","text":"","location":"","phone":"","urls":[],"cost":null}]`,
		"a table":      table, "a list": encodeJSON(list), "the listing": listing,
	} {
		for _, body := range []string{body, listing} {
			if got := s.importAny(body); got.status != 200 {
				t.Fatal(got.body)
			}
			n := len(s.store.Get("a").CostHistory.entries())
			if got := s.ask("GET", fields, "").body; got != want || n != 1 {
				t.Errorf("%s: %d costs in the history, %s\nwant 1, %s", what, n, got, want)
			}
		}
	}
	s.importAny(strings.Replace(table, "mine", "another", 1))
	if f := s.store.Get("a"); f.Title.String() != "another" || f.Corrected.members()["title"] != nil {
		t.Errorf("a table with another title: %s, corrected %s; want another, without a correction", f.Title.String(),
			f.Corrected.JSON())
	}
}

// An import takes from the text what its cost includes and what is paid in addition, unless the
// listing says any of that itself. details.read says what was taken.
func TestImportCosts(t *testing.T) {
	s := newService(t, "[]", testCodes)
	const text = `"text":"Kaltmiete: 900 €\\nNebenkosten: 200 €\\nWarmmiete: 1.100 €\\nKaution 2.700 €"`
	// These are the utilities, charges, deposit, fee and details that are read in the text.
	const read = `"excluded 200 2700 null {\"read\":{\"charges\":200,\"deposit\":2700,\"utilities\":\"excluded\"}}"`
	corrected := strings.Replace(read, " 2700 ", " 1000 ", 1) // the deposit
	for _, c := range []struct {
		request string
		want    string // as read has them
	}{
		{`POST [{"id":"a","cost":900,` + text + `}]`, read},
		{`POST [{"id":"a","cost":900,` + text + `}]`, read},
		{`POST [{"id":"a"}]`, read},
		{`PATCH {"deposit":1000}`, corrected},
		{`POST [{"id":"a","cost":900,` + text + `}]`, corrected},
		{`PATCH {"deposit":2700}`, read},
		{`POST [{"id":"a","cost":905}]`, read},                                              // the text is as it was
		{`POST [{"id":"a","cost":1100}]`, strings.ReplaceAll(read, "excluded", "included")}, // the Warmmiete
		{`POST [{"id":"a","cost":900,"details":{"floor":2}}]`,
			strings.Replace(read, `{\"read`, `{\"floor\":2,\"read`, 1)},
		{`POST [{"id":"a","details":{"floor":3}}]`, strings.Replace(read, `{\"read`, `{\"floor\":3,\"read`, 1)},
		{`POST [{"id":"a","charges":150,` + text + `}]`,
			`"excluded 150 2700 null {\"floor\":3,\"read\":{\"deposit\":2700,\"utilities\":\"excluded\"}}"`},
		{`POST [{"id":"a","text":"x","cost":1}]`, `"null 150 null null {\"floor\":3}"`},
	} {
		method, body, _ := strings.Cut(c.request, " ")
		got := s.ask(method, map[string]string{"PATCH": "/api/v1/flat/a", "POST": "/api/v1/import"}[method], body)
		f := s.store.Get("a")
		utilities := cmp.Or(f.Utilities.String(), "null")
		have := encodeJSON(strings.Join([]string{utilities, f.Charges.JSON(), f.Deposit.JSON(), f.Fee.JSON(),
			f.Details.JSON()}, " "))
		if got.status != 200 || have != c.want {
			t.Errorf("%s: %d\ngot  %s\nwant %s", c.request, got.status, have, c.want)
		}
	}
}

// A correctedFlat is a flat as TestRandomCorrections expects it. Its maps have the JSON of values, by field.
type correctedFlat struct {
	values map[string]string
	listed map[string]string // what the listing says, for the fields that the user has corrected
}

// imported applies a listing. It ends a correction if it says something else than the listing before.
func (f correctedFlat) imported(listing map[string]string) {
	for name, value := range listing {
		listed, isCorrected := f.listed[name]
		if isCorrected && (value == "null" || sameOrNull(value, listed)) {
			continue
		}
		f.values[name] = value
		delete(f.listed, name)
	}
}

// updated applies an update by the user. A value that the listing has, too, is no correction.
func (f correctedFlat) updated(values map[string]string) {
	for name, value := range values {
		if _, isCorrected := f.listed[name]; !isCorrected {
			f.listed[name] = f.values[name]
		}
		f.values[name] = value
		if sameOrNull(value, f.listed[name]) {
			delete(f.listed, name)
		}
	}
}

// faultOf says how a flat differs from the expected one in the fields of these names, or returns "".
func (f correctedFlat) faultOf(got *Flat, names []string) string {
	if got == nil {
		return "it is missing"
	}
	for _, name := range names {
		value := got.stored(flatFields.byName[name])
		if !sameOrNull(value, f.values[name]) {
			return fmt.Sprintf("%s is %s; want %s", name, value, f.values[name])
		}
		listed, isCorrected := got.Corrected.members()[name]
		wantListed, wantCorrected := f.listed[name]
		if isCorrected != wantCorrected {
			return fmt.Sprintf("%s is corrected: %v; want %v", name, isCorrected, wantCorrected)
		}
		if isCorrected && !sameOrNull(string(listed), wantListed) {
			return fmt.Sprintf("the listing says %s of %s; want %s", listed, name, wantListed)
		}
	}
	for _, entry := range got.CostHistory.entries() {
		if n := entry.cost.number; n != 1 && n != 2 { // the costs that the test imports and sets
			return "its history is " + got.CostHistory.JSON()
		}
	}
	return ""
}

// sameOrNull reports whether two values are the same JSON, such as 1 and 1.0. An empty text stands for null.
func sameOrNull(a, b string) bool { return sameJSON(cmp.Or(a, "null"), cmp.Or(b, "null")) }

// Random imports, updates, restarts, kills and restored backups leave the values and the
// corrections of a naive model.
func TestRandomCorrections(t *testing.T) {
	values := map[string][]string{
		"title": {`"a"`, `"b"`, "null"}, "cost": {"1", "1.0", "2", "null"}, "currency": {`"EUR"`, `"CHF"`, "null"},
		"area": {"18", "18.0", "19", "null"}, "rooms": {"2", "3", "null"}, "bedrooms": {"1", "2", "null"},
		"location": {`"x"`, `"y"`, "null"}, "phone": {`"1"`, `"2"`, "null"}, "service_postal_code": {`"1"`, `"2"`, "null"},
	}
	names := slices.Sorted(maps.Keys(values))
	for seed := range uint64(rounds(60)) {
		random := rand.New(rand.NewPCG(seed, 24))
		d := newSimDisk()
		open := func() *Store {
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := open()
		model := map[string]correctedFlat{} // by id
		for step := range 60 {
			id := pick(random, []string{"a@s", "b@s", "c@t"})
			chosen := map[string]string{} // the JSON of values by field, for an import or an update
			for range random.IntN(4) {
				name := pick(random, names)
				chosen[name] = pick(random, values[name])
			}
			body := `"id":"` + id + `"`
			for name, value := range chosen {
				body += `,"` + name + `":` + value
			}
			f, isKnown := model[id]
			switch what := random.IntN(8); {
			case what < 3 || !isKnown: // an import
				site := pick(random, []string{"", id[len("a@"):]}) // a complete import of the site marks others as gone
				if _, err := newImporter(s).ImportText([]byte("[{"+body+"}]"), site); err != nil {
					t.Fatal(err)
				}
				if !isKnown {
					f = correctedFlat{values: map[string]string{}, listed: map[string]string{}}
					model[id] = f
				}
				f.imported(chosen)
			case what < 6: // an update
				if _, err := s.Update(id, []byte("{"+body+"}"), nil, author{}); err != nil {
					t.Fatal(err)
				}
				f.updated(chosen)
			case what == 6: // a restart
				s.Close()
				s = open()
				if random.IntN(2) == 0 { // restore the file into an empty service, by an import
					text := d.names["/flats.json"].data
					d = newSimDisk()
					s = open()
					if _, err := newImporter(s).ImportText(text, ""); err != nil {
						t.Fatal(err)
					}
				}
			default: // a kill
				d = d.restart(survivors{unsynced: random.IntN(2) == 0})
				s = open()
			}
			for id, want := range model {
				if fault := want.faultOf(s.Get(id), names); fault != "" {
					t.Fatalf("seed %d, step %d: flat %s: %s", seed, step, id, fault)
				}
			}
		}
		s.Close()
	}
}

// homeMail returns a mail of a portal with a listing, dated at a time, and further lines about the home.
func homeMail(at time.Time, number, cost int, lines string) string {
	link := fmt.Sprintf("https://www.portal.example/expose/%d", number)
	date := ""
	if !at.IsZero() {
		date = "Date: " + at.Format(time.RFC1123Z) + "\r\n"
	}
	return "From: Portal <alert@portal.example>\r\nSubject: Neue Wohnungen zu Ihrer Suche\r\n" + date +
		"Content-Type: text/html; charset=utf-8\r\n\r\n" +
		`<html><body><h1>Neue Angebote</h1><table><tr><td><a href="` + link + `"><img src="https://img.portal.example/` +
		fmt.Sprint(number) + `.jpg"></a></td><td><a href="` + link + `"><b>Wohnung am Park</b></a>` +
		"<br>Lindenweg 5, 69007 Lyon<br>Kaltmiete: " + fmt.Sprint(cost) + " €<br>" + lines +
		"50 m²<br>2 Zimmer</td></tr></table></body></html>\r\n"
}

// costFacts returns the cost of a flat, what was said or read about further costs, and what is corrected.
func costFacts(f *Flat) string {
	return strings.Join([]string{f.Cost.JSON(), f.Utilities.JSON(), f.Charges.JSON(), f.Deposit.JSON(),
		f.Corrected.JSON()}, " ")
}

// besides are lines of a mail about costs besides the rent.
const besides = "Nebenkosten: 210 €<br>Kaution: 2.700 €<br>"

// What an import reads in a text replaces nothing that the user or a listing has said, and ends no
// correction.
func TestReadIsProposal(t *testing.T) {
	const text = `"text":"Kaltmiete: 900 €\nNebenkosten: 210 €\nKaution: 2.700 €"`
	arrivals := map[string]string{
		"mail":    homeMail(time.Now(), 83333, 900, besides),
		"listing": `[{"id":"y","title":"Mine","cost":900,` + text + `}]`,
		"fredy": `{"provider":"p","listings":[{"url":"https://www.portal.example/expose/83333","price":"900 €",` +
			strings.Replace(text, "text", "description", 1) + `}]}`,
	}
	for name, body := range arrivals {
		id := map[string]string{"fredy": linkHash("https://www.portal.example/expose/83333") + "@p"}[name]
		for _, c := range []struct {
			known, patch string // members of the listing before, and of an update
			want         string // as costFacts returns it
		}{
			{"", "", `900 "excluded" 210 2700 null`},
			{"", `{"charges":150,"deposit":1000,"utilities":"included"}`,
				`900 "included" 150 1000 {"charges":null,"deposit":null,"utilities":null}`},
			{`,"charges":150,"deposit":1000`, "", `900 "excluded" 150 1000 null`},
			{`,"charges":150,"deposit":1000`, `{"charges":null}`, `900 "excluded" null 1000 {"charges":150}`},
		} {
			s := newService(t, "[]", testCodes)
			s.ask("POST", "/api/v1/import", `[{"id":"`+cmp.Or(id, "y")+`","title":"Mine","cost":900,"currency":"EUR",`+
				`"urls":["https://www.portal.example/expose/83333"]`+c.known+`}]`)
			if c.patch != "" {
				s.ask("PATCH", "/api/v1/flat/"+cmp.Or(id, "y"), c.patch)
			}
			for range 2 {
				if got := s.importAny(body); got.status != 200 {
					t.Fatalf("%s: %d %s", name, got.status, got.body)
				}
				if got := costFacts(s.store.Get(cmp.Or(id, "y"))); got != c.want {
					t.Errorf("%s on %s, then %s:\ngot  %s\nwant %s", name, c.known, c.patch, got, c.want)
				}
			}
			if got := s.ask("GET", "/api/v1/flats", "").header.Get("X-Total-Count"); got != "1" {
				t.Errorf("%s: %s flats", name, got)
			}
		}
	}
	// Null in a listing says nothing about what was read in its text.
	s := newService(t, "[]", testCodes)
	for range 2 {
		s.importAny(`[{"id":"y","cost":900,"utilities":null,"deposit":null,"charges":null,` + text + `}]`)
		if got := costFacts(s.store.Get("y")); got != `900 "excluded" 210 2700 null` {
			t.Errorf("with nulls: %s", got)
		}
	}
}

// A mail proposes a postal code, as it does everything but the cost.
func TestMailFillsGaps(t *testing.T) {
	mail := homeMail(time.Now(), 83333, 900, "")
	for _, c := range []struct {
		known, patch string // members of the listing before, and of an update
		want         string // the location, postal code, area, title and corrected
	}{
		{"", "", `"Lindenweg 5, 69007 Lyon" 69007 50 "Mine" null`},
		{`,"service_postal_code":"69003","area":48`, "", `"Lindenweg 5, 69007 Lyon" 69003 48 "Mine" null`},
		{`,"area":48`, `{"service_postal_code":"69003","area":null,"location":null,"title":null}`,
			`"Lindenweg 5, 69007 Lyon" 69003 null null {"area":48,"service_postal_code":null,"title":"Mine"}`},
		{`,"location":"Lyon"`, `{"location":null}`, `null  50 "Mine" {"location":"Lyon"}`},
	} {
		s := newService(t, "[]", testCodes)
		s.importAny(`[{"id":"y","title":"Mine","urls":["https://www.portal.example/expose/83333"]` + c.known + `}]`)
		s.ask("PATCH", "/api/v1/flat/y", cmp.Or(c.patch, "{}"))
		s.importAny(mail)
		f := s.store.Get("y")
		got := strings.Join([]string{f.Location.JSON(), f.ServicePostalCode.String(), f.Area.JSON(), f.Title.JSON(),
			f.Corrected.JSON()}, " ")
		if got != c.want {
			t.Errorf("%s, then %s:\ngot  %s\nwant %s", c.known, c.patch, got, c.want)
		}
	}
}

// A change of the price alone leaves what was read in the text.
func TestPriceAlone(t *testing.T) {
	const text = "Kaltmiete: 900 €\\nNebenkosten: 200 €\\nKaution: 2.700 €\\nSchöne Wohnung."
	const link = "https://www.portal.example/expose/93333"
	const fredy = `{"provider":"fp","timestamp":"2026-01-05T08:00:00Z",`
	for name, c := range map[string]struct{ before, news string }{
		"mail": {`[{"id":"w","cost":900,"text":"` + text + `","urls":["` + link + `"]}]`,
			homeMail(time.Now(), 93333, 850, "Nebenkosten: 210 €<br>")},
		"priceChanges": {fredy + `"listings":[{"url":"` + link + `","price":"900 €","description":"` + text + `"}]}`,
			fredy + `"priceChanges":[{"url":"` + link + `","newPrice":850,"description":"` + text + `"}]}`},
		"without a text": {`[{"id":"w","cost":900,"text":"` + text + `"}]`, `[{"id":"w","cost":850}]`},
		"the same text":  {`[{"id":"w","cost":900,"text":"` + text + `"}]`, `[{"id":"w","cost":850,"text":"` + text + `"}]`},
	} {
		s := newService(t, "[]", testCodes)
		s.importAny(c.before)
		s.importAny(c.news)
		for _, f := range s.store.snapshot().all() {
			if got, want := costFacts(f), `850 "excluded" 200 2700 null`; got != want {
				t.Errorf("%s: %s; want %s", name, got, want)
			}
			if f.monthly() != 850+200 {
				t.Errorf("%s: %v a month", name, f.monthly())
			}
		}
	}
	// Another text replaces what was read in the first, with a cost or without.
	s := newService(t, "[]", testCodes)
	s.importAny(`[{"id":"w","cost":900,"text":"` + text + `"}]`)
	s.importAny(`[{"id":"w","text":"Kaltmiete: 900 €\nKaution: 1.800 €"}]`)
	if got, want := costFacts(s.store.Get("w")), `900 "excluded" null 1800 null`; got != want {
		t.Errorf("another text: %s; want %s", got, want)
	}
}

// importAny imports a body, which is a mail if it begins with a header field.
func (s *service) importAny(body string) reply {
	if strings.HasPrefix(body, "From: ") {
		return s.ask("POST", "/api/v1/import", body, "Content-Type", rfc822)
	}
	return s.ask("POST", "/api/v1/import", body)
}

// linkHash returns what ids of flats from fredy begin with.
func linkHash(link string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(link)))[:16] }

// Mails that are read again, after a look at the mailbox has lost its progress, change nothing, and
// neither do those that arrive late. What is newer than an import does.
func TestMailsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk, at := newSimDisk(), func(days int) time.Time { return time.Now().AddDate(0, 0, days) }
		server := imaptest.NewServer(t, homeMail(at(-6), 55555, 899, ""), homeMail(at(-6), 66666, 1100, ""),
			homeMail(at(-5), 55555, 949, ""), homeMail(at(-4), 55555, 949, ""))
		mailbox := &Mailbox{server: reaching(server), user: "hunter", Password: "secret-1",
			folder: "Flats", every: time.Minute}
		var store *Store
		var importer *Importer
		start := func() (stop func()) {
			var err error
			if store, err = openStore("/flats.json", disk, nil, quiet); err != nil {
				t.Fatal(err)
			}
			importer = newImporter(store)
			reader, err := newMailReader(importer, mailbox, "/flats.json", importer.ImportMail)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			var running sync.WaitGroup
			running.Go(func() { reader.run(ctx) })
			return func() { cancel(); running.Wait(); store.Close() }
		}
		home, other := listing.LinkID("https://www.portal.example/expose/55555"),
			listing.LinkID("https://www.portal.example/expose/66666")
		const isListed, isGone = false, true
		// wants waits until a look at the mailbox has ended, and then compares the costs in the history of home,
		// and whether other is gone.
		wants := func(what, costs string, otherIsGone bool) {
			t.Helper()
			time.Sleep(2 * mailbox.every)
			synctest.Wait()
			got := ""
			for _, entry := range store.Get(home).CostHistory.entries() {
				got += " " + entry.cost.JSON()
			}
			if got != costs || !strings.HasSuffix(costs, " "+store.Get(home).Cost.JSON()) {
				t.Errorf("%s: cost %s, history%s; want%s", what, store.Get(home).Cost.JSON(), got, costs)
			}
			if store.Get(other).Gone.Known() != otherIsGone {
				t.Errorf("%s: gone is %s", what, store.Get(other).Gone.JSON())
			}
		}
		startAnew := func(stop func()) func() { // without the progress, so that all mails are read again
			stop()
			delete(disk.names, "/mailbox.json")
			delete(disk.durable, "/mailbox.json")
			return start()
		}
		stop := start()
		wants("at first", " 899 949", isListed)
		stop = startAnew(stop)
		wants("read again", " 899 949", isListed)
		crawl := func(cost int) { // a complete import of the site, which does not have other
			body := fmt.Sprintf(`[{"id":%q,"cost":%d}]`, home, cost)
			if _, err := importer.ImportText([]byte(body), "portal.example"); err != nil {
				t.Fatal(err)
			}
		}
		crawl(849)
		wants("after a crawl", " 899 949 849", isGone)
		stop = startAnew(stop)
		wants("read again after a crawl", " 899 949 849", isGone)
		server.Add(homeMail(at(-2), 55555, 999, ""), homeMail(at(-2), 66666, 1000, ""))
		wants("mails that arrive late", " 899 949 849", isGone)
		time.Sleep(3 * time.Hour)
		crawl(839)
		// A crawl takes hours, so its costs count as of importSlack before the import. The mails are newer than that.
		sent := time.Now().Add(-10 * time.Minute)
		server.Add(homeMail(sent, 55555, 799, ""), homeMail(sent, 66666, 1000, ""))
		wants("mails after the crawl", " 899 949 849 839 799", isListed)
		server.Add(homeMail(sent, 55555, 789, ""))
		wants("another one of the same minute", " 899 949 849 839 799 789", isListed)
		stop = startAnew(stop)
		wants("all again", " 899 949 849 839 799 789", isListed)
		server.Add(homeMail(time.Now().AddDate(1, 0, 0), 55555, 779, ""),
			homeMail(time.Now().Add(-time.Minute), 55555, 769, ""))
		wants("after one from the future", " 899 949 849 839 799 789 779 769", isListed)
		stop()
		disk = disk.restartUnsynced()
		stop = startAnew(start())
		wants("after a restart", " 899 949 849 839 799 789 779 769", isListed)
		stop()
	})
}

// A mail from before a flat was added, by hand or by a crawler, adds what the flat lacks. It changes nothing that is
// known or that the user has emptied, and a flat that is gone stays so.
func TestOldMailAdds(t *testing.T) {
	const link = "https://www.portal.example/expose/55555"
	id := listing.LinkID(link)
	old := homeMail(time.Now().AddDate(0, 0, -1), 55555, 900, besides)
	for _, c := range []struct {
		known, patch string // members of the listing before, and of an update
		want         string // the cost, currency, area, rooms, location, charges, title and corrected
	}{
		{``, ``, `900 "EUR" 50 2 "Lindenweg 5, 69007 Lyon" 210 "mine" null`},
		{`,"cost":850,"area":49`, ``, `850 null 49 2 "Lindenweg 5, 69007 Lyon" null "mine" null`},
		{`,"currency":"CHF"`, ``, `null "CHF" 50 2 "Lindenweg 5, 69007 Lyon" null "mine" null`},
		{`,"cost":900,"rooms":3`, `{"rooms":null}`, `900 null 50 null "Lindenweg 5, 69007 Lyon" 210 "mine" {"rooms":3}`},
		{`,"cost":900`, `{"cost":null}`, `null null 50 2 "Lindenweg 5, 69007 Lyon" 210 "mine" {"cost":900}`},
	} {
		s := newService(t, "[]", testCodes)
		s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q,"title":"mine"%s}]`, link, c.known))
		if c.patch != "" {
			s.ask("PATCH", "/api/v1/flat/"+id, c.patch)
		}
		s.ask("POST", "/api/v1/import?complete=portal.example", `{"id":"x@portal.example"}`)
		s.want(s.importAny(old), 200, countsOf(Counts{Updated: 1}))
		s.want(s.importAny(old), 200, countsOf(Counts{Unchanged: 1}))
		f := s.store.Get(id)
		got := strings.Join([]string{f.Cost.JSON(), f.Currency.JSON(), f.Area.JSON(), f.Rooms.JSON(), f.Location.JSON(),
			f.Charges.JSON(), f.Title.JSON(), f.Corrected.JSON()}, " ")
		if got != c.want || !f.Gone.Known() {
			t.Errorf("%s, %s: gone is %s\ngot  %s\nwant %s", c.known, c.patch, f.Gone.JSON(), got, c.want)
		}
	}
}

// A mail counts by the clock, also if the clock was years ahead once, so that imports have later times.
func TestClockAhead(t *testing.T) {
	ahead := time.Now().AddDate(4, 0, 0).UTC().Truncate(time.Millisecond)
	s := newService(t, `[{"id":"a@s","updated_at":`+ahead.Format(jsonTime)+`}]`, testCodes)
	id := listing.LinkID("https://www.portal.example/expose/55555")
	for i, cost := range []int{900, 950, 850, 800} { // each newer than the one before
		if i == 2 { // a listing without a time of its own
			s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"id":%q,"cost":%d}]`, id, cost))
			continue
		}
		s.importAny(homeMail(time.Now().Add(time.Duration(i-5)*time.Minute), 55555, cost, ""))
		f := s.store.Get(id)
		if seen, err := time.Parse(jsonTime, f.FirstSeen.JSON()); err != nil || f.Cost.number != float64(cost) ||
			seen.Before(ahead) {
			t.Errorf("mail %d: cost %s, first seen %s; want %d", i, f.Cost.JSON(), f.FirstSeen.JSON(), cost)
		}
	}
}

// In whichever order mails and news from fredy arrive, and however often, the newest one counts.
func TestArrivalOrder(t *testing.T) {
	const link = "https://www.portal.example/expose/55555"
	for seed := range uint64(rounds(30)) {
		random := rand.New(rand.NewPCG(seed, 71))
		d := newSimDisk()
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		importer := newImporter(store)
		hasMails := seed%2 == 0 // and else what fredy sends
		body := func(daysAgo, cost int) string {
			at := time.Now().AddDate(0, 0, -daysAgo)
			if hasMails {
				return homeMail(at, 55555, cost, "")
			}
			form := pick(random, []string{`{"provider":"p","timestamp":%q,"listings":[{"url":%q,"price":%d}]}`,
				`{"provider":"p","timestamp":%q,"priceChanges":[{"url":%q,"newPrice":%d}]}`})
			return fmt.Sprintf(form, at.Format(time.RFC3339), link, cost)
		}
		newest, want := 1000, 0 // days ago, more than any, and the cost of that day
		for step := range 30 {
			daysAgo := 1 + random.IntN(20)
			cost := 600 + 10*(daysAgo%4) // only four costs, so that an older one comes back
			if text := body(daysAgo, cost); hasMails {
				_, err = importer.ImportMail(t.Context(), []byte(text), "HTTP")
			} else {
				_, err = importer.ImportText([]byte(text), "")
			}
			if daysAgo < newest {
				newest, want = daysAgo, cost
			}
			for _, f := range store.snapshot().all() {
				if err != nil || f.Cost.number != float64(want) {
					t.Fatalf("seed %d, step %d: cost %s; want %d as of %d days ago; %v", seed, step, f.Cost.JSON(), want, newest, err)
				}
			}
			if random.IntN(6) == 0 {
				d = d.restartUnsynced()
				if store, err = openStore("/flats.json", d, nil, quiet); err != nil {
					t.Fatal(err)
				}
				importer = newImporter(store)
			}
		}
		store.Close()
	}
}

// The files of the import folder are read in the order of their names, and mails among them count by their dates.
func TestMailFileOrder(t *testing.T) {
	dir := t.TempDir()
	store, err := openStore(filepath.Join(dir, "flats.json"), osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	importer := newImporter(store)
	folder := filepath.Join(dir, "import")
	os.Mkdir(folder, 0o700)
	writeFile(t, folder, "1.eml", homeMail(time.Now().AddDate(0, 0, -1), 55555, 849, ""))
	writeFile(t, folder, "2.eml", homeMail(time.Now().AddDate(0, 0, -2), 55555, 949, ""))
	w := newWatcher(importer, folder, 1<<20)
	if err := w.scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := store.Get(listing.LinkID("https://www.portal.example/expose/55555"))
	if outcomes := importer.Outcomes(); got == nil || got.Cost.number != 849 || outcomes[0].Unchanged != 1 {
		t.Errorf("the flat is %v, the last outcome %+v", got, outcomes)
	}
}

// The user's text stays as other fields do, and the user's links stay before those that the listing says for the
// first time. What the user has removed stays away. A listing without an id is known by any of them.
func TestCorrectedTextAndLinks(t *testing.T) {
	s := newService(t, `[]`, testCodes)
	const a, b, c = "https://s.example/a/10001", "https://s.example/b/20002", "https://s.example/c/30003"
	const mine = "https://s.example/mine/90009"
	for _, step := range []struct{ request, text, urls, corrected string }{
		{`POST [{"id":"e@s","title":"T","text":"listing","urls":["` + a + `"]}]`, "listing", a, "null"},
		{`PATCH {"text":"my own","urls":["` + mine + `"]}`, "my own", mine, `{"text":"listing","urls":["` + a + `"]}`},
		{`POST [{"url":"` + a + `","title":"T"}]`, "my own", mine, `{"text":"listing","urls":["` + a + `"]}`},
		{`POST [{"url":"` + mine + `","title":"T"}]`, "my own", mine, `{"text":"listing","urls":["` + a + `"]}`},
		{`POST [{"id":"e@s","text":"listing","urls":["` + a + `"]}]`, "my own", mine,
			`{"text":"listing","urls":["` + a + `"]}`},
		{`POST [{"id":"e@s","text":"news","urls":["` + a + `","` + b + `"]}]`, "news", mine + " " + b,
			`{"urls":["` + a + `","` + b + `"]}`},
		{`PATCH {"urls":["` + mine + `"]}`, "news", mine, `{"urls":["` + a + `","` + b + `"]}`},
		{`POST [{"id":"e@s","urls":["` + a + `","` + b + `"]}]`, "news", mine, `{"urls":["` + a + `","` + b + `"]}`},
		{`POST [{"id":"e@s","urls":["` + c + `"]}]`, "news", mine + " " + c, `{"urls":["` + c + `"]}`},
		{`POST [{"urls":["` + c + `","` + b + `"]}]`, "news", mine + " " + c + " " + b,
			`{"urls":["` + c + `","` + b + `"]}`},
		{`PATCH {"urls":["` + b + `","` + c + `"]}`, "news", b + " " + c, `{"urls":["` + c + `","` + b + `"]}`},
		{`POST [{"id":"e@s","urls":["` + c + `","` + b + `"]}]`, "news", b + " " + c, `{"urls":["` + c + `","` + b + `"]}`},
		{`POST [{"id":"e@s","urls":["` + b + `","` + a + `"]}]`, "news", b + " " + a, `null`},
		{`PATCH {"urls":[]}`, "news", "", `{"urls":["` + b + `","` + a + `"]}`},
		{`POST [{"url":"` + a + `"}]`, "news", "", `{"urls":["` + b + `","` + a + `"]}`},
		{`POST [{"id":"e@s","urls":["` + c + `"]}]`, "news", c, `null`},
		{`PATCH {"urls":["` + mine + `","` + c + `"]}`, "news", mine + " " + c, `{"urls":["` + c + `"]}`},
		{`PATCH {"urls":["` + c + `"]}`, "news", c, `null`},
	} {
		method, body, _ := strings.Cut(step.request, " ")
		target := map[string]string{"PATCH": "/api/v1/flat/e@s", "POST": "/api/v1/import"}[method]
		for range 2 {
			got := s.ask(method, target, body)
			f := s.store.Get("e@s")
			urls := strings.Join(listing.LinksOf(json.RawMessage(f.URLs.JSON())), " ")
			if n := s.ask("GET", "/api/v1/flats", "").header.Get("X-Total-Count"); got.status != 200 || n != "1" ||
				f.Text.String() != step.text || urls != step.urls || f.Corrected.JSON() != step.corrected {
				t.Errorf("%s: %d %s flats, %s, %s, %s\nwant %s, %s, %s", step.request, got.status, n, f.Text.String(), urls,
					f.Corrected.JSON(), step.text, step.urls, step.corrected)
			}
		}
	}
	s.ask("PATCH", "/api/v1/flat/e@s", `{"text":"mine"}`)
	s.want(s.ask("GET", "/api/v1/find?fields=corrected", ""), 200, `{"data":[{"id":"e@s","corrected":{"text":"news"}}],
		"page":0,"items_per_page":1,"total":1,"counts":{}}`)
	// A mail knows the flat by a link of the user's own.
	s.ask("PATCH", "/api/v1/flat/e@s", `{"urls":["https://www.portal.example/expose/44444"]}`)
	s.want(s.importAny(homeMail(time.Now(), 44444, 900, "")), 200, countsOf(Counts{Updated: 1}))
}

// A contest is a flat with a value of a field, which an import of some form then changes or not.
type contest struct {
	field   string // with "/text" or "/location" if the value is read in that field, the source: see contestSources
	known   string // the value that the flat has, as JSON
	brought string // the value that the import brings, as JSON
}

// contests has the fields by groups that behave alike. A group has the same row in the table for all of its fields.
var contests = []struct {
	group  string
	fields []contest
}{
	{"`cost`, `currency`", []contest{{"cost", "800", "900"}, {"currency", `"CHF"`, `"EUR"`}}},
	{"`title`, `text`, `area`, `rooms`, `location`, `date`", []contest{{"title", `"known"`, `"new"`},
		{"text", `"known"`, `"new"`}, {"area", "40", "50"}, {"rooms", "3", "2"}, {"location", `"Paris"`, `"Lyon"`},
		{"date", `"2025-01-01"`, `"2025-02-02"`}}},
	{"`bedrooms`, `station`, `phone`, `service_constraint`", []contest{{"bedrooms", "3", "2"}, {"station", `"a"`, `"b"`},
		{"phone", `"1"`, `"2"`}, {"service_constraint", `"lyon"`, `"anywhere"`}}},
	{"`service_postal_code`", []contest{{"service_postal_code", `"69003"`, `"10115"`}}},
	{"the same, in the location", []contest{{"service_postal_code/location", `"69003"`, `"69007"`}}},
	{"`utilities`, `charges`, `deposit`, `fee`", []contest{{"utilities", `"included"`, `"excluded"`},
		{"charges", "150", "210"}, {"deposit", "1000", "2700"}, {"fee", "5", "6"}}},
	{"the same, in the text", []contest{{"charges/text", "150", "210"}, {"deposit/text", "1000", "2700"}}},
	{"`urls`", []contest{{"urls", `["https://a.example/1","` + contestLink + `"]`, `["https://b.example/2"]`}}},
	{"`photos`", []contest{{"photos", `["http://h/1"]`, `["http://h/2"]`}}},
	{"`details`, `service_stations`, `service_time_to`", []contest{{"details", `{"a":1}`, `{"a":2}`},
		{"service_stations", `["a"]`, `["b"]`},
		{"service_time_to", `{"work":{"time":1}}`, `{"work":{"time":2}}`}}},
	{"`merged_ids`", []contest{{"merged_ids", `["a@s"]`, `["b@s"]`}}},
	{"`gone`", []contest{{"gone", "", "null"}}},
	{"`status`, `notes`, `notation`, `visit_date`, `next_step`, `not_duplicates`", []contest{
		{"status", `"followed"`, `"visited"`},
		{"notes", `"a"`, `"b"`}, {"notation", "1", "2"}, {"visit_date", `"2026-01-01"`, `"2026-01-02"`},
		{"next_step", `"a"`, `"b"`}, {"not_duplicates", `["a"]`, `["b"]`}}},
}

const contestLink = "https://www.portal.example/expose/77777"

// contestID is the id that fredy's import gives a flat with the link.
var contestID = linkHash(contestLink) + "@p"

// contestSources are what the fields in which a value is read say before the import, and what the import brings there.
var contestSources = map[string]struct{ known, brought string }{
	"text": {"Kaltmiete: 900 €\nNebenkosten: 150 €\nKaution: 1.000 €",
		"Kaltmiete: 900 €\nNebenkosten: 210 €\nKaution: 2.700 €"},
	"location": {"Rue Y, 69003 Lyon", "Rue X, 69007 Lyon"},
}

// contestForms are the forms of imports, in the order of the table.
var contestForms = []string{"listing", "CSV", "fredy", "price change", "copy", "mail", "older mail"}

// The origins of the value that a flat has before an import.
const (
	byUserOverSame = "you, over the same" // the user has replaced what the same import has brought
	byUser         = "you"
	byListing      = "a listing"
	byText         = "a text"
	byNobody       = "nobody"
)

// body returns an import of a form. It brings what the contest is about and, if the form always has them, other fields.
func (c contest) body(form string) string {
	field, source, _ := strings.Cut(c.field, "/")
	value := c.brought
	if field == "gone" { // any field will do: a flat whose listing is imported again is not gone
		field, value = "title", `"new"`
	}
	if source != "" {
		field, value = source, encodeJSON(contestSources[source].brought)
	}
	at := time.Now()
	switch form {
	case "CSV":
		cell := strings.ReplaceAll(unquote(value), `"`, `""`)
		return fmt.Sprintf("id,%s\n%s,\"%s\"\n", field, contestID, cell)
	case "fredy", "price change":
		home := object{"url": contestLink, "title": "new", "description": "new", "address": "Lyon", "size": "50 m²",
			"rooms": "2", "imageUrl": "http://h/2"}
		switch source {
		case "text":
			home["description"] = contestSources[source].brought
		case "location":
			home["address"] = contestSources[source].brought
		}
		body := object{"provider": "p", "timestamp": at.Format(time.RFC3339)}
		if form == "fredy" {
			home["price"] = "900 €"
			body["listings"] = []object{home}
		} else {
			home["newPrice"] = "900 €"
			body["priceChanges"] = []object{home}
		}
		return encodeJSON(body)
	case "mail", "older mail":
		if form == "older mail" {
			at = at.AddDate(0, 0, -1)
		}
		return homeMail(at, 77777, 900, besides)
	case "copy":
		return fmt.Sprintf(`[{"id":%q,%q:%s,"first_seen":"2025-01-01","corrected":{"bedrooms":9}}]`, contestID, field, value)
	}
	return fmt.Sprintf(`[{"id":%q,%q:%s}]`, contestID, field, value)
}

// valueIn returns the value of the field that the flat of a service has, in details without what was read in a text.
func (c contest) valueIn(s *service) string {
	flat := s.store.Get(contestID)
	if flat == nil { // a mail gives a new flat another id
		for _, only := range s.store.snapshot().all() {
			flat = only
		}
	}
	if flat == nil { // the form adds no flats
		return "null"
	}
	name, _, _ := strings.Cut(c.field, "/")
	if name == "details" {
		details := flat.Details.members()
		delete(details, "read")
		return encodeJSON(details)
	}
	return flat.stored(flatFields.byName[name])
}

// valueFrom returns the value that an import gives to a new flat, or "" if its form does not bring the field.
func (c contest) valueFrom(t *testing.T, form, body string) string {
	s := newService(t, "[]", testCodes)
	name, source, _ := strings.Cut(c.field, "/")
	bringsCost := form == "fredy" || strings.Contains(form, "mail")
	if source == "text" && !bringsCost { // a text counts only if it says the cost of the flat
		s.importAny(encodeJSON([]object{{"id": contestID, "cost": 900}}))
	}
	s.importAny(body)
	value := c.valueIn(s)
	isEmpty := value == "null" && name != "gone" || value == emptyValues[name]
	isNewStatus := name == "status" && value == `"new"` // any new flat has it
	if isEmpty || isNewStatus {
		return ""
	}
	return value
}

// addFlat adds the flat with a value of an origin to a service. The body is the import that comes after it.
func (c contest) addFlat(t *testing.T, s *service, origin, body string) {
	t.Helper()
	name, source, _ := strings.Cut(c.field, "/")
	flat := object{"id": contestID, "urls": []string{contestLink}}
	if source == "text" {
		flat["cost"] = 900
	}
	switch {
	case name == "urls": // which the flat needs in any case: some forms know it only by a link
		flat["urls"] = json.RawMessage(c.known)
	case origin == byListing && name != "gone":
		flat[name] = json.RawMessage(c.known)
	case origin == byText:
		flat[source] = contestSources[source].known
	}
	if got := s.importAny(encodeJSON([]object{flat})); got.status != 200 {
		t.Fatal(got.body)
	}
	if name == "gone" {
		s.ask("POST", "/api/v1/import?complete=p", `{"id":"x@p"}`) // the flat is missing in it
	}
	if origin == byUserOverSame {
		s.importAny(body)
	}
	if origin == byUser || origin == byUserOverSame {
		// The user's links must differ from those that the listing has said already.
		value := strings.Replace(c.known, "https://a.example/1", "https://mine.example/3", 1)
		update := encodeJSON(object{name: json.RawMessage(value)})
		if got := s.ask("PATCH", "/api/v1/flat/"+contestID, update); got.status != 200 {
			t.Fatalf("%s: %s", c.field, got.body)
		}
	}
}

// winner returns whose value a flat has after an import of a form. The value that it had before is from origin.
func (c contest) winner(t *testing.T, form, origin string) string {
	t.Helper()
	body := c.body(form)
	brought := c.valueFrom(t, form, body)
	if brought == "" {
		return "–"
	}
	s := newService(t, "[]", testCodes)
	c.addFlat(t, s, origin, body)
	before := c.valueIn(s)
	if c.field == "gone" && before == "null" {
		t.Fatal("the flat is not gone")
	}
	if got := s.importAny(body); got.status != 200 {
		t.Fatalf("%s %s: %s", form, c.field, got.body)
	}
	switch after := c.valueIn(s); {
	case sameValue(json.RawMessage(after), json.RawMessage(brought)):
		return "import"
	case after == before:
		return "flat"
	default:
		return "both"
	}
}

// The table in docs/design.md shows whose value wins, for each form of import and whoever the value before is from.
func TestWhoWins(t *testing.T) {
	long(t)
	table := "| field | value from | " + strings.Join(contestForms, " | ") + " |\n|---" +
		strings.Repeat("|---", 1+len(contestForms)) + "|\n"
	for _, group := range contests {
		for _, origin := range []string{byUserOverSame, byUser, byListing, byText, byNobody} {
			isRead := strings.HasPrefix(group.group, "the same")
			isOnlyYours := strings.Contains(group.group, "notes")
			isGone := group.group == "`gone`"
			isMissing := origin == byText && !isRead || origin == byListing && isOnlyYours ||
				origin == byNobody && group.group == "`urls`" || origin != byListing && isGone
			if isMissing { // the fields have no value of this origin
				continue
			}
			row := "| " + group.group + " | " + origin
			for _, form := range contestForms {
				winners := map[string]bool{}
				for _, c := range group.fields {
					winners[c.winner(t, form, origin)] = true
				}
				if len(winners) > 1 {
					delete(winners, "–") // the form has some of the fields
				}
				row += " | " + strings.Join(slices.Sorted(maps.Keys(winners)), ", ")
			}
			table += row + " |\n"
		}
	}
	design := readFile(t, "docs/design.md")
	if !strings.Contains(design, "\n\n"+table+"\n") {
		t.Errorf("docs/design.md does not have this table:\n%s", table)
	}
}
