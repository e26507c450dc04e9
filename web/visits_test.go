// Tests of Visits.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// openVisit opens a new flat. Two other flats have visits at 18:30 and 19:15 of a day. It returns the title of the
// first of these.
func openVisit(t *testing.T) (p *tab, title string) {
	t.Helper()
	p = openTab(t, "", "#/visits", 1280)
	p.changeElsewhere("4711", `{"visit_date": "2031-07-14T18:30:00+02:00"}`)
	p.importListings(`[{"id": "late", "title": "Late"}]`)
	p.changeElsewhere("late", `{"visit_date": "2031-07-14T19:15:00+02:00"}`)
	p.typeHash("#/flat/lyon-1051%40example")
	p.wait(heading + `.startsWith("Bright")`)
	return p, p.flat("4711", "title")
}

// TestPageVisit tests the field for the visit.
func TestPageVisit(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/4711", 1280)
	p.test("the field is in the time zone of the browser", func() {
		p.enter(visitField, "2031-07-14T18:30")
		p.wait(notice)
		p.seeFlat("4711", "visit_date", "2031-07-14T18:30:00+02:00")
	})
	p.test("Remove can be undone", func() {
		p.click(removeVisit)
		p.see(valueOf(visitField), "")
		p.press("u")
		p.see(valueOf(visitField), "2031-07-14T18:30")
	})
	for _, answer := range []struct{ button, field, stored string }{
		{"Cancel", "2031-07-14T18:30", "2031-07-14T18:30:00+02:00"},
		{"Yes", "2016-07-14T18:30", "2016-07-14T18:30:00+02:00"},
	} {
		p.test("a day that is past is saved only after a question: "+answer.button, func() {
			p.enter(visitField, "2016-07-14T18:30")
			p.see(visitQuestion, "Thursday, 14 July 2016 is in the past. Save the visit anyway?")
			if got := p.flat("4711", "visit_date"); got != "2031-07-14T18:30:00+02:00" {
				p.t.Errorf("visit_date = %q before %q was pressed", got, answer.button)
			}
			p.clickOn(visitAnswer(answer.button))
			p.see(valueOf(visitField), answer.field)
			p.seeFlat("4711", "visit_date", answer.stored)
		})
	}
	p.test("a visit that the service refuses goes back to what it was", func() {
		title := p.flat("4711", "title")
		p.eval(`{ const ask = fetch; window.fetch = async (url, options) => (options?.method !== "PATCH" ? ask(url, options)
			: new Response('{"error": "full"}', {status: 500, headers: {"X-Flats": ""}})); }`)
		p.enter(visitField, "2031-07-15T18:30")
		p.see(failure, title+": Visit Tue, 15 Jul 2031, 18:30. That did not work: full")
		p.see(valueOf(visitField), "2016-07-14T18:30")
	})
}

// TestPageVisitHalf tests that a date without a time is not stored, and that the field says so when it loses the focus.
func TestPageVisitHalf(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/lyon-1051%40example", 1280)
	p.click(setVisit)
	p.click(visitField)
	for _, digit := range "11272026" {
		p.press(string(digit))
	}
	p.see(count(visitWrong), "0")
	p.eval(`document.activeElement.blur()`)
	p.see(count(visitWrong+":not(:empty)"), "1")
	p.seeFlat("lyon-1051@example", "visit_date", "null")
}

// TestPageVisitOthers tests what the field says about other visits, before it is saved.
func TestPageVisitOthers(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, title := openVisit(t)
	p.eval(`window.timer = setTimeout; window.setTimeout = () => 0`) // the page saves a visit once typing has paused
	for typed, want := range map[string]string{
		"14T17:45": "overlaps with 18:30, " + title,
		"14T18:45": "overlaps with 2 visits: 18:30, 19:15",
		"14T19:30": "overlaps with 19:15, Late",
		"14T21:00": "45 min left after 19:15, Late",
		"14T16:50": "40 min left before 18:30, " + title,
		"15T01:00": "", // another day
	} {
		p.test("at "+typed, func() {
			p.enter(visitField, "2031-07-"+typed)
			p.see(text(visitAbout), want)
		})
	}
	p.eval(`window.setTimeout = timer, 0`)
	p.test("a visit of a new flat follows it", func() {
		p.enter(visitField, "2031-07-14T19:00")
		p.wait(`/^Bright.*19:00, Followed$/.test(` + notice + `)`)
		p.seeFlat("lyon-1051@example", "status", "followed")
	})
	p.test("Visits says what overlaps", func() {
		p.typeHash("#/visits")
		p.wait(visitsWords + `.includes("14 July")`)
		p.see(lastOverlaps, "19:00, 19:15|18:30, 19:15|18:30, 19:00")
	})
}

