// Photos of a flat, one at a time, and the finger that turns them.

import {fill, h} from "./dom.js"
import {title} from "./notice.js"
import {photo, photoURLs} from "./parts.js"
import {t} from "./strings.js"

/** gallery shows the photos of a flat: {element, turn(by)}. The element is null where there are none. */
export function gallery(flat) {
	const all = photoURLs(flat)
	const frame = h("div.frame", {click: enlarge})
	const place = h("span", {role: "status"})
	const button = (sign, label, click) => h("button", sign, {label, click})
	const element = all.length > 0 ? h("div.gallery", frame, h("div.turner", all.length > 1 &&
		[button("‹", t.prev_photo, () => turn(-1)), place, button("›", t.next_photo, () => turn(1))],
	button("⤢", t.full_screen, enlarge))) : null
	let at = 0

	function turn(by) {
		at = (at + by + all.length) % all.length
		fill(place, `${at + 1} / ${all.length}`)
		fill(frame, photo(all[at], `${title(flat)} (${at + 1})`))
		if (all[at + 1]) fetchPhoto(all[at + 1])
	}
	function enlarge() {
		if (document.fullscreenElement) document.exitFullscreen()
		else element.requestFullscreen?.()
	}
	if (element) turn(0)
	return {element, turn: by => all.length > 1 && turn(by)}
}

/** fetchPhoto loads a photo before it is shown. */
export function fetchPhoto(src) {
	Object.assign(new Image(), {referrerPolicy: "no-referrer", src})
}

/** How far a finger must go to mean it, in pixels. */
export const farEnough = 80

/**
 * swipe calls drag(by, lifted) as a finger drags an element sideways, by pixels
 * to the right. The element's style needs touch-action: pan-y.
 */
export function swipe(element, drag) {
	let from = null
	const listen = (type, act) => element.addEventListener(type, act)
	const end = by => {
		if (from != null) drag(by, true)
		from = null
	}
	listen("pointerdown", ({clientX, isPrimary, pointerType}) => {
		from = isPrimary && pointerType === "touch" ? clientX : null
	})
	listen("pointermove", ({clientX}) => from != null && drag(clientX - from, false))
	listen("pointerup", ({clientX}) => end(clientX - from))
	listen("pointercancel", () => end(0))
}
