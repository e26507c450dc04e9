// Tests against Dovecot, a real mail server.

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flats/internal/imap"
	"flats/internal/listing"
)

// A dovecot is a running Dovecot with the user hunter, whose password is secret-1.
type dovecot struct {
	testing.TB
	folder      string // with its files
	certificate string // a file
	imap, imaps int    // ports
	added       int    // mails
}

// dovecotConfig is the config of a Dovecot 2.3 that runs as root or as anybody. Its verbs are the
// folder, the user and the group of its processes, the user before the login, and the ports.
const dovecotConfig = `protocols = imap
listen = 127.0.0.1
base_dir = %[1]s/run
state_dir = %[1]s/run
log_path = %[1]s/log
default_internal_user = %[2]s
default_internal_group = %[3]s
default_login_user = %[4]s
first_valid_uid = 1
mail_location = maildir:%[1]s/mail
mail_home = %[1]s/home
mmap_disable = yes
mail_fsync = never
disable_plaintext_auth = yes
auth_mechanisms = plain login
auth_failure_delay = 0
ssl = required
ssl_cert = <%[1]s/cert.pem
ssl_key = <%[1]s/key.pem
passdb {
  driver = passwd-file
  args = scheme=PLAIN %[1]s/users
}
userdb {
  driver = passwd-file
  args = %[1]s/users
}
namespace inbox {
  inbox = yes
}
service imap-login {
  chroot =
  inet_listener imap {
    port = %[5]d
  }
  inet_listener imaps {
    port = %[6]d
    ssl = yes
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
`

// startDovecot starts a Dovecot with an empty mailbox. It skips the test if there is none, but not in CI.
func startDovecot(t testing.TB) *dovecot {
	t.Helper()
	program := "/usr/sbin/dovecot" // in the PATH of root alone
	if _, err := exec.LookPath(program); err != nil {
		if program, err = exec.LookPath("dovecot"); err != nil && os.Getenv("CI") == "" {
			t.Skip(err)
		}
	}
	folder, err := os.MkdirTemp("", "dovecot") // t.TempDir is closed to the users of Dovecot
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	s := &dovecot{TB: t, folder: folder, certificate: filepath.Join(folder, "cert.pem")}
	s.imap, s.imaps = freePort(t), freePort(t)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	group, err := user.LookupGroupId(me.Gid)
	if err != nil {
		t.Fatal(err)
	}
	owner, internal, internalGroup, login := me, me.Username, group.Name, me.Username
	if me.Uid == "0" { // root may not own a mailbox
		internal, internalGroup, login = "dovecot", "dovecot", "dovenull"
		if owner, err = user.Lookup("nobody"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"run", "home", "mail/cur", "mail/new", "mail/tmp"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	makeCertificate(t, folder)
	writeFile(t, folder, "users", fmt.Sprintf("hunter:{PLAIN}secret-1:%s:%s::%s/home::\n", owner.Uid, owner.Gid, folder))
	config := fmt.Sprintf(dovecotConfig, folder, internal, internalGroup, login, s.imap, s.imaps)
	writeFile(t, folder, "dovecot.conf", config)
	os.Chmod(folder, 0o755)
	s.own()
	cmd := exec.Command(program, "-F", "-c", filepath.Join(folder, "dovecot.conf"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.imaps)))
		if err == nil {
			conn.Close()
			return s
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(folder, "log"))
			t.Fatalf("Dovecot does not listen: %v\n%s", err, log)
		}
	}
}

// own gives the mails to nobody if root runs the test.
func (s *dovecot) own() {
	if os.Getuid() != 0 {
		return
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		s.Fatal(err)
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	gid, _ := strconv.Atoi(nobody.Gid)
	for _, name := range []string{"mail", "home"} {
		filepath.WalkDir(filepath.Join(s.folder, name), func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, uid, gid))
		})
	}
}

// add adds mails to a folder, whose name is encoded, "" for the inbox. They arrived at a time.
func (s *dovecot) add(name string, at time.Time, mails ...string) {
	s.Helper()
	folder := filepath.Join(s.folder, "mail")
	if name != "" {
		folder = filepath.Join(folder, "."+name)
	}
	for _, part := range []string{"cur", "new", "tmp"} {
		if err := os.MkdirAll(filepath.Join(folder, part), 0o755); err != nil {
			s.Fatal(err)
		}
	}
	for _, text := range mails {
		s.added++
		file := fmt.Sprintf("%d.M%06dP%d.local:2,", at.Unix(), s.added, os.Getpid())
		writeFile(s, filepath.Join(folder, "tmp"), file, text)
		path := filepath.Join(folder, "tmp", file)
		if err := errors.Join(os.Chtimes(path, at, at), os.Rename(path, filepath.Join(folder, "cur", file))); err != nil {
			s.Fatal(err)
		}
	}
	s.own()
}

// server returns how to reach s.
func (s *dovecot) server(startTLS bool) imap.Server {
	s.Helper()
	text, err := os.ReadFile(s.certificate)
	if err != nil {
		s.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(text)
	port := s.imaps
	if startTLS {
		port = s.imap
	}
	return imap.Server{Host: "127.0.0.1", Port: strconv.Itoa(port), StartTLS: startTLS, MaxMail: listing.MaxMail,
		Roots: roots, Dial: (&net.Dialer{}).DialContext}
}

func freePort(t testing.TB) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// makeCertificate writes a certificate for 127.0.0.1 that signs itself to cert.pem and key.pem.
func makeCertificate(t testing.TB, folder string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	encode := func(kind string, bytes []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes}))
	}
	writeFile(t, folder, "cert.pem", encode("CERTIFICATE", certificate))
	writeFile(t, folder, "key.pem", encode("PRIVATE KEY", private))
}

