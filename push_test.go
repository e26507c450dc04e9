// Tests of push.go.

package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A subscriber is a browser that has subscribed. It reads what its push service got.
type subscriber struct {
	key      *ecdh.PrivateKey
	secret   []byte
	endpoint string
	id       string // among the devices
}

func newSubscriber(t testing.TB, endpoint string) *subscriber {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret := make([]byte, 16)
	rand.Read(secret)
	return &subscriber{key: key, secret: secret, endpoint: endpoint}
}

// subscription returns what the page sends to add the browser to the devices.
func (p *subscriber) subscription(name string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encodeJSON(map[string]any{"endpoint": p.endpoint, "expirationTime": nil, "name": name,
		"keys": map[string]string{"p256dh": encode(p.key.PublicKey().Bytes()), "auth": encode(p.secret)}})
}

// A pushed is a message as the worker of the page gets it.
type pushed struct {
	Title, Text, Link, Tag string
	Badge                  int
}

func (m pushed) String() string {
	return fmt.Sprintf("%s | %s | %s | %d", m.Title, m.Link, m.Text, m.Badge)
}

// read decrypts a message of one record as a browser does (RFC 8291, 3.4).
func (p *subscriber) read(t testing.TB, body []byte) (m pushed) {
	t.Helper()
	mac := func(key []byte, text string) []byte {
		h := hmac.New(sha256.New, key)
		io.WriteString(h, text)
		return h.Sum(nil)
	}
	// The body has a salt of 16 bytes, the size of a record in 4, the length of the key in one, and the key in 65.
	const keyStart, keyEnd = 16 + 4 + 1, 16 + 4 + 1 + 65
	if len(body) < keyEnd || len(body) > 4096 {
		t.Fatalf("a body of %d bytes", len(body))
	}
	salt, public, sealed := body[:16], body[keyStart:keyEnd], body[keyEnd:]
	server, err := ecdh.P256().NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	shared, _ := p.key.ECDH(server)
	info := "WebPush: info\x00" + string(p.key.PublicKey().Bytes()) + string(public) + "\x01"
	material := mac(mac(p.secret, string(shared)), info)
	start := mac(salt, string(material))
	block, _ := aes.NewCipher(mac(start, "Content-Encoding: aes128gcm\x00\x01")[:16])
	gcm, _ := cipher.NewGCM(block)
	endOfLastRecord := []byte{2}
	text, err := gcm.Open(nil, mac(start, "Content-Encoding: nonce\x00\x01")[:12], sealed, nil)
	if err != nil || len(text) > maxContent+1 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(text, endOfLastRecord), &m); err != nil || m.Tag == "" {
		t.Fatalf("%q, %v", text, err)
	}
	return m
}

// A pushService stands for all push services. It takes what is sent to phones.
type pushService struct {
	t      testing.TB
	phones map[string]*subscriber // by their endpoints

	mu     sync.Mutex
	answer func(endpoint string, m pushed) *http.Response // nil for 201
	got    map[string][]string                            // by endpoint, the messages that were taken
	asked  []*http.Request
	tries  map[string][]time.Time // by endpoint
}

func newPushService(t testing.TB, phones ...*subscriber) *pushService {
	s := &pushService{t: t, phones: map[string]*subscriber{}, got: map[string][]string{}, tries: map[string][]time.Time{}}
	for _, p := range phones {
		s.phones[p.endpoint] = p
	}
	return s
}

func (s *pushService) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	endpoint := r.URL.String()
	body, _ := io.ReadAll(r.Body)
	p := s.phones[endpoint]
	if p == nil {
		s.t.Errorf("a request to %s", endpoint)
		return nil, errors.New("no such phone")
	}
	m := p.read(s.t, body)
	s.asked = append(s.asked, r)
	s.tries[endpoint] = append(s.tries[endpoint], time.Now())
	answer := answerOf(201)
	if s.answer != nil {
		answer = s.answer(endpoint, m)
	}
	if answer == nil {
		return nil, errors.New("https://push.example/secret: reset")
	}
	if answer.StatusCode == 201 {
		s.got[endpoint] = append(s.got[endpoint], m.String())
	}
	return answer, nil
}

