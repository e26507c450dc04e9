// Tests of the view of one flat.

package web

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// loftAndOthers has the flat Loft with all that the view of a flat shows, others in its postal code, and a probable
// duplicate of it, Twin.
var loftAndOthers = `[
	{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3, "bedrooms": 2,
		"utilities": "included", "location": "Rue A",
		"station": "Hénon", "phone": "+33 1 99 00 42 17", "urls": ["https://www.example.org/a"],
			"photos": ["https://127.0.0.1:1/1.jpg", {"url": "http://127.0.0.1:1/2.jpg"}],
		"service_constraint": "lyon", "service_postal_code": "69007",
			"service_stations": [{"name": "Jean Macé", "distance": 310}],
		"service_time_to": {"university": {"time": 540}},
			"details": {"gps": [45.7494, 4.8372], "lift": true, "floors": [1, 2], "constructor": null},
		"cost_history": [{"date": null, "cost": 1300}, {"date": "` + daysAgo(60) + `", "cost": 1250},
			{"date": "` + daysAgo(30) + `", "cost": 1190}, {"date": "` + daysAgo(30) + `", "cost": 1200}],
		"text": "` + strings.Repeat("Long. ", 200) + `",
		"toString": "mine", "other": {"a": 1}, "notation": 4.5, "status": "odd"},
	{"id": "b@site", "title": "Nearby", "cost": 1000, "currency": "€", "area": 50,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "c0@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "c1@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "c2@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "c3@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "c4@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "c5@site", "title": "Dear", "cost": 900, "currency": "EUR", "area": 30,
		"service_constraint": "lyon", "service_postal_code": "69007"},
	{"id": "d@site", "title": "Same", "cost": 1210, "currency": "EUR", "area": 100.5,
		"status": "duplicate", "service_postal_code": "69007"},
	{"id": "e@site", "title": "Twin", "cost": 1210, "currency": "EUR", "area": 100.5,
		"location": "Rue A", "phone": "+33199004217"},
	{"id": "f@site", "title": "Francs", "cost": 9000, "currency": "CHF", "area": 10,
		"service_constraint": "lyon", "service_postal_code": "69007"}]`

// TestPageFlat tests the facts of a flat.
func TestPageFlat(t *testing.T) {
	t.Parallel()
	p := openTab(t, loftAndOthers, "#/flat/a%40site", 1280)
	for _, c := range []struct{ fact, want string }{
		{"the site", "example.org"},
		{"cost, area and rooms", "€1,200 incl. utilities 100 m² €12/m² 3 rooms 2 bedrooms"},
		{"the median of its place", "60% below the median of 8 flats in Lyon 7e"}, // per m² 12, 20, and six times 30
		{"what it did cost", "€1,300 → €1,250 on " + dayAgo(60) + " → €1,190 → €1,200 on " + dayAgo(30)},
		{"the address", "Rue A, 69007 Lyon 7e"},
		{"the way to a place", "university 9 min, ≈ 0 m"},
		{"the distance to another one", "station ≈ 2.1 km"},
		{"the next station", "Jean Macé 310 m"},
		{"a probable duplicate", "Twin €1,210 · 100.5 m² To sort Rue A · site"},
	} {
		p.test("it shows "+c.fact, func() { p.wait(factsText + ".includes(" + encode(c.want) + ")") })
	}
	p.test("area and rooms stand in one line, beneath the cost", func() { p.see(sizesAreUnderCost, "true") })
	p.test("the address stands once, with a link to a map of its position", func() {
		p.see(flatWords+`.split("Rue A, 69007 Lyon 7e").length`, "2")
		p.see(mapLink, "Map https://www.openstreetmap.org/search?query=45.7494,4.8372")
	})
	p.test("three changes of the cost are drawn as steps", func() { p.see(chartCommands, "MhVhVhVh") })
	p.test("a probable duplicate leads to Compare", func() { p.see(doublesHash, "#/compare/a%40site,e%40site") })
	p.test("details stand below, the short ones with the facts", func() {
		p.see(detailsText, `Station Hénon; Other {"a":1}; To string mine; Floors 1, 2`)
		p.see(text(briefDetails), "Lift yes Jean Macé 310 m")
	})
	p.test("an unknown status and half a star are shown as they are", func() {
		p.see(pressedOwn, "odd")
		p.see(firstStars, "★★★★☆4.5")
	})
	p.test("a photo that does not load leaves a gap of its size", func() {
		p.wait(isThere(".gallery .gap"))
		height := p.eval(galleryHeight)
		p.key("ArrowRight")
		p.see(photoNumber, "2 / 2") // asked for over https
		p.see(galleryHeight, fmt.Sprint(height))
		p.key("ArrowRight")
		p.see(photoNumber, "1 / 2")
	})
}

