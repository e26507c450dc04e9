// Keeps what this device needs without a network in the caches of the worker (sw.js): the page, answers and photos.
//
// startKeeping starts that, forgetKept deletes everything.

import {call, findPath} from "../lib/api.js"
import {later} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {askPeople} from "../lib/opinions.js"
import {me} from "../lib/people.js"
import {pageOf, pageSize, pileOf, queryOf, tally, wholePageOf, withVisit} from "../lib/query.js"
import {keptAs, servicePath} from "../lib/service.js"
import {askDue, askPursued} from "./due.js"
import {keepPhotos, loadPhotos} from "./keptphotos.js"

const worker = navigator.serviceWorker // undefined without HTTPS

// claimed promises that the worker controls this page. It is falsy if the worker already does, or cannot.
const claimed = worker && !worker.controller && new Promise(done => worker.oncontrollerchange = done)

// startKeeping starts the worker. Then it requests what the worker is to keep: after the first list is shown, which the
// requests would slow down, and a while after each decision. If the page is hidden meanwhile, it requests at once,
// because the page may not come back.
export function startKeeping() {
	let timer = null

	function keepIn(milliseconds) {
		clearTimeout(timer)
		timer = setTimeout(keepNow, milliseconds)
	}

	function keepNow() {
		clearTimeout(timer)
		timer = null
		if (!kept.isForgotten) keepForLater().catch(() => {})
	}

	if (worker) startWorker().catch(() => {})
	keepIn(2_000)
	// A new worker may be for a new version of the page, or for other data, of which nothing is kept yet.
	if (worker?.controller) worker.addEventListener("controllerchange", () => keepIn(2_000))
	onChange(() => keepIn(5_000))
	document.addEventListener("visibilitychange", () => {
		if (timer && document.visibilityState === "hidden") keepNow()
	})

	// When a flat is followed, the service fetches its photos. A minute later it has the first ones.
	const keepPhotosSoon = later(() => {
		if (!kept.isForgotten) keepPhotos().catch(() => {})
	}, 60_000)
	loadPhotos().catch(() => {/* the listings' own addresses will do */})
	onChange(keepPhotosSoon)
}

// startWorker registers the worker, which keeps the page when it is installed. An active worker may keep no page: after
// "Forget this device" while other tabs were open, or because it deletes the page when a proxy asks for a password.
// Then a message makes it keep the page. A worker of other data is replaced at once: the browser itself would look for
// the new worker only later.
async function startWorker() {
	const pages = (await caches.keys()).filter(name => name.startsWith(keptAs("page ")))
	const keptIndexes = await Promise.all(pages.map(cacheName => caches.match(servicePath, {cacheName})))
	const isKept = keptIndexes.some(Boolean)
	if (kept.isForgotten) return
	const registration = await worker.register("sw.js")
	if (isKept || kept.isForgotten) return
	registration.active?.postMessage("opened")
	await registration.update()
}

// keepForLater requests what the device needs without a network: the list, up to 1,000 flats of the shortlist, the
// counts of the tabs, saved views, visits and photos. It sends the same requests as the views, because the worker keeps
// answers by address.
async function keepForLater() {
	if (!worker) return
	if (claimed) await claimed
	const cache = await caches.open(keptAs("answers"))
	// From this entry the worker knows the first request of the list, which it sends before the page does.
	await cache.put(new URL("api/v1/first", document.baseURI), new Response(findPath(queryOf({}), pageOf(0))))
	for (const page of [pageOf, wholePageOf]) await look(queryOf({}), page(0))
	const shortlist = queryOf({tab: "shortlist"})
	let total = Infinity // until the first answer tells
	for (let number = 0; number * pageSize < Math.min(total, 1000); number++) {
		const found = await look(shortlist, pageOf(number))
		await look(shortlist, wholePageOf(number))
		total = found.total
		await askPeople(found.flats.map(keyOf))
	}
	const personalTabs = me() ? ["for:" + me()] : []
	for (const tab of personalTabs) await look(queryOf({tab}), pageOf(0))
	for (const tab of ["", "new", "changed", "all", ...personalTabs]) await look(queryOf({tab}), tally)
	for (const page of [pageOf, wholePageOf]) await look(queryOf({tab: "new"}), page(0))
	await look(queryOf({tab: "new"}), pileOf)
	await call("views")
	await look(withVisit)
	await askDue()
	await askPursued()
	await keepPhotos()
}

// forgetKept deletes everything that the worker keeps, and the worker.
export async function forgetKept() {
	if (!worker) return
	await deleteKept()
	// Unregistering also ends push messages: the service removes the device when the push service next refuses a
	// message. unregister waits if the worker is just being updated. The new worker then keeps the page again, so
	// everything is deleted once more.
	const registration = await worker.getRegistration()
	if (new URL(registration?.scope ?? "about:blank").pathname === servicePath) await registration.unregister()
	await deleteKept()
}

// deleteKept deletes the worker's caches. The worker stops keeping answers when it finds no cache of a page. So the
// caches of answers and photos are deleted once more at the end.
async function deleteKept() {
	const answersAndPhotos = ["answers", "photos"].map(keptAs)
	const all = (await caches.keys()).filter(name => name.startsWith(servicePath + " "))
	for (const name of [...answersAndPhotos, ...all, ...answersAndPhotos]) await caches.delete(name)
}
