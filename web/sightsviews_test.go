// What a person sees in Duplicates, Compare, Prices and other views, as in sights_test.go.

package web

import "fmt"

// isPressed returns an expression for whether a button is pressed.
func isPressed(button string) string {
	return fmt.Sprintf(`document.querySelector(%s).ariaPressed`, encode(button))
}

// Duplicates.
const (
	// groupsInWords has the reasons of each group, and its flats: "+" at ticked flats, "!" at the flat to keep.
	groupsInWords = `[...document.querySelectorAll(".groups article")].map((group) => {
		const flats = [...group.querySelectorAll(".homes > li")].map((flat) => flat.querySelector("a").innerText +
			(flat.querySelector("[type=checkbox]")?.checked ? "+" : "") +
			(flat.querySelector("[type=radio]")?.checked ? "!" : ""));
		return group.querySelector("h2").innerText + ": " + flats.join(" ");
	}).join("; ")`
	// groupHints has the advice of each group.
	groupHints = `[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(":scope > p:not([hidden])")].map(({innerText}) => innerText).join()).join("; ")`
	groupsPaired = `(([one, other, third]) => one.top === other.top && one.right < other.left && third.top > one.top)(
		[...document.querySelectorAll(".groups article")].map((group) => group.getBoundingClientRect()))`
	disabledInFirstGroup = `[...document.querySelectorAll(".groups article:first-child button")]
		.map(({disabled}) => disabled).join()`
	// coloursInFirstGroup is 1 if no button of the group is filled.
	coloursInFirstGroup = `new Set([...document.querySelectorAll(".groups article:first-child button")].map((button) =>
		getComputedStyle(button).backgroundColor)).size`
	differences = `[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(".differs")].map(({innerText}) => innerText.replace(/\s+/g, " ")).join()).join("|")`
	differenceIsTinted = `getComputedStyle(document.querySelector(".differs")).backgroundColor !== "rgba(0, 0, 0, 0)"`
	groupCostHeight    = `document.querySelector(".homes .cost:has(small)").getClientRects()[0].height`
	photosInGroups     = `[...document.querySelectorAll(".groups article")].map((group) => group
		.querySelectorAll(".photo").length).join()`
	// narrowHomeCount is the number of flats whose title does not begin at the edge of its column.
	narrowHomeCount = `[...document.querySelectorAll(".homes > li")].filter((home) => home.querySelector(".line a")
		.getBoundingClientRect().left !== home.getBoundingClientRect().left).length`

	groupCard    = "article.card"
	sameHome     = ".groups .primary"
	notTheSame   = ".groups .primary + button"
	compareGroup = ".groups a.button"
	// titleHeightsOfGroups has the number of heights at which the titles of a group begin, for each group.
	titleHeightsOfGroups = `[...document.querySelectorAll(".groups article")].map((group) =>
		new Set([...group.querySelectorAll(".homes .line a")].map((link) => link.getClientRects()[0].top)).size).join()`
	// pairScrolls is true if the flats of the group of two take more than its width.
	pairScrolls = `(({scrollWidth, clientWidth}) => scrollWidth > clientWidth)(
		document.querySelector(".groups article:last-child .homes"))`
	// pairControls has the controls of the group of two, except links and the choice of the one to keep.
	pairControls = `[...document.querySelectorAll(".groups article:last-child :is([type=checkbox], button, a.button)")]
		.map(({innerText}) => innerText).join()`
)

// boxOfSecondGroup and homeOfSecondGroup return, of a flat of the second group, counted from 1, its box and the choice
// to keep it.
func boxOfSecondGroup(n int) string  { return secondGroup(n) + " [type=checkbox]" }
func homeOfSecondGroup(n int) string { return secondGroup(n) + " [type=radio]" }
func secondGroup(n int) string {
	return fmt.Sprintf(".groups article:nth-child(2) li:nth-child(%d)", n)
}

// pairButton returns a button of the group of two, counted from 1.
func pairButton(n int) string {
	return fmt.Sprintf(".groups article:last-child > .line > :nth-child(%d)", n)
}

// keepOfPair returns the choice of a flat of the group of two, counted from 1.
func keepOfPair(n int) string {
	return fmt.Sprintf(".groups article:last-child li:nth-child(%d) [type=radio]", n)
}

// homeBox returns the box of a flat in the first group, counted from 1.
func homeBox(n int) string { return fmt.Sprintf(".groups li:nth-child(%d) [type=checkbox]", n) }

// Compare.
const (
	sideBySide    = ".side-by-side"
	compareNote   = `document.querySelector(".compare .soft").innerText`
	compareNames  = `[...document.querySelectorAll("tbody tr:not([hidden]) th")].map(({innerText}) => innerText).join()`
	compareWords  = `document.querySelector(".side-by-side tbody")?.textContent`
	compareWidth  = `document.querySelector(".side-by-side").scrollWidth`
	closeCompared = ".heads .close"
	// bestCells has the rows with a best number, and the column of that number.
	bestCells = `[...document.querySelectorAll("tbody tr")].filter((row) => row.querySelector(".best"))
		.map((row) => row.cells[0].innerText + " " + [...row.cells].findIndex((cell) => cell.matches(".best"))).join()`
	unfoldCompared = ".unfold"
	// paleInCompare has the titles of the flats whose column is pale.
	paleInCompare = `[...document.querySelectorAll(".heads .column[data-gone]")]
		.map((column) => column.querySelector("a").innerText).join()`
	// compareScrolls is true if the table scrolls by itself, up and down.
	compareScrolls = `(({scrollHeight, clientHeight}) => scrollHeight > clientHeight)(
		document.querySelector(".side-by-side"))`
	compareHeadsTop = `document.querySelector(".heads").getBoundingClientRect().top`
	// wholeColumnCount is the number of columns that are wholly in sight.
	wholeColumnCount = `[...document.querySelectorAll(".heads .column")].map((column) => column.getBoundingClientRect())
		.filter(({left, right}) => left >= -1 && right <= innerWidth + 1).length`
	// columnsOutOfLine has the columns whose head does not stand above its cells.
	columnsOutOfLine = `[...document.querySelectorAll("tbody tr:not([hidden])")].flatMap((row) => [...row.cells].slice(1)
		.map((cell, i) => Math.abs(cell.getBoundingClientRect().left -
			document.querySelectorAll(".heads .column")[i].getBoundingClientRect().left) > 1 && i)).filter((i) => i !== false)
		.join()`
	// bestNumbers has the number of compared flats, and for each row with a best number its name and the flats that have
	// this number: "3: Area C".
	bestNumbers = `(([head, ...rows]) => head.cells.length - 1 + ": " + rows.filter((row) => row.querySelector(".best"))
		.map((row) => [...row.cells].map((cell, i) => i === 0 ? cell.innerText
		: cell.matches(".best") && head.cells[i].textContent).filter(Boolean).join(" ")).join())(
		document.querySelector(".side-by-side table")?.rows ?? [{cells: []}])`
	smallInCompare = `[...document.querySelectorAll(".compare :is(button:not([hidden]), a)")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`
	// brokenDecisionCount is the number of heads in which "Follow" and "Dismiss" do not stand in one row.
	brokenDecisionCount = `[...document.querySelectorAll(".heads .line:has(button + button)")]
		.filter(({children: [follow, dismiss]}) => follow.offsetTop !== dismiss.offsetTop).length`
	// compareHeadsInSight is true if the heads of the columns are less than 260 pixels from the top of the window, and the
	// names of the rows from its left edge.
	compareHeadsInSight = `[".heads", "tbody tr:not([hidden]) th"].map((name) => document.querySelector(name)
		.getBoundingClientRect()).map(({top, left}, i) => i === 0 ? top : left).every((at) => at >= 0 && at < 260)`
	comparedNotesWhole = `(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(document
		.querySelector(".side-by-side .notes"))`
	// sunkenCells has the rows with a cell whose content begins more than 9 pixels below the top of the cell.
	sunkenCells = `[...document.querySelectorAll(".side-by-side tbody td")].filter((cell) =>
		cell.firstChild.getBoundingClientRect().top - cell.getBoundingClientRect().top > 9)
		.map((cell) => cell.parentElement.innerText).join()`
	// comparePhotoSizes has for each photo its tag, and whether its width fits and it is 3:2.
	comparePhotoSizes = `[...document.querySelectorAll(".side-by-side .photo")]
		.map(({tagName, offsetWidth, offsetHeight}) =>
		[tagName, offsetWidth > 100 && offsetWidth <= 320, Math.abs(offsetWidth / offsetHeight - 1.5) < 0.02].join(" "))
		.join()`
)

