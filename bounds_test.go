//go:build unix

// What each input costs: twice as much of it may cost no more than 2.6 times as much. Only Unix systems have getrusage,
// which processorTime calls.

package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"flats/internal/listing"
	"flats/internal/turns"
)

// An input is something that comes from outside. Its size is in bytes, unless the name counts something else.
type input struct {
	name    string
	largest int                                     // its largest size
	prepare func(t *testing.T, n int) (take func()) // take feeds an input of size n to the service
}

// TestBounds compares what is allocated for each input with that for twice the input. With -whole the inputs are as
// large as they may be, or take long enough to compare the processor time, too.
//
//	go test -run '^TestBounds$/duplicates' -v -whole .
func TestBounds(t *testing.T) {
	long(t)
	for _, in := range slices.Concat(requestInputs(t), fieldInputs(), importInputs(), storeInputs(), mcpInputs(),
		fileInputs(t), answerInputs(t)) {
		t.Run(strings.ReplaceAll(in.name, "/", ":"), func(t *testing.T) {
			n := min(1<<8, in.largest/2) // 2*n is measured, too
			// A bit more than half of leastCompared, so that twice the input takes more than leastCompared.
			const longEnough = leastCompared * 6 / 10
			for *whole && 4*n <= in.largest && in.measure(t, n).worked < longEnough {
				n *= 2
			}
			const maxTries = 6 // other programs of the machine may disturb a measurement
			for range maxTries {
				once, twice := in.measure(t, n), in.measure(t, 2*n)
				t.Logf("a size of %d costs %+v, and %d costs %+v", n, once, 2*n, twice)
				if !once.isExceededBy(twice) {
					return
				}
			}
			t.Error("that is too much for twice the input")
		})
	}
}

// A cost is what it takes to take in an input.
type cost struct {
	allocated uint64 // bytes
	worked    time.Duration
}

const (
	// Where a cost grows with the input, twice the input costs twice as much, where it grows with the square of the
	// input, four times as much. This limit between the two is in tenths.
	mostTenths = 26

	spareBytes    = 128 << 10              // for what does not depend on the input
	leastCompared = 100 * time.Millisecond // shorter times are not compared
)

// isExceededBy reports whether twice is too high a cost for twice the input.
func (c cost) isExceededBy(twice cost) bool {
	allocatesTooMuch := twice.allocated > c.allocated*mostTenths/10+spareBytes
	takesTooLong := twice.worked > leastCompared && twice.worked > c.worked*mostTenths/10
	return allocatesTooMuch || *whole && takesTooLong
}

// measure returns what an input of size n costs the service.
func (in input) measure(t *testing.T, n int) cost {
	take := in.prepare(t, n)
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // collecting garbage takes time in steps
	before := processorTime(t)
	allocated := allocatedBy(take)
	return cost{allocated, processorTime(t) - before}
}

// processorTime returns the time that the process has worked so far, without that of the system for it, which
// depends on how much memory the process has had before.
func processorTime(t *testing.T) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano())
}

// asks returns a request for each item, with as much of it as fits into n bytes in place of each # in the target and
// in the body.
func asks(n int, request, body string, items ...string) (list []ask) {
	method, target, _ := strings.Cut(request, " ")
	for _, item := range items {
		much := filled(n, item)
		list = append(list, ask{method, strings.ReplaceAll(target, "#", much), strings.ReplaceAll(body, "#", much), nil})
	}
	return list
}

