// Tests of the links of listings, of the texts that are read, and of the flats by their links.

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"flats/internal/listing"
)

// Links of different listings may have the same link in a parameter, such as the way back. A link with such a parameter
// and without it is of the same listing.
func TestLinksInParameters(t *testing.T) {
	names := strings.Fields("back returnUrl ref image share u backUrl url redirect next from origin target q")
	for i, name := range names {
		for _, inner := range []string{"https://www.flat-site.example/results", "https://www.geocoder.example/search?q=2"} {
			s := newService(t, "[]", "[]")
			listing := func(n int, parameter string) string {
				return fmt.Sprintf(`{"url":"https://www.flat-site.example/listing/%d%s","cost":%[1]d}`, n, parameter)
			}
			within := "?" + name + "=" + url.QueryEscape(inner)
			if i%2 == 0 { // as every second name here, some sites do not escape it
				within = "?" + name + "=" + inner
			}
			s.want(s.ask("POST", "/api/v1/import", listing(70001, within)), 200, countsOf(Counts{Added: 1}))
			s.want(s.ask("POST", "/api/v1/import", "["+listing(70002, within)+","+listing(70003, within)+"]"), 200,
				countsOf(Counts{Added: 2}))
			s.want(s.ask("POST", "/api/v1/import", listing(70001, "")), 200, countsOf(Counts{Unchanged: 1}))
		}
	}
}

// Links that differ only in the query are of two homes where the number in the path names a town or a customer. Flats
// with an id of earlier versions are found by their links.
func TestLinksWithOtherNumbers(t *testing.T) {
	for _, link := range []string{"/wohnungen/10115-berlin/detail?id=711", "/kundenid/1234567/estate?id=11",
		"/o/9912345/expose?obj=71", "/wohnungen/10115?objekt=7001"} {
		link = "https://www.digits.example" + link
		before, _, _ := strings.Cut(listing.LinkKey(link), "?")
		id := linkSum(before) + "@digits.example"
		s := newService(t, fmt.Sprintf(`[{"id":%q,"urls":[%q],"status":"followed"}]`, id, link), "[]")
		s.want(s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q},{"url":%q}]`, link, link+"2")), 200,
			countsOf(Counts{Added: 1, Unchanged: 1}))
		s.want(s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q},{"url":%q}]`, link+"2", link)), 200,
			countsOf(Counts{Unchanged: 2}))
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
		t.Errorf("/read answers %d %s; want %s as the only link", a.status, a.body, link(70001))
	}
	var cards string
	for n := 70001; n < 70004; n++ {
		cards += cardOf(link(n)+back, fmt.Sprintf("https://img.portal.example/%d.jpg", n), "Sunny flat by the park",
			fmt.Sprintf("€%d per month", n/100), "3 rooms · 72 m²", "12 High Street, Galway")
	}
	s.want(s.sendMail(mailOf(cards)), 200, countsOf(Counts{Added: 3}))
	s.want(s.ask("POST", "/api/v1/import", fmt.Sprintf(`[{"url":%q},{"url":%q}]`, link(70001), link(70003))), 200,
		countsOf(Counts{Unchanged: 2}))
}

