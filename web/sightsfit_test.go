// What a person sees of sizes, colours and paper, as in sights_test.go.

package web

import "fmt"

// Parts that are each the last one shown in a view.
const (
	ownPart     = ".own"
	dueGroup    = ".due"
	anyTable    = "table"
	anyHeading  = "h1"
	anyTextarea = "textarea"
	anyGroup    = "article"
	anyChip     = ".chip"
	anyNotice   = ".notice"
	doublesItem = ".doubles li"
	knownLink   = ".known a"
	factsPart   = ".facts"
	chartWord   = ".scatter text"
)

// Amounts, with defineIsWhole of TestPageAmounts.
var (
	// cutInSorted has expressions for the parts that are cut in the cards, by the order of the list: sorted by the cost
	// per m², a card may leave out the monthly cost in all.
	cutInSorted = map[string]string{
		"title":         cutInCards(".cost, .all_in"),
		"cost_per_area": cutInCards(".cost, .cost_per_area"),
	}
	// highCardsWithoutVisit is the number of cards higher than 100 pixels, except the flat d with a visit and a step.
	highCardsWithoutVisit = `[...document.querySelectorAll(".row:not([data-id=d])")]
		.filter(({offsetHeight}) => offsetHeight > 100).length`
	// beyondCards has the parts that end less than 8 pixels from the edge of their card.
	beyondCards = `[...document.querySelectorAll(".row :is(.about, .tags) > *")].filter((part) =>
		part.getBoundingClientRect().right > part.closest(".row").getBoundingClientRect().right - 8)
		.map(({innerText}) => innerText).join()`
	// cutWords has the buttons, headings and times that are cut, except the titles in lines of things to do.
	cutWords = `[...document.querySelectorAll("main :is(button, .button, h1, h2, h3, summary, .when)")].filter((part) =>
		part.checkVisibility() && !part.closest(".todo h3") && part.clientWidth > 1 && part.scrollWidth > part.clientWidth)
		.map(({innerText}) => innerText).join()`
	cutFacts = `[...document.querySelectorAll(".flat .facts :is(.cost, .area, .each, .rooms, .bedrooms)")]
		.filter((fact) => !isWhole(fact) && !fact.querySelector("small")).map(({innerText}) => innerText).join()`
	cutCardFacts = `[...document.querySelectorAll(".card .facts :is(.area, .each, .rooms, .bedrooms)")]
		.filter((fact) => !isWhole(fact)).map(({innerText}) => innerText).join()`
)

