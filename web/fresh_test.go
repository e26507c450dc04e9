// Tests of the list while answers are late, and while flats change elsewhere.

package web

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// openLate opens a list. Its requests wait while late, a function of the page, is true for their address, and its
// answers wait while held is. In the page, holding is the number of answers that wait, and sent the number of changes
// that were answered. isForCounts and isForRows tell which requests are for the numbers at the tabs and for rows.
func openLate(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, manyFlats(130), "", 1280)
	p.eval(`{
		const ask = fetch;
		window.isForCounts = (url) => /page%5Bsize%5D=1&/.test(url);
		window.isForRows = (url) => /page%5Bsize%5D=50&/.test(url);
		window.late = () => false;
		window.held = () => false;
		window.holding = window.sent = 0;
		window.fetch = async (url, options) => {
			const soon = () => new Promise((next) => setTimeout(next, 20));
			while (late(String(url), options)) await soon();
			const answer = await ask(url, options);
			while (held(String(url))) (holding++, await soon());
			if (options?.method === "PATCH") sent++;
			return answer;
		};
	}`)
	p.wait(isThere(".tabs b"))
	return p
}

// TestPageLatePages tests that while rows in another order are loading, the end of the present rows requests nothing.
func TestPageLatePages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLate(t)
	total := fmt.Sprint(p.eval(currentTabCount))
	p.wait(rowCount + ` === 50 && (scrollTo(0, 1e6), true)`)
	p.wait(rowCount + ` === 100`)
	p.eval(`{
		window.further = new Set();
		// Requests of what is kept for times without a network have no fields.
		late = (url) => /find/.test(url) && (/number%5D=[1-9].*fields/.test(url) && further.add(url), true);
	}`)
	p.click(headOf("title"))
	p.eval(`scrollTo(0, 1e6)`)
	p.rest(forDrawing)
	p.see("[...further].join()", "")
	p.eval(`late = () => false`)
	p.wait(orderOf("title") + ` && scrollY === 0`)
	p.wait(`(scrollTo(0, 1e6), ` + endOfList + ` === "That is all")`)
	p.see(rowCount, total)
}

// TestPageLateCounts tests the numbers in tabs and bar while their answers are late.
func TestPageLateCounts(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLate(t)
	p.test("rows do not wait for the counts of other tabs, and all that is shown belongs to the new view", func() {
		p.eval(`late = isForCounts; location.hash = "#/?tab=shortlist&cost=..900"`)
		p.wait(rowsAre("followed", "contacted"))
		p.see(currentTab+`.replace(/ .*/, "")`, "Shortlist")
		p.see(firstTabHash, "#/?cost=..900")
	})
	p.typeHash("#/?tab=new")
	p.wait(rowsAre("new"))
	p.eval(`late = () => false`)
	p.wait(triageCount + " === " + currentTabCount)
	toSort := p.eval("Number(" + triageCount + ")").(float64)
	p.test("a number that has changed stays when the view is left", func() {
		p.eval(`late = isForCounts; location.hash = "#/?tab=new&sort=cost"`)
		p.wait(orderOf("cost"))
		p.followRow(1)
		p.see(triageCount, fmt.Sprint(toSort-1))
		p.press("v")
		p.wait(isThere(visitsHeading))
		p.see(triageCount, fmt.Sprint(toSort-1))
	})
	p.test("numbers from before a decision that come after it are asked for again", func() {
		p.eval(`late = (url, options) => options?.method === "PATCH"; location.hash = "#/triage"`)
		p.click(".decide [data-status=followed]")
		p.see(triageCount, fmt.Sprint(toSort-2))
		p.eval(`held = isForRows; sent = holding = 0;
			location.hash = "#/?tab=new&sort=area"`)
		p.wait(`holding > 0`)
		p.eval(`late = () => false`)
		p.wait(`sent > 0`)
		p.eval(`held = () => false`)
		p.see(currentTabCount, fmt.Sprint(toSort-2))
		p.see(triageCount, fmt.Sprint(toSort-2))
	})
}