func (s *pushService) answerWith(answer func(endpoint string, m pushed) *http.Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// take returns what a phone took since the last call.
func (s *pushService) take(p *subscriber) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer delete(s.got, p.endpoint)
	return s.got[p.endpoint]
}

// tried returns after how many minutes since a time messages were sent to a phone, and forgets these tries.
func (s *pushService) tried(p *subscriber, since time.Time) (minutes []float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.tries[p.endpoint] {
		minutes = append(minutes, at.Sub(since).Minutes())
	}
	delete(s.tries, p.endpoint)
	return minutes
}

// later makes an answer that says after how many seconds to ask again, unless seconds is "".
func later(code int, seconds string) *http.Response {
	answer := answerOf(code)
	answer.Header.Del("Retry-After")
	if seconds != "" {
		answer.Header.Set("Retry-After", seconds)
	}
	return answer
}

// newPushHunt starts a hunt whose push services are simulated.
func newPushHunt(t *testing.T, disk *simDisk, s *pushService) *hunt {
	t.Helper()
	return newHunt(t, disk, func(h *hunt) { h.pusher.client.Transport = s })
}

// adds adds a phone to the devices.
func (h *hunt) adds(p *subscriber, name string) {
	h.t.Helper()
	device, isNew, err := h.pusher.add([]byte(p.subscription(name)))
	if err != nil || !isNew {
		h.t.Fatalf("add = %v, %t, %v", device, isNew, err)
	}
	p.id = device.ID
	synctest.Wait()
}

// wantsPushed compares what a phone took since the last call.
func (h *hunt) wantsPushed(what string, s *pushService, p *subscriber, want ...string) {
	h.t.Helper()
	synctest.Wait()
	if got := s.take(p); !slices.Equal(got, want) {
		h.t.Errorf("%s: the phone at %s got %q; want %q", what, p.endpoint, got, want)
	}
}

const flatLink = "https://flats.example/#/flat/"

// oneNew is the message of a view about one new flat without a title.
func oneNew(view, id string, badge int) string {
	return fmt.Sprintf("%s: 1 new | %s%s | New: untitled | %d", view, flatLink, id, badge)
}

// allNew is the message of the view "all" about one new flat without a title.
func allNew(id string, badge int) string { return oneNew("all", id, badge) }

