// Requests to the service. call sends any of them; findPath, csvURL and feedURL return addresses; places and
// corrections request what is not a flat. flats.js requests flats.

import {kept} from "./kept.js"
import {dataId} from "./service.js"

// base is relative to the page, because a proxy may serve the page under any path. The page's address may have a name
// and a password, with which fetch refuses an address.
export const base = new URL("api/v1/", document.baseURI)
base.username = base.password = ""

// failure makes the error that a failed request throws. Its status is 0 if there was no answer.
export const failure = (status, text = "") => Object.assign(new Error(text), {status})

// unreached makes the error for a request that did not reach the service. Its proxy is the status with which a proxy
// answered in place of the service, or 0 if there was no answer.
export const unreached = () => Object.assign(failure(0), {proxy: kept.proxy})

// The status of an answer if other flats than those of the page are at its address by now.
export const otherFlats = 421

// isLost reports whether a request failed because the service could not be reached, or somebody has to sign in.
export const isLost = ({status}) => [0, 401, 408, otherFlats, 429, 502, 503, 504].includes(status)

// isSilent reports whether an answer that is not the service's is that of a proxy that cannot reach the service.
const isSilent = status => status >= 500 && status !== 511

// The statuses with which something on the way may refuse one request because of its path or its text. A foreign error
// has such a one as onTheWay.
const refusals = [400, 403, 404, 405, 406, 413, 414, 415, 422, 431, 451]

// foreign makes the error for an answer that is not the service's. It is that of a proxy, which cannot reach the
// service, or where somebody has to sign in: a page for that, a redirect to one, or a refusal.
function foreign({status, statusText}) {
	if (isSilent(status)) return unreached()
	const onTheWay = refusals.includes(status) && status
	if ([408, 413, 429].includes(status)) return Object.assign(failure(status, statusText), {onTheWay})
	return onTheWay ? Object.assign(failure(401), {onTheWay}) : signedOut()
}

// signedOut makes the error of a request that needs somebody to sign in. The event "signed-out" tells app.js.
function signedOut() {
	dispatchEvent(new Event("signed-out"))
	return failure(401)
}

// call sends a request to a path below api/v1/ and returns the answer, {data, …}, with two members
// added: tag, its ETag, and asOf, the time at which the worker kept it if it does not come from the
// network, else null. An answer without a body is null. A refusal may say what is wrong, by the path of each value. The
// event "answer" tells app.js asOf, "signed-out" that there was a 401. Options:
//   since      return null if the answer still has this tag
//   match      fail with 412 if the flat no longer has this tag
//   patience   milliseconds until the request is given up, with an error that isLate
//   keepalive  go on after the page is closed; the browser refuses that beyond 64 KB at a time, so a long body
//              is sent without it
export async function call(path,
	{method, body, signal, since, match, keepalive, headers = {}, patience = 20_000} = {}) {
	// A service with other data refuses the request. No browser asks for a password by itself.
	headers["X-Flats"] = dataId
	if (since) headers["If-None-Match"] = since
	if (match) headers["If-Match"] = match
	const timeout = AbortSignal.timeout(patience)
	const until = AbortSignal.any([signal ?? timeout, timeout])
	// With its own cache, the browser would hide a 304.
	const cache = since ? "no-store" : kept.wasCut ? "reload" : "no-cache"
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
	// Any other answer without content was emptied on the way.
	const isEmpty = response.status === 204 && (method === "DELETE" || path === "password")
	if (isUnchanged || isEmpty) return null
	const answer = read(text)
	if (answer?.data) return {...answer, tag, asOf}
	kept.wasCut ||= response.ok
	if (response.ok) throw failure(0)
	throw Object.assign(failure(response.status, answer?.error ?? response.statusText), {wrong: answer?.wrong})
}

// read parses JSON, or returns null. JSON.parse would round an integer id beyond 2^53, so ids of 16 and more digits
// become strings first. The pattern finds nothing within strings, where quotes are escaped.
function read(text) {
	try {
		return JSON.parse(text.replace(/\{"id":(-?\d{16,})/g, '{"id":"$1"'))
	} catch {
		return null
	}
}

// flatPath and updatePath return the paths of a flat and of its updates, viewPath that of a view. Names are parameters,
// because some proxies refuse a path in which a slash is encoded.
export const flatPath = id => "flats?" + new URLSearchParams({id})
export const updatePath = id => "flat?" + new URLSearchParams({id})
export const viewPath = name => "views?" + new URLSearchParams({name})

// findPath returns the path of a query with further parameters, more, by name. A value of more may be a list.
export function findPath(parameters, more) {
	const all = new URLSearchParams(parameters)
	for (const [name, value] of Object.entries(more)) for (const item of [value].flat()) all.append(name, item)
	return "find?" + all
}

// csvURL returns the address of a query as CSV.
export const csvURL = parameters => new URL(findPath(parameters, {format: "csv"}), base).href

// corrections returns {said, code}: what the listing says about the corrected fields, by name, and the postal code
// of the flat, which getFlat returns only if the service knows it.
export async function corrections(id, signal) {
	const parameters = {"any[id]": id, fields: "corrected", counts: "service_postal_code"}
	const {data, counts} = await call(findPath({}, parameters), {signal})
	const [code] = Object.keys(counts.service_postal_code)
	return {said: data[0]?.corrected ?? {}, code: code === "null" ? null : code}
}

// places returns the places of each constraint, {constraint: {place: [latitude, longitude]}}.
export const places = async signal => (await call("time_to_places", {signal})).data

// feedURL returns the address of the calendar feed, with its token if the service has one.
export function feedURL() {
	const {content} = document.querySelector("meta[name=flats-feed-token]")
	return new URL("ics/visits.ics" + (content && "?token=" + encodeURIComponent(content)), base).href
}
