// Tests of sitefields.go and of links.go.

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"flats/internal/listing"
)

// constrainedCodes returns the codes of a CSV file with constraints.
func constrainedCodes(t *testing.T, csv string, constraints map[string]Constraint) *PostalCodes {
	t.Helper()
	entries, err := readPostalCodes("codes.csv", []byte(csv))
	if err != nil {
		t.Fatal(err)
	}
	return newPostalCodes(entries, constraints)
}

// The members of a listing are read as sites and programs write them.
func TestSiteFields(t *testing.T) {
	for _, c := range []struct{ listing, want string }{
		// Numbers as texts.
		{`"area":"67","cost":"890","rooms":"2,5","bedrooms":"1"`, `{"area":67,"cost":890,"rooms":2.5,"bedrooms":1}`},
		{`"cost":"1 240"`, `{"cost":1240}`}, {`"cost":"1240.50"`, `{"cost":1240.5}`},
		{`"cost":"1.240"`, `{"cost":1240}`}, {`"cost":"-5","area":"1e2"`, `{"cost":-5,"area":100}`},
		{`"cost":"$450K"`, `{"cost":450000,"currency":"USD"}`},
		{`"cost":"CHF 2'350.–","currency":""`, `{"cost":2350,"currency":"CHF"}`},
		{`"cost":"900 €","currency":"Euro"`, `{"cost":900,"currency":"Euro"}`},
		{`"cost":"9.500 kr.","url":"https://www.a.dk/1"`, `{"cost":9500,"currency":"DKK","urls":["https://www.a.dk/1"]}`},
		{`"area":"850 sq ft"`, `{"area":79}`},
		{`"area":"","cost":" ","rooms":"","notation":"","date":"","visit_date":""`, `{}`},
		{`"charges":"150 €","deposit":"2.400,00","fee":"","notation":"4"`,
			`{"charges":150,"currency":"EUR","deposit":2400,"notation":4}`},
		{`"cost":"£900","fee":"120","deposit":"£1,096.50","charges":" "`,
			`{"cost":900,"currency":"GBP","fee":120,"deposit":1096.5}`},
		{`"deposit":"3 Kaltmieten","fee":"3,57 %","charges":"none"`, `{}`},
		{`"deposit":"CHF 4'500.–","cost":"1'500","currency":null`, `{"deposit":4500,"cost":1500,"currency":"CHF"}`},
		{`"area":"71,5 m²","cost":"1.150","rooms":"3 1/2","bedrooms":"2 ch.","notation":"3.5"`,
			`{"area":71.5,"cost":1150,"rooms":3.5,"bedrooms":2,"notation":3.5}`},
		{`"phone":33199004217`, `{"phone":"33199004217"}`},
		{`"title":7,"service_postal_code":35000,"location":"Weg 3"`, `{"title":"7","location":"Weg 3",
			"service_constraint":"rennes","service_postal_code":{"postal_code":"35000","name":"Rennes","gps":[48.1,-1.6]}}`},
		{`"flatisfy":{"postal_code":35000}`, `{"service_constraint":"rennes",
			"service_postal_code":{"postal_code":"35000","name":"Rennes","gps":[48.1,-1.6]}}`},
		// Names that only the service may use.
		{`"listing.if_new":{"title":"x"},"listing.is_expired":false`,
			`{"listing_if_new":{"title":"x"},"listing_is_expired":false}`},
		// woob's address.
		{`"address":{"full_address":"Rennes 35000"}`, `{"location":"Rennes 35000",
			"service_constraint":"rennes","service_postal_code":{"postal_code":"35000","name":"Rennes","gps":[48.1,-1.6]}}`},
		{`"address":{"full_address":null,"street":"1 rue X","postal_code":"35000","city":"Rennes","region":null}`,
			`{"location":"1 rue X, 35000 Rennes","service_constraint":"rennes",
			"service_postal_code":{"postal_code":"35000","name":"Rennes","gps":[48.1,-1.6]}}`},
		{`"address":{"city":"Rennes","country":"France"}`,
			`{"location":"Rennes","address":{"city":"Rennes","country":"France"}}`},
		{`"address":"Weg 3"`, `{"location":"Weg 3"}`}, {`"address":{"x":1}`, `{"address":{"x":1}}`},
		{`"address":"Weg 3","location":"Platz 1"`, `{"location":"Platz 1","address":"Weg 3"}`},
		// HTML.
		{`"title":"Caf&eacute; <b>T2</b>","text":"<p>a&nbsp;b</p><p>5 &lt; 6<br>&lt;b&gt;</p>","station":"x\u00ady"`,
			`{"title":"Café T2","text":"a\u00a0b\n5 < 6\n<b>","station":"xy"}`},
		{`"title":"5 < 6 & 7","location":"<p>Weg 3</p><p>Ort</p>"`, `{"title":"5 < 6 & 7","location":"Weg 3 Ort"}`},
		{`"details":{"a":"&euro; 5","b":["\u003cb\u003ex\u003c/b\u003e",1.50,null],"c":{"d":"&amp;lt;"}}`,
			`{"details":{"a":"€ 5","b":["x",1.50,null],"c":{"d":"&lt;"}}}`},
		{`"first_seen":"2026-01-01","text":"<b>&amp;"`, `{"text":"<b>&amp;"}`}, // a backup stays as it is
		// Links and photos.
		{`"url":"//a.example/1"`, `{"urls":["https://a.example/1"]}`},
		{`"urls":"www.a.example/1, HTTP://b.example/2,3\nnone"`, `{"urls":["https://www.a.example/1",
			"HTTP://b.example/2,3\nnone"]}`},
		{`"urls":["http://a.example/1","here",7,""]`, `{"urls":["http://a.example/1","here",7]}`},
		{`"photos":"//a.example/1,w.jpg,https://b.example/2.jpg data:image/png;base64,AA== "`,
			`{"photos":["https://a.example/1,w.jpg","https://b.example/2.jpg","data:image/png;base64,AA=="]}`},
		{`"photos":[{"id":1,"url":"www.a.example/1.jpg"},{"url":"1.jpg"},"none","data:text/html,x",{"id":2}]`,
			`{"photos":[{"id":1,"url":"https://www.a.example/1.jpg"},{"id":2}]}`},
		{`"photos":{"x":1}`, `{"photos":{"x":1}}`},
		{`"photos":[5,true,null,{"x":1},["https://a.org/1"],"text","https://a.org/2"]`,
			`{"photos":[{"x":1},"https://a.org/2"]}`},
		{`"photos":5`, `{}`},
		// A dump of Flatisfy's.
		{`"flatisfy_constraint":null,"visit_date":"2026-01-02T10:00:00","is_expired":false`,
			`{"visit_date":"2026-01-02T10:00:00Z"}`},
		{`"flatisfy_constraint":null,"visit_date":"2026-01-02T10:00+01:00"`, `{"visit_date":"2026-01-02T10:00+01:00"}`},
		{`"visit_date":"2026-01-02T10:00","is_expired":true`, `{"visit_date":"2026-01-02T10:00","is_expired":true}`},
	} {
		s := newService(t, "[]", "[]")
		s.store.codes = constrainedCodes(t, "postal_code,name,lat,lng,area\n35000,Rennes,48.1,-1.6,FR-35\n",
			map[string]Constraint{"rennes": {Areas: []string{"FR-35"}}})
		got := s.ask("POST", "/api/v1/import", `{"id":"a",`+c.listing+`}`)
		if got.status != 200 {
			t.Errorf("%s: %s", c.listing, got.body)
			continue
		}
		if got := knownMembers(s.store.Get("a")); !sameJSON(got, c.want) {
			t.Errorf("%s\ngot  %s\nwant %s", c.listing, got, c.want)
		}
	}
}

