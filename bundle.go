// The bundle: the modules that the first list needs, as one file.

package main

import (
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
	importPattern = newPattern(`(?m)^import ([^"]*)"(\.[^"]*)"\n`)
	// lazyPattern matches the URLs that a module names besides those of its imports.
	lazyPattern = newPattern("(import\\(|new URL\\()([\"`])(\\.[^\"`]*)")
	cssComment  = newPattern(`(?s)[ \t]*/\*.*?\*/\n?`)
)

// withoutComments returns a file of the page without its comments, which a third of the bytes are.
func withoutComments(name, text string) string {
	switch path.Ext(name) {
	case ".js":
		lines := slices.Collect(strings.Lines(text))
		return strings.Join(slices.DeleteFunc(lines, isComment), "")
	case ".css":
		return cssComment().ReplaceAllString(text, "")
	}
	return text
}

// isComment reports whether a line of JavaScript is a comment, which takes whole lines. No text of several lines
// contains one.
func isComment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "//") }

// bundle joins the modules of the first list in texts, which has the files of the page by name,
// and changes the imports of the others.
func bundle(texts map[string]string) {
	var first []string
	var add func(name string)
	add = func(name string) {
		for _, found := range importPattern().FindAllStringSubmatch(texts[name], -1) {
			if other := path.Join(path.Dir(name), found[2]); !slices.Contains(first, other) {
				add(other)
			}
		}
		first = append(first, name)
	}
	add(bundleEntry)
	first = first[:len(first)-1]
	var joined strings.Builder
	for _, name := range first {
		text := importPattern().ReplaceAllString(texts[name], "")
		joined.WriteString(lazyPattern().ReplaceAllStringFunc(text, func(found string) string {
			parts := lazyPattern().FindStringSubmatch(found)
			return parts[1] + parts[2] + "./" + path.Join(path.Dir(name), parts[3])
		}))
		delete(texts, name)
	}
	for _, name := range slices.Collect(maps.Keys(texts)) {
		if path.Ext(name) != ".js" {
			continue
		}
		up := strings.Repeat("../", strings.Count(name, "/"))
		if up == "" {
			up = "./"
		}
		texts[name] = importPattern().ReplaceAllStringFunc(texts[name], func(found string) string {
			parts := importPattern().FindStringSubmatch(found)
			if !slices.Contains(first, path.Join(path.Dir(name), parts[2])) {
				return found
			}
			return "import " + parts[1] + `"` + up + bundleName + "\"\n"
		})
	}
	texts[bundleName] = joined.String()
}
