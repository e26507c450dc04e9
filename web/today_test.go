// Tests of Today, the next step, and what came since one looked last.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// dueFlats returns flats with visits and next steps around today, and the fields that only updates set, by id.
func dueFlats() (flats string, updates map[string]string) {
	day := func(days int) string { return browserNow().AddDate(0, 0, days).Format(time.DateOnly) }
	const at = `"service_constraint": "c", "location": "Rue %s 1", "phone": "030 123456", "cost": 900, "currency": "EUR"`
	var list []string
	for i, id := range strings.Fields("early late over step next silent waits soon asked unrated rated far dead") {
		list = append(list, fmt.Sprintf(`{"id": %q, "title": "Flat %s", %s, "gps": [48.%d, 11.5]}`, id, id,
			fmt.Sprintf(at, id), 10+i))
	}
	return "[" + strings.Join(list, ",") + "]", map[string]string{
		// A visit that has begun would be settled by other buttons.
		"late": `{"status": "contacted", "visit_date": "` + day(0) + `T23:59"}`,
		"early": `{"status": "followed", "visit_date": "` + day(0) + `T21:29", "next_step": "Pay",
			"next_date": "` + day(0) + `"}`,
		"over": `{"status": "followed", "next_step": "Call", "next_date": "` + day(-1) + `"}`,
		"step": `{"status": "followed", "next_step": "Send documents", "next_date": "` + day(0) + `"}`,
		"next": `{"status": "followed", "visit_date": "` + day(1) + `T18:00"}`,
		"far": `{"status": "followed", "visit_date": "` + day(9) + `T18:00", "next_step": "Think",
			"next_date": "` + day(3) + `"}`,
		"asked":   `{"status": "contacted", "next_step": "Ring", "next_date": "` + day(5) + `"}`,
		"unrated": `{"status": "visited"}`,
		"rated":   `{"status": "visited", "notation": 4}`,
		"dead":    `{"status": "ignored", "next_step": "Call", "next_date": "` + day(-1) + `"}`,
	}
}

