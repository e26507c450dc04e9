// Package imap is a client of mail servers (IMAP, RFC 3501). It has only what it takes to read the mails of a folder,
// and marks no mail as seen.
//
//	client, err := server.Connect(ctx)        // with TLS, always
//	err = client.Login(user, password)
//	folder, err := client.Examine("INBOX")
//	uids, err := client.Search(folder, "SINCE 1-Feb-2026")
//	mail, isThere, err := client.Fetch(uids[0], imap.WholeMail)
//
// What a server sends is bounded: lines, responses, the size of a mail, and the time in which a byte must arrive.
// Errors name the host, and hold no text of the server, which might repeat the user, the password or the folder.
package imap

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Patience is the time in which a byte must arrive.
const Patience = 30 * time.Second

const (
	maxResponses = 10_000    // responses of a mail server to one command
	maxSearched  = 5_000     // mails that one search covers: their UIDs fit into a line
	maxFolder    = 5_000_000 // mails of a folder: 1,000 commands of Search

	// A server that sends a byte from time to time must not keep a connection open for ever. A slow line is much faster
	// than leastRate.
	visitGrace = 5 * time.Minute // of waiting for the server before leastRate counts
	leastRate  = 16 << 10        // bytes a minute
	maxVisit   = 12 * time.Hour  // of waiting for the server in one connection
)

