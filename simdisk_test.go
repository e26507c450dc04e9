// A disk in memory that fails, fills up and loses power.

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A simDisk simulates a disk in memory that fails or loses power at a chosen operation.
// After a power loss all operations fail, and only synced data is sure to survive. It is
// as unreliable as POSIX allows: only SyncDir makes a change of names durable, and data
// that an fsync failed to write is lost even if a later fsync succeeds.
type simDisk struct {
	mu       sync.Mutex
	names    map[string]*simFile
	durable  map[string]*simFile
	clock    int64 // counts changes, for mtime
	ops      []string
	failAt   int            // the first operation that fails, from 1; 0 for none
	failures int            // how many operations fail in a row; 0 for one
	another  int            // how many operations after failAt another one fails; 0 for none
	crash    bool           // lose power at failAt
	dead     bool           // power is lost
	readOnly bool           // names cannot change
	full     bool           // files cannot grow
	hooks    map[int]func() // called before an operation, by its number
	// rule reports whether an operation fails, nil for none.
	rule func(what, name string) bool
}

// A simFile is a file of a simDisk.
type simFile struct {
	data, synced []byte
	hasLost      bool // a failed fsync has lost the unsynced bytes from lostFrom on
	lostFrom     int
	mode         fs.FileMode
	mtime        int64
}

// A simInfo describes a file of a simDisk.
type simInfo struct {
	fs.FileInfo
	f     *simFile
	size  int64
	mode  fs.FileMode
	mtime int64
}

func (i simInfo) Size() int64 { return i.size }

func (i simInfo) Mode() fs.FileMode { return i.mode }

func (i simInfo) ModTime() time.Time { return time.Unix(i.mtime, 0) }

var errSim = errors.New("no space left on device")

// newSimDisk returns an empty disk.
func newSimDisk() *simDisk {
	return &simDisk{names: map[string]*simFile{}, durable: map[string]*simFile{}}
}

// put adds a synced file, or replaces it.
func (d *simDisk) put(name, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := &simFile{data: []byte(text), synced: []byte(text)}
	d.names[name], d.durable[name] = f, f
}

// op records an operation and returns an error if it fails. d.mu must be held; op
// releases it while it calls a hook.
func (d *simDisk) op(what, name string) error {
	if hook := d.hooks[len(d.ops)+1]; hook != nil {
		delete(d.hooks, len(d.ops)+1)
		d.mu.Unlock()
		hook()
		d.mu.Lock()
	}
	d.ops = append(d.ops, what+" "+name)
	since := len(d.ops) - d.failAt // 0 for the first operation that fails
	isInRow := 0 <= since && since < max(1, d.failures)
	isAnother := since > 0 && since == d.another
	isToFail := d.failAt > 0 && (isInRow || isAnother)
	if d.dead || isToFail || d.rule != nil && d.rule(what, name) {
		d.dead = d.dead || d.crash
		return &fs.PathError{Op: what, Path: name, Err: errSim}
	}
	return nil
}

// failIn makes the n-th operation from now on fail.
func (d *simDisk) failIn(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.failAt = len(d.ops) + n
}

// mend ends what failIn has begun, and reports whether the operation was reached.
func (d *simDisk) mend() (reached bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	reached = len(d.ops) >= d.failAt
	d.failAt = 0
	return reached
}

// isDead reports whether the disk has lost power.
func (d *simDisk) isDead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

func (d *simDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("open", name); err != nil {
		return nil, err
	}
	f := d.names[name]
	if f == nil && d.readOnly {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	if f == nil && flag&os.O_CREATE == 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	if f != nil && flag&os.O_EXCL != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrExist}
	}
	if f == nil {
		f = &simFile{mode: mode}
		d.names[name] = f
	}
	h := &simHandle{d: d, f: f, name: name}
	if flag&os.O_TRUNC != 0 && len(f.data) > 0 {
		f.truncate(0)
	}
	return h, nil
}

func (d *simDisk) ReadFile(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("read", name); err != nil {
		return nil, err
	}
	if d.names[name] == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return bytes.Clone(d.names[name].data), nil
}

func (d *simDisk) Stat(name string) (fs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("stat", name); err != nil {
		return nil, err
	}
	f := d.names[name]
	if f == nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
	}
	return f.info(), nil
}

