// Tests of password.go.

package main

import (
	"bufio"
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestPutPassword tests what setting the password answers, and what it ends.
func TestPutPassword(t *testing.T) {
	v := &visitor{setup: newSetup(t, t.TempDir(), `{"addr":"0.0.0.0:8080","import_token":"i"}`)}
	v.access.rounds = 1
	const path = "/api/v1/password"
	other := []string{"Remote", "192.168.1.5:1"}
	put := func(text, old string) string {
		body, _ := json.Marshal(map[string]string{"password": text, "old": old})
		return string(body)
	}
	// The first one is set by this machine alone.
	v.want(403, "PUT", path, put("first password", ""), other...)
	v.want(403, "PUT", path, put("first password", ""), "X-Forwarded-For", "127.0.0.1")
	v.want(403, "PUT", path, put("first password", ""), "Origin", "https://evil.example")
	wrong := []string{"1234567", "", strings.Repeat("ä", 257), "with\ncontrol", "with\u0085control", "zero\x00zero"}
	for _, text := range wrong {
		v.want(400, "PUT", path, put(text, ""))
	}
	for _, body := range []string{"", "[]", "{}", `{"password":5}`, `{"password":"first password","old":5}`,
		`{"password":"first password","username":"x"}`, "{\"password\":\"first \xff password\"}"} {
		v.want(400, "PUT", path, body)
	}
	if v.cookie != "" || !v.access.isOpen() {
		t.Fatal("a refused password is in force")
	}
	v.want(204, "PUT", path, put("ä€𝄞45678", ""))
	firstCookie := v.cookie
	v.want(200, "GET", "/api/v1/flats", "", other...)
	v.cookie = ""
	v.want(401, "GET", "/api/v1/flats", "")
	v.want(401, "PUT", path, put("second password", "ä€𝄞45678"))
	v.want(401, "PUT", path, put("second password", "ä€𝄞45678"), "Authorization", "Bearer i")
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", "ä€𝄞45678"))
	v.want(401, "GET", "/api/v1/flats", "", "Authorization", basic("you", "ä€𝄞45678"))

	phone := v.another(other...)
	phone.want(204, "POST", sessionPath, `{"password":"ä€𝄞45678"}`)
	for _, text := range wrong {
		phone.want(400, "PUT", path, put(text, "ä€𝄞45678"))
	}
	phone.want(403, "PUT", path, put("second password", ""))
	phone.want(403, "PUT", path, `{"password":"second password"}`)
	phone.want(403, "PUT", path, put("second password", "ä€𝄞4567"))
	phone.want(403, "PUT", path, put("second password", "second password"))
	phone.want(403, "PUT", path, put("second password", "ä€𝄞45678"), "Sec-Fetch-Site", "same-site")
	cookieBefore := phone.cookie
	phone.want(204, "PUT", path, put("second password", "ä€𝄞45678"))
	if phone.cookie == cookieBefore {
		t.Error("the device that has set the password has no new session")
	}
	phone.want(200, "GET", "/api/v1/flats", "")
	for _, cookie := range []string{firstCookie, cookieBefore} {
		v.cookie = cookie
		v.want(401, "GET", "/api/v1/flats", "")
	}
	v.cookie = ""
	v.want(401, "GET", "/api/v1/flats", "", "Authorization", basic("me", "ä€𝄞45678")) // no longer right
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", "second password"))
	// A program that sets it gets no cookie.
	longest := strings.Repeat("ä", 256)
	if w := v.want(204, "PUT", path, put(longest, "second password"), "Authorization",
		basic("me", "second password")); w.Header().Get("Set-Cookie") != "" {
		t.Errorf("a program gets %v", w.Header())
	}
	phone.want(401, "GET", "/api/v1/flats", "")
	v = v.reopened("{}")
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", longest))
	if logs := v.logs.String(); strings.Contains(logs, "second password") || strings.Contains(logs, "45678") {
		t.Errorf("the log has a password: %s", logs)
	}

	fixed := newSetup(t, t.TempDir(), `{"username":"u","password":"p"}`)
	fixed.must(409, "PUT", path, put("first password", "p"), "Authorization", basic("u", "p"))
	fixed.must(409, "PUT", path, "{}", "Authorization", basic("u", "p"))
	sample := newService(t, "[]", "[]").with(func(c *Config) { c.sample = true })
	if got := sample.from("127.0.0.1:1", "PUT", path, ""); got.status != 409 {
		t.Errorf("the sample answers %d %s", got.status, got.body)
	}
}

// TestPasswordsTogether tests that of several passwords that are set at once one is in force, with one session.
func TestPasswordsTogether(t *testing.T) {
	t.Parallel()
	v := &visitor{setup: newSetup(t, t.TempDir(), "{}")}
	v.access.rounds = 1
	var group sync.WaitGroup
	var mu sync.Mutex
	set := map[string]string{} // cookies by their passwords
	for i := range 8 {
		group.Go(func() {
			text, browser := fmt.Sprint("password ", i), v.another()
			if w := browser.ask("PUT", "/api/v1/password", `{"password":"`+text+`"}`); w.Code == 204 {
				mu.Lock()
				defer mu.Unlock()
				set[text] = browser.cookie
			}
		})
	}
	group.Wait()
	if len(set) != 1 {
		t.Errorf("these are set: %v", set)
	}
	for text, cookie := range set {
		v.cookie = cookie
		v.want(200, "GET", "/api/v1/flats", "")
		v.want(204, "POST", sessionPath, `{"password":"`+text+`"}`)
	}
}

// TestPasswordFile tests the file of the password: how it is stored, and that a start refuses one that is damaged
// unless the config has the password.
func TestPasswordFile(t *testing.T) {
	v := &visitor{setup: newSetup(t, t.TempDir(), "{}")}
	v.access.rounds = 7 // instead of passwordRounds, which take long
	v.want(204, "PUT", "/api/v1/password", `{"password":"correct horse"}`)
	path := filepath.Join(v.folder, passwordBase)
	text := readFile(t, path)
	var stored struct {
		Rounds     int
		Salt, Hash []byte
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || json.Unmarshal([]byte(text), &stored) != nil {
		t.Fatalf("%v, %v: %s", err, info.Mode(), text)
	}
	want, err := pbkdf2.Key(sha256.New, "correct horse", stored.Salt, 7, 32)
	if err != nil || stored.Rounds != 7 || len(stored.Salt) != 16 || !slices.Equal(stored.Hash, want) {
		t.Errorf("%v, the file is %s", err, text)
	}
	if passwordRounds != 600_000 || newAccess(defaultConfig(), v.store, quiet).rounds != passwordRounds {
		t.Error("the service does not use 600,000 rounds")
	}
	v.program.stop()
	for _, damaged := range []string{"", "\n", "{}", "null", "[]", text[:len(text)/2], text + text,
		`{"rounds":7,"salt":"AAAA","hash":"AAAA"}`, strings.Replace(text, ":7", ":0", 1),
		strings.Replace(text, ":7", ":-7", 1), strings.Replace(text, ":7", ":99999999999", 1),
		strings.Replace(text, ":7", `:"7"`, 1), strings.Replace(text, `"rounds"`, `"Rounds"`, 1),
		strings.Replace(text, `{`, `{"x":1,`, 1)} {
		writeFile(t, v.folder, passwordBase, damaged)
		for _, config := range []string{"{}", `{"username":"me","password":"p"}`} {
			c, err := parseConfig(filepath.Join(v.folder, "config.json"), []byte(config), quiet)
			if err == nil {
				err = c.finish()
			}
			if err != nil {
				t.Fatal(err)
			}
			p, err := openProgram(c, quiet)
			if err == nil {
				p.stop()
			}
			if c.Password != "" { // then the file does not count
				if err != nil {
					t.Errorf("%q beside a password of the config: %v", damaged, err)
				}
				continue
			}
			if err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), "flats password") {
				t.Errorf("%q: %v", damaged, err)
			}
		}
	}
}