// oneLineSteps has the heights of steps on a phone: 44 pixels are enough for a finger, and for one line only.
const oneLineSteps = "← Back 44, Share 44, More 44"

// TestPageFlatPhone tests the view of a flat on a phone.
func TestPageFlatPhone(t *testing.T) {
	t.Parallel()
	p := openTab(t, loftAndOthers, "#/flat/a%40site", 390)
	p.test("a swipe turns the photos", func() {
		p.wait(isThere(".gallery .gap")) // a gap is lower than a photo
		p.swipe(galleryPart, -120)
		p.see(photoNumber, "2 / 2")
	})
	p.test("decisive facts stand first, and actions in the bar", func() {
		p.see(flatParts, "steps,gallery,what,text,own,pairs details,bar")
		p.see(flatBar, "Call,Follow,Visit,Notes,Dismiss")
		p.see(callInBarHref, "tel:+33199004217")
	})
	p.test("all statuses are in sight, and nothing is too small for a finger", func() {
		p.see(statusesOutOfSight, "0")
		p.see(tooSmallInFlat, "")
	})
	p.changeElsewhere("a@site", `{"title": "Attic"}`)
	p.test("changes made elsewhere are shown on demand, and the photo stays", func() {
		p.waitForNews()
		p.see(heading, "Loft")
		p.showNews()
		p.see(heading, "Attic")
		p.see(photoNumber, "2 / 2")
	})
	p.resize(320)
	p.test("the steps stand in one line of a narrow phone", func() {
		p.opens("#/")
		p.typeHash("#/flat/b%40site")
		p.see(stepHeights, oneLineSteps)
		p.see(fitsAcross, "true")
	})
	p.test("an id that no flat has is named", func() {
		p.typeHash("#/flat/nobody")
		p.see(heading, "No flat with id nobody.")
	})
}

// TestPageFlatUpdated tests that the view shows an update that this page makes before the answer about the flat comes.
func TestPageFlatUpdated(t *testing.T) {
	t.Parallel()
	p := openTab(t, loftAndOthers, "#/flat/nobody", 320)
	p.eval(`(async () => {
		const {getFlat, update} = await import(document.querySelector("script").src.replace("app.js", "first.js"));
		const ask = fetch;
		const asked = new Promise((asking) => window.fetch = async (...request) => {
			if (!/flats\?id=f/.test(request[0])) return ask(...request);
			window.fetch = ask;
			asking();
			await new Promise((late) => setTimeout(late, 500)); // so that the update below is shown before the answer
			return ask(...request);
		});
		location.hash = "#/flat/f%40site";
		await asked;
		await getFlat("f@site", null);
		await update("f@site", {notes: "Far."});
	})()`)
	p.see(heading, "Francs")
	p.see(notesValue, "Far.")
}

