// A section of Settings: its state, its fields, and the buttons that save them and take that back.

import {fill, h, swap} from "../../lib/dom.js"
import {changesIn, hasSetting, needsReload, saveSettings} from "../../lib/settings.js"
import {store, stored} from "../../lib/storage.js"
import {t} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {clearWrong, showWrong} from "../form.js"
import {reason, say, tell} from "../notice.js"

const savedKey = "flats.saved" // in the browser's storage: the section that was saved before the page was loaded anew

// makeSection makes a section that outlives the view. household lists all sections; each has:
//   keys      those that it sets; it has no form if the service knows none of them
//   draw      makes its fields, {element, read, agree}: read returns the values by key, or throws the error of wrongAt;
//             agree, if there is one, promises whether the user wants them; draw gets changed, which it calls when
//             something changes by itself
//   watch     shows its state in an element until a signal aborts, and may return {load, passes} as showState does
//   further   makes what stands below the form, or above it if isFirst is true
export function makeSection(household, name, {keys = [], draw, watch, further, isFirst}) {
	const heading = h("h2", s[name], {tabindex: -1})
	const state = h("div.told")
	const trouble = h("p.wrong", {role: "alert"})
	const button = h("button", t.save_facts)
	const back = h("button", t.undo, {type: "button", hidden: true, click: () => undo()})
	let fields = h("div"), drawn = null, isDirty = false, taken = null
	const form = h("form.settings", {submit: save, input: changed, change: changed, novalidate: ""}, fields, trouble,
		h("div.line", button, back))
	const element = h("section.card", heading, state, {id: "settings-" + name})
	const below = h("div.told")
	element.append(...isFirst ? [below, form] : [form, below])

	// redraw shows the fields as the service has them, unless something is typed.
	function redraw() {
		form.hidden = !keys.some(hasSetting)
		if (form.hidden || isDirty) return
		drawn = draw(changed)
		fields = swap(fields, drawn.element)
	}

	function changed() {
		isDirty = true
		taken = null
		for (const section of household.sections) section.rest()
		button.classList.add("primary")
		fill(button, t.save_facts)
		back.hidden = true
	}

	// save sends what has changed. Nothing that was typed is lost if it is refused.
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

	function complain(error) {
		const rest = error.wrong ? showWrong(form, error.wrong) : `${t.failed} ${reason(error)}`
		fill(trouble, rest)
		if (error.wrong && !rest) say(s.see_fields)
	}

	// send saves a patch; the button says so.
	async function send(patch) {
		button.ariaDisabled = "true"
		fill(button, s.saving)
		try {
			const undoing = Object.keys(patch).length > 0 ? await saveSettings(patch) : null
			isDirty = false
			button.classList.remove("primary")
			fill(button, s.saved)
			say(s.saved)
			taken = undoing
			back.hidden = !taken
			household.changed(patch)
		} catch (error) {
			fill(button, t.save_facts)
			throw error
		} finally {
			button.ariaDisabled = null
		}
		if (needsReload(patch)) openAnew()
	}

	async function undo() {
		const patch = taken
		try {
			isDirty = false
			await send(patch)
			fill(button, t.save_facts)
			back.hidden = true
			tell(t.undone)
		} catch (error) {
			taken = patch
			back.hidden = false
			complain(error)
		}
	}

	// openAnew loads the page anew, which has what was changed written into it, unless something else is typed.
	function openAnew() {
		const again = () => {
			store(savedKey, {name, taken}, "sessionStorage")
			location.reload()
		}
		if (household.sections.some(other => other.isDirty())) tell(s.open_anew, {act: [t.open_again, again]})
		else again()
	}

	function takeStored() {
		const last = stored(savedKey, "sessionStorage")
		if (last?.name !== name) return
		store(savedKey, null, "sessionStorage")
		taken = last.taken
		fill(button, s.saved)
		back.hidden = !taken
		say(s.saved)
	}

	takeStored()
	let watched = null
	return {name, element, heading, redraw, isDirty: () => isDirty,
		rest: () => button.classList.remove("primary"), // another section has the next step
		async show(signal) {
			redraw()
			if (further) fill(below, further(signal))
			try {
				watched = await watch(state, signal)
			} catch (error) {
				if (signal.aborted) return
				element.hidden = error.status === 404 // an older service
				if (!element.hidden) fill(state, h("p.wrong", `${t.failed} ${reason(error)}`))
			}
		},
		async load() {
			await watched?.load?.()
		},
		passes: () => watched?.passes?.()}
}