// Of two names for one member in Flatisfy's object, the same one counts each time.
func TestMatchedNames(t *testing.T) {
	t.Parallel()
	for nested, want := range map[string]string{
		`{"matched_stations":["a"],"stations":["b"]}`: `["b"]`,
		`{"matched_stations":["a"],"stations":null}`:  `["a"]`,
	} {
		for range 50 { // in whatever order the members come
			got := normalize(members{"flatisfy": json.RawMessage(nested)})
			if got.text("service_stations") != want {
				t.Fatalf("of %s got %s; want %s", nested, got.text("service_stations"), want)
			}
		}
	}
}

// An expired listing of a dump of Flatisfy's is gone, since the import that said so first.
func TestExpired(t *testing.T) {
	s := newService(t, "[]", "[]")
	load := func(isExpired string) (goneSince string) {
		t.Helper()
		got := s.ask("POST", "/api/v1/import", `[{"id":"a","flatisfy_constraint":"x","is_expired":`+isExpired+`}]`)
		if got.status != 200 {
			t.Fatal(got.body)
		}
		return s.store.Get("a").Gone.String()
	}
	gone := load("true")
	if gone == "" || load("true") != gone {
		t.Errorf("gone %q, then %q", gone, s.store.Get("a").Gone.String())
	}
	if now := load("false"); now != "" {
		t.Errorf("a flat that is there again is gone since %s", now)
	}
	if load("true") == "" || s.store.Get("a").FirstSeen.String() == "" {
		t.Errorf("got %s", s.store.Get("a").JSON())
	}
}

