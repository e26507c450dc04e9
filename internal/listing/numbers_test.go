// Tests of numbers.go and domains.go.

package listing

import (
	"strings"
	"testing"
)

// Two links lead to one listing if they have its number and nothing else in them tells two homes apart.
func TestOneListing(t *testing.T) {
	for _, test := range []struct{ name, one, other string }{
		{"a token after the number", "https://a.example/x/57650011_zpid/X1-SS5o5te731uya10000000000_5f90w_sse/?z",
			"https://a.example/y/57650011_zpid/X1-SSde72yuxlr60g0000000000_3xvey_sse/?z"},
		{"a token before the number", "https://a.example/m/a7QSyHDgxpxYrL89/expose/48120011",
			"https://a.example/m/b7QSyHDgxpxYrL90/expose/48120011"},
		{"a token in the query", "https://a.example/48120011/mail?t=a7QSyHDgxpxYrL89",
			"https://a.example/48120011/mail?t=b7QSyHDgxpxYrL90"},
		{"two suffixes of one site", "https://www.rightmove.co.uk/p/48120011", "https://rightmove.com/48120011"},
		{"a host of mails", "https://mails.a.co.uk/expose/48120011", "https://www.a.co.uk/expose/48120011#/photos/2"},
		{"a short form of a mailer", "https://link.a.example/m48120011", "https://a.example/flats/m48120011-two-rooms"},
		{"a path in words of a mailer", "https://e.a.example/expose/48120011", "https://a.example/de/expose/48120011"},
		{"letters before a group", "https://a.example/1-Elm-St_CT_06076_M45724-77139", "https://a.example/x/M4572477139"},
		{"a group at the start", "https://a.example/ag123-456-789_berlin", "https://a.example/x/ag123-456-789"},
		{"a number in a route", "https://a.example/app#/expose/48120011", "https://a.example/expose/48120011"},
		{"a UUID in capitals", "https://a.example/6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
			"https://a.example/de/flat-6ba7b810-9dad-11d1-80b4-00c04fd430c8.html"},
		{"eight hexadecimal digits", "https://a.example/flat/a18fca0e", "https://a.example/de/wohnung/a18fca0e"},
		{"24 of them", "https://a.example/x/621dde082ca7600b0c3e8a11", "https://a.example/621dde082ca7600b0c3e8a11.html"},
		{"a code, and how it is shown", "https://a.example/flat/26temfacszzi?adj_t=1", "https://a.example/26temfacszzi"},
		{"a language in the query", "https://a.example/o/?id=48120011&lang=de", "https://a.example/o/?lang=en&id=48120011"},
		{"one that does not say what it offers", "https://a.example/rent/48120011", "https://a.example/flat/48120011"},
		{"a number before the agent's", "https://a.example/flat/48120011/agent/7654321", "https://a.example/48120011"},
		{"a round number", "https://a.example/de/expose/48120000", "https://a.example/48120000"},
		{"a name that says nothing, and one path", "https://a.example/o/?v=48120011&x=",
			"https://a.example/o?v=48120011&lang=de"},
		{"the port of https", "https://a.example:443/x/48120011", "https://a.example/48120011"},
		{"the dot of the root", "https://www.a.example./x/48120011", "https://a.example/48120011"},
	} {
		one, other := ParseLink(test.one), ParseLink(test.other)
		if !one.IsOfOneListing(&other) || !other.IsOfOneListing(&one) || one.Key == other.Key {
			t.Errorf("%s: %s and %s are two: %+v, %+v", test.name, test.one, test.other, one, other)
		}
	}
}

