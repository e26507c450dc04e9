// Tests of message.go, cards.go and what reads mails with them.

package listing

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"flats/internal/turns"
)

// A wantedListing is what a file of testdata/mails says about a listing. It may allow several titles.
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
	name := strings.TrimSuffix(file, ".eml") + ".json"
	if _, err := os.Stat(name); err != nil && *update {
		writeWanted(t, name, file)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v: write it with -update, and correct it", err)
	}
	var wanted struct{ Listings []wantedListing }
	if err := json.Unmarshal(text, &wanted); err != nil {
		t.Fatal(err)
	}
	return wanted.Listings
}

// writeWanted writes what is read from a mail in the form of readWanted, to be corrected by hand.
func writeWanted(t testing.TB, name, file string) {
	listings, _ := readMails(t, file)
	wanted := make([]map[string]any, len(listings))
	for i, listing := range listings {
		home := map[string]any{"links": listing["urls"], "location": []json.RawMessage{}, "photo": nil}
		for _, member := range strings.Fields("title cost currency area rooms bedrooms") {
			home[member] = listing[member]
		}
		if place, ok := listing["location"]; ok {
			home["location"] = []json.RawMessage{place}
		}
		var photos []struct{ URL string }
		if json.Unmarshal(listing["photos"], &photos) == nil && len(photos) > 0 {
			home["photo"] = photos[0].URL
		}
		wanted[i] = home
	}
	text, err := json.MarshalIndent(map[string]any{"shape": "", "listings": wanted}, "", " ")
	if err == nil {
		err = os.WriteFile(name, append(text, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func mailFiles(t testing.TB) []string {
	files, err := filepath.Glob("testdata/mails/*/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal("no mails", err)
	}
	return files
}

// faults returns how a listing differs from the wanted one.
func (w *wantedListing) faults(f *readHome) (faults []string) {
	differ := func(name string, got, want any) {
		faults = append(faults, fmt.Sprintf("%s = %v; want %v", name, got, want))
	}
	number := func(name string, got float64, want *float64) {
		switch {
		case want == nil && got != 0:
			differ(name, got, "none")
		case want != nil && got != *want:
			differ(name, got, *want)
		}
	}
	number("cost", f.Cost, w.Cost)
	number("area", f.Area, w.Area)
	number("rooms", f.Rooms, w.Rooms)
	number("bedrooms", f.Bedrooms, w.Bedrooms)
	if w.Currency != nil && f.Currency != *w.Currency {
		differ("currency", f.Currency, *w.Currency)
	}
	titles := []string{}
	if json.Unmarshal(w.Title, &titles) != nil {
		titles = []string{""}
		json.Unmarshal(w.Title, &titles[0])
	}
	if !slices.Contains(titles, f.Title) {
		differ("title", f.Title, titles)
	}
	for _, part := range w.Location {
		if !strings.Contains(f.Location, part) {
			differ("location", f.Location, part)
		}
	}
	photo := ""
	if w.Photo != nil {
		photo = *w.Photo
	}
	if photo == "" && f.Photos != nil || !strings.Contains(string(f.Photos), photo) {
		differ("photos", string(f.Photos), photo)
	}
	return faults
}

// testRules accept all listings. Their words have no accents to fold.
var testRules = &MailRules{
	Accept: func(listing map[string]json.RawMessage) (map[string]json.RawMessage, string) {
		var id string
		if json.Unmarshal(listing["id"], &id) != nil {
			id = LinkID(LinksOf(listing["urls"])[0])
		}
		return listing, id
	},
	Fold: func(texts ...string) string {
		isBetween := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
		return strings.Join(strings.FieldsFunc(strings.ToLower(strings.Join(texts, " ")), isBetween), " ")
	},
}

// A readHome is a listing of a mail as tests compare it.
type readHome struct {
	id                          string
	Title, Location, Currency   string
	Cost, Area, Rooms, Bedrooms float64
	URLs, Photos, Details       json.RawMessage
}

// homesIn returns listings by their ids.
func homesIn(t testing.TB, listings []map[string]json.RawMessage) map[string]*readHome {
	t.Helper()
	homes := map[string]*readHome{}
	for _, listing := range listings {
		h := &readHome{}
		if err := json.Unmarshal(jsonText(listing), h); err != nil {
			t.Fatal(err)
		}
		_, h.id = testRules.Accept(listing)
		homes[h.id] = h
	}
	return homes
}

// readMails returns the listings and the notes of all mails in a file, which is mostly one mail.
func readMails(t testing.TB, file string) (listings []map[string]json.RawMessage, notes string) {
	t.Helper()
	for mail := range SplitMails([]byte(readFile(t, file))) {
		found, note, err := ReadMail(nil, mail, testRules)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		listings = append(listings, found...)
		notes += note
	}
	return listings, notes
}

// All listings of the mails in testdata/mails are found as their files say, and no others.
func TestMailCorpus(t *testing.T) {
	t.Parallel()
	expected, found, exact := 0, 0, 0
	for _, file := range mailFiles(t) {
		wanted := readWanted(t, file)
		listings, note := readMails(t, file)
		got := homesIn(t, listings)
		n := 0
		for i := range wanted {
			w := &wanted[i]
			f := got[w.idIn(got)]
			if f == nil {
				t.Logf("%s: missing %s %s", file, w.ID, w.Title)
				continue
			}
			delete(got, f.id)
			n++
			faults := w.faults(f)
			if len(faults) == 0 {
				exact++
			}
			for _, fault := range faults {
				t.Logf("%s: %s: %s", file, f.id, fault)
			}
		}
		for id, f := range got {
			t.Errorf("%s: invented %s: %s %v %s", file, id, f.Title, f.Cost, f.URLs)
		}
		if (note == "") != (len(listings) > 0) {
			t.Errorf("%s: %d listings with note %q", file, len(listings), note)
		}
		t.Logf("%s: %d of %d", file, n, len(wanted))
		expected, found = expected+len(wanted), found+n
	}
	t.Logf("%d of %d found, %d exact", found, expected, exact)
	if found < expected || exact < found {
		t.Errorf("%d of %d found, %d exact; want all", found, expected, exact)
	}
}

// idIn returns the id of the home that is the wanted listing. If the link is opaque, its id is not known, so that a
// link of the home tells it.
func (w *wantedListing) idIn(homes map[string]*readHome) string {
	for id, f := range homes {
		for _, link := range w.Links {
			if strings.Contains(string(f.URLs), string(jsonText(link))) {
				return id
			}
		}
	}
	return w.ID
}

// A mail is read in any encoding, at any depth of parts.
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
			listings, note, err := ReadMail(nil, []byte(text), testRules)
			if err != nil || len(listings) != 1 {
				t.Fatalf("%d listings, %q, %v", len(listings), note, err)
			}
			for name, want := range map[string]string{"title": `"Größe zählt: Altbau"`, "cost": "850", "area": "72",
				"currency": `"EUR"`, "location": `"Mühlgraben 8, 06484 Quedlinburg"`} {
				if got := string(listings[0][name]); got != want {
					t.Errorf("%s = %s; want %s", name, got, want)
				}
			}
		})
	}
}

