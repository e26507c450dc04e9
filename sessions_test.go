// Tests of sessions.go.

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// reopened stops a program and opens its folder again with a config.
func (v *visitor) reopened(config string) *visitor {
	v.Helper()
	if err := v.program.stop(); err != nil {
		v.Fatal(err)
	}
	next := &visitor{setup: newSetup(v.TB, v.folder, config), cookie: v.cookie, header: v.header}
	next.access.rounds = 1
	return next
}

// devices returns the names of the devices that are signed in, as the browser sees them.
func (v *visitor) devices() (names []string) {
	v.Helper()
	for _, device := range v.sessions() {
		names = append(names, device.Name)
	}
	return names
}

// A servedSession is a device in the list of those that are signed in.
type servedSession struct {
	ID, Name, First, Last string // First and Last are days
	This                  bool   // the device that asks
}

func (v *visitor) sessions() (list []servedSession) {
	v.Helper()
	var answer struct{ Data []servedSession }
	if err := json.Unmarshal(v.want(200, "GET", "/api/v1/sessions", "").Body.Bytes(), &answer); err != nil {
		v.Fatal(err)
	}
	return answer.Data
}

const (
	firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
	safari  = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
		"Version/17.5 Mobile/15E148 Safari/604.1"
)

// TestDeviceNames tests what the user agents of browsers are called.
func TestDeviceNames(t *testing.T) {
	const webkit = "Mozilla/5.0 (%s) AppleWebKit/537.36 (KHTML, like Gecko) %s Safari/537.36"
	const samsung = "Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/25.0 Chrome/121"
	for agent, want := range map[string]string{
		firefox: "Firefox · Linux", safari: "Safari · iPhone", "curl/8.5.0": "curl", "": "?", "Go-http-client/1.1": "?",
		fmt.Sprintf(webkit, "Windows NT 10.0; Win64; x64", "Chrome/126.0.0.0"):                    "Chrome · Windows",
		fmt.Sprintf(webkit, "Windows NT 10.0; Win64; x64", "Chrome/126.0.0.0") + " Edg/126.0.0.0": "Edge · Windows",
		fmt.Sprintf(webkit, "X11; CrOS x86_64 14541.0.0", "Chrome/126.0.0.0"):                     "Chrome · ChromeOS",
		samsung: "Samsung Internet · Android",
		fmt.Sprintf(webkit, "Linux; Android 14; Mobile; rv:127.0", "Firefox/127.0"):                 "Firefox · Android",
		fmt.Sprintf(webkit, "Macintosh; Intel Mac OS X 10_15_7", "Version/17.5"):                    "Safari · Mac",
		fmt.Sprintf(webkit, "iPad; CPU OS 17_5 like Mac OS X", "CriOS/126.0.6478.54 Mobile/15E148"): "Chrome · iPad",
		fmt.Sprintf(webkit, "X11; Linux x86_64", "Chrome/126.0.0.0") + " OPR/112.0.0.0":             "Opera · Linux",
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4":     "WebKit · Linux",
	} {
		if got := deviceName(agent); got != want {
			t.Errorf("%q is called %q; want %q", agent, got, want)
		}
	}
}

