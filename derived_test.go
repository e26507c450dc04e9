// Tests of derived.go.

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"flats/internal/listing"
	"flats/internal/turns"
)

// A query finds the flats that match all of its conditions. It filters and sorts by derived
// fields, too.
func TestFind(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	for _, c := range []struct{ query, want string }{ // want has the ids in their order: by cost, if there is no sort
		{"", "4 3@b@c 5 1@a 2@a"},
		// Values of a field. Some clients put brackets after the field of a list, perhaps with a number.
		{"filter[status]=new", "5 1@a"},
		{"filter[status]=null", "4"},
		{"any[status]=new&any[status]=followed", "5 1@a 2@a"},
		{"any[status][]=new&any[status][]=followed", "5 1@a 2@a"},
		{"any[status][0]=new&any[status][1]=followed", "5 1@a 2@a"},
		{"any[status]=new&filter[cost]=800", "5"},
		{"not[status]=new&not[status]=followed", "4 3@b@c"},
		{"not[cost]=1e3&not[title]=null", "3@b@c 5 2@a"},
		{"any[cost]=cheap", ""},
		// Conditions of one field all hold.
		{"filter[cost]=800&filter[cost]=8e2&filter[status]=new", "5"},
		{"filter[cost]=800&filter[cost]=1000", ""},
		{"filter[cost]=800&filter[cost]=cheap&filter[cost]=800", ""},
		{"filter[status]=new&not[status]=followed&any[status]=new&any[status]=followed", "5 1@a"},
		{"known[rooms]=yes&known[rooms]=yes", "5 1@a"},
		{"known[rooms]=yes&known[rooms]=no", ""},
		{"not[cost]=cheap", "4 3@b@c 5 1@a 2@a"},
		// Bounds. A field in unknown may be unknown in spite of its bounds.
		{"min[cost]=800", "5 1@a 2@a"},
		{"min[cost]=800.00&max[cost]=1000", "5 1@a"},
		{"min[cost]=900&min[cost]=700", "1@a 2@a"},
		{"max[cost]=-1", ""},
		{"max[rooms]=2", "1@a"},
		{"max[rooms]=2&unknown=rooms", "4 3@b@c 1@a 2@a"},
		{"max[rooms]=2&unknown=cost", "1@a"},
		{"max[rooms]=2&min[cost]=1&unknown=cost&unknown=rooms", "4 1@a 2@a"},
		{"unknown=rooms", "4 3@b@c 5 1@a 2@a"},
		{"min[date]=2026-01-02&max[date]=2026-01-02T10:00Z", "2@a"},
		{"max[date]=2026-01-02T11:00+01:00", "1@a 2@a"},
		// Fields that are known: null, "" and empty lists and objects are not.
		{"known[rooms]=yes", "5 1@a"},
		{"known[rooms]=no", "4 3@b@c 2@a"},
		{"known[photos]=yes", "2@a"},
		{"known[notes]=yes", "2@a"},
		{"known[details]=yes", "4"},
		{"known[service_postal_code]=yes", "2@a"},
		// Derived fields.
		{"min[cost_per_area]=20&max[cost_per_area]=30", "1@a 2@a"},
		{"known[cost_per_area]=no", "4 3@b@c 5"},
		{"max[travel_time]=601", "1@a"},
		{"filter[travel_time]=600.5", "1@a"},
		{"filter[site]=c", "3@b@c"},
		{"known[site]=no", "4 5"},
		{"filter[priced]=0", "4 3@b@c"},
		{"known[price]=no", "4 3@b@c"},
		// Words. A + stands for a space here.
		{"q=loft", "1@a"},
		{"q=loft&filter[status]=followed", ""},
		{"q=", "4 3@b@c 5 1@a 2@a"},
		{"q=-loft", "4 3@b@c 5 2@a"},
		{"q=loft+OR+null&sort=-title", "4 3@b@c 1@a"},
		// Orders and pages. What is unknown comes first, or last if the order is descending or nulls is last.
		{"sort=rooms", "2@a 3@b@c 4 1@a 5"},
		{"sort=rooms&nulls=last", "1@a 5 2@a 3@b@c 4"},
		{"sort=-rooms&nulls=last", "5 1@a 2@a 3@b@c 4"},
		{"sort=status,-cost&nulls=last", "2@a 1@a 5 4 3@b@c"},
		{"sort=-cost_per_area", "2@a 1@a 3@b@c 4 5"},
		{"sort=-priced,-site,id", "1@a 2@a 5 3@b@c 4"},
		{"page[size]=2&page[number]=1", "5 1@a"},
		// Parameters that are none of a query are ignored.
		{"filter[]=3&filter=yes&utm=1&maximum=2&sort=cost&box[min]=%zz", "4 3@b@c 5 1@a 2@a"},
	} {
		got := s.ids(s.ask("GET", "/api/v1/find?"+strings.ReplaceAll(query(c.query), "%2B", "+"), ""))
		if got != c.want {
			t.Errorf("%s: %s; want %s", c.query, got, c.want)
		}
	}
	for raw, want := range map[string]string{
		"min[cost]=x":           `Invalid min[cost] provided: want a finite number, got "x".`,
		"max[date]=soon":        `Invalid max[date] provided: want an ISO 8601 datetime, got "soon".`,
		"max[title]=x":          "Invalid max[title] provided: only number and datetime fields have ranges.",
		"any[nope]=x":           "Invalid any[nope] provided: there is no such field.",
		"any[nope][0]=x":        "Invalid any[nope] provided: there is no such field.",
		"max=[object Object]":   "Invalid max provided: want a field in brackets, such as [cost].",
		"min[cost=%zz":          "Invalid min[cost provided: want a field in brackets, such as [cost].",
		"any=":                  "Invalid any provided: want a field in brackets, such as [cost].",
		"not[status=new":        "Invalid not[status provided: want a field in brackets, such as [cost].",
		"known[]=yes":           "Invalid known[] provided: want a field in brackets, such as [cost].",
		"any[status][x]=new":    "Invalid any[status][x] provided: there is no such field.",
		"min[cost][0]=1":        "Invalid min[cost][0] provided: there is no such field.",
		"filter[nope]=x":        "Invalid filter[nope] provided: there is no such field.",
		"known[cost]=":          `Invalid known[cost] provided: want yes or no, got "".`,
		"unknown=nope":          `Invalid unknown provided: "nope": there is no such field.`,
		"nulls=first":           `Invalid nulls provided: want last, got "first".`,
		"nulls=last&nulls=":     `Invalid nulls provided: want last, got "".`,
		"currencies=":           `Invalid currencies provided: want frequent, got "".`,
		"fields=":               `Invalid fields provided: "": there is no such field.`,
		"fields=cost,json":      `Invalid fields provided: "json": there is no such field.`,
		"counts=status,cost":    `Invalid counts provided: "status,cost": there is no such field.`,
		"format=xml":            `Invalid format provided: want csv or json, got "xml".`,
		"sort=nope&min[cost]=x": "Invalid sorting key provided: nope.",
		"page[size]=0&sort=no":  "Invalid pagination provided.",
	} {
		s.refuse(s.ask("GET", "/api/v1/find?"+query(raw), ""), 400, want)
	}
	s.refuse(s.ask("GET", "/api/v1/find?q=%zz", ""), 400, `Invalid q provided: invalid URL escape "%zz".`)
	s.refuse(s.ask("GET", "/api/v1/find?min%5Bcost%5D=%2", ""), 400,
		`Invalid min[cost] provided: invalid URL escape "%2".`)
	for _, sort := range []string{"cost_per_area", "travel_time", "site", "priced"} {
		s.refuse(s.ask("GET", "/api/v1/flats?sort="+sort, ""), 400, "Invalid sorting key provided: "+sort+".")
	}
}

