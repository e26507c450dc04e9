// Tests of decisions, notices, and what is taken back.

package web

import (
	"fmt"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestPageSweep tests that all new flats of the view are dismissed after a question, several at once, that they come
// back by one Undo, and that those which are not sent when the page closes are sent the next time.
func TestPageSweep(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, manyFlats(130)), "#/?cost=..1500&rooms=2..", 390)
	const sweep = `document.querySelector(".sweep").ariaLabel`
	const sorted = `document.querySelector(".tabs [data-status=new] b").innerText`
	p.wait(`document.querySelector(".tabs [data-status=new] b")`)
	n := fmt.Sprint(p.eval(sorted))
	p.see(sweep, "Dismiss these "+n)
	// The whole button is in sight from the start, and however far the chips are scrolled.
	p.eval(`location.hash += "&area=10..&cost_per_area=..99"`)
	p.wait(`document.querySelectorAll(".chips .chip").length === 4`)
	const isWhole = `(({left, right, top}) => [left, right].every((x) =>
		document.elementFromPoint((x + (left + right) / 2) / 2, top + 10)?.closest(".sweep")) && left >= 0 &&
		right <= innerWidth)(document.querySelector(".sweep").getBoundingClientRect())`
	p.see(isWhole, "true")
	p.eval(`document.querySelector(".lines").scrollLeft = 120`)
	p.see(isWhole, "true")
	// It is an icon and a number, so that the chips have nearly the whole width. They do not end where they are cut.
	p.see(`"Dismiss these " + document.querySelector(".sweep").innerText.trim() === `+sweep, "true")
	p.see(`document.querySelector(".lines").clientWidth >= document.querySelector(".tabs").clientWidth - 80`, "true")
	p.see(`getComputedStyle(document.querySelector(".lines")).maskImage !== "none"`, "true")
	p.eval(`document.querySelector(".lines").scrollLeft = 9999`)
	p.see(`[...document.querySelectorAll(".lines :is(button, a, p)")].at(-1).getBoundingClientRect().right <=
		document.querySelector(".lines").getBoundingClientRect().right - 24`, "true")
	// A chip that gets the focus is wholly in sight.
	p.eval(`document.querySelector(".lines").scrollLeft = 0`)
	p.eval(`document.querySelectorAll(".chips .chip")[1].focus()`)
	p.see(`document.activeElement.getBoundingClientRect().right <=
		document.querySelector(".lines").getBoundingClientRect().right - 24`, "true")
	p.eval(`location.hash = "#/?cost=..1500&rooms=2.."`)
	p.see(sweep, "Dismiss these "+n)
	// What comes in after the list is known has not been seen.
	p.load("lib/kept")
	p.wait(`kept.kept.mark.at && kept.kept.loaded.key && !kept.kept.loaded.key.includes("area")`)
	p.eval(`fetch("api/v1/import", {method: "POST", body: '[{"id": "late", "cost": 900, "rooms": 3}]'})`)
	p.click(".sweep")
	p.see(`document.querySelector(".question p").innerText`, "Dismiss "+n+" new flats? Cost ≤ 1,500, Rooms ≥ 2")
	p.key("Escape")
	p.see(`document.querySelector(".question") + `+sweep, "nullDismiss these "+n)
	// hold makes the service's answers to changes wait until it is called the next time.
	var under, most atomic.Int32
	release := func() {}
	t.Cleanup(func() { release() })
	hold := func() {
		gate := make(chan struct{})
		release = sync.OnceFunc(func() { close(gate) })
		change := func(answer *http.Response) {
			if answer.Request.Method == "PATCH" {
				most.Store(max(most.Load(), under.Add(1)))
				<-gate
				under.Add(-1)
			}
		}
		network.change.Store(&change)
	}
	const unsent = `keptIn("flats.waiting").length`
	const unsorted = `fetch("api/v1/find?any[status]=new&max[cost]=1500&min[rooms]=2&page[size]=1")
		.then((answer) => answer.json()).then(({total}) => total)`
	all := fmt.Sprint(p.eval(unsorted)) // with the one that came late

	// Undo is right while the changes are being sent, of which nobody sees how far they are.
	hold()
	p.click(".sweep")
	p.click(".question .primary")
	p.until(func() bool { return under.Load() == 4 }, func() string { return fmt.Sprint(under.Load()) })
	p.see(`document.querySelector(".notice p")?.textContent`, n+" flats: Dismissed")
	p.see(waits, "")
	p.see(`document.querySelector(".sweep").hidden`, "true")
	p.click(".notice button")
	p.see(`document.querySelector(".notice p")?.textContent`, "Undone")
	release()
	p.see(unsent, "0")
	p.see(unsorted, all)
	p.see(sweep, "Dismiss these "+all)
	p.see(sorted, all)
	p.see(`document.querySelector(".undo").hidden`, "true")
	if got := most.Load(); got != 4 {
		t.Errorf("the page sent %d changes at once; want 4", got)
	}

	// What was not sent when the page closed is sent the next time.
	p.reload()
	p.see(sweep, "Dismiss these "+all)
	// Beneath the line of what is new, too, the first flat begins near the top.
	p.wait(`document.querySelector(".since-line ~ .row")`)
	p.see(`document.querySelector(".row").getBoundingClientRect().top <= 200`, "true")
	hold()
	p.click(".sweep")
	p.click(".question .primary")
	p.until(func() bool { return under.Load() == 4 }, func() string { return fmt.Sprint(under.Load()) })
	network.change.Store(nil)
	p.see(unsent, all)
	p.reload()
	release()
	p.see(unsent, "0")
	p.see(unsorted, "0")
	p.wait(`document.querySelector(".sweep")?.hidden`)
	p.eval(`location.hash = "#/?tab=shortlist&cost=..1500"`)
	p.wait(`document.querySelector(".sweep")?.hidden`)
	p.eval(`location.hash = "#/"`)
	p.wait(`document.querySelector(".sweep")?.hidden`)
	p.checkFaults()
}

