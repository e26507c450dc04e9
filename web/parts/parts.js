// What several views show of a flat, and the buttons and keys that decide on it.
//
// sinceOf, cost, costEach and described write values; photo, flatLink, facts, news, statusTag, phoneLink and mapLink
// make elements; statusButton, statusButtons, offerContacted, stars, compareButton and flatKeys decide. following keeps
// an element up to date; notKept and attemptIn say where a view needs the network.

import {fill, h, outward, swap} from "../lib/dom.js"
import {costChange, costPerArea, dialled, keyOf, placeOf, positionOf, priceOf, statusOf} from "../lib/fields.js"
import {flats, onChange} from "../lib/flats.js"
import {flatHash, statuses} from "../lib/state.js"
import {count, instant, money, number, perArea, since, squareMetres, statusName, t, text,
	title} from "../words/format.js"
import {choose, chosen} from "./bar.js"
import {change, failed, say, tell} from "./notice.js"

// photo makes an image, or a gap of its size if there is no photo or it does not load. src comes after the
// attributes that say how to load the photo, because the browser may begin at once.
export function photo(src, alt = "") {
	const gap = h("span.photo.gap")
	return src ? h("img.photo", {alt, loading: "lazy", decoding: "async", referrerpolicy: "no-referrer", src,
		error: ({target}) => target.replaceWith(gap)}) : gap
}

// fetchPhoto has the browser load a photo that will be shown soon. As for all photos, the request does not
// tell the photo's site the address of this page.
export const fetchPhoto = src => src && Object.assign(new Image(), {referrerPolicy: "no-referrer", src})

// flatLink links to a flat.
export const flatLink = (flat, words = title(flat)) => h("a", words, {href: flatHash(keyOf(flat))})

// sinceOf writes when the flat was first seen, or else the date of its listing.
export const sinceOf = ({first_seen, date}) => since(first_seen ?? date)

// cost writes a flat's cost, or "no price".
export const cost = flat => (priceOf(flat) == null ? t.no_price : money(flat.cost, flat.currency))

const sizes = ({area, rooms}) =>
	[area > 0 && squareMetres(area), rooms > 0 && count(t.n_rooms, rooms)].filter(Boolean)

// costEach writes a flat's cost per square metre, or returns null.
export const costEach = flat => costPerArea(flat) && perArea(costPerArea(flat), flat.currency)

// facts shows cost, sizes and cost per square metre.
export const facts = flat => h("ul.facts", h("li.cost", cost(flat)), sizes(flat).map(size => h("li", size)),
	costEach(flat) && h("li.soft", costEach(flat)))

// described describes a flat in one line, to share it and for screen readers.
export const described = flat => [title(flat), cost(flat), ...sizes(flat), placeOf(flat)].filter(Boolean).join(", ")

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

// phoneLink makes a link that calls the flat's phone, and then offers the next status; spec is for instance
// "a.button".
export const phoneLink = (spec, flat, words = flat.phone) => flat.phone && h(spec, words,
	{href: "tel:" + dialled(flat.phone), click: () => offerContacted(keyOf(flat))})

// offerContacted offers the next status of a flat to a user who calls or writes.
export function offerContacted(id) {
	const status = "contacted"
	if (["new", "followed"].includes(statusOf(flats.get(id)))) tell(title(flats.get(id)),
		{act: [statusName(status), () => change(id, {status}, statusName(status))]})
}

// mapLink links to the flat's position, or else its address, on OpenStreetMap.
export function mapLink(flat, words) {
	const code = flat.service_postal_code
	const name = flat.location || code?.name
	const query = positionOf(flat)?.join() ?? [name, code?.postal_code].filter(Boolean).join(", ")
	const url = "https://www.openstreetmap.org/search?query=" + encodeURIComponent(query)
	return query && outward(url, words || name || query)
}

// isBeyond reports whether a flat has gone beyond being followed: then to follow it would be a step back.
const isBeyond = (id, status) => status === "followed" && ["contacted", "visited"].includes(statusOf(flats.get(id)))

// toggleStatus sets a status, or "new" if the flat has that status already.
export function toggleStatus(id, pressed) {
	const was = statusOf(flats.get(id))
	if (isBeyond(id, pressed)) return tell(`${title(flats.get(id))}: ${statusName(was)}`)
	const status = was === pressed ? "new" : pressed
	change(id, {status}, statusName(status))
}

const rate = (id, notation) => change(id, {notation}, `${t.notation} ${notation ?? "–"}`)

const verbs = {followed: t.follow, ignored: t.dismiss}

// statusButton makes the button that sets a status, or takes it back.
export function statusButton(id, status, attributes) {
	const word = verbs[status] ?? statusName(status)
	return h("button", word, {data: {status}, title: word, "aria-pressed": String(status === statusOf(flats.get(id))),
		"aria-disabled": isBeyond(id, status) && "true", click: () => toggleStatus(id, status)}, attributes)
}

// statusButtons makes the buttons of the offered statuses. By default these are all statuses and the flat's
// own.
export const statusButtons = (id, offered = new Set([...statuses, statusOf(flats.get(id))])) =>
	h("div.statuses", {role: "group", label: t.status}, [...offered].map(status => statusButton(id, status)))

// stars makes the five buttons of the rating. An imported rating that is not an integer stands beside them.
export function stars(id) {
	const {notation} = flats.get(id)
	return h("div.stars", {role: "group", label: t.notation, "data-rated": notation != null}, [1, 2, 3, 4, 5].map(n =>
		h("button", notation >= n ? "★" : "☆", {label: `${t.notation} ${n}`, "aria-pressed": String(notation === n),
			click: () => rate(id, notation === n ? null : n)})),
	notation != null && !Number.isInteger(notation) && number(notation))
}

// compareButton makes the button that chooses a flat for comparison; bar.js keeps it up to date.
export function compareButton(id) {
	return h("button.compare", t.compare, {"aria-pressed": String(chosen().includes(id)), title: t.compare,
		data: {compare: id}, click: () => choose(id)})
}

// following returns the element that make makes, and replaces it when the flat changes, until the
// signal aborts.
export function following(id, make, signal) {
	let element = make()
	onChange(flat => {
		if (keyOf(flat) === id) element = swap(element, make())
	}, signal)
	return element
}

// notKept makes what stands in place of a view that needs the network, with a button that calls again.
export function notKept(again) {
	say(t.not_kept)
	return h("div.empty.not-kept", h("p", t.not_kept), h("button", t.retry, {click: again}))
}

// attemptIn calls an asynchronous function that fills an element. If it fails without a network, an element that
// shows nothing yet says so; other errors are shown as attempt does.
export const attemptIn = (element, act) => act().catch(error => {
	const again = () => attemptIn(element, act)
	const isEmpty = !element.firstChild?.matches(":not(.not-kept)")
	if (error.status !== 0 || !isEmpty) return failed(error, again)
	element.hidden = false
	fill(element, notKept(again))
})

// flatKeys returns the keys that decide on a flat. current returns its id, if there is one.
export function flatKeys(current) {
	const key = (label, decide) => [label, () => current() != null && (decide(current()), true)]
	return {
		...[0, 1, 2, 3, 4, 5].map(n => key(t.notation, id => rate(id, n || null))),
		f: key(t.follow, id => toggleStatus(id, "followed")),
		x: key(t.dismiss, id => toggleStatus(id, "ignored")),
		c: key(t.compare, choose),
	}
}