// Each device gets messages of what changes after it was added, and so does the receiver in the config.
func TestPush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann, ben := newSubscriber(t, "https://push.example/ann"), newSubscriber(t, "https://push.example/ben")
		s := newPushService(t, ann, ben)
		d := newSimDisk()
		h := newPushHunt(t, d, s)
		defer func() { h.stop() }()
		h.put("all", `{"query":"","page":"#/?sort=-first_seen","notify":true}`)
		h.put("silent", `{"query":""}`)
		h.imports(`[{"id":"before"}]`)
		h.receiver.take()
		h.adds(ann, "Ann")
		h.wantsPushed("what came before", s, ann)
		const facts = `New: T2 "lumineux", €1,240, 72.5 m², 2 rooms, Lyon`
		h.imports(`[{"id":"a","title":"T2 \"lumineux\"","cost":1240,"currency":"EUR","area":72.5,"rooms":2,
			"location":"Lyon"}]`)
		h.wantsPushed("a new flat", s, ann, "all: 1 new | "+flatLink+"a | "+facts+" | 2")
		h.wants("the receiver, too", "all: 1 new | "+flatLink+"a | "+facts+"\n"+flatLink+"a\n")
		h.adds(ben, "Ben")
		h.imports(`[{"id":"a","cost":1100.5},{"id":"b"}]`)
		const both = "all: 1 new, 1 cheaper | https://flats.example/#/?sort=-first_seen | New: untitled\n" +
			`Cheaper: T2 "lumineux", €1,100.50 (was €1,240), 72.5 m², 2 rooms, Lyon | 3`
		h.wantsPushed("two devices", s, ann, both)
		h.wantsPushed("two devices", s, ben, both)
		// A view with another query, and one whose notify was off, tell of the imports from then on.
		h.put("all", `{"query":"q=x"}`)
		h.put("all", `{"query":""}`)
		h.imports(`[{"id":"c"}]`)
		h.wantsPushed("another query", s, ann, allNew("c", 4))
		h.put("all", `{"notify":false}`)
		h.imports(`[{"id":"d"}]`)
		h.put("all", `{"notify":true}`)
		h.imports(`[{"id":"e"}]`)
		h.wantsPushed("while it was silent", s, ann, allNew("e", 6))
		// The badge counts the flats that came since one looked. A flat of two views counts once.
		h.put("all", encodeJSON(map[string]string{"seen": h.store.Get("e").FirstSeen.String()}))
		h.put("again", `{"query":"known[gone]=no","notify":true}`)
		h.imports(`[{"id":"f"}]`)
		h.wantsPushed("after a look", s, ann, oneNew("all", "f", 1), oneNew("again", "f", 1))
		h.receiver.take()
		s.take(ben)
		// A message that could not be sent before a restart is sent after it, and the others are not repeated.
		s.answerWith(func(endpoint string, _ pushed) *http.Response {
			if endpoint == ann.endpoint {
				return answerOf(503)
			}
			return answerOf(201)
		})
		h.imports(`[{"id":"g"}]`)
		h.stop()
		s.answerWith(nil)
		s.take(ben)
		h = newPushHunt(t, d.restartUnsynced(), s)
		h.wantsPushed("after a restart", s, ann, oneNew("all", "g", 2), oneNew("again", "g", 2))
		h.wantsPushed("after a restart", s, ben)
		if got := h.pusher.devices.list(); len(got) != 2 || got[0].Last == "" || got[0].Name != "Ann" {
			t.Errorf("after a restart the devices are %v", got)
		}
		if logs := h.logs.String(); strings.Contains(logs, "/ann") || strings.Contains(logs, "secret") {
			t.Errorf("the log shows a secret: %s", logs)
		}
	})
}

