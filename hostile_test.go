// Tests of hostile requests, and of a program that is killed while it writes.

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// TestHostile tests that costly random requests are all answered while a client reads and updates flats. It logs how
// long that client waits.
//
//	go test -run Hostile -v -whole .
func TestHostile(t *testing.T) {
	flats, duration := 1500, 200*time.Millisecond
	if *whole {
		flats, duration = 20_000, 3*time.Second
	}
	s := newService(t, benchFlats(flats), testCodes)
	<-s.store.index.searchable
	var words []string
	for _, f := range s.store.snapshot().all() {
		words = append(words, strings.Fields(f.Text.String())...)
		if len(words) > 5000 { // enough to choose from
			break
		}
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	var asked atomic.Int64
	for seed := range 4 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(seed), 12))
			for {
				select {
				case <-stop:
					return
				default:
				}
				method, target, body := "GET", "/api/v1/flats?page[size]=1&sort=", ""
				switch random.IntN(6) {
				case 0: // many sort keys
					var keys []string
					for range 1 + random.IntN(9) {
						keys = append(keys, pick(random, []string{"", "-"})+flatFields.list[pick(random, flatFields.listedFields())].name)
					}
					target += strings.Join(keys, ",")
				case 1: // a filter, and many parameters that cannot be decoded
					target = "/api/v1/flats?filter[" + flatFields.list[pick(random, flatFields.listedFields())].name + "]=" +
						url.QueryEscape(pick(random, words)) + strings.Repeat("&x=%zz", random.IntN(2000))
				case 2: // a long update
					method, target, body = "PATCH", "/api/v1/flat/7@bench",
						`{"notes":"`+strings.Repeat(pick(random, words)+" ", random.IntN(30_000))+`"}`
				default: // a search of many terms
					var terms []string
					for range random.IntN(1200) {
						before := pick(random, []string{"", "", "-", "OR ", "NOT ", "title:", "-text:", "OR -"})
						form := pick(random, []string{"%s", "%s", "%.1s*", "%.2s*", `"%s ` + pick(random, words) + `"`})
						terms = append(terms, before+fmt.Sprintf(form, pick(random, words)))
					}
					method, target, body = "POST", "/api/v1/search?page[size]=1",
						`{"query":`+encodeJSON(strings.Join(terms, " "))+`}`
				}
				patience := time.Duration(random.IntN(100)) * time.Millisecond // of the client
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				// The query may be one that NewRequest refuses.
				r := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
				r.URL, _ = url.Parse("/")
				r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
				r.Host = "flats.example"
				var got reply
				isAborted := endsEarly(func() { got = s.send(r) })
				cancel()
				asked.Add(1)
				if !isAborted && got.status != 200 && got.status != 400 {
					t.Errorf("%s %.200s: %d %.200s", method, target, got.status, got.body)
				}
			}
		})
	}
	var times []time.Duration
	for began := time.Now(); time.Since(began) < duration; time.Sleep(time.Millisecond) {
		start := time.Now()
		if len(times)%2 == 0 {
			s.ids(s.ask("GET", "/api/v1/flats?page[size]=20", ""))
		} else {
			got := s.ask("PATCH", "/api/v1/flat/9@bench", fmt.Sprintf(`{"cost":%d}`, len(times)))
			if got.status != 200 {
				t.Errorf("%d %s", got.status, got.body)
			}
		}
		times = append(times, time.Since(start))
	}
	close(stop)
	group.Wait()
	slices.Sort(times)
	t.Logf("during %d hostile requests to %d flats: %d reads and updates, median %v, 99th percentile %v, maximum %v",
		asked.Load(), flats, len(times), times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
}

var kills = flag.Int("kills", 2, "the number of times that TestKill kills the program")

// The flats of TestKill have numbers as ids. Imports over HTTP have those of the site k.
const (
	killClients       = 4    // clients; each updates the notes of the flat with its number, from 0 on
	firstInFile       = 10   // the first flat of each file of the import folder
	lastInFile        = 49   // the last one
	longNotes         = 4000 // bytes
	listingsOfRequest = 100  // in each import over HTTP, besides one that comes and goes
)

