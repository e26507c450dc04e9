// Marks on the words that a search asks for, in titles and texts. matcher reads a search, marked marks the words of a
// text.

import {h} from "../lib/dom.js"
import {simplify, singular, spellingsOf, termsOf} from "../lib/search.js"

const wholeWords = /[[\p{L}\p{M}\p{Nd}\p{Cf}]--\u200B]+/gv // \p{Cf} has the soft hyphen
const wordsAsked = /[\p{L}\p{M}\p{Nd}]+\*?/gu

// wordsOf returns the words that a search asks for, [{field, word, isHalfTyped}], without negated ones. isHalfTyped is
// true if the word may be typed only in part: the last one of a term.
function wordsOf(search) {
	const terms = termsOf(search.normalize()).filter(({isOperator, isNegated}) => !isOperator && !isNegated)
	return terms.flatMap(({field, text, mayBeHalfTyped}) => spellingsOf(text).flatMap(spelling => {
		const words = simplify(spelling).match(wordsAsked) ?? []
		return words.map((word, i) => ({field, word, isHalfTyped: mayBeHalfTyped && i === words.length - 1}))
	}))
}

// matcher returns a function (word, field) that reports whether a search asks for a word in a field.
export function matcher(search = "") {
	const wanted = wordsOf(search)

	function matches(found, {word, isHalfTyped}) {
		if (word.endsWith("*")) return found.startsWith(word.slice(0, -1))
		if (isHalfTyped && found.startsWith(word)) return true
		return found === word || singular(found) === word || found === singular(word)
	}

	return (text, inField) => {
		const spellings = wanted.length > 0 ? spellingsOf(text).map(simplify) : []
		return wanted.some(({field = inField, ...asked}) =>
			field === inField && spellings.some(word => matches(word, asked)))
	}
}

// marked returns a text of a field as children for h, and marks the words for which matches(word, field) holds.
export function marked(text, field, matches) {
	const parts = []
	let at = 0
	for (const {0: word, index} of (text ?? "").matchAll(wholeWords)) {
		if (!matches?.(word, field)) continue
		parts.push(text.slice(at, index), h("mark", word))
		at = index + word.length
	}
	return [parts, text?.slice(at)]
}
