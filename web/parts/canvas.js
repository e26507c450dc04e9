// The map as a drawing: circles of flats, places and postal codes in SVG, above the tiles of the config or, if the user
// wants them, those of OpenStreetMap. Fingers, mouse and keys move and zoom it.
//
// Positions are in Web Mercator: x and y go from 0 to 1, to the east and to the south. left and top are pixels from
// the middle of the map on the screen.

import {call, places as placesOf} from "../lib/api.js"
import {fill, h, later, outward, svg} from "../lib/dom.js"
import {keyOf, shortlisted, statusOf} from "../lib/fields.js"
import {roaming} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {quantile, rounded} from "../lib/numbers.js"
import {range} from "../lib/state.js"
import {store, stored} from "../lib/storage.js"
import {count, inKilometres, number, statusName, t, text} from "../words/format.js"
import {groupsOf} from "./found.js"
import {icon} from "./icons.js"
import {ask} from "./question.js"

// makeCanvas makes the map, with its buttons over it and further ones beside them. A circle that is pressed calls
// open(flats, name). Once the user has moved or zoomed the map, it calls moved(); where no flat is in sight, a button
// calls showAll(). It returns the element, its keys, and functions:
//   show(things)    draws any of three lists of {at: [latitude, longitude], name}; those that are not given stay:
//                     points  the flats: each also has its flat, and isExact if at is its own position, and not only
//                             near it; name is that of its place, and of the number of flats there, on the map or not
//                     places  those of the constraints
//                     codes   the postal codes
//   fit(wanted)     moves and zooms so that the points for which wanted(point) holds are in sight; by
//                   default all
//   look(window)    moves and zooms to a window {lat, lng}, each a range as in the hash
//   window()        returns the window that is shown
//   middle()        returns the position in its middle
//   mark(ids)       marks the circles that have any of some flats
export function makeCanvas({open, moved, showAll}, ...further) {
	const drawing = svg("svg", roaming(".circle"))
	const tiles = h("div.tiles")
	const layer = h("div.layer", tiles, drawing)
	const surface = h("div.surface", layer, gestures(go))
	const scaleBar = h("p.rule")
	const nothing = h("p.nothing", {hidden: true}, t.nothing_here, " · ", h("button.link", t.zoom_all, {click: showAll}))
	const middle = {left: 0, top: 0}
	const zoom = factor => go(middle, middle, factor)
	const [zoomAll, zoomIn, zoomOut] = [() => fit(), () => zoom(2), () => zoom(0.5)]
	const button = (name, label, click) => h("button", icon(name), {label, click})
	const canvas = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface, scaleBar)
	const source = tileSource(canvas, tiles, () => drawSoon())
	const element = h("div.atlas", canvas, h("div.over", further, source.button), h("div.zoom",
		button("add", t.zoom_in, zoomIn), button("minus", t.zoom_out, zoomOut), button("whole", t.zoom_all, zoomAll)),
	nothing)
	const shown = {places: [], codes: []}
	let drawn = kept.map.world // the part of the world that the drawing was made for
	let circles = [] // those of the drawing, with their elements
	let marked = new Set() // ids of flats

	// draw does nothing until there are points, because they decide which part of the world to show.
	function draw() {
		const {clientWidth: width, clientHeight: height} = surface
		if (width === 0 || !shown.points) return // it is hidden, or the view was left
		const [focused] = circles.find(({element}) => element === document.activeElement)?.flats ?? []
		drawn = kept.map.world
		layer.style.transform = ""
		circles = gather(...[shown.points, shown.places].map(things => placed(things, width, height)))
		for (const circle of circles) circle.element = drawCircle(circle, open)
		fill(drawing, drawThings(shown, circles, width, height))
		drawMarks()
		nothing.hidden = circles.some(({left, top}) => Math.abs(left) < width / 2 && Math.abs(top) < height / 2)
		const {element: next = canvas} = circles.find(({flats}) => flats.includes(focused)) ?? {}
		if (focused) next.focus({preventScroll: true})
		drawRule(scaleBar)
		drawTiles(source.address(), tiles, width, height)
	}

	const [drawSoon, drawLater] = [0, 100].map(milliseconds => later(draw, milliseconds))
	const movedLater = later(() => surface.isConnected && moved(), 400)

	// drawMarks marks circles. Tab reaches the first marked one, or else the first.
	function drawMarks() {
		const isMarked = ({flats}) => flats.some(flat => marked.has(keyOf(flat)))
		const first = circles.find(isMarked) ?? circles[0]
		for (const circle of circles) {
			circle.element.ariaPressed = isMarked(circle)
			circle.element.setAttribute("tabindex", circle === first ? 0 : -1)
		}
	}

	function mark(ids = []) {
		marked = new Set(ids)
		drawMarks()
	}

	// go zooms by a factor, and moves the point at from to the point to, each {left, top}. Drawing takes longer than a
	// frame: while the map moves, the drawing is only moved and scaled, and it is drawn again when the map rests.
	function go(from, to, factor = 1) {
		const world = kept.map.world = zoomed(from, to, factor)
		const by = ["x", "y"].map(axis => (drawn[axis] - world[axis]) * world.scale + "px")
		layer.style.transform = `translate(${by}) scale(${world.scale / drawn.scale})`
		drawLater()
		movedLater()
	}

	function fit(wanted = () => true) {
		const points = (shown.points ?? []).filter(wanted)
		if (points.length === 0) return
		kept.map.world = fitted(points, surface.clientWidth - 2 * edge, surface.clientHeight - 2 * edge)
		drawSoon()
	}

	function look({lat, lng}) {
		const [[south, north], [west, east]] = [range(lat), range(lng)]
		const corners = [[south ?? -85, west ?? -180], [north ?? 85, east ?? 180]].map(at => project({at}))
		kept.map.world = fitted(corners, surface.clientWidth, surface.clientHeight, 2 ** 26)
		drawSoon()
	}

	function shownWindow() {
		const {world} = kept.map
		const ends = axis => [-0.5, 0.5].map(part =>
			world[axis] + part * surface[axis === "x" ? "clientWidth" : "clientHeight"] / world.scale)
		const write = numbers => numbers.map(n => Number(n.toFixed(6))).join("..")
		return {lat: write(ends("y").reverse().map(latitude)),
			lng: write(ends("x").map(x => Math.max(-180, Math.min(180, (x - 0.5) * 360))))}
	}

	const shownMiddle = () => [latitude(kept.map.world.y), (kept.map.world.x - 0.5) * 360]

	function show(things) {
		for (const name in things) shown[name] = things[name].map(project)
		drawSoon()
	}

	// The arrow keys move the map only while it has the focus; otherwise they scroll the page.
	const pan = (left, top) => [t.move_map, () => canvas.matches(":focus") && go(middle, {left, top})]
	const keys = {
		0: [t.zoom_all, zoomAll],
		"+": [t.zoom_in, zoomIn],
		"-": [t.zoom_out, zoomOut],
		ArrowLeft: pan(80, 0),
		ArrowRight: pan(-80, 0),
		ArrowUp: pan(0, 80),
		ArrowDown: pan(0, -80),
	}

	new ResizeObserver(draw).observe(surface)
	return {element, keys, fit, look, mark, middle: shownMiddle, show, window: shownWindow}
}

