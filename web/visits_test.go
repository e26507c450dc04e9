// Tests of Visits.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestPageVisit tests the field for the visit, and what it says about other
// visits.
func TestPageVisit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/4711", 1280)
	p.enter("#visit", "2031-07-14T18:30")
	p.wait(`document.querySelector(".notice")`)
	if got := p.flat("4711", "visit_date"); got != "2031-07-14T18:30:00+02:00" {
		t.Errorf("visit_date = %q; want 2031-07-14T18:30:00+02:00", got)
	}
	// The visits of others say how far they are from this one, before it is saved.
	p.bring(`[{"id": "late", "title": "Late"}]`)
	p.eval(`fetch("api/v1/flat/late", {method: "PATCH", body: '{"visit_date": "2031-07-14T19:15:00+02:00"}'})`)
	p.eval(`location.hash = "#/flat/lyon-1051%40example"`)
	p.wait(`document.querySelector("h1")?.innerText.startsWith("Bright")`)
	title := fmt.Sprint(p.eval(`fetch("api/v1/flats/4711").then((r) => r.json()).then(({data}) => data.title)`))
	p.eval(`window.timer = setTimeout; window.setTimeout = () => 0`) // typing never pauses
	for typed, want := range map[string]string{
		"14T17:45": "overlaps with " + title + ", 18:30",
		"14T18:45": "overlaps with 2 visits: 18:30, 19:15",
		"14T19:30": "overlaps with Late, 19:15",
		"14T21:00": "45 min left after Late, 19:15",
		"14T16:50": "40 min left before " + title + ", 18:30",
		"15T01:00": "", // another day
	} {
		p.enter("#visit", "2031-07-"+typed)
		p.see(`document.querySelector(".visit [role=status]").innerText.replace(/\s+/g, " ")`, want)
	}
	p.eval(`window.setTimeout = timer, 0`)
	p.enter("#visit", "2031-07-14T19:00")
	p.wait(`/^Bright.*19:00, Followed$/.test(document.querySelector(".notice p")?.textContent)`)
	if got := p.flat("lyon-1051@example", "status"); got != "followed" {
		t.Errorf("a new flat with a visit has the status %q; want followed", got)
	}
	p.eval(`location.hash = "#/visits"`)
	p.wait(`document.querySelector(".visits").innerText.includes("14 July 2031")`)
	p.see(`[...document.querySelectorAll(".overlap")].slice(-3).map((line) => line.innerText.split(": ")[1]).join("|")`,
		"19:00, 19:15|18:30, 19:15|18:30, 19:00")
	p.see(`document.querySelector("#feed").checkVisibility()`, "false")
	p.click("[popovertarget=subscribe]")
	p.see(`document.querySelector("#feed").checkVisibility() + " " + document.querySelector("#subscribe a").protocol`,
		"true webcal:")
	// The whole address is in sight, on a phone too.
	for _, width := range []int{320, 1280} {
		p.resize(width)
		p.see(`(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)(document.querySelector("#feed"))`, "true")
	}
	p.key("Escape")
	feed := fmt.Sprint(p.eval(`fetch(document.querySelector("#feed").textContent).then((r) => r.text())`))
	for _, want := range []string{"DTSTART:20310714T163000Z\r\n", "#/flat/4711"} {
		if !strings.Contains(feed, want) {
			t.Errorf("the feed does not contain %q", want)
		}
	}
	p.eval(`location.hash = "#/flat/4711"`)
	p.click(".visit .close")
	p.see(`document.querySelector("#visit").value`, "")
	p.press("u")
	p.see(`document.querySelector("#visit").value`, "2031-07-14T18:30")
	// A day that is past is saved only after a question.
	for _, answer := range []struct{ button, field, stored string }{
		{"Cancel", "2031-07-14T18:30", "2031-07-14T18:30:00+02:00"},
		{"Yes", "2016-07-14T18:30", "2016-07-14T18:30:00+02:00"},
	} {
		p.enter("#visit", "2016-07-14T18:30")
		p.see(`document.querySelector(".visit [role=status] p")?.innerText`,
			"Thursday, 14 July 2016 is in the past. Save the visit anyway?")
		if got := p.flat("4711", "visit_date"); got != "2031-07-14T18:30:00+02:00" {
			t.Errorf("visit_date = %q before %q was pressed", got, answer.button)
		}
		p.clickOn(fmt.Sprintf(`[...document.querySelectorAll(".visit [role=status] button")]
			.find((button) => button.innerText === %q)`, answer.button))
		p.see(`document.querySelector("#visit").value`, answer.field)
		p.see(`fetch("api/v1/flats/4711").then((answer) => answer.json()).then(({data}) => data.visit_date)`,
			answer.stored)
	}
	// A visit that the service refuses goes back to what it was.
	p.eval(`{ const ask = fetch; window.fetch = async (url, options) => (options?.method !== "PATCH" ? ask(url, options)
		: new Response('{"error": "full"}', {status: 500, headers: {"X-Flats": ""}})); }`)
	p.enter("#visit", "2031-07-15T18:30")
	p.see(`document.querySelector("[role=alert] p")?.innerText`,
		title+": Visit Tue, 15 Jul 2031, 18:30. That did not work: full")
	p.see(`document.querySelector("#visit").value`, "2016-07-14T18:30")
	p.checkFaults()
	// A date without a time is not stored, and says so.
	p = openTab(t, "", "#/flat/lyon-1051%40example", 1280)
	p.click("#visit")
	for _, digit := range "11272026" {
		p.press(string(digit))
	}
	p.see(`document.querySelectorAll(".visit .wrong").length`, "0")
	p.eval(`document.activeElement.blur()`)
	p.see(`document.querySelectorAll(".visit .wrong:not(:empty)").length`, "1")
	p.checkFaults()
}

