// Tests of nightly.go, and of who may load backups.

package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A nightTest is a service that backs up a simDisk, in a bubble of synctest.
type nightTest struct {
	*testing.T
	disk  *simDisk
	store *Store
	night *nightly
	log   *lockedBuffer
	notes int // the number of updates, which is also the text of the last one
}

// newNightTest returns a service with a flat. It changes the nightly, and starts it.
func newNightTest(t *testing.T, d *simDisk, change ...func(*nightly)) *nightTest {
	t.Helper()
	x := &nightTest{T: t, disk: d, log: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(x.log, nil))
	store, err := openStore("/flats.json", d, nil, log)
	if err != nil {
		t.Fatal(err)
	}
	x.store = store
	config := defaultConfig()
	config.Data = "/flats.json"
	x.night = newNightly(config, store, log)
	x.night.archiver, x.night.zone = simArchiver(d), time.UTC
	x.night.config = config
	for _, f := range change {
		f(x.night)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { x.night.run(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
		store.Close()
	})
	return x
}

// update changes the flat.
func (x *nightTest) update() {
	x.Helper()
	x.notes++
	if _, err := x.store.Update("a", []byte(fmt.Sprintf(`{"notes":"%d"}`, x.notes)), nil, author{}); err != nil {
		x.Fatal(err)
	}
}

// await lets time pass until more than a minute after a time of the day. The service looks at the clock each minute.
func (x *nightTest) await(clock string) {
	now := time.Now()
	at, _ := time.Parse("15:04", clock)
	next := time.Date(now.Year(), now.Month(), now.Day(), at.Hour(), at.Minute()+1, 30, 0, time.UTC)
	if !next.After(now) {
		next = next.AddDate(0, 0, 1)
	}
	time.Sleep(next.Sub(now))
	synctest.Wait()
}

// want checks of which days there are backups, the earliest first.
func (x *nightTest) want(days ...string) {
	x.Helper()
	synctest.Wait()
	var got []string
	x.disk.mu.Lock()
	for _, name := range slices.Sorted(maps.Keys(x.disk.names)) {
		if day, ok := strings.CutPrefix(name, "/backups/flats-"); ok {
			got = append(got, strings.TrimSuffix(day, ".tar.gz"))
		}
	}
	x.disk.mu.Unlock()
	if !slices.Equal(got, days) {
		x.Errorf("at %s the backups are %v; want %v", time.Now().Format(time.DateTime), got, days)
	}
}

// oneFlat returns a disk with a flat.
func oneFlat() *simDisk {
	d := newSimDisk()
	d.put("/flats.json", "[\n{\"id\":\"a\"}\n]\n")
	return d
}

// TestNightly tests that a backup is made every night in which something has changed, and which ones stay. The clock
// of a bubble starts on Saturday, 1 January 2000.
func TestNightly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newNightTest(t, oneFlat())
		x.want()
		time.Sleep(59 * time.Second)
		x.want()
		time.Sleep(2 * time.Second)
		x.want("1999-12-31") // a minute after the start, the backup that was due before the start is made
		x.await("02:58")
		x.want("1999-12-31")
		x.await("03:00")
		x.want("1999-12-31") // nothing has changed
		x.update()
		time.Sleep(20 * time.Hour)
		x.want("1999-12-31") // at 3:00 none was needed, so 1 January gets none
		x.await("03:00")
		x.want("1999-12-31", "2000-01-02")
		for range 42 { // to 13 February, a Sunday
			x.update()
			x.await("03:00")
		}
		// The last seven stay, and those of the last four Mondays.
		x.want("2000-01-17", "2000-01-24", "2000-01-31", "2000-02-07", "2000-02-08", "2000-02-09", "2000-02-10",
			"2000-02-11", "2000-02-12", "2000-02-13")
		x.update()
		x.await("03:00") // on Monday
		x.want("2000-01-24", "2000-01-31", "2000-02-07", "2000-02-08", "2000-02-09", "2000-02-10", "2000-02-11",
			"2000-02-12", "2000-02-13", "2000-02-14")
		if log := x.log.String(); strings.Contains(log, "WARN") {
			t.Errorf("the log has a warning: %s", log)
		}
		file := x.disk.names["/backups/flats-2000-02-14.tar.gz"]
		if file.mode != 0o600 {
			t.Errorf("the mode is %v", file.mode)
		}
		if err := simArchiver(x.disk).restore(t.Context(), "/new/flats.json", "/backups/flats-2000-02-14.tar.gz",
			io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// TestNightlyChanges tests what counts as a change: all that a backup holds, but not that a journal was folded.
func TestNightlyChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := oneFlat()
		x := newNightTest(t, d, func(n *nightly) { n.config.file = "/flats.conf" })
		time.Sleep(2 * time.Minute)
		x.update()
		x.await("03:00")
		x.want("1999-12-31", "2000-01-01")
		always := func() bool { return true }
		if err := x.store.call(func() error { return x.store.writer.foldIf(always) }); err != nil {
			t.Fatal(err)
		}
		x.await("03:00")
		x.want("1999-12-31", "2000-01-01")
		want := []string{"1999-12-31", "2000-01-01"}
		for _, name := range []string{"/views.json", "/settings.json", "/push.json", "/flats.conf", "/postal_codes/FR.gz"} {
			text := "{}"
			if name == "/views.json" {
				text = "[]"
			}
			d.put(name, text)
			x.await("03:00")
			want = append(want, time.Now().Format(time.DateOnly))
			x.want(want...)
		}
		for _, name := range []string{"/sessions.json", "/photos/x", "/remind.json"} {
			d.put(name, "{}") // no part of a backup
		}
		x.await("03:00")
		x.want(want...)
	})
}

