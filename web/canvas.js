// The drawing of the map. World coordinates are those of Web Mercator: from 0 to
// 1, x to the east and y to the south.

import {dots} from "./charts.js"
import {fill, h, later, svg} from "./dom.js"
import {number} from "./format.js"
import {t} from "./strings.js"

/** project gives the world coordinates of a latitude and a longitude. */
export function project([latitude, longitude]) {
	const radians = Math.max(-85, Math.min(85, latitude)) * Math.PI / 180
	return {x: longitude / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)}
}

const equator = 40_075_017 // metres

// How many metres the world is wide where y is.
const metresAt = y => equator / Math.cosh((1 - 2 * y) * Math.PI)

const [closest, farthest] = [18, 2] // zoom: at 0 the world has 256 pixels, at each next one twice as many
const apart = 40 // pixels between circles
const mostNames = 80

/**
 * makeCanvas makes a map of {sites, places, others}: sites have world coordinates,
 * flats, a name and a status, places and others, the quiet dots, a name. open is
 * called with the sites of a circle that is pressed.
 */
export function makeCanvas(open, signal) {
	const drawing = svg("svg", {role: "img", label: t.map_title})
	const tiles = h("div.tiles")
	const layer = h("div.layer", tiles, drawing)
	const surface = h("div.surface", layer)
	const rule = h("p.rule")
	const {content: credit} = document.querySelector("meta[name=flats-map-credit]")
	const keys = {"+": [t.zoom_in, () => zoomBy(1)], "-": [t.zoom_out, () => zoomBy(-1)], 0: [t.zoom_all, () => fit()]}
	const buttons = Object.entries(keys).map(([key, [label, click]]) => h("button", signs[key], {label, click}))
	const element = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface, h("div.zoom", buttons), rule,
		credit && h("p.credit", credit))
	const shown = {sites: [], places: [], others: []}
	let view = {x: 0.5, y: 0.5, zoom: farthest} // what is in the middle
	let drawn = view // the view that the layer was drawn for
	let circles = []

	const size = () => [surface.clientWidth, surface.clientHeight]

	function draw() {
		const [width, height] = size()
		if (signal.aborted || width === 0) return
		drawn = view
		layer.style.transform = ""
		const pixels = scaleOf(view)
		// The layer is twice as wide and high as what is seen of it.
		const placed = things => things.map(thing =>
			({...thing, left: (thing.x - view.x) * pixels + width, top: (thing.y - view.y) * pixels + height}))
		const inSight = ({left, top}) => left > 0 && left < 2 * width && top > 0 && top < 2 * height
		circles = placed(gathered(shown.sites, Math.round(view.zoom))).filter(inSight)
		const places = placed(shown.places)
		const others = placed(shown.others).filter(inSight)
		drawing.setAttribute("viewBox", `0 0 ${2 * width} ${2 * height}`)
		drawing.replaceChildren(dots(others), ...places.map(place => drawPlace(place, pixels)), ...circles.map(drawCircle),
			...names([...places, ...circles, ...others], circles))
		drawRule(rule, pixels / metresAt(view.y))
		drawTiles(tiles, view, 2 * width, 2 * height)
	}

	const drawLater = later(draw, 150)

	// A drawing costs more than a frame: until the map rests, the last one is moved.
	function move({x, y, zoom}) {
		view = {x, y: limited(y, 0, 1), zoom: limited(zoom, farthest, closest)}
		const [width, height] = size()
		const pixels = scaleOf(view)
		const [left, top] = [(drawn.x - view.x) * pixels, (drawn.y - view.y) * pixels]
		layer.style.transform = `translate(${left}px, ${top}px) scale(${pixels / scaleOf(drawn)})`
		if (Math.abs(left) > width / 2 || Math.abs(top) > height / 2 || Math.abs(view.zoom - drawn.zoom) > 1) draw()
		else drawLater()
	}

	// fit shows all sites, or those given.
	function fit(sites = shown.sites) {
		if (sites.length === 0) return
		const [width, height] = size()
		const ends = all => [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))]
		const [left, right] = ends(sites.map(({x}) => x))
		const [top, bottom] = ends(sites.map(({y}) => y))
		const room = Math.min((width - 80) / (right - left), (height - 80) / (bottom - top))
		move({x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(15, Math.log2(room / 256))})
	}

	const pan = (left, top) => move({...view, x: view.x - left / scaleOf(view), y: view.y - top / scaleOf(view)})

	// zoomBy keeps what is under a point, given from the middle, where it is.
	function zoomBy(levels, left = 0, top = 0) {
		const zoom = limited(view.zoom + levels, farthest, closest)
		const shift = 1 / scaleOf(view) - 1 / scaleOf({zoom})
		move({x: view.x + left * shift, y: view.y + top * shift, zoom})
	}

	function press(left, top) {
		const distance = ({x, y}) => Math.hypot((x - view.x) * scaleOf(view) - left, (y - view.y) * scaleOf(view) - top)
		const nearest = circles.find(circle => distance(circle) <= Math.max(22, circle.radius))
		if (nearest) open(nearest.sites)
	}

	followFingers(surface, {pan, press, zoomBy})
	const resized = new ResizeObserver(draw)
	resized.observe(surface)
	signal.addEventListener("abort", () => resized.disconnect())
	const steps = {ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80]}
	for (const [key, by] of Object.entries(steps))
		keys[key] = [t.move_map, () => element.matches(":focus") && (pan(...by), true)]
	return {element, keys, fit, move, draw, view: () => view, show: what => Object.assign(shown, what)}
}