// set updates flats by their id.
func (p *tab) set(updates map[string]string) {
	p.t.Helper()
	for id, body := range updates {
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/" + %s, {method: "PATCH", body: %s}).then(({status}) => {
			if (status !== 200) throw new Error(status);
		})`, encode(id), encode(body)))
	}
}

// todayItems has the groups of Today with the ids of their flats.
const todayItems = `[...document.querySelectorAll(".today .due")].map((group) => group.classList[1] + ": " +
	[...group.querySelectorAll("[data-id]")].map(({dataset}) => dataset.id).join(" ")).join("; ")`

// TestPageNeverIdle tests that the number at Today appears in a browser that is never idle.
func TestPageNeverIdle(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flats, updates := dueFlats()
	p := openTab(t, flats, "", 1280)
	p.set(updates)
	p.do("Page.addScriptToEvaluateOnNewDocument", object{
		"source": "window.requestIdleCallback = (act, options) => options?.timeout && setTimeout(act)"})
	p.reload()
	p.wait(`document.querySelector("#bar [data-view=today] .badge").innerText > 0`)
}

// TestPageToday tests what Today shows, in which order, and that each thing can be settled there.
func TestPageToday(t *testing.T) {
	t.Parallel()
	flats, updates := dueFlats()
	// The statuses were set some days ago. Two days are too few to miss an answer.
	sinceOf := map[string]string{}
	for id, days := range map[string]int{"silent": 5, "waits": 3, "soon": 2} {
		since := time.Now().Add(-time.Duration(24*days)*time.Hour - time.Minute).UTC().Format(time.RFC3339)
		flats = strings.Replace(flats, fmt.Sprintf(`"id": %q,`, id),
			fmt.Sprintf(`"id": %q, "status": "contacted", "status_since": %q,`, id, since), 1)
		sinceOf[id] = since
	}
	p := openTab(t, flats, "", 1280)
	p.set(updates)
	// What came since the first look is one new flat, three that are cheaper, one of which waits for an answer, and one
	// that is gone.
	p.wait(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) => data.length === 1)`)
	p.bring(`[{"id": "lost@a", "title": "Lost"}, {"id": "other@a"}]`)
	p.set(map[string]string{"lost@a": `{"status": "followed"}`})
	p.bring(`[{"id": "rated", "cost": 800}, {"id": "silent", "cost": 800}, {"id": "far", "cost": 800}]`)
	p.eval(`fetch("api/v1/import?complete=a", {method: "POST", body: '[{"id": "other@a"}]'})`)
	p.goTo("#/today", ".due.came")
	const since = "came: ; changed: lost@a rated far"
	p.see(todayItems, "visits-today: early late; overdue: over; due-today: step; tomorrow: next; "+
		"unanswered: silent waits; unrated: unrated; "+since)
	p.see(`document.querySelector("#bar [data-view=today] .badge").innerText`, "5") // two visits and three steps
	p.see(`document.querySelector("#bar .views a").dataset.view`, "today")
	p.see(`document.querySelector("[data-id=over] .when").innerText`, "Call · yesterday")
	p.see(`document.querySelector("[data-id=silent] .when").innerText`, "Contacted · 5 days")
	p.see(`document.querySelector("[data-id=late] .where .soft").innerText.replace(/\s/g, " ")`,
		"1 h 30 left after Flat early, 21:29 · 1.1 km in a straight line")
	for id, hours := range map[string]string{"late": "23:59 – 00:59", "next": "18:00 – 19:00"} {
		p.see(`((visit) => [".when", ".address", "a[href^=tel]"].map((part) => visit.querySelector(part).innerText)
			.join("; "))(document.querySelector("[data-id=`+id+`]"))`, hours+"; Rue "+id+" 1 Map; Call 030 123456")
	}
	p.see(`document.querySelector("[data-id=late] a[href^=tel]").getAttribute("href")`, "tel:030123456")
	const buttons = `((id) => [...document.querySelectorAll("[data-id=" + id + "] :is(button, a.button)")]
		.map((button) => button.innerText).join())`
	p.see(buttons+`("silent")`, "Call,Message,Dismiss,Next step")
	p.see(buttons+`("over")`, "Done,Tomorrow,Call")
	p.see(`document.querySelectorAll(".today .primary").length`, "1")
	p.see(`[...document.querySelectorAll(".came a")].map(({innerText, hash}) => innerText + " " + hash).join()`,
		"1 new #/triage")
	p.see(`[...document.querySelectorAll(".changed .tags")].map(({innerText}) => innerText.replace(/since.*/, "since"))
		.join()`, "gone since,−€100 since,−€100 since")
	// Each is settled with one press, and Undo brings it back.
	p.click("[data-id=over] .settle")
	p.see(todayItems, "visits-today: early late; due-today: step; tomorrow: next; unanswered: silent waits; "+
		"unrated: unrated; "+since)
	p.see(`document.querySelector("#bar [data-view=today] .badge").innerText`, "4")
	p.seeFlat("over", "next_date", "undefined")
	p.press("u")
	p.seeFlat("over", "next_step", "Call")
	p.see(`document.querySelector("[data-id=over] .when").innerText`, "Call · yesterday")
	p.click("[data-id=over] .settle + button")
	p.see(`document.querySelector("[data-id=over]")`, "null")
	p.seeFlat("over", "next_date", browserNow().AddDate(0, 0, 1).Format(time.DateOnly))
	p.enter("[data-id=step] input[type=date]", browserNow().AddDate(0, 0, 4).Format(time.DateOnly))
	p.see(`document.querySelector("[data-id=step]")`, "null")
	p.seeFlat("step", "next_date", browserNow().AddDate(0, 0, 4).Format(time.DateOnly))
	p.click("[data-id=unrated] .stars button:nth-child(4)")
	p.see(`document.querySelector("[data-id=unrated]")`, "null")
	p.click("[data-id=waits] .step")
	p.see(`[...document.querySelectorAll(".steps-dialog > .line button")].map(({innerText}) => innerText).join()`,
		"Call tomorrow,Send documents,Ask for a visit")
	p.click(".steps-dialog > .line button:nth-child(2)")
	p.see(todayItems, "visits-today: early late; due-today: waits; tomorrow: next; unanswered: silent; "+since)
	p.press("u")
	p.see(todayItems, "visits-today: early late; tomorrow: next; unanswered: silent waits; "+since)
	p.click("[data-id=waits] .step")
	p.click(".steps-dialog > .line button:nth-child(2)")
	p.see(todayItems, "visits-today: early late; due-today: waits; tomorrow: next; unanswered: silent; "+since)
	// What was contacted waits on after Undo, as if nothing had been pressed.
	p.click("[data-id=silent] [data-status=ignored]")
	p.see(todayItems, "visits-today: early late; due-today: waits; tomorrow: next; "+since)
	p.press("u")
	p.see(`document.querySelector("[data-id=silent] .when")?.innerText`, "Contacted · 5 days")
	p.see(found("silent", "contacted_since"), encode(sinceOf["silent"]))
	p.click("[data-id=silent] [data-status=ignored]")
	p.see(todayItems, "visits-today: early late; due-today: waits; tomorrow: next; "+since)
	// What was decided here is no news. What comes, or is changed elsewhere, moves nothing before a press.
	p.see(waits, "")
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
	p.eval(`new Promise((done) => setTimeout(done, 300))`)
	p.see(`document.querySelector("#fresh").innerText`, "")
	p.bring(`[{"id": "more", "title": "More"}]`)
	for range 2 {
		p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
		p.wait(`document.querySelector("#fresh button")`)
		p.eval(`new Promise((done) => setTimeout(done, 200))`)
		p.see(todayItems+` + document.querySelector(".came a").innerText`,
			"visits-today: early late; due-today: waits; tomorrow: next; "+since+"1 new")
		p.set(map[string]string{"next": `{"visit_date": null}`})
	}
	p.click("#fresh button")
	p.see(todayItems+` + document.querySelector(".came a").innerText`,
		"visits-today: early late; due-today: waits; "+since+"2 new")
	p.goTo("#/visits", ".day")
	p.see(`document.querySelector(".day h2").innerText.replace(/\s/g, " ").split(", ").at(-1)`, "today")
	p.checkFaults()
}

