// Triage: the new flats one at a time, by the filters of the list.

import {find, flats, keyOf, onChange, statusOf} from "./api.js"
import {fill, h, swap} from "./dom.js"
import {number, text} from "./format.js"
import {listing, listingText} from "./listing.js"
import {marked, matcher} from "./marks.js"
import {decided, failed, say, title, undo} from "./notice.js"
import {compareButton, flatKeys, photoURLs, setStatus, stars} from "./parts.js"
import {farEnough, fetchPhoto, swipe} from "./photos.js"
import {flatHash, hashOf, parametersOf, trail} from "./state.js"
import {t} from "./strings.js"

// The pile stays as it is left, for who comes back from a flat. Its queue and
// skipped hold ids; the first of the queue is shown, skipped ones come back at
// the end.
const newPile = hash => ({hash, queue: [], skipped: [], skips: new Set(), done: new Set(), left: 0})
let pile = newPile()
let draw = () => {} // shows the pile, while it is open

const current = () => pile.queue[0]
const decide = status => setStatus(current(), status)

export async function show(root, {filters}, signal) {
	const hash = hashOf("triage", filters)
	if (pile.hash !== hash) pile = newPile(hash)
	const matches = matcher(filters.q)
	const parameters = parametersOf({...filters, tab: "new"})
	const counts = h("p", {role: "status"})
	const card = h("article.card")
	const action = (word, key, act, way) => h("button", way && h("span.way", way, {"aria-hidden": "true"}), word,
		h("kbd", key, {"aria-hidden": "true"}), {click: act})
	const actions = h("div.decide", {role: "group", label: t.actions},
		action(t.dismiss, "x", () => decide("ignored"), "←"), action(t.skip, "s", skip),
		action(t.follow, "f", () => decide("followed"), "→"))
	let shown, tag, leaving, photos, rating

	// What is decided is no longer new: what is not known yet stands among the first.
	async function refill() {
		try {
			const known = pile.queue.length + pile.skipped.length
			const found = await find(parameters, {"page[size]": known + 20, "page[number]": 0}, {signal})
			const have = new Set([...pile.queue, ...pile.skipped, ...pile.done])
			pile.left = found.total
			pile.queue.push(...found.flats.map(keyOf).filter(id => !have.has(id)))
			draw()
		} catch (error) {
			failed(error, refill)
		}
	}

	async function fresh() {
		const found = await find(parameters, {"page[size]": 1, fields: "status"}, {signal, since: tag}).catch(() => null)
		if (!found) return
		tag = found.tag
		pile.left = found.total
		if (current() == null) await refill()
		else draw()
	}

	draw = () => {
		if (pile.queue.length === 0 && pile.left <= pile.skipped.length) pile.queue = pile.skipped.splice(0)
		const {queue, skipped, done, left} = pile
		fill(counts, text(t.n_left, {n: number(left)}), done.size > 0 && " · " + text(t.n_done, {n: number(done.size)}))
		Object.assign(trail, {hash, ids: [...queue], more: null})
		if (queue.length < 5 && queue.length + skipped.length < left) refill()
		if (current() === shown && shown != null) return void (rating = swap(rating, rate()))
		leaving?.abort()
		shown = current()
		actions.hidden = shown == null
		if (shown == null) return left > 0 || end()
		leaving = new AbortController()
		drawFlat(flats.get(shown), AbortSignal.any([signal, leaving.signal]))
		const [next] = queue.length > 1 ? photoURLs(flats.get(queue[1])) : []
		if (next) fetchPhoto(next)
	}

	const rate = () => h("div.line", stars(shown), compareButton(shown))

	function drawFlat(flat, signal) {
		const heading = h("h2", h("a", marked(title(flat), "title", matches), {href: flatHash(shown)}))
		photos = listing(flat, heading, signal)
		photos.what.append(rating = rate(), listingText(flat, matches))
		fill(card, pile.skips.has(shown) && h("p.soft", t.skipped_before), photos.element)
		scrollTo(0, 0)
		say(`${title(flat)}. ${counts.textContent}`)
	}

	function end() {
		const button = (word, href) => h("a.button", word, {href})
		fill(card, h("div.empty", h("h2", t.pile_done), filtered && button(t.all_new, hashOf("triage")),
			button(t.shortlist, hashOf("list", {tab: "shortlist"}))))
		say(t.pile_done)
	}

	// A finger drags the card to where the buttons are.
	swipe(card, (by, lifted) => {
		if (shown == null) return
		const [dismiss, , follow] = actions.children
		const far = Math.abs(by) > farEnough
		card.style.transform = lifted ? "" : `translateX(${by}px)`
		dismiss.classList.toggle("primary", far && by < 0 && !lifted)
		follow.classList.toggle("primary", far && by > 0 && !lifted)
		if (lifted && far) decide(by > 0 ? "followed" : "ignored")
	})

	const {tab, sort, ...others} = filters
	const filtered = Object.keys(others).length
	fill(root, h("div.head", h("h1", t.triage, {tabindex: -1}), counts,
		filtered > 0 && h("a", text(t.n_filters, {n: number(filtered)}), {href: hashOf("list", {...filters, tab: "new"})}),
		h("button", t.undo, h("kbd", "u", {"aria-hidden": "true"}), {click: undo})), card, actions)
	signal.addEventListener("abort", () => draw = () => {})
	draw()
	const filling = refill()
	if (shown == null) await filling
	return {fresh, keys: {
		...flatKeys(current),
		s: [t.skip, () => shown != null && skip()],
		o: [t.key_open, () => card.querySelector("h2 a")?.click()],
		ArrowLeft: [t.prev_photo, () => photos?.turn(-1)],
		ArrowRight: [t.next_photo, () => photos?.turn(1)],
	}}
}

function remove(id) {
	pile.queue = pile.queue.filter(other => other !== id)
	pile.skipped = pile.skipped.filter(other => other !== id)
}

function skip() {
	const {skips} = pile
	const id = pile.queue.shift()
	const first = !skips.has(id)
	pile.skipped.push(id)
	skips.add(id)
	decided(`${title(flats.get(id))}: ${t.skipped}`, () => {
		remove(id)
		pile.queue.unshift(id)
		if (first) skips.delete(id)
		draw()
	})
	draw()
}

// The pile follows its flats, whatever view decides on them; Undo brings one
// back to the top.
onChange(flat => {
	const id = keyOf(flat)
	const {queue, skipped, done} = pile
	const was = queue.includes(id) || skipped.includes(id)
	const is = statusOf(flat) === "new"
	if (was && !is) {
		remove(id)
		done.add(id)
		pile.left--
	} else if (is && done.delete(id)) {
		pile.queue.unshift(id)
		pile.left++
	}
	draw()
})
