// Tests of photos.go.

package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/turns"
)

// An album is a store on a simulated disk, with a photo fetcher that runs.
type album struct {
	t      *testing.T
	disk   *simDisk
	folder *simDisk      // of the photos
	space  *atomic.Int64 // free bytes of the disk, 0 if that is not known
	store  *Store
	photos *photoFetcher
	host   *photoHost
	logs   *lockedBuffer
	stop   func()
}

// A photoHost answers with photos, in place of the network.
type photoHost struct {
	mu     sync.Mutex
	answer func(r *http.Request) (*http.Response, error) // nil for a photo
	asked  []string                                      // the addresses
	busy   bool
	joint  bool // two were asked for at a time
}

func (h *photoHost) RoundTrip(r *http.Request) (*http.Response, error) {
	h.mu.Lock()
	h.asked = append(h.asked, r.URL.String())
	h.joint = h.joint || h.busy
	h.busy = true
	answer := h.answer
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.busy = false
		h.mu.Unlock()
	}()
	if answer != nil {
		return answer(r)
	}
	return photoAnswer(pngOf(r.URL.String())), nil
}

// take returns the addresses that were asked for since the last call.
func (h *photoHost) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer func() { h.asked = nil }()
	return h.asked
}

// answerWith sets the answer of the host.
func (h *photoHost) answerWith(answer func(*http.Request) (*http.Response, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = answer
}

func photoAnswer(body string) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// newAlbum starts an album on empty disks that have room for all photos.
func newAlbum(t *testing.T) *album {
	t.Helper()
	return albumOn(t, newSimDisk(), newSimDisk(), 1<<30)
}

// albumOn starts an album whose photos may have maxPhotos bytes. It must be called in a bubble of synctest.
func albumOn(t *testing.T, disk, folder *simDisk, maxPhotos int64) *album {
	t.Helper()
	a := &album{t: t, disk: disk, folder: folder, host: &photoHost{}, logs: &lockedBuffer{}, space: &atomic.Int64{}}
	space := a.space // restart replaces a
	var err error
	if a.store, err = openStore("/flats.json", disk, nil, slog.New(slog.NewTextHandler(a.logs, nil))); err != nil {
		t.Fatal(err)
	}
	a.photos = newPhotoFetcher(a.store, "/flats.json", maxPhotos)
	a.photos.disk, a.photos.client.Transport = folder, a.host
	a.photos.free = func(string) (int64, bool) { return space.Load(), space.Load() > 0 }
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { a.photos.run(ctx) })
	synctest.Wait() // for the look at start
	a.stop = func() {
		cancel()
		running.Wait()
		a.store.Close()
	}
	return a
}

// restart stops the photo fetcher and starts another one on what is durable.
func (a *album) restart() {
	a.t.Helper()
	a.stop()
	*a = *albumOn(a.t, a.disk.restartSynced(), a.folder.restartSynced(), a.photos.maxBytes)
}

func (a *album) imports(listings string) {
	a.t.Helper()
	if _, err := newImporter(a.store).ImportText([]byte(listings), ""); err != nil {
		a.t.Fatal(err)
	}
}

// decides gives a flat a status.
func (a *album) decides(id, status string) {
	a.t.Helper()
	if _, err := a.store.Update(id, []byte(`{"status":"`+status+`"}`), nil, author{}); err != nil {
		a.t.Fatal(err)
	}
}

const noPhotos = "" // for wants

// wants waits, and then compares the addresses that were asked for, and the addresses of a flat's
// kept photos, which must have their files.
func (a *album) wants(what string, wait time.Duration, asked, id, kept string) {
	a.t.Helper()
	time.Sleep(wait)
	synctest.Wait()
	if got := strings.Join(a.host.take(), " "); got != asked {
		a.t.Errorf("%s: asked for %s; want %s", what, got, asked)
	}
	var urls []string
	for _, p := range a.store.Get(id).KeptPhotos.photos {
		urls = append(urls, p.URL)
		a.folder.mu.Lock()
		f := a.folder.names["/photos/"+hashOf(p.URL)]
		if f == nil || string(f.data) != pngOf(p.URL) || p.Hash != hashOf(p.URL) {
			a.t.Errorf("%s: %s has no file", what, p.URL)
		}
		a.folder.mu.Unlock()
	}
	if got := strings.Join(urls, " "); got != kept {
		a.t.Errorf("%s: %s has %s; want %s", what, id, got, kept)
	}
	a.host.mu.Lock()
	defer a.host.mu.Unlock()
	if a.host.joint {
		a.t.Errorf("%s: two photos were fetched at a time", what)
	}
}

// files returns the number of files in the folder, without the file of the prints.
func (a *album) files() int {
	a.folder.mu.Lock()
	defer a.folder.mu.Unlock()
	names := maps.Clone(a.folder.names)
	delete(names, "/photos/prints")
	return len(names)
}

const anHour, aWeek = time.Hour, 7 * 24 * time.Hour