// TestPageNextAction tests that the next action by the status is the one filled button, on a phone in the bar if the
// bar has it, and that the decisions take two rows there, in addition to the row of statuses.
func TestPageNextAction(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "phone": "030 123456"}, {"id": "b", "title": "B", "status": "contacted"},
		{"id": "c", "title": "C", "status": "visited"}, {"id": "d", "title": "D", "status": "followed"},
		{"id": "e", "title": "E", "status": "contacted", "visit_date": "2031-07-14T18:30", "gps": [48.1, 11.5]}]`, "", 390)
	p.eval(`{ const probe = document.createElement("b"); probe.className = "primary"; document.body.append(probe);
		window.accent = getComputedStyle(probe).backgroundColor; probe.remove(); }`)
	for _, c := range []struct{ status, id, narrow, wide string }{
		{"new", "a", "Call of bar", "Call of line contact"},
		{"contacted", "b", "Visit of bar", "Set a visit of line contact"},
		{"visited", "c", "Rate of line contact", "Rate of line contact"},
		{"followed without a phone", "d", "Message of line contact", "Message of line contact"},
		{"contacted with a visit", "e", "Directions of line contact", "Directions of line contact"},
	} {
		p.resize(390)
		p.goTo("#/flat/"+c.id, ".contact")
		p.eval(removeStatuses) // the chosen status is filled, too
		p.test("the next action of a flat on a phone: "+c.status, func() {
			p.see(filledInFlat, c.narrow)
			p.see(decisionRows, "2")
		})
		p.test("the next action of a flat on a laptop: "+c.status, func() {
			p.resize(1280)
			p.see(filledInFlat, c.wide)
		})
	}
}

// flatsWithSums are three flats. Of A the cost and the monthly sum are known, and a position, which only maps need.
const flatsWithSums = `[
	{"id": "a", "title": "A", "cost": 900, "charges": 200, "utilities": "excluded", "currency": "EUR", "area": 50,
	"rooms": 2, "phone": "030 123456", "status": "followed", "gps": [48.1, 11.5],
	"photos": ["data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"],
	"details": {"gps": "48.1, 11.5", "floor": 3, "lift": true, "balcony": true, "pets": "no"}},
	{"id": "b", "title": "B", "status": "contacted", "phone": "030 123456"},
	{"id": "c", "title": "C", "status": "visited", "phone": "030 123456"}]`

// TestPageFlatFacts tests the order and the look of the facts of a flat.
func TestPageFlatFacts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, flatsWithSums, "#/flat/a", 1280)
	p.test("what a month costs is large, and its parts are grey", func() {
		p.see(costLook, "28px 700 a month: 900 + 200")
		p.see(partsAreGrey, "true")
	})
	p.test("a position is no fact for people", func() { p.see(flatWords+`.includes("11.5")`, "false") })
	for _, width := range []int{1280, 390, 320} {
		p.test(fmt.Sprintf("facts stand in two columns, each under its name, at %d pixels", width), func() {
			p.resize(width)
			p.see(factColumnCount, "2")
			p.see(factsNotUnderNames, "0")
		})
	}
}

// TestPageFlatSteps tests what lies over the photo on a phone.
func TestPageFlatSteps(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, flatsWithSums, "#/", 390)
	p.openID("a") // which has a photo, and from the list a next flat
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.test(fmt.Sprintf("the photo begins at the top of %d pixels", width), func() { p.see(aboveGallery, "0") })
		p.test(fmt.Sprintf("on it lie Back, at the right Share and the rest, at %d pixels", width), func() {
			p.see(stepsOnPhoto, "← Back left, Share right, More right")
		})
		p.test(fmt.Sprintf("each is high enough for a finger, at %d pixels", width), func() {
			p.see(stepHeights, oneLineSteps)
		})
	}
	p.test("the rest opens in a menu", func() {
		p.click(moreSteps)
		p.see(stepMenu, "Next flat,Share a link,Print")
	})
	p.test("Esc closes the menu", func() {
		p.key("Escape")
		p.see(stepMenu, "")
		p.wait(isThere(flatHeading))
	})
}

// TestPageFlatRows tests that the actions of a flat take one row, in which no word is cut, whatever the language.
func TestPageFlatRows(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, flatsWithSums, "#/flat/a", 1280)
	for _, language := range []string{"en", "de", "fr"} {
		p.setLanguage(language)
		p.reload()
		for _, id := range []string{"a", "b", "c"} {
			p.goTo("#/flat/"+id, setVisit)
			for _, width := range []int{1280, 390, 320} {
				p.test(fmt.Sprintf("flat %s in %s at %d pixels", id, language, width), func() {
					p.resize(width)
					p.see(contactRowCount, "1")
					p.see(cutActions, "")
				})
			}
		}
	}
}

// TestPageFlatLong tests that long words and a long next step can be read as a whole.
func TestPageFlatLong(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A", "text": "Text.", "status": "followed", "station": "Hohenzollernplatz",
		"next_step": "Print the self-disclosure and bring payslips and the passport", "next_date": "2030-01-01"}]`,
		"#/flat/a", 1280)
	p.see(titleShown, "A")
	p.test("the name of a station is in one line", func() { p.see(linesOfStation, "1") })
	for _, width := range []int{1280, 900, 390} {
		p.test(fmt.Sprintf("a long next step is whole at %d pixels", width), func() {
			p.resize(width)
			p.see(stepIsWhole, "true")
		})
	}
}

