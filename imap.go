// A client of IMAP (RFC 3501), as far as reading the mails of a folder needs it.

package main

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
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

const (
	maxResponses = 10_000           // responses of a mail server to one command
	maxSearched  = 5_000            // mails that one search covers: their UIDs fit into a line
	maxFolder    = 5_000_000        // mails of a folder: each look searches them all
	imapPatience = 30 * time.Second // the time in which a byte must arrive

	// A server that sends less keeps a look going. Even 2,000 mails over a slow line are much more.
	visitGrace = 5 * time.Minute // before the rate counts
	leastRate  = 16 << 10        // bytes a minute
	maxVisit   = 12 * time.Hour  // of waiting for a mail server in one look
)

// An imapServer says how to reach a mail server.
type imapServer struct {
	host, port string
	startTLS   bool           // whether the connection begins without TLS
	roots      *x509.CertPool // the certificates to trust, nil for those of the system
	dial       func(ctx context.Context, network, address string) (net.Conn, error)
}

// connect connects to a server with TLS. The connection is closed when ctx is done.
func (s *imapServer) connect(ctx context.Context) (*imapClient, error) {
	c, err := s.open(ctx)
	return c, imapFailure(s.host, err, "")
}

func (s *imapServer) open(ctx context.Context) (*imapClient, error) {
	conn, err := s.dial(ctx, "tcp", net.JoinHostPort(s.host, s.port))
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, func() { conn.Close() })
	c := newIMAPClient(s.host, &patientConn{Conn: conn})
	if s.startTLS {
		if err := c.startTLS(); err != nil {
			return nil, err
		}
	}
	secured := tls.Client(c.conn, &tls.Config{ServerName: s.host, RootCAs: s.roots})
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	c = newIMAPClient(s.host, secured)
	if s.startTLS {
		return c, nil // the greeting came before
	}
	return c, c.readGreeting()
}

// A patientConn fails if nothing arrives or leaves for imapPatience, and if the server is slower than
// leastRate altogether.
type patientConn struct {
	net.Conn
	waited   time.Duration // for the server
	received int64         // bytes
}

func (c *patientConn) Read(b []byte) (n int, err error) {
	err = c.wait(c.SetReadDeadline, func() error {
		n, err = c.Conn.Read(b)
		c.received += int64(n)
		return err
	})
	return n, err
}

func (c *patientConn) Write(b []byte) (n int, err error) {
	err = c.wait(c.SetWriteDeadline, func() error {
		n, err = c.Conn.Write(b)
		return err
	})
	return n, err
}

// wait calls f with a deadline. Time in which this program does other work does not count.
func (c *patientConn) wait(setDeadline func(time.Time) error, f func() error) error {
	allowed := min(visitGrace+time.Duration(c.received/leastRate)*time.Minute, maxVisit)
	start := time.Now()
	setDeadline(start.Add(min(imapPatience, allowed-c.waited)))
	err := f()
	c.waited += time.Since(start)
	if err != nil && c.waited >= allowed {
		return errSlowServer
	}
	return err
}

// An imapClient is a connection to a mail server, on which one command runs at a time. After an
// error other than errLargeMail no other command may follow. Errors name the host, and hold no
// text of the server, because that may repeat the user name, the password or the folder.
type imapClient struct {
	host     string
	conn     net.Conn
	in       *bufio.Reader
	commands int // the number of commands sent
}

func newIMAPClient(host string, conn net.Conn) *imapClient {
	return &imapClient{host: host, conn: conn, in: bufio.NewReaderSize(conn, maxIMAPLine)}
}

