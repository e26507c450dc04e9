// What the page says: results, changes with an Undo, failures with a way out.

import {flats, patch} from "./api.js"
import {fill, h, later} from "./dom.js"
import {t} from "./strings.js"

const box = document.getElementById("notice")
const live = document.getElementById("live")

// say reads out the last of several texts that come at once.
export const say = later(text => fill(live, text), 300)

// A notice stays until it is closed: an Undo must not run away.
export function tell(text, word, act, role) {
	put(h("div.notice", {role}, h("p", text), word && h("button", t[word], {click: act}),
		h("button.close", "×", {label: t.close, click: hush})))
}

export const hush = () => put()

function put(...notice) {
	const held = box.contains(document.activeElement)
	fill(box, notice)
	if (held) (box.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
}

export const reason = ({status, message}) => (status === 0 ? t.offline : message || status)

// Answers that nobody waits for are no failures.
export function failed(error, again) {
	if (error?.name !== "AbortError") tell(t.failed + " " + reason(error), again && "retry", again, "alert")
}

export const title = flat => flat.title || String(flat.id)

const past = [] // what can be undone: {id, fields}

export async function change(id, fields, words, undoing) {
	const flat = flats.get(id)
	const before = Object.fromEntries(Object.keys(fields).map(name => [name, flat[name]]))
	try {
		await patch(id, fields)
		if (!undoing) past.push({id, fields: before})
		tell(`${title(flat)}: ${words}`, past.length > 0 && "undo", undo)
	} catch (error) {
		failed(error, () => change(id, fields, words, undoing))
	}
}

export function undo() {
	const last = past.pop()
	if (last) change(last.id, last.fields, t.undone, true)
}