// A listing without an id is known by its link, under all the shapes in which portals write it.
func TestListingsByLink(t *testing.T) {
	// Of two flats with one link, the duplicate does not count.
	s := newService(t, `[{"id":"1@s","status":"duplicate","urls":["https://www.portal.example/expose/1234567"]},
		{"id":2,"notes":"mine","urls":["https://m.portal.example/expose/1234567?utm_source=x"]}]`, "[]")
	load := func(listings, counts string) {
		t.Helper()
		s.want(s.ask("POST", "/api/v1/import", listings), 200, `{"data":{`+counts+`}}`)
	}
	for i, url := range []string{"https://www.portal.example/expose/1234567", "http://portal.example/expose/1234567/",
		"https://portal.example/expose/1234567?serp_view=list", "https://PORTAL.example/expose/1234567?xtmc=a&xtcr=1",
		"//www.portal.example/expose/1234567?navigateSource=x#gallery", "www.portal.example/expose/1234567"} {
		load(fmt.Sprintf(`[{"url":%q,"cost":%d}]`, url, i+1), `"added":0,"updated":1,"unchanged":0,"gone":0`)
		if f := s.store.Get("2"); f.Cost.number != float64(i+1) || notesOf(f) != "mine" {
			t.Errorf("%s: %s", url, f.JSON())
		}
	}
	// A flat whose urls are not a list is known by them, too. Its urls stay as they are, unless there is a new link.
	for i, c := range []struct{ urls, link, want string }{
		{`"https://plain.example/100001"`, "http://www.plain.example/100001/?xtmc=a", `"https://plain.example/100001"`},
		{`"www.plain.example/100002"`, "https://plain.example/100002", `"www.plain.example/100002"`},
		{`"https://plain.example/100003 https://b.example/100003"`, "https://b.example/100003#x",
			`"https://plain.example/100003 https://b.example/100003"`},
		{`"https://plain.example/100004"`, "https://plain.example/100004?gclid=1 https://c.example/100004",
			`["https://plain.example/100004","https://c.example/100004"]`},
		{`"https://plain.example/e?id=5"`, "https://plain.example/e?fbclid=3&id=5", `"https://plain.example/e?id=5"`},
	} {
		id := fmt.Sprintf("plain%d@s", i)
		load(`{"id":"`+id+`"}`, `"added":1,"updated":0,"unchanged":0,"gone":0`)
		s.ask("PATCH", "/api/v1/flat/"+id, `{"urls":`+c.urls+`}`)
		load(`{"url":"`+c.link+`","cost":1}`, `"added":0,"updated":1,"unchanged":0,"gone":0`)
		if got := s.store.Get(id).URLs.JSON(); got != c.want {
			t.Errorf("%s: got the links %s; want %s", c.urls, got, c.want)
		}
	}
	// A new link makes a flat, which is found by it afterwards.
	const link = "https://other.example/home?id=7"
	load(`{"urls":["`+link+`"],"id":null,"title":"a"}`, `"added":1,"updated":0,"unchanged":0,"gone":0`)
	load("url,title\n"+link+"&utm_medium=mail,a\n", `"added":0,"updated":0,"unchanged":1,"gone":0`)
	// A flat keeps its links.
	load(`{"urls":["https://new.example/1","`+link+`#x"]}`, `"added":0,"updated":1,"unchanged":0,"gone":0`)
	if got := s.store.Get(listing.LinkID(link)).URLs.JSON(); got != `["`+link+`","https://new.example/1"]` {
		t.Errorf("got the links %s", got)
	}
	load(`{"url":"https://other.example/home?id=8","title":"b"}`, `"added":1,"updated":0,"unchanged":0,"gone":0`)
	if f := s.store.Get(listing.LinkID(link)); f == nil || !strings.HasSuffix(f.ID.String(), "@other.example") {
		t.Errorf("no flat %s", listing.LinkID(link))
	}
	// Two listings of an import with one link are one flat, also if only the first one has an id.
	load(`[{"id":"z@s","url":"https://z.example/12345"},{"url":"http://www.z.example/12345/","cost":5},
		{"url":"https://y.example/1"},{"url":"https://www.y.example/1","cost":6}]`,
		`"added":2,"updated":2,"unchanged":0,"gone":0`)
	// An id that is given stays as it is.
	load(`[{"id":"other","url":"https://z.example/12345"}]`, `"added":1,"updated":0,"unchanged":0,"gone":0`)
	// A complete import of the site that the link names.
	s.want(s.ask("POST", "/api/v1/import?complete=other.example", `[{"url":"`+link+`"}]`), 200,
		`{"data":{"added":0,"updated":0,"unchanged":1,"gone":1}}`)
	for _, text := range []string{`{"title":"a"}`, `{"url":"here"}`, `{"urls":[7]}`, `{"id":"","url":""}`} {
		s.refuse(s.ask("POST", "/api/v1/import", text), 400, "Nothing was imported: body:1: "+noID+".")
	}
	same := `{"url":"https://same.example/1"},`
	s.refuse(s.ask("POST", "/api/v1/import", "["+strings.Repeat(same, maxRepeats)+same[:len(same)-1]+"]"), 400,
		"Nothing was imported: body:1: listing 101 (https://same.example/1): id: "+
			excerpt(listing.LinkID("https://same.example/1"))+" appears more than 100 times.")
}

