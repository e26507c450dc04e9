// Tests of links.

package listing

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
)

// A link that leads to a listing through mailers, redirectors and guards of mails becomes the link of the listing. A
// link on the page of a listing, such as the way back, does not replace it.
func TestUnwrapLink(t *testing.T) {
	const listing = "https://www.portal.example/expose/48120011"
	once, twice := url.QueryEscape(listing), url.QueryEscape(url.QueryEscape(listing))
	token := base64.RawURLEncoding.EncodeToString([]byte(`{"iat": 12, "to": "` + listing + `?utm_source=mail", "m": "x"}`))
	coded := base64.RawURLEncoding.EncodeToString([]byte(listing + "?utm_source=mail"))
	tests := []struct{ name, link, want string }{
		{"a link alone", listing, listing},
		{"spaces around it", " " + listing + "\n", listing},
		{"no link", "Kiln Lane 4", "Kiln Lane 4"},
		{"a mail address", "mailto:me@portal.example", "mailto:me@portal.example"},
		{"tracking parameters", listing + "?utm_source=a&UTM_Medium=b&fbclid=1&gclid=2&msclkid=3&mc_cid=4" +
			"&mc_eid=5&mkt_tok=6&_hsenc=7&rtoken=8&trkid=9&xtor=EPR-1&at_medium=mail&cmp=x&channel=y&referrer=z" +
			"&navigationId=1&searchId=2&search_id=3&saved_search_id=4&savedSearchId=5&searchtype=6" +
			"&email_id=7&emailid=8&mail_id=9&mailid=0", listing},
		{"other parameters in their order", listing + "?b=2&utm_source=x&a=1", listing + "?b=2&a=1"},
		{"a parameter that only begins like one", listing + "?cmpx=1&channels=2", listing + "?cmpx=1&channels=2"},
		{"a fragment", listing + "#photos", listing},
		{"an empty query", listing + "?", listing},
		{"a fragment that is a route", "https://portal.example/#/expose/7", "https://portal.example/#/expose/7"},
		{"a fragment whose route is empty", "https://portal.example/#/?id=7", "https://portal.example/"},
		{"a link in a parameter", "https://click.mailer.example/r?c=1&url=" + once + "&s=2", listing},
		{"a link in a parameter, twice encoded", "https://click.mailer.example/r?u=" + twice, listing},
		{"a link in a parameter, three times encoded", "https://click.mailer.example/r?u=" + url.QueryEscape(twice), listing},
		{"a link in a parameter, as it is", "https://click.mailer.example/r?u=" + listing, listing},
		{"a link in a part of the path", "https://a.mailer.example/L0/https:%252F%252Fwww.portal.example%252Fexpose" +
			"%252F48120011%252F%253Futm_source%253Dalert/1/0102=408", listing + "/"},
		{"a link in the rest of the path", "https://a.mailer.example/x/https://www.portal.example/expose/48120011?id=3",
			listing + "?id=3"},
		{"a link whose slashes a server has joined", "https://a.mailer.example/x/https:/www.portal.example/expose/48120011",
			listing},
		{"a link in base64url in the path", "https://t.mailer.example/r/" + coded + "/x1Y2", listing},
		{"a link in JSON in base64url in a parameter", "https://e.mailer.example/c/a1?p=" + token + "&s=x1Y2", listing},
		{"a link in the middle of a token", "https://e.mailer.example/c/eyJhIjoxfQ." + token + ".x1Y2", listing},
		{"a token without a link", "https://portal.example/expose/48120?t=eyJhIjoxfQ.e30.x", "https://portal.example/" +
			"expose/48120?t=eyJhIjoxfQ.e30.x"},
		{"a link in base64 in a parameter", "https://t.mailer.example/r?to=" + coded + "%3D%3D", listing},
		{"a link in a link in a link", "https://eur01.scanner.example/?url=" +
			url.QueryEscape("https://link.portal.example/r?c=1&u="+once) + "&data=05", listing},
		{"a link that a guard of mails has encoded",
			"https://urldefense.guard.example/v2/url?u=https-3A__www.portal.example" +
				"_expose_48120011-3Futm-5Fsource-3Dmail-26a-3D1&d=DwMFaQ&c=x", listing + "?a=1"},
		{"a link that a scanner of mails has put in a parameter",
			"https://eur02.safelinks.scanner.example/?url=https%3A%2F%2Fwww.portal.example%2Fexpose%2F48120011" +
				"%3Futm_source%3Dmail&data=05%7C02%7C&sdata=aB3%2Bc%3D&reserved=0", listing},
		{"a link that a guard of mails has put in its path",
			"https://urldefense.guard.example/v3/__https://www.portal.example/expose/48120011?utm_medium=mail__;!!aB3!x$",
			listing},
		{"a link that a guard has put in another's parameter",
			"https://protect.guard.example/s/aB3?domain=portal.example&u=" + url.QueryEscape(
				"https://urldefense.guard.example/v2/url?u=https-3A__www.portal.example_expose_48120011&d=DwMF"), listing},
		{"a link in a part of the path with a signature", "https://lnks.mailer.example/CL0/https:%2F%2Fwww.portal.example" +
			"%2Fexpose%2F48120011/1/010201/aB3=310", listing},
		{"a text that begins as a guard does", "https://portal.example/7?u=https-3A__",
			"https://portal.example/7?u=https-3A__"},
		{"a parameter that is no link", "https://portal.example/7?from=https&at=www",
			"https://portal.example/7?from=https&at=www"},
		{"the way back", listing + "?back=https%3A%2F%2Fwww.portal.example%2Fresults&a=1", listing + "?a=1"},
		{"the way back to another site", listing + "?ref=https%3A%2F%2Fwww.finder.example%2F", listing},
		{"the way back from a number in the query", "https://portal.example/o?id=711&ref=" +
			url.QueryEscape("https://portal.example/berlin/10115"), "https://portal.example/o?id=711"},
		{"the way back from words",
			"https://portal.example/altbau-lindenweg?back=https%3A%2F%2Fportal.example%2Fresults",
			"https://portal.example/altbau-lindenweg"},
		{"the way back, in base64url in the path", listing + "/" +
			base64.RawURLEncoding.EncodeToString([]byte("https://www.portal.example/results")), listing},
		{"the way back, in the rest of the path", listing + "/https://www.portal.example/results", listing},
		{"a way back within a wrapped link", "https://click.mailer.example/?u=" +
			url.QueryEscape(listing+"?back="+url.QueryEscape("https://www.portal.example/results")), listing},
		{"a way back in the rest of a path", "https://a.guard.example/v3/__" + listing +
			"?back=https://www.portal.example/results__;!!aB3!x$", listing},
		{"a photo and a way back",
			listing + "?image=https%3A%2F%2Fimg.portal.example%2F48120012.jpg&return_to=" + once, listing},
		{"a redirector of the site", "https://www.portal.example/redirect?c=a7Q0OnkAI9bfX7bvHx2Z&url=" + once, listing},
		{"a redirector of the site without a name for it", "https://www.portal.example/open?u=" + once, listing},
		{"a redirector of the site to words", "https://portal.example/open?to=https%3A%2F%2Fportal.example%2Faltbau",
			"https://portal.example/open?to=https%3A%2F%2Fportal.example%2Faltbau"},
		{"a host of the site for mails", "https://comms-2.portal.example/l/?link=" + once, listing},
		{"a redirector with a number", "https://www.partner.example/cread.php?mid=12345&ued=" + once, listing},
		{"a link before the one of a redirector",
			"https://click.mailer.example/?ref=https%3A%2F%2Fmailer.example&url=" + once, listing},
		{"a broken escape", "https://portal.example/7?u=%zz", "https://portal.example/7?u=%zz"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := unwrapLink(test.link); got != test.want {
				t.Errorf("unwrapLink(%q) = %q; want %q", test.link, got, test.want)
			}
		})
	}
}

