// Tests of Add.

package web

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// linkID returns the id that the service makes for a listing from the common part of its links on a host.
func linkID(host, rest string) string {
	return fmt.Sprintf("%.8x@%s", sha256.Sum256([]byte(host+rest)), host)
}

// openAdd opens Add. Two flats are known: 8 has two links, 9 has a title that differs from the words of its link.
func openAdd(t *testing.T, hash string) *tab {
	t.Helper()
	return openTab(t, `[{"id": "8@example.net", "title": "Known", "text": "Quiet.", "cost": 700, "currency": "CHF",
		"area": 40, "rooms": 2, "location": "Ost", "phone": "0199", "date": "2026-01-02",
		"urls": ["https://example.net/", "https://example.net/8?page=1&utm_source=mail#photos"]},
		{"id": "9@example.net", "title": "As its filter finds it", "urls": ["https://example.net/9"],
		"service_constraint": "lyon", "service_postal_code": "69003"}]`, hash, 390)
}

// noFields is the value of fieldTexts if all fields are empty.
const noFields = "|||||||||"

// TestPageAdd tests that a pasted link with a text becomes a flat.
func TestPageAdd(t *testing.T) {
	t.Parallel()
	p := openAdd(t, "")
	p.test("the bar leads to its one field", func() {
		p.click(addInBar)
		p.see(hash, "#/add")
		p.see(focusedFieldName, "Paste a link or the listing's text")
	})
	p.test("the text fills the other fields", func() {
		p.enter(pasteField, "https://www.example.org/flats/7?x=1\n2,5 Zi. mit Balkon in Kassel\n"+
			"Kaltmiete 900 €\nWarmmiete 1.050,50 €\nKaution 2.700 €\n72 m²\nTel. 0561 5550199")
		p.see(fieldTexts, "https://www.example.org/flats/7?x=1|2,5 Zi. mit Balkon in Kassel|1050.5|EUR|72|2.5||Kassel|"+
			"0561 5550199|Kaltmiete 900 €\nWarmmiete 1.050,50 €\nKaution 2.700 €\n72 m²\nTel. 0561 5550199")
	})
	p.test("Add makes a flat of what the fields have, after corrections", func() {
		p.enter(editField("area"), "")
		p.enter(editField("code"), "69003")
		p.click(addButton)
		p.see(titleShown, "2,5 Zi. mit Balkon in Kassel")
		p.checkFlat(linkID("example.org", "/flats/7?x=1"), map[string]string{
			"cost": "1050.5", "utilities": "included", "rooms": "2.5", "currency": "EUR", "phone": "0561 5550199",
			"charges": "150.5", "deposit": "2700", "area": "<nil>", "status": "new",
			"location": "69003 Kassel", "urls": "[https://www.example.org/flats/7?x=1]", "service_constraint": "lyon",
			"service_postal_code": "map[gps:[45.7539 4.8691] name:Lyon 3e postal_code:69003]",
		})
		p.see(triageCount, "3")
	})
	p.test("the fields are empty after Add", func() {
		p.typeHash("#/add")
		p.see(fieldTexts, noFields)
	})
	p.test("the link of the added flat is known", func() {
		p.paste(pasteField, "www.example.org/flats/7?x=1")
		p.see(titleShown, "2,5 Zi. mit Balkon in Kassel")
	})
}

// TestPageAddKnown tests that a link that is known opens its flat.
func TestPageAddKnown(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openAdd(t, "#/add")
	for _, c := range []struct{ link, want string }{
		{"http://www.example.net/8/?page=1&utm_medium=share", "Known"}, // its second link, written otherwise
		{"https://example.net/9/#top", "As its filter finds it"},
	} {
		p.test("pasted: "+c.link, func() {
			p.paste(pasteField, c.link)
			p.see(titleShown, c.want)
			p.click(backStep)
			p.see(hash, "#/add")
			p.see(fieldTexts, noFields)
		})
	}
	const isKnown = "You already have this flat: As its filter finds it. Empty fields are left unchanged."
	p.test("a typed link of a known flat opens nothing, and the page says that it is known", func() {
		p.wait(hasFocus(pasteField))
		p.press("https://example.net/9")
		p.see(knownLine, isKnown)
	})
	p.test("the typed link is still there, and known, after another view", func() {
		p.typeHash("")
		p.see(openView, "list")
		p.typeHash("#/add")
		p.see(knownLine, isKnown)
		p.see(hash, "#/add")
	})
	p.test("a link that another program passes on opens its flat", func() {
		p.typeHash("#/add?url=https://example.net/9")
		p.see(titleShown, "As its filter finds it")
	})
	fillKnown(p)
}

