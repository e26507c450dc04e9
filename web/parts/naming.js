// The name of a view: nameFor proposes one, askName asks for it.

import {fill, h, openDialog} from "../lib/dom.js"
import {range, unknownIn} from "../lib/state.js"
import {activeFilters, tabName} from "../words/filters.js"
import {count, money, number, squareMetres, t, text} from "../words/format.js"

// cutBehindWord cuts a text behind its last whole word, but for a text of which at most so many characters were left.
function cutBehindWord(text, most) {
	const words = text.replace(/[\s,]+\S*$/, "")
	return words.length > most ? words : text
}

// brief has the ranges that a name has as people say them, and first: "2–3 rooms, from 60 m², to €1,700". Each has a
// function that writes a number with its unit, and one for the first number of two.
const brief = {
	rooms: [n => count(t.n_rooms, n), n => number(n)],
	area: [squareMetres, n => number(n)],
	cost: [money, money],
}

// inBrief writes a range of filters as people say it, or returns null if that is not possible: a cost needs a currency.
function inBrief(name, filters, currency) {
	if (!filters[name] || (name === "cost" && !currency)) return null
	const [write, writeFirst] = brief[name]
	const [from, to] = range(filters[name])
	const words = from == null ? text(t.to_end, {end: write(to, currency)})
		: to == null ? text(t.from_end, {end: write(from, currency)})
		: from === to ? write(to, currency) : `${writeFirst(from, currency)}–${write(to, currency)}`
	return unknownIn(filters).includes(name) ? text(t.or_unknown, {range: words}) : words
}

// nameFor proposes a name for a view, of at most so many characters: its filters that fit whole, after its tab unless
// that is the usual one. If not even the first one fits, it is cut behind a word. only is the currency of all costs, if
// there is but one.
export function nameFor(filters, most, only) {
	const currency = filters.currency || only
	const said = Object.keys(brief).map(name => [name, inBrief(name, filters, currency)]).filter(([, words]) => words)
	const names = said.map(([name]) => name)
	if (names.includes("cost")) names.push("currency")
	const others = activeFilters(filters).filter(({name}) => !names.includes(name))
	const conditions = [...said.map(([, words]) => words), ...others.map(({words}) => words)]
	const parts = (filters.tab || conditions.length === 0 ? [tabName(filters.tab), ...conditions] : conditions)
		.map(words => words.replace(/[\u00a0\u202f]/g, " ")) // as people type it
	let name = parts[0]
	if (name.length > most) return cutBehindWord(name.slice(0, most - 1), 0) + "…"
	for (const [i, words] of parts.entries()) {
		if (i === 0) continue
		const longer = `${name}, ${words}`
		if (longer.length <= most) name = longer
		else if (i === 1 && filters.tab) return cutBehindWord(longer.slice(0, most - 1), name.length) + "…"
		else break
	}
	return name
}

// askName asks for the name of a view in a dialog over root, and passes it to act. heading names the dialog. With
// told, a second button passes true, too: the user wants to be told about what comes in.
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
		fill(trouble, text(t.no_name, {name})) // a browser takes the dots out of each path
		input.ariaInvalid = "true"
	}

	function close() {
		dialog.close()
	}

	openDialog(root, dialog)
	input.select()
}
