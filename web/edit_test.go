// Tests of corrections and notes.

package web

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestPageEdit tests that fields correct the facts, that nothing is deleted by
// accident, and that what the listing says is named and can be restored.
func TestPageEdit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
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
	const marks = `[...document.querySelectorAll(".corrected li")].map((line) => line.innerText).join("; ")`
	// correct opens the fields, types the values by name, and saves them.
	correct := func(typed ...string) {
		t.Helper()
		p.click(".edit")
		for i := 0; i < len(typed); i += 2 {
			p.enter("[name="+typed[i]+"]", typed[i+1])
		}
		p.click(".editing .primary")
	}
	p.wait(`document.querySelector(".edit")`)
	p.press("e")
	p.see("document.activeElement.name", "title")
	p.see(`[...document.querySelectorAll(".editing input[name]")].filter(({name, offsetWidth}) =>
		offsetWidth < (name === "link" || name === "title" ? 200 : 90)).map(({name}) => name).join()`, "")
	p.see(`[...document.querySelectorAll(".editing label[for]")].map((label) => label.innerText + " " +
		document.getElementById(label.htmlFor).value).join("; ")`,
		"Title Loft; Cost 1200; Currency EUR; Utilities ; Utilities a month ; Deposit ; Fee ; Area 100; "+
			"Rooms 3; Bedrooms ; Place Rue A; Postal code 69007; Phone 0199; "+
			"Link https://example.org/a; Text Quiet.\nThird floor.")
	p.click(".editing .primary") // nothing was changed, so nothing is sent
	p.see("document.activeElement.className", "edit")
	// Only what was changed is sent. A field that is emptied deletes nothing unless its box is ticked.
	correct("cost", "1.150 €", "area", "72 m²", "rooms", "2,5", "bedrooms", "", "service_postal_code", " 69003 ",
		"phone", "")
	p.see("sent.join()", `{"cost":1150,"area":72,"rooms":2.5,"service_postal_code":"69003"}`)
	p.see(`document.querySelector(".notice p")?.textContent`,
		"Loft: Cost €1,150, Area 72\u00a0m², Rooms 2.5, Postal code 69003")
	p.see(marks, "Cost: €1,150 corrected The listing says €1,200; "+
		"Area: 72\u00a0m² corrected The listing says 100\u00a0m²; Rooms: 2.5 corrected The listing says 3; "+
		"Postal code: 69003 corrected The listing says 69007")
	p.see(`document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`, "€1,150 72 m² €16/m² 2.5 rooms")
	p.see(`document.querySelector(".address").innerText.includes("Rue A, 69003 Lyon 3e")`, "true")
	p.press("u")
	p.see(marks, "")
	p.see(`document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`, "€1,200 100 m² €12/m² 3 rooms")
	// Undo leaves what an import has said meanwhile. It restores an earlier correction, also where the listing's
	// value was taken instead.
	correct("cost", "1100", "rooms", "4")
	p.see(marks, "Cost: €1,100 corrected The listing says €1,200; Rooms: 4 corrected The listing says 3")
	p.see(`document.querySelector(".corrected").getBoundingClientRect().top -
		document.querySelector(".editable > .line").getBoundingClientRect().bottom`, "8")
	p.bring(`[{"id": "a@site", "cost": 900}]`)
	p.press("u")
	p.see(marks, "")
	p.see(`document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`, "€900 100 m² €9/m² 3 rooms")
	correct("cost", "950")
	const first = "Cost: €950 corrected The listing says €900"
	p.see(marks, first)
	correct("cost", "980")
	p.see(marks, "Cost: €980 corrected The listing says €900")
	p.press("u")
	p.see(marks, first)
	correct("cost", "900")
	p.see(`document.querySelector(".notice p")?.textContent`, "Loft: Cost €900")
	p.see(marks, "")
	p.press("u")
	p.see(marks, first)
	p.press("u")
	p.see(marks, "")
	// A text that is no number is marked, and nothing is sent.
	p.eval("sent.length = 0")
	correct("title", "Attic", "rooms", "two")
	p.see(`document.activeElement.name + document.activeElement.ariaInvalid`, "roomstrue")
	p.see(`document.getElementById("edit-trouble-rooms").innerText`, "This is not a number")
	// What was typed is there again where the view was left meanwhile, until it is given up.
	p.enter("[name=phone]", "")
	p.click(".field:has([name=phone]) [type=checkbox]")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/flat/a%40site"`)
	p.see(`[...document.querySelectorAll(".editing input")].filter(({name, value, checked}) => name ? value : checked)
		.map((input) => input.name ? input.value : input.closest(".field").querySelector("[name]").name).join()`,
		"Attic,900,EUR,100,two,Rue A,69007,phone,https://example.org/a")
	p.see("document.activeElement.tagName", "H1")
	p.click(".editing > .line [type=button]")
	p.wait(`!document.querySelector(".editing")`)
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/flat/a%40site"`)
	p.click(".edit")
	p.see(`document.querySelector("[name=title]")?.value`, "Loft")
	p.enter("[name=title]", "Attic")
	// An update from elsewhere on the page, and Escape, leave the fields open.
	p.click(".own [data-status=followed]")
	p.wait(`document.querySelector(".own [data-status=followed][aria-pressed=true]")`)
	p.eval(`document.querySelector("[name=rooms]").focus()`)
	p.key("Escape")
	p.enter("[name=rooms]", "3,0")
	p.see(`document.querySelector("[name=rooms]").ariaInvalid`, "false")
	p.eval("down = true")
	p.click(".editing .primary")
	p.see(`document.querySelector("[role=alert] p")?.innerText`,
		"Loft: Title Attic. That did not work: no network connection.")
	p.see(`document.querySelector("[name=title]").value`, "Attic")
	p.eval("down = false")
	p.click("[role=alert] button")
	p.see(`document.querySelector("h1").innerText`, "Attic")
	p.see("sent.join()", `{"status":"followed"},{"title":"Attic"}`)
	p.see(marks, "Title: Attic corrected The listing says Loft")
	// A box deletes a value, and a button restores that of the listing.
	p.click(".edit")
	p.enter("[name=phone]", "")
	p.see(`document.querySelector(".field:has([name=phone]) .line").innerText`, "Tick to delete; otherwise 0199 is kept.")
	p.click(".field:has([name=phone]) [type=checkbox]")
	p.click(".field:has([name=title]) button")
	p.see(`document.querySelector("[name=title]").value`, "Loft")
	p.click(".editing .primary")
	p.see(marks, "Phone: nothing corrected The listing says 0199")
	p.click(".edit")
	p.click(".field:has([name=phone]) button")
	p.click(".editing .primary")
	p.see(marks, "")
	p.see(`sent.slice(-2).join()`, `{"title":"Loft","phone":null},{"phone":"0199"}`)
	// The first link and the text can be changed, too. The other links stay, and Undo restores what was there.
	p.eval("sent.length = 0")
	correct("link", "example.org")
	p.see(`document.activeElement.name + document.getElementById("edit-trouble-link").innerText`, "linkThis is not a link")
	p.eval(`document.querySelector(".editing [type=button]").click()`)
	correct("link", "https://example.org/b", "text", "Loud.\nWith a <b>garden</b>.")
	p.see("sent.join()", `{"text":"Loud.\nWith a <b>garden</b>.",`+
		`"urls":["https://example.org/b","https://example.net/a"]}`)
	p.see(`document.querySelector("p.text").textContent`, "Loud.\nWith a <b>garden</b>.")
	p.see(`[...document.querySelectorAll(".source a")].map(({href}) => href).join()`,
		"https://example.org/b,https://example.net/a")
	p.press("u")
	p.see(`document.querySelector("p.text").textContent`, "Quiet.\nThird floor.")
	p.see(`document.querySelector(".source a").href`, "https://example.org/a")
	p.click(".edit")
	p.enter("[name=text]", "")
	p.click(".field:has([name=text]) [type=checkbox]")
	p.click(".editing .primary")
	p.see(`document.querySelector("p.text").textContent`, "")
	// What the listing does not say can be added, and removed again. The service does not serve a postal code
	// that it does not know, but the page shows it, and Undo removes it. A cost brings its currency.
	p.eval(`location.hash = "#/flat/b%40site"`)
	p.see(`document.querySelector("h1")?.innerText`, "Bare")
	correct("service_postal_code", "99999")
	p.see(marks, "Postal code: 99999 corrected The listing says nothing")
	p.press("u")
	p.see(marks, "")
	correct("cost", "CHF 1'240.–")
	const currency = "Currency: CHF corrected The listing says nothing"
	p.see(marks, "Cost: CHF\u00a01,240 corrected The listing says no price; "+currency)
	p.click(".edit")
	p.click(".field:has([name=cost]) button")
	p.click(".editing .primary")
	p.see(marks, currency)
	p.resize(320)
	p.click(".edit")
	p.wait(`document.querySelector(".editing")`)
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.see(`[...document.querySelectorAll(".editing :is(button, input:not([type=checkbox]), .line)")]
		.filter((control) => control.offsetHeight > 0 && control.offsetHeight < 44)
		.map((control) => control.outerHTML).join()`, "")
	p.checkFaults()
}

