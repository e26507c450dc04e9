// A question that is answered by a button.

import {h, openDialog} from "../lib/dom.js"
import {t} from "../words/format.js"

// ask shows a question in a dialog over an element, with a button that says what happens, perhaps in the colour of a
// status, and one to cancel. It promises whether the user pressed the first of them.
export function ask(element, question, action, status) {
	const {promise, resolve} = Promise.withResolvers()
	const form = h("form", {method: "dialog", submit: () => resolve(true)}, h("p", question), h("div.line",
		h("button.primary", action, status && {data: {status}}),
		h("button", t.cancel, {type: "button", click: () => dialog.close()})))
	const dialog = h("dialog.question", {label: question, close: () => resolve(false)}, form)
	openDialog(element, dialog)
	return promise
}
