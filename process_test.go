// The test binary as the program.

package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain runs main instead of the tests if FLATS_TEST_PROGRAM is set, so that tests can
// start the test binary as the program.
func TestMain(m *testing.M) {
	if os.Getenv("FLATS_TEST_PROGRAM") != "" {
		main()
		os.Exit(0)
	}
	flag.Parse()
	given := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if !given["test.parallel"] {
		flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))) // many tests mostly wait
	}
	if !given["test.bench"] && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // tests hold little, and collecting garbage took a sixth of their time
	}
	os.Exit(m.Run())
}

// A process is a running process of the program, in its own folder.
type process struct {
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
func start(t testing.TB, dir string, args ...string) *process {
	t.Helper()
	p := &process{TB: t, Cmd: command(dir, append([]string{"-addr", "127.0.0.1:0"}, args...)...),
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
func (p *process) await(what string, done func() bool) {
	p.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.Fatalf("timed out waiting for %s; the log is\n%s", what, p.stderr)
		}
	}
}

// stop terminates the program as a service manager does, and checks that it exits
// without an error.
func (p *process) stop() {
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
func (p *process) do(method, path, body string) (int, string) {
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

// An ask is a request. header alternates names and values.
type ask struct {
	method, target, body string
	header               []string
}

// plainTransport does not ask for gzip.
var plainTransport = &http.Transport{DisableCompression: true}

// mustAsk sends a request to the program, which must answer it with 200.
func (p *process) mustAsk(a ask) {
	r, err := http.NewRequest(a.method, p.url+a.target, strings.NewReader(a.body))
	if err != nil {
		p.Fatal(err)
	}
	for i := 0; i < len(a.header); i += 2 {
		r.Header.Add(a.header[i], a.header[i+1])
	}
	got, err := plainTransport.RoundTrip(r)
	if err != nil {
		p.Error(err)
		return
	}
	defer got.Body.Close()
	if text, err := io.ReadAll(got.Body); err != nil || got.StatusCode != 200 {
		p.Errorf("%s %s: %d %.300s, %v", a.method, a.target, got.StatusCode, text, err)
	}
}

// peak returns the most bytes of memory that the program has taken.
func (p *process) peak() (bytes int) {
	_, peak, _ := strings.Cut(readFile(p.TB, fmt.Sprintf("/proc/%d/status", p.Process.Pid)), "VmHWM:")
	fmt.Sscan(peak, &bytes)
	return bytes << 10
}
