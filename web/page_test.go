// Tests of the whole page: reach, accessibility, speed, texts, files.

package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// openHunt opens Import of an empty service, imports two listings, Junk and Gem, and follows the link of the report to
// Triage.
func openHunt(t *testing.T, width int) *tab {
	t.Helper()
	p := openTab(t, "[]", "#/import", width)
	p.click(manyListings)
	p.enter(listingsField, `[{"id": "1@site", "title": "Junk", "date": "2026-01-02"},
		{"id": "2@site", "title": "Gem", "phone": "0199", "date": "2026-01-01", "cost": 700, "area": 40}]`)
	p.click(importButton)
	p.click(reportLink)
	p.see(cardTitle, "Junk")
	return p
}

// TestPageHunt tests the way from an import to a visit on a laptop, by keys: Junk is dismissed, Gem is followed, rated
// and visited.
func TestPageHunt(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openHunt(t, 1280)
	p.test("x dismisses, and f follows", func() {
		p.press("x")
		p.see(cardTitle, "Gem")
		p.press("f")
		p.see(cardTitle, "Nothing left to triage")
	})
	p.test("l leads to the shortlist, and Enter to the flat", func() {
		p.press("l")
		p.see(rowCount, "1")
		p.focusRow(1)
		p.key("Enter")
		p.wait(isThere(notesField))
	})
	p.test("n leads to the notes, and 5 rates", func() {
		p.press("n")
		p.see("document.activeElement.id", "notes")
		p.do("Input.insertText", object{"text": "Ask for the cellar."})
		p.key("Escape")
		p.press("5")
		p.see(litStarCount, "1")
	})
	p.test("a visit is set, and stands in Visits", func() { p.visitGem() })
}

// TestPageHuntPhone tests the way of TestPageHunt on a phone, by a finger.
func TestPageHuntPhone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openHunt(t, 390)
	p.test("a swipe to the left dismisses, and one to the right follows", func() {
		p.swipe(triageCard, -200) // pixels
		p.see(cardTitle, "Gem")
		p.swipe(triageCard, 200)
		p.see(cardTitle, "Nothing left to triage")
	})
	p.test("a button leads to the shortlist, and a press to the flat, which is followed", func() {
		p.click(linkInEmpty)
		p.openRow(1)
		p.see(isPressed(followInBar), "true")
	})
	p.test("Visit in the bar leads to its times, and the notes and stars stand near", func() {
		p.click(visitInBar)
		p.see(focusIsInTimes, "true")
		p.enter(notesField, "Ask for the cellar.")
		p.click(ownStar(5))
	})
	p.test("a visit is set, and stands in Visits", func() { p.visitGem() })
}

// visitGem sets the visit of Gem, the open flat, to tomorrow, and checks what is stored of Gem (2@site) and Junk.
func (p *tab) visitGem() {
	p.t.Helper()
	p.see(savedLine, "Saved")
	p.enter(visitField, browserNow().AddDate(0, 0, 1).Format("2006-01-02")+"T18:00")
	p.wait(`/18:00/.test(` + noticeWhole + `)`)
	p.click(menuButton)
	p.click(inMenu("visits"))
	p.wait(`/ tomorrow.*Ask for the cellar/.test(` + text(visitDay) + `)`)
	p.see(firstVisitCall, "tel:0199")
	p.checkFlat("2@site", map[string]string{"status": "followed", "notes": "Ask for the cellar.", "notation": "5"})
	p.checkFlat("1@site", map[string]string{"status": "ignored"})
	p.see(viewCount, "1")
}

