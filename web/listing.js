// What a listing says of a flat, and what follows from it.

import {call, find, flats, keyOf, places} from "./api.js"
import {fill, h, outward, svg} from "./dom.js"
import {costPerArea, count, currencyOf, day, instant, minutes, money, number, percent, since, summary,
	text} from "./format.js"
import {marked} from "./marks.js"
import {described, facts, mapURL, news, phoneLink, place, positionOf, siteOf, statusTag, times} from "./parts.js"
import {gallery} from "./photos.js"
import {compareHash, flatHash, parametersOf} from "./state.js"
import {t} from "./strings.js"

/**
 * listing is what decides: photos, and beside them the facts under a heading of
 * the view's. It gives {element, what, photos}: what are the facts, photos the
 * gallery. What takes further requests comes later, and may be missing.
 */
export function listing(flat, heading, signal) {
	const photos = gallery(flat)
	const worth = h("p.soft", "\u00a0") // keeps its line
	const ways = h("dl.pairs", waysOf(flat, {}))
	const doubles = h("div.doubles")
	const what = h("div.what", heading, source(flat), facts(flat), worth, history(flat),
		h("p.address", address(flat), flat.phone && phoneLink(flat.phone)), ways, doubles)

	const later = (promise, act) => promise.then(answer => signal.aborted || act(answer), () => {})
	later(standing(flat, signal), words => fill(worth, words))
	later(places(signal), all => fill(ways, waysOf(flat, all[flat.service_constraint] ?? {})))
	later(duplicatesOf(flat, signal), found => fill(doubles, found))
	return {element: h("div.listing", photos.element, what), what, photos}
}

/** listingText is the whole text of a listing, with marks where a search found it. */
export const listingText = (flat, matches) => h("p.text", marked(flat.text, "text", matches))

/** pairs are names and values, for a dl.pairs; what has no value is left out. */
export const pairs = all => all.filter(([, value]) => value)
	.map(([name, value]) => h("div", h("dt", name), h("dd", value)))

// Where the listing stands, since when, and what changed.
function source(flat) {
	const host = url => String(url).replace(/^https?:\/\/(www\.)?([^/]*).*/s, "$2")
	const urls = [flat.urls].flat().filter(Boolean)
	const seen = flat.first_seen ?? flat.date
	return h("div.source", urls.length > 0 ? urls.map(url => outward(url, host(url))) : siteOf(flat),
		instant(seen) != null && h("span.soft", `${t.since} ${day(seen)}`), news(flat))
}

/** addressOf is where a flat is, as one would write it on an envelope. */
export function addressOf({location, service_postal_code: code}) {
	const town = [code?.postal_code, code?.name].filter(Boolean).join(" ")
	return [location, location?.includes(town) ? "" : town].filter(Boolean).join(", ")
}

/** address is that with the way to the map. */
export const address = flat => [addressOf(flat), " ", mapURL(flat) && outward(mapURL(flat), t.map), " "]

// The cost history in words, from three entries on with a chart.
function history({cost_history: given, currency}) {
	const entries = [given ?? []].flat().filter(entry => entry?.cost > 0)
	if (entries.length < 2) return null
	const words = entries.map(({cost, date}) => {
		const amount = money(cost, currency)
		return date ? text(t.cost_on, {cost: amount, date: since(date)}) : amount
	}).join(" → ")
	return [h("p", words), entries.length > 2 && chart(entries.map(({cost}) => cost), words)]
}

// A step for each cost.
function chart(costs, label) {
	const [low, high] = [Math.min(...costs), Math.max(...costs)]
	const wide = Math.round(160 / costs.length)
	const step = (cost, i) => `${i === 0 ? "M0 " : "V"}${Math.round(34 - 28 * (cost - low) / (high - low || 1))}h${wide}`
	return svg("svg", {class: "chart", viewBox: "0 0 160 40", role: "img", label},
		svg("path", {d: costs.map(step).join("")}))
}

// How the cost per m² stands against the median of its place. Of one or two
// flats a median says nothing.
async function standing(flat, signal) {
	const code = flat.service_postal_code?.postal_code
	if (!costPerArea(flat) || !(code || flat.location)) return null
	const there = parametersOf({tab: "all", code, place: code ? "" : flat.location})
	const found = await find(there, {"not[status]": "duplicate", fields: "cost,area,currency"}, {signal})
	const all = found.flats.filter(other => currencyOf(other) === currencyOf(flat)).map(costPerArea).filter(Boolean)
	if (all.length < 3) return null
	const by = costPerArea(flat) / summary(all).median - 1
	return text(by < 0 ? t.below_median : t.above_median,
		{by: percent(Math.abs(by)), flats: count(t.n_flats, all.length), place: place(flat)})
}

// Travel time and distance to each place, and what else of the listing counts.
function waysOf(flat, places) {
	const at = positionOf(flat) ?? flat.service_postal_code?.gps
	const near = positionOf(flat) ? "" : "≈ "
	const travel = Object.fromEntries(times(flat))
	const ways = Object.keys({...travel, ...places}).map(name => [name, [
		travel[name] != null && minutes(travel[name]),
		at && places[name] && text(t.straight_line, {far: near + inKilometres(distance(at, places[name]))}),
	].filter(Boolean).join(", ")])
	const stations = [flat.service_stations].flat().filter(station => station?.name)
		.map(({name, distance}) => [String(name), distance > 0 ? inKilometres(distance) : "–"])
	const utilities = {included: t.included, excluded: t.excluded}[flat.utilities] ?? flat.utilities
	return pairs([...ways, ...stations, [t.bedrooms, flat.bedrooms > 0 && number(flat.bedrooms)],
		[t.utilities, utilities]])
}

const inKilometres = metres => (metres < 1000 ? number(metres, 0) + "\u00a0m" : number(metres / 1000) + "\u00a0km")

// How far two positions are from each other in a straight line, in metres. Over
// the distances of a search the earth is flat.
function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
	const degree = 111_195
	const shrunk = Math.cos((latitude + otherLatitude) / 2 * Math.PI / 180)
	return degree * Math.hypot(otherLatitude - latitude, (otherLongitude - longitude) * shrunk)
}

// The flats that are probably the same home.
async function duplicatesOf(flat, signal) {
	const id = keyOf(flat)
	const {data} = await call("duplicates", {signal})
	const group = data.find(({ids}) => ids.map(String).includes(id))
	if (!group) return null
	const others = group.ids.map(String).filter(other => other !== id).slice(0, 5)
	await find(new URLSearchParams(others.map(other => ["any[id]", other])), {}, {signal})
	return [h("h2", h("a", t.maybe_duplicate, {href: compareHash([id, ...others])})),
		h("ul", others.map(other => flats.get(other)).map(other => h("li",
			h("a", described(other), {href: flatHash(keyOf(other))}), " ", statusTag(other), " ", siteOf(other))))]
}