// TestPageLateFailure tests that the page says that the counts could not be loaded, and that a press loads them again.
func TestPageLateFailure(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLate(t)
	p.wait(isThere(anyRow))
	// The counts fail once the rows of the filtered list are shown, which are less than the 50 of the list before. If they
	// failed earlier, the answer with the rows would show that there is a network, and close the error.
	p.eval(`{
		let countsFail = true, haveRowsCome = false;
		const isForNewRows = (url) => isForRows(url) && url.includes("=900");
		late = (url) => {
			if (isForCounts(url)) {
				if (countsFail && haveRowsCome && ` + rowCount + ` < 50) throw new TypeError("late");
				return countsFail;
			}
			return haveRowsCome || !isForNewRows(url);
		};
		held = (url) => { haveRowsCome ||= isForNewRows(url) };
		window.letCountsCome = () => (countsFail = haveRowsCome = false);
		location.hash = "#/?cost=..900";
	}`)
	p.see(failure, "That did not work: no network connection.")
	p.eval(`letCountsCome()`)
	p.click(failureButton)
	p.see(failureCount, "0")
}

// TestPageLateSearch tests that the search field keeps the focus and its text when the first answer comes while one
// types.
func TestPageLateSearch(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openLate(t)
	for _, view := range []string{"#/", "#/map", "#/prices"} {
		p.test("at "+view, func() {
			p.eval(`late = () => false; location.hash = "#/visits"`)
			p.wait(isThere(visitsHeading))
			p.eval(`late = (url) => /find/.test(url); location.hash = ` + encode(view))
			p.click(searchField)
			p.press("a")
			p.see(hash, view+"?q=a")
			p.press("b")
			p.see(together(hash, focusedValue), view+"?q=ab, ab")
		})
	}
	p.eval(`late = () => false`)
}

// TestPageLateDecision tests that without filters no flats are outside them, although the service lacks a decision.
func TestPageLateDecision(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(130), "", 1280)
	p.runFirst(`{
		const ask = fetch;
		window.fetch = (url, options) => (options?.method === "PATCH" ? new Promise(() => {}) : ask(url, options));
	}`)
	p.startReload()
	p.wait(isThere(anyRow))
	p.opens("#/triage")
	before := p.eval(triageProgress + `.match(/\d+/)[0]`)
	p.press("x")
	p.see(triageProgress+`.match(/\d+/)[0] - `+fmt.Sprint(before), "-1")
	p.startReload()
	p.wait(cardTitle)
	p.wait(triageCount + " === " + encode(fmt.Sprint(before)))
	p.see(outsideLine, "")
}

// openCounted opens the page with global variables: timers has the repeated timers, minute is the timer that runs once
// a minute, asking is the number of requests under way.
func openCounted(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, "", "#/settings", 1280)
	p.runFirst(`{
		const set = setInterval, clear = clearInterval;
		window.timers = new Set();
		window.setInterval = (...given) => {
			if (given[1] === 60_000) window.minute = given[0];
			const timer = set(...given);
			timers.add(timer);
			return timer;
		};
		window.clearInterval = (timer) => { timers.delete(timer); clear(timer); };
		// Give each request the time to make elements of its answer.
		const ask = fetch;
		window.asking = 0;
		window.fetch = (...request) => {
			asking++;
			return ask(...request).finally(() => setTimeout(() => asking--, 50));
		};
	}`)
	p.reload()
	return p
}

// roundOfViews goes through all views, and returns the numbers of nodes, listeners and timers at the end.
func (p *tab) roundOfViews() (found [3]int) {
	p.t.Helper()
	for _, hash := range []string{"#/", "#/triage", "#/flat/4711", "#/visits", "#/add", "#/map", "#/prices",
		"#/duplicates",
		"#/compare/4711,lyon-1042%40example", "#/import", "#/settings", "#/start"} {
		p.goTo(hash, "h1")
		p.rest(50) // until the view has sent its first requests; asking stays above 0 between them
		p.wait("asking === 0")
	}
	// By script, because a notice may leave while a finger is on its way.
	p.eval(`for (const button of document.querySelectorAll(` + encode(closeNotice) + `)) button.click()`)
	p.do("HeapProfiler.collectGarbage", nil)
	p.do("HeapProfiler.collectGarbage", nil)
	var dom struct{ Nodes, JSEventListeners int }
	p.call(p.t, p.session, "Memory.getDOMCounters", object{}, &dom)
	return [3]int{dom.Nodes, dom.JSEventListeners, int(p.eval("timers.size").(float64))}
}

