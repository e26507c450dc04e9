// What a person sees of one flat, as in sights_test.go.

package web

import "fmt"

// Fields of the view of a flat.
const (
	notesField  = "#notes"
	notesValue  = `document.querySelector("#notes")?.value`
	flatHeading = ".flat h1"
	flatAddress = ".flat .address"
	listRow     = ".list .row"
	titleShown  = `document.querySelector("h2 a, h1:not(.triage h1)")?.innerText` // of a flat, in its view or Triage
)

// valueOf returns an expression for the value of a field.
func valueOf(field string) string {
	return fmt.Sprintf(`document.querySelector(%s)?.value`, encode(field))
}

// editField returns a field of Edit, by its name in the API.
func editField(name string) string { return "[name=" + name + "]" }

// hashAnd returns an expression for the hash and another sight. Alone, the sight could still be of the hash before.
func hashAnd(sight string) string { return `location.hash + " " + ` + sight }

// Facts.
const (
	factsText         = `document.querySelector(".what").innerText.replace(/\s+/g, " ")`
	firstFactClass    = `document.querySelector(".what").firstChild.className`
	sizesAreUnderCost = `(([cost, area, rooms]) => cost.bottom <= area.top && area.bottom === rooms.bottom &&
		cost.left === area.left && area.right < rooms.left)([".cost", ".area", ".rooms"].map((fact) =>
		document.querySelector(".what .facts " + fact).getBoundingClientRect()))`
	// costLook has the size of the letters of what a month costs, and its parts.
	costLook = `(({fontSize, fontWeight}) => fontSize + " " + fontWeight)(getComputedStyle(document
		.querySelector(".sums .cost"))) + " " + document.querySelector(".sums .cost > small").innerText`
	partsAreGrey = `new Set([".sums .cost", ".sums .cost > small"].map((part) => getComputedStyle(document
		.querySelector(part)).color)).size === 2`
	factColumnCount = `new Set([...document.querySelectorAll(".brief > div")].map(({offsetLeft}) => offsetLeft)).size`
	// factsNotUnderNames is the number of facts that do not stand under their names.
	factsNotUnderNames = `[...document.querySelectorAll(".brief > div")].filter(({children: [name, fact]}) =>
		fact.offsetTop < name.offsetTop + name.offsetHeight || fact.offsetLeft !== name.offsetLeft).length`
	// factsInTrouble has the facts that are wrapped, cut, or under Edit.
	factsInTrouble = `(() => {
		const edit = document.querySelector(".edit").getBoundingClientRect();
		return [...document.querySelectorAll(".what .facts > *")].filter((fact) => {
			const {top, right, bottom, left} = fact.getBoundingClientRect();
			const isUnder = right > edit.left && left < edit.right && bottom > edit.top && top < edit.bottom;
			return isUnder || right > innerWidth || fact.scrollWidth > fact.clientWidth ||
				fact.getClientRects().length > 1 || fact.clientHeight > 48;
		}).map((fact) => fact.className).join();
	})()`
	mapLink = `(({innerText, href}) => innerText + " " + decodeURIComponent(href))(document.querySelector(".address a"))`
	// chartCommands has the commands of the path that draws the flat's costs, without numbers: "MhVhVh".
	chartCommands = `document.querySelector(".chart path").getAttribute("d").replace(/[\d ]+/g, "")`
	flatWords     = `document.querySelector(".flat").innerText`
	addressText   = `document.querySelector(".address")?.innerText`
	// medianAndAddress has the line of the median, and the address after it.
	medianAndAddress = `document.querySelector(".source + .facts ~ p.soft, .editable ~ p.soft")?.innerText.trim() + "; " +
		document.querySelector(".address").firstChild.textContent`
	medianIsSeen = `document.querySelector(".editable ~ p.soft").checkVisibility()`
	firstSource  = `document.querySelector(".source").innerText.split("\n")[0]`
	sourceLinks  = `[...document.querySelectorAll(".source")[0].children].map((link) => link
		.innerText + (link.href ?? "")).join()`
)

