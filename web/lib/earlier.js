// Data in this browser's storage that is not, or not surely, the present service's: of another service or other data
// that was at this path before, for example before a backup was restored; and of earlier versions of the page, which
// used names that all services of a host shared.
//
// takeSettings copies the settings of this device when the page is first opened. findEarlier looks for values that were
// never sent. It takes over the values that surely belong to this service, and puts the others into kept.earlier, for
// the user to decide: takeEarlier sends them to this service, dropEarlier deletes them. forgetEarlier deletes
// everything except unsent values that nobody has been shown.
//
// What was kept for a sample is useless once the sample has ended, and a sample takes nothing over.
//
// A prefix is what keptAs puts before a name, "" for earlier versions. A group is {prefix, values}, with a Map of
// values by name. An entry of kept.earlier is {prefix, values, names}: a group with only the values that were never
// sent, and the names under which they are stored.

import {call, findPath} from "./api.js"
import {later} from "./dom.js"
import {kept} from "./kept.js"
import {splitValue} from "./keptlists.js"
import {setWaiting, waitingKey, withLock} from "./queue.js"
import {isSample, keptAs, servicePath} from "./service.js"
import {allNames, inTime, storeAll, stored, storedNames, transact, useCopies} from "./storage.js"

// nameForm matches a name in storage, "/path/ data-id flats.notes.1" or, of earlier versions, "flats.notes.1". Its
// groups are the prefix, if any, and the name without it.
const nameForm = /^(\/\S* \S+ )?(flats\..*)$/s

// isAtPath and isOfSample report whether a prefix belongs to other data at this path, or to a sample at this path.
const isAtPath = prefix => prefix.startsWith(servicePath + " ") && prefix !== keptAs("")
const isOfSample = prefix => prefix.startsWith(servicePath + " sample-")

// isUnsent reports whether the value under a name is for the service and was not sent. Such a value is deleted once the
// service has it.
const isUnsent = name => /^flats\.((waiting|add|searches)(\.|$)|notes\.)/.test(name)