// A device whose push service fails waits alone: neither it nor another one misses or repeats a message.
func TestPushAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann, ben := newSubscriber(t, "https://a.push.example/secret"), newSubscriber(t, "https://b.push.example/secret")
		s := newPushService(t, ann, ben)
		h := newPushHunt(t, newSimDisk(), s)
		defer func() { h.stop() }()
		h.put("all", `{"query":"","notify":true}`)
		h.adds(ann, "Ann")
		h.adds(ben, "Ben")
		for _, c := range []struct {
			name   string
			answer func() *http.Response // of Ann's push service
			want   []float64             // when it is tried, in minutes after the first import
			err    string
		}{
			{"down", func() *http.Response { return later(500, "") }, []float64{0, 1, 3, 7, 15, 31, 63, 123, 183},
				"a.push.example answered 500 Internal Server Error"},
			{"no answer", func() *http.Response { return nil }, []float64{0, 1, 3}, "a.push.example: no valid answer"},
			{"it redirects", func() *http.Response { return later(307, "") }, []float64{0, 1},
				"a.push.example answered 307 Temporary Redirect"},
			{"it says when", func() *http.Response { return later(503, "150") }, []float64{0, 2.5, 5, 7.5},
				"a.push.example answered 503 Service Unavailable"},
			{"it says a day", func() *http.Response { return later(503, "86400") }, []float64{0, 60, 120},
				"a.push.example answered 503 Service Unavailable"},
			{"it says nothing of use", func() *http.Response { return later(502, "-5") }, []float64{0, 1, 3},
				"a.push.example answered 502 Bad Gateway"},
		} {
			began := time.Now()
			s.answerWith(func(endpoint string, _ pushed) *http.Response {
				if endpoint == ann.endpoint {
					return c.answer()
				}
				return answerOf(201)
			})
			h.put("all", encodeJSON(map[string]string{"seen": h.views.now()}))
			for i := range 3 {
				id := fmt.Sprint(c.name, i)
				h.imports(`[{"id":"` + id + `"}]`)
				if got := s.take(ben); len(got) != 1 || !strings.Contains(got[0], "1 new") {
					t.Errorf("%s: the other device got %q", c.name, got)
				}
				if i < 2 {
					time.Sleep(time.Second)
				}
			}
			// Until half a second after the last of these tries.
			lastMinute := c.want[len(c.want)-1]
			lastTry := began.Add(time.Duration(lastMinute * float64(time.Minute)))
			time.Sleep(time.Until(lastTry) + time.Second/2)
			synctest.Wait()
			s.answerWith(nil) // from the next try on
			if err := h.pusher.errorOf(ann.id); fmt.Sprint(err) != c.err {
				t.Errorf("%s: the error is %v; want %s", c.name, err, c.err)
			}
			if h.pusher.errorOf(ben.id) != nil {
				t.Errorf("%s: the other device: %v", c.name, h.pusher.errorOf(ben.id))
			}
			time.Sleep(time.Hour + time.Second) // the longest wait
			synctest.Wait()
			got := s.tried(ann, began)
			if n := len(c.want); len(got) != n+1 || !slices.Equal(got[:n], c.want) {
				t.Errorf("%s: it was tried after %v minutes; want %v, and once more", c.name, got, c.want)
			}
			if got := s.take(ann); len(got) != 1 || !strings.HasPrefix(got[0], "all: 3 new | ") ||
				!strings.HasSuffix(got[0], " | 3") {
				t.Errorf("%s: afterwards it got %q", c.name, got)
			}
			if err := h.pusher.errorOf(ann.id); err != nil {
				t.Errorf("%s: afterwards: %v", c.name, err)
			}
		}
		if logs := h.logs.String(); strings.Contains(logs, "secret") {
			t.Errorf("the log shows a secret: %s", logs)
		}
	})
}

// A push service that refuses a message holds up that view alone; 404 and 410 remove the device.
func TestPushRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann, ben := newSubscriber(t, "https://push.example/ann"), newSubscriber(t, "https://push.example/ben")
		s := newPushService(t, ann, ben)
		h := newPushHunt(t, newSimDisk(), s)
		defer func() { h.stop() }()
		h.put("first", `{"query":"","notify":true}`)
		h.put("second", `{"query":"","notify":true}`)
		h.adds(ann, "Ann")
		for _, c := range []struct {
			answer *http.Response // to messages of the first view
			want   []float64      // when it is tried, in minutes after the import
		}{
			{later(400, ""), []float64{0, 1, 3, 7}},
			{later(413, ""), []float64{0, 1, 3, 7}},
			{later(429, "240"), []float64{0, 4, 8}},
		} {
			began := time.Now()
			var tries []float64
			s.answerWith(func(_ string, m pushed) *http.Response {
				if strings.HasPrefix(m.Title, "first") {
					tries = append(tries, time.Since(began).Minutes())
					return c.answer
				}
				return answerOf(201)
			})
			h.imports(fmt.Sprintf(`[{"id":"%d"}]`, c.answer.StatusCode))
			if got := s.take(ann); len(got) != 1 || !strings.HasPrefix(got[0], "second: 1 new") {
				t.Errorf("%d: another view tells %q", c.answer.StatusCode, got)
			}
			time.Sleep(8*time.Minute + 30*time.Second) // past the last of these tries
			synctest.Wait()
			if err := h.pusher.errorOf(ann.id); !slices.Equal(tries, c.want) || err == nil {
				t.Errorf("%d: tries after %v minutes, %v; want %v", c.answer.StatusCode, tries, err, c.want)
			}
			s.answerWith(nil)
			time.Sleep(time.Hour)
			if got := s.take(ann); len(got) != 1 || !strings.HasPrefix(got[0], "first: 1 new") {
				t.Errorf("%d: afterwards %q", c.answer.StatusCode, got)
			}
		}
		h.adds(ben, "Ben")
		for code, gone := range map[int]*subscriber{404: ann, 410: ben} {
			s.answerWith(func(endpoint string, _ pushed) *http.Response {
				if endpoint == gone.endpoint {
					return answerOf(code)
				}
				return answerOf(201)
			})
			s.tried(gone, time.Now())
			h.imports(fmt.Sprintf(`[{"id":"%d"}]`, code))
			h.imports(fmt.Sprintf(`[{"id":"after %d"}]`, code))
			time.Sleep(2 * time.Hour)
			if _, isThere := h.pusher.devices.find(gone.id); isThere || len(s.tried(gone, time.Now())) != 1 {
				t.Errorf("after a %d a device is there: %t", code, isThere)
			}
		}
		if logs := h.logs.String(); strings.Count(logs, "a device was removed") != 2 ||
			strings.Contains(logs, "push.example/") {
			t.Errorf("the log is %s; want that two devices were removed, and no address", logs)
		}
		if len(h.pusher.devices.list()) != 0 {
			t.Errorf("there are the devices %v; want none", h.pusher.devices.list())
		}
	})
}