// TestPageAgenda tests which visits a visit overlaps, and how much time is left to the one before it and to the one
// after it, unless that one overlaps it.
func TestPageAgenda(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("parts/agenda")
	for _, c := range []struct{ at, others, want string }{
		{"10:00", "", ""},
		{"10:00", "13:00", "2 h 00 left before 13:00"},
		{"10:00", "08:15", "45 min left after 08:15"},
		{"10:00", "11:00 09:00", "0 min left after 09:00; 0 min left before 11:00"},
		{"10:00", "10:59 09:01", "overlaps with 2 visits: 09:01, 10:59"},
		{"10:00", "10:30 13:00", "overlaps with 10:30"},
		{"10:30", "13:00 10:00", "overlaps with 10:00; 1 h 30 left before 13:00"},
		{"13:00", "10:00 10:30", "1 h 30 left after 10:30"},
		{"10:00", "07:00 09:30", "overlaps with 09:30"},
		{"10:00", "10:00 12:00", "overlaps with 10:00; 1 h 00 left before 12:00"},
		{"10:00", "07:00 08:30 09:30 10:30 11:30 14:00", "overlaps with 2 visits: 09:30, 10:30"},
		{"11:30", "07:00 08:30 09:30 10:00 14:00 15:00", "30 min left after 10:00; 1 h 30 left before 14:00"},
		{"09:00", "21:00", "11 h 00 left before 21:00"},
		{"20:00", "07:00 15T06:00", "12 h 00 left after 07:00"}, // a night is no time between visits
		{"23:30", "15T00:10", "overlaps with Tue, 15 Jul 2031, 0:10"},
	} {
		p.see(fmt.Sprintf(`agenda.around(new Date("2031-07-14T%s").getTime(), %q.split(" ").filter(Boolean).map((time) =>
			({title: "X", visit_date: "2031-07-" + time.padStart(8, "14T")}))).flat()
			.map(({innerText}) => innerText.replace("X, ", "").replace(/\s/g, " ")).join("; ")`, c.at, c.others), c.want)
	}
	p.see(`agenda.around(Date.now(), [{title: "", visit_date: new Date().toISOString().slice(0, 10)}]).flat().length`, "0")
	p.checkFaults()
}

