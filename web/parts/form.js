// Forms of settings.
//
// field makes a control with its label, hint and the room for what is wrong, tied to it for screen readers. nameIn
// writes what is typed into one. showWrong shows what is wrong at the fields, clearWrong takes it away. wrongAt makes
// the error of a field that cannot be sent. renamePaths follows the name of a region or place, which is a part of
// paths.

import {fill, h} from "../lib/dom.js"
import {s} from "../words/settings.js"

// nextId returns an id that no element has.
const nextId = () => "f" + crypto.getRandomValues(new Uint32Array(1))[0].toString(36)

// field makes a control with a label, which stands beside a box to tick. path names the value as the service does, such
// as mailbox.url. A fixed one is set in config.json. It says so, unless it is "quiet" or a member of one that does.
// Further elements stand below the control.
export function field(label, control, path, {hint, fixed} = {}, ...further) {
	const [wrongId, hintId] = [nextId(), nextId()]
	control.id ||= nextId()
	control.dataset.path = path
	if (fixed) control.disabled = true
	const hints = [hint, fixed && fixed !== "quiet" && !path.includes(".") && s.fixed].filter(Boolean)
	control.setAttribute("aria-describedby", [hints.length > 0 && hintId, wrongId].filter(Boolean).join(" "))
	const name = control.type === "checkbox" ? h("label.line", control, label)
		: [h("label", label, {for: control.id}), control]
	return h("div.setting", name, hints.length > 0 && h("p.soft", hints.join(" "), {id: hintId}),
		h("p.trouble", {id: wrongId}), further)
}

// nameIn writes the name in a field as it is typed, or that of one without a name. write turns it into words.
export function nameIn(control, unnamed, write = name => name) {
	const element = h("span")
	const show = () => fill(element, write(control.value.trim() || unnamed))
	control.addEventListener("input", show)
	show()
	return element
}

// wrongAt makes the error of a value that cannot be sent.
export const wrongAt = (path, words) => Object.assign(new Error(words), {wrong: {[path]: words}})

// clearWrong takes away what is wrong in a form.
export function clearWrong(form) {
	for (const element of form.querySelectorAll(".trouble")) fill(element)
	for (const control of form.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid")
}

// showWrong shows what is wrong, by path, at the field of each path, or else at that of a part of it, and moves the
// focus to the first of them. It returns what no field is for.
export function showWrong(form, wrong) {
	const others = []
	for (const [path, words] of Object.entries(wrong)) {
		const control = controlOf(form, path)
		if (!control) {
			others.push(path ? `${path}: ${words}` : words)
			continue
		}
		const trouble = document.getElementById(control.getAttribute("aria-describedby").split(" ").at(-1))
		trouble.append(trouble.textContent ? " " : "", words)
		control.ariaInvalid = "true"
		for (let fold = control.closest("details"); fold; fold = fold.parentNode.closest("details")) fold.open = true
	}
	form.querySelector("[aria-invalid=true]")?.focus()
	return others.join("; ")
}

// controlOf returns the control of a path in a form, else that of its first member, else that of what it is a member
// of.
function controlOf(form, path) {
	const controls = [...form.querySelectorAll("[data-path]")].filter(control => !control.disabled)
	const member = controls.find(control => control.dataset.path.startsWith(path + "."))
	const exact = part => controls.find(control => control.dataset.path === part)
	let found = exact(path) ?? member
	for (let part = path; part && !found; part = part.slice(0, Math.max(0, part.lastIndexOf(".")))) found = exact(part)
	return found
}

// renamePaths gives the controls in an element other paths, once the name in them is known.
export function renamePaths(element, from, to) {
	for (const {dataset} of element.querySelectorAll("[data-path]"))
		if ((dataset.path + ".").startsWith(from + ".")) dataset.path = to + dataset.path.slice(from.length)
}
