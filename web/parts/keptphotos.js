// The photos that the service keeps. loadPhotos makes all views show them, keepPhotos also makes the worker keep some.

import {call, findPath, isLost} from "../lib/api.js"
import {imageURL} from "../lib/dom.js"
import {keyOf, photoURLs} from "../lib/fields.js"
import {flats} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {same} from "../lib/queue.js"
import {keptAs} from "../lib/service.js"
import {firstPhoto, servedAt} from "./flats.js"

const mostPhotos = 300 // how many the worker keeps (sw.js)

// photosPath is the path of the query for flats with kept photos, the last decided first.
const photosPath = findPath({}, {"known[kept_photos]": "yes", fields: "kept_photos", sort: "-status_since",
	nulls: "last", "page[size]": 1000})

// loadPhotos requests which photos the service keeps. If that has changed, it replaces the first photos of flats, and
// dispatches "photos" for views to replace others.
export async function loadPhotos() {
	const {data} = await call(photosPath)
	if (same(data, kept.photos.answer) || kept.isForgotten) return
	const serviceAddress = hash => new URL("api/v1/photos/" + hash, document.baseURI).href
	// pairsOf returns the photos of a flat, [[address in the listing, address at the service]].
	const pairsOf = flat => flat.kept_photos.map(({url, hash}) => [imageURL(url), serviceAddress(hash)])
		.filter(([url]) => url)
	const all = data.map(flat => [keyOf(flat), pairsOf(flat)])
	kept.photos.answer = data
	kept.photos.byFlat = new Map(all.map(([id, pairs]) => [id, pairs.map(([url]) => url)]))
	kept.photos.addresses = new Map(all.flatMap(([, pairs]) => pairs))
	showFirst()
	dispatchEvent(new Event("photos"))
}

// showFirst replaces the photos that firstPhoto made if their address has changed.
function showFirst() {
	for (const old of document.querySelectorAll("[data-first]")) {
		const flat = flats.get(old.dataset.first)
		const [url] = flat ? photoURLs(flat) : []
		if (url && old.src !== servedAt(url)) old.replaceWith(firstPhoto(flat))
	}
}

// keepPhotos loads the newest photos, so that the worker keeps them. It begins with the oldest of these, because the
// worker deletes the photos that it got first.
export async function keepPhotos() {
	await loadPhotos()
	if (!navigator.serviceWorker?.controller) return
	for (const address of [...new Set(kept.photos.addresses.values())].slice(0, mostPhotos).reverse()) {
		if (await caches.match(address, {cacheName: keptAs("photos")})) continue
		if (kept.isForgotten) return
		const response = await fetch(address)
		if (isLost(response)) return // the service cannot be reached, or somebody has to sign in
		await response.blob() // one at a time
	}
}
