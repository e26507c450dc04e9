// Tests of saved views, and of their messages.

package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// TestPageViewsPlace tests that the list returns to the place where it was left.
func TestPageViewsPlace(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	var flats []string
	for i := range 130 {
		flats = append(flats, fmt.Sprintf(`{"id": %d, "title": "Flat %d", "cost": %d, "currency": "EUR",
			"service_postal_code": null}`, i, i, 500+i))
	}
	p := openTab(t, "["+strings.Join(flats, ",")+"]", "#/?cost=505..&sort=cost", 390)
	p.see(rowCount, "50")
	p.test("scrolling to its end, and More, load what follows, until that is all", func() {
		p.eval("scrollTo(0, document.body.scrollHeight)")
		p.see(rowCount, "100")
		p.see(isHidden(moreRows), "false")
		p.eval(focusUnscrolled(moreRows)) // in sight it would act by itself
		p.key("Enter")
		p.see(rowCount, "125")
		p.see(endOfList, "That is all")
	})
	leaveAndReturn(p)
}

// leaveAndReturn tests that the list is where it was.
func leaveAndReturn(p *tab) {
	p.eval(`(async () => {
		for (let y = 0; y <= 1200; y += 300) {
			scrollTo(0, y);
			await new Promise(requestAnimationFrame);
		}
	})()`)
	left := fmt.Sprint(p.eval(rowInSight))
	p.test("the list is where it was after Back, with the focus in the row", func() {
		p.clickOn(titleInSight)
		p.wait(isThere(nextFlat))
		p.see(viewCount, "1")
		p.goBack()
		p.wait(isThere(anyRow))
		p.see(rowInSight, left)
		p.see(focusedRow, strings.Fields(left)[0])
	})
	p.test("the list is where it was after a reload of the list, and of the flat", func() {
		p.reload()
		p.see(rowInSight, left)
		p.clickOn(titleInSight)
		p.wait(isThere(nextFlat))
		p.reload()
		p.wait(isThere(nextFlat))
		p.click(backStep)
		p.see(hash, "#/?cost=505..&sort=cost")
		p.see(rowInSight, left)
	})
	p.test("the list is where it was beyond the first page, too", func() {
		p.wait(`(scrollTo(0, 1e6), ` + rowCount + ` >= 100)`)
		p.eval(rowAt(90) + `.scrollIntoView(), new Promise(requestAnimationFrame)`)
		left = fmt.Sprint(p.eval(rowInSight))
		p.reload()
		p.see(rowInSight, left)
	})
}

// TestPageViews tests that moving between views keeps the filters of the list.
func TestPageViews(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "#/?cost=505..&sort=cost", 390)
	p.wait(isThere(anyRow))
	p.test("Triage keeps the filters", func() {
		p.click(linkTo("triage"))
		p.see(hash, "#/triage?cost=505..&sort=cost")
	})
	p.test("a view of the menu keeps the filters, and is marked in the bar", func() {
		p.click(menuButton)
		p.click("#menu " + linkTo("prices"))
		p.see(hash, "#/prices?cost=505..&sort=cost")
		p.see(menuIsCurrent, "true")
		p.see("document.title", "Prices · Flats")
	})
	p.test("the list has the filters again", func() {
		p.click(listInBar)
		p.see(hash, "#/?cost=505..&sort=cost")
		p.see(viewCount, "1")
		p.wait(isThere(anyRow))
	})
	p.test("? shows the keys of the view", func() {
		p.press("?")
		p.wait(helpWords + `?.includes("Previous flat")`)
	})
}

// TestPageKeys tests that a list of keys that is higher than the window opens at its top, and that its box does not
// touch the button below.
func TestPageKeys(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.do("Emulation.setDeviceMetricsOverride", // a small laptop at 200 %
		object{"width": 640, "height": 300, "deviceScaleFactor": 2, "mobile": false})
	p.press("?")
	p.wait(helpWords)
	p.see(helpIsCut, "true")
	p.see(helpTop, "0")
	p.see(box("#help .primary")+".top - "+box("#help label")+".bottom", "16")
}

// saveView saves the view that is shown under a name.
func (p *tab) saveView(name string) {
	p.t.Helper()
	p.pressTool(saveThisView)
	p.enter(viewName, name)
	p.click(saveName)
}