// TestPageTiers tests that the actions of a flat and of Triage have no border, except filled ones.
func TestPageTiers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, flatsWithSums[:len(flatsWithSums)-1]+`,{"id": "d", "title": "D"}]`, "", 1280)
	for _, view := range []struct{ hash, last string }{
		{"#/flat/a", setVisit}, {"#/triage", ".card h2"},
	} {
		for _, width := range []int{1280, 390} {
			p.test(fmt.Sprintf("%s at %d pixels", view.hash, width), func() {
				p.resize(width)
				p.goTo(view.hash, view.last)
				p.see(borderedActions, "")
				p.see(dismissIsText, "true")
			})
		}
	}
	p.resize(390)
	p.test("the bar of a phone says that one is followed", func() {
		p.goTo("#/flat/a", setVisit)
		p.see(flatBar, "Call,Followed,Visit,Notes,Dismiss")
	})
}

// TestPageBack tests that "← Back" and Esc go back in the history, and never add to it.
func TestPageBack(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?cost=..900", 1280)
	waitForFlat := func() { p.wait(isThere(flatHeading)) }
	for name, back := range map[string]func(){
		"Back": func() { p.click(backStep) },
		"Esc":  func() { p.key("Escape") },
	} {
		for way, meanwhile := range map[string]func(){
			"from the list":  func() {},
			"after a reload": func() { p.reload(); waitForFlat() },
			"from another flat": func() {
				p.click(nextFlat)
				p.wait(isThere(previousFlat))
			},
			"after another view": func() {
				p.typeHash("#/visits")
				p.wait(isThere(visitsHeading))
				p.goBack()
				waitForFlat()
			},
		} {
			p.test(name+" "+way, func() {
				p.wait(isThere(listRow))
				p.openRow(1)
				waitForFlat()
				meanwhile()
				before := p.eval("history.length")
				back()
				p.see(together(hash, isThere(listRow)), "#/?cost=..900, true")
				if got := p.eval("history.length"); got != before {
					p.t.Errorf("the history has %v entries; want %v", got, before)
				}
			})
		}
	}
}

// TestPageBackAtStart tests that "← Back" and Esc lead to the list if the page was opened at a flat.
func TestPageBackAtStart(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	for name, back := range map[string]func(p *tab){
		"Back": func(p *tab) { p.click(backStep) },
		"Esc":  func(p *tab) { p.key("Escape") },
	} {
		p.test(name, func() {
			other := p.openOther("#/flat/4711")
			other.wait(isThere(flatHeading))
			other.reload()
			other.wait(isThere(flatHeading))
			before := other.eval("history.length")
			back(other)
			other.see(together(hash, isThere(listRow)), "#/, true")
			if got := other.eval("history.length"); got != before {
				p.t.Errorf("the history has %v entries; want %v", got, before)
			}
		})
	}
}

