// The map as a drawing: circles of flats, places and postal codes in SVG, above the map's tiles if the
// config has any. Fingers, mouse and keys move and zoom it.
//
// Positions are those of Web Mercator: x and y go from 0 to 1, to the east and to the south. left and top
// are pixels from the middle of the map as it is on the screen.

import {statusOf} from "./api.js"
import {fill, h, later, svg} from "./dom.js"
import {count, inKilometres, number, quantile, rounded, t, text} from "./format.js"
import {shortlisted} from "./state.js"

// view is the part of the world that the map shows: the position in its middle, and the width of the
// world in pixels. It outlives the elements, so that the map opens again as it was left.
let view = {x: 0.5, y: 0.5, scale: 2 ** 10}

// makeCanvas makes the map. A circle that is pressed calls open(flats, name). It returns the element, its
// keys, and two functions:
//   show(things)    draws points (of flats), places or codes (postal codes), each a list of {at: [latitude,
//                   longitude], name}, points with their flat; lists that are not given stay
//   fit(wanted)     moves and zooms so that the points for which wanted(point) holds are in sight; by
//                   default all
export function makeCanvas(open) {
	const drawing = svg("svg", {role: "img", label: t.map})
	const tiles = h("div.tiles")
	const layer = h("div.layer", tiles, drawing)
	const surface = h("div.surface", layer, gestures(go))
	const rule = h("p.rule")
	const keys = keysOf(go, () => fit(), () => element.matches(":focus"))
	const button = (key, sign) => h("button", sign, {label: keys[key][0], click: keys[key][1]})
	const element = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface,
		h("div.zoom", button(0, "⤢"), button("+", "+"), button("-", "−")), rule,
		meta("credit") && h("p.credit", meta("credit")))
	const shown = {points: [], places: [], codes: []}
	let drawn = view // the view that the drawing was made for

	function draw() {
		const {clientWidth: width, clientHeight: height} = surface
		if (width === 0) return // it is hidden, or the view was left
		drawn = view
		layer.style.transform = ""
		fill(drawing, drawThings(shown, width, height, open))
		drawRule(rule)
		drawTiles(tiles, width, height)
	}

	const drawLater = later(draw, 100)

	// go zooms by a factor, and moves what is at from to the place to. Both are {left, top}. Drawing takes
	// longer than a frame: while the map moves, the drawing is only moved and scaled, and it is made anew
	// when the map rests.
	function go(from, to, factor = 1) {
		view = zoomed(from, to, factor)
		const by = ["x", "y"].map(axis => (drawn[axis] - view[axis]) * view.scale + "px")
		layer.style.transform = `translate(${by}) scale(${view.scale / drawn.scale})`
		drawLater()
	}

	function fit(wanted = () => true) {
		const points = shown.points.filter(wanted)
		if (points.length === 0) return
		view = fitted(points, surface.clientWidth, surface.clientHeight)
		draw()
	}

	function show(things) {
		for (const name in things) shown[name] = things[name].map(project)
		draw()
	}

	new ResizeObserver(draw).observe(surface)
	return {element, keys, fit, show}
}

// keysOf returns the keys of the map. hasFocus reports whether the arrows move it, or else the page.
function keysOf(go, fit, hasFocus) {
	const middle = {left: 0, top: 0}
	const zoom = (label, factor) => [label, () => go(middle, middle, factor)]
	const pan = (left, top) => [t.move_map, () => hasFocus() && go(middle, {left, top})]
	return {
		0: [t.zoom_all, fit],
		"+": zoom(t.zoom_in, 2),
		"-": zoom(t.zoom_out, 0.5),
		ArrowLeft: pan(80, 0),
		ArrowRight: pan(-80, 0),
		ArrowUp: pan(0, 80),
		ArrowDown: pan(0, -80),
	}
}