// sentInput returns an input of requests to a service. flats and list return its flats.json and the requests of size n.
func sentInput(name string, largest int, flats func(n int) string, list func(n int) []ask) input {
	return input{name, largest, func(t *testing.T, n int) func() {
		s := newService(t, flats(n), testCodes)
		config := *s.config
		config.People, config.ImportToken, config.FeedToken = []string{"Ann", "Ben"}, "t", "t"
		p := testProgram(t, &config, s.store, quiet)
		p.shares.list.Store(&[]Share{{
			ID:    "s",
			Hash:  hashOf("t"), // the page /s/t has all flats
			Query: new(string),
			With:  sharedExtras,
			Until: time.Now().Add(day),
		}})
		s.use(p)
		s.ask("GET", "/api/v1/find?q=word&fields=id", "") // waits for the index of words
		s.store.links.update(s.store.snapshot())          // otherwise the update would run during the measurement
		requests := list(n)
		return func() {
			for _, a := range requests {
				r := httptest.NewRequest(a.method, a.target, strings.NewReader(a.body))
				r.Host, r.RemoteAddr = "flats.example", "127.0.0.1:1" // from where settings may be changed
				for i := 0; i < len(a.header); i += 2 {
					r.Header.Add(a.header[i], a.header[i+1])
				}
				if got := s.send(r); got.status == 500 && strings.Contains(got.body, "internal error") {
					t.Errorf("%s %.100s: %.300s", a.method, a.target, got.body)
				}
			}
			s.store.Close()
		}
	}}
}

// fewFlats returns the same number of flats for any size.
func fewFlats(int) string { return everydayFlats(64) }

