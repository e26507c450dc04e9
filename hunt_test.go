// A store on a simulated disk, and the receiver of its messages.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A hunt is a store on a simulated disk, with a notifier that runs.
type hunt struct {
	t        *testing.T
	disk     *simDisk
	store    *Store
	views    *Views
	told     *notifier
	pusher   *pusher
	importer *Importer
	receiver *receiver
	logs     *lockedBuffer
	stop     func()
}

// newHunt starts a hunt, after prepare has changed what answers it. It must be called in a bubble of
// synctest.
func newHunt(t *testing.T, disk *simDisk, prepare ...func(*hunt)) *hunt {
	t.Helper()
	return newTemplateHunt(t, disk, "", prepare...)
}

// newTemplateHunt starts a hunt whose messages have a body by a template, or, if that is "", the usual one.
func newTemplateHunt(t *testing.T, disk *simDisk, template string, prepare ...func(*hunt)) *hunt {
	t.Helper()
	h := &hunt{t: t, disk: disk, receiver: &receiver{}, logs: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(h.logs, nil))
	config := &Config{WebsiteURL: "https://flats.example/", Data: "/flats.json"}
	secret, _ := url.Parse("https://ntfy.example/secret")
	config.Notify = &Notify{url: secret, Headers: map[string]string{"Authorization": "secret"}}
	if template != "" {
		if err := config.Notify.setTemplate(template); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if h.store, err = openStore("/flats.json", disk, nil, log); err != nil {
		t.Fatal(err)
	}
	file, err := openSideFile(h.store.writer.files, "/flats.json", "views.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProgram(config, h.store, file, log)
	if err != nil {
		t.Fatal(err)
	}
	h.importer, h.views, h.told, h.pusher = p.importer, p.views, p.notifier, p.pusher
	h.pusher.client.Transport = roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("no device is told in this test")
	})
	h.told.to.(*receiverAt).client.Transport = h.receiver
	for _, f := range prepare {
		f(h)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { h.told.run(ctx) })
	running.Go(func() { h.pusher.run(ctx) })
	h.stop = func() {
		cancel()
		running.Wait()
		h.store.Close()
	}
	return h
}