// TestDovecot reads folders of a real server, with TLS from the start and with STARTTLS.
func TestDovecot(t *testing.T) {
	t.Parallel()
	s := startDovecot(t)
	mails := []string{"Subject: a\r\n\r\none\r\n", "Subject: b\r\n\r\n{3}\r\n)\r\n", "Subject: ü \xff\r\n\r\n" +
		strings.Repeat("line\r\n", 100_000)}
	s.add("", time.Now(), mails...)
	s.add("Flats f&APw-r M&APw-nchen", time.Now(), mails[1])
	s.add("large", time.Now(), strings.Repeat("line\r\n", listing.MaxMail/6+1), mails[0])
	cases := []struct {
		name           string
		startTLS       bool
		user, password string
		folder         string
		want           []string
		err            string
	}{
		{"TLS", false, "hunter", "secret-1", "INBOX", mails, ""},
		{"STARTTLS", true, "hunter", "secret-1", "INBOX", mails, ""},
		{"blanks and umlauts", false, "hunter", "secret-1", "Flats für München", mails[1:2], ""},
		{"a large mail", false, "hunter", "secret-1", "large", []string{"too large", mails[0]}, ""},
		{"AUTHENTICATE", false, "hunter", "sécret", "INBOX", nil, "127.0.0.1: AUTHENTICATE was answered with NO " +
			"AUTHENTICATIONFAILED: check the user and the password; many providers want an app password, and IMAP turned " +
			"on in their settings"},
		{"a wrong password", true, "hunter", "secret-2", "INBOX", nil, "127.0.0.1: LOGIN was answered with NO " +
			"AUTHENTICATIONFAILED: check the user and the password; many providers want an app password, and IMAP turned " +
			"on in their settings"},
		{"no folder", false, "hunter", "secret-1", "flats", nil, "127.0.0.1: EXAMINE was answered with NO: " +
			"check the folder in url, with the separators of the server, such as INBOX/Flats or INBOX.Flats"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := readFolder(s.server(c.startTLS), c.user, c.password, c.folder)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if !slices.Equal(got, c.want) || text != c.err {
				t.Errorf("got %d mails, %s; want %d, %s", len(got), text, len(c.want), c.err)
			}
		})
	}
	untrusted := s.server(false)
	untrusted.Roots = nil
	_, err := readFolder(untrusted, "hunter", "secret-1", "INBOX")
	if err == nil || !strings.Contains(err.Error(), "x509") {
		t.Errorf("without the certificate: %v", err)
	}
	seen, err := filepath.Glob(filepath.Join(s.folder, "mail", "cur", "*S"))
	if err != nil || len(seen) > 0 {
		t.Errorf("%d mails are marked as seen, %v", len(seen), err)
	}
}

// TestDovecotSearch begins with the mails of seven days, from senders, and goes on by UID.
func TestDovecotSearch(t *testing.T) {
	t.Parallel()
	s := startDovecot(t)
	now := time.Now()
	mail := func(subject, sender string) string { return testMail(subject, sender, "") }
	s.add("", now.AddDate(0, 0, -9), mail("old", "x@portal.example"))
	s.add("", now.AddDate(0, 0, -6), mail("a", "x@portal.example"), mail("b", "x@friend.example"))
	s.add("", now, mail("c", "x@push.Agent.example"))
	var taken []string
	store := newStore(nil, nil, quiet, nil)
	defer store.Close()
	mailbox := &Mailbox{server: s.server(false), user: "hunter", Password: "secret-1", folder: "INBOX",
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
	s.add("", now.AddDate(0, 0, -30), mail("d", "x@portal.example"))
	look("d")
	if !*whole {
		return // the server takes seconds to search so many
	}
	var many []string
	for range 5_010 { // more than one search covers
		many = append(many, mail("m", "x@other.example"))
	}
	s.add("", now.Add(time.Second), many...)
	look(strings.TrimSuffix(strings.Repeat("m ", len(many)), " "))
	look("")
}

// TestDovecotProgram kills the program again and again while mails arrive at a real server, listings come by HTTP and
// a user writes notes. In the end each home is there once, no acknowledged change is lost, and the imports tell what
// came since the last start.
func TestDovecotProgram(t *testing.T) {
	t.Parallel()
	server := startDovecot(t)
	rounds := 3
	if *whole {
		rounds = 10
	}
	dir := t.TempDir()
	writeFile(t, dir, "flats.json", `[{"id":"noted"}]`)
	writeFile(t, dir, "config.json", fmt.Sprintf(`{"mailbox":{"url":"imaps://hunter@127.0.0.1:%d","password":"secret-1",`+
		`"from":["portal.example"],"certificate":%q}}`, server.imaps, server.certificate))
	homes := 0 // in mails
	post := func(mails int) {
		for range mails {
			homes++
			server.add("", time.Now(), alertMail(homes, 9000-homes), testMail("other", "x@friend.example", alertMail(0, 1)))
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
		return len(imports.Data) == min(mails, 20)
	})
	for i, o := range imports.Data {
		isNew := o.Counts == Counts{Added: 1}
		isAgain := o.Counts == Counts{Unchanged: 1}
		if o.Source != mailSource || o.Error != nil || !isNew && (i < fresh || !isAgain) {
			p.Errorf("import %d is %s", i, encodeJSON(o))
		}
	}
	return mails
}
