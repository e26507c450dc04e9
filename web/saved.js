// Saved searches: views with a name, as chips that say how much came in since
// they were last opened. This browser keeps them.

import {find} from "./api.js"
import {fill, h} from "./dom.js"
import {text} from "./format.js"
import {describeView} from "./filters.js"
import {hashOf, parametersOf, parse, store, stored} from "./state.js"
import {t} from "./strings.js"

const key = "flats.searches"

/** savedSearches makes the chips, and asks for a name where a view is to be saved. */
export function savedSearches() {
	let filters = {}
	const element = h("nav.saved", {label: t.saved, hidden: true})
	const searches = () => stored(key) ?? [] // [{name, hash, opened}]
	// The service counts in seconds.
	const now = () => new Date().toISOString().slice(0, 19) + "Z"

	function keep(all) {
		store(key, all)
		show(filters)
	}

	function show(next) {
		filters = next
		const hash = hashOf("list", filters)
		const all = searches()
		element.hidden = all.length === 0
		fill(element, all.map(search => chip(search, search.hash === hash)))
		if (all.some(search => search.hash === hash))
			store(key, all.map(search => (search.hash === hash ? {...search, opened: now()} : search)))
	}

	const forget = name => keep(searches().filter(search => search.name !== name))

	const chip = ({name, hash}, current) => h("span.chip",
		h("a", name, {href: hash, "aria-current": current && "page"}), h("b"),
		current && h("button.close", "×", {label: text(t.remove, {name}), click: () => forget(name)}))

	// One question for each, when the rows are there.
	async function count(until) {
		const all = searches()
		for (const [i, {hash, opened}] of all.entries()) {
			const parameters = parametersOf(parse(hash).filters)
			parameters.append("min[first_seen]", opened)
			const {total} = await find(parameters, {"page[size]": 1, fields: "status"}, {signal: until})
			const badge = element.children[i]?.querySelector("b")
			if (badge) fill(badge, total > 0 && `${total} ${t.status_new}`)
		}
	}

	function save() {
		const name = h("input", {required: "", maxlength: 60, value: describeView(filters), label: t.save_view})
		const dialog = h("dialog", h("form", {method: "dialog", submit: () => {
			const others = searches().filter(search => search.name !== name.value)
			keep([...others, {name: name.value, hash: hashOf("list", filters), opened: now()}])
		}}, h("h2", t.save_view), name,
		h("div.line", h("button.primary", t.save, {type: "submit"}), h("button", t.close, {click: () => dialog.close()}))),
		{close: () => dialog.remove()})
		element.after(dialog)
		dialog.showModal()
		name.select()
	}

	return {element, show, count, save}
}