// TestPageHostile tests that HTML and scripts in listings stay text in every
// view, and that links to other sites are harmless.
func TestPageHostile(t *testing.T) {
	t.Parallel()
	const bad = `<img src=x onerror=\"faults.push('ran')\"><script>faults.push('ran')</script>`
	long := strings.Repeat("W", 400) + strings.Repeat(" word", 3_000)
	listing := fmt.Sprintf(`[{"id": "../%[1]s", "title": "%[1]s", "text": "%[1]s %[2]s", "location": "%[1]s",
		"currency": "%[1]s", "cost": 1, "area": 1, "phone": "%[1]s",
		"notes": "%[1]s\n- [ ] %[1]s %[2]s", "station": "%[1]s", "visit_date": "2031-01-01T10:00",
			"utilities": "%[1]s", "service_constraint": "%[1]s",
		"urls": ["javascript:faults.push('ran')", "data:text/html,x", "//evil.example", "https://good.example/"],
			"photos": ["http://127.0.0.1/x.png", {"url": "javascript:1"}],
		"details": {"%[1]s": "%[1]s %[2]s"}, "service_time_to": {"%[1]s": {"time": 60}},
			"service_stations": [{"name": "%[1]s"}], "merged_ids": ["%[1]s"], "other": {"%[1]s": 1}},
		{"id": "b", "title": "%[1]s", "currency": "%[1]s", "cost": 1, "area": 1, "location": "%[1]s", "photos": 7,
			"urls": {}, "merged_ids": "x", "service_time_to": [1],
			"service_stations": "y", "visit_date": "2031-01-01T10:30", "details": 5, "phone": "%[1]s"}]`, bad, long)
	p := openTab(t, listing, "#/visits", 320)
	p.wait(isThere(visitLink))
	hashOfHostile := fmt.Sprint(p.eval(visitHash))
	for _, hash := range []string{"#/visits", hashOfHostile, "#/flat/b", "#/triage?q=img", "#/import"} {
		p.test(fmt.Sprintf("%.20s", hash), func() {
			p.typeHash(hash)
			p.wait(viewHasTitle)
			if hash != "#/import" { // which shows no flat
				p.wait(mainWords + `.includes("<img src=x")`)
			}
			p.see(foreignPartCount, "0")
			p.see(`[...document.links].filter((a) => !/^(https?|webcal|tel):/.test(a.href)).length`, "0")
			p.see(fitsAcross, "true")
			if hash == hashOfHostile {
				seeHostileFlat(p)
			}
		})
	}
}

// seeHostileFlat tests the links of the open flat, and that it is printed on two pages, however long its texts are.
func seeHostileFlat(p *tab) {
	p.see(sourceRels, "https://good.example/noopener noreferrer")
	p.see(firstDouble, "#/flat/b")
	if got := p.printedPages(); got > 2 {
		p.t.Errorf("the flat is printed on %d pages; want at most 2", got)
	}
}

// TestPageReach tests that nothing covers the middle of a control, where a finger lands, and how each view looks
// (checkLooks). It also checks each view with axe-core, if that is there (checkAxe).
func TestPageReach(t *testing.T) {
	onlyWhole(t)
	for _, width := range []int{1280, 390} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			t.Parallel()
			p := openTab(t, "", "", width)
			p.showAll(func(what string) {
				t.Helper()
				p.checkAxe(what)
				p.checkReach(what)
				p.checkLooks(what)
			})
		})
	}
}

// TestPageSpeed logs how long the list takes to show the first of 5,000 flats,
// and to scroll.
func TestPageSpeed(t *testing.T) {
	onlyWhole(t)
	if !testing.Verbose() {
		t.Skip("it only logs times, which needs -v")
	}
	p := openTab(t, manyFlats(5000), "", 1280)
	p.see(rowCount, "50")
	// The browser lays out and paints a frame after the frame's callbacks.
	p.runFirst(`new MutationObserver((_, watch) => {
		if (!document.querySelector(".row")) return;
		watch.disconnect();
		requestAnimationFrame(() => setTimeout(() => window.shown = performance.now()));
	}).observe(document, {childList: true, subtree: true})`)
	for _, load := range []struct {
		how                              string
		ignoresCache, startsWorker, last bool // last: the views below are shown after this load
	}{
		{how: "files cached"},
		{how: "files cached"},
		{how: "nothing cached", ignoresCache: true, last: true},
		{how: "worker starts", startsWorker: true},
		{how: "through the worker"},
		{how: "through the worker", last: true},
	} {
		how := load.how
		if load.startsWorker {
			p.eval("sessionStorage.worker = true")
		}
		p.eval("window.old = true")
		p.do("Page.reload", object{"ignoreCache": load.ignoresCache})
		p.wait("!window.old && window.shown")
		t.Logf("%s: first rows after %.0f ms", how, p.eval("window.shown"))
		if load.startsWorker {
			p.wait("navigator.serviceWorker.controller")
		}
		if !load.last {
			continue
		}
		for _, hash := range []string{"#/?sort=cost", "#/?cost=..900", "#/?tab=all", "#/"} {
			p.see(rowCount, "50")
			t.Logf("%s: %s shown after %.0f ms", how, hash, p.eval(`(async () => {
				const [start, row] = [performance.now(), document.querySelector(".row")];
				location.hash = `+encode(hash)+`;
				while (row.isConnected) await new Promise(requestAnimationFrame);
				await new Promise((painted) => setTimeout(painted));
				return performance.now() - start;
			})()`))
		}
	}
	logFrames(t, p)
}

