// The map: flats, places and postal codes in SVG, above the ground (ground.js). Fingers, mouse and keys move and zoom
// it. lib/world.js has the coordinates.
//
// A mark stands for one or several flats. It is a pill with the cost, a point for a flat without a price, or a circle
// with the number of flats.

import {call, places as placesOf} from "../lib/api.js"
import {fill, h, later, svg} from "../lib/dom.js"
import {keyOf, shortlisted, statusOf} from "../lib/fields.js"
import {roaming} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {roundedDown} from "../lib/numbers.js"
import {range} from "../lib/state.js"
import {fitted, inWindow, latitude, pixels, project, zoomed} from "../lib/world.js"
import {cost, title} from "../words/flats.js"
import {count, inKilometres, number, statusName, t} from "../words/format.js"
import {groupsOf} from "./found.js"
import {credit, drawGrid, drawTiles, groundChoice} from "./ground.js"
import {icon} from "./icons.js"

// makeCanvas makes the map with its buttons, and buttons given by the view. It calls
//   open(flats)       when a mark is pressed
//   pointedAt(flats)  when a mark is pointed at or focused; with [] when that ends
//   moved()           once the user has moved or zoomed the map
//   showAll()         when the user presses the button that is shown while no flat is in sight
// If asks is true, the map asks which ground the user wants when it first opens. makeCanvas returns {element, keys} and
// functions:
//   show({points, places, codes})  draws these lists; a list that is not given stays as it is. Each element has
//                                  at, [latitude, longitude], and name.
//                     points  the flats: flat; name, of its place; words, the short cost or ""; isExact, whether at
//                             is the flat's own position
//                     places  the places of constraints
//                     codes   the postal codes
//   fit(wanted)     moves and zooms to the points for which wanted(point) is true, by default all
//   look(window)    moves and zooms to a window {lat, lng}, each a range as in the hash
//   lookAt(at, degrees)  moves to a position and zooms to so many degrees around it
//   window()        returns the window that is shown
//   middle()        returns the position in its middle
//   mark(ids)       shows the marks that have any of these flats as chosen
//   light(ids)      highlights the marks that have any of these flats
export function makeCanvas({open, moved, showAll, pointedAt = () => {}, asks = false}, ...buttons) {
	const drawing = svg("svg", roaming(".circle"))
	const tiles = h("div.tiles")
	const layer = h("div.layer", tiles, drawing)
	const surface = h("div.surface", layer, gestures(go))
	const scaleBar = h("p.rule")
	const north = h("p.north", {"aria-hidden": "true"}, "N")
	const nothing = h("p.nothing", {hidden: true}, t.nothing_here, " · ", h("button.link", t.zoom_all, {click: showAll}))
	const middle = {left: 0, top: 0}
	const zoom = factor => go(middle, middle, factor)
	const zoomAll = () => fit()
	const zoomIn = () => zoom(2)
	const zoomOut = () => zoom(0.5)
	const button = (name, label, click) => h("button", icon(name), {label, click})
	const ground = h("div.ground", credit())
	const canvas = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface, scaleBar, north, ground)
	const source = groundChoice(asks, () => {
		fill(ground, credit())
		drawSoon()
	})
	const element = h("div.atlas", source.question, h("div.under", canvas, h("div.over", buttons, source.button),
		h("div.zoom", button("add", t.zoom_in, zoomIn), button("minus", t.zoom_out, zoomOut),
			button("whole", t.zoom_all, zoomAll)), nothing))
	const shown = {places: [], codes: []}
	let drawnWorld = kept.map.world // the window for which the drawing was made
	let marks = [] // the marks of the drawing, each with its element
	let chosen = new Set() // ids of flats
	let lights = new Set() // ids of flats
	let lastFit = null // {wanted, world}, to fit again when places come later

	// draw does nothing until there are points, because they decide which window to show.
	function draw() {
		const {clientWidth: width, clientHeight: height} = surface
		if (width === 0 || !shown.points) return // the map is hidden, or the view was left
		const [focused] = marks.find(({element}) => element === document.activeElement)?.flats ?? []
		drawnWorld = kept.map.world
		layer.style.transform = ""
		marks = gather(locate(shown.points, width, height), locate(shown.places, width, height))
		for (const one of marks) one.element = drawMark(one, open, pointedAt)
		const grid = drawGrid(drawnWorld, width, height)
		north.hidden = !grid
		fill(drawing, grid, drawThings(shown, marks, buttonBoxes(element, surface), width, height))
		drawChosen()
		nothing.hidden = marks.some(({left, top}) => Math.abs(left) < width / 2 && Math.abs(top) < height / 2)
		const next = marks.find(({flats}) => flats.includes(focused))?.element ?? canvas
		if (focused) next.focus({preventScroll: true})
		drawScaleBar(scaleBar)
		drawTiles(tiles, drawnWorld, width, height)
	}

	const drawSoon = later(draw, 0)
	const drawLater = later(draw, 100)
	const movedLater = later(() => {
		if (surface.isConnected) moved()
	}, 400)

	// drawChosen shows which marks are chosen. Tab reaches the first chosen mark, or else the first mark.
	function drawChosen() {
		const isChosen = ({flats}) => flats.some(flat => chosen.has(keyOf(flat)))
		const first = marks.find(isChosen) ?? marks[0]
		for (const one of marks) {
			one.element.ariaPressed = isChosen(one)
			one.element.setAttribute("tabindex", one === first ? 0 : -1)
		}
		drawLights()
	}

	function drawLights() {
		for (const {element, flats} of marks)
			element.classList.toggle("lit", lights.size > 0 && flats.some(flat => lights.has(keyOf(flat))))
	}

	function light(ids = []) {
		lights = new Set(ids)
		drawLights()
	}

	function mark(ids = []) {
		chosen = new Set(ids)
		drawChosen()
	}

	// go zooms by a factor, so that the point at from, {left, top}, comes to the point to. Drawing takes longer than a
	// frame, so while the map moves, the present drawing is only moved and scaled. It is drawn again once the map
	// rests.
	function go(from, to, factor = 1) {
		const world = kept.map.world = zoomed(kept.map.world, from, to, factor)
		const shift = ["x", "y"].map(axis => (drawnWorld[axis] - world[axis]) * world.scale + "px")
		layer.style.transform = `translate(${shift}) scale(${world.scale / drawnWorld.scale})`
		drawLater()
		movedLater()
	}

	// The comment of makeCanvas describes the next functions.
	function fit(wanted = () => true) {
		const points = (shown.points ?? []).filter(wanted)
		if (points.length === 0) return
		const {clientWidth: width, clientHeight: height} = surface
		const {left, right, top, bottom: scaleBarHeight} = edges(width)
		const bottom = Math.max(scaleBarHeight, (source.question?.offsetHeight ?? 0) + 32) // the question covers the foot
		const freeHeight = Math.max(80, height - top - bottom) // pixels, however much the question covers
		// windowOf returns the window that shows things in the part of the map between the edges.
		const windowOf = things => {
			const {x, y, scale} = fitted(things, width - left - right, freeHeight)
			return {x: x - (left - right) / 2 / scale, y: y - (top - bottom) / 2 / scale, scale}
		}
		const pointsWindow = windowOf(points)
		const placesInSight = shown.places.map(place => inWindow(pointsWindow, place))
			.filter(place => Math.abs(place.left) < width / 2 && Math.abs(place.top) < height / 2)
		const placesWindow = windowOf([...points, ...placesInSight])
		// The places in sight should not lie under the buttons. For this the scale may become a tenth smaller, but no
		// more, because the flats come closer together.
		kept.map.world = placesWindow.scale > 0.9 * pointsWindow.scale ? placesWindow : pointsWindow
		lastFit = {wanted, world: kept.map.world}
		drawSoon()
	}

	function look({lat, lng}) {
		const [south, north] = range(lat)
		const [west, east] = range(lng)
		const corners = [[south ?? -endOfMap, west ?? -180], [north ?? endOfMap, east ?? 180]].map(at => project({at}))
		kept.map.world = fitted(corners, surface.clientWidth, surface.clientHeight, largestScale)
		drawSoon()
	}

	const lookAt = ([lat, lng], degrees) =>
		look({lat: `${lat - degrees}..${lat + degrees}`, lng: `${lng - degrees}..${lng + degrees}`})

	function shownWindow() {
		const {x, y, scale} = kept.map.world
		const ends = (at, size) => [at - size / 2 / scale, at + size / 2 / scale]
		const [west, east] = ends(x, surface.clientWidth).map(end => Math.max(-180, Math.min(180, longitude(end))))
		const [north, south] = ends(y, surface.clientHeight).map(latitude)
		const write = (...degrees) => degrees.map(n => Number(n.toFixed(6))).join("..")
		return {lat: write(south, north), lng: write(west, east)}
	}

	const shownMiddle = () => [latitude(kept.map.world.y), longitude(kept.map.world.x)]

	function show(things) {
		for (const name in things) shown[name] = things[name].map(project)
		if (things.places && lastFit?.world === kept.map.world) fit(lastFit.wanted)
		drawSoon()
	}

	// The arrow keys move the map only while it has the focus; otherwise they scroll the page.
	const pan = (left, top) => [t.move_map, () => canvas.matches(":focus") && go(middle, {left, top})]
	const keys = {
		0: [t.zoom_all, zoomAll],
		"+": [t.zoom_in, zoomIn],
		"-": [t.zoom_out, zoomOut],
		ArrowLeft: pan(panStep, 0),
		ArrowRight: pan(-panStep, 0),
		ArrowUp: pan(0, panStep),
		ArrowDown: pan(0, -panStep),
	}

	new ResizeObserver(draw).observe(surface)
	return {element, keys, fit, light, look, lookAt, mark, middle: shownMiddle, show, window: shownWindow}
}

