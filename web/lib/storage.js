// What this browser keeps when the page is closed. stored and store read and write it, forgetStored deletes it.

import {kept} from "./kept.js"

// stored returns what store kept under a name, or null if there is nothing, or the browser allows no storage. area
// is "localStorage", or "sessionStorage" for what belongs to this tab.
export function stored(name, area = "localStorage") {
	try {
		return JSON.parse(globalThis[area].getItem(name))
	} catch {
		return null
	}
}

// store keeps a value under a name in this browser, and reports whether it could; null removes it. After forgetStored
// it does nothing.
export function store(name, value, area = "localStorage") {
	if (kept.isForgotten) return false
	try {
		if (value == null) globalThis[area].removeItem(name)
		else globalThis[area].setItem(name, JSON.stringify(value))
		return true
	} catch {
		return false // full, or not allowed: the page works without
	}
}

// forgetStored deletes what store kept, for good: nothing is kept again until the page is next opened.
export function forgetStored() {
	kept.isForgotten = true
	localStorage.clear() // other tabs get the event "storage"
	sessionStorage.clear()
}
