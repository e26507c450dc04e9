// Triage: the new flats that match the list's filters, one at a time, to be followed, dismissed or skipped. It
// exports show, as all views do (see app.js).

import {fill, h} from "../lib/dom.js"
import {keyOf, photoURLs, statusOf} from "../lib/fields.js"
import {find, flats, getFlat, look, onChange} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {pileOf, queryOf, tally} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {setNews} from "../parts/bar.js"
import {compareButton, flatKeys, stars, toggleStatus} from "../parts/decide.js"
import {facts, flatLink, following, photo} from "../parts/flats.js"
import {listing, photoKeys, turnPhoto} from "../parts/listing.js"
import {attempt, decided, say} from "../parts/notice.js"
import {filtersInWords} from "../words/filters.js"
import {title} from "../words/flats.js"
import {number, t, text} from "../words/format.js"
import {marked, matcher} from "../words/marks.js"

const fresh = document.getElementById("fresh") // where app.js offers to show the next flat

const isNew = id => statusOf(flats.get(id)) === "new"
// Flats that were decided on count as done, in whichever view that happened.
onChange((flat, before) => {
	const id = keyOf(flat)
	if (isNew(id)) kept.pile.done?.delete(id)
	else if (statusOf(before) === "new" && kept.pile.ids?.includes(id)) kept.pile.done.add(id)
})

const without = (ids, id) => ids.filter(other => other !== id)

// show fills root with the first flat of the pile.
export async function show(root, {filters: {tab, sort, ...filters}}, signal) {
	const hash = hashOf("triage", filters)
	if (kept.pile.hash !== hash) kept.pile = {hash, ids: [], done: new Set(), more: 0, outside: 0}
	Object.assign(kept.pile, {lost: null, unkept: new Set()})
	const counts = h("p", {role: "status"})
	const outside = h("p.outside")
	const card = makeCard(filters, draw, signal)
	const onShown = act => () => card.shown() != null && act(card.shown())
	const acts = {
		follow: onShown(id => toggleStatus(id, "followed")),
		dismiss: onShown(id => toggleStatus(id, "ignored")),
		skip: onShown(skip),
	}
	const keys = {
		...flatKeys(card.shown),
		...photoKeys(root),
		s: [t.skip, () => void acts.skip()],
		o: [t.key_open, () => card.element.querySelector("h2 a")?.click()],
	}
	const actions = makeActions(acts)
	let tag

	// load updates the pile, and reports whether the flat in the card has left it. The card stays, because nothing
	// moves under a finger.
	async function load() {
		const since = kept.pile.unkept.size > 0 ? null : tag // what could not be shown is asked for again
		const found = await find(queryOf({...filters, tab: "new"}), pileOf, {signal, since})
		if (!found) return false
		if (!found.asOf) kept.pile.unkept.clear()
		const all = hash === hashOf("triage") ? found.total : await countNew(signal).catch(() => found.total)
		kept.pile.outside = all - found.total
		setNews(found.total)
		tag = found.tag
		kept.pile.ids = joined(kept.pile.ids, found.flats.map(keyOf))
		kept.pile.more = found.total - found.flats.length
		kept.pile.lost = kept.pile.ids.includes(card.shown()) ? null : card.shown()
		draw()
		return kept.pile.lost != null
	}

	function draw() {
		if (signal.aborted) return
		const all = kept.pile.ids.filter(isNew)
		const left = all.filter(id => !kept.pile.unkept.has(id)).sort((a, b) => skipped().indexOf(a) - skipped().indexOf(b))
		fill(counts, text(t.n_left, {n: number(all.length + kept.pile.more)}),
			kept.pile.done.size > 0 && " · " + text(t.n_done, {n: number(kept.pile.done.size)}))
		fill(outside, kept.pile.outside > 0 && [text(t.n_outside, {n: number(kept.pile.outside)}), " · ",
			h("a", t.show, {href: hashOf("triage")})])
		kept.trail.ids = left
		if (kept.pile.lost == null) fill(fresh)
		if (kept.pile.lost == null && !left.includes(kept.pile.current)) kept.pile.current = left[0]
		actions.hidden = kept.pile.current == null
		if (kept.pile.current == null && kept.pile.more > 0) attempt(load)
		else card.turnTo(kept.pile.current, left.find(id => id !== kept.pile.current))
	}

	// follow shows an update that was made on this page; Undo brings a flat back into the card.
	function follow(flat, before) {
		const id = keyOf(flat)
		if (id === kept.pile.lost) kept.pile.lost = null
		if (isNew(id) && statusOf(before) !== "new" && kept.pile.ids.includes(id)) kept.pile.current = id
		draw()
	}

	// turn replaces a flat that was decided on elsewhere by the next one.
	function turn() {
		kept.pile.lost = null
		draw()
	}

	makeSwipes(root, card, acts)
	onChange(follow, signal)
	addEventListener("pile", draw, {signal}) // also if Undo takes back an earlier skip
	fill(root, h("div.line", h("h1", t.triage), counts, filterLink(filters), outside), card.room, actions)
	if (kept.pile.ids.length > 0) draw()
	await load()
	return {fresh: load, show: turn, keys}
}