// TestPasswordName tests the user name of a stored password, and that a name alone without one is an error.
func TestPasswordName(t *testing.T) {
	v := newLocked(t, `{"username":"anna"}`)
	v.want(401, "GET", "/api/v1/flats", "", "Authorization", basic("me", "correct horse"))
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("anna", "correct horse"))
	config := &Config{Addr: ":1", Username: "anna", Data: filepath.Join(t.TempDir(), "flats.json")}
	if err := config.finish(); err == nil || !strings.Contains(err.Error(), "password is missing") {
		t.Errorf("a name without a password: %v", err)
	}
	// A password of the config or the environment needs no name either.
	v = v.reopened(`{"password":"from the config"}`)
	v.want(401, "GET", "/api/v1/flats", "", "Authorization", basic("", "from the config"))
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", "from the config"))
	t.Setenv("FLATS_PASSWORD", "from outside")
	config, err := options{dataFile: filepath.Join(t.TempDir(), "flats.json")}.config(quiet)
	if err != nil || config.finish() != nil || !configPassword(config).matches("me", "from outside") {
		t.Errorf("FLATS_PASSWORD without a name: %v, %v", config, err)
	}
	// The password of the config wins.
	v = v.reopened(`{"username":"me","password":"from the config"}`)
	v.want(401, "GET", "/api/v1/flats", "", "Authorization", basic("me", "correct horse"))
	v.want(200, "GET", "/api/v1/flats", "", "Authorization", basic("me", "from the config"))
}