// factsIn returns an expression for the facts in a view, including the utilities and bedrooms, which stand apart.
func factsIn(view string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".%s .what .facts li")]
		.map((fact) => fact.innerText.trim().replace("\n", " ")).join("|") + "; " +
		[...document.querySelectorAll(".%[1]s .what .pairs div")].map(({innerText}) => innerText.replace("\n", " "))
		.filter((pair) => /Utilities|Bedrooms/.test(pair)).join()`, view)
}

// Details, and other listings.
const (
	utilitiesInCard = `[...document.querySelectorAll(".triage .brief div")]
		.find(({innerText}) => /^Utilities/.test(innerText))?.innerText.replace("\n", " ")`
	detailsText = `[...document.querySelectorAll(".details div")].map((pair) => pair.innerText.replace("\n", " "))
		.join("; ")`
	detailNames  = `[...document.querySelectorAll(".details dt")].map((name) => name.innerText).join()`
	briefDetails = ".brief"
	briefPairs   = `[...document.querySelectorAll(".brief > div")].map((pair) => pair.innerText.replace("\n", " "))
		.join("; ")`
	otherListings = `[...document.querySelectorAll(".others li")].map((other) => other.innerText).join()`
	lastOtherHref = `document.querySelector(".others a:last-child").href`
	aboutInRows   = `[...document.querySelectorAll(".row .about")].map(({innerText}) => innerText)`
	comparedRows  = `[...document.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell
		.innerText).join(" "))`
)

// Probable duplicates.
const (
	doublesHash = `document.querySelector(".doubles h2 a").hash`
	doubleHomes = `[...document.querySelectorAll(".doubles li")].map((home) => [
		home.querySelector(".photo").matches("img") ? "photo" : "no photo",
		...["a", "b", ".tag"].map((part) => home.querySelector(part).innerText)].join(" ")).join("; ")`
	likeLine = `document.querySelector(".like")?.innerText`
	likeLink = ".like a"
)

// Photos.
const (
	galleryHeight    = `document.querySelector(".gallery").offsetHeight`
	photoFrame       = ".gallery .frame"
	largePhotoNumber = `document.querySelector("dialog[open] [role=status]")?.innerText`
	largePhotoFrame  = ".photos .frame"
	largePhotoSize   = `(({offsetWidth, offsetHeight}) => offsetWidth + "," + offsetHeight)(document
		.querySelector(".photos"))`
	currentInStrip  = `document.querySelector(".photos [aria-current=true]").ariaLabel`
	focusIsInPhotos = `document.activeElement === document.body || Boolean(document.activeElement.closest(".photos"))`
	closePhotos     = ".photos .close"
	photosAreClosed = `!document.querySelector(".photos")`
	// smallPhotoButtonCount is the number of buttons that are too small for a finger.
	smallPhotoButtonCount = `[...document.querySelectorAll(".photos button")]
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44).length`
)

// largePhotoInStrip returns a photo of the strip on the whole screen, counted from 1.
func largePhotoInStrip(n int) string { return fmt.Sprintf(".photos .strip button:nth-child(%d)", n) }

// photoWidths returns an expression for the own widths of photos, "gap" where one is missing.
func photoWidths(photos string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)].map(({naturalWidth}) => naturalWidth ?? "gap").join()`, photos)
}

// Decisions, and the bar of a phone.
const (
	pressedOwn    = `document.querySelector(".own [aria-pressed=true]").innerText`
	flatParts     = `[...document.querySelector(".flat").children].map(({className}) => className).join()`
	flatBar       = `[...document.querySelectorAll(".flat .bar > *")].map((control) => control.innerText).join()`
	callInBar     = ".bar a"
	callInBarHref = `document.querySelector(".bar a").href`
	callLinkCount = `document.querySelectorAll("[href^=tel]").length`
	firstContact  = `document.querySelector(".contact button").innerText`
	visitCard     = `document.querySelector(".visits .card")?.innerText`

	statusesOutOfSight = `[...document.querySelectorAll(".own .statuses button")]
		.filter((button) => button.getBoundingClientRect().right > innerWidth).length`
	tooSmallInFlat = `[...document.querySelectorAll(".flat :is(button, a)")].filter((control) => control.checkVisibility())
		.filter((control) => Math.min(control.offsetWidth, control.offsetHeight) < 44)
		.map((control) => control.innerText).join()`
	removeStatuses = `document.querySelector(".own .statuses")?.remove()`
	// filledInFlat has the buttons in the accent, and where they stand. The test defines the accent.
	filledInFlat = `[...document.querySelectorAll(".flat :is(button, a)")].filter((button) => button.checkVisibility() &&
		getComputedStyle(button).backgroundColor === accent).map((button) => button.innerText + " of " +
		button.parentElement.className).join()`
	// decisionRows is the number of rows of buttons: one begins more than 20 pixels below the one before.
	decisionRows = `[...document.querySelectorAll(".own :is(.choices, .contact) :is(button, a)")]
		.filter((control) => control.checkVisibility()).map((control) => control.getBoundingClientRect().top)
		.filter((top, i, tops) => i === 0 || top > tops[i - 1] + 20).length`
)

