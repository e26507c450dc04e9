// What a listing says of a flat, and what follows from it.

import {call, find, flats, keyOf, places} from "./api.js"
import {fill, h, outward, svg} from "./dom.js"
import {costPerArea, count, currencyOf, day, instant, minutes, money, number, percent, since, text} from "./format.js"
import {marked} from "./marks.js"
import {described, facts, mapURL, news, phoneLink, place, positionOf, siteOf, statusTag, times} from "./parts.js"
import {gallery} from "./photos.js"
import {compareHash, flatHash} from "./state.js"
import {summary} from "./stats.js"
import {t} from "./strings.js"

/**
 * listing is what decides: photos, and beside them the facts under a heading of
 * the view's. It gives {element, what, photos, turn}: what are the facts, turn is
 * that of the photos. What takes further requests comes later, and may be missing.
 */
export function listing(flat, heading, signal) {
	const photos = gallery(flat)
	const worth = h("p.soft", costPerArea(flat) ? "\u00a0" : "") // keeps its line
	const ways = h("dl.pairs", waysOf(flat, {}))
	const doubles = h("div.doubles")
	const what = h("div.what", heading, source(flat), facts(flat), worth, history(flat), address(flat), ways, doubles)

	const later = (promise, act) => promise.then(answer => signal.aborted || act(answer), () => {})
	later(standing(flat, signal), words => fill(worth, words))
	later(knownPlaces(), all => fill(ways, waysOf(flat, all[flat.service_constraint] ?? {})))
	later(duplicatesOf(flat, signal), found => fill(doubles, found))
	return {element: h("div.listing", photos.element, what), what, photos: photos.element, turn: photos.turn}
}

/** listingText is the whole text of a listing, with marks where a search found it. */
export const listingText = (flat, matches) => h("p.text", marked(flat.text, "text", matches))

/** pair is a line of a dl.pairs. */
export const pair = (name, value) => h("div", h("dt", name), h("dd", value))

// Where the listing stands, since when, and whether it still does.
function source(flat) {
	const host = url => (URL.canParse(url) && new URL(url).host.replace(/^www\./, "")) || String(url)
	const urls = [flat.urls].flat().filter(Boolean)
	const seen = flat.first_seen ?? flat.date
	const links = h("ul.links", urls.map(url => h("li", outward(url, host(url)))))
	return h("div.source", urls.length > 0 ? links : siteOf(flat),
		instant(seen) != null && h("span.soft", `${t.since} ${day(seen)}`), goneTag(flat))
}

/** goneTag says that a flat is gone, if it is. */
export const goneTag = flat => news({...flat, cost_history: null})

/** addressOf is where a flat is, as one would write it on an envelope. */
export function addressOf({location, service_postal_code: code}) {
	const town = [code?.postal_code, code?.name].filter(Boolean).join(" ")
	return [location, location?.includes(town) ? "" : town].filter(Boolean).join(", ")
}

/** address is that with the way to the map, and to the telephone. */
export const address = (flat, withPhone = true) => h("p.address", addressOf(flat),
	mapURL(flat) && [" ", outward(mapURL(flat), t.map)], withPhone && flat.phone && [" ", phoneLink(flat.phone)])

// The cost history in words, from three entries on with a chart.
function history({cost_history: given, currency}) {
	const entries = [given ?? []].flat().filter(entry => entry?.cost > 0)
	if (entries.length < 2) return null
	const words = entries.map(({cost, date}) => {
		const amount = money(cost, currency)
		return instant(date) == null ? amount : text(t.cost_on, {cost: amount, date: since(date)})
	}).join(" → ")
	return h("div", h("p", words), entries.length > 2 && chart(entries, words))
}

// A step for each cost, as wide as it held. The first one may have no date.
function chart(entries, label) {
	const dates = entries.map(({date}) => instant(date) ?? instant(entries[1].date) ?? Date.now())
	const costs = entries.map(({cost}) => cost)
	const [from, low, high] = [Math.min(...dates), Math.min(...costs), Math.max(...costs)]
	const x = date => Math.round(8 + 144 * (date - from) / Math.max(Date.now() - from, 1))
	const y = cost => Math.round(34 - 28 * (cost - low) / (high - low || 1))
	const steps = costs.slice(1).map((cost, i) => `H${x(dates[i + 1])}V${y(cost)}`)
	return svg("svg", {class: "chart", viewBox: "0 0 160 40", role: "img", label},
		svg("path", {d: `M0 ${y(costs[0])}${steps.join("")}H160`, fill: "none", stroke: "currentColor", "stroke-width": 2}))
}