// TestPageMessage tests the message about a flat.
func TestPageMessage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "Loft & more", "cost": 900, "currency": "EUR", "location": "Rue A", 
			"phone": "+33 1 99 ext. 12", "urls": ["https://www.example.org/a"], "status": "followed"},
		{"id": "b", "title": "Bare", "status": "contacted"}]`, "#/flat/a", 390)
	p.eval(`document.execCommand = () => window.copied = document.activeElement.value`)
	p.test("a message begins with an example", func() {
		p.click(messageButton)
		p.see(`getComputedStyle(document.querySelector("`+messageDialog+`")).padding`, "12px 16px")
		p.see(messageFields, "Hello,\n\n"+
			"I am interested in this flat. Is it still available, and when could I come and see it?|Kind regards")
		p.see(mailBody+".slice(-14)", "\n\nKind regards")
	})
	const words = "Dear all,\nis it free?\n\nLoft & more\nRue A\n€900\nhttps://www.example.org/a\n\nA & B"
	p.test("a message has the facts of the flat between the user's own words", func() {
		p.enter(messageStart, "Dear all,\nis it free?")
		p.enter(messageEnd, "A & B")
		p.see(mailBody, words)
		p.see(phoneMessage, "sms:+33199?body="+words)
	})
	p.test("Copy copies it, and marks the flat as contacted, which can be taken back", func() {
		p.click(copyMessage)
		p.see("window.copied", words)
		p.see(count(messageDialog), "0")
		p.see(noticesWhole, "Loft & more: Contacted Undo")
		p.see(statuses, "To sort,Followed,Contacted!,Visited,Applied")
		p.undo()
		p.see(statuses, "To sort,Followed!,Contacted,Visited,Applied")
	})
	p.test("Share copies title, facts, address and link where the device cannot share", func() {
		p.eval("delete Navigator.prototype.share")
		p.click(shareStep)
		p.see("window.copied", "Loft & more, €900, Rue A\nRue A\n+33 1 99 ext. 12\nhttps://www.example.org/a")
		p.see(notice, "Copied")
	})
	contactByMessage(p)
}

// contactByMessage tests that a message marks a flat as contacted, once, and that a call offers to.
func contactByMessage(p *tab) {
	p.test("a message that could not be copied does not mark the flat", func() {
		p.eval(`window.copying = document.execCommand, document.execCommand = () => false`)
		p.click(messageButton)
		p.click(copyMessage)
		p.see(noticesWhole, "It could not be copied: this browser does not allow it.")
		p.eval(`document.execCommand = window.copying`)
		p.see(findField("a", "status"), `"followed"`)
		p.click(closeNotice)
	})
	p.eval(`addEventListener("click", (event) => event.preventDefault())`) // no program takes calls here
	p.test("a call offers Contacted", func() {
		p.click(callInBar)
		p.see(noticesWhole, "Loft & more Contacted")
		p.click(closeNotice)
	})
	p.test("Mail marks it", func() {
		p.click(messageButton)
		p.click(messageByMail)
		p.see(noticesWhole, "Loft & more: Contacted Undo")
		p.see(findField("a", "status"), `"contacted"`)
	})
	p.typeHash("#/flat/b")
	p.see(heading, "Bare")
	p.test("the words are kept for another flat, of which nothing unknown is said", func() {
		p.press("m")
		p.see(messageFields, "Dear all,\nis it free?|A & B")
		p.see(messageText, "Bare") // without "no price"
		p.see(messageActions, "Copy,Mail,Close")
	})
	p.test("a flat that is already contacted stays so", func() {
		p.click(copyMessage)
		p.see(noticesWhole, "Copied")
	})
}

// TestPageMessageLanguage tests that the example is in the language of the listing, and that the user's own words are
// stored for this language.
func TestPageMessageLanguage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"), `{"who_we_are": "Ann & Ben,\n<no> pets"}`)
	listings := []object{
		{"id": "de", "title": "Loft Mitte", "text": "Die Wohnung liegt im dritten Stock und ist ab Mai frei. The end."},
		{"id": "fr", "title": "2 pièces", "text": "Dans une rue calme, au troisième étage avec balcon"},
		{"id": "es", "title": "Loft", "text": "Piso muy luminoso en el centro, con dos habitaciones y una terraza"},
		{"id": "it", "title": "Bilocale", "text": "Appartamento al terzo piano, con cucina e balcone"},
		{"id": "pt", "title": "T1", "text": "Apartamento com um quarto e uma sala, no centro da cidade"},
		{"id": "nl", "title": "Loft", "text": "Mooie woning met een balkon op de derde verdieping"},
		{"id": "pl", "title": "Loft", "text": "Mieszkanie w centrum, dwa pokoje z kuchnią i balkonem, do wynajęcia"},
		{"id": "cs", "title": "Byt 2+kk", "text": "Pronájem bytu v centru, který je po rekonstrukci"},
		{"id": "da", "title": "Loft", "text": "Dejlig lejlighed med 2 værelser og altan, ledig fra maj"},
		{"id": "sv", "title": "Loft", "text": "Ljus lägenhet med balkong, 2 rum och kök, ledig från maj"},
		{"id": "nb", "title": "Loft", "text": "Lys leilighet med balkong, 2 soverom og kjøkken, ledig fra mai"},
		{"id": "fi", "title": "Loft", "text": "Valoisa asunto, jossa on parveke ja sauna"},
		{"id": "none", "title": "Loft", "status": "contacted"},
	}
	writeFile(t, filepath.Join(dir, "flats.json"), encode(listings))
	p := &tab{browser: openBrowser(t), t: t}
	p.url = startIn(t, dir)
	p.open("#/flat/de", 390)
	words := map[string]string{"de": "German|Guten Tag,", "fr": "French|Bonjour,", "es": "Spanish|Buenos días:",
		"it": "Italian|Buongiorno,", "pt": "Portuguese|Bom dia,", "nl": "Dutch|Goedendag,", "pl": "Polish|Dzień dobry,",
		"cs": "Czech|Dobrý den,", "da": "Danish|Hej,", "sv": "Swedish|Hej!", "nb": "Norwegian Bokmål|Hei,",
		"fi": "Finnish|Hei,", "none": "English|Hello,"}
	for _, listing := range listings {
		id := listing["id"].(string)
		p.test("the example for a listing in "+id, func() {
			p.typeHash("#/flat/" + id)
			p.see(heading, listing["title"].(string))
			p.click(messageButton)
			p.see(messageIn+` + "|" + `+messageFields+`.split("\n")[0]`, words[id])
			p.see(messageAboutUs, "Ann & Ben,\n<no> pets")
			p.key("Escape")
		})
	}
	p.typeHash("#/flat/de")
	p.see(heading, "Loft Mitte")
	p.test("own words count for the chosen language", func() {
		p.click(messageButton)
		p.enter(messageStart, "Servus,")
		p.enter(messageChoice, "en")
		p.wait(messageFields + `.startsWith("Hello,")`)
		p.enter(messageChoice, "de")
		p.see(messageFields, "Servus,|Freundliche Grüße")
		p.see(mailBody, "Servus,\n\nLoft Mitte\n\nAnn & Ben,\n<no> pets\n\nFreundliche Grüße")
	})
	p.test("words of an earlier version count for their language", func() {
		p.eval(`localStorage[keptAs("flats.message")] = '{"before": "Grüß Gott, ich suche eine Wohnung", "after": ""}'`)
		p.reload()
		p.click(messageButton)
		p.see(messageFields, "Grüß Gott, ich suche eine Wohnung|")
		p.enter(messageChoice, "fr")
		p.wait(messageFields + `.startsWith("Bonjour,")`)
	})
	p.checkFaults()
}

// bilingual has the text of one listing by language. The others say what the English text says, in fewer, as many, or
// more words.
var bilingual = map[string]string{
	"en": "Bright flat on the third floor of a quiet house. It has two rooms, a balcony to the yard and a new " +
		"kitchen, and is available from May. The rent comprises water; heating is billed to you by use.",
	"de": "Helle Wohnung im dritten Stock eines ruhigen Hauses. Sie hat zwei Zimmer, einen Balkon zum Hof und eine neue " +
		"Küche und ist ab Mai frei. Wasser ist in der Miete, Heizung wird nach Verbrauch berechnet.",
	"fr": "Appartement lumineux au troisième étage d'un immeuble calme. Il a deux pièces, un balcon sur cour et une " +
		"cuisine neuve, libre en mai. L'eau est dans le loyer, le chauffage est facturé selon la consommation.",
	"nl": "Lichte woning op de derde verdieping van een rustig huis. De woning heeft twee kamers, een balkon aan de " +
		"binnenplaats en een nieuwe keuken, vrij in mei. Water is in de huur, de verwarming wordt naar verbruik berekend.",
	"it": "Appartamento luminoso al terzo piano di una casa tranquilla. Ha due camere, un balcone sul cortile e una " +
		"cucina nuova, libero da maggio. L'acqua è nell'affitto, il riscaldamento si paga a consumo.",
	"pl": "Jasne mieszkanie na trzecim piętrze w cichym domu. Są dwa pokoje, balkon od podwórza i nowa kuchnia, " +
		"wolne od maja. Woda jest w cenie, ogrzewanie liczy się po zużyciu, a kaucja to dwa czynsze.",
	"es": "Piso luminoso en la tercera planta de una casa tranquila. Tiene dos habitaciones, un balcón al patio y una " +
		"cocina nueva, libre en mayo. El agua está en el alquiler y la calefacción se paga por consumo.",
}

// TestPageMessageBilingual tests that a listing in two languages gets a message in the language in which it says more,
// or in the first one if it says the same in both.
func TestPageMessageBilingual(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	begins := map[string]string{"en": "Hello,", "de": "Guten Tag,", "fr": "Bonjour,", "nl": "Goedendag,",
		"it": "Buongiorno,", "pl": "Dzień dobry,", "es": "Buenos días:"}
	var listings []object
	want := map[string]string{}
	add := func(language, id, title, text string) { // adds a listing whose message begins in the language
		listings = append(listings, object{"id": id, "title": title, "text": text})
		want[id] = language
	}
	firstSentence := func(language string) string { return strings.SplitAfter(bilingual[language], ". ")[0] }
	for _, language := range []string{"de", "fr", "nl", "it", "pl", "es"} {
		local, english := bilingual[language], bilingual["en"]
		add(language, language+"-first", "Loft", local+"\n\nEnglish version\n\n"+english)
		add("en", language+"-second", "Loft", english+"\n\n"+local)
		add(language, language+"-more", "Bright flat with a balcony", firstSentence("en")+local)
		add("en", language+"-less", "Loft", firstSentence(language)+english)
	}
	p := openTab(t, encode(listings), "#/flat/de-first", 390)
	for _, listing := range listings {
		id := listing["id"].(string)
		p.test(id, func() {
			p.typeHash("#/flat/" + id)
			p.see(heading, listing["title"].(string))
			p.wait(openView + ` === "flat" && location.hash.endsWith("` + id + `")`)
			p.click(messageButton)
			p.see(messageFields+`.split("\n")[0]`, begins[want[id]])
			p.key("Escape")
		})
	}
}

// TestPageMedian tests that a flat is compared with the median of its place, among the flats that the list's filters
// leave, if there are enough in this place and some in others.
func TestPageMedian(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []object
	add := func(code, location string, costs ...int) { // of flats of 10 m²
		for _, cost := range costs {
			flats = append(flats, object{"id": len(flats), "title": fmt.Sprint("Flat ", len(flats)), "cost": cost,
				"currency": "EUR", "area": 10, "location": location, "service_constraint": "lyon",
				"service_postal_code": code})
		}
	}
	add("69001", "Rue A, Lyon 1er", 1000, 900, 1000, 1000, 1000, 1000, 1000, 1000)
	add("69002", "69002 Lyon", 100, 100, 100, 100, 100, 100, 100, 0)
	add("69003", "[Rue (D*), Lyon 3e-Ost", 100)
	add("69004", "Rue G", 100, 100, 100, 100, 100, 100, 100, 450)
	p := openTab(t, encode(flats), "", 1280)
	for _, c := range []struct{ list, flat, want string }{
		{"#/", "0", "at the median of 8 flats in Lyon 1er; Rue A, 69001 Lyon 1er"},
		{"#/", "1", "10% below the median of 8 flats in Lyon 1er; Rue A, 69001 Lyon 1er"},
		{"#/", "24", "far above the median of 8 flats in Lyon 4e; Rue G, 69004 Lyon 4e"},
		{"#/", "8", "; 69002 Lyon"}, // seven flats with a price are not enough
		{"#/", "16", "; [Rue (D*), 69003 Lyon 3e-Ost"},
		{"#/?place=69001+Lyon+1er", "1", "; Rue A, 69001 Lyon 1er"},
		{"#/?cost=500..", "1", "; Rue A, 69001 Lyon 1er"},
		{"#/?cost=..500", "17", "at the median of 8 flats in Lyon 4e; Rue G, 69004 Lyon 4e"},
		{"#/?tab=shortlist", "1", "10% below the median of 8 flats in Lyon 1er; Rue A, 69001 Lyon 1er"},
	} {
		p.test(c.list+" "+c.flat+": "+c.want, func() {
			p.typeHash(c.list)
			p.wait(openView + ` === "list"`)
			p.typeHash("#/flat/" + c.flat)
			p.wait(isThere(flatAddress))
			p.rest(forAnswer)
			p.see(medianAndAddress, c.want)
		})
	}
	p.test("where the median cannot be asked for, no empty line is left", func() {
		p.eval(`window.fetch = ((ask) => (url, ...rest) =>
			String(url).includes("counts=") ? Promise.reject(new TypeError("lost")) : ask(url, ...rest))(fetch)`)
		p.goTo("#/flat/0", ".address")
		p.see(medianIsSeen, "false")
	})
}

// TestPagePaper tests a flat on paper.
func TestPagePaper(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("A text of many words. ", 400)
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "Loft", "location": "Rue A", "cost": 900, "currency": "EUR",
		"text": %q, "details": {"floor": 3, "about": %q}, "photos": ["https://127.0.0.1:1/x"]}]`, long, long),
		"#/flat/a", 720)
	p.wait(isThere(flatAddress))
	p.test("fields without a value are not printed", func() {
		p.setMedia("print")
		p.see(printedParts, "text,details,address")
		p.setMedia("")
	})
	p.enter(notesField, strings.Repeat("Damp.\n", 90))
	p.enter(visitField, "2031-07-14T18:30")
	p.click(ownStar(4))
	p.see(litStarCount, "1")
	p.setMedia("print")
	p.test("fields that were set are printed, the status as a word and the visit as a date", func() {
		p.see(printedParts, "text,details,stars,visit,notes,address")
		p.see(printedStatus, "Followed")
		p.see(text(".visit"), "Visit Mon, 14 Jul 2031, 18:30")
	})
	for _, part := range []string{".text", ".details", ".notes .sheet"} {
		p.test(part+" ends with a whole line", func() { p.see(endsWithLine(part), "true") })
	}
	p.test("the flat takes two pages", func() {
		if got := p.printedPages(); got != 2 {
			p.t.Errorf("the flat is printed on %d pages; want 2", got)
		}
	})
	p.test("a dismissed flat says on paper that it is dismissed", func() {
		p.setMedia("")
		p.setStatus("ignored")
		p.see(dismissPressed, "true")
		p.setMedia("print")
		p.see(printedStatus, "Dismiss")
	})
}

// TestPageLongTitle tests that a title of tens of thousands of letters is cut where it is shown, because laying it out
// takes a browser seconds, and that Edit has the whole title.
func TestPageLongTitle(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("T", 20_000)
	p := openTab(t, `[{"id": "h", "title": "`+long+`", "visit_date": "2099-05-01T10:00"}]`, "#/flat/h", 1280)
	want := strings.Repeat("T", 300) + "…"
	p.see(heading, want)
	p.click(editButton)
	p.see(valueOf(editField("title")), long)
	for _, hash := range []string{"#/?tab=all", "#/triage", "#/visits"} {
		p.typeHash(hash)
		p.wait(linksOutsideFlat + ".includes(" + encode(want) + ")")
	}
}