// shownDigits has the phone numbers beside the buttons "Call" that are in sight.
const shownDigits = `[...document.querySelectorAll(".digits")].filter((digits) => digits.offsetWidth > 40)
	.map(({textContent}) => textContent).join()`

// brokenInCompare has the words of a comparison that stand in several lines.
var brokenInCompare = brokenIn(".side-by-side")

// brokenIn returns an expression for the words of a part that stand in several lines.
func brokenIn(part string) string {
	return fmt.Sprintf(`(() => {
		const found = [];
		const texts = document.createTreeWalker(document.querySelector(%q), NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const {currentNode: text} = texts;
			for (const {0: word, index} of text.data.matchAll(/[\p{L}\d]+/gu)) {
				const range = document.createRange();
				range.setStart(text, index);
				range.setEnd(text, index + word.length);
				const lines = new Set([...range.getClientRects()].map(({top}) => Math.round(top)));
				if (lines.size > 1 && !text.parentElement.closest(".sr")) found.push(word);
			}
		}
		return found.join();
	})()`, part)
}

// comparedRow returns an expression for the values of a row, by its name.
func comparedRow(name string) string {
	return fmt.Sprintf(`[...[...document.querySelectorAll("tbody tr")].find(({cells}) => cells[0].innerText === %q).cells]
		.slice(1).map(({firstChild}) => firstChild.innerText.replaceAll("\u00a0", " ")).join("|")`, name)
}

// comparedSizes has the sizes of the letters of a label and of its value.
const comparedSizes = `[...document.querySelector("tbody tr:last-child").cells].slice(0, 2)
	.map((cell) => getComputedStyle(cell).fontSize).join(" ")`