// TestPageTodayNarrow tests that on a phone the buttons of each flat stand in one row, and stars beneath it where they
// have no room, that another day is chosen
// there, that a flat without a photo has no place for one, and that Undo without a network brings back how long a flat
// has waited.
func TestPageTodayNarrow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flats, updates := dueFlats()
	flats = strings.Replace(flats, `"id": "silent",`, `"id": "silent", "status": "contacted", "status_since": "`+
		browserNow().AddDate(0, 0, -5).UTC().Format(time.RFC3339)+`",`, 1)
	flats = strings.Replace(flats, `"id": "step",`, `"id": "step", "photos": [
		"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 6'/%3E"],`, 1)
	updates["early"] = strings.Replace(updates["early"], "T21:29", "T23:58", 1)
	updates["soon"] = strings.Replace(updates["early"], "T23:58", "T00:00", 1) // this one has begun
	p, network := openThroughProxy(t, start(t, flats), "", 390)
	p.set(updates)
	p.goTo("#/today", ".due")
	p.see(`document.querySelectorAll(".today .unanswered .card").length`, "1")
	p.see(`[...document.querySelectorAll("[data-id=soon] > .line > *")].map(({innerText, className}) => innerText ||
		className).join()`, "Visited,Done,stars")
	p.see(`[...document.querySelectorAll(".today .card > .line")].filter((line) =>
		new Set([...line.querySelectorAll(":scope > :not(.stars)")].map(({offsetTop}) => offsetTop)).size > 1)
		.map((line) => line.closest("li").dataset.id).join()`, "")
	p.eval(`document.querySelector("[data-id=early] .settle span").prepend("A longer word to ")`) // as in German
	p.see(`[...document.querySelectorAll("[data-id=early] > .line > *")].map(({offsetTop}) => offsetTop)
		.every((top, i, tops) => top === tops[0])`, "true")
	p.see(`[...document.querySelectorAll(".today .card:has(.photo)")].map(({dataset}) => dataset.id).join()`, "step")
	p.see(`document.querySelector("[data-id=over] .where").getBoundingClientRect().left`, "29") // the card's own margin
	day := browserNow().AddDate(0, 0, 3).Format(time.DateOnly)
	p.enter("[data-id=over] [type=date]", day)
	p.seeFlat("over", "next_date", day)
	// Two checks at once, while answers are slow, draw nothing: neither what is the same, nor what has come meanwhile.
	p.see(`document.querySelector("[data-id=over]")`, "null")
	p.eval(`window.drawn = 0;
		new MutationObserver(() => drawn++).observe(document.querySelector(".today"), {childList: true, subtree: true})`)
	p.set(map[string]string{"far": `{"visit_date": "` + browserNow().Format(time.DateOnly) + `"}`})
	network.latency.Store(100)
	p.eval(`(async () => {
		const pause = (ms) => new Promise((done) => setTimeout(done, ms));
		for (let n = 0; n < 8; n++) {
			document.dispatchEvent(new Event("visibilitychange"));
			await pause(60);
		}
	})()`)
	p.wait(`document.querySelector("#fresh button")`)
	p.see(`drawn + " " + document.querySelector("[data-id=far]")`, "0 null")
	network.latency.Store(0)
	p.click("#fresh button")
	p.wait(`drawn > 0 && document.querySelector("[data-id=far]")`)
	// What was dismissed and taken back without a network waits on for its answer.
	since := p.eval(found("silent", "contacted_since"))
	network.down.Store(true)
	p.click("[data-id=silent] [data-status=ignored]")
	p.see(waits, "1 change waits")
	p.wait(`!document.querySelector("[data-id=silent]")`)
	p.click(".notice button")
	p.see(waits, "2 changes wait")
	p.see(`document.querySelector("[data-id=silent] .when")?.innerText`, "Contacted · 5 days")
	network.down.Store(false)
	p.see(waits, "")
	p.see(found("silent", "contacted_since"), fmt.Sprint(since))
	p.resize(1280)
	p.see(`document.querySelector("[data-id=step] .where").getBoundingClientRect().left -
		document.querySelector("[data-id=step] .photo").getBoundingClientRect().right`, "16")
	p.checkFaults()
}

