// A mail server that misbehaves as a test wants.

package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// An imapFake is a mail server with one folder. Tests must hold mu to change it while it is used.
type imapFake struct {
	*testing.T
	certificate tls.Certificate
	roots       *x509.CertPool

	mu         sync.Mutex
	greeting   string
	folder     string // as it is sent
	validity   uint32
	mails      []fakeMail    // in ascending order of their UIDs
	next       uint32        // what it says of the next UID, 0 for the truth
	isSilent   bool          // it says nothing of the next UID
	delay      time.Duration // before each answer
	override   func(command string) (answer string, isAnswered bool)
	commands   []string // received, without their tags
	connected  []time.Time
	wantsID    bool // before it opens a folder
	isNamed    bool // whether it got an ID
	wasSecured bool // whether the last command came over TLS
}

type fakeMail struct {
	uid  uint32
	at   time.Time
	text string
}

// hang is an answer that never ends, hangUp one that ends with the connection, and what follows drip is
// repeated every five seconds.
const (
	hang   = "\x00hang"
	hangUp = "\x00end"
	drip   = "\x00drip"
)

// newIMAPFake returns a server with mails of now, whose UIDs begin at 1. It knows the user hunter.
func newIMAPFake(t *testing.T, mails ...string) *imapFake {
	s := &imapFake{T: t, greeting: "* OK ready\r\n", folder: "Flats", validity: 7, roots: x509.NewCertPool()}
	secure := httptest.NewUnstartedServer(nil) // its certificate is for example.com
	secure.StartTLS()
	s.certificate = secure.TLS.Certificates[0]
	s.roots.AddCert(secure.Certificate())
	secure.Close()
	s.add(mails...)
	return s
}

// answerWith makes an answer that of the commands that begin with command, or the greeting if command is "".
func (s *imapFake) answerWith(command, answer string) {
	if command == "" {
		s.greeting = answer
	}
	s.override = func(line string) (string, bool) {
		return answer, command != "" && strings.HasPrefix(line, command)
	}
}

// add adds mails of now.
func (s *imapFake) add(texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		s.mails = append(s.mails, fakeMail{s.nextUID(), time.Now(), text})
	}
}

// nextUID returns the UID of the next mail.
func (s *imapFake) nextUID() uint32 {
	if len(s.mails) == 0 {
		return 1
	}
	return s.mails[len(s.mails)-1].uid + 1
}

// server returns how to reach s.
func (s *imapFake) server(startTLS bool) imapServer {
	return imapServer{host: "example.com", port: "993", startTLS: startTLS, roots: s.roots, dial: s.dial}
}

// dial connects to s. The connection has TLS from its begin if the port is that of imaps.
func (s *imapFake) dial(_ context.Context, _, address string) (net.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.connected = append(s.connected, time.Now())
	client, server := net.Pipe()
	_, port, _ := net.SplitHostPort(address)
	go s.serve(server, port == "143")
	return client, nil
}

func (s *imapFake) config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{s.certificate}}
}

// serve answers the commands of a connection.
func (s *imapFake) serve(conn net.Conn, isPlain bool) {
	defer conn.Close()
	if !isPlain {
		conn = tls.Server(conn, s.config())
	}
	if !s.send(conn, s.greeting) {
		return
	}
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		tag, command, isCommand := strings.Cut(strings.TrimSuffix(line, "\r\n"), " ")
		if !isCommand { // a further line
			command = tag
		}
		s.mu.Lock()
		s.commands = append(s.commands, command)
		answer := strings.ReplaceAll(s.answer(command), "$", tag)
		s.wasSecured = !isPlain
		s.mu.Unlock()
		if !s.send(conn, answer) {
			return
		}
		if command == "STARTTLS" && strings.Contains(answer, " OK") {
			conn, isPlain = tls.Server(conn, s.config()), false
			in = bufio.NewReader(conn)
		}
	}
}

// send sends an answer, and reports whether the connection goes on.
func (s *imapFake) send(conn net.Conn, answer string) bool {
	time.Sleep(s.delay)
	answer, repeated, drips := strings.Cut(answer, drip)
	before, _, hangs := strings.Cut(answer, hang)
	before, _, ends := strings.Cut(before, hangUp)
	if _, err := conn.Write([]byte(before)); err != nil || ends {
		return false
	}
	for drips {
		if _, err := conn.Write([]byte(repeated)); err != nil {
			return false
		}
		time.Sleep(5 * time.Second)
	}
	if hangs {
		conn.Read(make([]byte, 1)) // the client closes the connection
		return false
	}
	return true
}

var uidCommand = regexp.MustCompile(`^UID FETCH (\d+) BODY\.PEEK\[(.*)\]$`)

