// Elements that show a flat, or a part of it, in several views. following keeps one up to date.

import {h, outward, swap} from "../lib/dom.js"
import {costChange, dialled, keyOf, positionOf, statusOf} from "../lib/fields.js"
import {onChange} from "../lib/flats.js"
import {flatHash} from "../lib/state.js"
import {cost, costEach, sizes, title} from "../words/flats.js"
import {instant, money, since, statusName, t, text} from "../words/format.js"
import {offerContacted} from "./decide.js"


// photo makes an image, or a gap of its size if there is no photo or it does not load. src comes last, because the
// browser may start loading as soon as it is set.
export function photo(src, alt = "") {
	const gap = h("span.photo.gap")
	return src ? h("img.photo", {alt, loading: "lazy", decoding: "async", referrerpolicy: "no-referrer", src,
		error: ({target}) => target.replaceWith(gap)}) : gap
}

// fetchPhoto loads a photo that will be shown soon. As with all photos, the request does not tell the photo's site
// the address of this page.
export const fetchPhoto = src => src && Object.assign(new Image(), {referrerPolicy: "no-referrer", src})

// flatLink links to a flat.
export const flatLink = (flat, words = title(flat)) => h("a", words, {href: flatHash(keyOf(flat))})

// facts shows cost, sizes and cost per square metre.
export const facts = flat => h("ul.facts", h("li.cost", cost(flat)), sizes(flat).map(size => h("li", size)),
	costEach(flat) && h("li.soft", costEach(flat)))

// news makes tags for what has changed: that the flat is gone, and the last change of its cost.
export function news(flat) {
	const change = costChange(flat)
	const by = change && (change.by < 0 ? "−" : "+") + money(Math.abs(change.by), flat.currency)
	return [
		flat.gone && h("span.tag.gone", instant(flat.gone) == null ? t.gone : text(t.gone_since, {date: since(flat.gone)})),
		change && h(change.by < 0 ? "span.tag.good" : "span.tag",
			change.date ? text(t.change_since, {change: by, date: since(change.date)}) : by),
	]
}

// statusTag makes a tag for the status. more follows the word.
export const statusTag = (flat, ...more) =>
	h("span.tag.status", statusName(statusOf(flat)), more, {"data-status": statusOf(flat)})

// phoneLink makes a link that calls the flat's phone, and then offers the next status. spec is, for example,
// "a.button".
export const phoneLink = (spec, flat, words = flat.phone) => flat.phone && h(spec, words,
	{href: "tel:" + dialled(flat.phone), click: () => offerContacted(keyOf(flat))})

// mapLink links to the flat's position, or else its address, on OpenStreetMap.
export function mapLink(flat, words) {
	const code = flat.service_postal_code
	const name = flat.location || code?.name
	const query = positionOf(flat)?.join() ?? [name, code?.postal_code].filter(Boolean).join(", ")
	const url = "https://www.openstreetmap.org/search?query=" + encodeURIComponent(query)
	return query && outward(url, words || name || query)
}

// following returns the element that make makes, and replaces it whenever the flat changes, until the signal aborts.
export function following(id, make, signal) {
	let element = make()
	onChange(flat => {
		if (keyOf(flat) === id) element = swap(element, make())
	}, signal)
	return element
}
