// One flat: what decides comes first, then what one makes of it, then the rest.

import {flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {copy, fill, h} from "./dom.js"
import {inWords} from "./format.js"
import {addressOf, listing, listingText, pairs} from "./listing.js"
import {reason, tell, title} from "./notice.js"
import {own} from "./own.js"
import {described, flatKeys, following, telephone, toggleStatus} from "./parts.js"
import {swipe} from "./photos.js"
import {flatHash, idOf, trail} from "./state.js"
import {t} from "./strings.js"

export async function show(root, route, signal) {
	const id = idOf(route)
	let flat, turn
	trail.last = id

	async function load() {
		try {
			const found = await getFlat(id, signal)
			if (JSON.stringify(found) !== JSON.stringify(flat)) render()
		} catch (error) {
			if (!signal.aborted && !flat) fill(root, h("div.empty", h("h1", reason(error), {tabindex: -1}),
				h("button", t.retry, {click: load})))
		}
	}

	function render() {
		flat = flats.get(id)
		const shown = listing(flat, h("h1", title(flat), {tabindex: -1}), signal)
		turn = shown.photos.turn
		if (shown.photos.element) swipe(shown.photos.element, by => turn(-by))
		fill(root, steps(flat, id), shown.element, own(flat, signal), listingText(flat), details(flat),
			following(id, () => makeBar(flats.get(id), id, root), signal))
	}

	async function hasChanged() {
		const found = await getFlat(id, signal, {changed: true})
		return found && JSON.stringify(found) !== JSON.stringify(flat)
	}

	onChange(other => keyOf(other) === id && (flat = other), signal)
	// What another view knows comes first; some know a few fields alone.
	if ("text" in (flats.get(id) ?? {})) render()
	const loading = load()
	if (!flat) await loading
	const press = selector => () => root.querySelector(selector)?.click()
	return {fresh: hasChanged, show: render, keys: {
		...flatKeys(() => flat && id),
		n: [t.notes, () => root.querySelector("#notes")?.focus()],
		Escape: [t.back, () => void (location.hash = trail.hash)],
		j: [t.next, press("[rel=next]")],
		k: [t.prev, press("[rel=prev]")],
		ArrowLeft: [t.prev_photo, () => turn?.(-1)],
		ArrowRight: [t.next_photo, () => turn?.(1)],
	}}
}

// The flats before and after replace the entry in the history.
function steps(flat, id) {
	const at = trail.ids.indexOf(id)
	const click = event => {
		event.preventDefault()
		location.replace(event.target.href)
	}
	const step = (other, rel, sign) => at >= 0 && other != null &&
		h("a.button", sign, {href: flatHash(other), rel, label: t[rel], click})
	return h("div.steps", h("a.button", "← ", t.back, {href: trail.hash}), step(trail.ids[at - 1], "prev", "‹"),
		step(trail.ids[at + 1], "next", "›"), h("span"), h("button", t.share, {click: () => share(flat)}),
		h("button", t.print, {click: () => print()}))
}

// On a phone the decisions stay at hand.
function makeBar(flat, id, root) {
	const decision = (word, status) => h("button", word, {data: {status}, click: () => toggleStatus(id, status),
		"aria-pressed": String(statusOf(flat) === status)})
	return h("div.bar", {role: "group", label: t.actions},
		flat.phone && h("a.button", t.call, {href: telephone(flat.phone)}), decision(t.follow, "followed"),
		h("button", t.visit_date, {click: () => root.querySelector("#visit").focus()}), decision(t.dismiss, "ignored"))
}

const placed = new Set(("id title text area cost currency utilities rooms bedrooms date location phone photos urls " +
	"notes notation status visit_date service_postal_code service_stations service_time_to first_seen cost_history " +
	"gone not_duplicates details").split(" "))

// details are what has no place of its own, members that nobody knows too.
const details = flat => h("dl.pairs.details", pairs(Object.entries(flat).filter(([name]) => !placed.has(name))
	.concat(Object.entries(Object(flat.details))).map(([name, value]) => [name.replaceAll("_", " "), inWords(value)])))

async function share(flat) {
	const text = [described(flat), addressOf(flat), flat.phone, ...[flat.urls].flat()].filter(Boolean).join("\n")
	if (navigator.share) return navigator.share({title: title(flat), text}).catch(() => {/* the sheet was closed */})
	copy(text)
	tell(t.copied)
}