// hostileMails returns mails, by name, whose reading would take long without bounds.
func hostileMails(n int) map[string]string {
	const longHeader = 256 << 10
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
		"equal closeness":       html + "<p>850 €<p>72 m²" + strings.Repeat("<p>b", n/4) + "<p>900 €",
		"links":                 html + strings.Repeat(`<a href="https://t.example/?u=https%3A%2F%2Fa.example">x</a>`, n/60),
		"columns": html + "<table>" + strings.Repeat("<tr><td>850 €<td>9 €<tr><td><a href=x>x<td><a href=x>y",
			n/50),
		"cells in cells": html + strings.Repeat("<table><tr><td>850 €", n/20),
		"a line":         html + strings.Repeat("72 m² ", n/7),
		"flowed lines":   head + "text/plain; format=flowed; delsp=yes\n\n" + strings.Repeat("> 850 € \n", n/10),
		"flowed quotes":  head + "text/plain; format=flowed\n\n" + strings.Repeat(strings.Repeat(">", 200)+"\n\n", n/202),
		"open meta":      html + strings.Repeat("<meta <!--", n/10),
		"unnamed mails": head + "multipart/mixed; boundary=b\n\n" +
			strings.Repeat("--b\nContent-Type: a/b\n\nFrom: a\n", n/34),
		"plain links": head + "text/plain\n\n" + strings.Repeat("https://a.example/1 ", n/20),
		"plain lines": head + "text/plain\n\n" + strings.Repeat("850 €\n", n/6),
		"long lines": html + strings.Repeat("<p><a href=https://a.example/1>x</a>"+strings.Repeat(" | 850 € | 72 m²", 9),
			n/200),
		"long plain lines": head + "text/plain\n\n" + strings.Repeat("https://a.example/1"+
			strings.Repeat(" | 850 € | 72 m²", 9)+"\n", n/180),
		"titles": "Subject: Neue Treffer: Mietwohnungen\n" + html + strings.Repeat("<p><a href=https://a.example/1>Am Park"+
			"</a><p>850 €", n/60),
		"quotes": "Subject: Neue Treffer\n" + html + strings.Repeat("<p>Suche „1 Wohnung“", n/24) + "<p>850 €",
		"tokens": html + strings.Repeat(`<a href="https://t.example/?u=eyJhIjp7fX0.eyJhIjp7fX0">x</a>`, n/70),
		"titles in two parts": head + "multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n" +
			strings.Repeat("Flat to rent\nhttps://a.example/12345\n", n/80) + "--b\nContent-Type: text/html\n\n" +
			strings.ReplaceAll(cards.String(), "https://portal", "https://click.portal"),
		"binary":         html + strings.Repeat("\x00\xff<\x80", n/4),
		"addresses":      html + strings.Repeat("<p>Am Weg 5, 12345 Ort", n/22),
		"a subject":      "Subject: " + strings.Repeat("=?utf-8?Q?x?= ", longHeader/16) + "\n\nx",
		"a folded field": "Subject: x\n" + strings.Repeat(" a\n", min(n, longHeader-99)/3) + "\nx",
		"folded parts": head + "multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\nContent-Type: text/html\n"+
			strings.Repeat(" a\n", n/16)+"\nx\n", 4),
		"parameters": head + "text/html" + strings.Repeat(`; a="\""`, min(n, longHeader-99)/8) + "\n\nx",
		"comments":   head + "text/html " + strings.Repeat("(", min(n, longHeader-99)) + "\n\nx",
		"senders":    "From: " + strings.Repeat("a <a@b.example>, ", min(n, longHeader-99)/17) + "\n\nx",
	}
}

