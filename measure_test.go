// What a request costs the program at most, measured.

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

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

	held    bool // the clients read no more than the first byte of an answer
	crowded bool // many send the same request at once
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

// shared returns the bound with what others feel of its requests: how long they wait, and how much
// memory there is when many ask at once.
func (b bound) shared() bound {
	b.crowded = true
	return b
}

// An ask is a request of a bound.
type ask struct {
	method, target, body string
	header               []string
	status               int // the expected one, 0 for any that is no failure of the service
}

// An idleService is what the bounds that start with the same files share.
type idleService struct {
	program *process // gets what is past the bounds, nil if nothing is
	once    sync.Once
	cost    cost // of the files alone
}

// grows measures the input at its bound and at half of it, and checks how the cost grows.
func (b bound) grows(t *testing.T, built counted, none cost) {
	n := b.most / b.of
	half, all := b.measure(t, built, n/2).less(none), b.measure(t, built, n).less(none)
	t.Logf("%s %s, bounded by %s: %d M and then %d M steps, %d and then %d MB allocated, at most %d MB of memory; "+
		"at most %d k steps at once in %s", b.route, b.part, b.by, half.steps>>20, all.steps>>20, half.allocated>>20,
		all.allocated>>20, all.peak>>20, all.stretch>>10, all.stretched.target)
	const slack = 1 << 20 // of what is not about the input
	if all.steps > half.steps*22/10+slack {
		t.Errorf("twice the input takes %d steps instead of %d, most of them more in %s",
			all.steps, half.steps, built.steepest(t, half, all))
	}
	if steep := steepRequests(half, all, slack); len(steep) > 0 { // the sum would hide one among many
		// Work in the background of a request may fall into the next one, but not twice.
		again := steepRequests(b.measure(t, built, n/2).less(none), b.measure(t, built, n).less(none), slack)
		for _, i := range steep {
			if asks := b.sends(n); i < len(asks) && slices.Contains(again, i) {
				t.Errorf("twice the input takes %d steps instead of %d in %s %.300s", all.each[i], half.each[i],
					asks[i].target, asks[i].body)
			}
		}
	}
	if all.allocated > half.allocated*22/10+8*slack {
		t.Errorf("twice the input allocates %d bytes instead of %d", all.allocated, half.allocated)
	}
	if all.peak > maxMemory {
		t.Errorf("the service takes %d bytes of memory; want at most %d", all.peak, maxMemory)
	}
	if b.crowded {
		b.crowds(t)
		if all.stretch > maxStretch {
			t.Errorf("%s %s works for %d steps without a look whether others wait; want at most %d",
				all.stretched.method, all.stretched.target, all.stretch, maxStretch)
		}
	}
}

const (
	maxMemory  = 700 << 20 // bytes that a single input may make the service take
	maxStretch = 8 << 20   // steps that a task may take before it looks whether others wait, less than a turn
)

// A cost is what a run of the program took.
type cost struct {
	steps     int    // executed blocks of code
	each      []int  // of each request
	counters  string // the folder of the files that count them
	allocated int    // bytes in all
	peak      int    // bytes of memory
	stretch   int    // the most steps between two looks of tasks at the clock
	stretched ask    // the request that takes them
}

// less returns the cost without that of another run, but the peak as it was.
func (c cost) less(other cost) cost {
	c.steps, c.allocated = max(0, c.steps-other.steps), max(0, c.allocated-other.allocated)
	return c
}

