// Notices, and the undoing of decisions. A notice closes by itself after a while, but that of a failure
// stays until it is closed.
//
// tell shows a notice, say only speaks to screen readers, failed and attempt report failures and offer to
// try again, copy copies a text. change, changeAll and decided make decisions that undo takes back.

import {flats, update} from "./api.js"
import {fill, h, later} from "./dom.js"
import {t, title} from "./format.js"

const box = document.getElementById("notice")

// say has screen readers read a text. If several texts come at once, they read only the last.
export const say = later(text => fill(document.getElementById("live"), text), 300)

// tell shows a notice. act, [label, function], gives it a button. An error stays until it is closed or
// reported again; other notices are replaced by the next one.
export function tell(text, {act, error} = {}) {
	const element = h("div.notice", {role: error ? "alert" : "status"}, h("p", text),
		act && h("button", act[0], {click: () => close(element) || act[1]()}),
		h("button.close", "×", {label: t.close, click: () => close(element)}))
	const replaced = old => !old.matches("[role=alert]") || old.querySelector("p").textContent === text
	for (const old of [...box.children].filter(replaced)) close(old)
	box.append(element)
	if (!error) leave(element, act ? 10_000 : 6_000)
}

// leave closes a notice after some milliseconds, but not while the pointer or the focus is on it.
function leave(element, milliseconds) {
	setTimeout(() => {
		if (element.matches(":hover, :focus-within")) leave(element, 1_000)
		else close(element)
	}, milliseconds)
}

// close closes a notice. If the notice has the focus, it passes to the next notice, or to the view.
function close(element) {
	const held = element.contains(document.activeElement)
	element.remove()
	if (held) (box.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
}

// copy copies a text to the clipboard. navigator.clipboard would need https, which a service at home
// often lacks.
export function copy(text) {
	const field = h("textarea.sr", {value: text})
	const held = document.activeElement
	document.body.append(field)
	field.select()
	document.execCommand("copy")
	field.remove()
	held.focus({preventScroll: true})
	tell(t.copied)
}

// reason returns in words why a request failed.
export const reason = ({status, message}) => (status === 0 ? t.offline : message || String(status))

// failed shows an error, with a button that calls again. words say what it means.
export function failed(error, again, words = t.failed) {
	if (error.name === "AbortError") return // the view was left
	// The browser asks for the password when it opens the page, not for requests of scripts.
	const act = error.status === 401 ? [t.sign_in, () => location.reload()] : again && [t.retry, again]
	tell(words + " " + reason(error), {error: true, act})
}

// attempt calls an asynchronous function. If it fails, it shows the error with a button to try again.
export const attempt = act => act().catch(error => failed(error, () => attempt(act)))

const past = [] // the functions that take decisions back, that of the last decision at the end

// decided shows a decision with "Undo", which calls back. If back fails, Undo can be tried again.
export function decided(text, back) {
	past.push(back)
	tell(text, {act: [t.undo, undo]})
}

// change sets fields of a flat as one decision.
export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

// changeAll makes all changes, [id, fields], as one decision, or none of them, and then calls done. A change may
// have a third part: fields that take it back, where those of the flat before do not. changeAll promises
// whether the changes were made.
export async function changeAll(changes, words, done = () => {}) {
	const made = []
	const back = async () => {
		for (const [id, fields] of made) await update(id, fields)
	}
	try {
		for (const [id, fields, instead] of changes) {
			const before = await update(id, fields)
			const was = Object.keys(fields).map(name => [name, before[name] ?? null])
			made.push([id, {...Object.fromEntries(was), ...instead}])
		}
		decided(words, back)
		done()
		return true
	} catch (error) {
		failed(error, () => changeAll(changes, words, done))
		await back().catch(() => {}) // without a network this fails too, and the first changes stay
		return false
	}
}

// undo takes the last decision back.
export async function undo() {
	const back = past.pop()
	if (!back) return
	try {
		await back()
		tell(t.undone, {act: past.length > 0 && [t.undo, undo]})
	} catch (error) {
		past.push(back)
		failed(error, undo)
	}
}
