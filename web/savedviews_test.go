// Tests of saved views, and of their messages.

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPageViews tests that views keep the filters of the list, that Back shows
// the list as it was left, and that a view leaves no elements behind.
func TestPageViews(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 130 {
		flats = append(flats, fmt.Sprintf(`{"id": %d, "title": "Flat %d", "cost": %d, "currency": "EUR",
			"service_postal_code": null}`, i, i, 500+i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=505..&sort=cost", 390)
	p.see(rowCount, "50")
	p.eval("scrollTo(0, document.body.scrollHeight)")
	p.see(rowCount, "100")
	p.see(`document.querySelector(".foot .more").hidden`, "false")
	p.eval(`document.querySelector(".foot .more").focus({preventScroll: true})`) // in sight it would press itself
	p.key("Enter")
	p.see(rowCount, "125")
	p.see(`document.querySelector(".foot .end").innerText`, "That is all")
	p.eval(`(async () => {
		for (let y = 0; y <= 1200; y += 300) {
			scrollTo(0, y);
			await new Promise(requestAnimationFrame);
		}
	})()`)
	const place = `(([row]) => row && row.dataset.id + " at " + Math.round(row.getBoundingClientRect().top))(
		[...document.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().top > 200))`
	left := fmt.Sprint(p.eval(place))
	p.clickOn(`[...document.querySelectorAll(".row a")].find((a) => a.getBoundingClientRect().top > 200)`)
	p.wait(`document.querySelector(".flat [rel=next]")`)
	p.see("document.querySelectorAll('main > *').length", "1")
	p.eval("history.back()")
	p.wait(`document.querySelector(".row")`)
	p.see(place, left)
	p.see("document.activeElement.closest('.row')?.dataset.id", strings.Fields(left)[0])
	// After a reload too: of the list, and of the flat.
	p.reload()
	p.see(place, left)
	p.clickOn(`[...document.querySelectorAll(".row a")].find((a) => a.getBoundingClientRect().top > 200)`)
	p.wait(`document.querySelector(".flat [rel=next]")`)
	p.reload()
	p.wait(`document.querySelector(".flat [rel=next]")`)
	p.click(".steps a")
	p.see("location.hash", "#/?cost=505..&sort=cost")
	p.see(place, left)
	// And beyond the first page.
	p.wait(`(scrollTo(0, 1e6), ` + rowCount + ` >= 100)`)
	p.eval(`document.querySelector(".row:nth-child(90)").scrollIntoView(), new Promise(requestAnimationFrame)`)
	left = fmt.Sprint(p.eval(place))
	p.reload()
	p.see(place, left)
	p.click("a[href*='#/triage']")
	p.see("location.hash", "#/triage?cost=505..&sort=cost")
	p.click(".menu")
	p.click("#menu a[href*='#/prices']")
	p.see("location.hash + document.querySelector('.menu').matches(':has(+ nav [aria-current])')",
		"#/prices?cost=505..&sort=costtrue")
	p.see("document.title", "Prices · Flats")
	p.click(".views [data-view=list]")
	p.see("location.hash", "#/?cost=505..&sort=cost")
	p.see("document.querySelectorAll('main > *').length", "1")
	p.wait(`document.querySelector(".row")`)
	p.press("?")
	p.wait(`document.querySelector("#help")?.open`)
	p.wait(`document.querySelector("#help").innerText.includes("Previous flat")`)
	p.checkFaults()
}

// TestPageKeys tests that the list of keys opens at its top where it is higher than the window, and that its box does
// not touch the button below.
func TestPageKeys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.do("Emulation.setDeviceMetricsOverride", // a small laptop at 200 %
		object{"width": 640, "height": 300, "deviceScaleFactor": 2, "mobile": false})
	p.press("?")
	p.wait(`document.querySelector("#help").open`)
	p.see(`document.querySelector("#help").scrollHeight > document.querySelector("#help").clientHeight`, "true")
	p.see(`document.querySelector("#help").scrollTop`, "0")
	p.see(`document.querySelector("#help .primary").getBoundingClientRect().top -
		document.querySelector("#help label").getBoundingClientRect().bottom`, "16")
	p.checkFaults()
}

// TestPageSaved tests that saved views are the same on all devices, show how
// many flats came in since they were last opened, and can be replaced and removed.
func TestPageSaved(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a", "title": "Grand balcon", "cost": 800}, {"id": "2@a", "cost": 900}]`,
		"#/?q=balcon", 1280)
	p.see(rowCount, "1")
	save := func(name string) {
		p.click(".tools button")
		p.enter(".naming input", name)
		p.click(".naming .primary")
	}
	save("Balcony / 100 % & more?")
	p.see(`document.querySelector(".saved [aria-current]")?.innerText`, "Balcony / 100 % & more?")
	phone := p.openOther("#/?sort=cost")
	phone.see(chips, "Balcony / 100 % & more?")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "2")
	for _, id := range []string{"3@a", "4@a"} {
		p.bring(`[{"id": "` + id + `", "title": "Un balcon", "cost": 700}]`)
	}
	for _, device := range []*tab{p, phone} {
		device.reload()
		device.see(chips, "Balcony / 100 % & more? 2 new")
	}
	// A view that is opened has nothing new on any device, in whatever order its flats stand.
	phone.click(".saved a")
	phone.see(chips, "Balcony / 100 % & more?")
	phone.see("location.hash", "#/?q=balcon")
	p.reload()
	p.see(chips, "Balcony / 100 % & more?")
	p.eval(`location.hash = "#/?cost=..900&sort=cost"`)
	p.see(`document.querySelector(".saved [aria-current]")`, "null")
	save("Cheap")
	p.see(chips, "Balcony / 100 % & more?|Cheap")
	p.eval(`location.hash = "#/"`)
	p.see(rowCount, "4")
	p.bring(`[{"id": "5@a", "cost": 850}]`)
	p.reload()
	p.see(chips, "Balcony / 100 % & more?|Cheap 1 new")
	p.click(".saved .chip:last-child a")
	p.see(chips, "Balcony / 100 % & more?|Cheap")
	// A name that is taken is replaced, and Undo restores it. It restores what was removed, too.
	save("Balcony / 100 % & more?")
	p.see(`document.querySelector(".notice p")?.textContent`, "“Balcony / 100 % & more?” is replaced")
	p.see(`document.querySelectorAll(".saved [aria-current]").length`, "2")
	p.click(".notice button")
	p.see(`document.querySelectorAll(".saved [aria-current]").length`, "1")
	p.eval(`document.querySelector(".saved .close").focus()`)
	p.click(".saved .close")
	p.see(chips, "Balcony / 100 % & more?")
	p.see(`document.activeElement.ariaLabel`, "Tell me: Balcony / 100 % & more?")
	p.click(".notice button")
	p.see(chips, "Balcony / 100 % & more?|Cheap")
	p.see(viewTexts, "Balcony / 100 % & more? #/?q=balcon|Cheap #/?cost=..900&sort=cost")
	p.resize(390)
	p.eval(`document.querySelector(".saved .chip").scrollIntoView({inline: "start", block: "nearest"})`)
	top := p.eval(`document.querySelector(".saved .chip").getBoundingClientRect().top`)
	p.see(fmt.Sprintf(`document.elementFromPoint(60, %v + 3).innerText`, top), "Balcony / 100 % & more?")
	// Each chip fits, with its bell whole.
	p.resize(320)
	p.see(`[...document.querySelectorAll(".saved .chip")].filter((chip) => {
		const {left, right, top, bottom, width} = chip.getBoundingClientRect();
		const bell = chip.querySelector(".bell").getBoundingClientRect();
		return width > 288 || bell.width < 44 || bell.left < left || bell.right > right || bell.top < top ||
			bell.bottom > bottom;
	}).length`, "0")
	p.checkFaults()
	phone.checkFaults()
}

