// The words that a search asks for: marks on them in titles and texts, and the search as the service gets it.
//
// matcher reads a search, marked marks the words of a text, halfTyped completes a search. Terms, words and the
// folding of letters are those of search.go, which finds the flats.

import {h} from "./dom.js"

const term = /(-?)(?:(title|text|location|station|details|notes):(?=\S))?("[^"]*"?|[^\s"]+)/g
const words = /[\p{L}\p{M}\p{N}]+/gu
const wordsAsked = /[\p{L}\p{M}\p{N}]+\*?/gu

const folds = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i"}
const fold = word => word.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
	.replace(/[ßæœøłđı]/g, letter => folds[letter]).normalize()

// askedIn returns the words of a term.
const askedIn = text => fold(text).match(wordsAsked) ?? []

// singular removes the ending of a plural, as search.go does.
const singular = word => word.replace(/(?<=.)[sx]$/, "")

// spellingsOf returns a text, and the same with ae, oe and ue for ä, ö and ü. Words that have a spelling in common
// match, as in search.go.
const spellingsOf = text => [...new Set([text,
	text.normalize().replace(/[äöü]/gi, letter => letter.normalize("NFD")[0] + "e")])]

// termsOf returns the terms of a query, [{source, field, text, isOperator, isNegated, isPlain}]. As in search.go, OR
// and AND are operators between two terms, and NOT before one; anywhere else they are words. A plain term is one that
// may be half typed: no operator, phrase, negated term, or number of one or two digits.
function termsOf(query) {
	const terms = [...query.replace(/[“”„«»]/g, "\"").matchAll(term)]
		.map(([source, sign, field, text]) => ({source, sign, field, text}))
		.filter(({text}) => askedIn(text).length > 0)
	let begun = false
	let negates = false
	return terms.map(({source, sign, field, text}, i) => {
		const isLast = i === terms.length - 1
		if (source === "NOT" && !isLast) {
			negates = !negates
			return {source, isOperator: true}
		}
		if (["OR", "AND"].includes(source) && !isLast && begun) return {source, isOperator: true}
		const isPlain = !sign && !negates && !/^(OR|AND|NOT|\d\d?)$|"|\*$/.test(source)
		const isNegated = (sign === "-") !== negates
		begun = true
		negates = false
		return {source, field, text, isNegated, isPlain}
	})
}

// halfTyped returns a query that finds plain words also where they are only the beginning of a word: balk finds
// Balkon. The words themselves stay, because the service finds their plurals too.
export function halfTyped(query = "") {
	const terms = termsOf(query.normalize()).map(({source, isPlain}) => (isPlain ? `${source} OR ${source}*` : source))
	return terms.join(" ") || query
}

// wordsOf returns the words that a query asks for, [{field, word, begins}], without those that it negates.
// begins is true for a word that may be half typed.
const wordsOf = query => termsOf(query.normalize()).filter(({isOperator, isNegated}) => !isOperator && !isNegated)
	.flatMap(({field, text, isPlain}) => spellingsOf(text).map(askedIn).flatMap(asked =>
		asked.map((word, i) => ({field, word, begins: isPlain && i === asked.length - 1}))))

// matcher returns a function (word, field) that reports whether a query asks for a word in a field.
export function matcher(query = "") {
	const wanted = wordsOf(query)
	const matches = (found, {word, begins}) => (word.endsWith("*") ? found.startsWith(word.slice(0, -1))
		: begins && found.startsWith(word) || [found, singular(found)].includes(word) || found === singular(word))
	return (text, at) => {
		const found = wanted.length > 0 ? spellingsOf(text).map(fold) : []
		return wanted.some(({field = at, ...asked}) => field === at && found.some(word => matches(word, asked)))
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
