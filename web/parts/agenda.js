// How visits lie in time: visitStart and hour say when a visit begins and how long it takes, isOver whether it is past,
// isPlanned whether the user still means to make it, overlapsAt and around which visits overlap it and come before and
// after it, usualVisits and nextDays which times are offered for one.

import {h} from "../lib/dom.js"
import {statusOf} from "../lib/fields.js"
import {isDead} from "../lib/state.js"
import {title} from "../words/flats.js"
import {clock, dayAndTime, instant, minutes, nearDay, number, shortWeekday, t, text, timed, weekday}
	from "../words/format.js"

// hour is the length of a visit in milliseconds, as in the calendar feed.
export const hour = 3_600_000

// visitStart returns when a flat's visit begins, in milliseconds, or null.
export const visitStart = flat => instant(flat.visit_date)

// isOver reports whether a visit is past. One without a time of day takes the whole day.
export const isOver = flat => visitStart(flat) + (timed(flat.visit_date) ? hour : 24 * hour) < Date.now()

// isPlanned reports whether the user still means to visit a flat with a visit. The calendar feed and Visits also have
// the visits of flats that were dismissed, to be called off; those overlap nothing.
export const isPlanned = flat => !isDead(statusOf(flat))

// localTime returns the value of a datetime-local control for a time some days after today.
function localTime(days, time) {
	const day = new Date()
	day.setDate(day.getDate() + days)
	return `${day.toLocaleDateString("sv")}T${time}`
}

// usualVisits returns the times for a visit that are offered, [words, value of a datetime-local control]: this evening
// and tomorrow's, and the next Saturday's morning.
export function usualVisits() {
	const toSaturday = (6 - new Date().getDay() + 7) % 7 || 7
	const near = [localTime(0, "18:00"), localTime(1, "18:00")].filter(value => instant(value) > Date.now())
	const saturday = localTime(toSaturday, "11:00")
	return [...near.map(value => [capital(nearDay(value)), value]), [weekday(saturday), saturday]]
}

// halfHours has the times of day at which visits are offered.
const halfHours = Array.from({length: 24}, (_, i) =>
	`${String(8 + Math.floor(i / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`)

// nextDays returns the days of a week from today on that have a half hour left, {date, words, times}.
export const nextDays = () => [0, 1, 2, 3, 4, 5, 6].map(days => {
	const [date] = localTime(days, "").split("T")
	const times = halfHours.map(time => `${date}T${time}`).filter(value => instant(value) > Date.now())
	return {date, words: [t.today, t.tomorrow][days] ?? shortWeekday(date), times}
}).filter(({times}) => times.length > 0)

const capital = words => words[0].toUpperCase() + words.slice(1)

const isSameDay = (one, other) => new Date(one).toDateString() === new Date(other).toDateString()
const isApart = ({ahead}) => Math.abs(ahead) >= hour

// nearTo returns the planned visits that overlap one at a time or are on its day, {flat, ahead}, by their time. Each is
// ahead milliseconds later.
const nearTo = (at, others) => others.filter(flat => isPlanned(flat) && timed(flat.visit_date))
	.map(flat => ({flat, ahead: visitStart(flat) - at}))
	.filter(visit => !isApart(visit) || isSameDay(visitStart(visit.flat), at))
	.sort((a, b) => a.ahead - b.ahead)

// lineFor writes how a visit lies to one at a time. A visit from another day has its day.
const lineFor = at => (pattern, visit) => text(pattern, {left: minutes((Math.abs(visit.ahead) - hour) / 1000),
	time: timeFor(at)(visit), title: title(visit.flat)})
const timeFor = at => ({flat}) => (isSameDay(visitStart(flat), at) ? clock : dayAndTime)(flat.visit_date)

// overlapsAt says in at most one line which planned visits a visit at a time overlaps.
export function overlapsAt(at, others) {
	const overlaps = nearTo(at, others).filter(visit => !isApart(visit))
	if (overlaps.length < 2) return overlaps.map(visit => lineFor(at)(t.overlap, visit))
	return [text(t.overlaps, {n: number(overlaps.length), times: overlaps.map(timeFor(at)).join(", ")})]
}

// around returns three groups of at most one line for a visit at a time: the planned visits that it overlaps, and the
// one before it and the one after it on the same day, each with the time in between, unless it is one of those that
// overlap.
export function around(at, others) {
	const near = nearTo(at, others)
	const left = (pattern, visits) => visits.filter(isApart).map(visit => h("p", lineFor(at)(pattern, visit)))
	return [
		overlapsAt(at, others).map(overlap => h("p.overlap", overlap)),
		left(t.left_after, near.filter(({ahead}) => ahead < 0).slice(-1)),
		left(t.left_before, near.filter(({ahead}) => ahead > 0).slice(0, 1)),
	]
}
