// Today: what is next, each with the one button that settles it. It exports show, as all views do (see app.js).

import {fill, h, later, swap} from "../lib/dom.js"
import {costChange, keyOf, photoURLs, shortlisted, statusOf} from "../lib/fields.js"
import {find, flats, onChange, stateOf} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {askPeople} from "../lib/opinions.js"
import {changedSince, newSince} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {hour, visitStart} from "../parts/agenda.js"
import {callButton, phoneLink} from "../parts/call.js"
import {offerContacted, stars, statusButton} from "../parts/decide.js"
import {askDue, askPursued, dueOf, isDue, waitsFor} from "../parts/due.js"
import {facts, firstPhoto, flatLink, news} from "../parts/flats.js"
import {icon} from "../parts/icons.js"
import {address} from "../parts/listing.js"
import {attemptIn} from "../parts/notice.js"
import {askOthers, otherLine} from "../parts/others.js"
import {askMark} from "../parts/seen.js"
import {inDays, putOff, setStep, stepButton} from "../parts/steps.js"
import {countTaken} from "../parts/taken.js"
import {wayBetween} from "../parts/way.js"
import {stepInWords, title} from "../words/flats.js"
import {clock, count, dayAndTime, longDay, minutes, statusName, t, text, timed} from "../words/format.js"

// show fills root with what is due.
export async function show(root, route, signal) {
	const body = h("div.groups")
	let list = h("div")
	let shown = {ids: [], came: {total: 0, changes: []}}
	let asked = shown // what the service has said since

	// render leaves everything where it is if it would look the same: a finger may be on a button.
	function render() {
		if (list.contains(document.activeElement?.closest("dialog, input"))) return
		const next = h("div", sections(dueOf(shown.ids), shown.came))
		next.querySelector(".settle")?.classList.add("primary")
		if (next.isEqualNode(list)) return
		list = swap(list, next)
		kept.trail.ids = [...list.querySelectorAll("[data-id]")].map(({dataset}) => dataset.id)
	}

	async function ask() {
		const [due, pursued, mark] = await Promise.all([askDue({signal}), askPursued({signal}), askMark()])
		const came = mark ? await askCame(mark, signal).catch(error => {
			if (error.status !== 0) throw error
			return shown.came // without a network, what is due is enough
		}) : shown.came
		return {ids: new Set([...due, ...pursued]), came}
	}

	const load = () => attemptIn(body, async () => {
		shown = await ask()
		await askPeople([...shown.ids], signal).catch(() => {/* the ratings of others are left out */})
		if (!list.isConnected) fill(body, list)
		render()
	})

	// fresh reports whether something else is due than what is shown, or more has come or changed.
	async function fresh() {
		const state = found => (Array.isArray(found) ? stateOf(found.map(keyOf)) : found && stateOf([keyOf(found)]))
		const words = ({ids, came}) => JSON.stringify(
			[came.total, came.ruled, came.others, ...[...Object.values(dueOf(ids)), stillListed(came.changes)].map(state)])
		const before = words(shown)
		asked = await ask()
		const isNews = before !== words(asked)
		if (!isNews) shown = asked
		return isNews
	}

	function showNews() {
		shown = asked
		render()
	}

	fill(root, h("h1", t.today), h("p.soft", longDay(Date.now())), body)
	onChange(later(render, 50), signal)
	addEventListener("photos", render, {signal})
	await load()
	return {fresh, show: showNews, passes: render}
}

// askCame promises how many flats came after a time, how many of them rules dismissed, what the others decided, and
// what changed in the shortlist.
async function askCame(mark, signal) {
	const [fresh, changed, ruled, others] = await Promise.all([find({}, newSince(mark), {signal}),
		find({}, changedSince(mark), {signal}), countTaken(mark, signal), askOthers(mark, signal)])
	const changes = changed.flats.filter(flat => flat.gone || costChange(flat)?.by < 0)
	return {total: fresh.total, ruled, others, changes}
}

// stillListed returns the flats as they are known now, without those that have left the shortlist.
const stillListed = found => found.map(flat => flats.get(keyOf(flat)))
	.filter(flat => shortlisted.includes(statusOf(flat)))

