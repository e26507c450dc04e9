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
// has a tab with what one has not rated.
func TestPagePeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const byWhom = `[...document.querySelectorAll(".row")].map((row) =>
		row.dataset.id + ":" + (row.querySelector(".by")?.innerText ?? "")).join("|")`
	for _, width := range []int{1280, 390} {
		p, _ := openPeople(t, "", "#/?tab=all&sort=title", width)
		p.see(`document.querySelector("dialog.who h2")?.innerText`, "Who are you?")
		p.be("Ann")
		p.reload()
		p.see(byWhom, "a:by Ben, "+dayAgo(32)+"|b:by Ben, "+dayAgo(31)+"|c:|d:|e:")
		p.see(`document.querySelector("dialog") && document.querySelector("dialog[open]")`, "null")
		p.see(`document.querySelector(".row .apart")?.innerText.replace(/\s+/g, " ")`,
			"Ratings differ: Ann ★ 5 · Ben ★ 1")
		p.see(tabTexts, "Live 4|New 2|Changed 0|Shortlist 2|For me 1|Followed 1|Contacted 1|Dismissed 1|All 5")

		// A decision says who made it, and so does taking it back.
		p.click(`.row[data-id=d] button[data-status=followed]`)
		p.see(found("d", "status_by"), `"Ann"`)
		p.see(byWhom, "a:by Ben, "+dayAgo(32)+"|b:by Ben, "+dayAgo(31)+"|c:|d:|e:")
		p.undo()
		p.see(found("d", "status"), `"new"`)
		p.see(found("d", "status_by"), `"Ann"`)

		// What one has rated leaves the tab, and comes back with Undo.
		p.typeHash("#/?tab=for:Ann")
		p.see(rowCount, "1")
		p.see(currentTab, "For me 1")
		p.eval(`document.querySelector(".row h2 a").focus()`)
		p.press("4")
		p.see(rowCount, "0")
		p.see(found("a", "ratings"), `{"Ann":4}`)
		p.see(found("a", "notation"), "4")
		p.see(currentTab, "For me 0")
		p.undo()
		p.see(rowCount, "1")
		p.see(found("a", "ratings"), "null")

		// The other person sees the opposite.
		p.click(menuButton)
		p.see(`[...document.querySelectorAll("#menu button")].map(({innerText}) => innerText).join("|")`,
			"Keys|You are Ann|Forget this device")
		p.click("#menu button:nth-last-child(2)")
		p.see(`document.querySelector("dialog.who [aria-pressed=true]")?.innerText`, "Ann")
		p.be("Ben")
		p.see(`document.querySelector(".undo").hidden`, "true")
		p.see(`[...document.querySelectorAll(".tabs a")].slice(3, 5).map(({innerText}) => innerText.trim()).join("|")`,
			"Shortlist 2|For me 1")
		p.typeHash("#/?tab=all&sort=title")
		p.see(byWhom, "a:|b:|c:by Ann, "+dayAgo(30)+"|d:|e:")
		p.checkFaults()
	}
}

// TestPagePeopleSeen tests that each person's mark of what is new begins at their first look.
func TestPagePeopleSeen(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "", "#/", 1280)
	for i, person := range []string{"Ann", "Ben"} {
		if i > 0 {
			p.click(menuButton)
			p.click("#menu button:nth-last-child(2)")
		}
		p.be(person)
		p.wait(`fetch("api/v1/views").then((answer) => answer.json())
			.then(({data}) => data.some(({name}) => name === "flats: seen ` + person + `"))`)
		p.see(`document.querySelectorAll(".since-line").length`, "0")
		p.goTo("#/add", "form")
		p.bring(fmt.Sprintf(`[{"id": "new%d", "title": "New %[1]d"}]`, i))
		p.goTo("#/", row)
		p.showNews()
		p.wait(`document.querySelector(".since-line")`)
		p.see(unseenTitles, fmt.Sprint("New ", i))
	}
}

// TestPagePeopleFilter tests the filter for who has decided.
func TestPagePeopleFilter(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/?tab=all&sort=title", 1280)
	p.see(rowCount, "5")
	p.click(filtersButton)
	const choice = `[...document.querySelectorAll(".panel label")].find(({innerText}) => /^Decided by/.test(innerText))`
	p.wait(choice)
	p.see(`[...`+choice+`.querySelectorAll("option")].map(({innerText}) => innerText).join("|")`,
		"Any|by Ann (1)|by Ben (2)")
	p.eval(`{ const select = ` + choice + `.querySelector("select"); select.value = "Ben";
		select.dispatchEvent(new Event("change", {bubbles: true})); }`)
	p.see(hash, "#/?tab=all&by=Ben&sort=title")
	p.see(rowCount, "2")
	p.see(chipTexts, "by Ben")
}