// TestPageEditListed tests that the form says of a link and a text what the listing says, as of other fields, and that
// the link of the listing comes back with the others that it has.
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
	short := listed[:80] + "…"
	p.see(`[...document.querySelectorAll(".corrected li")].map((line) => line.innerText).join("; ")`,
		"Link: https://s.example/mine corrected The listing says https://s.example/1; "+
			"Text: Mine. corrected The listing says "+short)
	p.click(".edit")
	p.see(`[...document.querySelectorAll(".editing .soft")].map(({innerText}) => innerText).join("; ")`,
		"The listing says https://s.example/1; The listing says "+short)
	p.click(".field:has([name=text]) button")
	p.see(`document.querySelector(".editing [name=text]").value`, listed)
	p.click(".field:has([name=link]) button")
	p.click(".editing .primary")
	p.see("sent.join()", encode(map[string]any{"text": listed, "urls": []string{"https://s.example/1",
		"https://s.example/3"}}))
	p.checkFaults()
}

// TestPageEditEnter tests that "Save" is in sight as soon as the fields are, and that Enter saves and says what.
func TestPageEditEnter(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a@site", "title": "Loft", "cost": 1200, "currency": "EUR", "text": "Quiet.",
		"photos": ["https://127.0.0.1:1/x"]}]`, "#/flat/a%40site", 1280)
	for width, rooms := range map[int]string{1280: "2", 390: "3"} {
		p.resize(width)
		p.wait(`document.querySelector(".edit")`)
		p.press("e")
		p.see("document.activeElement.name", "title")
		p.eval("pass(11), scrollTo(0, 0)") // without the notice of before
		p.see(`(({left, right, top, bottom}) => document.querySelector(".editing .primary")
			.contains(document.elementFromPoint((left + right) / 2, bottom - 2)) && bottom <= innerHeight && top > 0)(
			document.querySelector(".editing .primary").getBoundingClientRect())`, "true")
		p.enter("[name=rooms]", rooms)
		p.key("Enter")
		p.see(`document.querySelector(".notice p")?.innerText.replace(/\s+/g, " ")`, "Loft: Rooms "+rooms)
		p.see(`document.querySelector(".notice button")?.innerText + document.querySelectorAll(".editing").length`, "Undo0")
		p.seeFlat("a@site", "rooms", rooms)
	}
	p.checkFaults()
}

// TestPageEditElsewhere tests that corrections name what they replace that the form did not know, and that Undo
// restores it.
func TestPageEditElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "cost": 1200, "currency": "EUR", "area": 100, "rooms": 3,
		"urls": ["https://example.org/a"]}]`, "#/flat/a", 1280)
	const marks = `[...document.querySelectorAll(".corrected li")].map((line) => line.innerText).join("; ")`
	const notice = `document.querySelector(".notice p")?.textContent`
	const area = "Area: 90\u00a0m² corrected The listing says 100\u00a0m²; "
	const rooms = "Rooms: 2 corrected The listing says 3"
	other := func(fields string) {
		p.eval(`fetch("api/v1/flat/a", {method: "PATCH", body: ` + encode(fields) + `})`)
	}
	// A field that was not changed here is not sent, and one that has the same value already is replaced by nothing.
	p.click(".edit")
	p.enter("[name=cost]", "1100")
	p.enter("[name=rooms]", "2")
	other(`{"cost": 1150, "area": 90, "rooms": 2}`)
	p.click(".editing .primary")
	p.see(notice, "Loft: Cost €1,100, Rooms 2. This replaced a decision made elsewhere: Cost €1,150")
	p.see(marks, "Cost: €1,100 corrected The listing says €1,200; "+area+rooms)
	p.press("u")
	p.see(marks, "Cost: €1,150 corrected The listing says €1,200; "+area+rooms)
	// Undo corrects nothing where the value of the listing was restored elsewhere.
	p.click(".edit")
	p.enter("[name=cost]", "1000")
	other(`{"cost": 1200}`)
	p.click(".editing .primary")
	p.see(notice, "Loft: Cost €1,000. This replaced a decision made elsewhere: Cost €1,200")
	p.see(marks, "Cost: €1,000 corrected The listing says €1,200; "+area+rooms)
	p.press("u")
	p.see(marks, area+rooms)
	// What was typed before the view was left is compared with what the flat was then.
	p.click(".edit")
	p.enter("[name=title]", "Attic")
	p.enter("[name=link]", "https://example.org/c")
	p.goTo("#/visits", "h1")
	other(`{"title": "Den", "urls": ["https://example.org/b"]}`)
	p.goTo("#/flat/a", ".editing")
	p.see(`["title", "link"].map((name) => document.querySelector("[name=" + name + "]").value).join()`,
		"Attic,https://example.org/c")
	p.click(".editing .primary")
	p.see(notice, "Loft: Title Attic, Link https://example.org/c. "+
		"This replaced a decision made elsewhere: Title Den, Link https://example.org/b")
	p.press("u")
	p.see(`document.querySelector("h1").innerText + " " + document.querySelector(".source a").href`,
		"Den https://example.org/b")
	p.checkFaults()
}