// comparedNames returns an expression for the names of the rows that a pattern matches.
func comparedNames(pattern string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("tbody tr:not([hidden]) th")]
		.map((name) => name.innerText).filter((name) => /%s/.test(name)).join()`, pattern)
}

// scrollCompare returns an expression that scrolls the table sideways and the page down.
func scrollCompare(left, top int) string {
	return fmt.Sprintf(`document.querySelector(".side-by-side").scrollLeft = %d, scrollTo(0, %d)`, left, top)
}

// followInCompare returns the button "Follow" in the head of a column of Compare, counted from 1.
func followInCompare(n int) string {
	return fmt.Sprintf(".heads > :nth-child(%d) button[data-status=followed]", n+1)
}

// Prices.
const (
	marketTable = ".market"
	// priceRows has the rows of all tables as JSON: currency, table and row, with the number of flats and the values.
	priceRows = `JSON.stringify([...document.querySelectorAll(".market")].flatMap((market) =>
		[...market.querySelectorAll("tbody tr")].map((row) =>
		[market.querySelector("th:nth-child(4)").textContent.split(", ")[1] ?? "unknown",
			row.closest("table").tHead.rows[0].cells[0].textContent, row.cells[0].textContent].join(", ") + ": " +
		[row.cells[1].textContent, ...[...row.querySelectorAll("data")].map(({value}) => value)].join(" "))))`
	priceHeads = `[...document.querySelectorAll(".market:first-of-type thead")].map(({innerText}) => innerText.trim())[0]
		.split(/\s*\t\s*/).join("|")`
	priceNumbers  = `[...document.querySelectorAll(".market data")].map(({innerText}) => innerText)`
	onlyMine      = ".found [type=checkbox]"
	isOnlyMine    = `document.querySelector(".found [type=checkbox]").checked`
	foldedMarkets = `[...document.querySelectorAll(".prices details:not([open]) summary")]
		.map(({innerText}) => innerText.replace(/\s+/g, " ")).join()`
	weeksLabel    = `document.querySelector(".bars").ariaLabel`
	firstDotLabel = `document.querySelector(".scatter a").ariaLabel`
	dotByTab      = ".scatter a[tabindex='0']"
	// dotsByTab is the number of dots of the first plot that Tab reaches.
	dotsByTab        = `document.querySelectorAll(".scatter")[0].querySelectorAll("a[tabindex='0']").length`
	focusedDot       = `[...document.querySelectorAll(".scatter a")].indexOf(document.activeElement)`
	focusIsOnLastDot = `document.activeElement === [...document.querySelector(".scatter").querySelectorAll("a")].at(-1)`
	lastDot          = `[...document.querySelector(".scatter").querySelectorAll("a")].at(-1)`
	marketsApart     = `[...document.querySelectorAll(".prices h2 + .market")].every((market) => {
		const {top, bottom} = market.previousElementSibling.getBoundingClientRect();
		const before = market.previousElementSibling.previousElementSibling ?? document.querySelector(".found");
		return top - before.getBoundingClientRect().bottom >= 16 && market.getBoundingClientRect().top - bottom >= 8;
	})`
)

// priceChange returns an expression for a change of a cost, counted from 1.
func priceChange(n int) string {
	return fmt.Sprintf(`document.querySelectorAll(".changes li")[%d].innerText.replace(/\s/g, " ")`, n-1)
}

// todayItems has the groups of Today with the ids of their flats.
const todayItems = `[...document.querySelectorAll(".today .due")].map((group) => group.classList[1] + ": " +
	[...group.querySelectorAll("[data-id]")].map(({dataset}) => dataset.id).join(" ")).join("; ")`

// Today.
const (
	todayCount      = `document.querySelector("#bar [data-view=today] .badge").innerText` // the number in the bar
	starsInToday    = ".today .stars"
	firstPlaceOfBar = `document.querySelector("#bar .views a").dataset.view`
	cameLinks       = `[...document.querySelectorAll(".came a")].map(({innerText, hash}) => innerText + " " + hash).join()`
	firstCame       = `document.querySelector(".came a").innerText`
	changedWords    = `[...document.querySelectorAll(".changed .when")].map(({innerText}) => innerText
		.replace(/since.*/, "since")).join("; ")`
	newsWords   = `document.querySelector("#fresh").innerText`
	firstDay    = `document.querySelector(".day h2").innerText.replace(/\s/g, " ")`
	emptyDay    = ".today .empty"
	todayPhotos = `[...document.querySelectorAll(".today [data-id]:has(.photo)")].map(({dataset}) => dataset.id).join()`
	largeVisit  = `[...document.querySelectorAll(".today [data-large]")].map(({dataset}) => dataset.id).join()` // its id
	// actionsOutOfColumn has the actions that stand at different places in two plain lines.
	actionsOutOfColumn = `[...Map.groupBy(document.querySelectorAll(".todo .line > :is(button, .button)"),
		({innerText}) => innerText)].filter(([, buttons]) =>
		new Set(buttons.map((button) => button.getBoundingClientRect().left)).size > 1).map(([action]) => action).join()`
	// brokenTodayLines has the flats with a plain line higher than a finger needs.
	brokenTodayLines = `[...document.querySelectorAll(".today .todo")].filter(({offsetHeight}) => offsetHeight > 52)
		.map(({dataset}) => dataset.id).join()`
	tomorrowButtons = `[...document.querySelectorAll(".tomorrow :is(button, a.button)")]
		.map(({innerText}) => innerText).join()`
	// nextVisitFontSizes has the sizes of the time and the title of the next visit.
	nextVisitFontSizes = `[".when b", "h3 a"].map((part) =>
		getComputedStyle(document.querySelector("[data-large] " + part)).fontSize).join()`
	// cutReasons has the lines of things to do that do not show their whole reason.
	cutReasons = `[...document.querySelectorAll(".todo .when")].filter((reason) =>
		reason.scrollWidth > reason.clientWidth).map(({innerText}) => innerText).join()`
	// waysLefts has where the visits and what lies between them begin in the lines of the days: one number if they stand
	// below each other.
	waysLefts = `[...new Set([...document.querySelectorAll(".ways > li")].map((part) =>
		part.getBoundingClientRect().left))].join()`
	// toDoIsBesideDays is true if the things to do stand right of the visits of today and tomorrow.
	toDoIsBesideDays = `(([day, tomorrow, lines]) => lines.left > day.right && lines.left > tomorrow.right &&
		lines.top < tomorrow.top)([".visits-today", ".tomorrow", ".to-do"].map((part) =>
		document.querySelector(part).getBoundingClientRect()))`
	wholePlacesOfBar = `[...document.querySelectorAll("#bar :is(.views a, .menu)")].filter((place) => place
		.offsetHeight >= 44 &&
		place.querySelector(".icon").checkVisibility() && place.querySelector("span").checkVisibility()).length`
	// overlapLook has the look of the line of an overlap, compared with the line between two other visits.
	overlapLook = `[".way-between.overlap span", ".way-between.soft span"].map((part) => {
		const {fontSize, fontWeight, backgroundColor} = getComputedStyle(document.querySelector(part));
		return fontSize + " " + fontWeight + (backgroundColor === "rgba(0, 0, 0, 0)" ? "" : " filled");
	}).join()`
	stepChoices = `[...document.querySelectorAll(".steps-dialog > .line button")].map(({innerText}) => innerText).join()`
)

// inFlat returns a part of the element that a view has for a flat.
func inFlat(id, part string) string { return fmt.Sprintf("[data-id='%s'] %s", id, part) }

// doneButtonOf and the functions below return a button or field of a flat in Today.
func doneButtonOf(id string) string     { return inFlat(id, ".done-step") }
func tomorrowButtonOf(id string) string { return inFlat(id, ".line button") }
func dateFieldOf(id string) string      { return inFlat(id, "[type=date]") }
func stepButtonOf(id string) string     { return inFlat(id, ".step") }
func dismissButtonOf(id string) string  { return inFlat(id, "[data-status=ignored]") }
func starButtonOf(id string, n int) string {
	return inFlat(id, fmt.Sprintf(".stars button:nth-child(%d)", n))
}

// stepChoiceButton returns a proposed step in the dialog of steps, counted from 1. The last line has the proposals: the
// line of a step that the flat has already is above.
func stepChoiceButton(n int) string {
	return fmt.Sprintf(".steps-dialog > .line:last-of-type button:nth-child(%d)", n)
}

// whenOf returns an expression for when a step of a flat is due, or how long it has waited for an answer.
func whenOf(id string) string {
	return fmt.Sprintf(`document.querySelector("%s")?.innerText`, inFlat(id, ".when"))
}

// phoneOf returns an expression for the number that a call about a flat dials.
func phoneOf(id string) string {
	return fmt.Sprintf(`document.querySelector("%s").getAttribute("href")`, inFlat(id, "a[href^=tel]"))
}

// gapBefore returns an expression for the line between a visit and the visit before.
func gapBefore(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id=%s]").previousElementSibling.innerText
		.replace(/\s/g, " ").trim()`, id)
}

// visitIndents returns an expression for how far right of its address the buttons of a visit begin.
func visitIndents(id string) string {
	return fmt.Sprintf(`((visit) => {
		const range = document.createRange();
		range.selectNodeContents(visit.querySelector(".line > *"));
		const address = visit.querySelector(".address").getBoundingClientRect();
		return Math.round(range.getBoundingClientRect().left - address.left);
	})(document.querySelector("[data-id=%s]"))`, id)
}