// TestSessionList tests that the devices that are signed in are listed, and that one ends another, or itself.
func TestSessionList(t *testing.T) {
	t.Parallel()
	timezone, hours := "Pacific/Kiritimati", 14 // where it is another day than in UTC
	if time.Now().UTC().Hour() < 10 {
		timezone, hours = "Pacific/Pago_Pago", -11
	}
	v := newLocked(t, fmt.Sprintf(`{"timezone":%q}`, timezone))
	laptop, phone := v.another("User-Agent", firefox).signIn(), v.another("User-Agent", safari).signIn()
	day := func() string { return time.Now().In(time.FixedZone("", hours*60*60)).Format(time.DateOnly) }
	today := day()
	list := phone.sessions()
	if len(list) != 2 {
		t.Fatalf("the list is %+v", list)
	}
	ofPhone, ofLaptop := list[0], list[1] // the one that was used last is first
	hasNames := ofPhone.Name == "Safari · iPhone" && ofLaptop.Name == "Firefox · Linux"
	hasDays := ofPhone.First <= today && ofLaptop.First <= ofLaptop.Last
	if !hasNames || !hasDays || !ofPhone.This || ofLaptop.This {
		t.Fatalf("the list is %+v", list)
	}
	if ofPhone.Last != today && ofPhone.Last != day() { // the day may just have begun
		t.Errorf("the last day is %s; want %s", ofPhone.Last, today)
	}
	if got := laptop.sessions(); got[0].Name != "Firefox · Linux" || !got[0].This {
		t.Errorf("the one that was used last is %+v", got)
	}
	laptop.want(404, "DELETE", "/api/v1/sessions/x", "")
	laptop.want(403, "DELETE", "/api/v1/sessions/"+ofPhone.ID, "", "Sec-Fetch-Site", "same-site")
	v.want(401, "DELETE", "/api/v1/sessions/"+ofPhone.ID, "")
	laptop.want(204, "DELETE", "/api/v1/sessions/"+ofPhone.ID, "")
	phone.want(401, "GET", "/api/v1/flats", "")
	if got := fmt.Sprint(laptop.devices()); got != "[Firefox · Linux]" {
		t.Errorf("after that there are %s", got)
	}
	laptop.want(204, "DELETE", "/api/v1/sessions/"+laptop.sessions()[0].ID, "")
	if laptop.cookie != "" {
		t.Error("a device that ends its own session keeps its cookie")
	}
	v.header = []string{"Authorization", basic("me", "correct horse")}
	if got := v.devices(); len(got) != 0 {
		t.Errorf("at the end there are %s", got)
	}
}

// TestSessionsFile tests that only the user of the service can read the file of sessions, and that it has no cookie.
func TestSessionsFile(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	path := filepath.Join(v.folder, sessionsBase)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o600 {
		t.Errorf("the file has the mode %v; want 0600", mode)
	}
	_, value, _ := strings.Cut(v.cookie, "=")
	if text := readFile(t, path); strings.Contains(text, value) {
		t.Errorf("the file has the cookie %s: %s", value, text)
	}
}