// A listing is known by its link, in all the shapes in which programs write urls. Objects and lists that hold nothing
// but links become a list of links. An object that says more keeps its shape.
func TestShapesOfLinks(t *testing.T) {
	const link = "https://portal.example/expose/1234567"
	const deep = 50 // objects in each other, of which none has a link
	for _, c := range []struct{ listing, want string }{
		// Objects and lists that hold nothing but links.
		{`"urls":[{"url":"LINK"}]`, `["LINK"]`},
		{`"urls":[{"link":"LINK"}]`, `["LINK"]`},
		{`"urls":[{"href":"LINK/#x"}]`, `["LINK/#x"]`},
		{`"urls":{"href":"//www.portal.example/expose/1234567"}`, `["https://www.portal.example/expose/1234567"]`},
		{`"url":{"@id":"LINK","title":null}`, `["LINK"]`},
		{`"url":[{"uri":"LINK"}]`, `["LINK"]`},
		{`"urls":{"portal":"LINK","other":"https://b.example/1"}`, `["https://b.example/1","LINK"]`}, // in order of the names
		{`"urls":[["LINK"],["https://b.example/1"]]`, `["LINK","https://b.example/1"]`},
		// Objects that say more.
		{`"urls":[{"rel":"self","href":"LINK"}]`, `[{"rel":"self","href":"LINK"}]`},
		{`"urls":{"name":"Portal","url":"LINK","logo":"https://portal.example/1.png"}`,
			`[{"name":"Portal","url":"LINK","logo":"https://portal.example/1.png"}]`},
		{`"urls":[{"url":"www.portal.example/expose/1234567","id":3}]`,
			`[{"url":"https://www.portal.example/expose/1234567","id":3}]`},
		{`"urls":{"self":{"href":"LINK"},"search":{"href":"https://b.example/"}}`, // self is the link of the whole object
			`[{"self":{"href":"LINK"},"search":{"href":"https://b.example/"}}]`},
		// Texts with marks around the links.
		{`"urls":["<LINK>"]`, `["LINK"]`},
		{`"urls":"[Altbau, 2 Zi.](LINK)"`, `["LINK"]`},
		{`"urls":["<a href=\"LINK\">Altbau</a>"]`, `["LINK"]`},
		{`"urls":"['LINK', 'https://b.example/1']"`, `["LINK","https://b.example/1"]`},
		{`"urls":"[\"LINK\"]"`, `["LINK"]`},
		{`"urls":["LINK?a=1&amp;b=2"]`, `["LINK?a=1\u0026b=2"]`},
		// Links in other members, which count if urls has none.
		{`"link":"LINK"`, `["LINK"]`},
		{`"urls":null,"href":"LINK"`, `["LINK"]`},
		{`"urls":[],"property_url":"LINK"`, `["LINK"]`},
		{`"link":7,"permalink":"LINK"`, `["LINK"]`},
		{`"_links":{"curies":[{"href":"https://b.example/"}],"self":{"href":"LINK"}}`, `["LINK"]`},
		{`"links":[{"rel":"alternate","href":"LINK"},{"rel":"up","href":"https://b.example/"}]`, `["LINK"]`},
		{`"link":` + strings.Repeat(`{"url":`, deep) + `7` + strings.Repeat("}", deep) + `,"href":"LINK"`, `["LINK"]`},
	} {
		listing, want := strings.ReplaceAll(c.listing, "LINK", link), strings.ReplaceAll(c.want, "LINK", link)
		s := newService(t, `[{"id":"mine","urls":["`+link+`"]}]`, "[]")
		s.want(s.ask("POST", "/api/v1/import", `{"title":"T",`+listing+`}`), 200,
			`{"data":{"added":0,"updated":1,"unchanged":0,"gone":0}}`)
		s.ask("POST", "/api/v1/import", `{"id":"new",`+listing+`}`) // a new id makes it another flat
		f := s.store.Get("new")
		if got := f.URLs.JSON(); !sameJSON(got, want) {
			t.Errorf("%s: got the links %s; want %s", c.listing, got, want)
		}
		if got := f.URLs.first.String(); !strings.HasPrefix(got, "http") {
			t.Errorf("%s: got the first link %q; want one that begins with http", c.listing, got)
		}
	}
}

