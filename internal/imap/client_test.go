// Tests of the client of mail servers, against one that misbehaves.

package imap

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"flats/internal/imap/imaptest"
)

// reaching returns a Server that connects to s with TLS from the start.
func reaching(s *imaptest.Server) Server {
	return Server{Host: "example.com", Port: "993", MaxMail: maxTestMail, Roots: s.Roots, Dial: s.Dial}
}

const maxTestMail = 32 << 20 // bytes

// readFolder returns all mails of a folder, and the first error.
func readFolder(server Server, user, password, folder string) (mails []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	c, err := server.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.Login(user, password); err != nil {
		return nil, err
	}
	opened, err := c.Examine(folder)
	if err != nil {
		return nil, err
	}
	uids, err := c.Search(opened, "UID 1:*")
	if err != nil {
		return nil, err
	}
	for _, uid := range uids {
		mail, isThere, err := c.Fetch(uid, WholeMail)
		switch {
		case errors.Is(err, ErrTooLarge):
			mails = append(mails, "too large")
		case err != nil:
			return mails, err
		case isThere:
			mails = append(mails, string(mail))
		}
	}
	c.Logout()
	return mails, nil
}

// The client reads all mails of a folder as they are, and signs out, with TLS from the start and with STARTTLS.
func TestIMAPClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := imaptest.NewServer(t, "one\r\n", "two {3}\r\n", "", "a1 OK\r\n)\r\n\x00\xff")
		want := []string{"one\r\n", "two {3}\r\n", "", "a1 OK\r\n)\r\n\x00\xff"}
		for _, startTLS := range []bool{false, true} {
			server := reaching(s)
			if server.StartTLS = startTLS; startTLS {
				server.Port = "143" // on which s begins without TLS
			}
			got, err := readFolder(server, "hunter", "secret-1", "Flats")
			if err != nil || !slices.Equal(got, want) || !s.WasSecured {
				t.Errorf("with STARTTLS %t: %q, %v; want %q", startTLS, got, err, want)
			}
		}
		if last := s.Commands[len(s.Commands)-1]; last != "LOGOUT" {
			t.Errorf("the last command is %s", last)
		}
	})
}

// The client accepts small faults of a server: blank lines, a missing UID, flags in between.
func TestIMAPLenient(t *testing.T) {
	for _, answer := range []string{
		"\r\n* 1 FETCH (UID 1 BODY[] {3}\r\none)\r\n\r\n$ OK done\r\n",
		"* 1 FETCH (BODY[] {3}\r\none)\r\n$ OK done\r\n",
		"* 1 FETCH (BODY[] {3}\r\none\r\n)\r\n$ OK done\r\n",
		"* 1 FETCH (FLAGS (\\Seen) UID 1)\r\n* 1 FETCH (UID 1 BODY[] {3}\r\none)\r\n* 1 FETCH (FLAGS ())\r\n$ OK done\r\n",
		"* FLAGS (\\Seen)\r\n* 1 FETCH (FLAGS () BODY[] {3}\r\none FLAGS (\\Seen) UID 1)\r\n$ OK done\r\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := imaptest.NewServer(t, "one")
			s.AnswerWith("UID FETCH", answer)
			got, err := readFolder(reaching(s), "hunter", "secret-1", "Flats")
			if err != nil || !slices.Equal(got, []string{"one"}) {
				t.Errorf("%q: %q, %v; want the mail one", answer, got, err)
			}
		})
	}
}