// A killTest has what was acknowledged before the program was killed.
type killTest struct {
	*testing.T
	dir     string
	kills   int // so far
	program *process

	notes      [killClients]int // the number in the notes of each client's flat
	lastImport int              // the number of the last complete import of the site k
	title      string           // of the first flat of the file, set after its import; "" if none was acknowledged
	titles     int              // how many titles there were
}

// get returns the notes and the title of a flat.
func (k *killTest) get(id int) (notes, title string) {
	_, body := k.program.do("GET", "/api/v1/flats/"+strconv.Itoa(id), "")
	var got struct{ Data struct{ Notes, Title string } }
	if err := json.Unmarshal([]byte(body), &got); err != nil && body != "" {
		k.Errorf("%v in %q", err, body)
	}
	return got.Data.Notes, got.Data.Title
}

// isRefused reports whether a request had no success, as when the program was killed. Then the status is 0.
func (k *killTest) isRefused(what string, status int, body string) bool {
	if status != 200 && status != 0 {
		k.Errorf("%s: %d %s", what, status, body)
	}
	return status != 200
}

// updateNotes updates the notes of a client's flat until the program is killed.
func (k *killTest) updateNotes(client int) {
	for {
		next := k.notes[client] + 1
		notes := fmt.Sprintf("%d%s", next, strings.Repeat("x", longNotes))
		status, body := k.program.do("PATCH", "/api/v1/flat/"+strconv.Itoa(client), `{"notes":"`+notes+`"}`)
		if k.isRefused("update", status, body) {
			return
		}
		k.notes[client] = next
	}
}

// checkNotes checks the notes after a kill. An update may have been stored without being acknowledged.
func (k *killTest) checkNotes() {
	k.Helper()
	for client := range killClients {
		notes, _ := k.get(client)
		number, err := strconv.Atoi(strings.TrimRight(notes, "x"))
		isAcked, isNext := number == k.notes[client], number == k.notes[client]+1
		isWhole := number == 0 || len(notes) > longNotes
		if err != nil || !isAcked && !isNext || !isWhole {
			k.Fatalf("after kill %d flat %d has the notes %.20s (%d bytes); acknowledged were %d", k.kills, client, notes,
				len(notes), k.notes[client])
		}
		k.notes[client] = number
	}
}

// importSite imports all listings of the site k until the program is killed, with the number of the import as their
// cost. They have "last 0@k" and "last 1@k" in turn, so that the other one is gone.
func (k *killTest) importSite() {
	for {
		next := k.lastImport + 1
		var input []string
		for i := range listingsOfRequest {
			input = append(input, fmt.Sprintf(`{"id":"%d@k","cost":%d}`, i, next))
		}
		input = append(input, fmt.Sprintf(`{"id":"last %d@k","cost":%d}`, next%2, next))
		status, body := k.program.do("POST", "/api/v1/import?complete=k", "["+strings.Join(input, ",")+"]")
		if k.isRefused("import", status, body) {
			return
		}
		k.lastImport = next
	}
}

// checkSite checks after a kill that the last import of the site is complete, or the one before if it is absent.
func (k *killTest) checkSite() {
	k.Helper()
	var site struct {
		Data []struct {
			ID   string
			Cost int
			Gone *string
		}
	}
	_, body := k.program.do("GET", "/api/v1/find?any[site]=k&fields=cost,gone&sort=id", "")
	json.Unmarshal([]byte(body), &site)
	stored := 0 // the number of the import
	for i, f := range site.Data {
		if i == 0 {
			stored = f.Cost
		}
		isWanted := f.Cost == stored
		if strings.HasPrefix(f.ID, "last ") {
			isOfImport := f.ID == fmt.Sprintf("last %d@k", stored%2)
			isWanted = (f.Gone == nil) == isOfImport
		}
		if !isWanted {
			k.Fatalf("after kill %d flat %s is from import %d, and gone is %v; others are from import %d", k.kills, f.ID,
				f.Cost, f.Gone, stored)
		}
	}
	isAcked, isNext := stored == k.lastImport, stored == k.lastImport+1
	isWhole := stored == 0 || len(site.Data) >= listingsOfRequest
	if !isAcked && !isNext || !isWhole {
		k.Fatalf("after kill %d the last import is %d, with %d flats; acknowledged was %d", k.kills, stored,
			len(site.Data), k.lastImport)
	}
	k.lastImport = stored
}

