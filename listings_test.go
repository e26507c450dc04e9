// Tests of listings.go.

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf16"
)

// noID is the error of a listing without an id.
const noID = "id: a listing must have one, or an http or https link in its urls"

// linkSum returns the part of an id before its @ that an import makes of a link, or of the id of a listing of fredy's.
func linkSum(address string) string {
	sum := sha256.Sum256([]byte(address))
	return fmt.Sprintf("%x", sum[:8])
}

// All input forms of a listing give the same flat. The error of a text that is no listing names the line, and the
// column of a mistake in its JSON.
func TestImportForms(t *testing.T) {
	const flat = `{"id":"1","title":"a","utilities":"included","urls":["https://x.example/1"],
		"service_constraint":"lyon","service_postal_code":"69007",
		"service_stations":[{"name":"s"}],"service_time_to":{"work":{"time":1}},"price_per_meter":5.50}`
	for name, text := range map[string]string{
		"array":       "[" + flat + "]",
		"data":        `{"page": 0, "data": [` + flat + `], "items_per_page": 1}`,
		"one":         flat,
		"data of one": `{"data":` + flat + `}`,
		"GET /flats": `{"data":[{"id":"1","title":"a","utilities":"included","urls":["https://x.example/1"],
			"service_constraint":"lyon","service_postal_code":
			{"postal_code":"69007","name":"Lyon 7e","gps":[1,2]},"service_stations":[{"name":"s"}],
				"service_time_to":{"work":{"time":1}},"price_per_meter":5.50,"area":null}]}`,
		"Flatisfy's API": `{"data":[{"id":"1","title":"a","utilities":"C.C.","urls":["https://x.example/1"],
			"flatisfy_constraint":"lyon","flatisfy_postal_code":
			{"postal_code":"69007","name":"Lyon 7e","gps":[1,2]},"flatisfy_stations":[{"name":"s"}],
				"flatisfy_time_to":{"work":{"time":1}},"price_per_meter":5.50}]}`,
		"woob": "\uFEFF" + `[{"id":"1","url":"https://x.example/1","title":"a","utilities":"C.C.",
			"price_per_meter":5.50,
			"flatisfy":{"postal_code":"69007","constraint":"lyon","matched_stations":[{"name":"s"}],
				"time_to":{"work":{"time":1}}}}]`,
	} {
		listings, err := readListings(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := newService(t, "[]", testCodes)
		s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
		if counts, err := s.importer.Import(context.Background(), listings, nil); err != nil || counts != (Counts{Added: 1}) {
			t.Errorf("%s: %v, %v", name, counts, err)
		}
		// A flat that is stored like this has null where an import sets an empty value, and no first_seen.
		want := newService(t, "["+flat+"]", testCodes).ask("GET", "/api/v1/flats/1", "").body
		want = strings.NewReplacer(`"photos":null`, `"photos":[]`, `"details":null`, `"details":{}`, `"merged_ids":null`,
			`"merged_ids":[]`).Replace(want)
		want = strings.Replace(want, `"price_per_meter"`, `"first_seen":"2026-01-02T03:04:05Z","price_per_meter"`, 1)
		s.want(s.ask("GET", "/api/v1/flats/1", ""), 200, want)
	}
	for _, c := range []struct{ text, want string }{
		{``, "in:1:1: it is empty"},
		{`5`, "in:1: want a JSON array, got 5"},
		{"[\n5]", `in:2: want a listing, such as {"id": "1", "title": "Two rooms"}, got 5`},
		{"[\n{\"id\":1},\n]", "in:2:9: there is one comma too many before the ]"},
		{"[{\"id\":1},\n{\"id\":2,\n\"cost\":\"x\"}]", `in:2: cost: want a finite number or null, got "x"`},
		{"{\"page\":0,\n\"data\":[\n{\"id\":1},\n{\"id\":2,\"cost\":\"x\"}]}",
			`in:4: cost: want a finite number or null, got "x"`},
		{"{\"page\":0,\n\"data\":{\"id\":1,\"cost\":\"x\"}}", `in:2: cost: want a finite number or null, got "x"`},
		{"{\"data\":[{\"id\":1},\n{\"title\":\"x\"}]}", "in:2: " + noID},
		{"{\"data\":5}", `in:1: want a JSON array, got 5`},
		{"{}", "in:1: " + noID},
		{"[{\"id\":1,\"flatisfy\":{\n\"constraint\":[5]}}]", "in:1: service_constraint: want a string or null, got [5]"},
		{"[{\"id\":1,\"service_postal_code\":{\"postal_code\":[5]}}]",
			"in:1: service_postal_code: want a string or null, got [5]"},
		{"[{\"id\":1,\"title\":\"\xff\"}]", "in:1: byte 0xff is not UTF-8: save the text as UTF-8"},
		{"[{\"id\":1}\n{\"id\":2}]", "in:1:10: a comma is missing here"},
		{"[{\"id\":1}\n]\n5", "in:3:1: nothing may follow the last bracket: remove this, or a bracket too many before it"},
		{"[{\"id\":1},\n{\"id\":2", "in:2:8: a closing } is missing"},
		{"[\n{},\n{\"id\":2", "in:2: " + noID}, // only the first error is reported
		{"{\"page\":0,\n}", "in:1:10: there is one comma too many before the }"},
		{"{\"data\":[]}\n]", "in:2:1: nothing may follow the last bracket: remove this, or a bracket too many before it"},
	} {
		if _, err := readListings("in", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}

// An import also accepts what fredy sends, and omits members without information.
func TestImportFredy(t *testing.T) {
	t.Parallel()
	s := newService(t, "[]", "[]")
	s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	const key1, key2 = "1f0aaa989d5e4df7@immo", "c2509d46e44ee309@immo" // linkSum of https://x.example/1, and of /2
	send := func(list, listings string) reply {
		return s.ask("POST", "/api/v1/import", `{"jobId":"j","provider":"immo","timestamp":"2026-01-01T10:00:00.000Z",`+
			`"`+list+`":[`+listings+`]}`)
	}
	for _, c := range []struct {
		list    string // the member of the body that has the listing
		listing string
		id      string // of the flat
		want    string // members of the flat afterwards
	}{
		{"listings", `{"id":"127","title":"T2","description":"<b>Text</b>","address":"Weg 3, Ort","price":"1.240 €",
			"size":"38.125 m²","rooms":"2,5 Zi.","url":"https://x.example/1","imageUrl":"https://x.example/1.jpg",
			"fredyUrl":"https://fredy.example","commute":{"work":{"minutes":20}}}`, key1,
			`{"title":"T2","text":"Text","location":"Weg 3, Ort","cost":1240,"currency":"EUR","area":38.125,
			"rooms":2.5,"urls":["https://x.example/1"],"photos":[{"url":"https://x.example/1.jpg"}],
			"details":{"commute":{"work":{"minutes":20}}},"date":"2026-01-01T10:00:00.000Z"}`},
		// Empty values do not overwrite known values.
		{"listings", `{"title":null,"description":"","address":"NO ADDRESS FOUND","price":"auf Anfrage","size":null,
			"rooms":"n/a","url":"https://x.example/1","imageUrl":""}`, key1, `{"title":"T2","cost":1240,"area":38.125}`},
		// A price change of a known flat sets the cost alone.
		{"priceChanges", `{"title":"Price reduced: T2","price":"1.240 € -> 1.100 €","oldPrice":"1.240 €",
			"newPrice":"1.100","size":"99 m²","url":"https://x.example/1","address":"elsewhere"}`, key1,
			`{"title":"T2","cost":1100,"currency":"EUR","area":38.125,"location":"Weg 3, Ort"}`},
		{"priceChanges", `{"newPrice":1050.5,"url":"https://x.example/1"}`, key1, `{"cost":1050.5}`},
		{"priceChanges", `{"newPrice":"CHF 990.–","url":"https://x.example/2"}`, key2,
			`{"title":null,"cost":990,"currency":"CHF","urls":["https://x.example/2"]}`},
		// A price change of an unknown flat brings the flat with all that it says.
		{"priceChanges", `{"title":"Price reduced: T2: loft","newPrice":5,"url":"https://x.example/4"}`,
			linkSum("https://x.example/4") + "@immo", `{"title":"T2: loft","cost":5}`},
		{"priceChanges", `{"title":"Preiserhöhung: Preis: T2","newPrice":5,"url":"https://x.example/5"}`,
			linkSum("https://x.example/5") + "@immo", `{"title":"Preis: T2","cost":5}`},
		{"listings", `{"title":"Price reduced: T2","price":5,"url":"https://x.example/6"}`,
			linkSum("https://x.example/6") + "@immo", `{"title":"Price reduced: T2","cost":5}`},
		{"priceChanges", `{"title":"Caf&eacute;","newPrice":"1.100 €","price":"1.240 €","size":"38 m²","address":"Ort",
			"imageUrl":"//x.example/3.jpg","url":"https://x.example/3","commute":5}`, linkSum("https://x.example/3") + "@immo",
			`{"title":"Café","cost":1100,"area":38,"location":"Ort","photos":[{"url":"https://x.example/3.jpg"}],
			"details":{"commute":5},"date":"2026-01-01T10:00:00.000Z"}`},
		{"priceChanges", `{"title":"other","newPrice":"1.000 €","size":"40 m²","url":"https://x.example/3"}`,
			linkSum("https://x.example/3") + "@immo", `{"title":"Café","cost":1000,"area":38}`},
		// The members of details stay. floor was set below, after the first listing.
		{"listings", `{"url":"https://x.example/1","commute":7}`, key1, `{"details":{"commute":7,"floor":3}}`},
		// A listing without a link is known by its id. 7902… is the linkSum of 7.
		{"listings", `{"id":7,"title":"x"}`, "7902699be42c8a8e@immo", `{"title":"x","urls":[]}`},
		{"listings", `{"id":"7","size":1e999,"price":` + strings.Repeat("9", 400) + `}`, "7902699be42c8a8e@immo",
			`{"title":"x","cost":null,"area":null}`},
		// "kr." is the currency of several countries.
		{"listings", `{"id":"7","price":"9.500 kr."}`, "7902699be42c8a8e@immo", `{"cost":9500,"currency":null}`},
		{"listings", `{"url":"https://x.example/2","title":"one"},{"url":"https://x.example/2","title":"two"}`, key2,
			`{"title":"two","cost":990}`},
	} {
		got := send(c.list, c.listing)
		if s.store.Get(c.id) == nil || got.status != 200 {
			t.Errorf("%s: %d %s, and no flat %s", c.listing, got.status, got.body, c.id)
			continue
		}
		flat, want := members{}, members{}
		json.Unmarshal([]byte(s.store.Get(c.id).JSON()), &flat)
		json.Unmarshal([]byte(c.want), &want)
		// Only the members that want has are compared.
		maps.DeleteFunc(flat, func(name string, _ json.RawMessage) bool { return want[name] == nil })
		if !sameJSON(encodeJSON(flat), c.want) {
			t.Errorf("%s\ngot  %s\nwant %s", c.listing, encodeJSON(flat), c.want)
		}
		// Once, after the first listing, somebody edits the details.
		if details := s.store.Get(key1).Details.JSON(); details == `{"commute":{"work":{"minutes":20}}}` {
			s.ask("PATCH", "/api/v1/flat/"+key1, `{"details":{"floor":3,"commute":1}}`)
		}
	}
	// An empty value changes nothing in either flat.
	const unchanged = `{"data":{"added":0,"updated":0,"unchanged":1,"gone":0}}`
	for _, empty := range []string{`null`, `""`, `" \t\n"`, `"\u00a0"`, `[]`, `[ ]`, `{}`, "{\n}"} {
		for _, key := range []string{`"url":"https://x.example/1"`, `"id":7`} {
			body := `{"provider":"immo","timestamp":"2026-02-02T10:00:00Z","listings":[{` + key + `,"commute":` + empty
			if strings.Contains(empty, `"`) {
				for _, name := range []string{"title", "description", "address", "price", "size", "rooms", "imageUrl"} {
					body += `,"` + name + `":` + empty
				}
			}
			got := s.ask("POST", "/api/v1/import", body+"}]}")
			if got.body != unchanged {
				t.Errorf("%s: %d %s; want %s", body, got.status, got.body, unchanged)
			}
		}
	}
}

// TestFredyErrors tests the errors of what fredy sends.
func TestFredyErrors(t *testing.T) {
	s := newService(t, "[]", "[]")
	for _, c := range []struct{ body, want string }{
		{`{"provider":"x","listings":[{"title":"t"}]}`, "body:1: url: a listing must have one, or an id."},
		{"{\"provider\":\"x\",\n\"listings\":[\n{\"id\":1},\n{\"id\":1,\"title\":5}]}",
			"body:4: title: want a string or null, got 5."},
		{`{"provider":"x","listings":[{"id":1,"price":{}}]}`, "body:1: price: want a number or a text, got {}."},
		{`{"provider":"x","listings":[{"id":1,"size":[7]}]}`, "body:1: size: want a number or a text, got [7]."},
		{`{"provider":"x","listings":[{"id":1,"size":[7],"rooms":[8]}]}`, "body:1: rooms: want a number or a text, got [8]."},
		{`{"listings":[{"id":1}],"priceChanges":null}`, "body:1: provider: want the name of a site, got nothing."},
		{`{"provider":"","listings":[]}`, `body:1: provider: want the name of a site, got "".`},
		{`{"provider":5,"priceChanges":[]}`, "body:1: provider: want the name of a site, got 5."},
		{`{"provider":"x","listings":5}`, "body:1: listings: want a JSON array, got 5."},
		{`{"provider":"x","listings":{"id":1}}`, `body:1: listings: want a JSON array, got {"id":1}.`},
		{`{"provider":"x","priceChanges":null}`, "body:1: listings: want a JSON array, got nothing."},
		{`{"provider":"x","listings":null,"priceChanges":7}`, "body:1: priceChanges: want a JSON array, got 7."},
		{`{"provider":"x","listings":[{"id":{}}]}`, "body:1: url: a listing must have one, or an id."},
		{`{"provider":"x","listings":[{"id":1,"commute":` + strings.Repeat("[", 9995) + strings.Repeat("]", 9995) + `}]}`,
			"body:1: nested too deeply."},
		{`{"provider":"x","listings":[{"id":1}],"priceChanges":[{"id":1}]}`,
			"body:1: priceChanges: want either listings or priceChanges."},
		{`{"provider":"x","timestamp":"soon","listings":[]}`, `body:1: timestamp: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "soon".`},
		{`{"provider":"x","complete":"x","listings":[{"id":1}]}`,
			"body:1: complete: fredy sends what is new, never all that a site has."},
	} {
		for range 10 { // the same error each time
			s.refuse(s.ask("POST", "/api/v1/import", c.body), 400, "Nothing was imported: "+c.want)
		}
	}
	s.refuse(s.ask("POST", "/api/v1/import?complete=x", `{"provider":"x","listings":[{"id":1}]}`), 400,
		"Nothing was imported: complete: fredy sends what is new, never all that a site has.")
}

// TestFredyTries tests that the test messages of fredy are accepted, and keep nothing.
func TestFredyTries(t *testing.T) {
	s := newService(t, "[]", "[]")
	for _, test := range []string{
		`{"jobId":"j","provider":"TestCall","listings":[{"id":"1","title":"test","url":"https://x.example/test"}]}`,
		`{"event":"test","provider":"immo","listings":[{"id":"1"}]}`, `{"event":"test"}`} {
		s.want(s.ask("POST", "/api/v1/import", test), 200, `{"data":{"added":0,"updated":0,"unchanged":0,"gone":0}}`)
	}
	if n := s.store.snapshot().size; n != 0 {
		t.Errorf("test messages have added %d flats", n)
	}
}

// TestFredyCurrencies tests that the currency of a Swiss site is CHF: fredy writes € after every price.
func TestFredyCurrencies(t *testing.T) {
	s := newService(t, "[]", "[]")
	for provider, currency := range map[string]string{"flatfox": "CHF", "homegate": "CHF", "immoscout24.ch": "CHF",
		"immoscout": "EUR"} {
		s.ask("POST", "/api/v1/import", `{"provider":"`+provider+`","listings":[{"id":1,"price":"2350 €"}]}`)
		if got := s.store.Get(linkSum("1") + "@" + provider).Currency.String(); got != currency {
			t.Errorf("%s: %s; want %s", provider, got, currency)
		}
	}
}

// TestFredyRepeats tests that an import may have a listing 100 times. In the link, %d must not be taken for a verb.
func TestFredyRepeats(t *testing.T) {
	s := newService(t, "[]", "[]")
	const repeatedListing = `{"url":"https://y.example/%d","title":"<script>"},`
	withRepeats := func(n int) string {
		return `{"provider":"x","listings":[` + strings.Repeat(repeatedListing, n) + `{"id":1}]}`
	}
	got := s.ask("POST", "/api/v1/import", withRepeats(maxRepeats))
	s.want(got, 200, `{"data":{"added":2,"updated":0,"unchanged":99,"gone":0}}`)
	s.refuse(s.ask("POST", "/api/v1/import", withRepeats(maxRepeats+1)), 400,
		"Nothing was imported: body:1: listing 101 (https://y.example/%d): "+
			"id: 9d1e7ca2942b8c58@x appears more than 100 times.")
}

// The journal of an accepted import can be read again, whatever the nesting depth of its values. encoding/json reads at
// most 10,000 levels, and a record of the journal nests the value deeper than the listing does.
func TestImportDeep(t *testing.T) {
	for depth := 9980; depth < 10_000; depth++ {
		d := newSimDisk()
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		nested := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		_, err = newImporter(s).ImportText([]byte(`{"id":1,"x":`+nested+"}"), "")
		again, openErr := openStore("/flats.json", d.restartSynced(), nil, quiet)
		if openErr != nil {
			t.Fatalf("depth %d: the import returned %v, the restart %v", depth, err, openErr)
		}
		isAccepted, isStored := err == nil, again.snapshot().size == 1
		if isAccepted != isStored || !isAccepted && depth < 9990 {
			t.Fatalf("depth %d: the import returned %v, the restart %v", depth, err, openErr)
		}
	}
}

// Imports and updates are refused that would make a flat, with its corrections and its postal code, too large to be
// read again from flats.json.
func TestImportSize(t *testing.T) {
	long(t)
	large := strings.Repeat("x", maxLine.bytes-2000) // one such text fits into a flat, two do not
	for _, listing := range []string{`"title":"a","corrected":{"title":"` + large + `"},"text":"` + large + `"`,
		`"service_postal_code":"` + large + `","text":"` + large + `"`} {
		s := newService(t, "[]", "[]")
		s.refuse(s.ask("POST", "/api/v1/import", `[{"id":1,`+listing+`}]`), 400,
			"Nothing was imported: body:1: "+errLarge.Error()+".")
	}
	s := newService(t, "[]", "[]")
	s.ask("POST", "/api/v1/import", `[{"id":1,"title":"`+large+`"}]`)
	s.ask("PATCH", "/api/v1/flat/1", `{"title":"short"}`) // the listing's title is kept, and leaves 2000 bytes
	got := s.ask("PATCH", "/api/v1/flat/1", `{"text":"`+strings.Repeat("x", 3000)+`"}`)
	s.refuse(got, 400, "Invalid payload provided: id 1: "+errLarge.Error()+".")

	line := s.store.Get("1").appendStored(nil) // as it is after the refused update
	if _, err := readFlats("in", slices.Concat([]byte("["), line, []byte("]")), nil, quiet); err != nil {
		t.Error(err)
	}
}

// An import has at most maxMembers members, where each listing counts for ten more.
func TestImportBounds(t *testing.T) {
	long(t)
	_, err := readListings("in", []byte("["+repeated(maxMembers/11+1, `{"id":%[1]d}`, ",\n")+"]"))
	// A listing has one member and counts for ten more: maxMembers/11 of them, 272727, are allowed.
	if err == nil || err.Error() != "in:272728: "+errMany.Error() {
		t.Errorf("too many listings: %v", err)
	}
	listing := strings.TrimSuffix(manyMembers(9_900), "}") + `,"url":"https://x/%[1]d"}`
	_, err = readListings("in", []byte(`{"provider":"p","listings":[`+repeated(310, listing, ",")+"]}"))
	if err == nil || !strings.HasSuffix(err.Error(), errMany.Error()) {
		t.Errorf("too many members in all listings: %v", err)
	}
}

// Imports over HTTP are decompressed and parsed one at a time, but their bodies are
// received concurrently.
func TestImportTurns(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.importer.unpacking.Lock()
	sent, answered := make(chan struct{}, 6), make(chan int, 6)
	for range 6 {
		go func() {
			body := io.MultiReader(strings.NewReader("no gzip"), readerFunc(func([]byte) (int, error) {
				sent <- struct{}{}
				return 0, io.EOF
			}))
			r := httptest.NewRequest("POST", "http://flats.example/api/v1/import", body)
			r.ContentLength = int64(len("no gzip"))
			r.Header.Set("Content-Encoding", "gzip")
			answered <- s.send(r).status
		}()
	}
	for range 6 {
		<-sent // all bodies are received, so that a slow client delays no other import
	}
	select {
	case status := <-answered:
		t.Fatalf("an import was answered while another one was parsed: %d", status)
	case <-time.After(20 * time.Millisecond):
	}
	s.importer.unpacking.Unlock()
	for range 6 {
		if status := <-answered; status != 400 {
			t.Error(status)
		}
	}
}

// Reading an amount allocates at most twice its text, however many digits a site sends.
func TestLongAmount(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("1.000", 1<<18), strings.Repeat("7", 1<<20), strings.Repeat("1 ", 1<<19),
		strings.Repeat("🏠", 64) + strings.Repeat("1.000", 1<<18),
	} {
		quoted := json.RawMessage(encodeJSON(text))
		allocated := allocatedBy(func() { readAmount("cost", quoted, "") })
		if allocated > 2*uint64(len(text)) {
			t.Errorf("%.9s…: %d bytes allocated for %d", text, allocated, len(text))
		}
	}
}

// Reading an import of many values allocates memory proportional to its text, because it stops at the first error, as
// at an object with too many members.
func TestImportMemory(t *testing.T) {
	listOf1MiB := func(head, element, tail string) string { // a MiB of elements, each on a line of its own
		return head + strings.Repeat(element+",\n", 1<<20/len(element)) + element + tail
	}
	const wanted = `in:1: want a listing, such as {"id": "1", "title": "Two rooms"}, got `
	for _, c := range []struct{ text, want string }{
		{listOf1MiB("[", "1", "]"), wanted + "1"},
		{listOf1MiB("[", "[]", "]"), wanted + "[]"},
		{listOf1MiB("[", "{}", "]"), "in:1: " + noID},
		{listOf1MiB(`{"data":[{"id":1},`, "1", "]}"), wanted + "1"},
		{`[{"id":1,` + strings.Repeat(`"a":1,`, 1<<22) + `"b":2}]`, "in:1: " + errObject.Error()},
		{"[\n" + manyMembers(1<<18) + "]", "in:2: " + errObject.Error()},
		{`[{"id":1,"details":[` + manyMembers(1<<18) + "]}]", "in:1: " + errObject.Error()},
		{`[{"id":1,"flatisfy":` + manyMembers(1<<18) + "}]", "in:1: " + errObject.Error()},
		{`{"provider":"p","listings":[` + manyMembers(1<<18) + "]}", "in:1: " + errObject.Error()},
	} {
		var err error
		allocated := allocatedBy(func() { _, err = readListings("in", []byte(c.text)) })
		// The factor allows for a copy of the text and for a growing buffer.
		if err == nil || err.Error() != c.want || allocated > 16*uint64(len(c.text)) {
			t.Errorf("%.20q: %v, %d MB allocated for %d MB; want %s", c.text, err, allocated>>20, len(c.text)>>20, c.want)
		}
	}
	// A colon in a string separates nothing.
	times := `{"notes":"` + strings.Repeat(`10:00 \"`, maxObject/memberSize) + `"}`
	if _, err := parseObject([]byte(times)); err != nil {
		t.Errorf("an object of a member: %v", err)
	}
}

// An amount is null or a finite JSON number, and one without separators is the number.
func FuzzAmount(f *testing.F) {
	for _, text := range []string{"1.240,50 €", "CHF 1'240.–", "0,5", "38 m²", "١٢", "1\u00a0000", "--1e9"} {
		f.Add("cost", text)
	}
	f.Fuzz(func(t *testing.T, field, text string) {
		const countryCode = "ch"
		number, _ := readAmount(field, json.RawMessage(encodeJSON(text)), countryCode)
		if !json.Valid([]byte(number.JSON())) {
			t.Fatalf("%q: %s", text, number.JSON())
		}
		plain, err := strconv.ParseUint(text, 10, 52) // a float64 holds all integers of 52 bits
		if field == "cost" && err == nil && number.number != float64(plain) {
			t.Errorf("%q: %s", text, number.JSON())
		}
	})
}

// gzipped returns a text as gzip.
func gzipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

// inUTF16 returns a text in UTF-16 with a byte order mark.
func inUTF16(text string, order binary.AppendByteOrder) string {
	b := order.AppendUint16(nil, 0xfeff)
	for _, unit := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// The same two listings can be imported in every form.
func TestContainers(t *testing.T) {
	const one, two = `{"id":"1","title":"Büro 🏠","cost":845}`, `{"id":"2","title":"a, b","cost":900}`
	const list = "[" + one + "," + two + "]"
	const csv = "id,title,cost\r\n1,Büro 🏠,845\r\n2,\"a, b\",900\r\n"
	for name, text := range map[string]string{
		"array":                list,
		"data":                 `{"data":` + list + `}`,
		"listings":             `{"page":1,"listings":` + list + `}`,
		"items":                `{"items":` + list + `,"next":null}`,
		"results":              `{"count":2,"results":` + list + `}`,
		"data that is no list": `{"data":null,"results":` + list + `}`,
		"lines":                one + "\n" + two + "\n",
		"lines on Windows":     one + "\r\n\r\n" + two,
		"lines without ends":   one + two,
		"lines that are long":  "{\n\"id\":\"1\",\n\"title\":\"Büro 🏠\",\"cost\":845}\n" + two,
		"CSV":                  csv,
		"CSV with a mark":      "\uFEFF" + csv,
		"semicolons":           "id;title;cost\n1;Büro 🏠;845\n2;\"a, b\";900",
		"tabs":                 "id\ttitle\tcost\n1\tBüro 🏠\t845\n2\ta, b\t900\n",
	} {
		for packing, packed := range map[string]string{
			"":               text,
			"gzip":           gzipped(text),
			"UTF-16LE":       inUTF16(text, binary.LittleEndian),
			"UTF-16BE":       inUTF16(text, binary.BigEndian),
			"UTF-16 in gzip": gzipped(inUTF16(text, binary.LittleEndian)),
			"blank":          " \n" + strings.TrimPrefix(text, "\uFEFF"),
		} {
			hasTwoMarks := name == "CSV with a mark" && strings.HasPrefix(packing, "UTF-16")
			isBlankCSV := packing == "blank" && strings.HasPrefix(text, "id") // a space is a part of the first name
			if hasTwoMarks || isBlankCSV {
				continue
			}
			s := newService(t, "[]", "[]")
			s.want(s.ask("POST", "/api/v1/import", packed), 200,
				`{"data":{"added":2,"updated":0,"unchanged":0,"gone":0}}`)
			s.want(s.ask("GET", "/api/v1/find?fields=title,cost&sort=id", ""), 200, `{"data":[{"id":"1","title":"Büro 🏠",
				"cost":845},{"id":"2","title":"a, b","cost":900}],"page":0,"items_per_page":2,"total":2,"counts":{}}`)
			if t.Failed() {
				t.Fatalf("%s %s", name, packing)
			}
		}
	}
}

// An object with members of a home is one listing, whatever else it has. Any other object holds the listings
// in its data. If an object may be either, the error names both.
func TestListingOrContainer(t *testing.T) {
	const home = `"url":"https://x.example/55555","cost":900`
	unclear := func(identity, list string) string {
		return "in:1: this may be one listing, which has " + identity + ", or hold others in " + list +
			": put a single listing into an array, or send " + list + " alone"
	}
	for _, c := range []struct{ text, ids, err string }{ // the listing of home, which has no id, is called 1
		{`{` + home + `,"items":[]}`, "1", ""},
		{`{` + home + `,"results":["balcony"]}`, "1", ""},
		{`{` + home + `,"data":{"floor":3}}`, "1", ""},
		{`{` + home + `,"items":[{"id":"similar","cost":5}]}`, "1", ""},
		{`{` + home + `,"Listings":[{"id":"a"}]}`, "1", ""},
		{`{` + home + `,"event":"test"}`, "1", ""},
		{`{"id":"a","title":"T","items":[]}`, "a", ""},
		{`{"id":"a","items":["balcony"]}`, "a", ""},
		{`{"id":"a"}`, "a", ""},
		{`{"id":"srch","data":[{"id":"a"},{"id":"b"}]}`, "a b", ""},
		{`{"url":"https://x.example/search","items":[{"url":"https://x.example/66666"},{"id":"b"}],"total":2}`, "1 b", ""},
		{`{"id":"srch","data":{"id":"a","cost":1}}`, "a", ""},
		{`{"id":"srch","data":[]}`, "", ""},
		{`{"id":null,"url":"","title":"Search","items":[{"id":"a"}]}`, "a", ""},
		{`{"ID":"srch","title":"Search","data":[{"id":"a"}]}`, "a", ""},
		{`{"Data":[{"id":"b"}],"data":[{"id":"a"}]}`, "a", ""},
		{`{"data":[{"id":"b"}],"data":[{"id":"a"}]}`, "a", ""},
		{`{"id":"a","title":"T","items":[{"id":"b"}]}`, "", unclear("id and title", "items")},
		{`{"url":"https://x.example/1","rooms":2,"data":{"id":"b"}}`, "", unclear("url and rooms", "data")},
		{`{"id":"a","items":[]}`, "", unclear("id", "items")},
		{`[{"id":"a","title":"T","items":[{"id":"b"}]}]`, "a", ""},
	} {
		listings, err := readListings("in", []byte(c.text))
		var ids []string
		for _, listing := range listings.Flats {
			id := listingID(listing)
			if listing["id"] == nil {
				id = "1" // instead of the sum of its link
			}
			ids = append(ids, id)
		}
		if got := strings.Join(ids, " "); got != c.ids || errorText(err) != c.err {
			t.Errorf("%s: %q, %v; want %q, %s", c.text, got, err, c.ids, c.err)
		}
	}
}

// The error of a text that is no import names what it looks like, and the line.
func TestForeignContainers(t *testing.T) {
	const python = ": this looks like Python's own notation: write it with json.dump"
	const excel = "in:1: this looks like an Excel file: save it as CSV"
	const packed = "in:1: this looks like a packed file: unpack it, or pack it with gzip"
	const nan = "in:1:17: JSON has no NaN, Infinity or undefined: write null"
	const after = "nothing may follow the last bracket: remove this, or a bracket too many before it"
	for _, c := range []struct{ text, want string }{
		{"<!DOCTYPE html>\n<html>", "in:1: this looks like a web page, perhaps one that asks to sign in: want JSON or CSV"},
		{" <html>", "in:1: this looks like a web page, perhaps one that asks to sign in: want JSON or CSV"},
		{`<?xml version="1.0"?><a/>`, "in:1: this looks like XML: want JSON or CSV"},
		{"%PDF-1.7\n\xe2\xe3", "in:1: this looks like a PDF: want JSON or CSV"},
		{"PK\x03\x04\x14\x00xl/workbook.xml\xff", excel},
		{"\xd0\xcf\x11\xe0\xa1\xb1", excel}, // of before 2007
		{"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
			"in:1: this looks like a spreadsheet: save it as CSV"},
		{"PK\x03\x04listings.json", packed},
		{"BZh11AY&SY", packed}, // bzip2, with its smallest and its largest blocks
		{"BZh91AY&SY", packed},
		{"\x28\xb5\x2f\xfd\x04", packed}, // Zstandard
		{"[{'id': 1}]", "in:1:3: write double quotes, not single ones" + python},
		{"{'id': 1}", "in:1:2: write double quotes, not single ones" + python},
		{"[{\"id\": 1,\n\"area\": None}]", "in:2:9: write null" + python},
		{`{"id":1,"b":True}`, "in:1:13: write true, false and null in lower case" + python},
		{"{\"id\":1}\n{\"id\":2,\"b\":False}", "in:2:13: write true, false and null in lower case" + python},
		{`[{"id":1,"cost":NaN}]`, nan},
		{`[{"id":1,"cost":nan}]`, nan},
		{`[{"id":1,"cost":-Infinity}]`, nan},
		{`[{"id":1,"cost":undefined}]`, nan},
		{"[\x00{\x00\"\x00", "in:1:2: this looks like UTF-16 without a byte order mark: save it as UTF-8"},
		{"[{\"id\":1,\n\"title\":\"Caf\xe9\"}]", "in:2: byte 0xe9 is not UTF-8: save the text as UTF-8"},
		{"id;title\n1;Caf\xe9", "in:2: byte 0xe9 is not UTF-8: save the text as UTF-8"},
		{"\xff\xfe[\x00]", "in:1: the UTF-16 ends in the middle of a character"},
		{"\xff\xfe\x00\xd8", "in:1: the UTF-16 ends in the middle of a character"},
		{"\xff\xfe\x00\xdc[\x00", "in:1: the UTF-16 has half a character"},
		{"{\"id\":1}\n{\"id\":2,\n\"cost\":\"x\"}", `in:2: cost: want a finite number or null, got "x"`},
		{"{\"id\":1}\n\n{\"id\":2,\n\"cost\"", "in:4:7: a colon is missing after the name"},
		{"{\"id\":1}\n{\"id\":2}\n5", `in:3: want a listing, such as {"id": "1", "title": "Two rooms"}, got 5`},
		{"{\"id\":1}\n{\"id\":2}\n]", "in:3:1: " + after},
		{"{\"id\":1}\n5", "in:2:1: " + after},
		{`{"items":[{"id":1,"cost":{}}]}`, "in:1: cost: want a finite number or null, got {}"},
		// Where one line has several listings, the error names the wrong one.
		{`[{"id":1},{"id":"2@s","cost":"x"}]`, `in:1: listing 2 (2@s): cost: want a finite number or null, got "x"`},
		{`{"data":[{"id":1,"cost":"x"},{"id":2}]}`, `in:1: listing 1 (1): cost: want a finite number or null, got "x"`},
		{`[{"id":1},{"title":"Loft"}]`, "in:1: listing 2 (Loft): " + noID},
		{"just a text", "in:1: want JSON, or CSV with a header that names fields, such as id, url, title and cost, " +
			"got just a text"},
	} {
		if _, err := readListings("in", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// A gzipped text is unpacked to its limit, in each way of importing.
func TestUnpack(t *testing.T) {
	t.Parallel()
	const limit = 1 << 10
	textCut := gzipped("text")[:15] // in the middle of its content
	for _, c := range []struct{ text, want, err string }{
		{"plain", "plain", ""},
		{gzipped("text"), "text", ""},
		{gzipped("te") + gzipped("xt"), "text", ""},
		{gzipped(strings.Repeat("x", limit)), strings.Repeat("x", limit), ""},
		{gzipped(strings.Repeat("x", limit+1)), "", "too large when it is unpacked: more than 1024 bytes"},
		{textCut, "", "damaged gzip: unexpected EOF"},
		{"\x1f\x8bx", "", "damaged gzip: unexpected EOF"},
		{gzipped("text") + "\n", "", "damaged gzip: 1 bytes that are not gzip follow its end"},
		{gzipped("te") + gzipped("xt") + "more than a header", "",
			"damaged gzip: 18 bytes that are not gzip follow its end"},
		{gzipped("te") + textCut, "", "damaged gzip: unexpected EOF"},
		{gzipped("te") + gzipped(strings.Repeat("x", limit-1)), "", "too large when it is unpacked: more than 1024 bytes"},
	} {
		got, err := unpack([]byte(c.text), limit)
		if string(got) != c.want || errorText(err) != c.err {
			t.Errorf("%q: %q, %v; want %q, %s", c.text, got, err, c.want, c.err)
		}
	}
	s := newService(t, "[]", "[]")
	s.refuse(s.ask("POST", "/api/v1/import", gzipped("[]")[:10]), 400, "The body is damaged gzip: unexpected EOF.")
	s.refuse(s.ask("POST", "/api/v1/import", gzipped(strings.Repeat(" ", maxImportBody+1))), 413,
		fmt.Sprintf("The body is too large when it is unpacked: more than %d bytes.", maxImportBody))
	s.want(s.ask("POST", "/api/v1/import", gzipped(gzipped(`{"id":1}`)), "Content-Encoding", "gzip"), 200,
		`{"data":{"added":1,"updated":0,"unchanged":0,"gone":0}}`)
}

// Whatever the text, reading it neither panics nor accepts a listing that cannot be read again.
func FuzzContainer(f *testing.F) {
	for _, text := range []string{`[{"id":1}]`, "{\"id\":1}\n{\"url\":\"http://a.example/1\"}", "id,cost\n1,2\n",
		"url;price;sqft\nhttp://a.example/1;$450K;700", `{"items":[{"id":"a","cost":"1 240"}]}`,
		gzipped(`{"id":1}`), inUTF16(`{"id":1}`, binary.LittleEndian), "PK\x03\x04", "[{'id': None}]",
		`{"provider":"p","priceChanges":[{"id":1,"newPrice":"1 €","title":"<b>a</b>"}]}`,
		`[{"id":1,"photos":"//a/1.jpg, www.b/2.jpg","address":{"city":"x"},"details":{"a":"&amp;"}}]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		unpacked, err := unpack(text, 1<<16)
		if err != nil {
			return
		}
		listings, err := readListings("in", unpacked)
		if err != nil {
			return
		}
		listings.Plain, listings.Own = true, true
		again, err := readListings("again", []byte(encodeJSON(listings)))
		if err != nil || encodeJSON(again.Flats) != encodeJSON(listings.Flats) {
			t.Errorf("%q: %v\nfirst %s\nagain %s", text, err, encodeJSON(listings.Flats), encodeJSON(again.Flats))
		}
	})
}

// TestMistakesInImports tests that imports name the same mistakes, also in one of several objects.
func TestMistakesInImports(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\"id\": 1}\n{\"id\": 2, \"a\": \"ü\" \"b\": 3}", "in:2:19: a comma is missing here"},
		{"[{\"id\": 1},\n{\"id\": 2,}]", "in:2:9: there is one comma too many before the }"},
		{"\xef\xbb\xbf{\"data\": [{\"id\": 1]}", "in:1:19: a closing } is missing before the ]"},
		{"{\"id\": 1}\n{\"id\": ", "in:2:7: a value is missing after the colon"},
	} {
		if _, err := readListings("in", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
	_, err := parseConfig("config.json", []byte(`["hunter2"]`), quiet)
	if want := "config.json:1: want an object, which begins with {"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