// A wrong answer ends the session with an error that names the host. The error shows no secret, even if the server
// repeats one. In an answer, $ stands for the tag of the command; the answer to the command "" is the greeting.
func TestIMAPFailures(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLine)
	cases := []struct {
		name, command, answer, want string
	}{
		{"silence", "", imaptest.Hang, "no answer in time"},
		{"a closed connection", "", imaptest.HangUp, "the connection was closed"},
		{"a greeting of BYE", "", "* BYE [UNAVAILABLE] hunter\r\n", "the connection was answered with BYE UNAVAILABLE"},
		{"a greeting of PREAUTH", "", "* PREAUTH hunter\r\n", "the answer is not valid IMAP"},
		{"another protocol", "", "220 mail ESMTP\r\n", "the answer is not valid IMAP"},
		{"a long greeting", "", "* OK " + long + "\r\n", "a response has more than 65536 bytes"},
		{"a line without end", "", "* OK " + long + long + long, "a response has more than 65536 bytes"},
		{"BYE", "CAPABILITY", "* BYE [hunter] secret-1\r\n", "CAPABILITY was answered with BYE"},
		{"a wrong password", "LOGIN", "$ NO [AUTHENTICATIONFAILED] hunter secret-1\r\n",
			"LOGIN was answered with NO AUTHENTICATIONFAILED: check the user and the password; many providers want an " +
				"app password, and IMAP turned on in their settings"},
		{"a repeated command", "LOGIN", "$ BAD [CLIENTBUG] LOGIN hunter secret-1\r\n",
			"LOGIN was answered with BAD CLIENTBUG: check the user and the password; many providers want an " +
				"app password, and IMAP turned on in their settings"},
		{"the answer to another command", "LOGIN", "a9 OK secret-1\r\n", "the answer is not valid IMAP"},
		{"a request for more", "LOGIN", "+ secret-1\r\n", "the answer is not valid IMAP"},
		{"no folder", "EXAMINE", "$ NO [NONEXISTENT] Flats\r\n", "EXAMINE was answered with NO NONEXISTENT: check the " +
			"folder in url, with the separators of the server, such as INBOX/Flats or INBOX.Flats"},
		{"no UIDVALIDITY", "EXAMINE", "* 1 EXISTS\r\n$ OK\r\n", "the answer is not valid IMAP"},
		{"a UIDVALIDITY that is none", "EXAMINE", "* OK [UIDVALIDITY 4294967296]\r\n$ OK\r\n",
			"the answer is not valid IMAP"},
		{"a search that fails", "UID SEARCH", "$ NO Flats\r\n", "SEARCH was answered with NO"},
		{"words for UIDs", "UID SEARCH", "* SEARCH 1 secret-1\r\n$ OK\r\n", "the answer is not valid IMAP"},
		{"a UID of 0", "UID SEARCH", "* SEARCH 0\r\n$ OK\r\n", "the answer is not valid IMAP"},
		{"a UID that none can follow", "UID SEARCH", "* SEARCH 1 4294967295\r\n$ OK\r\n", "the answer is not valid IMAP"},
		{"a folder beyond bounds", "EXAMINE", "* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 7]\r\n$ OK\r\n",
			"the folder has more than 5000000 mails: use a smaller one"},
		{"a long search", "UID SEARCH", "* SEARCH" + strings.Repeat(" 1", maxLine/2) + "\r\n$ OK\r\n",
			"a response has more than 65536 bytes"},
		{"11,000 UIDs, more than 2 * maxSearched", "UID SEARCH",
			strings.Repeat("* SEARCH"+strings.Repeat(" 1", 1000)+"\r\n", 11) + "$ OK\r\n",
			"the answer is not valid IMAP"},
		{"responses without end", "UID SEARCH", strings.Repeat("* 1 EXISTS\r\n", maxResponses+1),
			"the answer has more than 10000 responses"},
		{"a literal that is longer", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {2}\r\nsecret)\r\n$ OK\r\n",
			"the answer is not valid IMAP"},
		{"a literal that is longer by words", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {2}\r\nse bed 60)\r\n$ OK\r\n",
			"the answer is not valid IMAP"},
		{"a literal with more lines", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {2}\r\nsecret\r\nlines\r\n)\r\n$ OK\r\n",
			"the answer is not valid IMAP"},
		{"a literal that is shorter", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {99}\r\nsecret)\r\n$ OK\r\n" + imaptest.Hang,
			"no answer in time"},
		{"a literal that is cut", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {99}\r\nsecret" + imaptest.HangUp,
			"the connection was closed"},
		{"a large literal that is none", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {2147483647}\r\nsecret" + imaptest.HangUp,
			"the connection was closed"},
		{"a literal beyond any mail", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {2147483648}\r\n",
			"the answer is not valid IMAP"},
		{"a literal beyond any number", "UID FETCH", "* 1 FETCH (UID 1 BODY[] {99999999999}\r\n",
			"the answer is not valid IMAP"},
		{"many literals", "UID FETCH", "* 1 FETCH (" + strings.Repeat("X {1}\r\nx ", maxLine/6) + ")\r\n",
			"a response has more than 65536 bytes"},
		{"another mail", "UID FETCH", "* 1 FETCH (UID 2 BODY[] \"secret\")\r\n$ OK\r\n", "the answer is not valid IMAP"},
		{"BYE instead of a mail", "UID FETCH", "* BYE [LIMIT]\r\n", "FETCH was answered with BYE LIMIT"},
		{"silence instead of a mail", "UID FETCH", imaptest.Hang, "no answer in time"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := imaptest.NewServer(t, "mail")
				s.AnswerWith(c.command, c.answer)
				before := time.Now()
				mails, err := readFolder(reaching(s), "hunter", "secret-1", "Flats")
				if want := "example.com: " + c.want; err == nil || err.Error() != want {
					t.Errorf("got %q, %v; want %s", mails, err, want)
				}
				if took := time.Since(before); took > Patience {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// The session ends if the server sends hardly anything, whatever that is.
func TestIMAPSlow(t *testing.T) {
	for _, c := range []struct{ command, answer string }{
		{"", imaptest.Drip + "*"},
		{"UID FETCH", "* 1 FETCH (UID 1 BODY[] {100000}\r\n" + imaptest.Drip + "x"},
		{"UID FETCH", imaptest.Drip + "* 1 EXISTS\r\n"},
		{"UID SEARCH", imaptest.Drip + "* SEARCH 1\r\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := imaptest.NewServer(t, "mail")
			s.AnswerWith(c.command, c.answer)
			before := time.Now()
			const want = "example.com: the server is too slow: it sends fewer than 16384 bytes a minute, " +
				"or needs more than 12h0m0s"
			_, err := readFolder(reaching(s), "hunter", "secret-1", "Flats")
			// A byte comes every five seconds, so that Patience never ends the session.
			if took := time.Since(before); err == nil || err.Error() != want || took > visitGrace+2*time.Minute {
				t.Errorf("%q: %v after %v; want %s", c.answer, err, took, want)
			}
			time.Sleep(10 * time.Second) // the server notices that the client has gone
		})
	}
}

// Two thousand mails of 5,000 bytes come through a slow line, one every ten seconds: in five and a half hours.
func TestIMAPSlowLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const count = 2000
		s := imaptest.NewServer(t, slices.Repeat([]string{strings.Repeat("x", 5000)}, count)...)
		s.Delay = 10 * time.Second
		before := time.Now()
		mails, err := readFolder(reaching(s), "hunter", "secret-1", "Flats")
		if took := time.Since(before); err != nil || len(mails) != count || took < 5*time.Hour {
			t.Errorf("%d mails after %v, %v", len(mails), took, err)
		}
	})
}

