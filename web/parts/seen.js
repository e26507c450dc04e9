// The mark: the time up to which the user has looked at the list. The service stores it as the member seen of a view
// that is not shown among the saved views.
//
// askMark requests the mark, moveMark moves it, applyMovedMark makes the list show the moved mark, forgetMark forgets
// it. countUnseen counts the unseen flats. isAfterMark and isUnseen tell which flats came after the mark; markOpened
// records that a flat was opened.

import {call, viewPath} from "../lib/api.js"
import {keyOf, markName, statusOf} from "../lib/fields.js"
import {flats, look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {changeIds, keptIds, onElements} from "../lib/keptlists.js"
import {me} from "../lib/people.js"
import {newSince} from "../lib/query.js"
import {store, stored} from "../lib/storage.js"
import {instant} from "../words/format.js"

// viewOfMark returns the name of the view that has this person's mark.
const viewOfMark = () => [markName, me()].filter(Boolean).join(" ")
const newQuery = "any[status]=new&known[gone]=no" // of this view: the service makes no view without a query

// putMark stores members of the view that has the mark.
const putMark = (members, options) =>
	call(viewPath(viewOfMark()), {method: "PUT", body: JSON.stringify(members), ...options})

// askMark promises the mark, or null if it cannot be had. At the very first look the mark is set to now. After a reload
// of the page it is the same as before.
export async function askMark() {
	if (kept.mark.at) return kept.mark.at
	const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload"
	const before = isReloaded && stored("flats.mark", "sessionStorage")
	if (before) return setMark(before)
	try {
		const {data, asOf} = await (kept.views.asked ?? call("views"))
		const view = data.find(({name}) => name === viewOfMark())
		if (view || asOf) return setMark(view?.seen ?? null) // with asOf there is no network to set a mark
		return setMark((await putMark({query: newQuery})).data.seen)
	} catch {
		return null
	}
}

// setMark sets the mark that the list shows, and returns it.
function setMark(at) {
	Object.assign(kept.mark, {at, next: null})
	store("flats.mark", at, "sessionStorage")
	return at
}

// isAfterMark reports whether a flat came after the mark.
export const isAfterMark = flat => kept.mark.at != null && instant(flat.first_seen) > instant(kept.mark.at)

// isUnseen reports whether a flat came after the mark, and was neither decided on nor opened.
export const isUnseen = flat => isNewSince(flat) && !opened().has(keyOf(flat))

// isNewSince reports whether a flat came after the mark and is still new.
const isNewSince = flat => isAfterMark(flat) && statusOf(flat) === "new" && !flat.gone

// opened returns the ids of the flats that were opened since the mark was last set, on this device.
const opened = () => kept.mark.opened ??= new Set(keptIds("flats.opened"))

onElements("flats.opened", () => (kept.mark.opened = null))

// setOpened replaces the ids of opened flats by act(ids).
const setOpened = act => (kept.mark.opened = new Set(changeIds("flats.opened", act)))

// markOpened records on this device that a flat was opened.
export function markOpened(flat) {
	if (!isUnseen(flat)) return
	setOpened(ids => [...new Set([...ids, keyOf(flat)])])
	setUnseen(kept.mark.unseen - 1)
}

// setUnseen sets the number of unseen flats, which app.js shows.
function setUnseen(n) {
	kept.mark.unseen = Math.max(0, n)
	dispatchEvent(new Event("unseen"))
}

// countUnseen requests the number of unseen flats.
export async function countUnseen(signal) {
	if (!await askMark()) return
	const {flats: [newest], total} = await look({}, newSince(kept.mark.at), {signal})
	kept.mark.newest = newest?.first_seen ?? kept.mark.at
	const openedOfTotal = [...opened()].map(id => flats.get(id)).filter(flat => flat && isNewSince(flat))
	setUnseen(total - openedOfTotal.length)
}

// Changes on this page change the number of unseen flats at once.
onChange((flat, before) => {
	if (kept.mark.unseen == null || !before) return
	setUnseen(kept.mark.unseen + Number(isUnseen(flat)) - Number(isUnseen(before)))
})

// moveMark moves the mark to the newest flat that was there when the list was loaded. Until applyMovedMark is called,
// the list looks the same.
export function moveMark() {
	const {at, next, newest} = kept.mark
	if (!newest || instant(newest) <= instant(next ?? at)) return
	kept.mark.next = newest
	putMark({query: newQuery, seen: newest}, {keepalive: true}).catch(() => {/* it stays new */})
}

// forgetMark forgets the mark when another person uses the page.
export function forgetMark() {
	Object.assign(kept.mark, {at: null, next: null, newest: null, unseen: null})
	store("flats.mark", null, "sessionStorage")
	setOpened(() => [])
}

// applyMovedMark makes the list show the moved mark.
export function applyMovedMark() {
	if (!kept.mark.next) return
	setMark(kept.mark.next)
	setOpened(() => [])
	setUnseen(0)
}
