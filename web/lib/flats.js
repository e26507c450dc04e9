// The flats that the service has returned, and the changes that this page makes to them.
//
// To read: find, look, findAll and getFlat. To change: update, which waits for the service, and updateNow, which does
// not. A change that cannot be sent waits in queue.js. onChange reports changes made on this page, outdatedTest
// recognizes answers that lack such a change, stateOf tells whether the service has said something new. remember,
// patch, reportChange and inTurn are for sender.js and opinions.js; a page that closes calls patch, too.

import {call, findPath, flatPath, isLost, unreached, updatePath} from "./api.js"
import {keyOf} from "./fields.js"
import {kept} from "./kept.js"
import {isList, mergedList} from "./lists.js"
import {me, people, withPeople} from "./people.js"
import {entriesOf, isUnderWay, isWaitable, mustWait, wait, waiting, waitingFor, withChange, withWaiting}
	from "./queue.js"

// flats has each known flat by its id as text. All views read it.
export const {flats} = kept

// remember adds a flat from an answer to flats and returns the known flat, with the changes that wait. A flat with a
// text is whole and replaces the known one. A row of a list lacks the text and some fields, and is merged into the
// known flat. asOf is the time at which the worker kept the answer; if the known flat is newer, the answer only fills
// gaps.
export function remember(flat, asOf = null) {
	const before = flats.get(keyOf(flat))
	const time = asOf ?? new Date().toISOString()
	const isOlder = time < kept.times.get(keyOf(flat))
	// Few answers have status_because, the rule that gave the status. While the status stays, so does the rule.
	const {status_because, ...others} = before ?? {}
	const isSameStatus = !("status" in flat) || flat.status === before?.status
	const rule = status_because && isSameStatus && {status_because}
	let all = {...others, ...rule, ...flat}
	if (isOlder) all = {...flat, ...before}
	else if ("text" in flat) all = {...rule, ...flat} // the flat is whole
	const known = withWaiting(people.length > 0 ? withPeople(all, isOlder ? all : flat, before) : all)
	flats.set(keyOf(flat), known)
	if (!isOlder) kept.times.set(keyOf(flat), time)
	return known
}

// reportChange reports an update of a flat to onChange. before is the flat before the update.
export const reportChange = (now, before) => dispatchEvent(new CustomEvent("flat", {detail: [now, before]}))

// onChange calls act(flat, before) for each flat that this page updates, until the signal aborts.
export const onChange = (act, signal) => addEventListener("flat", ({detail}) => act(...detail), {signal})

// ignoredFields has the fields that stateOf ignores: the text, which lists lack, and times that this page does not know
// after its own decisions.
const ignoredFields = ["text", "status_since", "contacted_since"]

// stateOf returns a text for the state of flats. The text changes only if the service says something new about the
// flats or this page changes them. The order of fields and fields without a value do not count, because answers differ
// in them.
export const stateOf = ids => JSON.stringify(ids.map(id => {
	const members = ordered(flats.get(id)) ?? []
	return members.filter(([name]) => !ignoredFields.includes(name))
}))