// TestPageLeaves tests that a view that was left leaves no elements, listeners or repeated timers behind.
func TestPageLeaves(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openCounted(t)
	p.roundOfViews() // which also loads the modules of the views
	before, after := p.roundOfViews(), p.roundOfViews()
	hasGrown := func() bool { return after[0] > before[0] || after[1] > before[1] || after[2] > before[2] }
	for range 3 {
		if hasGrown() {
			after = p.roundOfViews() // garbage is not collected at once
		}
	}
	if hasGrown() {
		t.Errorf("nodes, listeners and timers: %d after two rounds through the views, %d after more", before, after)
	}
}

// TestPageMinute tests that once a minute the page asks whether anything has changed, but not while it is hidden.
func TestPageMinute(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openCounted(t)
	p.rest(1500) // the sections of Settings send requests one after the other
	p.wait("asking === 0")
	for _, state := range []string{"hidden", "visible"} {
		p.test(state, func() {
			p.eval(`Object.defineProperty(document, "visibilityState", {value: "` + state + `", configurable: true});
				performance.clearResourceTimings(); minute(); 0`)
			p.rest(forAnswer)
			p.see(`performance.getEntriesByType("resource").length > 0`, fmt.Sprint(state == "visible"))
		})
	}
}

// openChanged opens a list of flats that became cheaper or are gone, within the last days or earlier.
func openChanged(t *testing.T) *tab {
	t.Helper()
	ago := func(days float64) string {
		return time.Now().Add(-time.Duration(days * 24 * float64(time.Hour))).UTC().Format(time.RFC3339)
	}
	hasFallen := func(days float64) string {
		return `"cost_history": [{"date": null, "cost": 900}, {"date": "` + ago(days) + `", "cost": 800}]`
	}
	return openTab(t, `[{"id": "new", `+hasFallen(1)+`}, {"id": "ignored", "status": "ignored", `+hasFallen(6.5)+`},
		{"id": "gone", "status": "contacted", "gone": "`+ago(2)+`"}, {"id": "old", `+hasFallen(8)+`},
		{"id": "same", "title": "same", "cost_history": [{"date": "`+ago(1)+`", "cost": 800}]},
		{"id": "double", "status": "duplicate", `+hasFallen(1)+`},
		{"id": "deleted", "status": "user_deleted", `+hasFallen(1)+`},
		{"id": "followed", "status": "followed"}]`, "", 1280)
}

// TestPageChanged tests which flats the tab "Changed" has.
func TestPageChanged(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openChanged(t)
	const all = "Live 4|To sort 3|Changed 2|Shortlist 2|Followed 1|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8"
	p.test("the tab has flats that changed within a week, but no dismissed, duplicate or deleted ones", func() {
		p.see(tabTexts, all)
		p.click(tabOf("changed"))
		p.see(rowIDs, "new,gone")
		p.see(tabTexts, all)
	})
	p.test("Dismiss takes a flat from the tab, and Undo brings it back", func() {
		p.dismissRow(1)
		p.see(tabTexts, "Live 3|To sort 2|Changed 1|Shortlist 2|"+
			"Followed 1|Contacted 1|Duplicate 1|Dismissed 2|Deleted 1|All 8")
		p.see(rowIDs, "gone")
		p.undo()
		p.see(rowIDs, "new,gone")
	})
	p.test("Follow leaves a flat in the tab", func() {
		p.followRow(1)
		p.see(tabTexts, "Live 4|To sort 2|Changed 2|Shortlist 3|"+
			"Followed 2|Contacted 1|Duplicate 1|Dismissed 1|Deleted 1|All 8")
	})
	p.test("a cost that was not known before, and one that is no longer, are changes", func() {
		p.importListings(`[{"id": "priced", "title": "cost", "cost": 0, "currency": "EUR"},
			{"id": "unpriced", "title": "cost", "cost": 990, "currency": "EUR"}]`)
		p.importListings(`[{"id": "priced", "cost": 930}, {"id": "unpriced", "cost": 0}]`)
		p.typeHash("#/?tab=changed&q=cost&sort=title")
		p.see(changesInRows, "€930,no price")
	})
}