// TestPageVisits tests the visits day by day, on the screen and on paper, and
// the outcome of past ones.
func TestPageVisits(t *testing.T) {
	t.Parallel()
	at := func(days, hour, minute int) string {
		now := browserNow()
		day := time.Date(now.Year(), now.Month(), now.Day()+days, hour, minute, 0, 0, time.UTC)
		return day.Format("2006-01-02T15:04")
	}
	gone := browserNow().AddDate(0, 0, -20)
	p := openTab(t, fmt.Sprintf(`[
		{"id": 1, "title": "First", "cost": 700, "currency": "EUR", "area": 40, "location": "1 Rue A", "phone": "0199",
			"visit_date": %q, "status": "contacted", "photos": ["https://127.0.0.1:1/1", "https://127.0.0.1:1/2"],
			"notes": "- [x] Light\n- [ ] Noise\nSecond bell."},
		{"id": 2, "title": "Second", "visit_date": %q},
			{"id": 3, "title": "Third", "visit_date": %q, "gone": "%sT12:00:00Z"},
		{"id": 4, "title": "Later", "visit_date": %q, "phone": "0188"}, {"id": 5, "title": "Past", "visit_date": %q,
			"phone": "0177", "photos": ["data:image/gif;base64,R0lGODlhAQABAAAAACw="]}]`,
		at(1, 10, 0), at(1, 10, 30), at(1, 13, 0), gone.Format(time.DateOnly),
		at(3, 0, 0)[:10], at(-2, 10, 0)), "#/visits", 390)
	p.see(`[...document.querySelectorAll(".day")].map((day) => day.innerText.replace(/\s+/g, " ")
		.replace(/^.*?\d{4}, /, "")).join("|")`,
		"tomorrow 10:00 First overlap 10:30 Second 1 h 30 between 13:00 Third "+
			"10:00 – 11:00 Contacted First overlaps with Second, 10:30 "+
			"1 Rue A Map €700 40 m² Second bell. · 1 of 2 checked Call 0199 Notes Next step "+
			"10:30 – 11:30 New Second overlaps with First, 10:00 no price Notes Next step "+
			"13:00 – 14:00 gone since "+inBritain(gone, "2 Jan")+" New Third no price Notes Next step|"+
			"in 3 days New Later no price Call 0188 Notes Next step")
	p.eval(`addEventListener("click", (event) => event.target.matches("[href^=tel]") && event.preventDefault())`)
	p.click("[href='tel:0188']")
	p.see(`document.querySelector(".notice").innerText.replace(/\s+/g, " ")`, "Later Contacted")
	p.click(".notice .close")
	p.see(`document.querySelectorAll(".visits .day .card:first-of-type > .photo").length +
		document.querySelectorAll(".visits .day .photo").length`, "2")
	p.see(`document.querySelector(".visits details").open`, "false")
	p.click(".visits summary")
	p.see(`/ at 10:00$/.test(document.querySelector("details .when p").innerText)`, "true")
	p.see(`document.querySelector("details .card > .photo").checkVisibility()`, "true")
	p.see(`document.querySelector("details [href='tel:0177']").textContent`, "Call 0177")
	p.click(".visits details .line [data-status=visited]")
	p.see(`document.querySelector(".visits details .tag")?.innerText`, "Visited")
	p.click(".visits details .stars :nth-child(4)")
	p.see(`document.querySelectorAll(".visits details [aria-pressed=true]").length`, "1")
	if got := p.flat("5", "status") + p.flat("5", "notation"); got != "visited4" {
		t.Errorf("status and rating = %s; want visited4", got)
	}
	p.see(`document.querySelector(".visits details").open`, "true")
	// Cards have the width of the page.
	p.resize(900)
	p.see(`document.querySelector(".day .card").offsetWidth > 800`, "true")
	// Each day is printed on its own page, with the checklists.
	if got := p.printedPages(); got != 2 {
		t.Errorf("two days are printed on %d pages; want 2", got)
	}
	p.see(`document.querySelector(".day .sheet").textContent`, "☑ Light\n☐ Noise\nSecond bell.")
	p.eval(`fetch("api/v1/flat/4", {method: "PATCH", body: '{"visit_date": null}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.click("#fresh button")
	p.see(`document.querySelectorAll(".day").length`, "1")
	p.checkFaults()
}

// TestPageVisitDismissed tests that the visit of a flat that was dismissed is in Visits, as it is in the calendar feed,
// but overlaps nothing there, nor on the page of a flat, as it is not in Today.
func TestPageVisitDismissed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	day := noon(-1).Format("2006-01-02")
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "Attic", "status": "followed", "visit_date": "%[1]sT18:00"},
		{"id": "b", "title": "Barn", "status": "followed", "visit_date": "%[1]sT18:30"},
		{"id": "c", "title": "Castle", "status": "ignored", "visit_date": "%[1]sT18:15"}]`, day), "#/visits", 1280)
	const seen = `[...document.querySelectorAll(".visits article")].map((card) => card.querySelector("h3").innerText +
		(card.querySelector(".overlap") ? " overlaps" : "") + card.querySelector(".tags").innerText).join("|")`
	const stops = `document.querySelector(".ways")?.innerText.replace(/\s+/g, " ")`
	p.see(seen, "Attic overlapsFollowed|CastleDismissed|Barn overlapsFollowed")
	p.see(stops, "18:00 Attic overlap 18:30 Barn")
	p.see(`fetch("api/v1/ics/visits.ics").then((answer) => answer.text()).then((text) => /Castle/.test(text))`, "true")
	const about = `document.querySelector(".visit [role=status]").innerText.trim()`
	for id, want := range map[string]string{"a": "overlaps with Barn, 18:30", "c": ""} {
		p.goTo("#/flat/"+id, "#visit")
		p.eval("new Promise((done) => setTimeout(done, 500))")
		p.see(about, want)
	}
	p.goTo("#/today", ".tomorrow")
	p.see(`[...document.querySelectorAll(".tomorrow h3")].map(({innerText}) => innerText).join()`, "Attic,Barn")
	p.see(`document.querySelectorAll(".overlap").length`, "1")
	p.click(".tomorrow li:last-child h3 a")
	p.click(".own button[data-status=ignored]")
	p.see(about, "")
	p.goTo("#/visits", "article")
	p.see(`document.querySelectorAll(".overlap, .ways").length`, "0")
	p.checkFaults()
}

