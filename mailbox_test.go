// Tests of the mail reader: which mails it reads and when, and what it still knows after a restart.

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"flats/internal/imap/imaptest"
	"flats/internal/listing"
)

// A postbox has a fake mail server, and a reader that imports its mails into a store on a simulated
// disk. Each mail holds a list of listings.
type postbox struct {
	*testing.T
	server   *imaptest.Server
	disk     *simDisk
	store    *Store
	importer *Importer
	reader   *mailReader
	logs     *lockedBuffer
	stop     func()

	mailbox *Mailbox

	mu    sync.Mutex
	taken []string // the subjects of the mails that take was called with, in order
}

// newPostbox starts a reader. It must be called in a bubble of synctest.
func newPostbox(t *testing.T, server *imaptest.Server, disk *simDisk, change ...func(*Mailbox)) *postbox {
	t.Helper()
	p := &postbox{T: t, server: server, disk: disk, logs: &lockedBuffer{}}
	p.mailbox = &Mailbox{server: reaching(server), user: "hunter", Password: "secret-1", folder: "Flats",
		every: 5 * time.Minute}
	for _, f := range change {
		f(p.mailbox)
	}
	p.start()
	return p
}

// start starts a reader on what the disk holds.
func (p *postbox) start() {
	p.Helper()
	var err error
	p.store, err = openStore("/flats.json", p.disk, nil, slog.New(slog.NewTextHandler(p.logs, nil)))
	if err == nil {
		p.importer = newImporter(p.store)
		p.reader, err = newMailReader(p.importer, p.mailbox, "/flats.json", p.take)
	}
	if err != nil {
		p.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { p.reader.run(ctx) })
	p.stop = func() {
		cancel()
		running.Wait()
		p.store.Close()
	}
}

// restart kills the service and starts it again.
func (p *postbox) restart() {
	p.Helper()
	p.disk = p.disk.restartUnsynced()
	p.stop()
	p.start()
}

// take imports the listings of a mail, or fails if the disk is full.
func (p *postbox) take(_ context.Context, mail []byte, source string) (Counts, error) {
	header, body, _ := strings.Cut(string(mail), "\r\n\r\n")
	_, subject, _ := strings.Cut(header, "Subject: ")
	p.mu.Lock()
	p.taken = append(p.taken, subject)
	p.mu.Unlock()
	if source != "mailbox" {
		p.Errorf("the source is %s", source)
	}
	return p.importer.ImportText([]byte(body), "")
}

// testMail returns a mail with a listing.
func testMail(subject, sender, listing string) string {
	return fmt.Sprintf("From: Portal <%s>\r\nSubject: %s\r\n\r\n[%s]", sender, subject, listing)
}

// plainMail returns a mail with a listing of its own.
func plainMail(subject string) string {
	return testMail(subject, "alert@portal.example", fmt.Sprintf(`{"id":%q}`, subject))
}

const noMail = "" // for wantTaken

// wantTaken checks with which mails take was called since the last check: their subjects, in order.
func (p *postbox) wantTaken(want string) {
	p.Helper()
	synctest.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if got := strings.Join(p.taken, " "); got != want {
		p.Errorf("mails %q were taken; want %q", got, want)
	}
	p.taken = nil
}

const nothingWrong = "" // for wantState

// wantState checks the numbers of mails and of their listings since the start, such as "2 mails, 1 listings", and
// what is wrong. Mails that are passed over count, too.
func (p *postbox) wantState(numbers, wrong string) {
	p.Helper()
	synctest.Wait()
	_, mails, listings, err := p.reader.state()
	gotNumbers, gotWrong := fmt.Sprintf("%d mails, %d listings", mails, listings), nothingWrong
	if err != nil {
		gotWrong = err.Error()
	}
	if gotNumbers != numbers || gotWrong != wrong {
		p.Errorf("%s, %q; want %s, %q", gotNumbers, gotWrong, numbers, wrong)
	}
}

