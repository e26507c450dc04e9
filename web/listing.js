// What a listing says of a flat, and what follows from it.

import {call, find, keyOf, places} from "./api.js"
import {fill, h, outward, svg} from "./dom.js"
import {clock, costPerArea, count, currencyOf, day, inKilometres, instant, median, minutes, number, percent,
	priceOf, since, t, text, timed, title} from "./format.js"
import {cost, described, facts, flatLink, mapLink, news, phoneLink, photo, photoURLs, place, positionOf, siteOf,
	statusTag, times} from "./parts.js"
import {compareHash} from "./state.js"

// What takes a request comes later, or not.
export function listing(flat, heading, signal, ...more) {
	function later(element, promise) {
		promise.then(children => fill(element, children), () => {})
		return element
	}
	return h("div.listing", gallery(flat), h("div.what", heading, source(flat), facts(flat),
		later(h("p.soft", "\u00a0"), standing(flat, signal)), // keeps its line
		history(flat), h("p.address", address(flat), phoneLink("a", flat)),
		later(h("dl.pairs", waysOf(flat)), places(signal).then(all => waysOf(flat, all[flat.service_constraint]))),
		later(h("div.doubles"), duplicatesOf(flat, signal)), more))
}

function gallery(flat) {
	const all = photoURLs(flat)
	if (all.length === 0) return null
	const frame = h("div.frame")
	const place = h("span", {role: "status"})
	let at = 0

	function turn(by) {
		at = (at + by + all.length) % all.length
		fill(place, `${at + 1} / ${all.length}`)
		fill(frame, photo(all[at], `${title(flat)} (${at + 1})`))
		fetchPhoto(all[at + 1])
	}
	turn(0)
	return h("div.gallery", frame, all.length > 1 && h("div.turner",
		h("button", "‹", {label: t.prev_photo, click: () => turn(-1)}), place,
		h("button", "›", {label: t.next_photo, click: () => turn(1)})))
}

export function photoKeys(root) {
	const press = selector => () => root.querySelector(".turner " + selector)?.click()
	return {ArrowLeft: [t.prev_photo, press(":first-child")], ArrowRight: [t.next_photo, press(":last-child")]}
}

export const fetchPhoto = src => src && Object.assign(new Image(), {referrerPolicy: "no-referrer", src})

// follow hears of the pixels on the way of a finger. The element needs touch-action: pan-y.
export function swipe(element, right, left, follow = () => {}) {
	let from = null
	const on = (type, act) => element.addEventListener("pointer" + type, act)
	const moved = act => ({clientX}) => from != null && act(clientX - from)
	const end = by => {
		from = null
		follow(0)
		if (by > 80) right()
		if (by < -80) left()
	}
	on("down", ({clientX, isPrimary, pointerType}) => from = isPrimary && pointerType === "touch" ? clientX : null)
	on("move", moved(follow))
	on("up", moved(end))
	on("cancel", () => end(0))
}

// For a dl.pairs: [name, value], without those that have no value.
export const pairs = all =>
	all.filter(([, value]) => value).map(([name, value]) => h("div", h("dt", name), h("dd", value)))

function source(flat) {
	const host = url => String(url).replace(/^https?:\/\/(www\.)?([^/]*).*/s, "$2")
	const urls = [flat.urls].flat().filter(Boolean)
	const seen = day(flat.first_seen ?? flat.date)
	return h("div.source", urls.length > 0 ? urls.map(url => outward(url, host(url))) : siteOf(flat),
		seen && h("span.soft", `${t.since} ${seen}`), news(flat))
}

// As on an envelope.
export function addressOf({location, service_postal_code: code}) {
	const town = [code?.postal_code, code?.name].filter(Boolean).join(" ")
	return [location, location?.includes(town) ? "" : town].filter(Boolean).join(", ")
}

export const address = flat => [addressOf(flat), " ", mapLink(flat, t.map), " "]

function history(flat) {
	const entries = flat.cost_history ?? []
	const words = entries.map(entry => {
		const was = cost({...entry, currency: flat.currency})
		return entry.date ? text(t.cost_on, {cost: was, date: since(entry.date)}) : was
	}).join(" → ")
	const costs = entries.map(priceOf).filter(Boolean)
	return [entries.length > 1 && h("p", words), costs.length > 2 && chart(costs, words)]
}

