// Parses the text of the search field by the rules of the service (search.go).
//
// termsOf splits a search into terms, which phrases.js splits further. spellingsOf, simplify and singular make words
// comparable. halfTyped makes a search also find words that are typed only in part.

import {searched} from "./fields.js"

const termForm = new RegExp(`(-?)(?:(${searched.join("|")}):(?=\\S))?("[^"]*"?|[^\\s"]+)`, "g")

// Characters that a search ignores, as classify in search.go does. omissible are marks that writers of these scripts
// may leave out. invisible are these, combining marks and format characters, without the zero-width space, which
// separates words.
const omissible = "[\\p{Mn}&&[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Cyrillic}]]"
const invisible = new RegExp(`[[\\p{Script=Inherited}\\p{Cf}${omissible}]--\\u200B]`, "gv")

const simpleLetters = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i", ſ: "s", ς: "σ"}

// spelledOtherwise matches full-width ASCII, the micro sign and ligatures such as ﬁ, for which NFKD has plain letters.
const spelledOtherwise = /[！-～µﬀ-ﬄ]/g

// simplify returns a text in lower case, in narrow forms, and without diacritics and invisible characters.
export const simplify = text => text.toLowerCase().replace(spelledOtherwise, letter => letter.normalize("NFKD"))
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

const hasWord = text => /[\p{L}\p{M}\p{Nd}]/u.test(simplify(text))

// termsOf returns the terms of a search, [{source, field, text, isOperator, isNegated, mayBeHalfTyped}]. As in
// search.go, OR and AND are operators between two terms, and NOT before one; elsewhere they are words. A term may be
// half typed unless it is an operator, a phrase, negated, a number of one or two digits, or ends with "*".
export function termsOf(search) {
	const terms = [...search.replace(/[“”„«»]/g, "\"").matchAll(termForm)]
		.map(([source, sign, field, text]) => ({source, sign, field, text}))
		.filter(({text}) => hasWord(text))
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
