// What one makes of a flat: status, rating, visit and notes.

import {find, flats, keyOf, onChange} from "./api.js"
import {fill, h, later, swap} from "./dom.js"
import {clock, dayAndTime, fromControl, instant, minutes, text, timed, toControl} from "./format.js"
import {boxesOf, notesOf, onPaper} from "./notes.js"
import {change, title} from "./notice.js"
import {compareButton, following, stars, statusButtons} from "./parts.js"
import {withVisit} from "./state.js"
import {t} from "./strings.js"

/** own makes the controls, which follow the flat until the signal. */
export function own(flat, signal) {
	const id = keyOf(flat)
	const choices = () => h("div.choices", statusButtons(id), h("div.line", stars(id), compareButton(id)))
	return h("div.own", following(id, choices, signal), visit(flat, signal), notes(flat, signal))
}

function visit(flat, signal) {
	const id = keyOf(flat)
	let others = []
	const input = h("input#visit", {type: "datetime-local", min: "1900-01-01T00:00", max: "9999-12-31T23:59",
		input: () => show() ?? saveSoon()})
	const about = h("div", {role: "status"})
	const show = () => fill(about, input.value && around(instant(input.value), others))

	const save = visit_date => change(id, {visit_date}, visit_date ? dayAndTime(visit_date) : "–")
	// A year that is typed is 2, 20 and 202 first.
	const saveSoon = later(() => input.validity.valid && input.value !== toControl(flats.get(id).visit_date) &&
		save(fromControl(input.value)), 800)
	function follow(other) {
		if (keyOf(other) !== id || input === document.activeElement) return
		input.value = toControl(other.visit_date)
		show()
	}
	onChange(follow, signal)
	follow(flat)
	find(withVisit, {}, {signal}).then(found => {
		others = found.flats.filter(other => keyOf(other) !== id)
		show()
	}, () => {/* the visit is saved without */})
	const remove = h("button.close", "×", {label: text(t.remove, {name: t.visit_date}), click: () => save(null)})
	return h("div.visit", h("label", t.visit_date, {for: "visit"}), h("div.line", input, remove), about)
}

function notes(flat, signal) {
	const saver = notesOf(keyOf(flat), flat.notes ?? "")
	const input = h("textarea#notes", {value: saver.text, input: () => write(input.value),
		keydown: ({key}) => key === "Escape" && input.blur()}) // gives the single keys back
	const add = h("button", t.add_checklist, {click: () =>
		write([input.value.trimEnd(), ...t.checklist.map(item => "- [ ] " + item)].filter(Boolean).join("\n"))})
	const state = h("p#saved", {role: "status"})
	const versions = h("div.versions")
	const paper = h("p.sheet")
	let boxes = h("ul.boxes")

	function write(text) {
		if (input.value !== text) input.value = text
		saver.type(text)
		show()
	}
	function show() {
		const all = boxesOf(input.value)
		add.hidden = all.some(({text}) => t.checklist.includes(text))
		boxes = swap(boxes, h("ul.boxes", all.map(({text, ticked, turned}) => h("li", h("label",
			h("input", {type: "checkbox", checked: ticked, change: () => write(turned)}), h("span", text))))))
		fill(paper, onPaper(input.value))
	}
	const settle = (word, text) => h("button", word, {click: () => {
		saver.settle()
		write(text(saver))
		input.focus()
	}})
	saver.show = () => {
		const {state: is, theirs, trouble} = saver
		fill(state, t["notes_" + is], is === "kept" && trouble && " " + trouble)
		fill(versions, is === "conflict" && [h("p", theirs || "–"),
			settle(t.keep_both, ({text}) => `${theirs}\n\n${text}`), settle(t.keep_yours, ({text}) => text),
			settle(t.keep_theirs, () => theirs)])
	}
	if (saver.state !== "saved") saver.show()
	show()
	signal.addEventListener("abort", () => saver.show = () => {})
	return h("div.notes", h("label", t.notes, {for: "notes"}), boxes, input, paper, h("div.line", add, state), versions)
}

/** A visit takes an hour, as in the calendar feed. */
export const hour = 3_600_000

/** startOf is when the visit of a flat begins, in milliseconds, or null. */
export const startOf = flat => instant(flat.visit_date)

/** around says how a visit at a time lies to those of other flats: what overlaps, the one before, the one after. */
export function around(at, others) {
	const near = others.filter(flat => timed(flat.visit_date) && Math.abs(startOf(flat) - at) < 12 * hour)
		.sort((a, b) => startOf(a) - startOf(b))
	const line = pattern => flat => {
		const left = minutes((Math.abs(startOf(flat) - at) - hour) / 1000)
		return h("p", text(pattern, {left, time: clock(startOf(flat)), title: title(flat)}),
			{class: pattern === t.overlap_with && "overlap"})
	}
	return [
		near.filter(flat => Math.abs(startOf(flat) - at) < hour).map(line(t.overlap_with)),
		near.filter(flat => startOf(flat) <= at - hour).slice(-1).map(line(t.left_after)),
		near.filter(flat => startOf(flat) >= at + hour).slice(0, 1).map(line(t.left_before)),
	]
}
