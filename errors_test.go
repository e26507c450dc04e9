// Tests that a panic ends neither the service nor the goroutine that it happens in, and of warnings.

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/turns"
)

// A job of the writer that panics fails alone.
func TestPanicOfWriter(t *testing.T) {
	s := newStore(nil, nil, quiet, &dataFiles{disk: newSimDisk()})
	if err := s.call(func() error { panic("x") }); !errors.Is(err, errInternal) {
		t.Errorf("a call: %v", err)
	}
	withoutDelta := edit{after: blank} // the writer cuts the record of an edit from its delta
	err := s.change(func(func(string) *Flat) ([]edit, error) { return []edit{withoutDelta}, nil }, nil)
	if !errors.Is(err, errInternal) {
		t.Errorf("an edit without a delta: %v", err)
	}
	if err := s.call(func() error { return nil }); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

// A document that cannot be indexed is partial: searches read its text, as that of one with too many words.
func TestPanicOfIndex(t *testing.T) {
	fine := func(field int) string { return "fine" }
	panics := func(field int) string { panic("x") }
	panicsLater := func(field int) string {
		if field > 0 {
			panic("x")
		}
		return "word"
	}
	for _, broken := range []document{panics, panicsLater} {
		x := newIndex(2, func(row uint32) document { return []document{broken, fine}[row] })
		if !x.partial[0] || x.partial[1] {
			t.Errorf("the rows that searches read are %v", x.partial)
		}
		x.update(1, fine, broken) // row 1 was fine
		x.update(0, broken, fine)
		if x.partial[0] || !x.partial[1] || len(x.rows["fine"]) != 1 {
			t.Errorf("after updates, the rows that searches read are %v, and %v is fine", x.partial, x.rows["fine"])
		}
	}
}

// An answer that makes a backfill panic counts as none: it waits as after a failure.
func TestPanicOfBackfill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := &bytes.Buffer{}
		asked := 0
		store := newStore(nil, nil, slog.New(slog.NewTextHandler(logs, nil)), nil)
		s := &backfill[int]{store: store, look: func(*turns.Task) bool { return true }, queue: []int{1}}
		s.ask = func(context.Context) bool {
			asked++
			panic("x")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
		defer cancel()
		s.run(ctx)
		store.Close()
		// It asks at 0, 1 and 3 minutes.
		if asked != 3 || strings.Count(logs.String(), "internal error: x") != 3 {
			t.Errorf("it asked %d times, and logged %s", asked, logs)
		}
	})
}

// An import that panics is refused, and lets the next one go on.
func TestPanicOfImport(t *testing.T) {
	s := newStore(nil, nil, quiet, nil)
	defer s.Close()
	importer := newImporter(s)
	wrong := Listings{Flats: []members{nil}}
	if _, err := importer.Import(t.Context(), wrong, nil); !errors.Is(err, errInternal) {
		t.Errorf("the error is %v", err)
	}
	if _, err := importer.ImportText([]byte(`[{"id":1}]`), ""); err != nil {
		t.Error(err)
	}
}

// However many flats cause a warning, the log has one line a kind, with the number and the first
// example.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const many = 3000
	d := newSimDisk()
	var journal strings.Builder
	for i := range many {
		journal.WriteString(journalRecordText(fmt.Sprintf(`"id":"missing%d","cost":1}`, i)))
	}
	flats := manyFlats(many, `"ratings":7,"status_by":1`)
	d.names["/flats.json"] = &simFile{data: []byte(flats)}
	d.names["/flats.json.log"] = &simFile{data: []byte(journal.String())}
	var logs lockedBuffer
	log := slog.New(slog.NewTextHandler(&logs, nil))
	s, err := openStore("/flats.json", d, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	check := func(what string, want ...string) {
		t.Helper()
		got := logs.String()
		for _, example := range want {
			if !strings.Contains(got, example) {
				t.Errorf("%s: the log has no %q: %.1000s", what, example, got)
			}
		}
		if lines := strings.Count(got, "\n"); lines != len(want) {
			t.Errorf("%s: the log has %d lines; want %d: %.1000s", what, lines, len(want), got)
		}
		logs.b.Reset()
	}
	check("the start", "field=ratings flat=f0@s ", "field=status_by flat=f0@s ", "flat=missing0 count=3000")
	listings := manyFlats(many, `"kept_photos":[1],"ratings":"x","visit_date":"9999-12-31T23:59"`)
	if _, err := newImporter(s).ImportText([]byte(strings.ReplaceAll(listings, `"f`, `"n`)), ""); err != nil {
		t.Fatal(err)
	}
	check("an import", "field=ratings flat=n0@s ", "field=kept_photos flat=n0@s ")
	visitsOf(nil, s.snapshot().all(), nil, log) // each visit would end in the year 10000
	check("the calendar", "flat=n0@s count=3000")
}

// A wrong value that is dropped is counted, whatever the field and its type, and nothing of it is stored.
// In a listing, only those of lenientFields are dropped; any other is an error that names it.
func TestWarningsEachField(t *testing.T) {
	t.Parallel()
	values := []string{`1`, `-2.5`, `true`, `"x"`, `[]`, `[1]`, `[null]`, `{"a":"b"}`, `{"a":{}}`}
	for _, field := range flatFields.list {
		isLater := field.where != inLists && field.name != "updated_at" // not in version 1
		for _, text := range values {
			if !isLater || field.value(new(Flat)).setJSON(text) == nil {
				continue
			}
			var logs lockedBuffer
			log := slog.New(slog.NewTextHandler(&logs, nil))
			check := func(what string, f *Flat) {
				t.Helper()
				want := "field=" + field.name + " flat=a@s "
				got := logs.String()
				if !strings.Contains(got, want) || !strings.Contains(got, "count=2\n") || strings.Count(got, "\n") != 1 {
					t.Errorf("%s: %s in %s: the log has %q", field.name, text, what, got)
				}
				if field.value(f).Known() {
					t.Errorf("%s: %s in %s is stored as %s", field.name, text, what, field.value(f).JSON())
				}
				logs.b.Reset()
			}
			wrong := fmt.Sprintf(`[{"id":"a@s",%q:%s},{"id":"b@s",%q:%s}]`, field.name, text, field.name, text)
			flats, err := readFlats("flats.json", []byte(wrong), nil, log)
			if err != nil {
				t.Fatal(err)
			}
			check("flats.json", flats[0])
			if field.where == onlyStored {
				continue // listings cannot set it
			}
			s := newStore(nil, nil, log, nil)
			_, err = newImporter(s).ImportText([]byte(wrong), "")
			isWarned := slices.Contains(lenientFields, field.name)
			switch {
			case isWarned && err == nil:
				check("a listing", s.Get("a@s"))
			case isWarned || err == nil || !strings.Contains(err.Error(), " "+field.name+": want "):
				t.Errorf("%s: %s in a listing: %v", field.name, text, err)
			}
			s.Close()
		}
	}
}
