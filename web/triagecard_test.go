// Tests of the card of Triage, and of Triage while other devices decide.

package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// openCards opens Triage with a flat that has fourteen photos, and one without photos, whose cost has fallen.
func openCards(t *testing.T) *tab {
	t.Helper()
	const image = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "A", "date": "2026-02-02", "text": "Text.", "photos": %s},
		{"id": "b", "title": "B", "text": "Text.", "cost": 700, "currency": "EUR", "date": "2026-02-01",
			"cost_history": [{"date": null, "cost": 800}, {"date": %q, "cost": 700}]}]`,
		encode(slices.Repeat([]string{image}, 14)), daysAgo(30)), "#/triage", 1280)
	p.see(cardTitle, "A")
	p.eval(`window.at = (part) => document.querySelector(".triage " + part).getBoundingClientRect()`)
	return p
}

// TestPageTriageCard tests the layout of the card of a flat.
func TestPageTriageCard(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openCards(t)
	for _, c := range []struct {
		sentence string
		width    int
		is       string
	}{
		{"fourteen photos need one look on a laptop", 1280, photosInOneLook},
		{"the facts stand right of the photos on a laptop, and the text below", 1280, factsAreRightOfPhotos},
		{"the decisions stand beneath the facts", 1280, decideIsUnderFacts},
		{"the number of the photo lies on it", 1280, photoNumberIsOnPhoto},
		{"on a narrow window the text stands below all photos", 900, textIsBelowPhotos},
		{"on a narrow window the large photo is whole", 900, photoIsWhole},
		{"a phone has one photo, and the facts before the text", 390, phoneHasOnePhoto},
	} {
		p.test(c.sentence, func() {
			p.resize(c.width)
			p.see("Boolean("+c.is+")", "true")
		})
	}
	p.test("the title is ink, not a link in blue", func() {
		p.see(cardTitleLook, "20px none")
	})
	p.test("a finger is told no keys", func() { p.see(keyCaps, "") })
	p.resize(1280)
	p.test("the buttons name their keys", func() { p.see(keyCaps, "Dismiss x,Skip s,Follow f") })
	p.press("x")
	p.see(cardTitle, "B")
	p.test("a flat without a photo is its text, with the facts beside it", func() { p.see(cardIsText, "true") })
	p.test("a cost that has fallen says from what, and when", func() {
		p.see(cardFacts+".includes("+encode("€800 → €700 on "+dayAgo(30))+")", "true")
	})
}

// TestPageTriageLong tests that the column of the facts ends with the user's own buttons, however many facts there are.
func TestPageTriageLong(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	name := strings.TrimSpace(strings.Repeat("Flat with a long title ", 12))
	details := make(map[string]string)
	for i := range 8 {
		details[fmt.Sprint("Detail ", i)] = "yes"
	}
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": %q, "text": "Text.", "cost": 700, "details": %s}]`, name,
		encode(details)), "#/triage", 1280)
	p.see(cardTitle, name)
	p.eval(`window.at = (part) => document.querySelector(".triage " + part).getBoundingClientRect()`)
	for _, width := range []int{1280, 900} {
		p.test(fmt.Sprintf("one's own buttons are whole at %d pixels", width), func() {
			p.resize(width)
			p.see("at('.what').height < document.querySelector('.what').scrollHeight - 40", "true")
			p.see(ownIsInSight, "true")
		})
	}
}

// TestPageTriageDoubles tests that probable duplicates are in sight, next to the decisions and not under them.
func TestPageTriageDoubles(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const facts = `"cost": 800, "currency": "EUR", "area": 46, "rooms": 2, "location": "Ost", "details": {"floor": 1,
		"energy": "D", "balcony": true, "lift": true, "pets": "no", "heating": "gas", "cellar": true, "furnished": false},
		"photos": ["data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 2'/%3E"]`
	const title = `"title": "A bright flat with a long title and a balcony to a quiet yard", `
	p := openTab(t, `[{"id": "a", `+title+facts+`}, {"id": "b", `+title+facts+`}]`, "#/triage", 1280)
	for _, width := range []int{1280, 900} {
		p.test(fmt.Sprintf("at %d pixels", width), func() {
			p.do("Emulation.setDeviceMetricsOverride",
				object{"width": width, "height": 960, "deviceScaleFactor": 1, "mobile": false})
			p.wait(isThere(triageDoubles))
			p.see(coveredDoubles, "")
		})
	}
}

// TestPageTriageVerdict tests that the card follows the finger, with a word for what the swipe will do, and uncovers
// the next card.
func TestPageTriageVerdict(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openCards(t)
	p.resize(390)
	touch := func(event string, points ...object) {
		p.do("Input.dispatchTouchEvent", object{"type": event, "touchPoints": append([]object{}, points...)})
	}
	for _, c := range []struct {
		sentence string
		by       float64
		want     string
	}{
		{"to the right it says Follow", 60, "Follow followed B €700"},
		{"to the left it says Dismiss", -60, "Dismiss ignored B €700"},
	} {
		touch("touchStart", object{"x": 195, "y": 700}) // below the card, above its buttons
		touch("touchMove", object{"x": 195 + c.by/2, "y": 700})
		touch("touchMove", object{"x": 195 + c.by, "y": 700})
		p.test(c.sentence+", over the next card", func() {
			p.see(swipeVerdict, c.want)
			p.see(nextCardPhotoCount, "0") // B has none
			p.see(cardLeft, fmt.Sprint(16+c.by))
		})
		p.test(c.sentence+" in the colour of that", func() { p.see(verdictHasColour, "true") })
		p.test("a finger that leaves too early changes nothing", func() {
			touch("touchEnd")
			p.see(cardLeft, "16")
			p.see(nextCardIsHidden, "true")
		})
	}
}