// The photos of a flat are kept while it is on the shortlist and for a week after, whatever becomes
// of its listing.
func TestKeptPhotos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		defer func() { a.stop() }()
		a.imports(`[{"id":"a","photos":["http://h/1",{"url":"https://h:443/2?x=<é>"},"http://h/1","ftp://h/3",
			"data:image/png,x","http://h:8080/4","h/5",7,null,{"url":8},{"URL":"http://h/6"},"http:///7",
			"http://h/` + strings.Repeat("8", 4096) + `",["http://h/9"]]},
			{"id":"b","photos":"http://h/1"},{"id":"c","photos":{"url":"http://h/c"},"status":"new"}]`)
		a.wants("not yet decided", time.Minute, noPhotos, "a", noPhotos)
		before := a.store.Get("a")
		for _, status := range []string{"ignored", "duplicate", "user_deleted", "Followed"} {
			a.decides("a", status)
		}
		a.wants("not in the shortlist", time.Minute, noPhotos, "a", noPhotos)
		a.decides("a", "followed")
		a.decides("b", "contacted")
		const fetched = "http://h/1 https://h:443/2?x=<é>"
		a.wants("followed", 10*time.Second, fetched, "a", fetched)
		a.wants("the same address", 0, noPhotos, "b", "http://h/1")
		a.decides("c", "visited")
		time.Sleep(time.Second)
		since := a.store.Get("c").StatusSince.JSON()
		a.wants("visited", 9*time.Second, "http://h/c", "c", "http://h/c")
		if f := a.store.Get("c"); f.UpdatedAt.JSON() != since || f.FirstSeen.JSON() != before.FirstSeen.JSON() {
			t.Errorf("updated_at %s; want %s", f.UpdatedAt.JSON(), since)
		}
		// A photo that the listing no longer names stays as the last. Only a daily look removes photos.
		a.imports(`[{"id":"a","photos":["http://h/3","https://h:443/2?x=<é>"]}]`)
		const allOfA = "http://h/3 https://h:443/2?x=<é> http://h/1"
		a.wants("other photos", time.Minute, "http://h/3", "a", allOfA)
		a.imports(`[{"id":"a","photos":null}]`)
		a.wants("no photos", 8*24*time.Hour, noPhotos, "a", allOfA)
		a.restart()
		a.wants("a restart", anHour, noPhotos, "a", allOfA)
		// Missing photos are fetched at start.
		a.folder.mu.Lock()
		delete(a.folder.names, "/photos/"+hashOf("http://h/3"))
		a.folder.names["/photos/"+hashOf("unnamed")] = &simFile{data: []byte("x")}
		a.folder.names["/photos/"+hashOf("x")+".ABCDEFGH234567.tmp"] = &simFile{data: []byte("x")}
		a.folder.durable = maps.Clone(a.folder.names)
		a.folder.mu.Unlock()
		a.restart()
		a.wants("a lost file", anHour, "http://h/3", "a", allOfA)
		if n := a.files(); n != 4 {
			t.Errorf("%d files; want the 3 photos of a and the one of c", n)
		}
		// Photos go a week after the flat left the shortlist, but a photo that another flat names stays.
		a.decides("a", "ignored")
		a.wants("left", aWeek-2*anHour, noPhotos, "a", allOfA)
		a.wants("before the daily look", 3*anHour, noPhotos, "a", allOfA)
		a.wants("a week later", 24*anHour, noPhotos, "a", noPhotos)
		a.wants("another flat", 0, noPhotos, "b", "http://h/1")
		if n := a.files(); n != 2 {
			t.Errorf("%d files; want those of b and c", n)
		}
		a.decides("b", "new")
		time.Sleep(aWeek - 2*anHour)
		a.decides("b", "visited")
		a.wants("back in time", 3*24*anHour, noPhotos, "b", "http://h/1")
		// Listings do not change kept_photos.
		a.imports(`[{"id":"b","kept_photos":[{"url":"http://h/c","hash":"` + hashOf("http://h/c") + `"}]}]`)
		a.wants("a listing", anHour, noPhotos, "b", "http://h/1")
		state := a.photos.state()
		size := int64(len(pngOf("http://h/1")) + len(pngOf("http://h/c")))
		if state != (photoFetcherState{photos: 2, bytes: size}) {
			t.Errorf("the state is %+v; want 2 photos of %d bytes", state, size)
		}
		if logs := a.logs.String(); strings.Contains(logs, "WARN") {
			t.Errorf("the log is %s; want no warnings", logs)
		}
	})
}

// A flat that has left the shortlist in an edited file, which does not say when, keeps its photos for a week, too.
func TestPhotosOfEditedFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		a.imports(`[{"id":"a","photos":["http://h/1"]}]`)
		a.decides("a", "followed")
		a.wants("followed", anHour, "http://h/1", "a", "http://h/1")
		a.stop()
		disk := newSimDisk()
		disk.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","photos":["http://h/1"],"status":"ignored",` +
			`"kept_photos":[{"url":"http://h/1","hash":"` + hashOf("http://h/1") + `"}]}]`)}
		*a = *albumOn(t, disk, a.folder.restartSynced(), 1<<30)
		a.wants("edited", aWeek-2*anHour, noPhotos, "a", "http://h/1")
		a.wants("a week later", 2*24*anHour, noPhotos, "a", noPhotos)
		a.stop()
	})
}

