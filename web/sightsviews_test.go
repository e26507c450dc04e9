// What a person sees in Duplicates, Compare, Prices and other views, as sights_test.go has it of the rest.

package web

import "fmt"

// isPressed returns an expression for whether a button is pressed.
func isPressed(button string) string {
	return fmt.Sprintf(`document.querySelector(%s).ariaPressed`, encode(button))
}

// Duplicates.
const (
	// groups has what speaks for each group, and its flats: "+" at those that are ticked, "!" at the one that is kept.
	groups = `[...document.querySelectorAll(".groups article")].map((group) => {
		const flats = [...group.querySelectorAll(".homes > li")].map((flat) => flat.querySelector("a").innerText +
			(flat.querySelector("[type=checkbox]").checked ? "+" : "") +
			(flat.querySelector("[type=radio]").checked ? "!" : ""));
		return group.querySelector("h2").innerText + ": " + flats.join(" ");
	}).join("; ")`
	// groupHints has what a group says to do.
	groupHints = `[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(":scope > p:not([hidden])")].map(({innerText}) => innerText).join()).join("; ")`
	groupsPaired = `(([one, other, third]) => one.top === other.top && one.right < other.left && third.top > one.top)(
		[...document.querySelectorAll(".groups article")].map((group) => group.getBoundingClientRect()))`
	disabledInFirstGroup = `[...document.querySelectorAll(".groups article:first-child button")].map(({disabled}) => disabled).join()`
	// coloursInFirstGroup is 1 if no button of the group is filled.
	coloursInFirstGroup = `new Set([...document.querySelectorAll(".groups article:first-child button")].map((button) =>
		getComputedStyle(button).backgroundColor)).size`
	differences = `[...document.querySelectorAll(".groups article")].map((group) =>
		[...group.querySelectorAll(".differs")].map(({innerText}) => innerText.replace(/\s+/g, " ")).join()).join("|")`
	differenceIsTinted = `getComputedStyle(document.querySelector(".differs")).backgroundColor !== "rgba(0, 0, 0, 0)"`
	groupCostHeight    = `document.querySelector(".homes .cost:has(small)").getClientRects()[0].height`
	photosInGroups     = `[...document.querySelectorAll(".groups article")].map((group) => group.querySelectorAll(".photo").length).join()`
	// narrowHomes is the number of flats whose title does not begin at the edge of its column.
	narrowHomes = `[...document.querySelectorAll(".homes > li")].filter((home) => home.querySelector(".line a")
		.getBoundingClientRect().left !== home.getBoundingClientRect().left).length`

	sameHome             = ".groups .primary"
	notTheSame           = ".groups .primary + button"
	compareGroup         = ".groups a.button"
	firstBoxOfLastGroup  = ".groups article:last-child [type=checkbox]"
	firstHomeOfLastGroup = ".groups article:last-child [type=radio]"
	lastHomeOfLastGroup  = ".groups article:last-child li:last-child [type=radio]"
)

// homeBox returns the box of a flat in the first group, counted from 1.
func homeBox(n int) string { return fmt.Sprintf(".groups li:nth-child(%d) [type=checkbox]", n) }

