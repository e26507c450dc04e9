// Many clients at once, for as long as -soak says.

package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A soak is a service under test by many concurrent clients.
type soak struct {
	*service
	random  *rand.Rand
	disk    *faultyDisk
	current atomic.Pointer[http.Handler]
	reads   uint64 // seed of the requests of read
	unwatch func() // stops watching the import folder
	owners  []*owner
	errors  atomic.Int64
	asked   atomic.Int64 // number of requests
	foul    atomic.Bool  // file operations may fail, and so may requests
	refused atomic.Int64 // number of requests that failed then
	doubted atomic.Int64 // number of those that were to count, but see inDoubt
	words   atomic.Int64 // number of unique words and ids so far
	counted atomic.Int64 // acknowledged updates of the counter flat
	noted   int          // last acknowledged notes of the counter flat

	taking    sync.RWMutex // held while another service takes over
	takeovers int          // number of services that took the data over during a round

	mu     sync.Mutex
	bodies map[string][32]byte // hashes, by entity tag and target; guarded by mu
}

// An owner is a client. Only it changes the flats of its site.
type owner struct {
	*soak
	random *rand.Rand
	site   string
	flats  []soakFlat // the expected state
	costs  int        // the cost in the last listing; it grows, so that each ends the user's correction
}

// A soakFlat is the expected state of a flat, and encodes as a listing.
type soakFlat struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Cost      int    `json:"cost"`
	Area      int    `json:"area"`
	Location  string `json:"location"`
	Notes     string `json:"notes"`
	Notation  int64  `json:"notation"`
	Status    string `json:"status"`
	VisitDate string `json:"visit_date,omitempty"`
	Gone      isGone `json:"gone,omitempty"`
	Details   struct {
		Inner struct { // named in letters that random queries do not use
			A string `json:"ж"`
			B string `json:"жж"`
		} `json:"жжж"`
	} `json:"details"`
}

// newSoak starts a service on a new folder.
func newSoak(t *testing.T, random *rand.Rand) *soak {
	config := defaultConfig()
	config.WebsiteURL = "https://flats.example/"
	config.Data = writeFile(t, t.TempDir(), "flats.json", `[{"id":"counter","notation":0,"notes":"0"}]`)
	if err := os.Mkdir(importFolder(config.Data), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &soak{service: &service{TB: t, config: config}, random: random, disk: &faultyDisk{}}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.current.Load()).ServeHTTP(w, r) })
	for i := range 12 {
		s.owners = append(s.owners, &owner{soak: s, random: rand.New(rand.NewPCG(random.Uint64(), 0)),
			site: fmt.Sprintf("site%d", i)})
	}
	s.open()
	t.Cleanup(s.close)
	return s
}

// soakReads is the number of different requests of read in a round. It is small, so that
// requests soon repeat.
const soakReads = 16

// isGone decodes a time to true, because clients do not know when the flat was marked.
type isGone bool

func (g *isGone) UnmarshalJSON(text []byte) error {
	*g = string(text) != "null"
	return nil
}

// openStore opens the data with a clock that is up to five days ahead or behind.
func (s *soak) openStore() (*Store, error) {
	store, err := openStore(s.config.Data, s.disk, newPostalCodes(nil, nil), s.logger())
	if err == nil {
		wrong := time.Duration(s.random.Int64N(int64(240*time.Hour))) - 120*time.Hour
		store.now = func() time.Time { return time.Now().Add(wrong) }
	}
	return store, err
}

// openOwner is like openStore, but the store must own the data.
func (s *soak) openOwner() (*Store, error) {
	store, err := s.openStore()
	if err == nil {
		if err = store.check(); err != nil {
			store.Close()
		}
	}
	return store, err
}

// open starts the service as the program does.
func (s *soak) open() {
	var err error
	if s.store, err = s.openStore(); err != nil {
		s.Fatal(err)
	}
	s.bodies = map[string][32]byte{} // entity tags are valid for one handler only
	s.serve()
}