// A link nested deeper than maxWrappings is not unwrapped to the end, and a link of a megabyte is not read.
func TestUnwrapLinkIsBounded(t *testing.T) {
	link := "https://portal.example/1"
	for range maxWrappings + 2 {
		link = "https://t.mailer.example/?u=" + url.QueryEscape(link)
	}
	if got := LinkHost(link); got != "t.mailer.example" {
		t.Errorf("LinkHost of a link %d deep = %q; want the host of a mailer", maxWrappings+2, got)
	}
	long := "https://portal.example/" + strings.Repeat("a", 1<<20)
	if got := LinkKey(long); got != "" {
		t.Errorf("LinkKey of a megabyte = %.40q; want none", got)
	}
}

// Links to one page have one key. Parameters are part of it only if they may tell listings apart: see tellingQuery.
func TestLinkKey(t *testing.T) {
	const uuid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	for _, test := range []struct{ shows, link, want string }{
		{"www, capitals and a slash", "https://www.Portal.example/expose/7/", "portal.example/expose/7"},
		{"http, m and tracking", "http://m.portal.example/expose/7?utm_source=a", "portal.example/expose/7"},
		{"mobile and the usual port", "https://mobile.portal.example:443/expose/7//", "portal.example/expose/7"},
		{"another port", "https://portal.example:8080/expose/7", "portal.example:8080/expose/7"},
		{"capitals in the path", "https://portal.example/Expose/7", "portal.example/Expose/7"},
		{"a route", "https://portal.example/#/expose/7", "portal.example/#/expose/7"},
		{"a wrapped link", "https://t.mailer.example/r?to=https%3A%2F%2Fportal.example%2Fexpose%2F7",
			"portal.example/expose/7"},

		{"a short number in the path", "https://portal.example/expose/7?id=8&utm_id=9", "portal.example/expose/7?id=8"},
		{"no path", "https://portal.example/?id=48120011", "portal.example?id=48120011"},
		{"five digits", "https://portal.example/expose/12345?e=8", "portal.example/expose/12345"},
		{"five digits and an ending", "https://portal.example/flat-12345.html?src=x", "portal.example/flat-12345.html"},
		{"a postal code", "https://portal.example/wohnungen/10115?id=8", "portal.example/wohnungen/10115?id=8"},
		{"a postal code above", "https://portal.example/wohnungen/10115-berlin/detail?id=8&page=2&utm_id=9",
			"portal.example/wohnungen/10115-berlin/detail?id=8"},
		{"six digits", "https://portal.example/expose/123456?id=8", "portal.example/expose/123456"},
		{"a UUID", "https://portal.example/flat/" + uuid + "?a=1", "portal.example/flat/" + uuid},
		{"a number of a customer", "https://portal.example/kundenid/1234567/estate?id=8",
			"portal.example/kundenid/1234567/estate?id=8"},
		{"and parameters of the page", "https://portal.example/o/9912345/expose?obj=8&days=&flexDays=14",
			"portal.example/o/9912345/expose?obj=8"},
		{"a date", "https://portal.example/news/20260914?id=8", "portal.example/news/20260914?id=8"},

		{"a path alone", "/expose/7", ""},
		{"a mail address", "mailto:a@b.example", ""},
		{"no host", "https://", ""},
		{"a host without a domain", "https://localhost/1", ""},
		{"nothing", "", ""},
	} {
		if got := LinkKey(test.link); got != test.want {
			t.Errorf("%s: LinkKey(%q) = %q; want %q", test.shows, test.link, got, test.want)
		}
	}
}

