// Tests of the bounds of a mail as a whole.

package listing

import (
	"fmt"
	"strings"
	"testing"

	"flats/internal/turns"
)

// All bodies of a mail together have no more lines and text than one body may have, also if they are attached mails.
func TestMailBodies(t *testing.T) {
	t.Parallel()
	const bodies = 3
	// steps returns the steps that a mail takes whose bodies are full of a line. Each body is in the mail itself, or in
	// an attached mail.
	steps := func(bodies int, kind, line string, isAttached bool) int {
		lines := strings.Repeat(line+"\n", min(maxLeaves, maxMailBody/(len(line)+1)))
		part := "--b\nContent-Type: " + kind + "\n\n" + lines + "\n"
		if isAttached {
			part = "--b\nContent-Type: message/rfc822\n\nContent-Type: " + kind + "\n\n" + lines + "\n"
		}
		work := turns.NewTask(t.Context(), turns.NewQueue())
		defer work.Pause()
		text := "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat(part, bodies)
		if _, _, err := ReadMail(work, []byte(text), testRules); err != nil {
			t.Fatal(err)
		}
		return work.Steps()
	}
	cases := []struct{ kind, line string }{{"text/html", "<p>b"}, {"text/plain", "b"}}
	if *whole {
		cases = append(cases, struct{ kind, line string }{"text/html", "<p>" + strings.Repeat("b", 480)})
	}
	for _, c := range cases {
		one := steps(1, c.kind, c.line, false)
		for _, isAttached := range []bool{false, true} {
			if many := steps(bodies, c.kind, c.line, isAttached); many > 2*one {
				t.Errorf("%s, attached %v: %d steps for %d bodies, %d for one", c.kind, isAttached, many, bodies, one)
			}
		}
	}
}

// Lines with numbers beyond their bound cost next to nothing, and as many listings as a mail may have are within it.
func TestMailNumbers(t *testing.T) {
	long(t)
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
			work := turns.NewTask(t.Context(), turns.NewQueue())
			defer work.Pause()
			listings, _, err := ReadMail(work, []byte(mailOf(body.String())), testRules)
			if err != nil {
				t.Fatal(err)
			}
			return work.Steps(), len(listings)
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

// The end of a mail was left out only if a leaf was.
func TestLeavesLeft(t *testing.T) {
	t.Parallel()
	left := leavesLeft{leaves: 2, text: 100, facts: 10}
	if got := left.take(make([]leaf, 2)); len(got) != 2 || left.isCut {
		t.Errorf("%d leaves, %+v", len(got), left)
	}
	if got := left.take(make([]leaf, 1)); len(got) != 0 || !left.isCut {
		t.Errorf("%d leaves more, %+v", len(got), left)
	}
}