// fillKnown fills in the link of a known flat.
func fillKnown(p *tab) {
	p.goTo("#/add", pasteField)
	p.enter(pasteField, "")
	for i, field := range []string{pasteField, editField("link")} {
		name := []string{"the first field", "Link"}[i]
		p.test("a link that a keyboard, or the browser, fills into "+name+" at once opens its flat", func() {
			p.goTo("#/add", pasteField)
			p.focus(field)
			p.do("Input.insertText", object{"text": "https://example.net/9"})
			p.see(titleShown, "As its filter finds it")
			p.goTo("#/add", pasteField)
			p.enter(field, "https://example.net/9")
			p.see(titleShown, "As its filter finds it")
		})
	}
}

// TestPageAddUpdate tests that more text about a known flat updates the flat.
func TestPageAddUpdate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openAdd(t, "#/add")
	p.test("the page says that the flat is known", func() {
		p.enter(pasteField, "https://example.net/8?page=1\nTold of again\n2,5 Zimmer")
		p.see(text(addButton), "Update it")
		p.see(knownLine, "You already have this flat: Known. Empty fields are left unchanged.")
	})
	p.test("no notice covers the line that the flat is known", func() {
		p.load("parts/notice")
		p.eval(`notice.tell("Without a network. ".repeat(9), {error: true})`)
		p.see(middleOfKnown, "known")
		p.click("[role=alert] .close")
	})
	p.test("a cost is in the currency of the flat, and fields left empty delete nothing", func() {
		p.enter(editField("cost"), "750")
		p.see(valueOf(editField("currency")), "CHF")
		p.enter(editField("text"), " ")
		p.click(addButton)
		p.see(titleShown, "Told of again")
		p.checkFlat("8@example.net", map[string]string{
			"text": "Quiet.", "cost": "750", "currency": "CHF", "area": "40", "rooms": "2.5", "location": "Ost",
			"phone": "0199", "date": "2026-01-02",
			"urls": "[https://example.net/ https://example.net/8?page=1&utm_source=mail#photos]",
		})
	})
}

// TestPageWide tests that Add and Import use the width of a laptop and have one column on a phone, and that the button
// of Add is in sight on both.
func TestPageWide(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	for _, c := range []struct{ sentence, hash, left, right string }{
		{"the fields beside the text that fills them", "#/add?title=Two&text=Two+rooms%0A900+%E2%82%AC", pasteField,
			editField("title")},
		{"the log beside the form", "#/import", importForm, importLogPart},
	} {
		p.typeHash(c.hash)
		for _, width := range []int{1280, 900, 390, 320} {
			p.test(fmt.Sprintf("%s at %d pixels", c.sentence, width), func() {
				p.resize(width)
				p.wait(isThere(c.right) + " && " + isSeen(c.right))
				p.see(standsBeside(c.left, c.right), "true")
				p.see(fitsAcross, "true")
			})
		}
	}
	for _, width := range []int{1280, 390} {
		p.test(fmt.Sprintf("the button is in sight without scrolling at %d pixels", width), func() {
			p.resize(width)
			p.typeHash("#/add?title=Two&text=Two+rooms%0A900+%E2%82%AC")
			p.see(box(addButton)+".height > 0", "true")
			p.see(box(addButton)+".bottom <= innerHeight", "true")
			p.typeHash("#/")
		})
	}
}

// openDetails opens Add. A flat with details is known.
func openDetails(t *testing.T) *tab {
	t.Helper()
	return openTab(t, `[{"id": "1@added", "title": "Known", "urls": ["https://example.org/1"], "details": {"pets": "no",
		"floor": "1"}, "bedrooms": 1}]`, "#/add", 390)
}

// TestPageAddDetails tests that short facts of a text become details of the flat.
func TestPageAddDetails(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openDetails(t)
	p.test("the field of details is there only once there are some", func() {
		p.see(rareFields, "-|-|-")
		p.see(missingFields, "")
	})
	p.test("the field shows the details that a text says, and other fields stay empty", func() {
		p.enter(pasteField, "Helle Wohnung in Kassel\n60 m²\nEtage: 3\nKaution: 1.800 €\nFrei ab: 01.02.2027\n"+
			"Energieeffizienzklasse: B\nSchlafzimmer: 2")
		p.see(rareFields, "Available from: 01.02.2027\nDeposit: 1.800 €\nEnergy class: B\nFloor: 3\nBedrooms: 2|-|-")
		p.see(missingFields, "cost not found,rooms not found,code not found")
		p.see(valueOf(editField("area")), "60")
	})
	long := strings.Repeat("o", 2000)
	p.test("all details can be changed", func() {
		p.enter(editField("details"), "Floor: 4\nBedrooms: 3\nwith a view\nMy own: <b>this</b>\n__proto__: x\nLong: "+long)
		p.click(addButton)
		p.see(titleShown, "Helle Wohnung in Kassel")
		p.checkFlat(fmt.Sprint(p.eval(idInHash)), map[string]string{
			"details":  "map[Long:" + long + " My own:this __proto__:x floor:4]",
			"bedrooms": "3",
		})
		p.see(text(briefDetails), "My own this Proto x Floor 4")
		p.see(firstSource, "added by hand")
	})
}