// The urls of a flat may have any shape, since the API stores them as they are. The flat is known by
// them, and keeps them.
func TestShapesOfStoredLinks(t *testing.T) {
	const link = "https://portal.example/expose/1234567"
	for _, urls := range []string{`["LINK"]`, `"LINK"`, `[{"url":"LINK"}]`, `{"href":"LINK","title":"T"}`, `[["LINK"]]`,
		`{"portal":"LINK"}`, `[7,"<LINK>"]`, `"[T](LINK)"`, `"LINK?a=1&amp;b=2"`} {
		s := newService(t, `[{"id":"mine","urls":`+strings.ReplaceAll(urls, "LINK", link)+`}]`, "[]")
		load := `{"urls":["http://www.portal.example/expose/1234567","https://b.example/1"],"title":"T"}`
		s.want(s.ask("POST", "/api/v1/import", load), 200, `{"data":{"added":0,"updated":1,"unchanged":0,"gone":0}}`)
		got := s.store.Get("mine").URLs.JSON()
		isAdded := strings.HasSuffix(got, `,"https://b.example/1"]`)
		isRepeated := strings.Contains(got, "www") // the same link in the spelling of the listing
		if !strings.Contains(got, link) || !isAdded || isRepeated {
			t.Errorf("%s: got the links %s; want %s as it was, and then https://b.example/1", urls, got, link)
		}
		if strings.Contains(urls, "title") != strings.Contains(got, "title") {
			t.Errorf("%s: the members of an object are lost: %s", urls, got)
		}
	}
}

