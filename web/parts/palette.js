// The palette: a field that finds views, saved views and flats while one types.

import {fill, h, later, openDialog} from "../lib/dom.js"
import {find} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {simplify, halfTyped} from "../lib/search.js"
import {flatHash} from "../lib/state.js"
import {described} from "../words/flats.js"
import {t} from "../words/format.js"
import {refreshViews} from "./savedviews.js"

// showPalette opens the palette in an element. views has the views of the page, [[name, hash]].
export function showPalette(element, views) {
	const list = h("ul")
	const input = h("input", {type: "search", label: t.palette, placeholder: t.palette,
		autocomplete: "off", input: show})
	const dialog = h("dialog.palette", {label: t.palette, keydown: move, click: ({target}) => {
		if (target.closest("a")) dialog.close()
	}}, input, list)
	let flats = [] // the found flats, as [words, hash, kind]

	const lines = all => all.map(([words, href, kind]) => h("li", h("a", words, h("small", kind), {href})))

	function draw() {
		const typed = simplify(input.value.trim())
		const saved = kept.views.list.filter(({page}) => page).map(({name, page}) => [name, page, t.saved])
		const allViews = [...views.map(([name, hash]) => [name, hash, ""]), ...saved]
		fill(list, lines([...allViews.filter(([name]) => simplify(name).includes(typed)), ...flats]))
	}

	const ask = later(async () => {
		const typed = input.value.trim()
		const first = {"page[size]": 8, fields: "title,cost,currency,area,rooms,location"}
		const found = typed ? await find({q: halfTyped(typed)}, first).catch(() => ({flats: []})) : {flats: []}
		if (typed !== input.value.trim()) return
		flats = found.flats.map(flat => [described(flat), flatHash(flat.id), t.list])
		draw()
	}, 150)

	function show() {
		flats = []
		draw()
		ask()
	}

	// move lets the arrow keys move through the results. Enter in the field opens the first one.
	function move(event) {
		const all = [input, ...list.querySelectorAll("a")]
		const at = all.indexOf(document.activeElement)
		const by = {ArrowDown: 1, ArrowUp: -1}[event.key]
		if (event.key === "Enter" && at === 0) all[1]?.click()
		if (!by) return
		event.preventDefault()
		all[Math.min(all.length - 1, Math.max(0, at + by))].focus()
	}

	draw()
	refreshViews().then(draw)
	openDialog(element, dialog)
	input.focus()
}
