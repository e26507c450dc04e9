// Flats that are probably the same home. "Same home" keeps one of them and makes the others its duplicates; "Not the
// same" records that they differ, so that they are not proposed again.
//
// groupsOfHomes requests all groups of such flats, makeDoubles shows the group of one flat. mergeHomes and
// separateHomes decide on a group, toKeep chooses the flat to keep.

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
import {withCompared} from "./bar.js"
import {changeAll} from "./decisions.js"
import {firstPhoto, flatLink, statusTag} from "./flats.js"

// groupsOfHomes promises the groups, [{ids, because}]. It is the same array as before if nothing has changed.
export async function groupsOfHomes(signal) {
	const answer = await call("duplicates", {signal, since: kept.homes.tag})
	if (answer) kept.homes.tag = answer.tag
	if (answer && !same(answer.data, kept.homes.groups)) kept.homes.groups = answer.data
	return kept.homes.groups
}

// makeDoubles makes {likeLine, doubles}, two elements about flats that are probably the same home as a flat, and keeps
// them up to date until the signal aborts. likeLine is a line: for a duplicate about the flat that was kept, and for a
// new flat about a dismissed one. doubles has each of the other flats with what distinguishes it and the buttons that
// decide. make is changeAll or changeNow (decisions.js).
export function makeDoubles(flat, signal, make = changeAll) {
	const id = keyOf(flat)
	const likeLine = h("p.like")
	const doubles = h("div.doubles")
	let others = []
	const dismissals = new Map() // {status_since, status_by} of dismissed flats, by id

	// load requests the group of the flat, and shows up to five flats that have joined it.
	async function load() {
		const groups = (await groupsOfHomes(signal)).map(({ids}) => idsIn(ids))
		const group = groups.find(ids => ids.includes(id)) ?? []
		const joined = group.filter(other => other !== id && !others.includes(other)).slice(0, 5)
		if (joined.length === 0) return
		const found = (await find({}, {"any[id]": joined}, {signal})).flats // with all fields: a decision changes lists
		const dismissedIds = found.filter(other => statusOf(other) === "ignored").map(keyOf)
		if (dismissedIds.length > 0) {
			const fields = people.length > 0 ? "status_since,status_by" : "status_since"
			const asked = look({}, {"any[id]": dismissedIds, fields}, {signal})
			const answer = await asked.catch(() => ({flats: []})) // the line then does without person and time
			for (const other of answer.flats) dismissals.set(keyOf(other), other)
		}
		others = [...new Set([...others, ...joined])]
		show()
	}

	function show() {
		const mine = flats.get(id) ?? flat
		const undecided = others.map(other => flats.get(other)).filter(other => isUndecided(mine, other))
		const dismissedFlat = statusOf(mine) === "new" && undecided.find(other => statusOf(other) === "ignored")
		const keptFlat = statusOf(mine) === "duplicate" && [...flats.values()].find(other => isKeptFor(other, id))
		const hadFocus = doubles.contains(document.activeElement)
		likeLine.dataset.status = keptFlat ? "duplicate" : "ignored"
		if (keptFlat) fill(likeLine, flatLink(keptFlat, text(t.duplicate_of, {name: title(keptFlat)})))
		else fill(likeLine, dismissedFlat && flatLink(dismissedFlat, likeWords(dismissals.get(keyOf(dismissedFlat)))))
		const heading = h("a", t.maybe_duplicate, {href: compareHash(withCompared([id, ...undecided.map(keyOf)]))})
		fill(doubles, undecided.length > 0 &&
			[h("h2", heading), h("ul", undecided.map(other => doubleItem(mine, other, make)))])
		if (hadFocus) (doubles.querySelector("button") ?? document.getElementById("main")).focus({preventScroll: true})
	}

	const loadQuietly = () => load().catch(() => {/* the flat can be decided on without */})
	const loadSoon = later(() => {
		if (!signal.aborted) loadQuietly()
	}, 50)
	onChange(other => {
		if (![id, ...others].includes(keyOf(other)) && !isKeptFor(other, id)) return
		show()
		loadSoon() // after Undo, the service has the group again
	}, signal)
	loadQuietly()
	if (statusOf(flat) === "duplicate") {
		show()
		// Get the flats that were kept for duplicates: the page may not know yet which one was kept for this flat.
		findAll({}, {fields: "title,status,merged_ids", "known[merged_ids]": "yes"}, {signal}).then(show, () => {})
	}
	return {likeLine, doubles}
}