func (c *imapClient) readGreeting() (err error) {
	defer recovered(&err)
	r, err := readIMAP(c.in)
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
func (c *imapClient) startTLS() error {
	if err := c.readGreeting(); err != nil {
		return err
	}
	if err := c.command("STARTTLS", nil); err != nil {
		return err
	}
	if c.in.Buffered() > 0 {
		return errNotIMAP // somebody on the way may have added it
	}
	return nil
}

// login logs in with LOGIN or, if the server disables that or it cannot carry the texts, with
// AUTHENTICATE PLAIN.
func (c *imapClient) login(user, password string) error {
	isDisabled, hasID := false, false
	err := c.command("CAPABILITY", func(r imapResponse) error {
		words := r.words("CAPABILITY")
		isDisabled = isDisabled || slices.Contains(words, "LOGINDISABLED")
		hasID = hasID || slices.Contains(words, "ID")
		return nil
	})
	if err != nil {
		return imapFailure(c.host, err, "")
	}
	isPrintable := !strings.ContainsFunc(user+password, func(r rune) bool { return r < ' ' || r > '~' })
	if isPrintable && !isDisabled {
		err = c.command("LOGIN "+quoteIMAP(user)+" "+quoteIMAP(password), nil)
	} else {
		plain := base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
		err = c.command("AUTHENTICATE PLAIN", nil, plain)
	}
	if err == nil && hasID {
		// Some servers open no folder to a client without a name (RFC 2971). If one refuses the name, that
		// means nothing.
		if err = c.command(`ID ("name" "flats" "version" `+quoteIMAP(version)+")", nil); isRefused(err) {
			err = nil
		}
		return imapFailure(c.host, err, "")
	}
	return imapFailure(c.host, err, "check the user and the password; many providers want an app password, "+
		"and IMAP turned on in their settings")
}

// An imapFolder is what the server says about an open folder.
type imapFolder struct {
	validity uint32 // UIDVALIDITY: a UID means the same mail as long as this is the same
	next     uint32 // UIDNEXT: all mails have a lower UID, except those that arrive later; else the greatest number
	mails    uint32 // the number of mails
}

// examine opens a folder for reading only, which marks no mail as seen.
func (c *imapClient) examine(name string) (folder imapFolder, err error) {
	err = c.command("EXAMINE "+quoteIMAP(encodeFolder(name)), func(r imapResponse) error {
		_, code := r.status()
		if value, isValidity := strings.CutPrefix(code, "UIDVALIDITY "); isValidity {
			folder.validity = parseIMAPNumber(value)
		}
		if value, isNext := strings.CutPrefix(code, "UIDNEXT "); isNext {
			folder.next = parseIMAPNumber(value)
		}
		if number, isCount := r.count("EXISTS"); isCount {
			folder.mails = number
		}
		return nil
	})
	if err == nil && folder.validity == 0 {
		err = errNotIMAP
	}
	if err == nil && folder.mails > maxFolder {
		err = imapError{text: fmt.Sprintf("the folder has more than %d mails: use a smaller one", maxFolder)}
	}
	if folder.next == 0 {
		folder.next = math.MaxUint32 // not all servers say it
	}
	return folder, imapFailure(c.host, err, "check the folder in url, with the separators of the server, "+
		"such as INBOX/Flats or INBOX.Flats")
}

// search returns the UIDs of the mails in a folder that match criteria (RFC 3501, 6.4.4), in
// ascending order. It searches a large folder in parts, from the end: when mails are removed
// meanwhile, the others move to a part that comes later.
func (c *imapClient) search(folder imapFolder, criteria string) (uids []uint32, err error) {
	last := folder.mails
	for last > maxSearched {
		end := strconv.FormatUint(uint64(last), 10)
		if last == folder.mails {
			end = "*"
		}
		last -= maxSearched
		if uids, err = c.searchPart(uids, fmt.Sprintf("%d:%s %s", last+1, end, criteria)); err != nil {
			return nil, err
		}
	}
	if folder.mails > maxSearched {
		criteria = fmt.Sprintf("1:%d %s", last, criteria)
	}
	uids, err = c.searchPart(uids, criteria)
	slices.Sort(uids)
	return slices.Compact(uids), err
}

// searchPart appends the UIDs that one search finds.
func (c *imapClient) searchPart(uids []uint32, criteria string) ([]uint32, error) {
	limit := len(uids) + 2*maxSearched // some mails may have arrived since the folder was opened
	err := c.command("UID SEARCH "+criteria, func(r imapResponse) error {
		for _, word := range r.words("SEARCH") {
			uid := parseIMAPNumber(word)
			if uid == 0 || uid == math.MaxUint32 || len(uids) == limit { // no mail could come after the greatest UID
				return errNotIMAP
			}
			uids = append(uids, uid)
		}
		return nil
	})
	return uids, imapFailure(c.host, err, "")
}

// fetch returns a section of the mail with a UID, and reports whether the mail is still there. It does
// not mark it as seen.
func (c *imapClient) fetch(uid uint32, section string) (text []byte, isThere bool, err error) {
	var got imapMail
	err = c.command(fmt.Sprintf("UID FETCH %d BODY.PEEK[%s]", uid, section), func(r imapResponse) error {
		m, err := r.mail(section)
		if err != nil || !m.hasBody {
			return err // others tell that a flag of a mail has changed
		}
		got = m
		if m.uid != uid && m.uid != 0 { // some servers leave it out
			return errNotIMAP
		}
		return nil
	})
	if err == nil && got.isLarge {
		return nil, true, errLargeMail
	}
	return got.body, got.hasBody, imapFailure(c.host, err, "")
}

// logout ends the session. Everything has been answered before, so errors mean nothing.
func (c *imapClient) logout() { c.command("LOGOUT", nil) }

// command sends a command, and calls each with the untagged responses until the command has
// ended. It sends the further lines when the server asks for them.
func (c *imapClient) command(line string, each func(imapResponse) error, further ...string) (err error) {
	defer recovered(&err)
	c.commands++
	tag := fmt.Sprintf("a%d", c.commands)
	if err := c.send(tag + " " + line); err != nil {
		return err
	}
	for range maxResponses {
		r, err := readIMAP(c.in)
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
	return imapError{text: fmt.Sprintf("the answer has more than %d responses", maxResponses)}
}

func (c *imapClient) send(line string) error {
	_, err := io.WriteString(c.conn, line+"\r\n")
	return err
}

// errLargeMail is the error for a mail that was passed over.
var errLargeMail = fail(http.StatusRequestEntityTooLarge, "The mail is larger than %d bytes.", maxMail)

// errSlowServer is the error for a server that only seems to answer.
var errSlowServer = imapError{text: fmt.Sprintf("the server is too slow: it sends fewer than %d bytes a minute, "+
	"or needs more than %v", leastRate, maxVisit)}

// newRefusal returns an error for an answer of NO, BAD or BYE.
func newRefusal(what, status, code string) imapError {
	if slices.Contains(imapCodes, code) { // another may be any text
		status += " " + code
	}
	return imapError{text: what + " was answered with " + status, isRefusal: true}
}

// imapCodes are the codes of refusals that errors show (RFC 3501, 7.1, and RFC 5530).
var imapCodes = []string{"ALERT", "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "CANNOT", "CLIENTBUG",
	"CONTACTADMIN", "EXPIRED", "INUSE", "LIMIT", "NONEXISTENT", "NOPERM", "OVERQUOTA", "PRIVACYREQUIRED", "SERVERBUG",
	"UNAVAILABLE"}

// imapFailure adds the host to an error and, if the server has refused a command, what to do.
func imapFailure(host string, err error, hint string) error {
	var own imapError
	var network *net.OpError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own) && own.isRefusal && hint != "":
		return fmt.Errorf("%s: %w: %s", host, err, hint)
	case errors.As(err, &own):
		return fmt.Errorf("%s: %w", host, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the connection was closed", host)
	case errors.As(err, &network) && network.Op != "dial" && !network.Timeout():
		return fmt.Errorf("%s: %w", host, network.Err) // the rest differs each time: it has our port
	}
	return fmt.Errorf("%s: %s", host, reason(err))
}

// isRefused reports whether an error is that the server has refused a command.
func isRefused(err error) bool {
	var own imapError
	return errors.As(err, &own) && own.isRefusal
}

// isAnswer reports whether an error is about what the server has answered, and not about the connection.
func isAnswer(err error) bool {
	var own imapError
	return errors.As(err, &own) && own != errSlowServer
}

// quoteIMAP returns printable ASCII as a quoted string.
func quoteIMAP(text string) string {
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
