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
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// The fields of Add that are always shown.
const fieldTexts = `[...document.querySelectorAll(".add [name]")].slice(0, 10).map((field) => field.value).join("|")`

// linkID returns the id that the service makes of what links to a listing on a host have in common.
func linkID(host, rest string) string {
	return fmt.Sprintf("%.8x@%s", sha256.Sum256([]byte(host+rest)), host)
}

// TestPageAdd tests that a pasted link or text becomes a flat, that a link that is known opens its flat, and
// that fields left empty delete nothing.
func TestPageAdd(t *testing.T) {
	t.Parallel()
	p := openTab(t, `[{"id": "8@example.net", "title": "Known", "text": "Quiet.", "cost": 700, "currency": "CHF",
		"area": 40, "rooms": 2, "location": "Ost", "phone": "0199", "date": "2026-01-02",
		"urls": ["https://example.net/", "https://example.net/8?page=1&utm_source=mail#photos"]},
		{"id": "9@example.net", "title": "As its filter finds it", "urls": ["https://example.net/9"],
		"service_constraint": "lyon", "service_postal_code": "69003"}]`, "", 390)
	const title = `document.querySelector(".flat h1")?.innerText`
	p.click(".views a:last-child")
	p.see("location.hash + document.activeElement.closest('label')?.innerText", "#/addPaste a link or the listing's text")
	p.enter(".paste textarea", "https://www.example.org/flats/7?x=1\n2,5 Zi. mit Balkon in Kassel\n"+
		"Kaltmiete 900 €\nWarmmiete 1.050,50 €\n72 m²\nTel. 0561 5550199")
	p.see(fieldTexts, "https://www.example.org/flats/7?x=1|2,5 Zi. mit Balkon in Kassel|1050.5|EUR|72|2.5||Kassel|"+
		"0561 5550199|Kaltmiete 900 €\nWarmmiete 1.050,50 €\n72 m²\nTel. 0561 5550199")
	p.enter("[name=area]", "")
	p.enter("[name=code]", "69003")
	p.click(".add .primary")
	p.see(title, "2,5 Zi. mit Balkon in Kassel")
	id := linkID("example.org", "/flats/7?x=1")
	for member, want := range map[string]string{
		"cost": "1050.5", "utilities": "included", "rooms": "2.5", "currency": "EUR", "phone": "0561 5550199",
		"area": "<nil>", "status": "new",
		"location": "69003 Kassel", "urls": "[https://www.example.org/flats/7?x=1]", "service_constraint": "lyon",
		"service_postal_code": "map[gps:[45.7539 4.8691] name:Lyon 3e postal_code:69003]",
	} {
		if got := p.flat(id, member); got != want {
			t.Errorf("%s of the flat = %s; want %s", member, got, want)
		}
	}
	p.see(`document.querySelector("#bar [data-view=triage] .badge").innerText`, "3")
	p.eval(`location.hash = "#/add"`)
	p.see(fieldTexts, "|||||||||")
	// A link that is known, though it is not quite the same, nor the first of its flat.
	for _, c := range []struct{ link, want string }{
		{"http://www.example.net/8/?page=1&utm_medium=share", "Known"},
		{"https://example.net/9/#top", "As its filter finds it"},
		{"www.example.org/flats/7?x=1", "2,5 Zi. mit Balkon in Kassel"},
	} {
		p.eval(`location.hash = "#/add"`)
		p.paste(".paste textarea", c.link)
		p.see(title, c.want)
		p.click(".steps a")
		p.see("location.hash", "#/add")
		p.see(fieldTexts, "|||||||||")
	}
	// One that was typed only says so, also where it was left meanwhile. One that is passed on opens its flat.
	const isKnown = `document.querySelector(".known")?.innerText`
	p.wait(`document.activeElement.matches(".paste textarea")`)
	p.press("https://example.net/9")
	p.see(isKnown, "You already have this flat: As its filter finds it. Empty fields are left unchanged.")
	p.eval(`location.hash = ""`)
	p.wait(`document.querySelector(".list")`)
	p.eval(`location.hash = "#/add"`)
	p.see(isKnown, "You already have this flat: As its filter finds it. Empty fields are left unchanged.")
	p.see("location.hash", "#/add")
	p.eval(`location.hash = "#/add?url=https://example.net/9"`)
	p.see(title, "As its filter finds it")
	// So does one that a keyboard, or the browser, fills in at once without a paste.
	p.goTo("#/add", ".paste textarea")
	p.enter(".paste textarea", "")
	for _, field := range []string{".paste textarea", "[name=link]"} {
		p.goTo("#/add", ".paste textarea")
		p.eval("document.querySelector(" + encode(field) + ").focus()")
		p.do("Input.insertText", object{"text": "https://example.net/9"})
		p.see(title, "As its filter finds it")
		p.goTo("#/add", ".paste textarea")
		p.enter(field, "https://example.net/9")
		p.see(title, "As its filter finds it")
	}
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", "https://example.net/8?page=1\nTold of again\n2,5 Zimmer")
	p.see(`document.querySelector(".add .primary").innerText`, "Update it")
	p.see(`document.querySelector(".known").innerText`,
		"You already have this flat: Known. Empty fields are left unchanged.")
	// No notice covers that.
	p.load("parts/notice")
	p.eval(`notice.tell("Without a network. ".repeat(9), {error: true})`)
	p.see(`(() => {
		const {left, right, top, bottom} = document.querySelector(".known").getBoundingClientRect();
		return document.elementFromPoint((left + right) / 2, (top + bottom) / 2).closest("p, .notice").className;
	})()`, "known")
	p.click("[role=alert] .close")
	p.enter("[name=cost]", "750")
	p.see(`document.querySelector("[name=currency]").value`, "CHF")
	p.enter("[name=text]", " ")
	p.click(".add .primary")
	p.see(title, "Told of again")
	for member, want := range map[string]string{
		"text": "Quiet.", "cost": "750", "currency": "CHF", "area": "40", "rooms": "2.5", "location": "Ost",
		"phone": "0199", "date": "2026-01-02",
		"urls": "[https://example.net/ https://example.net/8?page=1&utm_source=mail#photos]",
	} {
		if got := p.flat("8@example.net", member); got != want {
			t.Errorf("%s of the flat added again = %s; want %s", member, got, want)
		}
	}
	p.checkFaults()
}

