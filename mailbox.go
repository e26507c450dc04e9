// Reading the mails of a mailbox, and remembering which have been read.

package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"flats/internal/imap"
	"flats/internal/listing"
)

// A Mailbox is a folder on a mail server. No log, answer or error may show more of it than the
// host. The members with a tag are keys of the config. validate and finish set the others from them.
type Mailbox struct {
	URL         string   `json:"url"` // of the folder, with the user
	Password    string   `json:"password"`
	From        []string `json:"from"`        // domains of senders, none for all senders
	Every       string   `json:"every"`       // the time between two looks
	Certificate string   `json:"certificate"` // a file with the server's certificate, "" to trust what the system trusts

	server imap.Server
	user   string
	folder string
	every  time.Duration
}

const (
	inbox          = "INBOX"
	maxCertificate = 1 << 20 // bytes of the file of a certificate
	wantMailboxURL = "want an imaps or imap URL with a user and a host, perhaps a folder, and no password, " +
		"such as imaps://me%40example.org@imap.example.org/Flats"
)

// setURL sets the server, the user and the folder from the URL. The error does not show the URL.
func (m *Mailbox) setURL() error {
	u, err := url.Parse(m.URL)
	if err != nil {
		return errors.New(wantMailboxURL)
	}
	defaultPort := map[string]string{"imaps": "993", "imap": "143"}[u.Scheme]
	// Stored settings may have a URL with another scheme. It must name its port, because there is no default, and is read
	// like one of imaps: with TLS from the start.
	port := cmp.Or(u.Port(), defaultPort)
	_, hasPassword := u.User.Password()
	m.user = u.User.Username()
	m.folder = cmp.Or(strings.TrimPrefix(u.Path, "/"), inbox)
	_, portErr := strconv.ParseUint(port, 10, 16)
	isComplete := portErr == nil && u.Hostname() != "" && m.user != ""
	hasUnwanted := hasPassword || u.RawQuery+u.Fragment != ""
	isText := utf8.ValidString(m.user+m.folder) && !strings.ContainsFunc(m.user+m.folder, unicode.IsControl)
	if !isComplete || hasUnwanted || !isText {
		return errors.New(wantMailboxURL)
	}
	m.server = imap.Server{
		Host:     u.Hostname(),
		Port:     port,
		StartTLS: u.Scheme == "imap",
		Version:  version,
		MaxMail:  listing.MaxMail,
		Dial:     (&net.Dialer{Timeout: imap.Patience}).DialContext,
	}
	return nil
}

// finish checks the certificate and the password, which the environment may have set. Errors
// begin with the name of the key.
func (m *Mailbox) finish() error {
	if m.Password == "" {
		return errors.New("password: is missing (FLATS_MAILBOX_PASSWORD in the environment also sets it)")
	}
	if err := m.checkPassword(); err != nil {
		return fmt.Errorf("password: %w", err)
	}
	if _, err := m.readCertificate(); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	return nil
}

func (m *Mailbox) checkPassword() error {
	switch {
	case m.Password == "":
		return errMissing
	case !utf8.ValidString(m.Password) || strings.ContainsFunc(m.Password, unicode.IsControl):
		return errors.New("must not contain control characters")
	}
	return nil
}

// readCertificate reads the certificates to trust. They are nil if the mailbox names no file of its own.
func (m *Mailbox) readCertificate() (*x509.CertPool, error) {
	if m.Certificate == "" {
		return nil, nil
	}
	text, err := readExisting(m.Certificate, maxCertificate)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s has no certificate in PEM", m.Certificate)
	}
	return roots, nil
}

// connect connects to the server and logs in. It reads the certificate each time: a file that is missing, as after a
// restore on another machine, must not stop the service, and one that has been put there works without a restart.
func (m *Mailbox) connect(ctx context.Context) (*imap.Client, error) {
	server := m.server
	if m.Certificate != "" {
		roots, err := m.readCertificate()
		if err != nil {
			return nil, fmt.Errorf("mailbox.certificate: %w", err)
		}
		server.Roots = roots
	}
	c, err := server.Connect(ctx)
	if err != nil {
		return nil, withCertificateHint(err)
	}
	return c, c.Login(m.user, m.Password)
}