// gestures returns listeners that move the map by one finger, and zoom it by two fingers or the wheel.
function gestures(go) {
	const fingers = new Map() // {left, top} by pointer
	const lift = ({pointerId}) => fingers.delete(pointerId)

	function where({currentTarget, clientX, clientY}) {
		const {left, top, width, height} = currentTarget.getBoundingClientRect()
		return {left: clientX - left - width / 2, top: clientY - top - height / 2}
	}

	function pointermove(event) {
		const {currentTarget: surface, pointerId: id} = event
		const [before, now] = [fingers.get(id), where(event)]
		// A press may tremble by up to 4 pixels. The surface captures a finger that moves further, so that
		// lifting it presses nothing.
		if (!before || !surface.hasPointerCapture(id) && distance(now, before) < 4) return
		surface.setPointerCapture(id)
		fingers.set(id, now)
		const other = [...fingers.values()].find(at => at !== now)
		if (other) go(other, other, distance(now, other) / distance(before, other) || 1)
		else go(before, now)
	}

	function wheel(event) {
		event.preventDefault()
		go(where(event), where(event), 2 ** (event.deltaY * -0.004))
	}

	return {pointerdown: event => event.button === 0 && fingers.set(event.pointerId, where(event)),
		pointermove, pointerup: lift, pointerleave: lift, wheel}
}

// Positions and sizes

// project replaces the position at of a thing by x and y.
function project({at: [latitude, longitude], ...thing}) {
	const north = Math.asinh(Math.tan(latitude / 180 * Math.PI))
	return {...thing, x: longitude / 360 + 0.5, y: 0.5 - north / (2 * Math.PI)}
}

// zoomed returns the view after a zoom by a factor that moves what is at from to the place to.
function zoomed(from, to, factor) {
	const scale = Math.max(2 ** 10, Math.min(2 ** 26, view.scale * factor))
	const x = view.x + from.left / view.scale - to.left / scale
	const y = view.y + from.top / view.scale - to.top / scale
	return {x, y, scale}
}

// fitted returns the view that has points in sight, on a map of a width and height.
function fitted(points, width, height) {
	const ends = axis => [0, 1].map(part => quantile(points.map(point => point[axis]), part))
	const [[left, right], [top, bottom]] = [ends("x"), ends("y")]
	const scales = [(width - 80) / (right - left), (height - 80) / (bottom - top)]
	return {x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.min(...scales, 2 ** 23)}
}

// placed returns the things that are on a map of a width and height, or just outside it, with left and top.
const placed = (things, width, height) => things
	.map(thing => ({...thing, left: (thing.x - view.x) * view.scale, top: (thing.y - view.y) * view.scale}))
	.filter(({left, top}) => Math.abs(left) < width && Math.abs(top) < height)

// pixels returns how many pixels a distance has at a latitude, given as y.
const pixels = (metres, y) => metres / 40_075_017 * Math.cosh((1 - 2 * y) * Math.PI) * view.scale

// distance returns the pixels between two places on the map.
const distance = (one, other) => Math.hypot(one.left - other.left, one.top - other.top)

// gather puts points that are close to each other into one circle. A circle of several places has no name.
function gather(points) {
	const circles = []
	for (const point of points) {
		const near = circles.find(circle => distance(circle, point) < 40)
		near?.flats.push(point.flat)
		if (!near) circles.push({...point, flats: [point.flat]})
		else if (near.name !== point.name) near.name = ""
	}
	for (const circle of circles) circle.radius = 11 + 4 * Math.log10(circle.flats.length)
	return circles
}

// The drawing

// drawThings draws points, places and codes on a map of a width and height.
function drawThings(shown, width, height, open) {
	const [points, places, codes] = [shown.points, shown.places, shown.codes]
		.map(things => placed(things, width, height))
	const circles = gather(points)
	// Of more than 2,000 postal codes only every second, third, … is drawn.
	const others = codes.filter((_, i) => i % Math.ceil(codes.length / 2000) === 0)
	const write = makeWriter([...circles, ...places])
	return [
		svg("path", {class: "dots", d: others.map(({left, top}) => `M${left} ${top}h0`).join("")}),
		places.map(place => drawPlace(place, write)),
		circles.map(circle => write(circle) ?? ""),
		others.map(code => write(code, 1) ?? ""),
		circles.map(circle => drawCircle(circle, open)),
	]
}

