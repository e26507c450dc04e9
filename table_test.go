// Tests of table.go.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/turns"
)

// A table's cached orders follow its snapshots, newer or older, whether one row or many rows
// changed or were added in between.
func TestOrdersKeepUp(t *testing.T) {
	for name, cost := range map[string]func(i int) float64{
		"to the front":   func(i int) float64 { return -float64(i) },
		"to the end":     func(i int) float64 { return float64(i) },
		"ties":           func(i int) float64 { return float64(i % 3) },
		"back and forth": func(i int) float64 { return float64(i%2*1000 + mixed(i, 100)) },
	} {
		flat := func(row uint32, cost float64) *Flat {
			f, err := blank.withMembers(members{"id": json.RawMessage(fmt.Sprint(row)),
				"cost": json.RawMessage(fmt.Sprint(cost))}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		table, states := newTable(flatFields), []*snapshot[Flat]{{}} // states of a store, the first one empty
		random := rand.New(rand.NewPCG(8, 8))
		for i, changes := range []int{3000, 1, 0, 5, 300, 1, maxMoved + 1, 2} {
			before := states[i]
			var rows []uint32
			var flats []*Flat
			size := before.size
			for n := range changes {
				row := uint32(random.IntN(size + 1))
				if int(row) == size { // a new row
					size++
				}
				rows, flats = append(rows, row), append(flats, flat(row, cost(n)))
			}
			after := before.withRecords(rows, flats)
			states = append(states, after)
			for _, s := range []*snapshot[Flat]{after, before, after} { // a slow request may ask for the older one again
				table.dropOld(s)
				for _, sort := range []string{"sort=cost", "sort=-cost", "sort=-cost&filter[cost]=1"} {
					q, err := parseQuery(flatFields, sort, "cost")
					if err != nil {
						t.Fatal(err)
					}
					var want []*Flat
					for _, f := range s.all() {
						if q.conditions == nil || f.Cost.number == 1 {
							want = append(want, f)
						}
					}
					slices.SortStableFunc(want, func(a, b *Flat) int {
						if q.keys[0].descending {
							a, b = b, a
						}
						return cmp.Compare(a.Cost.number, b.Cost.number)
					})
					got := table.find(turns.NewTask(t.Context(), turns.NewQueue()), s, q, nil)
					if !slices.Equal(got.records, want) {
						t.Fatalf("%s, change %d, %s: %d flats; want %d in order", name, i, sort, len(got.records), len(want))
					}
				}
			}
		}
	}
}

// A table that has too many orders drops the oldest one.
func TestManyOrders(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	var fields []derivedField[Flat]
	for i := range 2 * maxOrders {
		fields = append(fields, derivedField[Flat]{fmt.Sprint("f", i), func(f *Flat) value { return &f.Cost }})
	}
	table := newTable((&Fields[Flat]{}).forFind(fields...))
	for i := range table.fields.list {
		work, q := turns.NewTask(t.Context(), turns.NewQueue()), &Query{keys: []sortKey{{field: i}}}
		page := table.find(work, s.store.snapshot(), q, nil)
		if all := s.store.snapshot().size; len(page.records) != all || len(table.orders) > maxOrders {
			t.Fatalf("order %d: %d flats, %d orders; want %d flats, at most %d orders", i, len(page.records),
				len(table.orders), all, maxOrders)
		}
		if newest := table.orders[len(table.orders)-1]; newest.by[0].field != i {
			t.Fatalf("order %d: the newest order is that of field %d", i, newest.by[0].field)
		}
	}
}

// A table caches a bounded number of orders, and the latest one in any case. Keys after the
// id create no order of their own.
func TestManySorts(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.ask("GET", "/api/v1/flats", "")
	for _, i := range flatFields.listedFields() {
		for _, j := range flatFields.listedFields() {
			s.ids(s.ask("GET", "/api/v1/flats?sort="+flatFields.list[i].name+",-"+flatFields.list[j].name, ""))
		}
		s.ids(s.ask("GET", "/api/v1/flats?sort=id,"+flatFields.list[i].name, ""))
		s.ids(s.ask("GET", "/api/v1/opendata/postal_codes?sort=-lat,"+postalFields.list[i%5].name, ""))
	}
	for _, field := range queryFields(quiet, nil).list { // more orders by one field than the table caches
		if field.where == onlyStored {
			continue
		}
		for _, sort := range []string{"", "-", "&nulls=last"} {
			order, nulls, _ := strings.Cut(sort, "&")
			s.ids(s.ask("GET", "/api/v1/find?sort="+order+field.name+"&"+nulls, ""))
		}
	}
	if got := s.ask("PATCH", "/api/v1/flat/7", `{"cost":701}`); got.status != 200 {
		t.Errorf("update: %d %s", got.status, got.body)
	}
	s.ids(s.ask("GET", "/api/v1/find?sort=id", ""))
	s.ids(s.ask("GET", "/api/v1/find?sort=id,cost", ""))
	s.ids(s.ask("GET", "/api/v1/find?sort=-notes,-id", ""))
	fields := queryFields(quiet, nil)
	id, notes := fields.byName["id"], fields.byName["notes"]
	orders := s.store.table.orders
	latest := s.store.table.cachedOrder([]sortKey{{field: notes, descending: true}, {field: id, descending: true}})
	if len(orders) > maxOrders || latest == nil {
		t.Errorf("%d orders, the latest: %v", len(orders), latest)
	}
	startingWithID := 0
	for _, o := range orders {
		if o.by[0] == (sortKey{field: id}) {
			startingWithID++
		}
	}
	if startingWithID != 1 { // sort=id,cost has used the order of sort=id
		t.Errorf("%d orders that start with the id; want 1", startingWithID)
	}
}

// A sort computes the text of a row at most twice, for its beginning and for all of it, and any other key once, even
// for texts with a long common prefix. It sorts by the next field if the texts are equal.
func TestSortLongTexts(t *testing.T) {
	var flats []string
	for i := range 2000 {
		text := strings.Repeat("\\n", 20+mixed(i, 40)) + strings.Repeat("x", i*31%3)
		flats = append(flats, fmt.Sprintf(`{"id":%d,"text":"%s","cost":%d}`, i, text, mixed(i, 50)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	const byText, byCost = 0, 1 // the fields of the table
	keys := 0                   // how many were computed
	text, cost := flatFields.list[flatFields.byName["text"]], flatFields.list[flatFields.byName["cost"]]
	fields := (&Fields[Flat]{}).forFind(
		derivedField[Flat]{text.name, func(f *Flat) value { keys++; return text.value(f) }},
		derivedField[Flat]{cost.name, func(f *Flat) value { keys++; return cost.value(f) }},
	)
	for _, by := range [][]sortKey{
		{{field: byText}},
		{{field: byText, descending: true}, {field: byCost}},
		{{field: byCost}, {field: byText}},
	} {
		keys = 0
		table, flats := newTable(fields), s.store.snapshot()
		o := table.order(turns.NewTask(t.Context(), turns.NewQueue()), flats, by)
		if most := (len(by) + 1) * flats.size; keys > most { // one of the keys is the text
			t.Fatalf("%v: %d keys of %d rows; want at most %d", by, keys, flats.size, most)
		}
		sorted := slices.IsSortedFunc(o.rows, func(a, b uint32) int {
			return cmp.Or(o.compare(nil, flats.row(a), flats.row(b)), cmp.Compare(a, b))
		})
		if !sorted || len(o.rows) != flats.size {
			t.Errorf("%v: %d rows of %d, sorted: %v", by, len(o.rows), flats.size, sorted)
		}
	}
}

// A hookedContext calls onErr on each call of Err, with which a task checks whether its client has gone.
type hookedContext struct {
	context.Context
	onErr func()
}

func (c *hookedContext) Err() error {
	c.onErr()
	return c.Context.Err()
}

// Short tasks run while a long sort by two fields is in progress, even if they sort by
// one field.
func TestSortGivesWay(t *testing.T) {
	long(t)
	s := newService(t, benchFlats(3000), "[]")
	queue := turns.NewQueue()
	const first, second, other = 2, 1, 3 // fields to sort by, as indexes into the list of fields
	const begun, late = 20, 60           // checks of the context by which the long sort has begun, or goes on still
	checks := 0
	find := func(work *turns.Task, order ...sortKey) {
		s.store.table.find(work, s.store.snapshot(), &Query{keys: order}, nil)
	}
	var short, waiting sync.WaitGroup
	ctx := &hookedContext{Context: t.Context()}
	sorting := turns.NewTask(ctx, queue)
	ctx.onErr = func() {
		checks++
		if checks == begun {
			short.Go(func() {
				work := turns.NewTask(t.Context(), queue)
				defer work.Pause()
				work.Spend(time.Hour) // makes it a long task, which waits for turns
				find(work, sortKey{field: other})
			})
			// A task that needs the same order waits for it outside a turn.
			waiting.Go(func() {
				work := turns.NewTask(t.Context(), queue)
				defer work.Pause()
				work.Spend(time.Hour)
				work.Resume()
				find(work, sortKey{field: first}, sortKey{field: second})
			})
		}
		if checks >= begun {
			sorting.Spend(time.Hour) // its turn is over
			time.Sleep(time.Millisecond)
		}
		if checks == late {
			short.Wait() // blocks forever if the sort does not give way
		}
	}
	sorting.Spend(time.Hour)
	find(sorting, sortKey{field: first}, sortKey{field: second})
	if checks < late {
		t.Errorf("the sort checked its context %d times; want at least %d", checks, late)
	}
	sorting.Pause()
	waiting.Wait()
}

// An import that changes a part of the flats moves their rows in the cached orders, also by derived fields, which
// takes fewer steps and keys than sorting all.
func TestMovedRows(t *testing.T) {
	const size, changed = 20_000, 2000         // flats
	const values = 3000                        // fewer than flats, so that some are equal
	fields, keys := queryFields(quiet, nil), 0 // keys counts those that were computed
	for i, field := range fields.list {
		fields.list[i].value = func(f *Flat) value { keys++; return field.value(f) }
	}
	f, err := readFlats("in", []byte(`[{"id":1,"cost":1,"service_time_to":{"a":{"time":1}}}]`), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	flat := func(n int) *Flat { // with n in the two fields by which the test sorts
		next := *f[0]
		next.Cost = *newNumber(float64(n))
		next.ServiceTimeTo.times = []placeTime{{"a", float64(n)}}
		return &next
	}
	var rows []uint32
	var records []*Flat
	for row := range uint32(size) {
		rows, records = append(rows, row), append(records, flat(mixed(int(row), values)))
	}
	before := (&snapshot[Flat]{}).withRecords(rows, records)
	var moved []uint32
	var others []*Flat
	for row := uint32(0); row < size; row += size / changed {
		moved, others = append(moved, row), append(others, flat(int(row)*31%values))
	}
	after := before.withRecords(moved, others)
	for _, name := range []string{"cost", "travel_time"} {
		by := []sortKey{{field: fields.byName[name]}}
		table := newTable(fields)
		steps := func(s *snapshot[Flat]) int {
			work := turns.NewTask(t.Context(), turns.NewQueue())
			defer work.Pause()
			table.order(work, s, by)
			return work.Steps()
		}
		all := steps(before)
		table.dropOld(after)
		keys = 0
		if got, most := steps(after), all*2/3; got > most || keys > size {
			t.Errorf("%s: moving %d rows takes %d steps and %d keys; want at most %d of the %d steps of a sort, and %d keys",
				name, changed, got, keys, most, all, size)
		}
		work := turns.NewTask(t.Context(), turns.NewQueue())
		defer work.Pause()
		if want := newTable(fields).order(work, after, by); !slices.Equal(table.order(work, after, by).rows, want.rows) {
			t.Errorf("%s: the moved rows are not in order", name)
		}
	}
}

// A sort by one field waits neither for a sort by another field nor for a sort by several fields.
func TestSortAlone(t *testing.T) {
	s := newService(t, benchFlats(100), "[]")
	synctest.Test(t, func(t *testing.T) {
		for field := range flatFields.list {
			table := newTable(flatFields)
			table.sortingSeveral = turns.NewLock() // a lock of this bubble: a sort that waits for it is a deadlock
			<-table.sortingSeveral
			for i := range table.sorting {
				table.sorting[i] = turns.NewLock()
				if i != field {
					<-table.sorting[i]
				}
			}
			work := turns.NewTask(t.Context(), turns.NewQueue())
			table.find(work, s.store.snapshot(), &Query{keys: []sortKey{{field: field}}}, nil)
			work.Pause()
		}
	})
}

// Counts leave out a value that is longer than all values together may be, however frequent it is.
func TestLongCounts(t *testing.T) {
	long := strings.Repeat("x", maxCountsBytes/2-len(`"a"""`)) // counts as JSON, with "a" in half of the room
	s := newService(t, `[{"id":1,"title":"`+long+`xxxx"},{"id":2,"title":"`+long+`xxxx"},{"id":3,"title":"`+long+`"},
		{"id":4,"title":"a"}]`, "[]")
	got := s.ask("GET", "/api/v1/find?fields=id&page[size]=1&counts=title&counts=area", "")
	want := `"total":4,"counts":{"area":{"null":4},"title":{"a":1,"` + long + `":1}}}`
	if got.status != 200 || !strings.HasSuffix(got.body, want) {
		t.Errorf("%d %.200s", got.status, got.body)
	}
}

// The counts of an answer have at most 1 MiB of values, however many fields they count, and each field
// has its part of that, for the most frequent values.
func TestManyCounts(t *testing.T) {
	const flats, bytes = 400, 3000
	var list []string
	for i := range flats {
		value := fmt.Sprintf(`"%03d`+strings.Repeat("x", bytes)+`"`, min(i, flats-10)) // the last ten flats share one
		list = append(list, fmt.Sprintf(`{"id":%d,"cost":%d,"title":%[3]s,"text":%[3]s,"notes":%[3]s}`, i, i%2, value))
	}
	s := newService(t, "["+strings.Join(list, ",")+"]", "[]")
	got := s.ask("GET", "/api/v1/find?counts=title&counts=text&counts=notes&counts=cost&page[size]=1", "")
	var page struct{ Counts map[string]map[string]int }
	if err := json.Unmarshal([]byte(got.body), &page); err != nil || len(got.body) > maxCountsBytes {
		t.Errorf("%d %v: %d bytes", got.status, err, len(got.body))
	}
	for _, name := range []string{"title", "text", "notes"} {
		values := slices.Sorted(maps.Values(page.Counts[name]))
		// Each of the four fields has a quarter.
		if want := maxCountsBytes / 4 / (bytes + len(`"000"`)); len(values) != want || values[want-1] != 10 {
			t.Errorf("%d values of %s are counted, one up to %d times; want %d and 10", len(values), name,
				slices.Max(values), want)
		}
	}
	if costs := page.Counts["cost"]; costs["0"] != flats/2 || costs["1"] != flats/2 {
		t.Errorf("the costs are counted as %v", costs)
	}
}

// takeTurn takes the turn of long tasks and never gives it back.
func takeTurn(t testing.TB, queue *turns.Queue) {
	work := turns.NewTask(t.Context(), queue)
	work.Spend(time.Hour)
	work.Resume()
}

// TestGivesWay tests that sorts, searches and the search for duplicates check their context often, so that they give
// way to other tasks and end soon after their clients disconnect.
func TestGivesWay(t *testing.T) {
	var flats []string
	for i := range 3000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"title":"same","text":"on the way w%d","cost":%d,"area":1,`+
			`"location":"x"}`, i, mixed(i, 6000), mixed(i, 3000)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	<-s.store.index.searchable
	search := func(query string) func(*turns.Task) {
		return func(work *turns.Task) {
			if _, err := s.store.Search(work, query, &Query{keys: []sortKey{{}}}); err != nil {
				t.Error(err)
			}
		}
	}
	var terms []string
	for i := range 400 {
		terms = append(terms, fmt.Sprintf("OR -w%d*", i))
	}
	s.search("x", "sort=id") // caches the order that the searches use
	sort := func(work *turns.Task) {
		byCost := &Query{keys: []sortKey{{field: flatFields.byName["cost"]}}}
		newTable(flatFields).find(work, s.store.snapshot(), byCost, nil)
	}
	findDuplicates := func(work *turns.Task) {
		s.store.duplicates.list = ""
		s.store.Duplicates(work)
	}
	for name, c := range map[string]struct {
		run       func(*turns.Task)
		minChecks int // of the context; about a third of the actual number
	}{
		"sort":       {run: sort, minChecks: 25},
		"prefixes":   {run: search("w1 " + strings.Join(terms, " ")), minChecks: 15},
		"phrase":     {run: search(`"on the way"`), minChecks: 15},
		"duplicates": {run: findDuplicates, minChecks: 30},
	} {
		// run runs the case for a client that disconnects after a number of checks of the context.
		run := func(checks int) (ctx *countedContext, endedEarly bool) {
			ctx = &countedContext{t.Context(), checks}
			work := turns.NewTask(ctx, turns.NewQueue())
			work.Spend(time.Hour)
			defer work.Pause()
			return ctx, endsEarly(func() { c.run(work) })
		}
		const endless = 1 << 30 // more checks than any case makes: the client stays
		whole, endedEarly := run(endless)
		if checks := endless - whole.remaining; endedEarly || checks < c.minChecks {
			t.Errorf("%s: %d checks of the context, ended early %v; want at least %d", name, checks, endedEarly, c.minChecks)
		}
		const mostLate = 2 // checks after the client has disconnected
		ctx, endedEarly := run(c.minChecks / 2)
		if lateChecks := -ctx.remaining; !endedEarly || lateChecks > mostLate {
			t.Errorf("%s: %d checks after its client had disconnected, ended early %v; want at most %d",
				name, lateChecks, endedEarly, mostLate)
		}
	}
}

// With currencies=frequent the most frequent currency of all flats comes first, on each page, as CSV, under any
// condition, and after updates that make another one the most frequent.
func TestFrequentCurrencies(t *testing.T) {
	var flats []string
	for _, c := range strings.Fields("4×GBP 3×CHF 2×USD 1×EUR 5×null") { // how many flats, and their currency
		n, currency, _ := strings.Cut(c, "×")
		for i := range int(n[0] - '0') {
			flats = append(flats, fmt.Sprintf(`{"id":"%s%d","cost":%d,"currency":%q}`, currency, i, 900-i, currency))
		}
	}
	s := newService(t, strings.ReplaceAll("["+strings.Join(flats, ",")+"]", `"currency":"null"`, `"currency":null`), "[]")
	ids := func(params string) string {
		return s.ids(s.ask("GET", "/api/v1/find?nulls=last&"+query(params), ""))
	}
	check := func(params, want string) {
		t.Helper()
		if got := ids(params); got != want {
			t.Errorf("%s lists %s; want %s", params, got, want)
		}
	}
	const gbp, chf, usd, none = "GBP3 GBP2 GBP1 GBP0", "CHF2 CHF1 CHF0", "USD1 USD0", "null4 null3 null2 null1 null0"
	const sort = "sort=currency_code,cost"
	check(sort, chf+" EUR0 "+gbp+" "+usd+" "+none)
	check("currencies=frequent&"+sort, gbp+" "+chf+" "+usd+" EUR0 "+none)
	check("currencies=frequent&sort=-currency_code,cost", "EUR0 "+usd+" "+chf+" "+gbp+" "+none)
	check("currencies=frequent&sort=currency_code,-cost&not[currency_code]=GBP&known[currency]=yes",
		"CHF0 CHF1 CHF2 USD0 USD1 EUR0")
	check("currencies=frequent&sort=cost&max[cost]=896", "null4")
	check("currencies=frequent&sort=currency,cost", chf+" EUR0 "+gbp+" "+usd+" "+none) // as written, in their order
	check("currencies=frequent&any[id]=USD0&any[id]=USD1&any[id]=CHF1&"+sort, "CHF1 USD1 USD0")
	var pages []string
	for page := range 4 {
		pages = append(pages, ids(fmt.Sprintf("currencies=frequent&%s&page[size]=4&page[number]=%d", sort, page)))
	}
	if got := strings.Join(pages, " "); got != ids("currencies=frequent&"+sort) {
		t.Errorf("pages: %s", got)
	}
	csv := s.ask("GET", "/api/v1/find?format=csv&fields=cost&currencies=frequent&max[cost]=897&"+sort, "")
	if want := "\uFEFFid,cost\r\nnull4,896\r\nnull3,897\r\nGBP3,897\r\n"; csv.body != want {
		t.Errorf("CSV: %q; want %q", csv.body, want)
	}
	for _, id := range []string{"GBP3", "GBP2", "CHF0", "USD0", "USD1"} {
		s.ask("PATCH", "/api/v1/flat/"+id, `{"currency":"EUR"}`)
	}
	check("currencies=frequent&"+sort, "GBP3 GBP2 USD1 CHF0 USD0 EUR0 CHF2 CHF1 GBP1 GBP0 "+none)
	checkManyCurrencies(t)
}

// checkManyCurrencies tests the order of more than maxFrequent currencies: the maxFrequent most frequent ones come
// first, and the others by their codes. Flats without a currency come last.
func checkManyCurrencies(t *testing.T) {
	t.Helper()
	type currency struct {
		code string
		ids  []string
	}
	var currencies []currency
	var flats, none []string
	const n = 3 * maxFrequent
	for i := range n {
		c := currency{code: fmt.Sprintf("C%02d", i*7%n)} // 7 and n have no common divisor, so that each code is another one
		for j := range 1 + i/maxFrequent {               // a third of the currencies has one flat, a third two, a third three
			c.ids = append(c.ids, fmt.Sprintf("%d.%d", i, j))
			flats = append(flats, fmt.Sprintf(`{"id":"%d.%d","currency":%q}`, i, j, c.code))
		}
		currencies = append(currencies, c)
		none = append(none, fmt.Sprintf("none%d", i))
		flats = append(flats, fmt.Sprintf(`{"id":"none%d"}`, i))
	}
	slices.SortFunc(currencies, func(a, b currency) int {
		isRarer := func(c currency) int { // 0 for the most frequent ones
			if len(c.ids) == 3 {
				return 0
			}
			return 1
		}
		return cmp.Or(isRarer(a)-isRarer(b), strings.Compare(a.code, b.code))
	})
	var want []string
	for _, c := range currencies {
		want = append(want, c.ids...)
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	got := s.ids(s.ask("GET", "/api/v1/find?nulls=last&currencies=frequent&sort=currency_code", ""))
	if got != strings.Join(append(want, none...), " ") {
		t.Errorf("many currencies: %s; want %s", got, append(want, none...))
	}
}
