// Searches the flats that the worker keeps (sw.js), for times without a network.

import {base, readJSON} from "./api.js"
import {searched} from "./fields.js"
import {testsOf} from "./pending.js"
import {phrasesOf, wordsIn} from "./phrases.js"
import {singular, termsOf} from "./search.js"
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

// finder returns a function that reports whether a flat matches a search, whose half-typed words halfTyped has
// completed. Terms joined by OR are alternatives; of each group of alternatives one must match.
function finder(search) {
	const groups = []
	let isJoined = false // whether OR stands before the term
	for (const {source, field, text, isOperator, isNegated} of termsOf(search)) {
		if (isOperator) {
			isJoined ||= source === "OR" // NOT may follow OR
			continue
		}
		const term = {fields: field ? [field] : searched, phrases: phrasesOf(text), isNegated}
		if (isJoined) groups.at(-1).push(term)
		else groups.push([term])
		isJoined = false
	}
	return flat => {
		const passages = Object.fromEntries(searched.map(name => [name, passagesOf(flat[name])]))
		const has = (phrase, fields) => fields.some(name => passages[name].some(words => isIn(phrase, words)))
		const matches = ({fields, phrases, isNegated}) => phrases.every(phrase => has(phrase, fields)) !== isNegated
		return groups.length > 0 && groups.every(terms => terms.some(matches))
	}
}

// passagesOf returns the words of each passage of a value. A phrase does not match across passages.
const passagesOf = value => leavesOf(value).split("\0").map(wordsIn)

// leavesOf returns the names, texts and numbers in a value, with a NUL after each value, as writeLeaves does in
// flatvalues.go.
function leavesOf(value) {
	if (typeof value === "string" || typeof value === "number") return value + "\0"
	if (Array.isArray(value)) return value.map(leavesOf).join("") + "\0"
	return Object.keys(value ?? {}).sort().map(name => name + " " + leavesOf(value[name])).join("") + "\0"
}

// isIn reports whether a phrase is in a passage.
const isIn = ({words, isBeginning}, passage) => passage.some((_, at) => words.every((word, i) => {
	const found = passage[at + i]
	const isPulledApart = word.isGlued && !found?.isGlued
	return found && !isPulledApart && word.spellings.some(asked => found.spellings.some(matcherOf(asked, isBeginning)))
}))

// matcherOf returns a function that reports whether a word of a flat matches a word of a search.
const matcherOf = (asked, isBeginning) => found => (isBeginning ? found.startsWith(asked)
	: found === asked || singular(found) === asked || found === singular(asked))