// TestPageTodayEmpty tests an empty day, and that a phone opens Today only if something is due.
func TestPageTodayEmpty(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "", 390)
	p.see(`document.body.dataset.view`, "list")
	at := browserNow().AddDate(0, 0, 9)
	p.set(map[string]string{"a": `{"status": "followed", "visit_date": "` + at.Format(time.DateOnly) + `T18:00"}`})
	p.goTo("#/today", ".empty")
	layout := "Mon 2 Jan"
	if at.Year() != browserNow().Year() {
		layout = "Mon, 2 Jan 2006" // the page names another year
	}
	p.see(`document.querySelector(".today .empty").innerText.replace(/\s+/g, " ")`,
		"Nothing is due today The next visit is on "+inBritain(at, layout)+", 18:00: A")
	// A visit tomorrow is the next one, and stands below.
	p.set(map[string]string{"b": `{"visit_date": "` + browserNow().AddDate(0, 0, 1).Format(time.DateOnly) + `T18:00"}`})
	p.goTo("#/visits", ".day")
	p.goTo("#/today", ".tomorrow")
	p.see(`document.querySelector(".today .empty").innerText + `+todayItems, "Nothing is due todaytomorrow: b")
	p.set(map[string]string{"a": `{"next_step": "Call", "next_date": "` + browserNow().Format(time.DateOnly) + `"}`})
	p.openOther("").see(`innerWidth > 900 && document.body.dataset.view`, "list")
	phone := &tab{browser: p.browser, t: t, url: p.url}
	phone.open("", 390)
	phone.see(`document.body.dataset.view + " " + location.hash`, "today #/today")
	// The bar lies at the bottom of a phone, with an icon and a word for each of its five places.
	phone.see(`document.querySelector("#bar").getBoundingClientRect().bottom`, "844")
	phone.see(`[...document.querySelectorAll("#bar :is(.views a, .menu)")].filter((place) => place.offsetHeight >= 44 &&
		place.querySelector(".icon").checkVisibility() && place.querySelector("span").checkVisibility()).length`, "5")
	phone.checkFaults()
	p.checkFaults()
}