// Only the first 30 photos of a flat are fetched. Those of the flat that was decided on last come first.
func TestManyPhotos(t *testing.T) {
	long(t)
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		defer func() { a.stop() }()
		const ordinary, photosEach, ofMany = 50, 20, 30
		const all = ordinary*photosEach + ofMany
		var flats []string
		for i := range ordinary {
			var photos []string
			for j := range photosEach {
				photos = append(photos, fmt.Sprintf(`{"url":"https://h%d/%d/%d.jpg"}`, i%3, i, j))
			}
			flats = append(flats, fmt.Sprintf(`{"id":%d,"photos":[%s]}`, i, strings.Join(photos, ",")))
		}
		a.imports("[" + strings.Join(flats, ",") + `,{"id":"many","photos":[` + repeated(99, `"http://h/%[1]d"`, ",") + "]}]")
		for i := range ordinary {
			a.decides(fmt.Sprint(i), "followed")
			time.Sleep(time.Millisecond)
		}
		a.decides("many", "followed")
		time.Sleep(10 * time.Minute)
		asked := a.host.take()
		if state := a.photos.state(); state != (photoFetcherState{photos: all, bytes: state.bytes}) || len(asked) != all {
			t.Fatalf("the state is %+v, asked for %d photos", state, len(asked))
		}
		// The flat that was decided on before is the last ordinary one.
		if asked[0] != "http://h/0" || asked[ofMany-1] != "http://h/29" || asked[ofMany] != "https://h1/49/0.jpg" {
			t.Errorf("first it asked for %q; want photos 0 to 29 of many, and the first one of flat 49", asked[:ofMany+1])
		}
		for i := range ordinary {
			if n := len(a.store.Get(fmt.Sprint(i)).KeptPhotos.photos); n != photosEach {
				t.Errorf("flat %d has %d photos; want %d", i, n, photosEach)
			}
		}
		// New addresses every day: the number of a flat's kept photos, and the folder, are bounded. Once there are maxKept,
		// no more are added. The first photos stay, after those of the listing.
		for day := range maxKept/ofMany + 1 {
			photo := `"http://h/%[1]d?day=` + fmt.Sprint(day) + `"`
			a.imports(`[{"id":"many","photos":[` + repeated(ofMany, photo, ",") + "]}]")
			time.Sleep(24 * time.Hour)
		}
		kept := a.store.Get("many").KeptPhotos.photos
		if last := kept[len(kept)-1]; len(kept) != maxKept || last.URL != "http://h/29" {
			t.Errorf("%d photos, the last one %+v; want %d, the last one http://h/29", len(kept), last, maxKept)
		}
		if n := len(a.host.take()); n != maxKept-ofMany || a.files() != ordinary*photosEach+maxKept {
			t.Errorf("asked for %d, %d files", n, a.files())
		}
		// Long addresses, which some sites sign anew, leave the flat room for its listing.
		a.decides("0", "followed")
		for day := range 10 {
			long := `"http://h/%[1]d?day=` + fmt.Sprint(day) + "&key=" + strings.Repeat("x", 4000) + `"`
			a.imports(`[{"id":"0","photos":[` + repeated(30, long, ",") + "]}]")
			time.Sleep(24 * time.Hour)
		}
		const maxPhotoJSON = maxPhotoURL + 100 // bytes: a URL, and the hash in 64 digits
		if n := len(a.store.Get("0").KeptPhotos.JSON()); n < maxNamed || n > maxNamed+30*maxPhotoJSON {
			t.Errorf("%d bytes", n)
		}
	})
}

// An answer that is no photo is not kept and holds up no other host. Its address is tried once more
// after a day, and then after a restart.
func TestPhotoFailures(t *testing.T) {
	endless := func() io.ReadCloser {
		return io.NopCloser(io.MultiReader(strings.NewReader(pngOf("")), readerFunc(func(b []byte) (int, error) {
			return len(b), nil
		})))
	}
	redirect := func(to string) func(r *http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 302, Header: http.Header{"Location": {to}}, Body: http.NoBody}, nil
		}
	}
	for _, c := range []struct {
		what     string
		answer   func(r *http.Request) (*http.Response, error)
		want     string // the error
		requests int    // for one photo, with those of redirects
	}{
		{"network", func(*http.Request) (*http.Response, error) { return nil, errors.New("secret") }, "no valid answer", 1},
		{"hangs", func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, "no answer in time", 1},
		{"drips", func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(readerFunc(func(b []byte) (int, error) {
				select {
				case <-r.Context().Done():
					return 0, r.Context().Err()
				case <-time.After(time.Second):
				}
				return 1, nil
			}))}, nil
		}, "no answer in time", 1},
		{"404", func(*http.Request) (*http.Response, error) { return answerOf(404), nil }, "it answered 404 Not Found", 1},
		{"206", func(*http.Request) (*http.Response, error) {
			answer := photoAnswer(pngOf("x"))
			answer.StatusCode = 206
			return answer, nil
		}, "it answered 206 Partial Content", 1},
		{"lies", func(*http.Request) (*http.Response, error) {
			answer := photoAnswer("<html><script>alert(1)</script>")
			answer.Header.Set("Content-Type", "image/png")
			return answer, nil
		}, "it is not a JPEG, PNG, GIF or WebP image", 1},
		{"SVG", func(*http.Request) (*http.Response, error) {
			return photoAnswer("<svg xmlns='http://www.w3.org/2000/svg'/>"), nil
		}, "it is not a JPEG, PNG, GIF or WebP image", 1},
		{"empty", func(*http.Request) (*http.Response, error) { return photoAnswer(""), nil },
			"it is not a JPEG, PNG, GIF or WebP image", 1},
		{"1 GB", func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: 1 << 30, Body: endless()}, nil
		}, "it has more than 10485760 bytes", 1},
		{"redirects", redirect("http://bad/again"), "it answered 302 Found", 4},
		{"another port", redirect("http://bad:8080/"), "it answered 302 Found", 1},
		{"a file", redirect("file:///etc/passwd"), "it answered 302 Found", 1},
		{"nowhere", redirect("http://%zz/"), "no valid answer", 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := newAlbum(t)
			defer func() { a.stop() }()
			answer := func(r *http.Request) (*http.Response, error) {
				if r.URL.Host == "bad" {
					return c.answer(r)
				}
				return photoAnswer(pngOf(r.URL.String())), nil
			}
			a.host.answerWith(answer)
			a.imports(`[{"id":"a","photos":["http://bad/1","http://bad/2","http://good/1"]},
				{"id":"b","photos":["http://good/2","http://bad/2"],"status":"followed"}]`)
			a.decides("a", "followed")
			time.Sleep(2 * time.Minute)
			redirected := strings.Repeat("|http://bad/again", c.requests-1)
			one, two := "|http://bad/1"+redirected, "|http://bad/2"+redirected
			// After a failure the host waits, and the other one comes first.
			want := one + "|http://good/1|http://good/2" + two
			if got := "|" + strings.Join(a.host.take(), "|"); got != want {
				t.Errorf("%s: asked for %s; want %s", c.what, got, want)
			}
			state := a.photos.state()
			text := "photos that could not be fetched: 2, the last one from bad: " + c.want
			if state.photos != 2 || state.waiting != 0 || state.storeErr != nil || fmt.Sprint(state.fetchErr) != text {
				t.Errorf("%s: the state is %+v; want %s", c.what, state, text)
			}
			if a.files() != 2 || len(a.store.Get("a").KeptPhotos.photos) != 1 {
				t.Errorf("%s: %d files", c.what, a.files())
			}
			time.Sleep(23 * time.Hour)
			if got := a.host.take(); len(got) > 0 {
				t.Errorf("%s: before a day it asked for %q", c.what, got)
			}
			time.Sleep(2 * time.Hour)
			if got := "|" + strings.Join(a.host.take(), "|"); got != one+two {
				t.Errorf("%s: after a day it asked for %s; want %s", c.what, got, one+two)
			}
			time.Sleep(3 * 24 * time.Hour)
			if got := a.host.take(); len(got) > 0 {
				t.Errorf("%s: after two tries it asked for %q", c.what, got)
			}
			a.restart()
			a.wants(c.what, time.Minute, "http://bad/1 http://bad/2", "a", "http://bad/1 http://bad/2 http://good/1")
			if state := a.photos.state(); state.fetchErr != nil || state.photos != 4 {
				t.Errorf("%s: after a restart the state is %+v", c.what, state)
			}
		})
	}
}

