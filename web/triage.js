// Triage: the new flats one at a time, by the filters of the list.

import {find, flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {number, text} from "./format.js"
import {listing, listingText} from "./listing.js"
import {marked, matcher} from "./marks.js"
import {attempt, decided, failed, say, title} from "./notice.js"
import {compareButton, flatKeys, following, photoURLs, setStatus, stars} from "./parts.js"
import {fetchPhoto, swipe} from "./photos.js"
import {flatHash, hashOf, parametersOf, trail} from "./state.js"
import {t} from "./strings.js"

// The pile stays as it is left, for who comes back from a flat. It holds the ids
// of flats that were new when it was asked for, skipped ones at the end; more is
// how many others there are.
const newPile = hash => ({hash, ids: [], more: 0})
let pile = newPile()

let draw = () => {} // shows the pile, while it is open

const isNew = id => statusOf(flats.get(id)) === "new"

export async function show(root, {filters}, signal) {
	const hash = hashOf("triage", filters)
	if (pile.hash !== hash) pile = newPile(hash)
	const matches = matcher(filters.q)
	const counts = h("p", {role: "status"})
	const card = h("article.card")
	const action = (word, act, way) => h("button", way && h("span.way", way, {"aria-hidden": "true"}), word, {click: act})
	const decide = status => shown && setStatus(shown, status)
	const actions = h("div.decide", {role: "group", label: t.actions}, action(t.dismiss, () => decide("ignored"), "←"),
		action(t.skip, skip), action(t.follow, () => decide("followed"), "→"))
	let leaving = new AbortController()
	let asked = null // the id of the flat that is to be shown
	let shown, tag, turn

	async function load() {
		const found = await find(parametersOf({...filters, tab: "new"}), {"page[size]": 1000, fields: "status"},
			{signal, since: tag})
		if (!found) return
		tag = found.tag
		pile.ids = [...new Set([...pile.ids, ...found.flats.map(keyOf)])]
		pile.more = found.total - found.flats.length
		draw()
	}

	draw = () => {
		const left = pile.ids.filter(isNew)
		const done = pile.ids.length - left.length
		fill(counts, text(t.n_left, {n: number(left.length + pile.more)}),
			done > 0 && " · " + text(t.n_done, {n: number(done)}))
		trail.ids = left
		actions.hidden = left.length === 0
		if (left.length === 0 && pile.more > 0) load().catch(failed)
		else if (left[0] !== asked) turnTo(left[0], left[1])
	}

	// What was decided elsewhere meanwhile is known when the whole flat comes.
	async function turnTo(id, next) {
		leaving.abort()
		leaving = new AbortController()
		const until = AbortSignal.any([signal, leaving.signal])
		asked = id
		shown = null
		if (id == null) return fill(card, h("div.empty", h("h2", t.pile_done),
			h("a.button", t.shortlist, {href: hashOf("list", {tab: "shortlist"})})))
		await attempt(async () => {
			const flat = await getFlat(id, until)
			if (until.aborted) return
			if (!isNew(id)) return draw()
			drawFlat(flat, until)
			if (next) fetchPhoto(photoURLs(await getFlat(next, until))[0])
		})
	}

	function drawFlat(flat, signal) {
		const id = shown = keyOf(flat)
		const heading = h("h2", h("a", marked(title(flat), "title", matches), {href: flatHash(id)}))
		const {element, what, photos} = listing(flat, heading, signal)
		turn = photos.turn
		what.append(following(id, () => h("div.line", stars(id), compareButton(id)), signal), listingText(flat, matches))
		fill(card, element)
		scrollTo(0, 0)
		say(title(flat))
	}

	function skip() {
		const id = shown
		if (!id) return
		const at = pile.ids.indexOf(id)
		const move = to => {
			pile.ids = pile.ids.filter(other => other !== id).toSpliced(to, 0, id)
			draw()
		}
		decided(`${title(flats.get(id))}: ${t.skipped}`, () => move(at))
		move(Infinity)
	}

	// A finger drags the card to where the buttons are.
	swipe(card, by => decide(by > 0 ? "followed" : "ignored"),
		by => shown && (card.style.transform = by && `translateX(${by}px)`))
	onChange(() => draw(), signal)
	signal.addEventListener("abort", () => draw = () => {})
	const {tab, sort, ...others} = filters
	fill(root, h("div.line", h("h1", t.triage, {tabindex: -1}), counts, Object.keys(others).length > 0 &&
		h("a", t.filters, {href: hashOf("list", {...filters, tab: "new"})})), card, actions)
	if (pile.ids.length > 0) draw()
	await load()
	return {fresh: load, keys: {
		...flatKeys(() => shown),
		s: [t.skip, skip],
		o: [t.key_open, () => card.querySelector("h2 a")?.click()],
		ArrowLeft: [t.prev_photo, () => turn?.(-1)],
		ArrowRight: [t.next_photo, () => turn?.(1)],
	}}
}
