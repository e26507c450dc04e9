// The files flats.json and its journals.

package main

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// smallestFold is in bytes. While the service runs, updates of up to this size stay in the journal, even if flats.json
// is smaller: otherwise a small flats.json would be written again after every few updates.
const smallestFold = 64 << 10

// dataFiles are flats.json and its journals. Records are appended to the journal,
// flats.json.log. Folding the journal takes three steps: it is retired, which means
// renamed to flats.json.log.N while a new journal takes its place; a flats.json with
// its updates is written and renamed into place; the retired journal is removed. After
// a crash at any step, replaying the retired journals in order and then the journal on
// flats.json yields the same flats, because records hold new values, not differences.
//
// One process owns the data by a lock (lockData). Where there is none, the journal guards the
// data: each service creates its own at its start, after retiring what it finds, and
// acknowledges an update only if flats.json.log is still its own after the fsync.
//
// After an error the files still hold every acknowledged update. The methods are not
// safe for concurrent use, except for writeBase.
type dataFiles struct {
	disk        disk
	base        string // flats.json, symbolic links resolved
	journalPath string
	temp        string // the temporary file that becomes flats.json; no other service uses its name

	baseInfo fs.FileInfo // flats.json as this process left it, nil for no file
	logInfo  fs.FileInfo // the journal as this process left it, nil if it could not create one
	retired  []string    // journals, oldest first, that the next flats.json replaces
	damaged  []byte      // the bytes after the last valid record of each loaded journal
	fatal    error       // why nothing can be written any more
	// mayHoldRefused is set while a journal may contain a refused update, one that failed after it was written. A fold
	// removes the journal.
	mayHoldRefused bool
	// journal is open for appending. It is nil after an error that left its content in
	// doubt, or prevented its creation: then a fold must come first.
	journal       diskFile
	out           *bufio.Writer // to the journal
	unfoldedBytes int64         // size of the journal's updates
	maxBytes      int64         // of any file: maxFile, or less in tests

	imported map[string]importedFile // files of the import folder, by name
}

// check returns an error if another process has changed flats.json or the journal.
func (f *dataFiles) check() error {
	if f.fatal != nil {
		return f.fatal
	}
	if err := f.checkFile(f.base, f.baseInfo, sameContent); err != nil {
		return err
	}
	if f.journal == nil { // its content is in doubt
		return f.checkFile(f.journalPath, f.logInfo, sameFile)
	}
	return f.checkFile(f.journalPath, f.logInfo, sameContent)
}

// checkFile returns a conflict if a file is not the one that before describes (see isUnchanged).
func (f *dataFiles) checkFile(name string, before fs.FileInfo, same sameInfo) error {
	isSame, err := isUnchanged(f.disk, name, before, same)
	if err == nil && !isSame {
		err = f.conflict(name)
	}
	return err
}

// conflict returns the error for a file that another process has changed. From now on, check returns this error.
func (f *dataFiles) conflict(name string) error {
	f.fatal = cmp.Or(f.fatal, fmt.Errorf("%s was changed by another program, so nothing was written: "+
		"stop all other programs that use it, then restart this one to load the file as it is now", name))
	return f.fatal
}

// append writes records to the journal and returns when they are durable. The strings are the records in parts, as
// newJournalRecord returns them.
func (f *dataFiles) append(records []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if !f.journalHasRoom(records) {
		return f.tooLarge(f.journalPath)
	}
	before := f.logInfo
	if err := f.write(records); err != nil {
		// A bufio.Writer keeps its error: if Flush has failed in write, it fails again, and write has not called Sync.
		failedBeforeSync := f.out.Flush() != nil
		// A refused update must not come back.
		undoErr := errors.Join(f.journal.Truncate(before.Size()), f.journal.Sync())
		info, statErr := f.journal.Stat()
		if failedBeforeSync && undoErr == nil && statErr == nil {
			// Probably the disk is full. No fsync has failed, so the journal stays in use: a smaller record may have room.
			f.out.Reset(f.journal)
			f.logInfo = info
			return err
		}
		if undoErr != nil {
			f.mayHoldRefused = true
		}
		f.closeJournal() // its content is in doubt: a fold must come before the next record
		f.logInfo = before
		return err
	}
	f.unfoldedBytes += f.logInfo.Size() - before.Size()
	return nil
}