// id returns a text that identifies the mailbox in mailbox.json.
func (m *Mailbox) id() string {
	parts := strings.Join([]string{m.server.Host, m.server.Port, m.user, m.folder}, "\n")
	return fmt.Sprintf("%x", sha256.Sum256([]byte(parts)))[:16]
}

// fromKeys returns the part of a search for mails of the senders, with a blank before it (RFC 3501, 6.4.4). OR stands
// before the two keys that it joins, as in OR FROM a OR FROM b FROM c.
func (m *Mailbox) fromKeys() string {
	keys := ""
	for i, domain := range m.From {
		if i < len(m.From)-1 {
			keys += " OR"
		}
		keys += " FROM " + imap.Quote(domain)
	}
	return keys
}

// isFrom reports whether a mail comes from one of the senders, or from a subdomain. A server that
// is asked for a domain also finds it elsewhere in the address, and in names.
func (m *Mailbox) isFrom(text []byte) bool {
	if len(m.From) == 0 {
		return true
	}
	sender := "." + listing.SenderDomain(text)
	return slices.ContainsFunc(m.From, func(domain string) bool { return strings.HasSuffix(sender, "."+domain) })
}

// A mailReader reads the mails of a mailbox in the order in which they arrived. A mail counts as read when its listings
// are durable, so that none is lost. After a crash it may be read again, which changes nothing. Only run may use what
// mu does not guard.
type mailReader struct {
	mailbox  *Mailbox // nil for none
	importer *Importer
	take     takeMail
	file     *sideFile    // mailbox.json, nil if the store has no files
	progress mailProgress // as in file
	failed   failedMail   // the mail that ended the last look; its uid is 0 for none

	mu       sync.Mutex // guards the rest
	last     time.Time  // when the mailbox was last read to its end
	mails    int        // the number of mails read since the start
	listings int        // the number of listings in them
	others   int        // the number of mails since the start that are from none of the senders
	err      error      // what has gone wrong since last
}

// A takeMail is [Importer.ImportMail] in the service. It imports the listings of a mail, and adds the outcome to the
// list of imports. It returns when everything is durable. The error is a *statusError if the mail is at fault.
type takeMail func(ctx context.Context, mail []byte, source string) (Counts, error)

// A mailProgress tells which mails of a mailbox have been read: those with a UID up to a number.
type mailProgress struct {
	Mailbox     string `json:"mailbox"` // its id; "" if no mail has been read
	UIDValidity uint32 `json:"uidvalidity"`
	UID         uint32 `json:"uid"`
	Since       string `json:"since,omitempty"` // during the first look: the date of the oldest mails to read
}

// A failedMail is a mail that could not be fetched.
type failedMail struct {
	uid   uint32
	tries int
}

const (
	firstDays  = 7 // the first look reads the mails of these days
	maxFetches = 4 // tries to fetch a mail before it is passed over: with the waits of backoff, after a quarter of an hour
)

// newMailReader returns a reader that continues as the mailbox.json next to the flats.json at path tells.
func newMailReader(importer *Importer, mailbox *Mailbox, path string, take takeMail) (*mailReader, error) {
	m := &mailReader{mailbox: mailbox, importer: importer, take: take}
	files := importer.store.writer.files
	if mailbox == nil || files == nil {
		return m, nil
	}
	var err error
	if m.file, err = openSideFile(files, path, "mailbox.json"); err != nil {
		return nil, err
	}
	if m.progress, err = readProgress(m.file.name, m.file.text); err != nil {
		m.progress = mailProgress{}
		importer.store.log.Warn("mailbox.json is damaged: the mails of the last days are read again", "file", m.file.name)
	}
	return m, nil
}