// The reader begins with the mails of the last seven days, and then reads mails with a higher UID.
func TestMailbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := imaptest.NewServer(t, plainMail("old"), plainMail("week"), plainMail("new"))
		server.Mails[0].At = time.Now().AddDate(0, 0, -8)
		server.Mails[1].At = time.Now().AddDate(0, 0, -7)
		p := newPostbox(t, server, newSimDisk())
		p.wantTaken("week new")
		p.wantState("2 mails, 2 listings", nothingWrong)
		if last, _, _, _ := p.reader.state(); !last.Equal(time.Now()) {
			t.Errorf("it was last read at %v", last)
		}
		want := encodeJSON(mailProgress{Mailbox: p.mailbox.id(), UIDValidity: server.Validity, UID: 3}) + "\n"
		if got := string(p.disk.names["/mailbox.json"].data); got != want {
			t.Errorf("mailbox.json is %s; want %s", got, want)
		}

		server.Add(plainMail("later"), plainMail("removed"), plainMail("last"))
		server.Mu.Lock()
		server.Mails[3].At = time.Now().AddDate(0, 0, -80) // the UID alone decides
		server.Override = func(command string) (string, bool) {
			return "$ OK\r\n", command == "UID FETCH 5 BODY.PEEK[]" // the UID of "removed"
		}
		server.Mu.Unlock()
		time.Sleep(5*time.Minute - time.Second)
		p.wantTaken(noMail)
		time.Sleep(time.Second)
		p.wantTaken("later last")
		p.wantState("4 mails, 4 listings", nothingWrong)

		time.Sleep(time.Hour)
		p.wantTaken(noMail)
		p.restart()
		time.Sleep(time.Hour)
		p.wantTaken(noMail)
		server.Add(plainMail("latest"))
		time.Sleep(5 * time.Minute)
		p.wantTaken("latest")
		p.wantState("1 mails, 1 listings", nothingWrong)
		p.stop()
		for _, command := range server.Commands {
			if strings.Contains(command, "STORE") || strings.Contains(command, "SELECT") {
				t.Errorf("the mailbox may have been changed by %s", command)
			}
		}
	})
}

// A mailbox that was empty at first misses nothing that comes while the service is stopped for
// long, and does not begin with old mails.
func TestMailboxEmptyAtFirst(t *testing.T) {
	for _, old := range []int{0, 3} {
		synctest.Test(t, func(t *testing.T) {
			server := imaptest.NewServer(t)
			for range old {
				server.Add(plainMail("old"))
				server.Mails[len(server.Mails)-1].At = time.Now().AddDate(0, 0, -30)
			}
			p := newPostbox(t, server, newSimDisk())
			p.wantTaken(noMail)
			p.stop()
			server.Add(plainMail("new"))
			time.Sleep(30 * 24 * time.Hour)
			p.start()
			p.wantTaken("new")
			p.stop()
		})
	}
}

// Another UIDVALIDITY, another folder and a missing file begin with the last seven days again,
// which changes nothing.
func TestMailboxAgain(t *testing.T) {
	cases := []struct {
		name   string
		change func(*postbox)
		want   string
	}{
		{"nothing", func(*postbox) {}, ""},
		{"UIDVALIDITY", func(p *postbox) { p.server.Validity++ }, "a b"},
		{"a folder", func(p *postbox) { p.mailbox.folder, p.server.Folder = "Wörter", "W&APY-rter" }, "a b"},
		{"no file", func(p *postbox) {
			delete(p.disk.names, "/mailbox.json")
			delete(p.disk.durable, "/mailbox.json")
		}, "a b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := imaptest.NewServer(t, plainMail("old"), plainMail("a"), plainMail("b"))
				server.Mails[0].At = time.Now().AddDate(0, 0, -8)
				p := newPostbox(t, server, newSimDisk())
				p.wantTaken("a b")
				p.stop()
				c.change(p)
				p.start()
				p.wantTaken(c.want)
				if got := p.importer.Outcomes(); len(got) > 0 && got[0].Unchanged != 1 {
					t.Errorf("the last mail did %v", got[0])
				}
				p.restart()
				p.wantTaken(noMail)
				p.stop()
			})
		})
	}
}

