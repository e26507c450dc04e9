// Package imaptest is a mail server that misbehaves as a test wants.
package imaptest

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

// A Server is a mail server with one folder. Tests must hold Mu to change it while it is used.
type Server struct {
	*testing.T
	Certificate tls.Certificate
	Roots       *x509.CertPool

	Mu         sync.Mutex
	Greeting   string
	Folder     string        // as it is sent
	Validity   uint32        // the UIDVALIDITY of the folder: with another one, all UIDs are new
	Mails      []Mail        // in ascending order of their UIDs
	Next       uint32        // what it says is the next UID; if 0, the real one
	IsSilent   bool          // whether it does not say the next UID
	Delay      time.Duration // before each answer
	Commands   []string      // received, without their tags
	Connected  []time.Time
	WantsID    bool // whether it opens a folder only after an ID
	gotID      bool // since the login
	WasSecured bool // whether the last command came over TLS

	// Override may answer a command in place of the server. The command comes without its tag.
	Override func(command string) (answer string, isAnswered bool)
}

// A Mail is a mail in the folder, with the time at which it arrived.
type Mail struct {
	UID  uint32
	At   time.Time
	text string
}

// Hang keeps the server from going on with an answer, HangUp makes it close the connection, and Drip makes it repeat
// what follows every five seconds.
const (
	Hang   = "\x00hang"
	HangUp = "\x00end"
	Drip   = "\x00drip"
)

// NewServer returns a server with mails that arrive now, whose UIDs begin at 1. It knows the user hunter.
func NewServer(t *testing.T, mails ...string) *Server {
	s := &Server{T: t, Greeting: "* OK ready\r\n", Folder: "Flats", Validity: 7, Roots: x509.NewCertPool()}
	secure := httptest.NewUnstartedServer(nil) // its certificate is for example.com
	secure.StartTLS()
	s.Certificate = secure.TLS.Certificates[0]
	s.Roots.AddCert(secure.Certificate())
	secure.Close()
	s.Add(mails...)
	return s
}

// AnswerWith sets the answer to commands that start with a text, or the greeting if command is "". It replaces
// Override, and so the answer that an earlier call has set.
func (s *Server) AnswerWith(command, answer string) {
	if command == "" {
		s.Greeting = answer
	}
	s.Override = func(line string) (string, bool) {
		return answer, command != "" && strings.HasPrefix(line, command)
	}
}

// Add adds mails that arrive now.
func (s *Server) Add(texts ...string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, text := range texts {
		s.Mails = append(s.Mails, Mail{s.nextUID(), time.Now(), text})
	}
}

// nextUID returns the UID of the next mail.
func (s *Server) nextUID() uint32 {
	if len(s.Mails) == 0 {
		return 1
	}
	return s.Mails[len(s.Mails)-1].UID + 1
}

// Dial connects to s. The connection uses TLS from the start, except on port 143.
func (s *Server) Dial(_ context.Context, _, address string) (net.Conn, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Connected = append(s.Connected, time.Now())
	client, server := net.Pipe()
	_, port, _ := net.SplitHostPort(address)
	isPlain := port == "143"
	go s.serve(server, isPlain)
	return client, nil
}

func (s *Server) tlsConfig() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{s.Certificate}}
}

// serve answers the commands of a connection, which begins without TLS if isPlain.
func (s *Server) serve(conn net.Conn, isPlain bool) {
	defer conn.Close()
	if !isPlain {
		conn = tls.Server(conn, s.tlsConfig())
	}
	if !s.send(conn, s.Greeting) {
		return
	}
	in := bufio.NewReader(conn)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		tag, command, isCommand := strings.Cut(strings.TrimSuffix(line, "\r\n"), " ")
		if !isCommand { // a line that continues a command
			command = tag
		}
		s.Mu.Lock()
		s.Commands = append(s.Commands, command)
		answer := strings.ReplaceAll(s.answer(command), "$", tag)
		s.WasSecured = !isPlain
		s.Mu.Unlock()
		if !s.send(conn, answer) {
			return
		}
		if command == "STARTTLS" && strings.Contains(answer, " OK") {
			conn, isPlain = tls.Server(conn, s.tlsConfig()), false
			in = bufio.NewReader(conn)
		}
	}
}

