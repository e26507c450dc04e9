// Tests of answers on real connections: slow clients, compression, cut answers.

package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"flats/internal/turns"
)

// A list's headers give the number of matches and, for a page, RFC 8288 links
// relative to the list.
func TestListHeaders(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/flats?"+query("filter[cost]=700"), "")
	if got.header.Get("X-Total-Count") != "2" || got.header.Get("Link") != "" {
		t.Errorf("got %v", got.header)
	}
	// The pages that each page links to.
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

// longPage is a page of benchFlats(300) that is worth zipping. Its size leaves a second page, so that it has a Link.
const longPage = "/api/v1/flats?page[size]=299"

// A long list is compressed for clients that accept gzip, with its own entity tag.
func TestGzip(t *testing.T) {
	t.Parallel()
	s := newService(t, benchFlats(300), "[]")
	plain := s.ask("GET", longPage, "")
	if len(plain.body) < 200_000 || plain.header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("the plain list: %d bytes, %v; want at least 200000, with Vary", len(plain.body), plain.header)
	}
	accepting := []string{"gzip", "deflate, GZIP;q=0.5", "br;q=1.0, gzip ; q=1", "gzip;q=0.001"}
	for _, accept := range slices.Repeat(accepting, 3) { // the service uses its compressors again
		got := s.ask("GET", longPage, "", "Accept-Encoding", accept)
		if got.header.Get("Content-Encoding") != "gzip" || len(got.body) > len(plain.body)/2 {
			t.Errorf("%s: %d of %d bytes, %v; want gzip", accept, len(got.body), len(plain.body), got.header)
		}
		if got.header.Get("Etag") == plain.header.Get("Etag") {
			t.Errorf("%s: the tag is that of the plain list", accept)
		}
		for name, want := range map[string]string{"Content-Length": "", "Vary": "Accept-Encoding",
			"Link": plain.header.Get("Link")} {
			if got := got.header.Get(name); got != want {
				t.Errorf("%s: %s is %q; want %q", accept, name, got, want)
			}
		}
		z, err := gzip.NewReader(strings.NewReader(got.body))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(z); err != nil || string(text) != plain.body {
			t.Errorf("%s: the uncompressed body differs from the plain one, %v", accept, err)
		}
		again := s.ask("GET", longPage, "", "Accept-Encoding", accept, "If-None-Match", got.header.Get("Etag"))
		if again.status != 304 || again.body != "" || again.header.Get("Vary") == "" ||
			again.header.Get("Content-Encoding") != "" {
			t.Errorf("%s: with its tag: %d %v; want 304 with Vary alone", accept, again.status, again.header)
		}
		head := s.ask("HEAD", longPage, "", "Accept-Encoding", accept)
		if head.body != "" || !reflect.DeepEqual(head.header, got.header) {
			t.Errorf("HEAD: %v; GET: %v", head.header, got.header)
		}
	}
}

// An answer is sent as it is to clients that do not accept gzip, and if it is short.
func TestNoGzip(t *testing.T) {
	s := newService(t, benchFlats(300), "[]")
	plain := s.ask("GET", longPage, "")
	for _, accept := range []string{"", "br", "gzip;q=0", "gzip; q=0.000", "identity", "gzipped"} {
		got := s.ask("GET", longPage, "", "Accept-Encoding", accept)
		if got.body != plain.body || !reflect.DeepEqual(got.header, plain.header) {
			t.Errorf("%s: %v; want the plain list, %v", accept, got.header, plain.header)
		}
	}
	for size, status := range map[string]int{"9": 200, "0": 400} { // a short list, and an error
		got := s.ask("GET", "/api/v1/flats?page[size]="+size, "", "Accept-Encoding", "gzip")
		if got.status != status || got.header.Get("Content-Encoding") != "" {
			t.Errorf("a page of %s flats: %d %v; want %d, not gzipped", size, got.status, got.header, status)
		}
	}
}

// A long error and the text files of the page are compressed. An error has no entity tag.
func TestGzipOfOthers(t *testing.T) {
	s := newService(t, testFlats, testCodes)
	got := s.ask("GET", "/api/v1/flats?sort="+strings.Repeat("x", worthZipping+1), "",
		"Accept-Encoding", "gzip", "If-None-Match", "*")
	if got.status != 400 || got.header.Get("Content-Encoding") != "gzip" || got.header.Get("Etag") != "" {
		t.Errorf("a long error: %d %v; want 400, gzipped and without a tag", got.status, got.header)
	}
	style := regexp.MustCompile(`assets/[^"]*/style.css`).FindString(s.ask("GET", "/", "").body)
	for _, path := range []string{"/", "/" + style} {
		got := s.ask("HEAD", path, "", "Accept-Encoding", "gzip")
		vary := got.header.Get("Vary")
		if got.header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(vary, "Origin, Accept-Encoding") {
			t.Errorf("%s: %d %v; want gzip, and Vary by the origin and the encoding", path, got.status, got.header)
		}
	}
}