// put puts a view, as the API does.
func (h *hunt) put(name, body string) {
	h.t.Helper()
	object, err := parseObject([]byte(body))
	if err == nil {
		_, _, err = h.views.put(name, "", object)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// imports imports listings and waits until the notifier has nothing more to do.
func (h *hunt) imports(listings string) {
	h.t.Helper()
	h.importsAll(listings, "")
}

// importsAll imports all listings of a site, so that its other flats are gone, as imports does. If site is "", the
// import is not complete.
func (h *hunt) importsAll(listings, site string) {
	h.t.Helper()
	if _, err := h.importer.ImportText([]byte(listings), site); err != nil {
		h.t.Fatal(err)
	}
	synctest.Wait()
}

// wants compares the messages that were taken.
func (h *hunt) wants(what string, want ...string) {
	h.t.Helper()
	synctest.Wait()
	if got := h.receiver.take(); !slices.Equal(got, want) {
		h.t.Errorf("%s: the messages are %q; want %q", what, got, want)
	}
}

// A receiver takes messages in place of the network.
type receiver struct {
	mu     sync.Mutex
	answer func(r *http.Request) (*http.Response, error) // nil for 200
	got    []string                                      // "Title | Click | body" of the messages taken
	tries  int
	last   time.Time // of the last try
}

func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tries, r.last = r.tries+1, time.Now()
	if r.answer != nil {
		return r.answer(request)
	}
	return r.takeLocked(request)
}

// takeLocked takes a message. The lock must be held, as it is while an answer function is called.
func (r *receiver) takeLocked(request *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(request.Body)
	r.got = append(r.got, fmt.Sprintf("%s | %s | %s", request.Header.Get("Title"), request.Header.Get("Click"), body))
	return answerOf(200), nil
}

// answerWith sets the answer of the receiver.
func (r *receiver) answerWith(answer func(*http.Request) (*http.Response, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// tried returns how often messages were sent, and when last.
func (r *receiver) tried() (tries int, last time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tries, r.last
}

// take returns the messages that were taken since the last call.
func (r *receiver) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.got = nil }()
	return r.got
}

// A huntFlat is what TestHunt expects of a flat.
type huntFlat struct {
	Cost      *float64   `json:"cost"`
	Status    string     `json:"status"`
	Notes     *string    `json:"notes"`
	Visit     *string    `json:"visit_date"`
	Merged    []string   `json:"merged_ids"`
	Apart     []string   `json:"not_duplicates"`
	FirstSeen *string    `json:"first_seen"`
	History   []huntCost `json:"cost_history"`
	Gone      *string    `json:"gone"`

	isCorrected bool     // the user has changed the cost
	theirCost   *float64 // the cost in the listing, if the user has changed it
}

type huntCost struct {
	Date *string `json:"date"`
	Cost float64 `json:"cost"`
}

// takeListing changes the flat as a listing does. The cost is nil if the listing has none.
func (f *huntFlat) takeListing(cost *float64, merged []string, now string) {
	if !f.isCorrected {
		f.theirCost = f.Cost
	}
	hasChanged := cost != nil && (f.theirCost == nil || *f.theirCost != *cost)
	// The history begins with the cost before the first change, at no known time. Later, what counts is whether the
	// last cost of the history has changed.
	isNew := hasChanged
	if n := len(f.History); n == 0 && hasChanged && f.theirCost != nil {
		f.History = []huntCost{{nil, *f.theirCost}}
	} else if n > 0 {
		isNew = cost != nil && f.History[n-1].Cost != *cost
	}
	if isNew {
		f.History = append(f.History, huntCost{&now, *cost})
	}
	// Another cost in the listing replaces that of the user.
	f.isCorrected = f.isCorrected && !hasChanged
	if !f.isCorrected {
		f.Cost = cost
	}
	for _, id := range merged {
		if !slices.Contains(f.Merged, id) {
			f.Merged = append(f.Merged, id)
		}
	}
}

// takeUpdate changes the flat as the user does.
func (f *huntFlat) takeUpdate(cost float64, note, visit string) {
	if !f.isCorrected {
		f.theirCost = f.Cost
	}
	f.isCorrected = f.theirCost == nil || *f.theirCost != cost
	f.Status, f.Notes, f.Cost = "followed", &note, &cost
	f.Visit, f.Apart = &visit, []string{note}
}

// A huntModel is what TestHunt expects of all flats, by their ids.
type huntModel map[string]*huntFlat

// markGone says which flats are gone after an import of the listings with the ids in listed. If the import is complete,
// site is its site, else "".
func (m huntModel) markGone(listed map[string]bool, site, now string) {
	gone := map[string]bool{}
	for id, f := range m {
		isOfSite := site != "" && strings.HasSuffix(id, "@"+site)
		gone[id] = !listed[id] && (f.Gone != nil || isOfSite)
	}
	// A flat whose merged_ids have one that is not gone is not gone either. This goes on along chains of them.
	for hasReturned := true; hasReturned; {
		hasReturned = false
		for id, f := range m {
			isMergedWithLive := slices.ContainsFunc(f.Merged,
				func(other string) bool { return m[other] != nil && !gone[other] })
			if gone[id] && isMergedWithLive {
				gone[id], hasReturned = false, true
			}
		}
	}
	for id, f := range m {
		if !gone[id] {
			f.Gone = nil
		} else if f.Gone == nil {
			f.Gone = &now
		}
	}
}

// TestHunt simulates a week of flat hunting. Two sites are imported each day, with changing
// prices, listings that disappear and return, and merged ids. In between, the user updates
// flats, also their costs, and the service is stopped or killed. After each step the store
// must equal a naive model.
func TestHunt(t *testing.T) {
	t.Parallel()
	costs := []string{"null", "500", "500.0", "5e2", "510", "520.5"}
	for seed := range uint64(rounds(40)) {
		random := rand.New(rand.NewPCG(seed, 0))
		clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		d := newSimDisk()
		d.put("/flats.json", `[{"id":"0@a","cost":500},{"id":"1@b","merged_ids":["2@a"]}]`)
		firstCost := 500.0
		model := huntModel{"0@a": {Status: "new", Cost: &firstCost}, "1@b": {Status: "new", Merged: []string{"2@a"}}}
		open := func() *Store {
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			s.now = func() time.Time { return clock }
			return s
		}
		s := open()
		importSite := func(site string, isComplete bool) {
			now := clock.Format(time.RFC3339)
			var input []string
			listed := map[string]bool{}
			for range 1 + random.IntN(12) {
				id, cost := fmt.Sprint(random.IntN(9), "@", site), pick(random, costs)
				merged := []string{}
				for range random.IntN(6) / 3 { // 0 or 1
					merged = append(merged, fmt.Sprint(random.IntN(9), "@", pick(random, []string{"a", "b", "c"})))
				}
				input = append(input, fmt.Sprintf(`{"id":"%s","cost":%s,"merged_ids":%s,"status":"theirs",`+
					`"notes":"theirs"}`, id, cost, encodeJSON(merged)))
				listed[id] = true
				if model[id] == nil {
					theirs := "theirs"
					model[id] = &huntFlat{Status: theirs, Notes: &theirs, FirstSeen: &now}
				}
				var number *float64
				json.Unmarshal([]byte(cost), &number)
				model[id].takeListing(number, merged, now)
			}
			completeSite := ""
			if isComplete {
				completeSite = site
			}
			model.markGone(listed, completeSite, now)
			text := "[" + strings.Join(input, ",") + "]"
			if _, err := newImporter(s).ImportText([]byte(text), completeSite); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		for step := range 7 * 6 { // a week with six steps a day
			clock = clock.Add(4 * time.Hour)
			what := []string{"import a", "user", "import b", "user", "stop", "kill"}[step%6]
			switch what {
			case "import a", "import b":
				importSite(what[len(what)-1:], random.IntN(2) == 0)
			case "user":
				id := pick(random, slices.Sorted(maps.Keys(model)))
				note, visit := fmt.Sprint("note ", step), clock.Format(time.RFC3339)
				cost := float64(500 + random.IntN(3)*5) // 500, 505 or 510
				model[id].takeUpdate(cost, note, visit)
				update := fmt.Appendf(nil,
					`{"status":"followed","notes":"%s","visit_date":"%s","not_duplicates":["%s"],"cost":%g}`, note,
					visit, note, cost)
				if _, err := s.Update(id, update, nil, author{}); err != nil {
					t.Fatal(err)
				}
			case "stop":
				s.Close()
				s = open()
			case "kill":
				d = d.restart(survivors{unsynced: random.IntN(2) == 0})
				s = open()
			}
			for id, want := range model {
				f := s.Get(id)
				if f == nil {
					t.Fatalf("seed %d, step %d, %s: no flat %s", seed, step, what, id)
				}
				var got huntFlat
				if err := json.Unmarshal([]byte(f.JSON()), &got); err != nil {
					t.Fatal(err)
				}
				corrected := f.Corrected.JSON()
				if want.isCorrected != sameJSON(corrected, encodeJSON(map[string]any{"cost": want.theirCost})) {
					t.Fatalf("seed %d, step %d, %s: flat %s has the corrections %s; want %v", seed, step, what, id,
						corrected, want.theirCost)
				}
				if len(got.Merged) == 0 && len(want.Merged) == 0 {
					got.Merged = want.Merged // null and [] are the same here
				}
				if !sameJSON(encodeJSON(got), encodeJSON(want)) {
					t.Fatalf("seed %d, step %d, %s: flat %s is\n%s; want\n%s", seed, step, what, id, encodeJSON(got),
						encodeJSON(want))
				}
			}
			if n := s.snapshot().size; n != len(model) {
				t.Fatalf("seed %d, step %d, %s: %d flats; want %d", seed, step, what, n, len(model))
			}
		}
		s.Close()
	}
}
