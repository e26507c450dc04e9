// Triage: the new flats that match the list's filters, one at a time, to follow, dismiss or skip. It exports show, as
// all views do (see app.js).

import {fill, h} from "../lib/dom.js"
import {keyOf, photoURLs, statusOf} from "../lib/fields.js"
import {find, flats, getFlat, look, onChange, outdatedTest, remember} from "../lib/flats.js"
import {swipe} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {changeIds, keptIds, onElements} from "../lib/keptlists.js"
import {askPeople} from "../lib/opinions.js"
import {pileOf, queryOf, tally} from "../lib/query.js"
import {isSending} from "../lib/queue.js"
import {hashOf} from "../lib/state.js"
import {stored} from "../lib/storage.js"
import {setNews} from "../parts/bar.js"
import {compareButton, flatKeys, setStatus, stars} from "../parts/decide.js"
import {changeNow} from "../parts/decisions.js"
import {facts, fetchPhoto, firstPhoto, flatLink, keepCurrent} from "../parts/flats.js"
import {makeDoubles} from "../parts/homes.js"
import {icon} from "../parts/icons.js"
import {about, factsInOrder, gallery, photoKeys, turnPhoto} from "../parts/listing.js"
import {attempt, attemptIn, say, showDecision, tell} from "../parts/notice.js"
import {filtersInWords} from "../words/filters.js"
import {stepButton} from "../parts/steps.js"
import {title} from "../words/flats.js"
import {number, t, text} from "../words/format.js"
import {marked, matcher} from "../words/marks.js"

const fresh = document.getElementById("fresh") // has the button that shows changes elsewhere (app.js)

const isNew = id => statusOf(flats.get(id)) === "new"

// Decisions in any view count as done.
onChange((flat, before) => {
	const id = keyOf(flat)
	if (isNew(id)) kept.pile.done?.delete(id)
	else if (before && statusOf(before) === "new" && kept.pile.ids?.includes(id)) kept.pile.done.add(id)
})

const cardsAhead = 3 // cards that are prepared in addition to the one that is shown
const factsAhead = 20 // flats whose facts are requested ahead, for users who are quicker than the cards
const factsOfCard = "status,title,cost,currency,utilities,area,rooms,bedrooms,photos"

// countLeft returns the number of flats in the pile that are new.
const countLeft = () => kept.pile.ids.filter(isNew).length + kept.pile.more

// without returns ids without id.
const without = (ids, id) => ids.filter(other => other !== id)

