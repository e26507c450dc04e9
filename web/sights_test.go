// What a person sees on the page, as expressions for see and wait, and what a person presses, as selectors for click
// and isThere. Names of selectors are nouns (sweepButton). Names of expressions say what their value is (sweepLabel,
// undoCount, sweepIsHidden); of a list of texts, commas or "|" part the items.

package web

import (
	"fmt"
	"strings"
)

// text returns an expression for the text of a part of the page in one line, or undefined if there is no such part.
func text(part string) string {
	return fmt.Sprintf(`document.querySelector(%s)?.innerText.trim().replace(/\s+/g, " ")`, encode(part))
}

// textsOf returns an expression for the texts of all parts that a selector finds, each in one line, parted by commas.
func textsOf(parts string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].map(({innerText}) => innerText.trim().replace(/\s+/g, " "))
		.join()`,
		encode(parts))
}

// together returns an expression for the values of several expressions at one moment, parted by ", ".
func together(sights ...string) string {
	return "[(" + strings.Join(sights, "), (") + `)].join(", ")`
}

// count returns an expression for the number of parts that a selector finds.
func count(parts string) string {
	return fmt.Sprintf(`document.querySelectorAll(%s).length`, encode(parts))
}

// box returns an expression for the rectangle of a part of the page in the window.
func box(part string) string {
	return fmt.Sprintf(`document.querySelector(%s).getBoundingClientRect()`, encode(part))
}

// isHidden returns an expression for whether a part of the page is hidden.
func isHidden(part string) string {
	return fmt.Sprintf(`document.querySelector(%s)?.hidden`, encode(part))
}

// rowOf returns an expression for the row of the flat with a title.
func rowOf(title string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".row")].find((row) =>
		row.querySelector("h2").innerText.trim() === %s)`, encode(title))
}

// Seen in any view.
const (
	openView   = `document.body.dataset.view` // its name: "list"
	hash       = `location.hash`
	fitsAcross = `document.documentElement.scrollWidth <= innerWidth` // whether no part is wider than the window
	heading    = `document.querySelector("h1")?.innerText`
)

// Notices and Undo.
var (
	notice            = `document.querySelector(".notice p")?.textContent`
	noticeTexts       = `[...document.querySelectorAll(".notice p")].map(({textContent}) => textContent).join("|")`
	noticeWhole       = `document.querySelector(".notice")?.innerText.replace(/\s+/g, " ")` // with its button
	noticeCount       = count(".notice")
	undoCount         = count(".notice button")
	noticeRoles       = `[...document.querySelectorAll(".notice")].map((notice) => notice.role).join()`
	failure           = `document.querySelector("[role=alert] p")?.innerText`
	failureCount      = count("[role=alert]")
	undoInBarIsHidden = `document.querySelector("#bar .undo").hidden`

	// noticesApart is true if the notices lie above one another, within the window.
	noticesApart = `(([first, last]) => first.bottom <= last.top && last.bottom <= innerHeight)(
		[...document.querySelectorAll(".notice")].map((notice) => notice.getBoundingClientRect()))`
)

const (
	noticeButton  = ".notice button"
	closeNotice   = ".notice .close"
	failureButton = "[role=alert] button"
)

// The list.
var (
	firstTitle = `document.querySelector(".row h2 a")?.innerText`
	focusedRow = `document.activeElement.closest(".row")?.dataset.id`
	newsButton = "#fresh button"
)

// nthRow returns an expression for the id of the flat in a row, counted from 1.
func nthRow(n int) string {
	return fmt.Sprintf(`document.querySelectorAll(".row")[%d]?.dataset.id`, n-1)
}

// countAt returns an expression for the number at the tab of a status.
func countAt(status string) string {
	return fmt.Sprintf(`document.querySelector(".tabs [data-status=%s] b")?.innerText`, status)
}

