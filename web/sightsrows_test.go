// What a person sees of the rows of the list while they are pointed at, chosen, or leave.

package web

import "fmt"

// Rows and their buttons.
const (
	// rowsWithButtonsAndAge has the rows with visible buttons and, after an equals sign, the rows with a visible age.
	rowsWithButtonsAndAge = `(() => {
		const seen = (part) => [...document.querySelectorAll(".row")].map((row, i) =>
			getComputedStyle(row.querySelector(part)).opacity === "1" ? i + 1 : "").join("");
		return seen("td.actions") + " = " + seen("td.since");
	})()`
	// rowPlaces has the position and the size of each row and of its cells.
	rowPlaces = `[...document.querySelectorAll(".row")].map((row) => [row, ...row.cells].map((part) => {
		const {left, top, width, height} = part.getBoundingClientRect();
		return [left, top, width, height].map(Math.round).join();
	}).join(" ")).join("|")`
	// coveredByButtons has the cells under buttons, except the age.
	coveredByButtons = `[...document.querySelectorAll(".row")].flatMap((row) => [...row.cells].filter((cell) =>
		!cell.matches(".since, .actions") && cell.getBoundingClientRect().right >
			row.querySelector(".actions button").getBoundingClientRect().left)).length`
	// placesOfRows has the words that begin the second line of the rows, or the last line of the cards.
	placesOfRows = `[...document.querySelectorAll(".row .about")].map(({innerText}) =>
		innerText.split("·")[0].trim()).join()`
	focusedName  = `document.activeElement.ariaLabel`
	rowsWithMark = `[...document.querySelectorAll(".row")].map((row, i) =>
		getComputedStyle(row).boxShadow === "none" ? "" : i + 1).join("")`

	chosenBar     = ".chosen-rows"
	barWords      = chosenBar + " b"
	chosenCompare = `[...document.querySelectorAll(".chosen-rows button")].find(({innerText}) => innerText === "Compare")`
	chosenRows    = `[...document.querySelectorAll(".row[data-chosen]")].map(({dataset}) => dataset.id).join()`
	// crowdedInChosenBar has the parts of the bar that touch the part before, or leave the window.
	crowdedInChosenBar = `[...document.querySelector(".chosen-rows").children].map((part) => {
		const words = document.createRange();
		words.selectNodeContents(part);
		return {name: part.innerText || part.ariaLabel, box: words.getBoundingClientRect()};
	}).filter(({box}, i, all) => i > 0 && box.left < all[i - 1].box.right + 4 || box.left < 0 || box.right > innerWidth)
		.map(({name}) => name).join()`
	// lastRowIsFree is true if the last row can be seen above what lies at the bottom.
	lastRowIsFree = `(scrollTo(0, 1e6), [...document.querySelectorAll(".row")].at(-1).getBoundingClientRect().bottom <=
		Math.min(...[".chosen-rows", "#chosen", "#bar"].map((bar) => document.querySelector(bar).getBoundingClientRect())
			.filter(({top, height}) => height > 0 && top > innerHeight / 2).map(({top}) => top)))`
)

// Rows that leave the list.
const (
	// holdMotion stops each motion at its beginning.
	holdMotion = `{
		const {animate} = Element.prototype;
		window.motions = [];
		Element.prototype.animate = function (...given) {
			const motion = animate.apply(this, given);
			motion.pause();
			motions.push(motion);
			return motion;
		};
	}`
	motionCount  = `motions.length`
	halfOfMotion = `motions.forEach((motion) => (motion.currentTime = motion.effect.getTiming().duration / 2))`
	endOfMotion  = `motions.splice(0).forEach((motion) => motion.finish())`
	motionTime   = `motions[0]?.effect.getTiming().duration`
)

// topOf returns an expression for where the row of a flat begins.
func topOf(id string) string {
	return fmt.Sprintf(`Math.round(document.querySelector(".row[data-id='%s']").getBoundingClientRect().top)`, id)
}

// toSortTab is the tab "To sort", away from the rows.
const toSortTab = ".tabs [data-status=new]"

// nthRowPart is the selector of one of the first four rows, counted from 1.
func nthRowPart(n int) string { return fmt.Sprintf(".row:nth-child(%d of .row)", n) }

// rowPart is the selector of a part of the row of a flat.
func rowPart(id, part string) string { return fmt.Sprintf(".row[data-id='%s'] %s", id, part) }

// Saved views and rules.
const (
	rulesTab    = ".saved .view button:not(.close)"
	rulesInMenu = `[...document.querySelectorAll("#saved-menu > *")].map(({innerText}) => innerText.trim()).join("|")`
	firstRule   = "#saved-menu a"
	// agesSeen has the visible letters of the ages of the cards: letters may be in a line out of sight.
	agesSeen = `[...document.querySelectorAll(".row .about")].map((about) => {
		const {right, bottom} = about.getBoundingClientRect();
		const words = about.querySelector("time").firstChild;
		return [...words.data].filter((_, i) => {
			const letter = document.createRange();
			letter.setStart(words, i);
			letter.setEnd(words, i + 1);
			const box = letter.getBoundingClientRect();
			return box.right <= right + 1 && box.bottom <= bottom + 1;
		}).join("").trim();
	}).join()`
	// wholeAmounts has the changes of a cost whose amount is wholly in sight. The 12 pixels after it are for the dots of a
	// cut text.
	wholeAmounts = `[...document.querySelectorAll(".row .tag")].filter((tag) => {
		if (!/^[−+]/.test(tag.textContent)) return false;
		const amount = document.createRange();
		amount.setStart(tag.firstChild, 0);
		amount.setEnd(tag.firstChild, tag.textContent.indexOf(" "));
		const {right, bottom} = amount.getBoundingClientRect();
		const dots = tag.scrollWidth > tag.clientWidth ? 12 : 0;
		return right + dots <= tag.getBoundingClientRect().right - 4 + 1 &&
			bottom <= tag.parentNode.getBoundingClientRect().bottom + 1;
	}).length`
)