// TestSessionsInNoBackup tests that neither sessions nor the password are in a backup, and that none restores them.
func TestSessionsInNoBackup(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	v.must(200, "POST", "/api/v1/import", `[{"id":"a"}]`, "Authorization", basic("me", "correct horse"))
	archive := filepath.Join(t.TempDir(), "a.tar.gz")
	a := osArchiver(v.config)
	if err := a.backUp(context.Background(), v.config.Data, archive, withoutPhotos, &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	got, err := a.read(context.Background(), archive, skipPhoto)
	if err != nil {
		t.Error(err)
	}
	for name := range got.texts {
		if name == sessionsBase || name == passwordBase || canRestore(name) && !isExtra(name) {
			t.Errorf("the archive has %s", name)
		}
	}
	for _, name := range []string{sessionsBase, passwordBase} {
		if canRestore(name) {
			t.Errorf("%s can be restored", name)
		}
	}
}

// TestSessionsClockSetBack tests that requests do not store that they use a session while its last use lies ahead.
func TestSessionsClockSetBack(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	path := filepath.Join(v.folder, sessionsBase)
	before := readFile(t, path)
	v.access.devices.Sessions[0].Last = time.Now().Add(2 * day).UTC()
	for range 2 {
		v.want(200, "GET", "/api/v1/flats", "")
	}
	if after := readFile(t, path); after != before {
		t.Errorf("after the clock was set back, a use is stored: %s", after)
	}
}

// TestSessionsWithSettings tests that sessions go on with other settings and after a restart, also one that begins
// after the settings have changed.
func TestSessionsWithSettings(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	v.want(200, "PATCH", "/api/v1/settings", `{"people":["Ann","Ben"]}`)
	v.want(200, "GET", "/api/v1/flats", "")
	v.signIn()
	v = v.reopened("{}")
	v.want(200, "GET", "/api/v1/flats", "")
}

// TestSessionsDamaged tests that the service starts with a damaged file of sessions, and all have to sign in again.
func TestSessionsDamaged(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	v.program.stop()
	writeFile(t, v.folder, sessionsBase, `{"sessions":[{"hash":`)
	v.setup = newSetup(t, v.folder, "{}")
	v.want(401, "GET", "/api/v1/flats", "")
	if !strings.Contains(v.logs.String(), "is damaged: they have to sign in again") {
		t.Errorf("the log does not say that the sessions are damaged: %s", v.logs)
	}
	v.signIn().want(200, "GET", "/api/v1/flats", "")
}

// TestSessionsEndAtStart tests that a start with another password than before ends all sessions and invites, and that
// sessions go on after a start with the same one.
func TestSessionsEndAtStart(t *testing.T) {
	const config = `{"username":"me","password":"correct horse"}`
	v := newLocked(t, config)
	v.signIn()
	invite := v.want(201, "POST", "/api/v1/invites", "").Body.String()
	v = v.reopened(config)
	v.want(200, "GET", "/api/v1/flats", "")
	const another = `{"username":"me","password":"correct horsf"}`
	const stored = "{}" // without a password in the config, that of passwordBase is in force
	for _, other := range []string{another, stored} {
		v = v.reopened(other)
		v.want(401, "GET", "/api/v1/flats", "")
		v.want(404, "GET", inviteIn(t, invite), "")
		v = v.reopened(config) // the password from before does not bring back its sessions
		v.want(401, "GET", "/api/v1/flats", "")
		v.signIn()
	}
}

// TestSessionsEndWithoutPassword tests that sessions end at a start without any password, in which everybody is let in.
func TestSessionsEndWithoutPassword(t *testing.T) {
	const config = `{"username":"me","password":"correct horse"}`
	v := newLocked(t, config).signIn()
	if err := os.Remove(filepath.Join(v.folder, passwordBase)); err != nil {
		t.Fatal(err)
	}
	v = v.reopened("{}")
	v.want(200, "GET", "/api/v1/flats", "")
	v = v.reopened(config)
	v.want(401, "GET", "/api/v1/flats", "")
}

// TestSessionsEndWithStoredPassword tests that sessions end if the password is stored anew while the service is
// stopped, even if it is the same one.
func TestSessionsEndWithStoredPassword(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	v = v.reopened("{}")
	v.want(200, "GET", "/api/v1/flats", "")
	v.program.stop()
	writeFile(t, v.folder, passwordBase, encodeJSON(newStoredPassword("correct horse", 1)))
	v.setup = newSetup(t, v.folder, "{}")
	v.want(401, "GET", "/api/v1/flats", "")
}

// TestSessionsBound tests that of too many sessions the one ends that has not been used for the longest time.
func TestSessionsBound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		p := s.access.password()
		var cookies []string
		for i := range maxSessions {
			cookie, err := s.access.signIn(p, fmt.Sprint(i), nil)
			if err != nil {
				t.Fatal(err)
			}
			cookies = append(cookies, cookie)
			time.Sleep(time.Second)
		}
		isOpen := func(i int) bool { _, _, ok := s.access.sessionOf(cookies[i : i+1]); return ok }
		s.from(laptop, "GET", "/api/v1/flats", "", "Cookie", "flats="+cookies[0]) // so that session 1 is next to end
		for _, next := range []int{1, 2} {
			if !isOpen(next) {
				t.Errorf("session %d has ended early", next)
			}
			s.access.signIn(p, "new", nil)
			if n := len(s.access.list().Sessions); n != maxSessions {
				t.Errorf("after one more sign-in there are %d sessions; want %d", n, maxSessions)
			}
			if isOpen(next) || !isOpen(0) || !isOpen(maxSessions-1) {
				t.Errorf("after one more sign-in, another session than %d has ended", next)
			}
		}
	})
}