// serve lets the requests go to the store, and imports what is in the import folder.
func (s *soak) serve() {
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	failing := s.disk.failing.Swap(false) // a program that cannot read its files ends
	p := testProgram(s, s.config, s.store, s.logger())
	s.disk.failing.Store(failing)
	watcher := newWatcher(p.importer, importFolder(s.config.Data), s.config.MaxImport)
	watching.Go(func() { watcher.watch(ctx) })
	s.unwatch = func() { stop(); watching.Wait() }
	s.current.Store(&p.handler)
}

// close stops the service as the program does. After a foul round it may have lost the data.
func (s *soak) close() {
	s.unwatch()
	if err := s.store.Close(); err != nil && !s.foul.Load() {
		s.Error(err)
	}
}

// restart closes and reopens the store during an import from a file.
func (s *soak) restart() {
	o := s.owners[0]
	b := o.batch()
	o.place(b)
	o.pause()
	s.close()
	s.foul.Store(false)
	s.open()
	o.await(b.last().ID)
	o.flats = b.flats
}

func (s *soak) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(s, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Write receives the log's warnings. The only one allowed is that an import was left for
// the next start because the store is closed; in a foul round any but a panic is.
func (s *soak) Write(line []byte) (int, error) {
	text := string(line)
	if !strings.Contains(text, errClosed.Error()) && (!s.foul.Load() || strings.Contains(text, "panic")) {
		s.Errorf("unexpected log: %s", strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text))
	}
	return len(line), nil
}

// Errorf reports the first three errors; later ones are usually consequences.
func (s *soak) Errorf(format string, args ...any) {
	s.Helper()
	if s.errors.Add(1) <= 3 {
		s.service.Errorf(format, args...)
	}
}

// round runs all clients for d.
func (s *soak) round(d time.Duration) {
	var clients sync.WaitGroup
	began := time.Now()
	s.reads = s.random.Uint64()
	loop := func(do func()) {
		clients.Go(func() {
			for time.Since(began) < d && !s.Failed() {
				do()
			}
		})
	}
	loop(s.note)
	for range 16 {
		loop(s.count)
	}
	for _, o := range s.owners {
		loop(o.work)
	}
	clients.Wait()
}

// foulRound runs all clients for d, while file operations fail and other services take the
// data over. The disk is sound again when it returns.
func (s *soak) foulRound(d time.Duration) {
	s.foul.Store(true)
	s.disk.failing.Store(true)
	var group sync.WaitGroup
	group.Go(func() {
		for range 3 {
			time.Sleep(d / 5)
			s.takeOver()
		}
	})
	s.round(d)
	group.Wait()
	s.disk.failing.Store(false)
}

// takeOver starts a second service on the data, to which the requests go from then on. The
// first one stops later. A service that could not take over is started again, as its log asks
// for: it would serve flats that the first one may still change.
func (s *soak) takeOver() {
	s.taking.Lock()
	defer s.taking.Unlock()
	store, err := s.openOwner()
	for tries := 0; err != nil && tries < 100; tries++ {
		store, err = s.openOwner()
	}
	if err != nil {
		s.Errorf("no service has taken over: %v", err)
		return
	}
	unwatch, before := s.unwatch, s.store
	s.store = store
	s.takeovers++
	s.serve()
	unwatch()
	before.Close() // an error: the data is no longer its own
}

// ask sends a request, which must succeed unless a precondition in header fails. In a foul
// round the service may also refuse to write.
func (s *soak) ask(method, target, body string, header ...string) reply {
	handler := s.current.Load()
	got := s.service.ask(method, target, body, header...)
	s.asked.Add(1)
	isRefused := got.status == 500 && method != "GET"
	isTagOfAnother := got.status == 412 && handler != s.current.Load() // the service that gave the tag
	if s.foul.Load() && (isRefused || isTagOfAnother) {
		s.refused.Add(1)
		return got
	}
	isPrecondition := len(header) > 0 && (got.status == 304 || got.status == 412)
	if got.status != 200 && !isPrecondition {
		s.Errorf("%s %s %.300s: %d %.300s", method, target, body, got.status, got.body)
	}
	if tag := got.header.Get("Etag"); got.status == 200 && tag != "" {
		sum := sha256.Sum256([]byte(got.body))
		s.mu.Lock()
		defer s.mu.Unlock()
		if before, ok := s.bodies[tag+target]; ok && before != sum {
			s.Errorf("%s %q: a different body has the same tag %s: %.500s", target, header, tag, got.body)
		}
		s.bodies[tag+target] = sum
	}
	return got
}

