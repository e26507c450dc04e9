// Tests of restore.go, and of the config, settings and postal codes in archives.

package main

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// extraFiles returns the files below a folder, without flats.json and its journals.
func extraFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := allFiles(t, dir)
	maps.DeleteFunc(files, func(name, _ string) bool {
		isFolder := strings.HasSuffix(name, "/")
		return isFolder || strings.HasPrefix(name, "flats.json")
	})
	return files
}

// TestBackupExtras tests that an archive has the config, settings and postal codes, whatever -config names, and that a
// restore puts them next to flats.json where nothing is yet.
func TestBackupExtras(t *testing.T) {
	home := t.TempDir()
	for _, folder := range []string{"data", "data/postal_codes", "etc", "etc/codes"} {
		os.Mkdir(filepath.Join(home, folder), 0o700)
	}
	const codes = "postal_code,name,lat,lng\n1,A,2,3\n"
	config := `{"data": "../data/flats.json", "postal_codes": ["FR.csv", "codes/DE.csv", "../outside.csv", "` +
		filepath.Join(home, "etc", "codes", "ES.csv") + `"]}`
	for name, text := range map[string]string{
		"data/flats.json": `[{"id":"a"}]`, "data/settings.json": `{"people": ["Ann", "Ben"]}`, "data/push.json": "{}",
		"data/sessions.json": "{}", "data/remind.json": "{}", "data/postal_codes/FR.gz": gzipped(codes),
		"data/postal_codes/FR.gz.tmp": "x", "etc/my.conf": config, "etc/FR.csv": codes, "etc/codes/DE.csv": codes,
		"etc/codes/ES.csv": codes, "etc/other.csv": codes, "outside.csv": codes,
	} {
		writeFile(t, home, name, text)
	}
	file := filepath.Join(home, "all.tgz")
	out, err := runs(t, "backup", "-config", filepath.Join(home, "etc", "my.conf"), file)
	if err != nil || !strings.HasPrefix(out, "ok: 8 files, 1 flats, ") {
		t.Fatalf("%s, %v", out, err)
	}
	t.Chdir(filepath.Join(home, "etc")) // where the paths of the config are relative
	if out, err := runs(t, "backup", "-config", "my.conf", filepath.Join(home, "relative.tgz")); err != nil ||
		!strings.HasPrefix(out, "ok: 8 files, 1 flats, ") {
		t.Errorf("%s, %v", out, err)
	}
	// The 8 files of an archive: flats.json, and these. Sessions, the last reminder and temporary files are not in it.
	want := map[string]string{"config.json": config, "settings.json": `{"people": ["Ann", "Ben"]}`, "push.json": "{}",
		"postal_codes/FR.gz": gzipped(codes), "FR.csv": codes, "codes/DE.csv": codes, "codes/ES.csv": codes}
	target := filepath.Join(t.TempDir(), "new", "flats.json")
	if out, err = runs(t, "restore", "-data", target, file); err != nil || strings.Contains(out, "left") {
		t.Fatalf("%s, %v", out, err)
	}
	if got := extraFiles(t, filepath.Dir(target)); !maps.Equal(got, want) {
		t.Errorf("restored %q; want %q", got, want)
	}
	// What is there is left, and everything else is restored.
	for _, name := range slices.Sorted(maps.Keys(want)) {
		dir := t.TempDir()
		os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700)
		writeFile(t, dir, name, "mine")
		out, err := runs(t, "restore", "-data", filepath.Join(dir, "flats.json"), file)
		line := filepath.Join(dir, name) + " exists and was left as it is: that of the archive was not restored\n"
		if err != nil || !strings.Contains(out, line) || strings.Count(out, "left as it is") != 1 {
			t.Errorf("%s: %s, %v", name, out, err)
		}
		left := maps.Clone(want)
		left[name] = "mine"
		if got := extraFiles(t, dir); !maps.Equal(got, left) {
			t.Errorf("restored %q; want %q", got, left)
		}
	}
}

// TestRestoreAdvice tests that a restore says how to start exactly what was restored, and when a password is missing.
func TestRestoreAdvice(t *testing.T) {
	const withPassword, open, addr = `{"username":"u","password":"p"}`, "", `{"addr":"0.0.0.0:1"}`
	for _, c := range []struct {
		inArchive, lying, ofCommand string // texts of config.json, "" for none
		stored                      bool   // whether there is a password.json
		folder                      string
		wantConfig                  string // "" for none; folder and cwd are in front of it
		wantsPassword               bool
	}{
		{withPassword, open, open, false, "new", "new/config.json", false},
		{addr, open, open, false, "new", "new/config.json", true},
		{addr, open, open, true, "new", "new/config.json", false},
		{withPassword, addr, open, false, "new", "new/config.json", true},
		{open, withPassword, open, false, "new", "new/config.json", false},
		{open, "damaged", open, false, "new", "new/config.json", true},
		{open, open, open, false, "new", "", true},
		{open, open, withPassword, false, "new", "config.json", false},
		{addr, open, withPassword, false, "new", "new/config.json", true},
		{addr, open, open, false, "a b's", "a b's/config.json", true},
	} {
		cwd, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(cwd)
		os.Mkdir(c.folder, 0o700)
		entries := []entry{{name: "flats.json", text: "[]"}}
		if c.inArchive != "" {
			entries = append(entries, entry{name: "config.json", text: c.inArchive})
		}
		for name, text := range map[string]string{"config.json": c.ofCommand, c.folder + "/config.json": c.lying} {
			if text != "" {
				writeFile(t, cwd, name, text)
			}
		}
		if c.stored {
			writeFile(t, cwd, c.folder+"/"+passwordBase, "{}")
		}
		quoted := func(name string) string {
			name = filepath.Join(cwd, name)
			if strings.Contains(name, " ") {
				return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
			}
			return name
		}
		flags := " -data " + quoted(c.folder+"/flats.json") + "\n"
		if c.wantConfig != "" {
			flags = " -config " + quoted(c.wantConfig) + flags
		}
		out, err := runs(t, "restore", "-data", c.folder+"/flats.json", writeFile(t, cwd, "all.tgz", archived(t, entries...)))
		asksForPassword := strings.Contains(out, "before the start: flats password"+flags)
		if err != nil || !strings.HasSuffix(out, "\nStart the service: flats"+flags) || asksForPassword != c.wantsPassword {
			t.Errorf("%+v: %v, %s\nwant%s", c, err, out, flags)
		}
	}
}