// TestSessionsTogether tests that sessions may be used, opened and ended at once.
func TestSessionsTogether(t *testing.T) {
	t.Parallel()
	v := newLocked(t, "{}").signIn()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			other := v.another().signIn()
			for range 5 {
				other.want(200, "GET", "/api/v1/flats", "")
				other.sessions()
			}
			other.want(204, "DELETE", sessionPath, "")
			other.want(401, "GET", "/api/v1/flats", "")
		})
	}
	group.Wait()
	if got := v.devices(); len(got) != 1 {
		t.Errorf("the devices are %s; want one", got)
	}
}

// TestSessionUse tests that the last day of a session is stored, once a day, and that a disk that cannot be written
// locks nobody out.
func TestSessionUse(t *testing.T) {
	folder := t.TempDir()
	writeFile(t, folder, passwordBase, encodeJSON(newStoredPassword("correct horse", 1)))
	config := defaultConfig()
	config.Data, config.WebsiteURL = filepath.Join(folder, "flats.json"), "http://localhost/"
	cookie, path := "", filepath.Join(folder, sessionsBase)
	synctest.Test(t, func(t *testing.T) {
		logs := &lockedBuffer{}
		p, err := openProgram(config, slog.New(slog.NewTextHandler(logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		defer p.stop()
		v := &visitor{setup: &setup{TB: t, program: p, folder: folder, logs: logs}}
		v.signIn()
		cookie = v.cookie
		stored := readFile(t, path)
		for range 5 {
			time.Sleep(time.Hour)
			v.want(200, "GET", "/api/v1/flats", "")
		}
		if got := readFile(t, path); got != stored {
			t.Errorf("a use on the same day was stored: %s", got)
		}
		time.Sleep(day)
		v.want(200, "GET", "/api/v1/flats", "")
		if got := readFile(t, path); got == stored || !strings.Contains(got, time.Now().UTC().Format(time.DateOnly)) {
			t.Errorf("a use on another day was not stored: %s", got)
		}
		// Somebody has put another file there, so that the service writes nothing over it.
		writeFile(t, folder, sessionsBase, "{}")
		time.Sleep(8 * day) // more than a week, after which a cookie is renewed
		for range 3 {
			if w := v.want(200, "GET", "/api/v1/flats", ""); w.Header().Get("Set-Cookie") != "" {
				t.Errorf("a cookie was renewed that is not stored: %v", w.Header())
			}
		}
		v.want(500, "POST", sessionPath, `{"password":"correct horse"}`)
		if v.cookie != cookie {
			t.Error("a session that was not stored has a cookie")
		}
		v.want(200, "GET", "/api/v1/flats", "")
	})
}

// inviteIn returns the path of the link in the answer to an invite.
func inviteIn(t testing.TB, answer string) string {
	t.Helper()
	var invite struct {
		Data struct {
			URL   string
			Until time.Time
		}
	}
	if err := json.Unmarshal([]byte(answer), &invite); err != nil {
		t.Fatal(err)
	}
	const codeLength = 22 // of 128 bits in base64
	_, code, ok := strings.Cut(invite.Data.URL, joinPath)
	if !ok || len(code) != codeLength {
		t.Fatalf("the link is %s", invite.Data.URL)
	}
	return joinPath + code
}

// TestInvites tests that an invite signs one device in, by its button alone.
func TestInvites(t *testing.T) {
	t.Parallel()
	v := newLocked(t, `{"people":["Ann","Ben O'Neil"],"website_url":"https://h.example/my/flats/"}`).signIn()
	answer := v.want(201, "POST", "/api/v1/invites", `{"person":"Ben O'Neil"}`).Body.String()
	if !strings.Contains(answer, `"url":"https://h.example/my/flats/join/`) {
		t.Errorf("an invite is answered with %s", answer)
	}
	link := inviteIn(t, answer)
	phone := v.another("User-Agent", safari, "Accept", "text/html", "Accept-Language", "fr")
	for range 2 { // previews of the link, which must not use it up
		for _, method := range []string{"GET", "HEAD"} {
			w := phone.want(200, method, link, "")
			body := w.Body.String()
			hasButton := strings.Count(body, "<button") == 1 && strings.Contains(body, "Connecter cet appareil") &&
				strings.Contains(body, `action="/my/flats`+link+`"`)
			hasMore := strings.Contains(body, "Ben") || strings.Contains(body, "<script")
			if method == "GET" && (!hasButton || hasMore) {
				t.Errorf("the page is %s", mainOf(body))
			}
			for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Cache-Control": "no-store",
				"Referrer-Policy": "same-origin", "Set-Cookie": ""} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s has the header %s: %q; want %q", method, name, got, want)
				}
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; ") ||
				!strings.Contains(policy, "form-action 'self'; base-uri 'none'; frame-ancestors 'none'") {
				t.Errorf("%s has the policy %s", method, policy)
			}
		}
	}
	for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"}, {"Origin", "null"}} {
		phone.want(403, "POST", link, "", header...)
	}
	w := phone.want(303, "POST", link, "", "Origin", "https://h.example", "Sec-Fetch-Site", "same-origin")
	if got := w.Header().Get("Location"); got != "/my/flats/?person=Ben+O%27Neil" ||
		!strings.Contains(w.Header().Get("Set-Cookie"), "; Path=/my/flats/; Max-Age=15552000; HttpOnly; Secure;") {
		t.Errorf("the button leads to %s with %v", got, w.Header())
	}
	phone.header = []string{"User-Agent", safari}
	if got := phone.devices(); !slices.Contains(got, "Safari · iPhone") {
		t.Errorf("afterwards these are signed in: %s", got)
	}
	// An invite that was used and one that never was are answered alike.
	unknown := joinPath + strings.Repeat("x", 22)
	for _, header := range [][]string{{"Accept", "text/html"}, {"Sec-Fetch-Mode", "navigate"}, nil} {
		for _, method := range []string{"GET", "POST"} {
			used := v.another().want(404, method, link, "", header...)
			never := v.another().want(404, method, unknown, "", header...)
			if used.Body.String() != never.Body.String() || used.Header().Get("WWW-Authenticate") != "" ||
				fmt.Sprint(used.Header()) != fmt.Sprint(never.Header()) {
				t.Errorf("%s of a used one: %v %s; of an unknown one %v %s", method, used.Header(), used.Body,
					never.Header(), never.Body)
			}
		}
	}
	for _, path := range []string{"/join/", "/join", "/join/x/y", "/join/../api/v1/flats", "/join/%2e%2e/api/v1/flats",
		"//join/../api/v1/flats", "/join/..%2fapi/v1/flats"} {
		w := v.another().ask("GET", path, "")
		if w.Code != 401 && w.Code != 404 || strings.Contains(w.Body.String(), `"data"`) {
			t.Errorf("%s without a password: %d %s", path, w.Code, w.Body)
		}
	}
	for body, want := range map[string]int{"": 201, "{}": 201, `{"person":null}`: 201, `{"person":"Ann"}`: 201,
		`{"person":"Eve"}`: 400, `{"person":5}`: 400, "[]": 400, `{"person":"Ann"`: 400, `{"person":""}`: 400} {
		v.want(want, "POST", "/api/v1/invites", body)
	}
	w = v.another().want(303, "POST", inviteIn(t, v.want(201, "POST", "/api/v1/invites", "").Body.String()), "")
	if got := w.Header().Get("Location"); got != "/my/flats/" {
		t.Errorf("without a person the button leads to %s", got)
	}
	file := readFile(t, filepath.Join(v.folder, sessionsBase))
	if code := strings.TrimPrefix(link, joinPath); strings.Contains(v.logs.String()+file, code) {
		t.Errorf("the code is in %s\n%s", v.logs, file)
	}
}