// flat decodes the flat in an answer.
func (s *soak) flat(got reply) soakFlat {
	var answer struct{ Data soakFlat }
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
		s.Errorf("%v in %s", err, got.body)
	}
	return answer.Data
}

// count increments the counter unless another client has changed it since it was read.
func (s *soak) count() {
	got := s.ask("GET", "/api/v1/flats/counter", "")
	next := fmt.Sprintf(`{"notation":%d}`, s.flat(got).Notation+1)
	switch got := s.ask("PATCH", "/api/v1/flat/counter", next, "If-Match", got.header.Get("Etag")); {
	case got.status == 200:
		s.counted.Add(1)
	case s.inDoubt(got):
		s.doubted.Add(1)
	}
}

// note changes the notes of the counter unconditionally.
func (s *soak) note() {
	next := strconv.Itoa(s.noted + 1)
	got := s.ask("PATCH", "/api/v1/flat/counter", `{"notes":"`+next+`"}`)
	if s.inDoubt(got) {
		got = s.ask("GET", "/api/v1/flats/counter", "")
		s.noted, _ = strconv.Atoi(s.flat(got).Notes)
		return
	}
	if s.foul.Load() && got.status == 500 {
		return
	}
	if s.flat(got).Notes != next {
		s.Errorf("notes of the counter: %s; want %s", got.body, next)
	}
	s.noted++
}

// read sends the n-th of soakReads random requests, most of them for lists. It returns
// the request's target or query and the answer.
func (s *soak) read(n uint64) (string, reply) {
	random := rand.New(rand.NewPCG(s.reads, n))
	search := pick(random, []string{`"жжж жж"`, `"жжж ж" -garden`, "details:жж", randomSearch(random),
		randomSearch(random)})
	conditions := []string{"q=" + search, "q=" + search, "min[cost]=500", "max[cost]=1500",
		"any[status]=new&any[status]=seen",
		"not[location]=Lyon", "known[visit_date]=yes", "counts=status&counts=site", "sort=-title,id", "page[size]=20",
		"fields=title,notes,cost_per_area", "format=csv"}
	random.Shuffle(len(conditions), func(i, j int) { conditions[i], conditions[j] = conditions[j], conditions[i] })
	target := "/api/v1/find?" + query(strings.Join(conditions[:1+random.IntN(len(conditions))], "&"))
	switch random.IntN(8) {
	case 0, 1, 2:
		return search, s.ask("POST", "/api/v1/search?page[size]=100", `{"query":`+encodeJSON(search)+`}`)
	case 3:
		target = "/api/v1/" + pick(random, []string{"flats", "flats?sort=-title,cost&page[size]=9&page[number]=3",
			"duplicates", "metadata",
			"imports", "openapi.json", "ics/visits.ics", "time_to_places", "opendata/postal_codes"})
	}
	header := pick(random, [][]string{nil, nil, {"Accept-Encoding", "gzip"}, {"Accept", "text/csv"}})
	got := s.ask("GET", target, "", header...)
	s.ask("GET", target, "", append(header, "If-None-Match", got.header.Get("Etag"))...)
	return target, got
}

// work performs one random action.
func (o *owner) work() {
	switch n := o.random.IntN(30); {
	case (n == 0 || len(o.flats) == 0) && !o.foul.Load():
		b := o.batch()
		o.place(b)
		o.await(b.last().ID)
		o.flats = b.flats
	case n < 4 || len(o.flats) == 0:
		o.post(o.batch())
	case n < 12:
		o.update(&o.flats[o.random.IntN(len(o.flats))])
	case n < 20:
		o.check(pick(o.random, o.flats))
	default:
		o.read(o.random.Uint64N(soakReads))
	}
}