// forcedCollections returns how many garbage collections the program has asked for.
func forcedCollections() uint32 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.NumForcedGC
}

// TestNightlyFiles tests that files with other names stay, and that what a killed process has left goes.
func TestNightlyFiles(t *testing.T) {
	const temp = "/backups/flats-1999-12-01.tar.gz.ABCDEFGHIJKLMNOPQRSTUVWXYZ.tmp"
	synctest.Test(t, func(t *testing.T) {
		d := oneFlat()
		const wednesday, monday = "/backups/flats-1999-12-01.tar.gz", "/backups/flats-1999-12-06.tar.gz"
		others := []string{"/backups/flats-1999-02-30.tar.gz", "/backups/flats-1999-12-01.tgz", "/backups/mine.tar.gz",
			"/backups/flats-1999-12-01.tar.gz.mine"}
		for _, name := range append(others, temp, wednesday, monday) {
			d.put(name, "x")
		}
		const folder = "/backups/flats-1999-12-02.tar.gz"
		d.names[folder] = &simFile{mode: fs.ModeDir | 0o700}
		others = append(others, folder)
		x := newNightTest(t, d, func(n *nightly) { n.keep = 1 })
		x.await("03:00")
		for _, name := range others {
			if d.names[name] == nil {
				t.Errorf("%s was removed", name)
			}
		}
		for _, name := range []string{temp, wednesday} {
			if d.names[name] != nil {
				t.Errorf("%s is still there", name)
			}
		}
		const ofThisNight = "/backups/flats-1999-12-31.tar.gz"
		for _, name := range []string{monday, ofThisNight} {
			if d.names[name] == nil {
				t.Errorf("there is no %s; the files are %q", name, slices.Sorted(maps.Keys(d.names)))
			}
		}
	})
}

// TestNightlyUnwanted tests that no backup is made or removed where none are wanted.
func TestNightlyUnwanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := oneFlat()
		d.put("/backups/flats-1999-12-01.tar.gz", "x")
		x := newNightTest(t, d, func(n *nightly) { n.keep = 0 })
		time.Sleep(3 * day)
		x.want("1999-12-01")
	})
}

// TestNightlyWithoutFlats tests that a service without a flat makes no backup, hardly works for it, and does not warn.
func TestNightlyWithoutFlats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newNightTest(t, newSimDisk())
		before := forcedCollections()
		const days = 3
		time.Sleep(days * day)
		x.want()
		if n := forcedCollections() - before; n > days { // one of each look would make thousands
			t.Errorf("%d forced garbage collections in %d days without a backup; want at most one a day", n, days)
		}
		if state, err := x.night.state(); err != nil || state.Error != nil || strings.Contains(x.log.String(), "WARN") {
			t.Errorf("the state is %+v, %v; want no error and no warnings: %s", state, err, x.log)
		}
	})
}

