// The menu of a saved view: messages about it, what it decides, its name, and its end.

import {fill, h} from "../lib/dom.js"
import {t, text} from "../words/format.js"
import {icon} from "./icons.js"
import {askName} from "./naming.js"
import {attempt} from "./notice.js"
import {showRule} from "./rules.js"
import {alter, announce, bell, putView, refreshViews, remove, renameView, viewOf} from "./savedviews.js"

// openMenu opens a menu below a button, until one of its items is pressed.
export function openMenu(button, items) {
	const menu = h("div#saved-menu.options", {popover: "auto", label: button.ariaLabel, click: () => menu.hidePopover()},
		items)
	menu.addEventListener("toggle", ({newState}) => {
		button.ariaExpanded = newState === "open"
		if (newState === "closed") menu.remove()
	})
	button.ariaExpanded = true // which anchors the menu
	document.getElementById("main").append(menu)
	menu.showPopover({source: button})
	menu.querySelector("a, button").focus()
}

const item = (name, words, act, spec = "button") =>
	h(spec, words, {label: `${words.at(-1)}: ${name}`, click: () => attempt(async () => act())})

// itemOfRule makes the item of a rule in the menu of all: it leads to its flats or, if this page cannot show them, to
// what it decides.
export function itemOfRule(view) {
	const words = [icon("rule"), view.name, {title: t["rule_is_" + view.rule]}]
	return view.page ? h("a", words, {href: view.page})
		: h("button", words, {click: () => attempt(async () => showRule(main(), view, refreshViews))})
}

// itemsOf makes the menu of a view.
export function itemsOf(view) {
	const {name} = view
	const tell = bell(view)
	fill(tell, icon("bell"), t.notify)
	return [tell, item(name, [icon("rule"), t.rule_menu], () => showRule(main(), view, refreshViews)),
		item(name, [icon("edit"), t.rename], () => askName(main(), name, next => rename(view, next), t.rename)),
		h("hr"), ...itemsOfLocal(view, () => end(view))]
}

// itemsOfLocal makes the menu of a view that this browser keeps itself, which act removes.
export const itemsOfLocal = ({name}, act) => [item(name, [icon("forget"), t.delete_them], act, "button.destroys")]

const main = () => document.getElementById("main")

const end = view => alter(async () => {
	await remove(view.name)
	announce(text(t.removed, view), () => putView(view.name, view))
})

// rename gives a view another name. If that is taken, it replaces the other view.
const rename = (view, name) => name !== view.name && alter(async () => {
	const other = viewOf(name)
	await renameView(view.name, name)
	announce(text(t.renamed, {was: view.name, name}), async () => {
		await renameView(name, view.name)
		if (other) await putView(name, other)
	})
})