// TestPageEditReload tests that unsaved corrections outlive a reload, also while another view is open, until they are
// saved or cancelled.
func TestPageEditReload(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft", "cost": 1200}, {"id": "b", "title": "Bare"}]`, "#/flat/a", 1280)
	const typed = `document.querySelector(".editing [name=cost]")?.value`
	p.click(".edit")
	p.wait(`document.querySelector(".editing")`)
	p.reload()
	p.wait(`document.querySelector(".edit")`) // nothing was typed
	p.click(".edit")
	p.enter(".editing [name=cost]", "1150")
	p.reload()
	p.see(typed, "1150")
	p.goTo("#/flat/b", ".edit")
	p.reload()
	p.goTo("#/flat/a", ".editing")
	p.see(typed, "1150")
	p.reload()
	p.see(typed, "1150")
	p.click(".editing .primary")
	p.wait(`document.querySelector(".edit")`)
	if got := p.flat("a", "cost"); got != "1150" {
		t.Errorf("cost = %s; want 1150", got)
	}
	p.click(".edit")
	p.enter(".editing [name=cost]", "1100")
	p.reload()
	p.see(typed, "1100")
	p.click(".editing .primary + button") // Cancel
	p.wait(`document.querySelector(".edit")`)
	p.reload()
	p.wait(`document.querySelector(".edit")`)
	p.eval("new Promise((done) => setTimeout(done, 200))") // the fields would open a little later
	p.see(`document.querySelectorAll(".editing").length`, "0")
	p.checkFaults()
}