// TestPasswordCommand tests flats password with a line of standard input, while a service runs and without one.
func TestPasswordCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	set := func(input string, args ...string) (string, error) {
		cmd := command(dir, append([]string{"password"}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	p := start(t, dir)
	path := filepath.Join(dir, passwordBase)
	for input, want := range map[string]string{
		"":                "flats: no password was given: EOF (nothing was changed)\n",
		"\n":              "flats: password: want 8 to 256 characters (nothing was changed)\n",
		"1234567\n":       "flats: password: want 8 to 256 characters (nothing was changed)\n",
		"12345678\x01\n":  "flats: password: must not contain control characters (nothing was changed)\n",
		"12345678\xff\n":  "flats: password: is not UTF-8 (nothing was changed)\n",
		filled(9000, "x"): "flats: password: want 8 to 256 characters (nothing was changed)\n",
	} {
		out, err := set(input)
		if status := fmt.Sprint(err); out != want || status != "exit status 1" {
			t.Errorf("%.20q: %v %s; want %s", input, err, out, want)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Fatal("a refused password is stored")
	}
	out, err := set("correct horse\r\n")
	if want := "the password is set in " + path + ": all devices are signed out\n"; err != nil || out != want {
		t.Fatalf("%v: %s; want %s", err, out, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, the mode of the file is %v; want 0600", err, info.Mode())
	}
	p.await("the service has the password", func() bool {
		status, _ := p.do("GET", "/api/v1/flats", "")
		return status == 401
	})
	p.stop()
	for _, c := range []struct {
		config string
		args   []string
		want   string
	}{
		{`{"username":"u","password":"p"}`, nil, "flats: config.json or FLATS_PASSWORD has the password"},
		{`{"username":"anna","data":"other/flats.json"}`, nil,
			"the password is set in " + filepath.Join(dir, "other", passwordBase) + ": all devices are signed out\n" +
				"no service has kept flats in " + filepath.Join(dir, "other", "flats.json") + " yet: the password waits"},
		{`{`, nil, "flats: config.json:1"},
		{`{}`, []string{"x"}, "flats: password: accepts no files"},
		{`{}`, []string{"-addr", ":1"}, "flats: password accepts only -config and -data"},
		{`{}`, []string{"-data", "third/flats.json"}, "flats: "}, // there is no such folder
	} {
		writeFile(t, dir, "config.json", c.config)
		os.MkdirAll(filepath.Join(dir, "other"), 0o700)
		if out, _ := set("correct horse\n", c.args...); !strings.HasPrefix(out, c.want) {
			t.Errorf("%s %q: %s; want %s", c.config, c.args, out, c.want)
		}
	}
}

// Run as root, flats password gives no file away to which a link of the service's user leads.
func TestPasswordLink(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("not run as root")
	}
	dir, outside := t.TempDir(), t.TempDir()
	writeFile(t, outside, "secret", "of root")
	if err := errors.Join(os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, passwordBase)),
		os.Chown(dir, 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	cmd := command(dir, "password")
	cmd.Stdin = strings.NewReader("correct horse\n")
	out, err := cmd.CombinedOutput()
	const want = "flats: a link leads out of the folder of the data: run this as the user of the service " +
		"(nothing was changed)\n"
	if string(out) != want || fmt.Sprint(err) != "exit status 1" {
		t.Errorf("%v: %s; want %s", err, out, want)
	}
	// A link to the folder of the data is none out of it: a DynamicUser of systemd has one.
	link, data := filepath.Join(outside, "link"), t.TempDir()
	if err := errors.Join(os.Chown(data, 65534, 65534), os.Symlink(data, link)); err != nil {
		t.Fatal(err)
	}
	cmd = command(outside, "password", "-data", filepath.Join(link, "flats.json"))
	cmd.Stdin = strings.NewReader("correct horse\n")
	out, err = cmd.CombinedOutput()
	info, statErr := os.Stat(filepath.Join(data, passwordBase))
	if err != nil || statErr != nil {
		t.Errorf("%v: %s, %v", err, out, statErr)
	} else if uid := reflect.ValueOf(info.Sys()).Elem().FieldByName("Uid").Uint(); uid != 65534 {
		t.Errorf("the file belongs to %d; want the owner of the data", uid)
	}
	os.Remove(link)
	files, _ := os.ReadDir(outside)
	if text := readFile(t, filepath.Join(outside, "secret")); text != "of root" || len(files) != 1 {
		t.Errorf("the file is %q, among %v", text, files)
	}
}

// TestPasswordTerminal tests flats password on a terminal: it asks twice, shows nothing of what is typed, and lets the
// terminal show what is typed afterwards.
func TestPasswordTerminal(t *testing.T) {
	t.Parallel()
	script, err := exec.LookPath("script") // it runs a command on a terminal
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("there is no script of util-linux")
	}
	for typed, want := range map[string]string{ // two lines are typed
		"correct horse|correct horse": "New password: \r\nAgain: \r\nthe password is set in ",
		"correct horse|another horse": "New password: \r\nAgain: \r\nflats: the two passwords differ (nothing was " +
			"changed)\r\n",
	} {
		dir := t.TempDir()
		program := command(dir, "password")
		cmd := exec.Command(script, "-qec", "'"+program.Path+"' password; stty -a", "/dev/null")
		cmd.Dir, cmd.Env = dir, program.Env
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		shown := bufio.NewReader(out)
		var all strings.Builder
		for line := range strings.SplitSeq(typed, "|") {
			asked, err := shown.ReadString(':')
			if err != nil {
				t.Fatalf("%s%s: %v", &all, asked, err)
			}
			all.WriteString(asked)
			io.WriteString(in, line+"\n")
		}
		rest, _ := io.ReadAll(shown)
		all.Write(rest)
		cmd.Wait()
		got, state, _ := strings.Cut(all.String(), "speed ")
		if !strings.HasPrefix(got, want) || !strings.Contains(state, " echo ") {
			t.Errorf("%q: %q; want %q, and a terminal that shows what is typed", typed, all.String(), want)
		}
	}
}

// TestPasswordReread tests that a running service takes a password.json that another process has written, which ends
// all sessions, and that it keeps the password if that cannot be used.
func TestPasswordReread(t *testing.T) {
	t.Parallel()
	v := newLocked(t, "{}").signIn()
	set := func(text string) {
		// As flats password: another file under the name.
		writeFile(t, v.folder, "new", text)
		if err := os.Rename(filepath.Join(v.folder, "new"), filepath.Join(v.folder, passwordBase)); err != nil {
			t.Fatal(err)
		}
		v.access.reread()
	}
	for _, damaged := range []string{"", "{}", "null", `{"rounds":1}`} {
		set(damaged)
		v.want(200, "GET", "/api/v1/flats", "")
	}
	os.Remove(filepath.Join(v.folder, passwordBase))
	v.access.reread()
	v.want(200, "GET", "/api/v1/flats", "")
	v.another().want(401, "GET", "/api/v1/flats", "")
	const warning = "password.json cannot be used: the password before stays in force"
	if got := strings.Count(v.logs.String(), warning); got != 1 {
		t.Errorf("the log says %d times that the file cannot be used: %s", got, v.logs)
	}
	set(encodeJSON(newStoredPassword("another password", 1)))
	v.want(401, "GET", "/api/v1/flats", "")
	v.want(204, "POST", sessionPath, `{"password":"another password"}`)
	v.want(204, "PUT", "/api/v1/password", `{"password":"a third one","old":"another password"}`)
	v.access.reread() // rereading the file that the service itself wrote changes nothing
	v.want(200, "GET", "/api/v1/flats", "")
	if rereadEvery > time.Second {
		t.Errorf("a password is looked for every %v only", rereadEvery)
	}
}

// TestWrongNamesCost tests that a wrong user name is compared as a wrong password is, so that nobody can tell which of
// them is wrong by the time that takes.
func TestWrongNamesCost(t *testing.T) {
	p := &password{username: "me", stored: newStoredPassword("correct horse", 100)}
	// Hashing a password allocates, so equal numbers of allocations show equal work.
	cost := func(name, text string) float64 { return testing.AllocsPerRun(10, func() { p.matches(name, text) }) }
	wrongName, wrongText := cost("you", "correct horse"), cost("me", "wrong horse")
	if wrongName != wrongText || wrongText == 0 {
		t.Errorf("a wrong name costs %v, a wrong password %v", wrongName, wrongText)
	}
	for _, c := range [][2]string{{"you", "correct horse"}, {"me", "wrong"}, {"", ""}, {"ME", "correct horse"}} {
		if p.matches(c[0], c[1]) {
			t.Errorf("%q match", c)
		}
	}
	if !p.matches("me", "correct horse") {
		t.Error("the right ones do not match")
	}
}

// TestComparedOneAtATime tests that one password is compared at a time, and that nobody who is in waits for it.
func TestComparedOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		right := basic("me", "right")
		s.from(laptop, "GET", "/api/v1/flats", right)
		session := s.ask("POST", sessionPath, `{"password":"right"}`).header.Get("Set-Cookie")
		session, _, _ = strings.Cut(session, ";")
		g := s.guesses
		g.compare <- struct{}{} // as while a comparison lasts
		var mu sync.Mutex
		answered := map[int]int{}
		for i := range 10 {
			guess := basic("me", fmt.Sprint("wrong", i/2)) // each one twice
			go func() {
				status := s.from(attacker, "GET", "/api/v1/flats", guess).status
				mu.Lock()
				defer mu.Unlock()
				answered[status]++
			}()
		}
		ctx, leave := context.WithCancel(t.Context())
		gone := httptest.NewRequest("GET", "/api/v1/flats", nil).WithContext(ctx)
		gone.RemoteAddr = attacker
		gone.SetBasicAuth("me", "of a client that goes")
		go s.send(gone)
		synctest.Wait()
		leave()
		synctest.Wait()
		for what, got := range map[string]reply{
			"a session":              s.from(laptop, "GET", "/api/v1/flats", "", "Cookie", session),
			"remembered credentials": s.from(laptop, "GET", "/api/v1/flats", right),
			"a token":                s.from(attacker, "GET", feedPath+"?token=feed", ""),
		} {
			if got.status != 200 {
				t.Errorf("%s: %d", what, got.status)
			}
		}
		if len(answered) != 0 {
			t.Errorf("while one is compared, these are answered: %v", answered)
		}
		<-g.compare
		synctest.Wait()
		if answered[401] != 10 {
			t.Errorf("afterwards these are answered: %v", answered)
		}
		if got := s.flood(attacker); got != guessBurst-5 {
			t.Errorf("five passwords, each one twice, have left %d guesses; want %d", got, guessBurst-5)
		}
		time.Sleep(logEvery)
	})
}

