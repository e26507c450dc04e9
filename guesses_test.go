// Tests of guesses.go.

package main

import (
	"crypto/rand"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

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
	for range 30 {
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
	for _, c := range []struct {
		address   string
		header    []string
		isPrivate bool
	}{
		{attacker, nil, false},
		{phone, nil, false},
		{"100.64.0.1:1", nil, false}, // a provider's network
		{"", nil, false},
		{"name:1", nil, false},
		{laptop, nil, true},
		{"127.0.0.1:1", nil, true},
		{"[::1]:1", nil, true},
		{"[::ffff:10.0.0.1]:1", nil, true},
		{"[fd00::1]:1", nil, true},
		{"[fe80::1%eth0]:1", nil, true},
		{"169.254.1.1:1", nil, true},
		{"127.0.0.1:1", []string{forwarded, "203.0.113.7"}, false},
		{"127.0.0.1:1", []string{forwarded, "192.168.1.20"}, false},
		{"127.0.0.1:1", []string{forwarded, "203.0.113.7, 192.168.1.20"}, false},
		{"127.0.0.1:1", []string{forwarded, ""}, false},
		{"127.0.0.1:1", []string{"X-Real-IP", "192.168.1.20"}, false},
		{"127.0.0.1:1", []string{"Forwarded", "for=192.168.1.20"}, false},
		{"127.0.0.1:1", []string{"Via", "1.1 proxy"}, false},
		{"127.0.0.1:1", []string{"X-Forwarded-Proto", "https"}, false},
		{attacker, []string{forwarded, "192.168.1.20"}, false},
		{attacker, []string{"Client-IP", "192.168.1.20"}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newGuarded(t)
			defer s.store.Close()
			if got := s.flood(c.address, c.header...); got != guessBurst {
				t.Errorf("%s %q: %d guesses were let through; want %d", c.address, c.header, got, guessBurst)
			}
			public, private := s.flood(attacker), s.flood(laptop)
			if (public == 0) == c.isPrivate || (private == 0) != c.isPrivate {
				t.Errorf("%s %q: then %d guesses from the internet and %d from a private network were let through",
					c.address, c.header, public, private)
			}
		})
	}
}

// While the internet guesses 2,695 passwords a second, one in three seconds is compared, also the right one,
// and nobody who is in is locked out.
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
		for second := range 7 {
			for i := range 2695 {
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
		if compared != guessBurst+2 {
			t.Errorf("%d guesses were compared in 6 s; want 22", compared)
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
		guesses := guessBurst - 1
		for i := range guesses { // wrong names count, too
			if got := s.from(attacker, "GET", "/api/v1/flats", basic(fmt.Sprint("name", i), "right")); got.status != 401 {
				t.Fatalf("guess %d: %d", i, got.status)
			}
		}
		for _, c := range []struct {
			name, password string
			status         int
		}{{"me", "old password", 401}, {"name0", "right", 401}, {"meo", "ld password", 429}, {"other", "right", 429}} {
			if got := s.from(attacker, "GET", "/api/v1/flats", basic(c.name, c.password)); got.status != c.status {
				t.Errorf("%s, %s: %d; want %d", c.name, c.password, got.status, c.status)
			}
		}
	})
}

// What is remembered has a bound: what was asked for last stays.
func TestGuessesMarks(t *testing.T) {
	var m marks
	mark := func(i int) (m [32]byte) {
		m[0], m[1] = byte(i), byte(i>>8)
		return m
	}
	for i := range 1000 {
		m.add(mark(i))
		if !m.have(mark(0)) || !m.have(mark(i)) {
			t.Fatalf("mark 0 or %d is not there", i)
		}
	}
	if len(m.list) != maxCredentials || m.have(mark(900)) || !m.have(mark(902)) {
		t.Errorf("there are %d marks", len(m.list))
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
				if ok, wait := g.check(r, p, "me", fmt.Sprint(i)); ok || wait == 0 {
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
				status = 403
			}
			v.want(status, "PUT", "/api/v1/password", `{"password":"a new password","old":"`+text+`"}`)
		},
	}
	for range 30 {
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