// A first look that is interrupted goes on by the date with which it began, also after a restart and
// with another UIDVALIDITY. A filter has moved old mails, so that their UIDs tell nothing of their age.
func TestMailboxFirstLook(t *testing.T) {
	for _, c := range []struct {
		name      string
		interrupt func(*postbox)
		want      string // what is taken in the second look
	}{
		{"nothing more", func(*postbox) {}, "c d"},
		{"a restart", (*postbox).restart, "c d"},
		{"a restart after some days", func(p *postbox) {
			p.stop()
			time.Sleep(5 * day)
			p.start()
		}, "c d"},
		{"UIDVALIDITY", func(p *postbox) {
			p.server.Mu.Lock()
			p.server.Validity++
			p.server.Mu.Unlock()
		}, "a c d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				mails := []struct {
					subject string
					days    int // since it came; the first look reads those of firstDays
				}{{"a", 4}, {"old", 80}, {"c", 3}, {"older", 800}, {"d", 0}, {"oldest", 8000}}
				server := imaptest.NewServer(t)
				for i, m := range mails {
					server.Add(plainMail(m.subject))
					server.Mails[i].At = time.Now().AddDate(0, 0, -m.days)
				}
				server.Override = func(command string) (string, bool) {
					return imaptest.HangUp, command == "UID FETCH 3 BODY.PEEK[]" // the UID of "c"
				}
				p := newPostbox(t, server, newSimDisk())
				p.wantTaken("a")
				server.Mu.Lock()
				server.Override = nil
				server.Mu.Unlock()
				c.interrupt(p)
				time.Sleep(5 * time.Minute)
				p.wantTaken(c.want)
				lastUID := uint32(len(mails))
				want := encodeJSON(mailProgress{Mailbox: p.mailbox.id(), UIDValidity: server.Validity, UID: lastUID}) + "\n"
				if got := string(p.disk.names["/mailbox.json"].data); got != want {
					t.Errorf("mailbox.json is %s; want %s", got, want)
				}
				server.Add(plainMail("later")) // of an old date, which counts in the first look alone
				server.Mu.Lock()
				server.Mails[len(mails)].At = time.Now().AddDate(0, 0, -80)
				server.Mu.Unlock()
				time.Sleep(5 * time.Minute)
				p.wantTaken("later")
				p.stop()
			})
		})
	}
}

// Only mails of the senders are taken, also from subdomains. The bubble of synctest starts on 2000-01-01.
func TestMailboxFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mails []string
		for i, sender := range []string{"a@portal.example", "b@push.portal.example", "c@portal.example.org",
			"portal.example@d.example", "e@otherportal.example", "f@Agent.Example", "g@friend.example"} {
			mails = append(mails, testMail(string(rune('a'+i)), sender, ""))
		}
		mails = append(mails, "From: \"portal.example\" <x@h.example>\r\nSubject: h\r\n\r\n[]",
			"From: i@portal.example (Portal)\r\nSubject: i\r\n\r\n[]", "From: =?utf-8?q?J?=\r\n <j@portal.example>\r\n"+
				"Subject: j\r\n\r\n[]")
		server := imaptest.NewServer(t, mails...)
		p := newPostbox(t, server, newSimDisk(), func(m *Mailbox) { m.From = []string{"portal.example", "agent.example"} })
		p.wantTaken("a b f i j")
		p.wantState("5 mails, 0 listings", nothingWrong)
		want := `UID SEARCH SINCE 25-Dec-1999 OR FROM "portal.example" FROM "agent.example"`
		if !slices.Contains(server.Commands, want) {
			t.Errorf("the commands are %q; want %s", server.Commands, want)
		}
		p.stop()
	})
}

