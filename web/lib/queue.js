// The changes that wait to be sent, which this browser keeps. sender.js sends them in their order as soon as the
// service can be reached. Those of Triage wait here even while there is a network, so that nobody waits for them. Such
// a change is under way until it fails for the first time; isUnderWay and delay are about that.
//
// flats.js asks isWaitable and mustWait, calls wait for a change that could not be sent, and withWaiting for each flat
// that it gets. waiting says what waits. A change that cannot be sent as it is becomes a question (sender.js).

import {kept} from "./kept.js"
import {me, people, valueOf} from "./people.js"
import {store, stored} from "./storage.js"

const name = "flats.waiting" // in the browser's storage
const fields = ["status", "notation", "rating", "visit_date", "merged_ids", "not_duplicates"]

// same reports whether two values of a field are the same as JSON.
export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

// ofField returns a function that reports whether a change is of the same field. Each person's rating is a field.
export const ofField = ({id, name, by}) => other =>
	other.id === id && other.name === name && (name !== "rating" || other.by === by)

const changed = () => dispatchEvent(new Event("waiting"))

// waiting returns the changes that wait, the oldest first.
export const waiting = () => kept.waiting ??= stored(name) ?? []

// setWaiting replaces the changes by what act returns for them. Another tab may have changed them.
export function setWaiting(act) {
	const list = act(kept.isStored ? stored(name) ?? [] : waiting())
	kept.waiting = list
	store(name, list.length > 0 ? list : null)
	kept.isStored = same(stored(name) ?? [], list)
	changed()
}

addEventListener("storage", ({key}) => {
	if (key !== name && key !== null) return
	kept.waiting = null
	changed()
})

// isWaitable reports whether all fields of a change may wait: decisions, ratings, visits. The form of a correction
// stays open instead (parts/edit.js), and notes have drafts of their own (parts/notes.js).
export const isWaitable = change => Object.keys(change).every(name => fields.includes(name))

// isUnderWay reports whether a change has not failed since it was made, so that it does not wait for a network.
export const isUnderWay = ({key}) => kept.underWay.has(key)

// isSending reports whether any change is under way.
export const isSending = () => waiting().some(isUnderWay)

// delay lets the changes under way wait for the network.
export function delay() {
	kept.underWay.clear()
	changed()
}

// mustWait reports whether a change of a flat has to wait because earlier ones do.
export const mustWait = (id, change) => waiting().some(entry =>
	entry.id === id && entry.name in change || isSendable(entry) && !isUnderWay(entry))

// wait keeps a change of a flat, each field as an entry of its own, and returns the entries. before is the flat that
// the change is about to replace, and now what is known of it. isNow is true if the entries are to be sent at once.
// undoes is the key of the entry that they take back. by is who makes the change, wasBy in an entry who gave the flat
// the status before.
export function wait(id, change, before, {isNow, undoes, by, now = before} = {}) {
	const entries = Object.entries(change).map(([name, set]) => ({key: Math.random(), id, name,
		was: valueOf(before, name), set, title: before?.title, undoes, by: by || me(),
		wasBy: name === "status" && before?.status_by}))
	// Without a tag the service's value is compared first.
	const isKnown = ({name, was}) => same(was, valueOf(now, name))
	if (isNow) for (const entry of entries) kept.underWay.set(entry.key, isKnown(entry) && kept.tags.get(id))
	setWaiting(list => [...list, ...entries])
	dispatchEvent(new CustomEvent("unsent", {detail: isNow}))
	return entries
}

// withWaiting returns a flat with the changes that wait for it.
export function withWaiting(flat) {
	const id = String(flat.id)
	return waiting().filter(entry => entry.id === id).reduce(withChange, flat)
}

// withChange returns a flat with a change.
export const withChange = (flat, {name, set, by}) => (name === "rating"
	? {...flat, ratings: {...flat.ratings, [by]: set}}
	: {...flat, [name]: set, ...name === "status" && people.length > 0 && {status_by: by ?? null}})

// isSendable reports whether a change can be sent: no question is about its field.
export const isSendable = entry => !waiting().some(other => "theirs" in other && ofField(entry)(other))

// forget drops what waits.
export const forget = () => setWaiting(() => [])
