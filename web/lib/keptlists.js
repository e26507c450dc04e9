// Lists in this browser's storage that several tabs may change at the same time. Each element is stored under a name of
// its own, so that no tab overwrites what another adds: browsers that run tabs in several processes do not order their
// reads and writes.
//
// elements reads a list, changeElements changes it; keptIds and changeIds do so for a list of ids. onElements reports
// changes by other tabs. partLists splits lists that earlier versions stored under a single name.

import {onStored, storeAll, stored, storedNames} from "./storage.js"

const elementId = ({id}) => id

// keyIn has a function for each list that returns the key of an element, unique in the list.
const keyIn = {
	"flats.waiting": ({key}) => key, // queue.js
	"flats.add": elementId, // parts/drafts.js
	"flats.searches": ({name, hash}) => name + hash, // parts/savedviews.js
	"flats.skipped": elementId, // views/triage.js
	"flats.opened": elementId, // parts/seen.js
	"flats.compare": elementId, // parts/bar.js
	"flats.signed": elementId, // parts/signed.js
	"flats.costs": elementId, // parts/due.js
}

// elementName returns the name under which an element of a list is stored.
const elementName = (list, element) => `${list}.${keyIn[list](element)}`

// isIn returns a function that reports whether an element of a list is stored under a name.
const isIn = list => name => name.startsWith(list + ".")

// elements returns the elements of a list, [{…, at}], sorted by at, the time when each was added.
export const elements = list => storedNames().filter(isIn(list)).map(name => stored(name)).filter(Boolean)
	.sort((a, b) => a.at - b.at || (elementName(list, a) < elementName(list, b) ? -1 : 1))

// changeElements replaces a list by act(list), and returns the new list. It writes only elements that are new, gone, or
// other objects than before. act may return new elements without at. An element whose at is missing or not in order
// gets a new one.
export function changeElements(list, act) {
	const before = elements(list)
	let last = 0
	const after = act(before).map(element => {
		const isInOrder = element.at >= last
		last = isInOrder ? element.at : Math.max(last + 1, Date.now())
		return isInOrder ? element : {...element, at: last}
	})
	const unchanged = new Set(before)
	const written = after.filter(element => !unchanged.has(element)).map(element => [elementName(list, element), element])
	const names = new Set(after.map(element => elementName(list, element)))
	const gone = before.map(element => elementName(list, element)).filter(name => !names.has(name))
	storeAll(new Map([...gone.map(name => [name, null]), ...written]))
	return after
}

// keptIds returns the ids in a list with elements {id, at}.
export const keptIds = list => elements(list).map(elementId)

// changeIds replaces the ids in a list with elements {id, at} by act(ids), and returns the new ids.
export const changeIds = (list, act) => changeElements(list, before => {
	const all = new Map(before.map(element => [element.id, element]))
	return act([...all.keys()]).map(id => all.get(id) ?? {id})
}).map(elementId)

// onElements calls act when another tab has changed a list, or when restore (storage.js) has brought elements back
// late.
export function onElements(list, act) {
	const actIfIn = name => {
		if (isIn(list)(name)) act()
	}
	onStored(actIfIn)
	addEventListener("late", ({detail: {name}}) => actIfIn(name))
}

// partLists splits lists that earlier versions of the page stored under a single name, now and whenever a tab that
// still shows such a version stores one.
export function partLists() {
	part()
	onStored((name, text) => {
		if (name in keyIn && text !== null) part()
	})
	addEventListener("late", part)
}

// part splits all lists that are stored under a single name.
function part() {
	for (const list in keyIn) {
		const all = stored(list)
		if (all == null) continue
		const missing = [...parted(list, all)].filter(([name]) => stored(name) === null)
		storeAll(new Map([...missing, [list, null]]))
		dispatchEvent(new CustomEvent("late", {detail: {name: list + "."}})) // for onElements
	}
}

// parted returns the values to store for the value of a name, as a Map by name. It splits a list of an earlier version
// into elements, which sort before all others. Such versions stored drafts newest first.
export function parted(name, value) {
	if (!(name in keyIn) || !Array.isArray(value)) return new Map([[name, value]])
	const all = name === "flats.add" ? value.toReversed() : value
	return new Map(all.map(element => (typeof element === "object" ? element : {id: element}))
		.map((element, at) => [elementName(name, element), {...element, at}]))
}
