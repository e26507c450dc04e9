// One flat: all that is known, and what one makes of it.

import {flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {fill, h, later, outward, swap} from "./dom.js"
import {dayAndTime, fromControl, minutes, number, toControl} from "./format.js"
import {marked} from "./marks.js"
import {change, reason, title} from "./notice.js"
import {notesOf} from "./notes.js"
import {addressLink, compareButton, facts, flatKeys, phoneLink, photo, photoURLs, stars, statusButtons, times} from "./parts.js"
import {flatHash, idOf, trail} from "./state.js"
import {t} from "./strings.js"

let element
let id
let chosen // the controls of status and rating
let turn // turns the photos by so many

export async function show(root, route, signal) {
	element = root
	onChange(follow, signal)
	await load(idOf(route))
	return {keys: {...flatKeys(() => id), ...keys}, update: route => load(idOf(route))}
}

// What the list knows comes first. If that is all, the focus stays.
async function load(to) {
	trail.last = id = to
	scrollTo(0, 0)
	const known = flats.get(to)
	if (known) render(known)
	else fill(element)
	try {
		const flat = await getFlat(to)
		if (to === id && JSON.stringify(known) !== JSON.stringify(flat)) render(flat)
	} catch (error) {
		if (to === id && !known) fill(element, h("div.empty", h("h1", reason(error)), h("a.button", t.back, {href: trail.hash})))
	}
}

function choose() {
	return h("div.choices", statusButtons(id), stars(id), compareButton(id))
}

function follow(flat) {
	if (keyOf(flat) !== id) return
	element.dataset.status = statusOf(flat)
	swap(chosen, chosen = choose())
	const visit = element.querySelector("#visit")
	if (visit !== document.activeElement) visit.value = toControl(flat.visit_date)
}

function render(flat) {
	element.dataset.status = statusOf(flat)
	chosen = choose()
	fill(element, steps(), h("h1", title(flat), {tabindex: -1}), h("p.about", addressLink(flat)), facts(flat),
		h("div.columns", h("div.yours", flat.phone && phoneLink(flat.phone), chosen, visitControl(flat), notesControl(flat)),
			h("div", gallery(photoURLs(flat), title(flat)), known(flat), details(flat))))
}

export function known(flat, matches) {
	const stations = [flat.service_stations].flat().filter(station => station?.name)
	const way = [...times(flat).map(([name, time]) => [name, minutes(time)]), ...stations.map(({name, distance}) => [String(name), distance > 0 && number(distance, 0) + " m"])]
	const urls = [flat.urls].flat().filter(Boolean)
	return [pairs(way), h("p.text", marked(flat.text, "text", matches)),
		h("ul.links", urls.map(url => h("li", outward(url, String(url).replace(/^https?:..(www\.)?/, "")))))]
}

const pairs = entries => h("dl.pairs", entries.map(([name, value]) => h("div", h("dt", name), h("dd", value))))

// The flats before and after replace the entry in the history.
function steps() {
	const mine = id
	const {ids, hash, more} = trail
	const at = ids.indexOf(id)
	const click = event => event.preventDefault() & location.replace(event.target.href)
	const step = (to, rel, sign) => at >= 0 && to && h("a.button", sign, {href: flatHash(to), rel, label: t[rel], click})
	const nav = h("div.steps", h("a.button", "← ", t.back, {href: hash}), step(ids[at - 1], "prev", "‹"), step(ids[at + 1], "next", "›"))
	if (at === ids.length - 1) more?.().then(() => mine === id && at + 1 < ids.length && nav.replaceWith(steps()))
	return nav
}

function gallery(all, name) {
	let at = 0
	const frame = h("div.frame")
	const place = h("span", {role: "status"})
	turn = by => {
		at = (at + by + all.length) % all.length
		fill(place, `${at + 1} / ${all.length}`)
		fill(frame, all.length > 0 && photo(all[at], `${name} (${at + 1})`))
	}
	turn(0)
	const button = (by, label, sign) => h("button", sign, {label, click: () => turn(by)})
	return [frame, all.length > 1 && h("div.line", button(-1, t.prev_photo, "‹"), place, button(1, t.next_photo, "›"))]
}

const placed = new Set(("id title text area cost currency rooms date location phone photos urls notes notation status visit_date " +
	"service_postal_code service_stations service_time_to").split(" "))
const labels = {bedrooms: t.bedrooms, utilities: t.utilities, station: t.station, merged_ids: t.merged_ids, service_constraint: t.constraint}
const words = new Map([[true, t.yes], [false, t.no], ["included", t.included], ["excluded", t.excluded]])

function inWords(value) {
	const list = [value].flat()
	return words.get(value) ?? (list.some(item => typeof item === "object") ? JSON.stringify(value) : list.join(", "))
}

// details are what has no place of its own, members that nobody knows too.
function details({details: inner, ...flat}) {
	const own = Object.entries(flat).filter(([name]) => !placed.has(name)).map(([name, value]) => [Object.hasOwn(labels, name) ? labels[name] : name, value])
	const all = [...own, ...Object.entries(inner && typeof inner === "object" ? inner : {[t.details]: inner})]
	return h("details", {open: ""}, h("summary", t.details),
		pairs(all.filter(([, value]) => value != null && value !== "").map(([name, value]) => [name, inWords(value)])))
}

// A visit is saved after a pause: a year that is typed is 2, 20 and 202 first.
function visitControl(flat) {
	const id = keyOf(flat)
	const save = () => {
		if (!input.validity.valid || input.value === toControl(flats.get(id).visit_date)) return
		const visit_date = fromControl(input.value)
		change(id, {visit_date}, visit_date ? dayAndTime(visit_date) : "–")
	}
	const input = h("input#visit", {type: "datetime-local", min: "1900-01-01T00:00", max: "9999-12-31T23:59", blur: save, input: later(save, 800), value: toControl(flat.visit_date)})
	return [h("label", t.visit_date, {for: "visit"}), input]
}

function notesControl(flat) {
	const saver = notesOf(id, flat.notes ?? "")
	const input = h("textarea#notes", {value: saver.text, input: () => saver.type(input.value)})
	const state = h("p#saved", {role: "status"})
	const versions = h("div.versions")
	const settle = (word, text) => h("button", t[word], {click: () => {
		input.value = text()
		input.focus()
		saver.settle(input.value)
	}})
	const show = () => {
		const {theirs} = saver
		fill(state, t["notes_" + saver.state], saver.state === "kept" && " " + saver.trouble)
		fill(versions, saver.state === "conflict" && [h("p", theirs || "–"), settle("keep_both", () => `${theirs}\n\n${input.value}`),
			settle("keep_yours", () => input.value), settle("keep_theirs", () => theirs)])
	}
	show()
	saver.show = show
	if (saver.state === "saved") fill(state)
	return [h("label", t.notes, {for: "notes"}), input, state, versions]
}

const keys = {
	Escape: [t.back, () => void (location.hash = trail.hash)],
	j: [t.next, () => element.querySelector("[rel=next]")?.click()],
	k: [t.prev, () => element.querySelector("[rel=prev]")?.click()],
	ArrowLeft: [t.prev_photo, () => turn?.(-1)],
	ArrowRight: [t.next_photo, () => turn?.(1)],
}
