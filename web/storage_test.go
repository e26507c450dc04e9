// Tests of what the browser keeps if its storage is full or missing, and of several tabs.

package web

import (
	"fmt"
	"testing"
)

// fillStorage is a script that leaves no room in localStorage, not even for a single letter.
const fillStorage = `for (let size = 1 << 22; size > 0; size >>= 1) try {
		for (;;) localStorage["full" + localStorage.length] = "x".repeat(size);
	} catch {}`

// TestPageStorageFull tests that decisions, notes and drafts that wait for the network outlive a reload although
// localStorage is full and takes only small values.
func TestPageStorageFull(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/flat/4711", 1280)
	p.startWorker()
	p.wait(isThere(notesField))
	p.eval(fillStorage)
	network.down.Store(true)
	p.test("a decision, notes and a draft wait, and nobody is warned", func() {
		p.setStatus("visited")
		p.see(waitingLine, "1 change waits")
		p.eval(`delete localStorage[Object.keys(localStorage).find((name) => localStorage[name].length === 1)]`)
		p.press("?")
		p.click(keysAct) // stores whether keys act
		p.click(closeHelp)
		p.enter(notesField, "Damp in the cellar.")
		p.see(waitingLine, "2 changes wait")
		p.goTo("#/add", pasteField)
		p.enter(editField("title"), "Loft")
		p.click(addButton)
		p.see(waitingLine, "3 changes wait")
		p.see(text(lostLine), "undefined")
		p.see(asksBeforeClosing, "false")
	})
	p.test("the decision, the notes and the draft still wait after reloads", func() {
		for range 2 {
			p.reload()
			p.see(waitingLine, "3 changes wait")
		}
	})
	p.test("each is sent once", func() {
		network.down.Store(false)
		p.beBackOnline()
		p.seeFlat("4711", "status", "visited")
		p.seeFlat("4711", "notes", "Damp in the cellar.")
		p.see(waitingLine, "")
		p.reload()
		p.see(waitingLine, "")
		p.see(`fetch("api/v1/find?q=loft").then((answer) => answer.json()).then(({total}) => total)`, "1")
	})
}

// TestPageNoStorage tests that in a browser without localStorage and databases the page says what is lost when it is
// closed, and asks before that.
func TestPageNoStorage(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	for _, broken := range []struct{ name, script string }{
		{"a database that never opens", `indexedDB.open = () => ({})`},
		{"a database that is not allowed", `indexedDB.open = () => { throw new Error("not allowed") }`},
		{"no storage is allowed, and so no locks", `for (const area of ["localStorage", "sessionStorage", "indexedDB"])
			Object.defineProperty(window, area, {get() { throw new DOMException("denied", "SecurityError"); }});
		navigator.locks.request = () => Promise.reject(new DOMException("denied", "SecurityError"))`},
	} {
		p, network := openThroughProxy(t, startSample(t), "#/", 1280)
		p.runFirst(broken.script + ";" + fillStorage)
		p.startWorker()
		p.test(broken.name, func() { decideWithoutStorage(p, network) })
		p.checkFaults()
	}
}

// decideWithoutStorage tests when the page says that something would be lost.
func decideWithoutStorage(p *tab, network *proxy) {
	const lost = "This device cannot store your changes: they are lost when the page is closed."
	id := fmt.Sprint(p.eval(firstRowID))
	p.test("a decision without a network would be lost", func() {
		network.down.Store(true)
		p.dismissRow(1)
		p.see(waitingLine, "1 change waits")
		p.see(text(lostLine), lost)
		p.see(asksBeforeClosing, "true")
	})
	p.test("after the decision is sent, nothing would be lost", func() {
		network.down.Store(false)
		p.beBackOnline()
		p.seeFlat(id, "status", "ignored")
		p.see(waitingLine, "")
		p.see(asksBeforeClosing, "false")
	})
	p.test("what is typed in Add would be lost, as long as it stands there", func() {
		p.goTo("#/add", pasteField)
		p.enter(editField("title"), "Loft")
		p.see(text(lostLine), lost)
		p.see(waitingGone, "false")
		p.see(asksBeforeClosing, "true")
		p.enter(editField("title"), "")
		p.see(asksBeforeClosing, "false")
		p.see(waitingGone, "true")
	})
}

