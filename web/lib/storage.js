// Stores values in this browser beyond the closing of the page, for one service (service.js).
//
// stored and store read and write a value, storeAll writes many at once, storedNames lists the names. onStored reports
// what other tabs store. forgetStored deletes everything. keptlists.js has the lists that several tabs change,
// earlier.js the values of other services.
//
// Values are in localStorage, which can be read at once. But it may be full, and browsers write it to disk only after
// seconds, before which a phone may kill them. So each value is also copied to a database, which is on disk once
// written. When the page opens, restore takes from there what localStorage has lost or did not take. A value that
// neither takes lasts as long as the page; kept.unkept has its name. If several tabs store a value that localStorage
// does not take, the database has the last one.

import {kept} from "./kept.js"
import {keptAs, servicePath} from "./service.js"

// countKey names a number that grows with each call of storeAll. It follows the clock, because two tabs may count at
// the same time.
const countKey = "flats.count"

// newerKey, followed by a name, names the count at which localStorage took a value for that name again, after it had
// refused one.
const newerKey = "flats.newer."

const longAgo = 86_400_000 // milliseconds after which localStorage is surely on disk

// stored returns the value under a name, or null. area is "localStorage", or "sessionStorage" for values of this tab
// alone.
export function stored(name, area = "localStorage") {
	const isInMemory = area === "localStorage" && kept.unstored.has(name)
	try {
		return JSON.parse(isInMemory ? kept.unstored.get(name) : globalThis[area].getItem(keptAs(name)))
	} catch {
		return null
	}
}

// storedNames returns the names of all stored values, except those in sessionStorage.
export const storedNames = () => [...new Set([...ownNames(), ...kept.unstored.keys()])]

// allNames returns the full names in an area, of all services.
export function allNames(area = "localStorage") {
	try {
		return Object.keys(globalThis[area])
	} catch {
		return [] // it is not allowed
	}
}

// ownNames returns this service's names in an area, without the prefix of keptAs.
const ownNames = area => allNames(area).filter(name => name.startsWith(keptAs("")))
	.map(name => name.slice(keptAs("").length))

// put writes a text to an area, or removes it if it is null, and reports whether that worked.
function put(name, text, area = "localStorage") {
	try {
		if (text == null) globalThis[area].removeItem(keptAs(name))
		else globalThis[area].setItem(keptAs(name), text)
		return true
	} catch {
		return false // full, or not allowed
	}
}

// store stores a value under a name; null removes it. It does nothing after forgetStored.
export const store = (name, value, area) => storeAll(new Map([[name, value]]), area)

// storeAll stores values by name, a Map, as store does. The database takes them in one transaction.
export function storeAll(values, area = "localStorage") {
	if (kept.isForgotten || values.size === 0) return
	const at = Math.max(stored(countKey) + 1, Date.now())
	const copies = [...values].map(([name, value]) => {
		kept.touched.add(name)
		const text = value == null ? null : JSON.stringify(value)
		const isStored = put(name, text, area) || text == null // removing only fails where no storage is allowed
		return {name, text, at, isOnly: !isStored}
	})
	if (area !== "localStorage") return
	put(countKey, at)
	keepCopies(copies)
}

// keepCopies writes copies to the database, and keeps track of values that localStorage did not take.
function keepCopies(copies) {
	const {unstored, unkept} = kept
	const taken = copies.filter(({isOnly}) => !isOnly)
	const refused = copies.filter(({isOnly}) => isOnly)
	for (const {name, at} of taken) if (unstored.delete(name)) put(newerKey + name, at)
	for (const {name, text} of refused) unstored.set(name, text)
	const sizeBefore = unkept.size
	for (const {name} of taken) unkept.delete(name)
	if (unkept.size < sizeBefore) dispatchEvent(new Event("waiting"))
	const lastPut = store => copies.map(copy => store.put({...copy, name: keptAs(copy.name)})).at(-1)
	const writing = useCopies(lastPut)
	writing.catch(() => {/* localStorage has them, and watch handles the others */})
	for (const {name, text} of refused) watch(name, text, writing)
}

// watch waits for the database to take a text that localStorage did not take, and sets kept.unkept accordingly. The
// event "waiting" reports a change of kept.unkept.
function watch(name, text, writing) {
	// mark records whether the database has the text.
	function mark(isKept) {
		const {unstored, unkept} = kept
		const wasKept = !unkept.has(name)
		const isReplaced = unstored.get(name) !== text // another text has been stored since
		if (isKept === wasKept || isReplaced) return
		if (isKept) unkept.delete(name)
		else unkept.add(name)
		dispatchEvent(new Event("waiting"))
	}
	writing.then(() => mark(true), () => {})
	inTime(writing).catch(() => mark(false))
}

// inTime rejects if a promise of the database takes more than 3 s: in some browsers it may never open.
export const inTime = promise => Promise.race([promise, new Promise((_, reject) => setTimeout(reject, 3_000))])

