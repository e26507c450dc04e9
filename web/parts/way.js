// The time and distance between two visits.

import {originOf} from "../lib/fields.js"
import {inKilometres, t, text, timed} from "../words/format.js"
import {visitLength, visitStart} from "./agenda.js"
import {distance} from "./listing.js"

// wayBetween returns {left, far} for two visits: the seconds from the end of the first to the second, negative if they
// overlap, and the distance in words, if both positions are known. It returns null if one has no time of day.
export function wayBetween(before, after) {
	if (![before, after].every(({visit_date}) => timed(visit_date))) return null
	const [from, to] = [before, after].map(originOf)
	return {
		left: (visitStart(after) - visitStart(before) - visitLength) / 1000,
		far: from.at && to.at && text(t.straight, {far: inKilometres(distance(from.at, to.at))}),
	}
}
