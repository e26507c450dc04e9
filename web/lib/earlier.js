// What this browser keeps for other data than the service has: for what was at this path before, such as before a
// backup was restored, and under the names of earlier versions of the page, which all services of a host shared.
//
// takeSettings takes over what was chosen on this device, when it opens the page for the first time. findEarlier tells
// what was never sent, unless it is known to be of this service: kept.earlier has that, {before, values}, until
// takeEarlier has this service get it or dropEarlier deletes it. forgetEarlier deletes all of it.
//
// What was kept for a sample is of no use once the sample has ended, and the sample takes nothing over.

import {call, findPath} from "./api.js"
import {later} from "./dom.js"
import {kept} from "./kept.js"
import {parted} from "./keptlists.js"
import {alone, setWaiting, waitingKey} from "./queue.js"
import {isSample, keptAs, servicePath} from "./service.js"
import {allNames, inTime, storeAll, stored, storedNames, transact, use} from "./storage.js"

const shape = /^(\/\S* \S+ )?(flats\..*)$/s // of a name: what keptAs puts before it, if anything does, and the rest
const isOwn = before => before === keptAs("")
const isAtPath = before => before.startsWith(servicePath + " ") && !isOwn(before)
const isOfSample = before => before.startsWith(servicePath + " sample-")
const isUnsent = name => /^flats\.((waiting|add|searches)(\.|$)|notes\.)/.test(name)

// takeSettings copies what was chosen here before, from other data at this path or else from an earlier version.
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

function readFrom(area, name) {
	try {
		return JSON.parse(area.getItem(name))
	} catch {
		return null
	}
}

// openOld promises the database of earlier versions, and fails if there is none.
const openOld = () => new Promise((resolve, reject) => {
	const opening = indexedDB.open("flats")
	opening.onupgradeneeded = () => opening.transaction.abort() // so that none is made
	opening.onsuccess = () => resolve(opening.result)
	opening.onerror = () => reject(opening.error)
})

// useOld calls act with the copies of earlier versions, as use does with those of this one.
async function useOld(act, mode) {
	const database = await openOld()
	return transact(database, act, mode).finally(() => database.close())
}

const copiesOf = before => (before === "" ? useOld : use)

// keptForOthers promises all that is kept for others, [{before, values}], a Map of values by name for each beginning of
// names. Of a value that has two copies, it is the newer one (storage.js).
async function keptForOthers() {
	const getAll = copies => copies.getAll()
	const [old, copies] = await Promise.all([useOld, use].map(use => inTime(use(getAll, "readonly")).catch(() => [])))
	const groups = new Map()

	function put(whole, valueOf) {
		const [, before = "", name] = shape.exec(whole) ?? []
		if (!name || before !== "" && !isAtPath(before)) return
		if (!groups.has(before)) groups.set(before, new Map())
		groups.get(before).set(name, valueOf(before, name, groups.get(before)))
	}

	for (const name of allNames()) put(name, () => readFrom(localStorage, name))
	for (const {name, text, at, isOnly} of [...old, ...copies]) put(name, (before, name, values) => {
		const last = values.get(isOnly ? "flats.newer." + name : "flats.count")
		return at <= last ? values.get(name) ?? null : JSON.parse(text)
	})
	return [...groups].map(([before, values]) => ({before, values}))
}

// unsentOf returns what of a group was never sent: notes, drafts and views by name, and then changes in their order. A
// list that an earlier version kept under one name is parted.
function unsentOf({values}) {
	const isChange = name => name.startsWith(waitingKey)
	const inOrder = ([a, {at}], [b, {at: other}]) =>
		isChange(a) - isChange(b) || isChange(a) && at - other || (a < b ? -1 : 1)
	const unsent = [...values].filter(([name, value]) => isUnsent(name) && value != null)
	return new Map(unsent.flatMap(([name, value]) => [...parted(name, value)]).sort(inOrder))
}

// findEarlier tells by kept.earlier and the event "waiting" what was never sent. It takes over what is known to be of
// this service, whose names it promises, and deletes settings that takeSettings has taken over.
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

// onEarlier calls act once another tab has removed some of what kept.earlier has.
export function onEarlier(act) {
	const soon = later(act, 0)
	addEventListener("storage", ({key, newValue}) => {
		const isOf = ({before, names}) => names.some(name => before + name === key)
		if (newValue === null && kept.earlier.some(isOf)) soon()
	})
}

