// What a person does on the page. Selectors stand here and in sights_test.go, not in tests.

package web

import (
	"fmt"
	"slices"
	"testing"
)

// test runs one of several behaviours that share a tab, under a sentence that says what the page does. The whole test
// ends with the first failure, because each behaviour begins with the page as the one before has left it.
func (p *tab) test(sentence string, behaviour func()) {
	p.t.Helper()
	whole := p.t
	passed := whole.Run(sentence, func(t *testing.T) {
		p.t = t
		behaviour()
	})
	p.t = whole
	if !passed {
		whole.FailNow()
	}
}

// atWidths opens the page at a hash on a laptop and on a phone, and tests it in each.
func atWidths(t *testing.T, flats, hash string, behave func(p *tab)) {
	t.Helper()
	for _, width := range []int{1280, 390} {
		t.Run(fmt.Sprintf("at %d pixels", width), func(t *testing.T) { behave(openTab(t, flats, hash, width)) })
	}
}

// typeHash changes the hash in the browser's address.
func (p *tab) typeHash(hash string) {
	p.t.Helper()
	p.eval("location.hash = " + encode(hash))
}

// goBack goes back in the browser's history.
func (p *tab) goBack() {
	p.t.Helper()
	p.eval("history.back()")
}

// comeBack comes back to the tab from another one, so that the page asks the service for news.
func (p *tab) comeBack() {
	p.t.Helper()
	p.eval(`document.dispatchEvent(new Event("visibilitychange"))`)
}

// comeBackUntil comes back to the tab again and again until a condition is true: the service may do its part later.
func (p *tab) comeBackUntil(condition string) {
	p.t.Helper()
	p.wait(`document.dispatchEvent(new Event("visibilitychange")) && ` + condition)
}

// bringToFront shows this tab in place of another one that covers it. A covered tab gets clicks late.
func (p *tab) bringToFront() {
	p.t.Helper()
	p.do("Page.bringToFront", nil)
}

// setLanguage sets the language that the browser prefers, for the next time that the page is loaded.
func (p *tab) setLanguage(language string) {
	p.t.Helper()
	p.do("Emulation.setUserAgentOverride", object{"userAgent": "test", "acceptLanguage": language})
}

// setScheme sets the colours that the system prefers, "light" or "dark".
func (p *tab) setScheme(scheme string) {
	p.t.Helper()
	p.do("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
}

// setMotion sets the motion that the system prefers, "no-preference" or "reduce".
func (p *tab) setMotion(wanted string) {
	p.t.Helper()
	p.do("Emulation.setEmulatedMedia",
		object{"features": []object{{"name": "prefers-reduced-motion", "value": wanted}}})
}

// setMedia shows the page as on paper, "print", or on a screen again, "".
func (p *tab) setMedia(media string) {
	p.t.Helper()
	p.do("Emulation.setEmulatedMedia", object{"media": media})
}

// beginPrinting tells the page that it is about to be printed, as the browser does.
func (p *tab) beginPrinting() {
	p.t.Helper()
	p.eval(`dispatchEvent(new Event("beforeprint"))`)
}

// setFont sets the font of the page to one of the system.
func (p *tab) setFont(name string) {
	p.t.Helper()
	p.eval(`document.documentElement.style.fontFamily = ` + encode(name))
}

// setVisibility hides the tab behind another one, "hidden", or shows it again, "visible".
func (p *tab) setVisibility(state string) {
	p.t.Helper()
	p.eval(`Object.defineProperty(document, "visibilityState", {value: "` + state + `", configurable: true});
		document.dispatchEvent(new Event("visibilitychange"))`)
}

// beBackOnline tells the page that there is a network again, as the browser does.
func (p *tab) beBackOnline() {
	p.t.Helper()
	p.eval(`dispatchEvent(new Event("online"))`)
}

// openAnew leaves the page and opens it at a path, as by a bookmark.
func (p *tab) openAnew(path string) {
	p.t.Helper()
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": "about:blank"}) // otherwise only the hash might change
	p.do("Page.navigate", object{"url": p.url + path})
	p.wait("!window.old")
}

// The milliseconds that a test rests before it checks that nothing has changed, or goes on once nothing changes.
const (
	forDrawing = 200 // enough to draw a view anew
	forAnswer  = 500 // enough for a request to the service, and to show its answer
)

// rest waits some milliseconds, such as forAnswer.
func (p *tab) rest(ms int) {
	p.t.Helper()
	p.eval(fmt.Sprintf("new Promise((done) => setTimeout(done, %d))", ms))
}

// focus moves the focus to a part of the page, as tabbing does.
func (p *tab) focus(part string) {
	p.t.Helper()
	p.wait("document.querySelector(" + encode(part) + ")")
	p.eval("document.querySelector(" + encode(part) + ").focus()")
}

// point moves the mouse over a part of the page.
func (p *tab) point(part string) {
	p.t.Helper()
	at := p.eval("middleOf(document.querySelector(" + encode(part) + "))").(object)
	p.do("Input.dispatchMouseEvent", object{"type": "mouseMoved", "x": at["x"], "y": at["y"]})
}

// changeElsewhere changes a flat as another device does.
func (p *tab) changeElsewhere(id, change string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`fetch("api/v1/flat/" + encodeURIComponent(%s), {method: "PATCH", body: %s}).then(({status}) => {
		if (status !== 200) throw new Error(status);
	})`, encode(id), encode(change)))
}