// TestPageSavedOdd tests what the page says of views that it cannot save, that the
// service refuses, or that were not made in the page.
func TestPageSavedOdd(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flats.json"), `[{"id": "1@a", "title": "One"}]`)
	writeFile(t, filepath.Join(dir, "views.json"), `[{"name": "Near work", "query": "max[time_to.work]=900",
		"page": "#/?q=work", "seen": "2026-01-01"}, {"name": "By curl", "query": "q=one", "seen": "2026-01-01"}]`)
	p.url = startIn(t, dir)
	p.open("", 1280)
	p.see(chips, "Near work not working|By curl")
	p.see(`document.querySelector(".saved small").title.includes("time_to.work")`, "true")
	p.click(".saved a")
	p.see(`document.querySelector(".saved small").innerText.includes("time_to.work")`, "true")
	p.click(".saved .chip:last-child .close")
	p.see(`document.querySelectorAll(".saved .chip").length`, "1")
	// A long name is cut. Browsers cannot ask for some names.
	long := strings.Repeat("long", 20)
	p.click(".tools button")
	p.see(`document.activeElement.labels?.[0]?.innerText + ": " + document.activeElement.value`,
		"Name of the view: Live, “work”")
	p.see(`getSelection().toString()`, "Live, “work”")
	for _, name := range []string{".", "..", " "} {
		p.enter(".naming input", name)
		p.key("Enter")
		p.see(`document.querySelector(".naming .trouble").innerText`,
			"“"+strings.TrimSpace(name)+"” cannot be used as a name")
	}
	p.enter(".naming input", long)
	p.key("Enter")
	p.see(`[...document.querySelectorAll(".notice p")].at(-1)?.innerText`, "“"+long+"” is saved")
	p.see(`document.querySelectorAll("dialog[open]").length`, "0")
	p.click(".tools button")
	p.click(".naming [type=button]") // "Cancel"
	p.see(`document.querySelectorAll("dialog[open]").length`, "0")
	p.see(`document.querySelectorAll(".saved .chip").length`, "2")
	p.see(`(({offsetWidth}) => offsetWidth < 320)(document.querySelector(".saved .chip:last-child"))`, "true")
	p.see(`document.querySelector(".saved .chip:last-child .name").title`, long)
	for hash, want := range map[string]string{
		"#/?days=3":      "“First seen within” depends on the current date, so this view cannot be saved",
		"#/?tab=changed": "“Changed” depends on the current date, so this view cannot be saved",
	} {
		p.eval("location.hash = " + encode(hash))
		p.wait(`document.querySelector(".tabs [aria-current]")`)
		p.click(".tools button")
		p.see(`document.querySelector(".notice p")?.textContent`, want)
	}
	p.checkFaults()
}