// show fills root with the first flat of the pile. It ignores the tab and the order of the list, because the pile has
// its own.
export async function show(root, {filters: {tab, sort, ...filters}}, signal) {
	const hash = hashOf("triage", filters)
	const isFiltered = hash !== hashOf("triage")
	if (kept.pile.hash !== hash) kept.pile = {hash, ids: [], done: new Set(), more: 0, outside: 0}
	Object.assign(kept.pile, {overtaken: null, needNetwork: new Set()})
	const counts = h("p", {role: "status"})
	const outside = h("p.outside")
	const progress = h("progress.thin", {"aria-hidden": "true"}) // counts says the same
	const cardArea = makeCardArea(filters, arrived, signal)
	const onShown = act => () => cardArea.shown() != null && act(cardArea.shown())
	const acts = {
		follow: onShown(id => setStatus(id, "followed", changeNow)),
		dismiss: onShown(id => setStatus(id, "ignored", changeNow)),
		skip: onShown(skip),
		like: onShown(id => attempt(() => dismissLike(root, id, signal))),
	}
	const keys = {
		...flatKeys(cardArea.shown, changeNow),
		...photoKeys(root),
		f: [t.follow, () => void acts.follow()],
		x: [t.dismiss, () => void acts.dismiss()],
		s: [t.skip, () => void acts.skip()],
		d: [t.dismiss_like, () => void acts.like()],
		o: [t.key_open, () => cardArea.card.querySelector("h2 a")?.click()],
	}
	const actions = makeActions(acts)
	const like = h("button.all-like", h("span.brief", t.all_like), h("span.whole", t.dismiss_like), {hidden: true,
		label: t.dismiss_like, title: t.dismiss_like, data: {status: "ignored"}, click: acts.like})
	let tag
	let isChecking = false
	let changeCount = 0 // of changes on this page since the view was opened
	let mayLackChange = false // whether pile.outside may lack a change

	// load updates the pile. The card stays even if its flat has left the pile, because nothing moves under a finger.
	async function load() {
		const since = kept.pile.needNetwork.size > 0 ? null : tag // request flats again that could not be shown
		const isOutdated = outdatedTest()
		const countBefore = changeCount
		const wasSending = isSending()
		const found = await find(queryOf({...filters, tab: "new"}), pileOf, {signal, since})
		if (!found) return
		if (!found.asOf) kept.pile.needNetwork.clear()
		tag = found.tag
		const idsThere = new Set(found.flats.map(keyOf))
		if (idsThere.has(kept.pile.overtaken)) kept.pile.overtaken = null
		for (const id of kept.pile.ids) if (!idsThere.has(id) && isNew(id) && !isOutdated(id)) remove(id)
		kept.pile.ids = mergeIds(kept.pile.ids, found.flats.map(keyOf))
		kept.pile.more = found.total - found.flats.length
		if (found.total > 0) draw()
		const mayLack = () => wasSending || changeCount !== countBefore
		countOutside(isFiltered ? null : found.total, mayLack) // not awaited: it may send a request
	}

	// countOutside updates the number of new flats that the filters leave out. all is the number of all new flats, or
	// null if it must be requested. mayLack() reports whether the numbers may lack a change.
	async function countOutside(all, mayLack) {
		all ??= await countNew(signal).catch(() => null)
		if (all == null) return draw()
		kept.pile.isBare = all === 0 && await countAll(signal) === 0
		kept.pile.outside = isFiltered ? Math.max(0, all - countLeft()) : 0
		mayLackChange = mayLack()
		if (mayLackChange) tag = null // then load requests the whole answer again
		setNews(all)
		draw()
		loadAgain()
	}

	// loadAgain loads the pile again if pile.outside may lack a change, once the pile is empty and the service has all
	// decisions.
	function loadAgain() {
		if (mayLackChange && cardArea.shown() == null && !isSending()) load().catch(() => {/* refresh tries again */})
	}

	// remove takes a flat that was decided on elsewhere out of the pile. If the flat is in the card, it stays there, and
	// a button offers the next one, unless nobody can have seen the card yet.
	function remove(id) {
		kept.pile.ids = without(kept.pile.ids, id)
		if (id !== cardArea.shown() || cardArea.isJustShown()) return
		kept.pile.overtaken = id
		fill(fresh, h("button", t.elsewhere, " · ", t.show, {click: turn}))
	}

	// turn replaces a flat that was decided on elsewhere by the next one.
	function turn() {
		kept.pile.overtaken = null
		draw()
	}

	// check requests whether flats have been decided on elsewhere, and removes those that have. Decisions on this page are
	// newer than the answer. From the same answer it remembers the facts of flats that were not known yet.
	async function check(ids) {
		if (isChecking) return
		isChecking = true
		const isOutdated = outdatedTest()
		const asking = look({}, {"any[id]": ids, fields: factsOfCard}, {signal})
		const {flats: found} = await asking.catch(() => ({flats: []})) // without a network, nobody knows
		isChecking = false
		for (const flat of found) if (!("title" in (flats.get(keyOf(flat)) ?? {}))) remember(flat)
		const decided = found.filter(flat => statusOf(flat) !== "new").map(keyOf).filter(id => isNew(id) && !isOutdated(id))
		for (const id of decided) remove(id)
		if (decided.length > 0) draw()
	}

	// arrived handles the answer for a flat: it redraws or, without a flat, records that it cannot be shown.
	function arrived(id, flat) {
		if (!flat) kept.pile.needNetwork.add(id)
		else if (!isNew(id)) remove(id)
		draw()
	}

	// draw shows the numbers and the next card.
	function draw() {
		if (signal.aborted) return
		const {pile} = kept
		// Flats that were not skipped come first: their index is -1.
		const idsLeft = pile.ids.filter(id => isNew(id) && !pile.needNetwork.has(id))
			.sort((a, b) => skipped().indexOf(a) - skipped().indexOf(b))
		fill(counts, text(t.n_left, {n: number(countLeft())}),
			pile.done.size > 0 && [" ", h("span.done", "· " + text(t.n_done, {n: number(pile.done.size)}))])
		const inAll = pile.done.size + countLeft()
		Object.assign(progress, {max: inAll || 1, value: pile.done.size}) // browsers ignore a max of 0
		fill(outside, pile.outside > 0 && [text(t.n_outside, {n: number(pile.outside)}), " · ",
			h("a", t.show, {href: hashOf("triage")})])
		kept.trail.ids = idsLeft
		if (pile.overtaken == null) fill(fresh)
		if (pile.overtaken == null && !idsLeft.includes(pile.current)) pile.current = idsLeft[0]
		actions.hidden = like.hidden = pile.current == null
		if (pile.current == null && pile.more > 0) {
			attempt(load)
			return
		}
		const nextIds = without(idsLeft, pile.current).slice(0, factsAhead)
		if (pile.current != null) nextIds.unshift(pile.current)
		const isOtherCard = cardArea.turnTo(nextIds.slice(0, cardsAhead + 1))
		if (isOtherCard) check(nextIds)
	}

	// follow shows an update that was made on this page. Undo brings a flat back into the card.
	function follow(flat, before) {
		const id = keyOf(flat)
		changeCount++
		if (id === kept.pile.overtaken) kept.pile.overtaken = null
		if (isNew(id) && statusOf(before) !== "new" && kept.pile.ids.includes(id)) kept.pile.current = id
		draw()
	}

	makeSwipes(root, cardArea, acts)
	onChange(follow, signal)
	addEventListener("waiting", loadAgain, {signal})
	addEventListener("pile", draw, {signal}) // Undo may take back an earlier skip
	fill(root, h("div.line", h("h1", t.triage), counts, filterLink(filters), outside, like), progress, cardArea.element,
		actions)
	if (kept.pile.ids.length === 0) await attemptIn(cardArea.card, load)
	else {
		draw()
		attempt(load) // not awaited: keys act on the card that is already there
	}
	return {findChanges: load, keys}
}