// TestOtherLink tests that a listing whose link has the number of a known flat's link is that flat, unless the facts
// contradict, in an import and for Add. If several different flats have the number, the listing is a new flat.
func TestOtherLink(t *testing.T) {
	const link = `"urls":["https://www.portal.example/expose/48120011"]`
	const other = "https://m.portal.example/en/flat/lindenweg-5-48120011"
	flatWith := func(facts string) string { return `[{"id":"a@s",` + link + facts + `}]` }
	for _, c := range []struct {
		name, flats, link, facts string
		isKnown                  bool
	}{
		{"the same page", flatWith(`,"area":50`), "https://portal.example/expose/48120011?utm_source=a", `"area":70`, true},
		{"another page", flatWith(""), other, `"title":"x"`, true},
		{"another number", flatWith(""), other + "2", `"title":"x"`, false},
		{"about the area", flatWith(`,"area":50`), other, `"area":52`, true},
		{"another area", flatWith(`,"area":50`), other, `"area":52.1`, false},
		{"an area that one of them says", flatWith(""), other, `"area":52.1`, true},
		{"the same rooms", flatWith(`,"rooms":2`), other, `"rooms":2.0`, true},
		{"other rooms", flatWith(`,"rooms":2`), other, `"rooms":2.5`, false},
		{"other bedrooms", flatWith(`,"bedrooms":2`), other, `"bedrooms":3`, false},
		{"another code", flatWith(`,"service_postal_code":"69007"`), other, `"service_postal_code":"69003"`, false},
		{"another code in the location", flatWith(`,"location":"Weg 5, 69007 Lyon"`), other, `"location":"69003 Lyon"`,
			false},
		{"a longer code", flatWith(`,"service_postal_code":"SW1A"`), other, `"service_postal_code":"sw1a 1aa"`, true},
		{"another place", flatWith(`,"location":"Lyon"`), other, `"location":"Lyon 7e"`, true},
		{"another cost", flatWith(`,"cost":900`), other, `"cost":500`, true},
		{"facts that the user has corrected", `[{"id":"a@s",` + link + `,"area":80,"corrected":{"area":50}}]`, other,
			`"area":50`, true},
		{"a link that the user has replaced", `[{"id":"a@s","urls":["https://b.example/1"],"corrected":{` + link + `}}]`,
			other, `"area":50`, true},
		{"several links of a flat", `[{"id":"a@s","urls":["https://www.portal.example/p/48120011/left",
			"https://www.portal.example/p/48120011"]}]`, "https://www.portal.example/p/48120011/right", `"area":50`, false},
		{"of two units", `[{"id":"a@s","urls":["https://www.portal.example/p/48120011/left"]},
			{"id":"b@s","urls":["https://www.portal.example/p/48120011/right"]}]`, other, `"area":50`, false},
		{"of two units of two areas", `[{"id":"a@s","area":50,"urls":["https://www.portal.example/p/48120011/left"]},
			{"id":"b@s","area":60,"urls":["https://www.portal.example/p/48120011/right"]}]`, other, `"area":50`, true},
		{"of a home that is here twice", `[{"id":"b@s","status":"duplicate",` + link + `},{"id":"a@s",` +
			`"urls":["https://portal.example/en/48120011"]}]`, other, `"area":50`, true},
		{"the number of an agency", manyFlats(maxSameNumber+1, `"urls":["https://portal.example/48120011?a=%[1]d"]`), other,
			`"area":50`, false},
	} {
		for _, form := range []string{"import", "read"} {
			s := newService(t, c.flats, "[]")
			size, isKnown, body := s.store.snapshot().size, false, ""
			if form == "read" {
				body = s.ask("POST", "/api/v1/read", `{"link":"`+c.link+`","text":"`+readable(c.facts)+`"}`).body
				isKnown = strings.Contains(body, `"known":"a@s"`)
			} else {
				body = s.ask("POST", "/api/v1/import", `[{"link":"`+c.link+`",`+c.facts+`}]`).body
				isKnown = s.store.snapshot().size == size
			}
			if isKnown != c.isKnown {
				t.Errorf("%s, %s: it is the flat: %v; want %v: %s", c.name, form, isKnown, c.isKnown, body)
			}
		}
	}
}

// readable returns a member of a listing as a text says it.
func readable(member string) string {
	name, value, _ := strings.Cut(member, ":")
	switch strings.Trim(name, `"`) {
	case "area":
		return "Wohnfläche: " + strings.ReplaceAll(value, ".", ",") + " m²"
	case "rooms":
		return "Zimmer: " + strings.ReplaceAll(value, ".", ",")
	case "bedrooms":
		return value + " bedrooms"
	case "service_postal_code", "location":
		return "Wohnung zur Miete\\nAdresse: " + strings.Trim(value, `"`) + " Lyon"
	}
	return "x"
}

// Listings of one import whose links have one number are one home, unless their facts or places differ.
func TestOtherLinksInImport(t *testing.T) {
	const a, b = `"link":"https://portal.example/48120011"`, `"link":"https://www.portal.example/de/flat-48120011.html"`
	for _, c := range []struct {
		name, listings string
		want           int // flats
	}{
		{"two pages of one number", `{` + a + `},{` + b + `}`, 1},
		{"one place", `{` + a + `,"location":"Lyon"},{` + b + `,"location":"lyon"}`, 1},
		{"two places", `{` + a + `,"location":"Lyon"},{` + b + `,"location":"Paris"}`, 2},
		{"two places of one page", `{` + a + `,"location":"Lyon"},{` + a + `,"location":"Paris"}`, 1},
		{"other rooms", `{` + a + `,"rooms":2},{` + b + `,"rooms":3}`, 2},
		{"an id that is given first", `{"id":"x@s",` + a + `},{` + b + `}`, 1},
		{"two ids that are given", `{"id":"x@s",` + a + `},{"id":"y@s",` + b + `}`, 2},
		{"an id that is given later", `{` + a + `},{"id":"y@s",` + b + `}`, 2},
		{"a third page, of either home", `{` + a + `,"rooms":2},{` + b + `,"rooms":3},` +
			`{"link":"https://portal.example/x/48120011"}`, 3},
		{"one page again and again", strings.Repeat(`{`+a+`,"rooms":2},`, 20) + `{` + b + `}`, 1},
		{"the number of an agency", repeated(20, `{"link":"https://portal.example/d/c-48120011-%[1]d","rooms":2}`, ","), 20},
		{"links with tokens", repeated(20, `{"link":"https://portal.example/a1b2c3d4e5f6g7h8%[1]d/48120011","rooms":2}`, ","),
			1},
	} {
		s := newService(t, "[]", "[]")
		if got := s.ask("POST", "/api/v1/import", "["+c.listings+"]"); got.status != 200 {
			t.Fatal(got)
		}
		if n := s.store.snapshot().size; n != c.want {
			t.Errorf("%s: %d flats; want %d", c.name, n, c.want)
		}
	}
}