const signs = {"+": "+", "-": "−", 0: "⤢"}
const limited = (n, least, most) => Math.max(least, Math.min(most, n))
const scaleOf = ({zoom}) => 256 * 2 ** zoom

// One finger or the mouse moves the map, two fingers also zoom it. What is
// pressed without moving is opened.
function followFingers(surface, {pan, press, zoomBy}) {
	const fingers = new Map() // where each is, from the middle
	let moved = 0
	const fromMiddle = ({clientX, clientY}) => {
		const {left, top, width, height} = surface.getBoundingClientRect()
		return [clientX - left - width / 2, clientY - top - height / 2]
	}
	// The middle of the fingers, and how far the first is from it.
	const hand = () => {
		const all = [...fingers.values()]
		const [x, y] = [0, 1].map(i => all.reduce((sum, at) => sum + at[i], 0) / all.length)
		return {x, y, reach: Math.hypot(all[0][0] - x, all[0][1] - y)}
	}
	const on = (type, act, options) => surface.addEventListener(type, act, options)
	on("pointerdown", event => {
		if (event.button !== 0) return
		surface.setPointerCapture(event.pointerId)
		if (fingers.size === 0) moved = 0
		fingers.set(event.pointerId, fromMiddle(event))
	})
	on("pointermove", event => {
		if (!fingers.has(event.pointerId)) return
		const before = hand()
		fingers.set(event.pointerId, fromMiddle(event))
		const now = hand()
		moved += Math.hypot(now.x - before.x, now.y - before.y)
		if (moved > 4) pan(now.x - before.x, now.y - before.y)
		if (fingers.size > 1) zoomBy(Math.log2(now.reach / before.reach) || 0, now.x, now.y)
	})
	on("pointerup", event => {
		if (fingers.delete(event.pointerId) && fingers.size === 0 && moved <= 4) press(...fromMiddle(event))
	})
	on("pointercancel", event => fingers.delete(event.pointerId))
	on("wheel", event => {
		event.preventDefault()
		zoomBy(-event.deltaY * (event.deltaMode === 0 ? 0.004 : 0.1), ...fromMiddle(event))
	}, {passive: false})
}

// The circles of some sites at a zoom, as they were gathered last.
let last = {}

function gathered(sites, zoom) {
	if (last.sites !== sites || last.zoom !== zoom) last = {sites, zoom, circles: gather(sites, scaleOf({zoom}))}
	return last.circles
}