// sections makes the groups of what is due, and says so if nothing is due today.
function sections(due, {total, ruled = 0, others = [], changes}) {
	const group = (name, words, found, make) =>
		found.length > 0 && h(`section.due.${name}`, h("h2", words), h("ol", found.map(make)))
	const isEmpty = [due.visits, due.overdue, due.steps].every(found => found.length === 0)
	const {next, ...groups} = due
	const isDueToo = new Set(Object.values(groups).flat().map(keyOf))
	const changed = stillListed(changes).filter(flat => !isDueToo.has(keyOf(flat)))
	const isNextBelow = due.tomorrow.length > 0
	return [
		isEmpty && h("div.empty", h("p", h("b", t.nothing_due)), !isNextBelow && (next
			? h("p", text(t.next_visit, {date: dayAndTime(next.visit_date)}), " ", flatLink(next))
			: total === 0 && h("a.button", t.list, {href: "#/"}))),
		group("visits-today", t.visits_today, due.visits, visitItem),
		group("overdue", t.overdue, due.overdue, stepItem),
		group("due-today", t.due_today, due.steps, stepItem),
		group("tomorrow", t.visits_tomorrow, due.tomorrow, visitItem),
		group("unanswered", t.unanswered, due.unanswered, unansweredItem),
		group("unrated", t.unrated, due.unrated, flat => item(flat, statusName("visited"), [stars(keyOf(flat))])),
		total + ruled + others.length > 0 && h("section.due.came", h("h2", t.came), h("div.line",
			total > 0 && h("a.button.settle", count(t.n_new, total), {href: hashOf("triage")}),
			ruled > 0 && h("a", count(t.n_dismissed_by_rules, ruled), {href: hashOf("list", {tab: "is:ignored"})})),
		others.length > 0 && h("ul.plain.others", others.map(otherLine))),
		group("changed", t.changed_shortlist, changed, flat => item(flat, statusName(statusOf(flat)), [])),
	]
}

// item makes the line of a flat: why it is here, what it is, and the buttons that settle it.
const item = (flat, why, actions, ...more) => h("li.card", {data: {id: keyOf(flat)}},
	photoURLs(flat).length > 0 && firstPhoto(flat),
	h("div.where", h("p.when", why), h("h3", flatLink(flat)), more, h("div.tags", news(flat))), h("div.line", actions))

// visitItem makes the line of a visit, with the way from the one before, and a step that is due. Once the visit has
// begun, it asks for the outcome.
function visitItem(flat, at, all) {
	const id = keyOf(flat)
	const start = visitStart(flat)
	const isTimed = timed(flat.visit_date)
	const hasBegun = isTimed && start < Date.now()
	const isOpen = ["new", "followed", "contacted"].includes(statusOf(flat))
	const settle = hasBegun && isOpen
		? statusButton(id, "visited", {class: "settle", label: `${statusName("visited")}: ${title(flat)}`})
		: callButton("a.button.settle", flat)
	return item(flat, isTimed ? [h("b", clock(start)), ` – ${clock(start + hour)}`] : t.all_day,
		[settle, isDue(flat) ? doneButton(flat) : stepButton(id), hasBegun && stars(id)],
		way(all[at - 1], flat), h("p.address", address(flat)), facts(flat),
		isDue(flat) && h("p", stepInWords(flat)))
}

// way says how much time there is between two visits, and how far apart they are.
function way(before, flat) {
	const between = before && wayBetween(before, flat)
	if (!between) return null
	const {left, far} = between
	const time = left < 0 ? text(t.overlap, {title: title(before), time: clock(before.visit_date)})
		: text(t.left_after, {left: minutes(left), title: title(before), time: clock(before.visit_date)})
	return h(left < 0 ? "p.overlap" : "p.soft", [time, far].filter(Boolean).join(" · "))
}

const doneButton = flat => h("button.settle", t.step_done,
	{label: `${t.step_done}: ${flat.next_step}, ${title(flat)}`, click: () => setStep(keyOf(flat), null)})

// stepItem makes the line of a next step.
function stepItem(flat) {
	const id = keyOf(flat)
	const other = h("input", {type: "date", label: `${t.another_day}: ${title(flat)}`, title: t.another_day,
		min: inDays(0), max: "9999-12-31", click: () => other.showPicker(), change: () => {
			other.blur()
			putOff(id, other.value)
		}})
	return item(flat, h("b", stepInWords(flat)), [doneButton(flat),
		h("button", t.tomorrow, {label: `${t.tomorrow}: ${title(flat)}`, click: () => putOff(id, inDays(1))}),
		h("span.button.another", icon("today"), other),
		phoneLink("a.button", flat, t.call)], facts(flat))
}

// unansweredItem makes the line of a flat that was contacted or applied for and has not been heard of.
function unansweredItem(flat) {
	const id = keyOf(flat)
	const line = item(flat, [statusName(statusOf(flat)), " · ", count(t.for_days, waitsFor(flat))], [
		phoneLink("a.button.settle", flat, t.call),
		h("button", t.message, {label: `${t.message}: ${title(flat)}`, click: write}),
		statusButton(id, "ignored", {label: `${t.dismiss}: ${title(flat)}`}), stepButton(id)], facts(flat))

	async function write() {
		const {showMessage} = await import("../parts/message.js")
		if (line.isConnected) showMessage(line, flats.get(id), () => offerContacted(id))
	}

	return line
}
