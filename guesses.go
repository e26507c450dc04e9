// Guesses of the password, and how many are let through.

package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	guessBurst     = 20              // guesses at once
	guessEvery     = 3 * time.Second // one more
	maxCredentials = 100             // credentials that are remembered, of the right and of the wrong ones
	logEvery       = time.Minute     // the least time between two lines about wrong guesses
)

// guesses limits how fast a password can be guessed. Each guess draws on a bucket before it is compared,
// and gives back what it drew if it is right. All clients of the internet share one bucket, because an
// attacker has many addresses; private networks have one of their own, so that the internet locks no
// household out. Two kinds of credentials draw nothing: those with which a client got in before, and the
// last wrong ones, so that a program with an old password locks nobody out. Passwords are compared one at a
// time, since that may take long on purpose. It is safe for concurrent use.
type guesses struct {
	log     *slog.Logger
	secret  []byte        // of the marks
	compare chan struct{} // has an element while a password is compared

	mu              sync.Mutex // guards the rest
	public, private bucket
	right           marks                  // of credentials with their clients: from another one they are a guess
	wrong           marks                  // of credentials
	compared        map[mark]chan struct{} // credentials under comparison, closed at its end

	refused   int       // wrong guesses since the last line of the log
	last      string    // the client of the last one
	logged    time.Time // when the last line was logged
	isWaiting bool      // a timer logs the next line
}

// A mark is what is remembered of credentials.
type mark [sha256.Size]byte

func newGuesses(log *slog.Logger) *guesses {
	return &guesses{
		log:      log,
		secret:   []byte(rand.Text()),
		compare:  make(chan struct{}, 1),
		compared: map[mark]chan struct{}{},
	}
}

// check reports whether a request may come in with a name and a text as the password. If there have been too many
// wrong guesses, check does not compare, and returns how long to wait.
func (g *guesses) check(r *http.Request, p *password, name, text string) (ok bool, wait time.Duration) {
	from := clientOf(r)
	// Another password has another secret: what is remembered of the one before opens nothing.
	tried, known := g.mark(p.secret, name, text), g.mark(p.secret, from.id, name, text)
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		if g.right.have(known) {
			return true, 0
		}
		if g.wrong.have(tried) {
			g.note(from.id)
			return false, 0
		}
		ended, isCompared := g.compared[tried]
		if !isCompared {
			break
		}
		g.mu.Unlock()
		<-ended
		g.mu.Lock()
	}
	b := &g.public
	if from.isPrivate {
		b = &g.private
	}
	if wait := b.draw(time.Now()); wait > 0 {
		g.note(from.id)
		return false, wait
	}
	ended := make(chan struct{})
	g.compared[tried] = ended
	g.mu.Unlock()
	ok, isDone := g.matches(r, p, name, text)
	g.mu.Lock()
	delete(g.compared, tried)
	close(ended)
	switch {
	case ok:
		g.right.add(known)
	case isDone:
		g.wrong.add(tried)
		g.note(from.id)
		return false, 0
	}
	b.giveBack()
	return ok, 0
}

// matches compares when no other password is compared, unless the client goes before.
func (g *guesses) matches(r *http.Request, p *password, name, text string) (ok, isDone bool) {
	select {
	case g.compare <- struct{}{}:
		defer func() { <-g.compare }()
		return p.matches(name, text), true
	case <-r.Context().Done():
		return false, false
	}
}

// mark returns what is remembered of texts: nobody can tell the texts from it.
func (g *guesses) mark(texts ...string) mark {
	h := hmac.New(sha256.New, g.secret)
	for _, text := range texts {
		h.Write([]byte(strconv.Itoa(len(text)) + " " + text))
	}
	return mark(h.Sum(nil))
}

// note counts a wrong guess, and logs how many there were, at once or when a minute has passed since the
// last line. The caller holds mu.
func (g *guesses) note(client string) {
	g.refused++
	g.last = client
	if g.isWaiting {
		return
	}
	if wait := time.Until(g.logged.Add(logEvery)); wait > 0 {
		g.isWaiting = true
		time.AfterFunc(wait, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.logRefused()
		})
		return
	}
	g.logRefused()
}

func (g *guesses) logRefused() {
	g.log.Warn("wrong user names or passwords", "count", g.refused, "last_client", g.last)
	g.refused, g.logged, g.isWaiting = 0, time.Now(), false
}

// A bucket holds up to guessBurst guesses, and fills by one each guessEvery.
type bucket struct{ full time.Time } // when it is full if nothing more is drawn

// draw takes a guess, or returns how long it takes until there is one.
func (b *bucket) draw(now time.Time) (wait time.Duration) {
	full := b.full
	if full.Before(now) {
		full = now
	}
	full = full.Add(guessEvery)
	if wait := full.Sub(now) - guessBurst*guessEvery; wait > 0 {
		return wait
	}
	b.full = full
	return 0
}

// giveBack puts a guess back that was drawn.
func (b *bucket) giveBack() { b.full = b.full.Add(-guessEvery) }

// marks are the last maxCredentials marks that were added or asked for, the latest last.
type marks struct{ list []mark }

// have reports whether a mark is among them. Its time does not depend on where.
func (m *marks) have(mark mark) bool {
	found := -1
	for i := range m.list {
		if hmac.Equal(m.list[i][:], mark[:]) {
			found = i
		}
	}
	if found < 0 {
		return false
	}
	m.list = append(m.list[:found], m.list[found+1:]...)
	m.add(mark)
	return true
}

func (m *marks) add(mark mark) {
	if len(m.list) == maxCredentials {
		m.list = append(m.list[:0], m.list[1:]...)
	}
	m.list = append(m.list, mark)
}

// A client is who sends a request, as far as its address tells.
type client struct {
	id        string // the address, or for IPv6 the network of 64 bits, and what a proxy says of whom it asks for
	isPrivate bool   // it is in a private network or on this machine, and no proxy
}

// clientOf returns the client of a request. A proxy can be anybody's, and what a request says of its
// client may be made up, so a request with any header of a proxy counts as one of the internet. The last
// address of X-Forwarded-For and X-Real-IP are those that the nearest proxy has set, if it sets them.
func clientOf(r *http.Request) client {
	at, _ := netip.ParseAddrPort(r.RemoteAddr) // the zero address, which is not private, if it is none
	addr := at.Addr().Unmap()
	c := client{id: network(addr), isPrivate: addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()}
	if isProxied(r) {
		c.isPrivate = false
	}
	for _, name := range []string{"X-Forwarded-For", "X-Real-Ip"} {
		listed := strings.Join(r.Header.Values(name), ",")
		last := strings.TrimSpace(listed[strings.LastIndex(listed, ",")+1:])
		addr, err := netip.ParseAddr(last)
		if withPort, portErr := netip.ParseAddrPort(last); portErr == nil {
			addr, err = withPort.Addr(), nil
		}
		if err == nil {
			c.id += " for " + network(addr.Unmap())
		}
	}
	return c
}

// isProxied reports whether a request has a header of a proxy.
func isProxied(r *http.Request) bool {
	for name := range r.Header {
		if name == "Forwarded" || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// network returns an IPv4 address, or the network of an IPv6 address: a device changes its address there.
func network(addr netip.Addr) string {
	if addr.Is6() {
		prefix, _ := addr.Prefix(64) // no error: it is an IPv6 address
		return prefix.String()
	}
	return addr.String()
}
