// How long the ways to places may take: the bounds of the places in the config, and the filters on travel times.

import {own} from "./fields.js"
import {kept} from "./kept.js"
import {goerTo, waysOf} from "./people.js"
import {range} from "./state.js"

// bounds are the seconds that the way to a place may take, {constraints, by constraint and place, others, by place, for
// flats of no constraint in the config}, or null if no place has a bound. The service writes them into the page.
const bounds = JSON.parse(document.querySelector("meta[name=flats-bounds]")?.content ?? null)

// hasBounds reports whether the way to a place may take only so long.
export const hasBounds = bounds !== null

// exceeded returns the lowest limit in seconds that a way exceeds, or undefined. The way is one of travelTimes, and
// that of a person, by default of who goes to its place.
export function exceeded(flat, [place, seconds, entry], person = goerTo(flat, place)) {
	const ofPlaces = own(bounds?.constraints, flat.service_constraint) ?? bounds?.others
	const {filters} = kept
	const isFiltered = !filters.to || filters.to === place
	const names = [...isFiltered ? ["travel_time"] : [], ...person ? ["travel." + person, "travel_longest"] : []]
	const filtered = names.map(name => range(own(filters, name))[1]).filter(minutes => minutes != null)
	const all = [own(ofPlaces, place), ...filtered.map(minutes => minutes * 60)]
	const isOver = entry?.estimated?.over // it takes longer than that
	return all.filter(limit => seconds > limit || isOver && seconds === limit).sort((a, b) => a - b)[0]
}

// limitedWays returns the ways of waysOf, [name, seconds, entry, limit], with the limit in seconds that each exceeds.
export const limitedWays = (flat, to) => waysOf(flat, to).map(([name, seconds, entry, place]) =>
	[name, seconds, entry, exceeded(flat, [place, seconds, entry], name === place ? undefined : name)])