// answer returns the answer to a command, in which $ is the tag.
func (s *imapFake) answer(command string) string {
	if s.override != nil {
		if answer, isAnswered := s.override(command); isAnswered {
			return answer
		}
	}
	name, _, _ := strings.Cut(command, " ")
	switch fetch := uidCommand.FindStringSubmatch(command); {
	case name == "CAPABILITY":
		return "* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN ID\r\n$ OK done\r\n"
	case name == "ID":
		s.isNamed = true
		return "* ID NIL\r\n$ OK done\r\n"
	case command == `LOGIN "hunter" "secret-1"`, command == "STARTTLS":
		s.isNamed = false
		return "$ OK done\r\n"
	case name == "EXAMINE" && s.wantsID && !s.isNamed:
		return "$ NO Unsafe Login\r\n"
	case command == `EXAMINE "`+s.folder+`"`:
		next := fmt.Sprintf("* OK [UIDNEXT %d] next\r\n", cmp.Or(s.next, s.nextUID()))
		if s.isSilent {
			next = ""
		}
		return fmt.Sprintf("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY %d] valid\r\n%s$ OK [READ-ONLY] done\r\n",
			len(s.mails), s.validity, next)
	case strings.HasPrefix(command, "UID SEARCH "):
		return "* SEARCH" + s.search(command) + "\r\n* 3 FETCH (FLAGS (\\Seen))\r\n$ OK done\r\n"
	case fetch != nil:
		uid, _ := strconv.ParseUint(fetch[1], 10, 32)
		return s.fetch(uint32(uid), fetch[2]) + "$ OK done\r\n"
	case name == "LOGOUT":
		return "* BYE see you\r\n$ OK done\r\n"
	}
	return "$ NO [AUTHENTICATIONFAILED] " + command + "\r\n"
}

var (
	sinceKey = regexp.MustCompile(`SINCE (\S+)`)
	uidKey   = regexp.MustCompile(`UID (\d+):\*`)
	fromKey  = regexp.MustCompile(`FROM "(.*?)"`)
	rangeKey = regexp.MustCompile(`^(\d+):(\d+|\*) `)
)

// search returns the UIDs that a search finds.
func (s *imapFake) search(command string) (found string) {
	keys := strings.TrimPrefix(command, "UID SEARCH ")
	first, last := 1, len(s.mails)
	if part := rangeKey.FindStringSubmatch(keys); part != nil {
		first, _ = strconv.Atoi(part[1])
		if part[2] != "*" {
			last, _ = strconv.Atoi(part[2])
		}
	}
	for i, m := range s.mails {
		fits := i+1 >= first && i+1 <= last
		if since := sinceKey.FindStringSubmatch(keys); since != nil {
			day, err := time.Parse("2-Jan-2006", since[1])
			fits = fits && err == nil && !m.at.Before(day)
		}
		isLast := i == len(s.mails)-1 // the last mail is in every range that ends with *
		if uid := uidKey.FindStringSubmatch(keys); uid != nil {
			n, _ := strconv.ParseUint(uid[1], 10, 32)
			fits = fits && (uint64(m.uid) >= n || isLast)
		} else if strings.Contains(keys, "UID *") {
			fits = fits && isLast
		}
		if senders := fromKey.FindAllStringSubmatch(keys, -1); senders != nil {
			header, _, _ := strings.Cut(m.text, "\r\n\r\n")
			isSender := func(key []string) bool { return strings.Contains(strings.ToLower(header), key[1]) }
			fits = fits && slices.ContainsFunc(senders, isSender)
		}
		if fits {
			found += fmt.Sprintf(" %d", m.uid)
		}
	}
	return found
}

// fetch returns the response with a section of a mail, or nothing if there is none.
func (s *imapFake) fetch(uid uint32, section string) string {
	i := slices.IndexFunc(s.mails, func(m fakeMail) bool { return m.uid == uid })
	if i < 0 {
		return ""
	}
	text := s.mails[i].text
	if section == fromFields {
		header, _, _ := strings.Cut(text, "\r\n\r\n")
		text = regexp.MustCompile(`(?m)^From:.*$(\n .*$)*`).FindString(header) + "\n\r\n"
	}
	return fmt.Sprintf("* %d FETCH (UID %d BODY[%s] {%d}\r\n%s)\r\n", i+1, uid, section, len(text), text)
}

// listen serves s over TCP, and returns the port.
func (s *imapFake) listen() int {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn, false)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

// count returns how many commands begin with a text.
func (s *imapFake) count(start string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, command := range s.commands {
		if strings.HasPrefix(command, start) {
			n++
		}
	}
	return n
}