// text returns a random text that begins with a unique word.
func (o *owner) text() string {
	return fmt.Sprintf("q%dq %s", o.words.Add(1), strings.ToValidUTF8(randomText(o.random), ""))
}

// firstWord returns the first word of a text of owner.text.
func firstWord(text string) string { return text[:strings.IndexByte(text, ' ')] }

// A batch is an import by an owner.
type batch struct {
	listings string     // as JSON
	complete string     // the site of which these are all listings, or ""
	flats    []soakFlat // all flats of the owner after the import
}

func (b batch) last() soakFlat { return b.flats[len(b.flats)-1] }

// batch returns listings of some of the owner's flats, with a new title and cost, and of
// new flats.
func (o *owner) batch() batch {
	b := batch{flats: slices.Clone(o.flats), complete: pick(o.random, []string{"", "", o.site})}
	listings := []string{`{"id":"counter","title":` + encodeJSON(o.text()) + `}`} // other clients change it concurrently
	for i := range b.flats {
		f := &b.flats[i]
		if o.random.IntN(4) == 0 {
			o.costs++
			f.Title, f.Cost, f.Gone = o.text(), 100+o.costs, false
			listing := *f
			listing.Notes, listing.Status, listing.VisitDate = "not the user's", "none", "2001-01-01"
			listings = append(listings, encodeJSON(listing))
		} else if b.complete != "" {
			f.Gone = true
		}
	}
	for range 1 + o.random.IntN(12) {
		o.costs++
		f := soakFlat{ID: fmt.Sprintf("%d@%s", o.words.Add(1), o.site), Title: o.text(), Notes: o.text(), Status: "new",
			Cost: 100 + o.costs, Area: 20 + o.random.IntN(9),
			Location: pick(o.random, []string{"Lyon", "Nord", "Sud"})}
		f.Details.Inner.A, f.Details.Inner.B = o.text(), o.text()
		b.flats, listings = append(b.flats, f), append(listings, encodeJSON(f))
	}
	b.listings = "[" + strings.Join(listings, ",\n") + "]"
	return b
}

// post imports a batch over HTTP.
func (o *owner) post(b batch) {
	target, body, header := "/api/v1/import", b.listings, []string(nil)
	if b.complete != "" {
		target += "?complete=" + b.complete
	}
	if o.random.IntN(2) == 0 {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		io.WriteString(z, body)
		z.Close()
		body, header = zipped.String(), []string{"Content-Encoding", "gzip"}
	}
	got := o.ask("POST", target, body, header...)
	isStored := got.status == 200
	if o.inDoubt(got) {
		isStored = o.service.ask("GET", "/api/v1/flats/"+b.last().ID, "").status == 200
	}
	if !isStored {
		return
	}
	o.flats = b.flats
	o.finds("q=details:"+firstWord(b.last().Details.Inner.B), b.last().ID)
}

// place puts a batch into the import folder as a file. Sometimes it replaces an earlier
// file, which the service may or may not have read.
func (o *owner) place(b batch) {
	folder := importFolder(o.config.Data)
	put := func(text string) {
		staged := writeFile(o, filepath.Dir(folder), o.site+".staged", text)
		if err := os.Rename(staged, filepath.Join(folder, o.site+".json")); err != nil {
			o.Error(err)
		}
	}
	id := fmt.Sprintf("%d@replaced", o.words.Add(1))
	switch o.random.IntN(4) {
	case 0:
		put(`[{"id":"` + id + `"}]`)
		o.pause()
	case 1:
		put(`[{"id":"` + id + `"}]`)
		o.await(id)
	}
	if b.complete != "" {
		b.listings = `{"complete":"` + b.complete + `","data":` + b.listings + "}"
	}
	put(b.listings)
}

// pause sleeps for up to about the interval at which the import folder is read.
func (o *owner) pause() { time.Sleep(time.Duration(o.random.IntN(600)) * time.Millisecond) }

