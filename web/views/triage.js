// Triage: the new flats that the list's filters leave, one at a time, to be followed, dismissed or
// skipped. It exports show, as all views do (see app.js).

import {fill, h} from "../lib/dom.js"
import {keyOf, photoURLs, statusOf} from "../lib/fields.js"
import {find, flats, getFlat, look, onChange} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {parametersOf, pileOf, tally} from "../lib/query.js"
import {hashOf, trail} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {setNews} from "../parts/bar.js"
import {listing, photoKeys} from "../parts/listing.js"
import {attempt, decided, say} from "../parts/notice.js"
import {compareButton, facts, flatKeys, flatLink, following, photo, stars} from "../parts/parts.js"
import {filtersInWords} from "../words/filters.js"
import {number, t, text, title} from "../words/format.js"
import {marked, matcher} from "../words/marks.js"

// pile has the ids of the flats that were new when they were asked for, newest first; done, those of them that were
// then decided on here; more, the number of further ones; outside, the number of new ones that the filters leave out;
// current, the id of the flat in the card; lost, the same id once that flat has been decided on elsewhere; and unkept,
// the ids of those that cannot be shown until the network is back. It outlives the view, for when the user comes back
// from a flat.
let pile = {}
let skipped = stored("flats.skipped") ?? [] // ids; they come last, in this order
let draw // shows the pile in the view that was opened last, even if Undo takes back an earlier skip

const fresh = document.getElementById("fresh") // where app.js offers to show the next flat

const isNew = id => statusOf(flats.get(id)) === "new"
// Those that were decided on count as done, in whichever view.
onChange((flat, before) => {
	const id = keyOf(flat)
	if (isNew(id)) pile.done?.delete(id)
	else if (statusOf(before) === "new" && pile.ids?.includes(id)) pile.done.add(id)
})

const without = (ids, id) => ids.filter(other => other !== id)

// show fills root with the first flat of the pile.
export async function show(root, {filters: {tab, sort, ...filters}}, signal) {
	const hash = hashOf("triage", filters)
	if (pile.hash !== hash) pile = {hash, ids: [], done: new Set(), more: 0, outside: 0}
	Object.assign(pile, {lost: null, unkept: new Set()})
	const counts = h("p", {role: "status"})
	const outside = h("p.outside")
	const card = makeCard(filters, signal)
	const keys = {
		...flatKeys(card.shown),
		...photoKeys(root),
		s: [t.skip, () => skip(card.shown())],
		o: [t.key_open, () => card.element.querySelector("h2 a")?.click()],
	}
	const actions = makeActions(keys)
	let tag

	// load brings the pile up to date, and returns whether the flat in the card has left it. The card stays
	// meanwhile, because nothing moves under a finger.
	async function load() {
		const since = pile.unkept.size > 0 ? null : tag // what could not be shown is asked for again
		const found = await find(parametersOf({...filters, tab: "new"}), pileOf, {signal, since})
		if (!found) return false
		if (!found.asOf) pile.unkept.clear()
		const all = hash === hashOf("triage") ? found.total : await countNew(signal).catch(() => found.total)
		pile.outside = all - found.total
		setNews(found.total)
		tag = found.tag
		pile.ids = joined(pile.ids, found.flats.map(keyOf))
		pile.more = found.total - found.flats.length
		pile.lost = pile.ids.includes(card.shown()) ? null : card.shown()
		draw()
		return pile.lost != null
	}

	draw = () => {
		if (signal.aborted) return
		const all = pile.ids.filter(isNew)
		const left = all.filter(id => !pile.unkept.has(id)).sort((a, b) => skipped.indexOf(a) - skipped.indexOf(b))
		fill(counts, text(t.n_left, {n: number(all.length + pile.more)}),
			pile.done.size > 0 && " · " + text(t.n_done, {n: number(pile.done.size)}))
		fill(outside, pile.outside > 0 && [text(t.n_outside, {n: number(pile.outside)}), " · ",
			h("a", t.show, {href: hashOf("triage")})])
		trail.ids = left
		if (pile.lost == null) fill(fresh)
		if (pile.lost == null && !left.includes(pile.current)) pile.current = left[0]
		actions.hidden = pile.current == null
		if (pile.current == null && pile.more > 0) attempt(load)
		else card.turnTo(pile.current, left.find(id => id !== pile.current))
	}

	// follow shows an update that was made on this page; Undo brings a flat back into the card.
	function follow(flat, before) {
		const id = keyOf(flat)
		if (id === pile.lost) pile.lost = null
		if (isNew(id) && statusOf(before) !== "new" && pile.ids.includes(id)) pile.current = id
		draw()
	}

	// turn shows the next flat in place of one that was decided on elsewhere.
	function turn() {
		pile.lost = null
		draw()
	}

	makeSwipes(card, keys)
	onChange(follow, signal)
	fill(root, h("div.line", h("h1", t.triage), counts, filterLink(filters), outside), card.room, actions)
	if (pile.ids.length > 0) draw()
	await load()
	return {fresh: load, show: turn, keys}
}