// newGuarded returns a service with a password and tokens.
func newGuarded(t *testing.T) *service {
	return newService(t, testFlats, testCodes).with(func(c *Config) {
		c.Username, c.Password, c.FeedToken, c.ImportToken = "me", "right", "feed", "import"
	})
}

// from asks as a client with an address, and returns the reply.
func (s *service) from(address, method, target, authorization string, header ...string) reply {
	r := httptest.NewRequest(method, target, strings.NewReader("[]"))
	r.Host, r.RemoteAddr = "flats.example", address
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	return s.send(r)
}

const (
	attacker = "203.0.113.7:40001"
	laptop   = "192.168.1.20:50001"
	phone    = "[2001:db8:1:2::3]:50001"
)

// flood lets a client guess different passwords until none is let through, and returns how many were.
func (s *service) flood(address string, header ...string) (compared int) {
	for range guessBurst + 10 {
		guess := basic("me", rand.Text())
		if s.from(address, "GET", "/api/v1/flats", guess, header...).status == 401 {
			compared++
		}
	}
	return compared
}

// A bucket is for the internet or for private networks. A request that names a client as proxies do counts
// as one of the internet, whatever it names.
func TestGuessesBuckets(t *testing.T) {
	forwarded := "X-Forwarded-For"
	const public, private = false, true // isPrivate: the bucket from which a guess is taken
	for _, c := range []struct {
		address   string
		header    []string
		isPrivate bool
	}{
		{attacker, nil, public},
		{phone, nil, public},
		{"100.64.0.1:1", nil, public}, // a provider's network
		{"", nil, public},
		{"name:1", nil, public},
		{laptop, nil, private},
		{"127.0.0.1:1", nil, private},
		{"[::1]:1", nil, private},
		{"[::ffff:10.0.0.1]:1", nil, private},
		{"[fd00::1]:1", nil, private},
		{"[fe80::1%eth0]:1", nil, private},
		{"169.254.1.1:1", nil, private},
		// The headers of a proxy.
		{"127.0.0.1:1", []string{forwarded, "203.0.113.7"}, public},
		{"127.0.0.1:1", []string{forwarded, "192.168.1.20"}, public},
		{"127.0.0.1:1", []string{forwarded, "203.0.113.7, 192.168.1.20"}, public},
		{"127.0.0.1:1", []string{forwarded, ""}, public},
		{"127.0.0.1:1", []string{"X-Real-IP", "192.168.1.20"}, public},
		{"127.0.0.1:1", []string{"Forwarded", "for=192.168.1.20"}, public},
		{"127.0.0.1:1", []string{"Via", "1.1 proxy"}, public},
		{"127.0.0.1:1", []string{"X-Forwarded-Proto", "https"}, public},
		{attacker, []string{forwarded, "192.168.1.20"}, public},
		{attacker, []string{"Client-IP", "192.168.1.20"}, public},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newGuarded(t)
			defer s.store.Close()
			if got := s.flood(c.address, c.header...); got != guessBurst {
				t.Errorf("%s %q: %d guesses were let through; want %d", c.address, c.header, got, guessBurst)
			}
			// The flood has emptied one of the buckets. Meanwhile no time passes, so none is filled again.
			public, private := s.flood(attacker), s.flood(laptop)
			wantPublic, wantPrivate := 0, guessBurst
			if c.isPrivate {
				wantPublic, wantPrivate = guessBurst, 0
			}
			if public != wantPublic || private != wantPrivate {
				t.Errorf("%s %q: then %d guesses from the internet and %d from a private network were let through",
					c.address, c.header, public, private)
			}
		})
	}
}

