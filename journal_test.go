// Tests of journal.go.

package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// If an update contains the flat's own id in another spelling, the flat keeps the spelling
// of flats.json, also after a restart.
func TestJournalID(t *testing.T) {
	const flats = `[{"id":7},{"id":"8"},{"id":"a"},{"id":"null"}]`
	path := writeFile(t, t.TempDir(), "flats.json", flats)
	s, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, test := range []struct{ id, update, literal string }{
		{"7", `{"id":"7","notes":"mine"}`, `7`},
		{"7", `{"id":7,"cost":1}`, `7`},
		{"8", `{"notes":"mine","id":8}`, `"8"`},
		{"a", `{"id":"\u0061","notes":"mine"}`, `"a"`},
		{"null", `{"id":"null","notes":"mine"}`, `"null"`},
	} {
		f, err := s.Update(test.id, []byte(test.update), nil, author{})
		if err != nil || f.ID.JSON() != test.literal {
			t.Fatalf("%s: %v, %v", test.update, f, err)
		}
		// Open a copy of the files, as after a crash.
		copied := writeFile(t, t.TempDir(), "flats.json", readFile(t, path))
		writeFile(t, filepath.Dir(copied), "flats.json.log", readFile(t, path+".log"))
		again, err := openStore(copied, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatalf("%s: %v", test.update, err)
		}
		if got := again.Get(test.id); got == nil || got.JSON() != f.JSON() {
			t.Errorf("%s: after a crash: %v; want %s", test.update, got, f.JSON())
		}
		again.Close()
	}
	for _, update := range []string{`{"id":null}`, `{"id":"7"}`, `{"id":7.0}`} {
		if _, err := s.Update("null", []byte(update), nil, author{}); err == nil {
			t.Errorf("update %s was accepted", update)
		}
	}
	writeFile(t, filepath.Dir(path), "flats.json.log", journalRecordText(`"id":null}`))
	_, err = openStore(path, osDisk{}, nil, quiet)
	want := "flats.json.log:1: id: want a string of 1 to 1024 bytes or an integer, got null"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a journal record with the id null: %v", err)
	}
}

// Replaying the journal adds a flat only from an import that added it. Updates of a flat
// that was removed from flats.json by hand are ignored.
func TestJournalUnknownFlat(t *testing.T) {
	records := strings.Join([]string{
		journalRecordText(`"id":"b","notes":"n"}`),
		journalRecordText(`"imported":{},"added":[{"id":"c","title":"new"}],` +
			`"updated":[{"id":"b","cost":2},{"id":"c","cost":1}]}`),
		journalRecordText(`"id":"c","notes":"mine"}`),
	}, "")
	path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
	writeFile(t, filepath.Dir(path), "flats.json.log", records)
	var logs lockedBuffer
	s, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := listed(s)
	if len(got) != 2 || s.Get("b") != nil || titleOf(s.Get("c")) != "new" || notesOf(s.Get("c")) != "mine" {
		t.Errorf("got the flats %s; want a and c", got)
	}
	warning := `msg="ignoring a journal update of a flat that is not in flats.json" file=` + path + ".log flat=b"
	if n := strings.Count(logs.String(), warning); n != 1 || !strings.Contains(logs.String(), "flat=b count=2") {
		t.Errorf("%d warnings; want one about two updates:\n%s", n, logs.String())
	}
}

