// Names of saved views: nameFor proposes one, askName asks for one.

import {fill, h, openDialog} from "../lib/dom.js"
import {range, unknownIn} from "../lib/state.js"
import {activeFilters, tabName} from "../words/filters.js"
import {count, money, number, squareMetres, t, text} from "../words/format.js"

// cutAtWord cuts a text after its last whole word, unless that would leave only least characters or fewer.
function cutAtWord(text, least) {
	const words = text.replace(/[\s,]+\S*$/, "")
	return words.length > least ? words : text
}

// briefRanges has the ranges that come first in a name, written as people say them: "2–3 rooms, from 60 m², to €1,700".
// Each has a function that writes a number with its unit, and one that writes the first of two numbers.
const briefRanges = {
	rooms: [n => count(t.n_rooms, n), n => number(n)],
	area: [squareMetres, n => number(n)],
	cost: [money, money],
}

// inBrief writes a range of filters as people say it, or returns null if the range is not set, or is a cost without a
// currency.
function inBrief(name, filters, currency) {
	if (!filters[name] || (name === "cost" && !currency)) return null
	const [write, writeFirst] = briefRanges[name]
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
	const names = said.map(([name]) => name)
	if (names.includes("cost")) names.push("currency")
	const others = activeFilters(filters).filter(({name}) => !names.includes(name))
	const conditions = [...said.map(([, words]) => words), ...others.map(({words}) => words)]
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
// the name of the dialog. With told, a second button calls act(name, true): the user also wants to be notified.
export function askName(root, value, act, heading, {told = false} = {}) {
	const input = h("input", {value, required: "", maxlength: 100, autocomplete: "off", "aria-describedby": "wrong-name"})
	const trouble = h("p#wrong-name.trouble", {role: "alert"})
	const tell = told && h("button", t.save_told)
	const form = h("form", {method: "dialog", submit: save}, h("label", t.view_name, input), trouble,
		h("div.line", h("button.primary", t.save_facts), tell,
			h("button", t.cancel, {type: "button", click: close})))
	const dialog = h("dialog.naming", {label: heading}, form)

	function save(event) {
		const name = input.value.trim()
		if (name && !/^\.\.?$/.test(name)) return act(name, event.submitter === tell)
		event.preventDefault()
		fill(trouble, text(t.no_name, {name})) // browsers remove "." and ".." from paths
		input.ariaInvalid = "true"
	}

	function close() {
		dialog.close()
	}

	openDialog(root, dialog)
	input.select()
}
