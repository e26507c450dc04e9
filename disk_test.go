// Tests of disk.go.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestUnsyncableFolder tests that a folder whose file system cannot sync it is used all the same,
// with one warning. The folder of processes is one.
func TestUnsyncableFolder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	if err := (osDisk{}).SyncDir("/proc"); err != nil {
		t.Errorf("SyncDir of /proc: %v", err)
	}
	if err := (osDisk{}).SyncDir(t.TempDir() + "/missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SyncDir of a missing folder: %v", err)
	}
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	warnUnsyncable(log, t.TempDir(), t.TempDir()+"/missing")
	if out.Len() > 0 {
		t.Errorf("a warning of folders that can be synced: %s", out.String())
	}
	warnUnsyncable(log, "/proc", t.TempDir(), "/proc/self")
	if got := out.String(); strings.Count(got, "WARN") != 1 || !strings.Contains(got, `folders="[/proc /proc/self]"`) {
		t.Errorf("warnings: %s", got)
	}
}

// TestIsUnsyncable tests which errors of a sync say that the file system cannot sync the folder.
func TestIsUnsyncable(t *testing.T) {
	for err, want := range map[error]bool{
		syscall.EINVAL: true, syscall.ENOTSUP: true, syscall.ENOSYS: true,
		syscall.EIO: false, syscall.ENOSPC: false, fs.ErrNotExist: false, errors.New("EINVAL"): false,
	} {
		for _, err := range []error{err, &os.PathError{Op: "sync", Path: "/x", Err: err}, fmt.Errorf("x: %w", err)} {
			if got := isUnsupported(err); got != want {
				t.Errorf("%v: %v; want %v", err, got, want)
			}
		}
	}
}

// A second service on the same data is refused, also if it finds them by a link. The first one
// goes on.
func TestSecondService(t *testing.T) {
	t.Parallel()
	dir, elsewhere := t.TempDir(), t.TempDir()
	path := writeFile(t, dir, "flats.json", `[{"id":"a"}]`)
	link := filepath.Join(elsewhere, "link.json")
	paths := []string{path}
	if err := os.Symlink(path, link); err == nil {
		paths = append(paths, link)
	}
	first := start(t, dir)
	update := func(notes string) {
		t.Helper()
		if status, body := first.do("PATCH", "/api/v1/flat/a", `{"notes":"`+notes+`"}`); status != 200 {
			t.Errorf("the first service: %d %s", status, body)
		}
	}
	update("before")
	journal := readFile(t, path+".log")
	for i, path := range paths {
		// The address of the first service makes no difference.
		addr := []string{strings.TrimPrefix(first.url, "http://"), "127.0.0.1:0"}[i%2]
		out, err := command(elsewhere, "-addr", addr, "-data", path).CombinedOutput()
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		want := "flats: " + path + " is in use by another service, process " + strconv.Itoa(first.Process.Pid) +
			": stop that one, or keep other flats with -data"
		var exit interface{ ExitCode() int }
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || lines[len(lines)-1] != want {
			t.Errorf("%v, %s\nwant exit status 1 and %s", err, out, want)
		}
	}
	if got := readFile(t, path+".log"); got != journal {
		t.Errorf("the second service changed the journal from %q to %q", journal, got)
	}
	update("after")
	first.stop()
	if info, err := os.Stat(path + ".lock"); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("the file of the lock: %v, %v", info, err)
	}
	second := start(t, elsewhere, "-data", path)
	if _, body := second.do("GET", "/api/v1/flats/a", ""); !strings.Contains(body, `"notes":"after"`) {
		t.Errorf("the flat is %s", body)
	}
	second.stop()
}

// A start is never refused after a kill, and finds every update.
func TestStartAfterKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, dir, "flats.json", `[{"id":"a","notes":"0"}]`)
	for n := range *kills + 1 {
		p := start(t, dir)
		if _, body := p.do("GET", "/api/v1/flats/a", ""); !strings.Contains(body, `"notes":"`+strconv.Itoa(n)+`"`) {
			t.Fatalf("after %d kills the flat is %s; the log is\n%s", n, body, p.stderr)
		}
		p.do("PATCH", "/api/v1/flat/a", `{"notes":"`+strconv.Itoa(n+1)+`"}`)
		p.Process.Kill()
		p.Wait()
	}
}

