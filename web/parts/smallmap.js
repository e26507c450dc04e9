// A small map of one flat: its position, and the ways to people or places.

import {places} from "../lib/api.js"
import {fill, h, svg} from "../lib/dom.js"
import {keyOf, originOf, own, placeOf} from "../lib/fields.js"
import {kept} from "../lib/kept.js"
import {waysOf} from "../lib/people.js"
import {hashOf, mapWindow} from "../lib/state.js"
import {fitted, inWindow, project} from "../lib/world.js"
import {travelTime} from "../words/flats.js"
import {t} from "../words/format.js"
import {allSides, makeWriter} from "./canvas.js"
import {credit, drawGrid, drawTiles} from "./ground.js"
import {distance} from "./listing.js"

const farthest = 30_000 // metres to a place that the map still shows
const closest = 2 ** 21 // the largest scale, for a flat without ways
const rim = {width: 88, height: 64} // pixels, of both sides, that stay free around the points, for names and markers
const markerHalf = 7 // half of the width and height that a marker takes, in pixels

// drawSmallMap draws the map of a flat into an element, and again when the element's size changes. A press opens the
// map at the flat.
export async function drawSmallMap(element, flat, signal) {
	const {at, isExact} = originOf(flat)
	const all = await places(signal).catch(() => ({})) // the flat alone will do
	const here = own(all, flat.service_constraint) // the places of the flat's constraint, {name: [latitude, longitude]}
	const ways = waysOf(flat).map(([name, seconds, entry, place]) =>
		({name: `${name} ${travelTime(seconds, entry)}`, at: own(here, place)}))
		.filter(({at}) => at) // the position of the place is known
	const ends = ways.filter(end => distance(at, end.at) < farthest).map(project) // with x and y in place of at
	const label = [`${t.map}: ${placeOf(flat)}`, ...ways.map(({name}) => name)].join(", ")
	// The map opens with the filters of the list, but at the flat rather than at their window.
	const filters = Object.fromEntries(Object.entries(kept.filters).filter(([name]) => !mapWindow.includes(name)))

	// click tells the map which flat to show, unless the map opens in another tab.
	function click({ctrlKey, metaKey, shiftKey}) {
		if (!ctrlKey && !metaKey && !shiftKey) kept.map.goal = {id: keyOf(flat), at}
	}

	const tiles = h("div.tiles")
	const drawing = svg("svg", {role: "img", label})
	fill(element, h("a", tiles, drawing, {href: hashOf("map", filters), click}), credit())

	new ResizeObserver(([{contentRect: {width, height}}]) => {
		if (width === 0) return
		const home = project({at})
		const world = fitted([home, ...ends], width - rim.width, height - rim.height, closest)
		// A thing keeps its name, and gets its position and the size of its marker in pixels.
		const [from, ...to] = [home, ...ends].map(thing =>
			({...inWindow(world, thing), halfWidth: markerHalf, halfHeight: markerHalf}))
		// Points along the lines to the places, which the names avoid.
		const steps = Array.from({length: 101}, (_, i) => i / 100)
		const lines = to.flatMap(({left, top}) => steps.map(part =>
			({left: from.left + part * (left - from.left), top: from.top + part * (top - from.top)})))
		const write = makeWriter([from, ...to], width, height, lines)
		drawTiles(tiles, world, width, height)
		drawing.setAttribute("viewBox", [-width / 2, -height / 2, width, height].join(" "))
		fill(drawing, drawGrid(world, width, height),
			to.map(({left, top}) => svg("path", {class: "way-to", d: `M${from.left} ${from.top}L${left} ${top}`})),
			to.map(({left, top}) => svg("path", {class: "marker", d: `M${left} ${top - 6}l6 6l-6 6l-6 -6z`})),
			!isExact && svg("circle", {class: "around", cx: from.left, cy: from.top, r: 24}),
			svg("circle", {class: "home", cx: from.left, cy: from.top, r: 7}),
			to.map(end => write(end, "name main", allSides)))
	}).observe(element)
}
