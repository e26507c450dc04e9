// The flats that the service has returned, and the changes that this page makes to them.
//
// find, look, findAll and getFlat read flats, update changes one; a change that cannot be sent now waits (queue.js).
// updateNow does not wait for the service. outdated tells old answers from new ones. onChange reports updates made on
// this page. stateOf tells whether the service has said something new. remember, patch, changed and inTurn are for
// sender.js and opinions.js, and patch for a page that closes.

import {call, findPath, flatPath, isLost, unreached, updatePath} from "./api.js"
import {keyOf} from "./fields.js"
import {kept} from "./kept.js"
import {edited, isList} from "./lists.js"
import {me, people, withPeople} from "./people.js"
import {entriesOf, isUnderWay, isWaitable, mustWait, wait, waiting, waitingFor, withChange, withWaiting}
	from "./queue.js"

// flats has what is known of each flat, by the text of its id. All views read it.
export const {flats} = kept

// remember stores a flat and returns what is now known of it, with the changes that wait to be sent. A flat with a
// text is whole and replaces what was known. A row of a list has some of the fields, never the text, and is added to
// what was known. An answer that the worker kept (asOf) before the last one adds only what was not known.
export function remember(flat, asOf = null) {
	const before = flats.get(keyOf(flat))
	const time = asOf ?? new Date().toISOString()
	const isOlder = time < kept.times.get(keyOf(flat))
	// Which rule gave the status, only some answers say.
	const isRuled = before?.status_because && before.status === flat.status
	const rule = isRuled && {status_because: before.status_because}
	const all = isOlder ? {...flat, ...before} : "text" in flat ? {...rule, ...flat} : {...before, ...flat}
	const known = withWaiting(people.length > 0 ? withPeople(all, isOlder ? all : flat, before) : all)
	flats.set(keyOf(flat), known)
	if (!isOlder) kept.times.set(keyOf(flat), time)
	return known
}

export const changed = (now, before) => dispatchEvent(new CustomEvent("flat", {detail: [now, before]}))

// onChange calls act(flat, before) for each flat that this page updates, until the signal aborts.
export const onChange = (act, signal) => addEventListener("flat", ({detail}) => act(...detail), {signal})

// What only some answers have: the text, and times that this page does not know after its own decisions.
const partial = ["text", "status_since", "contacted_since"]

// stateOf returns what is known of flats as text that changes only if the service says something new of them, or a
// change is made here. The order of fields, and fields without a value, count for nothing: answers differ in them.
export const stateOf = ids => JSON.stringify(ids.map(id => {
	const known = ordered(flats.get(id)) ?? []
	return known.filter(([name]) => !partial.includes(name))
}))

