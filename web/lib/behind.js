// Adds the changes that wait (queue.js) to an answer that does not have them yet. With a network this is rarely needed.
// testsOf is for keptsearch.js, too.

import {keyOf, statusOf} from "./fields.js"
import {people, valueOf} from "./people.js"
import {withChange, withWaiting} from "./queue.js"

// conditions has functions that report whether a flat meets a condition of a query, by the name of its parameter.
const conditions = {
	"any[status]": (flat, values) => values.includes(statusOf(flat)),
	"not[status]": (flat, values) => !values.includes(statusOf(flat)),
	"known[gone]": ({gone}, [value]) => (gone != null) === (value === "yes"),
	"known[visit_date]": ({visit_date: date}, [value]) => (date != null) === (value === "yes"),
	...Object.fromEntries(people.map(person => [`known[rating.${person}]`,
		(flat, [value]) => (valueOf(flat, "rating", person) != null) === (value === "yes")])),
}
// These are no conditions.
const free = ["sort", "nulls", "currencies", "forgive", "counts", "fields", "page[size]", "page[number]"]

// testsOf returns the conditions of a query besides its words, as functions of a flat: status has those of the
// status, others the rest. It returns null if one of them is unknown here.
export function testsOf(query) {
	const names = [...new Set(query.keys())].filter(name => name !== "q" && !free.includes(name))
	if (!names.every(name => name in conditions)) return null
	const meets = isOf => flat =>
		names.filter(name => name.endsWith("[status]") === isOf).every(name => conditions[name](flat, query.getAll(name)))
	return {status: meets(true), others: meets(false)}
}

// withChanges returns an answer to a query as it will be once some changes that wait are sent: without the flats that
// they remove from it, and with those that they add, at the beginning, because the last decided come first. A query
// with any other condition gets no further flats, because it is not known whether they meet it. knownFlat
// promises a flat by its id, or nothing.
export async function withChanges(entries, answer, query, knownFlat) {
	const names = [...new Set(query.keys())].filter(name => !free.includes(name))
	const isPlain = names.every(name => name in conditions)
	const meets = (flat, names) => names.every(name => conditions[name]?.(flat, query.getAll(name)) ?? true)
	const isWhole = answer.total === answer.flats.length
	const byStatus = new Map(Object.entries(answer.counts?.status ?? {}))
	let {total, flats} = answer
	for (const [id, mine] of Map.groupBy(entries, entry => entry.id)) {
		const isFound = flats.some(flat => keyOf(flat) === id)
		const known = (isPlain || isFound) && await knownFlat(id)
		if (!known) continue
		const now = withWaiting(known)
		const before = mine.toReversed().reduce((flat, {was, ...change}) => withChange(flat, {...change, set: was}), now)
		const belongs = meets(now, names)
		const isCounted = isFound || !isWhole && meets(before, names)
		if (isCounted && !belongs) total--
		if (belongs && !isCounted) total++
		if (!belongs) flats = flats.filter(flat => keyOf(flat) !== id)
		else if (!isFound && !(query.get("page[number]") > 0)) flats = [now, ...flats]
		// The counts by status are those of flats of any status.
		if (!isPlain) continue
		const others = names.filter(name => !name.endsWith("[status]"))
		for (const [flat, n] of [[before, -1], [now, 1]])
			if (meets(flat, others)) byStatus.set(statusOf(flat), (byStatus.get(statusOf(flat)) ?? 0) + n)
	}
	const status = Object.fromEntries([...byStatus].filter(([, n]) => n > 0))
	return {...answer, total, flats, counts: {...answer.counts, status}}
}