// If a server refuses to search for senders, or finds nothing by that, the reader fetches the From of each new mail
// once, and the whole mail only of the senders. It counts the mails of others.
func TestMailboxFromUnsearched(t *testing.T) {
	for what, answer := range map[string]string{"NO": "$ NO [CANNOT] no\r\n", "BAD": "$ BAD what\r\n",
		"nothing": "* SEARCH\r\n$ OK done\r\n"} {
		synctest.Test(t, func(t *testing.T) {
			server := imaptest.NewServer(t, testMail("a", "a@portal.example", ""), testMail("b", "b@friend.example", ""),
				testMail("c", "c@portal.example.org", ""))
			server.WantsID = true
			server.Override = func(line string) (string, bool) {
				return answer, strings.HasPrefix(line, "UID SEARCH") && strings.Contains(line, " FROM ")
			}
			p := newPostbox(t, server, newSimDisk(), func(m *Mailbox) { m.From = []string{"portal.example"} })
			p.wantTaken("a")
			p.wantState("1 mails, 0 listings", nothingWrong)
			server.Add(testMail("d", "d@friend.example", ""), testMail("e", "e@portal.example", ""))
			time.Sleep(6 * time.Minute)
			p.wantTaken("e")
			time.Sleep(time.Hour)
			synctest.Wait()
			if others := p.reader.fromOthers(); others != len([]string{"b", "c", "d"}) {
				t.Errorf("%s: %d mails are from others", what, others)
			}
			fetches := server.Count("UID FETCH")
			if want := len([]string{"a", "b", "c", "d", "e"}) + len([]string{"a", "e"}); fetches != want {
				t.Errorf("%s: %d fetches; want %d: %q", what, fetches, want, server.Commands)
			}
			// If the server refuses to fetch the From, too, the whole mail is fetched.
			server.Override = func(line string) (string, bool) {
				return answer, strings.Contains(line, "FROM ") || strings.Contains(line, "(FROM)")
			}
			server.Add(testMail("f", "d@friend.example", ""), testMail("g", "e@portal.example", ""))
			time.Sleep(6 * time.Minute)
			if what != "nothing" { // its answer does not refuse a FETCH
				p.wantTaken("g")
			}
			p.stop()
		})
	}
}

// Without senders all mails of a folder are taken.
func TestMailboxFromAll(t *testing.T) {
	for _, from := range [][]string{nil, {}} {
		synctest.Test(t, func(t *testing.T) {
			p := newPostbox(t, imaptest.NewServer(t, plainMail("a"), testMail("b", "", "")), newSimDisk(),
				func(m *Mailbox) { m.From = from })
			p.wantTaken("a b")
			p.stop()
		})
	}
}

// Mails that are too large, and those that cannot be read, are passed over with an entry in the list
// of imports. While the store fails, a mail and those after it wait.
func TestMailboxRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := imaptest.NewServer(t, "Subject: large\r\n\r\n"+strings.Repeat("x", listing.MaxMail),
			"Subject: broken\r\n\r\n{",
			plainMail("good"))
		p := newPostbox(t, server, newSimDisk())
		defer p.stop()
		p.wantTaken("broken good")
		p.wantState("3 mails, 1 listings", nothingWrong)
		outcomes := p.importer.Outcomes() // the newest first
		if len(outcomes) != 3 {
			t.Fatalf("the outcomes are %v", outcomes)
		}
		broken, large := outcomes[1], outcomes[2]
		if broken.Error == nil || large.Error == nil {
			t.Fatalf("the outcomes are %v; want errors of broken and large", outcomes)
		}
		want := fmt.Sprintf("The mail is larger than %d bytes.", listing.MaxMail)
		if large.Source != "mailbox" || *large.Error != want {
			t.Errorf("the outcome of large is %q of %s; want %q of mailbox", *large.Error, large.Source, want)
		}
		logs := p.logs.String()
		for _, warning := range []string{`msg="a mail was passed over" uid=1 err="The mail is larger`,
			"msg=\"a mail was passed over\" uid=2\n"} {
			if !strings.Contains(logs, warning) {
				t.Errorf("the log is %s; want %s in it", logs, warning)
			}
		}
		if n := strings.Count(logs, "passed over"); n != 2 {
			t.Errorf("the log says of %d mails that they were passed over; want 2: %s", n, logs)
		}
		server.Add(plainMail("waits"), plainMail("next"))
		p.disk.setFull(true)
		time.Sleep(5 * time.Minute) // until the next look at the mailbox
		p.wantTaken("waits")
		time.Sleep(time.Minute) // the first wait after a failure
		p.wantTaken("waits")
		p.disk.setFull(false)
		time.Sleep(2 * time.Minute) // the second wait, which is twice as long
		p.wantTaken("waits next")
		p.wantState("5 mails, 3 listings", nothingWrong) // large and broken have no listings
	})
}

