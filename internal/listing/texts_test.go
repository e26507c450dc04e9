// Tests of HTML in texts.

package listing

import (
	"strings"
	"testing"
)

// HTML becomes what a browser shows of it. What only looks like a tag or a character reference stays.
func TestPlainText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Caf&eacute; &amp; Bar", "Café & Bar"},
		{"<p>One&nbsp;room</p><p>Two</p>", "One\u00a0room\nTwo"},
		{"One<br>two<br/>three<BR />four", "One\ntwo\nthree\nfour"},
		{"One<br><br>two", "One\n\ntwo"},
		{"<ul><li>Lift</li>\n<li>Cellar</li></ul>\n", "Lift\nCellar"},
		{"<table><tr><td>Rent</td><td>900 €</td></tr><tr><td>Area</td></tr></table>", "Rent 900 €\nArea"},
		{"<b>Bright</b> <a href=\"https://example.org/?a=1&copy=2\">flat</a>", "Bright flat"},
		{"One<script>alert('<p>')</script> two<style>b{}</style> three", "One two three"},
		{"One<script>two", "Onetwo"},
		{"One<!-- <p>two</p> --> three", "One three"},
		{"One<!-- two", "One two"},
		{"&lt;b&gt;", "<b>"},
		{"&amp;lt;b&amp;gt;", "&lt;b&gt;"},
		{"&#8364; &#x20AC; &#0;", "€ € \ufffd"},
		{"5 < 6", "5 < 6"},
		{"5 < 6 and 7 > 6", "5 < 6 and 7 > 6"},
		{"a <b c", "a <b c"},
		{"<me@example.org>", "<me@example.org>"},
		{"<3-room flat>", "<3-room flat>"},
		{"https://example.org/?a=1&copy=2&lang=de", "https://example.org/?a=1&copy=2&lang=de"},
		{"R&D; AT&T", "R&D; AT&T"},
		{"Genossenschafts\u00adanteile", "Genossenschaftsanteile"},
		{"zero\u200bwidth\ufeff", "zerowidth"},
		{"  as it\nstands \n", "  as it\nstands \n"},
		{"line\nbreaks stay, <b>too</b>", "line\nbreaks stay, too"},
		{"<svg viewBox=\"0 0 9 9\"><g><path d=\"M0 0\"/></g></svg>Lift", "Lift"},
		{"<app-price [value]='9'>900 €</app-price>", "900 €"},
		{"<p class=MsoNormal>Loft<o:p></o:p></p>", "Loft"},
		{"<nobr>900 €</nobr><wbr/> <circle r='3'></circle>warm", "900 € warm"},
		{"write to <tel:030123> or <https://example.org/> or <w/o heating>",
			"write to <tel:030123> or <https://example.org/> or <w/o heating>"},
		{"Apt 3&deg; &ndash; &frac12; &sup2;", "Apt 3° – ½ ²"},
		{"<h2>Caf&eacute;</h2><hr><dl><dt>Rent</dt><dd>900&nbsp;&euro;</dd></dl>", "Café\nRent\n900\u00a0€"},
		{"", ""},
	} {
		if got := PlainText(c.text); got != c.want {
			t.Errorf("PlainText(%q) = %q; want %q", c.text, got, c.want)
		}
	}
}

func FuzzPlainText(f *testing.F) {
	for _, text := range []string{"<p>a</p>&nbsp;<br>", "<script></script", "<!-- -->", strings.Repeat("<b", 100)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := PlainText(text)
		if len(got) > 2*len(text) {
			t.Errorf("PlainText(%q) has %d bytes", text, len(got))
		}
		if !strings.ContainsAny(text, "<&") && hidden.Replace(text) != got {
			t.Errorf("PlainText(%q) = %q; want the same text", text, got)
		}
	})
}
