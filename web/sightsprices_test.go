// What a person sees of Prices in detail, of states, and of empty views, as in sights_test.go.

package web

import "fmt"

// The scatter plot: costs against areas, with a dot for each flat.
const (
	// plotMarks has the words at its axes.
	plotMarks = `[...document.querySelectorAll(".scatter text")].map(({textContent}) => textContent).join(" ")
		.replaceAll("\u00a0", " ")`
	beyondAxes = `document.querySelector("figcaption .soft").innerText`
	// markedDots has the statuses of the dots that are marked because the flat is on the shortlist.
	markedDots = `[...document.querySelectorAll(".scatter circle:not(.reach)[data-status]")]
		.map(({dataset}) => dataset.status).join()`
	// dotsBeyond has the first seven letters of the names of flats beyond the axes: "Flat 38".
	dotsBeyond = `[...document.querySelectorAll(".scatter a:has(.beyond)")].map(({ariaLabel}) => ariaLabel.slice(0, 7))
		.join()`
	beyondCount     = `document.querySelectorAll(".scatter .beyond, figcaption .soft").length`
	plotCircleCount = `document.querySelectorAll(".scatter circle").length`
	dotsAreInPlot   = `[...document.querySelectorAll(".scatter circle")].every((dot) => dot.cx.baseVal.value > 0 &&
		dot.cy.baseVal.value > 0)`
	// plotMarksApart is true if the words below the plot are at least 4 pixels apart.
	plotMarksApart = `[...document.querySelectorAll(".scatter text:not(.side)")]
		.map((label) => label.getBoundingClientRect())
		.every(({left}, i, all) => i === 0 || left >= all[i - 1].right + 4)`
	plotMissing = `document.querySelector(".market > p").innerText` // why there is no plot
	// kindsOfPrices has each section by its heading, with the number of dots in it and the marks of its costs.
	kindsOfPrices = `[...document.querySelectorAll(".market")].map((market) => [
		(market.previousElementSibling?.innerText ?? "").trim().replace(/\s+/g, " "),
		market.querySelectorAll(".scatter a").length,
		...[...market.querySelectorAll(".scatter text.side")].map(({textContent}) => textContent)
			.filter((mark) => !mark.endsWith("/m²"))].join(" "))
		.join("; ")`
	plotNotes = `[...document.querySelectorAll("figcaption .soft")].map(({innerText}) => innerText).join("; ")`
	showPlot  = "figcaption button"
)

// middleOfDot returns an expression for the middle of the dot of a flat.
func middleOfDot(id string) string {
	return fmt.Sprintf(`middleOf(document.querySelector(".scatter a[href='#/flat/%s']"))`, id)
}

// The tables of prices.
const (
	// firstPriceRow has the cells of the first row: place, flats, quartiles, median, and cost per m².
	firstPriceRow = `[...document.querySelector(".prices tbody tr").cells]
		.map((cell) => [...cell.querySelectorAll("data")].map(({innerText}) => innerText).join("–") ||
			(cell.querySelector("data, svg") ? "" : cell.innerText)).join("|")`
	marketHeads = `[...document.querySelector(".market thead tr").cells].map(({innerText}) => innerText).join()`
	longPlace   = `[...document.querySelectorAll("tbody th")]
		.find(({innerText}) => innerText.startsWith("Frederikke"))`
	// quartilesBeside is true if all bars of quartiles begin at one place, each between its two numbers.
	quartilesBeside = `((bars) => new Set(bars.map((bar) => bar.getBoundingClientRect().left)).size === 1 &&
		bars.every((bar) => {
			const [low, high] = [...bar.parentElement.querySelectorAll("data")].map((data) => data.getBoundingClientRect());
			const {left, right} = bar.getBoundingClientRect();
			return low.right <= left && right <= high.left && low.width > 9 && high.width > 9;
		}))([...document.querySelectorAll(".quartiles")])`
	pricesNeedNoScroll = `[...document.querySelectorAll(".wide")].every((table) => table.scrollWidth <= table.clientWidth)`
	// numbersHaveRoom is true if the numbers of the first row end within a phone of 390 pixels, and leave 70 to the name.
	numbersHaveRoom = `[...document.querySelectorAll("tbody tr:first-child td")]
		.map((cell) => cell.getBoundingClientRect()).every(({left, right}) => left > 70 && right <= 390)`
	// placesHaveRoom is true if each name of a place has 70 pixels, and ends before the number next to it.
	placesHaveRoom = `[...document.querySelectorAll("tbody th")].every((name) => name.offsetWidth >= 70 &&
		name.getBoundingClientRect().right <= name.nextElementSibling.getBoundingClientRect().left)`
	// brokenPlaces has the words in names of places that are broken across lines.
	brokenPlaces = `[...document.querySelectorAll("tbody th")].flatMap((name) => {
		const words = name.firstChild;
		return [...words.data.matchAll(/[^\s-]+/g)].filter(({0: word, index}) => {
			const range = document.createRange();
			range.setStart(words, index);
			range.setEnd(words, index + word.length);
			return new Set([...range.getClientRects()].map(({top}) => top)).size !== 1;
		});
	}).join()`
)

