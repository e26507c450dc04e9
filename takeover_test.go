// Tests of two services that use the same files.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
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

// The store refuses to overwrite a change by another program.
func TestOneWriter(t *testing.T) {
	for name, change := range map[string]func(path string){
		"flats.json edited": func(path string) {
			writeFile(t, filepath.Dir(path), "flats.json", `[{"id":"a","title":"edited"}]`)
		},
		"flats.json removed": func(path string) { os.Remove(path) },
		"flats.json replaced": func(path string) {
			os.Rename(writeFile(t, filepath.Dir(path), "x", readFile(t, path)), path)
		},
		"journal appended to": func(path string) {
			writeFile(t, filepath.Dir(path), "flats.json.log", readFile(t, path+".log")+"{}\n")
		},
		"journal removed": func(path string) { os.Remove(path + ".log") },
		"journal replaced": func(path string) {
			os.Rename(writeFile(t, filepath.Dir(path), "x", readFile(t, path+".log")), path+".log")
		},
		"started twice": func(path string) {
			second, err := openStore(path, osDisk{}, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := second.Update("a", []byte(`{"title":"second"}`), nil); err != nil {
				t.Errorf("the second service: %v", err)
			}
			for left := []string{""}; len(left) > 0; left, _ = filepath.Glob(path + ".log.*") {
				time.Sleep(time.Millisecond) // until it has merged the journal that it took over
			}
			t.Cleanup(func() { second.Close() })
		},
	} {
		path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
		s, err := openStore(path, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Update("a", []byte(`{"title":"mine"}`), nil); err != nil {
			t.Fatal(err)
		}
		change(path)
		files := func() string {
			base, _ := os.ReadFile(path)
			journal, _ := os.ReadFile(path + ".log")
			return string(base) + "|" + string(journal)
		}
		before := files()
		for range 2 {
			_, err := s.Update("a", []byte(`{"title":"refused"}`), nil)
			if !isConflict(err) || !strings.Contains(err.Error(), "restart this one") {
				t.Errorf("%s: the update returned %v; want a refusal", name, err)
			}
		}
		if got := titleOf(s.Get("a")); got != "mine" {
			t.Errorf("%s: the title in memory is %q; want mine", name, got)
		}
		if err := s.Close(); !isConflict(err) {
			t.Errorf("%s: Close returned %v; want a refusal", name, err)
		}
		if after := files(); after != before {
			t.Errorf("%s: the files changed from\n%s\nto\n%s", name, before, after)
		}
	}
}

// If the store cannot take over the journal, it leaves it unchanged and refuses every
// update with the reason.
func TestNoTakeover(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
	journal := []byte(recordText(`"id":"a","notes":"acknowledged"}`))
	d.names["/flats.json.log"] = &simFile{data: journal, lost: -1}
	d.readOnly = true
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := s.Update("a", []byte(`{"notes":"mine"}`), nil)
		if err == nil || !strings.Contains(err.Error(),
			"cannot take over the journal: rename /flats.json.log: permission denied; restart") {
			t.Errorf("the update returned %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := notesOf(s.Get("a")); got != "acknowledged" {
		t.Errorf("the notes in memory are %q; want acknowledged", got)
	}
	if !bytes.Equal(d.names["/flats.json.log"].data, journal) || len(d.names) != 2 {
		t.Errorf("the files changed: %v", d.names)
	}
}

// A service that cannot create its journal serves the flats and refuses updates, until it
// can.
func TestReadOnlyFolder(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
	d.readOnly = true
	var logs lockedBuffer
	s, err := openStore("/flats.json", d, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	const denied = "open /flats.json.log: permission denied"
	_, err = s.Update("a", []byte(`{"notes":"mine"}`), nil)
	if s.Get("a") == nil || err == nil || !strings.Contains(err.Error(), denied) ||
		!strings.Contains(logs.String(), denied) {
		t.Errorf("the update returned %v, and the log is\n%s", err, logs.String())
	}
	d.mu.Lock()
	d.readOnly = false
	d.mu.Unlock()
	if _, err := s.Update("a", []byte(`{"notes":"mine"}`), nil); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil || len(d.names) != 1 {
		t.Errorf("Close returned %v and left %v", err, d.names)
	}
}

// A service starts while another one folds: within any operation of the start, flats.json takes
// the updates of the retired journal, which is removed.
func TestStartDuringFold(t *testing.T) {
	const retired = "/flats.json.log.000001-AAAAAAAA"
	for at := 1; ; at++ {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
		d.names[retired] = &simFile{data: []byte(recordText(`"id":"a","notes":"1"}`)), lost: -1}
		var removed atomic.Bool
		d.hooks = map[int]func(){at: func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			removed.Store(true)
			d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","notes":"1"}]`), lost: -1}
			delete(d.names, retired)
		}}
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		if got := notesOf(s.Get("a")); got != "1" {
			t.Errorf("at %d: notes %q; want 1", at, got)
		}
		s.Close()
		if !removed.Load() {
			return
		}
	}
}

// Two services use the same data. Either the second one starts within an operation of the
// first, or the first one writes within an operation of the second one's start. No
// acknowledged update is lost, and updates by the service that has lost the journal fail
// with that reason.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", smallestFold)
	run := func(at int, firstStarts bool) (done bool) { // done: at is beyond the last operation
		d := newSimDisk()
		base := &simFile{data: []byte(`[{"id":"a"},{"id":"b"},{"id":"c"}]`), lost: -1}
		base.synced = base.data
		d.names["/flats.json"], d.durable["/flats.json"] = base, base
		acked := map[string]string{}   // the acknowledged notes of each flat
		later := map[string][]string{} // the notes refused since
		var second atomic.Pointer[Store]
		var mu sync.Mutex
		update := func(s *Store, id, notes string) {
			if s == nil {
				return
			}
			_, err := s.Update(id, []byte(`{"notes":"`+notes+`"}`), nil)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				acked[id], later[id] = notes, nil
			} else {
				later[id] = append(later[id], notes)
				if !isConflict(err) && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("at %d: %v", at, err)
				}
			}
		}
		open := func() *Store {
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Errorf("at %d: %v", at, err)
			}
			return s
		}
		first := open()
		update(first, "a", "1")
		ran := make(chan struct{})
		setHook := func(f func()) {
			d.mu.Lock()
			d.hooks = map[int]func(){len(d.ops) + at: func() { f(); close(ran) }}
			d.mu.Unlock()
		}
		if firstStarts {
			// The second service starts and writes within an operation of the first.
			setHook(func() {
				second.Store(open())
				update(second.Load(), "b", "1")
				update(second.Load(), "c", "1")
			})
			update(first, "a", "2"+big) // large enough to merge the journal
			update(first, "a", "3")
			update(first, "a", "4")
		} else {
			// The first service writes within an operation of the second one's start.
			setHook(func() {
				update(first, "a", "2"+big)
				update(first, "a", "3")
				update(first, "a", "4")
			})
			second.Store(open())
			for range 50 { // while it merges the journal that it took over
				if left, _ := d.List("/flats.json.log."); len(left) == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
		}
		d.mu.Lock()
		hooked := len(d.hooks) == 0
		d.hooks = nil
		d.mu.Unlock()
		if hooked {
			<-ran // otherwise the order of the updates is unknown
		}
		update(second.Load(), "b", "5")
		update(first, "a", "6")
		update(second.Load(), "c", "7")
		first.Close()
		if s := second.Load(); s != nil {
			s.Close()
		}
		mu.Lock()
		defer mu.Unlock()
		for range 2 {
			last := open()
			for id, want := range acked {
				if got := notesOf(last.Get(id)); got != want && !slices.Contains(later[id], got) {
					t.Errorf("at %d, %v: flat %s has the notes %.9q; want the acknowledged %.9q", at, firstStarts, id, got, want)
				}
			}
			last.Close()
		}
		return !hooked
	}
	for _, firstStarts := range []bool{true, false} {
		at := 1
		for ; !run(at, firstStarts); at++ {
		}
		if at < 10 {
			t.Errorf("only %d operations; want at least 10", at)
		}
	}
}