// drawCircle draws a circle in the colour of the most advanced status of its flats, and with their number. A
// second, invisible circle is large enough for a finger.
function drawCircle({left, top, radius, flats, name}, open) {
	const status = ["new", ...shortlisted].findLast(status => flats.some(flat => statusOf(flat) === status))
	return svg("g", {class: "circle", "data-status": status, transform: `translate(${left} ${top})`,
		click: () => open(flats, name || count(t.n_flats, flats.length))},
	svg("circle", {r: radius}), svg("text", number(flats.length)), svg("circle", {class: "reach", r: 22}))
}

// drawPlace draws a place of the search area, with rings of 1, 2 and 5 km unless they are too small or
// too large.
function drawPlace(place, write) {
	const {left, top, y} = place
	const rings = [1, 2, 5].map(km => [km, pixels(km * 1000, y)]).filter(([, r]) => r > 20 && r < 5000)
	return svg("g", {class: "place"}, svg("path", {class: "marker", d: `M${left} ${top - 7}l7 7l-7 7l-7 -7z`}),
		write({...place, radius: 7}) ?? "", rings.map(([km, radius]) =>
			[svg("circle", {cx: left, cy: top, r: radius}), write({left, top, radius, name: `${km} km`}) ?? ""]))
}

const pen = document.createElement("canvas").getContext("2d") // measures names
pen.font = "12px system-ui, sans-serif"

// makeWriter returns a function that writes the name of a thing on the first of some sides (below, above, to
// the right, to the left) where it hides neither one of others nor a name that was written before, or returns
// null if there is none.
function makeWriter(others) {
	const boxes = others.map(({left, top, radius = 7}) => [left - radius, top - radius, left + radius, top + radius])
	const isFree = ([from, over, to, under]) =>
		!boxes.some(([l, t, r, b]) => from < r && to > l && over < b && under > t)

	return ({left, top, radius = 5, name}, sides = 4) => {
		if (!name) return null
		const half = pen.measureText(name).width / 2 + 2
		const [across, up] = [radius + half + 2, radius + 10]
		const box = [[0, up], [0, -up], [across, 0], [-across, 0]].slice(0, sides)
			.map(([x, y]) => [left + x - half, top + y - 8, left + x + half, top + y + 8]).find(isFree)
		if (!box) return null
		boxes.push(box)
		return svg("text", {class: "name", x: box[0] + half, y: box[3] - 4}, name)
	}
}

// drawRule makes an element the scale of the map: a line as long as the distance that is written on it.
function drawRule(element) {
	const metres = rounded(120 / pixels(1, view.y))
	fill(element, inKilometres(metres))
	element.style.width = pixels(metres, view.y) + "px"
}

// drawTiles fills an element with the map's tiles, if the config names a server of tiles.
function drawTiles(element, width, height) {
	const source = meta("tiles")
	if (!source) return
	const z = Math.round(Math.log2(view.scale / 256))
	const across = 2 ** z
	const edge = view.scale / across
	const ends = (middle, size) => [
		Math.max(0, Math.floor(middle * across - size / 2 / edge)),
		Math.min(across, Math.ceil(middle * across + size / 2 / edge)),
	]
	const [[west, east], [north, south]] = [ends(view.x, width), ends(view.y, height)]
	fill(element)
	for (let y = north; y < south; y++)
		for (let x = west; x < east; x++) element.append(tile(text(source, {x, y, z})))
	const at = [west - view.x * across, north - view.y * across].map(tiles => tiles * edge + "px")
	element.style = `transform: translate(${at}); grid: auto-flow ${edge}px / repeat(${east - west}, ${edge}px)`
}

// tile makes the image of a tile. One that does not load is not seen. The image is decoded synchronously,
// because the map would flash otherwise.
const tile = src => h("img", {alt: "", draggable: "false", decoding: "sync", referrerpolicy: "strict-origin", src,
	error: ({target}) => { target.style.opacity = 0 }})

// meta returns what the service wrote into a meta element of index.html.
const meta = name => document.querySelector(`meta[name=flats-map-${name}]`).content