// await waits until the file with the flat has been imported.
func (o *owner) await(id string) {
	for began := time.Now(); o.store.Get(id) == nil && !o.Failed(); time.Sleep(500 * time.Microsecond) {
		if time.Since(began) > time.Minute { // after an error the folder is read again in ten seconds
			left, _ := filepath.Glob(filepath.Join(importFolder(o.config.Data), "*"))
			o.Errorf("the file with the flat %s is not imported; the folder has %v", id, left)
		}
	}
}

// update changes the user's fields of a flat, sometimes with If-Match.
func (o *owner) update(f *soakFlat) {
	target, oldWord, header := "/api/v1/flat/"+f.ID, firstWord(f.Notes), []string(nil)
	body := fmt.Sprintf(`{"notes":%s,"status":"%s"%s}`, encodeJSON(o.text()),
		pick(o.random, []string{"new", "seen", "followed"}),
		pick(o.random, []string{"", `,"cost":7`, `,"visit_date":"2026-12-01T18:00"`}))
	if o.random.IntN(2) == 0 {
		header = []string{"If-Match", o.ask("GET", "/api/v1/flats/"+f.ID, "").header.Get("Etag")}
	}
	got := o.ask("PATCH", target, body, header...)
	if o.inDoubt(got) {
		got = o.ask("GET", "/api/v1/flats/"+f.ID, "")
		header = nil
		if o.flat(got) == *f { // the update was not stored
			return
		}
	}
	if got.status != 200 && o.foul.Load() {
		return
	}
	json.Unmarshal([]byte(body), f) // sets the members of the update
	if o.flat(got) != *f {
		o.Errorf("%s %q: %d %s; want %+v", body, header, got.status, got.body, *f)
	}
	if header != nil && o.ask("PATCH", target, `{"notes":"too late"}`, header...).status/100 == 2 {
		o.Errorf("%s has changed, but the old If-Match was accepted", f.ID)
	}
	o.finds("q="+firstWord(f.Notes), f.ID)
	o.finds("q=notes:"+oldWord, "")
}

// check reads a flat and searches for it.
func (o *owner) check(f soakFlat) {
	if got := o.flat(o.ask("GET", "/api/v1/flats/"+f.ID, "")); got != f {
		o.Errorf("got  %+v\nwant %+v", got, f)
	}
	title, notes := firstWord(f.Title), firstWord(f.Notes)
	o.finds("q="+pick(o.random, []string{"title:" + title, title + "*", `"` + title + `"`, title + " " + notes,
		"-garden OR " + title + " " + notes}), f.ID)
	o.finds("filter[notes]="+f.Notes, f.ID)
}

// finds checks that the conditions match only the flat with the id, or no flat if id is "".
func (o *owner) finds(conditions, id string) {
	data, total := `{"data":[{"id":"`+id+`","cost":`, `"total":1,"counts":{}}`
	if id == "" {
		data, total = `{"data":[]`, `"total":0,"counts":{}}`
	}
	got := o.ask("GET", "/api/v1/find?fields=cost&"+query(conditions), "")
	if !strings.HasPrefix(got.body, data) || !strings.HasSuffix(got.body, total) {
		o.Errorf("%s: %.1000s; want %s", conditions, got.body, data)
	}
}

