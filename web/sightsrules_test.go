// What a person sees of rules, of the end of a hunt and of ways, and where they press.

package web

import "fmt"

const (
	ruleMenu  = `.saved .chip [aria-haspopup=dialog]` // of the open view
	ruleWords = `document.querySelector("dialog.rule p")?.innerText`
	ruleTaken = `[...document.querySelectorAll("dialog.rule .taken a")].map((link) => link.innerText)
		.filter(Boolean).join()`
	ruleTooBox  = `dialog.rule [type=checkbox]`
	ruleToo     = `document.querySelector("dialog.rule label:has([type=checkbox])")?.innerText.trim()`
	rulePrimary = `dialog.rule .primary`
	ruleChips   = `[...document.querySelectorAll(".saved .chip a")].map((link) =>
		link.innerText.replace(/\s+/g, " ").trim()).join("|")`

	takenGroups = `[...document.querySelectorAll("details.taken summary")].map((line) =>
		line.innerText.replace(/since.*/, "since")).join("|")`
	takenSummary = `details.taken summary`
	takenLines   = `[...document.querySelectorAll("details.taken li")].map((line) =>
		line.innerText.replace(/\s+/g, " ")).join("|")`
	takenBack = `details.taken li button`

	settingsRules = `[...document.querySelectorAll("#settings-rules li")].map((line) =>
		line.innerText.replace(/\s+/g, " ")).join("|")`
	endOfRule = `#settings-rules li button:last-child`

	cameWords = `document.querySelector(".came")?.innerText.replace(/\s+/g, " ")`

	decidedWords = `document.querySelector(".choices .by")?.closest("p").innerText.replace(/\s+/g, " ").trim()`
	notThis      = `.choices p:has(.by) button`

	wayHeads = `[...document.querySelectorAll("thead th[class^=way_]")].map((head) => head.innerText.trim()).join()`
	// wayCells has the minutes of each row, "!" after the longest.
	wayCells = `[...document.querySelectorAll(".row")].map((row) => [row.querySelector("h2").innerText,
		...[...row.querySelectorAll("td[class^=way_]")].map((cell) =>
		[...cell.querySelectorAll(".duration")].map(({childNodes: [words]}) => words.textContent).join("") +
		(cell.querySelector("[data-longest]") ? "!" : ""))].filter(Boolean).join(" ").replaceAll("\u00a0", " ")).join("|")`
	// waysTooLong has what stands out as too long, in the colour of "Dismiss".
	waysTooLong = `(() => {
		const probe = document.body.appendChild(document.createElement("i"));
		probe.style.color = "var(--dismiss)";
		const {color} = getComputedStyle(probe);
		probe.remove();
		return [...document.querySelectorAll("#main [data-over]")].filter((way) => getComputedStyle(way).color === color)
			.map(({innerText}) => innerText.replace(/\s+/g, " ")).join("|");
	})()`
	wayWords  = `document.querySelector(".row .about .duration .sr")?.innerText.replaceAll("\u00a0", " ")`
	wayInCard = `document.querySelector(".row .about .duration [aria-hidden]")?.innerText.replaceAll("\u00a0", " ")`

	signedWords  = `document.querySelector("dialog.signed")?.innerText.replace(/\s+/g, " ")`
	signedOthers = `[...document.querySelectorAll("dialog.signed li a")].map((link) => link.innerText).join()`
	signedWrite  = `dialog.signed li button`
	signedBells  = `dialog.signed > .line > button:not(.primary)`
	signedClose  = `dialog.signed > .line > .primary`
	letterWords  = `document.querySelector("dialog.message textarea")?.value`
	letterClose  = `dialog.message .line button:last-child`
)

// ruleChoice has a button of the dialog of a rule, by its words.
func ruleChoice(words string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("dialog.rule button")].find((button) =>
		button.innerText === %q)`, words)
}

// viewRule has the rule of a view as the service has it.
func viewRule(name string) string {
	return fmt.Sprintf(`fetch("api/v1/views").then((answer) => answer.json()).then(({data}) =>
		data.find((view) => view.name === %q)?.rule)`, name)
}

// wayHead has the button in the head of the column of a person.
func wayHead(person string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("thead th[class^=way_] button")].find((head) =>
		head.innerText === %q)`, person)
}
