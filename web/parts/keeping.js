// What this device keeps for times without a network, in the caches of the worker (sw.js): the page, answers, photos.
//
// startKeeping has the worker keep them, forgetKept deletes them.

import {call, findPath} from "../lib/api.js"
import {later} from "../lib/dom.js"
import {keyOf} from "../lib/fields.js"
import {look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {askPeople} from "../lib/opinions.js"
import {me} from "../lib/people.js"
import {pageOf, pageSize, pileOf, queryOf, tally, wholePageOf, withVisit}
	from "../lib/query.js"
import {keptAs, servicePath} from "../lib/service.js"
import {askDue, askPursued} from "./due.js"
import {keepPhotos, loadPhotos} from "./keptphotos.js"

const worker = navigator.serviceWorker // none where the context is not secure
const claimed = worker && !worker.controller && new Promise(done => worker.oncontrollerchange = done)

// startKeeping starts the worker. It calls keepForLater once the first list is shown, which it would slow down, and
// whenever no decision has been made for a while. A page that is hidden may not come back, so it does not wait.
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
	// The worker of other data has kept nothing for these.
	if (worker?.controller) worker.addEventListener("controllerchange", () => keepIn(2_000))
	onChange(() => keepIn(5_000))
	document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && timer && keepNow())

	// A minute after a decision the service has fetched the first photos of a flat that was followed.
	const showPhotos = () => kept.isForgotten || keepPhotos().catch(() => {})
	loadPhotos().catch(() => {/* the listings' own addresses will do */})
	onChange(later(showPhotos, 60_000))
}

// startWorker registers the worker, which keeps the page when it is installed. After "Forget this device" a worker
// stays active while other tabs are open, and is not installed again; a message makes it keep the page. So it does
// after a proxy has asked for a password, which has deleted index.html. A worker that has kept other data is replaced
// by that of these: the browser would look for it only some time after the page has rested.
async function startWorker() {
	const pages = (await caches.keys()).filter(name => name.startsWith(keptAs("page ")))
	const found = await Promise.all(pages.map(cacheName => caches.match(servicePath, {cacheName})))
	const isKept = found.some(Boolean)
	if (kept.isForgotten) return
	const registration = await worker.register("sw.js")
	if (isKept || kept.isForgotten) return
	registration.active?.postMessage("opened")
	await registration.update()
}

// keepForLater requests what a device needs without a network, so that the worker keeps it: the list, up to 1,000
// flats of the shortlist, the counts of the tabs, the saved views, the visits, photos. It sends the same requests as
// the views, because answers are kept by address.
async function keepForLater() {
	if (!worker) return
	if (claimed) await claimed
	const cache = await caches.open(keptAs("answers"))
	await cache.put(new URL("api/v1/first", document.baseURI), new Response(findPath(queryOf({}), pageOf(0))))
	for (const page of [pageOf, wholePageOf]) await look(queryOf({}), page(0))
	const shortlist = queryOf({tab: "shortlist"})
	for (let number = 0, total = 1; number * pageSize < Math.min(total, 1000); number++) {
		const found = await look(shortlist, pageOf(number))
		await look(shortlist, wholePageOf(number))
		total = found.total
		await askPeople(found.flats.map(keyOf))
	}
	const own = me() ? ["for:" + me()] : []
	for (const tab of own) await look(queryOf({tab}), pageOf(0))
	for (const tab of ["", "new", "changed", "all", ...own]) await look(queryOf({tab}), tally)
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
	// It also ends push messages: the service removes the device when the push service next refuses one.
	// unregister waits for an update of the worker that is under way. The new worker keeps the page again, so
	// everything is deleted once more.
	const registration = await worker.getRegistration()
	if (new URL(registration?.scope ?? "about:blank").pathname === servicePath) await registration.unregister()
	await deleteKept()
}

// deleteKept deletes what the worker keeps. The worker stops keeping answers when it finds no cache
// of a page; answers that it keeps until then are deleted last.
async function deleteKept() {
	const last = ["answers", "photos"].map(keptAs)
	const own = (await caches.keys()).filter(name => name.startsWith(servicePath + " "))
	for (const name of [...last, ...own, ...last]) await caches.delete(name)
}
