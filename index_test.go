// The index of words.

package main

import (
	"runtime"
	"strings"
	"testing"
)

// A flat with more words than the index takes is still found by each of them, alone, negated, as
// a prefix and in a phrase, also after an update.
func TestIndexBound(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", maxLetters+1)
	text := func(letter string) string { // more words than the index takes, such as w0 to w20999
		return `"` + repeated(maxIndexed+1000, letter+"%[1]d", " ") + ` last of all ` + long + `"`
	}
	s := newService(t, `[{"id":"a","title":"common","text":`+text("w")+`},{"id":"b","title":"common"}]`, "[]")
	check := func(query, want string) {
		t.Helper()
		<-s.store.index.searchable
		if got := s.ids(s.search(query, "")); got != want {
			t.Errorf("%.40q finds %q; want %q", query, got, want)
		}
	}
	check("w20999", "a")
	check("last", "a")
	check(long, "a")
	check(`"last of all"`, "a")
	check("w2099*", "a")
	check("common -last", "b")
	check("common", "a b")
	check("missing", "")
	check("missing OR last", "a")
	s.ask("PATCH", "/api/v1/flat/a", `{"text":"short"}`)
	check("last", "")
	check("common -last", "a b")
	s.ask("PATCH", "/api/v1/flat/b", `{"text":`+text("v")+`}`)
	check("v20999 last", "b")
	s.ask("PATCH", "/api/v1/flat/b", `{"text":"now"}`)
	check("now", "b")
	check("last", "")
}

// The index of seven flats of ever new words takes at most 150 MB.
func TestIndexMemory(t *testing.T) {
	const most = 150 << 20
	documents := make([]string, 7)
	for i := range documents {
		documents[i] = strings.ReplaceAll(filled(maxLine.bytes, "w%[1]d "), "w", string(rune('a'+i)))
	}
	before := heapInUse()
	index := newIndex(len(documents), func(row uint32) document {
		return func(field int) string {
			if field == 0 {
				return documents[row]
			}
			return ""
		}
	})
	if size := heapInUse() - before; size > most/3 { // a service has more than one test's share of noise
		t.Errorf("the index takes %d bytes", size)
	}
	runtime.KeepAlive(index)
}