// A mail that cannot be fetched is tried again for a quarter of an hour. Then it is passed over with an
// entry in the list of imports, so that later ones are read.
func TestMailboxFailed(t *testing.T) {
	for answer, wrong := range map[string]string{
		"$ NO [SERVERBUG] damaged\r\n":                       "FETCH was answered with NO SERVERBUG",
		imaptest.HangUp:                                      "the connection was closed",
		"* 1 FETCH (UID 2 BODY[] {2}\r\nlonger)\r\n$ OK\r\n": "the answer is not valid IMAP",
	} {
		synctest.Test(t, func(t *testing.T) {
			server := imaptest.NewServer(t, plainMail("a"), plainMail("damaged"), plainMail("c"),
				plainMail("busy"), plainMail("e"))
			timesBusy := 0
			server.Override = func(command string) (string, bool) {
				if command == "UID FETCH 4 BODY.PEEK[]" && timesBusy < 2 { // the UID of "busy"
					timesBusy++
					return "$ NO [INUSE]\r\n", true
				}
				return answer, command == "UID FETCH 2 BODY.PEEK[]" // the UID of "damaged"
			}
			p := newPostbox(t, server, newSimDisk())
			p.wantTaken("a")
			p.wantState("1 mails, 1 listings", "example.com: "+wrong)
			time.Sleep(14 * time.Minute)
			p.wantTaken(noMail)
			time.Sleep(time.Minute)
			p.wantTaken("c")
			time.Sleep(2 * time.Hour)
			p.wantTaken("busy e")
			p.wantState("5 mails, 4 listings", nothingWrong)
			errors := 0
			for _, o := range p.importer.Outcomes() {
				if o.Error != nil {
					errors++
					if *o.Error != "a mail was passed over: 4 attempts to fetch it failed" || o.Source != "mailbox" {
						t.Errorf("the outcome is %s", encodeJSON(o))
					}
				}
			}
			if n := strings.Count(p.logs.String(), `msg="a mail was passed over" uid=2`); errors != 1 || n != 1 {
				t.Errorf("%d outcomes and %d lines of the log are errors", errors, n)
			}
			p.stop()
		})
	}
}

// A mail whose connection breaks is not passed over as long as the network is to blame: whenever the
// connection breaks, the server cannot be reached for a while.
func TestMailboxNetwork(t *testing.T) {
	for _, broken := range []string{imaptest.HangUp, imaptest.Hang, "* 1 FETCH (UID 2 BODY[] {999}\r\nx" + imaptest.Hang} {
		synctest.Test(t, func(t *testing.T) {
			server := imaptest.NewServer(t, plainMail("a"), plainMail("large"), plainMail("c"))
			var away time.Time // the network is away until then
			breaks := 0
			server.Override = func(command string) (string, bool) {
				// It breaks more often than a mail is fetched before it is passed over.
				if command != "UID FETCH 2 BODY.PEEK[]" || breaks > 2*maxFetches {
					return "", false
				}
				breaks++
				away = time.Now().Add(45 * time.Second)
				return broken, true
			}
			p := newPostbox(t, server, newSimDisk(), func(m *Mailbox) {
				m.server.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
					server.Mu.Lock()
					isAway := time.Now().Before(away)
					server.Mu.Unlock()
					if isAway {
						return nil, &net.OpError{Op: "dial", Err: errors.New("network is unreachable")}
					}
					return server.Dial(ctx, network, address)
				}
			})
			p.wantTaken("a")
			time.Sleep(12 * time.Hour)
			p.wantTaken("large c")
			p.wantState("3 mails, 3 listings", nothingWrong)
			p.stop()
		})
	}
}