// TestPageNextStep tests that two taps set a next step, on a flat, in Triage and in Visits, and where it shows.
func TestPageNextStep(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/flat/a", 1280)
	day := func(days int) string { return browserNow().AddDate(0, 0, days).Format(time.DateOnly) }
	for i, step := range []struct{ hash, ready, words, date string }{
		{"#/flat/a", ".step", "Call", day(1)}, {"#/triage", ".card .step", "Send documents", day(0)},
		{"#/visits", ".step", "Ask for a visit", day(0)},
	} {
		if step.hash == "#/visits" {
			p.set(map[string]string{"a": `{"visit_date": "` + day(3) + `T18:00"}`})
		}
		p.goTo(step.hash, step.ready)
		p.click(".step")
		p.click(fmt.Sprintf(".steps-dialog > .line:last-of-type button:nth-child(%d)", i+1))
		p.wait(`!document.querySelector(".steps-dialog") && document.querySelector(".notice")`)
		id := fmt.Sprint(p.eval(`document.querySelector(".notice p").textContent[0].toLowerCase()`))
		p.seeFlat(id, "next_step", step.words)
		p.seeFlat(id, "next_date", step.date)
	}
	// One's own words and date, which the row of the list shows, too.
	p.goTo("#/flat/a", ".step")
	p.click(".step")
	p.enter("[name=step]", "Ring Ms Ebers")
	p.enter("[name=date]", day(2))
	p.click("[data-own]")
	p.seeFlat("a", "next_step", "Ring Ms Ebers")
	p.see(`document.querySelector(".own .step").innerText`, "Ring Ms Ebers · in 2 days")
	p.goTo("#/", ".row .step")
	p.see(`document.querySelector("[data-id=a] .step").innerText`, "Ring Ms Ebers · in 2 days")
	p.goTo("#/flat/a", ".step")
	p.click(".step")
	p.click(".steps-dialog .primary")
	p.see(`document.querySelector(".own .step").innerText`, "Next step")
	p.seeFlat("a", "next_step", "undefined")
	p.checkFaults()
}

// unseenTitles has the titles of the rows that are bold, and sinceLines the texts between the rows, with the number of
// rows before each.
const (
	unseenTitles = `[...document.querySelectorAll(".row h2")].filter((h) => getComputedStyle(h).fontWeight === "600")
		.map((h) => h.innerText).join()`
	sinceLines = `[...document.querySelectorAll(".since-line")].map((line) => line.innerText.trim().slice(0, 9) + " " +
		[...document.querySelectorAll(".row")].filter((row) => row.compareDocumentPosition(line) & 4).length).join()`
)