// TestNightlyFails tests that a failure leaves nothing, is logged once, and is told until a backup succeeds.
func TestNightlyFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := oneFlat()
		broken := true // all but the removal of backups
		d.rule = func(what, name string) bool {
			return broken && strings.HasPrefix(name, "/backups/") && what != "remove"
		}
		x := newNightTest(t, d)
		time.Sleep(3 * time.Hour)
		x.want()
		state, _ := x.night.state()
		if state.Error == nil || strings.Count(x.log.String(), "level=WARN") != 1 {
			t.Errorf("the state is %+v; want an error, which is logged once: %s", state, x.log)
		}
		d.mu.Lock()
		broken = false
		d.mu.Unlock()
		time.Sleep(time.Hour)
		synctest.Wait()
		if state, err := x.night.state(); err != nil || state.Error != nil || len(state.Archives) != 1 {
			t.Errorf("an hour after the disk was mended the state is %+v, %v; want one archive", state, err)
		}
		// Whatever operation fails, nothing of the backup is left.
		for n := 1; ; n++ {
			x.await("02:50") // before the backup of the night
			x.update()
			d.mu.Lock()
			d.ops, d.failAt = nil, n
			before := len(d.names)
			d.mu.Unlock()
			err := x.night.backUpDay(t.Context(), "2099-01-01")
			d.mu.Lock()
			hasFailed := len(d.ops) >= n
			// A backup is complete before old ones are removed, so it stays if that fails.
			isRemoval := hasFailed && strings.HasPrefix(d.ops[n-1], "remove /backups/flats-2000-")
			if err != nil && !isRemoval && len(d.names) != before {
				t.Errorf("operation %d failed: %v leaves %q", n, err, slices.Sorted(maps.Keys(d.names)))
			}
			delete(d.names, "/backups/flats-2099-01-01.tar.gz")
			d.failAt = 0
			d.mu.Unlock()
			if !hasFailed { // the backup has fewer operations
				break
			}
		}
	})
}

// TestNightlyDay tests from when on a day's backup is due.
func TestNightlyDay(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ at, want string }{
		{"2026-01-15T01:59:59Z", "2026-01-14"}, {"2026-01-15T02:00:00Z", "2026-01-15"}, // 3:00 in winter
		{"2026-07-15T00:59:59Z", "2026-07-14"}, {"2026-07-15T01:00:00Z", "2026-07-15"}, // 3:00 in summer
		{"2026-03-29T00:59:59Z", "2026-03-28"}, {"2026-03-29T01:00:00Z", "2026-03-29"}, // 2:00 becomes 3:00
		{"2026-10-25T01:30:00Z", "2026-10-24"}, {"2026-10-25T02:00:00Z", "2026-10-25"}, // 3:00 becomes 2:00
		{"2025-12-31T23:30:00Z", "2025-12-31"}, // 0:30 on 1 January
	} {
		at, _ := time.Parse(time.RFC3339, c.at)
		n := &nightly{zone: paris, now: func() time.Time { return at }}
		if got := n.day(); got != c.want {
			t.Errorf("at %s the day is %s; want %s", c.at, got, c.want)
		}
	}
}