// Each line of the file has two links, and tells whether they lead to one home or to two. Links to two homes never have
// one key.
func TestLinkPairs(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(readFile(t, "testdata/links.txt")), "\n")
	for _, line := range lines {
		words := strings.Fields(line)
		one, other := ParseLink(words[1]), ParseLink(words[2])
		isSame := words[0] == "same"
		if one.IsOfOneListing(&other) != isSame || !isSame && one.Key == other.Key {
			t.Errorf("%s: %+v and %+v", line, one, other)
		}
	}
}

// Links with one key have one id. The ids stand in stored files, so that these hashes must not change.
func TestLinkID(t *testing.T) {
	tests := []struct{ link, want string }{
		{"https://www.immo-portal.example/expose/48120011", "01b9b1b00bd090f9@immo-portal.example"},
		{"https://m.immo-portal.example/expose/48120011/?utm_source=x", "01b9b1b00bd090f9@immo-portal.example"},
		{"https://www.letfinder.example/to-rent/details/812300551/", "963a6ef639da7b16@letfinder.example"},
		{"no link", ""},
	}
	for _, test := range tests {
		if got := LinkID(test.link); got != test.want {
			t.Errorf("LinkID(%q) = %q; want %q", test.link, got, test.want)
		}
	}
}

// A link of a mailer, and one with a token, tells nothing about its listing.
func TestIsOpaque(t *testing.T) {
	for _, test := range []struct {
		shows, link string
		want        bool
	}{
		{"a number", "https://portal.example/expose/48120011", false},
		{"a host of a mailer", "https://click.portal.example/c/571426719/9004178", true},
		{"such a host with a number", "https://links2.portal.example/7", true},
		{"such a host of one letter", "https://e.portal.example/7", true},
		{"such a host with a capital", "https://Track.portal.example/7", true},
		{"a host that only begins so", "https://clickandrent.example/7", false},
		{"16 letters and digits in both cases", "https://portal.example/r/a7QSyHDgxpxYrL89", true},
		{"15 of them", "https://portal.example/r/a7QSyHDgxpxYrL8", false},
		{"25 in one case", "https://portal.example/r/0102019a8d2c5e1f7b6a4c3d9", true},
		{"24 of them", "https://portal.example/r/0102019a8d2c5e1f7b6a4c3d", false},
		{"a UUID", "https://portal.example/flat/6ba7b810-9dad-11d1-80b4-00c04fd430c8", false},
		{"words", "https://portal.example/nette-wohnung-im-gruenen-mit-grossem-balkon", false},
		{"no link", "no link", false},
	} {
		if got := isOpaque(test.link); got != test.want {
			t.Errorf("%s: isOpaque(%q) = %v; want %v", test.shows, test.link, got, test.want)
		}
	}
}

// FuzzLink tests what holds for any text:
//   - LinkKey returns "" if the text, unwrapped, is no link;
//   - the key of a link begins with its host;
//   - the id of a link is 16 hexadecimal digits and its host: see hashedID.
func FuzzLink(f *testing.F) {
	for _, link := range []string{"https://www.portal.example/a/7?utm_x=1#/b",
		"https://t.example/r?u=https%253A%252F%252Fa.example%252F1", "http://t.example/r/aHR0cHM6Ly9hLmV4YW1wbGUv",
		"https://a.b/https:/c.d/?e", "x"} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, link string) {
		unwrapped, key, host := unwrapLink(link), LinkKey(link), LinkHost(link)
		if parseLink(unwrapped) == nil {
			if key != "" {
				t.Errorf("LinkKey(%q) = %q, but %q is no link", link, key, unwrapped)
			}
			return
		}
		if host == "" || !strings.HasPrefix(key, host) {
			t.Errorf("LinkKey(%q) = %q; its host is %q", link, key, host)
		}
		id := LinkID(link)
		if hash, hasHost := strings.CutSuffix(id, "@"+host); len(hash) != 16 || !hasHost {
			t.Errorf("LinkID(%q) = %q; its host is %q", link, id, host)
		}
	})
}
