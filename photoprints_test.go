// Tests of photoprints.go, and of what the photo fetcher and the search for duplicates do with prints.

package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/picture"
	"flats/internal/turns"
)

// roomJPEG draws a room, which a number names, in a size and a quality.
func roomJPEG(number uint64, w, h, quality int) string {
	random := rand.New(rand.NewPCG(number, 1))
	room := image.NewRGBA(image.Rect(0, 0, w, h))
	for range 40 {
		x, y := random.IntN(100), random.IntN(100)
		things := image.Rect(x*w/100, y*h/100, (x+10+random.IntN(40))*w/100, (y+10+random.IntN(40))*h/100)
		paint := color.RGBA{uint8(random.Uint32()), uint8(random.Uint32()), uint8(random.Uint32()), 255}
		for at := things.Min; at.Y < things.Max.Y; at.Y++ {
			for at.X = things.Min.X; at.X < things.Max.X; at.X++ {
				room.SetRGBA(at.X, at.Y, paint)
			}
		}
	}
	var b bytes.Buffer
	jpeg.Encode(&b, room, &jpeg.Options{Quality: quality})
	return b.String()
}

// roomOf answers with the picture of a room: /NUMBER, or /NUMBER/small as another site shows the same picture.
func roomOf(r *http.Request) (*http.Response, error) {
	var number uint64
	fmt.Sscanf(r.URL.Path, "/%d", &number)
	if strings.HasSuffix(r.URL.Path, "/small") {
		return photoAnswer(roomJPEG(number, 160, 120, 60)), nil
	}
	return photoAnswer(roomJPEG(number, 320, 240, 90)), nil
}

// groups returns the answer of Duplicates.
func (a *album) groups() string {
	list, _ := a.store.Duplicates(turns.NewTask(a.t.Context(), turns.NewQueue()))
	return list
}

// seesGroups waits, and then compares the answer of Duplicates.
func (a *album) seesGroups(what string, wait time.Duration, want string) {
	a.t.Helper()
	time.Sleep(wait)
	synctest.Wait()
	if got := a.groups(); got != want {
		a.t.Errorf("%s: the groups are %s; want %s", what, got, want)
	}
}

// file returns the content of a file in the folder of photos.
func (a *album) file(name string) string {
	a.folder.mu.Lock()
	defer a.folder.mu.Unlock()
	if f := a.folder.names["/photos/"+name]; f != nil {
		return string(f.data)
	}
	return ""
}

// put puts a file into the folder of photos, durably.
func (a *album) put(name, text string) {
	a.folder.put("/photos/"+name, text)
}

const oneGroup = `[{"ids":["a","b"],"because":["photo"],"same_photos":["a","b"]}]`

// Kept photos that show one picture tell that two flats are one home, whatever their URLs. Each is looked at once, and
// again only where that was lost.
func TestPhotoPrints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		defer func() { a.stop() }()
		a.host.answerWith(roomOf)
		a.imports(`[{"id":"a","photos":["http://h/1"]},{"id":"b","photos":["http://i/1/small"]},
			{"id":"c","photos":["http://i/2"]}]`)
		a.seesGroups("nothing is kept", time.Minute, "[]")
		for _, id := range []string{"a", "b", "c"} {
			a.decides(id, "followed")
		}
		a.seesGroups("kept", time.Minute, oneGroup)
		if state := a.photos.state(); state.photos != 3 || state.waiting != 0 || state.storeErr != nil {
			t.Errorf("the state is %+v; want 3 photos, and none to fetch", state)
		}
		// After a restart no photo is read again, so that another picture in the file does not matter.
		prints := a.file("prints")
		fileOfB := hashOf("http://i/1/small")
		roomOne, roomSeven := roomJPEG(1, 160, 120, 60), roomJPEG(7, 160, 120, 80)
		a.put(fileOfB, roomSeven)
		a.restart()
		a.seesGroups("a restart", time.Minute, oneGroup)
		if got := a.file("prints"); got != prints || prints == "" {
			t.Errorf("the prints are %q; want %q", got, prints)
		}
		// Prints that cannot be used are made anew: from room 7, which only b shows, and then from room 1 again.
		for what, text := range map[string]string{
			"damaged":         strings.Replace(prints, "~", "=", 1),
			"torn":            prints[:len(prints)-1],
			"another version": strings.Replace(prints, "prints 1", "prints 2", 1),
			"empty":           "",
			"large":           strings.Repeat("x", maxPrintsFile+1),
		} {
			a.put(fileOfB, roomSeven)
			a.put("prints", text)
			a.restart()
			a.seesGroups(what, time.Minute, "[]")
			a.put(fileOfB, roomOne)
			a.put("prints", text)
			a.restart()
			a.seesGroups(what+", mended", time.Minute, oneGroup)
			if got := a.file("prints"); got != prints {
				t.Errorf("%s: the prints are %q; want %q", what, got, prints)
			}
		}
		if asked := a.host.take(); len(asked) > 0 {
			t.Errorf("asked for %q again", asked)
		}
		// With the photo goes its print.
		a.decides("b", "ignored")
		a.seesGroups("a week later", 9*24*time.Hour, "[]") // the photo goes at a daily look after that week
		if got := a.file("prints"); strings.Contains(got, hashOf("http://i/1/small")) || got == "" {
			t.Errorf("the prints are %q", got)
		}
		if logs := a.logs.String(); strings.Contains(logs, "WARN") || strings.Contains(logs, "ERROR") {
			t.Errorf("the log has a warning or an error: %s", logs)
		}
	})
}

