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
	// menuWidthWithNumbers is by how much the menu is wider with its numbers than without them.
	menuWidthWithNumbers = `(() => {
		const menu = document.querySelector("#menu");
		const width = menu.offsetWidth;
		const numbers = [...menu.querySelectorAll(".badge:not([hidden])")];
		for (const number of numbers) number.hidden = true;
		const by = width - menu.offsetWidth;
		for (const number of numbers) number.hidden = false;
		return by;
	})()`
)