// UIDs that a server makes up hide no mail that comes later.
func TestMailboxUIDs(t *testing.T) {
	silent := func(s *imaptest.Server) { s.IsSilent = true } // it does not say the next UID
	cases := []struct {
		name   string
		answer string // to the search
		want   string // what is taken at first
		change func(*imaptest.Server)
	}{
		{"a UID beyond the next", "* SEARCH 1 2 4294967294\r\n$ OK\r\n", "a b", func(*imaptest.Server) {}},
		{"a newest beyond the next", "* SEARCH 4294967294\r\n$ OK\r\n", "", func(*imaptest.Server) {}},
		{"a next beyond all", "* SEARCH 1 2\r\n$ OK\r\n", "a b", func(s *imaptest.Server) { s.Next = 4294967294 }},
		{"the greatest UID", "* SEARCH 1 2 4294967295\r\n$ OK\r\n", "", silent}, // 2^32 - 1
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := imaptest.NewServer(t, plainMail("a"), plainMail("b"))
				c.change(server)
				server.Override = func(command string) (string, bool) {
					return c.answer, strings.HasPrefix(command, "UID SEARCH")
				}
				p := newPostbox(t, server, newSimDisk())
				p.wantTaken(c.want)
				server.Mu.Lock()
				server.Override, server.Next, server.IsSilent = nil, 0, false
				server.Mu.Unlock()
				server.Add(plainMail("c"))
				time.Sleep(5 * time.Minute)
				synctest.Wait()
				if !slices.Contains(p.taken, "c") {
					t.Errorf("later %q were taken", p.taken)
				}
				p.stop()
			})
		})
	}
}

// A mail that waits until the disk has room has one outcome. So has a mail without listings: its note has the subject.
func TestMailboxOutcomes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPostbox(t, imaptest.NewServer(t), newSimDisk())
		defer p.stop()
		p.reader.take = p.importer.ImportMail
		p.disk.setFull(true)
		p.server.Add(alertMail(1, 900), "Subject: Hello\r\n\r\nHow are you?\r\n")
		time.Sleep(7 * time.Minute)
		p.wantState("0 mails, 0 listings", "nothing was stored: "+errSim.Error())
		p.disk.setFull(false)
		time.Sleep(10 * time.Minute)
		p.wantState("2 mails, 1 listings", nothingWrong)
		outcomes := p.importer.Outcomes() // the newest first
		if len(outcomes) != 2 {
			t.Fatalf("the outcomes are %s", encodeJSON(outcomes))
		}
		hello, alert := outcomes[0], outcomes[1]
		if alert.Added != 1 || alert.Error != nil || hello.Error != nil || !strings.Contains(hello.Note, "Hello") {
			t.Errorf("the outcomes are %s", encodeJSON(outcomes))
		}
	})
}

// After failures the reader waits 1, 2, 4 … 60 minutes. The log has each error once, and no secret.
func TestMailboxWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := imaptest.NewServer(t, plainMail("a"))
		server.Override = func(command string) (string, bool) {
			return "$ NO [AUTHENTICATIONFAILED] " + command + "\r\n", strings.HasPrefix(command, "LOGIN")
		}
		start := time.Now()
		p := newPostbox(t, server, newSimDisk())
		time.Sleep(4 * time.Hour)
		const wrong = "example.com: LOGIN was answered with NO AUTHENTICATIONFAILED: check the user and the password; " +
			"many providers want an app password, and IMAP turned on in their settings"
		p.wantState("0 mails, 0 listings", wrong)
		var minutes []int
		for _, at := range server.Connected {
			minutes = append(minutes, int(at.Sub(start).Minutes()))
		}
		if want := []int{0, 1, 3, 7, 15, 31, 63, 123, 183}; !slices.Equal(minutes, want) {
			t.Errorf("it tried at the minutes %v; want %v", minutes, want)
		}
		server.Mu.Lock()
		server.Override = nil
		server.Mu.Unlock()
		time.Sleep(time.Hour)
		p.wantTaken("a")
		p.wantState("1 mails, 1 listings", nothingWrong)
		server.Mu.Lock()
		server.Greeting = imaptest.HangUp
		server.Mu.Unlock()
		time.Sleep(time.Hour)
		p.wantState("1 mails, 1 listings", "example.com: the connection was closed")
		p.stop()
		log := p.logs.String()
		if strings.Count(log, wrong) != 1 || strings.Count(log, "the connection was closed") != 1 {
			t.Errorf("the log is %s; want each of the two errors once", log)
		}
		for _, secret := range []string{"hunter", "secret-1", "Flats"} {
			if strings.Contains(log, secret) {
				t.Errorf("the log has %s: %s", secret, log)
			}
		}
	})
}

