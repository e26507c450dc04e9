// The contract: each sentence of version 1 of the API has a case here, a table for each section.
//
// A case is a request to a service with the flats and the postal codes below. The answer must have the status, and all
// that the case names: an object may have other members, too. Tests of one subject in depth stand next to its source,
// and their names also end in the number of the section.

package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// The constraints are "lyon", with the codes of the area FR-84, and "anywhere", with all: see newService.
const testCodes = `[{"postal_code":"69007","name":"Lyon 7e","lat":45.7336,"lng":4.8375,"area":"FR-84"},
	{"postal_code":"69007","name":"second of its code","lat":1,"lng":2,"area":"FR-84"},
	{"postal_code":"69003","name":"Lyon 3e","lat":45.7535,"lng":4.8695,"area":"FR-84"},
	{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846,"area":"DE-BE"},
	{"postal_code":"99999","name":"nowhere","lat":null,"lng":null,"area":null}]`

const testFlats = `[
{"id":"a","title":"Studio","cost":500,"area":20.5,"text":"small","status":"followed","service_constraint":"lyon",
	"service_postal_code":"69007"},
{"id":"b","title":"Loft","cost":1200.00,"area":80,"currency":"EUR","rooms":3,"date":"2026-01-02T10:00:00+01:00",
	"status":"new","x_seen":[1, 2],"photos":[{"url":"https://example.org/1.jpg"}]},
{"id":7,"title":"Attic","cost":700,"area":80,"notes":"","status":5,"visit_date":"2026-12-01T18:00",
	"service_constraint":"anywhere","service_postal_code":"10115"},
{"id":"d","title":null,"cost":null,"date":"2026-01-02T09:00:00Z","status":{"k": "v"},"details":{"floor": 2},
	"service_constraint":"lyon","service_postal_code":"10115"},
{"id":"e","title":"Loft","cost":700,"area":79,"status":null,"service_constraint":"nobody","service_postal_code":"69007"}
]`

// A contractCase is a sentence of the contract.
type contractCase struct {
	sentence string
	request  string // METHOD path
	body     string
	status   int
	want     string // JSON whose members the answer has, or else the whole text of the answer
}

// holds sends the requests of the cases, each to a new service. A request before " => " only prepares the next one;
// its body follows in brackets.
func holds(t *testing.T, cases []contractCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.sentence, func(t *testing.T) {
			s := newService(t, testFlats, testCodes)
			before, request, isPrepared := strings.Cut(c.request, " => ")
			if isPrepared {
				s.ask(splitRequest(before))
			} else {
				request = before
			}
			method, target, _ := strings.Cut(request, " ")
			got := s.ask(method, target, c.body)
			if got.status != c.status {
				t.Errorf("%s %s: %d %s; want %d", request, c.body, got.status, got.body, c.status)
			}
			var want, answer any
			if json.Unmarshal([]byte(c.want), &want) != nil {
				if got.body != c.want {
					t.Errorf("%s %s: %s; want %s", request, c.body, got.body, c.want)
				}
				return
			}
			if json.Unmarshal([]byte(got.body), &answer); !includes(answer, want) {
				t.Errorf("%s %s: %s; want %s", request, c.body, got.body, c.want)
			}
			if got.status >= 400 && got.header.Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: Content-Type %q", request, c.body, got.header.Get("Content-Type"))
			}
		})
	}
}

// splitRequest splits "METHOD path (body)".
func splitRequest(text string) (method, target, body string) {
	method, rest, _ := strings.Cut(text, " ")
	target, body, _ = strings.Cut(strings.TrimSuffix(rest, ")"), " (")
	return method, target, body
}

