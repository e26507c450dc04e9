// Backup and restore: an archive of everything that a service keeps.

package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An archive is a gzipped tar with these regular files, flats.json and no other ones: what
// flats.json and its journals hold, views.json, mailbox.json, and photos by their hashes.
var archiveName = newPattern(`^(flats\.json(\.log(\.[0-9]{6,18}-[A-Z2-7]{8}|\.damaged-[A-Z2-7]{8})?)?` +
	`|views\.json|mailbox\.json|photos/[0-9a-f]{64})$`)

const (
	maxArchived   = 1 << 20     // files in an archive
	maxTexts      = 1000        // files in an archive other than photos
	maxTextsBytes = 2 * maxFile // bytes of the files in an archive other than photos
	maxPadding    = 1 << 16     // bytes after the last file of an archive
	maxRefused    = 20          // files of an archive that are refused before the rest is left unread
	maxPhotosSize = 64 << 30    // bytes of all photos in an archive, in whole blocks
	blockSize     = 4 << 10     // bytes of the disk that even a small file takes
)

var errInterrupted = errors.New("interrupted")

// maxArchivedSize returns the size limit of a file in an archive, in bytes.
func maxArchivedSize(name string) int64 {
	switch {
	case name == "views.json" || name == "mailbox.json":
		return maxSideFile
	case strings.HasPrefix(name, "photos/"):
		return maxPhoto
	}
	return maxFile
}

// An archiver writes and reads archives on a disk.
type archiver struct {
	disk disk
	open func(name string) (io.ReadCloser, error)     // opens a file of the disk
	lock func(path string) (unlock func(), err error) // locks the data, see lockData
	free func(folder string) (bytes int64, ok bool)   // freeSpace, unless a test replaces it
}

// osArchiver returns the archiver of the operating system's files.
func osArchiver() archiver {
	return archiver{
		disk: osDisk{},
		open: func(name string) (io.ReadCloser, error) { return os.Open(name) },
		lock: func(path string) (func(), error) {
			return lockData(path, openLocked, slog.New(slog.DiscardHandler))
		},
		free: freeSpace,
	}
}

// An archive is the content of an archive, as read has checked it.
type archive struct {
	texts  map[string][]byte // by the names in the archive, without photos
	photos int
	flats  int // with the updates of the journals
	size   int64

	refused []error // why files were refused

	textsSize  int64 // of texts, in bytes
	photosSize int64 // of all photos, in bytes of whole blocks
}

// backUp writes an archive of the data next to flats.json at path to a new file, reads it back,
// and reports what it has. It may run while a service does: the archive has every update that was
// acknowledged before backUp was called.
func (a archiver) backUp(ctx context.Context, path, name string, withPhotos bool, report io.Writer) error {
	const wayOut = "name another file, or remove it first"
	if err := a.checkAbsent(name, wayOut); err != nil {
		return err
	}
	temp := newTemp(name)
	var failed error
	err := writeTemp(a.disk, temp, 0o600, func(w *bufio.Writer) { failed = a.write(ctx, w, path, withPhotos) })
	if err != nil {
		return err
	}
	if failed != nil {
		a.disk.Remove(temp)
		return failed
	}
	got, err := a.read(ctx, temp, skipPhoto)
	if err != nil {
		a.disk.Remove(temp)
		return fmt.Errorf("no archive was written, because it could not be read again: %w", err)
	}
	if err := a.checkAbsent(name, wayOut); err != nil {
		a.disk.Remove(temp)
		return err
	}
	if _, err := replace(a.disk, temp, name); err != nil {
		return err
	}
	_, err = fmt.Fprintf(report, "ok: %s in %s\n", got, name)
	return err
}

