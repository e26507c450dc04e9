// What a listing says about a flat, and what is computed from it: distances, and the comparison with the median of its
// place.
//
// gallery and about make the main parts of the views of one flat (views/flat.js, views/triage.js). photoKeys returns
// the keys of the gallery. pairs, address and distance are for other views, too.

import {places} from "../lib/api.js"
import {fill, h, outward, svg, swap} from "../lib/dom.js"
import {costPerArea, currencyOf, idsIn, keyOf, monthlyOf, originOf, own, photoURLs, priceOf, shortDetails,
	travelTimes, utilitiesOf} from "../lib/fields.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {exceededLimit} from "../lib/limits.js"
import {linksOf} from "../lib/links.js"
import {leastForMedian, magnitude, median} from "../lib/numbers.js"
import {goerTo, travellers} from "../lib/people.js"
import {marketOf} from "../lib/query.js"
import {parse} from "../lib/state.js"
import {placeName} from "../words/filters.js"
import {addressOf, cost, costPerAreaInWords, detailInWords, detailName, monthlyInWords, onceInWords, siteName, title}
	from "../words/flats.js"
import {ago, count, inKilometres, money, number, percent, since, squareMetres, t, text} from "../words/format.js"
import {phoneLink} from "./call.js"
import {changeTags, fetchPhoto, flatLink, mapLink, photo, servedAt, timeAgo, travel} from "./flats.js"
import {icon} from "./icons.js"

// about shows what the listing says, with a heading and facts from the view. If facts is a function, about calls it
// with the element of the travel times, and it returns facts that include this element. Parts that need a request are
// filled in later, or left out if the request fails.
export function about(flat, heading, facts, signal, ...more) {
	// fillWhen fills an element once children have been promised, and returns it.
	function fillWhen(element, promise) {
		promise.then(children => fill(element, children), () => {})
		return element
	}
	const ways = fillWhen(h("dl.pairs.ways-of", wayPairs(flat)),
		places(signal).then(all => wayPairs(flat, own(all, flat.service_constraint))))
	const takesWays = typeof facts === "function" // otherwise the travel times follow the address
	return h("div.what", heading, source(flat), takesWays ? facts(ways) : facts,
		fillWhen(h("p.soft", "\u00a0"), comparedWithMedian(flat, signal).catch(() => null)), // the space reserves a line
		history(flat), h("dl.pairs.brief", briefInPairs(flat)), h("p.address", address(flat), phoneLink("a", flat)),
		!takesWays && ways, fillWhen(h("div.others"), listingsOf(flat, signal)), more)
}

// costOf shows the cost, or the monthly cost with utilities and its parts if that is known and more.
function costOf(flat) {
	const sum = monthlyInWords(flat) // "€1,100 a month: 900 + 200", or ""
	const included = priceOf(flat) && utilitiesOf(flat)
	if (!sum) return [cost(flat), included && [" ", h("small", t["cost_" + included])]]
	const total = money(monthlyOf(flat), flat.currency)
	return [total, " ", h("small", sum.replace(total, "").trim())]
}

// sizesOf returns [area, rooms, bedrooms] as elements, the area with the cost per area, or falsy values.
function sizesOf(flat) {
	const {area, rooms, bedrooms} = flat
	const each = costPerAreaInWords(flat)
	return [area > 0 && [h("span.area", squareMetres(area)), each && [" ", h("span.soft.each", each)]],
		rooms > 0 && h("span.rooms", count(t.n_rooms, rooms)),
		bedrooms > 0 && h("span.bedrooms", count(t.n_bedrooms, bedrooms))]
}

// factsInOrder returns a function, to be passed to about as facts, that shows the facts in the order of their weight:
// monthly cost, travel times, area and rooms, and what is paid once.
export const factsInOrder = flat => ways => {
	const once = onceInWords(flat)
	return h("div.sums.ordered", h("p.cost", costOf(flat)), ways,
		h("p.sizes", sizesOf(flat).filter(Boolean).map((part, i) => [i > 0 && " · ", part])), once && h("p.costs", once))
}

// allFacts shows the facts, and below them what is paid once.
export function allFacts(flat) {
	const [area, rooms, bedrooms] = sizesOf(flat)
	const once = onceInWords(flat)
	return h("div.sums", h("ul.facts", h("li.cost", costOf(flat)), area && h("li", area),
		(rooms || bedrooms) && h("li", rooms, " ", bedrooms)), once && h("p.costs", once))
}

// briefInPairs makes the pairs of the short details; of utilities, unless the cost says whether it includes them; of
// stations; and of the listing's date, unless the flat was first seen then. It leaves out a deposit that is also a
// field, because the facts show that.
function briefInPairs(flat) {
	const isInFacts = name => flat.deposit > 0 && detailName(name) === t.detail_deposit
	const details = shortDetails(flat).filter(([name]) => !isInFacts(name))
		.map(([name, value]) => [detailName(name), detailInWords(name, value, flat)])
	const stations = [flat.service_stations].flat().filter(station => station?.name)
		.map(({name, distance: metres}) => [String(name), metres > 0 ? inKilometres(metres) : "–"])
	const listed = ago(flat.date) !== ago(flat.first_seen) && timeAgo(flat.date)
	return pairs([...details, [t.utilities, !utilitiesOf(flat) && flat.utilities], ...stations, [t.listed, listed]])
}