// TestPageNotes tests that notes save themselves, survive a lost network, and
// are not overwritten by another device.
func TestPageNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 390)
	saved := `document.querySelector("#saved").innerText`
	p.wait(`document.querySelector("#notes")`)
	p.see(`["visit", "notes"].map((id) => document.getElementById(id).getBoundingClientRect().top -
		document.querySelector("[for=" + id + "]").getBoundingClientRect().bottom).join()`, "8,8")
	// "Notes" in the bar shows their name, and the first box beneath it.
	p.enter("#notes", strings.Repeat("- [ ] Noise\n", 12))
	p.wait(`document.querySelectorAll(".notes .boxes li").length === 12`)
	p.click(".bar button:nth-last-child(2)")
	p.see(`(([name, first]) => name.top >= 0 && name.top < 24 && name.bottom <= first.top)(
		[".own .notes > .line:first-child", ".notes .boxes li"].map((part) =>
			document.querySelector(part).getBoundingClientRect()))`, "true")
	p.enter("#notes", "")
	network.down.Store(true)
	p.enter("#notes", "Second bell, ask for the cellar.")
	p.wait("/Kept/.test(" + saved + ")")
	network.down.Store(false)
	p.see(saved, "Saved")
	if got := p.flat("4711", "notes"); got != "Second bell, ask for the cellar." {
		t.Errorf("notes = %q; want those that were typed", got)
	}
	// A reload loses no notes that are not saved yet; any view sends them.
	p.enter("#notes", "It is damp.")
	p.eval(`location.hash = "#/"`)
	p.reload()
	p.wait(`fetch("api/v1/flats/4711").then((r) => r.json()).then(({data}) => data.notes === "It is damp.")`)
	p.eval(`location.hash = "#/flat/4711"`)
	p.see(`document.querySelector("#notes")?.value`, "It is damp.")
	p.see(`localStorage[keptAs("flats.notes.4711")]`, "undefined")
	// A draft that another tab of this browser has left is not overwritten: the page asks, once, even if the other tab
	// saves it after all.
	for _, isSaved := range []bool{false, true} {
		p.eval(`localStorage[keptAs("flats.notes.4711")] = JSON.stringify({text: "Ask for the key.", base: "It is damp."})`)
		p.enter("#notes", "Call at six.")
		p.see(`document.querySelector(".versions p")?.innerText`, "Ask for the key.")
		p.reload()
		p.see(`document.querySelector(".versions p")?.innerText`, "Ask for the key.")
		p.see(saved, "Not saved: changed elsewhere.")
		if isSaved {
			p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: '{"notes": "Ask for the key."}'})`)
		}
		p.click(".versions button")
		p.see(saved, "Saved")
		if got := p.flat("4711", "notes"); got != "Ask for the key.\n\nCall at six." {
			t.Errorf("notes after Keep both = %q; want both versions", got)
		}
		p.enter("#notes", "It is damp.")
		p.see(`localStorage[keptAs("flats.notes.4711")]`, "undefined")
	}
	// If two tabs write at the same time, the second one shows both versions and asks.
	other := p.openOther("#/flat/4711")
	other.see(`document.querySelector("#notes")?.value`, "It is damp.")
	p.enter("#notes", "Ours.")
	p.see(saved, "Saved")
	other.enter("#notes", "Theirs.")
	other.see(`document.querySelector(".versions p")?.innerText`, "Ours.")
	other.see(saved, "Not saved: changed elsewhere.")
	other.see(`document.querySelector(".versions ~ textarea").id`, "notes")
	other.click(".versions button")
	other.see(saved, "Saved")
	if got := p.flat("4711", "notes"); got != "Ours.\n\nTheirs." {
		t.Errorf("notes after Keep both = %q; want both versions", got)
	}
	// For other fields the last update wins, and does not affect the notes.
	p.enter("#notes", "Ours.\n\nTheirs.")
	p.click(".own [data-status=contacted]")
	p.see(`document.querySelector(".own [data-status=contacted]").ariaPressed`, "true")
	other.click(".own [data-status=visited]")
	other.see(`document.querySelector(".own [data-status=visited]").ariaPressed`, "true")
	other.enter("#notes", "Agreed.")
	other.see(saved, "Saved")
	other.see(`document.querySelectorAll(".versions p").length`, "0")
	if got := p.flat("4711", "notes") + p.flat("4711", "status"); got != "Agreed.visited" {
		t.Errorf("notes and status = %q; want Agreed.visited", got)
	}
	// The checklist consists of lines of the notes.
	other.click(".notes .line button")
	other.see(`document.querySelectorAll(".boxes input").length`, "12")
	other.click(".as-text")
	for _, width := range []int{390, 1280} {
		other.resize(width)
		other.eval(`document.querySelector("#notes").scrollIntoView({block: "end"})`)
		other.see(`(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
			document.querySelector("#saved").getBoundingClientRect())`, "true")
	}
	other.click(".as-text")
	other.click(".boxes li:nth-child(2) input")
	other.wait(`document.querySelector("#notes").value
		.startsWith("Agreed.\n- [ ] Water pressure\n- [x] Noise\n- [ ] Mould")`)
	other.see(saved, "Saved")
	if got := p.flat("4711", "notes"); !strings.Contains(got, "- [x] Noise") {
		t.Errorf("notes = %q; want a ticked box for Noise", got)
	}
	// A box has room for an answer, which stands in its line.
	other.eval(`document.querySelector(".boxes li:nth-child(2) textarea").focus()`)
	other.press("by day: yes")
	other.see(`document.activeElement.ariaLabel + ": " + document.activeElement.value`, "Noise: answer: by day: yes")
	other.see(saved, "Saved")
	other.click(".boxes li:nth-child(2) input")
	other.wait(`document.querySelector("#notes").value.includes("pressure\n- [ ] Noise: by day: yes\n- [ ] Mould")`)
	other.see(`document.querySelector(".boxes li:nth-child(2) textarea").value`, "by day: yes")
	other.see(`document.querySelector(".notes .line button").hidden`, "true")
	p.checkFaults()
	other.checkFaults()
}

// TestPageNotesLeaving tests that notes are sent when the page is hidden or closed while they are typed, once, with
// the rules of notes.
func TestPageNotesLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 390)
	service := network.target.Load().String()
	checkNotes := func(want string) {
		t.Helper()
		var got struct{ Data struct{ Notes string } }
		for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			_, body := get(t, service+"/api/v1/flats/4711")
			if json.Unmarshal([]byte(body), &got); got.Data.Notes == want {
				return
			}
		}
		t.Errorf("notes = %q; want %q", got.Data.Notes, want)
	}
	var updates atomic.Int32
	count := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			updates.Add(1)
		}
	}
	network.change.Store(&count)
	const hide = `Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
		document.dispatchEvent(new Event("visibilitychange", {bubbles: true}));`
	typed := func(p *tab, notes, then string) {
		t.Helper()
		p.wait(`document.querySelector("#notes")`)
		p.eval(fmt.Sprintf(`{ const field = document.querySelector("#notes"); field.value = %s;
			field.dispatchEvent(new Event("input")); }; %s 0`, encode(notes), then))
	}
	const saved = `document.querySelector("#saved").innerText`
	// A page that is hidden sends at once; one that stays open asks again, and sends nothing twice.
	p.wait(`document.querySelector("#notes")`)
	network.latency.Store(100)
	typed(p, "Hidden.", `window.timer = setTimeout; window.setTimeout = () => {}; `+hide)
	checkNotes("Hidden.")
	p.eval(`window.setTimeout = timer, 0`)
	p.see(saved, "Saved")
	typed(p, "Hidden twice.", hide+hide)
	p.see(saved, "Saved")
	p.eval(`new Promise((done) => setTimeout(done, 1500))`)
	checkNotes("Hidden twice.")
	if got := updates.Load(); got != 2 {
		t.Errorf("%d updates; want 2", got)
	}
	// Another address, and a tab that is closed, with the worker too.
	for i, worker := range []bool{false, true} {
		for _, leave := range []string{"leave", "close"} {
			other := p.openOther("#/flat/4711")
			if worker {
				other.startWorker()
			}
			notes := fmt.Sprint(leave, i)
			if typed(other, notes, map[string]string{"leave": `location.href = "about:blank";`}[leave]); leave == "close" {
				other.do("Page.close", nil)
			}
			checkNotes(notes)
		}
	}
	// What somebody else wrote meanwhile stays, and the draft waits for an answer.
	p.reload()
	p.see(`document.querySelector("#notes")?.value`, "close1")
	network.latency.Store(0)
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: '{"notes": "Theirs."}'})`)
	typed(p, "Mine.", hide)
	p.see(`document.querySelector(".versions p")?.innerText`, "Theirs.")
	checkNotes("Theirs.")
	p.see(`JSON.parse(localStorage[keptAs("flats.notes.4711")]).text`, "Mine.")
	// Who types on before the page knows what has arrived is asked nothing.
	other := p.openOther("#/flat/4711")
	other.see(`document.querySelector("#notes")?.value`, "Theirs.")
	network.latency.Store(1000)
	typed(other, "Typed", "")
	other.reload()
	typed(other, "Typed on.", "")
	other.see(saved, "Saved")
	other.see(`document.querySelectorAll(".versions *").length`, "0")
	checkNotes("Typed on.")
	p.checkFaults()
}

