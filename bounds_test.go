// A bound for the work and the memory of every input.

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestBounds sends each input of the service at its bound, and at half of it, to a program
// that counts its steps. Twice the input may cost 2.2 times as much, in all and in each
// request. The cost includes reading what the input has stored.
//
//	go test -run '^TestBounds$' -v -whole .
func TestBounds(t *testing.T) {
	if !*whole || runtime.GOOS != "linux" {
		t.Skip("takes half a minute, with -whole, and reads /proc")
	}
	built := buildCounted(t)
	idle := map[string]*idleService{}
	for _, b := range bounds() {
		files := fmt.Sprint(b.folder(0))
		if idle[files] == nil {
			idle[files] = &idleService{}
		}
		idle := idle[files]
		if b.beyond > 0 && idle.program == nil {
			idle.program = start(t, b.fill(t, 0))
		}
		t.Run(strings.ReplaceAll(b.route+" "+b.part, "/", ":"), func(t *testing.T) {
			t.Parallel()
			if b.beyond > 0 {
				b.refuses(t, idle.program)
			}
			if b.held {
				b.holds(t)
				return
			}
			idle.once.Do(func() { idle.cost = b.measure(t, built, 0) })
			b.grows(t, built, idle.cost)
		})
	}
}

// bounds returns the inputs of the service.
func bounds() []bound {
	return slices.Concat(storeBounds(), queryBounds(), derivedBounds(), readBounds(), headerBounds(), patchBounds(),
		importBounds(), containerBounds(), listingBounds(), fredyBounds(), viewBounds(), mcpBounds(), fileBounds(),
		configBounds())
}

// ofFlats returns files with n flats.
func ofFlats(members string) func(n int) map[string]string {
	return func(n int) map[string]string { return map[string]string{"flats.json": manyFlats(n, members)} }
}

// fixed returns files that do not depend on the size.
func fixed(files map[string]string) func(int) map[string]string {
	return func(int) map[string]string { return files }
}

// storeBounds has the routes whose work depends on what the store holds.
func storeBounds() (list []bound) {
	const by = "the flats"
	for _, get := range []string{"/", "/sw.js", "/manifest.webmanifest", "/assets/{hash}/{name}", "/api/v1", "/api/v1/",
		"/api/v1/opendata", "/api/v1/flats/{id}", "/api/v1/notify", "/api/v1/travel", "/api/v1/mailbox", "/api/v1/photos",
		"/api/v1/openapi.json", "/api/v1/time_to_places"} {
		list = append(list, newBound("GET "+get, "", "the answer, which is always the same", 64, 1, nil, func(n int) []ask {
			return slices.Repeat([]ask{{method: "GET", target: get}}, n)
		}))
	}
	for _, get := range []string{"metadata", "duplicates", "flats", "find", "ics/visits.ics", "imports"} {
		list = append(list, newBound("GET /api/v1/"+get, "", by, 8000, 4, ofFlats(`"cost":%[1]d,"area":50,"phone":"1",`+
			`"photos":["http://p/1"],"location":"a 1","visit_date":"2026-12-01","gone":"2026-01-01"`), func(int) []ask {
			return []ask{{method: "GET", target: "/api/v1/" + get, status: 200}}
		}))
	}
	for what, members := range map[string]string{
		"alike":                        `"cost":900,"area":50,"phone":"1","location":"a 1"`,
		"that all name one another":    `"merged_ids":["f0@s"],"not_duplicates":["f1@s"]`,
		"that share addresses":         `"photos":["http://p/1","http://p/%[1]d"],"urls":["http://p/%[1]d0"]`,
		"with many orders of the same": `"title":"` + strings.Repeat("x", 40) + `","text":"%[1]d"`,
	} {
		list = append(list, newBound("GET /api/v1/duplicates", "flats "+what, by, 16000, 8, ofFlats(members), nil))
	}
	readers := func(target string) func(n int) []ask {
		return func(n int) []ask {
			return slices.Repeat([]ask{{method: "GET", target: target}}, n)
		}
	}
	flats := func(n int) func(int) map[string]string {
		return fixed(map[string]string{"flats.json": manyFlats(n, `"text":"`+strings.Repeat("long ", 1200)+`",`+
			`"visit_date":"2026-12-01"`)})
	}
	for _, target := range []string{"/api/v1/find?fields=text", "/api/v1/find?format=csv", "/api/v1/flats"} {
		route, _, _ := strings.Cut(target, "?")
		list = append(list, newBound("GET "+route, "unread "+target, "40 readers, each with a chunk", 40, 1, flats(3000),
			readers(target)).unread())
	}
	counted := strings.Fields("title text notes station location details photos urls phone utilities next_step")
	var members []string
	for _, name := range counted {
		members = append(members, `"`+name+`":"%[1]d`+strings.Repeat(" word", 700)+`"`)
	}
	list = append(list, newBound("GET /api/v1/find", "unread counts", "40 readers, each with 1 MiB of counts", 40, 1,
		fixed(map[string]string{"flats.json": manyFlats(1000, strings.Join(members, ","))}),
		readers("/api/v1/find?fields=id&page[size]=1&counts="+strings.Join(counted, "&counts="))).unread())
	list = append(list, newBound("GET "+feedPath, "unread", "40 readers, each with a chunk", 40, 5, flats(500),
		readers(feedPath)).unread())
	return append(list, newBound("POST /api/v1/import", "unfinished body", "20 uploads of 64 MiB", 20, 1, nil,
		func(n int) []ask {
			upload := ask{method: "POST", target: "/api/v1/import", header: []string{"Content-Length", "60000000"},
				body: strings.Repeat(" ", 50_000_000)}
			return slices.Repeat([]ask{upload}, n)
		}).unread())
}

// maxHead is the size of the head of a request, which net/http bounds.
const maxHead = 60 << 10

// inQuery returns requests with parameters of n bytes.
func inQuery(path string, parameters ...string) func(n int) []ask {
	return func(n int) (asks []ask) {
		for _, parameter := range parameters {
			asks = append(asks, ask{method: "GET", target: path + "?" + filled(n, parameter)})
		}
		return asks
	}
}