// A currency that is given by its sign, or in small letters, counts as its code.
func TestCurrencyCode(t *testing.T) {
	s := newService(t, `[{"id":1,"cost":900,"currency":"€"},{"id":2,"cost":800,"currency":"EUR"},
		{"id":3,"cost":700,"currency":"£"},{"id":4,"cost":600,"currency":"$"},{"id":5,"cost":500,"currency":"kr"},
		{"id":6,"cost":400},{"id":7,"cost":300,"currency":""},{"id":8,"cost":700,"currency":"eur"},
		{"id":9,"cost":200,"currency":"lei"}]`, testCodes)
	s.want(s.ask("GET", "/api/v1/find?"+query("sort=currency_code,cost&nulls=last&fields=currency,currency_code"+
		"&counts=currency_code&any[currency_code]=EUR&any[currency_code]=kr"), ""), 200,
		`{"data":[{"id":8,"currency":"eur","currency_code":"EUR"},{"id":2,"currency":"EUR","currency_code":"EUR"},
			{"id":1,"currency":"€","currency_code":"EUR"},
			{"id":5,"currency":"kr","currency_code":"kr"}],"page":0,"items_per_page":4,"total":4,
		"counts":{"currency_code":{"EUR":3,"GBP":1,"USD":1,"RON":1,"kr":1,"null":2}}}`)
}

// All spellings of a currency are one for queries and for duplicates.
func TestCurrencySpellings(t *testing.T) {
	want := map[string]int{}
	var flats []string
	for code, list := range listing.CurrencySpellings() {
		for written := range strings.FieldsSeq(list) {
			want[code]++
			flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":900,"currency":%q}`, len(flats), written))
		}
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	var got struct {
		Counts map[string]map[string]int `json:"counts"`
	}
	if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/find?counts=currency_code", "").body), &got); err != nil {
		t.Fatal(err)
	}
	for code, n := range want {
		if found := got.Counts["currency_code"][code]; found != n {
			t.Errorf("%s: got %d flats; want %d", code, found, n)
		}
	}
	const home = `"cost":900,"area":45.5,"rooms":2,"service_postal_code":"69007","location":"12 rue Chevreul"`
	for _, pair := range [][2]string{{"zł", "PLN"}, {"Kč", "CZK"}, {"₹", "INR"}, {"kr", "kr."}} {
		flats := fmt.Sprintf(`[{"id":1,"currency":%q,%s},{"id":2,"currency":%q,%s}]`, pair[0], home, pair[1], home)
		s := newService(t, flats, testCodes)
		if got := s.duplicates(); got != "1 2 place" {
			t.Errorf("%s and %s: duplicates %q; want 1 2 place", pair[0], pair[1], got)
		}
	}
}

