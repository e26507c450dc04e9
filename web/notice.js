// What the page says: results, decisions with an Undo, failures with a way out.

import {flats, update} from "./api.js"
import {fill, h, later} from "./dom.js"
import {t} from "./strings.js"

const box = document.getElementById("notice")
const live = document.getElementById("live")

/** say has a screen reader read the last of several texts that come at once. */
export const say = later(text => fill(live, text), 300)

/** tell shows a notice: {act: [label, function]} gives it a button, {undo: true} Undo, {error: true} makes it stay. */
export function tell(text, {act, undo: undoable, error} = {}) {
	const element = h("div.notice", {role: error ? "alert" : "status"}, h("p", text),
		act && h("button", act[0], {click: () => close(element) || act[1]()}),
		undoable && h("button", t.undo, {click: undo}),
		h("button.close", "×", {label: t.close, click: () => close(element)}))
	const replaced = old => !old.matches("[role=alert]") || old.querySelector("p").textContent === text
	for (const old of [...box.children].filter(replaced)) close(old)
	box.append(element)
	if (!error) leave(element, act || undoable ? 10_000 : 6_000)
}

// A notice stays while it is pointed at or has the focus.
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

/** hush closes all notices, errors too: their view has been left. */
export const hush = () => fill(box)

export const reason = ({status, message}) => (status === 0 ? t.offline : message || String(status))

/** failed shows a failure; again, if given, tries once more. */
export function failed(error, again) {
	if (error?.name === "AbortError") return // nobody waits for the answer
	// The browser asks for the password where it opens the page, not for an answer.
	const act = error.status === 401 ? [t.sign_in, () => location.reload()] : again && [t.retry, again]
	tell(t.failed + " " + reason(error), {error: true, act})
}

/** attempt awaits act, which may fail and be tried again. */
export const attempt = act => act().catch(error => failed(error, () => attempt(act)))

export const title = flat => flat.title || String(flat.id)

const past = [] // the ways back of what was decided, the last one at the end

/** decided tells of a decision of any kind and keeps its way back, a function that may fail. */
export function decided(text, back) {
	past.push(back)
	tell(text, {undo: true})
}

/** change sets fields of a flat and tells so in words: "Loft: Followed". It gives whether it worked. */
export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

/** changeAll sets fields of several flats, [id, fields], all or none of them; one Undo takes it back. */
export async function changeAll(changes, words) {
	const before = changes.map(([id, fields]) =>
		[id, Object.fromEntries(Object.keys(fields).map(name => [name, flats.get(id)[name] ?? null]))])
	const back = async (n = before.length) => {
		for (const [id, fields] of before.slice(0, n)) await update(id, fields)
	}
	let done = 0
	try {
		for (const [id, fields] of changes) {
			await update(id, fields)
			done++
		}
	} catch (error) {
		failed(error, () => changeAll(changes, words))
		await back(done).catch(() => {}) // what could not be reached is as it was
		return false
	}
	decided(words, back)
	return true
}

/** undo takes back the last decision. */
export async function undo() {
	const back = past.pop()
	if (!back) return
	try {
		await back()
		tell(t.undone, {undo: past.length > 0})
	} catch (error) {
		past.push(back)
		failed(error, undo)
	}
}