// A code that is loaded for one constraint alone gives a listing that constraint.
func TestConstraintOfCode(t *testing.T) {
	s := newService(t, `[{"id":"old","service_constraint":"both"}]`, "[]")
	s.store.codes = constrainedCodes(t, tenCountries, map[string]Constraint{"berlin": {Areas: []string{"DE-BE"}},
		"south": {Areas: []string{"DE-BY"}}, "gallen": {Areas: []string{"CH-SG"}},
		"both": {Areas: []string{"DE-BY", "DE-SN"}}})
	for _, c := range []struct{ listing, want string }{ // want is the constraint
		{`"id":1,"location":"10115 Berlin"`, "berlin"},
		{`"id":2,"service_postal_code":"10115"`, "berlin"},
		{`"id":3,"location":"80331 München"`, ""}, // of two constraints
		{`"id":4,"location":"01067 Dresden"`, "both"},
		{`"id":5,"location":"5020 Salzburg"`, ""},                                      // of no constraint
		{`"id":6,"service_postal_code":"10115","service_constraint":"south"`, "south"}, // which the listing says
		{`"id":"old","service_postal_code":"10115"`, "both"},                           // which the flat has
		{`"id":7,"service_postal_code":"10115","first_seen":"2026-01-01"`, ""},         // a backup
		// Of several countries with a code, the one that the location tells.
		{`"id":8,"location":"9000 Aalborg"`, ""}, {`"id":9,"location":"9000 St. Gallen"`, "gallen"},
		{`"id":10,"service_postal_code":"9000","location":"9000 Aalborg"`, ""},
		{`"id":11,"service_postal_code":"9000","location":"Vesterbro 5"`, "gallen"},
	} {
		s.ask("POST", "/api/v1/import", "{"+c.listing+"}")
		idMember, _, _ := strings.Cut(c.listing, ",")
		id := strings.Trim(strings.TrimPrefix(idMember, `"id":`), `"`)
		if got := s.store.Get(id).ServiceConstraint.String(); got != c.want {
			t.Errorf("%s: %q; want %q", c.listing, got, c.want)
		}
	}
	s.want(s.ask("GET", "/api/v1/find?filter[service_constraint]=berlin&fields=place&sort=id", ""), 200,
		`{"data":[{"id":1,"place":"10115 Berlin"},{"id":2,"place":"10115 Berlin"}],"page":0,"items_per_page":2,"total":2,
		"counts":{}}`)
}

// A new flat has empty lists and objects in place of null, and null does not replace them.
func TestEmptyValues(t *testing.T) {
	s := newService(t, `[{"id":"old"}]`, "[]")
	const nulls = `"photos":null,"urls":null,"details":null,"merged_ids":null,` +
		`"service_stations":null,"service_time_to":null`
	for _, counts := range []Counts{{Added: 1, Unchanged: 1}, {Unchanged: 2}} { // of the first import, and of a second
		s.want(s.ask("POST", "/api/v1/import", `[{"id":"new",`+nulls+`},{"id":"old",`+nulls+`}]`), 200, countsOf(counts))
		got := s.ask("GET", "/api/v1/flats/new", "").body
		for name, empty := range emptyValues {
			if !strings.Contains(got, fmt.Sprintf(`"%s":%s,`, name, empty)) {
				t.Errorf("%s is missing in %s", name, got)
			}
		}
		if got := s.ask("GET", "/api/v1/flats/old", "").body; !strings.Contains(got, `"photos":null`) {
			t.Errorf("got %s", got)
		}
	}
	s.want(s.ask("GET", "/api/v1/find?known[photos]=yes&fields=id", ""), 200,
		`{"data":[],"page":0,"items_per_page":0,"total":0,"counts":{}}`)
}