// logFrames logs the longest frames while somebody scrolls by 250 pixels a frame.
func logFrames(t *testing.T, p *tab) {
	t.Logf("frames while scrolling through 1,000 rows, the longest first: %v ms", p.eval(`(async () => {
		await new Promise((rested) => setTimeout(rested, 1_100)); // the requests after the rows are done
		const frames = [];
		let last = await new Promise(requestAnimationFrame);
		const end = last + 8_000; // a busy machine shows fewer rows
		const rows = document.getElementsByClassName("row");
		for (let y = 0; rows.length < 1000 && last < end; y += 250) {
			scrollTo(0, y);
			y = Math.min(y, document.body.scrollHeight);
			await new Promise(requestAnimationFrame);
			frames.push(performance.now() - last);
			last = performance.now();
		}
		return frames.sort((a, b) => b - a).slice(0, 5).map(Math.round).join(", ") + " of " + frames.length +
			" over " + rows.length + " rows";
	})()`))
}

// TestPageStrings tests that each language has the same texts, in the same forms,
// and all texts that the modules use.
func TestPageStrings(t *testing.T) {
	t.Parallel()
	p := openTab(t, "", "", 1280)
	var texts map[string]map[string]any
	got := p.eval(`(async () => {
		const all = {};
		for (const language of ["en", "fr", "de"]) all[language] =
			(await import(document.querySelector("script").src.replace("app.js", "words/strings/" + language + ".js"))).default;
		return JSON.stringify(all);
	})()`)
	if err := json.Unmarshal([]byte(fmt.Sprint(got)), &texts); err != nil {
		t.Fatal(err)
	}
	// form returns what a text must have in common with its translations: its type (a text, or a list of forms for
	// numbers), and its {placeholders} and # in any order.
	form := func(text any) string {
		braces := regexp.MustCompile(`\{\w+\}|#`).FindAllString(fmt.Sprint(text), -1)
		slices.Sort(braces)
		return fmt.Sprintf("%T %q", text, braces)
	}
	for language, table := range texts {
		for name, text := range texts["en"] {
			if table[name] == nil || table[name] == "" || form(table[name]) != form(text) {
				t.Errorf("%s: %s = %q; want the form of %q", language, name, table[name], text)
			}
		}
		if len(table) != len(texts["en"]) {
			t.Errorf("%s has %d texts; want %d as in en", language, len(table), len(texts["en"]))
		}
	}
	checkNames(t, p, texts)
	checkUses(t, texts)
}

// checkUses reports texts that the modules use as t.name and that English does not have.
func checkUses(t *testing.T, texts map[string]map[string]any) {
	used := regexp.MustCompile(`\bt\.([a-z_]+)`)
	for name, source := range readFolder(t) {
		if path.Ext(name) != ".js" {
			continue
		}
		for _, use := range used.FindAllStringSubmatch(source, -1) {
			if texts["en"][use[1]] == nil {
				t.Errorf("%s uses the text %s, which does not exist", name, use[1])
			}
		}
	}
}

// checkNames reports fields, filters and details without a name.
func checkNames(t *testing.T, p *tab, texts map[string]map[string]any) {
	p.load("words/flats")
	for _, name := range namesWithLabels(t) {
		if p.eval("typeof flats.labelOf("+encode(name)+")") != "string" {
			t.Errorf("%s has no label", name)
		}
	}
	for _, name := range namesOfTexts(t) {
		for language, table := range texts {
			if table[name] == nil {
				t.Errorf("%s: the filter, order, column or key %s has no text", language, name)
			}
		}
	}
	source := readFile(t, "../internal/listing/details.go")
	details := regexp.MustCompile(`newDetail\("(\w+)"`).FindAllStringSubmatch(source, -1)
	if len(details) < 4 { // or else the pattern fits no more
		t.Errorf("details.go names the details %q", details)
	}
	for _, detail := range append(details, []string{"", "available"}) { // sites also write available_from
		for language, table := range texts {
			if table["detail_"+detail[1]] == nil {
				t.Errorf("%s: the detail %s has no name", language, detail[1])
			}
		}
	}
}

