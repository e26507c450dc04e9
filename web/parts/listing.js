// What a listing says about a flat, and what follows from it: the median of its place, and distances.
//
// listing makes the main part of the views of one flat (views/flat.js, views/triage.js) from gallery and about.
// photoKeys returns the keys of the gallery. pairs, addressOf and address are for other views, too.

import {call, places} from "../lib/api.js"
import {fill, h, outward, svg} from "../lib/dom.js"
import {costPerArea, currencyOf, keyOf, photoURLs, positionOf, priceOf, shortDetails, siteOf,
	travelTimes} from "../lib/fields.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {median} from "../lib/numbers.js"
import {queryOf} from "../lib/query.js"
import {compareHash, parse} from "../lib/state.js"
import {addressOf, cost, described, fieldInWords, title} from "../words/flats.js"
import {count, day, inKilometres, inWords, minutes, number, percent, readable, since, t,
	text} from "../words/format.js"
import {withChosen} from "./bar.js"
import {facts, fetchPhoto, flatLink, mapLink, news, phoneLink, photo, statusTag} from "./flats.js"

// listing shows a flat: photos, heading, facts, and at the end the elements of more.
export const listing = (flat, heading, signal, ...more) =>
	h("div.listing", gallery(flat), about(flat, heading, facts(flat), signal, more))

// about shows what the listing says, with a heading and facts from the view. Parts that need a request of their own
// are filled in when the answer arrives, and omitted if the request fails.
export function about(flat, heading, facts, signal, ...more) {
	function later(element, promise) {
		promise.then(children => fill(element, children), () => {})
		return element
	}
	return h("div.what", heading, source(flat), facts,
		later(h("p.soft", "\u00a0"), standing(flat, signal)), // a space keeps its line free
		history(flat), h("dl.pairs.brief", briefly(flat)), h("p.address", address(flat), phoneLink("a", flat)),
		later(h("dl.pairs", waysOf(flat)), places(signal).then(all => waysOf(flat, all[flat.service_constraint]))),
		later(h("div.others"), listingsOf(flat, signal)), later(h("div.doubles"), duplicatesOf(flat, signal)), more)
}

// briefly makes the pairs of the short details, and of the listing's own date.
const briefly = flat => pairs([...shortDetails(flat).map(([name, value]) => [readable(name), inWords(value)]),
	[t.listed, day(flat.date)]])

// gallery shows one photo at a time, and fetches the next one ahead. Clicking a photo shows it full screen.
export function gallery(flat) {
	const all = photoURLs(flat)
	if (all.length === 0) return null
	const frame = h("button.frame", {label: t.enlarge, click: enlarge})
	const place = h("span", {role: "status"})
	let at = 0

	async function enlarge() {
		const {showPhotos} = await import("./photos.js")
		if (element.isConnected) showPhotos(element, all, title(flat), at, n => turn(n - at))
	}

	function turn(by) {
		at = (at + by + all.length) % all.length
		fill(place, `${at + 1} / ${all.length}`)
		fill(frame, photo(all[at], text(t.photo_n, {name: title(flat), n: at + 1})))
		fetchPhoto(all[at + 1])
	}

	turn(0)
	const element = h("div.gallery", frame, all.length > 1 && h("div.turner",
		h("button", "‹", {label: t.prev_photo, click: () => turn(-1)}), place,
		h("button", "›", {label: t.next_photo, click: () => turn(1)})))
	return element
}

// photoKeys returns the keys that turn the photos in root.
export const photoKeys = root => ({
	ArrowLeft: [t.prev_photo, () => turnPhoto(root, -1)],
	ArrowRight: [t.next_photo, () => turnPhoto(root, 1)],
})

// turnPhoto shows the photo before (-1) or after (1) the one shown in root, if there are several.
export const turnPhoto = (root, by) => root.querySelector(`.turner ${by < 0 ? ":first-child" : ":last-child"}`)?.click()

// pairs makes the lines of a dl.pairs from [name, value], without those that have no value.
export const pairs = all =>
	all.filter(([, value]) => value).map(([name, value]) => h("div", h("dt", name), h("dd", value)))

// source links to the listing, and says since when it has been known.
function source(flat) {
	const seen = day(flat.first_seen)
	return h("div.source", linksOf(flat), seen && h("span.soft", `${t.since} ${seen}`), news(flat))
}

