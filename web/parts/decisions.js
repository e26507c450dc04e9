// Decisions on flats that can be undone: change and changeAll wait for the service, changeNow does not. All say if they
// replace a decision made elsewhere. byWords and showQueuedDecision are for waiting.js, which reports what queued
// changes replaced.
//
// decide.js loads this module at the first decision.

import {keyOf} from "../lib/fields.js"
import {flats, look, update, updateNow} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {inHundreds} from "../lib/opinions.js"
import {me, ofPeople, people, valueOf} from "../lib/people.js"
import {ofField, same, statusSince, waiting, withChange, withWaiting} from "../lib/queue.js"
import {fieldsInWords, title} from "../words/flats.js"
import {t, text} from "../words/format.js"
import {closeNotices, failed, showDecision} from "./notice.js"

// change sets fields of a flat as one decision.
export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

// changeAll makes changes as one decision, all or none, and then calls done. It promises whether they were made. If
// they replace a decision made elsewhere, the notice says which, and Undo restores that.
//
// changes is [[id, fields, prepare]]. prepare, if given, promises one of:
//   {others, restored, set}  others has what the change replaces, in words; restored() promises the fields that
//                            undo it; set, if given, has the fields to set instead
//   {undone, by, since}      the change undoes others: undone has their entries in the queue, by is who makes the
//                            change, since the time when the flat got the status that the change restores
export function changeAll(changes, words, done = () => {}) {
	kept.deciding = kept.deciding.then(() => make(changes, words, done)) // in turn: each must know those before it
	return kept.deciding
}

// changeNow makes changes, [[id, fields]], as one decision. The page shows it at once, and the queue sends it.
// changeNow does nothing if the flats already have these values. undoMore, if given, takes back what else the decision
// made; Undo first waits for it.
export function changeNow(changes, words, undoMore) {
	const isMade = ([id, fields]) => Object.entries(fields).every(([name, set]) => same(valueOf(flats.get(id), name), set))
	if (!undoMore && changes.every(isMade)) return
	showQueuedDecision(updateNow(changes), words, null, undoMore)
}

// showQueuedDecision shows a decision. made has its entries in the queue, replaced is as for showDecision, undoMore as
// for changeNow.
export function showQueuedDecision(made, words, replaced, undoMore) {
	const back = undone => [undone.id, {[undone.name]: undone.was}, {undone, by: undone.wasBy, since: undone.wasSince}]
	showDecision(words, async () => {
		if (undoMore) await undoMore()
		updateNow(made.toReversed().map(back))
	}, made, replaced)
}

// isReplaced reports whether later changes set, of each flat, a field that the earlier ones were to set.
const isReplaced = (earlier, later) => earlier.every(([id, fields]) =>
	later.some(([other, set]) => other === id && Object.keys(set).some(name => name in fields)))

// inFours calls act for all items, four at a time. If one fails, it rejects once the others of the same four have
// ended. While it works, the browser asks before it leaves the page, because the rest would be lost.
async function inFours(items, act) {
	const ask = event => event.preventDefault()
	if (items.length > 1) addEventListener("beforeunload", ask)
	try {
		for (let i = 0; i < items.length; i += 4) {
			const ends = await Promise.allSettled(items.slice(i, i + 4).map(act))
			const failure = ends.find(({status}) => status === "rejected")
			if (failure) throw failure.reason
		}
	} finally {
		removeEventListener("beforeunload", ask)
	}
}

// make makes the changes of changeAll and shows the notice.
async function make(changes, words, done) {
	// An earlier failure's "Try again" would undo this decision.
	closeNotices(notice => kept.failures.has(notice) && isReplaced(kept.failures.get(notice), changes))
	const made = []
	try {
		const replaced = await setAll(changes, made)
		showDecision(words, () => takeBack(made), made.flatMap(({own}) => own), replaced)
		done()
		return true
	} catch (error) {
		const notice = failed(error, () => changeAll(changes, words, done), `${words}. ${t.failed}`)
		if (notice) kept.failures.set(notice, changes)
		await takeBack(made).catch(() => {}) // without a network this fails, too: the first changes stay
		return false
	}
}