const largestScale = 2 ** 26 // the scale at which zooming in ends (lib/world.js)
const endOfMap = 85 // degrees of latitude: Mercator's projection has no poles
const panStep = 80 // pixels that an arrow key moves the map

// longitude returns the longitude for x.
const longitude = x => (x - 0.5) * 360

// landmarks requests the places of constraints and the postal codes, {places, codes}, for show.
export async function landmarks(signal) {
	const [areas, {data}] = await Promise.all([placesOf(signal), call("opendata/postal_codes", {signal})])
	return {
		places: Object.values(areas).flatMap(Object.entries).map(([name, at]) => ({at, name})),
		codes: data.filter(({lat, lng}) => lat != null && lng != null)
			.map(({name, lat, lng}) => ({at: [lat, lng], name: name ?? ""})),
	}
}

const phone = matchMedia("(max-width: 599px)") // where all buttons are in one row, as in views.css

// edges returns the margins in pixels that the function fit keeps free on a map of a width. Buttons are in a row at the
// top and, except on a phone, in a column at the right; the scale bar is at the bottom. A wide map has the same margin
// at both sides.
function edges(width) {
	const forButtons = 76
	const forMarks = 24 // more than the radius of the largest mark, so that none is cut at the edge
	return {
		left: width < 600 ? forMarks : forButtons,
		right: phone.matches ? forMarks : forButtons,
		top: forButtons,
		bottom: 44,
	}
}

