// Tests of Import.

package web

import (
	"fmt"
	"strings"
	"testing"
)

// oneAdded is what Import says of one new listing.
const oneAdded = "1 added, 0 updated, 0 unchanged, 0 gone Triage"

// TestPageImportStart tests Import on an empty service, where it begins with a field for the first flat.
func TestPageImportStart(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	p.test("the next step is to add a flat, and an example can be tried", func() {
		p.wait(`/^Paste a link or a listing\n[^]*This page keeps/.test(` + importBegin + `)`)
		p.see(filledInImport, "Add")
		p.see(isSeen(exampleButton), "true")
	})
	p.test("the part for programs is folded away", func() { p.see(isSeen(forPrograms), "false") })
	p.test("a link is taken to Add", func() {
		p.enter(welcomeField, "https://a.example/1")
		p.click(welcomeButton)
		p.see(hash, "#/add")
		p.see(valueOf(editField("link")), "https://a.example/1")
		p.click(clearAdd)
		p.goTo("#/import", ".welcome:not([hidden])")
		p.see(valueOf(welcomeField), "")
	})
	p.test("a long pasted text is taken to Add, whole", func() {
		p.paste(welcomeField, "Helle Wohnung, 900 €\n"+strings.Repeat("Balkon. ", 5000)+"Keller")
		p.see(hash, "#/add")
		p.see(valueOf(pasteField)+`.replace(/(Balkon. )+/, text => text.length)`, "Helle Wohnung, 900 €\n40000Keller")
		p.click(clearAdd)
	})
	p.test("the example is imported, and the report is in sight", func() {
		p.goTo("#/import", ".welcome:not([hidden])")
		p.click(manyListings)
		p.see(importLog, "None since the service started")
		p.eval(openExamples)
		p.see(listingsInExample, "1")
		p.click(exampleButton)
		p.see(importReport, oneAdded)
		p.see(reportIsInSight, "true")
		p.see(triageCount, "1")
	})
	p.test("the page says what it is for only until there are flats", func() {
		p.see(isHidden(".welcome"), "true")
		p.see(filledInImport, "Import")
	})
}

// openImport opens Import of an empty service, with the field for listings unfolded.
func openImport(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, "[]", "#/import", 390)
	p.click(manyListings)
	return p
}

// TestPageImport tests pasted listings.
func TestPageImport(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openImport(t)
	p.test("pasted text stays when the view is left", func() {
		p.enter(listingsField, "[{")
		p.opens("#/visits")
		p.typeHash("#/import")
		p.see(valueOf(listingsField), "[{")
		p.click(manyListings)
		p.enter(listingsField, "")
	})
	p.test("Import without listings leads to the field", func() {
		p.click(importButton)
		p.see(hasFocus(listingsField), "true")
	})
	const wrong = `Nothing was imported. Line 2: cost: want a finite number or null, got "cheap"`
	p.test("a mistake is named with its line and field, and the text stays", func() {
		p.enter(listingsField, "[\n"+`{"id": "1@site", "cost": "cheap"}]`)
		p.click(importButton)
		p.see(importFailure, wrong+".")
		p.see(valueOf(listingsField)+".length", "36")
	})
	p.test("programs are told where to send listings, and which ones can", func() {
		p.see(programLinks, "fredy https://github.com/orangecoding/fredy,woob https://woob.tech/")
		p.see(programAddress, "/api/v1/import")
	})
	importListing(p, wrong)
}

// importListing imports a listing, after a mistake.
func importListing(p *tab, wrong string) {
	p.test("listings are imported, and leave their field", func() {
		p.enter(listingsField, `[{"id": "1@site", "cost": 800}]`)
		p.click(importButton)
		p.see(importReport, oneAdded)
		p.see(reportIsInSight, "true")
		p.see(valueOf(listingsField), "")
	})
	p.test("the last imports are listed, with refused ones", func() {
		p.see(importLog, "page or program: 1 added, 0 updated, 0 unchanged, 0 gone|page or program: "+wrong)
	})
	p.test("a link leads to Add, for a single flat", func() {
		p.rest(forDrawing)
		p.click(addInImport)
		p.see(hash, "#/add")
	})
}

