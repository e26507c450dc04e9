// Visits in time.
//
// visitStart, visitLength, isOver and isPlanned describe a visit. overlapsAt and linesAround write which other visits
// overlap a visit, come before it and come after it. usualVisits and nextDays return times to offer for a new visit.

import {h} from "../lib/dom.js"
import {statusOf} from "../lib/fields.js"
import {isDead} from "../lib/state.js"
import {title} from "../words/flats.js"
import {clock, dayAndTime, instant, minutes, nearDay, number, shortWeekday, t, text, timed, weekday}
	from "../words/format.js"

const hour = 3_600_000 // milliseconds

// visitLength is the length of a visit in milliseconds, as in the calendar feed.
export const visitLength = hour

// visitStart returns when a flat's visit begins, in milliseconds, or null.
export const visitStart = flat => instant(flat.visit_date)

// isOver reports whether a visit is past. A visit without a time of day lasts the whole day.
export const isOver = flat => visitStart(flat) + (timed(flat.visit_date) ? visitLength : 24 * hour) < Date.now()

// isPlanned reports whether the user still means to make a flat's visit. The visits of dismissed flats are still in the
// calendar feed and in Visits, so that the user calls them off. They overlap nothing.
export const isPlanned = flat => !isDead(statusOf(flat))

// dayAfter returns the date some days after today, such as 2026-03-01. The locale "sv" writes dates in this form.
function dayAfter(days) {
	const day = new Date()
	day.setDate(day.getDate() + days)
	return day.toLocaleDateString("sv")
}

// localTime returns a time of day, some days after today, as the value of a datetime-local control.
const localTime = (days, time) => `${dayAfter(days)}T${time}`

// usualVisits returns the times to offer for a visit, [[words, value of a datetime-local control]]: this evening,
// tomorrow evening, and next Saturday morning.
export function usualVisits() {
	const toSaturday = 6 - new Date().getDay() || 7 // getDay returns 6 on a Saturday: then it is the next one
	const near = [localTime(0, "18:00"), localTime(1, "18:00")].filter(value => instant(value) > Date.now())
	const saturday = localTime(toSaturday, "11:00")
	return [...near.map(value => [capital(nearDay(value)), value]), [weekday(saturday), saturday]]
}

// halfHours has the times of day at which visits are offered: 08:00, 08:30, and so on until 19:30.
const halfHours = Array.from({length: 24}, (_, i) =>
	`${String(8 + Math.floor(i / 2)).padStart(2, "0")}:${i % 2 ? "30" : "00"}`)

// nextDays returns the days of the coming week that still have times to offer, [{date, words, times}].
export const nextDays = () => [0, 1, 2, 3, 4, 5, 6].map(days => {
	const date = dayAfter(days)
	const times = halfHours.map(time => `${date}T${time}`).filter(value => instant(value) > Date.now())
	return {date, words: [t.today, t.tomorrow][days] ?? shortWeekday(date), times}
}).filter(({times}) => times.length > 0)

const capital = words => words[0].toUpperCase() + words.slice(1)

const isSameDay = (one, other) => new Date(one).toDateString() === new Date(other).toDateString()

// isApart reports whether a visit, in the form of nearTo, does not overlap the visit at the time given to nearTo.
const isApart = ({ahead}) => Math.abs(ahead) >= visitLength

// nearTo returns the planned visits that overlap a visit at a time, or are on the same day, [{flat, ahead}], in order.
// ahead is how many milliseconds after the time the visit begins, negative if before.
const nearTo = (at, others) => others.filter(flat => isPlanned(flat) && timed(flat.visit_date))
	.map(flat => ({flat, ahead: visitStart(flat) - at}))
	.filter(visit => !isApart(visit) || isSameDay(visitStart(visit.flat), at))
	.sort((a, b) => a.ahead - b.ahead)

// describeVisit writes a visit, in the form of nearTo for the time at, in the words of a pattern.
function describeVisit(visit, at, pattern) {
	const secondsBetween = (Math.abs(visit.ahead) - visitLength) / 1000
	return text(pattern, {left: minutes(secondsBetween), time: visitTime(visit, at), title: title(visit.flat)})
}

// visitTime writes the time of a visit, with its day unless that is the day of the time at.
const visitTime = ({flat}, at) => (isSameDay(visitStart(flat), at) ? clock : dayAndTime)(flat.visit_date)

// overlapsAt returns a line, in an array, about the planned visits that overlap a visit at a time, or [].
export function overlapsAt(at, others) {
	const overlaps = nearTo(at, others).filter(visit => !isApart(visit))
	if (overlaps.length < 2) return overlaps.map(visit => describeVisit(visit, at, t.overlap))
	const times = overlaps.map(visit => visitTime(visit, at)).join(", ")
	return [text(t.overlaps, {n: number(overlaps.length), times})]
}

// linesAround makes the lines about other visits for a visit at a time: which ones overlap it, and how much time is
// left after the previous visit and before the next one on the same day.
export function linesAround(at, others) {
	const near = nearTo(at, others)
	const previous = near.findLast(({ahead}) => ahead < 0)
	const next = near.find(({ahead}) => ahead > 0)
	const timeLeft = (pattern, visit) => visit && isApart(visit) && h("p", describeVisit(visit, at, pattern))
	return [
		overlapsAt(at, others).map(overlap => h("p.overlap", overlap)),
		timeLeft(t.left_after, previous),
		timeLeft(t.left_before, next),
	]
}