// Without a network no photo uses up one of its two tries: all wait until the network is back.
func TestPhotosOffline(t *testing.T) {
	refused := &net.OpError{Op: "dial", Err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}
	for _, away := range []error{refused, &net.OpError{Op: "dial", Err: syscall.ENETUNREACH}} {
		synctest.Test(t, func(t *testing.T) {
			a := newAlbum(t)
			defer func() { a.stop() }()
			a.host.answerWith(func(*http.Request) (*http.Response, error) { return nil, away })
			a.imports(`[{"id":"a","photos":["http://h/1","http://i/2"],"status":"followed"}]`)
			time.Sleep(4 * 24 * time.Hour)
			state := a.photos.state()
			if state.waiting != 2 || state.fetchErr != nil || state.storeErr != errNoNetwork {
				t.Errorf("the state is %+v; want 2 photos to fetch, and %v", state, errNoNetwork)
			}
			if n := len(a.host.take()); n > 4*24+10 { // once an hour, and more often at first
				t.Errorf("it asked %d times", n)
			}
			a.host.answerWith(func(r *http.Request) (*http.Response, error) {
				return photoAnswer(pngOf(r.URL.String())), nil
			})
			time.Sleep(2 * time.Hour)
			if state := a.photos.state(); state.photos != 2 || state.waiting != 0 || state.storeErr != nil {
				t.Errorf("with a network the state is %+v", state)
			}
		})
	}
}

// When the disk is full, or max_photos is reached, the folder keeps its photos. Fetching goes on when
// there is room. The log says so once.
func TestPhotoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := albumOn(t, newSimDisk(), newSimDisk(), 100) // room for five photos of "http://h/1"
		defer func() { a.stop() }()
		a.folder.setFull(true)
		a.imports(`[{"id":"a","photos":["http://h/1","http://h/2"],"status":"followed"},{"id":"b","photos":"http://h/3"}]`)
		a.wants("a full disk", 50*time.Second, "http://h/1", "a", noPhotos)
		if state := a.photos.state(); state.storeErr == nil || a.files() != 0 {
			t.Errorf("on a full disk the state is %+v, %d files", state, a.files())
		}
		a.wants("a full disk", time.Minute, "http://h/1", "a", noPhotos)
		a.folder.setFull(false)
		a.wants("room", 5*time.Minute, "http://h/1 http://h/2", "a", "http://h/1 http://h/2")
		if state := a.photos.state(); state.storeErr != nil {
			t.Errorf("with room the state is %+v", state)
		}
		long := "http://h/" + strings.Repeat("x", 50)
		a.imports(`[{"id":"a","photos":["http://h/2","` + long + `","http://h/1","http://h/4"]}]`)
		a.wants("max_photos", time.Minute, long, "a", "http://h/2 http://h/1")
		a.decides("b", "followed")
		a.wants("max_photos", 3*24*time.Hour, noPhotos, "b", noPhotos)
		if err := a.photos.state().storeErr; err == nil ||
			err.Error() != "the kept photos have reached their limit of 100 bytes (max_photos)" {
			t.Errorf("above max_photos: %v", err)
		}
		logs := a.logs.String()
		if strings.Count(logs, "photos cannot be kept") != 2 || !strings.Contains(logs, "max_photos") {
			t.Errorf("the log is %s; want two warnings, which name max_photos", logs)
		}
		a.decides("a", "new")
		a.wants("room again", 8*24*time.Hour+anHour, "http://h/3", "b", "http://h/3")
		if state := a.photos.state(); state.storeErr != nil || a.files() != 1 {
			t.Errorf("with room again the state is %+v, %d files", state, a.files())
		}
		// Photos whose names cannot be stored are named later.
		a.imports(`[{"id":"b","photos":["http://h/3","http://h/5"]}]`)
		time.Sleep(time.Millisecond)
		a.disk.setFull(true)
		a.wants("a full disk of the flats", time.Minute, "http://h/5", "b", "http://h/3")
		if err := a.photos.state().storeErr; err == nil || !strings.HasPrefix(err.Error(), "nothing was stored") {
			t.Errorf("on a full disk of the flats: %v", err)
		}
		a.disk.setFull(false)
		a.wants("room for the flats", time.Minute, noPhotos, "b", "http://h/3 http://h/5")
	})
}