// TestPageImportPlain tests that Import does not send a link or plain words, and says what to do with them.
func TestPageImportPlain(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openImport(t)
	const plain = "These are no listings. The text of one listing belongs in “Add”: Add"
	for _, c := range []struct{ what, pasted, want, link string }{
		{"a link", "https://example.org/9?a=b", "This is a link, not a file of listings. Open it with “Add”: Add",
			"#/add?url=https%3A%2F%2Fexample.org%2F9%3Fa%3Db"},
		{"a table of words", "Zustand\tgepflegt\nZimmer\t2", plain, "#/add?url="},
		{"the text of a listing", "Helle Wohnung, 900 €\nBalkon, Keller", plain, "#/add?url="},
	} {
		p.test(c.what, func() {
			p.enter(listingsField, c.pasted)
			p.click(importButton)
			p.see(importReport, c.want)
			p.see(reportLinkHash, c.link)
			p.see(valueOf(listingsField)+".length", fmt.Sprint(len([]rune(c.pasted))))
			p.see(importLog, "None since the service started")
		})
	}
	p.test("no field is marked before the form is sent with it", func() {
		p.click(everythingBox)
		p.see(siteIsMarked, "false")
		p.click(importButton)
		p.see("document.activeElement.matches("+encode(siteField)+") && "+siteIsMarked, "true")
	})
	p.test("the error leaves with the view, as the tick does", func() {
		p.click(reportLink)
		p.see(valueOf(pasteField), "")
		p.goTo("#/import", ".card textarea")
		p.click(manyListings)
		p.see(importReport, "")
		p.see(isTicked(everythingBox), "false")
		p.see(isHidden(siteField), "true")
	})
}

// TestPageImportDrop tests files dropped on the page.
func TestPageImportDrop(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/visits", 390)
	p.wait(isThere(visitsHeading))
	p.test("a file is imported on any view", func() {
		p.drop("new.json", `[{"id": "2@site", "title": "Dropped"}]`)
		p.see(importReport, "new.json: "+oneAdded)
	})
	p.test("a mail is imported, and its flat names the date and the sender", func() {
		p.typeHash("#/import")
		p.wait(isThere(importFile))
		p.drop("alert.EML", `From: LetFinder <news@letfinder.example>
Date: Mon, 14 Sep 2026 06:13:00 +0200
Subject: A new flat to rent
Content-Type: text/html

<a href="https://www.letfinder.example/to-rent/48120011"><img src="https://img.letfinder.example/1.jpg" width="300">
<h3>Flat by the canal</h3></a><p>£850 pcm</p><p>2 bedrooms</p><p>12 High Street, Leeds LS1 4AP</p>
`)
		p.see(importReport, "alert.EML: "+oneAdded)
		p.see(`fetch("api/v1/flats?filter[title]=Flat by the canal").then((answer) => answer.json())
			.then(({data}) => data.map(({details}) => details.mail.date + " " + details.mail.from).join())`,
			"2026-09-14T06:13:00+02:00 LetFinder")
	})
	p.test("all of the dashed area takes files", func() {
		p.reload()
		p.wait(isThere(fileChoice))
		p.eval(scrollTo(fileChoice))
		p.see(cornerOfDrop, "file")
	})
}

// TestPageImportNames tests that an error in a line with several listings names the listing.
func TestPageImportNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openImport(t)
	p.enter(listingsField, `[{"id": "1@site"}, {"id": "2@site", "cost": "cheap"}]`)
	p.click(importButton)
	p.see(importFailure,
		`Nothing was imported. Line 1: listing 2 (2@site): cost: want a finite number or null, got "cheap".`)
}

