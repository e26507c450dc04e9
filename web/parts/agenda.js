// How visits lie in time: startOf and hour say when a visit begins and how long it takes, around which visits come
// before and after it.

import {h} from "../lib/dom.js"
import {title} from "../words/flats.js"
import {clock, dayAndTime, instant, minutes, t, text, timed} from "../words/format.js"

// hour is the length of a visit in milliseconds, as in the calendar feed.
export const hour = 3_600_000

// startOf returns when a flat's visit begins, in milliseconds, or null.
export const startOf = flat => instant(flat.visit_date)

// around returns three groups of lines for a visit at a time: the visits that it overlaps, and the one before it and
// the one after it, each with the time in between, unless it is one of those that overlap. A visit on another day has
// its day. Only visits within twelve hours count.
export function around(at, others) {
	const near = others.filter(flat => timed(flat.visit_date)).map(flat => ({flat, ahead: startOf(flat) - at}))
		.filter(({ahead}) => Math.abs(ahead) < 12 * hour).sort((a, b) => a.ahead - b.ahead)
	const isSameDay = other => new Date(other).toDateString() === new Date(at).toDateString()
	const time = flat => (isSameDay(startOf(flat)) ? clock : dayAndTime)(flat.visit_date)
	const line = pattern => ({flat, ahead}) => h("p", {class: pattern === t.overlap && "overlap"},
		text(pattern, {left: minutes((Math.abs(ahead) - hour) / 1000), time: time(flat), title: title(flat)}))
	const isApart = ({ahead}) => Math.abs(ahead) >= hour
	return [
		near.filter(visit => !isApart(visit)).map(line(t.overlap)),
		near.filter(({ahead}) => ahead < 0).slice(-1).filter(isApart).map(line(t.left_after)),
		near.filter(({ahead}) => ahead > 0).slice(0, 1).filter(isApart).map(line(t.left_before)),
	]
}
