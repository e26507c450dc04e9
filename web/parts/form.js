// Forms of settings.
//
// field makes a control with label, hint and a place for errors. nameIn shows what is typed into a control. showWrong
// shows errors at their fields, clearWrong removes them; wrongAt makes such an error. renamePaths changes the paths
// that contain the name of a region or place when the name changes.

import {fill, h} from "../lib/dom.js"
import {s} from "../words/settings.js"

// newId returns a new id for an element.
const newId = () => "f" + crypto.getRandomValues(new Uint32Array(1))[0].toString(36)

// field makes a control with a label, next to it if it is a checkbox. path names the setting as the service does, such
// as mailbox.url. The other elements follow below the control.
//
// fixed means that config.json sets the setting: the control is disabled, and a note says why. With isNoted there is no
// note, because the form has one; nor is there one if path leads to a member of a setting, because the field or the
// form of the whole setting has it.
export function field(label, control, path, {hint, fixed, isNoted} = {}, ...below) {
	const [wrongId, hintId] = [newId(), newId()]
	control.id ||= newId()
	control.dataset.path = path
	if (fixed) control.disabled = true
	const isMember = path.includes(".")
	const hints = [hint, fixed && !isNoted && !isMember && s.fixed].filter(Boolean)
	// showWrong looks for the element of the errors at the end of this list.
	control.setAttribute("aria-describedby", [hints.length > 0 && hintId, wrongId].filter(Boolean).join(" "))
	const name = control.type === "checkbox" ? h("label.line", control, label)
		: [h("label", label, {for: control.id}), control]
	return h("div.setting", name, hints.length > 0 && h("p.soft", hints.join(" "), {id: hintId}),
		h("p.trouble", {id: wrongId}), below)
}

// nameIn makes an element that shows the text of a control as it is typed, or unnamed if it is empty. write turns it
// into words.
export function nameIn(control, unnamed, write = name => name) {
	const element = h("span")
	const show = () => fill(element, write(control.value.trim() || unnamed))
	control.addEventListener("input", show)
	show()
	return element
}

// wrongAt makes the error of a value that cannot be sent, in the form of the service's refusals.
export const wrongAt = (path, words) => Object.assign(new Error(words), {wrong: {[path]: words}})

// clearWrong removes all errors in a form.
export function clearWrong(form) {
	for (const element of form.querySelectorAll(".trouble")) fill(element)
	for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid")
}

// showWrong shows errors, {path: words}, each at the control of its path, and focuses the first of these controls. It
// returns the errors without a control as text.
export function showWrong(form, wrong) {
	const others = []
	for (const [path, words] of Object.entries(wrong)) {
		const control = controlOf(form, path)
		if (!control) {
			others.push(path ? `${path}: ${words}` : words)
			continue
		}
		const wrongId = control.getAttribute("aria-describedby").split(" ").at(-1)
		const trouble = document.getElementById(wrongId)
		trouble.append(trouble.textContent ? " " : "", words)
		control.ariaInvalid = "true"
		for (let fold = control.closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true
	}
	form.querySelector("[aria-invalid=true]")?.focus()
	return others.join("; ")
}

// controlOf returns the control for a path, or else the control of its first member, or of the nearest value around it.
function controlOf(form, path) {
	const controls = [...form.querySelectorAll("[data-path]")].filter(control => !control.disabled)
	const member = controls.find(control => control.dataset.path.startsWith(path + "."))
	const exact = part => controls.find(control => control.dataset.path === part)
	let found = exact(path) ?? member
	let around = path
	while (!found && around.includes(".")) {
		around = around.slice(0, around.lastIndexOf("."))
		found = exact(around)
	}
	return found
}

// renamePaths changes the path from to the path to, for the controls in an element. Longer paths that begin with it
// change, too.
export function renamePaths(element, from, to) {
	for (const {dataset} of element.querySelectorAll("[data-path]"))
		if ((dataset.path + ".").startsWith(from + ".")) dataset.path = to + dataset.path.slice(from.length)
}
