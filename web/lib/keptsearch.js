// Searches the flats that the worker keeps (sw.js), for times without a network.

import {base} from "./api.js"
import {testsOf} from "./behind.js"
import {askedIn, simplify, singular, spellingsOf, termsOf} from "./search.js"
import {keptAs} from "./service.js"

// searchKept returns the answer to a query with words, {data, total, counts, asOf}, from all answers that are kept, or
// null if they have nothing of it, or its other conditions are unknown here.
export async function searchKept(query) {
	const flats = new Map()
	let asOf = null
	const cache = await globalThis.caches?.open(keptAs("answers"))
	const searched = ["find?", "flats/"].map(path => new URL(path, base).href)
	for (const request of await cache?.keys() ?? []) {
		if (!searched.some(beginning => request.url.startsWith(beginning))) continue
		const answer = await cache.match(request)
		const {data} = await answer.json()
		asOf = answer.headers.get("X-Kept")
		for (const flat of [data].flat()) flats.set(String(flat.id), {...flats.get(String(flat.id)), ...flat})
	}
	const tests = testsOf(query)
	if (!tests) return null
	const isFound = finder(query.get("q"))
	const found = [...flats.values()].filter(flat => "title" in flat && tests.others(flat) && isFound(flat))
	const data = found.filter(tests.status).sort((a, b) => (a.first_seen < b.first_seen ? 1 : -1))
	const status = {} // as the service counts: whatever the status in the query
	for (const flat of found) status[flat.status] = (status[flat.status] ?? 0) + 1
	return found.length > 0 ? {data, total: data.length, counts: {status}, asOf} : null
}

const words = /[\p{L}\p{M}\p{N}]+/gu

// finder returns a function that reports whether a search, as halfTyped completes it, finds a flat. Terms on both sides
// of an OR are alternatives; of all others each must be there.
function finder(search) {
	const groups = []
	let isAlternative = false
	for (const term of termsOf(search)) {
		if (term.isOperator) isAlternative = term.source === "OR"
		else if (isAlternative) groups.at(-1).push(term)
		else groups.push([term])
		isAlternative = Boolean(term.isOperator) && isAlternative
	}
	return flat => {
		const has = ({field, text, isNegated}) => {
			const found = wordsIn(field ? flat[field] : Object.values(flat))
			return spellingsOf(text).some(words => askedIn(words).every(word => found.some(matches(word)))) !== isNegated
		}
		return groups.every(terms => terms.some(has))
	}
}

// wordsIn returns the words of a value, however deep it is, in all spellings.
const wordsIn = value => spellingsOf(JSON.stringify(value ?? "")).flatMap(text => simplify(text).match(words) ?? [])

const matches = word => found =>
	word.endsWith("*") ? found.startsWith(word.slice(0, -1)) : found === word || singular(found) === singular(word)