// These links may lead to two homes.
func TestTwoListings(t *testing.T) {
	const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	for _, test := range []struct{ name, one, other string }{
		{"another site", "https://a.example/48120011", "https://b.example/48120011"},
		{"another country", "https://a.co.uk/x/48120011", "https://b.co.uk/x/48120011"},
		{"customers of one host", "https://a.wixsite.com/x/48120011", "https://b.wixsite.com/x/48120011"},
		{"another port", "https://a.example:81/x/48120011", "https://a.example/48120011"},
		{"another address", "https://10.0.0.1/x/48120011", "https://11.0.0.1/48120011"},
		{"six digits", "https://a.example/x/481201", "https://a.example/y/481201"},
		{"a date", "https://a.example/x/20260914", "https://a.example/y/20260914"},
		{"a date and a number", "https://a.example/x/2026-09-14-1", "https://a.example/y/2026-09-14-1"},
		{"a number within a word", "https://a.example/x/wohnung48120011", "https://a.example/y/wohnung48120011"},
		{"a street", "https://a.example/x/lindenweg12", "https://a.example/y/lindenweg12"},
		{"a word and a year", "https://a.example/x/ZIMMER2026", "https://a.example/y/ZIMMER2026"},
		{"a word and a number", "https://a.example/x/Wohnung1", "https://a.example/y/Wohnung1"},
		{"words joined", "https://a.example/x/Top5Haus", "https://a.example/y/Top5Haus"},
		{"rooms and an area", "https://a.example/x/3zimmer50qm", "https://a.example/y/3zimmer50qm"},
		{"a long word", "https://a.example/1234567/erdgeschosswohnung", "https://a.example/1234567/dachgeschosswohnung"},
		{"a long word and a number", "https://a.example/1234567/erdgeschosswohnung1",
			"https://a.example/1234567/erdgeschosswohnung2"},
		{"short numbers", "https://a.example/expose/12/48120011", "https://a.example/expose/13/48120011"},
		{"what follows", "https://a.example/projekt/1234567/links", "https://a.example/projekt/1234567/rechts"},
		{"an id that follows", "https://a.example/kundenid/1234567/estate?id=11",
			"https://a.example/kundenid/1234567/estate?id=12"},
		{"an id that follows, or not", "https://a.example/kundenid/1234567/estate?id=11",
			"https://a.example/kundenid/1234567/estate"},
		{"an object", "https://a.example/o/9912345/expose?obj=7", "https://a.example/o/9912345/expose?obj=8"},
		{"an id that looks like a token", "https://a.example/agent/1234567/flat/8Hk2jLq0WmZ4nTpXv1cR",
			"https://a.example/agent/1234567/flat/9Hk2jLq0WmZ4nTpXv1cS"},
		{"a unit of a building", "https://a.example/b/5Xj7m7?unit=3", "https://a.example/b/5Xj7m7?unit=4"},
		{"a number of the customer", "https://a.example/?kunde=1234567&nr=1", "https://a.example/?kunde=1234567&nr=2"},
		{"words in the query", "https://a.example/?lage=links&k=1234567", "https://a.example/?k=1234567&lage=rechts"},
		{"the number of a reader", "https://a.example/48120011/9004178", "https://a.example/48120012/9004178"},
		{"that of a mailer", "https://click.a.example/a7QSyHDgxpxYrL89/9004178",
			"https://click.a.example/b7QSyHDgxpxYrL90/9004178"},
		{"a mailer with short codes", "https://t.a.example/a8Kd/9004178", "https://t.a.example/b9Le/9004178"},
		{"a redirector", "https://a.example/track/a7QSyHDgxpxYrL89/9004178",
			"https://a.example/track/b7QSyHDgxpxYrL90/9004178"},
		{"rent and sale", "https://a.example/to-rent/48120011", "https://a.example/for-sale/48120011"},
		{"rent and sale in other languages", "https://a.example/mieten/48120011", "https://a.example/acheter/48120011"},
		{"tokens alone", "https://a.example/x/X1-SS5o5te731uya100000000", "https://a.example/X1-SS5o5te731uya100000000"},
		{"digits of a token", "https://a.example/x/123456789012345678901", "https://a.example/y/123456789012345678901"},
		{"another UUID", "https://a.example/x/" + uuid, "https://a.example/x/7" + uuid[1:]},
		{"a date with the year last", "https://a.example/mitte-29112026", "https://a.example/nord-29112026"},
		{"and the month first", "https://a.example/mitte-11292026", "https://a.example/nord-11292026"},
		{"that date in a group", "https://a.example/mitte-29-11-2026-1", "https://a.example/nord-29-11-2026-1"},
		{"a date and a time", "https://a.example/mitte-202611291230", "https://a.example/nord-202611291230"},
		{"a price in a title", "https://a.example/casa-lugo-1250000", "https://a.example/casa-vigo-1250000"},
		{"an agency", "https://a.example/flat-mitte/agent/7654321", "https://a.example/flat-nord/agent/7654321"},
		{"an agency in the title", "https://a.example/mitte-agentur-7654321", "https://a.example/nord-agentur-7654321"},
		{"a listing of an agency", "https://a.example/agency/1234567/listing/11", "https://a.example/agency/1234567"},
		{"a search", "https://a.example/links-suche-9876543", "https://a.example/rechts-suche-9876543"},
		{"a search in the query", "https://a.example/links?suchid=9876543", "https://a.example/rechts?suchid=9876543"},
		{"a reader in the query", "https://a.example/links?uid=9876543", "https://a.example/rechts?uid=9876543"},
		{"a time in the query", "https://a.example/links?t=1764412800", "https://a.example/rechts?t=1764412800"},
		{"a phone in the query", "https://a.example/links?tel=03412345678", "https://a.example/rechts?tel=03412345678"},
		{"a session", "https://a.example/links?session=" + uuid, "https://a.example/rechts?session=" + uuid},
		{"a unit of a number", "https://a.example/neubau/2345678?we=3", "https://a.example/neubau/2345678?we=4"},
		{"a unit of a name", "https://a.example/2345678-park?unit=3", "https://a.example/2345678-park?unit=4"},
		{"a building and its unit", "https://a.example/b/2345678", "https://a.example/b/2345678?unit=3"},
		{"a project and a home of it", "https://a.example/neubau/2345678", "https://a.example/neubau/2345678/3"},
		{"a project and a plot", "https://a.example/new/2345678/", "https://a.example/new/2345678/plot-12"},
		{"two rooms of a flat", "https://a.example/flat/1234567?room=1", "https://a.example/flat/1234567?room=2"},
		{"rent and sale in Turkish", "https://a.example/kiralik/7654321", "https://a.example/satilik/7654321"},
		{"in Hungarian", "https://a.example/kiado/7654321", "https://a.example/elado/7654321"},
		{"in Romanian", "https://a.example/de-inchiriat/7654321", "https://a.example/de-vanzare/7654321"},
		{"in Finnish", "https://a.example/vuokra-asunnot/7654321", "https://a.example/myytavat-asunnot/7654321"},
		{"in Norwegian", "https://a.example/til-leie/7654321", "https://a.example/til-salgs/7654321"},
		{"no links", "x", "x"},
	} {
		one, other := ParseLink(test.one), ParseLink(test.other)
		if one.IsOfOneListing(&other) || other.IsOfOneListing(&one) {
			t.Errorf("%s: %s and %s are one: %+v, %+v", test.name, test.one, test.other, one, other)
		}
	}
}

