// What differs on Windows: the lock and the owner of a file, and how a terminal hides what is typed.

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

// closeLocked closes a file, which unlocks it.
func closeLocked(file *os.File) { file.Close() }

// hideTyping makes a terminal hide what is typed, until show is called. It does nothing to other files. An error says
// that the terminal shows what is typed.
func hideTyping(file *os.File) (show func(), isTerminal bool, err error) {
	const echo = 4 // ENABLE_ECHO_INPUT
	var mode uint32
	if syscall.GetConsoleMode(syscall.Handle(file.Fd()), &mode) != nil {
		return func() {}, false, nil
	}
	set := syscall.NewLazyDLL("kernel32.dll").NewProc("SetConsoleMode")
	isSet, _, callErr := set.Call(file.Fd(), uintptr(mode&^echo))
	if isSet == 0 {
		return func() {}, true, callErr
	}
	return func() { set.Call(file.Fd(), uintptr(mode)) }, true, nil
}

// giveTo does nothing, because the folder of a file decides who may read it.
func giveTo(string, string, bool) error { return nil }