// takeSettings copies the settings of other data at this path, or else of an earlier version, if nothing is stored yet.
export function takeSettings() {
	const isSettled = storedNames().some(name => name !== "flats.count") // which restore (storage.js) has just written
	if (isSample || isSettled) return
	const prefixes = allNames().map(name => nameForm.exec(name)).filter(Boolean).map(([, prefix = ""]) => prefix)
	const source = prefixes.find(prefix => isAtPath(prefix) && !isOfSample(prefix)) ?? ""
	for (const area of ["localStorage", "sessionStorage"]) {
		const values = new Map()
		for (const whole of allNames(area)) {
			const [, prefix = "", name] = nameForm.exec(whole) ?? []
			const isOfCopies = /^flats\.(count|newer\.)/.test(name) // counts of storage.js, which keeps its own
			if (!name || prefix !== source || isUnsent(name) || isOfCopies) continue
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

// useOld is useCopies (storage.js) for the database of earlier versions.
async function useOld(act, mode) {
	const database = await openOld()
	return transact(database, act, mode).finally(() => database.close())
}

// useFor returns the function, useCopies or useOld, for the database that has the names with a prefix.
const useFor = prefix => (prefix === "" ? useOld : useCopies)

// groupsOfOthers promises the groups of other data at this path and of earlier versions. If a value is both in
// localStorage and in a database, the newer one counts.
async function groupsOfOthers() {
	const readAll = useDatabase => inTime(useDatabase(copies => copies.getAll(), "readonly")).catch(() => [])
	const [oldCopies, copies] = await Promise.all([readAll(useOld), readAll(useCopies)])
	const groups = new Map()

	// add adds a value to its group. whole is the name with the prefix. read(name, values) returns the value: name is
	// without the prefix, values are the values of the group so far.
	function add(whole, read) {
		const [, prefix = "", name] = nameForm.exec(whole) ?? []
		if (!name || prefix !== "" && !isAtPath(prefix)) return
		if (!groups.has(prefix)) groups.set(prefix, new Map())
		groups.get(prefix).set(name, read(name, groups.get(prefix)))
	}

	for (const whole of allNames()) add(whole, () => readFrom(localStorage, whole))
	for (const {name: whole, text, at, isOnly} of [...oldCopies, ...copies]) add(whole, (name, values) => {
		// The count of the last write that localStorage surely has (see storage.js)
		const lastStored = values.get(isOnly ? "flats.newer." + name : "flats.count")
		const isOlder = at <= lastStored
		return isOlder ? values.get(name) ?? null : JSON.parse(text)
	})
	return [...groups].map(([prefix, values]) => ({prefix, values}))
}

// unsentOf returns the values of a group that were never sent, as a Map by name: notes, drafts and searches, then
// changes in their order. It splits lists that an earlier version stored under one name.
function unsentOf({values}) {
	const isChange = name => name.startsWith(waitingKey)

	function inOrder([name, value], [otherName, other]) {
		if (isChange(name) !== isChange(otherName)) return isChange(name) ? 1 : -1
		const difference = isChange(name) ? value.at - other.at : 0
		return difference || (name < otherName ? -1 : 1)
	}

	const unsent = [...values].filter(([name, value]) => isUnsent(name) && value != null)
	return new Map(unsent.flatMap(([name, value]) => [...splitValue(name, value)]).sort(inOrder))
}

// findEarlier looks for values that were never sent. It takes over the values that surely belong to this service, and
// promises their names. It puts the others into kept.earlier, and dispatches "waiting". It deletes groups with nothing
// left to send.
export const findEarlier = () => withLock("flats.earlier", async () => {
	const found = []
	const taken = []
	for (const group of await groupsOfOthers()) {
		const {prefix} = group
		if (isOfSample(prefix)) await drop(prefix)
		if (isSample || isOfSample(prefix)) continue
		const unsent = unsentOf(group)
		const entry = {prefix, values: unsent, names: [...group.values.keys()].filter(isUnsent)}
		const needsNoQuestion = unsent.size === 0 || prefix === "" && await isForThisService(unsent)
		if (!needsNoQuestion) {
			found.push(entry)
			continue
		}
		const names = await take(entry)
		taken.push(...names)
		const isDone = names.length === unsent.size
		// What earlier versions have stored under other names may be of another service on this host.
		if (isDone && (prefix !== "" || await isOnlyService())) await drop(prefix)
	}
	kept.earlier = found
	dispatchEvent(new Event("waiting"))
	return taken
})

// onEarlier calls act after another tab has removed one of the names in kept.earlier, because the user has answered the
// question there. The event has no key if all of localStorage was cleared: then the database still has the values.
export function onEarlier(act) {
	const soon = later(act, 0) // once for all names, which the other tab removes one after another
	addEventListener("storage", ({key, newValue}) => {
		const isOf = ({prefix, names}) => names.some(name => prefix + name === key)
		if (newValue === null && kept.earlier.some(isOf)) soon()
	})
}

// isOnlyService promises whether this browser knows no other service on this host. With HTTPS, each service has a
// worker. Without HTTPS, only a service at the root of the host counts as the only one.
async function isOnlyService() {
	const workers = await navigator.serviceWorker?.getRegistrations() ?? []
	const paths = [...workers.map(({scope}) => new URL(scope).pathname),
		...allNames().map(name => nameForm.exec(name)?.[1]?.split(" ")[0]).filter(Boolean)]
	return paths.every(path => path === servicePath) && (Boolean(navigator.serviceWorker) || servicePath === "/")
}

// isForThisService promises whether the unsent values of an earlier version belong to this service: no other service is
// known, and this one has all flats of the values. A change has the id of its flat; notes have the id in their name.
async function isForThisService(unsent) {
	const ids = new Set()
	for (const [name, {id}] of unsent) {
		if (name.startsWith(waitingKey)) ids.add(String(id))
		if (name.startsWith("flats.notes.")) ids.add(name.slice("flats.notes.".length))
	}
	try {
		return await isOnlyService() && await hasAll([...ids])
	} catch {
		return false // without a network, the user is asked
	}
}

// hasAll promises whether the service has all flats with some ids. It promises false if it cannot know: an answer that
// the worker kept (asOf) does not tell what the service has now.
async function hasAll(ids) {
	const idsInPart = 50 // the ids go into the address, which must be short
	for (let at = 0; at < ids.length; at += idsInPart) {
		const part = ids.slice(at, at + idsInPart)
		const {total, asOf} = await call(findPath({}, {"any[id]": part, fields: "id", "page[size]": 1}))
		if (asOf || total < part.length) return false
	}
	return true
}

// takeEarlier takes over an entry of kept.earlier and promises the names of its values. As always, a change is compared
// with the flat before it is sent (sender.js).
export async function takeEarlier(entry) {
	const present = await storedNow(entry)
	const values = new Map([...present].filter(([name]) => entry.values.has(name)))
	const taken = await take({...entry, values})
	if (taken.length === present.size) await drop(entry.prefix)
	await removeEntry(entry, present)
	return taken
}

// storedNow promises the unsent values that are stored now for an entry: another tab may have answered the question,
// and a tab that still shows the other data may have added some.
async function storedNow(entry) {
	const group = (await groupsOfOthers()).find(({prefix}) => prefix === entry.prefix)
	return group ? unsentOf(group) : new Map()
}

// take moves the values of an entry to this service, and promises their names. If a flat already has unsent notes here,
// its earlier notes stay where they are until the unsent ones are sent and the page is opened again.
async function take({prefix, values, names}) {
	const stays = name => name.startsWith("flats.notes.") && stored(name) !== null
	const taken = [...values].filter(([name]) => !stays(name))
	const toDrop = names.filter(name => !stays(name))
	storeAll(new Map(taken.filter(([name]) => stored(name) === null)))
	if (taken.length > 0) {
		setWaiting(list => list) // read it again
		dispatchEvent(new CustomEvent("unsent", {detail: true}))
	}
	await dropNames(prefix, toDrop)
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
async function dropNames(prefix, names) {
	if (names.length === 0) return
	const all = names.map(name => prefix + name)
	const lastDeletion = copies => all.map(name => copies.delete(name)).at(-1)
	await inTime(useFor(prefix)(lastDeletion)).catch(() => {})
	for (const name of all) removeName(name)
}

// drop deletes everything with a prefix.
async function drop(prefix) {
	if (prefix === "") indexedDB.deleteDatabase("flats")
	else await inTime(useCopies(copies => copies.delete(IDBKeyRange.bound(prefix, prefix + "\uffff")))).catch(() => {})
	for (const name of allNames()) {
		const found = nameForm.exec(name)
		if (found && (found[1] ?? "") === prefix) removeName(name)
	}
}

// dropEarlier deletes an entry of kept.earlier, and with it the whole group unless other values have come since it was
// shown.
export async function dropEarlier(entry) {
	const present = await storedNow(entry)
	if (isAllShown(entry, present)) await drop(entry.prefix)
	else await dropNames(entry.prefix, entry.names)
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

// forgetEarlier deletes the groups in kept.earlier, and all other groups without unsent values.
export async function forgetEarlier() {
	const shown = kept.earlier.map(({prefix}) => prefix)
	kept.earlier = []
	if (isSample) return
	for (const group of await groupsOfOthers())
		if (shown.includes(group.prefix) || unsentOf(group).size === 0) await drop(group.prefix)
}