// TestPageDecide tests that a decision in a row can be undone, and that a row
// that leaves the view passes the focus to the next one.
func TestPageDecide(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openTab(t, "", "#/?tab=new&sort=cost", width)
		p.see(rowCount, "5")
		first := fmt.Sprint(p.eval(firstRow))
		p.eval(`document.querySelector(".row button[data-status=ignored]").focus()`)
		p.key("Enter")
		p.see(rowCount, "4")
		p.see("document.activeElement.dataset.status + document.activeElement.closest('.row').matches(':first-child')",
			"ignoredtrue")
		p.see(`document.querySelector(".notice p").textContent.endsWith(": Dismissed")`, "true")
		if got := p.flat(first, "status"); got != "ignored" {
			t.Errorf("status after Dismiss = %s; want ignored", got)
		}
		p.see(`document.querySelector(".tabs [data-status=ignored] b").innerText`, "3")
		p.click(".notice button")
		p.see(firstRow, first)
		p.see(`document.querySelector(".notice p").textContent`, "Undone")
		if got := p.flat(first, "status"); got != "new" {
			t.Errorf("status after Undo = %s; want new", got)
		}
		p.eval(`document.querySelector(".row h2 a").focus()`)
		p.press("2")
		p.see(`document.querySelector(".row .rating")?.innerText`, "★ 2")
		p.press("0")
		p.see(`document.querySelector(".row").querySelector(".rating") === null`, "true")
		if got := p.flat(first, "notation"); got != "<nil>" {
			t.Errorf("rating after 0 = %s; want none", got)
		}
		// j goes to the next flat; f follows it, and it leaves the view.
		p.press("j")
		second := fmt.Sprint(p.eval("document.activeElement.closest('.row').dataset.id"))
		p.press("f")
		p.see(rowCount, "4")
		if got := p.flat(second, "status"); got != "followed" {
			t.Errorf("status after f = %s; want followed", got)
		}
		p.press("u")
		p.see(rowCount, "5")
		// "Undone" offers nothing; the bar takes back what was decided before.
		p.see(`document.querySelector(".notice")?.innerText.replace(/\s+/g, " ")`, "Undone")
		p.see(`document.querySelector(".undo").hidden`, "false")
		// To follow a contacted flat would be a step back.
		p.eval(`location.hash = "#/?tab=is:contacted"`)
		p.wait(`document.querySelector(".row[data-status=contacted]")`)
		p.see(`document.querySelector(".row [data-status=followed]").getAttribute("aria-disabled")`, "true")
		third := fmt.Sprint(p.eval(firstRow))
		p.click(".row button[data-status=followed]")
		p.wait(`/: Contacted$/.test(document.querySelector(".notice p")?.textContent)`)
		if got := p.flat(third, "status"); got != "contacted" {
			t.Errorf("status after Follow = %s; want contacted", got)
		}
		p.eval(`location.hash = "#/?tab=new&sort=cost"`)
		p.see(firstRow, first)
		p.see(`[...document.querySelectorAll(".row")].map((row) => row.dataset.id).indexOf(`+encode(second)+`)`, "1")
		p.checkFaults()
	}
}

