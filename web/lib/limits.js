// Limits on travel times: the bounds of places in the config, and the filters of the list.

import {own} from "./fields.js"
import {kept} from "./kept.js"
import {goerTo, waysOf} from "./people.js"
import {range} from "./state.js"

// bounds has the most seconds that the way to a place may take, {constraints, others}, or null if no place has a bound.
// constraints has them by constraint and place, others by place, for flats outside the config's constraints. The
// service writes them into the page.
const bounds = JSON.parse(document.querySelector("meta[name=flats-bounds]")?.content ?? null)

// hasBounds is true if any place has a bound.
export const hasBounds = bounds !== null

// exceededLimit returns the lowest limit, in seconds, that a travel time exceeds, or undefined. The travel time is in
// the form of travelTimes. person, by default the one who goes to the place, selects the filters that apply.
export function exceededLimit(flat, [place, seconds, entry], person = goerTo(flat, place)) {
	const boundsOfPlaces = own(bounds?.constraints, flat.service_constraint) ?? bounds?.others
	const {filters} = kept
	const names = []
	if (!filters.to || filters.to === place) names.push("travel_time")
	if (person) names.push("travel." + person, "travel_longest")
	const upperEnd = name => range(own(filters, name))[1]
	const mostMinutes = names.map(upperEnd).filter(minutes => minutes != null)
	const limits = [own(boundsOfPlaces, place), ...mostMinutes.map(minutes => minutes * 60)]
	const isOver = entry?.estimated?.over // the real time is longer than seconds
	return limits.filter(limit => seconds > limit || isOver && seconds === limit).sort((a, b) => a - b)[0]
}

// limitedWays returns the travel times of waysOf with the limits that they exceed, [[label, seconds, entry, limit]].
export const limitedWays = (flat, to) => waysOf(flat, to).map(([label, seconds, entry, place]) => {
	const person = label === place ? undefined : label // waysOf labels a way by the person, or else by the place
	return [label, seconds, entry, exceededLimit(flat, [place, seconds, entry], person)]
})
