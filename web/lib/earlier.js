// Data that this browser keeps for somebody else than the present service: for another service or other data that was
// at this path before, for example before a backup was restored; and for earlier versions of the page, which used names
// that all services of a host shared.
//
// takeSettings copies the settings of this device when the page is first opened. findEarlier looks for changes that
// were never sent. It takes those over that surely belong to this service, and puts the others into kept.earlier, for
// the user to decide: takeEarlier sends them to this service, dropEarlier deletes them. forgetEarlier deletes
// everything.
//
// What was kept for a sample is useless once the sample has ended, and a sample takes nothing over.
//
// In this file, before is the prefix that keptAs puts before a name, "" for earlier versions. A group is {before,
// values}, with a Map of values by name; an entry of kept.earlier is a group with only what was never sent, and names,
// which has the names of all that.

import {call, findPath} from "./api.js"
import {later} from "./dom.js"
import {kept} from "./kept.js"
import {parted} from "./keptlists.js"
import {alone, setWaiting, waitingKey} from "./queue.js"
import {isSample, keptAs, servicePath} from "./service.js"
import {allNames, inTime, storeAll, stored, storedNames, transact, use} from "./storage.js"

const shape = /^(\/\S* \S+ )?(flats\..*)$/s // matches a name in storage: its prefix, if any, and the rest

// These tell what a prefix, before, belongs to, and whether a name has values that were not sent.
const isOwn = before => before === keptAs("")
const isAtPath = before => before.startsWith(servicePath + " ") && !isOwn(before)
const isOfSample = before => before.startsWith(servicePath + " sample-")
const isUnsent = name => /^flats\.((waiting|add|searches)(\.|$)|notes\.)/.test(name)

// takeSettings copies the settings of other data at this path, or else of an earlier version, if nothing is stored yet.
export function takeSettings() {
	if (isSample || storedNames().some(name => name !== "flats.count")) return
	const all = allNames().map(name => shape.exec(name)).filter(Boolean)
	const before = all.map(([, before = ""]) => before).find(before => isAtPath(before) && !isOfSample(before)) ?? ""
	for (const area of ["localStorage", "sessionStorage"]) {
		const values = new Map()
		for (const whole of allNames(area)) {
			const [, at = "", name] = shape.exec(whole) ?? []
			if (!name || at !== before || isUnsent(name) || /^flats\.(count|newer\.)/.test(name)) continue
			values.set(name, readFrom(globalThis[area], whole))
		}
		storeAll(values, area)
	}
}

// readFrom parses a value in a storage area, or returns null.
function readFrom(area, name) {
	try {
		return JSON.parse(area.getItem(name))
	} catch {
		return null
	}
}

// openOld promises the database of earlier versions, and rejects if there is none.
const openOld = () => new Promise((resolve, reject) => {
	const opening = indexedDB.open("flats")
	opening.onupgradeneeded = () => opening.transaction.abort() // do not create it
	opening.onsuccess = () => resolve(opening.result)
	opening.onerror = () => reject(opening.error)
})

// useOld is use (storage.js) for the database of earlier versions.
async function useOld(act, mode) {
	const database = await openOld()
	return transact(database, act, mode).finally(() => database.close())
}

// copiesOf returns the function that uses the database with the names of a prefix.
const copiesOf = before => (before === "" ? useOld : use)

// keptForOthers promises all groups. A value may be in localStorage and in a database; it takes the newer one.
async function keptForOthers() {
	const getAll = copies => copies.getAll()
	const [old, copies] = await Promise.all([useOld, use]
		.map(useCopies => inTime(useCopies(getAll, "readonly")).catch(() => [])))
	const groups = new Map()

	// put adds a value to its group. whole is the name with the prefix; valueOf(before, name, values) returns the
	// value.
	function put(whole, valueOf) {
		const [, before = "", name] = shape.exec(whole) ?? []
		if (!name || before !== "" && !isAtPath(before)) return
		if (!groups.has(before)) groups.set(before, new Map())
		groups.get(before).set(name, valueOf(before, name, groups.get(before)))
	}

	for (const name of allNames()) put(name, () => readFrom(localStorage, name))
	for (const {name, text, at, isOnly} of [...old, ...copies]) put(name, (before, name, values) => {
		const last = values.get(isOnly ? "flats.newer." + name : "flats.count") // of the writes that localStorage has
		const isOlder = at <= last
		return isOlder ? values.get(name) ?? null : JSON.parse(text)
	})
	return [...groups].map(([before, values]) => ({before, values}))
}

// unsentOf returns what a group has that was never sent, as a Map by name: notes, drafts and searches, then changes in
// their order. It splits lists that an earlier version stored under one name.
function unsentOf({values}) {
	const isChange = name => name.startsWith(waitingKey)
	const byTime = ({at}, {at: other}) => at - other
	const inOrder = ([a, one], [b, other]) =>
		isChange(a) - isChange(b) || isChange(a) && byTime(one, other) || (a < b ? -1 : 1)
	const unsent = [...values].filter(([name, value]) => isUnsent(name) && value != null)
	return new Map(unsent.flatMap(([name, value]) => [...parted(name, value)]).sort(inOrder))
}

// findEarlier looks for values that were never sent. It takes over those that surely belong to this service, and
// promises their names. The others it puts into kept.earlier, and dispatches "waiting". Groups of which nothing is left
// to send are deleted.
export const findEarlier = () => alone("flats.earlier", async () => {
	const [found, taken] = [[], []]
	for (const group of await keptForOthers()) {
		const {before} = group
		const unsent = unsentOf(group)
		const entry = {before, values: unsent, names: [...group.values.keys()].filter(isUnsent)}
		if (isOfSample(before)) await drop(before)
		else if (isSample) continue
		else if (unsent.size > 0 && !(before === "" && await isOfThis(unsent))) found.push(entry)
		else {
			const names = await take(entry)
			taken.push(...names)
			if (names.length === unsent.size && (before !== "" || await isAlone())) await drop(before)
		}
	}
	kept.earlier = found
	dispatchEvent(new Event("waiting"))
	return taken
})

