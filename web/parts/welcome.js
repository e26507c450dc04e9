// The start of an empty service: a field for the first flat, and an example.

import {h} from "../lib/dom.js"
import {hashOf} from "../lib/state.js"
import {t} from "../words/format.js"
import {keepPasted} from "./drafts.js"

// makeWelcome makes a field for the first flat, which opens Add with what is pasted or typed.
export function makeWelcome({hidden = false} = {}) {
	const first = h("textarea", {rows: 4, spellcheck: "false", maxlength: 100_000})
	function open(event) {
		event?.preventDefault()
		const text = first.value.trim()
		if (!text) return first.focus()
		first.value = ""
		keepPasted(text)
		location.hash = hashOf("add")
	}
	function input({inputType}) {
		if (inputType === "insertFromPaste") open()
	}

	return h("form.welcome", {hidden, submit: open, input}, h("label.field", t.paste_first, first),
		h("div.line", h("button.primary", t.add)), h("p", t.welcome))
}

// example is a file with one listing.
export const example = `[{"id": "1@example", "title": "Two rooms with a balcony", "cost": 840, "currency": "EUR",
  "area": 46, "rooms": 2, "location": "12 Mill Street", "urls": ["https://example.org/1"]}]`
