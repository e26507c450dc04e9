// What this browser keeps when the page is closed. stored and store read and write it, storeAll writes much at once,
// storedNames lists it, onStored tells what other tabs have stored, forgetStored deletes it. All of it is that of one
// service (service.js): earlier.js has what is kept for others. keptlists.js has the lists that several tabs change.
//
// It is in localStorage, which can be read at once. But browsers write that to disk seconds later, and a phone may kill
// them before; and it may be full. So a copy of each value is written to a database, which is on disk once it is
// written; restore, when the page is opened, takes from there what localStorage has lost or did not take. What neither
// takes lasts as long as the page, and kept.unkept has its name. If several tabs have what localStorage did not take,
// the database has that of the tab that wrote last.

import {kept} from "./kept.js"
import {keptAs, servicePath} from "./service.js"

const countKey = "flats.count" // grows with each call of storeAll, by the clock: two tabs may count at the same time
const newerKey = "flats.newer." // and a name: the count of a text that localStorage took after it had not taken one
const longAgo = 86_400_000 // milliseconds after which localStorage has surely been written to disk

// stored returns what store kept under a name, or null if there is nothing. area is "localStorage", or
// "sessionStorage" for what belongs to this tab.
export function stored(name, area = "localStorage") {
	const isInMemory = area === "localStorage" && kept.unstored.has(name)
	try {
		return JSON.parse(isInMemory ? kept.unstored.get(name) : globalThis[area].getItem(keptAs(name)))
	} catch {
		return null
	}
}

// storedNames returns the names in localStorage, and those that it did not take.
export const storedNames = () => [...new Set([...ownNames(), ...kept.unstored.keys()])]

// allNames returns the names in an area as they stand there, of all services.
export function allNames(area = "localStorage") {
	try {
		return Object.keys(globalThis[area])
	} catch {
		return [] // it is not allowed
	}
}

// ownNames returns the names of this service in an area, without what keptAs has put before them.
const ownNames = area => allNames(area).filter(name => name.startsWith(keptAs("")))
	.map(name => name.slice(keptAs("").length))

// put writes the text of a name to an area, and reports whether it could; null removes it.
function put(name, text, area = "localStorage") {
	try {
		if (text == null) globalThis[area].removeItem(keptAs(name))
		else globalThis[area].setItem(keptAs(name), text)
		return true
	} catch {
		return false // full, or not allowed
	}
}

// store keeps a value under a name in this browser; null removes it. After forgetStored it does nothing.
export const store = (name, value, area) => storeAll(new Map([[name, value]]), area)

// storeAll stores values by their names, as store does. The database takes them in one transaction.
export function storeAll(values, area = "localStorage") {
	if (kept.isForgotten || values.size === 0) return
	const at = Math.max(stored(countKey) + 1, Date.now())
	const copies = [...values].map(([name, value]) => {
		kept.touched.add(name)
		const text = value == null ? null : JSON.stringify(value)
		const isStored = put(name, text, area) || text == null // what cannot be removed is not there
		return {name, text, at, isOnly: !isStored}
	})
	if (area !== "localStorage") return
	put(countKey, at)
	keepCopies(copies)
}

// keepCopies writes copies to the database.
function keepCopies(copies) {
	const {unstored, unkept} = kept
	const [ours, only] = [false, true].map(isOnly => copies.filter(copy => copy.isOnly === isOnly))
	for (const {name, at} of ours) if (unstored.delete(name)) put(newerKey + name, at)
	for (const {name, text} of only) unstored.set(name, text)
	if (ours.filter(({name}) => unkept.delete(name)).length > 0) dispatchEvent(new Event("waiting"))
	const writing = use(all => copies.map(copy => all.put({...copy, name: keptAs(copy.name)})).at(-1))
	writing.catch(() => {/* localStorage has the others, too */})
	for (const {name, text} of only) watch(name, text, writing)
}

// watch finds out whether the database takes a text that localStorage did not take. The event "waiting" reports a
// change of kept.unkept.
function watch(name, text, writing) {
	function mark(isKept) {
		const {unstored, unkept} = kept
		const isMarked = isKept !== unkept.has(name)
		if (isMarked || unstored.get(name) !== text) return // by now another text is stored
		if (isKept) unkept.delete(name)
		else unkept.add(name)
		dispatchEvent(new Event("waiting"))
	}
	writing.then(() => mark(true), () => {})
	inTime(writing).catch(() => mark(false))
}

// inTime rejects if a promise of the database takes more than 3 s: some browsers have had one that never opens.
export const inTime = promise => Promise.race([promise, new Promise((_, reject) => setTimeout(reject, 3_000))])

