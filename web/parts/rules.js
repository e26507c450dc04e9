// Rules: saved views that dismiss or follow matching flats as they come in.
//
// showRule opens the choices for a saved view. askSweep asks before the flats of a list are dismissed, and offers to
// dismiss those to come, too; saveRule then saves that rule. showRule and askSweep first show what the rule would have
// taken lately. endRule ends a rule. The parameter refresh is refreshViews of savedviews.js.

import {call, viewPath} from "../lib/api.js"
import {fill, h, loadStyle, openDialog} from "../lib/dom.js"
import {keyOf, statusOf} from "../lib/fields.js"
import {changed, find, flats, look, remember, updateNow} from "../lib/flats.js"
import {inHundreds} from "../lib/opinions.js"
import {conditionsOf, daysAgo} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {relativeIn} from "../words/filters.js"
import {cost, title} from "../words/flats.js"
import {count, statusName, t, text} from "../words/format.js"
import {flatLink} from "./flats.js"
import {nameFor} from "./naming.js"
import {attempt, attemptIn, decided, failed} from "./notice.js"
import {putView} from "./savedviews.js"

const kinds = ["dismiss", "follow"]
const statusOfKind = {dismiss: "ignored", follow: "followed"}
const lately = 14 // days
const maxListed = 100 // flats
const unfolded = 3 // flats listed at once, so that the buttons below stay in sight

// comingQuery returns the query for the flats that matched when they came in, whatever their status now, or null if no
// new flat can match.
function comingQuery(query) {
	const given = new URLSearchParams(query)
	const wanted = [...given.getAll("any[status]"), ...given.getAll("filter[status]")]
	if (wanted.length > 0 && !wanted.includes("new")) return null
	for (const name of ["any[status]", "filter[status]", "not[status]", "known[gone]"]) given.delete(name)
	return given
}

// leftQuery returns the query for those flats of a query on which nobody has decided.
const leftQuery = query =>
	new URLSearchParams([...new URLSearchParams(query), ["filter[status]", "new"], ["known[status_since]", "no"]])

const listQuery = {"page[size]": maxListed, sort: "-first_seen", fields: "title,status,cost,currency,location"}

// lines makes a line for each flat. CSS shortens the title, not the cost.
const lines = found => h("ul.plain", found.map(flat => h("li",
	flatLink(flat, [title(flat), {title: title(flat)}]), h("span.soft", cost(flat)))))

// list lists the flats of an answer, and says how many more there are.
const list = ({flats: found, total}) => h("div.taken", lines(found),
	total > found.length && h("p.soft", count(t.and_more, total - found.length)))

// listBriefly lists the first flats of an answer, and hides the others in a fold.
function listBriefly({flats: found, total}) {
	if (found.length <= unfolded) return list({flats: found, total})
	const rest = {flats: found.slice(unfolded), total: total - unfolded}
	return h("div.taken", lines(found.slice(0, unfolded)),
		h("details", h("summary", count(t.and_more, rest.total)), list(rest)))
}

// showTaken fills an element with the flats that a rule with a query would have taken lately.
const showTaken = (element, query) => attemptIn(element, async () => {
	const coming = comingQuery(query)
	if (!coming) return fill(element, h("p", t.rule_never))
	const found = await find(coming, {...listQuery, "min[first_seen]": daysAgo(lately)})
	fill(element, h("p", found.total > 0 ? count(t.rule_would, found.total) : t.rule_none), listBriefly(found))
})

// showRule opens the choices for a saved view in a dialog over root.
export async function showRule(root, view, refresh) {
	await loadStyle()
	const body = h("div.parts")
	const cancel = () => h("button", t.cancel, {click: () => dialog.close()})
	const dialog = h("dialog.rule", {label: text(t.rule_for, view)}, h("h2", view.name), body)
	dialog.addEventListener("click", ({target}) => {
		if (target.closest(".taken a")) dialog.close()
	})

	function choose() {
		const others = kinds.filter(kind => kind !== view.rule)
		fill(body, h("p", view.rule ? t["rule_is_" + view.rule] : t.rule_how), h("div.line",
			others.map(kind => h("button", t["rule_" + kind], {click: () => attempt(() => preview(kind))})),
			view.rule && h("button", t.rule_end, {click: end}), cancel()))
		body.querySelector("button").focus()
	}

	function end() {
		dialog.close()
		endRule(view, refresh)
	}

	// preview shows what the rule would have taken, and offers to apply it to existing flats.
	async function preview(kind) {
		const taken = h("div")
		const left = h("div")
		const box = h("input", {type: "checkbox"})

		function set() {
			dialog.close()
			setRule(view, kind, box.checked, refresh)
		}

		fill(body, taken, left, h("div.line", h("button.primary", t["rule_" + kind], {click: set}), cancel()))
		body.querySelector("button").focus()
		const [found] = await Promise.all([look(leftQuery(view.query), listQuery), showTaken(taken, view.query)])
		if (found.total > 0) fill(left, h("label.line", box, count(t["rule_left_" + kind], found.total)),
			h("details", h("summary", t.show), list(found)))
	}

	openDialog(root, dialog)
	choose()
}