// cutInCards returns an expression for the amounts, ages and tags of a selector that are cut in the cards.
func cutInCards(amounts string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".row .known > :is(%s), .row .about time")]
		.filter((part) => !isWhole(part)).map((part) => part.innerText).join()`, amounts)
}

// rowsSortedBy returns an expression for the number of rows in an order.
func rowsSortedBy(sort string) string {
	return count(".rows[data-sort=" + sort + "] .row")
}

// What is too wide.
const (
	// beyondRight has the parts that end right of the window, except parts that scroll and facts of a card that end with
	// "…".
	beyondRight = `[...document.querySelectorAll("main *, #bar *")].filter((part) => part.checkVisibility() &&
		!part.closest(".sr, svg, .tabs, .side-by-side, .wide, .strip, .row .known > :not(.cost)") &&
		part.getBoundingClientRect().right > innerWidth + 1)
		.map(({tagName, className}) => tagName + "." + className).join(" ")`
	// widerThanPage has the parts that make the page wider than the window.
	widerThanPage = `(({scrollWidth, clientWidth}) =>
		scrollWidth <= clientWidth ? "" : [...document.querySelectorAll("body *")].filter((part) =>
			part.getBoundingClientRect().right > clientWidth).map(({tagName, className}) => tagName + "." + className)
			.join(" "))(document.scrollingElement)`
	filtersFit = `document.scrollingElement.scrollWidth <= innerWidth &&
		[...document.querySelectorAll(".panel *")].every((part) => part.getBoundingClientRect().right <= innerWidth)`
	// titleLetters is the size of the letters in the first title.
	titleLetters     = `parseFloat(getComputedStyle(document.querySelector(".row h2 a")).fontSize)`
	overlappingCards = `[...document.querySelectorAll(".row")].filter((row) => {
		const lines = [".words h2 a", ".known", ".about"].map((part) => {
			const words = document.createRange();
			words.selectNodeContents(row.querySelector(part));
			return words.getBoundingClientRect();
		});
		return lines.some(({top}, i) => i > 0 && top < lines[i - 1].bottom - 1);
	}).length`
	rowTime = ".row time"
	// ageIsOneWord is true if the age of the first row is a day of the week, "Sat", in one line.
	ageIsOneWord = `/^\w{3}$/.test(document.querySelector(".row time").innerText) &&
		document.querySelector("td.since time").getBoundingClientRect().height < 24`
	sinceIsWhole = `(({offsetWidth, scrollWidth}) => scrollWidth <= offsetWidth)(document.querySelector("td.since"))`
)

// Alignment.
const (
	// defineLineOf is a function for the page that returns where the baseline of an element's text lies.
	defineLineOf = `window.lineOf = (element) => {
		const probe = document.createElement("i");
		probe.style.display = "inline-block";
		element.prepend(probe);
		const {bottom} = probe.getBoundingClientRect();
		probe.remove();
		return bottom;
	}`
	rowOutOfLineCount = `[...document.querySelectorAll(".flats .row")].filter((row) => {
		const lines = [".cost", ".area", ".rooms"].map((cell) => lineOf(row.querySelector(cell)));
		return Math.max(...lines) - Math.min(...lines) > 2;
	}).length`
	editIsInLine = `(() => {
		const [edit, cost] = [".edit", ".what .cost"].map((part) => {
			const words = document.createRange();
			words.selectNodeContents(document.querySelector(part).firstChild);
			const {top, bottom} = words.getBoundingClientRect();
			return (top + bottom) / 2;
		});
		return Math.abs(edit - cost) < 4;
	})()`
	groupFlatCount = `document.querySelectorAll(".homes > li").length`
	// homesOutOfLine has the parts of two flats of a group that do not begin at the same height.
	homesOutOfLine = `["img, .photo", ".facts", "p.soft"].filter((part) => {
		const tops = [...document.querySelectorAll(".homes > li")].map((home) =>
			home.querySelector(part).getBoundingClientRect().top);
		return tops[0] !== tops[1];
	}).join()`
	weeksChart = ".bars"
	// priceEdges has the number of tables of prices, and at how many different positions their columns end.
	priceEdges = `(() => {
		const tables = [...document.querySelectorAll(".prices table")];
		const edges = tables.map((table) => [...table.querySelectorAll("thead th")].map((head) =>
			Math.round(head.getBoundingClientRect().right)).join());
		return [tables.length, new Set(edges).size].join();
	})()`
	noWeekLeftOfChart = `(() => {
		const {left} = document.querySelector(".bars").getBoundingClientRect();
		const parts = [...document.querySelectorAll(".bars *")];
		return parts.every((part) => part.getBoundingClientRect().left >= left - 1);
	})()`
	// waitingIsApart has whether the line about waiting changes is at least 8 pixels below the bar, or on a phone below
	// the top of the window, and whether the view is as far below the line.
	waitingIsApart = `(() => {
		const [bar, waits, view] = ["#bar", "#waiting", "main"].map((part) =>
			document.querySelector(part).getBoundingClientRect());
		const above = innerWidth < 900 ? 0 : bar.bottom;
		return [waits.top - above >= 8, view.top - waits.bottom >= 8].join();
	})()`
)

// Boxes of Duplicates.
const (
	homeRadioCount = `document.querySelectorAll(".homes [type=radio]").length`
	emptyHomeBoxes = `document.querySelectorAll(".homes input").forEach((box) => (box.checked = false))`
	// homeBoxLooks has the boxes of the first flat: the kind of each, whether it looks like an empty field, and its size.
	homeBoxLooks = `[...document.querySelectorAll(".homes > li:first-child input")].map((box) => {
		const probe = document.body.appendChild(document.createElement("input"));
		const looks = [box, probe].map((element) => {
			const {appearance, backgroundColor, borderTopColor} = getComputedStyle(element);
			return [element === box ? appearance : "none", backgroundColor, borderTopColor].join(" ");
		});
		probe.remove();
		return [box.type, looks[0] === looks[1], box.offsetWidth, box.offsetHeight].join(" ");
	}).join()`
)

// defineContrast is a function for the page, contrast(element, property), that returns the contrast of a colour with
// the ground under the element.
const defineContrast = `{
	const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
	const pen = canvas.getContext("2d", {willReadFrequently: true});
	const paint = (fillStyle, globalAlpha) => Object.assign(pen, {fillStyle, globalAlpha}).fillRect(0, 0, 1, 1);
	const linear = (part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	const light = () => {
		const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => linear(part / 255));
		return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
	};
	window.contrast = (element, property) => {
		const around = [];
		for (let outer = element; outer; outer = outer.parentElement) around.unshift(getComputedStyle(outer));
		const own = around.at(-1)[property];
		for (const {backgroundColor} of around.slice(0, -1)) paint(backgroundColor, 1);
		const behind = light();
		paint(own, around.reduce((alpha, {opacity}) => alpha * opacity, 1));
		return Math.max(light(), behind) / Math.min(light(), behind);
	};
}`

// fieldEdges are the edges of fields and other drawn parts, with the property that has their colour.
var fieldEdges = []struct{ name, hash, part, property string }{
	{"a range", "#/", ".panel .range", "borderTopColor"},
	{"a choice", "#/", ".panel label:has(select)", "borderTopColor"},
	{"a box", "#/", ".panel [type=checkbox]", "borderTopColor"},
	{"the search", "#/", "#search", "borderTopColor"},
	{"the notes", "#/flat/4711", ".own textarea", "borderTopColor"},
	{"stars", "#/flat/4711", ".stars button", "color"},
	{"the photo that is seen, in the strip", "#/flat/4711", ".strip [aria-current]", "borderTopColor"},
	{"rings of the map", "#/map", ".circle .shape", "stroke"},
	{"markers of the map", "#/map", ".marker", "fill"},
	{"dots of prices", "#/prices", ".scatter circle:not(.reach)", "fill"},
	{"weeks of prices", "#/prices", ".bars rect", "fill"},
	{"the area for files", "#/import", ".drop", "borderTopColor"},
}

// hasContrast returns an expression that is true if all parts that a selector finds have a contrast of 3:1, and
// otherwise has their contrasts.
func hasContrast(parts, property string) string {
	return fmt.Sprintf(`Math.min(...[...document.querySelectorAll(%s)].map((part) => contrast(part, %q))) >= 3 ||
		[...document.querySelectorAll(%[1]s)].map((part) => contrast(part, %[2]q)).join()`, encode(parts), property)
}

// Colours.
const (
	phoneBar     = ".bar"
	compareInRow = ".row .compare"
	menuIsFilled = `getComputedStyle(document.querySelector(".menu")).backgroundColor !==
		getComputedStyle(document.querySelector(".views a")).backgroundColor`
)

// statusButton returns the button of a status within a part.
func statusButton(within, status string) string {
	return within + " button[data-status=" + status + "]"
}

// coloursOf returns an expression for the colours of a button's words and ground, by their names.
func coloursOf(button string) string {
	return fmt.Sprintf(`((selector) => {
		const probe = document.body.appendChild(document.createElement("i"));
		const name = (value) => ["--follow", "--dismiss", "--accent", "--on", "--ink"].find((name) => {
			probe.style.color = "var(" + name + ")";
			return getComputedStyle(probe).color === value;
		}) ?? "other";
		const {color, backgroundColor} = getComputedStyle(document.querySelector(selector));
		const words = name(color) + " on " + name(backgroundColor);
		probe.remove();
		return words;
	})(%s)`, encode(button))
}

// chosenAndOther has pairs of a current or chosen part and another part.
var chosenAndOther = []struct{ name, chosen, other string }{
	{"the view", ".views [aria-current]", ".views a:not([aria-current])"},
	{"the tab", ".tabs [aria-current]", ".tabs a:not([aria-current])"},
	{"the saved view", ".saved [aria-current]", ".saved a:not([aria-current])"},
	{"Compare in a row", ".row [data-compare][aria-pressed=true]", ".row [data-compare][aria-pressed=false]"},
}

// looksApart returns an expression for whether two parts have different colours.
func looksApart(chosen, other string) string {
	return fmt.Sprintf(`(([chosen, other]) => chosen.backgroundColor !== other.backgroundColor &&
		chosen.color !== other.color)([%q, %q].map((part) => getComputedStyle(document.querySelector(part))))`,
		chosen, other)
}

// buttonsWithIcons has the buttons without words, by the hash of a view.
var buttonsWithIcons = map[string]string{
	"#/?cost=..900":                      ".chip, .close, .actions button, .bell",
	"#/flat/4711":                        ".stars button, [rel=prev], [rel=next], .turner button",
	"#/map":                              ".zoom button",
	"#/compare/4711,lyon-1042%40example": ".close",
}

// withoutIcon returns an expression for the buttons of a selector that have no icon, or a letter instead.
func withoutIcon(buttons string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(%q)]
		.filter((button) => !button.querySelector(".icon") || /[×⤢‹›⋯★☆]/.test(button.innerText))
		.map(({outerHTML}) => outerHTML.slice(0, 80)).join("\n")`, buttons)
}