// joined returns the ids of a pile after an answer: what has come in stands before or after the others, what was
// decided on elsewhere is left out.
function joined(ids, found) {
	const there = new Set(found)
	const stay = ids.filter(id => there.has(id) || !isNew(id))
	const known = new Set(stay)
	const at = found.findIndex(id => known.has(id)) // -1: all have come in
	const came = part => part.filter(id => !known.has(id))
	return at < 0 ? [...found, ...stay] : [...came(found.slice(0, at)), ...stay, ...came(found.slice(at))]
}

// countNew asks for the number of all new flats.
const countNew = async signal => (await look(parametersOf({tab: "new"}), tally, {signal})).total

// makeCard makes the card of the first flat, in a room that catches swipes; the next card lies behind it.
// turnTo(id, next) shows a flat, or says that none is left; shown returns the id of the flat that is shown, or
// null while there is none; move shifts the card with a finger.
function makeCard(filters, signal) {
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
			if (!flat) pile.unkept.add(id)
			else if (!isNew(id)) pile.ids = without(pile.ids, id) // it has been decided on elsewhere
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

// preview shows what decides of the next flat, and fetches its first photo.
const preview = flat => [photoURLs(flat).slice(0, 1).map(url => photo(url)), h("p.heading", title(flat)), facts(flat)]

// makeSwipes has a swipe on photos turn them, and one anywhere else in the room of the card decide.
function makeSwipes({room, move}, {x: [, dismiss], f: [, follow], ArrowLeft: [, before], ArrowRight: [, after]}) {
	const turns = target => target.closest(".gallery:has(.turner)")
	swipe(room, before, after, () => {}, turns)
	swipe(room, follow, dismiss, move, target => !turns(target))
}

// keptOr returns what is known of a flat that cannot be asked for without a network: what a list showed, or
// nothing. Other errors remain.
function keptOr(id, error) {
	if (error.status !== 0) throw error
	return flats.get(id)?.title && flats.get(id)
}

// wholeFlat shows all of a flat, with marks on the words that matches reports.
function wholeFlat(flat, matches, signal) {
	const id = keyOf(flat)
	const heading = h("h2", flatLink(flat, h("span", marked(title(flat), "title", matches))))
	const own = following(id, () => h("div.line", stars(id), compareButton(id)), signal)
	return listing(flat, heading, signal, own, h("p.text", marked(flat.text, "text", matches)))
}

const emptyPile = () => h("div.empty",
	h("h2", pile.unkept.size > 0 ? t.pile_unkept : pile.outside > 0 ? t.pile_filtered : t.pile_done),
	h("a.button", t.shortlist, {href: hashOf("list", {tab: "shortlist"})}))

// makeActions makes the buttons that do what the keys do. An arrow shows the way of the swipe.
function makeActions({x: [, dismiss], s: [, skip], f: [, follow]}) {
	const way = arrow => h("span.way", arrow, {"aria-hidden": "true"})
	return h("div.decide", {role: "group", label: t.actions},
		h("button", way("←"), t.dismiss, {click: dismiss, data: {status: "ignored"}}), h("button", t.skip, {click: skip}),
		h("button", way("→"), t.follow, {click: follow, data: {status: "followed"}}))
}

// filterLink says which filters there are, and links to them in the list.
function filterLink(filters) {
	const words = filtersInWords(filters)
	return words && h("a", words, {href: hashOf("list", {...filters, tab: "new"})})
}

// skip puts a flat at the end of the pile.
function skip(id) {
	if (id == null) return
	const before = skipped
	setSkipped([...without(skipped, id), id], null)
	decided(`${title(flats.get(id))}: ${t.skipped}`, () => setSkipped(before, id))
}

// setSkipped sets the flats that were skipped, which this browser keeps, and the one in the card.
function setSkipped(ids, current) {
	skipped = ids.slice(-1000)
	store("flats.skipped", skipped)
	Object.assign(pile, {current, lost: null})
	draw()
}
