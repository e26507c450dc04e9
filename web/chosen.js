// The flats that are chosen to be compared, from wherever they are seen. The bar
// that names them stays until it is closed.

import {fill, h} from "./dom.js"
import {count} from "./format.js"
import {say, tell} from "./notice.js"
import {compareHash} from "./state.js"
import {t} from "./strings.js"

const most = 6
const bar = document.getElementById("chosen")
let ids = []

/** chosen are the ids of the flats to compare, in the order in which they were chosen. */
export const chosen = () => [...ids]

/** choose puts a flat among them, or takes it out. */
export function choose(id) {
	if (ids.includes(id)) setChosen(ids.filter(other => other !== id))
	else if (ids.length < most) setChosen([...ids, id])
	else tell(t.compare_most)
}

export function setChosen(next) {
	ids = next
	const link = () => h("a.button.primary", count(t.compare_n, ids.length), {href: compareHash(ids)})
	fill(bar, ids.length > 0 && [
		ids.length > 1 ? link() : h("p", t.compare_more),
		h("button.close", "×", {label: t.close, click: () => setChosen([])}),
	])
	if (ids.length > 0) say(bar.textContent)
	for (const button of document.querySelectorAll("[data-compare]"))
		button.setAttribute("aria-pressed", String(ids.includes(button.dataset.compare)))
}
