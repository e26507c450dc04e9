// Saved searches: views with a name, as chips that say how much came in since
// they were last opened. This browser keeps them.

import {find} from "./api.js"
import {fill, h} from "./dom.js"
import {text} from "./format.js"
import {describeView} from "./filters.js"
import {hashOf, parametersOf, parse, store, stored} from "./state.js"
import {t} from "./strings.js"

/** savedSearches makes the chips; show(filters) is for each view that is opened, and save asks for its name. */
export function savedSearches() {
	let filters = {}
	const element = h("nav.saved", {label: t.saved})
	const searches = () => stored("flats.searches") ?? [] // [{name, hash, opened}]
	const others = name => searches().filter(search => search.name !== name)
	// The service counts in seconds.
	const opened = search => ({...search, opened: new Date().toISOString().slice(0, 19) + "Z"})

	function keep(all) {
		store("flats.searches", all)
		show(filters)
	}

	function show(next) {
		filters = next
		const hash = hashOf("list", filters)
		const all = searches().map(search => (search.hash === hash ? opened(search) : search))
		if (all.length > 0) store("flats.searches", all)
		element.hidden = all.length === 0
		fill(element, all.map(search => chip(search, search.hash === hash)))
	}

	const chip = ({name, hash}, current) => h("span.chip",
		h("a", name, {href: hash, "aria-current": current && "page"}), h("b"),
		current && h("button.close", "×", {label: text(t.remove, {name}), click: () => keep(others(name))}))

	async function count(signal) {
		for (const [i, {hash, opened}] of searches().entries()) {
			const parameters = parametersOf(parse(hash).filters)
			parameters.append("min[first_seen]", opened)
			const {total} = await find(parameters, {"page[size]": 1, fields: "status"}, {signal})
			fill(element.children[i].querySelector("b"), total > 0 && `${total} ${t.status_new}`)
		}
	}

	function save() {
		const name = prompt(t.save_view, describeView(filters))?.trim()
		if (name) keep([...others(name), opened({name, hash: hashOf("list", filters)})])
	}

	return {element, show, count, save}
}