// "Dismiss these 61", the button that dismisses all flats of the list, and the chips of the filters next to it.
const (
	sweepButton   = ".sweep"
	sweepLabel    = `document.querySelector(".sweep")?.ariaLabel`
	sweepWords    = `document.querySelector(".sweep").innerText.trim()`
	sweepIsHidden = `document.querySelector(".sweep")?.hidden`
	sweepQuestion = `document.querySelector(".question p")?.innerText`

	// sweepIsWhole is true if nothing covers the button, which lies within the window.
	sweepIsWhole = `(({left, right, top}) => [left, right].every((x) =>
		document.elementFromPoint((x + (left + right) / 2) / 2, top + 10)?.closest(".sweep")) && left >= 0 &&
		right <= innerWidth)(document.querySelector(".sweep").getBoundingClientRect())`

	chipCount = `document.querySelectorAll(".chips .chip").length`
	// chipsAreWide is true if the line of chips ends at the button, and the first chip is whole.
	chipsAreWide = `((lines, chip, sweep) => sweep.left - lines.right <= 8 && chip.right <= lines.right - 24)(
		...[".lines", ".chips .chip", ".sweep"].map((part) => document.querySelector(part).getBoundingClientRect()))`
	// chipsFade is true if the line of chips fades at its end, because it can be scrolled.
	chipsFade = `getComputedStyle(document.querySelector(".lines")).maskImage !== "none"`
	// lastChipIsWhole and focusedChipIsWhole are true if the chip ends before the last 24 pixels of the line, which fade.
	lastChipIsWhole = `[...document.querySelectorAll(".lines :is(button, a, p)")].at(-1).getBoundingClientRect().right <=
		document.querySelector(".lines").getBoundingClientRect().right - 24`
	focusedChipIsWhole = `document.activeElement.matches(".chip, .chip *") &&
		document.activeElement.getBoundingClientRect().right <=
		document.querySelector(".lines").getBoundingClientRect().right - 24`
)

// scrollChips returns an expression that scrolls the line of chips.
func scrollChips(pixels int) string {
	return fmt.Sprintf(`document.querySelector(".lines").scrollLeft = %d`, pixels)
}

// isThere returns an expression for whether the page has a part.
func isThere(part string) string {
	return fmt.Sprintf(`(document.querySelector(%s) !== null)`, encode(part))
}

// isBelow returns an expression for whether a part begins where another one ends, or below.
func isBelow(part, other string) string { return box(part) + ".top >= " + box(other) + ".bottom" }

// Rows of the list.
var (
	firstRating       = `document.querySelector(".row").querySelector(".rating")?.innerText`
	firstStatus       = `document.querySelector(".row .status")?.innerText`
	followsInFirstRow = `document.querySelectorAll(".row:first-child [data-status=followed]:is(button)").length`
	firstRowTop       = `document.querySelector(".row").getBoundingClientRect().top`
	focusedStatus     = `document.activeElement.dataset.status`
	rowBelowSinceLine = `document.querySelector(".since-line ~ .row")` // a row below the line "New since …"
)

// The buttons of the open flat (.own) that set its status.
var (
	// statuses has the row of the usual statuses, with "!" at the pressed one, and a status that has no usual button.
	statuses = `[...document.querySelectorAll(
		".own .statuses button, .own .choices > .line > :is([data-status=duplicate], [data-status=odd])")].map((button) =>
		button.innerText + (button.ariaPressed === "true" ? "!" : "")).join()`
	statusLineCount = `new Set([...document.querySelectorAll(".own .statuses button")]
		.map((button) => button.offsetTop)).size`
	statusMenu             = textsOf(".own [popover]:popover-open button") // the other statuses, if the menu is open
	dismissIsBelowStatuses = isBelow(".own .choices > .line [data-status=ignored]", ".own .statuses")
	dismissPressed         = `document.querySelector(".own .choices > .line [data-status=ignored]").ariaPressed`
	// statusMenuIsAtButton is true if the menu of the statuses hangs at its button, above or below.
	statusMenuIsAtButton = `(([button, menu]) => Math.abs(menu.left - button.left) < 100 &&
		Math.min(Math.abs(menu.top - button.bottom), Math.abs(button.top - menu.bottom)) < 10)(
		[` + box(moreStatuses) + "," + box(".own [popover]") + `])`
	// otherStatusIsBesideDismiss is true if the button of the menu stands in one row with "Dismiss", and is narrow.
	otherStatusIsBesideDismiss = `(([own, dismiss]) => own.top === dismiss.top && own.width < 120)([...document
		.querySelectorAll(
		".own .choices > .line:has([popover]) > button")].map((button) => button.getBoundingClientRect()))`
	// cutStatusRowCount counts the row of statuses and the bar of a phone if the end of the row is out of sight.
	cutStatusRowCount = `[".own .statuses", ".flat .bar"].map((part) => document.querySelector(part))
		.filter(({scrollWidth, clientWidth}) => scrollWidth > clientWidth).length`
	// statusesMargin is the smaller distance of the row of statuses from the left or right edge of its card.
	statusesMargin = `(([row, card]) => Math.min(row.left - card.left, card.right - row.right))(
		[".own .statuses", ".next"].map((part) => document.querySelector(part).getBoundingClientRect()))`
	offeredStatuses = `[...new Set([...document.querySelectorAll(".own .choices [data-status]")]
		.map(({dataset}) => dataset.status))].sort().join()`
)