// mergeIds adds the ids found to the ids of the pile, before or after the known ones.
function mergeIds(ids, found) {
	const inPile = new Set(ids)
	const firstInPile = found.findIndex(id => inPile.has(id))
	if (firstInPile < 0) return [...found, ...ids]
	const others = part => part.filter(id => !inPile.has(id))
	return [...others(found.slice(0, firstInPile)), ...ids, ...others(found.slice(firstInPile))]
}

// countNew promises the number of all new flats.
const countNew = async signal => (await look(queryOf({tab: "new"}), tally, {signal})).total

// countAll promises the number of flats of any status, or null without a network.
const countAll = signal => look({}, tally, {signal}).then(({total}) => total, () => null)

// makeCardArea makes the area of the card, which catches swipes: {element, card} and functions:
//   turnTo(ids)   shows the first of some flats, or says that none is left, and prepares the cards of the others
//   shown()       returns the id of the flat in the card, or null if there is none
//   isJustShown() reports whether nobody can have seen the card yet
//   move(by)      shifts the card with a finger, which uncovers the next one
// arrived(id, flat) is called for each flat that was requested. flat is undefined if there is no network and no list
// has shown the flat.
function makeCardArea(filters, arrived, signal) {
	const matches = matcher(filters.q)
	const card = h("article.card")
	const behind = h("div.behind", {inert: "", hidden: true})
	const verdict = h("p.verdict", {"aria-hidden": "true", hidden: true})
	const element = h("div.room", h("div.stack", behind, card), verdict)
	// prepared has {leaving, content} by id: the controller that ends the listeners of the content, and the content of
	// the card, which is null until the answer.
	const prepared = new Map()
	let shown = null
	let isWhole = false // whether the card has its content rather than a preview
	let shownAt = 0 // the time at which the card was shown

	// prepare requests a flat and makes the content of its card. For the first card, the known flat may be enough.
	function prepare(id, {isFirst}) {
		const leaving = new AbortController()
		const until = AbortSignal.any([signal, leaving.signal])
		const entry = {leaving, content: null}
		prepared.set(id, entry)

		function make() {
			entry.content = wholeFlat(flats.get(id), matches, until)
			fetchPhoto(photoURLs(flats.get(id))[0])
		}

		if (isFirst && "text" in (flats.get(id) ?? {})) return make()
		attempt(async () => {
			const asking = askPeople([id], until).catch(() => {/* the card does without */})
			const flat = await getFlat(id, until).catch(error => keptOr(id, error))
			await asking
			if (prepared.get(id) !== entry) return // turnTo has dropped it
			if (flat && isNew(id)) make()
			arrived(id, flat)
		})
	}

	// turnTo shows a preview until the content of the card is there, if anything is known of the flat. It reports whether
	// another card is shown.
	function turnTo(ids) {
		for (const [id, {leaving}] of prepared) {
			if (ids.includes(id)) continue
			leaving.abort()
			prepared.delete(id)
		}
		for (const id of ids) if (!prepared.has(id)) prepare(id, {isFirst: id === ids[0]})
		const [first = null, next] = ids
		const {content} = prepared.get(first) ?? {}
		fill(behind, preview(next))
		if (content && first === shown && isWhole) return false
		const isOther = first !== shown
		isWhole = Boolean(content)
		shown = content || flats.get(first)?.title ? first : null
		fill(card, content ?? (first == null ? emptyPile() : preview(first)))
		if (shown == null || !isOther) return false
		shownAt = performance.now()
		scrollTo(0, 0)
		say(title(flats.get(first)))
		return true
	}

	function move(by) {
		if (shown == null) return
		const status = by > 0 ? "followed" : "ignored"
		card.style.translate = by ? by + "px" : ""
		behind.hidden = verdict.hidden = by === 0
		verdict.dataset.status = status
		verdict.style.opacity = Math.min(1, Math.abs(by) / 80) // full once the finger is far enough for a swipe (gestures.js)
		fill(verdict, by > 0 ? t.follow : t.dismiss)
	}

	const isJustShown = () => performance.now() - shownAt < 100 // milliseconds, less than anybody takes to react
	return {element, card, turnTo, move, shown: () => shown, isJustShown}
}