// A large flat is compressed, and If-Match accepts the tag of its compressed form.
func TestGzipOfFlat(t *testing.T) {
	s := newService(t, `[{"id":"large","text":"`+strings.Repeat("x", worthZipping)+`"}]`, "[]")
	withOrigin := s.with(func(c *Config) { c.CORSOrigins = []string{"https://mine.example"} })
	got := withOrigin.ask("GET", "/api/v1/flats/large", "")
	if vary := got.header.Get("Vary"); vary != "Origin, Accept-Encoding" {
		t.Errorf("with another origin allowed, Vary is %q; want Origin, Accept-Encoding", vary)
	}
	tag := s.ask("HEAD", "/api/v1/flats/large", "", "Accept-Encoding", "gzip").header.Get("Etag")
	if !strings.HasSuffix(tag, `-gzip"`) {
		t.Errorf("the tag is %s; want the suffix -gzip", tag)
	}
	for _, status := range []int{200, 412} { // the first update changes the tag
		got := s.ask("PATCH", "/api/v1/flat/large", `{"notes":"read"}`, "If-Match", tag)
		if got.status != status {
			t.Errorf("If-Match: %s: %d; want %d", tag, got.status, status)
		}
	}
}

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
		case 0: // the whole list
		case 1: // a flat, or 404: there are 2000
			target += "/" + strconv.Itoa(random.IntN(2100)) + "@bench"
		case 2:
			method, target, body = "POST", "/api/v1/search?page[size]="+strconv.Itoa(1+random.IntN(400)),
				`{"query":"w`+strconv.Itoa(random.IntN(9))+`*"}`
		case 3:
			method, target = "HEAD", target+"?page[size]=100"
		case 4: // 400, and short lists
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
		const (
			unread = 64 << 10 // bytes that the connection holds: less than the whole list, so that the server waits
			chunk  = 16 << 10 // bytes of one read
			pause  = 100 * time.Microsecond
			slow   = 12 // requests; all of them would take long
		)
		c := dial(t, url)
		c.(*net.TCPConn).SetReadBuffer(unread)
		r := bufio.NewReaderSize(readerFunc(func(b []byte) (int, error) {
			time.Sleep(pause)
			return c.Read(b)
		}), chunk)
		for i := range slow {
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
			time.Sleep(20 * time.Millisecond) // the server reads the first part alone
			io.WriteString(c, request[size:])
			check(t, 0, r)
		}
	})
	t.Run("disconnected", func(t *testing.T) {
		const mostRead = 100_000 // bytes; the whole list has more
		for range 50 {
			c := dial(t, url)
			io.WriteString(c, "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n")
			io.CopyN(io.Discard, c, int64(random.IntN(mostRead)))
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
	const part = 64 << 10               // bytes that the client reads at once
	const pause = 40 * time.Millisecond // after each part: the list has 62 of them, which takes 2.5 s
	c.(*net.TCPConn).SetReadBuffer(part)
	r := bufio.NewReaderSize(c, part)
	io.WriteString(c, "GET /api/v1/flats HTTP/1.1\r\nHost: localhost\r\n\r\n")
	start := time.Now()
	got, err := http.ReadResponse(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = io.CopyN(io.Discard, got.Body, part)
		time.Sleep(pause)
	}
	if took := time.Since(start); err != io.EOF || took < 2*patience {
		t.Fatalf("the list was read in %v, %v; want at least %v, EOF", took, err, 2*patience)
	}
	const body = `{"query":"title:w1"}`
	for range 2 { // other requests on the connection
		fmt.Fprintf(c, "POST /api/v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		if got, err = http.ReadResponse(r, nil); err != nil || got.StatusCode != 200 {
			t.Fatal(got, err)
		}
		io.Copy(io.Discard, got.Body)
	}
	// An answer may also take longer than patience to begin: it waits for the lock of the order by area.
	sorting := s.store.table.sorting[flatFields.byName["area"]]
	<-sorting // locks it
	time.AfterFunc(2*patience, sorting.Release)
	io.WriteString(c, "GET /api/v1/flats?sort=-area&page[size]=1 HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if got, err = http.ReadResponse(r, nil); err != nil || got.StatusCode != 200 {
		t.Fatal(got, err)
	}
	io.Copy(io.Discard, got.Body)
	// A client may also take longer than patience to send an import: here four times as long.
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
	long(t)
	t.Parallel()
	s := newService(t, benchFlats(6000), "[]")
	handler := s.Handler
	url := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// From the first write on, no other task gets a turn.
		handler.ServeHTTP(&firstWriter{w, sync.OnceFunc(func() { takeTurn(t, s.store.turns) })}, r)
	}))
	s.ask("GET", "/api/v1/flats?page[size]=1", "") // sorts the flats
	for _, header := range []string{
		"GET /api/v1/find?format=csv HTTP/1.1",
		"GET /api/v1/flats HTTP/1.1\r\nAccept-Encoding: gzip",
		"GET /api/v1/find?format=csv HTTP/1.1\r\nAccept-Encoding: gzip",
		"GET /api/v1/find?fields=text,details,notes HTTP/1.1",
	} {
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
		s.store.turns.Release()
	}
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
	const numbers = 100_000 // in the body, so that it has several chunks, also when it is gzipped
	const leastWrites = 4
	work := turns.NewTask(t.Context(), turns.NewQueue())
	work.Spend(time.Hour) // so long that the task takes turns from now on
	work.Resume()
	writes := 0
	client := writerFunc(func(b []byte) (int, error) {
		if writes++; work.HasTurn() {
			t.Error("the task keeps its turn while a part is written")
		}
		return len(b), nil
	})
	for _, encoding := range []string{"", "gzip"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		send(&pacedWriter{client, work}, r, 200, typeCSV, "", unknownLength, func(out *bufio.Writer) {
			if !work.HasTurn() {
				t.Error("the answer is produced outside a turn")
			}
			for i := range numbers {
				fmt.Fprint(out, i*7919) // a product with a prime, so that gzip leaves much of it
			}
		})
		if !work.HasTurn() {
			t.Errorf("%q: the task has no turn after the answer", encoding)
		}
		if writes < leastWrites {
			t.Errorf("%q: %d writes; want at least %d", encoding, writes, leastWrites)
		}
	}
}