// TestPageSavedMoved tests that the views that a browser kept itself are moved
// to the service once, whatever comes between.
func TestPageSavedMoved(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	long := strings.Repeat("x", 201)
	p := openTab(t, `[{"id": "1@a", "title": "One", "cost": 400, "first_seen": "2026-01-01T00:00:00Z"}]`, "#/visits", 1280)
	p.eval(`localStorage[keptAs("flats.searches")] = JSON.stringify([
		{name: "Balcony", hash: "#/?q=balcony", opened: "2020-01-01T00:00:00Z"},
		{name: "Cheap", hash: "#/?cost=..500&sort=cost", opened: "2020-01-01T00:00:00Z"},
		{name: "Rooms", hash: "#/?rooms=2..", opened: "2020-01-01T00:00:00Z"},
		{name: "Today", hash: "#/?days=1", opened: "2020-01-01T00:00:00Z"},
		{name: "` + long + `", hash: "#/?q=long", opened: "2020-01-01T00:00:00Z"}])`)
	p.reload()
	for _, name := range []string{"Cheap", "Cheap (2)"} {
		p.eval(`fetch("api/v1/views/` + name + `", {method: "PUT", body: '{"query": "q=other"}'})
			.then((answer) => answer.text())`)
	}
	// lose sets what becomes of updates: they never arrive, or their answers do not.
	lose := func(where string) {
		p.eval(`{
			window.ask ??= fetch;
			window.fetch = async (url, options) => {
				if (options?.method !== "PUT") return ask(url, options);
				if (` + encode(where) + ` === "answers") await ask(url, options);
				throw new TypeError("lost");
			};
		}`)
	}
	const here = `keptIn("flats.searches").length`
	lose("requests")
	p.eval(`location.hash = "#/"`)
	p.see(`document.querySelectorAll(".saved .chip").length`, "7") // nothing is lost, or hidden
	p.see(here, "5")
	lose("answers")
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/"`)
	const views = "Cheap null|Cheap (2) null|Balcony #/?q=balcony"
	p.see(viewTexts, views)
	p.see(here, "5")
	// Another tab moves them at the same time.
	p.eval(`{
		window.fetch = async (url, options) => {
			if (options?.method === "PUT" && !window.other) {
				window.other = open(location.href);
				while (keptIn("flats.searches").length > 2)
					await new Promise((next) => setTimeout(next, 20));
			}
			return ask(url, options);
		};
		location.hash = "#/visits";
	}`)
	p.wait(`document.querySelector(".visits h1")`)
	p.eval(`location.hash = "#/"`)
	p.see(chips, "Cheap|Cheap (2)|Balcony|Cheap (3) 1 new|Rooms|Today only in this browser|"+long+
		" only in this browser")
	p.see(`other.document.querySelectorAll(".saved .chip").length`, "7")
	p.see(viewTexts, views+"|Cheap (3) #/?cost=..500&sort=cost|Rooms #/?rooms=2..")
	p.reload()
	p.see(chips, "Cheap|Cheap (2)|Balcony|Cheap (3) 1 new|Rooms|Today only in this browser|"+long+
		" only in this browser")
	// Those that stay say why, and can be removed.
	p.eval(`location.hash = "#/?days=1"`)
	p.see(`document.querySelector(".saved [aria-current] small")?.innerText`,
		"only in this browser: “First seen within” depends on the current date, so this view cannot be saved")
	p.click(".saved .chip:nth-child(6) .close")
	p.see(here, "1")
	p.click(".notice button")
	p.see(here, "2")
	p.checkFaults()
}