// TestInvitesWho tests who may invite.
func TestInvitesWho(t *testing.T) {
	v := newLocked(t, `{"import_token":"i","feed_token":"f","cors_origins":["https://friend.example"]}`)
	for _, header := range [][]string{nil, {"Authorization", "Bearer i"}, {"Authorization", "Bearer f"}} {
		v.want(401, "POST", "/api/v1/invites?token=f", "", header...)
	}
	v.signIn()
	v.want(401, "POST", "/api/v1/invites", "", "Origin", "https://friend.example") // a cookie counts for the page alone
	basic := basic("me", "correct horse")
	v.cookie = ""
	v.want(403, "POST", "/api/v1/invites", "", "Authorization", basic, "Origin", "https://friend.example")
	v.want(201, "POST", "/api/v1/invites", "", "Authorization", basic)
	open := newSetup(t, t.TempDir(), "{}")
	open.must(409, "POST", "/api/v1/invites", "")
	open.must(404, "GET", joinPath+"x", "")
	open.must(404, "POST", joinPath+"x", "")
}

// The right one of thousands of cookies is found, wherever it stands, and none is found among the others.
func TestManyCookies(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	name, right, _ := strings.Cut(v.cookie, "=")
	wrong := strings.Repeat(name+"=wrong; ", 1000)
	for cookies, status := range map[string]int{
		wrong + v.cookie: 200, v.cookie + "; " + wrong: 200, wrong + wrong: 401, wrong + name + "=": 401,
		wrong + name + "=" + right[1:]: 401, wrong + name + "x=" + right: 401,
	} {
		v.another().want(status, "GET", "/api/v1/flats", "", "Cookie", cookies)
	}
}

