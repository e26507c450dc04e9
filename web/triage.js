// Triage: the new flats one at a time, by the filters of the list.

import {find, flats, keyOf, onChange, statusOf} from "./api.js"
import {fill, h, swap} from "./dom.js"
import {known} from "./flat.js"
import {marked, matcher} from "./marks.js"
import {failed, say, title} from "./notice.js"
import {number} from "./format.js"
import {facts, flatKeys, photo, photoURLs, setStatus, stars} from "./parts.js"
import {flatHash, hashOf, parametersOf, trail} from "./state.js"
import {t} from "./strings.js"

let query, results, rating, shown
let queue = [] // ids; the first is shown
let gone = 0 // decided on or skipped

const left = h("p")
const card = h("article.card", {pointerdown: drag, pointermove: drag, pointerup: drag, pointercancel: drag})
const action = (word, key, act) => h("button." + word, t[word], " ", h("kbd", key, {"aria-hidden": "true"}), {click: act})
const decide = status => setStatus(queue[0], status)
const actions = h("div.decide", action("dismiss", "x", () => decide("ignored")), action("skip", "s", skip), action("follow", "f", () => decide("followed")))

export async function show(root, route, signal) {
	fill(root, h("div.head", h("h1", t.triage, {tabindex: -1}), left), card, actions)
	shown = signal
	onChange(follow, signal)
	query = route.filters
	results = {ids: [], done: false, number: 0}
	queue = []
	gone = 0
	await refill()
	return {keys: {...flatKeys(() => queue[0]), s: [t.skip, skip]}}
}

async function refill() {
	const mine = results
	try {
		const part = await find(parametersOf({...query, tab: "new"}), {"page[size]": 50, "page[number]": mine.number++}, {signal: shown})
		if (mine !== results) return
		const found = part.flats.map(keyOf).filter(id => !mine.ids.includes(id))
		mine.ids.push(...found)
		mine.total ??= part.total
		mine.done = mine.number * 50 >= part.total
		queue.push(...found)
		if (queue.length === found.length) render()
	} catch (error) {
		if (mine === results) failed(error, refill)
	}
}

function render() {
	const flat = flats.get(queue[0])
	const rest = Math.max(queue.length, results.total - gone)
	actions.hidden = !flat
	left.textContent = t.n_left.replace("#", number(rest))
	Object.assign(trail, {hash: hashOf("triage", query), ids: [...queue], more: null})
	if (!flat) {
		fill(card, h("div.empty", h("h2", t.pile_done), h("a.button", t.status_followed, {href: hashOf("list", {tab: "shortlist"})})))
		return card.querySelector("a").focus()
	}
	const matches = matcher(query.q)
	const [first] = photoURLs(flat)
	rating = stars(queue[0])
	fill(card, first && photo(first, title(flat)), h("h2", h("a", marked(title(flat), "title", matches), {href: flatHash(flat.id)})),
		rating, facts(flat), known(flat, matches))
	say(`${title(flat)}. ${left.textContent}`)
	if (queue.length < 8 && !results.done) refill()
}

function skip() {
	queue.shift()
	gone++
	if (queue.length || results.done) render()
	else refill()
}

// The pile follows its flats; Undo brings one back to the top.
function follow(flat, before) {
	const id = keyOf(flat)
	if (!results?.ids.includes(id)) return
	const [was, is] = [before, flat].map(flat => statusOf(flat) === "new")
	if (was !== is) {
		queue = queue.filter(other => other !== id)
		if (is) queue.unshift(id)
		gone += is ? -1 : 1
		render()
	} else if (id === queue[0]) rating = swap(rating, stars(id))
}

// A finger drags the card: right to follow, left to ignore, as the buttons do.
let from // where it was put down
function drag({type, clientX, pointerType}) {
	const by = clientX - (from ?? clientX)
	const moves = type === "pointermove"
	card.style.transform = moves ? `translateX(${by}px)` : ""
	if (!moves) from = type === "pointerdown" && pointerType === "touch" ? clientX : null
	if (type === "pointerup" && Math.abs(by) > 90) decide(by > 0 ? "followed" : "ignored")
}
