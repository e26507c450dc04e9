// Tests of importlog.go.

package main

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// The times of imports are strictly later from one to the next, whatever the
// clock says, also after a restart.
func TestImportTimes(t *testing.T) {
	d := newSimDisk()
	clock := time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC)
	var s *Store
	var imports *Importer
	open := func() {
		var err error
		if s, err = openStore("/flats.json", d, nil, quiet); err != nil {
			t.Fatal(err)
		}
		s.now = func() time.Time { return clock }
		imports = newImporter(s)
	}
	open()
	for i, c := range []struct {
		by            time.Duration // moves the clock
		restart       bool
		listing, want string
	}{
		{0, false, `{"id":"0"}`, "2126-01-01T00:00:00Z"},
		{0, false, `{"id":"1"}`, "2126-01-01T00:00:00.001Z"},
		{0, true, `{"id":"2"}`, "2126-01-01T00:00:00.002Z"},
		{-time.Hour, true, `{"id":"3"}`, "2126-01-01T00:00:00.003Z"},
		{2 * time.Hour, false, `{"id":"4","cost":5}`, "2126-01-01T01:00:00Z"},
		{0, false, `{"id":"4","cost":6}`, "2126-01-01T01:00:00.001Z"},
		{0, true, `{"id":"5"}`, "2126-01-01T01:00:00.002Z"},
		// A first_seen ahead of the clock is now. Another time counts, but none that is more than a day ahead.
		{0, false, `{"id":"r","first_seen":"2126-01-01T20:00:00Z"},{"id":"6"}`, "2126-01-01T01:00:00.003Z"},
		{0, false, `{"id":"7"}`, "2126-01-01T01:00:00.004Z"},
		{20 * time.Hour, false, `{"id":"far","gone":"2126-02-01T00:00:00Z"},{"id":"8"}`, "2126-01-01T21:00:00Z"},
		{0, true, `{"id":"9"}`, "2126-01-01T21:00:00.001Z"},
		// Fractions of a millisecond are rounded up.
		{time.Hour, false, `{"id":"m","gone":"2126-01-01T23:00:00.0005Z"},{"id":"10"}`, "2126-01-01T22:00:00Z"},
		{0, true, `{"id":"11"}`, "2126-01-01T23:00:00.002Z"},
		// A clock that goes back and forth by days changes no order.
		{-80 * time.Hour, true, `{"id":"12"}`, "2126-01-01T23:00:00.003Z"},
		{0, true, `{"id":"13"}`, "2126-01-01T23:00:00.004Z"},
		{-20 * 365 * 24 * time.Hour, true, `{"id":"14"}`, "2126-01-01T23:00:00.005Z"},
		{21 * 365 * 24 * time.Hour, true, `{"id":"15"}`, "2126-12-29T14:00:00Z"},
		{-300 * 24 * time.Hour, true, `{"id":"16"}`, "2126-12-29T14:00:00.001Z"},
		{0, false, `{"id":"16","cost":5},{"id":"15","cost":5}`, "2126-12-29T14:00:00.002Z"},
		{0, true, `{"id":"17"}`, "2126-12-29T14:00:00.003Z"},
	} {
		clock = clock.Add(c.by)
		if c.restart {
			s.Close()
			open()
		}
		if _, err := imports.ImportText([]byte("["+c.listing+"]"), ""); err != nil {
			t.Fatal(err)
		}
		var last Datetime
		for _, f := range s.snapshot().all() {
			for _, entry := range append(f.CostHistory.entries(), costEntry{date: f.FirstSeen}) {
				if entry.date.at.After(last.at) {
					last = entry.date
				}
			}
		}
		if last.String() != c.want {
			t.Errorf("import %d: the last time is %s; want %s", i, last.String(), c.want)
		}
	}
	s.Close()
}

// A time between imports is before that of each import that is running or begins later.
func TestImportClock(t *testing.T) {
	clock := importClock{now: time.Now}
	var begun, saved []time.Time
	var complete atomic.Int64
	var completeAt []int64 // when the time of the same index in saved was known
	done := make(chan bool)
	go func() {
		for range 100_000 {
			begun = append(begun, clock.begin())
			complete.Add(1)
			clock.end()
		}
		close(done)
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
			saved = append(saved, clock.between())
			completeAt = append(completeAt, complete.Load())
		}
	}
	for i, at := range saved {
		if n, _ := slices.BinarySearchFunc(begun, at, time.Time.Compare); int64(n) > completeAt[i] {
			t.Fatalf("after %d imports, a time after %d of them: %v", completeAt[i], n, at)
		}
	}
}

// A time of a person's in flats.json that is a lifetime ahead moves no later import.
func TestTimeOfYear10000(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","updated_at":"9999-12-31T23:59:59.999Z"}]`), lost: -1}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := newImporter(s).ImportText([]byte(`[{"id":"b"}]`), ""); err != nil {
		t.Fatal(err)
	}
	if seen := s.Get("b").FirstSeen; seen.at.Year() < 2020 || seen.at.After(time.Now().Add(time.Hour)) {
		t.Errorf("first seen at %s", seen.JSON())
	}
}