// requestInputs are the parts of requests, one row for each. net/http bounds their heads.
func requestInputs(t *testing.T) (list []input) {
	const head = 60 << 10
	for _, c := range []struct {
		request, body string
		most          int      // bytes
		items         []string // one after the other, as many of an item as fit stand for each #
	}{
		{"GET /api/v1/flats?#", "", head, []string{"filter[id]=%[1]d&", "filter[cost]=9&", "filter[]&", "filter[%"}},
		{"GET /api/v1/find?page#", "", head, []string{"page[size]=7&", "page[number]=1&", "page[size]=007&"}},
		{"GET /api/v1/find?sort=#", "", head, []string{"-title,cost,", "cost,title,,", "x%[1]d,", ","}},
		{"GET /api/v1/find?any#", "", head, []string{"&any[cost]=%[1]d", "&any[id]=%[1]d", "&not[title]=%[1]d"}},
		{"GET /api/v1/find?min#", "", head, []string{"&min[cost]=%[1]d", "&max[area]=%[1]d", "&min[date]=2026-01-01"}},
		{"GET /api/v1/find?known#", "", head, []string{"&known[title]=yes", "&unknown=cost", "&unknown=area&min[cost]=1"}},
		{"GET /api/v1/find?#", "", head, []string{"nulls=last&", "fields=text,id,date&", "counts=id&", "format=csv&"}},
		{"GET /api/v1/find?sort=currency_code&#", "", head, []string{"currencies=frequent&", "forgive=yes&"}},
		{"GET /api/v1/find?forgive=yes&q=#", "", head, []string{"waaaaa%[1]d+", "mising+", "misin*+", "aaaaaa%[1]db+"}},
		{"GET /api/v1/find?q=#", "", head, []string{"w%[1]d+", "OR+", "%22", "-", "東", "a*+", "title:a+", "%22a+1%22+"}},
		{"POST /api/v1/search?#", `{"query":"word"}`, head, []string{"filter[id]=%[1]d&", "sort=area,text,&"}},
		{"POST /api/v1/search", `{"query":"#"}`, maxBody, []string{"a ", "OR ", "NOT ", "-", `\" `, "a OR ", "東", "w:a "}},
		{"GET /api/v1/opendata/postal_codes?#", "", head, []string{"filter[name]=%[1]d&", "sort=-lat,name,&"}},
		{"GET /api/v1/ics/visits.ics?#", "", head, []string{"token=a&", "%74oken=%zz&"}},
		{"PATCH /api/v1/flat/f1@s?#", `{"rating":1}`, head,
			[]string{"by=Ann&", "by=x&", "%62y=%zz&", "status_since=x&", "key=a&", "k%65y=%zz&"}},
		{"PATCH /api/v1/flat/f1@s", `{#"notes":"n"}`, maxBody, []string{" ", `"m%[1]d":null,`, `"notes":"a",`}},
		{"POST /api/v1/import?complete=#", `[{"id":"f0@s"}]`, head,
			[]string{"x", "%zz", "s&complete=", "&key=a", "&k%65y=%zz"}},
		{"POST /api/v1/read", `{"text":"#"}`, 100_000, []string{"1 ", "1 €, ", `a 1\n`, `Miete 900 €\n`, `80331 Aa `,
			"0-", "<b>", "&amp;", "+4", "https://a.example/b%[1]d ", "https://a.example/b ", "www."}},
		{"POST /api/v1/read", `{"title":"#","link":"#","text":"a"}`, 100_000, []string{"1 ", "Aa 1, ", "/a", "%41"}},
		{"POST /api/v1/read", `{"shared":true,"text":"#"}`, 100_000, []string{"https://a%[1]d.example\\n"}},
		{"PUT /api/v1/views/a", `{"query":"#"}`, maxViewQuery, []string{"q=a&", "any[id]=%[1]d&", "min[cost]=%[1]d&", "&"}},
		{"PUT /api/v1/views/a", `{#"query":"","notify":true}`, maxBody, []string{" ", `"m%[1]d":0,`, `"page":"#/",`}},
		{"PUT /api/v1/views/#", `{"query":""}`, head, []string{"x", "%C3%A4"}},
		{"PUT /api/v1/views/a", `{"query":"","rule":"#"}`, maxBody, []string{"dismiss", "x"}},
		{"POST /api/v1/views/#/apply", "", head, []string{"x", "%C3%A4"}},
		{"POST /api/v1/views/apply?#", "", head, []string{"name=a&", "n%61me=%zz&"}},
		{"PATCH /api/v1/settings", `{"constraints":{"a":{"time_to":{"w":{"gps":[1,2],"person":"#"}}}}}`, maxBody,
			[]string{"x"}},
		{"POST /api/v1/shares", `{"title":"a",#"view":{"query":""}}`, maxBody, []string{" ", `"m%[1]d":0,`, `"days":7,`}},
		{"POST /api/v1/shares", `{"title":"a","ids":[#"f1@s"]}`, maxBody, []string{`"f1@s",`, `"x%[1]d",`, "[],"}},
		{"POST /api/v1/shares", `{"title":"a","ids":["f1@s"],"with":[#"notes"]}`, maxBody, []string{`"visit",`, `7,`}},
		{"POST /api/v1/shares", `{"title":"a","view":{"query":"#"}}`, maxViewQuery, []string{"q=a&", "any[id]=%[1]d&", "&"}},
		{"PATCH /api/v1/settings", `{#"people":["A","B"]}`, maxBody, []string{" ", `"k%[1]d":1,`, `"people":5,`}},
		{"PATCH /api/v1/settings", `{"constraints":{#"a":{}}}`, maxBody,
			[]string{`"c%[1]d":{},`, `"c%[1]d":{"time_to":{"w":{"gps":[1,2]}}},`}},
		{"PATCH /api/v1/settings", `{"constraints":{"a":{"time_to":{#"w":{}}}}}`, maxBody,
			[]string{`"p%[1]d":{"gps":[1,2]},`}},
		{"PATCH /api/v1/settings", `{"notify":{"url":"http://h/","headers":{#"a":"b"}}}`, maxBody,
			[]string{`"h%[1]d":true,`, `"h%[1]d":"x",`}},
		{"PATCH /api/v1/settings", `{"postal_codes":[#"FR"]}`, maxBody, []string{`"FR",`, `"x%[1]d",`}},
		{"PATCH /api/v1/settings", `{"map_credit":"#","feed_token":"#"}`, maxSettings / 4, []string{"a"}},
		{"PUT /api/v1/postal_codes/FR", "postal_code,name,lat,lng,area\n#", 4 << 20, []string{"%[1]d,n,1,2,FR\n"}},
		{"PUT /api/v1/postal_codes/FR", "#", 4 << 20, []string{"FR\t%[1]d\tn\ta\t1\tb\t2\tc\t3\t1\t2\t1\n", "\t", "a", "\n"}},
		{"POST /api/v1/push", `{#"name":"a"}`, maxBody, []string{" ", `"x%[1]d":1,`, `"keys":{"auth":"A"},`, `"name":"b",`}},
		{"POST /api/v1/push", `{"endpoint":"https://a.b/#","keys":{"p256dh":"#","auth":"#"},"name":"#"}`, maxBody / 4,
			[]string{"a", "%%41", "A="}},
		{"GET /api/v1/areas?country=FR&q=#", "", head, []string{"a", "+%[1]d"}},
		{"GET /api/v1/geocode?text=#", "", head, []string{"a", "69007+"}},
		{"POST /api/v1/session", `{#"password":"#"}`, maxBody / 2, []string{" ", `"x%[1]d":1,`}},
		{"POST /api/v1/session", "password=#&next=/#", maxBody / 2, []string{"a", "%61", "+", "&next=/%[1]d", "%2F"}},
		{"PUT /api/v1/password", `{#"password":"#"}`, maxBody / 2, []string{" ", "a", `"old":"a",`}},
		{"POST /api/v1/invites", `{#"person":"#"}`, maxBody / 2, []string{" ", "a", `"x%[1]d":1,`}},
		{"POST /join/#", "#", head, []string{"a", "%2F"}},
		{"POST /api/v1/mailbox/try", `{#"url":1}`, maxBody, []string{`"x%[1]d":1,`, `"from":["a%[1]d.b"],`}},
	} {
		list = append(list, sentInput(c.request+" "+c.body, c.most, fewFlats, func(n int) []ask {
			return asks(n, c.request, c.body, c.items...)
		}))
	}
	// What all routes read: the path, the query and the headers.
	headers := strings.Fields("If-None-Match If-Match Accept Accept-Encoding Content-Type Content-Encoding " +
		"Authorization Origin Access-Control-Request-Method Cookie MCP-Protocol-Version Host X-Forwarded-For")
	for _, route := range (&server{config: defaultConfig(), store: newService(t, "[]", "[]").store}).table() {
		path, _, _ := strings.Cut(strings.ReplaceAll(route.path, "{$}", ""), "{")
		list = append(list, sentInput(route.method+" "+route.path, head, fewFlats, func(n int) []ask {
			all := asks(n, route.method+" "+path+"#", "{}", "x", "/", "/.", "%2F", "a/../", "%C3%A4", "%ff")
			all = append(all, asks(n, route.method+" "+path+"?#", "{}", "&", "x%[1]d=1&", "%zz=1&", "a[b]=%20&")...)
			for _, name := range headers {
				for _, item := range []string{`"x%[1]d",`, ",", "a/b;q=1,", "gzip;q=0,", `a;b*0="`, "http://a.", "flats=%[1]d; "} {
					all = append(all, ask{route.method, path, "{}", []string{name, filled(n/len(headers), item)}})
				}
			}
			return all
		}))
	}
	return list
}