// TestPageVisitCards tests that the cards of a phone are half as high as they were, that nothing of them is cut but the
// first line of the notes, which has a tooltip, and that their buttons stand in one row, on a laptop too.
func TestPageVisitCards(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 390)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true})
	p.wait(`document.querySelectorAll(".day .card").length === 4`)
	const height = `[...document.querySelectorAll(".day .card")].reduce((sum, {offsetHeight}) => sum + offsetHeight, 0)`
	p.see(height+` <= 1680 * 2 / 3`, "true")
	// The buttons to call and to write notes stand in one row, and on a phone that of the next step, too, however long
	// that is, because the number to call is not in sight there.
	const scattered = `[...document.querySelectorAll(".day .card > .line")].filter((line) => {
		const buttons = [...line.children].slice(0, innerWidth < 900 ? 3 : 2);
		const tops = buttons.map((button) => button.getBoundingClientRect().top);
		return line.children.length < 3 || new Set(tops).size > 1;
	}).length`
	p.see(scattered, "0")
	p.set(map[string]string{"lyon-1042@example": `{"next_step": "Ask for the cellar, the heating and the neighbours"}`})
	p.reload()
	p.wait(`document.querySelectorAll(".day .card").length === 4`)
	p.see(`/Ask for the cellar/.test(document.querySelector(".day .step[title]").title) && `+scattered, "0")
	p.see(`Math.min(...[...document.querySelectorAll(".day .step")].map(({offsetWidth}) => offsetWidth)) > 80 &&
		[...document.querySelectorAll(".day .line > a")].every((call) => call.scrollWidth <= call.clientWidth)`, "true")
	p.see(`[...document.querySelectorAll(".day .card :is(a.button, button)")].filter(({offsetHeight}) => offsetHeight < 44)
		.length`, "0")
	p.see(`[...document.querySelectorAll(".day .card *")].filter((part) => part.scrollWidth > part.clientWidth + 1 &&
		getComputedStyle(part).overflowX !== "visible" && !part.matches("[title], .digits"))
		.map(({className}) => className).join()`, "")
	for _, width := range []int{320, 900, 1280} {
		p.resize(width)
		p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
		p.see(scattered, "0")
	}
	// "Map" follows the last line of the address, however long that is.
	p.resize(390)
	p.see(`[...document.querySelectorAll(".day .address")].filter((address) => {
		const words = document.createRange();
		words.selectNodeContents(address.firstChild);
		const last = [...words.getClientRects()].at(-1);
		const map = address.querySelector("a").getBoundingClientRect();
		return (map.top + map.bottom) / 2 > last.bottom && last.right + map.width + 8 < address.getBoundingClientRect().right;
	}).length`, "0")
	// A photo that does not load leaves no box, and nothing moves.
	p.eval(`fetch("api/v1/flat/" + document.querySelector(".day .card a[href^='#/flat/']").hash.slice(7),
		{method: "PATCH", body: '{"photos": ["https://127.0.0.1:1/1"]}'})`)
	p.reload()
	p.see(`[...document.querySelectorAll(".day .gap")].map((gap) => [gap.offsetWidth, gap.offsetHeight > 30,
		getComputedStyle(gap).backgroundColor].join(" ")).join()`, "64 true rgba(0, 0, 0, 0)")
	p.checkFaults()
	// Where several people rate flats, the stars come after the buttons, and leave these in one row.
	several, _ := openPeople(t, "Ann", "#/visits", 390)
	several.bring(`[{"id": "c", "phone": "0151 123 456 78"}]`)
	several.reload()
	several.wait(`document.querySelector(".day .card .stars")`)
	several.see(`(() => {
		const [call, notes, , stars] = document.querySelector(".day .card > .line").children;
		const [first, second, third] = [call, notes, stars].map((part) => part.getBoundingClientRect());
		return [stars.className, first.top === second.top, third.top > first.top, third.left === first.left].join();
	})()`, "stars,true,true,true")
	several.checkFaults()
}