// Photos leave space on the disk, and go on when there is more.
func TestPhotoSpace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := albumOn(t, newSimDisk(), newSimDisk(), 1000)
		defer func() { a.stop() }()
		a.space.Store(minFree + 1)
		a.imports(`[{"id":"a","photos":["http://h/1"],"status":"followed"}]`)
		a.wants("little space", time.Minute, "http://h/1", "a", noPhotos)
		if err := a.photos.state().storeErr; err == nil || !strings.Contains(err.Error(), "256 MiB") || a.files() != 0 {
			t.Errorf("with little space: %v, %d files", err, a.files())
		}
		if logs := a.logs.String(); strings.Count(logs, "photos cannot be kept") != 1 {
			t.Errorf("the log is %s; want one warning", logs)
		}
		a.space.Store(2 * minFree)
		a.wants("more space", time.Hour, "http://h/1", "a", "http://h/1")
		if err := a.photos.state().storeErr; err != nil {
			t.Errorf("with more space: %v", err)
		}
	})
}

// keptGood is the photo in keptWithBad that is named as photos are: by the hash of its URL.
const keptGood = "http://h/1"

// keptWithBad is a kept_photos whose other elements do not name files of photos.
var keptWithBad = `[{"url":"x","hash":"../flats.json"},{"url":"` + keptGood + `","hash":"` + hashOf(keptGood) + `"},
	{"url":"http://h/2","hash":"` + strings.ToUpper(hashOf("http://h/2")) + `"},{"url":"http://h/3","hash":"views.json"},
	{"url":5,"hash":"` + hashOf("") + `x"},{"url":"http://h/4"},7,null]`

// Flats keep only the names of photos, whether they are read from flats.json or from an import.
func TestPhotoNames(t *testing.T) {
	path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"read","status":"new","kept_photos":`+keptWithBad+`},
		{"id":"text","kept_photos":"../flats.json"}]`)
	var logs lockedBuffer
	store, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := newImporter(store).ImportText([]byte(`[{"id":"imported","status":"ignored","status_since":"`+
		time.Now().UTC().Format(time.RFC3339)+`","kept_photos":`+keptWithBad+`},
		{"id":"bad","kept_photos":[{"url":"../flats.json","hash":"../flats.json"}]}]`), ""); err != nil {
		t.Fatal(err)
	}
	one := `[{"url":"` + keptGood + `","hash":"` + hashOf(keptGood) + `"}]`
	for id, want := range map[string]string{"read": one, "imported": one, "text": "null", "bad": "null"} {
		if got := store.Get(id).KeptPhotos.JSON(); got != want {
			t.Errorf("%s has %s; want %s", id, got, want)
		}
	}
	if n := strings.Count(logs.String(), "invalid value ignored"); n != 2 || strings.Count(logs.String(), "count=2") != 2 {
		t.Errorf("%d warnings; want 2, each about two flats: %s", n, logs.String())
	}
}

// newFetcherOnDisk returns a photo fetcher that does nothing until look or ask is called. Its store has flats.json next
// to the folder of the photos, which is empty.
func newFetcherOnDisk(t *testing.T, flats string) (pf *photoFetcher, path string) {
	t.Helper()
	path = writeFile(t, t.TempDir(), "flats.json", flats)
	store, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	pf = newPhotoFetcher(store, path, 1<<30)
	pf.client.Transport = &photoHost{}
	if err := os.Mkdir(pf.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return pf, path
}

// wantFiles reports an error unless a folder has exactly the files.
func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	var names []string
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if slices.Sort(want); !slices.Equal(names, want) {
		t.Errorf("the folder has %q; want %q", names, want)
	}
}

// The first look removes the photos that no flat names, and temporary files, but nothing else. Only photos are opened.
func TestPhotoFiles(t *testing.T) {
	pf, path := newFetcherOnDisk(t, `[{"id":"a","kept_photos":`+keptWithBad+`}]`)
	os.Mkdir(filepath.Join(pf.folder, hashOf("folder")), 0o700)
	writeFile(t, pf.folder, hashOf(keptGood), pngOf("good"))
	writeFile(t, pf.folder, hashOf("unnamed"), pngOf("unnamed"))
	writeFile(t, pf.folder, "notes.txt", "mine")
	writeFile(t, pf.folder, hashOf("x")+".ABCDEFGH234567.tmp", "x")
	outside := writeFile(t, filepath.Dir(path), "outside", "x")
	if err := os.Symlink(outside, filepath.Join(pf.folder, hashOf("link"))); err != nil {
		t.Fatal(err)
	}
	if !pf.lookOnce(t.Context()) {
		t.Fatal(pf.state().storeErr)
	}
	wantFiles(t, pf.folder, hashOf(keptGood), hashOf("folder"), hashOf("link"), "notes.txt")
	if readFile(t, outside) != "x" || readFile(t, path) == "" {
		t.Error("a file outside the folder has changed")
	}
	if state := pf.state(); state.photos != 1 || state.bytes != int64(len(pngOf("good"))) {
		t.Errorf("the state is %+v; want the photo good alone", state)
	}
	for hash, isPhoto := range map[string]bool{hashOf(keptGood): true, hashOf("link"): false, hashOf("folder"): false,
		"../flats.json": false, "notes.txt": false, "": false, strings.ToUpper(hashOf(keptGood)): false} {
		file, _, err := pf.open(hash)
		if (err == nil) != isPhoto || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v; a photo: %v", hash, err, isPhoto)
		}
		if err == nil {
			file.Close()
		}
	}
}