// heightOf returns an expression for the height of a flat.
func heightOf(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id=%s]").offsetHeight`, id)
}

// visitFacts returns an expression for the time, address and phone of a visit.
func visitFacts(id string) string {
	return fmt.Sprintf(`((visit) => [".when", ".address", "a[href^=tel]"].map((part) => visit.querySelector(part)
		.innerText.replace(/\s+/g, " "))
		.join("; "))(document.querySelector("[data-id=%s]"))`, id)
}

// buttonsOf returns an expression for the buttons of a flat.
func buttonsOf(id string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("[data-id='%s'] :is(button, a.button)")]
		.map((button) => button.innerText.replace(/\s+/g, " ") || button.title).join()`, id)
}

// writeTo returns the button "Message" of a flat in Today.
func writeTo(id string) string { return fmt.Sprintf("[data-id='%s'] button[aria-label^=Message]", id) }

// isSeen returns an expression for whether a part can be seen.
func isSeen(part string) string {
	return fmt.Sprintf(`document.querySelector(%s).checkVisibility()`, encode(part))
}

// isTicked returns an expression for whether a box is ticked.
func isTicked(box string) string {
	return fmt.Sprintf(`document.querySelector(%s).checked`, encode(box))
}

// labelOf returns an expression for the words next to a field.
func labelOf(field string) string {
	return fmt.Sprintf(`document.querySelector(%s).labels[0].innerText.trim()`, encode(field))
}

// Import. What an empty service welcomes a person with (.welcome) stands in Start, too.
const (
	welcomeField  = ".welcome textarea"
	welcomeButton = ".welcome button"
	exampleButton = ".examples button"
	openExamples  = `document.querySelector(".examples").open = true`
	forPrograms   = ".programs"
	manyListings  = ".many > summary" // unfolds the field for many listings
	listingsField = ".import .card textarea"
	importButton  = ".import .take"
	importFile    = ".import [type=file]"
	everythingBox = ".import [type=checkbox]"
	siteField     = ".site"
	fileChoice    = ".drop"
	reportLink    = ".report a"
	addInImport   = ".import > p a"

	importBegin    = `document.querySelector(".import > :first-child").innerText`
	filledInImport = `[...document.querySelectorAll(".import .primary")].filter((button) => button.checkVisibility())
		.map(({innerText}) => innerText).join()`
	listingsInExample = `JSON.parse(document.querySelector(".examples[open] pre")?.innerText ?? "[]").length`
	programLinks      = `[...document.querySelectorAll(".programs a")]
		.map(({innerText, href}) => innerText + " " + href).join()`
	programAddress = `document.querySelector(".programs pre").textContent.replace(location.origin, "")`
	importLog      = `[...document.querySelectorAll(".log li")].map(({innerText}) => innerText
		.replace(/^.*\d:\d\d, /, "")).join("|")`
	importReport    = `document.querySelector(".report")?.innerText.trim().replace(/\s+/g, " ")`
	importFailure   = `document.querySelector(".report [role=alert]")?.innerText`
	reportLinkHash  = `document.querySelector(".report a")?.hash`
	reportIsInSight = `(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector(".report").getBoundingClientRect())`
	importCount = `fetch("api/v1/imports").then((answer) => answer.json()).then(({data}) => data.length)`
	// siteAndValid has the name of the site, or false if there is no field for it, and whether the form can be sent.
	siteAndValid = `(({hidden, value, validity}) => [!hidden && value, validity.valid].join())(document
		.querySelector(".site"))`
	siteIsMarked = `document.querySelector(".site:not([hidden])").matches(":user-invalid")`
	dropHint     = `document.querySelector(".drop .soft").innerText`
	// cornerOfDrop is the type of the control at the corner of the area for files.
	cornerOfDrop = `document.elementFromPoint(...(({left, top}) => [left + 2, top + 2])(
		document.querySelector(".drop").getBoundingClientRect())).type`
)

// factWith returns an expression for the fact that contains a word.
func factWith(word string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".flat .pairs div")].map((pair) =>
		pair.innerText.replace(/\s+/g, " ")).filter((pair) => pair.includes(%q)).join()`, word)
}

// Add.
const (
	pasteField = ".paste textarea"
	clearAdd   = ".decision [type=button]"
)