// TestPageNewSince tests what the list marks as new since one looked last: nothing at the very first look, then what
// came after the list was left. A reload keeps it.
func TestPageNewSince(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/", width)
		p.see(rowCount, "2")
		p.wait(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) => data.length === 1)`)
		p.see(unseenTitles+` + `+sinceLines+` + document.title`, "Flats")
		p.see(`document.querySelectorAll(".saved .chip").length`, "0")
		p.goTo("#/add", "form")
		p.bring(`[{"id": "c", "title": "C", "date": "2026-01-02"}, {"id": "d", "title": "D", "date": "2026-01-01"}]`)
		p.reload()
		p.eval(`sessionStorage.removeItem(keptAs("flats.mark"))`) // as if the page was opened anew
		other := p.openOther("#/")
		other.resize(width)
		other.reload()
		other.see(unseenTitles, "C,D")
		other.see(sinceLines, "New since 0, 2")
		other.see(`/^New since (yesterday )?\d\d:\d\d$/.test(document.querySelector(".since-line").innerText.trim())`, "true")
		other.see(`document.title`, "(2) Flats")
		other.reload()
		other.see(unseenTitles, "C,D")
		other.see(`document.title`, "(2) Flats")
		// What was opened is no longer bold; the others are, when one comes back from it.
		other.eval(`navigator.setAppBadge = async (n) => { window.onApp = n; }`)
		other.click(".row h2 a")
		other.wait(`document.querySelector(".flat h1")`)
		other.see(`document.title + window.onApp`, "(1) C · Flats1")
		other.eval(`history.back()`)
		other.see(unseenTitles, "D")
		other.see(sinceLines, "New since 0, 2")
		other.goTo("#/add", "form")
		other.goTo("#/", ".row")
		other.see(unseenTitles+` + `+sinceLines+` + document.title`, "Flats")
		other.checkFaults()
		// The mark is that of all devices.
		p.goTo("#/", ".row")
		p.see(unseenTitles+` + `+sinceLines, "")
		// It moves when the list is hidden, too, which changes nothing of what is shown.
		p.bring(`[{"id": "e", "title": "E"}]`)
		p.reload()
		p.see(unseenTitles, "E")
		p.wait(`document.title === "(1) Flats"`)
		p.eval(`Object.defineProperty(document, "visibilityState", {value: "hidden", configurable: true});
			document.dispatchEvent(new Event("visibilitychange"))`)
		p.see(`Promise.all(["views", "flats/e"].map((path) => fetch("api/v1/" + path).then((answer) => answer.json())))
			.then(([views, flat]) => Date.parse(views.data[0].seen) === Date.parse(flat.data.first_seen))`, "true")
		p.see(unseenTitles, "E")
		p.checkFaults()
	}
}

// TestPageMonthly tests what a flat really costs: on the flat, in the list with its filter and order, in Compare, and
// corrected.
func TestPageMonthly(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[
		{"id": "a", "title": "A", "cost": 900, "charges": 200, "utilities": "excluded", "deposit": 2700, "fee": 300,
			"currency": "EUR", "area": 50},
		{"id": "b", "title": "B", "cost": 1000, "utilities": "included", "currency": "EUR", "area": 50},
		{"id": "c", "title": "C", "cost": 800, "currency": "EUR", "area": 50}]`, "#/flat/a", 1280)
	costs := `document.querySelector(".what .costs")?.innerText.replace(/\s/g, " ")`
	p.see(costs, "€1,100 a month: 900 + 200 · Deposit €2,700, Fee €300")
	p.see(`(([cost, sum]) => sum.top >= cost.bottom && sum.top - cost.bottom < 24 && sum.left === cost.left)(
		[".what .cost", ".what .costs"].map((part) => document.querySelector(part).getBoundingClientRect()))`, "true")
	// Where the button that edits the facts has no room beside them, it stands below the sum, too.
	p.resize(390)
	p.eval(`document.querySelector(".edit").append(" all of what the listing says")`) // as in another language
	p.see(`document.querySelector(".edit").getBoundingClientRect().top >=
		document.querySelector(".what .costs").getBoundingClientRect().bottom`, "true")
	p.resize(1280)
	p.goTo("#/?monthly=..1050", ".row")
	p.see(`document.querySelector(".chips .chip").innerText.replace(/\s/g, " ")`, "All in ≤ 1,050")
	p.see(firstRow+` + `+rowCount, "b1")
	p.see(`document.querySelector(".hidden-ones p").innerText`, "1 do not say · Show")
	p.goTo("#/?sort=monthly", "[data-id=c]")
	p.see(column("title", 3), "B|A|C")
	p.see(`document.querySelector("[data-id=a] .cost small").innerText.replace(/\s/g, " ")`, "€1,100 all in")
	p.goTo("#/compare/a,b", "tbody")
	p.see(`[...document.querySelectorAll("tbody tr")].filter((row) => /All in|Deposit|Fee|a month/.test(row.innerText))
		.map((row) => row.innerText.replace(/\s+/g, " ")).join("; ")`,
		"Utilities a month €200 –; All in €1,100 €1,000 best; Deposit €2,700 –; Fee €300 –")
	p.goTo("#/flat/c", ".edit")
	p.click(".edit")
	p.enter("[name=utilities]", "excluded")
	p.enter("[name=charges]", "150 €")
	p.enter("[name=deposit]", "2.400")
	p.click(".editing .primary")
	p.see(costs, "€950 a month: 800 + 150 · Deposit €2,400")
	p.seeFlat("c", "charges", "150")
	p.see(`document.querySelector("ul.corrected").innerText.replace(/\s+/g, " ").includes("Deposit: €2,400 corrected")`,
		"true")
	p.click(".edit")
	p.enter("[name=utilities]", "")
	p.click(".editing .primary")
	p.seeFlat("c", "utilities", "null")
	p.checkFaults()
}

