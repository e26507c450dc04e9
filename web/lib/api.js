// The API of the service, and the flats that it has returned.
//
// call sends any request; find, look, findAll, getFlat, corrections and places read, update writes, and leaves to
// queue.js what has to wait, which askFlat, patch and inTurn are for. flats has what is known of each flat;
// onChange reports updates made on this page. keyOf and statusOf read a flat's id and status; csvURL and
// feedURL return addresses for links.

import {isLost, isWaitable, mustWait, wait, withAllWaiting, withWaiting} from "./queue.js"

// base is relative to the page, because a proxy may serve the page below any path.
const base = new URL("api/v1/", document.baseURI)

// flats has what is known of each flat, by the text of its id. All views read it.
export const flats = new Map()

// keyOf returns the text of a flat's id, which may be a number. Two ids with the same text are one flat.
export const keyOf = flat => String(flat.id)

const tags = new Map() // the ETag of each whole flat, for If-Match
const queues = new Map() // the last update of each flat, for which the next one waits

// remember stores a flat and returns what is now known of it, with the changes that wait to be sent. A flat
// with a text is whole and replaces what was known. A row of a list has some of the fields, never the text, and
// is added to what was known.
function remember(flat) {
	const known = withWaiting("text" in flat ? flat : {...flats.get(keyOf(flat)), ...flat})
	flats.set(keyOf(flat), known)
	return known
}

// statusOf returns the status of a flat as text; the API allows any JSON value there.
export const statusOf = ({status}) => (typeof status === "string" ? status : JSON.stringify(status ?? null))

const dispatch = (name, detail) => dispatchEvent(new CustomEvent(name, {detail}))

// onChange calls act(flat, before) for each flat that this page updates, until the signal aborts.
export const onChange = (act, signal) => addEventListener("flat", ({detail}) => act(...detail), {signal})

// failure makes the error that the requests here throw. Its status is 0 if there was no answer.
const failure = (status, text = "") => Object.assign(new Error(text), {status})

// call sends a request to a path below api/v1/ and returns the answer, {data, …}, with two members
// added: tag, its ETag, and asOf, the time at which the worker kept it if it does not come from the
// network, else null. An answer without a body is null. The event "answer" tells app.js asOf. Options:
//   since      return null if the answer still has this tag
//   match      fail with 412 if the flat no longer has this tag
//   patience   milliseconds until the request is given up
export async function call(path, {method, body, signal, since, match, headers = {}, patience = 20_000} = {}) {
	if (since) headers["If-None-Match"] = since
	if (match) headers["If-Match"] = match
	const timeout = AbortSignal.timeout(patience)
	const until = AbortSignal.any([signal ?? timeout, timeout])
	const cache = since ? "no-store" : "no-cache" // with its own cache, the browser would hide a 304
	let response, text
	try {
		response = await fetch(new URL(path, base), {method, body, headers, signal: until, cache})
		text = await response.text()
	} catch (error) {
		throw signal?.aborted ? error : failure(0)
	}
	const [tag, asOf] = ["ETag", "X-Kept"].map(name => response.headers.get(name))
	dispatch("answer", asOf)
	if ([204, 304].includes(response.status) || since && since === tag) return null // the worker answers 200
	const answer = read(text)
	if (!answer?.data) throw failure(response.status, answer?.error ?? response.statusText)
	return {...answer, tag, asOf}
}

