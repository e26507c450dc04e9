// Tests of Import.

package web

import (
	"fmt"
	"strings"
	"testing"
)

// TestPageImport tests the import of files and of pasted listings, and that mistakes are reported.
func TestPageImport(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	log := `[...document.querySelectorAll(".log li")]
		.map(({innerText}) => innerText.replace(/^.*\d:\d\d, /, "")).join("|")`
	// Whether the report is in sight
	const reported = `(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector(".report").getBoundingClientRect())`
	// The empty page begins with a field for the first flat. What is for programs is folded away.
	p.wait(`/^Paste a link or a listing\n[^]*This page keeps/
		.test(document.querySelector(".import > :first-child").innerText)`)
	p.see(`[...document.querySelectorAll(".import .primary")].filter((button) => button.checkVisibility())
		.map(({innerText}) => innerText).join()`, "Add")
	p.see(`document.querySelector(".programs").checkVisibility()`, "false")
	// What can be tried stands there.
	p.see(`document.querySelector(".examples button").checkVisibility()`, "true")
	p.enter(".welcome textarea", "https://a.example/1")
	p.click(".welcome button")
	p.see(`location.hash + " " + document.querySelector("[name=link]")?.value`, "#/add https://a.example/1")
	p.click(".decision [type=button]") // Clear
	p.goTo("#/import", ".welcome:not([hidden])")
	p.see(`document.querySelector(".welcome textarea").value`, "")
	p.paste(".welcome textarea", "Helle Wohnung, 900 €\n"+strings.Repeat("Balkon. ", 5000)+"Keller")
	p.see(`location.hash + " " + document.querySelector(".paste textarea")?.value
		.replace(/(Balkon. )+/, text => text.length)`, "#/add Helle Wohnung, 900 €\n40000Keller")
	p.click(".decision [type=button]") // Clear
	p.goTo("#/import", ".welcome:not([hidden])")
	p.click(".many > summary")
	p.see(log, "None since the service started")
	// What was pasted stays when the view is left.
	p.enter(".import .card textarea", "[{")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/import"`)
	p.see(`document.querySelector(".import .card textarea")?.value`, "[{")
	p.click(".many > summary")
	p.enter(".import .card textarea", "")
	p.click(".import .take") // without listings
	p.see(`document.activeElement.matches(".import .card textarea")`, "true")
	p.enter(".import .card textarea", "[\n"+`{"id": "1@site", "cost": "cheap"}]`)
	p.see(`JSON.parse(document.querySelector(".examples[open] pre")?.innerText ?? "[]").length`, "1")
	p.see(`[...document.querySelectorAll(".programs a")].map(({innerText, href}) => innerText + " " + href).join()`,
		"fredy https://github.com/orangecoding/fredy,woob https://woob.tech/")
	p.see(`document.querySelector(".programs pre").innerText.replace(location.origin, "")`, "/api/v1/import")
	p.click(".import .take")
	const wrong = `Nothing was imported. Line 2: cost: want a finite number or null, got "cheap"`
	p.see(`document.querySelector(".report [role=alert]")?.innerText`, wrong+".")
	p.see(`document.querySelector(".import .card textarea").value.length`, "36")
	// A link and words are refused with what to do with them, and not sent.
	const plain = "These are no listings. The text of one listing belongs in “Add”: Add#/add?url="
	for _, c := range []struct{ pasted, want string }{
		{"https://example.org/9?a=b", "This is a link, not a file of listings. Open it with “Add”: Add" +
			"#/add?url=https%3A%2F%2Fexample.org%2F9%3Fa%3Db"},
		{"Zustand\tgepflegt\nZimmer\t2", plain},
		{"Helle Wohnung, 900 €\nBalkon, Keller", plain},
	} {
		p.enter(".import .card textarea", c.pasted)
		p.click(".import .take")
		p.see(`document.querySelector(".report").innerText.trim() + (document.querySelector(".report a")?.hash ?? "")`,
			c.want)
		p.see(`document.querySelector(".import .card textarea").value.length`, fmt.Sprint(len([]rune(c.pasted))))
	}
	p.see(`document.querySelectorAll(".log li").length`, "1")
	// No field is marked before the form is sent with it. The error leaves with the view, as the tick does.
	p.click(".import [type=checkbox]")
	p.see(`document.querySelector(".site:not([hidden])").matches(":user-invalid")`, "false")
	p.click(".import .take")
	p.see(`document.activeElement.matches(".site:user-invalid")`, "true")
	p.click(".report a")
	p.see(`document.querySelector(".paste textarea")?.value`, "")
	p.goTo("#/import", ".card textarea")
	p.click(".many > summary")
	p.see(`document.querySelector(".report").innerText + document.querySelector(".import [type=checkbox]").checked +
		document.querySelector(".site").hidden`, "falsetrue")
	p.enter(".import .card textarea", "")
	p.eval(`document.querySelector(".examples").open = true`)
	p.click(".examples button")
	p.see(`document.querySelector(".report").innerText.trim()`, "1 added, 0 updated, 0 unchanged, 0 gone Triage")
	p.see(reported, "true")
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "1")
	p.see(log, "page or program: 1 added, 0 updated, 0 unchanged, 0 gone|page or program: "+wrong)
	// What the page is for is only said until there are flats. A text that was imported leaves its field.
	primary := `document.querySelector(".welcome").hidden +
		[...document.querySelectorAll(".import .primary")].filter((button) => button.checkVisibility())
			.map(({innerText}) => innerText).join()`
	p.see(primary, "trueImport")
	p.enter(".import .card textarea", `[{"id": "1@site", "cost": 800}]`)
	p.click(".import .take")
	p.see(`document.querySelector(".report").innerText.trim()`, "1 added, 0 updated, 0 unchanged, 0 gone Triage")
	p.see(reported, "true")
	p.see(`document.querySelector(".import .card textarea").value`, "")
	// A file may be dropped on any view.
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`{ const data = new DataTransfer();
		data.items.add(new File(['[{"id": "2@site", "title": "Dropped"}]'], "new.json"));
		document.querySelector("main")
			.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }`)
	p.see(`document.querySelector(".report")?.innerText.trim()`,
		"new.json: 1 added, 0 updated, 0 unchanged, 0 gone Triage")
	// A mail that is dropped is read, and what it brings says which mail that was.
	p.eval(`location.hash = "#/import"`)
	p.wait(`document.querySelector(".import [type=file]")`)
	p.eval(`{ const data = new DataTransfer();
		data.items.add(new File([` + "`" + `From: LetFinder <news@letfinder.example>
Date: Mon, 14 Sep 2026 06:13:00 +0200
Subject: A new flat to rent
Content-Type: text/html

<a href="https://www.letfinder.example/to-rent/48120011"><img src="https://img.letfinder.example/1.jpg" width="300">
<h3>Flat by the canal</h3></a><p>£850 pcm</p><p>2 bedrooms</p><p>12 High Street, Leeds LS1 4AP</p>
` + "`" + `], "alert.EML"));
		document.querySelector("main")
			.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }`)
	p.see(`document.querySelector(".report")?.innerText.trim()`,
		"alert.EML: 1 added, 0 updated, 0 unchanged, 0 gone Triage")
	p.see(`fetch("api/v1/flats?filter[title]=Flat by the canal").then((answer) => answer.json())
		.then(({data}) => data.map(({details}) => details.mail.date + " " + details.mail.from).join())`,
		"2026-09-14T06:13:00+02:00 LetFinder")
	// All of the dashed area takes files.
	p.eval(`location.hash = "#/import"`)
	p.see(`document.elementFromPoint(...(({left, top}) => [left + 2, top + 2])(
		document.querySelector(".drop").getBoundingClientRect())).type`, "file")
	p.eval("new Promise((done) => setTimeout(done, 200))")
	p.see(primary, "trueImport")
	p.click(".import > p a")
	p.see("location.hash", "#/add")
	p.checkFaults()
}