// TestPageDecidedOrder tests the order of flats in tabs of a status that a decision gave.
func TestPageDecidedOrder(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openChanged(t)
	p.follow("new")
	p.typeHash("#/?tab=all&q=same")
	p.see(rowIDs, "same")
	p.followRow(1)
	p.see(firstRowStatus, "followed")
	p.test("the last decided comes first", func() {
		p.typeHash("#/?tab=shortlist")
		p.see(rowIDs, "same,new,gone,followed")
		p.typeHash("#/?tab=is:followed")
		p.see(rowIDs, "same,new,followed")
		p.click(filtersButton)
		p.see(chosenOrder, "Last decided ↓")
	})
	p.test("another order can be chosen for decided flats", func() {
		p.typeHash("#/?tab=is:followed&sort=-first_seen")
		p.see(rowIDs, "new,same,followed")
		p.see(chosenOrder, "Newest ↓")
	})
}

// importAll imports all listings of a site, so that other flats of the site are gone.
func (p *tab) importAll(site, listings string) {
	p.t.Helper()
	script := fmt.Sprintf(`fetch("api/v1/import?complete=%s", {method: "POST", body: %s})
		.then((answer) => answer.text())`, site, encode(listings))
	if got := fmt.Sprint(p.eval(script)); !strings.HasPrefix(got, `{"data":`) {
		p.t.Fatal(got)
	}
}

// TestPageFresh tests the bar of news of the list.
func TestPageFresh(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?sort=title", 1280)
	p.see(rowCount, "10")
	p.test("a change on this page is not reported, one made elsewhere is", func() {
		p.followRow(1)
		p.wait(notice)
		p.comeBack()
		p.changeElsewhere("4711", `{"cost": 700}`)
		p.comeBack()
		p.see(newsButtonText, "1 changed · Show")
	})
	p.eval(`document.body.style.paddingBottom = "1000px"`)
	for _, width := range []int{1440, 1280, 1200, 1100, 900} {
		p.test(fmt.Sprintf("at %d pixels it stands under the heads of the table, which stay in sight", width), func() {
			p.resize(width)
			p.see(rowCount, "10")
			p.eval(`scrollTo(0, 300)`)
			p.see(newsIsUnderHeads, "true")
		})
	}
	p.resize(1280)
	p.eval(`scrollTo(0, 0)`)
	p.test("Show shows it", func() {
		p.showNews()
		p.wait(showsCost("€700"))
		p.see(newsPartCount, "0")
	})
	bringNews(p)
}

// bringNews imports flats and changes some from another device, and tests what the bar of news says.
func bringNews(p *tab) {
	p.test("a flat that an import brings is new", func() {
		p.importAll("agency", `[{"id": "1@agency", "title": "A new one"}]`)
		p.comeBack()
		p.see(newsButtonText, "1 new · Show")
		p.showNews()
		p.see(rowCount, "11")
	})
	p.followID("4711")
	p.seeFlat("4711", "status", "followed")
	p.see(notice+`.split(": ").at(-1)`, "Followed")
	p.test("all flats that came into the view or left it count, also those changed here before", func() {
		for id, status := range map[string]string{"4711": "ignored", "1@agency": "user_deleted",
			"lyon-1068@example": "new", "lyon-1063@example": "visited"} {
			p.changeElsewhere(id, `{"status": "`+status+`"}`)
		}
		p.comeBack()
		p.see(newsButtonText, "1 new, 1 changed, 2 gone · Show")
		p.showNews()
		p.see(rowCount, "10")
	})
}

// TestPageFreshFound tests that the map and the prices say that flats have changed elsewhere, also if the request for
// it failed once, and say nothing of fields that they do not show.
func TestPageFreshFound(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, view := range []string{"#/map", "#/prices"} {
		p, network := openThroughProxy(t, startSample(t), view, 1280)
		p.wait(senderIsLoaded)
		p.test(view+" says nothing of notes", func() {
			p.changeElsewhere("4711", `{"notes": "Asked."}`)
			p.comeBack()
			p.rest(forAnswer)
			p.see(isThere(newsButton), "false")
		})
		p.test(view+" says that a cost has changed, once the network is back", func() {
			p.changeElsewhere("4711", `{"cost": 700}`)
			refused := make(chan struct{})
			var once sync.Once
			refuse := func(answer *http.Response) {
				if strings.Contains(answer.Request.URL.Query().Get("fields"), "precision") {
					answer.StatusCode = http.StatusBadGateway
					answer.Header.Del("X-Flats")
					once.Do(func() { close(refused) })
				}
			}
			network.change.Store(&refuse)
			p.comeBack()
			select {
			case <-refused:
			case <-time.After(patience):
				p.t.Fatal("the view has requested no flats")
			}
			p.rest(forAnswer)
			p.see(isThere(newsButton), "false")
			network.change.Store(nil)
			p.comeBack()
			p.see(newsButtonText, "Changed elsewhere · Show")
		})
	}
}

