// Marks show what the search found. search.go says what terms and words are, and how letters fold.

import {h} from "./dom.js"

const term = /(-?)(?:(title|text|location|station|details|notes):(?=\S))?("[^"]*"?|[^\s"]+)/g
const words = /[\p{L}\p{M}\p{N}]+/gu
const wordsAsked = /[\p{L}\p{M}\p{N}]+\*?/gu

const folds = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i"}
const fold = word => word.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
	.replace(/[ßæœøłđı]/g, letter => folds[letter]).normalize()
const singular = word => word.replace(/(?<=.)[sx]$/, "")

// wordsOf gives the words that a query asks for, [{field, word}]. As in search.go, OR and AND are
// operators between two terms, NOT before one; anywhere else they are words.
function wordsOf(query) {
	const terms = [...query.replace(/[“”„«»]/g, "\"").matchAll(term)]
		.map(([source, sign, field, text]) => ({source, sign, field, asked: fold(text).match(wordsAsked)}))
		.filter(({asked}) => asked)
	const wanted = []
	let begun = false
	let negates = false
	for (const [i, {source, sign, field, asked}] of terms.entries()) {
		const isLast = i === terms.length - 1
		if (source === "NOT" && !isLast) {
			negates = !negates
			continue
		}
		if (["OR", "AND"].includes(source) && !isLast && begun) continue
		const negated = (sign === "-") !== negates
		if (!negated) wanted.push(...asked.map(word => ({field, word})))
		begun = true
		negates = false
	}
	return wanted
}

/** matcher gives a function that tells whether a search wants a word of a field. */
export function matcher(query = "") {
	const wanted = wordsOf(query)
	return (text, at) => {
		const found = wanted.length > 0 && fold(text)
		return wanted.some(({field = at, word}) => field === at && (word.endsWith("*")
			? found.startsWith(word.slice(0, -1))
			: [found, singular(found)].includes(word) || found === singular(word)))
	}
}

export function marked(text, field, matches) {
	const parts = []
	let at = 0
	for (const {0: word, index} of (text ?? "").matchAll(words)) if (matches?.(word, field)) {
		parts.push(text.slice(at, index), h("mark", word))
		at = index + word.length
	}
	return [parts, text?.slice(at)]
}
