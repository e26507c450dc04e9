// Tests of backup.go: archives are written while a service runs, read back and restored.

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// runs runs the program in this process with arguments, and returns what it prints.
func runs(t testing.TB, args ...string) (string, error) {
	t.Helper()
	var out, log bytes.Buffer
	err := run(t.Context(), args, &out, &log)
	return out.String(), err
}

// allFiles returns the texts of the files below a folder, without locks. The keys are their paths from that folder;
// those of folders end in a slash.
func allFiles(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			t.Error(err)
		case entry.IsDir():
			files[filepath.ToSlash(name)+"/"] = ""
		case !strings.HasSuffix(name, ".lock"):
			files[filepath.ToSlash(name)] = readFile(t, path)
		}
		return nil
	})
	delete(files, "./")
	return files
}

const withoutPhotos = false // for backUp

// retiredName matches the end of the name of a retired journal, which has a random part.
var retiredName = regexp.MustCompile(`\.log\.[0-9]{6}-[A-Z2-7]{8}$`)

// TestBackupRestore tests that a restore brings back everything in a backup, and replaces nothing.
func TestBackupRestore(t *testing.T) {
	dir := t.TempDir()
	photo := hashOf("http://p/1")
	inBackup := map[string]string{
		"flats.json":                      `[{"id":"a","notes":"old"},{"id":"b"}]`,
		"flats.json.log":                  strings.Join(newJournalRecord(`"id":"a","notes":"new"}`), "") + `{"crc":"torn`,
		"flats.json.log.000001-ABCDEFGH":  strings.Join(newJournalRecord(`"id":"a","notes":"newer than old"}`), ""),
		"flats.json.log.damaged-ABCDEFGH": "damaged",
		"views.json":                      `[{"name":"v","query":"","seen":"2026-01-01"}]`,
		"mailbox.json":                    `{"mailbox":"m","uidvalidity":1,"uid":2}`,
		"photos/" + photo:                 pngOf("1"),
	}
	notInBackup := map[string]string{"flats.json.ABCDEFGH.tmp": "", "photos/readme.txt": "", "config.json": "{}"}
	os.Mkdir(filepath.Join(dir, "photos"), 0o700)
	for name, text := range inBackup {
		writeFile(t, dir, name, text)
	}
	for name, text := range notInBackup {
		writeFile(t, dir, name, text)
	}
	data, file := filepath.Join(dir, "flats.json"), filepath.Join(dir, "all.tgz")
	out, err := runs(t, "backup", "-photos", "-data", data, file)
	size := 0
	for _, text := range inBackup {
		size += len(text)
	}
	want := fmt.Sprintf("ok: %d files, 2 flats, %d bytes in %s\n", len(inBackup), size, file)
	if err != nil || out != want {
		t.Fatalf("%v, %s; want %s", err, out, want)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("the archive has mode %v; want 0600", info.Mode())
	}
	if first := firstIn(t, file); first != "mailbox.json" {
		t.Errorf("the first file is %s; want mailbox.json, or a restore misses mails that come during the backup", first)
	}
	before := readFile(t, file)
	_, err = runs(t, "backup", "-data", data, file)
	if exists := "all.tgz exists: name another"; err == nil || !strings.Contains(err.Error(), exists) {
		t.Errorf("a backup to a file that exists: %v; want %s", err, exists)
	}
	if readFile(t, file) != before {
		t.Error("the archive was replaced")
	}
	// A restore makes the folder. The data file may have another name.
	target := filepath.Join(t.TempDir(), "new", "my.json")
	out, err = runs(t, "restore", "-data", target, file)
	begin := fmt.Sprintf("ok: %d files, 2 flats, ", len(inBackup))
	next := "\nStart the service: flats -data " + target + "\n"
	if err != nil || !strings.HasPrefix(out, begin) || !strings.Contains(out, next) {
		t.Errorf("restore: %v, %s; want %s… %s", err, out, begin, next)
	}
	got, restored := map[string]string{}, map[string]string{}
	for name, text := range allFiles(t, filepath.Dir(target)) {
		got[retiredName.ReplaceAllString(name, "RETIRED")] = text
	}
	for name, text := range inBackup {
		restoredName := strings.Replace(name, "flats.json", "my.json", 1)
		restored[retiredName.ReplaceAllString(restoredName, "RETIRED")] = text
	}
	restored["photos/"] = ""
	if !maps.Equal(got, restored) {
		t.Errorf("restored %q; want %q", got, restored)
	}
	config := defaultConfig()
	config.Data = target
	p, err := openProgram(config, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if notes := notesOf(p.store.Get("a")); notes != "new" {
		t.Errorf("the notes are %q; want new, those of the journal", notes)
	}
	p.stop()
	// Without -photos an archive has no photos.
	plain := filepath.Join(dir, "plain.tgz")
	out, err = runs(t, "backup", "-data", data, plain)
	if begin := fmt.Sprintf("ok: %d files, 2 flats", len(inBackup)-1); err != nil || !strings.HasPrefix(out, begin) {
		t.Errorf("without -photos: %v, %s; want %s", err, out, begin)
	}
	// A restore is refused if any of the files is there already.
	for name := range inBackup {
		there := t.TempDir()
		if strings.HasPrefix(name, "photos") {
			os.Mkdir(filepath.Join(there, "photos"), 0o700)
		}
		writeFile(t, there, name, "mine")
		before := allFiles(t, there)
		_, err := runs(t, "restore", "-data", filepath.Join(there, "flats.json"), file)
		if err == nil || !strings.Contains(err.Error(), "exists: move it away") || !maps.Equal(allFiles(t, there), before) {
			t.Errorf("restored where there is %s: %v, %q", name, err, allFiles(t, there))
		}
	}
}

// firstIn returns the name of the first file in an archive.
func firstIn(t testing.TB, file string) string {
	t.Helper()
	zip, err := gzip.NewReader(strings.NewReader(readFile(t, file)))
	if err != nil {
		t.Fatal(err)
	}
	head, err := tar.NewReader(zip).Next()
	if err != nil {
		t.Fatal(err)
	}
	return head.Name
}

// TestBackupNothing tests backups of data that is missing or that no service could read.
func TestBackupNothing(t *testing.T) {
	// Each case has one file in the folder of the data.
	for _, c := range []struct{ name, text, want string }{
		{"other", "", "there are no flats in "},
		{"flats.json", "[{}]", "no archive was written, because it could not be read again: flats.json:1: id: "},
		{"flats.json.log", strings.Join(newJournalRecord(`"id":"a"}`), ""), "there is no flats.json in it"},
	} {
		dir := t.TempDir()
		writeFile(t, dir, c.name, c.text)
		_, err := runs(t, "backup", "-data", filepath.Join(dir, "flats.json"), filepath.Join(dir, "all.tgz"))
		if err == nil || !strings.Contains(err.Error(), c.want) || len(allFiles(t, dir)) != 1 {
			t.Errorf("%s: %v, %q; want %s", c.name, err, allFiles(t, dir), c.want)
		}
	}
}

// TestBackupWhileKilled tests that a backup of a service under updates has all updates that were
// acknowledged before it began, and that the service's death does not disturb it.
func TestBackupWhileKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := writeFile(t, dir, "flats.json", `[{"id":"a"},{"id":"b"}]`)
	p := start(t, dir)
	// The updates change the two flats in turn, until the service is killed.
	idOf := func(update int) string { return string("ab"[update%2]) }
	acknowledged := make(chan int) // the numbers of updates
	go func() {
		defer close(acknowledged)
		for n := 1; ; n++ {
			notes := fmt.Sprintf("%06d%s", n, strings.Repeat("x", 20_000)) // the journal is folded often
			if status, _ := p.do("PATCH", "/api/v1/flat/"+idOf(n), `{"notes":"`+notes+`"}`); status != 200 {
				return
			}
			acknowledged <- n
		}
	}()
	last := 0
	const rounds = 6  // the service is killed during the last one
	const updates = 5 // before each backup: more than there are flats
	for round := range rounds {
		for range updates {
			last = <-acknowledged
		}
		done := make(chan error, 1)
		file := filepath.Join(dir, fmt.Sprintf("%d.tgz", round))
		go func() {
			done <- osArchiver(nil).backUp(t.Context(), data, file, withoutPhotos, io.Discard)
		}()
		beforeBackup := last
		if round == rounds-1 {
			p.Process.Kill()
		}
		for isBackingUp := true; isBackingUp; {
			select {
			case n, isAlive := <-acknowledged:
				if isAlive {
					last = n
				} else {
					acknowledged = nil // blocks, so that only done is waited for
				}
			case err := <-done:
				if err != nil {
					t.Fatal(err)
				}
				isBackingUp = false
			}
		}
		target := filepath.Join(t.TempDir(), "flats.json")
		if err := osArchiver(nil).restore(t.Context(), target, file, io.Discard); err != nil {
			t.Fatal(err)
		}
		store, err := openStore(target, osDisk{}, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		for i := beforeBackup - 1; i <= beforeBackup; i++ { // the last update of each flat
			if got := notesOf(store.Get(idOf(i)))[:6]; got < fmt.Sprintf("%06d", i) {
				t.Errorf("round %d: the notes are of update %s; want those of update %06d or a later one", round, got, i)
			}
		}
		store.Close()
	}
}

// A busyDisk is a disk on which something happens before each reading of a file.
type busyDisk struct {
	*simDisk
	beforeRead func()
}

func (d busyDisk) ReadFile(name string) ([]byte, error) {
	d.beforeRead()
	return d.simDisk.ReadFile(name)
}

// simArchiver returns an archiver of a simDisk.
func simArchiver(d *simDisk) archiver {
	return archiver{
		disk: d,
		open: func(name string) (io.ReadCloser, error) {
			text, err := d.ReadFile(name)
			return io.NopCloser(bytes.NewReader(text)), err
		},
		lock: func(string) (func(), error) { return func() {}, nil },
		free: func(string) (int64, bool) { return 0, false },
	}
}

// TestBackupBetweenUpdates tests that a backup misses no acknowledged update, however the service
// folds its journal between the files that are read.
func TestBackupBetweenUpdates(t *testing.T) {
	t.Parallel()
	for updatesBefore := range 12 {
		d := newSimDisk()
		d.names["/flats.json"] = &simFile{data: []byte(`[{"id":"a"},{"id":"b"}]`)}
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		update := func() {
			n++
			size := n % 2 * smallestFold // each second update makes the service fold its journal
			notes := fmt.Sprintf("%06d%s", n, strings.Repeat("x", size))
			if _, err := s.Update("a", []byte(`{"notes":"`+notes+`"}`), nil, author{}); err != nil {
				t.Fatal(err)
			}
		}
		for range updatesBefore {
			update()
		}
		a := simArchiver(d)
		a.disk = busyDisk{d, func() {
			for range updatesBefore%4 + 1 { // 1 to 4, so that the folds come before other files each time
				update()
			}
		}}
		if err := a.backUp(t.Context(), "/flats.json", "/all.tgz", withoutPhotos, io.Discard); err != nil {
			t.Fatal(err)
		}
		if err := simArchiver(d).restore(t.Context(), "/new/flats.json", "/all.tgz", io.Discard); err != nil {
			t.Fatal(err)
		}
		s.Close()
		restored, err := openStore("/new/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%06d", updatesBefore)
		if got := notesOf(restored.Get("a")); updatesBefore > 0 && got < want {
			t.Errorf("%d updates came before the backup, which has %.6s", updatesBefore, got)
		}
		restored.Close()
	}
}

// TestBackupFails tests that after a failure at any operation there is no archive, nothing is
// restored, and the data stays as it was.
func TestBackupFails(t *testing.T) {
	original := map[string]string{"/flats.json": `[{"id":"a"}]`, "/views.json": `[]`,
		"/flats.json.log": strings.Join(newJournalRecord(`"id":"a","notes":"new"}`), "")}
	texts := func(d *simDisk) map[string]string { // of the files, by their names
		got := map[string]string{}
		for name, f := range d.names {
			got[name] = string(f.data)
		}
		return got
	}
	disk := func(files map[string]string) *simDisk {
		d := newSimDisk()
		for name, text := range files {
			d.names[name] = &simFile{data: []byte(text)}
		}
		return d
	}
	d := disk(original)
	if err := simArchiver(d).backUp(t.Context(), "/flats.json", "/all.tgz", withoutPhotos, io.Discard); err != nil {
		t.Fatal(err)
	}
	backedUp := map[string]string{"/all.tgz": string(d.names["/all.tgz"].data)}
	backup := func(d *simDisk) error {
		return simArchiver(d).backUp(t.Context(), "/flats.json", "/all.tgz", withoutPhotos, io.Discard)
	}
	restore := func(d *simDisk) error {
		return simArchiver(d).restore(t.Context(), "/flats.json", "/all.tgz", io.Discard)
	}
	for what, c := range map[string]struct {
		files map[string]string // before the step
		step  func(d *simDisk) error
	}{
		"backup":  {original, backup},
		"restore": {backedUp, restore},
	} {
		files := c.files
		full := disk(files)
		full.setFull(true)
		if err := c.step(full); err == nil || !maps.Equal(texts(full), files) {
			t.Errorf("%s on a full disk: %v, %q", what, err, slices.Sorted(maps.Keys(texts(full))))
		}
		for n := 1; ; n++ {
			d := disk(files)
			d.failAt = n
			err := c.step(d)
			if len(d.ops) < n {
				break // there is no n-th operation: each has failed once
			}
			failed := d.ops[n-1]
			if err == nil && failed == "stat /flats.json" {
				continue // resolve treats a path that it cannot follow as one without links
			}
			if err == nil {
				t.Errorf("%s succeeded although %s failed", what, failed)
			}
			// The name of an archive stays if only its durability is in doubt.
			isPlaced := what == "backup" && strings.HasPrefix(failed, "syncdir")
			if !isPlaced && !maps.Equal(texts(d), files) {
				t.Errorf("%s, %s failed: %v leaves %q", what, failed, err, slices.Sorted(maps.Keys(texts(d))))
			}
		}
	}
}

// An entry is a file of an archive.
type entry struct {
	name, text string
	kind       byte              // of tar, such as TypeSymlink; 0 for a file
	size       int64             // in the header, if that claims more bytes than text has
	records    map[string]string // PAX records
}

// sparse returns a file of the given size in the sparse form 1.0 of GNU tar. It has one byte of data. archived makes
// the XNU in its records GNU, which tar.Writer refuses to write.
func sparse(name string, size int64) entry {
	const sparseMap = "1\n0\n1\n" // one piece of data, which begins at 0 and has 1 byte
	text := sparseMap + strings.Repeat("\x00", 512-len(sparseMap)) + "["
	return entry{name: name, text: text, records: map[string]string{
		"XNU.sparse.major": "1", "XNU.sparse.minor": "0", "XNU.sparse.name": name,
		"XNU.sparse.realsize": fmt.Sprint(size)}}
}

// archived returns an archive of entries.
func archived(t testing.TB, entries ...entry) string {
	t.Helper()
	var b, packed bytes.Buffer
	out := tar.NewWriter(&packed)
	for _, e := range entries {
		head := &tar.Header{Name: e.name, Mode: 0o777, Size: int64(len(e.text)), Typeflag: tar.TypeReg, PAXRecords: e.records}
		if e.kind != 0 {
			head.Typeflag, head.Linkname, head.Size = e.kind, "/etc/passwd", 0
		}
		head.Size = max(head.Size, e.size)
		if err := out.WriteHeader(head); err != nil {
			t.Fatal(err)
		}
		out.Write([]byte(e.text))
	}
	isLastShort := len(entries) > 0 && entries[len(entries)-1].size > 0 // shorter than its header says
	if !isLastShort {
		out.Close() // fails after a file that is too short
	}
	zip := gzip.NewWriter(&b)
	zip.Write(bytes.ReplaceAll(packed.Bytes(), []byte("XNU.sparse."), []byte("GNU.sparse.")))
	zip.Close()
	return b.String()
}

// A restore leaves room for updates, as the photo fetcher does, and checks that before it writes anything.
func TestRestoreRoom(t *testing.T) {
	flats := entry{name: "flats.json", text: `[{"id":"a"}]`}
	for _, c := range []struct {
		photos int
		free   int64
		fits   bool
	}{
		{0, 0, true}, // without photos, room is not checked
		{2, minFree + 3*blockSize, true},
		{2, minFree + 2*blockSize, false}, // flats.json and the photos leave less than minFree
	} {
		entries := []entry{flats}
		for i := range c.photos {
			entries = append(entries, entry{name: "photos/" + hashOf(fmt.Sprint(i)), text: "1"})
		}
		dir := t.TempDir()
		a := osArchiver(nil)
		a.free = func(string) (int64, bool) { return c.free, true }
		file := writeFile(t, t.TempDir(), "all.tgz", archived(t, entries...))
		err := a.restore(t.Context(), filepath.Join(dir, "flats.json"), file, io.Discard)
		if (err == nil) != c.fits || !c.fits && (len(allFiles(t, dir)) > 0 || !strings.Contains(err.Error(), "no room")) {
			t.Errorf("%d photos on a disk with %d bytes: %v, and there is %q", c.photos, c.free, err, allFiles(t, dir))
		}
	}
	// One more photo takes a block, of which the last byte is too much.
	got := archive{photosSize: maxPhotosSize - blockSize + 1}
	head := &tar.Header{Name: "photos/" + hashOf("x"), Size: 1, Typeflag: tar.TypeReg}
	if err := got.checkBounds(head, 0); err == nil || !strings.Contains(err.Error(), "together") {
		t.Errorf("photos beyond their bound: %v", err)
	}
}

// TestRestoreRefuses tests that archives that no backup writes are refused with one clear line,
// and change nothing.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	flats := entry{name: "flats.json", text: `[{"id":"a"}]`}
	whole := archived(t, flats)
	const damaged = "this is not an archive made by flats backup, or it is damaged: "
	const gzipTail = 8 // bytes of the checksum and the size
	cases := []struct{ text, want string }{
		{"", "the archive is cut short"},
		{"not an archive", damaged},
		{whole[:len(whole)-gzipTail] + "12345678", damaged},
		// The head of gzip has ten bytes. Fewer look like the start of another gzip, more do not.
		{whole + "more", "the archive is cut short"},
		{whole + "more than ten bytes", damaged},
		{whole + archived(t, flats), "unexpected data follows the archive"},
		{archived(t), "there is no flats.json in it"},
		{archived(t, entry{name: "flats.json", text: "[{}]"}), "flats.json:1: id: a flat must have one"},
		{archived(t, flats, entry{name: "views.json", text: "[{}]"}), "views.json:1: name: is missing"},
		{archived(t, flats, entry{name: "mailbox.json", text: "{"}), "mailbox.json: want an object with"},
		{archived(t, flats, entry{name: "mailbox.json", text: "[]"}), "mailbox.json: want an object with"},
		{archived(t, flats, entry{name: "mailbox.json", text: `{"uid":"x"}`}), "mailbox.json: want an object with"},
		{archived(t, flats, entry{name: "mailbox.json"}), "mailbox.json: want an object with"},
		{archived(t, flats, entry{name: "views.json"}), "views.json:1:1: it is empty"},
		{archived(t, sparse("flats.json", 1<<31)), "flats.json is a sparse file"},
		{archived(t, sparse("flats.json", 16)), "flats.json is a sparse file"},
		{archived(t, flats, sparse("photos/"+hashOf("x"), maxPhoto)), " is a sparse file"},
		{archived(t, flats, entry{name: "flats.json.log", text: strings.Join(newJournalRecord(`"id":"a","cost":"x"}`), "")}),
			"flats.json.log:1: cost: want"},
		{archived(t, flats, flats), "flats.json appears twice"},
		{archived(t, entry{name: "flats.json", kind: tar.TypeSymlink}), "flats.json is a link, a folder or another special"},
		{archived(t, entry{name: "views.json", kind: tar.TypeLink}), "views.json is a link, a folder or another special"},
		{archived(t, entry{name: "flats.json", kind: tar.TypeFifo}), "flats.json is a link, a folder or another special"},
		{archived(t, flats, entry{name: "photos/", kind: tar.TypeDir}), `"photos/" is not a file of a backup`},
		{archived(t, flats, entry{name: "views.json", size: maxSideFile + 1}), "views.json is larger than "},
		{archived(t, flats, entry{name: "photos/" + hashOf("x"), size: maxPhoto + 1}), " is larger than "},
		{archived(t, flats, entry{name: "flats.json.log", size: maxFile + 1}), "flats.json.log is larger than "},
	}
	for _, name := range []string{"../flats.json", "/flats.json", "./flats.json", "photos/../flats.json", "other.json",
		"photos/x", "flats.json.lock", "flats.json.log.x", "flats.json\n", "flats.json.log.000001-ABCDEFGH.tmp", "",
		"photos/" + hashOf("x") + "/x", "flats.json.log.damaged-../../x", `..\flats.json`} {
		cases = append(cases, struct{ text, want string }{archived(t, flats, entry{name: name}), "is not a file of a backup"})
	}
	for size := range len(whole) {
		cases = append(cases, struct{ text, want string }{whole[:size], "the archive is cut short"})
	}
	many := []entry{flats}
	for i := range maxTexts {
		many = append(many, entry{name: fmt.Sprintf("flats.json.log.%06d-ABCDEFGH", i)})
	}
	cases = append(cases, struct{ text, want string }{archived(t, many...), "there are too many files"})
	for _, c := range cases {
		dir := t.TempDir()
		file := writeFile(t, t.TempDir(), "all.tgz", c.text)
		_, err := runs(t, "restore", "-data", filepath.Join(dir, "flats.json"), file)
		reason, namesFile := strings.CutPrefix(errorText(err), file+": ")
		reason, saysNothing := strings.CutSuffix(reason, " (nothing was restored)")
		if !namesFile || !saysNothing {
			t.Errorf("%v; want %s: … (nothing was restored)", err, file)
		}
		if !strings.Contains(reason, c.want) || strings.Contains(reason, "\n") {
			t.Errorf("%v; want %s, on one line", err, c.want)
		}
		if got := allFiles(t, dir); len(got) > 0 {
			t.Errorf("%v, but there is %q", err, got)
		}
	}
}

