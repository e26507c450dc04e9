// The photos of a flat in full screen, one at a time, with a strip of all.

import {fill, h, openDialog} from "../lib/dom.js"
import {swipe} from "../lib/gestures.js"
import {t, text} from "../words/format.js"
import {fetchPhoto, photo} from "./flats.js"
import {icon} from "./icons.js"

// showPhotos opens the dialog in an element. at is the index of the photo to begin with. The dialog calls turned(index)
// for each photo that it shows.
export function showPhotos(element, urls, name, at, turned) {
	const frame = h("div.frame")
	const place = h("p", {role: "status"})
	const nameOf = n => text(t.photo_n, {name, n: n + 1})
	const strip = urls.map((url, n) => h("button", photo(url), {label: nameOf(n), click: () => show(n)}))
	const dialog = h("dialog.photos", {label: t.photos, keydown},
		h("div.line", place, h("button.close", icon("dismiss"), {label: t.close, click: () => dialog.close()})), frame,
		urls.length > 1 && h("div.line",
			h("button", icon("left"), {label: t.prev_photo, click: () => show(at - 1)}), h("div.strip", strip),
			h("button", icon("right"), {label: t.next_photo, click: () => show(at + 1)})))

	function show(n) {
		at = (n + urls.length) % urls.length
		fill(frame, photo(urls[at], nameOf(at)))
		fill(place, `${at + 1} / ${urls.length}`)
		for (const [i, button] of strip.entries()) button.ariaCurrent = i === at ? "true" : null
		strip[at].scrollIntoView({block: "nearest", inline: "center"})
		fetchPhoto(urls[(at + 1) % urls.length])
		turned(at)
	}

	function keydown({key}) {
		const by = {ArrowLeft: -1, ArrowRight: 1}[key]
		if (by) show(at + by)
	}

	// The dialog has an entry in the history, so that "Back" closes it instead of leaving the flat.
	const closed = new AbortController()
	dialog.addEventListener("close", () => {
		if (closed.signal.aborted) return
		closed.abort()
		history.back()
	})
	addEventListener("popstate", () => {
		closed.abort()
		dialog.close()
	}, {signal: closed.signal})
	swipe(frame, () => show(at - 1), () => show(at + 1))
	history.pushState(history.state, "")
	openDialog(element, dialog)
	show(at)
}
