// What several views show of a flat, and how they change it.

import {costPerArea, flats, statuses, statusOf} from "./api.js"
import {h, outward} from "./dom.js"
import {change} from "./notice.js"
import {count, day, money, number, statusName, t} from "./strings.js"

export function facts(flat) {
	const {area, cost, currency, rooms} = flat
	const each = costPerArea(flat)
	return h("ul.facts", h("li.cost", cost == null ? "–" : money(cost, currency)),
		area != null && h("li", number(area) + " m²"), rooms != null && h("li", count(t.n_rooms, rooms)),
		each && h("li.soft", money(each, currency, each < 100 ? 2 : 0) + "/m²"))
}

export const times = flat => Object.entries(flat.service_time_to ?? {})
	.map(([place, to]) => [place, Math.round((to?.time ?? to) / 60)])
	.filter(([, time]) => Number.isFinite(time))
	.map(([place, time]) => [place, time + " min"])

export function about(flat, where = flat.service_postal_code?.name || flat.location, [far] = times(flat)) {
	return h("p.about", where && h("span", where), far && h("span", `${far[1]} → ${far[0]}`), flat.date && h("span", day(flat.date)))
}

export const phoneLink = text => h("a.phone", text, {href: "tel:" + text.replace(/(?!^\+)\D/g, "")})

// mapLink leads to the position that the listing gives, else to its address.
export function mapLink({gps, details, location, service_postal_code: code}) {
	const address = [location, code?.postal_code, code?.name].filter(Boolean).join(" ")
	const at = [gps ?? details?.gps].flat().map(Number)
	const query = at.length === 2 && at.every(Number.isFinite) ? at.join() : address
	return query && outward("https://www.openstreetmap.org/search?query=" + encodeURIComponent(query), location || code?.name || query)
}

// Follow and dismiss are switches: pressed again, they make the flat new.
export const setStatus = (id, status) => change(id, {status}, statusName(status))
export const toggle = (id, status) => setStatus(id, statusOf(flats.get(id)) === status ? "new" : status)

export function flatKey(id, key) {
	if (key === "f") toggle(id, "followed")
	else if (key === "x") toggle(id, "ignored")
	else if (/^[0-5]$/.test(key)) setRating(id, Number(key) || null)
	else return false
	return true
}

const stars = n => `${n == null ? "–" : number(n)} ★`
const setRating = (id, notation) => change(id, {notation}, stars(notation))

// The values to choose from, by their text: what else some flat has, too.
const offered = {status: new Map(statuses.map(status => [status, status])), rating: new Map([null, 1, 2, 3, 4, 5].map(n => [stars(n), n]))}

function choice(kind, text, value, label, act, of) {
	offered[kind].set(text, value)
	return h("select." + kind, {"data-status": of, change: ({target}) => act(offered[kind].get(target.value))},
		label ? {label: `${t[kind]}: ${label}`} : {id: kind},
		[...offered[kind].keys()].map(value => h("option", of ? statusName(value) : value, {value})), {value: text})
}

// In a list, the label of a control says of which flat it is.
export function choices(id, label) {
	const flat = flats.get(id)
	return [choice("status", statusOf(flat), flat.status, label, status => setStatus(id, status), statusOf(flat)),
		choice("rating", stars(flat.notation), flat.notation, label, rating => setRating(id, rating))]
}

// matcher finds a word as the search does, whatever its case, accents, plural.
export function matcher(q = "") {
	const words = q.replace(/-\S+|\bOR\b|\b[a-z_]+:/g, " ").match(word)?.map(fold)
	return words && (text => words.includes(fold(text)))
}

const word = /[\p{L}\p{N}\p{M}]+/gu
const fold = text => text.toLowerCase().normalize("NFD").replace(/\p{M}|(?<=..)[sx]$/gu, "").replace("ß", "ss")

// Of a long text, marked shows what surrounds the first word.
export function marked(text, matches, most = Infinity) {
	text ??= ""
	const found = matches ? [...text.matchAll(word)].filter(([word]) => matches(word)) : []
	let at = found[0]?.index > most / 2 ? text.indexOf(" ", found[0].index - most / 3) + 1 : 0
	const end = at + most
	const nodes = [at > 0 && "… "]
	for (const {0: word, index} of found) {
		if (index > end) break
		nodes.push(text.slice(at, index), h("mark", word))
		at = index + word.length
	}
	return [nodes, text.slice(at, end), text.length > end && "…"]
}