// steepRequests returns the numbers of the requests that take more than twice the steps, and slack, in the second run.
func steepRequests(half, all cost, slack int) (steep []int) {
	if len(half.each) != len(all.each) {
		return nil
	}
	for i := range all.each {
		if all.each[i] > half.each[i]*22/10+slack {
			steep = append(steep, i)
		}
	}
	return steep
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

// reports is the part of the counted program that answers a line of standard input with the number
// of bytes allocated so far, and the most steps between two looks of tasks at the clock since the
// last line. It first lets other goroutines work, of which only one runs at a time, so that the
// index of words is up to date.
const reports = `package reports

import ("bufio"; "fmt"; "os"; "runtime"; "unsafe")

type counterList struct { first *uint32; length uint64 }

//go:linkname counterLists internal/coverage/cfile.getCovCounterList
func counterLists() []counterList

var lists = counterLists()
var last, most int

func Looked() {
	steps := 0
	for _, list := range lists {
		for _, n := range unsafe.Slice(list.first, list.length) {
			steps += int(n)
		}
	}
	last, most = steps, max(most, steps - last)
}

func init() {
	go func() {
		for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
			for range 1000 {
				runtime.Gosched()
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			Looked()
			fmt.Fprintf(os.Stderr, "allocated %d stretch %d steps %d\n", m.TotalAlloc, most, last)
			most = 0
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
	os.Mkdir(filepath.Join(dir, "reports"), 0o700)
	writeFile(t, filepath.Join(dir, "reports"), "reports.go", reports) // its own steps are not counted
	task := strings.Replace(readFile(t, "task.go"), `"net/http"`, `"net/http"; "flats/reports"`, 1)
	for _, look := range []string{"t.steps = 0\n", "t.worked += time.Since(t.began)\n"} {
		if strings.Count(task, look) != 1 {
			t.Fatalf("task.go has no %q", look)
		}
		task = strings.Replace(task, look, look+"reports.Looked()\n", 1)
	}
	writeFile(t, dir, "task.go", task)
	const packages = "flats,bufio,bytes,compress/flate,compress/gzip,encoding/base64,encoding/csv,encoding/json,fmt," +
		"html,io,maps,math/big,mime,net/http,net/textproto,net/url,reflect,regexp,slices,sort,strconv,strings," +
		"text/template,time,unicode,unicode/utf8"
	built := counted{program: filepath.Join(dir, "flats")}
	build := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg="+packages,
		"-ldflags=-checklinkname=0", "-o", built.program, ".")
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
func (b bound) start(t *testing.T, built counted, n int) (p *process, counters string, stdin io.Writer) {
	dir := b.fill(t, n)
	counters = filepath.Join(dir, "counters")
	os.Mkdir(counters, 0o700)
	cmd := exec.Command(built.program, "-addr", "127.0.0.1:0")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOCOVERDIR="+counters, "FLATS_TEST_PROGRAM=", "GOMAXPROCS=1")
	p = &process{TB: t, Cmd: cmd, stderr: &lockedBuffer{}}
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
		_, _, before := p.report(stdin)
		for _, a := range slices.Concat(b.sends(n), readEverything) {
			if got, body := p.sendAsk(a); got >= 500 || got == 0 || a.status != 0 && got != a.status {
				t.Fatalf("%s %.100s with %d bytes: %d %.300s; want %d", a.method, a.target, len(a.body), got, body, a.status)
			}
			allocated, stretch, steps := p.report(stdin)
			c.each = append(c.each, steps-before)
			before = steps
			if stretch > c.stretch {
				c.stretch, c.stretched = stretch, a
			}
			c.allocated = allocated
		}
		c.peak = p.peak()
		p.Process.Signal(syscall.SIGTERM)
		<-exited
	}
	c.steps, c.counters = countedSteps(t, counters), counters
	return c
}

// report returns what the counted program says about its requests since the last report, and its steps so far.
func (p *process) report(stdin io.Writer) (allocated, stretch, steps int) {
	logged := len(p.stderr.String())
	io.WriteString(stdin, "\n")
	p.await("a report", func() bool {
		_, after, _ := strings.Cut(p.stderr.String()[logged:], "allocated ")
		n, _ := fmt.Sscanf(after, "%d stretch %d steps %d\n", &allocated, &stretch, &steps)
		return n == 3
	})
	return allocated, stretch, steps
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
func (p *process) peak() (bytes int) {
	_, peak, _ := strings.Cut(readFile(p.TB, fmt.Sprintf("/proc/%d/status", p.Process.Pid)), "VmHWM:")
	fmt.Sscan(peak, &bytes)
	return bytes << 10
}

// crowds checks that the program takes at most twice as much memory for 10 of the same request at
// once as for one.
func (b bound) crowds(t *testing.T) {
	n := b.most / b.of
	p := start(t, b.fill(t, n))
	for _, a := range b.sends(n) {
		p.sendAsk(a)
	}
	one := p.peak()
	for _, a := range b.sends(n) {
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() { p.sendAsk(a) })
		}
		group.Wait()
		if many := p.peak(); many > 2*one {
			t.Errorf("10 of %s %s at once take %d bytes of memory, and one %d", a.method, a.target, many, one)
		}
	}
	t.Logf("one request at a time takes %d MB of memory, 10 at once %d MB", one>>20, p.peak()>>20)
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
func (b bound) listens(p *process, exited chan error) (listens bool) {
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
func (b bound) refuses(t *testing.T, p *process) {
	asks := b.sends(b.beyond)
	if b.refusal == 413 {
		asks = asks[len(asks)-1:] // its size alone decides
	}
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
func (p *process) sendAsk(a ask) (int, string) {
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
func (p *process) hold(a ask) net.Conn {
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