// read parses JSON, or returns null. JSON.parse would round an integer id beyond 2^53, so ids of 16 and
// more digits become strings first. The pattern finds nothing within strings, where quotes are escaped.
function read(text) {
	try {
		return JSON.parse(text.replace(/\{"id":(-?\d{16,})/g, '{"id":"$1"'))
	} catch {
		return null
	}
}

// findPath returns the path of a search. A value of more may be a list.
function findPath(parameters, more) {
	const all = new URLSearchParams(parameters)
	for (const [name, value] of Object.entries(more)) for (const item of [value].flat()) all.append(name, item)
	return "find?" + all
}

// find searches the flats and returns {flats, total, counts, tag, asOf}, or null if nothing has
// changed since the tag in options. parameters are those of parametersOf, more has further ones by
// name, options are those of call.
export async function find(parameters, more = {}, options = {}) {
	const answer = await look(parameters, more, options)
	return answer && {...answer, flats: answer.flats.map(remember)}
}

// look searches as find does, but what is known of the flats stays as it is. So the page can compare what it
// shows with what the service has. An answer that the worker kept is completed by what was changed since.
export async function look(parameters, more = {}, options = {}) {
	const path = findPath(parameters, more)
	const answer = await call(path, options)
	const found = answer && {...answer, flats: answer.data}
	return found?.asOf ? withAllWaiting(found, new URLSearchParams(path.slice("find?".length)), knownFlat) : found
}

// knownFlat returns what is known of a flat. One that no view has shown since the page was opened is asked for.
async function knownFlat(id) {
	const known = flats.get(id)
	return known && "title" in known ? known : getFlat(id).catch(() => known)
}

// findAll returns all flats of a search, by find or look. It asks for 1,000 at a time, because one answer with
// 100,000 takes too long.
export async function findAll(parameters, more, options, ask = find) {
	const found = new Map() // pages overlap where a flat comes in meanwhile
	for (let number = 0; ; number++) {
		const part = await ask(parameters, {...more, "page[size]": 1000, "page[number]": number}, options)
		for (const flat of part.flats) found.set(keyOf(flat), flat)
		if ((number + 1) * 1000 >= part.total) return [...found.values()]
	}
}

// csvURL returns the address of a search as CSV.
export const csvURL = parameters => new URL(findPath(parameters, {format: "csv"}), base).href

// getFlat asks for a whole flat and returns it. With changed it returns null if the flat has not changed
// since the last answer. With kept false it refuses an answer that the worker kept, and so fails without
// a network.
export async function getFlat(id, signal, {changed, kept = true} = {}) {
	const sent = queues.get(id)
	// An answer from before an update must not replace the answer to the update. So this waits for the
	// updates under way, and asks again if another was sent meanwhile.
	await sent?.catch(() => {})
	const answer = await call("flats/" + encodeURIComponent(id), {signal, since: changed && tags.get(id)})
	if (queues.get(id) !== sent) return getFlat(id, signal, {kept})
	if (!answer) return null
	if (answer.asOf && !kept) throw failure(0)
	tags.set(id, answer.tag)
	return remember(answer.data)
}

// corrections returns {said, code}: what the listing says of the fields that the user has corrected, by name,
// and the postal code of the flat, which getFlat returns only if the service knows the code.
export async function corrections(id, signal) {
	const parameters = {"any[id]": id, fields: "corrected", counts: "service_postal_code"}
	const {data, counts} = await call(findPath({}, parameters), {signal})
	const [code] = Object.keys(counts.service_postal_code)
	return {said: data[0]?.corrected ?? {}, code: code === "null" ? null : code}
}

// places returns the places of each search area, {area: {place: [latitude, longitude]}}.
export const places = async signal => (await call("time_to_places", {signal})).data

// update sets fields of a flat and returns the flat as it was before. With match it fails with 412
// if the flat has changed since the last answer. Updates of one flat are sent one at a time. An update that
// may wait, and cannot be sent now, waits.
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
	dispatch("flat", [remember(before ?? {id}), before])
	return before
})

// inTurn calls act once the updates of a flat that are under way are done.
export function inTurn(id, act) {
	queues.set(id, Promise.resolve(queues.get(id)).then(act, act))
	return queues.get(id)
}

// patch sends an update of a flat.
export async function patch(id, fields, match) {
	const {data, tag} = await call("flat/" + encodeURIComponent(id),
		{method: "PATCH", body: JSON.stringify(fields), match: match && tags.get(id)})
	tags.set(id, tag)
	const before = flats.get(id)
	dispatch("flat", [remember(data), before])
}

// askFlat returns a flat as the service has it now, without the changes that wait.
export async function askFlat(id) {
	const {data, tag, asOf} = await call("flats/" + encodeURIComponent(id))
	if (asOf) throw failure(0)
	tags.set(id, tag)
	const before = flats.get(id) ?? data
	const now = remember(data)
	if (JSON.stringify(now) !== JSON.stringify(before)) dispatch("flat", [now, before])
	return data
}

// feedURL returns the address of the calendar feed, with its token if the service has one.
export function feedURL() {
	const {content} = document.querySelector("meta[name=flats-feed-token]")
	return new URL("ics/visits.ics" + (content && "?token=" + encodeURIComponent(content)), base).href
}