func (f *simFile) info() fs.FileInfo {
	return simInfo{f: f, size: int64(len(f.data)), mode: f.mode, mtime: f.mtime}
}

func (d *simDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("rename", from); err != nil {
		return err
	}
	if d.readOnly {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrPermission}
	}
	if d.names[from] == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	d.names[to] = d.names[from]
	delete(d.names, from)
	return nil
}

func (d *simDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("remove", name); err != nil {
		return err
	}
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(d.names, name)
	return nil
}

func (d *simDisk) List(prefix string) (paths []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.op("list", prefix)
	for name := range d.names {
		if strings.HasPrefix(name, prefix) {
			paths = append(paths, name)
		}
	}
	slices.Sort(paths)
	return paths, err
}

// Lstat is Stat, because a simDisk has no symbolic links.
func (d *simDisk) Lstat(name string) (fs.FileInfo, error) { return d.Stat(name) }

func (d *simDisk) EvalSymlinks(path string) (string, error) {
	_, err := d.Stat(path)
	return path, err
}

// MkdirAll does nothing, because a simDisk has every folder.
func (d *simDisk) MkdirAll(dir string, mode fs.FileMode) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.op("mkdir", dir)
}

func (d *simDisk) SameFile(a, b fs.FileInfo) bool { return a.(simInfo).f == b.(simInfo).f }

func (d *simDisk) SyncDir(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op("syncdir", dir); err != nil {
		return err
	}
	d.durable = maps.Clone(d.names)
	return nil
}

// survivors tells what survives a power loss besides what was synced.
type survivors struct {
	unsynced     bool // all unsynced changes
	halfAppended bool // half of the unsynced bytes that were appended to a file, even if unsynced is set
}

// restart returns the disk after a power loss.
func (d *simDisk) restart(survive survivors) *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newSimDisk()
	names := d.durable
	if survive.unsynced {
		names = d.names
	}
	for name, f := range names {
		data := f.synced
		if survive.unsynced {
			data = f.syncable()
		}
		wasAppended := len(f.data) > len(f.synced) && bytes.HasPrefix(f.data, f.synced)
		if survive.halfAppended && wasAppended {
			data = f.data[:(len(f.synced)+len(f.data))/2]
		}
		after.names[name] = &simFile{data: bytes.Clone(data), synced: bytes.Clone(data), mode: f.mode}
	}
	after.durable = maps.Clone(after.names)
	return after
}

// restartSynced returns the disk after a power loss that only synced changes survive.
func (d *simDisk) restartSynced() *simDisk { return d.restart(survivors{}) }

// restartUnsynced returns the disk after a power loss that unsynced changes survive, too.
func (d *simDisk) restartUnsynced() *simDisk { return d.restart(survivors{unsynced: true}) }

// killed returns the disk after a kill of the program without a power loss.
func (d *simDisk) killed() *simDisk {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newSimDisk()
	for name, f := range d.names {
		after.names[name] = &simFile{data: bytes.Clone(f.data), mode: f.mode}
	}
	return after
}

// setFull sets whether writes fail for lack of space.
func (d *simDisk) setFull(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// syncable returns the data that a sync makes durable, with zeros in place of lost bytes.
func (f *simFile) syncable() []byte {
	data := bytes.Clone(f.data)
	if f.hasLost {
		clear(data[f.lostFrom:])
	}
	return data
}

// truncate cuts the file to size bytes.
func (f *simFile) truncate(size int64) {
	f.data = f.data[:size:size]
	if int64(f.lostFrom) >= size {
		f.hasLost = false // all lost bytes are cut
	}
}

// A simHandle is an open file of a simDisk.
type simHandle struct {
	d    *simDisk
	f    *simFile
	name string
}

// Write appends to the file, because the store opens all files for appending. A write that fails has written half
// of b.
func (h *simHandle) Write(b []byte) (n int, err error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	n = len(b)
	if err = h.d.op("write", h.name); h.d.full {
		err = errSim
	}
	if err != nil {
		n /= 2
	}
	h.d.clock++
	h.f.data, h.f.mtime = append(h.f.data, b[:n]...), h.d.clock
	return n, err
}

func (h *simHandle) Sync() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.op("sync", h.name); err != nil {
		hasUnsynced := len(h.f.synced) < len(h.f.data)
		if !h.d.dead && !h.f.hasLost && hasUnsynced {
			h.f.hasLost, h.f.lostFrom = true, len(h.f.synced)
		}
		return err
	}
	h.f.synced = h.f.syncable()
	return nil
}