// Each device gets the message of a day once, also without a receiver in the config. A device that is added after the
// time of the message gets that of the next day first. The bubble begins at midnight UTC.
func TestPushRemind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann, ben := newSubscriber(t, "https://push.example/ann"), newSubscriber(t, "https://push.example/ben")
		s := newPushService(t, ann, ben)
		d := newSimDisk()
		h := newPushHunt(t, d, s)
		h.stop() // its parts are replaced by those of a program that reads a config
		config, err := parseConfig("config.json", []byte(`{"notify":{"remind":"08:00"},"timezone":"UTC"}`), quiet)
		if err != nil {
			t.Fatal(err)
		}
		config.Data, config.WebsiteURL = "/flats.json", "https://flats.example/"
		start := func() (stop func()) {
			h.store, err = openStore("/flats.json", d, nil, quiet)
			if err != nil {
				t.Fatal(err)
			}
			p, err := newProgram(config, h.store, &sideFile{name: "views.json"}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			h.pusher, h.importer = p.pusher, p.importer
			h.pusher.client.Transport = s
			if p.notifier.to != nil || p.reminder.isOn() {
				t.Error("notify without a url has a receiver")
			}
			ctx, cancel := context.WithCancel(context.Background())
			var running sync.WaitGroup
			running.Go(func() { h.pusher.run(ctx) })
			return func() {
				cancel()
				running.Wait()
				h.store.Close()
			}
		}
		stop := start()
		h.imports(`[{"id":"d","title":"D","next_step":"Call","next_date":"2000-01-01"}]`)
		h.adds(ann, "Ann")
		time.Sleep(9 * time.Hour) // until 09:00
		const want = "Today: 1 due | " + flatLink + "d | Call: D | 0"
		h.wantsPushed("on the first day", s, ann, want)
		h.adds(ben, "Ben")         // after 08:00
		time.Sleep(10 * time.Hour) // until 19:00
		h.wantsPushed("later", s, ben)
		stop()
		d = d.restartUnsynced()
		stop = start()
		time.Sleep(12 * time.Hour) // until 07:00 on the second day
		h.wantsPushed("after a restart", s, ann)
		stop()
		d = d.restartUnsynced()
		time.Sleep(3 * time.Hour) // until 10:00
		stop = start()
		time.Sleep(time.Minute)
		h.wantsPushed("after a start past the time", s, ann, want)
		h.wantsPushed("after a start past the time", s, ben, want)
		time.Sleep(9 * time.Hour) // until 19:01
		h.wantsPushed("later", s, ann)
		// A failure for one device does not stop messages for the other.
		s.answerWith(func(endpoint string, _ pushed) *http.Response {
			if endpoint == ann.endpoint {
				return later(503, "1200")
			}
			return answerOf(201)
		})
		time.Sleep(13*time.Hour + 4*time.Minute) // until 08:05
		h.wantsPushed("on the third day", s, ben, want)
		s.answerWith(nil)
		began := time.Now().Add(-5 * time.Minute) // 08:00
		s.tried(ann, began)
		time.Sleep(20 * time.Minute)
		h.wantsPushed("after a failure", s, ann, want)
		if got := s.tried(ann, began); len(got) != 1 || got[0] < 20 || got[0] > 21 {
			t.Errorf("after a failure it was tried after %v minutes; want 20", got)
		}
		stop()
	})
}