// TestPageNotices tests that the notice of a failure stays until it is closed,
// and that other notices leave, but not while they have the focus.
func TestPageNotices(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "", 1280)
	// An Undo outlives its view.
	p.click(".row button[data-status=ignored]")
	p.wait(`document.querySelector(".notice")`)
	p.press("v")
	p.wait(`document.querySelector(".visits h1")`)
	p.click(".notice button")
	p.see(`document.querySelector(".notice p")?.textContent`, "Undone")
	// One without a button leaves sooner, but not while it is pointed at.
	point := func(element string) {
		t.Helper()
		at := p.eval(`middleOf(document.querySelector("` + element + `"))`).(object)
		p.do("Input.dispatchMouseEvent", object{"type": "mouseMoved", "x": at["x"], "y": at["y"]})
	}
	point(".notice p")
	p.see(`document.querySelector(".notice").matches(":hover")`, "true")
	p.eval("pass(20)")
	p.see(`document.querySelectorAll(".notice").length`, "1")
	point(".brand")
	p.see(`document.querySelector(".notice").matches(":hover")`, "false")
	p.eval("pass(5)")
	p.see(`document.querySelectorAll(".notice").length`, "1")
	p.eval("pass(1)")
	p.see(`document.querySelectorAll(".notice").length`, "0")
	p.eval(`location.hash = "#/"`)
	p.reload()
	p.see(rowCount, "10")
	// So does an Undo from the view of a flat, and the row returns to its place.
	second := fmt.Sprint(p.eval(`document.querySelectorAll(".row")[1].dataset.id`))
	p.click(".row:nth-child(2) a")
	p.click(".own [data-status=ignored]")
	p.wait(`document.querySelector(".notice button")`)
	p.eval("history.back()")
	p.see(rowCount, "9")
	p.see(`document.activeElement.closest(".row") === document.querySelectorAll(".row")[1]`, "true")
	p.click(".notice button")
	p.see(`document.querySelectorAll(".row")[1].dataset.id`, second)
	p.see(rowCount, "10")
	p.click(".row button[data-status=followed]")
	p.see(`document.querySelectorAll(".notice button").length`, "2")
	p.eval("pass(9)")
	p.see(`document.querySelectorAll(".notice button").length`, "2")
	const undoInBar = `!document.querySelector("#bar .undo").hidden`
	p.see(undoInBar, "false")
	p.eval("pass(1)")
	p.see(`document.querySelectorAll(".notice").length`, "0")
	p.see(undoInBar, "true")
	p.click(".row button[data-status=ignored]")
	p.wait(`document.querySelector(".notice button")`)
	p.eval(`document.querySelector(".notice button").focus()`)
	p.eval("pass(15)")
	p.see(`document.activeElement.innerText`, "Undo")
	p.key("Enter")
	p.see(rowCount, "10")
	refuse := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			answer.StatusCode = 500
			setBody(answer, strings.NewReader(`{"error": "the disk is full"}`))
		}
	}
	network.change.Store(&refuse)
	p.click(".row button[data-status=ignored]")
	p.see(`document.querySelector("[role=alert] p")?.innerText.replace(/^.*: D/, "D")`,
		"Dismissed. That did not work: the disk is full")
	p.eval("pass(15)")
	// A failure leaves once the flat is decided on again, since to try it again would undo that; others stay.
	p.click(".row:nth-child(2) [data-status=followed]")
	p.see(`document.querySelectorAll("[role=alert]").length`, "2")
	network.change.Store(nil)
	p.click(".row:nth-child(2) [data-status=followed]")
	p.wait(`document.querySelector(".notice[role=status]")`)
	p.see(`[...document.querySelectorAll("[role=alert] p")].map(({innerText}) => /: (\w+)\./.exec(innerText)[1]).join()`,
		"Dismissed")
	p.click("[role=alert] button")
	p.see(`[...document.querySelectorAll(".notice")].map((notice) => notice.role).join()`, "status")
	p.see(rowCount, "9")
	// They hide none of the buttons of Add on a phone, wherever it is scrolled to.
	p.resize(390)
	p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "pointer", "value": "coarse"}}})
	p.do("Emulation.setTouchEmulationEnabled", object{"enabled": true})
	p.goTo("#/add", ".decision")
	p.load("parts/notice")
	p.eval(`notice.tell("Without a network. ".repeat(9), {error: true})`)
	for _, top := range []string{"0", "document.body.scrollHeight"} {
		p.eval("scrollTo(0, " + top + ")")
		p.see(`document.querySelector(".notice").getBoundingClientRect().bottom <
			document.querySelector(".decision").getBoundingClientRect().top`, "true")
	}
	p.checkFaults()
}