// TestPageStorageRoom tests that changes that are stored once there is room again stay, even if the database takes
// nothing more, that changes of another tab are added, and that a database that opens late brings back waiting changes.
func TestPageStorageRoom(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/?tab=new", 1280)
	p.startWorker()
	p.see(rowCount, "5")
	p.eval(fillStorage)
	network.down.Store(true)
	p.dismissRow(1)
	p.see(waitingLine, "1 change waits")
	p.eval(`for (const name of Object.keys(localStorage)) if (name.startsWith("full")) delete localStorage[name]`)
	p.test("what another tab stores, which did not know of the change, is joined to it", func() {
		p.eval(`localStorage[keptAs("flats.waiting")] = JSON.stringify([{key: 2, id: "4711", name: "status", was: "new",
				set: "visited", title: "T2 lumineux"}]);
			const key = keptAs("flats.waiting");
			dispatchEvent(new StorageEvent("storage", {key, newValue: localStorage[key]}))`)
		p.see(waitingLine, "2 changes wait")
	})
	p.test("what is stored where the database takes nothing more outlives reloads", func() {
		p.eval(`IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); }`)
		p.dismissRow(1)
		p.see(waitingLine, "3 changes wait")
		for range 2 {
			p.reload()
			p.see(waitingLine, "3 changes wait")
		}
	})
	p.eval(fillStorage)
	p.dismissRow(1)
	p.see(waitingLine, "4 changes wait")
	openLateDatabase(p)
	p.test("all changes are sent once there is a network", func() {
		network.down.Store(false)
		p.beBackOnline()
		p.see(waitingLine, "")
		p.seeFlat("4711", "status", "visited")
		p.see(`fetch("api/v1/find?any[status]=new&page[size]=1").then((answer) => answer.json()).then(({total}) => total)`,
			"1")
	})
}

// openLateDatabase tests which of four changes wait if the database opens only after the page has started: at first
// the three in localStorage, later also the one in the database. In the first page that is loaded, indexedDB.open
// returns a request that is not answered until the test calls openLate.
func openLateDatabase(p *tab) {
	p.runFirst(`if (!sessionStorage.once) {
		sessionStorage.once = true;
		const open = indexedDB.open.bind(indexedDB);
		indexedDB.open = (name) => {
			if (name === "flats") return open(name); // the database of earlier versions
			const late = {};
			window.openLate = () => {
				const opening = open(name);
				for (const type of ["onsuccess", "onerror", "onupgradeneeded"]) opening[type] = () => {
					late.result = opening.result;
					late[type]();
				};
			};
			return late;
		};
	}`)
	p.test("without the database, what localStorage has waits", func() {
		p.reload()
		p.wait(rowAt(1))
		p.see(waitingLine, "3 changes wait")
		p.dismissRow(1)
		p.see(waitingLine, "4 changes wait") // the new one only in memory, because localStorage is full
	})
	p.test("a database that opens late brings back the rest, also after a reload", func() {
		p.eval(`openLate()`)
		p.see(waitingLine, "5 changes wait")
		p.reload()
		p.see(waitingLine, "5 changes wait")
	})
}

// addFifty is a script that adds fifty changes one after the other, with keys made of the number of the tab. It imports
// the module that the page itself has loaded. The changes are questions (theirs), which are never sent. It begins at a
// time in milliseconds, so that two tabs add at once.
const addFifty = `import(performance.getEntriesByType("resource").find(({name}) => name.endsWith("/first.js")).name)
	.then(({setWaiting}) => setTimeout(() => {
		for (let n = 0; n < 50; n++) setWaiting((list) =>
			[...list, {key: %d * 100 + n, id: "4711", name: "notation", was: null, set: n, theirs: 3}]);
		window.isDone = true;
	}, %f - Date.now()))`