// TestPageAddArea tests that a text may add to the area of a home what else the home has, with areas of its own.
func TestPageAddArea(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	for ad, area := range map[string]string{
		"Appartement T3 de 64,5 m² avec balcon":        "64.5",
		"Wohnung 64 m² mit Balkon":                     "64",
		"Wohnung mit 64 m² und Terrasse 8 m²":          "64",
		"Studio 45m2 + terrasse 10m2":                  "45",
		"82 m² lejlighed med altan på 6 m²":            "82",
		"Zwei Zimmer, Keller 6 m² und Balkon, 48 m²":   "48",
		"Studio, terrasse de 12 m² et jardin de 30 m²": "",
	} {
		p.test(ad, func() {
			p.enter(pasteField, ad)
			p.wait(valueOf(editField("title")))
			p.see(valueOf(editField("area")), area)
		})
	}
}

// TestPageAddPassedOn tests that what other pages pass on about a known flat is added to it, with photos and a
// position.
func TestPageAddPassedOn(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openDetails(t)
	p.eval(`location.hash = "#/add?" + new URLSearchParams({url: "https://example.org/1", text: "Etage: 5",
		gps: "48.1,11.5", photos: "https://example.org/a.jpg\njavascript:1\nhttp://example.org/b.jpg\ndata:image/png,x"})`)
	p.test("fields show what was passed on, and no photo is loaded", func() {
		p.see(rareFields, "Floor: 5|48.1,11.5|https://example.org/a.jpg\nhttp://example.org/b.jpg")
		p.see(imageCount, "0")
	})
	p.test("half a position is none", func() {
		p.enter(editField("gps"), "48.1")
		p.see(complaintOf("gps"), "Enter latitude, longitude: 48.137, 11.576")
	})
	p.test("changed fields are stored, and the other fields of the flat stay", func() {
		p.enter(editField("gps"), "48.2, 11.6")
		p.click(addButton)
		p.see(titleShown, "Known")
		p.checkFlat("1@added", map[string]string{"details": "map[floor:5 pets:no]", "bedrooms": "1",
			"gps": "[48.2 11.6]", "photos": "[https://example.org/a.jpg http://example.org/b.jpg]"})
	})
}

// TestPageAddByHand tests fields that are typed in.
func TestPageAddByHand(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "a", "cost": 1, "currency": "CHF"}]`, "#/add", 320)
	p.click(".paste .link")
	p.see(addLabels, "Paste a link or the listing's text,Link,Title,Cost,"+
		"Currency,Area,Rooms,Postal code,Place,Phone,Text")
	makeMistakes(p)
	p.test("nothing is wider than a narrow phone, nor too small for a finger", func() {
		p.see("document.scrollingElement.scrollWidth <= innerWidth", "true")
		p.see(smallInAddCount, "0")
	})
	p.test("Undo brings back what was cleared", func() {
		p.click(clearFields)
		p.see(fieldTexts, noFields)
		p.undo()
		p.see(fieldTexts, "|Told of by a friend|1'200|CHF||||||")
	})
	p.test("the currency and the utilities in the text do not hold for another cost", func() {
		p.click(addButton)
		p.see(heading, "Told of by a friend")
		p.see(`/^#.flat.[0-9a-f]{16}%40added$/.test(location.hash)`, "true")
		p.checkFlat(fmt.Sprint(p.eval(idInHash)), map[string]string{"cost": "1200", "currency": "CHF", "urls": "[]",
			"utilities": "<nil>"})
	})
	p.test("what a script would run is only ever text", func() {
		p.typeHash("#/add")
		p.enter(pasteField, `<img src=x onerror="faults.push('ran')">`+"\njavascript:faults.push('ran')")
		p.enter(editField("link"), "javascript:faults.push('ran')")
		p.see(complaintOf("link"), "This is not a link")
		p.see(imageCount, "0")
	})
}

// makeMistakes types mistakes, and tests what the fields say of them.
func makeMistakes(p *tab) {
	p.test("mistakes are marked", func() {
		p.click(addButton)
		p.see(focusedComplaint, "link: Enter a link or a title")
		p.enter(editField("link"), "nowhere")
		p.click(addButton)
		p.see(focusedComplaint, "link: This is not a link")
		p.enter(editField("link"), "")
		p.enter(pasteField, "CHF 900 warm")
		p.enter(editField("title"), "Told of by a friend")
		p.enter(editField("cost"), "dear")
		p.click(addButton)
		p.see(focusedComplaint, "cost: This is not a number")
		p.enter(editField("cost"), "1'200")
		p.see(valueOf(editField("currency")), "CHF")
	})
}