// A long list of chosen fields is made while it is sent: at the first write, hardly any of
// it takes memory.
func TestListWhileSent(t *testing.T) {
	long(t)
	s := newService(t, benchFlats(5000), "[]")
	<-s.store.index.searchable
	for _, c := range []struct{ target, accept string }{
		{"/api/v1/find?fields=text,notes", ""},
		{"/api/v1/find?fields=text,notes&page[size]=4900", ""},
		{"/api/v1/find?fields=text,notes", "gzip"},
		{"/api/v1/find?format=csv", ""},
		{"/api/v1/find?format=csv&fields=text", "gzip"},
	} {
		list := s.ask("GET", c.target, "")
		if list.header.Get("Content-Length") != "" {
			t.Errorf("%s has a Content-Length", c.target)
		}
		var before, after runtime.MemStats
		w := httptest.NewRecorder()
		first := sync.OnceFunc(func() { runtime.ReadMemStats(&after) })
		r := httptest.NewRequest("GET", "http://flats.example"+c.target, nil)
		r.Header.Set("Accept-Encoding", c.accept)
		runtime.ReadMemStats(&before)
		s.ServeHTTP(&firstWriter{w, first}, r)
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > uint64(len(list.body))/2 {
			t.Errorf("%s %s: %d bytes allocated before the first write of %d", c.target, c.accept, allocated,
				len(list.body))
		}
	}
}

// A request ends when its client has left, also before the first chunk of its answer is made.
func TestClientLeaves(t *testing.T) {
	s := newService(t, manyFlats(10_000, `"cost":1`), "[]")
	for _, query := range []string{"fields=id", "format=csv&fields=id"} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		find := func(work *turns.Task, q *Query) (Page[Flat], error) {
			page, err := s.store.Find(work, q)
			work.Spend(time.Hour) // at its next step, the task waits for another turn, or ends
			cancel()              // the client leaves
			return page, err
		}
		written := 0
		w := writerFunc(func(b []byte) (int, error) {
			written += len(b)
			return len(b), nil
		})
		r := httptest.NewRequest("GET", "/api/v1/find?"+query, nil).WithContext(ctx)
		srv := &server{config: s.config, store: s.store}
		if !endsEarly(func() { answerList(srv, w, r, s.store.table.fields, "cost", find, (*Flat).JSON) }) || written > 0 {
			t.Errorf("%s: %d bytes are made for a client that has left", query, written)
		}
	}
}