// setRule makes a saved view a rule, and applies it to existing flats if isForAll. One Undo takes both back.
async function setRule(view, kind, isForAll, refresh) {
	try {
		await putView(view.name, {rule: kind})
		const ids = isForAll ? await apply(view.name, kind) : []
		await refresh()
		const words = text(t["rule_made_" + kind], view)
		decided(ids.length > 0 ? `${words} · ${count(t.n_flats, ids.length)}: ${statusName(statusOfKind[kind])}` : words,
			async () => {
				await putView(view.name, {rule: view.rule ?? null})
				await refresh()
				updateNow(ids.map(id => [id, {status: "new"}]))
			})
	} catch (error) {
		failed(error, () => setRule(view, kind, isForAll, refresh), t.not_saved)
	}
}

// apply applies a rule to existing flats, and promises the ids of those that it took. It updates what views show of
// these flats.
async function apply(name, kind) {
	const {data} = await call("views/apply?" + new URLSearchParams({name}), {method: "POST"})
	const ids = data.ids.map(String)
	for (const part of inHundreds(ids)) {
		const before = new Map(part.map(id => [id, flats.get(id)]))
		const {flats: found} = await look({}, {"any[id]": part, "page[size]": 100,
			fields: "title,status,status_since,status_because"})
		for (const flat of found) changed(remember(flat), before.get(keyOf(flat)))
	}
	return ids.filter(id => statusOf(flats.get(id)) === statusOfKind[kind])
}

// endRule ends a rule. The view remains.
export async function endRule(view, refresh) {
	try {
		await putView(view.name, {rule: null})
		await refresh()
		decided(text(t.rule_ended, view), async () => {
			await putView(view.name, {rule: view.rule})
			await refresh()
		})
	} catch (error) {
		failed(error, () => endRule(view, refresh), t.not_saved)
	}
}

// askSweep asks before the flats of a list are dismissed, and offers to dismiss those to come, too. It promises null if
// the user cancels, {name, query, page} if a rule is wanted, or else {}.
export async function askSweep(root, question, filters) {
	await loadStyle()
	const {promise, resolve} = Promise.withResolvers()
	const query = conditionsOf(filters)
	const name = h("input",
		{value: nameFor({...filters, tab: undefined}, 60), required: "", maxlength: 100, autocomplete: "off",
			disabled: true})
	const naming = h("label.field", t.view_name, name, {hidden: true})
	const taken = h("div")
	const box = h("input", {type: "checkbox", change() {
		naming.hidden = name.disabled = !box.checked
		fill(taken)
		if (box.checked) showTaken(taken, query)
	}})
	const rule = () => ({name: name.value.trim(), query, page: hashOf("list", filters)})
	const submit = () => resolve(box.checked ? rule() : {})
	const form = h("form.parts", {method: "dialog", submit}, h("p", question),
		!relativeIn(filters) && h("label.line", box, t.those_to_come), naming, taken,
		h("div.line", h("button.primary", t.dismiss, {data: {status: "ignored"}}),
			h("button", t.cancel, {type: "button", click: () => dialog.close()})))
	const dialog = h("dialog.question.rule", {label: question, close: () => resolve(null)}, form)
	openDialog(root, dialog)
	return promise
}

// saveRule saves a view, {name, query, page}, that is a rule that dismisses. It replaces a view with the same name.
export async function saveRule(members, refresh) {
	const {name, query, page} = members
	try {
		const {data} = await call("views")
		const before = data.find(view => view.name === name)
		await putView(name, {query, page, rule: "dismiss"})
		await refresh()
		decided(text(t.rule_made_dismiss, {name}), async () => {
			if (before) await putView(name, {...before, rule: before.rule ?? null})
			else await call(viewPath(name), {method: "DELETE"})
			await refresh()
		})
	} catch (error) {
		failed(error, () => saveRule(members, refresh), t.not_saved)
	}
}