// TestPageWide tests that Add and Import use the width of a laptop, the fields beside the text that fills them and the
// log beside the form, and that a phone has one column.
func TestPageWide(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	for _, view := range []struct{ hash, left, right string }{
		{"#/add?title=Two&text=Two+rooms%0A900+%E2%82%AC", ".add .paste textarea", ".add [name=title]"},
		{"#/import", ".import form.card", ".import .log"},
	} {
		p.eval("location.hash = " + encode(view.hash))
		for _, width := range []int{1280, 900, 390, 320} {
			p.resize(width)
			p.wait("document.querySelector(" + encode(view.right) + ")?.checkVisibility()")
			p.see(fmt.Sprintf(`(() => {
				const [left, right] = [%s, %s].map((part) => document.querySelector(part).getBoundingClientRect());
				const isBeside = left.right < right.left && right.top < left.bottom && left.top < innerHeight / 2;
				const isBeneath = left.bottom < right.top;
				return innerWidth < 900 ? isBeneath : isBeside && right.right > innerWidth - 40;
			})()`, encode(view.left), encode(view.right)), "true")
			p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		}
	}
	// The button is in sight on a laptop without scrolling.
	p.resize(1280)
	p.eval(`location.hash = "#/add"`)
	p.see(`document.querySelector(".add .decision")?.getBoundingClientRect().bottom <= innerHeight`, "true")
	p.checkFaults()
}

