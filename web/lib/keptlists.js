// Lists that this browser keeps and several tabs change. Each element has a name of its own, so that tabs that change a
// list at the same time do not overwrite what the others write: browsers that run tabs in several processes have no
// order of what these read and write.
//
// elements returns a list, the oldest element first. changeElements changes it. keptIds and changeIds are for a
// list of ids. onElements tells that another tab has changed a list. partLists parts those that earlier versions kept
// under one name.

import {onStored, storeAll, stored, storedNames} from "./storage.js"

const byId = ({id}) => id

// keyIn has what tells the elements of a list apart, by the name of the list.
const keyIn = {
	"flats.waiting": ({key}) => key, // queue.js
	"flats.add": byId, // parts/drafts.js
	"flats.searches": ({name, hash}) => name + hash, // parts/savedviews.js
	"flats.skipped": byId, // views/triage.js
	"flats.opened": byId, // parts/seen.js
	"flats.compare": byId, // parts/bar.js
	"flats.signed": byId, // parts/signed.js
	"flats.costs": byId, // parts/due.js
}

const elementName = (list, element) => `${list}.${keyIn[list](element)}`
const isIn = list => name => name.startsWith(list + ".")

// elements returns the elements of a list, {…, at}: at is a time, by which they are in order.
export const elements = list => storedNames().filter(isIn(list)).map(name => stored(name)).filter(Boolean)
	.sort((a, b) => a.at - b.at || (elementName(list, a) < elementName(list, b) ? -1 : 1))

// changeElements replaces a list by what act returns for it, and returns that. It writes those elements alone that are
// new, gone or other objects than before.
export function changeElements(list, act) {
	const before = elements(list)
	let last = 0
	const after = act(before).map(element => {
		const isInOrder = element.at >= last
		last = isInOrder ? element.at : Math.max(last + 1, Date.now())
		return isInOrder ? element : {...element, at: last}
	})
	const same = new Set(before)
	const gone = before.map(element => [elementName(list, element), null])
	const left = after.map(element => [elementName(list, element), element])
	const names = new Set(left.map(([name]) => name))
	storeAll(new Map([...gone.filter(([name]) => !names.has(name)), ...left.filter(([, element]) => !same.has(element))]))
	return after
}

// keptIds returns the ids of a list whose elements are {id, at}.
export const keptIds = list => elements(list).map(byId)

// changeIds replaces the ids of such a list by what act returns for them, and returns that.
export const changeIds = (list, act) => changeElements(list, before => {
	const all = new Map(before.map(element => [element.id, element]))
	return act([...all.keys()]).map(id => all.get(id) ?? {id})
}).map(byId)

// onElements calls act when another tab has changed a list, or when some of it has come back late.
export function onElements(list, act) {
	onStored(name => isIn(list)(name) && act())
	addEventListener("late", ({detail: {name}}) => isIn(list)(name) && act())
}

// partLists takes over the lists that earlier versions kept under one name, now and from now on: a tab may still show
// such a version.
export function partLists() {
	part()
	onStored((name, text) => name in keyIn && text !== null && part())
	addEventListener("late", part)
}

function part() {
	for (const list in keyIn) {
		const all = stored(list)
		if (all == null) continue
		const further = [...parted(list, all)].filter(([name]) => stored(name) === null)
		storeAll(new Map([...further, [list, null]]))
		dispatchEvent(new CustomEvent("late", {detail: {name: list + "."}}))
	}
}

// parted returns what was kept under a name as {name: value}: for a list of an earlier version, each element by its
// own name. Those are older than all others. Drafts had the newest one first.
export function parted(name, value) {
	if (!(name in keyIn) || !Array.isArray(value)) return new Map([[name, value]])
	const all = name === "flats.add" ? value.toReversed() : value
	return new Map(all.map(element => (typeof element === "object" ? element : {id: element}))
		.map((element, at) => [elementName(name, element), {...element, at}]))
}
