// What fingers and Shift do to the rows of the list: a swipe decides; a long press, or a press with Shift, chooses
// several rows for the actions in a bar. This module is loaded after the first list.

import {fill, h} from "../lib/dom.js"
import {shortlisted, statusOf} from "../lib/fields.js"
import {flats, onChange} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {count, number, statusName, t} from "../words/format.js"
import {setCompared, withCompared} from "./bar.js"
import {setStatus} from "./decide.js"
import {changeNow} from "./decisions.js"
import {icon} from "./icons.js"
import {say, tell} from "./notice.js"
import {focusedRow} from "./rowlist.js"

const longPress = 500 // milliseconds

// canFollow reports whether a flat may be followed. For flats of the shortlist that could be a step back.
const canFollow = id => !shortlisted.includes(statusOf(flats.get(id)))

// makeChoosing makes the rows in holder react to fingers and Shift, until the signal aborts. It returns {bar, toggle}:
// toggle chooses the focused row, or gives it up.
export function makeChoosing(holder, signal) {
	const chosen = new Set() // ids, also of rows that left the list: they count again when they come back
	const words = h("b")
	const button = (word, act, status) => h("button", word, status && {data: {status}}, {click: act})
	const bar = h("div.chosen-rows", {hidden: true, role: "group", label: t.actions}, words,
		button(t.follow, () => decide("followed"), "followed"), button(t.dismiss, () => decide("ignored"), "ignored"),
		button(t.compare, compare), h("button.close", icon("dismiss"), {label: t.close, click: clear}))
	const rowsObserver = new MutationObserver(() => {
		if (chosen.size > 0) show()
	})
	let last = null // the row that was last chosen
	let isAfterLongPress = false // whether a long press has just chosen a row, so that the click after it is ignored

	// chosenHere returns the ids of the rows that are chosen.
	const chosenHere = () => [...holder.querySelectorAll(".row")].map(({dataset}) => dataset.id)
		.filter(id => chosen.has(id))

	function show() {
		for (const row of holder.querySelectorAll(".row"))
			row.toggleAttribute("data-chosen", chosen.has(row.dataset.id))
		const n = chosenHere().length
		const chosenInWords = count(t.n_chosen, n)
		const isNewNumber = chosenInWords !== words.title // the tooltip still has the words before
		if (n > 0 && isNewNumber) say(chosenInWords)
		words.title = chosenInWords
		fill(words, h("span.words", chosenInWords), h("span.number", number(n)))
		bar.hidden = n === 0
	}

	function clear() {
		chosen.clear()
		show()
	}

	function toggle(row) {
		const {id} = row.dataset
		if (!chosen.delete(id)) chosen.add(id)
		last = row
		show()
	}

	// extend chooses all rows between the last chosen one, or else the focused one, and a row.
	function extend(row) {
		const all = [...holder.querySelectorAll(".row")]
		const [from, to] = [all.indexOf(last ?? focusedRow() ?? row), all.indexOf(row)].sort((a, b) => a - b)
		// from is -1 if last has left the list.
		for (const {dataset} of all.slice(Math.max(0, from), to + 1)) chosen.add(dataset.id)
		last = row
		show()
	}

	function decide(status) {
		const ids = chosenHere().filter(id => status !== "followed" || canFollow(id))
		clear()
		changeNow(ids.map(id => [id, {status}]), `${count(t.n_flats, ids.length)}: ${statusName(status)}`)
	}

	// compare adds the chosen rows to the flats to compare, as many as there is room for.
	function compare() {
		const ids = chosenHere()
		const all = withCompared(ids)
		setCompared(all)
		if (!ids.every(id => all.includes(id))) tell(t.compare_most)
		clear()
	}

	function press(event) {
		const row = event.target.closest(".row")
		if (!row || event.target.closest("button")) return
		const isChoice = isAfterLongPress || event.shiftKey || chosen.size > 0
		if (!isChoice) return // the press opens the flat
		event.preventDefault()
		event.stopPropagation()
		if (isAfterLongPress) isAfterLongPress = false
		else if (event.shiftKey) extend(row)
		else toggle(row)
	}

	holder.addEventListener("click", press, {capture: true, signal})
	holder.addEventListener("mousedown", event => {
		if (event.shiftKey) event.preventDefault() // so that no text is selected
	}, {signal})
	addEventListener("keydown", ({key}) => {
		if (key === "Escape" && chosen.size > 0) clear()
	}, {signal})
	onChange(flat => {
		if (chosen.delete(String(flat.id))) show()
	}, signal)
	rowsObserver.observe(holder, {childList: true, subtree: true})
	signal.addEventListener("abort", () => rowsObserver.disconnect())
	swipeRows(holder, {
		held(row) {
			isAfterLongPress = true
			toggle(row)
		},
		touched() { isAfterLongPress = false },
	}, signal)

	function toggleFocused() {
		if (focusedRow()) toggle(focusedRow())
	}

	return {bar, toggle: toggleFocused}
}

const steadyPress = 10 // pixels: a finger that moves more makes no long press
const tellingSwipe = 40 // pixels after which a row shows what the swipe would decide

// swipeRows makes a swipe to the left dismiss a card, and a swipe to the right follow it. It calls held(row) after a
// long press, and touched() whenever a finger touches holder.
function swipeRows(holder, {held, touched}, signal) {
	let row // the one under the finger
	let timer // for a long press
	const dismiss = () => setStatus(row.dataset.id, "ignored")

	function follow() {
		if (canFollow(row.dataset.id)) setStatus(row.dataset.id, "followed")
	}

	// move moves the row with the finger. Beyond tellingSwipe the row shows what the swipe would decide. It decides only
	// beyond twice that (leastSwipe in lib/gestures.js).
	function move(by) {
		if (Math.abs(by) > steadyPress) clearTimeout(timer)
		row.style.translate = by ? by + "px" : ""
		if (Math.abs(by) > tellingSwipe) row.dataset.swipe = by > 0 ? "followed" : "ignored"
		else delete row.dataset.swipe
	}

	// begins reports whether a swipe may begin on an element.
	function begins(target) {
		row = target.closest(".rows .row")
		clearTimeout(timer)
		touched()
		if (!row || target.closest("button")) return false
		timer = setTimeout(held, longPress, row)
		return true
	}

	swipe(holder, follow, dismiss, move, begins)
	for (const type of ["pointerup", "pointercancel", "scroll"])
		addEventListener(type, () => clearTimeout(timer), {signal, capture: true})
	// A long press must not open the browser's menu.
	holder.addEventListener("contextmenu", event => {
		if (event.target.closest(".rows .row") && event.pointerType !== "mouse") event.preventDefault()
	}, {signal})
}
