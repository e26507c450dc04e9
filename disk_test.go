// Tests of disk.go.

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
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
