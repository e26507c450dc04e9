// Tests of what the browser keeps where its storage is full or not to be had.

package web

import (
	"fmt"
	"testing"
)

// fillStorage is a script that leaves no room in localStorage, not even for a single letter.
const fillStorage = `for (let size = 1 << 22; size > 0; size >>= 1) try {
		for (;;) localStorage["full" + localStorage.length] = "x".repeat(size);
	} catch {}`

// TestPageStorageFull tests that decisions, notes and drafts that wait for the network outlive a reload where
// localStorage is full, although small values are stored there meanwhile.
func TestPageStorageFull(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 1280)
	p.startWorker()
	p.wait(`document.querySelector(".own .notes textarea")`)
	p.eval(fillStorage)
	network.down.Store(true)
	p.click(`.own .statuses [data-status=visited]`)
	p.see(waits, "1 change waits")
	p.eval(`delete localStorage[Object.keys(localStorage).find((name) => localStorage[name].length === 1)]`)
	p.press("?")
	p.click("#help input") // stores whether keys act
	p.eval(`document.querySelector("#help").close()`)
	p.enter(".own .notes textarea", "Damp in the cellar.")
	p.see(waits, "2 changes wait")
	p.goTo("#/add", ".paste textarea")
	p.enter("[name=title]", "Loft")
	p.click("form .decision .primary")
	p.see(waits, "3 changes wait")
	const warning = `(document.querySelector("#waiting .wrong")?.innerText ?? "") + ` +
		`dispatchEvent(new Event("beforeunload", {cancelable: true}))`
	p.see(warning, "true")
	for range 2 {
		p.reload()
		p.see(waits, "3 changes wait")
	}
	network.down.Store(false)
	p.eval(`dispatchEvent(new Event("online"))`)
	p.seeFlat("4711", "status", "visited")
	p.seeFlat("4711", "notes", "Damp in the cellar.")
	p.see(waits, "")
	p.reload()
	p.see(waits, "")
	p.see(`fetch("api/v1/find?q=loft").then((answer) => answer.json()).then(({total}) => total)`, "1")
	p.checkFaults()
}

// TestPageNoStorage tests that the page says what is lost when it is closed, and asks before, where the browser has
// neither storage.
func TestPageNoStorage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, broken := range []string{
		`indexedDB.open = () => ({})`, // a database that never opens
		`indexedDB.open = () => { throw new Error("not allowed") }`,
	} {
		p, network := openThroughProxy(t, startSample(t), "#/", 1280)
		p.do("Page.addScriptToEvaluateOnNewDocument", object{"source": broken + ";" + fillStorage})
		p.startWorker()
		id := fmt.Sprint(p.eval(firstRow))
		network.down.Store(true)
		p.click(".row [data-status=ignored]")
		p.see(waits, "1 change waits")
		const lost = `document.querySelector("#waiting .wrong")?.innerText`
		const asks = `!dispatchEvent(new Event("beforeunload", {cancelable: true}))`
		p.see(lost, "This device cannot keep it: it is lost when the page is closed.")
		p.see(asks, "true")
		network.down.Store(false)
		p.eval(`dispatchEvent(new Event("online"))`)
		p.seeFlat(id, "status", "ignored")
		p.see(waits, "")
		p.see(asks, "false")
		p.checkFaults()
	}
}
