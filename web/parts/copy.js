// copy copies a text to the clipboard.

import {h} from "../lib/dom.js"
import {t} from "../words/format.js"
import {tell} from "./notice.js"

// navigator.clipboard would need https, which a service at home often lacks.
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
