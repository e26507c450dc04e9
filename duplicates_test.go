// Tests of duplicates.go.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"flats/internal/turns"
)

// duplicates returns the groups of duplicates, each as its ids and then its reasons: "a b place; c d phone photo" are
// two groups.
func (s *service) duplicates() string {
	s.Helper()
	var list struct {
		Data []struct {
			IDs     []any
			Because []string
		}
	}
	got := s.ask("GET", "/api/v1/duplicates", "")
	if err := json.Unmarshal([]byte(got.body), &list); err != nil || got.status != 200 {
		s.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	var groups []string
	for _, group := range list.Data {
		groups = append(groups, strings.Trim(fmt.Sprint(group.IDs), "[]")+" "+strings.Join(group.Because, " "))
	}
	return strings.Join(groups, "; ")
}

// A modelHome has the fields of a flat that modelDuplicates compares.
type modelHome struct {
	ID, Currency, Location, Phone, Status string
	Cost, Area, Rooms                     *float64
	Photos, URLs                          []string
	Merged                                []string `json:"merged_ids"`
	Apart                                 []string `json:"not_duplicates"`
	Code                                  struct {
		Code string `json:"postal_code"`
	} `json:"service_postal_code"`
}

// modelAddresses are the addresses of random locations: the first four letters of the street in both spellings, such as
// ö and oe, the house number with its letter, and the floor and the door if it says them.
var modelAddresses = map[string][]string{
	"x 5":             {"x", "x", "5"},
	"X 5, 3. OG":      {"x", "x", "5", "3"},
	"y, Xö 12a":       {"xo", "xoe", "12a"},
	"xoe 12 A, 12345": {"xoe", "xoe", "12a"},
	"x 5 3., 12":      {"x", "x", "5", "3", "12"},
	"x, 5, 4, 1234":   {"x", "x", "5", "4"},
	"xyzöx 5/3/13":    {"xyzo", "xyzo", "5", "3", "13"},
	"Xyz Oeyyy 5":     {"xyzo", "xyzo", "5"},
}

// modelAddressesDiffer reports whether two locations are addresses of different homes. An address that only leaves out
// parts of the other one may be of the same home.
func modelAddressesDiffer(a, b string) bool {
	x, y := modelAddresses[a], modelAddresses[b]
	if x == nil || y == nil {
		return false
	}
	isOtherStreet := x[0] != y[0] && x[1] != y[1]
	n := min(len(x), len(y))
	return isOtherStreet || !slices.Equal(x[2:n], y[2:n])
}

// modelRelations returns the relations of flats, by their names, most of which are reasons. shown has the rows of the
// flats with each photo and each link.
func modelRelations(shown map[string]map[int]bool) map[string]func(a, b modelHome) bool {
	shareAny := func(a, b []string) bool { // of the addresses of photos or links that not too many flats have
		return slices.ContainsFunc(a, func(address string) bool {
			return len(shown[address]) <= maxShared && slices.Contains(b, address)
		})
	}
	signs := map[string]string{"€": "EUR", "$": "USD", "£": "GBP"}
	digits := func(s string) string { return regexp.MustCompile(`[^0-9]`).ReplaceAllString(s, "") }
	const rounding = 1e-6
	return map[string]func(a, b modelHome) bool{
		"apart": func(a, b modelHome) bool { return slices.Contains(a.Apart, b.ID) || slices.Contains(b.Apart, a.ID) },
		// The costs differ by at most 2 %, the areas by at most 1 m².
		"alike": func(a, b modelHome) bool {
			return a.Cost != nil && b.Cost != nil && a.Area != nil && b.Area != nil &&
				cmp.Or(signs[a.Currency], a.Currency) == cmp.Or(signs[b.Currency], b.Currency) &&
				max(*a.Cost, *b.Cost)*0.98 <= min(*a.Cost, *b.Cost)+rounding &&
				max(*a.Area, *b.Area) <= min(*a.Area, *b.Area)+1+rounding &&
				(a.Rooms == nil || b.Rooms == nil || *a.Rooms == *b.Rooms) && !modelAddressesDiffer(a.Location, b.Location)
		},
		"code": func(a, b modelHome) bool { return a.Code.Code != "" && a.Code.Code == b.Code.Code },
		"location": func(a, b modelHome) bool {
			return a.Location != "" && a.Location == b.Location &&
				(a.Code.Code == "" || b.Code.Code == "" || a.Code.Code == b.Code.Code)
		},
		"phone": func(a, b modelHome) bool { return digits(a.Phone) != "" && digits(a.Phone) == digits(b.Phone) },
		"merged_ids": func(a, b modelHome) bool {
			return slices.Contains(a.Merged, b.ID) || slices.Contains(b.Merged, a.ID)
		},
		"photo": func(a, b modelHome) bool { return shareAny(a.Photos, b.Photos) },
		"url":   func(a, b modelHome) bool { return shareAny(a.URLs, b.URLs) },
	}
}

// modelDuplicates computes the groups that duplicates should return. The store must be in
// the order of the ids. It compares each flat with all others, and then, for the reasons,
// each flat of a group with all others of the group. The place and the phone are reasons
// within a set of flats that are alike in pairs.
func (s *service) modelDuplicates() string {
	var list struct{ Data []modelHome }
	if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats?sort=id", "").body), &list); err != nil {
		s.Fatal(err)
	}
	flats, shown := list.Data, map[string]map[int]bool{} // the rows of the flats with each photo and each link
	for i, f := range flats {
		for _, address := range slices.Concat(f.Photos, f.URLs) {
			if shown[address] == nil {
				shown[address] = map[int]bool{}
			}
			shown[address][i] = true
		}
	}
	relations := modelRelations(shown)
	is := func(relation string, i, k int) bool { return relations[relation](flats[i], flats[k]) }
	group := make([]int, len(flats)) // the group number of each flat
	members := func(n int) (rows []int) {
		for i := range flats {
			if group[i] == n {
				rows = append(rows, i)
			}
		}
		return rows
	}
	for i := range flats {
		group[i] = i
	}
	// join joins the groups of two flats, unless any two flats of them are to be kept apart.
	join := func(i, k int) bool {
		into, from := group[i], group[k]
		for _, a := range members(into) {
			for _, b := range members(from) {
				if into != from && relations["apart"](flats[a], flats[b]) {
					return false
				}
			}
		}
		for _, b := range members(from) {
			group[b] = into
		}
		return true
	}
	// First, flats are joined by merged_ids, photos and links.
	for i, f := range flats {
		for _, id := range f.Merged {
			k := slices.IndexFunc(flats, func(other modelHome) bool { return other.ID == id })
			if k >= 0 && k != i && f.Status != "duplicate" && flats[k].Status != "duplicate" {
				join(i, k)
			}
		}
		for _, address := range slices.Concat(f.Photos, f.URLs) {
			for k := range i {
				other := flats[k]
				if f.Status != "duplicate" && other.Status != "duplicate" && len(shown[address]) <= maxShared &&
					slices.Contains(slices.Concat(other.Photos, other.URLs), address) {
					join(i, k)
				}
			}
		}
	}
	// Then a flat is joined to the first set of flats with all of which it is alike, and has the code, location or phone,
	// unless it is to be kept apart.
	fitsAll := func(set []int, i int) bool {
		for _, k := range set {
			isAtOnePlace := is("code", i, k) || is("location", i, k)
			if !is("alike", i, k) || !isAtOnePlace && !is("phone", i, k) {
				return false
			}
		}
		return true
	}
	var sets [][]int
	setOf := map[int]int{} // the numbers of the sets of flats, from 1
	for i, f := range flats {
		if f.Status == "duplicate" || f.Cost == nil || f.Area == nil {
			continue
		}
		at := slices.IndexFunc(sets, func(set []int) bool { return fitsAll(set, i) && join(set[0], i) })
		if at < 0 {
			at = len(sets)
			sets = append(sets, nil)
		}
		sets[at] = append(sets[at], i)
		setOf[i] = at + 1
	}
	var groups []string
	for i := range flats {
		rows := members(group[i])
		if isFirst := rows[0] == i; len(rows) == 1 || !isFirst {
			continue
		}
		var ids []string
		because := map[string]bool{}
		for _, a := range rows {
			ids = append(ids, flats[a].ID)
			for _, b := range rows {
				if a == b {
					continue
				}
				isInOneSet := setOf[a] > 0 && setOf[a] == setOf[b]
				for reason, applies := range map[string]bool{
					"merged_ids": is("merged_ids", a, b),
					"photo":      is("photo", a, b),
					"url":        is("url", a, b),
					"phone":      isInOneSet && is("phone", a, b),
					"place":      isInOneSet && (is("code", a, b) || is("location", a, b)),
				} {
					because[reason] = because[reason] || applies
				}
			}
		}
		maps.DeleteFunc(because, func(_ string, applies bool) bool { return !applies })
		groups = append(groups, strings.Join(append(ids, slices.Sorted(maps.Keys(because))...), " "))
	}
	return strings.Join(groups, "; ")
}

