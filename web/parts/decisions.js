// Decisions on flats, which Undo takes back: change, changeAll and changeNow make them, and say what they replace that
// was decided elsewhere. byWords and decidedNow are for waiting.js, which corrects what a decision or its Undo has
// replaced. The first list does without this module.

import {keyOf} from "../lib/fields.js"
import {flats, look, update, updateNow} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {inHundreds} from "../lib/opinions.js"
import {me, ofPeople, people, valueOf} from "../lib/people.js"
import {ofField, same, statusSince, waiting, withChange, withWaiting} from "../lib/queue.js"
import {fieldsInWords, title} from "../words/flats.js"
import {t, text} from "../words/format.js"
import {closeNotices, decided, failed} from "./notice.js"

// change sets fields of a flat as one decision.
export const change = (id, fields, words) => changeAll([[id, fields]], `${title(flats.get(id))}: ${words}`)

// changeAll makes all changes, [id, fields], as one decision, or none of them, and then calls done. changeAll promises
// whether the changes were made. If they replace a decision made elsewhere, the notice says which, and Undo restores
// it. A change may have a third part: a function that promises what it replaces, in words, and a function that promises
// the fields that undo it, {others, restored}, perhaps with the fields to set in place of the given ones, set; or, if
// it takes changes back, these, who makes it, and since when the flat has the status that it brings back,
// {undone, by, since}.
export function changeAll(changes, words, done = () => {}) {
	kept.deciding = kept.deciding.then(() => make(changes, words, done)) // so that none is taken for one made elsewhere
	return kept.deciding
}

// changeNow is like changeAll, but shows the changes at once, and lets them be sent in the order of the decisions.
// Changes that change nothing are no decision.
export function changeNow(changes, words) {
	const isMade = ([id, fields]) => Object.entries(fields).every(([name, set]) => same(valueOf(flats.get(id), name), set))
	if (changes.every(isMade)) return
	decidedNow(updateNow(changes), words)
}

// decidedNow shows a decision whose changes, made, are sent in their order.
export function decidedNow(made, words, replaced) {
	const back = undone => [undone.id, {[undone.name]: undone.was}, {undone, by: undone.wasBy, since: undone.wasSince}]
	decided(words, async () => void updateNow(made.toReversed().map(back)), made, replaced)
}

// isReplaced reports whether later changes set a field of each flat that earlier ones were to set.
const isReplaced = (earlier, later) => earlier.every(([id, fields]) =>
	later.some(([other, set]) => other === id && Object.keys(set).some(name => name in fields)))

// inFours calls act for all items, four at a time, so that many take less long. If a call fails, inFours rejects once
// those beside it are done. While it works, the browser asks before it leaves the page, because the rest would be lost.
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

async function make(changes, words, done) {
	// "Try again" would set what has been decided otherwise since.
	closeNotices(notice => kept.failures.has(notice) && isReplaced(kept.failures.get(notice), changes))
	const made = []
	try {
		const replaced = await setAll(changes, made)
		decided(words, () => takeBack(made), made.flatMap(({own}) => own), replaced)
		done()
		return true
	} catch (error) {
		const notice = failed(error, () => changeAll(changes, words, done), `${words}. ${t.failed}`)
		if (notice) kept.failures.set(notice, changes)
		await takeBack(made).catch(() => {}) // without a network this fails too, and the first changes stay
		return false
	}
}

// setAll makes changes, and promises in words which decisions made elsewhere they replace. It adds to made what undoes
// each: {id, own, restored}, with own as waiting entries (lib/queue.js); those that were sent have no key.
async function setAll(changes, made) {
	const replaced = new Set()
	const {now, lost} = await askFor(changes)
	await inFours(changes, async ([id, listed, prepare]) => {
		const {set: fields = listed, undone = [], by = me(), since, restored, ...found} = await prepare?.() ?? {}
		const known = undone.reduce(withChange, flats.get(id))
		for (const was of found.others ?? differences(known, now.get(id), fields)) replaced.add(was)
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

// takeBack undoes what setAll has made. If that replaces a decision made elsewhere since, takeBack says so, with an
// Undo that restores it, and promises true.
async function takeBack(made) {
	const changes = await Promise.all(made.map(async ({id, own, restored}) => {
		const was = Object.fromEntries(own.map(({name, was}) => [name, was]))
		const {wasBy: by, wasSince: since} = own.find(({name}) => name === "status") ?? {}
		return [id, await restored?.() ?? was, () => ({undone: own, by: by || me(), since})]
	}))
	const again = []
	const replaced = await setAll(changes, again)
	if (replaced) decided(t.undone, () => takeBack(again), again.flatMap(({own}) => own), replaced)
	return Boolean(replaced)
}

// The fields that another device may have decided on.
const decidable = ["status", "notation", "rating", "visit_date", "next_step", "next_date"]
const columnOf = name => (name === "rating" ? "ratings" : name)

// askFor promises the service's values of such fields before the changes are made: {now}, by id. Without a network
// these are none, because what cannot be sent replaces nothing. If there is no answer in time, the changes wait for the
// error, lost: they are compared before they are sent, so that none replaces a decision that nobody has seen.
async function askFor(changes) {
	const names = decidable.filter(name => changes.some(([, fields]) => name in fields))
	const ofStatus = names.includes("status") ? ["status_since"] : []
	const further = people.length > 0 ? ofPeople : ofStatus
	const asked = [...names, ...further].filter(name => name !== "rating").join()
	const ids = names.length > 0 ? changes.map(([id]) => id) : []
	const found = []
	let lost = null
	try {
		for (const part of inHundreds(ids)) {
			const more = {"any[id]": part, fields: asked, "page[size]": 100}
			const {flats, asOf} = await look({}, more, {patience: 1_500}) // the user sees nothing until then
			if (asOf) break
			found.push(...flats)
		}
	} catch (error) {
		if (error.isLate) lost = error // the updates say what else is wrong
	}
	return {now: new Map(found.map(flat => [keyOf(flat), withWaiting(flat)])), lost}
}

// differences returns in words which values of a flat fields replace that this page did not know.
function differences(known, now = {}, fields) {
	return decidable
		.filter(name => name in fields && columnOf(name) in known && columnOf(name) in now)
		.filter(name => ![valueOf(known, name), fields[name]].some(value => same(valueOf(now, name), value)))
		.map(name => fieldsInWords({[name]: valueOf(now, name)}) + (name === "status" ? byWords(now) : ""))
}

// byWords writes who gave a flat its status, after the word for it.
export const byWords = ({status_by: name}) => (name && name !== me() ? " " + text(t.by_name, {name}) : "")
