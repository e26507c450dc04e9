// The file system, as the store uses it, and the lock by which one process owns the data.

package main

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A disk is the file system as the store uses it: osDisk or, in tests, one that fails.
type disk interface {
	Open(name string, flag int, mode fs.FileMode) (diskFile, error)
	ReadFile(name string) ([]byte, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	EvalSymlinks(path string) (string, error)
	MkdirAll(dir string, mode fs.FileMode) error
	Rename(from, to string) error
	Remove(name string) error
	// List returns the paths that begin with the prefix, sorted. The folder of the
	// prefix must exist.
	List(prefix string) ([]string, error)
	// SameFile reports whether two results of Stat or Lstat describe the same file.
	SameFile(a, b fs.FileInfo) bool
	// SyncDir makes the entries of the folder durable.
	SyncDir(dir string) error
}

// A diskFile is an open file of a disk.
type diskFile interface {
	io.WriteCloser
	Chmod(mode fs.FileMode) error
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// An osDisk is the file system of the operating system.
type osDisk struct{}

func (osDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	return os.OpenFile(name, flag, mode)
}

func (osDisk) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

func (osDisk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

func (osDisk) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

func (osDisk) EvalSymlinks(path string) (string, error) { return filepath.EvalSymlinks(path) }

func (osDisk) MkdirAll(dir string, mode fs.FileMode) error { return os.MkdirAll(dir, mode) }

func (osDisk) Rename(from, to string) error { return os.Rename(from, to) }

func (osDisk) Remove(name string) error { return os.Remove(name) }

func (osDisk) SameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

func (osDisk) List(prefix string) (paths []string, err error) {
	dir, name := filepath.Split(prefix)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), name) {
			paths = append(paths, dir+entry.Name())
		}
	}
	return paths, err
}

func (osDisk) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there; the file system orders changes itself
	}
	err := syncFolder(dir)
	if isUnsupported(err) {
		return nil // warnUnsyncable has said so
	}
	return err
}

func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// isUnsupported reports whether a file system has no locks, or cannot make the entries of a folder
// durable, as SMB and some FUSE file systems answer. Any other error means that the disk has failed.
func isUnsupported(err error) bool {
	return errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL)
}

// warnUnsyncable warns once of the folders whose entries cannot be made durable. It leaves out folders that cannot be
// opened, because their use fails with an error of its own.
func warnUnsyncable(log *slog.Logger, folders ...string) {
	isSyncable := func(dir string) bool { return runtime.GOOS == "windows" || !isUnsupported(syncFolder(dir)) }
	unsyncable := slices.DeleteFunc(slices.Clone(folders), isSyncable)
	if len(unsyncable) > 0 {
		log.Warn("the file system cannot make the names of files durable: "+
			"a file that was just made or renamed may be lost if the power fails", "folders", unsyncable)
	}
}

// readAll returns the content of a file and its info, which is nil if there is no such
// file. It refuses to read a file larger than limit, or one that is not regular.
func readAll(disk disk, name string, limit int64) ([]byte, fs.FileInfo, error) {
	info, err := disk.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		link, err := disk.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil, nil
		case err == nil && link.Mode()&fs.ModeSymlink != 0:
			err = errLinkToNothing(name)
		}
		return nil, nil, err // nil if another service has just made the file
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular(): // opening a pipe could block forever
		return nil, info, fmt.Errorf("%s is not a regular file", name)
	case info.Size() > limit:
		return nil, info, fmt.Errorf("%s is larger than %d bytes", name, limit)
	}
	text, err := disk.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // another service has removed the file since
	}
	return text, info, err
}