// Duplicates groups listings that probably describe one home. The cases cover the rules
// one by one.
func TestDuplicates(t *testing.T) {
	const base = `"cost":1000,"area":50,"currency":"EUR","service_postal_code":"69007"`
	flat := func(id, other string) string { return `{"id":"` + id + `",` + base + `,` + other + `}` }
	// pair returns the flats a and b, whose members replace those of base.
	pair := func(a, b string) string { return flat("a", a) + "," + flat("b", b) }
	photos := func(n int) string {
		var flats []string
		for i := range n {
			flats = append(flats, fmt.Sprintf(`{"id":%d,"photos":["https://example.org/logo.png"]}`, i))
		}
		return strings.Join(flats, ",")
	}
	for _, c := range []struct{ flats, want string }{
		{``, ``},
		{pair(`"title":"x"`, `"title":"y"`), "a b place"},
		// cost
		{pair(`"cost":980`, `"cost":1000`), "a b place"}, {pair(`"cost":1000`, `"cost":979.99`), ""},
		{pair(`"cost":1.00`, `"cost":0.98`), "a b place"},
		{pair(`"cost":null`, `"cost":null`), ""}, {pair(`"cost":0`, `"cost":0`), "a b place"},
		{pair(`"cost":0`, `"cost":0.01`), ""},
		{pair(`"currency":"€"`, `"currency":"EUR"`), "a b place"},
		{pair(`"currency":"$"`, `"currency":"USD"`), "a b place"},
		{pair(`"currency":"£"`, `"currency":"GBP"`), "a b place"},
		{pair(`"currency":null`, `"currency":null`), "a b place"}, {pair(`"currency":null`, `"currency":"EUR"`), ""},
		{pair(`"currency":"$"`, `"currency":"£"`), ""},
		{pair(`"currency":"CHF"`, `"currency":"CHF"`), "a b place"},
		// area
		{pair(`"area":50`, `"area":51`), "a b place"}, {pair(`"area":51.01`, `"area":50`), ""},
		{pair(`"area":128.3`, `"area":127.3`), "a b place"},
		{pair(`"area":65.99`, `"area":66.99`), "a b place"}, {pair(`"area":null`, `"area":null`), ""},
		{pair(`"area":0.5`, `"area":-0.5`), "a b place"},
		// place
		{pair(`"service_postal_code":"69003"`, `"service_postal_code":"69007"`), ""},
		{pair(`"location":"Lyon"`, `"location":"Paris"`), "a b place"},
		{pair(`"service_postal_code":null,"location":"Lyon"`, `"location":"Lyon"`), "a b place"},
		{pair(`"service_postal_code":null,"location":"Lyon"`, `"service_postal_code":"","location":"Lyon"`),
			"a b place"},
		{pair(`"service_postal_code":"69003","location":"Lyon"`, `"location":"Lyon"`), ""},
		{pair(`"service_postal_code":null,"location":"Lyon"`, `"location":"Paris"`), ""},
		{pair(`"service_postal_code":null`, `"service_postal_code":null`), ""},
		{pair(`"service_postal_code":null,"location":""`, `"location":""`), ""},
		// address
		{pair(`"location":"Weg 12"`, `"location":"Weg 14"`), ""},
		{pair(`"phone":"1","location":"Weg 12","service_postal_code":"69003"`, `"phone":"1","location":"Weg 14"`), ""},
		{pair(`"location":"Weg 12","urls":["https://x/1"]`, `"location":"Weg 14","urls":["https://x/1"]`), "a b url"},
		// phone
		{pair(`"service_postal_code":"69003","phone":"01 23-45"`, `"phone":"(01)2345"`), "a b phone"},
		{pair(`"service_postal_code":"69003","phone":"01 23-45"`, `"phone":"+1 2345"`), ""},
		{pair(`"service_postal_code":"1","phone":"-"`, `"phone":"-"`), ""},
		{pair(`"phone":"0123"`, `"phone":"01 23"`), "a b phone place"},
		{pair(`"phone":"0123","cost":5`, `"phone":"0123"`), ""},
		// photos, in each form of the field
		{`{"id":1,"photos":["https://example.org/1.jpg"]},` +
			`{"id":"2","photos":[{"id":"x","url":"https://example.org/1.jpg","data":null}]}`, "1 2 photo"},
		{`{"id":1,"photos":"http:\/\/example.org\/1.jpg?a\u0026b"},` +
			`{"id":2,"photos":["http://example.org/1.jpg?a&b","https://example.org/2.jpg"]}`, "1 2 photo"},
		{`{"id":1,"photos":["https://example.org/1.jpg"]},{"id":2,"photos":["https://example.org/2.jpg"]}`, ""},
		{`{"id":1,"photos":[]},{"id":2,"photos":[]},{"id":3,"photos":["x"]},{"id":4,"photos":["x"]}`, ""},
		{photos(maxShared), "0 1 2 3 4 5 6 7 photo"}, {photos(maxShared + 1), ""},
		{photos(7) + `,{"id":8,"photos":["https://example.org/logo.png","https://example.org/logo.png"]}`,
			"0 1 2 3 4 5 6 8 photo"},
		{photos(maxShared) + `,{"id":9,"status":"duplicate","photos":["https://example.org/logo.png"]}`, ""},
		// merged_ids
		{`{"id":"a","merged_ids":["a","b","z"]},{"id":"b"},{"id":"c"}`, "a b merged_ids"},
		{`{"id":"7"},{"id":"b","merged_ids":[7]}`, "7 b merged_ids"},
		{`{"id":"a","merged_ids":"b"},{"id":"b","merged_ids":null},{"id":"c","merged_ids":{"a":"b"}}`, ""},
		{`{"id":"a","merged_ids":["z"]},{"id":"b","merged_ids":["z"]}`, ""},
		// not_duplicates
		{pair(`"not_duplicates":["b"]`, `"title":null`), ""}, {pair(`"title":null`, `"not_duplicates":["x","a"]`), ""},
		{pair(`"not_duplicates":["a"]`, `"title":null`), "a b place"},
		{`{"id":"a","merged_ids":["b"],"not_duplicates":["b"]},{"id":"b","merged_ids":["a"]}`, ""},
		{`{"id":1,"not_duplicates":["2"],"photos":["https://example.org/1.jpg"]},` +
			`{"id":2,"photos":["https://example.org/1.jpg"]}`, ""},
		// not_duplicates splits a group: a later flat stays with the first one it may join.
		{flat("a", `"not_duplicates":["b"]`) + "," + flat("b", `"title":null`) + "," + flat("c", `"title":null`),
			"a c place"},
		{flat("a", `"not_duplicates":["b"]`) + "," + flat("b", `"title":null`) + "," +
			flat("c", `"not_duplicates":["a"]`), "b c place"},
		{`{"id":"a","not_duplicates":["b","c"],"photos":["https://x/1"]},{"id":"b","photos":["https://x/1"]},` +
			`{"id":"c","photos":["https://x/1"]}`, "b c photo"},
		{`{"id":"a","merged_ids":["b","c"]},{"id":"b","not_duplicates":["c"]},{"id":"c"}`, "a b merged_ids"},
		// status
		{pair(`"status":"duplicate"`, `"title":null`), ""},
		{pair(`"status":"Duplicate"`, `"status":["duplicate"]`), "a b place"},
		{`{"id":"a","merged_ids":["b"],"status":"duplicate"},{"id":"b","merged_ids":["a"]}`, ""},
		// Similarity is not transitive, but merged_ids and photos are.
		{flat("a", `"cost":1000`) + "," + flat("b", `"cost":1015`) + "," + flat("c", `"cost":1030`), "a b place"},
		{flat("a", `"area":50`) + "," + flat("b", `"area":51`) + "," + flat("c", `"area":52`) + "," +
			flat("d", `"area":53`), "a b place; c d place"},
		{flat("a", `"phone":"1"`) + "," + flat("b", `"service_postal_code":"1","phone":"1"`) + "," +
			flat("c", `"service_postal_code":"1"`), "a b phone"},
		{flat("a", `"location":"x"`) + "," + flat("b", `"location":"x","service_postal_code":"1"`) + "," +
			flat("c", `"location":"x","service_postal_code":null`), "a c place"},
		{flat("a", `"merged_ids":["c"]`) + "," + flat("b", `"cost":1015`) + "," + flat("c", `"cost":1030`) + "," +
			flat("d", `"cost":1030`), "a b c d merged_ids place"},
		{`{"id":"a","merged_ids":["b"]},{"id":"b","photos":["https://example.org/1"]},` +
			`{"id":"c","photos":["https://example.org/1"]}`, "a b c merged_ids photo"},
		// A group lists the reasons that joined any two of its flats.
		{flat("a", `"photos":["https://x/1"]`) + "," + flat("b", `"cost":1015,"phone":"1"`) + "," +
			flat("c", `"cost":1030,"phone":"1","photos":["https://x/1"],"service_postal_code":"1"`),
			"a b c photo place"},
		// Groups and ids are in the order of the store.
		{`{"id":9},{"id":"z","merged_ids":["a"]},{"id":8,"merged_ids":[9]},{"id":"a"}`,
			"9 8 merged_ids; z a merged_ids"},
	} {
		if got := newService(t, "["+c.flats+"]", "[]").duplicates(); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.flats, got, c.want)
		}
	}
	s := newService(t, `[{"id":7,"merged_ids":["\u0061"]},{"id":"\u0061"}]`, "[]")
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[{"ids":[7,"a"],"because":["merged_ids"]}]}`)
	s = newService(t, "[]", "[]")
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[]}`)
}

