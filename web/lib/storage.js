// What this browser keeps when the page is closed. stored and store read and write it, forgetStored deletes it.
//
// It is in localStorage, which can be read at once. But browsers write that to disk seconds later, and a phone may kill
// them before. So a copy of each value is written to a database, which is on disk once it is written; restore, when the
// page is opened, takes from there what localStorage has lost.

import {kept} from "./kept.js"

const countKey = "flats.count" // the number of values that were written to localStorage

// stored returns what store kept under a name, or null if there is nothing, or the browser allows no storage. area
// is "localStorage", or "sessionStorage" for what belongs to this tab.
export function stored(name, area = "localStorage") {
	try {
		return JSON.parse(globalThis[area].getItem(name))
	} catch {
		return null
	}
}

// put sets the text of a name; null removes it.
const put = (name, text, area = "localStorage") =>
	(text == null ? globalThis[area].removeItem(name) : globalThis[area].setItem(name, text))

// store keeps a value under a name in this browser, and reports whether it could; null removes it. After forgetStored
// it does nothing.
export function store(name, value, area = "localStorage") {
	if (kept.isForgotten) return false
	try {
		const text = value == null ? null : JSON.stringify(value)
		put(name, text, area)
		if (area === "localStorage") {
			const at = stored(countKey) + 1
			put(countKey, at)
			use(copies => copies.put({name, text, at})).catch(() => {/* localStorage has it, too */})
		}
		return true
	} catch {
		return false // full, or not allowed: the page works without
	}
}

// use calls act with the copies in the database, and promises the result of its request once that is on disk. A copy
// is {name, text, at}: at is the count of its writing.
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

// restore writes to localStorage the copies of values that were written after what it has. The page does not wait
// longer than 3 s for them: some browsers have had a database that never opens.
export async function restore() {
	try {
		const late = new Promise((_, reject) => setTimeout(reject, 3_000))
		const copies = await Promise.race([use(all => all.getAll()), late])
		const count = stored(countKey)
		for (const {name, text, at} of copies) if (at > count) put(name, text)
		put(countKey, Math.max(count, ...copies.map(({at}) => at)))
	} catch {/* localStorage is all there is */}
}

// forgetStored deletes what store kept, for good: nothing is kept again until the page is next opened.
export function forgetStored() {
	kept.isForgotten = true
	localStorage.clear() // other tabs get the event "storage"
	sessionStorage.clear()
	use(copies => copies.clear()).catch(() => {})
}
