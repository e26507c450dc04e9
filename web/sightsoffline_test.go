// What a person sees without a network, as in sights_test.go, and what the browser keeps.

package web

import "fmt"

// What the page says about the network.
const (
	keptLine     = `document.querySelector("#kept").innerText`     // how old the data are
	notKeptCount = `document.querySelectorAll(".not-kept").length` // how many views say that the device has not kept them
	notKeptWhy   = `document.querySelector(".not-kept p")?.innerText`
	tryAgain     = ".not-kept button"
	rowsNotKept  = rowCount + ` + " " + ` + notKeptCount
	footNotKept  = `document.querySelector(".foot").innerText.split(" · ")[0] + " " + ` + notKeptCount
	hashNotKept  = `location.hash + " " + ` + notKeptCount

	closeFailure   = "[role=alert] .close"
	failureButtons = `[...document.querySelectorAll("[role=alert] button")].map((button) => button.innerText).join()`
	// failureWithoutTitle has a failure without the title of its flat.
	failureWithoutTitle = `document.querySelector("[role=alert] p")?.innerText.replace(/^.*: /, "")`
	// loadingLine has what the page says while it has not loaded, or "hidden" as long as it does not say so.
	loadingLine = `document.querySelector("main p").checkVisibility({checkVisibilityCSS: true}) ?
		document.querySelector("main").innerText : document.querySelector("main").innerText + "hidden"`
	finishAnimations = `document.getAnimations().map((animation) => animation.finish()).length`
	loadAgain        = "main a"
)

// saysDataAge returns an expression for whether the page says how old its data are, and why: "No network".
func saysDataAge(why string) string {
	return fmt.Sprintf(`/^%s: data as of \d/.test(%s)`, why, keptLine)
}

// The changes that wait to be sent.
const (
	waitingLine  = `document.querySelector("#waiting p")?.innerText ?? ""` // how many, in words
	waitingGone  = `document.querySelector("#waiting").hidden`
	waitingTexts = `document.querySelector("#waiting")?.innerText.replace(/\s+/g, " ").trim() ?? ""` // with questions
	// waitingCause has what the changes wait for, in words, with the button next to it.
	waitingCause     = `[...document.querySelectorAll("#waiting .cause > *")].map((part) => part.innerText).join(" | ")`
	waitingCauseText = `document.querySelector("#waiting .cause").innerText`
	// signInLink leads to the page to sign in, or reloads the page, where a line says so: the one about the network, or
	// else the one about waiting changes.
	signInLink = "#kept a, #kept:not(:has(a)) + #waiting .cause :is(a, button)"
	// waitingCount is the number of changes that are kept for sending.
	waitingCount = `keptIn("flats.waiting").length`
	// recordSaid records in said, a variable of the page, the words about waiting changes and of failures.
	recordSaid = `window.said = ""; new MutationObserver(() => said +=
		document.querySelector("#waiting .cause").innerText +
		[...document.querySelectorAll(".notice[role=alert]")].map(({innerText}) => innerText))
		.observe(document.body, {childList: true, subtree: true})`
	lostLine          = "#waiting .wrong" // says that changes are lost when the page is closed
	asksBeforeClosing = `!dispatchEvent(new Event("beforeunload", {cancelable: true}))`
	// senderIsLoaded is truthy once the page has loaded the module that sends changes, which adds this line.
	senderIsLoaded = `document.querySelector("#waiting > p")`
)

// Questions about changes that waited.
const (
	// questionTexts has what each question says, without the title of the flat and the usual two buttons.
	questionTexts = `[...document.querySelectorAll(".questions .card")].map((card) => card.innerText.split("\n")
		.filter(Boolean).slice(1, -2).join(" ")).join("; ")`
	questionCount  = `document.querySelectorAll(".questions .card").length`
	answersOffered = `[...document.querySelectorAll(".questions .card button")].map(({innerText}) => innerText).join(" ")`
	firstAnswer    = ".questions button"
	lastInWaiting  = "#waiting button:last-child"
)

// The open flat.
const (
	// ownDecisions has its status, the number of its stars, and its visit.
	ownDecisions = `document.querySelector(".own .statuses [aria-pressed=true]")?.innerText + " " +
		document.querySelectorAll(".own .stars [aria-pressed=true]").length + " " + document.querySelector("#visit").value`
	ownRating       = `document.querySelector(".own .stars [aria-pressed=true]")?.ariaLabel`
	ownStars        = `document.querySelector(".own .stars")`
	tickedBox       = `document.querySelector(".boxes :checked")`
	ownOverlapCount = `document.querySelectorAll(".visit .overlap").length`
	flatTitle       = `document.querySelector(".flat h1")?.innerText`
)

