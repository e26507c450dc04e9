// Tests of certificates.go, and of the addresses in checks.go.

package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// newPair returns a certificate for 127.0.0.1 and its key in PEM. The serial number tells certificates apart.
func newPair(t *testing.T, serial int64) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotAfter: time.Now().AddDate(50, 0, 0), BasicConstraintsValid: true, IsCA: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}))
}

// TestHTTPS tests that a service with a certificate answers by https and HTTP/2, knows its own https address, and
// refuses http.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	certificate, key := newPair(t, 1)
	writeFile(t, dir, "cert.pem", certificate)
	writeFile(t, dir, "key.pem", key)
	file := writeFile(t, dir, "config.json", `{"addr":"127.0.0.1:0","tls_certificate":"cert.pem","tls_key":"key.pem"}`)
	log := &lockedBuffer{}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := run(ctx, []string{"-config", file}, io.Discard, log); err != nil {
			t.Error(err)
		}
	})
	defer running.Wait()
	defer cancel()
	url := ""
	for range 500 { // at most 10 s
		if _, rest, ok := strings.Cut(log.String(), "msg=listening url="); ok {
			url, _, _ = strings.Cut(rest, "\n")
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if !strings.HasPrefix(url, "https://127.0.0.1:") {
		t.Fatalf("the log is %s", log)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(certificate))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	client := &http.Client{Transport: transport}
	defer client.CloseIdleConnections()
	answer, err := client.Get(url + "api/v1/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(answer.Body)
	answer.Body.Close()
	namesOwnURL := strings.Contains(string(body), strings.TrimSuffix(url, "/"))
	if answer.StatusCode != 200 || answer.ProtoMajor != 2 || !namesOwnURL {
		t.Errorf("%d %s, and the API names the URL: %t", answer.StatusCode, answer.Proto, namesOwnURL)
	}
	plain, err := http.Get("http" + strings.TrimPrefix(url, "https") + "api/v1/flats")
	if err == nil { // an error is a refusal, too
		plain.Body.Close()
		if plain.StatusCode != 400 {
			t.Errorf("http is answered with %d", plain.StatusCode)
		}
	}
}

// TestCertificateConfig tests that a certificate that cannot be used is an error at start that names the key of the
// config and shows nothing of the files.
func TestCertificateConfig(t *testing.T) {
	certificate, key := newPair(t, 1)
	_, otherKey := newPair(t, 2)
	// certificate and key are the texts of the two files; without a text there is no file. want begins the error.
	for _, c := range []struct{ certificate, key, want string }{
		{certificate, key, ""}, {"# comment\n" + certificate, "# comment\n" + key, ""},
		{certificate, otherKey, "config: tls_key: tls: private key does not match public key"},
		{"secret", key, "config: tls_certificate: want a certificate in PEM"},
		{key, key, "config: tls_certificate: want a certificate in PEM"},
		{"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", key, "config: tls_certificate: x509: "},
		{certificate, "secret", "config: tls_key: want a private key in PEM"},
		{certificate, certificate, "config: tls_key: tls: "},
		{"", key, "config: tls_certificate: "}, {certificate, "", "config: tls_key: "},
	} {
		dir := t.TempDir()
		config := defaultConfig()
		config.TLSCertificate, config.TLSKey = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
		if c.certificate != "" {
			writeFile(t, dir, "cert.pem", c.certificate)
		}
		if c.key != "" {
			writeFile(t, dir, "key.pem", c.key)
		}
		_, err := openKeyPair(config, quiet)
		got := errorText(err)
		isWanted := got == c.want || c.want != "" && strings.HasPrefix(got, c.want)
		if !isWanted || strings.Contains(got, "secret") {
			t.Errorf("got %s; want %s", got, c.want)
		}
	}
	// Either both keys are set, or neither. Files are relative to the folder of the config.
	for text, want := range map[string]string{
		`{"tls_certificate":"a"}`: "config: tls_key is missing: set it and tls_certificate, or neither",
		`{"tls_key":"a"}`:         "config: tls_certificate is missing: set it and tls_key, or neither",
		`{"tls_certificate":"a","tls_key":"b","addr":"127.0.0.1:80"}`: "",
	} {
		config, err := parseConfig("/etc/config.json", []byte(text), quiet)
		if err != nil {
			t.Fatal(err)
		}
		if got := errorText(config.finish()); got != want {
			t.Errorf("%s: got %s; want %s", text, got, want)
		}
		if want == "" && (config.TLSCertificate != "/etc/a" || config.TLSKey != "/etc/b" ||
			config.WebsiteURL != "https://127.0.0.1:80/") {
			t.Errorf("the config is %+v; want the files /etc/a and /etc/b, and https://127.0.0.1:80/", config)
		}
	}
}

// TestCertificateRenewal tests that a new certificate is served within ten seconds, and that the old one goes on while
// the new one cannot be used, with one warning for each state of the files.
func TestCertificateRenewal(t *testing.T) {
	first, firstKey := newPair(t, 1)
	second, secondKey := newPair(t, 2)
	third, thirdKey := newPair(t, 3)
	synctest.Test(t, func(t *testing.T) {
		dir := t.TempDir()
		os.Mkdir(filepath.Join(dir, "1"), 0o700)
		writeFile(t, dir, "1/key", firstKey)
		os.Symlink(filepath.Join("1", "key"), filepath.Join(dir, "key"))
		config := defaultConfig()
		config.TLSCertificate, config.TLSKey = writeFile(t, dir, "cert", first), filepath.Join(dir, "key")
		var log lockedBuffer
		k, err := openKeyPair(config, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go k.watch(ctx)
		// want waits for two looks at the files, and tests which certificate is served, and how many warnings there are
		// in all.
		want := func(serial int64, warnings int) {
			t.Helper()
			time.Sleep(2 * certificatePause)
			synctest.Wait()
			pair, _ := k.get(nil)
			if got := pair.Leaf.SerialNumber.Int64(); got != serial || strings.Count(log.String(), "WARN") != warnings {
				t.Errorf("certificate %d; want %d, after %d warnings; the log is\n%s", got, serial, warnings, &log)
			}
		}
		want(1, 0)
		// The certificate is replaced before its key: they do not match.
		writeFile(t, dir, "cert", second)
		want(1, 1)
		want(1, 1) // no second warning of the same files
		// The key is gone.
		os.Mkdir(filepath.Join(dir, "2"), 0o700)
		writeFile(t, dir, "2/key", secondKey)
		os.Remove(filepath.Join(dir, "key"))
		want(1, 2)
		want(1, 2)
		// The link to the key has another target, which matches.
		os.Symlink(filepath.Join("2", "key"), filepath.Join(dir, "key"))
		want(2, 2)
		writeFile(t, dir, "cert", "damaged")
		want(2, 3)
		writeFile(t, dir, "cert", second)
		want(2, 3)
		writeFile(t, dir, "cert", third)
		writeFile(t, dir, "2/key", thirdKey)
		want(3, 3)
		if strings.Contains(log.String(), "damaged") {
			t.Errorf("the log says that a certificate is damaged: %s", &log)
		}
	})
}

// TestReachable tests the address that another device can use.
func TestReachable(t *testing.T) {
	own := ownHost()
	for _, c := range []struct{ addr, want string }{
		{"127.0.0.1:80", "127.0.0.1:80"}, {"192.168.1.5:80", "192.168.1.5:80"}, {"[::1]:80", "[::1]:80"},
		{"flats.example:80", "flats.example:80"}, {"0.0.0.0:80", net.JoinHostPort(own, "80")},
		{"[::]:80", net.JoinHostPort(own, "80")}, {":80", net.JoinHostPort(own, "80")},
	} {
		if got := reachableAddr(c.addr); got != c.want {
			t.Errorf("%s: %s; want %s", c.addr, got, c.want)
		}
	}
	ip := net.ParseIP(own)
	isReachable := ip != nil && !ip.IsLoopback() && !ip.IsUnspecified() && !ip.IsLinkLocalUnicast()
	if own != "localhost" && !isReachable {
		t.Errorf("the address of the machine is %s; want localhost, or one that other machines reach", own)
	}
}