function chart(costs, label) {
	const [low, high] = [Math.min(...costs), Math.max(...costs)]
	const wide = Math.round(160 / costs.length)
	const steps = costs.map(cost => `${Math.round(34 - 28 * (cost - low) / (high - low || 1))}h${wide}`)
	return svg("svg", {class: "chart", viewBox: "0 0 160 40", role: "img", label},
		svg("path", {d: "M0 " + steps.join("V")}))
}

// The cost per m² against the median of its place. Of one or two flats a median says nothing.
async function standing(flat, signal) {
	const code = flat.service_postal_code?.postal_code
	const own = costPerArea(flat)
	if (!own || !(code || flat.location)) return null
	const there = code ? {"filter[service_postal_code]": code} : {"filter[location]": flat.location}
	const found = await find(there, {"not[status]": "duplicate", fields: "cost,area,currency"}, {signal})
	const all = found.flats.filter(other => currencyOf(other) === currencyOf(flat)).map(costPerArea).filter(Boolean)
	if (all.length < 3) return null
	const by = own / median(all) - 1
	return text(by < 0 ? t.below : t.above,
		{by: percent(Math.abs(by)), flats: count(t.n_flats, all.length), place: place(flat)})
}

function waysOf(flat, places = {}) {
	const own = positionOf(flat)
	const at = own ?? flat.service_postal_code?.gps
	const travel = Object.fromEntries(times(flat))
	const ways = Object.keys({...travel, ...places}).map(name => {
		const far = at && places[name] && (own ? "" : "≈ ") + inKilometres(distance(at, places[name]))
		return [name, [name in travel && minutes(travel[name]), far && text(t.straight, {far})]
			.filter(Boolean).join(", ")]
	})
	const stations = [flat.service_stations].flat().filter(station => station?.name)
		.map(({name, distance}) => [String(name), distance > 0 ? inKilometres(distance) : "–"])
	return pairs([...ways, ...stations, [t.bedrooms, flat.bedrooms > 0 && number(flat.bedrooms)],
		[t.utilities, t["utilities_" + flat.utilities] ?? flat.utilities]])
}

// In metres: over the distances of a search the earth is flat.
function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
	const shrunk = Math.cos((latitude + otherLatitude) / 2 * Math.PI / 180)
	return 111_195 * Math.hypot(otherLatitude - latitude, (otherLongitude - longitude) * shrunk)
}

async function duplicatesOf(flat, signal) {
	const id = keyOf(flat)
	const {data} = await call("duplicates", {signal})
	const group = data.map(({ids}) => ids.map(String)).find(ids => ids.includes(id))
	if (!group) return null
	const others = group.filter(other => other !== id).slice(0, 5)
	const found = await find({}, {"any[id]": others}, {signal})
	return [h("h2", h("a", t.maybe_duplicate, {href: compareHash([id, ...others])})),
		h("ul", found.flats.map(other =>
			h("li", flatLink(other, described(other)), " ", statusTag(other), " ", siteOf(other))))]
}

// What a visit takes, as in the calendar feed.
export const hour = 3_600_000

export const startOf = flat => instant(flat.visit_date)

// What a visit at a time overlaps, and the visits before and after it.
export function around(at, others) {
	const near = others.filter(flat => timed(flat.visit_date)).map(flat => ({flat, ahead: startOf(flat) - at}))
		.filter(({ahead}) => Math.abs(ahead) < 12 * hour).sort((a, b) => a.ahead - b.ahead)
	const line = pattern => ({flat, ahead}) => h("p", {class: pattern === t.overlap && "overlap"},
		text(pattern, {left: minutes((Math.abs(ahead) - hour) / 1000), time: clock(startOf(flat)), title: title(flat)}))
	return [
		near.filter(({ahead}) => Math.abs(ahead) < hour).map(line(t.overlap)),
		near.filter(({ahead}) => ahead <= -hour).slice(-1).map(line(t.left_after)),
		near.filter(({ahead}) => ahead >= hour).slice(0, 1).map(line(t.left_before)),
	]
}