func (h *simHandle) Truncate(size int64) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if err := h.d.op("truncate", h.name); err != nil {
		return err
	}
	h.d.clock++
	h.f.mtime = h.d.clock
	h.f.truncate(size)
	return nil
}

func (h *simHandle) Chmod(mode fs.FileMode) error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	h.f.mode = mode
	return h.d.op("chmod", h.name)
}

func (h *simHandle) Stat() (fs.FileInfo, error) {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	err := h.d.op("fstat", h.name)
	return h.f.info(), err
}

func (h *simHandle) Close() error {
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	return h.d.op("close", h.name)
}

// journalRecordText returns a journal record. rest is its object without the brace at the start, as newJournalRecord
// takes it.
func journalRecordText(rest string) string { return strings.Join(newJournalRecord(rest), "") }

func notesOf(f *Flat) string { return f.Notes.String() }

func titleOf(f *Flat) string { return f.Title.String() }

func costOf(f *Flat) string { return f.Cost.JSON() }

// isConflict reports whether err is the refusal to overwrite a change by another program.
func isConflict(err error) bool {
	return err != nil && strings.Contains(err.Error(), "was changed by another program")
}

// A faultyDisk is the file system, but while it fails, so does one operation in a hundred.
// A write that fails has written half.
type faultyDisk struct {
	osDisk
	failing atomic.Bool
}

var errFaulty = errors.New("input/output error of the test")

// fails returns an error for one operation in a hundred.
func (d *faultyDisk) fails(what string) error {
	if d.failing.Load() && rand.IntN(100) == 0 {
		return fmt.Errorf("%s: %w", what, errFaulty)
	}
	return nil
}

func (d *faultyDisk) Open(name string, flag int, mode fs.FileMode) (diskFile, error) {
	if err := d.fails("open " + name); err != nil {
		return nil, err
	}
	f, err := d.osDisk.Open(name, flag, mode)
	return &faultyFile{f, d}, err
}

func (d *faultyDisk) ReadFile(name string) ([]byte, error) {
	if err := d.fails("read " + name); err != nil {
		return nil, err
	}
	return d.osDisk.ReadFile(name)
}

func (d *faultyDisk) Stat(name string) (fs.FileInfo, error) {
	if err := d.fails("stat " + name); err != nil {
		return nil, err
	}
	return d.osDisk.Stat(name)
}

func (d *faultyDisk) Lstat(name string) (fs.FileInfo, error) {
	if err := d.fails("lstat " + name); err != nil {
		return nil, err
	}
	return d.osDisk.Lstat(name)
}

func (d *faultyDisk) Rename(from, to string) error {
	if err := d.fails("rename " + from); err != nil {
		return err
	}
	return d.osDisk.Rename(from, to)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.fails("remove " + name); err != nil {
		return err
	}
	return d.osDisk.Remove(name)
}

func (d *faultyDisk) List(prefix string) ([]string, error) {
	if err := d.fails("list " + prefix); err != nil {
		return nil, err
	}
	return d.osDisk.List(prefix)
}

func (d *faultyDisk) SyncDir(dir string) error {
	if err := d.fails("sync " + dir); err != nil {
		return err
	}
	return d.osDisk.SyncDir(dir)
}

// A faultyFile is an open file of a faultyDisk.
type faultyFile struct {
	diskFile
	d *faultyDisk
}

func (f *faultyFile) Write(b []byte) (int, error) {
	if err := f.d.fails("write"); err != nil {
		n, _ := f.diskFile.Write(b[:len(b)/2])
		return n, err
	}
	return f.diskFile.Write(b)
}

func (f *faultyFile) Sync() error {
	if err := f.d.fails("sync"); err != nil {
		return err
	}
	return f.diskFile.Sync()
}

func (f *faultyFile) Stat() (fs.FileInfo, error) {
	if err := f.d.fails("fstat"); err != nil {
		return nil, err
	}
	return f.diskFile.Stat()
}

func (f *faultyFile) Truncate(size int64) error {
	if err := f.d.fails("truncate"); err != nil {
		return err
	}
	return f.diskFile.Truncate(size)
}