// TestPageSaved tests that saved views are the same on all devices, and show how many flats came in since they were
// last opened.
func TestPageSaved(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	const odd = "Balcony / 100 % & more?"
	p := openTab(t, `[{"id": "1@a", "title": "Grand balcon", "cost": 800}, {"id": "2@a", "cost": 900}]`,
		"#/?q=balcon", 1280)
	p.see(rowCount, "1")
	p.saveView(odd)
	p.see(currentSaved, odd)
	phone := p.openOther("#/?sort=cost")
	p.test("another device has the saved view", func() { phone.see(savedViewNames, odd) })
	p.typeHash("#/")
	p.see(rowCount, "2")
	p.test("each saved view says how many flats came in", func() {
		for _, id := range []string{"3@a", "4@a"} {
			p.importListings(`[{"id": "` + id + `", "title": "Un balcon", "cost": 700}]`)
		}
		for _, device := range []*tab{p, phone} {
			device.reload()
			device.see(savedViewNames, odd+" 2 new")
		}
	})
	p.test("a saved view that was opened has nothing new on any device", func() {
		phone.click(savedLink)
		phone.see(savedViewNames, odd)
		phone.see(hash, "#/?q=balcon")
		p.reload()
		p.see(savedViewNames, odd)
	})
	saveSorted(p, odd)
	p.see(storedViews, odd+" #/?q=balcon|Cheap #/?cost=..900&sort=cost")
	phone.checkFaults()
}

// saveSorted saves a view in an order, in addition to one with an odd name.
func saveSorted(p *tab, odd string) {
	p.test("a view saved in an order counts the flats that come in, too", func() {
		p.typeHash("#/?cost=..900&sort=cost")
		p.see(currentSaved, "undefined")
		p.saveView("Cheap")
		p.see(savedViewNames, odd+"|Cheap")
		p.typeHash("#/")
		p.see(rowCount, "4")
		p.importListings(`[{"id": "5@a", "cost": 850}]`)
		p.reload()
		p.see(savedViewNames, odd+"|Cheap 1 new")
		p.click(lastSavedLink)
		p.see(savedViewNames, odd+"|Cheap")
	})
}

// openTwoSaved opens a list with two saved views, of which the second one is shown.
func openTwoSaved(t *testing.T) *tab {
	t.Helper()
	p := openTab(t, `[{"id": "1@a", "title": "Grand balcon", "cost": 800}, {"id": "2@a", "cost": 900}]`,
		"#/?q=balcon", 1280)
	p.see(rowCount, "1")
	p.saveView("Balcony / 100 % & more?")
	p.see(currentSaved, "Balcony / 100 % & more?")
	p.typeHash("#/?cost=..900&sort=cost")
	p.see(rowCount, "2")
	p.saveView("Cheap")
	p.see(savedViewNames, "Balcony / 100 % & more?|Cheap")
	return p
}

// TestPageSavedTold tests that saving a view with a bell takes three presses and brings its tab into sight, and what
// the tab's menu has.
func TestPageSavedTold(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, width := range []int{1280, 390} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) {
			p := openTab(t, `[{"id": "a", "title": "A", "cost": 1500, "currency": "EUR", "rooms": 2},
				{"id": "b", "title": "B", "cost": 1600, "currency": "EUR", "rooms": 3}]`,
				"#/?cost=..1700&rooms=2..3&area=..90&unknown=area", width)
			p.see(rowCount, "2")
			for i := range 5 {
				p.saveElsewhere(fmt.Sprintf("An earlier one, number %d", i), fmt.Sprintf("q=%d", i))
			}
			p.reload()
			p.see(count(savedView), "5")
			p.test("three presses save it with its bell, under a name from its filters", func() {
				p.openTools()
				p.clickOn(toolButton(saveThisView))
				p.see(valueOf(viewName), "2–3 rooms, to 90 m² or unknown, to €1,700")
				p.click(saveWithMessages)
				p.see(sendsMessages("2–3 rooms, to 90 m² or unknown, to €1,700"), "true")
			})
			p.test("the tab of the saved view is in sight, not cut by the button beside it", func() {
				p.see(sweepLabel, "Dismiss these 2")
				p.see(savedIsWhole, "true")
			})
			p.test("the menu of a saved view has all its actions", func() {
				p.see(crossesOfSaved, "0")
				p.click(currentSavedMenu)
				p.see(savedMenuItems, "Tell me|What comes in and matches|Rename|Delete")
				p.key("Escape")
				p.see(count(removeSaved), "0")
				p.see(hasFocus(currentSavedMenu), "true")
			})
			p.test("a renamed view keeps its bell, and Undo renames it back", func() {
				p.click(currentSavedMenu)
				p.click(renameSaved)
				p.see(valueOf(viewName), "2–3 rooms, to 90 m² or unknown, to €1,700")
				p.enter(viewName, "Ours")
				p.click(saveName)
				p.see(currentSaved+`.includes("Ours")`, "true")
				p.see(sendsMessages("Ours"), "true")
				p.see(count(savedView), "6")
				p.undo()
				p.see(sendsMessages("2–3 rooms, to 90 m² or unknown, to €1,700"), "true")
				p.see(count(savedView), "6")
			})
			p.checkFaults()
		})
	}
}