// A server that hangs does not keep the service from stopping.
func TestMailboxStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := imaptest.NewServer(t, plainMail("a"))
		server.Override = func(command string) (string, bool) {
			return "* 1 FETCH (UID 1 BODY[] {99}\r\nx" + imaptest.Hang, strings.HasPrefix(command, "UID FETCH")
		}
		p := newPostbox(t, server, newSimDisk())
		synctest.Wait()
		before := time.Now()
		p.stop()
		if took := time.Since(before); took > 0 {
			t.Errorf("it stopped after %v", took)
		}
	})
}

// Whenever the service is killed, each mail is taken in after the next start, and none changes
// anything twice.
func TestMailboxKilled(t *testing.T) {
	t.Parallel()
	mails := []string{
		testMail("1", "alert@portal.example", `{"id":"a","cost":900}`),
		testMail("2", "alert@portal.example", `{"id":"a","cost":800}`),
		testMail("3", "alert@portal.example", `{"id":"b","cost":700}`),
	}
	costs := func(p *postbox) (list []string) {
		for _, id := range []string{"a", "b"} {
			f := p.store.Get(id)
			if f == nil {
				return append(list, "none")
			}
			for _, entry := range f.CostHistory.entries() {
				list = append(list, entry.cost.JSON())
			}
		}
		return list
	}
	for n := 1; ; n++ {
		isReached := false
		synctest.Test(t, func(t *testing.T) {
			server := imaptest.NewServer(t, mails...)
			disk := newSimDisk()
			disk.failAt, disk.crash = n+20, true // the first operations open the store
			p := newPostbox(t, server, disk)
			synctest.Wait()
			isReached = disk.isDead()
			p.restart()
			synctest.Wait()
			if got, want := costs(p), []string{"900", "800", "700"}; !slices.Equal(got, want) { // two of "a", one of "b"
				t.Errorf("killed at operation %d: the costs are %v; want %v", n, got, want)
			}
			if _, _, _, err := p.reader.state(); err != nil {
				t.Errorf("killed at operation %d: %v", n, err)
			}
			p.stop()
		})
		if !isReached {
			t.Logf("killed at %d operations", n-1)
			break
		}
	}
}

