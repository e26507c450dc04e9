// The password that opens the service: that of the config, or else the one in password.json.

package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minPassword    = 8        // characters of a password that is set
	maxPassword    = 256      // characters of a password that is set
	passwordRounds = 600_000  // of PBKDF2-SHA-256 for a new password.json
	maxRounds      = 10 << 20 // rounds that a password.json may ask for
	defaultUser    = "me"     // the user name unless the config has one
)

// A password opens the service together with a user name. It never changes: another one takes its place.
type password struct {
	username string
	plain    string // that of the config, "" for a stored one
	stored   storedPassword
	secret   string // of what is remembered of credentials, which ends with the password
}

// A storedPassword is a password as password.json has it, from which nobody can tell it.
type storedPassword struct {
	Rounds int    `json:"rounds"`
	Salt   []byte `json:"salt"`
	Hash   []byte `json:"hash"` // by PBKDF2-SHA-256
}

// configPassword returns the password of a config, or nil if it has none.
func configPassword(config *Config) *password {
	if config.Password == "" {
		return nil
	}
	return &password{username: config.Username, plain: config.Password, secret: rand.Text()}
}

// newStoredPassword stores a password under a new salt.
func newStoredPassword(text string, rounds int) storedPassword {
	p := storedPassword{Rounds: rounds, Salt: make([]byte, 16)}
	rand.Read(p.Salt)
	p.Hash = p.hashOf(text)
	return p
}

// hashOf returns what Hash is for a password. It takes long on purpose.
func (p storedPassword) hashOf(text string) []byte {
	key, _ := pbkdf2.Key(sha256.New, text, p.Salt, p.Rounds, sha256.Size) // no error: a key of this length is allowed
	return key
}

// is reports whether the stored password is a text.
func (p storedPassword) is(text string) bool {
	return subtle.ConstantTimeCompare(p.hashOf(text), p.Hash) == 1
}

func (p storedPassword) equal(other storedPassword) bool {
	return p.Rounds == other.Rounds && bytes.Equal(p.Salt, other.Salt) && bytes.Equal(p.Hash, other.Hash)
}

// parsePassword reads the text of a password.json. Anything but a whole password is an error.
func parsePassword(name, text string) (p storedPassword, err error) {
	object, err := parseObject([]byte(text))
	if err != nil {
		return p, withLine(name, []byte(text), plainSyntax(err))
	}
	for key := range object {
		if key != "rounds" && key != "salt" && key != "hash" {
			return p, fmt.Errorf("%s: there is no such key as %s", name, excerpt(encodeJSON(key)))
		}
	}
	if json.Unmarshal([]byte(text), &p) != nil || p.Rounds < 1 || p.Rounds > maxRounds || len(p.Salt) != 16 ||
		len(p.Hash) != sha256.Size {
		return p, fmt.Errorf("%s: want rounds, a salt of 16 bytes and a hash of %d bytes in base64", name, sha256.Size)
	}
	return p, nil
}

// matches reports whether a user name and a text open the service. A wrong name takes as long as a wrong text.
func (p *password) matches(name, text string) bool {
	right := same(name, p.username)
	if p.plain != "" {
		return right&same(text, p.plain) == 1
	}
	return right&subtle.ConstantTimeCompare(p.stored.hashOf(text), p.stored.Hash) == 1
}

// same returns 1 if two secrets are equal, else 0. It compares hashes to hide the lengths.
func same(a, b string) int {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:])
}

// checkPassword returns an error unless a text can be set as the password.
func checkPassword(text string) error {
	switch n := utf8.RuneCountInString(text); {
	case !utf8.ValidString(text):
		return errors.New("is not UTF-8")
	case n < minPassword || n > maxPassword:
		return fmt.Errorf("want %d to %d characters", minPassword, maxPassword)
	case strings.ContainsFunc(text, unicode.IsControl):
		return errors.New("must not contain control characters")
	}
	return nil
}

// setPassword sets the password that stands next to the data that a config names. A service that runs takes it by
// itself. The password is asked for twice on a terminal, and is else a line of in.
func setPassword(ctx context.Context, config *Config, in *os.File, out io.Writer, rounds int) error {
	if config.Password != "" {
		return errors.New("config.json or FLATS_PASSWORD has the password: change it there, and start the service again")
	}
	data, err := filepath.Abs(config.Data)
	if err != nil {
		return err
	}
	file, err := openSideFile(&dataFiles{disk: osDisk{}}, data, passwordBase)
	if err != nil {
		return err
	}
	text, err := readPassword(ctx, in, out)
	if err == nil {
		if err = checkPassword(text); err != nil {
			err = fmt.Errorf("password: %w", err)
		}
	}
	if err != nil {
		return fmt.Errorf("%w (nothing was changed)", err)
	}
	temp, stored := newTemp(file.name), encodeJSON(newStoredPassword(text, rounds))+"\n"
	if err := writeTemp(osDisk{}, temp, 0o600, func(w *bufio.Writer) { w.WriteString(stored) }); err != nil {
		return err
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(data))
	isLinked := err != nil || filepath.Dir(file.name) != folder
	if err := giveTo(temp, data, isLinked); err != nil { // the service could not read it
		os.Remove(temp)
		return fmt.Errorf("%w: run this as the user of the service (nothing was changed)", err)
	}
	if _, err := replace(osDisk{}, temp, file.name); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "the password is set in %s: all devices are signed out\n", file.name)
	return err
}

// readPassword reads a password: twice from a terminal, which does not show it, or else a line.
func readPassword(ctx context.Context, in *os.File, out io.Writer) (string, error) {
	show, isTerminal, err := hideTyping(in)
	if err != nil {
		return "", fmt.Errorf("the terminal cannot hide what is typed: %w; hand the password over in a line of "+
			"standard input", err)
	}
	lines := bufio.NewReaderSize(io.LimitReader(in, 4*2*maxPassword), 64)
	if !isTerminal {
		return readLine(ctx, lines)
	}
	defer show()
	var typed [2]string
	for i, question := range []string{"New password: ", "Again: "} {
		fmt.Fprint(out, question)
		typed[i], err = readLine(ctx, lines)
		fmt.Fprintln(out)
		if err != nil {
			return "", err
		}
	}
	if typed[0] != typed[1] {
		return "", errors.New("the two passwords differ")
	}
	return typed[0], nil
}

// readLine reads a line without its end, until ctx is done.
func readLine(ctx context.Context, in *bufio.Reader) (string, error) {
	type line struct {
		text string
		err  error
	}
	read := make(chan line, 1)
	go func() {
		text, err := in.ReadString('\n')
		read <- line{text, err}
	}()
	select {
	case <-ctx.Done():
		return "", errInterrupted
	case got := <-read:
		if got.err != nil && (got.err != io.EOF || got.text == "") {
			return "", fmt.Errorf("no password was given: %w", got.err)
		}
		return strings.TrimSuffix(strings.TrimSuffix(got.text, "\n"), "\r"), nil
	}
}