// readExisting is like readAll on an osDisk, but the file must exist.
func readExisting(name string, limit int64) ([]byte, error) {
	text, info, err := readAll(osDisk{}, name, limit)
	if err == nil && info == nil {
		err = fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	return text, err
}

// listSuffixed returns the files whose names are the given one and a matching suffix, such as retired journals. It
// sorts shorter names first, and so numbers in them by size: .999999-ABCDEFGH comes before .1000000-ABCDEFGH. With an
// error, some of the files may be missing.
func listSuffixed(disk disk, name string, suffix pattern) ([]string, error) {
	paths, err := disk.List(name + ".")
	hasOtherSuffix := func(path string) bool { return !suffix().MatchString(path[len(name):]) }
	paths = slices.DeleteFunc(paths, hasOtherSuffix)
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return paths, err
}

// tempSuffix matches the end of a name of newTemp. Earlier versions wrote eight letters.
var tempSuffix = newPattern(`^\.[A-Z2-7]{8,}\.tmp$`)

// newTemp returns the name of a temporary file that no other process uses.
func newTemp(name string) string { return name + "." + rand.Text() + ".tmp" }

// removeTemps removes the temporary files that killed processes have left of a file.
func removeTemps(disk disk, name string) {
	temps, _ := listSuffixed(disk, name, tempSuffix)
	for _, temp := range temps {
		disk.Remove(temp)
	}
}

// writeTemp writes a temporary file and returns when it is durable. fill may ignore the
// errors of w, because writeTemp returns them. On error it removes the file.
func writeTemp(disk disk, name string, mode fs.FileMode, fill func(w *bufio.Writer)) error {
	tmp, err := disk.Open(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(tmp, 1<<18)
	fill(w)
	err = tmp.Chmod(mode) // the umask may have removed bits
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		disk.Remove(name)
	}
	return err
}

// replace renames a temporary file and returns when the new name is durable. info describes
// the file. If the file cannot be renamed, info is nil, and replace removes the file. If both
// info and err are set, the file has its new name, but a crash may undo that.
func replace(disk disk, temp, name string) (info fs.FileInfo, err error) {
	info, err = disk.Stat(temp)
	if err == nil {
		err = disk.Rename(temp, name)
	}
	if err != nil {
		disk.Remove(temp)
		return nil, err
	}
	return info, disk.SyncDir(filepath.Dir(name))
}

// maxFile is the size limit of any file in bytes: half a GiB on 32-bit systems.
const maxFile = min(8<<30, math.MaxInt/4)

// A sameInfo compares two results of Stat: it is sameFile or sameContent.
type sameInfo func(disk disk, a, b fs.FileInfo) bool

// isUnchanged reports whether a file is still as Stat described it in before, according to same. If before is nil,
// there must be no file.
func isUnchanged(disk disk, name string, before fs.FileInfo, same sameInfo) (bool, error) {
	info, err := disk.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return before == nil, nil
	case err != nil:
		return false, err
	case before == nil:
		return false, nil
	}
	return same(disk, info, before), nil
}

// sameFile reports whether two Stats describe the same file, which may have been written to in between.
func sameFile(disk disk, a, b fs.FileInfo) bool { return disk.SameFile(a, b) }

// sameContent reports whether two Stats describe the same file, which has not been written to in between.
func sameContent(disk disk, a, b fs.FileInfo) bool {
	return disk.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// resolve returns the path with its symbolic links resolved. A link to a file that does not
// exist is an error.
func resolve(disk disk, path string) (string, error) {
	target, err := disk.EvalSymlinks(path)
	if err == nil {
		return target, nil
	}
	if info, err := disk.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", errLinkToNothing(path)
	}
	return path, nil
}

func errLinkToNothing(path string) error {
	return fmt.Errorf("%s is a symbolic link to a file that does not exist: mount or create that file, or remove the link",
		path)
}

// lockData locks flats.json.lock, next to the resolved flats.json at path, and returns a function
// that unlocks it. The system unlocks it when the process ends, however it ends. The file stays,
// because removing it would let two processes lock two files of that name.
//
// open is openLocked, or a test's. lockData returns an error if the path cannot lead to the data, or if another process
// has the lock; then the error names the process. If the file system has no locks, or the file cannot be created in its
// folder (mayGoUnlocked), lockData only logs a warning, and unlock does nothing. Any other error of open is returned.
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
	if err != nil && !mayGoUnlocked(err) {
		return nil, fmt.Errorf("%w: the data cannot be locked; move it to another file system", err)
	}
	if err != nil {
		log.Warn("the data is not locked: start no second service with it", "data", path, "err", err)
		return func() {}, nil
	}
	// No error matters: the number only tells people who has the lock.
	file.Truncate(0)
	file.WriteString(strconv.Itoa(os.Getpid()) + "\n")
	return func() { closeLocked(file) }, nil
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

// mayGoUnlocked reports whether the service may run without a lock, after an error of openLocked: the lock file cannot
// be created in its folder, or the file system has no locks.
func mayGoUnlocked(err error) bool {
	var pathErr *fs.PathError
	cannotCreate := errors.As(err, &pathErr) && pathErr.Op == "open"
	hasNoLocks := isUnsupported(err) || errors.Is(err, syscall.ENOLCK)
	return cannotCreate || hasNoLocks
}