// fieldInputs are the fields of flats, as an update and as a listing have them, and in queries.
func fieldInputs() (list []input) {
	names := strings.Fields("rating x provider listings photo url flatisfy address image details.commute listing.if_new " +
		"priceChanges gps link")
	for _, field := range flatFields.list {
		names = append(names, field.name)
	}
	for _, name := range names {
		list = append(list, sentInput("field "+name, maxBody, fewFlats, func(n int) (all []ask) {
			list := slices.Concat(values(n), texts(n), []string{strings.Repeat("9", n), "1." + strings.Repeat("9", n),
				`"` + filled(n, "//h/%[1]d,") + `"`, `"` + filled(n, "80331 a ") + `"`, `"` + filled(n, "&lt;!--") + `"`})
			for i, value := range list {
				member := `"` + name + `":` + value
				all = append(all, ask{"PATCH", fmt.Sprintf("/api/v1/flat/f%d@s?by=Ann", i), "{" + member + "}", nil})
				for _, cost := range []int{1, 2} {
					listing := fmt.Sprintf(`[{"id":"a%d","url":"https://h/%[1]d",%s,"b":%d}]`, i, member, cost)
					all = append(all, ask{"POST", "/api/v1/import", listing, nil})
				}
				all = append(all, ask{"POST", "/api/v1/import", `{"provider":"p",` + member + `,"listings":[{"id":1}]}`, nil})
			}
			return append(all, ask{"GET", "/api/v1/find?q=a*+w1&sort=place,-changed,gps&counts=url&format=csv", "", nil},
				ask{"GET", "/api/v1/duplicates", "", nil}, ask{"GET", "/s/t", "", nil},
				ask{"GET", "/s/t/photos/" + hashOf("x"), "", nil})
		}))
	}
	return list
}

