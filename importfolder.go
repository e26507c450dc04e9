// The folder whose files are imported.

package main

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"flats/internal/listing"
)

// importFolder returns the import folder of the flats.json at a path.
func importFolder(data string) string { return filepath.Join(filepath.Dir(data), "import") }

// handOverListings writes listings to a file in an import folder, under a name that sorts
// after earlier ones. Every user may read the file, because the service may run as another user.
func handOverListings(disk disk, folder string, listings Listings) error {
	return handOverFile(disk, folder, ".json", encodeJSON(listings))
}

// handOverFile writes a file whose name has an ending to an import folder.
func handOverFile(disk disk, folder, ending, text string) error {
	if err := disk.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	name := filepath.Join(folder, time.Now().UTC().Format("20060102T150405.000000000")+ending)
	// The watcher does not read a name that ends in .tmp.
	err := writeTemp(disk, name+".tmp", 0o644, func(w *bufio.Writer) { w.WriteString(text) })
	if err == nil {
		_, err = replace(disk, name+".tmp", name)
	}
	return err
}

// A watcher imports the files in the import folder. It is not safe for concurrent use.
type watcher struct {
	importer  *Importer
	store     *Store
	folder    string
	maxImport int64                   // bytes of a file
	imported  map[string]importedFile // files that were imported and are still in the folder, by name
	stuck     map[string]fs.FileInfo  // finished files that cannot be removed or renamed, by name
	readErr   error                   // why the last scan could not read a file, nil if it read all

	// idleFolder describes the folder when the last scan found nothing in it to import; nil if it found something.
	idleFolder fs.FileInfo
	listed     time.Time // when the folder was last listed
}

// newWatcher returns a watcher for an importer into a store on disk. There may be only
// one, and no import may be running yet.
func newWatcher(importer *Importer, folder string, maxImport int64) *watcher {
	store := importer.store
	return &watcher{
		importer:  importer,
		store:     store,
		folder:    folder,
		maxImport: maxImport,
		imported:  maps.Clone(store.writer.files.imported), // the map itself belongs to the writer
		stuck:     map[string]fs.FileInfo{},
	}
}

