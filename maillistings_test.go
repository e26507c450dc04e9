// Tests of the bounds of a mail as a whole.

package main

import (
	"strings"
	"testing"
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
		if _, _, err := readMailListings(work, []byte(text), testRules); err != nil {
			t.Fatal(err)
		}
		return work.count()
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
