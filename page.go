// The page: its embedded files, the bundles of its modules, and the handler that serves them.

package main

import (
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"fmt"
	"html"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"flats/internal/listing"
)

// web contains the files of the page: all of web/ except the Go tests.
//
//go:embed web/*.js web/*.css web/*.html web/*.webmanifest web/*.png web/*.svg web/lib web/parts web/views web/words
var web embed.FS

// A pageFile is a file of the page as it is served, plain and gzipped. zipped may be nil.
type pageFile struct {
	plain  string
	zipped func() string
}

// newPageFile returns a file that is gzipped at the first request that accepts it: a browser loads only a few at once.
func newPageFile(text string) pageFile {
	return pageFile{text, sync.OnceValue(func() string {
		var b strings.Builder
		zip := gzip.NewWriter(&b) // compresses better than send, because browsers load these over slow networks
		io.WriteString(zip, text) // a Builder never fails
		zip.Close()
		return b.String()
	})}
}

// A pageHandler serves the files of the page.
type pageHandler struct {
	config *Config
	isOpen func() bool                         // whether there is no password
	files  func() (map[string]pageFile, error) // by the path under which they are served
}

// newPage returns the handler of the embedded files, which it prepares at the first request, so
// that the service starts sooner. Files of a folder are read at each request.
func newPage(config *Config, isOpen func() bool) *pageHandler {
	if config.webFolder != "" {
		return &pageHandler{config, isOpen, func() (map[string]pageFile, error) {
			plain := func(text string) pageFile { return pageFile{plain: text} }
			root, err := os.OpenRoot(config.webFolder) // links lead no further
			if err != nil {
				return nil, err
			}
			defer root.Close()
			return pageFiles(config, root.FS(), plain)
		}}
	}
	return &pageHandler{config, isOpen, sync.OnceValues(func() (map[string]pageFile, error) {
		files, err := fs.Sub(web, "web")
		if err != nil {
			return nil, err
		}
		return pageFiles(config, files, newPageFile)
	})}
}

// pageFiles returns the files of web/ by the paths under which they are served. Assets are served
// unchanged, from a folder named by one hash of all files, so that browsers may keep them forever.
// They import each other by relative paths. The other three files have fixed paths, and
// placeholders for that folder, for the list of assets, and for values of the config.
func pageFiles(config *Config, from fs.FS, newFile func(text string) pageFile) (map[string]pageFile, error) {
	fixed := map[string]string{
		"index.html":           "/",
		"sw.js":                "/sw.js",
		"manifest.webmanifest": "/manifest.webmanifest",
	}
	texts, err := pageTexts(from)
	if err != nil {
		return nil, err
	}
	bundle(texts)
	assets := []string{}
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(hash, "%s %d\n%s", name, len(texts[name]), texts[name])
		if fixed[name] == "" {
			assets = append(assets, name)
		}
	}
	// The service worker (sw.js) keeps the assets until the hash changes, and index.html, which has pageValues in it, as
	// it was last opened. So a change of pageValues changes the hash, too.
	io.WriteString(hash, pageValues)
	folder := fmt.Sprintf("assets/%x/", hash.Sum(nil)[:8])
	values := []string{
		"assets/-/", folder,
		"const files = []", "const files = " + encodeJSON(assets), // in sw.js
		"{data}", config.dataID,
		"{map-tiles}", html.EscapeString(config.MapTiles),
		"{map-credit}", html.EscapeString(config.MapCredit),
		"{ways}", html.EscapeString(pageWays(config)),
		"{bounds}", html.EscapeString(pageBounds(config)),
		"{people}", html.EscapeString(encodeJSON(config.People)),
		"{who-we-are}", html.EscapeString(config.WhoWeAre),
		"{sample}", strconv.FormatBool(config.sample),
		"{values}", html.EscapeString(pageValues),
	}
	// All placeholders are replaced at once: a value may have the text of one in it.
	filled := func(name string, more ...string) pageFile {
		return newFile(strings.NewReplacer(slices.Concat(values, more)...).Replace(texts[name]))
	}
	files := map[string]pageFile{}
	for name, path := range fixed {
		files[path] = filled(name)
	}
	for _, language := range languages {
		token := html.EscapeString(config.FeedToken)
		files["/"+language] = filled("index.html", "{language}", language, "{feed-token}", token)
		files["/open/"+language] = filled("index.html", "{language}", language, "{feed-token}", "")
	}
	for _, name := range assets {
		files["/"+folder+name] = newFile(texts[name])
	}
	return files, nil
}