// openTimes opens a flat without a visit. Two other flats have visits tomorrow: B at 18:00, and C, which was dismissed,
// at 12:00.
func openTimes(t *testing.T, width int) (p *tab, tomorrow string) {
	t.Helper()
	tomorrow = browserNow().AddDate(0, 0, 1).Format(time.DateOnly)
	p = openTab(t, fmt.Sprintf(`[{"id": "a", "title": "A", "status": "contacted"},
		{"id": "b", "title": "B", "status": "contacted", "visit_date": "%[1]sT18:00"},
		{"id": "c", "title": "C", "status": "ignored", "visit_date": "%[1]sT12:00"}]`, tomorrow), "#/flat/a", width)
	p.wait(isThere(setVisit))
	return p, tomorrow
}

// asSent returns a time of the browser's zone as the page sends it: "2031-07-14T18:30:00+02:00".
func asSent(local string) string {
	at, err := time.ParseInLocation("2006-01-02T15:04", local, browserNow().Location())
	if err != nil {
		panic(err)
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// TestPageVisitTimes tests that a visit is set in three presses, and that times at which there is another visit are
// marked.
func TestPageVisitTimes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, tomorrow := openTimes(t, 1280)
	p.test("times stand there once they are asked for", func() {
		p.see(count(timeButtons), "0")
		p.click(setVisit)
		p.see(count(usualTimes)+" > 0", "true")
		p.see(count(hourButtons), "0")
	})
	p.test("Esc puts them away, and stays at the flat", func() {
		p.key("Escape")
		p.see(isSeen(usualTimes), "false")
		p.see(hash, "#/flat/a")
		p.see(hasFocus(setVisit), "true")
	})
	p.test("a day has its half hours", func() {
		p.click(setVisit)
		p.clickOn(timeNamed("Tomorrow"))
		p.see(count(hourButtons), "24")
		p.see(isPressedTime("Tomorrow"), "true")
	})
	p.test("those that overlap with another visit are struck through, and told as such", func() {
		p.see(takenTimes, "17:30, overlaps with 18:00, B; 18:00, overlaps with 18:00, B; 18:30, overlaps with 18:00, B")
	})
	p.test("a usual time that overlaps is struck through, too", func() {
		p.see(takenUsual, "Tomorrow 18:00, overlaps with 18:00, B")
	})
	p.test("a press sets the visit, says at once what it overlaps, and puts the times away", func() {
		p.clickOn(timeNamed("18:30"))
		p.see(text(visitAbout), "overlaps with 18:00, B")
		p.see(valueOf(visitField), tomorrow+"T18:30")
		p.see(isSeen(usualTimes), "false")
		p.see(hasFocus(setVisit), "true")
		p.seeFlat("a", "visit_date", asSent(tomorrow+"T18:30"))
	})
}

// TestPageVisitTimesPhone tests the three presses on a phone.
func TestPageVisitTimesPhone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, tomorrow := openTimes(t, 390)
	p.click(".flat > " + visitInBarOfFollower)
	p.clickOn(timeNamed("Tomorrow"))
	p.test("each is large enough for a finger", func() { p.see(smallTimeCount, "0") })
	p.clickOn(timeNamed("12:00"))
	p.seeFlat("a", "visit_date", asSent(tomorrow+"T12:00"))
}

