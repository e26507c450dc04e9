// Tests that a panic ends neither the service nor the goroutine that it happens in.

package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
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
	err := s.change(func(func(string) *Flat) ([]edit, error) { return []edit{{}, {after: blank}}, nil }, nil)
	if !errors.Is(err, errInternal) {
		t.Errorf("a change without a flat before: %v", err)
	}
	if err := s.call(func() error { return nil }); err != nil {
		t.Errorf("the next one: %v", err)
	}
}

// A document that cannot be indexed is read by searches, as one with too many words is.
func TestPanicOfIndex(t *testing.T) {
	fine := func(int) string { return "fine" }
	for _, broken := range []document{
		func(int) string { panic("x") },
		func(field int) string { return []string{"word"}[field] },
	} {
		x := newIndex(2, func(row uint32) document { return []document{broken, fine}[row] })
		if !x.partial[0] || x.partial[1] {
			t.Errorf("the rows that searches read are %v", x.partial)
		}
		x.update(1, fine, broken)
		x.update(0, broken, fine)
		if x.partial[0] || !x.partial[1] || len(x.rows["fine"]) != 1 {
			t.Errorf("after updates, the rows that searches read are %v, and %v is fine", x.partial, x.rows["fine"])
		}
	}
}

// An answer that makes a seeker panic counts as none: it waits as after a failure.
func TestPanicOfSeeker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logs := &bytes.Buffer{}
		asked := 0
		store := newStore(nil, nil, slog.New(slog.NewTextHandler(logs, nil)), nil)
		s := &seeker[int]{store: store, look: func(*turns.Task) bool { return true }, queue: []int{1}}
		s.ask = func(context.Context) bool {
			asked++
			panic("x")
		}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
		defer cancel()
		s.run(ctx)
		store.Close()
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
