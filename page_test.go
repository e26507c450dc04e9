// Tests of page.go: the page that is served from a folder, and the modules that are served as one. web/ has the tests
// of the page itself.

package main

import (
	"io/fs"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPageFolder tests that a page from a folder is the embedded one until a file changes, and then
// the new one, without a restart.
func TestPageFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("web")); err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "README", "no file of the page")
	config := defaultConfig()
	embedded := newPage(config, new(access).isOpen)
	config.webFolder = dir
	live := newPage(config, new(access).isOpen)
	get := func(p *pageHandler, path string) (string, error) {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Accept-Encoding", "identity")
		err := p.get(w, r)
		return w.Body.String(), err
	}
	script := regexp.MustCompile(`src="(assets/[0-9a-f]+/)app.js"`)
	before, err := get(live, "/")
	if want, _ := get(embedded, "/"); err != nil || before != want {
		t.Errorf("%v; the page from a folder differs from the embedded one:\n%s", err, before)
	}
	path := "/" + script.FindStringSubmatch(before)[1] + "app.js" // [1] is the folder, named by a hash of the page
	writeFile(t, dir, "app.js", "changed")
	if text, err := get(live, path); err == nil {
		t.Errorf("a file of the page as it was: %s", text)
	}
	after, _ := get(live, "/")
	path = "/" + script.FindStringSubmatch(after)[1] + "app.js"
	if text, err := get(live, path); err != nil || text != "changed" || after == before {
		t.Errorf("%v; after a change app.js is %q; want changed, and another page", err, text)
	}
	if worker, _ := get(live, "/sw.js"); !strings.Contains(worker, `"app.js"`) || strings.Contains(worker, "README") ||
		strings.Contains(worker, "_test.go") {
		t.Errorf("the worker keeps %s", worker)
	}
	secret := writeFile(t, t.TempDir(), "secret", "secret")
	for name, make := range map[string]func(name string) error{
		"a link that leads out": func(name string) error { return os.Symlink(secret, name) },
		"a folder as a link":    func(name string) error { return os.Symlink("lib", name) },
		"a pipe":                func(name string) error { return exec.Command("mkfifo", name).Run() },
	} {
		special := filepath.Join(dir, "x.css")
		if err := make(special); err != nil {
			t.Fatal(err)
		}
		if text, err := get(live, "/"); err == nil || !strings.Contains(err.Error(), "x.css") {
			t.Errorf("%s: %v, %d bytes", name, err, len(text))
		}
		os.Remove(special)
	}
	if err := os.Symlink("app.js", filepath.Join(dir, "x.css")); err != nil {
		t.Fatal(err)
	}
	if _, err := get(live, "/"); err != nil {
		t.Errorf("a link within the folder: %v", err)
	}
	os.RemoveAll(filepath.Join(dir, "index.html"))
	os.RemoveAll(dir)
	if _, err := get(live, "/"); err == nil {
		t.Error("a page from a folder that is gone")
	}
}

// TestPagePlaceholders tests that a value in the page is what the config says, also if it looks like a placeholder.
func TestPagePlaceholders(t *testing.T) {
	t.Parallel()
	config := defaultConfig()
	config.WhoWeAre, config.FeedToken = "{language} {feed-token} {people}\n<b> \"", "{data}"
	w := httptest.NewRecorder()
	if err := newPage(config, func() bool { return false }).get(w, httptest.NewRequest("GET", "/", nil)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<meta name="flats-who-we-are" content="{language} {feed-token} {people}` + "\n&lt;b&gt; &#34;\">",
		`<meta name="flats-feed-token" content="{data}">`, `words/strings/en.js">`,
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestPageFolderProgram tests that the program says that the page is from a folder.
func TestPageFolderProgram(t *testing.T) {
	web, err := filepath.Abs("web")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, t.TempDir(), "-sample", "-web", web)
	if status, _ := p.do("GET", "/", ""); status != 200 {
		t.Errorf("status %d", status)
	}
	p.stop()
	if !strings.Contains(p.stderr.String(), "from a folder") {
		t.Errorf("the log does not say that the page is from a folder:\n%s", p.stderr)
	}
}

// topLevel matches what a module declares at its top level: a name, or the pattern of several.
var topLevel = regexp.MustCompile(`(?m)^(?:export )?(?:async )?(?:const|let|var|class|function\*?) ` +
	`(\w+|\{[^}]*\}|\[[^\]]*\])`)

// namesOf returns the names that a module declares at its top level.
func namesOf(text string) []string {
	var names []string
	for _, found := range topLevel.FindAllStringSubmatch(text, -1) {
		for part := range strings.SplitSeq(strings.Trim(found[1], "{}[]"), ",") {
			name, _, _ := strings.Cut(part[strings.LastIndex(part, ":")+1:], "=")
			names = append(names, strings.Trim(name, ". \t\n"))
		}
	}
	return names
}

// TestWithoutComments tests which comments of a module are not served.
func TestWithoutComments(t *testing.T) {
	for _, c := range []struct{ what, text, want string }{
		{"whole lines", "// all\n\t// of a line\na()\n", "a()\n"},
		{"after code", "a() // after code\nb()\n", "a()\nb()\n"},
		{"after code with a URL", `a("https://b") // c`, "a(\"https://b\")\n"},
		{"in a string", "a(`b // c`)\n", "a(`b // c`)\n"},
		// After the first " // ", a quotation mark may end a string. So the comment stays.
		{"after a string with //", `a("b // c", "//d") // after code`, `a("b // c", "//d") // after code`},
		{"with an apostrophe", `a("https://b") // it's c`, `a("https://b") // it's c`},
	} {
		if got := withoutComments("a.js", c.text); got != c.want {
			t.Errorf("%s: %q is served as %q; want %q", c.what, c.text, got, c.want)
		}
	}
}

// TestBundleNames tests that the modules of a bundle, which share one scope, declare no name twice, and rename nothing
// that they import, and that all modules begin with what they import.
func TestBundleNames(t *testing.T) {
	texts := map[string]string{}
	err := fs.WalkDir(web, "web", func(name string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() || path.Ext(name) != ".js" {
			return err
		}
		text, err := web.ReadFile(name)
		texts[strings.TrimPrefix(name, "web/")] = withoutComments(name, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	served := maps.Clone(texts)
	bundle(served) // replaces modules by the bundles that have them
	for name, text := range texts {
		imports, rest := cutImports(text)
		if strings.Contains("\n"+rest, "\nimport ") {
			t.Errorf("%s imports something below its first lines", name)
		}
		_, isServedAlone := served[name]
		for _, line := range imports {
			if !isServedAlone && strings.Contains(line.names, " as ") {
				t.Errorf("%s renames what it imports: %s", name, line.names)
			}
		}
	}
	for name, want := range map[string][]string{ // some names of each
		firstBundle: {"kept", "flats", "shortlisted", "currencies", "t", "showList", "List", "askDue"},
		laterBundle: {"startWaiting", "startKeeping", "sendNotes", "kept"},
	} {
		imports, rest := cutImports(served[name])
		names := namesOf(rest)
		for _, line := range imports {
			names = append(names, line.list()...)
		}
		slices.Sort(names)
		for i := range names[1:] {
			if names[i] == names[i+1] {
				t.Errorf("the modules of %s declare %s twice; want another name in one of them", name, names[i])
			}
		}
		for _, wanted := range want {
			if !slices.Contains(names, wanted) {
				t.Errorf("%s does not have %s", name, wanted)
			}
		}
		if len(names) < 100 {
			t.Errorf("%s has %d names; want at least 100", name, len(names))
		}
	}
}
