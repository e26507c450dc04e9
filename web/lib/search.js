// Parses the text of the search field, and splits texts into words, by the rules of the service (search.go).
//
// termsOf splits a search into terms, and phrasesOf a term into phrases. wordsIn, spellingsOf, simplify and singular
// make words comparable. halfTyped makes a search also find words that are typed only in part.

import {searched} from "./fields.js"

const termForm = new RegExp(`(-?)(?:(${searched.join("|")}):(?=\\S))?("[^"]*"?|[^\\s"]+)`, "g")

// The characters of words, as classify in search.go tells them: each one of a script without spaces is a word.
const spaceless = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
	.map(script => `\\p{Script=${script}}`).join("") + "ーｰ" // these lengthen a vowel
const joined = `[\\p{L}\\p{M}\\p{Nd}]--[${spaceless}]`
const wordForm = new RegExp(`((?<=[${spaceless}])[${spaceless}])|[${spaceless}]|[${joined}]+`, "gv")
const endsInWord = new RegExp(`[${spaceless}[${joined}]]$`, "v")
const omissible = "[\\p{Mn}&&[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Cyrillic}]]" // marks
const invisible = new RegExp(`[[\\p{Script=Inherited}\\p{Cf}${omissible}]--\\u200B]`, "gv")

const simpleLetters = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ſ: "s", ς: "σ"}

// simplify returns a text in lower case, in narrow forms, and without diacritics and invisible characters.
export const simplify = text => text.toLowerCase().replace(/[！-～µﬀ-ﬄ]/g, letter => letter.normalize("NFKD"))
	.replace(invisible, "")
	.replace(/[[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]--\p{ASCII}]+/gv, withoutMarks)
	.replace(/[ßæœøłđıſς]/g, letter => simpleLetters[letter])

const withoutMarks = text => text.normalize("NFD").replace(/\p{Mn}/gu, "")

// singular removes the ending of a plural, as search.go does.
export const singular = word => word.replace(/(?<=.)[sx]$/, "")

// spellingsOf returns a text as it is, and with ae, oe and ue for ä, ö and ü. Two words match if they have a spelling
// in common, as in search.go.
export const spellingsOf = text => [...new Set([text,
	text.replace(/[äöü]|[aou]\u0308/gi, letter => letter.normalize("NFD")[0] + "e")])]

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

// termsOf returns the terms of a search, [{source, field, text, isOperator, isNegated, mayBeHalfTyped}]. As in
// search.go, OR and AND are operators between two terms, and NOT before one; elsewhere they are words. A term may be
// half typed unless it is an operator, a phrase, negated, a number of one or two digits, or ends with "*".
export function termsOf(search) {
	const terms = [...search.replace(/[“”„«»]/g, "\"").matchAll(termForm)]
		.map(([source, sign, field, text]) => ({source, sign, field, text}))
		.filter(({text}) => wordsIn(text).length > 0)
	let hasTerm = false // whether there was a term that is no operator
	let negates = false // whether NOT came just before
	return terms.map(({source, sign, field, text}, i) => {
		const isLast = i === terms.length - 1
		if (source === "NOT" && !isLast) {
			negates = !negates
			return {source, isOperator: true}
		}
		if (["OR", "AND"].includes(source) && !isLast && hasTerm) return {source, isOperator: true}
		const mayBeHalfTyped = !sign && !negates && !/^(OR|AND|NOT|\d\d?)$|"|\*$/.test(source)
		const isNegated = (sign === "-") !== negates
		hasTerm = true
		negates = false
		return {source, field, text, isNegated, mayBeHalfTyped}
	})
}

// halfTyped returns a search in which each word that may be half typed also finds longer words that begin with it: balk
// finds Balkon. The word itself stays in the search, because the service also finds its plural.
export function halfTyped(search = "") {
	const complete = ({source, mayBeHalfTyped}) => (mayBeHalfTyped ? `${source} OR ${source}*` : source)
	return termsOf(search.normalize()).map(complete).join(" ") || search
}