// A damaged mailbox.json is a warning if there is a mailbox, and counts for none.
func TestMailboxFile(t *testing.T) {
	for text, isDamaged := range map[string]bool{
		"":                                    true,
		"\x00\x00\x00":                        true,
		"{":                                   true,
		`{"mailbox":"x","uid":"x"}`:           true,
		`{"uid":4294967296}`:                  true,
		`{"since":"1 BODY"}`:                  true,
		`{"mailbox":"x","uid":5}`:             false,
		"\uFEFF{\"mailbox\":\"x\",\"uid\":5}": false,
	} {
		var logs bytes.Buffer
		disk := newSimDisk()
		disk.names["/mailbox.json"] = &simFile{data: []byte(text)}
		store, err := openStore("/flats.json", disk, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		store.log = slog.New(slog.NewTextHandler(&logs, nil))
		m, err := newMailReader(newImporter(store), &Mailbox{}, "/flats.json", nil)
		if err != nil {
			t.Fatal(err)
		}
		hasWarned := strings.Contains(logs.String(), "mailbox.json is damaged")
		isForgotten := m.progress == mailProgress{}
		if hasWarned != isDamaged || isForgotten != isDamaged {
			t.Errorf("%q: the progress is %v, and the log %s", text, m.progress, &logs)
		}
		if _, err := newMailReader(newImporter(store), nil, "/flats.json", nil); err != nil {
			t.Errorf("%s, without a mailbox: %v", text, err)
		}
		store.Close()
	}
}

// alertMail returns a mail of a portal about a home, at a cost.
func alertMail(home, cost int) string {
	return fmt.Sprintf("From: Portal <alert@portal.example>\r\nSubject: New for you\r\nDate: %s\r\n"+
		"Content-Type: text/plain; charset=utf-8\r\n\r\nNew for your search:\r\n\r\nBright flat no. %d\r\n%d € rent\r\n"+
		"2 rooms, 52 m²\r\nHauptstr. %d, 04177 Leipzig\r\nhttps://portal.example/expose/%d\r\n",
		time.Now().Format(time.RFC1123Z), home, cost, home, 1_000_000+home)
}

// TestMailboxProgram kills the program again and again while it reads a mailbox. In the end each
// mail has had its effect, and no mail has had it twice.
func TestMailboxProgram(t *testing.T) {
	t.Parallel()
	const homes = 40
	mails := 100
	if *whole {
		mails = 800
	}
	server := imaptest.NewServer(t)
	want := map[string]string{} // the costs of a flat, in their order
	for i := range mails {
		home, cost := i%homes, 9000-i
		server.Add(alertMail(home, cost))
		want[fmt.Sprintf("Bright flat no. %d", home)] += fmt.Sprintf(" %d", cost)
	}
	dir := t.TempDir()
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate.Certificate[0]})
	writeFile(t, dir, "cert.pem", string(certificate))
	writeFile(t, dir, "config.json", fmt.Sprintf(`{"mailbox":{"url":"imaps://hunter@127.0.0.1:%d/Flats",`+
		`"password":"secret-1","certificate":"cert.pem"}}`, server.Listen()))
	kills := 0
	for server.Count("LOGOUT") == 0 {
		goal := server.Count("UID FETCH") + 1 + rand.IntN(mails/5)
		p := start(t, dir)
		p.await("mails", func() bool { return server.Count("UID FETCH") >= goal || server.Count("LOGOUT") > 0 })
		p.Process.Kill()
		p.Wait()
		kills++
	}
	p := start(t, dir)
	_, body := p.do("GET", "/api/v1/flats", "")
	var got struct {
		Data []struct {
			Title       string `json:"title"`
			CostHistory []struct {
				Cost int `json:"cost"`
			} `json:"cost_history"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Data) != homes {
		t.Fatalf("%d flats, %v", len(got.Data), err)
	}
	for _, f := range got.Data {
		costs := ""
		for _, entry := range f.CostHistory {
			costs += fmt.Sprintf(" %d", entry.Cost)
		}
		if costs != want[f.Title] {
			t.Errorf("%s: the costs are%s; want%s", f.Title, costs, want[f.Title])
		}
	}
	p.stop()
	if log := p.stderr.String(); strings.Contains(log, "hunter") || strings.Contains(log, "secret-1") {
		t.Errorf("the log has the user or the password: %s", log)
	}
	t.Logf("%d mails, %d kills, %d mails read again", mails, kills, server.Count("UID FETCH")-mails)
}

// TestMailboxCertificate tests that the error of a certificate that cannot be verified names the key that trusts it.
func TestMailboxCertificate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPostbox(t, imaptest.NewServer(t), newSimDisk(), func(m *Mailbox) { m.server.Roots = nil })
		defer p.stop()
		synctest.Wait()
		_, _, _, err := p.reader.state()
		if err == nil || !strings.Contains(err.Error(), "x509: ") || !strings.Contains(err.Error(), "mailbox.certificate") {
			t.Errorf("the error is %v", err)
		}
	})
}