// A new photo becomes a file that only the user can read, and the next look names it in its flat. A photo that was
// there before gets its print after the new one.
func TestPhotoIsStored(t *testing.T) {
	pf, _ := newFetcherOnDisk(t, `[{"id":"old","kept_photos":`+keptWithBad+`},
		{"id":"new","status":"followed","photos":["http://h/new"]}]`)
	writeFile(t, pf.folder, hashOf(keptGood), pngOf("good"))
	if !pf.lookOnce(t.Context()) || len(pf.queue) != 2 || !pf.queue[1].lacksOnlyPrint() {
		t.Fatalf("the first look: %+v, the queue is %+v", pf.state(), pf.queue)
	}
	gotNew, gotPrint := pf.ask(t.Context()), pf.ask(t.Context())
	if !gotNew || !gotPrint || !pf.lookOnce(t.Context()) {
		t.Errorf("a new photo: %+v", pf.state())
	}
	wantFiles(t, pf.folder, hashOf(keptGood), hashOf("http://h/new"), printsBase)
	if info, err := os.Stat(filepath.Join(pf.folder, hashOf("http://h/new"))); err != nil || info.Mode() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	if got := pf.store.Get("new").KeptPhotos.JSON(); got !=
		`[{"url":"http://h/new","hash":"`+hashOf("http://h/new")+`"}]` {
		t.Errorf("the flat has %s", got)
	}
}

// A folder that was removed is made again.
func TestPhotoFolderMadeAgain(t *testing.T) {
	pf, _ := newFetcherOnDisk(t, `[{"id":"a","status":"followed","photos":["http://h/1"]}]`)
	pf.lookOnce(t.Context())
	os.RemoveAll(pf.folder)
	for range 2 { // the first photo finds no folder and makes it, and is asked for again
		pf.lookOnce(t.Context())
		pf.ask(t.Context())
	}
	readFile(t, filepath.Join(pf.folder, hashOf("http://h/1")))
}

// Once another service has the data, photos are no longer removed, because it may need them.
func TestPhotosOfOtherService(t *testing.T) {
	pf, path := newFetcherOnDisk(t, `[{"id":"a"}]`)
	pf.store.Update("a", []byte(`{"notes":"first"}`), nil, author{})
	other, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.Update("a", []byte(`{"notes":"other"}`), nil, author{})
	writeFile(t, pf.folder, hashOf("other"), pngOf("x"))
	if pf.lookOnce(t.Context()) || !isConflict(pf.state().storeErr) {
		t.Errorf("with another service: %v", pf.state().storeErr)
	}
	readFile(t, filepath.Join(pf.folder, hashOf("other")))
}

// Addresses of this machine and of networks that it is in are not public, in any form.
func TestIsPublic(t *testing.T) {
	for text, want := range map[string]bool{
		"8.8.8.8": true, "203.0.113.1": true, "100.63.255.255": true, "100.128.0.1": true, "172.32.0.1": true,
		"2001:4860:4860::8888": true, "::ffff:8.8.8.8": true, "64:ff9b::808:808": true, "2002:808:808::1": true,
		"127.0.0.1": false, "127.255.255.255": false, "10.0.0.1": false, "172.16.0.1": false, "172.31.255.255": false,
		"192.168.1.1": false, "169.254.169.254": false, "100.64.0.1": false, "100.127.255.255": false, "224.0.0.1": false,
		"239.255.255.255": false, "255.255.255.255": false, "240.0.0.1": false, "0.0.0.0": false, "0.1.2.3": false,
		"::1": false, "::": false, "::2": false, "::127.0.0.1": false, "fe80::1": false, "fe80::1%eth0": false,
		"fc00::1": false, "fd12:3456::1": false, "fec0::1": false, "ff02::1": false, "64:ff9b:1::a00:1": false,
		"::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false, "::ffff:100.64.0.1": false, "::ffff:169.254.169.254": false,
		"64:ff9b::7f00:1": false, "64:ff9b::a00:1": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b::6440:1": false,
		"2002:7f00:1::": false, "2002:c0a8:101::1": false, "2002:a9fe:a9fe::": false, "2002::": false,
		"2001::1": false, "2001:0:808:808::1": false, "2001:1::1": true, "2001:10::1": false, "2001:1f:ffff::": false,
		"2001:20::1": true, "2001:db8::1": false, "2001:db9::1": true, "3fff::1": false, "3fff:fff:ffff::": false,
		"3fff:1000::1": true, "192.88.99.1": false, "192.88.98.1": true, "2a00::5efe:10.0.0.1": false,
		"2a00:1:2:3:200:5efe:8.8.8.8": false, "2a00:1:2:3:100:5efe:8.8.8.8": true,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("isPublic(%s) = %v; want %v", text, got, want)
		}
	}
	for text, want := range map[string]bool{"8.8.8.8:80": true, "[2001:4860::1]:443": true, "8.8.8.8:8080": false,
		"127.0.0.1:80": false, "[::1]:443": false, "[fe80::1%eth0]:80": false, "localhost:80": false, "": false} {
		if err := onlyPublic("tcp", text, nil); (err == nil) != want {
			t.Errorf("onlyPublic(%s) = %v", text, err)
		}
	}
}

