// Tests of mails as the service imports them.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"flats/internal/listing"
)

const rfc822 = "message/rfc822"

// mailOf returns a mail with an HTML body.
func mailOf(body string) string {
	return "From: Portal <news@portal.example>\nDate: Mon, 14 Sep 2026 06:13:00 +0200\nSubject: 1 new flat to rent\n" +
		"MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n" + body
}

// cardOf returns the HTML of a card.
func cardOf(link, photo, title, cost, facts, place string) string {
	return fmt.Sprintf(`<div><a href=%q><img src=%q width="300"></a><h3><a href=%q>%s</a></h3><p>%s</p><p>%s</p>`+
		`<p>%s</p></div>`, link, photo, link, title, cost, facts, place)
}

func (s *service) sendMail(text string) reply {
	s.Helper()
	return s.ask("POST", "/api/v1/import", text, "Content-Type", rfc822)
}

// countsOf returns the answer to an import with these counts.
func countsOf(counts Counts) string { return encodeJSON(object{"data": counts}) }

// Each home in 18 alert mails becomes one flat with its cost, and nothing else becomes one. A second import of the
// mails adds none.
func TestMailsCounted(t *testing.T) {
	long(t)
	t.Parallel()
	const folder = "internal/listing/testdata/mails/given/"
	files, err := filepath.Glob(folder + "*.eml")
	if err != nil || len(files) != 18 {
		t.Fatalf("%d mails, %v; want 18", len(files), err)
	}
	s := newService(t, "[]", "[]")
	var want []string // the costs, as somebody has read them
	for _, file := range files {
		var read struct {
			Listings []struct{ Cost *float64 }
		}
		if err := json.Unmarshal([]byte(readFile(t, strings.TrimSuffix(file, ".eml")+".json")), &read); err != nil {
			t.Fatal(file, err)
		}
		s.want(s.sendMail(readFile(t, file)), 200, countsOf(Counts{Added: len(read.Listings)}))
		for _, home := range read.Listings {
			cost := "no price"
			if home.Cost != nil {
				cost = fmt.Sprint(*home.Cost)
			}
			want = append(want, cost)
		}
	}
	var got []string
	for _, f := range s.store.snapshot().all() {
		cost := "no price"
		if f.Cost.Known() {
			cost = fmt.Sprint(f.Cost.number)
		}
		got = append(got, cost)
	}
	slices.Sort(got)
	slices.Sort(want)
	if len(got) != 66 || !slices.Equal(got, want) {
		t.Errorf("%d flats; want 66, with the costs\n%q, got\n%q", len(got), want, got)
	}
	for _, file := range files {
		if got := s.sendMail(readFile(t, file)); !strings.HasPrefix(got.body, `{"data":{"added":0,`) {
			t.Errorf("%s once more: %s", file, got.body)
		}
	}
}

// The same mail twice changes nothing, and the mail of the next week tells of the price.
func TestMailAgain(t *testing.T) {
	for _, c := range []struct {
		name, newCost         string // the mail, and the cost that is in the mail of the next week
		firstCount, nextCount int    // the numbers of listings in both mails
	}{
		{"g01-de-nested", "1190", 3, 3},
		{"g02-de-text", "236500", 2, 2},
		{"g03-fr-flat-rows", "189000", 4, 3},
		{"g08-us-background", "879000", 3, 2},
	} {
		s := newService(t, "[]", "[]")
		first := readFile(t, "internal/listing/testdata/mails/given/"+c.name+".eml")
		next := readFile(t, "internal/listing/testdata/mails/next/"+c.name+".eml")
		s.want(s.sendMail(first), 200, countsOf(Counts{Added: c.firstCount}))
		before := s.ask("GET", "/api/v1/flats", "").body
		s.want(s.sendMail(first), 200, countsOf(Counts{Unchanged: c.firstCount}))
		if after := s.ask("GET", "/api/v1/flats", "").body; after != before {
			t.Errorf("%s: the same mail changed\n%s\nto\n%s", c.name, before, after)
		}
		s.want(s.sendMail(next), 200, countsOf(Counts{Updated: 1, Unchanged: c.nextCount - 1}))
		got := s.ask("GET", "/api/v1/flats?filter[cost]="+c.newCost, "")
		if strings.Count(got.body, `"cost_history":[{`) != 1 {
			t.Errorf("%s: the flats with the new price are %s", c.name, got.body)
		}
	}
}

