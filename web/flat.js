// One flat: what decides comes first, then what one makes of it, then the rest.

import {flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {copy, fill, h, swap} from "./dom.js"
import {watch} from "./fresh.js"
import {addressOf, listing, listingText, pair} from "./listing.js"
import {notesIn} from "./notes.js"
import {reason, tell, title} from "./notice.js"
import {onPaper, own} from "./own.js"
import {described, flatKeys, telephone, toggleStatus} from "./parts.js"
import {farEnough, swipe} from "./photos.js"
import {flatHash, idOf, trail} from "./state.js"
import {t} from "./strings.js"

export async function show(root, route, signal) {
	let page, leaving
	// The flat before or after is the same view, so that an Undo stays.
	async function open(route) {
		leaving?.abort()
		leaving = new AbortController()
		page = onePage(root, idOf(route), AbortSignal.any([signal, leaving.signal]))
		const loading = page.load()
		if (!page.flat) await loading
	}
	async function update(route) {
		scrollTo(0, 0)
		await open(route)
		root.querySelector("h1")?.focus({preventScroll: true})
	}
	await open(route)
	return {keys: keysOf(root, () => page), update, fresh: () => page.fresh()}
}

function onePage(root, id, signal) {
	const news = h("div.fresh", {role: "status"})
	const page = {id, load, fresh: watch(news, hasChanged, () => render(flats.get(id)))}
	let paper = h("div.sheet")
	let mine, bar

	// What another view knows comes first; some know a few fields alone.
	async function load() {
		const known = flats.get(id)
		const whole = known && "text" in known
		fill(root)
		if (whole) render(known)
		try {
			const flat = await getFlat(id, signal)
			if (JSON.stringify(page.flat) !== JSON.stringify(flat)) render(flat)
		} catch (error) {
			if (!signal.aborted && !whole) fill(root, h("div.empty", h("h1", reason(error), {tabindex: -1}),
				h("button", t.retry, {click: load}), h("a.button", t.back, {href: trail.hash})))
		}
	}

	function render(flat) {
		page.flat = flat
		root.dataset.status = statusOf(flat)
		const {element, photos, turn} = listing(flat, h("h1", title(flat), {tabindex: -1}), signal)
		if (photos) swipe(photos, (by, lifted) => lifted && Math.abs(by) > farEnough && turn(by < 0 ? 1 : -1))
		page.turn = turn
		mine = own(flat, signal)
		bar = makeBar(flat, root)
		fill(root, steps(page, signal), news, element, h("div", wholeText(flat)), mine.element, paper, details(flat), bar)
	}

	function changed(flat) {
		if (keyOf(flat) !== id || !mine) return
		page.flat = flat
		root.dataset.status = statusOf(flat)
		mine.follow(flat)
		bar = swap(bar, makeBar(flat, root))
	}

	async function hasChanged() {
		const flat = await getFlat(id, signal, {changed: true})
		return flat && JSON.stringify(flat) !== JSON.stringify(page.flat)
	}

	trail.last = id
	onChange(changed, signal)
	addEventListener("beforeprint", () => {
		if (page.flat) paper = swap(paper, onPaper(page.flat, notesIn(page.flat)))
	}, {signal})
	return page
}

// The flats before and after replace the entry in the history.
function steps(page, signal) {
	const {ids, hash, more} = trail
	const at = ids.indexOf(page.id)
	const click = event => {
		event.preventDefault()
		location.replace(event.target.href)
	}
	const step = (by, rel, sign) => at >= 0 && ids[at + by] != null &&
		h("a.button", sign, {href: flatHash(ids[at + by]), rel, label: t[rel], click})
	const nav = h("div.steps", h("a.button", "← ", t.back, {href: hash}), step(-1, "prev", "‹"), step(1, "next", "›"),
		h("span"), h("button", t.share, {click: () => share(page.flat)}), h("button", t.print, {click: () => print()}))
	if (more && at >= 0 && at === ids.length - 1)
		more().then(() => !signal.aborted && trail.ids.length > ids.length && nav.replaceWith(steps(page, signal)), () => {})
	return nav
}

// On a phone the decisions stay at hand.
function makeBar(flat, root) {
	const decision = (word, status) => h("button", word, {data: {status}, click: () => toggleStatus(keyOf(flat), status),
		"aria-pressed": String(statusOf(flat) === status)})
	const visit = () => {
		const input = root.querySelector("#visit")
		input.scrollIntoView({block: "center"})
		input.focus({preventScroll: true})
	}
	return h("div.bar", {role: "group", label: t.actions},
		flat.phone && h("a.button", t.call, {href: telephone(flat.phone)}), decision(t.follow, "followed"),
		h("button", t.visit_date, {click: visit}), decision(t.dismiss, "ignored"))
}

// On a phone a long text would hide what comes after it.
function wholeText(flat) {
	const text = listingText(flat)
	if (text.textContent.length < 600) return text
	text.classList.add("cut")
	const more = h("button.whole", t.whole_text, {click: () => text.classList.remove("cut") ?? more.remove()})
	return [text, more]
}

const placed = new Set(("id title text area cost currency utilities rooms bedrooms date location phone photos urls " +
	"notes notation status visit_date service_postal_code service_stations service_time_to first_seen cost_history " +
	"gone not_duplicates").split(" "))
const labels = new Map([["station", t.station], ["merged_ids", t.merged_ids], ["service_constraint", t.constraint]])
const words = new Map([[true, t.yes], [false, t.no]])

function inWords(value) {
	const list = [value].flat()
	return words.get(value) ?? (list.some(item => typeof item === "object") ? JSON.stringify(value) : list.join(", "))
}

// details are what has no place of its own, members that nobody knows too.
function details({details: inner, ...flat}) {
	const outer = Object.entries(flat).filter(([name]) => !placed.has(name))
		.map(([name, value]) => [labels.get(name) ?? name, value])
	const all = [...outer, ...Object.entries(inner && typeof inner === "object" ? inner : {[t.details]: inner})]
		.filter(([, value]) => value != null && value !== "")
	return all.length > 0 && h("details", {open: ""}, h("summary", t.details),
		h("dl.pairs", all.map(([name, value]) => pair(name, inWords(value)))))
}

async function share(flat) {
	const text = [described(flat), addressOf(flat), flat.phone, ...[flat.urls].flat()].filter(Boolean).join("\n")
	if (navigator.share) return navigator.share({title: title(flat), text}).catch(() => {/* the sheet was closed */})
	copy(text)
	tell(t.copied)
}

function keysOf(root, page) {
	const press = selector => () => root.querySelector(selector)?.click()
	return {
		...flatKeys(() => page().flat && page().id),
		n: [t.notes, () => root.querySelector("#notes")?.focus()],
		Escape: [t.back, () => void (location.hash = trail.hash)],
		j: [t.next, press("[rel=next]")],
		k: [t.prev, press("[rel=prev]")],
		ArrowLeft: [t.prev_photo, () => page().turn?.(-1)],
		ArrowRight: [t.next_photo, () => page().turn?.(1)],
	}
}