// The map.
const (
	// circlesInWords has for each circle the best status of its flats and their number: "followed 3".
	circlesInWords = `[...document.querySelectorAll(".circle")].map((circle) => circle.dataset.status + " " + circle
		.textContent).sort().join()`
	circleLabels  = `[...document.querySelectorAll(".circle")].map(({ariaLabel}) => ariaLabel).join("|")`
	chosenCircles = `[...document.querySelectorAll(".circle[aria-pressed=true]")].map(({ariaLabel}) => ariaLabel)
		.join("|")`
	// circleKinds has for each mark its kind (pill, point, or none for a circle), its words, whether it has a tip, which
	// points to an exact position, and its name: "pill 800 with a tip: house, €800".
	circleKinds = `[...document.querySelectorAll(".circle")].map((circle) => [...circle.classList].slice(1)
		.concat(circle.textContent.replace("\u00a0", " ") || [],
		circle.querySelector("path")?.getBBox().height > 22 ? "with a tip" : []).join(" ") + ": " + circle.ariaLabel
		.replace("\u00a0", " ")).join("|")`
	circlesAreFree = `[...document.querySelectorAll(".circle")].every((circle) => {
		const {left, right, top, bottom} = circle.getBoundingClientRect();
		return circle.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
	})`
	// flatsInSight has the titles of the marks within the map.
	flatsInSight = `[...document.querySelectorAll(".circle")].filter((circle) => {
		const [{left, top}, map] = [circle, document.querySelector(".canvas")].map((one) => one.getBoundingClientRect());
		return left > map.left && left < map.right && top > map.top && top < map.bottom;
	}).map(({ariaLabel}) => ariaLabel.split(",")[0]).sort().join()`
	anyCircle   = ".circle"
	circleByTab = ".circle[tabindex='0']"

	mapFound   = `document.querySelector(".map .found").innerText`
	mapRows    = `[...document.querySelectorAll(".map tr")].map((row) => row.innerText.replace(/\s+/g, " ").trim()).join()`
	mapPlaces  = `[...document.querySelectorAll(".place .name:nth-child(2)")].map((name) => name.textContent).join()`
	mapRings   = `[...document.querySelectorAll(".place")].map((place) => place.querySelectorAll("circle").length).join()`
	mapScale   = `document.querySelector(".rule")?.innerText`
	mapSurface = ".canvas"
	mapWidth   = `document.querySelector(".canvas").offsetWidth`
	// mapIsDrawn is true once the map is drawn anew: while it moves, it only shifts and scales what was drawn.
	mapIsDrawn = `document.querySelector(".layer").style.transform === ""`
	// mapLegend has the meanings of the colours, beneath the map.
	mapLegend  = `document.querySelector(".atlas + .nowhere + div").innerText.trim()`
	mapButtons = `[...document.querySelectorAll(".over button")].map(({innerText}) => innerText).join()`
	// mapButtonRows is the number of heights at which buttons over the map begin.
	mapButtonRows = `new Set([...document.querySelectorAll(":is(.over, .zoom) button")].map((button) =>
		button.getBoundingClientRect().top)).size`
	onlyInSight = ".over button"
	// onlyInSightIsFilled is true if the button is filled, and its words have the colour for words on it.
	onlyInSightIsFilled = `(({backgroundColor, borderTopColor, color}) => backgroundColor === borderTopColor &&
		color === "rgb(255, 255, 255)")(getComputedStyle(document.querySelector(".over button")))`
	zoomInButton  = ".zoom button:first-child"
	zoomOutButton = ".zoom button:last-child"
	codeName      = "svg > .name" // the name of a postal code

	buttonsLieOnMap = `[...document.querySelectorAll(".over button, .zoom button")].every((button) => {
		const {x, y} = middleOf(button);
		return document.querySelector(".canvas").contains(
			document.elementsFromPoint(x, y).find((part) => !button.contains(part)));
	})`
	// badNames has the names on the map that are cut or lie on a mark or another name, and the names of postal codes that
	// stand there twice. An overlap of 1 or 2 pixels does not count.
	badNames = `(() => {
		const map = document.querySelector(".surface").getBoundingClientRect();
		const boxes = (selector) => [...document.querySelectorAll(selector)]
			.map((element) => [element.textContent, element.getBoundingClientRect()]);
		const [names, marks] = [boxes(".canvas .name"), boxes(".circle .shape, .marker")];
		const free = names.map(([, {left, top, right, bottom}], i) =>
			left >= map.left - 1 && right <= map.right + 1 && top >= map.top - 1 && bottom <= map.bottom + 1 &&
			names.slice(0, i).every(([, b]) =>
				left >= b.right || right <= b.left || top >= b.bottom - 1 || bottom - 1 <= b.top) &&
			marks.every(([, b]) => left >= b.right - 2 || right <= b.left + 2 || top >= b.bottom - 2 ||
				bottom - 1 <= b.top + 2));
		const codes = boxes("svg > .name").map(([name]) => name);
		return [...names.filter((_, i) => !free[i]).map(([name]) => name),
			...codes.filter((name, i) => codes.indexOf(name) !== i)].join();
	})()`
)

// circleOf returns the circle with a best status.
func circleOf(status string) string { return ".circle[data-status=" + status + "]" }