// While the internet guesses thousands of passwords a second, guessBurst of them are compared, and then one in three
// seconds. The others are refused, also the right one. Nobody who is in is locked out.
func TestGuessesFlood(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		right := basic("me", "right")
		want := func(what, address, target, authorization string, status int, header ...string) {
			t.Helper()
			method := "GET"
			if target == importPath {
				method = "POST"
			}
			if got := s.from(address, method, target, authorization, header...); got.status != status {
				t.Errorf("%s: %d %s; want %d", what, got.status, got.body, status)
			}
		}
		proxy := []string{"X-Forwarded-For", "198.51.100.9, 198.51.100.4"}
		want("a phone before", phone, "/api/v1/flats", right, 200)
		want("a phone behind a proxy before", "127.0.0.1:7", "/api/v1/flats", right, 200, proxy...)
		compared := 0
		const guessesEach = 2695 // second
		for second := range 7 {
			for i := range guessesEach {
				guess := basic("me", fmt.Sprint(second, i))
				if s.from(attacker, "GET", "/api/v1/flats", guess).status == 401 {
					compared++
				}
			}
			want("the phone", phone, "/api/v1/flats", right, 200)
			want("the phone with another address", "[2001:db8:1:2::4]:1", "/api/v1/flats", right, 200)
			want("the phone behind a proxy", "127.0.0.1:8", "/api/v1/flats", right, 200, "X-Forwarded-For", "198.51.100.4")
			want("a new laptop at home", laptop, "/api/v1/flats", right, 200)
			want("the calendar", attacker, feedPath+"?token=feed", "", 200)
			want("an import", attacker, importPath, "Bearer import", 200)
			want("no password", attacker, "/api/v1/flats", "", 401)
			want("the right guess", attacker, "/api/v1/flats", right, 429)
			want("the right guess behind a proxy", "127.0.0.1:7", "/api/v1/flats", right, 429, "X-Forwarded-For", "198.51.100.5")
			want("the right guess in the name of the phone", "127.0.0.1:7", "/api/v1/flats", right, 429,
				"X-Forwarded-For", "198.51.100.4, 198.51.100.5")
			want("the right guess that names a private client", attacker, "/api/v1/flats", right, 429,
				"X-Forwarded-For", "192.168.1.20")
			time.Sleep(time.Second)
		}
		if want := guessBurst + 2; compared != want { // the bucket gets one after 3 s, and another after 6 s
			t.Errorf("%d guesses were compared in 6 s; want %d", compared, want)
		}
		got := s.from(attacker, "GET", "/api/v1/flats", basic("me", "x"))
		s.refuse(s.from(attacker, "GET", "/api/v1/flats", right), 429,
			"Too many wrong passwords were tried: try again in 2 s.")
		if got.header.Get("Retry-After") != "2" || got.header.Get("WWW-Authenticate") != "" {
			t.Errorf("the headers are %v", got.header)
		}
		time.Sleep(2 * time.Second)
		want("the right password after that time", attacker, "/api/v1/flats", right, 200)
	})
}

