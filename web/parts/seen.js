// The mark up to which the user has looked at the list. The service keeps it as the time "seen" of a view of its own,
// which no list of saved views shows.
//
// askMark requests the mark, countUnseen the number of flats after it, moveMark moves it, takeMark shows what came
// since it was moved, and forgetMark forgets it. isAfterMark and isUnseen say about a flat whether it came since;
// markOpened says that it was opened.

import {call, viewPath} from "../lib/api.js"
import {keyOf, markName, statusOf} from "../lib/fields.js"
import {flats, look, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {changeIds, keptIds, onElements} from "../lib/keptlists.js"
import {me} from "../lib/people.js"
import {newSince} from "../lib/query.js"
import {store, stored} from "../lib/storage.js"
import {instant} from "../words/format.js"

const nameOf = () => [markName, me()].filter(Boolean).join(" ")
const newOnes = "any[status]=new&known[gone]=no"
const putMark = (members, options) =>
	call(viewPath(nameOf()), {method: "PUT", body: JSON.stringify(members), ...options})

// askMark promises the mark, or null if it is not to be had. The first time the mark is now. After a reload it is what
// it was before.
export async function askMark() {
	if (kept.mark.at) return kept.mark.at
	const isReloaded = performance.getEntriesByType("navigation")[0]?.type === "reload"
	const before = isReloaded && stored("flats.mark", "sessionStorage")
	if (before) return setMark(before)
	try {
		const {data, asOf} = await (kept.views.asked ?? call("views"))
		const view = data.find(({name}) => name === nameOf())
		if (view || asOf) return setMark(view?.seen ?? null)
		return setMark((await putMark({query: newOnes})).data.seen)
	} catch {
		return null
	}
}

function setMark(at) {
	Object.assign(kept.mark, {at, next: null})
	store("flats.mark", at, "sessionStorage")
	return at
}

// isAfterMark reports whether a flat came since the user looked last.
export const isAfterMark = flat => kept.mark.at != null && instant(flat.first_seen) > instant(kept.mark.at)

// isUnseen reports whether the user has neither decided on such a flat nor opened it.
export const isUnseen = flat => isNewSince(flat) && !opened().has(keyOf(flat))

const isNewSince = flat => isAfterMark(flat) && statusOf(flat) === "new" && !flat.gone

const opened = () => kept.mark.opened ??= new Set(keptIds("flats.opened"))

onElements("flats.opened", () => (kept.mark.opened = null))

const setOpened = act => (kept.mark.opened = new Set(changeIds("flats.opened", act)))

// markOpened remembers on this device that a flat was opened.
export function markOpened(flat) {
	if (!isUnseen(flat)) return
	setOpened(ids => [...new Set([...ids, keyOf(flat)])])
	setUnseen(kept.mark.unseen - 1)
}

function setUnseen(n) {
	kept.mark.unseen = Math.max(0, n)
	dispatchEvent(new Event("unseen"))
}

// countUnseen requests the number of flats that the user has not seen yet.
export async function countUnseen(signal) {
	if (!await askMark()) return
	const {flats: [newest], total} = await look({}, newSince(kept.mark.at), {signal})
	kept.mark.newest = newest?.first_seen ?? kept.mark.at
	const seen = [...opened()].map(id => flats.get(id)).filter(flat => flat && isNewSince(flat))
	setUnseen(total - seen.length)
}

onChange((flat, before) => {
	if (kept.mark.unseen != null && before) setUnseen(kept.mark.unseen + isUnseen(flat) - isUnseen(before))
})

// moveMark moves the mark to the newest flat that was there when the list was loaded. What is shown stays as it is
// until takeMark is called.
export function moveMark() {
	const {at, next, newest} = kept.mark
	if (!newest || instant(newest) <= instant(next ?? at)) return
	kept.mark.next = newest
	putMark({query: newOnes, seen: newest}, {keepalive: true}).catch(() => {/* it stays new */})
}

// forgetMark forgets the mark of one person when another one uses the page.
export function forgetMark() {
	Object.assign(kept.mark, {at: null, next: null, newest: null, unseen: null})
	store("flats.mark", null, "sessionStorage")
	setOpened(() => [])
}

// takeMark has the list show what came since the mark was moved.
export function takeMark() {
	if (!kept.mark.next) return
	setMark(kept.mark.next)
	setOpened(() => [])
	setUnseen(0)
}
