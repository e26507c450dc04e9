// What a listing says about a flat, and what follows from it: the median of its place, and distances.
//
// gallery and about make the main parts of the views of one flat (views/flat.js, views/triage.js). photoKeys returns
// the keys of the gallery. pairs, address and distance are for other views, too.

import {places} from "../lib/api.js"
import {fill, h, outward, svg, swap} from "../lib/dom.js"
import {costPerArea, currencyOf, idsIn, keyOf, monthlyOf, originOf, own, photoURLs, priceOf, shortDetails,
	travelTimes, utilitiesOf} from "../lib/fields.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {exceeded} from "../lib/limits.js"
import {linksOf} from "../lib/links.js"
import {leastForMedian, magnitude, median} from "../lib/numbers.js"
import {goerTo, travellers} from "../lib/people.js"
import {marketOf} from "../lib/query.js"
import {parse} from "../lib/state.js"
import {placeName} from "../words/filters.js"
import {addressOf, cost, costPerAreaInWords, detailInWords, detailName, monthlyInWords, onceInWords, siteName, title}
	from "../words/flats.js"
import {count, inKilometres, money, number, percent, since, squareMetres, t, text} from "../words/format.js"
import {phoneLink} from "./call.js"
import {fetchPhoto, flatLink, mapLink, news, photo, servedAt, timeAgo, travel} from "./flats.js"
import {icon} from "./icons.js"

// about shows what the listing says, with a heading and facts from the view. facts is a function that gets the ways, if
// they stand among the facts. Parts that need a request of their own are filled in when the answer arrives, and omitted
// if the request fails.
export function about(flat, heading, facts, signal, ...more) {
	function fillWhen(element, promise) {
		promise.then(children => fill(element, children), () => {})
		return element
	}
	const ways = fillWhen(h("dl.pairs.ways-of", waysOf(flat)),
		places(signal).then(all => waysOf(flat, own(all, flat.service_constraint))))
	const isAmong = typeof facts === "function"
	return h("div.what", heading, source(flat), isAmong ? facts(ways) : facts,
		fillWhen(h("p.soft", "\u00a0"), standing(flat, signal).catch(() => null)), // a space keeps its line free
		history(flat), h("dl.pairs.brief", briefInPairs(flat)), h("p.address", address(flat), phoneLink("a", flat)),
		!isAmong && ways, fillWhen(h("div.others"), listingsOf(flat, signal)), more)
}

// costOf shows what a month costs, and beneath it the cost without utilities where both are known.
function costOf(flat) {
	const sum = monthlyInWords(flat)
	const included = priceOf(flat) && utilitiesOf(flat)
	const own = [cost(flat), included && [" ", h("small", t["cost_" + included])]]
	if (!sum) return own
	const inAll = money(monthlyOf(flat), flat.currency)
	return [inAll, h("small", sum.replace(inAll, "")), " ", h("span.soft", own)]
}

// sizesOf makes what is known of area and rooms, each with what belongs to it.
function sizesOf(flat) {
	const {area, rooms, bedrooms} = flat
	const each = costPerAreaInWords(flat)
	return [area > 0 && [h("span.area", squareMetres(area)), each && [" ", h("span.soft.each", each)]],
		rooms > 0 && h("span.rooms", count(t.n_rooms, rooms)),
		bedrooms > 0 && h("span.bedrooms", count(t.n_bedrooms, bedrooms))]
}

// factsInOrder shows what one decides by, in the order in which it counts: what a month costs in all, the ways, area
// and rooms, and what is paid once.
export const factsInOrder = flat => ways => {
	const once = onceInWords(flat)
	return h("div.sums.ordered", h("p.cost", costOf(flat)), ways,
		h("p.sizes", sizesOf(flat).filter(Boolean).map((part, i) => [i > 0 && " · ", part])), once && h("p.costs", once))
}

// allFacts shows the facts, and beneath them what is paid once.
export function allFacts(flat) {
	const [area, rooms, bedrooms] = sizesOf(flat)
	const once = onceInWords(flat)
	return h("div.sums", h("ul.facts", h("li.cost", costOf(flat)), area && h("li", area),
		(rooms || bedrooms) && h("li", rooms, " ", bedrooms)), once && h("p.costs", once))
}

// briefInPairs makes the pairs of the short details, and of the listing's own date. A deposit that stands with the
// costs is not told twice.
const briefInPairs = flat => pairs([
	...shortDetails(flat).filter(([name]) => !(flat.deposit > 0 && detailName(name) === t.detail_deposit))
		.map(([name, value]) => [detailName(name), detailInWords(name, value, flat)]),
	[t.listed, timeAgo(flat.date)]])