// A journal that was cut at any byte is read up to its last complete record. The checksum tells that the
// record is complete, even without its newline. The rest is cut off, and kept in a file of its own. Damage
// before a complete record is refused.
func TestJournalCuts(t *testing.T) {
	t.Parallel()
	const base = "/flats.json"
	var journal []byte
	const records = 5
	ends := []int{0} // ends[n] is where the first n records end
	for i := range records {
		journal = append(journal,
			journalRecordText(fmt.Sprintf(`"id":"a","cost":%d,"title":"é\\n","new %d":[{}]}`, i+10, i))...)
		ends = append(ends, len(journal))
	}
	var d *simDisk // of the last store that was opened
	open := func(text []byte) (*Store, string, error) {
		d = newSimDisk()
		d.names[base] = &simFile{data: []byte(`[{"id":"a","cost":1},{"id":9}]`)}
		d.names[base+".log"] = &simFile{data: bytes.Clone(text)}
		var logs bytes.Buffer
		s, err := openStore(base, d, nil, slog.New(slog.NewTextHandler(&logs, nil)))
		return s, logs.String(), err
	}
	costAfter := func(records int) string {
		if records == 0 {
			return "1" // as in flats.json
		}
		return strconv.Itoa(records - 1 + 10)
	}
	tails := []string{"", "\x00\x00\x00", "garbage", "\x00\n\n{}\n", `{"crc":"00000000","id":"a"}` + "\n"}
	for cut := range len(journal) + 1 {
		for i, tail := range tails {
			if isEmpty := tail == ""; !isEmpty && cut%len(tails) != i {
				continue // a sample is enough for all but the empty one
			}
			s, logs, err := open(append(journal[:cut:cut], tail...))
			if err != nil {
				t.Fatalf("cut at %d, then %q: %v", cut, tail, err)
			}
			complete := 0 // the number of complete records
			for complete < records && ends[complete+1] <= cut {
				complete++
			}
			lacksNewline := tail == "" && complete < records && ends[complete+1] == cut+1
			if lacksNewline {
				complete++
			}
			if got := costOf(s.Get("a")); got != costAfter(complete) {
				t.Errorf("cut at %d, then %q: cost %s; want the cost after %d records", cut, tail, got, complete)
			}
			rest := string(journal[min(cut, ends[complete]):cut]) + tail
			if strings.Contains(logs, "incomplete or damaged") != (rest != "") {
				t.Errorf("cut at %d, then %q: the log says %q", cut, tail, logs)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if d.names[base+".log"] != nil {
				t.Error("the journal still exists after Close")
			}
			kept := ""
			for name, f := range d.names {
				if strings.HasPrefix(name, base+".log.damaged-") {
					kept += string(f.data)
				}
			}
			if kept != rest {
				t.Errorf("cut at %d, then %q: the file of the rest has %q; want %q", cut, tail, kept, rest)
			}
		}
	}
	for i := range ends[records-1] { // any byte before the last record
		damaged := bytes.Clone(journal)
		damaged[i] ^= 1
		line := 1 + bytes.Count(journal[:i], []byte("\n"))
		s, _, err := open(damaged)
		if err == nil {
			t.Errorf("byte %d damaged: opened with cost %s; want an error", i, costOf(s.Get("a")))
			s.Close()
		} else if want := fmt.Sprintf("flats.json.log:%d: ", line); !strings.Contains(err.Error(), want) {
			t.Errorf("byte %d damaged: %v; want an error with %s", i, err, want)
		}
		if !bytes.Equal(d.names[base+".log"].data, damaged) {
			t.Errorf("byte %d damaged: the journal was changed", i)
		}
	}
	// A complete record with an invalid member is refused.
	_, _, err := open([]byte(journalRecordText(`"imported":[],"added":[]}`)))
	if err == nil || !strings.Contains(err.Error(), "flats.json.log:1: json: cannot unmarshal array") {
		t.Errorf("got %v", err)
	}
	_, _, err = open([]byte(journalRecordText(`"id":9,"cost":"x"}`)))
	if err == nil || !strings.Contains(err.Error(), "flats.json.log:1: cost: want a finite number or null") {
		t.Errorf("got %v", err)
	}
	delete(d.names, base)
	_, err = openStore(base, d, nil, quiet)
	if err == nil || !strings.Contains(err.Error(), "is missing, but ") {
		t.Errorf("a journal without flats.json: %v", err)
	}
}

// A journal that a person has edited or copied loses no update in silence: its lines may end in any way,
// and several damaged lines are not taken for an incomplete record.
func TestEditedJournal(t *testing.T) {
	records := []string{journalRecordText(`"id":"a","notes":"1"}`), journalRecordText(`"id":"a","notes":"2"}`),
		journalRecordText(`"id":"a","notes":"3"}`)}
	journal := strings.Join(records, "")
	const refused = "not a record, or its checksum does not match, "
	const others = refused + "and so it is with the lines that follow: restore the file from a backup, or delete them"
	for name, c := range map[string]struct {
		text  string // of the journal
		notes string // after the start
		err   string // of the start; "" for none
	}{
		"no last newline":            {strings.TrimSuffix(journal, "\n"), "3", ""},
		"CRLF":                       {strings.ReplaceAll(journal, "\n", "\r\n"), "3", ""},
		"CRLF, no last one":          {strings.TrimSuffix(strings.ReplaceAll(journal, "\n", "\r\n"), "\r\n"), "3", ""},
		"one damaged line":           {strings.Replace(journal, `"3"`, `"4"`, 1), "2", ""},
		"a damaged line, half a one": {records[0] + strings.ReplaceAll(records[1], "2", "4") + records[2][:30], "1", ""},
		"two damaged lines": {records[0] + strings.ReplaceAll(records[1]+records[2], "a", "b"), "",
			".log:2: " + others},
		"two, no last newline": {strings.TrimSuffix(strings.ReplaceAll(records[1]+records[2], "a", "b"), "\n"), "",
			".log:1: " + others},
		"every line, CRLF": {strings.ReplaceAll(strings.ReplaceAll(journal, "a", "b"), "\n", "\r\n"), "",
			".log:1: " + others},
		"the first line": {strings.Replace(journal, `"1"`, `"0"`, 1), "", ".log:1: " + refused + "but valid records follow"},
	} {
		path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
		writeFile(t, filepath.Dir(path), "flats.json.log", c.text)
		s, err := openStore(path, osDisk{}, nil, quiet)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v; want %s", name, err, c.err)
			}
			if readFile(t, path+".log") != c.text {
				t.Errorf("%s: the journal was changed", name)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := notesOf(s.Get("a")); got != c.notes {
			t.Errorf("%s: the notes are %s; want %s", name, got, c.notes)
		}
		if _, err := s.Update("a", []byte(`{"cost":4}`), nil, author{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}

// The damaged end of a journal is never lost, whichever operation fails or loses power, and does
// not replace a damaged end that was kept earlier.
func TestDamagedEnd(t *testing.T) {
	whole, last := journalRecordText(`"id":"a","cost":2}`), journalRecordText(`"id":"a","cost":3}`)
	damaged := strings.Replace(last, "cost", "cosu", 1)
	const earlier = "/flats.json.log.damaged-ABCDEFGH"
	done := false
	for n := 1; !done; n++ {
		for _, crash := range []bool{false, true} {
			d := newSimDisk()
			for name, text := range map[string]string{"/flats.json": `[{"id":"a"}]`, "/flats.json.log": whole + damaged,
				earlier: "earlier"} {
				d.names[name] = &simFile{data: []byte(text), synced: []byte(text)}
			}
			d.durable = maps.Clone(d.names)
			d.failAt, d.crash = n, crash
			if s, err := openStore("/flats.json", d, nil, quiet); err == nil {
				s.Close()
			}
			done = len(d.ops) < n
			for _, kept := range []bool{false, true} {
				after := d.restart(survivors{unsynced: kept})
				s, err := openStore("/flats.json", after, nil, quiet)
				if err != nil {
					t.Fatal(err)
				}
				if got := costOf(s.Get("a")); got != "2" {
					t.Errorf("operation %d: the cost is %s; want 2", n, got)
				}
				s.Close()
				found := 0
				for _, f := range after.names {
					if string(f.data) == damaged {
						found++
					}
				}
				// A restart between keeping the end and removing the journal keeps it twice.
				if found < 1 || found > 2 || string(after.names[earlier].data) != "earlier" {
					t.Errorf("operation %d, crash %v: %d files have the end: %v", n, crash, found, after.names)
				}
			}
		}
	}
}

// The size of the journal stays bounded during many updates.
func TestJournalBound(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`)}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	largest := 0
	for i := range 400 {
		_, err := s.Update("a", []byte(fmt.Sprintf(`{"notes":"%d%s"}`, i, strings.Repeat("x", 20_000))), nil, author{})
		if err != nil {
			t.Fatal(err)
		}
		d.mu.Lock()
		if f := d.names["/flats.json.log"]; f != nil {
			largest = max(largest, len(f.data))
		}
		d.mu.Unlock()
	}
	// Updates go on while the journal is folded, so that it grows beyond smallestFold.
	if err := s.Close(); err != nil || largest > 32*smallestFold || largest < smallestFold/2 {
		t.Errorf("the journal grew to %d bytes, %v; want about %d", largest, err, smallestFold)
	}
}

// FuzzJournal checks that replaying any journal neither panics nor invents flats, and that
// the resulting flats can be written and read again.
func FuzzJournal(f *testing.F) {
	const update, added = `{"id":"a","cost":5,"title":"x","status":null,"new":[1, 2]}`, `{"id":9}`
	first := journalRecordText(update[1:])
	f.Add([]byte(first))
	f.Add([]byte(first + journalRecordText(added[1:])))
	f.Add([]byte(first +
		strings.Join(newJournalRecords(&importedFile{"a.json", "aa"}, []edit{{delta: added}, {delta: update}}), "")))
	f.Add([]byte(first + "\x00\x00{}\n"))
	for _, rest := range []string{`"cost":1}`, `"imported":5,"added":[]}`, `"imported":{"name":"a"}}`,
		`"imported":{"name":"a","sum":"b"},"added":[{"cost":1}]}`, `"id":null}`, `}`} {
		f.Add([]byte(journalRecordText(rest)))
	}
	f.Add([]byte(`{"crc":"00000000","id":1}` + "\n"))
	f.Fuzz(func(t *testing.T, journal []byte) {
		base, err := readFlats("f", []byte(`[{"id":"a","cost":1}]`), nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		replay := newReplay(base, nil, quiet)
		whole, err := replay.applyJournal("f.log", journal)
		if err != nil {
			return
		}
		flats, err := replay.end()
		if err != nil {
			t.Fatal(err)
		}
		if whole > len(journal) || whole > 0 && whole < len(journal) && journal[whole-1] != '\n' {
			t.Errorf("%d complete bytes of %d, not at the end of a record", whole, len(journal))
		}
		if whole < len(journal) && len(flats) > 1+bytes.Count(journal[:whole], []byte("\n")) {
			t.Errorf("%d flats are more than the journal can add", len(flats))
		}
		var text []byte
		for _, flat := range flats {
			text = append(flat.appendStored(text), ',')
		}
		again, err := readFlats("f", []byte("["+strings.TrimSuffix(string(text), ",")+"]"), nil, quiet)
		if err != nil || len(again) != len(flats) {
			t.Errorf("%v: %s", err, text)
		}
		for i := range again {
			if again[i].JSON() != flats[i].JSON() {
				t.Errorf("%s became %s", flats[i].JSON(), again[i].JSON())
			}
		}
	})
}

// Retired journals are replayed in the order of their numbers, also beyond six digits.
func TestRetiredNumbers(t *testing.T) {
	d := newSimDisk()
	for name, text := range map[string]string{
		"/flats.json":                              `[{"id":"a"}]`,
		"/flats.json.log.000007-AAAAAAAA":          journalRecordText(`"id":"a","cost":7}`),
		"/flats.json.log.999999-AAAAAAAA":          journalRecordText(`"id":"a","cost":6}`),
		"/flats.json.log.1000000-AAAAAAAA":         journalRecordText(`"id":"a","cost":1}`),
		"/flats.json.log.1000000000000000000-AAAA": "no journal",
	} {
		d.names[name] = &simFile{data: []byte(text)}
	}
	for range 2 {
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if got := costOf(s.Get("a")); got != "1" {
			t.Errorf("the cost is %s; want 1", got)
		}
		d = d.killed()
		s.Close()
	}
	f := &dataFiles{journalPath: "/flats.json.log"}
	next := f.nextRetired([]string{"/flats.json.log.999999-AAAAAAAA"})
	suffix := strings.TrimPrefix(next, f.journalPath)
	if !strings.HasPrefix(suffix, ".1000000-") || !retiredSuffix().MatchString(suffix) {
		t.Errorf("after 999999 comes %s", next)
	}
}
