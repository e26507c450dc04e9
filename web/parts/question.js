// A question that is answered by a button.

import {h, openDialog} from "../lib/dom.js"
import {t} from "../words/format.js"

// ask shows a question in a dialog over an element, with a button that says what happens and one to cancel. It
// promises whether the user pressed the first of them.
export function ask(element, question, action) {
	const {promise, resolve} = Promise.withResolvers()
	const form = h("form", {method: "dialog", submit: () => resolve(true)}, h("p", question), h("div.line",
		h("button.primary", action), h("button", t.cancel, {type: "button", click: () => dialog.close()})))
	const dialog = h("dialog.question", {label: question, close: () => resolve(false)}, form)
	openDialog(element, dialog)
	return promise
}
