// Tests of the bounds of a mail as a whole, and of what goes on while one is read.

package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A mail of many bodies has no more lines and text than one body may have, and a mail in a mail adds none.
func TestMailBodies(t *testing.T) {
	t.Parallel()
	const bodies = 3
	steps := func(bodies int, kind, mail, line string) int {
		lines := strings.Repeat(line+"\n", min(maxLeaves, maxMailBody/(len(line)+1)))
		part := "--b\nContent-Type: " + mail + kind + "\n\n" + lines + "\n"
		work := newTask(t.Context(), newTurns())
		defer work.pause()
		text := "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat(part, bodies)
		if _, _, err := readMailListings(work, []byte(text)); err != nil {
			t.Fatal(err)
		}
		return work.total
	}
	cases := []struct{ kind, line string }{{"text/html", "<p>b"}, {"text/plain", "b"}}
	if *whole {
		cases = append(cases, struct{ kind, line string }{"text/html", "<p>" + strings.Repeat("b", 480)})
	}
	for _, c := range cases {
		one := steps(1, c.kind, "", c.line)
		for _, mail := range []string{"", "message/rfc822\n\nContent-Type: "} {
			if many := steps(bodies, c.kind, mail, c.line); many > 2*one {
				t.Errorf("%s %q: %d steps for %d bodies, %d for one", c.kind, mail, many, bodies, one)
			}
		}
	}
}

// What is beyond the lines with numbers that a mail may have costs next to nothing, and all listings that a mail may
// have are within them.
func TestMailNumbers(t *testing.T) {
	t.Parallel()
	card := func(i int) string {
		return cardOf(fmt.Sprintf("https://portal.example/expose/%d", 1000000+i), "https://img.portal.example/1.jpg",
			"Sunny flat by the park", fmt.Sprintf("€%d per month", 800+i), "3 rooms · 72 m²", "12 High Street, Galway")
	}
	table := func(i int) string { return fmt.Sprintf("<table><tr><td>%d €", 800+i) }
	for name, one := range map[string]func(i int) string{"cards": card, "tables in tables": table} {
		read := func(count int) (steps, found int) {
			var body strings.Builder
			for i := range count {
				body.WriteString(one(i))
			}
			work := newTask(t.Context(), newTurns())
			defer work.pause()
			listings, _, err := readMailListings(work, []byte(mailOf(body.String())))
			if err != nil {
				t.Fatal(err)
			}
			return work.total, len(listings.Flats)
		}
		few, found := read(maxFactLines)
		many, _ := read(3 * maxFactLines)
		if many > few+few/2 {
			t.Errorf("%d steps for %d %s, %d for three times as many", few, maxFactLines, name, many)
		}
		if name == "cards" && found != maxMailListings {
			t.Errorf("%d listings of %d cards; want %d", found, maxFactLines, maxMailListings)
		}
	}
}

// Two homes of a mail that differ in their costs alone are two, whatever their order, and the next mail finds both.
// What says the same as another one is left out, and the note says so.
func TestMailTwins(t *testing.T) {
	card := func(link, photo, cost string) string {
		return cardOf("https://click.portal.example/ls/"+link, "https://img.portal.example/"+photo,
			"2-Zimmer-Neubauwohnung", "Kaltmiete: "+cost+" €", "50 m² · 2 Zimmer", "Lindenweg 5, 99084 Erfurt")
	}
	const one, other = "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9v", "zY8xW6vU4tS2rQ0pN8mL6kJ4hG2f"
	const third = "qW2eR4tZ6uI8oP0aS1dF3gH5jK7l"
	s := newService(t, "[]", "[]")
	note := func() string {
		list := s.importer.Outcomes()
		return list[0].Note
	}
	s.want(s.sendMail(mailOf(card(one, "1.jpg", "900")+card(other, "2.jpg", "950"))), 200, countsOf(2, 0, 0))
	if got := note(); got != "" {
		t.Errorf("the note is %q", got)
	}
	before := s.ask("GET", "/api/v1/flats?sort=id", "").body
	for _, cards := range []string{
		card(other, "2.jpg", "950") + card(one, "1.jpg", "900"),
		card(third, "1.jpg", "900") + card(one, "2.jpg", "950"),
		card(one, "1.jpg", "900") + card(one, "1.jpg", "900") + card(other, "2.jpg", "950") + card(other, "2.jpg", "950"),
	} {
		s.want(s.sendMail(mailOf(cards)), 200, countsOf(0, 0, 2))
		if after := s.ask("GET", "/api/v1/flats?sort=id", "").body; after != before {
			t.Errorf("%s\nis after %s\n%s", before, cards, after)
		}
	}
	s.want(s.sendMail(mailOf(card(one, "1.jpg", "900")+card(other, "2.jpg", "930"))), 200, countsOf(0, 1, 1))
	s.want(s.sendMail(mailOf(card(one, "1.jpg", "900")+card(other, "3.jpg", "900")+card(third, "2.jpg", "930"))), 200,
		countsOf(0, 0, 2))
	const want = `Of the mail "1 new flat to rent" a listing was left out that says the same as another one.`
	if got := note(); got != want {
		t.Errorf("the note is %q; want %q", got, want)
	}
}

// While a mail is read, other imports go on, and other mails wait.
func TestMailBeside(t *testing.T) {
	s := newService(t, "[]", "[]")
	<-s.importer.readingMail
	if a := s.ask("POST", "/api/v1/import", `[{"id":1}]`); a.status != 200 {
		t.Errorf("an import beside a mail: %d %s", a.status, a.body)
	}
	answered := make(chan int)
	mail := func() {
		answered <- s.ask("POST", "/api/v1/import", mailOf("<p>Hello</p>"), "Content-Type", rfc822).status
	}
	go mail()
	select {
	case status := <-answered:
		t.Errorf("a mail beside a mail: %d", status)
	case <-time.After(20 * time.Millisecond):
	}
	s.importer.readingMail.release()
	if status := <-answered; status != 200 {
		t.Errorf("a mail after a mail: %d", status)
	}
}

// A mail whose client has gone is not read to its end, unless that takes less than a second.
func TestMailClientGone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	const slow = "<p>€1,000 · 3 rooms · 72 m² · 12 High Street, Galway"
	for text, want := range map[string]int{mailOf("<p>Hello"): 200, mailOf(strings.Repeat(slow, maxLeaves)): 400} {
		s := newService(t, "[]", "[]")
		r := httptest.NewRequest("POST", "http://flats.example/api/v1/import", strings.NewReader(text))
		r.Header.Set("Content-Type", rfc822)
		a := s.send(r.WithContext(ctx))
		outcome := s.importer.Outcomes()[0]
		isRefused := want == 400
		if a.status != want || (outcome.Error != nil) != isRefused || strings.Contains(a.body, "has gone") != isRefused {
			t.Errorf("%d %s, %s", a.status, a.body, encodeJSON(outcome))
		}
	}
}