// A second service starts and writes before each file operation of the first, in turn. Then
// that operation may fail, and the second service may die between two journals. No
// acknowledged update is lost: a service removes only journals that it knows.
func TestUnknownJournals(t *testing.T) {
	t.Parallel()
	run := func(at int, fails, dies bool) (done bool) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"},{"id":"b"}]`), lost: -1}
		acked := map[string]string{}
		later := map[string][]string{} // the notes refused since
		var mu sync.Mutex
		update := func(s *Store, id, notes string) {
			_, err := s.Update(id, []byte(`{"notes":"`+notes+`"}`), nil)
			mu.Lock()
			defer mu.Unlock()
			later[id] = append(later[id], notes)
			if err == nil {
				acked[id], later[id] = notes, nil
			} else if !isConflict(err) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errSim) {
				t.Errorf("at %d: %v", at, err)
			}
		}
		var second *Store
		failed := 0
		d.hooks = map[int]func(){at: func() {
			second, _ = openStore("/flats.json", d, nil, quiet)
			if second == nil {
				t.Errorf("at %d: the second service did not start", at)
				return
			}
			update(second, "b", "1")
			for range 50 { // while it merges the journal that it took over
				if left, _ := d.List("/flats.json.log."); len(left) == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if dies {
				d.Rename("/flats.json.log", "/flats.json.log.000009-BBBBBBBB")
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			if fails {
				failed = len(d.ops) + 1
				d.failAt = failed
			}
		}}
		if first, err := openStore("/flats.json", d, nil, quiet); err == nil {
			for notes := range 3 {
				update(first, "a", fmt.Sprint(notes, strings.Repeat("x", notes*smallestFold/2))) // merges the journal
			}
			first.Close()
		}
		d.mu.Lock()
		d.hooks = nil
		unnamed := failed > 0 && strings.HasPrefix(d.ops[failed-1], "fstat")
		d.mu.Unlock()
		last, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Errorf("at %d: %v", at, err)
			return true
		}
		defer last.Close()
		if unnamed {
			return false // a journal that cannot be told from others is removed by its name
		}
		for id, want := range acked {
			if got := notesOf(last.Get(id)); got != want && !slices.Contains(later[id], got) {
				t.Errorf("at %d, fails %v, dies %v: flat %s has the notes %.9q; want %.9q", at, fails, dies, id, got, want)
			}
		}
		return second == nil
	}
	step := 4
	if *whole {
		step = 1
	}
	for i, fails := range []bool{false, true} {
		for j, dies := range []bool{false, true} {
			at := 1 + (2*i+j)%step
			for !run(at, fails, dies) {
				at += step
			}
			if at < 30 {
				t.Errorf("only %d operations; want at least 30", at)
			}
		}
	}
}