// A request says what RFC 8030 and RFC 8292 want, and a topic tells nothing about its view.
func TestPushRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ann := newSubscriber(t, "https://push.example/ann")
		s := newPushService(t, ann)
		h := newPushHunt(t, newSimDisk(), s)
		defer func() { h.stop() }()
		h.put("one", `{"query":"","notify":true}`)
		h.put("two", `{"query":"","notify":true}`)
		h.adds(ann, "Ann")
		var tags []string
		s.answerWith(func(_ string, m pushed) *http.Response {
			tags = append(tags, m.Tag)
			return answerOf(201)
		})
		h.imports(`[{"id":"a"}]`)
		h.imports(`[{"id":"b"}]`)
		if _, err := h.pusher.test(t.Context(), ann.id); err != nil {
			t.Fatal(err)
		}
		var topics []string
		key, err := h.pusher.devices.key(h.store)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range s.asked {
			topics = append(topics, r.Header.Get("Topic"))
			token, public, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), "vapid t="), ", k=")
			claims, _ := base64.RawURLEncoding.DecodeString(strings.Split(token, ".")[1])
			want := fmt.Sprintf(`{"aud":"https://push.example","exp":%d,"sub":"https://flats.example"}`,
				time.Now().Add(12*time.Hour).Unix())
			if r.Method != "POST" || r.Header.Get("TTL") != "86400" || r.Header.Get("Urgency") != "high" {
				t.Errorf("the request is %s %v; want a POST of high urgency that is kept for a day", r.Method, r.Header)
			}
			if encoding := r.Header.Get("Content-Encoding"); encoding != "aes128gcm" {
				t.Errorf("the content is encoded as %q", encoding)
			}
			if public != key.Public() || string(claims) != want {
				t.Errorf("the token is for %s, with %s; want %s, with %s", public, claims, key.Public(), want)
			}
		}
		const imports, views = 2, 2
		const messages = imports*views + 1 // each import sends one of each view; the last message is the test
		if len(topics) != messages || !slices.Equal(topics, tags) {
			t.Fatalf("the topics are %q, and the tags %q; want %d that are equal", topics, tags, messages)
		}
		one, two, test := topics[0], topics[1], topics[messages-1]
		if want := []string{one, two, one, two, test}; !slices.Equal(topics, want) || one == two || one == test {
			t.Errorf("the topics are %q; want one of each view, and another one of the test", topics)
		}
		const longest = 32 // RFC 8030, 5.4
		if len(one) != longest {
			t.Errorf("a topic has %d characters; want %d", len(one), longest)
		}
	})
}

// A request to a push service says whom to ask about it: the website or else, if that is not on the internet, the
// contact in the config.
func TestPushSubject(t *testing.T) {
	for _, c := range []struct{ website, contact, want string }{
		{"https://flats.example:8443/a/?b", "me@example.org", "https://flats.example:8443"},
		{"http://localhost:8080/", "me@example.org", "mailto:me@example.org"},
		{"http://localhost:8080/", "", ""},
	} {
		config := &Config{WebsiteURL: c.website}
		if c.contact != "" {
			config.Travel = &Travel{Contact: c.contact}
		}
		if got := config.pushSubject(); got != c.want {
			t.Errorf("pushSubject(%s, %s) = %q; want %q", c.website, c.contact, got, c.want)
		}
	}
}