// codeNames returns an expression for the names of postal codes that begin with a word.
func codeNames(word string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("svg > .name")].map((name) => name.textContent)
		.filter((name) => name.startsWith(%q)).join()`, word)
}

// The list next to the map (.beside), which shows the flats of the chosen circle.
const (
	besideHeading = `document.querySelector(".beside h2")?.innerText`
	// besideParts has the line below the heading: how many flats there are, or how many in each of several places.
	besideParts     = `document.querySelector(".beside h2").parentElement.nextElementSibling.innerText`
	besideTitles    = `[...document.querySelectorAll(".beside li a")].map((link) => link.innerText).join()`
	besideLink      = ".beside li a"
	closeBeside     = ".beside .close"
	besidePhoto     = `document.querySelector(".beside li > .photo")?.src`
	besidePosition  = `getComputedStyle(document.querySelector(".beside")).position`
	besideIsInSight = `(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector(".beside li").getBoundingClientRect())`
	// besideSheet describes the sheet on a phone: its left end, whether it is as wide as the bar, whether it ends at the
	// bar, and whether it takes less than half of the window.
	besideSheet = `((sheet, bar) => [sheet.left, sheet.width === bar.width, sheet.bottom === bar.top,
		sheet.height < innerHeight / 2].join())(
		...[".beside", "#bar"].map((part) => document.querySelector(part).getBoundingClientRect()))`
)

// Tiles, and maps without a flat.
var (
	mapTile     = ".tiles img"
	tileSources = `[...new Set([...document.querySelectorAll(".tiles img")].map(({src, referrerPolicy}) =>
		src.replace(/\d+/g, "0") + " " + referrerPolicy))].join()`
	mapCredit = `[...document.querySelectorAll(".credit a")].map(({innerText, href}) => innerText + " " + href)
		.join()`
	mapCreditText = `document.querySelector(".credit").innerText`
	streetsButton = ".over button:last-child"
	// looksQuestion asks how the map shall look, with a button for each look.
	looksQuestion     = ".looks"
	streetsLook       = ".looks button:nth-of-type(1)"
	plainLook         = ".looks button:nth-of-type(2)"
	looksQuestionText = text(looksQuestion)
	// mapAboveQuestion is the share of the map, from 0 to 1, that looksQuestion leaves uncovered.
	mapAboveQuestion = `((map, looks) => (Math.min(looks.top, map.bottom) - map.top) / map.height)(
		...[".canvas", ".looks"].map((part) => document.querySelector(part).getBoundingClientRect()))`
	dotsInLegend        = `document.querySelector(".dot").innerText`
	namesBeneathButtons = `[...document.querySelectorAll(".canvas .name")].filter((name) => {
		const one = name.getBoundingClientRect();
		return [...document.querySelectorAll(":is(.over, .zoom) button")].some((button) => {
			const other = button.getBoundingClientRect();
			return one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top;
		});
	}).map(({textContent}) => textContent).join()`
	noFlatsHere     = ".nothing"
	noFlatsHereText = `document.querySelector(".nothing:not([hidden])")?.innerText`
	showAllOnMap    = ".nothing button"
	noPositionsNote = `document.querySelector(".nowhere:not([hidden])")?.innerText.replace(/\s+/g, " ")`
	// looksSideBySide is true if both looks stand side by side, each with a picture.
	looksSideBySide = `(([one, other]) => one.top === other.top && one.right < other.left)([...document.querySelectorAll(
		".looks button:has(svg)")].map((look) => look.getBoundingClientRect()))`
	// mapGround has the colour of the ground, and the drawings on it.
	mapGround = `getComputedStyle(document.querySelector(".canvas")).backgroundColor + " with " +
		(document.querySelector(".canvas .grid") ? "a grid and " : "") + document.querySelector(".north").innerText`
	scaleInSight = `document.querySelector(".canvas .rule").checkVisibility({visibilityProperty: true})`
	mapIsSeen    = `document.querySelectorAll(".canvas, .legend").values().some((part) => part.checkVisibility())`
)

// Lit parts, and the parts of the map with their places.
const (
	// litMarks has the words of the marks that are lit, because their flats are pointed at in the list.
	litMarks = `[...document.querySelectorAll(".circle.lit")].map(({textContent}) => textContent).join()`
	litRows  = `[...document.querySelectorAll(".beside .lit")].map(({innerText}) => innerText.replace(/\s+/g, " ").trim())
		.join()`
	linkInFound = ".found a"
	// mapLayout has the places of all parts of the view.
	mapLayout = `[...document.querySelectorAll(".map *")].filter((part) => !part.closest("svg")).map((part) => {
		const {left, top, width, height} = part.getBoundingClientRect();
		return [left, top, width, height].map(Math.round).join(" ");
	}).join()`
	mapNames   = `[...document.querySelectorAll(".canvas svg > .name")].map(({textContent}) => textContent).sort().join()`
	besideWays = `document.querySelector(".beside li .to").innerText.replaceAll("\u00a0", " ")`
	// chosenIsInMiddle is true if the middle of the chosen mark is less than 40 pixels from the middle of the map.
	chosenIsInMiddle = `(([mark, map]) => [(mark.left + mark.right - map.left - map.right) / 2,
		(mark.top + mark.bottom - map.top - map.bottom) / 2].every((distance) => Math.abs(distance) < 40))(
		[".circle[aria-pressed=true] .shape", ".canvas"].map((part) => document.querySelector(part).getBoundingClientRect()))`

	smallMap = ".small-map a"
	// crossedNames has the names on the small map that a line crosses.
	crossedNames = `[...document.querySelectorAll(".small-map text")].filter((name) => {
		const {x, y, width, height} = name.getBBox();
		return [...document.querySelectorAll(".small-map .way-to")].some((line) =>
			Array.from({length: 200}, (_, i) => line.getPointAtLength(i / 200 * line.getTotalLength())).some((point) =>
				point.x > x && point.x < x + width && point.y > y && point.y < y + height));
	}).map(({textContent}) => textContent).join()`
	smallMapWords = `(({role, ariaLabel}) => role + " " + ariaLabel.replaceAll("\u00a0", " "))(
		document.querySelector(".small-map svg"))`
	smallMapNames = `[...document.querySelectorAll(".small-map .name")].map(({textContent}) => textContent
		.replaceAll("\u00a0", " ")).join()`
	// smallMapDrawing has the size of the map, how many lines and tiles it has, and whether its places are in sight.
	smallMapDrawing = `(() => {
		const map = document.querySelector(".small-map");
		const {left, right, top, bottom, width, height} = map.getBoundingClientRect();
		const marks = [...map.querySelectorAll(".marker, .home, .name")].map((mark) => mark.getBoundingClientRect());
		const isIn = marks.every((mark) =>
			mark.left >= left && mark.right <= right && mark.top >= top && mark.bottom <= bottom);
		return width + " × " + height + ", " + map.querySelectorAll(".way-to").length + " lines, " +
			map.querySelectorAll("img").length + " tiles" + (isIn ? ", all in sight" : "");
	})()`
)

// placeButton returns the button of a place in the list next to the map.
func placeButton(name string) string { return ".beside [data-place='" + name + "']" }

// tilesAre returns an expression for whether the addresses of all tiles match a pattern, and requests for them tell no
// more than the origin.
func tilesAre(pattern string) string {
	return `[...document.querySelectorAll(".tiles img")].every(({src, referrerPolicy}) => ` + pattern +
		`.test(src) && referrerPolicy === "strict-origin")`
}

// firstSentence returns an expression for the first sentence of a part.
func firstSentence(part string) string {
	return fmt.Sprintf(`document.querySelector(%q).innerText.split(".")[0] + "."`, part)
}

// The visit of a flat.
const (
	removeVisit   = ".visit .close"
	visitAbout    = ".visit [role=status]" // what the field says about other visits, or asks
	visitQuestion = `document.querySelector(".visit [role=status] p")?.innerText`
	visitWrong    = ".visit .wrong"
)

// visitAnswer returns an expression for an answer to the question about a visit.
func visitAnswer(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".visit [role=status] button")]
		.find(({innerText}) => innerText === %q)`,
		name)
}

// Visits.
const (
	visitDay    = ".day"
	dayCard     = ".day .card"
	visitPhoto  = ".visits .day .photo"
	overlapLine = ".overlap"
	visitsWords = `document.querySelector(".visits").innerText`
	visitDays   = `[...document.querySelectorAll(".day")].map((day) => day.innerText.replace(/\s+/g, " ")
		.replace(/^[^\d]*\d+[^,]*, /, "")).join("|")`
	// visitCards has the titles of all visits, whether they overlap, and their tags.
	visitCards = `[...document.querySelectorAll(".visits article")].map((card) => card.querySelector("h3").innerText +
		(card.querySelector(".overlap") ? " overlaps " : " ") + card.querySelector(".tags").innerText).join("|")`
	waysBetween  = `document.querySelector(".ways")?.innerText.replace(/\s+/g, " ")`
	lastOverlaps = `[...document.querySelectorAll(".overlap")].slice(-3).map((line) => line.innerText
		.split(": ")[1]).join("|")`
	filledInVisits = `[...document.querySelectorAll(".visits .card .primary")].map((button) => button
		.closest(".card").querySelector("h3").innerText + " " + button.textContent).join()`
	firstVisitID   = `decodeURIComponent(document.querySelector(".day .card a[href^='#/flat/']").hash.slice(7))`
	visitCardWidth = `document.querySelector(".day .card").offsetWidth`
	firstSheet     = `document.querySelector(".day .sheet").textContent`
	tomorrowTitles = `[...document.querySelectorAll(".tomorrow h3")].map(({innerText}) => innerText).join()`
	lastOfTomorrow = ".tomorrow li:last-child h3 a"

	subscribeButton = "[popovertarget=subscribe]"
	// buttonsBelowHeading has the buttons of the heading that stand beneath it.
	buttonsBelowHeading = `[...document.querySelectorAll(".visits > .line > button")].filter((button) => button
		.getBoundingClientRect().top >= document.querySelector(".visits h1").getBoundingClientRect().bottom)
		.map(({innerText}) => innerText).join()`
	feedAddress  = "#subscribe code"
	feedProtocol = `document.querySelector("#subscribe a").protocol`
	feedIsWhole  = `((code) => code.scrollWidth <= code.clientWidth)(document.querySelector("#subscribe code"))`
	feedText     = `fetch(document.querySelector("#subscribe code").textContent).then((answer) => answer.text())`
)

