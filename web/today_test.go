// Tests of Today, the next step, and the flats that came since the last look.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// morning returns the time in a time zone in which it is morning now, so that no visit in the evening has begun.
func morning() time.Time {
	zone, err := time.LoadLocation(fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-11)) // named for what to add for UTC
	if err != nil {
		panic(err)
	}
	return time.Now().In(zone)
}

// dueFlats returns flats with visits and next steps around a day, and changes by id that set what no import sets. The
// ids say what the flats have: early and late a visit today, early also a step that is due today, over an overdue step,
// step one that is due today, next a visit tomorrow, asked a step later, far both later. unrated and rated were
// visited, dead was dismissed with an overdue step. silent, waits and soon have nothing of this (openToday).
func dueFlats(today time.Time) (flats string, updates map[string]string) {
	day := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	const at = `"service_constraint": "c", "location": "Rue %s 1", "phone": "030 123456", "cost": 900, "currency": "EUR"`
	var list []string
	for i, id := range strings.Fields("early late over step next silent waits soon asked unrated rated far dead") {
		list = append(list, fmt.Sprintf(`{"id": %q, "title": "Flat %s", %s, "gps": [48.%d, 11.5]}`, id, id,
			fmt.Sprintf(at, id), 10+i))
	}
	return "[" + strings.Join(list, ",") + "]", map[string]string{
		// A visit that has begun would have other buttons.
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

// patchFlats updates flats by their id.
func (p *tab) patchFlats(updates map[string]string) {
	p.t.Helper()
	for id, body := range updates {
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/" + %s, {method: "PATCH", body: %s}).then(({status}) => {
			if (status !== 200) throw new Error(status);
		})`, encode(id), encode(body)))
	}
}

// TestPageNeverIdle tests that the number at Today appears in a browser that is never idle.
func TestPageNeverIdle(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flats, updates := dueFlats(browserNow())
	p := openTab(t, flats, "", 1280)
	p.patchFlats(updates)
	p.runFirst("window.requestIdleCallback = (act, options) => options?.timeout && setTimeout(act)")
	p.reload()
	p.wait(todayCount + " > 0")
}

// openToday opens the list of dueFlats in the morning. Three of them were contacted some days ago; sinceOf has when,
// by id. An answer is overdue after three days, but not after two.
func openToday(t *testing.T) (p *tab, sinceOf map[string]string) {
	t.Helper()
	flats, updates := dueFlats(morning())
	sinceOf = map[string]string{}
	for id, days := range map[string]int{"silent": 5, "waits": 3, "soon": 2} {
		since := time.Now().Add(-time.Duration(24*days)*time.Hour - time.Minute).UTC().Format(time.RFC3339)
		flats = strings.Replace(flats, fmt.Sprintf(`"id": %q,`, id),
			fmt.Sprintf(`"id": %q, "status": "contacted", "status_since": %q, "text": "Das ist die Wohnung",`, id, since), 1)
		sinceOf[id] = since
	}
	p = openTab(t, flats, "", 1280)
	p.do("Emulation.setTimezoneOverride", object{"timezoneId": morning().Location().String()})
	p.reload()
	p.patchFlats(updates)
	// Since the first look, one flat is new, three are cheaper (silent waits for an answer, too), and one is gone.
	p.wait(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) => data.length === 1)`)
	p.importListings(`[{"id": "lost@a", "title": "Lost"}, {"id": "other@a"}]`)
	p.patchFlats(map[string]string{"lost@a": `{"status": "followed"}`})
	p.importListings(`[{"id": "rated", "cost": 800}, {"id": "silent", "cost": 800}, {"id": "far", "cost": 800}]`)
	p.eval(`fetch("api/v1/import?complete=a", {method: "POST", body: '[{"id": "other@a"}]'})`)
	p.goTo("#/today", ".due.came")
	return p, sinceOf
}

// The groups of openToday that no test settles, in the form of todayItems: changes, and the visits of tomorrow. The
// first group of Today, came, has links and no flats.
const (
	sinceLook  = "changed: lost@a far rated"
	lastGroups = sinceLook + "; tomorrow: next"
)