// importInputs are the forms of an import. TestHostileMails has those of mails.
func importInputs() (list []input) {
	for name, body := range map[string]func(n int) string{
		"brackets":        form("#", "["),
		"no listings":     form("[#{}]", `"x",`),
		"data in data":    form("#", `{"data":`),
		"blanks":          form(`[{"id":"a"}]#`, " "),
		"lines":           form("#{}", "\n"),
		"other members":   form(`{#"data":[]}`, `"m%[1]d":0,`),
		"listings":        form(`[#{"id":1}]`, `{"id":"%[1]d@s","cost":%[1]d},`),
		"of one flat":     form(`[#{"id":1}]`, `{"id":"same","text":"%[1]d"},`),
		"links":           form(`[#{"id":1}]`, `{"url":"http://a.example/%[1]d","cost":5},`),
		"numbers":         form(`[#{"id":1}]`, `{"url":"http://a.example/4812%[1]d","cost":5},`),
		"one number":      form(`[#{"id":1}]`, `{"url":"http://a.example/48120011/%[1]d","cost":5},`),
		"tokens":          form(`[#{"id":1}]`, `{"url":"http://a.example/48120011/a1b2c3d4e5f6g7h8%[1]d"},`),
		"links of a flat": form(`[{"urls":[#""]}]`, `"http://a.example/4812%[1]d",`),
		"a long number":   form(`[{"urls":["http://a.example/#"]}]`, "1234567"),
		"fredy":           form(`{"provider":"p","listings":[#{"id":1}]}`, `{"id":%[1]d},`),
		"gzip":            func(n int) string { return gzipped(`[{"id":"a"}]` + strings.Repeat(" ", n)) },
		"UTF-16":          func(n int) string { return inUTF16(filled(n, "€"), binary.BigEndian) },
		"JSON Lines":      form("#", `{"id":%[1]d}`),
		"JSON Lines, cut": form(`{"id":"a"}#`, "{"),
		"CSV":             form("id,price,rent,x\n#", "%[1]d,\"1,240 €\",$5,'=1\n"),
		"CSV, a cell":     form("id,text\na,\"#", "x"),
		"CSV, commas":     form("id,#", ","),
		"CSV, columns":    func(n int) string { return "id," + filled(n, "c%[1]d,") + "\n1" + filled(n/4, ",x") },
		"CSV, a header":   func(n int) string { return "id,cost" + filled(n, ",image") + "\na,5" + filled(n/3, ",//p/1") },
	} {
		list = append(list, sentInput("import "+name, 8<<20, fewFlats, func(n int) []ask {
			return []ask{{method: "POST", target: "/api/v1/import", body: body(n)}}
		}))
	}
	card := cardOf("https://portal.example/%[1]d00000", "https://p/1.jpg", "Flat to rent", "€1%[1]d", "72 m²", "5 Aa")
	for name, body := range map[string]func(n int) string{
		"mails":               form("From a\nTo: a\n#", "\n\nFrom %[1]d\nFrom: a@b.example\nDate: 1\n\nx"),
		"mails with homes":    form("#", "From a\nContent-Type: text/html\nSubject: homes\n\n"+card+"\n\n"),
		"marks":               form("From a\nTo: a\n\n#", "\n\nFrom "),
		"quoted marks":        form("From a\nTo: a\n\n#", "\n>From a"),
		"a mark":              form("From #", "x"),
		"a mail by its start": form("From: a\n\n#", "From: a\n\n"),
	} {
		list = append(list, sentInput("import mbox "+name, listing.MaxMail, fewFlats, func(n int) []ask {
			return []ask{{method: "POST", target: "/api/v1/import", body: body(n)}}
		}))
	}
	return list
}

