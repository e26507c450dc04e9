// A question with two buttons.

import {h, openDialog} from "../lib/dom.js"
import {t} from "../words/format.js"

// ask shows a question in a dialog over an element. A button in the colour of a status, if given, confirms the action,
// another one cancels it. ask promises whether the user confirmed.
export function ask(element, question, action, status) {
	const {promise, resolve} = Promise.withResolvers()
	const form = h("form", {method: "dialog", submit: () => resolve(true)}, h("p", question), h("div.line",
		h("button.primary", action, status && {data: {status}}),
		h("button", t.cancel, {type: "button", click: () => dialog.close()})))
	const dialog = h("dialog.question", {label: question, close: () => resolve(false)}, form)
	openDialog(element, dialog)
	return promise
}