// A full disk, and a kill before the prints are stored, cost no photo and no print.
func TestPhotoPrintsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t)
		defer func() { a.stop() }()
		a.host.answerWith(roomOf)
		a.imports(`[{"id":"a","photos":["http://h/1"],"status":"followed"},
			{"id":"b","photos":["http://i/1/small"],"status":"followed"}]`)
		a.seesGroups("kept", time.Minute, oneGroup)
		prints := a.file("prints")
		a.put("prints", "")
		a.put("prints.ABCDEFGH234567.tmp", "x")
		a.stop()
		folder := a.folder.restartSynced()
		folder.setFull(true)
		*a = *albumOn(t, a.disk.restartSynced(), folder, 1<<30)
		a.seesGroups("a full disk", time.Minute, oneGroup)
		if got := a.file("prints") + a.file("prints.ABCDEFGH234567.tmp"); got != "" || a.photos.state().photos != 2 {
			t.Errorf("on a full disk the prints are %q, and the state is %+v", got, a.photos.state())
		}
		a.folder.setFull(false)
		a.seesGroups("room", 2*time.Hour, oneGroup)
		if got := a.file("prints"); got != prints {
			t.Errorf("with room the prints are %q; want %q", got, prints)
		}
		// Whatever a kill leaves, the file of prints is whole.
		halfWritten := survivors{unsynced: true, halfAppended: true}
		for _, disk := range []*simDisk{a.folder.restartSynced(), a.folder.restart(halfWritten), a.folder.killed()} {
			if f := disk.names["/photos/prints"]; f == nil || string(f.data) != prints {
				t.Errorf("after a kill the prints are %+v", f)
			}
		}
	})
}

