// Tests of importfolder.go.

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// A running service imports the files of its import folder in the order of their names,
// and renames invalid ones to .rejected.
func TestImportFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := func(input string, args ...string) (string, int) {
		cmd := command(dir, append([]string{"import"}, args...)...)
		cmd.Stdin = strings.NewReader(input)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	// Before the first start, import warns that no service has used this folder.
	const queued, unused = "listings handed to the service in import: 1\n", "no service has kept flats in "
	out, status := run(`{"id":1,"title":"first"}`, "-")
	if status != 0 || !strings.HasPrefix(out, queued+unused+"/") ||
		!strings.Contains(out, filepath.Base(dir)+"/flats.json yet: ") {
		t.Errorf("import before the first start: %d %s; want 0 %s… %s/flats.json yet", status, out, queued+unused,
			filepath.Base(dir))
	}
	p := start(t, dir)
	title := func(id string) string {
		_, body := p.do("GET", "/api/v1/flats/"+id, "")
		var got struct{ Data struct{ Title string } }
		json.Unmarshal([]byte(body), &got)
		return got.Data.Title
	}
	p.await("the first import", func() bool { return title("1") == "first" })
	// While the service runs, import accepts either all of its input or nothing.
	in := writeFile(t, dir, "in.json", `[{"id":1,"title":"second"},{"id":2,"title":"two"}]`)
	bad := writeFile(t, dir, "bad.json", `[{"id":3},{"id":4,"cost":"x"}]`)
	out, status = run("", in, bad)
	if status != 1 || !strings.Contains(out, `cost: want a finite number or null, got "x" (nothing was imported)`) {
		t.Errorf("a good and a bad file: %d %s; want 1, and that the cost is wrong and nothing was imported", status, out)
	}
	out, status = run("", in)
	if status != 0 || !strings.HasPrefix(out, "listings handed to the service in import: 2") {
		t.Errorf("the good file: %d %s; want 0, and 2 listings", status, out)
	}
	p.await("the import", func() bool { return title("2") == "two" && title("1") == "second" })
	// With -complete, all files of a command together are the site's listings.
	one, two := writeFile(t, dir, "one.json", `[{"id":"1@s"}]`), writeFile(t, dir, "two.json", `{"id":"2@s"}`)
	run(`[{"id":"1@s"},{"id":"2@s"},{"id":"3@s","title":"away"}]`, "-")
	p.await("the import", func() bool { return title("3@s") == "away" })
	if out, status := run("", "-complete", "s", one, two); status != 0 {
		t.Errorf("a complete import: %d %s; want 0", status, out)
	}
	p.await("the flat to be marked as gone", func() bool {
		_, body := p.do("GET", "/api/v1/imports", "")
		return strings.Contains(body, `"added":0,"updated":0,"unchanged":2,"gone":1,"error":null},{`)
	})
	if _, body := p.do("GET", "/api/v1/flats/3@s", ""); !strings.Contains(body, `"gone":"2`) {
		t.Errorf("got %s", body)
	}
	if out, status := run("[]", "-"); status != 0 || !strings.HasSuffix(out, ": 0\n") { // an empty import is accepted, too
		t.Errorf("an empty import: %d %s; want 0, and 0 listings", status, out)
	}
	// Files copied in by hand are imported, too. The service rejects an invalid file only if
	// it is old, because a new one may still be incomplete.
	folder := filepath.Join(dir, "import")
	old := time.Now().Add(-time.Minute)
	tooDeep := strings.Repeat("[", 9996) + strings.Repeat("]", 9996)
	for name, text := range map[string]string{
		"a.json":          `[{"id":5}`, // invalid
		"a.json.rejected": `an older one`,
		"aa.json":         `{"id":9,"x":` + tooDeep + `}`,
		"b.json":          `{"id":6,"title":"b"}`,
		"c.json":          `{"id":6,"title":"c"}`,
		"d.rejected.json": `{"id":6,"title":"c"}`,
		// These are ignored.
		".hidden": `{"id":7}`,
		"x.tmp":   `{"id":7}`,
	} {
		path := writeFile(t, dir, "staged", text)
		os.Chtimes(path, old, old)
		if err := os.Rename(path, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.await("the files in the folder", func() bool {
		entries, _ := os.ReadDir(folder)
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return strings.Join(names, " ") == ".hidden a.json.rejected a.json.rejected-2 aa.json.rejected x.tmp"
	})
	if got := title("6"); got != "c" {
		t.Errorf("flat 6 is %q", got)
	}
	want := `"source":"a.json","added":0,"updated":0,"unchanged":0,"gone":0,"error":"` +
		filepath.Join(folder, "a.json") + `:1:10: a closing ] is missing"`
	if _, body := p.do("GET", "/api/v1/imports", ""); !strings.Contains(body, want) {
		t.Errorf("the list of imports is %s; want %s in it", body, want)
	}
	if !strings.Contains(p.stderr.String(), "a.json:1:10: a closing ] is missing") {
		t.Errorf("the log does not say what is wrong with a.json:\n%s", p.stderr)
	}
	p.stop()
	// Each flat has a line, and so have the brackets.
	got, flats := readFile(t, filepath.Join(dir, "flats.json")), []string{"1", "2", "1@s", "2@s", "3@s", "6"}
	if strings.Count(got, "\n") != len(flats)+len("[]") {
		t.Errorf("the file is\n%s", got)
	}
}

// A stuckDisk fails to remove or rename files in the import folder while stuck is set, as
// if another user owned the folder.
type stuckDisk struct {
	osDisk
	stuck atomic.Bool
}

func (d *stuckDisk) Remove(name string) error {
	if d.stuck.Load() && filepath.Base(filepath.Dir(name)) == "import" {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrPermission}
	}
	return os.Remove(name)
}

func (d *stuckDisk) Rename(from, to string) error {
	if d.stuck.Load() && filepath.Base(filepath.Dir(from)) == "import" {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrPermission}
	}
	return os.Rename(from, to)
}

