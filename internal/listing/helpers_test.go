// What these tests share with other packages' tests.

package listing

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// allocatedBy returns the number of bytes that f allocates.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// cardOf returns the HTML of a card.
func cardOf(link, photo, title, cost, facts, place string) string {
	return fmt.Sprintf(`<div><a href=%q><img src=%q width="300"></a><h3><a href=%q>%s</a></h3><p>%s</p><p>%s</p>`+
		`<p>%s</p></div>`, link, photo, link, title, cost, facts, place)
}

// A hookedContext calls onErr on each call of Err.
type hookedContext struct {
	context.Context
	onErr func()
}

func (c *hookedContext) Err() error {
	c.onErr()
	return c.Context.Err()
}

// mailOf returns a mail with an HTML body.
func mailOf(body string) string {
	return "From: Portal <news@portal.example>\nDate: Mon, 14 Sep 2026 06:13:00 +0200\nSubject: 1 new flat to rent\n" +
		"MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n\n" + body
}

// readFile returns the content of a file.
func readFile(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	whole  = flag.Bool("whole", false, "run the long tests in full")
	update = flag.Bool("update", false, "write what mails without an expected result say")
)

// long skips a test that takes seconds, unless -whole is set.
func long(t *testing.T) {
	t.Helper()
	if !*whole {
		t.Skip("needs -whole")
	}
}
