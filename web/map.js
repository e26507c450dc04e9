import {fill, h} from "./dom.js"
import {t} from "./strings.js"

export function show(root) {
	fill(root, h("h1", t.map, {tabindex: -1}))
}