// isKeptFor reports whether a flat was kept instead of the duplicate with an id.
const isKeptFor = (flat, id) => keyOf(flat) !== id && idsIn(flat.merged_ids).includes(id)

// doubleItem makes the item of a flat that is probably the same home as mine, with the buttons that decide.
const doubleItem = (mine, other, make) => h("li", firstPhoto(other), h("div", h("h3", flatLink(other)),
	h("p", h("b", cost(other)), sizes(other).map(size => " · " + size), " ", statusTag(other)),
	h("p.soft", [placeOf(other), siteName(other)].filter(Boolean).join(" · "))),
h("div.line", decisionButton(t.same_home, other, () => mergeHomes([mine, other], toKeep([mine, other]), make)),
	decisionButton(t.not_same, other, () => separateHomes([mine, other], make))))

// decisionButton makes a button that decides on a flat.
const decisionButton = (word, other, click) => h("button", word, {label: `${word}: ${title(other)}`, click})

// likeWords writes that a similar flat was dismissed, with who did so or when, as far as this is known.
function likeWords({status_since: date, status_by: name} = {}) {
	if (name && name !== me()) return text(t.like_dismissed_by, {name})
	return date ? text(t.like_dismissed_on, {date: since(date)}) : t.like_dismissed
}

// isUndecided reports whether nobody has decided whether two flats are the same home.
function isUndecided(a, b) {
	const isDuplicate = [a, b].some(flat => statusOf(flat) === "duplicate")
	const isApart = (flat, other) => idsIn(flat.not_duplicates).includes(keyOf(other))
	return !isDuplicate && !isApart(a, b) && !isApart(b, a)
}

// toKeep returns the flat of a group that "Same home" keeps: the one with most of notes, rating, visit and a status of
// the shortlist, or else one that was decided on, or else the oldest.
export function toKeep(group) {
	const work = flat => [flat.notes, flat.notation, flat.visit_date, shortlisted.includes(statusOf(flat))]
		.filter(Boolean).length
	const isDecided = flat => statusOf(flat) !== "new"
	const age = flat => instant(flat.first_seen ?? flat.date) ?? Infinity
	// The ages of two flats without a date differ by Infinity - Infinity, which is NaN: || 0 makes them equal.
	return group.toSorted((a, b) => work(b) - work(a) || isDecided(b) - isDecided(a) || age(a) - age(b) || 0)[0]
}

// latest returns a flat as it is now known: changed lists are compared with it.
const latest = flat => flats.get(keyOf(flat)) ?? flat

// unionOf returns the ids in some lists, also lists nested three deep, each id once.
const unionOf = (...lists) => [...new Map(lists.flat(3).map(id => [String(id), id])).values()]

// mergeHomes makes the shown flats duplicates of shownKeep, one of them. The kept flat gets the ids of the others in
// merged_ids; the service then treats it as gone only if the listings of all are.
export function mergeHomes(shown, shownKeep, make = changeAll) {
	const [keep, ...others] = [shownKeep, ...shown.filter(flat => flat !== shownKeep)].map(latest)
	const merged_ids = unionOf(keep.merged_ids ?? [], others.map(({id, merged_ids}) => [id, merged_ids ?? []]))
	make([[keyOf(keep), {merged_ids}], ...others.map(flat => [keyOf(flat), {status: "duplicate"}])],
		`${title(keep)}: ${t.same_home}`)
}

// separateHomes records in each of the shown flats that the others are different homes.
export function separateHomes(shown, make = changeAll) {
	const group = shown.map(latest)
	const others = flat => group.filter(other => other !== flat).map(({id}) => id)
	make(group.map(flat => [keyOf(flat), {not_duplicates: unionOf(flat.not_duplicates ?? [], others(flat))}]),
		`${title(group[0])}: ${t.not_same}`)
}