// inherit takes over the state of before, a stopped reader, if it has read the same mailbox.
func (m *mailReader) inherit(before *mailReader) {
	if m.mailbox == nil || before.mailbox == nil || m.mailbox.id() != before.mailbox.id() {
		return
	}
	m.failed = before.failed
	m.last, m.mails, m.listings, _ = before.state()
	m.others = before.fromOthers()
}

// readProgress reads the text of a mailbox.json, "" for none. Errors begin with its name.
func readProgress(name, text string) (progress mailProgress, err error) {
	if text == "" {
		return progress, nil
	}
	isDamaged := json.Unmarshal([]byte(text), &progress) != nil
	if progress.Since != "" {
		_, dayErr := time.Parse(time.DateOnly, progress.Since)
		isDamaged = isDamaged || dayErr != nil
	}
	if isDamaged {
		err = fmt.Errorf("%s: %w (remove the file to read the mails of the last %d days again)", name,
			unexpected("an object with mailbox, uidvalidity and uid", strings.TrimSpace(text)), firstDays)
	}
	return progress, err
}

// state returns when the mailbox was last read, or the zero time, the number of mails and of their
// listings since the start, and what is wrong since then.
func (m *mailReader) state() (last time.Time, mails, listings int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.last, m.mails, m.listings, m.err
}

// fromOthers returns the number of mails since the start that are from none of the senders.
func (m *mailReader) fromOthers() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.others
}