// A flat keeps its links. It does not get another link of the same listing, or its links would become more with each
// crawl.
func TestOtherLinkIsNotAdded(t *testing.T) {
	s := newService(t, "[]", "[]")
	const other = "https://other.example/7"
	for _, c := range []struct {
		listing string
		want    Counts
	}{
		{`{"link":"https://portal.example/48120011/a7QSyHDgxpxYrL89","cost":900}`, Counts{Added: 1}},
		{`{"link":"https://portal.example/48120011/b7QSyHDgxpxYrL90","cost":900}`, Counts{Unchanged: 1}},
		{`{"urls":["https://portal.example/48120011","` + other + `"]}`, Counts{Updated: 1}}, // by other alone
	} {
		s.want(s.ask("POST", "/api/v1/import", "["+c.listing+"]"), 200, countsOf(c.want))
	}
	urls := s.store.snapshot().row(0).URLs.JSON()
	if strings.Count(urls, "https://") != 2 || !strings.Contains(urls, other) {
		t.Errorf("the flat has the links %s; want the first one of the listing and %s", urls, other)
	}
}

// tokenMail returns a mail of a day about a home that costs so much. Its link has the path, in which a token stands
// beside the number of the home.
func tokenMail(day time.Time, path, cost string) string {
	link := "https://www.homes-west.example/" + path
	return "From: Homes <alert@mail.homes-west.example>\nDate: " + day.Format(time.RFC1123Z) + "\n" +
		"Subject: New flats to rent\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n" +
		cardOf(link, "https://img.homes-west.example/"+cost+".jpg", "Sunny flat by the park for "+cost,
			"€"+cost+" per month", "3 rooms · 72 m²", "12 High Street, Galway")
}

// A home whose link has another token in the mail of each week is one flat, and the mail of the next week tells of the
// price cut. The same holds for a flat that is added by hand before or afterwards.
func TestMailTokens(t *testing.T) {
	const plain = "https://www.homes-west.example/homedetails/12-High-St/57650011_zpid/"
	const likePlain = "routing/email/zpid_target/57650011_zpid/X1-%s_guyv7_sse/?z" // names the number as plain does
	const added = `[{"id":"a@s","urls":["` + plain + `"],"first_seen":"2026-11-01T00:00:00Z"}]`
	for _, c := range []struct{ path, flats string }{
		{likePlain, "[]"}, {likePlain, added}, {"mail/%s/expose/57650011", "[]"}, {"n/57650011/%s", "[]"},
	} {
		s := newService(t, c.flats, "[]")
		firstDay := time.Date(2026, 11, 16, 7, 0, 0, 0, time.UTC)
		s.sendMail(tokenMail(firstDay, fmt.Sprintf(c.path, "SStje3nlbedzfo0000000000"), "2150"))
		s.sendMail(tokenMail(firstDay.Add(7*day), fmt.Sprintf(c.path, "SSkkdgthlr97vb0000000000"), "1990"))
		flats := s.store.snapshot()
		f := flats.row(0)
		if flats.size != 1 || f.Cost.JSON() != "1990" || !strings.Contains(f.CostHistory.JSON(), "2150") {
			t.Errorf("%s: %d flats, the first one costs %s after %s; want one flat, which costs 1990 after 2150", c.path,
				flats.size, f.Cost.JSON(), f.CostHistory.JSON())
		}
		read := s.ask("POST", "/api/v1/read", `{"link":"`+plain+`"}`).body // as the page asks for a link that somebody adds
		if c.path == likePlain && !strings.Contains(read, `"known":`) {
			t.Errorf("%s: the plain link is read as %s; want a known flat", c.path, read)
		}
	}
}

