// Tests of rules on the page, and of the end of a hunt.

package web

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// openSublets opens the list of sublets with a saved view. One sublet is followed, one dismissed.
func openSublets(t *testing.T, width int) *tab {
	t.Helper()
	p := openTab(t, "[]", "#/start", width)
	p.importListings(`[{"id": "a", "title": "Attic sublet", "cost": 700}, {"id": "b", "title": "Barn", "cost": 800},
		{"id": "c", "title": "Castle sublet", "cost": 900, "status": "followed"},
		{"id": "q", "title": "Exchange sublet", "status": "ignored"}]`)
	p.openAnew("/#/?q=sublet")
	p.see(rowCount, "2")
	p.saveView("Sublets")
	p.see(currentSaved, "Sublets")
	return p
}

// TestPageRulesTab tests that the rules have one tab for all, with a menu, and that the open one has its own.
func TestPageRulesTab(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSublets(t, 1280)
	p.ruleElsewhere("Dear", "min[cost]=800", "#/?cost=800..")
	p.ruleElsewhere("Far", "q=far", "#/?q=far")
	p.reload()
	p.test("the rules stand after the saved views", func() { p.see(savedViewNames, "Sublets|Rules 2") })
	p.test("the menu of the rules leads to the flats of each", func() {
		p.click(rulesTab)
		p.see(rulesInMenu, "Dear|Far")
		p.click(firstRule)
		p.see(hash, "#/?cost=800..")
		p.see(savedViewNames, "Sublets|Dear|Rules 1")
		p.see(currentSaved+`.split("\n")[0]`, "Dear")
	})
}

// ruleElsewhere makes a rule that dismisses, as another device does.
func (p *tab) ruleElsewhere(name, query, page string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`fetch("api/v1/views/" + encodeURIComponent(%s), {method: "PUT", body: %s})`, encode(name),
		encode(encode(object{"query": query, "page": page, "rule": "dismiss"}))))
}

// TestPageRuleOfStatus tests that a flat keeps the rule that gave its status, which few answers name, only while the
// status stays.
func TestPageRuleOfStatus(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "", 1280)
	p.load("lib/flats")
	const dismissed = `{status: "ignored", status_because: "Sublets", text: "t"}`
	for answers, want := range map[string]string{
		`{status: "ignored"}, {cost: 1}, {status: "ignored", text: "t"}`: "Sublets Sublets Sublets Sublets",
		`{status: "followed"}, {status: "followed", text: "t"}`:          "Sublets none none",
		`{status: "followed", text: "t"}, {status: "ignored"}`:           "Sublets none none",
	} {
		rules := fmt.Sprintf(`[%s, %s].map((answer) => flats.remember({id: %q, ...answer}).status_because ?? "none")
			.join(" ")`, dismissed, answers, answers)
		p.see(rules, want)
	}
}

// TestPageRules tests how a saved view becomes a rule, which flats the rule would have taken, and how the page shows
// the flats that it took.
func TestPageRules(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSublets(t, 1280)
	p.test("the menu of a saved view shows what its rule would have taken, and what is still to sort", func() {
		p.click(currentSavedMenu)
		p.click(ruleItem)
		p.clickOn(ruleChoice("Dismiss what matches"))
		p.see(ruleWords, "Of the last 14 days it would have taken 3:")
		p.see(ruleTakenTitles, "Attic sublet,Castle sublet,Exchange sublet")
		p.see(ruleAlsoLabel, "Dismiss the 1 that is there, too")
		p.see(viewRule("Sublets"), "undefined")
	})
	p.test("a rule applies to present flats, too, and one Undo takes that back", func() {
		p.click(ruleAlsoBox)
		p.click(ruleMainButton)
		p.see(viewRule("Sublets"), "dismiss")
		p.see(findField("a", "status"), `"ignored"`)
		p.see(findField("a", "status_because"), `"Sublets"`)
		p.see(rowCount, "1")
		p.undo()
		p.see(viewRule("Sublets"), "undefined")
		p.see(findField("a", "status"), `"new"`)
		p.see(rowCount, "2")
	})
	p.test("flats that come in later are dismissed, and counted", func() {
		p.click(currentSavedMenu)
		p.click(ruleItem)
		p.clickOn(ruleChoice("Dismiss what matches"))
		p.click(ruleMainButton)
		p.see(viewRule("Sublets"), "dismiss")
		p.see(savedTabs, "Sublets, Dismisses what comes in and matches")
		p.importListings(`[{"id": "d", "title": "Den sublet", "cost": 500}, {"id": "e", "title": "Earl", "cost": 600}]`)
		p.see(findField("d", "status_because"), `"Sublets"`)
		p.see(findField("e", "status"), `"new"`)
	})
	p.test("the tab of what was dismissed begins with it, and brings it back for good", func() {
		p.typeHash("#/?tab=is:ignored")
		p.see(takenGroups, "1 by “Sublets” since")
		p.click(takenSummary)
		p.see(takenLines, "Den sublet 500 by the rule “Sublets” Not this one")
		p.click(takenBackButton)
		p.see(findField("d", "status"), `"new"`)
		p.see(takenGroups, "")
		p.importListings(`[{"id": "d", "title": "Den sublet", "cost": 400}]`)
		p.see(findField("d", "status"), `"new"`)
	})
	p.test("the flat says why", func() {
		p.importListings(`[{"id": "f", "title": "Flat sublet", "cost": 300}]`)
		p.typeHash("#/flat/f")
		p.see(decidedWords+"?.replace(/, .*ago/, '')", "by the rule “Sublets” Not this one")
		p.click(notThisButton)
		p.see(findField("f", "status"), `"new"`)
		p.see(decidedWords, "undefined")
	})
	p.checkFaults()
}