// placeFile places a file in the import folder. Its titles have the number of the kills so far.
func (k *killTest) placeFile() {
	k.Helper()
	var input []string
	for id := firstInFile; id <= lastInFile; id++ {
		input = append(input, fmt.Sprintf(`{"id":%d,"title":"import %d"}`, id, k.kills))
	}
	staged := writeFile(k, k.dir, "staged", "["+strings.Join(input, ",")+"]")
	if err := os.Rename(staged, filepath.Join(k.dir, "import", "in.json")); err != nil {
		k.Fatal(err)
	}
}

// killSoon kills the program within 0.7 s. If the file is imported before, the user sets the first title, and the
// program is killed within 20 ms of that.
func (k *killTest) killSoon() {
	killAt := time.Now().Add(time.Duration(100+rand.IntN(600)) * time.Millisecond)
	for time.Now().Before(killAt) {
		if _, got := k.get(firstInFile); k.title == "" && got == fmt.Sprint("import ", k.kills) {
			title := fmt.Sprint("mine ", k.kills)
			status, _ := k.program.do("PATCH", fmt.Sprintf("/api/v1/flat/%d", firstInFile), `{"title":"`+title+`"}`)
			if status == 200 {
				k.title = title
				killAt = time.Now().Add(time.Duration(rand.IntN(20)) * time.Millisecond)
			}
		}
		time.Sleep(time.Millisecond)
	}
	k.program.Process.Kill()
	k.program.Wait()
}

// checkFile waits until the restarted program has completed the interrupted import of the file, and checks that this
// has not undone the update of the first title.
func (k *killTest) checkFile() {
	k.Helper()
	k.program.await("the interrupted import", func() bool {
		_, last := k.get(lastInFile)
		left, _ := os.ReadDir(filepath.Join(k.dir, "import"))
		return last == fmt.Sprint("import ", k.kills-1) && len(left) == 0
	})
	if _, got := k.get(firstInFile); k.title != "" {
		k.titles++
		if got != k.title {
			k.Fatalf("after kill %d the title is %q; want the acknowledged %q", k.kills, got, k.title)
		}
	}
	k.title = ""
}

// TestKill kills the program at random times during updates and imports. No acknowledged
// update may be lost, incomplete, or undone by an earlier import.
func TestKill(t *testing.T) {
	t.Parallel()
	k := &killTest{T: t, dir: t.TempDir()}
	writeFile(t, k.dir, "flats.json", "["+repeated(lastInFile+1, `{"id":%[1]d,"notes":"0"}`, ",\n")+"]")
	for ; k.kills < *kills; k.kills++ {
		k.program = start(t, k.dir)
		k.checkNotes()
		k.checkSite()
		if k.kills > 0 {
			k.checkFile()
		}
		var group sync.WaitGroup
		group.Go(k.importSite)
		for client := range killClients {
			group.Go(func() { k.updateNotes(client) })
		}
		k.placeFile()
		k.killSoon()
		group.Wait()
	}
	t.Logf("acknowledged %v updates of notes, %d of a title during an import, and %d imports", k.notes, k.titles,
		k.lastImport)
	p := start(t, k.dir)
	p.await("the import folder to be empty", func() bool {
		left, _ := os.ReadDir(filepath.Join(k.dir, "import"))
		return len(left) == 0
	})
	p.stop()
	if strings.Contains(readFile(t, filepath.Join(k.dir, "flats.json")), "\x00") {
		t.Error("flats.json contains NUL bytes")
	}
	// A kill may have left an incomplete record, which is kept.
	entries, _ := os.ReadDir(k.dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "flats.json.log.damaged-")
	})
	if len(entries) != 4 {
		t.Errorf("after shutdown the folder contains %v; want flats.json, its id, its lock and import; the log is\n%s",
			entries, p.stderr)
	}
}

