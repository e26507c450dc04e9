// Warnings that many flats may cause.

package main

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

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
	d.names["/flats.json"] = &simFile{data: []byte(flats), lost: -1}
	d.names["/flats.json.log"] = &simFile{data: []byte(journal.String()), lost: -1}
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
	visitsOf(nil, s.snapshot().all(), nil, log)
	check("the calendar", "flat=n0@s count=3000")
}