// TestPageNotesNear tests that "Notes" at the bottom of a phone goes to the notes, or to their checklist.
func TestPageNotesNear(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const list = "Old.\n- [ ] Noise\n- [ ] Light"
	long := strings.Repeat("Word. ", 900)
	p := openTab(t, `[{"id": "a", "title": "Loft", "text": "`+long+`"},
		{"id": "b", "title": "Listed", "notes": `+encode(list)+`, "text": "`+long+`"}]`, "#/flat/a", 390)
	for _, c := range []struct{ id, notes, want string }{{"a", "", "textarea"}, {"b", list, "checkbox"}} {
		p.eval(`location.hash = "#/flat/` + c.id + `"`)
		p.see(`document.querySelector("#notes")?.value`, c.notes)
		p.see(`document.querySelector(".own .notes").getBoundingClientRect().top > innerHeight`, "true")
		p.clickOn(`[...document.querySelectorAll(".flat .bar button")].find(({innerText}) => innerText === "Notes")`)
		p.see(`document.activeElement.type + document.activeElement.closest("section").className`, c.want+"flat")
		p.see(`(([label, field, bar]) => label.top >= 0 && field.bottom <= bar.top)(
			[document.querySelector("[for=notes]"), document.activeElement, document.querySelector(".flat .bar")]
				.map((element) => element.getBoundingClientRect()))`, "true")
	}
	p.checkFaults()
}

