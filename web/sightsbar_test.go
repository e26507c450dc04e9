// What tests see of the bar and its menu.

package web

const (
	// menuLines has the entries of the menu, with an empty one for each line between groups.
	menuLines = `[...document.querySelectorAll("#menu > :not([hidden])")]
		.map(({innerText}) => innerText.trim().replace(/\s+/g, " ")).join("|")`
	menuEntriesWithoutIcon = `[...document.querySelectorAll("#menu > :is(a, button)")].filter(({firstChild}) =>
		!firstChild.matches?.("svg")).map(({textContent}) => textContent).join()`
	// controlsNextToSearch has the controls in the line of the search field, and toolLines the entries of its open menu.
	controlsNextToSearch = `[...document.querySelectorAll(".head > :is(button, a)")]
		.filter((part) => part.checkVisibility()).map(({ariaLabel, innerText}) => ariaLabel ?? innerText).join("|")`
	toolLines = `[...document.querySelectorAll("#tools:popover-open > :not([hidden])")]
		.map(({innerText}) => innerText.trim()).join("|")`
	// wordsOfBar has the left and right ends of each place's word and number. barDistances has the distances between
	// neighbours. barLineIsCentred is true if the line under the current place reaches equally far beyond its word on both
	// sides. The current place must be the first one: Today.
	wordsOfBar = `[...document.querySelectorAll("#bar .views a")].map((place) => {
		const shown = [...place.querySelectorAll("span, .badge:not([hidden])")].map((part) => part.getBoundingClientRect());
		return {left: shown[0].left, right: shown.at(-1).right};
	})`
	barDistances = wordsOfBar + `.map(({left}, i, all) => i > 0 && Math.round(left - all[i - 1].right))
		.slice(1).join()`
	barLineIsCentred = `((line, {left, right}) => Math.round(left - line.left) === Math.round(line.right - right))(
		document.querySelector("#bar .views [aria-current]").getBoundingClientRect(), ` + wordsOfBar + `[0])`
	menuIsOpen = `document.querySelector("#menu").matches(":popover-open")`
	// menuWidthOfNumbers is how much wider the lines of the menu are with their numbers than without.
	menuWidthOfNumbers = `(() => {
		const numbers = [...document.querySelectorAll("#menu .badge:not([hidden])")];
		const lines = numbers.map((number) => number.closest("a"));
		for (const line of lines) line.style.width = "max-content";
		const widths = () => lines.reduce((sum, line) => sum + line.offsetWidth, 0);
		const before = widths();
		for (const number of numbers) number.hidden = true;
		const by = before - widths();
		for (const number of numbers) number.hidden = false;
		for (const line of lines) line.style.width = "";
		return numbers.length > 0 ? by : NaN;
	})()`
)