// queryBounds has the parameters of lists and of the search.
func queryBounds() (list []bound) {
	const head, long = "the head of a request: 64 KiB", 80 << 10
	flats := fixed(map[string]string{"flats.json": everydayFlats(200)})
	for _, path := range []string{"/api/v1/flats", "/api/v1/opendata/postal_codes", "/api/v1/find"} {
		for part, parameters := range map[string][]string{
			"filter": {"filter[id]=%[1]d&", "filter[cost]=9&", "filter[]&", "filter[%"},
			"page":   {"page[size]=7&", "page[number]=1&", "page[size]=7&page[number]=000&"},
			"sort":   {"sort=-title,cost&", "sort=cost,title,&"},
			"other":  {"&", "x%[1]d=1&", "%zz=1&", "a[b]=%20&"},
		} {
			if path == "/api/v1/opendata/postal_codes" {
				names := strings.NewReplacer("id", "postal_code", "cost", "lat", "title", "name")
				for i := range parameters {
					parameters[i] = names.Replace(parameters[i])
				}
			}
			list = append(list, newBound("GET "+path, "query "+part, head, maxHead, 1, flats, inQuery(path,
				parameters...)).past(long, 431))
		}
	}
	for part, parameters := range map[string][]string{
		"any":     {"any[cost]=%[1]d&", "any[title]=%[1]d&any[id]=%[1]d&"},
		"not":     {"not[cost]=%[1]d&", "not[title]=%[1]d&"},
		"min":     {"min[cost]=%[1]d&", "filter[id]=1&min[cost]=%[1]d&", "min[visit_date]=2026-01-01&"},
		"max":     {"max[cost]=%[1]d&", "filter[id]=1&max[area]=%[1]d&"},
		"known":   {"known[title]=yes&", "known[cost]=no&known[area]=yes&"},
		"unknown": {"unknown=cost&", "unknown=area&min[cost]=1&"},
		"nulls":   {"nulls=last&"},
		"fields":  {"fields=title&", "fields=text,title,cost,area,date&"},
		"counts":  {"counts=title&", "counts=cost&counts=id&filter[cost]=1&"},
		"format":  {"format=csv&"},
		"q":       {"q=w&", "q=OR&", "q=%22&", "q=-&", "q=東&"},
	} {
		list = append(list, newBound("GET /api/v1/find", "query "+part, head, maxHead, 1, flats,
			inQuery("/api/v1/find", parameters...)).past(long, 431))
	}
	notes := `[{"id":"f0@s","notes":"b` + strings.Repeat(" a", 1<<15) + `"}]`
	texts := fixed(map[string]string{"flats.json": notes})
	for what, query := range map[string]struct {
		words                  int // of an item
		item, separator, quote string
	}{
		"words":                     {1, "%[1]d", " ", ""},
		"a phrase":                  {1, "a", " ", `"`}, // with another word at its end
		"phrases":                   {2, `"a %[1]d"`, " ", ""},
		"characters without spaces": {1, "東", "", ""},
	} {
		text := func(n int) string {
			list := repeated(n, query.item, query.separator)
			if query.quote != "" {
				list = query.quote + strings.TrimSuffix(list, "a") + "b" + query.quote
			}
			return list
		}
		most := maxTerms / query.words
		list = append(list,
			newBound("GET /api/v1/find", "query q of "+what, "1,000 words", most, 1, texts, func(n int) []ask {
				return []ask{{method: "GET", target: "/api/v1/find?q=" + url.QueryEscape(text(n)), status: 200}}
			}).past(most+1, 400),
			newBound("POST /api/v1/search", "body query of "+what, "1,000 words", most, 1, texts, func(n int) []ask {
				body := `{"query":` + encodeJSON(text(n)) + `}`
				return []ask{{method: "POST", target: "/api/v1/search", body: body, status: 200}}
			}).past(most+1, 400))
	}
	for part, parameters := range map[string][]string{"filter": {"filter[id]=%[1]d&"}, "page": {"page[size]=7&"},
		"sort": {"sort=-title,cost&", "sort=area,text,&"}} {
		get := inQuery("/api/v1/search", parameters...)
		list = append(list, newBound("POST /api/v1/search", "query "+part, head, maxHead, 1, flats, func(n int) []ask {
			asks := get(n)
			for i := range asks {
				asks[i].method, asks[i].body = "POST", `{"query":"title"}`
			}
			return asks
		}).past(long, 431))
	}
	return append(list, newBound("POST /api/v1/search", "body query", "1 MiB of body", maxBody, 64, nil,
		func(n int) (asks []ask) {
			const empty = `{"query":""}`
			for _, item := range []string{"a ", "OR ", "NOT ", "-", "- ", `\" `, "a OR ", "NOT a OR ", "a* ", " ", "東",
				"title:a "} {
				text := filled(n-len(empty), item)
				asks = append(asks, ask{method: "POST", target: "/api/v1/search",
					body: `{"query":"` + text + `"}` + strings.Repeat(" ", n-len(empty)-len(text))})
			}
			return asks
		}).past(maxBody+1, 413))
}

// readBounds has the texts of listings that are read. Of a text and of a title, 100,000 bytes are read.
func readBounds() (list []bound) {
	const route, by = "POST /api/v1/read", "100,000 bytes of a text"
	for name, items := range map[string][]string{
		"text":  {"1 ", "1 €, ", "a 1\\n", "Miete 900 €\\n", "80331 Aa ", "0-", "<b>", "&amp;", "+4"},
		"title": {"1 ", "Aa 1, ", "in Aa "}, "link": {"https://a.example/", "/a", "%41"},
	} {
		list = append(list, newBound(route, "body "+name, by, longestText, 64, nil, func(n int) (asks []ask) {
			for _, item := range items {
				body := `{"` + name + `":"` + filled(n, item) + `","text":"a"}`
				if name == "text" {
					body = `{"text":"` + filled(n, item) + `"}`
				}
				asks = append(asks, ask{method: "POST", target: "/api/v1/read", body: body})
			}
			return asks
		}))
	}
	return append(list, newBound(route, "body shared", by, longestText, 64, nil, func(n int) []ask {
		body := `{"shared":true,"text":"` + filled(n, "https://a.example/b ") + `"}`
		return []ask{{method: "POST", target: "/api/v1/read", body: body}}
	}))
}

