// The changes that wait to be sent, which this browser keeps. sender.js sends them in their order as soon as the
// service can be reached. Triage and "Dismiss these" put their changes here even with a network, so that the user need
// not wait for the service. Such a change is under way until sending it fails for the first time.
//
// flats.js asks isWaitable and mustWait, calls wait for a change that could not be sent, and withWaiting for each flat
// that it gets. waiting says what waits. A change that cannot be sent as it is becomes a question (sender.js).

import {later} from "./dom.js"
import {kept} from "./kept.js"
import {changeElements, elements, onElements} from "./keptlists.js"
import {me, people, valueOf} from "./people.js"
import {keptAs} from "./service.js"

export const waitingKey = "flats.waiting" // begins their names in the browser's storage
const waitable = ["status", "notation", "rating", "visit_date", "next_step", "next_date", "merged_ids",
	"not_duplicates"]

// same reports whether two values of a field are the same as JSON.
export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

// ofField returns a function that reports whether a change is of the same field. Each person's rating is a field.
export const ofField = ({id, name, by}) => other =>
	other.id === id && other.name === name && (name !== "rating" || other.by === by)

const tellWaiting = () => dispatchEvent(new Event("waiting"))

const tellSoon = later(tellWaiting, 0) // another tab may have changed hundreds

// waiting returns the changes that wait, the oldest first.
export const waiting = () => kept.waiting ??= elements(waitingKey)

// setWaiting replaces the changes by what act returns for them. Another tab may have changed them.
export function setWaiting(act) {
	Object.assign(kept, {waiting: changeElements(waitingKey, act), waitingFor: null})
	tellWaiting()
}

onElements(waitingKey, () => {
	Object.assign(kept, {waiting: null, waitingFor: null})
	tellSoon()
})

addEventListener("cleared", () => {
	const shown = waiting()
	setWaiting(list => list.concat(shown.filter(({key}) => !list.some(other => other.key === key))))
})

// alone calls act while no other tab of this browser does so under the same name, and promises its result. A browser
// that allows no storage refuses locks, too; there the tabs do not wait for each other.
export async function alone(name, act) {
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

// isWaitable reports whether all fields of a change may wait: decisions, ratings, visits. The form of a correction
// stays open instead (parts/edit.js), and notes have drafts of their own (parts/notes.js).
export const isWaitable = change => Object.keys(change).every(name => waitable.includes(name))

// isUnderWay reports whether a change is being sent for the first time.
export const isUnderWay = ({key}) => kept.underWay.has(key)

// holdBack ends the first try of all changes: from now on they wait, because of an error. Without an error, it is
// still the one before.
export function holdBack(cause = kept.cause) {
	kept.cause = cause
	kept.underWay.clear()
	tellWaiting()
}

// longer returns the pause after a failure in milliseconds: 1, 2, 4 … 60 s. The first pause varies, so that devices do
// not all send at the same moment once the service is back.
export const longer = pause => (pause ? Math.min(2 * pause, 60_000) : 1_000 + 20 * Math.random())

// mustWait reports whether a change of a flat has to wait because earlier ones do.
export function mustWait(id, change) {
	const isSameField = entry => entry.id === id && entry.name in change
	const waitsForNetwork = entry => !isUnderWay(entry) && isSendable(entry)
	return waiting().some(entry => isSameField(entry) || waitsForNetwork(entry))
}

// entriesOf makes a change of a flat an entry for each field, to be kept by wait. before is the flat that the change
// replaces. undone is the entry that it takes back, by is who makes it. The entries of one decision may be sent side by
// side. In an entry, since is when the flat got the status that it brings back; wasBy is who gave the flat the status
// before, and wasSince when, as far as that is known.
export function entriesOf(id, change, before, {undone, by, since, decision = Math.random()} = {}) {
	return Object.entries(change).map(([name, set]) => ({
		key: Math.random(),
		id,
		name,
		was: valueOf(before, name),
		...name === "status" && {wasBy: before?.status_by, wasSince: statusSince(before), since},
		set,
		by: by || me(),
		title: before?.title,
		undoes: undone?.key,
		decision,
	}))
}

// statusSince returns since when a flat has its status, if that is known.
export const statusSince = flat => flat?.status_since ?? flat?.contacted_since

// wait keeps entries. isNow is true if they are to be sent at once. Those that replace what is known of their flat need
// no look at it before: its tag says whether it has changed.
export function wait(entries, isNow) {
	const isKnown = ({id, name, was, by}) => same(was, valueOf(kept.flats.get(id), name, by))
	if (isNow)
		for (const entry of entries) kept.underWay.set(entry.key, isKnown(entry) && kept.tags.get(entry.id))
	setWaiting(list => [...list, ...entries])
	dispatchEvent(new CustomEvent("unsent", {detail: isNow}))
}

// waitingFor returns the changes that wait for a flat, the oldest first.
export function waitingFor(id) {
	kept.waitingFor ??= Map.groupBy(waiting(), entry => entry.id)
	return kept.waitingFor.get(id) ?? []
}

// withWaiting returns a flat with the changes that wait for it.
export const withWaiting = flat => waitingFor(String(flat.id)).reduce(withChange, flat)

// withChange returns a flat with a change.
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

// isSendable reports whether a change can be sent: no question is about its field.
export const isSendable = entry => !waiting().some(other => "theirs" in other && ofField(entry)(other))

// isSending reports whether any change is to be sent, now or once there is a network.
export const isSending = () => waiting().some(isSendable)

// forget drops what waits.
export const forget = () => setWaiting(() => [])