// joined returns the ids of a pile after an answer. New arrivals are placed before or after the others; flats that
// were decided on elsewhere are removed.
function joined(ids, found) {
	const there = new Set(found)
	const stay = ids.filter(id => there.has(id) || !isNew(id))
	const known = new Set(stay)
	const at = found.findIndex(id => known.has(id)) // -1: all have come in
	const came = part => part.filter(id => !known.has(id))
	return at < 0 ? [...found, ...stay] : [...came(found.slice(0, at)), ...stay, ...came(found.slice(at))]
}

// countNew asks for the number of all new flats.
const countNew = async signal => (await look(queryOf({tab: "new"}), tally, {signal})).total

// makeCard makes the card of the first flat, in a room that catches swipes; the next card lies behind it.
// draw shows the pile again. turnTo(id, next) shows a flat, or says that none is left; shown returns its id, or
// null while there is none; move shifts the card with a finger.
function makeCard(filters, draw, signal) {
	const matches = matcher(filters.q)
	const element = h("article.card")
	const behind = h("div.behind", {inert: "", hidden: true})
	const verdict = h("p.verdict", {"aria-hidden": "true", hidden: true})
	const room = h("div.room", h("div.stack", behind, element), verdict)
	let leaving = new AbortController()
	let asked // the id of the flat that is to be shown
	let shown = null

	async function turnTo(id = null, next = null) {
		if (id === asked) return
		leaving.abort()
		leaving = new AbortController()
		const until = AbortSignal.any([signal, leaving.signal])
		asked = id
		shown = null
		if (id == null) return fill(element, emptyPile())
		await attempt(async () => {
			const flat = await getFlat(id, until).catch(error => keptOr(id, error))
			if (!flat) kept.pile.unkept.add(id)
			else if (!isNew(id)) kept.pile.ids = without(kept.pile.ids, id) // it has been decided on elsewhere
			if (!flat || !isNew(id)) return draw()
			shown = id
			fill(element, wholeFlat(flat, matches, until))
			fill(behind)
			scrollTo(0, 0)
			say(title(flat))
			const after = next != null && await getFlat(next, until).catch(() => null)
			if (after) fill(behind, preview(after))
		})
	}

	function move(by) {
		if (shown == null) return
		const decides = by > 0 ? "followed" : "ignored"
		element.style.translate = by ? by + "px" : ""
		behind.hidden = verdict.hidden = by === 0
		verdict.dataset.status = decides
		verdict.style.opacity = Math.min(1, Math.abs(by) / 80)
		fill(verdict, by > 0 ? t.follow : t.dismiss)
	}

	return {element, room, turnTo, move, shown: () => shown}
}

// preview shows the facts that decide about the next flat, and fetches its first photo.
const preview = flat => [photoURLs(flat).slice(0, 1).map(url => photo(url)), h("p.heading", title(flat)), facts(flat)]

// makeSwipes makes a swipe on the photos turn them, and a swipe anywhere else in the card's room decide.
function makeSwipes(root, {room, move}, {follow, dismiss}) {
	const turns = target => target.closest(".gallery:has(.turner)")
	swipe(room, () => turnPhoto(root, -1), () => turnPhoto(root, 1), () => {}, turns)
	swipe(room, follow, dismiss, move, target => !turns(target))
}

// keptOr returns what is known of a flat that cannot be requested without a network: what a list showed, or nothing.
// It rethrows other errors.
function keptOr(id, error) {
	if (error.status !== 0) throw error
	return flats.get(id)?.title && flats.get(id)
}

// wholeFlat shows a whole flat, and marks the words that matches reports.
function wholeFlat(flat, matches, signal) {
	const id = keyOf(flat)
	const heading = h("h2", flatLink(flat, h("span", marked(title(flat), "title", matches))))
	const own = following(id, () => h("div.line", stars(id), compareButton(id)), signal)
	return listing(flat, heading, signal, own, h("p.text", marked(flat.text, "text", matches)))
}

const emptyPile = () => h("div.empty",
	h("h2", kept.pile.unkept.size > 0 ? t.pile_unkept : kept.pile.outside > 0 ? t.pile_filtered : t.pile_done),
	h("a.button", t.shortlist, {href: hashOf("list", {tab: "shortlist"})}))

// makeActions makes the buttons that decide. An arrow shows the direction of the swipe.
function makeActions({dismiss, skip, follow}) {
	const way = arrow => h("span.way", arrow, {"aria-hidden": "true"})
	return h("div.decide", {role: "group", label: t.actions},
		h("button", way("←"), t.dismiss, {click: dismiss, data: {status: "ignored"}}), h("button", t.skip, {click: skip}),
		h("button", way("→"), t.follow, {click: follow, data: {status: "followed"}}))
}

// filterLink names the active filters, and links to them in the list.
function filterLink(filters) {
	const words = filtersInWords(filters)
	return words && h("a", words, {href: hashOf("list", {...filters, tab: "new"})})
}

// skipped returns the ids of the flats that were skipped.
const skipped = () => kept.skipped ??= stored("flats.skipped") ?? []

// skip puts a flat at the end of the pile.
function skip(id) {
	const before = skipped()
	setSkipped([...without(before, id), id], null)
	decided(`${title(flats.get(id))}: ${t.skipped}`, () => setSkipped(before, id))
}

// setSkipped sets the flats that were skipped, which this browser keeps, and the flat in the card.
function setSkipped(ids, current) {
	kept.skipped = ids.slice(-1000)
	store("flats.skipped", kept.skipped)
	Object.assign(kept.pile, {current, lost: null})
	dispatchEvent(new Event("pile"))
}