// TestRestoreExtras tests that damaged extra files are refused as at a start, and that none gets a name that a service
// takes for something else.
func TestRestoreExtras(t *testing.T) {
	flats := entry{name: "flats.json", text: "[]"}
	for _, c := range []struct{ name, text, want string }{
		{"config.json", `{"addr": 5}`, "config.json: addr: want a string"},
		{"config.json", `{"addr": "x:1",}`, "config.json:1:15: there is one comma too many before the }"},
		{"settings.json", "[]", "settings.json:1: want an object"},
		{"push.json", "{", "push.json:1:2: a closing } is missing"},
		{"postal_codes/FR.gz", "x", "postal_codes/FR.gz: "}, {"postal_codes/FR.gz", gzipped("x"), "no column"},
		{"config/FR.csv", "a,b\n", "config/FR.csv:1: no column"}, {"config/FR.txt", "[{}]", "postal_code: must not be empty"},
		{"config/flats.json", "[]", "not a file of a backup"}, {"config/flats.json.log", "", "not a file of a backup"},
		{"config/views.json", "[]", "not a file of a backup"}, {"config/settings.json", "[]", "not a file of a backup"},
		{"config/sessions.json", "[]", "not a file of a backup"}, {"config/import/a.json", "[]", "not a file of a backup"},
		{"config/photos/a", "[]", "not a file of a backup"}, {"config/../x", "[]", "not a file of a backup"},
		{"config//x", "[]", "not a file of a backup"},
		{"config/a/../x", "[]", "not a file of a backup"}, {`config/a\x`, "[]", "not a file of a backup"},
		{"config/C:x", "[]", "not a file of a backup"}, {"config/backups/x", "[]", "not a file of a backup"},
		{"postal_codes/../x.gz", "[]", "not a file of a backup"}, {"postal_codes/fr.gz", "[]", "not a file of a backup"},
		{"sessions.json", "{}", "not a file of a backup"}, {"config/x.tmp", "[]", "not a file of a backup"},
	} {
		dir := t.TempDir()
		file := writeFile(t, dir, "all.tgz", archived(t, flats, entry{name: c.name, text: c.text}))
		_, err := runs(t, "restore", "-data", filepath.Join(dir, "new", "flats.json"), file)
		if err == nil || !strings.Contains(err.Error(), c.want) || len(allFiles(t, dir)) != 1 {
			t.Errorf("%s %s: %v, %q; want %s", c.name, c.text, err, allFiles(t, dir), c.want)
		}
	}
}

// TestRestoreOrder tests that flats.json gets its name after everything else, so that no service starts with half of an
// archive.
func TestRestoreOrder(t *testing.T) {
	d := newSimDisk()
	d.put("/all.tgz", archived(t, entry{name: "flats.json", text: "[]"},
		entry{name: "views.json", text: "[]"}, entry{name: "config.json", text: "{}"},
		entry{name: "config/a/b.csv", text: "postal_code,name,lat,lng\n"}))
	if err := simArchiver(d).restore(t.Context(), "/flats.json", "/all.tgz", io.Discard); err != nil {
		t.Fatal(err)
	}
	var renames []string
	for _, op := range d.ops {
		if strings.HasPrefix(op, "rename ") {
			renames = append(renames, op)
		}
	}
	if len(renames) != 4 || !strings.HasPrefix(renames[3], "rename /flats.json.") {
		t.Errorf("the renames are %q; want flats.json last", renames)
	}
}

// TestRestoreExtrasFails tests that a failure at any operation leaves nothing of the extra files either.
func TestRestoreExtrasFails(t *testing.T) {
	text := archived(t, entry{name: "flats.json", text: "[]"}, entry{name: "config.json", text: "{}"},
		entry{name: "config/a/b.csv", text: "postal_code,name,lat,lng\n"},
		entry{name: "postal_codes/FR.gz", text: gzipped("postal_code,name,lat,lng\n")})
	for n := 1; ; n++ {
		d := newSimDisk()
		d.put("/all.tgz", text)
		d.failAt = n
		err := simArchiver(d).restore(t.Context(), "/flats.json", "/all.tgz", &strings.Builder{})
		if len(d.ops) < n { // a restore has fewer operations, so none has failed
			if err != nil || len(d.names) < 5 { // the archive, and four files
				t.Errorf("%v, %q", err, slices.Sorted(maps.Keys(d.names)))
			}
			break
		}
		failed := d.ops[n-1]
		mayFail := failed == "stat /flats.json"
		leavesFiles := len(d.names) != 1 // other than the archive
		if err == nil && !mayFail || err != nil && leavesFiles {
			t.Errorf("%s failed: %v leaves %q", failed, err, slices.Sorted(maps.Keys(d.names)))
		}
	}
}
