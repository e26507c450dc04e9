// Today: what is next. On one side is the line of the day, with the next visit large; on the other are other things to
// do, in plain lines, each with a button that settles it. It exports show, as all views do (see app.js).

import {fill, h, later, swap} from "../lib/dom.js"
import {costChange, keyOf, photoURLs, statusOf} from "../lib/fields.js"
import {find, flats, onChange, stateOf} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {changeIds} from "../lib/keptlists.js"
import {askPeople} from "../lib/opinions.js"
import {newSince} from "../lib/query.js"
import {flatHash, hashOf} from "../lib/state.js"
import {isOver, visitLength, visitStart} from "../parts/agenda.js"
import {callButton, phoneLink} from "../parts/call.js"
import {setContacted, stars, statusButton} from "../parts/decide.js"
import {askDue, askPursued, costId, dueOf, isDue, seenCostsKey, waitsFor} from "../parts/due.js"
import {changeTags, directions, firstPhoto, flatLink} from "../parts/flats.js"
import {icon} from "../parts/icons.js"
import {address} from "../parts/listing.js"
import {attemptIn, showDecision} from "../parts/notice.js"
import {askOthers, otherLine} from "../parts/others.js"
import {askMark} from "../parts/seen.js"
import {inDays, putOff, setStep, showSteps, stepButton} from "../parts/steps.js"
import {countTaken} from "../parts/taken.js"
import {wayBetween} from "../parts/way.js"
import {stepInWords, title} from "../words/flats.js"
import {clock, count, dayAndTime, daysFromToday, minutes, money, statusName, t, text, timed,
	weekdayAndDay} from "../words/format.js"

// show fills root with what is due.
export async function show(root, route, signal) {
	const body = h("div.groups")
	let list = h("div")
	let shown = {ids: [], came: {total: 0, ruled: 0, others: []}} // what is due, and what came (askCame)
	let lastAnswer = shown // which findChanges offers to show

	// render draws what is due, unless it would look the same: a finger may be on a button.
	function render() {
		if (list.contains(document.activeElement?.closest("dialog, input"))) return // the user is choosing or typing
		const newList = h("div", sections(dueOf(shown.ids), shown.came))
		newList.querySelector(".settle")?.classList.add("primary")
		if (newList.isEqualNode(list)) return
		list = swap(list, newList)
		const ids = [...list.querySelectorAll("[data-id]")].map(({dataset}) => dataset.id)
		kept.trail.ids = [...new Set(ids)]
	}

	// ask promises what is due and what came, {ids, came}.
	async function ask() {
		const [due, pursued, mark] = await Promise.all([askDue({signal}), askPursued({signal}), askMark()])
		const keepShown = error => {
			if (error.status !== 0) throw error
			return shown.came // there is no network
		}
		const came = mark ? await askCame(mark, signal).catch(keepShown) : shown.came
		return {ids: new Set([...due, ...pursued]), came}
	}

	const load = () => attemptIn(body, async () => {
		shown = await ask()
		await askPeople([...shown.ids], signal).catch(() => {/* there are no ratings of others */})
		if (!list.isConnected) fill(body, list)
		render()
	})

	// findChanges promises whether something else is due than is shown, or more has come.
	async function findChanges() {
		// A group of dueOf is a list of flats, one flat, or undefined.
		const groupState = group => stateOf([group ?? []].flat().map(keyOf))
		const state = ({ids, came}) => JSON.stringify([came, ...Object.values(dueOf(ids)).map(groupState)])
		const before = state(shown)
		lastAnswer = await ask()
		const isNews = before !== state(lastAnswer)
		if (!isNews) shown = lastAnswer
		return isNews
	}

	function showNews() {
		shown = lastAnswer
		render()
	}

	fill(root, h("div.line", h("h1", t.today), h("p.soft", weekdayAndDay(Date.now()))), body)
	onChange(later(render, 50), signal)
	addEventListener("photos", render, {signal})
	addEventListener(seenCostsKey, render, {signal})
	await load()
	return {findChanges, show: showNews, onMinute: render}
}

