// Tests of corrections.

package web

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// openEdit opens a flat to correct. There is another flat, about which the listing says nothing. In the page, sent has
// the bodies of the changes that were sent; none can be sent while down is true.
func openEdit(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, `[
		{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3, "location": "Rue A",
			"phone": "0199", "service_constraint": "lyon", "service_postal_code": "69007",
			"urls": ["https://example.org/a", "https://example.net/a"], "text": "Quiet.\nThird floor.",
			"photos": ["https://127.0.0.1:1/x"]},
		{"id": "b@site", "title": "Bare", "service_constraint": "lyon"}]`, "#/flat/a%40site", 1280)
	p.eval(`{
		const ask = fetch;
		window.sent = [];
		window.down = false;
		window.fetch = async (url, options) => {
			if (options?.method !== "PATCH") return ask(url, options);
			if (down) throw new TypeError("down");
			sent.push(options.body);
			return ask(url, options);
		};
	}`)
	p.wait(isThere(editButton))
	return p
}

// correct opens the fields, types the values by name, and saves them.
func (p *tab) correct(typed ...string) {
	p.t.Helper()
	p.click(editButton)
	for i := 0; i < len(typed); i += 2 {
		p.enter(editField(typed[i]), typed[i+1])
	}
	p.click(saveEdit)
}

// TestPageEditFields tests the fields that "Edit" opens.
func TestPageEditFields(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.test("the key e opens them, at the title", func() {
		p.press("e")
		p.see("document.activeElement.name", "title")
	})
	p.test("each field is wide enough for its value, and has a label", func() {
		p.see(narrowEditFields, "")
		p.see(editLabels, "Title Loft; Cost 1200; Currency EUR; Utilities ; Utilities a month ; Deposit ; Fee ; Area 100; "+
			"Rooms 3; Bedrooms ; Place Rue A; Postal code 69007; Phone 0199; "+
			"Link https://example.org/a; Text Quiet.\nThird floor.")
	})
	p.test("Save sends nothing where nothing was changed, and passes the focus to Edit", func() {
		p.click(saveEdit)
		p.see("document.activeElement.className", "edit")
		p.see("sent.join()", "")
	})
	p.resize(320)
	p.test("fields fit a narrow phone, and are large enough for a finger", func() {
		p.click(editButton)
		p.wait(isThere(editFields))
		p.see(fitsAcross, "true")
		p.see(smallEditFields, "")
	})
}

// TestPageEdit tests that fields correct the facts.
func TestPageEdit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.test("only what was changed is sent, and a field that is emptied deletes nothing", func() {
		p.correct("cost", "1.150 €", "area", "72 m²", "rooms", "2,5", "bedrooms", "", "service_postal_code", " 69003 ",
			"phone", "")
		p.see("sent.join()", `{"cost":1150,"area":72,"rooms":2.5,"service_postal_code":"69003"}`)
		p.see(notice, "Loft: Cost €1,150, Area 72\u00a0m², Rooms 2.5, Postal code 69003")
	})
	p.test("what was corrected is marked, and says what the listing says", func() {
		p.see(corrections, "Cost: €1,150 corrected The listing says €1,200; "+
			"Area: 72\u00a0m² corrected The listing says 100\u00a0m²; Rooms: 2.5 corrected The listing says 3; "+
			"Postal code: 69003 corrected The listing says 69007")
	})
	p.test("the facts and the address have it", func() {
		p.see(threeFacts, "€1,150 72 m² €16/m² 2.5 rooms")
		p.see(addressText+`.includes("Rue A, 69003 Lyon 3e")`, "true")
	})
	p.test("Undo takes all of it back", func() {
		p.press("u")
		p.see(corrections, "")
		p.see(threeFacts, "€1,200 100 m² €12/m² 3 rooms")
	})
	p.test("marks stand near the facts", func() {
		p.correct("cost", "1100", "rooms", "4")
		p.see(corrections, "Cost: €1,100 corrected The listing says €1,200; Rooms: 4 corrected The listing says 3")
		p.see(correctionsGap, "8")
	})
}