// landmarks requests the places of the constraints and the postal codes, for the map's show.
export async function landmarks(signal) {
	const [areas, {data}] = await Promise.all([placesOf(signal), call("opendata/postal_codes", {signal})])
	return {
		places: Object.values(areas).flatMap(Object.entries).map(([name, at]) => ({at, name})),
		codes: data.filter(({lat, lng}) => lat != null && lng != null)
			.map(({name, lat, lng}) => ({at: [lat, lng], name: name ?? ""})),
	}
}

// edge is the room in pixels between the edges of the map and the middle of circles that are fitted in, in which the
// buttons lie.
const edge = 76

const openStreetMap = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"

// tileSource returns {address, button}: address() returns the address of the tiles, or "". The tiles of the config need
// no button. Those of OpenStreetMap are loaded only after a question, whose answer this browser keeps, because its
// servers see who loads which part of the map. The source credits the tiles on the canvas, and calls changed when the
// address is another one.
function tileSource(canvas, tiles, changed) {
	const given = meta("tiles")
	const credit = h("p.credit", given && meta("credit"))
	canvas.append(credit)
	if (given) return {address: () => given}
	let wanted = stored("flats.streets") // null until the question is answered

	function set(isOn) {
		wanted = isOn
		store("flats.streets", isOn)
		show()
		changed()
	}

	function show() {
		button.ariaPressed = wanted === true
		tiles.classList.toggle("streets", wanted === true)
		fill(credit, wanted && outward("https://www.openstreetmap.org/copyright", t.osm_credit))
	}

	async function choose() {
		if (wanted != null) set(!wanted)
		else if (await ask(canvas, t.streets_ask, t.sure)) set(true)
	}

	const button = h("button", t.streets, {click: choose})
	show()
	return {address: () => (wanted ? openStreetMap : ""), button}
}

