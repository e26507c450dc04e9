// Photos of a flat, one at a time, and the finger that turns them.

import {fill, h} from "./dom.js"
import {title} from "./notice.js"
import {photo, photoURLs} from "./parts.js"
import {t} from "./strings.js"

/** gallery shows the photos of a flat: {element, turn(by)}. The element is null where there are none. */
export function gallery(flat) {
	const all = photoURLs(flat)
	if (all.length === 0) return {element: null, turn() {}}
	const frame = h("div.frame")
	const place = h("span", {role: "status"})
	let at = 0

	function turn(by) {
		at = (at + by + all.length) % all.length
		fill(place, `${at + 1} / ${all.length}`)
		fill(frame, photo(all[at], `${title(flat)} (${at + 1})`))
		fetchPhoto(all[at + 1])
	}
	const button = (sign, label, by) => h("button", sign, {label, click: () => turn(by)})
	turn(0)
	return {turn, element: h("div.gallery", frame, all.length > 1 &&
		h("div.turner", button("‹", t.prev_photo, -1), place, button("›", t.next_photo, 1)))}
}

/** fetchPhoto loads a photo before it is shown. */
export const fetchPhoto = src => src && Object.assign(new Image(), {referrerPolicy: "no-referrer", src})

const farEnough = 80 // pixels that a finger must go to mean it

/**
 * swipe calls act with 1 or -1 when a finger has swiped an element to the right
 * or to the left, and follow with the pixels on its way. The element's style needs
 * touch-action: pan-y.
 */
export function swipe(element, act, follow = () => {}) {
	let from = null
	const listen = (type, act) =>
		element.addEventListener(type, ({clientX}) => from != null && act(clientX - from))
	const end = by => {
		from = null
		follow(0)
		if (Math.abs(by) > farEnough) act(Math.sign(by))
	}
	element.addEventListener("pointerdown", ({clientX, isPrimary, pointerType}) => {
		from = isPrimary && pointerType === "touch" ? clientX : null
	})
	listen("pointermove", follow)
	listen("pointerup", end)
	listen("pointercancel", () => end(0))
}
