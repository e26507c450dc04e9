// What a person sees of several people, as in sights_test.go.

package web

import "fmt"

// Who uses the page: the question, and the menu, in which one says anew who one is.
const (
	whoQuestion    = `document.querySelector("dialog.who h2")?.innerText`
	whoIsPressed   = `document.querySelector("dialog.who [aria-pressed=true]")?.innerText`
	whoIsAnswered  = `!document.querySelector("dialog.who") && document.querySelector("main > section h1")`
	openDialogPart = `document.querySelector("dialog") && document.querySelector("dialog[open]")`
	whoInMenu      = "#menu button:nth-of-type(2)"
	whoInMenuLabel = `document.querySelector("#menu button:nth-of-type(2)").ariaLabel`
	menuTexts      = `[...document.querySelectorAll("#menu button:not([hidden])")].map((button) => button.innerText)
		.join("|")`
	menuIsInSight    = `document.querySelector("#menu").getBoundingClientRect().left >= 0`
	menuAsksWho      = `document.querySelector("#menu [aria-haspopup=dialog]") !== null`
	reopenButton     = "main .primary" // of a device that has forgotten
	aboutPeopleCount = `document.querySelectorAll(".who, .by, .apart, .beside").length`
)

// person returns an expression for the button of a person in the question who uses the page.
func person(name string) string {
	return `[...document.querySelectorAll("dialog.who button")].find(({innerText}) => innerText === ` + encode(name) + `)`
}

// Who has decided, and the ratings of each person.
const (
	byWhom = `[...document.querySelectorAll(".row")].map((row) =>
		row.dataset.id + ":" + (row.querySelector(".by")?.innerText ?? "")).join("|")`
	ratingsApart  = ".row .apart"
	shortlistTabs = `[...document.querySelectorAll(".tabs a")].slice(3, 5).map(({innerText}) => innerText.trim())
		.join("|")`
	statusBy      = `document.querySelector(".choices .by")?.parentNode.innerText.replace(/\s+/g, " ")` // of the open flat
	deciderNames  = `[...document.querySelectorAll(".by")].map(({innerText}) => innerText).join("|")`
	medianLine    = `document.querySelector(".editable ~ p.soft")?.innerText.trim()`
	sinceLine     = ".since-line"
	panelChoice   = ".panel select"
	cardTitleLink = ".card h2 a"
	anyPressed    = "[aria-pressed=true]"
	// comparedRatings has the rows of Compare with ratings.
	comparedRatings = `[...document.querySelectorAll("th[scope=row]")].filter(({innerText}) => /^Rating/.test(innerText))
		.map(({parentNode}) => [...parentNode.cells].map(({innerText}) => innerText.trim()).join(" ")).join("|")`
)

// The filter for who has decided.
const (
	decidedBy = `[...document.querySelectorAll(".panel label")]
		.find(({innerText}) => /^Decided by/.test(innerText))`
	decidedByOptions = `[...` + decidedBy + `.querySelectorAll("option")].map(({innerText}) => innerText).join("|")`
)

// chooseDecidedBy returns an expression that chooses a person there.
func chooseDecidedBy(person string) string {
	return fmt.Sprintf(`{ const select = %s.querySelector("select"); select.value = %q;
		select.dispatchEvent(new Event("change", {bubbles: true})); }`, decidedBy, person)
}

// Buttons that are pressed as soon as they are there.
const (
	firstUsualTime   = ".usual button"
	dismissCompared  = ".heads button[data-status=ignored]"
	thirdStarOfVisit = ".stars button:nth-of-type(3)"
)

// pressOn returns an expression that presses a button.
func pressOn(button string) string { return "document.querySelector(" + encode(button) + ").click()" }

// typeNotes returns an expression that types notes.
func typeNotes(text string) string {
	return fmt.Sprintf(`{ const notes = document.querySelector("#notes"); notes.value = %q;
		notes.dispatchEvent(new Event("input", {bubbles: true})); }`, text)
}
