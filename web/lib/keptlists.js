// Lists in this browser's storage that several tabs may change at the same time. Each element is stored under a name of
// its own, so that no tab overwrites what another adds: browsers that run tabs in several processes do not order their
// reads and writes.
//
// elements reads a list, changeElements changes it; keptIds and changeIds do so for a list of ids. onElements reports
// changes by other tabs. splitLists splits lists that earlier versions stored under a single name.

import {onStored, storeAll, stored, storedNames} from "./storage.js"

const elementId = ({id}) => id

// keyOfElement has a function for each list that returns the key of an element, unique in the list.
const keyOfElement = {
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
const elementName = (list, element) => `${list}.${keyOfElement[list](element)}`

// isNameIn returns a function that reports whether an element of a list is stored under a name.
const isNameIn = list => name => name.startsWith(list + ".")

// elements returns the elements of a list, [{…, at}], sorted by at, the time when each was added.
export const elements = list => storedNames().filter(isNameIn(list)).map(name => stored(name)).filter(Boolean)
	.sort((a, b) => a.at - b.at || (elementName(list, a) < elementName(list, b) ? -1 : 1))

// changeElements replaces a list by act(list), and returns the new list. It writes only elements that are new, gone, or
// other objects than before. act may return new elements without at. An element whose at is missing or not in order
// gets a new at.
export function changeElements(list, act) {
	const before = elements(list)
	let last = 0
	const after = act(before).map(element => {
		const isInOrder = element.at >= last
		last = isInOrder ? element.at : Math.max(last + 1, Date.now())
		return isInOrder ? element : {...element, at: last}
	})
	const unchanged = new Set(before)
	const nameOf = element => elementName(list, element)
	const written = after.filter(element => !unchanged.has(element)).map(element => [nameOf(element), element])
	const names = new Set(after.map(nameOf))
	const removed = before.map(nameOf).filter(name => !names.has(name)).map(name => [name, null])
	storeAll(new Map([...removed, ...written]))
	return after
}

// keptIds returns the ids in a list with elements {id, at}.
export const keptIds = list => elements(list).map(elementId)

// changeIds replaces the ids in a list with elements {id, at} by act(ids), and returns the new ids.
export const changeIds = (list, act) => changeElements(list, before => {
	const byId = new Map(before.map(element => [element.id, element]))
	return act([...byId.keys()]).map(id => byId.get(id) ?? {id})
}).map(elementId)

// onElements calls act when another tab has changed a list, or when restore (storage.js) has brought elements back
// late.
export function onElements(list, act) {
	const actIfIn = name => {
		if (isNameIn(list)(name)) act()
	}
	onStored(actIfIn)
	addEventListener("late", ({detail: {name}}) => actIfIn(name))
}

// splitLists splits lists that earlier versions of the page stored under a single name, now and whenever a tab that
// still shows such a version stores such a list.
export function splitLists() {
	splitAll()
	onStored((name, text) => {
		if (name in keyOfElement && text !== null) splitAll()
	})
	addEventListener("late", splitAll)
}

// splitAll splits all lists that are stored under a single name.
function splitAll() {
	for (const list in keyOfElement) {
		const all = stored(list)
		if (all == null) continue
		const missing = [...splitValue(list, all)].filter(([name]) => stored(name) === null)
		storeAll(new Map([...missing, [list, null]]))
		dispatchEvent(new CustomEvent("late", {detail: {name: list + "."}})) // for onElements
	}
}

// splitValue returns what to store for a value under a name: the elements of a list of an earlier version, as a Map by
// their names, or else the value itself under its name. Such elements sort before all others, because at is then their
// index, and not a time. Earlier versions stored drafts newest first.
export function splitValue(name, value) {
	if (!(name in keyOfElement) || !Array.isArray(value)) return new Map([[name, value]])
	const oldestFirst = name === "flats.add" ? value.toReversed() : value
	return new Map(oldestFirst.map(element => (typeof element === "object" ? element : {id: element}))
		.map((element, at) => [elementName(name, element), {...element, at}]))
}