// TestRestoreNamesAll tests that a restore names everything that is in the way at once, on a line each,
// and changes nothing.
func TestRestoreNamesAll(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"flats.json", "flats.json.log", "views.json", "mailbox.json"} {
		writeFile(t, dir, name, "mine")
	}
	os.Mkdir(filepath.Join(dir, "photos"), 0o700)
	before := allFiles(t, dir)
	flats := entry{name: "flats.json", text: `[{"id":"a"}]`}
	var existing []string // lines of the error
	for _, name := range []string{"flats.json.log", "flats.json", "views.json", "mailbox.json", "photos"} {
		existing = append(existing, filepath.Join(dir, name)+" exists: move it away, or name another place with -data\n")
	}
	many := []entry{flats}
	var refused []string
	for i := range maxRefused + 2 {
		many = append(many, entry{name: fmt.Sprint(i)})
		if i < maxRefused {
			refused = append(refused, fmt.Sprintf("all.tgz: \"%d\" is not a file of a backup\n", i))
		}
	}
	for _, c := range []struct {
		text   string   // of the archive
		faults []string // lines of the error that are about the archive
	}{
		{archived(t, flats), nil},
		{archived(t, flats, entry{name: "other.json", text: "{}"}, entry{name: "../x"}, flats,
			entry{name: "views.json", kind: tar.TypeSymlink}), []string{
			"all.tgz: \"other.json\" is not a file of a backup\n",
			"all.tgz: \"../x\" is not a file of a backup\n",
			"all.tgz: flats.json appears twice\n",
			"all.tgz: views.json is a link, a folder or another special file\n"}},
		{archived(t, entry{name: "flats.json", text: `[{"id":[]}]`}, entry{name: "views.json", text: "[{}]"},
			entry{name: "mailbox.json", text: "{"}), []string{
			"all.tgz: flats.json:1: id: want a string of 1 to 1024 bytes or an integer, got []\n",
			"all.tgz: mailbox.json: want an object with mailbox, uidvalidity and uid, got { (remove the file to read " +
				"the mails of the last 7 days again)\n",
			"all.tgz: views.json:1: name: is missing\n"}},
		{archived(t, many...), append(refused, "all.tgz: what follows was not read\n")},
		{archived(t, entry{name: "x"}, flats)[:100], []string{
			"all.tgz: \"x\" is not a file of a backup\n", "all.tgz: the archive is cut short\n"}},
	} {
		folder := t.TempDir()
		writeFile(t, folder, "all.tgz", c.text)
		cmd := command(folder, "restore", "-data", filepath.Join(dir, "flats.json"), "all.tgz")
		out, _ := cmd.CombinedOutput()
		want := fmt.Sprintf("flats: %d things are in the way (nothing was restored):\n", len(c.faults)+len(existing)) +
			strings.Join(append(c.faults, existing...), "")
		if string(out) != want || cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("exit status %d, %s; want %s", cmd.ProcessState.ExitCode(), out, want)
		}
		if !maps.Equal(allFiles(t, dir), before) {
			t.Errorf("the files are %q; want them as they were, %q", allFiles(t, dir), before)
		}
	}
}