// gestures returns listeners, in the form of h, that move the map with one finger, and zoom it with two fingers or the
// wheel.
function gestures(go) {
	const fingers = new Map() // {left, top} by pointer
	const lift = ({pointerId}) => fingers.delete(pointerId)

	// where returns the position of an event on the map, {left, top}.
	function where({currentTarget, clientX, clientY}) {
		const {left, top, width, height} = currentTarget.getBoundingClientRect()
		return {left: clientX - left - width / 2, top: clientY - top - height / 2}
	}

	function pointermove(event) {
		const {currentTarget: surface, pointerId: id} = event
		const [before, now] = [fingers.get(id), where(event)]
		if (!before) return
		// A finger that only presses may move by up to 4 pixels. Once it moves further, the surface captures it, so that
		// lifting it clicks nothing.
		const isPress = !surface.hasPointerCapture(id) && distance(now, before) < 4
		if (isPress) return
		surface.setPointerCapture(id)
		fingers.set(id, now)
		const other = [...fingers.values()].find(at => at !== now)
		const apart = other && distance(before, other)
		const spread = apart > 0 ? distance(now, other) / apart : 1
		if (other) go(other, other, spread || 1) // two fingers that come together do not zoom
		else go(before, now)
	}

	function wheel(event) {
		event.preventDefault()
		go(where(event), where(event), 2 ** (event.deltaY * -0.004)) // a wheel's notch is about 100: it zooms by 1.3
	}

	return {pointerdown: event => event.button === 0 && fingers.set(event.pointerId, where(event)),
		pointermove, pointerup: lift, pointerleave: lift, wheel}
}

// locate returns the things that are on the map or near its edges, with left and top.
const locate = (things, width, height) => things
	.map(thing => inWindow(kept.map.world, thing))
	.filter(({left, top}) => Math.abs(left) < width && Math.abs(top) < height)

// distance returns the distance of two things on the map in pixels.
const distance = (one, other) => Math.hypot(one.left - other.left, one.top - other.top)

