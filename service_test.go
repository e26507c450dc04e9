// A service in memory for tests, and what all its answers have in common.

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A service is a handler under test.
type service struct {
	testing.TB
	http.Handler
	config   *Config
	store    *Store
	importer *Importer
	access   *access
	guesses  *guesses
	logs     *lockedBuffer
}

// newService starts a service in memory. flats and codes are the contents of the files of
// flats and postal codes.
func newService(t testing.TB, flats, codes string) *service {
	t.Helper()
	s := &service{TB: t, logs: &lockedBuffer{}}
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
	s.use(testProgram(t, s.config, s.store, log))
	return s
}

// with returns a service on the same store with a changed config, which logs every request.
func (s *service) with(change func(*Config)) *service {
	config := *s.config
	config.accessLog = true
	change(&config)
	log := slog.New(slog.NewTextHandler(s.logs, nil))
	changed := &service{TB: s.TB, logs: s.logs}
	changed.use(testProgram(s, &config, s.store, log))
	return changed
}

// sampleService returns a service with the sample, whose settings may be changed, and its OpenAPI description.
// Messages and questions about travel go to a receiver whose answers are empty.
func sampleService(t *testing.T) (*service, object) {
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
	config.Notify, config.Travel = &Notify{url: to}, &Travel{url: to}
	config.sample = false // a sample asks no other service
	s := &service{TB: t, logs: &lockedBuffer{}}
	s.use(testProgram(t, config, store, quiet))
	handler := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = "127.0.0.1:1" // may change settings
		handler.ServeHTTP(w, r)
	})
	got := s.ask("GET", "/api/v1/openapi.json", "")
	var description object
	err = json.Unmarshal([]byte(got.body), &description)
	if err != nil || got.status != 200 || got.header.Get("Content-Type") != "application/json" {
		t.Fatalf("%v, %d %v", err, got.status, got.header)
	}
	return s, description
}

// testProgram returns a program without views. Nothing runs in its background.
func testProgram(t testing.TB, config *Config, store *Store, log *slog.Logger) *program {
	t.Helper()
	p, err := newProgram(config, store, &sideFile{name: "views.json"}, log)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// use lets a program answer.
func (s *service) use(p *program) {
	s.Handler, s.config, s.store, s.importer = p.handler, p.config, p.store, p.importer
	s.access, s.guesses = p.access, p.guesses
}

// quiet is a logger that discards everything.
var quiet = slog.New(slog.DiscardHandler)

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
	separator := "["
	for i := range n {
		fmt.Fprintf(&b, `%s
{"id":"%d@bench","title":"%s w%d","text":"%s","cost":%d,"area":%d,"currency":"EUR","rooms":%d,
	"date":"2026-01-%02dT10:00:00","location":"%s","photos":[{"url":"https://example.org/%d.jpg"}],"status":"%s",
	"service_constraint":"c"}`,
			separator, i, words(6), i, words(150), 200+random.IntN(2000), 10+random.IntN(150), 1+i%5, 1+i%28,
			words(2), i, statuses[random.IntN(10)])
		separator = ","
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
	r.Host, r.RemoteAddr = "flats.example", "127.0.0.1:1234"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got := s.send(r)
	length := got.header.Get("Content-Length")
	isStreamed := strings.Contains(target, "fields=") || strings.HasPrefix(got.header.Get("Content-Type"), "text/csv") ||
		got.header.Get("Content-Encoding") != "" // the length is not known before the end
	hasNoBody := method == "HEAD" || slices.Contains([]int{202, 204, 304, 307}, got.status)
	if length != strconv.Itoa(len(got.body)) && !isStreamed && !hasNoBody {
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
		ids = append(ids, strings.Trim(string(f.ID)+f.Code, `"`)) // one of both is empty
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

// mixed returns each of 0 … n-1 once for an i of 0 … n-1, in a mixed order: 7919 is a prime.
func mixed(i, n int) int { return i * 7919 % n }

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

// heapInUse returns the number of bytes that are in use, without garbage.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
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
	go func() { done <- serve(ctx, smallBuffers{listener}, nil, handler, quiet) }()
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

func (b *lockedBuffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b.Reset()
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// answerOf returns an answer of another service, with a status and headers that could mislead a client.
func answerOf(code int) *http.Response {
	return &http.Response{StatusCode: code, Status: fmt.Sprint(code, " ", http.StatusText(code)), Body: http.NoBody,
		Header: http.Header{"Location": {"https://elsewhere.example/secret"}, "Retry-After": {"7200"}}}
}

// basic returns an Authorization header for Basic authentication.
func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

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

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// pngOf returns what looks like a photo.
func pngOf(text string) string { return "\x89PNG\r\n\x1a\n" + text }

// hashOf returns the SHA-256 of a text in hex.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// referenced resolves a $ref; it returns any other value unchanged.
func referenced(description object, value any) any {
	if ref, ok := member(value, "$ref").(string); ok {
		return member(description, strings.Split(ref, "/")[1:]...)
	}
	return value
}

// endsEarly calls f, and reports whether a task in it ends early, as if its client had gone.
func endsEarly(f func()) (endsEarly bool) {
	defer func() {
		switch what := recover(); what {
		case nil:
		case http.ErrAbortHandler: // a task ends with this panic
			endsEarly = true
		default:
			panic(what)
		}
	}()
	f()
	return false
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

// listed returns the flats of a store as the API shows them.
func listed(s *Store) (flats []string) {
	for _, f := range s.snapshot().all() {
		flats = append(flats, f.JSON())
	}
	return flats
}
