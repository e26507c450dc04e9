// Tests of "Share a link", of the page that it leads to, and of "Shared links" in Settings.

package web

import (
	"fmt"
	"strings"
	"testing"
)

// homesToShare are two flats of the shortlist, one of which has all that a shared page may show and very long words, a
// dismissed flat and a new one.
const homesToShare = `[
	{"id": "a@s", "title": "Loft in the south", "cost": 1440, "currency": "EUR", "area": 71, "rooms": 2.5,
		"status": "followed", "location": "12 Secret Street", "notes": "our notes", "phone": "0151",
		"service_postal_code": null, "text": "Bright and quiet. ` + "\\n\\n" + `With a view of the river.",
		"photos": ["data:image/png;base64,AAAA", "https://127.0.0.1:1/1.png", "https://127.0.0.1:1/2.png",
			"https://127.0.0.1:1/3.png"], "urls": ["https://site.example/7?Donaudampfschifffahrtsgesellschaftskapitaensmuetze"],
		"details": {"floor": "3rd", "heating": "Donaudampfschifffahrtsgesellschaftskapit"},
		"service_time_to": {"Work": {"time": 1500}}},
	{"id": "b@s", "title": "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen", "cost": 900, "currency": "EUR",
		"status": "visited", "notation": 4},
	{"id": "c@s", "title": "Dismissed one", "status": "ignored"},
	{"id": "d@s", "title": "New one"}]`

// TestPageShareLink tests that a person makes a link to the shortlist, opens it as somebody else, and ends it.
func TestPageShareLink(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 320} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p := openTab(t, homesToShare, "#/?tab=shortlist", width)
			p.see(rowCount, "2")
			check := func(what string) {
				p.t.Helper()
				p.checkAxe(what)
				p.checkReach(what)
				p.checkLooks(what)
				p.see(sharedPageFits, "true")
				p.see(dialogFits, "true")
			}
			p.test("nothing besides the facts is shown unless one ticks it, and the preview says what is", func() {
				p.openTools()
				p.clickOn(linkButton)
				p.see(text(sharePreview), "2 flats now; those that match later appear there too. "+
					"Loft in the south · €1,440 Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen · €900")
				p.see(`document.querySelector("`+shareTitle+`").value`, "Shortlist")
				check("the dialog")
				p.see(narrowestTickGap, "16")
				p.click(shareBox("notes"))
				p.click(shareBox("street"))
				p.wait(text(sharePreview) + `.includes("Street: 12 Secret Street Notes: our notes")`)
				p.click(shareBox("notes"))
				p.wait("!" + text(sharePreview) + `.includes("our notes")`)
			})
			p.test("a page needs a title", func() {
				p.enter(shareTitle, " ")
				p.click(makeLink)
				p.see(text(shareTrouble), "Give the page a title")
				p.enter(shareTitle, "For <my> parents")
				p.chooseOption(shareDays, "7")
				p.click(makeLink)
				p.wait(isThere(madeLink))
				p.see(focusedButton, "Copy")
				p.see(isThere(madeCode), "true")
				check("the link")
				p.key("Escape")
			})
			p.endLink(check)
			p.checkFaults()
		})
	}
}

// TestPageShareDays tests the words for a number of days, which German declines in the name of a filter.
func TestPageShareDays(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, homesToShare, "#/?days=7", 1280)
	for language, want := range map[string]struct{ days, filter string }{
		"en": {"1 day,7 days,30 days,90 days,365 days", "First seen within 7 days"},
		"fr": {"1 jour,7 jours,30 jours,90 jours,365 jours", "Vu depuis moins de 7 jours"},
		"de": {"1 Tag,7 Tage,30 Tage,90 Tage,365 Tage", "Neu seit höchstens 7 Tagen"},
	} {
		p.test(language, func() {
			p.setLanguage(language)
			p.openAnew("/#/?days=7")
			p.see(textsOf(".chips .chip"), want.filter)
			p.openAnew("/#/?tab=shortlist")
			p.see(rowCount, "2")
			p.load("parts/share")
			p.eval(`share.shareLink(document.querySelector("main > section"), {title: "x", ids: []})`)
			p.see(`[...document.querySelector("`+shareDays+`").options].map(({text}) => text).join()`, want.days)
		})
	}
}

// endLink ends the shared link in Settings.
func (p *tab) endLink(check func(what string)) {
	p.t.Helper()
	p.test("Settings lists it, and ends it", func() {
		p.goTo("#/settings/shares", "#settings-shares li")
		p.see(text(sharedLines)+`.replace(/until .*? · /, "until then · ")`,
			"For <my> parents until then · opened 0 times · Street End")
		check("Shared links")
		p.click(endShare)
		p.click(sureToEnd)
		p.wait(text(inSection("shares", ".told")) + `.startsWith("Nothing is shared.")`)
	})
}