// useCopies calls act with the object store that has the copies, and promises the result of the request that act
// returns, once it is on disk. A copy is {name, text, at, isOnly}: at is the count (countKey) at which it was written,
// isOnly is true if localStorage did not take the text. All services that were ever at this path share the database, so
// that each can find the values of the others. mode is "readonly" or "readwrite", the default (transact).
export async function useCopies(act, mode) {
	kept.database ??= new Promise((resolve, reject) => {
		const opening = indexedDB.open(servicePath + " flats")
		opening.onupgradeneeded = () => opening.result.createObjectStore("copies", {keyPath: "name"})
		opening.onsuccess = () => {
			opening.result.onclose = () => (kept.database = null) // browsers may close it in the background
			resolve(opening.result)
		}
		opening.onerror = () => {
			kept.database = null // try again the next time
			reject(opening.error)
		}
	})
	return transact(await kept.database, act, mode)
}

// transact does the work of useCopies in a database.
export function transact(database, act, mode = "readwrite") {
	const transaction = database.transaction("copies", mode, {durability: "strict"})
	return new Promise((resolve, reject) => {
		const request = act(transaction.objectStore("copies"))
		transaction.oncomplete = () => resolve(request.result)
		transaction.onabort = () => reject(transaction.error)
	})
}

// ownCopies returns the range of names of this service in the database.
const ownCopies = () => IDBKeyRange.bound(keptAs(""), keptAs("\uffff"))

// restore stores again what localStorage lost or did not take. It waits for the database for 3 s. If the copies come
// later, it dispatches "late" with each name, and does not overwrite values that the page has stored meanwhile.
export async function restore() {
	const countAtOpening = stored(countKey)
	let isLate = false

	// bringBack stores the values of copies that are newer than those in localStorage.
	function bringBack(copies) {
		if (kept.isForgotten) return
		// lastStored is the count of the last write that localStorage surely has. Other tabs may have written since the
		// request. But if the copies come late, this page has written too, and the count at its opening decides.
		const lastStored = isLate ? countAtOpening : stored(countKey)
		put(countKey, Math.max(stored(countKey), ...copies.map(({at}) => at)))
		const lost = copies.map(copy => ({...copy, name: copy.name.slice(keptAs("").length)}))
			.filter(({name, at, isOnly}) => at > (isOnly ? stored(newerKey + name) : lastStored))
		const toRestore = lost.filter(({name}) => !isLate || !kept.touched.has(name))
		for (const {name, text, isOnly} of toRestore) if (isOnly) kept.unstored.set(name, text)
		storeAll(new Map(toRestore.map(({name, text}) => [name, JSON.parse(text)])))
		clean(copies)
		if (isLate) for (const {name} of lost) dispatchEvent(new CustomEvent("late", {detail: {name}}))
	}

	try {
		await inTime(useCopies(all => all.getAll(ownCopies())).then(bringBack))
	} catch {
		isLate = true // until the copies come, there is only localStorage
	}
}

// clean deletes what is of no further use: counts under newerKey, and old copies that only record a removal.
function clean(copies) {
	const refused = new Set(copies.filter(({isOnly}) => isOnly).map(({name}) => name)) // by localStorage
	for (const name of ownNames().filter(name => name.startsWith(newerKey)))
		if (!refused.has(keptAs(name.slice(newerKey.length)))) put(name, null)
	const isOld = ({text, at}) => text === null && at < Date.now() - longAgo
	if (!copies.some(isOld)) return
	const dropOld = ({target: {result: cursor}}) => { // is called for each copy, and at the end without a cursor
		if (cursor && isOld(cursor.value)) cursor.delete()
		cursor?.continue()
	}
	useCopies(all => Object.assign(all.openCursor(ownCopies()), {onsuccess: dropOld})).catch(() => {/* the next time */})
}

// onStored calls act(name, text) when another tab has stored a text, or null when it has removed one.
export const onStored = act => addEventListener("storage", ({key, newValue}) => {
	if (key?.startsWith(keptAs(""))) act(key.slice(keptAs("").length), newValue)
})

// If another page of this host has cleared localStorage, the copies are still there, unless they were cleared, too. For
// that case the event "cleared" makes the page store again the values that it shows.
addEventListener("storage", async ({key}) => {
	if (key !== null) return
	await restore()
	dispatchEvent(new Event("cleared"))
})

// onForgottenElsewhere calls act when another tab has called forgetStored: nothing else removes the value of countKey.
export const onForgottenElsewhere = act => onStored((name, text) => {
	if (name === countKey && text === null) act()
})

// forgetStored deletes everything that is stored. Nothing is stored again until the page is next opened.
export function forgetStored() {
	const isFirst = !kept.isForgotten
	kept.isForgotten = true
	kept.unstored.clear()
	kept.unkept.clear()
	for (const area of ["localStorage", "sessionStorage"]) for (const name of ownNames(area)) put(name, null, area)
	if (isFirst) put(countKey, 1) // other tabs notice only the removal of a value that is there
	put(countKey, null)
	useCopies(copies => copies.delete(ownCopies())).catch(() => {})
}
