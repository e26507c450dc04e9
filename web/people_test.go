// Tests of several people.

package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestPagePeople tests that the page asks once who uses it, says who has decided, keeps the rating of each person, and
// has a tab with the flats that this person has not rated.
func TestPagePeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p, _ := openPeople(t, "", "#/?tab=all&sort=title", width)
			p.test("the page asks once who uses it", func() {
				p.see(whoQuestion, "Who are you?")
				p.answerWho("Ann")
				p.reload()
			})
			seeOthers(p)
			decideAsAnn(p)
			rateAsAnn(p)
			becomeBen(p)
		})
	}
}

// byBen is what Ann's rows say about who has decided.
var byBen = "a:by Ben, " + dayAgo(32) + "|b:by Ben, " + dayAgo(31) + "|c:|d:|e:"

// seeOthers tests what the rows and tabs say about the other person.
func seeOthers(p *tab) {
	p.test("rows say what another person has decided", func() {
		p.see(byWhom, byBen)
		p.see(openDialogPart, "null")
	})
	p.test("a row says how ratings differ", func() { p.see(text(ratingsApart), "Ratings differ: Ann ★ 5 · Ben ★ 1") })
	p.test("a tab has what one has not rated", func() {
		p.see(tabTexts, "Live 4|To sort 2|Changed 0|Shortlist 2|For me 1|Followed 1|Contacted 1|Dismissed 1|All 5")
	})
}

// decideAsAnn tests that a decision and its Undo say who made them.
func decideAsAnn(p *tab) {
	p.test("a decision says who made it, in the service and not to oneself", func() {
		p.followID("d")
		p.see(findField("d", "status_by"), `"Ann"`)
		p.see(byWhom, byBen)
	})
	p.test("Undo is stored with who took the decision back", func() {
		p.undo()
		p.see(findField("d", "status"), `"new"`)
		p.see(findField("d", "status_by"), `"Ann"`)
	})
}

// rateAsAnn tests that a flat that Ann rates leaves the tab, and comes back with Undo.
func rateAsAnn(p *tab) {
	p.test("a flat that one has rated leaves the tab", func() {
		p.typeHash("#/?tab=for:Ann")
		p.see(rowCount, "1")
		p.see(currentTab, "For me 1")
		p.focusRow(1)
		p.press("4")
		p.see(rowCount, "0")
		p.see(findField("a", "ratings"), `{"Ann":4}`)
		p.see(findField("a", "notation"), "4")
		p.see(currentTab, "For me 0")
	})
	p.test("the flat comes back with Undo", func() {
		p.undo()
		p.see(rowCount, "1")
		p.see(findField("a", "ratings"), "null")
	})
}

// becomeBen tests that the other person sees the opposite, once the device is that person's.
func becomeBen(p *tab) {
	p.test("the menu says who one is, and asks again", func() {
		p.click(menuButton)
		p.see(menuTexts, "Keys|Ann|Forget this device")
		p.click(whoInMenu)
		p.see(whoIsPressed, "Ann")
	})
	p.test("the other person cannot take back what the first one has decided", func() {
		p.answerWho("Ben")
		p.see(undoInBarIsHidden, "true")
	})
	p.test("the other person sees the opposite", func() {
		p.see(shortlistTabs, "Shortlist 2|For me 1")
		p.typeHash("#/?tab=all&sort=title")
		p.see(byWhom, "a:|b:|c:by Ann, "+dayAgo(30)+"|d:|e:")
	})
}

// TestPagePeopleSeen tests that each person's mark of what is new begins at their first look.
func TestPagePeopleSeen(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "", "#/", 1280)
	for i, person := range []string{"Ann", "Ben"} {
		if i > 0 {
			p.askWho()
		}
		p.answerWho(person)
		p.test(person+" has seen nothing before", func() {
			p.wait(`fetch("api/v1/views").then((answer) => answer.json())
				.then(({data}) => data.some(({name}) => name === "flats: seen ` + person + `"))`)
			p.see(count(sinceLine), "0")
		})
		p.test("flats that come then are new to "+person, func() {
			p.opens("#/add")
			p.importListings(fmt.Sprintf(`[{"id": "new%d", "title": "New %[1]d"}]`, i))
			p.goTo("#/", anyRow)
			p.wait(isThere(sinceLine))
			p.see(unseenTitles, fmt.Sprint("New ", i))
		})
	}
}

