// What a person sees of rules, of the end of a hunt and of ways, and where they press.

package web

import "fmt"

// The dialog in which a saved view becomes a rule, which dismisses or follows what comes in and matches the view.
const (
	ruleItem        = `#saved-menu [aria-label^="What comes in"]`
	ruleWords       = `document.querySelector("dialog.rule p")?.innerText`
	ruleTakenTitles = `[...document.querySelectorAll("dialog.rule .taken a")].map((link) => link.innerText)
		.filter(Boolean).join()`
	ruleAlsoBox    = `dialog.rule [type=checkbox]`
	ruleAlsoLabel  = `document.querySelector("dialog.rule label:has([type=checkbox])")?.innerText.trim()`
	ruleMainButton = `dialog.rule .primary`
	// ruleLines counts the lines of flats in the dialog, the titles that are cut or have a tooltip, and the lines whose
	// cost is broken: "3 titles, 3 cut, 3 with a tooltip, 0 costs broken".
	ruleLines = `(() => {
		const lines = [...document.querySelectorAll("dialog.rule .taken li")].filter((line) => line.checkVisibility());
		const titles = lines.map((line) => line.querySelector("a"));
		const n = (all, is) => all.filter(is).length;
		return [titles.length + " titles", n(titles, (title) => title.scrollWidth > title.clientWidth) + " cut",
			n(titles, (title) => title.title === title.textContent) + " with a tooltip",
			n(lines, (line) => line.querySelector(".soft").getClientRects().length !== 1 ||
				line.scrollWidth > line.clientWidth) + " costs broken"].join(", ");
	})()`
	// ruleMoreLine is the line that unfolds the other flats: "and 27 more".
	ruleMoreLine        = `document.querySelector("dialog.rule .taken summary")`
	ruleMore            = ruleMoreLine + `?.innerText`
	ruleViewName        = `document.querySelector("dialog.rule .field input")?.value`
	ruleAlsoBoxIsInLine = `(() => {
		const words = document.createRange();
		words.selectNodeContents(document.querySelector("dialog.rule label:has([type=checkbox])").lastChild);
		const [box, beside] = [document.querySelector("dialog.rule [type=checkbox]"), words].map((part) =>
			part.getBoundingClientRect());
		return beside.left > box.right && beside.top < box.bottom && beside.bottom > box.top;
	})()`
	// allLike is the button "Dismiss all like this" of Triage. allLikeIsWhole is true if it is high enough, on a phone for
	// a finger, and nothing covers it near its edges.
	allLike        = ".all-like"
	allLikeIsWhole = `(({left, right, top, bottom}) => bottom - top >= (innerWidth < 900 ? 44 : 28) &&
		[[left + 2, top + 15], [right - 2, top + 15], [left + 15, top + 2], [left + 15, bottom - 2]].every(([x, y]) =>
			document.elementFromPoint(x, y)?.closest(".all-like")))(
		document.querySelector(".all-like").getBoundingClientRect())`
	// wholeCounts has the parts of the numbers of Triage that are in sight, with "…" after one that is cut.
	wholeCounts = `(() => {
		const edge = document.querySelector(".all-like").getBoundingClientRect().left;
		const texts = document.createTreeWalker(document.querySelector(".triage [role=status]"), NodeFilter.SHOW_TEXT);
		const seen = [];
		while (texts.nextNode()) {
			const {currentNode: text} = texts;
			const words = document.createRange();
			words.selectNodeContents(text);
			const {left, right, top, bottom} = words.getBoundingClientRect();
			const box = text.parentElement.getBoundingClientRect();
			if (!text.data.trim() || top >= box.bottom || left >= edge || box.width === 0) continue;
			seen.push(text.data.trim() + (right > Math.min(edge, box.right + 1) || bottom > box.bottom + 4 ? "…" : ""));
		}
		return seen.join(" ");
	})()`
	ruleReasons = `[...document.querySelectorAll("dialog.rule .reasons label")].map((label) => label.innerText).join("|")`
	// ruleMainButtonInSight is true if the main button is in sight without scrolling, in a dialog that leaves at least 40
	// of the 844 pixels of the window.
	ruleMainButtonInSight = `(() => {
		const dialog = document.querySelector("dialog.rule");
		return dialog.scrollHeight <= dialog.clientHeight + 1 && dialog.getBoundingClientRect().height <= 804 &&
			dialog.querySelector(".primary").getBoundingClientRect().bottom < innerHeight;
	})()`
	savedTabs = `[...document.querySelectorAll(".saved .view a")].map(({textContent}) => textContent.trim()).join("|")`

	// takenGroups has the lines above the list that say what each rule has dismissed: "1 by “Sublets” since".
	takenGroups = `[...document.querySelectorAll("details.taken summary")].map((line) =>
		line.innerText.replace(/since.*/, "since")).join("|")`
	takenSummary = `details.taken summary`
	takenLines   = `[...document.querySelectorAll("details.taken li")].map((line) =>
		line.innerText.replace(/\s+/g, " ")).join("|")`
	takenBackButton = `details.taken li button`

	settingsRules = `[...document.querySelectorAll("#settings-rules li")].map((line) =>
		line.innerText.replace(/\s+/g, " ")).join("|")`
	endOfRule = `#settings-rules li button:last-child`

	cameLine = `document.querySelector(".came")?.innerText.replace(/\s+/g, " ")`

	decidedWords  = `document.querySelector(".choices .by")?.closest("p").innerText.replace(/\s+/g, " ").trim()`
	notThisButton = `.choices p:has(.by) button`

	// wayHeads has the heads of the columns with the minutes of each person.
	wayHeads = `[...document.querySelectorAll("thead th[class^=way_]")].map((head) => head.innerText.trim()).join()`
	// wayCells has for each row its title and the minutes of each person, "!" after the longest.
	wayCells = `[...document.querySelectorAll(".row")].map((row) => [row.querySelector("h2").innerText,
		...[...row.querySelectorAll("td[class^=way_]")].map((cell) =>
		[...cell.querySelectorAll(".duration")].map(({childNodes: [words]}) => words.textContent).join("") +
		(cell.querySelector("[data-longest]") ? "!" : ""))].filter(Boolean).join(" ").replaceAll("\u00a0", " ")).join("|")`
	// placesOfWays has the places of one flat, in their order.
	placesOfWays = `[...document.querySelectorAll(".ways-of dt")].filter((place) => place.checkVisibility() &&
		!place.closest(".behind")).map((place) => place.innerText).join()`
	// waysTooLong has the ways that stand out as too long, in the colour of "Dismiss".
	waysTooLong = `(() => {
		const probe = document.body.appendChild(document.createElement("i"));
		probe.style.color = "var(--dismiss)";
		const {color} = getComputedStyle(probe);
		probe.remove();
		return [...document.querySelectorAll("#main [data-over]")].filter((way) => getComputedStyle(way).color === color)
			.map(({innerText}) => innerText.replace(/\s+/g, " ")).join("|");
	})()`
	wayForScreenReaders = `document.querySelector(".row .about .duration .sr")?.innerText.replaceAll("\u00a0", " ")`
	wayInCard           = `document.querySelector(".row .about .duration [aria-hidden]")?.innerText
		.replaceAll("\u00a0", " ")`

	signedWords    = `document.querySelector("dialog.signed")?.innerText.replace(/\s+/g, " ")`
	signedOthers   = `[...document.querySelectorAll("dialog.signed li a")].map((link) => link.innerText).join()`
	signedWrite    = `dialog.signed li button`
	signedBellsOff = `dialog.signed > .line > button:not(.primary)`
	signedDone     = `dialog.signed > .line > .primary`
	letterWords    = `document.querySelector("dialog.message textarea")?.value`
	letterCancel   = `dialog.message .line button:last-child`
)

// ruleChoice returns an expression for a button of the dialog of a rule, by its words.
func ruleChoice(words string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("dialog.rule button")].find((button) =>
		button.innerText === %q)`, words)
}

// viewRule returns an expression for the rule of a saved view as the service has it: "dismiss", "follow", or undefined.
func viewRule(name string) string {
	return fmt.Sprintf(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) =>
		data.find((view) => view.name === %q)?.rule)`, name)
}

// wayHead returns the button in the head of a person's column.
func wayHead(person string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("thead th[class^=way_] button")].find((head) =>
		head.innerText === %q)`, person)
}

// ruleReason returns an expression for the reason that has a word in its name.
func ruleReason(word string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("dialog.rule .reasons label")].find((label) =>
		label.innerText.includes(%q))`, word)
}
