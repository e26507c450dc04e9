// Decisions on flats that can be undone: change and changeAll wait for the service, changeNow does not. All say if they
// replace a decision made elsewhere. byWords and showQueuedDecision are for waiting.js, which reports what queued
// changes replaced.
//
// decide.js loads this module at the first decision.

import {keyOf} from "../lib/fields.js"
import {flats, look, update, updateNow} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {idsInPart, inHundreds} from "../lib/opinions.js"
import {fieldsOfPeople, me, people, valueOf} from "../lib/people.js"
import {ofField, same, statusSince, waiting, withChange, withWaiting} from "../lib/queue.js"
import {fieldsInWords, title} from "../words/flats.js"
import {t, text} from "../words/format.js"
import {closeNotices, failed, showDecision} from "./notice.js"

// change sets fields of a flat as one decision.
export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

// changeAll makes changes as one decision, all or none, and then calls done. It promises whether they were made. If
// they replace a decision made elsewhere, the notice says which, and Undo restores that.
//
// changes is [[id, fields, prepare]]. prepare is optional. It is called just before the change is sent, and promises
// one of two objects. For a correction (edit.js) this is
//   set         the fields to set instead of fields
//   overruled   in words, a list of the values that the change replaces and the user has not seen
//   undoFields  undoFields() promises the fields that undo the change
// For a change that undoes an earlier one (takeBack) it is
//   undoneEntries  the entries of the earlier change, one for each field, as in the queue (lib/queue.js)
//   by             the person to store for the change. If it restores a status that somebody had given the flat, it
//                  is that person, otherwise the user.
//   since          when the flat got that status
export function changeAll(changes, words, done = () => {}) {
	// One decision after another: each must know those before it.
	kept.deciding = kept.deciding.then(() => makeDecision(changes, words, done))
	return kept.deciding
}

// changeNow makes changes, [[id, fields]], as one decision. The page shows it at once, and the queue sends it.
// changeNow does nothing if the flats already have these values, unless there is undoMore. undoMore undoes what else
// the decision made; Undo first waits for it.
export function changeNow(changes, words, undoMore) {
	const isMade = ([id, fields]) =>
		Object.entries(fields).every(([name, value]) => same(valueOf(flats.get(id), name), value))
	if (!undoMore && changes.every(isMade)) return
	showQueuedDecision(words, updateNow(changes), {undoMore})
}

// showQueuedDecision shows a decision whose entries are in the queue. overruled names in words the decision made
// elsewhere that this one has replaced, if any. undoMore is as for changeNow.
export function showQueuedDecision(words, entries, {overruled, undoMore} = {}) {
	// undoing returns the change, in the form of updateNow, that undoes the change of an entry.
	const undoing = entry =>
		[entry.id, {[entry.name]: entry.was}, {undoneEntry: entry, by: entry.wasBy, since: entry.wasSince}]

	async function undoDecision() {
		if (undoMore) await undoMore()
		updateNow(entries.toReversed().map(undoing))
	}

	showDecision(words, undoDecision, entries, overruled)
}

// isReplaced reports whether later changes replace all earlier ones: for each earlier change, a later change of the
// same flat sets one of its fields.
const isReplaced = (earlier, later) => earlier.every(([id, fields]) =>
	later.some(([laterId, laterFields]) => laterId === id && Object.keys(laterFields).some(name => name in fields)))

// inFours calls act for all items, four at a time, because hundreds of requests one after another take many seconds. If
// one fails, it rejects once the others of the same four have ended. While it works, the browser asks before it leaves
// the page, because the rest would be lost.
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

// makeDecision makes the changes of changeAll and shows the notice. It never rejects, or no later decision would be
// made.
async function makeDecision(changes, words, done) {
	// An earlier failure's "Try again" would undo this decision.
	closeNotices(notice => kept.failures.has(notice) && isReplaced(kept.failures.get(notice), changes))
	const madeChanges = [] // as setAll fills it
	try {
		const overruled = await setAll(changes, madeChanges)
		showDecision(words, () => takeBack(madeChanges), entriesIn(madeChanges), overruled)
		done()
		return true
	} catch (error) {
		const notice = failed(error, () => changeAll(changes, words, done), `${words}. ${t.failed}`)
		if (notice) kept.failures.set(notice, changes)
		await takeBack(madeChanges).catch(() => {}) // without a network this fails, too: the first changes stay
		return false
	}
}

// entriesIn returns the entries of all changes that setAll has made.
const entriesIn = madeChanges => madeChanges.flatMap(({entries}) => entries)