// gallery makes the gallery of a flat. Until the signal aborts, it makes a new one when the service keeps other photos,
// except while the gallery is full screen. shown.url is the address of the photo in sight, which stays in sight.
export function gallery(flat, signal, shown = {}) {
	let addresses // from which the photos were loaded, as text
	const make = () => {
		const all = photoURLs(flat)
		addresses = String(all.map(servedAt))
		return makeGallery(flat, all, Math.max(0, all.indexOf(shown.url)), n => { shown.url = all[n] })
	}
	let element = make()
	addEventListener("photos", () => {
		const isSame = addresses === String(photoURLs(flat).map(servedAt))
		if (!isSame && !element.querySelector("dialog")) element = swap(element, make())
	}, {signal})
	return element
}

const mosaic = 5 // how many photos a mosaic shows: in a wide window, the style sheet shows the strip as one

// makeGallery shows one photo at a time, above a strip of all. at is the index of the photo to begin with. makeGallery
// loads the next photo ahead, and calls turned(index) for each photo that it shows. A click on the photo shows it full
// screen.
function makeGallery(flat, all, at, turned) {
	if (all.length === 0) return h("div", {hidden: true})
	const frame = h("button.frame", {label: t.enlarge, click: enlarge})
	const counter = h("span", {role: "status"})
	const nameOf = n => text(t.photo_n, {name: title(flat), n: n + 1})
	// In a mosaic that hides photos, the last visible one says how many follow, and a click shows them full screen.
	// checkVisibility tells whether the style sheet hides the photo after it.
	const opensRest = n => n === mosaic - 1 && thumbs[mosaic]?.checkVisibility() === false
	const thumbs = all.map((url, n) => h("button", photo(url), {label: nameOf(n),
		"data-more": n === mosaic - 1 && all.length > mosaic && `+${number(all.length - mosaic)}`, click: () => {
			turn(n - at)
			if (opensRest(n)) enlarge()
		}}))
	const strip = h("div.strip", thumbs)

	async function enlarge() {
		const {showPhotos} = await import("./photos.js")
		if (element.isConnected) showPhotos(element, all, title(flat), at, n => turn(n - at))
	}

	// turn shows the photo that is a number of places after the present one, or before it if by is negative.
	function turn(by) {
		at = (at + by + all.length) % all.length
		fill(counter, `${at + 1} / ${all.length}`)
		fill(frame, photo(all[at], nameOf(at)))
		for (const [n, thumb] of thumbs.entries()) thumb.ariaCurrent = n === at ? "true" : null
		strip.scrollLeft = thumbs[at].offsetLeft - strip.clientWidth / 2 // centre it, so that its neighbours are in sight
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

// turnPhoto shows the previous (-1) or next (1) photo in root, if there are several.
export const turnPhoto = (root, by) =>
	root.querySelector(`.turner > ${by < 0 ? ":first-child" : ":last-child"}`)?.click()

// pairs makes the lines of a dl.pairs from [[name, value]], without those that have no value.
export const pairs = all =>
	all.filter(([, value]) => value).map(([name, value]) => h("div", h("dt", name), h("dd", value)))

// source links to the listing, and says when it was first seen.
function source(flat) {
	const seen = timeAgo(flat.first_seen)
	return h("div.source", siteLinks(flat), seen && h("span.soft", t.seen, " ", seen), changeTags(flat))
}

// siteLinks links to a listing. Each link is named by its host, with a number if there are several at a host. Without
// links, it returns the name of the site.
function siteLinks(flat) {
	const urls = linksOf(flat)
	const hosts = urls.map(url => url.replace(/^https?:\/\/(www\.)?([^/]*).*/s, "$2"))
	// numberAtHost returns 1 for the first link to its host, 2 for the second, and so on.
	const numberAtHost = i => hosts.slice(0, i + 1).filter(host => host === hosts[i]).length
	const name = (host, i) => (numberAtHost(i) > 1 ? `${host} (${numberAtHost(i)})` : host)
	return urls.length > 0 ? urls.map((url, i) => outward(url, name(hosts[i], i))) : siteName(flat)
}

// address shows the address and a link to a map.
export const address = flat => [addressOf(flat), " ", mapLink(flat, t.map), " "]

// history shows how the cost has changed, with a chart if there are at least three costs. If several entries are of one
// day, the last has the date.
function history(flat) {
	const entries = flat.cost_history ?? []
	const dates = entries.map(({date}) => date && since(date))
	const words = entries.map((entry, i) => {
		const costThen = cost({...entry, currency: flat.currency})
		const isLastOfDay = dates[i] !== dates[i + 1]
		return dates[i] && isLastOfDay ? text(t.cost_on, {cost: costThen, date: dates[i]}) : costThen
	}).join(" → ")
	const costs = entries.map(priceOf).filter(Boolean)
	return [entries.length > 1 && h("p", words), costs.length > 2 && chart(costs, words)]
}

// chart draws costs as steps of equal width. The lowest cost is at 34 of 40 pixels from the top, the highest at 6.
function chart(costs, label) {
	const [low, high] = [Math.min(...costs), Math.max(...costs)]
	const width = Math.round(160 / costs.length) // of a step
	const heightOf = value => Math.round(34 - 28 * (value - low) / (high - low || 1))
	const steps = costs.map(value => `${heightOf(value)}h${width}`)
	return svg("svg", {class: "chart", viewBox: "0 0 160 40", role: "img", label},
		svg("path", {d: "M0 " + steps.join("V")})) // M0 34h40V20h40V6h40V6h40
}

// comparedWithMedian promises words that compare the cost per m² with the median in the same place. The median is of
// the flats that Prices shows for the list's filters. It promises null if there are too few flats, or if all are in
// this place: the list itself then lets the user compare.
async function comparedWithMedian(flat, signal) {
	const {postal_code: code, name} = flat.service_postal_code ?? {}
	const here = placeName([code, name].filter(Boolean).join(" ") || flat.location || "")
	const each = costPerArea(flat)
	if (!each || !here) return null
	const route = parse(location.hash)
	const listRoute = route.view === "triage" ? route : parse(kept.trail.hash) // from which the flat was opened
	const {mine, ...filters} = listRoute.filters // mine is "Only mine" of Prices
	const query = marketOf(filters)
	const {counts} = await find(query, {"page[size]": 1, fields: "status", counts: "place"}, {signal})
	// counts.place ignores the filter on the place.
	const allPlaces = Object.keys(counts.place).filter(name => filters.place?.includes(name) ?? true)
	const placesHere = allPlaces.filter(name => placeName(name) === here) // a place may have several postal codes
	if (placesHere.length === 0 || placesHere.length === allPlaces.length) return null
	query.delete("any[place]")
	const {flats} = await find(query, {"any[place]": placesHere, fields: "cost,area,currency"}, {signal})
	// A flat to let is not compared with one for sale.
	const isOfKind = other => currencyOf(other) === currencyOf(flat) && priceOf(other) < magnitude * priceOf(flat) &&
		priceOf(flat) < magnitude * priceOf(other)
	const costsPerArea = flats.filter(isOfKind).map(costPerArea).filter(Boolean)
	if (costsPerArea.length < leastForMedian) return null
	const by = each / median(costsPerArea) - 1 // the part of the median by which this flat costs more, negative if less
	let pattern = by > 1 ? t.far_above : t.above // far above: more than twice the median
	if (by < 0) pattern = t.below
	if (Math.abs(by) < 0.005) pattern = t.at_median // 0 % when rounded
	return text(pattern, {by: percent(Math.abs(by)), flats: count(t.n_flats, costsPerArea.length), place: here})
}

// byGoer orders the names of places by who goes there, in the order of the list's columns, and then by name. So all
// flats have their places in the same order.
const byGoer = flat => (a, b) => {
	const [one, other] = [a, b].map(place => travellers.indexOf(goerTo(flat, place)))
	return one - other || (a < b ? -1 : 1)
}

// wayPairs makes pairs for the ways to places: travel times, and distances to positions, {name: [latitude, longitude]}.
function wayPairs(flat, positions = {}) {
	const {at} = originOf(flat)
	const times = new Map(travelTimes(flat).map(way => {
		const [name, seconds, entry] = way
		return [name, travel(seconds, entry, exceededLimit(flat, way))]
	}))
	const names = [...new Set([...times.keys(), ...Object.keys(positions)])].sort(byGoer(flat))
	return pairs(names.map(name => {
		const place = own(positions, name)
		const far = at && place && inKilometres(distance(at, place))
		const time = times.get(name)
		return [name, (time || far) && [time, time && far && ", ", far && text(t.straight, {far})]]
	}))
}

const metresInDegree = 111_195 // of latitude

// distance returns the metres between two positions. It treats the earth as flat, which is accurate enough within a
// city. A degree of longitude is shorter than one of latitude, the more so the farther from the equator.
export function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
	const shortening = Math.cos((latitude + otherLatitude) / 2 * Math.PI / 180)
	return metresInDegree * Math.hypot(otherLatitude - latitude, (otherLongitude - longitude) * shortening)
}

// listingsOf promises the elements of other listings that were merged into a flat, or a falsy value.
async function listingsOf(flat, signal) {
	const ids = idsIn(flat.merged_ids).filter(id => id !== keyOf(flat)).slice(0, 20)
	if (ids.length === 0) return null
	const found = await find({}, {"any[id]": ids}, {signal})
	return found.flats.length > 0 && [h("h2", t.other_listings), h("ul", found.flats.map(other =>
		h("li.source", flatLink(other), h("b", cost(other)), siteLinks(other), changeTags(other))))]
}