// TestPageGo tests the ways by keys: g and a letter to each view, the palette, and the skip link.
func TestPageGo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	p.see(`[...document.querySelectorAll("#bar .brand, #bar .views a > span, #bar .menu, #menu > :is(a, button)")]
		.map(({textContent}) => textContent.trim()).join()`, "flats,Today,Flats,Triage,Add,More,Visits,Map,Compare,"+
		"Duplicates,Prices,Import,Mailbox,Photos,Travel,Tell me,Keys,Forget this device")
	p.key("Tab")
	p.see(`document.activeElement.id`, "skip")
	p.key("Enter")
	p.see(`document.activeElement === document.querySelector(".row a")`, "true")
	for key, view := range map[string]string{
		"t": "today", "f": "list", "r": "triage", "a": "add", "v": "visits",
		"m": "map", "c": "compare", "d": "duplicates", "p": "prices",
	} {
		p.eval(`document.activeElement.blur()`)
		p.press("g" + key)
		p.see(`document.body.dataset.view`, view)
	}
	p.press("gf")
	p.see(rowCount, "10")
	palette := func(typed string) {
		p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "key": "k", "code": "KeyK", "modifiers": 2})
		p.wait(`document.activeElement.matches(".palette input")`)
		p.eval(`{ const input = document.activeElement; input.value = ` + encode(typed) + `;
			input.dispatchEvent(new Event("input", {bubbles: true})); }`)
	}
	palette("dupl")
	p.see(`[...document.querySelectorAll(".palette li")].map((line) => line.innerText).join()`, "Duplicates")
	p.key("Enter")
	p.see(`document.body.dataset.view`, "duplicates")
	palette("two rooms in")
	p.see(`document.querySelector(".palette a").hash`, fmt.Sprint(p.eval(
		`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) => data[0].page)`)))
	p.key("Escape")
	p.wait(`!document.querySelector(".palette")`)
	palette("Croix-Rou")
	p.wait(`document.querySelector(".palette a[href*=flat]")`)
	p.key("ArrowDown")
	p.key("Enter")
	p.see(`document.querySelector("h1").innerText.includes("Croix-Rousse")`, "true")
	// A chip sets the visit.
	p.see(`[...document.querySelectorAll(".usual button")].slice(-2).map(({innerText}) =>
		innerText.replace(/\s/g, " ")).join()`, "Tomorrow 18:00,Sat 11:00")
	p.click(".usual button:nth-last-child(2)")
	tomorrow := browserNow().AddDate(0, 0, 1).Format(time.DateOnly)
	p.see(`document.querySelector("#visit").value`, tomorrow+"T18:00")
	p.see(`fetch("api/v1/find?known[visit_date]=yes&sort=visit_date&fields=visit_date,title")
		.then((answer) => answer.json()).then(({data}) => data.some(({title, visit_date}) => title.includes("Croix-Rousse") &&
			visit_date.startsWith("`+tomorrow+`T18:00")))`, "true")
	p.checkFaults()
}