// TestPageVisitsHead tests that "Subscribe" and "Print" stand next to the heading on the narrowest phone, whatever the
// language.
func TestPageVisitsHead(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 320)
	for _, language := range []string{"en", "de", "fr"} {
		p.setLanguage(language)
		p.reload()
		p.wait(isThere(visitDay))
		for _, font := range []string{"DejaVu Sans", "Liberation Sans"} {
			p.test(fmt.Sprintf("in %s in %s", language, font), func() {
				p.setFont(font)
				p.see(buttonsBelowHeading, "")
				p.see(fitsAcross, "true")
			})
		}
	}
}

// TestPageVisitFeed tests "Subscribe".
func TestPageVisitFeed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openVisit(t)
	p.opens("#/visits")
	p.test("it shows the address of the feed at a press", func() {
		p.see(isSeen(feedAddress), "false")
		p.click(subscribeButton)
		p.see(isSeen(feedAddress), "true")
		p.see(feedProtocol, "webcal:")
		p.seeCode("#subscribe", fmt.Sprint(p.eval(text(feedAddress))))
	})
	for _, width := range []int{320, 1280} {
		p.test(fmt.Sprintf("all of it is in sight at %d pixels", width), func() {
			p.resize(width)
			p.see(feedIsWhole, "true")
		})
	}
	p.test("the feed has the visits", func() {
		p.key("Escape")
		feed := fmt.Sprint(p.eval(feedText))
		for _, want := range []string{"DTSTART:20310714T163000Z\r\n", "#/flat/4711"} {
			if !strings.Contains(feed, want) {
				p.t.Errorf("the feed does not contain %q", want)
			}
		}
	})
}

// TestPageAgenda tests which visits a visit overlaps, and how much time is left between it and the visits before and
// after, unless they overlap it.
func TestPageAgenda(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("parts/agenda")
	for _, c := range []struct{ at, others, want string }{ // others has the times of the other visits
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
		p.see(fmt.Sprintf(`agenda.linesAround(new Date("2031-07-14T%s").getTime(), %q.split(" ").filter(Boolean).map((time) =>
			({title: "X", visit_date: "2031-07-" + time.padStart(8, "14T")}))).flat().filter(Boolean)
			.map(({innerText}) => innerText.replace(", X", "").replace(/\s/g, " ")).join("; ")`, c.at, c.others), c.want)
	}
	p.see(`agenda.linesAround(Date.now(), [{title: "", visit_date: new Date().toISOString().slice(0, 10)}]).flat()
		.filter(Boolean).length`, "0")
}

// openVisits opens Visits on a phone. Tomorrow there are three visits: two overlap, and the third flat has been gone
// for 20 days. Another visit is in three days, without a time, and one is past.
func openVisits(t *testing.T) *tab {
	t.Helper()
	at := func(days, hour, minute int) string {
		now := browserNow()
		day := time.Date(now.Year(), now.Month(), now.Day()+days, hour, minute, 0, 0, time.UTC)
		return day.Format("2006-01-02T15:04")
	}
	return openTab(t, fmt.Sprintf(`[
		{"id": 1, "title": "First", "cost": 700, "currency": "EUR", "area": 40, "location": "1 Rue A", "phone": "0199",
			"visit_date": %q, "status": "contacted", "photos": ["https://127.0.0.1:1/1", "https://127.0.0.1:1/2"],
			"notes": "- [x] Light\n- [ ] Noise\nSecond bell."},
		{"id": 2, "title": "Second", "visit_date": %q},
			{"id": 3, "title": "Third", "visit_date": %q, "gone": "%sT12:00:00Z"},
		{"id": 4, "title": "Later", "visit_date": %q, "phone": "0188"}, {"id": 5, "title": "Past", "visit_date": %q,
			"phone": "0177", "photos": ["data:image/gif;base64,R0lGODlhAQABAAAAACw="]}]`,
		at(1, 10, 0), at(1, 10, 30), at(1, 13, 0), browserNow().AddDate(0, 0, -20).Format(time.DateOnly),
		at(3, 0, 0)[:10], at(-2, 10, 0)), "#/visits", 390)
}