// includes reports whether a JSON value is as wanted. An object may have more members than the wanted one.
func includes(got, want any) bool {
	switch want := want.(type) {
	case object:
		got, isObject := got.(object)
		for name, value := range want {
			member, isThere := got[name]
			if !isThere || !includes(member, value) {
				return false
			}
		}
		return isObject
	case []any:
		got, isList := got.([]any)
		if !isList || len(got) != len(want) {
			return false
		}
		for i := range want {
			if !includes(got[i], want[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, want)
}

// Section 2: the resources and their fields.
func TestContract_2(t *testing.T) {
	holds(t, []contractCase{
		{"2.1 a flat has the fields of the table", "GET /api/v1/flats/b", "", 200,
			`{"data":{"id":"b","title":"Loft","area":80,"cost":1200,"currency":"EUR","text":null,"notes":null,
			"status":"new","visit_date":null,"service_constraint":null,"service_postal_code":{}}}`},
		{"2.1 the type of an id is not specified further", "GET /api/v1/flats/7", "", 200, `{"data":{"id":7}}`},
		{"2.1 notes may be empty", "GET /api/v1/flats/7", "", 200, `{"data":{"notes":""}}`},
		{"2.1 the status is settable", "PATCH /api/v1/flat/a", `{"status":"visited"}`, 200,
			`{"data":{"id":"a","status":"visited"}}`},
		{"2.1 the date of the visit is settable", "PATCH /api/v1/flat/a", `{"visit_date":"2026-11-30T10:15:00+01:00"}`, 200,
			`{"data":{"visit_date":"2026-11-30T10:15:00+01:00"}}`},
		{"2.1 the date of the visit is nullable", "PATCH /api/v1/flat/7", `{"visit_date":null}`, 200,
			`{"data":{"visit_date":null}}`},
		{"2.1 the constraint is the name of one", "GET /api/v1/flats/a", "", 200, `{"data":{"service_constraint":"lyon"}}`},
		{"2.2 the postal code is an object, looked up in the data of the constraint", "GET /api/v1/flats/a", "", 200,
			`{"data":{"service_postal_code":{"postal_code":"69007","name":"Lyon 7e","gps":[45.7336,4.8375]}}}`},
		{"2.2 another constraint has other data", "GET /api/v1/flats/7", "", 200,
			`{"data":{"service_postal_code":{"postal_code":"10115","name":"Berlin","gps":[52.5323,13.3846]}}}`},
		{"2.2 the constraint's data has no entry", "GET /api/v1/flats/d", "", 200,
			`{"data":{"service_constraint":"lyon","service_postal_code":{}}}`},
		{"2.2 there is no such constraint", "GET /api/v1/flats/e", "", 200, `{"data":{"service_postal_code":{}}}`},
		{"2.3 a postal code has a code, a name, lat and lng", "GET /api/v1/opendata/postal_codes?page[size]=1", "", 200,
			`{"data":[{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846}]}`},
		{"2.4 places by constraint and name", "GET /api/v1/time_to_places", "", 200,
			`{"data":{"lyon":{"work":[45.76,4.85],"Gare \"Perrache\"":[45.7485,4.8258]},"anywhere":{}}}`},
		{"2.5 an error has a text and the status", "GET /api/v1/flats/x", "", 404,
			`{"error":"No flat with id x.","status_code":404}`},
	})
	// 2.1: every attribute may be a key of a filter and of an order, and an order may descend.
	s := newService(t, testFlats, testCodes)
	for _, field := range flatFields.list {
		if field.where != inLists {
			continue // it is none of version 1
		}
		for _, query := range []string{"filter[" + field.name + "]=nothing", "sort=" + field.name, "sort=-" + field.name} {
			if got := s.ask("GET", "/api/v1/flats?"+query, ""); got.status != 200 {
				t.Errorf("%s: %d %s", query, got.status, got.body)
			}
		}
	}
	// 2.2: in storage the postal code is a string.
	if line := s.store.Get("a").appendStored(nil); !strings.Contains(string(line), `"service_postal_code":"69007"`) {
		t.Errorf("stored as %s", line)
	}
}

// Section 3: the status is stored as it is given.
func TestContract_3(t *testing.T) {
	var cases []contractCase
	for _, value := range []string{`"followed"`, `"anything else"`, `""`, `null`, `5`, `true`, `{"k":["v"]}`} {
		cases = append(cases, contractCase{value, "PATCH /api/v1/flat/a ({\"status\":" + value + "}) => GET /api/v1/flats/a",
			"", 200, `{"data":{"status":` + value + `}}`})
	}
	holds(t, cases)
}

// Section 4.1: the parameters of lists.
func TestContract_4_1(t *testing.T) {
	const flats, page = "GET /api/v1/flats?", `{"error":"Invalid pagination provided.","status_code":400}`
	holds(t, []contractCase{
		{"filter keeps what is equal", flats + "filter[title]=Loft", "", 200, `{"data":[{"id":"e"},{"id":"b"}]}`},
		{"several filters combine", flats + "filter[title]=Loft&filter[cost]=700", "", 200, `{"data":[{"id":"e"}]}`},
		{"filters that nothing meets", flats + "filter[title]=Loft&filter[title]=Attic", "", 200, `{"data":[]}`},
		{"parameters of another form are ignored", flats + "filter=1&filter[a-b]=1&filter[title]x=1&other=1&page[size]=1", "",
			200, `{"data":[{"id":"d"}]}`},
		{"a page has as many items", flats + "page[size]=2", "", 200,
			`{"data":[{"id":"d"},{"id":"a"}],"page":0,"items_per_page":2}`},
		{"pages are counted from 0", flats + "page[size]=2&page[number]=1", "", 200,
			`{"data":[{"id":7},{"id":"e"}],"page":1,"items_per_page":2}`},
		{"the last page is shorter", flats + "page[size]=2&page[number]=2", "", 200,
			`{"data":[{"id":"b"}],"page":2,"items_per_page":2}`},
		{"a page beyond the end is empty", flats + "page[size]=2&page[number]=3", "", 200,
			`{"data":[],"page":3,"items_per_page":2}`},
		{"without a size there are no pages", flats + "", "", 200,
			`{"data":[{"id":"d"},{"id":"a"},{"id":7},{"id":"e"},{"id":"b"}],"page":0,"items_per_page":5}`},
		{"a number needs a size", flats + "page[number]=1&filter[title]=Loft", "", 200,
			`{"data":[{"id":"e"},{"id":"b"}],"page":1,"items_per_page":2}`},
		{"1: a size that is no integer", flats + "page[size]=two", "", 400, page},
		{"1: a size of 0", flats + "page[size]=0", "", 400, page},
		{"1: a negative size", flats + "page[size]=-1", "", 400, page},
		{"1: a number that is no integer", flats + "page[size]=1&page[number]=1.5", "", 400, page},
		{"1: a negative number", flats + "page[size]=1&page[number]=-1", "", 400, page},
		{"1: beyond 64 bits", flats + "page[size]=99999999999999999999", "", 400, page},
		{"2: a key that is no attribute", flats + "sort=cost,nope", "", 400,
			`{"error":"Invalid sorting key provided: nope.","status_code":400}`},
		{"3: flats ascend by cost", flats + "filter[area]=80", "", 200, `{"data":[{"id":7},{"id":"b"}]}`},
		{"3: what is found ascends by cost", "POST /api/v1/search", `{"query":"loft"}`, 200,
			`{"data":[{"id":"e"},{"id":"b"}]}`},
		{"3: postal codes ascend by code", "GET /api/v1/opendata/postal_codes", "", 200, `{"data":[{"postal_code":"10115"},
			{"postal_code":"69003"},{"postal_code":"69007"},{"postal_code":"69007"},{"postal_code":"99999"}]}`},
		{"a minus descends", flats + "sort=-cost", "", 200,
			`{"data":[{"id":"b"},{"id":7},{"id":"e"},{"id":"a"},{"id":"d"}]}`},
		{"keys apply in order", flats + "sort=-cost,area", "", 200,
			`{"data":[{"id":"b"},{"id":"e"},{"id":7},{"id":"a"},{"id":"d"}]}`},
		{"4: a page is cut from what is filtered and sorted", flats + "filter[title]=Loft&sort=-cost&page[size]=1", "", 200,
			`{"data":[{"id":"b"}],"page":0,"items_per_page":1}`},
		{"6: pagination is checked before the query runs", flats + "filter[cost]=1&page[size]=x", "", 400, page},
		{"6: any other failure is a 500", flats + "filter[nope]=1", "", 500,
			`{"error":"Invalid filter key provided: nope.","status_code":500}`},
	})
}

// Section 4.2: the routes.
func TestContract_4_2(t *testing.T) {
	holds(t, []contractCase{
		{"index", "GET /api/v1/", "", 200, `{"opendata":"/api/v1/opendata","flats":"/api/v1/flats",
			"flat":"/api/v1/flat/:id","search":"/api/v1/search","ics":"/api/v1/ics/visits.ics",
			"time_to_places":"/api/v1/time_to_places"}`},
		{"flats", "GET /api/v1/flats?page[size]=1&sort=id", "", 200, `{"data":[{"id":7,"title":"Attic"}],"page":0}`},
		{"one flat", "GET /api/v1/flats/a", "", 200, `{"data":{"id":"a","title":"Studio"}}`},
		{"update", "PATCH /api/v1/flat/a", `{"title":"Room"}`, 200, `{"data":{"id":"a","title":"Room","cost":500}}`},
		{"search", "POST /api/v1/search", `{"query":"studio"}`, 200,
			`{"data":[{"id":"a","service_postal_code":{"name":"Lyon 7e"}}],"page":0,"items_per_page":1}`},
		{"places", "GET /api/v1/time_to_places", "", 200, `{"data":{"lyon":{},"anywhere":{}}}`},
		{"metadata", "GET /api/v1/metadata", "", 200, `{"data":{"flats":5,"postal_codes":5,"last_update":null}}`},
		{"open data", "GET /api/v1/opendata", "", 200, `{"postal_codes":"/api/v1/opendata/postal_codes"}`},
		{"postal codes", "GET /api/v1/opendata/postal_codes?filter[name]=Berlin", "", 200,
			`{"data":[{"postal_code":"10115","name":"Berlin"}],"page":0,"items_per_page":1}`},
		{"the plural only reads", "PATCH /api/v1/flats/a", "{}", 405,
			`{"error":"/api/v1/flats/a does not answer PATCH, only GET, HEAD, OPTIONS.","status_code":405}`},
		{"the singular only updates", "GET /api/v1/flat/a", "", 405,
			`{"error":"/api/v1/flat/a does not answer GET, only PATCH, OPTIONS.","status_code":405}`},
		{"filters apply to what a search finds", "POST /api/v1/search?filter[cost]=700", `{"query":"loft"}`, 200,
			`{"data":[{"id":"e"}]}`},
		{"orders apply to what a search finds", "POST /api/v1/search?sort=-cost", `{"query":"loft"}`, 200,
			`{"data":[{"id":"b"},{"id":"e"}]}`},
		{"pages apply to what a search finds", "POST /api/v1/search?page[size]=1&page[number]=1", `{"query":"loft"}`, 200,
			`{"data":[{"id":"b"}],"page":1,"items_per_page":1}`},
	})
}

// Section 4.3: the details of each route.
func TestContract_4_3(t *testing.T) {
	const none = `{"error":"No flat with id nope.","status_code":404}`
	const query = `{"error":"Invalid query provided.","status_code":400}`
	holds(t, []contractCase{
		{"GET of no flat", "GET /api/v1/flats/nope", "", 404, none},
		{"PATCH 1: any subset of the fields", "PATCH /api/v1/flat/b", `{"status":"visited","visit_date":"2026-12-01T10:00"}`,
			200, `{"data":{"status":"visited","visit_date":"2026-12-01T10:00","title":"Loft","cost":1200}}`},
		{"PATCH 1: none of the fields", "PATCH /api/v1/flat/b", `{}`, 200, `{"data":{"id":"b","title":"Loft"}}`},
		{"PATCH 1: each key is set on the flat", `PATCH /api/v1/flat/b ({"notes":"n","area":9}) => GET /api/v1/flats/b`, "",
			200, `{"data":{"notes":"n","area":9}}`},
		{"PATCH 2: no such flat", "PATCH /api/v1/flat/nope", `{"status":"new"}`, 404, none},
		{"PATCH 2: the flat is looked up before the body is read", "PATCH /api/v1/flat/nope", "no JSON", 404, none},
		{"PATCH 3: no JSON", "PATCH /api/v1/flat/a", "{", 400,
			`{"error":"Invalid payload provided: unexpected end of JSON input.","status_code":400}`},
		{"PATCH 3: no object", "PATCH /api/v1/flat/a", "[]", 400,
			`{"error":"Invalid payload provided: want an object, got [].","status_code":400}`},
		{"PATCH 4: the answer has the updated values", "PATCH /api/v1/flat/a", `{"service_postal_code":"69003"}`, 200,
			`{"data":{"service_postal_code":{"postal_code":"69003","name":"Lyon 3e","gps":[45.7535,4.8695]}}}`},
		{"search 1: no JSON", "POST /api/v1/search", "{", 400, query},
		{"search 1: no query", "POST /api/v1/search", `{"q":"loft"}`, 400, query},
		{"search 1: the body is read first", "POST /api/v1/search?page[size]=0", "{", 400, query},
		{"search 2: the parameters are checked next", "POST /api/v1/search?page[size]=0", `{"query":"loft"}`, 400,
			`{"error":"Invalid pagination provided.","status_code":400}`},
		{"search 2: the sort keys, too", "POST /api/v1/search?sort=nope", `{"query":"loft"}`, 400,
			`{"error":"Invalid sorting key provided: nope.","status_code":400}`},
	})
}

// Section 4.4: the calendar.
func TestContract_4_4(t *testing.T) {
	const updates = `{"visit_date":"2026-12-02T09:30:00Z","notes":"Ring twice","text":"Two rooms"}`
	s := newService(t, testFlats, testCodes)
	s.ask("PATCH", "/api/v1/flat/b", updates)
	got := s.ask("GET", feedPath, "")
	text := strings.ReplaceAll(got.body, "\r\n ", "") // long lines are folded
	for sentence, want := range map[string]string{
		"start":              "\r\nDTSTART:20261202T093000Z\r\n",
		"end, an hour later": "\r\nDTEND:20261202T103000Z\r\n",
		"summary":            "\r\nSUMMARY:Visit - Loft\r\n",
		"description": `DESCRIPTION:Loft (area: 80\, cost: 1200.00 EUR)\nhttps://flats.example/#/flat/b\n\n` +
			"Two rooms",
		"notes, if not empty":  `Two rooms\n\nRing twice` + "\r\n",
		"the event of another": "\r\nSUMMARY:Visit - Attic\r\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %s lacks %q", sentence, text, want)
		}
	}
	if n := strings.Count(text, "BEGIN:VEVENT"); got.status != 200 || n != 2 {
		t.Errorf("%d with %d events; want one for each flat with a visit", got.status, n)
	}
}

// Section 4.5: each route but the indexes answers OPTIONS with an empty body, and does nothing.
func TestContract_4_5(t *testing.T) {
	holds(t, []contractCase{
		{"flats", "OPTIONS /api/v1/flats?page[size]=x", "", 200, ""},
		{"one flat", "OPTIONS /api/v1/flats/nope", "", 200, "{}"},
		{"update", "OPTIONS /api/v1/flat/nope", "no JSON", 200, "{}"},
		{"search", "OPTIONS /api/v1/search", "no JSON", 200, "{}"},
		{"calendar", "OPTIONS " + feedPath, "", 200, "{}"},
		{"places", "OPTIONS /api/v1/time_to_places", "", 200, "{}"},
		{"metadata", "OPTIONS /api/v1/metadata", "", 200, "{}"},
		{"postal codes", "OPTIONS /api/v1/opendata/postal_codes?sort=nope", "", 200, "{}"},
	})
}

// Section 7: each row of the table of errors. These are errors of clients, so none is logged.
func TestContract_7(t *testing.T) {
	holds(t, []contractCase{
		{"pagination", "GET /api/v1/flats?page[size]=0", "", 400,
			`{"error":"Invalid pagination provided.","status_code":400}`},
		{"sort key", "GET /api/v1/flats?sort=nope", "", 400,
			`{"error":"Invalid sorting key provided: nope.","status_code":400}`},
		{"sort key of postal codes", "GET /api/v1/opendata/postal_codes?sort=cost", "", 400,
			`{"error":"Invalid sorting key provided: cost.","status_code":400}`},
		{"update that is no JSON", "PATCH /api/v1/flat/a", "{", 400,
			`{"error":"Invalid payload provided: unexpected end of JSON input.","status_code":400}`},
		{"search that is no JSON", "POST /api/v1/search", "{", 400, `{"error":"Invalid query provided.","status_code":400}`},
		{"search without a query", "POST /api/v1/search", "{}", 400, `{"error":"Invalid query provided.","status_code":400}`},
		{"read of no flat", "GET /api/v1/flats/nope", "", 404, `{"error":"No flat with id nope.","status_code":404}`},
		{"update of no flat", "PATCH /api/v1/flat/nope", "{}", 404, `{"error":"No flat with id nope.","status_code":404}`},
		{"any other failure", "GET /api/v1/flats?filter[nope]=1", "", 500,
			`{"error":"Invalid filter key provided: nope.","status_code":500}`},
		{"no route", "GET /api/v1/nope", "", 404, `{"error":"There is nothing at /api/v1/nope.","status_code":404}`},
	})
}

// Section 7: a panic is logged and answered with a 500. A panic after the first byte
// aborts the connection.
func TestFailures_7(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	broken := &server{config: s.config, log: log}
	s.Handler = broken.observed(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("out of milk") }))
	s.refuse(s.ask("GET", "/", ""), 500, "internal error: out of milk")
	if !strings.Contains(s.logs.String(), "out of milk") || !strings.Contains(s.logs.String(), "_test.go") {
		t.Errorf("the log lacks the panic or its position: %s", s.logs)
	}
	s.Handler = broken.observed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("half"))
		panic("too late")
	}))
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("a panic after the first byte: recovered %v; want http.ErrAbortHandler", got)
			}
		}()
		s.ask("GET", "/", "")
	}()
}

// Sections 8 and 9: the limits, and the version in the path.
func TestContract_8_9(t *testing.T) {
	holds(t, []contractCase{
		{"8 a page has at least one item", "GET /api/v1/flats?page[size]=1", "", 200, `{"data":[{}],"items_per_page":1}`},
		{"8 a page may be larger than the list", "GET /api/v1/flats?page[size]=1000000", "", 200,
			`{"data":[{},{},{},{},{}],"items_per_page":1000000}`},
		{"8 the first page is 0", "GET /api/v1/flats?page[size]=9&page[number]=0", "", 200,
			`{"data":[{},{},{},{},{}],"page":0}`},
		{"8 without a size all records", "GET /api/v1/flats", "", 200, `{"data":[{},{},{},{},{}],"items_per_page":5}`},
		{"9 another version is not there", "GET /api/v2/flats", "", 404,
			`{"error":"There is nothing at /api/v2/flats.","status_code":404}`},
	})
}