// TestPageImportComplete tests the import of everything that a site has.
func TestPageImportComplete(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a"}, {"id": "2@a"}, {"id": "3@b"}]`, "#/import", 390)
	p.test("the listings of a file name the site", func() {
		p.chooseFiles(`[["a.json", '[{"id": "1@a"}]']]`)
		p.see(text(fileChoice), "Choose files a.json")
		p.see(siteAndValid, "false,true")
		p.see(labelOf(everythingBox), "Everything of site")
		p.click(everythingBox)
		p.see(siteAndValid, "a,true")
		p.see(importCount, "0")
	})
	p.test("without the name of a site the import is not sent", func() {
		p.enter(siteField, "")
		p.see(siteAndValid, ",false")
		p.enter(siteField, "a")
	})
	p.test("flats that the site no longer has are marked as gone", func() {
		p.click(importButton)
		p.see(importReport, "a.json: 0 added, 0 updated, 1 unchanged, 1 gone Triage")
		p.see(siteAndValid, "false,true")
		p.see(dropHint, "or drop them here: JSON or CSV, also as .gz, or mails (.eml)")
	})
	p.test("a compressed file names its site, too", func() {
		p.click(everythingBox)
		p.chooseFiles(`[["b.json.gz", '{"data": [{"id": "3@b"}, {"id": "4@b"}]}']]`)
		p.see(siteAndValid, "b,true")
		p.click(importButton)
		p.see(importReport, "b.json.gz: 1 added, 0 updated, 1 unchanged, 0 gone Triage")
	})
}

// TestPageImportCompleteSites tests the import of everything that a site has if the pasted listings are of several
// sites, and so do not tell which one is meant.
func TestPageImportCompleteSites(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a"}, {"id": "2@a", "gone": "2026-01-01T00:00:00Z"}, {"id": "3@b"}, {"id": "4@b"}]`,
		"#/import", 390)
	p.test("the site must be named", func() {
		p.enter(listingsField, `[{"id": "1@a"}, {"id": "3@b"}]`)
		p.click(everythingBox)
		p.see(siteAndValid, ",false")
		p.click(importButton)
		p.see("document.activeElement.className", "site")
		p.see(importCount, "0")
	})
	p.test("a site without a listing is refused", func() {
		p.enter(siteField, "c")
		p.click(importButton)
		p.see(importReport,
			`Nothing was imported: complete: no listing is from "c": all of its flats would be marked as gone.`)
		p.see(siteAndValid, "c,true")
	})
	p.test("the flats of the other site stay", func() {
		p.enter(siteField, "b")
		p.click(importButton)
		p.see(importReport, "0 added, 0 updated, 2 unchanged, 1 gone Triage")
		p.see(siteAndValid, "false,true")
	})
	p.test("several files are refused, since the others of the site must stand in the same one", func() {
		p.click(everythingBox)
		p.chooseFiles(`[["1.json", '[{"id": "1@a"}]'], ["2.json", '[{"id": "2@a"}]']]`)
		p.see(`document.querySelector("`+everythingBox+`").validationMessage`,
			"“Everything of site” takes one file, or one pasted text, at a time")
		p.enter(siteField, "a")
		p.click(importButton)
		p.click(everythingBox)
		p.see(importCount, "2")
	})
	p.test("without \"Everything of site\", each file is imported, and a flat that was gone is back", func() {
		p.click(importButton)
		p.see(importReport, "1.json: 0 added, 0 updated, 1 unchanged, 0 gone Triage "+
			"2.json: 0 added, 1 updated, 0 unchanged, 0 gone Triage")
	})
}

// TestPageImportMail tests that a flat that came by mail says from which mail, in each language.
func TestPageImportMail(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	mail := readFile(t, "../internal/listing/testdata/mails/given/g04-gb-two-columns.eml")
	p.see(`fetch("api/v1/import", {method: "POST", headers: {"Content-Type": "message/rfc822"}, body: `+encode(mail)+`})
		.then(({status}) => status)`, "200")
	for language, want := range map[string]string{
		"en-GB": "Mail 14 Sept, LetFinder",
		"de":    "Mail 14. Sept., LetFinder",
		"fr":    "E-mail 14 sept., LetFinder",
	} {
		p.test(language, func() {
			p.setLanguage(language)
			p.typeHash("#/flat/963a6ef639da7b16%40letfinder.example")
			p.reload()
			p.see(factWith("LetFinder"), want)
		})
	}
}

// TestPageImportCounts tests that the digits of an import's numbers are grouped as in all other numbers.
func TestPageImportCounts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/import", 390)
	var listings []string
	for i := range 1200 {
		listings = append(listings, fmt.Sprintf(`{"id": "%d@a", "title": "Flat %d"}`, i, i))
	}
	p.importListings("[" + strings.Join(listings, ",") + "]")
	p.reload()
	p.see(importLog, "page or program: 1,200 added, 0 updated, 0 unchanged, 0 gone")
}
