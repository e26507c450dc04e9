// The program as the page's service, and a proxy in front of it.

package web

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// keptPhoto returns the entry of kept_photos for the photo at an address.
func keptPhoto(address string) object {
	return object{"url": address, "hash": fmt.Sprintf("%x", sha256.Sum256([]byte(address)))}
}

// pngOf returns a PNG of a width in pixels.
func pngOf(width int) string {
	var text strings.Builder
	if err := png.Encode(&text, image.NewGray(image.Rect(0, 0, width, 9))); err != nil {
		panic(err)
	}
	return text.String()
}

// startKeeping runs the program with flats and with photos that it has kept, given as PNG or JPEG by their addresses.
// It returns the URL of the program and the path of its folder.
func startKeeping(t *testing.T, config string, flats []object, photos map[string]string) (url, dir string) {
	t.Helper()
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "flats.json"), encode(flats))
	if err := os.Mkdir(filepath.Join(dir, "photos"), 0o700); err != nil {
		t.Fatal(err)
	}
	for address, photo := range photos {
		writeFile(t, filepath.Join(dir, "photos", fmt.Sprint(keptPhoto(address)["hash"])), photo)
	}
	return startIn(t, dir), dir
}

// flatsOfTwoPeople has five flats of two people: Ben has followed Attic and dismissed Barn; Ann and Ben have rated
// Castle differently; nobody has decided on Den and Elm. The decisions were made 32, 31 and 30 days ago.
var flatsOfTwoPeople = fmt.Sprintf(`[
	{"id": "a", "title": "Attic", "status": "followed", "status_by": "Ben", "cost": 900, "status_since": %q},
	{"id": "b", "title": "Barn", "status": "ignored", "status_by": "Ben", "status_since": %q},
	{"id": "c", "title": "Castle", "status": "contacted", "status_by": "Ann", "notation": 3,
	"ratings": {"Ann": 5, "Ben": 1}, "status_since": %q, "visit_date": "2031-12-07T18:30"},
	{"id": "d", "title": "Den", "status": "new"}, {"id": "e", "title": "Elm", "status": "new"}]`,
	daysAgo(32), daysAgo(31), daysAgo(30))

// testsBegan is when the tests began.
var testsBegan = browserNow()

// daysAgo returns noon of a day some days before the tests began, as the service writes it.
func daysAgo(days int) string { return noonDaysAgo(days).UTC().Format(time.RFC3339) }

// dayAgo returns the day of daysAgo as the page writes a day that is at least a week and at most ten months ago.
func dayAgo(days int) string { return inBritain(noonDaysAgo(days), "2 Jan") }

// noonDaysAgo returns noon of a day some days before the tests began, in the time zone of the browser.
func noonDaysAgo(days int) time.Time {
	year, month, day := testsBegan.Date()
	return time.Date(year, month, day-days, 12, 0, 0, 0, testsBegan.Location())
}

// inBritain formats a time as Britain writes it, where September is "Sept".
func inBritain(at time.Time, layout string) string {
	return strings.Replace(at.Format(layout), "Sep", "Sept", 1)
}

// openPeople opens the page of two people, as one of them if that is not "".
func openPeople(t *testing.T, me, hash string, width int) (*tab, *proxy) {
	t.Helper()
	p, network := openThroughProxy(t, start(t, flatsOfTwoPeople, `"people": ["Ann", "Ben"]`), hash, width)
	if me != "" {
		p.answerWho(me)
	}
	return p, network
}

// answerWho answers the question who uses the page with the name of a person.
func (p *tab) answerWho(name string) {
	p.t.Helper()
	p.clickOn(person(name))
	p.wait(whoIsAnswered)
}

// findField returns an expression for the JSON of a field of a flat, which it requests from find: /flats/ID lacks the
// fields that only find returns.
func findField(id, field string) string {
	return fmt.Sprintf(`fetch("api/v1/find?any[id]=%s&fields=%s").then((answer) => answer.json())
		.then(({data}) => JSON.stringify(data[0][%q]))`, id, field, field)
}