// A message has at most 3,000 bytes of JSON, whatever is in it, and says as much as fits.
func TestPushContent(t *testing.T) {
	page := "#/?q=" + strings.Repeat(`"`, 4000)
	hostile := strings.Repeat("\x01\u2028\"", 40)
	flats, err := readFlats("flats.json", []byte(encodeJSON([]map[string]any{
		{"id": "a", "title": hostile, "location": strings.Repeat("é", 300)},
		{"id": "b", "title": strings.Repeat("ü", 300), "location": strings.Repeat("é", 300)},
	})), nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, website string
		view          View
		flat, events  int    // the index of a flat, and how many events it has
		want          string // in the text
	}{
		{"one", "https://flats.example/", View{Name: "v"}, 1, 1, "é…"},
		{"many", "https://flats.example/", View{Name: "v"}, 1, 500, "more"},
		{"hostile", "https://flats.example/", View{Name: strings.Repeat(`"`, 200), Page: &page}, 0, 500, "…"},
		{"a long name", "https://flats.example/" + strings.Repeat("a", 900) + "/", View{Name: strings.Repeat("\u2028", 66)},
			0, 500, "…"},
	} {
		change := flatEvent{Event: "new", Link: c.website + "#/flat/a", flat: flats[c.flat]}
		message := newMessage(c.website, c.view, slices.Repeat([]flatEvent{change}, c.events))
		const badge, longestLink = 1000, 1000
		text := message.content(c.website, strings.Repeat("t", 32), badge)
		var m pushed
		err := json.Unmarshal(text, &m)
		isLinkWrong := !strings.HasPrefix(m.Link, c.website) || len(m.Link) > longestLink
		isTextWrong := !strings.Contains(m.Text, c.want) || m.Title == "" || m.Badge != badge
		isTooShort := c.events > 2 && len(text) < 1500 // half of what fits
		if err != nil || len(text) > 3000 || isLinkWrong || isTextWrong || isTooShort {
			t.Errorf("%s: %d bytes, %v: %.300q", c.name, len(text), err, text)
		}
	}
}

// Nothing is sent to an address that is not on the internet, by a proxy, or where a redirect leads. The push service
// speaks HTTP/2.
func TestPushGuards(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://proxy.example:3128")
	s := newService(t, "[]", "[]")
	p := newPusher(&pushDevices{}, &Views{store: s.store}, s.config)
	transport := p.client.Transport.(*http.Transport)
	for _, address := range []string{"127.0.0.1:443", "10.1.2.3:443", "[::1]:443", "192.168.0.1:443", "[fe80::1]:443"} {
		if _, err := transport.DialContext(t.Context(), "tcp", address); err == nil ||
			!strings.Contains(err.Error(), "not a public address") {
			t.Errorf("%s is asked: %v", address, err)
		}
	}
	if transport.Proxy != nil || p.client.Timeout != 10*time.Second {
		t.Errorf("requests use a proxy: %t, and take up to %v", transport.Proxy != nil, p.client.Timeout)
	}
	var asked []string // the protocols and paths of requests
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Proto+" "+r.URL.Path)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(307)
	}))
	service.EnableHTTP2 = true
	service.StartTLS()
	defer service.Close()
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, service.Listener.Addr().String())
	}
	transport.TLSClientConfig = &tls.Config{RootCAs: service.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	r, _ := http.NewRequestWithContext(t.Context(), "POST", "https://example.com/push", strings.NewReader("x"))
	answer, err := post(p.client, r)
	if fmt.Sprint(err) != "example.com answered 307 Temporary Redirect" || answer == nil ||
		!slices.Equal(asked, []string{"HTTP/2.0 /push"}) {
		t.Errorf("%v, after the requests %q", err, asked)
	}
}