// send sends an answer, and reports whether the connection stays open.
func (s *Server) send(conn net.Conn, answer string) bool {
	time.Sleep(s.Delay)
	answer, repeated, drips := strings.Cut(answer, Drip)
	before, _, hangs := strings.Cut(answer, Hang)
	before, _, ends := strings.Cut(before, HangUp)
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
func (s *Server) answer(command string) string {
	if s.Override != nil {
		if answer, isAnswered := s.Override(command); isAnswered {
			return answer
		}
	}
	name, _, _ := strings.Cut(command, " ")
	switch fetch := uidCommand.FindStringSubmatch(command); {
	case name == "CAPABILITY":
		return "* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN ID\r\n$ OK done\r\n"
	case name == "ID":
		s.gotID = true
		return "* ID NIL\r\n$ OK done\r\n"
	case command == `LOGIN "hunter" "secret-1"`, command == "STARTTLS":
		s.gotID = false
		return "$ OK done\r\n"
	case name == "EXAMINE" && s.WantsID && !s.gotID:
		return "$ NO Unsafe Login\r\n"
	case command == `EXAMINE "`+s.Folder+`"`:
		next := fmt.Sprintf("* OK [UIDNEXT %d] next\r\n", cmp.Or(s.Next, s.nextUID()))
		if s.IsSilent {
			next = ""
		}
		return fmt.Sprintf("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY %d] valid\r\n%s$ OK [READ-ONLY] done\r\n",
			len(s.Mails), s.Validity, next)
	case name == "LIST":
		return "* LIST (\\Noselect) \"/\" \"[Mail]\"\r\n* LIST () \"/\" \"" + s.Folder + "\"\r\n" +
			"* LIST (\\HasNoChildren) \"/\" INBOX\r\n$ OK done\r\n"
	case strings.HasPrefix(command, "UID SEARCH "):
		return "* SEARCH" + s.Search(command) + "\r\n* 3 FETCH (FLAGS (\\Seen))\r\n$ OK done\r\n"
	case fetch != nil:
		uid, _ := strconv.ParseUint(fetch[1], 10, 32)
		return s.fetch(uint32(uid), fetch[2]) + "$ OK done\r\n"
	case name == "LOGOUT":
		return "* BYE see you\r\n$ OK done\r\n"
	}
	return "$ NO [AUTHENTICATIONFAILED] " + command + "\r\n"
}

var (
	sinceKey  = regexp.MustCompile(`SINCE (\S+)`)
	uidKey    = regexp.MustCompile(`UID (\d+):\*`)
	fromKey   = regexp.MustCompile(`FROM "(.*?)"`)
	rangeKey  = regexp.MustCompile(`^(\d+):(\d+|\*) `)         // of numbers of mails
	fromField = regexp.MustCompile(`(?m)^From:.*\n(?: .*\n)*`) // of a header, with the lines that continue it
)

// Search returns the UIDs that a search finds, each after a space.
func (s *Server) Search(command string) (found string) {
	keys := strings.TrimPrefix(command, "UID SEARCH ")
	first, last := 1, len(s.Mails)
	if part := rangeKey.FindStringSubmatch(keys); part != nil {
		first, _ = strconv.Atoi(part[1])
		if part[2] != "*" {
			last, _ = strconv.Atoi(part[2])
		}
	}
	for i, m := range s.Mails {
		fits := i+1 >= first && i+1 <= last
		if since := sinceKey.FindStringSubmatch(keys); since != nil {
			day, err := time.Parse("2-Jan-2006", since[1])
			fits = fits && err == nil && !m.At.Before(day)
		}
		isLast := i == len(s.Mails)-1 // the last mail is in every range that ends with *
		if uid := uidKey.FindStringSubmatch(keys); uid != nil {
			n, _ := strconv.ParseUint(uid[1], 10, 32)
			fits = fits && (uint64(m.UID) >= n || isLast)
		} else if strings.Contains(keys, "UID *") {
			fits = fits && isLast
		}
		if senders := fromKey.FindAllStringSubmatch(keys, -1); senders != nil {
			header, _, _ := strings.Cut(m.text, "\r\n\r\n")
			isSender := func(key []string) bool { return strings.Contains(strings.ToLower(header), key[1]) }
			fits = fits && slices.ContainsFunc(senders, isSender)
		}
		if fits {
			found += fmt.Sprintf(" %d", m.UID)
		}
	}
	return found
}

// fetch returns the response with a section of a mail, or "" if there is no such mail.
func (s *Server) fetch(uid uint32, section string) string {
	i := slices.IndexFunc(s.Mails, func(m Mail) bool { return m.UID == uid })
	if i < 0 {
		return ""
	}
	text := s.Mails[i].text
	if section != "" { // HEADER.FIELDS (FROM)
		header, _, _ := strings.Cut(text, "\r\n\r\n")
		text = fromField.FindString(header+"\r\n") + "\r\n"
	}
	return fmt.Sprintf("* %d FETCH (UID %d BODY[%s] {%d}\r\n%s)\r\n", i+1, uid, section, len(text), text)
}

// Listen serves s on a port of this machine, with TLS from the start, and returns the port.
func (s *Server) Listen() int {
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
			const isPlain = false
			go s.serve(conn, isPlain)
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
}

// Count returns how many commands begin with a text.
func (s *Server) Count(start string) (n int) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for _, command := range s.Commands {
		if strings.HasPrefix(command, start) {
			n++
		}
	}
	return n
}