// storeInputs are n flats in the store, of each form that may be costly.
func storeInputs() (list []input) {
	const alike = `"cost":900,"area":50,"phone":"1","location":"a 1"`
	for name, members := range map[string]string{
		"":               `"cost":%[1]d,"area":50,"phone":"1","photos":["http://p/1"],"visit_date":"2026-12-01"`,
		"alike":          alike,
		"alike by rooms": alike + `,"rooms":%[1]d`,
		"that name one":  `"merged_ids":["f0@s"],"not_duplicates":["f1@s"],` + alike,
		"that share":     `"photos":["http://p/1","http://p/%[1]d"],"urls":["http://p/%[1]d0"]`,
		"of one number":  `"urls":["http://a.example/48120011/a1b2c3d4e5f6g7h8%[1]d","http://a.example/x/4812%[1]d"]`,
		"of one order":   `"title":"` + strings.Repeat("x", 40) + `","text":"%[1]d"`,
	} {
		flats := func(n int) string { return manyFlats(n, members) }
		for _, target := range []string{"flats", "duplicates", "find?sort=title,-text", "find?counts=cost&counts=id",
			"find?format=csv", "find?q=a+1*", "ics/visits.ics", "metadata", "imports"} {
			list = append(list, sentInput("GET "+target+" of flats "+name, 1<<14, flats, func(int) []ask {
				return []ask{{method: "GET", target: "/api/v1/" + target}}
			}))
		}
	}
	list = append(list, sentInput("a shared page of flats", 1<<14, func(n int) string {
		return manyFlats(n, `"title":"%[1]d"`)
	}, func(int) []ask {
		return []ask{{"GET", "/s/t", "", nil}, {"GET", "/s/t/photos/" + hashOf("x"), "", nil}}
	}))
	list = append(list, sentInput("a link with the number of flats", 1<<14, func(n int) string {
		return manyFlats(n, `"urls":["https://a.example/48120011/%[1]d"]`)
	}, func(n int) []ask {
		body := repeated(n, `{"urls":["https://a.example/48120011/%[1]d","https://a.example/x%[1]d/48120011"]}`, ",")
		return []ask{{"POST", "/api/v1/read", `{"link":"https://a.example/48120011"}`, nil},
			{"POST", "/api/v1/import", "[" + body + "]", nil}, {"GET", "/api/v1/duplicates", "", nil}}
	}))
	const numbered = `"urls":["http://a.example/48120011/%[1]d","http://a.example/x/4812%[1]d"]`
	list = append(list, input{"the index of links", 1 << 16, func(t *testing.T, n int) func() {
		store := newService(t, manyFlats(n, numbered), testCodes).store
		flats := store.snapshot()
		store.links.update(flats)
		return func() {
			newLinkIndex().update(flats)
			store.Close()
		}
	}})
	chain := func(n int) string {
		return "[" + repeated(n, `{"id":"f%[1]d@s","merged_ids":["f1%[1]d@s"]}`, ",\n") + "]"
	}
	const wrapped = `"urls":["https://a.example/?u=https%%3A%%2F%%2Fb.example%%2F%[1]d"]`
	list = append(list, sentInput("a link among those of flats", 1<<14, func(n int) string {
		return manyFlats(n, wrapped)
	}, func(int) []ask {
		return []ask{{"POST", "/api/v1/read", `{"link":"https://a.example/1"}`, nil}}
	}))
	return append(list, sentInput("complete of flats", 1<<14, chain, func(int) []ask {
		return []ask{{"POST", "/api/v1/import?complete=s", `[{"id":"x@s","merged_ids":["f1@s"]}]`, nil}}
	}))
}