// The error for a broken connection has the same words each time, so that the log has it once.
func TestIMAPReset(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.(*net.TCPConn).SetLinger(0) // sends a reset
			io.ReadFull(conn, make([]byte, 100))
			conn.Close()
		}
	}()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	server := Server{Host: "127.0.0.1", Port: port, Dial: (&net.Dialer{}).DialContext}
	for range 2 {
		_, err := readFolder(server, "hunter", "secret-1", "Flats")
		if err == nil || strings.Contains(strings.TrimPrefix(err.Error(), "127.0.0.1: "), "127.0.0.1") {
			t.Errorf("got %v; want no port", err)
		}
	}
}

// Nobody on the way can make the client send its password to another server or without TLS.
func TestIMAPSecurity(t *testing.T) {
	cases := []struct {
		name   string
		change func(*imaptest.Server, *Server)
		want   string
	}{
		{"a certificate of nobody", func(_ *imaptest.Server, server *Server) { server.Roots = nil }, "x509: "},
		{"a certificate for another host", func(_ *imaptest.Server, server *Server) {
			server.Host = "example.org"
		}, "not example.org"},
		{"no TLS", func(s *imaptest.Server, server *Server) { server.Port = "143" }, "no answer in time"},
		{"STARTTLS refused", func(s *imaptest.Server, server *Server) {
			server.Port, server.StartTLS = "143", true
			s.Override = func(command string) (string, bool) { return "$ BAD\r\n", command == "STARTTLS" }
		}, "STARTTLS was answered with BAD"},
		{"an answer before TLS", func(s *imaptest.Server, server *Server) {
			server.Port, server.StartTLS = "143", true
			s.Override = func(command string) (string, bool) {
				return "$ OK\r\n* CAPABILITY IMAP4rev1\r\na1 OK\r\n", command == "STARTTLS"
			}
		}, "the answer is not valid IMAP"},
		{"PREAUTH before TLS", func(s *imaptest.Server, server *Server) {
			server.Port, server.StartTLS = "143", true
			s.Greeting = "* PREAUTH hunter\r\n"
		}, "the answer is not valid IMAP"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := imaptest.NewServer(t, "mail")
				server := reaching(s)
				c.change(s, &server)
				_, err := readFolder(server, "hunter", "secret-1", "Flats")
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v; want %s", err, c.want)
				}
				if sent := strings.Join(s.Commands, "\n"); strings.Contains(sent, "hunter") {
					t.Errorf("the server was told %s", sent)
				}
			})
		})
	}
}