// Flats at one place are no duplicates if their addresses differ: in the first four letters of the street, in the house
// number of one to three digits, or in the floor or the door that both have. An address without a house number differs
// from none. The cases are addresses as they are written in each country.
func TestDuplicateAddresses(t *testing.T) {
	for _, c := range []struct {
		country, a, b string
		differ        bool
	}{
		{"none", "", "Leopoldstraße 12", false},
		{"none", "80802", "80803", false},
		{"none", "München", "Leopoldstraße 12", false},
		{"Germany", "Leopoldstraße 12", "leopoldstr. 12, 80802 München", false},
		{"Germany", "Leopoldstraße 12", "80802 MÜNCHEN, LEOPOLDSTR.12", false},
		{"Germany", "Leopoldstraße 12", "Leopoldstraße 14", true},
		{"Germany", "Leopoldstraße 12", "Leopoldstraße 112", true},
		{"Germany", "Leopoldstraße 12", "Leopoldstraße 1234", false}, // four digits are no house number
		{"Germany", "Leopoldstraße 12", "Ludwigstraße 12", true},
		{"Germany", "Am Hang 3", "Am Berg 3", true},
		{"Germany", "Weg 3", "Wegstraße 3", true},
		{"Germany", "Karl-Marx-Str. 5", "Karl Marx Straße 5", false},
		{"Germany", "Königstr. 5", "Koenigstraße 5", false},
		{"Germany", "Königstr. 5", "KONIGSTR. 5", false},
		{"Germany", "Große Gasse 5", "Grosse Gasse 5", false},
		{"Germany", "Leopoldstr. 12a", "Leopoldstr. 12 A", false},
		{"Germany", "Leopoldstr. 12a", "Leopoldstr. 12b", true},
		{"Germany", "Leopoldstr. 12 a", "Leopoldstr. 12", true},
		{"Germany", "Leopoldstr. 12, D-80802 München", "Leopoldstr. 12", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr. 12, 80802 München, 3.OG", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr. 12, 80802 München, 4.OG", true},
		{"Germany", "Leopoldstr. 12, 3. OG", "3. OG, Leopoldstr. 12", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr. 12, EG", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr., 3. OG", false},
		{"Germany", "Straße des 17. Juni 135", "Straße des 17. Juni 136", true},
		{"Germany", "Straße des 17. Juni 135", "Straße des 17. Juni 135, 10623 Berlin", false},
		{"Austria", "Lange Gasse 7/2/13, 1080 Wien", "Lange Gasse 7/2/13", false},
		{"Austria", "Lange Gasse 7/2/13, 1080 Wien", "Lange Gasse 7/2/14, 1080 Wien", true},
		{"Austria", "Lange Gasse 7/2/13, 1080 Wien", "Lange Gasse 7, 1080 Wien", false},
		{"Austria", "Lange Gasse 7, Top 3", "1080 Wien, Lange Gasse 7, Top 4", true},
		{"Switzerland", "Bahnhofstrasse 12, 8001 Zürich", "8001 Zürich, Bahnhofstr. 12", false},
		{"Switzerland", "Bahnhofstrasse 12, 8001 Zürich", "Bahnhofplatz 14, 8001 Zürich", true},
		{"Switzerland", "Rue de Lausanne 12, 1202 Genève", "Avenue de Lausanne 12, 1202 Genève", true},
		{"Italy", "Via Roma, 12, 20121 Milano", "Via Roma 12, Milano", false},
		{"Italy", "Via Roma, 12, 20121 Milano", "Via Roma, 14, 20121 Milano", true},
		{"Italy", "Via Roma, 12", "Corso Roma, 12", true},
		{"Italy", "Via Roma 12/A", "Via Roma 12/B", true},
		{"Italy", "Via Roma 12, int. 3", "Via Roma 12, int. 4", true},
		{"Italy", "Via 25 Aprile 12", "Via 25 Aprile 14", true},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Norrebrogade 12, 3. th, 2200 København N", false},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Nørrebrogade 12 4., th, 2200 København N", true},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Nørrebrogade 12 3., tv, 2200 København N", false},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Sankt Jakobs Gade 12 3., th", true},
		{"Denmark", "Islands Brygge 79A 3., 8, 2300 København S", "Islands Brygge 79A 3., 9", true},
		{"Denmark", "Islands Brygge 79A 3., 8, 2300 København S", "Islands Brygge 79B 3., 8", true},
		{"Denmark", "C.F. Møllers Allé 56, 5. tv", "C F Møllers Alle 56, 5.", false},
		{"France", "17 PLACE MARECHAL JUIN Rennes (35000)", "17, place Maréchal Juin, 35000 Rennes", false},
		{"France", "12 rue de la Paix, 3e étage", "12 rue de la Paix, 75002 Paris", false},
		{"France", "12 rue de la Paix, 75002 Paris", "14 rue de la Paix, 75002 Paris", false}, // the number is first
		{"Britain", "Flat 3, 12 High Street", "12 High Street, Flat 3", false},
		{"Britain", "Flat 3, 12 High Street", "Flat 4, 12 High Street", true},
		{"Britain", "Flat 3, 12 High Street", "Flat 3, 14 High Street", true},
		{"Japan", "渋谷区神南 1-2-3", "渋谷区神南 1-2-4", true},
		{"Russia", "Ленина 12 а", "Ленина 12а", false},
	} {
		const flat = `{"id":%q,"cost":1000,"area":50,"service_postal_code":"69007","location":%q}`
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			s := newService(t, fmt.Sprintf("["+flat+","+flat+"]", "a", pair[0], "b", pair[1]), "[]")
			if differ := s.duplicates() == ""; differ != c.differ {
				t.Errorf("%s: %q and %q differ: %v; want %v", c.country, pair[0], pair[1], differ, c.differ)
			}
		}
	}
}