// mcpInputs are the messages of assistants, and the rows of their answers.
func mcpInputs() (list []input) {
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{%s}}}`
	for _, message := range []string{`{"id":1,"method":"ping","jsonrpc":#}`, `{"jsonrpc":"2.0","method":"ping","id":#}`,
		`{"jsonrpc":"2.0","id":1,"method":#}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":#}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":#}}`,
		fmt.Sprintf(call, "find_flats", `"q":#`), fmt.Sprintf(call, "find_flats", `"where":#`),
		fmt.Sprintf(call, "find_flats", `"fields":#`), fmt.Sprintf(call, "find_flats", `"sort":#,"limit":#`),
		fmt.Sprintf(call, "update_flat", `"id":"f1@s","add_note":#`), fmt.Sprintf(call, "update_flat", `"id":#,"by":#`)} {
		list = append(list, sentInput("MCP "+message, maxBody, fewFlats, func(n int) (all []ask) {
			for _, value := range slices.Concat(values(n), texts(n), []string{listOf(n, `"title"`)}) {
				all = append(all, ask{"POST", "/api/v1/mcp", strings.ReplaceAll(message, "#", value), nil})
			}
			return all
		}))
	}
	for _, field := range []string{"text", "photos", "urls", "details"} {
		list = append(list, sentInput("MCP rows of "+field, 1<<17, func(n int) string {
			return manyFlats(50, `"text":"a `+filled(n, "long ")+`","photos":`+listOf(n, `"data:,%[1]d"`)+
				`,"urls":`+values(n)[1]+`,"details":{`+filled(min(n, 1<<14), `"%[1]d":0,`)+`"a":"b"}`)
		}, func(int) []ask {
			return []ask{{"POST", "/api/v1/mcp", fmt.Sprintf(call, "find_flats", `"limit":50,"fields":["`+field+`"]`), nil}}
		}))
	}
	return list
}

// form returns a text of a size: a template, with as much of an item as fits in place of #.
func form(template, item string) func(n int) string {
	return func(n int) string { return strings.ReplaceAll(template, "#", filled(n, item)) }
}

// textInput returns an input of texts that read reads. Each of forms returns a text of size n.
func textInput(name string, largest int, read func(text string), forms ...func(n int) string) input {
	return input{name, largest, func(t *testing.T, n int) func() {
		var texts []string
		for _, form := range forms {
			texts = append(texts, form(n))
		}
		return func() {
			for _, text := range texts {
				read(text)
			}
		}
	}}
}