// hostileValue returns a random JSON value, nested up to depth, with names and texts that the service reads.
func hostileValue(random *rand.Rand, depth int) string {
	kind := random.IntN(8) // 0 and 1 for an object, 2 and 3 for an array
	isObject, isArray := depth > 0 && kind < 2, depth > 0 && (kind == 2 || kind == 3)
	if isObject || isArray {
		var parts []string
		for range random.IntN(4) {
			value := hostileValue(random, depth-1)
			if isObject {
				name := pick(random, []string{"gps", "time", "lat", "lng", "precision", "text", "url", "hash", "date", "cost",
					"estimated", "from", "work", "title", "Ann", "", "__proto__", `\u0067ps`})
				value = `"` + name + `":` + value
			}
			parts = append(parts, value)
		}
		if isObject {
			return "{" + strings.Join(parts, ",") + "}"
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return pick(random, []string{"null", "true", "0", "-1", "48.1", "1e308", "1e-400", "9007199254740993", `""`, `"x"`,
		`" "`, `"\ud800"`, `"\u0000"`, `"0001-01-01"`, `"9999-12-31T23:59:59+14:00"`, `"2026-01-01"`, `"house"`, `"followed"`,
		`"contacted"`, `"duplicate"`, `"69007"`, `"69007 Lyon, Rue X 5"`, `"lyon"`, `"anywhere"`, `"included"`,
		`"http://h/1"`,
		`"http://[::1%25x]/%zz"`, `"1 000,5 EUR"`, `"a1@s"`, `{"lat":1,"lng":2,"precision":"house","text":"x"}`,
		`[48.1,11.5]`, `[{"date":null,"cost":1},{"date":"2026-01-01","cost":2}]`, `{"work":{"time":60,"estimated":{}}}`})
}

// Nothing in the background panics, whatever imports and updates have brought: the geocoder, the photoFetcher,
// messages, the index, the writer and its folds. A panic there would end the service.
func TestBackground(t *testing.T) {
	t.Parallel()
	accepted := 0
	for round := range uint64(rounds(64)) {
		random := rand.New(rand.NewPCG(round, 410))
		j := newHostileJourney(t)
		for range 12 {
			accepted += j.change(random)
			j.work(random)
		}
		want := storedLines(j.store)
		j.store.Close()
		again, err := openStore("/flats.json", j.disk, nil, quiet)
		if err != nil {
			t.Fatalf("round %d: the next start: %v", round, err)
		}
		if got := storedLines(again); !slices.Equal(got, want) {
			t.Errorf("round %d: the next start has %q; want %q", round, got, want)
		}
		again.Close()
	}
	if accepted < rounds(64) { // at least one in each round
		t.Errorf("%d changes were accepted; want many", accepted)
	}
}

// A hostileJourney is a store with what works on it in the background.
type hostileJourney struct {
	*testing.T
	disk         *simDisk
	store        *Store
	importer     *Importer
	geocoder     *geocoder
	photoFetcher *photoFetcher
	notifier     *notifier
	logs         *lockedBuffer
}

func newHostileJourney(t *testing.T) *hostileJourney {
	j := &hostileJourney{T: t, disk: newSimDisk(), logs: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(j.logs, nil))
	config, err := parseConfig("config.json", []byte(`{"people":["Ann","Ben"],
		"travel":{"url":"http://t/","contact":"a@b.example","arrive":"09:00"},"notify":{"url":"http://n/"},
		"constraints":{"lyon":{"time_to":{"work":{"gps":[45.76,4.85],"mode":"BIKE"},"far":{"gps":[-45,4]}}},
			"anywhere":{"time_to":{}}}}`), log)
	if err != nil {
		t.Fatal(err)
	}
	codes, _ := readPostalCodes("codes.json", []byte(testCodes))
	postal := newPostalCodes(codes, config.Constraints)
	j.store, err = openStore("/flats.json", j.disk, postal, log, config.fieldNames()...)
	if err != nil {
		t.Fatal(err)
	}
	j.importer = newImporter(j.store)
	j.geocoder = newGeocoder(j.store, config.Travel, config.Constraints, config.Timezone)
	j.photoFetcher = newPhotoFetcher(j.store, "/flats.json", 1<<30)
	j.photoFetcher.disk = newSimDisk()
	views := &Views{store: j.store, clock: &j.importer.clock, log: log}
	j.notifier = newReceiverNotifier(views, config.Notify, "https://flats.example/")
	return j
}

// change imports or updates flats with random values, and returns how many changes were accepted.
func (j *hostileJourney) change(random *rand.Rand) (accepted int) {
	id := pick(random, []string{"a1@s", "b", "c@t"})
	var set []string
	for range 1 + random.IntN(5) {
		names := append([]string{"gps", "flatisfy", "commute", "rating", "link", "price"}, flatFields.labels...)
		name := strings.Trim(pick(random, names), `"`)
		if name != "id" {
			set = append(set, encodeJSON(name)+":"+hostileValue(random, 3))
		}
	}
	object := strings.Join(set, ",")
	var err error
	if random.IntN(2) == 0 || j.store.Get(id) == nil {
		_, err = j.importer.ImportText([]byte(`[{"id":"`+id+`",`+object+`}]`), pick(random, []string{"", "s"}))
	} else {
		by := author{hasPeople: true, person: pick(random, []string{"Ann", ""})}
		_, err = j.store.Update(id, []byte("{"+object+"}"), nil, by)
	}
	if err != nil {
		if strings.Contains(err.Error(), "internal error") {
			j.Errorf("%s: %v", object, err)
		}
		return 0
	}
	return 1
}

// work does what the service does in the background. It makes up what other services would answer.
func (j *hostileJourney) work(random *rand.Rand) {
	j.Helper()
	ctx := j.Context()
	for range 3 { // an answer may lead to another question
		j.locate(random)
		j.fetchPhotos(random)
	}
	q, err := parseQuery(j.store.table.fields, "sort=-changed,travel_time,lat&known[place]=yes", "")
	if err == nil {
		_, err = j.notifier.changes(ctx, q, time.Time{}, time.Now().Add(day))
	}
	start := pick(random, []string{"2026-01-01", "9999-12-31"})
	events, eventsErr := (&reminder{notifier: j.notifier, zone: time.Local}).events(ctx, start)
	var message string
	if len(events) > 0 {
		message = (&reminder{notifier: j.notifier}).message(events).Text
	}
	foldErr := j.store.call(func() error { return j.store.writer.foldIf(j.store.writer.files.canFold) })
	if err := cmp.Or(err, eventsErr, foldErr); err != nil || !utf8.ValidString(message) {
		j.Error(err, message)
	}
	if logs := j.logs.String(); strings.Contains(logs, "internal error") {
		j.Fatal(logs)
	}
}

// locate answers the questions about addresses with positions near Lyon, where the config has a place, or with none.
func (j *hostileJourney) locate(random *rand.Rand) {
	j.geocoder.stored, j.geocoder.lastLook = time.Time{}, time.Time{}
	j.geocoder.lookOnce(j.Context())
	for _, i := range j.geocoder.queue {
		lat, lng, precision := 45.7+random.Float64()/10, 4.8, pick(random, []string{"house", "street", "place"})
		a := travelAnswer{at: time.Now(), position: position{Lat: &lat, Lng: &lng, Precision: &precision, Text: i.text}}
		if random.IntN(3) == 0 {
			a.position = position{Text: i.text}
		}
		if i.isAboutPlace() {
			at := pointAt(lat, lng)
			a.stops = Stops{}
			a.stops.add(cellOf(at), [2]int32{}, stop{at: at, minutes: 5})
		}
		j.geocoder.answers[i.question] = a
	}
	j.geocoder.queue = nil
}

// fetchPhotos makes it look as if half of the photos in the queue had been fetched.
func (j *hostileJourney) fetchPhotos(random *rand.Rand) {
	j.photoFetcher.lookOnce(j.Context())
	for _, p := range j.photoFetcher.queue {
		if random.IntN(2) == 0 {
			j.photoFetcher.sizes[p.Hash] = 1
		}
	}
	j.photoFetcher.cleaned = pick(random, []time.Time{{}, time.Now()})
}
