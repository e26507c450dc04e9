// What the page says: results, decisions with an Undo, failures with a way out.

import {flats, update} from "./api.js"
import {fill, h, later} from "./dom.js"
import {t, title} from "./format.js"

const box = document.getElementById("notice")

// A screen reader reads the last of the texts that come at once.
export const say = later(text => fill(document.getElementById("live"), text), 300)

// act, [label, function], gives a notice a button; an error stays.
export function tell(text, {act, error} = {}) {
	const element = h("div.notice", {role: error ? "alert" : "status"}, h("p", text),
		act && h("button", act[0], {click: () => close(element) || act[1]()}),
		h("button.close", "×", {label: t.close, click: () => close(element)}))
	const replaced = old => !old.matches("[role=alert]") || old.querySelector("p").textContent === text
	for (const old of [...box.children].filter(replaced)) close(old)
	box.append(element)
	if (!error) leave(element, act ? 10_000 : 6_000)
}

function leave(element, milliseconds) {
	setTimeout(() => {
		if (element.matches(":hover, :focus-within")) leave(element, 1_000)
		else close(element)
	}, milliseconds)
}

function close(element) {
	const held = element.contains(document.activeElement)
	element.remove()
	if (held) (box.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
}

// navigator.clipboard is for https alone.
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

export const reason = ({status, message}) => (status === 0 ? t.offline : message || String(status))

export function failed(error, again) {
	if (error.name === "AbortError") return // nobody waits for the answer
	// The browser asks for the password as it opens the page.
	const act = error.status === 401 ? [t.sign_in, () => location.reload()] : again && [t.retry, again]
	tell(t.failed + " " + reason(error), {error: true, act})
}

export const attempt = act => act().catch(error => failed(error, () => attempt(act)))

const past = [] // the ways back of what was decided

// The way back of a decision may fail.
export function decided(text, back) {
	past.push(back)
	tell(text, {act: [t.undo, undo]})
}

export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

// Makes all of the changes, [id, fields], or none.
export async function changeAll(changes, words) {
	const done = []
	const back = async () => {
		for (const [id, fields] of done) await update(id, fields)
	}
	try {
		for (const [id, fields] of changes) {
			const before = await update(id, fields)
			done.push([id, Object.fromEntries(Object.keys(fields).map(name => [name, before[name] ?? null]))])
		}
		decided(words, back)
	} catch (error) {
		failed(error, () => changeAll(changes, words))
		await back().catch(() => {}) // what could not be reached is as it was
	}
}

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