// The row of actions, and the tiers of buttons.
const (
	setVisit        = ".contact > button:nth-of-type(2)"
	contactRowCount = `new Set([...document.querySelectorAll(".contact > *")].filter((action) => action.checkVisibility())
		.map(({offsetTop}) => offsetTop)).size`
	// cutActions has the actions whose words do not fit, or that reach beyond the card.
	cutActions = `[...document.querySelectorAll(".contact > *")].filter((action) => action.checkVisibility())
		.filter((action) => action.scrollWidth > action.clientWidth || action.getBoundingClientRect().right >
			document.querySelector(".next").getBoundingClientRect().right - 8)
		.map(({innerText}) => innerText).join()`
	// borderedActions has the actions that have a border and are not filled, except buttons over a photo, the statuses,
	// which are one control, and the buttons of duplicates.
	borderedActions = `[...document.querySelectorAll(":is(.flat, .triage) :is(button, .button)")]
		.filter((button) => button.checkVisibility() && !button.closest(".statuses, .gallery, .doubles"))
		.filter((button) => (({borderTopWidth, borderTopColor, backgroundColor}) => borderTopWidth !== "0px" &&
			borderTopColor !== "rgba(0, 0, 0, 0)" && borderTopColor !== backgroundColor)(getComputedStyle(button)))
		.map(({innerText}) => innerText).join()`
	dismissIsText = `[...document.querySelectorAll("main [data-status=ignored]")].filter((button) => button
		.checkVisibility()).every((button) => ["rgba(0, 0, 0, 0)", getComputedStyle(document.documentElement)
		.backgroundColor].includes(getComputedStyle(button).backgroundColor) &&
		getComputedStyle(button).color !== getComputedStyle(document.body).color)`
)

// The times of a visit.
const (
	timeButtons          = ".times button"
	usualTimes           = ".usual"
	hourButtons          = ".hours button"
	visitInBarOfFollower = ".bar button:nth-of-type(1)" // of a flat that is past being followed
	takenTimes           = `[...document.querySelectorAll(".hours button:has(s)")].map(({ariaLabel}) => ariaLabel)
		.join("; ")`
	takenUsual     = `document.querySelector(".usual button:has(s)").ariaLabel`
	smallTimeCount = `[...document.querySelectorAll(".times button")].filter(({offsetWidth, offsetHeight}) =>
		Math.min(offsetWidth, offsetHeight) < 44).length`
	focusIsInTimes = `Boolean(document.activeElement.closest(".times"))`
)

