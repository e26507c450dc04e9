// The lock by which one process owns the data.

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// lockData locks flats.json.lock, beside the resolved flats.json at path, and returns a function
// that unlocks it. The system unlocks it when the process ends, however it ends. The file stays,
// because removing it would let two processes lock two files of that name.
//
// open is openLocked, or a test's. A path that cannot be that of the data is an error, and so is a
// lock of another process, which the error names. If the file system has no locks, or the file
// cannot be created, lockData only logs a warning.
func lockData(path string, open func(name string) (*os.File, error), log *slog.Logger) (unlock func(), err error) {
	base, err := resolve(osDisk{}, path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(base); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file in it, such as %s", path, filepath.Join(path, "flats.json"))
	}
	name := base + ".lock"
	file, err := open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no folder %s: create it, or keep the flats elsewhere with -data", path,
			filepath.Dir(base))
	}
	if errors.Is(err, errHeld) {
		return nil, fmt.Errorf("%s is in use by %s: stop that one, or keep other flats with -data", path, lockOwner(name))
	}
	if err != nil && !canGoOn(err) {
		return nil, fmt.Errorf("%w: the data cannot be locked; move it to another file system", err)
	}
	if err != nil {
		log.Warn("the data is not locked: start no second service with it", "data", path, "err", err)
		return func() {}, nil
	}
	// No error matters: the number only tells people who has the lock.
	file.Truncate(0)
	file.WriteString(strconv.Itoa(os.Getpid()) + "\n")
	return func() { file.Close() }, nil
}

// lockOwner returns who has a lock, as far as its file says.
func lockOwner(name string) string {
	text, _ := os.ReadFile(name)
	id, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return "another service"
	}
	return fmt.Sprintf("another service, process %d", id)
}

// canGoOn reports whether the service may go on without a lock, after an error other than
// errHeld: the file system has no locks, or the folder cannot be written to.
func canGoOn(err error) bool {
	var failed *fs.PathError
	if errors.As(err, &failed) && failed.Op == "open" {
		return true
	}
	return isUnsupported(err) || errors.Is(err, syscall.ENOLCK)
}
