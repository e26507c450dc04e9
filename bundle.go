// The bundles: modules that the page needs together, as one file each.

package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// A browser that opens the page over a slow network would wait for each import of an import. So
// modules that are needed at the same time are served as one file, a bundle. It is their text in the
// order in which they import each other, without these imports: no two of them may have a variable of
// the same name at the top level, and none may rename what it imports. Other modules import from the
// bundle what they import from one of these.
//
// firstBundle has the modules that app.js imports. app.js is not part of it, because it awaits views,
// which import the bundle. laterBundle has what the page loads once the first list is shown.
const (
	firstBundle = "first.js"
	laterBundle = "later.js"
)

var laterModules = []string{"parts/keeping.js", "parts/waiting.js"}

var (
	importPattern = newPattern(`^import ([^"]*)"(\.[^"]*)"\n`)
	// lazyPattern matches the URLs that a module names, except in its imports.
	lazyPattern = newPattern("(import\\(|new URL\\()([\"`])(\\.[^\"`]*)")
)

// withoutComments strips comments, a third of the bytes.
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

// bundle joins the modules of the bundles in texts, which has the files of the page by name,
// and changes the imports of the others.
func bundle(texts map[string]string) {
	var first []string
	imports, _ := cutImports(texts["app.js"])
	for _, line := range imports {
		first = append(first, path.Clean(line.path))
	}
	owners := map[string]string{} // the bundles of the modules in one
	texts[firstBundle] = joinModules(firstBundle, first, texts, owners)
	texts[laterBundle] = joinModules(laterBundle, laterModules, texts, owners)
	for module := range owners {
		delete(texts, module)
	}
	for _, name := range slices.Collect(maps.Keys(texts)) {
		if path.Ext(name) == ".js" {
			texts[name] = withBundles(name, texts[name], owners)
		}
	}
}

// joinModules returns the text of a bundle with modules and what they import, unless another bundle has that. It adds
// them to owners.
func joinModules(bundle string, modules []string, texts, owners map[string]string) string {
	var body strings.Builder
	names := map[string][]string{} // what is imported from each other bundle
	var add func(module string)
	add = func(module string) {
		if owners[module] != "" {
			return
		}
		imports, rest := cutImports(texts[module])
		for _, line := range imports {
			other := path.Join(path.Dir(module), line.path)
			add(other)
			if from := owners[other]; from != bundle {
				names[from] = append(names[from], line.list()...)
			}
		}
		owners[module] = bundle
		for line := range strings.Lines(rest) {
			body.WriteString(withURLs(line, func(url string) string { return "./" + path.Join(path.Dir(module), url) }))
		}
	}
	for _, module := range modules {
		add(module)
	}
	var head strings.Builder
	for _, from := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[from])
		fmt.Fprintf(&head, "import {%s} from \"./%s\"\n", strings.Join(slices.Compact(names[from]), ", "), from)
	}
	return head.String() + body.String()
}

// list returns the names that a line imports.
func (line importLine) list() []string {
	_, names, _ := strings.Cut(line.names, "{")
	names, _, _ = strings.Cut(names, "}")
	var list []string
	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// withURLs returns a line of a module with what change makes of the relative URLs in it.
func withURLs(line string, change func(url string) string) string {
	if !strings.Contains(line, "import(") && !strings.Contains(line, "new URL(") {
		return line
	}
	return lazyPattern().ReplaceAllStringFunc(line, func(found string) string {
		parts := lazyPattern().FindStringSubmatch(found)
		return parts[1] + parts[2] + change(parts[3])
	})
}

// withBundles returns a file that imports from the bundles what it imports from the modules in them.
func withBundles(name, text string, owners map[string]string) string {
	folder := path.Dir(name)
	up := strings.Repeat("../", strings.Count(name, "/"))
	if up == "" {
		up = "./"
	}
	imports, rest := cutImports(text)
	var b strings.Builder
	for _, line := range imports {
		if owner := owners[path.Join(folder, line.path)]; owner != "" {
			fmt.Fprintf(&b, "import %s\"%s%s\"\n", line.names, up, owner)
		} else {
			b.WriteString(line.text)
		}
	}
	for line := range strings.Lines(rest) {
		b.WriteString(withURLs(line, func(url string) string {
			if owner := owners[path.Join(folder, url)]; owner != "" {
				return up + owner
			}
			return url
		}))
	}
	return b.String()
}