// TestPageVisitNotes tests that the notes of a visit, past ones too, are written in Visits, and that nothing moves
// there while one writes.
func TestPageVisitNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	day := func(days int) string { return browserNow().AddDate(0, 0, days).Format("2006-01-02") }
	p := openTab(t, fmt.Sprintf(`[{"id": "a b", "title": "First", "visit_date": "%[1]sT10:00"},
		{"id": "b", "title": "Second", "visit_date": "%[1]sT12:00", "notes": "Old.\n- [ ] Noise"},
		{"id": "c", "title": "Past", "visit_date": "%[2]sT12:00"}]`, day(1), day(-1)), "#/visits", 390)
	const (
		button = ".day .card:nth-of-type(%d) [aria-expanded]"
		saved  = `[...document.querySelectorAll(".card [role=status]")].map(({innerText}) => innerText).join()`
		held   = `document.activeElement.value`
	)
	p.see(`[...document.querySelectorAll(".card [aria-expanded]")].map(({textContent, ariaLabel, ariaExpanded}) =>
		[textContent, ariaLabel, ariaExpanded].join(" ")).join()`,
		"Notes Notes: First false,Notes Notes: Second false,Notes Notes: Past false")
	p.click(fmt.Sprintf(button, 1))
	p.see(`document.activeElement.labels?.[0]?.innerText`, "Notes")
	p.press("Damp")
	p.see(saved, "Saved")
	p.see(held, "Damp")
	p.press("ish")
	p.see(`fetch("api/v1/flats/a%20b").then((answer) => answer.json()).then(({data}) => data.notes)`, "Dampish")
	p.see(saved, "Saved")
	// What others change is offered, and does not take the field away.
	p.eval(`fetch("api/v1/flat/b", {method: "PATCH", body: '{"title": "Other"}'})`)
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && document.querySelector("#fresh button")`)
	p.see(held, "Dampish")
	p.click("#fresh button")
	p.see(`document.querySelector(".day .card:nth-of-type(2) h3").innerText`, "Other")
	p.see(`document.querySelector(".day .card textarea").value`, "Dampish")
	// A second one opens beside it; a checklist comes first.
	p.click(fmt.Sprintf(button, 2))
	p.see(`document.activeElement.type`, "checkbox")
	p.press(" ")
	p.see(`fetch("api/v1/flats/b").then((answer) => answer.json()).then(({data}) => data.notes)`, "Old.\n- [x] Noise")
	p.see(`document.querySelectorAll(".card div.notes").length`, "2")
	p.see(`(ids => ids.length - new Set(ids).size)([...document.querySelectorAll("[id]")].map(({id}) => id))`, "0")
	p.see(`document.documentElement.scrollWidth <= innerWidth`, "true")
	p.do("Emulation.setEmulatedMedia", object{"media": "print"})
	p.see(`[...document.querySelectorAll(".card .sheet")].filter((sheet) => sheet.offsetHeight > 0)
		.map(({innerText}) => innerText).join("; ")`, "Dampish; Old.\n☑ Noise")
	p.do("Emulation.setEmulatedMedia", object{"media": ""})
	for n := range 2 {
		p.click(fmt.Sprintf(button, n+1))
		p.see(`document.activeElement.ariaExpanded`, "false")
	}
	p.see(`[...document.querySelectorAll(".hints")].map(({innerText}) => innerText).join("; ")`,
		"Dampish; Old. · 1 of 1 checked")
	p.click(".visits summary")
	p.click(".visits details [aria-expanded]")
	p.press("Loud")
	p.see(saved, "Saved")
	if got := p.flat("c", "notes"); got != "Loud" {
		t.Errorf("notes of the past visit = %q; want Loud", got)
	}
	p.see(`document.querySelector(".visits details").open`, "true")
	// A question about notes that were changed elsewhere is asked here as long as the field is open.
	p.eval(`fetch("api/v1/flat/c", {method: "PATCH", body: '{"notes": "Theirs."}'})`)
	p.press("er")
	p.see(`document.querySelector(".card .versions p")?.innerText`, "Theirs.")
	p.click(".card .versions button")
	p.see(saved, "Saved")
	if got := p.flat("c", "notes"); got != "Theirs.\n\nLouder" {
		t.Errorf("notes of the past visit = %q; want both versions", got)
	}
	p.checkFaults()
}

// TestPageVisitLeaving tests that a visit typed just before the page is closed is not lost.
func TestPageVisitLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/4711", 390)
	p.wait(`document.querySelector("#visit")`)
	p.eval(`{
		window.setTimeout = () => 0;
		Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
	}`)
	leave := func(typed string) {
		p.enter("#visit", typed)
		p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	}
	leave("2031-07-14T18:30")
	p.seeFlat("4711", "visit_date", "2031-07-14T18:30:00+02:00")
	leave("")
	p.seeFlat("4711", "visit_date", "null")
	// It is sent although the page is closed at once.
	p.eval(`fetch("api/v1/flat/4711", {method: "PATCH", body: '{"status": "new"}'})`)
	other := p.openOther("#/flat/4711")
	other.wait(`document.querySelector("#visit")`)
	other.enter("#visit", "2031-07-15T18:30")
	other.do("Page.close", nil)
	p.seeFlat("4711", "visit_date", "2031-07-15T18:30:00+02:00")
	p.seeFlat("4711", "status", "followed")
	p.checkFaults()
}
