// What this device keeps for times without a network: see sw.js.

import {find} from "./api.js"
import {t} from "./format.js"
import {pageOf, pageSize, parametersOf, tally, withVisit} from "./state.js"

const worker = navigator.serviceWorker // where the browser allows one

export const startWorker = () => worker?.register("sw.js").catch(() => {/* the page works without */})

/** keepForLater asks for what one needs on the way, as the views do: the worker keeps the answers. */
export async function keepForLater() {
	if (!await worker?.ready) return
	const shortlist = parametersOf({tab: "shortlist"})
	const {total} = await find(shortlist, pageOf(0))
	for (let number = 1; number * pageSize < Math.min(total, 1000); number++) await find(shortlist, pageOf(number))
	for (const tab of ["", "all"]) await find(parametersOf({tab}), tally)
	await find(withVisit)
}

export async function forgetDevice() {
	if (!confirm(t.forget_sure)) return
	localStorage.clear()
	sessionStorage.clear()
	if (worker) {
		for (const registration of await worker.getRegistrations()) await registration.unregister()
		for (const name of await caches.keys()) await caches.delete(name)
	}
	location.reload()
}