// The client signs in with LOGIN. It uses AUTHENTICATE if the server wants that, or a text is not in ASCII.
func TestIMAPLogin(t *testing.T) {
	plain := func(user, password string) string {
		return base64.StdEncoding.EncodeToString([]byte("\x00" + user + "\x00" + password))
	}
	cases := []struct {
		user, password, capabilities string
		want                         []string // the lines that the client sends
	}{
		{"hunter", "secret-1", "IMAP4rev1", []string{`LOGIN "hunter" "secret-1"`}},
		{`me "x"@example.org`, `a\b"c`, "IMAP4rev1 AUTH=PLAIN", []string{`LOGIN "me \"x\"@example.org" "a\\b\"c"`}},
		{"hunter", "paßwort", "IMAP4rev1 AUTH=PLAIN", []string{"AUTHENTICATE PLAIN", plain("hunter", "paßwort")}},
		{"hunter", "secret-1", "IMAP4rev1 logindisabled", []string{"AUTHENTICATE PLAIN", plain("hunter", "secret-1")}},
	}
	for _, c := range cases {
		synctest.Test(t, func(t *testing.T) {
			s := imaptest.NewServer(t)
			s.Override = func(command string) (string, bool) {
				switch {
				case command == "CAPABILITY":
					return "* CAPABILITY " + c.capabilities + "\r\n$ OK\r\n", true
				case command == "AUTHENTICATE PLAIN":
					return "+ \r\n", true
				case strings.HasPrefix(command, "LOGIN"):
					return "* 1 EXISTS\r\n$ OK [CAPABILITY IMAP4rev1] done\r\n", true
				case command == plain(c.user, c.password):
					return "a2 OK done\r\n", true // a2 is the tag of AUTHENTICATE: this line has none
				}
				return "", false
			}
			if _, err := readFolder(reaching(s), c.user, c.password, "Flats"); err != nil {
				t.Errorf("%s: %v", c.user, err)
			}
			afterCapability := s.Commands[1:]
			if got := afterCapability[:len(c.want)]; !slices.Equal(got, c.want) {
				t.Errorf("got %q; want %q", got, c.want)
			}
		})
	}
}

// The client searches large folders in parts, from the end, so that it misses no mail if others are removed meanwhile.
func TestIMAPSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := imaptest.NewServer(t)
		const firstUID, mails = 4_294_900_000, 12_000 // the UIDs are near the greatest of 32 bits
		for n := range uint32(mails) {
			s.Mails = append(s.Mails, imaptest.Mail{UID: firstUID + n})
		}
		// At the second of three searches the first 100 mails are removed.
		const removed = 100
		s.Override = func(command string) (string, bool) {
			if strings.HasPrefix(command, "UID SEARCH 2001:") && len(s.Mails) == mails {
				answer := s.Search(command)
				s.Mails = s.Mails[removed:]
				return "* SEARCH" + answer + "\r\n* 1 EXPUNGE\r\n$ OK\r\n", true
			}
			return "", false
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		server := reaching(s)
		c, err := server.Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		folder, err := c.Examine("Flats")
		if err != nil {
			t.Fatal(err)
		}
		uids, err := c.Search(folder, "UID 4294900050:*")
		if err != nil || !slices.IsSorted(uids) {
			t.Fatal(err, uids[:10])
		}
		for uid := uint32(firstUID + removed); uid < firstUID+mails; uid++ {
			if _, isFound := slices.BinarySearch(uids, uid); !isFound {
				t.Fatalf("%d is missing", uid)
			}
		}
		want := []string{"UID SEARCH 7001:* UID 4294900050:*", "UID SEARCH 2001:7000 UID 4294900050:*",
			"UID SEARCH 1:2000 UID 4294900050:*"}
		if afterExamine := s.Commands[1:]; !slices.Equal(afterExamine, want) {
			t.Errorf("got %q; want %q", afterExamine, want)
		}
	})
}