// TestPagePeopleFlat tests the ratings of both on a flat, in Compare and in Visits, and who has decided.
func TestPagePeopleFlat(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ben", "#/flat/c", 1280)
	p.see(starTexts, "★☆☆☆☆Ann★5")
	p.see(`document.querySelector(".choices .by")?.parentNode.innerText.replace(/\s+/g, " ")`,
		"Contacted by Ann, "+dayAgo(30))
	p.click(".stars button:nth-child(3)")
	p.see(starTexts, "★★★☆☆Ann★5")
	p.see(found("c", "ratings"), `{"Ann":5,"Ben":3}`)
	p.see(found("c", "notation"), "4")
	p.press("u")
	p.see(starTexts, "★☆☆☆☆Ann★5")
	p.see(found("c", "ratings"), `{"Ann":5,"Ben":1}`)
	p.see(`[...document.querySelectorAll(".details dt")].map(({innerText}) => innerText).join()`, "")

	// Where the other one has rated meanwhile, the page says so.
	p.eval(`fetch("api/v1/flat/c?by=Ann", {method: "PATCH", body: '{"rating": 2}'})`)
	p.comeBack()
	p.showNews()
	p.see(starTexts, "★☆☆☆☆Ann★2")

	p.typeHash("#/compare/a,c")
	p.see(`[...document.querySelectorAll("th[scope=row]")].filter(({innerText}) => /^Rating/.test(innerText))
		.map(({parentNode}) => [...parentNode.cells].map(({innerText}) => innerText.trim()).join(" ")).join("|")`,
		"Rating – ★ 1.5|Rating: Ann – ★ 2|Rating: Ben – ★ 1")
	p.see(`[...document.querySelectorAll(".by")].map(({innerText}) => innerText).join("|")`, "by Ann, "+dayAgo(30))
	p.typeHash("#/visits")
	p.see(starTexts, "★☆☆☆☆Ann★2")
	p.see(`document.querySelector(".visits .by")?.innerText`, "by Ann, "+dayAgo(30))

	// Notes say whose they are as well; the service would refuse a name that it does not know.
	p.eval(`performance.clearResourceTimings(); location.hash = "#/flat/c"`)
	p.enter(notesField, "Tall towers")
	p.seeFlat("c", "notes", "Tall towers")
	p.see(`performance.getEntriesByType("resource").map(({name}) => name).filter((name) => /\/flat\?/.test(name))
		.map((name) => new URL(name).searchParams.getAll("by")).join()`, "Ben")
}

// TestPagePeopleMedian tests that a flat that is opened first has the median of its place, for which the page requests
// flats that it does not know, without their status.
func TestPagePeopleMedian(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, `[{"id": "a", "title": "A", "cost": 900, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "b", "title": "B", "cost": 1000, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "c", "title": "C", "cost": 1100, "currency": "EUR", "area": 10, "location": "Lyon"},
		{"id": "d", "title": "D", "location": "Berlin"}]`, `"people": ["Ann", "Ben"]`)
	p.open("#/flat/a", 1280)
	p.be("Ben")
	p.see(`document.querySelector(".editable ~ p.soft")?.innerText.trim()`, "10% below the median of 3 flats in Lyon")
	p.checkFaults()
}

// TestPagePeopleNews tests that the bar of news names who has decided elsewhere.
func TestPagePeopleNews(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/?sort=title", 1280)
	p.see(rowCount, "4")
	const asked = `performance.getEntriesByType("resource").filter(({name}) => /ratings/.test(name)).length`
	p.wait(asked + " > 1") // as somebody, and then as Ann
	for id, change := range map[string]string{"a?by=Ben": `{"status": "ignored"}`, "d?by=Ben": `{"status": "ignored"}`,
		"c?by=Ben": `{"rating": 2}`, "e": `{"status": "ignored"}`} {
		p.eval(fmt.Sprintf(`fetch("api/v1/flat/%s", {method: "PATCH", body: %s})`, id, encode(change)))
	}
	p.comeBack()
	p.wait(isThere(newsButton))
	got := strings.Split(fmt.Sprint(p.eval(`document.querySelector("#fresh button").innerText`)), " · ")[0]
	parts := strings.Split(got, ", ")
	slices.Sort(parts)
	if want := []string{"1 gone", "1 rated by Ben", "2 dismissed by Ben"}; !slices.Equal(parts, want) {
		t.Errorf("the bar of news says %q; want %q", parts, want)
	}
	p.showNews()
	p.see(rowCount, "1")
}