// A Server says how to reach a mail server. It may be used by several goroutines at once.
type Server struct {
	Host, Port string         // Host is also the name that its certificate must have
	StartTLS   bool           // whether the connection begins without TLS
	Version    string         // the version of this program, for servers that want to know who asks
	MaxMail    int            // the bytes of a mail; larger ones are passed over
	Roots      *x509.CertPool // the certificates to trust, nil for the system's
	// Dial connects to Host and Port, as net.Dialer.DialContext does. It must be set.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Connect connects to a server with TLS, from the start or after STARTTLS. The connection is closed when ctx is done.
func (s *Server) Connect(ctx context.Context) (*Client, error) {
	c, err := s.open(ctx)
	return c, withHost(s.Host, err, noHint)
}

// open is Connect without the host in its errors.
func (s *Server) open(ctx context.Context) (*Client, error) {
	conn, err := s.Dial(ctx, "tcp", net.JoinHostPort(s.Host, s.Port))
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	c := s.newClient(&patientConn{Conn: conn})
	if s.StartTLS {
		if err := c.startTLS(); err != nil {
			return nil, err
		}
	}
	secured := tls.Client(c.conn, &tls.Config{ServerName: s.Host, RootCAs: s.Roots})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	c = s.newClient(secured)
	if s.StartTLS {
		return c, nil // the greeting came before
	}
	if err := c.readGreeting(); err != nil {
		return nil, err
	}
	return c, nil
}

// A patientConn fails if nothing arrives or leaves for Patience, if the server sends fewer bytes than leastRate on
// average after visitGrace, or if the waits for it add up to maxVisit.
type patientConn struct {
	net.Conn
	waited   time.Duration // for the server
	received int64         // bytes
}

func (c *patientConn) Read(b []byte) (n int, err error) {
	err = c.withDeadline(c.SetReadDeadline, func() error {
		n, err = c.Conn.Read(b)
		c.received += int64(n)
		return err
	})
	return n, err
}

func (c *patientConn) Write(b []byte) (n int, err error) {
	err = c.withDeadline(c.SetWriteDeadline, func() error {
		n, err = c.Conn.Write(b)
		return err
	})
	return n, err
}

// withDeadline calls f, which waits for the server, with a deadline. Time between the calls does not count.
func (c *patientConn) withDeadline(setDeadline func(time.Time) error, f func() error) error {
	mayWait := min(visitGrace+time.Duration(c.received/leastRate)*time.Minute, maxVisit)
	start := time.Now()
	setDeadline(start.Add(min(Patience, mayWait-c.waited)))
	err := f()
	c.waited += time.Since(start)
	if err != nil && c.waited >= mayWait {
		return errSlowServer
	}
	return err
}

// A Client is a connection to a mail server, on which one command runs at a time. After an error no other command may
// follow, unless it is ErrTooLarge or a refusal (IsRefused).
type Client struct {
	host     string
	version  string // of this program
	maxMail  int
	conn     net.Conn
	in       *bufio.Reader
	commands int // the number of commands sent
}

func (s *Server) newClient(conn net.Conn) *Client {
	return &Client{host: s.Host, version: s.Version, maxMail: s.MaxMail, conn: conn,
		in: bufio.NewReaderSize(conn, maxLine)}
}

func (c *Client) readGreeting() (err error) {
	defer endWith(&err)
	r, err := readResponse(c.in, c.maxMail)
	if err != nil {
		return err
	}
	switch status, code := r.status(); {
	case r.tag == "*" && status == "OK":
		return nil
	case r.tag == "*" && status == "BYE":
		return newRefusal("the connection", status, code)
	}
	return errNotIMAP // also for PREAUTH, with which the server says that somebody is logged in already
}

// startTLS asks the server to continue with TLS.
func (c *Client) startTLS() error {
	if err := c.readGreeting(); err != nil {
		return err
	}
	if err := c.command("STARTTLS", nil); err != nil {
		return err
	}
	if c.in.Buffered() > 0 {
		return errNotIMAP // it has come without TLS: an attacker may have added it
	}
	return nil
}

// Login logs in with LOGIN or, if the server disables that or a text is not printable ASCII, with AUTHENTICATE PLAIN.
func (c *Client) Login(user, password string) error {
	isDisabled, hasID := false, false
	err := c.command("CAPABILITY", func(r response) error {
		words := r.words("CAPABILITY")
		isDisabled = isDisabled || slices.Contains(words, "LOGINDISABLED")
		hasID = hasID || slices.Contains(words, "ID")
		return nil
	})
	if err != nil {
		return withHost(c.host, err, noHint)
	}
	isPrintable := !strings.ContainsFunc(user+password, func(r rune) bool { return r < ' ' || r > '~' })
	if isPrintable && !isDisabled {
		err = c.command("LOGIN "+Quote(user)+" "+Quote(password), nil)
	} else {
		plain := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
		err = c.command("AUTHENTICATE PLAIN", nil, plain)
	}
	if err == nil && hasID {
		// Some servers open no folder to a client without a name (RFC 2971). A refusal of the name means nothing.
		if err = c.command(`ID ("name" "flats" "version" `+Quote(c.version)+")", nil); IsRefused(err) {
			err = nil
		}
		return withHost(c.host, err, noHint)
	}
	return withHost(c.host, err, "check the user and the password; many providers want an app password, "+
		"and IMAP turned on in their settings")
}

// A Folder is what the server says about an open folder.
type Folder struct {
	Validity uint32 // UIDVALIDITY: a UID means the same mail as long as this is the same
	Next     uint32 // UIDNEXT: all mails have a lower UID until more arrive; MaxUint32 if unknown
	Mails    uint32 // the number of mails
}

// Examine opens a folder for reading only, which marks no mail as seen.
func (c *Client) Examine(name string) (folder Folder, err error) {
	err = c.command("EXAMINE "+Quote(encodeFolder(name)), func(r response) error {
		_, code := r.status()
		if value, isValidity := strings.CutPrefix(code, "UIDVALIDITY "); isValidity {
			folder.Validity = parseNumber(value)
		}
		if value, isNext := strings.CutPrefix(code, "UIDNEXT "); isNext {
			folder.Next = parseNumber(value)
		}
		if number, isCount := r.count("EXISTS"); isCount {
			folder.Mails = number
		}
		return nil
	})
	if err == nil && folder.Validity == 0 {
		err = errNotIMAP
	}
	if err == nil && folder.Mails > maxFolder {
		err = serverError{text: fmt.Sprintf("the folder has more than %d mails: use a smaller one", maxFolder)}
	}
	if folder.Next == 0 {
		folder.Next = math.MaxUint32 // not all servers say it
	}
	return folder, withHost(c.host, err, "check the folder in url, with the separators of the server, "+
		"such as INBOX/Flats or INBOX.Flats")
}

// Search returns the UIDs of the mails in a folder that match criteria (RFC 3501, 6.4.4), in
// ascending order. It searches a large folder in parts of maxSearched mails, the last mails first.
// When a mail is removed meanwhile, the mails after it get lower numbers. So no mail moves from a
// part that is still to come to one that has been searched.
func (c *Client) Search(folder Folder, criteria string) (uids []uint32, err error) {
	last := folder.Mails
	for last > maxSearched {
		end := strconv.FormatUint(uint64(last), 10)
		if last == folder.Mails {
			end = "*" // includes mails that have arrived since the folder was opened
		}
		last -= maxSearched
		if uids, err = c.searchPart(uids, fmt.Sprintf("%d:%s %s", last+1, end, criteria)); err != nil {
			return nil, err
		}
	}
	if folder.Mails > maxSearched {
		criteria = fmt.Sprintf("1:%d %s", last, criteria)
	}
	uids, err = c.searchPart(uids, criteria)
	slices.Sort(uids)
	return slices.Compact(uids), err
}

// searchPart appends the UIDs that one search finds.
func (c *Client) searchPart(uids []uint32, criteria string) ([]uint32, error) {
	limit := len(uids) + 2*maxSearched // some mails may have arrived since the folder was opened
	err := c.command("UID SEARCH "+criteria, func(r response) error {
		for _, word := range r.words("SEARCH") {
			uid := parseNumber(word)
			if uid == 0 || uid == math.MaxUint32 || len(uids) == limit { // no mail could come after the greatest UID
				return errNotIMAP
			}
			uids = append(uids, uid)
		}
		return nil
	})
	return uids, withHost(c.host, err, noHint)
}

// Fetch returns a section of the mail with a UID, and reports whether the mail is still there. The error is
// ErrTooLarge if the section is larger than Server.MaxMail; the session can still be used.
func (c *Client) Fetch(uid uint32, section string) (text []byte, isThere bool, err error) {
	var got fetchedMail
	err = c.command(fmt.Sprintf("UID FETCH %d BODY.PEEK[%s]", uid, section), func(r response) error {
		m, err := r.mail(section)
		if err != nil || !m.hasBody {
			return err // other responses tell that flags of a mail have changed
		}
		got = m
		if m.uid != uid && m.uid != 0 { // some servers leave it out
			return errNotIMAP
		}
		return nil
	})
	if err == nil && got.isLarge {
		return nil, true, ErrTooLarge
	}
	return got.body, got.hasBody, withHost(c.host, err, noHint)
}

// Logout ends the session. All other commands have been answered by then, so errors mean nothing.
func (c *Client) Logout() { c.command("LOGOUT", nil) }

// command sends a command, and calls each with the untagged responses until the command has
// ended. It sends the further lines when the server asks for them.
func (c *Client) command(line string, each func(response) error, further ...string) (err error) {
	defer endWith(&err)
	c.commands++
	tag := fmt.Sprintf("a%d", c.commands)
	if err := c.send(tag + " " + line); err != nil {
		return err
	}
	for range maxResponses {
		r, err := readResponse(c.in, c.maxMail)
		if err != nil {
			return err
		}
		status, code := r.status()
		isEnd := r.tag == tag
		switch {
		case isEnd && status == "OK" && len(further) == 0:
			return nil
		case isEnd && (status == "NO" || status == "BAD"), r.tag == "*" && status == "BYE":
			name, _, _ := strings.Cut(strings.TrimPrefix(line, "UID "), " ")
			return newRefusal(name, status, code)
		case r.tag == "+" && len(further) > 0:
			if err := c.send(further[0]); err != nil {
				return err
			}
			further = further[1:]
		case r.tag != "*":
			return errNotIMAP
		case each != nil:
			if err := each(r); err != nil {
				return err
			}
		}
	}
	return serverError{text: fmt.Sprintf("the answer has more than %d responses", maxResponses)}
}

func (c *Client) send(line string) error {
	_, err := io.WriteString(c.conn, line+"\r\n")
	return err
}

// endWith turns a panic into an error: what a server sends must not end the program.
func endWith(err *error) {
	if what := recover(); what != nil {
		*err = fmt.Errorf("internal error: %v", what)
	}
}

// ErrTooLarge is the error of Fetch for a mail with more bytes than Server.MaxMail.
var ErrTooLarge = errors.New("the mail is too large")

// errSlowServer is the error for a server that is slower than leastRate, or for which maxVisit was spent on waiting.
var errSlowServer = serverError{text: fmt.Sprintf("the server is too slow: it sends fewer than %d bytes a minute, "+
	"or needs more than %v", leastRate, maxVisit)}

// newRefusal returns an error for an answer of NO, BAD or BYE.
func newRefusal(what, status, code string) serverError {
	if slices.Contains(refusalCodes, code) { // other codes may be any text
		status += " " + code
	}
	return serverError{text: what + " was answered with " + status, isRefusal: true}
}

// refusalCodes are the codes of refusals that errors show (RFC 3501, 7.1, and RFC 5530).
var refusalCodes = []string{"ALERT", "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "CANNOT", "CLIENTBUG",
	"CONTACTADMIN", "EXPIRED", "INUSE", "LIMIT", "NONEXISTENT", "NOPERM", "OVERQUOTA", "PRIVACYREQUIRED", "SERVERBUG",
	"UNAVAILABLE"}

// noHint is the hint of withHost for commands whose refusal the user can do nothing about.
const noHint = ""

// withHost adds the host to an error and, if the server has refused a command, a hint for the user.
func withHost(host string, err error, hint string) error {
	var own serverError
	var network *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own) && own.isRefusal && hint != noHint:
		return fmt.Errorf("%s: %w: %s", host, err, hint)
	case errors.As(err, &own):
		return fmt.Errorf("%s: %w", host, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the connection was closed", host)
	case errors.As(err, &certificate):
		return fmt.Errorf("%s: %w", host, certificate)
	case errors.As(err, &network) && network.Op != "dial" && !network.Timeout():
		return fmt.Errorf("%s: %w", host, network.Err) // the rest differs each time: it has our port
	}
	return fmt.Errorf("%s: %s", host, networkReason(err))
}

