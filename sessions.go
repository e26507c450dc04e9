// Sessions: the devices that are signed in, their cookies, and the invites that sign in another device. The password in
// force is here, too, because sessions end with it.

package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxSessions  = 100 // devices that are signed in
	maxInvites   = 20  // invites that are open
	sessionAge   = 180 * day
	renewAfter   = 7 * day
	inviteAge    = day
	sessionsBase = "sessions.json"
	rereadEvery  = time.Second // how often password.json is looked at
)

// access has the password of a service, the sessions of the devices that have signed in with it, and the open invites.
// It lives as long as the program, and is safe for concurrent use. A method that returns
// an error has changed nothing.
type access struct {
	store    *Store // whose writer writes the files
	log      *slog.Logger
	username string // for a stored password
	rounds   int    // for a new password
	current  atomic.Pointer[password]

	changing     sync.Mutex // held while a file changes; guards the next four
	passwordFile *sideFile
	sessionsFile *sideFile
	hasWarned    bool // the log has said that password.json cannot be used
	// passwordInSessions is the password in force as sessions.json stores it, or nil until it is first stored there.
	passwordInSessions *storedPassword

	mu       sync.Mutex // guards the rest
	devices  knownDevices
	lastUses map[string]time.Time // when sessions were last used, by their ids
	retryAt  time.Time            // when a failed write of a use may be tried again
}

// knownDevices are the sessions and the open invites. The lists are replaced, never changed.
type knownDevices struct {
	Password *storedPassword `json:"password"` // the one with which the sessions were opened
	Sessions []session       `json:"sessions"`
	Invites  []invite        `json:"invites"`
}

// A session is a device that is signed in.
type session struct {
	Hash    []byte    `json:"hash"` // SHA-256 of its cookie
	Name    string    `json:"name"` // its browser and its system
	First   time.Time `json:"first"`
	Last    time.Time `json:"last"`
	Renewed time.Time `json:"renewed"` // when its cookie was last sent
}

// An invite signs one device in.
type invite struct {
	Hash   []byte    `json:"hash"` // SHA-256 of its code
	Until  time.Time `json:"until"`
	Person string    `json:"person,omitempty"`
	By     string    `json:"by,omitempty"` // the id of the session that opened the invite
}

// newAccess returns the access with the password of a config. It stores nothing before open.
func newAccess(config *Config, store *Store, log *slog.Logger) *access {
	a := &access{
		store:        store,
		log:          log,
		username:     cmp.Or(config.Username, defaultUser),
		rounds:       passwordRounds,
		passwordFile: &sideFile{name: passwordBase},
		sessionsFile: &sideFile{name: sessionsBase},
		lastUses:     map[string]time.Time{},
	}
	a.current.Store(configPassword(config))
	return a
}

// open reads the files next to the data. Sessions that another password opened have ended.
func (a *access) open(files *dataFiles, path string) (err error) {
	if a.passwordFile, err = openSideFile(files, path, passwordBase); err != nil {
		return err
	}
	if a.passwordFile.text != "" {
		stored, err := parsePassword(a.passwordFile.name, a.passwordFile.text)
		switch {
		case err != nil && a.isOpen():
			return fmt.Errorf("%w (without it anybody could come in: set another one by flats password)", err)
		case err != nil:
			a.log.Warn("the file of the password is damaged: the password of the config counts", "err", err)
		case a.isOpen():
			a.setCurrent(stored)
		}
	}
	if a.sessionsFile, err = openSideFile(files, path, sessionsBase); err != nil {
		return err
	}
	var stored knownDevices
	if text := a.sessionsFile.text; text != "" && json.Unmarshal([]byte(text), &stored) != nil {
		a.log.Warn("the file of the devices that are signed in is damaged: they have to sign in again",
			"file", a.sessionsFile.name)
		stored = knownDevices{}
	}
	if stored.Password != nil && a.isCurrent(*stored.Password) {
		a.passwordInSessions = stored.Password
		a.devices = stored
		return nil
	}
	if len(stored.Sessions)+len(stored.Invites) > 0 { // the password has changed since they were opened
		return a.write(a.sessionsFile, encodeJSON(knownDevices{})+"\n")
	}
	return nil
}