// A mail sets the cost of a known flat, and otherwise only what it lacks. It knows the flat by its link.
func TestMailOnKnownFlat(t *testing.T) {
	s := newService(t, `[{"id":"1@other","title":"Mine","urls":["https://m.portal.example/expose/48120/?utm_source=x"],`+
		`"cost":900,"currency":"EUR","area":50,"gone":"2026-01-01T00:00:00Z","status":"followed","date":"2026-01-01"},`+
		`{"id":"2@other","status":"duplicate","urls":["https://portal.example/expose/48120"]}]`, "[]")
	card := cardOf("https://www.portal.example/expose/48120", "https://img.portal.example/1.jpg", "Sunny flat by the park",
		"€850 per month", "3 rooms · 72 m²", "12 High Street, Galway")
	s.want(s.sendMail(mailOf(card)), 200, countsOf(Counts{Updated: 1}))
	got := s.ask("GET", "/api/v1/flats/1@other", "").body
	for path, want := range map[string]string{"title": `"Mine"`, "cost": "850", "area": "50", "rooms": "3", "gone": "null",
		"status": `"followed"`, "location": `"12 High Street, Galway"`, "date": `"2026-01-01"`} {
		var object struct{ Data members }
		json.Unmarshal([]byte(got), &object)
		if text := cmp.Or(string(object.Data[path]), "null"); text != want {
			t.Errorf("%s = %s; want %s", path, text, want)
		}
	}
	s.want(s.sendMail(mailOf(card)), 200, countsOf(Counts{Unchanged: 1}))
}

// A new flat says which mail it comes from, a known one keeps its details.
func TestMailOrigin(t *testing.T) {
	card := func(n int) string {
		return cardOf(fmt.Sprintf("https://portal.example/expose/4812%d", n), "https://img.portal.example/1.jpg",
			"Sunny flat by the park", "€850 per month", "3 rooms · 72 m²", "12 High Street, Galway")
	}
	forwarded := "<p>---------- Forwarded message ----------<br>From: Finder &lt;a@finder.example&gt;</p>"
	for _, test := range []struct{ from, date, body, want string }{
		{"LetFinder <news@portal.example>", "Mon, 14 Sep 2026 06:13:00 +0200", "",
			`{"mail":{"date":"2026-09-14T06:13:00+02:00","from":"LetFinder"}}`},
		{"=?utf-8?q?B=C3=BCro?= <news@portal.example>", "", "", `{"mail":{"from":"Büro"}}`},
		{`"Let, Finder" <news@portal.example>`, "", "", `{"mail":{"from":"Let, Finder"}}`},
		{"news@portal.example", "", "", `{"mail":{"from":"portal.example"}}`},
		{"Me <me@home.example>", "", forwarded, `{"mail":{"from":"finder.example"}}`},
	} {
		s := newService(t, `[{"id":"known","urls":["https://portal.example/expose/48121"]}]`, "[]")
		text := fmt.Sprintf("From: %s\nDate: %s\nSubject: 2 new flats to rent\nContent-Type: text/html\n\n%s",
			test.from, test.date, test.body+card(1)+card(2))
		s.want(s.sendMail(text), 200, countsOf(Counts{Added: 1, Updated: 1}))
		var flats struct {
			Data []struct {
				ID      string
				Details json.RawMessage
			}
		}
		json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats", "").body), &flats)
		if len(flats.Data) != 2 {
			t.Fatalf("From: %s: there are %d flats; want 2", test.from, len(flats.Data))
		}
		for _, f := range flats.Data {
			want := test.want
			if f.ID == "known" {
				want = "null"
			}
			if got := string(f.Details); got != want {
				t.Errorf("From: %s: the details of %s are %s; want %s", test.from, f.ID, got, want)
			}
		}
	}
}