// TestPageRulesElsewhere tests what Settings, Today and Import say of rules.
func TestPageRulesElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openSublets(t, 1280)
	p.eval(`fetch("api/v1/views/Sublets", {method: "PUT", body: '{"rule": "dismiss"}'}).then(({status}) => status)`)
	p.eval(`fetch("api/v1/views/Kept", {method: "PUT", body: '{"query": "q=earl", "rule": "follow"}'})
		.then(({status}) => status)`)
	p.test("Import counts the flats that rules took", func() {
		p.typeHash("#/import")
		p.chooseFiles(`[["a.json", '[{"id": "x", "title": "sublet"}, {"id": "y", "title": "Earl"}, {"id": "z"}]']]`)
		p.click(importButton)
		p.see(importReport, "a.json: 3 added, 0 updated, 0 unchanged, 0 gone, 1 followed by rules, "+
			"1 dismissed by rules Triage")
	})
	p.test("Settings lists the rules with what each took, and ends one", func() {
		p.typeHash("#/settings/rules")
		p.see(settingsRules, "Sublets dismisses took 1 Change End|Kept follows took 1 Change End")
		p.click(endOfRule)
		p.see(settingsRules, "Kept follows took 1 Change End")
		p.see(viewRule("Sublets"), "undefined")
		p.undo()
		p.see(viewRule("Sublets"), "dismiss")
	})
	p.test("Today says how many flats rules dismissed since the last look", func() {
		p.typeHash("#/today")
		p.wait(cameLine + `?.includes("1 dismissed by rules")`)
	})
	p.checkFaults()
}

