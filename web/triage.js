// Triage: the new flats one at a time, by the filters of the list.

import {flats, keyOf, onChange, Results, statusOf} from "./api.js"
import {fill, h, photos, picture, swap} from "./dom.js"
import {known} from "./flat.js"
import {marked, matcher} from "./marks.js"
import {failed, say, title} from "./notice.js"
import {about, choices, facts, flatKey, setStatus} from "./parts.js"
import {flatHash, listHash, trail} from "./state.js"
import {number, t} from "./strings.js"

let query, results, rating
let queue = [] // ids; the first is shown
let gone = 0 // decided on or skipped

const left = h("p")
const card = h("article.card", {pointerdown: drag, pointermove: drag, pointerup: drag, pointercancel: drag})
const action = (word, key, act) => h("button." + word, t[word], " ", h("kbd", key, {"aria-hidden": "true"}), {click: act})
const decide = status => setStatus(queue[0], status)
const actions = h("div.decide", action("dismiss", "x", () => decide("ignored")), action("skip", "s", skip), action("follow", "f", () => decide("followed")))

export const element = h("section.triage", h("div.head", h("h1", t.triage, {tabindex: -1}), left), card, actions)

export async function show(to) {
	scrollTo(0, 0)
	to = {sort: "date", ...to, status: "new"}
	// Back from a flat, the pile is as it was left.
	if (queue.length && listHash(to) === listHash(query)) return render()
	query = to
	results?.stop()
	results = new Results(query)
	queue = []
	gone = 0
	await refill()
}

async function refill() {
	const mine = results
	try {
		const found = await mine.more()
		if (mine !== results) return
		queue.push(...found.map(keyOf))
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
	Object.assign(trail, {hash: listHash({...query, status: ""}, "#/triage"), ids: [...queue], more: null})
	if (!flat) {
		fill(card, h("div.empty", h("h2", t.pile_done), h("a.button", t.status_followed, {href: listHash({status: "followed"})})))
		return card.querySelector("a").focus()
	}
	const matches = matcher(query.q)
	const [photo] = photos(flat)
	rating = choices(queue[0])[1]
	fill(card, photo && picture(photo, title(flat)), h("h2", h("a", marked(title(flat), "title", matches), {href: flatHash(flat.id)})),
		about(flat), rating, facts(flat), known(flat, matches))
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
onChange((flat, before) => {
	const id = keyOf(flat)
	if (!results?.ids.includes(id)) return
	const [was, is] = [before, flat].map(flat => statusOf(flat) === "new")
	if (was !== is) {
		queue = queue.filter(other => other !== id)
		if (is) queue.unshift(id)
		gone += is ? -1 : 1
		if (!element.hidden) render()
	} else if (id === queue[0]) swap(rating, rating = choices(id)[1])
})

// A finger drags the card: right to follow, left to ignore, as the buttons do.
let from // where it was put down
function drag({type, clientX, pointerType}) {
	const by = clientX - (from ?? clientX)
	const moves = type === "pointermove"
	card.style.transform = moves ? `translateX(${by}px)` : ""
	if (!moves) from = type === "pointerdown" && pointerType === "touch" ? clientX : null
	if (type === "pointerup" && Math.abs(by) > 90) decide(by > 0 ? "followed" : "ignored")
}

export const key = key => queue.length > 0 && (key === "s" ? !skip() : flatKey(queue[0], key))
