// Browsers with other engines than Chromium's: WebKitGTK and Firefox.

package web

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An engine is a running browser that takes the commands of WebDriver.
type engine struct {
	t  testing.TB
	do func(command string, params object) (any, error)
}

// engines has a function for each engine, by its name, that starts the engine for a test.
var engines = map[string]func(t *testing.T) *engine{"WebKit": openWebKit, "Firefox": openFirefox}

// needTool returns the path of a program. name may also be a pattern of its path, such as "/usr/lib/*/driver". Without
// the program the test is skipped, or fails if CI is set.
func needTool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		return path
	}
	if found, _ := filepath.Glob(name); len(found) > 0 {
		return found[0]
	}
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skip(err)
	return ""
}

// startTool starts a program until the test ends.
func startTool(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// engineEnv is the environment of an engine: its time zone is that of Chromium's tabs, its language American English.
func engineEnv(more ...string) []string {
	return append(os.Environ(), append(more, "TZ="+browserZone, "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "LANGUAGE=")...)
}

// openWebKit starts WebKitGTK's MiniBrowser on a display of its own.
func openWebKit(t *testing.T) *engine {
	t.Helper()
	driver, display := needTool(t, "WebKitWebDriver"), needTool(t, "Xvfb")
	browser := needTool(t, "/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	screen := exec.Command(display, "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	number, err := screen.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	startTool(t, screen)
	line, err := bufio.NewReader(number).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	cmd := exec.Command(driver, "--port="+port)
	cmd.Env = engineEnv("DISPLAY=:"+strings.TrimSpace(line), "GDK_BACKEND=x11", "HOME="+browserDir(t),
		"WEBKIT_DISABLE_COMPOSITING_MODE=1") // compositing is for a graphics card, and slow on a processor
	startTool(t, cmd)

	session := "http://127.0.0.1:" + port + "/session"
	options := object{"binary": browser, "args": []string{"--automation"}}
	capabilities := object{"alwaysMatch": object{"webkitgtk:browserOptions": options}}
	var got any
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		got, err = post(session, object{"capabilities": capabilities})
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	session += "/" + fmt.Sprint(got.(object)["sessionId"])
	t.Cleanup(func() {
		if request, err := http.NewRequest("DELETE", session, nil); err == nil {
			if answer, err := http.DefaultClient.Do(request); err == nil {
				answer.Body.Close()
			}
		}
	})
	return &engine{t, func(command string, params object) (any, error) {
		paths := map[string]string{
			"Navigate":           "/url",
			"ExecuteAsyncScript": "/execute/async",
			"PerformActions":     "/actions",
			"SetWindowRect":      "/window/rect",
			"SetTimeouts":        "/timeouts",
		}
		return post(session+paths[command], params)
	}}
}

// freePort returns a port of the loopback address on which nothing listens.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// post sends a command of WebDriver and returns its value.
func post(url string, params object) (any, error) {
	answer, err := http.Post(url, "application/json", strings.NewReader(encode(params)))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var got struct{ Value any }
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%v", got.Value)
	}
	return got.Value, nil
}

// openFirefox starts Firefox and talks to it by Marionette, its own protocol, which has the commands of WebDriver: a
// message is the length of its JSON, a colon, and [0, number, command, parameters] or [1, number, error, result].
func openFirefox(t *testing.T) *engine {
	t.Helper()
	path := needTool(t, "firefox-esr")
	profile, err := os.MkdirTemp("", "flats-firefox") // not t.TempDir: Firefox may still write when the test ends
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(profile) })
	writeFile(t, filepath.Join(profile, "user.js"), `
		user_pref("marionette.port", 0);
		user_pref("intl.accept_languages", "en-US");
		user_pref("app.update.disabledForTesting", true);
		user_pref("browser.newtabpage.enabled", false);
		user_pref("browser.startup.page", 0);
		user_pref("dom.ipc.processPrelaunch.enabled", false);
		user_pref("layout.frame_rate", 10);
		user_pref("datareporting.policy.dataSubmissionEnabled", false);
		user_pref("network.captive-portal-service.enabled", false);
		user_pref("network.connectivity-service.enabled", false);
		user_pref("services.settings.server", "data:,");
		user_pref("toolkit.telemetry.server", "data:,");`)
	cmd := exec.Command(path, "--headless", "--marionette", "--no-remote", "--profile", profile)
	cmd.Env = engineEnv("HOME=" + profile)
	startTool(t, cmd)
	var port []byte
	for end := time.Now().Add(patience); len(port) == 0; time.Sleep(50 * time.Millisecond) {
		port, err = os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if time.Now().After(end) {
			t.Fatal("Firefox does not listen: ", err)
		}
	}
	connection, err := net.Dial("tcp", "127.0.0.1:"+string(bytes.TrimSpace(port)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	r := bufio.NewReader(connection)
	if _, err := readMarionette(r); err != nil { // its greeting
		t.Fatal(err)
	}
	number := 0
	e := &engine{t, func(command string, params object) (any, error) {
		number++
		text := encode([]any{0, number, "WebDriver:" + command, params})
		if _, err := fmt.Fprintf(connection, "%d:%s", len(text), text); err != nil {
			return nil, err
		}
		return readMarionette(r)
	}}
	if _, err := e.do("NewSession", object{}); err != nil {
		t.Fatal(err)
	}
	return e
}

// readMarionette reads a message and returns the value of the result.
func readMarionette(r *bufio.Reader) (any, error) {
	length, err := r.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, err
	}
	var message []any
	if err := json.Unmarshal(text, &message); err != nil || len(message) != 4 {
		return nil, nil // the greeting is an object
	}
	if message[2] != nil {
		return nil, errors.New(encode(message[2]))
	}
	result, _ := message[3].(object)
	return result["value"], nil
}

// open opens an address in a window of a width in pixels, and watches for errors from then on.
func (e *engine) open(url string, width int) {
	e.t.Helper()
	for _, command := range []struct {
		name   string
		params object
	}{
		{"SetTimeouts", object{"script": patience.Milliseconds()}},
		{"SetWindowRect", object{"width": width, "height": 900}},
		{"Navigate", object{"url": url}},
	} {
		if _, err := e.do(command.name, command.params); err != nil {
			e.t.Fatal(command.name, ": ", err)
		}
	}
	e.eval(`window.faults = [],
		addEventListener("error", ({message}) => message && faults.push(message)),
		addEventListener("unhandledrejection", ({reason}) => faults.push(String(reason))),
		addEventListener("securitypolicyviolation", ({blockedURI}) => faults.push("policy: " + blockedURI)), 0`)
}

// try does what the method of a tab does.
func (e *engine) try(expression string) (value any, exception string) {
	e.t.Helper()
	script := `const done = arguments[arguments.length - 1];
		(async () => ` + "(" + expression + "\n))()" + `
			.then(value => done([value ?? null, ""]), error => done([null, String(error)]))`
	got, err := e.do("ExecuteAsyncScript", object{"script": script, "args": []any{}})
	if err != nil {
		return nil, err.Error()
	}
	pair, ok := got.([]any)
	if !ok || len(pair) != 2 {
		return nil, fmt.Sprintf("no value: %v", got) // the page has navigated meanwhile
	}
	return pair[0], fmt.Sprint(pair[1])
}

// eval does what the method of a tab does.
func (e *engine) eval(expression string) any {
	e.t.Helper()
	value, exception := e.try(expression)
	if exception != "" {
		e.t.Fatalf("%s: %s", expression, exception)
	}
	return value
}

// press presses a key.
func (e *engine) press(key string) {
	e.t.Helper()
	events := []object{{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}}
	keyboard := object{"type": "key", "id": "keyboard", "actions": events}
	if _, err := e.do("PerformActions", object{"actions": []object{keyboard}}); err != nil {
		e.t.Fatal(err)
	}
}

// checkFaults does what the method of a tab does.
func (e *engine) checkFaults() {
	e.t.Helper()
	if got := e.eval("faults.join()"); got != "" {
		e.t.Errorf("faults: %v", got)
	}
}