// TestPageSweepRule tests that "Dismiss these" offers to dismiss flats to come, and first shows which flats it would
// have dismissed.
func TestPageSweepRule(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/start", 390)
	p.importListings(`[{"id": "a", "title": "Attic sublet", "cost": 700}, {"id": "b", "title": "Barn", "cost": 800}]`)
	p.openAnew("/#/?q=sublet")
	p.see(rowCount, "1")
	p.test("without a tick only present flats are dismissed", func() {
		p.click(sweepButton)
		p.see(ruleAlsoLabel, "and those to come")
		p.click(ruleMainButton)
		p.see(findField("a", "status"), `"ignored"`)
		p.see(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) =>
			data.filter(({rule}) => rule).length)`, "0")
		p.undo()
		p.see(findField("a", "status"), `"new"`)
	})
	p.test("with a tick, a saved view is the rule for flats to come, and one Undo takes both back", func() {
		dismissWithTick := func() {
			p.click(sweepButton)
			p.click(ruleAlsoBox)
			p.see(ruleTakenTitles, "Attic sublet")
			p.click(ruleMainButton)
			p.see(findField("a", "status"), `"ignored"`)
		}
		dismissWithTick()
		p.see(viewRule("sublet"), "dismiss")
		p.undo()
		p.see(findField("a", "status"), `"new"`)
		p.see(viewRule("sublet"), "undefined")
		dismissWithTick()
		p.see(viewRule("sublet"), "dismiss")
		p.importListings(`[{"id": "c", "title": "Castle sublet"}]`)
		p.see(findField("c", "status_because"), `"sublet"`)
	})
	p.test("filters relative to the day make no rule", func() {
		p.importListings(`[{"id": "d", "title": "Den"}]`)
		p.typeHash("#/?days=3")
		p.click(sweepButton)
		p.wait(isThere(ruleMainButton))
		p.see(ruleAlsoLabel, "undefined")
	})
	p.checkFaults()
}

// TestPageApplied tests that Today has the flats that were applied for and have had no answer for five days.
func TestPageApplied(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	since := func(days int) string {
		return time.Now().Add(-time.Duration(days)*24*time.Hour - time.Hour).UTC().Format(time.RFC3339)
	}
	p := openTab(t, fmt.Sprintf(`[{"id": "a", "title": "Four", "status": "applied", "status_since": %q},
		{"id": "b", "title": "Five", "status": "applied", "status_since": %q},
		{"id": "c", "title": "Offered", "status": "offered", "status_since": %q},
		{"id": "d", "title": "Refused", "status": "refused", "next_step": "Ask", "next_date": "2020-01-01"}]`,
		since(4), since(5), since(9)), "#/today", 1280)
	p.see(`document.querySelector(".unanswered")?.innerText.includes("Five")`, "true")
	text := fmt.Sprint(p.eval(`document.getElementById("main").innerText`))
	if !strings.Contains(text, "Applied · 5 days") || strings.Contains(text, "Four") ||
		strings.Contains(text, "Offered") || strings.Contains(text, "Refused") {
		t.Errorf("Today shows %s", text)
	}
	p.typeHash("#/?tab=shortlist")
	p.see(rowCount, "3")
	p.typeHash("#/?tab=is:refused")
	p.see(rowCount, "1")
	p.typeHash("#/")
	p.see(rowCount, "3")
}

// TestPageSigned tests what the page offers, once, when a flat is signed.
func TestPageSigned(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic", "status": "offered"},
		{"id": "b", "title": "Barn", "status": "contacted"}, {"id": "c", "title": "Castle"}]`, "#/flat/a", 1280)
	p.eval(`fetch("api/v1/views/All", {method: "PUT", body: '{"query": "", "notify": true}'}).then(({status}) => status)`)
	sign := func() {
		p.click(moreStatuses)
		p.clickOn(inStatusMenu("Signed"))
		p.see(findField("a", "status"), `"signed"`)
	}
	sign()
	p.see(signedOthers, "Barn")
	p.wait(signedWords + `.startsWith("Signed: Attic Tell the others on your shortlist")`)
	p.test("a message says that the hunt is over, and the other is kept as it is", func() {
		p.click(signedWrite)
		p.wait(letterWords + `?.includes("no longer looking")`)
		p.click(letterCancel)
		p.see(findField("b", "status"), `"contacted"`)
	})
	p.test("the bells are switched off, with Undo", func() {
		p.click(signedBellsOff)
		notify := `fetch("api/v1/views").then((answer) => answer.json()).then(({data}) =>
			data.find(({name}) => name === "All").notify)`
		p.see(notify, "false")
		p.click(signedDone)
		p.undo()
		p.see(notify, "true")
	})
	p.test("signing the flat again asks nothing", func() {
		p.setStatus("new")
		p.see(findField("a", "status"), `"new"`)
		sign()
		p.rest(forAnswer)
		p.see(signedWords, "undefined")
	})
	p.checkFaults()
}

// TestPageViewsInLine tests that saved views out of sight, with their words for screen readers, do not make the page
// wider.
func TestPageViewsInLine(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/start", 390)
	p.importListings(`[{"id": "a", "title": "Attic", "cost": 700}]`)
	for i := range 4 {
		p.eval(fmt.Sprintf(`fetch("api/v1/views/Views%%20with%%20long%%20names%%20%d", {method: "PUT", body: JSON.stringify(
			{query: "min[cost]=90%[1]d", page: "#/?cost=90%[1]d..", notify: true})}).then((answer) => answer.text())`, i))
	}
	for _, width := range []int{390, 320, 1280} {
		p.resize(width)
		p.openAnew("/#/")
		p.see(count(savedView), "4")
		p.see(sharedPageFits, "true")
	}
}

// TestPageRulesLook tests how the dialogs of rules and the flats that rules took look, and that every control can be
// reached.
func TestPageRulesLook(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390, 320} {
		p := openSublets(t, 1280)
		p.resize(width)
		p.openAnew("/#/?q=sublet")
		p.wait(isThere(currentSavedMenu))
		check := func(what string) {
			p.checkReach(what)
			p.checkLooks(what)
			p.see(beyondRight, "")
		}
		check("the tab of the open view")
		p.click(currentSavedMenu)
		p.click(ruleItem)
		p.wait(isThere("dialog.rule button"))
		check("the choices")
		p.clickOn(ruleChoice("Dismiss what matches"))
		p.wait(isThere(ruleAlsoBox))
		check("what it would have taken")
		p.click(ruleMainButton)
		p.see(viewRule("Sublets"), "dismiss")
		p.importListings(`[{"id": "d", "title": "Den sublet with a title that is so long that it needs more than one line"}]`)
		p.openAnew("/#/?tab=is:ignored")
		p.click(takenSummary)
		p.see(fitsAcross, "true")
	}
}