// TestPageEditDecimals tests that a number with three decimals stays the same when its field is changed and changed
// back.
func TestPageEditDecimals(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "area": 62.125}]`, "#/flat/a", 1280)
	p.click(editButton)
	p.wait(isThere(editField("area")))
	p.eval(`document.querySelector(` + encode(editField("area")) + `).value += " m²"`)
	p.enter(editField("rooms"), "4")
	p.click(saveEdit)
	p.see(notice, "Loft: Rooms 4")
	p.seeFlat("a", "area", "62.125")
}

// TestPageEditUndo tests what Undo restores of several corrections.
func TestPageEditUndo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.test("Undo leaves what an import has changed meanwhile", func() {
		p.correct("cost", "1100", "rooms", "4")
		p.see(corrections, "Cost: €1,100 corrected The listing says €1,200; Rooms: 4 corrected The listing says 3")
		p.importListings(`[{"id": "a@site", "cost": 900}]`)
		p.press("u")
		p.see(corrections, "")
		p.see(threeFacts, "€900 100 m² €9/m² 3 rooms")
	})
	const first = "Cost: €950 corrected The listing says €900"
	p.test("Undo restores an earlier correction", func() {
		p.correct("cost", "950")
		p.see(corrections, first)
		p.correct("cost", "980")
		p.see(corrections, "Cost: €980 corrected The listing says €900")
		p.press("u")
		p.see(corrections, first)
	})
	p.test("Undo restores a correction that was replaced by the listing's value", func() {
		p.correct("cost", "900")
		p.see(notice, "Loft: Cost €900")
		p.see(corrections, "")
		p.press("u")
		p.see(corrections, first)
	})
	p.test("a second Undo takes back the earlier correction", func() {
		p.press("u")
		p.see(corrections, "")
	})
}

// TestPageEditTyped tests what the form does with input that cannot be saved, or is not saved yet.
func TestPageEditTyped(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.test("a text that is no number is marked, and nothing is sent", func() {
		p.correct("title", "Attic", "rooms", "two")
		p.see("document.activeElement.name + document.activeElement.ariaInvalid", "roomstrue")
		p.see(editTrouble("rooms"), "This is not a number")
		p.see("sent.join()", "")
	})
	p.enter(editField("phone"), "")
	p.click(deleteBox("phone"))
	p.test("unsaved fields are still there after another view", func() {
		p.opens("#/visits")
		p.typeHash("#/flat/a%40site")
		p.see(editValues, "Attic,false,1200,false,EUR,false,false,,false,,false,,false,"+
			"100,false,two,false,,false,Rue A,false,69007,false,,true,"+
			"https://example.org/a,false,false")
		p.see("document.activeElement.tagName", "H1")
	})
	p.test("Cancel gives it up", func() {
		p.click(cancelEdit)
		p.wait("!" + isThere(editFields))
		p.opens("#/visits")
		p.typeHash("#/flat/a%40site")
		p.click(editButton)
		p.see(valueOf(editField("title")), "Loft")
	})
}

// TestPageEditOpen tests which changes and keys leave the fields open.
func TestPageEditOpen(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.click(editButton)
	p.enter(editField("title"), "Attic")
	p.test("a decision, and Escape", func() {
		p.setStatus("followed")
		p.see(statuses, "To sort,Followed!,Contacted,Visited,Applied")
		p.focus(editField("rooms"))
		p.key("Escape")
		p.enter(editField("rooms"), "3,0")
		p.see(`document.activeElement.ariaInvalid`, "false")
	})
	p.test("a failure, which says what was to be saved", func() {
		p.eval("down = true")
		p.click(saveEdit)
		p.see(failure, "Loft: Title Attic. That did not work: no network connection.")
		p.see(valueOf(editField("title")), "Attic")
	})
	p.test("the button of the failure tries again", func() {
		p.eval("down = false")
		p.click(failureButton)
		p.see(heading, "Attic")
		p.see("sent.join()", `{"status":"followed"},{"title":"Attic"}`)
		p.see(corrections, "Title: Attic corrected The listing says Loft")
	})
}

// TestPageEditDelete tests that nothing is deleted by accident, and that what the listing says can be restored.
func TestPageEditDelete(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.correct("title", "Attic")
	p.see(corrections, "Title: Attic corrected The listing says Loft")
	p.test("an emptied field says that a box deletes its value", func() {
		p.click(editButton)
		p.enter(editField("phone"), "")
		p.see(deleteLine("phone"), "Tick to delete; otherwise 0199 is kept.")
	})
	p.test("the box deletes it, and a button restores the value of the listing", func() {
		p.click(deleteBox("phone"))
		p.click(restoreListed("title"))
		p.see(valueOf(editField("title")), "Loft")
		p.click(saveEdit)
		p.see(corrections, "Phone: nothing corrected The listing says 0199")
	})
	p.test("the button also restores a deleted value", func() {
		p.click(editButton)
		p.click(restoreListed("phone"))
		p.click(saveEdit)
		p.see(corrections, "")
		p.see("sent.slice(-2).join()", `{"title":"Loft","phone":null},{"phone":"0199"}`)
	})
}

// TestPageEditLink tests that the first link and the text can be changed, too.
func TestPageEditLink(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.test("a text that is no link is marked", func() {
		p.correct("link", "example.org")
		p.see("document.activeElement.name", "link")
		p.see(editTrouble("link"), "This is not a link")
		p.pressUnseen(cancelEdit)
	})
	p.test("the other links stay, and the text is only ever text", func() {
		p.correct("link", "https://example.org/b", "text", "Loud.\nWith a <b>garden</b>.")
		p.see("sent.join()", `{"text":"Loud.\nWith a <b>garden</b>.",`+
			`"urls":["https://example.org/b","https://example.net/a"]}`)
		p.see(listingText, "Loud.\nWith a <b>garden</b>.")
		p.see(sourceHrefs, "https://example.org/b,https://example.net/a")
	})
	p.test("Undo restores both", func() {
		p.press("u")
		p.see(listingText, "Quiet.\nThird floor.")
		p.see(sourceHrefs, "https://example.org/a,https://example.net/a")
	})
	p.test("the text can be deleted", func() {
		p.click(editButton)
		p.enter(editField("text"), "")
		p.click(deleteBox("text"))
		p.click(saveEdit)
		p.see(listingText, "")
	})
}

// TestPageEditAdds tests that the user can add what the listing does not say, and remove it again.
func TestPageEditAdds(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openEdit(t)
	p.typeHash("#/flat/b%40site")
	p.see(heading, "Bare")
	p.test("a postal code that the service does not know, and does not serve", func() {
		p.correct("service_postal_code", "99999")
		p.see(corrections, "Postal code: 99999 corrected The listing says nothing")
		p.press("u")
		p.see(corrections, "")
	})
	const currency = "Currency: CHF corrected The listing says nothing"
	p.test("a cost brings its currency", func() {
		p.correct("cost", "CHF 1'240.–")
		p.see(corrections, "Cost: CHF\u00a01,240 corrected The listing says no price; "+currency)
	})
	p.test("the currency stays when the cost is removed", func() {
		p.click(editButton)
		p.click(restoreListed("cost"))
		p.click(saveEdit)
		p.see(corrections, currency)
	})
}

// TestPageEditListed tests that the form shows what the listing says about link and text, as about other fields.
func TestPageEditListed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, `[{"id": "a@s", "title": "Loft", "text": "Mine.",
		"urls": ["https://s.example/mine", "https://s.example/2"]}]`), "#/", 1280)
	listed := "Listed. " + strings.Repeat("On and on. ", 20)
	said := fmt.Sprintf(`"corrected":{"text":%q,"urls":["https://s.example/1","https://s.example/3"]}`, listed)
	correct := func(answer *http.Response) {
		if answer.Request.URL.Query().Get("fields") == "corrected" {
			body, _ := io.ReadAll(answer.Body)
			setBody(answer, strings.NewReader(strings.Replace(string(body), `"corrected":null`, said, 1)))
		}
	}
	network.change.Store(&correct)
	p.eval(`window.sent = []; ((send) => window.fetch = (url, options) => {
		if (options?.method === "PATCH") sent.push(options.body);
		return send(url, options);
	})(fetch)`)
	p.goTo("#/flat/a%40s", ".corrected li")
	listedCut := listed[:80] + "…" // as the page shows it
	p.test("the marks name both, the text cut", func() {
		p.see(corrections, "Link: https://s.example/mine corrected The listing says https://s.example/1; "+
			"Text: Mine. corrected The listing says "+listedCut)
	})
	p.test("the fields say what the listing says, the text cut", func() {
		p.click(editButton)
		p.see(listedInEdit, "The listing says https://s.example/1; The listing says "+listedCut)
	})
	p.test("the text comes back whole, and the link with the others that the listing has", func() {
		p.click(restoreListed("text"))
		p.see(valueOf(editField("text")), listed)
		p.click(restoreListed("link"))
		p.click(saveEdit)
		p.see("sent.join()", encode(map[string]any{"text": listed, "urls": []string{"https://s.example/1",
			"https://s.example/3"}}))
	})
}

// TestPageEditEnter tests that "Save" is in sight as soon as the fields are, and that Enter saves and says which
// values.
func TestPageEditEnter(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "text": "Quiet.",
		"photos": ["https://127.0.0.1:1/x"]}]`, "#/flat/a%40site", 1280)
	for width, rooms := range map[int]string{1280: "2", 390: "3"} {
		p.resize(width)
		p.test(fmt.Sprintf("Save is in sight at %d pixels", width), func() {
			p.wait(isThere(editButton))
			p.press("e")
			p.see("document.activeElement.name", "title")
			p.letPass(11) // without the earlier notice
			p.eval("scrollTo(0, 0)")
			p.see(saveIsInSight, "true")
		})
		p.test(fmt.Sprintf("Enter saves at %d pixels, with Undo", width), func() {
			p.enter(editField("rooms"), rooms)
			p.key("Enter")
			p.see(noticeWhole, "Loft: Rooms "+rooms+" Undo")
			p.see(count(editFields), "0")
			p.seeFlat("a@site", "rooms", rooms)
		})
	}
}