// Random flats form the same groups as in a plain comparison of all pairs.
func TestRandomDuplicates(t *testing.T) {
	t.Parallel()
	values := map[string][]string{
		"cost": {"1000", "1000", "1010", "1020", "1020.4", "1021", "1041", "980", "0", "null", "50",
			"51"},
		"area":                {"50", "50", "50.5", "51", "51.01", "52", "49", "0", "null"},
		"currency":            {`"EUR"`, `"EUR"`, `"€"`, `"€"`, `"USD"`, "null"},
		"service_postal_code": {`"1"`, `"2"`, `"1"`, `"1"`, "null", `""`},
		"location": {`"x"`, `"y"`, "null", `"x 5"`, `"X 5, 3. OG"`, `"y, Xö 12a"`, `"xoe 12 A, 12345"`, `"x 5 3., 12"`,
			`"x, 5, 4, 1234"`, `"xyzöx 5/3/13"`, `"Xyz Oeyyy 5"`},
		"rooms":  {"2", "2", "2", "2.0", "3", "null", "null"},
		"phone":  {`"01 2"`, `"012"`, `"+33"`, `"none"`, "null", "null"},
		"status": {`"new"`, `"new"`, `"new"`, `"new"`, `"duplicate"`},
	}
	for seed := range uint64(rounds(80)) {
		random := rand.New(rand.NewPCG(seed, 7))
		const flats = 60
		ids := func(prefix string, of int, chance float64) string {
			var list []string
			for random.Float64() < chance {
				list = append(list, fmt.Sprintf(`"%s%02d"`, prefix, random.IntN(of)))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		var texts []string
		for i := range flats {
			text := fmt.Sprintf(`{"id":"f%02d","service_constraint":"anywhere","merged_ids":%s,"not_duplicates":%s,`+
				`"photos":%s,"urls":%s`, i, ids("f", flats, 0.1), ids("f", flats, float64(seed%3)*0.3),
				ids("https://x/", 4+int(seed%20), 0.4), ids("https://y/", 4+int(seed%20), 0.2))
			for _, name := range slices.Sorted(maps.Keys(values)) {
				text += `,"` + name + `":` + pick(random, values[name])
			}
			texts = append(texts, text+"}")
		}
		s := newService(t, "["+strings.Join(texts, ",")+"]",
			`[{"postal_code":"1","name":"x"},{"postal_code":"2","name":"y"}]`)
		for range 3 {
			if got, want := s.duplicates(), s.modelDuplicates(); got != want {
				t.Fatalf("seed %d: %s\ngot  %s\nwant %s", seed, strings.Join(texts, "\n"), got, want)
			}
			s.ask("PATCH", fmt.Sprintf("/api/v1/flat/f%02d", random.IntN(flats)),
				`{"cost":`+pick(random, values["cost"])+`,"status":`+pick(random, values["status"])+`}`)
		}
	}
}

// Duplicates are computed once for each state of the flats, even for concurrent requests.
func TestDuplicatesHTTP(t *testing.T) {
	t.Parallel()
	const want = `{"data":[{"ids":["a","b"],"because":["merged_ids"]}]}`
	s := newService(t, `[{"id":"a","merged_ids":["b"]},{"id":"b"}]`, "[]")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, want) })
	}
	group.Wait()
	// The list is kept until a flat changes.
	s.store.duplicates.list = `["kept"]`
	got := s.ask("GET", "/api/v1/duplicates?x=%zz", "")
	s.want(got, 200, `{"data":["kept"]}`)
	tag := got.header.Get("Etag")
	if tag == "" || s.ask("GET", "/api/v1/duplicates", "", "If-None-Match", tag).status != 304 {
		t.Errorf("If-None-Match with the current tag is not a 304: %v", got.header)
	}
	head := s.ask("HEAD", "/api/v1/duplicates", "")
	if head.status != 200 || head.body != "" || !reflect.DeepEqual(head.header, got.header) {
		t.Errorf("HEAD: %+v; want the header of GET, %v", head, got.header)
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"x"}`)
	s.want(s.ask("GET", "/api/v1/duplicates", "", "If-None-Match", got.header.Get("Etag")), 200, want)
	s.ask("PATCH", "/api/v1/flat/b", `{"not_duplicates":["a"]}`)
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[]}`)
	s.want(s.ask("OPTIONS", "/api/v1/duplicates", ""), 200, "{}")
	s.refuse(s.ask("POST", "/api/v1/duplicates", ""), 405,
		"/api/v1/duplicates does not answer POST, only GET, HEAD, OPTIONS.")
	s.refuse(s.ask("GET", "/api/v1/duplicates/", ""), 404, "There is nothing at /api/v1/duplicates/.")
}