// password returns the password in force, or nil if the service needs none.
func (a *access) password() *password { return a.current.Load() }

// isOpen reports whether the service needs no password.
func (a *access) isOpen() bool { return a.password() == nil }

// isFixed reports whether the config has the password.
func (a *access) isFixed() bool { p := a.password(); return p != nil && p.plain != "" }

// setCurrent brings a stored password into force.
func (a *access) setCurrent(stored storedPassword) {
	a.current.Store(&password{username: a.username, stored: stored, secret: rand.Text()})
}

// isCurrent reports whether a stored password is the one in force. It compares the text of a password in the config,
// and the hash of any other.
func (a *access) isCurrent(stored storedPassword) bool {
	p := a.password()
	switch {
	case p == nil:
		return false
	case p.plain != "":
		canHash := stored.Rounds > 0 && stored.Rounds <= maxRounds // a damaged sessions.json may have any number
		return canHash && stored.matches(p.plain)
	}
	return p.stored.equal(stored)
}

// setPassword stores a password and ends all sessions and invites. It returns the cookie of a new session for the
// device. It fails if before is no longer the password in force.
func (a *access) setPassword(before *password, text, device string) (cookie string, err error) {
	stored := newStoredPassword(text, a.rounds)
	a.changing.Lock()
	defer a.changing.Unlock()
	if a.password() != before {
		return "", errOtherPassword
	}
	if err := a.write(a.passwordFile, encodeJSON(stored)+"\n"); err != nil {
		return "", err
	}
	cookie, opened := newSession(device)
	a.startWith(stored, opened)
	return cookie, nil
}

var errOtherPassword = errorf(http.StatusForbidden, "The password has been changed meanwhile.")