// TestPageEditElsewhere tests that a correction shows which value unknown to the form it replaces, and that Undo
// restores this value.
func TestPageEditElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3,
		"urls": ["https://example.org/a"]}]`, "#/flat/a", 1280)
	const area = "Area: 90\u00a0m² corrected The listing says 100\u00a0m²; "
	const rooms = "Rooms: 2 corrected The listing says 3"
	p.test("a field that was not changed here is not sent, and one with the same value replaces nothing", func() {
		p.click(editButton)
		p.enter(editField("cost"), "1100")
		p.enter(editField("rooms"), "2")
		p.changeElsewhere("a", `{"cost": 1150, "area": 90, "rooms": 2}`)
		p.click(saveEdit)
		p.see(notice, "Loft: Cost €1,100, Rooms 2. This replaced a decision made elsewhere: Cost €1,150")
		p.see(corrections, "Cost: €1,100 corrected The listing says €1,200; "+area+rooms)
		p.press("u")
		p.see(corrections, "Cost: €1,150 corrected The listing says €1,200; "+area+rooms)
	})
	p.test("Undo corrects nothing where the value of the listing was restored elsewhere", func() {
		p.click(editButton)
		p.enter(editField("cost"), "1000")
		p.changeElsewhere("a", `{"cost": 1200}`)
		p.click(saveEdit)
		p.see(notice, "Loft: Cost €1,000. This replaced a decision made elsewhere: Cost €1,200")
		p.see(corrections, "Cost: €1,000 corrected The listing says €1,200; "+area+rooms)
		p.press("u")
		p.see(corrections, area+rooms)
	})
	editLater(p)
}

// editLater leaves the fields, and saves them later.
func editLater(p *tab) {
	p.test("what was typed before the view was left is compared with what the flat was then", func() {
		p.click(editButton)
		p.enter(editField("title"), "Attic")
		p.enter(editField("link"), "https://example.org/c")
		p.opens("#/visits")
		p.changeElsewhere("a", `{"title": "Den", "urls": ["https://example.org/b"]}`)
		p.goTo("#/flat/a", editFields)
		p.see(valueOf(editField("title")), "Attic")
		p.see(valueOf(editField("link")), "https://example.org/c")
		p.click(saveEdit)
		p.see(notice, "Loft: Title Attic, Link https://example.org/c. "+
			"This replaced a decision made elsewhere: Title Den, Link https://example.org/b")
		p.press("u")
		p.see(heading, "Den")
		p.see(sourceHrefs, "https://example.org/b")
	})
}

// TestPageEditReload tests that unsaved corrections outlive a reload.
func TestPageEditReload(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "cost": 1200}, {"id": "b", "title": "Bare"}]`, "#/flat/a", 1280)
	typed := valueOf(editFields + " " + editField("cost"))
	typeAndReload := func(cost string) {
		p.click(editButton)
		p.enter(editField("cost"), cost)
		p.reload()
		p.see(typed, cost)
	}
	p.test("fields in which nothing was typed close", func() {
		p.click(editButton)
		p.wait(isThere(editFields))
		p.reload()
		p.wait(isThere(editButton))
	})
	p.test("what was typed stays, also while another view is open", func() {
		typeAndReload("1150")
		p.goTo("#/flat/b", editButton)
		p.reload()
		p.goTo("#/flat/a", editFields)
		p.see(typed, "1150")
		p.reload()
		p.see(typed, "1150")
	})
	p.test("Save stores what was typed before a reload", func() {
		p.click(saveEdit)
		p.wait(isThere(editButton))
		p.seeFlat("a", "cost", "1150")
	})
	p.test("what was cancelled is not there after a reload", func() {
		typeAndReload("1100")
		p.click(cancelEdit)
		p.wait(isThere(editButton))
		p.reload()
		p.wait(isThere(editButton))
		p.rest(forDrawing) // the fields would open a little later
		p.see(count(editFields), "0")
	})
}