// gestures returns listeners that move the map with one finger, and zoom it with two fingers or the wheel.
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
		// A press may tremble by up to 4 pixels. The surface captures a finger that moves further, so that lifting it
		// clicks nothing.
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

// latitude returns the latitude of a y.
const latitude = y => Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / Math.PI * 180

// zoomed returns the part of the world after zooming by a factor and moving the point at from to the point to.
function zoomed(from, to, factor) {
	const {world} = kept.map
	const scale = Math.max(2 ** 8, Math.min(2 ** 26, world.scale * factor))
	const x = world.x + from.left / world.scale - to.left / scale
	const y = world.y + from.top / world.scale - to.top / scale
	return {x, y, scale}
}

// fitted returns the part of the world that shows all points, on a map of a width and height, up to a scale.
function fitted(points, width, height, most = 2 ** 23) {
	const ends = axis => [0, 1].map(part => quantile(points.map(point => point[axis]), part))
	const [[left, right], [top, bottom]] = [ends("x"), ends("y")]
	const scale = Math.min(width / (right - left), height / (bottom - top), most)
	return {x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(2 ** 8, scale)}
}

// pixelsOf returns left and top of a position.
function pixelsOf({x, y}) {
	const {world} = kept.map
	return {left: (x - world.x) * world.scale, top: (y - world.y) * world.scale}
}

// placed returns the things that are on a map of a width and height, or just outside it, with left and top.
const placed = (things, width, height) => things
	.map(thing => ({...thing, ...pixelsOf(thing)}))
	.filter(({left, top}) => Math.abs(left) < width && Math.abs(top) < height)

// pixels returns the length in pixels of a distance in metres, at a latitude given as y.
const pixels = (metres, y) => metres / 40_075_017 * Math.cosh((1 - 2 * y) * Math.PI) * kept.map.world.scale

// distance returns the pixels between two places on the map.
const distance = (one, other) => Math.hypot(one.left - other.left, one.top - other.top)

const coarse = matchMedia("(pointer: coarse), (max-width: 899px)") // as in style.css

// gather puts points that are closer together than a finger is wide into one circle; a mouse tells exact points apart
// that are half as close. The others come first, so that a circle of them lies where their postal code does. Circles
// are moved aside so that they do not hide the places of the constraints.
function gather(points, places) {
	const circles = []
	const exactReach = coarse.matches ? 22 : 12
	for (const point of points.toSorted((a, b) => a.isExact - b.isExact)) {
		const reach = point.isExact ? exactReach : 22
		const near = circles.find(circle => distance(circle, point) < circle.reach + reach)
		if (near) near.points.push(point)
		else circles.push({...point, points: [point], reach})
	}
	for (const circle of circles) {
		circle.flats = circle.points.map(({flat}) => flat)
		Object.assign(circle, namesOf(circle.points))
		circle.isPoint = circle.isExact && circle.flats.length === 1
		circle.radius = circle.isPoint ? 7 : Math.min(22, 11 + 4 * Math.log10(circle.flats.length))
		for (const place of places) moveAside(circle, place)
	}
	return circles.sort((a, b) => a.left - b.left) // for the arrow keys
}