// TestPagePeopleOverruled tests that Undo of a decision that replaced another person's gives it back to that person,
// also where Triage has sent it.
func TestPagePeopleOverruled(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "#/flat/d", 1280)
	const notice = `document.querySelector(".notice p")?.textContent`
	p.wait(`document.querySelector(".own [data-status=new][aria-pressed=true]")`)
	p.eval(`fetch("api/v1/flat/d?by=Ben", {method: "PATCH", body: '{"status": "ignored"}'})`)
	p.mark("followed")
	p.see(notice, "Den: Followed. This replaced a decision made elsewhere: Dismissed by Ben")
	p.press("u")
	p.see(`document.querySelector(".choices .by")?.parentNode.innerText.replace(/\s+/g, " ")`, "Dismissed by Ben")
	p.see(found("d", "status"), `"ignored"`)
	p.see(found("d", "status_by"), `"Ben"`)
	p.goTo("#/triage", ".card h2 a")
	p.eval(`fetch("api/v1/flat/e?by=Ben", {method: "PATCH", body: '{"status": "contacted"}'})`)
	p.press("x")
	p.see(notice, "Elm: Dismissed. This replaced a decision made elsewhere: Contacted by Ben")
	p.press("u")
	p.see(found("e", "status"), `"contacted"`)
	p.see(found("e", "status_by"), `"Ben"`)
}

// TestPagePeopleMine tests that Undo restores what "Keep mine" has replaced, by whom and since when, whether the change
// was to be sent at once or not.
func TestPagePeopleMine(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/flat/d", 1280)
	p.wait(`document.querySelector("#waiting p")`)
	for _, c := range []struct{ id, hash, shown, button string }{
		{"d", "#/flat/d", ".own [data-status=new][aria-pressed=true]", ".own [data-status=followed]"},
		{"e", "#/triage", ".card h2 a", ".decide button:last-child"},
	} {
		p.goTo(c.hash, c.shown)
		network.down.Store(true)
		p.click(c.button)
		p.see(waits, "1 change waits")
		const since = "2026-01-05T10:00:00Z"
		request, err := http.NewRequest("PATCH", network.target.Load().String()+"/api/v1/flat/"+c.id+
			"?by=Ben&status_since="+since, strings.NewReader(`{"status": "contacted"}`))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil || answer.StatusCode != 200 {
			t.Fatal(answer, err)
		}
		answer.Body.Close()
		network.down.Store(false)
		p.see(questionSides,
			"Followed,Contacted by Ben")
		p.click(".questions button")
		p.see(waits, "")
		p.see(found(c.id, "status_by"), `"Ann"`)
		p.press("u")
		p.see(found(c.id, "status")+`.then((status) => [status, document.querySelector(".notice p")?.textContent].join())`,
			`"contacted",Undone`)
		p.see(found(c.id, "status_by"), `"Ben"`)
		p.see(found(c.id, "status_since"), encode(since))
	}
}

// TestPagePeopleWaiting tests that what waits for the network is sent under the name of who decided, although the
// device is somebody else's by then, and that the queue of Triage and its Undo say so too.
func TestPagePeopleWaiting(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "#/triage", 1280)
	p.wait(`document.querySelector(".card h2 a")`)
	id := fmt.Sprint(p.eval(cardID))
	p.press("x")
	p.see(found(id, "status_by"), `"Ann"`)
	p.press("u")
	p.see(found(id, "status"), `"new"`)
	p.see(found(id, "status_by"), `"Ann"`)
	p.press("3")
	p.see(found(id, "ratings"), `{"Ann":3}`)

	p.typeHash("#/flat/c")
	p.see(starTexts, "★★★★★Ben★1")
	network.down.Store(true)
	p.click(".stars button:nth-child(2)")
	p.click(".own button[data-status=ignored]")
	p.enter(notesField, "Drawbridge")
	p.see(waits, "3 changes wait")
	p.see(starTexts, "★★☆☆☆Ben★1")
	p.click(menuButton)
	p.click("#menu button:nth-last-child(2)")
	p.be("Ben")
	p.see(starTexts, "★☆☆☆☆Ann★2")
	p.click(".stars button:nth-child(4)")
	p.see(waits, "4 changes wait")
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
	p.see(waits, "")
	p.see(found("c", "ratings"), `{"Ann":2,"Ben":4}`)
	p.see(found("c", "status_by"), `"Ann"`)
	p.seeFlat("c", "notes", "Drawbridge")
	mu.Lock()
	defer mu.Unlock()
	slices.Sort(asked)
	asked = slices.Compact(asked) // notes are sent again if the flat has changed between two requests
	if want := []string{"Ann", "Ben"}; !slices.Equal(asked, want) {
		t.Errorf("the page sent its changes with %q; want %q", asked, want)
	}
}