// TestPageToday tests what Today shows.
func TestPageToday(t *testing.T) {
	t.Parallel()
	p, _ := openToday(t)
	p.test("each flat stands in the first group that it belongs to", func() {
		p.see(todayItems, "came: ; visits-today: early late; overdue: over; due-today: step; "+
			"unanswered: silent waits; unrated: unrated; "+lastGroups)
	})
	p.test("Today is first in the bar, with the number of visits and steps", func() {
		p.see(todayCount, "5") // the visits of early and late, the steps of early, over and step
		p.see(firstPlaceOfBar, "today")
	})
	p.test("a step says when it was due, and an answer for how long one waits", func() {
		p.see(whenOf("over"), "Call · yesterday")
		p.see(whenOf("silent"), "Contacted · 5 days")
	})
	p.test("a visit has its time, address and phone, and the way from the one before", func() {
		for id, hours := range map[string]string{"late": "23:59 – 00:59", "next": "18:00 – 19:00"} {
			p.see(visitFacts(id), hours+"; Rue "+id+" 1 Map; Call 030 123456")
		}
		p.see(phoneOf("late"), "tel:030123456")
		p.see(gapBefore("late"), "1 h 30 between · ≈ 1.1 km")
	})
	p.test("each has the buttons that settle it, one of all of them filled", func() {
		p.see(buttonsOf("silent"), "Next step,Call,Message,Dismiss")
		p.see(buttonsOf("over"), "Done,Call,Tomorrow")
		p.see(count(".today .primary"), "1")
	})
	p.test("what came leads to Triage, and what changed says how", func() {
		p.see(cameLinks, "1 new · Triage #/triage")
		p.see(changedWords, "gone since; €800, was €900; €800, was €900")
	})
	p.test("the next visit is large, with the way there, Call and Notes", func() {
		p.see(largeVisit, "early")
		p.see(buttonsOf("early"), "Directions,Call 030 123456,Notes,Done")
	})
	p.test("a message has the language of the listing, of which Today has no text", func() {
		p.click(writeTo("silent"))
		p.see(messageIn, "German")
	})
}

// TestPageTodayTomorrow tests that a flat with a visit tomorrow also has a line for a step that is due.
func TestPageTodayTomorrow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "", 390)
	day := func(days int) string { return browserNow().AddDate(0, 0, days).Format(time.DateOnly) }
	for id, due := range map[string]string{"a": day(0), "b": day(-1)} {
		p.patchFlats(map[string]string{id: `{"status": "contacted", "visit_date": "` + day(1) + `T18:00", "next_step": "Call",
			"next_date": "` + due + `"}`})
	}
	p.goTo("#/today", ".tomorrow")
	p.test("what is due stands above the visits of tomorrow, which have no part of it", func() {
		p.see(todayItems, "overdue: b; due-today: a; tomorrow: a b")
		p.see(whenOf("a"), "Call · today")
		p.see(tomorrowButtons, "")
		p.see(todayCount, "2")
	})
	p.test("Done leaves the visit, which takes a step again", func() {
		p.click(doneButtonOf("a"))
		p.see(todayItems, "overdue: b; tomorrow: a b")
		p.see(tomorrowButtons, "Next step")
	})
}

// TestPageTodayLook tests which parts of Today stand out, and where its parts stand.
func TestPageTodayLook(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openToday(t)
	p.test("only the time of the next visit is large", func() { p.see(nextVisitFontSizes, "20px,14px") })
	p.test("steps stand beside both days", func() { p.see(toDoIsBesideDays, "true") })
	p.test("the words of the buttons begin below those of the address", func() { p.see(visitIndents("late"), "0") })
	p.test("in the bar the places have one distance, and the line is as long as word and number", func() {
		p.see(barDistances, "24,24,24")
		p.see(barLineIsCentred, "true")
	})
	p.resize(900)
	p.test("on a narrow laptop the day has the whole width", func() { p.see(toDoIsBesideDays, "false") })
	p.resize(390)
	p.test("on a phone a visit is no higher than its lines", func() { p.see(heightOf("late")+" <= 120", "true") })
}

