// The section "Rules": saved views that decide on new flats, each with the number of flats that it took.

import {call, findPath} from "../../lib/api.js"
import {fill, h} from "../../lib/dom.js"
import {hashOf} from "../../lib/state.js"
import {count, text} from "../../words/format.js"
import {s} from "../../words/settings.js"
import {endRule, showRule} from "../rules.js"
import {refreshViews, showViews} from "../savedviews.js"

export const rulesSection = {watch, extra: () => h("p.soft", s.rules_how)}

const statuses = {dismiss: "ignored", follow: "followed"} // by what a rule does

// watch shows the rules in an element, and shows them again when the saved views change.
async function watch(element, signal) {
	let lastDrawing = 0 // the number of the last call of draw

	async function draw(views) {
		const thisDrawing = ++lastDrawing
		const rules = views.filter(({rule}) => rule)
		const lines = await Promise.all(rules.map(view => ruleLine(view, signal)))
		if (thisDrawing !== lastDrawing) return // draw was called again
		fill(element, rules.length > 0 ? h("ul.plain", lines) : h("p", s.no_rules))
	}

	await showViews(views => draw(views).catch(() => {/* what is shown will do */}), signal)
}

// ruleLine promises the line of a rule.
async function ruleLine(view, signal) {
	const takenQuery = {"filter[status_because]": view.name, "page[size]": 1, fields: "status"}
	const {total} = await call(findPath({}, takenQuery), {signal})
	const status = statuses[view.rule]
	return h("li.line", view.page ? h("a", view.name, {href: view.page}) : view.name,
		h("span", s["rule_" + view.rule], {"data-status": status}),
		h("a", count(s.rule_took, total), {href: hashOf("list", {tab: "is:" + status})}),
		view.error && h("span.wrong", view.error),
		h("span.line", h("button", s.rule_change, {label: text(s.rule_change_of, view), type: "button",
			click: () => showRule(document.getElementById("main"), view, refreshViews)}),
		h("button.destroys", s.rule_end,
			{label: text(s.rule_end_of, view), type: "button", click: () => endRule(view, refreshViews)})))
}
