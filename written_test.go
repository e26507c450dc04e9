// Whatever is written is read again, within the bounds of flats and files.

package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flats/internal/turns"
)

// storedLines returns the lines of the flats of a store, as they stand in flats.json.
func storedLines(s *Store) (lines []string) {
	for _, f := range s.snapshot().all() {
		lines = append(lines, string(f.appendStored(nil)))
	}
	return lines
}

// nearBound returns an object of a random field that takes a listing near one of its bounds,
// and whether only imports can bring it.
func nearBound(random *rand.Rand) (object string, needsImport bool) {
	n := 9_900 + random.IntN(120) // values in a list or object: about as many as a flat may have
	if random.IntN(3) == 0 {
		n = 3000 + random.IntN(9000)
	}
	size := maxLine.bytes - 300 + random.IntN(400) // bytes of a text: about as many as a flat may have
	if random.IntN(3) == 0 {
		size = random.IntN(2 * maxLine.bytes)
	}
	numbers := strings.TrimSuffix(strings.Repeat("1,", n), ",")
	named := repeated(n, `"n%[1]d":1`, ",") // members of an object
	switch random.IntN(10) {
	case 0:
		return `{"ratings":{` + named + `}}`, true
	case 1:
		return `{"found_position":{"text":"a","x":{` + named + `}}}`, true
	case 2:
		var photos []string
		for i := range n / 3 {
			photos = append(photos, encodeJSON(newKeptPhoto(fmt.Sprintf("http://p/%d", i))))
		}
		return `{"kept_photos":[` + strings.Join(photos, ",") + `]}`, true
	case 3:
		return `{"cost_history":[` + repeated(n/3, `{"date":null,"cost":%[1]d}`, ",") + `],"cost":7}`, true
	case 4:
		return `{"corrected":{"title":"` + strings.Repeat("t", size) + `"},"title":"a"}`, true
	case 5:
		return `{"m":[` + numbers + `]}`, true
	case 6:
		return `{"details":{` + named + `}}`, false
	case 7:
		return `{"photos":[` + numbers + `]}`, false
	case 8:
		return `{"status":[` + numbers + `],"title":"` + strings.Repeat("t", random.IntN(1000)) + `"}`, false
	}
	return `{"text":"` + strings.Repeat("x", size) + `"}`, false
}

// Whatever is accepted, the next start reads it, and the flats are then as they were in memory.
// The sequences mix imports, updates, corrections, ratings, photos, positions and folds.
func TestWrittenIsRead(t *testing.T) {
	long(t)
	t.Parallel()
	accepted, refused := 0, 0
	for round := range uint64(rounds(24)) {
		random := rand.New(rand.NewPCG(round, 41))
		d := newSimDisk()
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		var steps []string
		for range 6 {
			object, needsImport := nearBound(random)
			step := pick(random, []string{"import", "import", "update", "update", "rating", "correction", "photo and position",
				"fold"})
			if needsImport || s.Get("a") == nil {
				step = "import"
			}
			switch step {
			case "import":
				_, err = newImporter(s).ImportText([]byte(`{"id":"a",`+object[1:]), "")
			case "update":
				_, err = s.Update("a", []byte(object), nil, author{})
			case "rating":
				by := author{hasPeople: true, person: fmt.Sprint("p", random.IntN(3))}
				_, err = s.Update("a", []byte(`{"rating":4}`), nil, by)
			case "correction":
				_, err = s.Update("a", []byte(`{"title":"mine","cost":1,"phone":"1"}`), nil, author{})
			case "photo and position":
				_, err = s.amend(turns.NewTask(t.Context(), turns.NewQueue()), func(*Flat) members {
					return members{"found_position": json.RawMessage(`{"text":"b","lat":1,"lng":2,"precision":"house"}`),
						"kept_photos": json.RawMessage(encodeJSON([]keptPhoto{newKeptPhoto("http://p/")}))}
				})
			case "fold":
				isIdle := func() bool { return s.writer.folding == nil }
				err = s.call(func() error { return s.writer.foldIf(isIdle) })
			}
			steps = append(steps, fmt.Sprintf("%s %.20s: %v", step, object, err))
			if err != nil {
				refused++
			} else {
				accepted++
			}
		}
		want := storedLines(s)
		next := d.killed()
		if random.IntN(2) == 0 { // the service is stopped, not killed
			s.Close()
			next = d
		}
		for range 2 { // the first start folds, the second reads what it has written
			again, err := openStore("/flats.json", next, nil, quiet)
			if err != nil {
				t.Fatalf("the next start: %v after %q", err, steps)
			}
			if got := storedLines(again); !slices.Equal(got, want) {
				t.Fatalf("the next start has %d bytes; want %d after %q", len(fmt.Sprint(got)), len(fmt.Sprint(want)), steps)
			}
			again.Close()
		}
		s.Close()
	}
	if accepted < refused/4 || refused < accepted/20 { // then nearBound is not near the bounds
		t.Errorf("%d steps were accepted and %d refused; want many of both", accepted, refused)
	}
}

