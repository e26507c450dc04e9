// Tests against Dovecot, a real mail server.

package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flats/internal/imap"
	"flats/internal/imap/imaptest"
	"flats/internal/listing"
)

const withTLS, withStartTLS = false, true // for dovecotServer

// dovecotServer returns how to reach s.
func dovecotServer(s *imaptest.Dovecot, startTLS bool) imap.Server {
	s.Helper()
	text, err := os.ReadFile(s.Certificate)
	if err != nil {
		s.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	port := s.IMAPS
	if startTLS {
		port = s.IMAP
	}
	return imap.Server{Host: "127.0.0.1", Port: strconv.Itoa(port), StartTLS: startTLS, MaxMail: listing.MaxMail,
		Roots: roots, Dial: (&net.Dialer{}).DialContext}
}

// TestDovecot reads folders of a real server, with TLS from the start and with STARTTLS.
func TestDovecot(t *testing.T) {
	t.Parallel()
	s := imaptest.StartDovecot(t)
	mails := []string{"Subject: a\r\n\r\none\r\n", "Subject: b\r\n\r\n{3}\r\n)\r\n", "Subject: ü \xff\r\n\r\n" +
		strings.Repeat("line\r\n", 100_000)}
	s.Add("", time.Now(), mails...)
	s.Add("Flats f&APw-r M&APw-nchen", time.Now(), mails[1])
	s.Add("large", time.Now(), strings.Repeat("line\r\n", listing.MaxMail/6+1), mails[0])
	cases := []struct {
		name           string
		startTLS       bool
		user, password string
		folder         string
		want           []string
		err            string
	}{
		{"TLS", withTLS, "hunter", "secret-1", "INBOX", mails, ""},
		{"STARTTLS", withStartTLS, "hunter", "secret-1", "INBOX", mails, ""},
		{"blanks and umlauts", withTLS, "hunter", "secret-1", "Flats für München", mails[1:2], ""},
		{"a large mail", withTLS, "hunter", "secret-1", "large", []string{"too large", mails[0]}, ""},
		{"AUTHENTICATE", withTLS, "hunter", "sécret", "INBOX", nil, "127.0.0.1: AUTHENTICATE was answered with NO " +
			"AUTHENTICATIONFAILED: check the user and the password; many providers want an app password, and IMAP turned " +
			"on in their settings"},
		{"a wrong password", withStartTLS, "hunter", "secret-2", "INBOX", nil, "127.0.0.1: LOGIN was answered with NO " +
			"AUTHENTICATIONFAILED: check the user and the password; many providers want an app password, and IMAP turned " +
			"on in their settings"},
		{"no folder", withTLS, "hunter", "secret-1", "flats", nil, "127.0.0.1: EXAMINE was answered with NO: " +
			"check the folder in url, with the separators of the server, such as INBOX/Flats or INBOX.Flats"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := readFolder(dovecotServer(s, c.startTLS), c.user, c.password, c.folder)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if !slices.Equal(got, c.want) || text != c.err {
				t.Errorf("got %d mails, %s; want %d, %s", len(got), text, len(c.want), c.err)
			}
		})
	}
	untrusted := dovecotServer(s, withTLS)
	untrusted.Roots = nil
	_, err := readFolder(untrusted, "hunter", "secret-1", "INBOX")
	if err == nil || !strings.Contains(err.Error(), "x509") {
		t.Errorf("without the certificate: %v", err)
	}
	seen, err := filepath.Glob(filepath.Join(s.Folder, "mail", "cur", "*S"))
	if err != nil || len(seen) > 0 {
		t.Errorf("%d mails are marked as seen, %v", len(seen), err)
	}
}