const moreStatuses = ".own [popovertarget]"

// inStatusMenu returns an expression for a button of the menu of statuses.
func inStatusMenu(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".own [popover] button")].find(({innerText}) => innerText === %q)`,
		name)
}

// The actions of the open flat, and the dialog of "Message".
var (
	contactActions      = textsOf(".contact > *")
	filledContactAction = textsOf(".contact > .primary")
)

const (
	callButton     = ".contact [href^=tel]"
	callInAddress  = ".address [href^=tel]"
	messageButton  = ".contact button"
	messageDialog  = ".message"
	messageByPhone = ".message [href^=sms]"
	editButton     = ".edit"
	editFields     = ".editing"
)

// Notices in detail.
var (
	noticePart      = ".notice p"
	noticePointedAt = `document.querySelector(".notice").matches(":hover")`
	// failedDecisions has the decisions that the failures name.
	failedDecisions = `[...document.querySelectorAll("[role=alert] p")]
		.map(({innerText}) => /: (\w+)\./.exec(innerText)[1]).join()`
	// noticeEndCut is "0 true" if no pixel of the words about the decision is cut off, and if the notice's text ends left
	// of the button.
	noticeEndCut = `(({scrollWidth: needed, clientWidth: given}) => needed - given)(
		document.querySelector(".notice .of + span")) + " " +
		(` + box(".notice p") + `.right <= ` + box(".notice button") + `.left)`
)

// What floats at the bottom of a phone.
var (
	// newsIsAccented is true if the button of news has the colour of the number in the bar, which is the accent.
	newsIsAccented = `new Set(["#fresh button", "#bar [data-view=triage] .badge"].map((selector) =>
		getComputedStyle(document.querySelector(selector)).backgroundColor)).size === 1`
	// layersAtFoot has the layers that float in the lower half of the window, from the bottom upwards, and "overlap"
	// unless each ends where the one below begins.
	layersAtFoot = `(() => {
		const all = ["#bar", "#fresh button", "#chosen", ".notice", ".bar", ".decide", ".decision"]
			.flatMap((name) => [...document.querySelectorAll(name)].map((element) => ({name,
				box: element.getBoundingClientRect()})))
			.filter(({box}) => box.height > 0 && box.top > innerHeight / 2);
		all.sort((a, b) => b.box.top - a.box.top);
		const isPiled = all.slice(1).every(({box}, i) => box.bottom <= all[i].box.top + 1);
		return all.map(({name}) => name).join(" ") + (isPiled ? "" : " overlap");
	})()`
	// barPlaces has the left and right ends of the five places of the bar: "0-78".
	barPlaces = `[...document.querySelectorAll("#bar .views a, #bar .menu")].map((place) => {
		const {left, right} = place.getBoundingClientRect();
		return Math.round(left) + "-" + Math.round(right);
	}).join()`
	// undoPlace has the width and height of Undo, and its distances from the bar and from the right edge of the window.
	undoPlace = `(({width, height, bottom, right}) => [width, height,
		document.querySelector("#bar").getBoundingClientRect().top - bottom,
		document.documentElement.clientWidth - right].join())(
		document.querySelector("#bar .undo").getBoundingClientRect())`
	// noticeIsAtTop is true if the notice is in the upper third of a phone.
	noticeIsAtTop = `document.querySelector(".notice").getBoundingClientRect().bottom < 300`
	// coveredByFloor has the controls under the layers that float at the bottom.
	coveredByFloor = `[...document.querySelectorAll("#floor > *")].flatMap((part) => {
		const {top, bottom, left, right} = part.getBoundingClientRect();
		if (bottom === top || bottom < innerHeight / 2) return [];
		return [...document.querySelectorAll("main :is(button, a.button), #bar :is(a, button)")].filter((control) => {
			const box = control.getBoundingClientRect();
			return control.checkVisibility() && box.width > 0 && box.top < bottom - 1 && box.bottom > top + 1 &&
				box.left < right && box.right > left;
		}).map((control) => control.innerText + " under " + part.id);
	}).join()`
)

// The room of the list.
var (
	// brokenCostCount is the number of costs that take two lines, or more than their cell.
	brokenCostCount = `[...document.querySelectorAll("td:is(.cost, .cost_per_area)")].filter((cell) => {
		const text = document.createRange();
		text.selectNodeContents(cell);
		const lines = new Set([...text.getClientRects()].map(({top}) => top));
		return lines.size > 1 || text.getBoundingClientRect().right > cell.getBoundingClientRect().right;
	}).length`
	titleWidth   = `document.querySelector("td.title").offsetWidth`
	cardsInSight = `[...document.querySelectorAll(".rows .row")]
		.filter((row) => row.getBoundingClientRect().bottom < innerHeight).length`
	// cutRangeCount is the number of fields of a range whose number does not fit.
	cutRangeCount = `[...document.querySelectorAll(".range input")]
		.filter((input) => input.value && input.scrollWidth > input.clientWidth).length`
)

const (
	filtersButton = ".toggle"
	visitTomorrow = ".usual button:nth-last-child(2)" // the chip "Tomorrow 18:00"
)

// showsFlat returns an expression for whether the view shows a flat.
func showsFlat(id string) string { return isThere(fmt.Sprintf("[data-id=%q]", id)) }

// A question about a change that waited, because somebody else has changed the field, too.
const (
	// questionValues has one's own value and the value that somebody else has set.
	questionValues = `[...document.querySelectorAll(".questions dd")].map(({innerText}) => innerText).join()`
	lastAnswer     = ".questions button:last-child" // keeps the value that somebody else has set
)

const visitField = "#visit"

// Triage.
const (
	cardTitle      = `document.querySelector(".card h2")?.innerText`
	triageProgress = `document.querySelector(".triage [role=status]")?.textContent` // "5 left · 2 done"
	cardID         = `decodeURIComponent(document.querySelector(".card h2 a").hash.slice("#/flat/".length))`
	// coveredDecideCount is the number of buttons for decisions that something covers.
	coveredDecideCount = `[...document.querySelectorAll(".decide button")]
		.filter((button) => middleOf(button).cover).length`
)

// The card of Triage in detail. In the page, the function at returns the rectangle of a part of the card in the window;
// openCards defines it.
const (
	triageCard  = ".card"
	galleryPart = ".gallery"
	cardArea    = ".room" // the card and what is below it
	followCard  = ".triage [data-status=followed]"
	dismissCard = ".decide [data-status=ignored]"

	markedWord    = `document.querySelector(".card mark").innerText`
	photoNumber   = `document.querySelector(".turner span").innerText`
	litStarCount  = `document.querySelectorAll(".stars [aria-pressed=true]").length`
	triageDoubles = ".doubles li"
	// coveredDoubles has the buttons of probable duplicates that are not in sight.
	coveredDoubles = `[...document.querySelectorAll(".doubles button")].filter((button) => {
		const {left, right, top, bottom} = button.getBoundingClientRect();
		return ![[left + 2, top + 2], [right - 2, bottom - 2]].every(([x, y]) =>
			document.elementFromPoint(x, y) === button);
	}).map(({innerText}) => innerText).join()`
	cardTop           = `document.querySelector(".card").getBoundingClientRect().top`
	firstLineOfTriage = `document.querySelector(".triage > .line")`
	// waitsBesideHead is true if the line about waiting changes lies right of the first line's words and above the card.
	waitsBesideHead = `(([words, waits, card]) => waits.left >= words.right && waits.bottom <= card.top && waits.top >= 0)(
		[".triage > .line", "#waiting p", ".card"].map((part) => document.querySelector(part).getBoundingClientRect()))`
	decidePlace     = `JSON.stringify(document.querySelector(".decide").getBoundingClientRect())`
	cardLeft        = `document.querySelector(".card").getBoundingClientRect().left`
	cardTitleHeight = `document.querySelector(".card h2 a").offsetHeight`
	cardTitleLook   = `(({fontSize, textDecorationLine}) => fontSize + " " + textDecorationLine)(
		getComputedStyle(document.querySelector(".card h2 a")))`
	cardFacts = `document.querySelector(".card .what").innerText`
	cardWords = `document.querySelector(".card").innerText.trim().replace(/\s+/g, " ")`
	cardLinks = `[...document.querySelectorAll(".card a")].map(({hash}) => hash).join()`
	// galleryMargins has the margins above, left and right of the photos in the card.
	galleryMargins = `(([card, photos]) => [photos.top - card.top, photos.left - card.left, card.right - photos.right]
		.join())(
		[".card", ".gallery"].map((part) => document.querySelector(part).getBoundingClientRect()))`

	// photosInOneLook is true if four photos stand right of the large one, and the last of them says that nine follow.
	photosInOneLook = `(([first, ...more]) => more.length === 3 && [first, ...more].every((button) => {
		const {left, top, bottom} = button.getBoundingClientRect();
		return left >= at(".frame").right && top >= at(".gallery").top && bottom <= at(".gallery").bottom + 1;
	}) && more.at(-1).dataset.more === "+9")([...document.querySelectorAll(".strip button")]
		.filter((button) => button.checkVisibility()))`
	// photoIsWhole is true if the large photo has the shape of a photo, 3:2.
	photoIsWhole = `Math.abs(at(".frame .photo").width / at(".frame .photo").height - 1.5) < .01`
	// ownIsInSight is true if the user's own buttons, above the decisions, are whole and in one line.
	ownIsInSight = `(buttons => buttons.every((button) => {
		const {left, right, top, bottom} = button.getBoundingClientRect();
		return top === buttons[0].getBoundingClientRect().top && bottom <= at(".decide").top &&
			button.contains(document.elementFromPoint((left + right) / 2, bottom - 6));
	}))([...document.querySelectorAll(".what > .line:last-child button")])`
	decideIsUnderFacts    = `at(".decide").left >= at(".gallery").right && at(".decide").top >= at(".what").bottom`
	factsAreRightOfPhotos = `at(".what").left > at(".strip").right && at(".text").top > at(".strip").bottom`
	photoNumberIsOnPhoto  = `at(".turner").bottom <= at(".frame").bottom`
	textIsBelowPhotos     = `at(".gallery").bottom < at(".text").top`
	phoneHasOnePhoto      = `at(".strip").height === 0 && at(".text").top > at(".what").bottom`
	cardIsText            = `at(".text").right < at(".what").left && Math.abs(at(".text").top - at(".what").top) < 2`

	// keyCaps has the buttons that name their key.
	keyCaps = `[...document.querySelectorAll(".decide kbd")].filter((cap) => cap.checkVisibility())
		.map((cap) => cap.parentNode.innerText.replace(/\s+/g, " ")).join()`

	// swipeVerdict has what a swipe under way shows: the word for its decision, the status of the decision, and the words
	// of the next card, which lies beneath.
	swipeVerdict = `(([word, next]) => [word.innerText, word.dataset.status, ...next.innerText.split(/\s+/)].join(" "))(
		[".verdict", ".behind"].map((part) => document.querySelector(part)))`
	verdictHasColour = `getComputedStyle(document.querySelector(".verdict")).backgroundColor === getComputedStyle(
		document.querySelector(".decide [data-status=" + document.querySelector(".verdict").dataset.status + "]"))[
		document.querySelector(".verdict").dataset.status === "followed" ? "backgroundColor" : "color"]`
	nextCardPhotoCount = `document.querySelectorAll(".behind .photo").length`
	nextCardIsHidden   = `document.querySelector(".behind").hidden`
)

// Triage with filters, the bar, and the bar of news.
const (
	// triageLine has the words of the first line of Triage, without the button "Dismiss all like this".
	triageLine = `document.querySelector(".triage > .line")?.innerText.replace(/\s*(Dismiss a|A)ll like this|\s+/g, " ")
		.trim()`
	triageKeepsFilters = `document.querySelector(".triage a[href*=rooms]")`
	outsideLine        = `document.querySelector(".outside").innerText` // how many flats the filters leave out
	linkInOutside      = ".outside a"
	triageCount        = `document.querySelector("#bar [data-view=triage] .badge").innerText` // the number in the bar
	undoInBar          = ".undo"
	newsButtonText     = `document.querySelector("#fresh button")?.innerText`
	anyRow             = ".row"
	visitsHeading      = ".visits h1"
)

// The heads, tabs, filters and rows of the list.
const (
	// sortedHead has the column by which the list is sorted, and its order: "Cost ascending".
	sortedHead = `(({innerText, ariaSort}) => innerText + " " + ariaSort)(document.querySelector("th[aria-sort]"))`
	// focusedOrder is the order of the column whose head has the focus.
	focusedOrder   = `document.activeElement.closest("th")?.ariaSort`
	focusedText    = `document.activeElement.innerText`
	filterTrouble  = `document.querySelector(".trouble:not(:empty)").innerText` // what is wrong with a filter
	invalidCount   = `document.querySelectorAll("[aria-invalid=true]").length`
	firstChip      = ".chips .chip"
	clearFilters   = ".chips .link"
	hiddenOnesLine = ".hidden-ones"
	listEnd        = ".foot .end:not(:empty)"
	csvLink        = `document.querySelector(".tools a[download]")`
	rowIDs         = `[...document.querySelectorAll(".row")].map(({dataset}) => dataset.id).join()`

	waysInRows = `[...document.querySelectorAll(".row")].map((row) => row.querySelector("h2").innerText + " " +
		row.querySelector(".travel_time").innerText.replace(/\s/g, " ")).join()`
	waysOnPaper = `[...document.querySelectorAll(".paper td.travel_time")]
		.map((cell) => cell.textContent.replace(/\s/g, " ")).join()`
	// placeChoiceCount is the number of choices of the place of the travel time.
	placeChoiceCount = `[...document.querySelectorAll(".panel label:not([hidden])")]
		.filter((label) => label.textContent.startsWith("Travel time to")).length`
	placeOptions = `[...document.querySelector(".panel select:has(option[value=kita])").options]
		.map((option) => option.innerText).join()`
	placeChoice = ".panel select:has(option[value=kita])"

	firstSinceTime  = `document.querySelector("td.since time")`
	firstTimeAgo    = `[...document.querySelectorAll("main time")].filter(({innerText}) => /ago/.test(innerText))[0]`
	aboutOfFirstRow = `document.querySelector(".row .about")?.innerText.replace(/\s+/g, " ")` // the last line of a card
	sourceLine      = `document.querySelector(".source")?.innerText.replace(/\s/g, " ")`
	timesOnPaper    = `document.querySelectorAll(".paper td").length > 0 &&
		document.querySelectorAll(".paper time").length`

	twoTagRowCount = `document.querySelectorAll(".row:has(.tag + .tag)").length`
	rowsInSight    = `[...document.querySelectorAll(".row")]
		.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length`
	cutTagCount = `[...document.querySelectorAll(".tags .tag")]
		.filter((tag) => tag.scrollWidth > tag.clientWidth).length`
	firstTagLineCount = `new Set([...document.querySelectorAll(".row:first-child .tags .tag")]
		.map((tag) => tag.offsetTop)).size`
)

// headOf returns the button of a column's head.
func headOf(field string) string { return "th." + field + " button" }

// tabOf returns the tab of a status.
func tabOf(status string) string { return ".tabs [data-status=" + status + "]" }

// tabText returns an expression for the name and number of the tab of a status.
func tabText(status string) string {
	return fmt.Sprintf(`document.querySelector(%q)?.innerText`, tabOf(status))
}

// rangeField returns a field of a range by its name, such as "Cost to".
func rangeField(name string) string { return "[aria-label='" + name + "']" }

// isInvalid returns an expression for whether a field is marked as wrong.
func isInvalid(field string) string {
	return fmt.Sprintf(`document.querySelector(%s).getAttribute("aria-invalid")`, encode(field))
}

// statusTagOf returns an expression for the status in the row of a flat.
func statusTagOf(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id='%s'] .status")?.textContent.replace(/\s/g, " ")`, id)
}

