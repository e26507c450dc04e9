// Changes elsewhere in the list since it was loaded (changes.js), in words for the button that shows them.

import {keyOf} from "../lib/fields.js"
import {flats, look} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {inHundreds} from "../lib/opinions.js"
import {fieldsOfPeople, me, people, valueOf} from "../lib/people.js"
import {same, withWaiting} from "../lib/queue.js"
import {count, t, text} from "../words/format.js"
import {askRows, comparedFields, keyOfQuery, rowSays} from "./changes.js"

// changesInWords promises words for the flats that have joined the list since it was loaded, have changed, or have left
// the list; then for what other people did, with their names: "2 new, 1 dismissed by Ben". It promises "" if nothing
// has changed, and null if the rows of the list are not complete yet.
export async function changesInWords(query, signal) {
	const {key, rows, changedHere} = kept.loaded
	if (key !== keyOfQuery(query)) return null
	const now = new Map((await askRows(query, signal)).map(flat => [keyOf(flat), rowSays(flat)]))
	const ids = [...now.keys()]
	const came = ids.filter(id => !rows.has(id) && !changedHere.has(id)).length
	const changed = ids.filter(id => rows.has(id) && rows.get(id) !== now.get(id))
	const left = [...rows.keys()].filter(id => !now.has(id))
	const takenOutHere = await idsAsBefore(left.filter(id => changedHere.has(id)), rows, signal)
	const gone = left.filter(id => !takenOutHere.has(id))
	const byOthers = people.length > 0 ? await othersChanges([...changed, ...gone], rows, signal) : []
	const countRest = part => part.filter(id => !byOthers.some(change => change.id === id)).length
	return [[t.n_new, came], [t.n_changed, countRest(changed)], [t.n_gone, countRest(gone)]]
		.filter(([, n]) => n > 0).map(([words, n]) => count(words, n)).concat(othersInWords(byOthers)).join(", ")
}

// idsAsBefore promises those of ids whose flats are in the service as rows has them. If they were changed on this page
// and have left the list, it was that change that took them out; somebody else has changed the others.
async function idsAsBefore(ids, rows, signal) {
	const found = []
	for (const part of inHundreds(ids)) {
		const query = {"any[id]": part, fields: comparedFields.join(), "page[size]": 100}
		found.push(...(await look({}, query, {signal})).flats)
	}
	return new Set(found.map(withWaiting).filter(flat => rows.get(keyOf(flat)) === rowSays(flat)).map(keyOf))
}

// othersChanges promises what other people did to flats, [{id, person, words}]. rows has their earlier states
// (changes.js).
async function othersChanges(ids, rows, signal) {
	const fields = ["status", "notation", ...fieldsOfPeople].join()
	const changes = []
	for (const part of inHundreds(ids)) {
		const query = {"any[id]": part, fields, "page[size]": 100}
		for (const flat of (await look({}, query, {signal})).flats) changes.push(...changeOf(flat, rows.get(keyOf(flat))))
	}
	return changes
}

// changeOf returns what another person did to a flat, an array with at most one element. before is the flat's earlier
// state, as rowSays wrote it.
function changeOf(flat, before) {
	const id = keyOf(flat)
	const valuesBefore = JSON.parse(before)
	const isSame = name => same(flat[name], valuesBefore[comparedFields.indexOf(name)])
	const {status, status_by: decider, ratings} = flat
	if (!isSame("status")) {
		if (!decider || decider === me()) return []
		return [{id, person: decider, words: t["others_" + status] ?? t.others_changed}]
	}
	// flats.get(id) has the ratings that this page knew.
	const isRater = person => person !== me() && !same(ratings[person], valueOf(flats.get(id), "rating", person))
	const rater = !isSame("notation") && Object.keys(ratings ?? {}).find(isRater)
	return rater ? [{id, person: rater, words: t.others_rated}] : []
}

// othersInWords writes changes, joining equal ones: "2 dismissed by Ben".
const othersInWords = changes => [...Map.groupBy(changes, ({person, words}) => `${words} ${person}`).values()]
	.map(alike => text(count(alike[0].words, alike.length), {name: alike[0].person}))