// TestPageLinkOf tests where the page offers a link, and to which flats it leads.
func TestPageLinkOf(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, homesToShare, "#/", 1280)
	p.wait(isThere(anyRow))
	p.test("a list that is neither the shortlist nor saved has no link", func() {
		p.openTools()
		p.see("String(!"+linkButton+")", "true")
		p.key("Escape")
	})
	p.test("a saved search has a link", func() {
		p.eval(`fetch("api/v1/views/Big", {method: "PUT", body: '{"query": "min[area]=50", "page": "#/?area=50.."}'})`)
		p.eval(`location.hash = "#/?area=50.."`)
		p.reload()
		p.wait(isThere(savedView))
		p.openTools()
		p.clickOn(linkButton)
		p.wait(text(sharePreview) + `.startsWith("1 flat now")`)
		p.see(`document.querySelector("`+shareTitle+`").value`, "Big")
		p.key("Escape")
	})
	p.test("a flat has a link, in a dialog that fits a narrow phone", func() {
		p.goTo("#/flat/b%40s", "h1")
		p.resize(320)
		p.click(moreSteps)
		p.clickOn(linkButton)
		p.see(dialogFits, "true")
		p.resize(1280)
		p.see(text(sharePreview),
			"1 flat Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen · €900")
		p.click(shareBox("ratings"))
		p.wait(text(sharePreview) + `.includes("Rating: ★ 4")`)
		p.key("Escape")
	})
	p.test("Compare has a link, without the flats that were dismissed", func() {
		p.goTo("#/compare/a%40s,c%40s", "tbody")
		p.clickOn(linkButton)
		p.wait(text(sharePreview) + `.startsWith("1 flat")`)
		p.click(makeLink)
		p.wait(isThere(madeLink))
	})
	p.checkFaults()
}

// TestPageShareTitles tests that the service accepts the title that the dialog proposes for a flat.
func TestPageShareTitles(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("Donau ", 60) // 360 characters
	for title, want := range map[string]string{
		long:                             strings.Repeat("Donau ", 32) + "Donau…",
		strings.Repeat("ä", 201):         strings.Repeat("ä", 199) + "…",
		strings.Repeat("ä", 200):         strings.Repeat("ä", 200),
		strings.Repeat("🏠", 301):         strings.Repeat("🏠", 150) + "…", // a title of the page has 300 units
		"x" + strings.Repeat("🏠", 301):   "x" + strings.Repeat("🏠", 149) + " …",
		"Loft\twith\na\u2028view\u0007 ": "Loft with a view",
	} {
		p := openTab(t, encode([]object{{"id": "a", "title": title}}), "#/flat/a", 1280)
		p.wait("Boolean(" + linkButton + ")")
		p.clickOn(linkButton)
		p.see(valueOf(shareTitle), want)
		p.click(makeLink)
		p.wait(isThere(madeLink))
		p.see(`fetch("api/v1/shares").then((answer) => answer.json()).then(({data}) => data[0].title)`, want)
		p.checkFaults()
	}
}

// TestPageOfLink tests the page of a link, in each language, on a phone, in the dark and on paper.
func TestPageOfLink(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, homesToShare, "#/", 320)
	openListing := map[string]string{"en": "Open the listing", "de": "Anzeige öffnen", "fr": "Ouvrir l’annonce"}
	for language, words := range openListing {
		p.open("#/", 320)
		link := fmt.Sprint(p.eval(fmt.Sprintf(`fetch("api/v1/shares", {method: "POST", headers: {"Accept-Language": %q},
			body: JSON.stringify({title: "Ours", ids: ["a@s", "b@s", "c@s"], with: ["street", "notes", "ratings"]})})
			.then((answer) => answer.json()).then(({data}) => data.url)`, language)))
		_, token, _ := strings.Cut(link, "/s/")
		p.openShared(p.url + "/s/" + token)
		p.see(sharedLanguage, language)
		p.see(sharedTitles, "Loft in the south,Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen")
		p.wait(`document.body.innerText.includes(` + encode(words) + `)`)
		p.see(count("main img"), "3")
		for _, width := range []int{320, 1280} {
			p.resize(width)
			p.see(sharedPageFits, "true")
			p.see(photosInCard, "true")
			p.checkAxe(fmt.Sprintf("the page in %s at %d pixels", language, width))
			p.checkReach("the page")
			p.checkLooks("the page")
		}
		p.setMedia("print")
		p.see(paperBackground, "light")
		p.resize(700)
		p.see(sharedPageFits, "true")
		p.setMedia("")
		if pages := p.printedPages(); pages != 1 {
			p.t.Errorf("two flats take %d pages", pages)
		}
		p.see(`window.faults.join()`, "")
	}
}