// TestPageFreshTags tests that the tags of rows say what an import has changed.
func TestPageFreshTags(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(rowCount, "10")
	p.importAll("agency", `[{"id": "1@agency", "title": "A new one"}]`)
	p.importAll("agency", `[{"id": "2@agency", "cost": 900, "currency": "EUR"},
		{"id": "3@agency", "cost": 900, "currency": "EUR",
		"photos": ["https://127.0.0.1:1/x"]}, {"id": "4@agency", "photos": ["https://127.0.0.1:1/x"]}]`)
	p.importAll("agency", `[{"id": "2@agency"}, {"id": "3@agency", "cost": 850}, {"id": "4@agency"}]`)
	p.typeHash("#/?site=agency&tab=all&sort=site")
	p.see(tagsInRows, "lyon-1077@agency: gone since clock; 1@agency: gone since clock; 2@agency: ; "+
		"3@agency: −€50 today,maybe a duplicate; 4@agency: maybe a duplicate")
}

// TestPageFreshElsewhere tests that other views count what is new, too.
func TestPageFreshElsewhere(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/visits", 1280)
	p.see(triageCount, "5")
	p.importListings(`[{"id": "5@agency"}]`)
	p.comeBack()
	p.see(triageCount, "6")
	p.see(`fetch("api/v1/find?any[status]=new&known[gone]=no&page[size]=1").then((answer) => answer.json())
		.then(({total}) => total - `+triageCount+`)`, "0")
}

// TestPageFreshQuiet tests that while nothing has changed, each view requests only one short answer, and that it has at
// most one filled button.
func TestPageFreshQuiet(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.wait(`performance.getEntriesByType("resource").some(({name}) => name.includes("=kept_photos"))`) // once, while idle
	for _, view := range []string{"#/", "#/today", "#/flat/4711", "#/triage", "#/visits", "#/compare/4711", "#/duplicates",
		"#/map", "#/prices", "#/import"} {
		p.test("at "+view, func() {
			p.opens(view)
			p.rest(forAnswer)
			p.comeBack()
			p.rest(forAnswer)
			p.eval("performance.clearResourceTimings()")
			p.comeBack()
			p.rest(forAnswer)
			p.see(`performance.getEntriesByType("resource").map(({responseStatus, name}) =>
				responseStatus === 304 ? responseStatus : name).join()`, "304")
			p.see(filledButtonCount+" <= 1", "true")
		})
	}
}

// bringMany opens a list of 1,200 flats. As other devices do, it changes three of them and brings 70 new ones. Then it
// calls after.
func bringMany(p *tab, after string) {
	p.t.Helper()
	p.eval(`(async () => {
		const send = (path, method, body) => fetch("api/v1/" + path, {method, body});
		for (const i of [3, 700, 1100]) await send("flat/" + i + "%40many", "PATCH", '{"cost": 1}');
		await send("import", "POST", JSON.stringify(Array.from({length: 70}, (_, i) => ({id: "n" + i}))));
		` + after + `;
	})()`)
}

// TestPageFreshPages tests that changes elsewhere count for all flats of the view, also on pages that the list has not
// loaded.
func TestPageFreshPages(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(1200), "#/?tab=all&sort=title", 1280)
	p.see(rowCount, "50")
	p.wait(`performance.getEntriesByType("resource")
		.filter(({name}) => /fields=title%2Cstatus.*number%5D=1/.test(name)).length === 1`)
	bringMany(p, "")
	p.comeBack()
	p.see(newsButtonText, "70 new, 3 changed · Show")
}