// TestPageAddDetails tests that short facts of a text become details of the flat, that a text which does not say
// everything leaves fields empty, and that photos and a position come along, all as fields that one can change.
func TestPageAddDetails(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("o", 2000)
	p := openTab(t, `[{"id": "1@added", "title": "Known", "urls": ["https://example.org/1"], "details": {"pets": "no",
		"floor": "1"}, "bedrooms": 1}]`, "#/add", 390)
	const rare = `[...document.querySelectorAll(".add [name]")].slice(10).map(({value, parentElement: {hidden}}) =>
		hidden ? "-" : value).join("|")`
	const missing = `[...document.querySelectorAll(".add [placeholder]")].filter(({placeholder, value}) =>
		placeholder && !value).map(({name, placeholder}) => name + " " + placeholder).join()`
	p.see(rare+" + "+missing, "-|-|-")
	p.enter(".paste textarea", "Helle Wohnung in Kassel\n60 m²\nEtage: 3\nKaution: 1.800 €\nFrei ab: 01.02.2027\n"+
		"Energieeffizienzklasse: B\nSchlafzimmer: 2")
	p.see(rare, "Available from: 01.02.2027\nDeposit: 1.800 €\nEnergy class: B\nFloor: 3\nBedrooms: 2|-|-")
	p.see(missing, "cost not found,rooms not found,code not found")
	// The area of a home may be followed by what else it has, which may have an area of its own.
	for ad, area := range map[string]string{
		"Appartement T3 de 64,5 m² avec balcon":        "64.5",
		"Wohnung 64 m² mit Balkon":                     "64",
		"Wohnung mit 64 m² und Terrasse 8 m²":          "64",
		"45m2 + terrasse 10m2":                         "45",
		"82 m² lejlighed med altan på 6 m²":            "82",
		"Zwei Zimmer, Keller 6 m² und Balkon, 48 m²":   "48",
		"Studio, terrasse de 12 m² et jardin de 30 m²": "",
	} {
		p.enter(".paste textarea", ad)
		p.see(`document.querySelector("[name=area]").value`, area)
	}
	p.enter(".paste textarea", "Helle Wohnung in Kassel\n60 m²\nEtage: 3\nKaution: 1.800 €\nFrei ab: 01.02.2027\n"+
		"Energieeffizienzklasse: B\nSchlafzimmer: 2")
	p.see(`document.querySelector("[name=area]").value`, "60")
	p.enter("[name=details]", "Floor: 4\nBedrooms: 3\nwith a view\nMy own: <b>this</b>\n__proto__: x\nLong: "+long)
	p.click(".add .primary")
	p.see(`document.querySelector(".flat h1")?.innerText`, "Helle Wohnung in Kassel")
	id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice(7))`))
	want := "map[Long:" + long + " My own:this __proto__:x floor:4]3"
	if got := p.flat(id, "details") + p.flat(id, "bedrooms"); got != want {
		t.Errorf("details and bedrooms = %s, want %s", got, want)
	}
	p.see(`document.querySelector(".brief").innerText.replace(/\s+/g, " ")`, "My own this Proto x Floor 4")
	p.see(`document.querySelector(".source").innerText.split("\n")[0]`, "added by hand")
	// What is passed on about a known flat is added to it.
	p.eval(`location.hash = "#/add?" + new URLSearchParams({url: "https://example.org/1", text: "Etage: 5",
		gps: "48.1,11.5", photos: "https://example.org/a.jpg\njavascript:1\nhttp://example.org/b.jpg\ndata:image/png,x"})`)
	p.see(rare, "Floor: 5|48.1,11.5|https://example.org/a.jpg\nhttp://example.org/b.jpg")
	p.see(`document.querySelectorAll("main img").length`, "0")
	p.enter("[name=gps]", "48.1")
	p.see(`document.querySelector("[name=gps]").validationMessage`, "Enter latitude, longitude: 48.137, 11.576")
	p.enter("[name=gps]", "48.2, 11.6")
	p.click(".add .primary")
	p.see(`document.querySelector(".flat h1")?.innerText`, "Known")
	for member, want := range map[string]string{"details": "map[floor:5 pets:no]", "bedrooms": "1",
		"gps": "[48.2 11.6]", "photos": "[https://example.org/a.jpg http://example.org/b.jpg]"} {
		if got := p.flat("1@added", member); got != want {
			t.Errorf("%s = %s; want %s", member, got, want)
		}
	}
	p.checkFaults()
}

// TestPageAddByHand tests fields that are typed in: mistakes are marked, and Undo brings back what was cleared.
func TestPageAddByHand(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": 1, "title": "a", "cost": 1, "currency": "CHF"}]`, "#/add", 320)
	const wrong = `document.activeElement.name + ": " + document.activeElement.validationMessage`
	p.see(`[...document.querySelectorAll(".add label")].filter((label) => label.checkVisibility())
		.map(({innerText}) => innerText.trim().split("\n")[0]).join()`, "Paste a link or the listing's text,Link,Title,Cost,"+
		"Currency,Area,Rooms,Postal code,Place,Phone,Text")
	p.click(".add .primary")
	p.see(wrong, "link: Enter a link or a title")
	p.enter("[name=link]", "nowhere")
	p.click(".add .primary")
	p.see(wrong, "link: This is not a link")
	p.enter("[name=link]", "")
	p.enter(".paste textarea", "CHF 900 warm")
	p.enter("[name=title]", "Told of by a friend")
	p.enter("[name=cost]", "dear")
	p.click(".add .primary")
	p.see(wrong, "cost: This is not a number")
	p.enter("[name=cost]", "1'200")
	p.see(`document.querySelector("[name=currency]").value`, "CHF")
	p.see("document.scrollingElement.scrollWidth <= innerWidth", "true")
	p.see(`[...document.querySelectorAll(".add :is(input, textarea, button, a)")]
		.filter((control) => control.offsetHeight > 0 && control.offsetHeight < 44).length`, "0")
	p.click(".decision button:nth-of-type(2)")
	p.see(fieldTexts, "|||||||||")
	p.click(".notice button")
	p.see(fieldTexts, "|Told of by a friend|1'200|CHF||||||")
	p.click(".add .primary")
	p.see("document.querySelector('.flat h1')?.innerText", "Told of by a friend")
	p.see(`/^#.flat.[0-9a-f]{16}%40added$/.test(location.hash)`, "true")
	id := fmt.Sprint(p.eval(`decodeURIComponent(location.hash.slice(7))`))
	// What the text says of its own cost does not hold for another one.
	got := p.flat(id, "cost") + p.flat(id, "currency") + p.flat(id, "urls") + p.flat(id, "utilities")
	if got != "1200CHF[]<nil>" {
		t.Errorf("cost, currency, urls and utilities = %s; want 1200CHF[]<nil>", got)
	}
	// What a script would run is only ever text.
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", `<img src=x onerror="faults.push('ran')">`+"\njavascript:faults.push('ran')")
	p.enter("[name=link]", "javascript:faults.push('ran')")
	p.see(`document.querySelector("[name=link]").validationMessage`, "This is not a link")
	p.see(`document.querySelectorAll("main img").length`, "0")
	p.checkFaults()
}

