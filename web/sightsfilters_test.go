// What a person sees of the filters, as in sights_test.go.

package web

import "fmt"

// Filters of the list, and what the list says about them.
const (
	furtherFilters  = ".further"
	doneWithFilters = ".done"
	showHidden      = ".hidden-ones button"
	currencyLine    = `document.querySelector(".currencies").innerText.trim()`
	firstCurrency   = ".currencies button"
	firstTab        = ".tabs a"
	savedView       = ".saved .view"
	rowTitles       = `[...document.querySelectorAll(".row h2")].map((title) => title.innerText).join(" ")`
	tabsTop         = `Math.round(document.querySelector(".tabs").getBoundingClientRect().top + scrollY)`
	proposedName    = `document.querySelector(".naming input")?.value`
	cancelName      = ".naming [type=button]"
	closeSheet      = `document.querySelector(".sheet")?.close()`
)

// The names in the panel.
const (
	filterLabels = `[...document.querySelectorAll(".panel label:not([hidden])")].map((label) => label.innerText
		.split("\n")[0]).join()`
	filterNames = `[...document.querySelectorAll(".panel label:not([hidden]) > span")].map(({innerText}) => innerText)
		.join()`
	daysOffered = `[...document.querySelectorAll(".panel label")].find(({innerText}) => /^First seen/.test(innerText))
		.querySelector("select").innerText.match(/\d+/g).join()`
	shownFilters = `[...document.querySelectorAll(".fields :is(label, .range, .opener) > span:first-child")]
		.filter((name) => name.checkVisibility()).map(({innerText}) => innerText).join()`
	// focusedFilter has the first seven letters of the filter that has the focus: "Sort by".
	focusedFilter = `document.activeElement.parentElement.innerText.slice(0, 7)`
	sheetTools    = `[...document.querySelectorAll(".sheet .tools > *")].map(({innerText}) => innerText).join()`
	// openPanelParts has the parts that hang under the line of filters.
	openPanelParts = `[...document.querySelectorAll(".rest, .several")].filter(({hidden}) => !hidden)
		.map(({className}) => className).join()`
)

// Places.
const (
	placesButton = ".opener"
	firstPlace   = ".several label"
	chosenPlace  = `document.querySelector(".several :checked").value`
	// placeBoxes has the places with their numbers, "+" at ticked ones and "?" where one of several codes is chosen.
	placeBoxes = `[...document.querySelectorAll(".several label")].map(({innerText, firstChild: box}) =>
		innerText + (box.indeterminate ? "?" : box.checked ? "+" : "")).join()`
	placesInColumn = `[...document.querySelectorAll(".several label")]
		.every(({offsetLeft}, _, [first]) => offsetLeft === first.offsetLeft)`
	// placesState has whether the places are unfolded, and the chosen place, which their field names.
	placesState = `(({ariaExpanded}) => ariaExpanded === "true" ? "unfolded, " : "folded, ")(
		document.querySelector(".opener")) + document.querySelector(".opener b").innerText`
	// placeControls has the types of the controls of the places in sight, each once.
	placeControls = `[...new Set([...document.querySelectorAll(".several :is([type=search], [type=checkbox])")]
		.filter((control) => control.checkVisibility()).map(({type}) => type))].join()`
	smallPlaceCount = `[...document.querySelectorAll(".several label")]
		.filter(({offsetHeight}) => offsetHeight < 44).length`
)

// placeBox returns the box of a place.
func placeBox(place string) string { return ".several [value='" + place + "']" }