// watch imports the files that are in the folder and those that arrive, until ctx is done.
func (w *watcher) watch(ctx context.Context) {
	var logged time.Time // when the last error was logged
	for ctx.Err() == nil {
		wait := time.Second / 2 // a file is imported within a second, as the manual says
		err := w.scan(ctx)
		if err != nil {
			wait = errorEvery
		}
		err = cmp.Or(err, w.readErr)
		mayLog := time.Since(logged) >= errorEvery // each scan has a readErr until the file can be read
		if err != nil && ctx.Err() == nil && mayLog {
			w.store.log.Error("files in the import folder must wait", "folder", w.folder, "err", err)
			logged = time.Now()
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// importingSuffix ends the name of a file that is being imported. A file is renamed
// before it is read, so that another one can arrive under its name.
const importingSuffix = ".importing"

// scan imports the files in the folder in the order of their names, and removes them. It
// stops at the first error of the store, and when ctx is done. A file that cannot be read
// waits for the next scan.
func (w *watcher) scan(ctx context.Context) error {
	disk := w.store.writer.files.disk
	folder, err := disk.Stat(w.folder)
	if err == nil && w.isIdle(folder) {
		return nil
	}
	w.idleFolder, w.listed = nil, time.Now()
	isSettled := err == nil && w.listed.Sub(folder.ModTime()) > settling
	paths, err := disk.List(w.folder + string(filepath.Separator)) // List takes a prefix: here all files in the folder
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w.readErr = nil
	present := map[string]bool{} // the names of all files in the folder
	hasFiles := false            // whether it has any to import
	for _, path := range paths {
		name := filepath.Base(path)
		present[importName(name)] = true
		isUnfinished := name[0] == '.' || strings.HasSuffix(name, ".tmp")
		if isUnfinished || rejectedSuffix().MatchString(name) {
			continue
		}
		if ctx.Err() != nil {
			return nil
		}
		hasFiles = true
		if err := w.process(ctx, name); err != nil {
			return err
		}
	}
	for name := range w.imported {
		if present[name] {
			continue
		}
		if err := w.forget(name); err != nil {
			return err
		}
	}
	if isSettled && !hasFiles {
		w.idleFolder = folder
	}
	return nil
}

const (
	settling   = 2 * time.Second  // two changes of a folder within this time may leave it with the same modification time
	listEvery  = 10 * time.Second // even without a change: some file systems do not store when a folder has changed
	errorEvery = 10 * time.Second // between scans after an error of the store, and between two lines in the log
)

// isIdle reports whether the folder has not changed since a scan found nothing in it to import.
func (w *watcher) isIdle(folder fs.FileInfo) bool {
	isUnchanged := w.idleFolder != nil && sameContent(w.store.writer.files.disk, folder, w.idleFolder)
	return isUnchanged && time.Since(w.listed) < listEvery
}

// importName returns the name under which a file arrived, quoted if it is not UTF-8.
func importName(name string) string {
	name = strings.TrimSuffix(name, importingSuffix)
	if !utf8.ValidString(name) {
		return strconv.Quote(name)
	}
	return name
}

// forget writes to the journal that an imported file has left the folder, so that a new file
// with that name and content is imported. The record has only the name, without a sum.
func (w *watcher) forget(name string) error {
	delete(w.imported, name)
	noEdits := func(func(string) *Flat) ([]edit, error) { return nil, nil }
	return w.store.change(noEdits, &importedFile{Name: name})
}

// process imports a file and removes it. It renames an invalid one to *.rejected, unless the file
// is less than two seconds old and may be incomplete. An error means that the store has failed, or
// that ctx is done.
func (w *watcher) process(ctx context.Context, file string) error {
	disk, log := w.store.writer.files.disk, w.store.log
	name, path := importName(file), filepath.Join(w.folder, file)
	info, err := disk.Lstat(path)
	if err != nil {
		return nil // the file has left the folder
	}
	if stuck := w.stuck[file]; stuck != nil && sameContent(disk, info, stuck) {
		return nil
	}
	arrived := filepath.Join(w.folder, name)
	if importing := arrived + importingSuffix; importing != path {
		_, err := disk.Lstat(importing)
		if err == nil {
			return nil // an earlier file with this name comes first
		}
		if errors.Is(err, fs.ErrNotExist) && disk.Rename(path, importing) == nil {
			path = importing // otherwise it is read under its own name
		}
	}
	refused, err := w.importFile(ctx, path, arrived, info)
	if err != nil {
		return err
	}
	isNew := time.Since(info.ModTime()).Abs() < 2*time.Second // even if its clock is a little ahead
	var diskErr *fs.PathError
	switch {
	case errors.As(refused, &diskErr): // the next scan tries again
		w.readErr = cmp.Or(w.readErr, refused)
		return nil
	case refused == nil:
		err = disk.Remove(path)
	case isNew: // it may be incomplete
		return nil
	default:
		w.importer.addOutcome(name, Counts{}, refused, "")
		log.Error("import refused", "file", arrived, "err", refused)
		err = disk.Rename(path, rejectedPath(disk, arrived))
	}
	if err == nil {
		err = disk.SyncDir(w.folder)
	}
	if err != nil {
		w.stuck[filepath.Base(path)] = info
		log.Error("cannot remove a file from the import folder; it is ignored from now on", "file", path, "err", err)
	} else if _, ok := w.imported[name]; ok {
		return w.forget(name)
	}
	return nil
}

// importFile imports the file at a path, unless it was imported before. refused says why the
// file cannot be read or imported, and names it by the path at which it arrived. err says why
// the store failed.
func (w *watcher) importFile(ctx context.Context, path, arrived string, info fs.FileInfo) (refused, err error) {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", arrived), nil
	}
	text, readInfo, refused := readAll(w.store.writer.files.disk, path, w.maxImport)
	if refused == nil && readInfo == nil { // it has left the folder: process must not reject it
		refused = &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	if refused != nil {
		return refused, nil
	}
	content, refused := unpack(text, w.maxImport)
	if refused != nil {
		return fmt.Errorf("%s: %w", arrived, refused), nil
	}
	listings, note, refused := w.read(ctx, arrived, content)
	if refused != nil || ctx.Err() != nil {
		return refused, ctx.Err()
	}
	name := filepath.Base(arrived)
	source := importedFile{name, fmt.Sprintf("%x", sha256.Sum256(text))} // of a packed file, its packed content
	if w.imported[name] == source {
		return nil, nil
	}
	counts, err := w.importer.Import(ctx, listings, &source)
	if errors.Is(err, errLarge) || errors.Is(err, errInternal) {
		return err, nil // its flat would become too large, or it causes a panic: both would come again
	}
	if err != nil {
		return nil, err
	}
	w.imported[name] = source
	w.importer.addOutcome(name, counts, nil, note)
	w.store.log.Info("imported", "file", arrived,
		"added", counts.Added, "updated", counts.Updated, "unchanged", counts.Unchanged, "gone", counts.Gone)
	return nil, nil
}

// read reads the listings in the content of a file. note says why a mail has none.
func (w *watcher) read(ctx context.Context, path string, content []byte) (listings Listings, note string, err error) {
	if !isMailFile(path, content) {
		listings, err = readListings(path, content)
		return listings, "", err
	}
	if listings, note, err = w.importer.readMail(ctx, content); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return listings, note, err
}

// isMailFile reports whether a file is a mail or an mbox, by its name or its content.
func isMailFile(name string, content []byte) bool {
	return listing.IsMailName(name) || listing.LooksLikeMail(content)
}

// rejectedSuffix matches how the name of a rejected file ends.
var rejectedSuffix = newPattern(`\.rejected(-[0-9]+)?$`)

// rejectedPath returns an unused path for a rejected file. It shortens names that would
// be too long for the file system.
func rejectedPath(disk disk, path string) string {
	const maxRejectedName = 230 // bytes; most file systems allow 255: the rest is for .rejected-N
	folder, name := filepath.Split(path)
	name = strings.ToValidUTF8(name[:min(len(name), maxRejectedName)], "") + ".rejected"
	unused := name
	for i := 2; ; i++ {
		if _, err := disk.Lstat(folder + unused); err != nil {
			return folder + unused
		}
		unused = fmt.Sprintf("%s-%d", name, i)
	}
}