// changeElsewhereAs changes a flat as a person does on another device.
func (p *tab) changeElsewhereAs(person, id, change string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`fetch("api/v1/flat/" + encodeURIComponent(%s) + "?" + new URLSearchParams({by: %s}),
		{method: "PATCH", body: %s}).then(({status}) => {
		if (status !== 200) throw new Error(status);
	})`, encode(id), encode(person), encode(change)))
}

// openTools opens the list's tools: a menu next to the filters or, on a phone, the sheet of filters.
func (p *tab) openTools() {
	p.t.Helper()
	if p.eval("innerWidth < 900") == true {
		p.click(filtersButton)
	} else {
		p.click(toolsMenu)
	}
}

// pressTool presses one of the list's tools, once it can be seen.
func (p *tab) pressTool(name string) {
	p.t.Helper()
	p.wait(toolButton(name))
	if p.eval(toolButton(name)+".checkVisibility()") != true {
		p.openTools()
	}
	p.clickOn(toolButton(name))
}

// saveElsewhere saves a view as another program does. The query stands in the view's address, too: "q=1" in "#/?q=1".
func (p *tab) saveElsewhere(name, query string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`fetch("api/v1/views/" + encodeURIComponent(%[1]s), {method: "PUT",
		body: JSON.stringify({query: %[2]s, page: "#/?" + %[2]s})}).then((answer) => answer.text())`,
		encode(name), encode(query)))
}

// ringBell opens the menu of a saved view, counted from 1, and presses its bell.
func (p *tab) ringBell(n int) {
	p.t.Helper()
	p.click(savedMenuAt(n))
	p.click(savedBell)
}

// askWho presses "You are …" in the menu, which asks who uses the page.
func (p *tab) askWho() {
	p.t.Helper()
	p.click(menuButton)
	p.click(whoInMenu)
}

// dismiss presses "Dismiss" in the row of a flat with a title.
func (p *tab) dismiss(title string) {
	p.t.Helper()
	p.pressInRow(rowOf(title), "button[data-status=ignored]")
}

// pressInRow presses a button of a row. On a phone the card has only one button for fingers; a screen reader presses
// the others.
func (p *tab) pressInRow(row, button string) {
	p.t.Helper()
	found := row + "?.querySelector(" + encode(button) + ")"
	p.wait(found)
	if p.eval("innerWidth < 900 && "+found+".offsetWidth === 0") == true {
		p.eval(found + ".click()")
		return
	}
	p.clickOn(found)
}

// follow presses "Follow" in the row of a flat with a title.
func (p *tab) follow(title string) {
	p.t.Helper()
	p.clickOn(rowOf(title) + `?.querySelector("button[data-status=followed]")`)
}