// TestPageAddReplaced tests that the text of another listing, pasted over the first one, begins another draft.
func TestPageAddReplaced(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	const changed = "|2-Zimmer-Wohnung in Kassel|950|EUR||2||Kassel||900 € warm\nRuhig gelegen."
	p.test("the same listing, copied again, keeps what was typed", func() {
		p.paste(pasteField, "2-Zimmer-Wohnung in Kassel\n900 € warm")
		p.see(fieldTexts, "|2-Zimmer-Wohnung in Kassel|900|EUR||2||Kassel||900 € warm")
		p.enter(editField("cost"), "950")
		p.paste(pasteField, "2-Zimmer-Wohnung in Kassel\n900 € warm\nRuhig gelegen.")
		p.see(fieldTexts, changed)
		p.see(unsavedDrafts, "")
	})
	p.test("another listing has nothing of what was typed, which is kept as a draft", func() {
		p.paste(pasteField, "Loft in Leipzig\n1.200 €")
		p.see(fieldTexts, "|Loft in Leipzig|1200|EUR||||Leipzig||1.200 €")
		p.see(unsavedDrafts, "Not saved yet: 2-Zimmer-Wohnung in Kassel")
	})
	p.test("the draft comes back at a press", func() {
		p.click(firstDraft)
		p.see(fieldTexts, changed)
		p.see(unsavedDrafts, "Not saved yet: Loft in Leipzig")
		p.see(valueOf(pasteField), "2-Zimmer-Wohnung in Kassel\n900 € warm\nRuhig gelegen.")
	})
	p.test("if nothing was typed over a listing, no draft of it is kept", func() {
		p.click(firstDraft)
		p.paste(pasteField, "Studio in Halle\n400 €")
		p.see(fieldTexts, "|Studio in Halle|400|EUR||1||Halle||400 €")
		p.see(unsavedDrafts, "Not saved yet: 2-Zimmer-Wohnung in Kassel")
	})
}

// openAddOffline opens Add with the service worker, types a flat, and adds it without a network.
func openAddOffline(t *testing.T) (*tab, *proxy) {
	t.Helper()
	p, network := openThroughProxy(t, startSample(t), "#/add", 390)
	p.startWorker()
	p.enter(pasteField, "2-Zimmer-Wohnung in Kassel\n900 €")
	p.see(fieldTexts, "|2-Zimmer-Wohnung in Kassel|900|EUR||2||Kassel||900 €")
	network.down.Store(true)
	p.click(addButton)
	p.see(waitingLine, "1 change waits")
	return p, network
}

// readLater is what Add says of a text that the service will read later.
const readLater = "The text is kept, and read once the service answers."

// TestPageAddOffline tests that without a network an added flat waits, together with one that is shared next, and that
// both are added once there is a network.
func TestPageAddOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openAddOffline(t)
	p.test("the page says that the flat waits, and the fields are free for the next one", func() {
		p.see(notice+`.replace(/\s+/g, " ")`, "Waits for the network: 2-Zimmer-Wohnung in Kassel")
		p.see(fieldTexts, noFields)
		p.see(unsavedDrafts, "Not saved yet: 2-Zimmer-Wohnung in Kassel")
		p.see(markedInAdd, "")
		p.see(failureCount, "0")
	})
	p.test("a text that has not been read yet waits, too", func() {
		p.enter(pasteField, "Loft in Kassel\n700 €")
		p.see(addWrong, readLater)
		p.see(fieldTexts, noFields)
		p.click(addButton)
		p.see(waitingLine, "2 changes wait")
	})
	p.test("Undo brings the last flat back to the fields", func() {
		p.undo()
		p.see(waitingLine, "1 change waits")
		p.see(valueOf(pasteField), "Loft in Kassel\n700 €")
		p.click(addButton)
		p.see(waitingLine, "2 changes wait")
	})
	const shared = "https://example.org/5|Loft & Garten||||||||"
	p.test("what the share sheet gives does not replace waiting drafts, also after a reload", func() {
		p.typeHash("#/visits")
		p.share("title=Loft+%26+Garten&text=https%3A%2F%2Fexample.org%2F5&url=")
		p.see("location.search + location.hash", "#/add")
		p.see(fieldTexts, shared)
		p.reload()
		p.see(fieldTexts, shared)
		p.see(unsavedDrafts, "Not saved yet: Loft in Kassel 2-Zimmer-Wohnung in Kassel")
		p.see(waitingLine, "2 changes wait")
		p.see(stripWords, "No network: data as 2 changes wait")
	})
	sendDrafts(p, network)
}