// networkReason returns why there is no answer. It shows no text of an answer that is not valid.
func networkReason(err error) string {
	var network *net.OpError
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no answer in time"
	case errors.As(err, &network):
		return network.Error()
	}
	return "no valid answer"
}

// IsRefused reports whether an error means that the server has refused a command. The session can still be used,
// unless the server has ended it with BYE: then the next command fails.
func IsRefused(err error) bool {
	var own serverError
	return errors.As(err, &own) && own.isRefusal
}

// IsAnswer reports whether an error is about what the server has answered, and not about the connection.
func IsAnswer(err error) bool {
	var own serverError
	return errors.As(err, &own) && own != errSlowServer
}

// Quote returns printable ASCII as a quoted string, for the criteria of a search.
func Quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// encodeFolder returns the name of a folder in modified UTF-7 (RFC 3501, 5.1.3): printable ASCII
// as it is, but & as &-, and all other characters as UTF-16 in base64, between & and -.
func encodeFolder(name string) string {
	var b strings.Builder
	var pending []byte // characters to be encoded, in UTF-16
	flush := func() {
		if len(pending) > 0 {
			b.WriteString("&" + folderEncoding.EncodeToString(pending) + "-")
			pending = nil
		}
	}
	for _, r := range name {
		if r < ' ' || r > '~' {
			for _, unit := range utf16.AppendRune(nil, r) {
				pending = append(pending, byte(unit>>8), byte(unit))
			}
			continue
		}
		flush()
		b.WriteRune(r)
		if r == '&' {
			b.WriteByte('-')
		}
	}
	flush()
	return b.String()
}

// folderEncoding is base64 without padding, and with a comma for the slash.
var folderEncoding = base64.NewEncoding(
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,").WithPadding(base64.NoPadding)
