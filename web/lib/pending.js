// Completes an answer that lacks changes of this page, which wait to be sent (queue.js) or are being sent.
// With a network this is rarely needed, so flats.js loads this module only then.

import {keyOf, statusOf} from "./fields.js"
import {people, valueOf} from "./people.js"
import {withChange, withWaiting} from "./queue.js"

// conditions has, by the name of a query's parameter, a function (flat, values) that reports whether a flat meets it.
const conditions = {
	"any[status]": (flat, values) => values.includes(statusOf(flat)),
	"not[status]": (flat, values) => !values.includes(statusOf(flat)),
	"known[gone]": ({gone}, [value]) => (gone != null) === (value === "yes"),
	"known[visit_date]": ({visit_date: date}, [value]) => (date != null) === (value === "yes"),
	...Object.fromEntries(people.map(person => [`known[rating.${person}]`,
		(flat, [value]) => (valueOf(flat, "rating", person) != null) === (value === "yes")])),
}

// noConditions are the parameters of a query that exclude no flat.
const noConditions = ["sort", "nulls", "currencies", "forgive", "counts", "fields", "page[size]", "page[number]"]

// testsOf returns the conditions of a query, apart from its words, as two functions of a flat, {status, others}: status
// tests the conditions on the status, others the rest. It returns null if a condition is not in conditions.
export function testsOf(query) {
	const names = [...new Set(query.keys())].filter(name => name !== "q" && !noConditions.includes(name))
	if (!names.every(name => name in conditions)) return null
	const testOf = someNames => flat => someNames.every(name => conditions[name](flat, query.getAll(name)))
	return {
		status: testOf(names.filter(isOnStatus)),
		others: testOf(names.filter(name => !isOnStatus(name))),
	}
}

// isOnStatus reports whether a parameter of a query is a condition on the status.
const isOnStatus = name => name.endsWith("[status]")

// withChanges promises an answer to a query as it will be once the changes in entries are sent. It leaves out flats
// that no longer meet the conditions. On the first page, flats that did not meet them before, but now do, come first. A
// flat that met them before and is not in the answer is on another page, and stays there. total and the counts by
// status change with all of them. A query with a condition that is not in conditions gets no new flats, because nobody
// here knows whether they meet it. knownFlat(id) promises a flat, or undefined.
export async function withChanges(entries, answer, query, knownFlat) {
	const names = [...new Set(query.keys())].filter(name => !noConditions.includes(name))
	const knowsAll = names.every(name => name in conditions)
	const meets = (flat, someNames) => someNames.every(name => conditions[name]?.(flat, query.getAll(name)) ?? true)
	const hasAllFlats = answer.total === answer.flats.length
	const isFirstPage = !(query.get("page[number]") > 0)
	const changed = [] // [before, now] of each flat
	let {total, flats} = answer
	for (const [id, changes] of Map.groupBy(entries, entry => entry.id)) {
		const isFound = flats.some(flat => keyOf(flat) === id)
		const known = (knowsAll || isFound) && await knownFlat(id)
		if (!known) continue
		const now = withWaiting(known)
		const withoutChange = (flat, {was, ...change}) => withChange(flat, {...change, set: was})
		const before = changes.toReversed().reduce(withoutChange, now) // as the service still has the flat
		changed.push([before, now])
		const belongs = meets(now, names)
		const isOnOtherPage = !isFound && !hasAllFlats && meets(before, names)
		const isCounted = isFound || isOnOtherPage // in total
		if (isCounted && !belongs) total--
		if (belongs && !isCounted) total++
		if (!belongs) flats = flats.filter(flat => keyOf(flat) !== id)
		else if (!isCounted && isFirstPage) flats = [now, ...flats]
	}
	// The counts by status ignore the query's own conditions on the status.
	const others = names.filter(name => !isOnStatus(name))
	const status = countsAfter(answer.counts?.status ?? {}, knowsAll ? changed : [], flat => meets(flat, others))
	return {...answer, total, flats, counts: {...answer.counts, status}}
}

// countsAfter returns counts, the numbers of flats by status, as they are after flats have changed. changed has
// [before, now] for each of these flats. isCounted(flat) reports whether the counts include a flat.
function countsAfter(counts, changed, isCounted) {
	const after = new Map(Object.entries(counts))
	const add = (flat, n) => isCounted(flat) && after.set(statusOf(flat), (after.get(statusOf(flat)) ?? 0) + n)
	for (const [before, now] of changed) {
		add(before, -1)
		add(now, 1)
	}
	return Object.fromEntries([...after].filter(([, n]) => n > 0))
}