// dropEighty is a script that drops eighty of a hundred such changes, and counts the database's transactions in
// transactions.
const dropEighty = `import(performance.getEntriesByType("resource").find(({name}) => name.endsWith("/first.js")).name)
	.then(({setWaiting}) => {
		const {transaction} = IDBDatabase.prototype;
		window.transactions = 0;
		IDBDatabase.prototype.transaction = function (...rest) {
			transactions++;
			return transaction.apply(this, rest);
		};
		setWaiting((list) => list.filter(({set}) => set < 10));
	})`

// TestPageTwoTabs tests that two tabs that change a list at the same time lose none of its elements, that each learns
// of the other's changes, and that a batch takes one transaction.
func TestPageTwoTabs(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, startSample(t), "#/add", 1280)
	other := p.openAt(p.url, "#/add")
	tabs := []*tab{p, other}
	for _, tab := range tabs {
		tab.wait(senderIsLoaded)
	}
	network.down.Store(true)
	start := p.eval("Date.now() + 1000")
	for i, tab := range tabs {
		tab.eval(fmt.Sprintf(addFifty, i+1, start))
	}
	for _, tab := range tabs {
		tab.wait("window.isDone")
	}
	p.test("both tabs know all changes of both", func() {
		for _, tab := range tabs {
			tab.see(waitingCount, "100")
			tab.see(waitingLine, "100 changes wait")
		}
	})
	p.test("a batch costs one transaction", func() {
		p.eval(dropEighty)
		other.see(waitingLine, "20 changes wait")
		p.see("transactions", "1")
	})
}

// close closes a tab, as a user does.
func (p *tab) close() {
	p.t.Helper()
	var info struct {
		TargetInfo struct{ TargetId string }
	}
	p.call(p.t, p.session, "Target.getTargetInfo", object{}, &info)
	p.call(p.t, "", "Target.closeTarget", object{"targetId": info.TargetInfo.TargetId}, nil)
	p.isClosed = true
}

// TestPageStorageClosed tests that an open tab sends what waits in a closed one, even if nothing tells it that there is
// a network again.
func TestPageStorageClosed(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.wait(senderIsLoaded)
	other := p.openAt(p.url, "#/")
	other.wait(senderIsLoaded)
	network.down.Store(true)
	p.bringToFront()
	p.test("both tabs say what waits in one", func() {
		p.setStatus("followed")
		for _, tab := range []*tab{p, other} {
			tab.see(waitingLine, "1 change waits")
		}
	})
	p.test("the tab that is still open sends it", func() {
		p.close()
		network.down.Store(false)
		other.seeFlat("s1@portal", "status", "followed")
		other.see(waitingLine, "")
	})
	other.checkFaults()
}

// TestPageStorageCleared tests that waiting changes of a tab stay, and are sent, if both storages are cleared
// meanwhile.
func TestPageStorageCleared(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/", 1280)
	p.wait(senderIsLoaded)
	other := p.openAt(p.url, "#/add")
	network.down.Store(true)
	p.bringToFront()
	p.dismissID("s1@portal")
	p.see(waitingLine, "1 change waits")
	p.test("what waits is stored again once the storages are cleared", func() {
		other.eval(`new Promise((done) => {
			indexedDB.open(databaseName()).onsuccess = ({target: {result}}) => {
				const clearing = result.transaction("copies", "readwrite");
				clearing.objectStore("copies").clear();
				clearing.oncomplete = () => done(localStorage.clear());
			};
		})`)
		p.wait(waitingCount + ` === 1`)
	})
	p.test("a later decision waits, too", func() {
		p.followID("s2@portal")
		p.see(waitingLine, "2 changes wait")
	})
	p.test("another tab sends both changes", func() {
		p.close()
		network.down.Store(false)
		other.reload()
		other.seeFlat("s1@portal", "status", "ignored")
		other.seeFlat("s2@portal", "status", "followed")
	})
	other.checkFaults()
}

