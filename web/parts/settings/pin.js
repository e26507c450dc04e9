// A map to choose a position: the map moves, and a pin stays in its middle.

import {h, openDialog, svg} from "../../lib/dom.js"
import {kept} from "../../lib/kept.js"
import {t} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {landmarks, makeCanvas} from "../canvas.js"

// placePin shows the map over an element. In its middle is the position at or, if that is null, the first place or
// postal code. placePin calls take with the position that the user chooses.
export function placePin(element, at, take) {
	const before = kept.map.world // the window of the view "Map"
	const closing = new AbortController()
	const canvas = makeCanvas({open() {}, moved() {}, showAll() {}})
	const pin = svg("svg", {class: "pin", viewBox: "-12 -30 24 30", "aria-hidden": "true"},
		svg("path", {d: "M0 0C-4 -9 -10 -13 -10 -19a10 10 0 0 1 20 0c0 6 -6 10 -10 19z"}),
		svg("circle", {cy: -19, r: 4}))
	canvas.element.append(pin)
	const use = () => {
		take(canvas.middle())
		dialog.close()
	}
	const dialog = h("dialog.pinning", {label: s.on_map}, h("p", s.pin_how), canvas.element, h("div.line",
		h("button.primary", s.use_pin, {type: "button", click: use}),
		h("button", t.cancel, {type: "button", click: () => dialog.close()})))
	dialog.addEventListener("keydown", event => {
		const [, act] = canvas.keys[event.key] ?? []
		if (act && act() !== false) event.preventDefault()
	})
	dialog.addEventListener("close", () => {
		kept.map.world = before
		closing.abort()
	})
	openDialog(element.closest("section"), dialog) // not in the form, which each button of the map would submit
	if (at) canvas.lookAt(at, 0.005) // degrees: about 500 metres
	canvas.show({points: []})
	landmarks(closing.signal).then(things => {
		canvas.show(things)
		const [first] = [...things.places, ...things.codes]
		if (!at && first) canvas.lookAt(first.at, 0.05) // about 5 kilometres
	}, () => {/* the map works without them */})
	canvas.element.querySelector(".canvas").focus()
}