// callTo returns the link that calls a number.
func callTo(number string) string { return "[href='tel:" + number + "']" }

// visitTitle returns an expression for the title of a visit of the first day, counted from 1.
func visitTitle(n int) string {
	return fmt.Sprintf(`document.querySelector(".day .card:nth-of-type(%d) h3").innerText`, n)
}

// Past visits.
const (
	pastFold    = ".visits summary"
	pastIsOpen  = `document.querySelector(".visits details").open`
	pastWhen    = `document.querySelector("details .when p").innerText`
	pastPhoto   = "details .card > .photo"
	pastCall    = `document.querySelector("details [href^=tel]").textContent`
	pastVisited = ".visits details .line [data-status=visited]"
	pastTag     = `document.querySelector(".visits details .tag")?.innerText`
	pastPressed = ".visits details [aria-pressed=true]"
	pastNotes   = ".visits details [aria-expanded]"
)

// pastStar returns a star of a past visit, counted from 1.
func pastStar(n int) string { return fmt.Sprintf(".visits details .stars :nth-child(%d)", n) }

// The room of visits.
const (
	dayCardsHeight = `[...document.querySelectorAll(".day .card")].reduce((sum, {offsetHeight}) => sum + offsetHeight, 0)`
	// scatteredButtonCount is the number of cards whose buttons stand in several rows: Call and Notes, and on a phone the
	// next step, too, because the number to call is not in sight there.
	scatteredButtonCount = `[...document.querySelectorAll(".day .card > .line")].filter((line) => {
		const buttons = [...line.children].slice(0, innerWidth < 900 ? 3 : 2);
		const tops = buttons.map((button) => button.getBoundingClientRect().top);
		return line.children.length < 3 || new Set(tops).size > 1;
	}).length`
	longStep      = `document.querySelector(".day .step[title]").title`
	narrowestStep = `Math.min(...[...document.querySelectorAll(".day .step")].map(({offsetWidth}) => offsetWidth))`
	callsAreWhole = `[...document.querySelectorAll(".day .line > a")]
		.every((call) => call.scrollWidth <= call.clientWidth)`
	smallVisitButtonCount = `[...document.querySelectorAll(".day .card :is(a.button, button)")]
		.filter(({offsetHeight}) => offsetHeight < 44).length`
	cutInVisits = `[...document.querySelectorAll(".day .card *")]
		.filter((part) => part.scrollWidth > part.clientWidth + 1 &&
		getComputedStyle(part).overflowX !== "visible" && !part.matches("[title], .digits"))
		.map(({className}) => className).join()`
	// strayMapCount is the number of addresses whose "Map" stands in a line of its own, although the line before has room.
	strayMapCount = `[...document.querySelectorAll(".day .address")].filter((address) => {
		const words = document.createRange();
		words.selectNodeContents(address.firstChild);
		const last = [...words.getClientRects()].at(-1);
		const map = address.querySelector("a").getBoundingClientRect();
		return (map.top + map.bottom) / 2 > last.bottom && last.right + map.width + 8 < address.getBoundingClientRect().right;
	}).length`
	// gapsInVisits has for each place of a missing photo its width, whether it is higher than 30 pixels, and its colour.
	gapsInVisits = `[...document.querySelectorAll(".day .gap")].map((gap) => [gap.offsetWidth, gap.offsetHeight > 30,
		getComputedStyle(gap).backgroundColor].join(" ")).join()`
	// starsBelowButtons has the class of the fourth part of a card's line, the stars, and whether "Call" and "Notes" stand
	// in one row, the stars below it, and not further right than "Call".
	starsBelowButtons = `(() => {
		const [call, notes, , stars] = document.querySelector(".day .card > .line").children;
		const [callBox, notesBox, starsBox] = [call, notes, stars].map((part) => part.getBoundingClientRect());
		return [stars.className, callBox.top === notesBox.top, starsBox.top > callBox.top,
			callBox.left - starsBox.left < 10].join();
	})()`
)

// Notes in Visits.
const (
	notesButtons = `[...document.querySelectorAll(".card [aria-expanded]")].map(({textContent, ariaLabel, ariaExpanded}) =>
		[textContent, ariaLabel, ariaExpanded].join(" ")).join()`
	savedInVisits = `[...document.querySelectorAll(".card [role=status]")].map(({innerText}) => innerText).join()`
	focusedValue  = `document.activeElement.value`
	focusedLabel  = `document.activeElement.labels?.[0]?.innerText`
	printedNotes  = `[...document.querySelectorAll(".card .sheet")].filter((sheet) => sheet.offsetHeight > 0)
		.map(({innerText}) => innerText).join("; ")`
	noteHints   = `[...document.querySelectorAll(".hints")].map(({innerText}) => innerText).join("; ")`
	repeatedIDs = `((ids) => ids.length - new Set(ids).size)([...document.querySelectorAll("[id]")].map(({id}) => id))`
)

// notesOfVisit returns the button "Notes" of a visit of the first day, counted from 1.
func notesOfVisit(n int) string {
	return fmt.Sprintf(".day .card:nth-of-type(%d) [aria-expanded]", n)
}

// fieldTexts has the values of the ten fields of Add that are always shown, parted by "|": link, title, cost, currency,
// area, rooms, postal code, place, phone and text.
const fieldTexts = `[...document.querySelectorAll(".add [name]")].slice(0, 10).map((field) => field.value).join("|")`