// Changes for other data at the same address, or kept by an earlier version of the page, about which a card asks.
const (
	dataID        = `document.querySelector("meta[name=flats-data]").content`
	earlierCard   = "#waiting .card"
	sendEarlier   = "#waiting .card button"
	deleteEarlier = "#waiting .card button:last-child"
	earlierLines  = "#waiting .card li"
	earlierListed = `[...document.querySelectorAll("#waiting .card li")].map(({innerText}) => innerText).join()`
	// holdAnswer keeps the button that sends the changes in heldAnswer.
	holdAnswer = `window.heldAnswer = document.querySelector("#waiting .card button")`
	// earlierLeft has what is left of earlier versions: the number of databases, and the names in storage.
	earlierLeft = `indexedDB.databases().then((all) => all.filter(({name}) => name === "flats").length +
		Object.keys(localStorage).filter((name) => name.startsWith("flats.")).join())`
	failureNotice = "[role=alert]"
	anyLink       = "a"
)

// The flats chosen for comparison, as the browser keeps them.
const (
	chosenKept  = `keptIn("flats.compare").map(({id}) => id).join()`
	chosenCount = `keptIn("flats.compare").length`
	chosenWords = `document.querySelector("#chosen").innerText`
)

// isChoiceCopied returns an expression for whether the database has a flat that is chosen for comparison.
func isChoiceCopied(id string) string {
	return fmt.Sprintf(`new Promise((done) => indexedDB.open(databaseName()).onsuccess = ({target: {result}}) =>
		result.transaction("copies").objectStore("copies").getAll().onsuccess =
		({target: {result}}) => done(result.some(({name}) => name.endsWith("flats.compare.%s"))))`, id)
}

// Other views.
const (
	lastDecision = ".decide button:last-child"
	sortedTitles = `[...document.querySelectorAll(".row h2")].map((title) => title.innerText).sort().join("|")`
	overdueStep  = `document.querySelector(".overdue .when")?.innerText.split(" ")[0]`
	// triageShown has what Triage says, its buttons, and the title of its card.
	triageShown = `[...document.querySelectorAll(".not-kept p, .decide:not([hidden]), .card h2")]
		.map(({innerText}) => innerText.replace(/\s+/g, " ")).join("|")`
	comparedNotKept = `document.querySelectorAll(".side-by-side thead th").length + " " + ` + notKeptCount
	firstTwoRowIDs  = `[...document.querySelectorAll(".row")].slice(0, 2)
		.map(({dataset}) => encodeURIComponent(dataset.id)).join()`
	pressLastDismiss = `[...document.querySelectorAll(".row [data-status=ignored]")].at(-1).click()`
	lastRowID        = `[...document.querySelectorAll(".row")].at(-1).dataset.id`
	firstVisitTitle  = `document.querySelector(".visits h3").innerText`
	visitLink        = ".visits h3 a"
	// overlapsIn2031 has the visits of each day of 2031, and the number of lines that say that visits overlap.
	overlapsIn2031 = `[...document.querySelectorAll(".visits .day")].filter((day) => /2031/.test(day.innerText))
		.map((day) => day.querySelectorAll("article").length + " " + day.querySelectorAll("p.overlap").length).join()`
	// namesOfVisits has the heading of Visits, and its name in the menu.
	namesOfVisits = `[...document.querySelectorAll("main h1, #menu [data-view=visits] > span")]
		.map(({textContent}) => textContent).join()`
	loadAgainFromFailure = `document.querySelector("[role=alert] button:not(.close)")?.click()`
	headingIsGone        = `document.querySelector("main h1") === null`
	// versionsInUse is the number of versions of the page whose files are used.
	versionsInUse = `new Set([...performance.getEntriesByType("resource"), ...document.querySelectorAll("[src], link")]
		.map(({name, src, href}) => /assets\/\w+/.exec(name || src || href)?.[0]).filter(Boolean)).size`
)

