// Flats that are probably one home. "Same home" keeps one of them and makes the others duplicates of it; "Not the
// same" stores that they differ, so that they are not proposed again.
//
// makeDoubles shows those of one flat, to be decided on there. groupsOfHomes requests all of them; toKeep, mergeHomes
// and partHomes decide on a group.

import {call} from "../lib/api.js"
import {fill, h, later} from "../lib/dom.js"
import {idsIn, keyOf, placeOf, shortlisted, statusOf} from "../lib/fields.js"
import {find, findAll, flats, look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {me, people} from "../lib/people.js"
import {same} from "../lib/queue.js"
import {compareHash} from "../lib/state.js"
import {cost, siteName, sizes, title} from "../words/flats.js"
import {instant, since, t, text} from "../words/format.js"
import {withChosen} from "./bar.js"
import {changeAll} from "./decisions.js"
import {firstPhoto, flatLink, statusTag} from "./flats.js"

// groupsOfHomes returns the groups, {ids, because}: the same list as long as nothing has changed.
export async function groupsOfHomes(signal) {
	const answer = await call("duplicates", {signal, since: kept.homes.tag})
	if (answer) kept.homes.tag = answer.tag
	if (answer && !same(answer.data, kept.homes.groups)) kept.homes.groups = answer.data
	return kept.homes.groups
}

// makeDoubles makes the elements of what is probably the same home as a flat, which stay up to date until the signal
// aborts: first, a line about the flat that it is a duplicate of or, if it is new, about one that was dismissed; and
// doubles, each with what tells it apart and the buttons that decide. make is as for decide (decide.js).
export function makeDoubles(flat, signal, make = changeAll) {
	const id = keyOf(flat)
	const first = h("p.like")
	const doubles = h("div.doubles")
	let others = []
	const dismissed = new Map() // when others were dismissed, and by whom, by id

	async function load() {
		const groups = (await groupsOfHomes(signal)).map(({ids}) => idsIn(ids))
		const group = groups.find(ids => ids.includes(id)) ?? []
		const near = group.filter(other => other !== id && !others.includes(other)).slice(0, 5)
		if (near.length === 0) return
		const found = (await find({}, {"any[id]": near}, {signal})).flats // whole, because a decision adds to their lists
		const ignored = found.filter(other => statusOf(other) === "ignored").map(keyOf)
		if (ignored.length > 0) {
			const fields = people.length > 0 ? "status_since,status_by" : "status_since"
			const times = look({}, {"any[id]": ignored, fields}, {signal})
			for (const other of (await times.catch(() => ({flats: []}))).flats) dismissed.set(keyOf(other), other)
		}
		others = [...new Set([...others, ...near])]
		show()
	}

	function show() {
		const mine = flats.get(id) ?? flat
		const left = others.map(other => flats.get(other)).filter(other => isOpen(mine, other))
		const ignored = statusOf(mine) === "new" && left.find(other => statusOf(other) === "ignored")
		const keeping = statusOf(mine) === "duplicate" && [...flats.values()].find(other => isKeptFor(other, id))
		const held = doubles.contains(document.activeElement)
		first.dataset.status = keeping ? "duplicate" : "ignored"
		if (keeping) fill(first, flatLink(keeping, text(t.duplicate_of, {name: title(keeping)})))
		else fill(first, ignored && flatLink(ignored, likeWords(dismissed.get(keyOf(ignored)))))
		const heading = h("a", t.maybe_duplicate, {href: compareHash(withChosen([id, ...left.map(keyOf)]))})
		fill(doubles, left.length > 0 && [h("h2", heading), h("ul", left.map(other => double(mine, other, make)))])
		if (held) (doubles.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
	}

	const loadQuietly = () => load().catch(() => {/* the flat can be decided on without */})
	const loadSoon = later(() => signal.aborted || loadQuietly(), 50)
	onChange(other => {
		if (![id, ...others].includes(keyOf(other)) && !isKeptFor(other, id)) return
		show()
		loadSoon() // after an Undo the service has the group again
	}, signal)
	loadQuietly()
	if (statusOf(flat) === "duplicate") {
		show()
		// It may be a duplicate of a flat that the page does not know yet.
		findAll({}, {fields: "title,status,merged_ids", "known[merged_ids]": "yes"}, {signal}).then(show, () => {})
	}
	return {first, doubles}
}

// isKeptFor reports whether a flat is the one that was kept for a duplicate.
const isKeptFor = (flat, id) => keyOf(flat) !== id && idsIn(flat.merged_ids).includes(id)

// double shows a flat that is probably the same home as mine, with what decides about it.
const double = (mine, other, make) => h("li", firstPhoto(other), h("div", h("h3", flatLink(other)),
	h("p", h("b", cost(other)), sizes(other).map(size => " · " + size), " ", statusTag(other)),
	h("p.soft", [placeOf(other), siteName(other)].filter(Boolean).join(" · "))),
h("div.line", decision(t.same_home, other, () => mergeHomes([mine, other], toKeep([mine, other]), make)),
	decision(t.not_same, other, () => partHomes([mine, other], make))))

const decision = (word, other, click) => h("button", word, {label: `${word}: ${title(other)}`, click})

function likeWords({status_since: date, status_by: name} = {}) {
	if (name && name !== me()) return text(t.like_dismissed_by, {name})
	return date ? text(t.like_dismissed_on, {date: since(date)}) : t.like_dismissed
}

// isOpen reports whether nobody has decided yet whether two flats are one home.
function isOpen(a, b) {
	const isDuplicate = [a, b].some(flat => statusOf(flat) === "duplicate")
	const isApart = (flat, other) => idsIn(flat.not_duplicates).includes(keyOf(other))
	return !isDuplicate && !isApart(a, b) && !isApart(b, a)
}

// toKeep returns the flat of a group that "Same home" keeps by default: the one with most of the user's own work
// (notes, rating, visit, status), else one that was decided on, else the oldest.
export function toKeep(group) {
	const work = flat => [flat.notes, flat.notation, flat.visit_date, shortlisted.includes(statusOf(flat))]
		.filter(Boolean).length
	const isDecided = flat => Number(statusOf(flat) !== "new")
	const age = flat => instant(flat.first_seen ?? flat.date) ?? Infinity
	return group.toSorted((a, b) => work(b) - work(a) || isDecided(b) - isDecided(a) || age(a) - age(b) || 0)[0]
}

// ofNow returns what is known of a flat by now: a list that is changed is compared with that.
const ofNow = flat => flats.get(keyOf(flat)) ?? flat

// united returns all ids of some lists, each once.
const united = (...lists) => [...new Map(lists.flat(3).map(id => [String(id), id])).values()]

// mergeHomes makes the others duplicates of the flat to keep. That flat takes their ids into its merged_ids, and is
// not gone as long as one of their listings exists.
export function mergeHomes(shown, shownKeep, make = changeAll) {
	const [keep, ...others] = [shownKeep, ...shown.filter(flat => flat !== shownKeep)].map(ofNow)
	const merged_ids = united(keep.merged_ids ?? [], others.map(({id, merged_ids}) => [id, merged_ids ?? []]))
	make([[keyOf(keep), {merged_ids}], ...others.map(flat => [keyOf(flat), {status: "duplicate"}])],
		`${title(keep)}: ${t.same_home}`)
}

// partHomes stores in each flat that the others are different homes.
export function partHomes(shown, make = changeAll) {
	const group = shown.map(ofNow)
	const others = flat => group.filter(other => other !== flat).map(({id}) => id)
	make(group.map(flat => [keyOf(flat), {not_duplicates: united(flat.not_duplicates ?? [], others(flat))}]),
		`${title(group[0])}: ${t.not_same}`)
}
