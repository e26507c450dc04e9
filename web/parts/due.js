// What is due: visits of today and tomorrow, next steps, and flats that need a reaction.
//
// askDue and askPursued request the flats, dueOf sorts them into groups, showDue shows in the bar how many are due
// today. seenCostsKey names the list of reduced costs that were seen on this device, costId makes an element of the
// list.

import {costChange, keyOf, own, shortlisted, statusOf} from "../lib/fields.js"
import {find, flats, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {keptIds} from "../lib/keptlists.js"
import {me, people, valueOf} from "../lib/people.js"
import {dueFields, withStep, withVisit} from "../lib/query.js"
import {statusSince} from "../lib/queue.js"
import {isDead} from "../lib/state.js"
import {title} from "../words/flats.js"
import {daysFromToday, instant, timed} from "../words/format.js"
import {isOver, isPlanned, visitStart} from "./agenda.js"
import {setBadge} from "./bar.js"

const withDueFields = {fields: dueFields.join()}

// askDue requests the flats with a visit or a next step, shows in the bar how many are due, and promises their ids.
export async function askDue(options) {
	const found = await Promise.all([withVisit, withStep].map(query => find(query, withDueFields, options)))
	kept.due = new Set(found.flatMap(answer => answer.flats.map(keyOf)))
	showDue()
	return kept.due
}

// askPursued requests the flats of the shortlist, and promises their ids.
export async function askPursued(options) {
	const found = await find({}, {"any[status]": shortlisted, ...withDueFields}, options)
	return found.flats.map(keyOf)
}

// stepDays returns in how many days a flat's next step is due, negative if it is overdue, or Infinity if none is.
const stepDays = flat => (flat.next_step && flat.next_date ? daysFromToday(instant(flat.next_date)) : Infinity)

// visitDays returns in how many days a flat's visit is, or null.
const visitDays = flat => (visitStart(flat) == null ? null : daysFromToday(visitStart(flat)))

// byVisit orders flats by the beginning of their visits.
const byVisit = (a, b) => visitStart(a) - visitStart(b)

// isUnrated reports whether a flat was visited but not rated by the person who uses this device, or, where that is not
// known, by somebody.
function isUnrated(flat) {
	if (statusOf(flat) !== "visited") return false
	if (people.length === 0) return flat.notation == null
	return (me() ? [me()] : people).some(person => valueOf(flat, "rating", person) == null)
}

// daysToAnswer has, for the statuses in which the user waits for an answer, the days without an answer after which
// Today lists the flat.
const daysToAnswer = {contacted: 3, applied: 5}

// waitsFor returns for how many days a contacted or applied flat has been without an answer. It returns 0 for other
// flats and if something is planned.
export function waitsFor(flat) {
	const isAwaited = own(daysToAnswer, statusOf(flat)) !== undefined
	const since = isAwaited && instant(statusSince(flat))
	const hasPlan = flat.next_step || visitStart(flat) > Date.now()
	return since && !hasPlan ? Math.floor((Date.now() - since) / (24 * 3_600_000)) : 0
}

// seenCostsKey is the key of the list of costs that this device has seen (keptlists.js).
export const seenCostsKey = "flats.costs"

// costId returns the id in this list for a flat's present cost.
export const costId = flat => `${keyOf(flat)} ${flat.cost}`

// isRecent reports whether a time is in the last seven days.
const isRecent = time => Date.now() - instant(time) < 7 * 24 * 3_600_000

// isCheaper reports whether the cost of a flat has recently fallen.
function isCheaper(flat) {
	const change = costChange(flat)
	return change?.by < 0 && change.date != null && isRecent(change.date)
}

// isToDismiss reports whether a flat is to be dismissed, because it is gone. A signed flat is not: it is gone from its
// site because the user has it.
const isToDismiss = flat => flat.gone && statusOf(flat) !== "signed"

// dueOf sorts flats, given by their ids, into the groups of Today. A flat is in the first group that takes it; one with
// a visit tomorrow is also in the group of a step that is due. A flat that is gone is listed only for its visit or to
// be dismissed. next is the flat with the first visit after tomorrow.
export function dueOf(ids) {
	const all = [...ids].map(id => flats.get(id)).filter(flat => flat && !isDead(statusOf(flat)))
	const taken = new Set()
	const changedAt = flat => instant(costChange(flat).date)
	const byChange = (a, b) => changedAt(b) - changedAt(a) || title(a).localeCompare(title(b))
	const byStep = (a, b) => instant(a.next_date) - instant(b.next_date)

	// take returns the flats for which isIn is true and that no group has yet, in the order of compare, by default that of
	// ids.
	function take(isIn, compare = () => 0) {
		const found = all.filter(flat => !taken.has(keyOf(flat)) && isIn(flat)).sort(compare)
		for (const flat of found) taken.add(keyOf(flat))
		return found
	}

	const isUnanswered = flat => waitsFor(flat) >= (own(daysToAnswer, statusOf(flat)) ?? Infinity)
	const isPursued = flat => shortlisted.includes(statusOf(flat))
	const isLostLately = flat => isPursued(flat) && isRecent(flat.gone)
	const seenCosts = new Set(keptIds(seenCostsKey))
	// The order of the calls of take decides.
	const visits = take(flat => visitDays(flat) === 0, byVisit)
	const tomorrow = take(flat => visitDays(flat) === 1, byVisit)
	// overdue and steps may take these, too.
	for (const flat of tomorrow) if (isDue(flat) && !isToDismiss(flat)) taken.delete(keyOf(flat))
	// A flat that is gone is listed to be dismissed if it was lost lately, or would otherwise be overdue or in steps,
	// unanswered or unrated.
	const gone = take(flat => isToDismiss(flat) &&
		(isLostLately(flat) || isDue(flat) || isUnanswered(flat) || isUnrated(flat)))
	const overdue = take(flat => stepDays(flat) < 0, byStep)
	const steps = take(flat => stepDays(flat) === 0, byStep)
	const unanswered = take(isUnanswered, (a, b) => waitsFor(b) - waitsFor(a))
	const unrated = take(isUnrated)
	const cheaper = take(flat => isPursued(flat) && isCheaper(flat) && !seenCosts.has(costId(flat)), byChange)
	const [next] = all.filter(flat => visitDays(flat) > 1).sort(byVisit)
	return {visits, tomorrow, gone, overdue, steps, unanswered, unrated, cheaper, next}
}

// runningVisit returns the id of the flat that is being visited, or undefined. Of several it returns the one whose
// visit began last.
export function runningVisit() {
	const isRunning = flat => isPlanned(flat) && timed(flat.visit_date) && visitStart(flat) <= Date.now() && !isOver(flat)
	const running = [...kept.due].map(id => flats.get(id)).filter(isRunning)
	const last = running.sort(byVisit).at(-1)
	return last && keyOf(last)
}

// isDue reports whether a flat's next step is due today or overdue.
export const isDue = flat => stepDays(flat) <= 0

// showDue counts the visits of today and the steps that are due, shows the number in the bar, and returns it.
export function showDue() {
	const all = [...kept.due].map(id => flats.get(id)).filter(flat => !isDead(statusOf(flat)))
	const visits = all.filter(flat => visitDays(flat) === 0)
	const steps = all.filter(flat => isDue(flat) && !isToDismiss(flat))
	const n = visits.length + steps.length
	setBadge("today", n)
	return n
}

// Changes on this page change the number at once.
onChange(flat => {
	if (!kept.due) return
	if (flat.visit_date || flat.next_step) kept.due.add(keyOf(flat))
	showDue()
})