// TestPagePeopleFilter tests the filter for who has decided.
func TestPagePeopleFilter(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/?tab=all&sort=title", 1280)
	p.see(rowCount, "5")
	p.click(filtersButton)
	p.wait(decidedBy)
	p.test("the filter offers those who have decided, with numbers", func() {
		p.see(decidedByOptions, "Any|by Ann (1)|by Ben (2)")
	})
	p.test("a choice filters the list", func() {
		p.eval(chooseDecidedBy("Ben"))
		p.see(hash, "#/?tab=all&by=Ben&sort=title")
		p.see(rowCount, "2")
		p.see(chipTexts, "by Ben")
	})
}

// TestPagePeopleFlat tests that a flat, Compare and Visits show both people's ratings, and who has decided.
func TestPagePeopleFlat(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ben", "#/flat/c", 1280)
	p.test("the flat has the ratings of both, and who has decided", func() {
		p.see(firstStars, "★☆☆☆☆Ann★5")
		p.see(statusBy, "by Ann, "+dayAgo(30))
	})
	p.test("a rating is stored for the person who gives it", func() {
		p.star(3)
		p.see(firstStars, "★★★☆☆Ann★5")
		p.see(findField("c", "ratings"), `{"Ann":5,"Ben":3}`)
		p.see(findField("c", "notation"), "4")
	})
	p.test("Undo takes back that rating alone", func() {
		p.press("u")
		p.see(firstStars, "★☆☆☆☆Ann★5")
		p.see(findField("c", "ratings"), `{"Ann":5,"Ben":1}`)
		p.see(detailNames, "")
	})
	p.test("a rating that the other one gives meanwhile is news", func() {
		p.changeElsewhereAs("Ann", "c", `{"rating": 2}`)
		p.comeBack()
		p.showNews()
		p.see(firstStars, "★☆☆☆☆Ann★2")
	})
	p.test("Compare has the ratings of both, and who has decided", func() {
		p.typeHash("#/compare/a,c")
		p.see(comparedRatings, "Rating – ★ 1.5|Rating: Ann – ★ 2|Rating: Ben – ★ 1")
		p.see(deciderNames, "by Ann, "+dayAgo(30))
	})
	p.test("Visits has the ratings of both, too", func() {
		p.typeHash("#/visits")
		p.see(firstStars, "★☆☆☆☆Ann★2")
	})
	p.test("notes say whose they are", func() { noteAsBen(p) })
}

// noteAsBen types notes as Ben, and tests that they are sent in his name.
func noteAsBen(p *tab) {
	p.eval(`performance.clearResourceTimings(); location.hash = "#/flat/c"`)
	p.enter(notesField, "Tall towers")
	p.seeFlat("c", "notes", "Tall towers")
	p.see(`performance.getEntriesByType("resource").map(({name}) => name).filter((name) => /\/flat\?/.test(name))
		.map((name) => new URL(name).searchParams.getAll("by")).join()`, "Ben")
}

// TestPagePeopleMedian tests that a flat that is opened first has the median of its place, although the page knows no
// other flats and requests them without their status.
func TestPagePeopleMedian(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	flats := []object{{"id": "a", "title": "A", "cost": 900, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "d", "title": "D", "location": "Berlin"}}
	for i := range 7 {
		flats = append(flats, object{"id": i, "title": "B", "cost": 1000, "currency": "EUR", "area": 10,
			"location": "Lyon"})
	}
	p.url = start(t, encode(flats), `"people": ["Ann", "Ben"]`)
	p.open("#/flat/a", 1280)
	p.answerWho("Ben")
	p.see(medianLine, "10% below the median of 8 flats in Lyon")
	p.checkFaults()
}

// TestPagePeopleNews tests that the bar of news names who has decided elsewhere.
func TestPagePeopleNews(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/?sort=title", 1280)
	p.see(rowCount, "4")
	const asked = `performance.getEntriesByType("resource").filter(({name}) => /ratings/.test(name)).length`
	p.wait(asked + " > 1") // first as nobody, then as Ann
	for id, change := range map[string]string{"a": `{"status": "ignored"}`, "d": `{"status": "ignored"}`,
		"c": `{"rating": 2}`} {
		p.changeElsewhereAs("Ben", id, change)
	}
	p.changeElsewhere("e", `{"status": "ignored"}`)
	p.test("the bar says what each has done", func() {
		p.comeBack()
		p.wait(isThere(newsButton))
		got := strings.Split(fmt.Sprint(p.eval(newsButtonText)), " · ")[0]
		parts := strings.Split(got, ", ")
		slices.Sort(parts)
		if want := []string{"1 gone", "1 rated by Ben", "2 dismissed by Ben"}; !slices.Equal(parts, want) {
			p.t.Errorf("the bar of news says %q; want %q", parts, want)
		}
	})
	p.test("Show shows it", func() {
		p.showNews()
		p.see(rowCount, "1")
	})
}