// TestPageNotify tests the bell of a saved view, and the test of the receiver
// of messages.
func TestPageNotify(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	// Without a receiver the page says what to write into the config.
	const bells = `[...document.querySelectorAll(".bell")]
		.map((bell) => bell.ariaLabel + ": " + bell.ariaPressed).join("|")`
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: false")
	p.eval(`document.querySelectorAll(".bell")[1].focus()`)
	p.key("Enter")
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: true")
	p.see("document.activeElement.ariaLabel", "Tell me: Balcony")
	p.see(`document.querySelector(".notice p")?.textContent`, "No messages can be sent yet")
	p.click(".notice button")
	p.see("location.hash", "#/notify")
	p.see(`document.querySelector(".notify p")?.innerText`, "A message is sent when a saved view with a bell has a new "+
		"flat or a lower cost. A view of “Shortlist” or “All” also reports flats that are gone; “Live” and "+
		"“New” leave such flats out.")
	p.see(`document.querySelector("code")?.innerText.replace(/-\w+"/, '-…"')`,
		`"notify": {"url": "https://ntfy.sh/flats-…"}`)
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: true")
	p.see(`document.querySelector(".menu").matches(":has(+ nav [aria-current])")`, "true")
	p.checkFaults()

	taken := make(chan string, 9)
	var status atomic.Int32
	status.Store(200)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		taken <- r.Header.Get("Title")
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(receiver.Close)
	p = &tab{browser: p.browser, t: t, url: start(t, "[]", `"notify": {"url": "`+receiver.URL+`"}`)}
	p.open("#/notify", 390)
	const state = `document.querySelector(".told")?.innerText.replace(/\s+/g, " ")`
	p.see(state, "No message has been sent since the service started Send a test")
	p.click(".told button")
	p.see(`document.querySelector(".told [role=status]").innerText`, "The receiver accepted the test (200)")
	if got := <-taken; got != "Test: 1 new" {
		t.Errorf("the test has the title %q; want %q", got, "Test: 1 new")
	}
	status.Store(403)
	p.click(".told button")
	p.wait(`document.querySelector(".told .wrong")?.innerText.includes("403")`)
	<-taken
	status.Store(200)
	// A bell that was pressed tells of what comes in.
	p.eval(`fetch("api/v1/views/All", {method: "PUT", body: '{"query": ""}'}).then((answer) => answer.text())`)
	p.reload()
	p.click(".bell")
	p.see(bells, "Tell me: All: true")
	p.see(`document.querySelector(".notice p")?.textContent`, "You will be told about “All”")
	p.bring(`[{"id": "1@a"}]`)
	if got := <-taken; got != "All: 1 new" {
		t.Errorf("the message has the title %q; want %q", got, "All: 1 new")
	}
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` +
		state + `.startsWith("The last message arrived on ")`)
	p.click(".notice button")
	p.see(bells, "Tell me: All: false")
	p.checkFaults()
}