// A file that cannot be removed from the import folder is imported once, despite restarts,
// folds of the journal and kills. It is imported again only with other content, or after
// it was gone. The files after it are imported, too.
func TestImportUnremovable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[{"id":"old"}]`)
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &stuckDisk{}
	disk.stuck.Store(true)
	var logs lockedBuffer
	open := func() *Store {
		s, err := openStore(path, disk, nil, slog.New(slog.NewTextHandler(&logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	w := newWatcher(newImporter(s), folder, maxFile)
	// scan scans the folder, and checks the titles of the flats a and b.
	scan := func(wantA, wantB string) {
		t.Helper()
		if w.store != s { // the service has restarted
			w = newWatcher(newImporter(s), folder, maxFile)
		}
		if err := w.scan(t.Context()); err != nil {
			t.Error(err)
		}
		if a, b := titleOf(s.Get("a")), titleOf(s.Get("b")); a != wantA || b != wantB {
			t.Errorf("the titles are %q and %q; want %q and %q", a, b, wantA, wantB)
		}
	}
	update := func(title string) {
		t.Helper()
		if _, err := s.Update("a", []byte(`{"title":"`+title+`"}`), nil, author{}); err != nil {
			t.Fatal(err)
		}
	}
	// kill restores the files to the state before Close, as after a kill.
	kill := func() {
		t.Helper()
		files := map[string]string{}
		retired, _ := filepath.Glob(path + ".log.*")
		for _, name := range slices.Concat([]string{path + ".log"}, retired, []string{path}) {
			if text, err := os.ReadFile(name); err == nil {
				files[name] = string(text)
			}
		}
		s.Close()
		for name, text := range files {
			writeFile(t, dir, filepath.Base(name), text)
		}
		s = open()
	}
	old := time.Now().Add(-time.Minute) // the time of a file that is complete
	write := func(name, text string) {
		os.Chtimes(writeFile(t, folder, name, text), old, old)
	}
	// The files are imported once: the title that the user has set stays.
	write("1.json", `[{"id":"a","title":"one"}]`)
	write("2.json", `no import`)
	write("3.json", `[{"id":"b","title":"after"}]`)
	scan("one", "after")
	update("mine")
	scan("mine", "after")
	warnings := strings.Count(logs.String(), "cannot remove a file from the import folder; it is ignored from now on")
	if warnings != 3 {
		t.Errorf("%d warnings of files that cannot be removed; want 3:\n%s", warnings, logs.String())
	}
	// So it is after a kill, after a stop, and after a fold with a kill.
	kill()
	scan("mine", "after")
	update("mine 2")
	s.Close() // folds the journal
	s = open()
	scan("mine 2", "after")
	kill()
	update("mine 3" + strings.Repeat(" ", smallestFold)) // folds the journal, too
	update("mine 4")
	scan("mine 4", "after")
	kill()
	scan("mine 4", "after")
	// Another content is imported.
	old = old.Add(time.Second)
	write("1.json", `[{"id":"a","title":"two"}]`)
	scan("two", "after")
	// Once files can be removed, they are, and none is imported once more.
	disk.stuck.Store(false)
	s.Close()
	s = open()
	update("mine 5")
	scan("mine 5", "after")
	names, _ := filepath.Glob(filepath.Join(folder, "*"))
	if len(names) != 1 || filepath.Base(names[0]) != "2.json.rejected" {
		t.Errorf("the folder contains %v; want 2.json.rejected alone", names)
	}
	// A new file of the same name is imported, once.
	write("1.json", `[{"id":"a","title":"three"}]`)
	scan("three", "after")
	kill()
	update("mine 6")
	scan("mine 6", "after")
	s.Close()
	if names, _ := filepath.Glob(path + "*"); len(names) != 1 {
		t.Errorf("after Close there are %v; want flats.json alone", names)
	}
}

// A meddlingDisk calls meddle after reading a file of the import folder.
type meddlingDisk struct {
	osDisk
	meddle func(name string)
}

func (d *meddlingDisk) ReadFile(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if filepath.Base(filepath.Dir(name)) == "import" {
		d.meddle(name)
	}
	return text, err
}

// If a file in the import folder is replaced during its import, the new one is imported
// next. An import that an earlier run left unfinished comes first.
func TestImportReplaced(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[]`)
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	const replacements = 2
	reads := 0
	disk := &meddlingDisk{meddle: func(string) {
		reads++
		if reads > replacements {
			return
		}
		next := writeFile(t, dir, "next", fmt.Sprintf(`[{"id":"%d"},{"id":"last","cost":%d}]`, reads, reads))
		if err := os.Rename(next, filepath.Join(folder, "site.json")); err != nil {
			t.Error(err)
		}
	}}
	var logs lockedBuffer
	s, err := openStore(path, disk, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	writeFile(t, folder, "site.json", `[{"id":"0"},{"id":"last","cost":0}]`)
	writeFile(t, folder, "site.json.importing", `[{"id":"before"},{"id":"last","cost":-1}]`)
	w := newWatcher(newImporter(s), folder, maxFile)
	for range 1 + replacements + 1 { // the unfinished import, the replacements, and one scan more
		if err := w.scan(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"before", "1", "2"} { // 0 was replaced before it was imported
		if s.Get(id) == nil {
			t.Errorf("%s is lost:\n%s", id, logs.String())
		}
	}
	if got := costOf(s.Get("last")); got != "2" {
		t.Errorf("the cost is %s; want that of the last file, 2", got)
	}
}

// A stopping service leaves the files in the import folder for the next start, also one that it is importing.
func TestImportStopped(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(writeFile(t, dir, "flats.json", `[]`), osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWatcher(newImporter(s), folder, maxFile)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	writeFile(t, folder, "later.json", `[{"id":"later"},{"id":"later 2"}]`)
	if err := w.scan(ctx); err != nil || s.Get("later") != nil {
		t.Errorf("a stopping service imported a file: %v", err)
	}
	const checksOfImport = 4 // of the context; a scan that imports the file makes at least so many
	for checks := 1; checks < checksOfImport; checks++ {
		err := w.scan(&countedContext{t.Context(), checks})
		if !errors.Is(err, context.Canceled) || s.Get("later") != nil {
			t.Errorf("stopped after %d checks: %v, flats %s; want %v and no flat", checks, err, listed(s), context.Canceled)
		}
	}
	if err := w.scan(t.Context()); err != nil || s.Get("later") == nil {
		t.Errorf("the next scan did not import the file: %v", err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("the folder still contains %v", entries)
	}
}

// While err is not nil, an unreadableDisk cannot read the files of one name, nor examine
// those of another.
type unreadableDisk struct {
	osDisk
	unreadable, unseen string
	err                error
}

func (d *unreadableDisk) ReadFile(name string) ([]byte, error) {
	if d.err != nil && filepath.Base(name) == d.unreadable {
		return nil, &fs.PathError{Op: "read", Path: name, Err: d.err}
	}
	return os.ReadFile(name)
}

func (d *unreadableDisk) Lstat(name string) (fs.FileInfo, error) {
	if d.err != nil && filepath.Base(name) == d.unseen {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: d.err}
	}
	return os.Lstat(name)
}

// A file that cannot be read for a temporary reason waits, and the files after it are
// imported.
func TestImportUnreadable(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &unreadableDisk{}
	s, err := openStore(filepath.Join(dir, "flats.json"), disk, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWatcher(newImporter(s), folder, maxFile)
	old := time.Now().Add(-time.Minute) // the time of a file that is complete
	for _, reason := range []error{syscall.EIO, syscall.EMFILE, syscall.EACCES} {
		for _, name := range []string{"a", "b"} {
			path := writeFile(t, folder, name+".json", fmt.Sprintf(`[{"id":"%s %v"}]`, name, reason))
			os.Chtimes(path, old, old)
		}
		disk.unreadable, disk.err = "a.json.importing", reason
		for range 2 { // the second scan tries again
			if err := w.scan(t.Context()); err != nil || !errors.Is(w.readErr, reason) {
				t.Errorf("%v: the scan returned %v, and noted %v", reason, err, w.readErr)
			}
		}
		if s.Get("b "+reason.Error()) == nil {
			t.Errorf("%v: the file after it was not imported", reason)
		}
		disk.err = nil
		if err := w.scan(t.Context()); err != nil || s.Get("a "+reason.Error()) == nil {
			t.Errorf("%v: the file was not imported once it could be read: %v", reason, err)
		}
		if left, _ := os.ReadDir(folder); len(left) != 0 {
			t.Errorf("%v: the folder contains %v", reason, left)
		}
	}
}

// An import file never replaces an earlier one that exists but cannot be examined.
func TestImportUnseen(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &unreadableDisk{err: syscall.EIO, unseen: "a.json.importing"}
	s, err := openStore(filepath.Join(dir, "flats.json"), disk, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	old := time.Now().Add(-time.Minute)
	os.Chtimes(writeFile(t, folder, "a.json.importing", `[{"id":"first"}]`), old, old)
	os.Chtimes(writeFile(t, folder, "a.json", `[{"id":"second"}]`), old, old)
	w := newWatcher(newImporter(s), folder, maxFile)
	for range 2 { // the file can be examined in the second scan
		if err := w.scan(t.Context()); err != nil {
			t.Error(err)
		}
		disk.err = nil
	}
	if s.Get("first") == nil || s.Get("second") == nil {
		t.Errorf("the flats are %s; want first and second", listed(s))
	}
}

// Files in the import folder may have names that are not UTF-8. Folders and symbolic links
// are rejected and logged.
func TestImportOddFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("file names must be UTF-8")
	}
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[]`)
	folder := filepath.Join(dir, "import")
	if err := os.MkdirAll(filepath.Join(folder, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, "a\xff.json", `[{"id":"a","title":"one"}]`)
	writeFile(t, folder, "a\xfe.json", `[{"id":"b","title":"two"}]`)
	outside := writeFile(t, dir, "outside", `[{"id":"c"}]`)
	if err := os.Symlink(outside, filepath.Join(folder, "link.json")); err != nil {
		t.Fatal(err)
	}
	// The service rejects only what is old, because a new file may be incomplete. touch -h changes the link itself.
	old := time.Now().Add(-time.Minute)
	os.Chtimes(filepath.Join(folder, "folder"), old, old)
	touch := exec.Command("touch", "-h", "-d", "2020-01-01", filepath.Join(folder, "link.json"))
	if out, err := touch.CombinedOutput(); err != nil {
		t.Fatalf("%s", out)
	}
	disk := &stuckDisk{}
	disk.stuck.Store(true)
	var logs lockedBuffer
	scan := func(wantA, wantB string) {
		t.Helper()
		s, err := openStore(path, disk, nil, slog.New(slog.NewTextHandler(&logs, nil)))
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w := newWatcher(newImporter(s), folder, maxFile)
		for range 2 {
			if err := w.scan(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if a, b := titleOf(s.Get("a")), titleOf(s.Get("b")); a != wantA || b != wantB || s.Get("c") != nil {
			t.Errorf("the titles are %q and %q; want %q and %q", a, b, wantA, wantB)
		}
		for _, id := range []string{"a", "b"} {
			if _, err := s.Update(id, []byte(`{"title":"mine"}`), nil, author{}); err != nil {
				t.Error(err)
			}
		}
	}
	// Each scan is that of another start. The files stay in the folder at first, and are imported once.
	scan("one", "two")
	scan("mine", "mine")
	disk.stuck.Store(false)
	scan("mine", "mine")
	var names []string
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got := strings.Join(names, " "); got != "folder.rejected link.json.rejected" || readFile(t, outside) == "" {
		t.Errorf("the folder contains %q; want the rejected folder and link, and the target of the link as it was", got)
	}
	if n := strings.Count(logs.String(), "link.json is not a regular file"); n != 3 { // one for each start
		t.Errorf("%d warnings about the link; want 3:\n%s", n, logs.String())
	}
}

// Imports over HTTP and from the import folder can run concurrently.
func TestImportBoth(t *testing.T) {
	dir := t.TempDir()
	s, err := openStore(filepath.Join(t.TempDir(), "flats.json"), osDisk{}, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	imports := newImporter(s)
	w := newWatcher(imports, dir, maxFile)
	var group sync.WaitGroup
	group.Go(func() {
		for i := range 20 {
			writeFile(t, dir, fmt.Sprintf("%d.json.tmp", i), fmt.Sprintf(`[{"id":"file %d"}]`, i))
			os.Rename(filepath.Join(dir, fmt.Sprintf("%d.json.tmp", i)), filepath.Join(dir, fmt.Sprintf("%d.json", i)))
			if err := w.scan(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	for i := range 20 {
		if _, err := imports.ImportText([]byte(fmt.Sprintf(`[{"id":"http %d"}]`, i)), ""); err != nil {
			t.Error(err)
		}
	}
	group.Wait()
	if got := len(listed(s)); got != 40 {
		t.Errorf("%d flats; want 40", got)
	}
}

// Reading the import folder does not delay requests, and shutdown interrupts it between
// two files.
func TestImportStop(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "import"), 0o700); err != nil {
		t.Fatal(err)
	}
	const files = 6
	listings := make([]string, 1500) // so many that the service is stopped before the last files
	for name := range files {
		for i := range listings {
			listings[i] = fmt.Sprintf(`{"id":"%d %d","text":"%s"}`, name, i, strings.Repeat("to be read ", 300))
		}
		writeFile(t, dir, fmt.Sprintf("import/%d.json", name), "["+strings.Join(listings, ",")+"]")
	}
	p := start(t, dir)
	if status, _ := p.do("GET", "/api/v1/metadata", ""); status != 200 {
		t.Errorf("GET metadata: %d", status)
	}
	p.stop()
	left, _ := filepath.Glob(filepath.Join(dir, "import", "*"))
	imported := strings.Count(p.stderr.String(), "msg=imported")
	if len(left)+imported < files { // a file that was just imported may be left, too
		t.Errorf("%d files are left, %d were imported; want %d together:\n%s", len(left), imported, files, p.stderr)
	}
	if isInterrupted := imported < files-1; !isInterrupted {
		t.Errorf("%d of %d files were imported before the service stopped", imported, files)
	}
	if strings.Contains(p.stderr.String(), "ERROR") {
		t.Errorf("the log has an error:\n%s", p.stderr)
	}
	// The next start imports the remaining files.
	p = start(t, dir)
	p.await("all imports", func() bool {
		_, body := p.do("GET", "/api/v1/metadata", "")
		return strings.Contains(body, fmt.Sprintf(`"flats":%d`, files*len(listings)))
	})
	p.stop()
}

// A file whose name is too long to rename, or which is too large, is rejected, and the
// files after it are imported.
func TestImportExtremes(t *testing.T) {
	long(t)
	dir := t.TempDir()
	path := writeFile(t, dir, "flats.json", `[]`)
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	write := func(name, text string) { os.Chtimes(writeFile(t, folder, name, text), old, old) }
	huge := writeFile(t, folder, "huge.json", "[")
	if err := os.Truncate(huge, 4<<40); err != nil { // 4 TiB, which take no space
		t.Skip(err)
	}
	os.Chtimes(huge, old, old)
	// A name may have 255 bytes, so that .rejected cannot be added to these.
	longName := strings.Repeat("n", 243)
	write(longName+"-1.json", "no import")
	write(longName+"-2.json", "no import")
	write(strings.Repeat("ü", 124)+".json", "no import") // ü has two bytes
	write("large.json", `[{"id":"l","text":"`+strings.Repeat("x", maxLine.bytes)+`"}]`)
	half := strings.Repeat("x", maxLine.bytes*5/8) // two of them do not fit into a flat
	write("half-1.json", `[{"id":"h","a":"`+half+`"}]`)
	write("half-2.json", `[{"id":"h","b":"`+half+`"}]`) // too large together with the existing members
	write("z.json", `[{"id":"z"}]`)
	var logs lockedBuffer
	s, err := openStore(path, osDisk{}, nil, slog.New(slog.NewTextHandler(&logs, nil)))
	if err != nil {
		t.Fatal(err)
	}
	imports := newImporter(s)
	const largestFile = 256 << 20
	if err := newWatcher(imports, folder, largestFile).scan(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = s.Update("h", []byte(`{"notes":"`+half+`"}`), nil, author{})
	if err == nil || err.Error() != `Invalid payload provided: id "h": `+errLarge.Error()+"." {
		t.Errorf("an update of a flat that grows too large: %v", err)
	}
	// The error of an import that makes a flat too large names the flat, in the list of
	// imports and over HTTP.
	const tooLarge = `id "h": the flat is larger than 1048576 bytes or has more than 10000 values`
	for _, o := range imports.Outcomes() {
		if o.Source == "half-2.json" && encodeJSON(o.Error) != encodeJSON(tooLarge) {
			t.Errorf("the outcome of half-2.json: %s; want %s", encodeJSON(o.Error), tooLarge)
		}
	}
	_, err = imports.ImportText([]byte(`[{"id":"other"},{"id":"h","b":"`+half+`"}]`), "")
	last := encodeJSON(imports.Outcomes()[0].Error)
	if err == nil || err.Error() != "Nothing was imported: "+tooLarge+"." || last != encodeJSON(tooLarge) {
		t.Errorf("over HTTP: %v, %s; want %s", err, last, tooLarge)
	}
	s.Close()
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if !strings.Contains(e.Name(), ".rejected") || !utf8.ValidString(e.Name()) {
			t.Errorf("%s was not rejected", e.Name())
		}
	}
	got := readFile(t, path)
	// The names that are too long are those of three files, and huge, large and half-2 are too large.
	if len(entries) != 3+3 || !strings.Contains(got, `{"id":"z",`) || strings.Contains(got, `"l"`) ||
		strings.Contains(got, `"b":`) {
		t.Errorf("%d files are left, and flats.json is\n%.200s", len(entries), got)
	}
	for _, want := range []string{"huge.json.importing is larger than 268435456 bytes",
		"large.json:1: the flat is larger than 1048576 bytes", `id \"h\": the flat is larger than 1048576 bytes`} {
		if !strings.Contains(logs.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, logs.String())
		}
	}
}

// Data, config and postal code files that are too large are an error and do not exhaust
// the memory.
func TestLargeFiles(t *testing.T) {
	for name, read := range map[string]func(path string) error{
		"flats.json": func(path string) error { _, err := openStore(path, osDisk{}, nil, quiet); return err },
		"flats.json.log": func(path string) error {
			_, err := openStore(strings.TrimSuffix(path, ".log"), osDisk{}, nil, quiet)
			return err
		},
		"config.json":   func(path string) error { _, err := options{configFile: path}.config(quiet); return err },
		"codes.csv":     func(path string) error { _, err := loadPostalCodes([]string{path}, nil); return err },
		"listings.json": func(path string) error { _, err := readInput(path, 1000); return err },
	} {
		path := writeFile(t, t.TempDir(), name, "[")
		const size = 4 << 40 // bytes, of which the disk stores hardly any
		if err := os.Truncate(path, size); err != nil {
			t.Skip(err)
		}
		if err := read(path); err == nil || !strings.Contains(err.Error(), name+" is larger than ") {
			t.Errorf("%s: %v; want that it is larger than its bound", name, err)
		}
	}
}

// A file leaves the import folder within any operation of the scan that finds it. Such a file is
// imported or not, but not refused.
func TestImportLeaves(t *testing.T) {
	for at := 1; ; at++ {
		d := newSimDisk()
		s, err := openStore("/flats.json", d, nil, quiet)
		if err != nil {
			t.Fatal(err)
		}
		d.mu.Lock()
		d.names["/import/a.json"] = &simFile{data: []byte(`[{"id":"a"}]`)}
		var left atomic.Bool
		d.hooks = map[int]func(){len(d.ops) + at: func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			left.Store(true)
			delete(d.names, "/import/a.json")
			delete(d.names, "/import/a.json.importing")
		}}
		d.mu.Unlock()
		imports := newImporter(s)
		if err := newWatcher(imports, "/import", 1<<20).scan(t.Context()); err != nil {
			t.Errorf("at %d: %v", at, err)
		}
		for _, outcome := range imports.Outcomes() {
			if outcome.Error != nil {
				t.Errorf("at %d: refused: %s", at, *outcome.Error)
			}
		}
		s.Close()
		if !left.Load() {
			return
		}
	}
}