// Add in detail.
const (
	addInBar         = ".views a:last-child"
	addButton        = ".add .primary"
	clearFields      = ".decision button:nth-of-type(2)"
	firstDraft       = ".add .line button"
	bookmarklet      = ".bookmarklet a"
	bookmarkletLink  = `document.querySelector(".bookmarklet a")`
	importForm       = ".import form.card"
	importLogPart    = ".import .log"
	focusedFieldName = `document.activeElement.closest("label")?.innerText`
	focusedComplaint = `document.activeElement.name + ": " + document.activeElement.validationMessage`
	knownLine        = `document.querySelector(".known")?.innerText`
	// middleOfKnown is the element in sight at the middle of that line.
	middleOfKnown = `(() => {
		const {left, right, top, bottom} = document.querySelector(".known").getBoundingClientRect();
		return document.elementFromPoint((left + right) / 2, (top + bottom) / 2).closest("p, .notice").className;
	})()`
	addWrong  = `document.querySelector(".paste > p:last-of-type").innerText`
	addLabels = `[...document.querySelectorAll(".add label")].filter((label) => label.checkVisibility())
		.map(({innerText}) => innerText.trim().split("\n")[0]).join()`
	unsavedDrafts = `document.querySelector(".add form").firstChild.innerText.replace(/\s+/g, " ")`
	markedInAdd   = `[...document.querySelectorAll(".add :is(input, textarea):user-invalid")]
		.map(({name}) => name).join()` // the fields that are marked as wrong
	smallInAddCount = `[...document.querySelectorAll(".add :is(input, textarea, button, a)")]
		.filter((control) => control.offsetHeight > 0 && control.offsetHeight < 44).length`
	// rareFields has the values of the other fields of Add: details, position and photos. A field that has no value is not
	// shown; "-" stands for it.
	rareFields = `[...document.querySelectorAll(".add [name]")].slice(10).map(({value, parentElement: {hidden}}) =>
		hidden ? "-" : value).join("|")`
	// missingFields has the empty fields for which the text said nothing: "rooms not found".
	missingFields = `[...document.querySelectorAll(".add [placeholder]")].filter(({placeholder, value}) =>
		placeholder && !value).map(({name, placeholder}) => name + " " + placeholder).join()`
	imageCount = `document.querySelectorAll("main img").length`
	idInHash   = `decodeURIComponent(location.hash.slice("#/flat/".length))`
	stripWords = `document.getElementById("strip").innerText.replace(/\s+/g, " ").replace(/ of \d+:\d+/, "")`
)

// complaintOf returns an expression for the error of a field, by its name.
func complaintOf(name string) string {
	return fmt.Sprintf(`document.querySelector("[name=%s]").validationMessage`, name)
}

// standsBeside returns an expression for whether a part stands left of another part on a laptop, which then ends at the
// right edge of the window, and above it on a phone.
func standsBeside(left, right string) string {
	return fmt.Sprintf(`(() => {
		const [left, right] = [%s, %s].map((part) => document.querySelector(part).getBoundingClientRect());
		const isBeside = left.right < right.left && right.top < left.bottom && left.top < innerHeight / 2;
		const isBeneath = left.bottom < right.top;
		return innerWidth < 900 ? isBeneath : isBeside && right.right > innerWidth - 40;
	})()`, encode(left), encode(right))
}

// The bar, its menu, and the palette.
const (
	barNames = `[...document.querySelectorAll("#bar .brand, #bar .views a > span, #bar .menu, #menu > :is(a, button)")]
		.filter(({hidden}) => !hidden).map(({textContent}) => textContent.trim()).join()`
	paletteField = ".palette input" // of the palette, which Ctrl-K opens
	paletteLines = `[...document.querySelectorAll(".palette li")].map((line) => line.innerText).join()`
	paletteHash  = `document.querySelector(".palette a").hash`
	paletteFlat  = ".palette a[href*=flat]"
	visitInBar   = ".bar button:nth-of-type(2)"
	lastTwoChips = `[...document.querySelectorAll(".usual button")].slice(-2).map(({innerText}) => innerText
		.replace(/\s/g, " ")).join()`
)

// inMenu returns the link to a view in the menu.
func inMenu(view string) string { return "#menu [data-view=" + view + "]" }

// Words of whole views.
const (
	mainWords     = `document.querySelector("main").innerText`
	placesOffered = `[...document.querySelectorAll(".panel .boxes label")].map((label) => label.innerText.trim())
		.join("|")`
	firstVisitCall = `document.querySelector(".day .card > .line .button").href`
	// waysOfFlat has the minutes to each place.
	waysOfFlat = `[...document.querySelectorAll("main .pairs div")].map((pair) => pair.innerText
		.replace(/\s+/g, " ").trim())
		.filter((pair) => / min$/.test(pair)).join("|")`
	comparedLines = `[...document.querySelectorAll(".side-by-side tr")].map((row) =>
		row.innerText.trim().replace(/\s*\t\s*/g, "|").replace(/\s+/g, " "))`
)

// States of the service's work: travel times, photos, mails.
const (
	serviceState = `document.querySelector("#settings-places .told")?.innerText.replace(/\s+/g, " ")`
	askAgain     = "#settings-places .told button"
	progressText = `(({value, max}) => value + " of " + max)(document.querySelector("progress"))`
	// showsTimeAfterNews requests and shows news, until the open flat has a travel time.
	showsTimeAfterNews = `document.dispatchEvent(new Event("visibilitychange")) &&
		(document.querySelector("#fresh button")?.click(), document.querySelector(".what .duration"))`
)

// unseenTitles has the titles of the rows that are bold, which nobody has seen before. sinceLines has the beginnings of
// the lines between the rows, with the number of rows above each: "New since 2".
const (
	unseenTitles = `[...document.querySelectorAll(".row h2")].filter((h) => getComputedStyle(h).fontWeight === "600")
		.map((h) => h.innerText).join()`
	sinceLines = `[...document.querySelectorAll(".since-line")].map((line) => line.innerText.trim().slice(0, 9) + " " +
		[...document.querySelectorAll(".row")].filter((row) => row.compareDocumentPosition(line) & 4).length).join()`
)

// New flats in the list, the next step, and the monthly cost of a flat.
const (
	// lookIsKept is true once the service stores when somebody last looked at the list, in a view of its own.
	lookIsKept     = `fetch("api/v1/views").then((answer) => answer.json()).then(({data}) => data.length === 1)`
	firstSinceLine = `document.querySelector(".since-line").innerText.trim()`
	stepDialog     = ".steps-dialog"
	stepDate       = "dialog [name=date]"
	setOwnStep     = "[data-own]"
	stepDone       = ".steps-dialog .primary"
	stepOfFlat     = `document.querySelector(".own .step").innerText`
	// monthlySum has the monthly cost and the costs that are paid once.
	monthlySum = `[".what .cost", ".what .costs"].map((part) => document.querySelector(part)?.innerText
		.replace(/\s+/g, " ")).join("; ")`
	// onceIsBelowCost is true if the costs that are paid once begin below the monthly cost, less than 48 pixels away.
	onceIsBelowCost = `(([cost, sum]) => sum.top >= cost.bottom && sum.top - cost.bottom < 48 && sum.left === cost.left)(
		[".what .cost", ".what .costs"].map((part) => document.querySelector(part).getBoundingClientRect()))`
)

// stepInRow returns an expression for the step in the row of a flat.
func stepInRow(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id=%s] .step").innerText`, id)
}

// comparedWith returns an expression for the rows of Compare that a pattern matches.
func comparedWith(pattern string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("tbody tr")].filter((row) => /%s/.test(row.innerText))
		.map((row) => row.innerText.replace(/\s+/g, " ")).join("; ")`, pattern)
}