// The same wrong credentials count once, and the right ones not at all, from however many clients.
func TestGuessesRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		for i := range 300 {
			s.from(attacker, "GET", "/api/v1/flats", basic("me", "old password"))
			address := fmt.Sprintf("198.51.%d.%d:1", i/200, i%200)
			if got := s.from(address, "GET", "/api/v1/flats", basic("me", "right")); got.status != 200 {
				t.Fatalf("the right password from %s: %d", address, got.status)
			}
		}
		for i := range guessBurst - 1 { // "old password" was the first guess; wrong names count, too
			if got := s.from(attacker, "GET", "/api/v1/flats", basic(fmt.Sprint("name", i), "right")); got.status != 401 {
				t.Fatalf("guess %d: %d", i, got.status)
			}
		}
		for _, c := range []struct {
			name, password string
			status         int
		}{
			{"me", "old password", 401}, {"name0", "right", 401}, // are remembered as wrong
			{"meo", "ld password", 429}, {"other", "right", 429}, // would be further guesses
		} {
			if got := s.from(attacker, "GET", "/api/v1/flats", basic(c.name, c.password)); got.status != c.status {
				t.Errorf("%s, %s: %d; want %d", c.name, c.password, got.status, c.status)
			}
		}
	})
}

// Only maxCredentials are remembered: those that were asked for last.
func TestGuessesMarks(t *testing.T) {
	var m marks
	mark := func(i int) (m [32]byte) {
		m[0], m[1] = byte(i), byte(i>>8)
		return m
	}
	for i := range 1000 {
		m.add(mark(i))
		if !m.have(mark(0)) || !m.have(mark(i)) { // mark 0 is asked for each time, so it stays
			t.Fatalf("mark 0 or %d is not there", i)
		}
	}
	// The list has mark 0 and the last 99: from 901 on.
	if len(m.list) != maxCredentials || m.have(mark(900)) || !m.have(mark(902)) {
		t.Errorf("there are %d marks, 900: %v, 902: %v; want %d, without 900, with 902", len(m.list), m.have(mark(900)),
			m.have(mark(902)), maxCredentials)
	}
}