// derivedBounds has what queries read of fields that are derived from others, in flats at their
// bound: sorted, filtered, counted, served, exported, searched, and shown to assistants.
func derivedBounds() (list []bound) {
	numbers := func(n int) string { return "[" + repeated(n, "1", ",") + "]" }
	named := func(n int, value string) string { return "{" + repeated(n, `"n%[1]d":`+value, ",") + "}" }
	for field, members := range map[string]func(n int) string{
		"gps":         func(n int) string { return `"gps":` + numbers(n) },
		"lat":         func(n int) string { return `"details":{"gps":` + numbers(n) + `}` },
		"precision":   func(n int) string { return `"found_position":{"text":"a","x":` + numbers(n) + `}` },
		"travel_time": func(n int) string { return `"service_time_to":` + named(n/2, `{"time":1}`) },
		"time_to.a":   func(n int) string { return `"service_time_to":{"a":{"time":` + numbers(n) + `}}` },
		"url":         func(n int) string { return `"urls":[` + numbers(n) + `]` },
		"changed":     func(n int) string { return `"cost_history":[` + repeated(n/3, `{"date":null,"cost":1}`, ",") + `]` },
		"rating.a":    func(n int) string { return `"ratings":` + named(n, "1") },
		"place":       func(n int) string { return `"location":"%[1]d ` + strings.Repeat(`\\u0061 `, 2*n) + `"` },
		"status":      func(n int) string { return `"status":` + numbers(n) },
		"photos":      func(n int) string { return `"status":"followed","photos":` + named(n, `"http://p/%[1]d"`) },
		"merged_ids":  func(n int) string { return `"merged_ids":[` + repeated(n, `"m%[1]d"`, ",") + `]` },
		"details":     func(n int) string { return `"details":` + named(n, `"w"`) },
	} {
		const rows = 16 // so that assistants get a part of them, also at half the bound
		files := func(n int) map[string]string {
			return map[string]string{"flats.json": manyFlats(rows, members(n)), "config.json": `{"people":["a","b"],` +
				`"constraints":{"a":{"time_to":{"a":{"gps":[1,2]}}}}}`}
		}
		list = append(list, newBound("GET /api/v1/find", "of flats with a large "+field, "10,000 values of a flat",
			maxLine.values-100, 1, files, func(int) (asks []ask) {
				for _, query := range []string{"sort=F", "sort=-cost,F&fields=id", "filter[F]=1&fields=id", "not[F]=1&fields=id",
					"known[F]=yes&fields=id", "counts=F&fields=id", "fields=F", "fields=F&format=csv", "q=details:1&fields=id",
					"q=%22w n1 w%22&fields=id"} {
					target := "/api/v1/find?page[size]=16&" + strings.ReplaceAll(strings.ReplaceAll(query, "F", field), " ", "+")
					asks = append(asks, ask{method: "GET", target: target, status: 200})
				}
				return append(asks, ask{method: "GET", target: "/api/v1/duplicates", status: 200}, ask{method: "POST",
					target: "/api/v1/mcp", status: 200, body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` +
						`{"name":"find_flats","arguments":{"fields":["` + field + `"]}}}`})
			}).shared())
	}
	return list
}

// headerBounds has the headers that the service reads, and what paths and tokens contain.
func headerBounds() (list []bound) {
	const head, long = "the head of a request: 64 KiB", 80 << 10
	for name, items := range map[string][]string{
		"If-None-Match": {`"x%[1]d",`, ",", " ", `"`}, "If-Match": {`"x%[1]d",`, ","},
		"Accept":          {"a/b;q=1,", "text/csv;", "a/b;x%[1]d=1;", ","},
		"Accept-Encoding": {"gzip;q=0,", "a,", "gzip;x%[1]d=1;", `a;b*0="`},
		"Content-Type":    {"a;b=%[1]d;"}, "Content-Encoding": {"gzip,", "x"}, "Authorization": {"Basic a", "Bearer ", "a"},
		"Origin": {"http://a.", "http://h/%[1]d"}, "Access-Control-Request-Method": {"A"}, "Expect": {"a"},
		"Cookie": {"a=b;"}, "MCP-Protocol-Version": {"2025-11-25,", "a"},
	} {
		route := "GET /api/v1/find"
		if name == "If-Match" {
			route = "PATCH /api/v1/flat/{id}"
		} else if name == "MCP-Protocol-Version" {
			route = "POST /api/v1/mcp"
		}
		list = append(list, newBound(route, "header "+name, head, maxHead, 1, nil, func(n int) (asks []ask) {
			for _, item := range items {
				many := slices.Repeat([]string{name, item}, n/(len(name)+len(item)+4))
				for _, header := range [][]string{{name, filled(n, item)}, many} {
					asks = append(asks, ask{method: "GET", target: "/api/v1/find", header: header},
						ask{method: "PATCH", target: "/api/v1/flat/f1@s", header: header, body: `{"notes":"n"}`},
						ask{method: "POST", target: "/api/v1/import", header: header, body: `[]`},
						ask{method: "POST", target: "/api/v1/mcp", header: header, body: `{"method":"ping"}`},
						ask{method: "OPTIONS", target: "/api/v1/find", header: header})
				}
			}
			return asks
		}).past(long, 431))
	}
	for _, route := range []string{"GET /api/v1/flats/{id}", "PATCH /api/v1/flat/{id}", "PUT /api/v1/views/{name}",
		"DELETE /api/v1/views/{name}", "GET /assets/{hash}/{name}", "GET /api/v1/photos/{hash}", "GET /"} {
		method, path, _ := strings.Cut(route, " ")
		part := cmp.Or(strings.Trim(regexp.MustCompile(`{[a-z]*}`).FindString(path), "{}"), "path")
		prefix, _, _ := strings.Cut(path, "{")
		list = append(list, newBound(route, "path "+part, head, maxHead, 1, nil, func(n int) (asks []ask) {
			for _, item := range []string{"x", "/", "/.", "%2F", "%2E", "a/../", "%C3%A4", "%ff"} {
				asks = append(asks, ask{method: method, target: prefix + filled(n, item), body: `{"query":"","notes":"n"}`})
			}
			return asks
		}).past(long, 431))
	}
	config := fixed(map[string]string{"flats.json": everydayFlats(64),
		"config.json": `{"import_token":"t","feed_token":"t","people":["Ann","Ben"]}`})
	by := func(n int) (asks []ask) {
		for _, item := range []string{"by=Ann&", "by=x&", "%62y=%zz&"} {
			asks = append(asks, ask{method: "PATCH", target: "/api/v1/flat/f1@s?" + filled(n, item), body: `{"rating":1}`})
		}
		return asks
	}
	list = append(list, newBound("PATCH /api/v1/flat/{id}", "query by", head, maxHead, 1, config, by).past(long, 431))
	since := func(n int) (asks []ask) {
		for _, item := range []string{"status_since=2026-01-01T00:00:00Z&", "status_since=x&", "status%5fsince=%zz&"} {
			asks = append(asks, ask{method: "PATCH", target: "/api/v1/flat/f1@s?" + filled(n, item), body: `{"status":"x"}`})
		}
		return asks
	}
	list = append(list, newBound("PATCH /api/v1/flat/{id}", "query status_since", head, maxHead, 1, config, since).
		past(long, 431))
	return append(list, newBound("GET /api/v1/ics/visits.ics", "query token", head, maxHead, 1, config,
		inQuery("/api/v1/ics/visits.ics", "token=a&", "%74oken=%zz&", "a")).past(long, 431))
}

// A form is how a member of a flat can be costly.
type form struct {
	names string               // of the members
	by    string               // "" if the body bounds it
	most  int                  // likewise 0
	make  func(n int) []string // returns values of at most n bytes
}

var forms = []form{
	{"title text location station details notes", "", 0, func(n int) []string {
		return append(texts(n),
			values(n)[:2]...)
	}},
	{"currency utilities phone next_step service_constraint service_postal_code", "", 0, texts},
	{"area cost charges deposit fee rooms bedrooms notation rating", "400 digits", maxDigits, func(n int) []string {
		return []string{strings.Repeat("9", n), "1." + strings.Repeat("9", max(0, n-2)), "-1" + strings.Repeat("0",
			max(0, n-2))}
	}},
	{"date visit_date next_date first_seen gone", "", 0, func(n int) []string {
		return []string{`"2026-01-01T00:00:00.` + strings.Repeat("0", n) + `Z"`, `"` + strings.Repeat("2026-01-01",
			n/10) + `"`}
	}},
	{"photos urls merged_ids not_duplicates status service_stations service_time_to cost_history", "", 0, values},
	{"id", "1,024 bytes", maxIdentifier, func(n int) []string {
		return []string{`"` + strings.Repeat("x", n) + `"`, strings.Repeat("9", n)}
	}},
}

// patchBounds has the body of an update and its members.
func patchBounds() (list []bound) {
	for _, f := range forms {
		for _, name := range strings.Fields(f.names) {
			list = append(list, newBound("PATCH /api/v1/flat/{id}", "body "+name, cmp.Or(f.by, "1 MiB of body"),
				cmp.Or(f.most, maxBody), 64-63*min(f.most, 1), nil, func(n int) (asks []ask) {
					for i, value := range f.make(n) {
						asks = append(asks, ask{method: "PATCH", target: fmt.Sprintf("/api/v1/flat/f%d@s", i),
							body: `{"` + name + `":` + value + `}`})
					}
					return asks
				}))
		}
	}
	return append(list, newBound("PATCH /api/v1/flat/{id}", "body", "1 MiB", maxBody, 1, nil, func(n int) []ask {
		text := `{"notes":"` + filled(n/2, "w%[1]d ") + `"`
		return []ask{{method: "PATCH", target: "/api/v1/flat/f1@s", body: text + strings.Repeat(" ", n-len(text)-1) + "}",
			header: []string{"If-Match", "*"}}}
	}).past(maxBody+1, 413), newBound("PATCH /api/v1/flat/{id}", "body area of too many digits", "400 digits",
		200, 1, nil,
		func(n int) []ask {
			return []ask{{method: "PATCH", target: "/api/v1/flat/f1@s", body: `{"area":` + strings.Repeat("9", n) + `}`}}
		}).past(maxDigits+1, 400), newBound("PATCH /api/v1/flat/{id}", "body of unknown members", "1 MiB of body",
		maxBody, 8, nil,
		func(n int) []ask {
			return []ask{{method: "PATCH", target: "/api/v1/flat/f1@s", body: "{" + filled(n-20,
				`"m%[1]d":null,`) + `"x":null}`}}
		}))
}

// importing returns the request that imports a body.
func importing(body string) ask { return ask{method: "POST", target: "/api/v1/import", body: body} }

// importBounds has the body of an import as a whole.
func importBounds() []bound {
	zipped := func(text string) ask {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		io.WriteString(z, text)
		z.Close()
		return ask{method: "POST", target: "/api/v1/import", body: b.String(), header: []string{"Content-Encoding", "gzip"}}
	}
	const route = "POST /api/v1/import"
	chain := func(n int) map[string]string {
		return map[string]string{"flats.json": manyFlats(n, `"merged_ids":["f`+"%[1]d"+`@s"],"cost":1`)}
	}
	return []bound{
		newBound(route, "body", "64 MiB", maxImportBody, 64, nil, func(n int) []ask {
			return []ask{importing(listOf(n, "[")), importing(listOf(n, `"x"`)), importing(filled(n, "[")),
				importing(filled(n, `{"data":`)), importing(`[{"id":"a"}]` + strings.Repeat(" ", n-12))}
		}).past(maxImportBody+1, 413),
		newBound(route, "body that is gzipped", "64 MiB unpacked", maxImportBody, 32, nil, func(n int) []ask {
			return []ask{zipped(`[{"id":"a"}]` + strings.Repeat(" ", n-12))}
		}).past(maxImportBody+1, 413),
		newBound(route, "body that is a mail", "32 MiB", maxMail, 384, nil, func(n int) (asks []ask) {
			mail := func(text string) ask {
				return ask{method: "POST", target: "/api/v1/import", body: text, header: []string{"Content-Type", rfc822}}
			}
			const head = "From: a@portal.example\n\n"
			asks = append(asks, mail(head+strings.Repeat("x", n-len(head))))
			if n > maxMail {
				return asks
			}
			hostile := hostileMails(n)
			for _, name := range slices.Sorted(maps.Keys(hostile)) {
				asks = append(asks, mail(hostile[name]))
			}
			return asks
		}).past(maxMail+1, 413),
		newBound(route, "body of many listings", "3,000,000 members", maxMembers/16, 128, nil, func(n int) []ask {
			return []ask{importing(manyFlats(n, `"cost":1`)), importing(manyFlats(n, `"cost":2`))}
		}),
		// Each listing encodes the flat with its history, so that only the limit bounds the square.
		newBound(route, "body of listings of one flat", "100 listings", maxRepeats, 4, nil, func(n int) []ask {
			return []ask{importing("[" + repeated(n, `{"id":"same","cost":%[1]d}`, ",") + "]")}
		}),
		newBound(route, "body of a large listing", "1 MiB", maxLine.bytes-4096, 8, nil, func(n int) []ask {
			return []ask{importing(`[{"id":"a","text":"` + strings.Repeat("x", n) + `"}]`)}
		}).past(maxLine.bytes, 400),
		newBound(route, "body of large objects", "64 MiB, of which each flat has 1", maxImportBody, 2, nil,
			func(n int) []ask {
				members := strings.TrimSuffix(filled(maxLine.bytes-100, `"%[1]d":0,`), ",")
				return []ask{zipped("[" + repeated(n/maxLine.bytes, `{"id":"a%[1]d",`+members+`}`, ",") + "]")}
			}),
		newBound(route, "body that is nested", "10,000 levels", 9000, 1, nil, func(n int) []ask {
			return []ask{importing(`[{"id":"a","details":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}]`)}
		}).past(10_000, 400),
		newBound(route, "body of other objects", "64 MiB", maxImportBody, 256, nil, func(n int) []ask {
			return []ask{importing("{" + filled(n-100, `"m%[1]d":0,`) + `"data":[]}`), importing("{" + filled(n-100, `"id":0,`) +
				`"id":1}`), importing(`{"id":"a","flatisfy":{` + filled(n/2, `"matched_%[1]d":1,`) + `"x":1}}`),
				importing(`{` + filled(n/2, `"flatisfy_%[1]d":1,`) + `"id":"b"}`), importing("[" + filled(n, "\n")),
				importing(filled(n, "{}")), importing(`{"data":[` + filled(n, "\n") + `{"id":"c"}, {}]}`)}
		}),
		newBound(route, "query complete", "the head of a request: 64 KiB", maxHead, 1, nil, func(n int) (asks []ask) {
			for _, item := range []string{"x", "%zz"} {
				asks = append(asks, ask{method: "POST", target: "/api/v1/import?complete=" + filled(n, item),
					body: manyFlats(99, `"cost":1`)})
			}
			return append(asks, ask{method: "POST", target: "/api/v1/import?" + filled(n, "complete=s&"),
				body: manyFlats(9, `"cost":1`)})
		}).past(80<<10, 431),
		newBound(route, "query complete for flats that gather each other", "the flats of the store", 64_000, 128,
			func(n int) map[string]string {
				flats := make([]string, n+1)
				for i := range flats {
					flats[i] = fmt.Sprintf(`{"id":"f%d@s","merged_ids":["f%d@s"],"gone":null}`, i, i-1)
				}
				return map[string]string{"flats.json": "[" + strings.Join(flats, ",\n") + "]"}
			}, func(n int) []ask {
				return []ask{{method: "POST", target: "/api/v1/import?complete=s", body: `[{"id":"f0@s","cost":3}]`}}
			}),
		newBound(route, "query complete for flats that are gone", "the flats of the store", 64_000, 128, chain,
			func(n int) []ask {
				return []ask{{method: "POST", target: "/api/v1/import?complete=s", body: `[{"id":"x@s","merged_ids":["f1@s"]}]`},
					importing(`[{"id":"f0@s"}]`)}
			}),
	}
}

// containerBounds has the forms of a body of an import, and members as sites write them.
func containerBounds() []bound {
	const route = "POST /api/v1/import"
	list := []bound{
		newBound(route, "body that is a gzip file", "64 MiB unpacked", maxImportBody, 32, nil, func(n int) []ask {
			return []ask{importing(gzipped(`[{"id":"a"}]` + strings.Repeat(" ", n-12))), importing(gzipped(filled(n, "{"))),
				importing(gzipped(strings.Repeat("<", n)))}
		}).past(maxImportBody+1, 413),
		newBound(route, "body in UTF-16", "64 MiB", maxImportBody, 64, nil, func(n int) []ask {
			return []ask{importing(inUTF16(`[{"id":"a"}]`+strings.Repeat(" ", n/2-16), binary.LittleEndian)),
				importing(inUTF16(strings.Repeat("€", n/2-16), binary.BigEndian))}
		}).past(maxImportBody+64, 413),
		newBound(route, "body of JSON Lines", "64 MiB", maxImportBody, 1024, nil, func(n int) []ask {
			return []ask{importing(filled(n, `{"id":%[1]d}`)), importing(filled(n, `{"id":%[1]d}`+"\n\n")),
				importing(`{"id":"a"}{"id":"b","text":"` + strings.Repeat("x", n-40)), importing(`{"id":"a"}` +
					strings.Repeat("\n", n-12)), importing(`{"id":"a"}` + filled(n-12, "{"))}
		}),
		newBound(route, "body of CSV", "64 MiB", maxImportBody, 1024, nil, func(n int) []ask {
			commas := importing("id," + strings.Repeat(",", n-3))
			if n > maxImportBody {
				return []ask{commas}
			}
			return []ask{importing("id,price,rent,x\n" + filled(n/8, "%[1]d,\"1,240 €\",$5,'=1\n")),
				importing("id,cost\n" + filled(n, "%[1]d,5\n")), importing("id\n" + filled(n, "\n")),
				importing("id,text\na,\"" + strings.Repeat("x", n-20)), commas}
		}).past(maxImportBody+1, 413),
		newBound(route, "body of CSV with many columns", "10,000 members of a flat", 9_000, 8, nil, func(n int) []ask {
			header := "id," + strings.TrimSuffix(filled(7*n, "c%[1]d,"), ",")
			row := "%[1]d" + strings.Repeat(",x", strings.Count(header, ",")) + "\n"
			return []ask{importing(header + "\n" + repeated(4, row, "")),
				importing("id" + strings.Repeat(",image", n) + "\na" + strings.Repeat(",//p/1.jpg", n))}
		}),
		newBound(route, "body of listings without an id", "3,000,000 members", maxMembers/16, 128, ofFlats(
			`"urls":["http://a.example/%[1]d"]`), func(n int) []ask {
			return []ask{importing("[" + repeated(n, `{"url":"http://a.example/%[1]d","cost":5}`, ",\n") + "]")}
		}),
	}
	for name, items := range map[string][]string{
		"title":           {"<b>", "<", "&amp;", "</p", `\u003c`, "&lt;!--", "<!--", "<script>", "\u200b"},
		"photos":          {"//h/%[1]d,", "//h/ ", ", ", ",w", "www.", "data:image/,"},
		"urls":            {"//h/%[1]d,", "http://h.example/?a=http://", "%%32", "a/"},
		"cost":            {".000", "1 ", "€", "K", "1-", "½", " 1 Mio"},
		"area":            {"1 m²", "sq ft ", "1-"},
		"address":         {"80331 ", "a ", "〒", "1"},
		"location":        {"E8 1", "1012 a", "L", "1 ", "－"},
		"listing.if_new":  {"x"},
		"details.commute": {"<"},
	} {
		list = append(list, newBound(route, "body "+name+" as sites write it", "1 MiB of a flat", maxLine.bytes, 16, nil,
			func(n int) (asks []ask) {
				for _, item := range items {
					text := `"` + filled(n, item) + `"`
					asks = append(asks, importing(`{"id":"a","`+name+`":`+text+`}`), importing(`{"id":"b","`+name+`":[`+text+
						`],"details":{"a":[`+text+`]}}`), importing(`{"read_by_flats":true,"data":[{"id":"c","listing.if_new":{"`+
						name+`":`+text+`}}]}`))
				}
				return asks
			}))
	}
	return list
}

// listingBounds has the members of a listing, which are imported twice.
func listingBounds() (list []bound) {
	const names = "url flatisfy corrected found_position kept_photos updated_at status_since status_by ratings x"
	extra := []form{{names, "", 0, values}}
	for _, f := range slices.Concat(forms, extra) {
		for _, name := range strings.Fields(f.names) {
			list = append(list, newBound("POST /api/v1/import", "body "+name, cmp.Or(f.by, "1 MiB of a flat"),
				cmp.Or(f.most, maxLine.bytes), 64-63*min(f.most, 1), nil, func(n int) (asks []ask) {
					for i, value := range f.make(n) {
						first := fmt.Sprintf(`[{"id":"a%d","%s":%s}]`, i, name, value)
						asks = append(asks, importing(first), importing(strings.Replace(first, `:"f`, `:"g`, 1)))
					}
					return asks
				}))
		}
	}
	ids := func(n int) []ask {
		text := listOf(n, `"f%[1]d@s"`)
		return []ask{importing(`[{"id":"a","merged_ids":` + text + `,"not_duplicates":` + text + `,"cost":1}]`),
			importing(`[{"id":"a","merged_ids":` + listOf(n, `"g%[1]d@s"`) + `}]`)}
	}
	costs := func(n int) []ask {
		return []ask{importing(`[{"id":"a","cost_history":` + listOf(n, `{"date":null,"cost":%[1]d}`) + `}]`),
			importing(`[{"id":"a","cost":7}]`), importing(`[{"id":"a","cost":8}]`)}
	}
	return append(list,
		newBound("POST /api/v1/import", "body merged_ids of many flats", "1 MiB of a flat", maxLine.bytes, 16,
			func(n int) map[string]string { return map[string]string{"flats.json": manyFlats(n/12, `"cost":1`)} }, ids),
		newBound("POST /api/v1/import", "body cost_history with changes", "1 MiB of a flat", maxLine.bytes, 32, nil, costs))
}

// fredyBounds has the members of what fredy sends.
func fredyBounds() (list []bound) {
	amounts := func(n int) (list []string) {
		for _, item := range []string{".000", "'000", "1", "1 ", ".", "€", "ABC", "0", " ", "9,"} {
			list = append(list, `"`+filled(n, item)+`"`)
		}
		return append(list, strings.Repeat("9", n))
	}
	body := func(top, listing string) ask {
		return importing(`{"provider":"p",` + top + `"listings":[{"url":"http://l/1"` + listing + `}]}`)
	}
	const route, by = "POST /api/v1/import", "1 MiB of a flat"
	for names, values := range map[string]func(int) []string{"title description address imageUrl url": texts,
		"price size rooms": amounts, "commute": values, "id": texts} {
		for _, name := range strings.Fields(names) {
			list = append(list, newBound(route, "body fredy "+name, by, maxLine.bytes, 64, nil, func(n int) (asks []ask) {
				for _, value := range values(n) {
					listing := `,"` + name + `":` + value
					asks = append(asks, body("", listing), body(`"complete":"p",`, listing),
						importing(`{"provider":"p","listings":[{"`+name+`":`+value+`}]}`))
				}
				return asks
			}))
		}
	}
	for _, name := range []string{"provider", "timestamp", "complete", "jobId"} {
		list = append(list, newBound(route, "body fredy "+name, "64 MiB of body", maxImportBody, 4096, nil,
			func(n int) (asks []ask) {
				for _, value := range append(texts(n), values(n)...) {
					asks = append(asks, body(`"`+name+`":`+value+`,`, ""))
				}
				return asks
			}))
	}
	return append(list, newBound(route, "body fredy newPrice", by, maxLine.bytes, 64, nil, func(n int) (asks []ask) {
		for _, value := range amounts(n) {
			asks = append(asks, importing(`{"provider":"p","priceChanges":[{"url":"http://l/1","newPrice":`+value+`}]}`))
		}
		return asks
	}), newBound(route, "body fredy listings", "3,000,000 members", maxMembers/16, 128, nil, func(n int) []ask {
		return []ask{importing(`{"provider":"p","listings":[` + repeated(n,
			`{"url":"http://l/%[1]d","price":"1 €"}`, ",\n") + `]}`)}
	}))
}

// viewBounds has views and messages.
func viewBounds() (list []bound) {
	const route = "PUT /api/v1/views/{name}"
	put := func(members string) ask {
		return ask{method: "PUT", target: "/api/v1/views/a", body: "{" + members + "}"}
	}
	for name, b := range map[string]struct {
		most, past int
		items      []string
	}{
		"query": {maxViewQuery, maxViewQuery + 9, []string{"q=a&", "filter[id]=%[1]d&", "any[id]=%[1]d&",
			"min[cost]=%[1]d&", "&"}},
		"page":   {maxViewQuery - 2, maxViewQuery, []string{"x"}},
		"seen":   {maxSeen - 20, maxSeen, []string{"0"}},
		"notify": {maxBody - 100, maxBody + 1, []string{" "}},
	} {
		list = append(list, newBound(route, "body "+name, fmt.Sprint(b.most, " bytes"), b.most, 1, nil,
			func(n int) (asks []ask) {
				for _, item := range b.items {
					text := filled(n, item)
					value := map[string]string{"query": `"` + text + `"`, "page": `"#/` + text + `"`,
						"seen": `"2026-01-01T00:00:00.` + text + `"`, "notify": text + "true"}[name]
					members := `"` + name + `":` + value
					if name != "query" {
						members += `,"query":""`
					}
					asks = append(asks, put(members), ask{method: "GET", target: "/api/v1/views"})
				}
				return asks
			}))
	}
	return append(list,
		newBound(route, "body query that is too long", "4 KiB", maxViewQuery, 1, nil, func(n int) []ask {
			return []ask{put(`"query":"q=` + strings.Repeat("a", n-2) + `"`)}
		}).past(maxViewQuery+1, 400),
		newBound(route, "body", "1 MiB", maxBody, 1, nil, func(n int) []ask {
			return []ask{put(`"query":""` + strings.Repeat(" ", n-12))}
		}).past(maxBody+1, 413),
		newBound(route, "body of unknown members", "1 MiB of body", maxBody, 8, nil, func(n int) []ask {
			return []ask{put(filled(n-20, `"m%[1]d":0,`) + `"query":""`)}
		}),
		// These files are not those of other bounds, which would find no room for their views.
		newBound(route, "path name of views", "100 views", maxViews, 1, ofFlats(`"cost":1`), func(n int) (asks []ask) {
			for i := range n {
				asks = append(asks, ask{method: "PUT", target: fmt.Sprintf("/api/v1/views/v%d", i),
					body: `{"query":"min[cost]=1"}`})
			}
			return asks
		}).past(maxViews+1, 400),
		newBound(route, "path name that is long", "200 bytes", maxViewName, 1, nil, func(n int) []ask {
			return []ask{{method: "PUT", target: "/api/v1/views/" + strings.Repeat("x", n), body: `{"query":""}`}}
		}).past(maxViewName+1, 400),
		newBound("GET /api/v1/views", "", "100 views", maxViews, 1, func(n int) map[string]string {
			return map[string]string{"flats.json": everydayFlats(2000), "views.json": "[" + repeated(n,
				`{"name":"v%[1]d","query":"q=word*&any[title]=%[1]d&min[cost]=%[1]d","seen":"2026-01-01"}`, ",\n") + "]"}
		}, func(n int) []ask { return []ask{{method: "GET", target: "/api/v1/views", status: 200}} }),
		newBound("POST /api/v1/notify", "", "nothing", 64, 1, nil, func(n int) []ask {
			return slices.Repeat([]ask{{method: "POST", target: "/api/v1/notify", status: 409}}, n)
		}))
}

// mcpBounds has the messages of assistants, and what the store holds for them.
func mcpBounds() (list []bound) {
	const route = "POST /api/v1/mcp"
	send := func(message string, status int) ask {
		return ask{method: "POST", target: "/api/v1/mcp", body: message, status: status}
	}
	call := func(tool, arguments string) ask {
		return send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+
			`}}`, 200)
	}
	for part, message := range map[string]string{
		"jsonrpc": `{"id":1,"method":"ping","jsonrpc":%s}`,
		"id":      `{"jsonrpc":"2.0","method":"ping","id":%s}`,
		"method":  `{"jsonrpc":"2.0","id":1,"method":%s}`,
		"params":  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`,

		"params name":            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%s}}`,
		"params protocolVersion": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%s}}`,
	} {
		list = append(list, newBound(route, "body "+part, "1 MiB of body", maxBody-100, 8, nil, func(n int) (asks []ask) {
			for _, value := range slices.Concat(values(n), texts(n)) {
				asks = append(asks, send(fmt.Sprintf(message, value), 0))
			}
			return asks
		}).past(maxBody+1, 413))
	}
	for argument, tool := range map[string]string{"q": "find_flats", "where": "find_flats", "sort": "find_flats",
		"limit": "find_flats", "fields": "find_flats", "id": "get_flat", "add_note": "update_flat", "by": "update_flat",
		"rating": "update_flat", "x": "get_flat"} {
		list = append(list, newBound(route, "body params arguments "+argument, "1 MiB of body", maxBody-200, 16, nil,
			func(n int) (asks []ask) {
				for _, value := range slices.Concat(values(n), texts(n), []string{listOf(n, `"title"`)}) {
					set := `"` + argument + `":` + value
					if tool == "update_flat" {
						set += `,"id":"f1@s"`
					}
					asks = append(asks, call(tool, "{"+set+"}"))
				}
				return asks
			}))
	}
	for field, members := range map[string]string{
		"text":    `"text":"` + strings.Repeat("long ", 1<<12) + `"`,
		"photos":  `"photos":` + listOf(1<<14, `"data:,%[1]d"`),
		"urls":    `"urls":` + values(1 << 14)[1], // deep
		"details": `"details":` + values(1 << 12)[0],
	} {
		list = append(list, newBound(route, "answer with "+field, "50 rows", 50, 1, ofFlats(members), func(int) []ask {
			return []ask{call("find_flats", `{"limit":50,"fields":["`+field+`"]}`)}
		}))
	}
	return list
}

// fileBounds has the files that the service reads. A size is in bytes where nothing else is
// said. Whoever can write them owns the service, so that most is a size to expect.
func fileBounds() (list []bound) {
	file := func(name string, text func(n int) string) func(n int) map[string]string {
		return func(n int) map[string]string {
			files := map[string]string{"flats.json": everydayFlats(64), "config.json": `{"postal_codes":["codes"],` +
				`"constraints":{"a":{},"b":{"areas":["x"]}}}`, "codes": `[{"postal_code":"1","name":"a"}]`}
			files[name] = text(n)
			return files
		}
	}
	add := func(name, part, by string, most, of int, text func(n int) string) {
		list = append(list, newBound("file "+name, part, by, most, of, file(name, text), nil))
	}
	for _, f := range forms {
		for _, name := range strings.Fields(f.names)[:1] {
			add("flats.json", name, "8 GiB of a file", 1<<18, 1, func(n int) string {
				var flats []string
				for j, value := range f.make(min(n/16, cmp.Or(f.most, n))) {
					flat := `{"id":` + strconv.Itoa(j) + `,"` + name + `":` + value + `}`
					if json.Valid([]byte(flat)) && blankAccepts(flat) {
						flats = append(flats, flat)
					}
				}
				return "[" + strings.Join(flats, ",\n") + "]"
			})
		}
	}
	add("flats.json.log", "updates", "the size of flats.json", 4000, 1, func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(journalRecordText(fmt.Sprintf(`"id":"f%d@s","cost":%d}`, i%64, i)))
		}
		return b.String()
	})
	list = append(list, newBound("file flats.json.log", "updates of a large flat", "the size of flats.json", 1<<17, 1,
		func(n int) map[string]string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				b.WriteString(journalRecordText(fmt.Sprintf(`"id":"f0@s","cost":%d}`, i)))
			}
			return map[string]string{"flats.json": manyFlats(1, `"text":"`+strings.Repeat("x", n)+`"`),
				"flats.json.log": b.String()}
		}, nil))
	add("flats.json.log", "a damaged end", "the size of flats.json", 1<<21, 1, func(n int) string {
		return journalRecordText(`"id":"f1@s","cost":5}`) + filled(n, `{"crc":"`)
	})
	add("flats.json.log", "damaged lines at the end", "refused at start", 1<<23, 1, func(n int) string {
		return journalRecordText(`"id":"f1@s","cost":5}`) + filled(n, `{"crc":"00000000",x}`+"\n")
	})
	add("flats.json.log", "imports", "the size of flats.json", 1000, 1, func(n int) string {
		var b strings.Builder
		for i := range n {
			const rest = `"imported":{"name":"%d.json","sum":"x"},"added":[{"id":"n%d"}],"updated":[]}`
			b.WriteString(journalRecordText(fmt.Sprintf(rest, i, i)))
		}
		return b.String()
	})
	add("views.json", "", "100 views", maxViews, 1, func(n int) string {
		return "[" + repeated(n, `{"name":"v%[1]d","query":"q=a&any[title]=1","seen":"2026-01-01","notify":true}`,
			",\n") + "]"
	})
	for what, listings := range map[string]func(n int) string{
		"a listing":       func(n int) string { return `[{"id":"a","text":"` + strings.Repeat("a b ", n/4) + `"}]` },
		"listings":        func(n int) string { return manyFlats(n/32, `"cost":1`) },
		"what is refused": func(n int) string { return manyFlats(n/32, `"cost":1`) + "x" },
	} {
		add("import/a.json", what, "max_import", 1<<19, 1, listings) // large enough to fold the journal
	}
	list = append(list, newBound("file import/*.json", "many files", "the folder", 128, 1, func(n int) map[string]string {
		files := map[string]string{"flats.json": everydayFlats(64)}
		for i := range n {
			files[fmt.Sprintf("import/%d.json", i)] = fmt.Sprintf(`[{"id":"i%d"}]`, i)
		}
		return files
	}, nil))
	for what, line := range map[string]string{"JSON": `{"postal_code":"%[1]d","name":"n","lat":1,"lng":2,"area":"x"},`,
		"CSV": "%[1]d,n,1,2,x\n", "GeoNames": "FR\t%[1]d\tn\ta\t1\tb\t2\tc\t3\t1\t2\t1\n"} {
		add("codes", what, "8 GiB of a file", 1<<18, 1, func(n int) string {
			text := filled(max(n, 1000), line)
			switch what {
			case "JSON":
				return "[" + strings.TrimSuffix(text, ",") + "]"
			case "CSV":
				return "postal_code,name,lat,lng,area\n" + text
			}
			return text
		})
	}
	return list
}