// TestPageImportNames tests that a mistake in a line of several listings says in which one it is.
func TestPageImportNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	p.click(".many > summary")
	p.enter(".import .card textarea", `[{"id": "1@site"}, {"id": "2@site", "cost": "cheap"}]`)
	p.click(".import .take")
	p.see(`document.querySelector(".report [role=alert]")?.innerText`,
		`Nothing was imported. Line 1: listing 2 (2@site): cost: want a finite number or null, got "cheap".`)
	p.checkFaults()
}

// TestPageImportComplete tests the import of everything that a site has, from files
// and pasted.
func TestPageImportComplete(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a"}, {"id": "2@a"}, {"id": "3@b"}]`, "#/import", 390)
	choose := func(files string) {
		p.wait(`document.querySelector(".import [type=file]")`)
		p.eval(`(async () => {
			const data = new DataTransfer();
			for (const [name, text] of ` + files + `) {
				const body = name.endsWith(".gz") ? new Blob([text]).stream().pipeThrough(new CompressionStream("gzip")) : text;
				data.items.add(new File([await new Response(body).blob()], name));
			}
			const input = document.querySelector(".import [type=file]");
			input.files = data.files;
			input.dispatchEvent(new Event("change", {bubbles: true}));
		})()`)
	}
	site := `(({hidden, value, validity}) => [!hidden && value, validity.valid].join())(document.querySelector(".site"))`
	report := `document.querySelector(".report").innerText.trim()`
	imports := `fetch("api/v1/imports").then((answer) => answer.json()).then(({data}) => data.length)`
	// The listings name the site, and what the site no longer has is gone.
	choose(`[["a.json", '[{"id": "1@a"}]']]`)
	p.see(`document.querySelector(".drop").innerText.replace(/\s+/g, " ")`, "Choose files a.json")
	p.see(site, "false,true")
	p.see(`document.querySelector(".import [type=checkbox]").labels[0].innerText.trim()`, "Everything of site")
	p.click(".import [type=checkbox]")
	p.see(site, "a,true")
	p.see(imports, "0")
	p.enter(".site", "")
	p.see(site, ",false")
	p.enter(".site", "a")
	p.click(".import .take")
	p.see(report, "a.json: 0 added, 0 updated, 1 unchanged, 1 gone Triage")
	p.see(site, "false,true")
	p.see(`document.querySelector(".drop .soft").innerText`,
		"or drop them here: JSON or CSV, also as .gz, or mails (.eml)")
	p.click(".import [type=checkbox]")
	choose(`[["b.json.gz", '{"data": [{"id": "3@b"}, {"id": "4@b"}]}']]`)
	p.see(site, "b,true")
	p.click(".import .take")
	p.see(report, "b.json.gz: 1 added, 0 updated, 1 unchanged, 0 gone Triage")
	// Listings of several sites name none: it must be filled in.
	p.enter(".import .card textarea", `[{"id": "1@a"}, {"id": "3@b"}]`)
	p.click(".import [type=checkbox]")
	p.see(site, ",false")
	p.click(".import .take")
	p.see("document.activeElement.className", "site")
	p.see(imports, "2")
	p.enter(".site", "c")
	p.click(".import .take")
	p.see(report, `Nothing was imported: complete: no listing is from "c": all of its flats would be marked as gone.`)
	p.see(site, "c,true")
	p.enter(".site", "b")
	p.click(".import .take")
	p.see(report, "0 added, 0 updated, 2 unchanged, 1 gone Triage")
	p.see(site, "false,true")
	// The others of the site must stand in the same file.
	p.click(".import [type=checkbox]")
	choose(`[["1.json", '[{"id": "1@a"}]'], ["2.json", '[{"id": "2@a"}]']]`)
	p.see(`document.querySelector(".import [type=checkbox]").validationMessage`,
		"“Everything of site” takes one file, or one pasted text, at a time")
	p.enter(".site", "a")
	p.click(".import .take")
	p.click(".import [type=checkbox]")
	p.see(imports, "4")
	p.click(".import .take")
	p.see(report+`.replace(/\s+/g, " ")`, "1.json: 0 added, 0 updated, 1 unchanged, 0 gone Triage "+
		"2.json: 0 added, 1 updated, 0 unchanged, 0 gone Triage")
	p.checkFaults()
}