// TestPageOpenedAnew tests that a list opened anew, also from another view, shows all flats, scrolled to where it was.
func TestPageOpenedAnew(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, manyFlats(300), "#/?tab=all", 1280)
	p.see(rowCount, "50")
	importNewest := func(id string) {
		p.importListings(`[{"id": "` + id + `", "title": "Just in", "first_seen": "2031-01-01T10:00:00Z"}]`)
	}
	p.test("at its top, the list shows new flats at once", func() {
		p.opens("#/visits")
		importNewest("a")
		p.press("l")
		p.see(nthRow(1), "a")
		p.rest(forAnswer)
		p.see(isThere(newsButton), "false")
	})
	p.test("further down, rows stay where they are, and what came is above them", func() {
		p.eval("scrollTo(0, 1500)")
		p.eval("window.shown = [...document.querySelectorAll('.row')].find((row) => row.getBoundingClientRect().top > 200)")
		p.eval("window.place = [shown.dataset.id, shown.getBoundingClientRect().top]")
		p.eval("shown.querySelector('a').click()")
		p.wait(isThere(flatHeading))
		importNewest("b")
		p.goBack()
		p.see(nthRow(1), "b")
		p.see(`document.querySelector("[data-id='" + place[0] + "']").getBoundingClientRect().top - place[1]`, "0")
		p.see(focusedRow+" === place[0]", "true")
		p.rest(forAnswer)
		p.see(isThere(newsButton), "false")
	})
	p.test("flats dismissed on another device meanwhile are not there", func() {
		p.typeHash("#/?tab=new")
		p.wait(openView + ` === "list" && ` + rowAt(1))
		first := fmt.Sprint(p.eval(firstRowID))
		p.opens("#/visits")
		p.changeElsewhere(first, `{"status": "ignored"}`)
		p.goBack()
		p.see(firstRowID+" !== "+encode(first), "true")
		p.see(isThere(newsButton), "false")
	})
}

// TestPageChosen tests choosing flats to compare.
func TestPageChosen(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?sort=cost", 1280)
	p.test("the first press asks for a second flat", func() {
		p.chooseRow(1)
		p.see(chosenFirstLine, "Choose a second flat to compare")
		p.chooseRow(2)
		p.see(compareChosen, "Compare 2 flats")
	})
	press := func(row int, key string) {
		p.focusRow(row)
		p.press(key)
	}
	p.test("the key c adds flats up to six", func() {
		for i := 3; i <= 7; i++ {
			press(i, "c")
			p.see(compareChosen, fmt.Sprintf("Compare %d flats", min(i, 6)))
		}
		p.see(notice, "You can compare up to 6 flats")
	})
	p.test("the key c takes chosen flats away", func() {
		for i := 3; i <= 6; i++ {
			press(i, "c")
		}
		p.see(pressedCompareCount, "2")
	})
	p.test("what is chosen stays through a reload", func() {
		p.click(chosenLink)
		p.see(hash, "#/compare/berlin-2221%40example,4711")
		p.wait(comparedFlat)
		p.reload()
		p.typeHash("#/")
		p.see(compareChosen, "Compare 2 flats")
	})
	p.test("once it is closed, nothing is chosen, also after a reload", func() {
		p.click(closeChosen)
		p.see(chosenPartCount, "0")
		p.reload()
		p.see(chosenPartCount, "0")
	})
}

// TestPageChosenAddress tests that flats that an address adds to the chosen ones are chosen, too, and that an address
// without some of the chosen flats leaves the choice until a press.
func TestPageChosenAddress(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	for _, c := range []struct{ sentence, hash, want string }{
		{"other flats leave the choice", "#/compare/lyon-1042%40example,4711", "berlin-2221@example,4711"},
		{"what is added to the choice is chosen", "#/compare/lyon-1042%40example,4711,berlin-2221%40example",
			"lyon-1042@example,4711,berlin-2221@example"},
	} {
		p.test(c.sentence, func() {
			p.choose("berlin-2221@example", "4711")
			p.typeHash(c.hash)
			p.wait(comparedFlat)
			p.see(chosenKept, c.want)
		})
	}
	p.typeHash("#/")
	p.choose("berlin-2221@example", "4711")
	p.typeHash("#/compare/lyon-1042%40example,4711")
	p.test("closing one of the compared flats leaves the choice", func() {
		p.click(closeLastCompared)
		p.see(hash, "#/compare/lyon-1042%40example")
		p.see(chosenKept, "berlin-2221@example,4711")
	})
	p.test("a press takes over what the address has", func() {
		p.click(takeOverCompared)
		p.see(chosenKept, "lyon-1042@example")
	})
}
