// Photos: how many the service keeps, how many wait, and what has failed. It exports show, as all views do (see
// app.js).

import {fill, h} from "../lib/dom.js"
import {setUp, showState, wrong} from "../parts/runs.js"
import {count, locale, t, text} from "../words/format.js"

// show fills root with the state of the photos, or with what to write into the config.
export async function show(root, route, signal) {
	const state = h("div.card.told")
	fill(root, h("h1", t.photos), h("p", t.photos_what), state)
	const {passes} = await showState(state, "photos", draw, signal)
	return {passes}
}

const draw = data => (data.configured ? report(data)
	: [setUp(t.photos_none, t.photos_steps, `"keep_photos": true`), h("p.soft", t.photos_sent)])

const report = ({photos, bytes, waiting, error}) => [
	h("p", photos > 0 ? text(count(t.photos_kept, photos), {size: inBytes(bytes)}) : t.photos_none),
	waiting > 0 && h("p", count(t.photos_wait, waiting)),
	wrong(t.last_error, error),
]

// inBytes writes a size in bytes as people read it: "12 MB".
function inBytes(n) {
	const power = Math.min(3, Math.floor(Math.log10(Math.max(1, n)) / 3))
	const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][power]
	return new Intl.NumberFormat(locale, {style: "unit", unit, maximumFractionDigits: 1}).format(n / 1000 ** power)
}