// write appends records to the journal, sets logInfo, and checks that this process still owns
// the data.
func (f *dataFiles) write(records []string) error {
	for _, part := range records {
		f.out.WriteString(part) // Flush returns the error
	}
	if err := f.out.Flush(); err != nil {
		return err
	}
	if err := f.journal.Sync(); err != nil {
		return err
	}
	info, err := f.journal.Stat()
	if err != nil {
		return err
	}
	f.logInfo = info
	// Where there is no lock, a service that has retired the journal meanwhile may have read it
	// before the records were written.
	return f.check()
}

// tooLarge returns the error for a file that would be larger than maxBytes, which load does not read.
func (f *dataFiles) tooLarge(name string) error {
	return fmt.Errorf("%s would be larger than %d bytes, and the next start would refuse it", name, f.maxBytes)
}

// hasRoom reports whether all flats fit into flats.json, given the size of their lines in bytes.
func (f *dataFiles) hasRoom(size int64) bool { return size+int64(len("[\n]\n")) <= f.maxBytes }

// journalHasRoom reports whether the records fit into the journal.
func (f *dataFiles) journalHasRoom(records []string) bool {
	size := f.logInfo.Size()
	for _, part := range records {
		size += int64(len(part))
	}
	return size <= f.maxBytes
}

func (f *dataFiles) closeJournal() {
	if f.journal != nil {
		f.journal.Close()
		f.journal = nil
	}
}

// needsFold reports whether a fold must come before the next update is acknowledged: there
// is no journal, or no flats.json for it to apply to, or a journal may contain a refused update.
func (f *dataFiles) needsFold() bool {
	return f.journal == nil || f.baseInfo == nil || f.mayHoldRefused
}

