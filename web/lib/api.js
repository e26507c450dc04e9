// Requests to the service. call sends any request; findPath, csvURL and feedURL return addresses; places and
// corrections request particular data. flats.js requests flats.

import {kept} from "./kept.js"
import {dataId} from "./service.js"

// base is the address of the API. It is relative to the page, because a proxy may serve the page under any path. It has
// no name and password, which the page's own address may have: fetch refuses such addresses.
export const base = new URL("api/v1/", document.baseURI)
base.username = base.password = ""

// failure makes the error of a failed request. status is the HTTP status, or 0 if there was no answer.
export const failure = (status, text = "") => Object.assign(new Error(text), {status})

// unreached makes the error of a request that did not reach the service. Its member proxy is the status with which a
// proxy answered instead, or 0.
export const unreached = () => Object.assign(failure(0), {proxy: kept.proxy})

// otherFlats is the status with which a service refuses requests for other data than its own.
export const otherFlats = 421

// isLost reports whether a request failed for now: the service cannot be reached, or somebody has to sign in.
export const isLost = ({status}) => [0, 401, 408, otherFlats, 429, 502, 503, 504].includes(status)

// isSilent reports whether a foreign answer comes from a proxy that cannot reach the service. With a 511, a network
// asks to sign in.
const isSilent = status => status >= 500 && status !== 511

// refusals are the statuses with which something between page and service may refuse a request for its path or content.
// foreign then sets onTheWay to the status.
const refusals = [400, 403, 404, 405, 406, 413, 414, 415, 422, 431, 451]

// foreign makes the error for an answer that is not the service's. A proxy may be unable to reach the service; it may
// ask to sign in, by a page or a redirect; or something may refuse this request. Most refusals become a 401, because a
// proxy may refuse for lack of a password.
function foreign({status, statusText}) {
	if (isSilent(status)) return unreached()
	const onTheWay = refusals.includes(status) && status
	const hasReason = [408, 413, 429].includes(status) // takes too long, is too large, comes too often
	if (hasReason) return Object.assign(failure(status, statusText), {onTheWay})
	return onTheWay ? Object.assign(failure(401), {onTheWay}) : signedOut()
}

// signedOut makes the error of a request for which somebody has to sign in, and dispatches "signed-out" for app.js.
function signedOut() {
	dispatchEvent(new Event("signed-out"))
	return failure(401)
}

// call sends a request to a path below api/v1/. It promises the answer, {data, …}, with two members added: tag, its
// ETag, and asOf, the time at which the worker kept it, or null if it comes from the network. It promises null for an
// answer without a body. A failed request rejects with an error as failure makes it; its member wrong has words for
// what is wrong with values, by path. The event "answer" has asOf as its detail; "signed-out" reports a 401. After
// forgetStored (storage.js) no request is sent, as if there were no network: the page may just have been about to send
// what it was told to forget. Options:
//   since      promise null if the answer still has this tag
//   match      fail with 412 if the flat no longer has this tag
//   patience   give up after so many milliseconds, with an error that has isLate
//   keepalive  finish the request even if the page is closed; long bodies are sent without, because browsers
//              refuse more than 64 KB
export async function call(path,
	{method, body, signal, since, match, keepalive, headers = {}, patience = 20_000} = {}) {
	if (kept.isForgotten) throw unreached()
	// A service with other data refuses the request (otherFlats).
	headers["X-Flats"] = dataId
	if (since) headers["If-None-Match"] = since
	if (match) headers["If-Match"] = match
	const timeout = AbortSignal.timeout(patience)
	const until = AbortSignal.any([signal ?? timeout, timeout])
	let cache = "no-cache"
	if (since) cache = "no-store" // the browser's own cache would turn a 304 into a 200
	else if (kept.wasCut) cache = "reload" // the browser's cache may have an answer that was cut
	const isSmall = new Blob([body ?? ""]).size < 60_000
	let response, text
	try {
		response = await fetch(new URL(path, base),
			{method, body, headers, signal: until, cache, redirect: "manual", keepalive: keepalive && isSmall})
		text = await response.text()
	} catch (error) {
		if (signal?.aborted) throw error
		kept.proxy = 0
		throw Object.assign(unreached(), {isLate: timeout.aborted})
	}
	const [tag, asOf, proxy] = ["ETag", "X-Kept", "X-Proxy"].map(name => response.headers.get(name))
	const isForeign = !asOf && !response.headers.has("X-Flats")
	kept.proxy = isForeign && isSilent(response.status) ? response.status : Number(proxy)
	if (isForeign) throw foreign(response)
	if (response.status === 401) throw signedOut()
	dispatchEvent(new CustomEvent("answer", {detail: asOf}))
	// The worker answers with 200 where the service would answer with 304.
	const isUnchanged = response.status === 304 || since && since === tag
	// Only these answers are empty. Others without content have lost it on the way.
	const isEmpty = response.status === 204 && (method === "DELETE" || path === "password")
	if (isUnchanged || isEmpty) return null
	const answer = read(text)
	if (answer?.data) return {...answer, tag, asOf}
	if (response.ok) { // the answer was cut on the way
		kept.wasCut = true
		throw failure(0)
	}
	throw Object.assign(failure(response.status, answer?.error ?? response.statusText), {wrong: answer?.wrong})
}

// read parses JSON, or returns null.
function read(text) {
	try {
		return readJSON(text)
	} catch {
		return null
	}
}

// readJSON parses JSON of the service. JSON.parse would round integers beyond 2^53, such as ids, so integers of 16 and
// more digits become texts. The pattern also matches texts, so that nothing within them changes. sw.js has a copy,
// because it cannot import.
export const readJSON = text => JSON.parse(text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g,
	token => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token)))

// flatPath, updatePath and viewPath return the paths of a flat, of its updates and of a view. The name is a parameter,
// because some proxies refuse paths with an encoded slash.
export const flatPath = id => "flats?" + new URLSearchParams({id})
export const updatePath = id => "flat?" + new URLSearchParams({id})
export const viewPath = name => "views?" + new URLSearchParams({name})

// findPath returns the path of a query. more has additional parameters by name, each with a value or a list of values.
export function findPath(parameters, more) {
	const all = new URLSearchParams(parameters)
	for (const [name, value] of Object.entries(more)) for (const item of [value].flat()) all.append(name, item)
	return "find?" + all
}

// csvURL returns the address of a query's result as CSV.
export const csvURL = parameters => new URL(findPath(parameters, {format: "csv"}), base).href

// corrections promises {said, code} of a flat. said has the listing's own values of corrected fields, by name. code is
// the flat's postal code, or null; the answer of getFlat lacks codes that the service does not know.
export async function corrections(id, signal) {
	const parameters = {"any[id]": id, fields: "corrected", counts: "service_postal_code"}
	const {data, counts} = await call(findPath({}, parameters), {signal})
	const [code] = Object.keys(counts.service_postal_code) // "null" if the flat has none
	return {said: data[0]?.corrected ?? {}, code: code === "null" ? null : code}
}

// places promises the positions of the places to which travel times are computed, by constraint and name:
// {constraint: {name: [latitude, longitude]}}.
export const places = async signal => (await call("time_to_places", {signal})).data

// feedURL returns the address of the calendar feed, with its token if the service has one.
export function feedURL() {
	const {content} = document.querySelector("meta[name=flats-feed-token]")
	return new URL("ics/visits.ics" + (content && "?token=" + encodeURIComponent(content)), base).href
}