// TestPagePeopleOverruled tests that the Undo of a decision that replaced another person's restores that person's, also
// in Triage.
func TestPagePeopleOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/flat/d", 1280)
	p.see(isPressed(ownStatus("new")), "true")
	p.changeElsewhereAs("Ben", "d", `{"status": "ignored"}`)
	p.test("a flat says what was replaced, and whose that was", func() {
		p.setStatus("followed")
		p.see(notice, "Den: Followed. This replaced a decision made elsewhere: Dismissed by Ben")
	})
	p.test("Undo restores the other person's decision", func() {
		p.press("u")
		p.see(statusBy+`?.replace(/, .*/, "")`, "by Ben")
		p.see(findField("d", "status"), `"ignored"`)
		p.see(findField("d", "status_by"), `"Ben"`)
	})
	p.opens("#/triage")
	p.changeElsewhereAs("Ben", "e", `{"status": "contacted"}`)
	p.test("Triage says what was replaced, and whose that was, too", func() {
		p.press("x")
		p.see(notice, "Elm: Dismissed. This replaced a decision made elsewhere: Contacted by Ben")
	})
	p.test("Undo restores the other person's decision in Triage, too", func() {
		p.press("u")
		p.see(findField("e", "status"), `"contacted"`)
		p.see(findField("e", "status_by"), `"Ben"`)
	})
}

// TestPagePeopleMine tests that Undo restores the value that "Keep mine" has replaced, with its author and time,
// whether the change was to be sent at once or not.
func TestPagePeopleMine(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/flat/d", 1280)
	p.wait(senderIsLoaded)
	for _, c := range []struct{ name, id, hash, shown, button string }{
		{"in a flat", "d", "#/flat/d", ownStatus("new") + anyPressed, ownStatus("followed")},
		{"in Triage", "e", "#/triage", cardTitleLink, lastDecision},
	} {
		const since = "2026-01-05T10:00:00Z"
		p.test("a change that waited is a question, "+c.name, func() {
			p.goTo(c.hash, c.shown)
			network.down.Store(true)
			p.click(c.button)
			p.see(waitingLine, "1 change waits")
			patchElsewhere(p.t, network, c.id+"?by=Ben&status_since="+since, `{"status": "contacted"}`)
			network.down.Store(false)
			p.see(questionValues, "Followed,Contacted by Ben")
		})
		p.test(`"Keep mine" replaces it, `+c.name, func() {
			p.click(firstAnswer)
			p.see(waitingLine, "")
			p.see(findField(c.id, "status_by"), `"Ann"`)
		})
		p.test("Undo restores it, by whom and since when, "+c.name, func() {
			p.press("u")
			p.see(findField(c.id, "status")+`.then((status) => [status, `+notice+`].join())`, `"contacted",Undone`)
			p.see(findField(c.id, "status_by"), `"Ben"`)
			p.see(findField(c.id, "status_since"), encode(since))
		})
	}
}

// TestPagePeopleWaiting tests that a waiting change is sent under the name of the person who decided, although somebody
// else uses the device by then, also by the queue of Triage and its Undo.
func TestPagePeopleWaiting(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/triage", 1280)
	p.wait(cardTitle)
	id := fmt.Sprint(p.eval(cardID))
	p.test("Triage and its Undo say who decides", func() {
		p.press("x")
		p.see(findField(id, "status_by"), `"Ann"`)
		p.press("u")
		p.see(findField(id, "status"), `"new"`)
		p.see(findField(id, "status_by"), `"Ann"`)
		p.press("3")
		p.see(findField(id, "ratings"), `{"Ann":3}`)
	})
	p.test("a waiting change is shown as that of the person who decided", func() { decideForBoth(p, network) })
	p.test("a waiting change is sent under the name of the person who decided", func() { sendForBoth(p, network) })
}

// decideForBoth decides on the flat c as Ann, without a network, and rates it as Ben.
func decideForBoth(p *tab, network *proxy) {
	p.typeHash("#/flat/c")
	p.see(firstStars, "★★★★★Ben★1")
	network.down.Store(true)
	p.star(2)
	p.setStatus("ignored")
	p.enter(notesField, "Drawbridge")
	p.see(waitingLine, "3 changes wait")
	p.see(firstStars, "★★☆☆☆Ben★1")
	p.askWho()
	p.answerWho("Ben")
	p.see(firstStars, "★☆☆☆☆Ann★2")
	p.star(4)
	p.see(waitingLine, "4 changes wait")
}