// TestRestoreUndoes tests that a restore that fails while it writes leaves nothing, not even photos. A restore opens
// the archive twice: it checks everything before it writes anything. At the second time, something happens.
func TestRestoreUndoes(t *testing.T) {
	flats := entry{name: "flats.json", text: `[{"id":"a"}]`}
	whole := archived(t, flats, entry{name: "photos/" + hashOf("1"), text: "1"},
		entry{name: "photos/" + hashOf("2"), text: "2"})
	file := writeFile(t, t.TempDir(), "all.tgz", whole)
	for _, c := range []struct {
		name       string
		isCanceled bool
		secondText string // of the archive
	}{
		{"interrupted", true, whole},
		{"cut short meanwhile", false, whole[:len(whole)-1]},
		{"another photo meanwhile", false, archived(t, flats, entry{name: "photos/" + hashOf("3")})},
	} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		a, opened := osArchiver(nil), 0
		a.open = func(string) (io.ReadCloser, error) {
			text := whole
			if opened++; opened == 2 {
				text = c.secondText
				if c.isCanceled {
					cancel()
				}
			}
			return io.NopCloser(strings.NewReader(text)), nil
		}
		err := a.restore(ctx, filepath.Join(dir, "flats.json"), file, io.Discard)
		if err == nil || len(allFiles(t, dir)) > 0 {
			t.Errorf("%s: %v, and there is %q", c.name, err, allFiles(t, dir))
		}
		cancel()
	}
}