// timeNamed returns an expression for a day or a time of a visit.
func timeNamed(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".times button")].find(({innerText}) => innerText === %q)`, name)
}

// isPressedTime returns an expression for whether a day is chosen.
func isPressedTime(name string) string { return timeNamed(name) + `.ariaPressed` }

// ownStar returns a star of the open flat, counted from 1.
func ownStar(n int) string { return fmt.Sprintf(".own .stars :nth-child(%d)", n) }

// The steps above a flat: Back, the previous and next flat, and Share.
const (
	backStep     = ".steps a"
	nextFlat     = "[rel=next]"
	previousFlat = "[rel=prev]"
	shareStep    = ".steps span + button"
	moreSteps    = ".steps [popovertarget]"
	// stepHeights has the names of the steps in sight and their heights in pixels.
	stepHeights = `[...document.querySelectorAll(".steps :is(a, button)")].filter((step) => step.checkVisibility())
		.map((step) => (step.innerText.replace(/\s+/g, " ") || step.ariaLabel) + " " + step.offsetHeight).join(", ")`
	// stepsOnPhoto has the buttons that lie on the photo, and on which side of it.
	stepsOnPhoto = `((photo) => [...document.querySelectorAll(".steps :is(a, button)")].map((step) =>
		[step, step.getBoundingClientRect()])
		.filter(([, {top, bottom, width}]) => width > 0 && top >= photo.top && bottom <= photo.bottom)
		.map(([step, {left}]) => (step.innerText.replace(/\s+/g, " ") || step.ariaLabel) +
			(left < innerWidth / 2 ? " left" : " right")).join(", "))(document.querySelector(".frame").getBoundingClientRect())`
	aboveGallery = `document.querySelector(".gallery").getBoundingClientRect().top`
	stepMenu     = `[...document.querySelectorAll("#further:popover-open > *")].map(({innerText}) => innerText).join()`
)

// The dialog of "Message".
const (
	messageStart  = ".message label:nth-of-type(2) textarea"
	messageEnd    = ".message label:last-of-type textarea"
	messageChoice = ".message select"
	messageIn     = `document.querySelector(".message select").selectedOptions[0].innerText`
	// messageAboutUs has what the settings say about the people who write.
	messageAboutUs = `document.querySelector(".message .text + .text")?.innerText`

	messageFields  = `[...document.querySelectorAll(".message textarea")].map(({value}) => value).join("|")`
	messageText    = `document.querySelector(".message .text").innerText`
	messageActions = `[...document.querySelectorAll(".message .line > *")].map((control) => control.innerText).join()`
	copyMessage    = ".message .primary"
	messageByMail  = ".message [href^=mailto]"
	mailBody       = `new URLSearchParams(document.querySelector(".message [href^=mailto]").href
		.split("?")[1]).get("body")`
	phoneMessage = `decodeURIComponent(document.querySelector(".message [href^=sms]").href)`
	noticesWhole = `[...document.querySelectorAll(".notice")].map((notice) => notice.innerText.split("\n")
		.filter(Boolean).join(" ")).join("; ")`
)

// Paper, and links outside the view of a flat.
const (
	printedParts = `["text", "details", "stars", "visit", "notes", "address"].filter((name) =>
		document.querySelector("." + name).offsetHeight > 0).join()`
	printedStatus = `[...document.querySelectorAll(".choices button")].filter((button) => button.checkVisibility() &&
		!button.closest(".stars")).map(({innerText}) => innerText).join()`
	linksOutsideFlat = `[...document.querySelectorAll("main > section:not(.flat) a")].map(({innerText}) => innerText)`
)

// endsWithLine returns an expression for whether a part that is cut ends with a whole line.
func endsWithLine(part string) string {
	return fmt.Sprintf(`(({scrollHeight, clientHeight}, {lineHeight}) => scrollHeight > clientHeight &&
		Math.abs(clientHeight / parseFloat(lineHeight) %% 1 - 0.5) > 0.4)(
		document.querySelector(%[1]q), getComputedStyle(document.querySelector(%[1]q)))`, part)
}

// Where photos stand.
const (
	rowPhotos           = ".row .photo"
	galleryPhoto        = ".gallery .frame .photo"
	galleryPhotos       = ".gallery .photo"
	doublesPhotos       = ".doubles .photo"
	cardPhotos          = ".card .photo"
	visitsPhotos        = ".visits .photo"
	comparePhotos       = ".side-by-side .photo"
	groupPhotos         = ".homes .photo"
	largePhotosAndStrip = "dialog .frame .photo, dialog .strip .photo"
	largePhotos         = "dialog .frame .photo"
)

// Edit.
const (
	saveEdit         = ".editing .primary"
	cancelEdit       = ".editing > .line [type=button]"
	corrections      = `[...document.querySelectorAll(".corrected li")].map((line) => line.innerText).join("; ")`
	threeFacts       = `document.querySelector(".what .facts").innerText.replace(/\s+/g, " ")`
	listingText      = `document.querySelector("p.text").textContent`
	sourceHrefs      = `[...document.querySelectorAll(".source a")].map(({href}) => href).join()`
	listedInEdit     = `[...document.querySelectorAll(".editing .soft")].map(({innerText}) => innerText).join("; ")`
	narrowEditFields = `[...document.querySelectorAll(".editing input[name]")].filter(({name, offsetWidth}) =>
		offsetWidth < (name === "link" || name === "title" ? 200 : 90)).map(({name}) => name).join()`
	editLabels = `[...document.querySelectorAll(".editing label[for]")].map((label) => label.innerText + " " +
		document.getElementById(label.htmlFor).value).join("; ")`
	// editValues has the values of all fields, and whether the boxes are ticked.
	editValues = `[...document.querySelectorAll(".editing input")]
		.map((input) => input.name ? input.value : input.checked).join()`
	// correctionsGap is the distance of the corrections from the facts above them.
	correctionsGap = `document.querySelector(".corrected").getBoundingClientRect().top -
		document.querySelector(".editable > .line").getBoundingClientRect().bottom`
	smallEditFields = `[...document.querySelectorAll(".editing :is(button, input:not([type=checkbox]), .line)")]
		.filter((control) => control.offsetHeight > 0 && control.offsetHeight < 44)
		.map((control) => control.outerHTML).join()`
	saveIsInSight = `(({left, right, top, bottom}) => document.querySelector(".editing .primary")
		.contains(document.elementFromPoint((left + right) / 2, bottom - 2)) && bottom <= innerHeight && top > 0)(
		document.querySelector(".editing .primary").getBoundingClientRect())`
)

// editTrouble returns an expression for what is wrong with a field.
func editTrouble(name string) string {
	return fmt.Sprintf(`document.getElementById("edit-trouble-%s").innerText`, name)
}

// deleteBox returns the box that deletes the value of an emptied field.
func deleteBox(name string) string { return ".field:has([name=" + name + "]) [type=checkbox]" }

// deleteLine returns an expression for the words next to that box.
func deleteLine(name string) string {
	return fmt.Sprintf(`document.querySelector(".field:has([name=%s]) .line").innerText`, name)
}

// restoreListed returns the button that restores the listing's value of a field.
func restoreListed(name string) string { return ".field:has([name=" + name + "]) button" }

// Notes and their checklist.
const (
	savedLine       = `document.querySelector("#saved").innerText`
	keptNotes       = `((id) => localStorage[keptAs("flats.notes." + id)])` // of a flat
	notesInBar      = ".bar button:nth-last-child(2)"
	addChecklist    = ".notes .line button"
	asText          = ".notes .as-text"
	answerField     = ".answer"
	checklistCount  = `document.querySelectorAll(".notes .boxes li").length`
	gapsBelowLabels = `["visit", "notes"].map((id) => document.getElementById(id).getBoundingClientRect().top -
		document.querySelector("[for=" + id + "]").getBoundingClientRect().bottom).join()`
	notesNameAndBoxInSight = `(([name, first]) => name.top >= 0 && name.top < 24 && name.bottom <= first.top)(
		[".own .notes > .line:first-child", ".notes .boxes li"].map((part) =>
			document.querySelector(part).getBoundingClientRect()))`
	savedIsInSight = `(({top, bottom}) => top >= 0 && bottom <= innerHeight)(
		document.querySelector("#saved").getBoundingClientRect())`
	focusedView         = `document.activeElement.closest("section").className`
	notesFocusIsInSight = `(([label, field, bar]) => label.top >= 0 && field.bottom <= bar.top)(
		[document.querySelector("[for=notes]"), document.activeElement, document.querySelector(".flat .bar")]
			.map((element) => element.getBoundingClientRect()))`
	notesFieldIsSeen = `document.querySelector("#notes").checkVisibility()`
	notesWords       = `document.querySelector(".notes .words").innerText` // the lines that are no boxes
	focusIsAboveBar  = `(([field, bar]) => field.top >= 0 && field.bottom <= bar.top)(
		[document.activeElement, document.querySelector(".bar")].map((element) => element.getBoundingClientRect()))`
)

// The question about notes that were changed elsewhere.
const (
	notesQuestion       = ".versions"
	questionsAboutNotes = `document.querySelectorAll(".versions p").length`
	otherNotes          = `document.querySelector(".versions p")?.innerText`
	// otherNotesScroll has what the other notes do when they are too long for their box.
	otherNotesScroll = `((text) => text.tabIndex === 0 && getComputedStyle(text).overflowY)(document
		.querySelector(".versions p"))`
	fieldAfterQuestion = `document.querySelector(".versions ~ textarea").id`
	questionHeight     = `document.querySelector(".versions").offsetHeight`
	keepBoth           = ".versions button"
	keepYours          = `document.querySelectorAll(".versions button")[1]`
	// largeAnswerCount has how many of the question's buttons are large enough for a finger.
	largeAnswerCount = `[...document.querySelectorAll(".versions button")]
		.filter(({offsetHeight}) => offsetHeight >= 44).length`
)

// boxAt and answerAt return a box of the checklist, counted from 1, and the field of its answer.
func boxAt(n int) string    { return fmt.Sprintf(".boxes li:nth-child(%d) input", n) }
func answerAt(n int) string { return fmt.Sprintf(".boxes li:nth-child(%d) textarea", n) }

// ownStatus returns the button of a status of the open flat.
func ownStatus(status string) string { return ".own [data-status=" + status + "]" }

// hasFocus returns an expression for whether a part has the focus.
func hasFocus(part string) string {
	return fmt.Sprintf("document.activeElement === document.querySelector(%s)", encode(part))
}

// starInTriage returns a star of the card, counted from 1.
func starInTriage(n int) string { return fmt.Sprintf(".triage .stars :nth-child(%d)", n) }

// The next step.
const (
	stepButton = ".step"
	// stepIsWhole is true if the whole next step of a flat can be read, with its date.
	stepIsWhole = `(({scrollWidth, clientWidth, scrollHeight, clientHeight}) =>
		scrollWidth <= clientWidth && scrollHeight <= clientHeight)(document.querySelector(".next .step"))`
	// linesOfStation is the number of lines of a station's name among the details.
	linesOfStation = `document.querySelector(".details dd").offsetHeight / 20` // a line is 20 pixels high
	stepWords      = "dialog [name=step]"
	settleButton   = ".today .settle"
)
