// What a person sees of sizes and looks in the list and in a flat, as in sights_test.go.

package web

import "fmt"

// The table.
const (
	tableRowsInSight = `[...document.querySelectorAll("tbody .row")].filter((row) => row
		.getBoundingClientRect().bottom <= innerHeight).length`
	tablePhotoSizes = `[...new Set([...document.querySelectorAll("td .photo")]
		.map(({offsetWidth: width, offsetHeight: height}) => width + " " + height))].join()`
	numberAligns = `[...new Set([...document.querySelectorAll("td:is(.cost, .cost_per_area, .area, .rooms, .notation)")]
		.map((cell) => getComputedStyle(cell).textAlign))].join()`
	costDigits     = `getComputedStyle(document.querySelector("td.cost")).fontVariantNumeric`
	titleHeadWidth = `document.querySelector("th.title").offsetWidth`
	// aRowSaysToSort is true if a row has the word "To sort".
	aRowSaysToSort = `[...document.querySelectorAll(".row .status")].some(({innerText}) => /To sort/.test(innerText))`
	// wrongTooltipCount is the number of titles that are cut without a tooltip, or have a tooltip without being cut.
	wrongTooltipCount = `(() => {
		const links = [...document.querySelectorAll("h2 a")];
		for (const link of links) link.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
		return links.filter((link) => (link.scrollWidth > link.clientWidth) !== (link.title === link.innerText)).length;
	})()`
	tooltipOfBright = `document.querySelector("h2 a[title^=Bright]").title`
	firstRowButtons = `[...document.querySelectorAll("td.actions button")].slice(0, 3).map(({ariaLabel}) => ariaLabel)
		.join("|")`
	shownColumns = `[...document.querySelectorAll("th")].filter((head) => head.offsetWidth)
		.map((head) => head.className).join()`
	columnNames = `[...document.querySelectorAll("th button")].map(({innerText}) => innerText).join()`
	// highRowTexts has the texts that end below their rows.
	highRowTexts = `[...document.querySelectorAll(".row .about")].filter((text) =>
		text.getBoundingClientRect().bottom > text.closest(".row").getBoundingClientRect().bottom)
		.map(({innerText}) => innerText).join()`
	rowHeights = `[...new Set([...document.querySelectorAll(".row")].map(({offsetHeight}) => offsetHeight))].join()`
)