// What changes in the list.
const (
	currentTab      = `document.querySelector(".tabs [aria-current]").innerText.trim()`
	currentTabCount = `document.querySelector(".tabs [aria-current] b").innerText`
	firstTabHash    = `document.querySelector(".tabs a").hash`
	endOfList       = `document.querySelector(".end").innerText`
	searchField     = "#search"
	chosenOrder     = `document.querySelector(".rest select")?.selectedOptions[0].innerText`

	firstRowStatus = `document.querySelector(".row").dataset.status`
	changesInRows  = `[...document.querySelectorAll(".row .tag")].map(({innerText}) => innerText
		.replace(/ (since .*|today)/, "")).join()`
	// tagsInRows has the ids of all rows with their tags, with the word "clock" for each time of day.
	tagsInRows = `[...document.querySelectorAll(".row")]
		.map((row) => row.dataset.id + ": " + [...row.querySelectorAll(".tag:not(.status)")]
			.map((tag) => tag.innerText)).join("; ").replace(/\d+:\d+/g, "clock")`
	// newsIsUnderHeads is true if the button of news lies at most 8 pixels below the heads of the table.
	newsIsUnderHeads = `(([{bottom}, {top}]) => top >= bottom && top <= bottom + 8 || top + " " + bottom)(
		[".flats thead", "#fresh button"].map((part) => document.querySelector(part).getBoundingClientRect()))`
	newsPartCount     = `document.querySelector("#fresh").childElementCount`
	filledButtonCount = `[...document.querySelectorAll("main .primary")]
		.filter((button) => button.checkVisibility()).length`
)

