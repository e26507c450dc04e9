package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"
	"weak"
)

// Tests of the service. Those of the page are in web/page_test.go.
//
// A number at the end of a test's name is a section of api.md, the specification of
// version 1 of the API: TestPages_4_1 checks sentences of section 4.1. docs/api.md
// describes the same routes, and those that have come since, by name.
//
// Helpers of many sections come first, then what the service does, in the order of
// api.md, then its files, and last what looks inside. A section begins with its own
// helpers; a helper of one test stands above that test.
//
//	Service                  a service in memory; requests and answers
//	Program                  the test binary as the program
//	Disk                     a disk in memory that fails, fills up and loses power
//	Hunt                     a store on a simulated disk, and the receiver of its messages
//	Model                    a second, naive implementation of lists and search
//	Flats and postal codes   api.md 2 and 3
//	Lists                    api.md 4.1: filter, sort and pages
//	Routes                   api.md 4.2: the route table
//	One flat                 api.md 4.3: reading and updates
//	Search                   api.md 4.3: full text
//	Calendar                 api.md 4.4: the calendar feed
//	Access                   api.md 4.5 and 5: preflight, password, origins, hosts, paths
//	Errors                   api.md 7
//	Find                     queries of GET /find: conditions, derived fields, counts, CSV
//	Views                    saved views
//	Messages                 what a view's receiver is told
//	Imports                  listings over HTTP and by the command
//	Import folder            files of the import folder
//	Corrections              what a user has corrected survives imports
//	Duplicates               listings of one home
//	Travel times             positions, stops and journeys
//	People                   who decided, and what each person thinks
//	Photos                   photos that are kept
//	Assistants               the Model Context Protocol and its tools
//	Description              the OpenAPI description and the examples of docs/api.md
//	Command                  command line, config, sample
//	Clients                  connections and slow clients
//	Long runs                many clients, hostile requests and kills; -whole lengthens them
//	Files                    flats.json and its journal; failing disks; two services
//	Backup                   the recipe for a backup
//	Inside                   cached orders, the index, turns, steps and memory
//	Bounds                   a bound for the work and the memory of every input
//	Fuzz                     targets for parsers and encoders
//	Benchmarks               ratios to what the standard library does alone
//
// By default, long tests run briefly or not at all: -whole, -kills N and -soak 1h run
// them in full.

// Service
// -------

// A service is a handler under test.
type service struct {
	testing.TB
	http.Handler
	config *Config
	store  *Store
	logs   *bytes.Buffer
}

// newService starts a service in memory. flats and codes are the contents of the files of
// flats and postal codes.
func newService(t testing.TB, flats, codes string) *service {
	t.Helper()
	s := &service{TB: t, logs: &bytes.Buffer{}}
	var err error
	s.config, err = parseConfig("config.json", []byte(`{"website_url": "https://flats.example/", "constraints": {
		"lyon": {"areas": ["FR-84"], "time_to": {"work": {"gps": [45.76, 4.85], "time": [0, 1800]},
			"Gare \"Perrache\"": {"gps": [45.7485, 4.8258]}}},
		"anywhere": {"time_to": {}}}}`), quiet)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := readPostalCodes("codes.json", []byte(codes))
	if err != nil {
		t.Fatal(err)
	}
	postal := newPostalCodes(rows, s.config.Constraints)
	list, err := readFlats("flats.json", []byte(flats), postal, quiet)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	s.store = newStore(list, postal, log, nil)
	t.Cleanup(func() { s.store.Close() })
	s.Handler = testHandler(s, s.config, s.store, log, false)
	return s
}

// with returns a service on the same store with a changed config.
func (s *service) with(change func(*Config)) *service {
	config := *s.config
	change(&config)
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	handler := testHandler(s, &config, s.store, log, true)
	return &service{s.TB, handler, &config, s.store, s.logs}
}

// described returns a service of the sample and its OpenAPI description.
func described(t *testing.T) (*service, object) {
	t.Helper()
	config, err := options{sample: true}.config(quiet)
	if err != nil {
		t.Fatal(err)
	}
	config.WebsiteURL = "https://flats.example/"
	store := openSample(config, time.Now(), quiet)
	t.Cleanup(func() { store.Close() })
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	to, err := url.Parse(receiver.URL)
	if err != nil {
		t.Fatal(err)
	}
	config.Notify = &Notify{url: to}
	handler := testHandler(t, config, store, quiet, false)
	s := &service{t, handler, config, store, &bytes.Buffer{}}
	got := s.ask("GET", "/api/v1/openapi.json", "")
	var description object
	err = json.Unmarshal([]byte(got.body), &description)
	if err != nil || got.status != 200 || got.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%v, %d %v", err, got.status, got.header)
	}
	return s, description
}

// testHandler returns the handler of a store without views. Nothing runs beside it.
func testHandler(t testing.TB, config *Config, store *Store, log *slog.Logger, accessLog bool) http.Handler {
	t.Helper()
	notifier := testNotifier(t, config, store)
	finder := newFinder(store, config.Travel, config.Constraints, config.Timezone)
	keeper := newKeeper(store, config.Data, config.MaxPhotos)
	return newHandler(config, store, notifier, finder, keeper, log, accessLog)
}

// testNotifier returns a notifier, which is not running, of a store without views.
func testNotifier(t testing.TB, config *Config, store *Store) *notifier {
	t.Helper()
	views, err := newViews(store, "views.json", "", quiet)
	if err != nil {
		t.Fatal(err)
	}
	return newNotifier(views, config.Notify, config.WebsiteURL)
}

// quiet is a logger that discards everything.
var quiet = slog.New(slog.DiscardHandler)

const testCodes = `[{"postal_code":"69007","name":"Lyon 7e","lat":45.7336,"lng":4.8375,"area":"FR-84"},
	{"postal_code":"69007","name":"second of its code","lat":1,"lng":2,"area":"FR-84"},
	{"postal_code":"69003","name":"Lyon 3e","lat":45.7535,"lng":4.8695,"area":"FR-84"},
	{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846,"area":"DE-BE"},
	{"postal_code":"99999","name":"nowhere","lat":null,"lng":null,"area":null}]`

const testFlats = `[
{"id":"a","title":"Studio","cost":500,"area":20.5,"text":"small","status":"followed","service_constraint":"lyon",
	"service_postal_code":"69007"},
{"id":"b","title":"Loft","cost":1200.00,"area":80,"currency":"EUR","rooms":3,"date":"2026-01-02T10:00:00+01:00",
	"status":"new","x_seen":[1, 2],"photos":[{"url":"https://example.org/1.jpg"}]},
{"id":7,"title":"Attic","cost":700,"area":80,"notes":"","status":5,"visit_date":"2026-12-01T18:00",
	"service_constraint":"anywhere","service_postal_code":"10115"},
{"id":"d","title":null,"cost":null,"date":"2026-01-02T09:00:00Z","status":{"k": "v"},"details":{"floor": 2},
	"service_constraint":"lyon","service_postal_code":"10115"},
{"id":"e","title":"Loft","cost":700,"area":79,"status":null,"service_constraint":"nobody","service_postal_code":"69007"}
]`

// benchFlats returns n listings of about 1.2 KB. Their words follow a Zipf distribution, as
// in natural text, and many listings share a status, cost or area.
func benchFlats(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.1, 4, 60_000)
	vocabulary := make([]string, 60_001)
	for i := range vocabulary {
		word := make([]byte, 2+random.IntN(9))
		for j := range word {
			word[j] = "etaoinshrdlcumwfgypbvk"[random.IntN(22)]
		}
		vocabulary[i] = string(word)
	}
	words := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(vocabulary[zipf.Uint64()] + " ")
		}
		return strings.TrimSpace(b.String())
	}
	statuses := []string{"new", "new", "new", "new", "new", "new", "new", "followed", "contacted", "ignored"}
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `%c
{"id":"%d@bench","title":"%s w%d","text":"%s","cost":%d,"area":%d,"currency":"EUR","rooms":%d,
	"date":"2026-01-%02dT10:00:00","location":"%s","photos":[{"url":"https://example.org/%d.jpg"}],"status":"%s",
	"service_constraint":"c"}`,
			"[,"[min(i, 1)], i, words(6), i, words(150), 200+random.IntN(2000), 10+random.IntN(150), 1+i%5, 1+i%28,
			words(2), i, statuses[random.IntN(10)])
	}
	b.WriteString("\n]\n")
	return b.String()
}

// A reply is an HTTP response.
type reply struct {
	status int
	header http.Header
	body   string
}

// ask sends a request and returns the reply. header alternates names and values.
func (s *service) ask(method, target, body string, header ...string) reply {
	s.Helper()
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "flats.example"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got := s.send(r)
	length, streamed := got.header.Get("Content-Length"), strings.Contains(target, "fields=") ||
		strings.HasPrefix(got.header.Get("Content-Type"), "text/csv") || got.header.Get("Content-Encoding") != ""
	if length != strconv.Itoa(len(got.body)) && !streamed && method != "HEAD" &&
		!slices.Contains([]int{202, 204, 304, 307}, got.status) {
		s.Errorf("%s %s: Content-Length %q, body of %d bytes", method, target, length, len(got.body))
	}
	if got.header.Get("X-Content-Type-Options") != "nosniff" {
		s.Errorf("%s %s: X-Content-Type-Options is not nosniff", method, target)
	}
	return got
}

// send sends a request as it is, and returns the reply.
func (s *service) send(r *http.Request) reply {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return reply{w.Code, w.Header(), w.Body.String()}
}

// want checks the status and the body. It compares bodies as JSON if both are JSON.
func (s *service) want(got reply, status int, body string) {
	s.Helper()
	if got.status != status || !sameJSON(got.body, body) {
		s.Errorf("got  %d %s\nwant %d %s", got.status, got.body, status, body)
	}
}

// refuse checks that a reply is an error object with the status and text.
func (s *service) refuse(got reply, status int, text string) {
	s.Helper()
	s.want(got, status, fmt.Sprintf(`{"error":%s,"status_code":%d}`, encodeJSON(text), status))
	if ct := got.header.Get("Content-Type"); ct != "application/json" {
		s.Errorf("the error has the Content-Type %q", ct)
	}
}

// sameJSON reports whether a and b are equal JSON values, or equal texts if one is not JSON.
func sameJSON(a, b string) bool {
	var x, y any
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return a == b
	}
	return reflect.DeepEqual(x, y)
}

// ids returns the ids of the flats in a list, or the postal codes in a list of postal codes,
// separated by spaces.
func (s *service) ids(got reply) string {
	s.Helper()
	if got.status != 200 {
		s.Fatalf("got %d %s", got.status, got.body)
	}
	var list struct {
		Data []struct {
			ID   json.RawMessage `json:"id"`
			Code string          `json:"postal_code"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(got.body), &list); err != nil {
		s.Fatalf("%v in %s", err, got.body)
	}
	var ids []string
	for _, f := range list.Data {
		ids = append(ids, strings.Trim(string(f.ID)+f.Code, `"`))
	}
	return strings.Join(ids, " ")
}

// listed formats a list answer as one line: the ids in order, the total and the page.
func (s *service) listed(got reply) string {
	s.Helper()
	var tail struct {
		Page  json.Number `json:"page"`
		Items json.Number `json:"items_per_page"`
	}
	ids := s.ids(got)
	if err := json.Unmarshal([]byte(got.body), &tail); err != nil {
		s.Fatal(err)
	}
	return fmt.Sprintf("%s; total %s, page %s, items_per_page %s", ids, got.header.Get("X-Total-Count"), tail.Page,
		tail.Items)
}

// search sends a search; params is a raw query string.
func (s *service) search(query, params string) reply {
	s.Helper()
	return s.ask("POST", "/api/v1/search?"+params, `{"query":`+encodeJSON(query)+`}`)
}

// query escapes the names and values of an unescaped query string.
func query(s string) string {
	var b strings.Builder
	for i, p := range strings.Split(s, "&") {
		name, value, eq := strings.Cut(p, "=")
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(name))
		if eq {
			b.WriteString("=" + url.QueryEscape(value))
		}
	}
	return b.String()
}

// An object is a decoded JSON object.
type object = map[string]any

// member returns the value at a path in a JSON value, or nil if there is none.
func member(value any, path ...string) any {
	for _, name := range path {
		switch v := value.(type) {
		case object:
			value = v[name]
		case []any:
			i, _ := strconv.Atoi(name)
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// pick returns a random element of from.
func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

// writeFile writes a file and returns its path.
func writeFile(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
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

// allocatedBy returns the number of bytes that f allocates.
func allocatedBy(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// listen serves a handler as the program does until the test ends, and returns its
// URL.
func listen(t testing.TB, handler http.Handler) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- serve(ctx, smallBuffers{listener}, handler, quiet) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + listener.Addr().String()
}

// smallBuffers is a listener with small send buffers, so that a server soon notices a
// slow client.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		c.(*net.TCPConn).SetWriteBuffer(64 << 10)
	}
	return c, err
}

// dial connects to a URL of listen, until the test ends.
func dial(t testing.TB, url string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A readerFunc is an io.Reader.
type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// A writerFunc is an http.ResponseWriter that discards the header.
type writerFunc func(b []byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }

func (w writerFunc) WriteHeader(int) {}

func (w writerFunc) Header() http.Header { return http.Header{} }

// A firstWriter calls a function before each write.
type firstWriter struct {
	http.ResponseWriter
	first func()
}

func (w *firstWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *firstWriter) Write(b []byte) (int, error) {
	w.first()
	return w.ResponseWriter.Write(b)
}

// A countedContext is canceled after a number of calls of Err.
type countedContext struct {
	context.Context
	remaining int
}

func (c *countedContext) Err() error {
	c.remaining--
	if c.remaining < 0 {
		return context.Canceled
	}
	return nil
}

var whole = flag.Bool("whole", false, "run the long tests in full")

// long skips a test that takes seconds, unless -whole is set.
func long(t *testing.T) {
	t.Helper()
	if !*whole {
		t.Skip("needs -whole")
	}
}

// rounds returns the number of rounds of a random test: n with -whole, else n/8.
func rounds(n int) int {
	if *whole {
		return n
	}
	return n / 8
}

// Program
// -------

// TestMain runs main instead of the tests if FLATS_TEST_PROGRAM is set, so that tests can
// start the test binary as the program.
func TestMain(m *testing.M) {
	if os.Getenv("FLATS_TEST_PROGRAM") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A program is a running process of the program, in its own folder.
type program struct {
	testing.TB
	*exec.Cmd
	url    string // without a path
	stderr *lockedBuffer
}

// command returns a command that runs the program in dir.
func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "FLATS_TEST_PROGRAM=1")
	return cmd
}

// start starts the program on a free port and waits until it listens.
func start(t testing.TB, dir string, args ...string) *program {
	t.Helper()
	p := &program{TB: t, Cmd: command(dir, append([]string{"-addr", "127.0.0.1:0"}, args...)...),
		stderr: &lockedBuffer{}}
	p.Stderr = p.stderr
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	p.await("the program to listen", func() bool {
		p.url = regexp.MustCompile(`http://[0-9.:]+`).FindString(p.stderr.String())
		return p.url != ""
	})
	return p
}

// await waits until done returns true.
func (p *program) await(what string, done func() bool) {
	p.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.Fatalf("timed out waiting for %s; the log is\n%s", what, p.stderr)
		}
	}
}

// stop terminates the program as a service manager does, and checks that it exits
// without an error.
func (p *program) stop() {
	p.Helper()
	if runtime.GOOS == "windows" {
		p.Process.Kill()
		p.Wait()
		return
	}
	p.Process.Signal(syscall.SIGTERM)
	if err := p.Wait(); err != nil {
		p.Errorf("the program exited with %v; the log is\n%s", err, p.stderr)
	}
}

// do sends a request to the running program. It returns 0 and "" if the request failed.
func (p *program) do(method, path, body string) (int, string) {
	r, err := http.NewRequest(method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, ""
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return 0, ""
	}
	return got.StatusCode, string(text)
}

// A lockedBuffer is a bytes.Buffer that is safe for concurrent use.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Disk
// ----

// A simDisk simulates a disk in memory that fails or loses power at a chosen operation.
// After a power loss all operations fail, and only synced data is sure to survive. It is
// as unreliable as POSIX allows: only SyncDir makes a change of names durable, and data
// that an fsync failed to write is lost even if a later fsync succeeds.
type simDisk struct {
	mu       sync.Mutex
	names    map[string]*simFile
	durable  map[string]*simFile
	clock    int64 // counts changes, for mtime
	ops      []string
	failAt   int            // the first operation that fails, from 1; 0 for none
	failures int            // how many operations fail in a row; 0 for one
	gap      int            // another operation fails so much later; 0 for none
	crash    bool           // lose power at failAt
	dead     bool           // power is lost
	readOnly bool           // names cannot change
	full     bool           // files cannot grow
	hooks    map[int]func() // called before an operation, by its number
	// rule reports whether an operation fails, nil for none.
	rule func(what, name string) bool
}

// A simFile is a file of a simDisk.
type simFile struct {
	data, synced []byte
	lost         int // unsynced bytes from here on were lost by a failed fsync; -1 for none
	mode         fs.FileMode
	mtime        int64
}

// A simInfo describes a file of a simDisk.
type simInfo struct {
	fs.FileInfo
	f     *simFile
	size  int64
	mode  fs.FileMode
	mtime int64
}

func (i simInfo) Size() int64 { return i.size }

func (i simInfo) Mode() fs.FileMode { return i.mode }

func (i simInfo) ModTime() time.Time { return time.Unix(i.mtime, 0) }

var errSim = errors.New("no space left on device")

// newSimDisk returns an empty disk.
func newSimDisk() *simDisk {
	return &simDisk{names: map[string]*simFile{}, durable: map[string]*simFile{}}
}

// op records an operation and returns an error if it fails. d.mu must be held; op
// releases it while it calls a hook.
func (d *simDisk) op(what, name string) error {
	if hook := d.hooks[len(d.ops)+1]; hook != nil {
		delete(d.hooks, len(d.ops)+1)
		d.mu.Unlock()
		hook()
		d.mu.Lock()
	}
	d.ops = append(d.ops, what+" "+name)
	since := len(d.ops) - d.failAt
	failed := d.failAt > 0 && (0 <= since && since < max(1, d.failures) || since > 0 && since == d.gap)
	if d.dead || failed || d.rule != nil && d.rule(what, name) {
		d.dead = d.dead || d.crash
		return &fs.PathError{Op: what, Path: name, Err: errSim}
	}
	return nil
}

// isDead reports whether the disk has lost power.
func (d *simDisk) isDead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

func (d *simDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("open", name); err != nil {
		return nil, err
	}
	f := d.names[name]
	if f == nil && d.readOnly {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	if f == nil && flag&os.O_CREATE == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if f != nil && flag&os.O_EXCL != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	if f == nil {
		f = &simFile{lost: -1, mode: mode}
		d.names[name] = f
	}
	h := &simHandle{d: d, f: f, name: name}
	if flag&os.O_TRUNC != 0 && len(f.data) > 0 {
		f.truncate(0)
	}
	return h, nil
}

func (d *simDisk) ReadFile(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("read", name); err != nil {
		return nil, err
	}
	if d.names[name] == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return bytes.Clone(d.names[name].data), nil
}

func (d *simDisk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("stat", name); err != nil {
		return nil, err
	}
	f := d.names[name]
	if f == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return f.info(), nil
}

func (f *simFile) info() fs.FileInfo {
	return simInfo{f: f, size: int64(len(f.data)), mode: f.mode, mtime: f.mtime}
}

func (d *simDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("rename", from); err != nil {
		return err
	}
	if d.readOnly {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrPermission}
	}
	if d.names[from] == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	d.names[to] = d.names[from]
	delete(d.names, from)
	return nil
}

func (d *simDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("remove", name); err != nil {
		return err
	}
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(d.names, name)
	return nil
}

func (d *simDisk) List(prefix string) (paths []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.op("list", prefix)
	for name := range d.names {
		if strings.HasPrefix(name, prefix) {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths, err
}

// Lstat is Stat, because a simDisk has no symbolic links.
func (d *simDisk) Lstat(name string) (fs.FileInfo, error) { return d.Stat(name) }

func (d *simDisk) EvalSymlinks(path string) (string, error) {
	_, err := d.Stat(path)
	return path, err
}

// MkdirAll does nothing, because a simDisk has every folder.
func (d *simDisk) MkdirAll(dir string, mode fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.op("mkdir", dir)
}

func (d *simDisk) SameFile(a, b fs.FileInfo) bool { return a.(simInfo).f == b.(simInfo).f }

func (d *simDisk) SyncDir(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("syncdir", dir); err != nil {
		return err
	}
	d.durable = maps.Clone(d.names)
	return nil
}

// restart returns the disk after a power loss. Unsynced changes survive if kept is set.
// If half is set, half of the unsynced bytes appended to each file survive.
func (d *simDisk) restart(kept, half bool) *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newSimDisk()
	names := d.durable
	if kept {
		names = d.names
	}
	for name, f := range names {
		data := f.synced
		if kept {
			data = f.survives()
		}
		if half && len(f.data) > len(f.synced) && bytes.HasPrefix(f.data, f.synced) {
			data = f.data[:(len(f.synced)+len(f.data))/2]
		}
		after.names[name] = &simFile{data: bytes.Clone(data), synced: bytes.Clone(data), lost: -1, mode: f.mode}
	}
	after.durable = maps.Clone(after.names)
	return after
}

// killed returns the disk after a kill of the program without a power loss.
func (d *simDisk) killed() *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newSimDisk()
	for name, f := range d.names {
		after.names[name] = &simFile{data: bytes.Clone(f.data), lost: -1, mode: f.mode}
	}
	return after
}

// setFull sets whether writes fail for lack of space.
func (d *simDisk) setFull(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// survives returns the data that a sync makes durable, with zeros in place of lost bytes.
func (f *simFile) survives() []byte {
	data := bytes.Clone(f.data)
	if f.lost >= 0 && f.lost < len(data) {
		clear(data[f.lost:])
	}
	return data
}

// truncate cuts the file to size bytes.
func (f *simFile) truncate(size int64) {
	f.data = f.data[:size:size]
	if int64(f.lost) >= size {
		f.lost = -1
	}
}

// A simHandle is an open file of a simDisk.
type simHandle struct {
	d    *simDisk
	f    *simFile
	name string
}

// Write appends to the file, because the store opens all files for appending. If it fails,
// it writes half of b.
func (h *simHandle) Write(b []byte) (n int, err error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	n = len(b)
	if err = h.d.op("write", h.name); h.d.full {
		err = errSim
	}
	if err != nil {
		n /= 2
	}
	h.d.clock++
	h.f.data, h.f.mtime = append(h.f.data, b[:n]...), h.d.clock
	return n, err
}

func (h *simHandle) Sync() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.op("sync", h.name); err != nil {
		if !h.d.dead && h.f.lost < 0 && len(h.f.synced) < len(h.f.data) {
			h.f.lost = len(h.f.synced)
		}
		return err
	}
	h.f.synced = h.f.survives()
	return nil
}

func (h *simHandle) Truncate(size int64) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.op("truncate", h.name); err != nil {
		return err
	}
	h.d.clock++
	h.f.mtime = h.d.clock
	h.f.truncate(size)
	return nil
}

func (h *simHandle) Chmod(mode fs.FileMode) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.f.mode = mode
	return h.d.op("chmod", h.name)
}

func (h *simHandle) Stat() (fs.FileInfo, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	err := h.d.op("fstat", h.name)
	return h.f.info(), err
}

func (h *simHandle) Close() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	return h.d.op("close", h.name)
}

// recordText returns a journal record.
func recordText(rest string) string { return strings.Join(newRecord(rest), "") }

func notesOf(f *Flat) string { return f.Notes.String() }

func titleOf(f *Flat) string { return f.Title.String() }

func costOf(f *Flat) string { return f.Cost.JSON() }

// isConflict reports whether err is the refusal to overwrite a change by another program.
func isConflict(err error) bool {
	return err != nil && strings.Contains(err.Error(), "was changed by another program")
}

// Hunt
// ----

// A hunt is a store on a simulated disk, with a notifier that runs.
type hunt struct {
	t        *testing.T
	disk     *simDisk
	store    *Store
	views    *Views
	told     *notifier
	receiver *receiver
	logs     *lockedBuffer
	stop     func()
}

// newHunt starts a hunt, after it has prepared the receiver. It must be called in a bubble of
// synctest.
func newHunt(t *testing.T, disk *simDisk, body string, prepare ...func(*receiver)) *hunt {
	t.Helper()
	h := &hunt{t: t, disk: disk, receiver: &receiver{}, logs: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(h.logs, nil))
	config := &Config{WebsiteURL: "https://flats.example/"}
	secret, _ := url.Parse("https://ntfy.example/secret")
	config.Notify = &Notify{url: secret, headers: map[string]string{"Authorization": "secret"}}
	if body != "" {
		if err := config.Notify.setTemplate(body); err != nil {
			t.Fatal(err)
		}
	}
	var err error
	if h.store, err = openStore("/flats.json", disk, nil, log); err != nil {
		t.Fatal(err)
	}
	if h.views, err = openViews(h.store, false, log); err != nil {
		t.Fatal(err)
	}
	h.told = newNotifier(h.views, config.Notify, config.WebsiteURL)
	h.told.client.Transport = h.receiver
	for _, f := range prepare {
		f(h.receiver)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { h.told.run(ctx) })
	h.stop = func() {
		cancel()
		running.Wait()
		h.store.Close()
	}
	return h
}

func (h *hunt) put(name, body string) {
	h.t.Helper()
	object, err := parseObject([]byte(body))
	if err == nil {
		_, _, err = h.views.put(name, object)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

// imports imports listings and waits until the notifier has nothing more to do.
func (h *hunt) imports(listings, site string) {
	h.t.Helper()
	if _, err := h.store.ImportText([]byte(listings), site); err != nil {
		h.t.Fatal(err)
	}
	synctest.Wait()
}

// wants compares the messages that were taken.
func (h *hunt) wants(what string, want ...string) {
	h.t.Helper()
	synctest.Wait()
	if got := h.receiver.take(); !slices.Equal(got, want) {
		h.t.Errorf("%s: the messages are %q; want %q", what, got, want)
	}
}

// A receiver takes messages in place of the network.
type receiver struct {
	mu     sync.Mutex
	answer func(r *http.Request) (*http.Response, error) // nil for 200
	got    []string                                      // "Title | Click | body" of the messages taken
	tries  int
	last   time.Time // of the last try
}

func (r *receiver) RoundTrip(request *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tries, r.last = r.tries+1, time.Now()
	if r.answer != nil {
		return r.answer(request)
	}
	body, _ := io.ReadAll(request.Body)
	r.got = append(r.got, fmt.Sprintf("%s | %s | %s", request.Header.Get("Title"), request.Header.Get("Click"), body))
	return status(200), nil
}

// answerLocked takes a message for an answer function, which is called with the lock.
func (r *receiver) answerLocked(request *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(request.Body)
	r.got = append(r.got, fmt.Sprintf("%s | %s | %s", request.Header.Get("Title"), request.Header.Get("Click"), body))
	return status(200), nil
}

// set sets the answer of the receiver.
func (r *receiver) set(answer func(*http.Request) (*http.Response, error)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// tried returns how often messages were sent, and when last.
func (r *receiver) tried() (tries int, last time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tries, r.last
}

// take returns the messages that were taken since the last call.
func (r *receiver) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.got = nil }()
	return r.got
}

func status(code int) *http.Response {
	return &http.Response{StatusCode: code, Status: fmt.Sprint(code, " ", http.StatusText(code)), Body: http.NoBody,
		Header: http.Header{"Location": {"https://elsewhere.example/secret"}, "Retry-After": {"7200"}}}
}

// Model
// -----

// The model is a second, naive implementation of lists and search, written from the
// documents alone. It has no indexes, orders or lookups, so that an error in those
// shows as a difference.

// modelFields maps the names of the fields to the types of their values.
var modelFields = map[string]string{
	"id": "any", "title": "string", "text": "string", "area": "number", "cost": "number", "currency": "string",
	"utilities": "string", "rooms": "number", "bedrooms": "number", "date": "datetime", "location": "string",
	"station": "string", "phone": "string", "photos": "any", "urls": "any", "details": "any", "merged_ids": "any",
	"notes": "string", "notation": "number", "status": "any", "visit_date": "datetime", "service_constraint": "string",
	"service_postal_code": "string", "service_stations": "any", "service_time_to": "any",
}

// A model is a store of flats in the order of their file.
type model []*modelFlat

// A modelFlat is a decoded flat. keys and texts are derived from its members once,
// because every query reads them.
type modelFlat struct {
	id    string
	keys  map[string]modelKey
	texts map[string][][]modelWord // by searched field; details may have several
}

// A modelKey is a value as lists sort it: by rank, then by the value within the
// rank.
type modelKey struct {
	rank   int // null, number, string, datetime, anything else
	number *big.Rat
	text   string
	at     time.Time
}

func (a modelKey) compare(b modelKey) int {
	if a.rank != b.rank || a.rank == 0 {
		return cmp.Compare(a.rank, b.rank)
	}
	switch a.rank {
	case 1:
		return a.number.Cmp(b.number)
	case 3:
		return a.at.Compare(b.at)
	}
	return cmp.Compare(a.text, b.text)
}

// newModel decodes a file of flats.
func newModel(t testing.TB, file string) (m model) {
	t.Helper()
	var flats []json.RawMessage
	if err := json.Unmarshal([]byte(file), &flats); err != nil {
		t.Fatal(err)
	}
	for _, text := range flats {
		f := &modelFlat{keys: map[string]modelKey{}, texts: map[string][][]modelWord{}}
		f.set(t, `{"status":"new"}`)
		f.set(t, string(text))
		f.id = f.keys["id"].text
		if f.id == "" {
			f.id = f.keys["id"].number.Num().String()
		}
		m = append(m, f)
	}
	return m
}

// set sets the members of a JSON object on the flat, as PATCH does.
func (f *modelFlat) set(t testing.TB, object string) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		t.Fatalf("%v in %s", err, object)
	}
	for name, v := range members {
		f.keys[name] = modelKeyOf(t, modelFields[name], v)
		f.texts[name] = nil
		for _, text := range modelLeaves(v) {
			f.texts[name] = append(f.texts[name], modelWords(text))
		}
	}
}

// modelKeyOf returns the key of a decoded value of a field of the given type.
func modelKeyOf(t testing.TB, kind string, v any) modelKey {
	switch v := v.(type) {
	case nil:
		return modelKey{}
	case json.Number:
		number, _ := modelNumber(v.String())
		return modelKey{rank: 1, number: number}
	case string:
		if kind != "datetime" {
			return modelKey{rank: 2, text: v}
		}
		at, _, ok := modelDatetime(v)
		if !ok {
			t.Fatalf("the generator produced the invalid datetime %q", v)
		}
		return modelKey{rank: 3, at: at}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return modelKey{rank: 4, text: strings.TrimSuffix(b.String(), "\n")}
}

var modelNumberForm = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?$`)

// modelNumber parses a number in a filter.
func modelNumber(s string) (*big.Rat, bool) {
	if !modelNumberForm.MatchString(s) {
		return nil, false
	}
	return new(big.Rat).SetString(s)
}

// modelLenient matches the datetimes that time.Parse accepts beyond the grammar: a
// run of spaces, an hour of one digit, and an offset of 24 hours or 60 minutes.
var modelLenient = regexp.MustCompile(`  |[T ][0-9]:|:[0-9].*[+-](24(:?[0-9]{2})?|[0-9]{2}:?60)$`)

// modelDatetime parses a datetime of the grammar with the layouts of package time.
// offset reports whether it has an offset.
func modelDatetime(s string) (at time.Time, offset, ok bool) {
	for _, clock := range []string{"", "T15:04", " 15:04", "T15:04:05", " 15:04:05"} {
		for _, zone := range []string{"", "Z07:00", "Z0700", "Z07"} {
			if clock == "" && zone != "" {
				continue
			}
			if at, err := time.Parse("2006-01-02"+clock+zone, s); err == nil && !modelLenient.MatchString(s) {
				return at, zone != "", true
			}
		}
	}
	return at, false, false
}

// A modelQuery is a list query of api.md 4.1.
type modelQuery struct {
	filters      [][2]string // field and text
	sort         []string
	size, number int64 // size 0: no paging; number -1: not given
}

// raw returns the query as a query string.
func (q *modelQuery) raw() string {
	var ps []string
	for _, f := range q.filters {
		ps = append(ps, "filter%5B"+f[0]+"%5D="+url.QueryEscape(f[1]))
	}
	if q.sort != nil {
		ps = append(ps, "sort="+url.QueryEscape(strings.Join(q.sort, ",")))
	}
	if q.size > 0 {
		ps = append(ps, "page[size]="+strconv.FormatInt(q.size, 10))
	}
	if q.number >= 0 {
		ps = append(ps, "page%5Bnumber%5D="+strconv.FormatInt(q.number, 10))
	}
	return strings.Join(ps, "&")
}

// equals reports whether a filter for text matches the value, compared by its type.
func (k modelKey) equals(kind, text string) bool {
	switch k.rank {
	case 1:
		number, ok := modelNumber(text)
		return ok && k.number.Cmp(number) == 0
	case 3:
		at, _, ok := modelDatetime(text)
		return ok && k.at.Equal(at)
	case 2, 4:
		return k.text == text
	}
	return false
}

// list returns the answer to q, restricted to the flats that match, in the form of
// [service.listed].
func (m model) list(q *modelQuery, match func(*modelFlat) bool) string {
	var found []*modelFlat
	for _, f := range m {
		ok := match == nil || match(f)
		for _, filter := range q.filters {
			ok = ok && f.keys[filter[0]].equals(modelFields[filter[0]], filter[1])
		}
		if ok {
			found = append(found, f)
		}
	}
	by := q.sort
	if by == nil {
		by = []string{"cost"}
	}
	slices.SortStableFunc(found, func(a, b *modelFlat) int {
		for _, key := range by {
			name, descending := strings.CutPrefix(key, "-")
			c := a.keys[name].compare(b.keys[name])
			if descending {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	total, items := int64(len(found)), q.size
	number := max(q.number, 0)
	if q.size == 0 {
		items = total
	} else if number > total/q.size {
		found = nil
	} else {
		from := number * q.size
		found = found[from : from+min(q.size, total-from)]
	}
	var ids []string
	for _, f := range found {
		ids = append(ids, f.id)
	}
	return fmt.Sprintf("%s; total %d, page %d, items_per_page %d", strings.Join(ids, " "), total, number, items)
}

// patch updates a random flat in both the service and the model.
func (s *service) patch(m model, random *rand.Rand, members string) {
	s.Helper()
	f := m[random.IntN(len(m))]
	if got := s.ask("PATCH", "/api/v1/flat/"+url.PathEscape(f.id), members); got.status != 200 {
		s.Fatalf("PATCH %s %s: %d %s", f.id, members, got.status, got.body)
	}
	f.set(s, members)
}

// A modelWord is a folded word of a text.
type modelWord struct {
	text  string
	long  string // with ae, oe, ue for ä, ö, ü
	glued bool   // follows the word before it without a separator, in a script without spaces
}

// modelFolds maps the special letters in searchWords to their folded forms.
var modelFolds = map[rune]string{
	'à': "a", 'â': "a", 'ä': "a", 'å': "a", 'ç': "c", 'é': "e", 'è': "e", 'ê': "e", 'ë': "e",
	'î': "i", 'ï': "i",
	'ñ': "n", 'ó': "o", 'ô': "o", 'ö': "o", 'ù': "u", 'û': "u", 'ü': "u", 'ß': "ss", 'æ': "ae",
	'œ': "oe", 'ø': "o",
	'ł': "l", 'đ': "d", 'ı': "i", 'ź': "z",
}

// modelWords splits a text into folded words.
func modelWords(text string) (words []modelWord) {
	open, solo := false, false // the last word can continue; the last rune was a word by itself
	text = strings.NewReplacer("a\u0308", "ä", "o\u0308", "ö", "u\u0308", "ü").Replace(strings.ToLower(text))
	for _, r := range text {
		switch {
		case 0x0300 <= r && r <= 0x036F:
			continue // a combining diacritic
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			words = append(words, modelWord{string(r), string(r), solo})
			open, solo = false, true
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if !open {
				words = append(words, modelWord{})
			}
			fold, ok := modelFolds[r]
			if !ok {
				fold = string(r)
			}
			words[len(words)-1].text += fold
			if strings.ContainsRune("äöü", r) {
				fold += "e"
			}
			words[len(words)-1].long += fold
			open = true
		default:
			open = false
		}
		solo = false
	}
	return words
}

// modelLeaves returns the strings and numbers in a JSON value. The documents do not say
// whether search reads member names, so random flats name members in letters that no
// query uses.
func modelLeaves(v any) (texts []string) {
	switch v := v.(type) {
	case string:
		texts = append(texts, v)
	case json.Number:
		texts = append(texts, v.String())
	case []any:
		for _, v := range v {
			texts = append(texts, modelLeaves(v)...)
		}
	case map[string]any:
		for _, v := range v {
			texts = append(texts, modelLeaves(v)...)
		}
	}
	return texts
}

// matches reports whether a and b are the same word in either spelling, or a word and its
// plural in -s or -x, or, for a prefix, whether b begins with a.
func (a modelWord) matches(b modelWord, prefix bool) bool {
	for _, a := range []string{a.text, a.long} {
		for _, b := range []string{b.text, b.long} {
			if prefix && strings.HasPrefix(b, a) ||
				!prefix && (a == b || a+"s" == b || a+"x" == b || b+"s" == a || b+"x" == a) {
				return true
			}
		}
	}
	return false
}

// A modelTerm is one word or phrase of a search.
type modelTerm struct {
	not, phrase, prefix bool
	field               string
	words               []modelWord
}

// modelTermForm matches a term in its plain form. A query may contain other text, which
// is not an error, but the documents do not define its meaning.
var modelTermForm = regexp.MustCompile(
	`^(-?)(?:(title|text|location|station|details|notes):)?(?:"([^"“”„«»]*)"|` +
		`([\p{L}\p{Nd}\p{M}](?:[\p{L}\p{Nd}\p{M}'’-]*[\p{L}\p{Nd}])?)(\*?))(?: +|$)`)

// modelSearch parses a query of plain terms into groups of terms joined by OR. ok is
// false if the query has other text.
func modelSearch(query string) (groups [][]modelTerm, ok bool) {
	joined := false
	for query != "" {
		if rest, or := strings.CutPrefix(query, "OR "); or && len(groups) > 0 && !joined {
			query, joined = strings.TrimLeft(rest, " "), true
			continue
		}
		match := modelTermForm.FindStringSubmatch(query)
		if match == nil || match[4] == "OR" {
			return nil, false
		}
		t := modelTerm{not: match[1] != "", field: match[2], phrase: match[4] == "", prefix: match[5] != "",
			words: modelWords(match[3] + match[4])}
		if len(t.words) == 0 {
			return nil, false
		}
		if joined {
			last := &groups[len(groups)-1]
			*last = append(*last, t)
		} else {
			groups = append(groups, []modelTerm{t})
		}
		query, joined = query[len(match[0]):], false
	}
	return groups, !joined
}

// matches reports whether the flat matches each group of a query.
func (f *modelFlat) matches(groups [][]modelTerm) bool {
	positive, all := false, true
	for _, group := range groups {
		matched := false
		for _, t := range group {
			positive = positive || !t.not
			matched = matched || f.matchesTerm(t) != t.not
		}
		all = all && matched
	}
	return positive && all
}

// matchesTerm reports whether the flat has the words of t, which may be excluded.
func (f *modelFlat) matchesTerm(t modelTerm) bool {
	// A quoted term is one phrase. In any other term, each word is a phrase, as is each
	// run of characters of a script without spaces.
	var phrases [][]modelWord
	for i, w := range t.words {
		if i > 0 && (t.phrase || w.glued) {
			phrases[len(phrases)-1] = append(phrases[len(phrases)-1], w)
		} else {
			phrases = append(phrases, []modelWord{w})
		}
	}
	for i, phrase := range phrases {
		if !f.matchesPhrase(t.field, phrase, t.prefix && i == len(phrases)-1) {
			return false
		}
	}
	return true
}

// matchesPhrase reports whether a field, or any if field is empty, contains the phrase.
func (f *modelFlat) matchesPhrase(field string, phrase []modelWord, prefix bool) bool {
	for _, name := range []string{"title", "text", "location", "station", "details", "notes"} {
		if field != "" && field != name {
			continue
		}
		for _, text := range f.texts[name] {
			for at := 0; at+len(phrase) <= len(text); at++ {
				same := true
				for i, w := range phrase {
					same = same && w.matches(text[at+i], prefix && len(phrase) == 1) &&
						(i == 0 || !w.glued || text[at+i].glued)
				}
				if same {
					return true
				}
			}
		}
	}
	return false
}

// randomValues lists JSON values for random flats. There are few of each type, so that
// many flats share a value, and most values have several spellings.
var randomValues = map[string][]string{
	"string": {"null", `""`, `"Loft"`, `"loft"`, `"Loft "`, `"Zoé"`, `"Zoe\u0301"`, `"a&b=c;d"`, `"50%+1"`,
		`"say \"hi\""`, `"700"`, `"null"`, `"日本"`, `"😀"`, `"\uffee"`},
	"number": {"null", "0", "-0", "0.0", "700", "700.0", "7e2", "70.0E+1", "699.99", "700.01", "-3", "-3.0", "1e-3",
		"0.001", "1200", "2"},
	"datetime": {"null", `"2026-01-02"`, `"2026-01-02T00:00"`, `"2026-01-02 01:00+01:00"`, `"2026-01-01T22:30:00-0130"`,
		`"2026-01-02T00:00:00.000Z"`,
		`"2026-01-02T00:00:00.5Z"`, `"2026-01-02T01:00:00.500+01"`, `"2026-01-02T00:00:00,25"`,
		`"1969-12-31T23:59:59.75Z"`, `"1970-01-01"`, `"2026-01-01T23:59:59.999999999"`},
	"any": {"null", `"new"`, `"seen"`, `""`, `"5"`, "5", "5.0", "50e-1", "-5", "true", `"true"`, "false", "[]",
		"[1, 2]", "[1,2.0]", "{}", `{"a": 1}`, `{"a":1}`, `{"a":1.0}`, `{"a":{"b":[null,"x y"]}}`, `"{}"`},
}

// randomMembers returns an object of random fields, except the id, with random values.
func randomMembers(random *rand.Rand, names []string, chance float64) string {
	var members []string
	for _, name := range names {
		if name != "id" && random.Float64() < chance {
			members = append(members, `"`+name+`": `+pick(random, randomValues[modelFields[name]]))
		}
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// randomQuery returns a query whose filters use values of flats or near misses.
func randomQuery(random *rand.Rand, names []string) *modelQuery {
	q := &modelQuery{number: -1}
	for range random.IntN(4) {
		name := pick(random, names)
		kind := modelFields[name]
		if random.IntN(8) == 0 {
			kind = pick(random, []string{"any", "string", "number", "datetime"})
		}
		text := pick(random, randomValues[kind])
		if text[0] == '"' {
			if err := json.Unmarshal([]byte(text), &text); err != nil {
				panic(err)
			}
		} else {
			var b bytes.Buffer
			json.Compact(&b, []byte(text)) // cannot fail: it is JSON
			text = b.String()
		}
		if name == "id" {
			text = pick(random, []string{"7", "7.0", "70e-1", "x7", "-7", "007x", "4e1"})
		}
		if random.IntN(12) == 0 {
			text = pick(random, []string{text + " ", " " + text, strings.ToUpper(text), text + "0", text + "Z", ""})
		}
		q.filters = append(q.filters, [2]string{name, text})
	}
	for range random.IntN(4) {
		q.sort = append(q.sort, pick(random, []string{"", "-"})+pick(random, names))
	}
	if random.IntN(8) > 0 {
		q.size = 1 + random.Int64N(30)
		if random.IntN(20) == 0 {
			q.size = 1<<63 - 1 - random.Int64N(3)
		}
	}
	if random.IntN(2) == 0 {
		q.number = random.Int64N(12)
		if random.IntN(20) == 0 {
			q.number = 1<<63 - 1 - random.Int64N(3)
		}
	}
	return q
}

// searchWords is the vocabulary of random texts and queries. No two words differ only
// in a final -s or -x; TestSearch_4_3 tests those.
var searchWords = []string{
	"garden", "gardens", "flat", "flats", "bus", "glass", "x", "s", "a", "a1", "2", "46", "75011", "m2",
	"rénové", "renove", "château", "châteaux", "cœur", "coeur", "élève", "naïf", "garçon", "Noël",
	"où", "eau", "l'eau",
	"aujourd’hui", "vis-à-vis", "porte-fenêtre",
	"Straße", "strasse", "Größe", "grosse", "groß", "gros", "gro", "für", "STRASSE", "ŒUVRE", "Æbleskiver", "Ærø",
	"Küche", "Kueche", "kuche", "Möbelgeschäft", "moebelgeschaeft", "vue", "vü", "vu", "neuer", "Häuser",
	"aero", "Łódź-x", "łan", "lan", "đong", "Đong", "dong", "kapı", "kapi", "Ålesund", "niño",
	"東京", "京都", "東京都", "大阪", "北京大学", "ひろい", "ヘヤ",
	"กรุงเทพ", "กรุง", "เทพ", "東", "京",
}

// decompose replaces precomposed letters with a letter and a combining diacritic.
var decompose = strings.NewReplacer("é", "e\u0301", "è", "e\u0300", "ê", "e\u0302", "ë", "e\u0308",
	"à", "a\u0300", "â",
	"a\u0302", "ï", "i\u0308", "ä", "a\u0308",
	"ô", "o\u0302", "ö", "o\u0308", "ü", "u\u0308", "ù", "u\u0300", "ç", "c\u0327", "Å", "A\u030a",
	"å", "a\u030a", "ñ",
	"n\u0303", "ź", "z\u0301", "ó", "o\u0301")

// respell returns a random spelling of a word that search treats as equal.
func respell(random *rand.Rand, word string) string {
	if strings.ContainsRune(word, 'ı') { // its upper case is that of another letter
		return word
	}
	switch random.IntN(7) {
	case 0:
		return decompose.Replace(word)
	case 1:
		return strings.ToUpper(word)
	case 2:
		return decompose.Replace(strings.ToUpper(word[:1]) + word[1:])
	case 3:
		return strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "AE", "œ", "oe", "Œ", "OE", "ø", "o", "ł",
			"l", "Ł", "L",
			"đ", "d", "Đ", "D").Replace(word)
	case 4:
		return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue").Replace(word)
	}
	return word
}

// randomText returns up to six words with random separators.
func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(7) {
		b.WriteString(respell(random, pick(random, searchWords)) +
			pick(random, []string{" ", " ", " ", ", ", "-", " / ", "'", "\n", " (", "); ", "’", "_", "! ", "\t—"}))
	}
	return b.String()
}

// randomTexts returns an object of searched fields with random texts.
func randomTexts(random *rand.Rand) string {
	var members []string
	for _, name := range []string{"title", "text", "location", "station", "notes"} {
		if random.IntN(3) == 0 {
			members = append(members, `"`+name+`":`+
				pick(random, []string{encodeJSON(randomText(random)), encodeJSON(randomText(random)), "null"}))
		}
	}
	if random.IntN(4) == 0 {
		members = append(members, fmt.Sprintf(`"details":{"ж":%s,"жж":[%s,%s,%s],"жжж":true}`,
			encodeJSON(randomText(random)), encodeJSON(randomText(random)), encodeJSON(randomText(random)),
			pick(random, []string{"2", "46", "-75011"})))
	}
	return "{" + strings.Join(members, ",") + "}"
}

// randomSearch returns a random query that modelSearch can parse, with rare exceptions.
func randomSearch(random *rand.Rand) string {
	var terms []string
	for range 1 + random.IntN(3) {
		word := respell(random, pick(random, searchWords))
		switch random.IntN(9) {
		case 0:
			if last := word[len(word)-1]; last != 's' && last != 'x' && last < 0x80 && unicode.IsLetter(rune(last)) {
				word += pick(random, []string{"s", "S"})
			}
		case 1:
			word = `"` + word + pick(random, []string{" ", ", ", "-"}) + respell(random, pick(random, searchWords)) +
				`"`
		case 2, 3:
			runes := []rune(word)
			if n := 1 + random.IntN(len(runes)); unicode.IsLetter(runes[n-1]) {
				word = string(runes[:n]) + "*"
			}
		case 4:
			if runes := []rune(word); runes[0] > 0xE00 { // a suffix of a word in a script without spaces
				word = string(runes[random.IntN(len(runes)):])
			}
		}
		if random.IntN(4) == 0 {
			word = pick(random, []string{"title", "text", "location", "station", "details", "notes"}) + ":" + word
		}
		if random.IntN(5) == 0 {
			word = "-" + word
		}
		if len(terms) > 0 && random.IntN(4) == 0 {
			terms = append(terms, "OR")
		}
		terms = append(terms, word)
	}
	return strings.Join(terms, " ")
}

// Flats and postal codes
// ----------------------

// Section 2.1: a flat has all fields in the documented order, null where unknown,
// followed by its unknown members.
func TestFlatFields_2_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.want(s.ask("GET", "/api/v1/flats/b", ""), 200,
		`{"data":{"id":"b","title":"Loft","text":null,"area":80,"cost":1200.00,"currency":"EUR",
		"utilities":null,"rooms":3,"bedrooms":null,"date":"2026-01-02T10:00:00+01:00","location":null,"station":null,
			"phone":null,
		"photos":[{"url":"https://example.org/1.jpg"}],"urls":null,"details":null,"merged_ids":null,"notes":null,
			"notation":null,"status":"new",
		"visit_date":null,"service_constraint":null,"service_postal_code":{},"service_stations":null,
			"service_time_to":null,"x_seen":[1,2]}}`)
	var order []string
	d := json.NewDecoder(strings.NewReader(s.ask("GET", "/api/v1/flats/a", "").body))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		if delim, ok := token.(json.Delim); ok {
			depth += map[json.Delim]int{'{': 1, '[': 1, '}': -1, ']': -1}[delim]
		} else if name, ok := token.(string); ok && depth == 2 {
			order = append(order, name)
			if !d.More() {
				break
			}
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := strings.Fields(`
		id title text area cost currency utilities rooms bedrooms date location station phone photos urls details
		merged_ids notes notation status visit_date service_constraint service_postal_code service_stations service_time_to`)
	if !slices.Equal(order, want) {
		t.Errorf("field order %q\nwant %q", order, want)
	}
}

// Section 2.1: every attribute is a filter key and a sort key.
func TestEveryField_2_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, f := range flatFields.list {
		if got := s.ask("GET", "/api/v1/flats?filter%5B"+f.name+"%5D=x&sort=-"+f.name, ""); got.status != 200 {
			t.Errorf("%s: %d %s", f.name, got.status, got.body)
		}
	}
	for _, name := range []string{"x_seen", "updated_at", "json", "ID", "Title"} {
		s.refuse(s.ask("GET", "/api/v1/flats?sort="+name, ""), 400, "Invalid sorting key provided: "+name+".")
		s.refuse(s.ask("GET", "/api/v1/flats?filter%5B"+name+"%5D=x", ""), 500,
			"Invalid filter key provided: "+name+".")
	}
}

// Section 2.2: a flat shows the postal code within its constraint, or {}.
func TestPostalCodeObject_2_2(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for id, want := range map[string]string{
		"a": `{"postal_code":"69007","name":"Lyon 7e","gps":[45.7336,4.8375]}`, // the first match in file order
		"b": `{}`,                                                              // no code
		"7": `{"postal_code":"10115","name":"Berlin","gps":[52.5323,13.3846]}`, // no areas: all codes
		"d": `{}`,                                                              // not in the constraint's areas
		"e": `{}`,                                                              // no such constraint
	} {
		var got struct {
			Data struct {
				Code json.RawMessage `json:"service_postal_code"`
			} `json:"data"`
		}
		if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats/"+id, "").body), &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Data.Code) != want {
			t.Errorf("flat %s: %s; want %s", id, got.Data.Code, want)
		}
	}
	// Changing the constraint or the code looks the code up again.
	s.ask("PATCH", "/api/v1/flat/d", `{"service_constraint":"anywhere"}`)
	if got := s.ask("GET", "/api/v1/flats/d", "").body; !strings.Contains(got, `"name":"Berlin"`) {
		t.Errorf("after changing the constraint: %s", got)
	}
	got := s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":"99999"}`).body
	if !strings.Contains(got, `"service_postal_code":{"postal_code":"99999","name":"nowhere","gps":null}`) {
		t.Errorf("after changing the code: %s", got)
	}
	// A client can send back what GET returned: an object stands for its postal_code,
	// and {} leaves the code as it is.
	for _, c := range []struct{ body, want string }{
		{`{"service_postal_code":{"postal_code":"10115","name":"x","gps":[1,2]}}`, `"name":"Berlin"`},
		{`{"service_postal_code":{}}`, `"name":"Berlin"`},
		{`{"service_postal_code":null}`, `"service_postal_code":{}`},
	} {
		if got := s.ask("PATCH", "/api/v1/flat/d", c.body); got.status != 200 || !strings.Contains(got.body, c.want) {
			t.Errorf("%s: %d %s; want %s", c.body, got.status, got.body, c.want)
		}
	}
	// GET shows "" and null alike, but they are different values.
	for _, c := range []struct{ code, empty string }{{`""`, "d"}, {`null`, ""}, {`""`, "d"}, {`{}`, "d"}, {`"x"`, ""}} {
		s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":`+c.code+`}`)
		if got := s.ids(s.ask("GET", "/api/v1/flats?filter[service_postal_code]=", "")); got != c.empty {
			t.Errorf("after setting the code %s, the empty code matches %q; want %q", c.code, got, c.empty)
		}
	}
	// Sending back the same code changes nothing, even if it was written with escapes.
	s.ask("PATCH", "/api/v1/flat/a", `{"service_postal_code":"\u0036\u0039007"}`)
	tag := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag")
	s.ask("PATCH", "/api/v1/flat/a", `{"service_postal_code":{"postal_code":"69007"}}`)
	if got := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag"); got != tag {
		t.Errorf("the same code changed the entity tag from %s to %s", tag, got)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":{"name":"Berlin"}}`), 400,
		`Invalid payload provided: service_postal_code: want a string, null, or an object with postal_code, `+
			`got {"name":"Berlin"}.`)
	s.refuse(s.ask("PATCH", "/api/v1/flat/d", `{"service_postal_code":{"postal_code":5}}`), 400,
		"Invalid payload provided: service_postal_code: want a string or null, got 5.")
}

// Section 2.3: the members of a postal code and the default order.
func TestPostalCodes_2_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/opendata/postal_codes", "")
	s.want(got, 200, `{"data":[{"postal_code":"10115","name":"Berlin","lat":52.5323,"lng":13.3846,"area":"DE-BE"},
		{"postal_code":"69003","name":"Lyon 3e","lat":45.7535,"lng":4.8695,"area":"FR-84"},
		{"postal_code":"69007","name":"Lyon 7e","lat":45.7336,"lng":4.8375,"area":"FR-84"},
		{"postal_code":"69007","name":"second of its code","lat":1,"lng":2,"area":"FR-84"},
		{"postal_code":"99999","name":"nowhere","lat":null,"lng":null,"area":null}],"page":0,"items_per_page":5}`)
	for query, want := range map[string]string{
		"filter%5Bpostal_code%5D=69007": "69007 69007", "filter%5Blat%5D=45.73360": "69007",
		"filter%5Bname%5D=Berlin":    "10115",
		"sort=-lng&page%5Bsize%5D=2": "10115 69003", "sort=area,-lat": "99999 10115 69003 69007 69007",
		"page%5Bsize%5D=2&page%5Bnumber%5D=2": "99999",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/opendata/postal_codes?"+query, "")); got != want {
			t.Errorf("%s: %s; want %s", query, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/opendata/postal_codes?sort=cost", ""), 400, "Invalid sorting key provided: cost.")
}

// Section 2.4: the places listed for each constraint.
func TestPlaces_2_4(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.want(s.ask("GET", "/api/v1/time_to_places", ""), 200,
		`{"data":{"lyon":{"work":[45.76,4.85],"Gare \"Perrache\"":[45.7485,4.8258]},"anywhere":{}}}`)
}

// Section 3: a status is any JSON value, stored as it was given.
func TestStatus_3(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, "[]")
	for _, status := range []string{`"followed"`, `"Followed "`, `""`, `null`, `true`, `5`, `2.50`, `["x y"]`,
		`{"a":[1,2.50,{}]}`} {
		got := s.ask("PATCH", "/api/v1/flat/a", `{"status":`+status+`}`)
		s.want(got, 200, s.ask("GET", "/api/v1/flats/a", "").body)
		if !strings.Contains(got.body, `"status":`+status+`,`) {
			t.Errorf("status %s: %s", status, got.body)
		}
	}
}

// Lists
// -----

// Section 4.1, filters: values are compared by their type.
func TestFilter_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ filter, want string }{
		{"filter[title]=Loft", "e b"},
		{"filter[title]=loft", ""},
		{"filter[title]=", ""},
		{"filter[cost]=700", "7 e"},
		{"filter[cost]=700.0", "7 e"},
		{"filter[cost]=7e2", "7 e"},
		{"filter[cost]=1200", "b"},
		{"filter[cost]=cheap", ""},
		{"filter[cost]=", ""},
		{"filter[cost]=null", ""},
		{"filter[cost]=0x2bc", ""},
		{"filter[area]=20.50", "a"},
		{"filter[date]=2026-01-02T09:00:00Z", "d b"},
		{"filter[date]=2026-01-02 10:00:00+0100", "d b"},
		{"filter[date]=2026-01-02T09:00", "d b"},
		{"filter[date]=2026-01-02", ""},
		{"filter[date]=yesterday", ""},
		{"filter[visit_date]=2026-12-01T18:00:00.000Z", "7"},
		{"filter[status]=new", "b"},
		{"filter[status]=5", "7"},
		{"filter[status]=5.0", "7"},
		{`filter[status]={"k":"v"}`, "d"},
		{`filter[status]={"k": "v"}`, ""},
		{"filter[status]=null", ""},
		{`filter[details]={"floor":2}`, "d"},
		{"filter[service_postal_code]=69007", "a e"},
		{"filter[id]=7", "7"},
		{"filter[id]=7.0", "7"},
		{"filter[id]=a", "a"},
		{"filter[notes]=", "7"},
		// All filters must match, including several on one field.
		{"filter[cost]=700&filter[title]=Loft", "e"},
		{"filter[cost]=700&filter[cost]=500", ""},
		{"filter[cost]=700&filter[cost]=700.00", "7 e"},
		// Parameters of another form are ignored.
		{"filter=x&filter[]=x&filters[cost]=1&filter[cost]x=1&xfilter[cost]=1&filter[co-st]=1&filter[é]=1&" +
			"Filter[cost]=1&page=3&utm=1&=&", "d a 7 e b"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.filter), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.filter, got, c.want)
		}
	}
	// A plus in a datetime is the sign of an offset, as users type it, or the
	// space after the day, as forms encode it.
	for raw, want := range map[string]string{
		"2026-01-02T10:00+01:00": "d b", "2026-01-02T10%3A00+01%3A00": "d b", "2026-01-02T10:00%2B01:00": "d b",
		"2026-01-02+09:00": "d b", "2026-01-02+10:00+01:00": "d b",
		"2026-01-02+10%3A00%2B01:00": "d b", "2026-01-02T10:00 01:00": "", "2026-01-02T10:00%2001:00": "",
		"+2026-01-02": "",
	} {
		r := httptest.NewRequest("GET", "https://flats.example/api/v1/flats", nil)
		r.URL.RawQuery = "filter%5Bdate%5D=" + raw
		if got := s.ids(s.send(r)); got != want {
			t.Errorf("filter[date]=%s: %s; want %s", raw, got, want)
		}
	}
	// The documented key pattern [A-z] also matches [ \ ] ^ _ and `.
	for _, name := range []string{"nope", "a]", "[a", `a\b`, "^", "`", "_", "9"} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query("filter["+name+"]=1"), ""), 500,
			"Invalid filter key provided: "+name+".")
	}
}

// Section 4.1, sort: values sort by their type, null first. Equal values stay in
// the order of the store, ascending or descending.
func TestSort_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ sort, want string }{
		{"", "d a 7 e b"}, // rule 3
		{"sort=cost", "d a 7 e b"},
		{"sort=-cost", "b 7 e a d"},
		{"sort=cost,area", "d a e 7 b"},
		{"sort=-area,title", "7 b e a d"},
		{"sort=-area,-title", "b 7 e a d"},
		{"sort=title", "d 7 b e a"},
		{"sort=date", "a 7 e b d"},
		{"sort=-date", "b d a 7 e"},
		{"sort=status", "e 7 a b d"},
		{"sort=id", "7 a b d e"},
		{"sort=cost&sort=area", "d a e 7 b"},
		{"sort=service_postal_code,-cost", "b 7 d e a"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.sort), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.sort, got, c.want)
		}
	}
	// Rule 2: the error quotes the key as it was given.
	for _, key := range []string{"nope", "-nope", "", "-", "--cost", "+cost", " cost", "COST", "cost;", `"<b>`} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query("sort=cost,"+key), ""), 400,
			"Invalid sorting key provided: "+key+".")
	}
	s.refuse(s.ask("GET", "/api/v1/flats?sort=", ""), 400, "Invalid sorting key provided: .")
}

// Section 4.1, rules 1, 4 and 5, and section 8: a page is a slice of the list.
func TestPages_4_1(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct {
		page, want    string
		number, items string
	}{
		{"", "d a 7 e b", "0", "5"},
		{"page[size]=2", "d a", "0", "2"},
		{"page[size]=2&page[number]=0", "d a", "0", "2"},
		{"page[size]=2&page[number]=1", "7 e", "1", "2"},
		{"page[size]=2&page[number]=2", "b", "2", "2"},
		{"page[size]=2&page[number]=3", "", "3", "2"},
		{"page[size]=5&page[number]=1", "", "1", "5"},
		{"page[size]=1000", "d a 7 e b", "0", "1000"},
		{"page[number]=4", "d a 7 e b", "4", "5"}, // ignored without a size
		{"page[size]=9223372036854775807&page[number]=9223372036854775807", "", "9223372036854775807",
			"9223372036854775807"},
		{"page[size]=9223372036854775807", "d a 7 e b", "0", "9223372036854775807"},
		{"page[size]=2&page[number]=9223372036854775807", "", "9223372036854775807", "2"},
		{"page[size]=2&filter[cost]=700&page[number]=0", "7 e", "0", "2"},
		{"page[size]=1&filter[cost]=700&page[number]=1", "e", "1", "1"},
		{"page[size]=2&page[size]=2", "d a", "0", "2"},
	} {
		got := s.ask("GET", "/api/v1/flats?"+query(c.page), "")
		if ids := s.ids(got); ids != c.want {
			t.Errorf("%s: %s; want %s", c.page, ids, c.want)
		}
		tail := `],"page":` + c.number + `,"items_per_page":` + c.items + `}`
		if !strings.HasSuffix(got.body, tail) || !strings.HasPrefix(got.body, `{"data":[`) {
			t.Errorf("%s: the body is %s; want it to end in %s", c.page, got.body, tail)
		}
	}
	for _, page := range []string{
		"page[size]=0", "page[size]=-1", "page[size]=", "page[size]=x", "page[size]=1.0", "page[size]=1e3",
		"page[size]= 1", "page[size]=0x1",
		"page[size]=9223372036854775808", "page[size]=99999999999999999999999", "page[size]=1_0",
		"page[size]=1&page[size]=2",
		"page[number]=-1", "page[number]=x", "page[number]=", "page[number]=9223372036854775808",
		"page[size]=2&page[number]=-1",
		// a pagination error comes before the other kinds
		"page[size]=x&sort=nope", "page[size]=x&filter[nope]=1", "filter[nope]=1&page[number]=x&sort=nope",
	} {
		s.refuse(s.ask("GET", "/api/v1/flats?"+query(page), ""), 400, "Invalid pagination provided.")
	}
	// Rule 6: an error in pagination or sorting is a 400 whatever else is wrong.
	s.refuse(s.ask("GET", "/api/v1/flats?"+query("filter[nope]=1&sort=nope"), ""), 400,
		"Invalid sorting key provided: nope.")
	// A known parameter that cannot be decoded is refused. An unknown parameter is
	// ignored, even if it cannot be decoded, and hides no other error. A semicolon is
	// an ordinary character.
	s.refuse(s.ask("GET", "/api/v1/flats?filter%5Bcost%5D=%zz", ""), 400,
		`Invalid filter[cost] provided: invalid URL escape "%zz".`)
	s.refuse(s.ask("GET", "/api/v1/flats?filter%5Bnope%5D=1&filter%5Bcost%5D=%zz", ""), 400,
		`Invalid filter[cost] provided: invalid URL escape "%zz".`)
	s.refuse(s.ask("GET", "/api/v1/flats?page%5Bsize%5D=%zz", ""), 400, "Invalid pagination provided.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=%zz", ""), 400, "Invalid sorting key provided: %zz.")
	for _, raw := range []string{"%=1", "a=%f", "filter%zz[cost]=1", "a=%f;%"} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+raw, "")); got != "d a 7 e b" {
			t.Errorf("%s: %s", raw, got)
		}
		s.refuse(s.ask("GET", "/api/v1/flats?"+raw+"&sort=nope&filter%5Bcost%5D=%zz", ""), 400,
			"Invalid sorting key provided: nope.")
		s.refuse(s.ask("GET", "/api/v1/flats?"+raw+"&filter[nope]=1", ""), 500, "Invalid filter key provided: nope.")
	}
	if got := s.ids(s.ask("GET", "/api/v1/flats?filter%5Btitle%5D=Loft;x&page%5Bsize%5D=1", "")); got != "" {
		t.Errorf("a semicolon separates parameters: got %s", got)
	}
}

// The pages of a list together are the whole list, whatever the sort key: no flat
// is repeated or missing among equal keys.
func TestPagesCoverTheList_4_1(t *testing.T) {
	var flats []string
	for i := range 97 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d,"rooms":%d,"status":"s%d"}`, i, i%3, i%2, i%5))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	for _, q := range []string{"sort=cost", "sort=-cost", "sort=status,-rooms", "sort=-title",
		"filter[status]=s1&sort=-rooms", "filter[rooms]=1&filter[cost]=0"} {
		whole := s.ids(s.ask("GET", "/api/v1/flats?"+query(q), ""))
		for _, size := range []int{1, 7, 96, 97, 98} {
			var pages []string
			for number := range 100 {
				page := s.ids(s.ask("GET", fmt.Sprintf("/api/v1/flats?%s&page%%5Bsize%%5D=%d&page%%5Bnumber%%5D=%d",
					query(q), size, number), ""))
				if page != "" {
					pages = append(pages, page)
				}
			}
			if got := strings.Join(pages, " "); got != whole {
				t.Errorf("%s by %d: %s\nwant %s", q, size, got, whole)
			}
		}
	}
}

// Numbers are compared to the last digit, even if a float64 cannot represent them.
func TestLargeNumbers_4_1(t *testing.T) {
	s := newService(t, `[{"id":9007199254740993,"cost":9007199254740993},
		{"id":9007199254740992,"cost":9007199254740992},
		{"id":-9007199254740993,"cost":2},{"id":-9007199254740992,"cost":2},{"id":10000000000000000,"cost":3},
			{"id":9999999999999999,"cost":3}]`, "[]")
	for _, c := range []struct{ query, want string }{
		{"filter[id]=9007199254740993", "9007199254740993"},
		{"filter[id]=9007199254740993.0", "9007199254740993"},
		{"filter[id]=1e16", "10000000000000000"},
		{"filter[cost]=9007199254740993", "9007199254740993"},
		{"sort=id&filter[cost]=2", "-9007199254740993 -9007199254740992"},
		{"sort=id&filter[cost]=3", "9999999999999999 10000000000000000"},
		{"sort=-id&filter[cost]=3", "10000000000000000 9999999999999999"},
	} {
		if got := s.ids(s.ask("GET", "/api/v1/flats?"+query(c.query), "")); got != c.want {
			t.Errorf("%s: %s; want %s", c.query, got, c.want)
		}
	}
}

// A number that would take too long to evaluate, or that math/big cannot read, is
// refused. Any other unusual spelling compares by its value.
func TestUnusualNumbers_4_1(t *testing.T) {
	s := newService(t, `[{"id":"a","cost":1e20},{"id":"b","cost":1},{"id":"c","cost":3}]`, "[]")
	s.ask("GET", "/api/v1/flats", "")
	zeros := strings.Repeat("0", 400_000)
	for _, literal := range []string{"1" + zeros[:10_020] + "e-10000000", "1" + zeros + "e-399980",
		"0." + zeros + "1"} {
		got := s.ask("PATCH", "/api/v1/flat/b", `{"cost":`+literal+`}`)
		s.refuse(got, 400, "Invalid payload provided: cost: want a finite number or null, got "+excerpt(literal)+".")
		// A field of any type accepts it, but does not treat it as a number.
		if got := s.ask("PATCH", "/api/v1/flat/b", `{"status":`+literal+`}`); got.status != 200 {
			t.Errorf("%.20s: %d %s", literal, got.status, got.body)
		}
		s.ids(s.ask("GET", "/api/v1/flats?sort=-status", ""))
	}
	for _, literal := range []string{"1" + zeros[:20] + ".0", "1" + zeros[:380] + "e-360", "0." + zeros[:300] + "1e321",
		"1e+00020"} {
		got := s.ask("PATCH", "/api/v1/flat/b", `{"cost":`+literal+`,"status":`+literal+`}`)
		if ids := s.ids(s.ask("GET", "/api/v1/flats?sort=-cost,status", "")); got.status != 200 || ids != "b a c" {
			t.Errorf("%.20s: %d %s", literal, got.status, ids)
		}
	}
	for _, literal := range []string{"1e-99999999999999", "0e99999999999999999", "-0.0e-0"} {
		got := s.ask("PATCH", "/api/v1/flat/c", `{"cost":`+literal+`}`)
		if got.status != 200 || s.ids(s.ask("GET", "/api/v1/flats?filter[cost]=0", "")) != "c" {
			t.Errorf("%s: %d %s", literal, got.status, got.body)
		}
	}
	if ids := s.ids(s.ask("GET", "/api/v1/flats?filter[cost]=1e20", "")); ids != "a b" {
		t.Errorf("1e20 matches %s; want a b", ids)
	}
	// Repeated sort keys change nothing.
	if ids := s.ids(s.ask("GET", "/api/v1/flats?sort=-id"+strings.Repeat(",id,cost", 5000), "")); ids != "c b a" {
		t.Errorf("sorted to %s", ids)
	}
	long := s.ask("GET", "/api/v1/flats?page[size]=1&x="+strings.Repeat("y", 5000), "")
	if link := long.header.Get("Link"); link != "" {
		t.Errorf("the Link header has %d bytes; want none", len(link))
	}
}

// Random lists match the model's, before and after random updates: the cached
// orders and lookups follow the flats.
func TestRandomLists_4_1(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 4))
		names := slices.Sorted(func(yield func(string) bool) {
			for name := range modelFields {
				if !yield(name) {
					return
				}
			}
		})
		// The last seed uses few fields, so that several filters match together.
		if seed == 2 {
			names = []string{"id", "cost", "title", "status", "date", "rooms"}
		}
		var flats []string
		for i := range 600 {
			id := strconv.Itoa(i)
			if i%3 == 0 {
				id = `"x` + id + `"`
			} else if i%7 == 0 {
				id = "-" + id
			}
			rest := randomMembers(random, names, 0.9)[1:]
			if rest != "}" {
				rest = ", " + rest
			}
			flats = append(flats, `{"id": `+id+rest)
		}
		file := "[" + strings.Join(flats, ",\n") + "]"
		s, m := newService(t, file, testCodes), newModel(t, file)
		for i := range rounds(800) {
			if random.IntN(2) == 0 {
				s.patch(m, random, randomMembers(random, names, 0.2))
			}
			q := randomQuery(random, names)
			got, want := s.listed(s.ask("GET", "/api/v1/flats?"+q.raw(), "")), m.list(q, nil)
			if got != want {
				t.Fatalf("seed %d, query %d: %+v\n%s\ngot  %s\nwant %s", seed, i, *q, q.raw(), got, want)
			}
		}
	}
}

// A list's headers give the number of matches and, for a page, RFC 8288 links
// relative to the list.
func TestListHeaders(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/flats?"+query("filter[cost]=700"), "")
	if got.header.Get("X-Total-Count") != "2" || got.header.Get("Link") != "" {
		t.Errorf("got %v", got.header)
	}
	for number, want := range map[string]string{
		"0": "first=0 next=1 last=2", "1": "first=0 prev=0 next=2 last=2", "2": "first=0 prev=1 last=2",
		"9": "first=0 prev=2 last=2",
	} {
		got := s.ask("GET", "/api/v1/flats?sort=-cost&page[size]=2&page[number]="+number, "")
		var links []string
		for link := range strings.FieldsSeq(want) {
			rel, number, _ := strings.Cut(link, "=")
			links = append(links, `<?page%5Bsize%5D=2&sort=-cost&page%5Bnumber%5D=`+number+`>; rel="`+rel+`"`)
		}
		if got.header.Get("X-Total-Count") != "5" || got.header.Get("Link") != strings.Join(links, ", ") {
			t.Errorf("page %s: got  %v\nwant %v", number, got.header, links)
		}
	}
	// The links encode characters that a header or a URI may not contain, and no others.
	r := httptest.NewRequest("GET", "https://flats.example/api/v1/flats", nil)
	r.URL.RawQuery = "page[size]=9&x=%41<\"é>"
	link := s.send(r).header.Get("Link")
	if !strings.HasPrefix(link, `<?page%5Bsize%5D=9&x=A%3C%22%C3%A9%3E&page%5Bnumber%5D=0>; rel="first"`) {
		t.Errorf("Link %s", link)
	}
	// An empty list has one page.
	link = s.ask("GET", "/api/v1/flats?page[size]=9&filter[title]=x", "").header.Get("Link")
	if strings.Contains(link, "next") || strings.Contains(link, "prev") {
		t.Errorf("Link %s", link)
	}
}

// A long list is compressed for clients that accept gzip, with its own entity tag,
// and sent as it is to all others.
func TestGzip(t *testing.T) {
	s := newService(t, benchFlats(300), "[]")
	const target = "/api/v1/flats?page[size]="
	plain := s.ask("GET", target+"299", "")
	if len(plain.body) < 200_000 || plain.header.Get("Vary") != "Origin, Accept-Encoding" {
		t.Fatalf("%d bytes, %v", len(plain.body), plain.header)
	}
	ask := func(method, size string, header ...string) reply {
		r := httptest.NewRequest(method, target+size, nil)
		r.Host = "flats.example"
		for i := 0; i < len(header); i += 2 {
			r.Header.Add(header[i], header[i+1])
		}
		return s.send(r)
	}
	accepting := []string{"gzip", "deflate, GZIP;q=0.5", "br;q=1.0, gzip ; q=1", "gzip;q=0.001"}
	for _, accept := range slices.Repeat(accepting, 3) {
		got := ask("GET", "299", "Accept-Encoding", accept)
		if got.header.Get("Content-Encoding") != "gzip" || got.header.Get("Content-Length") != "" ||
			got.header.Get("Vary") != "Origin, Accept-Encoding" ||
			got.header.Get("Etag") == plain.header.Get("Etag") || got.header.Get("Link") != plain.header.Get("Link") ||
			len(got.body) > len(plain.body)/2 {
			t.Errorf("%s: %d bytes, %v", accept, len(got.body), got.header)
		}
		z, err := gzip.NewReader(strings.NewReader(got.body))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(z); err != nil || string(text) != plain.body {
			t.Errorf("%s: the uncompressed body differs from the plain one, %v", accept, err)
		}
		again := ask("GET", "299", "Accept-Encoding", accept, "If-None-Match", got.header.Get("Etag"))
		if again.status != 304 || again.body != "" || again.header.Get("Vary") == "" ||
			again.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %v", accept, again.status, again.header)
		}
		head := ask("HEAD", "299", "Accept-Encoding", accept)
		if head.body != "" || !reflect.DeepEqual(head.header, got.header) {
			t.Errorf("HEAD: %v; GET: %v", head.header, got.header)
		}
	}
	for _, accept := range []string{"", "br", "gzip;q=0", "gzip; q=0.000", "identity", "gzipped"} {
		got := ask("GET", "299", "Accept-Encoding", accept)
		if got.body != plain.body || !reflect.DeepEqual(got.header, plain.header) {
			t.Errorf("%s: %v", accept, got.header)
		}
	}
	if got := ask("GET", "9", "Accept-Encoding", "gzip"); got.header.Get("Content-Encoding") != "" {
		t.Errorf("a short list: %v", got.header)
	}
	got := ask("GET", "0", "Accept-Encoding", "gzip")
	if got.status != 400 || got.header.Get("Content-Encoding") != "" {
		t.Errorf("an error: %d %v", got.status, got.header)
	}
	got = s.ask("GET", "/api/v1/flats?sort="+strings.Repeat("x", 40_000), "",
		"Accept-Encoding", "gzip", "If-None-Match", "*")
	if got.status != 400 || got.header.Get("Content-Encoding") != "gzip" || got.header.Get("Etag") != "" {
		t.Errorf("a long error: %d %v", got.status, got.header)
	}
	// The page's text files and large flats are compressed, too. If-Match accepts the
	// tag of a compressed flat.
	for _, path := range []string{"/",
		regexp.MustCompile(`assets/[^"]*/style.css`).FindString(s.ask("GET", "/", "").body)} {
		got := s.ask("HEAD", "/"+strings.TrimPrefix(path, "/"), "", "Accept-Encoding", "gzip")
		if got.header.Get("Content-Encoding") != "gzip" || got.header.Get("Vary") != "Origin, Accept-Encoding" {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
	s = newService(t, `[{"id":"large","text":"`+strings.Repeat("long ", 8000)+`"}]`, "[]")
	tag := s.ask("HEAD", "/api/v1/flats/large", "", "Accept-Encoding", "gzip").header.Get("Etag")
	for _, status := range []int{200, 412} {
		got := s.ask("PATCH", "/api/v1/flat/large", `{"notes":"read"}`, "If-Match", tag)
		if !strings.HasSuffix(tag, `-gzip"`) || got.status != status {
			t.Errorf("If-Match: %s: %d; want %d", tag, got.status, status)
		}
	}
}

// Routes
// ------

// Section 4.2: each route answers its own methods only.
func TestRoutes_4_2(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	index := `{"opendata":"/api/v1/opendata","flats":"/api/v1/flats","flat":"/api/v1/flat/:id",
		"search":"/api/v1/search",
		"ics":"/api/v1/ics/visits.ics","time_to_places":"/api/v1/time_to_places"}`
	s.want(s.ask("GET", "/api/v1/", ""), 200, index)
	s.want(s.ask("GET", "/api/v1", ""), 200, index)
	s.want(s.ask("GET", "/api/v1/opendata", ""), 200, `{"postal_codes":"/api/v1/opendata/postal_codes"}`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200,
		`{"data":{"version":"`+version+`","flats":5,"postal_codes":5,"last_update":null}}`)
	s.store.now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 10, time.FixedZone("", 3600)) }
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"n"}`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200,
		`{"data":{"version":"`+version+`","flats":5,"postal_codes":5,"last_update":"2026-05-06T06:08:09Z"}}`)

	for _, path := range []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/time_to_places",
		"/api/v1/metadata", "/api/v1/opendata",
		"/api/v1/opendata/postal_codes", "/api/v1/ics/visits.ics"} {
		got, head := s.ask("GET", path, ""), s.ask("HEAD", path, "")
		if want := "application/json"; got.header.Get("Content-Type") != want && !strings.HasSuffix(path, "ics") {
			t.Errorf("GET %s: Content-Type %q; want %q", path, got.header.Get("Content-Type"), want)
		}
		if head.status != 200 || head.body != "" || !reflect.DeepEqual(head.header, got.header) {
			t.Errorf("HEAD %s: %d %q %v; want the header of GET, %v", path, head.status, head.body, head.header,
				got.header)
		}
	}
	// /flat updates a flat, /flats reads it.
	for _, c := range []struct{ method, path, allow string }{
		{"GET", "/api/v1/flat/a", "PATCH, OPTIONS"},
		{"PATCH", "/api/v1/flats/a", "GET, HEAD, OPTIONS"},
		{"POST", "/api/v1/flats", "GET, HEAD, OPTIONS"},
		{"GET", "/api/v1/search", "POST, OPTIONS"},
		{"DELETE", "/api/v1/ics/visits.ics", "GET, HEAD, OPTIONS"},
		{"PUT", "/api/v1/", "GET, HEAD, OPTIONS"},
	} {
		got := s.ask(c.method, c.path, "")
		s.refuse(got, 405, fmt.Sprintf("%s does not answer %s, only %s.", c.path, c.method, c.allow))
		if got.header.Get("Allow") != c.allow {
			t.Errorf("%s %s: Allow %q; want %q", c.method, c.path, got.header.Get("Allow"), c.allow)
		}
	}
	for _, path := range []string{"/api", "/api/v2/flats", "/api/v1/flats/", "/api/v1/flat", "/api/v1/nope",
		"/favicon.ico"} {
		s.refuse(s.ask("GET", path, ""), 404, "There is nothing at "+path+".")
	}
}

// Every GET has a strong entity tag that changes with the resource, and answers 304
// if the client sends the current tag.
func TestEntityTags(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	paths := []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats?page[size]=2", "/api/v1/flats/a", "/api/v1/flats/b",
		"/api/v1/time_to_places",
		"/api/v1/metadata", "/api/v1/opendata", "/api/v1/opendata/postal_codes", "/api/v1/ics/visits.ics"}
	tags := map[string]string{}
	for _, path := range paths {
		tag := s.ask("GET", path, "").header.Get("Etag")
		tags[path] = tag
		if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
			t.Errorf("%s: ETag %s", path, tag)
		}
		for sent, status := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, "*": 304, `"x"`: 200,
			tag[1 : len(tag)-1]: 200} {
			for _, method := range []string{"GET", "HEAD"} {
				got := s.ask(method, path, "", "If-None-Match", sent)
				if got.status != status || status == 304 && got.body != "" || got.header.Get("Etag") != tag {
					t.Errorf("%s %s with %s: %d %v; want %d", method, path, sent, got.status, got.header, status)
				}
			}
		}
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":"2026-12-01"}`)
	for _, path := range paths {
		changed := strings.HasPrefix(path, "/api/v1/flats") && path != "/api/v1/flats/b" ||
			strings.HasSuffix(path, "visits.ics") || strings.HasSuffix(path, "metadata")
		if got := s.ask("GET", path, "").header.Get("Etag") != tags[path]; got != changed {
			t.Errorf("%s: tag changed: %v; want %v", path, got, changed)
		}
	}
	// Errors and answers to unsafe methods have no entity tag.
	if tag := s.ask("GET", "/api/v1/flats/nope", "", "If-None-Match", "*").header.Get("Etag"); tag != "" {
		t.Errorf("404 with ETag %s", tag)
	}
	if got := s.ask("POST", "/api/v1/search", `{"query":"loft"}`, "If-None-Match", "*"); got.status != 200 {
		t.Errorf("search: %d %s", got.status, got.body)
	}
}

// One flat
// --------

// Section 4.3: GET and PATCH find a flat by its id, also if its path needs escapes.
func TestFlat_4_3(t *testing.T) {
	s := newService(t, `[{"id":"97945@airbnb"},{"id":"a/b c%2F?"},{"id":"é\u0000\""},{"id":12345678901234567890},`+
		`{"id":".."},{"id":"-0"}]`, "[]")
	for path, id := range map[string]string{
		"97945@airbnb": `"97945@airbnb"`, "97945%40airbnb": `"97945@airbnb"`, "a%2Fb%20c%252F%3F": `"a/b c%2F?"`,
		"%C3%A9%00%22":         `"é\u0000\""`,
		"12345678901234567890": "12345678901234567890", "%2E%2E": `".."`, "-0": `"-0"`,
	} {
		got := s.ask("GET", "/api/v1/flats/"+path, "")
		if got.status != 200 || !strings.HasPrefix(got.body, `{"data":{"id":`+id+`,`) {
			t.Errorf("%s: %d %.60s; want id %s", path, got.status, got.body, id)
		}
		if got := s.ask("PATCH", "/api/v1/flat/"+path, `{"status":"x"}`); got.status != 200 {
			t.Errorf("PATCH %s: %d %s", path, got.status, got.body)
		}
	}
	for path, id := range map[string]string{"nope": "nope", "A": "A", "%22%3Cb%3E": `"<b>`,
		"12345678901234567891": "12345678901234567891", "7.0": "7.0"} {
		s.refuse(s.ask("GET", "/api/v1/flats/"+path, ""), 404, "No flat with id "+id+".")
		// The flat is looked up before the body is read.
		s.refuse(s.ask("PATCH", "/api/v1/flat/"+path, "no JSON"), 404, "No flat with id "+id+".")
	}
}

// A flat with any id of 1 to 1,024 bytes can be read and updated, even if the id
// looks like a path.
func TestOddIDs_4_3(t *testing.T) {
	for _, id := range []string{"/", "//", "///", ".", "..", "../", "a/../b", "./a", "a//b", "\n", "\r\n", " ", "%",
		"%2F", "a%zzb", "?", "#", "é/ü", strings.Repeat("x/", 512), "flats", ":id", "{id}", "api/v1/flats/a"} {
		for _, base := range []string{"", "/my/flats"} {
			s := newService(t, `[{"id":`+encodeJSON(id)+`}]`,
				"[]").with(func(c *Config) { c.WebsiteURL = "https://flats.example/my/flats/" })
			target := base + "/api/v1/flats/" + strings.ReplaceAll(url.PathEscape(id), ".", "%2E")
			s.want(s.ask("GET", target, ""), 200, s.ask("GET", target, "").body)
			got := s.ask("PATCH", base+"/api/v1/flat/"+url.PathEscape(id), `{"title":"x"}`)
			if got.status != 200 || !strings.HasPrefix(got.body, `{"data":{"id":`+encodeJSON(id)+`,"title":"x"`) {
				t.Errorf("PATCH %q under %q: %d %.200s", id, base, got.status, got.body)
			}
			got = s.ask("GET", target, "")
			if got.status != 200 || !strings.HasPrefix(got.body, `{"data":{"id":`+encodeJSON(id)+`,"title":"x"`) {
				t.Errorf("GET %q under %q: %d %.200s", id, base, got.status, got.body)
			}
		}
	}
	for _, id := range []string{`""`, `"` + strings.Repeat("x", 1025) + `"`} {
		_, err := readFlats("f", []byte(`[{"id":`+id+`}]`), nil, quiet)
		want := "f:1: id: want a string of 1 to 1024 bytes or an integer, got "
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v", id, err)
		}
	}
}

// Section 4.3: an update sets each field in the body and returns the flat.
func TestUpdate_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	field := func(id, name string) string {
		var got struct{ Data map[string]json.RawMessage }
		if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats/"+id, "").body), &got); err != nil {
			t.Fatal(err)
		}
		return string(got.Data[name])
	}
	for _, c := range []struct{ body, name, want string }{
		{`{"status":"followed"}`, "status", `"followed"`},
		{`{"status":{"a" : [1, 2.50, "x y"]}}`, "status", `{"a":[1,2.50,"x y"]}`},
		{`{"visit_date":"2026-12-01T18:00"}`, "visit_date", `"2026-12-01T18:00"`},
		{`{"visit_date":"2026-12-01 18:00:00.5+0100"}`, "visit_date", `"2026-12-01 18:00:00.5+0100"`}, // kept as written
		{`{"visit_date":null}`, "visit_date", `null`},
		{`{"notes":"n\u00e9 \ud83d\ude00"}`, "notes", `"n\u00e9 \ud83d\ude00"`},
		{`{"cost":1e3}`, "cost", `1e3`},
		{`{"cost":0.10}`, "cost", `0.10`},
		{`{"cost":null}`, "cost", `null`},
		{`{"photos":[]}`, "photos", `[]`},
		{`{"details":"text"}`, "details", `"text"`},
		{`{"title":"T","area":1,"rooms":2}`, "area", `1`},
		{"\t{ \"title\" :\r\n \"T2\" } ", "title", `"T2"`},
		{`{"id":"b"}`, "id", `"b"`},
		{`{"title":"T1","title":"T2"}`, "title", `"T2"`}, // the last value counts
		{`{}`, "title", `"T2"`},
	} {
		got := s.ask("PATCH", "/api/v1/flat/b", c.body)
		if after := field("b", c.name); got.status != 200 || after != c.want ||
			got.body != s.ask("GET", "/api/v1/flats/b", "").body {
			t.Errorf("%s: %d %s\n%s is %s; want %s", c.body, got.status, got.body, c.name, after, c.want)
		}
	}
	if got := field("b", "x_seen"); got != "[1,2]" {
		t.Errorf("an unknown member became %s", got)
	}
	// The id keeps its type; the same text is the same id.
	s.ask("PATCH", "/api/v1/flat/7", `{"id":7,"title":"Top"}`)
	if field("7", "id") != "7" || field("7", "title") != `"Top"` {
		t.Errorf("got id %s, title %s", field("7", "id"), field("7", "title"))
	}

	// An update with any error sets nothing.
	before := s.ask("GET", "/api/v1/flats", "").body
	for body, detail := range map[string]string{
		``:                            "unexpected end of JSON input",
		`null`:                        `want an object, got null`,
		`[]`:                          `want an object, got []`,
		`"status"`:                    `want an object, got "status"`,
		`{"title":"x"`:                "unexpected end of JSON input",
		`{"title":"x"}x`:              `invalid character 'x' after top-level value`,
		`{"title":"x"}{"title":"y"}`:  `invalid character '{' after top-level value`,
		`{"title":"x",}`:              `invalid character '}' looking for beginning of object key string`,
		`{'title':1}`:                 `invalid character '\'' looking for beginning of object key string`,
		"{\"title\":\"\xff\"}":        "byte 0xff is not UTF-8",
		"{\"title\":\"a\nb\"}":        `invalid character '\n' in string literal`,
		`{"title":"x","cost":"5"}`:    `cost: want a finite number or null, got "5"`,
		`{"title":"x","cost":1e999}`:  `cost: want a finite number or null, got 1e999`,
		`{"title":"x","cost":NaN}`:    `invalid character 'N' looking for beginning of value`,
		`{"title":5}`:                 "title: want a string or null, got 5",
		`{"title":"x","nope":1}`:      "nope: a flat has no such field",
		`{"title":"x","Title":"y"}`:   "Title: a flat has no such field",
		`{"x_seen":1}`:                "x_seen: only an import can change it",
		`{"x_seen":null}`:             "x_seen: only an import can change it",
		`{"updated_at":"2026-01-01"}`: "updated_at: a flat has no such field",
		`{"title":"x","id":"other"}`:  `id: the id of the flat is "b" and cannot be changed`,
		`{"id":null}`:                 "id: want a string of 1 to 1024 bytes or an integer, got null",
		`{"id":1.5}`:                  "id: want a string of 1 to 1024 bytes or an integer, got 1.5",
		`{"visit_date":"tomorrow"}`: `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "tomorrow"`,
		`{"visit_date":"2026-02-30"}`: `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "2026-02-30"`,
		`{"visit_date":1764612000}`: `visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "1764612000"`,
		`{"title":"x","area":[1]}`: "area: want a finite number or null, got [1]",
		`{"details":` + strings.Repeat("[", 9996) + strings.Repeat("]", 9996) +
			"}": "nested too deeply",
	} {
		got := s.ask("PATCH", "/api/v1/flat/b", body)
		s.refuse(got, 400, "Invalid payload provided: "+detail+".")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/b", `{"title":"`+strings.Repeat("x", 1<<20)+`"}`), 413,
		"The body is larger than 1048576 bytes.")
	if after := s.ask("GET", "/api/v1/flats", "").body; after != before {
		t.Errorf("a refused update changed a flat:\n%s\n%s", before, after)
	}
}

// Sending back a flat as GET returned it changes nothing. An update with If-Match is
// made only if the flat has not changed since.
func TestSendBack_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, id := range []string{"a", "b", "7", "d", "e"} {
		got := s.ask("GET", "/api/v1/flats/"+id, "")
		var body struct{ Data json.RawMessage }
		if err := json.Unmarshal([]byte(got.body), &body); err != nil {
			t.Fatal(err)
		}
		tag := got.header.Get("Etag")
		s.want(s.ask("PATCH", "/api/v1/flat/"+id, string(body.Data), "If-Match", tag), 200, got.body)
		if again := s.ask("GET", "/api/v1/flats/"+id, ""); again.header.Get("Etag") != tag {
			t.Errorf("%s: the tag changed from %s to %s", id, tag, again.header.Get("Etag"))
		}
		for sent, status := range map[string]int{tag: 200, `"x", ` + tag: 200, "*": 200, `"x"`: 412, "W/" + tag: 412,
			"": 412} {
			got := s.ask("PATCH", "/api/v1/flat/"+id, `{}`, "If-Match", sent)
			if got.status != status {
				t.Errorf("%s: If-Match: %s: %d %s; want %d", id, sent, got.status, got.body, status)
			}
		}
		s.ask("PATCH", "/api/v1/flat/"+id, `{"notes":"theirs"}`)
		s.refuse(s.ask("PATCH", "/api/v1/flat/"+id, `{"notes":"mine"}`, "If-Match", tag), 412,
			"The flat has changed since: read it again.")
	}
	// Unknown members are compared as JSON values. Numbers are equal if JavaScript
	// clients, which send back rounded numbers, cannot tell them apart.
	s = newService(t, `[{"id":1,"n":18,"big":9007199254740993,"huge":1e999,"o":{"a":[1,{"b":2.50}],"c":null}}]`, "[]")
	for members, ok := range map[string]bool{
		`"n":18`: true, `"n":18.0`: true, `"n":1.8e1`: true, `"n":"18"`: false, `"n":null`: false, `"n":19`: false,
		`"none":null`: true, `"none":0`: false,
		`"big":9007199254740993.0`: true, `"big":9007199254740992`: true, `"big":9007199254740994`: false,
		`"huge":1e999`: true, `"huge":1e998`: false, `"o":{"c":null,"a":[1.0,{"b":2.5}]}`: true,
		`"o":{"a":[1,{"b":2.5}]}`: false, `"o":{"a":[{"b":2.5},1],"c":null}`: false,
	} {
		want := 400
		if ok {
			want = 200
		}
		if got := s.ask("PATCH", "/api/v1/flat/1", "{"+members+"}"); got.status != want {
			t.Errorf("%s: %d %s; want %d", members, got.status, got.body, want)
		}
	}
}

// Of concurrent updates with the same If-Match, only the first succeeds.
func TestIfMatchTogether(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	tag := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag")
	started, release := make(chan struct{}), make(chan struct{})
	go s.store.change(func(func(string) *Flat) ([]edit, error) { close(started); <-release; return nil, nil }, nil)
	<-started
	statuses := make(chan int, 8)
	for i := range cap(statuses) {
		go func() {
			statuses <- s.ask("PATCH", "/api/v1/flat/a", fmt.Sprintf(`{"notation":%d}`, i), "If-Match", tag).status
		}()
	}
	time.Sleep(50 * time.Millisecond) // let all of them wait for the writer
	close(release)
	count := map[int]int{}
	for range cap(statuses) {
		count[<-statuses]++
	}
	if count[200] != 1 || count[412] != 7 {
		t.Errorf("answers by status: %v", count)
	}
}

// An update with another status sets status_since, and no import does.
func TestStatusSince(t *testing.T) {
	s := newService(t, `[{"id":"a"}]`, "[]")
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.store.now = func() time.Time { return clock }
	for _, c := range []struct{ body, want string }{
		{`PATCH {"notes":"x","status":"new"}`, `null`},
		{`PATCH {"status":"followed"}`, `"2026-01-01T02:00:00Z"`},
		{`PATCH {"status":"followed","cost":5}`, `"2026-01-01T02:00:00Z"`},
		{`POST [{"id":"a","status":"x","status_since":"2020-01-01","cost":7}]`, `"2026-01-01T02:00:00Z"`},
		{`PATCH {"status":7}`, `"2026-01-01T05:00:00Z"`},
		{`PATCH {"status":7.0}`, `"2026-01-01T05:00:00Z"`},
		{`PATCH {"status":null}`, `"2026-01-01T07:00:00Z"`},
	} {
		clock = clock.Add(time.Hour)
		method, body, _ := strings.Cut(c.body, " ")
		got := s.ask(method, map[string]string{"PATCH": "/api/v1/flat/a", "POST": "/api/v1/import"}[method], body)
		if since := s.store.Get("a").StatusSince.JSON(); got.status != 200 || since != c.want {
			t.Errorf("%s: %d, status_since %s; want %s", c.body, got.status, since, c.want)
		}
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"status_since":"2026-01-01"}`), 400,
		"Invalid payload provided: status_since: a flat has no such field.")
}

// Search
// ------

// Section 4.3: errors in the body of a search are reported before those in its parameters.
func TestSearchRequest_4_3(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, body := range []string{``, `{}`, `null`, `[]`, `"loft"`, `{"query":5}`, `{"query":null}`,
		`{"query":["loft"]}`, `{"Query":"loft"}`, `{"query":"loft"`,
		`{"query":"loft"}x`, "{\"query\":\"\xff\"}", `query=loft`} {
		s.refuse(s.ask("POST", "/api/v1/search?page[size]=x&sort=nope", body), 400, "Invalid query provided.")
	}
	body := `{"query":"loft", "more":1}`
	s.refuse(s.ask("POST", "/api/v1/search?page[size]=x", body), 400, "Invalid pagination provided.")
	s.refuse(s.ask("POST", "/api/v1/search?sort=nope", body), 400, "Invalid sorting key provided: nope.")
	s.refuse(s.ask("POST", "/api/v1/search?filter[nope]=1", body), 500, "Invalid filter key provided: nope.")
	for params, want := range map[string]string{"": "e b", "sort=-cost": "b e", "page[size]=1&page[number]=1": "b",
		"filter[cost]=700": "e", "filter[cost]=701": ""} {
		got := s.ask("POST", "/api/v1/search?"+params, body)
		if ids := s.ids(got); ids != want {
			t.Errorf("%s: %s; want %s", params, ids, want)
		}
	}
	got := s.ask("POST", "/api/v1/search?page[size]=1", body)
	if !strings.HasSuffix(got.body, `],"page":0,"items_per_page":1}`) || got.header.Get("X-Total-Count") != "2" ||
		!strings.Contains(got.header.Get("Link"), `page%5Bnumber%5D=1>; rel="next"`) {
		t.Errorf("got %s %v", got.body, got.header)
	}
}

// Sections 4.2 and 4.3: each documented property of search, on a store of one flat.
func TestSearch_4_3(t *testing.T) {
	for _, c := range []struct {
		text string // the flat's title, or "field|text"
		hit  string // queries that find the flat, separated by |
		miss string // queries that do not, separated by |
	}{
		// Words are letters and digits.
		{"Bright flat, 46 m², 75011 Paris!", "bright|flat|46|75011|paris 46|m", "brigh|75|aris|flat46"},
		{"l'eau d’Arc_en-ciel", "eau|arc|ciel|l eau|l'eau|arc-en-ciel", "leau|arcenciel"},
		// Case and diacritics are ignored, precomposed or combining.
		{"Quartier RÉNOVÉ", "rénové|renove|RENOVE|re\u0301nove\u0301|Rènôvé", "renov"},
		{"quartier re\u0301nove\u0301", "rénové|renove|RÉNOVÉ", "renov"},
		{"Việt Łódź", "viet|việt|vie\u0323\u0302t|lodz|ŁÓDŹ", "vit"},
		{"Straße in Größe", "strasse|STRASSE|straße|STRAẞE|GRÖSSE", "strase|gruesse"},
		// In a query, ae, oe and ue find ä, ö and ü, and the reverse.
		{"Große Küche", "kueche|KUECHE|küche|Ku\u0308che|kuche|kueches|kuech*|kue*|küch*|title:kueche|\"grosse kueche\"",
			"text:kueche|-kueche grosse|grosse -kuech*|kuechen|kuecheneu*"},
		{"Ku\u0308che", "kueche|küche|kuech*", "kuechen"},
		{"Grosse Kueche", "küche|KÜCHE|Ku\u0308che|küch*|kü*|title:küch*|\"große küche\"",
			"kuche|kuch*|-küche grosse|kü"},
		{"Kuche", "küche|kuche", "kueche|kue*"},
		{"Büros, Möbelgeschäfte", "buero|büro|moebelgeschaeft*|möbelgeschäfte|mobelgeschafte|moebelgeschaefte",
			"boero"},
		{"la vue neuve", "vue|vü|neuve|neu*", "vu|neu|neuv"},
		{"vu du ciel", "vu|vü|du", "vue|due"},
		{"ÄRGER, Öl", "aerger|oel|ol|öl|a*|ae*|oe*", "arge|aoe"},
		// A word and its plural in -s or -x find each other.
		{"châteaux", "chateau|châteaux|CHATEAUX", "chateaus"},
		{"balcon", "balcon|balcons", "balco"},
		{"bons prix", "prix|bon", "pris|box"},
		{"bus", "bus|bu", "b"},
		{"glas", `glass|title:glass|"glass"|-title:x glass`, "title:glasss"},
		// Only title, text, location, station, details and notes are searched.
		{"text|needle", "needle|text:needle", "title:needle"},
		{"location|needle", "needle|location:needle", "station:needle"},
		{"station|needle", "needle|station:needle", "notes:needle"},
		{"details|needle", "needle|details:needle", "text:needle"},
		{"notes|needle", "needle|notes:needle", "details:needle"},
		{"phone|needle", "", "needle|phone:needle"},
		{"currency|needle", "", "needle"},
		{"service_constraint|needle", "", "needle"},
		// All words must match.
		{"sunny flat with balcony", "sunny balcony|balcony sunny", "sunny garage"},
		// A phrase stands in quotes.
		{"sunny flat with balcony", `"sunny flat"|"flat with balcony"|"SUNNY, flat"|"flats with"`,
			`"flat sunny"|"sunny with"|"sunny flat with a"`},
		// A soft hyphen joins words, a zero-width space separates them.
		{"Bal\u00adkon\u200bKüche", "balkon|küche", "bal|kon|balkonküche"},
		{"a a b", `"a a b"|"a b"`, `"a a a"|"b a"`},
		// A prefix ends in *.
		{"appartement", "app*|APP*|appartement*|title:app*", "part*|appartements*"},
		{"Œuvre", "oeu*|œu*|o*", "e*"},
		// A minus excludes a term.
		{"sunny flat", "sunny -garage|-garage flat|flat -title:garage|flat -\"flat sunny\"",
			"sunny -flat|flat -sun*|flat -\"sunny flat\"|sunny -title:flat"},
		// OR joins alternatives.
		{"sunny flat", "garage OR sunny|sunny OR garage|a OR b OR flat|flat garage OR sunny",
			"garage OR cellar|garage sunny OR flat|sunny or garage"},
		// AND and NOT are operators in capitals only.
		{"sunny flat", "sunny AND flat|sunny NOT garage|sunny AND NOT garage|NOT garage flat|garage OR NOT cellar " +
			"sunny|NOT OR flat|NOT AND OR flat sunny|sunny NOT NOT flat|NOT NOT sunny",
			"sunny AND garage|sunny NOT flat|sunny AND NOT flat|NOT garage|sunny not garage|sunny and flat|sunny NOT"},
		{"rock and roll not", "rock and roll|AND rock|rock AND|rock NOT", "rock AND jazz"},
		// field:word searches one field.
		{"sunny flat", "title:sunny|title:sun*|title:\"sunny flat\"", "text:sunny|title:garage"},
		{"cost 5", "cost:5", "cost:6"}, // cost is not searched: two words
		// A query without a positive term matches nothing.
		{"sunny flat", "", "| |-garage|-a OR -b|*|-|\"\"|!?|OR -garage -or"},
		// No query string is a syntax error.
		{"sunny flat", "sunny \"|sunny (|sunny [\\|sunny %|sunny \x00|sunny ***|sunny :|\"sunny flat",
			"\"sunny garage"},
		// Text in a script without spaces is found by any part of it.
		{"東京都渋谷区の部屋",
			"東京|京都|渋谷区|部屋|の|東京 部屋|\"渋谷区の\"|東京*", "京東|渋区|都京"},
		{"カタカナ ひらがな", "カナ|タカ|らが|カタカナ", "ナカ"},
		{"ห้องพักกรุงเทพ",
			"กรุงเทพ|ห้อง|พัก|เทพ", "เทพกรุง"},
		{"駅2分", "駅|2|分|駅2分", "3"},
		// Characters of such a script do not join across punctuation.
		{"東京、大阪", "東京|大阪", "京大"},
	} {
		field, text, ok := strings.Cut(c.text, "|")
		if !ok {
			field, text = "title", c.text
		}
		s := newService(t, `[{"id":"hit",`+encodeJSON(field)+`:`+encodeJSON(text)+`}]`, "[]")
		for want, queries := range map[string]string{"hit": c.hit, "": c.miss} {
			if queries == "" {
				continue
			}
			for query := range strings.SplitSeq(queries, "|") {
				if got := s.ids(s.search(query, "")); got != want {
					t.Errorf("search %q in %s %q: got %q; want %q", query, field, text, got, want)
				}
			}
		}
	}
}

// Search reads the members of details in the order of their names, so that a phrase
// across two members is found every time or never.
func TestSearchDetails_4_3(t *testing.T) {
	for range 20 {
		s := newService(t,
			`[{"id":1,"details":{"heating":{"type":"gas","age":"old","unit":null},"lift":["yes","no"]}}]`, "[]")
		for query, want := range map[string]string{`"heating age"`: "1", `"heating type"`: "", `"type gas"`: "1",
			`"gas unit"`: "", `"lift yes"`: "1", `"yes no"`: ""} {
			if got := s.ids(s.search(query, "")); got != want {
				t.Fatalf("%s found %q; want %q", query, got, want)
			}
		}
	}
}

// A long run of base64 characters contains no words, but separates them.
func TestSearchData_4_3(t *testing.T) {
	run := func(n int) string { return strings.Repeat("QUJD/+8=-_"[:10], n/10) + "xyzxyzxyz"[:n%10] }
	for text, want := range map[string]bool{
		"photo data:image/png;base64," + run(5000) + " behind": true,
		"photo " + run(129) + " behind":                        true,
		"photo é" + run(200) + "é behind":                      true,
		"photo " + run(128) + " behind":                        false,
		"photo " + run(100) + "." + run(100) + " behind":       false,
	} {
		s := newService(t, `[{"id":1,"text":`+encodeJSON(text)+`}]`, "[]")
		if got := s.ids(s.search("photo behind", "")); got != "1" {
			t.Errorf("%.40s: its words found %q; want 1", text, got)
		}
		if got := s.ids(s.search("qujd*", "")); (got == "") != want {
			t.Errorf("%.40s: the data was searched: %v; want %v", text, got != "", !want)
		}
	}
}

// Random searches match the model's, with random filters, sorts and pages, before
// and after updates of the texts.
func TestRandomSearches_4_3(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 6))
		var flats []string
		for i := range 150 {
			rest := strings.TrimPrefix(randomTexts(random), "{")
			flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d,"rooms":%d%s%s`, i, i%7, i%3,
				strings.Repeat(",", min(1, len(rest)-1)), rest))
		}
		file := "[" + strings.Join(flats, ",\n") + "]"
		s, m := newService(t, file, testCodes), newModel(t, file)
		found := 0
		for i := range rounds(1500) {
			if random.IntN(3) == 0 {
				s.patch(m, random, randomTexts(random))
			}
			text := randomSearch(random)
			groups, ok := modelSearch(text)
			if !ok {
				continue // such as a prefix that ends in a vowel sign
			}
			q := &modelQuery{number: -1}
			if random.IntN(2) == 0 {
				q = randomQuery(random, []string{"cost", "rooms", "cost", "id", "title"})
				if random.IntN(2) == 0 {
					q.filters = nil
				}
			}
			got := s.listed(s.search(text, q.raw()))
			want := m.list(q, func(f *modelFlat) bool { return f.matches(groups) })
			if got != want {
				t.Fatalf("seed %d, search %d: %q?%s\ngot  %s\nwant %s", seed, i, text, q.raw(), got, want)
			}
			if !strings.HasPrefix(got, ";") {
				found++
			}
		}
		if found < rounds(300) {
			t.Errorf("seed %d: only %d searches found a flat", seed, found)
		}
	}
}

// A query is an error only if it has too many different terms, counted after folding. A
// term counts once for each of its words, and once for each group that has it.
func TestManyTerms(t *testing.T) {
	s := newService(t, `[{"id":1,"title":"flat w1 w2"},{"id":2,"title":"other"}]`, "[]")
	terms := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(form, "%d", strconv.Itoa(i)))
		}
		return b.String()
	}
	const most = 1000
	for form, words := range map[string]int{"w%d ": 1, "w%d* ": 1, "-w%d ": 1, "w%d OR ": 1, "-w%d OR ": 1,
		"title:w%d ": 1, `"w w%d" `: 2, "NOT w%d ": 1, "a-b-w%d ": 3, `-"a a a%d" `: 3, "部屋%d ": 3,
		"a OR w%d AND ": 2, "w%d OR b%d OR flat w%d OR b%d OR flat ": 3} {
		if got := s.search("flat "+terms(most/words-2, form), ""); got.status != 200 {
			t.Errorf("%d times %q: %d %.200s", most/words-2, form, got.status, got.body)
		}
		s.refuse(s.search("flat "+terms(most/words+1, form), ""), 400,
			"Invalid query provided: it has more than 1000 different terms.")
	}
	for phrase, want := range map[string]int{terms(most, "w"): 200, terms(most, "w "): 200, terms(most+1, "w "): 400,
		terms(most, "屋"): 200, terms(most+1, "屋"): 400, terms(1<<18, "w "): 400, terms(1<<18, "w- "): 400} {
		if got := s.search(`"`+phrase+`"`, ""); got.status != want {
			t.Errorf("%.20q with %d bytes: %d; want %d", phrase, len(phrase), got.status, want)
		}
	}
	for _, query := range []string{strings.Repeat("flat Flat FLÀT ", 5000), strings.Repeat("f* F** ", 5000) + "w1",
		strings.Repeat(`flat OR "w1  w2" OR "W1, W2" `, 3000) + " flat", terms(900, "flat OR w%d OR flat OR ") + "flat",
		strings.Repeat(terms(300, `"a w%d" OR `)+"flat ", 9)} {
		if got := s.ids(s.search(query, "")); got != "1" {
			t.Errorf("%.40s…: %s", query, got)
		}
	}
}

// A search ends when its client disconnects, even if the connection has served other
// requests before.
func TestSearchDisconnect(t *testing.T) {
	t.Parallel()
	s := newService(t, `[{"id":1}]`, "[]")
	<-s.store.index.searchable
	s.store.index.indexed.Store(nil)
	s.store.index.searchable = make(chan struct{}) // never closed
	ended := make(chan struct{})
	c := dial(t, listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			defer close(ended)
		}
		s.Handler.ServeHTTP(w, r)
	})))
	r := bufio.NewReader(c)
	for range 2 {
		io.WriteString(c, "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n")
		got, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, got.Body)
	}
	io.WriteString(c, "POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n\r\n{\"query\":\"a\"}")
	select {
	case <-ended:
		t.Fatal("the search ended before its client disconnected")
	case <-time.After(50 * time.Millisecond):
	}
	c.Close()
	select {
	case <-ended:
	case <-time.After(time.Minute):
		t.Fatal("the search did not end after its client disconnected")
	}
}

// Calendar
// --------

// A calendar is a decoded feed. The decoder shares no code with the encoder, so that
// neither hides an error of the other.
type calendar struct {
	head   []string            // the unfolded lines outside of components
	zones  []string            // the unfolded lines of time zones
	events []map[string]string // by name; SUMMARY, DESCRIPTION and LOCATION are unescaped
}

// readCalendar decodes a feed. It checks the rules for all feeds, that components are
// complete, and that no property occurs twice in an event.
func readCalendar(t testing.TB, feed string) (c calendar) {
	t.Helper()
	if !strings.HasPrefix(feed, "BEGIN:VCALENDAR\r\n") || !strings.HasSuffix(feed, "\r\nEND:VCALENDAR\r\n") {
		t.Fatalf("the feed is not a single complete calendar: %q", feed)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSuffix(feed, "\r\n"), "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) || strings.ContainsFunc(line, unprintable) {
			t.Errorf("line %q of %d octets", line, len(line))
		}
		if folded, ok := strings.CutPrefix(line, " "); ok {
			lines[len(lines)-1] += folded
		} else {
			lines = append(lines, line)
		}
	}
	component := ""
	for _, line := range lines[1 : len(lines)-1] {
		name, value, ok := strings.Cut(line, ":")
		switch {
		case !ok || name == "" || value == "":
			t.Errorf("not a property: %q", line)
		case line == "BEGIN:VEVENT" && component == "":
			component = value
			c.events = append(c.events, map[string]string{})
		case line == "END:VEVENT" && component == "VEVENT":
			component = ""
		case line == "BEGIN:VTIMEZONE" && component == "":
			component = value
			c.zones = append(c.zones, line)
		case component == "VTIMEZONE":
			c.zones = append(c.zones, line)
			if line == "END:VTIMEZONE" {
				component = ""
			}
		case name == "BEGIN" || name == "END":
			t.Errorf("%s in %q", line, component)
		case component == "":
			c.head = append(c.head, line)
		default:
			event := c.events[len(c.events)-1]
			if _, ok := event[name]; ok {
				t.Errorf("%s occurs twice in an event", name)
			}
			if name == "SUMMARY" || name == "DESCRIPTION" || name == "LOCATION" {
				value = unescapeText(t, value)
			}
			event[name] = value
		}
	}
	if component != "" {
		t.Errorf("%s has no end", component)
	}
	return c
}

// unprintable reports whether some client refuses r or treats it as the end of a line.
func unprintable(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// unescapeText decodes a value of type TEXT (RFC 5545, 3.3.11).
func unescapeText(t testing.TB, value string) string {
	t.Helper()
	var b strings.Builder
	escaped := false
	for _, r := range value {
		switch {
		case escaped && r == 'n':
			b.WriteByte('\n')
		case escaped && strings.ContainsRune(`\;,`, r), !escaped && !strings.ContainsRune(`\;,`, r):
			b.WriteRune(r)
		case !escaped && r == '\\':
			escaped = true
			continue
		default:
			t.Errorf("%q in the text %q", r, value)
		}
		escaped = false
	}
	if escaped {
		t.Errorf("the text %q ends in an escape", value)
	}
	return b.String()
}

// calendar fetches and decodes the feed.
func (s *service) calendar() calendar {
	s.Helper()
	got := s.ask("GET", feedPath, "")
	if got.status != 200 || strings.Contains(got.body, "null") || strings.Contains(got.body, "<nil>") {
		s.Errorf("got %d %s", got.status, got.body)
	}
	return readCalendar(s, got.body)
}

// visit returns the event in the feed of one flat, given as a JSON object.
func visit(t testing.TB, flat string, setup ...func(*Config)) map[string]string {
	t.Helper()
	s := newService(t, "["+flat+"]", testCodes)
	for _, f := range setup {
		f(s.config)
	}
	c := s.calendar()
	if len(c.events) != 1 {
		t.Fatalf("%d events of %s", len(c.events), flat)
	}
	return c.events[0]
}

// zone loads a time zone.
func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Section 4.4: the exact bytes of a feed with every kind of value. Clients keep copies
// of the feed, so any change to its bytes must be deliberate.
func TestCalendarGolden_4_4(t *testing.T) {
	s := newService(t, `[
		{"id":"late","title":"Loft; \"north\", 2nd","text":"C:\\attic","area":80.50,"cost":1200.00,"currency":"EUR",
			"notes":"call\r\nfirst","location":"Lyon, Gerland",
			"visit_date":"2026-12-01T18:00:30.5+01:00","date":"2026-01-02T10:00:00+01:00",
				"updated_at":"2026-11-20T07:08:09Z"},
		{"id":"none","title":"no visit"},
		{"id":7,"title":null,"visit_date":"2026-12-01T09:00","service_constraint":"lyon",
			"service_postal_code":"69007"}]`, testCodes)
	const want = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//flats//visits//EN
CALSCALE:GREGORIAN
NAME:Flat visits
X-WR-CALNAME:Flat visits
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-PUBLISHED-TTL:PT1H
BEGIN:VEVENT
UID:7902699be42c8a8e46fbbb4501726517@flats
DTSTAMP:19700101T000000Z
DTSTART:20261201T090000
DTEND:20261201T100000
SUMMARY:Visit - untitled
DESCRIPTION:untitled (area: unknown\, cost: unknown)\nhttps://flats.example
 /#/flat/7\n\n
LOCATION:Lyon 7e
URL:https://flats.example/#/flat/7
END:VEVENT
BEGIN:VEVENT
UID:089001a35679a33ef3db0ca350db9b9a@flats
DTSTAMP:20261120T070809Z
DTSTART:20261201T170030Z
DTEND:20261201T180030Z
SUMMARY:Visit - Loft\; "north"\, 2nd
DESCRIPTION:Loft\; "north"\, 2nd (area: 80.50\, cost: 1200.00 EUR)\nhttps:/
 /flats.example/#/flat/late\n\nC:\\attic\n\ncall\nfirst
LOCATION:Lyon\, Gerland
URL:https://flats.example/#/flat/late
END:VEVENT
END:VCALENDAR
`
	if got := s.ask("GET", feedPath, "").body; got != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Section 4.4: a feed without events is still a calendar. A feed with events has no
// time zone, because Apple's clients would then move floating times.
func TestCalendarHead_4_4(t *testing.T) {
	want := []string{"VERSION:2.0", "PRODID:-//flats//visits//EN", "CALSCALE:GREGORIAN", "NAME:Flat visits",
		"X-WR-CALNAME:Flat visits",
		"REFRESH-INTERVAL;VALUE=DURATION:PT1H", "X-PUBLISHED-TTL:PT1H"}
	for _, test := range []struct {
		flats         string
		events, zones int
	}{
		{`[]`, 0, 1},
		{`[{"id":1},{"id":2,"visit_date":null}]`, 0, 1},
		{`[{"id":1,"visit_date":"9999-12-31T23:30"}]`, 0, 1},
		{`[{"id":1,"visit_date":"2026-12-01"}]`, 1, 0},
		{`[{"id":1,"visit_date":"2026-12-01T18:00Z"}]`, 1, 0},
	} {
		c := newService(t, test.flats, testCodes).calendar()
		if !slices.Equal(c.head, want) {
			t.Errorf("%s: head %q", test.flats, c.head)
		}
		if len(c.events) != test.events || strings.Count(strings.Join(c.zones, "\n"), "BEGIN:VTIMEZONE") != test.zones {
			t.Errorf("%s: %d events and zones %q", test.flats, len(c.events), c.zones)
		}
		if test.zones == 1 &&
			!slices.Equal(c.zones, []string{"BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000",
				"TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"}) {
			t.Errorf("%s: zone %q", test.flats, c.zones)
		}
	}
}

// Section 4.4: an event has exactly the properties of the table.
func TestCalendarEvent_4_4(t *testing.T) {
	const head = `{"id":"x@y","visit_date":"2026-12-01T18:00",`
	const link = "https://flats.example/#/flat/x@y"
	for _, test := range []struct{ name, flat, summary, description, location string }{
		{"without notes", `"title":"Loft","area":80,"cost":1200,"currency":"EUR","text":"Big."`, "Loft",
			"Loft (area: 80, cost: 1200 EUR)\n" + link + "\n\nBig.", ""},
		{"with notes", `"title":"Loft","area":80.50,"cost":1.2e3,"currency":"EUR","text":"Big.","notes":"Ring\ntwice."`,
			"Loft", "Loft (area: 80.50, cost: 1.2e3 EUR)\n" + link + "\n\nBig.\n\nRing\ntwice.", ""},
		{"empty notes", `"title":"T","area":0,"cost":0.10,"currency":"€","text":"x","notes":""`, "T",
			"T (area: 0, cost: 0.10 €)\n" + link + "\n\nx", ""},
		{"large numbers", `"title":"T","area":1e21,"cost":1000000,"currency":"EUR","text":"x","notes":null`, "T",
			"T (area: 1e21, cost: 1000000 EUR)\n" + link + "\n\nx", ""},
		{"empty title", `"title":"","area":-0.0,"cost":9007199254740993`, "",
			" (area: -0.0, cost: 9007199254740993)\n" + link + "\n\n", ""},
		{"nothing known", `"title":null`, "untitled", "untitled (area: unknown, cost: unknown)\n" + link + "\n\n", ""},
		{"unknown cost", `"title":"T","area":9,"cost":null,"currency":"EUR","notes":"n"`, "T",
			"T (area: 9, cost: unknown EUR)\n" + link + "\n\n\n\nn", ""},
		{"unknown currency", `"title":"T","area":9,"cost":5,"currency":null,"text":""`, "T",
			"T (area: 9, cost: 5)\n" + link + "\n\n", ""},
		{"location", `"title":"T","location":"Lyon, Gerland","service_constraint":"lyon","service_postal_code":"69007"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", "Lyon, Gerland"},
		{"place of the postal code", `"title":"T","location":"","service_constraint":"lyon","service_postal_code":"69007"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", "Lyon 7e"},
		{"no such constraint", `"title":"T","location":null,"service_constraint":"nobody","service_postal_code":"69007"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", ""},
		{"code outside the constraint", `"title":"T","service_constraint":"lyon","service_postal_code":"10115"`,
			"T", "T (area: unknown, cost: unknown)\n" + link + "\n\n", ""},
	} {
		got := visit(t, head+test.flat+"}")
		want := map[string]string{
			"UID": got["UID"], "DTSTAMP": "19700101T000000Z", "DTSTART": "20261201T180000", "DTEND": "20261201T190000",
			"SUMMARY": "Visit - " + test.summary, "DESCRIPTION": test.description, "URL": link,
		}
		if test.location != "" {
			want["LOCATION"] = test.location
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, want)
		}
	}
}

// Section 4.4: the URL escapes characters of an id that a URI may not contain, and
// percent signs, because the page decodes them.
func TestCalendarURL_4_4(t *testing.T) {
	for id, want := range map[string]string{
		`"a b"`: "a%20b", `"é"`: "%C3%A9", `"50%"`: "50%25", `"a/b?c#d"`: "a%2Fb%3Fc%23d", `"x@y"`: "x@y",
		`"\"<\\\r\n"`: "%22%3C%5C%0D%0A", `12`: "12",
	} {
		got := visit(t, `{"id":`+id+`,"visit_date":"2026-12-01"}`)["URL"]
		if got != "https://flats.example/#/flat/"+want {
			t.Errorf("id %s: URL %q; want …%s", id, got, want)
		}
	}
	// The description is text and has the id unescaped.
	description := visit(t, `{"id":"a b%é","visit_date":"2026-12-01"}`)["DESCRIPTION"]
	if !strings.Contains(description, "\nhttps://flats.example/#/flat/a b%é\n") {
		t.Errorf("DESCRIPTION %q", description)
	}
	// A URI is not a TEXT value: commas and semicolons are not escaped. A website_url
	// without a final slash is used as it is.
	got := visit(t, `{"id":1,"title":"T","visit_date":"2026-12-01"}`,
		func(c *Config) { c.WebsiteURL = "https://flats.example/ü,a;b" })
	if got["URL"] != "https://flats.example/%C3%BC,a;b#/flat/1" ||
		!strings.Contains(got["DESCRIPTION"], "\nhttps://flats.example/ü,a;b#/flat/1\n") {
		t.Errorf("got %q", got)
	}
}

// Section 4.4: DTSTART and DTEND for every form of a visit date. A time without an
// offset is floating, unless the config sets a time zone.
func TestCalendarStart_4_4(t *testing.T) {
	const none, paris, kathmandu = "", "Europe/Paris", "Asia/Kathmandu"
	for _, test := range []struct{ date, zone, start, end string }{
		{"2026-12-01T18:00", none, "20261201T180000", "20261201T190000"},
		{"2026-12-01 18:00:05", none, "20261201T180005", "20261201T190005"},
		{"2026-12-01T18:00:05.999", none, "20261201T180005", "20261201T190005"},
		{"2026-12-01", none, "20261201T000000", "20261201T010000"},
		{"2026-12-31T23:30", none, "20261231T233000", "20270101T003000"},
		{"2028-02-28T23:00", none, "20280228T230000", "20280229T000000"},
		{"2026-12-01T18:00Z", none, "20261201T180000Z", "20261201T190000Z"},
		{"2026-12-01T18:00:00+00:00", none, "20261201T180000Z", "20261201T190000Z"},
		{"2026-12-01T00:30:00+01:00", none, "20261130T233000Z", "20261201T003000Z"},
		{"2026-12-31T20:00-0530", none, "20270101T013000Z", "20270101T023000Z"},
		{"0001-01-01T00:00", none, "00010101T000000", "00010101T010000"},
		{"9999-12-31T22:59:59", none, "99991231T225959", "99991231T235959"},

		{"2026-12-01T18:00", paris, "20261201T170000Z", "20261201T180000Z"},
		{"2026-07-01T18:00", paris, "20260701T160000Z", "20260701T170000Z"},
		{"2026-07-01", paris, "20260630T220000Z", "20260630T230000Z"},
		{"2026-03-29T01:30", paris, "20260329T003000Z", "20260329T013000Z"}, // an hour later, clocks show 3:30
		{"2026-03-29T02:30", paris, "20260329T013000Z", "20260329T023000Z"}, // in the gap: the offset before it
		{"2026-10-25T02:30", paris, "20261025T003000Z", "20261025T013000Z"}, // occurs twice: the first
		{"2026-10-25T03:00", paris, "20261025T020000Z", "20261025T030000Z"},
		{"2026-03-08T02:30", "America/New_York", "20260308T073000Z", "20260308T083000Z"},
		{"2026-11-01T01:30", "America/New_York", "20261101T053000Z", "20261101T063000Z"},
		{"2026-12-01T18:00", kathmandu, "20261201T121500Z", "20261201T131500Z"},
		{"2026-12-01T18:00", "UTC", "20261201T180000Z", "20261201T190000Z"},
		{"2026-12-01T18:00-05:00", paris, "20261201T230000Z", "20261202T000000Z"},
		{"2026-12-01T18:00Z", kathmandu, "20261201T180000Z", "20261201T190000Z"},
	} {
		got := visit(t, `{"id":1,"visit_date":"`+test.date+`"}`, func(c *Config) {
			if test.zone != none {
				c.Timezone = zone(t, test.zone)
			}
		})
		if got["DTSTART"] != test.start || got["DTEND"] != test.end {
			t.Errorf("%s in %q: %s to %s; want %s to %s", test.date, test.zone, got["DTSTART"], got["DTEND"],
				test.start, test.end)
		}
	}
}

// Section 4.4: DTSTAMP is the time of the flat's last change through the service, or
// else its date, or else the Unix epoch. With the time of the request, each fetch would
// look like an update.
func TestCalendarStamp_4_4(t *testing.T) {
	for _, test := range []struct{ flat, want string }{
		{`"updated_at":"2026-11-20T07:08:09Z"`, "20261120T070809Z"},
		{`"updated_at":"2026-11-20T07:08:09Z","date":"2026-01-02T10:00:00Z"`, "20261120T070809Z"},
		{`"updated_at":"2025-11-20T07:08:09Z","date":"2026-01-02T10:00:00Z"`, "20251120T070809Z"},
		{`"updated_at":null,"date":"2026-01-02T10:00:00+01:00"`, "20260102T090000Z"},
		{`"date":"2026-01-02T10:00:00"`, "20260102T100000Z"},
		{`"date":"2026-01-02"`, "20260102T000000Z"},
		{`"date":"9999-12-31T23:59:59-05:00"`, "19700101T000000Z"},
		{`"date":null`, "19700101T000000Z"},
	} {
		if got := visit(t, `{"id":1,"visit_date":"2026-12-01",`+test.flat+`}`)["DTSTAMP"]; got != test.want {
			t.Errorf("%s: DTSTAMP %s; want %s", test.flat, got, test.want)
		}
	}

	s := newService(t, testFlats, testCodes)
	now := time.Date(2026, 11, 21, 2, 34, 28, 5, time.FixedZone("", 3600))
	s.store.now = func() time.Time { return now }
	before := s.calendar().events[0]["DTSTAMP"]
	for _, body := range []string{`{}`, `{"title":"Attic"}`, `{"title":5}`, `{"updated_at":"2030-01-01"}`} {
		s.ask("PATCH", "/api/v1/flat/7", body)
	}
	if got := s.calendar().events[0]["DTSTAMP"]; got != before {
		t.Errorf("DTSTAMP %s after updates that change nothing; want %s", got, before)
	}
	got := s.ask("PATCH", "/api/v1/flat/7", `{"notes":"n"}`)
	if got.status != 200 || strings.Contains(got.body, "updated_at") {
		t.Errorf("got %d %s", got.status, got.body)
	}
	if got := s.calendar().events[0]["DTSTAMP"]; got != "20261121T013428Z" {
		t.Errorf("DTSTAMP %s after a change; want 20261121T013428Z", got)
	}
}

// Section 4.4: clients identify an event by its UID, so it depends on the id alone and
// must never change: the first case has a literal UID.
func TestCalendarUID_4_4(t *testing.T) {
	if got := visit(t, `{"id":7,"visit_date":"2026-12-01"}`)["UID"]; got != "7902699be42c8a8e46fbbb4501726517@flats" {
		t.Errorf("UID %s for flat 7", got)
	}
	ids := []string{`7`, `"07"`, `"a"`, `"A"`, `"a "`, `"é"`, `"e\u0301"`, `"a/b"`, `"a%2Fb"`, `"\u0000"`, `"\n"`,
		`"x@flats"`,
		`"` + strings.Repeat("x", 1000) + `"`, `"` + strings.Repeat("x", 1000) + `y"`}
	uids := map[string]bool{}
	for _, id := range ids {
		uid := visit(t, `{"id":`+id+`,"title":"one","visit_date":"2026-12-01"}`)["UID"]
		again := visit(t, `{"id":`+id+`,"title":"two","visit_date":"2027-01-01T10:00Z"}`)["UID"]
		if uid != again || len(uid) >= 255 || strings.Trim(uid, "0123456789abcdefghijklmnopqrstuvwxyz@.-") != "" {
			t.Errorf("id %s: UID %q, then %q", excerpt(id), uid, again)
		}
		uids[uid] = true
	}
	if len(uids) != len(ids) {
		t.Errorf("%d UIDs for %d ids", len(uids), len(ids))
	}
}

// Section 4.4: events are sorted by start and then by id, so that the feed does not
// depend on the order of the flats.
func TestCalendarOrder_4_4(t *testing.T) {
	flats := []string{`{"id":"3","visit_date":"2026-12-01T18:00:00.5Z"}`,
		`{"id":"1","visit_date":"2026-12-01T18:30+01:00"}`,
		`{"id":"5","visit_date":"2027-01-01"}`, `{"id":"2b","visit_date":"2026-12-01T18:00"}`,
		`{"id":"4","visit_date":"2026-12-01T19:00"}`,
		`{"id":"2a","visit_date":"2026-12-01T18:00Z"}`}
	order := func(s *service) string {
		var ids []string
		for _, e := range s.calendar().events {
			ids = append(ids, strings.TrimPrefix(e["URL"], "https://flats.example/#/flat/"))
		}
		return strings.Join(ids, " ")
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	slices.Reverse(flats)
	reversed := newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	if got := order(s); got != "1 2a 2b 3 4 5" {
		t.Errorf("event order %s", got)
	}
	if s.ask("GET", feedPath, "").body != reversed.ask("GET", feedPath, "").body {
		t.Error("the feed depends on the order of the flats")
	}
	s.config.Timezone = zone(t, "America/New_York") // 2b is at 23:00Z, 4 at 0:00Z
	if got := order(s); got != "1 2a 3 2b 4 5" {
		t.Errorf("event order in New York %s", got)
	}
}

// An event that cannot be built is logged and left out of the feed. Section 4.4 would end
// the feed there; the service includes the later events, too.
func TestCalendarOmitted_4_4(t *testing.T) {
	s := newService(t, `[{"id":"first","visit_date":"2026-12-01"},{"id":"ten thousand","visit_date":"9999-12-31T23:30"},
		{"id":"east","visit_date":"0000-01-01T00:00+01:00"},{"id":"last","visit_date":"9999-12-31T22:30"}]`, testCodes)
	c := s.calendar()
	if len(c.events) != 2 || c.events[0]["DTSTART"] != "20261201T000000" ||
		c.events[1]["DTSTART"] != "99991231T223000" {
		t.Errorf("events %q", c.events)
	}
	logs := s.logs.String()
	if !strings.Contains(logs, `"ten thousand"`) || !strings.Contains(logs, "flat=east") ||
		strings.Contains(logs, "first") {
		t.Errorf("logs %s", logs)
	}
	// The time zone moves the last visit beyond the year 9999.
	s.config.Timezone = zone(t, "America/New_York")
	if c := s.calendar(); len(c.events) != 1 {
		t.Errorf("events in New York %q", c.events)
	}
}

// Section 4.4: the feed escapes any text. The texts are set by PATCH, as a user would
// set them.
func TestCalendarText_4_4(t *testing.T) {
	for _, test := range []struct{ text, line, decoded string }{
		{`plain`, `plain`, "plain"},
		{`a;b,c`, `a\;b\,c`, "a;b,c"},
		{`C:\\n; \\`, `C:\\n\; \\`, `C:\n; \`},
		{`\\,`, `\\\,`, `\,`},
		{`say: \"now\"`, `say: "now"`, `say: "now"`},
		{`a\nb\r\nc\rd`, `a\nb\nc\nd`, "a\nb\nc\nd"},
		{`a\n\rb\r\r\nc`, `a\n\nb\n\nc`, "a\n\nb\n\nc"},
		{`a\u2028b\u2029c`, `a\nb\nc`, "a\nb\nc"},
		{`\u0000a\u0007\u001b[1m\u007f\u0080\u009fb`, `a[1mb`, "a[1mb"},
		{`\ufeffé\u00e9\ud83c\udfe0`, "\ufeffé\u00e9🏠", "\ufeffé\u00e9🏠"},
		{`\ud83c!`, "\ufffd!", "\ufffd!"}, // half of a surrogate pair
		{`END:VEVENT\r\nBEGIN:VALARM`, `END:VEVENT\nBEGIN:VALARM`, "END:VEVENT\nBEGIN:VALARM"},
	} {
		s := newService(t, `[{"id":1,"title":"T","visit_date":"2026-12-01"}]`, testCodes)
		got := s.ask("PATCH", "/api/v1/flat/1",
			`{"title":"`+test.text+`","location":"`+test.text+`","notes":"`+test.text+`"}`)
		if got.status != 200 {
			t.Errorf("%s: got %d %s", test.text, got.status, got.body)
		}
		feed := s.ask("GET", feedPath, "").body
		if line := "\r\nSUMMARY:Visit - " + test.line + "\r\n"; !strings.Contains(feed, line) {
			t.Errorf("no %q in %q", line, feed)
		}
		e := s.calendar().events[0]
		if e["LOCATION"] != test.decoded || !strings.HasPrefix(e["DESCRIPTION"], test.decoded+" (") ||
			!strings.HasSuffix(e["DESCRIPTION"], "\n\n"+test.decoded) {
			t.Errorf("%s: got %q; want %q", test.text, e, test.decoded)
		}
	}
	// An empty property is left out.
	if got := visit(t, `{"id":1,"location":"\u0001","visit_date":"2026-12-01"}`); got["LOCATION"] != "" {
		t.Errorf("got %q", got)
	}
	// The store refuses bytes that are not UTF-8, but the writer does not rely on that.
	var b strings.Builder
	w := icsWriter{bufio.NewWriter(&b)}
	w.text("SUMMARY", "a\xffb\xc3")
	w.text("LOCATION", "")
	w.Flush()
	if got := b.String(); got != "SUMMARY:a\ufffdb\ufffd\r\n" {
		t.Errorf("got %q", got)
	}
}

// Section 4.4: lines have at most 75 octets and are never folded inside a character:
// Outlook would show two halves, and other clients would refuse the feed.
func TestCalendarFolding_4_4(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	for _, test := range []struct{ value, want string }{
		{x(73), "N:" + x(73)},
		{x(74), "N:" + x(73) + "\r\n x"},
		{x(73 + 74), "N:" + x(73) + "\r\n " + x(74)},
		{x(73 + 75), "N:" + x(73) + "\r\n " + x(74) + "\r\n x"},
		{x(72) + "é", "N:" + x(72) + "\r\n é"},
		{x(71) + "é", "N:" + x(71) + "é"},
		{x(70) + "🏠", "N:" + x(70) + "\r\n 🏠"},
		{x(69) + "🏠y", "N:" + x(69) + "🏠\r\n y"},
		{x(73) + strings.Repeat("🏠", 19), "N:" + x(73) + "\r\n " + strings.Repeat("🏠", 18) + "\r\n 🏠"},
		{x(72) + "  y", "N:" + x(72) + " \r\n  y"}, // spaces on both sides
	} {
		var b strings.Builder
		w := icsWriter{bufio.NewWriter(&b)}
		w.line("N", test.value)
		w.Flush()
		if got := b.String(); got != test.want+"\r\n" {
			t.Errorf("line of %q:\ngot  %q\nwant %q", test.value, got, test.want)
		}
	}
	// Characters of each length at each distance from the fold.
	for _, letter := range []string{"é", "€", "🏠", ",", "\\", "\n", " "} {
		var titles, flats []string
		for n := range 80 {
			titles = append(titles, x(n)+strings.Repeat(letter, 60)+"x")
			flats = append(flats, fmt.Sprintf(`{"id":%d,"visit_date":"2026-12-01","title":%s}`, 100+n, encodeJSON(titles[n])))
		}
		for i, event := range newService(t, "["+strings.Join(flats, ",")+"]", testCodes).calendar().events {
			if event["SUMMARY"] != "Visit - "+titles[i] {
				t.Errorf("title %q: SUMMARY %q", titles[i], event["SUMMARY"])
			}
		}
	}
}

// Section 4.4: headers, conditional requests and unknown parameters. Some clients drop
// a feed for good on any status but 200, so the feed ignores unknown parameters.
func TestCalendarHTTP_4_4(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	first := s.ask("GET", feedPath, "")
	tag := first.header.Get("ETag")
	for name, want := range map[string]string{
		"Content-Type": "text/calendar; charset=utf-8", "Content-Disposition": `inline; filename="visits.ics"`,
		"ETag": tag,
	} {
		for method, got := range map[string]reply{"GET": s.ask("GET", feedPath, ""),
			"HEAD": s.ask("HEAD", feedPath, "")} {
			if values := got.header.Values(name); got.status != 200 || !slices.Equal(values, []string{want}) {
				t.Errorf("%s: %d with %s %q; want %q", method, got.status, name, values, want)
			}
			if got.header.Get("Content-Length") != fmt.Sprint(len(first.body)) {
				t.Errorf("%s: Content-Length %s", method, got.header.Get("Content-Length"))
			}
		}
	}
	if len(tag) < 3 || tag[0] != '"' || tag[len(tag)-1] != '"' {
		t.Errorf("ETag %s", tag)
	}
	for _, query := range []string{"?x=1", "?filter[nothing]=1", "?page[size]=0", "?%zz", "?token="} {
		r := s.ask("GET", feedPath, "", "Accept", "application/json", "Range", "bytes=0-9", "If-Modified-Since",
			"Tue, 01 Dec 2099 00:00:00 GMT")
		got := s.ask("GET", feedPath+query, "")
		if got.status != 200 || got.body != first.body || r.status != 200 || r.body != first.body {
			t.Errorf("%s: got %d %s", query, got.status, got.body)
		}
	}

	for _, test := range []struct {
		sent   string
		status int
	}{
		{tag, 304}, {"W/" + tag, 304}, {`"other", ` + tag, 304}, {"*", 304}, {`"other"`, 200},
		{strings.Trim(tag, `"`), 200}, {"", 200},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			got := s.ask(method, feedPath, "", "If-None-Match", test.sent)
			if got.status != test.status || got.header.Get("ETag") != tag || test.status == 304 && got.body != "" {
				t.Errorf("%s with If-None-Match %s: got %d %v", method, test.sent, got.status, got.header)
			}
		}
	}

	// The entity tag depends on the feed's bytes alone: it changes only with them, and
	// is the same after a restart.
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"no visit"}`)
	if got := s.ask("GET", feedPath, "", "If-None-Match", tag); got.status != 304 {
		t.Errorf("got %d after an update of another flat", got.status)
	}
	got := newService(t, testFlats, testCodes).ask("GET", feedPath, "")
	if got.body != first.body || got.header.Get("ETag") != tag {
		t.Errorf("after a restart: ETag %s; want %s", got.header.Get("ETag"), tag)
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":"2026-12-02T10:00"}`)
	got = s.ask("GET", feedPath, "", "If-None-Match", tag)
	if got.status != 200 || got.header.Get("ETag") == tag || len(readCalendar(t, got.body).events) != 2 {
		t.Errorf("got %d %v after adding a visit", got.status, got.header)
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"visit_date":null}`)
	if got := s.ask("GET", feedPath, ""); got.body != first.body || got.header.Get("ETag") != tag {
		t.Errorf("got %v after removing that visit", got.header)
	}
}

// Access
// ------

// basic returns an Authorization header for Basic authentication.
func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// Section 4.5: OPTIONS ignores the id, the parameters and the body.
func TestOptions_4_5(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for path, want := range map[string]string{
		"/api/v1/flats": "", "/api/v1/flats?page[size]=x": "", "/api/v1/flats/a": "{}", "/api/v1/flats/nope": "{}",
		"/api/v1/flat/nope": "{}",
		"/api/v1/search":    "{}", "/api/v1/ics/visits.ics": "{}", "/api/v1/time_to_places": "{}",
		"/api/v1/metadata": "{}", "/api/v1/opendata/postal_codes": "{}",
	} {
		got := s.ask("OPTIONS", path, "no JSON")
		if got.status != 200 || got.body != want || got.header.Get("Allow") == "" {
			t.Errorf("OPTIONS %s: %d %q %v; want 200 %q", path, got.status, got.body, got.header, want)
		}
	}
	for _, path := range []string{"/api/v1/", "/api/v1", "/api/v1/opendata"} {
		got := s.ask("OPTIONS", path, "")
		if got.status != 204 || got.body != "" || got.header.Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("OPTIONS %s: %d %q %v", path, got.status, got.body, got.header)
		}
	}
	s.refuse(s.ask("OPTIONS", "/api/v1/nope", ""), 404, "There is nothing at /api/v1/nope.")
}

// If several methods share a path, Allow and the preflight list all of them.
func TestSharedPath(t *testing.T) {
	s := newService(t, "[]", "[]")
	x := &server{config: s.config, log: quiet}
	mux := x.routes([]route{
		{"GET", "/x", constant("1"), constant("{}")},
		{"PUT", "/x", constant("2"), constant("{}")},
		{"DELETE", "/x", constant("3"), constant("{}")},
	})
	s.Handler = x.observed(x.guarded(mux), false)
	for method, want := range map[string]string{"GET": "1", "PUT": "2", "DELETE": "3", "OPTIONS": "{}"} {
		if got := s.ask(method, "/x", ""); got.status != 200 || got.body != want {
			t.Errorf("%s: %d %s; want %s", method, got.status, got.body, want)
		}
	}
	const methods = "GET, HEAD, PUT, DELETE, OPTIONS"
	if got := s.ask("PATCH", "/x", ""); got.status != 405 || got.header.Get("Allow") != methods {
		t.Errorf("PATCH: %d %v", got.status, got.header)
	}
	got := s.ask("OPTIONS", "/x", "", "Origin", "https://flats.example", "Access-Control-Request-Method", "PUT")
	if got.header.Get("Access-Control-Allow-Methods") != methods || got.header.Get("Allow") != methods {
		t.Errorf("preflight: %v", got.header)
	}
}

// Section 4.5: the site's own origin and those in cors_origins may read and change
// flats. Other origins may not.
func TestOrigins_4_5(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) { c.CORSOrigins = []string{"http://localhost:3000"} })
	for origin, allowed := range map[string]bool{
		"https://flats.example": true, "http://localhost:3000": true, "": true,
		"https://flats.example:8443": false, "https://evil.example": false, "null": false, "http://localhost": false,
		"https://flats.example.evil.example": false,
	} {
		got := s.ask("GET", "/api/v1/flats?page[size]=1", "", "Origin", origin)
		h := got.header
		if got.status != 200 || h.Get("Vary") != "Origin" ||
			(h.Get("Access-Control-Allow-Origin") == origin) != allowed {
			t.Errorf("GET from %q: %d %v", origin, got.status, h)
		}
		if origin != "" && allowed && (h.Get("Access-Control-Expose-Headers") != "ETag, Link, X-Total-Count" ||
			h.Get("Access-Control-Allow-Credentials") != "true") {
			t.Errorf("GET from %q: %v", origin, h)
		}
		got = s.ask("OPTIONS", "/api/v1/flat/a", "", "Origin", origin, "Access-Control-Request-Method", "PATCH",
			"Access-Control-Request-Headers", "content-type")
		if got.status != 200 || origin != "" &&
			strings.Contains(got.header.Get("Access-Control-Allow-Methods"), "PATCH") != allowed {
			t.Errorf("preflight from %q: %d %v", origin, got.status, got.header)
		}
		got = s.ask("PATCH", "/api/v1/flat/a", `{"title":"from `+origin+`"}`, "Origin", origin)
		if allowed && got.status != 200 {
			t.Errorf("PATCH from %q: %d %s", origin, got.status, got.body)
		} else if !allowed {
			s.refuse(got, 403, fmt.Sprintf("Requests from the origin %q are refused: add it to cors_origins to allow "+
				"them.", origin))
		}
	}
	// Without an Origin header, Sec-Fetch-Site decides.
	s.refuse(s.ask("POST", "/api/v1/search", `{"query":"x"}`, "Sec-Fetch-Site", "cross-site"), 403,
		`Requests from the origin "" are refused: add it to cors_origins to allow them.`)
	if got := s.ask("POST", "/api/v1/search", `{"query":"x"}`, "Sec-Fetch-Site", "same-origin"); got.status != 200 {
		t.Errorf("same-origin: %d %s", got.status, got.body)
	}
	// An allowed origin can read errors, too.
	got := s.ask("GET", "/api/v1/flats/nope", "", "Origin", "http://localhost:3000")
	if got.header.Get("Access-Control-Allow-Origin") != "http://localhost:3000" {
		t.Errorf("404: %v", got.header)
	}
}

// With "*" in cors_origins any page may change flats, but not with the password that the
// browser has stored: requests that a browser sends without a preflight are refused, and a
// preflight does not allow the password. Origins that are named may use it.
func TestAnyOrigin(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) {
		c.CORSOrigins, c.Username, c.Password = []string{"*", "https://named.example"}, "me", "pass"
	})
	const foreign, named = "https://any.example", "https://named.example"
	for _, c := range []struct {
		name, method, target, contentType, origin, site string
		status                                          int
	}{
		{"a read", "GET", "/api/v1/flats", "", foreign, "cross-site", 200},
		{"JSON", "POST", "/api/v1/import", "application/json", foreign, "cross-site", 200},
		{"JSON with parameters", "POST", "/api/v1/import", "Application/JSON; charset=utf-8", foreign, "same-site", 200},
		{"JSON of an old browser", "POST", "/api/v1/import", "application/json", foreign, "", 200},
		{"an update", "PATCH", "/api/v1/flat/a", "application/json", foreign, "cross-site", 200},
		{"a view", "PUT", "/api/v1/views/x", "application/json", foreign, "cross-site", 201},
		{"a method with a preflight", "DELETE", "/api/v1/views/x", "", foreign, "cross-site", 204},
		{"text", "POST", "/api/v1/import", "text/plain", foreign, "cross-site", 403},
		{"text of an old browser", "POST", "/api/v1/import", "text/plain", foreign, "", 403},
		{"text of a sandbox", "POST", "/api/v1/import", "text/plain", "null", "", 403},
		{"text without an origin", "POST", "/api/v1/import", "text/plain", "", "cross-site", 403},
		{"JSON in a parameter", "POST", "/api/v1/import", "text/plain; a=application/json", foreign, "cross-site", 403},
		{"JSON after text", "POST", "/api/v1/import", "text/plain; x, application/json", foreign, "cross-site", 403},
		{"a form with files", "POST", "/api/v1/import", "multipart/form-data; boundary=x", foreign, "cross-site", 403},
		{"a form", "POST", "/api/v1/import", "application/x-www-form-urlencoded", foreign, "cross-site", 403},
		{"another type", "POST", "/api/v1/import", "application/jsonx", foreign, "cross-site", 403},
		{"an import without a type", "POST", "/api/v1/import", "", foreign, "cross-site", 403},
		{"a message", "POST", "/api/v1/notify", "", foreign, "cross-site", 403},
		{"an update as text", "PATCH", "/api/v1/flat/a", "text/plain", foreign, "cross-site", 403},
		{"a view without a type", "PUT", "/api/v1/views/x", "", foreign, "cross-site", 403},
		{"text from a named origin", "POST", "/api/v1/import", "text/plain", named, "cross-site", 200},
		{"text from the page", "POST", "/api/v1/import", "text/plain", "https://flats.example", "same-origin", 200},
		{"text from a program", "POST", "/api/v1/import", "text/plain", "", "", 200},
	} {
		body := map[string]string{"POST": `[{"id":"1@s"}]`, "PATCH": `{"title":"x"}`, "PUT": `{"query":""}`}[c.method]
		got := s.ask(c.method, c.target, body, "Content-Type", c.contentType, "Origin", c.origin, "Sec-Fetch-Site", c.site,
			"Authorization", basic("me", "pass"))
		if got.status != c.status {
			t.Errorf("%s: %d %s; want %d", c.name, got.status, got.body, c.status)
		}
		if h := got.header; c.origin != "" && (h.Get("Access-Control-Allow-Origin") != c.origin ||
			(h.Get("Access-Control-Allow-Credentials") != "") != (c.origin != foreign && c.origin != "null")) {
			t.Errorf("%s: %v", c.name, h)
		}
	}
	for origin, credentials := range map[string]string{foreign: "", named: "true"} {
		got := s.ask("OPTIONS", "/api/v1/import", "", "Origin", origin, "Access-Control-Request-Method", "POST")
		if got.header.Get("Access-Control-Allow-Credentials") != credentials {
			t.Errorf("preflight from %s: %v", origin, got.header)
		}
	}
}

// Section 5: with a password, every request but OPTIONS requires it. The feed token
// gives access to the calendar only.
func TestPassword_5(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) {
		c.Username, c.Password, c.FeedToken = "me", "pass:wörd", "tok;en"
	})
	const text = "The user name or the password is wrong or missing."
	paths := []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/flats/nope", "/api/v1/ics/visits.ics",
		"/api/v1/metadata", "/api/v1/nope", "/"}
	for _, path := range paths {
		for _, header := range []string{"", basic("me", "wrong"), basic("you", "pass:wörd"), basic("", ""),
			basic("me", ""), "Basic x", "Bearer tok;en"} {
			got := s.ask("GET", path, "", "Authorization", header)
			s.refuse(got, 401, text)
			if got.header.Get("WWW-Authenticate") != `Basic realm="flats", charset="UTF-8"` ||
				got.header.Get("Etag") != "" {
				t.Errorf("%s: %v", path, got.header)
			}
		}
		if got := s.ask("GET", path, "", "Authorization", basic("me", "pass:wörd")); got.status == 401 {
			t.Errorf("%s refuses the right password", path)
		}
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"title":"x"}`), 401, text)
	s.want(s.ask("OPTIONS", "/api/v1/search", ""), 200, "{}")
	for target, status := range map[string]int{
		"/api/v1/ics/visits.ics?token=tok;en": 200, "/api/v1/ics/visits.ics?x&token=tok%3Ben": 200,
		"/api/v1/ics/visits.ics?token=":      401,
		"/api/v1/ics/visits.ics?token=token": 401, "/api/v1/flats?token=tok;en": 401,
		"/api/v1/metadata?token=tok;en": 401,
	} {
		if got := s.ask("GET", target, ""); got.status != status {
			t.Errorf("%s: %d; want %d", target, got.status, status)
		}
	}
	got := s.ask("GET", "/api/v1/metadata", "", "Authorization", basic("me", "pass:wörd"))
	if public := got.body + s.logs.String(); strings.Contains(public, "wörd") || strings.Contains(public, "tok") {
		t.Errorf("a secret appears in %s\n%s", got.body, s.logs)
	}
	got = s.with(func(c *Config) { c.FeedToken = "" }).ask("GET", "/api/v1/ics/visits.ics?token=", "")
	if got.status != 401 {
		t.Errorf("an empty token, none configured: %d; want 401", got.status)
	}
}

// The import token opens POST /api/v1/import and nothing else.
func TestImportToken(t *testing.T) {
	open := newService(t, testFlats, testCodes)
	s := open.with(func(c *Config) { c.Username, c.Password, c.ImportToken = "me", "pass", "tok" })
	const importing = "/api/v1/import"
	for _, c := range []struct {
		name, method, target, header, value string
		status                              int
	}{
		{"the token", "POST", importing, "Authorization", "Bearer tok", 200},
		{"another spelling", "POST", "//api/v1/import", "Authorization", "bearer  tok", 200},
		{"a complete list", "POST", importing + "?complete=s", "Authorization", "Bearer tok", 200},
		{"the password", "POST", importing, "Authorization", basic("me", "pass"), 200},
		{"another token", "POST", importing, "Authorization", "Bearer token", 401},
		{"no token", "POST", importing, "Authorization", "Bearer", 401},
		{"no scheme", "POST", importing, "Authorization", "tok", 401},
		{"another scheme", "POST", importing, "Authorization", basic("tok", "tok"), 401},
		{"another header", "POST", importing, "X-Token", "Bearer tok", 401},
		{"a parameter", "POST", importing + "?token=tok", "X", "x", 401},
		{"another method", "GET", importing, "Authorization", "Bearer tok", 401},
		{"the list of imports", "GET", "/api/v1/imports", "Authorization", "Bearer tok", 401},
		{"a search", "POST", "/api/v1/search", "Authorization", "Bearer tok", 401},
		{"an update", "PATCH", "/api/v1/flat/a", "Authorization", "Bearer tok", 401},
		{"the calendar", "GET", feedPath, "Authorization", "Bearer tok", 401},
	} {
		if got := s.ask(c.method, c.target, `[{"id":"1@s"}]`, c.header, c.value); got.status != c.status {
			t.Errorf("%s: %d %s; want %d", c.name, got.status, got.body, c.status)
		}
	}
	none := s.with(func(c *Config) { c.ImportToken = "" })
	s.refuse(none.ask("POST", "/api/v1/import", "[]", "Authorization", "Bearer "), 401,
		"The user name or the password is wrong or missing.")
	// Without a password the token changes nothing.
	s.want(open.ask("POST", "/api/v1/import", "[]", "Authorization", "Bearer wrong"), 200,
		`{"data":{"added":0,"updated":0,"unchanged":0,"gone":0}}`)
	if strings.Contains(s.logs.String(), "tok") {
		t.Errorf("the log shows the token: %s", s.logs)
	}
}

// Without a password, a service on a loopback address refuses host names that another
// site could point at it (DNS rebinding).
func TestHosts(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	ask := func(s *service, host string) reply {
		r := httptest.NewRequest("GET", "/api/v1/metadata", nil)
		r.Host = host
		return s.send(r)
	}
	for host, allowed := range map[string]bool{
		"127.0.0.1:8080": true, "127.0.0.1": true, "[::1]:8080": true, "[::1]": true, "192.0.2.7:80": true,
		"localhost": true, "LocalHost:9": true, "localhost.": true,
		"flats.example": true, "FLATS.example:444": true, "": true, "evil.example": false,
		"localhost.evil.example": false, "127.0.0.1.nip.example:8080": false,
	} {
		got := ask(s, host)
		if allowed && got.status != 200 {
			t.Errorf("%q: %d %s", host, got.status, got.body)
		} else if !allowed {
			s.refuse(got, 403, fmt.Sprintf("The host name %q is not known here: set website_url to the URL under "+
				"which the service is reached.", host))
		}
	}
	for what, change := range map[string]func(*Config){
		"another address": func(c *Config) { c.Addr = "0.0.0.0:8080" },
		"a password":      func(c *Config) { c.Username, c.Password = "u", "p" },
	} {
		if got := ask(s.with(change), "container-7"); got.status == 403 {
			t.Errorf("with %s: %d %s", what, got.status, got.body)
		}
	}
}

// Behind a proxy, the service answers under the path of website_url, whether or not
// the proxy strips that path.
func TestWebsitePath(t *testing.T) {
	s := newService(t, `[{"id":"a/b"}]`, testCodes).with(func(c *Config) {
		c.WebsiteURL, c.Username, c.Password, c.FeedToken = "https://flats.example/my/flats/", "u", "p", "t"
	})
	for _, base := range []string{"", "/my/flats"} {
		for path, status := range map[string]int{"/api/v1/flats": 200, "/api/v1/flats/a%2Fb": 200,
			"/api/v1/nope": 404} {
			if got := s.ask("GET", base+path, "", "Authorization", basic("u", "p")); got.status != status {
				t.Errorf("%s%s: %d %s", base, path, got.status, got.body)
			}
		}
		if got := s.ask("GET", base+"/api/v1/ics/visits.ics?token=t", ""); got.status != 200 {
			t.Errorf("the calendar under %q: %d %s", base, got.status, got.body)
		}
	}
	s.refuse(s.ask("GET", "/my/flatsapi/v1/flats", "", "Authorization", basic("u", "p")), 404,
		"There is nothing at /my/flatsapi/v1/flats.")
	// Leading slashes cause no redirect.
	for _, path := range []string{"//api/v1/flats", "///api/v1/metadata", "/my/flats//api/v1/flats",
		"//api/v1/flats/a%2Fb", "/my/flats/", "/"} {
		if got := s.ask("GET", "https://flats.example"+path, "", "Authorization", basic("u", "p")); got.status != 200 {
			t.Errorf("%s: %d %v", path, got.status, got.header)
		}
	}
	// The page loads its assets relative to its folder.
	got := s.ask("GET", "https://flats.example/my/flats?sign-in", "")
	if location := got.header.Get("Location"); got.status != 307 || location != "/my/flats/?sign-in" {
		t.Errorf("without the last slash: %d to %q", got.status, location)
	}
	// Every path requires the password, and no redirect leads outside the website's path.
	for _, path := range []string{"/my/flats/%2e%2e/x", "/my/../x", "/my%2fflats/api/v1/flats",
		"/my/flats/api/v1/flats/..", "/my/flatsx", "/%2e", "/my/flats/nope/", "//"} {
		s.refuse(s.ask("GET", "https://flats.example"+path, ""), 401,
			"The user name or the password is wrong or missing.")
		got := s.ask("GET", "https://flats.example"+path, "", "Authorization", basic("u", "p"))
		location := got.header.Get("Location")
		if location != "" && !strings.HasPrefix(location, "/my/flats/") && got.status != 200 {
			t.Errorf("%s: %d to %s", path, got.status, location)
		}
	}
}

// A website path that is also a path of the service hides none of the service's paths.
// A request path with two meanings is relative to the website path.
func TestWebsitePathOverlap(t *testing.T) {
	plain := newService(t, `[{"id":"a/b"},{"id":"api/v1/metadata"}]`, testCodes)
	asset := "/" + regexp.MustCompile(`assets/[^"]*/style.css`).FindString(plain.ask("GET", "/", "").body)
	for _, base := range []string{"/api", "/api/v1", "/assets", "/api/v1/flats", "/api/api", "/flats"} {
		s := plain.with(func(c *Config) { c.WebsiteURL = "https://flats.example" + base + "/" })
		same := func(path, as string) {
			t.Helper()
			got, want := s.ask("GET", path, ""), plain.ask("GET", as, "")
			if got.status != want.status || got.body != want.body || want.status != 200 {
				t.Errorf("website path %s, %s: %d %.80s; want the answer to %s", base, path, got.status, got.body, as)
			}
		}
		for _, path := range []string{"/api/v1/flats", "/api/v1/flats/a%2Fb", "/api/v1/imports",
			"/api/v1/opendata/postal_codes", asset, "/sw.js"} {
			same(base+path, path)
			if path != base {
				same(path, path)
			}
		}
		same(base+"/", "/")
		same("/", "/")
		if got := s.ask("GET", base+"/no/pe", ""); got.status != 404 {
			t.Errorf("website path %s: %d %s; want 404", base, got.status, got.body)
		}
	}
	s := plain.with(func(c *Config) { c.WebsiteURL = "https://flats.example/api/v1/flats/" })
	if got := s.ask("GET", "/api/v1/flats/api/v1/metadata", ""); !strings.Contains(got.body, `"flats":2`) {
		t.Errorf("a path with two meanings: %d %s", got.status, got.body)
	}
}

// Errors
// ------

// Sections 2.5 and 7: each row of the table of errors is answered with an error object. These are errors of clients,
// so none is logged.
func TestErrors_7(t *testing.T) {
	for _, c := range []struct {
		name, method, target, body string
		status                     int
		text                       string
	}{
		{"pagination", "GET", "/api/v1/flats?page[size]=0", "", 400, "Invalid pagination provided."},
		{"sort key", "GET", "/api/v1/flats?sort=nope", "", 400, "Invalid sorting key provided: nope."},
		{"update that is no JSON", "PATCH", "/api/v1/flat/a", "{", 400,
			"Invalid payload provided: unexpected end of JSON input."},
		{"search that is no JSON", "POST", "/api/v1/search", "{", 400, "Invalid query provided."},
		{"search without a query", "POST", "/api/v1/search", "{}", 400, "Invalid query provided."},
		{"read of no flat", "GET", "/api/v1/flats/nope", "", 404, "No flat with id nope."},
		{"update of no flat", "PATCH", "/api/v1/flat/nope", "{}", 404, "No flat with id nope."},
		{"any other failure", "GET", "/api/v1/flats?filter[nope]=1", "", 500, "Invalid filter key provided: nope."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newService(t, testFlats, testCodes)
			s.refuse(s.ask(c.method, c.target, c.body), c.status, c.text)
			if logs := s.logs.String(); strings.Contains(logs, "level=ERROR") {
				t.Errorf("log %s; want no error", logs)
			}
		})
	}
}

// Section 7: a panic is logged and answered with a 500. A panic after the first byte
// aborts the connection.
func TestFailures_7(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	broken := &server{log: log}
	s.Handler = broken.observed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { panic("out of milk") }),
		false)
	s.refuse(s.ask("GET", "/", ""), 500, "internal error: out of milk")
	if !strings.Contains(s.logs.String(), "out of milk") || !strings.Contains(s.logs.String(), "_test.go") {
		t.Errorf("the log lacks the panic or its position: %s", s.logs)
	}
	s.Handler = broken.observed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("half"))
		panic("too late")
	}), false)
	func() {
		defer func() {
			if got := recover(); got != http.ErrAbortHandler {
				t.Errorf("a panic after the first byte: recovered %v; want http.ErrAbortHandler", got)
			}
		}()
		s.ask("GET", "/", "")
	}()
}

// A body with an unsupported content coding is refused. Shared caches may not store API
// answers, errors or the feed. CONNECT gets a 405 with all methods in Allow.
func TestHeaders(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ method, path, body string }{{"PATCH", "/api/v1/flat/a", `{"title":"x"}`},
		{"POST", "/api/v1/search", `{"query":"loft"}`}} {
		s.refuse(s.ask(c.method, c.path, c.body, "Content-Encoding", "br"), 415,
			`The content encoding "br" is not supported: send the body without it.`)
		if got := s.ask(c.method, c.path, c.body, "Content-Encoding", "identity"); got.status != 200 {
			t.Errorf("identity: %d %s", got.status, got.body)
		}
	}
	for _, path := range []string{"/api/v1/", "/api/v1/flats", "/api/v1/flats/a", "/api/v1/flats/nope", "/api/v1/nope",
		"/api/v1/metadata", feedPath, feedPath + "?token=x"} {
		if got := s.ask("GET", path, "").header.Get("Cache-Control"); got != "private, no-cache" {
			t.Errorf("%s: Cache-Control %q", path, got)
		}
	}
	r := httptest.NewRequest("CONNECT", "/api/v1/flats", nil)
	r.Host = "flats.example"
	got := s.send(r)
	if got.status != 405 || got.header.Get("Allow") != "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT" {
		t.Errorf("CONNECT: %d %v", got.status, got.header)
	}
}

// Find
// ----

const findFlats = `[
{"id":"1@a","title":"Loft","cost":1000,"area":50,"currency":"EUR","rooms":2,"status":"new","date":"2026-01-01",
	"photos":[],"notes":"","service_time_to":{"work":{"time":900},"gym":{"time":600.5}}},
{"id":"2@a","title":"=1+1","cost":1200,"area":40,"currency":"EUR","rooms":null,"status":"followed",
	"date":"2026-01-02T10:00","photos":["x"],"notes":"-5","service_constraint":"lyon","service_postal_code":"69007"},
{"id":"3@b@c","title":"Null","cost":0,"area":60,"status":null,"details":{},
	"service_time_to":{"work":{"time":"soon"},"gym":7}},
{"id":"4","title":"null","cost":null,"area":null,"status":"null","details":{"a": 1},"text":"a \"b\"\nc"},
{"id":5,"title":"@x","cost":800.0,"area":0,"status":"new","currency":"EUR","date":"2026-01-03","rooms":3}
]`

// A query finds the flats that match all of its conditions. It filters and sorts by derived
// fields, too.
func TestFind(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	for _, c := range []struct{ query, want string }{
		{"", "4 3@b@c 5 1@a 2@a"},
		{"filter[status]=new", "5 1@a"},
		{"filter[status]=null", "4"},
		{"any[status]=new&any[status]=followed", "5 1@a 2@a"},
		{"any[status]=new&filter[cost]=800", "5"},
		{"not[status]=new&not[status]=followed", "4 3@b@c"},
		{"not[cost]=1e3&not[title]=null", "3@b@c 5 2@a"},
		{"any[cost]=cheap", ""},
		{"filter[cost]=800&filter[cost]=8e2&filter[status]=new", "5"},
		{"filter[cost]=800&filter[cost]=1000", ""},
		{"filter[cost]=800&filter[cost]=cheap&filter[cost]=800", ""},
		{"filter[status]=new&not[status]=followed&any[status]=new&any[status]=followed", "5 1@a"},
		{"known[rooms]=yes&known[rooms]=yes", "5 1@a"},
		{"known[rooms]=yes&known[rooms]=no", ""},
		{"not[cost]=cheap", "4 3@b@c 5 1@a 2@a"},
		{"min[cost]=800", "5 1@a 2@a"},
		{"min[cost]=800.00&max[cost]=1000", "5 1@a"},
		{"min[cost]=900&min[cost]=700", "1@a 2@a"},
		{"max[cost]=-1", ""},
		{"max[rooms]=2", "1@a"},
		{"max[rooms]=2&unknown=rooms", "4 3@b@c 1@a 2@a"},
		{"max[rooms]=2&unknown=cost", "1@a"},
		{"max[rooms]=2&min[cost]=1&unknown=cost&unknown=rooms", "4 1@a 2@a"},
		{"unknown=rooms", "4 3@b@c 5 1@a 2@a"},
		{"min[date]=2026-01-02&max[date]=2026-01-02T10:00Z", "2@a"},
		{"max[date]=2026-01-02T11:00+01:00", "1@a 2@a"},
		{"known[rooms]=yes", "5 1@a"},
		{"known[rooms]=no", "4 3@b@c 2@a"},
		{"known[photos]=yes", "2@a"},
		{"known[notes]=yes", "2@a"},
		{"known[details]=yes", "4"},
		{"known[service_postal_code]=yes", "2@a"},
		{"min[cost_per_area]=20&max[cost_per_area]=30", "1@a 2@a"},
		{"known[cost_per_area]=no", "4 3@b@c 5"},
		{"max[travel_time]=601", "1@a"},
		{"filter[travel_time]=600.5", "1@a"},
		{"filter[site]=c", "3@b@c"},
		{"known[site]=no", "4 5"},
		{"filter[priced]=0", "4 3@b@c"},
		{"known[price]=no", "4 3@b@c"},
		{"q=loft", "1@a"},
		{"q=loft&filter[status]=followed", ""},
		{"q=", "4 3@b@c 5 1@a 2@a"},
		{"q=-loft", ""},
		{"q=loft+OR+null&sort=-title", "4 3@b@c 1@a"},
		{"sort=rooms", "2@a 3@b@c 4 1@a 5"},
		{"sort=rooms&nulls=last", "1@a 5 2@a 3@b@c 4"},
		{"sort=-rooms&nulls=last", "5 1@a 2@a 3@b@c 4"},
		{"sort=status,-cost&nulls=last", "2@a 1@a 5 4 3@b@c"},
		{"sort=-cost_per_area", "2@a 1@a 3@b@c 4 5"},
		{"sort=-priced,-site,id", "1@a 2@a 5 3@b@c 4"},
		{"page[size]=2&page[number]=1", "5 1@a"},
		{"max[]=3&known=yes&utm=1&any=2&sort=cost&min[cost=%zz", "4 3@b@c 5 1@a 2@a"},
	} {
		got := s.ids(s.ask("GET", "/api/v1/find?"+strings.ReplaceAll(query(c.query), "%2B", "+"), ""))
		if got != c.want {
			t.Errorf("%s: %s; want %s", c.query, got, c.want)
		}
	}
	for raw, want := range map[string]string{
		"min[cost]=x":           `Invalid min[cost] provided: want a finite number, got "x".`,
		"max[date]=soon":        `Invalid max[date] provided: want an ISO 8601 datetime, got "soon".`,
		"max[title]=x":          "Invalid max[title] provided: only number and datetime fields have ranges.",
		"any[nope]=x":           "Invalid any[nope] provided: there is no such field.",
		"filter[nope]=x":        "Invalid filter[nope] provided: there is no such field.",
		"known[cost]=":          `Invalid known[cost] provided: want yes or no, got "".`,
		"unknown=nope":          `Invalid unknown provided: "nope": there is no such field.`,
		"nulls=first":           `Invalid nulls provided: want last, got "first".`,
		"nulls=last&nulls=":     `Invalid nulls provided: want last, got "".`,
		"fields=":               `Invalid fields provided: "": there is no such field.`,
		"fields=cost,json":      `Invalid fields provided: "json": there is no such field.`,
		"counts=status,cost":    `Invalid counts provided: "status,cost": there is no such field.`,
		"format=xml":            `Invalid format provided: want csv or json, got "xml".`,
		"sort=nope&min[cost]=x": "Invalid sorting key provided: nope.",
		"page[size]=0&sort=no":  "Invalid pagination provided.",
	} {
		s.refuse(s.ask("GET", "/api/v1/find?"+query(raw), ""), 400, want)
	}
	s.refuse(s.ask("GET", "/api/v1/find?q=%zz", ""), 400, `Invalid q provided: invalid URL escape "%zz".`)
	s.refuse(s.ask("GET", "/api/v1/find?min%5Bcost%5D=%2", ""), 400,
		`Invalid min[cost] provided: invalid URL escape "%2".`)
	for _, sort := range []string{"cost_per_area", "travel_time", "site", "priced"} {
		s.refuse(s.ask("GET", "/api/v1/flats?sort="+sort, ""), 400, "Invalid sorting key provided: "+sort+".")
	}
}

// A query returns the fields in fields and the total number of flats. Its counts of a
// field's values ignore the conditions that select values of that field.
func TestFindBody(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	find := func(raw string) reply { return s.ask("GET", "/api/v1/find?"+query(raw), "") }
	s.want(find("fields=cost,site,cost,priced,service_postal_code&page[size]=2&page[number]=1&sort=id"), 200,
		`{"data":[{"id":"2@a","cost":1200,"site":"a","priced":1,
		"service_postal_code":{"postal_code":"69007","name":"Lyon 7e","gps":[45.7336,4.8375]}},
			{"id":"3@b@c","cost":0,"site":"c","priced":0,"service_postal_code":{}}],
		"page":1,"items_per_page":2,"total":5,"counts":{}}`)
	for raw, want := range map[string]string{
		"counts=status": `{"status":{"new":2,"followed":1,"null":2}}`,
		"counts=status&filter[status]=new&not[status]=x":  `{"status":{"new":2,"followed":1,"null":2}}`,
		"counts=status&known[status]=yes&any[status]=new": `{"status":{"new":2,"followed":1,"null":1}}`,
		"counts=cost&min[cost]=1000&filter[status]=new":   `{"cost":{"1000":1}}`,
		"counts=cost&counts=currency&filter[currency]=EUR": `{"cost":{"1000":1,"1200":1,"800.0":1},` +
			`"currency":{"EUR":3,"null":2}}`,
		"counts=notes&counts=priced&q=loft+OR+null&nulls=last": `{"notes":{"":1,"null":2},"priced":{"0":2,"1":1}}`,
		"counts=photos&counts=site": `{"photos":{"null":3,"[]":1,"[\"x\"]":1},` +
			`"site":{"a":2,"c":1,"null":2}}`,
	} {
		var got struct{ Counts json.RawMessage }
		body := find(strings.ReplaceAll(raw, "+", " ") + "&page[size]=1").body
		if json.Unmarshal([]byte(body), &got) != nil || !sameJSON(string(got.Counts), want) {
			t.Errorf("%s: %s; want %s", raw, body, want)
		}
	}
	got := find("page[size]=1&min[cost]=1")
	if got.header.Get("X-Total-Count") != "3" ||
		!strings.Contains(got.header.Get("Link"), `min%5Bcost%5D=1&page%5Bsize%5D=1&page%5Bnumber%5D=2>; rel="last"`) {
		t.Errorf("headers: %v", got.header)
	}
	tag := got.header.Get("ETag")
	again := s.ask("GET", "/api/v1/find?"+query("page[size]=1&min[cost]=1"), "", "If-None-Match", tag)
	if again.status != 304 {
		t.Errorf("an unchanged answer: %d; want 304", again.status)
	}
	s.want(s.ask("OPTIONS", "/api/v1/find", ""), 200, "{}")
	// Only the most frequent values are counted.
	var flats []string
	for i := range 2300 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"title":"t%d"}`, i, i%1500))
	}
	s = newService(t, "["+strings.Join(flats, ",")+"]", testCodes)
	var counted struct{ Counts map[string]map[string]int }
	if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/find?counts=title", "").body), &counted); err != nil {
		t.Fatal(err)
	}
	title := counted.Counts["title"]
	if len(title) != 1000 || title["t799"] != 2 || title["t0"] != 2 || title["t1499"] != 0 {
		t.Errorf("counted %d titles, t0 %d times; want the 1000 most frequent", len(title), title["t0"])
	}
}

// A query takes a flat's position from the member gps of the flat or of its details.
func TestFindPosition(t *testing.T) {
	s := newService(t, `[{"id": 1, "gps": [1, 2]}, {"id": 2, "details": {"gps": "3, 4"}}, {"id": 3, "details": 5},
		{"id": 4, "gps": null, "details": {"gps": [5, 6]}}, {"id": 5, "gps": [7, 8], "details": {"gps": [5, 6]}},
			{"id": 6, "gps": null}]`, "[]")
	s.want(s.ask("GET", "/api/v1/find?fields=gps&sort=id", ""), 200,
		`{"data": [{"id": 1, "gps": [1, 2]}, {"id": 2, "gps": "3, 4"}, {"id": 3, "gps": null},
		{"id": 4, "gps": [5, 6]}, {"id": 5, "gps": [7, 8]}, {"id": 6, "gps": null}], "page": 0, "items_per_page": 6,
			"total": 6, "counts": {}}`)
}

// A query has fields for the travel time to each place, the position, the place, the first
// address, and the last change of a flat.
func TestFindDerived(t *testing.T) {
	s := newService(t, `[
		{"id":1,"service_time_to":{"work":{"time":600},"home":{"time":0}},"urls":["https://x/1","https://x/2"],
			"service_constraint":"lyon","service_postal_code":"69007","location":"Lyon"},
		{"id":2,"service_time_to":{"work":{"time":"5"},"Gare \"Perrache\"":{"time":60}},"urls":[5],"gps":[1.5,-2],
			"service_constraint":"lyon","service_postal_code":"69007"},
		{"id":3,"service_time_to":7,"urls":"https://x/3","gps":[1,null],"service_postal_code":"1","location":"Ort",
			"gone":"2026-03-01","cost_history":[{"date":null,"cost":1},{"date":"2026-02-01","cost":2}]},
		{"id":4,"location":"Ort","cost_history":[{"date":"2026-02-01","cost":2}],"gps":["1",2]},
		{"id":5,"cost_history":[{"date":"2026-05-01","cost":1},{"date":"2026-04-01","cost":2}],"gone":"2026-03-01"}]`,
		testCodes)
	names := append(s.config.fieldNames(), "time_to.a,b", "time_to.c[d", "time_to.e f&.")
	s.store.table = newTable(queryFields(s.store.log, names...))
	if got := s.logs.String(); strings.Count(got, "level=WARN") != 2 || !strings.Contains(got, `place=a,b`) {
		t.Errorf("the log is %s; want warnings of two places", got)
	}
	s.Handler = testHandler(s, s.config, s.store, quiet, false)
	for _, c := range []struct{ fields, want string }{
		{"time_to.work", `600 null null null null`},
		{`time_to.Gare+"Perrache"`, `null 60 null null null`},
		{"time_to.e+f%26.", `null null null null null`},
		{"lat", `45.7336 1.5 null null null`},
		{"lng", `4.8375 -2 null null null`},
		{"place", `"69007 Lyon 7e" "69007 Lyon 7e" "1" "Ort" null`},
		{"url", `"https://x/1" null null null null`},
		{"changed", `null null "2026-03-01" null "2026-04-01"`},
		{"status_since", `null null null null null`},
	} {
		got := s.ask("GET", "/api/v1/find?sort=id&fields="+c.fields, "")
		var answer struct{ Data []members }
		json.Unmarshal([]byte(got.body), &answer)
		var values []string
		for _, row := range answer.Data {
			delete(row, "id")
			for _, text := range row {
				values = append(values, string(text))
			}
		}
		if strings.Join(values, " ") != c.want {
			t.Errorf("%s: %v; want %s", c.fields, values, c.want)
		}
	}
	for target, want := range map[string]string{
		"find?max[time_to.work]=600":                       "1",
		"find?min[time_to.Gare+%22Perrache%22]=1":          "2",
		"find?known[time_to.work]=no&sort=-lat":            "2 3 4 5",
		"find?any[place]=Ort&any[place]=69007+Lyon+7e":     "1 2 4",
		"find?filter[url]=https://x/1":                     "1",
		"find?min[changed]=2026-03-02":                     "5",
		"find?nulls=last&sort=time_to.Gare+%22Perrache%22": "2 1 3 4 5",
		"find?filter[status_since]=x&unknown=changed":      "",
		"flats?sort=id&filter[time_to.work]=600&min[a]=1":  "1 2 3 4 5", // no parameters of a list
	} {
		if got := s.ids(s.ask("GET", "/api/v1/"+target, "")); got != want {
			t.Errorf("%s: flats %q; want %q", target, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/find?min[time_to.home]=1", ""), 400,
		"Invalid min[time_to.home] provided: there is no such field.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=time_to.work", ""), 400, "Invalid sorting key provided: time_to.work.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=corrected", ""), 400, "Invalid sorting key provided: corrected.")
	csv := s.ask("GET", "/api/v1/find?format=csv&fields=time_to.Gare+%22Perrache%22&filter[id]=2", "")
	if want := "\uFEFFid,\"time_to.Gare \"\"Perrache\"\"\"\r\n2,60\r\n"; csv.body != want {
		t.Errorf("CSV %q; want %q", csv.body, want)
	}
}

// Random queries find what a plain loop over the flats finds.
func TestFindModel(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	var flats []map[string]any
	for i := range 400 {
		f := map[string]any{"id": fmt.Sprintf("%d@%s", i, pick("a", "b", "c")),
			"status": pick("new", "followed", "ignored")}
		for _, field := range []string{"cost", "area", "rooms"} {
			if random.IntN(4) > 0 {
				f[field] = float64(random.IntN(6))
			}
		}
		if random.IntN(3) > 0 {
			f["date"] = fmt.Sprintf("2026-01-0%d", 1+random.IntN(5))
		}
		if random.IntN(3) > 0 {
			f["notes"] = pick("", "balcony", "quiet balcony")
		}
		flats = append(flats, f)
	}
	s := newService(t, encodeJSON(flats), testCodes)
	for _, f := range flats {
		cost, _ := f["cost"].(float64)
		area, _ := f["area"].(float64)
		if f["priced"] = 0.0; cost > 0 {
			f["priced"], f["price"] = 1.0, cost
			if area > 0 {
				f["cost_per_area"] = cost / area
			}
		}
		_, f["site"], _ = strings.Cut(f["id"].(string), "@")
	}
	numbers := []string{"cost", "area", "rooms", "cost_per_area", "priced", "price"}
	for range 300 {
		var parameters []string
		var conditions []func(f map[string]any) bool
		unknown := map[string]bool{}
		for _, field := range numbers {
			if random.IntN(5) == 0 {
				parameters = append(parameters, "unknown="+field)
				unknown[field] = true
			}
		}
		chosen := map[string][]string{}
		for range random.IntN(5) {
			field, bound := numbers[random.IntN(len(numbers))], float64(random.IntN(6))
			parameter, value := pick("min", "max", "known", "filter", "any", "not"), fmt.Sprint(bound)
			switch parameter {
			case "min", "max":
				conditions = append(conditions, func(f map[string]any) bool {
					n, ok := f[field].(float64)
					return !ok && unknown[field] || ok &&
						(parameter == "min" && n >= bound || parameter == "max" && n <= bound)
				})
			case "known":
				value = pick("yes", "no")
				conditions = append(conditions, func(f map[string]any) bool { return (f[field] != nil) == (value == "yes") })
			case "filter":
				conditions = append(conditions, func(f map[string]any) bool { return f[field] == bound })
			default:
				field = pick("status", "site")
				value = pick("new", "followed", "a", "b")
				chosen[parameter+field] = append(chosen[parameter+field], value)
				conditions = append(conditions, func(f map[string]any) bool {
					return slices.Contains(chosen[parameter+field], f[field].(string)) == (parameter == "any")
				})
			}
			parameters = append(parameters, parameter+"["+field+"]="+value)
		}
		if random.IntN(3) == 0 {
			parameters = append(parameters, "q=balcony -quiet")
			conditions = append(conditions, func(f map[string]any) bool { return f["notes"] == "balcony" })
		}
		by, direction, nullsLast := numbers[random.IntN(len(numbers))], pick("", "-"), random.IntN(2) == 0
		if parameters = append(parameters, "sort="+direction+by); nullsLast {
			parameters = append(parameters, "nulls=last")
		}
		var found []map[string]any
		for _, f := range flats {
			if !slices.ContainsFunc(conditions, func(matches func(map[string]any) bool) bool { return !matches(f) }) {
				found = append(found, f)
			}
		}
		slices.SortStableFunc(found, func(a, b map[string]any) int {
			x, xKnown := a[by].(float64)
			y, yKnown := b[by].(float64)
			switch {
			case xKnown != yKnown && xKnown == (nullsLast || direction == "-"):
				return -1
			case xKnown != yKnown:
				return 1
			case direction == "-":
				return cmp.Compare(y, x)
			}
			return cmp.Compare(x, y)
		})
		var want []string
		for _, f := range found {
			want = append(want, f["id"].(string))
		}
		raw := strings.Join(parameters, "&")
		if got := s.ids(s.ask("GET", "/api/v1/find?"+query(raw), "")); got != strings.Join(want, " ") {
			t.Fatalf("%s: %s; want %s", raw, got, want)
		}
	}
}

// An answer as CSV follows RFC 4180 and escapes cells that a spreadsheet would take for
// formulas.
func TestFindCSV(t *testing.T) {
	s := newService(t, findFlats, testCodes)
	got := s.ask("GET", "/api/v1/find?"+
		query("format=csv&fields=title,cost,notes,status,photos,details,service_postal_code,text,site&sort=-id"), "")
	want := "\uFEFFid,title,cost,notes,status,photos,details,service_postal_code,text,site\r\n" +
		"4,null,,,null,,\"{\"\"a\"\":1}\",,\"a \"\"b\"\"\nc\",\r\n" +
		"3@b@c,Null,0,,,,{},,,c\r\n" +
		"2@a,'=1+1,1200,-5,followed,\"[\"\"x\"\"]\",,69007,,a\r\n" +
		"1@a,Loft,1000,,new,[],,,,a\r\n" +
		"5,'@x,800.0,,new,,,,,\r\n"
	if got.status != 200 || got.body != want {
		t.Errorf("got  %q\nwant %q", got.body, want)
	}
	h := got.header
	if h.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(h.Get("Content-Disposition"), "attachment") || !strings.Contains(h.Get("Vary"), "Accept") {
		t.Errorf("CSV headers: %v", h)
	}
	list := s.ask("GET", "/api/v1/find", "")
	if other := list.header.Get("ETag"); other == h.Get("ETag") || other == "" {
		t.Errorf("the entity tag of CSV is %s, that of JSON %s; want them to differ", h.Get("ETag"), other)
	}
	for accept, csv := range map[string]bool{
		"text/csv": true, "application/json": false, "text/html,text/csv;q=0.5": true, "": false, "*/*": false,
		"text/*": true, "application/*": false,
		"text/csv;q=0": false, "text/csv; q=0.0, */*": false, "text/csv;q=0,text/*": false,
		"TEXT/CSV ;header=present; Q=0.1": true, "text/csvx": false,
		"application/json, text/csv;q=0.5": false, "application/json;q=0.5, text/csv": true,
		"application/json, text/csv": false,
		"text/csv, */*;q=0.8":        true, "text/csv;q=0.8, */*": false, "text/csv, */*": false,
		"application/json;q=0, */*;q=0.1":                                            true,
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8": false, "text/csv;q=x": false,
		",;,": false,
	} {
		got := s.ask("GET", "/api/v1/find", "", "Accept", accept)
		if strings.HasPrefix(got.body, "\uFEFFid,title,") != csv {
			t.Errorf("Accept %q: %s; want CSV: %v", accept, got.body[:30], csv)
		}
		got = s.ask("GET", "/api/v1/find?format=json", "", "Accept", accept)
		if !strings.HasPrefix(got.body, `{"data"`) {
			t.Errorf("Accept %q with format=json: %s", accept, got.body[:30])
		}
	}
	// Rows end in CRLF, and cells keep their line breaks.
	other := newService(t, `[{"id":1,"title":"a\r\nb\rc\nd\n"},{"id":2,"title":"\n"}]`, testCodes)
	other.want(other.ask("GET", "/api/v1/find?format=csv&fields=title&sort=id", ""), 200,
		"\uFEFFid,title\r\n1,\"a\r\nb\rc\nd\n\"\r\n2,\"\n\"\r\n")
	// Without fields, each row has a cell for each field of a flat.
	rows, err := csv.NewReader(strings.NewReader(s.ask("GET", "/api/v1/find?format=csv", "").body)).ReadAll()
	if err != nil || len(rows) != 6 || len(rows[0]) != len(flatFields.list) {
		t.Errorf("%d rows of CSV, %v", len(rows), err)
	}
}

// spreadsheet returns the cells that a spreadsheet reads from CSV. Quotes count at the
// beginning of a cell; after the closing one, the cell goes on to the next separator.
func spreadsheet(text string, separator byte) (cells []string) {
	cell, quoted, begins := "", false, true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '"' && i+1 < len(text) && text[i+1] == '"':
			cell += `"`
			i++
		case quoted && c == '"':
			quoted = false
		case quoted:
			cell += string(c)
		case begins && c == '"':
			quoted, begins = true, false
			continue
		case c == separator || c == '\r' || c == '\n':
			cells, cell, begins = append(cells, cell), "", true
			continue
		default:
			cell += string(c)
		}
		begins = false
	}
	return append(cells, cell)
}

// A spreadsheet takes no cell for a formula, whatever separator it assumes.
func TestCSVFormulas(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"=1+1", "'=1+1"},
		{"-5", "-5"},
		{"-5 °C", "'-5 °C"},
		{"Studio;=cmd|' /C calc'!A0", "Studio;'=cmd|' /C calc'!A0"},
		{"a;+b;-c;@d", "a;'+b;'-c;'@d"},
		{"a;;=b", "a;;'=b"},
		{"=a;=b", "'=a;'=b"},
		{"a, b;=c", `"a, b;'=c"`},
		{"a\n=b", "\"a\n'=b\""},
		{"a\r\n- b\r@c", "\"a\r\n'- b\r'@c\""},
		{"a\t=b", "a\t'=b"},
		{"\t=a", "\t'=a"},
		{" =a; =b", " '=a; '=b"},
		{`a;"=b"`, `"a;""'=b"""`},
		{`"=a"`, `"""'=a"""`},
		{"1;-2", "1;'-2"},
		{"a=b+c-d@e; f", "a=b+c-d@e; f"},
		{`{"a":";=b"}`, `"{""a"":"";'=b""}"`},
		{";", ";"},
		{"", ""},
	} {
		if got := csvCell(c.text); got != c.want {
			t.Errorf("csvCell(%q) = %q; want %q", c.text, got, c.want)
		}
	}
	// Random texts: whatever separates cells, none begins with = or -.
	random := rand.New(rand.NewPCG(12, 1))
	for range rounds(20_000) {
		var texts [3]string
		for i := range texts {
			for range random.IntN(6) {
				texts[i] += pick(random, []string{"=", "-", `"`, ";", ",", "\t", "\n", "\r", "a", "'", " "})
			}
		}
		s := fmt.Sprintf("1,%s,%s,%s\r\n", csvCell(texts[0]), csvCell(texts[1]), csvCell(texts[2]))
		for _, separator := range []byte(",;\t") {
			for _, cell := range spreadsheet(s, separator) {
				if cell = strings.TrimSpace(cell); cell != "" && strings.Contains("=-", cell[:1]) {
					t.Fatalf("%q: separated by %q there is a cell %q", texts, separator, cell)
				}
			}
		}
	}
}

// Views
// -----

// manyTerms returns a query of more terms than a search may have, in less than 4 KiB.
func manyTerms() string {
	var terms []string
	for i := range 1001 {
		terms = append(terms, strconv.FormatInt(int64(i), 36))
	}
	return strings.Join(terms, "+")
}

// The service keeps views, with the numbers of their flats.
func TestViews(t *testing.T) {
	s := newService(t, `[{"id":1,"cost":500,"rooms":2,"first_seen":"2026-01-01T10:00:00Z"},{"id":2,"cost":900,
		"rooms":3,"first_seen":"2026-01-02T10:00:00Z","title":"Loft"},{"id":3,"cost":null}]`, testCodes)
	s.store.now = func() time.Time { return time.Date(2026, 1, 3, 4, 5, 6, 0, time.UTC) }
	// The order of views is that in which they were added.
	for _, c := range []struct {
		method, name, body string
		status             int
		want               string
	}{
		{"PUT", "Two", `{"query":"min[rooms]=2&unknown=rooms"}`, 201,
			`{"data":{"name":"Two","query":"min[rooms]=2&unknown=rooms","page":null,"notify":false,` +
				`"seen":"2026-01-03T04:05:06Z","total":3,"new":0}}`},
		{"PUT", "a%2Fb%20%22%F0%9F%98%80", `{"query":"q=loft","page":"#/?q=loft","notify":true,` +
			`"seen":"2026-01-01T12:00"}`, 201, `{"data":{"name":"a/b \"😀","query":"q=loft","page":"#/?q=loft",` +
			`"notify":true,"seen":"2026-01-01T12:00","total":1,"new":1}}`},
		{"PUT", "Two", `{"seen":"2026-01-01T10:00:00Z"}`, 200,
			`{"data":{"name":"Two","query":"min[rooms]=2&unknown=rooms","page":null,"notify":false,` +
				`"seen":"2026-01-01T10:00:00Z","total":3,"new":1}}`},
		// What GET serves can be sent back.
		{"PUT", "Two", `{"name":"else","query":"","page":"#/","notify":false,"seen":"2025-01-01","total":7,"new":8,` +
			`"error":"x"}`, 200, `{"data":{"name":"Two","query":"","page":"#/","notify":false,` +
			`"seen":"2025-01-01","total":3,"new":2}}`},
		{"PUT", "Two", `{"page":null}`, 200, `{"data":{"name":"Two","query":"","page":null,"notify":false,` +
			`"seen":"2025-01-01","total":3,"new":2}}`},
		{"DELETE", "a/b%20%22%F0%9F%98%80", "", 204, ""},
		{"GET", "", "", 200, `{"data":[{"name":"Two","query":"","page":null,"notify":false,` +
			`"seen":"2025-01-01","total":3,"new":2}]}`},
	} {
		target := "/api/v1/views/" + c.name
		got := s.ask(c.method, strings.TrimSuffix(target, "/"), c.body)
		if c.status == 204 && got.status == 204 && got.body == "" {
			continue
		}
		s.want(got, c.status, c.want)
	}
	const wrong = "Invalid view provided: "
	for _, c := range []struct{ name, body, want string }{
		{"x", `{}`, "query: is missing."},
		{"x", `{"query":null}`, "query: must not be null."},
		{"x", `{"query":7}`, "query: want a string, got 7."},
		{"x", `{"query":"q=` + strings.Repeat("x", 4<<10) + `"}`, "query: want at most 4096 bytes, got 4098."},
		{"x", `{"query":"min[title]=1"}`,
			"query: Invalid min[title] provided: only number and datetime fields have ranges."},
		{"x", `{"query":"filter[time_to.OLD]=1"}`,
			"query: Invalid filter[time_to.OLD] provided: there is no such field."},
		{"x", `{"query":"sort=cost"}`, `query: "sort" is not a condition.`},
		{"x", `{"query":"q=a&page[size]=1"}`, `query: "page[size]" is not a condition.`},
		{"x", `{"query":"%zz=1"}`, `query: "%zz" is not a condition.`},
		{"x", `{"query":"q=%zz"}`, "query: Invalid q provided: invalid URL escape \"%zz\"."},
		{"x", `{"query":"q=` + manyTerms() + `"}`, "query: Invalid query provided: it has more than 1000 different terms."},
		{"x", `{"query":"","seen":"soon"}`, "seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or " +
			`2026-12-01T18:00:00+01:00, got "soon".`},
		{"x", `{"query":"","seen":""}`, "seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or " +
			`2026-12-01T18:00:00+01:00, got "".`},
		{"x", `{"query":"","seen":"2026-01-01T00:00:00.` + strings.Repeat("1", 100) + `"}`, "seen: want at most 100 bytes."},
		{"x", `{"query":"","seen":null}`, "seen: must not be null."},
		{"x", `{"query":"","page":"https://x"}`, `page: want null or a text that begins with #/, got "https://x".`},
		{"x", `{"query":"","page":"#/\n"}`, `page: want null or a text that begins with #/, got "#/\n".`},
		{"x", `{"query":"","notify":1}`, "notify: want true or false, got 1."},
		{"x", `{"query":"","told":"2026-01-01"}`, "told: a view has no such member."},
		{"x", `{"query":"","x":1}`, "x: a view has no such member."},
		{"x", `[]`, "want an object, got []."},
		{"", `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "".`},
		{"a%0Ab", `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "a\nb".`},
		{"%ff", `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "\xff".`},
		{strings.Repeat("x", 201), `{"query":""}`, `name: want a text of 1 to 200 bytes on one line, got "` +
			strings.Repeat("x", 39) + "…."},
	} {
		s.refuse(s.ask("PUT", "/api/v1/views/"+c.name, c.body), 400, wrong+c.want)
	}
	s.refuse(s.ask("DELETE", "/api/v1/views/none", ""), 404, "No view with the name none.")
	// A refused change leaves all members as they were.
	s.ask("PUT", "/api/v1/views/Two", `{"page":"#/old"}`)
	s.ask("PUT", "/api/v1/views/Two", `{"page":"#/new","seen":"soon"}`)
	if got := s.ask("GET", "/api/v1/views", ""); !strings.Contains(got.body, `"page":"#/old"`) {
		t.Errorf("after a refused change the views are %s", got.body)
	}
	for i := range 99 {
		name := fmt.Sprint(i, strings.Repeat("x", 198))
		if got := s.ask("PUT", "/api/v1/views/"+name, `{"query":""}`); got.status != 201 {
			t.Fatalf("view %d: %d %s", i, got.status, got.body)
		}
	}
	s.refuse(s.ask("PUT", "/api/v1/views/more", `{"query":""}`), 400, wrong+"there are 100 views already.")
	for target, allow := range map[string]string{"views": "GET, HEAD, OPTIONS", "views/x": "PUT, DELETE, OPTIONS",
		"notify": "GET, HEAD, POST, OPTIONS"} {
		got := s.ask("OPTIONS", "/api/v1/"+target, "", "Origin", "https://flats.example",
			"Access-Control-Request-Method", "PUT")
		if got.status != 200 || got.header.Get("Allow") != allow ||
			got.header.Get("Access-Control-Allow-Methods") != allow {
			t.Errorf("OPTIONS %s: %d %v; want %s", target, got.status, got.header, allow)
		}
	}
	got := s.ask("GET", "/api/v1/views", "")
	if again := s.ask("GET", "/api/v1/views", "", "If-None-Match", got.header.Get("Etag")); again.status != 304 {
		t.Errorf("If-None-Match: %d; want 304", again.status)
	}
}

// Views are durable before they are answered, and survive restarts. If anything fails, the
// list stays as it was, also in the file.
func TestViewsDurable(t *testing.T) {
	const old = `{"query":"min[cost]=1","page":"#/old"}`
	open := func(d *simDisk) (*Store, *Views) {
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		views, err := openViews(store, false, quiet)
		if err != nil {
			t.Fatal(err)
		}
		return store, views
	}
	put := func(v *Views, name, body string) error {
		object, err := parseObject([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = v.put(name, object)
		return err
	}
	state := func(v *Views) (texts []string) {
		for _, view := range *v.list.Load() {
			view.Seen, view.Told = "", ""
			texts = append(texts, encodeJSON(view))
		}
		return texts
	}
	for _, hasFile := range []bool{false, true} {
		for n := 1; ; n++ {
			d := newSimDisk()
			store, views := open(d)
			if hasFile {
				if err := put(views, "old", old); err != nil {
					t.Fatal(err)
				}
			}
			before := state(views)
			d.mu.Lock()
			d.failAt = len(d.ops) + n
			d.mu.Unlock()
			err := put(views, "new", `{"query":"q=x","notify":true}`)
			d.mu.Lock()
			reached := len(d.ops) >= d.failAt
			d.failAt = 0
			d.mu.Unlock()
			want := state(views)
			if failed := err != nil; failed != slices.Equal(want, before) {
				t.Errorf("file %v, operation %d: %v, and the views are %q", hasFile, n, err, want)
			}
			// After a kill, the store has the acknowledged state.
			killed, again := open(d.restart(true, false))
			if got := state(again); !slices.Equal(got, want) {
				t.Errorf("file %v, operation %d: after a kill the views are %q; want %q", hasFile, n, got, want)
			}
			killed.Close()
			if err := put(views, "later", `{"query":""}`); err != nil {
				t.Errorf("file %v, operation %d: later: %v", hasFile, n, err)
			}
			store.Close()
			if !reached {
				break
			}
		}
	}
	// A crash at any instant leaves the file before or after.
	for n := 1; ; n++ {
		d := newSimDisk()
		store, views := open(d)
		if err := put(views, "old", old); err != nil {
			t.Fatal(err)
		}
		before := state(views)
		d.mu.Lock()
		d.failAt, d.crash = len(d.ops)+n, true
		d.mu.Unlock()
		err := put(views, "old", `{"query":"max[cost]=2"}`)
		store.Close()
		d.mu.Lock()
		reached := len(d.ops) >= d.failAt
		d.mu.Unlock()
		for _, kept := range []bool{false, true} {
			after, again := open(d.restart(kept, false))
			got := state(again)
			isOld, isNew := slices.Equal(got, before), strings.Contains(got[0], "max[cost]=2")
			if !isOld && !isNew || err == nil && isOld {
				t.Errorf("a crash at operation %d: %q after %v", n, got, err)
			}
			after.Close()
		}
		if !reached {
			break
		}
	}
}

// A change of a view and an update that are stored together do not depend on each other: after
// a restart, each is there if it was acknowledged, and else not, whichever operation fails.
func TestViewsBatch(t *testing.T) {
	const view = "a"
	for _, what := range []string{"put", "remove"} {
		reached := true
		for n := 1; reached; n++ {
			name := fmt.Sprintf("%s/operation %d", what, n)
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := newSimDisk()
					d.names["/flats.json"] = &simFile{data: []byte(`[{"id":1}]`), lost: -1}
					h := newHunt(t, d, "")
					if what == "remove" {
						h.put(view, `{"query":"q=x"}`)
					}
					// Both wait for the writer, which takes them together.
					busy := make(chan bool)
					wait := func(func(string) *Flat) ([]edit, error) { <-busy; return nil, nil }
					go h.store.change(wait, nil)
					synctest.Wait()
					changed, updated := make(chan error, 1), make(chan error, 1)
					go func() {
						if what == "remove" {
							changed <- h.views.remove(view)
							return
						}
						_, _, err := h.views.put(view, members{"query": json.RawMessage(`"q=x"`)})
						changed <- err
					}()
					synctest.Wait()
					go func() {
						_, err := h.store.Update("1", []byte(`{"notes":"n"}`), nil)
						updated <- err
					}()
					synctest.Wait()
					d.mu.Lock()
					d.failAt = len(d.ops) + n
					d.mu.Unlock()
					close(busy)
					changeErr, updateErr := <-changed, <-updated
					d.mu.Lock()
					reached = len(d.ops) >= d.failAt
					d.failAt = 0
					d.mu.Unlock()
					again := newHunt(t, d.restart(true, false), "")
					hasView := indexView(*again.views.list.Load(), view) >= 0
					if (what == "put") != (hasView == (changeErr == nil)) {
						t.Errorf("%s, operation %d: %v, and after a restart there is a view: %v", what, n, changeErr, hasView)
					}
					if isUpdated := again.store.Get("1").Notes.Known(); isUpdated != (updateErr == nil) {
						t.Errorf("%s, operation %d: %v, and after a restart the update is there: %v", what, n, updateErr,
							isUpdated)
					}
					again.stop()
					h.stop()
				})
			})
		}
	}
}

// A views.json that another program has changed is not overwritten, and of two services
// only the one that owns the flats writes it.
func TestViewsConflict(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "flats.json")
	open := func() (*Store, *Views) {
		store, err := openStore(path, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		views, err := openViews(store, false, quiet)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		return store, views
	}
	put := func(v *Views, name string) error {
		_, _, err := v.put(name, members{"query": json.RawMessage(`""`)})
		return err
	}
	_, first := open()
	if err := put(first, "a"); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "views.json"))
	if err != nil || info.Mode() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("views.json: %v, %v; want mode 600", info, err)
	}
	secondStore, second := open() // takes the data over
	if err := put(first, "b"); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("a service that has lost the data: %v", err)
	}
	if err := put(second, "c"); err != nil {
		t.Error(err)
	}
	text := readFile(t, filepath.Join(dir, "views.json"))
	if !strings.Contains(text, `{"name":"a"`) || !strings.Contains(text, `{"name":"c"`) || strings.Contains(text, `"b"`) {
		t.Errorf("views.json is %s", text)
	}
	edited := strings.Replace(text, `"c"`, `"by hand"`, 1)
	writeFile(t, dir, "views.json", edited)
	if err := put(second, "d"); err == nil || !strings.Contains(err.Error(), "views.json was changed by another program") {
		t.Errorf("after an edit: %v", err)
	}
	if got := readFile(t, filepath.Join(dir, "views.json")); got != edited {
		t.Errorf("the edit was overwritten: %s", got)
	}
	if _, err := secondStore.Update("none", []byte("{}"), nil); err == nil || !strings.Contains(err.Error(), "No flat") {
		t.Errorf("updates of flats after the edit: %v", err)
	}
	secondStore.Close()
	_, third := open()
	if indexView(*third.list.Load(), "by hand") < 0 {
		t.Error("the edit is not loaded")
	}
	for _, c := range []struct{ text, want string }{
		{"", "views.json:1: unexpected end of JSON input"},
		{"link", "views.json is a symbolic link to a file that does not exist"},
	} {
		folder := t.TempDir()
		if c.text == "" {
			writeFile(t, folder, "views.json", "")
		} else if err := os.Symlink("nowhere", filepath.Join(folder, "views.json")); err != nil {
			t.Skip(err)
		}
		store, err := openStore(filepath.Join(folder, "flats.json"), osDisk{}, nil, quiet)
		if err == nil {
			defer store.Close()
			_, err = openViews(store, false, quiet)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}

// A view is not acknowledged if another service has read views.json before it was replaced.
func TestViewsTakeover(t *testing.T) {
	write := func(d *simDisk) error {
		store, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		views, err := openViews(store, false, quiet)
		if err == nil {
			_, _, err = views.put("a", members{"query": json.RawMessage(`""`)})
		}
		return err
	}
	d := newSimDisk()
	if err := write(d); err != nil {
		t.Fatal(err)
	}
	n := 1 + slices.IndexFunc(d.ops, func(op string) bool { return strings.HasPrefix(op, "open /views.json") })
	d = newSimDisk()
	d.hooks = map[int]func(){n: func() {
		second, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Error(err)
		}
		t.Cleanup(func() { second.Close() })
	}}
	if err := write(d); err == nil || !strings.Contains(err.Error(), "changed by another program") {
		t.Errorf("%v; want a conflict", err)
	}
}

// The flats of an import are new for a view that is added while the import runs. An import
// after a restart is later than all that a view has seen, even if the clock went back.
func TestViewsTimes(t *testing.T) {
	d := newSimDisk()
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var store *Store
	var views *Views
	open := func() {
		var err error
		if store, err = openStore("/flats.json", d, nil, quiet); err == nil {
			store.now = func() time.Time { return clock }
			views, err = openViews(store, false, quiet)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put := func(name string) {
		t.Helper()
		object := members{"query": json.RawMessage(`""`), "notify": json.RawMessage("true")}
		if _, _, err := views.put(name, object); err != nil {
			t.Fatal(err)
		}
	}
	wantNew := func(want string) {
		t.Helper()
		got := ""
		for _, view := range *views.list.Load() {
			answer := views.answer(newTask(t.Context(), newLock()), view)
			got += fmt.Sprint(view.Name, *answer.New, " ")
		}
		if got != want {
			t.Errorf("new flats: %q; want %q", got, want)
		}
	}
	open()
	put("a")
	listings := Listings{Flats: []members{{"id": json.RawMessage("1")}}}
	plan := newImportPlan(t.Context(), store, listings, store.clock.begin())
	put("b")
	if err := store.change(plan.edits, &importedFile{}); err != nil {
		t.Fatal(err)
	}
	store.clock.end()
	put("c")
	wantNew("a1 b1 c0 ")
	store.Close()
	clock = clock.Add(-time.Hour)
	open()
	if _, err := store.ImportText([]byte(`[{"id":2}]`), ""); err != nil {
		t.Fatal(err)
	}
	wantNew("a2 b2 c1 ")
	store.Close()
}

// A damaged views.json is refused with the line and the member. A query that is refused
// later stays, with a warning.
func TestViewsFile(t *testing.T) {
	store := newService(t, "[]", "[]").store
	const view = `{"name":"a","query":"","seen":"2026-01-01"}`
	const tail = " (the file is left as it is: fix it, or put a backup in its place)"
	for _, c := range []struct{ text, want string }{
		{`{}`, "in:1: want a JSON array, got {}" + tail},
		{"[\n" + view + ",\n" + strings.Replace(view, `"a"`, "5", 1) + "]",
			"in:3: name: want a string, got 5" + tail},
		{`[{"query":"","seen":"2026-01-01"}]`, "in:1: name: is missing" + tail},
		{`[{"name":"a","seen":"2026-01-01"}]`, "in:1: query: is missing" + tail},
		{`[{"name":"a","query":""}]`, "in:1: seen: is missing" + tail},
		{`[{"name":"","query":"","seen":"2026-01-01"}]`,
			`in:1: name: want a text of 1 to 200 bytes on one line, got ""` + tail},
		{`[{"name":"a","query":"","seen":"x"}]`, `in:1: seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
			`2026-12-01T18:00:00+01:00, got "x"` + tail},
		{`[{"name":"a","query":"","seen":"2026-01-01","told":"x"}]`, `in:1: told: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "x"` + tail},
		{`[{"name":"a","query":"","seen":"2026-01-01","total":1}]`, "in:1: total: a view has no such member" + tail},
		{"[" + view + ",\n" + view + "]", `in:2: name: "a" appears twice` + tail},
		{`[{"name":"a",`, "in:1: unexpected end of JSON input" + tail},
	} {
		if _, err := newViews(store, "in", c.text, quiet); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
	var logs bytes.Buffer
	views, err := newViews(store, "in", `[{"name":"a","query":"max[time_to.OLD]=5","seen":"2026-01-01","notify":true}]`,
		slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil || !strings.Contains(logs.String(), "view=a") {
		t.Fatalf("%v, log %s", err, &logs)
	}
	answer := views.answer(newTask(t.Context(), newLock()), (*views.list.Load())[0])
	want := `{"name":"a","query":"max[time_to.OLD]=5","page":null,"notify":true,` +
		`"seen":"2026-01-01","total":null,"new":null,"error":"Invalid max[time_to.OLD] provided: there is no such field."}`
	if got := encodeJSON(answer); got != want {
		t.Error(got)
	}
	if _, _, err := views.put("a", members{"page": json.RawMessage(`"#/x"`)}); err != nil {
		t.Errorf("another page of a refused query: %v", err)
	}
	sent, _ := parseObject([]byte(want)) // what GET has served
	if _, _, err := views.put("a", sent); err != nil {
		t.Errorf("a refused query sent back: %v", err)
	}
}

// The sample has two views.
func TestSampleViews(t *testing.T) {
	s, _ := described(t)
	views, err := openViews(s.store, true, quiet)
	if err != nil || len(*views.list.Load()) != 2 {
		t.Fatal(views, err)
	}
	for _, view := range *views.list.Load() {
		answer := views.answer(newTask(t.Context(), newLock()), view)
		if answer.Error != "" || *answer.Total == 0 {
			t.Errorf("%s: %v", view.Name, encodeJSON(answer))
		}
	}
}

// Messages
// --------

// A view with notify has one message after each import that changes its flats.
func TestNotify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"old@s","cost":700,"rooms":2}]`), lost: -1}
		h := newHunt(t, d, "")
		defer func() { h.stop() }()
		h.put("Two rooms", `{"query":"filter[rooms]=2","page":"#/?rooms=2..2","notify":true}`)
		h.put("live", `{"query":"known[gone]=no&max[cost]=600","notify":true}`)
		h.put("silent", `{"query":""}`)
		h.wants("without an import")
		const link = "https://flats.example/#/flat/"
		h.imports(`[{"id":"a@s","rooms":2,"cost":800.5,"currency":"EUR","area":46,"title":"T2\nlumineux","location":"Lyon"},
			{"id":"b@s","rooms":3,"cost":900},{"id":"old@s","cost":700,"rooms":2}]`, "")
		h.wants("a new flat", "Two rooms: 1 new | "+link+"a@s | New: T2 lumineux, 800.5 EUR, 46 m², 2 rooms, Lyon\n"+
			link+"a@s\n")
		h.imports(`[{"id":"b@s","cost":890}]`, "")
		h.wants("nothing of a view")
		h.imports(`[{"id":"a@s","cost":750},{"id":"old@s","cost":650},{"id":"c@s","rooms":2}]`, "")
		h.wants("cheaper", "Two rooms: 1 new, 2 cheaper | https://flats.example/#/?rooms=2..2 | "+
			"New: untitled, 2 rooms\n"+link+"c@s\n"+
			"Cheaper: T2 lumineux, 750 EUR (was 800.5), 46 m², 2 rooms, Lyon\n"+link+"a@s\n"+
			"Cheaper: untitled, 650 (was 700), 2 rooms\n"+link+"old@s\n")
		h.imports(`[{"id":"a@s","cost":800},{"id":"b@s"},{"id":"old@s"}]`, "s")
		h.wants("dearer, and gone", "Two rooms: 1 gone | "+link+"c@s | Gone: untitled, 2 rooms\n"+link+"c@s\n")
		h.imports(`[{"id":"a@s","cost":500},{"id":"b@s","cost":550}]`, "s")
		h.wants("two views", "Two rooms: 1 cheaper, 1 gone | https://flats.example/#/?rooms=2..2 | "+
			"Cheaper: T2 lumineux, 500 EUR (was 800), 46 m², 2 rooms, Lyon\n"+link+"a@s\n"+
			"Gone: untitled, 650, 2 rooms\n"+link+"old@s\n",
			"live: 2 cheaper | https://flats.example/ | Cheaper: T2 lumineux, 500 EUR (was 800), 46 m², 2 rooms, Lyon\n"+
				link+"a@s\nCheaper: untitled, 550 (was 890), 3 rooms\n"+link+"b@s\n")
		// An update makes no old flat new, and neither does another query.
		if _, err := h.store.Update("b@s", []byte(`{"rooms":2}`), nil); err != nil {
			t.Fatal(err)
		}
		h.put("Two rooms", `{"query":"any[rooms]=2&any[rooms]=3"}`)
		h.imports(`[{"id":"x@t","rooms":9,"cost":9000}]`, "")
		h.wants("after updates")
		h.put("Two rooms", `{"notify":false}`)
		h.imports(`[{"id":"y@t","rooms":2,"cost":9000}]`, "")
		h.put("Two rooms", `{"notify":true}`)
		h.imports(`[{"id":"z@t","rooms":7,"cost":9000}]`, "")
		h.wants("while it was silent")
		var many []string
		for i := range 30 {
			many = append(many, fmt.Sprintf(`{"id":"m%02d@t","rooms":2,"title":"%s"}`, i, strings.Repeat("é", 150)))
		}
		h.imports("["+strings.Join(many, ",")+"]", "")
		got := h.receiver.take()
		if len(got) != 1 || !strings.HasPrefix(got[0], "Two rooms: 30 new | https://flats.example/#/?rooms=2..2 | ") ||
			!strings.HasSuffix(got[0], "\nand 20 more\n") || strings.Count(got[0], "é…, 2 rooms\n") != 10 {
			t.Errorf("many flats: %q", got)
		}
		// A restart tells nothing twice, and nothing is lost that came before it.
		h.stop()
		h = newHunt(t, d.restart(true, false), "")
		h.wants("after a restart")
		if last, err := h.told.state(); !last.IsZero() || err != nil {
			t.Errorf("after a restart the state is %v, %v", last, err)
		}
	})
}

// After a restart, a view is told of the next import only, whatever the clock showed before.
// The clock shows 2000-01-01.
func TestNotifyClock(t *testing.T) {
	for _, c := range []struct {
		name, flat, view string // more members
		warns            bool
	}{
		{"the clock was right", `"first_seen":"1999-12-30T00:00:00Z"`, `"seen":"1999-12-30","told":"1999-12-30"`, false},
		{"ahead by hours", `"first_seen":"2000-01-01T09:00:00Z"`,
			`"seen":"2000-01-01T09:00:00Z","told":"2000-01-01T09:00:00Z"`, false},
		{"ahead by days", `"first_seen":"2000-01-04","updated_at":"2000-01-04"`,
			`"seen":"2000-01-04","told":"2000-01-04"`, false},
		{"ahead by days, and told later than any flat", `"first_seen":"2000-01-04","updated_at":"2000-01-04"`,
			`"seen":"2000-01-04T00:00:00.003Z","told":"2000-01-04T00:00:00.003Z"`, true},
		{"ahead by years while nothing changed", `"first_seen":"1999-12-30"`, `"seen":"2010-01-01","told":"2010-01-01"`,
			true},
		{"a restored mistake", `"first_seen":"2099-01-01","updated_at":"1999-12-30"`,
			`"seen":"2099-01-01","told":"2099-01-01"`, true},
		{"now behind by years", `"first_seen":"2026-01-04","updated_at":"2026-01-04T01:00:00Z","cost_history":[` +
			`{"date":null,"cost":9},{"date":"2026-01-04T01:00:00Z","cost":8}]`,
			`"seen":"2026-01-04T01:00:00Z","told":"2026-01-04T01:00:00Z"`, false},
		{"notify added by hand", `"first_seen":"1999-12-30"`, `"seen":"1999-01-01"`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newSimDisk()
				flats := `[{"id":"old",` + c.flat + `}]`
				view := `[{"name":"all","query":"","page":null,"notify":true,` + c.view + `}]`
				d.names["/flats.json"] = &simFile{data: []byte(flats), lost: -1}
				d.names["/views.json"] = &simFile{data: []byte(view), lost: -1}
				h := newHunt(t, d, "")
				h.wants(c.name + ": at the start")
				if warns := strings.Contains(h.logs.String(), "view=all"); warns != c.warns {
					t.Errorf("%s: the log is %s", c.name, h.logs)
				}
				// Nothing is lost if the service is restarted before the message is taken, and no
				// update moves a time back.
				h.receiver.set(func(*http.Request) (*http.Response, error) { return status(500), nil })
				h.imports(`[{"id":"a"}]`, "")
				for _, id := range []string{"old", "a"} {
					if _, err := h.store.Update(id, []byte(`{"notes":"n"}`), nil); err != nil {
						t.Fatal(err)
					}
				}
				h.stop()
				h = newHunt(t, d.restart(true, false), "")
				const link = "https://flats.example/#/flat/"
				h.wants(c.name, "all: 1 new | "+link+"a | New: untitled\n"+link+"a\n")
				h.imports(`[{"id":"b"}]`, "")
				h.wants(c.name, "all: 1 new | "+link+"b | New: untitled\n"+link+"b\n")
				a, b := h.store.Get("a").FirstSeen.at, h.store.Get("b").FirstSeen.at
				if old := h.store.Get("old").FirstSeen.at; !b.After(a) || !a.After(old) && old.Year() != 2099 {
					t.Errorf("%s: the flats were first seen at %v, %v, %v", c.name, old, a, b)
				}
				h.stop()
			})
		})
	}
}

// A message that is not taken is sent again after 1, 2, 4 … 60 minutes, together with what
// has come meanwhile. No log and no answer shows a secret.
func TestNotifyRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk(), "")
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		fail := func(answer *http.Response, err error) func(*http.Request) (*http.Response, error) {
			return func(*http.Request) (*http.Response, error) { return answer, err }
		}
		for i, c := range []struct {
			answer *http.Response
			err    error
			want   string
		}{
			{status(500), nil, "ntfy.example answered 500 Internal Server Error"},
			{status(301), nil, "ntfy.example answered 301 Moved Permanently"},
			{status(500), nil, "ntfy.example answered 500 Internal Server Error"},
			{nil, errors.New("no route to host"), "ntfy.example: no valid answer"},
			{status(429), nil, "ntfy.example answered 429 Too Many Requests"},
			{nil, errors.New("connection refused"), "ntfy.example: no valid answer"},
			{status(503), nil, "ntfy.example answered 503 Service Unavailable"},
			{status(204), nil, ""},
		} {
			h.receiver.set(fail(c.answer, c.err))
			h.imports(fmt.Sprintf(`[{"id":"f%d"}]`, i), "")
			if i > 0 { // the first message is sent at once
				_, last := h.receiver.tried()
				wait := min(time.Minute<<(i-1), time.Hour)
				time.Sleep(wait - time.Second - time.Since(last))
				synctest.Wait()
				if tries, _ := h.receiver.tried(); tries != i {
					t.Errorf("%d tries before try %d is due", tries, i+1)
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
			}
			tries, _ := h.receiver.tried()
			_, err := h.told.state()
			if tries != i+1 || err == nil != (c.want == "") || err != nil && err.Error() != c.want {
				t.Errorf("%d tries, the last one: %v; want %d, %q", tries, err, i+1, c.want)
			}
		}
		h.receiver.set(nil)
		h.imports(`[{"id":"later"}]`, "")
		h.wants("after the failures", "all: 1 new | https://flats.example/#/flat/later | New: untitled\n"+
			"https://flats.example/#/flat/later\n")
		logs := h.logs.String()
		if strings.Contains(logs, "secret") || strings.Count(logs, "messages could not be sent") != 7 {
			t.Errorf("the log is %s", logs)
		}
		// After an hour without the receiver one message has all that came.
		h.receiver.set(fail(nil, errors.New("no route to host")))
		for i := range 60 {
			h.imports(fmt.Sprintf(`[{"id":"h%d"}]`, i), "")
			time.Sleep(time.Minute)
		}
		h.receiver.set(nil)
		time.Sleep(time.Hour)
		synctest.Wait()
		got := h.receiver.take()
		if len(got) != 1 || !strings.HasPrefix(got[0], "all: 60 new | ") || !strings.HasSuffix(got[0], "and 50 more\n") {
			t.Errorf("after an hour: %q", got)
		}
		// Another query begins anew, and what an import that is not complete has brought waits.
		h.receiver.set(fail(status(500), nil))
		h.imports(`[{"id":"dropped"}]`, "")
		h.put("all", `{"query":"known[gone]=no"}`)
		h.receiver.set(nil)
		time.Sleep(2 * time.Hour)
		h.wants("after another query")
		q, err := h.views.parse("known[gone]=no")
		if err != nil {
			t.Fatal(err)
		}
		until := h.store.Get("dropped").FirstSeen.at
		for by, want := range map[time.Duration]int{-time.Millisecond: 0, 0: 1} {
			events, err := h.told.changes(t.Context(), q, until.Add(-time.Second), until.Add(by))
			if err != nil || len(events) != want {
				t.Errorf("until %v: %v, %v; want %d events", by, events, err, want)
			}
		}
	})
}

// A kill between an import and its message loses nothing, and one between the message and
// its mark repeats that message alone. If the mark cannot be written, nothing is repeated.
func TestNotifyKill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		h := newHunt(t, d, "")
		h.put("all", `{"query":"","notify":true}`)
		const message = "all: 1 new | https://flats.example/#/flat/a | New: untitled\nhttps://flats.example/#/flat/a\n"
		var atImport, atMessage *simDisk
		h.receiver.set(func(*http.Request) (*http.Response, error) {
			atImport = d.restart(true, false) // the import is answered, the message is not
			return nil, errors.New("refused")
		})
		h.imports(`[{"id":"a"}]`, "")
		h.stop()
		h = newHunt(t, atImport, "", func(r *receiver) {
			r.set(func(*http.Request) (*http.Response, error) {
				atMessage = atImport.restart(true, false)
				r.answer = nil
				return status(200), nil
			})
		})
		synctest.Wait()
		h.imports(`[]`, "")
		h.wants("after the message")
		h.stop()
		h = newHunt(t, atMessage, "")
		h.wants("between message and mark", message)
		h.imports(`[]`, "")
		h.wants("again")
		h.disk.setFull(true)
		h.receiver.set(nil)
		h.stop()

		h = newHunt(t, newSimDisk(), "")
		h.put("all", `{"query":"","notify":true}`)
		h.imports(`[{"id":"b"}]`, "")
		h.receiver.take()
		h.receiver.set(func(r *http.Request) (*http.Response, error) {
			h.disk.setFull(true) // after the import, before the mark
			h.receiver.answer = nil
			return h.receiver.answerLocked(r)
		})
		h.imports(`[{"id":"a"}]`, "")
		h.wants("a full disk", message)
		if _, err := h.told.state(); err == nil {
			t.Error("the mark was written to a full disk")
		}
		time.Sleep(10 * time.Minute)
		h.wants("while the disk is full")
		if got := h.logs.String(); !strings.Contains(got, "a restart would repeat them") {
			t.Errorf("the log is %s", got)
		}
		h.disk.setFull(false)
		time.Sleep(2 * time.Hour)
		h.wants("after it")
		h.imports(`[{"id":"c"}]`, "")
		h.wants("the next flat", strings.ReplaceAll(message, "/a", "/c"))
		h.stop()
	})
}

// A message that is being sent when the service stops is sent, and not repeated. A service
// that no longer owns the data sends no messages.
func TestNotifyStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		h := newHunt(t, d, "")
		h.put("all", `{"query":"","notify":true}`)
		h.told.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			select {
			case <-r.Context().Done():
				return nil, r.Context().Err()
			case <-time.After(2 * time.Second):
				return h.receiver.RoundTrip(r)
			}
		})
		h.imports(`[{"id":"a"}]`, "")
		h.stop()
		if got := h.receiver.take(); len(got) != 1 {
			t.Errorf("at a stop: %q", got)
		}
		h = newHunt(t, d.restart(true, false), "")
		h.wants("after it")
		h.receiver.set(func(*http.Request) (*http.Response, error) { return status(500), nil })
		h.imports(`[{"id":"b"}]`, "")
		second := newHunt(t, h.disk, "")
		h.receiver.set(nil)
		time.Sleep(2 * time.Hour)
		h.wants("the first of two services")
		if got := second.receiver.take(); len(got) != 1 {
			t.Errorf("the second service: %q", got)
		}
		second.stop()
		h.stop()
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A receiver that accepts the connection but does not answer delays neither imports nor
// requests, and the notifier gives up after ten seconds.
func TestNotifySilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk(), "")
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		h.told.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		began := time.Now()
		for i := range 3 {
			h.imports(fmt.Sprintf(`[{"id":%d}]`, i), "")
			h.put("all", fmt.Sprintf(`{"page":"#/%d"}`, i))
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("beside a silent receiver imports and views took %v", waited)
		}
		time.Sleep(11 * time.Second)
		if _, err := h.told.state(); err == nil || !strings.HasPrefix(err.Error(), "ntfy.example: ") {
			t.Errorf("after ten seconds: %v", err)
		}
	})
}

// A message that the receiver refuses does not delay others. A view whose query is invalid for
// a while is told of the imports of that time with the next one.
func TestNotifyRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk(), "")
		defer func() { h.stop() }()
		for _, name := range []string{"first", "second", "third"} {
			h.put(name, `{"query":"","notify":true}`)
		}
		for code, want := range map[int]int{400: 3, 429: 1, 503: 1} {
			before, _ := h.receiver.tried()
			h.receiver.set(func(r *http.Request) (*http.Response, error) {
				if strings.HasPrefix(r.Header.Get("Title"), "first") {
					return status(code), nil
				}
				return status(200), nil
			})
			h.imports(fmt.Sprintf(`[{"id":%d}]`, code), "")
			if tries, _ := h.receiver.tried(); tries-before != want {
				t.Errorf("%d: %d messages were sent; want %d", code, tries-before, want)
			}
			h.receiver.set(nil)
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			h.receiver.take()
		}
		h.store.table = newTable(queryFields(quiet, "time_to.work"))
		h.put("first", `{"query":"known[time_to.work]=no","notify":true}`)
		h.store.table = newTable(queryFields(quiet))
		h.imports(`[{"id":"while it is not valid"}]`, "")
		h.receiver.take()
		h.store.table = newTable(queryFields(quiet, "time_to.work"))
		h.imports(`[{"id":"later"}]`, "")
		got := h.receiver.take()
		if len(got) != 3 || !strings.HasPrefix(got[0], "first: 2 new | ") {
			t.Errorf("after it is valid again: %q", got)
		}
	})
}

// A failure of the receiver for one view does not end the wait of another, whose message was
// refused.
func TestNotifyBoth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk(), "")
		defer func() { h.stop() }()
		h.put("first", `{"query":"","notify":true}`)
		h.put("second", `{"query":"","notify":true}`)
		began := time.Now()
		var tries []float64
		receiver := func(first int) {
			h.receiver.set(func(r *http.Request) (*http.Response, error) {
				if strings.HasPrefix(r.Header.Get("Title"), "first") {
					return status(first), nil
				}
				tries = append(tries, time.Since(began).Minutes())
				return status(404), nil
			})
		}
		receiver(200)
		h.imports(`[{"id":1}]`, "")
		time.Sleep(90 * time.Second)
		receiver(503)
		h.imports(`[{"id":2}]`, "")
		receiver(200)
		time.Sleep(6 * time.Minute)
		synctest.Wait()
		if want := []float64{0, 1, 3, 7}; !slices.Equal(tries, want) {
			t.Errorf("tries after %v minutes; want %v", tries, want)
		}
	})
}

// A view whose message is refused waits for 1, 2, 4 … 60 minutes; other views do not wait.
// Later imports join its message.
func TestNotifyAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHunt(t, newSimDisk(), "")
		defer func() { h.stop() }()
		h.put("first", `{"query":"","notify":true}`)
		h.put("second", `{"query":"","notify":true}`)
		began := time.Now()
		var tries []float64
		h.receiver.set(func(r *http.Request) (*http.Response, error) {
			if strings.HasPrefix(r.Header.Get("Title"), "second") {
				return h.receiver.answerLocked(r)
			}
			tries = append(tries, time.Since(began).Minutes())
			return status(404), nil
		})
		for i := range 19 {
			h.imports(fmt.Sprintf(`[{"id":%d}]`, i), "")
			link := fmt.Sprint("https://flats.example/#/flat/", i)
			h.wants("another view", "second: 1 new | "+link+" | New: untitled\n"+link+"\n")
			if _, err := h.told.state(); err == nil || err.Error() != "ntfy.example answered 404 Not Found" {
				t.Errorf("while a view waits the state is %v", err)
			}
			time.Sleep(10 * time.Minute)
			synctest.Wait()
		}
		if want := []float64{0, 1, 3, 7, 15, 31, 63, 123, 183}; !slices.Equal(tries, want) {
			t.Errorf("tries after %v minutes; want %v", tries, want)
		}
		// A change of the view ends its wait.
		h.put("first", `{"query":"known[gone]=no"}`)
		h.imports(`[{"id":"a"}]`, "")
		if h.receiver.take(); len(tries) != 10 {
			t.Errorf("after another query there are %d tries; want 10", len(tries))
		}
		time.Sleep(30 * time.Second)
		h.receiver.set(nil)
		h.imports(`[{"id":"b"}]`, "")
		h.receiver.take()
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := h.receiver.take(); len(got) != 1 || !strings.HasPrefix(got[0], "first: 2 new | ") {
			t.Errorf("after the wait: %q", got)
		}
		if _, err := h.told.state(); err != nil {
			t.Errorf("after the wait the state is %v", err)
		}
		// Waits for the receiver are one for all views.
		before, _ := h.receiver.tried()
		h.receiver.set(func(*http.Request) (*http.Response, error) { return status(503), nil })
		h.imports(`[{"id":"c"}]`, "")
		time.Sleep(8 * time.Minute)
		if after, _ := h.receiver.tried(); after-before != 4 {
			t.Errorf("a receiver that is down was tried %d times in 8 minutes; want 4", after-before)
		}
	})
}

// A template can use every part of a message. If it fails for some flats, or its output is too
// long, the message is sent without those flats.
func TestNotifyTemplate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct{ body, want string }{
			{`{"text":{{json .Text}},"n":{{len .Flats}}}`,
				` |  | {"text":"New: <T>, 5\nhttps://flats.example/#/flat/a\n","n":1}`},
			{`{{.View}}/{{.Title}}/{{.Link}}` +
				"{{range .Flats}}/{{.Event}} {{.Flat.title}} {{.Flat.cost}} {{with .Was}}{{.}}{{end}} {{.Link}}{{end}}",
				" |  | v/v: 1 new/https://flats.example/#/flat/a/new <T> 5  https://flats.example/#/flat/a"},
			{`{{json .Flats}}`, ` |  | [{"Event":"new","Link":"https://flats.example/#/flat/a","Was":null,"Flat":`},
		} {
			h := newHunt(t, newSimDisk(), c.body)
			h.put("v", `{"query":"","notify":true}`)
			h.imports(`[{"id":"a","title":"<T>","cost":5}]`, "")
			if got := h.receiver.take(); len(got) != 1 || !strings.HasPrefix(got[0], c.want) {
				t.Errorf("%s: %q; want %q", c.body, got, c.want)
			}
			h.stop()
		}
		h := newHunt(t, newSimDisk(), `{{range .Flats}}{{.Flat.title}}{{.Flat.text}}{{end}}`)
		defer func() { h.stop() }()
		h.put("v", `{"query":"","notify":true}`)
		large := strings.Repeat("x", 400<<10)
		h.imports(`[{"id":1,"title":"a","text":"`+large+`"},{"id":2,"title":"b","text":"`+large+`"},
			{"id":3,"title":"c","text":"`+large+`"}]`, "")
		if got := h.receiver.take(); len(got) != 1 || !strings.Contains(got[0], "| a"+"x") || strings.Contains(got[0], "b") {
			t.Errorf("a long message: %.80q", got)
		}
		// A template that fails for a flat gets the message without it.
		failing := newHunt(t, newSimDisk(), "{{.Title}}"+
			"{{range .Flats}}{{if .Flat.photos}}{{(index .Flat.photos 0).url}}{{end}}{{end}}")
		defer func() { failing.stop() }()
		failing.put("v", `{"query":"","notify":true}`)
		failing.imports(`[{"id":1,"photos":["http://p"]}]`, "")
		failing.wants("a failing template", " |  | v: 1 new")
		// One that fails for a view does not delay the messages of others.
		other := newHunt(t, newSimDisk(), `{{if eq .View "bad"}}{{index .Flats 99}}{{end}}{{.Title}}`)
		defer func() { other.stop() }()
		other.put("bad", `{"query":"","notify":true}`)
		other.put("good", `{"query":"","notify":true}`)
		other.imports(`[{"id":1}]`, "")
		other.wants("a template that fails for a view", " |  | good: 1 new")
	})
}

// The templates in docs/running.md make JSON with the members that their receivers want.
func TestDocumentedTemplates(t *testing.T) {
	doc := readFile(t, "docs/running.md")
	wants := map[string][]string{"Telegram": {"chat_id", "text"}, "Discord": {"content"}, "Apprise": {"body", "title"},
		"Home Assistant": {"message", "title", "url"}}
	rows := regexp.MustCompile("(?m)^\\| ([A-Z][A-Za-z ]+) \\| [^|]* \\| `(.*)` \\|$").FindAllStringSubmatch(doc, -1)
	for _, row := range rows {
		n := &Notify{}
		if err := n.setTemplate(row[2]); err != nil {
			t.Errorf("%s: %v", row[1], err)
			continue
		}
		view := View{Name: `"Two" <rooms>` + strings.Repeat("x", 187)}
		flat := newService(t, `[{"id":1,"title":"`+strings.Repeat(`\"\n`, 3000)+`","location":"`+
			strings.Repeat("é", 3000)+`"}]`, "[]").store.Get("1")
		changes := slices.Repeat([]flatEvent{{"new", "https://x/#/flat/" + strings.Repeat("x", 335), nil, flat}}, 30)
		body, err := n.body(newMessage("https://x/", view, changes))
		var object members
		json.Unmarshal([]byte(body), &object)
		if text := unquote(string(object["text"])); len(text) > 4096 {
			t.Errorf("%s: a text of %d bytes; want 4096 at most", row[1], len(text))
		}
		if err != nil || !slices.Equal(slices.Sorted(maps.Keys(object)), wants[row[1]]) {
			t.Errorf("%s: %s, %v", row[1], body, err)
		}
	}
	if len(rows) != len(wants) {
		t.Errorf("docs/running.md has %d templates; want %d", len(rows), len(wants))
	}
}

// The routes of messages say whether they arrive, and send an example.
func TestNotifyRoutes(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.want(s.ask("GET", "/api/v1/notify", ""), 200, `{"data":{"configured":false,"last":null,"error":null}}`)
	s.refuse(s.ask("POST", "/api/v1/notify", ""), 409, "No receiver is configured: set notify in the config.")
	taken := make(chan *http.Request, 1)
	code := 200
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		taken <- r
		w.Header().Set("Location", "/secret")
		w.WriteHeader(code)
	}))
	defer ts.Close()
	to, _ := url.Parse(ts.URL + "/secret")
	s = s.with(func(c *Config) {
		c.Notify = &Notify{url: to, headers: map[string]string{"Authorization": "secret", "content-type": "text/x"}}
	})
	s.want(s.ask("POST", "/api/v1/notify", ""), 200, `{"data":{"status":200}}`)
	r := <-taken
	if r.Header.Get("Title") != "Test: 1 new" || r.Header.Get("Click") != "https://flats.example/#/flat/example" ||
		r.Header.Get("Authorization") != "secret" || r.Header.Get("Content-Type") != "text/x" || r.Method != "POST" {
		t.Errorf("the example has the header %v", r.Header)
	}
	code = 302
	got := s.ask("POST", "/api/v1/notify", "")
	s.refuse(got, 502, "The message was not taken: "+to.Host+" answered 302 Found.")
	<-taken
	ts.Close()
	got = s.ask("POST", "/api/v1/notify", "")
	if got.status != 502 || strings.Contains(got.body, "secret") || !strings.Contains(got.body, to.Host) {
		t.Errorf("a receiver that is down: %d %s", got.status, got.body)
	}
	// An example counts for nothing.
	s.want(s.ask("GET", "/api/v1/notify", ""), 200, `{"data":{"configured":true,"last":null,"error":null}}`)
	if strings.Contains(s.logs.String(), "secret") {
		t.Errorf("the log shows a secret: %s", s.logs)
	}
}

// The receiver of messages is checked at start. No error shows its URL or headers.
func TestNotifyConfig(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, "url: is missing"},
		{`"https://x/secret"`, "want an object"},
		{`["secret"]`, "want an object"},
		{`{"url":5}`, "url: want a string"},
		{`{"url":"secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"ftp://x/secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https:///secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https://me:secret@x/"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https://x/%zz secret"}`, "url: want an http or https URL with a host and without a user name"},
		{`{"url":"https://x/","headers":["secret"]}`, "headers: want an object of strings"},
		{`{"url":"https://x/","headers":{"A":7}}`, "headers: want an object of strings"},
		{`{"url":"https://x/","headers":{"A":"secret\nB: x"}}`,
			"headers: want names of letters, digits and hyphens, and values without line breaks"},
		{`{"url":"https://x/","headers":{"A b":"secret"}}`,
			"headers: want names of letters, digits and hyphens, and values without line breaks"},
		{`{"url":"https://x/","body":7}`, "body: want a string"},
		{`{"url":"https://x/","body":"{{"}`, "body: template: body:1: unclosed action"},
		{`{"url":"https://x/","body":"{{none}}"}`, `body: template: body:1: function "none" not defined`},
		{`{"url":"https://x/","body":"{{.None}}"}`, `body: template: body:1:2: executing "body" at <.None>: ` +
			"can't evaluate field None in type main.message"},
		{`{"url":"https://x/","body":"{{range 20000000}}x{{end}}"}`, "body: the template writes more than 1048576 bytes"},
	} {
		_, err := parseConfig("config.json", []byte(`{"notify":`+c.text+`}`), quiet)
		if err == nil || !strings.HasPrefix(err.Error(), "config.json: notify") || strings.Contains(err.Error(), "secret") ||
			!strings.Contains(strings.ReplaceAll(err.Error(), "flats.message", "main.message"), c.want) {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
	config, err := parseConfig("config.json", []byte(`{"notify":{"url":"http://x","headers":{"A":"b"},`+
		`"body":"{{json .Flats}}"}}`), quiet)
	if err != nil || config.Notify.url.Host != "x" || config.Notify.headers["A"] != "b" || config.Notify.template == nil {
		t.Errorf("%v, %+v", err, config)
	}
}

// Imports
// -------

// All input forms of a listing give the same flat.
func TestImportForms(t *testing.T) {
	const flat = `{"id":"1","title":"a","utilities":"included","urls":["https://x.example/1"],
		"service_constraint":"lyon","service_postal_code":"69007",
		"service_stations":[{"name":"s"}],"service_time_to":{"work":{"time":1}},"price_per_meter":5.50}`
	for name, text := range map[string]string{
		"array":       "[" + flat + "]",
		"data":        `{"page": 0, "data": [` + flat + `], "items_per_page": 1}`,
		"one":         flat,
		"data of one": `{"data":` + flat + `}`,
		"GET /flats": `{"data":[{"id":"1","title":"a","utilities":"included","urls":["https://x.example/1"],
			"service_constraint":"lyon","service_postal_code":
			{"postal_code":"69007","name":"Lyon 7e","gps":[1,2]},"service_stations":[{"name":"s"}],
				"service_time_to":{"work":{"time":1}},"price_per_meter":5.50,"area":null}]}`,
		"Flatisfy's API": `{"data":[{"id":"1","title":"a","utilities":"C.C.","urls":["https://x.example/1"],
			"flatisfy_constraint":"lyon","flatisfy_postal_code":
			{"postal_code":"69007","name":"Lyon 7e","gps":[1,2]},"flatisfy_stations":[{"name":"s"}],
				"flatisfy_time_to":{"work":{"time":1}},"price_per_meter":5.50}]}`,
		"woob": "\uFEFF" + `[{"id":"1","url":"https://x.example/1","title":"a","utilities":"C.C.",
			"price_per_meter":5.50,
			"flatisfy":{"postal_code":"69007","constraint":"lyon","matched_stations":[{"name":"s"}],
				"time_to":{"work":{"time":1}}}}]`,
	} {
		listings, err := readListings(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s := newService(t, "[]", testCodes)
		s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
		if counts, err := s.store.Import(context.Background(), listings, nil); err != nil || counts != (Counts{Added: 1}) {
			t.Errorf("%s: %v, %v", name, counts, err)
		}
		want := newService(t, "["+flat+"]", testCodes).ask("GET", "/api/v1/flats/1", "").body
		want = strings.Replace(want, `"price_per_meter"`, `"first_seen":"2026-01-02T03:04:05Z","price_per_meter"`, 1)
		s.want(s.ask("GET", "/api/v1/flats/1", ""), 200, want)
	}
	for _, c := range []struct{ text, want string }{
		{``, "in:1: unexpected end of JSON input"},
		{`5`, "in:1: want a JSON array, got 5"},
		{"[\n5]", "in:2: want an object, got 5"},
		{"[\n{\"id\":1},\n]", "in:3: invalid character ']' looking for beginning of value"},
		{"[{\"id\":1},\n{\"id\":2,\n\"cost\":\"5\"}]", `in:2: cost: want a finite number or null, got "5"`},
		{"{\"page\":0,\n\"data\":[\n{\"id\":1},\n{\"id\":2,\"cost\":\"5\"}]}",
			`in:4: cost: want a finite number or null, got "5"`},
		{"{\"page\":0,\n\"data\":{\"id\":1,\"cost\":\"5\"}}", `in:2: cost: want a finite number or null, got "5"`},
		{"{\"data\":[{\"id\":1},\n{\"title\":\"x\"}]}", "in:2: id: a flat must have one"},
		{"{\"data\":5}", `in:1: want a JSON array, got 5`},
		{"{}", "in:1: id: a flat must have one"},
		{"[{\"id\":1,\"flatisfy\":{\n\"constraint\":5}}]", "in:1: service_constraint: want a string or null, got 5"},
		{"[{\"id\":1,\"service_postal_code\":{\"postal_code\":5}}]",
			"in:1: service_postal_code: want a string or null, got 5"},
		{"[{\"id\":1,\"title\":\"\xff\"}]", "in:1: byte 0xff is not UTF-8"},
		{"[{\"id\":1}\n{\"id\":2}]", "in:2: invalid character '{' after array element"},
		{"[{\"id\":1}\n]\n5", "in:3: invalid character '5' after top-level value"},
		{"[{\"id\":1},\n{\"id\":2", "in:2: unexpected end of JSON input"},
		{"[\n{},\n{\"id\":2", "in:2: id: a flat must have one"}, // only the first error is reported
		{"{\"page\":0,\n}", "in:2: invalid character '}' looking for beginning of object key string"},
		{"{\"data\":[]}\n]", "in:2: invalid character ']' after top-level value"},
	} {
		if _, err := readListings("in", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}

// An import also accepts what fredy sends, and omits members without information.
func TestImportFredy(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	const key1, key2 = "1f0aaa989d5e4df7@immo", "c2509d46e44ee309@immo" // of the SHA-256 of the links
	send := func(list, listings string) reply {
		return s.ask("POST", "/api/v1/import", `{"jobId":"j","provider":"immo","timestamp":"2026-01-01T10:00:00.000Z",`+
			`"`+list+`":[`+listings+`]}`)
	}
	for _, c := range []struct{ list, listing, id, want string }{
		{"listings", `{"id":"127","title":"T2","description":"<b>Text</b>","address":"Weg 3, Ort","price":"1.240 €",
			"size":"38.125 m²","rooms":"2,5 Zi.","url":"https://x.example/1","imageUrl":"https://x.example/1.jpg",
			"fredyUrl":"https://fredy.example","commute":{"work":{"minutes":20}}}`, key1,
			`{"title":"T2","text":"<b>Text</b>","location":"Weg 3, Ort","cost":1240,"currency":"EUR","area":38.125,
			"rooms":2.5,"urls":["https://x.example/1"],"photos":[{"url":"https://x.example/1.jpg"}],
			"details":{"commute":{"work":{"minutes":20}}},"date":"2026-01-01T10:00:00.000Z"}`},
		// Empty values do not overwrite known ones.
		{"listings", `{"title":null,"description":"","address":"NO ADDRESS FOUND","price":"auf Anfrage","size":null,
			"rooms":"n/a","url":"https://x.example/1","imageUrl":""}`, key1, `{"title":"T2","cost":1240,"area":38.125}`},
		{"priceChanges", `{"title":"Price reduced: T2","price":"1.240 € -> 1.100 €","oldPrice":"1.240 €",
			"newPrice":"1.100","size":"99 m²","url":"https://x.example/1","address":"elsewhere"}`, key1,
			`{"title":"T2","cost":1100,"currency":"EUR","area":38.125,"location":"Weg 3, Ort"}`},
		{"priceChanges", `{"newPrice":1050.5,"url":"https://x.example/1"}`, key1, `{"cost":1050.5}`},
		{"priceChanges", `{"newPrice":"CHF 990.–","url":"https://x.example/2"}`, key2,
			`{"title":null,"cost":990,"currency":"CHF","urls":["https://x.example/2"]}`},
		// The members of details stay.
		{"listings", `{"url":"https://x.example/1","commute":7}`, key1, `{"details":{"commute":7,"floor":3}}`},
		// A listing without a link is known by its id.
		{"listings", `{"id":7,"title":"x"}`, "7902699be42c8a8e@immo", `{"title":"x","urls":null}`},
		{"listings", `{"id":"7","size":1e999,"price":` + strings.Repeat("9", 400) + `}`, "7902699be42c8a8e@immo",
			`{"title":"x","cost":null,"area":null}`},
		// "kr." is the currency of several countries.
		{"listings", `{"id":"7","price":"9.500 kr."}`, "7902699be42c8a8e@immo", `{"cost":9500,"currency":null}`},
		{"listings", `{"url":"https://x.example/2","title":"one"},{"url":"https://x.example/2","title":"two"}`, key2,
			`{"title":"two","cost":990}`},
	} {
		got := send(c.list, c.listing)
		if s.store.Get(c.id) == nil || got.status != 200 {
			t.Errorf("%s: %d %s, and no flat %s", c.listing, got.status, got.body, c.id)
			continue
		}
		flat, want := members{}, members{}
		json.Unmarshal([]byte(s.store.Get(c.id).JSON()), &flat)
		json.Unmarshal([]byte(c.want), &want)
		maps.DeleteFunc(flat, func(name string, _ json.RawMessage) bool { return want[name] == nil })
		if !sameJSON(encodeJSON(flat), c.want) {
			t.Errorf("%s\ngot  %s\nwant %s", c.listing, encodeJSON(flat), c.want)
		}
		if details := s.store.Get(key1).Details.JSON(); details == `{"commute":{"work":{"minutes":20}}}` {
			s.ask("PATCH", "/api/v1/flat/"+key1, `{"details":{"floor":3,"commute":1}}`)
		}
	}
	for _, c := range []struct{ body, want string }{
		{`{"provider":"x","listings":[{"title":"t"}]}`, "body:1: url: a listing must have one, or an id."},
		{"{\"provider\":\"x\",\n\"listings\":[\n{\"id\":1},\n{\"id\":1,\"title\":5}]}",
			"body:4: title: want a string or null, got 5."},
		{`{"provider":"x","listings":[{"id":1,"price":{}}]}`, "body:1: price: want a number or a text, got {}."},
		{`{"provider":"x","listings":[{"id":1,"size":[7]}]}`, "body:1: size: want a number or a text, got [7]."},
		{`{"listings":[{"id":1}]}`, "body:1: provider: want the name of a site, got nothing."},
		{`{"provider":"","listings":[]}`, `body:1: provider: want the name of a site, got "".`},
		{`{"provider":5,"priceChanges":[]}`, "body:1: provider: want the name of a site, got 5."},
		{`{"provider":"x","listings":5}`, "body:1: listings: want a JSON array, got 5."},
		{`{"provider":"x","listings":{"id":1}}`, `body:1: listings: want a JSON array, got {"id":1}.`},
		{`{"provider":"x","priceChanges":null}`, "body:1: listings: want a JSON array, got nothing."},
		{`{"provider":"x","listings":null,"priceChanges":7}`, "body:1: priceChanges: want a JSON array, got 7."},
		{`{"provider":"x","listings":[{"id":{}}]}`, "body:1: url: a listing must have one, or an id."},
		{`{"provider":"x","listings":[{"id":1,"commute":` + strings.Repeat("[", 9995) + strings.Repeat("]", 9995) + `}]}`,
			"body:1: nested too deeply."},
		{`{"provider":"x","listings":[{"id":1}],"priceChanges":[{"id":1}]}`,
			"body:1: priceChanges: want either listings or priceChanges."},
		{`{"provider":"x","timestamp":"soon","listings":[]}`, `body:1: timestamp: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "soon".`},
		{`{"provider":"x","complete":"x","listings":[{"id":1}]}`,
			"body:1: complete: fredy sends what is new, never all that a site has."},
	} {
		s.refuse(s.ask("POST", "/api/v1/import", c.body), 400, "Nothing was imported: "+c.want)
	}
	s.refuse(s.ask("POST", "/api/v1/import?complete=x", `{"provider":"x","listings":[{"id":1}]}`), 400,
		"Nothing was imported: complete: fredy sends what is new, never all that a site has.")
	// An empty value changes nothing.
	const unchanged = `{"data":{"added":0,"updated":0,"unchanged":1,"gone":0}}`
	for _, empty := range []string{`null`, `""`, `" \t\n"`, `"\u00a0"`, `[]`, `[ ]`, `{}`, "{\n}"} {
		for _, key := range []string{`"url":"https://x.example/1"`, `"id":7`} {
			body := `{"provider":"immo","timestamp":"2026-02-02T10:00:00Z","listings":[{` + key + `,"commute":` + empty
			if strings.Contains(empty, `"`) {
				for _, name := range []string{"title", "description", "address", "price", "size", "rooms", "imageUrl"} {
					body += `,"` + name + `":` + empty
				}
			}
			got := s.ask("POST", "/api/v1/import", body+"}]}")
			if got.body != unchanged {
				t.Errorf("%s: %d %s; want %s", body, got.status, got.body, unchanged)
			}
		}
	}
	same := `{"url":"https://y.example/%d","title":"<script>"},`
	many := func(n int) string {
		return `{"provider":"x","listings":[` + strings.Repeat(same, n) + `{"id":1}]}`
	}
	got := s.ask("POST", "/api/v1/import", many(maxRepeats))
	s.want(got, 200, `{"data":{"added":2,"updated":0,"unchanged":99,"gone":0}}`)
	s.refuse(s.ask("POST", "/api/v1/import", many(maxRepeats+1)), 400,
		"Nothing was imported: body:1: id: 9d1e7ca2942b8c58@x appears more than 100 times.")
}

// An amount is the first number in a text, with the currency that the text names.
func TestReadAmount(t *testing.T) {
	for _, c := range []struct{ text, cost, size, currency string }{
		{"1.240 €", "1240", "1.240", "EUR"},
		{"€ 1,240", "1240", "1.240", "EUR"},
		{"CHF 1'240.–", "1240", "1240", "CHF"},
		{"1 240,50 EUR", "1240.50", "1240.50", "EUR"},
		{"1\u00a0240 €", "1240", "1240", "EUR"},
		{"£1,450.00 pcm", "1450.00", "1450.00", "GBP"},
		{"$950", "950", "950", "USD"},
		{"38 m²", "38", "38", ""},
		{"850" + strings.Repeat(" ", 70) + "€", "850", "850", "EUR"},
		{"38.125 m²", "38125", "38.125", ""},
		{"2,5 Zi.", "2.5", "2.5", ""},
		{"0.750", "0.750", "0.750", ""},
		{"0,125", "0.125", "0.125", ""},
		{"1.234.567,89", "1234567.89", "1234567.89", ""},
		{"1.2345", "1.2345", "1.2345", ""},
		{"12'50", "12", "12", ""},
		{"850 120", "850120", "850120", ""},
		{"12 3 m", "12", "12", ""},
		{"from 007 kr DKK", "7", "7", "DKK"},
		{"ab 900,- VHB", "900", "900", "VHB"},
		{"auf Anfrage", "null", "null", ""},
		{"", "null", "null", ""},
		{strings.Repeat("9", 401), "null", "null", ""},
		// The first 64 characters are read, and a number that they cut off says nothing.
		{strings.Repeat("€", 55) + " 1.240 EUR", "1240", "1.240", "EUR"},
		{strings.Repeat("ä", 64) + "12", "null", "null", ""},
		{strings.Repeat("ä", 61) + "1.240 €", "null", "null", ""},
		{strings.Repeat("ä", 60) + " 12 345", "null", "null", ""},
		{"1.240 " + strings.Repeat("🏠", 58) + "€", "1240", "1.240", ""},
		{"7 " + strings.Repeat("x", 64) + " EUR", "7", "7", ""},
	} {
		text := json.RawMessage(encodeJSON(c.text))
		cost, currency, err := readAmount(text, false)
		size, _, sizeErr := readAmount(text, true)
		if cost.JSON() != c.cost || size.JSON() != c.size || currency != c.currency || err != nil || sizeErr != nil {
			t.Errorf("%.40q: cost %s, size %s, currency %q, %v; want %s, %s, %q", c.text, cost.JSON(), size.JSON(),
				currency, cmp.Or(err, sizeErr), c.cost, c.size, c.currency)
		}
	}
}

// An import sets the fields of its listings, except the user's own fields of existing
// flats.
func TestImportUpsert(t *testing.T) {
	s := newService(t, `[{"id":7,"title":"old","cost":1,"status":"followed","notes":"mine","notation":4,`+
		`"visit_date":"2026-01-01","x":1,"y":2,"service_postal_code":"69007"}]`, testCodes)
	s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	load := func(text string) Counts {
		t.Helper()
		listings, err := readListings("in", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		counts, err := s.store.Import(context.Background(), listings, nil)
		if err != nil {
			t.Fatal(err)
		}
		return counts
	}
	const listing = `[{"id":"7","title":"new","cost":null,"status":"new","notes":"theirs","notation":1,
		"visit_date":null,"y":3,"z":4,"updated_at":"1999-01-01","service_postal_code":{}},
		{"id":"8","title":"added","status":"contacted","notes":"n","service_postal_code":{}},
			{"id":"8","title":"added twice"}]`
	if got := load(listing); got != (Counts{Added: 1, Updated: 2}) {
		t.Errorf("got %v", got)
	}
	want := `{"id":7,"title":"new","status":"followed","visit_date":"2026-01-01","notes":"mine","notation":4,` +
		`"service_postal_code":"69007","x":1,"y":3,"z":4,"updated_at":"2026-01-02T03:04:05Z"}`
	if got := string(s.store.Get("7").appendStored(nil)); !sameJSON(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	want = `{"id":"8","title":"added twice","status":"contacted","notes":"n","first_seen":"2026-01-02T03:04:05Z",` +
		`"updated_at":"2026-01-02T03:04:05Z"}`
	if got := string(s.store.Get("8").appendStored(nil)); !sameJSON(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.store.now = time.Now
	load(listing)
	if got := string(s.store.Get("7").appendStored(nil)); !strings.Contains(got, `"2026-01-02T03:04:05Z"`) {
		t.Errorf("an unchanged flat has a new updated_at: %s", got)
	}
	if got := load(`{"id":7,"title":"new"}`); got != (Counts{Unchanged: 1}) {
		t.Errorf("got %v", got)
	}
}

// Imports maintain cost_history, first_seen, gone and merged_ids. The clock
// advances by an hour before each step.
func TestImportHistory(t *testing.T) {
	// The flat "old" is from a version without these fields.
	s := newService(t, `[{"id":"old","cost":100,"merged_ids":["m"]},{"id":"none"}]`, "[]")
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s.store.now = func() time.Time { return clock }
	for _, step := range []struct{ request, counts, want string }{
		// Equal costs and null merged_ids add nothing.
		{`[{"id":"old","cost":100.0e0,"merged_ids":null}]`, "0 1 0 0", `{"id":"old","cost":1e2,"merged_ids":["m"]}`},
		{`[{"id":"old"}]`, "0 0 1 0", `{"id":"old","cost":1e2,"merged_ids":["m"]}`},
		// The history starts with the old cost, without a date.
		{`[{"id":"old","cost":90}]`, "0 1 0 0",
			`{"id":"old","cost":90,"merged_ids":["m"],"cost_history":[{"date":null,"cost":1e2},` +
				`{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		{`[{"id":"none","cost":7}]`, "0 1 0 0",
			`{"id":"none","cost":7,"cost_history":[{"date":"2026-01-01T04:00:00Z","cost":7}]}`},
		{`[{"id":"new","cost":50}]`, "1 0 0 0",
			`{"id":"new","cost":50,"first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`[{"id":"free"}]`, "1 0 0 0", `{"id":"free","first_seen":"2026-01-01T06:00:00Z"}`},
		// The history gets no entry for null or for the same number as in the last entry,
		// even if the user has set another cost.
		{`[{"id":"new","cost":null}]`, "0 1 0 0",
			`{"id":"new","first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`PATCH new {"cost":45}`, "", `{"id":"new","cost":45,"first_seen":"2026-01-01T05:00:00Z",` +
			`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`[{"id":"new","cost":50.00}]`, "0 1 0 0",
			`{"id":"new","cost":50,"first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50}]}`},
		{`[{"id":"new","cost":60},{"id":"new","cost":50}]`, "0 2 0 0",
			`{"id":"new","cost":50,"first_seen":"2026-01-01T05:00:00Z",` +
				`"cost_history":[{"date":"2026-01-01T05:00:00Z","cost":50},{"date":"2026-01-01T10:00:00Z","cost":60},` +
				`{"date":"2026-01-01T10:00:00Z","cost":50}]}`},
		// A listing's values of these fields count only for a new flat, and the import adds
		// nothing to them.
		{`[{"id":"free","first_seen":"1999-01-01","cost_history":[],"gone":"1999-01-01","not_duplicates":[1]}]`,
			"0 0 1 0", `{"id":"free","first_seen":"2026-01-01T06:00:00Z"}`},
		{`[{"id":"back","cost":9,"first_seen":"2025-01-01","gone":"2025-02-01T00:00:00Z","not_duplicates":[7,"x"]}]`,
			"1 0 0 0", `{"id":"back","cost":9,"first_seen":"2025-01-01","gone":"2025-02-01T00:00:00Z",` +
				`"not_duplicates":[7,"x"]}`},
		{`[{"id":"kept","cost":9,"cost_history":[{"date":null,"cost":8},{"date":"2025-01-01","cost":9}],"gone":null}]`,
			"1 0 0 0", `{"id":"kept","cost":9,"cost_history":[{"date":null,"cost":8},{"date":"2025-01-01","cost":9}]}`},
		// Any import that contains a flat clears gone.
		{`[{"id":"back"}]`, "0 1 0 0", `{"id":"back","cost":9,"first_seen":"2025-01-01","not_duplicates":[7,"x"]}`},
		// merged_ids only grow, and not_duplicates stay.
		{`[{"id":"old","merged_ids":["n","m",5]},{"id":"free","merged_ids":"odd"}]`, "0 2 0 0",
			`{"id":"old","cost":90,"merged_ids":["m","n",5],` +
				`"cost_history":[{"date":null,"cost":1e2},{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		{`[{"id":"old","merged_ids":["5","n"]}]`, "0 0 1 0",
			`{"id":"old","cost":90,"merged_ids":["m","n",5],` +
				`"cost_history":[{"date":null,"cost":1e2},{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		{`[{"id":"old","merged_ids":{}}]`, "0 0 1 0",
			`{"id":"old","cost":90,"merged_ids":["m","n",5],` +
				`"cost_history":[{"date":null,"cost":1e2},{"date":"2026-01-01T03:00:00Z","cost":90}]}`},
		// A complete import marks the other flats of its site as gone, unless they are merged
		// with a flat that is not gone.
		{`[{"id":"a@s"},{"id":"b@s","merged_ids":["b@s","a@s"]},{"id":"c@s","merged_ids":["d@t","b@s"]},{"id":"d@t"},` +
			`{"id":"e@s","merged_ids":["f@s"]},{"id":"f@s","merged_ids":["e@s","nobody"]},{"id":"s"},{"id":"x@ss"}]`,
			"8 0 0 0", `{"id":"s","first_seen":"2026-01-01T18:00:00Z"}`},
		{`s [{"id":"f@s"}]`, "0 0 1 2",
			`{"id":"a@s","first_seen":"2026-01-01T18:00:00Z","gone":"2026-01-01T19:00:00Z"}`},
		{`PATCH a@s {"status":"kept","notes":"mine"}`, "",
			`{"id":"b@s","merged_ids":["b@s","a@s"],"first_seen":"2026-01-01T18:00:00Z","gone":"2026-01-01T19:00:00Z"}`},
		{`s [{"id":"f@s"},{"id":"g@s"}]`, "1 0 1 0",
			`{"id":"c@s","merged_ids":["d@t","b@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`t [{"id":"h@t"}]`, "1 0 0 1", `{"id":"c@s","merged_ids":["d@t","b@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`[{"id":"d@t"}]`, "0 1 0 0", `{"id":"c@s","merged_ids":["d@t","b@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`s [{"id":"a@s"}]`, "0 1 0 3", `{"id":"b@s","merged_ids":["b@s","a@s"],"first_seen":"2026-01-01T18:00:00Z"}`},
		{`{"data":[{"id":"e@s"}],"complete":"s"}`, "0 1 0 2",
			`{"id":"f@s","merged_ids":["e@s","nobody"],"first_seen":"2026-01-01T18:00:00Z"}`},
	} {
		clock = clock.Add(time.Hour)
		var got reply
		var want struct{ ID string }
		json.Unmarshal([]byte(step.want), &want)
		if rest, ok := strings.CutPrefix(step.request, "PATCH "); ok {
			id, body, _ := strings.Cut(rest, " ")
			got = s.ask("PATCH", "/api/v1/flat/"+id, body)
		} else {
			site, body, complete := strings.Cut(step.request, " [")
			if complete {
				got = s.ask("POST", "/api/v1/import?complete="+site, "["+body)
			} else {
				got = s.ask("POST", "/api/v1/import", step.request)
			}
			var answer struct {
				Data struct{ Added, Updated, Unchanged, Gone int }
			}
			json.Unmarshal([]byte(got.body), &answer)
			if c := answer.Data; fmt.Sprint(c.Added, c.Updated, c.Unchanged, c.Gone) != step.counts {
				t.Errorf("%s: %s; want %s", step.request, got.body, step.counts)
			}
		}
		flat := members{}
		json.Unmarshal([]byte(s.store.Get(want.ID).JSON()), &flat)
		maps.DeleteFunc(flat, func(name string, text json.RawMessage) bool {
			return string(text) == "null" || name == "status" || name == "service_postal_code"
		})
		if got.status != 200 || !sameJSON(encodeJSON(flat), step.want) {
			t.Errorf("%s: %d\ngot  %s\nwant %s", step.request, got.status, encodeJSON(flat), step.want)
		}
	}
	if a := s.store.Get("a@s"); a.Status.String() != "kept" || notesOf(a) != "mine" {
		t.Errorf("an import changed the user's fields: %s", a.JSON())
	}
}

// TestHunt simulates a week of flat hunting. Two sites are imported each day, with changing
// prices, listings that disappear and return, and merged ids. In between, the user updates
// flats, also their costs, and the service is stopped or killed. After each step the store
// must equal a naive model.
func TestHunt(t *testing.T) {
	type entry struct {
		Date *string `json:"date"`
		Cost float64 `json:"cost"`
	}
	type flat struct {
		Cost      *float64 `json:"cost"`
		Status    string   `json:"status"`
		Notes     *string  `json:"notes"`
		Visit     *string  `json:"visit_date"`
		Merged    []string `json:"merged_ids"`
		Apart     []string `json:"not_duplicates"`
		FirstSeen *string  `json:"first_seen"`
		History   []entry  `json:"cost_history"`
		Gone      *string  `json:"gone"`

		corrected bool     // the user has changed the cost
		said      *float64 // the cost in the listing, if it is corrected
	}
	costs := []string{"null", "500", "500.0", "5e2", "510", "520.5"}
	for seed := range uint64(rounds(40)) {
		random := rand.New(rand.NewPCG(seed, 0))
		clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"0@a","cost":500},{"id":"1@b","merged_ids":["2@a"]}]`),
			lost: -1}
		d.names["/flats.json"].synced, d.durable["/flats.json"] = d.names["/flats.json"].data, d.names["/flats.json"]
		old := 500.0
		model := map[string]*flat{"0@a": {Status: "new", Cost: &old}, "1@b": {Status: "new", Merged: []string{"2@a"}}}
		open := func() *Store {
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			s.now = func() time.Time { return clock }
			return s
		}
		s := open()
		importSite := func(site string, complete bool) {
			now := clock.Format(time.RFC3339)
			var input []string
			listed := map[string]bool{}
			for range 1 + random.IntN(12) {
				id, cost := fmt.Sprint(random.IntN(9), "@", site), pick(random, costs)
				merged := []string{}
				for range random.IntN(6) / 3 {
					merged = append(merged, fmt.Sprint(random.IntN(9), "@", pick(random, []string{"a", "b", "c"})))
				}
				input = append(input, fmt.Sprintf(`{"id":"%s","cost":%s,"merged_ids":%s,"status":"theirs",`+
					`"notes":"theirs"}`, id, cost, encodeJSON(merged)))
				listed[id] = true
				f := model[id]
				var value *float64
				json.Unmarshal([]byte(cost), &value)
				if f == nil {
					theirs := "theirs"
					f = &flat{Status: theirs, Notes: &theirs, FirstSeen: &now}
					model[id] = f
				}
				if !f.corrected {
					f.said = f.Cost
				}
				differs := value != nil && (f.said == nil || *f.said != *value)
				if n := len(f.History); n == 0 && differs && f.said != nil {
					f.History = []entry{{nil, *f.said}}
				} else if n > 0 {
					differs = value != nil && f.History[n-1].Cost != *value
				}
				if differs {
					f.History = append(f.History, entry{&now, *value})
				}
				if f.corrected && value != nil && (f.said == nil || *f.said != *value) {
					f.corrected = false
				}
				if !f.corrected {
					f.Cost = value
				}
				f.Gone = nil
				for _, id := range merged {
					if !slices.Contains(f.Merged, id) {
						f.Merged = append(f.Merged, id)
					}
				}
			}
			gone := map[string]bool{}
			for id, f := range model {
				gone[id] = !listed[id] && (f.Gone != nil || complete && strings.HasSuffix(id, "@"+site))
			}
			for again := true; again; {
				again = false
				for id, f := range model {
					merged := slices.ContainsFunc(f.Merged,
						func(other string) bool { return model[other] != nil && !gone[other] })
					if gone[id] && merged {
						gone[id], again = false, true
					}
				}
			}
			for id, f := range model {
				if !gone[id] {
					f.Gone = nil
				} else if f.Gone == nil {
					f.Gone = &now
				}
			}
			text, completeSite := "["+strings.Join(input, ",")+"]", site
			if !complete {
				completeSite = ""
			}
			if _, err := s.ImportText([]byte(text), completeSite); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		for step := range 7 * 6 {
			clock = clock.Add(4 * time.Hour)
			what := []string{"import a", "user", "import b", "user", "stop", "kill"}[step%6]
			switch what {
			case "import a", "import b":
				importSite(what[len(what)-1:], random.IntN(2) == 0)
			case "user":
				id := pick(random, slices.Sorted(maps.Keys(model)))
				f, note, cost := model[id], fmt.Sprint("note ", step), float64(500+random.IntN(3)*5)
				if !f.corrected {
					f.said = f.Cost
				}
				f.corrected = f.said == nil || *f.said != cost
				f.Status, f.Notes, f.Visit, f.Apart, f.Cost = "followed", &note, &note, []string{note}, &cost
				visit := clock.Format(time.RFC3339)
				f.Visit = &visit
				update := fmt.Appendf(nil,
					`{"status":"followed","notes":"%s","visit_date":"%s","not_duplicates":["%s"],"cost":%g}`, note,
					visit, note, cost)
				if _, err := s.Update(id, update, nil); err != nil {
					t.Fatal(err)
				}
			case "stop":
				s.Close()
				s = open()
			case "kill":
				d = d.restart(random.IntN(2) == 0, false)
				s = open()
			}
			for id, want := range model {
				var got flat
				if f := s.Get(id); f == nil {
					t.Fatalf("seed %d, step %d, %s: no flat %s", seed, step, what, id)
				} else if err := json.Unmarshal([]byte(f.JSON()), &got); err != nil {
					t.Fatal(err)
				}
				corrected := s.Get(id).Corrected.JSON()
				if want.corrected != sameJSON(corrected, encodeJSON(map[string]any{"cost": want.said})) {
					t.Fatalf("seed %d, step %d, %s: flat %s has the corrections %s; want %v", seed, step, what, id,
						corrected, want.said)
				}
				if !sameJSON(encodeJSON(got), encodeJSON(want)) &&
					(len(got.Merged)+len(want.Merged) > 0 ||
						encodeJSON(got) != strings.Replace(encodeJSON(want), `"merged_ids":null`, `"merged_ids":[]`,
							1)) {
					t.Fatalf("seed %d, step %d, %s: flat %s is\n%s; want\n%s", seed, step, what, id, encodeJSON(got),
						encodeJSON(want))
				}
			}
			if n := s.snapshot().size; n != len(model) {
				t.Fatalf("seed %d, step %d, %s: %d flats; want %d", seed, step, what, n, len(model))
			}
		}
		s.Close()
	}
}

// Only imports may set first_seen, gone and cost_history, and users may set not_duplicates
// to a list of ids. Invalid values of these fields in flats.json are ignored.
func TestImportFields(t *testing.T) {
	var logs lockedBuffer
	path := writeFile(t, t.TempDir(), "flats.json",
		`[{"id":1,"first_seen":5,"gone":true,"cost_history":"x","not_duplicates":[null]},`+
			`{"id":2,"gone":"2026-01-01","x":1}]`)
	writeFile(t, filepath.Dir(path), "flats.json.log", recordText(`"id":1,"cost":5,"cost_history":[5]}`))
	store, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	s := newService(t, "[]", "[]")
	s.store.Close()
	s.store = store
	s = s.with(func(*Config) {})
	t.Cleanup(func() { store.Close() })
	if n := strings.Count(logs.String(), "invalid value ignored"); n != 5 {
		t.Errorf("%d warnings; want 5: %s", n, logs.String())
	}
	got := s.ask("GET", "/api/v1/flats/1", "").body
	if strings.Contains(got, "first_seen") || !strings.HasSuffix(got, `"service_time_to":null}}`) {
		t.Errorf("got %s", got)
	}
	got = s.ask("GET", "/api/v1/flats/2", "").body
	if !strings.HasSuffix(got, `"service_time_to":null,"gone":"2026-01-01","x":1}}`) {
		t.Errorf("got %s", got)
	}
	const list = "/api/v1/flats?filter[gone]=2026-01-01T00:00Z&sort=-gone,first_seen,cost_history,not_duplicates"
	if got := s.ids(s.ask("GET", list, "")); got != "2" {
		t.Errorf("filter: %s; want 2", got)
	}
	for _, c := range []struct{ field, value, patch, listing string }{
		{"first_seen", `5`, "first_seen: only an import can change it",
			`first_seen: want an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "5"`},
		{"first_seen", `null`, "", ""},
		{"first_seen", `"2026-01-01"`, "first_seen: only an import can change it", ""},
		{"gone", `"soon"`, "gone: only an import can change it",
			`gone: want an ISO 8601 datetime such as 2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "soon"`},
		{"gone", `"2026-01-01"`, "", ""},
		{"cost_history", `[]`, "cost_history: only an import can change it", ""},
		{"cost_history", `[{"date":"x","cost":1}]`, "cost_history: only an import can change it",
			`cost_history: want a list of objects with date and cost, or null, got [{"date":"x","cost":1}]`},
		{"cost_history", `[{"date":null}]`, "cost_history: only an import can change it",
			`cost_history: want a list of objects with date and cost, or null, got [{"date":null}]`},
		{"not_duplicates", `{}`, "not_duplicates: want a list of ids or null, got {}",
			"not_duplicates: want a list of ids or null, got {}"},
		{"not_duplicates", `["a",1.5]`, "not_duplicates: want a string of 1 to 1024 bytes or an integer, got 1.5",
			"not_duplicates: want a string of 1 to 1024 bytes or an integer, got 1.5"},
		{"not_duplicates", `["a", 1]`, "", ""},
		{"not_duplicates", `null`, "", ""},
	} {
		body := fmt.Sprintf(`{"%s":%s}`, c.field, c.value)
		if got := s.ask("PATCH", "/api/v1/flat/2", body); c.patch != "" {
			s.refuse(got, 400, "Invalid payload provided: "+c.patch+".")
		} else if got.status != 200 {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
		listing := "[\n" + fmt.Sprintf(`{"id":3,"%s":%s}]`, c.field, c.value)
		if got := s.ask("POST", "/api/v1/import", listing); c.listing != "" {
			s.refuse(got, 400, "Nothing was imported: body:2: "+c.listing+".")
		} else if got.status != 200 {
			t.Errorf("%s: %d %s", listing, got.status, got.body)
		}
	}
}

// The times of imports are strictly later from one to the next, whatever the
// clock says, also after a restart.
func TestImportTimes(t *testing.T) {
	d := newSimDisk()
	clock := time.Date(2126, 1, 1, 0, 0, 0, 0, time.UTC)
	var s *Store
	open := func() {
		var err error
		if s, err = openStore("/flats.json", d, nil, quiet); err != nil {
			t.Fatal(err)
		}
		s.now = func() time.Time { return clock }
		for _, f := range s.snapshot().all() {
			s.clock.load(f) // again: the real clock is a century behind
		}
	}
	open()
	for i, c := range []struct {
		by            time.Duration // moves the clock
		restart       bool
		listing, want string
	}{
		{0, false, `{"id":"0"}`, "2126-01-01T00:00:00Z"},
		{0, false, `{"id":"1"}`, "2126-01-01T00:00:00.001Z"},
		{0, true, `{"id":"2"}`, "2126-01-01T00:00:00.002Z"},
		{-time.Hour, true, `{"id":"3"}`, "2126-01-01T00:00:00.003Z"},
		{2 * time.Hour, false, `{"id":"4","cost":5}`, "2126-01-01T01:00:00Z"},
		{0, false, `{"id":"4","cost":6}`, "2126-01-01T01:00:00.001Z"},
		{0, true, `{"id":"5"}`, "2126-01-01T01:00:00.002Z"},
		// A restored time counts, but none that is more than a day ahead.
		{0, false, `{"id":"r","first_seen":"2126-01-01T20:00:00Z"},{"id":"6"}`, "2126-01-01T01:00:00.003Z"},
		{0, false, `{"id":"7"}`, "2126-01-01T20:00:00.001Z"},
		{20 * time.Hour, false, `{"id":"far","gone":"2126-02-01T00:00:00Z"},{"id":"8"}`, "2126-01-01T21:00:00Z"},
		{0, true, `{"id":"9"}`, "2126-01-01T21:00:00.001Z"},
		// Fractions of a millisecond are rounded up.
		{time.Hour, false, `{"id":"m","first_seen":"2126-01-01T23:00:00.0005Z"},{"id":"10"}`, "2126-01-01T23:00:00.0005Z"},
		{0, true, `{"id":"11"}`, "2126-01-01T23:00:00.002Z"},
		// A clock that goes back and forth by days changes no order.
		{-80 * time.Hour, true, `{"id":"12"}`, "2126-01-01T23:00:00.003Z"},
		{0, true, `{"id":"13"}`, "2126-01-01T23:00:00.004Z"},
		{-20 * 365 * 24 * time.Hour, true, `{"id":"14"}`, "2126-01-01T23:00:00.005Z"},
		{21 * 365 * 24 * time.Hour, true, `{"id":"15"}`, "2126-12-29T14:00:00Z"},
		{-300 * 24 * time.Hour, true, `{"id":"16"}`, "2126-12-29T14:00:00.001Z"},
		{0, false, `{"id":"16","cost":5},{"id":"15","cost":5}`, "2126-12-29T14:00:00.002Z"},
		{0, true, `{"id":"17"}`, "2126-12-29T14:00:00.003Z"},
	} {
		clock = clock.Add(c.by)
		if c.restart {
			s.Close()
			open()
		}
		if _, err := s.ImportText([]byte("["+c.listing+"]"), ""); err != nil {
			t.Fatal(err)
		}
		var last Datetime
		for _, f := range s.snapshot().all() {
			for _, entry := range append(f.CostHistory.entries(), costEntry{date: f.FirstSeen}) {
				if entry.date.at.After(last.at) && f.ID.String() != "r" {
					last = entry.date
				}
			}
		}
		if last.String() != c.want {
			t.Errorf("import %d: the last time is %s; want %s", i, last.String(), c.want)
		}
	}
	s.Close()
}

// A time between imports is before that of each import that is running or begins later.
func TestImportClock(t *testing.T) {
	clock := importClock{now: time.Now}
	var begun, saved []time.Time
	var complete atomic.Int64
	var completeAt []int64 // when the time of the same index in saved was known
	done := make(chan bool)
	go func() {
		for range 100_000 {
			begun = append(begun, clock.begin())
			complete.Add(1)
			clock.end()
		}
		close(done)
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
			saved = append(saved, clock.between())
			completeAt = append(completeAt, complete.Load())
		}
	}
	for i, at := range saved {
		if n, _ := slices.BinarySearchFunc(begun, at, time.Time.Compare); int64(n) > completeAt[i] {
			t.Fatalf("after %d imports, a time after %d of them: %v", completeAt[i], n, at)
		}
	}
}

// POST /import accepts or refuses listings as a whole, and GET /imports lists the latest
// imports with their results.
func TestImportRequest(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.store.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
	zipped := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, text)
		z.Close()
		return b.String()
	}
	s.want(s.ask("GET", "/api/v1/imports", ""), 200, `{"data":[]}`)
	const added = `{"data":{"added":1,"updated":0,"unchanged":0,"gone":0}}`
	s.want(s.ask("POST", "/api/v1/import", `[{"id":"1@s"}]`), 200, added)
	s.want(s.ask("POST", "/api/v1/import?x=%zz&COMPLETE=y", zipped(`{"id":"2@s"}`), "Content-Encoding", "GZIP"), 200,
		added)
	s.want(s.ask("POST", "/api/v1/import?complete=s&complete=s", `{"data":[{"id":"1@s"}]}`, "Content-Encoding",
		"identity"), 200, `{"data":{"added":0,"updated":0,"unchanged":1,"gone":1}}`)
	for _, c := range []struct {
		target, body, coding string
		status               int
		want                 string
	}{
		{"", ``, "", 400, "Nothing was imported: body:1: unexpected end of JSON input."},
		{"", "[{\"id\":1},\n{\"id\":2,\"cost\":\"x\"}]", "", 400,
			`Nothing was imported: body:2: cost: want a finite number or null, got "x".`},
		{"?complete=", `[{"id":"1@s"}]`, "", 400, "Invalid complete provided: must name one site."},
		{"?complete=%zz", `[{"id":"1@s"}]`, "", 400, "Invalid complete provided: must name one site."},
		{"?complete=s&complete=t", `[{"id":"1@s"}]`, "", 400, "Invalid complete provided: must name one site."},
		{"?complete=t", `[{"id":"1@s"}]`, "", 400,
			`Nothing was imported: complete: no listing is from "t": all of its flats would be marked as gone.`},
		{"?complete=t", `{"complete":"s","data":[{"id":"1@s"},{"id":"1@t"}]}`, "", 400,
			`Nothing was imported: complete: the listings are from "s", not from "t".`},
		{"", `{"complete":"","data":[{"id":"1@s"}]}`, "", 400,
			"Nothing was imported: body:1: complete: want the name of a site, got nothing."},
		{"", `{"complete":5,"data":[{"id":"1@s"}]}`, "", 400,
			"Nothing was imported: body:1: complete: want a string or null, got 5."},
		{"", `{"complete":"s","data":[]}`, "", 400,
			`Nothing was imported: body:1: complete: no listing is from "s": all of its flats would be marked as gone.`},
		{"", `[]`, "br", 415, `The content encoding "br" is not supported: send the body without it.`},
		{"", `[]`, "gzip", 400, "The body could not be read: unexpected EOF."},
		{"", zipped(`[]`)[:12], "gzip", 400, "The body could not be read: unexpected EOF."},
		{"", `[` + strings.Repeat(" ", maxImportBody), "", 413, "The body is larger than 67108864 bytes."},
		{"", zipped(strings.Repeat(" ", maxImportBody+1)), "gzip", 413, "The body is larger than 67108864 bytes."},
	} {
		s.refuse(s.ask("POST", "/api/v1/import"+c.target, c.body, "Content-Encoding", c.coding), c.status, c.want)
		reason := strings.TrimSuffix(strings.TrimPrefix(c.want, "Nothing was imported: "), ".")
		if got := encodeJSON(s.store.Outcomes()[0].Error); got != encodeJSON(c.want) && got != encodeJSON(reason) {
			t.Errorf("%s %.20q: the list of imports has the error %s; want %s", c.target, c.body, got, c.want)
		}
	}
	if n := s.store.snapshot().size; n != 2 {
		t.Errorf("%d flats", n)
	}
	s.want(s.ask("OPTIONS", "/api/v1/import", ""), 200, "{}")
	s.want(s.ask("OPTIONS", "/api/v1/imports", ""), 200, "{}")
	got := s.ask("POST", "/api/v1/import", `[]`, "Origin", "https://else.example", "Sec-Fetch-Site", "cross-site")
	if got.status != 403 {
		t.Errorf("cross-origin: %d %s", got.status, got.body)
	}
	// The latest import comes first, and refused imports have the reason.
	got = s.ask("GET", "/api/v1/imports", "")
	var list struct{ Data []json.RawMessage }
	if err := json.Unmarshal([]byte(got.body), &list); err != nil || len(list.Data) != 18 {
		t.Fatalf("%v in %s", err, got.body)
	}
	for i, want := range map[int]string{
		17: `{"at":"2026-01-02T03:04:05Z","source":"HTTP","added":1,"updated":0,"unchanged":0,"gone":0,"error":null}`,
		15: `{"at":"2026-01-02T03:04:05Z","source":"HTTP","added":0,"updated":0,"unchanged":1,"gone":1,"error":null}`,
		5: `{"at":"2026-01-02T03:04:05Z","source":"HTTP","added":0,"updated":0,"unchanged":0,"gone":0,` +
			`"error":"body:1: complete: no listing is from \"s\": all of its flats would be marked as gone"}`,
	} {
		if string(list.Data[i]) != want {
			t.Errorf("import %d is %s; want %s", i, list.Data[i], want)
		}
	}
	if again := s.ask("GET", "/api/v1/imports", "", "If-None-Match", got.header.Get("Etag")); again.status != 304 {
		t.Errorf("an unchanged list: %d; want 304", again.status)
	}
	for range 20 {
		s.ask("POST", "/api/v1/import", `[]`)
	}
	again := s.ask("GET", "/api/v1/imports", "", "If-None-Match", got.header.Get("Etag"))
	if again.status != 200 || strings.Count(again.body, `"at"`) != 20 || strings.Contains(again.body, `"gone":1`) {
		t.Errorf("after 20 more imports: %d %s", again.status, again.body)
	}
}

// A few long imports are received at a time, and others are refused, so that stalled clients
// do not hold much memory. Short ones are taken meanwhile.
func TestLongUploads(t *testing.T) {
	s := newService(t, "[]", "[]")
	const long = maxBody + 1
	stalled, ended := make(chan struct{}), make(chan int)
	more := make(chan struct{})
	for range maxUploads {
		go func() {
			r := httptest.NewRequest("POST", "http://flats.example/api/v1/import", io.MultiReader(
				readerFunc(func([]byte) (int, error) {
					stalled <- struct{}{}
					<-more
					return 0, io.EOF
				}), strings.NewReader("[]"))) // of unknown length
			ended <- s.send(r).status
		}()
	}
	for range maxUploads {
		<-stalled
	}
	const none = `{"data":{"added":0,"updated":0,"unchanged":0,"gone":0}}`
	got := s.ask("POST", "/api/v1/import", strings.Repeat(" ", long)+"[]")
	s.refuse(got, 503, "4 other long imports are under way: try again later.")
	if got.header.Get("Retry-After") != "60" {
		t.Errorf("%v", got.header)
	}
	s.want(s.ask("POST", "/api/v1/import", "[]"), 200, none)
	more <- struct{}{}
	if status := <-ended; status != 200 {
		t.Error(status)
	}
	s.want(s.ask("POST", "/api/v1/import", strings.Repeat(" ", long)+"[]"), 200, none)
	close(more)
	for range maxUploads - 1 {
		<-ended
	}
}

// Flags of import may stand before, between or after its files, and -- ends the flags.
// import warns if the data folder has no files of a service.
func TestImportArguments(t *testing.T) {
	for _, c := range []struct{ existing, args, folder, unused string }{ // unused: data file named by the warning
		{"", "a.json b.json", "import", "flats.json"},
		{"", "a.json -data d/x.json b.json -complete s", "d/import", "d/x.json"},
		{"", "-data d/x.json -- a.json -complete.json", "d/import", "d/x.json"},
		{"flats.json", "a.json b.json", "import", ""},
		{"flats.json.log", "a.json b.json", "import", ""},
		{"flats.json.log.000001-ABCDEFGH", "a.json b.json", "import", ""},
		{"import/.keep", "a.json b.json", "import", ""},
		{"d/flats.json", "a.json b.json", "import", "flats.json"},
		{"d/x.json", "a.json b.json -data d/x.json", "d/import", ""},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.json": `{"id":"1@s"}`, "b.json": `{"id":"2@s"}`,
			"-complete.json": `{"id":"3@s"}`, c.existing: ""} {
			if name != "" {
				os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
				writeFile(t, dir, name, text)
			}
		}
		out, err := command(dir, append([]string{"import"}, strings.Fields(c.args)...)...).CombinedOutput()
		first, second, _ := strings.Cut(string(out), "\n")
		if err != nil || first != "listings handed to the service in "+c.folder+": 2" {
			t.Errorf("import %s: %v, %s", c.args, err, out)
		}
		warned := strings.Contains(second, filepath.Join(filepath.Base(dir), c.unused)+" yet: ")
		if warned != (c.unused != "") || !warned && second != "" {
			t.Errorf("import %s, with an existing %q: %s", c.args, c.existing, out)
		}
		files, _ := filepath.Glob(filepath.Join(dir, c.folder, "*.json"))
		if len(files) != 1 ||
			strings.Contains(readFile(t, files[0]), `"complete":"s"`) != strings.HasSuffix(c.args, "-complete s") {
			t.Errorf("import %s: %q", c.args, files)
		}
	}
	// import refuses files that together are too much for the service.
	dir := t.TempDir()
	many := []string{"import"}
	for i := range maxRepeats + 1 {
		name := fmt.Sprintf("%d.json", i)
		writeFile(t, dir, name, fmt.Sprintf(`[{"id":"same","cost":%d}]`, i))
		many = append(many, name)
	}
	refused, err := command(dir, many...).CombinedOutput()
	const want = "flats: the files together:1: id: same appears more than 100 times (nothing was imported)\n"
	if err == nil || string(refused) != want {
		t.Errorf("%v, %s; want %s", err, refused, want)
	}
	writeFile(t, dir, "config.json", `{"max_import":30}`)
	writeFile(t, dir, "a.json", `{"id":"1@s"}`)
	writeFile(t, dir, "b.json", `{"id":"2@s"}`)
	out, err := command(dir, "import", "a.json", "b.json").CombinedOutput()
	left, _ := filepath.Glob(filepath.Join(dir, "import", "*"))
	if err == nil || !strings.Contains(string(out), "more than 30 bytes: import them in parts") || len(left) > 0 {
		t.Errorf("files that are too large together: %v, %s, %q", err, out, left)
	}
}

// An import interrupted at any file operation is complete or absent after a restart, and
// a failed import changes nothing. Importing the file again does not undo the user's
// changes since.
func TestImportInterrupted(t *testing.T) {
	var listing []string
	for i := range 48 {
		listing = append(listing, fmt.Sprintf(`{"id":"f%d","title":"new","cost":%d}`, i, i))
	}
	listing = append(listing, `{"id":"there@s"}`)
	listings, err := readListings("", []byte(`{"complete":"s","data":[`+strings.Join(listing, ",")+"]}"))
	if err != nil {
		t.Fatal(err)
	}
	failed, survived := 0, 0
	for n := 1; ; n++ {
		d := newSimDisk()
		base := &simFile{data: []byte(`[{"id":"f0","title":"old","notes":"mine"},{"id":"away@s"}]`), lost: -1}
		base.synced = base.data
		d.names["/flats.json"], d.durable["/flats.json"] = base, base
		d.failAt, d.crash = n, n%2 == 0
		file, complete := importedFile{"a", "aa"}, false
		if s, err := openStore("/flats.json", d, nil, quiet); err == nil {
			_, err := s.Import(context.Background(), listings, &file)
			if complete = err == nil; !complete {
				failed++
				if got := listed(s); len(got) != 2 || titleOf(s.Get("f0")) != "old" || s.Get("away@s").Gone.Known() {
					t.Errorf("operation %d failed, but the flats are %s", n, got)
				}
			}
			s.Close()
		}
		s, err := openStore("/flats.json", d.restart(n%2 == 0, n%3 == 0), nil, quiet)
		if err != nil {
			t.Fatalf("cut at operation %d: %v", n, err)
		}
		imported := s.writer.files.imported["a"] == file
		got := len(listed(s))
		if imported && got != len(listings.Flats)+1 || !imported && (got != 2 || complete) ||
			imported != s.Get("away@s").Gone.Known() {
			t.Errorf("cut at operation %d: %d flats; imported %v, acknowledged %v", n, got, imported, complete)
		}
		if imported {
			survived++
		}
		changed := map[string]string{}
		for id := range s.rows {
			changed[id] = "mine " + id
			if _, err := s.Update(id, []byte(`{"title":"`+changed[id]+`"}`), nil); err != nil {
				t.Fatal(err)
			}
		}
		if !imported {
			if _, err := s.Import(context.Background(), listings, &file); err != nil {
				t.Errorf("cut at operation %d: %v", n, err)
			}
			delete(changed, "f0") // updated before the import
		}
		for i := range listings.Flats {
			id := fmt.Sprintf("f%d", i)
			if f := s.Get(id); i < 48 && (f == nil || titleOf(f) != cmp.Or(changed[id], "new")) {
				t.Errorf("cut at operation %d: flat %s is %v; want the title %q", n, id, f, cmp.Or(changed[id], "new"))
			}
		}
		if notesOf(s.Get("f0")) != "mine" {
			t.Errorf("cut at operation %d: notes %q", n, notesOf(s.Get("f0")))
		}
		// Once the file is gone, a scan forgets that it was imported.
		if err := newWatcher(s, t.TempDir(), maxFile).scan(t.Context()); err != nil || len(s.writer.files.imported) != 0 {
			t.Errorf("cut at operation %d: %v is still recorded, %v", n, s.writer.files.imported, err)
		}
		s.Close()
		if len(d.ops) < n {
			break
		}
	}
	if failed < 5 || survived < 5 {
		t.Errorf("%d imports failed and %d survived; want at least 5 each", failed, survived)
	}
}

// The journal of an accepted import can be read again, whatever the nesting depth of its
// values.
func TestImportDeep(t *testing.T) {
	for depth := 9980; depth < 10_000; depth++ {
		d := newSimDisk()
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.ImportText([]byte(`{"id":1,"x":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)+"}"), "")
		again, openErr := openStore("/flats.json", d.restart(false, false), nil, quiet)
		if openErr != nil || (err == nil) != (again.snapshot().size == 1) || err != nil && depth < 9990 {
			t.Fatalf("depth %d: the import returned %v, the restart %v", depth, err, openErr)
		}
	}
}

// An import takes the code from the location where the listing has none. It ends a
// correction only with another location, and leaves a backup as it is.
func TestImportCodes(t *testing.T) {
	s := newService(t, "[]", testCodes)
	for _, c := range []struct{ body, code, corrected string }{
		{`[{"id":"a","location":"Rue X, 69007 Lyon","service_constraint":"lyon"}]`, "69007", "null"},
		{`[{"id":"a","location":"Rue X, 69007 Lyon","service_postal_code":{}}]`, "69007", "null"},
		{`PATCH {"service_postal_code":"69003"}`, "69003", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"Rue X, 69007 Lyon","service_postal_code":""}]`, "69003",
			`{"service_postal_code":"69007"}`},
		{`[{"id":"a","title":"without a location"}]`, "69003", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"69007 Lyon"}]`, "69003", `{"service_postal_code":"69007"}`},
		{`PATCH {"service_postal_code":null}`, "", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"69007 Lyon","service_postal_code":null}]`, "", `{"service_postal_code":"69007"}`},
		{`[{"id":"a","location":"10115 Berlin"}]`, "10115", "null"},
		{`[{"id":"a","location":"Berlin"}]`, "10115", "null"},
		{`[{"id":"a","location":"69003 Lyon","service_postal_code":"69007"}]`, "69007", "null"},
		{`[{"id":"a","location":"69003 Lyon"}]`, "69007", "null"},
		{`[{"id":"a","location":"69003 Lyon","service_postal_code":null}]`, "69003", "null"},
		{`[{"id":"a","location":"69003 Lyon","corrected":{"title":"x"},"service_postal_code":null}]`, "",
			`{"title":"x"}`},
		{`[{"id":"a","location":"69003 Lyon"}]`, "69003", `{"title":"x"}`},
	} {
		body, isPatch := strings.CutPrefix(c.body, "PATCH ")
		got := reply{}
		if isPatch {
			got = s.ask("PATCH", "/api/v1/flat/a", body)
		} else {
			got = s.ask("POST", "/api/v1/import", body)
		}
		f := s.store.Get("a")
		if code := f.ServicePostalCode.String(); got.status != 200 || code != c.code || f.Corrected.JSON() != c.corrected {
			t.Errorf("%s: %d, code %q, corrected %s; want %q, %s", c.body, got.status, code, f.Corrected.JSON(), c.code,
				c.corrected)
		}
	}
	// A listing that was here before, what fredy sends, and a file of the folder.
	s.ask("POST", "/api/v1/import", `[{"id":"b","location":"69007 Lyon","first_seen":"2026-01-01"}]`)
	s.ask("POST", "/api/v1/import", `{"provider":"p","listings":[{"url":"https://x/1","address":"10115 Berlin"}]}`)
	if code := s.store.Get("b").ServicePostalCode.JSON(); code != "{}" || s.store.Get("b").ServicePostalCode.Known() {
		t.Errorf("a listing with first_seen has the code %s", code)
	}
	s.want(s.ask("GET", "/api/v1/find?filter[site]=p&fields=place", ""), 200, `{"data":[{"id":"8cfc4bebe4e75b65@p",
		"place":"10115"}],"page":0,"items_per_page":1,"total":1,"counts":{}}`)
}

// An accepted listing can be read again from flats.json, however large its corrections and its
// postal code are.
func TestImportSize(t *testing.T) {
	long(t)
	text := "Nothing was imported: body:1: " + errLarge.Error() + "."
	large := strings.Repeat("x", maxFlat-2000)
	for _, listing := range []string{`"title":"a","corrected":{"title":"` + large + `"},"text":"` + large + `"`,
		`"service_postal_code":"` + large + `","text":"` + large + `"`} {
		s := newService(t, "[]", "[]")
		s.refuse(s.ask("POST", "/api/v1/import", `[{"id":1,`+listing+`}]`), 400, text)
	}
	s := newService(t, "[]", "[]")
	s.ask("POST", "/api/v1/import", `[{"id":1,"title":"`+large+`"}]`)
	s.ask("PATCH", "/api/v1/flat/1", `{"title":"short"}`) // the listing's title is kept
	got := s.ask("PATCH", "/api/v1/flat/1", `{"text":"`+strings.Repeat("x", 3000)+`"}`)
	s.refuse(got, 400, "Invalid payload provided: id 1: "+errLarge.Error()+".")
	line := s.store.Get("1").appendStored(nil)
	if _, err := readFlats("in", slices.Concat([]byte("["), line, []byte("]")), nil, quiet); err != nil {
		t.Error(err)
	}
}

// An import has at most maxListings listings, which have at most maxParsedMembers members together.
func TestImportBounds(t *testing.T) {
	long(t)
	_, err := readListings("in", []byte("["+repeated(maxListings+1, `{"id":%[1]d}`, ",\n")+"]"))
	if err == nil || err.Error() != "in:262145: "+errMany.Error() {
		t.Errorf("too many listings: %v", err)
	}
	listing := strings.TrimSuffix(manyMembers(9_900), "}") + `,"url":"https://x/%[1]d"}`
	_, err = readListings("in", []byte(`{"provider":"p","listings":[`+repeated(310, listing, ",")+"]}"))
	if err == nil || !strings.HasSuffix(err.Error(), errMany.Error()) {
		t.Errorf("too many members in all listings: %v", err)
	}
}

// Import folder
// -------------

// A running service imports the files of its import folder in the order of their names,
// and renames invalid ones to .rejected.
func TestImportFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(input string, args ...string) (string, int) {
		cmd := command(dir, append([]string{"import"}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	// Before the first start, import warns that no service has used this folder.
	const queued, unused = "listings handed to the service in import: 1\n", "no service has kept flats in "
	out, status := run(`{"id":1,"title":"first"}`, "-")
	if status != 0 || !strings.HasPrefix(out, queued+unused+"/") ||
		!strings.Contains(out, filepath.Base(dir)+"/flats.json yet: ") {
		t.Errorf("%d %s", status, out)
	}
	p := start(t, dir)
	title := func(id string) string {
		_, body := p.do("GET", "/api/v1/flats/"+id, "")
		var got struct{ Data struct{ Title string } }
		json.Unmarshal([]byte(body), &got)
		return got.Data.Title
	}
	p.await("the first import", func() bool { return title("1") == "first" })
	// While the service runs, import accepts either all of its input or nothing.
	in := writeFile(t, dir, "in.json", `[{"id":1,"title":"second"},{"id":2,"title":"two"}]`)
	bad := writeFile(t, dir, "bad.json", `[{"id":3},{"id":4,"cost":"x"}]`)
	out, status = run("", in, bad)
	if status != 1 || !strings.Contains(out, `cost: want a finite number or null, got "x" (nothing was imported)`) {
		t.Errorf("%d %s", status, out)
	}
	out, status = run("", in)
	if status != 0 || !strings.HasPrefix(out, "listings handed to the service in import: 2") {
		t.Errorf("%d %s", status, out)
	}
	p.await("the import", func() bool { return title("2") == "two" && title("1") == "second" })
	// With -complete, all files of a command together are the site's listings.
	one, two := writeFile(t, dir, "one.json", `[{"id":"1@s"}]`), writeFile(t, dir, "two.json", `{"id":"2@s"}`)
	run(`[{"id":"1@s"},{"id":"2@s"},{"id":"3@s","title":"away"}]`, "-")
	p.await("the import", func() bool { return title("3@s") == "away" })
	if out, status := run("", "-complete", "s", one, two); status != 0 {
		t.Errorf("%d %s", status, out)
	}
	p.await("the flat to be marked as gone", func() bool {
		_, body := p.do("GET", "/api/v1/imports", "")
		return strings.Contains(body, `"added":0,"updated":0,"unchanged":2,"gone":1,"error":null},{`)
	})
	if _, body := p.do("GET", "/api/v1/flats/3@s", ""); !strings.Contains(body, `"gone":"2`) {
		t.Errorf("got %s", body)
	}
	if out, status := run("[]", "-"); status != 0 || !strings.HasSuffix(out, ": 0\n") { // an empty import is accepted, too
		t.Errorf("%d %s", status, out)
	}
	// Files copied in by hand are imported, too. The service rejects an invalid file only if
	// it is old, because a new one may still be incomplete.
	folder := filepath.Join(dir, "import")
	old := time.Now().Add(-time.Minute)
	for name, text := range map[string]string{"a.json": `[{"id":5}`, "a.json.rejected": `an older one`,
		"b.json": `{"id":6,"title":"b"}`, "c.json": `{"id":6,"title":"c"}`, "aa.json": `{"id":9,"x":` +
			strings.Repeat("[", 9996) + strings.Repeat("]", 9996) + `}`, ".hidden": `{"id":7}`, "x.tmp": `{"id":7}`} {
		path := writeFile(t, dir, "staged", text)
		os.Chtimes(path, old, old)
		if err := os.Rename(path, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.await("the files in the folder", func() bool {
		entries, _ := os.ReadDir(folder)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ") == ".hidden a.json.rejected a.json.rejected-2 aa.json.rejected x.tmp"
	})
	if got := title("6"); got != "c" {
		t.Errorf("flat 6 is %q", got)
	}
	want := `"source":"a.json","added":0,"updated":0,"unchanged":0,"gone":0,"error":"` +
		filepath.Join(folder, "a.json") + `:1: unexpected end of JSON input"`
	if _, body := p.do("GET", "/api/v1/imports", ""); !strings.Contains(body, want) {
		t.Errorf("the list of imports is %s; want %s in it", body, want)
	}
	if !strings.Contains(p.stderr.String(), "a.json:1: unexpected end of JSON input") {
		t.Errorf("the log is\n%s", p.stderr)
	}
	p.stop()
	if got := readFile(t, filepath.Join(dir, "flats.json")); strings.Count(got, "\n") != 8 {
		t.Errorf("the file is\n%s", got)
	}
}

// A stuckDisk fails to remove or rename files in the import folder while stuck is set, as
// if another user owned the folder.
type stuckDisk struct {
	osDisk
	stuck atomic.Bool
}

func (d *stuckDisk) Remove(name string) error {
	if d.stuck.Load() && filepath.Base(filepath.Dir(name)) == "import" {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrPermission}
	}
	return os.Remove(name)
}

func (d *stuckDisk) Rename(from, to string) error {
	if d.stuck.Load() && filepath.Base(filepath.Dir(from)) == "import" {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrPermission}
	}
	return os.Rename(from, to)
}

// A file that cannot be removed from the import folder is imported once, despite restarts,
// merges of the journal and kills. It is imported again only with other content, or after
// it was gone. The files after it are imported, too.
func TestImportUnremovable(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[{"id":"old"}]`)
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &stuckDisk{}
	disk.stuck.Store(true)
	var logs lockedBuffer
	open := func() *Store {
		s, err := openStore(path, disk, nil, slog.New(slog.NewTextHandler(&logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	w := newWatcher(s, folder, maxFile)
	scan := func(wantA, wantB string) {
		t.Helper()
		if w.store != s {
			w = newWatcher(s, folder, maxFile)
		}
		if err := w.scan(t.Context()); err != nil {
			t.Error(err)
		}
		if a, b := titleOf(s.Get("a")), titleOf(s.Get("b")); a != wantA || b != wantB {
			t.Errorf("the titles are %q and %q; want %q and %q", a, b, wantA, wantB)
		}
	}
	update := func(title string) {
		t.Helper()
		if _, err := s.Update("a", []byte(`{"title":"`+title+`"}`), nil); err != nil {
			t.Fatal(err)
		}
	}
	// kill restores the files to the state before Close, as after a kill.
	kill := func() {
		t.Helper()
		files := map[string]string{}
		retired, _ := filepath.Glob(path + ".log.*")
		for _, name := range slices.Concat([]string{path + ".log"}, retired, []string{path}) {
			if text, err := os.ReadFile(name); err == nil {
				files[name] = string(text)
			}
		}
		s.Close()
		for name, text := range files {
			writeFile(t, dir, filepath.Base(name), text)
		}
		s = open()
	}
	old := time.Now().Add(-time.Minute)
	write := func(name, text string) {
		os.Chtimes(writeFile(t, folder, name, text), old, old)
	}
	write("1.json", `[{"id":"a","title":"one"}]`)
	write("2.json", `no import`)
	write("3.json", `[{"id":"b","title":"behind"}]`)
	scan("one", "behind")
	update("mine")
	scan("mine", "behind")
	warnings := strings.Count(logs.String(), "cannot remove a file from the import folder; it is ignored from now on")
	if warnings != 3 {
		t.Errorf("%d warnings of files that cannot be removed; want 3:\n%s", warnings, logs.String())
	}
	kill()
	scan("mine", "behind")
	update("mine 2")
	s.Close() // merges the journal
	s = open()
	scan("mine 2", "behind")
	kill()
	update("mine 3" + strings.Repeat(" ", smallestFold)) // merges the journal, too
	update("mine 4")
	scan("mine 4", "behind")
	kill()
	scan("mine 4", "behind")
	old = old.Add(time.Second)
	write("1.json", `[{"id":"a","title":"two"}]`)
	scan("two", "behind")
	disk.stuck.Store(false)
	s.Close()
	s = open()
	update("mine 5")
	scan("mine 5", "behind")
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(names) != 1 || filepath.Base(names[0]) != "2.json.rejected" {
		t.Errorf("the folder contains %v", names)
	}
	write("1.json", `[{"id":"a","title":"three"}]`)
	scan("three", "behind")
	kill()
	update("mine 6")
	scan("mine 6", "behind")
	s.Close()
	if names, _ := filepath.Glob(path + "*"); len(names) != 1 {
		t.Errorf("after Close there are %v; want flats.json alone", names)
	}
}

// A meddlingDisk calls meddle after reading a file of the import folder.
type meddlingDisk struct {
	osDisk
	meddle func(name string)
}

func (d *meddlingDisk) ReadFile(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if filepath.Base(filepath.Dir(name)) == "import" {
		d.meddle(name)
	}
	return text, err
}

// If a file in the import folder is replaced during its import, the new one is imported
// next. An import that an earlier run left unfinished comes first.
func TestImportReplaced(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[]`)
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	reads := 0
	disk := &meddlingDisk{meddle: func(string) {
		reads++
		if reads > 2 {
			return
		}
		next := writeFile(t, dir, "next", fmt.Sprintf(`[{"id":"%d"},{"id":"last","cost":%d}]`, reads, reads))
		if err := os.Rename(next, filepath.Join(folder, "site.json")); err != nil {
			t.Error(err)
		}
	}}
	var logs lockedBuffer
	s, err := openStore(path, disk, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	writeFile(t, folder, "site.json", `[{"id":"0"},{"id":"last","cost":0}]`)
	writeFile(t, folder, "site.json.importing", `[{"id":"before"},{"id":"last","cost":-1}]`)
	w := newWatcher(s, folder, maxFile)
	for range 4 {
		if err := w.scan(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"before", "1", "2"} { // 0 was replaced before it was imported
		if s.Get(id) == nil {
			t.Errorf("%s is lost:\n%s", id, logs.String())
		}
	}
	if got := costOf(s.Get("last")); got != "2" {
		t.Errorf("the cost is %s; want that of the last file, 2", got)
	}
	// A stopping service leaves the remaining files for the next start.
	ctx, stop := context.WithCancel(t.Context())
	stop()
	writeFile(t, folder, "later.json", `[{"id":"later"},{"id":"later 2"}]`)
	if err := w.scan(ctx); err != nil || s.Get("later") != nil {
		t.Errorf("a stopping service imported a file: %v", err)
	}
	for left := 1; left < 4; left++ { // one that stops during the import, too
		err := w.scan(&countedContext{t.Context(), left})
		if !errors.Is(err, context.Canceled) || s.Get("later") != nil {
			t.Errorf("a service imported a file after it was stopped %d steps into it: %v", left, err)
		}
	}
	if err := w.scan(t.Context()); err != nil || s.Get("later") == nil {
		t.Errorf("the next scan did not import the file: %v", err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("the folder still contains %v", entries)
	}
}

// While err is not nil, an unreadableDisk cannot read the files of one name, nor examine
// those of another.
type unreadableDisk struct {
	osDisk
	unreadable, unseen string
	err                error
}

func (d *unreadableDisk) ReadFile(name string) ([]byte, error) {
	if d.err != nil && filepath.Base(name) == d.unreadable {
		return nil, &fs.PathError{Op: "read", Path: name, Err: d.err}
	}
	return os.ReadFile(name)
}

func (d *unreadableDisk) Lstat(name string) (fs.FileInfo, error) {
	if d.err != nil && filepath.Base(name) == d.unseen {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: d.err}
	}
	return os.Lstat(name)
}

// A file that cannot be read for a temporary reason waits, and the files after it are
// imported.
func TestImportUnreadable(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &unreadableDisk{}
	s, err := openStore(filepath.Join(dir, "flats.json"), disk, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWatcher(s, folder, maxFile)
	old := time.Now().Add(-time.Minute)
	for _, reason := range []error{syscall.EIO, syscall.EMFILE, syscall.EACCES} {
		for _, name := range []string{"a", "b"} {
			path := writeFile(t, folder, name+".json", fmt.Sprintf(`[{"id":"%s %v"}]`, name, reason))
			os.Chtimes(path, old, old)
		}
		disk.unreadable, disk.err = "a.json.importing", reason
		for range 2 {
			if err := w.scan(t.Context()); err != nil || !errors.Is(w.unread, reason) {
				t.Errorf("%v: the scan returned %v, and noted %v", reason, err, w.unread)
			}
		}
		if s.Get("b "+reason.Error()) == nil {
			t.Errorf("%v: the file after it was not imported", reason)
		}
		disk.err = nil
		if err := w.scan(t.Context()); err != nil || s.Get("a "+reason.Error()) == nil {
			t.Errorf("%v: the file was not imported once it could be read: %v", reason, err)
		}
		if left, _ := os.ReadDir(folder); len(left) != 0 {
			t.Errorf("%v: the folder contains %v", reason, left)
		}
	}
}

// An import file never replaces an earlier one that exists but cannot be examined.
func TestImportUnseen(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &unreadableDisk{err: syscall.EIO, unseen: "a.json.importing"}
	s, err := openStore(filepath.Join(dir, "flats.json"), disk, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	old := time.Now().Add(-time.Minute)
	os.Chtimes(writeFile(t, folder, "a.json.importing", `[{"id":"first"}]`), old, old)
	os.Chtimes(writeFile(t, folder, "a.json", `[{"id":"second"}]`), old, old)
	w := newWatcher(s, folder, maxFile)
	for range 2 {
		if err := w.scan(t.Context()); err != nil {
			t.Error(err)
		}
		disk.err = nil
	}
	if s.Get("first") == nil || s.Get("second") == nil {
		t.Errorf("the flats are %s; want first and second", listed(s))
	}
}

// Files in the import folder may have names that are not UTF-8. Folders and symbolic links
// are rejected and logged.
func TestImportOddFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("file names must be UTF-8")
	}
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[]`)
	folder := filepath.Join(dir, "import")
	if err := os.MkdirAll(filepath.Join(folder, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "a\xff.json", `[{"id":"a","title":"one"}]`)
	writeFile(t, folder, "a\xfe.json", `[{"id":"b","title":"two"}]`)
	outside := writeFile(t, dir, "outside", `[{"id":"c"}]`)
	if err := os.Symlink(outside, filepath.Join(folder, "link.json")); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	os.Chtimes(filepath.Join(folder, "folder"), old, old)
	touch := exec.Command("touch", "-h", "-d", "2020-01-01", filepath.Join(folder, "link.json"))
	if out, err := touch.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	disk := &stuckDisk{}
	disk.stuck.Store(true)
	var logs lockedBuffer
	scan := func(wantA, wantB string) {
		t.Helper()
		s, err := openStore(path, disk, nil, slog.New(slog.NewTextHandler(&logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w := newWatcher(s, folder, maxFile)
		for range 2 {
			if err := w.scan(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if a, b := titleOf(s.Get("a")), titleOf(s.Get("b")); a != wantA || b != wantB || s.Get("c") != nil {
			t.Errorf("the titles are %q and %q; want %q and %q", a, b, wantA, wantB)
		}
		for _, id := range []string{"a", "b"} {
			if _, err := s.Update(id, []byte(`{"title":"mine"}`), nil); err != nil {
				t.Error(err)
			}
		}
	}
	scan("one", "two")
	scan("mine", "mine")
	disk.stuck.Store(false)
	scan("mine", "mine")
	var names []string
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got := strings.Join(names, " "); got != "folder.rejected link.json.rejected" || readFile(t, outside) == "" {
		t.Errorf("the folder contains %q", got)
	}
	if n := strings.Count(logs.String(), "link.json is not a regular file"); n != 3 { // one for each start
		t.Errorf("%d warnings about the link; want 3:\n%s", n, logs.String())
	}
}

// Imports over HTTP and from the import folder can run concurrently.
func TestImportBoth(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(filepath.Join(t.TempDir(), "flats.json"), osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWatcher(s, dir, maxFile)
	var group sync.WaitGroup
	group.Go(func() {
		for i := range 20 {
			writeFile(t, dir, fmt.Sprintf("%d.json.tmp", i), fmt.Sprintf(`[{"id":"file %d"}]`, i))
			os.Rename(filepath.Join(dir, fmt.Sprintf("%d.json.tmp", i)), filepath.Join(dir, fmt.Sprintf("%d.json", i)))
			if err := w.scan(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 20 {
		if _, err := s.ImportText([]byte(fmt.Sprintf(`[{"id":"http %d"}]`, i)), ""); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	if got := len(listed(s)); got != 40 {
		t.Errorf("%d flats; want 40", got)
	}
}

// Reading the import folder does not delay requests, and shutdown interrupts it between
// two files.
func TestImportStop(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "import"), 0o700); err != nil {
		t.Fatal(err)
	}
	listings := make([]string, 1500)
	for name := range 6 {
		for i := range listings {
			listings[i] = fmt.Sprintf(`{"id":"%d %d","text":"%s"}`, name, i, strings.Repeat("to be read ", 300))
		}
		writeFile(t, dir, fmt.Sprintf("import/%d.json", name), "["+strings.Join(listings, ",")+"]")
	}
	p := start(t, dir)
	if status, _ := p.do("GET", "/api/v1/metadata", ""); status != 200 {
		t.Errorf("GET metadata: %d", status)
	}
	p.stop()
	left, _ := filepath.Glob(filepath.Join(dir, "import", "*"))
	imported := strings.Count(p.stderr.String(), "msg=imported")
	if len(left)+imported < 6 || imported > 4 {
		t.Errorf("%d files are left, %d were imported:\n%s", len(left), imported, p.stderr)
	}
	if strings.Contains(p.stderr.String(), "ERROR") {
		t.Errorf("the log is\n%s", p.stderr)
	}
	// The next start imports the remaining files.
	p = start(t, dir)
	p.await("all imports", func() bool {
		_, body := p.do("GET", "/api/v1/metadata", "")
		return strings.Contains(body, `"flats":9000`)
	})
	p.stop()
}

// A file whose name is too long to rename, or which is too large, is rejected, and the
// files after it are imported.
func TestImportExtremes(t *testing.T) {
	long(t)
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[]`)
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	write := func(name, text string, size int64) {
		path := writeFile(t, folder, name, text)
		if size > 0 {
			if err := os.Truncate(path, size); err != nil {
				t.Skip(err)
			}
		}
		os.Chtimes(path, old, old)
	}
	long := strings.Repeat("n", 243)
	write(long+"-1.json", "no import", 0)
	write(long+"-2.json", "no import", 0)
	write(strings.Repeat("ü", 124)+".json", "no import", 0)
	write("huge.json", "[", 4<<40)
	write("large.json", `[{"id":"l","text":"`+strings.Repeat("x", maxFlat)+`"}]`, 0)
	half := strings.Repeat("x", maxFlat*5/8)
	write("half-1.json", `[{"id":"h","a":"`+half+`"}]`, 0)
	write("half-2.json", `[{"id":"h","b":"`+half+`"}]`, 0) // too large together with the existing members
	write("z.json", `[{"id":"z"}]`, 0)
	var logs lockedBuffer
	s, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := newWatcher(s, folder, 256<<20).scan(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = s.Update("h", []byte(`{"notes":"`+half+`"}`), nil)
	if err == nil || err.Error() != `Invalid payload provided: id "h": `+errLarge.Error()+"." {
		t.Errorf("an update of a flat that grows too large: %v", err)
	}
	// The error of an import that makes a flat too large names the flat, in the list of
	// imports and over HTTP.
	const tooLarge = `id "h": the flat is larger than 8388608 bytes or has more than 10000 members`
	for _, o := range s.Outcomes() {
		if o.Source == "half-2.json" && encodeJSON(o.Error) != encodeJSON(tooLarge) {
			t.Errorf("the outcome of half-2.json: %s; want %s", encodeJSON(o.Error), tooLarge)
		}
	}
	_, err = s.ImportText([]byte(`[{"id":"other"},{"id":"h","b":"`+half+`"}]`), "")
	last := encodeJSON(s.Outcomes()[0].Error)
	if err == nil || err.Error() != "Nothing was imported: "+tooLarge+"." || last != encodeJSON(tooLarge) {
		t.Errorf("over HTTP: %v, %s; want %s", err, last, tooLarge)
	}
	s.Close()
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if !strings.Contains(e.Name(), ".rejected") || !utf8.ValidString(e.Name()) {
			t.Errorf("%s was not rejected", e.Name())
		}
	}
	got := readFile(t, path)
	if len(entries) != 6 || !strings.Contains(got, `{"id":"z",`) || strings.Contains(got, `"l"`) ||
		strings.Contains(got, `"b":`) {
		t.Errorf("%d files are left, and flats.json is\n%.200s", len(entries), got)
	}
	for _, want := range []string{"huge.json.importing is larger than 268435456 bytes",
		"large.json:1: the flat is larger than 8388608 bytes", `id \"h\": the flat is larger than 8388608 bytes`} {
		if !strings.Contains(logs.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, logs.String())
		}
	}
}

// Data, config and postal code files that are too large are an error and do not exhaust
// the memory.
func TestLargeFiles(t *testing.T) {
	for name, read := range map[string]func(path string) error{
		"flats.json": func(path string) error { _, err := openStore(path, osDisk{}, nil, quiet); return err },
		"flats.json.log": func(path string) error {
			_, err := openStore(strings.TrimSuffix(path, ".log"), osDisk{}, nil, quiet)
			return err
		},
		"config.json":   func(path string) error { _, err := options{configFile: path}.config(quiet); return err },
		"codes.csv":     func(path string) error { _, err := loadPostalCodes([]string{path}, nil); return err },
		"listings.json": func(path string) error { _, err := readInput(path, 1000); return err },
	} {
		path := writeFile(t, t.TempDir(), name, "[")
		if err := os.Truncate(path, 4<<40); err != nil {
			t.Skip(err)
		}
		if err := read(path); err == nil || !strings.Contains(err.Error(), name+" is larger than ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Corrections
// -----------

// A correction stays until the listing says something else, or until the user
// sets what the listing says.
func TestCorrections(t *testing.T) {
	s := newService(t, `[{"id":"a","area":46,"title":null,"phone":"1"}]`, testCodes)
	for _, c := range []struct{ request, area, corrected string }{
		{`PATCH {"area":50,"notes":"x"}`, `50`, `{"area":46}`},
		{`PATCH {"area":51,"title":"mine"}`, `51`, `{"area":46,"title":null}`},
		{`PATCH {"area":51.0}`, `51.0`, `{"area":46,"title":null}`},
		{`POST [{"id":"a","area":46.0,"title":"mine"}]`, `51.0`, `{"area":46}`},
		{`POST [{"id":"a","area":null}]`, `51.0`, `{"area":46}`},
		{`POST [{"id":"a"}]`, `51.0`, `{"area":46}`},
		{`POST [{"id":"a","area":51}]`, `51`, `null`},
		{`PATCH {"area":null,"service_postal_code":"69007"}`, `null`, `{"area":51,"service_postal_code":null}`},
		{`PATCH {"area":51.00,"service_postal_code":{"postal_code":"10115"}}`, `51.00`, `{"service_postal_code":null}`},
		{`POST [{"id":"a","service_postal_code":"10115"}]`, `51.00`, `null`},
		{`POST [{"id":"a","area":44,"corrected":{"area":40,"phone":"0"}}]`, `44`, `{"area":40,"phone":"0"}`},
		{`POST [{"id":"a","area":40,"corrected":null}]`, `44`, `{"area":40,"phone":"0"}`},
		{`POST [{"id":"a","area":41,"corrected":{}}]`, `41`, `{"phone":"0"}`},
		{`PATCH {"phone":"0","text":"t","date":"2026-01-01","status":"x"}`, `41`, `null`},
	} {
		method, body, _ := strings.Cut(c.request, " ")
		got := s.ask(method, map[string]string{"PATCH": "/api/v1/flat/a", "POST": "/api/v1/import"}[method], body)
		row := s.ask("GET", "/api/v1/find?fields=area,corrected", "").body
		if want := `{"id":"a","area":` + c.area + `,"corrected":` + c.corrected + `}`; got.status != 200 ||
			!strings.Contains(row, want) {
			t.Errorf("%s: %d %s\ngot  %s\nwant %s", c.request, got.status, got.body, row, want)
		}
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"area":1}`)
	for _, target := range []string{"flats/a", "flats", "find", "find?format=csv"} {
		if got := s.ask("GET", "/api/v1/"+target, ""); strings.Contains(got.body, "corrected") {
			t.Errorf("%s serves corrections: %s", target, got.body)
		}
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a", `{"corrected":{"area":2}}`), 400,
		"Invalid payload provided: corrected: a flat has no such field.")
	for _, bad := range []string{`{"area":"2"}`, `{"text":"x"}`, `7`, `[]`} {
		s.refuse(s.ask("POST", "/api/v1/import", `[{"id":"b","corrected":`+bad+`}]`), 400,
			"Nothing was imported: body:1: corrected: want an object of fields that can be corrected, or null, got "+bad+".")
	}
	// An earlier version kept unknown members of any type.
	old := newService(t, `[{"id":"a","corrected":5,"status_since":"then"}]`, "[]")
	if f := old.store.Get("a"); f.Corrected.Known() || f.StatusSince.Known() {
		t.Errorf("invalid values count: %s %s", f.Corrected.JSON(), f.StatusSince.JSON())
	}
}

// Random imports, updates, restarts, kills and restored backups leave the values and the
// corrections of a naive model.
func TestRandomCorrections(t *testing.T) {
	values := map[string][]string{
		"title": {`"a"`, `"b"`, "null"}, "cost": {"1", "1.0", "2", "null"}, "currency": {`"EUR"`, `"CHF"`, "null"},
		"area": {"18", "18.0", "19", "null"}, "rooms": {"2", "3", "null"}, "bedrooms": {"1", "2", "null"},
		"location": {`"x"`, `"y"`, "null"}, "phone": {`"1"`, `"2"`, "null"}, "service_postal_code": {`"1"`, `"2"`, "null"},
	}
	names := slices.Sorted(maps.Keys(values))
	for seed := range uint64(rounds(60)) {
		random := rand.New(rand.NewPCG(seed, 24))
		d := newSimDisk()
		open := func() *Store {
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := open()
		type flat struct{ value, said map[string]string } // by field; said has the corrected ones
		model := map[string]flat{}
		for step := range 60 {
			id := pick(random, []string{"a@s", "b@s", "c@t"})
			set := map[string]string{}
			for range random.IntN(4) {
				name := pick(random, names)
				set[name] = pick(random, values[name])
			}
			body := `"id":"` + id + `"`
			for name, text := range set {
				body += `,"` + name + `":` + text
			}
			f, known := model[id]
			same := func(a, b string) bool { return sameJSON(cmp.Or(a, "null"), cmp.Or(b, "null")) }
			switch what := random.IntN(8); {
			case what < 3 || !known:
				site := pick(random, []string{"", id[2:]}) // a complete import marks others as gone
				if _, err := s.ImportText([]byte("[{"+body+"}]"), site); err != nil {
					t.Fatal(err)
				}
				if !known {
					f = flat{map[string]string{}, map[string]string{}}
					model[id] = f
				}
				for name, text := range set {
					said, corrected := f.said[name]
					if !corrected || text != "null" && !same(text, said) {
						f.value[name] = text
						delete(f.said, name)
					}
				}
			case what < 6:
				if _, err := s.Update(id, []byte("{"+body+"}"), nil); err != nil {
					t.Fatal(err)
				}
				for name, text := range set {
					said, corrected := f.said[name]
					if !corrected {
						said = f.value[name]
					}
					f.value[name], f.said[name] = text, said
					if same(text, said) {
						delete(f.said, name)
					}
				}
			case what == 6:
				s.Close()
				s = open()
				if random.IntN(2) == 0 { // restore the file into an empty service, by an import
					text := d.names["/flats.json"].data
					d = newSimDisk()
					s = open()
					if _, err := s.ImportText(text, ""); err != nil {
						t.Fatal(err)
					}
				}
			default:
				d = d.restart(random.IntN(2) == 0, false)
				s = open()
			}
			for id, want := range model {
				f := s.Get(id)
				if f == nil {
					t.Fatalf("seed %d, step %d: no flat %s", seed, step, id)
				}
				said := f.Corrected.members()
				for _, name := range names {
					text, corrected := said[name]
					wantSaid, wantCorrected := want.said[name]
					stored := f.stored(storedFields.byName[name])
					if !same(stored, want.value[name]) || corrected != wantCorrected || corrected && !same(string(text), wantSaid) {
						t.Fatalf("seed %d, step %d: %s of %s is %s, the listing says %s (corrected: %v); want %s, %s (%v)",
							seed, step, name, id, stored, text, corrected, want.value[name], wantSaid, wantCorrected)
					}
				}
				for _, entry := range f.CostHistory.entries() {
					if n := entry.cost.number; n != 1 && n != 2 {
						t.Fatalf("seed %d, step %d: the history of %s is %s", seed, step, id, f.CostHistory.JSON())
					}
				}
			}
		}
		s.Close()
	}
}

// Duplicates
// ----------

// duplicates returns the groups of duplicates in the form "a b place; c d phone photo".
func (s *service) duplicates() string {
	s.Helper()
	var list struct {
		Data []struct {
			IDs     []any
			Because []string
		}
	}
	got := s.ask("GET", "/api/v1/duplicates", "")
	if err := json.Unmarshal([]byte(got.body), &list); err != nil || got.status != 200 {
		s.Fatalf("%d %s: %v", got.status, got.body, err)
	}
	var groups []string
	for _, group := range list.Data {
		groups = append(groups, strings.Trim(fmt.Sprint(group.IDs), "[]")+" "+strings.Join(group.Because, " "))
	}
	return strings.Join(groups, "; ")
}

// A modelHome has the fields of a flat that modelDuplicates compares.
type modelHome struct {
	ID, Currency, Location, Phone, Status string
	Cost, Area, Rooms                     *float64
	Photos, URLs                          []string
	Merged                                []string `json:"merged_ids"`
	Apart                                 []string `json:"not_duplicates"`
	Code                                  struct {
		Code string `json:"postal_code"`
	} `json:"service_postal_code"`
}

// modelAddresses are the addresses of random locations: the first four letters of the
// street in both spellings, the house number with its letter, and the floor and the door.
var modelAddresses = map[string][]string{
	"x 5":             {"x", "x", "5"},
	"X 5, 3. OG":      {"x", "x", "5", "3"},
	"y, Xö 12a":       {"xo", "xoe", "12a"},
	"xoe 12 A, 12345": {"xoe", "xoe", "12a"},
	"x 5 3., 12":      {"x", "x", "5", "3", "12"},
	"x, 5, 4, 1234":   {"x", "x", "5", "4"},
	"xyzöx 5/3/13":    {"xyzo", "xyzo", "5", "3", "13"},
	"Xyz Oeyyy 5":     {"xyzo", "xyzo", "5"},
}

// modelDuplicates computes the groups that duplicates should return. The store must be in
// the order of the ids. It compares each flat with all others, and then, for the reasons,
// each flat of a group with all others of the group. The place and the phone are reasons
// within a set of flats that are alike in pairs.
func (s *service) modelDuplicates() string {
	var list struct{ Data []modelHome }
	if err := json.Unmarshal([]byte(s.ask("GET", "/api/v1/flats?sort=id", "").body), &list); err != nil {
		s.Fatal(err)
	}
	flats, shown := list.Data, map[string]map[int]bool{}
	for i, f := range flats {
		for _, address := range slices.Concat(f.Photos, f.URLs) {
			if shown[address] == nil {
				shown[address] = map[int]bool{}
			}
			shown[address][i] = true
		}
	}
	share := func(a, b []string) bool {
		return slices.ContainsFunc(a, func(address string) bool {
			return len(shown[address]) <= 8 && slices.Contains(b, address)
		})
	}
	differ := func(a, b modelHome) bool {
		x, y := modelAddresses[a.Location], modelAddresses[b.Location]
		if x == nil || y == nil {
			return false
		}
		differ := x[0] != y[0] && x[1] != y[1] || x[2] != y[2]
		for i := 3; i < min(len(x), len(y)); i++ {
			differ = differ || x[i] != y[i]
		}
		return differ
	}
	signs := map[string]string{"€": "EUR", "$": "USD", "£": "GBP"}
	digits := func(s string) string { return regexp.MustCompile(`[^0-9]`).ReplaceAllString(s, "") }
	relations := map[string]func(a, b modelHome) bool{
		"apart": func(a, b modelHome) bool { return slices.Contains(a.Apart, b.ID) || slices.Contains(b.Apart, a.ID) },
		"alike": func(a, b modelHome) bool {
			return a.Cost != nil && b.Cost != nil && a.Area != nil && b.Area != nil &&
				cmp.Or(signs[a.Currency], a.Currency) == cmp.Or(signs[b.Currency], b.Currency) &&
				max(*a.Cost, *b.Cost)*0.98 <= min(*a.Cost, *b.Cost)+1e-6 &&
				max(*a.Area, *b.Area) <= min(*a.Area, *b.Area)+1+1e-6 &&
				(a.Rooms == nil || b.Rooms == nil || *a.Rooms == *b.Rooms) && !differ(a, b)
		},
		"code": func(a, b modelHome) bool { return a.Code.Code != "" && a.Code.Code == b.Code.Code },
		"location": func(a, b modelHome) bool {
			return a.Location != "" && a.Location == b.Location &&
				(a.Code.Code == "" || b.Code.Code == "" || a.Code.Code == b.Code.Code)
		},
		"phone": func(a, b modelHome) bool { return digits(a.Phone) != "" && digits(a.Phone) == digits(b.Phone) },
		"merged_ids": func(a, b modelHome) bool {
			return slices.Contains(a.Merged, b.ID) || slices.Contains(b.Merged, a.ID)
		},
		"photo": func(a, b modelHome) bool { return share(a.Photos, b.Photos) },
		"url":   func(a, b modelHome) bool { return share(a.URLs, b.URLs) },
	}
	is := func(relation string, i, k int) bool { return relations[relation](flats[i], flats[k]) }
	group := make([]int, len(flats)) // the group number of each flat
	members := func(n int) (rows []int) {
		for i := range flats {
			if group[i] == n {
				rows = append(rows, i)
			}
		}
		return rows
	}
	for i := range flats {
		group[i] = i
	}
	join := func(i, k int) bool {
		into, from := group[i], group[k]
		for _, a := range members(into) {
			for _, b := range members(from) {
				if into != from && relations["apart"](flats[a], flats[b]) {
					return false
				}
			}
		}
		for _, b := range members(from) {
			group[b] = into
		}
		return true
	}
	for i, f := range flats {
		for _, id := range f.Merged {
			k := slices.IndexFunc(flats, func(other modelHome) bool { return other.ID == id })
			if k >= 0 && k != i && f.Status != "duplicate" && flats[k].Status != "duplicate" {
				join(i, k)
			}
		}
		for _, address := range slices.Concat(f.Photos, f.URLs) {
			for k := range i {
				other := flats[k]
				if f.Status != "duplicate" && other.Status != "duplicate" && len(shown[address]) <= 8 &&
					slices.Contains(slices.Concat(other.Photos, other.URLs), address) {
					join(i, k)
				}
			}
		}
	}
	var sets [][]int
	inSet := map[int]int{}
	for i, f := range flats {
		if f.Status == "duplicate" || f.Cost == nil || f.Area == nil {
			continue
		}
		at := slices.IndexFunc(sets, func(set []int) bool {
			return !slices.ContainsFunc(set, func(k int) bool {
				return !is("alike", i, k) || !is("code", i, k) && !is("location", i, k) && !is("phone", i, k)
			}) && join(set[0], i)
		})
		if at < 0 {
			at = len(sets)
			sets = append(sets, nil)
		}
		sets[at] = append(sets[at], i)
		inSet[i] = at + 1
	}
	var groups []string
	for i := range flats {
		rows := members(group[i])
		if len(rows) == 1 || rows[0] != i {
			continue
		}
		var ids []string
		because := map[string]bool{}
		for _, a := range rows {
			ids = append(ids, flats[a].ID)
			for _, b := range rows {
				if a == b {
					continue
				}
				for reason, applies := range map[string]bool{
					"merged_ids": is("merged_ids", a, b),
					"photo":      is("photo", a, b),
					"url":        is("url", a, b),
					"phone":      inSet[a] > 0 && inSet[a] == inSet[b] && is("phone", a, b),
					"place":      inSet[a] > 0 && inSet[a] == inSet[b] && (is("code", a, b) || is("location", a, b)),
				} {
					because[reason] = because[reason] || applies
				}
			}
		}
		maps.DeleteFunc(because, func(_ string, applies bool) bool { return !applies })
		groups = append(groups, strings.Join(append(ids, slices.Sorted(maps.Keys(because))...), " "))
	}
	return strings.Join(groups, "; ")
}

// Duplicates groups listings that probably describe one home. The cases cover the rules
// one by one.
func TestDuplicates(t *testing.T) {
	const base = `"cost":1000,"area":50,"currency":"EUR","service_postal_code":"69007"`
	flat := func(id, other string) string { return `{"id":"` + id + `",` + base + `,` + other + `}` }
	pair := func(a, b string) string { return flat("a", a) + "," + flat("b", b) }
	photos := func(n int) string {
		var flats []string
		for i := range n {
			flats = append(flats, fmt.Sprintf(`{"id":%d,"photos":["https://example.org/logo.png"]}`, i))
		}
		return strings.Join(flats, ",")
	}
	for _, c := range []struct{ flats, want string }{
		{``, ``},
		{pair(`"title":"x"`, `"title":"y"`), "a b place"},
		// cost
		{pair(`"cost":980`, `"cost":1000`), "a b place"}, {pair(`"cost":1000`, `"cost":979.99`), ""},
		{pair(`"cost":1.00`, `"cost":0.98`), "a b place"},
		{pair(`"cost":null`, `"cost":null`), ""}, {pair(`"cost":0`, `"cost":0`), "a b place"},
		{pair(`"cost":0`, `"cost":0.01`), ""},
		{pair(`"currency":"€"`, `"currency":"EUR"`), "a b place"},
		{pair(`"currency":"$"`, `"currency":"USD"`), "a b place"},
		{pair(`"currency":"£"`, `"currency":"GBP"`), "a b place"},
		{pair(`"currency":null`, `"currency":null`), "a b place"}, {pair(`"currency":null`, `"currency":"EUR"`), ""},
		{pair(`"currency":"$"`, `"currency":"£"`), ""},
		{pair(`"currency":"CHF"`, `"currency":"CHF"`), "a b place"},
		// area
		{pair(`"area":50`, `"area":51`), "a b place"}, {pair(`"area":51.01`, `"area":50`), ""},
		{pair(`"area":128.3`, `"area":127.3`), "a b place"},
		{pair(`"area":65.99`, `"area":66.99`), "a b place"}, {pair(`"area":null`, `"area":null`), ""},
		{pair(`"area":0.5`, `"area":-0.5`), "a b place"},
		// place
		{pair(`"service_postal_code":"69003"`, `"service_postal_code":"69007"`), ""},
		{pair(`"location":"Lyon"`, `"location":"Paris"`), "a b place"},
		{pair(`"service_postal_code":null,"location":"Lyon"`, `"location":"Lyon"`), "a b place"},
		{pair(`"service_postal_code":null,"location":"Lyon"`, `"service_postal_code":"","location":"Lyon"`),
			"a b place"},
		{pair(`"service_postal_code":"69003","location":"Lyon"`, `"location":"Lyon"`), ""},
		{pair(`"service_postal_code":null,"location":"Lyon"`, `"location":"Paris"`), ""},
		{pair(`"service_postal_code":null`, `"service_postal_code":null`), ""},
		{pair(`"service_postal_code":null,"location":""`, `"location":""`), ""},
		// address
		{pair(`"location":"Weg 12"`, `"location":"Weg 14"`), ""},
		{pair(`"phone":"1","location":"Weg 12","service_postal_code":"69003"`, `"phone":"1","location":"Weg 14"`), ""},
		{pair(`"location":"Weg 12","urls":["https://x/1"]`, `"location":"Weg 14","urls":["https://x/1"]`), "a b url"},
		// phone
		{pair(`"service_postal_code":"69003","phone":"01 23-45"`, `"phone":"(01)2345"`), "a b phone"},
		{pair(`"service_postal_code":"69003","phone":"01 23-45"`, `"phone":"+1 2345"`), ""},
		{pair(`"service_postal_code":"1","phone":"-"`, `"phone":"-"`), ""},
		{pair(`"phone":"0123"`, `"phone":"01 23"`), "a b phone place"},
		{pair(`"phone":"0123","cost":5`, `"phone":"0123"`), ""},
		// photos, in each form of the field
		{`{"id":1,"photos":["https://example.org/1.jpg"]},` +
			`{"id":"2","photos":[{"id":"x","url":"https://example.org/1.jpg","data":null}]}`, "1 2 photo"},
		{`{"id":1,"photos":"http:\/\/example.org\/1.jpg?a\u0026b"},` +
			`{"id":2,"photos":["http://example.org/1.jpg?a&b","https://example.org/2.jpg"]}`, "1 2 photo"},
		{`{"id":1,"photos":["https://example.org/1.jpg"]},{"id":2,"photos":["https://example.org/2.jpg"]}`, ""},
		{`{"id":1,"photos":[]},{"id":2,"photos":[]},{"id":3,"photos":["x"]},{"id":4,"photos":["x"]}`, ""},
		{photos(8), "0 1 2 3 4 5 6 7 photo"}, {photos(9), ""},
		{photos(7) + `,{"id":8,"photos":["https://example.org/logo.png","https://example.org/logo.png"]}`,
			"0 1 2 3 4 5 6 8 photo"},
		{photos(8) + `,{"id":9,"status":"duplicate","photos":["https://example.org/logo.png"]}`, ""},
		// merged_ids
		{`{"id":"a","merged_ids":["a","b","z"]},{"id":"b"},{"id":"c"}`, "a b merged_ids"},
		{`{"id":"7"},{"id":"b","merged_ids":[7]}`, "7 b merged_ids"},
		{`{"id":"a","merged_ids":"b"},{"id":"b","merged_ids":null},{"id":"c","merged_ids":{"a":"b"}}`, ""},
		{`{"id":"a","merged_ids":["z"]},{"id":"b","merged_ids":["z"]}`, ""},
		// not_duplicates
		{pair(`"not_duplicates":["b"]`, `"title":null`), ""}, {pair(`"title":null`, `"not_duplicates":["x","a"]`), ""},
		{pair(`"not_duplicates":["a"]`, `"title":null`), "a b place"},
		{`{"id":"a","merged_ids":["b"],"not_duplicates":["b"]},{"id":"b","merged_ids":["a"]}`, ""},
		{`{"id":1,"not_duplicates":["2"],"photos":["https://example.org/1.jpg"]},` +
			`{"id":2,"photos":["https://example.org/1.jpg"]}`, ""},
		// not_duplicates splits a group: a later flat stays with the first one it may join.
		{flat("a", `"not_duplicates":["b"]`) + "," + flat("b", `"title":null`) + "," + flat("c", `"title":null`),
			"a c place"},
		{flat("a", `"not_duplicates":["b"]`) + "," + flat("b", `"title":null`) + "," +
			flat("c", `"not_duplicates":["a"]`), "b c place"},
		{`{"id":"a","not_duplicates":["b","c"],"photos":["https://x/1"]},{"id":"b","photos":["https://x/1"]},` +
			`{"id":"c","photos":["https://x/1"]}`, "b c photo"},
		{`{"id":"a","merged_ids":["b","c"]},{"id":"b","not_duplicates":["c"]},{"id":"c"}`, "a b merged_ids"},
		// status
		{pair(`"status":"duplicate"`, `"title":null`), ""},
		{pair(`"status":"Duplicate"`, `"status":["duplicate"]`), "a b place"},
		{`{"id":"a","merged_ids":["b"],"status":"duplicate"},{"id":"b","merged_ids":["a"]}`, ""},
		// Similarity is not transitive, but merged_ids and photos are.
		{flat("a", `"cost":1000`) + "," + flat("b", `"cost":1015`) + "," + flat("c", `"cost":1030`), "a b place"},
		{flat("a", `"area":50`) + "," + flat("b", `"area":51`) + "," + flat("c", `"area":52`) + "," +
			flat("d", `"area":53`), "a b place; c d place"},
		{flat("a", `"phone":"1"`) + "," + flat("b", `"service_postal_code":"1","phone":"1"`) + "," +
			flat("c", `"service_postal_code":"1"`), "a b phone"},
		{flat("a", `"location":"x"`) + "," + flat("b", `"location":"x","service_postal_code":"1"`) + "," +
			flat("c", `"location":"x","service_postal_code":null`), "a c place"},
		{flat("a", `"merged_ids":["c"]`) + "," + flat("b", `"cost":1015`) + "," + flat("c", `"cost":1030`) + "," +
			flat("d", `"cost":1030`), "a b c d merged_ids place"},
		{`{"id":"a","merged_ids":["b"]},{"id":"b","photos":["https://example.org/1"]},` +
			`{"id":"c","photos":["https://example.org/1"]}`, "a b c merged_ids photo"},
		// A group lists the reasons that joined any two of its flats.
		{flat("a", `"photos":["https://x/1"]`) + "," + flat("b", `"cost":1015,"phone":"1"`) + "," +
			flat("c", `"cost":1030,"phone":"1","photos":["https://x/1"],"service_postal_code":"1"`),
			"a b c photo place"},
		// Groups and ids are in the order of the store.
		{`{"id":9},{"id":"z","merged_ids":["a"]},{"id":8,"merged_ids":[9]},{"id":"a"}`,
			"9 8 merged_ids; z a merged_ids"},
	} {
		if got := newService(t, "["+c.flats+"]", "[]").duplicates(); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.flats, got, c.want)
		}
	}
	s := newService(t, `[{"id":7,"merged_ids":["\u0061"]},{"id":"\u0061"}]`, "[]")
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[{"ids":[7,"a"],"because":["merged_ids"]}]}`)
	s = newService(t, "[]", "[]")
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[]}`)
}

// Flats at one place are no duplicates if their addresses differ. The cases are addresses
// as they are written in each country.
func TestDuplicateAddresses(t *testing.T) {
	for _, c := range []struct {
		country, a, b string
		differ        bool
	}{
		{"none", "", "Leopoldstraße 12", false},
		{"none", "80802", "80803", false},
		{"none", "München", "Leopoldstraße 12", false},
		{"Germany", "Leopoldstraße 12", "leopoldstr. 12, 80802 München", false},
		{"Germany", "Leopoldstraße 12", "80802 MÜNCHEN, LEOPOLDSTR.12", false},
		{"Germany", "Leopoldstraße 12", "Leopoldstraße 14", true},
		{"Germany", "Leopoldstraße 12", "Leopoldstraße 112", true},
		{"Germany", "Leopoldstraße 12", "Leopoldstraße 1234", false},
		{"Germany", "Leopoldstraße 12", "Ludwigstraße 12", true},
		{"Germany", "Am Hang 3", "Am Berg 3", true},
		{"Germany", "Weg 3", "Wegstraße 3", true},
		{"Germany", "Karl-Marx-Str. 5", "Karl Marx Straße 5", false},
		{"Germany", "Königstr. 5", "Koenigstraße 5", false},
		{"Germany", "Königstr. 5", "KONIGSTR. 5", false},
		{"Germany", "Große Gasse 5", "Grosse Gasse 5", false},
		{"Germany", "Leopoldstr. 12a", "Leopoldstr. 12 A", false},
		{"Germany", "Leopoldstr. 12a", "Leopoldstr. 12b", true},
		{"Germany", "Leopoldstr. 12 a", "Leopoldstr. 12", true},
		{"Germany", "Leopoldstr. 12, D-80802 München", "Leopoldstr. 12", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr. 12, 80802 München, 3.OG", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr. 12, 80802 München, 4.OG", true},
		{"Germany", "Leopoldstr. 12, 3. OG", "3. OG, Leopoldstr. 12", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr. 12, EG", false},
		{"Germany", "Leopoldstr. 12, 3. OG", "Leopoldstr., 3. OG", false},
		{"Germany", "Straße des 17. Juni 135", "Straße des 17. Juni 136", true},
		{"Germany", "Straße des 17. Juni 135", "Straße des 17. Juni 135, 10623 Berlin", false},
		{"Austria", "Lange Gasse 7/2/13, 1080 Wien", "Lange Gasse 7/2/13", false},
		{"Austria", "Lange Gasse 7/2/13, 1080 Wien", "Lange Gasse 7/2/14, 1080 Wien", true},
		{"Austria", "Lange Gasse 7/2/13, 1080 Wien", "Lange Gasse 7, 1080 Wien", false},
		{"Austria", "Lange Gasse 7, Top 3", "1080 Wien, Lange Gasse 7, Top 4", true},
		{"Switzerland", "Bahnhofstrasse 12, 8001 Zürich", "8001 Zürich, Bahnhofstr. 12", false},
		{"Switzerland", "Bahnhofstrasse 12, 8001 Zürich", "Bahnhofplatz 14, 8001 Zürich", true},
		{"Switzerland", "Rue de Lausanne 12, 1202 Genève", "Avenue de Lausanne 12, 1202 Genève", true},
		{"Italy", "Via Roma, 12, 20121 Milano", "Via Roma 12, Milano", false},
		{"Italy", "Via Roma, 12, 20121 Milano", "Via Roma, 14, 20121 Milano", true},
		{"Italy", "Via Roma, 12", "Corso Roma, 12", true},
		{"Italy", "Via Roma 12/A", "Via Roma 12/B", true},
		{"Italy", "Via Roma 12, int. 3", "Via Roma 12, int. 4", true},
		{"Italy", "Via 25 Aprile 12", "Via 25 Aprile 14", true},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Norrebrogade 12, 3. th, 2200 København N", false},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Nørrebrogade 12 4., th, 2200 København N", true},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Nørrebrogade 12 3., tv, 2200 København N", false},
		{"Denmark", "Nørrebrogade 12 3., th, 2200 København N", "Sankt Jakobs Gade 12 3., th", true},
		{"Denmark", "Islands Brygge 79A 3., 8, 2300 København S", "Islands Brygge 79A 3., 9", true},
		{"Denmark", "Islands Brygge 79A 3., 8, 2300 København S", "Islands Brygge 79B 3., 8", true},
		{"Denmark", "C.F. Møllers Allé 56, 5. tv", "C F Møllers Alle 56, 5.", false},
		{"France", "17 PLACE MARECHAL JUIN Rennes (35000)", "17, place Maréchal Juin, 35000 Rennes", false},
		{"France", "12 rue de la Paix, 3e étage", "12 rue de la Paix, 75002 Paris", false},
		{"France", "12 rue de la Paix, 75002 Paris", "14 rue de la Paix, 75002 Paris", false}, // the number is first
		{"Britain", "Flat 3, 12 High Street", "12 High Street, Flat 3", false},
		{"Britain", "Flat 3, 12 High Street", "Flat 4, 12 High Street", true},
		{"Britain", "Flat 3, 12 High Street", "Flat 3, 14 High Street", true},
		{"Japan", "渋谷区神南 1-2-3", "渋谷区神南 1-2-4", true},
		{"Russia", "Ленина 12 а", "Ленина 12а", false},
	} {
		const flat = `{"id":%q,"cost":1000,"area":50,"service_postal_code":"69007","location":%q}`
		for _, pair := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			s := newService(t, fmt.Sprintf("["+flat+","+flat+"]", "a", pair[0], "b", pair[1]), "[]")
			if differ := s.duplicates() == ""; differ != c.differ {
				t.Errorf("%s: %q and %q differ: %v; want %v", c.country, pair[0], pair[1], differ, c.differ)
			}
		}
	}
}

// Random flats form the same groups as in a plain comparison of all pairs.
func TestRandomDuplicates(t *testing.T) {
	t.Parallel()
	values := map[string][]string{
		"cost": {"1000", "1000", "1010", "1020", "1020.4", "1021", "1041", "980", "0", "null", "50",
			"51"},
		"area":                {"50", "50", "50.5", "51", "51.01", "52", "49", "0", "null"},
		"currency":            {`"EUR"`, `"EUR"`, `"€"`, `"€"`, `"USD"`, "null"},
		"service_postal_code": {`"1"`, `"2"`, `"1"`, `"1"`, "null", `""`},
		"location": {`"x"`, `"y"`, "null", `"x 5"`, `"X 5, 3. OG"`, `"y, Xö 12a"`, `"xoe 12 A, 12345"`, `"x 5 3., 12"`,
			`"x, 5, 4, 1234"`, `"xyzöx 5/3/13"`, `"Xyz Oeyyy 5"`},
		"rooms":  {"2", "2", "2", "2.0", "3", "null", "null"},
		"phone":  {`"01 2"`, `"012"`, `"+33"`, `"none"`, "null", "null"},
		"status": {`"new"`, `"new"`, `"new"`, `"new"`, `"duplicate"`},
	}
	for seed := range uint64(rounds(80)) {
		random := rand.New(rand.NewPCG(seed, 7))
		const flats = 60
		ids := func(prefix string, of int, chance float64) string {
			var list []string
			for random.Float64() < chance {
				list = append(list, fmt.Sprintf(`"%s%02d"`, prefix, random.IntN(of)))
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		var texts []string
		for i := range flats {
			text := fmt.Sprintf(`{"id":"f%02d","service_constraint":"anywhere","merged_ids":%s,"not_duplicates":%s,`+
				`"photos":%s,"urls":%s`, i, ids("f", flats, 0.1), ids("f", flats, float64(seed%3)*0.3),
				ids("https://x/", 4+int(seed%20), 0.4), ids("https://y/", 4+int(seed%20), 0.2))
			for _, name := range slices.Sorted(maps.Keys(values)) {
				text += `,"` + name + `":` + pick(random, values[name])
			}
			texts = append(texts, text+"}")
		}
		s := newService(t, "["+strings.Join(texts, ",")+"]",
			`[{"postal_code":"1","name":"x"},{"postal_code":"2","name":"y"}]`)
		for range 3 {
			if got, want := s.duplicates(), s.modelDuplicates(); got != want {
				t.Fatalf("seed %d: %s\ngot  %s\nwant %s", seed, strings.Join(texts, "\n"), got, want)
			}
			s.ask("PATCH", fmt.Sprintf("/api/v1/flat/f%02d", random.IntN(flats)),
				`{"cost":`+pick(random, values["cost"])+`,"status":`+pick(random, values["status"])+`}`)
		}
	}
}

// Duplicates are computed once for each state of the flats, even for concurrent requests.
func TestDuplicatesHTTP(t *testing.T) {
	t.Parallel()
	const want = `{"data":[{"ids":["a","b"],"because":["merged_ids"]}]}`
	s := newService(t, `[{"id":"a","merged_ids":["b"]},{"id":"b"}]`, "[]")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, want) })
	}
	group.Wait()
	s.store.duplicates.list = `["kept"]`
	got := s.ask("GET", "/api/v1/duplicates?x=%zz", "")
	s.want(got, 200, `{"data":["kept"]}`)
	tag := got.header.Get("Etag")
	if tag == "" || s.ask("GET", "/api/v1/duplicates", "", "If-None-Match", tag).status != 304 {
		t.Errorf("If-None-Match with the current tag is not a 304: %v", got.header)
	}
	head := s.ask("HEAD", "/api/v1/duplicates", "")
	if head.status != 200 || head.body != "" || !reflect.DeepEqual(head.header, got.header) {
		t.Errorf("HEAD: %+v; want the header of GET, %v", head, got.header)
	}
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"x"}`)
	s.want(s.ask("GET", "/api/v1/duplicates", "", "If-None-Match", got.header.Get("Etag")), 200, want)
	s.ask("PATCH", "/api/v1/flat/b", `{"not_duplicates":["a"]}`)
	s.want(s.ask("GET", "/api/v1/duplicates", ""), 200, `{"data":[]}`)
	s.want(s.ask("OPTIONS", "/api/v1/duplicates", ""), 200, "{}")
	s.refuse(s.ask("POST", "/api/v1/duplicates", ""), 405,
		"/api/v1/duplicates does not answer POST, only GET, HEAD, OPTIONS.")
	s.refuse(s.ask("GET", "/api/v1/duplicates/", ""), 404, "There is nothing at /api/v1/duplicates/.")
}

// Travel times
// ------------

// A motis answers as MOTIS does, in place of the network. It refuses what the contract of
// MOTIS does not allow.
type motis struct {
	t        testing.TB
	mu       sync.Mutex
	answer   func(path string, query url.Values) (*http.Response, error) // nil for matches and stops
	matches  map[string]string                                           // the answers of the geocoder by text
	stops    string                                                      // the answer about stops
	asked    []string                                                    // the text or place of each request
	times    []string                                                    // of the requests for stops
	last     time.Time
	tooEarly bool // two requests were less than a second apart
}

func (m *motis) RoundTrip(r *http.Request) (*http.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tooEarly = m.tooEarly || time.Since(m.last) < time.Second
	m.last = time.Now()
	query := r.URL.Query()
	if r.Header.Get("User-Agent") != "flats/"+version+" (me@example.org)" || r.Method != "GET" || r.Body != nil {
		m.t.Errorf("%s %s by %s", r.Method, r.URL, r.Header.Get("User-Agent"))
	}
	const gps = `-?\d{1,2}\.\d{4},-?\d{1,3}\.\d{4}`
	parameters := map[string]string{"text": `(?s).+`, "type": `ADDRESS,PLACE`, "numResults": `20`,
		"language": `en`, "place": gps}
	must := []string{"text"}
	if r.URL.Path == "/base/api/v1/one-to-all" {
		parameters = map[string]string{"one": gps, "time": `\d{4}-\d\d-\d\dT\d\d:\d\d:00Z`, "arriveBy": `true|false`,
			"maxTravelTime": `[1-9]|[1-8]\d|90`, "transitModes": `TRANSIT`}
		must = []string{"one", "maxTravelTime"}
		m.times = append(m.times, query.Get("time"))
	} else if r.URL.Path != "/base/api/v1/geocode" {
		m.t.Errorf("path %s", r.URL.Path)
	}
	m.asked = append(m.asked, query.Get("text")+query.Get("one"))
	for name, values := range query {
		if p := parameters[name]; p == "" || len(values) != 1 || !regexp.MustCompile("^("+p+")$").MatchString(values[0]) {
			m.t.Errorf("%s: MOTIS does not take %s=%q", r.URL.Path, name, values)
			return motisAnswer(400, `{"error":"bad request"}`), nil
		}
	}
	for _, name := range must {
		if !query.Has(name) {
			m.t.Errorf("%s: %s is missing", r.URL.Path, name)
		}
	}
	if m.answer != nil {
		return m.answer(filepath.Base(r.URL.Path), query)
	}
	if query.Has("one") {
		return motisAnswer(200, m.stops), nil
	}
	return motisAnswer(200, cmp.Or(m.matches[query.Get("text")], "[]")), nil
}

// lastRequest returns the time of the last request.
func (m *motis) lastRequest() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last
}

func motisAnswer(code int, body string, header ...string) *http.Response {
	w := httptest.NewRecorder()
	for i := 0; i < len(header); i += 2 {
		w.Header().Set(header[i], header[i+1])
	}
	w.WriteHeader(code)
	w.WriteString(body)
	return w.Result()
}

// motisMatch returns a match as MOTIS writes it.
func motisMatch(kind, name, street, number string, lat, lon float64) string {
	optional := ""
	if street != "" {
		optional += fmt.Sprintf(`"street":%q,`, street)
	}
	if number != "" {
		optional += fmt.Sprintf(`"houseNumber":%q,`, number)
	}
	return fmt.Sprintf(`{"type":%q,"tokens":[[0,5]],"name":%q,"id":"1",%s"lat":%v,"lon":%v,"country":"DE",`+
		`"areas":[{"name":"X","adminLevel":8,"matched":false,"unique":false,"default":true}],"score":1.5}`,
		kind, name, optional, lat, lon)
}

// motisStops returns an answer with stops, each a latitude, a longitude and minutes.
func motisStops(stops ...[3]float64) string {
	var list []string
	for _, s := range stops {
		list = append(list, fmt.Sprintf(`{"place":{"name":"stop","stopId":"x","lat":%v,"lon":%v,"level":0,`+
			`"departure":"2026-01-01T07:00:00Z","vertexType":"TRANSIT"},"duration":%v,"k":1}`, s[0], s[1], s[2]))
	}
	return `{"one":{"name":"START","lat":48.1,"lon":11.5,"level":0},"all":[` + strings.Join(list, ",") + `]}`
}

// A journey is a store on a simulated disk, with a finder that runs.
type journey struct {
	t      *testing.T
	disk   *simDisk
	store  *Store
	config *Config
	found  *finder
	motis  *motis
	logs   *lockedBuffer
	stop   func()
}

const munichCodes = `[{"postal_code":"80331","name":"München","lat":48.1345,"lng":11.5710,"area":"DE-BY"},
	{"postal_code":"80797","name":"München Schwabing","lat":48.1610,"lng":11.5600,"area":"DE-BY"},
	{"postal_code":"80000","name":"nowhere","lat":null,"lng":null,"area":"DE-BY"}]`

const munichConfig = `{"timezone":"Europe/Berlin",
	"travel":{"url":"https://motis.example/base/","contact":"me@example.org","arrive":"08:30"},
	"constraints":{"munich":{"areas":["DE-BY"],"time_to":{"work":{"gps":[48.1400,11.5583]}}},
		"bike":{"time_to":{"work":{"gps":[48.14,11.56],"mode":"BIKE"},"park":{"gps":[48.15,11.58],"mode":"WALK"}}}}}`

// newJourney starts a journey. It must be called in a bubble of synctest.
func newJourney(t *testing.T, disk *simDisk, config string, change ...func(*journey)) *journey {
	t.Helper()
	j := &journey{t: t, disk: disk, motis: &motis{t: t, stops: motisStops([3]float64{48.1345, 11.571, 10})},
		logs: &lockedBuffer{}}
	log := slog.New(slog.NewTextHandler(j.logs, nil))
	rows, err := readPostalCodes("codes.json", []byte(munichCodes))
	if err != nil {
		t.Fatal(err)
	}
	if j.config, err = parseConfig("config.json", []byte(config), log); err != nil {
		t.Fatal(err)
	}
	if j.store, err = openStore("/flats.json", disk, newPostalCodes(rows, j.config.Constraints), log,
		j.config.fieldNames()...); err != nil {
		t.Fatal(err)
	}
	j.found = newFinder(j.store, j.config.Travel, j.config.Constraints, j.config.Timezone)
	j.found.client.Transport = j.motis
	for _, f := range change {
		f(j)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { j.found.run(ctx) })
	j.stop = func() {
		cancel()
		running.Wait()
		j.store.Close()
	}
	return j
}

// imports imports listings and waits until the finder has had the time to look and ask.
func (j *journey) imports(listings string) {
	j.t.Helper()
	if _, err := j.store.ImportText([]byte(listings), ""); err != nil {
		j.t.Fatal(err)
	}
	time.Sleep(40 * time.Second)
	synctest.Wait()
}

// wants compares what is stored of a flat, found_position and service_time_to, with JSON
// texts. It ignores the text that was asked.
func (j *journey) wants(id, found, times string) {
	j.t.Helper()
	f := j.store.Get(id)
	var position object
	json.Unmarshal([]byte(f.FoundPosition.JSON()), &position)
	delete(position, "text")
	if got := encodeJSON(position); !sameJSON(got, found) {
		j.t.Errorf("%s: found_position %s; want %s", id, got, found)
	}
	if got := f.ServiceTimeTo.JSON(); !sameJSON(got, times) {
		j.t.Errorf("%s: service_time_to %s; want %s", id, got, times)
	}
}

// wantAsked compares the texts and places that were asked since the last call.
func (j *journey) wantAsked(what string, want ...string) {
	j.t.Helper()
	j.motis.mu.Lock()
	defer j.motis.mu.Unlock()
	if !slices.Equal(j.motis.asked, want) {
		j.t.Errorf("%s: asked %q; want %q", what, j.motis.asked, want)
	}
	if j.motis.asked = nil; j.motis.tooEarly {
		j.t.Errorf("%s: two requests in one second", what)
	}
}

const workStops = "48.1400,11.5583"

// estimated returns a member of service_time_to in the constraint munich.
func estimated(minutes int, lat, lng float64, precision string) string {
	over := ""
	if minutes == 90 {
		over = `,"over":true`
	}
	return fmt.Sprintf(`{"work":{"time":%d,"gps":[48.1400,11.5583],"mode":"PUBLIC_TRANSPORT","estimated":{"from":[%v,%v],`+
		`"precision":%q,"arrive":"08:30"%s}}}`, 60*minutes, lat, lng, precision, over)
}

// A flat gets rough times from its postal code, then its position, and times from
// there. Nothing of that is an update of its user.
func TestTravel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), munichConfig)
		defer func() { j.stop() }()
		const leo = "80797 München Schwabing Leopoldstr 5"
		j.motis.matches = map[string]string{leo: "[" + motisMatch("PLACE", "Leo", "", "", 48.16, 11.56) + "," +
			motisMatch("ADDRESS", "Leopoldstraße", "Leopoldstraße", "5", 52.5, 13.4) + "," +
			motisMatch("ADDRESS", "Leopoldstraße", "Leopoldstraße", "5", 48.1600, 11.5850) + "]"}
		j.imports(`[{"id":"a","location":"Leopoldstr. 5, 80797 München","service_constraint":"munich"}]`)
		before := j.store.Get("a")
		j.wantAsked("an address", workStops, workStops, workStops, workStops, leo)
		j.wants("a", `{"lat":48.16,"lng":11.585,"precision":"house"}`, estimated(52, 48.16, 11.585, "house"))
		// The clock of synctest begins on Saturday, 2000-01-01.
		if want := []string{"2000-01-04T07:30:00Z", "2000-01-04T07:15:00Z", "2000-01-04T07:00:00Z",
			"2000-01-04T06:45:00Z"}; !slices.Equal(j.motis.times, want) {
			t.Errorf("arrival at %q; want %q", j.motis.times, want)
		}
		if before.UpdatedAt.JSON() != before.FirstSeen.JSON() || before.StatusSince.Known() {
			t.Errorf("updated_at %s, status_since %s", before.UpdatedAt.JSON(), before.StatusSince.JSON())
		}
		waiting, last, err := j.found.state()
		if waiting != 0 || last.IsZero() || err != nil {
			t.Errorf("%d flats wait, last answer %v, %v", waiting, last, err)
		}
		// The same listing changes nothing, and what it says of found_position does not count.
		counts, err := j.store.ImportText([]byte(`[{"id":"a","location":"Leopoldstr. 5, 80797 München",
			"service_time_to":null,"found_position":{"text":"x","lat":1,"lng":2,"precision":"house"}}]`), "")
		if err != nil || counts.Unchanged != 1 {
			t.Errorf("the same listing: %+v, %v", counts, err)
		}
		// The same address is not asked again, whatever has become of the first flat.
		j.imports(`[{"id":"b","location":"Leopoldstr. 5 80797 München","service_constraint":"munich"},
			{"id":"none","location":"Nirgendwo, 80331 München","service_constraint":"munich"}]`)
		j.wantAsked("the same address", "80331 München Nirgendwo")
		j.wants("b", `{"lat":48.16,"lng":11.585,"precision":"house"}`, estimated(52, 48.16, 11.585, "house"))
		j.wants("none", `{"lat":null,"lng":null,"precision":null}`, estimated(10, 48.1345, 11.571, "postal_code"))
		j.stop()
		j = newJourney(t, j.disk.restart(true, false), munichConfig)
		j.imports(`[{"id":"c","location":"Leopoldstr. 5, 80797 München","service_constraint":"munich"},
			{"id":"none","location":"Nirgendwo, 80331 München"}]`)
		j.wantAsked("after a restart", workStops, workStops, workStops, workStops)
		j.wants("c", `{"lat":48.16,"lng":11.585,"precision":"house"}`, estimated(52, 48.16, 11.585, "house"))
		// A position that a listing brings is not that of other flats unless it is near.
		const far = "80797 München Schwabing Hauptstr 9"
		j.imports(`[{"id":"far","location":"Hauptstr. 9, 80797 München","service_constraint":"munich",
			"found_position":{"lat":10,"lng":2,"precision":"house","text":"` + far + `"}}]`)
		j.wantAsked("a listing with a position")
		j.imports(`[{"id":"other","location":"Hauptstr. 9, 80797 München","service_constraint":"munich"}]`)
		j.wantAsked("the address of that listing", far)
		// A user's time and a listing's stay, another address is asked.
		if _, err := j.store.Update("c", []byte(`{"service_time_to":{"work":{"time":7}},"location":"Elsewhere"}`),
			nil); err != nil {
			t.Fatal(err)
		}
		j.imports("[]")
		j.wantAsked("another address", "80797 München Schwabing Elsewhere")
		j.wants("c", `{"lat":null,"lng":null,"precision":null}`, `{"work":{"time":7}}`)
		j.imports(`[{"id":"c","service_time_to":{"gym":{"time":60},"work":{"estimated":{}}}}]`)
		j.wants("c", `{"lat":null,"lng":null,"precision":null}`, `{"gym":{"time":60},`+
			estimated(41, 48.161, 11.56, "postal_code")[1:])
		j.imports(`[{"id":"c","service_constraint":"nobody","service_postal_code":null,"location":"x"}]`)
		j.wantAsked("without a constraint", "x")
		j.wants("c", `{"lat":null,"lng":null,"precision":null}`, `{"gym":{"time":60}}`)
	})
}

// What flats need is asked in order, at most one question a second, and what is
// found is stored at most every 30 seconds.
func TestTravelOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"null","location":"a"},
			{"id":"old","location":"b","first_seen":"2026-01-01"},{"id":"new","location":"c","first_seen":"2026-02-01"},
			{"id":"visited","location":"d","first_seen":"2020-01-01","status":"visited"},
			{"id":"ignored","location":"e","status":"ignored"},{"id":"gone","location":"f","gone":"2026-01-01"},
			{"id":"own","location":"g","gps":[48.1345,11.571],"service_constraint":"munich"},
			{"id":"wrong","location":"h","gps":[200,11.571]},
			{"id":"far","location":"i","gps":[52.5,13.4]},{"id":"list","location":"j","service_time_to":[1,2],
			"gps":[48.1345,11.571]},{"id":"coded","service_constraint":"munich","service_postal_code":"80331"}]`), lost: -1}
		j := newJourney(t, d, munichConfig)
		defer func() { j.stop() }()
		time.Sleep(6 * time.Second)
		if waiting, _, _ := j.found.state(); waiting == 0 || j.store.Get("coded").ServiceTimeTo.Known() {
			t.Errorf("after 6 seconds %d flats wait, coded has %s", waiting, j.store.Get("coded").ServiceTimeTo.JSON())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		j.wantAsked("the order", workStops, workStops, workStops, workStops, "d", "c", "b", "a", "h")
		j.wants("own", "null", estimated(10, 48.1345, 11.571, "own"))
		j.wants("coded", "null", estimated(10, 48.1345, 11.571, "postal_code"))
		j.wants("list", "null", "[1,2]")
		j.wants("far", "null", "null")
		j.wants("wrong", `{"lat":null,"lng":null,"precision":null}`, "null")
		// A queue of a thousand is stored every 30 seconds, a hundred flats at once.
		var many []string
		for i := range 300 {
			many = append(many, fmt.Sprintf(`{"id":"m%03d","location":"street%d"}`, i, i))
		}
		j.imports("[" + strings.Join(many, ",") + "]")
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if waiting, _, _ := j.found.state(); waiting < 100 || waiting > 200 {
			t.Errorf("after 160 seconds %d flats wait", waiting)
		}
		// A look is made ten seconds after the last one. What was asked is kept at a stop.
		j.motis.mu.Lock()
		j.motis.asked = nil
		j.motis.mu.Unlock()
		j.store.Update("m000", []byte(`{"status":"followed","location":"mine"}`), nil)
		j.store.ImportText([]byte(`[{"id":"z","location":"newest"}]`), "")
		time.Sleep(13 * time.Second)
		j.stop()
		j.motis.mu.Lock()
		i := slices.Index(j.motis.asked, "mine")
		if i < 0 || i > 10 || !slices.Contains(j.motis.asked, "newest") {
			t.Errorf("asked %q", j.motis.asked)
		}
		if !strings.Contains(j.store.Get("z").FoundPosition.JSON(), "newest") {
			t.Errorf("z has %s", j.store.Get("z").FoundPosition.JSON())
		}
	})
}

// Times by foot and bicycle need no service. They stay until what they were
// computed from is another, and go with their place.
func TestTravelStreet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := strings.Replace(munichConfig, `"travel"`, `"unknown"`, 1)
		j := newJourney(t, newSimDisk(), config)
		defer func() { j.stop() }()
		j.imports(`[{"id":"a","service_constraint":"bike","service_postal_code":"80331","location":"Marienplatz"},
			{"id":"b","service_constraint":"munich","service_postal_code":"80331"},
			{"id":"near","service_constraint":"bike","gps":[48.15,11.58]},
			{"id":"no","service_constraint":"bike","service_postal_code":"80000"},
			{"id":"other","gps":[48.14,11.56],"service_time_to":{"x":{"estimated":{}},"y":{"time":1}}}]`)
		j.wantAsked("without travel")
		const street = `{"park":{"time":1980,"gps":[48.15,11.58],"mode":"WALK",` +
			`"estimated":{"from":[48.1345,11.571],"precision":"postal_code"}},"work":{"time":360,"gps":[48.14,11.56],` +
			`"mode":"BIKE","estimated":{"from":[48.1345,11.571],"precision":"postal_code"}}}`
		j.wants("a", "null", street)
		j.wants("b", "null", "null")
		j.wants("no", "null", "null")
		// Without a constraint work is that of the first constraint, bike.
		j.wants("other", "null", `{"park":{"time":1980,"gps":[48.15,11.58],"mode":"WALK","estimated":{"from":[48.14,11.56],`+
			`"precision":"own"}},"work":{"time":0,"gps":[48.14,11.56],"mode":"BIKE","estimated":{"from":[48.14,11.56],`+
			`"precision":"own"}},"y":{"time":1}}`)
		if got := j.store.Get("near").travelTimes()["park"]; got != 0 {
			t.Errorf("beside the park it takes %v", got)
		}
		version := j.store.Get("a").version
		j.imports(`[{"id":"a","service_time_to":{}}]`)
		if j.store.Get("a").version != version {
			t.Error("the same times are an update")
		}
		j.imports(`[{"id":"a","service_time_to":{"work":{"time":5},"park":{"time":7,"estimated":{}}}}]`)
		j.wants("a", "null", regexp.MustCompile(`"work":.*`).ReplaceAllString(street, `"work":{"time":5}}`))
		j.imports(`[{"id":"a","service_time_to":[]}]`)
		j.wants("a", "null", `[]`)
		j.imports(`[{"id":"a","service_time_to":null,"service_postal_code":"80797"}]`)
		if got := j.store.Get("a").ServiceTimeTo.JSON(); !strings.Contains(got, "48.161") {
			t.Errorf("with another code the times are %s", got)
		}
		// A place that has left the config takes its times along.
		j.stop()
		j = newJourney(t, j.disk.restart(true, false), strings.Replace(config, `"park"`, `"parc"`, 1))
		j.imports("[]")
		if got := slices.Sorted(maps.Keys(j.store.Get("a").travelTimes())); !slices.Equal(got, []string{"parc", "work"}) {
			t.Errorf("after another config there are times to %q", got)
		}
	})
}

// Answers that cannot be used make all requests wait, for 1, 2, 4 … 60 minutes or
// what the service says. They lose nothing and store nothing, and the log says once why.
func TestTravelFailures(t *testing.T) {
	long := strings.Repeat(" ", 1<<20)
	for _, c := range []struct {
		what   string
		answer *http.Response
		err    error
		want   string
		wait   time.Duration
	}{
		{"network", nil, errors.New("dial tcp 10.0.0.1: refused"), "motis.example: no valid answer", time.Minute},
		{"500", motisAnswer(500, "x"), nil, "motis.example answered 500 Internal Server Error", time.Minute},
		{"503", motisAnswer(503, "x", "Retry-After", "7"), nil, "motis.example answered 503 Service Unavailable",
			7 * time.Second},
		{"429", motisAnswer(429, "x", "Retry-After", "99999999999"), nil, "motis.example answered 429 Too Many Requests",
			time.Hour},
		{"429 for a day", motisAnswer(429, "x", "Retry-After", "86400"), nil,
			"motis.example answered 429 Too Many Requests", time.Hour},
		{"redirect", motisAnswer(302, "", "Location", "https://elsewhere.example/"), nil,
			"motis.example answered 302 Found", time.Minute},
		{"204", motisAnswer(204, ""), nil, "motis.example answered 204 No Content", time.Minute},
		{"no JSON", motisAnswer(200, "<html>"), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"NaN", motisAnswer(200, `[{"name":"x","lat":NaN,"lon":1}]`), nil,
			"motis.example: the answer is not a list of places", time.Minute},
		{"null", motisAnswer(200, `null`), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"object", motisAnswer(200, `{}`), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"two", motisAnswer(200, `[][]`), nil, "motis.example: the answer is not a list of places", time.Minute},
		{"no lat", motisAnswer(200, `[{"name":"x","lon":1}]`), nil, "motis.example: the answer is not a list of places",
			time.Minute},
		{"text", motisAnswer(200, `[{"lat":"1","lon":1}]`), nil, "motis.example: the answer is not a list of places",
			time.Minute},
		{"too large", motisAnswer(200, "[]"+long), nil, "motis.example: the answer has more than 1048576 bytes",
			time.Minute},
	} {
		synctest.Test(t, func(t *testing.T) {
			config := strings.Replace(munichConfig, `"time_to":{"work":{"gps":[48.1400,11.5583]}}`, `"time_to":{}`, 1)
			j := newJourney(t, newSimDisk(), config)
			defer func() { j.stop() }()
			var tries atomic.Int64
			j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
				if tries.Add(1) == 1 {
					return c.answer, c.err
				}
				return motisAnswer(200, "["+motisMatch("PLACE", "Rathaus", "", "", 48.13, 11.57)+"]"), nil
			}
			if _, err := j.store.ImportText([]byte(`[{"id":"a","location":"Rathaus","service_constraint":"munich"}]`),
				""); err != nil {
				t.Fatal(err)
			}
			time.Sleep(11 * time.Second)
			synctest.Wait()
			began := j.motis.lastRequest()
			if c.wait > 10*time.Second {
				waiting, last, err := j.found.state()
				if waiting != 1 || !last.IsZero() || err == nil || err.Error() != c.want || j.store.Get("a").FoundPosition.Known() {
					t.Errorf("%s: %d wait, last %v, error %v; want %s", c.what, waiting, last, err, c.want)
				}
			}
			time.Sleep(c.wait + 15*time.Second)
			synctest.Wait()
			waited := j.motis.lastRequest().Sub(began)
			if c.wait > 10*time.Second && (waited < c.wait || waited > c.wait+2*time.Second) {
				t.Errorf("%s: waited %v; want %v", c.what, waited, c.wait)
			}
			waiting, last, err := j.found.state()
			if waiting != 0 || last.IsZero() || err != nil || tries.Load() != 2 {
				t.Errorf("%s: %d wait, last %v, %v, %d tries", c.what, waiting, last, err, tries.Load())
			}
			j.wants("a", `{"lat":48.13,"lng":11.57,"precision":"place"}`, "null")
			logs := j.logs.String()
			if strings.Count(logs, "must wait") != 1 || strings.Contains(logs, "base") || strings.Contains(logs, "elsewhere") {
				t.Errorf("%s: the log is %s", c.what, logs)
			}
		})
	}
}

// A question that never gets an answer does not hold up the others, and the wait grows to an
// hour. Meanwhile imports and times by bicycle go on.
func TestTravelHeldUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), strings.Replace(munichConfig, `"time_to":{"work"`, `"time_to":{"x"`, 1))
		defer func() { j.stop() }()
		var tries []time.Time
		j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
			tries = append(tries, time.Now())
			switch query.Get("text") {
			case "bad":
				return motisAnswer(500, ""), nil
			case "hangs":
				time.Sleep(9 * time.Second) // less than the limit of ten
			}
			return motisAnswer(200, "[]"), nil
		}
		j.imports(`[{"id":"z","location":"good","service_constraint":"none"},{"id":"y","location":"hangs"}]`)
		j.imports(`[{"id":"a","location":"bad","service_constraint":"none"}]`)
		if _, err := j.store.ImportText([]byte(`[{"id":"b","location":"better","service_constraint":"none"},
			{"id":"c","service_constraint":"bike","gps":[48.14,11.56]}]`), ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(11 * time.Second)
		if !j.store.Get("c").ServiceTimeTo.Known() || j.store.Get("b").FoundPosition.Known() {
			t.Errorf("while all wait c has %s", j.store.Get("c").ServiceTimeTo.JSON())
		}
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if j.store.Get("b").FoundPosition.JSON() == "null" || !j.store.Get("z").FoundPosition.Known() {
			t.Error("one question held up another")
		}
		time.Sleep(10 * time.Hour)
		synctest.Wait()
		var waits []string
		for i := range tries[:len(tries)-1] {
			if wait := tries[i+1].Sub(tries[i]).Round(time.Minute); wait > 0 {
				waits = append(waits, wait.String())
			}
		}
		got := strings.Join(waits, " ")
		if !strings.Contains(got, "1m0s 2m0s 4m0s 8m0s 16m0s 32m0s 1h0m0s 1h0m0s") {
			t.Errorf("the waits are %s", got)
		}
	})
}

// A place without stops waits for the next day, the others go on. So does one that the service
// refuses, and stops of another city are none.
func TestTravelNoStops(t *testing.T) {
	for what, answer := range map[string]func() *http.Response{
		"empty":        func() *http.Response { return motisAnswer(200, motisStops()) },
		"another city": func() *http.Response { return motisAnswer(200, motisStops([3]float64{52.5, 13.4, 5})) },
		"no stops": func() *http.Response {
			return motisAnswer(200, `{"all":[{},{"duration":5},{"place":{"lat":200,"lon":11.5},"duration":5},`+
				`{"place":{"lat":48.1,"lon":11.5},"duration":-5},{"place":{"lat":48.1}}]}`)
		},
		"refused": func() *http.Response { return motisAnswer(400, `{"error":"x"}`) },
	} {
		synctest.Test(t, func(t *testing.T) {
			j := newJourney(t, newSimDisk(), munichConfig)
			defer func() { j.stop() }()
			var answers atomic.Bool
			j.motis.answer = func(path string, query url.Values) (*http.Response, error) {
				if query.Has("one") && !answers.Load() {
					return answer(), nil
				} else if query.Has("one") {
					return motisAnswer(200, j.motis.stops), nil
				}
				return motisAnswer(404, "{}"), nil
			}
			j.imports(`[{"id":"a","location":"X 80331","service_constraint":"munich"}]`)
			waiting, last, err := j.found.state()
			if waiting != 0 || last.IsZero() || err == nil || !strings.HasPrefix(err.Error(), "motis.example ") {
				t.Errorf("%s: %d wait, last %v, error %v", what, waiting, last, err)
			}
			j.wants("a", `{"lat":null,"lng":null,"precision":null}`, "null")
			answers.Store(true)
			time.Sleep(23 * time.Hour)
			j.wants("a", `{"lat":null,"lng":null,"precision":null}`, "null")
			time.Sleep(3 * time.Hour)
			synctest.Wait()
			j.wants("a", `{"lat":null,"lng":null,"precision":null}`, estimated(10, 48.1345, 11.571, "postal_code"))
			if _, _, err := j.found.state(); err != nil {
				t.Errorf("%s: on the next day %v", what, err)
			}
		})
	}
}

// A service that says nothing delays nobody, and is given up after ten seconds. A full disk
// loses nothing, and a flat that would be too large holds up nothing.
func TestTravelDelays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJourney(t, newSimDisk(), munichConfig, func(j *journey) {
			j.found.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
				<-r.Context().Done()
				return nil, r.Context().Err()
			})
		})
		defer func() { j.stop() }()
		began := time.Now()
		for i := range 3 {
			if _, err := j.store.ImportText(fmt.Appendf(nil, `[{"id":%d,"location":"a"}]`, i), ""); err != nil {
				t.Fatal(err)
			}
			if _, err := j.store.Update(strconv.Itoa(i), []byte(`{"notes":"x"}`), nil); err != nil {
				t.Fatal(err)
			}
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("beside a silent service imports and updates took %v", waited)
		}
		time.Sleep(21 * time.Second)
		if _, _, err := j.found.state(); err == nil || err.Error() != "motis.example: no answer in time" {
			t.Errorf("after ten seconds: %v", err)
		}
		j.stop()
		j = newJourney(t, newSimDisk(), munichConfig)
		j.imports(`[{"id":"a","location":"b"},{"id":"big","service_constraint":"munich","service_postal_code":"80331",
			"text":"` + strings.Repeat("x", maxFlat-800) + `"}]`)
		j.imports(`[{"id":"b","location":"c"},{"id":"8 MB","location":"` + strings.Repeat("c ", 1<<20) + `"},
			{"id":"emoji","location":"🏠 🏡"},{"id":"script","location":"<script>alert(1)</script>"}]`)
		j.motis.mu.Lock()
		if asked := strings.Join(j.motis.asked, "|"); !strings.Contains(asked, "c|script>alert(1)</script") ||
			strings.Contains(asked, "c c") || strings.Contains(asked, "🏠") {
			t.Errorf("asked %.1000q", asked)
		}
		j.motis.mu.Unlock()
		if waiting, _, err := j.found.state(); waiting != 0 || err != nil || !j.store.Get("b").FoundPosition.Known() {
			t.Errorf("beside large flats %d wait, %v", waiting, err)
		}
		j.store.ImportText([]byte(`[{"id":"d","location":"e"}]`), "")
		time.Sleep(time.Millisecond)
		j.disk.setFull(true)
		time.Sleep(50 * time.Second)
		if _, _, err := j.found.state(); err == nil || !strings.HasPrefix(err.Error(), "nothing was stored") {
			t.Errorf("on a full disk: %v", err)
		}
		j.disk.setFull(false)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if _, _, err := j.found.state(); err != nil || !j.store.Get("d").FoundPosition.Known() {
			t.Errorf("after a full disk: %v, %s", err, j.store.Get("d").FoundPosition.JSON())
		}
		if logs := j.logs.String(); strings.Count(logs, "cannot be stored") != 1 {
			t.Errorf("the log is %.2000s", logs)
		}
	})
}

// Distances hold at the poles and at the date line, and stops are found there.
func TestDistances(t *testing.T) {
	for _, c := range []struct{ lat1, lng1, lat2, lng2, want float64 }{
		{48.1345, 11.571, 48.1345, 11.571, 0}, {0, 0, 0, 1, 111195}, {0, 179.995, 0, -179.995, 1112},
		{90, 0, 90, 123, 0}, {89.995, 0, 89.995, 180, 1112}, {-90, 5, 90, 5, 20015087},
		{48.1351, 11.582, 52.52, 13.405, 504415},
		{0, 180, 0, -180, 0},
	} {
		if got := pointAt(c.lat1, c.lng1).distanceTo(pointAt(c.lat2, c.lng2)); math.Abs(got-c.want) > 1 {
			t.Errorf("%+v: %v", c, got)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds(400) {
		lat, lng := 180*random.Float64()-90, 360*random.Float64()-180
		if random.IntN(2) == 0 {
			lat, lng = math.Copysign(90-0.02*random.Float64(), lat), math.Copysign(180-0.01*random.Float64(), lng)
		}
		here, stops, want := pointAt(lat, lng), Stops{}, math.Inf(1)
		var list [][3]float64
		for range 20 {
			s := [3]float64{lat + 0.04*random.Float64() - 0.02, lng + 0.06*random.Float64() - 0.03, float64(random.IntN(60))}
			if !onEarth(s[0], s[1]) {
				s[0], s[1] = math.Copysign(90, s[0]), math.Copysign(180, -s[1])
			}
			list = append(list, s)
			if metres := here.distanceTo(pointAt(s[0], s[1])); metres <= 1500 {
				want = min(want, 60*s[2]+1.3*metres/1.25)
			}
		}
		err := stops.read(newTask(t.Context(), newLock()), []byte(motisStops(list...)), here)
		if got := stops.least(here); err != nil || got != want {
			t.Fatalf("%v,%v: %v, %v; want %v from %v", lat, lng, got, err, want, list)
		}
	}
}

// Answers about stops that are none are errors, and a million stops are read in turns.
func TestStopsAnswers(t *testing.T) {
	read := func(text string) (Stops, int, error) {
		stops, work := Stops{}, newTask(t.Context(), newLock())
		err := stops.read(work, []byte(text), pointAt(48, 11))
		return stops, work.total + work.steps, err
	}
	for _, text := range []string{``, `[]`, `{}`, `null`, `{"all":null}`, `{"all":{}}`, `{"all":[5]}`, `{"all":[]}{}`,
		`{"all":[{"place":{"lat":"48","lon":11},"duration":1}]}`, `{"all":[{"place":{"lat":NaN,"lon":11},"duration":1}]}`,
		`{"all":[{"place":{"lat":48,"lon":11},"duration":1}`, `{"all":[{"place":[],"duration":1}]}`} {
		if _, _, err := read(text); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
	if _, steps, err := read(`{"all":[` + strings.Repeat("{},", 1e6) + `{}]}`); err != nil || steps < 1e6 {
		t.Errorf("a million objects that are no stops: %v, %d steps", err, steps)
	}
	million := `{"all":[` + strings.Repeat(`{"place":{"lat":48,"lon":11},"duration":1},`, 1e6) + `{}]}`
	stops, steps, err := read(million)
	if err != nil || len(stops) != 1 || len(stops[cellOf(pointAt(48, 11))]) != 1 || steps < 1e6 {
		t.Errorf("a million stops: %v, %d cells, %d steps", err, len(stops), steps)
	}
}

// The time of arrival is on the next Tuesday and never today, in the time zone of the config.
func TestArrival(t *testing.T) {
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	d := newFinder(newService(t, "[]", "[]").store, config.Travel, config.Constraints, config.Timezone)
	for now, want := range map[string]string{
		"2026-01-05T12:00:00Z": "2026-01-06T07:30:00Z", // a Monday
		"2026-01-05T23:30:00Z": "2026-01-13T07:30:00Z", // a Tuesday in Berlin
		"2026-01-06T05:00:00Z": "2026-01-13T07:30:00Z", "2026-01-07T12:00:00Z": "2026-01-13T07:30:00Z",
		"2026-01-10T12:00:00Z": "2026-01-13T07:30:00Z", "2026-01-11T12:00:00Z": "2026-01-13T07:30:00Z",
		"2026-03-28T12:00:00Z": "2026-03-31T06:30:00Z", // in summer
		"2026-12-30T12:00:00Z": "2027-01-05T07:30:00Z",
	} {
		d.store.now = func() time.Time { at, _ := time.Parse(time.RFC3339, now); return at }
		if got := d.arrival().UTC().Format(time.RFC3339); got != want {
			t.Errorf("at %s: %s; want %s", now, got, want)
		}
	}
}

// An answer without an end is given up at its limit.
func TestTravelEndless(t *testing.T) {
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	d := newFinder(newService(t, "[]", "[]").store, config.Travel, config.Constraints, config.Timezone)
	read := 0
	d.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		d.asked = time.Time{}
		endless := readerFunc(func(b []byte) (int, error) {
			read += len(b)
			return len(b), nil
		})
		return &http.Response{StatusCode: 200, Body: io.NopCloser(endless)}, nil
	})
	_, err = d.askStops(t.Context(), inquiry{question: question{place: workStops}})
	if err == nil || err.Error() != "motis.example: the answer has more than 67108864 bytes" || read > 65<<20 {
		t.Errorf("stops: %v after %d bytes", err, read)
	}
	read = 0
	_, err = d.askPosition(t.Context(), inquiry{question: question{text: "x"}, flat: blank})
	if err == nil || err.Error() != "motis.example: the answer has more than 1048576 bytes" || read > 2<<20 {
		t.Errorf("positions: %v after %d bytes", err, read)
	}
}

// A match counts if its street or name stands in the location and it is near.
func TestPositions(t *testing.T) {
	s := newService(t, "[]", munichCodes)
	config, err := parseConfig("config.json", []byte(munichConfig), quiet)
	if err != nil {
		t.Fatal(err)
	}
	codes, _ := readPostalCodes("codes.json", []byte(munichCodes))
	s.store.codes = newPostalCodes(codes, config.Constraints)
	d := newFinder(s.store, config.Travel, config.Constraints, config.Timezone)
	network := &motis{t: t}
	d.client.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		d.asked = time.Time{}
		return network.RoundTrip(r)
	})
	for _, c := range []struct{ code, location, match, asked, want string }{
		{"80797", "Leopoldstr. 5, 80797 München", motisMatch("ADDRESS", "x", "Leopoldstraße", "5", 48.16, 11.58),
			"80797 München Schwabing Leopoldstr 5", "house"},
		{"80797", "(Leopoldstrasse 51)", motisMatch("ADDRESS", "x", "Leopoldstraße", "5", 48.16, 11.58),
			"80797 München Schwabing Leopoldstrasse 51", "street"},
		{"80797", "LEOPOLDSTRASSE", motisMatch("ADDRESS", "Leopoldstr.", "", "", 48.16, 11.58),
			"80797 München Schwabing LEOPOLDSTRASSE", "street"},
		{"80797", "Olympiadorf, München", motisMatch("PLACE", "Olympiadorf", "", "", 48.18, 11.55),
			"80797 München Schwabing Olympiadorf", "place"},
		{"80797", "Olympiadorf", motisMatch("PLACE", "Kino", "Olympiadorf", "", 48.18, 11.55),
			"80797 München Schwabing Olympiadorf", "street"},
		{"80797", "Leopold", motisMatch("ADDRESS", "x", "Leopoldstraße", "", 48.16, 11.58),
			"80797 München Schwabing Leopold", ""},
		{"80797", "Dorf", motisMatch("PLACE", "Dorf", "", "", 48.30, 11.56), "80797 München Schwabing Dorf", ""},
		{"80000", "Dorf", motisMatch("PLACE", "Dorf", "", "", 48.30, 11.56), "80000 nowhere Dorf", "place"},
		{"80000", "Dorf", motisMatch("PLACE", "Dorf", "", "", 50.30, 11.56), "80000 nowhere Dorf", ""},
		{"", "Dorf", motisMatch("PLACE", "Dorf", "", "", 200, 11.56), "Dorf", ""},
		{"", "Dorf", motisMatch("PLACE", "…", "", "", 48.1, 11.56), "Dorf", ""},
		{"80797", "München, 80797 - (Schwabing)", "", "", "-"}, {"80797", "🏠", "", "", "-"}, {"80797", "", "", "", "-"},
		{"80797", strings.Repeat("Dorf ", 201), "", "", "-"},
		{"", "one two three, four; five – six 7 «eight» nine", "", "one two three four five six 7 eight", ""},
		{"99", "one", motisMatch("PLACE", "one", "", "", 48.1, 11.5), "99 one", "place"},
	} {
		f, err := blank.withMembers(members{"id": json.RawMessage("1"), "location": json.RawMessage(encodeJSON(c.location)),
			"service_postal_code": json.RawMessage(encodeJSON(c.code)), "service_constraint": json.RawMessage(`"munich"`)},
			s.store.codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.address() == "" {
			if c.want != "-" {
				t.Errorf("%q is not asked", c.location)
			}
			continue
		}
		network.asked, network.matches, d.asked = nil, map[string]string{c.asked: "[" + c.match + "]"}, time.Time{}
		q := d.question(f)
		a, err := d.askPosition(t.Context(), inquiry{question: q, flat: f})
		if err != nil {
			t.Errorf("%q: %v", c.location, err)
		}
		got := ""
		if a.position.Precision != nil {
			got = *a.position.Precision
		}
		if got != c.want || !slices.Equal(network.asked, []string{c.asked}) {
			t.Errorf("%q: precision %q, asked %q; want %q, %q", c.location, got, network.asked, c.want, c.asked)
		}
	}
}

// Found_position is stored as corrected is: a listing sets it on a new flat alone,
// and a view serves it with the position that counts.
func TestFoundPosition(t *testing.T) {
	const found = `{"lat":45.75,"lng":4.85,"precision":"house","text":"69007 Lyon 7e Rue X 5"}`
	s := newService(t, `[{"id":"bad","found_position":{"lat":200,"lng":1,"precision":"house","text":"x"}},
		{"id":"none","found_position":{"precision":null,"text":"Rue","lat":null,"lng":null},"location":"Rue"}]`, testCodes)
	listing := `"location":"Rue X 5, 69007 Lyon","service_constraint":"lyon","service_postal_code":"69007"`
	got := s.ask("POST", "/api/v1/import", `[{"id":"house",`+listing+`,"found_position":`+found+`},
		{"id":"street",`+listing+`,"found_position":`+strings.Replace(found, "house", "street", 1)+`},
		{"id":"place",`+listing+`,"found_position":`+strings.Replace(found, "house", "place", 1)+`},
		{"id":"noCode","location":"Rue","found_position":{"lat":1,"lng":2,"precision":"place","text":"Rue"}},
		{"id":"old",`+listing+`,"found_position":`+strings.Replace(found, "X", "Y", 1)+`},
		{"id":"own",`+listing+`,"gps":[1,2],"found_position":`+found+`},
		{"id":"wrong",`+listing+`,"found_position":[1,2]}]`)
	if got.status != 200 {
		t.Fatal(got.body)
	}
	s.want(s.ask("GET", "/api/v1/find?sort=id&fields=lat,lng,precision", ""), 200, `{"data":[
		{"id":"bad","lat":null,"lng":null,"precision":null},{"id":"house","lat":45.75,"lng":4.85,"precision":"house"},
		{"id":"noCode","lat":1,"lng":2,"precision":"place"},{"id":"none","lat":null,"lng":null,"precision":null},
		{"id":"old","lat":45.7336,"lng":4.8375,"precision":"postal_code"},
		{"id":"own","lat":1,"lng":2,"precision":"own"},
		{"id":"place","lat":45.7336,"lng":4.8375,"precision":"postal_code"},
		{"id":"street","lat":45.75,"lng":4.85,"precision":"street"},
		{"id":"wrong","lat":45.7336,"lng":4.8375,"precision":"postal_code"}],
		"page":0,"items_per_page":9,"total":9,"counts":{}}`)
	logs := s.logs.String()
	if strings.Count(logs, "invalid value ignored") != 1 || !strings.Contains(logs, "flat=wrong") {
		t.Errorf("the log is %s", logs)
	}
	s.ask("POST", "/api/v1/import", `[{"id":"house","found_position":null},{"id":"old","found_position":`+found+`},
		{"id":"own","found_position":7}]`)
	if s.store.Get("house").FoundPosition.JSON() != found || s.store.Get("old").FoundPosition.JSON() == found {
		t.Error("a listing has changed the found_position of a flat")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/house", `{"found_position":`+found+`}`), 400,
		"Invalid payload provided: found_position: a flat has no such field.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=precision", ""), 400, "Invalid sorting key provided: precision.")
	if got := s.ids(s.ask("GET", "/api/v1/find?any[precision]=house&any[precision]=street&sort=id", "")); got !=
		"house street" {
		t.Errorf("precise are %s", got)
	}
	s.want(s.ask("GET", "/api/v1/travel", ""), 200, `{"data":{"configured":false,"waiting":0,"last":null,"error":null}}`)
	if s.ask("GET", "/api/v1/flats/house", "").body != strings.Replace(s.ask("GET", "/api/v1/flats/street", "").body,
		"street", "house", 1) && strings.Contains(s.ask("GET", "/api/v1/flats/house", "").body, "found_position") {
		t.Error("version 1 serves found_position")
	}
}

// tenCountries has some postal codes of ten countries, as the files of GeoNames have them.
const tenCountries = `postal_code,name,lat,lng,area
10115,Berlin,52.53,13.38,DE-BE
80331,München,48.13,11.57,DE-BY
01067,Dresden,51.05,13.73,DE-SN
01067,Dresden Friedrichstadt,51.06,13.72,DE-SN
75015,Bretten,49.03,8.70,DE-BW
1010,Wien,48.20,16.36,AT-09
1020,"Wien, Leopoldstadt",48.21,16.39,AT-09
5020,Salzburg,47.80,13.04,AT-05
2100,Korneuburg,48.34,16.33,AT-03
2100,Leobendorf,48.37,16.32,AT-03
8001,Zürich,47.37,8.54,CH-ZH
9000,St. Gallen,47.42,9.37,CH-SG
1003,Lausanne,46.52,6.63,CH-VD
1020,Renens VD,46.53,6.58,CH-VD
75015,Paris,48.84,2.29,FR-11
69007,Lyon 7e,45.73,4.84,FR-84
13001,Marseille 1er,43.29,5.38,FR-93
28001,Madrid,40.42,-3.68,ES-MD
08001,Barcelona,41.38,2.17,ES-CT
00184,Roma,41.89,12.49,IT-07
20121,Milano,45.47,9.19,IT-09
1012 AB,Amsterdam,52.37,4.90,NL-07
1016 GE,Amsterdam,52.37,4.88,NL-07
5211 BP,'s-Hertogenbosch,51.69,5.30,NL-06
2100,København Ø,55.70,12.57,DK-84
8000,Aarhus C,56.15,10.20,DK-82
9000,Aalborg,57.04,9.92,DK-81
NW3,London,51.55,-0.17,GB-ENG
SW1A 2AA,London,51.50,-0.13,GB-ENG
EH1 1YZ,Edinburgh,55.95,-3.19,GB-SCT
00-001,Warszawa,52.23,21.00,PL-78
31-042,Kraków,50.06,19.94,PL-77
01-067,Warszawa,52.25,20.97,PL-78
`

// The code that stands in an address, in the constraint of its country, and
// without a constraint among the codes of all countries. No code is a wrong one.
func TestAddressCodes(t *testing.T) {
	codes, err := readPostalCodes("codes.csv", []byte(tenCountries))
	if err != nil {
		t.Fatal(err)
	}
	constraints := map[string]Constraint{}
	for _, code := range codes {
		country, _, _ := strings.Cut(code.Area.String(), "-")
		c := constraints[country]
		c.Areas = append(c.Areas, code.Area.String())
		constraints[country] = c
	}
	postal := newPostalCodes(codes, constraints)
	for _, c := range []struct{ constraint, address, want, all string }{
		{"DE", "Sendlinger Str. 8, 80331 München", "80331", "80331"},
		{"DE", "80331 München (Altstadt)", "80331", "80331"},
		{"DE", "D-01067 Dresden, Ostra-Allee 9", "01067", "01067"},
		{"DE", "DE-10115 Berlin / Mitte", "10115", "10115"},
		{"DE", "Hauptstraße 10115, Dresden", "10115", "10115"}, // any number of five digits
		{"DE", "10115 oder 80331", "", ""},
		{"DE", "75015 Bretten", "75015", ""}, // also in France
		{"DE", "Olympiadorf", "", ""}, {"DE", "", "", ""}, {"DE", "München 8033", "", ""},
		{"DE", "München 803310", "", ""}, {"DE", "80 331 München", "", ""},
		{"AT", "Stephansplatz 1, 1010 Wien", "1010", "1010"},
		{"AT", "A-1020 Wien, Praterstraße 1010/3/5", "", ""}, // two codes of a place that is named
		{"AT", "5020 Salzburg, Getreidegasse 1010", "5020", "5020"},
		{"AT", "Getreidegasse 5020", "", ""},
		{"AT", "1020 WIEN", "1020", ""}, // also in Switzerland
		{"CH", "Bahnhofstrasse 1, CH-8001 Zürich", "8001", "8001"},
		{"CH", "9000 St.Gallen", "9000", ""}, // also in Denmark
		{"CH", "1003 LAUSANNE, Rue 9000", "1003", "1003"},
		{"CH", "Chemin 1020, 1003 Lausanne", "1003", "1003"},
		{"FR", "12 rue Lecourbe, 75015 Paris", "75015", ""}, // also in Germany
		{"FR", "69007 Lyon - Jean Macé", "69007", "69007"},
		{"FR", "F-13001 MARSEILLE CEDEX 01", "13001", "13001"},
		{"IT", "Via Cavour 5, 00184 Roma RM", "00184", "00184"},
		{"IT", "I-20121 Milano (MI), Via 1010", "20121", "20121"},
		{"ES", "Calle de Serrano, 3, 28001 Madrid", "28001", "28001"},
		{"ES", "C/ Hospital 12, 3º 2ª, 08001, Barcelona", "08001", "08001"},
		{"NL", "Damrak 1, 1012 AB Amsterdam", "1012 AB", "1012 AB"},
		{"NL", "Damrak 1, 1012AB AMSTERDAM", "1012 AB", "1012 AB"},
		{"NL", "Prinsengracht 5, 1016 ge  Amsterdam", "1016 GE", "1016 GE"},
		{"NL", "5211bp 's-Hertogenbosch", "5211 BP", "5211 BP"},
		{"NL", "1012, AB Amsterdam", "", ""}, {"NL", "1012 AB", "", ""},
		{"DK", "Århusgade 84 2., th, 2100 København Ø", "2100", ""}, // also in Austria
		{"DK", "Vestergade 2100, 8000 Aarhus C", "8000", "8000"},
		{"DK", "DK-9000 Ålborg", "", ""}, // spelt otherwise
		{"DK", "9000 Aalborg", "9000", ""},
		{"GB", "Flat 2, 10 Downing Street, London SW1A 2AA", "SW1A 2AA", "SW1A 2AA"},
		{"GB", "Downing Street, London, sw1a2aa", "SW1A 2AA", "SW1A 2AA"},
		{"GB", "Hampstead, London nw3", "NW3", "NW3"},
		{"GB", "High Street, Edinburgh EH1 1YZ", "EH1 1YZ", "EH1 1YZ"},
		{"GB", "SW1A 2AA", "", ""},
		{"PL", "ul. Marszałkowska 1/3, 00-001 Warszawa", "00-001", "00-001"},
		{"PL", "31-042 Kraków, Rynek Główny 00-00", "31-042", "31-042"},
		{"PL", "01-067 Warszawa", "01-067", "01-067"},
		{"PL", "Nowa 00 / 001, Warszawa", "", ""}, {"PL", "01067 Warszawa", "01067", "01067"}, // a German code
		{"AT", "2100 København", "", ""}, // the code of another country
		{"AT", "2100 Korneuburg", "2100", ""},
		{"FR", "80331 München", "80331", "80331"}, // not in its constraint
		{"DE", "🏠🏡", "", ""}, {"DE", "<script>alert(80331)</script>", "80331", "80331"},
		{"DE", strings.Repeat("x ", 600) + "80331", "", ""},
		{"DE", strings.Repeat("80331 ", 8<<20/6), "", ""},
	} {
		for constraint, want := range map[string]string{c.constraint: c.want, "": c.all} {
			if got := postal.in(c.address, constraint); got != want {
				t.Errorf("%q in %q: %q; want %q", excerpt(c.address), constraint, got, want)
			}
		}
	}
}

// The travel service must have a URL and a contact, and no error shows the URL.
func TestTravelConfig(t *testing.T) {
	const url = "travel.url: want an http or https URL with a host and without a user name"
	for _, c := range []struct{ text, want string }{
		{`5`, "travel: want an object"}, {`"https://secret/"`, "travel: want an object"},
		{`{}`, "travel.url: is missing"}, {`{"url":"https://secret/"}`, "travel.contact: is missing"},
		{`{"url":null,"contact":"x"}`, "travel.url: is missing"},
		{`{"url":["secret"],"contact":"x"}`, "travel.url: want a string"},
		{`{"url":"ftp://secret","contact":"x"}`, url}, {`{"url":"https:///secret","contact":"x"}`, url},
		{`{"url":"https://me:secret@x/","contact":"x"}`, url},
		{`{"url":"https://x","contact":7}`, "travel.contact: want a string"},
		{`{"url":"https://x","contact":""}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":" "}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"(me)"}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"mé"}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"a\nb"}`, "travel.contact: want your mail"},
		{`{"url":"https://x","contact":"x","arrive":"9:00"}`, "travel.arrive: want a time such as 09:00"},
		{`{"url":"https://x","contact":"x","arrive":"24:00"}`, "travel.arrive: want a time such as 09:00"},
		{`{"url":"https://x","contact":"x","arrive":900}`, "travel.arrive: want a string"},
	} {
		_, err := parseConfig("config.json", []byte(`{"travel":`+c.text+`}`), quiet)
		if err == nil || !strings.HasPrefix(err.Error(), "config.json: "+c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
	c, err := parseConfig("config.json", []byte(`{"travel":{"url":"https://x","contact":"me@x"}}`), quiet)
	if err != nil || c.Travel.arrive != "09:00" || c.Travel.contact != "me@x" || c.Travel.url.Host != "x" ||
		c.Travel.url.JoinPath("api").RequestURI() != "/api" {
		t.Errorf("%+v, %v", c.Travel, err)
	}
	for mode, want := range map[string]string{`null`: "PUBLIC_TRANSPORT", `"BIKE"`: "BIKE", `"WALK"`: "WALK",
		`"PUBLIC_TRANSPORT"`: "PUBLIC_TRANSPORT", `"CAR"`: "", `7`: "", `"walk"`: ""} {
		c, err := parseConfig("config.json", []byte(`{"constraints":{"a":{"time_to":{"w":{"gps":[1,2],"mode":`+mode+
			`}}}}}`), quiet)
		const text = `config.json: constraints.a.time_to.w.mode: want "PUBLIC_TRANSPORT", "WALK" or "BIKE"`
		if err == nil && c.Constraints["a"].Places["w"].mode != want ||
			err != nil && (want != "" || err.Error() != text) {
			t.Errorf("mode %s: %v", mode, err)
		}
	}
}

// People
// ------

// withPeople returns a service of flats with two people.
func withPeople(t *testing.T, flats string) *service {
	t.Helper()
	s := newService(t, flats, testCodes)
	s = s.with(func(c *Config) { c.People = []string{"Ann", "Ben Ö."} })
	s.store.table = newTable(queryFields(quiet, s.config.fieldNames()...))
	s.Handler = s.with(func(*Config) {}).Handler
	return s
}

// An update says who makes it: that is kept with a new status and with a rating. The mean of
// the ratings is the notation.
func TestPeople(t *testing.T) {
	s := withPeople(t, `[{"id":"a"}]`)
	wants := func(what, status, ratings, notation string) {
		t.Helper()
		f := s.store.Get("a")
		if f.StatusBy.JSON() != status || f.Ratings.JSON() != ratings || f.Notation.JSON() != notation {
			t.Errorf("%s: status_by %s, ratings %s, notation %s; want %s, %s, %s", what, f.StatusBy.JSON(),
				f.Ratings.JSON(), f.Notation.JSON(), status, ratings, notation)
		}
	}
	for _, c := range []struct{ by, body, status, ratings, notation string }{
		{"?by=Ann", `{"status":"followed"}`, `"Ann"`, `null`, `null`},
		{"?by=Ben+%C3%96.", `{"status":"followed","notes":"x"}`, `"Ann"`, `null`, `null`}, // the same status
		{"?by=Ben+%C3%96.&by=Ben%20%C3%96.", `{"status":"ignored","rating":4}`, `"Ben Ö."`, `{"Ben Ö.":4}`, `4`},
		{"", `{"status":"ignored"}`, `"Ben Ö."`, `{"Ben Ö.":4}`, `4`},
		{"", `{"status":"new"}`, `null`, `{"Ben Ö.":4}`, `4`},
		{"?by=Ann", `{"rating":2.50}`, `null`, `{"Ann":2.50,"Ben Ö.":4}`, `3.3`}, // 3.25
		{"?by=Ann", `{"notation":1}`, `null`, `{"Ann":2.50,"Ben Ö.":4}`, `1`},
		{"?by=Ann", `{"rating":2.5}`, `null`, `{"Ann":2.5,"Ben Ö.":4}`, `3.3`},
		{"?by=Ann&%62y=Ann", `{"rating":null}`, `null`, `{"Ben Ö.":4}`, `4`},
		{"?by=Ann", `{"rating":null}`, `null`, `{"Ben Ö.":4}`, `4`},
		{"?by=Ben+%C3%96.", `{"rating":null,"notes":"none"}`, `null`, `null`, `null`},
	} {
		if got := s.ask("PATCH", "/api/v1/flat/a"+c.by, c.body); got.status != 200 ||
			strings.Contains(got.body, "rating") || strings.Contains(got.body, "status_by") {
			t.Errorf("%s %s: %d %s", c.by, c.body, got.status, got.body)
		}
		wants(c.by+" "+c.body, c.status, c.ratings, c.notation)
	}
	for _, by := range []string{"?by=", "?by=ann", "?by=Ann&by=Ben+%C3%96.", "?by=%zz", "?by=Ann&by", "?by=Ben+Ö"} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a"+by, `{"status":"x"}`), 400,
			"Invalid by provided: must name one of the people in the config.")
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/none?by=x", `{`), 404, "No flat with id none.")
	const both = "rating: notation becomes the mean of the ratings, and cannot be set together with one"
	for body, want := range map[string]string{
		`{"rating":"4"}`:              `rating: want a finite number or null, got "4"`,
		`{"status":"x","rating":[4]}`: `rating: want a finite number or null, got [4]`,
		`{"rating":4,"notation":4}`:   both, `{"rating":null,"notation":null}`: both,
		`{"rating":4,"ratings":{"Ann":1}}`: "ratings: a flat has no such field",
		`{"status_by":"Ann","rating":4}`:   "status_by: a flat has no such field",
		`{"rating":` + strings.Repeat("9", 401) + `}`: "rating: want a finite number or null, got " +
			strings.Repeat("9", 40) + "…",
	} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a?by=Ann", body), 400, "Invalid payload provided: "+want+".")
	}
	for _, body := range []string{`{"rating":4}`, `{"rating":null}`} {
		s.refuse(s.ask("PATCH", "/api/v1/flat/a", body), 400,
			"Invalid payload provided: rating: name the person with ?by=.")
	}
	wants("after errors", `null`, `null`, `null`)
	tag := s.ask("GET", "/api/v1/flats/a", "").header.Get("Etag")
	if got := s.ask("PATCH", "/api/v1/flat/a?by=Ann", `{"rating":5}`, "If-Match", tag); got.status != 200 {
		t.Errorf("If-Match: %d %s", got.status, got.body)
	}
	s.refuse(s.ask("PATCH", "/api/v1/flat/a?by=Ann", `{"rating":1}`, "If-Match", tag), 412,
		"The flat has changed since: read it again.")
	wants("after If-Match", `null`, `{"Ann":5}`, `5`)
	s.want(s.ask("GET", "/api/v1/metadata", ""), 200, `{"data":{"version":"`+version+`","flats":1,"postal_codes":5,
		"last_update":"`+s.store.Get("a").UpdatedAt.at.Format(time.RFC3339)+`","people":["Ann","Ben Ö."]}}`)

	// Without people none of it is there, and a listing's own rating may be sent back.
	s = newService(t, `[{"id":"a"},{"id":"own","rating":4.5}]`, "[]")
	s.ask("PATCH", "/api/v1/flat/a?by=x", `{"status":"x"}`)
	wants("without people", `null`, `null`, `null`)
	for target, want := range map[string]int{"a?by=Ann": 400, "own": 400, "own?by=Ann": 400} {
		if got := s.ask("PATCH", "/api/v1/flat/"+target, `{"rating":5}`); got.status != want {
			t.Errorf("%s: %d %s", target, got.status, got.body)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/find?sort=rating.Ann", ""), 400, "Invalid sorting key provided: rating.Ann.")
	s = withPeople(t, `[{"id":"own","rating":4.5}]`)
	s.want(s.ask("PATCH", "/api/v1/flat/own", `{"rating":4.50}`), 200, s.ask("GET", "/api/v1/flats/own", "").body)
	s.refuse(s.ask("PATCH", "/api/v1/flat/own", `{"rating":5}`), 400,
		"Invalid payload provided: rating: only an import can change it.")
}

// The notation is the mean of the ratings to one decimal, halves up.
func TestRatingsMean(t *testing.T) {
	for _, c := range []struct{ ratings, mean string }{
		{"1 2", "1.5"}, {"1 1.1", "1.1"}, {"0.3 2.4", "1.4"}, {"4.1 4", "4.1"}, {"1 2 2", "1.7"}, {"1 1 2", "1.3"},
		{"0.1 0.2", "0.2"},
		{"-1 -1.1", "-1"}, {"-1.1 -1.2", "-1.1"}, {"2.2 2.3", "2.3"}, {"1.1 1.2 1.3 1.4", "1.3"}, {"0", "0"}, {"-0", "0"},
		{"0.04", "0"}, {"1e308 1e308", "1e+308"}, {"1e-400", "0"}, {"9007199254740992", "9007199254740992"}, {"", "null"},
	} {
		v, _, mean := &Ratings{}, json.RawMessage(nil), json.RawMessage("null")
		for i, rating := range strings.Fields(c.ratings) {
			var text json.RawMessage
			text, mean = v.with(fmt.Sprint(i), json.RawMessage(rating))
			if err := v.set(string(text)); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := parseNumber(string(mean)); string(mean) != c.mean && fmt.Sprint(got) != c.mean &&
			fmt.Sprintf("%.0f", got) != c.mean {
			t.Errorf("%s: mean %s; want %s", c.ratings, mean, c.mean)
		}
	}
}

// Queries know who decided, and who thinks what. Listings set that on new flats alone, and
// names that have left the config stay.
func TestFindPeople(t *testing.T) {
	s := withPeople(t, `[{"id":"read","status_by":5,"ratings":[1]},
		{"id":"left","status":"followed","status_by":"Zoe","ratings":{"Zoe":5},"notation":5}]`)
	got := s.ask("POST", "/api/v1/import", `[
		{"id":"new","status":"followed","status_by":"Ann","ratings":{"Ann":3,"Zoe":1}},
		{"id":"wrong","status_by":["Ann"],"ratings":{"Ann":null}},{"id":"empty","ratings":{},"status_by":null},
		{"id":"left","status_by":"Ann","ratings":null},{"id":"fredy","rating":4.5}]`)
	if got.status != 200 {
		t.Fatal(got.body)
	}
	logs := s.logs.String()
	if strings.Count(logs, "invalid value ignored") != 2 || !strings.Contains(logs, "flat=wrong field=status_by") ||
		!strings.Contains(logs, "flat=wrong field=ratings") {
		t.Errorf("the log is %s", logs)
	}
	s.ask("PATCH", "/api/v1/flat/left?by=Ben+%C3%96.", `{"rating":2,"status":"visited"}`)
	s.want(s.ask("GET", "/api/v1/find?sort=id&fields=status_by,ratings,rating.Ann,rating.Ben+%C3%96.,notation", ""), 200,
		`{"data":[
		{"id":"empty","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null},
		{"id":"fredy","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null},
		{"id":"left","status_by":"Ben Ö.","ratings":{"Ben Ö.":2,"Zoe":5},"rating.Ann":null,"rating.Ben Ö.":2,
			"notation":3.5},
		{"id":"new","status_by":"Ann","ratings":{"Ann":3,"Zoe":1},"rating.Ann":3,"rating.Ben Ö.":null,"notation":null},
		{"id":"read","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null},
		{"id":"wrong","status_by":null,"ratings":null,"rating.Ann":null,"rating.Ben Ö.":null,"notation":null}],
		"page":0,"items_per_page":6,"total":6,"counts":{}}`)
	for target, want := range map[string]string{
		"known[rating.Ben Ö.]=no&any[status]=followed": "new",
		"filter[status_by]=Ann":                        "new",
		"min[rating.Ann]=3":                            "new",
		"known[ratings]=yes&sort=-rating.Ann":          "new left",
	} {
		if got := s.ids(s.ask("GET", "/api/v1/find?"+query(target), "")); got != want {
			t.Errorf("%s: %s; want %s", target, got, want)
		}
	}
	s.refuse(s.ask("GET", "/api/v1/find?known[rating.Zoe]=no", ""), 400,
		"Invalid known[rating.Zoe] provided: there is no such field.")
	s.refuse(s.ask("GET", "/api/v1/flats?sort=status_by", ""), 400, "Invalid sorting key provided: status_by.")
	if got := s.ask("GET", "/api/v1/flats/left", "").body; strings.Contains(got, "ratings") ||
		strings.Contains(got, "status_by") {
		t.Errorf("version 1 serves %s", got)
	}
	// A view may name a person.
	got = s.ask("PUT", "/api/v1/views/for%20Ann", `{"query":"known[rating.Ann]=no&any[status]=visited"}`)
	if got.status != 201 || !strings.Contains(got.body, `"total":1,`) {
		t.Errorf("a view: %d %s", got.status, got.body)
	}
}

// Who decided and who thinks what survives a restart and a fold.
func TestPeopleStored(t *testing.T) {
	d := newSimDisk()
	for _, by := range []string{"Ann", "Ben"} {
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if s.Get("a") == nil {
			s.ImportText([]byte(`[{"id":"a"}]`), "")
		}
		if _, err := s.Update("a", []byte(`{"rating":4,"status":"`+by+`"}`), nil, by); err != nil {
			t.Fatal(err)
		}
		d = d.restart(false, false) // without Close
		s.Close()
	}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f := s.Get("a")
	if f.StatusBy.String() != "Ben" || f.Ratings.JSON() != `{"Ann":4,"Ben":4}` || f.Notation.number != 4 {
		t.Errorf("status_by %s, ratings %s, notation %s", f.StatusBy.JSON(), f.Ratings.JSON(), f.Notation.JSON())
	}
}

// The config names no people, or 2 to 8 different ones.
func TestPeopleConfig(t *testing.T) {
	const names, count = "people: want names of 1 to 40 characters, without control characters, commas and brackets",
		"people: want 2 to 8 names"
	long := strings.Repeat("ö", 40)
	for text, want := range map[string]string{
		`[]`: "", `null`: "", `["Ann","Ben"]`: "", `["Ann","ann"]`: "", `["A","B","C","D","E","F","G","H"]`: "",
		`["` + long + `","Ben (2).&+"]`: "",
		`["Ann"]`:                       count, `["A","B","C","D","E","F","G","H","I"]`: count,
		`["Ann","Ann"]`: "people: want different names", `["Ann","Ben","Ann"]`: "people: want different names",
		`["Ann",""]`: names, `["Ann","` + long + `x"]`: names, `["Ann","a,b"]`: names, `["[","Ann"]`: names,
		`["Ann","]"]`: names, `["Ann","a\nb"]`: names, `["Ann","\u0085"]`: names, `["Ann",null]`: names,
		`"Ann"`: "people: want an array of strings", `["Ann",5]`: "people: want an array of strings",
	} {
		c, err := parseConfig("config.json", []byte(`{"people":`+text+`}`), quiet)
		if want == "" && err != nil || want != "" && (err == nil || err.Error() != "config.json: "+want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
		if err == nil && len(c.fieldNames()) != len(c.People) {
			t.Errorf("%s: fields %q", text, c.fieldNames())
		}
	}
}

// Photos
// ------

// An album is a store on a simulated disk, with a keeper that runs.
type album struct {
	t      *testing.T
	disk   *simDisk
	folder *simDisk // of the photos
	store  *Store
	photos *keeper
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

// set sets the answer of the host.
func (h *photoHost) set(answer func(*http.Request) (*http.Response, error)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = answer
}

// pngOf returns what looks like a photo.
func pngOf(text string) string { return "\x89PNG\r\n\x1a\n" + text }

func photoAnswer(body string) *http.Response {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// newAlbum starts an album. It must be called in a bubble of synctest.
func newAlbum(t *testing.T, disk, folder *simDisk, maxPhotos int64) *album {
	t.Helper()
	a := &album{t: t, disk: disk, folder: folder, host: &photoHost{}, logs: &lockedBuffer{}}
	var err error
	if a.store, err = openStore("/flats.json", disk, nil, slog.New(slog.NewTextHandler(a.logs, nil))); err != nil {
		t.Fatal(err)
	}
	a.photos = newKeeper(a.store, "/flats.json", maxPhotos)
	a.photos.disk, a.photos.client.Transport = folder, a.host
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

// restart stops the keeper and starts another one on what is durable.
func (a *album) restart() {
	a.t.Helper()
	a.stop()
	*a = *newAlbum(a.t, a.disk.restart(false, false), a.folder.restart(false, false), a.photos.maxBytes)
}

func (a *album) imports(listings string) {
	a.t.Helper()
	if _, err := a.store.ImportText([]byte(listings), ""); err != nil {
		a.t.Fatal(err)
	}
}

// decides gives a flat a status.
func (a *album) decides(id, status string) {
	a.t.Helper()
	if _, err := a.store.Update(id, []byte(`{"status":"`+status+`"}`), nil); err != nil {
		a.t.Fatal(err)
	}
}

// wants waits and then compares the addresses that were asked for, and those of the photos that
// a flat has. Each of the latter must have its file.
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

// files returns the number of files in the folder.
func (a *album) files() int {
	a.folder.mu.Lock()
	defer a.folder.mu.Unlock()
	return len(a.folder.names)
}

// hashOf returns the SHA-256 of a text in hex.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const anHour, aWeek = time.Hour, 7 * 24 * time.Hour

// The photos of a flat are kept from when it gets to the shortlist until a week after it has
// left that, whatever becomes of its listing.
func TestKeptPhotos(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t, newSimDisk(), newSimDisk(), 1<<30)
		defer func() { a.stop() }()
		a.imports(`[{"id":"a","photos":["http://h/1",{"url":"https://h:443/2?x=<é>"},"http://h/1","ftp://h/3",
			"data:image/png,x","http://h:8080/4","//h/5",7,null,{"url":8},{"URL":"http://h/6"},"http:///7",
			"http://h/` + strings.Repeat("8", 4096) + `",["http://h/9"]]},
			{"id":"b","photos":"http://h/1"},{"id":"c","photos":{"url":"http://h/c"},"status":"new"}]`)
		a.wants("not yet decided", time.Minute, "", "a", "")
		before := a.store.Get("a")
		for _, status := range []string{"ignored", "duplicate", "user_deleted", "Followed"} {
			a.decides("a", status)
		}
		a.wants("not in the shortlist", time.Minute, "", "a", "")
		a.decides("a", "followed")
		a.decides("b", "contacted")
		a.wants("followed", 10*time.Second, "http://h/1 https://h:443/2?x=<é>", "a", "http://h/1 https://h:443/2?x=<é>")
		a.wants("the same address", 0, "", "b", "http://h/1")
		a.decides("c", "visited")
		time.Sleep(time.Second)
		since := a.store.Get("c").StatusSince.JSON()
		a.wants("visited", 9*time.Second, "http://h/c", "c", "http://h/c")
		if f := a.store.Get("c"); f.UpdatedAt.JSON() != since || f.FirstSeen.JSON() != before.FirstSeen.JSON() {
			t.Errorf("updated_at %s; want %s", f.UpdatedAt.JSON(), since)
		}
		// A photo that the listing no longer names stays behind the others, and none goes without a daily look.
		a.imports(`[{"id":"a","photos":["http://h/3","https://h:443/2?x=<é>"]}]`)
		a.wants("other photos", time.Minute, "http://h/3", "a", "http://h/3 https://h:443/2?x=<é> http://h/1")
		a.imports(`[{"id":"a","photos":null}]`)
		a.wants("no photos", 8*24*time.Hour, "", "a", "http://h/3 https://h:443/2?x=<é> http://h/1")
		a.restart()
		a.wants("a restart", anHour, "", "a", "http://h/3 https://h:443/2?x=<é> http://h/1")
		// What is missing is fetched at start.
		a.folder.mu.Lock()
		delete(a.folder.names, "/photos/"+hashOf("http://h/3"))
		a.folder.names["/photos/"+hashOf("unnamed")] = &simFile{data: []byte("x"), lost: -1}
		a.folder.names["/photos/"+hashOf("x")+".ABCDEFGH234567.tmp"] = &simFile{data: []byte("x"), lost: -1}
		a.folder.durable = maps.Clone(a.folder.names)
		a.folder.mu.Unlock()
		a.restart()
		a.wants("a lost file", anHour, "http://h/3", "a", "http://h/3 https://h:443/2?x=<é> http://h/1")
		if n := a.files(); n != 4 {
			t.Errorf("%d files; want 4", n)
		}
		// They go a week after the flat left the shortlist, but what another flat names stays.
		a.decides("a", "ignored")
		a.wants("left", aWeek-2*anHour, "", "a", "http://h/3 https://h:443/2?x=<é> http://h/1")
		a.wants("before the daily look", 3*anHour, "", "a", "http://h/3 https://h:443/2?x=<é> http://h/1")
		a.wants("a week later", 24*anHour, "", "a", "")
		a.wants("another flat", 0, "", "b", "http://h/1")
		if n := a.files(); n != 2 {
			t.Errorf("%d files; want 2", n)
		}
		a.decides("b", "new")
		time.Sleep(aWeek - 2*anHour)
		a.decides("b", "visited")
		a.wants("back in time", 3*24*anHour, "", "b", "http://h/1")
		// Listings say nothing about it.
		a.imports(`[{"id":"b","kept_photos":[{"url":"http://h/c","hash":"` + hashOf("http://h/c") + `"}]}]`)
		a.wants("a listing", anHour, "", "b", "http://h/1")
		state := a.photos.state()
		size := int64(len(pngOf("http://h/1")) + len(pngOf("http://h/c")))
		if state != (keeperState{photos: 2, bytes: size}) {
			t.Errorf("the state is %+v; want 2 photos of %d bytes", state, size)
		}
		if logs := a.logs.String(); strings.Contains(logs, "WARN") {
			t.Errorf("the log is %s", logs)
		}
	})
}

// Only the first 30 photos of a flat are fetched, those of the last decision first.
func TestManyPhotos(t *testing.T) {
	long(t)
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t, newSimDisk(), newSimDisk(), 1<<30)
		defer func() { a.stop() }()
		var flats []string
		for i := range 50 {
			var photos []string
			for j := range 20 {
				photos = append(photos, fmt.Sprintf(`{"url":"https://h%d/%d/%d.jpg"}`, i%3, i, j))
			}
			flats = append(flats, fmt.Sprintf(`{"id":%d,"photos":[%s]}`, i, strings.Join(photos, ",")))
		}
		a.imports("[" + strings.Join(flats, ",") + `,{"id":"many","photos":[` + repeated(99, `"http://h/%[1]d"`, ",") + "]}]")
		for i := range 50 {
			a.decides(fmt.Sprint(i), "followed")
			time.Sleep(time.Millisecond)
		}
		a.decides("many", "followed")
		time.Sleep(10 * time.Minute)
		asked := a.host.take()
		if state := a.photos.state(); state.photos != 1030 || state.waiting != 0 || state.err != nil || len(asked) != 1030 ||
			asked[0] != "http://h/0" || asked[29] != "http://h/29" || asked[30] != "https://h1/49/0.jpg" {
			t.Errorf("the state is %+v, asked for %d: %q", state, len(asked), asked[:min(len(asked), 31)])
		}
		for i := range 50 {
			if n := len(a.store.Get(fmt.Sprint(i)).KeptPhotos.photos); n != 20 {
				t.Errorf("flat %d has %d photos", i, n)
			}
		}
		// New addresses every day: the number of a flat's kept photos, and the folder, are bounded.
		for day := range 34 {
			a.imports(`[{"id":"many","photos":[` + repeated(30, fmt.Sprintf(`"http://h/%%[1]d?day=%d"`, day), ",") + "]}]")
			time.Sleep(24 * time.Hour)
		}
		if f := a.store.Get("many"); len(f.KeptPhotos.photos) != maxKept || f.KeptPhotos.photos[999].URL != "http://h/29" {
			t.Errorf("%d photos, the last one %+v", len(f.KeptPhotos.photos), f.KeptPhotos.photos[999:])
		}
		if n := len(a.host.take()); n != maxKept-30 || a.files() != 1000+maxKept {
			t.Errorf("asked for %d, %d files", n, a.files())
		}
	})
}

// What is no photo is not kept, holds up no other host, and is tried once more after a day, and
// then after a restart.
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
		what   string
		answer func(r *http.Request) (*http.Response, error)
		want   string
		tries  int // with redirects
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
		{"404", func(*http.Request) (*http.Response, error) { return status(404), nil }, "it answered 404 Not Found", 1},
		{"206", func(*http.Request) (*http.Response, error) {
			answer := photoAnswer(pngOf("x"))
			answer.StatusCode = 206
			return answer, nil
		}, "it answered 206 Partial Content", 1},
		{"lies", func(*http.Request) (*http.Response, error) {
			answer := photoAnswer("<html><script>alert(1)</script>")
			answer.Header.Set("Content-Type", "image/png")
			return answer, nil
		}, "it is no JPEG, PNG, GIF or WebP", 1},
		{"SVG", func(*http.Request) (*http.Response, error) {
			return photoAnswer("<svg xmlns='http://www.w3.org/2000/svg'/>"), nil
		}, "it is no JPEG, PNG, GIF or WebP", 1},
		{"empty", func(*http.Request) (*http.Response, error) { return photoAnswer(""), nil },
			"it is no JPEG, PNG, GIF or WebP", 1},
		{"1 GB", func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: 1 << 30, Body: endless()}, nil
		}, "it has more than 10485760 bytes", 1},
		{"redirects", redirect("http://bad/again"), "it answered 302 Found", 4},
		{"another port", redirect("http://bad:8080/"), "it answered 302 Found", 1},
		{"a file", redirect("file:///etc/passwd"), "it answered 302 Found", 1},
		{"nowhere", redirect("http://%zz/"), "no valid answer", 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			a := newAlbum(t, newSimDisk(), newSimDisk(), 1<<30)
			defer func() { a.stop() }()
			answer := func(r *http.Request) (*http.Response, error) {
				if r.URL.Host == "bad" {
					return c.answer(r)
				}
				return photoAnswer(pngOf(r.URL.String())), nil
			}
			a.host.set(answer)
			a.imports(`[{"id":"a","photos":["http://bad/1","http://bad/2","http://good/1"]},
				{"id":"b","photos":["http://good/2","http://bad/2"],"status":"followed"}]`)
			a.decides("a", "followed")
			time.Sleep(2 * time.Minute)
			one := strings.Repeat("|http://bad/1", 1) + strings.Repeat("|http://bad/again", c.tries-1)
			two := strings.Repeat("|http://bad/2", 1) + strings.Repeat("|http://bad/again", c.tries-1)
			want := one + "|http://good/1|http://good/2" + two
			if got := "|" + strings.Join(a.host.take(), "|"); got != want {
				t.Errorf("%s: asked for %s; want %s", c.what, got, want)
			}
			state := a.photos.state()
			text := "photos that could not be fetched: 2, the last one from bad: " + c.want
			if state.photos != 2 || state.waiting != 0 || state.err != nil || fmt.Sprint(state.failed) != text {
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
			if state := a.photos.state(); state.failed != nil || state.photos != 4 {
				t.Errorf("%s: after a restart the state is %+v", c.what, state)
			}
		})
	}
}

// A folder that is full, of the disk or of max_photos, keeps what it has, and goes on when there
// is room. The log says so once.
func TestPhotoRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAlbum(t, newSimDisk(), newSimDisk(), 100)
		defer func() { a.stop() }()
		a.folder.setFull(true)
		a.imports(`[{"id":"a","photos":["http://h/1","http://h/2"],"status":"followed"},{"id":"b","photos":"http://h/3"}]`)
		a.wants("a full disk", 50*time.Second, "http://h/1", "a", "")
		if state := a.photos.state(); state.err == nil || a.files() != 0 {
			t.Errorf("on a full disk the state is %+v, %d files", state, a.files())
		}
		a.wants("a full disk", time.Minute, "http://h/1", "a", "")
		a.folder.setFull(false)
		a.wants("room", 5*time.Minute, "http://h/1 http://h/2", "a", "http://h/1 http://h/2")
		if state := a.photos.state(); state.err != nil {
			t.Errorf("with room the state is %+v", state)
		}
		long := "http://h/" + strings.Repeat("x", 50)
		a.imports(`[{"id":"a","photos":["http://h/2","` + long + `","http://h/1","http://h/4"]}]`)
		a.wants("max_photos", time.Minute, long, "a", "http://h/2 http://h/1")
		a.decides("b", "followed")
		a.wants("max_photos", 3*24*time.Hour, "", "b", "")
		if err := a.photos.state().err; err == nil ||
			err.Error() != "the folder has no room: its photos may have 100 bytes (max_photos)" {
			t.Errorf("above max_photos: %v", err)
		}
		logs := a.logs.String()
		if strings.Count(logs, "photos cannot be kept") != 2 || !strings.Contains(logs, "max_photos") {
			t.Errorf("the log is %s", logs)
		}
		a.decides("a", "new")
		a.wants("room again", 8*24*time.Hour+anHour, "http://h/3", "b", "http://h/3")
		if state := a.photos.state(); state.err != nil || a.files() != 1 {
			t.Errorf("with room again the state is %+v, %d files", state, a.files())
		}
		// Photos whose names cannot be stored are named later.
		a.imports(`[{"id":"b","photos":["http://h/3","http://h/5"]}]`)
		time.Sleep(time.Millisecond)
		a.disk.setFull(true)
		a.wants("a full disk of the flats", time.Minute, "http://h/5", "b", "http://h/3")
		if err := a.photos.state().err; err == nil || !strings.HasPrefix(err.Error(), "nothing was stored") {
			t.Errorf("on a full disk of the flats: %v", err)
		}
		a.disk.setFull(false)
		a.wants("room for the flats", time.Minute, "", "b", "http://h/3 http://h/5")
	})
}

// Whatever names a file is checked where it is read, and only photos are ever removed.
func TestPhotoNames(t *testing.T) {
	dir := t.TempDir()
	const good = "http://h/1"
	bad := `[{"url":"x","hash":"../flats.json"},{"url":"http://h/1","hash":"` + hashOf(good) + `"},
		{"url":"http://h/2","hash":"` + strings.ToUpper(hashOf("http://h/2")) + `"},{"url":"http://h/3","hash":"views.json"},
		{"url":5,"hash":"` + hashOf("") + `x"},{"url":"http://h/4"},7,null]`
	path := writeFile(t, dir, "flats.json", `[{"id":"read","status":"new","kept_photos":`+bad+`},
		{"id":"text","kept_photos":"../flats.json"}]`)
	folder := filepath.Join(dir, "photos")
	os.MkdirAll(filepath.Join(folder, hashOf("folder")), 0o700)
	writeFile(t, folder, hashOf(good), pngOf("good"))
	writeFile(t, folder, hashOf("unnamed"), pngOf("unnamed"))
	writeFile(t, folder, "notes.txt", "mine")
	writeFile(t, folder, hashOf("x")+".ABCDEFGH234567.tmp", "x")
	outside := writeFile(t, dir, "outside", "x")
	if err := os.Symlink(outside, filepath.Join(folder, hashOf("link"))); err != nil {
		t.Fatal(err)
	}
	var logs lockedBuffer
	store, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.ImportText([]byte(`[{"id":"new","status":"ignored","status_since":"`+
		time.Now().UTC().Format(time.RFC3339)+`","kept_photos":`+bad+`},
		{"id":"gone","kept_photos":[{"url":"../flats.json","hash":"../flats.json"}]}]`), ""); err != nil {
		t.Fatal(err)
	}
	one := `[{"url":"` + good + `","hash":"` + hashOf(good) + `"}]`
	for id, want := range map[string]string{"read": one, "new": one, "text": "null", "gone": "null"} {
		if got := store.Get(id).KeptPhotos.JSON(); got != want {
			t.Errorf("%s has %s; want %s", id, got, want)
		}
	}
	if n := strings.Count(logs.String(), "invalid value ignored"); n != 4 {
		t.Errorf("%d warnings; want 4: %s", n, logs.String())
	}
	k := newKeeper(store, path, 1<<30)
	if !k.lookOnce(t.Context()) {
		t.Fatal(k.state().err)
	}
	var names []string
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	want := []string{hashOf(good), hashOf("folder"), hashOf("link"), "notes.txt"}
	slices.Sort(want)
	if !slices.Equal(names, want) || readFile(t, outside) != "x" || readFile(t, path) == "" {
		t.Errorf("the folder has %q; want %q", names, want)
	}
	if state := k.state(); state.photos != 1 || state.bytes != int64(len(pngOf("good"))) {
		t.Errorf("the state is %+v", state)
	}
	for hash, want := range map[string]bool{hashOf(good): true, hashOf("link"): false, hashOf("folder"): false,
		"../flats.json": false, "notes.txt": false, "": false, strings.ToUpper(hashOf(good)): false} {
		file, _, err := k.open(hash)
		if (err == nil) != want || err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open %s: %v", hash, err)
		}
		if err == nil {
			file.Close()
		}
	}
	// A photo is written beside its file and renamed.
	k.client.Transport = &photoHost{}
	store.Update("gone", []byte(`{"status":"followed","photos":["http://h/new"]}`), nil)
	if !k.lookOnce(t.Context()) || len(k.queue) != 1 || !k.ask(t.Context()) || !k.lookOnce(t.Context()) {
		t.Errorf("a new photo: %+v", k.state())
	}
	info, err := os.Stat(filepath.Join(folder, hashOf("http://h/new")))
	if entries, _ = os.ReadDir(folder); err != nil || info.Mode() != 0o600 || len(entries) != len(want)+1 ||
		store.Get("gone").KeptPhotos.JSON() != `[{"url":"http://h/new","hash":"`+hashOf("http://h/new")+`"}]` {
		t.Errorf("a new photo: %v, %v, %d files", info, err, len(entries))
	}
	// A folder that was removed is made again.
	os.RemoveAll(folder)
	store.Update("gone", []byte(`{"photos":["http://h/newer"]}`), nil)
	for range 2 {
		k.lookOnce(t.Context())
		k.ask(t.Context())
	}
	readFile(t, filepath.Join(folder, hashOf("http://h/newer")))
	// Another service has the data now, so that this one removes nothing more.
	other, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.Update("read", []byte(`{"notes":"x"}`), nil)
	writeFile(t, folder, hashOf("other"), pngOf("x"))
	k.cleaned, k.sizes = time.Time{}, nil
	if k.lookOnce(t.Context()) || !isConflict(k.state().err) {
		t.Errorf("beside another service: %v", k.state().err)
	}
	readFile(t, filepath.Join(folder, hashOf("other")))
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

// A host that redirects to a private address gets no further, and nor does a name that resolves
// to one, whatever it resolved to before. No proxy changes that.
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
	k := newKeeper(store, "flats.json", 2<<30)
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
		name, at := "", 12
		for query[at] > 0 {
			name += string(query[at+1:at+1+int(query[at])]) + "."
			at += 1 + int(query[at])
		}
		question := query[12 : at+5]
		answer := slices.Concat(query[:2], []byte{0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question)
		if query[at+2] == 1 { // an A record
			if to := address(name); to != "" {
				ip := netip.MustParseAddr(to).As4()
				answer[7] = 1
				answer = slices.Concat(answer, []byte{0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4}, ip[:])
			}
		}
		binary.BigEndian.PutUint16(size[:], uint16(len(answer)))
		if _, err := conn.Write(slices.Concat(size[:], answer)); err != nil {
			return
		}
	}
}

// A kept photo is served as what it is, for ever, and as nothing that could run.
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
	s.store = store
	s = s.with(func(c *Config) { c.Data, c.KeepPhotos, c.Username, c.Password = path, true, "u", "p" })
	const password = "Basic dTpw"
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
			"Cache-Control": "private, max-age=31536000, immutable", "Content-Security-Policy": "sandbox",
			"X-Content-Type-Options": "nosniff", "Vary": "Origin"} {
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

// Assistants
// ----------

// tell sends a message of the Model Context Protocol.
func (s *service) tell(message string, header ...string) reply {
	s.Helper()
	return s.ask("POST", "/api/v1/mcp", message, header...)
}

// call calls a tool, and returns the text of the result and whether it is an error.
func (s *service) call(tool, arguments string) (text string, isError bool) {
	s.Helper()
	got := s.tell(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` +
		arguments + `}}`)
	var answer struct {
		ID     int
		Result struct {
			Content []struct{ Type, Text string }
			IsError bool
		}
	}
	err := json.Unmarshal([]byte(got.body), &answer)
	if content := answer.Result.Content; err != nil || got.status != 200 || answer.ID != 1 || len(content) != 1 ||
		content[0].Type != "text" {
		s.Fatalf("%s %.200s: %d %.500s", tool, arguments, got.status, got.body)
	}
	text = answer.Result.Content[0].Text
	if len(text) > 100_000 || !answer.Result.IsError && !json.Valid([]byte(text)) {
		s.Errorf("%s %.200s: %d bytes, %.500s", tool, arguments, len(text), text)
	}
	return text, answer.Result.IsError
}

// A message is answered by what it is: a request by its result or error, anything else by 202.
func TestMCPMessages(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	const missing = "missing"
	request := func(method, rest string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"` + method + `"` + rest + `}`
	}
	for _, c := range []struct {
		message, version string
		status           int
		answer           string // the code of an error, the result, or nothing
		id               string
	}{
		{request("ping", ""), missing, 200, `{}`, `1`},
		{request("ping", ""), "2025-06-18", 200, `{}`, `1`},
		{request("ping", ""), "2025-11-25", 200, `{}`, `1`},
		{`{"jsonrpc":"2.0","id":"\u00e4","method":"ping","params":{"_meta":{}},"x":1}`, missing, 200, `{}`, `"ä"`},
		{`{"jsonrpc":"2.0","id":"","method":"ping"}`, missing, 200, `{}`, `""`},
		{`{"jsonrpc":"2\u002e0","id":1,"method":"p\u0069ng"}`, missing, 200, `{}`, `1`},
		{request(`tools\/call`, ""), missing, 200, `-32602`, `1`},
		{`{"jsonrpc":"2.0","id":-7,"method":"ping"}`, missing, 200, `{}`, `-7`},

		{request("ping", ""), "2025-03-26", 400, `-32600`, `1`},
		{request("ping", ""), "2026-07-28", 400, `-32600`, `1`},
		{request("tools/list", ""), "latest", 400, `-32600`, `1`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2024-11-05", 400, `-32600`, ``},

		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, "2025-11-25", 202, ``, ``},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, missing, 202, ``, ``},
		{`{"jsonrpc":"2.0","method":"tools/call","params":5}`, missing, 202, ``, ``},
		{`{}`, missing, 202, ``, ``},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, missing, 202, ``, ``},
		{`{"jsonrpc":"2.0","id":"x","error":{"code":-1,"message":"m"}}`, missing, 202, ``, ``},

		{``, missing, 400, `-32700`, ``}, {`{`, missing, 400, `-32700`, ``},
		{request("ping", "") + "x", missing, 400, `-32700`, ``}, {request("\xff", ""), missing, 400, `-32700`, ``},
		{`[]`, missing, 400, `-32600`, ``}, {`[` + request("ping", "") + `]`, missing, 400, `-32600`, ``},
		{`5`, missing, 400, `-32600`, ``}, {`null`, missing, 400, `-32600`, ``}, {`"ping"`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"2.0","id":true,"method":"ping"}`, missing, 400, `-32600`, ``},
		{`{"jsonrpc":"1.0","id":1,"method":"ping"}`, missing, 400, `-32600`, `1`},
		{`{"id":1,"method":"ping"}`, missing, 400, `-32600`, `1`},
		{`{"jsonrpc":"2.0","id":1}`, missing, 400, `-32600`, `1`},
		{`{"jsonrpc":"2.0","id":1,"method":5}`, missing, 400, `-32600`, `1`},

		{request("resources/list", ""), missing, 200, `-32601`, `1`},
		{request("Ping", `,"params":5`), missing, 200, `-32601`, `1`},
		{request("ping", `,"params":[]`), missing, 200, `-32602`, `1`},
		{request("initialize", `,"params":null`), missing, 200, `-32602`, `1`},
		{request("tools/call", ``), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":"drop_flats"}`), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":7,"arguments":{}}`), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":"get_flat","arguments":null}`), missing, 200, `-32602`, `1`},
		{request("tools/call", `,"params":{"name":"get_flat","arguments":["a"]}`), missing, 200, `-32602`, `1`},
	} {
		var header []string
		if c.version != missing {
			header = []string{"MCP-Protocol-Version", c.version}
		}
		got := s.tell(c.message, header...)
		var answer members
		json.Unmarshal([]byte(got.body), &answer)
		text := string(answer["result"])
		if answer["error"] != nil {
			var failed struct {
				Code    json.Number
				Message string
			}
			json.Unmarshal(answer["error"], &failed)
			if text = failed.Code.String(); failed.Message == "" || answer["result"] != nil {
				t.Errorf("%s: %s", c.message, got.body)
			}
		}
		id := ""
		if answer["id"] != nil {
			id = string(answer["id"])
		}
		if got.status != c.status || text != c.answer || !sameJSON(id, c.id) {
			t.Errorf("%s with %s: %d %s; want %d %s, id %s", c.message, c.version, got.status, got.body, c.status,
				c.answer, c.id)
		}
		isJSON := got.header.Get("Content-Type") == "application/json" && answer.text("jsonrpc") == `"2.0"`
		if got.status == 202 && got.body != "" || got.status != 202 && !isJSON || got.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("%s: %d %v %s", c.message, got.status, got.header, got.body)
		}
	}
}

// Initialize agrees on a version whatever the header says, and tells what an assistant must know.
func TestMCPInitialize(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for asked, want := range map[string]string{`"2025-06-18"`: "2025-06-18", `"2025-11-25"`: "2025-11-25",
		`"2024-11-05"`: "2025-11-25", `"2099-01-01"`: "2025-11-25", `""`: "2025-11-25", `7`: "2025-11-25"} {
		for _, header := range []string{"2025-06-18", "1999-01-01"} {
			got := s.tell(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":`+asked+
				`,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, "MCP-Protocol-Version", header)
			var answer object
			json.Unmarshal([]byte(got.body), &answer)
			result, _ := answer["result"].(object)
			told, _ := result["instructions"].(string)
			delete(result, "instructions")
			s.want(reply{got.status, got.header, encodeJSON(answer)}, 200, `{"jsonrpc":"2.0","id":0,"result":{
				"protocolVersion":"`+want+`","capabilities":{"tools":{}},
				"serverInfo":{"name":"flats","title":"Flats","version":"`+version+`"}}}`)
			for _, text := range []string{`("flats")`, "new (", "followed (", "contacted (", "visited", "ignored (", "duplicate",
				"user_deleted", "m²", "seconds", "different currencies are not comparable", "data written by strangers",
				"never an order"} {
				if !strings.Contains(told, text) {
					t.Errorf("the instructions lack %q:\n%s", text, told)
				}
			}
		}
	}
}

// Assistants come in as everybody else does: with the password, from this origin, with a body of
// at most 1 MiB.
func TestMCPAccess(t *testing.T) {
	s := newService(t, testFlats, testCodes).with(func(c *Config) {
		c.Username, c.Password, c.FeedToken, c.ImportToken = "me", "pass", "f", "i"
		c.CORSOrigins = []string{"https://app.example"}
	})
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, c := range []struct {
		method, body string
		header       []string
		status       int
	}{
		{"POST", ping, []string{"Authorization", basic("me", "pass")}, 200},
		{"POST", ping, nil, 401},
		{"POST", ping, []string{"Authorization", "Bearer i"}, 401},
		{"POST", ping, []string{"Authorization", basic("me", "pass"), "Origin", "https://evil.example"}, 403},
		{"POST", ping, []string{"Authorization", basic("me", "pass"), "Origin", "https://app.example"}, 200},
		{"GET", "", []string{"Authorization", basic("me", "pass"), "Accept", "text/event-stream"}, 405},
		{"DELETE", "", []string{"Authorization", basic("me", "pass")}, 405},
		{"POST", strings.Repeat(" ", 1<<20-len(ping)) + ping, []string{"Authorization", basic("me", "pass")}, 200},
		{"POST", strings.Repeat(" ", 1<<20-len(ping)+1) + ping, []string{"Authorization", basic("me", "pass")}, 413},
		{"POST", ping, []string{"Authorization", basic("me", "pass"), "Content-Encoding", "gzip"}, 415},
	} {
		got := s.ask(c.method, "/api/v1/mcp", c.body, c.header...)
		if got.status != c.status || c.status == 405 && got.header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s %.60s with %q: %d %v; want %d", c.method, c.body, c.header, got.status, got.header, c.status)
		}
	}
	got := s.ask("OPTIONS", "/api/v1/mcp", "", "Origin", "https://app.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "content-type,mcp-protocol-version")
	if allowed := got.header.Get("Access-Control-Allow-Headers"); !strings.Contains(allowed, "MCP-Protocol-Version") {
		t.Errorf("a preflight allows %q", allowed)
	}
}

// The tools have a schema each, and hints that say what they change.
func TestMCPTools(t *testing.T) {
	config := `{"constraints":{"lyon":{"time_to":{"my \"work\"":{"gps":[1,2]},"gym":{"gps":[1,2]}}}}}`
	parsed, err := parseConfig("config.json", []byte(config), quiet)
	if err != nil {
		t.Fatal(err)
	}
	for arguments, people := range map[string][]string{
		"add_note id notation status visit_date":           nil,
		"add_note by id notation rating status visit_date": {"Ann", "Ben"},
	} {
		s := newService(t, testFlats, testCodes).with(func(c *Config) {
			c.Constraints, c.People = parsed.Constraints, people
		})
		var answer object
		got := s.tell(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`)
		if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
			t.Fatal(err)
		}
		tools, _ := member(answer, "result", "tools").([]any)
		listed := map[string]string{}
		for _, tool := range tools {
			name, schema := member(tool, "name").(string), member(tool, "inputSchema")
			properties := member(schema, "properties").(object)
			listed[name] = fmt.Sprint(slices.Sorted(maps.Keys(properties)), member(schema, "required"),
				member(tool, "annotations", "readOnlyHint"), member(tool, "annotations", "destructiveHint"),
				member(tool, "annotations", "idempotentHint"))
			if member(schema, "type") != "object" || member(schema, "additionalProperties") != false {
				t.Errorf("%s has the schema %v", name, schema)
			}
			for argument, property := range properties {
				if text, _ := member(property, "description").(string); len(text) < 20 || member(property, "type") == nil {
					t.Errorf("%s of %s is described by %v", argument, name, property)
				}
			}
		}
		want := map[string]string{
			"find_flats":  "[fields limit q sort where] <nil> true false true",
			"get_flat":    "[id] [id] true false true",
			"update_flat": "[" + arguments + "] [id] false true false",
		}
		if !maps.Equal(listed, want) {
			t.Errorf("the tools are %q; want %q", listed, want)
		}
		if text := member(tools[0], "description").(string); !strings.Contains(text, `time_to.gym, time_to.my "work"`) ||
			strings.Contains(text, "rating.Ann, rating.Ben") != (people != nil) ||
			strings.Contains(got.body, "{fields}") {
			t.Errorf("find_flats does not name the places: %v", tools[0])
		}
	}
}

// A call is refused as a result, so that the assistant reads why: by the schema, or with the text
// of the API.
func TestMCPRefusals(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	before := listed(s.store)
	for _, c := range []struct{ tool, arguments, want string }{
		{"find_flats", `{"limit":0}`, "Invalid limit provided: want {"},
		{"find_flats", `{"limit":51}`, "Invalid limit provided: want {"},
		{"find_flats", `{"limit":2.5}`, "Invalid limit provided: want {"},
		{"find_flats", `{"limit":"5"}`, "Invalid limit provided: want {"},
		{"find_flats", `{"limit":null}`, "Invalid limit provided: want {"},
		{"find_flats", `{"q":["a"]}`, "Invalid q provided: want {"},
		{"find_flats", `{"sort":true}`, "Invalid sort provided: want {"},
		{"find_flats", `{"where":{}}`, "Invalid where provided: want {"},
		{"find_flats", `{"fields":"title"}`, "Invalid fields provided: want {"},
		{"find_flats", `{"fields":["title",5]}`, "Invalid fields provided: want {"},
		{"find_flats", `{"page":1}`, "Invalid page provided: there is no such argument."},
		{"find_flats", `{"Q":"x"}`, "Invalid Q provided: there is no such argument."},
		{"find_flats", `{"where":"q=a","q":"b"}`, "Invalid q provided: where has q, too: give only one of them."},
		{"find_flats", `{"where":"q=","q":""}`, "Invalid q provided: where has q, too: give only one of them."},
		{"find_flats", `{"where":"sort=cost"}`, `"sort" is not a condition`},
		{"find_flats", `{"where":"page%5Bsize%5D=9"}`, `"page%5Bsize%5D" is not a condition`},
		{"find_flats", `{"where":"fields=title"}`, `"fields" is not a condition`},
		{"find_flats", `{"where":"` + strings.Repeat("q=a&", 1100) + `"}`, "want at most 4096 bytes, got 4400"},
		{"find_flats", `{"where":"min[title]=5"}`,
			"Invalid min[title] provided: only number and datetime fields have ranges."},
		{"find_flats", `{"where":"max[cost]=cheap"}`, `Invalid max[cost] provided: want a finite number, got "cheap".`},
		{"find_flats", `{"where":"any[balcony]=1"}`, "Invalid any[balcony] provided: there is no such field."},
		{"find_flats", `{"sort":"-nope"}`, "Invalid sorting key provided: -nope."},
		{"find_flats", `{"sort":""}`, "Invalid sorting key provided: ."},
		{"find_flats", `{"fields":["nope"]}`, `Invalid fields provided: "nope": there is no such field.`},
		{"get_flat", `{}`, "Invalid id provided: is missing."},
		{"get_flat", `{"id":true}`, "Invalid id provided: want {"},
		{"get_flat", `{"id":1.5}`, "Invalid id provided: want {"},
		{"get_flat", `{"id":"nope"}`, "No flat with id nope."},
		{"get_flat", `{"id":"a","fields":["title"]}`, "Invalid fields provided: there is no such argument."},
		{"update_flat", `{"status":"new"}`, "Invalid id provided: is missing."},
		{"update_flat", `{"id":"nope","status":"new"}`, "No flat with id nope."},
		{"update_flat", `{"id":"a","status":"interesting"}`, "Invalid status provided: want {"},
		{"update_flat", `{"id":"a","status":null}`, "Invalid status provided: want {"},
		{"update_flat", `{"id":"a","notation":6}`, "Invalid notation provided: want {"},
		{"update_flat", `{"id":"a","notation":"5"}`, "Invalid notation provided: want {"},
		{"update_flat", `{"id":"a","visit_date":"tomorrow"}`,
			`Invalid payload provided: visit_date: want an ISO 8601 datetime such as 2026-12-01T18:00 or ` +
				`2026-12-01T18:00:00+01:00, got "tomorrow".`},
		{"update_flat", `{"id":"a","status":"visited","visit_date":"x"}`, "Invalid payload provided: visit_date: want an"},
		{"update_flat", `{"id":"a","notes":"x"}`, "Invalid notes provided: there is no such argument."},
		{"update_flat", `{"id":"a","cost":1}`, "Invalid cost provided: there is no such argument."},
		{"update_flat", `{"id":"a","add_note":""}`, "Invalid add_note provided: must not be empty."},
		{"update_flat", `{"id":"a","add_note":" \n"}`, "Invalid add_note provided: must not be empty."},
		{"update_flat", `{"id":"a","add_note":5}`, "Invalid add_note provided: want {"},
	} {
		if text, isError := s.call(c.tool, c.arguments); !isError || !strings.HasPrefix(text, c.want) {
			t.Errorf("%s %.100s: %s, %t; want %s", c.tool, c.arguments, text, isError, c.want)
		}
	}
	if !slices.Equal(listed(s.store), before) {
		t.Error("a refused call has changed a flat")
	}
	if text, _ := s.call("get_flat", `{"id":"`+strings.Repeat("ä", 100_000)+`"}`); !strings.HasSuffix(text, "…") {
		t.Errorf("the error is %d bytes long and ends in %q", len(text), text[len(text)-10:])
	}
	s.store.Close()
	if text, isError := s.call("update_flat", `{"id":"a","status":"new"}`); !isError ||
		!strings.Contains(s.logs.String(), "request failed") {
		t.Errorf("a failure of the service: %s, %t, log %s", text, isError, s.logs)
	}
}

// Find_flats finds what GET /find finds.
func TestFindFlats(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	for _, c := range []struct{ arguments, want string }{
		{`{}`, "d a 7 e b of 5"}, // by cost, null first
		{`{"limit":2}`, "d a of 5"},
		{`{"limit":2.0}`, "d a of 5"},
		{`{"q":"loft"}`, "e b of 2"},
		{`{"q":"loft -zzz OR a&b=c;#%"}`, "e b of 2"},
		{`{"where":"q=loft"}`, "e b of 2"},
		{`{"q":"loft","where":"min[cost]=1000"}`, "b of 1"},
		{`{"where":"max[cost]=700&known[cost]=yes","sort":"-cost,title"}`, "7 e a of 3"},
		{`{"where":"max%5Bcost%5D=600&unknown=cost"}`, "d a of 2"},
		{`{"where":"any[status]=new&any[status]=followed"}`, "a b of 2"},
		{`{"where":"not[status]=new&filter[area]=80"}`, "7 of 1"},
		{`{"where":"filter[title]=nothing"}`, "of 0"},
		{`{"sort":"-id"}`, "e d b a 7 of 5"},
	} {
		text, isError := s.call("find_flats", c.arguments)
		var answer struct {
			Total int
			Data  []struct {
				ID   any
				Link string
			}
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil || isError {
			t.Errorf("%s: %v, %s", c.arguments, err, text)
		}
		got := ""
		for _, row := range answer.Data {
			got += fmt.Sprint(row.ID, " ")
			if want := fmt.Sprint("https://flats.example/#/flat/", row.ID); row.Link != want {
				t.Errorf("%s: the link is %s; want %s", c.arguments, row.Link, want)
			}
		}
		if got += fmt.Sprint("of ", answer.Total); got != c.want {
			t.Errorf("%s: %s; want %s", c.arguments, got, c.want)
		}
	}
	for arguments, want := range map[string]string{
		`{"where":"filter[id]=a"}`: `{"id":"a","title":"Studio","cost":500,"currency":null,"area":20.5,"rooms":null,
			"place":"69007 Lyon 7e","status":"followed","travel_time":null,"first_seen":null,
			"link":"https://flats.example/#/flat/a"}`,
		`{"where":"filter[id]=b","fields":["cost","x","photos"]}`: ``,
		`{"where":"filter[id]=b","fields":["cost","photos","cost_per_area","cost"]}`: `{"id":"b","cost":1200.00,
			"photos":[{"url":"https://example.org/1.jpg"}],"cost_per_area":15,"link":"https://flats.example/#/flat/b"}`,
		`{"where":"filter[id]=7","fields":[]}`: `{"id":7,"link":"https://flats.example/#/flat/7"}`,
	} {
		text, isError := s.call("find_flats", arguments)
		if isError != (want == "") || !isError && !sameJSON(text, `{"total":1,"data":[`+want+`]}`) {
			t.Errorf("%s: %s\nwant %s", arguments, text, want)
		}
	}
	s = newService(t, manyFlats(60, `"cost":1`), testCodes)
	for arguments, want := range map[string]int{`{}`: 20, `{"limit":1}`: 1, `{"limit":50}`: 50} {
		text, _ := s.call("find_flats", arguments)
		if got := strings.Count(text, `"link"`); got != want || !strings.HasPrefix(text, `{"total":60,`) {
			t.Errorf("%s: %d rows; want %d in %s", arguments, got, want, text)
		}
	}
}

// Get_flat has what version 1 serves, and what is derived from it. No listing replaces that.
func TestGetFlat(t *testing.T) {
	s := newService(t, `[{"id":"a b","title":"T","cost":500,"area":20,"x":[1, 2],"link":"http://evil/","site":"s",
		"gps":[1,2],"first_seen":"2026-01-02","gone":null,"corrected":{"cost":600},"status_since":"2026-01-03T00:00:00Z",
		"service_time_to":{"work":{"time":600}}},{"id":7}]`, testCodes)
	text, _ := s.call("get_flat", `{"id":"a b"}`)
	want := `{"id":"a b","title":"T","text":null,"area":20,"cost":500,"currency":null,"utilities":null,"rooms":null,
		"bedrooms":null,"date":null,"location":null,"station":null,"phone":null,"photos":null,"urls":null,"details":null,
		"merged_ids":null,"notes":null,"notation":null,"status":"new","visit_date":null,"service_constraint":null,
		"service_postal_code":{},"service_stations":null,"service_time_to":{"work":{"time":600}},"first_seen":"2026-01-02",
		"x":[1,2],"gps":[1,2],"cost_per_area":25,"travel_time":600,"site":null,"lat":1,"lng":2,"precision":"own",
		"place":null,"url":null,"priced":1,"price":500,"changed":null,"status_since":"2026-01-03T00:00:00Z",
		"found_position":null,"status_by":null,"ratings":null,"kept_photos":null,"link":"https://flats.example/#/flat/a%20b"}`
	if !sameJSON(text, want) {
		t.Errorf("got %s\nwant %s", text, want)
	}
	for _, id := range []string{`7`, `"7"`} {
		if text, isError := s.call("get_flat", `{"id":`+id+`}`); isError || !strings.Contains(text, `"id":7,`) {
			t.Errorf("%s: %s", id, text)
		}
	}
}

// Update_flat sets what it is told, as PATCH does. It adds to the notes, and replaces none.
func TestUpdateFlat(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.store.now = func() time.Time { return time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC) }
	for _, c := range []struct{ arguments, field, want string }{
		{`{"id":"b","status":"followed"}`, "status", `"followed"`},
		{`{"id":"b"}`, "status_since", `"2026-05-06T07:08:09Z"`},
		{`{"id":"b","notation":4.5,"visit_date":"2026-12-01T18:00"}`, "notation", `4.5`},
		{`{"id":"b","notation":null}`, "visit_date", `"2026-12-01T18:00"`},
		{`{"id":"b","visit_date":null}`, "notation", `null`},
		{`{"id":"b","add_note":"quiet"}`, "notes", `"quiet"`},
		{`{"id":"b","add_note":"two\r\nlines\nand\rmore\u2028here","status":"contacted"}`, "notes",
			`"quiet\ntwo lines and more here"`},
		{`{"id":"b","status":"ignored"}`, "notes", `"quiet\ntwo lines and more here"`},
		{`{"id":7,"add_note":"\"<&"}`, "notes", `"\"<&"`},
		{`{"id":"7","status":"visited"}`, "status", `"visited"`},
	} {
		text, isError := s.call("update_flat", c.arguments)
		var flat members
		json.Unmarshal([]byte(text), &flat)
		read, _ := s.call("get_flat", `{"id":`+flat.text("id")+`}`)
		if isError || flat.text(c.field) != c.want || read != text {
			t.Errorf("%s: %s is %s; want %s in %s", c.arguments, c.field, flat.text(c.field), c.want, text)
		}
	}
	hunters := s.with(func(c *Config) { c.People = []string{"Ann", "Ben"} })
	for _, c := range []struct{ arguments, field, want string }{
		{`{"id":"b","rating":4,"by":"Ann"}`, "ratings", `{"Ann":4}`},
		{`{"id":"b","rating":2,"by":"Ben","status":"followed"}`, "status_by", `"Ben"`},
		{`{"id":"b","by":"Ann"}`, "notation", `3`},
		{`{"id":"b","rating":null,"by":"Ben"}`, "notation", `4`},
		{`{"id":"b","status":"visited"}`, "status_by", `null`},
		{`{"id":"b","rating":5}`, "", "Invalid payload provided: rating: "},
		{`{"id":"b","rating":5,"notation":5,"by":"Ann"}`, "", "Invalid payload provided: "},
		{`{"id":"b","rating":6,"by":"Ann"}`, "", "Invalid rating provided: want {"},
		{`{"id":"b","rating":5,"by":"Cid"}`, "", "Invalid by provided: want {"},
	} {
		text, isError := hunters.call("update_flat", c.arguments)
		var flat members
		json.Unmarshal([]byte(text), &flat)
		if isError != (c.field == "") || isError && !strings.HasPrefix(text, c.want) ||
			!isError && flat.text(c.field) != c.want {
			t.Errorf("%s: %s; want %s", c.arguments, text, c.want)
		}
	}
	if text, isError := s.call("update_flat", `{"id":"b","by":"Ann"}`); !isError {
		t.Errorf("without people: %s", text)
	}
	// Lines that are added at the same time all stay.
	var lines sync.WaitGroup
	for i := range 20 {
		lines.Go(func() { s.call("update_flat", fmt.Sprintf(`{"id":"a","add_note":"line %d"}`, i)) })
	}
	lines.Wait()
	if notes := s.store.Get("a").Notes.String(); len(strings.Split(notes, "\n")) != 20 {
		t.Errorf("the notes are %q", notes)
	}
	// So does a line that comes while another one is added.
	before := s.store.Get("d")
	s.call("update_flat", `{"id":"d","add_note":"first"}`)
	a := &assistants{server: &server{config: s.config, store: s.store}}
	after, err := a.updateFlat(before, members{"add_note": []byte(`"second"`)})
	if err != nil || after.Notes.String() != "first\nsecond" {
		t.Errorf("%v, %q", err, s.store.Get("d").Notes.String())
	}
	// A large flat does not grow beyond its bound.
	s = newService(t, `[{"id":"a","text":"`+strings.Repeat("x", maxFlat-1000)+`"}]`, "[]")
	text, isError := s.call("update_flat", `{"id":"a","add_note":"`+strings.Repeat("n", 1000)+`"}`)
	if !isError || !strings.Contains(text, errLarge.Error()) {
		t.Errorf("a flat that is too large: %.300s", text)
	}
}

// An answer has at most 100,000 bytes. All rows stay, and what is longest is cut.
func TestMCPSize(t *testing.T) {
	t.Parallel()
	const long = 120_000
	rows := []int{1}
	if *whole {
		rows = append(rows, 10)
	}
	photos := `["data:image/png;base64,AAAA","http://p/1",{"url":"data:,x"},{"url":"http://p/2","n":1}]`
	deep := strings.Repeat("[", 4000) + strings.Repeat("]", 4000)
	for _, c := range []struct{ members, arguments, want string }{
		{`"photos":` + photos, `{"fields":["photos"]}`, `"photos":["http://p/1",{},{"n":1,"url":"http://p/2"}]`},
		{`"text":"data:text/plain,x","title":"data: none"`, `{"fields":["text","title"]}`, `{"id":"f0@s","link":`},
		{`"text":"a data: text"`, `{"fields":["text"]}`, `"text":"a data: text"`},
		{`"title":"short","text":"` + strings.Repeat("é", long) + `"`, `{"fields":["title","text"]}`,
			`éé…","title":"short"`},
		{`"title":"` + strings.Repeat(`\"\u2028\n`, long/4) + `"`, `{"fields":["title"]}`, `…"`},
		{`"photos":` + listOf(long, `"http://p/%[1]d"`), `{"fields":["photos","title"]}`, `,"…"],"title":null`},
		{`"details":{` + strings.TrimSuffix(filled(long, `"name %[1]d":1,`), ",") + `}`, `{"fields":["details"]}`,
			`,"…":"…"}`},
		{`"details":{"` + strings.Repeat("n", long) + `":1}`, `{"fields":["details"]}`, `nn…":1}`},
		{`"details":{"n":` + strings.Repeat("1", long) + `}`, `{"fields":["details"]}`, `11…"}`},
		{`"details":` + deep, `{"fields":["details"]}`, `["…"]`},
		{`"title":"` + strings.Repeat("\U0001F600", long) + `"`, `{"fields":["title"]}`, "\U0001F600…\""},
	} {
		for _, n := range rows {
			s := newService(t, manyFlats(n, c.members), "[]")
			args := strings.TrimSuffix(c.arguments, "}") + `,"limit":50,"sort":"id"}`
			text, isError := s.call("find_flats", args)
			var answer struct{ Data []struct{ ID, Link string } }
			json.Unmarshal([]byte(text), &answer)
			if isError || len(answer.Data) != n || !strings.Contains(text, c.want) ||
				strings.Contains(text, `"data:`) && !strings.Contains(text, `"data":`) {
				t.Errorf("%d rows with %.40s: %d rows in %d bytes: %.200s … %.200s; want %s", n, c.members, len(answer.Data),
					len(text), text, text[max(0, len(text)-200):], c.want)
			}
			for _, row := range answer.Data {
				if got := s.store.Get(row.ID); got == nil || row.Link != "https://flats.example/#/flat/"+row.ID {
					t.Errorf("there is a row %v", row)
				}
			}
			if whole, _ := s.call("get_flat", `{"id":"f0@s"}`); !strings.Contains(whole, `"id":"f0@s"`) {
				t.Errorf("%.40s: %.300s", c.members, whole)
			}
			if strings.Contains(text, "…") && len(text) < 50_000 && !strings.HasPrefix(c.members, `"details"`) {
				t.Errorf("%.40s: only %d bytes", c.members, len(text))
			}
		}
	}
	// What fits is whole, also as the longest of all.
	text, _ := newService(t, `[{"id":"f0@s","text":"`+strings.Repeat("x", 95_000)+`"},{"id":1},{"id":2}]`, "[]").call(
		"find_flats", `{"fields":["text"]}`)
	if strings.Contains(text, "…") {
		t.Errorf("%d bytes were cut", len(text))
	}
	// Ids that take all of an answer leave the rows.
	ids := ""
	for i := range 50 {
		ids += fmt.Sprintf(`,{"id":"%s%02d","notes":"n"}`, strings.Repeat(`\u0001`, 1022), i)
	}
	text, _ = newService(t, "["+ids[1:]+"]", "[]").call("find_flats", `{"limit":50,"fields":["notes"]}`)
	if rows := strings.Count(text, "{") - 1; rows != 50 {
		t.Errorf("%d rows: %.300s", rows, text)
	}
}

// The calls in docs/api.md that answer people's questions find what stands there.
func TestDocumentedQuestions(t *testing.T) {
	s, _ := described(t)
	row := regexp.MustCompile("(?m)^\\| [A-Z].* \\| `([a-z_]+)` \\| `({.*})` \\| ([0-9]*) ?\\|$")
	rows := row.FindAllStringSubmatch(readFile(t, "docs/api.md"), -1)
	for _, row := range rows {
		text, isError := s.call(row[1], row[2])
		var answer struct{ Total json.Number }
		if json.Unmarshal([]byte(text), &answer); isError || answer.Total.String() != row[3] {
			t.Errorf("%s: %.300s; want %s", row[2], text, row[3])
		}
	}
	if len(rows) != 10 {
		t.Errorf("there are %d questions; want 10", len(rows))
	}
	if f := s.store.Get("lyon-1042@example"); f.Status.String() != "contacted" || f.Notation.JSON() != "4" ||
		!strings.HasSuffix(f.Notes.String(), "\nCalled, they ring back on Monday.") {
		t.Errorf("the flat is %s", f.JSON())
	}
}

// Description
// -----------

// The OpenAPI description has exactly the routes of the table, each with its method and
// OPTIONS.
func TestOpenAPIRoutes(t *testing.T) {
	_, description := described(t)
	if description["openapi"] != "3.1.0" || member(description, "servers", "0", "url") != "https://flats.example" {
		t.Errorf("openapi %v, servers %v", description["openapi"], description["servers"])
	}
	var served, documented []string
	for _, route := range (&server{config: defaultConfig(), store: newService(t, "[]", "[]").store}).table() {
		if path := strings.NewReplacer("{$}", "", "...", "").Replace(route.path); strings.HasPrefix(path, "/api/") {
			served = append(served, "OPTIONS "+path, route.method+" "+path)
		}
	}
	ids := map[any]bool{}
	for path, methods := range description["paths"].(object) {
		// The parameters in braces belong to all operations of the path.
		var inPath []string
		parameters, _ := member(methods, "parameters").([]any)
		for _, parameter := range parameters {
			if member(parameter, "in") != "path" || member(parameter, "required") != true {
				t.Errorf("%s has the parameter %v", path, parameter)
			}
			inPath = append(inPath, "{"+member(parameter, "name").(string)+"}")
		}
		if want := regexp.MustCompile(`{[^}]*}`).FindAllString(path, -1); !slices.Equal(inPath, want) {
			t.Errorf("%s has the parameters %q; want %q", path, inPath, want)
		}
		delete(methods.(object), "parameters")
		for method, operation := range methods.(object) {
			documented = append(documented, strings.ToUpper(method)+" "+path)
			id, summary := member(operation, "operationId"), member(operation, "summary")
			if ids[id] || id == "" || summary == "" {
				t.Errorf("%s %s: operationId %v, summary %v", method, path, id, summary)
			}
			ids[id] = true
		}
	}
	slices.Sort(served)
	slices.Sort(documented)
	served = slices.Compact(served) // OPTIONS stands once for several methods
	if !slices.Equal(documented, served) {
		t.Errorf("described %q\nserved    %q", documented, served)
	}
}

// The OpenAPI description has each field with its types, and each parameter with the
// fields that it accepts.
func TestOpenAPIFields(t *testing.T) {
	_, description := described(t)
	const numbers, dates, derived = "area cost rooms bedrooms notation", "date visit_date first_seen gone",
		"cost_per_area travel_time site priced price gps lat lng place url changed status_since status_by ratings " +
			"corrected precision found_position kept_photos"
	const texts = "title text currency utilities location station phone notes service_constraint"
	const flat = "id service_postal_code photos urls details merged_ids status service_stations service_time_to " +
		"cost_history not_duplicates " + numbers + " " + dates + " " + texts
	words := func(texts ...string) []string {
		return slices.Sorted(slices.Values(strings.Fields(strings.Join(texts, " "))))
	}
	names := func(properties any) []string {
		named, _ := properties.(object)
		return slices.Sorted(maps.Keys(named))
	}
	for name, want := range map[string]string{
		"Flat": flat, "Row": flat + " " + derived, "FlatChange": flat + " rating", "Listing": flat,
		"PostalCode": "postal_code name lat lng area",
	} {
		got := names(member(description, "components", "schemas", name, "properties"))
		if !slices.Equal(got, words(want)) {
			t.Errorf("%s has %q; want %s", name, got, want)
		}
	}
	for types, fields := range map[string]string{"[number null]": numbers, "[string null]": dates + " " + texts,
		"[string integer]": "id", "<nil>": "photos status"} {
		for _, field := range strings.Fields(fields) {
			property := referenced(description, member(description, "components", "schemas", "Flat", "properties",
				field))
			if got := fmt.Sprint(member(property, "type")); got != types {
				t.Errorf("%s has the types %s; want %s", field, got, types)
			}
		}
	}
	const travelTimes, ratings = `^time_to[.][^,\[\]]+$`, `^rating[.][^,\[\]]+$`
	view := words(flat, derived, travelTimes, ratings)
	ranged := words(numbers, dates, "cost_per_area travel_time lat lng priced price changed status_since", travelTimes,
		ratings)
	list := func(fields []string) map[string][]string {
		return map[string][]string{"filter": fields, "page": {"number", "size"}, "sort": nil}
	}
	for route, want := range map[string]map[string][]string{
		"/api/v1/flats get": list(words(flat)), "/api/v1/search post": list(words(flat)),
		"/api/v1/opendata/postal_codes get": list(words("postal_code name lat lng area")),
		"/api/v1/flats/{id} get":            {}, "/api/v1/flat/{id} patch": {"If-Match": nil, "by": nil},
		"/api/v1/ics/visits.ics get": {"token": nil}, "/api/v1/import post": {"complete": nil},
		"/api/v1/find get": {"filter": view, "page": {"number", "size"}, "sort": nil, "q": nil, "any": view,
			"not": view, "min": ranged, "max": ranged,
			"known": view, "unknown": nil, "nulls": nil, "fields": nil, "counts": nil, "format": nil},
	} {
		path, method, _ := strings.Cut(route, " ")
		got := map[string][]string{}
		parameters, _ := member(description, "paths", path, method, "parameters").([]any)
		for _, parameter := range parameters {
			parameter = referenced(description, parameter)
			fields := names(member(parameter, "schema", "properties"))
			if fields == nil {
				fields = schemaNames(description, member(parameter, "schema", "propertyNames"))
				slices.Sort(fields)
			}
			got[member(parameter, "name").(string)] = fields
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s has the parameters %q\nwant %q", route, got, want)
		}
	}
}

// schemaNames returns the texts that a schema enumerates, and the patterns that it has.
func schemaNames(description object, schema any) (names []string) {
	schema = referenced(description, schema)
	enum, _ := member(schema, "enum").([]any)
	for _, text := range enum {
		names = append(names, text.(string))
	}
	if pattern, ok := member(schema, "pattern").(string); ok {
		names = append(names, pattern)
	}
	alternatives, _ := member(schema, "anyOf").([]any)
	for _, alternative := range alternatives {
		names = append(names, schemaNames(description, alternative)...)
	}
	return names
}

// The examples in the OpenAPI description match its schemas and the service's answers.
func TestOpenAPIExamples(t *testing.T) {
	s, description := described(t)
	// Make the lists of duplicates and imports non-empty.
	s.ask("POST", "/api/v1/import", `[{"id":"a","cost":900,"area":50,"phone":"1"},`+
		`{"id":7,"cost":900,"area":50,"phone":"1","not_duplicates":["b",8]}]`)
	s.ask("POST", "/api/v1/import", `[{}]`)
	s.ask("PUT", "/api/v1/views/Two%20rooms", `{"query":"q=x"}`)
	check := func(what string, schema, value any) {
		if err := fitsSchema(description, schema, value); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for path, methods := range description["paths"].(object) {
		for method, operation := range methods.(object) {
			isFile := path == "/api/v1/openapi.json" || path == "/api/v1/photos/{hash}"
			if method == "options" || method == "parameters" || method == "delete" || isFile {
				continue
			}
			body, what := "", method+" "+path
			if content := member(operation, "requestBody", "content", "application/json"); content != nil {
				check(what+", the body", member(content, "schema"), member(content, "example"))
				body = encodeJSON(member(content, "example"))
			}
			for contentType, content := range member(operation, "responses", "200", "content").(object) {
				target := strings.NewReplacer("{id}", "lyon-1042@example", "{name}", "Two%20rooms").Replace(path)
				got := s.ask(strings.ToUpper(method), target, body, "Accept", contentType)
				if got.status != 200 || got.header.Get("Content-Type") != contentType {
					t.Errorf("%s: %d %v; want %s", what, got.status, got.header, contentType)
				}
				example := member(content, "example")
				if text, ok := example.(string); ok {
					if first := strings.SplitAfter(text, ",")[0]; !strings.HasPrefix(got.body, first) {
						t.Errorf("%s: %.40q; want a body like %q", what, got.body, text)
					}
					continue
				}
				var answer any
				if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
					t.Errorf("%s: %v", what, err)
				}
				check(what+", the example", member(content, "schema"), example)
				check(what+", the answer", member(content, "schema"), answer)
			}
		}
	}
	problem := member(description, "components", "responses", "Error", "content", "application/json")
	check("the example of an error", member(problem, "schema"), member(problem, "example"))
}

// referenced resolves a $ref; it returns any other value unchanged.
func referenced(description object, value any) any {
	if ref, ok := member(value, "$ref").(string); ok {
		return member(description, strings.Split(ref, "/")[1:]...)
	}
	return value
}

// fitsSchema returns an error if a value does not match a schema of the description.
func fitsSchema(description object, schema, value any) error {
	schema = referenced(description, schema)
	kind := map[string]string{"string": "string", "float64": "number", "<nil>": "null", "bool": "boolean",
		"[]interface {}":          "array",
		"map[string]interface {}": "object"}[fmt.Sprintf("%T", value)]
	types := fmt.Sprint(member(schema, "type"))
	number, _ := value.(float64)
	integer := kind == "number" && number == float64(int64(number)) && strings.Contains(types, "integer")
	if types != "<nil>" && !strings.Contains(types, kind) && !integer {
		return fmt.Errorf("%v is of type %s; want %s", value, kind, types)
	}
	required, _ := member(schema, "required").([]any)
	for _, name := range required {
		if _, ok := value.(object)[name.(string)]; !ok {
			return fmt.Errorf("the required member %v is missing", name)
		}
	}
	var err error
	switch value := value.(type) {
	case object:
		for name, value := range value {
			described := cmp.Or(member(schema, "properties", name), member(schema, "additionalProperties"))
			if described == nil && member(schema, "properties") != nil {
				return fmt.Errorf("the member %s is not described", name)
			}
			if described != nil {
				err = cmp.Or(err, fitsSchema(description, described, value))
			}
		}
	case []any:
		for _, value := range value {
			err = cmp.Or(err, fitsSchema(description, member(schema, "items"), value))
		}
	}
	return err
}

// The commands in docs/api.md, run in order, print the documented output. An ellipsis (…)
// matches any text.
func TestDocumentedExamples(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil && os.Getenv("CI") == "" {
			t.Skip(err)
		}
	}
	p := start(t, t.TempDir(), "-sample")
	examples := 0
	for block := range strings.SplitSeq(readFile(t, "docs/api.md"), "\n\n") {
		command, isExample := strings.CutPrefix(block, "    $ ")
		if !isExample {
			continue
		}
		examples++
		command, want, _ := strings.Cut(command, "\n    ")
		want = strings.ReplaceAll(want, "\n    ", "\n")
		script := strings.ReplaceAll(command, "http://127.0.0.1:8080", p.url)
		out, err := exec.Command("sh", "-c", script).CombinedOutput()
		got := strings.TrimSpace(string(out))
		pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", ".+")
		if err != nil || !regexp.MustCompile("(?s)^"+pattern+"$").MatchString(got) {
			t.Errorf("%s: %v\n%s\nwant\n%s", command, err, got, want)
		}
	}
	if examples < 9 || examples != strings.Count(readFile(t, "docs/api.md"), "$ curl") {
		t.Errorf("ran %d examples; want every $ curl in docs/api.md, at least 9", examples)
	}
	p.stop()
}

// Command
// -------

// The program logs the path of its data, serves requests, and shuts down cleanly.
func TestProgram(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "config.json", `{"data": "d/my.json", "website_url": "https://flats.example/", "unknown_key": 1, `+
		`"constraints": {"x": {"cost": [1, 2]}}}`)
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "d"), "my.json", `[{"id":1,"title":"a"}]`)
	p := start(t, dir, "-access-log")
	if status, body := p.do("PATCH", "/api/v1/flat/1", `{"status":"followed"}`); status != 200 {
		t.Errorf("PATCH: %d %s", status, body)
	}
	p.do("GET", "/api/v1/ics/visits.ics?token=secret-token", "")
	p.stop()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"data=" + filepath.Join(real, "d", "my.json"), "flats=1", "key=constraints.x.cost",
		"key=unknown_key",
		"client=127.0.0.1:", "method=PATCH path=/api/v1/flat/1 status=200", "msg=stopping"} {
		if !strings.Contains(p.stderr.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, p.stderr)
		}
	}
	if strings.Contains(p.stderr.String(), "secret-token") {
		t.Errorf("the log contains the token:\n%s", p.stderr)
	}
	if got := readFile(t, filepath.Join(dir, "d", "my.json")); !strings.Contains(got, `"status":"followed"`) {
		t.Errorf("the data file is %s; want the updated status", got)
	}
	// A flag overrides the config file, and -log-json logs in JSON.
	p = start(t, dir, "-data", "other.json", "-log-json")
	p.stop()
	if !strings.Contains(p.stderr.String(), `"msg":"the data file does not exist yet: the first flat creates it"`) {
		t.Errorf("the log is\n%s", p.stderr)
	}
}

// The program keeps views, and tells a receiver about an import.
func TestProgramNotify(t *testing.T) {
	titles := make(chan string, 9)
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		titles <- r.Header.Get("Title")
	}))
	defer ts.Close()
	dir := t.TempDir()
	writeFile(t, dir, "config.json", `{"notify": {"url": "`+ts.URL+`/secret"}}`)
	p := start(t, dir)
	p.do("PUT", "/api/v1/views/all", `{"query":"","notify":true}`)
	p.do("POST", "/api/v1/import", `[{"id":1}]`)
	select {
	case title := <-titles:
		if title != "all: 1 new" {
			t.Errorf("the title is %q", title)
		}
	case <-time.After(time.Minute):
		t.Error("no message came within a minute")
	}
	p.stop()
	p = start(t, dir)
	if status, body := p.do("GET", "/api/v1/views", ""); status != 200 || !strings.Contains(body, `"name":"all"`) {
		t.Errorf("after a restart: %d %s", status, body)
	}
	p.stop()
	if strings.Contains(p.stderr.String(), "secret") || len(titles) > 0 {
		t.Errorf("%d messages more, the log is\n%s", len(titles), p.stderr.String())
	}
}

// The program keeps photos where the config says so, and a file that a listing names is safe.
func TestProgramPhotos(t *testing.T) {
	for config, want := range map[string]string{`{}`: `{"configured":false,"photos":0,`,
		`{"keep_photos":true}`: `{"configured":true,"photos":1,`} {
		dir := t.TempDir()
		writeFile(t, dir, "config.json", config)
		writeFile(t, dir, "flats.json", `[{"id":"a","status":"followed","photos":["http://127.0.0.1/private","http://h/1"],
			"kept_photos":[{"url":"http://h/1","hash":"`+hashOf("http://h/1")+`"},{"url":"x","hash":"../flats.json"}]}]`)
		folder := filepath.Join(dir, "photos")
		os.Mkdir(folder, 0o700)
		writeFile(t, folder, hashOf("http://h/1"), pngOf("1"))
		p := start(t, dir)
		p.do("POST", "/api/v1/import", `[{"id":"b","kept_photos":[{"url":"../flats.json","hash":"../flats.json"}]}]`)
		isKept := strings.Contains(config, "keep")
		p.await("the photo to fail", func() bool {
			_, state := p.do("GET", "/api/v1/photos", "")
			return strings.Contains(state, want) && strings.Contains(state, "not a public address") == isKept
		})
		if status, body := p.do("GET", "/api/v1/photos/"+hashOf("http://h/1"), ""); status != 200 || body != pngOf("1") {
			t.Errorf("%s: %d %q", config, status, body)
		}
		p.stop()
		if got := readFile(t, filepath.Join(dir, "flats.json")); !strings.Contains(got, `"id":"b"`) ||
			strings.Contains(got, "../flats.json") {
			t.Errorf("%s: flats.json is %s", config, got)
		}
	}
}

// The sample is served from memory, so nothing is written to disk, and its visits are
// always in the future.
func TestSample(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, "-sample")
	status, body := p.do("PATCH", "/api/v1/flat/4711", `{"notes":"tried"}`)
	if status != 200 || !strings.Contains(body, `"notes":"tried"`) {
		t.Errorf("PATCH: %d %s", status, body)
	}
	status, body = p.do("POST", "/api/v1/import", `[{"id":"tried"}]`)
	if status != 200 || !strings.Contains(body, `"added":1`) {
		t.Errorf("import: %d %s", status, body)
	}
	_, feed := p.do("GET", "/api/v1/ics/visits.ics", "")
	now := time.Now().UTC().Format("20060102T150405")
	starts := regexp.MustCompile("DTSTART:(.*?)Z?\r").FindAllStringSubmatch(feed, -1)
	for _, start := range starts {
		if start[1] < now {
			t.Errorf("a visit is in the past: %s", start[1])
		}
	}
	if len(starts) < 3 {
		t.Errorf("%d visits; want at least 3", len(starts))
	}
	p.stop()
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("the folder contains %v; want no files", entries)
	}
	// The visits are in the future on any date.
	for day := range 15 {
		config, err := options{sample: true}.config(quiet)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Date(2031, 12, 20+day, 23, 59, 0, 0, time.UTC)
		store := openSample(config, now, quiet)
		for _, f := range store.snapshot().all() {
			if f.VisitDate.Known() && f.VisitDate.at.Before(now) {
				t.Errorf("started at %v, a visit is in the past: %v", now, f.VisitDate.at)
			}
		}
		for _, f := range store.snapshot().all() {
			if f.ServicePostalCode.entry == nil {
				t.Errorf("flat %s has a postal code that is not in the sample", f.ID.String())
			}
			// Its times are as if they had been computed.
			lat, lng, precision := f.position()
			times, _ := timesIn(f.ServiceTimeTo.JSON())
			for name, text := range times {
				place, estimated := config.Constraints[f.ServiceConstraint.String()].Places[name], estimate{Precision: precision,
					From: [2]float64{lat.number, lng.number}, Arrive: "09:00"}
				want := travelTime{GPS: place.gps, Mode: place.mode, Estimated: estimated}
				if isEstimated(text) && !want.isSame(text) {
					t.Errorf("flat %s: %s: %s; want %s with a time", f.ID.String(), name, text, encodeJSON(want))
				}
			}
		}
		store.Close()
	}
}

// An error at start is reported on one line with exit status 1. A command line error has
// exit status 2. Help and version have exit status 0.
func TestCommandLine(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "bad.json", "{\n\"addr\": 5}")
	writeFile(t, dir, "flats.json", "[\n{}]")
	writeFile(t, dir, "listings.json", `[{"id":"1@ss"}]`)
	writeFile(t, dir, "of-a.json", `{"complete":"a","data":{"id":"1@a"}}`)
	writeFile(t, dir, "of-b.json", `{"complete":"b","data":{"id":"1@b"}}`)
	writeFile(t, dir, "codes.json", `{"postal_codes": ["FR.txt"]}`)
	writeFile(t, dir, "FR.txt", "FR\t75001\tParis\tx\t11\tx\tx\tx\tx\tnorth\t2.3\t5\n")
	occupied, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer occupied.Close()
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"-version", 0, "flats " + version},
		{"-h", 0, "Usage:"},
		{"-help", 0, "-access-log"},
		{"-nope", 2, "flats: flag provided but not defined: -nope"},
		{"serve", 2, `flats: there is no command "serve"`},
		{"-addr 8080", 2, "flats: -addr: want HOST:PORT"},
		{"-sample -data x", 2, "flats: -sample serves its own flats"},
		{"import", 2, "flats: import: name files"},
		{"-config none.json", 1, "flats: config: open none.json: "},
		{"-config bad.json", 1, "flats: bad.json: addr: want a string\n"},
		{"-config codes.json", 1, "flats: FR.txt:1: lat: want a finite number or null, got \"north\"\n"},
		{"", 1, "/flats.json:2: id: a flat must have one (the file is left as it is: fix it, or put a backup in its " +
			"place)\n"},
		{"-addr " + occupied.Addr().String(), 1, "choose another address with -addr\n"},
		{"import none", 1, "flats: open none: "},
		{"-complete s", 2, "flats: -complete is only for import"},
		{"import -sample listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"-access-log import listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"import listings.json -addr 127.0.0.1:0", 2,
			"flats: import accepts only -config, -data and -complete\n"},
		{"import -version listings.json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"import listings.json -log-json", 2, "flats: import accepts only -config, -data and -complete\n"},
		{"import listings.json -sample -h", 0, "Usage:"},
		{"import listings.json -nope", 2, "flats: flag provided but not defined: -nope\n"},
		{"import listings.json -complete", 2, "flats: flag needs an argument: -complete\n"},
		{"import -complete s -data x", 2, "flats: import: name files"},
		{"import -complete s --", 2, "flats: import: name files"},
		{"import listings.json -complete s", 1, `flats: -complete: no listing is from "s": all of its flats`},
		{"import listings.json -complete s -- -data", 1, "flats: open -data: "},
		{"import -- listings.json -complete ss", 1, "flats: open -complete: "},
		{"import ./-complete", 1, "flats: open ./-complete: "},
		{"import -complete= none", 2, `flats: invalid value "" for flag -complete: must not be empty`},
		{"import -complete s listings.json", 1,
			`flats: -complete: no listing is from "s": all of its flats would be marked as gone (nothing was imported)`},
		{"import of-a.json of-b.json", 1,
			`flats: of-b.json: complete: the listings are from "a", not from "b" (nothing was imported)`},
		{"import flats.json", 1, "flats: flats.json:2: id: a flat must have one (nothing was imported)\n"},
	} {
		args := strings.Fields(c.args)
		if !slices.Contains(args, "-addr") && c.args != "" && args[0][0] == '-' && c.status == 1 {
			args = append(args, "-addr", "127.0.0.1:0")
		} else if c.args == "" {
			args = []string{"-addr", "127.0.0.1:0"}
		}
		cmd := command(dir, args...)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.Contains(out.String(), c.want) {
			t.Errorf("flats %s: %v, %s\nwant status %d, %s", c.args, err, out.String(), c.status, c.want)
		}
		if lines := strings.Count(out.String(), "\n"); c.status == 1 && lines != 1 {
			t.Errorf("flats %s: %d lines: %s", c.args, lines, out.String())
		}
	}
}

// Each config key is read, and errors name the key. They never quote a secret.
func TestConfig(t *testing.T) {
	var logs bytes.Buffer
	c, err := parseConfig("config.json", []byte(`{"addr":":80","website_url":"https://x.example/flats/","data":"f",
		"postal_codes":["a","b"],"cors_origins":["*","https://Y.example:8443","http://z.example:80"],
		"username":"u","password":"p","feed_token":"t","import_token":"i","max_import":5,
			"people":["Ann","Ben"],"keep_photos":true,"max_photos":7,
			"map_tiles":"https://T.example:8443/{z}/{x}/{y}.png","map_credit":"© T","timezone":"Europe/Paris",
			"constraints":{"a.b":{"areas":["FR"],"time_to":{"w.x":{"gps":[1,-2.50],"time":[0,1],"mode":"WALK"}}},
			"c":{},"d":null},
		"x":1,"y":null}`), slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	zone := c.Timezone.String()
	c.Timezone = nil
	want := &Config{Addr: ":80", MaxImport: 5, People: []string{"Ann", "Ben"}, KeepPhotos: true, MaxPhotos: 7,
		MapTiles: "https://T.example:8443/{z}/{x}/{y}.png", MapCredit: "© T",
		WebsiteURL: "https://x.example/flats/", Data: "f", PostalCodes: []string{"a", "b"},
		CORSOrigins: []string{"*", "https://y.example:8443", "http://z.example"},
		Username:    "u", Password: "p", FeedToken: "t", ImportToken: "i",
		Constraints: map[string]Constraint{"a.b": {[]string{"FR"},
			map[string]Place{"w.x": {name: "w.x", gps: json.RawMessage("[1,-2.50]"), coordinates: "1.0000,-2.5000",
				at:   pointAt(1, -2.5),
				mode: "WALK"}}}, "c": {Places: map[string]Place{}}}}
	if !reflect.DeepEqual(c, want) || zone != "Europe/Paris" || strings.Count(logs.String(), "\n") != 1 ||
		!strings.Contains(logs.String(), "key=x") {
		t.Errorf("got  %+v, %s\nwant %+v\nlog: %s", c, zone, want, &logs)
	}
	if got := c.places(); got != `{"a.b":{"w.x":[1,-2.50]},"c":{}}` {
		t.Errorf("places %s", got)
	}
	for _, bad := range []struct{ text, want string }{
		{``, ":1: unexpected end of JSON input"},
		{`[]`, ":1: want an object, got []"},
		{`{"password" "hunter2"}`, `:1: invalid character '"' after object key`}, // does not quote the password
		{"{\n\"password\":hunter2}", ":2: invalid character 'h' looking for beginning of value"},
		{`{"feed_token":'hunter2'}`, ":1: invalid character '\\'' looking for beginning of value"},
		{"{\n\"addr\": 5}", ": addr: want a string"},
		{`{"addr": "localhost"}`, `: addr: want HOST:PORT such as 127.0.0.1:8080`},
		{`{"addr": "x:99999"}`, `: addr: want HOST:PORT such as 127.0.0.1:8080`},
		{`{"website_url": "flats.example"}`,
			`: website_url: want a URL such as https://flats.example.org/`},
		{`{"website_url": "https://u:secret@x.example/"}`,
			": website_url: must not contain a user name, because links show it to everybody; set username and password"},
		{`{"data": ""}`, ": data: must not be empty"},
		{`{"postal_codes": "FR.txt"}`, `: postal_codes: want an array of strings`},
		{`{"cors_origins": ["https://x.example/"]}`,
			`: cors_origins: want an origin such as https://example.org, without a path, or "*"`},
		{`{"username": "a:b"}`, ": username: must not contain a colon: HTTP Basic ends the name there"},
		{`{"password": 12345}`, ": password: want a string"},
		{`{"feed_token": ["secret"]}`, ": feed_token: want a string"},
		{`{"max_import": "1 MB"}`, `: max_import: want a whole number of bytes`},
		{`{"max_import": 0}`, `: max_import: want at least 1`},
		{`{"keep_photos": "yes"}`, `: keep_photos: want true or false`},
		{`{"max_photos": 0}`, `: max_photos: want at least 1`},
		{`{"max_photos": 1.5}`, `: max_photos: want a whole number of bytes`},
		{`{"map_tiles": "http://t.example/{z}/{x}/{y}"}`,
			`: map_tiles: want an https URL with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png`},
		{`{"map_tiles": "https://t.example/{z}/{x}"}`,
			`: map_tiles: want an https URL with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png`},
		{`{"map_tiles": "https://*;t.example/{z}/{x}/{y}"}`,
			`: map_tiles: want an https URL with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png`},
		{`{"map_tiles": ["https://t.example/{z}/{x}/{y}"]}`,
			`: map_tiles: want a string`},
		{`{"timezone": "Mars/Olympus"}`, ": timezone: want an IANA name such as Europe/Paris"},
		{`{"timezone": "Local"}`, ": timezone: want an IANA name such as Europe/Paris"},
		{`{"data": "a", "addr": ":0", "data": "b"}`, ": data: an object has this key twice"},
		{`{"x": [{"a": {"b": 1}}, {"a": 1, "b": [], "a": 2}]}`, ": a: an object has this key twice"},
		{`{"constraints": []}`, `: constraints: want an object`},
		{"{\"constraints\": {\n\"a\": {\n\"time_to\": 5}}}", `: constraints.a.time_to: want an object`},
		{`{"constraints": {"a": {"time_to": {"w": {}}}}}`,
			": constraints.a.time_to.w.gps: want a latitude of at most 90 and a longitude of at most 180 degrees, " +
				"such as [48.8566, 2.3522]"},
		{`{"constraints": {"a": {"time_to": {"w": {"gps": [91, 0]}}}}}`,
			": constraints.a.time_to.w.gps: want a latitude of at most 90 and a longitude of at most 180 degrees, " +
				"such as [48.8566, 2.3522]"},
		{`{"constraints": {"a": {"time_to": {"w": {"gps": [1, null]}}}}}`,
			": constraints.a.time_to.w.gps: want a latitude of at most 90 and a longitude of at most 180 degrees, " +
				"such as [48.8566, 2.3522]"},
		{`{"constraints": {"a": {"areas": [1]}}}`, ": constraints.a.areas: want an array of strings"},
	} {
		_, err := parseConfig("config.json", []byte(bad.text), quiet)
		if err == nil || err.Error() != "config.json"+bad.want {
			t.Errorf("%s: %v\nwant config.json%s", bad.text, err, bad.want)
		}
	}
	// No error shows a secret, wherever in the config it is.
	for _, key := range []string{"addr", "website_url", "data", "postal_codes", "cors_origins", "username", "password",
		"feed_token", "import_token", "max_import", "map_tiles", "notify", "constraints", "constraints.a",
		"constraints.a.areas", "constraints.a.time_to.w.gps", "notify.url", "notify.headers", "notify.body"} {
		for _, value := range []string{`"hunter2:"`, `["hunter2:"]`, `{"hunter2":"hunter2:"}`, `[["hunter2"]]`,
			`"https://u:hunter2@x.example/%zz"`, `["https://u:hunter2@x.example"]`, `"http://x.example/?key=hunter2"`} {
			text := value
			for _, name := range slices.Backward(strings.Split(key, ".")) {
				text = `{"` + name + `":` + text + `}`
			}
			_, err := parseConfig("config.json", []byte(text), quiet)
			if err != nil && strings.Contains(strings.ReplaceAll(err.Error(), ".hunter2: ", ""), "hunter2") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	for _, c := range []struct{ addr, user, password, want string }{
		{"127.0.0.1:8080", "", "", "http://127.0.0.1:8080/"}, {"[::]:81", "", "", "http://localhost:81/"},
		{"0.0.0.0:81", "u", "p", "http://localhost:81/"},
		{":1", "u", "", "password is missing"}, {":1", "", "p", "username is missing"},
	} {
		config := &Config{Addr: c.addr, Username: c.user, Password: c.password}
		err := config.finish()
		if err != nil && !strings.Contains(err.Error(), c.want) || err == nil && config.WebsiteURL != c.want {
			t.Errorf("%+v: %q, %v", c, config.WebsiteURL, err)
		}
	}
}

// Postal codes can be read from JSON, CSV and GeoNames files. Errors name the line.
func TestPostalCodeFiles(t *testing.T) {
	const want = `{"postal_code":"01000","name":"Bourg, \"en\" Bresse","lat":46.2,"lng":5.22,"area":"FR-84"}` + "\n" +
		`{"postal_code":"2100","name":"København Ø","lat":55.7,"lng":null,"area":"DK"}` + "\n"
	for name, text := range map[string]string{
		"JSON": "\uFEFF" + `[ {"postal_code":"01000","name":"Bourg, \"en\" Bresse","area":"FR-84","lat":46.2,` +
			`"lng":5.22,"population":1},` + "\n" +
			`{"postal_code":"2100","name":"København Ø","lat":55.7,"area":"DK"}]`,
		"CSV": "\uFEFFarea,Lat,lng,more,name,postal_code\r\nFR-84,46.2,5.22,x,\"Bourg, \"\"en\"\" " +
			"Bresse\",01000\r\nDK,55.70,,,København Ø,2100\r\n",
		"CSV;": "area;lat;lng;name;postal_code\nFR-84;46.2;5.22;\"Bourg, \"\"en\"\" " +
			"Bresse\";01000\nDK;55.70;;København Ø;2100",
		"GeoNames": "FR\t01000\tBourg, \"en\" " +
			"Bresse\tAuvergne-Rhône-Alpes\t84\tAin\t01\tBourg\t012\t46.2\t5.22\t5\nDK\t2100\tKøbenhavn " +
			"Ø\t\t\t\t\t\t\t55.7\t\t\n",
	} {
		codes, err := readPostalCodes(name, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got strings.Builder
		for _, c := range codes {
			got.WriteString(c.JSON() + "\n")
		}
		if got.String() != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got.String(), want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "codes:1: the file is empty"},
		{"[{}]", "codes:1: postal_code: must not be empty"},
		{"[{\"postal_code\":\"1\"},\n{\"postal_code\":2}]", "codes:2: postal_code: want a string or null, got 2"},
		{"[{\"postal_code\":\"1\",\n\"lat\":91}]", "codes:1: lat: want at most 90 degrees either way, got 91"},
		{"[1]", `codes:1: want an object, got 1`},
		{"code,name\n", `codes:1: no column "postal_code": want a header with postal_code, name, lat and lng, ` +
			`and perhaps area, or GeoNames' tab-separated file`},
		{"postal_code,name,lat,lng\n1,a,2,3\n1,a\n", "codes:3: wrong number of fields"},
		{"postal_code,name,lat,lng\n1,a,2,x\n", `codes:2: lng: want a finite number or null, got "x"`},
		{"postal_code,name,lat,lng\n1,\"a,2,3\n", `codes:2: extraneous or missing " in quoted-field`},
		{strings.Repeat("a\t", 11) + "\nFR\t1", `codes:1: lat: want a finite number or null, got "a"`},
		{"FR\t1\ta" + strings.Repeat("\t", 9) + "\nFR\t1",
			"codes:2: want at least 11 columns separated by tabs, got 2"},
		{"postal_code,name\xe9", "codes:1: byte 0xe9 is not UTF-8"},
	} {
		if _, err := readPostalCodes("codes", []byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}

// Clients
// -------

// A client receives the handler's answers over a connection, whatever their size and
// however it sends requests and reads.
func TestConnection(t *testing.T) {
	t.Parallel()
	s := newService(t, benchFlats(2000), "[]")
	url := listen(t, s.Handler)
	var requests []string
	var want []reply
	random := rand.New(rand.NewPCG(3, 4))
	for range rounds(96) {
		method, target, body := "GET", "/api/v1/flats", ""
		switch random.IntN(8) {
		case 0:
		case 1:
			target += "/" + strconv.Itoa(random.IntN(2100)) + "@bench"
		case 2:
			method, target, body = "POST", "/api/v1/search?page[size]="+strconv.Itoa(1+random.IntN(400)),
				`{"query":"w`+strconv.Itoa(random.IntN(9))+`*"}`
		case 3:
			method, target = "HEAD", target+"?page[size]=100"
		case 4:
			// 400, and short lists
			target += []string{"?page[number]=4", "?filter[title]=none", "?page[size]=1"}[random.IntN(3)]
		default:
			target += "?page[size]=" + strconv.Itoa(1+random.IntN(300)) + "&page[number]=" +
				strconv.Itoa(random.IntN(9))
		}
		requests = append(requests, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s",
			method, target, len(body), body))
		want = append(want, s.ask(method, target, body))
	}
	check := func(t *testing.T, i int, r *bufio.Reader) {
		request, _ := http.ReadRequest(bufio.NewReader(strings.NewReader(requests[i])))
		got, err := http.ReadResponse(r, request)
		if err != nil {
			t.Fatalf("%s: %v", requests[i], err)
		}
		body, err := io.ReadAll(got.Body)
		got.Header.Del("Date")
		if err != nil || got.StatusCode != want[i].status || string(body) != want[i].body ||
			!reflect.DeepEqual(got.Header, want[i].header) {
			t.Fatalf("%s: %v, %d %v, %d bytes; want %d %v, %d bytes", requests[i], err, got.StatusCode, got.Header,
				len(body), want[i].status, want[i].header, len(want[i].body))
		}
	}
	t.Run("one by one", func(t *testing.T) {
		c := dial(t, url)
		r := bufio.NewReader(c)
		for i := range requests {
			io.WriteString(c, requests[i])
			check(t, i, r)
		}
	})
	t.Run("pipelined", func(t *testing.T) {
		c := dial(t, url)
		go io.WriteString(c, strings.Join(requests, ""))
		r := bufio.NewReader(c)
		for i := range requests {
			check(t, i, r)
		}
	})
	t.Run("slowly", func(t *testing.T) {
		c := dial(t, url)
		c.(*net.TCPConn).SetReadBuffer(64 << 10)
		r := bufio.NewReaderSize(readerFunc(func(b []byte) (int, error) {
			time.Sleep(100 * time.Microsecond)
			return c.Read(b)
		}), 16<<10)
		for i := range 12 {
			io.WriteString(c, requests[i])
			check(t, i, r)
		}
	})
	t.Run("in two parts", func(t *testing.T) {
		c := dial(t, url)
		r := bufio.NewReader(c)
		line, rest, _ := strings.Cut(requests[0], "\r\n")
		request := line + "\r\nX-Long: " + strings.Repeat("x", 9000) + "\r\n" + rest
		// net/http reads into a buffer of 4096 bytes, so cut around its ends.
		for _, size := range []int{1, 16, 4094, 4095, 4096, 4097, len(line+"\r\n") + 4095, 8191} {
			io.WriteString(c, request[:size])
			time.Sleep(20 * time.Millisecond)
			io.WriteString(c, request[size:])
			check(t, 0, r)
		}
	})
	t.Run("disconnected", func(t *testing.T) {
		for range 50 {
			c := dial(t, url)
			io.WriteString(c, "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n")
			io.CopyN(io.Discard, c, int64(random.IntN(100_000)))
			c.Close()
		}
		c := dial(t, url)
		io.WriteString(c, requests[0])
		check(t, 0, bufio.NewReader(c))
	})
}

// A client that closes its sending side after a request still gets the answer.
func TestHalfClosed(t *testing.T) {
	s := newService(t, benchFlats(500), "[]")
	<-s.store.index.searchable
	url := listen(t, s.Handler)
	for _, request := range []string{
		"GET /api/v1/flats?page[size]=1&sort=-text,title HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
		"POST /api/v1/search?page[size]=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
			"21\r\n\r\n{\"query\":\"\\\"th an\\\"\"}",
	} {
		for range 3 {
			c := dial(t, url)
			io.WriteString(c, request)
			c.(*net.TCPConn).CloseWrite()
			got, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || got.StatusCode != 200 {
				t.Errorf("%.40s: %v, %v", request, got, err)
			}
		}
	}
}

// A client may take longer than patience to read a list, as long as each part takes
// less, and can then use the connection for other requests.
func TestSlowClient(t *testing.T) {
	long(t)
	var flats []string
	for i := range 1000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"title":"w1","text":"%s"}`, i, strings.Repeat("x", 4000)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	patience = time.Second
	t.Cleanup(func() { patience = time.Minute })
	c := dial(t, listen(t, s.Handler))
	c.(*net.TCPConn).SetReadBuffer(64 << 10)
	r := bufio.NewReaderSize(c, 64<<10)
	io.WriteString(c, "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n")
	start := time.Now()
	got, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = io.CopyN(io.Discard, got.Body, 64<<10)
		time.Sleep(40 * time.Millisecond)
	}
	if err != io.EOF || time.Since(start) < 2*patience {
		t.Fatal(time.Since(start), err)
	}
	for range 2 {
		io.WriteString(c, "POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: "+
			"20\r\n\r\n{\"query\":\"title:w1\"}")
		if got, err = http.ReadResponse(r, nil); err != nil || got.StatusCode != 200 {
			t.Fatal(got, err)
		}
		io.Copy(io.Discard, got.Body)
	}
	// An answer may also take longer than patience to begin.
	<-s.store.table.sortingOne
	time.AfterFunc(2*patience, s.store.table.sortingOne.release)
	io.WriteString(c, "GET /api/v1/flats?sort=-area&page[size]=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if got, err = http.ReadResponse(r, nil); err != nil || got.StatusCode != 200 {
		t.Fatal(got, err)
	}
	io.Copy(io.Discard, got.Body)
	// A client may also take longer than patience to send an import.
	const listing = `[{"id":"from afar"}]`
	fmt.Fprintf(c, "POST /api/v1/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", len(listing))
	for _, part := range listing {
		time.Sleep(patience / 5)
		io.WriteString(c, string(part))
	}
	if got, err = http.ReadResponse(r, nil); err != nil || got.StatusCode != 200 {
		t.Fatal(got, err)
	}
	io.Copy(io.Discard, got.Body)
	// An idle connection is closed.
	if _, err := r.ReadByte(); err != io.EOF {
		t.Error(err)
	}
}

// Stalled clients do not delay others: neither clients that send nothing or half a
// request nor clients that do not read their lists.
func TestStalledClients(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 4000)
	var flats []string
	for i := range 2000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"text":"%s"}`, i, big))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	url := listen(t, s.Handler)
	for i := range 200 {
		c := dial(t, url)
		fmt.Fprint(c, []string{"", "GET /api/v1/fl", "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n",
			"PATCH /api/v1/flat/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"}[i%4])
	}
	for i := range 50 {
		r, err := http.NewRequest("PATCH", url+"/api/v1/flat/1", strings.NewReader(fmt.Sprintf(`{"cost":%d}`, i)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := http.DefaultClient.Do(r)
		if err != nil || got.StatusCode != 200 {
			t.Fatalf("update: %v %v", got, err)
		}
		got.Body.Close()
		if got, err = http.DefaultClient.Get(url + "/api/v1/flats/1"); err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(got.Body)
		got.Body.Close()
		if err != nil || !strings.Contains(string(body), fmt.Sprintf(`"cost":%d,`, i)) {
			t.Fatalf("read: %v", err)
		}
	}
}

// An answer that is abandoned while it is sent ends unexpectedly, not as if it were complete.
// The client has closed its sending side, so its task does not wait for another turn.
func TestCutAnswer(t *testing.T) {
	t.Parallel()
	s := newService(t, benchFlats(6000), "[]")
	handler := s.Handler
	url := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// From the first write on, no other task gets a turn.
		handler.ServeHTTP(&firstWriter{w, sync.OnceFunc(func() { <-s.store.turns })}, r)
	}))
	s.ask("GET", "/api/v1/flats?page[size]=1", "") // sorts the flats
	headers := []string{
		"GET /api/v1/find?format=csv HTTP/1.1",
		"GET /api/v1/flats HTTP/1.1\r\nAccept-Encoding: gzip",
		"GET /api/v1/find?format=csv HTTP/1.1\r\nAccept-Encoding: gzip",
		"GET /api/v1/find?fields=text,details,notes HTTP/1.1",
	}
	if !*whole {
		headers = headers[:1] // each takes as long as a task waits
	}
	for _, header := range headers {
		c := dial(t, url)
		io.WriteString(c, header+"\r\nHost: localhost\r\n\r\n")
		c.(*net.TCPConn).CloseWrite()
		got, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || got.StatusCode != 200 {
			t.Fatalf("%s: %v, %v", header, got, err)
		}
		if n, err := io.Copy(io.Discard, got.Body); err != io.ErrUnexpectedEOF {
			t.Errorf("%s: %d bytes, then %v; want an unexpected end", header, n, err)
		}
		s.store.turns.release()
	}
}

// Long runs
// ---------

// During concurrent updates and imports, each answer shows a single state of the store.
// Every change keeps cost + area at 1000 in each flat, and each import adds all its
// flats or none.
func TestConsistency(t *testing.T) {
	t.Parallel()
	var flats []string
	for i := range 300 {
		flats = append(flats, fmt.Sprintf(`{"id":"f%d","cost":%d,"area":%d,"text":"word w%d","status":"%s"}`, i, i,
			1000-i, i%7, []string{"left", "right"}[i%2]))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	stop := make(chan struct{})
	var writers, readers sync.WaitGroup
	for w := range 3 {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 1))
			for range 300 {
				cost := random.IntN(1000)
				id := random.IntN(100)*3 + w
				got := s.ask("PATCH", fmt.Sprintf("/api/v1/flat/f%d", id),
					fmt.Sprintf(`{"cost":%d,"area":%d,"text":"word w%d"}`, cost, 1000-cost, random.IntN(7)))
				if got.status != 200 {
					t.Errorf("PATCH: %d %s", got.status, got.body)
				}
			}
		})
	}
	writers.Go(func() {
		for n := range 20 {
			var batch []string
			for i := range 10 {
				batch = append(batch, fmt.Sprintf(`{"id":"new%d","cost":%d,"area":%d,"text":"word w1"}`, i, n, 1000-n))
			}
			listings, err := readListings("", []byte("["+strings.Join(batch, ",")+"]"))
			if err != nil {
				t.Error(err)
			}
			if _, err := s.store.Import(context.Background(), listings, nil); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 4 {
		readers.Go(func() {
			queries := []string{"sort=-cost&page[size]=50", "sort=cost", "filter[status]=left&sort=area,-id",
				"sort=title,-cost&page[size]=30&page[number]=3"}
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				got := s.ask("GET", "/api/v1/flats?"+queries[(n+i)%4], "")
				if n%3 == 0 {
					got = s.ask("POST", "/api/v1/search?"+queries[(n+i)%4], `{"query":"word -w3"}`)
				}
				var list struct {
					Data []struct {
						ID         string
						Cost, Area float64
						Text       string
					}
				}
				if err := json.Unmarshal([]byte(got.body), &list); err != nil {
					t.Errorf("%v in %s", err, got.body)
					return
				}
				seen, added := map[string]bool{}, 0
				for k, f := range list.Data {
					if seen[f.ID] || f.Cost+f.Area != 1000 || n%3 == 0 && f.Text == "word w3" {
						t.Errorf("inconsistent or repeated flat %+v", f)
					}
					seen[f.ID] = true
					if strings.HasPrefix(f.ID, "new") {
						added++
					}
					ascending, descending := (n+i)%4 == 1, (n+i)%4 == 0
					if k > 0 && (ascending && f.Cost < list.Data[k-1].Cost || descending && f.Cost > list.Data[k-1].Cost) {
						t.Errorf("flats out of order: cost %v after %v", f.Cost, list.Data[k-1].Cost)
					}
				}
				if (n+i)%4 == 1 && (added != 0 && added != 10 || len(seen) != 300+added && n%3 != 0) {
					t.Errorf("%d flats, %d of the 10 imported ones", len(seen), added)
				}
				if total, _ := strconv.Atoi(got.header.Get("X-Total-Count")); total < len(seen) || total > 310 {
					t.Errorf("X-Total-Count %d with %d flats", total, len(seen))
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}

// Costly random requests are all answered while a client reads and updates flats. The
// test logs how long that client waits.
//
//	go test -run Hostile -v -whole .
func TestHostile(t *testing.T) {
	flats, duration := 3000, 300*time.Millisecond
	if *whole {
		flats, duration = 20_000, 5*time.Second
	}
	s := newService(t, benchFlats(flats), testCodes)
	<-s.store.index.searchable
	var words []string
	for _, f := range s.store.snapshot().all() {
		if words = append(words, strings.Fields(f.Text.String())...); len(words) > 5000 {
			break
		}
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	var asked atomic.Int64
	for seed := range 4 {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(seed), 12))
			for {
				select {
				case <-stop:
					return
				default:
				}
				method, target, body := "GET", "/api/v1/flats?page[size]=1&sort=", ""
				switch random.IntN(6) {
				case 0:
					var keys []string
					for range 1 + random.IntN(9) {
						keys = append(keys, pick(random, []string{"", "-"})+pick(random, flatFields.list).name)
					}
					target += strings.Join(keys, ",")
				case 1:
					target = "/api/v1/flats?filter[" + pick(random, flatFields.list).name + "]=" +
						url.QueryEscape(pick(random, words)) + strings.Repeat("&x=%zz", random.IntN(2000))
				case 2:
					method, target, body = "PATCH", "/api/v1/flat/7@bench",
						`{"notes":"`+strings.Repeat(pick(random, words)+" ", random.IntN(30_000))+`"}`
				default:
					var terms []string
					for range random.IntN(1200) {
						terms = append(terms, pick(random,
							[]string{"", "", "-", "OR ", "NOT ", "title:", "-text:", "OR -"})+pick(random,
							[]string{"%s", "%s", "%.1s*", "%.2s*", `"%s ` + pick(random, words) + `"`}))
						terms[len(terms)-1] = strings.Replace(fmt.Sprintf(terms[len(terms)-1], pick(random, words)),
							"OR%!(EXTRA", "", 1)
					}
					method, target, body = "POST", "/api/v1/search?page[size]=1",
						`{"query":`+encodeJSON(strings.Join(terms, " "))+`}`
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(random.IntN(100))*time.Millisecond)
				r := httptest.NewRequestWithContext(ctx, method, "/", strings.NewReader(body))
				r.URL, _ = url.Parse("/")
				r.URL.Path, r.URL.RawQuery, _ = strings.Cut(target, "?")
				r.Host = "flats.example"
				var got reply
				isAborted := endsEarly(func() { got = s.send(r) })
				cancel()
				asked.Add(1)
				if !isAborted && got.status != 200 && got.status != 400 {
					t.Errorf("%s %.200s: %d %.200s", method, target, got.status, got.body)
				}
			}
		})
	}
	var times []time.Duration
	for began := time.Now(); time.Since(began) < duration; time.Sleep(time.Millisecond) {
		start := time.Now()
		if len(times)%2 == 0 {
			s.ids(s.ask("GET", "/api/v1/flats?page[size]=20", ""))
		} else {
			got := s.ask("PATCH", "/api/v1/flat/9@bench", fmt.Sprintf(`{"cost":%d}`, len(times)))
			if got.status != 200 {
				t.Errorf("%d %s", got.status, got.body)
			}
		}
		times = append(times, time.Since(start))
	}
	close(stop)
	group.Wait()
	slices.Sort(times)
	t.Logf("during %d hostile requests to %d flats: %d reads and updates, median %v, 99th percentile %v, maximum %v",
		asked.Load(), flats, len(times), times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
}

var kills = flag.Int("kills", 3, "the number of times that TestKill kills the program")

// TestKill kills the program at random times during updates and imports. No acknowledged
// update may be lost, incomplete, or undone by an earlier import.
func TestKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const clients, listings = 4, 40
	var flats []string
	for i := range 50 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"notes":"0"}`, i))
	}
	writeFile(t, dir, "flats.json", "["+strings.Join(flats, ",\n")+"]")
	sent, stored := 0, 0    // the last complete import of the site k: acknowledged, found in the store
	acked := [clients]int{} // the last acknowledged notes of each client's flat
	title, titles := "", 0  // the title of flat 10, if acknowledged; the number of such updates
	for n := range *kills {
		p := start(t, dir)
		get := func(id int) (notes, title string) {
			_, body := p.do("GET", "/api/v1/flats/"+strconv.Itoa(id), "")
			var got struct{ Data struct{ Notes, Title string } }
			if err := json.Unmarshal([]byte(body), &got); err != nil && body != "" {
				t.Errorf("%v in %q", err, body)
			}
			return got.Data.Notes, got.Data.Title
		}
		for c := range clients {
			notes, _ := get(c)
			number, err := strconv.Atoi(strings.TrimRight(notes, "x"))
			if err != nil || number != acked[c] && number != acked[c]+1 || number > 0 && len(notes) < 4000 {
				t.Fatalf("after kill %d flat %d has the notes %.20s (%d bytes); acknowledged were %d", n, c, notes,
					len(notes), acked[c])
			}
			acked[c] = number
		}
		// An import over HTTP is complete or absent.
		var site struct {
			Data []struct {
				ID   string
				Cost int
				Gone *string
			}
		}
		_, body := p.do("GET", "/api/v1/find?any[site]=k&fields=cost,gone&sort=id", "")
		json.Unmarshal([]byte(body), &site)
		for i, f := range site.Data {
			if i == 0 {
				stored = f.Cost
			}
			last := strings.HasPrefix(f.ID, "last ")
			if !last && f.Cost != stored || last && (f.Gone == nil) != (f.ID == fmt.Sprintf("last %d@k", stored%2)) {
				t.Fatalf("after kill %d flat %s is from import %d, and gone is %v; others are from import %d", n, f.ID,
					f.Cost, f.Gone, stored)
			}
		}
		if stored < sent || stored > sent+1 || stored > 0 && len(site.Data) < 100 {
			t.Fatalf("after kill %d the last import is %d, with %d flats; acknowledged was %d", n, stored,
				len(site.Data), sent)
		}
		sent = stored
		if n > 0 { // the restarted program completes the interrupted import
			p.await("the interrupted import", func() bool {
				_, last := get(10 + listings - 1)
				left, _ := os.ReadDir(filepath.Join(dir, "import"))
				return last == fmt.Sprint("import ", n-1) && len(left) == 0
			})
			if _, got := get(10); title != "" && got != title {
				t.Fatalf("after kill %d the title is %q; want the acknowledged %q", n, got, title)
			} else if title != "" {
				titles++
			}
			title = ""
		}
		var group sync.WaitGroup
		group.Go(func() {
			for {
				var input []string
				for i := range 100 {
					input = append(input, fmt.Sprintf(`{"id":"%d@k","cost":%d}`, i, sent+1))
				}
				input = append(input, fmt.Sprintf(`{"id":"last %d@k","cost":%d}`, (sent+1)%2, sent+1))
				status, body := p.do("POST", "/api/v1/import?complete=k", "["+strings.Join(input, ",")+"]")
				if status != 200 {
					if status != 0 {
						t.Errorf("import: %d %s", status, body)
					}
					return
				}
				sent++
			}
		})
		for c := range clients {
			group.Go(func() {
				for {
					next := acked[c] + 1
					notes := fmt.Sprintf("%d%s", next, strings.Repeat("x", 4000))
					status, body := p.do("PATCH", "/api/v1/flat/"+strconv.Itoa(c), `{"notes":"`+notes+`"}`)
					if status != 200 {
						if status != 0 {
							t.Errorf("update: %d %s", status, body)
						}
						return
					}
					acked[c] = next
				}
			})
		}
		var input []string
		for i := range listings {
			input = append(input, fmt.Sprintf(`{"id":%d,"title":"import %d"}`, 10+i, n))
		}
		staged := writeFile(t, dir, "staged", "["+strings.Join(input, ",")+"]")
		if err := os.Rename(staged, filepath.Join(dir, "import", "in.json")); err != nil {
			t.Fatal(err)
		}
		killAt := time.Now().Add(time.Duration(100+rand.IntN(600)) * time.Millisecond)
		for time.Now().Before(killAt) {
			if _, got := get(10); title == "" && got == fmt.Sprint("import ", n) {
				if status, _ := p.do("PATCH", "/api/v1/flat/10", fmt.Sprintf(`{"title":"mine %d"}`, n)); status == 200 {
					title = fmt.Sprint("mine ", n)
					killAt = time.Now().Add(time.Duration(rand.IntN(20)) * time.Millisecond)
				}
			}
			time.Sleep(time.Millisecond)
		}
		p.Process.Kill()
		p.Wait()
		group.Wait()
	}
	t.Logf("acknowledged %v updates of notes, %d of a title during an import, and %d imports", acked, titles, sent)
	p := start(t, dir)
	p.await("the import folder to be empty", func() bool {
		left, _ := os.ReadDir(filepath.Join(dir, "import"))
		return len(left) == 0
	})
	p.stop()
	if strings.Contains(readFile(t, filepath.Join(dir, "flats.json")), "\x00") {
		t.Error("flats.json contains NUL bytes")
	}
	// A kill may have left an incomplete record, which is kept.
	entries, _ := os.ReadDir(dir)
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "flats.json.log.damaged-")
	})
	if len(entries) != 2 {
		t.Errorf("after shutdown the folder contains %v; want flats.json and import; the log is\n%s", entries, p.stderr)
	}
}

// A soak is a service under test by many concurrent clients.
type soak struct {
	*service
	random  *rand.Rand
	disk    *faultyDisk
	current atomic.Pointer[http.Handler]
	reads   uint64 // seed of the requests of read
	unwatch func() // stops watching the import folder
	owners  []*owner
	errors  atomic.Int64
	asked   atomic.Int64 // number of requests
	foul    atomic.Bool  // file operations may fail, and so may requests
	refused atomic.Int64 // number of requests that failed then
	doubted atomic.Int64 // number of those that were to count, but see inDoubt
	words   atomic.Int64 // number of unique words and ids so far
	counted atomic.Int64 // acknowledged updates of the counter flat
	noted   int          // last acknowledged notes of the counter flat

	taking    sync.RWMutex // held while another service takes over
	takeovers int          // number of services that took the data over during a round

	mu     sync.Mutex
	bodies map[string][32]byte // hashes, by entity tag and target; guarded by mu
}

// An owner is a client. Only it changes the flats of its site.
type owner struct {
	*soak
	random *rand.Rand
	site   string
	flats  []soakFlat // the expected state
	costs  int        // the cost in the last listing; it grows, so that each ends the user's correction
}

// A soakFlat is the expected state of a flat, and encodes as a listing.
type soakFlat struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Cost      int    `json:"cost"`
	Area      int    `json:"area"`
	Location  string `json:"location"`
	Notes     string `json:"notes"`
	Notation  int64  `json:"notation"`
	Status    string `json:"status"`
	VisitDate string `json:"visit_date,omitempty"`
	Gone      isGone `json:"gone,omitempty"`
	Details   struct {
		Inner struct { // named in letters that random queries do not use
			A string `json:"ж"`
			B string `json:"жж"`
		} `json:"жжж"`
	} `json:"details"`
}

// newSoak starts a service on a new folder.
func newSoak(t *testing.T, random *rand.Rand) *soak {
	config := defaultConfig()
	config.WebsiteURL = "https://flats.example/"
	config.Data = writeFile(t, t.TempDir(), "flats.json", `[{"id":"counter","notation":0,"notes":"0"}]`)
	if err := os.Mkdir(importFolder(config.Data), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &soak{service: &service{TB: t, config: config}, random: random, disk: &faultyDisk{}}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*s.current.Load()).ServeHTTP(w, r) })
	for i := range 12 {
		s.owners = append(s.owners, &owner{soak: s, random: rand.New(rand.NewPCG(random.Uint64(), 0)),
			site: fmt.Sprintf("site%d", i)})
	}
	s.open()
	t.Cleanup(s.close)
	return s
}

// soakReads is the number of different requests of read in a round. It is small, so that
// requests soon repeat.
const soakReads = 16

// isGone decodes a time to true, because clients do not know when the flat was marked.
type isGone bool

func (g *isGone) UnmarshalJSON(text []byte) error {
	*g = string(text) != "null"
	return nil
}

// openStore opens the data with a clock that is up to five days ahead or behind.
func (s *soak) openStore() (*Store, error) {
	store, err := openStore(s.config.Data, s.disk, newPostalCodes(nil, nil), s.logger())
	if err == nil {
		wrong := time.Duration(s.random.Int64N(int64(240*time.Hour))) - 120*time.Hour
		store.now = func() time.Time { return time.Now().Add(wrong) }
	}
	return store, err
}

// openOwner is like openStore, but the store must own the data.
func (s *soak) openOwner() (*Store, error) {
	store, err := s.openStore()
	if err == nil {
		if err = store.check(); err != nil {
			store.Close()
		}
	}
	return store, err
}

// open starts the service as the program does.
func (s *soak) open() {
	var err error
	if s.store, err = s.openStore(); err != nil {
		s.Fatal(err)
	}
	s.bodies = map[string][32]byte{} // entity tags are valid for one handler only
	s.serve()
}

// serve lets the requests go to the store, and imports what is in the import folder.
func (s *soak) serve() {
	ctx, stop := context.WithCancel(context.Background())
	var watching sync.WaitGroup
	watcher := newWatcher(s.store, importFolder(s.config.Data), s.config.MaxImport)
	watching.Go(func() { watcher.watch(ctx) })
	s.unwatch = func() { stop(); watching.Wait() }
	handler := testHandler(s, s.config, s.store, s.logger(), false)
	s.current.Store(&handler)
}

// close stops the service as the program does. After a foul round it may have lost the data.
func (s *soak) close() {
	s.unwatch()
	if err := s.store.Close(); err != nil && !s.foul.Load() {
		s.Error(err)
	}
}

// restart closes and reopens the store during an import from a file.
func (s *soak) restart() {
	o := s.owners[0]
	b := o.batch()
	o.place(b)
	o.pause()
	s.close()
	s.foul.Store(false)
	s.open()
	o.await(b.last().ID)
	o.flats = b.flats
}

func (s *soak) logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(s, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// Write receives the log's warnings. The only one allowed is that an import was left for
// the next start because the store is closed; in a foul round any but a panic is.
func (s *soak) Write(line []byte) (int, error) {
	text := string(line)
	if !strings.Contains(text, errClosed.Error()) && (!s.foul.Load() || strings.Contains(text, "panic")) {
		s.Errorf("unexpected log: %s", strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(text))
	}
	return len(line), nil
}

// Errorf reports the first three errors; later ones are usually consequences.
func (s *soak) Errorf(format string, args ...any) {
	s.Helper()
	if s.errors.Add(1) <= 3 {
		s.service.Errorf(format, args...)
	}
}

// round runs all clients for d.
func (s *soak) round(d time.Duration) {
	var clients sync.WaitGroup
	began := time.Now()
	s.reads = s.random.Uint64()
	loop := func(do func()) {
		clients.Go(func() {
			for time.Since(began) < d && !s.Failed() {
				do()
			}
		})
	}
	loop(s.note)
	for range 16 {
		loop(s.count)
	}
	for _, o := range s.owners {
		loop(o.work)
	}
	clients.Wait()
}

// foulRound runs all clients for d, while file operations fail and other services take the
// data over. The disk is sound again when it returns.
func (s *soak) foulRound(d time.Duration) {
	s.foul.Store(true)
	s.disk.failing.Store(true)
	var group sync.WaitGroup
	group.Go(func() {
		for range 3 {
			time.Sleep(d / 5)
			s.takeOver()
		}
	})
	s.round(d)
	group.Wait()
	s.disk.failing.Store(false)
}

// takeOver starts a second service on the data, to which the requests go from then on. The
// first one stops later. A service that could not take over is started again, as its log asks
// for: it would serve flats that the first one may still change.
func (s *soak) takeOver() {
	s.taking.Lock()
	defer s.taking.Unlock()
	store, err := s.openOwner()
	for tries := 0; err != nil && tries < 100; tries++ {
		store, err = s.openOwner()
	}
	if err != nil {
		s.Errorf("no service has taken over: %v", err)
		return
	}
	unwatch, before := s.unwatch, s.store
	s.store = store
	s.takeovers++
	s.serve()
	unwatch()
	before.Close() // an error: the data is no longer its own
}

// ask sends a request, which must succeed unless a precondition in header fails. In a foul
// round the service may also refuse to write.
func (s *soak) ask(method, target, body string, header ...string) reply {
	handler := s.current.Load()
	got := s.service.ask(method, target, body, header...)
	s.asked.Add(1)
	if s.foul.Load() && (got.status == 500 && method != "GET" || got.status == 412 && handler != s.current.Load()) {
		s.refused.Add(1)
		return got
	}
	if got.status != 200 && (len(header) == 0 || got.status != 304 && got.status != 412) {
		s.Errorf("%s %s %.300s: %d %.300s", method, target, body, got.status, got.body)
	}
	if tag := got.header.Get("Etag"); got.status == 200 && tag != "" {
		sum := sha256.Sum256([]byte(got.body))
		s.mu.Lock()
		defer s.mu.Unlock()
		if before, ok := s.bodies[tag+target]; ok && before != sum {
			s.Errorf("%s %q: a different body has the same tag %s: %.500s", target, header, tag, got.body)
		}
		s.bodies[tag+target] = sum
	}
	return got
}

// flat decodes the flat in an answer.
func (s *soak) flat(got reply) soakFlat {
	var answer struct{ Data soakFlat }
	if err := json.Unmarshal([]byte(got.body), &answer); err != nil {
		s.Errorf("%v in %s", err, got.body)
	}
	return answer.Data
}

// count increments the counter unless another client has changed it since it was read.
func (s *soak) count() {
	got := s.ask("GET", "/api/v1/flats/counter", "")
	next := fmt.Sprintf(`{"notation":%d}`, s.flat(got).Notation+1)
	switch got := s.ask("PATCH", "/api/v1/flat/counter", next, "If-Match", got.header.Get("Etag")); {
	case got.status == 200:
		s.counted.Add(1)
	case s.inDoubt(got):
		s.doubted.Add(1)
	}
}

// note changes the notes of the counter unconditionally.
func (s *soak) note() {
	next := strconv.Itoa(s.noted + 1)
	got := s.ask("PATCH", "/api/v1/flat/counter", `{"notes":"`+next+`"}`)
	if s.inDoubt(got) {
		got = s.ask("GET", "/api/v1/flats/counter", "")
		s.noted, _ = strconv.Atoi(s.flat(got).Notes)
		return
	}
	if s.foul.Load() && got.status == 500 {
		return
	}
	if s.flat(got).Notes != next {
		s.Errorf("notes of the counter: %s; want %s", got.body, next)
	}
	s.noted++
}

// read sends the n-th of soakReads random requests, most of them for lists. It returns
// the request's target or query and the answer.
func (s *soak) read(n uint64) (string, reply) {
	random := rand.New(rand.NewPCG(s.reads, n))
	search := pick(random, []string{`"жжж жж"`, `"жжж ж" -garden`, "details:жж", randomSearch(random),
		randomSearch(random)})
	conditions := []string{"q=" + search, "q=" + search, "min[cost]=500", "max[cost]=1500",
		"any[status]=new&any[status]=seen",
		"not[location]=Lyon", "known[visit_date]=yes", "counts=status&counts=site", "sort=-title,id", "page[size]=20",
		"fields=title,notes,cost_per_area", "format=csv"}
	random.Shuffle(len(conditions), func(i, j int) { conditions[i], conditions[j] = conditions[j], conditions[i] })
	target := "/api/v1/find?" + query(strings.Join(conditions[:1+random.IntN(len(conditions))], "&"))
	switch random.IntN(8) {
	case 0, 1, 2:
		return search, s.ask("POST", "/api/v1/search?page[size]=100", `{"query":`+encodeJSON(search)+`}`)
	case 3:
		target = "/api/v1/" + pick(random, []string{"flats", "flats?sort=-title,cost&page[size]=9&page[number]=3",
			"duplicates", "metadata",
			"imports", "openapi.json", "ics/visits.ics", "time_to_places", "opendata/postal_codes"})
	}
	header := pick(random, [][]string{nil, nil, {"Accept-Encoding", "gzip"}, {"Accept", "text/csv"}})
	got := s.ask("GET", target, "", header...)
	s.ask("GET", target, "", append(header, "If-None-Match", got.header.Get("Etag"))...)
	return target, got
}

// work performs one random action.
func (o *owner) work() {
	switch n := o.random.IntN(30); {
	case (n == 0 || len(o.flats) == 0) && !o.foul.Load():
		b := o.batch()
		o.place(b)
		o.await(b.last().ID)
		o.flats = b.flats
	case n < 4 || len(o.flats) == 0:
		o.post(o.batch())
	case n < 12:
		o.update(&o.flats[o.random.IntN(len(o.flats))])
	case n < 20:
		o.check(pick(o.random, o.flats))
	default:
		o.read(o.random.Uint64N(soakReads))
	}
}

// text returns a random text that begins with a unique word.
func (o *owner) text() string {
	return fmt.Sprintf("q%dq %s", o.words.Add(1), strings.ToValidUTF8(randomText(o.random), ""))
}

// firstWord returns the first word of a text of owner.text.
func firstWord(text string) string { return text[:strings.IndexByte(text, ' ')] }

// A batch is an import by an owner.
type batch struct {
	listings string     // as JSON
	complete string     // the site of which these are all listings, or ""
	flats    []soakFlat // all flats of the owner after the import
}

func (b batch) last() soakFlat { return b.flats[len(b.flats)-1] }

// batch returns listings of some of the owner's flats, with a new title and cost, and of
// new flats.
func (o *owner) batch() batch {
	b := batch{flats: slices.Clone(o.flats), complete: pick(o.random, []string{"", "", o.site})}
	listings := []string{`{"id":"counter","title":` + encodeJSON(o.text()) + `}`} // other clients change it concurrently
	for i := range b.flats {
		f := &b.flats[i]
		if o.random.IntN(4) == 0 {
			o.costs++
			f.Title, f.Cost, f.Gone = o.text(), 100+o.costs, false
			listing := *f
			listing.Notes, listing.Status, listing.VisitDate = "not the user's", "none", "2001-01-01"
			listings = append(listings, encodeJSON(listing))
		} else if b.complete != "" {
			f.Gone = true
		}
	}
	for range 1 + o.random.IntN(12) {
		o.costs++
		f := soakFlat{ID: fmt.Sprintf("%d@%s", o.words.Add(1), o.site), Title: o.text(), Notes: o.text(), Status: "new",
			Cost: 100 + o.costs, Area: 20 + o.random.IntN(9),
			Location: pick(o.random, []string{"Lyon", "Nord", "Sud"})}
		f.Details.Inner.A, f.Details.Inner.B = o.text(), o.text()
		b.flats, listings = append(b.flats, f), append(listings, encodeJSON(f))
	}
	b.listings = "[" + strings.Join(listings, ",\n") + "]"
	return b
}

// post imports a batch over HTTP.
func (o *owner) post(b batch) {
	target, body, header := "/api/v1/import", b.listings, []string(nil)
	if b.complete != "" {
		target += "?complete=" + b.complete
	}
	if o.random.IntN(2) == 0 {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		io.WriteString(z, body)
		z.Close()
		body, header = zipped.String(), []string{"Content-Encoding", "gzip"}
	}
	got := o.ask("POST", target, body, header...)
	known := o.inDoubt(got) && o.service.ask("GET", "/api/v1/flats/"+b.last().ID, "").status == 200
	if got.status != 200 && !known {
		return
	}
	o.flats = b.flats
	o.finds("q=details:"+firstWord(b.last().Details.Inner.B), b.last().ID)
}

// place puts a batch into the import folder as a file. Sometimes it replaces an earlier
// file, which the service may or may not have read.
func (o *owner) place(b batch) {
	folder := importFolder(o.config.Data)
	put := func(text string) {
		staged := writeFile(o, filepath.Dir(folder), o.site+".staged", text)
		if err := os.Rename(staged, filepath.Join(folder, o.site+".json")); err != nil {
			o.Error(err)
		}
	}
	id := fmt.Sprintf("%d@replaced", o.words.Add(1))
	switch o.random.IntN(4) {
	case 0:
		put(`[{"id":"` + id + `"}]`)
		o.pause()
	case 1:
		put(`[{"id":"` + id + `"}]`)
		o.await(id)
	}
	if b.complete != "" {
		b.listings = `{"complete":"` + b.complete + `","data":` + b.listings + "}"
	}
	put(b.listings)
}

// pause sleeps for up to about the interval at which the import folder is read.
func (o *owner) pause() { time.Sleep(time.Duration(o.random.IntN(600)) * time.Millisecond) }

// await waits until the file with the flat has been imported.
func (o *owner) await(id string) {
	for began := time.Now(); o.store.Get(id) == nil && !o.Failed(); time.Sleep(500 * time.Microsecond) {
		if time.Since(began) > time.Minute { // after an error the folder is read again in ten seconds
			left, _ := filepath.Glob(filepath.Join(importFolder(o.config.Data), "*"))
			o.Errorf("the file with the flat %s is not imported; the folder has %v", id, left)
		}
	}
}

// update changes the user's fields of a flat, sometimes with If-Match.
func (o *owner) update(f *soakFlat) {
	target, old, header := "/api/v1/flat/"+f.ID, firstWord(f.Notes), []string(nil)
	body := fmt.Sprintf(`{"notes":%s,"status":"%s"%s}`, encodeJSON(o.text()),
		pick(o.random, []string{"new", "seen", "followed"}),
		pick(o.random, []string{"", `,"cost":7`, `,"visit_date":"2026-12-01T18:00"`}))
	if o.random.IntN(2) == 0 {
		header = []string{"If-Match", o.ask("GET", "/api/v1/flats/"+f.ID, "").header.Get("Etag")}
	}
	got := o.ask("PATCH", target, body, header...)
	if o.inDoubt(got) {
		got = o.ask("GET", "/api/v1/flats/"+f.ID, "")
		header = nil
		if o.flat(got) == *f {
			return
		}
	}
	if got.status != 200 && o.foul.Load() {
		return
	}
	json.Unmarshal([]byte(body), f)
	if o.flat(got) != *f {
		o.Errorf("%s %q: %d %s; want %+v", body, header, got.status, got.body, *f)
	}
	if header != nil && o.ask("PATCH", target, `{"notes":"too late"}`, header...).status/100 == 2 {
		o.Errorf("%s has changed, but the old If-Match was accepted", f.ID)
	}
	o.finds("q="+firstWord(f.Notes), f.ID)
	o.finds("q=notes:"+old, "")
}

// check reads a flat and searches for it.
func (o *owner) check(f soakFlat) {
	if got := o.flat(o.ask("GET", "/api/v1/flats/"+f.ID, "")); got != f {
		o.Errorf("got  %+v\nwant %+v", got, f)
	}
	title, notes := firstWord(f.Title), firstWord(f.Notes)
	o.finds("q="+pick(o.random, []string{"title:" + title, title + "*", `"` + title + `"`, title + " " + notes,
		"-garden OR " + title + " " + notes}), f.ID)
	o.finds("filter[notes]="+f.Notes, f.ID)
}

// finds checks that the conditions match only the flat with the id, or no flat if id is "".
func (o *owner) finds(conditions, id string) {
	data, total := `{"data":[{"id":"`+id+`","cost":`, `"total":1,"counts":{}}`
	if id == "" {
		data, total = `{"data":[]`, `"total":0,"counts":{}}`
	}
	got := o.ask("GET", "/api/v1/find?fields=cost&"+query(conditions), "")
	if !strings.HasPrefix(got.body, data) || !strings.HasSuffix(got.body, total) {
		o.Errorf("%s: %.1000s; want %s", conditions, got.body, data)
	}
}

// compare checks, while no client is running, the flats against the clients' expectations,
// repeated requests against each other, and searches against the model.
func (s *soak) compare() {
	body := s.ask("GET", "/api/v1/flats", "").body
	if s.Failed() {
		return
	}
	text := strings.TrimPrefix(body[:strings.LastIndex(body, `,"page":`)], `{"data":`)
	m, stored := newModel(s, text), map[string]soakFlat{}
	var list []soakFlat
	json.Unmarshal([]byte(text), &list)
	for _, f := range list {
		stored[f.ID] = f
	}
	var times []struct {
		ID        string
		FirstSeen time.Time `json:"first_seen"`
	}
	json.Unmarshal([]byte(text), &times)
	firstSeen := map[string]time.Time{}
	for _, f := range times {
		firstSeen[f.ID] = f.FirstSeen
	}
	for _, o := range s.owners {
		for i, f := range o.flats {
			if stored[f.ID] != f {
				s.Errorf("got  %+v\nwant %+v", stored[f.ID], f)
			}
			if i > 0 && firstSeen[f.ID].Before(firstSeen[o.flats[i-1].ID]) {
				s.Errorf("%s was first seen at %v, before the flats of an earlier import: %v", f.ID, firstSeen[f.ID],
					firstSeen[o.flats[i-1].ID])
			}
		}
	}
	if f := stored["counter"]; f.Notation < s.counted.Load() || f.Notation > s.counted.Load()+s.doubted.Load() ||
		f.Notes != strconv.Itoa(s.noted) {
		s.Errorf("after %d updates the counter is at %d; after note %d its notes are %s", s.counted.Load(), f.Notation,
			s.noted, f.Notes)
	}
	for n := range uint64(soakReads) {
		_, first := s.read(n)
		request, second := s.read(n)
		// The list of imports shows the last file with a delay.
		if first.body != second.body && !strings.HasSuffix(request, "/imports") {
			s.Errorf("%s twice: got  %.500s\nand then %.500s", request, first.body, second.body)
		}
		search := randomSearch(s.random)
		if groups, ok := modelSearch(search); ok {
			want := m.list(&modelQuery{number: -1}, func(f *modelFlat) bool { return f.matches(groups) })
			if got := s.listed(s.search(search, "")); got != want {
				s.Errorf("%s: got  %s\nwant %s", search, got, want)
			}
		}
	}
}

// inDoubt reports whether a service has refused to write because another one has taken over,
// which may or may not have read what was to be written. It waits until that one serves.
func (s *soak) inDoubt(got reply) bool {
	if got.status != 500 || !strings.Contains(got.body, "was changed by another program") {
		return false
	}
	s.taking.RLock()
	defer s.taking.RUnlock()
	// An update that changes nothing makes durable what can be read.
	for s.ask("PATCH", "/api/v1/flat/counter", "{}").status != 200 && !s.Failed() {
		time.Sleep(time.Millisecond)
	}
	return true
}

var (
	soakFor  = flag.Duration("soak", time.Second, "the duration of TestSoak")
	foul     = flag.Bool("foul", false, "let the disk fail and other services take over in TestSoak")
	soakSeed = flag.Uint64("seed", 0, "the random seed of TestSoak, which logs it; 0 for a new one")
)

// A faultyDisk is the file system, but while it fails, so does one operation in a hundred.
// A write that fails has written half.
type faultyDisk struct {
	osDisk
	failing atomic.Bool
}

var errFaulty = errors.New("input/output error of the test")

// fails returns an error for one operation in a hundred.
func (d *faultyDisk) fails(what string) error {
	if d.failing.Load() && rand.IntN(100) == 0 {
		return fmt.Errorf("%s: %w", what, errFaulty)
	}
	return nil
}

func (d *faultyDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	if err := d.fails("open " + name); err != nil {
		return nil, err
	}
	f, err := d.osDisk.Open(name, flag, mode)
	return &faultyFile{f, d}, err
}

func (d *faultyDisk) ReadFile(name string) ([]byte, error) {
	if err := d.fails("read " + name); err != nil {
		return nil, err
	}
	return d.osDisk.ReadFile(name)
}

func (d *faultyDisk) Stat(name string) (fs.FileInfo, error) {
	if err := d.fails("stat " + name); err != nil {
		return nil, err
	}
	return d.osDisk.Stat(name)
}

func (d *faultyDisk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.fails("lstat " + name); err != nil {
		return nil, err
	}
	return d.osDisk.Lstat(name)
}

func (d *faultyDisk) Rename(from, to string) error {
	if err := d.fails("rename " + from); err != nil {
		return err
	}
	return d.osDisk.Rename(from, to)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.fails("remove " + name); err != nil {
		return err
	}
	return d.osDisk.Remove(name)
}

func (d *faultyDisk) List(prefix string) ([]string, error) {
	if err := d.fails("list " + prefix); err != nil {
		return nil, err
	}
	return d.osDisk.List(prefix)
}

func (d *faultyDisk) SyncDir(dir string) error {
	if err := d.fails("sync " + dir); err != nil {
		return err
	}
	return d.osDisk.SyncDir(dir)
}

// A faultyFile is an open file of a faultyDisk.
type faultyFile struct {
	diskFile
	d *faultyDisk
}

func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.d.fails("write"); err != nil {
		n, _ := f.diskFile.Write(b[:len(b)/2])
		return n, err
	}
	return f.diskFile.Write(b)
}

func (f *faultyFile) Sync() error {
	if err := f.d.fails("sync"); err != nil {
		return err
	}
	return f.diskFile.Sync()
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	if err := f.d.fails("fstat"); err != nil {
		return nil, err
	}
	return f.diskFile.Stat()
}

func (f *faultyFile) Truncate(size int64) error {
	if err := f.d.fails("truncate"); err != nil {
		return err
	}
	return f.diskFile.Truncate(size)
}

// TestSoak lets many clients read and change one store, which is closed and reopened
// every few seconds, each time with a clock that is days ahead or behind. The clients check
// that no acknowledged update is lost, that the next search finds it, and that an entity
// tag belongs to one body. No request may fail or log a warning, except in every other
// round: there one file operation in a hundred fails, and a second service takes the data
// over. A request that is refused must have changed nothing.
//
//	go test -race -run '^TestSoak$' -v -soak 1h -timeout 0 .
func TestSoak(t *testing.T) {
	t.Parallel()
	seed, began := cmp.Or(*soakSeed, rand.Uint64()), time.Now()
	t.Logf("-seed %d", seed)
	for folder := uint64(0); time.Since(began) < *soakFor && !t.Failed(); folder++ {
		t.Run(fmt.Sprint(folder), func(t *testing.T) {
			s := newSoak(t, rand.New(rand.NewPCG(seed, folder)))
			for time.Since(began) < *soakFor && !t.Failed() && s.store.snapshot().size < 1000 {
				s.round(min(*soakFor/8, 4*time.Second))
				s.compare()
				s.restart()
				s.compare()
				if *foul {
					s.foulRound(min(*soakFor/8, 4*time.Second))
					s.compare()
					s.restart()
					s.compare()
				}
			}
			t.Logf("%d requests, %d of them refused, %d takeovers, %d flats, counter at %d", s.asked.Load(),
				s.refused.Load(), s.takeovers, s.store.snapshot().size, s.counted.Load())
		})
	}
}

// Files
// -----

// A ledger updates a store and records the notes that it must have.
type ledger struct {
	testing.TB
	store *Store
	disk  *simDisk            // reopened after each refused update; nil for never
	sure  map[string]string   // the acknowledged notes of each flat
	maybe map[string][]string // notes refused since, which a dead disk may have
	count int
	again bool // the last update was refused
}

// update writes new notes to a flat and records the result.
func (l *ledger) update(id string, size int) error {
	l.count++
	notes := fmt.Sprintf("%d%s", l.count, strings.Repeat("x", size))
	f, err := l.store.Update(id, []byte(`{"notes":`+encodeJSON(notes)+`}`), nil)
	if err != nil {
		l.maybe[id] = append(l.maybe[id], notes)
		if got := notesOf(l.store.Get(id)); got != l.sure[id] {
			l.Errorf("after a refused update, memory has the notes %.9s; want %.9s", got, l.sure[id])
		}
		l.again = true
		// A disk that fails again may prevent that the update is taken back at once.
		l.checkKilled(fmt.Sprintf("killed after %v", err), l.disk != nil && l.disk.failures == 0)
		return err
	}
	l.sure[id] = notes
	delete(l.maybe, id)
	if l.again {
		l.again = false
		l.checkKilled("killed after the next acknowledged update", true)
	}
	if notesOf(f) != notes {
		l.Errorf("update %d returned the notes %.9s", l.count, notesOf(f))
	}
	return nil
}

// checkKilled checks a store that is opened after a kill, unless the disk is dead.
func (l *ledger) checkKilled(what string, strict bool) {
	l.Helper()
	if l.disk == nil || l.disk.isDead() {
		return
	}
	s, err := openStore("/flats.json", l.disk.killed(), nil, quiet)
	if err != nil {
		l.Fatal(err)
	}
	l.check(what, s, strict)
	s.Close()
}

// check compares a store with the ledger: each flat must have its acknowledged notes, or,
// unless strict is set, those of a later refused update.
func (l *ledger) check(what string, s *Store, strict bool) {
	l.Helper()
	for id, want := range l.sure {
		f := s.Get(id)
		if f == nil {
			l.Errorf("%s: flat %s is lost", what, id)
			continue
		}
		if got := notesOf(f); got != want && (strict || !slices.Contains(l.maybe[id], got)) {
			l.Errorf("%s: flat %s has the notes %.9s (%d bytes); want %.9s or %.9s", what, id, got, len(got), want, l.maybe[id])
		}
	}
}

// faultyRun opens a store on d, makes small and large updates, so that the journal is
// merged, imports a flat and closes the store. It returns the ledger of the updates.
func faultyRun(t testing.TB, d *simDisk) *ledger {
	l := &ledger{TB: t, disk: d, sure: map[string]string{"a": "", "b": ""}, maybe: map[string][]string{}}
	base := &simFile{data: []byte(`[{"id":"a","notes":""},{"id":"b","notes":"","x":1}]`), lost: -1, mode: 0o640}
	base.synced = base.data
	d.names["/flats.json"], d.durable["/flats.json"] = base, base
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		if d.failAt == 0 {
			t.Fatal(err)
		}
		return l
	}
	l.store = s
	for i := range 9 {
		failed := l.update([]string{"a", "b"}[i%2], []int{1, 30_000, 30}[i%3])
		if failed != nil && !d.isDead() {
			if err := l.update("a", 2); err != nil && d.failures == 0 {
				t.Errorf("operation %d, %s: the next update also failed: %v", d.failAt, d.ops[d.failAt-1], err)
			}
		}
	}
	listings, err := readListings("", []byte(`[{"id":"c","title":"new"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(context.Background(), listings, nil); err == nil {
		l.sure["c"] = ""
	}
	s.Close()
	return l
}

// flats.json is written with one flat per line and without null members. It keeps its
// mode and its symbolic link. A file with any other layout, and with a byte order mark,
// can be read.
func TestFlatsFileForm(t *testing.T) {
	dir := t.TempDir()
	target := writeFile(t, dir, "real.json", "\uFEFF[ {\n\"id\" : 1, \"x\": { \"y\" : [ 1, \"a b\" ] "+
		"},\r\n\t\"title\": null, \"cost\": 1.50,\n\"service_postal_code\":\"1\" }\n,{\"id\":\"b\",\"status\":null}]")
	if err := os.Chmod(target, 0o604); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "flats.json")
	if err := os.Symlink("real.json", link); err != nil {
		t.Skip(err)
	}
	s, err := openStore(link, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC) }
	if _, err := s.Update("b", []byte(`{"notes":"n"}`), nil); err != nil {
		t.Fatal(err)
	}
	journal := readFile(t, link+".log")
	rest := `"id":"b","notes":"n","updated_at":"2026-01-02T03:04:05Z"}` + "\n"
	if len(journal) != len(recordHead(0))+len(rest) || !strings.HasSuffix(journal, rest) {
		t.Errorf("the journal is %q; want one record that ends in %q", journal, rest)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	want := `[
{"id":1,"cost":1.50,"status":"new","service_postal_code":"1","x":{"y":[1,"a b"]}},
{"id":"b","notes":"n","status":null,"updated_at":"2026-01-02T03:04:05Z"}
]
`
	if got := readFile(t, target); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	// A dangling link is refused, because its target may be on an unmounted file system.
	nowhere := filepath.Join(dir, "nowhere.json")
	if err := os.Symlink("unmounted/flats.json", nowhere); err != nil {
		t.Fatal(err)
	}
	_, err = openStore(nowhere, osDisk{}, nil, quiet)
	if err == nil || !strings.Contains(err.Error(), "is a symbolic link to a file that does not exist") {
		t.Errorf("a dangling link: %v", err)
	}
	os.Remove(nowhere)
	_, err = openStore(t.TempDir(), osDisk{}, nil, quiet)
	if err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("flats.json is no longer a link: %v, %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o604 {
		t.Errorf("mode %v, %v; want 0604", info.Mode(), err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder contains %v, %v; want 2 entries", entries, err)
	}
}

// An error in flats.json is reported with its line and field, and the file is not
// changed.
func TestFlatsFileErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "flats.json:1: unexpected end of JSON input",
		"{}":                                  `flats.json:1: want a JSON array, got {}`,
		"null":                                `flats.json:1: want a JSON array, got null`,
		"[\n{\"id\":1},\n5]":                  `flats.json:3: want an object, got 5`,
		"[\n{\"id\":1}\n":                     "flats.json:2: unexpected end of JSON input",
		"[\n{\"id\":1},\n]":                   "flats.json:3: invalid character ']' looking for beginning of value",
		"[{\"id\":1}]\n\nx":                   "flats.json:3: invalid character 'x' after top-level value",
		"[\n{\"id\":1,\n\"cost\":\"cheap\"}]": `flats.json:2: cost: want a finite number or null, got "cheap"`,
		"[\n{\"id\":1},\n{\"title\":\"x\"}]":  "flats.json:3: id: a flat must have one",
		"[\n{\"id\":1},\n{\"id\":\"1\"}]":     `flats.json:3: id: "1" appears twice`,
		"\uFEFF[\n{\"id\":1},\n\n{\"id\":2},{\"id\":\"1\"}]": `flats.json:4: id: "1" appears twice`,
		"\uFEFF\n[{\"id\":1},\n{\"cost\":\"x\",\"id\":2}]": `flats.json:3: cost: want a finite number or null, ` +
			`got "x"`,
		"[{\"id\":\"\"}]": `flats.json:1: id: want a string of 1 to 1024 bytes or an integer, got ""`,
		"[{\"id\":1},\n{\"id\":2,\"text\":\"\xe9\"}]": "flats.json:2: byte 0xe9 is not UTF-8",
		"[{\"id\":1,\"date\":\"2026-13-01\"}]": `flats.json:1: date: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "2026-13-01"`,
		"[{\"id\":1,\n\"updated_at\":5}]": `flats.json:1: updated_at: want an ISO 8601 datetime such as ` +
			`2026-12-01T18:00 or 2026-12-01T18:00:00+01:00, got "5"`,
	} {
		path := writeFile(t, t.TempDir(), "flats.json", text)
		_, err := openStore(path, osDisk{}, nil, quiet)
		if err == nil || !strings.HasPrefix(err.Error(), filepath.Dir(path)+"/"+want+" (") {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
		if got := readFile(t, path); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// A flat with almost the maximum number of members can be imported, updated, and read again
// at start. Imports and updates that together exceed the maximum are refused.
func TestManyMembers(t *testing.T) {
	t.Parallel()
	var listing strings.Builder
	listing.WriteString(`[{"id":"a"`)
	for i := range 9_970 {
		fmt.Fprintf(&listing, `,"m%d":%d`, i*7919%9_970, i)
	}
	listing.WriteString("}]")
	path := writeFile(t, t.TempDir(), "flats.json", "[]")
	s, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	listings, err := readListings("in", []byte(listing.String()))
	if err != nil {
		t.Fatal(err)
	}
	update := strings.Trim(strings.Replace(listing.String(), `"id"`, `"notes":"x","id"`, 1), "[]")
	for range 2 { // a new flat, and an existing one
		if _, err := s.Import(context.Background(), listings, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Update("a", []byte(update), nil); err != nil {
		t.Fatal(err)
	}
	want := s.Get("a").JSON()
	_, err = s.ImportText([]byte(`[{"id":"a","details":{`+strings.Repeat(`"x":{"":1},`, 20)+`"y":1}}]`), "")
	if err == nil || !strings.Contains(err.Error(), errLarge.Error()) {
		t.Errorf("an import of too many members: %v", err)
	}
	_, err = s.Update("a", []byte(`{"photos":[`+strings.Repeat(`{"":1},`, 40)+`1]}`), nil)
	if err == nil || !strings.Contains(err.Error(), errLarge.Error()) {
		t.Errorf("an update of too many members: %v", err)
	}
	s.Close()
	if s, err = openStore(path, osDisk{}, nil, quiet); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := s.Get("a").JSON(); got != want || len(s.Get("a").unknownMembers()) != 9_970 {
		t.Errorf("the flat has %d bytes after a restart; want %d", len(got), len(want))
	}
}

// If an update contains the flat's own id in another spelling, the flat keeps the spelling
// of flats.json, also after a restart.
func TestJournalID(t *testing.T) {
	const flats = `[{"id":7},{"id":"8"},{"id":"a"},{"id":"null"}]`
	path := writeFile(t, t.TempDir(), "flats.json", flats)
	s, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, test := range []struct{ id, update, literal string }{
		{"7", `{"id":"7","notes":"mine"}`, `7`},
		{"7", `{"id":7,"cost":1}`, `7`},
		{"8", `{"notes":"mine","id":8}`, `"8"`},
		{"a", `{"id":"\u0061","notes":"mine"}`, `"a"`},
		{"null", `{"id":"null","notes":"mine"}`, `"null"`},
	} {
		f, err := s.Update(test.id, []byte(test.update), nil)
		if err != nil || f.ID.JSON() != test.literal {
			t.Fatalf("%s: %v, %v", test.update, f, err)
		}
		// Open a copy of the files, as after a crash.
		copied := writeFile(t, t.TempDir(), "flats.json", readFile(t, path))
		writeFile(t, filepath.Dir(copied), "flats.json.log", readFile(t, path+".log"))
		again, err := openStore(copied, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatalf("%s: %v", test.update, err)
		}
		if got := again.Get(test.id); got == nil || got.JSON() != f.JSON() {
			t.Errorf("%s: after a crash: %v; want %s", test.update, got, f.JSON())
		}
		again.Close()
	}
	for _, update := range []string{`{"id":null}`, `{"id":"7"}`, `{"id":7.0}`} {
		if _, err := s.Update("null", []byte(update), nil); err == nil {
			t.Errorf("update %s was accepted", update)
		}
	}
	writeFile(t, filepath.Dir(path), "flats.json.log", recordText(`"id":null}`))
	_, err = openStore(path, osDisk{}, nil, quiet)
	want := "flats.json.log:1: id: want a string of 1 to 1024 bytes or an integer, got null"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a journal record with the id null: %v", err)
	}
}

// Replaying the journal adds a flat only from an import that added it. Updates of a flat
// that was removed from flats.json by hand are ignored.
func TestJournalUnknownFlat(t *testing.T) {
	records := strings.Join([]string{
		recordText(`"id":"b","notes":"n"}`),
		recordText(`"imported":{},"added":[{"id":"c","title":"new"}],` +
			`"updated":[{"id":"b","cost":2},{"id":"c","cost":1}]}`),
		recordText(`"id":"c","notes":"mine"}`),
	}, "")
	path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
	writeFile(t, filepath.Dir(path), "flats.json.log", records)
	var logs lockedBuffer
	s, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := listed(s)
	if len(got) != 2 || s.Get("b") != nil || titleOf(s.Get("c")) != "new" || notesOf(s.Get("c")) != "mine" {
		t.Errorf("got the flats %s; want a and c", got)
	}
	warning := `msg="ignoring a journal update of a flat that is not in flats.json" file=` + path + ".log.000001-"
	if n := strings.Count(logs.String(), warning); n != 2 {
		t.Errorf("%d warnings; want 2:\n%s", n, logs.String())
	}
}

// A journal that was cut at any byte is read up to its last complete record. The rest is cut
// off, and kept in a file of its own. Damage before a complete record is refused.
func TestJournalCuts(t *testing.T) {
	const base = "/flats.json"
	var journal []byte
	var ends []int
	for i := range 5 {
		journal = append(journal,
			recordText(fmt.Sprintf(`"id":"a","cost":%d,"title":"é\\n","new %d":[{}]}`, i+10, i))...)
		ends = append(ends, len(journal))
	}
	var d *simDisk // of the last store that was opened
	open := func(text []byte) (*Store, string, error) {
		d = newSimDisk()
		d.names[base] = &simFile{data: []byte(`[{"id":"a","cost":1},{"id":9}]`), lost: -1}
		d.names[base+".log"] = &simFile{data: bytes.Clone(text), lost: -1}
		var logs bytes.Buffer
		s, err := openStore(base, d, nil, slog.New(slog.NewTextHandler(&logs, nil)))
		return s, logs.String(), err
	}
	cost := func(records int) string {
		if records == 0 {
			return "1"
		}
		return strconv.Itoa(records + 9)
	}
	for cut := range len(journal) + 1 {
		for i, tail := range []string{"", "\x00\x00\x00", "garbage", "\x00\n\n{}\n",
			`{"crc":"00000000","id":"a"}` + "\n"} {
			if i > 0 && cut%5 != i {
				continue // a sample is enough for the other tails
			}
			s, logs, err := open(append(journal[:cut:cut], tail...))
			if err != nil {
				t.Fatalf("cut at %d, then %q: %v", cut, tail, err)
			}
			complete := 0
			for complete < len(ends) && ends[complete] <= cut {
				complete++
			}
			if got := costOf(s.Get("a")); got != cost(complete) {
				t.Errorf("cut at %d, then %q: cost %s; want the cost after %d records", cut, tail, got, complete)
			}
			rest := string(journal[append([]int{0}, ends...)[complete]:cut]) + tail
			if strings.Contains(logs, "incomplete or damaged") != (rest != "") {
				t.Errorf("cut at %d, then %q: the log says %q", cut, tail, logs)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if d.names[base+".log"] != nil {
				t.Error("the journal still exists after Close")
			}
			kept := ""
			for name, f := range d.names {
				if strings.HasPrefix(name, base+".log.damaged-") {
					kept += string(f.data)
				}
			}
			if kept != rest {
				t.Errorf("cut at %d, then %q: the file of the rest has %q; want %q", cut, tail, kept, rest)
			}
		}
	}
	for i := range ends[3] {
		damaged := bytes.Clone(journal)
		damaged[i] ^= 1
		line := 1 + bytes.Count(journal[:i], []byte("\n"))
		s, _, err := open(damaged)
		if err == nil {
			t.Errorf("byte %d damaged: opened with cost %s; want an error", i, costOf(s.Get("a")))
			s.Close()
		} else if want := fmt.Sprintf("flats.json.log:%d: ", line); !strings.Contains(err.Error(), want) {
			t.Errorf("byte %d damaged: %v; want an error with %s", i, err, want)
		}
		if !bytes.Equal(d.names[base+".log"].data, damaged) {
			t.Errorf("byte %d damaged: the journal was changed", i)
		}
	}
	// A complete record with an invalid member is refused.
	_, _, err := open([]byte(recordText(`"imported":[],"added":[]}`)))
	if err == nil || !strings.Contains(err.Error(), "flats.json.log:1: json: cannot unmarshal array") {
		t.Errorf("got %v", err)
	}
	_, _, err = open([]byte(recordText(`"id":9,"cost":"x"}`)))
	if err == nil || !strings.Contains(err.Error(), "flats.json.log:1: cost: want a finite number or null") {
		t.Errorf("got %v", err)
	}
	delete(d.names, base)
	_, err = openStore(base, d, nil, quiet)
	if err == nil || !strings.Contains(err.Error(), "is missing, but ") {
		t.Errorf("a journal without flats.json: %v", err)
	}
}

// The damaged end of a journal is never lost, whichever operation fails or loses power, and
// does not replace one that was kept earlier.
func TestDamagedEnd(t *testing.T) {
	whole, last := recordText(`"id":"a","cost":2}`), recordText(`"id":"a","cost":3}`)
	damaged := strings.Replace(last, "cost", "cosu", 1)
	const earlier = "/flats.json.log.damaged-ABCDEFGH"
	done := false
	for n := 1; !done; n++ {
		for _, crash := range []bool{false, true} {
			d := newSimDisk()
			for name, text := range map[string]string{"/flats.json": `[{"id":"a"}]`, "/flats.json.log": whole + damaged,
				earlier: "earlier"} {
				d.names[name] = &simFile{data: []byte(text), synced: []byte(text), lost: -1}
			}
			d.durable = maps.Clone(d.names)
			d.failAt, d.crash = n, crash
			if s, err := openStore("/flats.json", d, nil, quiet); err == nil {
				s.Close()
			}
			done = len(d.ops) < n
			for _, kept := range []bool{false, true} {
				after := d.restart(kept, false)
				s, err := openStore("/flats.json", after, nil, quiet)
				if err != nil {
					t.Fatal(err)
				}
				if got := costOf(s.Get("a")); got != "2" {
					t.Errorf("operation %d: the cost is %s; want 2", n, got)
				}
				s.Close()
				found := 0
				for _, f := range after.names {
					if string(f.data) == damaged {
						found++
					}
				}
				// A restart between keeping the end and removing the journal keeps it twice.
				if found < 1 || found > 2 || string(after.names[earlier].data) != "earlier" {
					t.Errorf("operation %d, crash %v: %d files have the end: %v", n, crash, found, after.names)
				}
			}
		}
	}
}

// The size of the journal stays bounded during many updates.
func TestJournalBound(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	largest := 0
	for i := range 400 {
		_, err := s.Update("a", []byte(fmt.Sprintf(`{"notes":"%d%s"}`, i, strings.Repeat("x", 20_000))), nil)
		if err != nil {
			t.Fatal(err)
		}
		d.mu.Lock()
		if f := d.names["/flats.json.log"]; f != nil {
			largest = max(largest, len(f.data))
		}
		d.mu.Unlock()
	}
	if err := s.Close(); err != nil || largest > 32*smallestFold || largest < smallestFold/2 {
		t.Errorf("the journal grew to %d bytes, %v; want about %d", largest, err, smallestFold)
	}
}

// A foldDisk lets a fold write only once goOn is closed, and counts the bytes.
type foldDisk struct {
	*simDisk
	began, goOn chan bool // began receives at each write of a fold
	written     atomic.Int64
}

func (d *foldDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	file, err := d.simDisk.Open(name, flag, mode)
	if err == nil && strings.HasSuffix(name, ".tmp") {
		file = &foldFile{file, d}
	}
	return file, err
}

// A foldFile is the temporary file of a fold.
type foldFile struct {
	diskFile
	d *foldDisk
}

func (f *foldFile) Write(b []byte) (int, error) {
	select {
	case f.d.began <- true:
	default:
	}
	<-f.d.goOn
	f.d.written.Add(int64(len(b)))
	return f.diskFile.Write(b)
}

// A stop during a fold writes flats.json once more if there have been updates since, and not
// at all if there are only files of the import folder to remember.
func TestStopDuringFold(t *testing.T) {
	var text []string
	for i := range 64 {
		text = append(text, fmt.Sprintf(`{"id":%d,"text":"%s"}`, i, strings.Repeat("x", 1<<15)))
	}
	listings, err := readListings("", []byte("["+strings.Join(text, ",")+"]"))
	if err != nil {
		t.Fatal(err)
	}
	for name, updates := range map[string]int64{"updates": 1, "imported file": 0} {
		d := &foldDisk{simDisk: newSimDisk(), began: make(chan bool, 9), goOn: make(chan bool)}
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Import(context.Background(), listings, &importedFile{"file", "sum"}); err != nil {
			t.Fatal(err)
		}
		<-d.began // the fold of the import
		if updates > 0 {
			if _, err := s.Update("a", []byte(`{"notes":"n"}`), nil); err != nil {
				t.Fatal(err)
			}
		}
		closed := make(chan error)
		go func() { closed <- s.Close() }()
		<-s.writer.quit
		d.written.Store(0)
		close(d.goOn)
		if err := <-closed; err != nil {
			t.Error(err)
		}
		size := int64(len(d.names["/flats.json"].data))
		want := (1 + updates) * size // the fold in progress, and that of the updates
		if written := d.written.Load(); size < 1<<21 || written > want || written < want-size/4 {
			t.Errorf("%s: the stop wrote %d bytes for a flats.json of %d; want %d", name, written, size, want)
		}
	}
}

// Updates fail while the disk is full, without adding more and more files, and succeed
// once there is space again.
func TestFullDisk(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","notes":"0"}]`), lost: -1}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	l := &ledger{TB: t, store: s, disk: d, sure: map[string]string{"a": "0"}, maybe: map[string][]string{}}
	for round := range 3 {
		if err := l.update("a", 10); err != nil {
			t.Fatal(err)
		}
		d.setFull(true)
		for range 10 {
			if err := l.update("a", 10); err == nil {
				t.Fatal("an update succeeded on a full disk")
			}
			if journals, _ := d.List("/flats.json.log"); len(journals) > round+2 {
				t.Fatalf("round %d: too many journals: %q", round, journals)
			}
		}
		d.setFull(false)
	}
	if err := l.update("a", 10); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil || len(d.names) != 1 {
		t.Errorf("after Close there are %d files, %v; want 1", len(d.names), err)
	}
}

// After an operation on a file has failed, no later step follows: a file that could not be
// written is neither synced nor renamed, but closed and removed.
func TestFailedSteps(t *testing.T) {
	const file = "/import/x.json.tmp"
	rest := map[string]string{
		"open": "", "write": "close remove", "chmod": "close remove", "sync": "close remove", "close": "remove",
		"stat": "remove", "rename": "remove", "syncdir": "",
	}
	for n, failed := 1, 0; ; n++ {
		d := newSimDisk()
		d.failAt = n
		err := writeTemp(d, file, 0o600, func(w *bufio.Writer) { w.WriteString("[]") })
		if err == nil {
			_, err = replace(d, file, "/import/x.json")
		}
		if err == nil {
			if failed != len(rest) {
				t.Errorf("%d operations failed; want %d: %q", failed, len(rest), d.ops)
			}
			return
		}
		failed++
		var after []string
		for _, op := range d.ops[n:] {
			what, _, _ := strings.Cut(op, " ")
			after = append(after, what)
		}
		what, _, _ := strings.Cut(d.ops[n-1], " ")
		if want, ok := rest[what]; !ok || strings.Join(after, " ") != want {
			t.Errorf("after %s had failed: %q; want %q", what, after, want)
		}
		if _, err := d.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after %s had failed, the temporary file is still there: %v", what, err)
		}
	}
}

// Each file operation in turn fails, alone or with some of those after it. The update is
// then refused, memory and files do not show it, even after a kill and restart, and the next
// update succeeds once the disk does.
func TestEveryOperationFails(t *testing.T) {
	t.Parallel()
	clean := newSimDisk()
	faultyRun(t, clean)
	kinds := map[string]int{}
	// Four failures keep a refused update in the journal: sync, truncate, sync and close.
	// Another one follows while the journal is folded.
	faults := []struct{ failures, gap int }{{0, 0}, {2, 0}, {4, 22}}
	for run := range len(faults) * (len(clean.ops) + 5) {
		n, fault := 1+run/len(faults), faults[run%len(faults)]
		if !*whole && run%len(faults) != n%len(faults) {
			continue
		}
		d := newSimDisk()
		d.failAt, d.failures, d.gap = n, fault.failures, fault.gap
		l := faultyRun(t, d)
		if len(d.ops) >= n {
			kinds[strings.Fields(d.ops[n-1])[0]]++
		}
		s, err := openStore("/flats.json", d.restart(true, false), nil, quiet)
		if err != nil {
			t.Errorf("operation %d, %v: %v", n, fault, err)
			continue
		}
		l.check(fmt.Sprintf("failed operation %d, %s, %v", n, d.ops[min(n, len(d.ops))-1], fault), s, true)
		s.Close()
	}
	t.Logf("%d operations failed in turn: %v", len(clean.ops), kinds)
}

// An update is refused and cannot be cut from the journal while an earlier journal is folded.
// It does not come back after a kill, although that fold succeeds and the next one fails.
func TestRefusedDuringFold(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","notes":"0"},{"id":"b","notes":"0"}]`), lost: -1}
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Update("a", []byte(`{"notes":"1"}`), nil); err != nil {
		t.Fatal(err)
	}
	fail := func(rule func(what, name string) bool) {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.rule = rule
	}
	s.call(func() error {
		w := &s.writer
		set := func(id, notes string) error {
			j := &job{done: make(chan error, 1), makeEdits: func(current func(string) *Flat) ([]edit, error) {
				e, err := s.edit(current(id), members{"notes": json.RawMessage(encodeJSON(notes))}, `"2026-01-01T00:00:00Z"`,
					nil)
				return []edit{e}, err
			}}
			w.commit([]*job{j})
			return <-j.done
		}
		w.startFold()
		result := <-w.folding
		w.folding = make(chan error, 1)
		w.folding <- result // the fold is still in progress
		fail(func(what, name string) bool {
			return what == "sync" && strings.HasSuffix(name, ".log") || what == "truncate"
		})
		if err := set("a", "refused"); err == nil {
			t.Error("the update is not refused")
		}
		fail(func(what, name string) bool { return what == "open" && strings.HasSuffix(name, ".tmp") })
		set("b", "1")
		set("b", "2")
		fail(nil)
		if err := set("b", "3"); err != nil {
			t.Error(err)
		}
		return nil
	})
	again, err := openStore("/flats.json", d.killed(), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if a, b := notesOf(again.Get("a")), notesOf(again.Get("b")); a != "1" || b != "3" {
		t.Errorf("after a kill the notes are %q and %q; want 1 and 3", a, b)
	}
}

// The power fails at each file operation in turn. Whatever unsynced data the disk has
// kept, acknowledged updates are complete, and no other update is there in part.
func TestPowerCut(t *testing.T) {
	t.Parallel()
	clean := newSimDisk()
	faultyRun(t, clean)
	step := 4
	if *whole {
		step = 1
	}
	for n := 1; n <= len(clean.ops)+5; n += step {
		for _, remains := range []struct{ kept, half bool }{{false, false}, {true, false}, {false, true},
			{true, true}} {
			d := newSimDisk()
			d.failAt, d.crash = n, true
			l := faultyRun(t, d)
			after := d.restart(remains.kept, remains.half)
			for range 2 { // restarting once more gives the same flats
				s, err := openStore("/flats.json", after, nil, quiet)
				if err != nil {
					t.Errorf("power cut at operation %d %v: %v", n, remains, err)
					break
				}
				l.check(fmt.Sprintf("power cut at operation %d %v", n, remains), s, false)
				s.Close()
			}
		}
	}
}

// The store refuses to overwrite a change by another program.
func TestOneWriter(t *testing.T) {
	for name, change := range map[string]func(path string){
		"flats.json edited": func(path string) {
			writeFile(t, filepath.Dir(path), "flats.json", `[{"id":"a","title":"edited"}]`)
		},
		"flats.json removed": func(path string) { os.Remove(path) },
		"flats.json replaced": func(path string) {
			os.Rename(writeFile(t, filepath.Dir(path), "x", readFile(t, path)), path)
		},
		"journal appended to": func(path string) {
			writeFile(t, filepath.Dir(path), "flats.json.log", readFile(t, path+".log")+"{}\n")
		},
		"journal removed": func(path string) { os.Remove(path + ".log") },
		"journal replaced": func(path string) {
			os.Rename(writeFile(t, filepath.Dir(path), "x", readFile(t, path+".log")), path+".log")
		},
		"started twice": func(path string) {
			second, err := openStore(path, osDisk{}, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := second.Update("a", []byte(`{"title":"second"}`), nil); err != nil {
				t.Errorf("the second service: %v", err)
			}
			for left := []string{""}; len(left) > 0; left, _ = filepath.Glob(path + ".log.*") {
				time.Sleep(time.Millisecond) // until it has merged the journal that it took over
			}
			t.Cleanup(func() { second.Close() })
		},
	} {
		path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
		s, err := openStore(path, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Update("a", []byte(`{"title":"mine"}`), nil); err != nil {
			t.Fatal(err)
		}
		change(path)
		files := func() string {
			base, _ := os.ReadFile(path)
			journal, _ := os.ReadFile(path + ".log")
			return string(base) + "|" + string(journal)
		}
		before := files()
		for range 2 {
			_, err := s.Update("a", []byte(`{"title":"refused"}`), nil)
			if !isConflict(err) || !strings.Contains(err.Error(), "restart this one") {
				t.Errorf("%s: the update returned %v; want a refusal", name, err)
			}
		}
		if got := titleOf(s.Get("a")); got != "mine" {
			t.Errorf("%s: the title in memory is %q; want mine", name, got)
		}
		if err := s.Close(); !isConflict(err) {
			t.Errorf("%s: Close returned %v; want a refusal", name, err)
		}
		if after := files(); after != before {
			t.Errorf("%s: the files changed from\n%s\nto\n%s", name, before, after)
		}
	}
}

// If the store cannot take over the journal, it leaves it unchanged and refuses every
// update with the reason.
func TestNoTakeover(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
	journal := []byte(recordText(`"id":"a","notes":"acknowledged"}`))
	d.names["/flats.json.log"] = &simFile{data: journal, lost: -1}
	d.readOnly = true
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := s.Update("a", []byte(`{"notes":"mine"}`), nil)
		if err == nil || !strings.Contains(err.Error(),
			"cannot take over the journal: rename /flats.json.log: permission denied; restart") {
			t.Errorf("the update returned %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := notesOf(s.Get("a")); got != "acknowledged" {
		t.Errorf("the notes in memory are %q; want acknowledged", got)
	}
	if !bytes.Equal(d.names["/flats.json.log"].data, journal) || len(d.names) != 2 {
		t.Errorf("the files changed: %v", d.names)
	}
}

// A service that cannot create its journal serves the flats and refuses updates, until it
// can.
func TestReadOnlyFolder(t *testing.T) {
	d := newSimDisk()
	d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
	d.readOnly = true
	var logs lockedBuffer
	s, err := openStore("/flats.json", d, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	const denied = "open /flats.json.log: permission denied"
	_, err = s.Update("a", []byte(`{"notes":"mine"}`), nil)
	if s.Get("a") == nil || err == nil || !strings.Contains(err.Error(), denied) ||
		!strings.Contains(logs.String(), denied) {
		t.Errorf("the update returned %v, and the log is\n%s", err, logs.String())
	}
	d.mu.Lock()
	d.readOnly = false
	d.mu.Unlock()
	if _, err := s.Update("a", []byte(`{"notes":"mine"}`), nil); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil || len(d.names) != 1 {
		t.Errorf("Close returned %v and left %v", err, d.names)
	}
}

// A service starts while another one folds: within any operation of the start, flats.json takes
// the updates of the retired journal, which is removed.
func TestStartDuringFold(t *testing.T) {
	const retired = "/flats.json.log.000001-AAAAAAAA"
	for at := 1; ; at++ {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
		d.names[retired] = &simFile{data: []byte(recordText(`"id":"a","notes":"1"}`)), lost: -1}
		var removed atomic.Bool
		d.hooks = map[int]func(){at: func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			removed.Store(true)
			d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a","notes":"1"}]`), lost: -1}
			delete(d.names, retired)
		}}
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		if got := notesOf(s.Get("a")); got != "1" {
			t.Errorf("at %d: notes %q; want 1", at, got)
		}
		s.Close()
		if !removed.Load() {
			return
		}
	}
}

// A file leaves the import folder within any operation of the scan that finds it. Such a file is
// imported or not, but not refused.
func TestImportLeaves(t *testing.T) {
	for at := 1; ; at++ {
		d := newSimDisk()
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		d.mu.Lock()
		d.names["/import/a.json"] = &simFile{data: []byte(`[{"id":"a"}]`), lost: -1}
		var left atomic.Bool
		d.hooks = map[int]func(){len(d.ops) + at: func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			left.Store(true)
			delete(d.names, "/import/a.json")
			delete(d.names, "/import/a.json.importing")
		}}
		d.mu.Unlock()
		if err := newWatcher(s, "/import", 1<<20).scan(t.Context()); err != nil {
			t.Errorf("at %d: %v", at, err)
		}
		for _, outcome := range s.Outcomes() {
			if outcome.Error != nil {
				t.Errorf("at %d: refused: %s", at, *outcome.Error)
			}
		}
		s.Close()
		if !left.Load() {
			return
		}
	}
}

// Two services use the same data. Either the second one starts within an operation of the
// first, or the first one writes within an operation of the second one's start. No
// acknowledged update is lost, and updates by the service that has lost the journal fail
// with that reason.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", smallestFold)
	run := func(at int, firstStarts bool) (done bool) { // done: at is beyond the last operation
		d := newSimDisk()
		base := &simFile{data: []byte(`[{"id":"a"},{"id":"b"},{"id":"c"}]`), lost: -1}
		base.synced = base.data
		d.names["/flats.json"], d.durable["/flats.json"] = base, base
		acked := map[string]string{}   // the acknowledged notes of each flat
		later := map[string][]string{} // the notes refused since
		var second atomic.Pointer[Store]
		var mu sync.Mutex
		update := func(s *Store, id, notes string) {
			if s == nil {
				return
			}
			_, err := s.Update(id, []byte(`{"notes":"`+notes+`"}`), nil)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				acked[id], later[id] = notes, nil
			} else {
				later[id] = append(later[id], notes)
				if !isConflict(err) && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("at %d: %v", at, err)
				}
			}
		}
		open := func() *Store {
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Errorf("at %d: %v", at, err)
			}
			return s
		}
		first := open()
		update(first, "a", "1")
		ran := make(chan struct{})
		setHook := func(f func()) {
			d.mu.Lock()
			d.hooks = map[int]func(){len(d.ops) + at: func() { f(); close(ran) }}
			d.mu.Unlock()
		}
		if firstStarts {
			// The second service starts and writes within an operation of the first.
			setHook(func() {
				second.Store(open())
				update(second.Load(), "b", "1")
				update(second.Load(), "c", "1")
			})
			update(first, "a", "2"+big) // large enough to merge the journal
			update(first, "a", "3")
			update(first, "a", "4")
		} else {
			// The first service writes within an operation of the second one's start.
			setHook(func() {
				update(first, "a", "2"+big)
				update(first, "a", "3")
				update(first, "a", "4")
			})
			second.Store(open())
			for range 50 { // while it merges the journal that it took over
				if left, _ := d.List("/flats.json.log."); len(left) == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
		}
		d.mu.Lock()
		hooked := len(d.hooks) == 0
		d.hooks = nil
		d.mu.Unlock()
		if hooked {
			<-ran // otherwise the order of the updates is unknown
		}
		update(second.Load(), "b", "5")
		update(first, "a", "6")
		update(second.Load(), "c", "7")
		first.Close()
		if s := second.Load(); s != nil {
			s.Close()
		}
		mu.Lock()
		defer mu.Unlock()
		for range 2 {
			last := open()
			for id, want := range acked {
				if got := notesOf(last.Get(id)); got != want && !slices.Contains(later[id], got) {
					t.Errorf("at %d, %v: flat %s has the notes %.9q; want the acknowledged %.9q", at, firstStarts, id, got, want)
				}
			}
			last.Close()
		}
		return !hooked
	}
	for _, firstStarts := range []bool{true, false} {
		at := 1
		for ; !run(at, firstStarts); at++ {
		}
		if at < 10 {
			t.Errorf("only %d operations; want at least 10", at)
		}
	}
}

// A second service starts and writes before each file operation of the first, in turn. Then
// that operation may fail, and the second service may die between two journals. No
// acknowledged update is lost: a service removes only journals that it knows.
func TestUnknownJournals(t *testing.T) {
	t.Parallel()
	run := func(at int, fails, dies bool) (done bool) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"},{"id":"b"}]`), lost: -1}
		acked := map[string]string{}
		later := map[string][]string{} // the notes refused since
		var mu sync.Mutex
		update := func(s *Store, id, notes string) {
			_, err := s.Update(id, []byte(`{"notes":"`+notes+`"}`), nil)
			mu.Lock()
			defer mu.Unlock()
			later[id] = append(later[id], notes)
			if err == nil {
				acked[id], later[id] = notes, nil
			} else if !isConflict(err) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errSim) {
				t.Errorf("at %d: %v", at, err)
			}
		}
		var second *Store
		failed := 0
		d.hooks = map[int]func(){at: func() {
			second, _ = openStore("/flats.json", d, nil, quiet)
			if second == nil {
				t.Errorf("at %d: the second service did not start", at)
				return
			}
			update(second, "b", "1")
			for range 50 { // while it merges the journal that it took over
				if left, _ := d.List("/flats.json.log."); len(left) == 0 {
					break
				}
				time.Sleep(time.Millisecond)
			}
			if dies {
				d.Rename("/flats.json.log", "/flats.json.log.000009-BBBBBBBB")
			}
			d.mu.Lock()
			defer d.mu.Unlock()
			if fails {
				failed = len(d.ops) + 1
				d.failAt = failed
			}
		}}
		if first, err := openStore("/flats.json", d, nil, quiet); err == nil {
			for notes := range 3 {
				update(first, "a", fmt.Sprint(notes, strings.Repeat("x", notes*smallestFold/2))) // merges the journal
			}
			first.Close()
		}
		d.mu.Lock()
		d.hooks = nil
		unnamed := failed > 0 && strings.HasPrefix(d.ops[failed-1], "fstat")
		d.mu.Unlock()
		last, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Errorf("at %d: %v", at, err)
			return true
		}
		defer last.Close()
		if unnamed {
			return false // a journal that cannot be told from others is removed by its name
		}
		for id, want := range acked {
			if got := notesOf(last.Get(id)); got != want && !slices.Contains(later[id], got) {
				t.Errorf("at %d, fails %v, dies %v: flat %s has the notes %.9q; want %.9q", at, fails, dies, id, got, want)
			}
		}
		return second == nil
	}
	step := 4
	if *whole {
		step = 1
	}
	for i, fails := range []bool{false, true} {
		for j, dies := range []bool{false, true} {
			at := 1 + (2*i+j)%step
			for !run(at, fails, dies) {
				at += step
			}
			if at < 30 {
				t.Errorf("only %d operations; want at least 30", at)
			}
		}
	}
}

// Two services on one file use different temporary files, and a start removes temporary
// files that a killed service has left.
func TestTemporaryFiles(t *testing.T) {
	path := writeFile(t, t.TempDir(), "flats.json", `[{"id":"a"}]`)
	first, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.writer.files.writeBase(first.snapshot()); err != nil {
		t.Fatal(err)
	}
	second, err := openStore(path, osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	temp, mark, other := first.writer.files.temp, first.writer.files.processID, second.writer.files.processID
	if _, err := os.Stat(temp); !errors.Is(err, fs.ErrNotExist) || mark == other {
		t.Errorf("temporary file %s: %v; marks %s and %s", temp, err, mark, other)
	}
	if err := errors.Join(second.Close(), first.Close()); err != nil {
		t.Error(err)
	}
	if got := readFile(t, path); got != "[\n{\"id\":\"a\",\"status\":\"new\"}\n]\n" {
		t.Errorf("flats.json is %s", got)
	}
}

// Backup
// ------

// Importing the answer of GET /flats into an empty store restores every flat, including
// unknown members.
func TestBackup(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.ask("POST", "/api/v1/import", testFlats)
	s.ask("POST", "/api/v1/import", `[{"id":"a","cost":510},{"id":"gone@x"}]`)
	s.ask("POST", "/api/v1/import?complete=x", `[{"id":"b@x"}]`)
	s.ask("PATCH", "/api/v1/flat/b", `{"not_duplicates":["a", 7]}`)
	s.ask("PATCH", "/api/v1/flat/a", `{"notes":"a\u0000\n\ud83d\ude00","visit_date":"2026-12-01 10:00:00.5+01",`+
		`"details":{"a":[1.0,null]},"status":{"x":1e2}}`)
	deep := strings.Repeat("[", 9995) + strings.Repeat("]", 9995)
	if got := s.ask("PATCH", "/api/v1/flat/b", `{"details":`+deep+`}`); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	backup := s.ask("GET", "/api/v1/flats", "").body
	listings, err := readListings("backup", []byte(backup))
	if err != nil {
		t.Fatal(err)
	}
	empty := newService(t, "[]", testCodes)
	if counts, err := empty.store.Import(context.Background(), listings, nil); err != nil || counts.Added != 7 {
		t.Fatal(counts, err)
	}
	for _, f := range s.store.snapshot().all() {
		want := f.JSON()
		if f.ID.String() == "d" || f.ID.String() == "e" {
			// The API shows a code outside the flat's constraint as {}, so it is lost.
			want = strings.Replace(want, `"service_postal_code":"10115"`, `"service_postal_code":{}`, 1)
		}
		if got := empty.store.Get(f.ID.String()); got == nil || got.JSON() != want {
			t.Errorf("got  %v\nwant %s", got, want)
		}
	}
}

// The recipe for a backup copies every file, also while they are replaced, and fails if it
// cannot read one.
func TestBackupRecipe(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	_, recipe, _ := strings.Cut(readFile(t, "docs/running.md"), "\n## Backup\n")
	_, recipe, _ = strings.Cut(recipe, "\n\n    ")
	recipe, _, _ = strings.Cut(recipe, "\n\n")
	dir := t.TempDir()
	files := []string{"flats.json", "views.json", "flats.json.log", "flats.json.log.000001-ABCDEFGH"}
	for _, name := range files {
		writeFile(t, dir, name, name)
	}
	// back runs the recipe and returns the folder of the copy.
	back := func() (copied string, err error) {
		backup := exec.Command(shell, "-c", recipe)
		backup.Dir = dir
		out, err := backup.CombinedOutput()
		if len(out) > 0 {
			t.Logf("%s", out)
		}
		folders, _ := filepath.Glob(filepath.Join(dir, "backup", "*"))
		return slices.Max(append(folders, "")), err
	}
	ctx, stop := context.WithCancel(t.Context())
	var replacing sync.WaitGroup
	replacing.Go(func() {
		for ctx.Err() == nil {
			for _, name := range files[:2] {
				if err := os.Rename(writeFile(t, dir, name+".tmp", name), filepath.Join(dir, name)); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for range 20 {
		copied, err := back()
		if err != nil {
			t.Errorf("the recipe failed: %v", err)
		}
		for _, name := range files {
			if got, _ := os.ReadFile(filepath.Join(copied, name)); string(got) != name {
				t.Errorf("the copy of %s is %q", name, got)
			}
		}
		os.RemoveAll(filepath.Join(dir, "backup"))
	}
	stop()
	replacing.Wait()
	for _, name := range slices.Backward(files) { // the last one is flats.json
		os.Remove(filepath.Join(dir, name))
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil { // it cannot be read
			t.Fatal(err)
		}
		if _, err := back(); err == nil {
			t.Errorf("the recipe succeeded without %s", name)
		}
		os.Remove(filepath.Join(dir, name))
		if _, err := back(); (err != nil) != (name == "flats.json") {
			t.Errorf("the recipe where there is no %s: %v", name, err)
		}
	}
}

// A backup by the recipe contains every update that was acknowledged before it began. The
// recipe copies the journal, then retired journals, then flats.json, and the
// service may run any operations between the steps.
func TestBackupWhileRunning(t *testing.T) {
	t.Parallel()
	step := 3
	if *whole {
		step = 1
	}
	for n := 1; ; n += step {
		for i, between := range [][2]int{{0, 0}, {1, 1}, {1, 9}, {4, 5}, {9, 10}, {3, 40}, {40, 41}} {
			if !*whole && i%7 != n%7 {
				continue
			}
			d := newSimDisk()
			base := &simFile{data: []byte(`[{"id":"a"},{"id":"b"}]`), lost: -1}
			base.synced = base.data
			d.names["/flats.json"] = base
			acked, want := map[string]string{}, map[string]string(nil)
			begin := func() { // may run concurrently with the updates, while the journal is merged
				d.mu.Lock()
				defer d.mu.Unlock()
				want = maps.Clone(acked)
			}
			copied := newSimDisk()
			backUp := func(prefix string, exact bool) { // copies files that are not yet copied
				d.mu.Lock()
				defer d.mu.Unlock()
				for name, f := range d.names {
					if strings.HasPrefix(name, prefix) && (!exact || name == prefix) && copied.names[name] == nil {
						copied.names[name] = &simFile{data: bytes.Clone(f.data), lost: -1}
					}
				}
			}
			d.hooks = map[int]func(){}
			d.hooks[n] = func() { begin(); backUp("/flats.json.log", true) }
			second, third := n+between[0], n+between[1]
			if second == n {
				d.hooks[n] = func() {
					begin()
					backUp("/flats.json.log", true)
					backUp("/flats.json.log.", false)
					backUp("/flats.json", true)
				}
			} else {
				d.hooks[second] = func() { backUp("/flats.json.log.", false) }
				last := func() { backUp("/flats.json", true) }
				if third == second {
					last = func() { backUp("/flats.json.log.", false); backUp("/flats.json", true) }
				}
				d.hooks[third] = last
			}
			s, err := openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 6 {
				id, notes := []string{"a", "b"}[i%2], fmt.Sprintf("%d%s", i, strings.Repeat("x", i%2*smallestFold))
				if _, err := s.Update(id, fmt.Appendf(nil, `{"notes":"%s"}`, notes), nil); err != nil {
					t.Fatal(err)
				}
				d.mu.Lock()
				acked[id] = notes
				d.mu.Unlock()
			}
			s.Close()
			if want == nil {
				return // n is beyond the last operation
			}
			backUp("/flats.json.log.", false) // the steps that have not run yet
			backUp("/flats.json", true)
			restored, err := openStore("/flats.json", copied, nil, quiet)
			if err != nil {
				t.Fatalf("at %d, %v: %v", n, between, err)
			}
			for id, want := range want {
				// The backup may have later notes.
				if got := notesOf(restored.Get(id)); got < want {
					t.Errorf("at %d, %v: flat %s has the notes %.5q; want %.5q or later", n, between, id, got, want)
				}
			}
			restored.Close()
		}
	}
}

// Inside
// ------

// A table's cached orders follow its snapshots, newer or older, whether one row or
// many rows changed or were added in between.
func TestOrdersKeepUp(t *testing.T) {
	for name, cost := range map[string]func(i int) float64{
		"to the front":   func(i int) float64 { return -float64(i) },
		"to the end":     func(i int) float64 { return float64(i) },
		"ties":           func(i int) float64 { return float64(i % 3) },
		"back and forth": func(i int) float64 { return float64(i%2*1000 + i*7919%100) },
	} {
		flat := func(row uint32, cost float64) *Flat {
			f, err := blank.withMembers(members{"id": json.RawMessage(fmt.Sprint(row)),
				"cost": json.RawMessage(fmt.Sprint(cost))}, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		table, states := newTable(flatFields), []*snapshot[Flat]{{}}
		random := rand.New(rand.NewPCG(8, 8))
		for i, changes := range []int{3000, 1, 0, 5, 300, 1, maxMoved + 1, 2} {
			s := states[i]
			var rows []uint32
			var flats []*Flat
			size := s.size
			for n := range changes {
				row := uint32(random.IntN(size + 1))
				if int(row) == size {
					size++
				}
				rows, flats = append(rows, row), append(flats, flat(row, cost(n)))
			}
			states = append(states, s.withRecords(rows, flats))
			for _, s := range []*snapshot[Flat]{states[i+1], states[i], states[i+1]} {
				table.dropOld(s)
				for _, sort := range []string{"sort=cost", "sort=-cost", "sort=-cost&filter[cost]=1"} {
					q, err := parseQuery(flatFields, sort, "cost")
					if err != nil {
						t.Fatal(err)
					}
					var want []*Flat
					for _, f := range s.all() {
						if q.conditions == nil || f.Cost.number == 1 {
							want = append(want, f)
						}
					}
					slices.SortStableFunc(want, func(a, b *Flat) int {
						c := cmp.Compare(a.Cost.number, b.Cost.number)
						return map[bool]int{false: c, true: -c}[q.keys[0].descending]
					})
					got := table.find(newTask(t.Context(), newLock()), s, q, nil)
					if !slices.Equal(got.records, want) {
						t.Fatalf("%s, change %d, %s: %d flats; want %d in order", name, i, sort, len(got.records), len(want))
					}
				}
			}
		}
	}
}

// A table drops its oldest order, even if conditions on any field may use the orders.
func TestManyOrders(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	var derived []field[Flat]
	for i := range 2 * maxOrders {
		derived = append(derived, field[Flat]{fmt.Sprint("f", i), func(f *Flat) value { return &f.Cost }})
	}
	table := newTable(fieldsOf(derived...))
	for i := range table.fields.list {
		work, q := newTask(t.Context(), newLock()), &Query{keys: []sortKey{{field: i}}}
		page := table.find(work, s.store.snapshot(), q, nil)
		if len(page.records) != 5 || len(table.orders) > maxOrders {
			t.Fatalf("order %d: %d flats, %d orders", i, len(page.records), len(table.orders))
		}
	}
}

// A table caches a bounded number of orders, and the latest one in any case. Keys after the
// id create no order of their own.
func TestManySorts(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	s.ask("GET", "/api/v1/flats", "")
	for i := range flatFields.list {
		for j := range flatFields.list {
			s.ids(s.ask("GET", "/api/v1/flats?sort="+flatFields.list[i].name+",-"+flatFields.list[j].name, ""))
		}
		s.ids(s.ask("GET", "/api/v1/flats?sort=id,"+flatFields.list[i].name, ""))
		s.ids(s.ask("GET", "/api/v1/opendata/postal_codes?sort=-lat,"+postalFields.list[i%5].name, ""))
	}
	for _, field := range queryFields(quiet).list { // more orders by one field than the table caches
		for _, sort := range []string{"", "-", "&nulls=last"} {
			order, nulls, _ := strings.Cut(sort, "&")
			s.ids(s.ask("GET", "/api/v1/find?sort="+order+field.name+"&"+nulls, ""))
		}
	}
	if got := s.ask("PATCH", "/api/v1/flat/7", `{"cost":701}`); got.status != 200 {
		t.Errorf("update: %d %s", got.status, got.body)
	}
	s.ids(s.ask("GET", "/api/v1/find?sort=id", ""))
	s.ids(s.ask("GET", "/api/v1/find?sort=id,cost", ""))
	s.ids(s.ask("GET", "/api/v1/find?sort=-notes,-id", ""))
	last := []sortKey{{field: flatFields.byName["notes"], descending: true}, {field: 0, descending: true}}
	if orders, kept := s.store.table.orders, s.store.table.cachedOrder(last); len(orders) > maxOrders || kept == nil {
		t.Errorf("%d orders, the latest: %v", len(orders), kept)
	}
	if n := len(slices.DeleteFunc(slices.Clone(s.store.table.orders), func(o *order[Flat]) bool {
		return queryFields(quiet).list[o.by[0].field].name != "id" || o.by[0] != sortKey{field: o.by[0].field}
	})); n != 1 {
		t.Errorf("%d orders by id; want 1", n)
	}
}

// A sort computes each key of a row at most twice, even for texts with a long common
// prefix, and sorts by the next field if the texts are equal.
func TestSortLongTexts(t *testing.T) {
	var flats []string
	for i := range 2000 {
		text := strings.Repeat("\\n", 20+i*7919%40) + strings.Repeat("x", i*31%3)
		flats = append(flats, fmt.Sprintf(`{"id":%d,"text":"%s","cost":%d}`, i, text, i*7919%50))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	calls := 0
	text, cost := flatFields.list[flatFields.byName["text"]], flatFields.list[flatFields.byName["cost"]]
	fields := &Fields[Flat]{list: []field[Flat]{
		{text.name, func(f *Flat) value { calls++; return text.value(f) }},
		{cost.name, func(f *Flat) value { calls++; return cost.value(f) }},
	}}
	for _, by := range [][]sortKey{{{field: 0}}, {{field: 0, descending: true}, {field: 1}}, {{field: 1}, {field: 0}}} {
		calls = 0
		table, flats := newTable(fields), s.store.snapshot()
		o := table.order(newTask(t.Context(), newLock()), flats, by)
		if calls > (len(by)+1)*flats.size {
			t.Fatalf("%v: %d keys of %d rows", by, calls, flats.size)
		}
		sorted := slices.IsSortedFunc(o.rows, func(a, b uint32) int {
			return cmp.Or(o.compare(flats.row(a), flats.row(b)), cmp.Compare(a, b))
		})
		if !sorted || len(o.rows) != flats.size {
			t.Errorf("%v: %d rows of %d, sorted: %v", by, len(o.rows), flats.size, sorted)
		}
	}
}

// Indexes and cached orders do not keep replaced flats in memory.
func TestOldFlatsFreed(t *testing.T) {
	s := newService(t, `[{"id":"a","title":"first","location":"here","cost":1,"visit_date":"2026-12-01"},{"id":"b"}]`,
		"[]")
	s.ask("GET", "/api/v1/flats?filter[location]=here&filter[id]=a&filter[visit_date]=2026-12-01&sort=title,-location",
		"")
	s.search("first", "")
	flat := weak.Make(s.store.Get("a"))
	for i := range maxMoved {
		if got := s.ask("PATCH", "/api/v1/flat/a", fmt.Sprintf(`{"notes":"%d"}`, i)); got.status != 200 {
			t.Fatal(got)
		}
	}
	runtime.GC()
	if flat.Value() != nil {
		t.Error("the original flat is still in memory")
	}
}

// Prefix searches find words while thousands are added and removed, and the index
// lists each word once.
func TestManyWords(t *testing.T) {
	s := newService(t, `[{"id":1,"title":"first"},{"id":2,"title":"second"}]`, "[]")
	for round := range 4 {
		for i := range 1500 {
			s.ask("PATCH", "/api/v1/flat/1", fmt.Sprintf(`{"notes":"w%d u%d v%d"}`, i*7919%1500, i, round*i))
		}
		for query, want := range map[string]string{"w*": "1", fmt.Sprintf("w%d*", 1499*7919%1500): "1", "u1499*": "1",
			"u1498*": "", "sec*": "2", "fir* w*": "1", "x*": ""} {
			if got := s.ids(s.search(query, "")); got != want {
				t.Errorf("round %d: %q found %q; want %q", round, query, got, want)
			}
		}
		for s.store.index.indexed.Load() != s.store.snapshot() {
			runtime.Gosched() // the index is updated after the answer
		}
		s.store.mu.RLock()
		x := s.store.index.words
		words := slices.DeleteFunc(slices.Concat(x.sorted, x.recent),
			func(word string) bool { return x.rows[word] == nil })
		if slices.Sort(words); !slices.Equal(slices.Compact(words), slices.Sorted(maps.Keys(x.rows))) {
			t.Errorf("round %d: %d words, %d posting lists", round, len(words), len(x.rows))
		}
		s.store.mu.RUnlock()
	}
}

// While the index does not match the snapshot, a search reads the texts instead.
func TestLaggingIndex(t *testing.T) {
	s := newService(t, `[{"id":1,"text":"on the way"},{"id":2,"text":"by the way"}]`, "[]")
	<-s.store.index.searchable
	lagging := s.store.index.indexed.Load()
	s.ask("POST", "/api/v1/import", `[{"id":3,"text":"on the way"},{"id":4,"text":"away"}]`)
	for s.store.index.indexed.Load() == lagging {
		runtime.Gosched()
	}
	s.store.index.indexed.Store(lagging)
	for query, want := range map[string]string{`"on the way"`: "1 3", "text:way": "1 2 3", "way": "1 2 3",
		"way -on": "2", "aw*": "4", "way -text:on": "2"} {
		if got := s.ids(s.search(query, "sort=id")); got != want {
			t.Errorf("%s found %q; want %q", query, got, want)
		}
	}
	// Only searches wait while the index is updated.
	s.store.index.words.mu.Lock()
	defer s.store.index.words.mu.Unlock()
	if got := s.ask("PATCH", "/api/v1/flat/1", `{"notes":"new words"}`); got.status != 200 {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := s.ids(s.ask("GET", "/api/v1/flats?sort=id", "")); got != "1 2 3 4" {
		t.Errorf("listed %q", got)
	}
}

// A long search does not delay updates, and ends when its client disconnects.
func TestLongSearch(t *testing.T) {
	var flats []string
	for i := range 2000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"text":"%s"}`, i, strings.Repeat("of the house ", 100)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	var query strings.Builder
	query.WriteString("house")
	for i := range 120 {
		fmt.Fprintf(&query, ` -"of the x%d" y%d* OR house a* -z%d`, i, i, i)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		q, err := parseQuery(flatFields, "", "cost")
		if err == nil {
			work := newTask(ctx, newLock())
			defer work.pause()
			endsEarly(func() { _, err = s.store.Search(work, query.String()+" house", q) })
		}
		done <- err
	}()
	for i := range 20 {
		if got := s.ask("PATCH", "/api/v1/flat/7", fmt.Sprintf(`{"cost":%d}`, i)); got.status != 200 {
			t.Errorf("%d %s", got.status, got.body)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	// A short search is answered even if its context has ended, as for a client that
	// has closed its sending side.
	<-s.store.index.searchable
	q, err := parseQuery(flatFields, "", "cost")
	for range 50 {
		if err == nil {
			_, err = s.store.Search(newTask(ctx, newLock()), "house", q)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

// The steps of a search grow with the texts and with the words of the query, but not with
// words beyond what a query may have. A search ends within a text, too.
func TestSearchSteps(t *testing.T) {
	const a, e, words = "a ", "é", 10_000
	phrase := func(n int) string { return `"` + strings.Repeat(a, n) + `c"` }
	steps := func(ctx context.Context, text, query string) (total int, err error) {
		s := newService(t, `[{"id":1,"text":"`+text+` c"}]`, "[]")
		<-s.store.index.searchable
		q, err := parseQuery(flatFields, "", "cost")
		if err != nil {
			t.Fatal(err)
		}
		work := newTask(ctx, newLock())
		work.worked = 2 * grace
		if endsEarly(func() { _, err = s.store.Search(work, query, q) }) {
			err = ctx.Err()
		}
		return work.total, err
	}
	text := strings.Repeat(a, words)
	for _, c := range []struct {
		name          string
		text, query   string // of some size
		text2, query2 string // of twice that size
	}{
		{"text", text, phrase(400), text + text, phrase(400)},
		{"phrase", text, phrase(400), text, phrase(800)},
		{"long words", strings.Repeat(e, words), "text:c", strings.Repeat(e, 2*words), "text:c"},
		{"no words", strings.Repeat("。", words), "text:c", strings.Repeat("。", 2*words), "text:c"},
		{"repeated terms", "c", strings.Repeat(a, words), "c", strings.Repeat(a, 2*words)},
		{"no terms", "c", strings.Repeat("- ", words), "c", strings.Repeat("- ", 2*words)},
		{"long term", "c", "c " + strings.Repeat(e, words), "c", "c " + strings.Repeat(e, 2*words)},
	} {
		once, err := steps(t.Context(), c.text, c.query)
		twice, err2 := steps(t.Context(), c.text2, c.query2)
		if err = errors.Join(err, err2); err != nil || twice < once*18/10 || twice > once*22/10 {
			t.Errorf("%s: %d steps, and %d for twice the size: %v", c.name, once, twice, err)
		}
	}
	var terms strings.Builder
	for i := range 1 << 15 {
		fmt.Fprintf(&terms, "w%d ", i)
	}
	for _, query := range []string{phrase(1 << 18), terms.String()} {
		if n, err := steps(t.Context(), text, query); err == nil || n > 1<<21 {
			t.Errorf("%.20q… with too many words takes %d steps: %v", query, n, err)
		}
	}
	n, err := steps(&countedContext{t.Context(), 1000}, text, phrase(900))
	if err != context.Canceled || n > 2000*clockSteps {
		t.Errorf("the search of a client that has gone ends after %d steps: %v", n, err)
	}
}

// The steps of the search for duplicates grow with the flats and with their lists.
func TestDuplicatesSteps(t *testing.T) {
	list := func(n int, form string) string {
		var texts []string
		for i := range n {
			texts = append(texts, strings.ReplaceAll(form, "%d", strconv.Itoa(i)))
		}
		return strings.Join(texts, ",")
	}
	const home = `"cost":1000,"area":50,"service_postal_code":"1","location":"x","phone":"1"`
	for name, flats := range map[string]func(n int) string{
		"merged and apart": func(n int) string {
			ids := "[" + list(n, `"%d"`) + "]"
			return `{"id":"a","merged_ids":` + ids + `,"not_duplicates":` + ids + `},` + list(n, `{"id":"%d"}`)
		},
		"repeated": func(n int) string {
			ids := "[" + list(n, `"b"`) + "]"
			return `{"id":"a","merged_ids":` + ids + `,"not_duplicates":` + ids + `},{"id":"b"}`
		},
		"one home": func(n int) string {
			return `{"id":"a","merged_ids":[` + list(n, `"%d"`) + `]},` + list(n, `{"id":"%d","rooms":%d,`+home+`}`)
		},
		"apart in a home": func(n int) string {
			return `{"id":"a","not_duplicates":[` + list(n, `"%d"`) + `]},` +
				list(n, `{"id":"%d","merged_ids":["a","0"]}`)
		},
		"alike":  func(n int) string { return list(8*n, `{"id":"%d",`+home+`}`) },
		"unlike": func(n int) string { return list(n, `{"id":"%d","rooms":%d,`+home+`}`) },
		"long locations": func(n int) string {
			return list(60, `{"id":"%d","cost":1,"area":1,"phone":"1","location":"`+strings.Repeat("%d ", n)+`"}`)
		},
		"links": func(n int) string {
			return list(8, `{"id":"%d","urls":[`+list(n, `"https://x/`+strconv.Itoa(n)+`%d"`)+`]}`)
		},
	} {
		steps := func(n int) int {
			s := newService(t, "["+flats(n)+"]", "[]")
			work := newTask(t.Context(), newLock())
			s.store.Duplicates(work)
			return work.total
		}
		if once, twice := steps(1000), steps(2000); twice > once*22/10 {
			t.Errorf("%s: %d steps, and %d for twice the size", name, once, twice)
		}
	}
}

// The work of a complete import is proportional to the flats in a chain of merged_ids, whether
// its end is listed or gone.
func TestImportChain(t *testing.T) {
	allocations := func(flats int, end string) uint64 {
		var chain []string
		for i := range flats {
			chain = append(chain, fmt.Sprintf(`{"id":"%d@s","merged_ids":["%d@s"]}`, i, i+1))
		}
		s := newStore(nil, nil, quiet, nil)
		defer s.Close()
		if _, err := s.ImportText([]byte("["+strings.Join(chain, ",")+"]"), ""); err != nil {
			t.Fatal(err)
		}
		for s.index.indexed.Load() != s.snapshot() {
			time.Sleep(time.Millisecond) // the index allocates, too
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		counts, err := s.ImportText([]byte(fmt.Sprintf(`[{"id":"%s@s"}]`, end)), "s")
		runtime.ReadMemStats(&after)
		want := Counts{Added: 1, Gone: flats}
		if end != "other" {
			want.Gone = 0
		}
		if err != nil || counts != want {
			t.Errorf("a chain of %d with %s: %+v, %v; want %+v", flats, end, counts, err, want)
		}
		return after.Mallocs - before.Mallocs
	}
	for _, end := range []string{"500", "other"} {
		once := allocations(500, end)
		end = strings.Replace(end, "500", "1000", 1)
		if twice := allocations(1000, end); twice > 2*once+once/4 {
			t.Errorf("with %s: %d allocations for 500 flats, %d for 1000", end, once, twice)
		}
	}
}

// endsEarly calls f, and reports whether a task in it ends early, as that of a client which has gone.
func endsEarly(f func()) (ended bool) {
	defer func() {
		what := recover()
		if ended = what == http.ErrAbortHandler; what != nil && !ended {
			panic(what)
		}
	}()
	f()
	return false
}

// Long tasks run one at a time, in turns, and end after their clients disconnect. Short
// tasks never wait.
func TestTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := newLock()
		worked := func(ctx context.Context, d time.Duration) *task {
			work := newTask(ctx, turns)
			work.worked = d
			return work
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := worked(t.Context(), time.Hour)
		if first.step(clockSteps); !first.inTurn {
			t.Fatal("a long task has no turn")
		}
		begun := make(chan *task, 3)
		begin := func(work *task) {
			go func() {
				work.step(clockSteps)
				begun <- work
			}()
			synctest.Wait()
		}
		second, third := worked(t.Context(), time.Hour), worked(t.Context(), 2*quickTime)
		begin(second)
		begin(third)
		newTask(ctx, turns).step(clockSteps) // does not wait
		if len(begun) > 0 {
			t.Error("two long tasks run at the same time")
		}
		// A task whose turn is over waits for its next one after the others.
		time.Sleep(2 * turnTime)
		begin(first)
		for i, want := range []*task{second, third, first} {
			if got := <-begun; got != want || !got.inTurn {
				t.Errorf("turn %d went to another task", i)
			}
			want.pause()
		}
		cancel()
		if endsEarly(func() { newTask(ctx, turns).step(clockSteps) }) {
			t.Error("a short task ends because its client has disconnected")
		}
		if !endsEarly(func() { worked(ctx, 2*grace).step(clockSteps) }) {
			t.Error("a long task goes on although its client has disconnected")
		}
		background := func() (err error) {
			work := worked(ctx, 2*grace)
			defer work.finish(&err)
			work.step(clockSteps)
			return nil
		}
		if err := background(); err != context.Canceled {
			t.Errorf("work in the background that must end: %v", err)
		}
		// A task that waits for its turn ends some time after its client has disconnected,
		// and takes no turn.
		for wait, want := range map[time.Duration]bool{maxWaiting - 1: false, maxWaiting + 1: true} {
			first.resume()
			late, ended := worked(ctx, 2*quickTime), make(chan bool)
			go func() { ended <- endsEarly(late.resume) }()
			time.Sleep(wait)
			if !want {
				first.pause()
			}
			if got := <-ended; got != want || late.inTurn == want {
				t.Errorf("after %v: ended %v, in turn %v; want %v", wait, got, late.inTurn, want)
			}
			late.pause()
			first.pause()
			if len(turns) != 1 {
				t.Errorf("after %v: a task that has ended keeps its turn", wait)
			}
		}
	})
}

// A task waits at most for one turn of each other long task before each of its own. Work is
// simulated by sleeping in synctest's fake time.
func TestTurns(t *testing.T) {
	const step = time.Millisecond
	for _, long := range []int{1, 4} {
		synctest.Test(t, func(t *testing.T) {
			turns := newLock()
			took := func(work time.Duration) time.Duration {
				task, began := newTask(t.Context(), turns), time.Now()
				defer task.pause()
				for range work / step {
					time.Sleep(step)
					task.step(clockSteps)
				}
				return time.Since(began)
			}
			var group sync.WaitGroup
			for range long {
				group.Go(func() { took(5 * time.Second) })
			}
			time.Sleep(2 * time.Second)
			for _, work := range []time.Duration{step, quickTime - step, 2 * quickTime, turnTime, 3 * turnTime} {
				limit := work
				if work > quickTime {
					limit += (1 + (work-quickTime)/turnTime) * time.Duration(long) * (turnTime + step)
				}
				if all := took(work); all > limit {
					t.Errorf("with %d long tasks, %v of work took %v; want at most %v", long, work, all, limit)
				}
				time.Sleep(3 * step)
			}
			group.Wait()
		})
	}
}

// Sorts, searches and the search for duplicates check their context often, so that they
// give way to other tasks and end soon after their clients disconnect.
func TestGivesWay(t *testing.T) {
	var flats []string
	for i := range 3000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"title":"same","text":"on the way w%d","cost":%d,"area":1,`+
			`"location":"x"}`, i, i*7919%6000, i*7919%3000))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	<-s.store.index.searchable
	search := func(query string) func(*task) {
		return func(work *task) {
			if _, err := s.store.Search(work, query, &Query{keys: []sortKey{{}}}); err != nil {
				t.Error(err)
			}
		}
	}
	var terms []string
	for i := range 400 {
		terms = append(terms, fmt.Sprintf("OR -w%d*", i))
	}
	s.search("x", "sort=id") // caches the order that the searches use
	for name, c := range map[string]struct {
		run       func(*task)
		minChecks int // of the context; about a third of the actual number
	}{
		"sort": {func(work *task) {
			newTable(flatFields).find(work, s.store.snapshot(),
				&Query{keys: []sortKey{{field: flatFields.byName["cost"]}}}, nil)
		}, 25},
		"prefixes": {search("w1 " + strings.Join(terms, " ")), 15}, "phrase": {search(`"on the way"`), 15},
		"duplicates": {func(work *task) {
			s.store.duplicates.list = ""
			s.store.Duplicates(work)
		}, 30},
	} {
		run := func(checks int) (ctx *countedContext, ended bool) {
			ctx = &countedContext{t.Context(), checks}
			work := newTask(ctx, newLock())
			work.worked = time.Hour
			defer work.pause()
			return ctx, endsEarly(func() { c.run(work) })
		}
		whole, ended := run(1 << 30)
		if checks := 1<<30 - whole.remaining; ended || checks < c.minChecks {
			t.Errorf("%s: %d checks of the context, ended %v; want at least %d", name, checks, ended, c.minChecks)
		}
		if ctx, ended := run(c.minChecks / 2); !ended || ctx.remaining < -2 {
			t.Errorf("%s: went on after its client had disconnected: %d checks remaining, ended %v", name, ctx.remaining, ended)
		}
	}
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

// Short tasks run while a long sort by two fields is in progress, even if they sort by
// one field.
func TestSortGivesWay(t *testing.T) {
	s := newService(t, benchFlats(3000), "[]")
	turns := newLock()
	checks := 0
	find := func(work *task, order ...sortKey) {
		s.store.table.find(work, s.store.snapshot(), &Query{keys: order}, nil)
	}
	var short, waiting sync.WaitGroup
	ctx := &hookedContext{Context: t.Context()}
	sorting := newTask(ctx, turns)
	ctx.onErr = func() {
		checks++
		if checks == 20 {
			short.Go(func() {
				work := newTask(t.Context(), turns)
				defer work.pause()
				work.worked = 2 * quickTime
				find(work, sortKey{field: 3})
			})
			// A task that needs the same order waits for it outside a turn.
			waiting.Go(func() {
				work := newTask(t.Context(), turns)
				defer work.pause()
				work.worked = 2 * quickTime
				work.resume()
				find(work, sortKey{field: 2}, sortKey{field: 1})
			})
		}
		if checks >= 20 {
			sorting.began = time.Now().Add(-2 * turnTime)
			time.Sleep(time.Millisecond)
		}
		if checks == 60 {
			short.Wait() // blocks forever if the sort does not give way
		}
	}
	sorting.worked = time.Hour
	find(sorting, sortKey{field: 2}, sortKey{field: 1})
	if checks < 60 {
		t.Errorf("the sort checked its context %d times; want at least 60", checks)
	}
	sorting.pause()
	waiting.Wait()
}

// An unreadWriter is a ResponseWriter that blocks at its first write, until read is closed.
type unreadWriter struct {
	*httptest.ResponseRecorder
	started, read chan struct{}
}

func (w *unreadWriter) Write(b []byte) (int, error) {
	close(w.started)
	<-w.read
	return w.ResponseRecorder.Write(b)
}

// A long task releases its turn while its client does not read.
func TestUnreadAnswer(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	unread := &unreadWriter{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	var sending sync.WaitGroup
	sending.Go(func() {
		s.ServeHTTP(unread, httptest.NewRequest("GET", "http://flats.example/api/v1/flats?sort=area", nil))
	})
	<-unread.started
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	got := s.send(httptest.NewRequestWithContext(ctx, "GET", "http://flats.example/api/v1/flats?sort=title", nil))
	if got.status != 200 {
		t.Errorf("while another client does not read: %d %s", got.status, got.body)
	}
	close(unread.read)
	sending.Wait()
}

// A long answer is produced in turns, and none lasts while a part is written to the
// client.
func TestPacedAnswer(t *testing.T) {
	turns := newLock()
	work := newTask(t.Context(), turns)
	work.worked = time.Hour
	work.resume()
	writes := 0
	client := writerFunc(func(b []byte) (int, error) {
		if writes++; len(turns) == 0 || work.inTurn {
			t.Error("the task keeps its turn while a part is written")
		}
		return len(b), nil
	})
	for _, encoding := range []string{"", "gzip"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		send(&pacedWriter{client, work}, r, 200, typeCSV, "", unknownLength, func(out *bufio.Writer) {
			if !work.inTurn {
				t.Error("the answer is produced outside a turn")
			}
			for i := range 100_000 {
				fmt.Fprint(out, i*7919)
			}
		})
		if !work.inTurn || writes < 4 {
			t.Errorf("%q: %d writes, in turn %v", encoding, writes, work.inTurn)
		}
	}
}

// Imports over HTTP are decompressed and parsed one at a time, but their bodies are
// received concurrently.
func TestImportTurns(t *testing.T) {
	s := newService(t, "[]", "[]")
	s.store.unpacking.Lock()
	sent, answered := make(chan struct{}, 6), make(chan int, 6)
	for range 6 {
		go func() {
			body := io.MultiReader(strings.NewReader("no gzip"), readerFunc(func([]byte) (int, error) {
				sent <- struct{}{}
				return 0, io.EOF
			}))
			r := httptest.NewRequest("POST", "http://flats.example/api/v1/import", body)
			r.ContentLength = int64(len("no gzip"))
			r.Header.Set("Content-Encoding", "gzip")
			answered <- s.send(r).status
		}()
	}
	for range 6 {
		<-sent // all bodies are received, so that a slow client delays no other import
	}
	select {
	case status := <-answered:
		t.Fatalf("an import was answered while another one was parsed: %d", status)
	case <-time.After(20 * time.Millisecond):
	}
	s.store.unpacking.Unlock()
	for range 6 {
		if status := <-answered; status != 400 {
			t.Error(status)
		}
	}
}

// The memory of a query depends on the number of fields, not on that of its conditions.
func TestManyConditions(t *testing.T) {
	var flats []string
	for i := range 20_000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d}`, i, i%1000))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	<-s.store.index.searchable
	conditions := []string{"filter[cost]=800", "any[cost]=8", "not[cost]=8", "min[cost]=8", "known[cost]=yes"}
	for _, condition := range conditions {
		raw := "page[size]=1&counts=status" + strings.Repeat("&"+condition, 3000)
		q, err := parseQuery(s.store.table.fields, raw, "cost")
		if err != nil || len(q.conditions) != 1 {
			t.Fatalf("%s: %v, %d conditions", condition, err, len(q.conditions))
		}
		for _, limit := range []uint64{1 << 62, 1 << 20} { // the first round sorts the flats
			allocated := allocatedBy(func() { _, err = s.store.Find(newTask(t.Context(), newLock()), q) })
			if err != nil || allocated > limit {
				t.Errorf("%s: %v, %d bytes allocated", condition, err, allocated)
			}
		}
	}
	// Conditions on several fields combine.
	got := s.ask("GET", "/api/v1/find?page[size]=1&counts=cost&counts=id&min[cost]=1&any[cost]=7&not[id]=3&max[area]=1"+
		"&unknown=area", "")
	if !strings.Contains(got.body, `"total":20,`) {
		t.Errorf("%d %.300s", got.status, got.body)
	}
}

// A long list of chosen fields is made while it is sent: at the first write, hardly any of
// it takes memory.
func TestListWhileSent(t *testing.T) {
	s := newService(t, benchFlats(5000), "[]")
	<-s.store.index.searchable
	for _, c := range []struct{ target, accept string }{
		{"/api/v1/find?fields=text,notes", ""},
		{"/api/v1/find?fields=text,notes&page[size]=4900", ""},
		{"/api/v1/find?fields=text,notes", "gzip"},
		{"/api/v1/find?format=csv", ""},
		{"/api/v1/find?format=csv&fields=text", "gzip"},
	} {
		whole := s.ask("GET", c.target, "")
		if whole.header.Get("Content-Length") != "" {
			t.Errorf("%s has a Content-Length", c.target)
		}
		var before, after runtime.MemStats
		w := httptest.NewRecorder()
		first := sync.OnceFunc(func() { runtime.ReadMemStats(&after) })
		r := httptest.NewRequest("GET", "http://flats.example"+c.target, nil)
		r.Header.Set("Accept-Encoding", c.accept)
		runtime.ReadMemStats(&before)
		s.ServeHTTP(&firstWriter{w, first}, r)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > uint64(len(whole.body))/2 {
			t.Errorf("%s %s: %d bytes allocated before the first write of %d", c.target, c.accept, allocated,
				len(whole.body))
		}
	}
}

// A long feed is made in turns, and does not take memory while a client does not read it.
func TestCalendarLong(t *testing.T) {
	long(t)
	var flats []string
	for i := range 1000 {
		flats = append(flats, fmt.Sprintf(`{"id":%d,"visit_date":"2026-12-01","text":"%s"}`, i, strings.Repeat("x", 2000)))
	}
	s := newService(t, "["+strings.Join(flats, ",")+"]", "[]")
	<-s.store.index.searchable
	whole := s.ask("GET", feedPath, "")
	if n := len(readCalendar(t, whole.body).events); n != len(flats) {
		t.Errorf("%d events; want %d", n, len(flats))
	}
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, after := held(), uint64(0)
	discard := writerFunc(func(b []byte) (int, error) {
		if after == 0 {
			after = held()
		}
		return len(b), nil
	})
	s.ServeHTTP(discard, httptest.NewRequest("GET", "http://flats.example"+feedPath, nil))
	if after > before+uint64(len(whole.body))/4 {
		t.Errorf("%d bytes are held at the first write of %d", after-before, len(whole.body))
	}
	// While another task has the turn, it waits.
	<-s.store.turns
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if got := recover(); got != http.ErrAbortHandler {
			t.Errorf("a feed that got no turn: recovered %v; want http.ErrAbortHandler", got)
		}
	}()
	s.ServeHTTP(discard, httptest.NewRequestWithContext(ctx, "GET", "http://flats.example"+feedPath, nil))
}

// Reading an amount allocates at most twice its text, however many digits a site sends.
func TestLongAmount(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("1.000", 1<<18), strings.Repeat("7", 1<<20), strings.Repeat("1 ", 1<<19),
		strings.Repeat("🏠", 64) + strings.Repeat("1.000", 1<<18),
	} {
		var err error
		quoted := json.RawMessage(encodeJSON(text))
		allocated := allocatedBy(func() { _, _, err = readAmount(quoted, false) })
		if err != nil || allocated > 2*uint64(len(text)) {
			t.Errorf("%.9s…: %v, %d bytes allocated for %d", text, err, allocated, len(text))
		}
	}
}

// manyMembers returns an object with an id and n other members.
func manyMembers(n int) string {
	var b strings.Builder
	b.WriteString(`{"id":1`)
	for i := range n {
		fmt.Fprintf(&b, `,"%x":1`, i)
	}
	return b.String() + "}"
}

// Reading an import of many values allocates memory proportional to its text, because it
// stops at the first error and at the maximum number of listings.
func TestImportMemory(t *testing.T) {
	many := func(head, element, tail string) string {
		return head + strings.Repeat(element+",\n", 4<<20/len(element)) + element + tail
	}
	for _, c := range []struct{ text, want string }{
		{many("[", "1", "]"), "in:1: want an object, got 1"},
		{many("[", "[]", "]"), "in:1: want an object, got []"},
		{many("[", "{}", "]"), "in:1: id: a flat must have one"},
		{many(`{"data":[{"id":1},`, "1", "]}"), "in:1: want an object, got 1"},
		{`[{"id":1,` + strings.Repeat(`"a":1,`, maxFlat/3) + `"b":2}]`, "in:1: the object is larger than 16777216 bytes"},
		{"[\n" + manyMembers(1<<18) + "]", "in:2: the object has more than 15000 members"},
		{`[{"id":1,"details":[` + manyMembers(1<<18) + "]}]", "in:1: the object has more than 15000 members"},
		{`[{"id":1,"flatisfy":` + manyMembers(1<<18) + "}]", "in:1: the object has more than 15000 members"},
		{`{"provider":"p","listings":[` + manyMembers(1<<18) + "]}", "in:1: the object has more than 15000 members"},
	} {
		var err error
		allocated := allocatedBy(func() { _, err = readListings("in", []byte(c.text)) })
		// The factor allows for a copy of the text and for a growing buffer.
		if err == nil || err.Error() != c.want || allocated > 16*uint64(len(c.text)) {
			t.Errorf("%.20q: %v, %d MB allocated for %d MB; want %s", c.text, err, allocated>>20, len(c.text)>>20, c.want)
		}
	}
	// A colon in a string separates nothing.
	times := `{"notes":"` + strings.Repeat(`10:00 \"`, maxParsedMembers) + `"}`
	if _, err := parseObject([]byte(times)); err != nil {
		t.Errorf("an object of a member: %v", err)
	}
}

// Bounds
// ------

// A bound is an input of the service, and what bounds the work that it can cause. Its size
// is in bytes, unless the bound names another unit.
type bound struct {
	route string                        // METHOD path, or "file" and its name
	part  string                        // the parameter, header or member, behind its place
	by    string                        // what bounds it
	most  int                           // the size at the bound
	of    int                           // the test sends only one part in so many
	files func(n int) map[string]string // the folder of the service, nil for everyday flats
	asks  func(n int) []ask             // the requests that send an input of a size

	beyond  int // a size that is refused, 0 for none
	refusal int // with this status

	held bool // the clients read no more than the first byte of an answer
}

func newBound(route, part, by string, most, of int, files func(int) map[string]string, asks func(int) []ask) bound {
	return bound{route: route, part: part, by: by, most: most, of: of, files: files, asks: asks}
}

// past returns the bound with a size that is refused with a status.
func (b bound) past(size, status int) bound {
	b.beyond, b.refusal = size, status
	return b
}

// unread returns the bound with clients that read no more than the first byte of an answer.
func (b bound) unread() bound {
	b.held = true
	return b
}

// An ask is a request of a bound.
type ask struct {
	method, target, body string
	header               []string
	status               int // the expected one, 0 for any that is no failure of the service
}

// TestBounds sends each input of the service at its bound, and at half of it, to a program
// that counts its steps. Twice the input may cost 2.2 times as much. The cost includes reading
// what the input has stored.
//
//	go test -run '^TestBounds$' -v -whole .
func TestBounds(t *testing.T) {
	if !*whole || runtime.GOOS != "linux" {
		t.Skip("takes half a minute, with -whole, and reads /proc")
	}
	built := buildCounted(t)
	idle := map[string]*idleService{}
	for _, b := range bounds() {
		files := fmt.Sprint(b.folder(0))
		if idle[files] == nil {
			idle[files] = &idleService{}
		}
		idle := idle[files]
		if b.beyond > 0 && idle.program == nil {
			idle.program = start(t, b.fill(t, 0))
		}
		t.Run(strings.ReplaceAll(b.route+" "+b.part, "/", ":"), func(t *testing.T) {
			t.Parallel()
			if b.beyond > 0 {
				b.refuses(t, idle.program)
			}
			if b.held {
				b.holds(t)
				return
			}
			idle.once.Do(func() { idle.cost = b.measure(t, built, 0) })
			b.grows(t, built, idle.cost)
		})
	}
}

// An idleService is what the bounds that start with the same files share.
type idleService struct {
	program *program // gets what is past the bounds, nil if nothing is
	once    sync.Once
	cost    cost // of the files alone
}

// grows measures the input at its bound and at half of it, and checks how the cost grows.
func (b bound) grows(t *testing.T, built counted, none cost) {
	n := b.most / b.of
	half, all := b.measure(t, built, n/2).less(none), b.measure(t, built, n).less(none)
	t.Logf("%s %s, bounded by %s: %d M and then %d M steps, %d and then %d MB allocated, at most %d MB of memory",
		b.route, b.part, b.by, half.steps>>20, all.steps>>20, half.allocated>>20, all.allocated>>20, all.peak>>20)
	const slack = 1 << 20 // of what is not about the input
	if all.steps > half.steps*22/10+slack {
		t.Errorf("twice the input takes %d steps instead of %d, most of them more in %s",
			all.steps, half.steps, built.steepest(t, half, all))
	}
	if all.allocated > half.allocated*22/10+8*slack {
		t.Errorf("twice the input allocates %d bytes instead of %d", all.allocated, half.allocated)
	}
	if all.peak > maxMemory {
		t.Errorf("the service takes %d bytes of memory; want at most %d", all.peak, maxMemory)
	}
}

// maxMemory is what a single input may make the service take.
const maxMemory = 700 << 20

// A cost is what a run of the program took.
type cost struct {
	steps     int    // executed blocks of code
	counters  string // the folder of the files that count them
	allocated int    // bytes in all
	peak      int    // bytes of memory
}

// less returns the cost without that of another run, but the peak as it was.
func (c cost) less(other cost) cost {
	c.steps, c.allocated = max(0, c.steps-other.steps), max(0, c.allocated-other.allocated)
	return c
}

// steepest returns the places in the code that have the most steps more than twice those of
// a run on half the input.
func (built counted) steepest(t *testing.T, half, all cost) string {
	excess := map[string]int{}
	for counters, weight := range map[string]int{half.counters: -2, all.counters: 1} {
		text, err := exec.Command(built.reader, "textfmt", "-i="+counters, "-o=/dev/stdout").Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) == 3 {
				count, _ := strconv.Atoi(words[2])
				excess[words[0]] += weight * count
			}
		}
	}
	places := slices.SortedFunc(maps.Keys(excess), func(a, b string) int { return excess[b] - excess[a] })
	return strings.Join(places[:3], ", ")
}

// A counted is the program, built to count its steps, and the tool that reads them.
type counted struct{ program, reader string }

// allocations is the part of the counted program that answers a line of standard input with
// the number of bytes allocated so far. It first lets other goroutines work, of which only one
// runs at a time, so that the index of words is up to date.
const allocations = `package main

import ("bufio"; "fmt"; "os"; "runtime")

func init() {
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			for range 1000 {
				runtime.Gosched()
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			fmt.Fprintf(os.Stderr, "allocated %d\n", m.TotalAlloc)
		}
	}()
}
`

// buildCounted builds the program with counters in its own code and in that of the standard
// library that works on what comes in.
func buildCounted(t *testing.T) counted {
	dir := t.TempDir()
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(sources, "go.mod") {
		writeFile(t, dir, name, readFile(t, name))
	}
	for _, folder := range []string{"docs", "sample", "web"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, dir, "allocations.go", allocations)
	const packages = "flats,bufio,bytes,compress/flate,compress/gzip,encoding/base64,encoding/csv,encoding/json,fmt," +
		"html,io,maps,math/big,mime,net/http,net/textproto,net/url,reflect,regexp,slices,sort,strconv,strings," +
		"text/template,time,unicode,unicode/utf8"
	built := counted{program: filepath.Join(dir, "flats")}
	build := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg="+packages,
		"-o", built.program, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	path, err := exec.Command("go", "tool", "-n", "covdata").Output()
	if err != nil {
		t.Fatal(err)
	}
	built.reader = strings.TrimSpace(string(path))
	return built
}

// folder returns the files of an input of a size.
func (b bound) folder(n int) map[string]string {
	if b.files == nil {
		return map[string]string{"flats.json": everydayFlats(64)}
	}
	return b.files(n)
}

// fill writes the files of an input of a size into a new folder. They are old, because the
// service reads a new file of the import folder again and again while it may be incomplete.
func (b bound) fill(t *testing.T, n int) (dir string) {
	dir = t.TempDir()
	old := time.Now().Add(-time.Hour)
	for name, text := range b.folder(n) {
		folder, name := filepath.Split(filepath.Join(dir, name))
		os.MkdirAll(folder, 0o700)
		if err := os.Chtimes(writeFile(t, folder, name, text), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// start starts the counted program on the files of an input of a size. It returns the folder
// of the counters, and the standard input.
func (b bound) start(t *testing.T, built counted, n int) (p *program, counters string, stdin io.Writer) {
	dir := b.fill(t, n)
	counters = filepath.Join(dir, "counters")
	os.Mkdir(counters, 0o700)
	cmd := exec.Command(built.program, "-addr", "127.0.0.1:0")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOCOVERDIR="+counters, "FLATS_TEST_PROGRAM=", "GOMAXPROCS=1")
	p = &program{TB: t, Cmd: cmd, stderr: &lockedBuffer{}}
	cmd.Stderr = p.stderr
	stdin, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return p, counters, stdin
}

// measure runs the program on an input of a size.
func (b bound) measure(t *testing.T, built counted, n int) (c cost) {
	p, counters, stdin := b.start(t, built, n)
	exited := make(chan error, 1)
	go func() { exited <- p.Wait() }()
	if b.listens(p, exited) {
		p.await("the import folder to be read", func() bool {
			left, _ := filepath.Glob(filepath.Join(p.Dir, "import", "*.json*"))
			return !slices.ContainsFunc(left, func(name string) bool { return !strings.HasSuffix(name, ".rejected") })
		})
		for _, asks := range [][]ask{b.sends(n), readEverything} {
			for _, a := range asks {
				if got, body := p.sendAsk(a); got >= 500 || got == 0 || a.status != 0 && got != a.status {
					t.Fatalf("%s %.100s with %d bytes: %d %.300s; want %d", a.method, a.target, len(a.body), got, body, a.status)
				}
			}
			logged := len(p.stderr.String())
			io.WriteString(stdin, "\n")
			p.await("the number of allocated bytes", func() bool {
				_, after, _ := strings.Cut(p.stderr.String()[logged:], "allocated ")
				n, _ := fmt.Sscanf(after, "%d\n", &c.allocated)
				return n == 1
			})
		}
		c.peak = p.peak()
		p.Process.Signal(syscall.SIGTERM)
		<-exited
	}
	c.steps, c.counters = countedSteps(t, counters), counters
	return c
}

// countedSteps returns the sum of the counters that a program has written to a folder. It reads
// the format of internal/coverage, because go tool covdata takes as long as the program.
func countedSteps(t *testing.T, folder string) (steps int) {
	names, err := filepath.Glob(filepath.Join(folder, "covcounters.*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, the program has written %v; want a file of counters", err, names)
	}
	data := []byte(readFile(t, names[0]))
	const fileHeader, segmentHeader = 32, 16
	segment := data[fileHeader:]
	functions := binary.LittleEndian.Uint64(segment)
	texts := binary.LittleEndian.Uint32(segment[8:]) + binary.LittleEndian.Uint32(segment[12:])
	rest := segment[segmentHeader+(texts+3)/4*4:]
	next := func() int {
		value, size := binary.Uvarint(rest)
		rest = rest[size:]
		return int(value)
	}
	for range functions {
		counters, _, _ := next(), next(), next() // of a function of a package
		for range counters {
			steps += next()
		}
	}
	return steps
}

// peak returns the most bytes of memory that the program has taken.
func (p *program) peak() (bytes int) {
	_, peak, _ := strings.Cut(readFile(p.TB, fmt.Sprintf("/proc/%d/status", p.Process.Pid)), "VmHWM:")
	fmt.Sscan(peak, &bytes)
	return bytes << 10
}

// holds checks the memory that the program takes while clients hold its answers up. How far
// the answers have come is not certain, so that nothing else is measured.
func (b bound) holds(t *testing.T) {
	n := b.most / b.of
	p := start(t, b.fill(t, n))
	for _, a := range b.sends(n) {
		defer p.hold(a).Close()
	}
	t.Logf("%s %s, bounded by %s: at most %d MB of memory", b.route, b.part, b.by, p.peak()>>20)
	if p.peak() > maxMemory {
		t.Errorf("the service takes %d bytes of memory; want at most %d", p.peak(), maxMemory)
	}
}

// listens waits until the program listens, and reports false if it has ended instead.
func (b bound) listens(p *program, exited chan error) (listens bool) {
	ended := false
	p.await("the program to listen", func() bool {
		select {
		case <-exited:
			ended = true
		default:
		}
		p.url = regexp.MustCompile(`http://[0-9.:]+`).FindString(p.stderr.String())
		return ended || p.url != ""
	})
	if ended && !strings.Contains(b.by, "refused at start") {
		p.Fatalf("the program ended: %.500s", p.stderr)
	}
	return !ended
}

// sends returns the requests of an input of a size, if there are any.
func (b bound) sends(n int) []ask {
	if b.asks == nil || n == 0 {
		return nil
	}
	return b.asks(n)
}

// readEverything reads whatever an input may have left in the service.
var readEverything = func() (asks []ask) {
	for _, target := range []string{"flats", "find?fields=title,notes&counts=title&counts=status&sort=title,notes",
		"find?format=csv", "find?q=" + url.QueryEscape(`"note 1" w1* -details:none`), "find?sort=travel_time,-changed,gps",
		"duplicates", "ics/visits.ics", "metadata", "views", "imports"} {
		asks = append(asks, ask{method: "GET", target: "/api/v1/" + target, status: 200})
	}
	return asks
}()

// refuses checks that a program refuses an input past its bound.
func (b bound) refuses(t *testing.T, p *program) {
	asks := b.sends(b.beyond)
	for i, a := range asks {
		got, body := p.sendAsk(a)
		if i == len(asks)-1 && got != b.refusal {
			t.Errorf("past the bound, %d of %s: %d %.200s; want %d", b.beyond, b.by, got, body, b.refusal)
		}
	}
}

// plainTransport does not ask for gzip.
var plainTransport = &http.Transport{DisableCompression: true}

// sendAsk sends a request and returns the status and the body of the answer.
func (p *program) sendAsk(a ask) (int, string) {
	r, err := http.NewRequest(a.method, p.url+a.target, strings.NewReader(a.body))
	if err != nil {
		p.Fatal(err)
	}
	for i := 0; i < len(a.header); i += 2 {
		r.Header.Add(a.header[i], a.header[i+1])
	}
	// This only ends a test that has failed: nothing here takes a tenth of that.
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	got, err := plainTransport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		return 0, err.Error()
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		return 0, err.Error()
	}
	return got.StatusCode, string(text)
}

// hold sends a request, waits until the answer begins, and leaves the rest unread. A request
// with Content-Length has no end: the client sends what there is, and then nothing more.
func (p *program) hold(a ask) net.Conn {
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		p.Fatal(err)
	}
	conn.(*net.TCPConn).SetReadBuffer(1 << 12)
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\n", a.method, a.target)
	for i := 0; i < len(a.header); i += 2 {
		head += a.header[i] + ": " + a.header[i+1] + "\r\n"
	}
	conn.SetDeadline(time.Now().Add(time.Second)) // a service that does not read has bounded it
	io.WriteString(conn, head+"\r\n"+a.body)
	if a.body == "" {
		conn.SetDeadline(time.Now().Add(time.Minute))
		conn.Read(make([]byte, 1))
	}
	return conn
}

// filled repeats an item with a number in place of %[1]d, up to n bytes.
func filled(n int, item string) string {
	if !strings.Contains(item, "%[1]d") {
		return strings.Repeat(item, n/len(item))
	}
	var b strings.Builder
	for i := 0; ; i++ {
		next := strings.ReplaceAll(item, "%[1]d", strconv.Itoa(i))
		if b.Len()+len(next) > n {
			return b.String()
		}
		b.WriteString(next)
	}
}

// repeated repeats an item n times, with a number in place of %[1]d, and joins them.
func repeated(n int, item, separator string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = strings.ReplaceAll(item, "%[1]d", strconv.Itoa(i))
	}
	return strings.Join(items, separator)
}

// listOf returns a JSON array of items of at most n bytes.
func listOf(n int, item string) string {
	return "[" + strings.TrimSuffix(filled(n, item+","), ",") + "]"
}

// texts returns JSON strings of at most n bytes, of which each may be costly somewhere.
func texts(n int) (list []string) {
	for _, item := range []string{"w%[1]d ", "a b ", " ", `\u00e4`, "東", "1.000.", "x", `\"`, "b\u0301", "ÿ,-"} {
		list = append(list, `"`+filled(n, item)+`"`)
	}
	return list
}

// values returns JSON values of at most n bytes, of which each may be costly somewhere.
func values(n int) []string {
	members := "{" + strings.TrimSuffix(filled(n, `"m%[1]d":0,`), ",") + "}"
	deep := min(n/2, 8000)
	list := []string{members, strings.Repeat("[", deep) + strings.Repeat("]", deep),
		`{"url":` + members + `}`, `{"gps":` + listOf(n, "1") + `}`}
	for _, item := range []string{"[]", "{}", "1", `"f%[1]d@s"`, `"http://h/%[1]d"`, `"http:\/\/h\/"`,
		`{"url":"http://p/%[1]d"}`, `{"date":null,"cost":1}`} {
		list = append(list, listOf(n, item))
	}
	list = append(list, "{"+strings.TrimSuffix(filled(n, `"p%[1]d":{"time":60},`), ",")+"}")
	return append(list, texts(n)[:3]...)
}

// everydayFlats returns a flats.json with flats of which no two are alike.
func everydayFlats(n int) string {
	return manyFlats(n, `"title":"Title %[1]d","text":"some words of text","cost":1%[1]d0,"area":%[1]d,`+
		`"notes":"note %[1]d","visit_date":"2026-12-01T10:00","photos":["http://p/%[1]d"],"status":"new"`)
}

// manyFlats returns a JSON array of n flats with the given members.
func manyFlats(n int, members string) string {
	return "[" + repeated(n, `{"id":"f%[1]d@s",`+members+`}`, ",\n") + "]"
}

// bounds returns the inputs of the service.
func bounds() []bound {
	return slices.Concat(storeBounds(), queryBounds(), headerBounds(), patchBounds(), importBounds(), listingBounds(),
		fredyBounds(), viewBounds(), mcpBounds(), fileBounds(), configBounds())
}

// ofFlats returns files with n flats.
func ofFlats(members string) func(n int) map[string]string {
	return func(n int) map[string]string { return map[string]string{"flats.json": manyFlats(n, members)} }
}

// fixed returns files that do not depend on the size.
func fixed(files map[string]string) func(int) map[string]string {
	return func(int) map[string]string { return files }
}

// storeBounds has the routes whose work depends on what the store holds.
func storeBounds() (list []bound) {
	const by = "the flats"
	for _, get := range []string{"/", "/sw.js", "/manifest.webmanifest", "/assets/{hash}/{name}", "/api/v1", "/api/v1/",
		"/api/v1/opendata", "/api/v1/flats/{id}", "/api/v1/notify", "/api/v1/travel", "/api/v1/photos",
		"/api/v1/openapi.json", "/api/v1/time_to_places"} {
		list = append(list, newBound("GET "+get, "", "the answer, which is always the same", 64, 1, nil, func(n int) []ask {
			return slices.Repeat([]ask{{method: "GET", target: get}}, n)
		}))
	}
	for _, get := range []string{"metadata", "duplicates", "flats", "find", "ics/visits.ics", "imports"} {
		list = append(list, newBound("GET /api/v1/"+get, "", by, 8000, 4, ofFlats(`"cost":%[1]d,"area":50,"phone":"1",`+
			`"photos":["http://p/1"],"location":"a 1","visit_date":"2026-12-01","gone":"2026-01-01"`), func(int) []ask {
			return []ask{{method: "GET", target: "/api/v1/" + get, status: 200}}
		}))
	}
	for what, members := range map[string]string{
		"alike":                        `"cost":900,"area":50,"phone":"1","location":"a 1"`,
		"that all name one another":    `"merged_ids":["f0@s"],"not_duplicates":["f1@s"]`,
		"that share addresses":         `"photos":["http://p/1","http://p/%[1]d"],"urls":["http://p/%[1]d0"]`,
		"with many orders of the same": `"title":"` + strings.Repeat("x", 40) + `","text":"%[1]d"`,
	} {
		list = append(list, newBound("GET /api/v1/duplicates", "flats "+what, by, 16000, 8, ofFlats(members), nil))
	}
	readers := func(target string) func(n int) []ask {
		return func(n int) []ask {
			return slices.Repeat([]ask{{method: "GET", target: target}}, n)
		}
	}
	flats := func(n int) func(int) map[string]string {
		return fixed(map[string]string{"flats.json": manyFlats(n, `"text":"`+strings.Repeat("long ", 1200)+`",`+
			`"visit_date":"2026-12-01"`)})
	}
	for _, target := range []string{"/api/v1/find?fields=text", "/api/v1/find?format=csv", "/api/v1/flats"} {
		route, _, _ := strings.Cut(target, "?")
		list = append(list, newBound("GET "+route, "unread "+target, "40 readers, each with a chunk", 40, 1, flats(3000),
			readers(target)).unread())
	}
	list = append(list, newBound("GET "+feedPath, "unread", "40 readers, each with a chunk", 40, 5, flats(500),
		readers(feedPath)).unread())
	return append(list, newBound("POST /api/v1/import", "unfinished body", "20 uploads of 64 MiB", 20, 1, nil,
		func(n int) []ask {
			upload := ask{method: "POST", target: "/api/v1/import", header: []string{"Content-Length", "60000000"},
				body: strings.Repeat(" ", 50_000_000)}
			return slices.Repeat([]ask{upload}, n)
		}).unread())
}

// maxHead is the size of the head of a request, which net/http bounds.
const maxHead = 60 << 10

// inQuery returns requests with parameters of n bytes.
func inQuery(path string, parameters ...string) func(n int) []ask {
	return func(n int) (asks []ask) {
		for _, parameter := range parameters {
			asks = append(asks, ask{method: "GET", target: path + "?" + filled(n, parameter)})
		}
		return asks
	}
}

// queryBounds has the parameters of lists and of the search.
func queryBounds() (list []bound) {
	const head, long = "the head of a request: 64 KiB", 80 << 10
	flats := fixed(map[string]string{"flats.json": everydayFlats(200)})
	for _, path := range []string{"/api/v1/flats", "/api/v1/opendata/postal_codes", "/api/v1/find"} {
		for part, parameters := range map[string][]string{
			"filter": {"filter[id]=%[1]d&", "filter[cost]=9&", "filter[]&", "filter[%"},
			"page":   {"page[size]=7&", "page[number]=1&", "page[size]=7&page[number]=000&"},
			"sort":   {"sort=-title,cost&", "sort=cost,title,&"},
			"other":  {"&", "x%[1]d=1&", "%zz=1&", "a[b]=%20&"},
		} {
			if path == "/api/v1/opendata/postal_codes" {
				names := strings.NewReplacer("id", "postal_code", "cost", "lat", "title", "name")
				for i := range parameters {
					parameters[i] = names.Replace(parameters[i])
				}
			}
			list = append(list, newBound("GET "+path, "query "+part, head, maxHead, 1, flats, inQuery(path,
				parameters...)).past(long, 431))
		}
	}
	for part, parameters := range map[string][]string{
		"any":     {"any[cost]=%[1]d&", "any[title]=%[1]d&any[id]=%[1]d&"},
		"not":     {"not[cost]=%[1]d&", "not[title]=%[1]d&"},
		"min":     {"min[cost]=%[1]d&", "filter[id]=1&min[cost]=%[1]d&", "min[visit_date]=2026-01-01&"},
		"max":     {"max[cost]=%[1]d&", "filter[id]=1&max[area]=%[1]d&"},
		"known":   {"known[title]=yes&", "known[cost]=no&known[area]=yes&"},
		"unknown": {"unknown=cost&", "unknown=area&min[cost]=1&"},
		"nulls":   {"nulls=last&"},
		"fields":  {"fields=title&", "fields=text,title,cost,area,date&"},
		"counts":  {"counts=title&", "counts=cost&counts=id&filter[cost]=1&"},
		"format":  {"format=csv&"},
		"q":       {"q=w&", "q=OR&", "q=%22&", "q=-&", "q=東&"},
	} {
		list = append(list, newBound("GET /api/v1/find", "query "+part, head, maxHead, 1, flats,
			inQuery("/api/v1/find", parameters...)).past(long, 431))
	}
	notes := `[{"id":"f0@s","notes":"b` + strings.Repeat(" a", 1<<15) + `"}]`
	texts := fixed(map[string]string{"flats.json": notes})
	for what, query := range map[string]struct {
		words                  int // of an item
		item, separator, quote string
	}{
		"words":                     {1, "%[1]d", " ", ""},
		"a phrase":                  {1, "a", " ", `"`}, // with another word at its end
		"phrases":                   {2, `"a %[1]d"`, " ", ""},
		"characters without spaces": {1, "東", "", ""},
	} {
		text := func(n int) string {
			list := repeated(n, query.item, query.separator)
			if query.quote != "" {
				list = query.quote + strings.TrimSuffix(list, "a") + "b" + query.quote
			}
			return list
		}
		most := maxTerms / query.words
		list = append(list,
			newBound("GET /api/v1/find", "query q of "+what, "1,000 words", most, 1, texts, func(n int) []ask {
				return []ask{{method: "GET", target: "/api/v1/find?q=" + url.QueryEscape(text(n)), status: 200}}
			}).past(most+1, 400),
			newBound("POST /api/v1/search", "body query of "+what, "1,000 words", most, 1, texts, func(n int) []ask {
				body := `{"query":` + encodeJSON(text(n)) + `}`
				return []ask{{method: "POST", target: "/api/v1/search", body: body, status: 200}}
			}).past(most+1, 400))
	}
	for part, parameters := range map[string][]string{"filter": {"filter[id]=%[1]d&"}, "page": {"page[size]=7&"},
		"sort": {"sort=-title,cost&", "sort=area,text,&"}} {
		get := inQuery("/api/v1/search", parameters...)
		list = append(list, newBound("POST /api/v1/search", "query "+part, head, maxHead, 1, flats, func(n int) []ask {
			asks := get(n)
			for i := range asks {
				asks[i].method, asks[i].body = "POST", `{"query":"title"}`
			}
			return asks
		}).past(long, 431))
	}
	return append(list, newBound("POST /api/v1/search", "body query", "1 MiB of body", maxBody, 64, nil,
		func(n int) (asks []ask) {
			const empty = `{"query":""}`
			for _, item := range []string{"a ", "OR ", "NOT ", "-", "- ", `\" `, "a OR ", "NOT a OR ", "a* ", " ", "東",
				"title:a "} {
				text := filled(n-len(empty), item)
				asks = append(asks, ask{method: "POST", target: "/api/v1/search",
					body: `{"query":"` + text + `"}` + strings.Repeat(" ", n-len(empty)-len(text))})
			}
			return asks
		}).past(maxBody+1, 413))
}

// headerBounds has the headers that the service reads, and what paths and tokens contain.
func headerBounds() (list []bound) {
	const head, long = "the head of a request: 64 KiB", 80 << 10
	for name, items := range map[string][]string{
		"If-None-Match": {`"x%[1]d",`, ",", " ", `"`}, "If-Match": {`"x%[1]d",`, ","},
		"Accept":          {"a/b;q=1,", "text/csv;", "a/b;x%[1]d=1;", ","},
		"Accept-Encoding": {"gzip;q=0,", "a,", "gzip;x%[1]d=1;", `a;b*0="`},
		"Content-Type":    {"a;b=%[1]d;"}, "Content-Encoding": {"gzip,", "x"}, "Authorization": {"Basic a", "Bearer ", "a"},
		"Origin": {"http://a.", "http://h/%[1]d"}, "Access-Control-Request-Method": {"A"}, "Expect": {"a"},
		"Cookie": {"a=b;"}, "MCP-Protocol-Version": {"2025-11-25,", "a"},
	} {
		route := "GET /api/v1/find"
		if name == "If-Match" {
			route = "PATCH /api/v1/flat/{id}"
		} else if name == "MCP-Protocol-Version" {
			route = "POST /api/v1/mcp"
		}
		list = append(list, newBound(route, "header "+name, head, maxHead, 1, nil, func(n int) (asks []ask) {
			for _, item := range items {
				many := slices.Repeat([]string{name, item}, n/(len(name)+len(item)+4))
				for _, header := range [][]string{{name, filled(n, item)}, many} {
					asks = append(asks, ask{method: "GET", target: "/api/v1/find", header: header},
						ask{method: "PATCH", target: "/api/v1/flat/f1@s", header: header, body: `{"notes":"n"}`},
						ask{method: "POST", target: "/api/v1/import", header: header, body: `[]`},
						ask{method: "POST", target: "/api/v1/mcp", header: header, body: `{"method":"ping"}`},
						ask{method: "OPTIONS", target: "/api/v1/find", header: header})
				}
			}
			return asks
		}).past(long, 431))
	}
	for _, route := range []string{"GET /api/v1/flats/{id}", "PATCH /api/v1/flat/{id}", "PUT /api/v1/views/{name}",
		"DELETE /api/v1/views/{name}", "GET /assets/{hash}/{name}", "GET /api/v1/photos/{hash}", "GET /"} {
		method, path, _ := strings.Cut(route, " ")
		part := cmp.Or(strings.Trim(regexp.MustCompile(`{[a-z]*}`).FindString(path), "{}"), "path")
		prefix, _, _ := strings.Cut(path, "{")
		list = append(list, newBound(route, "path "+part, head, maxHead, 1, nil, func(n int) (asks []ask) {
			for _, item := range []string{"x", "/", "/.", "%2F", "%2E", "a/../", "%C3%A4", "%ff"} {
				asks = append(asks, ask{method: method, target: prefix + filled(n, item), body: `{"query":"","notes":"n"}`})
			}
			return asks
		}).past(long, 431))
	}
	config := fixed(map[string]string{"flats.json": everydayFlats(64),
		"config.json": `{"import_token":"t","feed_token":"t","people":["Ann","Ben"]}`})
	by := func(n int) (asks []ask) {
		for _, item := range []string{"by=Ann&", "by=x&", "%62y=%zz&"} {
			asks = append(asks, ask{method: "PATCH", target: "/api/v1/flat/f1@s?" + filled(n, item), body: `{"rating":1}`})
		}
		return asks
	}
	list = append(list, newBound("PATCH /api/v1/flat/{id}", "query by", head, maxHead, 1, config, by).past(long, 431))
	return append(list, newBound("GET /api/v1/ics/visits.ics", "query token", head, maxHead, 1, config,
		inQuery("/api/v1/ics/visits.ics", "token=a&", "%74oken=%zz&", "a")).past(long, 431))
}

// A form is how a member of a flat can be costly.
type form struct {
	names string               // of the members
	by    string               // "" if the body bounds it
	most  int                  // likewise 0
	make  func(n int) []string // returns values of at most n bytes
}

var forms = []form{
	{"title text location station details notes", "", 0, func(n int) []string {
		return append(texts(n),
			values(n)[:2]...)
	}},
	{"currency utilities phone service_constraint service_postal_code", "", 0, texts},
	{"area cost rooms bedrooms notation rating", "400 digits", maxDigits, func(n int) []string {
		return []string{strings.Repeat("9", n), "1." + strings.Repeat("9", max(0, n-2)), "-1" + strings.Repeat("0",
			max(0, n-2))}
	}},
	{"date visit_date first_seen gone", "", 0, func(n int) []string {
		return []string{`"2026-01-01T00:00:00.` + strings.Repeat("0", n) + `Z"`, `"` + strings.Repeat("2026-01-01",
			n/10) + `"`}
	}},
	{"photos urls merged_ids not_duplicates status service_stations service_time_to cost_history", "", 0, values},
	{"id", "1,024 bytes", maxIdentifier, func(n int) []string {
		return []string{`"` + strings.Repeat("x", n) + `"`, strings.Repeat("9", n)}
	}},
}

// patchBounds has the body of an update and its members.
func patchBounds() (list []bound) {
	for _, f := range forms {
		for _, name := range strings.Fields(f.names) {
			list = append(list, newBound("PATCH /api/v1/flat/{id}", "body "+name, cmp.Or(f.by, "1 MiB of body"),
				cmp.Or(f.most, maxBody), 64-63*min(f.most, 1), nil, func(n int) (asks []ask) {
					for i, value := range f.make(n) {
						asks = append(asks, ask{method: "PATCH", target: fmt.Sprintf("/api/v1/flat/f%d@s", i),
							body: `{"` + name + `":` + value + `}`})
					}
					return asks
				}))
		}
	}
	return append(list, newBound("PATCH /api/v1/flat/{id}", "body", "1 MiB", maxBody, 1, nil, func(n int) []ask {
		text := `{"notes":"` + filled(n/2, "w%[1]d ") + `"`
		return []ask{{method: "PATCH", target: "/api/v1/flat/f1@s", body: text + strings.Repeat(" ", n-len(text)-1) + "}",
			header: []string{"If-Match", "*"}}}
	}).past(maxBody+1, 413), newBound("PATCH /api/v1/flat/{id}", "body area of too many digits", "400 digits",
		200, 1, nil,
		func(n int) []ask {
			return []ask{{method: "PATCH", target: "/api/v1/flat/f1@s", body: `{"area":` + strings.Repeat("9", n) + `}`}}
		}).past(maxDigits+1, 400), newBound("PATCH /api/v1/flat/{id}", "body of unknown members", "1 MiB of body",
		maxBody, 8, nil,
		func(n int) []ask {
			return []ask{{method: "PATCH", target: "/api/v1/flat/f1@s", body: "{" + filled(n-20,
				`"m%[1]d":null,`) + `"x":null}`}}
		}))
}

// importing returns the request that imports a body.
func importing(body string) ask { return ask{method: "POST", target: "/api/v1/import", body: body} }

// importBounds has the body of an import as a whole.
func importBounds() []bound {
	zipped := func(text string) ask {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		io.WriteString(z, text)
		z.Close()
		return ask{method: "POST", target: "/api/v1/import", body: b.String(), header: []string{"Content-Encoding", "gzip"}}
	}
	const route = "POST /api/v1/import"
	chain := func(n int) map[string]string {
		return map[string]string{"flats.json": manyFlats(n, `"merged_ids":["f`+"%[1]d"+`@s"],"cost":1`)}
	}
	return []bound{
		newBound(route, "body", "64 MiB", maxImportBody, 64, nil, func(n int) []ask {
			return []ask{importing(listOf(n, "[")), importing(listOf(n, `"x"`)), importing(filled(n, "[")),
				importing(filled(n, `{"data":`)), importing(`[{"id":"a"}]` + strings.Repeat(" ", n-12))}
		}).past(maxImportBody+1, 413),
		newBound(route, "body that is gzipped", "64 MiB unpacked", maxImportBody, 32, nil, func(n int) []ask {
			return []ask{zipped(`[{"id":"a"}]` + strings.Repeat(" ", n-12))}
		}).past(maxImportBody+1, 413),
		newBound(route, "body of many listings", "262,144 listings", maxListings, 128, nil, func(n int) []ask {
			return []ask{importing(manyFlats(n, `"cost":1`)), importing(manyFlats(n, `"cost":2`))}
		}),
		// Each listing encodes the flat with its history, so that only the limit bounds the square.
		newBound(route, "body of listings of one flat", "100 listings", maxRepeats, 4, nil, func(n int) []ask {
			return []ask{importing("[" + repeated(n, `{"id":"same","cost":%[1]d}`, ",") + "]")}
		}),
		newBound(route, "body of a large listing", "8 MiB", maxFlat-4096, 8, nil, func(n int) []ask {
			return []ask{importing(`[{"id":"a","text":"` + strings.Repeat("x", n) + `"}]`)}
		}).past(maxFlat, 400),
		newBound(route, "body of large objects", "64 MiB, of which each flat has 8", maxImportBody, 2, nil,
			func(n int) []ask {
				members := strings.TrimSuffix(filled(maxFlat-100, `"%[1]d":0,`), ",")
				return []ask{zipped("[" + repeated(n/maxFlat, `{"id":"a%[1]d",`+members+`}`, ",") + "]")}
			}),
		newBound(route, "body that is nested", "10,000 levels", 9000, 1, nil, func(n int) []ask {
			return []ask{importing(`[{"id":"a","details":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}]`)}
		}).past(10_000, 400),
		newBound(route, "body of other objects", "64 MiB", maxImportBody, 256, nil, func(n int) []ask {
			return []ask{importing("{" + filled(n-100, `"m%[1]d":0,`) + `"data":[]}`), importing("{" + filled(n-100, `"id":0,`) +
				`"id":1}`), importing(`{"id":"a","flatisfy":{` + filled(n/2, `"matched_%[1]d":1,`) + `"x":1}}`),
				importing(`{` + filled(n/2, `"flatisfy_%[1]d":1,`) + `"id":"b"}`), importing("[" + filled(n, "\n")),
				importing(filled(n, "{}")), importing(`{"data":[` + filled(n, "\n") + `{"id":"c"}, {}]}`)}
		}),
		newBound(route, "query complete", "the head of a request: 64 KiB", maxHead, 1, nil, func(n int) (asks []ask) {
			for _, item := range []string{"x", "%zz"} {
				asks = append(asks, ask{method: "POST", target: "/api/v1/import?complete=" + filled(n, item),
					body: manyFlats(99, `"cost":1`)})
			}
			return append(asks, ask{method: "POST", target: "/api/v1/import?" + filled(n, "complete=s&"),
				body: manyFlats(9, `"cost":1`)})
		}).past(80<<10, 431),
		newBound(route, "query complete for flats that gather each other", "the flats of the store", 64_000, 128,
			func(n int) map[string]string {
				flats := make([]string, n+1)
				for i := range flats {
					flats[i] = fmt.Sprintf(`{"id":"f%d@s","merged_ids":["f%d@s"],"gone":null}`, i, i-1)
				}
				return map[string]string{"flats.json": "[" + strings.Join(flats, ",\n") + "]"}
			}, func(n int) []ask {
				return []ask{{method: "POST", target: "/api/v1/import?complete=s", body: `[{"id":"f0@s","cost":3}]`}}
			}),
		newBound(route, "query complete for flats that are gone", "the flats of the store", 64_000, 128, chain,
			func(n int) []ask {
				return []ask{{method: "POST", target: "/api/v1/import?complete=s", body: `[{"id":"x@s","merged_ids":["f1@s"]}]`},
					importing(`[{"id":"f0@s"}]`)}
			}),
	}
}

// listingBounds has the members of a listing, which are imported twice.
func listingBounds() (list []bound) {
	const names = "url flatisfy corrected found_position kept_photos updated_at status_since status_by ratings x"
	extra := []form{{names, "", 0, values}}
	for _, f := range slices.Concat(forms, extra) {
		for _, name := range strings.Fields(f.names) {
			list = append(list, newBound("POST /api/v1/import", "body "+name, cmp.Or(f.by, "8 MiB of a flat"),
				cmp.Or(f.most, maxFlat), 512-511*min(f.most, 1), nil, func(n int) (asks []ask) {
					for i, value := range f.make(n) {
						first := fmt.Sprintf(`[{"id":"a%d","%s":%s}]`, i, name, value)
						asks = append(asks, importing(first), importing(strings.Replace(first, `:"f`, `:"g`, 1)))
					}
					return asks
				}))
		}
	}
	ids := func(n int) []ask {
		text := listOf(n, `"f%[1]d@s"`)
		return []ask{importing(`[{"id":"a","merged_ids":` + text + `,"not_duplicates":` + text + `,"cost":1}]`),
			importing(`[{"id":"a","merged_ids":` + listOf(n, `"g%[1]d@s"`) + `}]`)}
	}
	costs := func(n int) []ask {
		return []ask{importing(`[{"id":"a","cost_history":` + listOf(n, `{"date":null,"cost":%[1]d}`) + `}]`),
			importing(`[{"id":"a","cost":7}]`), importing(`[{"id":"a","cost":8}]`)}
	}
	return append(list,
		newBound("POST /api/v1/import", "body merged_ids of many flats", "8 MiB of a flat", maxFlat, 128,
			func(n int) map[string]string { return map[string]string{"flats.json": manyFlats(n/12, `"cost":1`)} }, ids),
		newBound("POST /api/v1/import", "body cost_history with changes", "8 MiB of a flat", maxFlat, 256, nil, costs))
}

// fredyBounds has the members of what fredy sends.
func fredyBounds() (list []bound) {
	amounts := func(n int) (list []string) {
		for _, item := range []string{".000", "'000", "1", "1 ", ".", "€", "ABC", "0", " ", "9,"} {
			list = append(list, `"`+filled(n, item)+`"`)
		}
		return append(list, strings.Repeat("9", n))
	}
	body := func(top, listing string) ask {
		return importing(`{"provider":"p",` + top + `"listings":[{"url":"http://l/1"` + listing + `}]}`)
	}
	const route, by = "POST /api/v1/import", "8 MiB of a flat"
	for names, values := range map[string]func(int) []string{"title description address imageUrl url": texts,
		"price size rooms": amounts, "commute": values, "id": texts} {
		for _, name := range strings.Fields(names) {
			list = append(list, newBound(route, "body fredy "+name, by, maxFlat, 512, nil, func(n int) (asks []ask) {
				for _, value := range values(n) {
					listing := `,"` + name + `":` + value
					asks = append(asks, body("", listing), body(`"complete":"p",`, listing),
						importing(`{"provider":"p","listings":[{"`+name+`":`+value+`}]}`))
				}
				return asks
			}))
		}
	}
	for _, name := range []string{"provider", "timestamp", "complete", "jobId"} {
		list = append(list, newBound(route, "body fredy "+name, "64 MiB of body", maxImportBody, 4096, nil,
			func(n int) (asks []ask) {
				for _, value := range append(texts(n), values(n)...) {
					asks = append(asks, body(`"`+name+`":`+value+`,`, ""))
				}
				return asks
			}))
	}
	return append(list, newBound(route, "body fredy newPrice", by, maxFlat, 512, nil, func(n int) (asks []ask) {
		for _, value := range amounts(n) {
			asks = append(asks, importing(`{"provider":"p","priceChanges":[{"url":"http://l/1","newPrice":`+value+`}]}`))
		}
		return asks
	}), newBound(route, "body fredy listings", "262,144 listings", maxListings, 128, nil, func(n int) []ask {
		return []ask{importing(`{"provider":"p","listings":[` + repeated(n,
			`{"url":"http://l/%[1]d","price":"1 €"}`, ",\n") + `]}`)}
	}))
}

// viewBounds has views and messages.
func viewBounds() (list []bound) {
	const route = "PUT /api/v1/views/{name}"
	put := func(members string) ask {
		return ask{method: "PUT", target: "/api/v1/views/a", body: "{" + members + "}"}
	}
	for name, b := range map[string]struct {
		most, past int
		items      []string
	}{
		"query": {maxViewQuery, maxViewQuery + 9, []string{"q=a&", "filter[id]=%[1]d&", "any[id]=%[1]d&",
			"min[cost]=%[1]d&", "&"}},
		"page":   {maxViewQuery - 2, maxViewQuery, []string{"x"}},
		"seen":   {maxSeen - 20, maxSeen, []string{"0"}},
		"notify": {maxBody - 100, maxBody + 1, []string{" "}},
	} {
		list = append(list, newBound(route, "body "+name, fmt.Sprint(b.most, " bytes"), b.most, 1, nil,
			func(n int) (asks []ask) {
				for _, item := range b.items {
					text := filled(n, item)
					value := map[string]string{"query": `"` + text + `"`, "page": `"#/` + text + `"`,
						"seen": `"2026-01-01T00:00:00.` + text + `"`, "notify": text + "true"}[name]
					members := `"` + name + `":` + value
					if name != "query" {
						members += `,"query":""`
					}
					asks = append(asks, put(members), ask{method: "GET", target: "/api/v1/views"})
				}
				return asks
			}))
	}
	return append(list,
		newBound(route, "body query that is too long", "4 KiB", maxViewQuery, 1, nil, func(n int) []ask {
			return []ask{put(`"query":"q=` + strings.Repeat("a", n-2) + `"`)}
		}).past(maxViewQuery+1, 400),
		newBound(route, "body", "1 MiB", maxBody, 1, nil, func(n int) []ask {
			return []ask{put(`"query":""` + strings.Repeat(" ", n-12))}
		}).past(maxBody+1, 413),
		newBound(route, "body of unknown members", "1 MiB of body", maxBody, 8, nil, func(n int) []ask {
			return []ask{put(filled(n-20, `"m%[1]d":0,`) + `"query":""`)}
		}),
		// These files are not those of other bounds, which would find no room for their views.
		newBound(route, "path name of views", "100 views", maxViews, 1, ofFlats(`"cost":1`), func(n int) (asks []ask) {
			for i := range n {
				asks = append(asks, ask{method: "PUT", target: fmt.Sprintf("/api/v1/views/v%d", i),
					body: `{"query":"min[cost]=1"}`})
			}
			return asks
		}).past(maxViews+1, 400),
		newBound(route, "path name that is long", "200 bytes", maxViewName, 1, nil, func(n int) []ask {
			return []ask{{method: "PUT", target: "/api/v1/views/" + strings.Repeat("x", n), body: `{"query":""}`}}
		}).past(maxViewName+1, 400),
		newBound("GET /api/v1/views", "", "100 views", maxViews, 1, func(n int) map[string]string {
			return map[string]string{"flats.json": everydayFlats(2000), "views.json": "[" + repeated(n,
				`{"name":"v%[1]d","query":"q=word*&any[title]=%[1]d&min[cost]=%[1]d","seen":"2026-01-01"}`, ",\n") + "]"}
		}, func(n int) []ask { return []ask{{method: "GET", target: "/api/v1/views", status: 200}} }),
		newBound("POST /api/v1/notify", "", "nothing", 64, 1, nil, func(n int) []ask {
			return slices.Repeat([]ask{{method: "POST", target: "/api/v1/notify", status: 409}}, n)
		}))
}

// mcpBounds has the messages of assistants, and what the store holds for them.
func mcpBounds() (list []bound) {
	const route = "POST /api/v1/mcp"
	send := func(message string, status int) ask {
		return ask{method: "POST", target: "/api/v1/mcp", body: message, status: status}
	}
	call := func(tool, arguments string) ask {
		return send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+
			`}}`, 200)
	}
	for part, message := range map[string]string{
		"jsonrpc": `{"id":1,"method":"ping","jsonrpc":%s}`,
		"id":      `{"jsonrpc":"2.0","method":"ping","id":%s}`,
		"method":  `{"jsonrpc":"2.0","id":1,"method":%s}`,
		"params":  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":%s}`,

		"params name":            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%s}}`,
		"params protocolVersion": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%s}}`,
	} {
		list = append(list, newBound(route, "body "+part, "1 MiB of body", maxBody-100, 8, nil, func(n int) (asks []ask) {
			for _, value := range slices.Concat(values(n), texts(n)) {
				asks = append(asks, send(fmt.Sprintf(message, value), 0))
			}
			return asks
		}).past(maxBody+1, 413))
	}
	for argument, tool := range map[string]string{"q": "find_flats", "where": "find_flats", "sort": "find_flats",
		"limit": "find_flats", "fields": "find_flats", "id": "get_flat", "add_note": "update_flat", "by": "update_flat",
		"rating": "update_flat", "x": "get_flat"} {
		list = append(list, newBound(route, "body params arguments "+argument, "1 MiB of body", maxBody-200, 16, nil,
			func(n int) (asks []ask) {
				for _, value := range slices.Concat(values(n), texts(n), []string{listOf(n, `"title"`)}) {
					set := `"` + argument + `":` + value
					if tool == "update_flat" {
						set += `,"id":"f1@s"`
					}
					asks = append(asks, call(tool, "{"+set+"}"))
				}
				return asks
			}))
	}
	for field, members := range map[string]string{
		"text":    `"text":"` + strings.Repeat("long ", 1<<12) + `"`,
		"photos":  `"photos":` + listOf(1<<14, `"data:,%[1]d"`),
		"urls":    `"urls":` + values(1 << 14)[1], // deep
		"details": `"details":` + values(1 << 12)[0],
	} {
		list = append(list, newBound(route, "answer with "+field, "50 rows", 50, 1, ofFlats(members), func(int) []ask {
			return []ask{call("find_flats", `{"limit":50,"fields":["`+field+`"]}`)}
		}))
	}
	return list
}

// fileBounds has the files that the service reads. A size is in bytes where nothing else is
// said. Whoever can write them owns the service, so that most is a size to expect.
func fileBounds() (list []bound) {
	file := func(name string, text func(n int) string) func(n int) map[string]string {
		return func(n int) map[string]string {
			files := map[string]string{"flats.json": everydayFlats(64), "config.json": `{"postal_codes":["codes"],` +
				`"constraints":{"a":{},"b":{"areas":["x"]}}}`, "codes": `[{"postal_code":"1","name":"a"}]`}
			files[name] = text(n)
			return files
		}
	}
	add := func(name, part, by string, most, of int, text func(n int) string) {
		list = append(list, newBound("file "+name, part, by, most, of, file(name, text), nil))
	}
	for _, f := range forms {
		for _, name := range strings.Fields(f.names)[:1] {
			add("flats.json", name, "8 GiB of a file", 1<<18, 1, func(n int) string {
				var flats []string
				for j, value := range f.make(min(n/16, cmp.Or(f.most, n))) {
					flat := `{"id":` + strconv.Itoa(j) + `,"` + name + `":` + value + `}`
					if json.Valid([]byte(flat)) && blankAccepts(flat) {
						flats = append(flats, flat)
					}
				}
				return "[" + strings.Join(flats, ",\n") + "]"
			})
		}
	}
	add("flats.json.log", "updates", "the size of flats.json", 4000, 1, func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(recordText(fmt.Sprintf(`"id":"f%d@s","cost":%d}`, i%64, i)))
		}
		return b.String()
	})
	list = append(list, newBound("file flats.json.log", "updates of a large flat", "the size of flats.json", 1<<17, 1,
		func(n int) map[string]string {
			var b strings.Builder
			for i := 0; b.Len() < n; i++ {
				b.WriteString(recordText(fmt.Sprintf(`"id":"f0@s","cost":%d}`, i)))
			}
			return map[string]string{"flats.json": manyFlats(1, `"text":"`+strings.Repeat("x", n)+`"`),
				"flats.json.log": b.String()}
		}, nil))
	add("flats.json.log", "a damaged end", "the size of flats.json", 1<<21, 1, func(n int) string {
		return recordText(`"id":"f1@s","cost":5}`) + filled(n, `{"crc":"`)
	})
	add("flats.json.log", "damaged lines at the end", "the size of flats.json", 1<<21, 1, func(n int) string {
		return recordText(`"id":"f1@s","cost":5}`) + filled(n, `{"crc":"00000000",x}`+"\n")
	})
	add("flats.json.log", "imports", "the size of flats.json", 1000, 1, func(n int) string {
		var b strings.Builder
		for i := range n {
			const rest = `"imported":{"name":"%d.json","sum":"x"},"added":[{"id":"n%d"}],"updated":[]}`
			b.WriteString(recordText(fmt.Sprintf(rest, i, i)))
		}
		return b.String()
	})
	add("views.json", "", "100 views", maxViews, 1, func(n int) string {
		return "[" + repeated(n, `{"name":"v%[1]d","query":"q=a&any[title]=1","seen":"2026-01-01","notify":true}`,
			",\n") + "]"
	})
	for what, listings := range map[string]func(n int) string{
		"a listing":       func(n int) string { return `[{"id":"a","text":"` + strings.Repeat("a b ", n/4) + `"}]` },
		"listings":        func(n int) string { return manyFlats(n/32, `"cost":1`) },
		"what is refused": func(n int) string { return manyFlats(n/32, `"cost":1`) + "x" },
	} {
		add("import/a.json", what, "max_import", 1<<19, 1, listings) // large enough to fold the journal
	}
	list = append(list, newBound("file import/*.json", "many files", "the folder", 128, 1, func(n int) map[string]string {
		files := map[string]string{"flats.json": everydayFlats(64)}
		for i := range n {
			files[fmt.Sprintf("import/%d.json", i)] = fmt.Sprintf(`[{"id":"i%d"}]`, i)
		}
		return files
	}, nil))
	for what, line := range map[string]string{"JSON": `{"postal_code":"%[1]d","name":"n","lat":1,"lng":2,"area":"x"},`,
		"CSV": "%[1]d,n,1,2,x\n", "GeoNames": "FR\t%[1]d\tn\ta\t1\tb\t2\tc\t3\t1\t2\t1\n"} {
		add("codes", what, "8 GiB of a file", 1<<18, 1, func(n int) string {
			text := filled(max(n, 1000), line)
			switch what {
			case "JSON":
				return "[" + strings.TrimSuffix(text, ",") + "]"
			case "CSV":
				return "postal_code,name,lat,lng,area\n" + text
			}
			return text
		})
	}
	return list
}

// blankAccepts reports whether a JSON object can be a flat.
func blankAccepts(object string) bool {
	set, err := parseObject([]byte(object))
	if err == nil {
		_, err = blank.withMembers(set, nil, quiet)
	}
	return err == nil
}

// configBounds has the keys of the config.
func configBounds() (list []bound) {
	const valid, refused = "8 MiB of a file", "8 MiB of a file, refused at start"
	for key, c := range map[string]struct {
		by    string
		value func(n int) string
	}{
		"addr":         {refused, func(n int) string { return `"` + strings.Repeat(":", n) + `"` }},
		"website_url":  {valid, func(n int) string { return `"http://localhost/` + strings.Repeat("a/", n/2) + `"` }},
		"data":         {refused, func(n int) string { return `"` + strings.Repeat("a/", n/2) + `"` }},
		"postal_codes": {refused, func(n int) string { return listOf(n, `"missing%[1]d"`) }},
		"cors_origins": {valid, func(n int) string { return listOf(n, `"http://a%[1]d.example"`) }},
		"username":     {refused, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"password":     {refused, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"feed_token":   {valid, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"import_token": {valid, func(n int) string { return `"` + strings.Repeat("a", n) + `"` }},
		"timezone":     {refused, func(n int) string { return `"` + strings.Repeat("a/", n/2) + `"` }},
		"people":       {refused, func(n int) string { return listOf(n, `"p"`) }},
		"keep_photos":  {refused, func(n int) string { return strings.Repeat("9", n) }},
		"max_photos":   {refused, func(n int) string { return strings.Repeat("9", n) }},
		"max_import":   {refused, func(n int) string { return strings.Repeat("9", n) }},
		"map_tiles":    {valid, func(n int) string { return `"https://h/{z}/{x}/{y}` + strings.Repeat("a", n) + `"` }},
		"map_credit":   {valid, func(n int) string { return `"` + strings.Repeat("<", n) + `"` }},
		"notify headers": {valid, func(n int) string {
			return `{"url":"http://h/","headers":{` + strings.TrimSuffix(filled(n, `"a%[1]d":"b",`), ",") + `}}`
		}},
		"notify body": {valid, func(n int) string {
			return `{"url":"http://h/","body":"` + filled(n, "{{.Title}}") + `"}`
		}},
		"travel url": {valid, func(n int) string {
			return `{"url":"http://h/` + strings.Repeat("a", n) + `","contact":"a"}`
		}},
		"travel contact": {valid, func(n int) string {
			return `{"url":"http://h/","contact":"` + strings.Repeat("a", n) + `"}`
		}},
		"travel arrive": {refused, func(n int) string {
			return `{"url":"http://h/","contact":"a","arrive":"` + strings.Repeat("1", n) + `"}`
		}},
		"constraints": {valid, func(n int) string {
			return "{" + strings.TrimSuffix(filled(n, `"c%[1]d":{"areas":["x"]},`), ",") + "}"
		}},
		"constraints areas": {valid, func(n int) string { return `{"a":{"areas":` + listOf(n, `"x%[1]d"`) + `}}` }},
		"constraints time_to": {valid, func(n int) string {
			return `{"a":{"time_to":{` + strings.TrimSuffix(filled(n, `"p%[1]d":{"gps":[1,2]},`), ",") + `}}}`
		}},
		"x": {valid, func(n int) string { return values(n)[0] }},
	} {
		key, part, _ := strings.Cut(key, " ")
		list = append(list, newBound("file config.json", strings.TrimSpace(key+" "+part), c.by, maxFlat, 128,
			func(n int) map[string]string {
				return map[string]string{"flats.json": everydayFlats(64), "config.json": `{"` + key + `":` + c.value(max(n,
					32)) + "}"}
			}, nil))
	}
	return list
}

// memberNames returns the names of the members that a schema describes, also of those in an
// array.
func memberNames(description object, schema any) (names []string) {
	schema = referenced(description, schema)
	properties, _ := member(schema, "properties").(object)
	names = slices.Collect(maps.Keys(properties))
	if items := member(schema, "items"); items != nil {
		names = append(names, memberNames(description, items)...)
	}
	alternatives, _ := member(schema, "anyOf").([]any)
	for _, alternative := range alternatives {
		names = append(names, memberNames(description, alternative)...)
	}
	return names
}

// Every route, parameter and member has a bound.
func TestEveryInputHasABound(t *testing.T) {
	_, description := described(t)
	listed := map[string]bool{}
	for _, b := range bounds() {
		listed[b.route] = true
		words := strings.Fields(b.part)
		for i := range words {
			listed[b.route+" "+strings.Join(words[:i+1], " ")] = true
		}
	}
	want := func(input string) {
		if !listed[input] {
			t.Errorf("no bound is known for %s", input)
		}
	}
	for _, route := range (&server{config: defaultConfig(), store: newService(t, "[]", "[]").store}).table() {
		want(route.method + " " + strings.NewReplacer("{$}", "", "...", "").Replace(route.path))
	}
	for path, methods := range description["paths"].(object) {
		inPath, _ := member(methods, "parameters").([]any)
		for method, operation := range methods.(object) {
			if method == "parameters" || method == "options" {
				continue
			}
			route := strings.ToUpper(method) + " " + path
			parameters, _ := member(operation, "parameters").([]any)
			for _, parameter := range slices.Concat(inPath, parameters) {
				parameter = referenced(description, parameter)
				want(fmt.Sprintf("%s %v %v", route, member(parameter, "in"), member(parameter, "name")))
			}
			schema := member(operation, "requestBody", "content", "application/json", "schema")
			for _, name := range memberNames(description, schema) {
				want(route + " body " + name)
			}
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[a-z_]+`.*?) \\|").FindAllStringSubmatch(readFile(t,
		"docs/running.md"), -1) {
		for _, key := range regexp.MustCompile("[a-z_]+").FindAllString(row[1], -1) {
			want("file config.json " + key)
		}
	}
}

// Fuzz
// ----

// modelParse parses a raw query string by api.md 4.1 and returns the status of the answer.
// It returns an error if the documents do not define the answer.
func modelParse(raw string) (q *modelQuery, status int, err error) {
	q, status = &modelQuery{number: -1}, 200
	unknown := false
	form := regexp.MustCompile(`^filter\[([A-z0-9_]+)\]$`)
	integer := func(text string, lowest int64) int64 {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < lowest {
			status = 400
		}
		return n
	}
	for p := range strings.SplitSeq(raw, "&") {
		name, text, _ := strings.Cut(p, "=")
		name, err1 := url.QueryUnescape(name)
		raw := text
		text, err2 := url.QueryUnescape(text)
		if err1 != nil {
			continue
		}
		if match := form.FindStringSubmatch(name); err2 != nil && match != nil && modelFields[match[1]] != "" ||
			err2 != nil && slices.Contains([]string{"sort", "page[size]", "page[number]"}, name) {
			status = 400
			continue
		}
		if match := form.FindStringSubmatch(name); match != nil && modelFields[match[1]] == "datetime" {
			// A plus is a sign, except directly after the day, where it is a space.
			text = strings.ReplaceAll(raw, "+", "%2B")
			if day, _, _ := strings.Cut(text, "%2B"); len(day) != 10 && strings.Contains(day, "%") {
				err = errors.New("an escaped day")
			} else if len(day) == 10 {
				text = strings.Replace(text, "%2B", " ", 1)
			}
			text, _ = url.QueryUnescape(text)
		}
		switch name {
		case "page[size]":
			if q.size != 0 {
				err = errors.New("two sizes")
			}
			q.size = integer(text, 1)
		case "page[number]":
			if q.number != -1 {
				err = errors.New("two numbers")
			}
			q.number = integer(text, 0)
		case "sort":
			for key := range strings.SplitSeq(text, ",") {
				if modelFields[strings.TrimPrefix(key, "-")] == "" {
					status = 400
				}
				q.sort = append(q.sort, key)
			}
		}
		if match := form.FindStringSubmatch(name); match != nil {
			if modelFields[match[1]] == "" {
				unknown = true
			}
			if modelNumberForm.FindString(text) == "" && strings.Trim(text, "0123456789+-.eE") == "" || len(text) > 15 {
				err = errors.New("a number that the model does not support")
			}
			q.filters = append(q.filters, [2]string{match[1], text})
		}
	}
	if unknown && status == 200 { // rule 6: other errors come first, as a 400
		status = 500
	}
	return q, status, err
}

// listed returns the flats of a store as the API shows them.
func listed(s *Store) (flats []string) {
	for _, f := range s.snapshot().all() {
		flats = append(flats, f.JSON())
	}
	return flats
}

// rawLiteral returns s as a JSON string, and keeps bytes that are not UTF-8.
func rawLiteral(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// notASCII reports whether r is not a printable ASCII character, or is a space.
func notASCII(r rune) bool { return r <= ' ' || r >= 0x7f }

// collapseInvalid replaces bytes that are not UTF-8 and runs of U+FFFD by one U+FFFD, because
// the number of replacement characters does not matter.
func collapseInvalid(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	for strings.Contains(s, "\ufffd\ufffd") {
		s = strings.ReplaceAll(s, "\ufffd\ufffd", "\ufffd")
	}
	return s
}

// shown returns a text as a client must show it: any line break is a newline, a tab is a
// space, and other control characters are removed.
func shown(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\t",
		" ").Replace(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
	return collapseInvalid(text)
}

// FuzzQuery checks that any query string gets the documented answer.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "filter%5Bcost%5D=700&sort=-area,title&page%5Bsize%5D=2&page%5Bnumber%5D=1",
		"filter[status]=5.0&filter[id]=7", "sort=nope",
		"filter[nope]=1", "page[size]=0", "filter[date]=2026-01-02T09:00Z", "%zz=1", "a;b=1&&=",
		"page[size]=9223372036854775807&page[number]=9223372036854775807",
		"filter[title]=Loft&sort=-cost,id", "filter[details]=%7B%22floor%22%3A2%7D",
		"min[cost]=1&max[date]=2026-01-01&unknown=cost&known[area]=yes&any[id]=7&" +
			"not[status]=x&nulls=last&fields=cost,site&counts=status&q=a",
		"format=csv&sort=-travel_time",
	} {
		f.Add(seed)
	}
	shared, m := newService(f, testFlats, testCodes), newModel(f, testFlats)
	f.Fuzz(func(t *testing.T, raw string) {
		s := *shared
		s.TB = t
		s.logs.Reset()
		r := httptest.NewRequest("GET", "https://flats.example/api/v1/flats", nil)
		r.URL.RawQuery = raw
		got := s.send(r)
		if !json.Valid([]byte(got.body)) {
			t.Fatalf("%q: the body is not JSON: %s", raw, got.body)
		}
		switch got.status {
		case 200:
			s.listed(got)
		case 400:
		case 500:
			if !strings.HasPrefix(got.body, `{"error":"Invalid filter key provided: `) {
				t.Fatalf("%q: %s\n%s", raw, got.body, s.logs)
			}
		default:
			t.Fatalf("%q: %d %s", raw, got.status, got.body)
		}
		r.URL.Path = "/api/v1/find"
		found := s.send(r)
		isCSV := found.header.Get("Content-Type") == "text/csv; charset=utf-8"
		if found.status != 200 && found.status != 400 || !isCSV && !json.Valid([]byte(found.body)) {
			t.Fatalf("find?%s: %d %s", raw, found.status, found.body)
		}
		q, status, err := modelParse(raw)
		if err != nil {
			return
		}
		if got.status != status {
			t.Fatalf("%q: %d %s; want %d", raw, got.status, got.body, status)
		}
		if status != 200 {
			return
		}
		if want := m.list(q, nil); s.listed(got) != want {
			t.Fatalf("%q: %s\nwant %s", raw, s.listed(got), want)
		}
	})
}

// FuzzSearch checks that any search is answered, and that the answer matches the model's
// if the model can parse the query.
func FuzzSearch(f *testing.F) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 60 {
		f.Add(randomSearch(random))
	}
	for _, seed := range []string{"", "-", "\"", "OR", "a OR", "title:", "-title:\"a", "***", "a\"b\"c*",
		"“x”", "\x00",
		"\xff", "title:text:a", "a OR -b", "東京 OR \"都 x"} {
		f.Add(seed)
	}
	var flats []string
	for i := range 80 {
		rest := strings.TrimPrefix(randomTexts(random), "{")
		flats = append(flats, fmt.Sprintf(`{"id":%d%s%s`, i, strings.Repeat(",", min(1, len(rest)-1)), rest))
	}
	file := "[" + strings.Join(flats, ",\n") + "]"
	shared, m := newService(f, file, "[]"), newModel(f, file)
	f.Fuzz(func(t *testing.T, text string) {
		s := *shared
		s.TB = t
		text = strings.ToValidUTF8(text, "?") // as JSON requires
		if len(text) > 1000 {
			return
		}
		start := time.Now()
		defer func() {
			// A generous limit, proportional to the size of the query times the store.
			limit := 5*time.Second + time.Duration(len(text)*len(flats))*100*time.Microsecond
			if took := time.Since(start); took > limit {
				t.Errorf("%q took %v; want at most %v", text, took, limit)
			}
		}()
		find := func(text string) map[string]bool {
			found := map[string]bool{}
			for id := range strings.FieldsSeq(s.ids(s.search(text, "sort=id"))) {
				found[id] = true
			}
			return found
		}
		all := find(text)
		// An excluded word never adds results, except before OR, which would join it to the
		// next term.
		if !strings.Contains(text, "OR") {
			for _, excluded := range []string{"-garden ", "-\"a\" ", "-title:eau ", "-東* "} {
				for id := range find(excluded + text) {
					if !all[id] {
						t.Errorf("%q found %s, but %q did not", excluded+text, id, text)
					}
				}
			}
		}
		// The model supports only the letters of modelFolds and searchWords.
		groups, ok := modelSearch(text)
		for _, r := range text {
			_, folded := modelFolds[unicode.ToLower(r)]
			ok = ok && (r < 0x80 || folded || 0x300 <= r && r <= 0x36F ||
				strings.ContainsRune(strings.Join(searchWords, ""), r))
		}
		if !ok {
			return
		}
		for _, f := range m {
			if want := f.matches(groups); want != all[f.id] {
				t.Errorf("search %q: flat %s: %v; want %v\n%s", text, f.id, !want, want, flats[slices.Index(m, f)])
			}
		}
	})
}

// FuzzDatetime checks that parseDatetime accepts the same datetimes as package time with
// the layouts of the grammar, and returns the same instants.
func FuzzDatetime(f *testing.F) {
	for _, text := range randomValues["datetime"][1:] {
		f.Add(strings.Trim(text, `"`))
	}
	for _, seed := range []string{"2026-02-29", "2024-02-29T23:59:59Z", "2026-12-01T24:00", "2016-12-31T23:59:60Z",
		"0000-01-01T00:00+23:59",
		"9999-12-31 23:59:59.999999999-2359", "2026-1-2", "2026-01-02t10:00z", "2026-01-02T1:00", "2026-01-02  10:00",
		"2026-01-02T10:00+24:00", "2026-01-02T10:00+01:60",
		"2026-01-02T10:00:00.1234567890", "2026-01-02T10:00:00.", "2026-01-02T10:00:00,Z", "2026-01-02T10:00:00.+01:00",
		"2026-01-02T10:00:00.5",
		"2026-01-02T10", "0000-01-24", "20260102", "2026-01-02Z", "2026-01-02T10:00 +01:00", "+2026-01-02", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, offset, err := parseDatetime(text)
		want, wantOffset, ok := modelDatetime(text)
		if err != nil {
			if ok {
				t.Errorf("parseDatetime(%q): %v; want %v", text, err, want)
			}
			return
		}
		if !ok {
			t.Fatalf("parseDatetime(%q) = %v; want an error", text, at)
		}
		if !at.Equal(want) || offset != wantOffset {
			t.Errorf("parseDatetime(%q) = %v, %v; want %v, %v", text, at, offset, want, wantOffset)
		}
	})
}

// FuzzJSON checks that an object accepted by parseObject is valid JSON and UTF-8, has the
// same value in encoding/json, and can be read again as a list element.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":1}`, ` { "a" : [ 1 , -0.5e+7 , {"b":null} ] , "é\\u00e9\n":"\ud800" } `,
		`{"a":01}`, `{"a":1,"a":2}`, `{"a":"\x"}`, `[]`, `null`, `{"a":"` + "\xff" + `"}`, "{\"a\":\"\u2028<\"}"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		object, err := parseObject([]byte(text))
		var want map[string]any
		if wantErr := json.Unmarshal([]byte(text), &want); err != nil {
			stricter := strings.Contains(err.Error(), "not UTF-8") ||
				strings.Contains(err.Error(), "nested too deeply") || strings.TrimSpace(text) == "null"
			if wantErr == nil && !stricter {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		again := encodeJSON(object)
		if !utf8.ValidString(again) || !sameJSON(again, text) {
			t.Errorf("%q became %q", text, again)
		}
		for _, member := range object {
			content := &Flat{Details: AnyJSON{}}
			content.Details.set(string(member))
			content.searched(slices.Index(searchedFields[:], "details"))
		}
		_, err = readObjects("", []byte("[{\"a\":["+again+"]}]"), func(members) (int, error) { return 0, nil })
		if err != nil {
			t.Errorf("%q in a list: %v", text, err)
		}
	})
}

// FuzzUpdate checks that the files equal the flats in memory after any update and import,
// both after a crash and after a clean shutdown.
func FuzzUpdate(f *testing.F) {
	for _, text := range []string{`{"id":"7","notes":"x"}`, `{"i\u0064":7,"cost":1e2,"n\u006ftes":"\ud800"}`,
		`{"id":"\u0061","status":{"a":[1, 2]},"visit_date":"2026-12-01 10:00:00.5+01"}`,
		`{"id":9,"x":{"y":null},"é\n":"<","status":null}`,
		`{"id":"9","flatisfy":{"postal_code":"1","constraint":"c"},"url":"u","title":"\n"}`,
		`{"data":[{"id":1},{"id":"1","z":1},{"id":7,"z":[ 2 ]}]}`,
		`{"service_postal_code":"69100","service_constraint":"lyon"}`,
		`{"id":"7","cost":1,"merged_ids":["a", 1],"not_duplicates":["a"]}`,
		`{"complete":"x","data":[{"id":"1@x","first_seen":"2026-01-01"},{"id":"7","merged_ids":[ 1 ]}]}`} {
		f.Add(text)
	}
	rows, err := readPostalCodes("codes.json", []byte(testCodes))
	if err != nil {
		f.Fatal(err)
	}
	codes := newPostalCodes(rows, map[string]Constraint{"lyon": {}})
	const base = `[{"id":7,"x":1},{"id":"a","status":null,"service_postal_code":"69100","service_constraint":"lyon"},` +
		`{"id":"null"}]`
	f.Fuzz(func(t *testing.T, text string) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(base), synced: []byte(base), lost: -1}
		d.durable["/flats.json"] = d.names["/flats.json"]
		s, err := openStore("/flats.json", d, codes, quiet)
		if err != nil {
			t.Fatal(err)
		}
		check := func(what string) {
			again, err := openStore("/flats.json", d.restart(false, false), codes, quiet)
			if err != nil {
				t.Fatalf("%s, %q: %v", what, text, err)
			}
			defer again.Close()
			want, got := s.snapshot(), again.snapshot()
			if got.size != want.size {
				t.Fatalf("%s, %q: %d flats; want %d", what, text, got.size, want.size)
			}
			for row, f := range want.all() {
				if got, want := string(got.row(row).appendStored(nil)), string(f.appendStored(nil)); got != want {
					t.Errorf("%s, %q: the restored flat is\n%s; want\n%s", what, text, got, want)
				}
			}
		}
		for _, id := range []string{"7", "a", "null"} {
			s.Update(id, []byte(text), nil)
			check("an update of " + id)
		}
		if listings, err := readListings("", []byte(text)); err == nil {
			if _, err := s.Import(context.Background(), listings, nil); err != nil {
				t.Errorf("%q: %v", text, err)
			}
			check("an import")
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		check("Close")
	})
}

// An amount is null or a finite JSON number, and one without separators is the number.
func FuzzAmount(f *testing.F) {
	for _, text := range []string{"1.240,50 €", "CHF 1'240.–", "0,5", "38 m²", "١٢", "1\u00a0000", "--1e9"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, decimal bool) {
		number, _, err := readAmount(json.RawMessage(encodeJSON(text)), decimal)
		if err != nil || !json.Valid([]byte(number.JSON())) {
			t.Fatalf("%q: %s, %v", text, number.JSON(), err)
		}
		plain, notPlain := strconv.ParseUint(text, 10, 52)
		if notPlain == nil && number.number != float64(plain) {
			t.Errorf("%q: %s", text, number.JSON())
		}
	})
}

// FuzzMCP checks that any message gets an answer of the protocol, and that any JSON fits into an
// answer: whole if it is short, else cut, but never with data.
func FuzzMCP(f *testing.F) {
	for _, text := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `[{"id":1}]`, `{"id":null}`, "\xff",
		`{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":7}}`,
		`{"data:":["data:,",[[1e999]],"é"]}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_flats","arguments":{"where":` +
			`"q=a&min[cost]=1","fields":["title","text"],"limit":3,"sort":"-cost,title"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_flat","arguments":{"id":7,"status":"new",` +
			`"add_note":"\n\ud800","notation":null,"visit_date":"2026-12-01"}}}`} {
		f.Add(text)
	}
	s := *newService(f, testFlats, testCodes)
	f.Fuzz(func(t *testing.T, text string) {
		s.TB = t
		got := s.tell(text)
		var answer struct {
			JSONRPC string
			Result  json.RawMessage
			Error   *struct{ Code int }
		}
		err := json.Unmarshal([]byte(got.body), &answer)
		isAnswer := err == nil && answer.JSONRPC == "2.0" && (answer.Result == nil) == (answer.Error != nil)
		switch {
		case got.status == 202 && got.body == "":
		case got.status == 200 && isAnswer && (answer.Error == nil || answer.Error.Code > -32603):
		case got.status == 400 && isAnswer && (answer.Error.Code == -32600 || answer.Error.Code == -32700):
		default:
			t.Errorf("%q: %d %s", text, got.status, got.body)
		}
		object, err := parseObject([]byte(text))
		if err != nil {
			return
		}
		whole := encodeJSON(object)
		for _, size := range []int{60, 1000, 1 << 20} {
			row := encodeJSON(shorten(nil, decodeJSON(whole), 10*size))
			short := "[" + shortRows(nil, size, row, row) + "]"
			if !json.Valid([]byte(short)) || len(short) > size+len("[]") {
				t.Errorf("%q in %d bytes: %q", text, size, short)
			}
			isFlat := strings.Count(whole, "[")+strings.Count(whole, "{") < 15
			if isFlat && 4*len(whole) < size && !strings.Contains(whole, `"data:`) && !strings.Contains(whole, `\u00`) &&
				!sameJSON(short, "["+whole+","+whole+"]") {
				t.Errorf("%q in %d bytes: %q", text, size, short)
			}
		}
	})
}

// FuzzImport checks that accepted listings can be imported twice, adding no flats the
// second time, and that the error for refused ones names a line.
func FuzzImport(f *testing.F) {
	for _, text := range []string{`[{"id":1,"url":"u","flatisfy":{"postal_code":"1","matched_stations":[]}}]`,
		"{\"data\":[{\"id\":\"a\"},\n{\"id\":\"a\",\"x\":1}]}", `{"id":"b","flatisfy_constraint":"c"}`,
		`{"data":{"id":3,"utilities":"C.C.","service_postal_code":{}}}`, "[\n{\"id\":\"\xff\"}]", `{"data":5}`, `[]`,
		`{"data":[`, "\ufeff[{\"id\":1,\"updated_at\":5}]", `{"id":1,"data":[{"id":2}]}`,
		`{"complete":"s","data":[{"id":"1@s","merged_ids":[2,"2@s"],"cost":1},{"id":"1@s","cost":2,"merged_ids":{}}]}`,
		`[{"id":1,"gone":"2026-01-01","first_seen":null,"cost_history":[{"cost":1}],"not_duplicates":[1,"1"]}]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		listings, err := readListings("in", []byte(text))
		if err != nil {
			if !regexp.MustCompile(`^in:[1-9][0-9]*: `).MatchString(err.Error()) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		s := newStore(nil, nil, quiet, nil)
		defer s.Close()
		for _, again := range []bool{false, true} {
			counts, err := s.Import(context.Background(), listings, nil)
			if err != nil || again && counts.Added > 0 ||
				counts.Added+counts.Updated+counts.Unchanged != len(listings.Flats) {
				t.Errorf("%q: %v, %v", text, counts, err)
			}
		}
		backup, err := readListings("in", []byte("["+strings.Join(listed(s), ",")+"]"))
		if err != nil || len(backup.Flats) != s.snapshot().size {
			t.Errorf("%q: the imported flats %q cannot be imported again: %v", text, listed(s), err)
		}
	})
}

// FuzzJournal checks that replaying any journal neither panics nor invents flats, and that
// the resulting flats can be written and read again.
func FuzzJournal(f *testing.F) {
	const update, added = `{"id":"a","cost":5,"title":"x","status":null,"new":[1, 2]}`, `{"id":9}`
	first := recordText(update[1:])
	f.Add([]byte(first))
	f.Add([]byte(first + recordText(added[1:])))
	f.Add([]byte(first +
		strings.Join(newRecords(&importedFile{"a.json", "aa"}, []edit{{delta: added}, {delta: update}}), "")))
	f.Add([]byte(first + "\x00\x00{}\n"))
	for _, rest := range []string{`"cost":1}`, `"imported":5,"added":[]}`, `"imported":{"name":"a"}}`,
		`"imported":{"name":"a","sum":"b"},"added":[{"cost":1}]}`, `"id":null}`, `}`} {
		f.Add([]byte(recordText(rest)))
	}
	f.Add([]byte(`{"crc":"00000000","id":1}` + "\n"))
	f.Fuzz(func(t *testing.T, journal []byte) {
		base, err := readFlats("f", []byte(`[{"id":"a","cost":1}]`), nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		replay := newReplay(base, nil, quiet)
		whole, err := replay.applyJournal("f.log", journal)
		if err != nil {
			return
		}
		flats, err := replay.end()
		if err != nil {
			t.Fatal(err)
		}
		if whole > len(journal) || whole > 0 && journal[whole-1] != '\n' {
			t.Errorf("%d complete bytes of %d, not at the end of a record", whole, len(journal))
		}
		if whole < len(journal) && len(flats) > 1+bytes.Count(journal[:whole], []byte("\n")) {
			t.Errorf("%d flats are more than the journal can add", len(flats))
		}
		var text []byte
		for _, flat := range flats {
			text = append(flat.appendStored(text), ',')
		}
		again, err := readFlats("f", []byte("["+strings.TrimSuffix(string(text), ",")+"]"), nil, quiet)
		if err != nil || len(again) != len(flats) {
			t.Errorf("%v: %s", err, text)
		}
		for i := range again {
			if again[i].JSON() != flats[i].JSON() {
				t.Errorf("%s became %s", flats[i].JSON(), again[i].JSON())
			}
		}
	})
}

// FuzzTwoServices checks that no acknowledged update is lost if two services on the same
// data start, update, stop and are killed in any order.
func FuzzTwoServices(f *testing.F) {
	for _, seed := range []string{"osuvtUxSUV", "ouUUOvuVUxsOU", "oOuvuvXxoOuv", "oouUkoOuvKO", "oUUUOVVVuvsS"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, steps string) {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"0"},{"id":"1"}]`), lost: -1}
		var services [2]*Store
		acked, later := [2]string{}, [2][]string{}
		for n, step := range []byte(steps[:min(len(steps), 40)]) {
			i := int(step>>5) & 1 // lower or upper case
			s := services[i]
			switch step | 0x20 {
			case 'o', 's': // start, after a kill if it was running
				services[i], _ = openStore("/flats.json", d, nil, quiet)
				if services[i] == nil {
					t.Fatalf("%q: step %d: the service did not start", steps, n)
				}
			case 'x': // stop
				if s != nil {
					s.Close()
				}
				services[i] = nil
			case 'u', 'v', 't': // update the service's own flat
				if s == nil {
					continue
				}
				notes := fmt.Sprint(n, strings.Repeat(" ", int(step&1)*smallestFold))
				if _, err := s.Update(strconv.Itoa(i), fmt.Appendf(nil, `{"notes":"%s"}`, notes), nil); err == nil {
					acked[i], later[i] = notes, nil
				} else {
					later[i] = append(later[i], notes)
					if !isConflict(err) && !errors.Is(err, fs.ErrNotExist) {
						t.Errorf("%q: step %d: %v", steps, n, err)
					}
				}
			}
		}
		for _, s := range services {
			if s != nil {
				s.Close()
			}
		}
		last, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatalf("%q: %v", steps, err)
		}
		defer last.Close()
		for i, want := range acked {
			if got := notesOf(last.Get(strconv.Itoa(i))); got != want && !slices.Contains(later[i], got) {
				t.Errorf("%q: flat %d has the notes %.9q; want the acknowledged %.9q", steps, i, got, want)
			}
		}
	})
}

// FuzzCalendar checks that the feed of any flat is valid and has the flat's texts, except
// for the characters that shown replaces or removes.
func FuzzCalendar(f *testing.F) {
	for _, seed := range [][4]string{
		{"Loft", "Big, bright; C:\\x \"y\"", "call\r\nfirst", "a"},
		{"", "", "", "0"},
		{strings.Repeat("🏠", 40), strings.Repeat("é ", 80), "\u2028\ufeff\x00\t\x7f\u0085", "a/b c%20#é"},
		{"\xff\xc3", "\r\r\n\n\r", "END:VCALENDAR\r\nBEGIN:VALARM", "\xe2\x82"},
		{"\\n\\N\\;", " ", strings.Repeat("\\,;", 60), strings.Repeat("x", 300)},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3])
	}
	codes := newPostalCodes(nil, nil)
	f.Fuzz(func(t *testing.T, title, text, notes, id string) {
		if id == "" {
			t.Skip("a flat must have an id")
		}
		set := members{}
		for name, text := range map[string]string{"id": id, "title": title, "text": text, "notes": notes,
			"location": title, "visit_date": "2026-12-01T18:00"} {
			set[name] = json.RawMessage(rawLiteral(text))
		}
		flat, err := blank.withMembers(set, codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		const website = "https://flats.example/"
		work := newTask(t.Context(), newLock())
		visits := visitsOf(work, maps.All(map[uint32]*Flat{0: flat}), nil, quiet)
		var feed strings.Builder
		out := bufio.NewWriter(&feed)
		writeCalendar(work, out, visits, website)
		out.Flush()
		c := readCalendar(t, feed.String())
		if len(c.events) != 1 || len(c.zones) != 0 {
			t.Fatalf("%d events and zones %q", len(c.events), c.zones)
		}
		e := c.events[0]

		// The URL contains the id, up to bytes that are not UTF-8.
		link, ok := strings.CutPrefix(e["URL"], website+"#/flat/")
		back, err := url.PathUnescape(link)
		if !ok || err != nil || collapseInvalid(back) != collapseInvalid(id) || strings.ContainsAny(link, "/?# ") ||
			strings.ContainsFunc(link, notASCII) {
			t.Errorf("URL %q for the id %q", e["URL"], id)
		}
		if len(e["UID"]) == 0 || len(e["UID"]) >= 255 {
			t.Errorf("UID %q", e["UID"])
		}
		if want := shown("Visit - " + title); collapseInvalid(e["SUMMARY"]) != want {
			t.Errorf("SUMMARY %q; want %q", e["SUMMARY"], want)
		}
		want := title + " (area: unknown, cost: unknown)\n" + website + "#/flat/" + id + "\n\n" + text
		if notes != "" {
			want += "\n\n" + notes
		}
		if want = shown(want); collapseInvalid(e["DESCRIPTION"]) != want {
			t.Errorf("DESCRIPTION %q; want %q", e["DESCRIPTION"], want)
		}
	})
}

// Benchmarks
// ----------

// A wire is a keep-alive connection.
type wire struct {
	net.Conn
	r *bufio.Reader
}

// roundTrip sends a request and reads the answer, which must have the status 200.
func (w *wire) roundTrip(request []byte) error {
	if _, err := w.Write(request); err != nil {
		return err
	}
	length := 0
	for first := true; ; first = false {
		line, err := w.r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("got %s", line)
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(n))); err != nil {
				return err
			}
		}
		if len(line) == 2 {
			_, err := w.r.Discard(length)
			return err
		}
	}
}

// pump sends n requests over several connections. It returns the average time of a request
// and the 99th percentile of the reads.
func pump(b *testing.B, url string, connections, n int, request func(i int) []byte) (average, late time.Duration) {
	b.Helper()
	var group sync.WaitGroup
	var next atomic.Int64
	wires := make([]*wire, connections)
	for i := range wires {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		wires[i] = &wire{conn, bufio.NewReaderSize(conn, 64<<10)}
	}
	times := make([]time.Duration, n) // of reads
	start := time.Now()
	for _, w := range wires {
		group.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				r, sent := request(int(i)), time.Now()
				if err := w.roundTrip(r); err != nil {
					b.Error(err)
					return
				}
				if !bytes.HasPrefix(r, []byte("PATCH")) {
					times[i] = time.Since(sent)
				}
			}
		})
	}
	group.Wait()
	average = time.Since(start) / time.Duration(n)
	times = slices.DeleteFunc(times, func(t time.Duration) bool { return t == 0 })
	slices.Sort(times)
	if len(times) > 0 {
		late = times[len(times)*99/100]
	}
	return average, late
}

// bareServer starts a server that answers every request with body. It answers an update
// after appending 150 bytes for each waiting update to a file and syncing it once. It thus
// measures net/http and the disk alone.
func bareServer(b *testing.B, body []byte) *httptest.Server {
	f, err := os.Create(filepath.Join(b.TempDir(), "bare"))
	if err != nil {
		b.Fatal(err)
	}
	jobs := make(chan chan error)
	go func() {
		for first := range jobs {
			batch := []chan error{first}
			for more := true; more; {
				select {
				case j := <-jobs:
					batch = append(batch, j)
				default:
					more = false
				}
			}
			_, err := f.Write(bytes.Repeat([]byte("x"), 150*len(batch)))
			if err == nil {
				err = f.Sync()
			}
			for _, j := range batch {
				j <- err
			}
		}
	}()
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.Method == "PATCH" {
			done := make(chan error, 1)
			if jobs <- done; <-done != nil {
				w.WriteHeader(500)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.Write(body)
	}))
	b.Cleanup(func() { ts.Close(); close(jobs); f.Close() })
	return ts
}

// BenchmarkAPI measures routes over real connections and compares each with a bare handler
// that writes the same bytes. ratio is the time of the bare handler divided by the API's.
//
//	go test -run '^$' -bench API
func BenchmarkAPI(b *testing.B) {
	const page = "page%5Bsize%5D=20"
	get := func(path string) func(int) []byte {
		r := []byte("GET /api/v1/" + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
		return func(int) []byte { return r }
	}
	send := func(method, path, body string) []byte {
		return fmt.Appendf(nil, "%s /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", method,
			path, len(body), body)
	}
	find := func(query string) func(int) []byte {
		r := send("POST", "search?"+page, `{"query":`+encodeJSON(query)+`}`)
		return func(int) []byte { return r }
	}
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			path := writeFile(b, b.TempDir(), "flats.json", benchFlats(n))
			store, err := openStore(path, osDisk{}, nil, quiet)
			if err != nil {
				b.Fatal(err)
			}
			defer store.Close()
			config := &Config{Addr: "127.0.0.1:0", WebsiteURL: "http://localhost/"}
			handler := testHandler(b, config, store, quiet, false)
			url := listen(b, handler)
			var updates atomic.Int64
			update := func(int) []byte {
				i := int(updates.Add(1))
				return send("PATCH", fmt.Sprintf("flat/%d@bench", i*7919%n),
					fmt.Sprintf(`{"status":"s%d","notes":"note %d"}`, i%3, i))
			}
			read := get("flats?" + page)(0)
			mixed := func(i int) []byte {
				if i%10 == 0 {
					return update(i)
				}
				return read
			}
			first := store.Get("0@bench")
			frequent := first.Text.String()
			three := strings.Join(strings.Fields(frequent)[:3], " ")
			for _, row := range []struct {
				name        string
				connections int
				request     func(int) []byte
			}{
				{"page", 16, get("flats?" + page)},
				{"near the end", 16, get(fmt.Sprintf("flats?%s&page%%5Bnumber%%5D=%d", page, n/20-2))},
				{"filter and sort", 16, get("flats?filter%5Bstatus%5D=followed&sort=-cost&" + page)},
				{"sort by two", 16, get("flats?sort=-area,title&" + page)},
				{"view", 16,
					get("find?min%5Bcost%5D=300&max%5Bcost%5D=1500&any%5Bstatus%5D=new&" +
						"any%5Bstatus%5D=followed&counts=status&" + page)},
				{"one flat", 16, get("flats/7@bench")},
				{"whole list", 4, get("flats")},
				{"frequent word", 16, find(strings.Fields(frequent)[0])},
				{"rare word", 16, find("w77")},
				{"three words", 16, find(three)},
				{"update", 1, update},
				{"16 updates", 16, update},
				{"reads during updates", 16, mixed}, // the 99th percentile of the reads
			} {
				b.Run(row.name, func(b *testing.B) {
					w := httptest.NewRecorder()
					raw, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(row.request(1))))
					if err != nil {
						b.Fatal(err)
					}
					handler.ServeHTTP(w, raw)
					bare := bareServer(b, w.Body.Bytes())
					b.ReportAllocs()
					b.SetBytes(int64(w.Body.Len()))
					var ours, theirs time.Duration
					run := func(url string, n int) time.Duration {
						average, late := pump(b, url, row.connections, n, row.request)
						if row.name == "reads during updates" {
							return late * time.Duration(n)
						}
						return average * time.Duration(n)
					}
					b.ResetTimer()
					// Alternate between the two, so that a change of the machine's load affects both.
					for done := 0; done < b.N; {
						n := min(b.N-done, max(1, b.N/10))
						ours += run(url, n)
						b.StopTimer()
						theirs += run(bare.URL, n)
						b.StartTimer()
						done += n
					}
					b.ReportMetric(float64(theirs)/float64(ours), "ratio")
				})
			}
		})
	}
}

// BenchmarkStart measures the time from opening a file to the first answer and compares it
// with json.Unmarshal of the file into maps. ratio is the time of json.Unmarshal divided
// by that of the store.
func BenchmarkStart(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			text := benchFlats(n)
			path := writeFile(b, b.TempDir(), "flats.json", text)
			b.SetBytes(int64(len(text)))
			var ours, theirs time.Duration
			for b.Loop() {
				start := time.Now()
				store, err := openStore(path, osDisk{}, nil, quiet)
				if err != nil {
					b.Fatal(err)
				}
				q, err := parseQuery(flatFields, "page[size]=20", "cost")
				if err != nil {
					b.Fatal(err)
				}
				page := store.table.find(newTask(b.Context(), newLock()), store.snapshot(), q, nil)
				if page.total != n {
					b.Fatal(page.total)
				}
				ours += time.Since(start)
				b.StopTimer()
				store.Close()
				store = nil
				runtime.GC()
				start = time.Now()
				var maps []map[string]any
				if err := json.Unmarshal([]byte(readFile(b, path)), &maps); err != nil {
					b.Fatal(err)
				}
				theirs += time.Since(start)
				maps = nil
				runtime.GC()
				b.StartTimer()
			}
			b.ReportMetric(float64(theirs)/float64(ours), "ratio")
		})
	}
}

// BenchmarkDuplicates measures the search for duplicates among flats with 100 postal codes,
// 2000 phone numbers, and ten photos each.
func BenchmarkDuplicates(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 5))
			var flats []string
			for i := range n {
				var photos []string
				for range 10 {
					photos = append(photos, fmt.Sprintf(`{"url":"https://example.org/photos/of/flats/%d.jpg"}`,
						random.IntN(90*n)))
				}
				flats = append(flats, fmt.Sprintf(`{"id":%d,"cost":%d,"area":%d,"currency":"EUR",`+
					`"service_postal_code":"%d","location":"Lyon","phone":"04 %d","photos":[%s]}`,
					i, 200+random.IntN(2000), 10+random.IntN(150), 69000+random.IntN(100), random.IntN(2000),
					strings.Join(photos, ",")))
			}
			s := newService(b, "["+strings.Join(flats, ",")+"]", "[]")
			<-s.store.index.searchable
			for b.Loop() {
				s.store.duplicates.list = ""
				s.store.Duplicates(newTask(b.Context(), newLock()))
			}
		})
	}
}