// The answer names the flats of a group that share a link, or the number of a listing, and not the others.
func TestSameLinks(t *testing.T) {
	for _, c := range []struct{ flats, want string }{
		{`{"id":"a","urls":["https://www.immo.de/expose/12345678"]},{"id":2,"urls":["https://immo.de/expose/12345678/"]},
			{"id":"c","urls":["http://immo.de/expose/12345678?utm_source=mail"]},{"id":"d","merged_ids":["a"]}`,
			`{"ids":["a",2,"c","d"],"because":["merged_ids","number","url"],"same_links":["a",2,"c"]}`},
		{`{"id":"a","urls":["https://portal.example/48120011"]},{"id":"b","merged_ids":["a"]},
			{"id":"c","urls":["https://www.portal.example/de/flat-48120011.html"]}`,
			`{"ids":["a","b","c"],"because":["merged_ids","number"],"same_links":["a","c"]}`},
		{`{"id":"a","urls":["https://x.example/home"]},{"id":"b","merged_ids":["a"]},
			{"id":"c","urls":[{"href":"https://x.example/home"}]}`,
			`{"ids":["a","b","c"],"because":["merged_ids","url"],"same_links":["a","c"]}`},
		{`{"id":"a","urls":["https://x.example/home"],"not_duplicates":["c"]},{"id":"b","merged_ids":["a"]},
			{"id":"c","urls":["https://x.example/home"]}`,
			`{"ids":["a","b"],"because":["merged_ids"]}`},
		{`{"id":"a","photos":["https://x.example/1"],"merged_ids":["b"]},{"id":"b","photos":["https://x.example/1"]}`,
			`{"ids":["a","b"],"because":["merged_ids","photo"]}`},
	} {
		s := newService(t, "["+c.flats+"]", "[]")
		s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[`+c.want+`]}`)
	}
}

// The flats of a group say who has dismissed them, and when.
func TestDuplicatesDismissedBy(t *testing.T) {
	const home = `"cost":800,"area":46,"location":"Ost"`
	s := withPeople(t, `[{"id":"a",`+home+`},{"id":"b",`+home+`}]`)
	s.ask("PATCH", "/api/v1/flat/b?by=Ann", `{"status":"ignored"}`)
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[{"ids":["a","b"],"because":["place"]}]}`)
	since := &s.store.Get("b").StatusSince
	if !since.Known() {
		t.Error("status_since is not known")
	}
	s.want(s.ask("GET", "/api/v1/find?any[id]=b&fields=status_since,status_by", ""), 200, `{"data":[
		{"id":"b","status_since":`+since.JSON()+`,"status_by":"Ann"}],
		"page":0,"items_per_page":1,"total":1,"counts":{}}`)
	s.ask("PATCH", "/api/v1/flat/b", `{"status":"new"}`)
	s.ask("PATCH", "/api/v1/flat/b", `{"status":"ignored"}`)
	if by := s.store.Get("b").StatusBy.JSON(); by != "null" {
		t.Errorf("nobody has dismissed it, but status_by is %s", by)
	}
}

