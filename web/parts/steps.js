// The next step of a flat. stepButton makes the button that shows it and opens showSteps, where one sets it. setStep
// and putOff change it, inDays returns a date for it.

import {h, openDialog} from "../lib/dom.js"
import {flats} from "../lib/flats.js"
import {fieldInWords, fieldsInWords, stepInWords, title} from "../words/flats.js"
import {t, toControl} from "../words/format.js"
import {change} from "./decisions.js"

// inDays returns the date some days from today, such as 2026-03-01. The locale "sv" writes dates in this form.
export function inDays(days) {
	const at = new Date()
	at.setDate(at.getDate() + days)
	return at.toLocaleDateString("sv")
}

// setStep sets the next step of a flat and its date. Without a step it removes both, because the step is done.
export function setStep(id, step, date) {
	const fields = step ? {next_step: step, next_date: date || null} : {next_step: null, next_date: null}
	return change(id, fields, step ? fieldsInWords(fields) : `${t.step_done}: ${flats.get(id).next_step}`)
}

// putOff changes the date of the next step.
export const putOff = (id, date) =>
	date && change(id, {next_date: date}, `${flats.get(id).next_step}: ${fieldInWords("next_date", {next_date: date})}`)

// stepButton makes a button that shows the next step of a flat and opens the choices.
export function stepButton(id) {
	const flat = flats.get(id)
	const words = stepInWords(flat) || t.next_step
	const isSet = Boolean(flat.next_step)
	return h(isSet ? "button.step.set" : "button.step", words, {title: words,
		label: `${t.next_step}: ${isSet ? words : title(flat)}`, "aria-haspopup": "dialog", click: () => showSteps(id)})
}

// usualSteps has the most common steps, [[label, step, days from today until it is due]]: "Call tomorrow" sets the step
// "Call".
const usualSteps = [[t.step_call, t.call, 1], [t.step_documents, t.step_documents, 0], [t.step_visit, t.step_visit, 0]]

// showSteps opens the choices of a next step. The dialog belongs to the view, because the button may be drawn anew
// meanwhile.
export function showSteps(id) {
	const flat = flats.get(id)
	const set = (step, date) => {
		dialog.close()
		setStep(id, step, date)
	}
	const words = h("input", {name: "step", value: flat.next_step ?? "", maxlength: 200, autocomplete: "off"})
	const day = toControl(flat.next_date ?? inDays(1)).slice(0, 10)
	const date = h("input", {name: "date", type: "date", min: "1900-01-01", max: "9999-12-31", value: day})
	const isSameDay = () => flat.next_date && date.value === day // then it keeps its time of day

	function submit(event) {
		event.preventDefault()
		if (words.value.trim()) set(words.value.trim(), isSameDay() ? flat.next_date : date.value)
		else words.focus()
	}

	const dialog = h("dialog.steps-dialog", {label: t.next_step}, h("h2", t.next_step), h("p.soft", title(flat)),
		flat.next_step && h("div.line", h("p", stepInWords(flat)), h("button.primary", t.step_done,
			{click: () => set(null)})),
		h("div.line", usualSteps.map(([label, step, days]) => h("button", label, {click: () => set(step, inDays(days))}))),
		h("form", {submit}, h("label", t.own_words, words), h("label", t.due_on, date),
			h("div.line", h("button", t.save_facts, {"data-own": ""}),
				h("button", t.cancel, {type: "button", click: () => dialog.close()}))))
	openDialog(document.querySelector("main > section"), dialog)
}
