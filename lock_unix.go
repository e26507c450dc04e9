// What differs on Unix: the lock and the owner of a file, and how a terminal hides what is typed.

//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// errHeld is the error of openLocked if another process has the lock.
const errHeld = syscall.EWOULDBLOCK

// openLocked opens and locks a file, and creates it if necessary. It does not wait for the lock. The
// system unlocks a file when it is closed.
func openLocked(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.EINTR // a signal has interrupted the call: try again
	for err == syscall.EINTR {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		file.Close()
		return nil, &fs.PathError{Op: "flock", Path: name, Err: err}
	}
	return file, nil
}

// closeLocked unlocks a file and closes it. Closing alone is not enough, because a program that is being started may
// have the file open, too.
func closeLocked(file *os.File) {
	syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	file.Close()
}

// hideTyping makes a terminal hide what is typed, until show is called. It does nothing to other files. An error says
// that the terminal shows what is typed. hideTyping asks stty, because package syscall has no other way than unsafe
// pointers.
func hideTyping(file *os.File) (show func(), isTerminal bool, err error) {
	stty := func(args ...string) (string, error) {
		command := exec.Command("stty", args...)
		command.Stdin = file
		out, err := command.Output()
		return strings.TrimSpace(string(out)), err
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return func() {}, false, nil
	}
	before, err := stty("-g")
	var failed *exec.ExitError
	if errors.As(err, &failed) { // another device, such as /dev/null
		return func() {}, false, nil
	}
	if err == nil {
		_, err = stty("-echo")
	}
	return func() { stty(before) }, true, err
}

// giveTo gives a file to the owner of another file or, if that does not exist, of its folder. This owner could have put
// links there that lead to files of others. So giveTo follows no link, and returns an error instead of giving away a
// file that isLinked.
func giveTo(name, otherFile string, isLinked bool) error {
	info, err := os.Stat(otherFile)
	if errors.Is(err, fs.ErrNotExist) {
		info, err = os.Stat(filepath.Dir(otherFile))
	}
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(owner.Uid) == os.Geteuid() {
		return nil
	}
	if isLinked {
		return errors.New("a link leads out of the folder of the data")
	}
	return os.Lchown(name, int(owner.Uid), int(owner.Gid))
}