// askCame promises what came after a time: {total, ruled, others}, the numbers of new flats and of flats that rules
// dismissed, and what others have decided.
async function askCame(mark, signal) {
	const [newFlats, ruled, others] = await Promise.all([find({}, newSince(mark), {signal}), countTaken(mark, signal),
		askOthers(mark, signal)])
	return {total: newFlats.total, ruled, others}
}

// sections makes what came, the line of the day, and what is to be done, or says that nothing is due today.
function sections(due, {total, ruled, others}) {
	const group = (name, words, found, make) =>
		found.length > 0 && h(`section.due.${name}`, h("h2", words), h("ol", found.map(make)))
	const {visits, tomorrow} = due
	const isEmpty = [visits, due.overdue, due.steps].every(found => found.length === 0)
	const nextVisit = visits.find(flat => !isOver(flat))
	const changed = [...due.gone, ...due.cheaper]
	const came = [total > 0 && count(t.n_new, total), ruled > 0 && count(t.n_dismissed_by_rules, ruled)].filter(Boolean)
	const goal = total > 0 ? {words: t.triage, href: hashOf("triage")}
		: {words: t.show, href: hashOf("list", {tab: "is:ignored"})}
	const newsLine = [came.length > 0 && h("a", came.join(", "), " · ", goal.words, {href: goal.href}),
		others.map(otherLine)]
	return [
		newsLine.flat().some(Boolean) && h("p.due.came.line", newsLine),
		h("div.day-columns", h("div",
			isEmpty && h("div.empty", h("p", h("b", t.nothing_due)), tomorrow.length === 0 && whatInstead(due.next, total)),
			group("visits-today", t.visits_today, visits, (flat, at) =>
				visitItem(flat, {before: visits[at - 1], isLarge: flat === nextVisit}))),
		h("div.to-do",
			group("overdue", t.overdue, due.overdue, stepItem),
			group("due-today", t.due_today, due.steps, stepItem),
			group("unanswered", t.unanswered, due.unanswered, unansweredItem),
			group("unrated", t.unrated, due.unrated, flat => todo(flat, statusName("visited"), null, stars(keyOf(flat)))),
			group("changed", t.changed_shortlist, changed, changedItem)),
		group("tomorrow", t.visits_tomorrow, tomorrow, (flat, at) => visitItem(flat, {before: tomorrow[at - 1]}))),
	]
}

// whatInstead says when the next visit is. Without one, and without new flats, it leads to the list.
function whatInstead(next, total) {
	if (next) return h("p", text(t.next_visit, {date: dayAndTime(next.visit_date)}), " ", flatLink(next))
	return total === 0 && h("a.button", t.list, {href: "#/"})
}

// visitItem makes the item of a visit in the line of the day, below the way from before, the flat of the visit before.
// The next visit is large. A visit that has begun asks for the outcome, and links to the notes. A step that is due is
// part of a visit today; with a visit tomorrow it has a line of its own.
function visitItem(flat, {before, isLarge}) {
	const id = keyOf(flat)
	const start = visitStart(flat)
	const isTimed = timed(flat.visit_date)
	const hasBegun = isTimed && start < Date.now()
	const isToday = daysFromToday(start) <= 0
	const lacksOutcome = ["new", "followed", "contacted"].includes(statusOf(flat)) // the statuses before "visited"
	const settle = hasBegun && lacksOutcome
		? statusButton(id, "visited", {class: "settle", label: `${statusName("visited")}: ${title(flat)}`})
		: isLarge && directions(flat, "a.button.settle")
	const stepControl = isDue(flat) ? isToday && doneButton(flat, t.step_done) : stepButton(id)
	return [before && way(before, flat), h("li.stop", {data: {id}, "data-large": isLarge && "true"},
		h("p.when", isTimed ? [h("b", clock(start)), h("span.sr", ` – ${clock(start + visitLength)}`)] : t.all_day),
		h("div.where", isLarge && photoURLs(flat).length > 0 && firstPhoto(flat), h("h3", flatLink(flat)),
			h("p.address", address(flat)), h("div.tags", changeTags(flat)),
			isToday && isDue(flat) && h("p", stepInWords(flat)),
			h("div.line", settle, callButton("a.button", flat),
				(isLarge || hasBegun) && h("a.button", t.notes, {href: flatHash(id), label: `${t.notes}: ${title(flat)}`,
					click: () => { kept.trail.notes = id }}),
				stepControl, hasBegun && stars(id))))]
}