// gather puts sites that are close to each other into one circle, which stands
// where the site with the most flats is.
function gather(sites, scale) {
	const cells = new Map()
	for (const site of sites) {
		const [column, row] = [Math.floor(site.x * scale / apart), Math.floor(site.y * scale / apart)]
		const near = [-1, 0, 1].flatMap(i => [-1, 0, 1].flatMap(j => cells.get(`${column + i},${row + j}`) ?? []))
		const circle = near.find(([{x, y}]) => Math.hypot(x - site.x, y - site.y) * scale < apart)
		const key = `${column},${row}`
		if (circle) circle.push(site)
		else cells.set(key, [...(cells.get(key) ?? []), [site]])
	}
	return [...cells.values()].flat().map(sites => {
		const n = sites.reduce((sum, {flats}) => sum + flats.length, 0)
		const {status} = sites.reduce((best, site) => (site.rank < best.rank ? site : best))
		return {...sites[0], sites, n, status, radius: 11 + 4 * Math.log10(n)}
	})
}

const drawCircle = ({left, top, radius, n, status}) => svg("g", {class: "circle", "data-status": status},
	svg("circle", {cx: left, cy: top, r: radius}), svg("text", {x: left, y: top}, number(n)))

// A place has rings of 1, 2 and 5 km, where they are neither a dot nor endless.
function drawPlace({left, top, y}, pixels) {
	const rings = [1, 2, 5].map(km => [km, km * 1000 * pixels / metresAt(y)])
		.filter(([, radius]) => radius > 20 && radius < 5000)
	return svg("g", {class: "rings"}, svg("path", {class: "marker", d: `M${left} ${top - 7}l7 7l-7 7l-7 -7z`}),
		rings.map(([km, radius]) => [svg("circle", {cx: left, cy: top, r: radius}),
			svg("text", {x: left, y: top - radius - 3}, `${km} km`)]))
}

// Names stand under what they name, each once, where they hide no circle and no
// other name: what comes first takes the room. Those of places stand in any case.
function names(things, circles) {
	const boxes = circles.map(({left, top, radius}) => [left - radius, top - radius, left + radius, top + radius])
	const free = box => !boxes.some(other => overlap(box, other))
	const given = new Map()
	for (const {left, top, radius = 5, name, kind} of things) {
		if (!name || given.has(name)) continue
		const short = name.length > 24 ? name.slice(0, 23) + "…" : name
		const [half, y] = [short.length * 3.3, top + radius]
		const box = [left - half, y + 2, left + half, y + 14]
		if (kind !== "place" && !free(box)) continue
		boxes.push(box)
		given.set(name, svg("text", {class: "name " + kind, x: left, y: y + 11}, short))
		if (given.size === mostNames) break
	}
	return [...given.values()]
}

const overlap = ([left, top, right, bottom], [l, t, r, b]) => left < r && right > l && top < b && bottom > t

// The scale is the roundest length that is shorter than 120 pixels.
function drawRule(rule, ofMetre) {
	const tens = 10 ** Math.floor(Math.log10(120 / ofMetre))
	const metres = tens * [5, 2, 1].find(n => n * tens * ofMetre <= 120)
	rule.textContent = metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000)} km`
	rule.style.width = metres * ofMetre + "px"
}

const source = document.querySelector("meta[name=flats-map-tiles]").content

// Tiles lie under the drawing where the config names some. Whose they are may want
// to know from where they are asked for, and no more.
function drawTiles(element, view, width, height) {
	if (!source) return
	const z = Math.round(view.zoom)
	const across = 2 ** z
	const edge = 256 * 2 ** (view.zoom - z)
	const [left, top] = [view.x * across - width / 2 / edge, view.y * across - height / 2 / edge]
	const known = new Map([...element.children].map(image => [image.src, image]))
	const images = []
	for (let y = Math.max(0, Math.floor(top)); y < Math.min(across, top + height / edge); y++)
		for (let x = Math.max(0, Math.floor(left)); x < Math.min(across, left + width / edge); x++) {
			const {href: src} = new URL(source.replace("{z}", z).replace("{x}", x).replace("{y}", y))
			const image = known.get(src) ?? h("img", {alt: "", draggable: "false", referrerpolicy: "strict-origin", src,
				error: () => { image.hidden = true }})
			image.style.transform = `translate(${(x - left) * edge}px, ${(y - top) * edge}px) scale(${edge / 256})`
			images.push(image)
		}
	fill(element, images)
}