// setAll makes changes, and promises in words which decisions made elsewhere they replace. For each change it adds {id,
// own, restored} to made, for takeBack. own has an entry for each field, as in the queue; only waiting ones have a key.
async function setAll(changes, made) {
	const replaced = new Set()
	const {now, lost} = await askFor(changes)
	await inFours(changes, async ([id, given, prepare]) => {
		const {set: fields = given, undone = [], by = me(), since, restored, others} = await prepare?.() ?? {}
		const known = undone.reduce(withChange, flats.get(id))
		for (const was of others ?? differences(known, now.get(id), fields)) replaced.add(was)
		// What the service had counts, because Undo restores it.
		const before = {...await update(id, fields, {by, since, undone, lost}), ...now.get(id)}
		const own = Object.entries(fields).map(([name, set]) => ({
			key: waiting().findLast(ofField({id, name, by}))?.key,
			id,
			name,
			was: valueOf(before, name),
			...name === "status" && {wasBy: before.status_by, wasSince: statusSince(before)},
			set,
			by,
		}))
		made.push({id, own, restored})
	})
	return [...replaced].join(", ")
}

// takeBack undoes what setAll made. It promises whether that replaced a decision made elsewhere in the meantime; if so,
// it says which, with an Undo.
async function takeBack(made) {
	const changes = await Promise.all(made.map(async ({id, own, restored}) => {
		const was = Object.fromEntries(own.map(entry => [entry.name, entry.was]))
		const {wasBy: by, wasSince: since} = own.find(({name}) => name === "status") ?? {}
		return [id, await restored?.() ?? was, () => ({undone: own, by: by || me(), since})]
	}))
	const again = []
	const replaced = await setAll(changes, again)
	if (replaced) showDecision(t.undone, () => takeBack(again), again.flatMap(({own}) => own), replaced)
	return Boolean(replaced)
}

// decidable has the fields on which another device may have decided.
const decidable = ["status", "notation", "rating", "visit_date", "next_step", "next_date"]

// columnOf returns the API's field for a field of a change.
const columnOf = name => (name === "rating" ? "ratings" : name)

// askFor promises {now, lost}. now has the flats of changes by id, with the service's values of decidable fields.
// Without a network now is empty: the changes will wait and replace nothing yet. lost is the error if there is no
// answer in time, or null: the changes then wait, too, so that none replaces a decision that nobody has seen.
async function askFor(changes) {
	const names = decidable.filter(name => changes.some(([, fields]) => name in fields))
	const ofStatus = names.includes("status") ? ["status_since"] : []
	const whoAndWhen = people.length > 0 ? ofPeople : ofStatus
	const asked = [...names, ...whoAndWhen].filter(name => name !== "rating").join()
	const ids = names.length > 0 ? changes.map(([id]) => id) : []
	const found = []
	let lost = null
	try {
		for (const part of inHundreds(ids)) {
			const query = {"any[id]": part, fields: asked, "page[size]": 100}
			const answer = await look({}, query, {patience: 1_500}) // meanwhile the user sees nothing
			if (answer.asOf) break // there is no network
			found.push(...answer.flats)
		}
	} catch (error) {
		if (error.isLate) lost = error // the updates say what else is wrong
	}
	return {now: new Map(found.map(flat => [keyOf(flat), withWaiting(flat)])), lost}
}

// differences returns, in words, the values of a flat that fields replace and that this page did not know. known is the
// flat as this page knows it, now the flat as the service has it.
function differences(known, now = {}, fields) {
	return decidable
		.filter(name => name in fields && columnOf(name) in known && columnOf(name) in now)
		.filter(name => ![valueOf(known, name), fields[name]].some(value => same(valueOf(now, name), value)))
		.map(name => fieldsInWords({[name]: valueOf(now, name)}) + (name === "status" ? byWords(now) : ""))
}

// byWords writes " by NAME" for the person who gave a flat its status, or "" if that is the user or nobody.
export const byWords = ({status_by: name}) => (name && name !== me() ? " " + text(t.by_name, {name}) : "")