// TestPageSavedUndo tests that saved views that were replaced or removed come back.
func TestPageSavedUndo(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTwoSaved(t)
	p.letPass(10)
	p.see(count(savedCurrent), "1")
	p.test("a name that is taken is replaced, and Undo restores it", func() {
		p.saveView("Balcony / 100 % & more?")
		p.see(notice, "“Balcony / 100 % & more?” is replaced")
		p.see(count(savedCurrent), "2")
		p.undo()
		p.see(count(savedCurrent), "1")
	})
	p.test("Remove passes the focus on, and Undo restores it", func() {
		p.focus(currentSavedMenu)
		p.key("Enter")
		p.click(removeSaved)
		p.see(savedViewNames, "Balcony / 100 % & more?")
		p.see("document.activeElement.innerText", "Balcony / 100 % & more?")
		p.undo()
		p.see(savedViewNames, "Balcony / 100 % & more?|Cheap")
		p.see(storedViews, "Balcony / 100 % & more? #/?q=balcon|Cheap #/?cost=..900&sort=cost")
	})
}

// TestPageSavedRename tests that a view that is renamed keeps its place among the tabs, with Undo, too.
func TestPageSavedRename(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTwoSaved(t)
	p.letPass(10)
	p.typeHash("#/?q=balcon")
	p.see(currentSaved, "Balcony / 100 % & more?")
	p.click(currentSavedMenu)
	p.click(renameSaved)
	p.enter(viewName, "Ours")
	p.click(saveName)
	p.see(savedViewNames, "Ours|Cheap")
	p.undo()
	p.see(savedViewNames, "Balcony / 100 % & more?|Cheap")
}

// TestPageSavedPhone tests the tabs of saved views on a phone.
func TestPageSavedPhone(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTwoSaved(t)
	p.test("the whole height of a tab can be pressed", func() {
		p.resize(390)
		p.eval(scrollToFirstSaved)
		p.see(`(({left, top}) => document.elementFromPoint(left + 44, top + 3).innerText)(`+box(savedView)+`)`,
			"Balcony / 100 % & more?")
	})
	p.test("each tab fits, with its menu whole", func() {
		p.resize(320)
		p.see(cutSavedCount, "0")
	})
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
	p.test("a saved view that does not work any more says so, and why", func() {
		p.see(savedViewNames, "Near work not working|By curl")
		p.see(savedReasonPart+`.title.includes("time_to.work")`, "true")
		p.click(savedLink)
		p.see(savedReasonPart+`.innerText.includes("time_to.work")`, "true")
	})
	p.test("a view that another program has saved can be removed", func() {
		p.click(savedMenuAt(2))
		p.click(removeSaved)
		p.see(count(savedView), "1")
	})
	nameOddly(p)
	for hash, want := range map[string]string{
		"#/?days=3":      "“First seen within” depends on the current date, so this view cannot be saved",
		"#/?tab=changed": "“Changed” depends on the current date, so this view cannot be saved",
	} {
		p.test("a view that depends on the date cannot be saved: "+hash, func() {
			p.typeHash(hash)
			p.wait(currentTab)
			p.pressTool(saveThisView)
			p.see(notice, want)
		})
	}
	p.checkFaults()
}