// Without locks, and in a folder that cannot be written to, the service goes on with a warning.
// Any other error ends it.
func TestLockErrors(t *testing.T) {
	path := writeFile(t, t.TempDir(), "flats.json", "[]")
	for _, c := range []struct {
		op     string
		err    error
		wanted string // a part of the error, "" for a warning
	}{
		{"flock", syscall.ENOLCK, ""},
		{"flock", syscall.ENOSYS, ""},
		{"flock", syscall.EOPNOTSUPP, ""},
		{"flock", syscall.EINVAL, ""},
		{"open", fs.ErrPermission, ""},
		{"open", syscall.EROFS, ""},
		{"flock", syscall.EIO, "the data cannot be locked; move it to another file system"},
		{"flock", errHeld, path + " is in use by another service: stop that one"},
		{"open", errHeld, path + " is in use by another service: stop that one"},
	} {
		var logs lockedBuffer
		open := func(name string) (*os.File, error) { return nil, &fs.PathError{Op: c.op, Path: name, Err: c.err} }
		unlock, err := lockData(path, open, slog.New(slog.NewTextHandler(&logs, nil)))
		warned := strings.Count(logs.String(), "the data is not locked")
		if c.wanted == "" {
			if err != nil || warned != 1 {
				t.Errorf("%s: %v: %v; want a warning, got %s", c.op, c.err, err, logs.String())
				continue
			}
			unlock()
		} else if err == nil || !strings.Contains(err.Error(), c.wanted) || warned > 0 {
			t.Errorf("%s: %v: %v, %s; want %s", c.op, c.err, err, logs.String(), c.wanted)
		}
	}
}

// The path of the data must be one where it can be created.
func TestLockPath(t *testing.T) {
	dir := t.TempDir()
	inFolder := filepath.Join(dir, "flats.json")
	for path, want := range map[string]string{
		filepath.Join(dir, "no", "flats.json"): "there is no folder " + filepath.Join(dir, "no") + ": create it",
		dir:                                    dir + " is a folder: name a file in it, such as " + inFolder,
	} {
		if _, err := lockData(path, openLocked, quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", path, err, want)
		}
	}
}

// Within a process, too, the lock is free again once it is unlocked.
func TestUnlock(t *testing.T) {
	path := writeFile(t, t.TempDir(), "flats.json", "[]")
	for range 2 {
		unlock, err := lockData(path, openLocked, quiet)
		if err != nil {
			t.Fatal(err)
		}
		_, err = lockData(path, openLocked, quiet)
		if err == nil || !strings.Contains(err.Error(), "process "+strconv.Itoa(os.Getpid())) {
			t.Errorf("the second lock: %v", err)
		}
		unlock()
	}
}

// The lock is free once it is unlocked, even while a program that was started before has the file open, too.
func TestUnlockInherited(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a program inherits no files there")
	}
	path := writeFile(t, t.TempDir(), "flats.json", "[]")
	program := exec.Command("sleep", "60")
	unlock, err := lockData(path, func(name string) (*os.File, error) {
		file, err := openLocked(name)
		program.ExtraFiles = []*os.File{file}
		return file, err
	}, quiet)
	if err == nil {
		err = program.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer program.Wait()
	defer program.Process.Kill()
	unlock()
	again, err := lockData(path, openLocked, quiet)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// On the systems where the service knows it, the free space is a whole number of blocks.
func TestFreeSpace(t *testing.T) {
	const least, block = 1 << 20, 512 // bytes; a test needs some space itself
	isKnown := runtime.GOOS == "linux" || runtime.GOOS == "darwin"
	if bytes, ok := freeSpace(t.TempDir()); ok != isKnown || ok && (bytes < least || bytes%block != 0) {
		t.Errorf("the free space is %d, %v; want a multiple of %d, known: %v", bytes, ok, block, isKnown)
	}
	if bytes, ok := freeSpace("missing"); ok {
		t.Errorf("the free space of a missing folder is %d", bytes)
	}
}