// A query returns the fields in fields and the total number of flats. Its counts of a
// field's values ignore the conditions that select values of that field.
func TestFindBody(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	find := func(raw string) reply { return s.ask("GET", "/api/v1/find?"+query(raw), "") }
	s.want(find("fields=cost,site,cost,priced,service_postal_code&page[size]=2&page[number]=1&sort=id"), 200,
		`{"data":[{"id":"2@a","cost":1200,"site":"a","priced":1,
		"service_postal_code":{"postal_code":"69007","name":"Lyon 7e","gps":[45.7336,4.8375]}},
			{"id":"3@b@c","cost":0,"site":"c","priced":0,"service_postal_code":{}}],
		"page":1,"items_per_page":2,"total":5,"counts":{}}`)
	for raw, want := range map[string]string{
		// "null" counts a flat without a status, and one whose status is the text "null".
		"counts=status": `{"status":{"new":2,"followed":1,"null":2}}`,
		"counts=status&filter[status]=new&not[status]=x":  `{"status":{"new":2,"followed":1,"null":2}}`,
		"counts=status&known[status]=yes&any[status]=new": `{"status":{"new":2,"followed":1,"null":1}}`,
		"counts=cost&min[cost]=1000&filter[status]=new":   `{"cost":{"1000":1}}`,
		"counts=cost&counts=currency&filter[currency]=EUR": `{"cost":{"1000":1,"1200":1,"800.0":1},` +
			`"currency":{"EUR":3,"null":2}}`,
		"counts=notes&counts=priced&q=loft+OR+null&nulls=last": `{"notes":{"":1,"null":2},"priced":{"0":2,"1":1}}`,
		"counts=photos&counts=site": `{"photos":{"null":3,"[]":1,"[\"x\"]":1},` +
			`"site":{"a":2,"c":1,"null":2}}`,
	} {
		var got struct{ Counts json.RawMessage }
		body := find(strings.ReplaceAll(raw, "+", " ") + "&page[size]=1").body
		if json.Unmarshal([]byte(body), &got) != nil || !sameJSON(string(got.Counts), want) {
			t.Errorf("%s: %s; want %s", raw, body, want)
		}
	}
	got := find("page[size]=1&min[cost]=1")
	if got.header.Get("X-Total-Count") != "3" ||
		!strings.Contains(got.header.Get("Link"), `min%5Bcost%5D=1&page%5Bsize%5D=1&page%5Bnumber%5D=2>; rel="last"`) {
		t.Errorf("headers: %v", got.header)
	}
	tag := got.header.Get("ETag")
	again := s.ask("GET", "/api/v1/find?"+query("page[size]=1&min[cost]=1"), "", "If-None-Match", tag)
	if again.status != 304 {
		t.Errorf("an unchanged answer: %d; want 304", again.status)
	}
	s.want(s.ask("OPTIONS", "/api/v1/find", ""), 200, "{}")
	// Only the 1000 most frequent values are counted. Of the titles t0 to t1499, two flats have each of t0 to t799. Of
	// the others, only the first 200 in the order of the field are counted, and t1499 comes later.
	var flats []string
	for i := range 1500 + 800 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"title":"t%d"}`, i, i%1500))
	}
	s = newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	var counted struct{ Counts map[string]map[string]int }
	if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/find?counts=title", "").body), &counted); err != nil {
		t.Fatal(err)
	}
	title := counted.Counts["title"]
	if len(title) != 1000 || title["t799"] != 2 || title["t0"] != 2 || title["t1499"] != 0 {
		t.Errorf("counted %d titles, t0 %d times, t799 %d times, t1499 %d times; want 1000 titles, 2, 2, 0",
			len(title), title["t0"], title["t799"], title["t1499"])
	}
}

// A query takes a flat's position from the member gps of the flat, or else of its details.
func TestFindPosition(t *testing.T) {
	s := newService(t, `[{"id": 1, "gps": [1, 2]}, {"id": 2, "details": {"gps": "3, 4"}}, {"id": 3, "details": 5},
		{"id": 4, "gps": null, "details": {"gps": [5, 6]}}, {"id": 5, "gps": [7, 8], "details": {"gps": [5, 6]}},
			{"id": 6, "gps": null}]`, "[]")
	s.want(s.ask("GET", "/api/v1/find?fields=gps&sort=id", ""), 200,
		`{"data": [{"id": 1, "gps": [1, 2]}, {"id": 2, "gps": "3, 4"}, {"id": 3, "gps": null},
		{"id": 4, "gps": [5, 6]}, {"id": 5, "gps": [7, 8]}, {"id": 6, "gps": null}], "page": 0, "items_per_page": 6,
			"total": 6, "counts": {}}`)
}

// A position is a list of two coordinates, numbers or strings with numbers, as on the page.
func TestPositionTexts(t *testing.T) {
	for gps, want := range map[string]string{
		`[48.1,11.5]`: "48.1 11.5 own", `["48.1","11.5"]`: "48.1 11.5 own", `["48.1",11.5]`: "48.1 11.5 own",
		`[48.10,"-11.50"]`: "48.10 -11.5 own", `[" 48.1 ","+011.5\n"]`: "48.1 11.5 own", `["90",".5e1"]`: "90 5 own",
		`["\u0034","0"]`: "4 0 own",
		`["90.1","0"]`:   "null null ", `["0","-180.5"]`: "null null ", `["1e999","0"]`: "null null ",
		`["NaN","0"]`: "null null ", `["Infinity","0"]`: "null null ", `["","0"]`: "null null ",
		`["48,1","11,5"]`: "null null ", `["null","0"]`: "null null ", `[null,"0"]`: "null null ",
		`["48.1°","0"]`: "null null ", `[["1"],"0"]`: "null null ", `["1"]`: "null null ", `["1","2","3"]`: "null null ",
		`"48.1,11.5"`: "null null ", `{"0":"1","1":"2"}`: "null null ",
	} {
		for _, members := range []string{`"gps":` + gps, `"details":{"gps":` + gps + `}`} {
			flats, err := readFlats("test", []byte(`[{"id":1,`+members+`}]`), nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			lat, lng, precision := flats[0].position()
			if got := lat.JSON() + " " + lng.JSON() + " " + precision; got != want {
				t.Errorf("%s: position %q; want %q", members, got, want)
			}
		}
	}
}

// A query has fields for the travel time to each place, the position, the place, the first
// address, and the last change of a flat.
func TestFindDerived(t *testing.T) {
	s := newService(t, `[
		{"id":1,"service_time_to":{"work":{"time":600},"home":{"time":0}},"urls":["https://x/1","https://x/2"],
			"service_constraint":"lyon","service_postal_code":"69007","location":"Lyon"},
		{"id":2,"service_time_to":{"work":{"time":"5"},"Gare \"Perrache\"":{"time":60}},"urls":[5],"gps":[1.5,-2],
			"service_constraint":"lyon","service_postal_code":"69007"},
		{"id":3,"service_time_to":7,"urls":"https://x/3","gps":[1,null],"service_postal_code":"1","location":"Ort",
			"gone":"2026-03-01","cost_history":[{"date":null,"cost":1},{"date":"2026-02-01","cost":2}]},
		{"id":4,"location":"Ort","cost_history":[{"date":"2026-02-01","cost":2}],"gps":["1",2]},
		{"id":5,"cost_history":[{"date":"2026-05-01","cost":1},{"date":"2026-04-01","cost":2}],"gone":"2026-03-01"}]`,
		testCodes)
	// No query can name a place with a comma or a bracket.
	names := append(s.config.fieldNames(), "time_to.a,b", "time_to.c[d", "time_to.e f&.")
	s.store.table = newTable(queryFields(s.store.log, s.store.codes, names...))
	if got := s.logs.String(); strings.Count(got, "level=WARN") != 2 || !strings.Contains(got, `place=a,b`) {
		t.Errorf("the log is %s; want warnings of two places", got)
	}
	s.use(testProgram(s, s.config, s.store, quiet))
	for _, c := range []struct{ fields, want string }{ // want has the field of each flat, from 1 to 5
		{"time_to.work", `600 null null null null`},
		{`time_to.Gare+"Perrache"`, `null 60 null null null`},
		{"time_to.e+f%26.", `null null null null null`},
		{"lat", `45.7336 1.5 null 1 null`},
		{"lng", `4.8375 -2 null 2 null`},
		{"place", `"69007 Lyon 7e" "69007 Lyon 7e" "1" "Ort" null`},
		{"url", `"https://x/1" null null null null`},
		{"changed", `null null "2026-03-01" null "2026-04-01"`},
		{"status_since", `null null null null null`},
	} {
		got := s.ask("GET", "/api/v1/find?sort=id&fields="+c.fields, "")
		var answer struct{ Data []members }
		json.Unmarshal([]byte(got.body), &answer)
		var values []string
		for _, row := range answer.Data {
			delete(row, "id")
			for _, text := range row {
				values = append(values, string(text))
			}
		}
		if strings.Join(values, " ") != c.want {
			t.Errorf("%s: %v; want %s", c.fields, values, c.want)
		}
	}
	for target, want := range map[string]string{
		"find?max[time_to.work]=600":                       "1",
		"find?min[time_to.Gare+%22Perrache%22]=1":          "2",
		"find?known[time_to.work]=no&sort=-lat":            "2 4 3 5",
		"find?any[place]=Ort&any[place]=69007+Lyon+7e":     "1 2 4",
		"find?filter[url]=https://x/1":                     "1",
		"find?min[changed]=2026-03-02":                     "5",
		"find?nulls=last&sort=time_to.Gare+%22Perrache%22": "2 1 3 4 5",
		"find?filter[status_since]=x&unknown=changed":      "",
		"flats?sort=id&filter[time_to.work]=600&min[a]=1":  "1 2 3 4 5", // no parameters of a list
	} {
		if got := s.ids(s.ask("GET", "/api/v1/"+target, "")); got != want {
			t.Errorf("%s: flats %q; want %q", target, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/find?min[time_to.home]=1", ""), 400,
		"Invalid min[time_to.home] provided: there is no such field.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=time_to.work", ""), 400, "Invalid sorting key provided: time_to.work.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=corrected", ""), 400, "Invalid sorting key provided: corrected.")
	csv := s.ask("GET", "/api/v1/find?format=csv&fields=time_to.Gare+%22Perrache%22&filter[id]=2", "")
	if want := "\uFEFFid,\"time_to.Gare \"\"Perrache\"\"\"\r\n2,60\r\n"; csv.body != want {
		t.Errorf("CSV %q; want %q", csv.body, want)
	}
}

// The field monthly is what a month costs, where the listing says whether the cost includes the charges. The field
// contacted_since is known only for flats whose status is contacted since a known time: flat 7 was stored with the
// status, without a time.
func TestFindMonthly(t *testing.T) {
	s := newService(t, `[
		{"id":1,"cost":900,"utilities":"included","charges":200,"area":45},
		{"id":2,"cost":900,"utilities":"excluded","charges":200,"area":0,"deposit":2700,"fee":300},
		{"id":3,"cost":900,"utilities":"excluded"},{"id":4,"cost":900,"charges":200},
		{"id":5,"cost":0,"utilities":"included"},{"id":6,"utilities":"excluded","charges":200},
		{"id":7,"cost":900,"utilities":"excluded","charges":0,"status":"contacted"},
		{"id":8,"cost":400.35,"utilities":"excluded","charges":87.85},
		{"id":9,"cost":1200000,"utilities":"excluded","charges":50000}]`, "[]")
	s.ask("PATCH", "/api/v1/flat/6", `{"status":"contacted"}`)
	s.ask("PATCH", "/api/v1/flat/5", `{"status":"followed"}`)
	for target, want := range map[string]string{
		"known[monthly]=yes":                  "1 2 7 8 9",
		"filter[monthly]=900":                 "1 7",
		"filter[monthly]=488.2":               "8", // not 488.20000000000005
		"max[monthly]=488.2":                  "8",
		"max[monthly]=1000&unknown=monthly":   "1 3 4 5 6 7 8",
		"min[monthly]=901&min[deposit]=2700":  "2",
		"known[monthly_per_area]=yes":         "1",
		"filter[monthly_per_area]=20":         "1",
		"filter[fee]=300&filter[charges]=200": "2",
		"known[contacted_since]=yes":          "6",
		"min[contacted_since]=2020-01-01":     "6",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/find?sort=id&"+target, "")); got != want {
			t.Errorf("%s: flats %q; want %q", target, got, want)
		}
	}
}

// Random queries find what a plain loop over the flats finds, in the same order.
func TestFindModel(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(13, 1))
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	var flats []map[string]any
	for i := range 400 {
		f := map[string]any{"id": fmt.Sprintf("%d@%s", i, pick("a", "b", "c")),
			"status": pick("new", "followed", "ignored")}
		for _, field := range []string{"cost", "area", "rooms"} {
			if random.IntN(4) > 0 {
				f[field] = float64(random.IntN(6))
			}
		}
		if random.IntN(3) > 0 {
			f["date"] = fmt.Sprintf("2026-01-0%d", 1+random.IntN(5))
		}
		if random.IntN(3) > 0 {
			f["notes"] = pick("", "balcony", "quiet balcony")
		}
		flats = append(flats, f)
	}
	s := newService(t, encodeJSON(flats), testCodes)
	for _, f := range flats { // adds the derived fields, for the model
		cost, _ := f["cost"].(float64)
		area, _ := f["area"].(float64)
		if f["priced"] = 0.0; cost > 0 {
			f["priced"], f["price"] = 1.0, cost
			if area > 0 {
				f["cost_per_area"] = cost / area
			}
		}
		_, f["site"], _ = strings.Cut(f["id"].(string), "@")
	}
	numberFields := []string{"cost", "area", "rooms", "cost_per_area", "priced", "price"}
	for range 300 {
		var parameters []string
		var conditions []func(f map[string]any) bool // of the model, for the same parameters
		mayBeUnknown := map[string]bool{}
		for _, field := range numberFields {
			if random.IntN(5) == 0 {
				parameters = append(parameters, "unknown="+field)
				mayBeUnknown[field] = true
			}
		}
		chosen := map[string][]string{} // the values of any, and of not, for each field
		for range random.IntN(5) {
			field, bound := numberFields[random.IntN(len(numberFields))], float64(random.IntN(6))
			parameter, value := pick("min", "max", "known", "filter", "any", "not"), fmt.Sprint(bound)
			switch parameter {
			case "min", "max":
				conditions = append(conditions, func(f map[string]any) bool {
					n, isKnown := f[field].(float64)
					switch {
					case !isKnown:
						return mayBeUnknown[field]
					case parameter == "min":
						return n >= bound
					}
					return n <= bound
				})
			case "known":
				value = pick("yes", "no")
				conditions = append(conditions, func(f map[string]any) bool { return (f[field] != nil) == (value == "yes") })
			case "filter":
				conditions = append(conditions, func(f map[string]any) bool { return f[field] == bound })
			default: // any and not, which take several values of a field together
				field = pick("status", "site")
				value = pick("new", "followed", "a", "b")
				chosen[parameter+field] = append(chosen[parameter+field], value)
				conditions = append(conditions, func(f map[string]any) bool {
					return slices.Contains(chosen[parameter+field], f[field].(string)) == (parameter == "any")
				})
			}
			parameters = append(parameters, parameter+"["+field+"]="+value)
		}
		if random.IntN(3) == 0 {
			parameters = append(parameters, "q=balcony -quiet")
			conditions = append(conditions, func(f map[string]any) bool { return f["notes"] == "balcony" })
		}
		sortField, direction := numberFields[random.IntN(len(numberFields))], pick("", "-")
		parameters = append(parameters, "sort="+direction+sortField)
		knownFirst := direction == "-"
		if random.IntN(2) == 0 {
			parameters = append(parameters, "nulls=last")
			knownFirst = true
		}
		var found []map[string]any
		for _, f := range flats {
			if !slices.ContainsFunc(conditions, func(matches func(map[string]any) bool) bool { return !matches(f) }) {
				found = append(found, f)
			}
		}
		slices.SortStableFunc(found, func(a, b map[string]any) int {
			x, isXKnown := a[sortField].(float64)
			y, isYKnown := b[sortField].(float64)
			switch {
			case isXKnown != isYKnown && isXKnown == knownFirst:
				return -1
			case isXKnown != isYKnown:
				return 1
			case direction == "-":
				return cmp.Compare(y, x)
			}
			return cmp.Compare(x, y)
		})
		var want []string
		for _, f := range found {
			want = append(want, f["id"].(string))
		}
		raw := strings.Join(parameters, "&")
		if got := s.ids(s.ask("GET", "/api/v1/find?"+query(raw), "")); got != strings.Join(want, " ") {
			t.Fatalf("%s: %s; want %s", raw, got, want)
		}
	}
}

// Distances hold at the poles and at the date line. The shortest time over random stops is that of a plain loop over
// them, there and elsewhere.
func TestDistances(t *testing.T) {
	for _, c := range []struct{ lat1, lng1, lat2, lng2, want float64 }{ // want is in metres
		{48.1345, 11.571, 48.1345, 11.571, 0}, {0, 0, 0, 1, 111195}, {0, 179.995, 0, -179.995, 1112},
		{90, 0, 90, 123, 0}, {89.995, 0, 89.995, 180, 1112}, {-90, 5, 90, 5, 20015087},
		{48.1351, 11.582, 52.52, 13.405, 504415}, // from Munich to Berlin
		{0, 180, 0, -180, 0},
	} {
		if got := pointAt(c.lat1, c.lng1).distanceTo(pointAt(c.lat2, c.lng2)); math.Abs(got-c.want) > 1 {
			t.Errorf("%+v: %v", c, got)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds(400) {
		lat, lng := 180*random.Float64()-90, 360*random.Float64()-180
		if random.IntN(2) == 0 { // near a pole and the date line
			lat, lng = math.Copysign(90-0.02*random.Float64(), lat), math.Copysign(180-0.01*random.Float64(), lng)
		}
		here, stops, want := pointAt(lat, lng), Stops{}, math.Inf(1)
		var list [][3]float64
		for range 20 {
			// Up to 2.2 km to the north or south, and 3.3 km to the east or west.
			stopLat, stopLng := lat+0.04*random.Float64()-0.02, lng+0.06*random.Float64()-0.03
			if !onEarth(stopLat, stopLng) {
				stopLat, stopLng = math.Copysign(90, stopLat), math.Copysign(180, -stopLng)
			}
			minutes := float64(random.IntN(60))
			list = append(list, [3]float64{stopLat, stopLng, minutes})
			if metres := here.distanceTo(pointAt(stopLat, stopLng)); metres <= maxToStop {
				want = min(want, 60*minutes+travelSeconds(metres, byTransit))
			}
		}
		err := stops.read(turns.NewTask(t.Context(), turns.NewQueue()), []byte(motisStops(list...)), here)
		if got := stops.shortestTime(here); err != nil || got != want {
			t.Fatalf("%v,%v: %v, %v; want %v from %v", lat, lng, got, err, want, list)
		}
	}
}

// An answer that is no list of stops is an error. Many stops are read in turns: each counts for at least one step.
func TestStopsAnswers(t *testing.T) {
	t.Parallel()
	read := func(text string) (Stops, int, error) {
		stops, work := Stops{}, turns.NewTask(t.Context(), turns.NewQueue())
		err := stops.read(work, []byte(text), pointAt(48, 11))
		return stops, work.Steps(), err
	}
	for _, text := range []string{``, `[]`, `{}`, `null`, `{"all":null}`, `{"all":{}}`, `{"all":[5]}`, `{"all":[]}{}`,
		`{"all":[{"place":{"lat":"48","lon":11},"duration":1}]}`, `{"all":[{"place":{"lat":NaN,"lon":11},"duration":1}]}`,
		`{"all":[{"place":{"lat":48,"lon":11},"duration":1}`, `{"all":[{"place":[],"duration":1}]}`} {
		if _, _, err := read(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	const many = 200_000
	if _, steps, err := read(`{"all":[` + strings.Repeat("{},", many) + `{}]}`); err != nil || steps < many {
		t.Errorf("%d objects that are no stops: %v, %d steps", many, err, steps)
	}
	text := `{"all":[` + strings.Repeat(`{"place":{"lat":48,"lon":11},"duration":1},`, many) + `{}]}`
	stops, steps, err := read(text)
	if err != nil || len(stops) != 1 || len(stops[cellOf(pointAt(48, 11))]) != 1 || steps < many {
		t.Errorf("%d stops: %v, %d cells, %d steps", many, err, len(stops), steps)
	}
}

// A match counts if its street or name stands in the location and it is near.
func TestPositions(t *testing.T) {
	s := newService(t, "[]", munichCodes)
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	codes, _ := readPostalCodes("codes.json", []byte(munichCodes))
	s.store.codes = newPostalCodes(codes, config.Constraints)
	d := newGeocoder(s.store, config.Travel, config.Constraints, config.Timezone)
	network := &motis{t: t}
	d.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		d.pace = &pace{}
		return network.RoundTrip(r)
	})
	// The flat has a postal code and a location, for which asked is the question. match is the answer, for which want is
	// the precision, "" if it does not count, and "-" if nothing is asked.
	for _, c := range []struct{ code, location, match, asked, want string }{
		{"80797", "Leopoldstr. 5, 80797 München", motisMatch("ADDRESS", "x", "Leopoldstraße", "5", 48.16, 11.58),
			"80797 München Schwabing Leopoldstr 5", "house"},
		{"80797", "(Leopoldstrasse 51)", motisMatch("ADDRESS", "x", "Leopoldstraße", "5", 48.16, 11.58),
			"80797 München Schwabing Leopoldstrasse 51", "street"},
		{"80797", "LEOPOLDSTRASSE", motisMatch("ADDRESS", "Leopoldstr.", "", "", 48.16, 11.58),
			"80797 München Schwabing LEOPOLDSTRASSE", "street"},
		{"80797", "Olympiadorf, München", motisMatch("PLACE", "Olympiadorf", "", "", 48.18, 11.55),
			"80797 München Schwabing Olympiadorf", "place"},
		{"80797", "Olympiadorf", motisMatch("PLACE", "Kino", "Olympiadorf", "", 48.18, 11.55),
			"80797 München Schwabing Olympiadorf", "street"},
		{"80797", "Leopold", motisMatch("ADDRESS", "x", "Leopoldstraße", "", 48.16, 11.58),
			"80797 München Schwabing Leopold", ""}, // half a word
		{"80797", "Dorf", motisMatch("PLACE", "Dorf", "", "", 48.30, 11.56), "80797 München Schwabing Dorf", ""}, // too far
		// This code has no position: near are the places of its constraint.
		{"80000", "Dorf", motisMatch("PLACE", "Dorf", "", "", 48.30, 11.56), "80000 nowhere Dorf", "place"},
		{"80000", "Dorf", motisMatch("PLACE", "Dorf", "", "", 50.30, 11.56), "80000 nowhere Dorf", ""},
		{"", "Dorf", motisMatch("PLACE", "Dorf", "", "", 200, 11.56), "Dorf", ""}, // not on earth
		{"", "Dorf", motisMatch("PLACE", "…", "", "", 48.1, 11.56), "Dorf", ""},
		{"80797", "München, 80797 - (Schwabing)", "", "", "-"}, {"80797", "🏠", "", "", "-"}, {"80797", "", "", "", "-"},
		{"80797", strings.Repeat("Dorf ", 201), "", "", "-"}, // longer than maxAddress
		{"", "one two three, four; five – six 7 «eight» nine", "", "one two three four five six 7 eight", ""},
		{"99", "one", motisMatch("PLACE", "one", "", "", 48.1, 11.5), "99 one", "place"},
	} {
		f, err := blank.withMembers(members{"id": json.RawMessage("1"), "location": json.RawMessage(encodeJSON(c.location)),
			"service_postal_code": json.RawMessage(encodeJSON(c.code)), "service_constraint": json.RawMessage(`"munich"`)},
			s.store.codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.address() == "" {
			if c.want != "-" {
				t.Errorf("%q is not asked", c.location)
			}
			continue
		}
		network.asked, network.matches, d.pace = nil, map[string]string{c.asked: "[" + c.match + "]"}, &pace{}
		q := d.question(f)
		a, err := d.askPosition(t.Context(), inquiry{question: q, flat: f})
		if err != nil {
			t.Errorf("%q: %v", c.location, err)
		}
		got := ""
		if a.position.Precision != nil {
			got = *a.position.Precision
		}
		if got != c.want || !slices.Equal(network.asked, []string{c.asked}) {
			t.Errorf("%q: precision %q, asked %q; want %q, %q", c.location, got, network.asked, c.want, c.asked)
		}
	}
}

const (
	lyonListing = `"location":"Rue X 5, 69007 Lyon","service_constraint":"lyon","service_postal_code":"69007"`
	foundHouse  = `{"lat":45.75,"lng":4.85,"precision":"house","text":"69007 Lyon 7e Rue X 5"}` // for lyonListing
)

// TestFoundPosition tests when the position that was found for the address of a flat counts: as long as the flat has
// this address, and no better position. It is the same for a stored flat and for an imported one.
func TestFoundPosition(t *testing.T) {
	const (
		outdated = `{"lat":45.75,"lng":4.85,"precision":"house","text":"69007 Lyon 7e Rue Y 5"}`
		ofCode   = `{"id":"a","lat":45.7336,"lng":4.8375,"precision":"postal_code"}`
		nowhere  = `{"id":"a","lat":null,"lng":null,"precision":null}`
	)
	foundStreet := strings.Replace(foundHouse, "house", "street", 1)
	foundPlace := strings.Replace(foundHouse, "house", "place", 1)
	for _, test := range []struct {
		name, listing, found, want string
		isInvalid                  bool // found_position is: an import says so in the log
	}{
		{"a house", lyonListing, foundHouse, `{"id":"a","lat":45.75,"lng":4.85,"precision":"house"}`, false},
		{"a street", lyonListing, foundStreet, `{"id":"a","lat":45.75,"lng":4.85,"precision":"street"}`, false},
		{"a place, which tells less than the postal code", lyonListing, foundPlace, ofCode, false},
		{"a place without a postal code", `"location":"Rue"`, `{"lat":1,"lng":2,"precision":"place","text":"Rue"}`,
			`{"id":"a","lat":1,"lng":2,"precision":"place"}`, false},
		{"found for another address", lyonListing, outdated, ofCode, false},
		{"the flat has its own gps", lyonListing + `,"gps":[1,2]`, foundHouse,
			`{"id":"a","lat":1,"lng":2,"precision":"own"}`, false},
		{"not on earth", `"title":"x"`, `{"lat":200,"lng":1,"precision":"house","text":"x"}`, nowhere, true},
		{"nothing was found", `"location":"Rue"`, `{"precision":null,"text":"Rue","lat":null,"lng":null}`, nowhere, false},
		{"not an object", lyonListing, `[1,2]`, ofCode, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			flats := `[{"id":"a",` + test.listing + `,"found_position":` + test.found + `}]`
			stored, imported := newService(t, flats, testCodes), newService(t, "[]", testCodes)
			if got := imported.ask("POST", "/api/v1/import", flats); got.status != 200 {
				t.Fatal(got.body)
			}
			for _, s := range []*service{stored, imported} {
				s.want(s.ask("GET", "/api/v1/find?fields=lat,lng,precision", ""), 200,
					`{"data":[`+test.want+`],"page":0,"items_per_page":1,"total":1,"counts":{}}`)
			}
			isLogged := strings.Contains(imported.logs.String(), "invalid value ignored")
			if isLogged != test.isInvalid {
				t.Errorf("the log tells of an invalid value: %v; want %v: %s", isLogged, test.isInvalid, imported.logs.String())
			}
		})
	}
}

// TestFoundPositionIsFixed tests that neither a listing of a known flat nor an update changes what was found.
func TestFoundPositionIsFixed(t *testing.T) {
	s := newService(t, `[{"id":"none",`+lyonListing+`},
		{"id":"house",`+lyonListing+`,"found_position":`+foundHouse+`}]`, testCodes)
	got := s.ask("POST", "/api/v1/import", `[{"id":"none","found_position":`+foundHouse+`},
		{"id":"house","found_position":null}]`)
	if got.status != 200 {
		t.Fatal(got.body)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/house", `{"found_position":`+foundHouse+`}`), 400,
		"Invalid payload provided: found_position: a flat has no such field.")
	s.ask("POST", "/api/v1/import", `[{"id":"house","found_position":7}]`)
	if found := s.store.Get("house").FoundPosition.JSON(); found != foundHouse {
		t.Errorf("the position of the house is %s", found)
	}
	if found := s.store.Get("none").FoundPosition.JSON(); found != "null" {
		t.Errorf("the position of a flat without one is %s", found)
	}
}

// TestFindPrecision tests that /find knows the precision of the position that counts, and that version 1 knows nothing
// of positions.
func TestFindPrecision(t *testing.T) {
	foundStreet := strings.Replace(foundHouse, "house", "street", 1)
	s := newService(t, `[{"id":"code",`+lyonListing+`},{"id":"house",`+lyonListing+`,"found_position":`+foundHouse+`},
		{"id":"street",`+lyonListing+`,"found_position":`+foundStreet+`}]`, testCodes)
	got := s.ids(s.ask("GET", "/api/v1/find?any[precision]=house&any[precision]=street&sort=id", ""))
	if got != "house street" {
		t.Errorf("precise are %s", got)
	}
	s.refuse(s.ask("GET", "/api/v1/flats?sort=precision", ""), 400, "Invalid sorting key provided: precision.")
	if strings.Contains(s.ask("GET", "/api/v1/flats/house", "").body, "found_position") {
		t.Error("version 1 serves found_position")
	}
}

// costlyFlats returns flats of nearly the most values or bytes that an import may make. Each has them in another field
// from which something is derived.
func costlyFlats(t testing.TB) (flats []*Flat) {
	t.Helper()
	numbers := strings.TrimSuffix(strings.Repeat("1,", 9900), ",")
	named := func(n int, value string) string { return strings.TrimSuffix(repeated(n, `"n%[1]d":`+value, ","), ",") }
	for i, members := range []string{
		`"details":{"gps":[` + numbers + `]}`,
		`"gps":[` + numbers + `]`,
		`"service_time_to":{"a":{"time":[` + numbers + `]}}`,
		`"service_time_to":{` + named(4900, `{"time":1}`) + `}`,
		`"photos":[` + numbers + `],"status":"followed"`,
		`"photos":[` + repeated(9900, `"http://p/%[1]d"`, ",") + `],"status":"followed"`,
		`"urls":["http://u/1",` + numbers + `]`,
		`"urls":[[` + numbers + `]]`,
		`"merged_ids":[` + repeated(9900, `"m%[1]d"`, ",") + `]`,
		`"not_duplicates":[` + repeated(9900, `"m%[1]d"`, ",") + `]`,
		`"status":[` + numbers + `]`,
		`"details":{` + named(9900, `"w"`) + `}`,
		`"ratings":{` + named(9900, "1") + `}`,
		`"cost_history":[` + repeated(3200, `{"date":"2026-01-01","cost":%[1]d}`, ",") + `]`,
		`"corrected":{"title":"` + strings.Repeat("t", maxLine.bytes-1000) + `"}`,
		`"found_position":{"text":"a","x":[` + numbers + `]}`,
	} {
		text := fmt.Sprintf(`[{"id":%d,%s}]`, i, members)
		read, err := readFlats("in", []byte(text), nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if read[0].asRead != nil {
			t.Fatalf("%.40s is larger than the bound", text)
		}
		flats = append(flats, read[0])
	}
	return flats
}

// What is derived from a flat is derived when the flat is made. So a key, which queries compare, takes little memory,
// whatever the flat has, and so do the words that a search compares, the shortlist, and the photos of the flat.
func TestKeysParseNothing(t *testing.T) {
	fields := queryFields(quiet, nil, "time_to.a", "rating.n1", "travel.n1", "travel_longest")
	const mostOfKey, mostOfOthers = 2 << 10, 64 << 10 // bytes; these flats have 20 KB and more
	for _, f := range costlyFlats(t) {
		for _, field := range fields.list {
			if allocated := allocatedBy(func() { field.key(nil, f) }); allocated > mostOfKey {
				t.Errorf("the key of %s in %.60s allocates %d bytes; want at most %d", field.name, f.JSON(), allocated, mostOfKey)
			}
		}
		for what, derive := range map[string]func(){
			"the words of details": func() { f.searched(slices.Index(searchedFields, "details")) },
			"the shortlist":        func() { f.isShortlisted() },
			"the listed photos":    func() { (&photoFetcher{}).keptAndMissing(f) },
		} {
			if allocated := allocatedBy(derive); allocated > mostOfOthers {
				t.Errorf("%s in %.60s: %d bytes allocated", what, f.JSON(), allocated)
			}
		}
	}
}

// Of several stops at one place, the quickest counts, wherever it stands.
func TestQuickestStop(t *testing.T) {
	stops := Stops{}
	const text = `{"all":[{"place":{"lat":48.00001,"lon":11},"duration":3},
		{"place":{"lat":48.00002,"lon":11},"duration":1},{"place":{"lat":48.00003,"lon":11},"duration":2}]}`
	if err := stops.read(turns.NewTask(t.Context(), turns.NewQueue()), []byte(text), pointAt(48, 11)); err != nil {
		t.Fatal(err)
	}
	var minutes []float64
	for _, cell := range stops {
		for _, reached := range cell {
			minutes = append(minutes, reached.minutes)
		}
	}
	if !slices.Equal(minutes, []float64{1}) {
		t.Errorf("the stops are %v minutes away; want one minute, and one stop", minutes)
	}
}

// Keys count the texts that they read, so that long ones take turns.
func TestKeysCountSteps(t *testing.T) {
	flats := costlyFlats(t)
	hasLongStatus := func(f *Flat) bool { return len(f.Status.JSON()) > 10_000 }
	f := flats[slices.IndexFunc(flats, hasLongStatus)]
	for _, name := range []string{"status", "title"} {
		field := flatFields.list[flatFields.byName[name]]
		work := turns.NewTask(t.Context(), turns.NewQueue())
		field.key(work, f)
		if size := len(field.value(f).JSON()); work.Steps() < size/8 {
			t.Errorf("the key of %s counts %d steps for %d bytes", name, work.Steps(), size)
		}
	}
}

// An import prepares its edits before the writer of the store takes them. The writer parses nothing: it compares which
// flats the edits were made for, and takes little memory for that, whatever the flats have. If flats have changed
// since, the import prepares its edits again.
func TestWriterParsesNothing(t *testing.T) {
	flats := costlyFlats(t)
	store := newStore(flats, nil, quiet, nil)
	defer store.Close()
	var listings Listings
	for _, f := range flats {
		var listing members
		if err := json.Unmarshal([]byte(f.JSON()), &listing); err != nil {
			t.Fatal(err)
		}
		listings.Flats = append(listings.Flats, members{"id": listing["id"], "text": json.RawMessage(`"a"`),
			"details": listing["details"]})
	}
	plan := newImportPlan(t.Context(), store, listings, time.Now())
	takeEdits := func(want error) { // as the writer does
		t.Helper()
		const most = 16 << 10
		var err error
		if allocated := allocatedBy(func() { _, err = plan.edits(store.Get) }); allocated > most || err != want {
			t.Errorf("the edits take %d bytes, with the error %v; want at most %d and %v", allocated, err, most, want)
		}
	}
	if err := plan.prepare(store.Get); err != nil {
		t.Fatal(err)
	}
	takeEdits(nil)
	for _, f := range flats {
		if _, err := store.Update(f.ID.String(), []byte(`{"notes":"b"}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
	}
	takeEdits(errStale)
	if err := plan.prepare(store.Get); err != nil {
		t.Fatal(err)
	}
	takeEdits(nil)
}

