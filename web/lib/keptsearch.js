// Searches the flats that the worker keeps (sw.js), for times without a network.

import {base, readJSON} from "./api.js"
import {testsOf} from "./pending.js"
import {askedIn, simplify, singular, spellingsOf, termsOf} from "./search.js"
import {keptAs} from "./service.js"

// searchKept answers a query with words from all answers that the worker keeps: {data, total, counts, asOf}. It
// promises null if no kept flat matches, or if the query has conditions that testsOf does not know.
export async function searchKept(query) {
	const flats = new Map()
	let asOf = null
	const cache = await globalThis.caches?.open(keptAs("answers"))
	const beginnings = ["find?", "flats/"].map(path => new URL(path, base).href) // of the addresses of answers with flats
	for (const request of await cache?.keys() ?? []) { // the newest last
		if (!beginnings.some(beginning => request.url.startsWith(beginning))) continue
		const answer = await cache.match(request)
		const {data} = readJSON(await answer.text())
		asOf = answer.headers.get("X-Kept")
		for (const flat of [data].flat()) flats.set(String(flat.id), {...flats.get(String(flat.id)), ...flat})
	}
	const tests = testsOf(query)
	if (!tests) return null
	const matchesWords = finder(query.get("q"))
	const found = [...flats.values()].filter(flat => "title" in flat && tests.others(flat) && matchesWords(flat))
	const newestFirst = (a, b) => (a.first_seen < b.first_seen ? 1 : -1)
	const data = found.filter(tests.status).sort(newestFirst)
	const status = {} // counted without the query's conditions on the status, as the service does
	for (const flat of found) status[flat.status] = (status[flat.status] ?? 0) + 1
	return found.length > 0 ? {data, total: data.length, counts: {status}, asOf} : null
}

const wordForm = /[\p{L}\p{M}\p{N}]+/gu

// finder returns a function that reports whether a flat matches a search, whose half-typed words halfTyped has
// completed. Terms joined by OR are alternatives; of each group of alternatives one must match.
function finder(search) {
	const groups = []
	let isJoined = false // whether OR stands before the term
	for (const term of termsOf(search)) {
		if (term.isOperator) {
			isJoined ||= term.source === "OR" // NOT may follow OR
			continue
		}
		if (isJoined) groups.at(-1).push(term)
		else groups.push([term])
		isJoined = false
	}
	return flat => {
		const matchesTerm = ({field, text, isNegated}) => {
			const found = wordsIn(field ? flat[field] : Object.values(flat))
			const hasAll = spelling => askedIn(spelling).every(word => found.some(matches(word)))
			const isFound = spellingsOf(text).some(hasAll)
			return isNegated ? !isFound : isFound
		}
		return groups.every(terms => terms.some(matchesTerm))
	}
}

// wordsIn returns the simplified words of a value, at any depth, in all spellings.
const wordsIn = value => spellingsOf(JSON.stringify(value ?? "")).flatMap(text => simplify(text).match(wordForm) ?? [])

// matches returns a function that reports whether a word of a flat matches a word of a search.
const matches = word => found =>
	word.endsWith("*") ? found.startsWith(word.slice(0, -1)) : found === word || singular(found) === singular(word)
