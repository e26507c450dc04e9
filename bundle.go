// The bundle: the modules that the first list needs, as one file.

package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// A browser that opens the page over a slow network would wait for each import of an import. So
// the modules that app.js imports are served as one, bundleName. It is their text in the order in
// which they import each other, without these imports: no two of them may have a variable of the
// same name at the top level, and none may rename what it imports. Other modules import from the bundle
// what they import from one of these. app.js is not part of it, because it awaits views, which
// import the bundle.
const (
	bundleName  = "first.js"
	bundleEntry = "app.js"
)

var (
	importPattern = newPattern(`^import ([^"]*)"(\.[^"]*)"\n`)
	// lazyPattern matches the URLs that a module names besides those of its imports.
	lazyPattern = newPattern("(import\\(|new URL\\()([\"`])(\\.[^\"`]*)")
)

// withoutComments returns a file of the page without its comments, which a third of the bytes are.
func withoutComments(name, text string) string {
	switch path.Ext(name) {
	case ".js":
		lines := slices.Collect(strings.Lines(text))
		return strings.Join(slices.DeleteFunc(lines, isComment), "")
	case ".css":
		return withoutCSSComments(text)
	}
	return text
}

// withoutCSSComments returns a style sheet without its comments, and without the lines that hold nothing else.
func withoutCSSComments(text string) string {
	var b strings.Builder
	for {
		before, comment, isThere := strings.Cut(text, "/*")
		if !isThere {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(strings.TrimRight(before, " \t"))
		_, text, _ = strings.Cut(comment, "*/")
		text = strings.TrimPrefix(text, "\n")
	}
}

// isComment reports whether a line of JavaScript is a comment, which takes whole lines. No text of several lines
// contains one.
func isComment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "//") }

// An importLine is what a module imports from another one: the names, with the words around them, and the path.
type importLine struct{ text, names, path string }

// cutImports returns the imports at the beginning of a module, and what follows them.
func cutImports(text string) (imports []importLine, rest string) {
	rest = strings.TrimLeft(text, "\n")
	for {
		found := importPattern().FindStringSubmatch(rest)
		if found == nil {
			return imports, rest
		}
		imports = append(imports, importLine{found[0], found[1], found[2]})
		rest = rest[len(found[0]):]
	}
}

// bundle joins the modules of the first list in texts, which has the files of the page by name,
// and changes the imports of the others.
func bundle(texts map[string]string) {
	var first []string
	var joined strings.Builder
	var add func(name string)
	add = func(name string) {
		imports, rest := cutImports(texts[name])
		for _, line := range imports {
			if other := path.Join(path.Dir(name), line.path); !slices.Contains(first, other) {
				add(other)
			}
		}
		if name == bundleEntry {
			return
		}
		first = append(first, name)
		for line := range strings.Lines(rest) {
			joined.WriteString(movedURLs(path.Dir(name), line))
		}
	}
	add(bundleEntry)
	for _, name := range first {
		delete(texts, name)
	}
	for _, name := range slices.Collect(maps.Keys(texts)) {
		if path.Ext(name) == ".js" {
			texts[name] = withBundle(name, texts[name], first)
		}
	}
	texts[bundleName] = joined.String()
}

// movedURLs returns a line of a module as it is in the bundle, where relative URLs begin elsewhere than in its folder.
func movedURLs(folder, line string) string {
	if !strings.Contains(line, "import(") && !strings.Contains(line, "new URL(") {
		return line
	}
	return lazyPattern().ReplaceAllStringFunc(line, func(found string) string {
		parts := lazyPattern().FindStringSubmatch(found)
		return parts[1] + parts[2] + "./" + path.Join(folder, parts[3])
	})
}

// withBundle returns a module that imports from the bundle what it imports from the modules in first.
func withBundle(name, text string, first []string) string {
	up := strings.Repeat("../", strings.Count(name, "/"))
	if up == "" {
		up = "./"
	}
	imports, rest := cutImports(text)
	var b strings.Builder
	for _, line := range imports {
		if slices.Contains(first, path.Join(path.Dir(name), line.path)) {
			fmt.Fprintf(&b, "import %s\"%s%s\"\n", line.names, up, bundleName)
		} else {
			b.WriteString(line.text)
		}
	}
	return b.String() + rest
}
