// The drawing of the map. World coordinates are those of Web Mercator: from 0 to
// 1, x to the east and y to the south. Pixels count from the middle.

import {statusOf} from "./api.js"
import {fill, h, later, svg} from "./dom.js"
import {number, t} from "./format.js"
import {shortlisted} from "./state.js"

/** project gives the world coordinates of a latitude and a longitude. */
export function project([latitude, longitude]) {
	const radians = Math.max(-85, Math.min(85, latitude)) * Math.PI / 180
	return {x: longitude / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)}
}

const metresAt = y => 40_075_017 / Math.cosh((1 - 2 * y) * Math.PI) // how wide the world is there
const scaleOf = zoom => 256 * 2 ** zoom // and in pixels
const limited = zoom => Math.max(2, Math.min(18, zoom))
const between = ([x, y], [otherX, otherY]) => Math.hypot(x - otherX, y - otherY)

let view = {x: 0.5, y: 0.5, zoom: 2} // what is in the middle, and stays for when one comes back

/**
 * makeCanvas makes a map of {points, places, others}, each with world coordinates
 * and a name, and points with a flat. open is called with the flats of a circle
 * that is pressed.
 */
export function makeCanvas(open, signal) {
	const drawing = svg("svg", {role: "img", label: t.map})
	const tiles = h("div.tiles")
	const layer = h("div.layer", tiles, drawing)
	const surface = h("div.surface", layer)
	const rule = h("p.rule")
	const {content: credit} = document.querySelector("meta[name=flats-map-credit]")
	const keys = {"+": [t.zoom_in, () => zoomBy(1)], "-": [t.zoom_out, () => zoomBy(-1)], 0: [t.zoom_all, () => fit()]}
	const buttons = Object.entries(keys)
		.map(([key, [label, click]]) => h("button", {0: "⤢"}[key] ?? key, {label, click}))
	const element = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface, h("div.zoom", buttons), rule,
		credit && h("p.credit", credit))
	const shown = {points: [], places: [], others: []}
	let drawn = view // what was in the middle as the layer was drawn

	function draw() {
		const {clientWidth: width, clientHeight: height} = surface
		if (signal.aborted || width === 0) return
		drawn = view
		layer.style.transform = ""
		const scale = scaleOf(view.zoom)
		const placed = things => things
			.map(thing => ({...thing, left: (thing.x - view.x) * scale, top: (thing.y - view.y) * scale}))
			.filter(({left, top}) => Math.abs(left) < width && Math.abs(top) < height)
		const [places, circles, others] = [placed(shown.places), gather(placed(shown.points)), placed(shown.others)]
		drawing.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`)
		drawing.replaceChildren(dots(others), ...names([...circles, ...others], [...places, ...circles]),
			...places.map(place => drawPlace(place, scale)), ...circles.map(circle => drawCircle(circle, open)))
		drawRule(rule, scale / metresAt(view.y))
		drawTiles(tiles, width, height)
	}

	const drawLater = later(draw, 100)

	// A drawing costs more than a frame: until the map rests, the last one is moved.
	function move({x, y, zoom}) {
		view = {x, y: Math.max(0, Math.min(1, y)), zoom: limited(zoom)}
		const scale = scaleOf(view.zoom)
		const [left, top] = [(drawn.x - view.x) * scale, (drawn.y - view.y) * scale]
		layer.style.transform = `translate(${left}px, ${top}px) scale(${scale / scaleOf(drawn.zoom)})`
		drawLater()
	}

	// fit shows all points, or those given.
	function fit(points = shown.points) {
		if (points.length === 0) return
		const ends = name => points.reduce(([from, to], {[name]: at}) => [Math.min(from, at), Math.max(to, at)], [1, 0])
		const [[left, right], [top, bottom]] = [ends("x"), ends("y")]
		const scale = Math.min((surface.clientWidth - 80) / (right - left), (surface.clientHeight - 80) / (bottom - top))
		move({x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(15, Math.log2(scale / 256))})
	}

	// go takes what is at one place of the surface to another, at another zoom.
	function go([left, top], [toLeft, toTop], levels = 0) {
		const zoom = limited(view.zoom + levels)
		const [before, after] = [scaleOf(view.zoom), scaleOf(zoom)]
		move({x: view.x + left / before - toLeft / after, y: view.y + top / before - toTop / after, zoom})
	}

	const zoomBy = (levels, at = [0, 0]) => go(at, at, levels)

	followFingers(surface, go)
	const resized = new ResizeObserver(draw)
	resized.observe(surface)
	signal.addEventListener("abort", () => resized.disconnect())
	const steps = {ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80]}
	for (const [key, by] of Object.entries(steps))
		keys[key] = [t.move_map, () => element.matches(":focus") && (go([0, 0], by), true)]
	return {element, keys, fit, show: what => draw(Object.assign(shown, what))}
}

// One finger or the mouse moves the map; of two, one stays and the other zooms.
function followFingers(surface, go) {
	const fingers = new Map() // where each is
	const on = (type, act, options) => surface.addEventListener(type, act, options)
	const fromMiddle = ({clientX, clientY}) => {
		const {left, top, width, height} = surface.getBoundingClientRect()
		return [clientX - left - width / 2, clientY - top - height / 2]
	}
	on("pointerdown", event => event.button === 0 && fingers.set(event.pointerId, fromMiddle(event)))
	on("pointermove", event => {
		const [id, now] = [event.pointerId, fromMiddle(event)]
		const before = fingers.get(id)
		// A press may tremble; once the surface has the pointer, it presses nothing.
		if (!before || !surface.hasPointerCapture(id) && between(now, before) < 4) return
		surface.setPointerCapture(id)
		fingers.set(id, now)
		const other = [...fingers.values()].find(at => at !== now)
		if (other) go(other, other, Math.log2(between(now, other) / between(before, other)) || 0)
		else go(before, now)
	})
	for (const type of ["pointerup", "pointercancel", "pointerleave"]) on(type, event => fingers.delete(event.pointerId))
	on("wheel", event => {
		event.preventDefault()
		go(fromMiddle(event), fromMiddle(event), -event.deltaY * (event.deltaMode === 0 ? 0.004 : 0.1))
	}, {passive: false})
}

const best = ["new", ...shortlisted] // the last one says most

// gather puts points that are close to each other into one circle, which stands
// where the first is.
function gather(points) {
	const circles = []
	for (const point of points) {
		const near = circles.find(({left, top}) => Math.hypot(left - point.left, top - point.top) < 40)
		if (near) near.flats.push(point.flat)
		else circles.push({...point, flats: [point.flat]})
	}
	for (const circle of circles) circle.radius = 11 + 4 * Math.log10(circle.flats.length)
	return circles
}

// The second circle is what a finger needs.
function drawCircle({left, top, radius, flats}, open) {
	const found = new Set(flats.map(statusOf))
	return svg("g", {class: "circle", "data-status": best.findLast(status => found.has(status)), click: () => open(flats)},
		svg("circle", {cx: left, cy: top, r: radius}), svg("text", {x: left, y: top}, number(flats.length)),
		svg("circle", {class: "reach", cx: left, cy: top, r: 22}))
}

// There may be thousands: they are one line.
const dots = points => svg("path", {class: "dots", d: points.map(({left, top}) => `M${left} ${top}h0`).join("")})

// A place has rings of 1, 2 and 5 km, where they are neither a dot nor endless.
function drawPlace({left, top, y, name}, scale) {
	const rings = [1, 2, 5].map(km => [km, km * 1000 * scale / metresAt(y)])
		.filter(([, radius]) => radius > 20 && radius < 5000)
	return svg("g", {class: "place"}, svg("path", {class: "marker", d: `M${left} ${top - 7}l7 7l-7 7l-7 -7z`}),
		svg("text", {class: "name", x: left, y: top + 18}, name),
		rings.map(([km, radius]) => [svg("circle", {cx: left, cy: top, r: radius}),
			svg("text", {class: "name", x: left, y: top - radius - 3}, `${km} km`)]))
}

// Names stand under what they name where they hide nothing else, and no other name.
function names(things, others) {
	const boxes = others.map(({left, top, radius = 20}) => [left - radius, top - radius, left + radius, top + radius])
	const hides = ([left, top, right, bottom]) =>
		boxes.some(([l, t, r, b]) => left < r && right > l && top < b && bottom > t)
	return things.map(({left, top, radius = 5, name}) => {
		const half = name.length * 3.3
		const box = [left - half, top + radius + 2, left + half, top + radius + 14]
		if (hides(box)) return ""
		boxes.push(box)
		return svg("text", {class: "name", x: left, y: top + radius + 11}, name)
	})
}

// The scale is the roundest length that is shorter than 120 pixels.
function drawRule(rule, ofMetre) {
	const tens = 10 ** Math.floor(Math.log10(120 / ofMetre))
	const metres = tens * [5, 2, 1].find(n => n * tens * ofMetre <= 120)
	rule.textContent = metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000)} km`
	rule.style.width = metres * ofMetre + "px"
}

// Tiles lie under the drawing where the config names some. New images would
// flash: those that are there are moved.
function drawTiles(element, width, height) {
	const source = document.querySelector("meta[name=flats-map-tiles]").content
	if (!source) return
	const z = Math.round(view.zoom)
	const across = 2 ** z
	const edge = scaleOf(view.zoom) / across
	const ends = (middle, size) => [Math.max(0, Math.floor(middle * across - size / 2 / edge)),
		Math.min(across, middle * across + size / 2 / edge)]
	const [[west, east], [north, south]] = [ends(view.x, width), ends(view.y, height)]
	const known = new Map([...element.children].map(image => [image.src, image]))
	const images = []
	for (let y = north; y < south; y++) for (let x = west; x < east; x++) {
		const {href: src} = new URL(source.replace("{z}", z).replace("{x}", x).replace("{y}", y))
		const image = known.get(src) ?? h("img", {alt: "", draggable: "false", referrerpolicy: "strict-origin", src,
			error: () => { image.hidden = true }})
		const [left, top] = [(x - view.x * across) * edge, (y - view.y * across) * edge]
		image.style.transform = `translate(${left}px, ${top}px) scale(${edge / 256})`
		images.push(image)
	}
	fill(element, images)
}
