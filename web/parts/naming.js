// Names of saved views: nameFor proposes one, askName asks for one. maxName and onOneLine make what people type a name
// that the service accepts.

import {fill, h, openDialog} from "../lib/dom.js"
import {range, unknownIn} from "../lib/state.js"
import {activeFilters, tabName} from "../words/filters.js"
import {count, money, number, squareMetres, t, text} from "../words/format.js"

// maxName is the number of UTF-16 units of a name that people can type. The service accepts as many characters, which
// are no more, and some for a number that is added.
export const maxName = 100

// onOneLine returns a text on one line, without control characters and halves of characters, which the service refuses.
export const onOneLine = words => words.replace(/[\s\p{Cc}\p{Cs}]+/gu, " ").trim() // \p{Cs} is half of a character

// cutAtWord cuts some words after the last whole one. If only least characters or fewer would be left, it returns the
// words as they are.
function cutAtWord(words, least) {
	const wholeWords = words.replace(/[\s,]+\S*$/, "")
	return wholeWords.length > least ? wholeWords : words
}

// briefRanges has the ranges that come first in a name, written as people say them: "2–3 rooms, from 60 m², to €1,700".
// write writes a number with its unit. writeFirst writes the first of two numbers, without a unit that the second has.
const briefRanges = {
	rooms: {write: n => count(t.n_rooms, n), writeFirst: n => number(n)},
	area: {write: squareMetres, writeFirst: n => number(n)},
	cost: {write: money, writeFirst: money},
}

// inBrief writes a range of filters as people say it, or returns null if the range is not set, or is a cost without a
// currency.
function inBrief(name, filters, currency) {
	if (!filters[name] || (name === "cost" && !currency)) return null
	const {write, writeFirst} = briefRanges[name]
	const [from, to] = range(filters[name])
	let words
	if (from == null) words = text(t.to_end, {end: write(to, currency)})
	else if (to == null) words = text(t.from_end, {end: write(from, currency)})
	else if (from === to) words = write(to, currency)
	else words = `${writeFirst(from, currency)}–${write(to, currency)}`
	return unknownIn(filters).includes(name) ? text(t.or_unknown, {range: words}) : words
}

// nameFor proposes a name for a view, with at most a number of characters: the tab, unless that is the default one, and
// as many filters as fit whole. If not even the first fits, it is cut. commonCurrency is the currency of all flats, or
// undefined if there are several.
export function nameFor(filters, most, commonCurrency) {
	const currency = filters.currency || commonCurrency
	const said = Object.keys(briefRanges).map(name => [name, inBrief(name, filters, currency)])
		.filter(([, words]) => words)
	const saidNames = said.map(([name]) => name)
	if (saidNames.includes("cost")) saidNames.push("currency") // which the cost shows
	const others = activeFilters(filters).filter(({name}) => !saidNames.includes(name))
	const unquoted = ({name, words}) => (name === "q" ? filters.q : words)
	const conditions = [...said.map(([, words]) => words), ...others.map(unquoted)]
	const parts = (filters.tab || conditions.length === 0 ? [tabName(filters.tab), ...conditions] : conditions)
		.map(words => words.replace(/[\u00a0\u202f]/g, " ")) // as people type it
	const [first, ...rest] = parts
	if (first.length > most) return cutAtWord(first.slice(0, most - 1), 0) + "…"
	let name = first
	for (const words of rest) {
		const longer = `${name}, ${words}`
		if (longer.length > most) {
			const isOnlyTab = name === first && filters.tab // which says too little
			return isOnlyTab ? cutAtWord(longer.slice(0, most - 1), name.length) + "…" : name
		}
		name = longer
	}
	return name
}

// askName asks for the name of a view in a dialog over root, and calls act(name). value is the proposed name, heading
// the name of the dialog. With canTell, a second button calls act(name, true): the user also wants to be notified.
export function askName(root, value, act, heading, {canTell = false} = {}) {
	const input = h("input", {value, required: "", maxlength: maxName, autocomplete: "off",
		"aria-describedby": "wrong-name"})
	const trouble = h("p#wrong-name.trouble", {role: "alert"})
	const tellButton = canTell && h("button", t.save_told)
	const form = h("form", {method: "dialog", submit: save}, h("label", t.view_name, input), trouble,
		h("div.line", h("button.primary", t.save_facts), tellButton,
			h("button", t.cancel, {type: "button", click: close})))
	const dialog = h("dialog.naming", {label: heading}, form)

	function save(event) {
		const name = onOneLine(input.value)
		const isDots = name === "." || name === ".." // browsers remove these from paths
		if (name && !isDots) return act(name, event.submitter === tellButton)
		event.preventDefault()
		fill(trouble, text(t.no_name, {name}))
		input.ariaInvalid = "true"
	}

	function close() {
		dialog.close()
	}

	openDialog(root, dialog)
	input.select()
}
