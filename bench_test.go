// Benchmarks: ratios to what the standard library does alone, memory, and the costliest requests.

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flats/internal/turns"
)

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
		if string(line) == "\r\n" { // the end of the header
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
			<-store.index.searchable
			store.links.update(store.snapshot()) // else the background would do it during the first rows
			config := &Config{Addr: "127.0.0.1:0", WebsiteURL: "http://localhost/"}
			handler := testProgram(b, config, store, quiet).handler
			url := listen(b, handler)
			var updates atomic.Int64
			update := func(int) []byte {
				i := int(updates.Add(1))
				return send("PATCH", fmt.Sprintf("flat/%d@bench", mixed(i, n)),
					fmt.Sprintf(`{"status":"s%d","notes":"note %d"}`, i%3, i))
			}
			read := get("flats?" + page)(0)
			readOrUpdate := func(i int) []byte { // nine of ten are reads
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
				{"near the end", 16, get(fmt.Sprintf("flats?%s&page%%5Bnumber%%5D=%d", page, n/20-2))}, // 20 flats a page
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
				{"reads during updates", 16, readOrUpdate}, // the 99th percentile of the reads
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
				page := store.table.find(turns.NewTask(b.Context(), turns.NewQueue()), store.snapshot(), q, nil)
				if page.total != n {
					b.Fatal(page.total)
				}
				ours += time.Since(start)
				b.StopTimer()
				store.Close()
				store = nil
				runtime.GC()
				start = time.Now()
				var decoded []map[string]any
				if err := json.Unmarshal([]byte(readFile(b, path)), &decoded); err != nil {
					b.Fatal(err)
				}
				theirs += time.Since(start)
				decoded = nil
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
				s.store.Duplicates(turns.NewTask(b.Context(), turns.NewQueue()))
			}
		})
	}
}

// benchProgram starts the program with n flats and, if codes is not 0, as many postal codes.
func benchProgram(b *testing.B, n, codes int) *process {
	dir := b.TempDir()
	writeFile(b, dir, "flats.json", benchFlats(n))
	if codes > 0 {
		list := make([]string, codes)
		for i := range list {
			list[i] = fmt.Sprintf(`{"postal_code":"%05d","name":"Town number %d","lat":48.%04d,"lng":2.%04d,"area":"FR-%02d"}`,
				i, i, i%9999, i%9973, i%90)
		}
		writeFile(b, dir, "codes.json", "["+strings.Join(list, ",\n")+"]")
		writeFile(b, dir, "config.json", `{"postal_codes":["codes.json"],"constraints":{"c":{}}}`)
	}
	return start(b, dir)
}

// benchUpdate returns an update of one of n flats.
func benchUpdate(i, n int) ask {
	return ask{method: "PATCH", target: fmt.Sprintf("/api/v1/flat/%d@bench", mixed(i, n)),
		body: fmt.Sprintf(`{"status":"s%d","notes":"note %d"}`, i%3, i)}
}

// BenchmarkMemory measures the memory that the program takes at most while four clients send requests
// such as those of BenchmarkAPI, some for all flats.
//
//	go test -run '^$' -bench Memory -benchtime 1x .
func BenchmarkMemory(b *testing.B) {
	for _, row := range []struct{ flats, codes int }{{5000, 0}, {5000, 51_000}, {100_000, 0}} {
		b.Run(fmt.Sprintf("%d_flats_%d_codes", row.flats, row.codes), func(b *testing.B) {
			for b.Loop() {
				p := benchProgram(b, row.flats, row.codes)
				var group sync.WaitGroup
				for client := range 4 {
					group.Go(func() {
						for _, target := range []string{"flats?page%5Bsize%5D=20", "flats?sort=-area,title", "flats",
							"find?min%5Bcost%5D=300&any%5Bstatus%5D=new&counts=status", "find?q=w77", "duplicates", "flats"} {
							p.mustAsk(ask{method: "GET", target: "/api/v1/" + target})
						}
						for i := range 50 {
							p.mustAsk(benchUpdate(50*client+i, row.flats))
						}
					})
				}
				group.Wait()
				b.ReportMetric(float64(p.peak())/1e6, "MB")
				b.ReportMetric(0, "ns/op")
				p.stop()
			}
		})
	}
}

// BenchmarkCostly measures the costliest requests to a program with 100,000 flats, and how long the
// reads and the updates of another client take meanwhile.
//
//	go test -run '^$' -bench Costly -benchtime 1x .
func BenchmarkCostly(b *testing.B) {
	const n = 100_000
	listings := strings.ReplaceAll(benchFlats(n/2), "@bench", "@other")
	words := frequentWords(benchFlats(100))
	p := benchProgram(b, n, 0) // last, because the first request is measured while the program makes its index
	get := func(target string) ask { return ask{method: "GET", target: "/api/v1/" + target} }
	list := get("flats")
	list.header = []string{"Accept-Encoding", "gzip"}
	const page = "&page%5Bsize%5D=20"
	for _, row := range []struct {
		name    string
		clients int
		request ask
	}{
		{"word in one field, at start", 1, get("find?q=text:" + words[0] + page)},
		{"word in one field", 1, get("find?q=text:" + words[0] + page)},
		{"phrase of frequent words", 1, get("find?q=%22" + words[0] + "+" + words[1] + "%22" + page)},
		{"sort by two texts", 1, get("flats?sort=title,location" + page)},
		{"duplicates", 1, get("duplicates")},
		{"four whole lists, gzipped", 4, list},
		{"import of 50000", 1, ask{method: "POST", target: "/api/v1/import", body: listings}},
	} {
		b.Run(row.name, func(b *testing.B) {
			p.TB = b
			stop, others := make(chan bool), sync.WaitGroup{}
			var reads, updates []time.Duration
			others.Go(func() { reads, updates = p.askOften(n, stop) })
			for b.Loop() {
				var group sync.WaitGroup
				for range row.clients {
					group.Go(func() { p.mustAsk(row.request) })
				}
				group.Wait()
			}
			close(stop)
			others.Wait()
			slices.Sort(reads)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			b.ReportMetric(ms(reads[len(reads)/2]), "ms-read-median")
			b.ReportMetric(ms(reads[len(reads)-1]), "ms-read-most")
			b.ReportMetric(ms(slices.Max(updates)), "ms-update-most")
		})
	}
}

// frequentWords returns the words of a text, the most frequent first.
func frequentWords(text string) []string {
	counts := map[string]int{}
	for _, word := range regexp.MustCompile(`\b[a-z]+\b`).FindAllString(text, -1) {
		counts[word]++
	}
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] })
}

// askOften sends reads of a page, and updates of one of n flats, until it is stopped, and returns how
// long they took.
func (p *process) askOften(n int, stop <-chan bool) (reads, updates []time.Duration) {
	read := ask{method: "GET", target: "/api/v1/flats?page%5Bsize%5D=20"}
	for i := 0; ; i++ {
		for _, a := range []ask{read, benchUpdate(i, n)} {
			sent := time.Now()
			p.mustAsk(a)
			if a.method == "GET" {
				reads = append(reads, time.Since(sent))
			} else {
				updates = append(updates, time.Since(sent))
			}
		}
		select {
		case <-stop:
			return reads, updates
		case <-time.After(10 * time.Millisecond):
		}
	}
}