// Many clients at once are let through no more often.
func TestGuessesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGuesses(quiet)
		p := &password{username: "me", plain: "right"}
		var compared atomic.Int64
		var running sync.WaitGroup
		for i := range 200 {
			running.Go(func() {
				r := httptest.NewRequest("GET", "/", nil)
				isRight, wait := g.check(r, p, "me", fmt.Sprint(i))
				if isRight || wait == 0 { // a guess that is not compared has to wait
					compared.Add(1)
				}
			})
		}
		running.Wait()
		if n := compared.Load(); n != guessBurst {
			t.Errorf("%d guesses were compared", n)
		}
		synctest.Wait()
		time.Sleep(logEvery)
	})
}

// The log has one line a minute, with all that were wrong and the client of the last one, and no password.
func TestGuessesLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		lines := func(want ...string) {
			t.Helper()
			synctest.Wait()
			var got []string
			for line := range strings.Lines(s.logs.String()) {
				if _, text, isGuess := strings.Cut(line, "msg=\"wrong user names or passwords\" "); isGuess {
					got = append(got, strings.TrimSpace(text))
				}
			}
			if strings.Join(got, "; ") != strings.Join(want, "; ") || strings.Contains(s.logs.String(), "secret") {
				t.Errorf("the log has %q; want %q", got, want)
			}
			s.logs.Reset()
		}
		s.from(laptop, "GET", "/", basic("me", "right"))
		s.from(laptop, "GET", "/", "")
		lines()
		s.from(attacker, "GET", "/", basic("me", "secret"))
		lines("count=1 last_client=203.0.113.7")
		for i := range 50 {
			s.from(attacker, "GET", "/", basic("me", fmt.Sprint("secret", i)))
		}
		s.from("127.0.0.1:1", "GET", "/", basic("secret", ""), "X-Forwarded-For", "secret, 2001:db8:a:b::1")
		time.Sleep(logEvery - time.Second)
		lines()
		time.Sleep(time.Second)
		lines(`count=51 last_client="127.0.0.1 for 2001:db8:a:b::/64"`)
		time.Sleep(time.Hour)
		lines()
		s.from(laptop, "GET", "/", basic("me", "secret"))
		lines("count=1 last_client=192.168.1.20")
	})
}