// namesOfTexts returns the names that the modules themselves use to find texts: of the controls of the filters, orders
// and ranges, of the columns of the table, and of the views that keys open.
func namesOfTexts(t *testing.T) (names []string) {
	t.Helper()
	for _, list := range []struct {
		file, begin, end string // the list stands between begin and end
		entry            string // matches an entry: its name, and "label" if that names it instead of a text
		least            int    // entries, or else the pattern fits no more
	}{
		{"parts/panel.js", "const panelFilters = {", "\n}", `(?m)^\t(?:\.\.\..*?\{)?(\w+): \{(label)?`, 18},
		{"parts/panel.js", "const orders = [", "]", `"-?(\w+)"()`, 10},
		{"parts/rows.js", "const columns = [", "\n]", `\{name: "(\w+)", (label)?`, 9},
		{"app.js", "const places = {", "}", `\w: "(\w+)"()`, 9},
		{"lib/state.js", "ranges = [", "]", `"(\w+)"()`, 8},
	} {
		_, text, _ := strings.Cut(readFile(t, list.file), list.begin)
		text, _, _ = strings.Cut(text, list.end)
		found := regexp.MustCompile(list.entry).FindAllStringSubmatch(text, -1)
		if len(found) < list.least {
			t.Errorf("%s: found %q after %q", list.file, found, list.begin)
		}
		for _, entry := range found {
			if entry[2] == "" {
				names = append(names, entry[1])
			}
		}
	}
	return names
}

// namesWithLabels returns the names whose labels the modules find by a variable: of fields, filters and views.
func namesWithLabels(t *testing.T) (names []string) {
	t.Helper()
	sources := readFolder(t)
	// Each is a list of names, or an object with these keys.
	for file, lists := range map[string][]string{
		"lib/queue.js":  {"waitable"},
		"lib/state.js":  {"ranges"},
		"parts/edit.js": {"fields"},
		"parts/bar.js":  {"barViews", "menuViews"},
	} {
		for _, list := range lists {
			pattern := regexp.MustCompile(`(?s)\bconst ` + list + ` = [\[{](.*?)[\]}](?: //.*?)?\n`)
			found := pattern.FindStringSubmatch(sources[file])
			if found == nil {
				t.Fatalf("%s has no list %s", file, list)
			}
			entries := regexp.MustCompile(`\{[^{}]*\}`).ReplaceAllString(found[1], "")
			for entry := range strings.SplitSeq(entries, ",") {
				name, _, _ := strings.Cut(entry, ":")
				names = append(names, strings.Trim(strings.TrimSpace(name), `"`))
			}
		}
	}
	call := regexp.MustCompile(`\b(?:labelOf|field|once)\("([a-z_]+)"\)`)
	for _, source := range sources {
		for _, use := range call.FindAllStringSubmatch(source, -1) {
			names = append(names, use[1])
		}
	}
	return names
}

// TestPageModules tests that a module imports only from its own folder or from a lower one, that no view imports
// another view, that there is no circle, that imported names are exported, and that only lib/kept.js has variables.
func TestPageModules(t *testing.T) {
	folders := []string{"lib", "words", "parts", "views", "."} // the lowest first
	imports := importsOf(readFolder(t))
	variable := regexp.MustCompile(`(?m)^(?:export )?(?:let .*|const \w+ = (?:new \w*(?:Map|Set)\(\)|\[\]|\{\})$)`)
	for name, imported := range imports {
		if found := variable.FindString(imported.source); found != "" && name != "lib/kept.js" && name != "sw.js" {
			t.Errorf("%s has the variable %s; want it in lib/kept.js", name, found)
		}
		own := slices.Index(folders, strings.Split(path.Dir(name), "/")[0])
		for _, other := range imported.all {
			layer := slices.Index(folders, strings.Split(path.Dir(other), "/")[0])
			if imports[other].source == "" || layer > own || layer == own && folders[own] == "views" {
				t.Errorf("%s must not import %s", name, other)
			}
		}
	}
	finished := map[string]bool{}
	var visit func(name string, from []string)
	visit = func(name string, from []string) {
		if i := slices.Index(from, name); i >= 0 {
			t.Errorf("circle: %s", strings.Join(append(from[i:], name), " imports "))
			return
		}
		if finished[name] {
			return
		}
		for _, other := range imports[name].all {
			visit(other, append(slices.Clip(from), name))
		}
		finished[name] = true
	}
	for name := range imports {
		visit(name, nil)
		checkImportedNames(t, name, imports)
	}
}