function ordered(value) {
	if (value === null || typeof value !== "object") return value
	if (Array.isArray(value)) return value.map(ordered)
	return Object.entries(value).map(([name, member]) => [name, ordered(member)])
		.filter(([, member]) => member != null && member.length !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
}

// find returns the flats of a query, {flats, total, counts, tag, asOf}, or null if nothing has changed since the tag
// in options. query comes from queryOf, more has further parameters by name, options are those of call.
export async function find(query, more = {}, options = {}) {
	const isOutdated = outdated()
	const answer = await look(query, more, options)
	const isOld = flat => flats.has(keyOf(flat)) && isOutdated(keyOf(flat))
	const now = flat => (isOld(flat) ? {...flat, ...flats.get(keyOf(flat))} : remember(flat, answer.asOf))
	return answer && {...answer, flats: answer.flats.map(now)}
}

// outdated returns a function that reports whether the answer to a request that is sent now may be older than a change
// of a flat on this page.
export function outdated() {
	const sent = new Map(kept.updates)
	const own = new Set(waiting().map(({id}) => id))
	return id => own.has(id) || kept.updates.get(id) !== sent.get(id) || waitingFor(id).length > 0
}

// look is like find, but leaves what is known of the flats as it is, so that the page can compare what it shows with
// what the service has. An answer that the worker kept (asOf), or that came while a change was under way, lacks changes
// of this page: look adds them. The latter gets no tag, because the service's answer will change.
export async function look(query, more = {}, options = {}) {
	const path = findPath(query, more)
	const answer = await call(path, options).catch(error => searched(path, error, options.signal))
	if (!answer) return null
	const found = {...answer, flats: answer.data}
	const isBehind = !found.asOf && kept.underWay.size > 0
	if (!found.asOf && !isBehind) return found
	const changes = found.asOf ? waiting() : waiting().filter(isUnderWay)
	const {withChanges} = await import("./behind.js")
	const completed = await withChanges(changes, found, new URLSearchParams(path.slice("find?".length)), knownFlat)
	return {...completed, tag: isBehind ? null : found.tag}
}

// searched promises what a query with words finds in the flats that are kept, if its request has failed without a
// network, and rethrows other errors.
async function searched(path, error, signal) {
	const query = new URLSearchParams(path.slice("find?".length))
	if (error.status !== 0 || !query.has("q") || query.get("page[number]") > 0) throw error
	const {searchKept} = await import("./keptsearch.js")
	const found = await searchKept(query)
	signal?.throwIfAborted() // the view was left
	if (!found) throw error
	dispatchEvent(new CustomEvent("answer", {detail: found.asOf}))
	return found
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
	const answer = await call(flatPath(id), {signal, since: changed && kept.tags.get(id)})
	if (kept.updates.get(id) !== sent) return getFlat(id, signal, {online})
	if (!answer) return null
	if (answer.asOf && online) throw unreached()
	kept.tags.set(id, answer.tag)
	return remember(answer.data, answer.asOf)
}

// update sets fields of a flat and returns the flat as it was before. With match it fails with 412 if the flat has
// changed since the last answer; keepalive is as for call. Updates of one flat are sent one at a time. If an update
// cannot be sent now, it waits, if it may. by is who makes it; undone lists the changes that it takes back; since is
// when the flat got the status that this brings back; lost is the error for which it waits without being sent before;
// keys are those by which the service knows an update that may not wait, if it is sent again.
export const update = (id, fields, options = {}) => inTurn(id, async () => {
	const {match, keepalive, by = me(), since, undone = [], lost} = options
	const before = flats.get(id)
	const known = undone.reduce(withChange, before)
	const canWait = isWaitable(fields)
	const entries = canWait ? entriesOf(id, fields, known, {by, since}) : []
	const keys = canWait ? entries.map(({key}) => key) : options.keys
	if (canWait && lost) kept.cause = lost
	if (!canWait || !lost && !mustWait(id, fields)) {
		try {
			const tag = match && kept.tags.get(id)
			await patchLists(id, fields, known, {match: tag, keepalive, by, since, keys})
			return before
		} catch (error) {
			if (!canWait || !isLost(error)) throw error
			kept.cause = error
		}
	}
	wait(entries)
	changed(remember(before ?? {id}), before)
	return before
})

// updateNow makes changes, [id, fields], as one decision, here at once, and sends them as soon as possible. It returns
// them as they wait. A change may have a third part: the change that it takes back, who makes it, and since when the
// flat has the status that it brings back, {undone, by, since}.
export function updateNow(changes) {
	const decision = Math.random()
	const entries = changes.flatMap(([id, fields, {undone, by, since} = {}]) => {
		const before = undone ? withChange(flats.get(id), undone) : flats.get(id)
		return entriesOf(id, fields, before, {undone, by, since, decision})
	})
	wait(entries, true)
	for (const [id] of changes) {
		const before = flats.get(id)
		changed(remember(before), before)
	}
	return entries
}

// inTurn calls act once the updates of a flat that are under way are done.
export function inTurn(id, act) {
	kept.updates.set(id, Promise.resolve(kept.updates.get(id)).then(act, act))
	return kept.updates.get(id)
}

// patchLists is patch for fields that may be lists: what these have more or less than before is added to the lists that
// the service has now, or taken from them.
async function patchLists(id, fields, before, options, tries = 5) {
	if (!Object.keys(fields).some(isList)) return patch(id, fields, options)
	const {data, tag, asOf} = await call(flatPath(id))
	if (asOf) throw unreached()
	const changes = Object.entries(fields)
		.map(([name, set]) => [name, isList(name) ? edited(data[name], before?.[name], set) : set])
	try {
		return await patch(id, Object.fromEntries(changes), {...options, match: tag})
	} catch (error) {
		if (error.status !== 412 || tries === 1) throw error
		return patchLists(id, fields, before, options, tries - 1)
	}
}

// patch sends an update of a flat. With match, a tag, it fails with 412 if the flat has another one. by is who makes
// it; a name that has left the config is not sent. since is when the flat got the status that the update brings back.
// With keys it fails with 409 if the service has had an update with one of them.
export async function patch(id, fields, {match, keepalive, by, since, keys = []} = {}) {
	const query = new URLSearchParams({...people.includes(by) && {by}, ...since && {status_since: since}})
	for (const key of keys) query.append("key", key)
	const path = [updatePath(id), query].filter(String).join("&")
	const {data, tag} = await call(path, {method: "PATCH", body: JSON.stringify(fields), match, keepalive})
	kept.tags.set(id, tag)
	const before = flats.get(id)
	// The answer leaves out what find alone has.
	const {ratings, status, status_since, status_because, contacted_since} = before ?? {}
	const decision = status === data.status ? {status_since, status_because, contacted_since}
		: {status_since: since, contacted_since: since}
	const further = {ratings, ...decision}
	const known = ["status", "rating"].filter(name => name in fields)
		.reduce((flat, name) => withChange(flat, {name, set: fields[name], by}), {...data, ...further})
	changed(remember(known), before)
}
