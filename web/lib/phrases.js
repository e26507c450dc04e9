// Splits texts into words, and the terms of a search (search.js) into phrases, by the rules of the service (search.go).

import {simplify, spellingsOf} from "./search.js"

// The characters of words, as classify in search.go tells them: each one of a script without spaces is a word.
const spaceless = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
	.map(script => `\\p{Script=${script}}`).join("") + "ーｰ" // these lengthen a vowel
const joined = `[\\p{L}\\p{M}\\p{Nd}]--[${spaceless}]`
const wordForm = new RegExp(`((?<=[${spaceless}])[${spaceless}])|[${spaceless}]|[${joined}]+`, "gv")
const endsInWord = new RegExp(`[${spaceless}[${joined}]]$`, "v")

const base64 = /[A-Za-z0-9+/_=-]{129,}/g // data, such as an inline photo

// wordsIn returns the words of a text, [{spellings, isGlued}], without those of data. isGlued is true for a character
// of a script without spaces that directly follows another one.
export function wordsIn(text) {
	const isRule = run => run.replace(/[A-Za-z0-9]/g, "").length > run.length / 2 // as a line of dashes
	const readable = text.replace(base64, run => (isRule(run) ? run : " "))
	const [words, respelled = words] = spellingsOf(readable).map(spelling => [...simplify(spelling).matchAll(wordForm)])
	return words.map(([word, glued], i) => ({spellings: [word, respelled[i][0]], isGlued: glued !== undefined}))
}

// phrasesOf returns the phrases of a term, [{words, isBeginning}]: one if it stands in quotes, else one for each word.
// Glued words stay together. isBeginning is true for a word that ends with "*".
export function phrasesOf(term) {
	const isQuoted = term.startsWith("\"")
	const stem = isQuoted ? term : term.replace(/\*+$/, "")
	const phrases = []
	for (const word of wordsIn(stem)) {
		if (phrases.length === 0 || !isQuoted && !word.isGlued) phrases.push({words: []})
		phrases.at(-1).words.push(word)
	}
	const last = phrases.at(-1)
	if (last) last.isBeginning = stem !== term && last.words.length === 1 && endsInWord.test(simplify(stem))
	return phrases
}