// fileInputs are the files that the service reads.
func fileInputs(t *testing.T) (list []input) {
	flats, err := readFlats("flats.json", []byte(everydayFlats(64)), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	journal := func(text string) {
		r := newReplay(flats, nil, quiet)
		r.applyJournals([]loadedJournal{{"log", []byte(text)}})
		r.end()
	}
	record := journalRecordText(`"id":"f1@s","cost":5}`)
	for name, text := range map[string]func(n int) string{
		"updates":       form("#", record),
		"a damaged end": form(record+"#", `{"crc":"`),
		"damaged lines": form(record+"#", `{"crc":"00000000",x}`+"\n"),
		"cut lines":     form(record+"#", `{"crc":"00000000",`+"\n"),
		"imports": func(n int) string {
			return journalRecordText(`"imported":{},"added":` + listOf(n, `{"id":"n%[1]d"}`) + `,"updated":[]}`)
		},
	} {
		list = append(list, textInput("journal "+name, 16<<20, journal, text))
	}
	object := func(n int) string { return values(n)[0] }
	list = append(list, textInput("flats.json", 4<<20, func(text string) { readFlats("in", []byte(text), nil, quiet) },
		form(`[#{"id":"x"}]`, `{"id":"%[1]d",`+"\n"+`"x":[[1]]},`), form(`[{"id":1,"text":"#"}]`, "x"),
		form(`[{"id":1,"details":{#"a":1}}]`, `"%[1]d":0,`)),
		textInput("views.json", 4<<20, func(text string) { readViews("in", []byte(text)) }, object,
			form(`[#{"name":"a","query":""}]`, `{"name":"v%[1]d","query":"q=a","seen":"2026-01-01"},`)),
		textInput("shares.json", 4<<20, func(text string) { readShares("in", text) }, object,
			form(`[#{"id":"a"}]`, `{"id":"v%[1]d","title":"a","query":"q=a","until":"2026-01-01T00:00:00Z","hash":"`+
				strings.Repeat("0", 64)+`"},`)),
		textInput("settings.json", maxSettings, func(text string) { readSettings("in", text) }, object,
			form(`{"people":["A","B"],#"x":1}`, `"k%[1]d":1,`), form(`{"constraints":{#"a":{}}}`, `"c%[1]d":{},`)),
		textInput("password.json", 4<<20, func(text string) { parsePassword("in", text) }, object,
			form(`{"salt":"#"}`, "AAAA")),
		textInput(pushBase, 4<<20, func(text string) { readPush("in", text) }, object,
			form(`{"devices":[#{}]}`, `{"id":"d%[1]d","since":"2026-01-01"},`),
			form(`{"devices":[{"told":{#"v":"2026-01-01"}}]}`, `"v%[1]d":"2026-01-01",`)),
		textInput("mailbox.json", 4<<20, func(text string) { readProgress("in", text) }, object),
		textInput("postal codes", 4<<20, func(text string) {
			rows, _ := readPostalCodes("in", []byte(text)) // an error: those before it count
			newPostalCodes(rows, map[string]Constraint{"a": {Areas: []string{"x"}}, "b": {}}).get("a", "1")
		}, form(`[#{"postal_code":"a","name":"b"}]`, `{"postal_code":"%[1]d","name":"n","lat":1,"lng":2,"area":"x"},`),
			form("postal_code,name,lat,lng,area\n#", "%[1]d,n,1,2,x\n"),
			form("#", "FR\t%[1]d\tn\ta\t1\tb\t2\tc\t3\t1\t2\t1\n")))
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Config]()) {
		if key := field.Tag.Get("json"); key != "" {
			config := func(value string) { parseConfig("in", []byte(`{"`+key+`":`+value+`}`), quiet) }
			list = append(list, textInput("config "+key, 1<<20, config, object, form("#", "9"), form(`"#"`, "a/"),
				form(`[#"a"]`, `"http://a%[1]d.b",`), form(`{"url":"http://h/#","contact":"#"}`, "a"),
				form(`{"url":"http://h/","body":"#"}`, "{{.Title}}"), form(`{"a":{"areas":[#"x"]}}`, `"x%[1]d",`),
				form(`{"url":"imaps://a@h/","password":"p","from":[#"a"]}`, `"a%[1]d",`),
				form(`{"a":{"time_to":{#"p":{}}}}`, `"p%[1]d":{"gps":[1,2]},`), form(`{#"c":{}}`, `"c%[1]d":{"areas":["x"]},`)))
		}
	}
	return list
}

// answerInputs are the answers of other services.
func answerInputs(t *testing.T) []input {
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, `[{"id":"a","location":"`+filled(4096, "Weg %[1]d ")+`"}]`, "[]")
	answering := func(text string) http.RoundTripper {
		return roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(text))}, nil
		})
	}
	return []input{textInput("positions", 1<<20, func(text string) {
		d := newGeocoder(s.store, config.Travel, config.Constraints, config.Timezone)
		d.client.Transport = answering(text)
		d.askPosition(t.Context(), inquiry{question{text: "a"}, s.store.Get("a"), Place{}})
	}, form("[#{}]", `{"lat":48,"lon":11,"name":"%[1]d","street":"b","houseNumber":"%[1]d"},`),
		form(`[{"lat":48,"lon":11,"street":"#"}]`, "Weg str. "), form("#", "["),
	), textInput("stops", 8<<20, func(text string) {
		Stops{}.read(turns.NewTask(t.Context(), turns.NewQueue()), []byte(text), pointAt(48, 11))
	}, form(`{"all":[#{}]}`, `{"place":{"lat":48.%[1]d,"lon":11.1%[1]d},"duration":%[1]d},`),
	), textInput("a photo", maxPhoto, func(text string) {
		k := newPhotoFetcher(s.store, t.TempDir()+"/flats.json", 1<<30)
		k.client.Transport = answering(pngOf(text))
		k.fetch(t.Context(), "http://h/1")
	}, form("#", "x"))}
}
