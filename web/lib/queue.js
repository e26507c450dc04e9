// The queue of changes that wait to be sent, which this browser stores. sender.js sends them in order once the service
// can be reached.
//
// A change gets here in two ways. flats.js calls wait for one that could not be sent. Triage and "Dismiss these" put
// their changes here even with a network, so that the user need not wait for the service; such a change is under way
// until sending it has failed once. A change that the service does not accept as it is becomes a question (sender.js).
//
// waiting returns the queue, withWaiting applies it to a flat.

import {later} from "./dom.js"
import {kept} from "./kept.js"
import {changeElements, elements, onElements} from "./keptlists.js"
import {me, people, valueOf} from "./people.js"
import {keptAs} from "./service.js"

export const waitingKey = "flats.waiting" // the name of the list in storage (keptlists.js)
const waitable = ["status", "notation", "rating", "visit_date", "next_step", "next_date", "merged_ids",
	"not_duplicates"]

// same reports whether two values of a field are equal as JSON.
export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

// ofField returns a function that reports whether another change is of the same field of the same flat. Each person's
// rating is a field of its own.
export const ofField = ({id, name, by}) => other =>
	other.id === id && other.name === name && (name !== "rating" || other.by === by)

// tellWaiting reports a change of the queue.
const tellWaiting = () => dispatchEvent(new Event("waiting"))

const tellSoon = later(tellWaiting, 0) // once for the hundreds of changes that another tab may make

// waiting returns the changes that wait, the oldest first.
export const waiting = () => kept.waiting ??= elements(waitingKey)

// setWaiting replaces the queue by act(queue). act gets it as it is stored now, because another tab may have changed
// it.
export function setWaiting(act) {
	Object.assign(kept, {waiting: changeElements(waitingKey, act), waitingFor: null})
	tellWaiting()
}

onElements(waitingKey, () => {
	Object.assign(kept, {waiting: null, waitingFor: null})
	tellSoon()
})

// When the storage was cleared (storage.js), store the changes again that this page shows.
addEventListener("cleared", () => {
	const shown = waiting()
	setWaiting(list => list.concat(shown.filter(({key}) => !list.some(other => other.key === key))))
})

// withLock calls act while no other tab of this browser has the lock with this name, and promises the result of act. If
// the browser refuses locks, as it does where no storage is allowed, the tabs do not wait for each other.
export async function withLock(name, act) {
	let hasBegun = false

	function begin() {
		hasBegun = true
		return act()
	}

	try {
		return await (navigator.locks?.request(keptAs(name), begin) ?? begin())
	} catch (error) {
		if (hasBegun) throw error
		return begin()
	}
}

// isWaitable reports whether a change, {field: value}, may wait: decisions, ratings, visits and the like. Corrections
// may not, because their form stays open instead (parts/edit.js); nor may notes, which have drafts (parts/notes.js).
export const isWaitable = change => Object.keys(change).every(name => waitable.includes(name))

// isUnderWay reports whether a change is being sent for the first time.
export const isUnderWay = ({key}) => kept.underWay.has(key)

// holdBack makes all changes that are under way wait, and notes why: an error, null for none, or by default the last
// error.
export function holdBack(cause = kept.cause) {
	kept.cause = cause
	kept.underWay.clear()
	tellWaiting()
}

// longerPause returns the pause after a failure, in milliseconds, from the pause before it: 1, 2, 4 … 60 s. The first
// one varies, so that devices do not all send at once when the service is back.
export const longerPause = pause => (pause ? Math.min(2 * pause, 60_000) : 1_000 + 20 * Math.random())

// mustWait reports whether a change of a flat has to wait in line: for a change of the same field, or for any that
// waits for the network.
export function mustWait(id, change) {
	const isSameField = entry => entry.id === id && entry.name in change
	const waitsForNetwork = entry => !isUnderWay(entry) && isSendable(entry)
	return waiting().some(entry => isSameField(entry) || waitsForNetwork(entry))
}

// entriesOf returns the queue entries for a change of a flat, {field: value}, one for each field. before is the flat
// before the change, undoneEntry is the entry that the change undoes. An entry has these members, and at, the time when
// it was added (keptlists.js):
//   key              tells entries apart, and lets the service notice a change that it has already made
//   id, title        of the flat
//   name             the field
//   was, set         its values before and after
//   wasBy, wasSince  who gave the flat the status that is replaced, and when, if that is known
//   by, since        as for update (flats.js)
//   undoes           the key of the entry that it undoes
//   decision         the same for entries that may be sent in parallel
export function entriesOf(id, change, before, {undoneEntry, by, since, decision = Math.random()} = {}) {
	return Object.entries(change).map(([name, set]) => ({
		key: Math.random(),
		id,
		name,
		was: valueOf(before, name),
		...name === "status" && {wasBy: before?.status_by, wasSince: statusSince(before), since},
		set,
		by: by || me(),
		title: before?.title,
		undoes: undoneEntry?.key,
		decision,
	}))
}

// statusSince returns when a flat got its status, or undefined if that is not known.
export const statusSince = flat => flat?.status_since ?? flat?.contacted_since

// wait adds entries to the queue. With the option isNow they are sent at once. An entry that replaces the value that
// the page last got is then sent with the flat's tag (If-Match); for others, sender.js requests the flat first.
export function wait(entries, {isNow = false} = {}) {
	const replacesLast = ({id, name, was, by}) => same(was, valueOf(kept.flats.get(id), name, by))
	if (isNow)
		for (const entry of entries) kept.underWay.set(entry.key, replacesLast(entry) && kept.tags.get(entry.id))
	setWaiting(list => [...list, ...entries])
	dispatchEvent(new CustomEvent("unsent", {detail: isNow}))
}

// waitingFor returns the waiting changes of a flat, the oldest first.
export function waitingFor(id) {
	kept.waitingFor ??= Map.groupBy(waiting(), entry => entry.id)
	return kept.waitingFor.get(id) ?? []
}

// withWaiting returns a flat with its waiting changes applied.
export const withWaiting = flat => waitingFor(String(flat.id)).reduce(withChange, flat)

// withChange returns a flat with a change applied.
export function withChange(flat, {name, set, by, since = null}) {
	if (name === "rating") return {...flat, ratings: {...flat.ratings, [by]: set}}
	const next = {...flat, [name]: set}
	if (name !== "status") return next
	if (!same(flat?.status, set)) {
		Object.assign(next, {status_since: since, contacted_since: since})
		delete next.status_because // no rule has set it
	}
	if (people.length > 0) next.status_by = by ?? null
	return next
}

// isSendable reports whether a change can be sent: no question about its field is open.
export const isSendable = entry => !waiting().some(other => "theirs" in other && ofField(entry)(other))

// isSending reports whether the queue has changes to send, now or once there is a network.
export const isSending = () => waiting().some(isSendable)

// emptyQueue drops all changes that wait.
export const emptyQueue = () => setWaiting(() => [])