// namesOf returns the name of a circle of points, if they are in one place; whole, that or up to two of their places;
// and part, how many of that place's flats they are if it has more elsewhere.
function namesOf(points) {
	const places = groupsOf(points, ({name}) => name)
	const names = places.map(([name]) => name).filter(Boolean)
	const whole = names.slice(0, 2).join(", ") + (names.length > 2 ? ` +${number(names.length - 2)}` : "")
	const total = places.reduce((sum, [, [{of}]]) => sum + of, 0)
	const part = total > points.length ? text(t.shown, {shown: number(points.length), total: number(total)}) : ""
	return {name: names.length === 1 ? names[0] : "", whole, part}
}

// moveAside moves a circle so far from a place that it does not hide the place's marker.
function moveAside(circle, place) {
	const apart = distance(circle, place)
	const room = circle.radius + 8 // the marker is 7 pixels high on either side
	if (apart >= room) return
	if (apart === 0) {
		circle.top = place.top + room // no direction leads away: below will do
		return
	}
	// The circle stays in its direction from the place.
	circle.left = place.left + (circle.left - place.left) * room / apart
	circle.top = place.top + (circle.top - place.top) * room / apart
}

// The drawing

// drawThings draws circles, places and codes on a map of a width and height. Among places with the same name, such
// as the many postal codes of a town, only one shows it: the largest circle, if there is one.
function drawThings(shown, circles, width, height) {
	const [places, codes] = [shown.places, shown.codes].map(things => placed(things, width, height))
	// If there are more than 2,000 postal codes, only every second, third, … is drawn.
	const others = codes.filter((_, i) => i % Math.ceil(codes.length / 2000) === 0)
	const write = makeWriter([...circles, ...places], width, height)
	const names = new Set()
	function writeOnce(thing, sides) {
		const written = !names.has(thing.name) && write(thing, sides)
		if (written) names.add(thing.name)
		return written
	}
	return [
		svg("path", {class: "dots", d: others.map(({left, top}) => `M${left} ${top}h0`).join("")}),
		places.map(place => drawPlace(place, write)),
		circles.toSorted((a, b) => b.flats.length - a.flats.length).map(circle => writeOnce(circle)),
		others.map(code => writeOnce(code, 1)),
		circles.map(({element}) => element),
	]
}

// drawCircle draws a circle in the colour of the most advanced status of its flats, with their number, or a point for a
// single flat at its own place. A second, invisible circle is large enough for a finger.
function drawCircle({left, top, radius, reach, flats, whole, part, isExact, isPoint}, open) {
	const found = new Set(flats.map(statusOf))
	const status = ["new", ...shortlisted].findLast(one => found.has(one))
	const all = count(t.n_flats, flats.length)
	const named = whole && part ? `${whole}: ${part}` : whole
	const click = () => open(flats, named || all)
	function keydown(event) {
		if (!["Enter", " "].includes(event.key)) return
		event.preventDefault()
		click()
	}
	const kind = isPoint ? "circle point" : isExact ? "circle" : "circle rough"
	return svg("g", {class: kind, "data-status": status, transform: `translate(${left} ${top})`, role: "button",
		label: [named, named === whole && all, statusName(status)].filter(Boolean).join(", "), click, keydown},
	svg("circle", {r: radius}), !isPoint && svg("text", number(flats.length)),
	svg("circle", {class: "reach", r: reach}))
}

