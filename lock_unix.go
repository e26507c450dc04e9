// The lock of a file on Unix.

//go:build unix

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// errHeld is the error of openLocked if another process has the lock.
const errHeld = syscall.EWOULDBLOCK

// openLocked opens a file for its lock, which it does not wait for, and creates the file if
// necessary. The system unlocks a file when it is closed.
func openLocked(name string) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.EINTR
	for err == syscall.EINTR {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		file.Close()
		return nil, &fs.PathError{Op: "flock", Path: name, Err: err}
	}
	return file, nil
}
