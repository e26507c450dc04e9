// What is said to the server, by relative addresses: a proxy may have a path.

const base = new URL("api/v1/", document.baseURI)

/** A Failure is an answer that is an error, or with the status 0 no answer. */
export class Failure extends Error {
	constructor(status, text) {
		super(text)
		this.status = status
	}
}

/** flats holds what was last heard of each flat, by the text of its id. */
export const flats = new Map()
export const keyOf = flat => String(flat.id)

// Rows may hold some fields alone.
function remember(flat) {
	const key = keyOf(flat)
	flats.set(key, {...flats.get(key), ...flat})
	return flats.get(key)
}

/** statusOf is the compact text of a status, which may be any JSON value. */
export const statusOf = ({status}) => (typeof status === "string" ? status : JSON.stringify(status ?? null))

// Entity tags of single flats, for If-Match.
const tags = new Map()

/**
 * call asks for a path under api/v1/ and gives {data, body, tag, asOf}: asOf is
 * when the answer was kept, where there is no network and the service worker
 * had one. A tag in options.since makes the answer null where nothing changed;
 * options.patience is in milliseconds.
 */
export async function call(path, {method, body, signal, since, match, headers = {}, patience = 20_000} = {}) {
	if (since) headers["If-None-Match"] = since
	if (match) headers["If-Match"] = match
	const timeout = AbortSignal.timeout(patience) // a stairwell has no network
	const until = signal ? AbortSignal.any([signal, timeout]) : timeout
	let response, text
	try {
		// With a tag of one's own, the browser's cache would hide the 304.
		const cache = since ? "no-store" : "no-cache"
		response = await fetch(new URL(path, base), {method, body, headers, signal: until, cache})
		text = await response.text()
	} catch (error) {
		if (signal?.aborted) throw error // nobody waits for this answer any more
		throw new Failure(0, "")
	}
	if (response.status === 304) return null
	const answer = read(text)
	if (!response.ok || answer?.data === undefined)
		throw new Failure(response.status, answer?.error ?? response.statusText)
	online(response.headers.get("X-Kept"))
	return {data: answer.data, body: answer, tag: response.headers.get("ETag"), asOf: response.headers.get("X-Kept")}
}

// Ids that a double cannot hold become text. In a string, quotes are escaped.
function read(text) {
	try {
		return JSON.parse(text.replace(/\{"id":(-?\d{16,})/g, '{"id":"$1"'))
	} catch {
		return null
	}
}

/**
 * find asks GET /api/v1/find: parameters are those of parametersOf, more is what
 * a view adds ({"page[size]": 50, counts: "status"}; a list is repeated). It
 * gives {flats, total, counts, tag, asOf}, or null where nothing changed since.
 */
export async function find(parameters, more = {}, options = {}) {
	const answer = await call("find?" + findQuery(parameters, more), options)
	if (!answer) return null
	const {total, counts} = answer.body
	return {flats: answer.data.map(remember), total, counts, tag: answer.tag, asOf: answer.asOf}
}

function findQuery(parameters, more) {
	const all = new URLSearchParams(parameters)
	for (const [name, value] of Object.entries(more)) {
		all.delete(name)
		for (const item of [value].flat()) if (item != null) all.append(name, item)
	}
	return all
}

/** findAll gives all flats that parameters name, by pages: an answer of 100,000 is too long to wait for. */
export async function findAll(parameters, more = {}, options = {}) {
	const size = 1000
	const found = new Map() // pages overlap where a flat comes in between
	for (let number = 0; ; number++) {
		const part = await find(parameters, {...more, "page[size]": size, "page[number]": number}, options)
		for (const flat of part.flats) found.set(keyOf(flat), flat)
		if ((number + 1) * size >= part.total) return [...found.values()]
	}
}

/** csvURL is where the flats of some parameters are to be had as CSV. */
export const csvURL = parameters => new URL("find?" + findQuery(parameters, {format: "csv"}), base).href

/**
 * getFlat reads a flat. With {changed: true} it gives null where the flat is as
 * it was last read, and with {kept: false} it fails where there is no network.
 */
export async function getFlat(id, signal, {changed = false, kept = true} = {}) {
	const key = String(id)
	const answer = await call("flats/" + encodeURIComponent(id), {signal, since: changed ? tags.get(key) : null})
	if (!answer) return null
	if (answer.asOf && !kept) throw new Failure(0, "")
	tags.set(key, answer.tag)
	return remember(answer.data)
}

/** places gives the places of each search area, by their names. */
export const places = async signal => (await call("time_to_places", {signal})).data

const changed = new EventTarget()

/** onChange calls act(flat, before) for each flat that is updated here, until the signal. */
export const onChange = (act, signal) => changed.addEventListener("change", ({detail}) => act(...detail), {signal})

// One update of a flat must not overtake another.
const queues = new Map()

/**
 * update sets fields of a flat and gives it back. With {match: true} it fails
 * with status 412 where the flat is not as it was last read here.
 */
export function update(id, fields, {match = false} = {}) {
	const send = async () => {
		const before = flats.get(id) ?? {}
		const {data, tag} = await call("flat/" + encodeURIComponent(id),
			{method: "PATCH", body: JSON.stringify(fields), match: match ? tags.get(id) : null})
		tags.set(id, tag)
		const flat = remember(data)
		changed.dispatchEvent(new CustomEvent("change", {detail: [flat, before]}))
		return flat
	}
	const turn = Promise.resolve(queues.get(id)).then(send, send)
	queues.set(id, turn)
	return turn
}

const network = new EventTarget()
let kept = null

// Answers tell whether there is a network.
function online(asOf) {
	if (kept === asOf) return
	kept = asOf
	network.dispatchEvent(new CustomEvent("change", {detail: asOf}))
}

/**
 * onNetwork calls act(asOf) as answers begin to come from what was kept at that
 * time, and with null as they no longer do.
 */
export const onNetwork = act => network.addEventListener("change", ({detail}) => act(detail))

/** feedURL is the address of the calendar feed, with its token where it needs one. */
export function feedURL() {
	const {content} = document.querySelector("meta[name=flats-feed-token]")
	return new URL("ics/visits.ics" + (content && "?token=" + encodeURIComponent(content)), base).href
}