// TestPageTriageElsewhere tests the pile while another device decides too.
func TestPageTriageElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, triageFlats(6, `"area": 50`), "#/triage", 1280)
	p.see(pileAndCard, "6 left: Flat 0")
	p.test("what was decided leaves the pile, but not the card that one looks at", func() {
		p.changeAfterLook("0", `{"status": "followed"}`)
		p.changeAfterLook("1", `{"status": "ignored"}`)
		p.comeBack()
		p.see(pileAndCard, "4 left: Flat 0")
		p.see(newsButtonText, "Changed elsewhere · Show")
	})
	p.test("a decision on it says what it replaces", func() {
		p.press("x")
		p.see(notice, "Flat 0: Dismissed. This replaced a decision made elsewhere: Followed")
		p.see(cardTitle, "Flat 2")
	})
	p.test("Undo restores that", func() {
		p.undo()
		p.see(notice, "Undone")
		p.seeFlat("0", "status", "followed")
	})
	p.test("Show leaves the card", func() {
		p.changeAfterLook("2", `{"status": "contacted"}`)
		p.comeBack()
		p.see(pileAndCard, "3 left: Flat 2")
		p.showNews()
		p.see(pileAndCard, "3 left: Flat 3")
	})
	p.test("a decision says so before anything was asked for, too", func() {
		p.changeAfterLook("3", `{"status": "visited"}`)
		p.changeAfterLook("4", `{"status": "ignored"}`)
		p.press("f")
		p.see(notice, "Flat 3: Followed. This replaced a decision made elsewhere: Visited")
		// Flat 4 stays if it was seen before the answer came.
		p.wait(cardTitle + ` === "Flat 5" || ` + isThere(newsButton))
		if p.eval(cardTitle) == "Flat 4" {
			p.showNews()
		}
		p.see(pileAndCard, "1 left · 1 done: Flat 5")
	})
}

// changeAfterLook changes a flat elsewhere once the user has seen its card, which then stays.
func (p *tab) changeAfterLook(id, change string) {
	p.t.Helper()
	p.rest(150) // longer than isJustShown (views/triage.js) is true
	p.changeElsewhere(id, change)
}

// TestPageTriageNew tests the pile while new flats come in.
func TestPageTriageNew(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, strings.ReplaceAll(triageFlats(1, `"area": 50`), "Flat 0", "Flat 5"), "#/triage", 1280)
	p.see(pileAndCard, "1 left: Flat 5")
	p.importListings(`[{"id": "7", "title": "Flat 7", "date": "2026-01-01"},
		{"id": "6", "title": "Flat 6", "date": "2026-02-01"}]`)
	p.comeBack()
	p.test("new flats move nothing, and a rating stays with the card that is seen", func() {
		p.see(pileAndCard, "3 left: Flat 5")
		p.press("4")
		p.see(litStarCount, "1")
		p.see(cardTitle, "Flat 5")
	})
	p.test("new flats are next; of one import the listing with the latest date", func() {
		p.press("s")
		p.see(cardTitle, "Flat 6")
	})
	p.test("a skip survives a reload", func() {
		p.reload()
		p.see(pileAndCard, "3 left: Flat 6")
	})
	p.test("the first to be skipped comes back first", func() {
		p.press("s")
		p.see(cardTitle, "Flat 7")
		p.press("s")
		p.see(cardTitle, "Flat 5")
	})
}

// TestPageLeaving tests that the service gets a decision although the tab is closed while it is sent.
func TestPageLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/triage", 390)
	network.latency.Store(300)
	p.wait(isThere(followCard))
	other := p.openOther("#/triage")
	// later.js sends decisions. The page runs it soon after it has arrived.
	other.wait(`performance.getEntriesByType("resource").some(({name}) => name.endsWith("/later.js"))`)
	other.rest(forAnswer)
	other.wait(cardTitle)
	followedCount := func() string { // as `"total":7`, with the end of the answer
		_, body := get(t, p.url+"/api/v1/find?filter[status]=followed&page[size]=1")
		return body[strings.LastIndex(body, `"total"`):]
	}
	before := followedCount()
	other.eval(`new Promise((sent) => {
		const ask = fetch;
		window.fetch = (...request) => {
			if (request[1]?.method === "PATCH") sent();
			return ask(...request);
		};
		document.querySelector(` + encode(followCard) + `).click();
	})`)
	other.do("Page.close", nil)
	p.until(func() bool { return followedCount() != before }, followedCount)
}

// TestPageLostPhoto tests that a photo that does not load leaves only a strip in views that give a photo half of their
// room.
func TestPageLostPhoto(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openTab(t, `[{"id": "a", "title": "A", "photos": ["https://127.0.0.1:1/x"]}]`, "#/triage", width)
		for _, hash := range []string{"#/triage", "#/flat/a"} {
			p.test(fmt.Sprintf("at %s, %d pixels wide", hash, width), func() {
				p.typeHash(hash)
				p.see(`document.querySelector(".frame .gap")?.offsetHeight`, "48")
				p.see(`getComputedStyle(document.querySelector(".frame .gap"), "::after").content`, `"Photo not available"`)
				p.see("(document.querySelector('.gallery').offsetHeight <= 60)", "true")
			})
		}
	}
}
