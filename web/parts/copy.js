// copy puts a text on the clipboard, says so, and reports whether it could.

import {h} from "../lib/dom.js"
import {t} from "../words/format.js"
import {tell} from "./notice.js"

// navigator.clipboard would need https, which a service at home often lacks.
export function copy(text) {
	const field = h("textarea.sr", {value: text})
	const focused = document.activeElement
	document.body.append(field)
	field.select()
	const isCopied = document.execCommand("copy")
	field.remove()
	focused.focus({preventScroll: true})
	tell(isCopied ? t.copied : t.not_copied, {error: !isCopied})
	return isCopied
}