// sendForBoth lets the page send both changes, and tests under which names.
func sendForBoth(p *tab, network *proxy) {
	var asked []string
	var mu sync.Mutex
	record := func(answer *http.Response) {
		if answer.Request.Method == "PATCH" {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, strings.Join(answer.Request.URL.Query()["by"], ","))
		}
	}
	network.change.Store(&record)
	network.down.Store(false)
	p.see(waitingLine, "")
	p.see(findField("c", "ratings"), `{"Ann":2,"Ben":4}`)
	p.see(findField("c", "status_by"), `"Ann"`)
	p.seeFlat("c", "notes", "Drawbridge")
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(asked)
	asked = slices.Compact(asked) // notes are sent again if the flat has changed between two requests
	if want := []string{"Ann", "Ben"}; !slices.Equal(asked, want) {
		p.t.Errorf("the page sent its changes with %q; want %q", asked, want)
	}
}

// TestPagePeopleOffline tests that the page knows the ratings of the shortlist without a network, and adds the ratings
// that wait.
func TestPagePeopleOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "", 1280)
	p.startWorker()
	network.down.Store(true)
	p.test("a flat has the ratings of both", func() {
		p.typeHash("#/flat/c")
		p.reload()
		p.see(firstStars, "★★★★★Ben★1")
	})
	p.test("a rating that waits is shown, too", func() {
		p.star(4)
		p.see(waitingLine, "1 change waits")
		p.reload()
		p.see(firstStars, "★★★★☆Ben★1")
	})
	p.test("a flat that one has rated leaves the tab", func() {
		p.typeHash("#/?tab=for:Ann")
		p.see(rowCount, "1")
		p.focusRow(1)
		p.press("2")
		p.see(rowCount, "0")
		p.reload()
		p.see(rowCount, "0")
		p.see(currentTab, "For me 0")
	})
	p.test("the ratings are sent", func() {
		network.down.Store(false)
		p.see(waitingLine, "")
		p.see(findField("c", "ratings"), `{"Ann":4,"Ben":1}`)
		p.see(findField("a", "ratings"), `{"Ann":2}`)
	})
}

// TestPagePeopleNames tests names with signs that have a meaning in JSON, URLs or HTML, and long names.
func TestPagePeopleNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	odd, long := `A&B "<i>'.%+#?`, strings.Repeat("W", 40)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, flatsOfTwoPeople, `"people": `+encode([]string{odd, long, "constructor"}))
	p.open("#/?tab=all&sort=title", 320)
	p.answerWho(odd)
	p.test("signs stay what they are, in the service and in the hash", func() { decideWithSigns(p, odd) })
	p.test("the menu fits with such signs", func() {
		p.click(menuButton)
		p.see(fitsAcross, "true")
	})
	p.click(whoInMenu)
	p.answerWho(long)
	p.test("the menu fits with a long name", func() {
		p.typeHash("#/?tab=all&sort=title")
		p.wait(isThere(inFlat("d", ".by")))
		p.click(menuButton)
		p.see(fitsAcross, "true")
		p.see(menuIsInSight, "true")
	})
	p.click(whoInMenu)
	p.answerWho(odd)
	p.changeElsewhereAs(long, "c", `{"rating": 2, "status": "visited"}`)
	for _, hash := range []string{"#/flat/c", "#/visits", "#/compare/a,c", "#/?tab=shortlist"} {
		p.test("a long name fits in "+hash, func() {
			p.typeHash(hash)
			p.wait(`/WWW/.test(` + mainWords + `)`)
			p.see(fitsAcross, "true")
		})
	}
	p.checkFaults()
}

// decideWithSigns decides and rates as somebody with an odd name.
func decideWithSigns(p *tab, odd string) {
	p.followID("d")
	p.see(findField("d", "status_by"), strconv.Quote(odd))
	p.eval(`location.hash = "#/?" + new URLSearchParams({tab: "for:" + ` + encode(odd) + `})`)
	p.see(rowCount, "3")
	p.focusRow(1)
	p.press("4")
	p.see(rowCount, "2")
	p.typeHash("#/?tab=for:constructor")
	p.see(rowCount, "3")
}