// The work and the memory for a mail grow with the length of its text, whatever that is.
func TestHostileMails(t *testing.T) {
	size := 1 << 11
	if *whole {
		size = 1 << 14
	}
	small, large := hostileMails(size), hostileMails(4*size)
	read := func(text string) (steps int, allocated uint64) {
		work := turns.NewTask(t.Context(), turns.NewQueue())
		allocated = allocatedBy(func() {
			if _, _, err := ReadMail(work, []byte(text), testRules); err != nil {
				t.Error(err)
			}
		})
		work.Pause()
		return work.Steps(), allocated
	}
	for name, text := range large {
		steps, allocated := read(small[name])
		stepsOfLarge, allocatedForLarge := read(text)
		// Linear is four times as much. What is added allows for what each mail takes, however small it is.
		if stepsOfLarge > 5*steps+16*size {
			t.Errorf("%s: %d steps for four times the text of %d", name, stepsOfLarge, steps)
		}
		if allocatedForLarge > 6*allocated+1<<18 {
			t.Errorf("%s: %d bytes for four times the text of %d", name, allocatedForLarge, allocated)
		}
	}
}

// A mail brings at most maxMailListings listings with different ids, each with one link and a title. If it brings none,
// a note says why.
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
		listings, note, err := ReadMail(nil, text, testRules)
		if err != nil {
			if IsMail(text) && len(text) < maxMailHeader {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		isSaid := note == "" || len(listings) == 0 || strings.Contains(note, "left out")
		if len(listings) > maxMailListings || note == "" && len(listings) == 0 || !isSaid {
			t.Errorf("%d listings, %q", len(listings), note)
		}
		seen := map[string]bool{}
		for _, listing := range listings {
			if _, id := testRules.Accept(listing); seen[id] || id == "" {
				t.Errorf("the id %q is there twice or empty", id)
			} else {
				seen[id] = true
			}
			var urls []string
			if json.Unmarshal(listing["urls"], &urls) != nil || len(urls) != 1 || LinkKey(urls[0]) == "" {
				t.Errorf("the urls are %s", listing["urls"])
			}
			if !bytes.Contains(listing["title"], []byte(`"`)) || len(listing["title"]) < 3 {
				t.Errorf("the title is %s", listing["title"])
			}
		}
	})
}