// A text that is no mail is refused, and the note of a mail without listings says why.
func TestMailRefused(t *testing.T) {
	s := newService(t, "[]", "[]")
	const noMail = "Nothing was imported: want a mail, which begins with a header field such as From or Date."
	for _, text := range []string{"", `[{"id":1}]`, "{\"data\": []}", "hello\n\nworld", "https://portal.example/1"} {
		s.refuse(s.sendMail(text), 400, noMail)
	}
	s.refuse(s.sendMail("From: a@b.example\nX: "+strings.Repeat("x", 256<<10)+"\n\n"), 400,
		"Nothing was imported: the header of the mail has more than 256 KiB.")
	s.refuse(s.ask("POST", "/api/v1/import?complete=portal.example", mailOf("x"), "Content-Type", rfc822), 400,
		"Invalid complete provided: a mail tells what is new, never all that a site has.")
	s.refuse(s.sendMail(mailOf(strings.Repeat("x", listing.MaxMail))), 413, "A mail may have at most 33554432 bytes.")
	s.want(s.sendMail(mailOf("<p>Hello</p>")), 200, countsOf(Counts{}))
	var imports struct {
		Data []struct {
			Error *string
			Note  string
		}
	}
	json.Unmarshal([]byte(s.ask("GET", "/api/v1/imports", "").body), &imports)
	latest, before := imports.Data[0], imports.Data[1]
	if latest.Error != nil || !strings.Contains(latest.Note, `"1 new flat to rent"`) {
		t.Errorf("the import of a mail without listings is %v", latest)
	}
	if before.Error == nil || before.Note != "" {
		t.Errorf("the import of a large mail is %v", before)
	}
}

// Two homes of a mail that differ only in their costs become two flats, in any order, and the next mail finds both. A
// listing that says the same as another one is left out, and the note says so.
func TestMailTwins(t *testing.T) {
	card := func(link, photo, cost string) string {
		return cardOf("https://click.portal.example/ls/"+link, "https://img.portal.example/"+photo,
			"2-Zimmer-Neubauwohnung", "Kaltmiete: "+cost+" €", "50 m² · 2 Zimmer", "Lindenweg 5, 99084 Erfurt")
	}
	// The tokens of links, which do not tell homes apart.
	const one, other = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v", "zY8xW6vU4tS2rQ0pN8mL6kJ4hG2f"
	const third = "qW2eR4tZ6uI8oP0aS1dF3gH5jK7l"
	s := newService(t, "[]", "[]")
	note := func() string {
		list := s.importer.Outcomes()
		return list[0].Note
	}
	s.want(s.sendMail(mailOf(card(one, "1.jpg", "900")+card(other, "2.jpg", "950"))), 200, countsOf(Counts{Added: 2}))
	if got := note(); got != "" {
		t.Errorf("the note is %q", got)
	}
	before := s.ask("GET", "/api/v1/flats?sort=id", "").body
	for _, cards := range []string{
		card(other, "2.jpg", "950") + card(one, "1.jpg", "900"), // in the other order
		card(third, "1.jpg", "900") + card(one, "2.jpg", "950"), // with other tokens
		// Each of them twice.
		card(one, "1.jpg", "900") + card(one, "1.jpg", "900") + card(other, "2.jpg", "950") + card(other, "2.jpg", "950"),
	} {
		s.want(s.sendMail(mailOf(cards)), 200, countsOf(Counts{Unchanged: 2}))
		if after := s.ask("GET", "/api/v1/flats?sort=id", "").body; after != before {
			t.Errorf("%s\nis after %s\n%s", before, cards, after)
		}
	}
	s.want(s.sendMail(mailOf(card(one, "1.jpg", "900")+card(other, "2.jpg", "930"))), 200,
		countsOf(Counts{Updated: 1, Unchanged: 1}))
	s.want(s.sendMail(mailOf(card(one, "1.jpg", "900")+card(other, "3.jpg", "900")+card(third, "2.jpg", "930"))), 200,
		countsOf(Counts{Unchanged: 2}))
	const want = `Of the mail "1 new flat to rent" a listing was left out that says the same as another one.`
	if got := note(); got != want {
		t.Errorf("the note is %q; want %q", got, want)
	}
}

// While a mail is read, other imports go on, and other mails wait.
func TestMailMeanwhile(t *testing.T) {
	s := newService(t, "[]", "[]")
	<-s.importer.readingMail
	if a := s.ask("POST", "/api/v1/import", `[{"id":1}]`); a.status != 200 {
		t.Errorf("an import during a mail: %d %s", a.status, a.body)
	}
	answered := make(chan int)
	mail := func() {
		answered <- s.ask("POST", "/api/v1/import", mailOf("<p>Hello</p>"), "Content-Type", rfc822).status
	}
	go mail()
	select {
	case status := <-answered:
		t.Errorf("a mail during a mail: %d", status)
	case <-time.After(20 * time.Millisecond):
	}
	s.importer.readingMail.Release()
	if status := <-answered; status != 200 {
		t.Errorf("a mail after a mail: %d", status)
	}
}