// readFolder returns the texts of the page's files, all files in this folder except the tests, by their names.
func readFolder(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(".", func(path string, file fs.DirEntry, err error) error {
		isTest := strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "testdata")
		if err == nil && !file.IsDir() && !isTest {
			texts[filepath.ToSlash(path)] = readFile(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// wholeFlag tells whether the tests that call onlyWhole run, too.
var wholeFlag = flag.Bool("whole", false, "run all tests of the page, not only the main way through most views")

// onlyWhole skips a test that is not about the main way through the page, unless -whole is given.
func onlyWhole(t *testing.T) {
	t.Helper()
	if !*wholeFlag {
		t.Skip("only with -whole")
	}
}

// flatsProgram is the path of the program, which TestMain builds.
var flatsProgram string

// TestMain runs the tests with more of them in parallel than by default.
func TestMain(m *testing.M) {
	// Tests mostly wait for the browser. Parse comes later, so that the command line wins.
	flag.Set("test.parallel", strconv.Itoa(1+runtime.GOMAXPROCS(0)))
	flag.Parse()
	os.Exit(run(m))
}

// run builds the program, runs the tests and cleans up.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "flats-page-test")
	if err != nil {
		log.Print(err)
		return 1
	}
	defer os.RemoveAll(dir)
	flatsProgram = filepath.Join(dir, "flats.exe")
	if output, err := exec.Command("go", "build", "-o", flatsProgram, "..").CombinedOutput(); err != nil {
		log.Printf("go build: %v\n%s", err, output)
		return 1
	}
	defer func() { chromium.stop() }()
	return m.Run()
}

// start runs the program until the test ends and returns its URL. The program
// serves flats, given as the text of their file, with the postal codes and the
// config of the sample. Settings are further members of the config, as JSON.
func start(t *testing.T, flats string, settings ...string) string {
	t.Helper()
	dir := t.TempDir()
	members := strings.Join(append(settings, ""), ",")
	config := strings.Replace(readFile(t, "testdata/sample/config.json"), "{", "{"+members, 1)
	writeFile(t, filepath.Join(dir, "config.json"), config)
	writeFile(t, filepath.Join(dir, "postal_codes.json"), readFile(t, "testdata/sample/postal_codes.json"))
	writeFile(t, filepath.Join(dir, "flats.json"), flats)
	return startIn(t, dir)
}

// startSample runs the program with the flats and views of testdata/sample, like start. It shifts all dates by the same
// number of weeks, so that the visits are in the future. Of its 15 flats the list shows the ten that are live: five are
// to sort, such as 4711 and lyon-1051@example, which stands in the first row, and five on the shortlist.
func startSample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writtenOn := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC) // a Monday: the dates of testdata are of this time
	shift := time.Since(writtenOn).Truncate(7 * 24 * time.Hour)
	for _, name := range []string{"config.json", "postal_codes.json", "views.json", "flats.json"} {
		text := readFile(t, "testdata/sample/"+name)
		if name == "flats.json" {
			text = sampleDay.ReplaceAllStringFunc(text, func(day string) string {
				at, _ := time.Parse(time.DateOnly, day) // always a date
				return at.Add(shift).Format(time.DateOnly)
			})
		}
		writeFile(t, filepath.Join(dir, name), text)
	}
	return startIn(t, dir)
}

var sampleDay = regexp.MustCompile(`\b20\d\d-\d\d-\d\d`)

// startIn runs the program in a folder until the test ends and returns its URL.
func startIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(flatsProgram, append(args, "-addr", "127.0.0.1:0")...)
	cmd.Dir = dir
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	var lines []string
	for scanner := bufio.NewScanner(stderr); scanner.Scan(); {
		lines = append(lines, scanner.Text())
		if _, url, ok := strings.Cut(scanner.Text(), "msg=listening url="); ok {
			go io.Copy(io.Discard, stderr)
			return strings.TrimSuffix(url, "/")
		}
	}
	t.Fatalf("the program exited before it listened:\n%s", strings.Join(lines, "\n"))
	return ""
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// get sends a GET request and returns the answer, whose body is closed, and the
// text of the body.
func get(t *testing.T, url string) (answer *http.Response, body string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// manyFlats returns the text of a file with n flats of about 1.2 KB each.
func manyFlats(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	words := func(n int) string {
		var b strings.Builder
		for range n {
			fmt.Fprintf(&b, "%x ", random.IntN(60_000))
		}
		return b.String()
	}
	var flats []map[string]any
	for i := range n {
		statuses := []string{"new", "new", "new", "new", "new", "new", "new", "followed", "contacted", "ignored"}
		flats = append(flats, object{
			"id":       fmt.Sprint(i, "@many"),
			"title":    words(6),
			"text":     words(150),
			"cost":     200 + random.IntN(2000),
			"area":     10 + random.IntN(150),
			"currency": "EUR",
			"rooms":    1 + i%5,
			"date":     fmt.Sprintf("2026-01-%02dT10:00:00", 1+i%28),
			"location": words(2),
			"photos":   []string{fmt.Sprintf("https://example.org/%d.jpg", i)},
			"status":   pick(random, statuses),
		})
	}
	return encode(flats)
}

// pick returns a random element of a list.
func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// encode returns a value as JSON, which is also an expression in JavaScript.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// A proxy is a reverse proxy between the tabs and the program. It can change
// answers, and cut connections as a lost network does.
type proxy struct {
	httputil.ReverseProxy
	target    atomic.Pointer[url.URL]
	down      atomic.Bool                          // whether the proxy cuts every connection, also of earlier requests
	hanging   atomic.Bool                          // whether requests get no answer until this is false again
	latency   atomic.Int64                         // milliseconds that each request to the API takes longer
	change    atomic.Pointer[func(*http.Response)] // changes each answer, unless nil
	forwarded atomic.Bool                          // whether the program is told that requests come from another machine
}

// newProxy starts a proxy in front of a program, which runs until the test ends.
// It returns the proxy and its URL.
func newProxy(t *testing.T, program string) (p *proxy, url string) {
	p = &proxy{}
	p.pointTo(program)
	p.ErrorLog = log.New(io.Discard, "", 0)
	p.FlushInterval = -1 // flush each write at once
	p.Rewrite = func(r *httputil.ProxyRequest) {
		r.SetURL(p.target.Load())
		r.Out.Host = r.In.Host // the program compares it with the origin
		if p.forwarded.Load() {
			r.SetXForwarded()
		}
		if p.change.Load() != nil {
			// change needs answers that have a body and are not compressed.
			r.Out.Header.Del("If-None-Match")
			r.Out.Header.Del("Accept-Encoding")
		}
	}
	p.ErrorHandler = func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) }
	p.ModifyResponse = func(answer *http.Response) error {
		if p.down.Load() {
			return errors.New("down")
		}
		if change := p.change.Load(); change != nil {
			(*change)(answer)
		}
		return nil
	}
	server := httptest.NewServer(p)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return p, server.URL
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.down.Load() {
		panic(http.ErrAbortHandler)
	}
	for p.hanging.Load() {
		select {
		case <-r.Context().Done():
			panic(http.ErrAbortHandler)
		case <-time.After(20 * time.Millisecond):
		}
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		time.Sleep(time.Duration(p.latency.Load()) * time.Millisecond)
	}
	p.ReverseProxy.ServeHTTP(w, r)
}

// pointTo makes the proxy send further requests to another program.
func (p *proxy) pointTo(program string) {
	target, err := url.Parse(program)
	if err != nil {
		panic(err)
	}
	p.target.Store(target)
}

// setBody replaces the body of an answer. The new body may read from the old one.
func setBody(answer *http.Response, body io.Reader) {
	answer.Body = struct {
		io.Reader
		io.Closer
	}{body, answer.Body}
	answer.ContentLength = -1
	answer.Header.Del("Content-Length")
}
