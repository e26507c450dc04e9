// The help for the keys.

import {fill, h} from "../lib/dom.js"
import {store} from "../lib/storage.js"
import {t} from "../words/format.js"

const keyNames = {ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc"}

// fillHelp shows keys, [label, act] by key, in the dialog help. A box says whether they act.
export function fillHelp(help, keys, doAct) {
	if (help.open) return
	const byLabel = Map.groupBy(Object.entries(keys), ([, [label]]) => label)
	const lines = [...byLabel].map(([label, keys]) =>
		h("div", h("dt", keys.map(([key]) => h("kbd", keyNames[key] ?? key))), h("dd", label)))
	const box = h("input", {type: "checkbox", checked: doAct, change: () => store("flats.keys", box.checked)})
	const title = h("h2#help-title", t.keys, {tabindex: -1, autofocus: ""}) // else a high dialog opens at its end
	fill(help, title, h("dl.keys", lines), h("label.line", box, t.keys_on),
		h("button.primary", t.close, {click: () => help.close()}))
	help.showModal()
}