// create creates an empty journal. It fails if there is one.
func (f *dataFiles) create() error {
	journal, err := f.disk.Open(f.journalPath, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	info, err := journal.Stat()
	if err != nil {
		journal.Close()
		f.disk.Remove(f.journalPath)
		return err
	}
	f.journal, f.logInfo = journal, info
	f.out = bufio.NewWriterSize(journal, 64<<10)
	f.unfoldedBytes = 0
	if err = f.disk.SyncDir(filepath.Dir(f.journalPath)); err != nil {
		f.closeJournal() // the file stays: without a lock it may be another service's by now
	}
	return err
}

// damagedSuffix matches the end of the name of a file that has the damaged rest of journals.
var damagedSuffix = newPattern(`^\.damaged-[A-Z2-7]{8}$`)

// retiredSuffix matches the end of the name of a retired journal: a number and random letters.
var retiredSuffix = newPattern(`^\.[0-9]{6,18}-[A-Z2-7]{8}$`)

// retire renames the journal, if this process has one, and starts a new one.
func (f *dataFiles) retire() error {
	f.closeJournal()
	if f.logInfo != nil {
		if err := f.renameJournal(); err != nil {
			return err
		}
		// On a full disk each attempt to fold would leave another retired journal without updates. So the journal that was
		// just renamed is removed if it has none. Its records of imported files are not lost: startJournal writes them
		// again. The only retired journal stays in any case, so canFold is true until a fold succeeds.
		last := len(f.retired) - 1
		hasUpdates := f.unfoldedBytes > 0
		if last > 0 && !hasUpdates {
			if err := f.disk.Remove(f.retired[last]); err == nil {
				f.retired = f.retired[:last]
			}
		}
	}
	return f.startJournal()
}

// startJournal creates a journal. It begins with records of the files in imported, which flats.json does
// not hold. These records do not count as updates. It is a conflict if there is a journal.
func (f *dataFiles) startJournal() error {
	err := f.create()
	if errors.Is(err, fs.ErrExist) {
		err = f.conflict(f.journalPath)
	}
	if err != nil || len(f.imported) == 0 {
		return err
	}
	var records []string
	for _, file := range f.imported {
		records = append(records, newJournalRecords(&file, nil)...)
	}
	err = f.append(records)
	f.unfoldedBytes = 0
	return err
}

// renameJournal gives the journal a name that sorts after all other retired journals, and ends
// in random letters, so that it replaces no file where there is no lock. It is a conflict if the
// renamed file is not the journal of this process.
func (f *dataFiles) renameJournal() error {
	name := f.nextRetired(f.retired)
	if err := f.disk.Rename(f.journalPath, name); err != nil {
		return err
	}
	own := f.logInfo
	f.logInfo = nil
	conflict := f.checkFile(name, own, sameFile)
	if conflict != nil {
		// The renamed file belongs to another process, which may have retired journals since load listed them.
		// This file has later updates than those, so its name must sort after theirs.
		if listed, err := listSuffixed(f.disk, f.journalPath, retiredSuffix); err == nil {
			last := f.nextRetired(listed)
			if err := f.disk.Rename(name, last); err == nil {
				name = last
			}
		}
	}
	f.retired = append(f.retired, name)
	return conflict
}

// nextRetired returns a name that sorts after the names of some retired journals, in order.
func (f *dataFiles) nextRetired(retired []string) string {
	number := 0
	if len(retired) > 0 {
		suffix, _ := strings.CutPrefix(retired[len(retired)-1], f.journalPath)
		// Sscanf fails if the journal is next to a link to flats.json. Then there is no number yet.
		fmt.Sscanf(suffix, ".%d-", &number)
	}
	return fmt.Sprintf("%s.%06d-%s", f.journalPath, number+1, rand.Text()[:8])
}

// writeBase writes flats to the temporary file, for fold to rename into place.
func (f *dataFiles) writeBase(flats *snapshot[Flat]) (err error) {
	defer recoverError(&err)
	mode := fs.FileMode(0o600) // phone numbers and notes are private
	if f.baseInfo != nil {
		mode = f.baseInfo.Mode().Perm()
	}
	return writeTemp(f.disk, f.temp, mode, func(w *bufio.Writer) {
		w.WriteByte('[')
		separator := "\n"
		var line []byte
		for _, flat := range flats.all() {
			w.WriteString(separator)
			separator = ",\n"
			line = flat.appendStored(line[:0])
			w.Write(line)
		}
		w.WriteString("\n]\n")
	})
}

// fold completes a fold: it renames the file that writeBase has written to flats.json, and
// removes the retired journals, whose updates that file has. writeErr is what writeBase
// returned. If it is not nil, fold only removes the temporary file and returns writeErr.
func (f *dataFiles) fold(writeErr error) error {
	err := writeErr
	if err == nil {
		err = f.check()
	}
	if err != nil {
		f.disk.Remove(f.temp)
		return err
	}
	info, err := replace(f.disk, f.temp, f.base)
	if info != nil {
		f.baseInfo = info
	}
	if err != nil {
		return err
	}
	if err := f.keepDamaged(); err != nil {
		return err
	}
	for len(f.retired) > 0 {
		if err := f.disk.Remove(f.retired[0]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		f.retired = f.retired[1:]
	}
	// All retired journals are gone. The journal of this process is new, unless an error has closed it: then it may still
	// contain a refused update.
	if f.journal != nil {
		f.mayHoldRefused = false
	}
	return nil
}

// keepDamaged writes what was damaged in the journals, if anything, to a file of its own, because it may have been an
// acknowledged update.
func (f *dataFiles) keepDamaged() error {
	if len(f.damaged) == 0 {
		return nil
	}
	name := f.journalPath + ".damaged-" + rand.Text()[:8]
	err := writeTemp(f.disk, name, 0o600, func(w *bufio.Writer) { w.Write(f.damaged) })
	if err != nil {
		return err
	}
	f.damaged = nil
	return f.disk.SyncDir(filepath.Dir(f.journalPath))
}

// dataTexts are the contents of flats.json and its journals.
type dataTexts struct {
	base     []byte
	hasBase  bool
	journals []loadedJournal // the newest first
}

// load reads the flats from all files, and changes no file. It also sets baseInfo, logInfo,
// retired, damaged and imported. Errors name flats.json by path.
func (f *dataFiles) load(path string, codes *PostalCodes, log *slog.Logger) ([]*Flat, error) {
	texts, err := f.read(path)
	if err != nil {
		return nil, err
	}
	var flats []*Flat
	hasUpdates := slices.ContainsFunc(texts.journals, func(j loadedJournal) bool { return len(j.text) > 0 })
	switch {
	case texts.hasBase:
		if flats, err = readFlats(path, texts.base, codes, log); err != nil {
			return nil, fmt.Errorf("%w (the file is left as it is: fix it, or put a backup in its place)", err)
		}
	case hasUpdates:
		return nil, fmt.Errorf("%s is missing, but %s has updates to it: "+
			"restore the file, or move the journal away to start without flats", path, f.journalPath)
	}
	replay := newReplay(flats, codes, log)
	if err := replay.applyJournals(texts.journals); err != nil {
		return nil, err
	}
	f.damaged, f.imported = replay.damaged, replay.imported
	return replay.end()
}

// read reads all files, and sets baseInfo, logInfo and retired.
func (f *dataFiles) read(path string) (texts dataTexts, err error) {
	// While another process folds, updates move from the journal to a retired one and on to
	// flats.json. Reading in this order misses none of them.
	text, info, err := readAll(f.disk, f.journalPath, f.maxBytes)
	if err != nil {
		return texts, err
	}
	f.logInfo = info
	retired, err := listSuffixed(f.disk, f.journalPath, retiredSuffix)
	if err != nil {
		return texts, err
	}
	if f.retired, err = f.journalsNextToLink(path); err != nil {
		return texts, err
	}
	f.retired = append(f.retired, retired...)
	texts.journals = []loadedJournal{{f.journalPath, text}}
	for _, name := range slices.Backward(f.retired) {
		if text, _, err = readAll(f.disk, name, f.maxBytes); err != nil {
			return texts, err
		}
		texts.journals = append(texts.journals, loadedJournal{name, text})
	}
	texts.base, f.baseInfo, err = readAll(f.disk, f.base, f.maxBytes)
	texts.hasBase = f.baseInfo != nil
	return texts, err
}

// journalsNextToLink returns the journals next to path, oldest first, if path is a symbolic link. Earlier
// versions kept them there; they are older than the journals next to the file itself.
func (f *dataFiles) journalsNextToLink(path string) (names []string, err error) {
	if path == f.base {
		return nil, nil
	}
	info, err := f.disk.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 { // only the folder was reached by a link
		return nil, err
	}
	names, err = listSuffixed(f.disk, path+".log", retiredSuffix)
	if err != nil {
		return nil, err
	}
	if _, err := f.disk.Lstat(path + ".log"); err == nil {
		names = append(names, path+".log")
	}
	return names, nil
}

// begin creates the journal of this process after load. If there is one, it first retires it,
// and fails if it has changed since it was loaded. If the journal cannot be created or retired,
// begin only logs that every update will be refused.
func (f *dataFiles) begin(log *slog.Logger) error {
	if loaded := f.logInfo; loaded != nil {
		err := f.renameJournal()
		if err == nil {
			err = f.checkFile(f.retired[len(f.retired)-1], loaded, sameContent)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return f.conflict(f.journalPath)
		}
		if err != nil {
			f.logInfo = nil
			f.fatal = cmp.Or(f.fatal, fmt.Errorf("cannot rename the journal: %w; restart once its folder is writable", err))
			log.Warn("every update will be refused", "err", f.fatal)
			return nil
		}
	}
	err := f.create()
	if errors.Is(err, fs.ErrExist) {
		return f.conflict(f.journalPath)
	}
	if err != nil {
		log.Warn("every update will be refused", "err", err)
	}
	return nil
}

// canFold reports whether there is something to fold: updates in the journal, a retired
// journal, or a journal that was closed by an error.
func (f *dataFiles) canFold() bool {
	isClosedByError := f.journal == nil && f.logInfo != nil
	return f.unfoldedBytes > 0 || len(f.retired) > 0 || isClosedByError
}

// isFoldWorthwhile reports whether the updates in the journal are larger than flats.json. To write a new flats.json
// then costs no more than to write the journal did.
func (f *dataFiles) isFoldWorthwhile() bool {
	return f.baseInfo != nil && f.unfoldedBytes > max(smallestFold, f.baseInfo.Size())
}

// close closes the journal, and removes it if it has no records. Where there is no lock, another service may have begun
// to use the file. So close first renames the journal, which fails if the file is not its own.
func (f *dataFiles) close() error {
	f.closeJournal()
	if f.logInfo == nil || f.logInfo.Size() > 0 || f.check() != nil {
		return nil
	}
	if err := f.renameJournal(); err != nil {
		return err
	}
	return f.disk.Remove(f.retired[len(f.retired)-1])
}
