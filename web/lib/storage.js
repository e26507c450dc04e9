// What this browser keeps when the page is closed. stored and store read and write it, storedNames lists it,
// forgetStored deletes it.
//
// It is in localStorage, which can be read at once. But browsers write that to disk seconds later, and a phone may kill
// them before; and it may be full. So a copy of each value is written to a database, which is on disk once it is
// written; restore, when the page is opened, takes from there what localStorage has lost or did not take. What neither
// takes lasts as long as the page, and kept.unkept has its name. If several tabs have what localStorage did not take,
// the database has that of the tab that wrote last.

import {kept} from "./kept.js"

const countKey = "flats.count" // the number of calls of store
const newerKey = "flats.newer." // and a name: the count of a text that localStorage took after it had not taken one

// stored returns what store kept under a name, or null if there is nothing. area is "localStorage", or
// "sessionStorage" for what belongs to this tab.
export function stored(name, area = "localStorage") {
	const isInMemory = area === "localStorage" && kept.unstored.has(name)
	try {
		return JSON.parse(isInMemory ? kept.unstored.get(name) : globalThis[area].getItem(name))
	} catch {
		return null
	}
}

// storedNames returns the names in localStorage, and those that it did not take.
export function storedNames() {
	try {
		return [...new Set([...Object.keys(localStorage), ...kept.unstored.keys()])]
	} catch {
		return [...kept.unstored.keys()]
	}
}

// put writes the text of a name to an area, and reports whether it could; null removes it.
function put(name, text, area = "localStorage") {
	try {
		if (text == null) globalThis[area].removeItem(name)
		else globalThis[area].setItem(name, text)
		return true
	} catch {
		return false // full, or not allowed
	}
}

// store keeps a value under a name in this browser; null removes it. After forgetStored it does nothing.
export function store(name, value, area = "localStorage") {
	if (kept.isForgotten) return
	kept.touched.add(name)
	const text = value == null ? null : JSON.stringify(value)
	const isStored = put(name, text, area) || text == null // what cannot be removed is not there
	if (area !== "localStorage") return
	const at = stored(countKey) + 1
	put(countKey, at)
	if (isStored) {
		if (kept.unstored.delete(name)) put(newerKey + name, at)
		if (kept.unkept.delete(name)) dispatchEvent(new Event("waiting"))
	} else kept.unstored.set(name, text)
	const writing = use(copies => copies.put({name, text, at, isOnly: !isStored}))
	if (isStored) writing.catch(() => {/* localStorage has it, too */})
	else watch(name, text, writing)
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
const inTime = promise => Promise.race([promise, new Promise((_, reject) => setTimeout(reject, 3_000))])

// use calls act with the copies in the database, and promises the result of its request once that is on disk. A copy
// is {name, text, at, isOnly}: at is the count of its writing, isOnly is true if localStorage did not take the text.
async function use(act) {
	kept.database ??= new Promise((resolve, reject) => {
		const opening = indexedDB.open("flats")
		opening.onupgradeneeded = () => opening.result.createObjectStore("copies", {keyPath: "name"})
		opening.onsuccess = () => {
			opening.result.onclose = () => (kept.database = null) // browsers may close it in the background
			resolve(opening.result)
		}
		opening.onerror = () => reject(opening.error)
	})
	const transaction = (await kept.database).transaction("copies", "readwrite", {durability: "strict"})
	return new Promise((resolve, reject) => {
		const request = act(transaction.objectStore("copies"))
		transaction.oncomplete = () => resolve(request.result)
		transaction.onabort = () => reject(transaction.error)
	})
}

// restore stores again what localStorage did not take, and what was written after what it has. It waits for the
// database for 3 s. Of what comes later it reports each value by the event "late", and stores it unless the page has
// stored another one meanwhile.
export async function restore() {
	const count = stored(countKey)
	let isLate = false

	function bringBack(copies) {
		if (kept.isForgotten) return
		put(countKey, Math.max(stored(countKey), ...copies.map(({at}) => at)))
		for (const {name, text, at, isOnly} of copies) {
			if (at <= (isOnly ? stored(newerKey + name) : count)) continue
			const value = JSON.parse(text)
			if (!isLate || !kept.touched.has(name)) {
				if (isOnly) kept.unstored.set(name, text)
				store(name, value)
			}
			if (isLate) dispatchEvent(new CustomEvent("late", {detail: {name, value}}))
		}
	}

	try {
		await inTime(use(all => all.getAll()).then(bringBack))
	} catch {
		isLate = true // until then, localStorage is all there is
	}
}

// forgetStored deletes what store kept, for good: nothing is kept again until the page is next opened.
export function forgetStored() {
	kept.isForgotten = true
	for (const all of [kept.unstored, kept.unkept]) all.clear()
	for (const area of ["localStorage", "sessionStorage"]) try {
		globalThis[area].clear() // other tabs get the event "storage"
	} catch {/* it is not allowed, and empty */}
	use(copies => copies.clear()).catch(() => {})
}
