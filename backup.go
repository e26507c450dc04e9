// Backups: an archive of the data, the settings and the config of a service.

package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// archiveName matches the names of the files in an archive, except the extra files (isExtra): flats.json, its journals
// and what was damaged in them, views.json, mailbox.json, and photos by their hashes. An archive is a gzipped tar, and
// has only regular files.
var archiveName = newPattern(`^(flats\.json(\.log(\.[0-9]{6,18}-[A-Z2-7]{8}|\.damaged-[A-Z2-7]{8})?)?` +
	`|views\.json|mailbox\.json|photos/[0-9a-f]{64})$`)

const (
	maxArchived   = 1 << 20     // files in an archive
	maxTexts      = 1000        // files in an archive other than photos
	maxTextsBytes = 2 * maxFile // bytes of the files in an archive other than photos
	maxPadding    = 1 << 16     // bytes of zeros after the last file: tar programs fill up an archive with some
	maxRefused    = 20          // refused files of an archive; at one more the rest is left unread
	maxPhotosSize = 64 << 30    // bytes of disk that all photos of an archive take, see wholeBlocks
	blockSize     = 4 << 10     // bytes of the disk that even a small file takes
)

var (
	errInterrupted = errors.New("interrupted")
	errNoFlats     = errors.New("there are no flats")
)

// maxArchivedSize returns the size limit of a file in an archive, in bytes.
func maxArchivedSize(name string) int64 {
	switch {
	case name == "views.json" || name == "mailbox.json" || slices.Contains(settingsFiles, name):
		return maxSideFile
	case strings.HasPrefix(name, "photos/"):
		return maxPhoto
	}
	return maxFile
}

// An archiver writes and reads archives on a disk.
type archiver struct {
	disk   disk
	config *Config                                      // its files are in archives, too; nil for none
	open   func(name string) (io.ReadCloser, error)     // opens a file of the disk
	lock   func(path string) (unlock func(), err error) // locks the data, see lockData
	free   func(folder string) (bytes int64, ok bool)   // freeSpace, unless a test replaces it
}

// osArchiver returns the archiver of the operating system's files.
func osArchiver(config *Config) archiver {
	return archiver{
		disk:   osDisk{},
		config: config,
		open:   func(name string) (io.ReadCloser, error) { return os.Open(name) },
		lock: func(path string) (func(), error) {
			return lockData(path, openLocked, slog.New(slog.DiscardHandler))
		},
		free: freeSpace,
	}
}

// An archive is the content of an archive that readArchive has read and checked.
type archive struct {
	texts        map[string][]byte // by the names in the archive, without photos and the files of skippedCodes
	photos       int               // the number of photos
	flats        int               // the number of flats, with the updates of the journals applied
	skippedCodes int               // the number of files of postal codes that isJustWritten keeps out of texts
	size         int64             // of all files, in bytes
	sums         map[string]string // SHA-256 by name, without photos; the sum of flats.json includes the journals

	refused []error // why files were refused

	isJustWritten bool  // files of postal codes need not be checked, nor kept in texts
	textsSize     int64 // of all files except photos, in bytes
	photosSize    int64 // bytes of disk that all photos take, see wholeBlocks
}

// backUp writes an archive of the data next to flats.json at path to a new file, reads it back,
// and writes to report what the archive has. It may run while a service does: the archive has
// every update that was acknowledged before backUp was called.
func (a archiver) backUp(ctx context.Context, path, name string, withPhotos bool, report io.Writer) error {
	got, err := a.backUpIf(ctx, path, name, withPhotos, func(archive) bool { return true })
	if err == nil {
		_, err = fmt.Fprintf(report, "ok: %s in %s\n", got, name)
	}
	return err
}