// nameOddly tests the field for the name of a view.
func nameOddly(p *tab) {
	long := strings.Repeat("long", 20)
	p.test("a name is proposed, and selected", func() {
		p.pressTool(saveThisView)
		p.see(focusedLabel+` + ": " + `+focusedValue, "Name of the view: work")
		p.see(`getSelection().toString()`, "work")
	})
	for _, name := range []string{".", "..", " "} { // browsers cannot request such paths
		p.test(fmt.Sprintf("%q cannot be a name", name), func() {
			p.enter(viewName, name)
			p.key("Enter")
			p.see(nameTrouble, "“"+strings.TrimSpace(name)+"” cannot be used as a name")
		})
	}
	p.test("Enter saves it", func() {
		p.enter(viewName, long)
		p.key("Enter")
		p.see(lastNotice, "“"+long+"” is saved")
		p.see(count(openDialog), "0")
	})
	p.test("Cancel saves nothing", func() {
		p.pressTool(saveThisView)
		p.click(cancelName)
		p.see(count(openDialog), "0")
		p.see(count(savedView), "2")
	})
	p.test("a long name is cut, with a tooltip", func() {
		p.see(lastSavedWidth+` < 320`, "true")
		p.see(lastSavedTooltip, long)
	})
}

// TestPageSavedNames tests that the service accepts every name that the field for it does, however many bytes it has.
func TestPageSavedNames(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, `[{"id": "1@a", "title": "Balcony"}]`, "#/?q=balcony", 390)
	for n, c := range []struct{ inserted, want string }{
		{strings.Repeat("größer ", 20), strings.Repeat("größer ", 14) + "gr"}, // 100 letters
		{strings.Repeat("两室一厅", 30), strings.Repeat("两室一厅", 25)},
		{strings.Repeat("🏡", 60), strings.Repeat("🏡", 50)}, // of two units each
		{"家" + strings.Repeat("🏡", 60), "家" + strings.Repeat("🏡", 49)},
		{strings.Repeat("ประตู", 30), strings.Repeat("ประตู", 20)},
		{"two\trooms\u0085near\aus", "two rooms near us"},
	} {
		p.test(c.want, func() {
			p.pressTool(saveThisView)
			p.wait(isThere(viewName)) // the proposed name is selected
			p.do("Input.insertText", object{"text": c.inserted})
			p.click(saveName)
			p.see(count(savedView), strconv.Itoa(n+1))
			p.see(lastSavedTooltip, c.want)
		})
	}
	p.checkFaults()
}

// openMoved opens the page in a browser with five saved views of its own. Two of them cannot be moved to the service,
// which has two others. The page opens at Visits, so that nothing is moved yet.
func openMoved(t *testing.T) (p *tab, long string) {
	t.Helper()
	long = strings.Repeat("x", 201)
	p = openTab(t, `[{"id": "1@a", "title": "One", "cost": 400, "first_seen": "2026-01-01T00:00:00Z"}]`, "#/visits", 1280)
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
	return p, long
}

// movedHere is how many saved views the browser still keeps itself.
const movedHere = `keptIn("flats.searches").length`

// movedViews are the views of the service once the first one is moved.
const movedViews = "Cheap null|Cheap (2) null|Balcony #/?q=balcony"

// TestPageSavedMovedLost tests that no saved view is lost if the request that moves it to the service, or the answer,
// does not arrive.
func TestPageSavedMovedLost(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, _ := openMoved(t)
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
	p.test("nothing is lost, or hidden", func() {
		lose("requests")
		p.typeHash("#/")
		p.see(count(savedView), "7")
		p.see(movedHere, "5")
	})
	p.test("a view is moved once, although the answer was lost", func() {
		lose("answers")
		p.opens("#/visits")
		p.typeHash("#/")
		p.see(storedViews, movedViews)
		p.see(movedHere, "5")
	})
}

