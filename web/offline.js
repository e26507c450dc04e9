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

/** pageOf is what the list asks for its page of some number: with the first come the counts. */
export const pageOf = number => ({"page[size]": pageSize, "page[number]": number, counts: number === 0 ? counts : null})
const counts = ["status", "currency"]

/** tally asks for the counts alone. */
export const tally = {"page[size]": 1, fields: "status", counts}

/** visits are the parameters of all flats with a visit. */
export const visits = () => new URLSearchParams([["known[visit_date]", "yes"], ["sort", "visit_date"]])

/** keepForLater asks for what one needs on the way, as the views ask for it. */
export async function keepForLater() {
	if (!able) return
	await navigator.serviceWorker.ready
	const shortlist = parametersOf({tab: "shortlist"})
	const {total} = await find(shortlist, pageOf(0))
	for (let number = 1; number * pageSize < Math.min(total, 1000); number++) await find(shortlist, pageOf(number))
	for (const tab of ["", "all"]) await find(parametersOf({tab}), tally)
	await find(visits())
}

/** forgetDevice deletes all that this browser keeps of the flats. */
export async function forgetDevice() {
	if (!confirm(t.forget_sure)) return
	localStorage.clear()
	sessionStorage.clear()
	if (able) {
		for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister()
		for (const name of await caches.keys()) await caches.delete(name)
	}
	location.reload()
}
