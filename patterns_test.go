// A test of the texts of patterns.

package main

import (
	"go/ast"
	goconstant "go/constant"
	gotoken "go/token"
	"go/types"
	"regexp"
	"testing"
)

// TestPatterns tests that the text of each pattern is a regular expression, as far as it is a constant. The program
// finds that out only when it uses the pattern.
func TestPatterns(t *testing.T) {
	long(t)
	t.Parallel()
	fset := gotoken.NewFileSet()
	compiled := compiledPackages(t, fset)
	checked, others := 0, 0
	for _, folder := range sourceFolders(t) {
		files := parsedSources(t, fset, folder)
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		config := types.Config{Importer: compiled}
		if _, err := config.Check("main", fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			for node := range ast.Preorder(file) {
				call, isCall := node.(*ast.CallExpr)
				if !isCall {
					continue
				}
				if name, isName := call.Fun.(*ast.Ident); !isName || name.Name != "newPattern" {
					continue
				}
				text := info.Types[call.Args[0]].Value
				if text == nil {
					others++
					continue
				}
				checked++
				if _, err := regexp.Compile(goconstant.StringVal(text)); err != nil {
					t.Errorf("%s: %v", fset.Position(call.Pos()), err)
				}
			}
		}
	}
	const least = 150 // nearly as many as there are, so that the search for them is known to work
	if checked < least {
		t.Errorf("%d patterns are checked, %d are no constants; want at least %d", checked, others, least)
	}
	t.Logf("%d patterns are checked, %d are no constants", checked, others)
}