// TestPageTodaySteps tests that steps and ratings are settled with one press.
func TestPageTodaySteps(t *testing.T) {
	t.Parallel()
	p, _ := openToday(t)
	p.test("Done drops the step, and Undo brings it back", func() {
		p.click(doneButtonOf("over"))
		p.see(todayItems, "came: ; visits-today: early late; due-today: step; unanswered: silent waits; "+
			"unrated: unrated; "+lastGroups)
		p.see(todayCount, "4")
		p.seeFlat("over", "next_date", "undefined")
		p.press("u")
		p.seeFlat("over", "next_step", "Call")
		p.see(whenOf("over"), "Call · yesterday")
	})
	p.test("Tomorrow puts the step off", func() {
		p.click(tomorrowButtonOf("over"))
		p.see(showsFlat("over"), "false")
		p.seeFlat("over", "next_date", morning().AddDate(0, 0, 1).Format(time.DateOnly))
	})
	p.test("another day puts the step off", func() {
		day := morning().AddDate(0, 0, 4).Format(time.DateOnly)
		p.enter(dateFieldOf("step"), day)
		p.see(showsFlat("step"), "false")
		p.seeFlat("step", "next_date", day)
	})
	p.test("a star rates what was visited", func() {
		p.click(starButtonOf("unrated", 4))
		p.see(showsFlat("unrated"), "false")
		p.seeFlat("unrated", "notation", "4")
	})
}

// TestPageTodayAnswers tests what Today offers if an answer does not come.
func TestPageTodayAnswers(t *testing.T) {
	t.Parallel()
	p, sinceOf := openToday(t)
	const before = "came: ; visits-today: early late; overdue: over; due-today: step"
	const after = "unrated: unrated; " + lastGroups
	p.test("a next step takes the flat away until the step is due, and Undo brings it back", func() {
		p.click(stepButtonOf("waits"))
		p.see(stepChoices, "Call tomorrow,Send documents,Ask for a visit")
		p.click(stepChoiceButton(2))
		p.see(todayItems, before+" waits; unanswered: silent; "+after)
		p.press("u")
		p.see(todayItems, before+"; unanswered: silent waits; "+after)
	})
	p.test("Dismiss takes it away", func() {
		p.click(dismissButtonOf("silent"))
		p.see(todayItems, before+"; unanswered: waits; "+after)
	})
	p.test("Undo lets the flat wait on, as if nothing had been pressed", func() {
		p.press("u")
		p.see(whenOf("silent"), "Contacted · 5 days")
		p.see(findField("silent", "contacted_since"), encode(sinceOf["silent"]))
	})
}

// TestPageTodayGone tests that a flat that is gone asks for nothing but to be dismissed, and that one press settles a
// lower cost.
func TestPageTodayGone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openToday(t)
	today := morning().Format(time.DateOnly)
	p.patchFlats(map[string]string{"lost@a": `{"next_step": "Call", "next_date": "` + today + `"}`})
	p.reload()
	p.test("its only button is Dismiss", func() {
		p.see(buttonsOf("lost@a"), "Dismiss")
		p.click(dismissButtonOf("lost@a"))
		p.see(showsFlat("lost@a"), "false")
	})
	p.test("Seen takes a lower cost away, Undo brings it back", func() {
		seen := inFlat("rated", ".line button")
		p.see(buttonsOf("rated"), "Seen")
		p.click(seen)
		p.see(showsFlat("rated"), "false")
		p.press("u")
		p.see(showsFlat("rated"), "true")
		p.click(seen)
		p.see(showsFlat("rated"), "false")
		p.reload()
		p.wait(showsFlat("far"))
		p.see(showsFlat("rated"), "false")
	})
	p.test("the next change of the cost is shown again", func() {
		p.importListings(`[{"id": "rated", "cost": 700}]`)
		p.reload()
		p.see(changedWords, "€700, was €800; €800, was €900")
	})
}

// TestPageTodayGoneStep tests that a new flat with a step that is due asks for nothing but to be dismissed once it is
// gone, that the steps of a signed flat remain, and that the number in the bar says so.
func TestPageTodayGoneStep(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "lost@a", "title": "Lost"}, {"id": "mine@a", "title": "Mine"}, {"id": "other@a"}]`, "", 1280)
	due := `"next_step": "Call", "next_date": "` + browserNow().Format(time.DateOnly) + `"`
	p.patchFlats(map[string]string{"lost@a": "{" + due + "}", "mine@a": `{"status": "signed", ` + due + "}"})
	p.importAll("a", `[{"id": "other@a"}]`)
	p.goTo("#/today", ".due.changed")
	p.see(todayItems, "due-today: mine@a; changed: lost@a")
	p.see(buttonsOf("lost@a"), "Dismiss")
	p.see(todayCount, "1")
}

// TestPageTodayRunning tests that while visits run, a phone opens at the notes of the visit that began last.
func TestPageTodayRunning(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "b", "title": "B", "cost": 1},
		{"id": "a", "title": "A", "cost": 2, "text": "`+strings.Repeat("Far. ", 900)+`"}]`, "#/add", 390)
	at := func(ago time.Duration) string { return browserNow().Add(-ago).Format("2006-01-02T15:04") }
	p.patchFlats(map[string]string{"a": `{"status": "contacted", "visit_date": "` + at(time.Minute) + `"}`,
		"b": `{"status": "contacted", "visit_date": "` + at(50*time.Minute) + `"}`})
	p.openAnew("/")
	p.see(hash, "#/flat/a")
	p.wait(isThere(ownStar(1)))
	p.see("(({top, bottom}) => top >= 0 && bottom <= innerHeight)("+box(".own .notes textarea")+")", "true")
	p.click(".steps a")
	p.see(hash, "#/today")
}