// TestInvitesEnd tests that an invite ends after a day, and that the oldest one ends if there are too many.
func TestInvitesEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newGuarded(t)
		defer s.store.Close()
		invite := func() string {
			code, _, err := s.access.invite(s.access.password(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			return joinPath + code
		}
		status := func(link string) int { return s.from(phone, "GET", link, "").status }
		first := invite()
		time.Sleep(day - time.Second)
		if got := status(first); got != 200 {
			t.Errorf("nearly a day later it is answered with %d; want 200", got)
		}
		time.Sleep(time.Second)
		if got := status(first); got != 404 {
			t.Errorf("a day later it is answered with %d; want 404", got)
		}
		var links []string // of as many invites as there may be
		for range maxInvites {
			links = append(links, invite())
		}
		if got := status(links[0]); got != 200 {
			t.Errorf("the first of %d is answered with %d; want 200", maxInvites, got)
		}
		links = append(links, invite())
		for i, want := range []int{404, 200} {
			if got := status(links[i]); got != want {
				t.Errorf("after one more, invite %d is answered with %d; want %d", i, got, want)
			}
		}
		if got := status(links[maxInvites]); got != 200 {
			t.Errorf("the last invite is answered with %d; want 200", got)
		}
	})
}

// TestInvitesEndWithPassword tests that another password ends all invites.
func TestInvitesEndWithPassword(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	link := inviteIn(t, v.want(201, "POST", "/api/v1/invites", "").Body.String())
	v.want(200, "GET", link, "")
	v.want(204, "PUT", "/api/v1/password", `{"password":"another password","old":"correct horse"}`)
	v.want(404, "GET", link, "")
	v.want(404, "POST", link, "")
}

// TestInvitesTogether tests that one of several presses of a button at once signs in.
func TestInvitesTogether(t *testing.T) {
	v := newLocked(t, "{}").signIn()
	link := inviteIn(t, v.want(201, "POST", "/api/v1/invites", "").Body.String())
	var group sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for range 10 {
		group.Go(func() {
			w := v.another().ask("POST", link, "")
			mu.Lock()
			defer mu.Unlock()
			statuses[w.Code]++
		})
	}
	group.Wait()
	if statuses[303] != 1 || statuses[404] != 9 || len(v.devices()) != 2 {
		t.Errorf("ten presses are answered with %v, and there are %s", statuses, v.devices())
	}
}
