// Marks show what the search found. search.go says what words and terms are, and
// how letters fold; here a phrase is a regular expression.

import {h} from "./dom.js"

const term = new RegExp("(-?)(?:(title|text|location|station|details|notes):(?=\\S))?" +
	`(?:["“”„«»]([^"“”„«»]*)["“”„«»]?|([^\\s"“”„«»]+))`, "g")

// Some scripts put no space between words.
const spaceless = "[ー\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}]"
const letter = `(?!${spaceless})[\\p{L}\\p{M}\\p{Nd}]`
const word = new RegExp(`(${spaceless}+)|(?:${letter})+`, "gu")

const folds = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ς: "σ"}
const fold = text => text.toLowerCase().replace(/\p{No}/gu, " ").normalize("NFKD")
	.replace(/(?![\u200b\u3099\u309a])[\p{sc=Zinh}\p{Cf}]/gu, "")
	.replace(/[ßæœøłđıς]/g, letter => folds[letter]).normalize()

// A word finds its plural, and a plural its singular.
const plural = text => text.replace(/(?<=.)[sx]$/, "(?:$&[sx]?)?").replace(/[^?]$/, "$&[sx]?")

function phrasesOf(phrase, text) {
	const stem = fold(phrase ?? text.replace(/\*+$/, ""))
	const words = [...stem.matchAll(word)].map(({0: word, 1: spaceless, index}) => {
		if (spaceless) return word
		const open = text?.endsWith("*") && index + word.length === stem.length
		return `(?<!${letter})${open ? `${word}(?:${letter})*` : `(?:${plural(word)})(?!${letter})`}`
	})
	return phrase && words.length ? [words.join("[^\\p{L}\\p{M}\\p{Nd}]*")] : words
}

// matcher gives a function that finds where in the text of a field marks go.
export function matcher(query = "") {
	const terms = [...query.matchAll(term)]
		.map(([source, not, field, phrase, text]) => ({not, field, or: source === "OR", phrases: phrasesOf(phrase, text)}))
		.filter(({phrases}) => phrases.length)
	const wanted = terms.filter(({not, or}, i) => !not && !(or && i > 0 && i < terms.length - 1))
	return (text, at) => {
		const phrases = wanted.flatMap(({field, phrases}) => (field ?? at) === at ? phrases : [])
		if (!phrases.length) return []
		let folded = ""
		const places = [] // in the text, of each letter folded
		for (const {0: letter, index} of text.matchAll(/.[\u3099\u309a]?/gsu)) {
			folded += letter < "\x80" ? letter.toLowerCase() : fold(letter)
			while (places.length < folded.length) places.push(index)
		}
		places.push(text.length)
		return [...folded.matchAll(new RegExp(phrases.join("|"), "gu"))]
			.map(({0: {length}, index}) => [places[index], places[index + length]])
	}
}

// Of a long text, marked shows what surrounds the first mark.
export function marked(text, field, matches, most = Infinity) {
	text ??= ""
	const found = matches?.(text, field) ?? []
	let at = found[0]?.[0] > most / 2 ? text.indexOf(" ", found[0][0] - most / 3) + 1 : 0
	const end = at + most
	const nodes = [at > 0 && "… "]
	for (const [from, to] of found) {
		if (from > end) break
		nodes.push(text.slice(at, from), h("mark", text.slice(from, to)))
		at = to
	}
	return [nodes, text.slice(at, end), text.length > end && "…"]
}
