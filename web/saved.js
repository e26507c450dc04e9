// The saved searches, which this browser keeps: views of the list under a name.

import {fill, h} from "./dom.js"
import {countFlats, describeView} from "./filters.js"
import {number, t, text} from "./format.js"
import {hashOf, parse, store, stored} from "./state.js"

// savedSearches makes the chips of the saved searches. It returns their element with three functions:
//   show(filters)       draws the chips, and counts the search with these filters as opened now
//   countNew(signal)    asks how many flats have come in since each search was last opened
//   save()              asks for a name and saves the view under it
export function savedSearches() {
	const element = h("nav.saved", {label: t.saved})
	let filters, searches // [{name, hash, opened}]

	function show(next, all = stored("flats.searches") ?? []) {
		filters = next
		const hash = hashOf("list", filters)
		const opened = new Date().toISOString().slice(0, 19) + "Z" // the service stores whole seconds
		searches = all.map(search => (search.hash === hash ? {...search, opened} : search))
		store("flats.searches", searches)
		fill(element, searches.map(search => chip(search, search.hash === hash)))
	}

	// chip makes the link to a search, with room for its number. The open search can be removed.
	const chip = ({name, hash}, isOpen) => h("span.chip", h("a", name, {href: hash, "aria-current": isOpen && "page"}),
		h("b"), isOpen && h("button.close", "×",
			{label: text(t.remove, {name}), click: () => show(filters, without(name))}))

	const without = name => searches.filter(search => search.name !== name)

	async function countNew(signal) {
		for (const [i, {hash, opened}] of searches.entries()) {
			const n = await countFlats(parse(hash).filters, signal, {"min[first_seen]": opened})
			fill(element.children[i].querySelector("b"), n > 0 && `${number(n)} ${t.status_new}`)
		}
	}

	function save() {
		const name = prompt(t.save, describeView(filters))?.trim()
		if (name) show(filters, [...without(name), {name, hash: hashOf("list", filters)}])
	}

	return {element, show, countNew, save}
}