// dismissRow presses "Dismiss" in a row, counted from 1.
func (p *tab) dismissRow(n int) {
	p.t.Helper()
	p.pressInRow(rowAt(n), "button[data-status=ignored]")
}

// followRow presses "Follow" in a row, counted from 1.
func (p *tab) followRow(n int) {
	p.t.Helper()
	p.clickOn(rowAt(n) + `?.querySelector("button[data-status=followed]")`)
}

// openRow presses the title of a row, counted from 1.
func (p *tab) openRow(n int) {
	p.t.Helper()
	p.clickOn(rowAt(n) + `?.querySelector("a")`)
}

// openID presses the title of the row of a flat with an id.
func (p *tab) openID(id string) {
	p.t.Helper()
	p.click(fmt.Sprintf("[data-id=%q] a", id))
}

// setStatus presses a status among those of the open flat, by its name in the API.
func (p *tab) setStatus(status string) {
	p.t.Helper()
	p.click(".own .choices [data-status=" + status + "]")
}

// star presses a star of the open flat, counted from 1.
func (p *tab) star(n int) {
	p.t.Helper()
	p.click(ownStar(n))
}

// undo presses "Undo", the button of the notice.
func (p *tab) undo() {
	p.t.Helper()
	p.click(".notice button")
}

// showNews presses "Show" in the bar of news.
func (p *tab) showNews() {
	p.t.Helper()
	p.click("#fresh button")
}

// sweep presses "Dismiss these" and answers the question with it.
func (p *tab) sweep() {
	p.t.Helper()
	p.click(sweepButton)
	p.click(".question .primary")
}

// dropOffer closes the notice that offers "Contacted", if it is open.
func (p *tab) dropOffer() {
	p.t.Helper()
	p.eval(`document.querySelector(".notice .close")?.click()`)
}

// contentOf has a selector of the part of a view that is drawn last, by the view's name.
var contentOf = map[string]string{
	"list":       ".row",
	"today":      ":is(.due, .empty)",
	"triage":     ".card h2",
	"visits":     ":is(.day, h1)",
	"add":        "form",
	"duplicates": "h1",
	"prices":     "h1",
	"map":        ".circle",
	"import":     "h1",
	"compare":    ":is(tbody, h1)",
	"flat":       ".own .stars",
}

// opens opens the view of a hash, and waits until it has content.
func (p *tab) opens(hash string) {
	p.t.Helper()
	p.goTo(hash, contentOf[viewOf(hash)])
}

// dismissID presses "Dismiss" in the row of a flat with an id.
func (p *tab) dismissID(id string) {
	p.t.Helper()
	p.pressInRow(fmt.Sprintf("document.querySelector(`[data-id=%q]`)", id), "button[data-status=ignored]")
}

// followID presses "Follow" in the row of a flat with an id.
func (p *tab) followID(id string) {
	p.t.Helper()
	p.click(fmt.Sprintf("[data-id=%q] button[data-status=followed]", id))
}

// chooseID presses "Compare" in the row of a flat with an id.
func (p *tab) chooseID(id string) {
	p.t.Helper()
	p.pressInRow(fmt.Sprintf("document.querySelector(`[data-id=%q]`)", id), "button.compare")
}

// choose opens the page anew with flats chosen for comparison.
func (p *tab) choose(ids ...string) {
	p.t.Helper()
	p.eval(`(ids => {
		for (const {id} of keptIn("flats.compare")) localStorage.removeItem(keptAs("flats.compare." + id));
		ids.forEach((id, at) => localStorage[keptAs("flats.compare." + id)] = JSON.stringify({id, at}));
	})(` + encode(ids) + ")")
	p.reload()
}

// pressUnseen presses a button by script: one that no finger could press because something covers it, or that need not
// be in sight.
func (p *tab) pressUnseen(button string) {
	p.t.Helper()
	p.eval("document.querySelector(" + encode(button) + ").click()")
}

// waitForNews comes back to the tab until the page has a bar of news.
func (p *tab) waitForNews() {
	p.t.Helper()
	p.comeBackUntil(isThere(newsButton))
}