// TestDovecotSearch begins with the mails of seven days, from senders, and goes on by UID.
func TestDovecotSearch(t *testing.T) {
	t.Parallel()
	s := imaptest.StartDovecot(t)
	now := time.Now()
	mail := func(subject, sender string) string { return testMail(subject, sender, "") }
	s.Add("", now.AddDate(0, 0, -9), mail("old", "x@portal.example"))
	s.Add("", now.AddDate(0, 0, -6), mail("a", "x@portal.example"), mail("b", "x@friend.example"))
	s.Add("", now, mail("c", "x@push.Agent.example"))
	var taken []string
	store := newStore(nil, nil, quiet, nil)
	defer store.Close()
	mailbox := &Mailbox{server: dovecotServer(s, withTLS), user: "hunter", Password: "secret-1", folder: "INBOX",
		From: []string{"portal.example", "agent.example", "other.example"}}
	take := func(_ context.Context, mail []byte, _ string) (Counts, error) {
		_, subject, _ := strings.Cut(string(mail), "Subject: ")
		taken = append(taken, subject[:1])
		return Counts{}, nil
	}
	reader, err := newMailReader(newImporter(store), mailbox, "", take)
	if err != nil {
		t.Fatal(err)
	}
	look := func(want string) {
		t.Helper()
		taken = nil
		if err := reader.look(t.Context()); err != nil || strings.Join(taken, " ") != want {
			t.Errorf("got %q, %v; want %s", taken, err, want)
		}
	}
	look("a c")
	look("")
	s.Add("", now.AddDate(0, 0, -30), mail("d", "x@portal.example"))
	look("d")
	if !*whole {
		return // the server takes seconds to search so many
	}
	var many []string
	for range 5_010 { // more than one search covers
		many = append(many, mail("m", "x@other.example"))
	}
	s.Add("", now.Add(time.Second), many...)
	look(strings.TrimSuffix(strings.Repeat("m ", len(many)), " "))
	look("")
}

// TestDovecotProgram kills the program again and again while mails arrive at a real server, listings come by HTTP and
// a user writes notes. In the end each home is there once, no acknowledged change is lost, and the imports tell what
// came since the last start.
func TestDovecotProgram(t *testing.T) {
	t.Parallel()
	server := imaptest.StartDovecot(t)
	rounds := 3
	if *whole {
		rounds = 10
	}
	dir := t.TempDir()
	writeFile(t, dir, "flats.json", `[{"id":"noted"}]`)
	writeFile(t, dir, "config.json", fmt.Sprintf(`{"mailbox":{"url":"imaps://hunter@127.0.0.1:%d","password":"secret-1",`+
		`"from":["portal.example"],"certificate":%q}}`, server.IMAPS, server.Certificate))
	homes := 0 // in mails
	post := func(mails int) {
		for range mails {
			homes++
			server.Add("", time.Now(), alertMail(homes, 9000-homes), testMail("other", "x@friend.example", alertMail(0, 1)))
		}
	}
	const atOnce = 8 // mails before a start, and during a run
	var imported, noted asker
	for range rounds {
		post(atOnce)
		p := start(t, dir)
		var clients sync.WaitGroup
		clients.Go(func() {
			imported.run(func(n int) bool {
				status, body := p.do("POST", "/api/v1/import", fmt.Sprintf(`[{"id":"listing %d","cost":%d}]`, n, n))
				if status != 0 && !strings.Contains(body, `"added":1`) && !strings.Contains(body, `"unchanged":1`) {
					t.Errorf("import %d: %s", n, body)
				}
				return status == 200
			})
		})
		clients.Go(func() {
			noted.run(func(n int) bool {
				status, body := p.do("PATCH", "/api/v1/flat/noted", fmt.Sprintf(`{"notes":"%d"}`, n))
				if status != 200 && status != 0 {
					t.Errorf("note %d: %d %s", n, status, body)
				}
				return status == 200
			})
		})
		post(atOnce)
		imports, notes := imported.acknowledged()+1+mathrand.IntN(20), noted.acknowledged()+1+mathrand.IntN(20)
		mails := 1 + mathrand.IntN(atOnce)
		p.await("updates and mails", func() bool {
			return imported.acknowledged() >= imports && noted.acknowledged() >= notes && p.mails() >= mails
		})
		p.Process.Kill()
		p.Wait()
		clients.Wait()
	}
	post(atOnce)
	p := start(t, dir)
	p.await("the mails", func() bool {
		last := fmt.Sprintf("Bright flat no. %d", homes)
		return p.mails() >= atOnce && slices.ContainsFunc(p.flats(), func(f listedFlat) bool { return f.Title == last })
	})
	flats := p.flats()
	titles, listings := map[string]int{}, map[string]listedFlat{}
	for _, f := range flats {
		titles[f.Title]++
		listings[f.ID] = f
	}
	for home := range homes + 1 {
		if n, want := titles[fmt.Sprintf("Bright flat no. %d", home)], min(home, 1); n != want {
			t.Errorf("home %d is there %d times; want %d", home, n, want)
		}
	}
	for n := 1; n <= imported.acknowledged(); n++ {
		if f := listings[fmt.Sprintf("listing %d", n)]; f.Cost != n {
			t.Errorf("listing %d was acknowledged, and is %v", n, f)
		}
	}
	if n, _ := strconv.Atoi(listings["noted"].Notes); n < noted.acknowledged() || n > noted.asked() {
		t.Errorf("the notes are %d; want %d to %d", n, noted.acknowledged(), noted.asked())
	}
	mails := p.checkMailImports(atOnce)
	p.stop()
	t.Logf("%d homes, %d imports, %d notes, %d mails since the last start", homes, imported.acknowledged(),
		noted.acknowledged(), mails)
}