// Two services on one file use different temporary files, and a start removes temporary
// files that a killed service has left.
func TestTemporaryFiles(t *testing.T) {
	path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
	first, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.writer.files.writeBase(first.snapshot()); err != nil {
		t.Fatal(err)
	}
	second, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	temp, mark, other := first.writer.files.temp, first.writer.files.processID, second.writer.files.processID
	if _, err := os.Stat(temp); !errors.Is(err, fs.ErrNotExist) || mark == other {
		t.Errorf("temporary file %s: %v; marks %s and %s", temp, err, mark, other)
	}
	if err := errors.Join(second.Close(), first.Close()); err != nil {
		t.Error(err)
	}
	if got := readFile(t, path); got != "[\n{\"id\":\"a\",\"status\":\"new\"}\n]\n" {
		t.Errorf("flats.json is %s", got)
	}
}

// FuzzTwoServices checks that no acknowledged update is lost if two services on the same
// data start, update, stop and are killed in any order.
func FuzzTwoServices(f *testing.F) {
	for _, seed := range []string{"osuvtUxSUV", "ouUUOvuVUxsOU", "oOuvuvXxoOuv", "oouUkoOuvKO", "oUUUOVVVuvsS"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, steps string) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"0"},{"id":"1"}]`), lost: -1}
		var services [2]*Store
		acked, later := [2]string{}, [2][]string{}
		for n, step := range []byte(steps[:min(len(steps), 40)]) {
			i := int(step>>5) & 1 // lower or upper case
			s := services[i]
			switch step | 0x20 {
			case 'o', 's': // start, after a kill if it was running
				services[i], _ = openStore("/flats.json", d, nil, quiet)
				if services[i] == nil {
					t.Fatalf("%q: step %d: the service did not start", steps, n)
				}
			case 'x': // stop
				if s != nil {
					s.Close()
				}
				services[i] = nil
			case 'u', 'v', 't': // update the service's own flat
				if s == nil {
					continue
				}
				notes := fmt.Sprint(n, strings.Repeat(" ", int(step&1)*smallestFold))
				if _, err := s.Update(strconv.Itoa(i), fmt.Appendf(nil, `{"notes":"%s"}`, notes), nil); err == nil {
					acked[i], later[i] = notes, nil
				} else {
					later[i] = append(later[i], notes)
					if !isConflict(err) && !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("%q: step %d: %v", steps, n, err)
					}
				}
			}
		}
		for _, s := range services {
			if s != nil {
				s.Close()
			}
		}
		last, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatalf("%q: %v", steps, err)
		}
		defer last.Close()
		for i, want := range acked {
			if got := notesOf(last.Get(strconv.Itoa(i))); got != want && !slices.Contains(later[i], got) {
				t.Errorf("%q: flat %d has the notes %.9q; want the acknowledged %.9q", steps, i, got, want)
			}
		}
	})
}