// ordered returns a JSON value with objects as sorted lists of [name, member], without empty members.
function ordered(value) {
	if (value === null || typeof value !== "object") return value
	if (Array.isArray(value)) return value.map(ordered)
	return Object.entries(value).map(([name, member]) => [name, ordered(member)])
		.filter(([, member]) => member != null && member.length !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
}

// find requests the flats of a query, remembers them and promises {flats, total, counts, tag, asOf}. query comes from
// queryOf, more has additional parameters by name, options go to call. With the option since, a tag, it promises null
// if the answer still has this tag.
export async function find(query, more = {}, options = {}) {
	const isOutdated = outdatedTest()
	const answer = await look(query, more, options)
	const isOld = flat => flats.has(keyOf(flat)) && isOutdated(keyOf(flat)) // then the answer only fills gaps
	const toKnown = flat => (isOld(flat) ? {...flat, ...flats.get(keyOf(flat))} : remember(flat, answer.asOf))
	return answer && {...answer, flats: answer.flats.map(toKnown)}
}

// outdatedTest is to be called before a request is sent. It returns a function of the id of a flat. Once the answer has
// come, the function reports whether the flat in the answer may be older than a change of the flat on this page.
export function outdatedTest() {
	const sent = new Map(kept.updates)
	const waitingIds = new Set(waiting().map(({id}) => id))
	return id => waitingIds.has(id) || kept.updates.get(id) !== sent.get(id) || waitingFor(id).length > 0
}

// look is like find but does not change flats, so that the page can compare the flats that it shows with the service's.
// If the worker kept the answer (asOf), or changes are being sent, look adds the changes that the answer lacks. While
// changes are being sent it returns no tag, because the service's answer will change.
export async function look(query, more = {}, options = {}) {
	const path = findPath(query, more)
	const answer = await call(path, options).catch(error => searchOffline(path, error, options.signal))
	if (!answer) return null
	const found = {...answer, flats: answer.data}
	const mayLackChanges = !found.asOf && kept.underWay.size > 0
	if (!found.asOf && !mayLackChanges) return found
	const changes = found.asOf ? waiting() : waiting().filter(isUnderWay)
	const {withChanges} = await import("./pending.js")
	const completed = await withChanges(changes, found, new URLSearchParams(path.slice("find?".length)), knownFlat)
	return {...completed, tag: mayLackChanges ? null : found.tag}
}

// searchOffline handles the failure of a request. For the first page of a search without a network, it promises results
// from the kept flats; it rethrows any other error.
async function searchOffline(path, error, signal) {
	const query = new URLSearchParams(path.slice("find?".length))
	const isFirstPageOfSearch = query.has("q") && !(query.get("page[number]") > 0)
	if (error.status !== 0 || !isFirstPageOfSearch) throw error
	const {searchKept} = await import("./keptsearch.js")
	const found = await searchKept(query)
	signal?.throwIfAborted() // the view was left
	if (!found) throw error
	dispatchEvent(new CustomEvent("answer", {detail: found.asOf}))
	return found
}

// knownFlat promises a known flat, or requests it if no view has shown it since the page was opened.
async function knownFlat(id) {
	const known = flats.get(id)
	return known && "title" in known ? known : getFlat(id).catch(() => known)
}

const largestPage = 1000 // flats: a single answer with 100,000 would take too long

// findAll promises all flats of a query, which ask (find or look) requests page by page.
export async function findAll(query, more, options, ask = find) {
	const found = new Map() // by id: pages overlap if a flat is added meanwhile
	for (let number = 0; ; number++) {
		const part = await ask(query, {...more, "page[size]": largestPage, "page[number]": number}, options)
		for (const flat of part.flats) found.set(keyOf(flat), flat)
		if ((number + 1) * largestPage >= part.total) return [...found.values()]
	}
}

// getFlat requests a whole flat. With ifChanged it promises null if the flat has not changed since the last answer.
// With online it rejects an answer that the worker kept, and so fails without a network.
export async function getFlat(id, signal, {ifChanged, online} = {}) {
	const sent = kept.updates.get(id)
	// An older answer must not replace the answer to an update. So getFlat waits for the updates being sent, and asks
	// again if another was sent meanwhile.
	await sent?.catch(() => {})
	const answer = await call(flatPath(id), {signal, since: ifChanged && kept.tags.get(id)})
	if (kept.updates.get(id) !== sent) return getFlat(id, signal, {online})
	if (!answer) return null
	if (answer.asOf && online) throw unreached()
	kept.tags.set(id, answer.tag)
	return remember(answer.data, answer.asOf)
}

// update sets fields of a flat and promises the flat as it was before. Updates of one flat are sent one at a time. If
// an update cannot be sent now and isWaitable, it waits in queue.js. Options:
//   match          fail with 412 if the flat has changed since the last answer
//   keepalive      as for call
//   by             the person whom the service stores for the change: the user or, if the change restores a status,
//                  the person who gave the flat that status
//   undoneEntries  the entries in the queue of the changes that this one undoes
//   since          when the flat got the status that the update restores
//   lost           an error: do not try to send, but wait because of it
//   keys           for an update that may not wait: keys by which the service recognizes it if it is sent twice
export const update = (id, fields, options = {}) => inTurn(id, async () => {
	const {match, keepalive, by = me(), since, undoneEntries = [], lost} = options
	const before = flats.get(id)
	const flatToChange = undoneEntries.reduce(withChange, before) // as after the changes that this one undoes
	const canWait = isWaitable(fields)
	const entries = canWait ? entriesOf(id, fields, flatToChange, {by, since}) : []
	const keys = canWait ? entries.map(({key}) => key) : options.keys
	if (canWait && lost) kept.cause = lost
	const isSentNow = !canWait || !lost && !mustWait(id, fields)
	if (isSentNow) {
		try {
			const tag = match && kept.tags.get(id)
			await patchLists(id, fields, flatToChange, {match: tag, keepalive, by, since, keys})
			return before
		} catch (error) {
			if (!canWait || !isLost(error)) throw error
			kept.cause = error
		}
	}
	wait(entries)
	reportChange(remember(before ?? {id}), before)
	return before
})

// updateNow makes changes, [[id, fields, {undoneEntry, by, since}]], as one decision. They show at once and are sent as
// soon as possible. It returns their entries in the queue. undoneEntry is the entry of the change that this one undoes;
// by and since are as for update.
export function updateNow(changes) {
	const decision = Math.random()
	const entries = changes.flatMap(([id, fields, {undoneEntry, by, since} = {}]) => {
		const before = undoneEntry ? withChange(flats.get(id), undoneEntry) : flats.get(id)
		return entriesOf(id, fields, before, {undoneEntry, by, since, decision})
	})
	wait(entries, {isNow: true})
	for (const [id] of changes) {
		const before = flats.get(id)
		reportChange(remember(before), before)
	}
	return entries
}

// inTurn calls act after the updates of a flat that are being sent, and promises the result of act.
export function inTurn(id, act) {
	kept.updates.set(id, Promise.resolve(kept.updates.get(id)).then(act, act))
	return kept.updates.get(id)
}

// patchLists is like patch, but merges fields that are lists (lists.js) into the lists that the service has now. before
// is the flat to which the change was made. If the flat changes in the service meanwhile, patchLists tries again.
async function patchLists(id, fields, before, options, tries = 5) {
	if (!Object.keys(fields).some(isList)) return patch(id, fields, options)
	const {data, tag, asOf} = await call(flatPath(id))
	if (asOf) throw unreached()
	const changes = Object.entries(fields)
		.map(([name, set]) => [name, isList(name) ? mergedList(data[name], before?.[name], set) : set])
	try {
		return await patch(id, Object.fromEntries(changes), {...options, match: tag})
	} catch (error) {
		if (error.status !== 412 || tries === 1) throw error
		return patchLists(id, fields, before, options, tries - 1)
	}
}

// patch sends an update of a flat and remembers the answer. Options:
//   match      fail with 412 if the flat has another tag
//   keepalive  as for call
//   by         as for update; people who have left the config are not sent
//   since      when the flat got the status that the update restores
//   keys       fail with 409 if the service has already had an update with one of these keys
export async function patch(id, fields, {match, keepalive, by, since, keys = []} = {}) {
	const query = new URLSearchParams()
	if (people.includes(by)) query.append("by", by)
	if (since) query.append("status_since", since)
	for (const key of keys) query.append("key", key)
	const path = query.size > 0 ? `${updatePath(id)}&${query}` : updatePath(id)
	const {data, tag} = await call(path, {method: "PATCH", body: JSON.stringify(fields), match, keepalive})
	kept.tags.set(id, tag)
	const before = flats.get(id)
	// The answer lacks the fields that only find returns. They stay, except when and why the flat got a status that is
	// replaced. contacted_since is status_since while the status is "contacted"; the page may have asked for either.
	const {ratings, status, status_since, status_because, contacted_since} = before ?? {}
	const isStatusKept = status === data.status
	const whenAndWhy = isStatusKept ? {status_since, status_because, contacted_since}
		: {status_since: since, contacted_since: since}
	const answered = {...data, ratings, ...whenAndWhy}
	// The answer also lacks who has now set the status or given the rating.
	const withPerson = ["status", "rating"].filter(name => name in fields)
		.reduce((flat, name) => withChange(flat, {name, set: fields[name], by}), answered)
	reportChange(remember(withPerson), before)
}
