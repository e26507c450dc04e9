// Tests of message.go, cards.go and what reads mails with them.

package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A wantedListing is what a file of testdata/mails says about a listing. A title is one text or several allowed ones.
type wantedListing struct {
	URL         *string
	Title       json.RawMessage
	Cost, Area  *float64
	Currency    *string
	Rooms, Beds *float64
	Bedrooms    *float64
	Location    []string
	Photo       *string
	ID          string
	Links       []string
}

func readWanted(t testing.TB, file string) (listings []wantedListing) {
	text, err := os.ReadFile(strings.TrimSuffix(file, ".eml") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var wanted struct{ Listings []wantedListing }
	if err := json.Unmarshal(text, &wanted); err != nil {
		t.Fatal(err)
	}
	return wanted.Listings
}

func mailFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/mails/*/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal("no mails", err)
	}
	return files
}

// faults returns what a listing says otherwise than wanted.
func (w *wantedListing) faults(f *Flat) (faults []string) {
	differ := func(name string, got, want any) {
		faults = append(faults, fmt.Sprintf("%s = %v; want %v", name, got, want))
	}
	number := func(name string, got Number, want *float64) {
		value, known := got.number, got.Known()
		if known != (want != nil) || known && math.Abs(value-*want) > 0.51 {
			wanted := "none"
			if want != nil {
				wanted = fmt.Sprint(*want)
			}
			differ(name, got.JSON(), wanted)
		}
	}
	number("cost", f.Cost, w.Cost)
	number("area", f.Area, w.Area)
	number("rooms", f.Rooms, w.Rooms)
	number("bedrooms", f.Bedrooms, w.Bedrooms)
	if w.Currency != nil && f.Currency.String() != *w.Currency {
		differ("currency", f.Currency, *w.Currency)
	}
	titles := []string{}
	if json.Unmarshal(w.Title, &titles) != nil {
		titles = []string{unquote(string(w.Title))}
	}
	if !slices.Contains(titles, f.Title.String()) {
		differ("title", f.Title, titles)
	}
	for _, part := range w.Location {
		if !strings.Contains(f.Location.String(), part) {
			differ("location", f.Location, part)
		}
	}
	photo := ""
	if w.Photo != nil {
		photo = *w.Photo
	}
	if photo == "" && f.Photos.JSON() != "null" && f.Photos.JSON() != "[]" || !strings.Contains(f.Photos.JSON(), photo) {
		differ("photos", f.Photos.JSON(), photo)
	}
	return faults
}

// The share of the corpus that must be found. Nothing may be invented.
func TestMailCorpus(t *testing.T) {
	t.Parallel()
	expected, found, exact := 0, 0, 0
	for _, file := range mailFiles(t) {
		wanted := readWanted(t, file)
		listings, note, err := readMailListings(nil, []byte(readFile(t, file)))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got := map[string]*Flat{}
		for _, listing := range listings.Flats {
			listing.put("id", listingID(listing))
			f, err := blank.withMembers(listing, nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			got[f.ID.String()] = f
		}
		n := 0
		for i := range wanted {
			w := &wanted[i]
			f := got[w.idIn(got)]
			if f == nil {
				t.Logf("%s: missing %s %s", file, w.ID, w.Title)
				continue
			}
			delete(got, f.ID.String())
			n++
			faults := w.faults(f)
			if len(faults) == 0 {
				exact++
			}
			for _, fault := range faults {
				t.Logf("%s: %s: %s", file, f.ID, fault)
			}
		}
		for id, f := range got {
			t.Errorf("%s: invented %s: %s %s %s", file, id, f.Title, f.Cost.JSON(), f.URLs.JSON())
		}
		if (note == "") != (len(listings.Flats) > 0) {
			t.Errorf("%s: %d listings with note %q", file, len(listings.Flats), note)
		}
		t.Logf("%s: %d of %d", file, n, len(wanted))
		expected, found = expected+len(wanted), found+n
	}
	t.Logf("%d of %d found, %d exact", found, expected, exact)
	if found < expected || exact < found {
		t.Errorf("%d of %d found, %d exact; want all", found, expected, exact)
	}
}

// idIn returns the id of the flat that a listing is. That of an opaque link says nothing to compare with.
func (w *wantedListing) idIn(flats map[string]*Flat) string {
	for id, f := range flats {
		for _, link := range w.Links {
			if strings.Contains(f.URLs.JSON(), encodeJSON(link)) {
				return id
			}
		}
	}
	return w.ID
}

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

func countsOf(added, updated, unchanged int) string {
	return fmt.Sprintf(`{"data":{"added":%d,"updated":%d,"unchanged":%d,"gone":0}}`, added, updated, unchanged)
}

// The same mail twice changes nothing, and that of the next week tells of the price.
func TestMailAgain(t *testing.T) {
	for name, dropped := range map[string]string{"g01-de-nested": "1190", "g02-de-text": "236500",
		"g03-fr-flat-rows": "189000", "g08-us-background": "879000"} {
		s := newService(t, "[]", "[]")
		first := readFile(t, "testdata/mails/given/"+name+".eml")
		next := readFile(t, "testdata/mails/next/"+name+".eml")
		n, m := len(readWanted(t, "testdata/mails/given/"+name)), len(readWanted(t, "testdata/mails/next/"+name))
		s.want(s.sendMail(first), 200, countsOf(n, 0, 0))
		before := s.ask("GET", "/api/v1/flats", "").body
		s.want(s.sendMail(first), 200, countsOf(0, 0, n))
		if after := s.ask("GET", "/api/v1/flats", "").body; after != before {
			t.Errorf("%s: the same mail changed\n%s\nto\n%s", name, before, after)
		}
		s.want(s.sendMail(next), 200, countsOf(0, 1, m-1))
		got := s.ask("GET", "/api/v1/flats?filter[cost]="+dropped, "")
		if strings.Count(got.body, `"cost_history":[{`) != 1 {
			t.Errorf("%s: the flats with the new price are %s", name, got.body)
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
	s.want(s.sendMail(mailOf(card)), 200, countsOf(0, 1, 0))
	got := s.ask("GET", "/api/v1/flats/1@other", "").body
	for path, want := range map[string]string{"title": `"Mine"`, "cost": "850", "area": "50", "rooms": "3", "gone": "null",
		"status": `"followed"`, "location": `"12 High Street, Galway"`, "date": `"2026-01-01"`} {
		var object struct{ Data members }
		json.Unmarshal([]byte(got), &object)
		if text := cmp.Or(string(object.Data[path]), "null"); text != want {
			t.Errorf("%s = %s; want %s", path, text, want)
		}
	}
	s.want(s.sendMail(mailOf(card)), 200, countsOf(0, 0, 1))
}

// A new flat says which mail it comes from, a known one keeps its details.
func TestMailOrigin(t *testing.T) {
	card := func(n int) string {
		return cardOf(fmt.Sprintf("https://portal.example/expose/4812%d", n), "https://img.portal.example/1.jpg",
			"Sunny flat by the park", "€850 per month", "3 rooms · 72 m²", "12 High Street, Galway")
	}
	forwarded := "<p>---------- Forwarded message ----------<br>From: Finder &lt;a@finder.example&gt;</p>"
	for i, test := range []struct{ from, date, body, want string }{
		{"LetFinder <news@portal.example>", "Mon, 14 Sep 2026 06:13:00 +0200", "",
			`{"mail":{"date":"2026-09-14T06:13:00+02:00","from":"LetFinder"}}`},
		{"=?utf-8?q?B=C3=BCro?= <news@portal.example>", "", "", `{"mail":{"from":"Büro"}}`},
		{`"Let, Finder" <news@portal.example>`, "", "", `{"mail":{"from":"Let, Finder"}}`},
		{"news@portal.example", "", "", `{"mail":{"from":"portal.example"}}`},
		{"Me <me@home.example>", "", forwarded, `{"mail":{"from":"finder.example"}}`},
	} {
		known := fmt.Sprintf(`[{"id":"known","urls":["https://portal.example/expose/4812%d"]}]`, 10+i)
		s := newService(t, known, "[]")
		text := fmt.Sprintf("From: %s\nDate: %s\nSubject: 2 new flats to rent\nContent-Type: text/html\n\n%s",
			test.from, test.date, test.body+card(10+i)+card(20+i))
		s.want(s.sendMail(text), 200, countsOf(1, 1, 0))
		var flats struct {
			Data []struct {
				ID      string
				Details json.RawMessage
			}
		}
		json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats", "").body), &flats)
		for _, f := range flats.Data {
			want := test.want
			if f.ID == "known" {
				want = "{}"
			}
			if got := strings.ReplaceAll(string(f.Details), "null", "{}"); got != want {
				t.Errorf("From: %s: the details of %s are %s; want %s", test.from, f.ID, got, want)
			}
		}
	}
}

// What is no mail is refused, and a mail without listings says why.
func TestMailRefused(t *testing.T) {
	s := newService(t, "[]", "[]")
	const noMail = "Nothing was imported: want a mail, which begins with a header field such as From or Date."
	for _, text := range []string{"", `[{"id":1}]`, "{\"data\": []}", "hello\n\nworld", "https://portal.example/1"} {
		s.refuse(s.sendMail(text), 400, noMail)
	}
	s.refuse(s.sendMail("From: a@b.example\nX: "+strings.Repeat("x", maxMailHeader)+"\n\n"), 400,
		"Nothing was imported: the header of the mail has more than 256 KiB.")
	s.refuse(s.ask("POST", "/api/v1/import?complete=portal.example", mailOf("x"), "Content-Type", rfc822), 400,
		"Invalid complete provided: a mail tells what is new, never all that a site has.")
	s.refuse(s.sendMail(mailOf(strings.Repeat("x", maxMail))), 413, "A mail may have at most 33554432 bytes.")
	s.want(s.sendMail(mailOf("<p>Hello</p>")), 200, countsOf(0, 0, 0))
	var imports struct {
		Data []struct {
			Error *string
			Note  string
		}
	}
	json.Unmarshal([]byte(s.ask("GET", "/api/v1/imports", "").body), &imports)
	if first := imports.Data[0]; first.Error != nil || !strings.Contains(first.Note, `"1 new flat to rent"`) {
		t.Errorf("the import of a mail without listings is %v", first)
	}
	if second := imports.Data[1]; second.Error == nil || second.Note != "" {
		t.Errorf("the import of a large mail is %v", second)
	}
}

// A mail is read in any encoding, however deep it is in other parts.
func TestMailDecoding(t *testing.T) {
	card := cardOf("https://portal.example/expose/48120", "https://img.portal.example/1.jpg", "Größe zählt: Altbau",
		"850 €", "3 Zimmer · 72 m²", "Mühlgraben 8, 06484 Quedlinburg")
	latin := strings.NewReplacer("ö", "\xf6", "ß", "\xdf", "ä", "\xe4", "ü", "\xfc", "²", "\xb2", "·", "\xb7",
		"€", "&euro;").Replace(card)
	latin9 := strings.ReplaceAll(latin, "&euro;", "\xa4")
	windows := strings.ReplaceAll(latin, "&euro;", "\x80")
	encoded := base64.StdEncoding.EncodeToString([]byte(card))
	head := "From: a@portal.example\nSubject: =?iso-8859-1?Q?Gr=F6=DFe?=\nDate: Mon, 14 Sep 2026 06:13:00 +0200\n"
	html := func(charset, encoding, body string) string {
		return "Content-Type: text/html; charset=" + charset + "\nContent-Transfer-Encoding: " + encoding + "\n\n" + body
	}
	part := func(kind, body string) string {
		return "Content-Type: multipart/" + kind + "; boundary=\"b " + kind + "\"\n\nignored\n--b " + kind + "\n" + body +
			"\n--b " + kind + "--\nignored"
	}
	for name, text := range map[string]string{
		"UTF-8":                     head + html("utf-8", "8bit", card),
		"ISO-8859-1":                head + html("iso-8859-1", "8bit", latin),
		"ISO-8859-15":               head + html("iso-8859-15", "8bit", latin9),
		"windows-1252":              head + html("windows-1252", "8bit", windows),
		"windows-1252 that is none": head + html("utf-8", "8bit", windows),
		"UTF-8 that is none":        head + html("us-ascii", "8bit", card),
		"an unknown charset":        head + html("koi8-r", "8bit", card),
		"a digest, whose parts are mails": "From: me@a.example\n" + part("digest",
			"\n"+head+html("utf-8", "8bit", card)),
		"a type with a comment":        head + "Content-Type: text/html (the \"body\"); charset=\"utf-8\"\n\n" + card,
		"an encoding with a comment":   head + html("utf-8", "(soft) Base64 (of (all) lines)", encoded),
		"an encoding with a parameter": head + html("utf-8", "base64; x=1", encoded),
		"quoted-printable": head + html("utf-8", "quoted-printable",
			strings.NewReplacer("=", "=3D", "ö", "=C3=B6", "<h3>", "=\r\n<h3>").Replace(card)),
		"quoted-printable with control characters": head + html("utf-8", "quoted-printable", "\f\x00\x1b"+
			strings.ReplaceAll(card, "=", "=3d")),
		"base64":           head + html("utf-8", "base64", encoded),
		"base64 in lines":  head + html("utf-8", "Base64", encoded[:40]+"\r\n "+encoded[40:]+"\r\n"),
		"an mbox":          "From a@portal.example Mon Sep 14\n" + head + html("utf-8", "8bit", card),
		"lines with CR LF": strings.ReplaceAll(head+html("utf-8", "8bit", card), "\n", "\r\n"),
		"parts":            head + part("mixed", part("related", part("alternative", html("utf-8", "8bit", card)))),
		"a part without an end": head + strings.TrimSuffix(part("mixed", html("utf-8", "8bit", card)),
			"\n--b mixed--\nignored"),
		"an attached mail": "From: me@a.example\n" + part("mixed",
			"Content-Type: message/rfc822\n\n"+head+html("utf-8", "8bit", card)),
		"a mail without a date":  "Subject: Größe\n" + html("utf-8", "8bit", card),
		"a folded header":        "Subject: a\n b\nFrom:\n a@portal.example\n" + html("utf-8", "8bit", card),
		"a header with a defect": "From: a@portal.example\nno field\n" + html("utf-8", "8bit", card),
	} {
		t.Run(name, func(t *testing.T) {
			listings, note, err := readMailListings(nil, []byte(text))
			if err != nil || len(listings.Flats) != 1 {
				t.Fatalf("%d listings, %q, %v", len(listings.Flats), note, err)
			}
			for name, want := range map[string]string{"title": `"Größe zählt: Altbau"`, "cost": "850", "area": "72",
				"currency": `"EUR"`, "location": `"Mühlgraben 8, 06484 Quedlinburg"`} {
				if got := string(listings.Flats[0][name]); got != want {
					t.Errorf("%s = %s; want %s", name, got, want)
				}
			}
		})
	}
}

// A text is read in the charset that the mail tells.
func TestMailCharsets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ charset, text, want string }{
		{"ISO-8859-2", "\xa3\xf3d\xbc, \xb1\xea", "Łódź, ąę"},
		{"latin2", "P\xf8\xedbram", "Příbram"},
		{"windows-1250", "\x8eatec, \x80 \x8a\xb9", "Žatec, € Šą"},
		{"iso-8859-5", "\xba\xd2\xd0\xe0\xe2\xd8\xe0\xd0", "Квартира"},
		{"windows-1251", "\xca\xe8\xbf\xe2", "Київ"},
		{"KOI8-R", "\xcb\xd7\xc1\xd2\xd4\xc9\xd2\xc1", "квартира"},
		{"koi8-u", "\xeb\xc9\xa7\xd7", "Київ"},
		{"iso-8859-7", "\xc1\xe8\xde\xed\xe1, 520 \xa4", "Αθήνα, 520 €"},
		{"windows-1253", "\xc1\xe8\xde\xed\xe1, 520 \x80", "Αθήνα, 520 €"},
		{"iso-8859-9", "kiral\xfdk, \xdei\xfeli", "kiralık, Şişli"},
		{"windows-1254", "kiral\xfdk, 5 \x80", "kiralık, 5 €"},
		{"iso-8859-15", "5 \xa4, c\xbdur", "5 €, cœur"},
		{"iso-8859-1", "5 \x80, caf\xe9\xa0x", "5 €, café\u00a0x"},
		{"windows-1250", "a\xa0b\xadc", "a\u00a0b\u00adc"},
		{"utf-8", "caf\xe9", "café"},
		{"koi8-r", "Київ", "Київ"},
	} {
		if got := decodeCharset([]byte(test.text), test.charset); got != test.want {
			t.Errorf("%s: %q; want %q", test.charset, got, test.want)
		}
	}
}

// hostileMails are mails that are made to cost much.
func hostileMails(n int) map[string]string {
	head := "From: a@portal.example\nContent-Type: "
	html := head + "text/html\n\n"
	card := func(i int) string {
		return cardOf(fmt.Sprintf("https://portal.example/expose/%d", 100000+i), "https://img.portal.example/1.jpg",
			"Flat to rent", fmt.Sprintf("€%d", 500+i), "3 rooms · 72 m²", "12 High Street, Galway")
	}
	var cards, parts, bodies, deep strings.Builder
	for i := range n / 250 {
		cards.WriteString(card(i))
	}
	for range n / 64 {
		parts.WriteString("--b\nContent-Type: text/html\n\n<p>850 €, 72 m²\n")
	}
	for range 160 {
		bodies.WriteString("--b\nContent-Type: text/html\n\n" + strings.Repeat("<p>€1,000", n/160/11) + "\n")
	}
	for i := range n / 64 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	return map[string]string{
		"nested tables": html + strings.Repeat("<table><tr><td>", n/15) + "850 €",
		"texts between cells": html + strings.Repeat("<table><td><a href=0>0<td><a href=0>0<tr><td>0€<td>0€<tr>0<td>0",
			n/70),
		"tables without ends":   html + strings.Repeat("<table>", n/7),
		"ends of nothing":       html + strings.Repeat("</div>", n/6),
		"ends in deep elements": html + strings.Repeat("<i>", 255) + strings.Repeat("</b>", n/4),
		"an attribute":          html + `<a href="` + strings.Repeat("x", n) + `">850 €</a>`,
		"open quotes":           html + strings.Repeat(`<a href="`, n/9),
		"open comments":         html + strings.Repeat("<!--", n/4),
		"open tags":             html + strings.Repeat("<", n),
		"open scripts":          html + strings.Repeat("<script>", n/8),
		"entities":              html + strings.Repeat("&amp", n/4),
		"base64":                head + "text/html\nContent-Transfer-Encoding: base64\n\n" + strings.Repeat("PGI+", n/4),
		"quoted-printable":      head + "text/html\nContent-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("=", n),
		"parts":                 head + "multipart/mixed; boundary=b\n\n" + parts.String(),
		"bodies":                head + "multipart/mixed; boundary=b\n\n" + bodies.String(),
		"deep parts":            "From: a@portal.example\n" + deep.String(),
		"mails in mails":        "From: a@b.example\n" + strings.Repeat("Content-Type: message/rfc822\n\n", n/32),
		"cards":                 html + cards.String(),
		"a price":               html + "<p>€" + strings.Repeat("1", n) + "</p>",
		"prices":                html + strings.Repeat("<p>€1,000 ", n/10),
		"labels":                html + strings.Repeat("<p>Miete<p>Zimmer", n/17),
		"equal gaps":            html + "<p>850 €<p>72 m²" + strings.Repeat("<p>b", n/4) + "<p>900 €",
		"links":                 html + strings.Repeat(`<a href="https://t.example/?u=https%3A%2F%2Fa.example">x</a>`, n/60),
		"columns": html + "<table>" + strings.Repeat("<tr><td>850 €<td>9 €<tr><td><a href=x>x<td><a href=x>y",
			n/50),
		"cells in cells": html + strings.Repeat("<table><tr><td>850 €", n/20),
		"a line":         html + strings.Repeat("72 m² ", n/7),
		"plain links":    head + "text/plain\n\n" + strings.Repeat("https://a.example/1 ", n/20),
		"plain lines":    head + "text/plain\n\n" + strings.Repeat("850 €\n", n/6),
		"binary":         html + strings.Repeat("\x00\xff<\x80", n/4),
		"addresses":      html + strings.Repeat("<p>Am Weg 5, 12345 Ort", n/22),
		"a subject":      "Subject: " + strings.Repeat("=?utf-8?Q?x?= ", maxMailHeader/16) + "\n\nx",
		"a folded field": "Subject: x\n" + strings.Repeat(" a\n", min(n, maxMailHeader-99)/3) + "\nx",
		"folded parts": head + "multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\nContent-Type: text/html\n"+
			strings.Repeat(" a\n", n/16)+"\nx\n", 4),
		"parameters": head + "text/html" + strings.Repeat(`; a="\""`, min(n, maxMailHeader-99)/8) + "\n\nx",
		"comments":   head + "text/html " + strings.Repeat("(", min(n, maxMailHeader-99)) + "\n\nx",
		"senders":    "From: " + strings.Repeat("a <a@b.example>, ", min(n, maxMailHeader-99)/17) + "\n\nx",
	}
}

// The work and the memory for a mail grow as its text, whatever that holds.
func TestHostileMails(t *testing.T) {
	size := 1 << 11
	if *whole {
		size = 1 << 14
	}
	small, large := hostileMails(size), hostileMails(4*size)
	read := func(text string) (steps int, allocated uint64) {
		work := newTask(t.Context(), newTurns())
		allocated = allocatedBy(func() {
			if _, _, err := readMailListings(work, []byte(text)); err != nil {
				t.Error(err)
			}
		})
		work.pause()
		return work.total, allocated
	}
	for name, text := range large {
		steps, allocated := read(small[name])
		fourSteps, fourAllocated := read(text)
		if fourSteps > 5*steps+16*size {
			t.Errorf("%s: %d steps for four times the text of %d", name, fourSteps, steps)
		}
		if fourAllocated > 6*allocated+1<<18 {
			t.Errorf("%s: %d bytes for four times the text of %d", name, fourAllocated, allocated)
		}
	}
}

// A fuzzed mail has at most the listings of a mail, each with a link of it, and none of its text is markup of ours.
func FuzzMail(f *testing.F) {
	for i, file := range mailFiles(f) {
		if *whole || i%8 == 0 { // TestMailCorpus reads all of them
			f.Add([]byte(readFile(f, file)))
		}
	}
	for _, text := range hostileMails(1 << 10) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		listings, note, err := readMailListings(nil, text)
		if err != nil {
			if isMail(text) && len(text) < maxMailHeader {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		isSaid := note == "" || len(listings.Flats) == 0 || strings.Contains(note, "left out")
		if len(listings.Flats) > maxMailListings || note == "" && len(listings.Flats) == 0 || !isSaid {
			t.Errorf("%d listings, %q", len(listings.Flats), note)
		}
		seen := map[string]bool{}
		for _, listing := range listings.Flats {
			if id := listingID(listing); seen[id] || id == "" {
				t.Errorf("the id %q is there twice or empty", id)
			} else {
				seen[id] = true
			}
			var urls []string
			if json.Unmarshal(listing["urls"], &urls) != nil || len(urls) != 1 || linkKey(urls[0]) == "" {
				t.Errorf("the urls are %s", listing["urls"])
			}
			if !bytes.Contains(listing["title"], []byte(`"`)) || len(listing["title"]) < 3 {
				t.Errorf("the title is %s", listing["title"])
			}
		}
	})
}

// Mails in the import folder are imported. What is none becomes rejected, and a mail without listings tells why.
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
		"a.eml": readFile(t, "testdata/mails/given/g01-de-nested.eml"),
		"b.EML": mailOf("<p>Hello</p>"),
		"c.eml": `[{"id":1}]`,
	} {
		os.Chtimes(writeFile(t, folder, name, text), old, old)
	}
	importer := newImporter(store)
	if err := newWatcher(importer, folder, maxFile).scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(folder + "/*")
	if len(left) != 1 || filepath.Base(left[0]) != "c.eml.rejected" || len(listed(store)) != 3 {
		t.Errorf("%s are left, and the flats are %s", left, listed(store))
	}
	outcomes := importer.Outcomes()
	if outcomes[0].Error == nil || outcomes[1].Note == "" || outcomes[1].Error != nil || outcomes[2].Added != 3 {
		t.Errorf("the imports are %s", encodeJSON(outcomes))
	}
}

// flats import hands a mail to the service as it is.
func TestMailCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mail := readFile(t, "testdata/mails/given/g02-de-text.eml")
	for _, test := range []struct {
		args, input, want string
		places            bool
	}{
		{writeFile(t, dir, "a.EML", mail), "", "listings handed to the service in import: 2\n", true},
		{"-", mail, "listings handed to the service in import: 2\n", true},
		{"-", "From a@b.example\n" + mail, "listings handed to the service in import: 2\n", true},
		{writeFile(t, dir, "b.eml", "[]"), "", "want a mail", false},
		{"-complete x -", mail, "-complete: a mail tells what is new", false},
	} {
		cmd := command(dir, append([]string{"import"}, strings.Fields(test.args)...)...)
		cmd.Stdin = strings.NewReader(test.input)
		out, _ := cmd.CombinedOutput()
		if !strings.Contains(string(out), test.want) {
			t.Errorf("flats import %s: %s; want %s", test.args, out, test.want)
		}
		placed, _ := filepath.Glob(filepath.Join(dir, "import", "*.eml"))
		if (len(placed) == 1) != test.places {
			t.Errorf("flats import %s placed %s", test.args, placed)
		}
		os.RemoveAll(filepath.Join(dir, "import"))
	}
}
