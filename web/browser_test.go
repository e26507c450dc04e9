// Chromium and its DevTools protocol.

package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// A browser is a running Chromium. It reads commands from its file descriptor 3
// and writes answers to 4, as JSON objects that each end in a zero byte.
type browser struct {
	to io.Writer

	mu      sync.Mutex
	lastID  int                            // of a command
	waiting map[int]chan<- devtoolsReply   // of the calls that wait for an answer, by the ID of their command
	events  map[string]func(devtoolsReply) // handlers by session, called in goroutines of their own
	err     error                          // the reason why there are no more answers
}

// An object is a JSON object.
type object = map[string]any

// A devtoolsReply is an answer to the command with its ID, or an event of a
// session, which has no ID.
type devtoolsReply struct {
	ID        int
	Method    string
	SessionId string
	Params    struct {
		RequestId     string
		Registrations []struct{ RegistrationId, ScopeURL string }
	}
	Result json.RawMessage
	Error  *struct{ Message string }
}

// chromium is the browser that all tests share, which openBrowser starts. missing says why there is none; stop ends
// the browser.
var chromium = struct {
	sync.Once
	*browser
	missing string
	stop    func()
}{stop: func() {}}

// browserZone is the time zone of the browser.
const browserZone = "Europe/Paris"

// browserNow returns the time in the time zone of the browser.
func browserNow() time.Time {
	zone, err := time.LoadLocation(browserZone)
	if err != nil {
		panic(err)
	}
	return time.Now().In(zone)
}

// openBrowser returns the browser that all tests share, and starts it the first
// time. Without Chromium the test is skipped, or fails if CI is set.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	chromium.Do(func() {
		profile, err := os.MkdirTemp("", "flats-browser")
		if err == nil {
			chromium.stop = func() { os.RemoveAll(profile) }
			var stop func()
			if chromium.browser, stop, err = startBrowser(profile); err == nil {
				chromium.stop = func() {
					stop()
					os.RemoveAll(profile)
				}
			}
		}
		if err != nil {
			chromium.missing = err.Error()
		}
	})
	switch {
	case chromium.missing == "":
	case os.Getenv("CI") != "":
		t.Fatal(chromium.missing)
	default:
		t.Skip(chromium.missing)
	}
	return chromium.browser
}

// browserDir returns a new folder of a browser, which is removed after the test. The processes of a killed browser
// still write for a moment, so that t.TempDir would fail.
func browserDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "flats-browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 100 {
			if os.RemoveAll(dir) == nil {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	return dir
}

// findChromium returns the path of Chromium.
func findChromium() (string, error) {
	// The headless shell takes the least processor time.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium")
}

// startBrowser starts Chromium with the folder of a profile. stop ends it.
func startBrowser(profile string) (b *browser, stop func(), err error) {
	path, err := findChromium()
	if err != nil {
		return nil, nil, err
	}
	in, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	from, out, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	args := []string{
		"--headless=new",
		"--remote-debugging-pipe",
		"--user-data-dir=" + profile,
		"--disable-gpu",
		"--disable-quic",
		"--no-first-run",
		"--disable-background-networking",
		"--disable-component-update",
		"--disable-sync",
		"--disable-extensions",
		"--disable-component-extensions-with-background-pages",
		"--no-startup-window",
		// Each of these features would start a process; the last two would start one for each window.
		"--disable-features=SpareRendererForSitePerProcess,WebUIOmniboxPopup,WebUIOmniboxAimPopup",
		"--disable-dev-shm-usage",
		"--force-prefers-reduced-motion",
		// Let the browser have a mouse and no touch screen, whatever the machine has. The numbers are Blink's: 4 is a fine
		// pointer, 2 is a pointer that hovers.
		"--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
		"--accept-lang=en-GB",
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.Command(path, args...)
	cmd.ExtraFiles = []*os.File{in, out}
	cmd.Env = append(os.Environ(), "TZ="+browserZone, "LANGUAGE=en")
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	in.Close()
	out.Close()
	stop = func() {
		to.Close()
		cmd.Process.Kill()
		cmd.Wait()
	}
	b = &browser{to: to, waiting: make(map[int]chan<- devtoolsReply), events: make(map[string]func(devtoolsReply))}
	go b.read(from)
	return b, stop, nil
}

// crash ends the browser as if it were killed. It does not kill the process, which may be a script that has started the
// browser.
func (b *browser) crash() { b.end("Browser.crash") }

// quit ends the browser as its user does.
func (b *browser) quit() { b.end("Browser.close") }

// end sends a command that ends the browser, and waits until it has exited.
func (b *browser) end(method string) {
	io.WriteString(b.to, `{"id": 1, "method": "`+method+`"}`+"\x00") // nobody waits for the answer, so any id will do
	for {
		b.mu.Lock()
		hasExited := b.err != nil
		b.mu.Unlock()
		if hasExited {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// read passes answers to the calls that wait for them, and events to their
// handlers, until the browser exits.
func (b *browser) read(from io.Reader) {
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		var answer devtoolsReply
		if err == nil {
			err = json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &answer)
		}
		b.mu.Lock()
		if err != nil {
			b.err = fmt.Errorf("the browser has exited: %w", err)
			for _, waiting := range b.waiting {
				close(waiting)
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		if waiting := b.waiting[answer.ID]; waiting != nil {
			delete(b.waiting, answer.ID)
			waiting <- answer
		} else if act := b.events[answer.SessionId]; act != nil && answer.Method != "" {
			go act(answer)
		}
		b.mu.Unlock()
	}
}

// call sends a command and puts its result into result, which may be nil.
func (b *browser) call(t testing.TB, session, method string, params, result any) {
	t.Helper()
	got := b.ask(t, session, method, params)
	if got.Error != nil {
		t.Fatalf("%s: %s", method, got.Error.Message)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(got.Result, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// ask sends a command and returns the answer, which may be an error.
func (b *browser) ask(t testing.TB, session, method string, params any) devtoolsReply {
	t.Helper()
	answer := make(chan devtoolsReply, 1)
	b.mu.Lock()
	b.lastID++
	id := b.lastID
	text, err := json.Marshal(object{"id": id, "method": method, "params": params, "sessionId": session})
	if session == "" {
		text, err = json.Marshal(object{"id": id, "method": method, "params": params})
	}
	if err == nil {
		err = b.err
	}
	if err == nil {
		b.waiting[id] = answer
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	var got devtoolsReply
	var ok bool
	select {
	case got, ok = <-answer:
		if !ok {
			t.Fatalf("%s: %v", method, b.err)
		}
	case <-time.After(patience):
		t.Fatalf("%s: no answer from the browser", method)
	}
	return got
}