// way writes how much time is between two visits, and how far apart they are.
function way(before, flat) {
	const between = wayBetween(before, flat)
	if (!between) return null
	const {left, far} = between
	const time = left < 0 ? t.overlapping : text(t.between, {left: minutes(left)})
	return h(left < 0 ? "li.way-between.overlap" : "li.way-between.soft",
		h("span", [time, far].filter(Boolean).join(" · ")))
}

// todo makes a plain line about a flat: the first action, or null, then the title, why the flat is there, and other
// actions, which end at the right. Of these Call comes first, because not all flats have it: so the others stand at the
// same place in every line.
const todo = (flat, why, first, ...others) => h("li.todo", {data: {id: keyOf(flat)}}, first,
	h("div.where", h("h3", flatLink(flat)), h("p.when", why)), h("div.line", others))

// doneButton makes the button that completes the next step of a flat.
const doneButton = (flat, words) => h("button.done-step", words,
	{label: `${t.step_done}: ${flat.next_step}, ${title(flat)}`, title: t.step_done,
		click: () => setStep(keyOf(flat), null)})

// makeRound turns a button into the round one at the beginning of a line.
function makeRound(button) {
	fill(button, h("span.check"))
	return button
}

// stepItem makes the line of a next step.
function stepItem(flat) {
	const id = keyOf(flat)
	const other = h("input", {type: "date", label: `${t.another_day}: ${title(flat)}`, title: t.another_day,
		min: inDays(0), max: "9999-12-31", click: () => other.showPicker(), change: () => {
			other.blur()
			putOff(id, other.value)
		}})
	return todo(flat, stepInWords(flat), makeRound(doneButton(flat)),
		phoneLink("a.button", flat, worded("phone", t.call)),
		h("button", worded("tomorrow", t.tomorrow),
			{label: `${t.tomorrow}: ${title(flat)}`, title: t.tomorrow, click: () => putOff(id, inDays(1))}),
		h("span.button.another", icon("today"), other))
}

// worded makes the content of a button: a word, and an icon that replaces it on a phone.
const worded = (name, word) => [icon(name), h("span.word", word)]

// unansweredItem makes the line of a flat that waits for an answer.
function unansweredItem(flat) {
	const id = keyOf(flat)
	const next = h("button.step",
		{label: `${t.next_step}: ${title(flat)}`, title: t.next_step, click: () => showSteps(id)})
	const line = todo(flat, [statusName(statusOf(flat)), " · ", count(t.for_days, waitsFor(flat))], makeRound(next),
		phoneLink("a.button", flat, worded("phone", t.call)),
		h("button", worded("message", t.message), {label: `${t.message}: ${title(flat)}`, click: write}), dismissButton(flat))

	async function write() {
		const {showMessage} = await import("../parts/message.js")
		if (line.isConnected) showMessage(line, flats.get(id), () => setContacted(id))
	}

	return line
}

function dismissButton(flat) {
	const button = statusButton(keyOf(flat), "ignored", {label: `${t.dismiss}: ${title(flat)}`})
	fill(button, worded("dismiss", t.dismiss))
	return button
}

// changedItem makes the line of a flat of the shortlist that is gone or cheaper.
function changedItem(flat) {
	if (flat.gone) return todo(flat, changeTags(flat)[0], null, dismissButton(flat))
	const {from, to} = costChange(flat)
	const why = text(t.cheaper, {now: money(to, flat.currency), before: money(from, flat.currency)})
	return todo(flat, why, null,
		h("button", t.seen, {label: `${t.seen}: ${title(flat)}`, click: () => markCostSeen(flat)}))
}

// markCostSeen records on this device that a cost was seen; the device keeps the last 200. Undo forgets that again.
function markCostSeen(flat) {
	const key = costId(flat)
	const change = act => {
		changeIds(seenCostsKey, act)
		dispatchEvent(new Event(seenCostsKey))
	}
	const without = ids => ids.filter(id => id !== key)
	change(ids => [...without(ids), key].slice(-200))
	showDecision(`${title(flat)}: ${t.seen}`, () => change(without))
}