// isAlone reports whether no other service under this host is known to this browser. Where it is secure, each has a
// worker; elsewhere only the root of the host is taken for the only one.
async function isAlone() {
	const workers = await navigator.serviceWorker?.getRegistrations() ?? []
	const paths = [...workers.map(({scope}) => new URL(scope).pathname),
		...allNames().map(name => shape.exec(name)?.[1]?.split(" ")[0]).filter(Boolean)]
	return paths.every(path => path === servicePath) && (Boolean(navigator.serviceWorker) || servicePath === "/")
}

// isOfThis reports whether what an earlier version has kept is known to be for this service: there is no other one, and
// this one has all flats that it is about.
async function isOfThis(unsent) {
	const ids = new Set([...unsent].flatMap(([name, {id}]) =>
		(name.startsWith(waitingKey) ? String(id) : name.split("flats.notes.").slice(1))))
	try {
		return await isAlone() && await hasAll([...ids])
	} catch {
		return false // without a network, the user is asked
	}
}

async function hasAll(ids) {
	for (let at = 0; at < ids.length; at += 50) {
		const some = ids.slice(at, at + 50)
		const {total, asOf} = await call(findPath({}, {"any[id]": some, fields: "id", "page[size]": 1}))
		if (asOf || total < some.length) return false
	}
	return true
}

// takeEarlier has this service get what was kept for others, whose names it promises. Each change is compared with what
// the service has before it is sent, as all that wait (sender.js).
export async function takeEarlier(entry) {
	const left = await leftOf(entry)
	const values = new Map([...left].filter(([name]) => entry.values.has(name)))
	const taken = await take({...entry, values})
	if (taken.length === left.size) await drop(entry.before)
	await settled(entry, left)
	return taken
}

// leftOf promises what is kept by now in place of what the page has shown: another tab may have answered the question,
// and one that still shows the other data may have kept more.
async function leftOf(entry) {
	const group = (await keptForOthers()).find(({before}) => before === entry.before)
	return group ? unsentOf(group) : new Map()
}

// take stores what was never sent as that of this service, and returns the names. Notes of a flat that has others here
// stay until the page is opened after these are sent.
async function take({before, values, names}) {
	const isLeft = name => name.startsWith("flats.notes.") && stored(name) !== null
	const taken = [...values].filter(([name]) => !isLeft(name))
	const gone = names.filter(name => !isLeft(name))
	storeAll(new Map(taken.filter(([name]) => stored(name) === null)))
	if (taken.length > 0) {
		setWaiting(list => list) // as it is stored now
		dispatchEvent(new CustomEvent("unsent", {detail: true}))
	}
	await dropNames(before, gone)
	return taken.map(([name]) => name)
}

function removeName(name) {
	try {
		localStorage.removeItem(name)
	} catch {/* it is not allowed, and empty */}
}

// dropNames deletes what is kept under some names with a beginning: the copies first, because other tabs look at them
// once the rest is gone.
async function dropNames(before, names) {
	if (names.length === 0) return
	const all = names.map(name => before + name)
	await inTime(copiesOf(before)(copies => all.map(name => copies.delete(name)).at(-1))).catch(() => {})
	for (const name of all) removeName(name)
}

// drop deletes all that is kept under names with a beginning.
async function drop(before) {
	if (before === "") indexedDB.deleteDatabase("flats")
	else await inTime(use(copies => copies.delete(IDBKeyRange.bound(before, before + "\uffff")))).catch(() => {})
	for (const name of allNames()) if ((shape.exec(name)?.[1] ?? "") === before && shape.test(name)) removeName(name)
}

// dropEarlier deletes what was kept for others, as far as the page has shown it.
export async function dropEarlier(entry) {
	const left = await leftOf(entry)
	if (isAllShown(entry, left)) await drop(entry.before)
	else await dropNames(entry.before, entry.names)
	await settled(entry, left)
}

const isAllShown = ({values}, left) => [...left.keys()].every(name => values.has(name))

async function settled(entry, left) {
	kept.earlier = kept.earlier.filter(other => other !== entry)
	dispatchEvent(new Event("waiting"))
	if (!isAllShown(entry, left)) await findEarlier()
}

// forgetEarlier deletes all that the page has shown of what was kept for others, and what needs no question.
export async function forgetEarlier() {
	const shown = kept.earlier.map(({before}) => before)
	kept.earlier = []
	if (isSample) return
	for (const group of await keptForOthers())
		if (shown.includes(group.before) || unsentOf(group).size === 0) await drop(group.before)
}