// setAll makes changes, and promises in words which decisions made elsewhere they replace. For each change it adds {id,
// entries, undoFields} to madeChanges, for takeBack. entries are as in the queue, one for each field; only those of a
// change that waits have a key.
async function setAll(changes, madeChanges) {
	const allOverruled = new Set()
	const {atService, lost} = await askFor(changes)
	await inFours(changes, async ([id, fields, prepare]) => {
		const {set = fields, overruled, undoFields, undoneEntries = [], by = me(), since} = await prepare?.() ?? {}
		const knownFlat = undoneEntries.reduce(withChange, flats.get(id)) // as after the changes that this one undoes
		const replaced = overruled ?? differences(knownFlat, atService.get(id) ?? {}, set)
		for (const words of replaced) allOverruled.add(words)
		const knownBefore = await update(id, set, {by, since, undoneEntries, lost})
		const before = {...knownBefore, ...atService.get(id)} // Undo restores what the service had
		const entries = Object.entries(set).map(([name, value]) => ({
			key: waiting().findLast(ofField({id, name, by}))?.key,
			id,
			name,
			was: valueOf(before, name),
			...name === "status" && {wasBy: before.status_by, wasSince: statusSince(before)},
			set: value,
			by,
		}))
		madeChanges.push({id, entries, undoFields})
	})
	return [...allOverruled].join(", ")
}

// takeBack undoes what setAll made. If that replaces a decision made on another device since, a notice names that
// decision, and its Undo restores it. takeBack promises whether there was such a decision.
async function takeBack(madeChanges) {
	const changes = await Promise.all(madeChanges.map(async ({id, entries, undoFields}) => {
		const valuesBefore = Object.fromEntries(entries.map(({name, was}) => [name, was]))
		const {wasBy, wasSince} = entries.find(({name}) => name === "status") ?? {}
		// See changeAll for what prepare returns.
		const prepare = () => ({undoneEntries: entries, by: wasBy || me(), since: wasSince})
		return [id, await undoFields?.() ?? valuesBefore, prepare]
	}))
	const madeByUndo = []
	const overruled = await setAll(changes, madeByUndo)
	if (overruled) showDecision(t.undone, () => takeBack(madeByUndo), entriesIn(madeByUndo), overruled)
	return Boolean(overruled)
}

// decidable has the fields on which another device may have decided.
const decidable = ["status", "notation", "rating", "visit_date", "next_step", "next_date"]

const patience = 1_500 // milliseconds of waiting for the service, in which the user sees nothing happen

// apiField returns the name that a field of a change has in answers of find, where ratings has each person's rating.
const apiField = name => (name === "rating" ? "ratings" : name)

// askFor asks the service for the present values of the fields that changes set, and promises {atService, lost}.
// atService has the flats by id, with these values of decidable fields. Without a network it is empty: the changes wait
// in the queue, and replace nothing yet. lost is an error if the service does not answer in time, otherwise null. With
// such an error the changes wait, too, because they could replace a decision that the user has not seen.
async function askFor(changes) {
	const names = decidable.filter(name => changes.some(([, fields]) => name in fields))
	const timeOfStatus = names.includes("status") ? ["status_since"] : []
	const namesBesides = people.length > 0 ? fieldsOfPeople : timeOfStatus
	// The service has no field "rating". fieldsOfPeople has ratings, with everybody's.
	const namesToAsk = [...names, ...namesBesides].filter(name => name !== "rating").join()
	const ids = names.length > 0 ? changes.map(([id]) => id) : []
	const found = []
	let lost = null
	try {
		for (const part of inHundreds(ids)) {
			const query = {"any[id]": part, fields: namesToAsk, "page[size]": idsInPart}
			const answer = await look({}, query, {patience})
			if (answer.asOf) break // a kept answer: there is no network
			found.push(...answer.flats)
		}
	} catch (error) {
		if (error.isLate) lost = error // any other error meets the updates, too, and they report it
	}
	return {atService: new Map(found.map(flat => [keyOf(flat), withWaiting(flat)])), lost}
}

// differences returns, in words, the values at the service that a change would replace although this page did not know
// them. fields are the values that the change sets, knownFlat is the flat as this page knows it, and atService is the
// flat as the service has it.
function differences(knownFlat, atService, fields) {
	function isUnseen(name) {
		const value = valueOf(atService, name)
		return !same(value, valueOf(knownFlat, name)) && !same(value, fields[name])
	}

	const inWords = name =>
		fieldsInWords({[name]: valueOf(atService, name)}) + (name === "status" ? byWords(atService) : "")
	return decidable.filter(name => name in fields && apiField(name) in knownFlat && apiField(name) in atService)
		.filter(isUnseen).map(inWords)
}

// byWords writes " by NAME" for the person who gave a flat its status, or "" if that is the user or nobody.
export const byWords = ({status_by: name}) => (name && name !== me() ? " " + text(t.by_name, {name}) : "")