// A number belongs to a registrable domain, or to the first domain of a site with several.
func TestSiteOf(t *testing.T) {
	for host, want := range map[string]string{"a.example": "a.example", "x.y.a.example": "a.example",
		"a.co.uk": "a.co.uk", "x.a.co.uk": "a.co.uk", "x.a.com.au": "a.com.au", "co.uk": "co.uk",
		"x.a.co.example": "co.example",
		"a.github.io":    "a.github.io", "x.a.github.io": "a.github.io", "push.search.is24.de": "immobilienscout24.de",
		"ebay-kleinanzeigen.de": "kleinanzeigen.de", "x.a.example:8080": "a.example:8080", "10.0.0.1": "10.0.0.1",
		"10.0.0.1:80": "10.0.0.1:80", "[::1]:80": "[::1]:80", "a": "a", "": ""} {
		if got := domains().siteOf(host); got != want {
			t.Errorf("siteOf(%q) = %q; want %q", host, got, want)
		}
	}
	for domain, first := range domains().first {
		if domains().first[first] != first {
			t.Errorf("%s stands for %s, but not for itself", first, domain)
		}
	}
}

// Links of any length are read in linear time, and a link that is too long is not read.
func TestLongNumbers(t *testing.T) {
	long := func(part string) string {
		return "https://a.example/" + strings.Repeat(part, (maxLinkLength-20)/len(part))
	}
	for _, part := range []string{"1", "1234567/", "1-", "a1", "a1/", "1_", "-", "123-456-789/", "A1B2C3D4/",
		"6ba7b810-9dad-11d1-80b4-00c04fd430c8-", "a7QSyHDgxpxYrL89/", "?a=1234567&", "%31"} {
		once, twice := ParseLink(long(part)), ParseLink(long(part))
		if once.Key == "" || !once.IsOfOneListing(&twice) {
			t.Errorf("%s: %.100q", part, once.Key)
		}
	}
	if l := ParseLink("https://a.example/" + strings.Repeat("1", 1<<20)); l.Key != "" || l.Number != "" {
		t.Errorf("a link of a megabyte has a number: %.100q", l.Number)
	}
}

func FuzzParseLink(f *testing.F) {
	for _, link := range []string{"https://a.example/x/57650011_zpid/X1-SS5o5te731uya10000000000/?z",
		"https://a.co.uk:1/1-Elm_06076_M45724-77139.html#!/x/2", "https://is24.de/?id=48120011&a=b&%zz=1234567",
		"http://click.a.example/r?u=https%3A%2F%2Fb.example%2F6ba7b810-9dad-11d1-80b4-00c04fd430c8"} {
		f.Add(link, link+"/1")
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		a, b := ParseLink(one), ParseLink(other)
		if a.Key != LinkKey(one) {
			t.Errorf("ParseLink(%q).Key = %q; want %q", one, a.Key, LinkKey(one))
		}
		if a.Key == "" && a.Number != "" || a.Key != "" && !a.IsOfOneListing(&a) {
			t.Errorf("ParseLink(%q) = %+v", one, a)
		}
		if a.IsOfOneListing(&b) != b.IsOfOneListing(&a) {
			t.Errorf("%q and %q are one only in one order", one, other)
		}
		if a.IsOfOneListing(&b) && a.Key != b.Key && a.Number != b.Number {
			t.Errorf("%q and %q are one with other numbers", one, other)
		}
	})
}
