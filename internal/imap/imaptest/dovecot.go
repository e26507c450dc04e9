// Dovecot, a real mail server, for tests.

package imaptest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// A Dovecot is a running Dovecot with the user hunter, whose password is secret-1.
type Dovecot struct {
	testing.TB
	Folder      string // the folder with its files
	Certificate string // the name of a file
	IMAP, IMAPS int    // ports
	added       int    // mails
}

// dovecotConfig is the config of a Dovecot 2.3 that runs as root or as anybody. Its verbs are the folder, the user and
// the group of its processes, the user of processes before the login, and the ports.
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

// StartDovecot starts a Dovecot with an empty mailbox. It skips the test if there is none, but not in CI.
func StartDovecot(t testing.TB) *Dovecot {
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
	s := &Dovecot{TB: t, Folder: folder, Certificate: filepath.Join(folder, "cert.pem")}
	s.IMAP, s.IMAPS = freePort(t), freePort(t)
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	group, err := user.LookupGroupId(me.Gid)
	if err != nil {
		t.Fatal(err)
	}
	owner := me
	internal, internalGroup := me.Username, group.Name
	login := me.Username
	if me.Uid == "0" { // root may not own a mailbox
		internal, internalGroup = "dovecot", "dovecot"
		login = "dovenull"
		if owner, err = user.Lookup("nobody"); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"run", "home", "mail/cur", "mail/new", "mail/tmp"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	MakeCertificate(t, folder)
	writeFile(t, folder, "users", fmt.Sprintf("hunter:{PLAIN}secret-1:%s:%s::%s/home::\n", owner.Uid, owner.Gid, folder))
	config := fmt.Sprintf(dovecotConfig, folder, internal, internalGroup, login, s.IMAP, s.IMAPS)
	writeFile(t, folder, "dovecot.conf", config)
	os.Chmod(folder, 0o755) // for the other users of Dovecot
	s.giveToNobody()
	cmd := exec.Command(program, "-F", "-c", filepath.Join(folder, "dovecot.conf"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	s.await()
	return s
}

// await waits until the server listens.
func (s *Dovecot) await() {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.IMAPS)))
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(deadline) {
			log, _ := os.ReadFile(filepath.Join(s.Folder, "log"))
			s.Fatalf("Dovecot does not listen: %v\n%s", err, log)
		}
	}
}

// giveToNobody gives the mails to the user "nobody" if root runs the test: root may not own a mailbox.
func (s *Dovecot) giveToNobody() {
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
		filepath.WalkDir(filepath.Join(s.Folder, name), func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, uid, gid))
		})
	}
}

// Add adds mails that arrived at a time to a folder. name is the encoded name of the folder, "" for the inbox.
func (s *Dovecot) Add(name string, at time.Time, mails ...string) {
	s.Helper()
	folder := filepath.Join(s.Folder, "mail")
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
	s.giveToNobody()
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

// MakeCertificate writes a self-signed certificate for 127.0.0.1 to cert.pem, and its key to key.pem.
func MakeCertificate(t testing.TB, folder string) {
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

func writeFile(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