// A listedDisk counts how often folders are listed.
type listedDisk struct {
	osDisk
	lists int
}

func (d *listedDisk) List(prefix string) ([]string, error) {
	d.lists++
	return d.osDisk.List(prefix)
}

// A folder in which nothing changes is not listed again and again, however many names in it are ignored.
func TestImportIdle(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "import")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	disk := &listedDisk{}
	s, err := openStore(filepath.Join(dir, "flats.json"), disk, nil, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := newWatcher(newImporter(s), folder, maxFile)
	// scans scans the folder n times, and checks how often it is listed meanwhile.
	scans := func(n, want int) {
		t.Helper()
		disk.lists = 0
		for range n {
			if err := w.scan(t.Context()); err != nil {
				t.Error(err)
			}
		}
		if disk.lists != want {
			t.Errorf("%d scans list the folder %d times; want %d", n, disk.lists, want)
		}
	}
	old := time.Now().Add(-time.Minute)
	writeFile(t, folder, "a.json.rejected", "x")
	scans(3, 3) // the folder has just changed
	os.Chtimes(folder, old, old)
	scans(9, 1)
	os.Chtimes(writeFile(t, folder, "b.json", `[{"id":"b"}]`), old, old)
	scans(1, 1)
	if s.Get("b") == nil {
		t.Error("a file that came while nothing changed is not imported")
	}
	os.Chtimes(writeFile(t, folder, "young.json", "x"), time.Now(), time.Now())
	os.Chtimes(folder, old, old)
	scans(3, 3) // a file that may be incomplete
	w.scan(t.Context())
	w.listed = old // as on a file system that keeps no times of folders
	scans(1, 1)
}