// TestPageTodayOverlap tests two visits at the same time.
func TestPageTodayOverlap(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}, {"id": "c", "title": "C"}]`, "#/add", 1280)
	at := func(hour string) string {
		return `{"status": "contacted", "visit_date": "` + browserNow().Format(time.DateOnly) + hour + `"}`
	}
	p.patchFlats(map[string]string{"a": at("T00:00"), "b": at("T00:01"), "c": at("T23:59")})
	p.goTo("#/today", ".due")
	p.test("each visit that has begun has its notes at hand", func() {
		for _, id := range []string{"a", "b"} {
			p.see(buttonsOf(id)+`.replace(/,,*$/, "")`, "Visited,Notes,Next step")
		}
	})
	p.test("the overlap stands out", func() { p.see(overlapLook, "14px 600 filled,13px 400") })
}

// TestPageTodayFresh tests that news moves nothing before a press.
func TestPageTodayFresh(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openToday(t)
	const before = "came: ; visits-today: early late; "
	const after = "overdue: over; due-today: step; unanswered: waits; unrated: unrated; " + sinceLook
	p.click(dismissButtonOf("silent"))
	p.see(todayItems, before+after+"; tomorrow: next")
	p.see(waitingLine, "")
	p.test("decisions on this page are no news", func() {
		p.comeBack()
		p.rest(forAnswer)
		p.see(newsWords, "")
	})
	p.test("new flats, and changes made elsewhere, wait for Show", func() {
		p.importListings(`[{"id": "more", "title": "More"}]`)
		for range 2 { // after what comes, and after what is changed
			p.comeBack()
			p.wait(isThere(newsButton))
			p.rest(forAnswer)
			p.see(todayItems, before+after+"; tomorrow: next")
			p.see(firstCame, "1 new · Triage")
			p.patchFlats(map[string]string{"next": `{"visit_date": null}`})
		}
	})
	p.test("Show shows both", func() {
		p.showNews()
		p.see(todayItems, before+after)
		p.see(firstCame, "2 new · Triage")
	})
	p.test("Visits begins with today", func() {
		p.goTo("#/visits", visitDay)
		p.see(firstDay+`.split(", ").at(-1)`, "today")
	})
}

// TestPageTodayNarrow tests Today on a phone.
func TestPageTodayNarrow(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openTodayNarrow(t)
	p.test("a flat that waits for an answer and whose visit has begun is there once", func() {
		p.see(count(".today [data-id=soon]"), "1")
		p.see(buttonsOf("soon")+`.replace(/,,*$/, "")`, "Visited,Call 030 123456,Notes,Done")
	})
	p.test("steps stand in plain lines, without photos", func() {
		p.see(brokenTodayLines, "")
		p.see(cutReasons, "")
		p.see(todayPhotos, "")
	})
	p.test("each action has one place in all of them, also where a flat cannot be called", func() {
		p.see(buttonsOf("over"), "Done,Tomorrow")
		p.see(actionsOutOfColumn, "")
	})
	p.test("an overlap is one red line between the two", func() {
		p.patchFlats(map[string]string{"late": `{"visit_date": "` + browserNow().Format(time.DateOnly) + `T23:30"}`})
		p.reload()
		p.see(count(".today .overlap"), "1")
	})
	p.test("a step is put off to another day", func() {
		day := browserNow().AddDate(0, 0, 3).Format(time.DateOnly)
		p.enter(dateFieldOf("over"), day)
		p.seeFlat("over", "next_date", day)
		p.see(showsFlat("over"), "false")
	})
}

// openTodayNarrow opens Today of dueFlats on a phone. The flat soon has a visit that has begun, silent has waited five
// days for an answer, step has a photo, and over has no phone.
func openTodayNarrow(t *testing.T) (*tab, *proxy) {
	t.Helper()
	flats, updates := dueFlats(browserNow())
	flats = strings.Replace(flats, `"id": "silent",`, `"id": "silent", "status": "contacted", "status_since": "`+
		browserNow().AddDate(0, 0, -5).UTC().Format(time.RFC3339)+`",`, 1)
	flats = strings.Replace(flats, `"Rue over 1", "phone": "030 123456"`, `"Rue over 1"`, 1)
	flats = strings.Replace(flats, `"id": "step",`, `"id": "step", "photos": [
		"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 6'/%3E"],`, 1)
	updates["early"] = strings.Replace(updates["early"], "T21:29", "T23:58", 1)
	updates["soon"] = strings.Replace(updates["early"], "T23:58", "T00:00", 1) // the visit has begun
	p, network := openThroughProxy(t, start(t, flats), "", 390)
	p.patchFlats(updates)
	p.goTo("#/today", ".due")
	return p, network
}