// TestPageFocusLate tests that the focus stays where it is in a flat that comes late, with more controls than before.
func TestPageFocusLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic", "text": "Old", "status": "followed",
		"notes": "- [ ] Light\n- [ ] Noise"}]`, "#/flat/a", 1280)
	for text, selector := range map[string]string{"Button": ".own [data-status=contacted]", "Heading": ".flat h1",
		"Box": ".notes li:nth-child(2) input"} {
		p.goTo("#/flat/a", "#notes")
		p.goTo("#/", ".row")
		p.hold("GET", "/flats/a")
		p.eval(`fetch("api/v1/flat/a", {method: "PATCH", body: '{"text": "` + text + `", "phone": "0199 ` + text + `"}'})`)
		p.goTo("#/flat/a", "#notes") // as it was
		p.eval("document.querySelector(" + encode(selector) + ").focus()")
		p.eval("release()")
		p.see(`document.querySelector(".flat p.text").innerText`, text)
		p.see("document.activeElement === document.querySelector("+encode(selector)+")", "true")
	}
	p.checkFaults()
}

// TestPageNotesLate tests that a flat that comes late does not take the focus from what somebody types meanwhile, so
// that no letter acts as a key.
func TestPageNotesLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic", "text": "Old", "status": "followed"}]`, "#/flat/a", 1280)
	p.wait(`document.querySelector("#notes")`)
	p.goTo("#/", ".row")
	p.load("lib/kept")
	p.hold("GET", "/flats/a")
	p.eval(`fetch("api/v1/flat/a", {method: "PATCH", body: '{"text": "New"}'})`)
	p.goTo("#/flat/a", "#notes") // as it was
	p.press("n")
	p.see("document.activeElement.id", "notes")
	p.press("Bo")
	p.eval("release()")
	p.wait(`answered > 0 && kept.kept.flats.get("a").text === "New"`)
	p.eval("new Promise((done) => setTimeout(done, 300))")
	p.press("x")
	p.see(`document.querySelector("#notes").value`, "Box")
	p.see(found("a", "status"), `"followed"`)
	p.see(`document.querySelector(".flat p.text").innerText`, "Old")
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.click("#fresh button")
	p.see(`document.querySelector(".flat p.text").innerText`, "New")
	p.see(`document.querySelector("#notes").value`, "Box")
	p.checkFaults()
}