// How the cost per m² stands against the median of its place. Of one or two
// flats a median says nothing.
async function standing(flat, signal) {
	const code = flat.service_postal_code?.postal_code
	if (!costPerArea(flat) || !(code || flat.location)) return null
	const parameters = new URLSearchParams({"known[cost_per_area]": "yes", "not[status]": "duplicate",
		fields: "cost_per_area,currency", [code ? "filter[service_postal_code]" : "filter[location]"]: code ?? flat.location})
	const {data} = await call("find?" + parameters, {signal})
	const all = data.filter(other => currencyOf(other) === currencyOf(flat)).map(other => other.cost_per_area)
	if (all.length < 3) return null
	const by = costPerArea(flat) / summary(all).median - 1
	const pattern = Math.abs(by) < 0.005 ? t.at_median : by < 0 ? t.below_median : t.above_median
	return text(pattern, {by: percent(Math.abs(by)), flats: count(t.n_flats, all.length), place: place(flat)})
}

let asked // the places stay the same while the page is open
const knownPlaces = () => (asked ??= places().catch(error => {
	asked = null
	throw error
}))

// Travel time and distance to each place, and what else of the listing counts.
function waysOf(flat, places) {
	const own = positionOf(flat)
	const at = own ?? flat.service_postal_code?.gps
	const travel = Object.fromEntries(times(flat))
	const ways = [...new Set([...Object.keys(travel), ...Object.keys(places)])].map(name => {
		const far = at && places[name] && (own ? "" : "≈ ") + inKilometres(distance(at, places[name]))
		const both = [travel[name] != null && minutes(travel[name]), far && text(t.straight_line, {far})]
		return [name, both.filter(Boolean).join(", ")]
	})
	const stations = [flat.service_stations].flat().filter(station => station?.name)
	const utilities = {included: t.included, excluded: t.excluded}[flat.utilities] ?? flat.utilities
	return [...ways, ...stations.map(({name, distance}) => [String(name), distance > 0 ? inKilometres(distance) : "–"]),
		[t.bedrooms, flat.bedrooms > 0 && number(flat.bedrooms)], [t.utilities, utilities]]
		.filter(([, value]) => value).map(([name, value]) => pair(name, value))
}

const inKilometres = metres => (metres < 1000 ? number(metres, 0) + "\u00a0m"
	: number(metres / 1000, metres < 10_000 ? 1 : 0) + "\u00a0km")

/** distance is how far two positions are from each other in a straight line, in metres. */
export function distance(a, b) {
	const [[latitude, longitude], [otherLatitude, otherLongitude]] = [a, b]
		.map(at => at.map(degrees => degrees * Math.PI / 180))
	const half = (1 - Math.cos(otherLatitude - latitude)) / 2 +
		Math.cos(latitude) * Math.cos(otherLatitude) * (1 - Math.cos(otherLongitude - longitude)) / 2
	return 2 * 6_371_000 * Math.asin(Math.sqrt(half))
}

// The flats that are probably the same home, and what speaks for it.
async function duplicatesOf(flat, signal) {
	const id = keyOf(flat)
	const {data} = await call("duplicates", {signal})
	const groups = data.map(({ids, because}) => ({ids: ids.map(String), because})).filter(({ids}) => ids.includes(id))
	const ids = [...new Set(groups.flatMap(group => group.ids))].filter(other => other !== id).slice(0, 5)
	if (ids.length === 0) return null
	await find(new URLSearchParams(ids.map(other => ["any[id]", other])), {}, {signal})
	const reasons = {place: t.same_place, phone: t.same_phone, photo: t.same_photo, merged_ids: t.same_merged}
	const because = new Set(groups.flatMap(group => group.because))
	return [h("h2", t.maybe_duplicates), h("p.soft", [...because].map(name => reasons[name] ?? name).join(", ")),
		h("ul", ids.map(other => h("li", h("a", described(flats.get(other)), {href: flatHash(other)}), " ",
			statusTag(flats.get(other)), " ", siteOf(flats.get(other))))),
		h("a.button", t.side_by_side, {href: compareHash([id, ...ids])})]
}