// The row of a flat that is followed, the photos of the strip on the whole screen, and a function for the page, at,
// that returns the rectangle of a part of a flat in the window.
const (
	followedRow      = ".row[data-status=followed]"
	largeStripPhotos = ".photos[open] .strip button"
	defineAt         = `window.at = (part) => document.querySelector(".flat " + part)?.getBoundingClientRect()`
)

// Photos that stand in their addresses, and HTML in listings.
const (
	rowPhotoSources    = `[...document.querySelectorAll("td .photo")].map(({src}) => src ?? "none").sort().join("\n")`
	firstPhotoIsLoaded = `document.querySelector("img.photo").naturalWidth > 0`
	framePhoto         = ".frame img"
	framePhotoSource   = `document.querySelector(".frame img").src`
	nextPhoto          = ".turner > :last-child"
	dataLinkCount      = `document.querySelectorAll("[href^=data]").length`
	flatImageCount     = `document.querySelectorAll(".flat img").length`
	scriptsAndImages   = `document.querySelectorAll("main script, main img").length`
)

// Paper.
const (
	csvLines = `fetch(document.querySelector(".tools a").href).then((answer) => answer.text())
		.then((text) => text.trim().split("\n").length)`
	// recordPrint keeps the text of what "Print" prints in printed.
	recordPrint = `window.print = () => {
		window.printed = document.querySelector(".paper").innerText;
		dispatchEvent(new Event("beforeprint"));
	}`
	paperRows    = `document.querySelectorAll(".paper tbody tr").length`
	paperColumns = `[...document.querySelectorAll(".paper th")].map(({className}) => className).join()`
	paperAligns  = `[...new Set([...document.querySelectorAll(".paper :is(.cost, .area, .rooms)")]
		.map((cell) => getComputedStyle(cell).textAlign))].join()`
)