// checkAbsent returns an error with a way out if there is a file.
func (a archiver) checkAbsent(name, wayOut string) error {
	_, err := a.disk.Lstat(name)
	switch {
	case err == nil:
		return fmt.Errorf("%s exists: %s", name, wayOut)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

func skipPhoto(string, []byte) error { return nil }

// String returns what an archive has, in words.
func (a archive) String() string {
	return fmt.Sprintf("%d files, %d flats, %d bytes", len(a.texts)+a.photos, a.flats, a.size)
}

// write writes the data next to flats.json at path as an archive.
func (a archiver) write(ctx context.Context, w io.Writer, path string, withPhotos bool) error {
	base, err := resolve(a.disk, path)
	if err != nil {
		return err
	}
	zip := gzip.NewWriter(w)
	out := tar.NewWriter(zip)
	folder := filepath.Dir(path)
	// It comes first, so that a restored service reads again the mails that the archive lacks.
	if err := a.writeFile(out, filepath.Join(folder, "mailbox.json"), "mailbox.json"); err != nil {
		return err
	}
	if err := a.writeData(out, path, base); err != nil {
		return err
	}
	if err := a.writeFile(out, filepath.Join(folder, "views.json"), "views.json"); err != nil {
		return err
	}
	if withPhotos {
		if err := a.writePhotos(ctx, out, filepath.Join(folder, "photos")); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

// writeData writes flats.json and its journals. They are read as a service reads them at its
// start, in the order that misses no update. They get the names of a flats.json that is reached
// without links, numbered in the order in which they apply.
func (a archiver) writeData(out *tar.Writer, path, base string) error {
	files := &dataFiles{disk: a.disk, base: base, log: base + ".log", most: maxFile}
	texts, err := files.read(path)
	if err != nil {
		return err
	}
	if !texts.hasBase && len(texts.journals[0].text) == 0 && len(texts.journals) == 1 {
		return fmt.Errorf("there are no flats in %s: name its file with -data or -config", path)
	}
	for i, j := range texts.journals {
		name := "flats.json.log"
		if i > 0 {
			name += fmt.Sprintf(".%06d-%s", len(texts.journals)-i, rand.Text()[:8])
		}
		if len(j.text) == 0 {
			continue
		}
		if err := writeEntry(out, name, j.text); err != nil {
			return err
		}
	}
	if texts.hasBase {
		if err := writeEntry(out, "flats.json", texts.base); err != nil {
			return err
		}
	}
	damaged, err := listSuffixed(a.disk, base+".log", damagedSuffix)
	if err != nil {
		return err
	}
	for _, file := range damaged {
		if err := a.writeFile(out, file, "flats.json"+strings.TrimPrefix(file, base)); err != nil {
			return err
		}
	}
	return nil
}

// writePhotos writes the photos in a folder, if there is one.
func (a archiver) writePhotos(ctx context.Context, out *tar.Writer, folder string) error {
	files, err := a.disk.List(folder + string(filepath.Separator))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, file := range files {
		if !photoName().MatchString(filepath.Base(file)) {
			continue
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err := a.writeFile(out, file, "photos/"+filepath.Base(file)); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file under a name in the archive, if there is such a file.
func (a archiver) writeFile(out *tar.Writer, file, name string) error {
	text, info, err := readAll(a.disk, file, maxArchivedSize(name))
	if err != nil || info == nil {
		return err
	}
	return writeEntry(out, name, text)
}

func writeEntry(out *tar.Writer, name string, text []byte) error {
	err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text))})
	if err == nil {
		_, err = out.Write(text)
	}
	return err
}

// read reads and checks the archive in a file. It calls photo for each photo, and keeps the
// other files.
func (a archiver) read(ctx context.Context, file string, photo func(name string, text []byte) error) (archive, error) {
	in, err := a.open(file)
	if err != nil {
		return archive{}, err
	}
	defer in.Close()
	return readArchive(ctx, in, photo)
}

// readArchive reads and checks an archive. Its error has a line for each reason to refuse it. What the files
// contain is checked only if none of them is refused.
func readArchive(ctx context.Context, r io.Reader, photo func(name string, text []byte) error) (archive, error) {
	got := archive{texts: map[string][]byte{}}
	zip, err := gzip.NewReader(r)
	if err == nil {
		in := tar.NewReader(zip)
		seen := map[string]bool{}
		for err == nil {
			err = got.readNext(ctx, in, seen, photo)
		}
	}
	if err == errEnd {
		err = checkPadding(zip)
	}
	switch {
	case err == nil && got.refused == nil:
		got.flats, err = countFlats(got.texts)
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		err = errors.New("the archive is cut short")
	case errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, tar.ErrHeader):
		err = fmt.Errorf("this is no archive of flats backup, or it is damaged: %w", err)
	}
	return got, errors.Join(append(got.refused, err)...)
}

// checkPadding returns an error if anything but zeros, with which a tar may be filled up, follows the
// last file. It reads to the end, and so checks the sum of gzip.
func checkPadding(zip io.Reader) error {
	rest, err := io.ReadAll(io.LimitReader(zip, maxPadding))
	if err == nil && (len(rest) == maxPadding || len(bytes.Trim(rest, "\x00")) > 0) {
		return errors.New("something follows the archive")
	}
	return err
}

// errEnd is the error of readNext at the end of an archive.
var errEnd = errors.New("the end of the archive")

// readNext reads the next file of an archive. seen has the names of those before it.
func (got *archive) readNext(ctx context.Context, in *tar.Reader, seen map[string]bool,
	photo func(name string, text []byte) error) error {
	if ctx.Err() != nil {
		return errInterrupted
	}
	head, err := in.Next()
	if err == io.EOF {
		return errEnd
	}
	if err != nil {
		return err
	}
	if err := checkMember(head, seen); err != nil {
		if len(got.refused) == maxRefused {
			return errors.New("what follows was not read")
		}
		got.refused = append(got.refused, err)
		return nil
	}
	if err := got.checkBounds(head, len(seen)); err != nil {
		return err
	}
	seen[head.Name] = true
	text, err := readSized(in, head.Size)
	if err != nil {
		return err
	}
	got.size += int64(len(text))
	hash, isPhoto := strings.CutPrefix(head.Name, "photos/")
	if isPhoto {
		got.photos++
		got.photosSize += wholeBlocks(head.Size)
		return photo(hash, text)
	}
	got.texts[head.Name] = text
	got.textsSize += int64(len(text))
	return nil
}

// readSized reads the given number of bytes. What it allocates grows with what arrives, not with what
// is announced.
func readSized(r io.Reader, size int64) (text []byte, err error) {
	for int64(len(text)) < size {
		longer := make([]byte, min(size, max(1<<20, 2*int64(len(text)))))
		_, err := io.ReadFull(r, longer[copy(longer, text):])
		if err != nil {
			return nil, err
		}
		text = longer
	}
	return text, nil
}

func wholeBlocks(size int64) int64 { return (size/blockSize + 1) * blockSize }

// isSparse reports whether a file in an archive may be larger there than its data.
func isSparse(head *tar.Header) bool {
	for name := range head.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return head.Typeflag == tar.TypeGNUSparse
}

// checkMember returns an error if a file must not be in an archive, after those that were seen.
func checkMember(head *tar.Header, seen map[string]bool) error {
	switch {
	case !archiveName().MatchString(head.Name):
		return fmt.Errorf("%s is no file of a backup", excerpt(encodeJSON(head.Name)))
	case isSparse(head):
		return fmt.Errorf("%s is a sparse file", head.Name)
	case head.Typeflag != tar.TypeReg:
		return fmt.Errorf("%s is a link, a folder or another special file", head.Name)
	case seen[head.Name]:
		return fmt.Errorf("%s is there twice", head.Name)
	}
	return nil
}

// checkBounds returns an error if a file is too large for an archive, after as many others.
func (got *archive) checkBounds(head *tar.Header, others int) error {
	most := maxArchivedSize(head.Name)
	switch {
	case head.Size > most:
		return fmt.Errorf("%s is larger than %d bytes", head.Name, most)
	case others == maxArchived || len(got.texts) == maxTexts:
		return errors.New("there are too many files")
	case got.photosSize+wholeBlocks(head.Size) > maxPhotosSize && most == maxPhoto:
		return fmt.Errorf("the photos are larger than %d bytes together", int64(maxPhotosSize))
	case got.textsSize+head.Size > maxTextsBytes && most > maxPhoto:
		return fmt.Errorf("the files are larger than %d bytes together", int64(maxTextsBytes))
	}
	return nil
}

// countFlats reads the files of an archive as a service would, and returns the number of flats. Its
// error has a line for each file that a service would not read.
func countFlats(texts map[string][]byte) (int, error) {
	n, err := countStored(texts)
	if text, ok := texts["mailbox.json"]; ok {
		_, failed := readProgress("mailbox.json", sideText(text))
		err = errors.Join(err, failed)
	}
	if text, ok := texts["views.json"]; ok {
		_, failed := readViews("views.json", []byte(sideText(text)))
		err = errors.Join(err, failed)
	}
	return n, err
}

// countStored returns the number of flats in flats.json and its journals.
func countStored(texts map[string][]byte) (int, error) {
	base, ok := texts["flats.json"]
	if !ok {
		return 0, errors.New("there is no flats.json in it")
	}
	quiet := slog.New(slog.DiscardHandler)
	flats, err := readFlats("flats.json", base, nil, quiet)
	if err != nil {
		return 0, err
	}
	var journals []loadedJournal
	if text, ok := texts["flats.json.log"]; ok {
		journals = append(journals, loadedJournal{"flats.json.log", text})
	}
	names := slices.Sorted(maps.Keys(texts))
	for _, name := range slices.Backward(names) {
		if suffix, ok := strings.CutPrefix(name, "flats.json.log"); ok && retiredSuffix().MatchString(suffix) {
			journals = append(journals, loadedJournal{name, texts[name]})
		}
	}
	replay := newReplay(flats, nil, quiet)
	if err := replay.applyJournals(journals); err != nil {
		return 0, err
	}
	flats, err = replay.end()
	return len(flats), err
}

// A blockedError lists everything that prevents a restore.
type blockedError []string

func (e blockedError) Error() string {
	if len(e) == 1 {
		return e[0] + " (nothing was restored)"
	}
	return fmt.Sprintf("%d things are in the way (nothing was restored):\n%s", len(e), strings.Join(e, "\n"))
}

// restore puts the files of an archive where flats.json at path is to be, or none of them. It
// fails if any of the data is there, and then says everything that is in the way.
func (a archiver) restore(ctx context.Context, path, file string, report io.Writer) error {
	path, err := filepath.Abs(path)
	if err == nil {
		path, err = resolve(a.disk, path)
	}
	if err != nil {
		return err
	}
	var blocked blockedError
	got, err := a.read(ctx, file, skipPhoto)
	var unreadable *fs.PathError
	if errors.As(err, &unreadable) || errors.Is(err, errInterrupted) {
		return fmt.Errorf("%s: %w (nothing was restored)", file, err)
	}
	if err != nil {
		for reason := range strings.SplitSeq(err.Error(), "\n") {
			blocked = append(blocked, file+": "+reason)
		}
	} else {
		if err := a.disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		unlock, err := a.lock(path)
		if err != nil {
			blocked = append(blocked, err.Error())
		} else {
			defer unlock()
		}
	}
	there, err := a.blockers(path, got)
	if err != nil {
		return err
	}
	if blocked = append(blocked, there...); len(blocked) > 0 {
		return blocked
	}
	p := &placing{disk: a.disk, path: path}
	if err := a.placeAll(ctx, p, file, got); err != nil {
		p.undo()
		return fmt.Errorf("%w (nothing was restored)", err)
	}
	_, err = fmt.Fprintf(report, "ok: %s in %s\nGive the files to the user of the service, if that is another one, "+
		"and start it: flats -data %s\n", got, filepath.Dir(path), path)
	return err
}

// blockers returns a line for each file that exists where a restore would put one, and one if the disk
// is too full for the photos.
func (a archiver) blockers(path string, got archive) (list []string, err error) {
	folder := filepath.Dir(path)
	files, err := a.disk.List(path + ".log")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	files = append(files, path)
	for _, name := range []string{"views.json", "mailbox.json", "photos"} {
		files = append(files, filepath.Join(folder, name))
	}
	for _, file := range files {
		err := a.checkAbsent(file, "move it away, or name another place with -data")
		if err != nil {
			list = append(list, err.Error())
		}
	}
	free, isKnown := a.free(folder)
	if got.photos > 0 && isKnown && free-got.textsSize-got.photosSize < minFree {
		list = append(list, fmt.Sprintf("the disk has no room for the photos, which leave %d MiB free for updates",
			minFree>>20))
	}
	return list, nil
}

// placeAll writes all files of an archive under temporary names, and then renames them, flats.json
// as the last one.
func (a archiver) placeAll(ctx context.Context, p *placing, file string, got archive) error {
	if got.photos > 0 {
		folder := filepath.Join(filepath.Dir(p.path), "photos")
		temp := newTemp(folder)
		if err := p.makeFolder(temp, folder); err != nil {
			return err
		}
		again, err := a.read(ctx, file, func(name string, text []byte) error {
			return p.write(filepath.Join(temp, name), text)
		})
		if err == nil && again.String() != got.String() {
			err = fmt.Errorf("%s has changed while it was read", file)
		}
		if err == nil {
			err = p.disk.SyncDir(temp)
		}
		if err != nil {
			return err
		}
	}
	names := slices.Sorted(maps.Keys(got.texts))
	slices.Reverse(names) // flats.json is the last one
	for _, name := range names {
		target := filepath.Join(filepath.Dir(p.path), name)
		if suffix, ok := strings.CutPrefix(name, "flats.json"); ok {
			target = p.path + suffix
		}
		temp := newTemp(target)
		if err := p.write(temp, got.texts[name]); err != nil {
			return err
		}
		p.renames = append(p.renames, [2]string{temp, target})
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	// What browsers have kept for the data of before is not for these.
	if err := p.disk.Remove(p.path + dataIDSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return p.finish()
}

// A placing is a restore under way.
type placing struct {
	disk    disk
	path    string      // of flats.json
	made    []string    // files and folders as they are named now, oldest first
	renames [][2]string // from temporary names to those that finish gives
}

// makeFolder makes a folder that finish renames.
func (p *placing) makeFolder(temp, name string) error {
	if err := p.disk.MkdirAll(temp, 0o700); err != nil {
		return err
	}
	p.made = append(p.made, temp)
	p.renames = append(p.renames, [2]string{temp, name})
	return nil
}

func (p *placing) write(name string, text []byte) error {
	err := writeTemp(p.disk, name, 0o600, func(w *bufio.Writer) { w.Write(text) })
	if err == nil {
		p.made = append(p.made, name)
	}
	return err
}

// finish gives all files their names, and returns when these are durable.
func (p *placing) finish() error {
	for _, names := range p.renames {
		temp, name := names[0], names[1]
		if err := p.disk.Rename(temp, name); err != nil {
			return err
		}
		for i, file := range p.made {
			if rest, ok := strings.CutPrefix(file, temp); ok {
				p.made[i] = name + rest
			}
		}
	}
	return p.disk.SyncDir(filepath.Dir(p.path))
}

// undo removes what was made.
func (p *placing) undo() {
	for _, file := range slices.Backward(p.made) {
		p.disk.Remove(file)
	}
}