// onEarlier calls act after another tab has removed something of what kept.earlier names.
export function onEarlier(act) {
	const soon = later(act, 0)
	addEventListener("storage", ({key, newValue}) => {
		const isOf = ({before, names}) => names.some(name => before + name === key)
		if (newValue === null && kept.earlier.some(isOf)) soon()
	})
}

// isAlone promises whether this browser knows no other service on this host. With HTTPS each service has a worker.
// Without, only a service at the root of the host counts as alone.
async function isAlone() {
	const workers = await navigator.serviceWorker?.getRegistrations() ?? []
	const paths = [...workers.map(({scope}) => new URL(scope).pathname),
		...allNames().map(name => shape.exec(name)?.[1]?.split(" ")[0]).filter(Boolean)]
	return paths.every(path => path === servicePath) && (Boolean(navigator.serviceWorker) || servicePath === "/")
}

// isOfThis promises whether the unsent values of an earlier version belong to this service: no other is known, and this
// one has all flats that they are about. Changes have the id of their flat, notes have it in their name.
async function isOfThis(unsent) {
	const ids = new Set([...unsent].flatMap(([name, {id}]) =>
		(name.startsWith(waitingKey) ? String(id) : name.split("flats.notes.").slice(1))))
	try {
		return await isAlone() && await hasAll([...ids])
	} catch {
		return false // without a network, the user is asked
	}
}

// hasAll promises whether the service has all flats with some ids.
async function hasAll(ids) {
	for (let at = 0; at < ids.length; at += 50) {
		const some = ids.slice(at, at + 50)
		const {total, asOf} = await call(findPath({}, {"any[id]": some, fields: "id", "page[size]": 1}))
		if (asOf || total < some.length) return false
	}
	return true
}

// takeEarlier takes over an entry of kept.earlier and promises the names of its values. Each change is compared with
// the flat before it is sent, as all that wait (sender.js).
export async function takeEarlier(entry) {
	const present = await storedNow(entry)
	const values = new Map([...present].filter(([name]) => entry.values.has(name)))
	const taken = await take({...entry, values})
	if (taken.length === present.size) await drop(entry.before)
	await removeEntry(entry, present)
	return taken
}

// storedNow promises the unsent values that are stored now for an entry: another tab may have answered the question,
// and a tab that still shows the other data may have added some.
async function storedNow(entry) {
	const group = (await keptForOthers()).find(({before}) => before === entry.before)
	return group ? unsentOf(group) : new Map()
}

// take moves the values of an entry to this service, and promises their names. Notes of a flat that already has notes
// here stay where they are until these are sent and the page is opened again.
async function take({before, values, names}) {
	const isLeft = name => name.startsWith("flats.notes.") && stored(name) !== null
	const taken = [...values].filter(([name]) => !isLeft(name))
	const gone = names.filter(name => !isLeft(name))
	storeAll(new Map(taken.filter(([name]) => stored(name) === null)))
	if (taken.length > 0) {
		setWaiting(list => list) // read it again
		dispatchEvent(new CustomEvent("unsent", {detail: true}))
	}
	await dropNames(before, gone)
	return taken.map(([name]) => name)
}

// removeName removes a name from localStorage.
function removeName(name) {
	try {
		localStorage.removeItem(name)
	} catch {/* no storage is allowed, so nothing is there */}
}

// dropNames deletes some names with a prefix. The copies in the database go first, because other tabs look at them when
// localStorage changes.
async function dropNames(before, names) {
	if (names.length === 0) return
	const all = names.map(name => before + name)
	await inTime(copiesOf(before)(copies => all.map(name => copies.delete(name)).at(-1))).catch(() => {})
	for (const name of all) removeName(name)
}

// drop deletes everything with a prefix.
async function drop(before) {
	if (before === "") indexedDB.deleteDatabase("flats")
	else await inTime(use(copies => copies.delete(IDBKeyRange.bound(before, before + "\uffff")))).catch(() => {})
	for (const name of allNames()) if ((shape.exec(name)?.[1] ?? "") === before && shape.test(name)) removeName(name)
}

// dropEarlier deletes an entry of kept.earlier, and with it the whole group unless other values have come since it was
// shown.
export async function dropEarlier(entry) {
	const present = await storedNow(entry)
	if (isAllShown(entry, present)) await drop(entry.before)
	else await dropNames(entry.before, entry.names)
	await removeEntry(entry, present)
}

// isAllShown reports whether an entry has all values that are present.
const isAllShown = ({values}, present) => [...present.keys()].every(name => values.has(name))

// removeEntry removes an entry from kept.earlier. If further values are present, it looks for them again.
async function removeEntry(entry, present) {
	kept.earlier = kept.earlier.filter(other => other !== entry)
	dispatchEvent(new Event("waiting"))
	if (!isAllShown(entry, present)) await findEarlier()
}

// forgetEarlier deletes the groups in kept.earlier, and all others with nothing unsent.
export async function forgetEarlier() {
	const shown = kept.earlier.map(({before}) => before)
	kept.earlier = []
	if (isSample) return
	for (const group of await keptForOthers())
		if (shown.includes(group.before) || unsentOf(group).size === 0) await drop(group.before)
}