// use calls act with the copies in the database, and promises the result of its request once that is on disk. A copy
// is {name, text, at, isOnly}: at is the count of its writing, isOnly is true if localStorage did not take the text.
// All services that were ever at this path share the database, so that each finds what is kept for the others.
export async function use(act, mode) {
	kept.database ??= new Promise((resolve, reject) => {
		const opening = indexedDB.open(servicePath + " flats")
		opening.onupgradeneeded = () => opening.result.createObjectStore("copies", {keyPath: "name"})
		opening.onsuccess = () => {
			opening.result.onclose = () => (kept.database = null) // browsers may close it in the background
			resolve(opening.result)
		}
		opening.onerror = () => {
			kept.database = null // the next time, it may open
			reject(opening.error)
		}
	})
	return transact(await kept.database, act, mode)
}

// transact calls act with the copies in a database, as use does.
export function transact(database, act, mode = "readwrite") {
	const transaction = database.transaction("copies", mode, {durability: "strict"})
	return new Promise((resolve, reject) => {
		const request = act(transaction.objectStore("copies"))
		transaction.oncomplete = () => resolve(request.result)
		transaction.onabort = () => reject(transaction.error)
	})
}

const ownCopies = () => IDBKeyRange.bound(keptAs(""), keptAs("\uffff"))

// restore stores again what localStorage did not take, and what was written after what it has. It waits for the
// database for 3 s. Of what comes later it reports each name by the event "late", and stores the value unless the page
// has stored another one meanwhile.
export async function restore() {
	const count = stored(countKey)
	let isLate = false

	function bringBack(copies) {
		if (kept.isForgotten) return
		const last = isLate ? count : stored(countKey) // other tabs may have stored more since the database was asked
		put(countKey, Math.max(stored(countKey), ...copies.map(({at}) => at)))
		const lost = copies.map(copy => ({...copy, name: copy.name.slice(keptAs("").length)}))
			.filter(({name, at, isOnly}) => at > (isOnly ? stored(newerKey + name) : last))
		const missing = lost.filter(({name}) => !isLate || !kept.touched.has(name))
		for (const {name, text, isOnly} of missing) if (isOnly) kept.unstored.set(name, text)
		storeAll(new Map(missing.map(({name, text}) => [name, JSON.parse(text)])))
		clean(copies)
		if (isLate) for (const {name} of lost) dispatchEvent(new CustomEvent("late", {detail: {name}}))
	}

	try {
		await inTime(use(all => all.getAll(ownCopies())).then(bringBack))
	} catch {
		isLate = true // until then, localStorage is all there is
	}
}

// clean deletes what says of a name only that nothing is kept under it, once that is of no use.
function clean(copies) {
	const only = new Set(copies.filter(({isOnly}) => isOnly).map(({name}) => name))
	for (const name of ownNames().filter(name => name.startsWith(newerKey)))
		if (!only.has(keptAs(name.slice(newerKey.length)))) put(name, null)
	const isOld = ({text, at}) => text === null && at < Date.now() - longAgo
	if (!copies.some(isOld)) return
	const drop = ({target: {result: cursor}}) => {
		if (cursor && isOld(cursor.value)) cursor.delete()
		cursor?.continue()
	}
	use(all => Object.assign(all.openCursor(ownCopies()), {onsuccess: drop})).catch(() => {/* the next time */})
}

// onStored calls act(name, text) when another tab has stored the text, or removed it: then it is null.
export const onStored = act => addEventListener("storage", ({key, newValue}) => {
	if (key?.startsWith(keptAs(""))) act(key.slice(keptAs("").length), newValue)
})

// Another page of this host has cleared localStorage, of all services. The copies are still there, unless these were
// cleared, too: then the event "cleared" has the page store again what it shows.
addEventListener("storage", async ({key}) => {
	if (key !== null) return
	await restore()
	dispatchEvent(new Event("cleared"))
})

// onForgotten calls act when another tab has forgotten what is kept: nothing else removes the count.
export const onForgotten = act => onStored((name, text) => name === countKey && text === null && act())

// forgetStored deletes what store kept, for good: nothing is kept again until the page is next opened.
export function forgetStored() {
	const isFirst = !kept.isForgotten
	kept.isForgotten = true
	for (const all of [kept.unstored, kept.unkept]) all.clear()
	for (const area of ["localStorage", "sessionStorage"]) for (const name of ownNames(area)) put(name, null, area)
	if (isFirst) put(countKey, 1) // now there is room for it; other tabs notice that it goes
	put(countKey, null)
	use(copies => copies.delete(ownCopies())).catch(() => {})
}
