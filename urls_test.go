// Tests of the links of listings that are imported, and of texts that are read.

package main

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"flats/internal/listing"
)

// A page of a listing may have a link in any parameter. It is another listing than one with the same link there, and
// the same as without it.
func TestLinksInParameters(t *testing.T) {
	names := strings.Fields("back returnUrl ref image share u backUrl url redirect next from origin target q")
	for i, name := range names {
		for _, inner := range []string{"https://www.flat-site.example/results", "https://www.geocoder.example/search?q=2"} {
			s := newService(t, "[]", "[]")
			listing := func(n int, parameter string) string {
				return fmt.Sprintf(`{"url":"https://www.flat-site.example/listing/%d%s","cost":%[1]d}`, n, parameter)
			}
			within := "?" + name + "=" + url.QueryEscape(inner)
			if i%2 == 0 {
				within = "?" + name + "=" + inner
			}
			s.want(s.ask("POST", "/api/v1/import", listing(70001, within)), 200, countsOf(1, 0, 0))
			s.want(s.ask("POST", "/api/v1/import", "["+listing(70002, within)+","+listing(70003, within)+"]"), 200,
				countsOf(2, 0, 0))
			s.want(s.ask("POST", "/api/v1/import", listing(70001, "")), 200, countsOf(0, 0, 1))
		}
	}
}

// Two homes whose links differ in the query alone are two where the number in the path is that of a town or a customer.
// Flats with the id of before are found by their links.
func TestLinksWithOtherNumbers(t *testing.T) {
	for _, link := range []string{"/wohnungen/10115-berlin/detail?id=711", "/kundenid/1234567/estate?id=11",
		"/o/9912345/expose?obj=71", "/wohnungen/10115?objekt=7001"} {
		link = "https://www.digits.example" + link
		before, _, _ := strings.Cut(listing.LinkKey(link), "?")
		id := linkSum(before) + "@digits.example"
		s := newService(t, fmt.Sprintf(`[{"id":%q,"urls":[%q],"status":"followed"}]`, id, link), "[]")
		s.want(s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q},{"url":%q}]`, link, link+"2")), 200,
			countsOf(1, 0, 1))
		s.want(s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q},{"url":%q}]`, link+"2", link)), 200,
			countsOf(0, 0, 2))
	}
}

// The link of a listing is read without the way back, in a text and in a mail.
func TestLinksInTexts(t *testing.T) {
	s := newService(t, "[]", "[]")
	link := func(n int) string { return fmt.Sprintf("https://www.portal.example/expose/%d", n) }
	const back = "?returnUrl=https%3A%2F%2Fwww.portal.example%2Fsearch"
	a := s.ask("POST", "/api/v1/read", encodeJSON(map[string]any{"shared": true,
		"text": "Sunny flat by the park\n850 €\n72 m²\n" + link(70001) + back}))
	if !strings.Contains(a.body, `"urls":["`+link(70001)+`"]`) {
		t.Errorf("%d %s", a.status, a.body)
	}
	var cards string
	for n := 70001; n < 70004; n++ {
		cards += cardOf(link(n)+back, fmt.Sprintf("https://img.portal.example/%d.jpg", n), "Sunny flat by the park",
			fmt.Sprintf("€%d per month", n/100), "3 rooms · 72 m²", "12 High Street, Galway")
	}
	s.want(s.sendMail(mailOf(cards)), 200, countsOf(3, 0, 0))
	s.want(s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q},{"url":%q}]`, link(70001), link(70003))), 200,
		countsOf(0, 0, 2))
}
