// The bookmarklet "Add to flats": a link that one drags to the bookmarks, and then clicks on the page of a listing.

import {h} from "../lib/dom.js"
import {t} from "../words/format.js"
import {tell} from "./notice.js"

// gather runs on the page of a listing, not here: its source becomes the link, so it can use nothing of this module.
// It opens Add of flats, whose page has the address flatsPage, with what the listing's page says: title and heading,
// address, the selected text or else all visible text, JSON-LD, photos and position. All this goes into the address
// that gather opens. So each part is cut, and the whole has at most 64,000 bytes.
function gather(flatsPage) {
	const letters = {title: 300, link: 2_000, text: 30_000, position: 50, photo: 600} // where each part ends
	const bytes = {text: 24_000, photos: 8_000, data: 16_000} // the most that a part takes in the address
	const mostOfEach = 20 // photos, and scripts with JSON-LD
	const meta = name => document.querySelector(
		`meta[property="og:${name}"], meta[property="place:location:${name}"], meta[name="${name}"]`)?.content ?? ""
	// bytesInAddress returns how many bytes a text takes in an address, where "é" takes six: %C3%A9.
	const bytesInAddress = text => new URLSearchParams({text}).toString().length
	// cutTo cuts a text to at most so many bytes. Letters take different numbers of bytes, so it may need several cuts,
	// each of at least a tenth.
	const cutTo = (text, most) => {
		while (bytesInAddress(text) > most)
			text = text.slice(0, Math.floor(text.length * Math.min(0.9, most / bytesInAddress(text))))
		return text
	}
	const position = document.querySelector("[data-lat][data-lng]")?.dataset ?? {}
	// Smaller images are icons.
	const photos = [...document.images].filter(image => image.naturalWidth >= 300 && image.naturalHeight >= 200)
		.map(image => image.currentSrc || image.src)
	const parameters = new URLSearchParams({
		title: (meta("title") || document.title).slice(0, letters.title),
		heading: (document.querySelector("h1")?.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, letters.title),
		url: location.href.slice(0, letters.link),
		text: cutTo((String(getSelection()) || [meta("description"), document.body.innerText].join("\n\n"))
			.slice(0, letters.text), bytes.text),
		gps: (meta("geo.position").replace(";", ",") ||
			[meta("latitude") || position.lat, meta("longitude") || position.lng].join()).slice(0, letters.position),
		photos: cutTo([...new Set([meta("image"), ...photos])]
			.filter(url => /^https?:/.test(url) && url.length < letters.photo)
			.slice(0, mostOfEach).join("\n"), bytes.photos),
	})
	let room = bytes.data
	for (const {text} of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, mostOfEach)) {
		if (text.length > room || bytesInAddress(text) > room) continue
		room -= bytesInAddress(text)
		parameters.append("data", text)
	}
	const address = flatsPage + "#/add?" + parameters
	if (!open(address)) location.href = address
}

// makeBookmarklet makes the link and a sentence about it. A click on the link here only says where to drag it.
export function makeBookmarklet() {
	const page = new URL("./", document.baseURI).href
	const source = `(${gather})(${JSON.stringify(page)})`
	return h("p.line.bookmarklet", h("a.button", t.bookmarklet, {
		href: "javascript:" + encodeURIComponent(source),
		click: event => {
			event.preventDefault()
			tell(t.bookmarklet_drag)
		},
	}), h("span.soft", t.bookmarklet_how))
}
