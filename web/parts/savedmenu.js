// The menu of a saved view: notifications, rule, rename, delete.

import {fill, h} from "../lib/dom.js"
import {t, text} from "../words/format.js"
import {icon} from "./icons.js"
import {askName} from "./naming.js"
import {attempt} from "./notice.js"
import {showRule} from "./rules.js"
import {bell, changeViews, deleteView, putView, refreshViews, renameView, tellChanged, viewOf} from "./savedviews.js"

// openMenu opens a menu below a button. Pressing an item closes it.
export function openMenu(button, items) {
	const menu = h("div#saved-menu.options", {popover: "auto", label: button.ariaLabel, click: () => menu.hidePopover()},
		items)
	menu.addEventListener("toggle", ({newState}) => {
		button.ariaExpanded = newState === "open"
		if (newState === "closed") menu.remove()
	})
	button.ariaExpanded = true // the style sheet anchors the menu to the expanded button
	document.getElementById("main").append(menu)
	menu.showPopover({source: button})
	menu.querySelector("a, button").focus()
}

// item makes an item of the menu of the view with a name. Its words are an icon and a word.
const item = (name, words, act, spec = "button") =>
	h(spec, words, {label: `${words.at(-1)}: ${name}`, click: () => attempt(async () => act())})

// itemOfRule makes the item of a view in the menu of all rules. It leads to the flats of the view or, if this page
// cannot show them, opens the choices for the rule.
export function itemOfRule(view) {
	const words = [icon("rule"), view.name, {title: t["rule_is_" + view.rule]}]
	return view.page ? h("a", words, {href: view.page})
		: h("button", words, {click: () => attempt(async () => showRule(main(), view, refreshViews))})
}

// itemsOf makes the items of a view's menu.
export function itemsOf(view) {
	const {name} = view
	const bellItem = bell(view)
	fill(bellItem, icon("bell"), t.notify)
	return [bellItem, item(name, [icon("rule"), t.rule_menu], () => showRule(main(), view, refreshViews)),
		item(name, [icon("edit"), t.rename], () => askName(main(), name, next => rename(view, next), t.rename)),
		h("hr"), ...itemsOfLocal(view, () => deleteWithUndo(view))]
}

// itemsOfLocal makes the items of the menu of a view that only this browser has. act() deletes the view.
export const itemsOfLocal = ({name}, act) => [item(name, [icon("forget"), t.delete_them], act, "button.destroys")]

const main = () => document.getElementById("main")

// deleteWithUndo deletes a view, and offers Undo.
const deleteWithUndo = view => changeViews(async () => {
	await deleteView(view.name)
	tellChanged(text(t.removed, view), () => putView(view.name, view))
})

// rename renames a view. It replaces a view that has the new name.
const rename = (view, name) => name !== view.name && changeViews(async () => {
	const replaced = viewOf(name)
	await renameView(view.name, name)
	tellChanged(text(t.renamed, {was: view.name, name}), async () => {
		await renameView(name, view.name)
		if (replaced) await putView(name, replaced)
	})
})