// A redirect to a private address is not followed, and a name that resolves to one is not asked,
// whatever it resolved to before. No proxy changes that.
func TestPhotosArePublic(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	var reached atomic.Int64
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		io.WriteString(w, pngOf("secret"))
	}))
	defer private.Close()
	// The names resolve to one address after the other.
	names := map[string][]string{"rebinds.example.": {"203.0.113.7", "127.0.0.1"}, "private.example.": {"192.168.0.1"},
		"metadata.example.": {"169.254.169.254"}}
	var mu sync.Mutex
	before := net.DefaultResolver
	defer func() { net.DefaultResolver = before }()
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go answerDNS(server, func(name string) string {
			mu.Lock()
			defer mu.Unlock()
			list := names[name]
			if len(list) == 0 {
				return ""
			}
			names[name] = list[min(1, len(list)-1):]
			return list[0]
		})
		return client, nil
	}}
	store := newService(t, "[]", "[]").store
	k := newPhotoFetcher(store, "flats.json", 2<<30)
	if _, err := k.fetch(t.Context(), "http://public.example/"); err == nil || strings.Contains(err.Error(), "proxy") {
		t.Errorf("a name that does not resolve: %v", err)
	}
	var dialed []string
	transport := k.client.Transport.(*http.Transport)
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address == "public.example:80" {
			return net.Dial("tcp", private.Listener.Addr().String()) // as if it had a public address
		}
		conn, err := dial(ctx, network, address)
		dialed = append(dialed, fmt.Sprint(address, " ", err))
		return conn, err
	}
	const refused = "not a public address with port 80 or 443"
	for _, address := range []string{"http://127.0.0.1/", "http://localhost/", "https://[::1]/", "http://0.0.0.0/",
		"http://[::]/",
		"http://2130706433/", "http://127.1/", "http://0x7f.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://10.0.0.1:443/",
		"http://[64:ff9b::7f00:1]/", "http://[fe80::1%25lo]/", "http://private.example/", "http://metadata.example/latest/"} {
		_, err := k.fetch(t.Context(), address)
		numeric := regexp.MustCompile("2130706433|127.1|0x7f").MatchString(address) // a name here, and unknown
		if err == nil || !numeric && !strings.Contains(err.Error(), refused) {
			t.Errorf("%s: %v; want %s", address, err, refused)
		}
	}
	// From here on a connection that is allowed is not made.
	dial = (&net.Dialer{Control: func(network, address string, c syscall.RawConn) error {
		return cmp.Or(onlyPublic(network, address, c), errors.New("allowed"))
	}}).DialContext
	if _, err := k.fetch(t.Context(), "http://rebinds.example/"); err == nil || !strings.Contains(err.Error(), "allowed") {
		t.Errorf("a public address: %v", err)
	}
	if _, err := k.fetch(t.Context(), "http://rebinds.example/"); err == nil || !strings.Contains(err.Error(), refused) {
		t.Errorf("a private address after a public one: %v", err)
	}
	if reached.Load() != 0 {
		t.Errorf("%d requests got through: %q", reached.Load(), dialed)
	}
	// The first request gets through, and the redirect does not.
	private.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		http.Redirect(w, r, map[string]string{"/1": "http://127.0.0.1/", "/2": "http://rebinds.example/",
			"/3": private.URL}[r.URL.Path], http.StatusFound)
	})
	for path, want := range map[string]string{"/1": refused, "/2": refused, "/3": "it answered 302 Found"} {
		_, err := k.fetch(t.Context(), "http://public.example"+path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a redirect %s: %v; want %s", path, err, want)
		}
	}
	if reached.Load() != 3 {
		t.Errorf("%d requests got through; want 3", reached.Load())
	}
}

// answerDNS answers the questions on a connection with an IPv4 address for each name, "" for none.
func answerDNS(conn net.Conn, address func(name string) string) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		const headSize = 12
		name, at := "", headSize
		for query[at] > 0 { // a label of so many bytes
			name += string(query[at+1:at+1+int(query[at])]) + "."
			at += 1 + int(query[at])
		}
		question := query[headSize : at+len("\x00TTCC")] // the name with the 0 at its end, a type and a class
		// The id of the query, flags of a recursive answer without error, one question and no records.
		answer := slices.Concat(query[:2], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question)
		if isIPv4 := query[at+2] == 1; isIPv4 { // the low byte of the type
			if to := address(name); to != "" {
				ip := netip.MustParseAddr(to).As4()
				answer[7] = 1 // the number of records
				// A record of the name at byte 12 of the answer: type A, class IN, valid for 0 seconds, of 4 bytes.
				answer = slices.Concat(answer, []byte{0xc0, headSize, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4}, ip[:])
			}
		}
		binary.BigEndian.PutUint16(size[:], uint16(len(answer)))
		if _, err := conn.Write(slices.Concat(size[:], answer)); err != nil {
			return
		}
	}
}

