// The section "Photos": whether the service keeps the photos of the shortlist, and how many it has.

import {h} from "../../lib/dom.js"
import {isFixed, setting} from "../../lib/settings.js"
import {count, inField, locale, parseNumber, t, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {field, wrongAt} from "../form.js"
import {errorLine, showState} from "../runs.js"

const gigabyte = 1_000_000_000

export const photosSection = {
	keys: ["keep_photos", "max_photos"],
	draw,
	watch: (element, signal) => showState(element, "photos", report, signal),
}

// keptInWords says how many photos are kept.
function keptInWords({configured, photos, bytes}) {
	if (photos > 0) return text(count(s.photos_kept, photos), {size: inBytes(bytes)})
	return configured ? s.photos_none_yet : s.photos_none
}

// report shows how many photos are kept, and how many are not fetched yet.
const report = ({waiting, error, ...counts}) => [
	h("p", keptInWords(counts)),
	waiting > 0 && h("p", count(s.photos_wait, waiting)),
	errorLine(s.last_error, error),
]

// draw makes the form (section.js).
function draw() {
	const keep = h("input", {type: "checkbox", checked: setting("keep_photos") === true})
	const sizeInField = () => inField(setting("max_photos") / gigabyte, 3) // may be rounded
	const size = h("input", {value: sizeInField(), inputmode: "decimal"})
	const element = h("div.fields-of",
		field(s.keep_photos, keep, "keep_photos", {hint: s.photos_sent, fixed: isFixed("keep_photos")}),
		field(s.max_photos, size, "max_photos", {fixed: isFixed("max_photos")}))
	return {element, read() {
		const gigabytes = parseNumber(size.value)
		if (Number.isNaN(gigabytes)) throw wrongAt("max_photos", t.unreadable)
		const typed = gigabytes == null ? null : Math.round(gigabytes * gigabyte) // null for an empty field
		const isUnchanged = size.value === sizeInField() // as the setting is now: a save may have changed it since draw
		return {keep_photos: keep.checked, max_photos: isUnchanged ? setting("max_photos") : typed}
	}}
}

// inBytes writes a size in bytes for people: "12 MB", or "202 bytes", whose short form has no plural.
export function inBytes(n) {
	const power = Math.min(3, Math.floor(Math.log10(Math.max(1, n)) / 3))
	const unit = ["byte", "kilobyte", "megabyte", "gigabyte"][power]
	const unitDisplay = power === 0 ? "long" : "short"
	const options = {style: "unit", unit, unitDisplay, maximumFractionDigits: 1}
	return new Intl.NumberFormat(locale, options).format(n / 1000 ** power)
}
