// What tests see of the bar and its menu.

package web

const (
	// menuLines has what stands in the menu, with an empty entry for each line between groups.
	menuLines = `[...document.querySelectorAll("#menu > :not([hidden])")]
		.map(({innerText}) => innerText.trim().replace(/\s+/g, " ")).join("|")`
	menuWithoutIcon = `[...document.querySelectorAll("#menu > :is(a, button)")].filter(({firstChild}) =>
		!firstChild.matches?.("svg")).map(({textContent}) => textContent).join()`
	// besideSearch has the controls in the line of the search field, and toolLines what its menu has while it is open.
	besideSearch = `[...document.querySelectorAll(".head > :is(button, a)")].filter((part) => part.checkVisibility())
		.map(({ariaLabel, innerText}) => ariaLabel ?? innerText).join("|")`
	toolLines = `[...document.querySelectorAll("#tools:popover-open > :not([hidden])")]
		.map(({innerText}) => innerText.trim()).join("|")`
	menuIsOpen = `document.querySelector("#menu").matches(":popover-open")`
	// menuWidthWithNumbers is by how much the lines of the menu need more room with their numbers than without them.
	menuWidthWithNumbers = `(() => {
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