// Nothing is stored if what the service finds about a flat is what the flat has already.
func TestAmendUnchanged(t *testing.T) {
	d := newSimDisk()
	d.put("/flats.json", `[{"id":"a","text":"t"}]`)
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	found := func(*Flat) members { return members{"found_position": json.RawMessage(`{"text":"b"}`)} }
	var lengths []int
	for range 3 {
		if _, err := s.amend(turns.NewTask(t.Context(), turns.NewQueue()), found); err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, len(d.names["/flats.json.log"].data))
	}
	if lengths[0] == 0 || lengths[1] != lengths[0] || lengths[2] != lengths[0] {
		t.Errorf("the journal has %v bytes after the same was found three times", lengths)
	}
}

// A flat that is larger than the bounds is read with a warning, from flats.json and from the
// journal. It may shrink, and grow a little beyond its size when it was read.
func TestLargeLine(t *testing.T) {
	long(t)
	t.Parallel()
	text := strings.Repeat("x", 3<<20)
	lists := strings.TrimSuffix(strings.Repeat("1,", 20_000), ",")
	d := newSimDisk()
	flats := `[{"id":"long","text":"` + text + `"},{"id":"many","photos":[` + lists + `]},{"id":"b"},
		{"id":"named","details":{` + strings.TrimSuffix(repeated(16_000, `"n%[1]d":1`, ","), ",") + `}}]`
	d.put("/flats.json", flats)
	d.put("/flats.json.log", journalRecordText(`"id":"b","text":"`+text+`"}`))
	var logs lockedBuffer
	s, err := openStore("/flats.json", d, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, want := range []string{"flat=long bytes=3145766 values=3 count=3", "flat=b "} {
		if !strings.Contains(logs.String(), want) {
			t.Errorf("the log is %q; want %q in it", logs.String(), want)
		}
	}
	for _, c := range []struct {
		id, set string
		refused bool
	}{
		// A flat may grow by 4096 bytes, or by 100 values.
		{"long", `{"notes":"` + strings.Repeat("n", 3900) + `"}`, false},
		{"long", `{"notes":"` + strings.Repeat("n", 4200) + `"}`, true},
		{"long", `{"photos":[1,2]}`, false},
		{"b", `{"notes":"` + strings.Repeat("n", 3900) + `"}`, false},
		{"b", `{"notes":"` + strings.Repeat("n", 4200) + `"}`, true},
		{"many", `{"notes":"` + strings.Repeat("n", 100_000) + `"}`, false}, // each bound counts by itself
		{"many", `{"details":[` + strings.TrimSuffix(strings.Repeat("1,", 90), ",") + `]}`, false},
		{"many", `{"details":[` + strings.TrimSuffix(strings.Repeat("1,", 100), ",") + `]}`, true},
		{"many", `{"photos":[` + strings.TrimSuffix(strings.Repeat("1,", 9000), ",") + `]}`, false},
		{"many", `{"details":[` + strings.TrimSuffix(strings.Repeat("1,", 10_000), ",") + `]}`, false},
	} {
		_, err := s.Update(c.id, []byte(c.set), nil, author{})
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), errLarge.Error()) {
			t.Errorf("%s %.40s: %v; want refused %t", c.id, c.set, err, c.refused)
		}
	}
	want := storedLines(s)
	s.Close()
	s, err = openStore("/flats.json", d, nil, quiet)
	if err != nil || !slices.Equal(storedLines(s), want) {
		t.Errorf("the next start: %v", err)
	}
}

// A change is refused if the next start would refuse the size of flats.json or of its journal.
func TestFileBound(t *testing.T) {
	t.Parallel()
	// The flat has a text of 1000 bytes, and there is room for notes of nearly 2000 bytes.
	const textSize, maxBytes = 1000, 3000
	const tooMany = maxBytes - textSize // notes; the names of the members need room, too
	d := newSimDisk()
	d.put("/flats.json", `[{"id":"a","text":"`+strings.Repeat("x", textSize)+`"}]`)
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.call(func() error {
		s.writer.files.maxBytes = maxBytes
		return nil
	})
	set := func(notes int) error { // notes of so many bytes
		_, err := s.Update("a", []byte(`{"notes":"`+strings.Repeat("n", notes)+`"}`), nil, author{})
		return err
	}
	for n := range 40 { // the journal would be too large with a few of these, but is folded before
		if err := set(900 - n%2); err != nil { // each time others, since the same ones are no change
			t.Fatal(err)
		}
	}
	before := storedLines(s)
	tooLarge := fmt.Sprintf("flats.json would be larger than %d bytes", maxBytes)
	if err := set(tooMany); err == nil || !strings.Contains(err.Error(), tooLarge) {
		t.Errorf("an update that is too large: %v; want %s", err, tooLarge)
	}
	_, err = newImporter(s).ImportText([]byte(`[{"id":"b","text":"`+strings.Repeat("x", tooMany)+`"}]`), "")
	if err == nil || !strings.Contains(err.Error(), tooLarge) {
		t.Errorf("an import that is too large: %v; want %s", err, tooLarge)
	}
	if after := storedLines(s); !slices.Equal(after, before) {
		t.Errorf("a refused change is visible: %q", after)
	}
	if err := set(10); err != nil {
		t.Errorf("an update that makes the file smaller: %v", err)
	}
	s.Close()
	if size := len(d.names["/flats.json"].data); size > maxBytes {
		t.Errorf("flats.json has %d bytes; want at most %d", size, maxBytes)
	}
}
