// The help about keys.

import {fill, h} from "../lib/dom.js"
import {store} from "../lib/storage.js"
import {t} from "../words/format.js"

const keyNames = {ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc"}

// linesOf makes a line for each label in keys, {key: [label, act]}.
const linesOf = keys => [...Map.groupBy(Object.entries(keys), ([, [label]]) => label)].map(([label, keys]) =>
	h("div", h("dt", keys.map(([key]) => h("kbd", keyNames[key] ?? key))), h("dd", label)))

// fillHelp opens the dialog help with viewKeys, the keys of the view, and commonKeys, those of all views. A checkbox
// shows and sets whether single keys act; areOn tells whether they do now.
export function fillHelp(help, {viewKeys, commonKeys, areOn}) {
	if (help.open) return
	const part = (words, keys) => Object.keys(keys).length > 0 && h("section", h("h3", words), h("dl.keys", linesOf(keys)))
	const box = h("input", {type: "checkbox", checked: areOn, change: () => store("flats.keys", box.checked)})
	// Without the focus, a high dialog opens scrolled to its end.
	const title = h("h2#help-title", t.keys, {tabindex: -1, autofocus: ""})
	fill(help, title, h("div.parts", part(t.keys_here, viewKeys), part(t.keys_everywhere, commonKeys)),
		h("label.line", box, t.keys_on),
		h("button.primary", t.close, {click: () => help.close()}))
	help.showModal()
}