// TestPageImportMail tests that a flat whose listing came by mail says from which one, in each language.
func TestPageImportMail(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	mail := readFile(t, "../internal/listing/testdata/mails/given/g04-gb-two-columns.eml")
	p.see(`fetch("api/v1/import", {method: "POST", headers: {"Content-Type": "message/rfc822"}, body: `+encode(mail)+`})
		.then(({status}) => status)`, "200")
	const origin = `[...document.querySelectorAll(".flat .pairs div")].map((pair) =>
		pair.innerText.replace(/\s+/g, " ")).filter((pair) => pair.includes("LetFinder")).join()`
	for language, want := range map[string]string{
		"en-GB": "Mail 14 Sept, LetFinder",
		"de":    "Mail 14. Sept., LetFinder",
		"fr":    "E-mail 14 sept., LetFinder",
	} {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "Test", "acceptLanguage": language})
		p.eval(`location.hash = "#/flat/963a6ef639da7b16%40letfinder.example"`)
		p.reload()
		p.see(origin, want)
	}
	p.checkFaults()
}

// TestPageImportCounts tests that the numbers of an import are grouped as all others are.
func TestPageImportCounts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	var listings []string
	for i := range 1200 {
		listings = append(listings, fmt.Sprintf(`{"id": "%d@a", "title": "Flat %d"}`, i, i))
	}
	p.bring("[" + strings.Join(listings, ",") + "]")
	p.reload()
	p.see(`document.querySelector(".log li")?.innerText.replace(/^.*: /, "")`,
		"1,200 added, 0 updated, 0 unchanged, 0 gone")
	p.checkFaults()
}