// With people, /find has the time of each to the nearest of their places, and the longest of these.
func TestFindWays(t *testing.T) {
	const placesOfA = `"work":{"gps":[48.14,11.56],"person":"Ann"},"gym":{"gps":[48.14,11.56],"person":"Ann"},
		"office":{"gps":[48.14,11.56],"person":"Ben"}`
	flats := `[{"id":1,"service_constraint":"a",
			"service_time_to":{"work":{"time":600},"gym":{"time":300},"office":{"time":900}}},
		{"id":2,"service_constraint":"a","service_time_to":{"work":{"time":600},"elsewhere":{"time":1}}},
		{"id":3,"service_constraint":"b","service_time_to":{"work":{"time":100},"school":{"time":50},"gym":{"time":1}}},
		{"id":4,"service_time_to":{"work":{"time":100},"school":{"time":500}}},{"id":5}]`
	for _, c := range []struct {
		school string // the members of the school after its position
		want   string // "ID, and the times of Ann, Ben and Cem, and the longest" of each flat
	}{
		// Cem goes nowhere.
		{`,"person":"Ben"`, `1 300 900 null 900, 2 600 null null null, 3 null 50 null null,
			4 100 500 null 500, 5 null null null null`},
		// Everybody goes to the school, Cem, too. In the constraint a it is no place, so that his time is unknown there.
		{``, `1 300 900 null null, 2 600 null null null, 3 50 50 50 50,
			4 100 500 500 500, 5 null null null null`},
	} {
		text := `{"people":["Ann","Ben","Cem"],"constraints":{"a":{"time_to":{` + placesOfA + `}},
			"b":{"time_to":{"work":{"gps":[1,2],"person":"Ben"},"school":{"gps":[1,2]` + c.school + `}}}}}`
		config, err := parseConfig("config.json", []byte(text), quiet)
		if err != nil {
			t.Fatal(err)
		}
		config.WebsiteURL = "https://flats.example/"
		s := newService(t, flats, "[]")
		s.store.codes = s.store.codes.with(config.Constraints)
		s.store.table = newTable(queryFields(quiet, s.store.codes, config.fieldNames()...))
		s.use(testProgram(t, config, s.store, quiet))
		var rows []string
		got := s.ask("GET", "/api/v1/find?sort=id&format=csv&fields=travel.Ann,travel.Ben,travel.Cem,travel_longest", "").body
		for row := range strings.Lines(got) {
			if isHeader := strings.HasPrefix(row, "\uFEFF"); isHeader {
				continue
			}
			cells := strings.Split(strings.TrimSpace(row), ",")
			for i, cell := range cells {
				cells[i] = cmp.Or(cell, "null")
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		if got, want := strings.Join(rows, ", "), strings.Join(strings.Fields(c.want), " "); got != want {
			t.Errorf("%s: %s\nwant %s", c.school, got, want)
		}
		ids := s.ids(s.ask("GET", "/api/v1/find?max[travel.Ben]=900&sort=-travel.Ben&fields=id", ""))
		if !strings.HasPrefix(ids, "1") { // flat 1 has the longest time of Ben
			t.Errorf("sorted by travel.Ben: %s", ids)
		}
	}
	s := newService(t, flats, "[]")
	for _, field := range []string{"travel.Ann", "travel_longest"} {
		if got := s.ask("GET", "/api/v1/find?fields="+field, ""); got.status != 400 {
			t.Errorf("without people %s is answered with %d", field, got.status)
		}
	}
}
