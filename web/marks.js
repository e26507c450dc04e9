// Marks show what the search found. search.go says what terms and words are, and how letters fold.

import {h} from "./dom.js"

const term = /(-?)(?:(title|text|location|station|details|notes):(?=\S))?("[^"]*"?|[^\s"]+)/g
const words = /[\p{L}\p{M}\p{N}]+/gu
const wordsAsked = /[\p{L}\p{M}\p{N}]+\*?/gu

const folds = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i"}
const fold = word => word.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
	.replace(/[ßæœøłđı]/g, letter => folds[letter]).normalize()
const singular = word => word.replace(/(?<=.)[sx]$/, "")

/** matcher gives a function that tells whether a search wants a word of a field. */
export function matcher(query = "") {
	const wanted = [...query.replace(/[“”„«»]/g, "\"").matchAll(term)]
		.filter(([source, not]) => !not && source !== "OR")
		.flatMap(([, , field, text]) => (fold(text).match(wordsAsked) ?? []).map(word => ({field, word})))
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
