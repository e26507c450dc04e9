// Triage: the new flats that the list's filters leave, one at a time, to be followed, dismissed or
// skipped. It exports show, as all views do (see app.js).

import {find, flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {number, t, text, title} from "./format.js"
import {fetchPhoto, listing, photoKeys, swipe} from "./listing.js"
import {marked, matcher} from "./marks.js"
import {attempt, decided, say} from "./notice.js"
import {compareButton, flatKeys, flatLink, following, photoURLs, stars} from "./parts.js"
import {hashOf, parametersOf, pileOf, trail} from "./state.js"

// pile has the ids of flats that were new when they were asked for, and more, the number of further ones. It
// outlives the view, for when the user comes back from a flat.
let pile = {}
let skipped = [] // ids; they come last, in this order
let draw // shows the pile in the view that was opened last, even if Undo takes back an earlier skip

const isNew = id => statusOf(flats.get(id)) === "new"

// show fills root with the first flat of the pile.
export async function show(root, {filters}, signal) {
	const hash = hashOf("triage", filters)
	if (pile.hash !== hash) pile = {hash, ids: [], more: 0}
	const counts = h("p", {role: "status"})
	const card = makeCard(matcher(filters.q), signal)
	const keys = {
		...flatKeys(card.shown),
		...photoKeys(root),
		s: [t.skip, () => skip(card.shown())],
		o: [t.key_open, () => card.element.querySelector("h2 a")?.click()],
	}
	const actions = makeActions(keys)
	let tag

	// load adds to the pile what has come in. Decided flats stay in it, for the number of those done.
	async function load() {
		const found = await find(parametersOf({...filters, tab: "new"}), pileOf, {signal, since: tag})
		if (!found) return
		tag = found.tag
		pile.ids = [...new Set([...pile.ids, ...found.flats.map(keyOf)])]
		pile.more = found.total - found.flats.length
		draw()
	}

	draw = () => {
		if (signal.aborted) return
		const left = pile.ids.filter(isNew).sort((a, b) => skipped.indexOf(a) - skipped.indexOf(b))
		const done = pile.ids.length - left.length
		fill(counts, text(t.n_left, {n: number(left.length + pile.more)}),
			done > 0 && " · " + text(t.n_done, {n: number(done)}))
		trail.ids = left
		actions.hidden = left.length === 0
		if (left.length === 0 && pile.more > 0) attempt(load)
		else card.turnTo(left[0], left[1])
	}

	const {x: [, dismiss], f: [, follow]} = keys
	swipe(card.element, follow, dismiss, by => card.shown() && (card.element.style.translate = by + "px"))
	onChange(draw, signal)
	fill(root, h("div.line", h("h1", t.triage), counts, filterLink(filters)), card.element, actions)
	if (pile.ids.length > 0) draw()
	await load()
	return {fresh: load, keys}
}

// makeCard makes the card of the first flat. turnTo(id, next) shows a flat, or says that none is left;
// shown returns the id of the flat that is shown, or null while there is none.
function makeCard(matches, signal) {
	const element = h("article.card")
	let leaving = new AbortController()
	let asked = null // the id of the flat that is to be shown
	let shown = null

	async function turnTo(id, next) {
		if (id === asked) return
		leaving.abort()
		leaving = new AbortController()
		const until = AbortSignal.any([signal, leaving.signal])
		asked = id
		shown = null
		if (id == null) return fill(element, emptyPile())
		await attempt(async () => {
			const flat = await getFlat(id, until).catch(error => keptOr(id, error))
			if (!flat) return leaveOut(id)
			if (!isNew(id)) return draw() // it has been decided on elsewhere
			shown = id
			fill(element, wholeFlat(flat, matches, until))
			scrollTo(0, 0)
			say(title(flat))
			const after = next && await getFlat(next, until).catch(() => null)
			if (after) fetchPhoto(photoURLs(after)[0])
		})
	}

	return {element, turnTo, shown: () => shown}
}

// keptOr returns what is known of a flat that cannot be asked for without a network: what a list showed, or
// nothing. Other errors remain.
function keptOr(id, error) {
	if (error.status !== 0) throw error
	return flats.get(id)?.title && flats.get(id)
}

// leaveOut takes a flat out of the pile, until the next load, because this device keeps nothing of it.
function leaveOut(id) {
	pile.ids = pile.ids.filter(other => other !== id)
	draw()
}

// wholeFlat shows all of a flat, with marks on the words that matches reports.
function wholeFlat(flat, matches, signal) {
	const id = keyOf(flat)
	const heading = h("h2", flatLink(flat, h("span", marked(title(flat), "title", matches))))
	const own = following(id, () => h("div.line", stars(id), compareButton(id)), signal)
	return listing(flat, heading, signal, own, h("p.text", marked(flat.text, "text", matches)))
}

const emptyPile = () => h("div.empty", h("h2", t.pile_done),
	h("a.button", t.shortlist, {href: hashOf("list", {tab: "shortlist"})}))

// makeActions makes the buttons that do what the keys do. An arrow shows the way of the swipe.
function makeActions({x: [, dismiss], s: [, skip], f: [, follow]}) {
	const way = arrow => h("span.way", arrow, {"aria-hidden": "true"})
	return h("div.decide", {role: "group", label: t.actions}, h("button", way("←"), t.dismiss, {click: dismiss}),
		h("button", t.skip, {click: skip}), h("button", way("→"), t.follow, {click: follow}))
}

// filterLink links to the filters in the list, if there are any.
function filterLink(filters) {
	const {tab, to, sort, ...others} = filters
	return Object.keys(others).length > 0 && h("a", t.filters, {href: hashOf("list", {...filters, tab: "new"})})
}

// skip puts a flat at the end of the pile.
function skip(id) {
	if (id == null) return
	const before = skipped
	skipped = [...skipped.filter(other => other !== id), id]
	decided(`${title(flats.get(id))}: ${t.skipped}`, () => {
		skipped = before
		draw()
	})
	draw()
}
