// The flats that the service has returned, and the changes that this page makes to them.
//
// find, look, findAll and getFlat read flats, update changes one; a change that cannot be sent now waits (queue.js).
// onChange reports updates made on this page. askFlat, patch and inTurn are for sender.js.

import {call, failure, findPath, isLost} from "./api.js"
import {keyOf} from "./fields.js"
import {kept} from "./kept.js"
import {isWaitable, mustWait, wait, withAllWaiting, withWaiting} from "./queue.js"

// flats has what is known of each flat, by the text of its id. All views read it.
export const {flats} = kept

// remember stores a flat and returns what is now known of it, with the changes that wait to be sent. A flat with a
// text is whole and replaces what was known. A row of a list has some of the fields, never the text, and is added to
// what was known.
function remember(flat) {
	const known = withWaiting("text" in flat ? flat : {...flats.get(keyOf(flat)), ...flat})
	flats.set(keyOf(flat), known)
	return known
}

const changed = (now, before) => dispatchEvent(new CustomEvent("flat", {detail: [now, before]}))

// onChange calls act(flat, before) for each flat that this page updates, until the signal aborts.
export const onChange = (act, signal) => addEventListener("flat", ({detail}) => act(...detail), {signal})

// find returns the flats of a query, {flats, total, counts, tag, asOf}, or null if nothing has changed since the tag
// in options. query comes from queryOf, more has further parameters by name, options are those of call.
export async function find(query, more = {}, options = {}) {
	const answer = await look(query, more, options)
	return answer && {...answer, flats: answer.flats.map(remember)}
}

// look is like find, but leaves what is known of the flats as it is. So the page can compare what it shows with what
// the service has. It completes an answer that the worker kept with the changes made since.
export async function look(query, more = {}, options = {}) {
	const path = findPath(query, more)
	const answer = await call(path, options)
	const found = answer && {...answer, flats: answer.data}
	return found?.asOf ? withAllWaiting(found, new URLSearchParams(path.slice("find?".length)), knownFlat) : found
}

// knownFlat returns what is known of a flat. It requests one that no view has shown since the page was opened.
async function knownFlat(id) {
	const known = flats.get(id)
	return known && "title" in known ? known : getFlat(id).catch(() => known)
}

// findAll returns all flats of a query, by find or look. It requests 1,000 at a time, because one answer with
// 100,000 takes too long.
export async function findAll(query, more, options, ask = find) {
	const found = new Map() // pages overlap where a flat comes in meanwhile
	for (let number = 0; ; number++) {
		const part = await ask(query, {...more, "page[size]": 1000, "page[number]": number}, options)
		for (const flat of part.flats) found.set(keyOf(flat), flat)
		if ((number + 1) * 1000 >= part.total) return [...found.values()]
	}
}

// getFlat requests a whole flat and returns it. With changed it returns null if the flat has not changed since the
// last answer. With online it rejects an answer that the worker kept, and so fails without a network.
export async function getFlat(id, signal, {changed, online} = {}) {
	const sent = kept.updates.get(id)
	// An answer from before an update must not replace the answer to the update. So this waits for the updates under
	// way, and requests the flat again if another was sent in the meantime.
	await sent?.catch(() => {})
	const answer = await call("flats/" + encodeURIComponent(id), {signal, since: changed && kept.tags.get(id)})
	if (kept.updates.get(id) !== sent) return getFlat(id, signal, {online})
	if (!answer) return null
	if (answer.asOf && online) throw failure(0)
	kept.tags.set(id, answer.tag)
	return remember(answer.data)
}

// update sets fields of a flat and returns the flat as it was before. With match it fails with 412 if the flat has
// changed since the last answer. Updates of one flat are sent one at a time. If an update cannot be sent now, it
// waits, if it may.
export const update = (id, fields, {match} = {}) => inTurn(id, async () => {
	const before = flats.get(id)
	const canWait = isWaitable(fields)
	if (!canWait || !mustWait(id, fields)) try {
		await patch(id, fields, match)
		return before
	} catch (error) {
		if (!canWait || !isLost(error)) throw error
	}
	wait(id, fields, before)
	changed(remember(before ?? {id}), before)
	return before
})

// inTurn calls act once the updates of a flat that are under way are done.
export function inTurn(id, act) {
	kept.updates.set(id, Promise.resolve(kept.updates.get(id)).then(act, act))
	return kept.updates.get(id)
}

// patch sends an update of a flat.
export async function patch(id, fields, match) {
	const {data, tag} = await call("flat/" + encodeURIComponent(id),
		{method: "PATCH", body: JSON.stringify(fields), match: match && kept.tags.get(id)})
	kept.tags.set(id, tag)
	const before = flats.get(id)
	changed(remember(data), before)
}

// askFlat returns a flat as the service has it now, without the changes that wait.
export async function askFlat(id) {
	const {data, tag, asOf} = await call("flats/" + encodeURIComponent(id))
	if (asOf) throw failure(0)
	kept.tags.set(id, tag)
	const before = flats.get(id) ?? data
	const now = remember(data)
	if (JSON.stringify(now) !== JSON.stringify(before)) changed(now, before)
	return data
}