// TestBackupsOverHTTP tests the list of backups, and that each is an attachment that nothing stores.
func TestBackupsOverHTTP(t *testing.T) {
	dir := t.TempDir()
	config := defaultConfig()
	config.Data = filepath.Join(dir, "flats.json")
	config.WebsiteURL = "https://flats.example/"
	p, err := openProgram(config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer p.stop()
	get := func(path string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Host, r.RemoteAddr = "flats.example", "127.0.0.1:1234"
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		return w
	}
	if got := get("/api/v1/backups").Body.String(); got != `{"data":{"keep":7,"error":null,"archives":[]}}` {
		t.Errorf("got %s", got)
	}
	os.Mkdir(filepath.Join(dir, "backups"), 0o700)
	writeFile(t, dir, "backups/flats-2026-12-01.tar.gz", "one")
	writeFile(t, dir, "backups/flats-2026-12-02.tar.gz", "second")
	writeFile(t, dir, "backups/other.tar.gz", "mine")
	writeFile(t, dir, "secret", "secret")
	os.Symlink("../secret", filepath.Join(dir, "backups/flats-2026-12-03.tar.gz")) // is not listed
	const want = `{"data":{"keep":7,"error":null,"archives":[{"name":"flats-2026-12-02.tar.gz","date":"2026-12-02",` +
		`"bytes":6},{"name":"flats-2026-12-01.tar.gz","date":"2026-12-01","bytes":3}]}}`
	if got := get("/api/v1/backups").Body.String(); got != want {
		t.Errorf("got %s; want %s", got, want)
	}
	w := get("/api/v1/backups/flats-2026-12-02.tar.gz")
	if w.Code != 200 || w.Body.String() != "second" {
		t.Errorf("an archive: %d %s", w.Code, w.Body)
	}
	for name, want := range map[string]string{
		"Cache-Control":       "no-store",
		"Content-Disposition": `attachment; filename="flats-2026-12-02.tar.gz"`,
		"Content-Type":        "application/gzip",
		"Content-Length":      "6",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %q; want %q", name, got, want)
		}
	}
	for _, name := range []string{"flats-2026-12-03.tar.gz", "other.tar.gz", "flats-2026-12-04.tar.gz", "..%2fsecret",
		"flats-2026-12-02.tar.gz%00", "%2e%2e%2fflats.json"} {
		if w := get("/api/v1/backups/" + name); w.Code != 404 || w.Body.String() == "secret" {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// TestMaySet tests who may load backups: whoever has the password and, without one, this machine alone.
func TestMaySet(t *testing.T) {
	for _, c := range []struct {
		name, password, from, host string
		header                     []string
		want                       int
	}{
		{"this machine", "", "127.0.0.1:1", "flats.example", nil, 200},
		{"this machine by IPv6", "", "[::1]:1", "localhost:8080", nil, 200},
		{"the network", "", "192.168.1.5:1", "flats.example", nil, 403},
		{"the internet", "", "203.0.113.9:1", "flats.example", nil, 403},
		{"a proxy", "", "127.0.0.1:1", "flats.example", []string{"X-Forwarded-For", "203.0.113.9"}, 403},
		{"a proxy that says less", "", "127.0.0.1:1", "flats.example", []string{"X-Forwarded-Proto", "https"}, 403},
		{"another proxy", "", "127.0.0.1:1", "flats.example", []string{"Forwarded", "for=x"}, 403},
		{"nginx", "", "127.0.0.1:1", "flats.example", []string{"X-Real-IP", "203.0.113.9"}, 403},
		{"Via", "", "127.0.0.1:1", "flats.example", []string{"Via", "1.1 x"}, 403},
		{"a foreign name (DNS rebinding)", "", "127.0.0.1:1", "evil.example", nil, 403},
		{"a page of another site", "", "127.0.0.1:1", "flats.example", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"a page of the same site", "", "127.0.0.1:1", "flats.example", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"the page", "", "127.0.0.1:1", "flats.example", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		{"an address that somebody typed", "", "127.0.0.1:1", "flats.example", []string{"Sec-Fetch-Site", "none"}, 200},
		{"an origin that may use the API", "", "127.0.0.1:1", "flats.example",
			[]string{"Origin", "https://app.example"}, 403},
		{"the origin of the page", "", "127.0.0.1:1", "flats.example", []string{"Origin", "https://flats.example"}, 200},
		{"the page at another address", "", "127.0.0.1:1", "127.0.0.1:80", []string{"Origin", "http://127.0.0.1:80"}, 200},
		{"the password", "p", "203.0.113.9:1", "flats.example", []string{"Authorization", "Basic bTpw"}, 200},
		{"the password through a proxy", "p", "127.0.0.1:1", "flats.example",
			[]string{"Authorization", "Basic bTpw", "X-Forwarded-For", "203.0.113.9"}, 200},
		{"no password", "p", "127.0.0.1:1", "flats.example", nil, 401},
		{"the token of imports", "p", "127.0.0.1:1", "flats.example", []string{"Authorization", "Bearer import"}, 401},
		{"the password on another origin", "p", "127.0.0.1:1", "flats.example",
			[]string{"Authorization", "Basic bTpw", "Origin", "https://app.example"}, 403},
	} {
		config := defaultConfig()
		config.Addr, config.WebsiteURL = "0.0.0.0:8080", "https://flats.example/"
		config.CORSOrigins, config.ImportToken, config.FeedToken = []string{"https://app.example"}, "import", "feed"
		if c.password != "" {
			config.Username, config.Password = "m", c.password
		}
		p, err := newProgram(config, newStore(nil, nil, quiet, nil), &sideFile{}, quiet)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/api/v1/backups", "/api/v1/backups/flats-2026-12-01.tar.gz?token=feed"} {
			r := httptest.NewRequest("GET", path, nil)
			r.Host, r.RemoteAddr = c.host, c.from
			for i := 0; i < len(c.header); i += 2 {
				r.Header.Set(c.header[i], c.header[i+1])
			}
			w := httptest.NewRecorder()
			p.handler.ServeHTTP(w, r)
			want := c.want
			if want == 200 && strings.Contains(path, "?") {
				want = 404 // nothing has stored the backup that the path names
			}
			if w.Code != want {
				t.Errorf("%s: %s is answered with %d %s; want %d", c.name, path, w.Code, w.Body, want)
			}
			if w.Code == 403 && c.name == "the network" && !strings.Contains(w.Body.String(), "as password in config.json") {
				t.Errorf("the answer is %s", w.Body)
			}
		}
		p.stop()
	}
}
