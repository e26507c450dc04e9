// A test of the modules that the page serves as one.

package main

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

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

// TestBundleNames tests that the modules of the first list, which share one scope, declare no name twice, and rename
// nothing that they import from each other, and that all modules begin with what they import.
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
	bundle(served)
	owner := map[string]string{}
	for _, module := range slices.Sorted(maps.Keys(texts)) {
		if _, isApart := served[module]; isApart {
			continue
		}
		for _, name := range namesOf(texts[module]) {
			if other, isTaken := owner[name]; isTaken {
				t.Errorf("%s and %s declare %s; want another name in one of them", other, module, name)
			}
			owner[name] = module
		}
		imports, _ := cutImports(texts[module])
		for _, other := range imports {
			if strings.Contains(other.names, " as ") {
				t.Errorf("%s renames what it imports: %s", module, other.names)
			}
		}
	}
	for module, text := range texts {
		if _, rest := cutImports(text); strings.Contains("\n"+rest, "\nimport ") {
			t.Errorf("%s imports something below its first lines", module)
		}
	}
	for _, name := range []string{"kept", "flats", "shortlisted", "signs", "t", "showList", "List"} {
		if owner[name] == "" {
			t.Errorf("no module declares %s", name)
		}
	}
	if len(owner) < 200 {
		t.Errorf("the modules declare %d names; want at least 200", len(owner))
	}
}
