// What is said to the server, by relative addresses: a proxy may have a path.

import {ranges} from "./state.js"
import {instant} from "./strings.js"

const base = new URL("api/v1/", document.baseURI)

export const statuses = ["new", "followed", "contacted", "visited", "ignored", "duplicate", "user_deleted"]

// flats holds what was last heard of each flat, by the text of its id.
export const flats = new Map()
export const keyOf = flat => String(flat.id)
const remember = flat => flats.set(keyOf(flat), flat) && flat

// A status may be any JSON value; its compact text stands for it.
export const statusOf = ({status}) => (typeof status === "string" ? status : JSON.stringify(status ?? null))

async function call(path, given, method, body) {
	const signal = given ?? AbortSignal.timeout(20_000) // a stairwell has no network
	let response, answer
	try {
		response = await fetch(new URL(path, base), {method, body: body && JSON.stringify(body), signal})
		// Ids that a double cannot hold become text. In a string, quotes are escaped.
		answer = JSON.parse((await response.text()).replace(/\{"id":(-?\d{16,})/g, '{"id":"$1"'))
	} catch (error) {
		if (given?.aborted) throw error // nobody waits for this answer any more
	}
	if (answer?.data) return {data: answer.data, headers: response.headers}
	throw Object.assign(new Error(answer?.error), {status: response?.status ?? 0})
}

export async function page({q, status, constraint, sort = "cost"}, number, size, signal) {
	const params = new URLSearchParams({"page[size]": size, "page[number]": number, sort})
	if (status) params.set("filter[status]", status)
	if (constraint) params.set("filter[service_constraint]", constraint)
	const {data, headers} = await (q ? call("search?" + params, signal, "POST", {query: q}) : call("flats?" + params, signal))
	return {flats: data.map(remember), total: Number(headers.get("X-Total-Count"))}
}

export const getFlat = async id => remember((await call("flats/" + encodeURIComponent(id))).data)
export const constraints = async () => Object.keys((await call("time_to_places")).data)

// onChange calls act(flat, before) for each flat that was updated here.
const changed = new EventTarget()
export const onChange = (act, signal) => changed.addEventListener("change", ({detail}) => act(...detail), {signal})

// One update of a flat must not overtake another.
const queues = {}

export function patch(id, fields) {
	const send = async () => {
		const before = flats.get(id) ?? {}
		const flat = remember((await call("flat/" + encodeURIComponent(id), null, "PATCH", fields)).data)
		changed.dispatchEvent(new CustomEvent("change", {detail: [flat, before]}))
	}
	return (queues[id] = Promise.resolve(queues[id]).then(send, send))
}

export function feedURL() {
	const {content} = document.querySelector("meta[name=flats-feed-token]")
	return new URL("ics/visits.ics" + (content && "?token=" + encodeURIComponent(content)), base).href
}

// The rest is what a query finds. The API has no ranges, no cost per area, and
// puts no visit first: there, all its flats are looked through.

const size = 50
const apiSorts = {cost: "cost", area: "-area", date: "-date", notation: "-notation"}

export const costPerArea = ({cost, area}) => cost > 0 && area > 0 ? cost / area : null

function sortKey(flat, sort) {
	const value = sort === "per_area" ? costPerArea(flat) : /date/.test(sort) ? instant(flat[sort]) : flat[sort]
	return value && apiSorts[sort]?.startsWith("-") ? -value : value
}

// What is not known is in no range.
const inRange = ({max_cost = Infinity, min_area = 0, min_rooms = 0}) => ({cost, area, rooms}) =>
	(cost ?? Infinity) <= max_cost && area >= min_area && rooms >= min_rooms

let held = {} // all flats of one query: ids alone, as flats may change

async function everything({q, constraint}, signal) {
	const key = q + "\n" + constraint
	if (held.key !== key || Date.now() - held.at > 60_000) {
		const ids = new Set() // pages overlap where a flat comes in between
		let number = 0, part
		do {
			part = await page({q, constraint}, number++, 500, signal)
			part.flats.forEach(flat => ids.add(keyOf(flat)))
		} while (part.flats.length === 500)
		held = {key, ids: [...ids], at: Date.now()}
	}
	return held.ids.map(id => flats.get(id))
}

export class Results {
	constructor(query) {
		this.query = {sort: "cost", ...query}
		this.done = false
		this.ids = [] // of the flats given out, in order
		this.touched = 0 // how many of them may have moved since
		const abort = new AbortController() // late answers are dropped
		this.stop = () => abort.abort()
		this.signal = abort.signal
		this.ranged = ranges.some(name => query[name])
		this.local = this.ranged || !apiSorts[this.query.sort] || (query.status && !statuses.includes(query.status))
		onChange(() => this.touched++, this.signal)
	}

	has = flat => !this.query.status || statusOf(flat) === this.query.status

	// A piece begins where the one before ended.
	more = () => (this.turn = Promise.resolve(this.turn).then(this.find, this.find))

	find = async () => {
		const found = this.done ? [] : await (this.local ? this.moreLocal() : this.morePages())
		this.ids.push(...found.map(keyOf))
		return found
	}

	// Where flats have left or moved, pages begin earlier; what was seen is skipped.
	async morePages() {
		const seen = new Set(this.ids)
		for (let number = Math.floor(Math.max(0, seen.size - this.touched) / size); ; number++) {
			const part = await page({...this.query, sort: apiSorts[this.query.sort]}, number, size, this.signal)
			this.total = part.total
			this.done = (number + 1) * size >= part.total
			const found = part.flats.filter(flat => !seen.has(keyOf(flat)))
			if (found.length || this.done) return found
		}
	}

	async moreLocal() {
		if (!this.all) {
			const keyed = (await this.inRange()).filter(this.has).map(flat => [sortKey(flat, this.query.sort), keyOf(flat)])
			// What is unknown comes last: nobody looks for it.
			this.all = keyed.sort(([a], [b]) => (a == null) - (b == null) || a - b).map(([, id]) => id)
			this.total = keyed.length
		}
		const end = this.ids.length + size
		this.done = end >= this.all.length
		return this.all.slice(end - size, end).map(id => flats.get(id))
	}

	inRange = async () => (await everything(this.query, this.signal)).filter(inRange(this.query))

	// Only where the planned statuses leave a rest are all flats looked through.
	async counts() {
		const counts = Object.fromEntries(["", ...statuses].map(status => [status, 0]))
		if (!this.ranged) {
			const {q, constraint} = this.query
			await Promise.all(Object.keys(counts).map(async status =>
				(counts[status] = (await page({q, constraint, status}, 0, 1, this.signal)).total)))
			if (statuses.reduce((rest, status) => rest - counts[status], counts[""]) === 0) return counts
		}
		const all = await this.inRange()
		for (const status in counts) counts[status] = status ? 0 : all.length
		for (const flat of all) counts[statusOf(flat)] = (counts[statusOf(flat)] ?? 0) + 1
		return counts
	}
}