// Compare.
const (
	sideBySide    = ".side-by-side"
	compareNote   = `document.querySelector(".compare .soft").innerText`
	compareNames  = `[...document.querySelectorAll("tbody th")].map(({innerText}) => innerText).join()`
	compareWords  = `document.querySelector(".side-by-side tbody")?.textContent`
	compareWidth  = `document.querySelector(".side-by-side").scrollWidth`
	closeCompared = "thead .close"
	// bestCells has the rows with a best number, and in which column that is.
	bestCells = `[...document.querySelectorAll("tbody tr")].filter((row) => row.querySelector(".best"))
		.map((row) => row.cells[0].innerText + " " + [...row.cells].findIndex((cell) => cell.matches(".best"))).join()`
	// bestOf has the number of flats, and the rows with a best number with the flats that have it.
	bestOf = `(([head, ...rows]) => head.cells.length - 1 + ": " + rows.filter((row) => row.querySelector(".best"))
		.map((row) => [...row.cells].map((cell, i) => i === 0 ? cell.innerText
		: cell.matches(".best") && head.cells[i].querySelector("a").innerText).filter(Boolean).join(" ")).join())(
		document.querySelector(".side-by-side table")?.rows ?? [{cells: []}])`
	smallInCompare = `[...document.querySelectorAll(".compare :is(button:not([hidden]), a)")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`
	brokenDecisions = `[...document.querySelectorAll(".side-by-side td .line")]
		.filter(({children: [follow, dismiss]}) => follow.offsetTop !== dismiss.offsetTop).length`
	compareHeadsInSight = `["thead th", "tbody th"].map((name) => document.querySelector(name).getBoundingClientRect())
		.map(({top, left}, i) => i === 0 ? top : left).every((at) => at >= 0 && at < 260)`
	compareEndInSight = `document.querySelector(".side-by-side").getBoundingClientRect().top >= 0 &&
		document.querySelector("tbody tr:last-child").getBoundingClientRect().bottom <=
			document.querySelector("#bar").getBoundingClientRect().top`
	comparedNotesWhole = `(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(document.querySelector(".side-by-side .notes"))`
	sunkenCells        = `[...document.querySelectorAll(".side-by-side tbody td")].filter((cell) =>
		cell.firstChild.getBoundingClientRect().top - cell.getBoundingClientRect().top > 8)
		.map((cell) => cell.parentElement.innerText).join()`
	// comparePhotoSizes has for each photo what it is, and whether it is wide enough and 3:2.
	comparePhotoSizes = `[...document.querySelectorAll(".side-by-side .photo")].map(({tagName, offsetWidth, offsetHeight}) =>
		[tagName, offsetWidth > 100 && offsetWidth <= 320, Math.abs(offsetWidth / offsetHeight - 1.5) < 0.02].join(" "))
		.join()`
	// brokenInCompare has the words that stand in several lines.
	brokenInCompare = `(() => {
		const found = [];
		const texts = document.createTreeWalker(document.querySelector(".side-by-side"), NodeFilter.SHOW_TEXT);
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
	})()`
)