// TestPageAddReplaced tests that a text which is pasted over that of another listing begins a draft of its own, without
// what was typed about the other, which is kept. The same listing, copied again, keeps what was typed.
func TestPageAddReplaced(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 390)
	const unsaved = `document.querySelector(".add form").firstChild.innerText.replace(/\s+/g, " ")`
	p.paste(".paste textarea", "2-Zimmer-Wohnung in Kassel\n900 € warm")
	p.see(fieldTexts, "|2-Zimmer-Wohnung in Kassel|900|EUR||2||Kassel||900 € warm")
	p.enter("[name=cost]", "950")
	p.paste(".paste textarea", "2-Zimmer-Wohnung in Kassel\n900 € warm\nRuhig gelegen.")
	p.see(fieldTexts+" + "+unsaved, "|2-Zimmer-Wohnung in Kassel|950|EUR||2||Kassel||900 € warm\nRuhig gelegen.")
	p.paste(".paste textarea", "Loft in Leipzig\n1.200 €")
	p.see(fieldTexts, "|Loft in Leipzig|1200|EUR||||Leipzig||1.200 €")
	p.see(unsaved, "Not saved yet: 2-Zimmer-Wohnung in Kassel")
	p.click(".add .line button")
	p.see(fieldTexts+" + "+unsaved, "|2-Zimmer-Wohnung in Kassel|950|EUR||2||Kassel||900 € warm\nRuhig gelegen."+
		"Not saved yet: Loft in Leipzig")
	p.see(`document.querySelector(".paste textarea").value`, "2-Zimmer-Wohnung in Kassel\n900 € warm\nRuhig gelegen.")
	// Without anything typed nothing is lost, and nothing is kept.
	p.click(".add .line button")
	p.paste(".paste textarea", "Studio in Halle\n400 €")
	p.see(fieldTexts+" + "+unsaved, "|Studio in Halle|400|EUR||1||Halle||400 €Not saved yet: 2-Zimmer-Wohnung in Kassel")
	p.checkFaults()
}