// linksOf links to a listing, named by the host of each address, or names its site.
function linksOf(flat) {
	const host = url => String(url).replace(/^https?:\/\/(www\.)?([^/]*).*/s, "$2")
	const urls = [flat.urls].flat().filter(Boolean)
	return urls.length > 0 ? urls.map(url => outward(url, host(url))) : siteOf(flat)
}

// address shows the address with a link to a map.
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

// standing compares the cost per m² with the median of the flats in the same place, including this one. It returns
// null if there are fewer than three, or if the list only has flats in this place: then the list itself shows how
// they compare.
async function standing(flat, signal) {
	const {postal_code: code, name} = flat.service_postal_code ?? {}
	const here = [code, name].filter(Boolean).join(" ") || flat.location // the field "place" of find
	const own = costPerArea(flat)
	if (!own || !here) return null
	const [found, isOnly] = await Promise.all([
		find({"filter[place]": here}, {"not[status]": "duplicate", fields: "cost,area,currency"}, {signal}),
		isOnlyPlace(signal),
	])
	const all = found.flats.filter(other => currencyOf(other) === currencyOf(flat)).map(costPerArea).filter(Boolean)
	if (isOnly || all.length < 3) return null
	const by = own / median(all) - 1
	const pattern = Math.abs(by) < 0.005 ? t.at_median : by < 0 ? t.below : t.above
	return text(pattern, {by: percent(Math.abs(by)), flats: count(t.n_flats, all.length), place: here})
}

// isOnlyPlace reports whether all flats that match the list's filters are in one place. The counts by place ignore
// the filter for the place itself, so it is applied here.
async function isOnlyPlace(signal) {
	const here = parse(location.hash)
	const {filters} = here.view === "triage" ? here : parse(kept.trail.hash)
	const {counts} = await find(queryOf(filters), {"page[size]": 1, fields: "status", counts: "place"}, {signal})
	return Object.keys(counts.place).filter(name => filters.place?.includes(name) ?? true).length < 2
}

// waysOf makes the pairs of travel times, distances to the places {name: [latitude, longitude]}, stations, bedrooms
// and utilities. If the flat has no position of its own, distances are those of its postal code, marked with "≈".
function waysOf(flat, places = {}) {
	const own = positionOf(flat)
	const at = own ?? flat.service_postal_code?.gps
	const travel = Object.fromEntries(travelTimes(flat))
	const ways = Object.keys({...travel, ...places}).map(name => {
		const far = at && places[name] && (own ? "" : "≈ ") + inKilometres(distance(at, places[name]))
		return [name, [name in travel && minutes(travel[name]), far && text(t.straight, {far})]
			.filter(Boolean).join(", ")]
	})
	const stations = [flat.service_stations].flat().filter(station => station?.name)
		.map(({name, distance}) => [String(name), distance > 0 ? inKilometres(distance) : "–"])
	return pairs([...ways, ...stations, [t.bedrooms, flat.bedrooms > 0 && number(flat.bedrooms)],
		[t.utilities, fieldInWords("utilities", flat)]])
}

// distance returns the metres between two positions. Over the distances within a city, it is accurate enough to
// treat the earth as flat.
function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
	const shrunk = Math.cos((latitude + otherLatitude) / 2 * Math.PI / 180)
	return 111_195 * Math.hypot(otherLatitude - latitude, (otherLongitude - longitude) * shrunk)
}

// duplicatesOf shows the flats that are probably the same home.
async function duplicatesOf(flat, signal) {
	const id = keyOf(flat)
	const {data} = await call("duplicates", {signal})
	const group = data.map(({ids}) => ids.map(String)).find(ids => ids.includes(id))
	if (!group) return null
	const others = group.filter(other => other !== id).slice(0, 5)
	const found = await find({}, {"any[id]": others}, {signal})
	return [h("h2", h("a", t.maybe_duplicate, {href: compareHash(withChosen([id, ...others]))})),
		h("ul", found.flats.map(other =>
			h("li", flatLink(other, described(other)), " ", statusTag(other), " ", siteOf(other))))]
}

// listingsOf shows the other listings that were merged into a flat, with their costs and links.
async function listingsOf(flat, signal) {
	const ids = [flat.merged_ids ?? []].flat().map(String).filter(id => id !== keyOf(flat)).slice(0, 20)
	if (ids.length === 0) return null
	const found = await find({}, {"any[id]": ids}, {signal})
	return found.flats.length > 0 && [h("h2", t.other_listings), h("ul", found.flats.map(other =>
		h("li.source", flatLink(other), h("b", cost(other)), linksOf(other), news(other))))]
}