// TestPagePeopleOffline tests that the page knows the ratings of the shortlist without a network, and adds those that
// wait.
func TestPagePeopleOffline(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openPeople(t, "Ann", "", 1280)
	p.startWorker()
	network.down.Store(true)
	p.typeHash("#/flat/c")
	p.reload()
	p.see(starTexts, "★★★★★Ben★1")
	p.click(".stars button:nth-child(4)")
	p.see(waits, "1 change waits")
	p.reload()
	p.see(starTexts, "★★★★☆Ben★1")
	p.typeHash("#/?tab=for:Ann")
	p.see(rowCount, "1")
	p.eval(`document.querySelector(".row h2 a").focus()`)
	p.press("2")
	p.see(rowCount, "0")
	p.reload()
	p.see(rowCount, "0")
	p.see(currentTab, "For me 0")
	network.down.Store(false)
	p.see(waits, "")
	p.see(found("c", "ratings"), `{"Ann":4,"Ben":1}`)
	p.see(found("a", "ratings"), `{"Ann":2}`)
}

// TestPagePeopleNames tests names with signs that mean something elsewhere, and long ones.
func TestPagePeopleNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	odd, long := `A&B "<i>'.%+#?`, strings.Repeat("W", 40)
	p := &tab{browser: openBrowser(t), t: t}
	p.url = start(t, twoFlats, `"people": `+encode([]string{odd, long, "constructor"}))
	p.open("#/?tab=all&sort=title", 320)
	p.be(odd)
	p.click(`.row[data-id=d] button[data-status=followed]`)
	p.see(found("d", "status_by"), strconv.Quote(odd))
	p.eval(`location.hash = "#/?" + new URLSearchParams({tab: "for:" + ` + encode(odd) + `})`)
	p.see(rowCount, "3")
	p.eval(`document.querySelector(".row h2 a").focus()`)
	p.press("4")
	p.see(rowCount, "2")
	p.typeHash("#/?tab=for:constructor")
	p.see(rowCount, "3")
	p.click(menuButton)
	p.see("document.documentElement.scrollWidth > innerWidth", "false")
	p.click("#menu button:nth-last-child(2)")
	p.be(long)
	p.typeHash("#/?tab=all&sort=title")
	p.wait(`document.querySelector(".row[data-id=d] .by")`)
	p.click(menuButton)
	p.see("document.documentElement.scrollWidth > innerWidth", "false")
	p.see(`document.querySelector("#menu").getBoundingClientRect().left >= 0`, "true")
	p.click("#menu button:nth-last-child(2)")
	p.be(odd)
	p.eval(`fetch("api/v1/flat/c?by=` + long + `", {method: "PATCH", body: '{"rating": 2, "status": "visited"}'})`)
	for _, hash := range []string{"#/flat/c", "#/visits", "#/compare/a,c", "#/?tab=shortlist"} {
		p.typeHash(hash)
		p.wait(`/WWW/.test(document.querySelector("main").innerText)`)
		p.see("document.documentElement.scrollWidth > innerWidth", "false")
	}
	p.checkFaults()
}

// TestPagePeopleForget tests that "Forget this device" forgets who uses it.
func TestPagePeopleForget(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "Ann", "", 1280)
	p.click(menuButton)
	p.click("#menu button:last-child")
	p.click(".question .primary")
	p.see("Object.keys(localStorage).join()", "")
	p.click("main .primary")
	p.see(`document.querySelector("dialog.who h2")?.innerText`, "Who are you?")
}

