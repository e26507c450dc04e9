// How buttons and titles look.

package web

import "fmt"

const (
	// borderedButtons has the buttons with a visible border, except in groups of which one is chosen.
	borderedButtons = `[...document.querySelectorAll("main :is(button, .button)")].filter((button) => {
		const {borderTopColor, borderTopWidth, backgroundColor} = getComputedStyle(button);
		const isSeen = borderTopWidth !== "0px" && !/, 0\)$/.test(borderTopColor) && borderTopColor !== backgroundColor;
		return button.checkVisibility() && isSeen && !button.matches(".opener, .statuses *");
	}).map(({outerHTML}) => outerHTML.slice(0, 80)).join()`
	filledInView = `[...document.querySelectorAll("main .primary")].filter((button) => button.checkVisibility() &&
		!/, 0\)$/.test(getComputedStyle(button).backgroundColor)).length`
	// titlesInBlue has the titles that are in the accent or underlined.
	titlesInBlue = `[...document.querySelectorAll("main :is(:is(h1, h2, h3) a, a[href^='#/flat/']:not(.button, svg *))")]
		.filter((title) => {
			const {color, textDecorationLine} = getComputedStyle(title);
			const probe = title.parentElement.appendChild(document.createElement("i"));
			probe.style.color = "var(--accent)";
			const accent = getComputedStyle(probe).color;
			probe.remove();
			return title.checkVisibility() && (color === accent || textDecorationLine !== "none");
		}).map(({innerText}) => innerText).join()`
	// giveRowMotion gives the first row two motions of 0.15 seconds. motionOfRow has the durations of both.
	giveRowMotion = `Object.assign(document.querySelector(".row").style,
		{transition: "opacity 0.15s", animation: "wait 0.15s"})`
	motionOfRow = `(({transitionDuration, animationDuration}) => transitionDuration + " " + animationDuration)(
		getComputedStyle(document.querySelector(".row")))`
	// coversOfFollow has the elements that cover a part of "Follow" in a card.
	coversOfFollow = `[...document.querySelectorAll(".row .actions [data-status=followed]")].flatMap((button) => {
		const {left, top, width, height} = button.getBoundingClientRect();
		return [[0.5, 0.5], [0.2, 0.1], [0.8, 0.1], [0.2, 0.9], [0.8, 0.9]]
			.map(([x, y]) => document.elementFromPoint(left + x * width, top + y * height))
			.filter((hit) => !button.contains(hit));
	}).map((hit) => hit?.outerHTML.slice(0, 80) ?? "none").join()`
)

// followInRow returns an expression for the button "Follow" of a row, counted from 1.
func followInRow(n int) string {
	return fmt.Sprintf(`document.querySelectorAll(".row .actions [data-status=followed]")[%d]`, n-1)
}