// TestPicturedPairs tests which flats are duplicates by the pictures of their kept photos.
func TestPicturedPairs(t *testing.T) {
	list := func(texts ...string) string { return "[" + strings.Join(texts, ",") + "]" }
	// flat returns a flat with photos that show the pictures of these numbers. "-" is a photo without a print. more
	// has further members.
	flat := func(id, pictures, more string) string {
		var photos []string
		for i, number := range strings.Fields(pictures) {
			url := fmt.Sprintf("http://%s/%d/%s", id, i, number)
			photos = append(photos, fmt.Sprintf(`{"url":%q,"hash":%q}`, url, hashOf(url)))
		}
		return fmt.Sprintf(`{"id":%q,"kept_photos":%s%s}`, id, list(photos...), more)
	}
	many := func(n int, more string) string { // flats with picture 1
		var flats []string
		for i := range n {
			flats = append(flats, flat(fmt.Sprint("m", i), "1", more))
		}
		return strings.Join(flats, ",")
	}
	const home = `,"area":50,"rooms":2,"service_postal_code":"69007"`
	for _, c := range []struct{ what, flats, want string }{
		{"one picture", list(flat("a", "1", ""), flat("b", "1", "")), "a b photo"},
		{"other pictures", list(flat("a", "1", ""), flat("b", "2", "")), ""},
		{"no prints", list(flat("a", "-", ""), flat("b", "-", "")), ""},
		{"one of two", list(flat("a", "1 2", ""), flat("b", "3 1", "")), "a b photo"},
		{"one of three, as the front of a building", list(flat("a", "1 2 3", ""), flat("b", "4 1 5", "")), ""},
		{"two of three", list(flat("a", "1 2 3", ""), flat("b", "2 3 4", "")), "a b photo"},
		{"all of the flat with fewer", list(flat("a", "1 2 3 4 5 6", ""), flat("b", "2 -", "")), "a b photo"},
		{"one picture often in one flat", list(flat("a", "1 1 1 2 3", ""), flat("b", "1 4 5", "")), ""},
		{"one picture twice in one flat alone", list(flat("a", "1 1", ""), flat("b", "2 2", "")), ""},
		{"eight flats", list(many(8, "")), "m0 m1 m2 m3 m4 m5 m6 m7 photo"},
		{"nine flats", list(many(9, "")), ""},
		{"eight flats, and a duplicate", list(many(8, ""), flat("d", "1", `,"status":"duplicate"`)), ""},
		{"a picture of nine flats counts for neither", list(many(7, `,"status":"duplicate"`), flat("a", "1 2", ""),
			flat("b", "1 2", "")), "a b photo"},
		{"a duplicate", list(flat("a", "1", ""), flat("b", "1", `,"status":"duplicate"`)), ""},
		{"kept apart", list(flat("a", "1", `,"not_duplicates":["b"]`), flat("b", "1", "")), ""},
		{"the same facts", list(flat("a", "1", home), flat("b", "1", home)), "a b photo"},
		{"2 m² more", list(flat("a", "1", home), flat("b", "1", home+`,"area":52`)), "a b photo"},
		{"3 m² more", list(flat("a", "1", home), flat("b", "1", home+`,"area":53`)), ""},
		{"other rooms", list(flat("a", "1", home), flat("b", "1", home+`,"rooms":3`)), ""},
		{"other code", list(flat("a", "1", home), flat("b", "1", home+`,"service_postal_code":"69003"`)), ""},
		{"unknown facts", list(flat("a", "1", home), flat("b", "1", "")), "a b photo"},
		{"other floor", list(flat("a", "1", `,"location":"Weg 5, 3. OG"`), flat("b", "1", `,"location":"Weg 5, 4. OG"`)), ""},
		{"three flats", list(flat("a", "1", ""), flat("b", "2", ""), flat("c", "1", "")), "a c photo"},
	} {
		s := newService(t, c.flats, "[]")
		numbers := map[string]int{} // of pictures, by the hashes of photos
		for _, f := range s.store.snapshot().all() {
			for _, p := range f.KeptPhotos.photos {
				if number := p.URL[strings.LastIndexByte(p.URL, '/')+1:]; number != "-" {
					numbers[p.Hash] = int(number[0] - '1')
				}
			}
		}
		if got := s.duplicates(); strings.Contains(got, "photo") {
			t.Errorf("%s: before the photos are compared: %s", c.what, got)
		}
		tag := s.ask("GET", "/api/v1/duplicates", "").header.Get("Etag")
		s.store.pictures.Store(&pictureList{numbers})
		// Flats with the same facts are also at the same place.
		if got := s.duplicates(); got != c.want && got != c.want+" place" {
			t.Errorf("%s: %s; want %s", c.what, got, c.want)
		}
		if s.ask("GET", "/api/v1/duplicates", "", "If-None-Match", tag).status != 200 {
			t.Errorf("%s: the tag stays when the photos have been compared", c.what)
		}
	}
}

