// Elements that show a flat or a part of it, for several views. keepCurrent keeps an element up to date.

import {fill, h, outward, swap} from "../lib/dom.js"
import {costChange, keyOf, originOf, photoURLs, positionOf, priceChange, priceOf, statusOf, utilitiesOf}
	from "../lib/fields.js"
import {onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {me, people} from "../lib/people.js"
import {flatHash} from "../lib/state.js"
import {cost, costPerAreaInWords, title, travelHow, travelTime} from "../words/flats.js"
import {ago, briefly, count, daysFromToday, exactly, instant, lately, latelySince, minutes, money, squareMetres,
	statusName, t, text, timed} from "../words/format.js"

// servedAt returns the address from which to load a photo: the service's, if it keeps the photo, or else the listing's.
export const servedAt = url => kept.photos.addresses.get(url) ?? url

// photo makes an image. A gap of the same size replaces it if there is no url, or if the photo loads neither from the
// service nor from the listing's address. src comes last, because the browser may start loading as soon as it is set.
export function photo(url, alt = "", data = {}) {
	const gap = h("span.photo.gap", {data, "data-words": t.no_photo}) // shown where the photo is large
	let src = servedAt(url)

	function error({target}) {
		if (src === url) return target.replaceWith(gap)
		target.src = src = url
	}

	return url ? h("img.photo", {alt, data, loading: "lazy", decoding: "async", referrerpolicy: "no-referrer", error, src})
		: gap
}

// firstPhoto makes the first photo of a flat, or a gap. keptphotos.js replaces it when the address changes.
export const firstPhoto = flat => photo(photoURLs(flat)[0], "", {first: keyOf(flat)})

// fetchPhoto loads a photo that will soon be shown. As for all photos, the request does not tell the other site which
// page asks.
export const fetchPhoto = url =>
	url && Object.assign(new Image(), {referrerPolicy: "no-referrer", src: servedAt(url)})

// timeAgo writes a past date relative to now, with the exact date as the tooltip. spec is a spec of h; "time.brief" has
// briefer words. It returns null if text is no date.
export function timeAgo(text, spec = "time") {
	const at = instant(text)
	const write = spec === "time.brief" ? briefly : ago
	return at == null ? null : h(spec, write(text), {datetime: timed(text) ? new Date(at).toISOString() : text,
		title: exactly(text)})
}

// updateTimes updates all relative times on the page.
export function updateTimes() {
	for (const element of document.querySelectorAll("time"))
		fill(element, (element.matches(".brief") ? briefly : ago)(element.dateTime))
}

// seenAgo shows when a flat was first seen, or else the date of its listing.
export const seenAgo = ({first_seen, date}, spec) => timeAgo(first_seen ?? date, spec)

// flatLink links to a flat.
export const flatLink = (flat, words = title(flat)) => h("a", words, {href: flatHash(keyOf(flat))})

// facts shows three facts with their details: cost, with utilities; area, with the cost per area; and rooms, with
// bedrooms.
export function facts(flat) {
	const {area, rooms, bedrooms} = flat
	const each = costPerAreaInWords(flat)
	const included = priceOf(flat) && utilitiesOf(flat)
	return h("ul.facts",
		h("li.cost", cost(flat), included && [" ", h("small", t["cost_" + included])]),
		area > 0 && h("li", h("span.area", squareMetres(area)), each && [" ", h("span.soft.each", each)]),
		(rooms > 0 || bedrooms > 0) && h("li", rooms > 0 && h("span.rooms", count(t.n_rooms, rooms)), " ",
			bedrooms > 0 && h("span.bedrooms", count(t.n_bedrooms, bedrooms))))
}

// travel shows a travel time. Its tooltip, which screen readers read, too, tells how the time was computed, and which
// limit, in seconds, it exceeds, if any.
export function travel(seconds, entry, limit) {
	const how = [travelHow(entry), overInWords(limit)].filter(Boolean).join(", ")
	return h("span.duration", travelTime(seconds, entry), limit && {"data-over": "true"},
		how && [{title: how}, h("span.sr", ` (${how})`)])
}

// overInWords writes that a limit in seconds is exceeded. Without a limit it returns a falsy value.
export const overInWords = limit => limit && text(t.over_limit, {most: minutes(limit)})

// changeTags makes tags for changes: the flat is gone, and the last change of its cost.
export const changeTags = flat => [
	flat.gone && h("span.tag.gone", goneInWords(flat)),
	costTag(flat),
]

// goneInWords writes that a flat is gone, and since when.
const goneInWords = ({gone}) =>
	(instant(gone) == null ? t.gone : text(t.gone_since, {date: latelySince(gone, {withTime: true})}))

// costTag makes the tag of the last change of the cost, or returns null.
function costTag(flat) {
	const entry = priceChange(flat)
	if (entry) return priceTag(cost({...flat, cost: entry.cost}), entry.date)
	const change = costChange(flat)
	if (!change) return null
	const difference = (change.by < 0 ? "−" : "+") + money(Math.abs(change.by), flat.currency)
	return priceTag(difference, change.date, change.by < 0 ? ".good" : "")
}

// priceTag makes a tag with a change, such as "−€50", and its date. Where there is little room, the style sheet cuts
// the date: the tag is at least as wide as the change and the dots.
function priceTag(change, date, classes = "") {
	const tag = h("span.tag.price" + classes, withDate(change, date))
	tag.style.setProperty("--least", `${change.length + 2}ch`)
	return tag
}

// withDate writes a change with its date.
function withDate(change, date) {
	if (!date) return change
	const isToday = daysFromToday(instant(date)) === 0
	return isToday ? `${change} ${lately(date)}` : text(t.change_since, {change, date: latelySince(date)})
}

// statusTag makes the tag of the status. more follows its word.
export const statusTag = (flat, ...more) =>
	h("span.tag.status", statusName(statusOf(flat)), more, {"data-status": statusOf(flat)})

// byWhom writes which rule or other person gave a flat its status, and when, to follow the word of the status. It
// returns a falsy value if it was the user.
export function byWhom(flat) {
	const {status_by: person, status_since: since, status_because: rule} = flat
	if (rule) return [" ", h("small.by", text(t.by_rule, {name: rule}), since && [", ", timeAgo(since)])]
	const isOther = people.length > 0 && person && person !== me() && statusOf(flat) !== "new"
	return isOther && [" ", h("small.by", text(t.by_name, {name: person}), since && [", ", timeAgo(since)])]
}

// mapLink links to the flat on OpenStreetMap, by its position or else by its address.
export function mapLink(flat, words) {
	const code = flat.service_postal_code
	const name = flat.location || code?.name
	const query = positionOf(flat)?.join() ?? [name, code?.postal_code].filter(Boolean).join(", ")
	const url = "https://www.openstreetmap.org/search?query=" + encodeURIComponent(query)
	return query && outward(url, words || name || query)
}

// directions links to OpenStreetMap's directions to a flat.
export function directions(flat, spec) {
	const at = originOf(flat).at
	const url = at && "https://www.openstreetmap.org/directions?to=" + encodeURIComponent(at.join())
	return url && h(spec, t.directions, {href: url, target: "_blank", rel: "noopener noreferrer",
		label: `${t.directions}: ${title(flat)}`})
}

// keepCurrent returns the element that make() returns, and replaces it by a new one when the flat changes, until the
// signal aborts.
export function keepCurrent(id, make, signal) {
	let element = make()
	onChange(flat => {
		if (keyOf(flat) === id) element = swap(element, make())
	}, signal)
	return element
}