// checkImportedNames reports names that a module imports from another one that does not export them.
func checkImportedNames(t *testing.T, name string, modules map[string]module) {
	t.Helper()
	source := modules[name].source
	check := func(names, from string) {
		other := path.Join(path.Dir(name), from)
		exported := exportedNames(modules[other].source)
		for wanted := range strings.SplitSeq(names, ",") {
			wanted, _, _ = strings.Cut(strings.TrimSpace(wanted), " as ")
			if !slices.Contains(exported, wanted) {
				t.Errorf("%s imports %s from %s, which does not export it", name, wanted, other)
			}
		}
	}
	// import {a, b as d} from "./c.js" and const {a, b} = await import("./c.js")
	before := regexp.MustCompile(`\{([\w,\s]*)\}\s*(?:from |= await import\()"(\.[^"]+)"`)
	for _, found := range before.FindAllStringSubmatch(source, -1) {
		check(found[1], found[2])
	}
	// import("./c.js").then(({a, b}) => …) and (await import("./c.js")).a
	after := regexp.MustCompile(`import\("(\.[^"]+)"\)(?:\.then\(\(\{([\w, ]*)\}|\)\.(\w+))`)
	for _, found := range after.FindAllStringSubmatch(source, -1) {
		check(found[2]+found[3], found[1])
	}
	// const [{a}, {b}] = await Promise.all([import("./c.js"), import("./d.js")])
	all := regexp.MustCompile(`\[((?:\{[\w, ]*\}(?:, )?)+)\] = await Promise\.all\(\s*\[([^\]]*)\]`)
	list := regexp.MustCompile(`\{([^}]*)\}`)
	promise := regexp.MustCompile(`import\("(\.[^"]+)"\)|\w+\([^)]*\)`)
	for _, found := range all.FindAllStringSubmatch(source, -1) {
		promises := promise.FindAllStringSubmatch(found[2], -1)
		for i, names := range list.FindAllStringSubmatch(found[1], -1) {
			if from := promises[i][1]; from != "" {
				check(names[1], from)
			}
		}
	}
}

// exportedNames returns the names that the source of a module exports.
func exportedNames(source string) (names []string) {
	single := regexp.MustCompile(`(?m)^export (?:async )?(?:function|const|let|class) (\w+)`)
	for _, found := range single.FindAllStringSubmatch(source, -1) {
		names = append(names, found[1])
	}
	members := regexp.MustCompile(`(?m)^export const \{([^}]*)\}`)
	for _, found := range members.FindAllStringSubmatch(source, -1) {
		for member := range strings.SplitSeq(found[1], ",") {
			own, renamed, isRenamed := strings.Cut(strings.TrimSpace(member), ": ") // as in {default: t}
			if isRenamed {
				own = renamed
			}
			names = append(names, own)
		}
	}
	return names
}

// bundles has the modules that are served as one file, by the name of that file.
type bundles map[string][]string

// newBundles returns the two bundles of the page: first.js has what app.js needs to show the first list; later.js has
// what is loaded once the list is shown.
func newBundles(t *testing.T) bundles {
	t.Helper()
	imports := importsOf(readFolder(t))
	reached := func(from []string) (list []string) {
		for wanted := from; len(wanted) > 0; wanted = wanted[1:] {
			if !slices.Contains(list, wanted[0]) {
				list = append(list, wanted[0])
				wanted = append(slices.Clip(wanted), imports[wanted[0]].static...)
			}
		}
		return list
	}
	first := reached(imports["app.js"].static)
	later := slices.DeleteFunc(reached([]string{"parts/keeping.js", "parts/waiting.js"}),
		func(module string) bool { return slices.Contains(first, module) })
	return bundles{"first.js": first, "later.js": later}
}

// servedIn returns the name of the bundle in which a file of the page is served, or the file's own name.
func (b bundles) servedIn(name string) string {
	for bundle, modules := range b {
		if slices.Contains(modules, name) {
			return bundle
		}
	}
	return name
}

// A module is a file of JavaScript with the paths of the modules that it imports: static has the modules that are
// loaded with it, all also the modules that it loads later.
type module struct {
	source      string
	static, all []string
}