// TestPageAddOffline tests that without a network what is added waits, beside what is shared next, that what could not
// be read is read later, and that all of it is added once there is a network, with Undo.
func TestPageAddOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const notice = `document.querySelector(".notice p")?.innerText.replace(/\s+/g, " ")`
	const others = `document.querySelector(".add form").firstChild.innerText.replace(/\s+/g, " ")`
	p, network := openThroughProxy(t, startSample(t), "#/add", 390)
	p.startWorker()
	p.enter(".paste textarea", "2-Zimmer-Wohnung in Kassel\n900 €")
	p.see(fieldTexts, "|2-Zimmer-Wohnung in Kassel|900|EUR||2||Kassel||900 €")
	network.down.Store(true)
	p.click(".add .primary")
	p.see(notice, "Waits for the network: 2-Zimmer-Wohnung in Kassel")
	p.see(waits, "1 change waits")
	p.see(fieldTexts, "|||||||||")
	p.see(others, "Not saved yet: 2-Zimmer-Wohnung in Kassel")
	const marked = `[...document.querySelectorAll(".add :is(input, textarea):user-invalid")].map(({name}) => name).join()`
	p.see(marked, "")
	p.see(`document.querySelectorAll("[role=alert]").length`, "0")
	p.enter(".paste textarea", "Loft in Kassel\n700 €")
	p.see(`document.querySelector(".add .wrong").innerText`, "The text is kept, and read once the service answers.")
	p.see(fieldTexts, "|||||||||")
	p.click(".add .primary")
	p.see(waits, "2 changes wait")
	// Undo brings the last one back to the fields.
	p.click(".notice button")
	p.see(waits, "1 change waits")
	p.see(`document.querySelector(".paste textarea").value`, "Loft in Kassel\n700 €")
	p.click(".add .primary")
	p.see(waits, "2 changes wait")
	p.eval(`location.hash = "#/visits"`)
	// The share sheet opens the page with a query.
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?title=Loft+%26+Garten&text=https%3A%2F%2Fexample.org%2F5&url="})
	p.wait(`!window.old && document.querySelector(".add [name=title]")?.value`)
	p.see("location.search + location.hash", "#/add")
	p.see(fieldTexts, "https://example.org/5|Loft & Garten||||||||")
	p.reload()
	p.see(fieldTexts, "https://example.org/5|Loft & Garten||||||||")
	p.see(others, "Not saved yet: Loft in Kassel 2-Zimmer-Wohnung in Kassel")
	p.see(waits, "2 changes wait")
	p.see(`document.getElementById("strip").innerText.replace(/\s+/g, " ").replace(/ of \d+:\d+/, "")`,
		"No network: data as 2 changes wait")
	network.down.Store(false)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(waits, "")
	p.see(notice, "Added: Loft in Kassel")
	p.see(others, "") // both are added
	p.see(marked, "")
	const added = `fetch("api/v1/find?q=Kassel&sort=title&fields=title,cost,status").then((answer) => answer.json())
		.then(({data}) => data.map(({title, cost, status}) => [title, cost, status].join(" ")).join())`
	p.see(added, "2-Zimmer-Wohnung in Kassel 900 new,Loft in Kassel 700 new")
	p.click(".notice button")
	p.see(added, "2-Zimmer-Wohnung in Kassel 900 new,Loft in Kassel 700 user_deleted")
	p.click(".add .primary")
	p.see("document.querySelector('.flat h1')?.innerText", "Loft & Garten")
	p.see(`keptIn("flats.add").length`, "0")
	// What is pasted without a network is read once there is one. What the service refuses stays.
	network.down.Store(true)
	p.eval(`location.hash = "#/add"`)
	p.enter(".paste textarea", "900 €")
	p.see(`document.querySelector(".add .wrong").innerText`, "The text is kept, and read once the service answers.")
	p.click(".add .primary")
	p.see(waits, "1 change waits")
	p.enter(".paste textarea", "Loft in Kassel\n700 €")
	p.see(`document.querySelector(".add .wrong").innerText`, "The text is kept, and read once the service answers.")
	network.down.Store(false)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.see(waits, "")
	p.see(`document.querySelector("[role=alert] p")?.innerText`, "900 € was not added: Enter a link or a title")
	p.see(fieldTexts, "|Loft in Kassel|700|EUR||||Kassel||700 €")
	p.checkFaults()
}