// run reads the mailbox, at start and regularly, until ctx is done. After a failure it waits.
func (m *mailReader) run(ctx context.Context) {
	if m.mailbox == nil {
		return
	}
	delay := time.Duration(0) // the wait after the last failure, or 0
	for ctx.Err() == nil {
		err := m.look(ctx)
		if ctx.Err() != nil {
			return
		}
		wait := m.mailbox.every
		if err == nil {
			delay = 0
		} else {
			delay = backoff(delay)
			wait = delay
		}
		if isNew := m.setResult(err); isNew {
			m.importer.store.log.Warn("the mailbox cannot be read", "err", err, "again_in", wait)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// setResult keeps the error of a look, or nil, and reports whether the error differs from the one before.
func (m *mailReader) setResult(err error) (isNew bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	isNew = err != nil && (m.err == nil || m.err.Error() != err.Error())
	m.err = err
	if err == nil {
		m.last = time.Now()
	}
	return isNew
}

// look reads the mails that have arrived since the last look, in the order of the mailbox.
func (m *mailReader) look(outer context.Context) error {
	ctx, cancel := context.WithCancel(outer)
	defer cancel() // closes the connection
	c, folder, err := m.open(ctx)
	if err != nil {
		return err
	}
	since := m.since(folder)
	found, newest, isSearched, err := m.find(c, folder, since)
	if err != nil {
		return err
	}
	for _, uid := range found {
		if err := m.importMail(outer, c, uid, isSearched); err != nil {
			return err
		}
		if err := m.advance(folder, uid, since); err != nil {
			return err
		}
		newest = max(newest, uid)
	}
	if err := m.advance(folder, newest, ""); err != nil {
		return err
	}
	c.Logout()
	return nil
}

// open connects to the server and opens the folder. The connection is closed when ctx is done.
func (m *mailReader) open(ctx context.Context) (c *imap.Client, folder imap.Folder, err error) {
	if c, err = m.mailbox.connect(ctx); err != nil {
		return nil, folder, err
	}
	folder, err = c.Examine(m.mailbox.folder)
	return c, folder, err
}

// withCertificateHint adds to the error of an unverified certificate how the config can trust it.
func withCertificateHint(err error) error {
	var unverified *tls.CertificateVerificationError
	if !errors.As(err, &unverified) {
		return err
	}
	return fmt.Errorf("%w: if the server is your own, save its certificate in a file and name that in mailbox.certificate",
		err)
}

// since returns the date of the oldest mails to read, or "" to read all that have arrived since the last look. For a
// mailbox that is new, or whose UIDs have come to mean other mails, it is some days ago. A look that was interrupted
// continues from the same date, because a folder may have old mails with high UIDs: a filter has moved them.
func (m *mailReader) since(folder imap.Folder) string {
	if m.knows(folder) {
		return m.progress.Since
	}
	return m.importer.store.now().UTC().AddDate(0, 0, -firstDays).Format(time.DateOnly)
}

// find returns the UIDs of the mails to read, and the highest UID that it has seen. It also reports whether the server
// has searched for the senders; if not, found has the mails of all senders.
func (m *mailReader) find(c *imap.Client, folder imap.Folder, since string) (found []uint32, newest uint32,
	isSearched bool, err error) {
	readUID := uint32(0)
	if m.knows(folder) {
		readUID = m.progress.UID
	}
	if since == "" {
		next := min(uint64(readUID)+1, math.MaxUint32)
		// The last mail is found even if its UID is below that range (RFC 3501, 6.4.8).
		found, isSearched, err = m.searchFrom(c, folder, fmt.Sprintf("UID %d:*", next), readUID)
		return found, readUID, isSearched, err
	}
	switch {
	case folder.Next < math.MaxUint32: // the server has told it
		newest = folder.Next - 1
	case folder.Mails > 0:
		// Ask this before the search, so that a mail that arrives in between does not count as read. The zero Folder makes
		// Search ask for the whole folder at once.
		last, err := c.Search(imap.Folder{}, "UID *")
		if err != nil {
			return nil, 0, false, err
		}
		newest = slices.Max(append(last, 0))
	}
	day, _ := time.Parse(time.DateOnly, since) // no error: readProgress has checked it
	found, isSearched, err = m.searchFrom(c, folder, "SINCE "+day.Format("2-Jan-2006"), readUID)
	return found, max(newest, readUID), isSearched, err
}

// searchFrom searches for mails of the senders with a UID above readUID. Some servers refuse such a search, or find
// nothing: then it returns all mails above readUID, and false.
func (m *mailReader) searchFrom(c *imap.Client, folder imap.Folder, criteria string, readUID uint32) (found []uint32,
	isSearched bool, err error) {
	keys := m.mailbox.fromKeys()
	if keys != "" {
		found, err = c.Search(folder, criteria+keys)
		found = uidsWithin(found, readUID, folder)
		hasFound := err == nil && len(found) > 0
		hasFailed := err != nil && !imap.IsRefused(err)
		if hasFound || hasFailed {
			return found, true, err
		}
	}
	found, err = c.Search(folder, criteria)
	isSearched = keys == "" // mails of all senders are wanted
	return uidsWithin(found, readUID, folder), isSearched, err
}

// uidsWithin returns the UIDs above readUID that the folder had when it was opened, and overwrites uids. The next look
// finds mails that have arrived since. They would be skipped if a higher UID that the server has made up counted as
// read.
func uidsWithin(uids []uint32, readUID uint32, folder imap.Folder) []uint32 {
	return slices.DeleteFunc(uids, func(uid uint32) bool { return uid <= readUID || uid >= folder.Next })
}

// importMail imports the listings of a mail. An error means that the mail must be read again.
func (m *mailReader) importMail(ctx context.Context, c *imap.Client, uid uint32, isSearched bool) error {
	text, isWanted, err := m.fetch(ctx, c, uid, isSearched)
	var counts Counts
	if errors.Is(err, imap.ErrTooLarge) {
		err = errLargeMail
	}
	switch {
	case errors.Is(err, errLargeMail), errors.Is(err, errFailedMail):
		m.importer.addOutcome(mailSource, counts, err, "")
		m.importer.store.log.Warn("a mail was passed over", "uid", uid, "err", err)
	case err != nil:
		return err
	case !isWanted:
		return nil // it was removed meanwhile, or somebody else has sent it
	default:
		counts, err = m.take(ctx, text, mailSource)
		var fault *statusError
		isMailAtFault := errors.As(err, &fault)
		if err != nil && !isMailAtFault {
			return err
		}
		if isMailAtFault { // the line has no error, which may quote the mail
			m.importer.store.log.Warn("a mail was passed over", "uid", uid)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mails++
	m.listings += counts.Added + counts.Updated + counts.Unchanged
	return nil
}

// fetch fetches a mail, and reports whether it is there and from one of the senders. isSearched says that the server
// has found the mail by its sender. A mail that has failed often is not fetched again, because all later ones wait for
// it. A try in which the network fails does not count.
func (m *mailReader) fetch(ctx context.Context, c *imap.Client, uid uint32, isSearched bool) (text []byte,
	isWanted bool, err error) {
	defer recoverError(&err)
	if m.failed.uid != uid {
		m.failed = failedMail{uid: uid}
	}
	if m.failed.tries == maxFetches {
		return nil, false, errFailedMail
	}
	m.failed.tries++ // taken back if the mail is fetched, or if the network has failed
	text, isWanted, err = m.fetchWanted(c, uid, isSearched)
	isTooLarge := errors.Is(err, imap.ErrTooLarge) // importMail passes it over at once
	switch {
	case err == nil || isTooLarge:
		m.failed = failedMail{}
	case !imap.IsAnswer(err) && !m.isReachable(ctx): // the network has failed
		m.failed.tries--
	}
	return text, isWanted, err
}

// fetchWanted fetches a mail, and reports whether it is from one of the senders. If the server has not searched for
// these, it fetches the mail's From first, and the rest only of wanted mails.
func (m *mailReader) fetchWanted(c *imap.Client, uid uint32, isSearched bool) (text []byte, isWanted bool, err error) {
	if !isSearched {
		header, isThere, err := c.Fetch(uid, imap.FromFields)
		switch {
		case err != nil && !imap.IsRefused(err):
			return nil, false, err
		case err != nil, len(bytes.TrimSpace(header)) == 0: // the server does not give the sender: fetch the whole mail
		case !m.mailbox.isFrom(header):
			m.countOther(isThere)
			return nil, false, nil
		}
	}
	text, isThere, err := c.Fetch(uid, imap.WholeMail)
	isWanted = err == nil && isThere && m.mailbox.isFrom(text)
	if err == nil && !isWanted {
		m.countOther(isThere)
	}
	return text, isWanted, err
}

// countOther counts a mail that is from none of the senders, if it is still there.
func (m *mailReader) countOther(isThere bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if isThere {
		m.others++
	}
}

// isReachable reports whether the folder can be opened now, over a new connection.
func (m *mailReader) isReachable(outer context.Context) bool {
	ctx, cancel := context.WithCancel(outer)
	defer cancel() // closes the connection
	c, _, err := m.open(ctx)
	if err == nil {
		c.Logout()
	}
	return err == nil
}

// errLargeMail is the error for a mail that is passed over because it is too large.
var errLargeMail = errorf(http.StatusRequestEntityTooLarge, "The mail is larger than %d bytes.", listing.MaxMail)

// errFailedMail is the error for a mail that was passed over because it could not be fetched.
var errFailedMail = fmt.Errorf("a mail was passed over: %d attempts to fetch it failed", maxFetches)

// advance stores that the mails up to a UID have been read, and the date of the oldest mails to read. It returns when
// that is durable.
func (m *mailReader) advance(folder imap.Folder, uid uint32, since string) error {
	progress := mailProgress{m.mailbox.id(), folder.Validity, uid, since}
	if m.knows(folder) && uid <= m.progress.UID && since == m.progress.Since {
		return nil
	}
	if err := m.importer.store.writeSide(m.file, encodeJSON(progress)+"\n"); err != nil {
		return err
	}
	m.progress = progress
	return nil
}

// knows reports whether mails of a folder have been read before, and their UIDs still mean the same mails. If they do,
// the next UID of the folder is above those of the mails that were read.
func (m *mailReader) knows(folder imap.Folder) bool {
	p := m.progress
	return p.Mailbox == m.mailbox.id() && p.UIDValidity == folder.Validity && p.UID < folder.Next
}
