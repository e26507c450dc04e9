// A test of pages of other sites, in a browser.

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestPageOfAnother tests that a page of another origin cannot tell which files the service has: its requests fail,
// whether a file exists or not. The service's own page loads the files, and links from elsewhere open the page.
func TestPageOfAnother(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const address = "https://photos.example/1"
	flats := []object{{"id": "a", "title": "Attic", "status": "followed", "kept_photos": []object{keptPhoto(address)}}}
	p := &tab{browser: openBrowser(t), t: t}
	p.url, _ = startKeeping(t, `{"keep_photos": true}`, flats, map[string]string{address: pngOf(1)})
	p.open("", 1280)
	p.see(rowCount, "1")
	photo := "/api/v1/photos/" + fmt.Sprint(keptPhoto(address)["hash"])
	icon := fmt.Sprint(p.eval(iconPath))
	p.eval("(() => {" + askForFiles + "Object.assign(window, {load, read})})()")
	for expression, want := range map[string]string{
		`load("img", "` + photo + `")`: "loaded",
		`load("img", "` + icon + `")`:  "loaded",
		`read("/api/v1/flats")`:        "answered",
	} {
		p.test("the page itself gets "+expression, func() { p.see(expression, want) })
	}
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Elsewhere</title><a href="%s/#/flat/a">A flat</a><script>%s</script>`,
			p.url, askForFiles)
	}))
	t.Cleanup(elsewhere.Close)
	for site, url := range map[string]string{
		"another port": elsewhere.URL,
		"another site": strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1),
	} {
		p.do("Page.navigate", object{"url": url})
		p.see("document.title", "Elsewhere")
		for _, path := range []string{photo, "/api/v1/photos/" + strings.Repeat("0", 64), icon, "/assets/none/icon.png",
			"/api/v1/flats", "/api/v1/flats/a", "/api/v1/flats/none", "/api/v1/find?filter[id]=a", "/sw.js"} {
			p.test("a page of "+site+" does not get "+path, func() { askElsewhere(p, path) })
		}
		p.test("a link from "+site+" opens a flat", func() {
			p.pressUnseen(anyLink)
			p.see(heading, "Attic")
		})
	}
	p.checkFaults()
}

// askForFiles has functions for a page. Each requests a file in another way, and tells whether that succeeds.
const askForFiles = `	const load = (tag, address) => new Promise((done) => {
		const element = Object.assign(document.createElement(tag),
			{onload: () => done("loaded"), onerror: () => done("failed")});
		element[tag === "link" ? "href" : "src"] = address;
		element.rel = "stylesheet";
		document.head.append(element);
	});
	const embed = (address) => new Promise((done) => {
		const element = Object.assign(document.createElement("object"),
			{onload: () => done("loaded"), onerror: () => done("failed"), data: address});
		document.body.append(element);
	});
	const read = (address, mode) => fetch(address, {mode}).then(() => "answered", () => "failed");`

// askElsewhere requests a path of the service in each way from another page.
func askElsewhere(p *tab, path string) {
	address := encode(p.url + path)
	for _, expression := range []string{`load("img", ` + address + `)`, `load("script", ` + address + `)`,
		`load("link", ` + address + `)`, `embed(` + address + `)`, `read(` + address + `, "no-cors")`,
		`read(` + address + `, "cors")`} {
		if got := p.eval(expression); got != "failed" {
			p.t.Errorf("%s: %v; want failed", expression, got)
		}
	}
}