// sendDrafts restores the network, and tests what becomes of the drafts.
func sendDrafts(p *tab, network *proxy) {
	const added = `fetch("api/v1/find?q=Kassel&sort=title&fields=title,cost,status").then((answer) => answer.json())
		.then(({data}) => data.map(({title, cost, status}) => [title, cost, status].join(" ")).join())`
	p.test("both waiting flats are added once there is a network", func() {
		network.down.Store(false)
		p.beBackOnline()
		p.see(waitingLine, "")
		p.see(notice+`.replace(/\s+/g, " ")`, "Added: Loft in Kassel")
		p.see(unsavedDrafts, "") // both are added
		p.see(markedInAdd, "")
		p.see(added, "2-Zimmer-Wohnung in Kassel 900 new,Loft in Kassel 700 new")
	})
	p.test("Undo takes back the last flat that was added", func() {
		p.undo()
		p.see(added, "2-Zimmer-Wohnung in Kassel 900 new,Loft in Kassel 700 user_deleted")
	})
	p.test("what was shared can be added then, and no draft is left", func() {
		p.click(addButton)
		p.see(heading, "Loft & Garten")
		p.see(`keptIn("flats.add").length`, "0")
	})
}

// TestPageAddOfflineRefused tests that a waiting draft that the service refuses stays.
func TestPageAddOfflineRefused(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/add", 390)
	p.startWorker()
	network.down.Store(true)
	p.enter(pasteField, "900 €")
	p.see(addWrong, readLater)
	p.click(addButton)
	p.see(waitingLine, "1 change waits")
	p.enter(pasteField, "Loft in Kassel\n700 €")
	p.see(addWrong, readLater)
	network.down.Store(false)
	p.beBackOnline()
	p.see(waitingLine, "")
	p.test("the page says why the draft was refused", func() {
		p.see(failure, "900 € was not added: Enter a link or a title")
	})
	p.test("what was pasted meanwhile is read", func() {
		p.see(fieldTexts, "|Loft in Kassel|700|EUR||||Kassel||700 €")
	})
}

// TestPageAddLink tests that a flat with nothing but a link is named after it, and that Undo takes the flat back.
func TestPageAddLink(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const link = "https://www.example.org/expose/bright-two-rooms-12345"
	p := openTab(t, "[]", "#/add?url="+link, 390)
	p.see(fieldTexts, link+noFields)
	p.click(addButton)
	p.see(heading, "example.org expose bright two rooms 12345")
	p.see(notice+`.replace(/\s+/g, " ")`, "Added: example.org expose bright two rooms 12345")
	p.undo()
	p.seeFlat(linkID("example.org", "/expose/bright-two-rooms-12345"), "status", "user_deleted")
}

// TestPageAddWrapped tests that a link of a mail counts as the link to a listing that it contains.
func TestPageAddWrapped(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "7@s", "title": "Known", "urls": ["https://portal.example/expose/11111"]}]`, "#/add", 390)
	const mailed = "https://click.mailer.example/?u=https%3A%2F%2Fwww.portal.example%2Fexpose%2F"
	p.paste(pasteField, mailed+"11111")
	p.see(titleShown, "Known")
	p.goTo("#/add", pasteField)
	p.enter(editField("link"), mailed+"22222")
	p.enter(editField("title"), "Fresh")
	p.click(addButton)
	p.see(titleShown, "Fresh")
	p.seeFlat(linkID("portal.example", "/expose/22222"), "urls", "https://www.portal.example/expose/22222")
}

// TestPageAddArrived tests that a draft whose answer was lost is not sent again over an import, is sent again once it
// has changed, and makes no second flat.
func TestPageAddArrived(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, link := range []string{"https://portal.example/expose/11111", ""} {
		p, network := openThroughProxy(t, start(t, "[]"), "#/add", 390)
		sent := loseAdded(t, network)
		p.test(fmt.Sprintf("a draft whose answer was lost is not added again, with the link %q", link), func() {
			p.addLoft(link, "900")
			p.see(waitingLine, "1 change waits")
			p.beBackOnline()
			isSentAgain := func() bool { return sent.Load() == 2 }
			p.until(isSentAgain, func() string { return "the draft is not sent again" })
			p.see(waitingLine, "")
			p.see(addedLofts, "Attic 850")
			p.see(`keptIn("flats.add").length`, "0")
		})
		if link == "" {
			continue
		}
		p.test("a draft that is changed before it is sent adds one flat, with the last change", func() {
			p.addLoft(link, "910")
			p.see(waitingLine, "1 change waits")
			p.see(fieldTexts, noFields)
			p.click(firstDraft)
			p.enter(editField("cost"), "920")
			network.down.Store(false)
			p.click(addButton)
			p.see(titleShown, "Loft")
			p.see(addedLofts, "Loft 920")
		})
		p.checkFaults()
	}
}

// addedLofts has the titles and costs of all flats.
const addedLofts = `fetch("api/v1/find?fields=title,cost").then((answer) => answer.json())
	.then(({data}) => data.map(({title, cost}) => title + " " + cost).join())`

// addLoft fills in the fields of Add, and presses its button.
func (p *tab) addLoft(link, cost string) {
	p.t.Helper()
	p.goTo("#/add", editField("cost"))
	p.enter(editField("title"), "Loft") // the link of a known flat alone would open it
	p.enter(editField("link"), link)
	p.enter(editField("cost"), cost)
	p.click(addButton)
}

// loseAdded loses two answers to added drafts: the first one, before which an import changes the flat, and the third
// one, after which there is no network. It returns a counter of the answers.
func loseAdded(t *testing.T, network *proxy) *atomic.Int32 {
	t.Helper()
	service := network.target.Load().String()
	var sent atomic.Int32
	lose := func(answer *http.Response) {
		if answer.Request.URL.Path != "/api/v1/import" {
			return
		}
		switch sent.Add(1) {
		case 1:
			_, found := get(t, service+"/api/v1/find?fields=title")
			id := regexp.MustCompile(`"id":"([^"]*)"`).FindStringSubmatch(found)[1]
			body := fmt.Sprintf(`[{"id": %q, "title": "Attic", "cost": 850}]`, id)
			imported, err := http.Post(service+"/api/v1/import", "application/json", strings.NewReader(body))
			if err != nil || imported.StatusCode != 200 {
				t.Error(imported, err)
			}
			loseAnswer(answer)
		case 3:
			network.down.Store(true)
			loseAnswer(answer)
		}
	}
	network.change.Store(&lose)
	return &sent
}