// The answer names the flats of a group whose photos show the same, and not the others.
func TestSamePhotos(t *testing.T) {
	photo := func(url string) string { return fmt.Sprintf(`[{"url":%q,"hash":%q}]`, url, hashOf(url)) }
	s := newService(t, `[{"id":1,"kept_photos":`+photo("http://a")+`},{"id":"b","merged_ids":[1]},
		{"id":"c","kept_photos":`+photo("http://c")+`},{"id":"d","photos":["http://x"]},
		{"id":"e","photos":["http://x"]},{"id":"f","urls":["https://portal.example/48120011"]},
		{"id":"g","urls":["https://www.portal.example/de/flat-48120011.html"]}]`, "[]")
	s.store.pictures.Store(&pictureList{map[string]int{hashOf("http://a"): 5, hashOf("http://c"): 5}})
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[{"ids":[1,"b","c"],"because":["merged_ids","photo"],`+
		`"same_photos":[1,"c"]},{"ids":["d","e"],"because":["photo"]},{"ids":["f","g"],"because":["number"],`+
		`"same_links":["f","g"]}]}`)
}

// Prints are read as they were written, and nothing of a file that differs in any byte.
func TestParsePrints(t *testing.T) {
	prints := photoPrints{}
	for i := range 50 {
		content := strings.Repeat(fmt.Sprint("x", i), 10_000)
		prints[hashOf(fmt.Sprint(i))] = picture.Of([]byte(content), func(int) {})
	}
	prints[hashOf("none")] = picture.Print{} // of a photo that cannot be decoded
	text := prints.text()
	if got := parsePrints(text); !maps.Equal(got, prints) || len(got) != 51 {
		t.Errorf("%d prints are read; want 51", len(got))
	}
	for i := range len(text) {
		damaged := []byte(text)
		damaged[i] ^= 1 // flips a bit
		if got := parsePrints(string(damaged)); len(got) > 0 {
			t.Fatalf("%d prints are read of a text that is damaged at %d", len(got), i)
		}
	}
	const mostEach = 99 // bytes of a print in the file
	empty := len(photoPrints{}.text())
	if n := len(text) - empty; n > len(prints)*mostEach || maxPrintsFile < maxPrints*mostEach+empty {
		t.Errorf("51 prints have %d bytes", n)
	}
	for _, other := range []string{"", "prints 1", "x\n", "\n", text + "x", strings.TrimSuffix(text, "\n")} {
		if got := parsePrints(other); len(got) > 0 {
			t.Errorf("%d prints are read of %.50q", len(got), other)
		}
	}
}

// Photos are numbered by what they show, in steps that grow with their number, also if they are hardly different.
func TestNumbered(t *testing.T) {
	parsed := func(right, down uint64) picture.Print {
		print, ok := picture.Parse(fmt.Sprintf("~%016x%016x", right, down))
		if !ok {
			t.Fatal("no print")
		}
		return print
	}
	random := rand.New(rand.NewPCG(3, 3))
	prints, want := photoPrints{}, map[string]int{}
	for i := range 300 {
		right, down := random.Uint64(), random.Uint64()
		for k := range 3 { // three photos of the picture, which differ in a few bits
			hash := hashOf(fmt.Sprint(i, " ", k))
			prints[hash] = parsed(right^uint64(k)<<(i%60), down^uint64(k)<<(k+i%50))
			want[hash] = i
		}
	}
	prints[hashOf("none")] = picture.Print{} // gets no number
	numbers := prints.pictures(turns.NewTask(t.Context(), turns.NewQueue())).numbers
	pictureOf := map[int]int{} // by the number that a picture has got, its number in want
	for hash, number := range numbers {
		if other, isKnown := pictureOf[number]; isKnown && other != want[hash] {
			t.Errorf("two pictures have the number %d", number)
		}
		pictureOf[number] = want[hash]
	}
	if len(numbers) != 3*300 || len(pictureOf) != 300 {
		t.Errorf("%d photos have %d numbers; want 900 and 300", len(numbers), len(pictureOf))
	}
	steps := func(n int) int {
		prints := photoPrints{}
		for i := range n { // many share all bands but two
			prints[hashOf(fmt.Sprint(i))] = parsed(uint64(i)*0x9e3779b97f4a7c15&0x8102040810204081, uint64(i%2))
		}
		work := turns.NewTask(t.Context(), turns.NewQueue())
		prints.pictures(work)
		return work.Steps()
	}
	if once, twice := steps(1000), steps(2000); twice > once*22/10 {
		t.Errorf("%d steps, and %d for twice the photos", once, twice)
	}
}