// blankAccepts reports whether a JSON object can be a flat.
func blankAccepts(object string) bool {
	set, err := parseObject([]byte(object))
	if err == nil {
		_, err = blank.withMembers(set, nil, &warnings{})
	}
	return err == nil
}

// configBounds has the keys of the config.
func configBounds() (list []bound) {
	const valid, refused = "8 MiB of a file", "8 MiB of a file, refused at start"
	for key, c := range map[string]struct {
		by    string
		value func(n int) string
	}{
		"addr":         {refused, func(n int) string { return `"` + strings.Repeat(":", n) + `"` }},
		"website_url":  {valid, func(n int) string { return `"http://localhost/` + strings.Repeat("a/", n/2) + `"` }},
		"data":         {refused, func(n int) string { return `"` + strings.Repeat("a/", n/2) + `"` }},
		"postal_codes": {refused, func(n int) string { return listOf(n, `"missing%[1]d"`) }},
		"cors_origins": {valid, func(n int) string { return listOf(n, `"http://a%[1]d.example"`) }},
		"username":     {refused, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"password":     {refused, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"feed_token":   {valid, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"import_token": {valid, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"timezone":     {refused, func(n int) string { return `"` + strings.Repeat("a/", n/2) + `"` }},
		"people":       {refused, func(n int) string { return listOf(n, `"p"`) }},
		"keep_photos":  {refused, func(n int) string { return strings.Repeat("9", n) }},
		"max_photos":   {refused, func(n int) string { return strings.Repeat("9", n) }},
		"max_import":   {refused, func(n int) string { return strings.Repeat("9", n) }},
		"map_tiles":    {valid, func(n int) string { return `"https://h/{z}/{x}/{y}` + strings.Repeat("a", n) + `"` }},
		"map_credit":   {valid, func(n int) string { return `"` + strings.Repeat("<", n) + `"` }},
		"notify headers": {valid, func(n int) string {
			return `{"url":"http://h/","headers":{` + strings.TrimSuffix(filled(n, `"a%[1]d":"b",`), ",") + `}}`
		}},
		"notify remind": {refused, func(n int) string {
			return `{"url":"http://h/","remind":"` + strings.Repeat("1", n) + `"}`
		}},
		"notify body": {valid, func(n int) string {
			return `{"url":"http://h/","body":"` + filled(n, "{{.Title}}") + `"}`
		}},
		"travel url": {valid, func(n int) string {
			return `{"url":"http://h/` + strings.Repeat("a", n) + `","contact":"a"}`
		}},
		"travel contact": {valid, func(n int) string {
			return `{"url":"http://h/","contact":"` + strings.Repeat("a", n) + `"}`
		}},
		"travel arrive": {refused, func(n int) string {
			return `{"url":"http://h/","contact":"a","arrive":"` + strings.Repeat("1", n) + `"}`
		}},
		"mailbox url": {valid, func(n int) string {
			return `{"url":"imaps://me@h/` + strings.Repeat("a", n) + `","password":"a"}`
		}},
		"mailbox password": {valid, func(n int) string {
			return `{"url":"imaps://me@h/a","password":"` + strings.Repeat("a", n) + `"}`
		}},
		"mailbox from": {refused, func(n int) string {
			return `{"url":"imaps://me@h/","password":"a","from":` + listOf(n, `"a%[1]d"`) + `}`
		}},
		"mailbox every": {refused, func(n int) string {
			return `{"url":"imaps://me@h/a","password":"a","every":"` + strings.Repeat("1", n) + `"}`
		}},
		"mailbox certificate": {refused, func(n int) string {
			return `{"url":"imaps://me@h/a","password":"a","certificate":"` + strings.Repeat("a/", n/2) + `"}`
		}},
		"constraints": {valid, func(n int) string {
			return "{" + strings.TrimSuffix(filled(n, `"c%[1]d":{"areas":["x"]},`), ",") + "}"
		}},
		"constraints areas": {valid, func(n int) string { return `{"a":{"areas":` + listOf(n, `"x%[1]d"`) + `}}` }},
		"constraints time_to": {valid, func(n int) string {
			return `{"a":{"time_to":{` + strings.TrimSuffix(filled(n, `"p%[1]d":{"gps":[1,2]},`), ",") + `}}}`
		}},
		"x": {valid, func(n int) string { return values(n)[0] }},
	} {
		key, part, _ := strings.Cut(key, " ")
		list = append(list, newBound("file config.json", strings.TrimSpace(key+" "+part), c.by, 8<<20, 128,
			func(n int) map[string]string {
				return map[string]string{"flats.json": everydayFlats(64), "config.json": `{"` + key + `":` + c.value(max(n,
					32)) + "}"}
			}, nil))
	}
	return list
}

// memberNames returns the names of the members that a schema describes, also of those in an
// array.
func memberNames(description object, schema any) (names []string) {
	schema = referenced(description, schema)
	properties, _ := member(schema, "properties").(object)
	names = slices.Collect(maps.Keys(properties))
	if items := member(schema, "items"); items != nil {
		names = append(names, memberNames(description, items)...)
	}
	alternatives, _ := member(schema, "oneOf").([]any)
	for _, alternative := range alternatives {
		names = append(names, memberNames(description, alternative)...)
	}
	return names
}

// Every route, parameter and member has a bound.
func TestEveryInputHasABound(t *testing.T) {
	t.Parallel()
	_, description := described(t)
	listed := map[string]bool{}
	for _, b := range bounds() {
		listed[b.route] = true
		words := strings.Fields(b.part)
		for i := range words {
			listed[b.route+" "+strings.Join(words[:i+1], " ")] = true
		}
	}
	want := func(input string) {
		if !listed[input] {
			t.Errorf("no bound is known for %s", input)
		}
	}
	for _, route := range (&server{config: defaultConfig(), store: newService(t, "[]", "[]").store}).table() {
		want(route.method + " " + strings.NewReplacer("{$}", "", "...", "").Replace(route.path))
	}
	for path, methods := range description["paths"].(object) {
		inPath, _ := member(methods, "parameters").([]any)
		for method, operation := range methods.(object) {
			if method == "parameters" || method == "options" {
				continue
			}
			route := strings.ToUpper(method) + " " + path
			parameters, _ := member(operation, "parameters").([]any)
			for _, parameter := range slices.Concat(inPath, parameters) {
				parameter = referenced(description, parameter)
				want(fmt.Sprintf("%s %v %v", route, member(parameter, "in"), member(parameter, "name")))
			}
			schema := member(operation, "requestBody", "content", "application/json", "schema")
			for _, name := range memberNames(description, schema) {
				want(route + " body " + name)
			}
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z_]+`.*?) \\|").FindAllStringSubmatch(readFile(t,
		"docs/running.md"), -1) {
		for _, key := range regexp.MustCompile("[a-z_]+").FindAllString(row[1], -1) {
			want("file config.json " + key)
		}
	}
}