// All ways to give a password draw on one bucket, and a program with an old one locks nobody out.
func TestGuessesShared(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	basic := func(text string) []string { return []string{"Authorization", basic("me", text)} }
	ways := []func(status int, text string){
		func(status int, text string) { v.another().want(status, "GET", "/api/v1/flats", "", basic(text)...) },
		func(status int, text string) { v.another().want(status, "POST", sessionPath, "password="+text) },
		func(status int, text string) {
			v.another().want(status, "POST", sessionPath, `{"password":"`+text+`"}`)
		},
		func(status int, text string) {
			if status == 401 {
				status = 403 // v is signed in, and the old password is wrong
			}
			v.want(status, "PUT", "/api/v1/password", `{"password":"a new password","old":"`+text+`"}`)
		},
	}
	for range 30 { // one wrong password counts once
		for _, try := range ways {
			try(401, "old")
		}
	}
	for i := range guessBurst - 1 {
		ways[i%len(ways)](401, fmt.Sprint("wrong", i))
	}
	for i, try := range ways {
		try(429, fmt.Sprint("another", i))
		try(401, "old")
	}
	v.another("Remote", laptop).want(429, "POST", sessionPath, `{"password":"correct horse"}`)
	v.another("Remote", attacker).want(204, "POST", sessionPath, `{"password":"correct horse"}`)
	v.want(200, "GET", "/api/v1/flats", "")
}