// backUpIf is like backUp, but the archive gets its name only if isWanted accepts what was read back.
func (a archiver) backUpIf(ctx context.Context, path, name string, withPhotos bool, isWanted func(archive) bool) (
	got archive, err error) {
	const advice = "name another file, or remove it first"
	if err := a.checkAbsent(name, advice); err != nil {
		return got, err
	}
	temp := newTemp(name)
	var archiveErr error // why the archive cannot be used; writeTemp returns only why the file could not be written
	err = writeTemp(a.disk, temp, 0o600, func(w *bufio.Writer) { archiveErr = a.write(ctx, w, path, withPhotos) })
	if err != nil {
		return got, err // writeTemp has removed the file
	}
	if archiveErr == nil {
		if got, archiveErr = a.readBack(ctx, temp); archiveErr != nil {
			archiveErr = fmt.Errorf("no archive was written, because it could not be read again: %w", archiveErr)
		}
	}
	if archiveErr == nil {
		archiveErr = a.checkAbsent(name, advice) // the file may have been made meanwhile
	}
	if archiveErr != nil || !isWanted(got) {
		a.disk.Remove(temp)
		return got, archiveErr
	}
	_, err = replace(a.disk, temp, name)
	return got, err
}

// checkAbsent returns an error, which ends with advice, if there is a file of the name.
func (a archiver) checkAbsent(name, advice string) error {
	_, err := a.disk.Lstat(name)
	switch {
	case err == nil:
		return fmt.Errorf("%s exists: %s", name, advice)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	return err
}

// skipPhoto ignores a photo of an archive that is read.
func skipPhoto(string, []byte) error { return nil }

// String returns what an archive has, in words.
func (a archive) String() string {
	return fmt.Sprintf("%d files, %d flats, %d bytes", len(a.texts)+a.skippedCodes+a.photos, a.flats, a.size)
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
	// mailbox.json comes first, so that a restored service reads again the mails that the archive lacks.
	if err := a.writeFile(out, filepath.Join(folder, "mailbox.json"), "mailbox.json"); err != nil {
		return err
	}
	if err := a.writeData(out, path, base); err != nil {
		return err
	}
	if err := a.writeFile(out, filepath.Join(folder, "views.json"), "views.json"); err != nil {
		return err
	}
	if err := a.writeExtras(ctx, out, folder); err != nil {
		return err
	}
	if withPhotos {
		if err := a.writePhotos(ctx, out, filepath.Join(folder, "photos")); err != nil {
			return err
		}
	}
	return errors.Join(out.Close(), zip.Close())
}

// writeData writes flats.json and its journals. It reads them in the order in which a service reads
// them at its start, which misses no update. The journals get new names in the archive, because they may have
// been next to a link to flats.json.
func (a archiver) writeData(out *tar.Writer, path, base string) error {
	files := &dataFiles{disk: a.disk, base: base, journalPath: base + ".log", maxBytes: maxFile}
	texts, err := files.read(path)
	if err != nil {
		return err
	}
	journal, retired := texts.journals[0], texts.journals[1:] // the newest first, and the journal even if it is empty
	hasUpdates := len(retired) > 0 || len(journal.text) > 0
	if !texts.hasBase && !hasUpdates {
		return fmt.Errorf("%w in %s: name its file with -data or -config", errNoFlats, path)
	}
	for i, j := range texts.journals {
		name := "flats.json.log"
		if i > 0 {
			number := len(texts.journals) - i // the oldest is 1: retired journals apply in the order of their names
			name += fmt.Sprintf(".%06d-%s", number, rand.Text()[:8])
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

// read reads and checks the archive in a file. It calls photo with the hash and the content of each photo, and keeps
// the other files.
func (a archiver) read(ctx context.Context, file string, photo func(hash string, text []byte) error) (archive, error) {
	in, err := a.open(file)
	if err != nil {
		return archive{}, err
	}
	defer in.Close()
	const isJustWritten = false
	return readArchive(ctx, in, isJustWritten, photo)
}

// readBack is like read for an archive that was just written: it keeps no photos and no postal codes, and does not
// check what these contain.
func (a archiver) readBack(ctx context.Context, file string) (archive, error) {
	in, err := a.open(file)
	if err != nil {
		return archive{}, err
	}
	defer in.Close()
	const isJustWritten = true
	return readArchive(ctx, in, isJustWritten, skipPhoto)
}

// readArchive reads and checks an archive. Its error has a line for each reason to refuse it. If it refuses any file,
// it does not check what the others contain. It does not check postal codes if isJustWritten is set.
func readArchive(ctx context.Context, r io.Reader, isJustWritten bool, photo func(hash string, text []byte) error) (
	archive, error) {
	got := archive{texts: map[string][]byte{}, sums: map[string]string{}, isJustWritten: isJustWritten}
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
	switch { // any other error stays as it is
	case err == nil && got.refused == nil:
		err = got.check()
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF): // also of gzip.NewReader, for an empty file
		err = errors.New("the archive is cut short")
	case errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, tar.ErrHeader):
		err = fmt.Errorf("this is not an archive made by flats backup, or it is damaged: %w", err)
	}
	return got, errors.Join(append(got.refused, err)...)
}

// checkPadding returns an error if anything but zeros follows the last file: zeros may fill up a tar. It
// reads to the end, and so checks the sum of gzip.
func checkPadding(zip io.Reader) error {
	rest, err := io.ReadAll(io.LimitReader(zip, maxPadding))
	if err == nil && (len(rest) == maxPadding || len(bytes.Trim(rest, "\x00")) > 0) {
		return errors.New("unexpected data follows the archive")
	}
	return err
}

// errEnd is the error of readNext at the end of an archive.
var errEnd = errors.New("the end of the archive")

// readNext reads the next file of an archive, and calls photo with each photo. seen has the names of the files before.
// A file that checkMember refuses is passed over, so that the answer can name several of them (got.refused). A file
// that is too large ends the reading.
func (got *archive) readNext(ctx context.Context, in *tar.Reader, seen map[string]bool,
	photo func(hash string, text []byte) error) error {
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
	got.sums[head.Name] = fmt.Sprintf("%x", sha256.Sum256(text))
	got.textsSize += int64(len(text))
	if got.isJustWritten && isCodes(head.Name) {
		got.skippedCodes++
		return nil
	}
	got.texts[head.Name] = text
	return nil
}

// readSized reads size bytes. A damaged archive may claim any size, so readSized allocates little memory at first, and
// doubles it whenever it has been filled.
func readSized(r io.Reader, size int64) (text []byte, err error) {
	const firstBytes = 1 << 20 // enough for most files at once, and little for the memory
	for int64(len(text)) < size {
		longer := make([]byte, min(size, max(firstBytes, 2*int64(len(text)))))
		n := copy(longer, text)
		if _, err := io.ReadFull(r, longer[n:]); err != nil {
			return nil, err
		}
		text = longer
	}
	return text, nil
}

// wholeBlocks returns how many bytes of disk a file of a size takes at most: whole blocks, also for an empty file.
func wholeBlocks(size int64) int64 { return (size/blockSize + 1) * blockSize }

// isSparse reports whether a file may be larger than its data in the archive.
func isSparse(head *tar.Header) bool {
	for name := range head.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return head.Typeflag == tar.TypeGNUSparse
}

// checkMember returns an error if a file must not be in an archive that already has the files in seen.
func checkMember(head *tar.Header, seen map[string]bool) error {
	switch {
	case !archiveName().MatchString(head.Name) && !isExtra(head.Name):
		return fmt.Errorf("%s is not a file of a backup", excerpt(encodeJSON(head.Name)))
	case isSparse(head):
		return fmt.Errorf("%s is a sparse file", head.Name)
	case head.Typeflag != tar.TypeReg:
		return fmt.Errorf("%s is a link, a folder or another special file", head.Name)
	case seen[head.Name]:
		return fmt.Errorf("%s appears twice", head.Name)
	}
	return nil
}

// checkBounds returns an error if the next file makes the archive too large. files is the number of those before it.
func (got *archive) checkBounds(head *tar.Header, files int) error {
	most := maxArchivedSize(head.Name)
	isPhoto := strings.HasPrefix(head.Name, "photos/")
	switch {
	case head.Size > most:
		return fmt.Errorf("%s is larger than %d bytes", head.Name, most)
	case files == maxArchived || !isPhoto && len(got.texts)+got.skippedCodes == maxTexts:
		return errors.New("there are too many files")
	case isPhoto && got.photosSize+wholeBlocks(head.Size) > maxPhotosSize:
		return fmt.Errorf("the photos are larger than %d bytes together", int64(maxPhotosSize))
	case !isPhoto && got.textsSize+head.Size > maxTextsBytes:
		return fmt.Errorf("the files are larger than %d bytes together", int64(maxTextsBytes))
	}
	return nil
}

// check reads the files as a service would, and counts the flats. Its error has a line for each file that a
// service would not read.
func (got *archive) check() error {
	texts := got.texts
	err := got.checkFlats()
	if text, ok := texts["mailbox.json"]; ok {
		_, progressErr := readProgress("mailbox.json", sideText(text))
		err = errors.Join(err, progressErr)
	}
	if text, ok := texts["views.json"]; ok {
		_, viewsErr := readViews("views.json", []byte(sideText(text)))
		err = errors.Join(err, viewsErr)
	}
	return errors.Join(err, checkExtras(texts))
}

// checkFlats counts the flats in flats.json and its journals. It replaces the sums of these files by one of the flats,
// so that archives of the same flats have equal sums, whether updates still stand in a journal or not.
func (got *archive) checkFlats() error {
	texts := got.texts
	base, ok := texts["flats.json"]
	if !ok {
		return errors.New("there is no flats.json in it")
	}
	quiet := slog.New(slog.DiscardHandler)
	flats, err := readFlats("flats.json", base, nil, quiet)
	if err != nil {
		return err
	}
	var journals []loadedJournal // the newest first, as applyJournals wants them
	if text, ok := texts["flats.json.log"]; ok {
		journals = append(journals, loadedJournal{"flats.json.log", text})
	}
	names := slices.Sorted(maps.Keys(texts)) // the number in the name of a retired journal is higher for newer ones
	for _, name := range slices.Backward(names) {
		if suffix, ok := strings.CutPrefix(name, "flats.json.log"); ok && retiredSuffix().MatchString(suffix) {
			journals = append(journals, loadedJournal{name, texts[name]})
		}
	}
	replay := newReplay(flats, nil, quiet)
	if err := replay.applyJournals(journals); err != nil {
		return err
	}
	flats, err = replay.end()
	got.flats = len(flats)
	sum := sha256.New()
	for _, flat := range flats {
		sum.Write(append(flat.appendStored(nil), '\n'))
	}
	for _, journal := range journals {
		delete(got.sums, journal.name)
	}
	got.sums["flats.json"] = fmt.Sprintf("%x", sum.Sum(nil))
	return err
}

// settingsFiles are the extra files that a service reads at its start, next to flats.json or, for the config, where
// -config says.
var settingsFiles = []string{"config.json", settingsBase, pushBase}

// The names of postal codes in an archive: files that the page has brought, and files that the config names, by their
// path in its folder, after configFolder.
var (
	pageCodes  = newPattern(`^postal_codes/[A-Z]{2}\.gz$`)
	configPath = newPattern(`^[^\x00-\x1f\x7f\\:]{1,200}$`) // of characters that paths may have on every system
)

const configFolder = "config/"

// isExtra reports whether a name in an archive belongs to an extra file: one of settingsFiles, or postal codes.
func isExtra(name string) bool { return slices.Contains(settingsFiles, name) || isCodes(name) }

// isCodes reports whether a name in an archive belongs to a file of postal codes.
func isCodes(name string) bool {
	inConfig, ok := strings.CutPrefix(name, configFolder)
	return ok && canRestore(inConfig) || pageCodes().MatchString(name)
}

// canRestore reports whether a restore may write a file of postal codes at a path in the folder of flats.json. It must
// not be a path that the service reads, writes or removes there for another purpose.
func canRestore(name string) bool {
	isInArchives := archiveName().MatchString(name) || slices.Contains(settingsFiles, name)
	isOwnFile := slices.Contains([]string{"sessions.json", "password.json", "remind.json"}, name) ||
		strings.HasPrefix(name, "flats.json") || strings.HasSuffix(name, ".tmp")
	topFolder, _, _ := strings.Cut(name, "/")
	isInOwnFolder := slices.Contains([]string{"import", "photos", "backups"}, topFolder)
	isReserved := isInArchives || isOwnFile || isInOwnFolder
	isBelow := path.Clean(name) == name && filepath.IsLocal(filepath.FromSlash(name))
	return configPath().MatchString(name) && isBelow && !isReserved
}

// extraPath returns where a restore puts the file with a name in an archive, relative to the folder of flats.json.
func extraPath(name string) string { return filepath.FromSlash(strings.TrimPrefix(name, configFolder)) }

// writeExtras writes the extra files that exist.
func (a archiver) writeExtras(ctx context.Context, out *tar.Writer, folder string) error {
	files := map[string]string{} // by their names in the archive
	for _, name := range settingsFiles {
		files[name] = filepath.Join(folder, name)
	}
	delete(files, "config.json") // it may have another name
	if a.config != nil && a.config.file != "" {
		files["config.json"] = a.config.file
	}
	codes, err := a.disk.List(filepath.Join(folder, "postal_codes") + string(filepath.Separator))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, file := range codes {
		if name := "postal_codes/" + filepath.Base(file); pageCodes().MatchString(name) {
			files[name] = file
		}
	}
	for name, file := range a.config.codesBelow() {
		files[configFolder+name] = file
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err := a.writeFile(out, files[name], name); err != nil {
			return err
		}
	}
	return nil
}

// codesBelow returns the files of postal codes that the config names and that lie in its folder or below. The keys are
// the paths from that folder.
func (c *Config) codesBelow() map[string]string {
	files := map[string]string{}
	if c == nil || c.file == "" {
		return files
	}
	for _, file := range c.PostalCodes {
		file, err := filepath.Abs(file)
		if err != nil {
			continue // the current folder is gone, and with it the file
		}
		name, err := filepath.Rel(filepath.Dir(c.file), file)
		name = filepath.ToSlash(name)
		if err == nil && canRestore(name) {
			files[name] = file
		}
	}
	return files
}

// checkExtras reads the extra files as a service would at its start. Its error has a line for each damaged file.
func checkExtras(texts map[string][]byte) (err error) {
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		text := texts[name]
		var fileErr error
		switch {
		case name == "config.json":
			_, fileErr = parseConfig(name, text, slog.New(slog.DiscardHandler))
		case name == settingsBase:
			_, fileErr = readSettings(name, sideText(text))
		case name == pushBase:
			_, fileErr = readPush(name, sideText(text))
		case isCodes(name):
			fileErr = checkCodes(name, text)
		}
		err = errors.Join(err, fileErr)
	}
	return err
}

// checkCodes returns an error if a text is no file of postal codes.
func checkCodes(name string, text []byte) error {
	if !pageCodes().MatchString(name) {
		_, err := readPostalCodes(name, text)
		return err
	}
	zip, err := gzip.NewReader(bytes.NewReader(text))
	if err == nil {
		err = newPostalReader(name).readText(newCodesText(zip), func(*PostalCode) {})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
