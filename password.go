// The password that opens the service, from the config or else from password.json, and the limit on guesses.

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	minPassword    = 8        // characters of a password that is set
	maxPassword    = 256      // characters of a password that is set
	passwordRounds = 600_000  // of PBKDF2-SHA-256 for a new password.json
	maxRounds      = 10 << 20 // rounds that a password.json may ask for
	saltSize       = 16       // bytes of the salt in a password.json
	defaultUser    = "me"     // the user name unless the config has one
)

// A password opens the service together with a user name. It never changes: another one takes its place.
type password struct {
	username string
	plain    string // from the config, "" for a stored password
	stored   storedPassword
	secret   string // in the marks of credentials, so that nothing remembered outlives the password
}

// A storedPassword is the content of a password.json. Nobody can tell the password from it.
type storedPassword struct {
	Rounds int    `json:"rounds"`
	Salt   []byte `json:"salt"`
	Hash   []byte `json:"hash"` // by PBKDF2-SHA-256
}

// configPassword returns the password of a config, or nil if it has none.
func configPassword(config *Config) *password {
	if config.Password == "" {
		return nil
	}
	return &password{username: cmp.Or(config.Username, defaultUser), plain: config.Password, secret: rand.Text()}
}

// newStoredPassword returns a password to store, hashed with a new salt.
func newStoredPassword(text string, rounds int) storedPassword {
	p := storedPassword{Rounds: rounds, Salt: make([]byte, saltSize)}
	rand.Read(p.Salt)
	p.Hash = p.hashOf(text)
	return p
}

// hashOf returns the hash of a password. It takes long on purpose.
func (p storedPassword) hashOf(text string) []byte {
	key, _ := pbkdf2.Key(sha256.New, text, p.Salt, p.Rounds, sha256.Size) // no error: a key of this length is allowed
	return key
}

// matches reports whether a text is the stored password.
func (p storedPassword) matches(text string) bool {
	return subtle.ConstantTimeCompare(p.hashOf(text), p.Hash) == 1
}

func (p storedPassword) equal(other storedPassword) bool {
	return p.Rounds == other.Rounds && bytes.Equal(p.Salt, other.Salt) && bytes.Equal(p.Hash, other.Hash)
}

// parsePassword reads the text of a password.json. Anything but a whole password is an error.
func parsePassword(name, text string) (p storedPassword, err error) {
	object, err := parseObject([]byte(text))
	if err != nil {
		return p, withLine(name, []byte(text), plainSyntax(err))
	}
	for key := range object {
		if key != "rounds" && key != "salt" && key != "hash" {
			return p, fmt.Errorf("%s: there is no such key as %s", name, excerpt(encodeJSON(key)))
		}
	}
	isWhole := json.Unmarshal([]byte(text), &p) == nil && p.Rounds >= 1 && p.Rounds <= maxRounds &&
		len(p.Salt) == saltSize && len(p.Hash) == sha256.Size
	if !isWhole {
		return p, fmt.Errorf("%s: want rounds, a salt of %d bytes and a hash of %d bytes in base64", name, saltSize,
			sha256.Size)
	}
	return p, nil
}

// matches reports whether a user name and a text open the service. A wrong name takes as long as a wrong text.
func (p *password) matches(name, text string) bool {
	isName := same(name, p.username) // 1 or 0: & below compares the text in either case, and && would not
	if p.plain != "" {
		return isName&same(text, p.plain) == 1
	}
	return isName&subtle.ConstantTimeCompare(p.stored.hashOf(text), p.stored.Hash) == 1
}

// same returns 1 if two secrets are equal, else 0. It compares hashes to hide the lengths.
func same(a, b string) int {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:])
}

// checkPassword returns an error unless a text can be set as the password.
func checkPassword(text string) error {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text):
		return errors.New("is not UTF-8")
	case n < minPassword || n > maxPassword:
		return fmt.Errorf("want %d to %d characters", minPassword, maxPassword)
	case strings.ContainsFunc(text, unicode.IsControl):
		return errors.New("must not contain control characters")
	}
	return nil
}

