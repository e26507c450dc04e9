// The changes that wait for the network, which this browser keeps. sender.js sends them in their order once the
// service can be reached again.
//
// flats.js asks isWaitable and mustWait, calls wait for a change that could not be sent, withWaiting for each flat
// that it gets, and withAllWaiting for each answer to a query that the worker kept. waiting, countWaiting and questions
// say what waits. next, sent, ask, keepMine and keepTheirs are for sender.js: before a change is sent, the field is
// compared by value with what it was here. Where it differs, or the service refuses, the change becomes a question:
// {…, theirs, reason}, with the value that the service has.

import {keyOf, statusOf} from "./fields.js"
import {kept} from "./kept.js"
import {store, stored} from "./storage.js"

const name = "flats.waiting" // in the browser's storage
const fields = ["status", "notation", "visit_date", "merged_ids", "not_duplicates"]

// same reports whether two values of a field are the same as JSON.
export const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)
const ofField = ({id, name}) => other => other.id === id && other.name === name
const changed = () => dispatchEvent(new Event("waiting"))

// waiting returns the changes that wait, the oldest first.
export const waiting = () => kept.waiting ??= stored(name) ?? []

// setWaiting replaces the changes by what act returns for them. Another tab may have changed them.
function setWaiting(act) {
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

// mustWait reports whether a change of a flat has to wait because earlier ones do.
export const mustWait = (id, change) => Boolean(next()) ||
	waiting().some(entry => entry.id === id && entry.name in change)

// wait keeps a change of a flat, each field as an entry of its own.
export function wait(id, change, before) {
	const entries = Object.entries(change).map(([name, set]) => ({key: Math.random(), id, name,
		was: before?.[name] ?? null, set, title: before?.title}))
	setWaiting(list => [...list, ...entries])
	dispatchEvent(new Event("unsent"))
}

// withWaiting returns a flat with the changes that wait for it.
export function withWaiting(flat) {
	const id = String(flat.id)
	const mine = waiting().filter(entry => entry.id === id)
	return mine.length > 0 ? {...flat, ...Object.fromEntries(mine.map(({name, set}) => [name, set]))} : flat
}

// conditions has functions that report whether a flat meets a condition of a query, by the name of its parameter.
const conditions = {
	"any[status]": (flat, values) => values.includes(statusOf(flat)),
	"not[status]": (flat, values) => !values.includes(statusOf(flat)),
	"known[gone]": ({gone}, [value]) => (gone != null) === (value === "yes"),
	"known[visit_date]": ({visit_date: date}, [value]) => (date != null) === (value === "yes"),
}
const free = ["sort", "nulls", "counts", "fields", "page[size]", "page[number]"] // these are no conditions

// withAllWaiting returns a kept answer to a query as it will be once all changes are sent: without the flats that
// they remove from it, and with those that they add, at the beginning, because the last decided come first. A query
// with any other condition gets no further flats, because it is not known whether they meet it. knownFlat promises a
// flat by its id, or nothing.
export async function withAllWaiting(answer, query, knownFlat) {
	const names = [...new Set(query.keys())].filter(name => !free.includes(name))
	const isPlain = names.every(name => name in conditions)
	const meets = (flat, names) => names.every(name => conditions[name]?.(flat, query.getAll(name)) ?? true)
	const isWhole = answer.total === answer.flats.length
	const byStatus = {...answer.counts?.status}
	let {total, flats} = answer
	for (const id of new Set(waiting().map(({id}) => id))) {
		const isFound = flats.some(flat => keyOf(flat) === id)
		const known = (isPlain || isFound) && await knownFlat(id)
		if (!known) continue
		const now = withWaiting(known)
		const mine = waiting().filter(entry => entry.id === id)
		const before = {...now, ...Object.fromEntries(mine.reverse().map(({name, was}) => [name, was]))}
		const belongs = meets(now, names)
		total += belongs - (isFound || !isWhole && meets(before, names))
		if (!belongs) flats = flats.filter(flat => keyOf(flat) !== id)
		else if (!isFound && !(query.get("page[number]") > 0)) flats = [now, ...flats]
		// The counts by status are those of flats of any status.
		if (!isPlain || !meets(now, names.filter(name => !name.endsWith("[status]")))) continue
		for (const [flat, n] of [[before, -1], [now, 1]]) byStatus[statusOf(flat)] = (byStatus[statusOf(flat)] ?? 0) + n
	}
	const status = Object.fromEntries(Object.entries(byStatus).filter(([, n]) => n > 0))
	return {...answer, total, flats, counts: {...answer.counts, status}}
}

// next returns the first change that can be sent: one of a field that no question is about.
export const next = () => waiting().find(entry => !waiting().some(other => "theirs" in other && ofField(entry)(other)))

// sent removes a change that the service has by now.
export const sent = ({key}) => setWaiting(list => list.filter(other => other.key !== key))

// ask makes a change a question.
export const ask = ({key}, theirs, reason) =>
	setWaiting(list => list.map(entry => (entry.key === key ? {...entry, theirs, reason} : entry)))

// keepMine answers a question: the value here is sent, since the other one has been seen.
export const keepMine = ({key, id, name, theirs, set, title}) =>
	setWaiting(list => [...list.filter(other => !ofField({id, name})(other)), {key, id, name, was: theirs, set, title}])

// keepTheirs answers a question: the value here is dropped.
export const keepTheirs = question => setWaiting(list => list.filter(other => !ofField(question)(other)))

// questions returns the questions, each with the value that the field has here by now.
export const questions = () => waiting().filter(entry => "theirs" in entry)
	.map(entry => ({...entry, set: waiting().findLast(ofField(entry)).set}))

// forget drops what waits.
export const forget = () => setWaiting(() => [])