const coarse = matchMedia("(pointer: coarse), (max-width: 899px)") // fingers, as in style.css
const sharingDistance = 72 // pixels between marks without exact positions, below which they may share a circle

// gather makes the marks of points. Points share a mark if they have the same position. Marks share a circle if they
// lie near each other and are known only to be in the same place. They also share one if they overlap; a mark takes
// more room for a finger than for a mouse. Finally marks move aside, so that they do not hide places.
function gather(points, places) {
	const areInOnePlace = (one, other) => one.isRough && other.isRough && one.place && one.place === other.place &&
		distance(one, other) < sharingDistance
	const overlap = (one, other) => Math.abs(one.left - other.left) < one.reach.halfWidth + other.reach.halfWidth &&
		Math.abs(one.top - other.top) < one.reach.halfHeight + other.reach.halfHeight
	// Marks with the most flats come first, because a joined mark has the position of the first one.
	const marks = [...Map.groupBy(points, ({x, y, name, isExact}) => JSON.stringify([x, y, name, isExact])).values()]
		.sort((a, b) => b.length - a.length).map(markOf)
	// A pill that has become a circle may overlap others, so overlaps are joined twice.
	const gathered = [areInOnePlace, overlap, overlap].reduce(joinMarks, marks)
	for (const mark of gathered) for (const place of places) moveAside(mark, place)
	return gathered.sort((a, b) => a.left - b.left) // for the arrow keys
}

// joinMarks joins each mark with the first one before it for which areOne(mark, other) is true.
function joinMarks(marks, areOne) {
	const found = []
	for (const mark of marks) {
		const at = found.findIndex(other => areOne(mark, other))
		if (at < 0) found.push(mark)
		else found[at] = markOf([...found[at].points, ...mark.points])
	}
	return found
}

// markOf makes the mark of some points at the position of the first, {points, flats, left, top, …}:
//   words       its text: a number of flats or a cost
//   place       the place of all points, or ""
//   name        the place of most points, or ""
//   isRough     whether no point is at its own position
//   hasTip      whether it is a pill whose tip points to an exact position below it
//   halfWidth   half of its width in pixels
//   halfHeight  half of its height
//   reach       {halfWidth, halfHeight} of the area that reacts to a finger or a mouse
function markOf(points) {
	const [{left, top}] = points
	const [[commonName, {length: withCommonName}]] = groupsOf(points, ({name}) => name)
	const flats = points.map(({flat}) => flat)
	const words = flats.length > 1 ? number(flats.length) : points[0].words
	const isRough = points.every(({isExact}) => !isExact)
	const hasTip = flats.length === 1 && words !== "" && !isRough
	const [halfWidth, halfWithoutTip] = halvesOf(words, flats.length)
	const halfHeight = hasTip ? halfWithoutTip + tipHeight : halfWithoutTip
	const leastHalf = coarse.matches ? 22 : 12 // half of what a finger or a mouse needs, in pixels
	return {
		points,
		flats,
		left,
		top: hasTip ? top - halfHeight : top,
		words,
		place: withCommonName === points.length ? commonName : "",
		name: withCommonName * 2 > points.length ? commonName : "",
		isRough,
		hasTip,
		halfWidth,
		halfHeight,
		reach: {halfWidth: Math.max(halfWidth, leastHalf), halfHeight: Math.max(halfHeight, leastHalf)},
	}
}

const pillHalf = 11 // half of the height of a pill, in pixels
const tipHeight = 5 // pixels, of the tip of a pill, which is twice as wide
const markerHalf = 7 // half of the width and of the height of a place's marker

// halvesOf returns half the width and half the height of the mark of n flats, without a tip.
function halvesOf(words, n) {
	if (!words) return [7, 7] // a point
	const radius = Math.min(22, 12 + 4 * Math.log10(n)) // 13 pixels for 2 flats, 20 for 100
	const margin = 8 // pixels between the words and each end of a pill
	return n > 1 ? [radius, radius] : [Math.max(18, widthOf(words) / 2 + margin), pillHalf]
}

// moveAside moves a mark above or below a place if it would hide the place's marker. One pixel stays between them.
function moveAside(mark, place) {
	const leastAcross = mark.halfWidth + markerHalf + 1
	const leastDown = mark.halfHeight + markerHalf + 1
	const isApart = Math.abs(mark.left - place.left) >= leastAcross || Math.abs(mark.top - place.top) >= leastDown
	if (isApart) return
	mark.top = place.top + (mark.top < place.top ? -leastDown : leastDown)
	mark.hasTip = false
}

// The drawing