// setPassword reads a password, and writes it to the password.json next to the data of a config. A service that runs
// notices that. From a terminal, setPassword reads the password twice; from any other in, it reads a line.
func setPassword(ctx context.Context, config *Config, in *os.File, out io.Writer, rounds int) error {
	if config.Password != "" {
		return errors.New("config.json or FLATS_PASSWORD has the password: change it there, and start the service again")
	}
	data, err := filepath.Abs(config.Data)
	if err != nil {
		return err
	}
	file, err := openSideFile(&dataFiles{disk: osDisk{}}, data, passwordBase)
	if err != nil {
		return err
	}
	text, err := readPassword(ctx, in, out)
	if err == nil {
		if err = checkPassword(text); err != nil {
			err = fmt.Errorf("password: %w", err)
		}
	}
	if err != nil {
		return fmt.Errorf("%w (nothing was changed)", err)
	}
	notice := config.unusedNotice("the password waits until one starts there")
	temp, stored := newTemp(file.name), encodeJSON(newStoredPassword(text, rounds))+"\n"
	if err := writeTemp(osDisk{}, temp, 0o600, func(w *bufio.Writer) { w.WriteString(stored) }); err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(data)) // with systemd, a link leads to this folder
	target, targetErr := filepath.EvalSymlinks(filepath.Dir(file.name))
	isLinked := err != nil || targetErr != nil || target != folder
	if err := giveTo(temp, data, isLinked); err != nil { // the service could not read it
		os.Remove(temp)
		return fmt.Errorf("%w: run this as the user of the service (nothing was changed)", err)
	}
	if _, err := replace(osDisk{}, temp, file.name); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "the password is set in %s: all devices are signed out\n%s", file.name, notice)
	return err
}

// readPassword reads a password: twice from a terminal, which does not show it, or else a line.
func readPassword(ctx context.Context, in *os.File, out io.Writer) (string, error) {
	show, isTerminal, err := hideTyping(in)
	if err != nil {
		return "", fmt.Errorf("the terminal cannot hide what is typed: %w; hand the password over in a line of "+
			"standard input", err)
	}
	const maxPasswordLine int64 = 4*maxPassword + 2 // bytes: a character has up to 4, the end of the line 2
	lines := bufio.NewReader(io.LimitReader(in, 2*maxPasswordLine))
	if !isTerminal {
		return readLine(ctx, lines)
	}
	defer show()
	var typed [2]string
	for i, question := range []string{"New password: ", "Again: "} {
		fmt.Fprint(out, question)
		typed[i], err = readLine(ctx, lines)
		fmt.Fprintln(out)
		if err != nil {
			return "", err
		}
	}
	if typed[0] != typed[1] {
		return "", errors.New("the two passwords differ")
	}
	return typed[0], nil
}

// readLine reads a line without its end, until ctx is done.
func readLine(ctx context.Context, in *bufio.Reader) (string, error) {
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := in.ReadString('\n')
		read <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", errInterrupted
	case got := <-read:
		if got.err != nil && (got.err != io.EOF || got.text == "") {
			return "", fmt.Errorf("no password was given: %w", got.err)
		}
		return strings.TrimSuffix(strings.TrimSuffix(got.text, "\n"), "\r"), nil
	}
}

const (
	guessBurst     = 20              // guesses at once
	guessEvery     = 3 * time.Second // between further guesses
	maxCredentials = 100             // right credentials that are remembered, and as many wrong ones
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
	right           marks                  // of right credentials with the client: from another client they are a guess
	wrong           marks                  // of wrong credentials
	comparing       map[mark]chan struct{} // credentials under comparison, each with a channel that its end closes

	wrongGuesses int       // since the last line of the log, with those that came too soon
	lastClient   string    // of the last wrong guess
	loggedAt     time.Time // when the last line was logged
	isLogDue     bool      // a timer logs the next line
}

// A mark is a hash by which credentials are remembered.
type mark [sha256.Size]byte

func newGuesses(log *slog.Logger) *guesses {
	return &guesses{
		log:       log,
		secret:    []byte(rand.Text()),
		compare:   make(chan struct{}, 1),
		comparing: map[mark]chan struct{}{},
	}
}

// check reports whether a request may come in with a name and a text as the password. If there have been too many
// wrong guesses, check does not compare, and returns how long to wait.
func (g *guesses) check(r *http.Request, p *password, name, text string) (ok bool, wait time.Duration) {
	from := clientOf(r)
	// Each password has a secret of its own, so that marks of an earlier one open nothing.
	tried, triedHere := g.mark(p.secret, name, text), g.mark(p.secret, from.id, name, text)
	g.mu.Lock()
	defer g.mu.Unlock()
	if ok, isKnown := g.known(tried, triedHere, from.id); isKnown {
		return ok, 0
	}
	b := &g.public
	if from.isPrivate {
		b = &g.private
	}
	if wait = b.draw(time.Now()); wait > 0 {
		g.countWrong(from.id)
		return false, wait
	}
	ended := make(chan struct{})
	g.comparing[tried] = ended
	g.mu.Unlock()
	ok, isDone := g.matches(r, p, name, text)
	g.mu.Lock()
	delete(g.comparing, tried)
	close(ended)
	switch {
	case ok:
		g.right.add(triedHere)
	case isDone:
		g.wrong.add(tried)
		g.countWrong(from.id)
		return false, 0
	}
	b.giveBack() // the guess was right, or was not compared
	return ok, 0
}