// toolButton returns an expression for a button above the list.
func toolButton(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".tools button")].find(({innerText}) => innerText === %q)`, name)
}

const toolsMenu = ".tools-opener"

// The room of the panel, and parts that lack room.
const (
	panelHeight = `document.querySelector(".panel").offsetHeight`
	// brokenRangeCount is the number of ranges that are not one field: whose two inputs do not stand next to each other
	// within one border.
	brokenRangeCount = `[...document.querySelectorAll(".range")].filter((range) => {
		const outer = range.getBoundingClientRect();
		const ends = [...range.querySelectorAll("input")].map((input) => input.getBoundingClientRect());
		return ends.length !== 2 || ends[0].right > ends[1].left || getComputedStyle(range).borderTopWidth !== "1px" ||
			ends.some(({left, right, top, bottom}) => left < outer.left || right > outer.right || top < outer.top ||
				bottom > outer.bottom);
	}).length`
	// crowdedRangeCount is the number of ranges whose name comes closer than 2 pixels to the placeholder "from" next to
	// it, which stands in the middle of its input.
	crowdedRangeCount = `[...document.querySelectorAll(".range")].filter((range) => {
		const name = document.createRange();
		name.selectNodeContents(range.querySelector("span"));
		const [from] = range.querySelectorAll("input");
		const pen = document.createElement("canvas").getContext("2d");
		pen.font = "12px system-ui, sans-serif";
		const {left, width} = from.getBoundingClientRect();
		return left + (width - pen.measureText(from.placeholder).width) / 2 - name.getBoundingClientRect().right < 2;
	}).length`
	smallFilterCount = `[...document.querySelectorAll(".panel :is(input:not([type=checkbox]), select)")]
		.filter((control) => control.checkVisibility() && control.offsetHeight < (innerWidth < 900 ? 44 : 30)).length`
	// unpairedFilterCount is the number of fields that have no other field in their row or are too small. The last of an
	// odd number of fields may stand alone.
	unpairedFilterCount = `(() => {
		const fields = [...document.querySelectorAll(".panel :is(.fields label, .range, .further, .opener)")]
			.filter((field) => field.checkVisibility()).map((field) => field.getBoundingClientRect());
		const row = ({top}) => fields.filter((other) => Math.abs(other.top - top) < 1).length;
		const odd = fields.filter((field) => row(field) !== 2 || field.height < 44 || field.width < 140).length;
		return odd - fields.length % 2;
	})()`
	// filtersCut has the number of fields, whether the page is as wide as the window, and the fields that are cut.
	filtersCut = `(() => {
		const fields = [...document.querySelectorAll(".panel :is(.fields label, .range, .opener)")]
			.filter((field) => field.checkVisibility());
		const cut = fields.filter((field) => field.scrollWidth > field.clientWidth || field.offsetHeight < 44 ||
			field.getBoundingClientRect().right > innerWidth);
		return [fields.length, document.documentElement.scrollWidth <= innerWidth, ...cut.map(({innerText}) => innerText)];
	})().join()`
	wrappedFilters = `[...document.querySelectorAll(
		".panel :is(.fields label, .range, .opener) > span:first-child, .tools > *")]
		.filter((part) => part.checkVisibility() && (part.scrollWidth > part.clientWidth || part.offsetHeight > 44))
		.map(({innerText}) => innerText).join()`
	// fieldPlaces has where each field stands, and how wide it is.
	fieldPlaces = `[...document.querySelectorAll(".sheet :is(label, .range, .opener, .tools, .done)")]
		.filter((field) => field.checkVisibility())
		.map((field) => [field.offsetTop, field.offsetWidth, field.getBoundingClientRect().top].join(" ")).join()`
	// coveredByTrouble has the fields under the error of another field.
	coveredByTrouble = `(() => {
		const trouble = document.querySelector(".trouble:not(:empty)");
		const wrong = trouble.getBoundingClientRect();
		return [...document.querySelectorAll(".sheet :is(label, .range, .opener, button)")].filter((field) => {
			const {top, bottom, left, right} = field.getBoundingClientRect();
			return field.checkVisibility() && field.parentElement !== trouble.parentElement && top < wrong.bottom &&
				bottom > wrong.top && left < wrong.right && right > wrong.left;
		}).map(({innerText}) => innerText).join();
	})()`
)

// Travel times.
const (
	firstRowDuration = ".row .duration"
	timeOfStreet     = "[data-id=street] .duration"
	// wayToUniversity has the line of the way among the facts, with how its time was computed.
	wayToUniversity = `[...document.querySelectorAll(".pairs div")].map((pair) => [...pair.children]
		.map(({textContent}) => textContent.replace(/\s/g, " ")).join(" "))
		.find((pair) => pair.startsWith("university"))`
	// bestTimes has for each cell with a travel time in Compare whether it is marked as the best.
	bestTimes = `[...document.querySelectorAll("td:has(.duration)")].map((cell) => cell.matches(".best")).join()`
)

// timeIn returns an expression for the time in a part, and for how it was computed, as the tooltip and the text for
// screen readers say it: "25 min|from the street| (from the street)".
func timeIn(part string) string {
	return `((time) => time && [time.firstChild.textContent, time.title, time.querySelector(".sr")?.textContent ?? ""]
		.join("|").replace(/\s/g, " "))(document.querySelector(` + encode(part+" .duration") + `))`
}

// tooltipOf returns an expression for the tooltip that the mouse shows at the middle of a part.
func tooltipOf(part string) string {
	return fmt.Sprintf(`(({x, y}) => document.elementFromPoint(x, y).closest("[title]")?.title)(
		middleOf(document.querySelector(%q)))`, part)
}

// textContents returns an expression for the texts of all parts that a selector finds, also of those out of sight.
// Nothing stands between the texts of parts of a part: "Bno price".
func textContents(parts string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%s)].map(({textContent}) => textContent).join("|")`, encode(parts))
}

