// When visits are, and how they lie to each other. As in the calendar feed, one
// takes an hour.

import {instant, timed} from "./format.js"

export const hour = 3_600_000

/** startOf is when the visit of a flat begins, in milliseconds, or null. */
export const startOf = flat => instant(flat.visit_date)

/** isOver reports whether a visit has been; one without a time of day takes the day. */
export const isOver = flat => startOf(flat) + (timed(flat.visit_date) ? hour : 24 * hour) < Date.now()

/**
 * around is how a visit at a time lies to those of other flats: {overlaps,
 * before, after}; before and after are the nearest ones of the day, as {flat,
 * left} with the milliseconds between, or undefined.
 */
export function around(at, flats) {
	const lying = flats.filter(flat => startOf(flat) != null && timed(flat.visit_date))
		.map(flat => ({flat, left: Math.abs(startOf(flat) - at) - hour, isLater: startOf(flat) > at}))
		.sort((a, b) => a.left - b.left)
	const nearest = later => lying.find(({left, isLater}) => left >= 0 && left < 12 * hour && isLater === later)
	const overlaps = lying.filter(({left}) => left < 0).map(({flat}) => flat)
	return {overlaps, before: nearest(false), after: nearest(true)}
}