// TestPageAddLink tests that a flat of which only the link is given is named after it, and that Undo takes it back.
func TestPageAddLink(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const link = "https://www.example.org/expose/bright-two-rooms-12345"
	p := openTab(t, "[]", "#/add?url="+link, 390)
	p.see(fieldTexts, link+"|||||||||")
	p.click(".add .primary")
	p.see("document.querySelector('.flat h1')?.innerText", "example.org expose bright two rooms 12345")
	p.see(`document.querySelector(".notice p")?.innerText.replace(/\s+/g, " ")`,
		"Added: example.org expose bright two rooms 12345")
	p.click(".notice button")
	p.seeFlat(linkID("example.org", "/expose/bright-two-rooms-12345"), "status", "user_deleted")
	p.checkFaults()
}

// TestPageAddWrapped tests that a link within the link of a mail is known, and added as itself.
func TestPageAddWrapped(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "7@s", "title": "Known", "urls": ["https://portal.example/expose/11111"]}]`, "#/add", 390)
	const mailed = "https://click.mailer.example/?u=https%3A%2F%2Fwww.portal.example%2Fexpose%2F"
	p.paste(".paste textarea", mailed+"11111")
	p.see(`document.querySelector(".flat h1")?.innerText`, "Known")
	p.goTo("#/add", ".paste textarea")
	p.enter("[name=link]", mailed+"22222")
	p.enter("[name=title]", "Fresh")
	p.click(".add .primary")
	p.see(`document.querySelector(".flat h1")?.innerText`, "Fresh")
	p.seeFlat(linkID("portal.example", "/expose/22222"), "urls", "https://www.portal.example/expose/22222")
	p.checkFaults()
}

// TestPageAddArrived tests that a draft which the service has had, although its answer was lost, is not sent again over
// what an import has said since, that it is once it has been changed, and that no second flat comes of it.
func TestPageAddArrived(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const added = `fetch("api/v1/find?fields=title,cost").then((answer) => answer.json())
		.then(({data}) => data.map(({title, cost}) => title + " " + cost).join())`
	for _, link := range []string{"https://portal.example/expose/11111", ""} {
		p, network := openThroughProxy(t, start(t, "[]"), "#/add", 390)
		service := network.target.Load().String()
		var sent atomic.Int32
		// The first answer is lost, and an import changes the flat; the network is away after the second one.
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
		add := func(cost string) {
			t.Helper()
			p.goTo("#/add", "[name=cost]")
			p.enter("[name=link]", link)
			p.enter("[name=title]", "Loft")
			p.enter("[name=cost]", cost)
			p.click(".add .primary")
		}
		add("900")
		p.see(waits, "1 change waits")
		p.eval(`dispatchEvent(new Event("online"))`)
		p.until(func() bool { return sent.Load() == 2 }, func() string { return "the draft is not sent again" })
		p.see(waits, "")
		p.see(added, "Attic 850")
		p.see(`keptIn("flats.add").length`, "0")
		if link == "" {
			continue
		}
		add("910")
		p.see(waits, "1 change waits")
		p.see(fieldTexts, "|||||||||")
		p.click(".add .line button")
		p.enter("[name=cost]", "920")
		network.down.Store(false)
		p.click(".add .primary")
		p.see(`document.querySelector(".flat h1")?.innerText`, "Loft")
		p.see(added, "Loft 920")
		p.checkFaults()
	}
}

// TestPageShare tests that what the share sheet of a phone gives fills the fields, behind a password too.
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
		{"title=&text=&url=", "|||||||||"},
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
	p.see("document.querySelector('.flat h1')?.innerText", "Known")
	// Behind a password that was forgotten the share survives the way through ?sign-in.
	p, network := openThroughProxy(t, startSample(t), "", 390)
	p.startWorker()
	network.pointTo(start(t, "[]", `"username": "me"`, `"password": "secret"`))
	p.signIn("me", "secret")
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?title=Shared"})
	p.wait(`!window.old && document.querySelector(".add [name=title]")?.value`)
	p.see("location.search + location.hash + document.querySelector('.add [name=title]').value", "#/addShared")
	p.checkFaults()
}

// TestPageBookmarklet tests that the bookmarklet brings what a page says, as text of bounded size
// without markup. One of the pages is hostile.
func TestPageBookmarklet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/add", 1280)
	const link = `document.querySelector(".bookmarklet a")`
	p.see(link+".innerText + "+link+".draggable", "Add to flatstrue")
	p.click(".bookmarklet a")
	p.see(`document.querySelector(".notice p").textContent`,
		"Drag this to your bookmarks bar, then click it on a listing's page")
	p.checkFaults()
	source := fmt.Sprint(p.eval(`decodeURIComponent(` + link + `.href.slice("javascript:".length))`))
	deep := strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000)
	const photo = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"/>`
	const listing = `{"@graph": [{"@type": "RealEstateAgent", "name": "Agents", "telephone": "0999",
		"address": {"postalCode": "99999", "addressLocality": "Elsewhere"}}, {"@type": "Apartment",
		"name": "Loft in Kassel", "description": "<b onclick=1>Quiet</b>", "floorSize": {"value": 72.5, "unitCode": "MTK"},
		"numberOfRooms": 2.5, "address": {"@type": "PostalAddress", "streetAddress": "Testgasse 3",
		"postalCode": "34117", "addressLocality": "Kassel"}, "offers": {"@type": "Offer", "price": "1450.00",
		"priceCurrency": "EUR", "seller": {"@type": "Organization", "name": "Agents", "telephone": "0561 555"}}}]}`
	for _, c := range []struct{ head, want string }{
		{`<title>Loft in Kassel</title><script type="application/ld+json">` + listing + `</script>`,
			"|Loft in Kassel|1450|EUR|72.5|2.5|34117|Testgasse 3, Kassel|0561 555|Quiet"},
		{`<title>Loft in Kassel | Portal</title><script type="application/ld+json">` + listing + `</script>`,
			"|Loft in Kassel|1450|EUR|72.5|2.5|34117|Testgasse 3, Kassel|0561 555|Quiet"},
		{`<title>Altbau – mit Charme | 4 Zi. – Portal</title><h1>Altbau –
			mit  Charme</h1>`, "|Altbau – mit Charme||||||||"},
		{`<title>127 | Loft, 2 Zi.</title><h1>127</h1>`, "|127 | Loft, 2 Zi.||||2||||127"},
		{`<title>a</title><meta property="og:title" content="Loft, 2 Zi., 900 €">
			<meta property="og:description" content="Mit Balkon, 60 m²">`,
			"|Loft, 2 Zi., 900 €|900|EUR|60|2||||Mit Balkon, 60 m²"},
		{`<title>` + strings.Repeat("long ", 9_000) + `</title><script type="application/ld+json">` +
			strings.Repeat(" ", 1_000_000) + listing + `</script><script type="application/ld+json">` + deep +
			`</script><script type="application/ld+json">{"name": {"name": ["<\/script><script>faults.push(1)"]},
			"description": "<\/script><script>faults.push('ran')<\/script>", "price": "1e999", "floorSize": [` + "1,1" + `]}
			</script>`, "|" + strings.TrimSpace(strings.Repeat("long ", 60)) + "||||||||"},
		{`<title>Wohnung in Kassel</title><meta property="og:image" content="/photo.svg?og"><meta name="geo.position"
			content="51.3;9.5"><body><nav>Suche</nav><p>Warmmiete: 910 €<p>Etage: 2<p hidden>Kaution: 1 €</p>
			<img src="/photo.svg?1" width=80><img src="/photo.svg?1"><img src="/icon.svg"><img src="data:image/svg+xml,` +
			url.PathEscape(photo) + `"><p>` + strings.Repeat("ü €. ", 50_000),
			"|Wohnung in Kassel|910|EUR||||Kassel||*"},
	} {
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".svg") {
				w.Header().Set("Content-Type", "image/svg+xml")
				image := photo
				if r.URL.Path == "/icon.svg" {
					image = strings.ReplaceAll(photo, "00", "0")
				}
				io.WriteString(w, image)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			io.WriteString(w, c.head)
		}))
		p.do("Page.navigate", object{"url": site.URL + "/flat/1"})
		p.wait(`location.pathname === "/flat/1" && document.title && document.readyState === "complete"`)
		p.eval(`window.open = (address) => window.opened = address; void ` + source)
		address := fmt.Sprint(p.eval("opened"))
		site.Close()
		if len(address) > 64_000 {
			t.Errorf("the bookmarklet opens an address of %d bytes; want at most 64,000", len(address))
		}
		p.do("Page.navigate", object{"url": address})
		p.wait(`document.querySelector(".add [name=title]")?.value`)
		if want, isOpen := strings.CutSuffix(c.want, "*"); isOpen { // a text of many letters
			p.see(fieldTexts+".split('|').slice(0, 9).join('|') + '|'", site.URL+"/flat/1"+want)
			p.see(`[...document.querySelectorAll(".add [name]")].slice(10).map(({value}) => value).join("|")`,
				"Floor: 2|51.3,9.5|"+site.URL+"/photo.svg?1")
		} else {
			p.see(fieldTexts, site.URL+"/flat/1"+c.want)
		}
		p.see("location.hash", "#/add")
		p.click(".decision button:nth-of-type(2)")
		p.checkFaults()
	}
}

// TestPageAddTabs tests that a draft that is typed into in two tabs becomes two, so that neither loses what was typed.
func TestPageAddTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/add", 1280)
	p.enter("[name=title]", "Loft")
	other := p.openAt(p.url, "#/add")
	other.see(`document.querySelector("[name=title]").value`, "Loft")
	other.enter("[name=place]", "Berlin")
	p.do("Page.bringToFront", nil)
	p.enter("[name=cost]", "900")
	for range 2 {
		p.see(`JSON.stringify(keptIn("flats.add").map(({edited}) => edited))`,
			`[{"title":"Loft","place":"Berlin"},{"title":"Loft","cost":"900"}]`)
		p.reload()
	}
	p.checkFaults()
}
