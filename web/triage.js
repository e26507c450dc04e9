// Triage: the new flats one at a time. It takes the filters of the list, so
// that a search can be worked off.

import {flats, keyOf, onChange, Results, statusOf} from "./api.js"
import {fill, h, photos, picture} from "./dom.js"
import {known} from "./flat.js"
import {failed, say, title} from "./notice.js"
import {about, choices, flatKey, marked, matcher, setStatus} from "./parts.js"
import {flatHash, listHash, setTrail} from "./state.js"
import {count, t} from "./strings.js"

let query = null
let results = null
let queue = [] // ids; the first is shown
let gone = 0 // decided on or skipped
let rating = null
let busy = false // a key held down must not decide on flats that nobody saw

const left = h("p")
const card = h("article.card", {pointerdown: drag, pointermove: drag, pointerup: drag, pointercancel: drag})
const action = (word, key, act) => h("button." + word, t[word], " ", h("kbd", key, {"aria-hidden": "true"}), {click: act, "aria-keyshortcuts": key})
const actions = h("div.decide", action("dismiss", "x", () => decide("ignored")), action("skip", "s", skip), action("follow", "f", () => decide("followed")))

export const element = h("section.triage", h("div.head", h("h1", t.triage, {tabindex: -1}), left), card, actions)
export const name = () => t.triage

export async function show(to) {
	scrollTo(0, 0)
	to = {sort: "date", ...to, status: "new"}
	// Back from a flat, the pile is as it was left.
	if (queue.length && listHash(to) === listHash(query)) return render()
	query = to
	await start()
}

async function start() {
	results?.abort.abort()
	results = new Results(query)
	queue = []
	gone = 0
	await refill()
}

async function refill() {
	const mine = results
	try {
		const found = await mine.more(20)
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
	left.textContent = count(t.n_left, rest)
	setTrail({hash: listHash({...query, status: ""}, "#/triage"), ids: [...queue], more: null})
	if (!flat) {
		fill(card, h("div.empty", h("h2", t.pile_done), h("a.button", t.status_followed, {href: listHash({status: "followed"})})))
		return card.querySelector("a").focus()
	}
	const matches = matcher(query.q)
	const [photo] = photos(flat)
	rating = choices(queue[0], title(flat))[1]
	fill(card, photo && picture(photo, title(flat)), h("h2", h("a", marked(title(flat), matches), {href: flatHash(flat.id)})),
		about(flat), rating, known(flat, matches))
	say(`${title(flat)}. ${left.textContent}`)
	if (queue.length < 8 && !results.done) refill()
}

async function decide(status) {
	if (busy || !queue.length) return
	busy = true
	await setStatus(queue[0], status)
	busy = false
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
	} else if (id === queue[0]) rating.replaceWith(rating = choices(id, title(flat))[1])
})

// A finger drags the card: right to follow, left to ignore, as the buttons do.
let from = null // where it was put down
function drag(event) {
	const by = event.clientX - (from ?? event.clientX)
	const up = event.type !== "pointermove"
	card.style.transform = up ? "" : `translateX(${by}px)`
	if (!up) return
	from = event.type === "pointerdown" && event.pointerType === "touch" ? event.clientX : null
	if (event.type === "pointerup" && Math.abs(by) > 90) decide(by > 0 ? "followed" : "ignored")
}

export function key({key}) {
	if (!queue.length) return false
	if (key === "f") decide("followed")
	else if (key === "x") decide("ignored")
	else if (key === "s") skip()
	else return flatKey(queue[0], key)
	return true
}
