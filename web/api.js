// What is said to the server. Addresses are relative: a proxy may have a path.

const base = new URL("api/v1/", document.baseURI)

// What was last heard of each flat, by the text of its id.
export const flats = new Map()
export const keyOf = flat => String(flat.id)
const tags = new Map() // for If-Match
const queues = new Map() // one update of a flat must not overtake another

// Rows with some of the fields, never the text, add to what is known.
function remember(flat) {
	const known = "text" in flat ? flat : {...flats.get(keyOf(flat)), ...flat}
	flats.set(keyOf(flat), known)
	return known
}

// A status may be any JSON value; this is its text.
export const statusOf = ({status}) => (typeof status === "string" ? status : JSON.stringify(status ?? null))

const dispatch = (name, detail) => dispatchEvent(new CustomEvent(name, {detail}))

// onChange calls act(flat, before) for each flat that is updated here, until the signal.
export const onChange = (act, signal) => addEventListener("flat", ({detail}) => act(...detail), {signal})

// The status is 0 where there was no answer.
const failure = (status, text = "") => Object.assign(new Error(text), {status})

// call gives the answer of a path under api/v1/ with its tag and, without a network, asOf: when it
// was kept; null where nothing changed since a tag. The event "answer" tells asOf, too.
export async function call(path, {method, body, signal, since, match, headers = {}, patience = 20_000} = {}) {
	if (since) headers["If-None-Match"] = since
	if (match) headers["If-Match"] = match
	const timeout = AbortSignal.timeout(patience)
	const until = AbortSignal.any([signal ?? timeout, timeout])
	const cache = since ? "no-store" : "no-cache" // the browser's would hide a 304
	let response, text
	try {
		response = await fetch(new URL(path, base), {method, body, headers, signal: until, cache})
		text = await response.text()
	} catch (error) {
		throw signal?.aborted ? error : failure(0)
	}
	const [tag, asOf] = ["ETag", "X-Kept"].map(name => response.headers.get(name))
	dispatch("answer", asOf)
	if (response.status === 304 || since && since === tag) return null // the worker knows no 304
	const answer = read(text)
	if (!answer?.data) throw failure(response.status, answer?.error ?? response.statusText)
	return {...answer, tag, asOf}
}

// Ids that a double cannot hold become text. In a string, quotes are escaped.
function read(text) {
	try {
		return JSON.parse(text.replace(/\{"id":(-?\d{16,})/g, '{"id":"$1"'))
	} catch {
		return null
	}
}

function findPath(parameters, more) {
	const all = new URLSearchParams(parameters)
	for (const [name, value] of Object.entries(more)) for (const item of [value].flat()) all.append(name, item)
	return "find?" + all
}

// find gives {flats, total, counts, tag, asOf}, or null.
export async function find(parameters, more = {}, options = {}) {
	const answer = await call(findPath(parameters, more), options)
	return answer && {...answer, flats: answer.data.map(remember)}
}

// By pages: 100,000 in one answer take too long.
export async function findAll(parameters, more, options) {
	const found = new Map() // pages overlap where a flat comes in
	for (let number = 0; ; number++) {
		const part = await find(parameters, {...more, "page[size]": 1000, "page[number]": number}, options)
		for (const flat of part.flats) found.set(keyOf(flat), flat)
		if ((number + 1) * 1000 >= part.total) return [...found.values()]
	}
}

export const csvURL = parameters => new URL(findPath(parameters, {format: "csv"}), base).href

// getFlat gives null where it must have changed and has not. Not kept, it fails without a network.
export async function getFlat(id, signal, {changed, kept = true} = {}) {
	const sent = queues.get(id)
	await sent?.catch(() => {}) // an update must not be older than the answer, nor newer
	const answer = await call("flats/" + encodeURIComponent(id), {signal, since: changed && tags.get(id)})
	if (queues.get(id) !== sent) return getFlat(id, signal, {kept})
	if (!answer) return null
	if (answer.asOf && !kept) throw failure(0)
	tags.set(id, answer.tag)
	return remember(answer.data)
}

// The places of each search area, by name.
export const places = async signal => (await call("time_to_places", {signal})).data

// update sets fields of a flat and gives what it was. With match it fails (412) where that has changed.
export function update(id, fields, {match} = {}) {
	const send = async () => {
		const before = flats.get(id)
		const {data, tag} = await call("flat/" + encodeURIComponent(id),
			{method: "PATCH", body: JSON.stringify(fields), match: match && tags.get(id)})
		tags.set(id, tag)
		dispatch("flat", [remember(data), before])
		return before
	}
	queues.set(id, Promise.resolve(queues.get(id)).then(send, send))
	return queues.get(id)
}

export function feedURL() {
	const {content} = document.querySelector("meta[name=flats-feed-token]")
	return new URL("ics/visits.ics" + (content && "?token=" + encodeURIComponent(content)), base).href
}
