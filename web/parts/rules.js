// Rules: saved views that dismiss or follow matching flats as they come in.
//
// showRule opens the choices for a saved view. sweep asks before the flats that match filters are dismissed, and offers
// to dismiss those to come, too. Both first show what the rule would have taken lately. endRule ends a rule. The
// parameter refresh is refreshViews of savedviews.js.

import {call} from "../lib/api.js"
import {fill, h, loadStyle, openDialog} from "../lib/dom.js"
import {keyOf, statusOf} from "../lib/fields.js"
import {find, flats, look, remember, reportChange, updateNow} from "../lib/flats.js"
import {inHundreds} from "../lib/opinions.js"
import {conditionsOf, daysAgo} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {datedFilterIn} from "../words/filters.js"
import {cost, title} from "../words/flats.js"
import {count, number, statusName, t, text} from "../words/format.js"
import {changeNow} from "./decisions.js"
import {flatLink} from "./flats.js"
import {maxName, nameFor, onOneLine} from "./naming.js"
import {attempt, attemptIn, failed, showDecision} from "./notice.js"
import {deleteView, putView, refreshViews} from "./savedviews.js"

const kinds = ["dismiss", "follow"]
const statusOfKind = {dismiss: "ignored", follow: "followed"}
const daysShown = 14
const maxListed = 100 // flats
const maxUnfolded = 3 // flats listed above the fold, so that the buttons below stay in sight

// comingQuery returns a query without its conditions on the status and on being gone, so that it finds the flats that
// matched when they came in, whatever has become of them. It returns null if the query wants only statuses other than
// "new".
function comingQuery(query) {
	const conditions = new URLSearchParams(query)
	const wanted = [...conditions.getAll("any[status]"), ...conditions.getAll("filter[status]")]
	if (wanted.length > 0 && !wanted.includes("new")) return null
	for (const name of ["any[status]", "filter[status]", "not[status]", "known[gone]"]) conditions.delete(name)
	return conditions
}

// undecidedQuery returns the query for those flats of a query on which nobody has decided.
const undecidedQuery = query =>
	new URLSearchParams([...new URLSearchParams(query), ["filter[status]", "new"], ["known[status_since]", "no"]])

const listQuery = {"page[size]": maxListed, sort: "-first_seen", fields: "title,status,cost,currency,location"}

// flatLines makes a line for each flat. CSS shortens the title, not the cost.
const flatLines = found => h("ul.plain", found.map(flat => h("li",
	flatLink(flat, [title(flat), {title: title(flat)}]), h("span.soft", cost(flat)))))

// listFlats lists the flats of an answer, and says how many more there are.
const listFlats = ({flats: found, total}) => h("div.taken", flatLines(found),
	total > found.length && h("p.soft", count(t.and_more, total - found.length)))

// listBriefly lists the first flats of an answer, and hides the others in a fold.
function listBriefly({flats: found, total}) {
	if (found.length <= maxUnfolded) return listFlats({flats: found, total})
	const folded = {flats: found.slice(maxUnfolded), total: total - maxUnfolded}
	return h("div.taken", flatLines(found.slice(0, maxUnfolded)),
		h("details", h("summary", count(t.and_more, folded.total)), listFlats(folded)))
}

