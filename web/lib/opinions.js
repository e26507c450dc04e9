// Requests for fields that only find returns: who decided on flats, by which rule, and how people rated them.

import {call, findPath} from "./api.js"
import {flats, look, outdatedTest, remember} from "./flats.js"
import {fieldsOfPeople, people} from "./people.js"
import {same, waiting} from "./queue.js"

export const idsInPart = 100 // as many as fit into the address of a request

// inHundreds splits a list of ids into lists of at most idsInPart.
export function inHundreds(ids) {
	const parts = []
	for (let i = 0; i < ids.length; i += idsInPart) parts.push(ids.slice(i, i + idsInPart))
	return parts
}

// askPeople requests fieldsOfPeople of known flats, and remembers them. It does nothing if the config names no people.
export async function askPeople(ids, signal) {
	if (people.length === 0) return
	for (const part of inHundreds(ids)) {
		const isOutdated = outdatedTest()
		const query = {"any[id]": part, fields: ["status", ...fieldsOfPeople].join(), "page[size]": idsInPart}
		const {flats: found} = await look({}, query, {signal})
		for (const {id, status, ratings, ...decision} of found) { // decision: status_by, status_since
			const known = flats.get(String(id))
			const isWaiting = waiting().some(entry => entry.id === String(id))
			// An answer from before a change is ignored, unless the change waits: remember adds waiting changes.
			if (!known || isOutdated(String(id)) && !isWaiting) continue
			const isSameStatus = same(status, known.status)
			// The decision in the answer belongs to the status in the answer, which the known flat may not have.
			remember(isSameStatus ? {id: known.id, ratings, ...decision} : {id: known.id, ratings})
		}
	}
}

// askRule requests the rule that gave a known flat its status, if rules give this status, and remembers the rule.
export async function askRule(id, signal) {
	const {status} = flats.get(id) ?? {}
	if (!["ignored", "followed"].includes(status)) return
	const isOutdated = outdatedTest()
	const query = {"any[id]": id, fields: "status,status_because,status_since"}
	const {flats: [found]} = await look({}, query, {signal})
	if (found?.status_because && found.status === flats.get(id).status && !isOutdated(id)) remember(found)
}

// peopleOf promises fieldsOfPeople of a flat, by name, or {} if the config names no people.
export async function peopleOf(id) {
	if (people.length === 0) return {}
	const {data: [flat]} = await call(findPath({}, {"any[id]": id, fields: fieldsOfPeople.join()}))
	return Object.fromEntries(fieldsOfPeople.map(name => [name, flat?.[name] ?? null]))
}