// A mail whose client has gone is not read to its end, unless that needs no turn, or gets one soon.
func TestMailClientGone(t *testing.T) {
	long(t)
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const slow = "<p>€1,000 · 3 rooms · 72 m² · 12 High Street, Galway" // many of these need a turn
	for text, isRefused := range map[string]bool{mailOf("<p>Hello"): false, mailOf(strings.Repeat(slow, 40_000)): true} {
		s := newService(t, "[]", "[]")
		takeTurn(t, s.store.turns)
		r := httptest.NewRequest("POST", "http://flats.example/api/v1/import", strings.NewReader(text))
		r.Header.Set("Content-Type", rfc822)
		a := s.send(r.WithContext(ctx))
		outcome := s.importer.Outcomes()[0]
		isWanted := a.status == 200 && outcome.Error == nil
		if isRefused {
			isWanted = a.status == 400 && outcome.Error != nil && strings.Contains(a.body, "has gone")
		}
		if !isWanted {
			t.Errorf("%d bytes: %d %s, %s", len(text), a.status, a.body, encodeJSON(outcome))
		}
	}
}

// Mails in the import folder are imported. Other files with the name of a mail are rejected, and the note of a mail
// without listings says why.
func TestMailFolder(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "flats.json", "[]")
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	store, err := openStore(filepath.Join(dir, "flats.json"), osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	old := time.Now().Add(-time.Minute)
	for name, text := range map[string]string{
		"a.eml":  readFile(t, "internal/listing/testdata/mails/given/g01-de-nested.eml"),
		"b.EML":  mailOf("<p>Hello</p>"),
		"c.eml":  `[{"id":1}]`,
		"d.EmlX": emlxOf(aMail(1)),
		"e.txt":  aMail(2),
		"f.mbox": mboxOf(aMail(3), mailOf("<p>Hello</p>"), aMail(4)),
		"g.mbox": mboxOf(aMail(5), aMail(5)),
	} {
		os.Chtimes(writeFile(t, folder, name, text), old, old)
	}
	importer := newImporter(store)
	if err := newWatcher(importer, folder, maxFile).scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(folder + "/*")
	if len(left) != 1 || filepath.Base(left[0]) != "c.eml.rejected" || len(listed(store)) != 8 {
		t.Errorf("%s are left, and the flats are %s", left, listed(store))
	}
	outcomes := slices.Clone(importer.Outcomes()) // that of g.mbox is the first
	slices.Reverse(outcomes)
	for i, want := range []struct {
		file               string
		counts             Counts
		hasNote, isRefused bool
	}{
		{file: "a.eml", counts: Counts{Added: 3}},
		{file: "b.EML", hasNote: true},
		{file: "c.eml", isRefused: true},
		{file: "d.EmlX", counts: Counts{Added: 1}},
		{file: "e.txt", counts: Counts{Added: 1}},
		{file: "f.mbox", counts: Counts{Added: 2}, hasNote: true},
		{file: "g.mbox", counts: Counts{Added: 1, Unchanged: 1}},
	} {
		got := outcomes[i]
		if got.Counts != want.counts || (got.Note != "") != want.hasNote || (got.Error != nil) != want.isRefused {
			t.Errorf("the import of %s is %s; want %+v", want.file, encodeJSON(got), want)
		}
	}
}

// aMail returns a mail with one home.
func aMail(n int) string {
	return mailOf(cardOf(fmt.Sprintf("https://portal.example/expose/4812%d", n), "https://img.portal.example/1.jpg",
		"Sunny flat by the park", "€850 per month", "3 rooms · 72 m²", fmt.Sprintf("%d High Street, Galway", n)))
}

// mboxOf returns an mbox of mails.
func mboxOf(mails ...string) string {
	return "From a@portal.example Mon Sep 14 06:13:00 2026\n" +
		strings.Join(mails, "\n\nFrom a@portal.example Mon Sep 14 06:13:00 2026\n")
}

// emlxOf returns a mail as an .emlx file has it: after its number of bytes, and before a property list.
func emlxOf(mail string) string {
	return fmt.Sprintf("%-10d\n%s<?xml version=\"1.0\"?>\n<plist version=\"1.0\"></plist>\n", len(mail), mail)
}

