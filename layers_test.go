// Tests of the layers: files use each other downwards, in the order of docs/design.md.

package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	gotoken "go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLayers tests that the table of files in docs/design.md has each file, and that each file
// uses only files that stand below it there.
func TestLayers(t *testing.T) {
	t.Parallel()
	order := tabledFiles(readFile(t, "docs/design.md"))
	sources := sourceFiles(t)
	for _, name := range sources {
		if !slices.Contains(order, name) {
			t.Errorf("%s is missing from the table of files in docs/design.md", name)
		}
	}
	for _, name := range order {
		if !slices.Contains(sources, name) {
			t.Errorf("docs/design.md names %s, which does not exist", name)
		}
	}
	fset := gotoken.NewFileSet()
	for _, use := range upwardUses(t, fset, compiledPackages(t, fset), parsedSources(t, fset), order) {
		t.Error(use)
	}
}

// TestLayersUpward tests that a use of a file that stands above is found, whatever it is that is used.
func TestLayersUpward(t *testing.T) {
	t.Parallel()
	fset := gotoken.NewFileSet()
	compiled := compiledPackages(t, fset)
	const above = "package p\n\ntype T struct{ field int }\n\nfunc (T) method() {}\n\nfunc f() T { return T{} }\n"
	for _, c := range []struct{ use, want string }{
		{"var x = 1", ""},
		{"var x = f()", "below.go:3 uses f of above.go, which stands above it"},
		{"type U struct{ T }", "below.go:3 uses T of above.go, which stands above it"},
		{"var x interface{ method() }", ""},
		{"func g[V interface{ ~struct{ field int } }]() {}", ""},
		{"func g() { h().field++ }\n\nfunc h() *T { return nil }", "below.go:3 uses field of above.go, " +
			"which stands above it; below.go:5 uses T of above.go, which stands above it"},
	} {
		var files []*ast.File
		for name, text := range map[string]string{"above.go": above, "below.go": "package p\n\n" + c.use} {
			file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		got := strings.Join(upwardUses(t, fset, compiled, files, []string{"above.go", "below.go"}), "; ")
		if got != c.want {
			t.Errorf("%s: %q; want %q", c.use, got, c.want)
		}
	}
}

// TestFileLength tests that each file can be read at one sitting.
func TestFileLength(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	ofPage, err := filepath.Glob("web/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, ofPage...) {
		longest := 650
		if strings.HasSuffix(name, "_test.go") {
			longest = 1000
		}
		text := readFile(t, name)
		lines := strings.Count(text, "\n")
		if lines > longest {
			t.Errorf("%s has %d lines; want at most %d", name, lines, longest)
		}
		if !strings.HasPrefix(text, "//") {
			t.Errorf("%s does not begin with a sentence that says what it is for", name)
		}
	}
}

// sourceFiles returns the names of the Go files that are no tests, in the order of their names.
func sourceFiles(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

// tabledFiles returns the Go files in the first cells of the table under "## Files", from the top down.
func tabledFiles(text string) []string {
	_, table, _ := strings.Cut(text, "\n## Files\n")
	table, _, _ = strings.Cut(table, "\n## ")
	var names []string
	for line := range strings.Lines(table) {
		cell, isRow := strings.CutPrefix(line, "| ")
		if !isRow {
			continue
		}
		cell, _, _ = strings.Cut(cell, " | ")
		for _, match := range goFile.FindAllStringSubmatch(cell, -1) {
			names = append(names, match[1])
		}
	}
	return names
}

// parsedSources returns the syntax trees of the sources for this system.
func parsedSources(t *testing.T, fset *gotoken.FileSet) (files []*ast.File) {
	t.Helper()
	for _, name := range sourceFiles(t) {
		if isBuilt, err := build.Default.MatchFile(".", name); err != nil || !isBuilt {
			continue // of another system
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	return files
}

var goFile = regexp.MustCompile("`([a-z0-9_]+\\.go)`")

// upwardUses returns a line for each name that a file uses although the file that declares it
// stands before it in order. Methods and fields count. The lines are in the order of their text.
func upwardUses(t *testing.T, fset *gotoken.FileSet, imports types.Importer, files []*ast.File,
	order []string) []string {
	t.Helper()
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	pkg, err := config.Check("main", fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]bool{}
	for id, object := range info.Uses {
		if object.Pkg() != pkg || !object.Pos().IsValid() {
			continue
		}
		at, declared := fset.Position(id.Pos()), fset.Position(object.Pos())
		if slices.Index(order, declared.Filename) < slices.Index(order, at.Filename) {
			use := fmt.Sprintf("%s:%d uses %s of %s, which stands above it",
				at.Filename, at.Line, object.Name(), declared.Filename)
			uses[use] = true
		}
	}
	return slices.Sorted(maps.Keys(uses))
}

// compiledPackages returns an importer of the standard library as the Go command has compiled it, which takes a
// tenth of the time of reading its source.
func compiledPackages(t *testing.T, fset *gotoken.FileSet) types.Importer {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}", ".")
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[path] = file
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
}