// TestPageStorageForgotten tests that the question before a device forgets counts changes that wait in other tabs, and
// that these tabs then keep and send none of them.
func TestPageStorageForgotten(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.startWorker()
	p.wait(senderIsLoaded)
	other := p.openAt(p.url, "#/")
	other.wait(senderIsLoaded)
	network.down.Store(true)
	p.bringToFront()
	p.enter(notesField, "Damp.")
	p.see(waitingLine, "1 change waits")
	p.setStatus("followed")
	p.see(waitingLine, "2 changes wait")
	other.bringToFront()
	p.test("the question counts what waits in another tab", func() {
		other.askToForget()
		other.see(forgetQuestion,
			"2 unsent changes will be lost. Delete the flats, drafts and views kept on this device?")
	})
	tabs := []*tab{other, p}
	p.test("both tabs say that nothing is kept", func() {
		other.click(agreeToForget)
		for _, tab := range tabs {
			tab.see(heading, forgotten)
		}
	})
	p.test("neither tab keeps anything once there is a network", func() {
		network.down.Store(false)
		for _, tab := range tabs {
			tab.beBackOnline()
			tab.see(storedCount, "0")
		}
	})
	p.test("nothing is sent", func() {
		p.reload()
		p.wait(senderIsLoaded)
		p.see(waitingTexts, "")
		p.seeFlat("s1@portal", "status", "new")
		p.seeFlat("s1@portal", "notes", "null")
	})
}

// TestPageForgetWhileSending tests that the page sends nothing more once the device was told to forget, not even what
// it had begun to send.
func TestPageForgetWhileSending(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	addLoft := func(p *tab) {
		p.goTo("#/add", pasteField)
		p.enter(pasteField, "Loft in Kassel\n700 €")
		p.click(addButton)
	}
	follow := func(p *tab) { p.setStatus("followed") }
	write := func(p *tab) { p.enter(notesField, "Damp.") }
	seeTwo := func(p *tab) {
		p.see(`fetch("api/v1/find?fields=id").then((answer) => answer.json()).then(({total}) => total)`, "2")
	}
	seeNew := func(p *tab) { p.seeFlat("s1@portal", "status", "new") }
	seeNotes := func(p *tab) { p.seeFlat("s1@portal", "notes", "Damp.") }
	cases := []struct {
		name        string
		act         func(p *tab) // makes a change that waits
		method, end string       // of the request whose answer is late
		see         func(p *tab)
	}{
		{"a change", follow, "GET", "api/v1/flats?id=s1%40portal", seeNew},
		{"a flat", addLoft, "POST", "api/v1/read", seeTwo},
		{"notes, which come to the service: they stay there", write, "PATCH", "", seeNotes},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
			p.startWorker()
			p.wait(senderIsLoaded)
			network.down.Store(true)
			c.act(p)
			p.see(waitingLine, "1 change waits")
			p.holdAnswers(c.method, c.end)
			network.down.Store(false)
			p.beBackOnline()
			p.see("late", "1")
			p.forgetDevice()
			p.see(heading, forgotten)
			p.eval("release()")
			p.see("answered", "1")
			p.rest(forAnswer)
			c.see(p)
			p.openAnew("")
			c.see(p)
		})
	}
}

// Scripts that store a list as earlier versions of the page did: the whole list under one name.
const (
	// The choice is a list of ids, in the order in which the flats were chosen.
	storeOldCompare = `
		localStorage[keptAs("flats.compare")] = '["s2@portal", "s1@portal"]';`
	// The newest draft is the first.
	storeOldDrafts = `
		localStorage[keptAs("flats.add")] = JSON.stringify([2, 1].map((n) =>
			({id: n + "@added", pasted: "", given: {}, edited: {title: "Loft " + n}})));`
	// The oldest change is the first. Each has the members of today (entriesOf in lib/queue.js) that it needs.
	storeOldWaiting = `
		localStorage[keptAs("flats.waiting")] = JSON.stringify([
			{key: 1, id: "s1@portal", name: "status", was: "new", set: "followed", title: "Loft", decision: 1},
			{key: 2, id: "s1@portal", name: "status", was: "followed", set: "ignored", title: "Loft", decision: 2}]);`
)