// preview shows the photo and the facts of a flat, as far as they are known.
function preview(id) {
	const flat = flats.get(id) ?? {}
	return [photoURLs(flat).length > 0 && firstPhoto(flat), flat.title && [h("p.heading", title(flat)), facts(flat)]]
}

// makeSwipes makes a swipe on the photos turn them, and a swipe elsewhere in the area of the card decide.
function makeSwipes(root, {element, move}, {follow, dismiss}) {
	const turns = target => target.closest(".gallery:has(.turner)")
	swipe(element, () => turnPhoto(root, -1), () => turnPhoto(root, 1), () => {}, turns)
	swipe(element, follow, dismiss, move, target => !turns(target))
}

// keptOr returns the known flat, or a falsy value, after the request for it has failed without a network. It rethrows
// other errors.
function keptOr(id, error) {
	if (error.status !== 0) throw error
	return flats.get(id)?.title && flats.get(id)
}

// wholeFlat makes the content of a card, with marks on the words that matches reports.
function wholeFlat(flat, matches, signal) {
	const id = keyOf(flat)
	const heading = h("h2", flatLink(flat, h("span", marked(title(flat), "title", matches))))
	const buttons = keepCurrent(id, () => h("div.line", stars(id, changeNow), compareButton(id), stepButton(id)), signal)
	const {likeLine, doubles} = makeDoubles(flat, signal, changeNow)
	return h("div.listing", gallery(flat, signal), about(flat, [likeLine, heading], factsInOrder(flat), signal, buttons),
		doubles, h("p.text", marked(flat.text, "text", matches)))
}

// emptyPile says why there is no flat, and leads to where some are, or come from.
function emptyPile() {
	const {isBare, needNetwork, outside} = kept.pile
	if (isBare) return h("div.empty", h("h2", t.no_flats), h("div.line",
		h("a.button.primary", t.add, {href: hashOf("add")}), h("a.button", t.start, {href: hashOf("start")})))
	let why = t.pile_done
	if (needNetwork.size > 0) why = t.pile_needs_network
	else if (outside > 0) why = t.pile_filtered
	return h("div.empty", h("h2", why), h("a.button", t.shortlist, {href: hashOf("list", {tab: "shortlist"})}))
}

// makeActions makes the buttons that decide, hidden until there is a flat. For fingers an arrow shows the direction of
// the swipe, for others a cap shows the key.
function makeActions({dismiss, skip, follow}) {
	const way = side => h("span.way", icon(side))
	const cap = key => stored("flats.keys") !== false && h("kbd", key, {"aria-hidden": "true"})
	return h("div.decide", {hidden: true, role: "group", label: t.actions},
		h("button", way("left"), t.dismiss, cap("x"), {click: dismiss, data: {status: "ignored"}}),
		h("button", t.skip, cap("s"), {click: skip}),
		h("button", way("right"), t.follow, cap("f"), {click: follow, data: {status: "followed"}}))
}

// dismissLike offers to dismiss the flats that are like one, and those to come.
async function dismissLike(root, id, signal) {
	const [{likesOf}, {sweep}] = await Promise.all([import("../parts/like.js"), import("../parts/rules.js")])
	const choices = await likesOf(flats.get(id), signal)
	if (signal.aborted || document.querySelector("dialog[open]")) return
	if (choices.length > 0) await sweep(root, choices, true) // proposes a rule for those to come
	else tell(t.like_none)
}

// filterLink names the active filters and links to the list with them.
function filterLink(filters) {
	const words = filtersInWords(filters)
	return words && h("a", words, {href: hashOf("list", {...filters, tab: "new"})})
}

// skipped returns the ids of skipped flats.
const skipped = () => kept.skipped ??= keptIds("flats.skipped")

onElements("flats.skipped", () => {
	kept.skipped = null
})

// skip puts a flat at the end of the pile. Undo puts a flat that had been skipped before at the front of the skipped
// ones, where it was.
function skip(id) {
	const before = skipped().includes(id) ? [id] : []
	changeSkipped(ids => [...without(ids, id), id], null)
	showDecision(`${title(flats.get(id))}: ${t.skipped}`, () => changeSkipped(ids => [...before, ...without(ids, id)], id))
}

// changeSkipped changes the ids of skipped flats, of which this browser stores the last 1,000, and the flat in the
// card.
function changeSkipped(act, current) {
	kept.skipped = changeIds("flats.skipped", ids => act(ids).slice(-1000))
	Object.assign(kept.pile, {current, overtaken: null})
	dispatchEvent(new Event("pile"))
}