// What the worker has kept, whatever page is open.
const (
	// keptOfAPI has the addresses of the answers and photos that are kept.
	keptOfAPI = `caches.keys().then((names) => Promise.all(names.map(async (name) =>
		(await (await caches.open(name)).keys()).map(({url}) => url)))).then((all) => all.flat()
		.filter((url) => url.includes("/api/") && !url.endsWith("/first")).join())`
	// keptPages is the number of kept answers to the opening of a page: of this page and of others.
	keptPages = `caches.keys().then((names) => Promise.all(names.map(async (name) => {
		const keys = await (await caches.open(name)).keys();
		return keys.filter(({url}) => !/\/(assets|api)\//.test(url)).length;
	}))).then((all) => all.reduce((sum, n) => sum + n, 0))`
	isNoPage = `document.querySelector("#bar, main") === null`
)

// "Forget this device".
const (
	forgetQuestion = `document.querySelector(".question p")?.innerText`
	forgotten      = "Nothing is kept on this device any more"
	agreeToForget  = ".question .primary"
	keepDevice     = ".question [type=button]"
	keptNames      = "caches.keys().then((names) => names.join() + Object.keys(localStorage))"
	// decisionMarkCount is the number of notices, buttons "Undo" and numbers in the bar together.
	decisionMarkCount = `document.querySelectorAll(".notice, .undo:not([hidden]), .badge:not([hidden])").length`
	reopenPage        = `document.querySelector(".empty button").innerText`
	keysAct           = "#help input" // the box for whether keys act
	// storedCount is the number of values in both storages.
	storedCount = `new Promise((done) => indexedDB.open(databaseName()).onsuccess =
		({target: {result}}) => result.transaction("copies").objectStore("copies").count().onsuccess =
		({target: {result}}) => done(result + localStorage.length))`
	copiesKept = `new Promise((done) => {
		indexedDB.open("/ flats").onsuccess = ({target: {result}}) =>
			result.transaction("copies").objectStore("copies").getAllKeys().onsuccess = ({target}) => done(target.result);
	})`
)

// inOpenedTab returns an expression for a sight in the tab that the page has opened.
func inOpenedTab(sight string) string { return "other." + sight }

// Kept photos.
const (
	keptPhotos     = `caches.open(keptAs("photos")).then((cache) => cache.keys()).then((keys) => keys.map(({url}) => url))`
	keptPhotoCount = keptPhotos + `.then((urls) => urls.length)`
	// widePhotosInStrip is the number of photos in the strip of the open flat that are 12 pixels wide.
	widePhotosInStrip = `[...document.querySelectorAll(".gallery .strip img")]
		.filter(({naturalWidth}) => naturalWidth === 12).length`
)

// moreKeptPhotos returns an expression for whether more photos than n are kept.
func moreKeptPhotos(n int) string {
	return fmt.Sprintf("%s.then((urls) => urls.length > %d)", keptPhotos, n)
}

// keptPhotoURL returns an expression for the URL of the service's copy of a photo.
func keptPhotoURL(address string) string {
	return fmt.Sprintf(`new URL("api/v1/photos/%s", document.baseURI).href`, keptPhoto(address)["hash"])
}

// isPhotoKept returns an expression for whether the browser keeps a photo.
func isPhotoKept(address string) string {
	return keptPhotos + `.then((urls) => urls.includes(` + keptPhotoURL(address) + `))`
}

// keptAddresses returns an expression for the addresses of the answers that are kept and match a pattern.
func keptAddresses(pattern string) string {
	return fmt.Sprintf(`caches.open(keptAs("answers")).then((cache) => cache.keys()).then((keys) => keys
		.map(({url}) => url).filter((url) => /%s/.test(url)).join())`, pattern)
}

// keptFlat returns an expression for a member of the flat in a kept answer, or for a condition. id is an expression for
// the id as it stands in an address.
func keptFlat(id, member string) string {
	return fmt.Sprintf(`caches.match(new URL("api/v1/flats/" + %s, document.baseURI), {ignoreVary: true})
		.then((answer) => answer?.json()).then((answer) => answer?.data.%s)`, id, member)
}

// statusesOf returns an expression for the statuses of the answers for paths of the API, which it requests as the page
// does.
func statusesOf(paths ...string) string {
	return fmt.Sprintf(`Promise.all(%s.map((path) => fetch("api/v1/" + path, {headers: {"X-Flats": %s}})
		.then((answer) => answer.text().then(() => answer.status)))).then((all) => all.join())`, encode(paths), dataID)
}