// importsOf returns the modules among files by their paths. It leaves out imports whose path is computed.
func importsOf(files map[string]string) map[string]module {
	modules := map[string]module{}
	statement := regexp.MustCompile(`(from |import\()"(\.[^"]+)"`)
	for name, source := range files {
		if path.Ext(name) != ".js" {
			continue
		}
		m := module{source: source}
		for _, found := range statement.FindAllStringSubmatch(source, -1) {
			other := path.Join(path.Dir(name), found[2])
			m.all = append(m.all, other)
			if found[1] == "from " {
				m.static = append(m.static, other)
			}
		}
		modules[name] = m
	}
	return modules
}

// isServed reports whether the body of a bundle or file is what this folder has, apart from imports, comments and empty
// lines.
func isServed(t *testing.T, b bundles, name, body string) bool {
	var text strings.Builder
	modules := b[name]
	if modules == nil { // the file is no bundle
		modules = []string{name}
	}
	for _, module := range modules {
		text.WriteString(readFile(t, module))
	}
	// plain takes out what the service may leave out or change: imports, comments, and paths of modules.
	plain := func(text string) string {
		text = regexp.MustCompile(`(?m)^import [^"]*"[^"]*"\n|^[ \t]*//.*\n`).ReplaceAllString(text, "")
		text = regexp.MustCompile("(?m) // [^\"'`\n]*$").ReplaceAllString(text, "")
		text = regexp.MustCompile(`(?s)[ \t]*/\*.*?\*/\n?`).ReplaceAllString(text, "")
		lines := strings.Split(regexp.MustCompile(`\.{1,2}/[\w./]*`).ReplaceAllString(text, ""), "\n")
		slices.Sort(lines) // the modules stand in the order in which they import each other
		return strings.TrimLeft(strings.Join(lines, "\n"), "\n")
	}
	return plain(body) == plain(text.String())
}

// TestPageBundle tests that a bundle is served without comments and without imports of its own modules, and that the
// page names the texts of the language.
func TestPageBundle(t *testing.T) {
	url := start(t, "[]")
	_, page := get(t, url+"/")
	folder := regexp.MustCompile(`assets/[0-9a-f]+/`).FindString(page)
	const leastFirst, leastLater = 50_000, 30_000 // bytes, which only bundles with all their modules have
	_, first := get(t, url+"/"+folder+"first.js")
	if n := strings.Count(first, "\nimport "); n > 0 || strings.Contains(first, "\n//") || len(first) < leastFirst {
		t.Errorf("first.js has %d imports and %d bytes", n, len(first))
	}
	_, later := get(t, url+"/"+folder+"later.js")
	head, rest, _ := strings.Cut(later, `} from "./first.js"`+"\n") // its only import
	if !strings.HasPrefix(head, "import {") || strings.Contains(rest, "\nimport ") || strings.Contains(rest, "\n//") ||
		len(rest) < leastLater {
		t.Errorf("later.js has %d bytes and begins %.300s", len(later), later)
	}
	for _, modules := range newBundles(t) {
		for _, module := range modules {
			if answer, _ := get(t, url+"/"+folder+module); answer.StatusCode != 404 {
				t.Errorf("%s is served apart", module)
			}
		}
	}
	_, view := get(t, url+"/"+folder+"views/today.js")
	if !strings.Contains(view, `import {fill, h, later, swap} from "../first.js"`) ||
		!strings.Contains(view, `import {askPeople} from "../later.js"`) ||
		!strings.Contains(view, `from "../parts/call.js"`) {
		t.Errorf("today.js begins %.300s", view)
	}
	checkLanguages(t, url)
}