// TestPageNoPeople tests that without people in the config there is nothing of them, and that the list sends the same
// requests as ever.
func TestPageNoPeople(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, twoFlats, "#/?tab=for:Ann&by=Ben", 1280)
	p.see(rowCount, "4")
	p.see(tabTexts, "Live 4|New 2|Changed 0|Shortlist 2|Followed 1|Contacted 1|Dismissed 1|All 5")
	p.click(`.row[data-id=d] button[data-status=followed]`)
	p.see(found("d", "status"), `"followed"`)
	p.eval(`document.querySelector(".row h2 a").focus()`)
	p.press("4")
	p.wait(`document.querySelector(".row .rating")`)
	p.click(filtersButton)
	p.wait(`document.querySelector(".panel select")`)
	for _, hash := range []string{"#/flat/c", "#/visits", "#/compare/a,c", "#/triage"} {
		p.typeHash(hash)
		p.wait(fmt.Sprintf(`document.querySelector("main > .%s h1")`, strings.Split(hash, "/")[1]))
		p.rest(300)
	}
	p.see(`performance.getEntriesByType("resource").map(({name}) => decodeURIComponent(name))
		.filter((name) => /who|others|rating|status_by|by=/.test(name)).join()`, "")
	p.see(`document.querySelectorAll(".who, .by, .apart, .beside").length`, "0")
	p.see(`/Who are you|You are/.test(document.querySelector("#menu").textContent)`, "false")
}

// TestPageOwnChanges tests that a view does not report what was changed in it as changed elsewhere, and
// that it reports what really was.
func TestPageOwnChanges(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const notes = `{ const notes = document.querySelector("#notes"); notes.value = "Tall";
		notes.dispatchEvent(new Event("input", {bubbles: true})); }`
	press := func(selector string) string { return "document.querySelector(`" + selector + "`).click()" }
	const check = `document.dispatchEvent(new Event("visibilitychange"))`
	for _, c := range []struct{ view, id, act, field, want string }{
		{"#/flat/e", "e", press(".own .statuses [data-status=followed]"), "status", "followed"},
		{"#/flat/e", "e", press(".own .statuses [data-status=contacted]"), "status", "contacted"},
		{"#/flat/e", "e", press(".own .stars button"), "notation", "1"},
		{"#/flat/e", "e", press(".usual button"), "status", "followed"},
		{"#/flat/e", "e", notes, "notes", "Tall"},
		{"#/compare/a,c", "a", press("table button[data-status=ignored]"), "status", "ignored"},
		{"#/visits", "c", press(".stars button:nth-of-type(3)"), "notation", "2"},
	} {
		p, _ := openPeople(t, "Ann", "#/", 1280)
		// A view that asks for its flats again after the change has no answer yet when it looks for news.
		p.eval(`window.asked = window.slow = 0; window.ask = fetch; window.fetch = async (...r) => {
			if (slow > 0 && /find/.test(r[0])) await new Promise((done) => setTimeout(done, 900 * slow--));
			const answer = await ask(...r).finally(() => asked++);
			if (r[1]?.method === "PATCH") slow = 1;
			return answer;
		}`)
		p.typeHash(c.view)
		p.wait("(() => { " + c.act + "; return true })()")
		p.seeFlat(c.id, c.field, c.want)
		for range 2 {
			p.eval("asked = 0; " + check)
			p.wait("asked > 0")
			p.rest(500)
			if got := p.eval(newsWords); got != "" {
				t.Errorf("%s: after %s: %q", c.view, c.act, got)
			}
		}
		p.eval(`ask("api/v1/flat/` + c.id + `", {method: "PATCH", body: '{"title": "Dome"}'})`)
		p.wait(check + ` && document.querySelector("#fresh button")`)
		p.checkFaults()
	}
}

// TestPagePeopleTabs tests that each tab learns who uses the device now.
func TestPagePeopleTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openPeople(t, "", "#/", 1280)
	p.be("Ann")
	other := p.openAt(p.url, "#/")
	const who = `document.querySelector("#menu button:nth-last-child(2)").textContent`
	other.see(who, "You are Ann")
	p.do("Page.bringToFront", nil)
	p.click(".menu")
	p.click("#menu button:nth-last-child(2)")
	p.clickOn(`[...document.querySelectorAll("dialog.who button")].find(({innerText}) => innerText === "Ben")`)
	for _, tab := range []*tab{p, other} {
		tab.see(who, "You are Ben")
	}
}