// gallery makes the gallery of a flat, and makes it anew when the service keeps other photos of the flat, until the
// signal aborts. The photo that is shown, shown.url, stays; nothing changes while it is shown full screen.
export function gallery(flat, signal, shown = {}) {
	let served
	const make = () => {
		const all = photoURLs(flat)
		served = String(all.map(servedAt))
		return makeGallery(flat, all, Math.max(0, all.indexOf(shown.url)), n => { shown.url = all[n] })
	}
	let element = make()
	addEventListener("photos", () => {
		const isSame = served === String(photoURLs(flat).map(servedAt))
		if (!isSame && !element.querySelector("dialog")) element = swap(element, make())
	}, {signal})
	return element
}

const mosaic = 5 // photos of a mosaic

// makeGallery shows one photo at a time, first the one with the number at, with a strip of all, and fetches the next
// one ahead. It calls turned with the number of each photo that it shows. Clicking the photo shows it full screen.
function makeGallery(flat, all, at, turned) {
	if (all.length === 0) return h("div", {hidden: true})
	const frame = h("button.frame", {label: t.enlarge, click: enlarge})
	const counter = h("span", {role: "status"})
	const nameOf = n => text(t.photo_n, {name: title(flat), n: n + 1})
	// Where a mosaic shows five of more photos, the last one says how many follow, and shows them full screen.
	const isLastOf = n => n === mosaic - 1 && thumbs[mosaic]?.checkVisibility() === false
	const thumbs = all.map((url, n) => h("button", photo(url), {label: nameOf(n),
		"data-more": n === mosaic - 1 && all.length > mosaic && `+${number(all.length - mosaic)}`, click: () => {
			turn(n - at)
			if (isLastOf(n)) enlarge()
		}}))
	const strip = h("div.strip", thumbs)

	async function enlarge() {
		const {showPhotos} = await import("./photos.js")
		if (element.isConnected) showPhotos(element, all, title(flat), at, n => turn(n - at))
	}

	function turn(by) {
		at = (at + by + all.length) % all.length
		fill(counter, `${at + 1} / ${all.length}`)
		fill(frame, photo(all[at], nameOf(at)))
		for (const [n, thumb] of thumbs.entries()) thumb.ariaCurrent = n === at ? "true" : null
		strip.scrollLeft = thumbs[at].offsetLeft - strip.clientWidth / 2 // centred, so that the next ones are in sight
		fetchPhoto(all[at + 1])
		turned(at)
	}

	turn(0)
	const element = h("div.gallery", h("div.seen", frame, all.length > 1 && h("div.turner",
		h("button", icon("left"), {label: t.prev_photo, click: () => turn(-1)}), counter,
		h("button", icon("right"), {label: t.next_photo, click: () => turn(1)}))), all.length > 1 && strip)
	return element
}

// photoKeys returns the keys that turn the photos in root.
export const photoKeys = root => ({
	ArrowLeft: [t.prev_photo, () => turnPhoto(root, -1)],
	ArrowRight: [t.next_photo, () => turnPhoto(root, 1)],
})

// turnPhoto shows the photo before (-1) or after (1) the one shown in root, if there are several.
export const turnPhoto = (root, by) =>
	root.querySelector(`.turner > ${by < 0 ? ":first-child" : ":last-child"}`)?.click()

// pairs makes the lines of a dl.pairs from [name, value], without those that have no value.
export const pairs = all =>
	all.filter(([, value]) => value).map(([name, value]) => h("div", h("dt", name), h("dd", value)))

// source links to the listing, and says since when it has been known.
function source(flat) {
	const seen = timeAgo(flat.first_seen)
	return h("div.source", siteLinks(flat), seen && h("span.soft", t.seen, " ", seen), news(flat))
}

// siteLinks links to a listing, named by the host of each address, with a number if there are several at one host, or
// names its site.
function siteLinks(flat) {
	const urls = linksOf(flat)
	const hosts = urls.map(url => url.replace(/^https?:\/\/(www\.)?([^/]*).*/s, "$2"))
	const nth = i => hosts.slice(0, i + 1).filter(host => host === hosts[i]).length
	const name = (host, i) => (nth(i) > 1 ? `${host} (${nth(i)})` : host)
	return urls.length > 0 ? urls.map((url, i) => outward(url, name(hosts[i], i))) : siteName(flat)
}

// address shows the address with a link to a map, which follows its last word.
export const address = flat => [addressOf(flat), " ", mapLink(flat, t.map), " "]