// TestPageVisits tests the visits to come, day by day.
func TestPageVisits(t *testing.T) {
	t.Parallel()
	p := openVisits(t)
	p.test("each day has the times between visits, and then what one needs for each", func() {
		p.see(visitDays, "tomorrow 10:00 First overlap 10:30 Second 1 h 30 between 13:00 Third "+
			"10:00 – 11:00 Contacted First overlaps with 10:30, Second "+
			"1 Rue A Map €700 40 m² Second bell. · 1 of 2 checked Call 0199 Notes Next step "+
			"10:30 – 11:30 To sort Second overlaps with 10:00, First no price Notes Next step "+
			"13:00 – 14:00 gone since "+inBritain(browserNow().AddDate(0, 0, -20), "2 Jan")+
			" To sort Third no price Notes Next step|"+
			"in 3 days To sort Later no price Call 0188 Notes Next step")
	})
	p.test("each has one photo, or a house if it has none", func() {
		p.see(count(visitPhoto), "4")
	})
	p.test("the first button of the next visit is the one that is filled", func() {
		p.see(filledInVisits, "First Call 0199")
	})
	p.test("on a phone, the times and what lies between them stand below each other", func() { p.see(waysLefts, "16") })
	p.test("a call offers Contacted", func() {
		p.eval(`addEventListener("click", (event) => event.target.matches("[href^=tel]") && event.preventDefault())`)
		p.click(callTo("0188"))
		p.see(noticeWhole, "Later Contacted")
		p.click(closeNotice)
	})
	p.test("cards have the width of the page", func() {
		p.resize(900)
		p.see(visitCardWidth+" > 800", "true")
	})
	p.test("each day is printed on its own page, with the checklists", func() {
		if got := p.printedPages(); got != 2 {
			p.t.Errorf("two days are printed on %d pages; want 2", got)
		}
		p.see(firstSheet, "☑ Light\n☐ Noise\nSecond bell.")
	})
	p.test("a visit that is taken away elsewhere leaves at a press", func() {
		p.changeElsewhere("4", `{"visit_date": null}`)
		p.waitForNews()
		p.showNews()
		p.see(count(visitDay), "1")
	})
}

// TestPageVisitsPast tests past visits.
func TestPageVisitsPast(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openVisits(t)
	p.wait(isThere(pastFold))
	p.test("past visits are folded away", func() { p.see(pastIsOpen, "false") })
	p.click(pastFold)
	p.test("each past visit has its day, photo and phone", func() {
		p.see("/ at 10:00$/.test("+pastWhen+")", "true")
		p.see(isSeen(pastPhoto), "true")
		p.see(pastCall, "Call 0177")
	})
	p.test("each past visit asks for Visited and a rating", func() {
		p.click(pastVisited)
		p.see(pastTag, "Visited")
		p.click(pastStar(4))
		p.see(count(pastPressed), "1")
		p.seeFlat("5", "status", "visited")
		p.seeFlat("5", "notation", "4")
		p.see(pastIsOpen, "true")
	})
}

