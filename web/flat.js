// One flat: everything that is known, and what one makes of it.

import {flats, getFlat, keyOf, onChange, statusOf} from "./api.js"
import {fill, h, later, outward, photos, picture, swap} from "./dom.js"
import {change, reason, title} from "./notice.js"
import {notesOf} from "./notes.js"
import {about, choices, facts, flatKey, mapLink, marked, phoneLink, times} from "./parts.js"
import {flatHash, trail} from "./state.js"
import {dayAndTime, fromControl, number, t, toControl} from "./strings.js"

export const element = h("section.flat")
export const name = () => title(flats.get(id))

let id = null
let shown = null // what is there: {update, turn, leave}

// show begins with what the list knows. What is as it was is not drawn anew:
// the focus may be in it.
export async function show(_, to) {
	hide()
	id = to
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

export function hide() {
	shown?.leave()
	shown = id = null
}

onChange(flat => keyOf(flat) === id && shown?.update(flat))

function render(flat) {
	shown?.leave()
	const choose = () => h("div.choices", choices(id).map(control => [h("label", t[control.id], {for: control.id}), control]))
	let chosen = choose()
	const [visit, showVisit, leaveVisit] = visitControl(id)
	const [notes, leaveNotes] = notesControl(flat)
	const [gallery, turn] = makeGallery(photos(flat), title(flat))
	fill(element, steps(), h("h1", title(flat), {tabindex: -1}), about(flat, mapLink(flat), []),
		h("div.columns", h("div.yours", flat.phone && phoneLink(flat.phone), chosen, visit, notes), h("div", gallery, known(flat), details(flat))))
	const update = flat => {
		element.dataset.status = statusOf(flat)
		swap(chosen, chosen = choose())
		showVisit(flat)
	}
	update(flat)
	shown = {update, turn, leave: () => leaveVisit() & leaveNotes()}
}

export function known(flat, matches) {
	const stations = [flat.service_stations].flat().filter(station => station?.name)
	const way = [...times(flat), ...stations.map(({name, distance}) => [String(name), distance > 0 && number(distance, 0) + " m"])]
	const urls = [flat.urls].flat().filter(Boolean)
	return [facts(flat), way.length > 0 && pairs(way), flat.text && h("p.text", marked(flat.text, matches)),
		urls.length > 0 && h("ul.links", urls.map(url => h("li", outward(url, String(url).replace(/^https?:..(www\.)?/, "")))))]
}

const pairs = entries => h("dl.pairs", entries.map(([name, value]) => h("div", h("dt", name), h("dd", value))))

// steps leads to the list, and to the flats before and after in it: these
// replace the entry in the history, so that Back leads to the list too.
function steps() {
	const mine = id
	const at = trail.ids.indexOf(id)
	const go = event => event.preventDefault() & location.replace(event.target.href)
	const step = (by, rel, sign) => at >= 0 && trail.ids[at + by] && h("a.button", sign, {href: flatHash(trail.ids[at + by]), rel, label: t[rel], click: go})
	const nav = h("div.steps", h("a.button", "← ", t.back, {href: trail.hash}),
		step(-1, "prev", "‹"), step(1, "next", "›"))
	if (at === trail.ids.length - 1) trail.more?.().then(() => mine === id && at + 1 < trail.ids.length && nav.replaceWith(steps()))
	return nav
}

function makeGallery(all, name) {
	if (!all.length) return []
	let at = 0
	const frame = h("div.frame")
	const place = h("span", {role: "status"})
	const turn = by => {
		at = (at + by + all.length) % all.length
		fill(place, `${at + 1} / ${all.length}`)
		fill(frame, picture(all[at], `${name} (${at + 1})`))
	}
	turn(0)
	const button = (by, word, sign) => h("button", sign, {label: t[word], click: () => turn(by)})
	return [h("div.gallery", frame, all.length > 1 && h("div.line", button(-1, "prev_photo", "‹"), place, button(1, "next_photo", "›"))), turn]
}

const elsewhere = new Set(("id title text area cost currency rooms date phone photos urls notes notation status visit_date " +
	"service_postal_code service_stations service_time_to").split(" "))

// details are what has no place of its own, members that nobody knows too.
function details({details: inner, ...flat}) {
	const rest = Object.entries(flat).filter(([name]) => !elsewhere.has(name))
	const all = Object.entries(inner && typeof inner === "object" ? inner : {[t.details]: inner}).concat(rest)
		.filter(([, value]) => value != null && value !== "")
		.map(([name, value]) => [name, value === true ? t.yes : value === false ? t.no : typeof value === "object" ? JSON.stringify(value) : String(value)])
	return h("details", {open: ""}, h("summary", t.details), pairs(all))
}

// A visit is saved after a pause: a year that is typed is 2, 20 and 202 first.
function visitControl(id) {
	const save = () => {
		if (!input.validity.valid || input.value === toControl(flats.get(id).visit_date)) return
		const visit_date = fromControl(input.value)
		change(id, {visit_date}, visit_date ? dayAndTime(visit_date) : "–")
	}
	const input = h("input#visit", {type: "datetime-local", min: "1900-01-01T00:00", max: "9999-12-31T23:59", blur: save, input: later(save, 800)})
	const show = ({visit_date}) => input === document.activeElement || (input.value = toControl(visit_date))
	return [[h("label", t.visit, {for: "visit"}), input], show, save]
}

function notesControl(flat) {
	const saver = notesOf(id, flat.notes)
	const input = h("textarea#notes", {rows: 7, value: saver.text, "aria-describedby": "saved", input: () => saver.type(input.value)})
	const paper = h("p.paper", {"aria-hidden": "true"}) // a text field prints only as far as it is open
	const state = h("p#saved", {role: "status"})
	const versions = h("div.versions")
	const settle = (word, text) => h("button", t[word], {click: () => {
		input.value = text()
		input.focus()
		saver.settle(input.value)
	}})
	const show = () => {
		const {theirs} = saver
		fill(paper, saver.text)
		fill(state, t["notes_" + saver.state], saver.state === "kept" && " " + saver.trouble)
		fill(versions, saver.state === "conflict" && [h("p", theirs || "–"), settle("keep_both", () => `${theirs}\n\n${input.value}`),
			settle("keep_yours", () => input.value), settle("keep_theirs", () => theirs)])
	}
	show()
	saver.show = show
	if (saver.state === "saved") fill(state)
	return [[h("label", t.notes, {for: "notes"}), input, paper, state, versions], () => saver.show === show && (saver.show = () => {})]
}

export function key({key}) {
	if (key === "Escape") location.hash = trail.hash
	else if (key === "j" || key === "k") element.querySelector(`[rel=${key === "j" ? "next" : "prev"}]`)?.click()
	else if (/^Arrow(Left|Right)$/.test(key)) shown?.turn?.(key === "ArrowLeft" ? -1 : 1)
	else return flats.has(id) && flatKey(id, key)
	return true
}
