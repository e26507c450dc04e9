// Marks show what the search found. search.go says what words and terms are, and
// how letters fold; here a term is a regular expression.

import {h} from "./dom.js"

const term = new RegExp("(-?)(?:(title|text|location|station|details|notes):(?=\\S))?" +
	`(?:["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\\s"“”„«»]+))`, "g")

const folds = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i"}
const fold = text => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
	.replace(/[ßæœøłđı]/g, letter => folds[letter]).normalize()

const letter = "[\\p{L}\\p{M}\\p{Nd}]"
const words = new RegExp(letter + "+", "gu")

// A word finds its plural, and a plural its singular.
const pattern = (word, open) => (
	`(?<!${letter})${open ? `${word}${letter}*` : word.replace(/(?<=.)[sx]$/, "") + "[sx]?"}(?!${letter})`)

function patternsOf(phrase, text) {
	const all = (fold(phrase ?? text).match(words) ?? [])
		.map((word, i, {length}) => pattern(word, text?.endsWith("*") && i === length - 1))
	return phrase && all.length > 0 ? [all.join("[^\\p{L}\\p{Nd}]*")] : all
}

/** matcher gives a function that finds where in the text of a field marks go. */
export function matcher(query = "") {
	const wanted = [...query.matchAll(term)].filter(([source, not]) => !not && source !== "OR")
		.map(([, , field, phrase, text]) => ({field, patterns: patternsOf(phrase, text)}))
	return (text, at) => {
		const patterns = wanted.flatMap(({field, patterns}) => (field ?? at) === at ? patterns : [])
		if (patterns.length === 0) return []
		let folded = ""
		const places = [] // in the text, of each letter folded
		for (const {0: letter, index} of text.matchAll(/./gsu)) {
			folded += fold(letter)
			while (places.length < folded.length) places.push(index)
		}
		places.push(text.length)
		return [...folded.matchAll(new RegExp(patterns.join("|"), "gu"))]
			.map(({0: {length}, index}) => [places[index], places[index + length]])
	}
}

/** marked is a text with marks. */
export function marked(text, field, matches) {
	text ??= ""
	let at = 0
	const nodes = (matches?.(text, field) ?? []).map(([from, to]) => {
		const before = text.slice(at, from)
		at = to
		return [before, h("mark", text.slice(from, to))]
	})
	return [nodes, text.slice(at)]
}