// TestPageRuleInSight tests that the button of the question is in sight, however many flats a rule would have taken,
// and that the other flats open above the button.
func TestPageRuleInSight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var listings []string
	for i := range 30 {
		listings = append(listings, fmt.Sprintf(`{"id": "%d", "currency": "EUR", "cost": 1105,
			"title": "Sublet %d with a title that is so long that it needs more than one line"}`, i, i))
	}
	p := openTab(t, "[]", "#/start", 390)
	p.importListings("[" + strings.Join(listings, ",") + "]")
	p.openAnew("/#/?tab=new&q=sublet")
	for _, width := range []int{390, 1280} {
		p.resize(width)
		p.test(fmt.Sprint("at ", width), func() {
			p.click(sweepButton)
			p.click(ruleAlsoBox)
			p.see(ruleLines, "3 titles, 3 cut, 3 with a tooltip, 0 costs broken")
			p.see(ruleMore, "and 27 more")
			p.see(ruleViewName, "sublet")
			p.see(ruleAlsoBoxIsInLine, "true")
			p.see(ruleMainButtonInSight, "true")
			p.clickOn(ruleMoreLine)
			p.see(ruleLines, "30 titles, 30 cut, 30 with a tooltip, 0 costs broken")
			p.see(ruleMainButtonInSight, "true")
			p.checkLooks("all of them")
			p.key("Escape")
		})
	}
	p.checkFaults()
}

// TestPageRuleLike tests that Triage offers to dismiss all flats that are like one, and those to come.
func TestPageRuleLike(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "[]", "#/start", 390)
	p.importListings(`[{"id": "c", "title": "Castle by the lake", "status": "followed"}, {"id": "e", "title": "Earl"},
		{"id": "f", "title": "Farm"}, {"id": "b", "title": "Barn", "details": {"floor": "EG"}},
		{"id": "g", "title": "Garage", "details": {"floor": "EG"}}]`)
	p.importListings(`[{"id": "a", "title": "Attic sublet by the lake"}, {"id": "d", "title": "Den sublet"}]`)
	p.openAnew("/#/triage?q=attic")
	p.see(cardTitle, "Attic sublet by the lake")
	p.test("the reason is what the flat shares with others, but not with the shortlist", func() {
		p.click(allLike)
		p.see(sweepQuestion, "Dismiss 2 flats? “sublet”")
		p.see(ruleAlsoLabel, "and those to come")
		p.see(ruleTakenTitles, "Attic sublet by the lake,Den sublet")
	})
	p.test("one press more makes the rule, and dismisses those that are to sort", func() {
		p.click(ruleMainButton)
		p.see(viewRule("sublet"), "dismiss")
		p.seeFlat("a", "status", "ignored")
		p.seeFlat("d", "status", "ignored")
		p.see(cardTitle, "None left with these filters")
		p.importListings(`[{"id": "h", "title": "Hut sublet"}]`)
		p.see(findField("h", "status_because"), `"sublet"`)
	})
	p.test("a detail is a reason, too, and without the tick there is no rule", func() {
		p.openAnew("/#/triage?q=barn")
		p.see(cardTitle, "Barn")
		p.press("d")
		p.see(sweepQuestion, "Dismiss 2 flats? Floor EG")
		p.see(ruleViewName, "Floor EG")
		p.click(ruleAlsoBox)
		p.click(ruleMainButton)
		p.seeFlat("b", "status", "ignored")
		p.seeFlat("g", "status", "ignored")
		p.undo()
		p.seeFlat("b", "status", "new")
	})
	p.test("a flat that is like no other is left", func() {
		p.openAnew("/#/triage?q=farm")
		p.see(cardTitle, "Farm")
		p.click(allLike)
		p.see(notice, "Nothing sets it apart from your shortlist, or it is the only one of its kind")
		p.see(sweepQuestion, "undefined")
	})
	p.checkFaults()
}