// TestPagePeopleForget tests that "Forget this device" forgets who uses it.
func TestPagePeopleForget(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "", 1280)
	p.forgetDevice()
	p.see("Object.keys(localStorage).join()", "")
	p.click(reopenButton)
	p.see(whoQuestion, "Who are you?")
}

// TestPageNoPeople tests that without people in the config the page shows nothing about people, and that no request is
// about them.
func TestPageNoPeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, flatsOfTwoPeople, "#/?tab=for:Ann&by=Ben", 1280)
	p.see(rowCount, "4")
	p.see(tabTexts, "Live 4|To sort 2|Changed 0|Shortlist 2|Followed 1|Contacted 1|Dismissed 1|All 5")
	p.test("decisions and ratings are nobody's", func() {
		p.followID("d")
		p.see(findField("d", "status"), `"followed"`)
		p.focusRow(1)
		p.press("4")
		p.wait(isThere(anyRow + " .rating"))
	})
	p.click(filtersButton)
	p.wait(isThere(panelChoice))
	for _, hash := range []string{"#/flat/c", "#/visits", "#/compare/a,c", "#/triage"} {
		p.goTo(hash, anyHeading)
		p.rest(forAnswer)
	}
	p.test("no request and no file is about people", func() {
		p.see(`performance.getEntriesByType("resource").map(({name}) => decodeURIComponent(name))
			.filter((name) => /who|others|rating|status_by|by=/.test(name)).join()`, "")
	})
	p.test("nothing on the page is about people", func() {
		p.see(aboutPeopleCount, "0")
		p.see(menuAsksWho, "false")
	})
}

// TestPageOwnChanges tests that a view does not report its own changes as changed elsewhere, and that it reports
// changes made elsewhere.
func TestPageOwnChanges(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, c := range []struct{ name, view, id, act, field, want string }{
		{"following", "#/flat/e", "e", pressOn(ownStatus("followed")), "status", "followed"},
		{"another status", "#/flat/e", "e", pressOn(ownStatus("contacted")), "status", "contacted"},
		{"a rating", "#/flat/e", "e", pressOn(ownStar(1)), "notation", "1"},
		{"a usual visit", "#/flat/e", "e", pressOn(setVisit) + ";" + pressOn(firstUsualTime), "status", "followed"},
		{"notes", "#/flat/e", "e", typeNotes("Tall"), "notes", "Tall"},
		{"dismissing in Compare", "#/compare/a,c", "a", pressOn(dismissCompared), "status", "ignored"},
		{"a rating in Visits", "#/visits", "c", pressOn(thirdStarOfVisit), "notation", "2"},
	} {
		p, _ := openPeople(t, "Ann", "#/", 1280)
		p.eval(delayFinds)
		p.test(c.name+" is not reported as changed elsewhere", func() {
			p.typeHash(c.view)
			p.wait("(() => { " + c.act + "; return true })()")
			p.seeFlat(c.id, c.field, c.want)
			for range 2 {
				p.eval("asked = 0")
				p.comeBack()
				p.wait("asked > 0")
				p.rest(forAnswer)
				if got := p.eval(newsWords); got != "" {
					p.t.Errorf("after %s: %q", c.name, got)
				}
			}
		})
		p.test("a change made elsewhere is reported after "+c.name, func() {
			p.eval(`ask("api/v1/flat/` + c.id + `", {method: "PATCH", body: '{"title": "Dome"}'})`)
			p.waitForNews()
		})
		p.checkFaults()
	}
}

// delayFinds delays the first answer of the route /find after each change. So a view that requests its flats again has
// no answer yet when it looks for news. asked counts the answers of all routes, ask is the undelayed fetch.
const delayFinds = `window.asked = window.slow = 0; window.ask = fetch; window.fetch = async (...r) => {
	if (slow > 0 && /find/.test(r[0])) await new Promise((done) => setTimeout(done, 900 * slow--));
	const answer = await ask(...r).finally(() => asked++);
	if (r[1]?.method === "PATCH") slow = 1;
	return answer;
}`

// TestPagePeopleTabs tests that each tab learns who uses the device now.
func TestPagePeopleTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "", "#/", 1280)
	p.answerWho("Ann")
	other := p.openAt(p.url, "#/")
	other.see(whoInMenuLabel, "You are Ann")
	p.bringToFront()
	p.askWho()
	p.clickOn(person("Ben"))
	for _, tab := range []*tab{p, other} {
		tab.see(whoInMenuLabel, "You are Ben")
	}
}
