// How visits lie in time: visitStart and hour say when a visit begins and how long it takes, isOver
// whether it is past, isPlanned whether the user
// still means to make it, around which visits come before and after it, usualVisits which times are offered for one.

import {h} from "../lib/dom.js"
import {statusOf} from "../lib/fields.js"
import {isDead} from "../lib/state.js"
import {title} from "../words/flats.js"
import {clock, dayAndTime, instant, minutes, nearDay, number, t, text, timed, weekday} from "../words/format.js"

// hour is the length of a visit in milliseconds, as in the calendar feed.
export const hour = 3_600_000

// visitStart returns when a flat's visit begins, in milliseconds, or null.
export const visitStart = flat => instant(flat.visit_date)

// isOver reports whether a visit is past. One without a time of day takes the whole day.
export const isOver = flat => visitStart(flat) + (timed(flat.visit_date) ? hour : 24 * hour) < Date.now()

// isPlanned reports whether the user still means to visit a flat with a visit. The calendar feed and Visits also have
// the visits of flats that were dismissed, to be called off; those overlap nothing.
export const isPlanned = flat => !isDead(statusOf(flat))

// usualVisits returns the times for a visit that are offered, [words, value of a datetime-local control]: this evening
// and tomorrow's, and the next Saturday's morning.
export function usualVisits() {
	const at = (days, time) => {
		const day = new Date()
		day.setDate(day.getDate() + days)
		return `${day.toLocaleDateString("sv")}T${time}`
	}
	const toSaturday = (6 - new Date().getDay() + 7) % 7 || 7
	const near = [at(0, "18:00"), at(1, "18:00")].filter(value => instant(value) > Date.now())
	const saturday = at(toSaturday, "11:00")
	return [...near.map(value => [capital(nearDay(value)), value]), [weekday(saturday), saturday]]
}

const capital = words => words[0].toUpperCase() + words.slice(1)

// around returns three groups of at most one line for a visit at a time: the planned visits that it overlaps, and the
// one before it and the one after it on the same day, each with the time in between, unless it is one of those that
// overlap. A visit that overlaps from another day has its day.
export function around(at, others) {
	const isApart = ({ahead}) => Math.abs(ahead) >= hour
	const isSameDay = flat => new Date(visitStart(flat)).toDateString() === new Date(at).toDateString()
	const near = others.filter(flat => isPlanned(flat) && timed(flat.visit_date))
		.map(flat => ({flat, ahead: visitStart(flat) - at}))
		.filter(visit => !isApart(visit) || isSameDay(visit.flat)).sort((a, b) => a.ahead - b.ahead)
	const time = ({flat}) => (isSameDay(flat) ? clock : dayAndTime)(flat.visit_date)
	const line = (pattern, visit) => text(pattern, {left: minutes((Math.abs(visit.ahead) - hour) / 1000),
		time: time(visit), title: title(visit.flat)})
	const left = (pattern, visits) => visits.filter(isApart).map(visit => h("p", line(pattern, visit)))
	const overlaps = near.filter(visit => !isApart(visit))
	const words = overlaps.length > 1
		? [text(t.overlaps, {n: number(overlaps.length), times: overlaps.map(time).join(", ")})]
		: overlaps.map(visit => line(t.overlap, visit))
	return [
		words.map(overlap => h("p.overlap", overlap)),
		left(t.left_after, near.filter(({ahead}) => ahead < 0).slice(-1)),
		left(t.left_before, near.filter(({ahead}) => ahead > 0).slice(0, 1)),
	]
}