// Costs in each view.
var (
	tableCosts     = textContents("td.cost")
	cardCosts      = textContents(".known .cost")
	paperCosts     = textContents(".paper td.cost")
	factCosts      = textContents(".facts .cost")
	cardFactCosts  = textContents(".card .ordered .cost")
	costChanges    = textContents(".source ~ p:not(.soft, .address)")
	doubleLines    = textContents(".doubles li")
	visitCosts     = textContents(".day .cost")
	pastVisitLines = textContents("details .where")
	groupCosts     = textContents(".homes .cost")
	mapNumbers     = textContents("tbody .number")
)

// comparedIn returns an expression for the cells of a row of Compare, counted from 1.
func comparedIn(row int) string { return textContents(fmt.Sprintf("tbody tr:nth-child(%d) td", row)) }

// The place in the list, and links to other views.
const (
	moreRows = ".foot .more"
	// rowInSight has the first row below 200 pixels from the top of the window, and where it begins: "7 at 204".
	rowInSight = `(([row]) => row && row.dataset.id + " at " + Math.round(row.getBoundingClientRect().top))(
		[...document.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().top > 200))`
	// titleInSight is the title of a row further down than 200 pixels, so that the bar and the filters do not cover it.
	titleInSight  = `[...document.querySelectorAll(".row a")].find((a) => a.getBoundingClientRect().top > 200)`
	viewCount     = `document.querySelectorAll("main > *").length`
	menuButton    = ".menu"
	menuIsCurrent = `document.querySelector(".menu").matches(":has(+ nav [aria-current])")`
	listInBar     = ".views [data-view=list]"
	helpWords     = `document.querySelector("#help[open]")?.innerText`
	helpIsCut     = `(({scrollHeight, clientHeight}) => scrollHeight > clientHeight)(document.querySelector("#help"))`
	helpTop       = `document.querySelector("#help").scrollTop`
)

// linkTo returns the link to a view.
func linkTo(view string) string { return "a[href*='#/" + view + "']" }

// focusUnscrolled returns an expression that moves the focus to a part, and leaves the page where it is.
func focusUnscrolled(part string) string {
	return fmt.Sprintf(`document.querySelector(%q).focus({preventScroll: true})`, part)
}

// Saved views.
const (
	saveThisView       = "Save this view"
	viewName           = ".naming input"
	saveName           = ".naming .primary"
	savedLink          = ".saved a"
	lastSavedLink      = ".saved .view:last-child a"
	currentSavedMenu   = ".saved :has(> [aria-current]) .close" // of the view that is shown
	removeSaved        = "#saved-menu .destroys"
	savedBell          = "#saved-menu .bell" // switches messages about a view on and off
	bellInSettings     = "#settings-messages .bell"
	savedCurrent       = ".saved [aria-current]"
	savedReasonPart    = `document.querySelector(".saved small")`
	nameTrouble        = `document.querySelector(".naming .trouble").innerText`
	lastNotice         = `[...document.querySelectorAll(".notice p")].at(-1)?.innerText`
	openDialog         = "dialog[open]"
	lastSavedWidth     = `document.querySelector(".saved .view:last-child").offsetWidth`
	lastSavedTooltip   = `document.querySelector(".saved .view:last-child .name").title`
	currentSaved       = `document.querySelector(".saved [aria-current]")?.innerText`
	currentSavedReason = `document.querySelector(".saved [aria-current] small")?.innerText`
	scrollToFirstSaved = `document.querySelector(".saved .view").scrollIntoView({inline: "start", block: "nearest"})`
	// cutSavedCount is the number of tabs that are wider than a narrow phone or whose menu is not whole.
	cutSavedCount = `[...document.querySelectorAll(".saved .view")].filter((view) => {
		const {left, right, top, bottom, width} = view.getBoundingClientRect();
		const menu = view.querySelector(".close")?.getBoundingClientRect();
		return width > 288 || menu && (menu.width < 44 || menu.left < left || menu.right > right || menu.top < top ||
			menu.bottom > bottom);
	}).length`
	// bells has for each saved view, in the list or in Settings, whether it sends messages.
	bells = `[...document.querySelectorAll(".saved .view, #settings-messages .bell")].map((view) =>
		view.matches(".bell") ? view.ariaLabel + ": " + view.ariaPressed
		: "Tell me: " + view.querySelector(".name").innerText + ": " + / Tell me/.test(view.textContent)).join("|")`
	// savedIsWhole is true if the tab of the open view, and its menu, lie in the part of their line that is in sight.
	savedIsWhole = `(() => {
		const line = document.querySelector(".lines").getBoundingClientRect();
		const {left, right} = document.querySelector(".saved :has(> [aria-current])").getBoundingClientRect();
		return left >= line.left && right <= line.right - 24;
	})()`
	saveWithMessages = ".naming button:not(.primary, [type=button])" // saves the view and switches its messages on
	renameSaved      = `#saved-menu [aria-label^=Rename]`
	crossesOfSaved   = `[...document.querySelectorAll(".saved button")].filter(({ariaLabel}) =>
		!/^Actions/.test(ariaLabel)).length`
	savedMenuItems = `[...document.querySelectorAll("#saved-menu button")].map(({innerText}) => innerText.trim())
		.join("|")`
)