// previewRule fills an element with the flats that a rule with a query would have taken in the last daysShown days.
const previewRule = (element, query) => attemptIn(element, async () => {
	const coming = comingQuery(query)
	if (!coming) return fill(element, h("p", t.rule_never))
	const found = await find(coming, {...listQuery, "min[first_seen]": daysAgo(daysShown)})
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
		const takenPart = h("div")
		const undecidedPart = h("div")
		const box = h("input", {type: "checkbox"})

		function set() {
			dialog.close()
			setRule(view, kind, box.checked, refresh)
		}

		fill(body, takenPart, undecidedPart, h("div.line", h("button.primary", t["rule_" + kind], {click: set}), cancel()))
		body.querySelector("button").focus()
		const [undecided] = await Promise.all([
			look(undecidedQuery(view.query), listQuery),
			previewRule(takenPart, view.query),
		])
		if (undecided.total > 0) fill(undecidedPart, h("label.line", box, count(t["rule_left_" + kind], undecided.total)),
			h("details", h("summary", t.show), listFlats(undecided)))
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
		const madeInWords = text(t["rule_made_" + kind], view)
		const takenInWords = ids.length > 0 && `${count(t.n_flats, ids.length)}: ${statusName(statusOfKind[kind])}`
		showDecision([madeInWords, takenInWords].filter(Boolean).join(" · "), async () => {
			await putView(view.name, {rule: view.rule ?? null})
			await refresh()
			updateNow(ids.map(id => [id, {status: "new"}])) // apply takes only flats with this status
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
		for (const flat of found) reportChange(remember(flat), before.get(keyOf(flat)))
	}
	return ids.filter(id => statusOf(flats.get(id)) === statusOfKind[kind])
}

// endRule ends a rule. The view remains.
export async function endRule(view, refresh) {
	try {
		await putView(view.name, {rule: null})
		await refresh()
		showDecision(text(t.rule_ended, view), async () => {
			await putView(view.name, {rule: view.rule})
			await refresh()
		})
	} catch (error) {
		failed(error, () => endRule(view, refresh), t.not_saved)
	}
}

// sweep dismisses flats after a question, and makes a rule that dismisses those to come if the user wants one. choices
// is [{words, filters, ids, name}]: the new flats with these ids match the filters, which words describe; name, if
// given, is proposed for the view. With several, the user chooses one. isRule says whether a rule is wanted unless the
// user says otherwise.
export async function sweep(root, choices, isRule = false) {
	const chosen = await askSweep(root, choices, isRule)
	if (chosen) await dismissAll(chosen)
}

// dismissAll dismisses the flats of a choice after the rule is saved, if there is one. One Undo takes both back.
async function dismissAll({ids, rule}) {
	const words = `${count(t.n_flats, ids.length)}: ${statusName("ignored")}`
	const dismiss = ids.map(id => [id, {status: "ignored"}])
	if (!rule) return changeNow(dismiss, words)
	try {
		const undoRule = await saveRule(rule)
		changeNow(dismiss, `${text(t.rule_made_dismiss, rule)} · ${words}`, undoRule)
	} catch (error) {
		failed(error, () => dismissAll({ids, rule}), t.not_saved)
	}
}

// askSweep asks the question of sweep. It promises null if the user cancels, or else the choice, with the members of
// the view to save as rule if one is wanted.
async function askSweep(root, choices, isRule) {
	await loadStyle()
	const {promise, resolve} = Promise.withResolvers()
	let [chosen] = choices
	const name = h("input", {required: "", maxlength: maxName, autocomplete: "off"})
	const naming = h("label.field", t.view_name, name)
	const takenPart = h("div")
	const question = h("p")
	const box = h("input", {type: "checkbox", checked: isRule, change: offer})
	const reasons = choices.length > 1 && h("fieldset.reasons", h("legend", t.because_of), choices.map(choice =>
		h("label.line", h("input", {type: "radio", name: "reason", checked: choice === chosen, change: () => show(choice)}),
			h("span", choice.words, " ", h("span.soft", number(choice.ids.length))))))

	// show shows one of the choices.
	function show(choice) {
		chosen = choice
		fill(question, count(t.dismiss_sure, chosen.ids.length), !reasons && " " + chosen.words)
		name.value = chosen.name ?? nameFor({...chosen.filters, tab: undefined}, 60)
		offer()
	}

	// offer shows what a rule would have taken, if one is wanted. It fills a new element each time, so that a late answer
	// about another choice shows nowhere.
	function offer() {
		naming.hidden = name.disabled = !box.checked
		const list = h("div")
		fill(takenPart, list)
		if (box.checked) previewRule(list, conditionsOf(chosen.filters))
	}

	const rule = ({filters}) =>
		({name: onOneLine(name.value), query: conditionsOf(filters), page: hashOf("list", filters)})
	const submit = () => resolve({...chosen, rule: box.checked && rule(chosen)})
	show(chosen)
	const form = h("form.parts", {method: "dialog", submit}, question, reasons,
		!datedFilterIn(chosen.filters) && h("label.line", box, t.those_to_come), naming, takenPart,
		h("div.line", h("button.primary", t.dismiss, {data: {status: "ignored"}}),
			h("button", t.cancel, {type: "button", click: () => dialog.close()})))
	const dialog = h("dialog.question.rule", {label: question.textContent, close: () => resolve(null)}, form)
	openDialog(root, dialog)
	return promise
}

// saveRule saves a view, {name, query, page}, that is a rule that dismisses. It replaces a view with the same name. It
// promises a function that takes that back.
async function saveRule({name, query, page}) {
	const {data} = await call("views")
	const before = data.find(view => view.name === name)
	await putView(name, {query, page, rule: "dismiss"})
	await refreshViews()
	return async () => {
		if (before) await putView(name, {...before, rule: before.rule ?? null})
		else await deleteView(name)
		await refreshViews()
	}
}
