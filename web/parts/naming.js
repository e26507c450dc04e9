// The question for the name of a view.

import {fill, h, openDialog} from "../lib/dom.js"
import {t, text} from "../words/format.js"

// askName asks for the name of a view in a dialog over root, and passes it to act.
export function askName(root, value, act) {
	const input = h("input", {value, required: "", maxlength: 100, autocomplete: "off", "aria-describedby": "wrong-name"})
	const trouble = h("p#wrong-name.trouble", {role: "alert"})
	const form = h("form", {method: "dialog", submit: save}, h("label", t.view_name, input), trouble,
		h("div.line", h("button.primary", t.save_facts), h("button", t.cancel, {type: "button", click: close})))
	const dialog = h("dialog.naming", {label: t.save}, form)

	function save(event) {
		const name = input.value.trim()
		if (name && !/^\.\.?$/.test(name)) return act(name)
		event.preventDefault()
		fill(trouble, text(t.no_name, {name})) // a browser takes the dots out of each path
		input.ariaInvalid = "true"
	}

	function close() {
		dialog.close()
	}

	openDialog(root, dialog)
	input.select()
}