// checkLanguages reports languages of requests that get other texts.
func checkLanguages(t *testing.T, url string) {
	for header, want := range map[string]string{
		"": "en", "de-CH,de;q=0.9,en;q=0.8": "de", "it, fr;q=0.5": "fr", "it": "en",
	} {
		request, err := http.NewRequest("GET", url+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept-Language", header)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || !strings.Contains(string(body), "words/strings/"+want+".js") ||
			!strings.Contains(answer.Header.Get("Vary"), "Accept-Language") {
			t.Errorf("%q gets %v, %v, not %s", header, answer.Header, err, want)
		}
	}
}

// TestPageFiles tests that the browser may cache files with the hash in their path and must revalidate others, that
// every file of this folder is served except the tests, and that no line of code is too long.
func TestPageFiles(t *testing.T) {
	url, b := start(t, "[]"), newBundles(t)
	const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; " +
		"connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	links := map[string]bool{}
	for _, path := range []string{"/", "/sw.js", "/manifest.webmanifest"} {
		answer, body := get(t, url+path)
		h := answer.Header
		if answer.StatusCode != 200 || h.Get("Content-Security-Policy") != policy ||
			h.Get("Cache-Control") != "no-cache" {
			t.Errorf("GET %s = %d %v", path, answer.StatusCode, h)
		}
		for _, link := range regexp.MustCompile(`"(assets/[^"]+[^/])"`).FindAllStringSubmatch(body, -1) {
			links[link[1]] = true
		}
		if path == "/" && !strings.Contains(body, `"manifest.webmanifest" crossorigin="use-credentials"`) {
			t.Error("the link to the manifest sends no password")
		}
		if strings.Contains(body, "assets/-/") {
			t.Errorf("GET %s has links without a hash", path)
		}
	}
	missing := []string{"/assets/-/app.js", "/assets/", "/index.html", "/web/app.js"}
	for link := range links {
		answer, body := get(t, url+"/"+link)
		h := answer.Header
		_, name, _ := strings.Cut(strings.TrimPrefix(link, "assets/"), "/")
		if answer.StatusCode != 200 || !strings.Contains(h.Get("Cache-Control"), "immutable") ||
			h.Get("Content-Type") == "" || !isServed(t, b, name, body) {
			t.Errorf("GET /%s = %d %v", link, answer.StatusCode, h)
		}
		missing = append(missing, "/"+path.Dir(link)+"/page_test.go")
	}
	checkMissing(t, url, missing)
	checkKeptFiles(t, url, b)
	checkLineLengths(t)
}

// checkMissing reports paths that are served although nothing should be there.
func checkMissing(t *testing.T, url string, missing []string) {
	for _, path := range missing {
		answer, body := get(t, url+path)
		want := fmt.Sprintf(`{"error":%q,"status_code":404}`, "There is nothing at "+path+".")
		if answer.StatusCode != 404 || strings.TrimSpace(body) != want {
			t.Errorf("GET %s = %d %s; want %s", path, answer.StatusCode, body, want)
		}
	}
}

// checkKeptFiles reports files that the service worker does not keep although the page needs them.
func checkKeptFiles(t *testing.T, url string, b bundles) {
	_, body := get(t, url+"/sw.js")
	var worker []string
	_, list, _ := strings.Cut(body, "const files = ")
	if err := json.NewDecoder(strings.NewReader(list)).Decode(&worker); err != nil {
		t.Error(err)
	}
	files := []string{"first.js", "later.js"}
	for name := range readFolder(t) {
		// The first three have addresses outside assets/. The service fills in the last one.
		isNoAsset := slices.Contains([]string{"index.html", "sw.js", "manifest.webmanifest", "share.tmpl"}, name)
		isInBundle := b.servedIn(name) != name
		if !isNoAsset && !isInBundle {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	slices.Sort(worker)
	if !slices.Equal(worker, files) {
		t.Errorf("the service worker keeps %q\nwant %q", worker, files)
	}
}

// checkLineLengths reports lines of the page's files that are too long.
func checkLineLengths(t *testing.T) {
	for name, text := range readFolder(t) {
		if slices.Contains([]string{".png", ".svg"}, path.Ext(name)) {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > 120 {
				t.Errorf("%s:%d has %d characters; want at most 120", name, i+1, n)
			}
		}
	}
}

// TestPageSample tests that the page of the sample says what it is in one line, so that the first flat stays near the
// top of a phone, and asks nobody who they are.
func TestPageSample(t *testing.T) {
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, t.TempDir(), "-sample")
	p.open("#/", 390)
	p.wait(showsFlat("berlin-2250@example"))
	p.test("one line says that this is a sample", func() {
		p.see(sampleLine, "Sample: the flats are made up, and nothing is kept.")
	})
	p.test("the sample asks nobody who they are", func() {
		p.rest(forAnswer)
		p.see(count(questionsOpen), "0")
	})
	p.test("the first flat is near the top, also beneath chips and the button that dismisses all", func() {
		p.typeHash("#/?cost=..1500&rooms=1..")
		p.wait(isThere(shownSweep) + " && " + isThere(anyRow))
		p.see(firstRowTop+" <= 200", "true") // pixels of 844
	})
	p.checkFaults()
	own := openTab(t, "[]", "#/", 390)
	own.test("a service of one's own does not say that it is a sample", func() {
		own.wait(isThere(anyFrame))
		own.see(sampleHidden, "true")
	})
}