// TestPageTodayUnrated tests, where nobody has said who uses the page, that Today asks for a rating only as long as
// somebody has not rated, and that the ratings of others fit into the narrowest phone.
func TestPageTodayUnrated(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	server := start(t, `[{"id": "a", "title": "Attic", "status": "visited", "ratings": {"Ann": 3, "Ben": 2, "Cem": 1}},
		{"id": "b", "title": "Barn", "status": "visited", "ratings": {"Ann": 3, "Ben": 2}}]`,
		`"people": ["Ann", "Ben", "Cem"]`)
	p, _ := openThroughProxy(t, server, "#/today", 320)
	p.see(todayItems, "unrated: b")
	p.see(text(starsInToday), "Ann ★ 3, Ben ★ 2")
	p.see(fitsAcross, "true")
}

// TestPageTodayQuiet tests that two checks for news at once, while answers are slow, draw nothing, whether something
// has come meanwhile or not.
func TestPageTodayQuiet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openTodayNarrow(t)
	p.eval(`window.drawn = 0; new MutationObserver(() => drawn++).observe(document.querySelector(".today"),
		{childList: true, subtree: true})`)
	p.patchFlats(map[string]string{"far": `{"visit_date": "` + browserNow().Format(time.DateOnly) + `"}`})
	network.latency.Store(100)
	p.eval(`(async () => {
		const pause = (ms) => new Promise((done) => setTimeout(done, ms));
		for (let n = 0; n < 8; n++) {
			document.dispatchEvent(new Event("visibilitychange"));
			await pause(60);
		}
	})()`)
	p.wait(isThere(newsButton))
	p.see("drawn", "0")
	p.see(showsFlat("far"), "false")
	network.latency.Store(0)
	p.showNews()
	p.wait("drawn > 0 && " + showsFlat("far"))
}

// TestPageTodayOffline tests that a contacted flat, dismissed and restored without a network, still counts the days
// since it was contacted.
func TestPageTodayOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openTodayNarrow(t)
	since := p.eval(findField("silent", "contacted_since"))
	network.down.Store(true)
	p.click(dismissButtonOf("silent"))
	p.see(waitingLine, "1 change waits")
	p.see(showsFlat("silent"), "false")
	p.undo()
	p.see(waitingLine, "2 changes wait")
	p.see(whenOf("silent"), "Contacted · 5 days")
	network.down.Store(false)
	p.see(waitingLine, "")
	p.see(findField("silent", "contacted_since"), fmt.Sprint(since))
}

// TestPageTodayEmpty tests a day on which nothing is due.
func TestPageTodayEmpty(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "", 390)
	p.test("a phone opens the list if nothing is due", func() { p.see(openView, "list") })
	at := browserNow().AddDate(0, 0, 9)
	p.patchFlats(map[string]string{"a": `{"status": "followed", "visit_date": "` + at.Format(time.DateOnly) + `T18:00"}`})
	p.test("Today says that nothing is due, and when the next visit is", func() {
		p.goTo("#/today", ".empty")
		layout := "Mon 2 Jan"
		if at.Year() != browserNow().Year() {
			layout = "Mon, 2 Jan 2006" // the page names another year
		}
		p.see(text(emptyDay), "Nothing is due today The next visit is on "+inBritain(at, layout)+", 18:00: A")
	})
	p.test("a visit tomorrow is the next one, and stands below", func() {
		tomorrow := browserNow().AddDate(0, 0, 1).Format(time.DateOnly)
		p.patchFlats(map[string]string{"b": `{"visit_date": "` + tomorrow + `T18:00"}`})
		p.goTo("#/visits", visitDay)
		p.goTo("#/today", ".tomorrow")
		p.see(text(emptyDay), "Nothing is due today")
		p.see(todayItems, "tomorrow: b")
	})
}

