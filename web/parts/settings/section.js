// A section of Settings: its state, its form, and the buttons to save and to undo.

import {fill, h, swap} from "../../lib/dom.js"
import {changesIn, hasSetting, isFixed, needsReload, saveSettings} from "../../lib/settings.js"
import {store, stored} from "../../lib/storage.js"
import {t} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {clearWrong, showWrong} from "../form.js"
import {reason, say, tell} from "../notice.js"

// Under lastSaveKey in sessionStorage, openAnew stores the last save, {name, undoPatch, isUndone}, for the page that it
// reloads. name is that of the section.
const lastSaveKey = "flats.saved"

// makeSection makes a section, which outlives the view. household has all sections, and changed(), to be called after
// saving. The last parameter describes the section:
//   keys     the settings in its form; the form is hidden if the service knows none of them
//   draw     draw(changed) makes the fields, {element, read, agree}. read returns the values by key, or throws an
//            error of wrongAt. agree, if present, promises whether the user wants to save them. The fields call
//            changed after changes other than by typing.
//   watch    watch(element, signal) shows the state in an element. It may promise {load, onMinute}: load() shows the
//            state anew, and so does onMinute(), which is called once a minute
//   extra    extra(signal) makes further elements, which are below the form, or above it if isFirst
export function makeSection(household, name, {keys = [], draw, watch, extra, isFirst}) {
	const heading = h("h2", s[name], {tabindex: -1})
	const stateBox = h("div.told")
	const trouble = h("p.wrong", {role: "alert"})
	const button = h("button", t.save_facts)
	const undoButton = h("button", t.undo, {type: "button", hidden: true, click: () => undo()})
	let fields = h("div")
	let drawn = null // what draw returned
	let isDirty = false // whether there is unsaved input
	let changeCount = 0 // how often the input has changed
	let undoPatch = null // undoes the last save
	const actions = h("div.line", button, undoButton)
	const form = h("form.settings", {submit: save, input: changed, change: changed, novalidate: ""}, fields, trouble,
		actions)
	const element = h("section.card", heading, stateBox, {id: "settings-" + name})
	const extras = h("div.told")
	const parts = isFirst ? [extras, form] : [form, extras]
	element.append(...parts)

	// redraw shows the fields with the service's values, unless something was typed.
	function redraw() {
		form.hidden = !keys.some(hasSetting)
		if (form.hidden || isDirty) return
		drawn = draw(changed)
		fields = swap(fields, drawn.element)
		actions.hidden = keys.every(isFixed)
	}

	// changed records unsaved input, and makes saving the next step.
	function changed() {
		isDirty = true
		changeCount++
		undoPatch = null
		for (const section of household.sections) section.unmarkSave()
		button.classList.add("primary")
		fill(button, t.save_facts)
		undoButton.hidden = true
	}

	// save sends the changes. If they are refused, the input stays.
	async function save(event) {
		event.preventDefault()
		if (button.ariaDisabled === "true") return
		clearWrong(form)
		fill(trouble)
		try {
			const patch = changesIn(drawn.read())
			if (!drawn.agree || await drawn.agree()) await send(patch)
		} catch (error) {
			complain(error)
		}
	}

	// complain shows errors, each at its field if it has one.
	function complain(error) {
		const otherErrors = error.wrong ? showWrong(form, error.wrong) : `${t.failed} ${reason(error)}`
		fill(trouble, otherErrors)
		if (error.wrong && !otherErrors) say(s.see_fields)
	}

	// send saves a patch, and shows the progress on the button. What is typed meanwhile stays. With isUndo the patch
	// undoes the last save, and is itself not offered to be undone.
	async function send(patch, {isUndo = false} = {}) {
		const countBefore = changeCount
		button.ariaDisabled = "true"
		fill(button, s.saving)
		try {
			const reversePatch = Object.keys(patch).length > 0 ? await saveSettings(patch) : null
			const isAllSaved = changeCount === countBefore
			if (isAllSaved) {
				isDirty = false
				button.classList.remove("primary")
				undoPatch = isUndo ? null : reversePatch
				showSaved(isUndo)
			}
			if (isUndo) tell(t.undone)
			else say(s.saved)
			household.changed()
		} catch (error) {
			fill(button, t.save_facts)
			throw error
		} finally {
			button.ariaDisabled = null
		}
		if (needsReload(patch)) openAnew(isUndo)
	}

	// showSaved shows on the buttons that everything is saved, or that the last save was undone.
	function showSaved(isUndone) {
		fill(button, isUndone ? t.save_facts : s.saved)
		undoButton.hidden = !undoPatch
	}

	// undo undoes the last save. It is offered until something is typed.
	async function undo() {
		try {
			await send(undoPatch, {isUndo: true})
		} catch (error) {
			complain(error)
		}
	}

	// openAnew reloads the page, because the service writes the new values into it. If other sections have unsaved input,
	// it offers that instead. isUndone says that the last save was undone.
	function openAnew(isUndone) {
		const again = () => {
			store(lastSaveKey, {name, undoPatch, isUndone}, "sessionStorage")
			location.reload()
		}
		const words = isUndone ? s.undone_open_anew : s.open_anew
		if (household.sections.some(other => other.isDirty())) tell(words, {act: [t.open_again, again]})
		else again()
	}

	// takeStored shows that this section was saved, or that this was undone, before the page was reloaded.
	function takeStored() {
		const lastSave = stored(lastSaveKey, "sessionStorage")
		if (lastSave?.name !== name) return
		store(lastSaveKey, null, "sessionStorage")
		undoPatch = lastSave.undoPatch
		showSaved(lastSave.isUndone)
		if (lastSave.isUndone) tell(t.undone)
		else say(s.saved)
	}

	takeStored()
	let watched = null
	return {name, element, heading, redraw, isDirty: () => isDirty,
		unmarkSave: () => button.classList.remove("primary"), // when another section gets unsaved input
		async show(signal) {
			redraw()
			if (extra) fill(extras, extra(signal))
			try {
				watched = await watch(stateBox, signal)
			} catch (error) {
				if (signal.aborted) return
				element.hidden = error.status === 404 // the service is older than this section
				if (!element.hidden) fill(stateBox, h("p.wrong", `${t.failed} ${reason(error)}`))
			}
		},
		async load() {
			await watched?.load?.()
		},
		onMinute: () => watched?.onMinute?.()}
}