// history shows how the cost has changed, with a chart from three costs on. Of several costs on one day, only the
// last has the date.
function history(flat) {
	const entries = flat.cost_history ?? []
	const dates = entries.map(({date}) => date && since(date))
	const words = entries.map((entry, i) => {
		const was = cost({...entry, currency: flat.currency})
		return dates[i] && dates[i] !== dates[i + 1] ? text(t.cost_on, {cost: was, date: dates[i]}) : was
	}).join(" → ")
	const costs = entries.map(priceOf).filter(Boolean)
	return [entries.length > 1 && h("p", words), costs.length > 2 && chart(costs, words)]
}

// chart draws costs as steps of equal width.
function chart(costs, label) {
	const [low, high] = [Math.min(...costs), Math.max(...costs)]
	const wide = Math.round(160 / costs.length)
	const steps = costs.map(cost => `${Math.round(34 - 28 * (cost - low) / (high - low || 1))}h${wide}`)
	return svg("svg", {class: "chart", viewBox: "0 0 160 40", role: "img", label},
		svg("path", {d: "M0 " + steps.join("V")}))
}

// standing compares the cost per m² with the median in the same place, of the flats that Prices counts with the list's
// filters. It returns null if there are too few, or if all of them are in this place: then the list itself shows how
// they compare.
async function standing(flat, signal) {
	const {postal_code: code, name} = flat.service_postal_code ?? {}
	const here = placeName([code, name].filter(Boolean).join(" ") || flat.location || "")
	const own = costPerArea(flat)
	if (!own || !here) return null
	const route = parse(location.hash)
	const {filters: {mine, ...filters}} = route.view === "triage" ? route : parse(kept.trail.hash)
	const query = marketOf(filters)
	const {counts} = await find(query, {"page[size]": 1, fields: "status", counts: "place"}, {signal})
	// The counts by place ignore the filter for the place itself.
	const places = Object.keys(counts.place).filter(name => filters.place?.includes(name) ?? true)
	const ofHere = places.filter(name => placeName(name) === here)
	if (ofHere.length === 0 || ofHere.length === places.length) return null
	query.delete("any[place]")
	const {flats} = await find(query, {"any[place]": ofHere, fields: "cost,area,currency"}, {signal})
	const isOfKind = other => currencyOf(other) === currencyOf(flat) && priceOf(other) < magnitude * priceOf(flat) &&
		priceOf(flat) < magnitude * priceOf(other)
	const all = flats.filter(isOfKind).map(costPerArea).filter(Boolean)
	if (all.length < leastForMedian) return null
	const by = own / median(all) - 1
	const beyond = by > 1 ? t.far_above : t.above
	const pattern = Math.abs(by) < 0.005 ? t.at_median : by < 0 ? t.below : beyond
	return text(pattern, {by: percent(Math.abs(by)), flats: count(t.n_flats, all.length), place: here})
}

// byGoer orders places by who goes there, as the columns of the list, and then by their names: one compares flats by
// what stands in the same line.
const byGoer = flat => (a, b) => {
	const [one, other] = [a, b].map(place => travellers.indexOf(goerTo(flat, place)))
	return one - other || (a < b ? -1 : 1)
}

// waysOf makes the pairs of travel times, distances to the places {name: [latitude, longitude]} and stations, and of
// utilities unless the cost says it all.
function waysOf(flat, places = {}) {
	const {at} = originOf(flat)
	const times = new Map(travelTimes(flat).map(way => [way[0], travel(...way.slice(1), exceeded(flat, way))]))
	const names = [...new Set([...times.keys(), ...Object.keys(places)])].sort(byGoer(flat))
	const ways = names.map(name => {
		const place = own(places, name)
		const far = at && place && inKilometres(distance(at, place))
		const time = times.get(name)
		return [name, (time || far) && [time, time && far && ", ", far && text(t.straight, {far})]]
	})
	const stations = [flat.service_stations].flat().filter(station => station?.name)
		.map(({name, distance}) => [String(name), distance > 0 ? inKilometres(distance) : "–"])
	return pairs([...ways, ...stations, [t.utilities, !utilitiesOf(flat) && flat.utilities]])
}

// distance returns the metres between two positions. Over the distances within a city, it is accurate enough to
// treat the earth as flat.
export function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
	const shrunk = Math.cos((latitude + otherLatitude) / 2 * Math.PI / 180)
	return 111_195 * Math.hypot(otherLatitude - latitude, (otherLongitude - longitude) * shrunk)
}

// listingsOf shows the other listings that were merged into a flat, with their costs and links.
async function listingsOf(flat, signal) {
	const ids = idsIn(flat.merged_ids).filter(id => id !== keyOf(flat)).slice(0, 20)
	if (ids.length === 0) return null
	const found = await find({}, {"any[id]": ids}, {signal})
	return found.flats.length > 0 && [h("h2", t.other_listings), h("ul", found.flats.map(other =>
		h("li.source", flatLink(other), h("b", cost(other)), siteLinks(other), news(other))))]
}