// drawPlace draws a place of a constraint, with rings of 1, 2 and 5 km unless they are too small or too large. Among
// many circles its name may be further away.
function drawPlace(place, write) {
	const {left, top, y} = place
	const name = write({...place, radius: 7}, 8) ?? write({...place, radius: 20}, 8)
	const rings = [1, 2, 5].map(km => [km, pixels(km * 1000, y)]).filter(([, r]) => r > 20 && r < 5000)
	return svg("g", {class: "place"}, svg("path", {class: "marker", d: `M${left} ${top - 7}l7 7l-7 7l-7 -7z`}),
		name, rings.map(([km, radius]) =>
			[svg("circle", {cx: left, cy: top, r: radius}), write({left, top, radius, name: `${km} km`})]))
}

const pen = document.createElement("canvas").getContext("2d") // measures names
pen.font = "12px system-ui, sans-serif"

// The sides of a thing for its name: below, above, right, left, then the corners
const sidesOf = [[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]]

// makeWriter returns a function that writes the name of a thing on the first of some sides where it fits on the map
// and hides neither one of others, which are round, nor an earlier name. It returns null if there is no such side.
function makeWriter(others, width, height) {
	const boxes = []
	const isOnMap = box =>
		box.left >= -width / 2 && box.right <= width / 2 && box.top >= -height / 2 && box.bottom <= height / 2
	const overlap = (one, other) =>
		one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top
	const outside = (from, to, at) => Math.max(from - at, 0, at - to)
	const hides = (box, {left, top, radius = 7}) =>
		Math.hypot(outside(box.left, box.right, left), outside(box.top, box.bottom, top)) < radius
	const isFree = box =>
		isOnMap(box) && !boxes.some(other => overlap(box, other)) && !others.some(thing => hides(box, thing))

	return ({left, top, radius = 5, name}, sides = 4) => {
		if (!name) return null
		const half = pen.measureText(name).width / 2 + 2
		const [across, up] = [radius + half + 2, radius + 10]
		const around = ({x, y}) => ({left: x - half, right: x + half, top: y - 8, bottom: y + 8})
		const box = sidesOf.slice(0, sides).map(([right, down]) => around({x: left + right * across, y: top + down * up}))
			.find(isFree)
		if (!box) return null
		boxes.push(box)
		return svg("text", {class: "name", x: box.left + half, y: box.bottom - 4, "aria-hidden": "true"}, name)
	}
}

// drawRule draws the scale of the map: a line as long as the distance written on it.
function drawRule(element) {
	const metres = rounded(120 / pixels(1, kept.map.world.y))
	fill(element, inKilometres(metres))
	element.style.width = pixels(metres, kept.map.world.y) + "px"
}

// drawTiles fills an element with the tiles of a source, if there is one.
function drawTiles(source, element, width, height) {
	fill(element)
	if (!source) return
	const {world} = kept.map
	const z = Math.round(Math.log2(world.scale / 256))
	const across = 2 ** z
	const side = world.scale / across // of a tile, in pixels
	const ends = (middle, size) => [
		Math.max(0, Math.floor(middle * across - size / 2 / side)),
		Math.min(across, Math.ceil(middle * across + size / 2 / side)),
	]
	const [[west, east], [north, south]] = [ends(world.x, width), ends(world.y, height)]
	for (let y = north; y < south; y++)
		for (let x = west; x < east; x++) element.append(tile(text(source, {x, y, z})))
	const at = [west - world.x * across, north - world.y * across].map(tiles => tiles * side + "px")
	element.style = `transform: translate(${at}); grid: auto-flow ${side}px / repeat(${east - west}, ${side}px)`
}

// tile makes the image of a tile. One that does not load stays invisible. Images are decoded synchronously, or else
// the map would flash.
const tile = src => h("img", {alt: "", draggable: "false", decoding: "sync", referrerpolicy: "strict-origin", src,
	error: ({target}) => { target.style.opacity = 0 }})

// meta returns what the service wrote into a meta element of index.html.
const meta = name => document.querySelector(`meta[name=flats-map-${name}]`).content