// sendsMessages returns an expression for whether a saved view sends messages.
func sendsMessages(name string) string {
	return fmt.Sprintf(`fetch("api/v1/views").then((answer) => answer.json())
		.then(({data}) => data.find(({name}) => name === %q)?.notify)`, name)
}

// savedMenuAt returns the button for the menu of a saved view, counted from 1.
func savedMenuAt(n int) string { return fmt.Sprintf(".saved .view:nth-child(%d) .close", n) }

// Messages.
const (
	notifyState = `document.querySelector("#settings-messages .receiver")?.innerText.replace(/\s+/g, " ")`
	testAnswer  = `document.querySelector("#settings-messages .receiver [role=status]").innerText`
	testFailure = `document.querySelector("#settings-messages .receiver .wrong")?.innerText`
)

// The search.
const (
	firstMark       = `document.querySelector("mark").innerText`
	searchHelp      = "[popovertarget=search-help]"
	searchHelpWords = `[...document.querySelectorAll("#search-help li")].map(({innerText}) => innerText.split(":")
		.slice(0, -1)
		.join(":")).join("|")`
	searchHelpIsAtButton = `((help, mark) => help.top >= mark.bottom && help.top - mark.bottom < 8 &&
		help.right >= mark.left &&
		help.left <= mark.right)(...["#search-help", "[popovertarget=search-help]"]
			.map((part) => document.querySelector(part).getBoundingClientRect()))`
	closeHelp   = "#help .primary"
	triageInBar = ".views [data-view=triage]"
	backHash    = `document.querySelector(".steps a").hash`
)

// What a search finds in addition.
var (
	misspelledLine = text(".misspelled")
	elsewhereLine  = text(".elsewhere > p")
	elsewhereLines = `[...document.querySelectorAll(".elsewhere li")].map(({innerText}) =>
		innerText.trim().replace(/\s+/g, " ")).join("|")`
	// linesElsewhere has the number of lines of each title, "in" if the rest is beneath it without a gap, and the number
	// of lines of the rest.
	linesElsewhere = `[...document.querySelectorAll(".elsewhere li .line")].map((line) => {
		const [title, ...others] = line.children;
		const words = document.createRange();
		words.selectNodeContents(title);
		const lines = new Set([...words.getClientRects()].map(({bottom}) => Math.round(bottom)));
		const tops = new Set(others.map(({offsetTop}) => offsetTop));
		const isBeneath = others.every((part) => part.getBoundingClientRect().top >= Math.max(...lines) - 1);
		const isPlain = line.offsetHeight < (lines.size + 1) * others[0].offsetHeight + 2;
		return lines.size + (isBeneath && isPlain ? " in " : " apart ") + tops.size;
	}).sort().join()`
	elsewhereMarks = `[...document.querySelectorAll(".elsewhere mark")].map(({innerText}) => innerText).join("|")`
	// currenciesInOrder has the first three letters of the ids of all rows, without repetitions.
	currenciesInOrder = rowIDs + `.split(",").map((id) => id.slice(0, 3)).filter((id, i, all) => id !== all[i - 1]).join()`

	elsewhereCount    = count(".elsewhere li")
	elsewhereAll      = ".elsewhere > p a"
	elsewhereWasAsked = `performance.getEntriesByType("resource").some(({name}) => name.includes("station%2Cnotes"))`
)

// keysOf returns an expression for the keys whose help has some words.
func keysOf(words string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("#help dl div")].filter(({innerText}) => /%s/.test(innerText))
		.map(({innerText}) => innerText.split(/\s/)[0]).join()`, words)
}