// Two flats with two links of one listing are duplicates, and the reasons say so.
func TestDuplicatesByLinks(t *testing.T) {
	const a = `"urls":["https://portal.example/48120011"]`
	const b = `"urls":["https://www.portal.example/de/flat-48120011.html"]`
	withTokens := func(n int) string {
		return repeated(n, `{"id":"f%[1]d","urls":["https://portal.example/48120011/a1b2c3d4e5f6g7h8%[1]d"]}`, ",")
	}
	for _, c := range []struct {
		name, flats string
		want        string // the ids of the group and its reasons, or "" for no duplicates
	}{
		{"two pages", `{"id":1,` + a + `},{"id":2,` + b + `}`, "1 2 number"},
		{"one page", `{"id":1,` + a + `},{"id":2,"urls":["https://m.portal.example/48120011/?utm_source=a"]}`,
			"1 2 number url"},
		{"other areas", `{"id":1,` + a + `,"area":50},{"id":2,` + b + `,"area":53}`, ""},
		{"other rooms", `{"id":1,` + a + `,"rooms":2},{"id":2,` + b + `,"rooms":3}`, ""},
		{"other places", `{"id":1,` + a + `,"location":"Weg 12"},{"id":2,` + b + `,"location":"Weg 14"}`, "1 2 number"},
		{"somebody has said no", `{"id":1,` + a + `,"not_duplicates":[2]},{"id":2,` + b + `}`, ""},
		{"already a duplicate", `{"id":1,` + a + `,"status":"duplicate"},{"id":2,` + b + `}`, ""},
		{"two units with another number", `{"id":1,` + a + `},{"id":2,"urls":["https://portal.example/p/1234567/a"]},
			{"id":3,` + b + `},{"id":4,"urls":["https://portal.example/p/1234567/b"]}`, "1 3 number"},
		{"links that differ more", repeated(8, `{"id":"f%[1]d","urls":["https://portal.example/x%[1]d/48120011"]}`, ","), ""},
		{"links with tokens", withTokens(maxSameNumber), "f0 f1 f2 f3 f4 f5 f6 f7 number"},
		{"the number of an agency", withTokens(maxSameNumber + 1), ""},
	} {
		if got := newService(t, "["+c.flats+"]", "[]").duplicates(); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// After any changes, the index has what the flats have.
func TestRandomLinkIndex(t *testing.T) {
	s := newService(t, "[]", "[]")
	random := rand.New(rand.NewPCG(1, 2))
	urls := func() string {
		list := []string{}
		for range random.IntN(3) {
			list = append(list, fmt.Sprintf("https://portal.example/%d/4812001%d", random.IntN(2), random.IntN(4)))
		}
		return encodeJSON(list)
	}
	for range 300 {
		id := fmt.Sprintf("%d@s", random.IntN(20))
		if random.IntN(2) == 0 || s.store.Get(id) == nil {
			s.ask("POST", "/api/v1/import", `[{"id":"`+id+`","urls":`+urls()+`}]`)
		} else {
			s.ask("PATCH", "/api/v1/flat/"+id, `{"urls":`+urls()+`}`)
		}
		if random.IntN(10) > 0 {
			continue // the index is compared only sometimes, so that it brings itself up to several changes
		}
		flats, want := s.store.snapshot(), map[uint64][]uint32{}
		index := s.store.links
		for row, f := range flats.all() {
			for hash := range index.hashes(f) {
				want[hash] = append(want[hash], row)
			}
		}
		index.lockFor(nil, flats) // brings it up to date
		for hash := range want {
			if !slices.Equal(index.rows[hash], want[hash]) {
				t.Errorf("the index has the rows %v; want %v", index.rows[hash], want[hash])
			}
		}
		if len(index.rows) != len(want) {
			t.Errorf("the index has %d entries; want %d", len(index.rows), len(want))
		}
		index.Release()
		link := fmt.Sprintf("https://portal.example/1/4812001%d", random.IntN(4))
		known := newKnownLinks(nil, index, flats).idWithKey(listing.LinkKey(link))
		if wanted := firstWith(flats, link); known != wanted {
			t.Errorf("%s is known as %q; want %q", link, known, wanted)
		}
	}
}

// firstWith returns the id of the first flat with a link, or "".
func firstWith(flats *snapshot[Flat], link string) string {
	for _, f := range flats.all() {
		if strings.Contains(f.URLs.JSON()+f.Corrected.JSON(), encodeJSON(link)) {
			return f.ID.String()
		}
	}
	return ""
}

// A flat is found by its first links, even if it has a megabyte of links.
func TestManyLinksOfFlat(t *testing.T) {
	s := newService(t, "[]", "[]")
	var links []string
	for i := range 9000 {
		links = append(links, fmt.Sprintf("https://portal.example/expose/%d", 48120000+i))
	}
	urls, _ := json.Marshal(links)
	s.want(s.ask("POST", "/api/v1/import", `[{"id":"a@s","urls":`+string(urls)+`}]`), 200, countsOf(Counts{Added: 1}))
	for i, want := range map[int]string{0: "a@s", maxLinks - 1: "a@s", maxLinks: ""} {
		known := newKnownLinks(nil, s.store.links, s.store.snapshot()).idOfLink(
			fmt.Sprintf("https://m.portal.example/en/%d", 48120000+i), members{})
		if known != want {
			t.Errorf("link %d is known as %q; want %q", i, known, want)
		}
	}
}