// compare checks, while no client is running, the flats against the clients' expectations,
// repeated requests against each other, and searches against the model.
func (s *soak) compare() {
	body := s.ask("GET", "/api/v1/flats", "").body
	if s.Failed() {
		return
	}
	text := strings.TrimPrefix(body[:strings.LastIndex(body, `,"page":`)], `{"data":`)
	m, stored := newModel(s, text), map[string]soakFlat{}
	var list []soakFlat
	json.Unmarshal([]byte(text), &list)
	for _, f := range list {
		stored[f.ID] = f
	}
	var times []struct {
		ID        string
		FirstSeen time.Time `json:"first_seen"`
	}
	json.Unmarshal([]byte(text), &times)
	firstSeen := map[string]time.Time{}
	for _, f := range times {
		firstSeen[f.ID] = f.FirstSeen
	}
	for _, o := range s.owners {
		for i, f := range o.flats {
			if stored[f.ID] != f {
				s.Errorf("got  %+v\nwant %+v", stored[f.ID], f)
			}
			if i > 0 && firstSeen[f.ID].Before(firstSeen[o.flats[i-1].ID]) {
				s.Errorf("%s was first seen at %v, before the flats of an earlier import: %v", f.ID, firstSeen[f.ID],
					firstSeen[o.flats[i-1].ID])
			}
		}
	}
	counter, least, most := stored["counter"], s.counted.Load(), s.counted.Load()+s.doubted.Load()
	if counter.Notation < least || counter.Notation > most || counter.Notes != strconv.Itoa(s.noted) {
		s.Errorf("after %d to %d updates the counter is at %d; after note %d its notes are %s", least, most,
			counter.Notation, s.noted, counter.Notes)
	}
	for n := range uint64(soakReads) {
		_, first := s.read(n)
		request, second := s.read(n)
		// The list of imports shows the last file with a delay.
		if first.body != second.body && !strings.HasSuffix(request, "/imports") {
			s.Errorf("%s twice: got  %.500s\nand then %.500s", request, first.body, second.body)
		}
		search := randomSearch(s.random)
		if groups, ok := modelSearch(search); ok {
			want := m.list(&modelQuery{number: -1}, func(f *modelFlat) bool { return f.matches(groups) })
			if got := s.listed(s.search(search, "")); got != want {
				s.Errorf("%s: got  %s\nwant %s", search, got, want)
			}
		}
	}
}

// inDoubt reports whether a service has refused to write because another one has taken over,
// which may or may not have read what was to be written. It waits until that one serves.
func (s *soak) inDoubt(got reply) bool {
	if got.status != 500 || !strings.Contains(got.body, "was changed by another program") {
		return false
	}
	s.taking.RLock()
	defer s.taking.RUnlock()
	// An update that changes nothing makes durable what can be read.
	for s.ask("PATCH", "/api/v1/flat/counter", "{}").status != 200 && !s.Failed() {
		time.Sleep(time.Millisecond)
	}
	return true
}

var (
	soakFor  = flag.Duration("soak", time.Second, "the duration of TestSoak")
	foul     = flag.Bool("foul", false, "let the disk fail and other services take over in TestSoak")
	soakSeed = flag.Uint64("seed", 0, "the random seed of TestSoak, which logs it; 0 for a new one")
)

// TestSoak lets many clients read and change one store, which is closed and reopened
// every few seconds, each time with a clock that is days ahead or behind. The clients check
// that no acknowledged update is lost, that the next search finds it, and that an entity
// tag belongs to one body. No request may fail or log a warning, except in every other
// round: there one file operation in a hundred fails, and a second service takes the data
// over. A request that is refused must have changed nothing.
//
//	go test -race -run '^TestSoak$' -v -soak 1h -timeout 0 .
func TestSoak(t *testing.T) {
	t.Parallel()
	seed, began := cmp.Or(*soakSeed, rand.Uint64()), time.Now()
	t.Logf("-seed %d", seed)
	for folder := uint64(0); time.Since(began) < *soakFor && !t.Failed(); folder++ {
		t.Run(fmt.Sprint(folder), func(t *testing.T) {
			s := newSoak(t, rand.New(rand.NewPCG(seed, folder)))
			for time.Since(began) < *soakFor && !t.Failed() && s.store.snapshot().size < 1000 {
				s.round(min(*soakFor/8, 4*time.Second))
				s.compare()
				s.restart()
				s.compare()
				if *foul {
					s.foulRound(min(*soakFor/8, 4*time.Second))
					s.compare()
					s.restart()
					s.compare()
				}
			}
			t.Logf("%d requests, %d of them refused, %d takeovers, %d flats, counter at %d", s.asked.Load(),
				s.refused.Load(), s.takeovers, s.store.snapshot().size, s.counted.Load())
		})
	}
}