// Cards of a phone.
const (
	cardsInWindow = `[...document.querySelectorAll(".rows .row")].filter((row) => row
		.getBoundingClientRect().bottom <= innerHeight).length`
	cardsAboveBar = `[...document.querySelectorAll(".row")].filter((row) => row.getBoundingClientRect().bottom <=
		document.getElementById("bar").getBoundingClientRect().top).length`
	rowTagCount   = `document.querySelectorAll(".row .tag").length`
	highCardCount = `[...document.querySelectorAll(".row")].filter(({offsetHeight}) => offsetHeight > 100).length`
	// tabLineCount is the number of lines of the tabs, or false if these need no scrolling.
	tabLineCount = `(({children, scrollWidth, clientWidth}) => scrollWidth > clientWidth &&
		new Set([...children].map(({offsetTop}) => offsetTop)).size)(document.querySelector(".tabs"))`
	// cardButtons has the different buttons of the cards: the width, whether the height is the 44 pixels that a finger
	// needs, and the name: "44 true Follow".
	cardButtons = `[...new Set([...document.querySelectorAll(".row .actions button")].filter((button) =>
		button.offsetWidth > 0).map((button) => [button.offsetWidth, button.offsetHeight >= 44,
			button.ariaLabel.split(":")[0]].join(" ")))].join()`
	// firstCardFacts has the facts of the first card that are whole, and the names of the facts that are not.
	firstCardFacts = `[".cost", ".area", ".rooms", ".duration"]
		.map((part) => document.querySelector(".row:first-child .words " + part))
		.map((fact) => isWhole(fact) ? fact.innerText.trim().replace(/\s/g, " ") : fact.className).join()`
	// cutInFacts has the facts of cards that are cut.
	cutInFacts = `[...document.querySelectorAll(".row :is(.cost, .area, .rooms, .all_in)")]
		.filter((fact) => !isWhole(fact)).map(({innerText}) => innerText).join()`
	allInCosts = `[...document.querySelectorAll(".row .all_in")].map(({innerText}) => innerText).join()`
	// roomBesideTitles is the largest distance between the title of a card and its heart.
	roomBesideTitles = `Math.max(...[...document.querySelectorAll(".row")].map((row) =>
		row.querySelector("[data-status=followed] .icon").getBoundingClientRect().left -
			row.querySelector("h2").getBoundingClientRect().right))`
	tabsFade        = `getComputedStyle(document.querySelector(".tabs")).maskImage.startsWith("linear-gradient")`
	ratingEdgeCount = `new Set([...document.querySelectorAll(".row .rating")].map((rating) =>
		rating.getBoundingClientRect().left)).size`
	// houseGapCount is the number of missing photos (.gap) in whose place a house is drawn.
	houseGapCount = `[...document.querySelectorAll(".row .gap")].filter((gap) =>
		getComputedStyle(gap, "::before").maskImage.startsWith("url")).length`
	crossIsInSight = `(() => {
		const cross = document.querySelector(".chips .chip .icon");
		const {left, right, top} = cross.getBoundingClientRect();
		return [left, right - 1].every((x) => document.elementFromPoint(x, top + 8)?.closest(".icon") === cross);
	})()`
	rowGapCount = `document.querySelectorAll(".row .gap").length`
	// rowGapLooks has the width and the colour of the places of missing photos, each once.
	rowGapLooks = `[...new Set([...document.querySelectorAll(".row .gap")].map((gap) => [gap.offsetWidth,
		getComputedStyle(gap).backgroundColor].join(" ")))].join()`
	photoPlaceIsKept = `[...document.querySelectorAll(".row .picture")].some((place) => place.checkVisibility())`
)

// Columns of the table.
const (
	// strayHeads has the columns whose words do not stand below the words of their head.
	strayHeads = `(() => {
		const words = (element) => {
			const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
			const text = walk.nextNode();
			if (!text) return null;
			const range = document.createRange();
			range.selectNodeContents(text);
			return range.getBoundingClientRect();
		};
		const wrong = [];
		for (const head of document.querySelectorAll("th:not(.picture, .actions)")) {
			const isLeft = ["title", "status"].includes(head.className);
			const edge = (element) => words(element)?.[isLeft ? "left" : "right"];
			for (const cell of document.querySelectorAll("td." + head.className)) {
				const off = edge(cell) - edge(head);
				if (Math.abs(off) > 0.5) wrong.push(head.className + " " + off);
			}
		}
		return [...new Set(wrong)].join();
	})()`
	// crowdedColumns has the heads that touch the head before, and in a narrow window the cells with two numbers.
	crowdedColumns = `(() => {
		const heads = [...document.querySelectorAll("th:not(.actions)")].filter((head) => head.checkVisibility());
		const twice = heads.filter((head, i) => i > 0 &&
			head.getBoundingClientRect().left < heads[i - 1].getBoundingClientRect().right - 0.5);
		const numbers = "td:is(.cost, .cost_per_area, .area, .rooms, .travel_time, .notation)";
		const several = innerWidth >= 1200 ? [] : [...document.querySelectorAll(numbers)]
			.filter((cell) => cell.checkVisibility() && cell.innerText.replace(/\(.*\)/, "").match(/\d[\d.,]*/g)?.length > 1);
		return [...twice, ...several].map(({className, innerText}) => className + " " + innerText).join();
	})()`
	// pressedLook is a function of a status. It returns whether the pressed button of the status has its colour: "Follow"
	// in its words, "Dismiss" as its ground.
	pressedLook = `((status) => {
		const probe = document.body.appendChild(document.createElement("i"));
		const {color, backgroundColor} = getComputedStyle(document.querySelector(
			".row[data-status=" + status + "] .actions [data-status=" + status + "]"));
		const own = "var(--" + {followed: "follow", ignored: "dismiss"}[status] + ")";
		const colours = (status === "followed" ? [own, "#0000"] : ["var(--on)", own]).map((value) => {
			probe.style.color = value;
			return getComputedStyle(probe).color;
		});
		probe.remove();
		return [color, backgroundColor].join() === colours.join();
	})`
	// brokenTimes has the ages, and the words of visits, that are broken across lines. Of an age only its time of day
	// counts.
	brokenTimes = `[...document.querySelectorAll("td.since time, .row .visit")].filter(({firstChild: words}) => {
		const at = /\d+:\d+\s[AP]M/.exec(words.data)?.index;
		const range = document.createRange();
		range.setStart(words, words.parentNode.nodeName === "TIME" ? at ?? 0 : 0);
		range.setEnd(words, words.length);
		return new Set([...range.getClientRects()].map(({top}) => top)).size > 1;
	}).map(({innerText}) => innerText).join()`
	tallestRow = `Math.max(...[...document.querySelectorAll(".row")].map(({offsetHeight}) => offsetHeight))`
)

