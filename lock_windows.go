// The lock of a file on Windows.

package main

import (
	"io/fs"
	"os"
	"syscall"
)

// errHeld is the error of openLocked if another process has the lock: a sharing violation.
const errHeld = syscall.Errno(32)

// openLocked opens a file so that no other process can open it for writing, and creates it if
// necessary. Others may read it, to know the process that has it. The system closes the file
// when the process ends.
func openLocked(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(handle), name), nil
}
