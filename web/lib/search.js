// Reads what is typed into the search field, by the rules of search.go, which finds the flats.
//
// termsOf returns the terms of a search; askedIn, spellingsOf, simplify and singular compare their words; halfTyped
// completes a search.

const term = /(-?)(?:(title|text|location|station|details|notes):(?=\S))?("[^"]*"?|[^\s"]+)/g
const wordsAsked = /[\p{L}\p{M}\p{N}]+\*?/gu

const simpleLetters = {ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ı: "i"}

// simplify returns a word without case and diacritics.
export const simplify = word => word.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
	.replace(/[ßæœøłđı]/g, letter => simpleLetters[letter]).normalize()

// askedIn returns the words of a term.
export const askedIn = text => simplify(text).match(wordsAsked) ?? []

// singular removes the ending of a plural, as search.go does.
export const singular = word => word.replace(/(?<=.)[sx]$/, "")

// spellingsOf returns a text, and the same text with ae, oe and ue for ä, ö and ü. Words that share a spelling
// match, as in search.go.
export const spellingsOf = text => [...new Set([text,
	text.normalize().replace(/[äöü]/gi, letter => letter.normalize("NFD")[0] + "e")])]

// termsOf returns the terms of a search, [{source, field, text, isOperator, isNegated, isPlain}]. As in search.go, OR
// and AND are operators between two terms, and NOT before one; anywhere else they are words. A plain term is one that
// may be half typed: no operator, phrase, negated term, or number of one or two digits.
export function termsOf(search) {
	const terms = [...search.replace(/[“”„«»]/g, "\"").matchAll(term)]
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

// halfTyped returns a search that also finds plain words where they are only the beginning of a word: balk finds
// Balkon. The words themselves stay, because the service finds their plurals too.
export function halfTyped(search = "") {
	const terms = termsOf(search.normalize()).map(({source, isPlain}) => (isPlain ? `${source} OR ${source}*` : source))
	return terms.join(" ") || search
}