// TestPageRuleLikeReasons tests that of several reasons one is chosen, and where a range begins.
func TestPageRuleLikeReasons(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	flat := func(id, title string, cost, area int, more string) string {
		return fmt.Sprintf(`{"id": %q, "title": %q, "cost": %d, "area": %d, "currency": "EUR"%s}`,
			id, title, cost, area, more)
	}
	var listings []string
	for i := range 20 {
		listings = append(listings, flat(fmt.Sprint(i), "Kept", 1000+40*i, 60, `, "status": "followed"`))
	}
	listings = append(listings, flat("x", "Sale", 3000, 60, `, "status": "ignored"`),
		flat("a", "Tower", 2100, 30, ""), flat("b", "Palace", 1850, 60, ""), flat("c", "Tower", 1700, 60, ""))
	p := openTab(t, "[]", "#/start", 390)
	p.importListings("[" + strings.Join(listings, ",") + "]")
	p.openAnew("/#/triage?area=..40")
	p.see(cardTitle, "Tower")
	p.click(allLike)
	p.test("a cost is too high from the first round number above those of the shortlist", func() {
		p.see(ruleReasons, "from €1,800 2|“tower” 2")
		p.see(ruleTakenTitles, "Sale,Tower,Palace")
		p.see(ruleViewName, "from €1,800")
	})
	p.test("if a flat on the shortlist costs more than Tower, a cost is too high from that of Tower on", func() {
		p.key("Escape")
		p.changeElsewhere("x", `{"status": "followed"}`)
		p.click(allLike)
		p.see(ruleReasons, "“tower” 2|from €2,100 1")
	})
	p.test("another reason shows what it would have taken", func() {
		p.see(ruleTakenTitles, "Tower,Tower")
		p.clickOn(ruleReason("from"))
		p.see(ruleTakenTitles, "Sale,Tower")
		p.see(ruleViewName, "from €2,100")
	})
	p.test("nothing of it is wider than the window, and all of it can be reached", func() {
		for _, width := range []int{390, 320, 1280} {
			p.resize(width)
			p.checkReach(fmt.Sprint("the reasons at ", width))
			p.checkLooks(fmt.Sprint("the reasons at ", width))
			p.see(ruleMainButtonInSight, "true")
		}
	})
	p.click(ruleMainButton)
	p.seeFlat("a", "status", "ignored")
	p.seeFlat("c", "status", "new")
	p.checkFaults()
}

// TestPageTriageCounts tests that the button "Dismiss all like this" never cuts how many flats are left or done: the
// number of those done shows where it fits.
func TestPageTriageCounts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, c := range []struct {
		language string
		flats    int
		shown    map[int]string // by the width of the window
	}{
		{"en", 12, map[int]string{320: "11 left · 1 done", 390: "11 left · 1 done", 1280: "11 left · 1 done"}},
		{"de", 12, map[int]string{320: "noch 11", 390: "noch 11", 1280: "noch 11 · 1 erledigt"}},
		{"de", 1012, map[int]string{320: "noch 1.011", 390: "noch 1.011", 1280: "noch 1.011 · 1 erledigt"}},
		{"fr", 12, map[int]string{320: "11 à trier", 390: "11 à trier", 1280: "11 à trier · 1 traités"}},
	} {
		t.Run(fmt.Sprintf("%s, %d flats", c.language, c.flats), func(t *testing.T) {
			var flats []string
			for i := range c.flats {
				flats = append(flats, fmt.Sprintf(`{"id": %d, "title": "Flat %d"}`, i, i))
			}
			p := openTab(t, "["+strings.Join(flats, ",")+"]", "", 390)
			p.setLanguage(c.language)
			p.openAnew("/#/triage")
			p.wait(cardTitle)
			p.press("x")
			p.wait(isThere(".triage .done"))
			for width, want := range c.shown {
				p.do("Emulation.setDeviceMetricsOverride", // without a scroll bar, as on a phone
					object{"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": true})
				p.test(fmt.Sprintf("at %d pixels", width), func() {
					p.see(wholeCounts, want)
					p.see(allLikeIsWhole, "true")
				})
			}
			p.checkFaults()
		})
	}
}

// TestPageRuleLikeInSight tests that the button "Dismiss all like this" is whole with filters, too, that it leaves the
// card where it is, and that it says what it does where there is room.
func TestPageRuleLikeInSight(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "a", "title": "Attic", "cost": 700, "area": 50}]`, "#/triage", 390)
	words := map[int]string{320: "All like this", 390: "Dismiss all like this", 1280: "Dismiss all like this"}
	for _, width := range []int{390, 320, 1280} {
		p.resize(width)
		p.openAnew("/#/triage")
		p.see(cardTitle, "Attic")
		p.see(text(allLike), words[width])
		p.see(allLikeIsWhole, "true")
		top := p.eval(cardTop)
		p.openAnew("/#/triage?cost=..1700&area=40..&q=attic+OR+garden+OR+balcony")
		p.see(cardTitle, "Attic")
		p.see(allLikeIsWhole, "true")
		p.see(cardTop, fmt.Sprint(top))
	}
}
