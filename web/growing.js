// Long lists grow as they are read.

import {h} from "./dom.js"
import {t} from "./strings.js"

/** growing fills an element with the first rows of some items, and gives the button that adds more. */
export function growing(element, items, row, atOnce = 50) {
	let shown = 0
	const button = h("button.more", t.load_more, {click: add})
	function add() {
		element.append(...items.slice(shown, shown += atOnce).map(row))
		button.hidden = shown >= items.length
	}
	add()
	return button
}
