// Tests of links to listings.

package web

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestLinkKey tests which links lead to one listing.
func TestLinkKey(t *testing.T) {
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.load("lib/links")
	for _, c := range []struct {
		one, other string
		same       bool
	}{
		{"https://www.example.org/expose/999111", "https://example.org/expose/999111#/", true},
		{"https://www.example.org/expose/999111", "http://m.example.org/expose/999111/?utm_source=a", true},
		{"https://www.example.org/9", "https://www.example.org/9?referrer=RESULT_LIST&searchType=shape#/", true},
		{"https://www.example.org/properties/7", "https://www.example.org/properties/7#/?channel=RES_LET", true},
		{"https://www.example.org/#/listing/7", "https://www.example.org/#/listing/8", false},
		{"https://www.example.org/#!7", "https://www.example.org/", false},
		{"https://www.example.org/?id=7", "https://www.example.org/?id=8", false},
		{"https://www.example.org/expose/999111", "https://EXAMPLE.org/expose/999111//?serp_view=list&xtmc=1", true},
		{"https://www.example.org/7?id=1&utm_medium=x&mail_id=3", "http://example.org/7?id=1&trk=y&at_medium=z", true},
		{"https://www.example.org/7?id=1", "https://www.example.org/7?id=2", false},
		{"https://www.example.org/?ref=7", "https://www.example.org/", false},
		{"https://www.example.org/c/1234567/o?id=11", "https://www.example.org/c/1234567/o?id=12", false},
		{"https://www.example.org/c/1234567/o?id=11&page=2", "https://www.example.org/c/1234567/o?id=11", true},
		{"https://www.example.org/10115-berlin/o?id=7", "https://www.example.org/10115-berlin/o?id=8", false},
		{"https://www.example.org/berlin/10115?objekt=7", "https://www.example.org/berlin/10115?objekt=8", false},
		{"https://www.example.org/o/12345?e=7", "https://www.example.org/o/12345?e=8", true},
		{"https://www.example.org/news/20260914?id=7", "https://www.example.org/news/20260914?id=8", false},
	} {
		same := p.eval(fmt.Sprintf("links.linkKey(%s) === links.linkKey(%s)", encode(c.one), encode(c.other)))
		if same != c.same {
			t.Errorf("%s and %s lead to one listing: %v; want %v", c.one, c.other, same, c.same)
		}
	}
	p.checkFaults()
}

// linkID returns the id of a flat that was added by its link.
func linkID(link, host string) string {
	return fmt.Sprintf("%.8x@%s", sha256.Sum256([]byte(link)), host)
}

// The fields of Add that are always shown.
const fieldTexts = `[...document.querySelectorAll(".add [name]")].slice(0, 10).map((field) => field.value).join("|")`
