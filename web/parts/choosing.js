// What fingers and Shift do to the rows of the list: a swipe decides, a long press or a press with Shift chooses
// several, for which there is a bar. The first list does without this module.

import {fill, h} from "../lib/dom.js"
import {shortlisted, statusOf} from "../lib/fields.js"
import {flats, onChange} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {count, number, statusName, t} from "../words/format.js"
import {setChosen, withChosen} from "./bar.js"
import {setStatus} from "./decide.js"
import {changeNow} from "./decisions.js"
import {icon} from "./icons.js"
import {say, tell} from "./notice.js"
import {focusedRow} from "./rowlist.js"

const longPress = 500 // milliseconds

// canFollow reports whether to follow a flat would not be a step back.
const canFollow = id => !shortlisted.includes(statusOf(flats.get(id)))

// makeChoosing lets fingers and Shift act on the rows in an element until the signal aborts. It returns the bar, and
// toggle, which chooses the row with the focus.
export function makeChoosing(holder, signal) {
	const chosen = new Set() // those of rows that are not there, too: they count for nothing until they come back
	const words = h("b")
	const button = (word, act, status) => h("button", word, status && {data: {status}}, {click: act})
	const bar = h("div.chosen-rows", {hidden: true, role: "group", label: t.actions}, words,
		button(t.follow, () => decide("followed"), "followed"), button(t.dismiss, () => decide("ignored"), "ignored"),
		button(t.compare, compare), h("button.close", icon("dismiss"), {label: t.close, click: clear}))
	const redrawn = new MutationObserver(() => chosen.size > 0 && show())
	let last = null // the row that was chosen last
	let isPressed = false // whether a long press has just chosen a row, and its click counts for nothing

	// chosenHere returns the ids of the rows that are chosen.
	const chosenHere = () => [...holder.querySelectorAll(".row")].map(({dataset}) => dataset.id)
		.filter(id => chosen.has(id))

	function show() {
		for (const row of holder.querySelectorAll(".row"))
			row.toggleAttribute("data-chosen", chosen.has(row.dataset.id))
		const n = chosenHere().length
		const said = count(t.n_chosen, n)
		if (n > 0 && said !== words.title) say(said)
		words.title = said
		fill(words, h("span.words", said), h("span.number", number(n)))
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

	// extend chooses all rows from the one that was chosen last, or else the one with the focus.
	function extend(row) {
		const all = [...holder.querySelectorAll(".row")]
		const [from, to] = [all.indexOf(last ?? focusedRow() ?? row), all.indexOf(row)].sort((a, b) => a - b)
		for (const {dataset} of all.slice(Math.max(0, from), to + 1)) chosen.add(dataset.id)
		last = row
		show()
	}

	function decide(status) {
		const ids = chosenHere().filter(id => status !== "followed" || canFollow(id))
		clear()
		changeNow(ids.map(id => [id, {status}]), `${count(t.n_flats, ids.length)}: ${statusName(status)}`)
	}

	function compare() {
		const ids = chosenHere()
		const all = withChosen(ids)
		setChosen(all)
		if (!ids.every(id => all.includes(id))) tell(t.compare_most)
		clear()
	}

	function press(event) {
		const row = event.target.closest(".row")
		if (!row || event.target.closest("button")) return
		if (!isPressed && !event.shiftKey && chosen.size === 0) return
		event.preventDefault()
		event.stopPropagation()
		if (isPressed) isPressed = false
		else if (event.shiftKey) extend(row)
		else toggle(row)
	}

	holder.addEventListener("click", press, {capture: true, signal})
	holder.addEventListener("mousedown", event => event.shiftKey && event.preventDefault(), {signal}) // selects no text
	addEventListener("keydown", ({key}) => key === "Escape" && chosen.size > 0 && clear(), {signal})
	onChange(flat => chosen.delete(String(flat.id)) && show(), signal)
	redrawn.observe(holder, {childList: true, subtree: true})
	signal.addEventListener("abort", () => redrawn.disconnect())
	swipeRows(holder, row => {
		isPressed = true
		toggle(row)
	}, () => { isPressed = false }, signal)
	return {bar, toggle: () => focusedRow() && toggle(focusedRow())}
}

// swipeRows lets a swipe to the left dismiss a card, and one to the right follow it. held is called with a card that a
// finger has pressed for long, begun whenever a finger touches one.
function swipeRows(holder, held, begun, signal) {
	let row, timer
	const decide = (status, can = () => true) => () => can(row.dataset.id) && setStatus(row.dataset.id, status)

	function follow(by) {
		if (Math.abs(by) > 10) clearTimeout(timer)
		row.style.translate = by ? by + "px" : ""
		if (Math.abs(by) > 40) row.dataset.swipe = by > 0 ? "followed" : "ignored"
		else delete row.dataset.swipe
	}

	function begins(target) {
		row = target.closest(".rows .row")
		clearTimeout(timer)
		begun()
		if (!row || target.closest("button")) return false
		timer = setTimeout(held, longPress, row)
		return true
	}

	swipe(holder, decide("followed", canFollow), decide("ignored"), follow, begins)
	for (const type of ["pointerup", "pointercancel", "scroll"])
		addEventListener(type, () => clearTimeout(timer), {signal, capture: true})
	// The browser's own menu would come with a long press.
	holder.addEventListener("contextmenu", event => event.target.closest(".rows .row") && event.pointerType !== "mouse" &&
		event.preventDefault(), {signal})
}
