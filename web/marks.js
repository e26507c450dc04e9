// Marks on the words in titles and texts that a search asks for. matcher reads the search, marked marks
// the words of a text. Terms, words and the folding of letters are those of search.go, which finds the
// flats.

import {h} from "./dom.js"

const term = /(-?)(?:(title|text|location|station|details|notes):(?=\S))?("[^"]*"?|[^\s"]+)/g
const words = /[\p{L}\p{M}\p{N}]+/gu
const wordsAsked = /[\p{L}\p{M}\p{N}]+\*?/gu

const folds = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i"}
const fold = word => word.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
	.replace(/[ßæœøłđı]/g, letter => folds[letter]).normalize()

// singular removes the ending of a plural, as search.go does.
const singular = word => word.replace(/(?<=.)[sx]$/, "")

// wordsOf returns the words that a query asks for, [{field, word}], without those that it negates. As in
// search.go, OR and AND are operators between two terms, and NOT before one; anywhere else they are
// words.
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

// matcher returns a function (word, field) that reports whether a query asks for a word in a field.
export function matcher(query = "") {
	const wanted = wordsOf(query)
	return (text, at) => {
		const found = wanted.length > 0 && fold(text)
		return wanted.some(({field = at, word}) => field === at && (word.endsWith("*")
			? found.startsWith(word.slice(0, -1))
			: [found, singular(found)].includes(word) || found === singular(word)))
	}
}

// marked returns a text of a field as children for h. The words for which matches(word, field) holds are
// marked.
export function marked(text, field, matches) {
	const parts = []
	let at = 0
	for (const {0: word, index} of (text ?? "").matchAll(words)) if (matches?.(word, field)) {
		parts.push(text.slice(at, index), h("mark", word))
		at = index + word.length
	}
	return [parts, text?.slice(at)]
}