// A ledger updates a store and records the notes that it must have.
type ledger struct {
	testing.TB
	store *Store
	disk  *simDisk          // reopened after each refused update; nil for never
	acked map[string]string // the acknowledged notes of each flat
	// refused has, for each flat, the notes of the updates that were refused since the last acknowledged one.
	// A disk that has lost power may have them.
	refused    notesOfFlats
	updates    int  // how many were tried
	wasRefused bool // the last update
}

// notesOfFlats are several notes for each flat, by the id of the flat.
type notesOfFlats = map[string][]string

// update writes new notes of about size bytes to a flat and records the result.
func (l *ledger) update(id string, size int) error {
	l.updates++
	notes := fmt.Sprintf("%d%s", l.updates, strings.Repeat("x", size))
	f, err := l.store.Update(id, []byte(`{"notes":`+encodeJSON(notes)+`}`), nil, author{})
	if err != nil {
		l.refused[id] = append(l.refused[id], notes)
		if got := notesOf(l.store.Get(id)); got != l.acked[id] {
			l.Errorf("after a refused update, memory has the notes %.9s; want %.9s", got, l.acked[id])
		}
		l.wasRefused = true
		var allowed notesOfFlats
		if l.disk != nil && l.disk.failures > 1 {
			// The journal is cut back to what it was before the update. If that fails, too, the update may stay in it.
			allowed = l.refused
		}
		l.checkKilled(fmt.Sprintf("killed after %v", err), allowed)
		return err
	}
	l.acked[id] = notes
	delete(l.refused, id)
	if l.wasRefused {
		l.wasRefused = false
		l.checkKilled("killed after the next acknowledged update", nil)
	}
	if notesOf(f) != notes {
		l.Errorf("update %d returned the notes %.9s", l.updates, notesOf(f))
	}
	return nil
}

// checkKilled checks a store that is opened after a kill, unless the disk has lost power.
func (l *ledger) checkKilled(what string, allowed notesOfFlats) {
	l.Helper()
	if l.disk == nil || l.disk.isDead() {
		return
	}
	s, err := openStore("/flats.json", l.disk.killed(), nil, quiet)
	if err != nil {
		l.Fatal(err)
	}
	l.check(what, s, allowed)
	s.Close()
}

// check compares a store with the ledger: each flat must have its acknowledged notes, or some of those that are
// allowed instead.
func (l *ledger) check(what string, s *Store, allowed notesOfFlats) {
	l.Helper()
	for id, want := range l.acked {
		f := s.Get(id)
		if f == nil {
			l.Errorf("%s: flat %s is lost", what, id)
			continue
		}
		if got := notesOf(f); got != want && !slices.Contains(allowed[id], got) {
			l.Errorf("%s: flat %s has the notes %.9s (%d bytes); want %.9s or %.9s", what, id, got, len(got), want, allowed[id])
		}
	}
}

// faultyRun opens a store on d, makes small and large updates, so that the journal is
// folded, imports a flat and closes the store. It returns the ledger of the updates.
func faultyRun(t testing.TB, d *simDisk) *ledger {
	l := &ledger{TB: t, disk: d, acked: map[string]string{"a": "", "b": ""}, refused: notesOfFlats{}}
	d.put("/flats.json", `[{"id":"a","notes":""},{"id":"b","notes":"","x":1}]`)
	d.names["/flats.json"].mode = 0o640
	s, err := openStore("/flats.json", d, nil, quiet)
	if err != nil {
		if d.failAt == 0 {
			t.Fatal(err)
		}
		return l
	}
	l.store = s
	for i := range 9 {
		id, size := []string{"a", "b"}[i%2], []int{1, 30_000, 30}[i%3] // three large ones exceed smallestFold
		err := l.update(id, size)
		if err != nil && !d.isDead() {
			if err := l.update("a", 2); err != nil && d.failures <= 1 {
				t.Errorf("operation %d, %s: the next update also failed: %v", d.failAt, d.ops[d.failAt-1], err)
			}
		}
	}
	listings, err := readListings("", []byte(`[{"id":"c","title":"new"}]`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newImporter(s).Import(context.Background(), listings, nil); err == nil {
		l.acked["c"] = ""
	}
	s.Close()
	return l
}