// smallCostOf returns an expression for the second line of the cost of a flat.
func smallCostOf(id string) string {
	return fmt.Sprintf(`document.querySelector("[data-id='%s'] .cost small").innerText`, id)
}

// groundOf returns an expression for the background of a row, counted from 1.
func groundOf(n int) string { return "getComputedStyle(" + rowAt(n) + ").backgroundColor" }

// Columns of a flat. at, which defineAt defines, returns the rectangle of a part in the window.
const (
	galleryIs560         = `Math.abs(at(".gallery").width - 560) < 20`
	textHasGallery       = `at(".text").width === at(".gallery").width && at(".text").left === at(".gallery").left`
	stripInGallery       = `at(".strip").top >= at(".frame").bottom && at(".strip").right <= at(".gallery").right`
	stripNearText        = `at(".text").top - at(".strip").bottom >= 8 && at(".text").top - at(".strip").bottom <= 24`
	threeColumns         = `at(".what").left > at(".gallery").right && at(".own").left > at(".what").right`
	columnsBeginTogether = `Math.abs(at(".what").top - at(".gallery").top) < 8 &&
		Math.abs(at(".own").top - at(".gallery").top) < 8`
	detailsBelowText      = `at(".details").left === at(".text").left && at(".details").top > at(".text").bottom`
	twoColumns            = `at(".own").left > at(".gallery").right && at(".what").top >= at(".strip").bottom`
	factsBelowPhoto       = `at(".strip").height === 0 && at(".what").top >= at(".gallery").bottom`
	decisionsBelowText    = `at(".text").top >= at(".what").bottom && at(".own").top >= at(".text").bottom`
	bareFlatHasTwoColumns = `Math.abs(at(".what").top - at(".own").top) < 8 && at(".what").right < at(".own").left`
	bareTextBelowFacts    = `at(".text").left === at(".what").left && at(".text").top - at(".what").bottom < 40`

	// photoAndStrip has the number of the photo in sight, and of the photo marked in the strip, both from 0.
	photoAndStrip = `document.querySelector(".flat .turner span").innerText + " " +
		[...document.querySelectorAll(".flat .strip button")].findIndex(({ariaCurrent}) => ariaCurrent === "true")`
	lastOfStripInSight = `((last, strip) => last.right <= strip.right)(...[
		".flat .strip button:last-child", ".flat .strip"]
		.map((part) => document.querySelector(part).getBoundingClientRect()))`
)

// photoInStrip returns a photo of the strip of a flat, counted from 1.
func photoInStrip(n int) string { return fmt.Sprintf(".strip button:nth-child(%d)", n) }