// The steps of the search for duplicates grow with the flats and with their lists.
func TestDuplicatesSteps(t *testing.T) {
	long(t)
	t.Parallel()
	list := func(n int, form string) string {
		var texts []string
		for i := range n {
			texts = append(texts, strings.ReplaceAll(form, "%d", strconv.Itoa(i)))
		}
		return strings.Join(texts, ",")
	}
	const home = `"cost":1000,"area":50,"service_postal_code":"1","location":"x","phone":"1"`
	for name, flats := range map[string]func(n int) string{
		"merged and apart": func(n int) string {
			ids := "[" + list(n, `"%d"`) + "]"
			return `{"id":"a","merged_ids":` + ids + `,"not_duplicates":` + ids + `},` + list(n, `{"id":"%d"}`)
		},
		"repeated": func(n int) string {
			ids := "[" + list(n, `"b"`) + "]"
			return `{"id":"a","merged_ids":` + ids + `,"not_duplicates":` + ids + `},{"id":"b"}`
		},
		"one home": func(n int) string {
			return `{"id":"a","merged_ids":[` + list(n, `"%d"`) + `]},` + list(n, `{"id":"%d","rooms":%d,`+home+`}`)
		},
		"apart in a home": func(n int) string {
			return `{"id":"a","not_duplicates":[` + list(n, `"%d"`) + `]},` +
				list(n, `{"id":"%d","merged_ids":["a","0"]}`)
		},
		"alike":  func(n int) string { return list(8*n, `{"id":"%d",`+home+`}`) },
		"unlike": func(n int) string { return list(n, `{"id":"%d","rooms":%d,`+home+`}`) },
		"long locations": func(n int) string {
			return list(60, `{"id":"%d","cost":1,"area":1,"phone":"1","location":"`+strings.Repeat("%d ", n)+`"}`)
		},
		"links": func(n int) string {
			return list(8, `{"id":"%d","urls":[`+list(n, `"https://x/`+strconv.Itoa(n)+`%d"`)+`]}`)
		},
	} {
		steps := func(n int) int {
			s := newService(t, "["+flats(n)+"]", "[]")
			work := turns.NewTask(t.Context(), turns.NewQueue())
			s.store.Duplicates(work)
			return work.Steps()
		}
		// 2.2 times, where the square would be 4 times.
		if once, twice := steps(1000), steps(2000); twice > once*22/10 {
			t.Errorf("%s: %d steps, and %d for twice the size", name, once, twice)
		}
	}
}

// Flats that all say that they are no duplicates of one another take little memory to compare: no more
// than a few bytes for each id, once these are read.
func TestManyApart(t *testing.T) {
	const flats = 600
	var list []string
	for i := range flats {
		list = append(list, fmt.Sprintf(`{"id":%d,"not_duplicates":[%s]}`, i, repeated(flats, "%[1]d", ",")))
	}
	s := newService(t, "["+strings.Join(list, ",")+"]", "[]")
	read := allocatedBy(func() {
		for _, f := range s.store.snapshot().all() {
			f.NotDuplicates.ids()
		}
	})
	allocated := allocatedBy(func() { s.store.Duplicates(turns.NewTask(t.Context(), turns.NewQueue())) }) - read
	if most := uint64(40 * flats * flats); allocated > most {
		t.Errorf("%d bytes are allocated to keep %d pairs apart; want at most %d", allocated, flats*flats, most)
	}
}