// startWith brings the password in password.json into force, and replaces all sessions and invites by the given
// sessions. The caller holds changing.
func (a *access) startWith(stored storedPassword, sessions ...session) {
	a.setCurrent(stored)
	a.passwordInSessions = &stored
	devices := knownDevices{Sessions: sessions}
	err := a.writeDevices(devices)
	if err != nil { // the file still has the old password, so the next start ends all sessions
		a.log.Warn("the devices that are signed in cannot be stored: after a restart they have to sign in again", "err", err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.devices = devices
	a.lastUses = map[string]time.Time{}
}

// watch takes over passwords that another process sets, until ctx is done.
func (a *access) watch(ctx context.Context) {
	for sleep(ctx, rereadEvery) {
		a.reread()
	}
}

// reread takes over the password in password.json if another process has replaced the file. A password that cannot be
// used changes nothing.
func (a *access) reread() {
	a.changing.Lock()
	defer a.changing.Unlock()
	f := a.passwordFile
	if f.data == nil || a.isFixed() {
		return
	}
	same, err := isUnchanged(f.data.disk, f.name, f.info, sameContent)
	if same {
		a.hasWarned = false
		return
	}
	text, info, readErr := readAll(f.data.disk, f.name, maxSideFile)
	if err = errors.Join(err, readErr); err == nil && info == nil {
		err = errors.New("it has been removed")
	}
	var stored storedPassword
	if err == nil {
		stored, err = parsePassword(f.name, sideText(text))
	}
	if err != nil {
		if !a.hasWarned {
			a.log.Warn("password.json cannot be used: the password before stays in force", "file", f.name, "err", err)
		}
		a.hasWarned = true
		return
	}
	f.text, f.info = string(text), info
	a.hasWarned = false
	a.startWith(stored)
	a.log.Info("the password has been changed by flats password: all devices are signed out")
}

// change changes the sessions and invites, and returns when that is durable.
func (a *access) change(edit func(*knownDevices) error) error {
	a.changing.Lock()
	defer a.changing.Unlock()
	next := a.list()
	next.Sessions, next.Invites = slices.Clone(next.Sessions), slices.Clone(next.Invites)
	now := time.Now()
	next.Sessions = slices.DeleteFunc(next.Sessions, func(s session) bool { return s.hasEnded(now) })
	next.Invites = slices.DeleteFunc(next.Invites, func(i invite) bool { return !now.Before(i.Until) })
	if err := edit(&next); err != nil {
		return err
	}
	if err := a.writeDevices(next); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.devices = next
	for id := range a.lastUses {
		if !slices.ContainsFunc(next.Sessions, func(s session) bool { return s.id() == id }) {
			delete(a.lastUses, id)
		}
	}
	return nil
}

// list returns the sessions, with the times of their last use, and the invites.
func (a *access) list() knownDevices {
	a.mu.Lock()
	defer a.mu.Unlock()
	devices := a.devices
	devices.Sessions = slices.Clone(devices.Sessions)
	for i, s := range devices.Sessions {
		if used := a.lastUses[s.id()]; used.After(s.Last) {
			devices.Sessions[i].Last = used
		}
	}
	return devices
}

// writeDevices stores the sessions and invites, and with them the password in force, because open ends sessions that
// another password opened. A password of the config is hashed for that only at the first write: hashing takes long.
// The caller holds changing.
func (a *access) writeDevices(devices knownDevices) error {
	if a.sessionsFile.data == nil {
		return nil
	}
	if a.passwordInSessions == nil {
		stored := a.password().stored
		if plain := a.password().plain; plain != "" { // the config has the password
			stored = newStoredPassword(plain, a.rounds)
		}
		a.passwordInSessions = &stored
	}
	devices.Password = a.passwordInSessions
	return a.write(a.sessionsFile, encodeJSON(devices)+"\n")
}

// write writes a file, unless the store is one without files.
func (a *access) write(file *sideFile, text string) error {
	if file.data == nil {
		return nil
	}
	// Not by writeSide, which would make a flats.json before the first flat.
	if err := a.store.call(func() error { return file.write(text) }); err != nil {
		return fmt.Errorf("nothing was stored: %w", err)
	}
	return nil
}

// signIn opens a session for a device that has given the password p. The session replaces those of the cookies that the
// device has sent.
func (a *access) signIn(p *password, device string, sent []string) (cookie string, err error) {
	cookie, opened := newSession(device)
	err = a.change(func(next *knownDevices) error {
		if a.password() != p {
			return errOtherPassword
		}
		next.add(opened, sent)
		return nil
	})
	return cookie, err
}

// add adds a session. It replaces the sessions whose cookies were sent, and takes over their invites. Beyond
// maxSessions, add drops the session that was not used for the longest time.
func (k *knownDevices) add(opened session, sent []string) {
	for _, cookie := range sent {
		hash := sha256.Sum256([]byte(cookie))
		for i := range k.Invites {
			if k.Invites[i].By == sessionID(hash[:]) {
				k.Invites[i].By = opened.id()
			}
		}
	}
	k.end(sent)
	for len(k.Sessions) >= maxSessions {
		oldest := slices.MinFunc(k.Sessions, func(a, b session) int { return a.Last.Compare(b.Last) })
		k.Sessions = slices.DeleteFunc(k.Sessions, func(s session) bool { return s.id() == oldest.id() })
	}
	k.Sessions = append(k.Sessions, opened)
}

// end ends the sessions of cookies.
func (k *knownDevices) end(cookies []string) {
	for _, cookie := range cookies {
		hash := sha256.Sum256([]byte(cookie))
		k.Sessions = slices.DeleteFunc(k.Sessions, func(s session) bool { return bytesEqual(s.Hash, hash[:]) })
	}
}

// signOut ends the sessions of cookies.
func (a *access) signOut(cookies []string) error {
	if _, _, ok := a.sessionOf(cookies); !ok {
		return nil
	}
	return a.change(func(next *knownDevices) error {
		next.end(cookies)
		return nil
	})
}

// endSession ends the session with an id, and its invites, which might let a thief of the device come in again.
func (a *access) endSession(id string) error {
	return a.change(func(next *knownDevices) error {
		before := len(next.Sessions)
		next.Sessions = slices.DeleteFunc(next.Sessions, func(s session) bool { return s.id() == id })
		if len(next.Sessions) == before {
			return errorf(statusMissing, "There is no device with this id.")
		}
		next.Invites = slices.DeleteFunc(next.Invites, func(i invite) bool { return i.By == id })
		return nil
	})
}

// invite opens an invite for a person, or for anybody if person is "", and returns its code. Beyond maxInvites it drops
// the oldest one. by is the id of the session that opens the invite, "" for none. invite fails if p is no longer the
// password in force.
func (a *access) invite(p *password, person, by string) (code string, until time.Time, err error) {
	code = randomCode(16)
	hash := sha256.Sum256([]byte(code))
	until = time.Now().Add(inviteAge).UTC().Truncate(time.Second)
	err = a.change(func(next *knownDevices) error {
		if a.password() != p {
			return errOtherPassword
		}
		if len(next.Invites) >= maxInvites {
			next.Invites = next.Invites[len(next.Invites)-maxInvites+1:]
		}
		next.Invites = append(next.Invites, invite{hash[:], until, person, by})
		return nil
	})
	return code, until, err
}

// errNoInvite is the answer to a code that was used, has ended, or never existed.
var errNoInvite = errorf(statusMissing, "This link has been used, or has ended.")

// indexInvite returns the index of the open invite with a code in a list, or -1.
func indexInvite(list []invite, code string) int {
	hash := sha256.Sum256([]byte(code))
	return slices.IndexFunc(list, func(i invite) bool {
		return bytesEqual(i.Hash, hash[:]) && time.Now().Before(i.Until)
	})
}

// isInvited reports whether there is an open invite with a code.
func (a *access) isInvited(code string) bool { return indexInvite(a.list().Invites, code) >= 0 }

// join opens a session by an invite, which it uses up, and returns the invited person. sent are the cookies that the
// device has sent, as for signIn.
func (a *access) join(code, device string, sent []string) (cookie, person string, err error) {
	cookie, opened := newSession(device)
	err = a.change(func(next *knownDevices) error {
		i := indexInvite(next.Invites, code)
		if i < 0 {
			return errNoInvite
		}
		person = next.Invites[i].Person
		next.Invites = slices.Delete(next.Invites, i, i+1)
		next.add(opened, sent)
		return nil
	})
	return cookie, person, err
}

// newSession returns a session for a device, and its cookie.
func newSession(device string) (cookie string, s session) {
	cookie = randomCode(32)
	hash := sha256.Sum256([]byte(cookie))
	now := time.Now().UTC()
	return cookie, session{Hash: hash[:], Name: device, First: now, Last: now, Renewed: now}
}

// randomCode returns size random bytes as text.
func randomCode(size int) string {
	random := make([]byte, size)
	rand.Read(random)
	return base64.RawURLEncoding.EncodeToString(random)
}

func bytesEqual(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// id returns the id of the session in the API.
func (s session) id() string { return sessionID(s.Hash) }

// sessionID returns the id of the session with the hash of a cookie. The hash is shorter only in a damaged file.
func sessionID(hash []byte) string { return hex.EncodeToString(hash[:min(8, len(hash))]) }

func (s session) hasEnded(now time.Time) bool { return !now.Before(s.Renewed.Add(sessionAge)) }

// sessionOf returns the session that one of the cookies opens, and this cookie. Somebody without a password may send
// thousands of cookies. So sessionOf looks them up in a map, and does not hold the lock meanwhile. How long comparing
// hashes takes reveals no cookie.
func (a *access) sessionOf(cookies []string) (s session, cookie string, ok bool) {
	if len(cookies) == 0 {
		return session{}, "", false
	}
	a.mu.Lock()
	sessions := a.devices.Sessions
	a.mu.Unlock()
	sent := make(map[string]string, len(cookies)) // by hash
	for _, cookie := range cookies {
		hash := sha256.Sum256([]byte(cookie))
		sent[string(hash[:])] = cookie
	}
	now := time.Now()
	for _, s := range sessions {
		if cookie, ok = sent[string(s.Hash)]; ok && !s.hasEnded(now) {
			return s, cookie, true
		}
	}
	return session{}, "", false
}

// touch notes that a session is used, and stores that once a day. It reports whether to send the cookie again: after a
// week, if canRenew is set.
func (a *access) touch(s session, canRenew bool) (mustSend bool) {
	now := time.Now().UTC()
	mustRenew := canRenew && now.Sub(s.Renewed) >= renewAfter
	isStoredToday := s.Last.Format(time.DateOnly) >= now.Format(time.DateOnly)
	a.mu.Lock()
	a.lastUses[s.id()] = now
	mustWait := now.Before(a.retryAt)
	a.mu.Unlock()
	if hasNothingToStore := isStoredToday && !mustRenew; hasNothingToStore || mustWait {
		return false
	}
	isSame := func(other session) bool { return other.id() == s.id() }
	// change stores lastUses, too: next has them already. What was stored before is in a.devices.
	err := a.change(func(next *knownDevices) error {
		stored := slices.IndexFunc(a.devices.Sessions, isSame)
		if stored < 0 || a.devices.Sessions[stored].Last.After(s.Last) {
			return errStoredMeanwhile
		}
		if i := slices.IndexFunc(next.Sessions, isSame); i >= 0 && mustRenew {
			next.Sessions[i].Renewed = now
		}
		return nil
	})
	switch err {
	case nil:
		return mustRenew
	case errStoredMeanwhile:
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.retryAt = now.Add(time.Minute)
	return false
}

// errStoredMeanwhile says that another request has stored the use of a session, or has ended the session.
var errStoredMeanwhile = errors.New("stored meanwhile")

// cookieName returns the name of the cookie of a website. It has the port, because browsers send cookies to all ports
// of a host.
func cookieName(site *url.URL) string {
	if port := site.Port(); port != "" {
		return "flats-" + port
	}
	return "flats"
}

// sentCookies returns the cookies that a request has for a website.
func sentCookies(r *http.Request, site *url.URL) (values []string) {
	for _, cookie := range r.CookiesNamed(cookieName(site)) {
		values = append(values, cookie.Value)
	}
	return values
}

// setCookie sends the cookie of a session or, if it is "", removes it.
func setCookie(w http.ResponseWriter, site *url.URL, cookie string) {
	age := int(sessionAge / time.Second)
	if cookie == "" {
		age = -1 // the browser removes the cookie
	}
	path := site.EscapedPath()
	if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, ";,") { // a cookie cannot have such a path
		path = "/"
	}
	http.SetCookie(w, &http.Cookie{
		Name:     cookieName(site),
		Value:    cookie,
		Path:     path,
		MaxAge:   age,
		Secure:   site.Scheme == "https",
		HttpOnly: true,
		SameSite: http.SameSiteLaxMode,
	})
}

// Words of user agents, with the name of the browser or system. The first word that is in a user agent counts, because
// most user agents pretend to be others, too.
var (
	browserNames = [][2]string{
		{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Vivaldi/", "Vivaldi"},
		{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"CriOS/", "Chrome"}, {"Chromium/", "Chromium"},
		{"Chrome/", "Chrome"}, {"Safari/", "Safari"}, {"AppleWebKit/", "WebKit"}, {"curl/", "curl"},
	}
	systemNames = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Windows", "Windows"},
		{"Macintosh", "Mac"}, {"Linux", "Linux"}, {"BSD", "BSD"},
	}
)

// deviceName returns the browser and the system of a user agent in words, or "?" if it knows neither.
func deviceName(agent string) string {
	var words []string
	for _, names := range [][][2]string{browserNames, systemNames} {
		i := slices.IndexFunc(names, func(name [2]string) bool { return strings.Contains(agent, name[0]) })
		if i >= 0 {
			words = append(words, names[i][1])
		}
	}
	return cmp.Or(strings.Join(words, " · "), "?")
}