// FuzzArchive tests that an archive that is accepted has only files that a service reads, and that it can be restored.
func FuzzArchive(f *testing.F) {
	flats := entry{name: "flats.json", text: `[{"id":"a"}]`}
	f.Add([]byte(archived(f, flats)))
	f.Add([]byte(archived(f, flats, entry{name: "flats.json.log.000001-ABCDEFGH", text: "x"},
		entry{name: "photos/" + hashOf("x"), text: "x"})))
	f.Add([]byte(archived(f, entry{name: "../x", kind: tar.TypeSymlink})))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readArchive(t.Context(), bytes.NewReader(text), false, func(name string, _ []byte) error {
			if !photoName().MatchString(name) {
				t.Errorf("%q is no name of a photo", name)
			}
			return nil
		})
		if err != nil || got.photos > 0 { // a simDisk has no folders
			return
		}
		d := newSimDisk()
		d.names["/all.tgz"] = &simFile{data: text}
		if err := simArchiver(d).restore(t.Context(), "/flats.json", "/all.tgz", io.Discard); err != nil {
			t.Fatal(err)
		}
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		if s.snapshot().size != got.flats {
			t.Errorf("there are %d flats; want %d", s.snapshot().size, got.flats)
		}
		s.Close()
	})
}

// An archive with as many other files as it may have can have photos, too.
func TestArchiveBounds(t *testing.T) {
	t.Parallel()
	full := &archive{texts: map[string][]byte{}}
	for i := range maxTexts {
		full.texts[strconv.Itoa(i)] = nil
	}
	photo, other := &tar.Header{Name: "photos/" + hashOf("x"), Size: 1}, &tar.Header{Name: "flats.json", Size: 1}
	if err := full.checkBounds(photo, maxTexts); err != nil {
		t.Errorf("a photo: %v", err)
	}
	if err := full.checkBounds(other, maxTexts); err == nil {
		t.Error("there may be more files than maxTexts")
	}
}