// TestPageStorageLists tests that a list that an earlier version of the page stores under one name, perhaps still in
// another tab, is taken over once.
func TestPageStorageLists(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/add", 1280)
	p.wait(senderIsLoaded)
	other := p.openAt(p.url, "#/add")
	other.wait(senderIsLoaded)
	network.down.Store(true)
	other.eval(storeOldCompare + storeOldDrafts + storeOldWaiting)
	p.test("changes wait", func() { p.see(waitingLine, "2 changes wait") })
	p.test("flats are chosen, under names of their own", func() {
		p.see(compareChosen, "Compare 2 flats")
		p.see(chosenKept, "s2@portal,s1@portal")
	})
	p.test("nothing is left under the old name, to be taken over again", func() {
		p.see(`Object.keys(localStorage).includes(keptAs("flats.compare"))`, "false")
	})
	p.test("drafts are there, the oldest first", func() {
		p.see(`keptIn("flats.add").map(({id}) => id).join()`, "1@added,2@added")
	})
	p.test("the last change is sent last", func() {
		network.down.Store(false)
		p.beBackOnline()
		p.see(waitingLine, "")
		p.seeFlat("s1@portal", "status", "ignored")
	})
}

// TestPageStorageLeft tests that an open tab sends the notes of a closed one.
func TestPageStorageLeft(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p, network := openThroughProxy(t, start(t, twoListings), "#/flat/s1@portal", 1280)
	p.wait(senderIsLoaded)
	other := p.openAt(p.url, "#/")
	other.wait(senderIsLoaded)
	network.down.Store(true)
	p.bringToFront()
	p.enter(notesField, "Damp.")
	p.see(waitingLine, "1 change waits")
	p.test("the open tab says that the notes wait", func() {
		p.do("Page.navigate", object{"url": "about:blank"}) // closing a tab by the protocol tells the page nothing
		other.see(waitingLine, "1 change waits")
	})
	p.test("the open tab sends the notes", func() {
		network.down.Store(false)
		other.seeFlat("s1@portal", "notes", "Damp.")
		other.see(waitingLine, "")
	})
	other.checkFaults()
}

// openingLate is a script that opens the database once openNow is called, and keeps the listeners of transactions in
// answers.
const openingLate = `{
	const patience = 3_000; // the milliseconds that inTime (lib/storage.js) waits for the database
	const set = setTimeout;
	// The page waits for the database, however long it takes.
	window.setTimeout = (act, ms, ...rest) => (ms === patience ? 0 : set(act, ms, ...rest));
	const open = indexedDB.open.bind(indexedDB);
	indexedDB.open = (name) => {
		const late = {};
		window.openNow = () => {
			const opening = open(name);
			for (const type of ["onsuccess", "onerror", "onupgradeneeded"]) opening[type] = () => {
				late.result = opening.result;
				late[type]();
			};
		};
		return late;
	};
	window.answers = [];
	const complete = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "oncomplete");
	Object.defineProperty(IDBTransaction.prototype, "oncomplete", {...complete,
		set(act) { complete.set.call(this, () => (answers ? answers.push(act) : act())); }});
}`

// TestPageStorageOpening tests that a page that is being opened does not bring back values that another tab removes
// meanwhile.
func TestPageStorageOpening(t *testing.T) {
	onlyWhole(t)
	t.Parallel()
	p := openTab(t, twoListings, "#/", 1280)
	p.wait(firstRowID)
	other := p.openAt(p.url, "#/")
	other.runFirst(openingLate)
	other.startReload()
	other.wait("window.openNow")
	// While the other tab is being opened, this one chooses a flat, and the database has it.
	p.bringToFront()
	p.chooseID("s1@portal")
	p.see(isChoiceCopied("s1@portal"), "true")
	// The other tab reads the database. Before it gets the answer, this tab takes the choice back.
	other.eval("openNow()")
	other.wait("answers.length > 0")
	p.chooseID("s1@portal")
	p.see(chosenCount, "0")
	// The other tab gets the answer, in which the flat is chosen.
	other.eval("answers.splice(0).forEach((act) => act()); answers = null")
	p.test("the page that is being opened has no flat chosen", func() {
		other.wait(firstRowID)
		other.see(together(chosenCount, chosenWords), "0, ")
	})
	p.test("the other tab has no flat chosen, either", func() { p.see(together(chosenCount, chosenWords), "0, ") })
}