// TestPageTodayFirst tests which view opens first if something is due.
func TestPageTodayFirst(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}]`, "", 1280)
	today := browserNow().Format(time.DateOnly)
	p.patchFlats(map[string]string{"a": `{"next_step": "Call", "next_date": "` + today + `"}`})
	p.test("a laptop opens the list", func() { p.openOther("").see(openView, "list") })
	phone := &tab{browser: p.browser, t: t, url: p.url}
	phone.open("", 390)
	phone.test("a phone opens Today", func() { phone.see(openView+` + " " + `+hash, "today #/today") })
	phone.test("on a phone the bar lies at the bottom, with an icon and a word for each of its five places", func() {
		phone.see(box("#bar")+".bottom", "844")
		phone.see(wholePlacesOfBar, "5")
	})
	phone.checkFaults()
}

// TestPageNextStep tests the next step of a flat.
func TestPageNextStep(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/flat/a", 1280)
	day := func(days int) string { return browserNow().AddDate(0, 0, days).Format(time.DateOnly) }
	for i, c := range []struct{ hash, words, date string }{
		{"#/flat/a", "Call", day(1)}, {"#/triage", "Send documents", day(0)}, {"#/visits", "Ask for a visit", day(0)},
	} {
		if c.hash == "#/visits" {
			p.patchFlats(map[string]string{"a": `{"visit_date": "` + day(3) + `T18:00"}`})
		}
		p.test("two taps set a next step at "+c.hash, func() {
			p.goTo(c.hash, stepButton)
			p.click(stepButton)
			p.click(stepChoiceButton(i + 1)) // its words are c.words, or begin with them
			p.wait("!" + isThere(stepDialog) + " && " + notice)
			title := fmt.Sprint(p.eval(notice + "[0]")) // "A" or "B": the notice begins with it
			id := strings.ToLower(title)
			p.seeFlat(id, "next_step", c.words)
			p.seeFlat(id, "next_date", c.date)
		})
	}
	p.test("a step may have one's own words and date", func() {
		p.goTo("#/flat/a", stepButton)
		p.click(stepButton)
		p.enter(stepWords, "Ring Ms Ebers")
		p.enter(stepDate, day(2))
		p.click(setOwnStep)
		p.seeFlat("a", "next_step", "Ring Ms Ebers")
		p.see(stepOfFlat, "Ring Ms Ebers · in 2 days")
	})
	p.test("the row of the list shows it, too", func() {
		p.opens("#/")
		p.see(stepInRow("a"), "Ring Ms Ebers · in 2 days")
	})
	p.test("Done takes the step away", func() {
		p.goTo("#/flat/a", stepButton)
		p.click(stepButton)
		p.click(stepDone)
		p.see(stepOfFlat, "Next step")
		p.seeFlat("a", "next_step", "undefined")
	})
}

// TestPageStepDate tests that the form has the day of a step in the zone of the browser, which is in Berlin, and that
// other words leave the date as it is.
func TestPageStepDate(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for stored, day := range map[string]string{
		"2031-12-01":                "2031-12-01",
		"2031-12-01T23:00:00Z":      "2031-12-02",
		"2031-06-30T22:00:00Z":      "2031-07-01",
		"2031-12-01T18:00":          "2031-12-01",
		"2031-12-01 23:30:00,5":     "2031-12-01",
		"2031-12-01T23:30:00-08":    "2031-12-02",
		"2031-12-02T00:30:00+13:00": "2031-12-01",
	} {
		p := openTab(t, encode([]object{{"id": "a", "next_step": "Call", "next_date": stored}}), "#/flat/a", 1280)
		p.click(stepButton)
		p.see(valueOf(stepDate), day)
		p.enter(stepWords, "Ring Ms Ebers")
		p.click(setOwnStep)
		p.seeFlat("a", "next_step", "Ring Ms Ebers")
		p.seeFlat("a", "next_date", stored)
		p.click(stepButton)
		p.enter(stepDate, "2031-12-09")
		p.click(setOwnStep)
		p.seeFlat("a", "next_date", "2031-12-09")
	}
}

// TestPageNewFirst tests that nothing is new at the very first look.
func TestPageNewFirst(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	atWidths(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/", func(p *tab) {
		p.see(rowCount, "2")
		p.wait(lookIsKept)
		p.see(together(unseenTitles, sinceLines, "document.title"), ", , Flats")
		p.see(count(savedView), "0") // the mark is no saved view
	})
}

// openSince opens the list as another device does, after two flats have come since the last look.
func openSince(p *tab) (other *tab) {
	p.t.Helper()
	p.see(rowCount, "2")
	p.wait(lookIsKept)
	p.goTo("#/add", "form")
	p.importListings(`[{"id": "c", "title": "C", "date": "2026-01-02"}, {"id": "d", "title": "D", "date": "2026-01-01"}]`)
	p.reload()
	p.eval(`sessionStorage.removeItem(keptAs("flats.mark"))`) // as if the page was opened anew
	other = p.openOther("#/")
	other.resize(int(p.eval("innerWidth").(float64)))
	other.reload()
	return other
}

// TestPageNewSince tests which flats the list marks as new since the last look.
func TestPageNewSince(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	atWidths(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/", func(p *tab) {
		other := openSince(p)
		p.test("what came is bold between two lines, and counted in the title of the tab", func() {
			other.see(unseenTitles, "C,D")
			other.see(sinceLines, "New since 0, 2")
			other.see(`/^New since (yesterday )?\d\d:\d\d$/.test(`+firstSinceLine+`)`, "true")
			other.see("document.title", "(2) Flats")
		})
		p.test("a reload keeps it", func() {
			other.reload()
			other.see(unseenTitles, "C,D")
			other.see("document.title", "(2) Flats")
		})
		p.test("what was opened is no longer bold, and not counted", func() {
			other.eval(`navigator.setAppBadge = async (n) => { window.onApp = n; }`) // the number on the app's icon
			other.openRow(1)
			other.wait(isThere(flatHeading))
			other.see(together("document.title", "window.onApp"), "(1) C · Flats, 1")
			other.goBack()
			other.see(unseenTitles, "D")
			other.see(sinceLines, "New since 0, 2")
		})
		p.test("leaving the list leaves nothing new", func() {
			other.goTo("#/add", "form")
			other.opens("#/")
			other.see(together(unseenTitles, sinceLines, "document.title"), ", , Flats")
		})
		p.test("nothing is new on another device, either", func() {
			p.opens("#/")
			p.see(together(unseenTitles, sinceLines), ", ")
		})
		other.checkFaults()
	})
}

// TestPageNewHidden tests that hiding the list moves the mark, and changes nothing that is shown.
func TestPageNewHidden(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	atWidths(t, `[{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]`, "#/", func(p *tab) {
		p.see(rowCount, "2")
		p.wait(lookIsKept)
		p.importListings(`[{"id": "e", "title": "E"}]`)
		p.reload()
		p.see(unseenTitles, "E")
		p.see("document.title", "(1) Flats")
		p.eval(hidePage)
		p.see(`Promise.all(["views", "flats/e"].map((path) => fetch("api/v1/" + path).then((answer) => answer.json())))
			.then(([views, flat]) => Date.parse(views.data[0].seen) === Date.parse(flat.data.first_seen))`, "true")
		p.see(unseenTitles, "E")
	})
}

// openMonthly opens a flat with a cost and charges. Other flats have a cost with all in, and a cost that may or may not
// have.
func openMonthly(t *testing.T) *tab {
	t.Helper()
	return openTab(t, `[
		{"id": "a", "title": "A", "cost": 900, "charges": 200, "utilities": "excluded", "deposit": 2700, "fee": 300,
			"currency": "EUR", "area": 50},
		{"id": "b", "title": "B", "cost": 1000, "utilities": "included", "currency": "EUR", "area": 50},
		{"id": "c", "title": "C", "cost": 800, "currency": "EUR", "area": 50}]`, "#/flat/a", 1280)
}

// TestPageMonthly tests where the page shows what a flat costs a month in all.
func TestPageMonthly(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMonthly(t)
	p.test("the flat shows the monthly cost, its cost beneath it, and then what is paid once", func() {
		p.see(monthlySum, "€1,100 a month: 900 + 200; Deposit €2,700, Fee €300")
		p.see(onceIsBelowCost, "true")
	})
	p.test("the filter of the list has the monthly cost", func() {
		p.opens("#/?monthly=..1050")
		p.see(chipTexts, "All in ≤ 1,050")
		p.see(rowIDs, "b")
		p.see(text(hiddenOnesLine), "1 do not say · Show")
	})
	p.test("the order and the rows of the list have the monthly cost", func() {
		p.goTo("#/?sort=monthly", "[data-id=c]")
		p.see(columnTexts("title", 3), "B|A|C")
		p.see(smallCostOf("a")+`.replace(/\s/g, " ")`, "€1,100 all in")
	})
	p.test("Compare has the monthly cost", func() {
		p.goTo("#/compare/a,b", "tbody")
		p.see(comparedWith("All in|Deposit|Fee|a month"),
			"All in €1,100 €1,000 best; Utilities a month €200 unknown; Deposit €2,700 unknown; Fee €300 unknown")
	})
}

// TestPageMonthlyEdit tests that the parts of the monthly cost can be corrected.
func TestPageMonthlyEdit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openMonthly(t)
	p.goTo("#/flat/c", editButton)
	p.correct("utilities", "excluded", "charges", "150 €", "deposit", "2.400")
	p.see(monthlySum, "€950 a month: 800 + 150; Deposit €2,400")
	p.seeFlat("c", "charges", "150")
	p.wait(corrections + `.includes("Deposit: €2,400 corrected")`)
	p.correct("utilities", "")
	p.seeFlat("c", "utilities", "null")
}

// TestPageGo tests the keys that open views.
func TestPageGo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	p.test("the bar and its menu have all views", func() {
		p.see(barNames, "flats,Today,Flats,Triage,Add,More,Visits,Map,Compare,"+
			"Duplicates,Prices,Settings,Import,Keys,Forget this device")
	})
	p.test("the first Tab leads past the bar", func() {
		p.key("Tab")
		p.see("document.activeElement.id", "skip")
		p.key("Enter")
		p.see(hasFocus(".row a"), "true")
	})
	for _, c := range []struct{ key, name string }{
		{"t", "today"}, {"f", "list"}, {"r", "triage"}, {"v", "visits"}, {"m", "map"}, {"c", "compare"},
		{"d", "duplicates"}, {"p", "prices"}, {"a", "add"}, // the last one: its field takes the focus once it is drawn
	} {
		p.test("g "+c.key+" leads to "+c.name, func() {
			p.eval(`document.activeElement.blur()`)
			p.press("g" + c.key)
			p.see(openView, c.name)
		})
	}
}

// typePalette opens the palette by Ctrl-K and types into it.
func (p *tab) typePalette(typed string) {
	p.t.Helper()
	p.do("Input.dispatchKeyEvent", object{"type": "keyDown", "key": "k", "code": "KeyK", "modifiers": 2})
	p.wait(hasFocus(paletteField))
	p.enter(paletteField, typed)
}

// TestPagePalette tests the palette, which finds views, saved searches and flats as the user types.
func TestPagePalette(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	p.test("the palette finds a view", func() {
		p.typePalette("dupl")
		p.see(paletteLines, "Duplicates")
		p.key("Enter")
		p.see(openView, "duplicates")
	})
	p.test("the palette finds a saved search", func() {
		p.typePalette("two rooms in")
		p.see(paletteHash, fmt.Sprint(p.eval(
			`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) => data[0].page)`)))
		p.key("Escape")
		p.wait("!" + isThere(paletteField))
	})
	p.test("the palette finds a flat", func() {
		p.typePalette("Croix-Rou")
		p.wait(isThere(paletteFlat))
		p.key("ArrowDown")
		p.key("Enter")
		p.wait(heading + `.includes("Croix-Rousse")`)
	})
}

// TestPageVisitChip tests that a chip sets the visit of a flat.
func TestPageVisitChip(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/lyon-1051%40example", 1280)
	p.click(setVisit)
	p.see(lastTwoChips, "Tomorrow 18:00,Sat 11:00")
	p.click(visitTomorrow)
	tomorrow := browserNow().AddDate(0, 0, 1).Format(time.DateOnly)
	p.see(valueOf(visitField), tomorrow+"T18:00")
	p.wait(`fetch("api/v1/flats/lyon-1051%40example").then((answer) => answer.json())
		.then(({data}) => data.visit_date?.startsWith("` + tomorrow + `T18:00"))`)
}