// namesScale is the scale from which on the names of postal codes are shown.
const namesScale = 2 ** 21 // about 19 metres a pixel at the equator

// buttonBoxes returns the middles and sizes of the buttons that lie over the map, [{left, top, halfWidth, halfHeight}].
function buttonBoxes(element, surface) {
	const map = surface.getBoundingClientRect()
	return [...element.querySelectorAll(":is(.over, .zoom) button")].map(button => button.getBoundingClientRect())
		.map(box => ({
			left: box.left + box.width / 2 - map.left - map.width / 2,
			top: box.top + box.height / 2 - map.top - map.height / 2,
			halfWidth: box.width / 2,
			halfHeight: box.height / 2,
		}))
}

// drawThings draws marks, places and codes on a map with a width and height. Names avoid marks, places and buttons. Of
// things with the same name, such as the postal codes of a town, one shows the name: the largest mark, if there is one.
function drawThings(shown, marks, buttons, width, height) {
	const places = locate(shown.places, width, height)
	const codes = locate(shown.codes, width, height)
	// With more than 2,000 postal codes, only every second, third, … is drawn.
	const dots = codes.filter((_, i) => i % Math.ceil(codes.length / 2000) === 0)
	const markers = places.map(place => ({...place, halfWidth: markerHalf, halfHeight: markerHalf}))
	const write = makeWriter([...marks, ...markers, ...buttons], width, height, dots)
	const names = new Set()
	// writeOnce writes the name of a thing unless another has the same name.
	function writeOnce(thing, kind, sides) {
		const written = !names.has(thing.name) && write(thing, kind, sides)
		if (written) names.add(thing.name)
		return written
	}
	return [
		svg("path", {class: "dots", d: dots.map(({left, top}) => `M${left} ${top}h0`).join("")}),
		markers.map(place => drawPlace(place, write)),
		marks.toSorted((a, b) => b.flats.length - a.flats.length).map(mark => writeOnce(mark, "name main", allSides)),
		kept.map.world.scale >= namesScale && dots.map(code => writeOnce(code, "name", onlyBelow)),
		marks.map(({element}) => element),
	]
}

// drawMark draws a mark in the colour of the most advanced status of its flats, with an invisible area that is large
// enough for a finger. open and pointedAt are the options of makeCanvas.
function drawMark({left, top, halfWidth, halfHeight, reach, flats, points, words, isRough, hasTip}, open, pointedAt) {
	const isGroup = flats.length > 1
	const statuses = new Set(flats.map(statusOf))
	const status = ["new", ...shortlisted].findLast(one => statuses.has(one))
	const places = groupsOf(points, ({name}) => name).map(([name]) => name).filter(Boolean)
	const [flat] = flats
	const about = isGroup ? [count(t.n_flats, flats.length), ...places.slice(0, 3)]
		: [title(flat), cost(flat), places[0], isRough && t.in_postal_code]
	const label = [...about, statusName(status)].filter(Boolean).join(", ")
	const click = () => open(flats)
	function keydown(event) {
		if (!["Enter", " "].includes(event.key)) return
		event.preventDefault()
		click()
	}
	const isPill = !isGroup && words !== ""
	let kind = "circle" // for style.css all marks are circles, and some are pills or points, too
	if (!isGroup) kind = isPill ? "circle pill" : "circle point"
	const on = () => pointedAt(flats)
	const off = () => pointedAt([])
	const listeners = {click, keydown, pointerenter: on, pointerleave: off, focus: on, blur: off}
	const attributes = {class: kind, "data-status": status, transform: `translate(${left} ${top})`, role: "button", label}
	return svg("g", attributes, listeners,
		isPill ? drawPill(halfWidth, hasTip) : svg("circle", {class: "shape", r: halfHeight}),
		words && svg("text", words),
		svg("rect", {class: "reach", x: -reach.halfWidth, y: -reach.halfHeight,
			width: 2 * reach.halfWidth, height: 2 * reach.halfHeight, rx: 8}))
}

// drawPill draws the shape of a pill: a line at the top, a round end, a line at the bottom with the tip, a round end.
function drawPill(halfWidth, hasTip) {
	const radius = pillHalf // of the round ends
	const lineEnd = halfWidth - radius // from the middle to where a round end begins
	const roundEnd = down => `a${radius} ${radius} 0 0 1 0 ${down}`
	const tip = hasTip ? `H${tipHeight}l${-tipHeight} ${tipHeight}l${-tipHeight} ${-tipHeight}` : ""
	const path = [`M${-lineEnd} ${-radius}H${lineEnd}`, roundEnd(2 * radius), `${tip}H${-lineEnd}`, roundEnd(-2 * radius)]
	return svg("path", {class: "shape", d: path.join("") + "z"})
}

