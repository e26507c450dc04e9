// Triage: the new flats that the list's filters leave, one at a time, to be followed, dismissed or
// skipped. It exports show, as all views do (see app.js).

import {find, flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {fill, h} from "./dom.js"
import {number, t, text, title} from "./format.js"
import {fetchPhoto, listing, photoKeys, swipe} from "./listing.js"
import {marked, matcher} from "./marks.js"
import {attempt, decided, say} from "./notice.js"
import {compareButton, flatKeys, flatLink, following, photoURLs, stars} from "./parts.js"
import {hashOf, parametersOf, trail} from "./state.js"

// The pile has the ids of flats that were new when they were asked for, and how many more there are. It
// outlives the view, for when one comes back from a flat.
let pile = {}
let skipped = [] // ids; they come last, in this order
let draw // shows the pile in the view that was opened last, even if Undo takes back an earlier skip

const isNew = id => statusOf(flats.get(id)) === "new"

// show fills root with the first flat of the pile.
export async function show(root, {filters}, signal) {
	const {tab, sort, ...others} = filters
	const hash = hashOf("triage", filters)
	if (pile.hash !== hash) pile = {hash, ids: [], more: 0}
	const matches = matcher(filters.q)
	let leaving = new AbortController()
	let asked = null // the id of the flat that is to be shown
	let shown // the id of the flat that is shown
	let tag

	const keys = {
		...flatKeys(() => shown),
		...photoKeys(root),
		s: [t.skip, skip],
		o: [t.key_open, () => card.querySelector("h2 a")?.click()],
	}
	const {x: [, dismiss], f: [, follow]} = keys
	const counts = h("p", {role: "status"})
	const card = h("article.card")
	const action = (word, click, way) => h("button", way && h("span.way", way, {"aria-hidden": "true"}), word, {click})
	const actions = h("div.decide", {role: "group", label: t.actions}, action(t.dismiss, dismiss, "←"),
		action(t.skip, skip), action(t.follow, follow, "→"))

	// load adds to the pile what has come in. Decided flats stay in it, for the number of those done.
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
		if (signal.aborted) return
		const left = pile.ids.filter(isNew).sort((a, b) => skipped.indexOf(a) - skipped.indexOf(b))
		const done = pile.ids.length - left.length
		fill(counts, text(t.n_left, {n: number(left.length + pile.more)}),
			done > 0 && " · " + text(t.n_done, {n: number(done)}))
		trail.ids = left
		actions.hidden = left.length === 0
		if (left.length === 0 && pile.more > 0) attempt(load)
		else if (left[0] !== asked) turnTo(left[0], left[1])
	}

	// turnTo shows a flat, and fetches the first photo of the next. The answer tells whether the flat has
	// been decided on elsewhere.
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
			if (!isNew(id)) return draw()
			shown = id
			fill(card, listing(flat, h("h2", flatLink(flat, h("span", marked(title(flat), "title", matches)))), until,
				following(id, () => h("div.line", stars(id), compareButton(id)), until),
				h("p.text", marked(flat.text, "text", matches))))
			scrollTo(0, 0)
			say(title(flat))
			if (next) fetchPhoto(photoURLs(await getFlat(next, until))[0])
		})
	}

	function skip() {
		if (!shown) return
		const before = skipped
		skipped = [...skipped.filter(id => id !== shown), shown]
		decided(`${title(flats.get(shown))}: ${t.skipped}`, () => {
			skipped = before
			draw()
		})
		draw()
	}

	swipe(card, follow, dismiss, by => shown && (card.style.translate = by + "px"))
	onChange(draw, signal)
	fill(root, h("div.line", h("h1", t.triage), counts, Object.keys(others).length > 0 &&
		h("a", t.filters, {href: hashOf("list", {...filters, tab: "new"})})), card, actions)
	if (pile.ids.length > 0) draw()
	await load()
	return {fresh: load, keys}
}