// TestPageShare tests that the fields get what the share sheet of a phone gives, also if one has to sign in first.
func TestPageShare(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	_, body := get(t, start(t, "[]")+"/manifest.webmanifest")
	var manifest struct {
		ShareTarget struct {
			Action, Method string
			Params         map[string]string
		} `json:"share_target"`
	}
	if err := json.Unmarshal([]byte(body), &manifest); err != nil {
		t.Fatal(err)
	}
	target := fmt.Sprint(manifest.ShareTarget)
	if want := "{./ GET map[text:text title:title url:url]}"; target != want {
		t.Errorf("share_target = %s; want %s", target, want)
	}
	known := "https%3A%2F%2Fexample.org%2F1"
	p := openTab(t, `[{"id": 1, "title": "Known", "urls": ["https://example.org/1"]}]`, "", 390)
	for _, c := range []struct{ query, want string }{
		{"title=&text=&url=", noFields},
		{"url=javascript%3A1&text=%3Cscript%3E", "|javascript:1||||||||"},
		{"title=3+Zi.+%7C+Example&url=" + known + "%3Fn%3D2", "https://example.org/1?n=2|3 Zi.||||3||||"},
		{"title=3+Zi.&text=72+m%C2%B2+" + known, "https://example.org/1|3 Zi.|||72|3||||72 m²"},
	} {
		p.do("Page.navigate", object{"url": p.url + "/?" + c.query})
		p.see("location.search + location.hash", "#/add")
		p.see(fieldTexts, c.want)
		p.checkFaults()
	}
	p.do("Page.navigate", object{"url": p.url + "/?title=A+page&url=" + known})
	p.see(titleShown, "Known")
	// The share survives a sign-in.
	p, network := openThroughProxy(t, startSample(t), "", 390)
	p.startWorker()
	network.pointTo(start(t, "[]", `"username": "me"`, `"password": "secret"`))
	p.do("Page.navigate", object{"url": p.url + "/?title=Shared"})
	p.wait(asksToSignIn)
	p.signInWith("secret")
	p.see("location.search + location.hash + "+valueOf(editField("title")), "#/addShared")
	p.checkFaults()
}

// TestPageBookmarklet tests that the bookmarklet brings what a page says, as text of bounded size without markup. One
// of the pages is hostile.
func TestPageBookmarklet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	p.test("the bookmarklet is dragged to the bookmarks, not pressed", func() {
		p.see(bookmarkletLink+".innerText + "+bookmarkletLink+".draggable", "Add to flatstrue")
		p.click(bookmarklet)
		p.see(notice, "Drag this to your bookmarks bar, then click it on a listing's page")
	})
	p.checkFaults()
	source := fmt.Sprint(p.eval(`decodeURIComponent(` + bookmarkletLink + `.href.slice("javascript:".length))`))
	for _, c := range bookmarkedPages() {
		p.test("the bookmarklet reads "+c.name, func() { addBookmarked(p, source, c.head, c.want) })
	}
}