// The mails of an mbox are imported one by one: their counts are added up, and a later price counts. A body that begins
// like a mail is a mail, whatever its Content-Type.
func TestMailFiles(t *testing.T) {
	t.Parallel()
	cheaper := strings.NewReplacer("€850", "€800", "14 Sep", "21 Sep").Replace(aMail(1))
	for _, test := range []struct {
		kind, text string
		want       string
		notes      int // how many mails without listings the note names: at most 5
	}{
		{rfc822, mboxOf(aMail(1), aMail(2), cheaper), countsOf(Counts{Added: 2, Updated: 1}), 0},
		{rfc822, mboxOf(cheaper, aMail(1)), countsOf(Counts{Added: 1, Unchanged: 1}), 0},
		{rfc822, strings.ReplaceAll(mboxOf(aMail(1), aMail(2)), "\n", "\r\n"), countsOf(Counts{Added: 2}), 0},
		{rfc822, mboxOf(mailOf("Hello"), aMail(1), mailOf("Hi")), countsOf(Counts{Added: 1}), 2},
		{rfc822, mboxOf(slices.Repeat([]string{mailOf("Hello")}, 9)...), countsOf(Counts{}), 5},
		{rfc822, emlxOf(aMail(1)), countsOf(Counts{Added: 1}), 0},
		{"application/octet-stream", emlxOf(aMail(1)), countsOf(Counts{Added: 1}), 0},
		{"application/json", aMail(1), countsOf(Counts{Added: 1}), 0},
		{"application/mbox", mboxOf(aMail(1), aMail(2)), countsOf(Counts{Added: 2}), 0},
		{"text/csv", gzipped(aMail(1)), countsOf(Counts{Added: 1}), 0},
		{"text/csv", "From,url\n5,https://a.example/1\n", countsOf(Counts{Added: 1}), 0},
	} {
		s := newService(t, "[]", "[]")
		s.want(s.ask("POST", "/api/v1/import", test.text, "Content-Type", test.kind), 200, test.want)
		note := s.importer.Outcomes()[0].Note
		isCut := strings.Contains(note, "And 4 more.")
		if strings.Count(note, `"1 new flat to rent"`) != test.notes || isCut != (test.notes == 5) {
			t.Errorf("%.60q: the note is %q; want %d", test.text, note, test.notes)
		}
	}
	s := newService(t, "[]", "[]")
	s.refuse(s.sendMail(mboxOf(aMail(1), "From: a\nX: "+strings.Repeat("x", 256<<10)+"\n\n")), 400,
		"Nothing was imported: mail 2: the header of the mail has more than 256 KiB.")
	s.refuse(s.ask("POST", "/api/v1/import?complete=portal.example", aMail(1)), 400,
		"Invalid complete provided: a mail tells what is new, never all that a site has.")
	if got := listed(s.store); len(got) != 0 {
		t.Errorf("the flats are %s", got)
	}
}

// flats import hands a mail to the service as it is.
func TestMailCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mail := readFile(t, "internal/listing/testdata/mails/given/g02-de-text.eml")
	for _, test := range []struct {
		args, input, want string
		isPlaced          bool // there is a file for the service
	}{
		{writeFile(t, dir, "a.EML", mail), "", "listings handed to the service in import: 2\n", true},
		{"-", mail, "listings handed to the service in import: 2\n", true},
		{"-", "From a@b.example\n" + mail, "listings handed to the service in import: 2\n", true},
		{writeFile(t, dir, "b.eml", "[]"), "", "want a mail", false},
		{writeFile(t, dir, "c.EMLX", emlxOf(aMail(1))), "", "in import: 1\n", true},
		{writeFile(t, dir, "d", mboxOf(aMail(1), aMail(2))), "", "in import: 2\n", true},
		{"-", emlxOf(aMail(1)), "in import: 1\n", true},
		{"-", mboxOf(aMail(1), aMail(2)), "in import: 2\n", true},
		{writeFile(t, dir, "e.mbox", mboxOf(aMail(1), "From: a\nX: "+strings.Repeat("x", 256<<10)+"\n\n")), "",
			"e.mbox: mail 2: the header", false},
		{"-complete x -", mail, "-complete: a mail tells what is new", false},
	} {
		cmd := command(dir, append([]string{"import"}, strings.Fields(test.args)...)...)
		cmd.Stdin = strings.NewReader(test.input)
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), test.want) {
			t.Errorf("flats import %s: %s; want %s", test.args, out, test.want)
		}
		placed, _ := filepath.Glob(filepath.Join(dir, "import", "*.eml"))
		if (len(placed) == 1) != test.isPlaced {
			t.Errorf("flats import %s placed %s", test.args, placed)
		}
		os.RemoveAll(filepath.Join(dir, "import"))
	}
}