// An asker sends requests that are numbered from 1 on, one after the other.
type asker struct{ sent, done atomic.Int64 }

// run sends requests until one fails. The first one repeats the last one that failed.
func (a *asker) run(ask func(n int) bool) {
	for {
		n := a.done.Load() + 1
		a.sent.Store(n)
		if !ask(int(n)) {
			return
		}
		a.done.Store(n)
	}
}

func (a *asker) acknowledged() int { return int(a.done.Load()) }
func (a *asker) asked() int        { return int(a.sent.Load()) }

// mails returns how many mails were read since the start.
func (p *process) mails() int {
	p.Helper()
	var status struct{ Data struct{ Mails int } }
	if _, body := p.do("GET", "/api/v1/mailbox", ""); json.Unmarshal([]byte(body), &status) != nil {
		p.Fatal(body)
	}
	return status.Data.Mails
}

// A listedFlat is what a test wants of a flat.
type listedFlat struct {
	ID, Title, Notes string
	Cost             int
}

func (p *process) flats() []listedFlat {
	p.Helper()
	var list struct{ Data []listedFlat }
	if _, body := p.do("GET", "/api/v1/flats", ""); json.Unmarshal([]byte(body), &list) != nil {
		p.Fatal(body)
	}
	return list.Data
}

// checkMailImports checks the imports of mails since the start, of which the last ones are new, as many as fresh. It
// returns the number of mails, each of which counts only after its import.
func (p *process) checkMailImports(fresh int) (mails int) {
	p.Helper()
	var imports struct{ Data []Outcome }
	p.await("an import of each mail", func() bool {
		imports.Data = nil
		_, body := p.do("GET", "/api/v1/imports", "")
		if err := json.Unmarshal([]byte(body), &imports); err != nil {
			p.Fatalf("%v: %s", err, body)
		}
		mails = p.mails()
		return len(imports.Data) == min(mails, maxOutcomes)
	})
	for i, o := range imports.Data {
		isNew := o.Counts == Counts{Added: 1}
		isAgain := o.Counts == Counts{Unchanged: 1}
		isWanted := isNew || isAgain && i >= fresh // the newest come first
		if o.Source != mailSource || o.Error != nil || !isWanted {
			p.Errorf("import %d is %s", i, encodeJSON(o))
		}
	}
	return mails
}