// TestPageStepLate tests that the choices of the next step stay when a decision that was made before has been saved.
func TestPageStepLate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for hash, decision := range map[string]string{
		"#/flat/a": ".own [data-status=contacted]",
		"#/triage": ".triage .stars :nth-child(4)",
		"#/today":  ".today .settle",
	} {
		visit := time.Now().Add(-time.Minute).UTC().Format(time.RFC3339) // Today asks for its outcome
		p := openTab(t, `[{"id": "a", "title": "Attic", "visit_date": "`+visit+`"}]`, hash, 1280)
		p.wait(`document.querySelector(".step")`)
		p.hold("PATCH", "")
		p.click(decision)
		p.click(".step")
		p.click("dialog [name=step]")
		p.press("Bo")
		p.eval("release()")
		p.wait("answered > 0")
		p.eval("new Promise((done) => setTimeout(done, 300))")
		p.press("x")
		p.see(`document.querySelector("dialog [name=step]")?.value`, "Box")
		p.checkFaults()
	}
}

// TestPageNotesAsked tests that the question about notes that were changed elsewhere leaves the field in which one
// types in sight, between the bars of a phone, and takes little of it.
func TestPageNotesAsked(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, lines := range []int{1, 30} {
		p := openTab(t, `[{"id": "a", "notes": "Mine.\n- [ ] Noise"}]`, "#/flat/a", 390)
		p.see(`document.querySelector("#notes").checkVisibility() + document.querySelector(".notes .words").innerText`,
			"falseMine.") // the boxes stand for their lines
		p.click(".notes .as-text")
		for _, field := range []string{"#notes", ".answer"} {
			p.click(field)
			theirs := encode(field + strings.Repeat(" is theirs.\n", lines))
			p.eval(`fetch("api/v1/flat/a", {method: "PATCH", body: JSON.stringify({notes: ` + theirs + `})})`)
			p.press("quiet")
			p.wait(`document.querySelector(".versions button")`)
			p.see(`(([field, bar]) => field.top >= 0 && field.bottom <= bar.top)(
				[document.activeElement, document.querySelector(".bar")]
					.map((element) => element.getBoundingClientRect()))`, "true")
			p.see(`document.activeElement.matches(`+encode(field)+`)`, "true")
			// However long the other notes are, the question takes little of the view, and all of them can be reached.
			p.see(`document.querySelector(".versions").offsetHeight < innerHeight * 0.3`, "true")
			p.see(`[...document.querySelectorAll(".versions button")].filter(({offsetHeight}) => offsetHeight >= 44)
				.length`, "3")
			p.see(`(text => text.tabIndex === 0 && getComputedStyle(text).overflowY)(document.querySelector(".versions p"))`,
				"auto")
			p.clickOn(`document.querySelectorAll(".versions button")[1]`) // Keep yours
			p.see(`document.querySelector("#saved").innerText`, "Saved")
		}
		p.checkFaults()
	}
}