// Notes in Compare and Duplicates, and what speaks for the first group there.
const (
	notesInViews = `[...document.querySelectorAll("main p.notes")].map(({innerText}) => innerText).join("|")`
	firstReason  = `document.querySelector(".groups h2").textContent`
)

// States, and what the help tells.
const (
	troubleInState = "#settings-places .told :is(.wrong, progress, button)"
	linkInEnd      = ".foot .link"
	linkInEmpty    = ".empty .button"
	followInBar    = ".bar [data-status=followed]"
	// helpParts has the parts of the help, each with which of four keys it names.
	helpParts = `[...document.querySelectorAll("#help section")].map((part) => part.querySelector("h3").innerText + " " +
		["j", "x", "g t", "?"].filter((key) => [...part.querySelectorAll("kbd")].some((cap) => cap.innerText === key)))
		.join("|")`
)

// Where a view says that it is empty.
const (
	emptyEnd    = "main .foot .end"
	emptyFound  = "main .found span"
	emptyView   = "main .empty"
	emptyChoice = "main p.soft"
)

// linkCount returns an expression for the number of links and buttons in a part.
func linkCount(part string) string { return count(part + " :is(a, button)") }

// HTML and links in listings.
const (
	visitHash        = `document.querySelector(".visits h3 a").hash`
	viewHasTitle     = `document.querySelector("main > section." + (/#.(\w+)/.exec(location.hash)[1]) + " :is(h1, h2)")`
	foreignPartCount = `document.querySelectorAll("main script, main img:not([src^='https://127.0.0.1/'])").length`
	sourceRels       = `[...document.querySelectorAll(".source a")].map((a) => a.href + a.rel).join()`
	firstDouble      = `document.querySelector(".doubles li a")?.hash`
)

// The sample.
const (
	sampleLine    = `document.getElementById("sample").innerText`
	sampleHidden  = `document.getElementById("sample").hidden`
	questionsOpen = "dialog[open], .who"
	shownSweep    = ".sweep:not([hidden])"
	anyFrame      = "h1, .menu"
)

// The heads of Compare, and the ground of a field that config.json sets.
const (
	headButtons = `[...document.querySelectorAll(".heads .column > .line")].map((line) =>
		[...line.children].map(({innerText}) => innerText).join()).join("|")`
	headButtonTops = `new Set([...document.querySelectorAll(".heads .column > .line > button")]
		.map((button) => button.getBoundingClientRect().top)).size`
	// headButtonIndents has the heads in which the words of the first button do not begin below the title.
	headButtonIndents = `[...document.querySelectorAll(".heads .column")].filter((head) => {
		const button = head.querySelector(".line > button");
		const {left} = button.getBoundingClientRect();
		const {borderLeftWidth, paddingLeft} = getComputedStyle(button);
		return Math.abs(left + parseFloat(borderLeftWidth) + parseFloat(paddingLeft) -
			head.querySelector("a").getBoundingClientRect().left) > 1;
	}).map(({innerText}) => innerText).join()`
	greyGround = "rgba(27, 29, 31, 0.07)"
)

// colourBehind returns an expression for the background colour of an element.
func colourBehind(selector string) string {
	return fmt.Sprintf(`getComputedStyle(document.querySelector(%q)).backgroundColor`, selector)
}