// comparedNames returns an expression for the names of those rows that a pattern finds.
func comparedNames(pattern string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("tbody th")].map((name) => name.innerText)
		.filter((name) => /%s/.test(name)).join()`, pattern)
}

// scrollCompare returns an expression that scrolls the table.
func scrollCompare(left, top int) string {
	return fmt.Sprintf(`document.querySelector(".side-by-side").scrollTo(%d, %d)`, left, top)
}

// followInCompare returns "Follow" of a flat, counted from 1.
func followInCompare(n int) string {
	return fmt.Sprintf("td:nth-child(%d) button[data-status=followed]", n+1)
}

// Prices.
const (
	marketTable = ".market"
	// priceRows has the rows of all tables as JSON: currency, table and row, with the number of flats and the values.
	priceRows = `JSON.stringify([...document.querySelectorAll(".market")].flatMap((market) =>
		[...market.querySelectorAll("tbody tr")].map((row) =>
		[market.previousElementSibling.innerText, row.closest("table").tHead.rows[0].cells[0].innerText,
			row.cells[0].innerText].join(", ") + ": " +
		[row.cells[1].innerText, ...[...row.querySelectorAll("data")].map(({value}) => value)].join(" "))))`
	priceHeads = `[...document.querySelectorAll(".market:first-of-type thead")].map(({innerText}) => innerText.trim())[0]
		.split(/\s*\t\s*/).join("|")`
	priceNumbers  = `[...document.querySelectorAll(".market data")].map(({innerText}) => innerText)`
	weeksLabel    = `document.querySelector(".bars").ariaLabel`
	firstDotLabel = `document.querySelector(".scatter a").ariaLabel`
	dotByTab      = ".scatter a[tabindex='0']"
	// dotsByTab is the number of dots of the first plot that Tab reaches.
	dotsByTab        = `document.querySelectorAll(".scatter")[0].querySelectorAll("a[tabindex='0']").length`
	focusedDot       = `[...document.querySelectorAll(".scatter a")].indexOf(document.activeElement)`
	focusIsOnLastDot = `document.activeElement === [...document.querySelector(".scatter").querySelectorAll("a")].at(-1)`
	lastDot          = `[...document.querySelectorAll(".scatter a")].at(-1)`
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
	firstPlaceOfBar = `document.querySelector("#bar .views a").dataset.view`
	cameLinks       = `[...document.querySelectorAll(".came a")].map(({innerText, hash}) => innerText + " " + hash).join()`
	firstCame       = `document.querySelector(".came a").innerText`
	changedTags     = `[...document.querySelectorAll(".changed .tags")].map(({innerText}) => innerText.replace(/since.*/, "since")).join()`
	newsWords       = `document.querySelector("#fresh").innerText`
	firstDay        = `document.querySelector(".day h2").innerText.replace(/\s/g, " ")`
	emptyDay        = ".today .empty"
	todayPhotos     = `[...document.querySelectorAll(".today .card:has(.photo)")].map(({dataset}) => dataset.id).join()`
	// brokenTodayLines has the flats whose buttons stand in several rows.
	brokenTodayLines = `[...document.querySelectorAll(".today .card > .line")].filter((line) =>
		new Set([...line.querySelectorAll(":scope > :not(.stars)")].map(({offsetTop}) => offsetTop)).size > 1)
		.map((line) => line.closest("li").dataset.id).join()`
	wholePlacesOfBar = `[...document.querySelectorAll("#bar :is(.views a, .menu)")].filter((place) => place.offsetHeight >= 44 &&
		place.querySelector(".icon").checkVisibility() && place.querySelector("span").checkVisibility()).length`
	stepChoices = `[...document.querySelectorAll(".steps-dialog > .line button")].map(({innerText}) => innerText).join()`
)

// inFlat returns a part of what the view has of a flat.
func inFlat(id, part string) string { return fmt.Sprintf("[data-id=%s] %s", id, part) }

// The buttons and fields of a flat in Today.
func doneOf(id string) string     { return inFlat(id, ".settle") }
func tomorrowOf(id string) string { return inFlat(id, ".settle + button") }
func dayOf(id string) string      { return inFlat(id, "[type=date]") }
func stepOf(id string) string     { return inFlat(id, ".step") }
func dismissOf(id string) string  { return inFlat(id, "[data-status=ignored]") }
func starOf(id string, n int) string {
	return inFlat(id, fmt.Sprintf(".stars button:nth-child(%d)", n))
}
func stepChoice(n int) string { return fmt.Sprintf(".steps-dialog > .line button:nth-child(%d)", n) }

// whenOf returns an expression for when something of a flat is due, or since when one waits.
func whenOf(id string) string {
	return fmt.Sprintf(`document.querySelector("%s")?.innerText`, inFlat(id, ".when"))
}

// phoneOf returns an expression for what a call about a flat dials.
func phoneOf(id string) string {
	return fmt.Sprintf(`document.querySelector("%s").getAttribute("href")`, inFlat(id, "a[href^=tel]"))
}

// gapBefore returns an expression for what lies between a visit and the one before.
func gapBefore(id string) string {
	return fmt.Sprintf(`document.querySelector("%s").innerText.replace(/\s/g, " ")`, inFlat(id, ".where .soft"))
}

// visitFacts returns an expression for the time, address and phone of a visit.
func visitFacts(id string) string {
	return fmt.Sprintf(`((visit) => [".when", ".address", "a[href^=tel]"].map((part) => visit.querySelector(part).innerText)
		.join("; "))(document.querySelector("[data-id=%s]"))`, id)
}

// buttonsOf returns an expression for the buttons of a flat.
func buttonsOf(id string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("[data-id=%s] :is(button, a.button)")]
		.map((button) => button.innerText).join()`, id)
}