// paperEndsWith returns an expression for whether the line above the table on paper ends with some words.
func paperEndsWith(words string) string {
	return fmt.Sprintf(`document.querySelector(".paper p").innerText.endsWith(%q)`, words)
}

// Words of the bar and of charts.
const (
	// crowdedWordsOfBar is the number of words in the bar that leave their place, or touch the one before.
	crowdedWordsOfBar = `[...document.querySelectorAll("#bar :is(.views a, .menu) > span")].map((word) => {
		const words = document.createRange();
		words.selectNodeContents(word);
		return [words.getBoundingClientRect(), word.getBoundingClientRect()];
	}).filter(([words, room], i, all) => words.right > room.right + 1 ||
		i > 0 && words.left - all[i - 1][0].right < 2).length`
	badgeIsAtCorner = `(([icon, badge, next]) => badge.left >= (icon.left + icon.right) / 2 && badge.right <= next.left)(
		["[data-view=triage] .icon", "[data-view=triage] .badge", "[data-view=add] .icon"].map((part) =>
			document.querySelector("#bar " + part).getBoundingClientRect()))`
	triageCountInLine = `document.querySelector("#bar [data-view=triage] .badge").innerText.replace(/\s/g, " ")`
	wordsBeyondCharts = `[...document.querySelectorAll(".scatter")].flatMap((chart) => [...chart.querySelectorAll("text")]
		.filter((word) => word.getBoundingClientRect().right > chart.getBoundingClientRect().right))
		.map(({textContent}) => textContent).join()`
)

// iconPath is the path of the icon.
const iconPath = `new URL(document.querySelector("link[rel=icon]").href).pathname`