// TestPageSavedMoved tests that views that a browser kept itself are moved to the service once, even if two tabs move
// them at the same time.
func TestPageSavedMoved(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, long := openMoved(t)
	p.eval(`{
		const ask = fetch;
		window.fetch = async (url, options) => {
			if (options?.method === "PUT" && !window.other) {
				window.other = open(location.href);
				while (keptIn("flats.searches").length > 2)
					await new Promise((next) => setTimeout(next, 20));
			}
			return ask(url, options);
		};
	}`)
	p.typeHash("#/")
	all := "Cheap|Cheap (2)|Balcony|Cheap (3) 1 new|Rooms|Today only in this browser|" + long + " only in this browser"
	p.test("a name that is taken gets a number", func() {
		p.see(savedViewNames, all)
		p.see("other."+count(savedView), "7")
		p.see(storedViews, movedViews+"|Cheap (3) #/?cost=..500&sort=cost|Rooms #/?rooms=2..")
	})
	p.test("a reload changes nothing", func() {
		p.reload()
		p.see(savedViewNames, all)
	})
	p.test("views that cannot be moved say why, and can be removed", func() {
		p.typeHash("#/?days=1")
		p.see(currentSavedReason,
			"only in this browser: “First seen within” depends on the current date, so this view cannot be saved")
		p.click(savedMenuAt(6))
		p.click(removeSaved)
		p.see(movedHere, "1")
		p.undo()
		p.see(movedHere, "2")
	})
}

// TestPageBells tests the bell of a saved view if no receiver of messages is set.
func TestPageBells(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, "", "", 1280)
	p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: false")
	p.test("the menu of the open view has the bell, keeps the focus, and says that no messages can be sent yet", func() {
		p.click(lastSavedLink)
		p.focus(currentSavedMenu)
		p.key("Enter")
		p.see(hasFocus(savedBell), "true")
		p.key("Enter")
		p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: true")
		p.see(hasFocus(currentSavedMenu), "true")
		p.see(notice, "No messages can be sent yet. This browser takes no messages of pages that are closed.")
	})
	p.test("the notice leads to where the receiver is set", func() {
		p.click(noticeButton)
		p.see(hash, "#/settings/messages")
		p.see(text(inSection("messages", ".told > p")), "No messages can be sent yet")
		p.see(bells, "Tell me: Two rooms in Lyon: false|Tell me: Balcony: true")
		p.see(menuIsCurrent, "true")
	})
}

// TestPageNotify tests messages to a receiver.
func TestPageNotify(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	taken := make(chan string, 9)
	var status atomic.Int32
	status.Store(200)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		taken <- r.Header.Get("Title")
		w.WriteHeader(int(status.Load()))
	}))
	t.Cleanup(receiver.Close)
	p := &tab{browser: openBrowser(t), t: t, url: start(t, "[]", `"notify": {"url": "`+receiver.URL+`"}`)}
	p.open("#/notify", 390)
	p.test("a test says what the receiver answers", func() {
		p.see(notifyState, "No message has been sent since the service started Send a test")
		p.click(testButton)
		p.see(testAnswer, "The receiver accepted the test (200)")
		if got := <-taken; got != "Test: 1 new" {
			p.t.Errorf("the test has the title %q; want %q", got, "Test: 1 new")
		}
		status.Store(403)
		p.click(testButton)
		p.wait(testFailure + `?.includes("403")`)
		<-taken
		status.Store(200)
	})
	pressBell(p, taken)
	p.test("Undo takes the bell back", func() {
		p.undo()
		p.see(bells, "Tell me: All: false")
	})
	p.checkFaults()
}

// pressBell presses the bell of a view, and tests the message about a flat that comes in.
func pressBell(p *tab, taken <-chan string) {
	p.test("a bell that was pressed tells of what comes in", func() {
		p.eval(`fetch("api/v1/views/All", {method: "PUT", body: '{"query": ""}'}).then((answer) => answer.text())`)
		p.reload()
		p.click(bellInSettings)
		p.see(bells, "Tell me: All: true")
		p.see(notice, "You will be told about “All”")
		p.importListings(`[{"id": "1@a"}]`)
		if got := <-taken; got != "All: 1 new" {
			p.t.Errorf("the message has the title %q; want %q", got, "All: 1 new")
		}
		p.comeBackUntil(notifyState + `.startsWith("The last message arrived on ")`)
	})
}
