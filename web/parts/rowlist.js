// The rows that the list shows. RowList adds, replaces and finds them, focusedRow returns the focused one, makeFoot
// makes the end of the list.

import {controlsOf, fill, h, swap} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {t} from "../words/format.js"

const isStill = matchMedia("(prefers-reduced-motion: reduce)")

// focusedRow returns the row that has the focus in it, or null.
export const focusedRow = () => document.activeElement.closest(".row")

// A RowList has the rows in an element, by the id of their flat. When a flat leaves the list, a comment node replaces
// its row, so that Undo can restore the row in its place.
export class RowList {
	#rows = new Map() // {flat, element} by id; element is a row or a comment

	// holder is the element of the rows. make(flat) makes a row, or a comment if the flat does not belong to the list.
	constructor(holder, make) {
		this.holder = holder
		this.make = make
	}

	// size returns the number of flats, including those without a row.
	get size() {
		return this.#rows.size
	}

	// flats returns all flats, as their rows show them.
	get flats() {
		return [...this.#rows.values()].map(({flat}) => flat)
	}

	// flat returns the flat with an id, as its row shows it.
	flat(id) {
		return this.#rows.get(id)?.flat
	}

	// elements returns the rows in order.
	get elements() {
		return [...this.holder.querySelectorAll(".row")]
	}

	// ids returns the ids of the flats with a row, in order.
	get ids() {
		return this.elements.map(({dataset}) => dataset.id)
	}

	// elementOf returns the row of a flat, or the next row if it has none.
	elementOf(id) {
		const {element} = this.#rows.get(id) ?? {}
		return element instanceof Comment ? element.nextElementSibling : element
	}

	// neighbour returns the row that stands a number of rows below another, above it if by is negative, or undefined.
	neighbour(element, by) {
		const all = this.elements
		return all[all.indexOf(element) + by]
	}

	// append adds rows for flats that have none yet. It adds as many as first says at once, and the others four in each
	// frame, to keep frames short. In a table, every four rows are in a tbody of their own, which the browser need not
	// lay out while it is out of sight. append fails once the signal aborts.
	async append(found, signal, first = found.length) {
		let group
		for (const [i, flat] of found.entries()) {
			if (i % 4 === 0) {
				if (i >= first) await new Promise(requestAnimationFrame)
				signal.throwIfAborted()
				group = this.holder.createTBody?.() ?? this.holder
			}
			if (this.#rows.has(keyOf(flat))) continue // pages overlap if a flat is added meanwhile
			const element = this.make(flat)
			this.#rows.set(keyOf(flat), {flat, element})
			group.append(element)
		}
	}

	// replace updates the row of a changed flat, and returns the change in the number of rows: 1, 0 or -1. If it
	// removes a row with the focus, a neighbour gets the focus, or else the element lastResort.
	replace(flat, lastResort) {
		const row = this.#rows.get(keyOf(flat))
		const old = row.element
		const element = this.make(flat)
		const wasRow = old instanceof Element
		const isRow = element instanceof Element
		Object.assign(row, {flat, element})
		if (wasRow && !isRow) this.#passFocus(old, lastResort)
		if (wasRow && isRow) swap(old, element)
		else if (wasRow) takeOut(old, element)
		else old.replaceWith(element) // a comment needs no motion
		return Number(isRow) - Number(wasRow)
	}

	// passFocus moves a focus in a row to the same control of its neighbour, or to the last one if that row lacks it. If
	// there is no neighbour, it moves the focus to lastResort.
	#passFocus(element, lastResort) {
		const {activeElement: focused} = document
		if (!element.contains(focused)) return
		const next = this.neighbour(element, 1) ?? this.neighbour(element, -1)
		const controls = next ? controlsOf(next) : [lastResort]
		const isSame = ({localName, title}) => localName === focused.localName && title === focused.title
		const target = controls.find(isSame) ?? controls.at(-1)
		target.focus({preventScroll: true})
	}
}

// takeOut replaces a row by a comment. The rows below move up, in 150 ms if the row was in sight.
function takeOut(row, comment) {
	const {height, top, bottom} = row.getBoundingClientRect()
	const {marginBottom} = getComputedStyle(row)
	row.replaceWith(comment)
	if (isStill.matches || bottom < 0 || top > innerHeight) return
	const room = h(row.localName, {"aria-hidden": "true"})
	comment.before(room)
	const motion = room.animate([{height: height + "px", marginBottom}, {height: 0, marginBottom: 0}],
		{duration: 150, easing: "ease-out"})
	motion.onfinish = () => room.remove()
}

// makeFoot makes the end of the list, {element, show, rest}: a button that calls extend(), or words once all rows are
// shown. It also calls extend() when the end is less than 1,600 pixels below the window. show shows the words with
// isAll, otherwise the button, and watches the end. rest() stops watching until the next show.
export function makeFoot(extend) {
	const more = h("button.more", t.more, {click: extend, hidden: true})
	const end = h("p.end")
	const element = h("div.foot", more, end)
	const near = new IntersectionObserver(seen => {
		if (seen.at(-1).isIntersecting) extend()
	}, {rootMargin: "1600px"})

	function show({isAll, words}) {
		near.disconnect() // an end that is still near is reported again only if it is observed again
		if (!isAll) near.observe(element)
		more.hidden = isAll
		fill(end, isAll && words)
	}

	return {element, show, rest: () => near.disconnect()}
}