// pageTexts returns the texts of the files of the page by their names, without comments.
func pageTexts(from fs.FS) (map[string]string, error) {
	texts := map[string]string{}
	err := fs.WalkDir(from, ".", func(name string, file fs.DirEntry, err error) error {
		if err != nil || file.IsDir() || !isOfPage(name) {
			return err
		}
		info, err := fs.Stat(from, name)
		if err == nil && !info.Mode().IsRegular() { // opening a pipe could block forever
			err = fmt.Errorf("%s is not a regular file", name)
		}
		if err != nil {
			return err
		}
		text, err := fs.ReadFile(from, name)
		texts[name] = withoutComments(name, string(text))
		return err
	})
	return texts, err
}

// isOfPage reports whether a file in web/ is one of the page, rather than a test.
func isOfPage(name string) bool {
	extension := path.Ext(name)
	isAsset := extension != "" && assetTypes[extension] != "" // "" in assetTypes is for the path /
	return extension == ".html" || isAsset
}

// pageWays returns who goes to which places as JSON, or null if everybody goes to all places.
func pageWays(config *Config) string {
	goers := newPlaceGoers(config.Constraints)
	if len(config.People) == 0 || !goers.hasPersonalPlace() {
		return "null"
	}
	return encodeJSON(goers)
}

// pageBounds returns how many seconds the ways to places may take as JSON, by constraint and place, and by place for
// flats of no constraint in the config. It returns null if no place has such a bound.
func pageBounds(config *Config) string {
	isBounded := false
	boundsOf := func(places map[string]Place) map[string]float64 {
		bounds := map[string]float64{}
		for name, place := range places {
			if seconds, _ := place.maxSeconds(); seconds > 0 {
				bounds[name] = seconds
				isBounded = true
			}
		}
		return bounds
	}
	constraints := map[string]map[string]float64{}
	for name, constraint := range config.Constraints {
		constraints[name] = boundsOf(constraint.Places)
	}
	others := boundsOf(placesOfAll(config.Constraints))
	if !isBounded {
		return "null"
	}
	return encodeJSON(map[string]any{"constraints": constraints, "others": others})
}

// pageValues has, as JSON, the values on which the service and the page must agree.
var pageValues = encodeJSON(map[string]any{
	"statuses":     pageStatuses,
	"shortlist":    shortlist,
	"dead":         deadStatuses,
	"deleted":      statusDeleted,
	"markName":     markName,
	"maxTime":      maxTime,                     // seconds
	"currencies":   listing.CurrencySpellings(), // codes with what people write for them
	"paidMonthly":  flatFields.with("monthly"),
	"paidOnce":     flatFields.with("once"),
	"plainNumbers": plainNumbers(),
	"searched":     searchedFields,
})

// plainNumbers returns the names of the fields that can be corrected and are numbers without a currency.
func plainNumbers() (names []string) {
	for _, f := range flatFields.list {
		isCorrectable := f.optionAmong("correctable") != ""
		isMoney := f.optionAmong("cost", "monthly", "once") != ""
		if f.isNumber() && isCorrectable && !isMoney {
			names = append(names, f.name)
		}
	}
	return names
}

// pagePolicy returns the content security policy of the page. The page loads its own files,
// connects only to this service, and shows the photos of listings and the map tiles.
func pagePolicy(config *Config) string {
	tiles := ""
	if u, err := url.Parse(config.MapTiles); err == nil && u.Host != "" {
		tiles = " " + originOf(u)
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:" + tiles +
		"; connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// languages are the languages of the page, the default first.
var languages = []string{"en", "de", "fr"}

// languageOf returns the first language of a request that the page has, as web/words/format.js
// finds it, or else the default. The texts in this language are loaded first.
func languageOf(r *http.Request) string {
	for tag := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		language, _, _ := strings.Cut(strings.TrimSpace(tag), "-")
		language, _, _ = strings.Cut(language, ";")
		if slices.Contains(languages, language) {
			return language
		}
	}
	return languages[0]
}

func (p *pageHandler) get(w http.ResponseWriter, r *http.Request) error {
	name := r.URL.Path
	vary := "Origin, Accept-Encoding"
	if name == "/" {
		if p.isOpen() {
			name = "/open/" // has no token of the calendar, which is only for people with the password
		}
		name += languageOf(r)
		vary += ", Accept-Language"
	}
	files, err := p.files()
	if err != nil {
		return err
	}
	file, ok := files[name]
	if !ok {
		return notFound(r)
	}
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(r.URL.Path, "/assets/") {
		h.Set("Cache-Control", "max-age=31536000, immutable")
	}
	h.Set("Content-Security-Policy", pagePolicy(p.config))
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Vary", vary)
	text := file.plain
	if acceptsGzip(r) && file.zipped != nil {
		h.Set("Content-Encoding", "gzip")
		text = file.zipped()
	}
	return answer(w, r, assetTypes[path.Ext(r.URL.Path)], text)
}

// assetTypes has the content types of the page's files by extension, because the table of
// the operating system may be wrong.
var assetTypes = map[string]string{
	"":             typeHTML, // the path /
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml",
	".webmanifest": "application/manifest+json",
}

// A browser that opens the page over a slow network would wait for each import of an import. So
// modules that are needed at the same time are served as one file, a bundle. It has their texts in the
// order of their imports, without these imports. So no two modules of a bundle may have a variable of
// the same name at the top level, and none may rename what it imports. Other modules import from the
// bundle instead of from the modules in it.
//
// firstBundle has the modules that app.js imports. app.js is not part of it, because it awaits views,
// which import the bundle. laterBundle has the modules that the page loads once the first list is shown.
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
		var b strings.Builder
		for line := range strings.Lines(text) {
			if !isComment(line) {
				b.WriteString(withoutLastComment(line))
			}
		}
		return b.String()
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

// isComment reports whether a line of JavaScript is a comment. No text of several lines has a line that looks like one.
func isComment(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "//") }

