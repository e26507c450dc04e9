// What this device keeps for times without a network: the service worker answers
// from it (see sw.js), and the page has it ask for what one needs on the way.

import {find} from "./api.js"
import {parametersOf} from "./state.js"
import {t} from "./strings.js"

const able = "serviceWorker" in navigator && isSecureContext

/** startWorker registers the service worker where the browser allows one. */
export function startWorker() {
	if (able) navigator.serviceWorker.register("sw.js").catch(() => {/* the page works without */})
}

/** pageSize is how many flats the list asks for at a time. */
export const pageSize = 50

/** The flats that one needs on the way: asked for as the views do, so that these find them. */
export const shortlist = () => parametersOf({tab: "shortlist"})
export const visits = () => new URLSearchParams([["known[visit_date]", "yes"], ["sort", "visit_date"]])

/** keepForLater asks once for what is worth keeping. */
export async function keepForLater() {
	if (!able) return
	await navigator.serviceWorker.ready
	const {total} = await find(shortlist(), {"page[size]": pageSize, "page[number]": 0, counts: "status"})
	for (let number = 1; number * pageSize < Math.min(total, 1000); number++)
		await find(shortlist(), {"page[size]": pageSize, "page[number]": number})
	await find(visits())
}

/** forgetDevice deletes all that this browser keeps of the flats. */
export async function forgetDevice() {
	if (!confirm(t.forget_sure)) return
	localStorage.clear()
	sessionStorage.clear()
	for (const registration of (able && await navigator.serviceWorker.getRegistrations()) || []) await registration.unregister()
	for (const name of await globalThis.caches?.keys() ?? []) await caches.delete(name)
	location.reload()
}
