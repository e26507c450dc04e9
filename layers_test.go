// Tests of the layers: files use each other downwards, in the order of docs/design.md.

package main

import (
	"errors"
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

// TestLayers tests that the tables in docs/design.md have each file of each package, in an order in which files use
// only those below them. Between packages the compiler does that.
func TestLayers(t *testing.T) {
	t.Parallel()
	text := readFile(t, "docs/design.md")
	fset := gotoken.NewFileSet()
	compiled := compiledPackages(t, fset)
	for _, folder := range sourceFolders(t) {
		order := tabledFiles(text, folder)
		sources := sourceFiles(t, folder)
		for _, name := range sources {
			if !slices.Contains(order, name) {
				t.Errorf("%s is missing from the table of %s in docs/design.md", name, folder)
			}
		}
		for _, name := range order {
			if !slices.Contains(sources, name) {
				t.Errorf("docs/design.md names %s in %s, which does not exist", name, folder)
			}
		}
		for _, use := range upwardUses(t, fset, compiled, parsedSources(t, fset, folder), order) {
			t.Errorf("%s: %s", folder, use)
		}
	}
}

// TestDesignNames tests that the sources have each file, each `Type.member` and each identifier such as `newPattern`
// that docs/design.md names.
func TestDesignNames(t *testing.T) {
	long(t)
	t.Parallel()
	words := regexp.MustCompile(`\w+(?:\.[A-Z]\w*)?`)                    // newPattern, turns.Task
	methods := regexp.MustCompile(`(?m)^func \(\w+ \*?(\w+).*?\) (\w+)`) // func (s *Store) Get: Store, Get
	structs := regexp.MustCompile(`(?ms)^type (\w+).*?^}`)
	fields := regexp.MustCompile(`(?m)(?:^\t|, )\*?(\w+)`) // the first word of a line of a struct, and those after commas
	has := map[string]bool{}                               // the names in the sources
	add := func(path string, entry os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".js" {
			return err
		}
		text := readFile(t, path)
		has[filepath.ToSlash(path)], has[entry.Name()] = true, true
		for _, word := range words.FindAllString(text, -1) {
			has[word], has[filepath.Base(filepath.Dir(path))+"."+word] = true, true
		}
		for _, found := range methods.FindAllStringSubmatch(text, -1) {
			has[found[1]+"."+found[2]] = true
		}
		for _, structure := range structs.FindAllStringSubmatch(text, -1) {
			for _, field := range fields.FindAllStringSubmatch(structure[0], -1) {
				has[structure[1]+"."+field[1]] = true
			}
		}
		return nil
	}
	if err := filepath.WalkDir(".", add); err != nil {
		t.Fatal(err)
	}
	// Names of design.md in backquotes: web/app.js, Store.Get, newPattern.
	names := regexp.MustCompile("`((?:[\\w/]+/)?[A-Za-z]+\\.[A-Za-z]+|[a-z]+[A-Z]\\w*)`")
	for _, match := range names.FindAllStringSubmatch(readFile(t, "docs/design.md"), -1) {
		kind := strings.TrimPrefix(filepath.Ext(match[1]), ".")
		if !has[match[1]] && !slices.Contains([]string{"json", "txt", "html", "tmpl", "eml", "md"}, kind) {
			t.Errorf("docs/design.md names %s, which the sources do not have", match[1])
		}
	}
}

// TestFileLength tests that each file can be read at one sitting.
func TestFileLength(t *testing.T) {
	t.Parallel()
	var names []string
	for _, folder := range append(sourceFolders(t), "web") {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, files...)
	}
	for _, name := range names {
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

// sourceFolders returns the folders of the packages that make the program: the root, and those in internal.
func sourceFolders(t *testing.T) []string {
	t.Helper()
	folders := []string{"."}
	err := filepath.WalkDir("internal", func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() && len(sourceFiles(t, path)) > 0 {
			folders = append(folders, path)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return folders
}

// sourceFiles returns the names of the Go files of a folder that are no tests, in the order of their names.
func sourceFiles(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			names = append(names, filepath.Base(file))
		}
	}
	return names
}

// tabledFiles returns the Go files in the first cells of the table of a folder, from the top down. The table of the
// root is under "## Files", any other one under a heading with the name of its folder.
func tabledFiles(text, folder string) []string {
	heading := "\n## Files\n"
	if folder != "." {
		heading = "\n### `" + filepath.ToSlash(folder) + "`\n"
	}
	_, table, _ := strings.Cut(text, heading)
	table, _, _ = strings.Cut(table, "\n##")
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

// parsedSources returns the syntax trees of the sources of a folder for this system.
func parsedSources(t *testing.T, fset *gotoken.FileSet, folder string) (files []*ast.File) {
	t.Helper()
	for _, name := range sourceFiles(t, folder) {
		if isBuilt, err := build.Default.MatchFile(folder, name); err != nil || !isBuilt {
			continue // of another system
		}
		file, err := parser.ParseFile(fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
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
		at, declared := fset.Position(id.Pos()), filepath.Base(fset.Position(object.Pos()).Filename)
		if slices.Index(order, declared) < slices.Index(order, filepath.Base(at.Filename)) {
			use := fmt.Sprintf("%s:%d uses %s of %s, which stands above it in docs/design.md: move the code down, or the row",
				filepath.Base(at.Filename), at.Line, object.Name(), declared)
			uses[use] = true
		}
	}
	return slices.Sorted(maps.Keys(uses))
}

// compiledPackages returns an importer of the standard library as the Go command has compiled it, which takes a
// tenth of the time of reading its source.
func compiledPackages(t *testing.T, fset *gotoken.FileSet) types.Importer {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}", "./...")
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
