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
	bundle(served)
	for name, text := range texts {
		imports, rest := cutImports(text)
		if strings.Contains("\n"+rest, "\nimport ") {
			t.Errorf("%s imports something below its first lines", name)
		}
		_, isApart := served[name]
		for _, line := range imports {
			if !isApart && strings.Contains(line.names, " as ") {
				t.Errorf("%s renames what it imports: %s", name, line.names)
			}
		}
	}
	for name, want := range map[string][]string{
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
		for _, one := range want {
			if !slices.Contains(names, one) {
				t.Errorf("%s does not have %s", name, one)
			}
		}
		if len(names) < 100 {
			t.Errorf("%s has %d names; want at least 100", name, len(names))
		}
	}
}
