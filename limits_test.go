// Tests of the limits: docs/design.md has them all in one table.

package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	gotoken "go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of limits in docs/design.md anew")

// TestLimits tests that the table of limits in docs/design.md has each limit of the code, with its value and its
// comment. With -update it writes the table.
func TestLimits(t *testing.T) {
	t.Parallel()
	const head, rule = "\n| limit | value | of |\n", "|---|---|---|\n"
	const path = "docs/design.md"
	text := readFile(t, path)
	before, table, isThere := strings.Cut(text, head)
	if !isThere {
		t.Fatalf("%s has no table of limits", path)
	}
	table, after, _ := strings.Cut(table, "\n\n")
	want := rule + strings.Join(limits(t), "\n")
	if *update {
		if err := os.WriteFile(path, []byte(before+head+want+"\n\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	rows := strings.Split(table, "\n")
	for _, row := range strings.Split(want, "\n") {
		if !slices.Contains(rows, row) {
			t.Errorf("%s lacks %s: go test -run Limits -update . writes it", path, row)
		}
	}
	for _, row := range rows {
		if !strings.Contains(want, row) {
			t.Errorf("%s has %s, which is no limit of the code", path, row)
		}
	}
}

var limitName = regexp.MustCompile("^([Mm]ax|[Ll]ongest|[Mm]ost)[A-Z]")

// limits returns the rows of the table: the constants and variables whose names say that they are limits, in packages
// and in functions, in the order of their names.
func limits(t *testing.T) (rows []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		fset := gotoken.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			declaration, isDeclaration := node.(*ast.GenDecl)
			if !isDeclaration || declaration.Tok != gotoken.CONST && declaration.Tok != gotoken.VAR {
				return true
			}
			for _, spec := range declaration.Specs {
				spec := spec.(*ast.ValueSpec)
				name := spec.Names[0].Name
				if !limitName.MatchString(name) || len(spec.Values) != 1 {
					continue
				}
				comment := strings.Join(strings.Fields(spec.Comment.Text()+spec.Doc.Text()), " ")
				if comment == "" && len(declaration.Specs) == 1 {
					comment = strings.Join(strings.Fields(declaration.Doc.Text()), " ")
				}
				if comment == "" {
					t.Errorf("%s: %s has no comment that says of what it is a limit", path, name)
				}
				var value bytes.Buffer
				printer.Fprint(&value, fset, spec.Values[0])
				comment = strings.TrimSuffix(strings.TrimPrefix(comment, name+" is "), ".")
				if file.Name.Name != "main" {
					name = file.Name.Name + "." + name
				}
				rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", name, &value, comment))
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}