// settleParts returns an expression for what stands in the line that settles a flat.
func settleParts(id string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("[data-id=%s] > .line > *")].map(({innerText, className}) =>
		innerText || className).join()`, id)
}

// settleIsOneLine returns an expression for whether all of that is one line.
func settleIsOneLine(id string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("[data-id=%s] > .line > *")].map(({offsetTop}) => offsetTop)
		.every((top, i, tops) => top === tops[0])`, id)
}

// lengthenSettle returns an expression that makes a button of that line longer.
func lengthenSettle(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id=%s] .settle span").prepend("A longer word to ")`, id)
}

// whereLeft returns an expression for where the words about a flat begin.
func whereLeft(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id=%s] .where").getBoundingClientRect().left`, id)
}

// whereBesidePhoto returns an expression for how far that is from the photo.
func whereBesidePhoto(id string) string {
	return whereLeft(id) + fmt.Sprintf(` - document.querySelector("[data-id=%s] .photo").getBoundingClientRect().right`, id)
}

// isSeen returns an expression for whether a part can be seen.
func isSeen(part string) string {
	return fmt.Sprintf(`document.querySelector(%s).checkVisibility()`, encode(part))
}

// isTicked returns an expression for whether a box is ticked.
func isTicked(box string) string {
	return fmt.Sprintf(`document.querySelector(%s).checked`, encode(box))
}

// labelOf returns an expression for the words beside a field.
func labelOf(field string) string {
	return fmt.Sprintf(`document.querySelector(%s).labels[0].innerText.trim()`, encode(field))
}

// Import.
const (
	welcomeField  = ".welcome textarea"
	welcomeButton = ".welcome button"
	exampleButton = ".examples button"
	openExamples  = `document.querySelector(".examples").open = true`
	forPrograms   = ".programs"
	manyListings  = ".many > summary"
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
	programLinks      = `[...document.querySelectorAll(".programs a")].map(({innerText, href}) => innerText + " " + href).join()`
	programAddress    = `document.querySelector(".programs pre").textContent.replace(location.origin, "")`
	importLog         = `[...document.querySelectorAll(".log li")].map(({innerText}) => innerText.replace(/^.*\d:\d\d, /, "")).join("|")`
	importReport      = `document.querySelector(".report")?.innerText.trim().replace(/\s+/g, " ")`
	importFailure     = `document.querySelector(".report [role=alert]")?.innerText`
	reportLinkHash    = `document.querySelector(".report a")?.hash`
	reportIsInSight   = `(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector(".report").getBoundingClientRect())`
	importCount = `fetch("api/v1/imports").then((answer) => answer.json()).then(({data}) => data.length)`
	// siteAndValid has the name of the site, or false without a field for it, and whether that can be sent.
	siteAndValid = `(({hidden, value, validity}) => [!hidden && value, validity.valid].join())(document.querySelector(".site"))`
	siteIsMarked = `document.querySelector(".site:not([hidden])").matches(":user-invalid")`
	dropHint     = `document.querySelector(".drop .soft").innerText`
	// cornerOfDrop is the type of the control at the corner of the area for files.
	cornerOfDrop = `document.elementFromPoint(...(({left, top}) => [left + 2, top + 2])(
		document.querySelector(".drop").getBoundingClientRect())).type`
)

// factWith returns an expression for the fact of a flat that has a word.
func factWith(word string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".flat .pairs div")].map((pair) =>
		pair.innerText.replace(/\s+/g, " ")).filter((pair) => pair.includes(%q)).join()`, word)
}

// Add.
const (
	pasteField = ".paste textarea"
	clearAdd   = ".decision [type=button]"
)