// photoOfPage is an image that is large enough for the photo of a flat.
const photoOfPage = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>`

// A bookmarkedPage is a page of a listing: its beginning, and what the fields of Add have of it, after the link. "*"
// stands for a text of many letters.
type bookmarkedPage struct{ name, head, want string }

// bookmarkedPages returns pages with each form of what the bookmarklet reads.
func bookmarkedPages() []bookmarkedPage {
	deep := strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000)
	const listing = `{"@graph": [{"@type": "RealEstateAgent", "name": "Agents", "telephone": "0999",
		"address": {"postalCode": "99999", "addressLocality": "Elsewhere"}}, {"@type": "Apartment",
		"name": "Loft in Kassel", "description": "<b onclick=1>Quiet</b>", "floorSize": {"value": 72.5, "unitCode": "MTK"},
		"numberOfRooms": 2.5, "address": {"@type": "PostalAddress", "streetAddress": "Testgasse 3",
		"postalCode": "34117", "addressLocality": "Kassel"}, "offers": {"@type": "Offer", "price": "1450.00",
		"priceCurrency": "EUR", "seller": {"@type": "Organization", "name": "Agents", "telephone": "0561 555"}}}]}`
	return []bookmarkedPage{
		{"JSON-LD", `<title>Loft in Kassel</title><script type="application/ld+json">` + listing + `</script>`,
			"|Loft in Kassel|1450|EUR|72.5|2.5|34117|Testgasse 3, Kassel|0561 555|Quiet"},
		{"JSON-LD, and a title with the portal",
			`<title>Loft in Kassel | Portal</title><script type="application/ld+json">` + listing + `</script>`,
			"|Loft in Kassel|1450|EUR|72.5|2.5|34117|Testgasse 3, Kassel|0561 555|Quiet"},
		{"a heading", `<title>Altbau – mit Charme | 4 Zi. – Portal</title><h1>Altbau –
			mit  Charme</h1>`, "|Altbau – mit Charme||||||||"},
		{"a heading that is a number", `<title>127 | Loft, 2 Zi.</title><h1>127</h1>`, "|127 | Loft, 2 Zi.||||2||||127"},
		{"Open Graph", `<title>a</title><meta property="og:title" content="Loft, 2 Zi., 900 €">
			<meta property="og:description" content="Mit Balkon, 60 m²">`,
			"|Loft, 2 Zi., 900 €|900|EUR|60|2||||Mit Balkon, 60 m²"},
		{"what is hostile or too long",
			`<title>` + strings.Repeat("long ", 9_000) + `</title><script type="application/ld+json">` +
				strings.Repeat(" ", 1_000_000) + listing + `</script><script type="application/ld+json">` + deep +
				`</script><script type="application/ld+json">{"name": {"name": ["<\/script><script>faults.push(1)"]},
			"description": "<\/script><script>faults.push('ran')<\/script>", "price": "1e999", "floorSize": [` + "1,1" + `]}
			</script>`, "|" + strings.TrimSpace(strings.Repeat("long ", 60)) + "||||||||"},
		{"what a reader sees",
			`<title>Wohnung in Kassel</title><meta property="og:image" content="/photo.svg?og"><meta name="geo.position"
			content="51.3;9.5"><body><nav>Suche</nav><p>Warmmiete: 910 €<p>Etage: 2<p hidden>Kaution: 1 €</p>
			<img src="/photo.svg?1" width=80><img src="/photo.svg?1"><img src="/icon.svg"><img src="data:image/svg+xml,` +
				url.PathEscape(photoOfPage) + `"><p>` + strings.Repeat("ü €. ", 50_000),
			"|Wohnung in Kassel|910|EUR||||Kassel||*"},
	}
}

// startSite starts a site with one page, given the page's beginning, a photo and an icon.
func startSite(head string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".svg") {
			w.Header().Set("Content-Type", "image/svg+xml")
			image := photoOfPage
			if r.URL.Path == "/icon.svg" { // too small for a photo: 40 × 30
				image = strings.ReplaceAll(photoOfPage, "00", "0")
			}
			io.WriteString(w, image)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, head)
	}))
}

// addBookmarked presses the bookmarklet, given by its source, on a page, and tests what the fields of Add then have.
func addBookmarked(p *tab, source, head, want string) {
	site := startSite(head)
	p.do("Page.navigate", object{"url": site.URL + "/flat/1"})
	p.wait(`location.pathname === "/flat/1" && document.title && document.readyState === "complete"`)
	p.eval(`window.open = (address) => window.opened = address; void ` + source)
	address := fmt.Sprint(p.eval("opened"))
	site.Close()
	if len(address) > 64_000 {
		p.t.Errorf("the bookmarklet opens an address of %d bytes; want at most 64,000", len(address))
	}
	p.do("Page.navigate", object{"url": address})
	p.wait(valueOf(editField("title")))
	if want, hasLongText := strings.CutSuffix(want, "*"); hasLongText {
		p.see(fieldTexts+".split('|').slice(0, 9).join('|') + '|'", site.URL+"/flat/1"+want) // all but the text
		p.see(rareFields, "Floor: 2|51.3,9.5|"+site.URL+"/photo.svg?1")
	} else {
		p.see(fieldTexts, site.URL+"/flat/1"+want)
	}
	p.see(hash, "#/add")
	p.click(clearFields)
	p.checkFaults()
}

// TestPageAddTabs tests that typing into a draft in two tabs makes two drafts, so that nothing typed is lost.
func TestPageAddTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/add", 1280)
	p.enter("[name=title]", "Loft")
	other := p.openAt(p.url, "#/add")
	other.see(`document.querySelector("[name=title]").value`, "Loft")
	other.enter("[name=place]", "Berlin")
	p.bringToFront()
	p.enter("[name=cost]", "900")
	for range 2 { // before and after a reload
		p.see(`JSON.stringify(keptIn("flats.add").map(({edited}) => edited))`,
			`[{"title":"Loft","place":"Berlin"},{"title":"Loft","cost":"900"}]`)
		p.reload()
	}
	p.checkFaults()
}