// orderOf returns an expression for the order of a column, if the list is sorted by it.
func orderOf(field string) string {
	return fmt.Sprintf(`document.querySelector(%q).ariaSort`, "th."+field)
}

// rowsAre returns an expression for whether all rows have one of the statuses.
func rowsAre(statuses ...string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".row")].every(({dataset}) => %s.includes(dataset.status))`,
		encode(statuses))
}

// showsCost returns an expression for whether a row has a cost.
func showsCost(cost string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("td.cost")].some(({innerText}) => innerText === %q)`, cost)
}

// The flats chosen for comparison.
const (
	chosenFirstLine     = `document.querySelector("#chosen").innerText.trim().split("\n")[0]`
	compareChosen       = `document.querySelector("#chosen a").innerText`
	chosenPartCount     = `document.querySelector("#chosen").childElementCount`
	chosenLink          = "#chosen a"
	closeChosen         = "#chosen .close"
	pressedCompareCount = `document.querySelectorAll(".row [data-compare][aria-pressed=true]").length`
	comparedFlat        = `document.querySelector(".heads a")`
	closeLastCompared   = ".heads > :last-child .close"
	takeOverCompared    = ".compare > .line > :last-child"
)

// rowAt returns an expression for a row of the list, counted from 1.
func rowAt(n int) string { return fmt.Sprintf(`document.querySelectorAll(".row")[%d]`, n-1) }

// scrollTo returns an expression that scrolls a part into sight.
func scrollTo(part string) string {
	return fmt.Sprintf(`document.querySelector(%s).scrollIntoView({block: "center"})`, encode(part))
}