// POST /api/v1/read answers with the members of a listing, and stores nothing.
func TestRead(t *testing.T) {
	s := newService(t, "[]", testCodes)
	for _, c := range []struct{ body, want string }{
		{`{"text":"Two rooms in Lyon\n900 € CC\n45 m²"}`, `{"data":{"area":45,"cost":900,"currency":"EUR",` +
			`"location":"Lyon","rooms":2,"text":"900 € CC\n45 m²","title":"Two rooms in Lyon","utilities":"included"},` +
			`"unsure":["location"]}`},
		{`{"text":"12.500 kr.","link":"https://www.example.dk/7"}`, `{"data":{"cost":12500,"currency":"DKK"},` +
			`"unsure":["cost","currency"]}`},
		{`{"text":"Rent: Rs 25,000"}`, `{"data":{"cost":25000,"currency":"INR"},"unsure":["currency"]}`},
		{`{"text":"Rent: 900\nDeposit: $900"}`, `{"data":{"cost":900,"currency":"USD","deposit":900,` +
			`"details":{"deposit":"$900"},"text":"Rent: 900\nDeposit: $900"},"unsure":["currency"]}`},
		{`{"text":"https://www.example.org/loft-7?utm_source=a"}`, `{"data":{"title":"example.org loft 7",` +
			`"urls":["https://www.example.org/loft-7"]},"unsure":["title"]}`},
		{`{"text":"See this:\nLoft in Kassel https://example.org/7 – nice","shared":true}`,
			`{"data":{"location":"Kassel",` +
				`"text":"See this:","title":"Loft in Kassel – nice","urls":["https://example.org/7"]},` +
				`"unsure":["location"]}`},
		{`{"text":"x","shared":null,"link":null,"more":1}`, `{"data":{"text":"x"},"unsure":[]}`},
	} {
		s.want(s.ask("POST", "/api/v1/read", c.body), 200, c.want)
	}
	for body, want := range map[string]string{
		`{}`:                            "text: must not be empty",
		`{"text":" "}`:                  "text: must not be empty",
		`{"text":7}`:                    "text: want a string or null, got 7",
		`{"text":"x","shared":"yes"}`:   `shared: want true or false, got "yes"`,
		`{"text":7,"link":8,"title":9}`: "link: want a string or null, got 8",
	} {
		for range 10 { // the same error each time
			s.refuse(s.ask("POST", "/api/v1/read", body), 400, "Invalid text provided: "+want+".")
		}
	}
	s.refuse(s.ask("POST", "/api/v1/read", `{"text":"`+strings.Repeat("a", maxBody)+`"}`), 413,
		fmt.Sprintf("The body is larger than %d bytes.", maxBody))
	s.want(s.ask("OPTIONS", "/api/v1/read", ""), 200, "{}")
	if n := s.store.snapshot().size; n != 0 {
		t.Errorf("reading stored %d flats", n)
	}
}

// POST /api/v1/read names the flat that an import would know by the link, the one that is not a duplicate if there is
// one.
func TestReadKnown(t *testing.T) {
	s := newService(t, "[]", testCodes)
	s.ask("POST", "/api/v1/import", `[{"id":7,"status":"duplicate",
		"urls":["https://www.example.org/","https://example.org/7"]},
		{"id":"8@s","urls":["https://www.example.org/8"]},{"id":"9@s","urls":["https://m.example.org/7/"]},
		{"id":"10@s","urls":["https://example.org/10"]}]`)
	s.ask("PATCH", "/api/v1/flat/10@s", `{"urls":["https://example.org/mine"]}`)
	for link, known := range map[string]string{ // the end of the answer
		"https://www.example.org":                                       `,"known":"7"`,
		"http://example.org/7?utm_source=a":                             `,"known":"9@s"`, // 7 is a duplicate
		"https://example.org/70":                                        "",
		"https://example.org/10":                                        `,"known":"10@s"`, // in the listing
		"https://example.org/mine":                                      `,"known":"10@s"`, // by the user
		"https://click.mailer.example/?u=https%3A%2F%2Fexample.org%2F8": `,"known":"8@s"`,
	} {
		for _, body := range []string{`{"text":"` + link + `"}`, `{"link":"` + link + `"}`} {
			got := s.ask("POST", "/api/v1/read", body)
			if _, found, _ := strings.Cut(got.body, `"unsure":["title"]`); found != known+"}" {
				t.Errorf("%s: %s; want %s}", body, got.body, known)
			}
		}
	}
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