// settleHomes presses "Same home" or "Not the same" of a probable duplicate, by the accessible name.
func (p *tab) settleHomes(name string) {
	p.t.Helper()
	p.click(`.doubles [aria-label="` + name + `"]`)
}

// chooseRow presses "Compare" in a row, counted from 1.
func (p *tab) chooseRow(n int) {
	p.t.Helper()
	p.pressInRow(rowAt(n), "[data-compare]")
}

// pressWithShift presses the title of a row, counted from 1, with Shift.
func (p *tab) pressWithShift(n int) {
	p.t.Helper()
	p.eval(rowAt(n) + `.querySelector("a").dispatchEvent(
		new MouseEvent("click", {bubbles: true, cancelable: true, shiftKey: true}))`)
}

// focusRow moves the focus to the title of a row, counted from 1.
func (p *tab) focusRow(n int) {
	p.t.Helper()
	p.wait(rowAt(n))
	p.eval(rowAt(n) + `.querySelector("h2 a").focus()`)
}

// openFilters opens the panel of filters, and waits until it has the places.
func (p *tab) openFilters() {
	p.t.Helper()
	p.click(filtersButton)
	p.wait(isThere(".panel .several [type=checkbox]"))
}

// tickPlace ticks a place among the filters, which it opens if they are closed.
func (p *tab) tickPlace(place string) {
	p.t.Helper()
	if p.eval(`document.querySelector(".several").hidden`) == true {
		p.click(placesButton)
	}
	p.click(placeBox(place))
}

// drop drops a file on the page.
func (p *tab) drop(name, text string) {
	p.t.Helper()
	p.eval(fmt.Sprintf(`{ const data = new DataTransfer();
		data.items.add(new File([%s], %q));
		document.querySelector("main")
			.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true})); }`,
		encode(text), name))
}

// chooseFiles chooses files in Import, given as JSON by name and text. It compresses a file whose name ends with .gz.
func (p *tab) chooseFiles(files string) {
	p.t.Helper()
	p.wait(isThere(importFile))
	p.eval(`(async () => {
		const data = new DataTransfer();
		for (const [name, text] of ` + files + `) {
			const body = name.endsWith(".gz") ? new Blob([text]).stream().pipeThrough(new CompressionStream("gzip")) : text;
			data.items.add(new File([await new Response(body).blob()], name));
		}
		const input = document.querySelector("` + importFile + `");
		input.files = data.files;
		input.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
}

// askToForget presses "Forget this device" in the menu, which asks.
func (p *tab) askToForget() {
	p.t.Helper()
	p.click(menuButton)
	p.click("#menu button:last-child")
}

// forgetDevice presses "Forget this device" in the menu, and agrees to the question.
func (p *tab) forgetDevice() {
	p.t.Helper()
	p.askToForget()
	p.click(agreeToForget)
}

// share opens the page as the share sheet of a phone does, with a query.
func (p *tab) share(query string) {
	p.t.Helper()
	p.eval("window.old = true")
	p.do("Page.navigate", object{"url": p.url + "/?" + query})
	p.wait("!window.old && " + valueOf(editField("title")))
}

// checkFlat compares members of a flat with what they must be, as flat returns them.
func (p *tab) checkFlat(id string, want map[string]string) {
	p.t.Helper()
	for member, want := range want {
		if got := p.flat(id, member); got != want {
			p.t.Errorf("%s of the flat = %s; want %s", member, got, want)
		}
	}
}

// tickHomes ticks only the flats with some titles in the group of A, B, C and D in Duplicates.
func (p *tab) tickHomes(titles ...string) {
	p.t.Helper()
	for _, title := range []string{"A", "B", "C", "D"} {
		box := "document.querySelector(" + encode(groupCard+" input[type=checkbox][aria-label="+title+"]") + ")"
		p.wait(box)
		p.eval(fmt.Sprintf(`((box) => box.checked !== %v && box.click())(%s)`, slices.Contains(titles, title), box))
	}
}