// TestPageRoom tests that prices of eight digits fit at each width, that six
// cards fit on a phone, and that what floats at the bottom does not overlap.
func TestPageRoom(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "Villa %[1]d", "cost": %d, "currency": "DKK",
			"area": 212, "rooms": 12,
			"location": "Charlottenlund", "service_time_to": {"harbour": {"time": 1200}}}`, i, 1500000*(i+1)))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=1000000..30000000&sort=cost", 1280)
	for _, width := range []int{1280, 1200, 900} {
		p.resize(width)
		p.see(`document.querySelectorAll("td.cost").length`, "20")
		p.see(`[...document.querySelectorAll("td:is(.cost, .cost_per_area)")].filter((cell) => {
			const text = document.createRange();
			text.selectNodeContents(cell);
			const lines = new Set([...text.getClientRects()].map(({top}) => top));
			return lines.size > 1 || text.getBoundingClientRect().right > cell.getBoundingClientRect().right;
		}).length`, "0")
		p.see(`document.querySelector("td.title").offsetWidth > 150`, "true")
	}
	p.resize(390)
	p.see(`[...document.querySelectorAll(".rows .row")]
		.filter((row) => row.getBoundingClientRect().bottom < innerHeight).length`, "6")
	p.click(".toggle")
	p.see(`[...document.querySelectorAll(".range input")]
		.filter((input) => input.value && input.scrollWidth > input.clientWidth).length`, "0")
	p.click(".done")
	p.eval(`window.firstTop = document.querySelector(".row").getBoundingClientRect().top`)
	p.eval(`fetch("api/v1/flat/1%40site", {method: "PATCH", body: '{"rooms": 2}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	// News stand above the bar of a phone, in the accent, and move nothing.
	p.see(`document.querySelector("#bar").getBoundingClientRect().top -
		document.querySelector("#fresh button").getBoundingClientRect().bottom`, "8")
	p.see(`new Set(["#fresh button", "#bar [data-view=triage] .badge"].map((selector) =>
		getComputedStyle(document.querySelector(selector)).backgroundColor)).size`, "1")
	p.see(`document.querySelector(".row").getBoundingClientRect().top === firstTop`, "true")
	// Notices and bars at the bottom lie above one another.
	const piled = `(() => {
		const all = [...document.querySelectorAll("#fresh button, #chosen, .notice, .bar")]
			.map((element) => element.getBoundingClientRect());
		all.sort((a, b) => a.top - b.top);
		return all.length + " " + all.slice(1).every(({top}, i) => top >= all[i].bottom);
	})()`
	p.click(".row .compare")
	p.click(".row [data-status=followed]")
	p.see(piled, "3 true")
	p.click(".row a")
	p.click(".own [data-status=contacted]")
	p.see(piled, "3 true")
	p.checkFaults()
}

// TestPageWhole tests that ten rows of the table and six cards of a phone are in sight below chips and saved
// searches, that two tags stand in one line, and how long ago a flat was contacted.
func TestPageWhole(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 20 {
		flats = append(flats, fmt.Sprintf(`{"id": "%d@site", "title": "A bright flat with a long title, number %[1]d",
			"cost": 850, "currency": "EUR", "area": 62, "rooms": 2, "location": "Friedrichshain", "status": %q,
			"status_since": %q, "service_time_to": {"office": {"time": 1200}}, "photos": ["https://127.0.0.1:1/%[1]d"],
			"cost_history": [{"date": null, "cost": 900}, {"date": "2026-11-03T10:00:00Z", "cost": 850}]}`, i,
			[]string{"contacted", "new"}[min(i, 1)], time.Now().Add(-125*time.Hour).UTC().Format(time.RFC3339)))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=..1200&area=20..&sort=-title", 1280)
	p.wait(`document.querySelector(".row")`)
	p.eval(`localStorage[keptAs("flats.searches")] = '[{"name": "Two rooms", "hash": "#/?rooms=2..", ` +
		`"opened": "2026-01-01"}]'`)
	p.reload()
	for _, size := range [][3]int{{1280, 900, 10}, {390, 844, 6}} {
		p.do("Emulation.setDeviceMetricsOverride",
			object{"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size[0] < 900})
		p.see(`document.querySelectorAll(".row:has(.tag + .tag)").length`, "20")
		p.wait(fmt.Sprintf(`[...document.querySelectorAll(".row")]
			.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length >= %d`, size[2]))
		p.see(`[...document.querySelectorAll(".tags .tag")].filter((tag) => tag.scrollWidth > tag.clientWidth).length`, "0")
		p.see(`new Set([...document.querySelectorAll(".row:first-child .tags .tag")].map((tag) => tag.offsetTop)).size`, "1")
		p.see(`document.querySelector("[data-id='0@site'] .status .tag")?.textContent.replace(/\s/g, " ")`,
			"Contacted · 5 days")
	}
	p.checkFaults()
}

// TestPageOverruled tests that a decision on a row says what it replaces, also where the page has asked for numbers
// since: what it was told then, nobody has seen. The notice stays in sight when others follow, until its decision is
// undone, and so does that of Triage, which comes after the decision.
func TestPageOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const notices = `[...document.querySelectorAll(".notice p")].map(({textContent}) => textContent).join("|")`
	const replaced = "Bright one-bedroom on the Croix-Rousse plateau: Dismissed. " +
		"This replaced a decision made elsewhere: Contacted"
	const apart = `(([first, last]) => first.bottom <= last.top && last.bottom <= innerHeight)(
		[...document.querySelectorAll(".notice")].map((notice) => notice.getBoundingClientRect()))`
	for _, width := range []int{1280, 390} {
		p := openTab(t, "", "", width)
		p.see(`document.querySelector(".row")?.dataset.id`, "lyon-1051@example")
		p.eval(`fetch("api/v1/flat/lyon-1051%40example", {method: "PATCH", body: '{"status": "contacted"}'})`)
		p.click(".row:nth-child(2) [data-status=followed]")
		p.see(`document.querySelector(".tabs [data-status=contacted]").innerText`, "Contacted 3")
		p.click(".row:first-child [data-status=ignored]")
		p.see(notices, replaced)
		next := fmt.Sprint(p.eval(`document.querySelector(".row h2 a").innerText`))
		p.click(".row:first-child [data-status=ignored]")
		p.see(notices, replaced+"|"+next+": Dismissed")
		p.see(apart, "true")
		p.press("u")
		p.see(notices, replaced+"|Undone")
		p.press("u")
		p.see(notices, "Undone")
		p.see(`fetch("api/v1/flats/lyon-1051%40example").then((answer) => answer.json()).then(({data}) => data.status)`,
			"contacted")
		p.checkFaults()
	}
	p := openTab(t, "", "#/triage", 390)
	// A card is replaced if Triage learns that it was decided on elsewhere before anybody can have seen it.
	p.wait(`performance.getEntriesByType("resource").some(({name}) => /any%5Bid%5D.*fields=status/.test(name))`)
	id := fmt.Sprint(p.eval(`document.querySelector(".card h2 a").hash.slice("#/flat/".length)`))
	p.eval(`fetch("api/v1/flat/` + id + `", {method: "PATCH", body: '{"status": "contacted"}'})`)
	p.press("x")
	p.see(`document.querySelector(".card h2 a").hash.slice("#/flat/".length) !== `+encode(id), "true")
	p.wait(`/elsewhere: Contacted$/.test(` + notices + `)`)
	p.press("f")
	p.wait(`/elsewhere: Contacted\|.*: Followed$/.test(` + notices + `)`)
	p.see(apart, "true")
	p.see(`[...document.querySelectorAll(".decide button")].every((button) => !middleOf(button).cover)`, "true")
	p.checkFaults()
}

// TestPageUndoOverruled tests that an Undo that replaces what was decided elsewhere since says so, also where the page
// has learned of that, and that its own Undo restores it, in a row, in a flat, in Triage, and for each field. Without a
// network it is a question.
func TestPageUndoOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/?tab=new", 1280)
	decide := func(id, by, change string) {
		t.Helper()
		request, err := http.NewRequest("PATCH", network.target.Load().String()+"/api/v1/flat/"+id+"?by="+by,
			strings.NewReader(change))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
	}
	const notice = `document.querySelector(".notice p")?.textContent`
	const overruled = "Undone. This replaced a decision made elsewhere: "
	both := func(id string) string {
		return found(id, "status") + ".then((status) => " + found(id, "status_by") + ".then((by) => status + by))"
	}

	// In a row
	p.click(".row[data-id=d] [data-status=followed]")
	p.see(notice, "Den: Followed")
	decide("d", "Ben&status_since=2026-01-05T10:00:00Z", `{"status": "contacted"}`)
	p.press("u")
	p.see(notice, overruled+"Contacted by Ben")
	p.see(found("d", "status"), `"new"`)
	p.click(".notice button")
	p.see(notice, "Undone")
	p.see(both("d"), `"contacted""Ben"`)
	p.see(found("d", "status_since"), `"2026-01-05T10:00:00Z"`)
	p.see(`document.querySelector("#bar .undo").hidden`, "true")

	// In a flat: a visit, and a rating by the same person on another device
	p.goTo("#/flat/c", ".own .stars")
	p.enter("#visit", "2031-12-08T10:00")
	p.see(notice, "Castle: Visit Mon, 8 Dec 2031, 10:00")
	decide("c", "Ben", `{"visit_date": "2031-12-09T11:00"}`)
	p.press("u")
	p.see(notice, overruled+"Visit Tue, 9 Dec 2031, 11:00")
	p.press("u")
	p.see(notice, "Undone")
	p.seeFlat("c", "visit_date", "2031-12-09T11:00")
	p.press("4")
	p.see(notice, "Castle: Rating ★ 4")
	decide("c", "Ann", `{"rating": 2}`)
	p.press("u")
	p.see(notice, overruled+"Rating ★ 2")
	p.press("u")
	p.see(notice, "Undone")
	p.see(found("c", "ratings"), `{"Ann":2,"Ben":1}`)

	// In Triage, where the page has asked for the flat since
	p.goTo("#/triage", ".card h2 a")
	p.press("f")
	p.see(notice, "Elm: Followed")
	p.see(both("e"), `"followed""Ann"`)
	p.see(waits, "")
	decide("e", "Ben", `{"status": "visited"}`)
	p.goTo("#/flat/e", ".own [data-status=visited][aria-pressed=true]")
	p.press("u")
	p.see(notice, "Elm: "+overruled+"Visited by Ben")
	p.see(found("e", "status"), `"new"`)
	p.press("u")
	p.see(notice, "Undone")
	p.see(both("e"), `"visited""Ben"`)

	// Without a network
	p.goTo("#/flat/d", ".own .stars")
	p.click(".own .statuses [data-status=followed]")
	p.see(notice, "Den: Followed")
	decide("d", "Ben", `{"status": "visited"}`)
	network.down.Store(true)
	p.press("u")
	p.see(waits, "1 change waits")
	network.down.Store(false)
	p.see(`[...document.querySelectorAll(".questions dd")].map(({innerText}) => innerText).join()`,
		"Contacted,Visited by Ben")
	p.click(".questions button:last-child")
	p.see(waits, "")
	p.see(both("d"), `"visited""Ben"`)
	p.checkFaults()
}

// TestPageStatuses tests the row of the statuses that a flat goes through, with "Dismiss" apart and the others in a
// menu.
func TestPageStatuses(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft"}, {"id": "b", "title": "Odd", "status": "odd"}]`, "#/flat/a", 1280)
	const (
		row = `[...document.querySelectorAll(
			".own .statuses button, .own .choices > .line > :is([data-status=duplicate], [data-status=odd])")].map((button) =>
			button.innerText + (button.ariaPressed === "true" ? "!" : "")).join()`
		tops = `new Set([...document.querySelectorAll(".own .statuses button")].map((button) => button.offsetTop)).size`
		menu = `[...document.querySelectorAll(".own [popover]:popover-open button")].map(({innerText}) => innerText).join()`
	)
	for _, width := range []int{1280, 900, 390, 320} {
		p.resize(width)
		p.see(row+"+"+tops, "New!,Followed,Contacted,Visited1")
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.see(`(([statuses, dismiss]) => dismiss.top >= statuses.bottom)(
			[".own .statuses", ".own .choices > .line [data-status=ignored]"].map((selector) =>
				document.querySelector(selector).getBoundingClientRect()))`, "true")
		p.click(".own [popovertarget]")
		p.see(menu, "Duplicate,Deleted")
		// The menu stands at its button.
		p.see(`(([button, menu]) => Math.abs(menu.left - button.left) < 100 &&
			Math.min(Math.abs(menu.top - button.bottom), Math.abs(button.top - menu.bottom)) < 10)(
			[".own [popovertarget]", ".own [popover]"].map((selector) =>
				document.querySelector(selector).getBoundingClientRect()))`, "true")
		p.key("Escape")
		p.see(menu+"+ location.hash", "#/flat/a")
	}
	p.resize(1280)
	p.see(`document.querySelector(".own [popovertarget]").ariaLabel`, "More statuses")
	p.click(".own [popovertarget]")
	p.clickOn(`[...document.querySelectorAll(".own [popover] button")].find(({innerText}) => innerText === "Duplicate")`)
	p.see(row, "New,Followed,Contacted,Visited,Duplicate!")
	p.see(`document.querySelectorAll(".own [popover]:popover-open").length`, "0")
	// It stands beside "Dismiss".
	p.see(`(([own, dismiss]) => own.top === dismiss.top && own.width < 120)([...document.querySelectorAll(
		".own .choices > .line:has([popover]) > button")].map((button) => button.getBoundingClientRect()))`, "true")
	p.click(".own .choices > .line > [data-status=duplicate]")
	p.see(row, "New!,Followed,Contacted,Visited")
	// The row also goes back, as after a slip of the finger.
	p.click(".own .statuses [data-status=contacted]")
	p.see(row, "New,Followed,Contacted!,Visited")
	p.click(".own .statuses [data-status=followed]")
	p.see(row, "New,Followed!,Contacted,Visited")
	p.click(".own .statuses [data-status=followed]")
	p.see(row, "New!,Followed,Contacted,Visited")
	p.click(".own .choices > .line [data-status=ignored]")
	p.see(row, "New,Followed,Contacted,Visited")
	p.see(`document.querySelector(".own .choices > .line [data-status=ignored]").ariaPressed`, "true")
	p.eval(`location.hash = "#/flat/b"`)
	p.see(row, "New,Followed,Contacted,Visited,odd!")
	// In each language the row is one line, and the bar of a phone is as wide as the page.
	for language, want := range map[string]string{
		"de": "Neu,Gemerkt,Angefragt,Besichtigt",
		"fr": "Nouveau,Suivi,Contacté,Visité",
	} {
		p.do("Emulation.setUserAgentOverride", object{"userAgent": "Test", "acceptLanguage": language})
		p.eval(`location.hash = "#/flat/a"`)
		p.reload()
		for _, width := range []int{1280, 320} {
			p.resize(width)
			p.see(row+"+"+tops, want+"1")
			p.see(`[".own .statuses", ".flat .bar"].map((part) => document.querySelector(part))
				.filter(({scrollWidth, clientWidth}) => scrollWidth > clientWidth).length`, "0")
		}
	}
	p.checkFaults()
}

// TestPageStatusWords tests that the page sets only statuses that the service counts as its own, each with a text and
// in the menu or the row of a flat, and that a flat with "deleted", as the page once wrote it, is a deleted one.
func TestPageStatusWords(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Loft"}, {"id": "b", "title": "Mistake", "status": "deleted"}]`, "#/", 1280)
	p.see(rowCount, "1")
	p.see(tabTexts, "Live 1|New 1|Changed 0|Shortlist 0|Deleted 1|All 2")
	p.eval(`location.hash = "#/?tab=is:user_deleted"`)
	p.see(`document.querySelector(".row .status")?.innerText`, "Deleted")
	p.load("lib/fields")
	p.load("words/format")
	p.eval(`window.statuses = ["new", ...fields.shortlisted, ...fields.dead]`)
	p.see(`statuses.filter((status) => format.statusName(status) === status || !/^[A-Z]/.test(format.statusName(status)))
		.join()`, "")
	for name, source := range readFolder(t) {
		setting := regexp.MustCompile(`\{status: "(\w+)"|[sS]tatus\(\w+, "(\w+)"`)
		for _, set := range setting.FindAllStringSubmatch(source, -1) {
			p.see(fmt.Sprintf(`%q + statuses.includes(%q)`, name+" "+set[0]+" ", set[1]+set[2]), name+" "+set[0]+" true")
		}
	}
	p.goTo("#/flat/a", ".own [popovertarget]")
	p.see(`[...new Set([...document.querySelectorAll(".own .choices [data-status]")]
		.map(({dataset}) => dataset.status))].sort().join() === statuses.toSorted().join()`, "true")
	p.checkFaults()
}

// TestPageContacted tests that calling and writing offer "Contacted" on any flat that is not contacted yet, and that
// the offer outlasts a call, which hides the page.
func TestPageContacted(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	statuses := []string{"new", "followed", "odd", "ignored", "contacted", "visited"}
	var flats []object
	for _, status := range statuses {
		flats = append(flats, object{"id": status, "title": status, "status": status, "phone": "0199 00 42"})
	}
	p := openTab(t, encode(flats), "#/", 1280)
	p.eval(`addEventListener("click", (event) => event.preventDefault())`) // nothing takes calls here
	const offer = `document.querySelector(".notice")?.innerText.replace(/\s+/g, " ")`
	for _, status := range statuses {
		want := status + " Contacted"
		if status == "contacted" || status == "visited" {
			want = "undefined"
		}
		p.eval(`location.hash = "#/flat/` + status + `"`)
		p.see(`document.querySelector("h1")?.innerText`, status)
		// The next step by the status is the one that is filled.
		p.see(`[...document.querySelectorAll(".contact > *")].map(({innerText}) => innerText).join()`,
			"Call,Message,Set a visit,Rate")
		p.see(`[...document.querySelectorAll(".contact > .primary")].map(({innerText}) => innerText).join()`,
			map[string]string{"new": "Call", "followed": "Call", "contacted": "Set a visit", "visited": "Rate"}[status])
		for _, link := range []string{".contact [href^=tel]", ".address [href^=tel]", ".message [href^=sms]"} {
			if strings.HasPrefix(link, ".message") {
				p.click(".contact button")
			}
			p.click(link)
			p.see(offer, want)
			p.eval(`document.querySelector(".message")?.close(), document.querySelector(".notice .close")?.click()`)
		}
	}
	p.eval(`Object.defineProperty(document, "hidden", {value: true, configurable: true}), location.hash = "#/flat/new"`)
	p.see(`document.querySelector("h1")?.innerText`, "new")
	p.click(".contact [href^=tel]")
	p.see(offer, "new Contacted")
	p.eval("pass(40)")
	p.see(offer, "new Contacted")
	p.eval(`delete document.hidden, pass(10)`)
	p.see(offer, "undefined")
	p.checkFaults()
}

// TestPagePressed tests that a dialog that is opened while the page asks whether the flat has changed elsewhere stays,
// and that the fields open although the facts are made anew in between.
func TestPagePressed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/lyon-1042%40example", 1280)
	var answer atomic.Pointer[chan struct{}] // the flat's answer waits until it is closed
	hold := func(got *http.Response) {
		switch {
		case path.Base(got.Request.URL.Path) == "lyon-1042@example":
			<-*answer.Load()
		case strings.Contains(got.Request.URL.RawQuery, "corrected"): // what Edit waits for comes later
			<-*answer.Load()
			time.Sleep(300 * time.Millisecond)
		}
	}
	for i, c := range []struct{ press, opens, before string }{
		{".contact button", ".message", `document.querySelector(".message")`},
		{".edit", ".editing", "true"},
	} {
		p.goTo("#/", ".row")
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/lyon-1042%%40example", {method: "PATCH", body: '{"cost": %d}'})`, 700+i))
		come := make(chan struct{})
		answer.Store(&come)
		network.change.Store(&hold)
		p.goTo("#/flat/lyon-1042%40example", c.press)
		p.click(c.press)
		p.wait(c.before)
		close(come)
		network.change.Store(nil)
		p.wait(`performance.getEntriesByType("resource").filter(({name}) => name.endsWith("/flats/lyon-1042%40example"))
			.length > 1`)
		p.eval("new Promise((done) => setTimeout(done, 500))")
		p.see(fmt.Sprintf("document.querySelectorAll(%q).length", c.opens), "1")
		p.reload()
	}
	p.checkFaults()
}

// TestPageBoth tests that "Keep both" keeps each line that both versions have once.
func TestPageBoth(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.load("parts/notes")
	for _, c := range []struct{ theirs, mine, want string }{
		{"Ours.", "Theirs.", "Ours.\n\nTheirs."},
		{"", "Mine.", "Mine."},
		{"a\nb\nc", "a\nx\nc\ny", "a\nb\nx\nc\ny"},
		{"a\na", "a\na", "a\na"},
		{"- [ ] Noise\n- [x] Light", "- [x] Noise\n- [ ] Light", "- [x] Noise\n- [x] Light"},
		{"- [ ] Noise", "Mine.\n\n- [ ] Noise: quiet", "Mine.\n\n- [ ] Noise: quiet"},
		{"- [x] Noise: loud", "- [ ] Noise", "- [x] Noise: loud"},
		{"- [x] Noise: loud", "- [ ] Noise: quiet\nend", "- [x] Noise: loud\n\n- [ ] Noise: quiet\nend"},
	} {
		if got := p.eval(fmt.Sprintf("notes.united(%s, %s)", encode(c.theirs), encode(c.mine))); got != c.want {
			t.Errorf("united(%q, %q) = %q; want %q", c.theirs, c.mine, got, c.want)
		}
	}
}

// TestPageCovers tests that on a phone notices and the flats chosen for comparison lie neither on the bars at the
// bottom nor on the last buttons of a view, and that the notice of a decision is one line.
func TestPageCovers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 390)
	p.bring(`[{"id": "x", "title": "X", "phone": "0198", "cost": 700, "area": 40, "location": "Ost"},
		{"id": "y", "title": "A title so long that it alone fills a line of a phone or two", "phone": "0198", "cost": 700,
		"area": 40, "location": "Ost"}]`)
	p.eval(`localStorage[keptAs("flats.compare")] = '["x", "y"]'`)
	p.reload()
	p.wait(`document.querySelector("[data-id=y]")`)
	p.click("[data-id=y] button[data-status=ignored]")
	p.wait(`document.querySelector(".notice")`)
	p.see(`document.querySelector(".notice").offsetHeight <= 56`, "true")
	p.see(`document.querySelector(".notice p").textContent.replace(/\s+/g, " ")`,
		"A title so long that it alone fills a line of a phone or two: Dismissed")
	// What was decided is whole.
	const whole = `(({scrollWidth: needed, clientWidth: given}) => needed - given)(
		document.querySelector(".notice .of + span")) + " " +
		(document.querySelector(".notice p").getBoundingClientRect().right <=
			document.querySelector(".notice button").getBoundingClientRect().left)`
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.see(whole, "0 true")
	}
	p.resize(390)
	const covered = `[...document.querySelectorAll("#floor > *")].flatMap((part) => {
		const {top, bottom, left, right} = part.getBoundingClientRect();
		if (bottom === top) return [];
		return [...document.querySelectorAll("main :is(button, a.button), #bar :is(a, button)")].filter((control) => {
			const box = control.getBoundingClientRect();
			return control.checkVisibility() && box.width > 0 && box.top < bottom - 1 && box.bottom > top + 1 &&
				box.left < right && box.right > left;
		}).map((control) => control.innerText + " under " + part.id);
	}).join()`
	p.eval(`document.querySelector(".notice button").click()`)
	p.see(`document.querySelector(".notice p").textContent`, "Undone")
	for _, hash := range []string{"#/duplicates", "#/add", "#/triage", "#/flat/x", "#/prices", "#/visits"} {
		p.goTo(hash, "h1, h2")
		p.eval("new Promise((done) => setTimeout(done, 300))")
		p.wait(`document.querySelector("#chosen:not(:empty)") && document.querySelector(".notice")`)
		p.eval("scrollTo(0, document.body.scrollHeight)")
		p.see(encode(hash+" ")+" + "+covered, hash+" ")
	}
	// So is a visit, which needs a second line.
	p.goTo("#/flat/y", ".usual button")
	p.click(".usual button:nth-last-child(2)")
	p.wait(`/Visit/.test(document.querySelector(".notice p")?.textContent)`)
	for _, width := range []int{390, 320} {
		p.resize(width)
		p.see(whole, "0 true")
	}
	p.checkFaults()
}
