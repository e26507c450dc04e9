// The bookmarklet "Add to flats": a link to drag to the bookmarks, and to click on the page of a listing.
// makeBookmarklet makes it.

import {h} from "../lib/dom.js"
import {t} from "../words/format.js"
import {tell} from "./notice.js"

// gather runs on the page of a listing. It opens Add with what that page says: its title, its address, the selected
// text or else the description, and its JSON-LD, each limited to a few KB. Its source becomes the link, so it can
// use nothing of this module.
function gather(page) {
	const meta = name => document.querySelector(`meta[property="og:${name}"], meta[name="${name}"]`)?.content ?? ""
	const said = new URLSearchParams({
		title: (meta("title") || document.title).slice(0, 300),
		url: location.href.slice(0, 2000),
		text: (String(getSelection()) || meta("description")).slice(0, 4000),
	})
	let room = 12000
	for (const {text} of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 20)) {
		if (text.length > room) continue
		room -= text.length
		said.append("data", text)
	}
	const address = page + "#/add?" + said
	if (!open(address)) location.href = address
}

// makeBookmarklet makes the link and a sentence about it. Clicked here, the link only says where to drag it.
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