// The client passes over mails that are too large, and the session goes on.
func TestIMAPLargeMail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := imaptest.NewServer(t, "xxx", "yyyy", "z")
		server := reaching(s)
		server.MaxMail = 3
		got, err := readFolder(server, "hunter", "secret-1", "Flats")
		if want := []string{"xxx", "too large", "z"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("%.50q, %v; want %q", got, err, want)
		}
	})
}

// The name of a folder is sent in modified UTF-7 (RFC 3501, 5.1.3).
func TestFolderNames(t *testing.T) {
	for name, want := range map[string]string{
		"INBOX":              "INBOX",
		"My Flats":           "My Flats",
		"a&b":                "a&-b",
		"Entwürfe":           "Entw&APw-rfe",
		"~peter/mail/台北/日本語": "~peter/mail/&U,BTFw-/&ZeVnLIqe-", // the example of the RFC
		"☺!":                 "&Jjo-!",
		"🏠":                  "&2Dzf4A-",
		"Wohnungen für Ü&Ö":  "Wohnungen f&APw-r &ANw-&-&ANY-",
		"a\r\nb":             "a&AA0ACg-b",
	} {
		if got := encodeFolder(name); got != want {
			t.Errorf("%q: got %s; want %s", name, got, want)
		}
	}
}

// The encoded name of a folder is printable, and decodes to the name.
func FuzzFolderNames(f *testing.F) {
	f.Add("Entwürfe & 台北 🏠")
	f.Fuzz(func(t *testing.T, name string) {
		encoded := encodeFolder(name)
		if strings.ContainsFunc(encoded, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Fatalf("%q", encoded)
		}
		if got := decodedByTest(t, encoded); got != string([]rune(name)) {
			t.Fatalf("%q: got %q from %q", name, got, encoded)
		}
	})
}

// decodedByTest decodes modified UTF-7.
func decodedByTest(t *testing.T, encoded string) (name string) {
	for encoded != "" {
		plain, rest, isShifted := strings.Cut(encoded, "&")
		name, encoded = name+plain, rest
		if !isShifted {
			break
		}
		shifted, rest, _ := strings.Cut(rest, "-")
		encoded = rest
		if shifted == "" {
			name += "&"
			continue
		}
		text, err := base64.RawStdEncoding.DecodeString(strings.ReplaceAll(shifted, ",", "/"))
		if err != nil || len(text)%2 != 0 {
			t.Fatalf("%q: %v", shifted, err)
		}
		var units []uint16
		for i := 0; i < len(text); i += 2 {
			units = append(units, uint16(text[i])<<8|uint16(text[i+1]))
		}
		name += string(utf16.Decode(units))
	}
	return name
}

// A panic of the client at a response of a mail server ends the session with an error.
func TestPanicOfIMAP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := imaptest.NewServer(t, "mail")
		server := reaching(s)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		c, err := server.Connect(ctx)
		if err != nil {
			t.Fatal(err)
		}
		err = c.command("CAPABILITY", func(response) error { panic("x") })
		if err == nil || err.Error() != "internal error: x" {
			t.Errorf("the error is %v", err)
		}
		c.in = nil // makes readGreeting panic
		if err := c.readGreeting(); err == nil || !strings.HasPrefix(err.Error(), "internal error: ") {
			t.Errorf("the error of a greeting is %v", err)
		}
	})
}