// withoutLastComment returns a line of JavaScript without the comment after its code. A comment with a quotation mark
// stays, because it may be a part of a string.
func withoutLastComment(line string) string {
	code, comment, isThere := strings.Cut(line, " // ")
	if !isThere || strings.ContainsAny(comment, "\"'`") {
		return line
	}
	return code + "\n"
}

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

// bundle replaces modules in texts, the files of the page by name, by the bundles, and changes the
// imports of the other modules.
func bundle(texts map[string]string) {
	var first []string
	imports, _ := cutImports(texts["app.js"])
	for _, line := range imports {
		first = append(first, path.Clean(line.path))
	}
	owners := map[string]string{} // by module, the bundle that has it
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

// joinModules returns the text of a bundle with modules and the modules that they import, except those in another
// bundle. owners has the bundle of each module that is in one; joinModules adds the modules of this bundle.
func joinModules(bundleName string, modules []string, texts, owners map[string]string) string {
	var body strings.Builder
	imported := map[string][]string{} // by other bundle, the names that this one imports from it
	var add func(module string)
	add = func(module string) {
		if owners[module] != "" {
			return
		}
		imports, rest := cutImports(texts[module])
		for _, line := range imports {
			other := path.Join(path.Dir(module), line.path)
			add(other)
			if from := owners[other]; from != bundleName {
				imported[from] = append(imported[from], line.list()...)
			}
		}
		owners[module] = bundleName
		for line := range strings.Lines(rest) {
			body.WriteString(withURLs(line, func(link string) string { return "./" + path.Join(path.Dir(module), link) }))
		}
	}
	for _, module := range modules {
		add(module)
	}
	var head strings.Builder
	for _, from := range slices.Sorted(maps.Keys(imported)) {
		slices.Sort(imported[from])
		fmt.Fprintf(&head, "import {%s} from \"./%s\"\n", strings.Join(slices.Compact(imported[from]), ", "), from)
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

// withURLs returns a line of a module with each relative URL replaced by the result of change.
func withURLs(line string, change func(link string) string) string {
	if !strings.Contains(line, "import(") && !strings.Contains(line, "new URL(") {
		return line
	}
	return lazyPattern().ReplaceAllStringFunc(line, func(found string) string {
		parts := lazyPattern().FindStringSubmatch(found)
		return parts[1] + parts[2] + change(parts[3])
	})
}

// withBundles returns a file that imports from bundles instead of from the modules in them.
func withBundles(name, text string, owners map[string]string) string {
	folder := path.Dir(name)
	toBundles := strings.Repeat("../", strings.Count(name, "/")) // the way from the file to the folder of the bundles
	if toBundles == "" {
		toBundles = "./"
	}
	imports, rest := cutImports(text)
	var b strings.Builder
	for _, line := range imports {
		if owner := owners[path.Join(folder, line.path)]; owner != "" {
			fmt.Fprintf(&b, "import %s\"%s%s\"\n", line.names, toBundles, owner)
		} else {
			b.WriteString(line.text)
		}
	}
	for line := range strings.Lines(rest) {
		b.WriteString(withURLs(line, func(link string) string {
			if owner := owners[path.Join(folder, link)]; owner != "" {
				return toBundles + owner
			}
			return link
		}))
	}
	return b.String()
}