const nameGaps = [7, 20, 36] // pixels from the middle of a place to its name, tried in turn

const smallestRing = 20 // pixels of its radius: a smaller one would lie under the name of its place
const largestRing = 5000 // pixels: a larger one crosses the map as a line

// drawPlace draws a place of a constraint, with its name, and with rings at 1, 2 and 5 km unless they are too small or
// too large.
function drawPlace(place, write) {
	const {left, top, y} = place
	let name = null
	for (const gap of nameGaps) name ??= write({...place, halfWidth: gap, halfHeight: gap}, "name main", allSides)
	const isDrawn = radius => radius > smallestRing && radius < largestRing
	const rings = [1, 2, 5].map(km => [km, pixels(kept.map.world, km * 1000, y)]).filter(([, radius]) => isDrawn(radius))
	const half = markerHalf
	const diamond = `M${left} ${top - half}l${half} ${half}l${-half} ${half}l${-half} ${-half}z`
	return svg("g", {class: "place"}, svg("path", {class: "marker", d: diamond}),
		name, rings.map(([km, radius]) => [svg("circle", {cx: left, cy: top, r: radius}),
			write({left, top, halfWidth: radius, halfHeight: radius, name: `${km} km`}, "name")]))
}

const pen = document.createElement("canvas").getContext("2d") // measures names

// widthOf returns the width of bold words in pixels.
function widthOf(words) {
	pen.font = "600 12px system-ui, sans-serif"
	return pen.measureText(words).width
}

// nameSides has the sides of a thing where its name may be, [right, down]: below, above, right, left, and the corners.
const nameSides = [[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]]

// allSides is the number of all sides, for makeWriter; without the corners there are four.
export const allSides = nameSides.length
const onlyBelow = 1
const withoutCorners = 4

// In pixels
const nameHalfHeight = 8
const nameGap = 2 // between a thing and its name

// boxOf returns the edges of a thing.
const boxOf = ({left, top, halfWidth, halfHeight}) =>
	({left: left - halfWidth, right: left + halfWidth, top: top - halfHeight, bottom: top + halfHeight})

// makeWriter returns a function (thing, kind, sides) that writes the name of a thing on a map with a width and height.
// kind is a CSS class. The function tries the first sides of nameSides; sides is their number. It writes the name at a
// side where the name is on the map and hides neither a thing in others nor a name written before. It prefers a side
// where the name is on no line; lines has points along the lines. It returns null if the thing has no name, or its name
// has no room.
export function makeWriter(others, width, height, lines = []) {
	const taken = others.map(boxOf)
	const onLine = box => lines.some(({left, top}) =>
		left > box.left && left < box.right && top > box.top && top < box.bottom)
	const isOnMap = box =>
		box.left >= -width / 2 && box.right <= width / 2 && box.top >= -height / 2 && box.bottom <= height / 2
	const overlap = (one, other) =>
		one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top
	const isFree = box => isOnMap(box) && !taken.some(other => overlap(box, other))

	// A thing without a size is the dot of a postal code.
	return ({left, top, halfWidth = 5, halfHeight = 5, name}, kind, sides = withoutCorners) => {
		if (!name) return null
		const nameHalfWidth = widthOf(name) / 2 + 2
		// From the middle of the thing to the middle of its name
		const toSide = halfWidth + nameHalfWidth + nameGap
		const toLine = halfHeight + nameHalfHeight + nameGap
		const free = nameSides.slice(0, sides).map(([right, down]) => boxOf({left: left + right * toSide,
			top: top + down * toLine, halfWidth: nameHalfWidth, halfHeight: nameHalfHeight})).filter(isFree)
		const box = free.find(one => !onLine(one)) ?? free[0]
		if (!box) return null
		taken.push(box)
		const baseline = box.bottom - 4
		return svg("text", {class: kind, x: box.left + nameHalfWidth, y: baseline, "aria-hidden": "true"}, name)
	}
}

// drawScaleBar draws the scale bar of the map, for a round distance of at most 120 pixels.
function drawScaleBar(element) {
	const metres = roundedDown(120 / pixels(kept.map.world, 1))
	fill(element, inKilometres(metres))
	element.style.width = pixels(kept.map.world, metres) + "px"
}