// A kept photo is served with its type, for ever, and nothing in it can run.
func TestPhotoRoutes(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", "[]")
	store, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	folder := filepath.Join(dir, "photos")
	os.Mkdir(folder, 0o700)
	long := pngOf(strings.Repeat("long ", 20_000))
	for name, text := range map[string]string{"png": long, "jpeg": "\xff\xd8\xff\xe0x", "gif": "GIF89ax",
		"webp": "RIFF0000WEBPVP8 x", "html": "<html><script>alert(1)</script>", "empty": ""} {
		writeFile(t, folder, hashOf(name), text)
	}
	s := newService(t, "[]", "[]")
	s.want(s.ask("GET", "/api/v1/photos", ""), 200,
		`{"data":{"configured":false,"photos":0,"bytes":0,"waiting":0,"error":null}}`)
	s.refuse(s.ask("GET", "/api/v1/photos/"+hashOf("png"), ""), 404, "No photo with hash "+hashOf("png")+".")
	s.store, s.importer = store, newImporter(store)
	s = s.with(func(c *Config) { c.Data, c.KeepPhotos, c.Username, c.Password = path, true, "u", "p" })
	password := basic("u", "p")
	s.want(s.ask("GET", "/api/v1/photos", "", "Authorization", password), 200,
		`{"data":{"configured":true,"photos":0,"bytes":0,"waiting":0,"error":null}}`)
	if got := s.ask("GET", "/api/v1/photos/"+hashOf("png"), ""); got.status != 401 {
		t.Errorf("without a password: %d", got.status)
	}
	for name, contentType := range map[string]string{"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif",
		"webp": "image/webp"} {
		target := "/api/v1/photos/" + hashOf(name)
		got := s.ask("GET", target, "", "Authorization", password, "Accept-Encoding", "gzip")
		tag := `"` + hashOf(name) + `"`
		for header, want := range map[string]string{"Content-Type": contentType, "Etag": tag, "Content-Encoding": "",
			"Cache-Control":           "private, max-age=31536000, immutable",
			"Content-Security-Policy": "sandbox; frame-ancestors 'none'",
			"X-Content-Type-Options":  "nosniff", "Vary": "Origin, Sec-Fetch-Dest, Sec-Fetch-Site"} {
			if got := got.header.Get(header); got != want {
				t.Errorf("%s: %s: %s; want %s", name, header, got, want)
			}
		}
		if got.status != 200 || got.body != readFile(t, filepath.Join(folder, hashOf(name))) {
			t.Errorf("%s: %d with %d bytes", name, got.status, len(got.body))
		}
		got = s.ask("GET", target, "", "Authorization", password, "If-None-Match", tag)
		if got.status != 304 || got.body != "" {
			t.Errorf("%s: with its tag %d", name, got.status)
		}
		if got := s.ask("HEAD", target, "", "Authorization", password); got.status != 200 || got.body != "" {
			t.Errorf("%s: HEAD %d %q", name, got.status, got.body)
		}
	}
	for _, hash := range []string{hashOf("html"), hashOf("empty"), hashOf("none"), "x", "..", "%2e%2e%2fflats.json",
		"..%2fflats.json", strings.ToUpper(hashOf("png")), hashOf("png") + "x"} {
		got := s.ask("GET", "/api/v1/photos/"+hash, "", "Authorization", password)
		if got.status != 404 || got.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: %d %v %.80q", hash, got.status, got.header, got.body)
		}
	}
	got := s.ask("OPTIONS", "/api/v1/photos/x", "")
	if got.status != 200 || got.body != "{}" || got.header.Get("Allow") != "GET, HEAD, OPTIONS" {
		t.Errorf("OPTIONS: %d %s %v", got.status, got.body, got.header)
	}
	if got := s.ask("GET", "/api/v1/find?fields=kept_photos", "", "Authorization", password); got.status != 200 {
		t.Errorf("find: %d %s", got.status, got.body)
	}
}

// The daily look keeps the file of a photo that its flat does not name because the flat changed in
// that moment.
func TestPhotoOfChangedFlat(t *testing.T) {
	const photo = "http://h/1"
	folder := newSimDisk()
	folder.names["/photos/"+hashOf(photo)] = &simFile{data: []byte(pngOf("1"))}
	store, err := openStore("/flats.json", newSimDisk(), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	listing := `[{"id":"a","photos":["` + photo + `"],"text":"` + strings.Repeat("long ", 1000) + `"}]`
	if _, err := newImporter(store).ImportText([]byte(listing), ""); err != nil {
		t.Fatal(err)
	}
	update := func(set string) {
		if _, err := store.Update("a", []byte(set), nil, author{}); err != nil {
			t.Error(err)
		}
	}
	update(`{"status":"followed"}`)
	k := newPhotoFetcher(store, "/flats.json", 1<<30)
	k.disk = folder
	changed := false
	work := turns.NewTask(&hookedContext{Context: t.Context(), onErr: func() {
		if !changed { // the edit is made, and not stored
			changed = true
			update(`{"notes":"n"}`)
		}
	}}, store.turns)
	work.Spend(time.Hour) // so that each look at the clock is one at the context
	k.look(work)
	work.Pause()
	if kept := store.Get("a").KeptPhotos; !changed || kept.Known() {
		t.Errorf("the flat has changed: %v, and keeps %s", changed, kept.JSON())
	}
	if folder.names["/photos/"+hashOf(photo)] == nil {
		t.Error("the file is removed")
	}
	if k.lookOnce(t.Context()); !store.Get("a").KeptPhotos.Known() {
		t.Error("the photo is not named later")
	}
}

// The daily look keeps the file of a photo that its flat does not name because it would become too
// large.
func TestUnnamedPhotos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		defer func() { a.stop() }()
		a.imports(`[{"id":"large","photos":["http://h/1"]}]`)
		a.decides("large", "followed")
		room := maxLine.bytes - a.store.Get("large").size().bytes - len(`,"text":""`)
		const left = 50 // bytes, fewer than kept_photos needs
		text := strings.Repeat("x", room-left)
		if _, err := a.store.Update("large", []byte(`{"text":"`+text+`"}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
		a.wants("fetched", time.Minute, "http://h/1", "large", noPhotos)
		a.wants("after two days", 49*time.Hour, noPhotos, "large", noPhotos)
		if n := a.files(); n != 1 {
			t.Errorf("%d files; want that of the photo", n)
		}
		if _, err := a.store.Update("large", []byte(`{"text":"short"}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
		a.wants("once there is room", anHour, noPhotos, "large", "http://h/1")
	})
}