// TestPageVisitDismissed tests that the visit of a flat that was dismissed is in Visits, as it is in the calendar feed,
// but overlaps nothing.
func TestPageVisitDismissed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	tomorrow := browserNow().AddDate(0, 0, 1).Format(time.DateOnly)
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "Attic", "status": "followed", "visit_date": "%[1]sT18:00"},
		{"id": "b", "title": "Barn", "status": "followed", "visit_date": "%[1]sT18:30"},
		{"id": "c", "title": "Castle", "status": "ignored", "visit_date": "%[1]sT18:15"}]`, tomorrow), "#/visits", 1280)
	p.test("in Visits and in the feed", func() {
		p.see(visitCards, "Attic overlaps Followed|Castle Dismissed|Barn overlaps Followed")
		p.see(waysBetween, "18:00 Attic overlap 18:30 Barn")
		p.see(`fetch("api/v1/ics/visits.ics").then((answer) => answer.text()).then((text) => /Castle/.test(text))`, "true")
	})
	for id, want := range map[string]string{"a": "overlaps with 18:30, Barn", "c": ""} {
		p.test("on the page of flat "+id, func() {
			p.goTo("#/flat/"+id, visitField)
			p.rest(forAnswer)
			p.see(text(visitAbout), want)
		})
	}
	p.test("not in Today", func() {
		p.goTo("#/today", ".tomorrow")
		p.see(tomorrowTitles, "Attic,Barn")
		p.see(count(overlapLine), "1")
	})
	p.test("nor once it is dismissed there", func() {
		p.click(lastOfTomorrow)
		p.setStatus("ignored")
		p.see(text(visitAbout), "")
		p.goTo("#/visits", "article")
		p.see(count(".overlap, .ways"), "0")
	})
}

// openVisitCards opens Visits with the four visits of the sample on a phone.
func openVisitCards(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, "", "#/visits", 390)
	p.do("Emulation.setDeviceMetricsOverride",
		object{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true})
	p.see(count(dayCard), "4")
	return p
}

// TestPageVisitCards tests the room of the cards on a phone.
func TestPageVisitCards(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openVisitCards(t)
	p.test("they take two thirds of what wider spaced cards took", func() {
		p.see(dayCardsHeight+" <= 1680 * 2 / 3", "true") // pixels
	})
	p.test("Call, Notes and the next step stand in one row", func() { p.see(scatteredButtonCount, "0") })
	p.patchFlats(map[string]string{
		"lyon-1042@example": `{"next_step": "Ask for the cellar, the heating and the neighbours"}`})
	p.reload()
	p.see(count(dayCard), "4")
	p.test("however long that is", func() {
		p.wait("/Ask for the cellar/.test(" + longStep + ")")
		p.see(scatteredButtonCount, "0")
		p.see(narrowestStep+" > 80 && "+callsAreWhole, "true")
	})
	p.test("paper has the numbers to call, which the button has no room for", func() {
		p.see(shownDigits, "")
		p.do("Emulation.setEmulatedMedia", object{"media": "print"})
		p.see(shownDigits, "+33 1 99 00 42 17,+33 1 99 00 63 08,+49 30 23125 221,+49 30 23125 437")
		p.do("Emulation.setEmulatedMedia", object{"media": ""})
	})
	p.test("buttons are large enough for a finger, and nothing is cut without a tooltip", func() {
		p.see(smallVisitButtonCount, "0")
		p.see(cutInVisits, "")
	})
	p.test("Map follows the last line of the address, however long that is", func() { p.see(strayMapCount, "0") })
	for _, width := range []int{320, 900, 1280} {
		p.test(fmt.Sprintf("at %d pixels the row is one, too", width), func() {
			p.resize(width)
			p.see(fitsAcross, "true")
			p.see(scatteredButtonCount, "0")
		})
	}
}

// TestPageVisitPhoto tests that a house replaces a photo that does not load, and that nothing moves.
func TestPageVisitPhoto(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openVisitCards(t)
	p.changeElsewhere(fmt.Sprint(p.eval(firstVisitID)), `{"photos": ["https://127.0.0.1:1/1"]}`)
	p.reload()
	p.see(gapsInVisits, "64 true rgb(245, 245, 242)") // 64 pixels wide, higher than 30, in the colour of the page
}

// TestPageVisitStars tests that if several people rate flats, the stars come after the buttons, which stay in one row.
func TestPageVisitStars(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/visits", 390)
	p.importListings(`[{"id": "c", "phone": "0151 123 456 78"}]`)
	p.reload()
	p.wait(isThere(".day .card .stars"))
	p.see(starsBelowButtons, "stars,true,true,true")
}

// TestPageVisitNotes tests that notes are written in Visits.
func TestPageVisitNotes(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	day := browserNow().AddDate(0, 0, 1).Format("2006-01-02")
	p := openTab(t, fmt.Sprintf(`[{"id": "a b", "title": "First", "visit_date": "%[1]sT10:00"},
		{"id": "b", "title": "Second", "visit_date": "%[1]sT12:00", "notes": "Old.\n- [ ] Noise"}]`, day), "#/visits", 390)
	p.test("a button opens them, and names its flat", func() {
		p.see(notesButtons, "Notes Notes: First false,Notes Notes: Second false")
		p.click(notesOfVisit(1))
		p.see(focusedLabel, "Notes")
	})
	p.test("they are saved, and nothing moves while one writes", func() {
		p.press("Damp")
		p.see(savedInVisits, "Saved")
		p.see(focusedValue, "Damp")
		p.press("ish")
		p.seeFlat("a b", "notes", "Dampish")
		p.see(savedInVisits, "Saved")
	})
	p.test("what others change is offered, and does not take the field away", func() {
		p.changeElsewhere("b", `{"title": "Other"}`)
		p.waitForNews()
		p.see(focusedValue, "Dampish")
		p.showNews()
		p.see(visitTitle(2), "Other")
		p.see(valueOf(".day .card textarea"), "Dampish")
	})
	openSecondNotes(p)
}

// openSecondNotes opens the notes of the second visit while those of the first one are open.
func openSecondNotes(p *tab) {
	p.test("those of a second visit open, too, at their checklist", func() {
		p.click(notesOfVisit(2))
		p.see("document.activeElement.type", "checkbox")
		p.press(" ")
		p.seeFlat("b", "notes", "Old.\n- [x] Noise")
		p.see(count(".card div.notes"), "2")
		p.see(repeatedIDs, "0")
		p.see(fitsAcross, "true")
	})
	p.test("both are printed", func() {
		p.setMedia("print")
		p.see(printedNotes, "Dampish; Old.\n☑ Noise")
		p.setMedia("")
	})
	p.test("closed ones show their first line", func() {
		for n := range 2 {
			p.click(notesOfVisit(n + 1))
			p.see("document.activeElement.ariaExpanded", "false")
		}
		p.see(noteHints, "Dampish; Old. · 1 of 1 checked")
	})
}

// TestPageVisitNotesPast tests that notes of a past visit are written in Visits, too.
func TestPageVisitNotesPast(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	day := browserNow().AddDate(0, 0, -1).Format("2006-01-02")
	p := openTab(t, fmt.Sprintf(`[{"id": "c", "title": "Past", "visit_date": "%sT12:00"}]`, day), "#/visits", 390)
	p.see(notesButtons, "Notes Notes: Past false")
	p.click(pastFold)
	p.click(pastNotes)
	p.test("they are saved", func() {
		p.press("Loud")
		p.see(savedInVisits, "Saved")
		p.seeFlat("c", "notes", "Loud")
		p.see(pastIsOpen, "true")
	})
	p.test("a question about notes that were changed elsewhere is asked there as long as the field is open", func() {
		p.changeElsewhere("c", `{"notes": "Theirs."}`)
		p.press("er")
		p.see(otherNotes, "Theirs.")
		p.click(keepBoth)
		p.see(savedInVisits, "Saved")
		p.seeFlat("c", "notes", "Theirs.\n\nLouder")
	})
}

// TestPageVisitLeaving tests that a visit typed just before the page is closed is not lost.
func TestPageVisitLeaving(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/flat/4711", 390)
	p.wait(isThere(visitField))
	p.eval("window.setTimeout = () => 0; 0") // otherwise the visit would be sent soon, whether the page is left or not
	for _, c := range []struct{ typed, want string }{{"2031-07-14T18:30", "2031-07-14T18:30:00+02:00"}, {"", "null"}} {
		p.enter(visitField, c.typed)
		p.setVisibility("hidden")
		p.seeFlat("4711", "visit_date", c.want)
	}
	// It is sent although the page is closed at once.
	p.changeElsewhere("4711", `{"status": "new"}`)
	other := p.openOther("#/flat/4711")
	other.wait(isThere(visitField))
	other.enter(visitField, "2031-07-15T18:30")
	other.do("Page.close", nil)
	p.seeFlat("4711", "visit_date", "2031-07-15T18:30:00+02:00")
	p.seeFlat("4711", "status", "followed")
}
