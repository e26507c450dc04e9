// What one makes of a flat: status, rating, visit and notes.

import {find, flats, keyOf, statusOf} from "./api.js"
import {fill, h, later, swap} from "./dom.js"
import {clock, dayAndTime, fromControl, instant, minutes, number, statusName, text, toControl} from "./format.js"
import {boxesOf, notesOf, tick, wordsOf} from "./notes.js"
import {change, title} from "./notice.js"
import {visits} from "./offline.js"
import {compareButton, stars, statusButtons} from "./parts.js"
import {around, startOf} from "./schedule.js"
import {flatHash} from "./state.js"
import {t} from "./strings.js"

/** own makes the controls: {element, follow(flat)}; follow shows a flat that has changed. */
export function own(flat, signal) {
	const id = keyOf(flat)
	const choose = () => h("div.choices", statusButtons(id), h("div.line", stars(id), compareButton(id)))
	let choices = choose()
	const visit = visitControl(flat, signal)
	const element = h("div.own", choices, visit.element, notesControl(flat, signal))
	return {element, follow(flat) {
		choices = swap(choices, choose())
		visit.follow(flat)
	}}
}

// A visit is saved after a pause: a year that is typed is 2, 20 and 202 first.
function visitControl(flat, signal) {
	const id = keyOf(flat)
	let others = []
	const save = visit_date => change(id, {visit_date}, visit_date ? dayAndTime(visit_date) : "–")
	const saveTyped = () => {
		if (input.validity.valid && input.value !== toControl(flats.get(id).visit_date)) save(fromControl(input.value))
	}
	const saveSoon = later(saveTyped, 800)
	const input = h("input#visit", {type: "datetime-local", min: "1900-01-01T00:00", max: "9999-12-31T23:59",
		value: toControl(flat.visit_date), blur: saveTyped, input: () => tell() ?? saveSoon()})
	const remove = h("button.close", "×", {label: t.remove_visit, click: () => save(null)})
	const lies = h("div", {role: "status"})

	function tell() {
		remove.hidden = !input.value
		fill(lies, input.value && inWords(around(instant(input.value), others)))
	}
	function follow({visit_date}) {
		if (input !== document.activeElement) input.value = toControl(visit_date)
		tell()
	}
	find(visits(), {}, {signal}).then(found => {
		others = found.flats.filter(other => keyOf(other) !== id)
		tell()
	}, () => {})
	tell()
	return {element: h("div.visit", h("label", t.visit_date, {for: "visit"}), h("div.line", input, remove), lies), follow}
}

/** inWords says how a visit lies to those around it. */
export function inWords({overlaps, before, after}) {
	const line = (pattern, flat, left) => {
		const values = {left: left != null && minutes(left / 1000), time: clock(startOf(flat)), title: "\n"}
		const [start, end] = text(pattern, values).split("\n")
		return h("p", {class: left == null && "overlap"}, start, h("a", title(flat), {href: flatHash(keyOf(flat))}), end)
	}
	return [overlaps.map(flat => line(t.overlap_with, flat)), before && line(t.left_after, before.flat, before.left),
		after && line(t.left_before, after.flat, after.left)]
}

function notesControl(flat, signal) {
	const saver = notesOf(keyOf(flat), flat.notes ?? "")
	const input = h("textarea#notes", {value: saver.text, input: typed,
		keydown: ({key}) => key === "Escape" && input.blur()}) // gives the single keys back
	const boxes = h("ul.boxes")
	const checklist = t.checklist.map(item => "- [ ] " + item)
	const add = h("button", t.add_checklist,
		{click: () => write([input.value.trimEnd(), ...checklist].filter(Boolean).join("\n"))})
	const state = h("p#saved", {role: "status"})
	const versions = h("div.versions")

	function typed() {
		saver.type(input.value)
		showBoxes()
	}
	function write(text) {
		input.value = text
		typed()
	}
	function showBoxes() {
		const all = boxesOf(input.value)
		add.hidden = all.some(({text}) => t.checklist.includes(text))
		fill(boxes, all.map(({at, text, ticked}) => h("li", h("label", h("input", {type: "checkbox", checked: ticked,
			change: ({target}) => saver.type(input.value = tick(input.value, at, target.checked))}), h("span", text)))))
	}
	const settle = (word, text) => h("button", word, {click: () => {
		write(text())
		saver.settle(input.value)
		input.focus()
	}})
	saver.show = () => {
		const {state: is, theirs, trouble} = saver
		fill(state, t["notes_" + is], is === "kept" && trouble && " " + trouble)
		fill(versions, is === "conflict" && [h("p", theirs || "–"), settle(t.keep_both, () => `${theirs}\n\n${input.value}`),
			settle(t.keep_yours, () => input.value), settle(t.keep_theirs, () => theirs)])
	}
	if (saver.state !== "saved") saver.show()
	showBoxes()
	signal.addEventListener("abort", () => saver.show = () => {})
	return h("div.notes", h("label", t.notes, {for: "notes"}), boxes, input, h("div.line", add, state), versions)
}

/** onPaper is what is one's own as it is printed: boxes are for a pen. */
export function onPaper(flat, notes) {
	const facts = [statusName(statusOf(flat)), flat.notation != null && `${t.notation} ${number(flat.notation)}`,
		startOf(flat) != null && `${t.visit_date} ${dayAndTime(flat.visit_date)}`]
	return h("div.sheet", h("p", facts.filter(Boolean).join(" · ")), wordsOf(notes).map(line => h("p", line)),
		h("ul.boxes", boxesOf(notes).map(({text, ticked}) => h("li", ticked ? "☑ " : "☐ ", text))))
}