// TestPageAddOutside tests that a flat within the postal codes of the only constraint belongs to the constraint, and
// that one outside them does not.
func TestPageAddOutside(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "config.json"),
		`{"postal_codes": ["codes.json"], "constraints": {"lyon": {"areas": ["FR-84"]}}}`)
	writeFile(t, filepath.Join(dir, "codes.json"), readFile(t, "testdata/sample/postal_codes.json"))
	writeFile(t, filepath.Join(dir, "flats.json"), "[]")
	p := &tab{browser: openBrowser(t), t: t, url: startIn(t, dir)}
	p.open("#/add", 1280)
	for _, c := range []struct{ text, want string }{
		{"Piso luminoso\n900 €/mes\nCarrer de Mallorca 401, 08013 Barcelona\n60 m²", "null"},
		{"T2 lumineux\n900 € par mois\n12 rue Mercière, 69002 Lyon 2e\n46 m²", "lyon"},
	} {
		p.test(c.text, func() {
			p.opens("#/add")
			p.paste(pasteField, c.text)
			p.wait(valueOf(editField("cost")) + ` === "900"`)
			p.click(addButton)
			p.wait(openView + ` === "flat"`)
			id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice("#/flat/".length))`))
			p.seeFlat(id, "service_constraint", c.want)
		})
	}
	p.checkFaults()
}

// TestPageAddFirst tests that Add begins with one field, and that unsure fields are tinted until the user changes them.
func TestPageAddFirst(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	const fields = `[...document.querySelectorAll(".add :is(input, textarea, .primary)")]
		.filter((field) => field.checkVisibility()).length`
	p.test("Add begins with one field", func() { p.see(fields, "1") })
	p.test("once it is filled, the other fields are there, with what they will become", func() {
		p.enter(pasteField, "Two rooms in Lyon\n900 € CC\n45 m²")
		p.wait(valueOf(editField("cost")) + ` === "900"`)
		p.see(fields+" > 8", "true")
		p.see(text(".becomes")+`.startsWith("Two rooms in Lyon €900 · 45 m² · 2 rooms")`, "true")
	})
	p.test("fields that the service is unsure of are tinted until they are changed", func() {
		p.see(`fetch("api/v1/read", {
			method: "POST", body: JSON.stringify({text: document.querySelector(".paste textarea").value}),
		})
			.then((answer) => answer.json()).then(({data, unsure}) => unsure.filter((name) => data[name] != null)
				.map((name) => ({location: "place", service_postal_code: "code"})[name] ?? name).sort().join() ===
				[...document.querySelectorAll("[data-unsure] > input")].map(({name}) => name).sort().join())`, "true")
		p.wait(isThere("[data-unsure]"))
		p.eval(`window.field = document.querySelector("[data-unsure] > input").name`)
		p.enter(fmt.Sprintf("[name=%s]", p.eval("field")), "Mine")
		p.see(`document.querySelector("[name=" + field + "]").closest("[data-unsure]") === null`, "true")
	})
	p.test("all fields can be filled in by hand", func() {
		p.clickOn(`[...document.querySelectorAll(".decision button")].at(-1)`)
		p.see(fields, "1")
		p.click(".paste .link")
		p.see(fields+" > 8", "true")
	})
	p.test("in the preview the postal code stands before the town", func() {
		p.enter(editField("place"), "Mill Street 12, Lyon")
		p.enter(editField("code"), "69007")
		p.wait(text(".becomes") + `.endsWith("Mill Street 12, 69007 Lyon")`)
	})
}

// TestPagePlaceWithCode tests that a postal code stands in a place where people write it.
func TestPagePlaceWithCode(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("parts/adding")
	for _, c := range []struct{ place, code, want string }{
		{"12 Mill Street, Berlin", "10115", "12 Mill Street, 10115 Berlin"},
		{"Amsterdam", "1012 AB", "1012 AB Amsterdam"},
		{"Camden Road, London", "NW1 9LR", "Camden Road, London NW1 9LR"},
		{"Toronto", "M5V 2T6", "Toronto M5V 2T6"},
		{"Brooklyn, NY", "11211", "Brooklyn, NY 11211"},
		{"Brooklyn, NY 11211", "11211", "Brooklyn, NY 11211"},
		{"", "10115", "10115"}, {"", "NW1", "NW1"}, {"Lyon", "", "Lyon"},
	} {
		got := p.eval(fmt.Sprintf("adding.placeWithCode(%s, %s)", encode(c.place), encode(c.code)))
		if got != c.want {
			t.Errorf("%q with %q: %v; want %q", c.place, c.code, got, c.want)
		}
	}
}