// known reports whether credentials are right, and whether an earlier comparison tells that. While another request
// compares the same credentials, known waits. The caller holds g.mu, which known unlocks while it waits.
func (g *guesses) known(tried, triedHere mark, client string) (ok, isKnown bool) {
	for {
		if g.right.have(triedHere) {
			return true, true
		}
		if g.wrong.have(tried) {
			g.countWrong(client)
			return false, true
		}
		ended, isComparing := g.comparing[tried]
		if !isComparing {
			return false, false
		}
		g.mu.Unlock()
		<-ended // then look whether the credentials were right
		g.mu.Lock()
	}
}

// matches compares a name and a text with a password, once no other comparison runs. isDone is false if the client
// disconnects first.
func (g *guesses) matches(r *http.Request, p *password, name, text string) (ok, isDone bool) {
	select {
	case g.compare <- struct{}{}:
		defer func() { <-g.compare }()
		return p.matches(name, text), true
	case <-r.Context().Done():
		return false, false
	}
}

// mark returns a hash of texts, from which nobody can tell the texts. The length before each text keeps lists such as
// "ab", "c" and "a", "bc" apart.
func (g *guesses) mark(texts ...string) mark {
	h := hmac.New(sha256.New, g.secret)
	for _, text := range texts {
		h.Write([]byte(strconv.Itoa(len(text)) + " " + text))
	}
	return mark(h.Sum(nil))
}

// countWrong counts a guess that was wrong or came too soon, and logs how many there were, at once or when a minute has
// passed since the last line. The caller holds mu.
func (g *guesses) countWrong(client string) {
	g.wrongGuesses++
	g.lastClient = client
	if g.isLogDue {
		return
	}
	if wait := time.Until(g.loggedAt.Add(logEvery)); wait > 0 {
		g.isLogDue = true
		time.AfterFunc(wait, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			g.logWrong()
		})
		return
	}
	g.logWrong()
}

func (g *guesses) logWrong() {
	g.log.Warn("wrong user names or passwords", "count", g.wrongGuesses, "last_client", g.lastClient)
	g.wrongGuesses, g.loggedAt, g.isLogDue = 0, time.Now(), false
}

// A bucket holds up to guessBurst guesses, and fills by one each guessEvery.
type bucket struct{ full time.Time } // when it is full if nothing more is drawn

// draw takes a guess, or returns how long it takes until there is one.
func (b *bucket) draw(now time.Time) (wait time.Duration) {
	fullAfter := b.full
	if fullAfter.Before(now) {
		fullAfter = now
	}
	fullAfter = fullAfter.Add(guessEvery)
	const fromEmpty = guessBurst * guessEvery // how long an empty bucket takes to be full
	wait = fullAfter.Sub(now) - fromEmpty
	if wait > 0 {
		return wait
	}
	b.full = fullAfter
	return 0
}

// giveBack puts back a guess that was drawn.
func (b *bucket) giveBack() { b.full = b.full.Add(-guessEvery) }

// marks are the last maxCredentials marks that were added or asked for, the latest last.
type marks struct{ list []mark }

// have reports whether a mark is in the list, and makes it the latest. It takes the same time wherever
// the mark is.
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

// add makes a mark the latest, and drops the oldest one if there are maxCredentials already.
func (m *marks) add(mark mark) {
	if len(m.list) == maxCredentials {
		m.list = append(m.list[:0], m.list[1:]...)
	}
	m.list = append(m.list, mark)
}

// A client identifies the sender of a request by its address.
type client struct {
	id        string // the address, or for IPv6 the network of 64 bits, and the clients that a proxy names
	isPrivate bool   // the address is in a private network or of this machine, and is not a proxy's
}

// clientOf returns the client of a request. A proxy can be anybody's, and what a request says of its
// client may be made up, so a request with any header of a proxy counts as one from the internet. The
// nearest proxy sets X-Real-IP and the last address in X-Forwarded-For, if any.
func clientOf(r *http.Request) client {
	at, _ := netip.ParseAddrPort(r.RemoteAddr) // after an error the zero address, which is not private
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

// network returns an IPv4 address as it is, and an IPv6 address as its network of 64 bits, in which a device changes
// its address.
func network(addr netip.Addr) string {
	if addr.Is6() {
		prefix, _ := addr.Prefix(64) // no error: it is an IPv6 address
		return prefix.String()
	}
	return addr.String()
}
