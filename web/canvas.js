// The drawing of the map. World coordinates are those of Web Mercator: from 0 to
// 1, x to the east and y to the south.

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
	const button = (sign, label, click) => h("button", sign, {label, click})
	const buttons = h("div.zoom", button("+", t.zoom_in, () => zoomBy(1)), button("−", t.zoom_out, () => zoomBy(-1)),
		button("⤢", t.zoom_all, () => fit()))
	const credit = document.querySelector("meta[name=flats-map-credit]").content
	const element = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface, buttons, rule,
		credit && h("p.credit", credit))
	let shown = {sites: [], places: [], others: []}
	let view = {x: 0.5, y: 0.5, zoom: farthest} // what is in the middle
	let drawn = view // the view that the layer was drawn for
	let circles = []

	const size = () => ({width: surface.clientWidth, height: surface.clientHeight})

	function draw() {
		const {width, height} = size()
		if (signal.aborted || width === 0) return
		drawn = view
		layer.style.transform = ""
		const pixels = scaleOf(view)
		// The layer is twice as wide and high as what is seen of it.
		const at = ({x, y}) => ({left: (x - view.x) * pixels + width, top: (y - view.y) * pixels + height})
		const inSight = ({left, top}) => left > 0 && left < 2 * width && top > 0 && top < 2 * height
		const [all, places, others] = [gathered(shown, Math.round(view.zoom)), shown.places, shown.others]
			.map(things => things.map(thing => ({...thing, ...at(thing)})))
		circles = all.filter(inSight)
		const dotted = others.filter(inSight)
		drawing.setAttribute("viewBox", `0 0 ${2 * width} ${2 * height}`)
		drawing.replaceChildren(dots(dotted), ...places.map(place => rings(place, pixels)), ...places.map(marker),
			...circles.map(drawCircle), ...names([...places, ...circles, ...dotted], circles))
		drawRule(rule, pixels / metresAt(view.y))
		drawTiles(tiles, view, 2 * width, 2 * height)
	}

	const drawLater = later(draw, 150)

	// A drawing costs more than a frame: until the map rests, the last one is moved.
	function move(to) {
		const {x, y, zoom} = {...view, ...to}
		view = {x, y: limited(y, 0, 1), zoom: limited(zoom, farthest, closest)}
		const {width, height} = size()
		const pixels = scaleOf(view)
		const [left, top] = [(drawn.x - view.x) * pixels, (drawn.y - view.y) * pixels]
		layer.style.transform = `translate(${left}px, ${top}px) scale(${pixels / scaleOf(drawn)})`
		if (Math.abs(left) > width / 2 || Math.abs(top) > height / 2 || Math.abs(view.zoom - drawn.zoom) > 1) draw()
		else drawLater()
	}

	// fit shows all sites, or those given.
	function fit(sites = shown.sites) {
		if (sites.length === 0) return
		const {width, height} = size()
		const ends = all => [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))]
		const [left, right] = ends(sites.map(({x}) => x))
		const [top, bottom] = ends(sites.map(({y}) => y))
		const room = Math.min((width - 80) / (right - left), (height - 80) / (bottom - top))
		move({x: (left + right) / 2, y: (top + bottom) / 2, zoom: Math.min(15, Math.log2(room / 256))})
		draw()
	}

	const pan = (left, top) => move({x: view.x - left / scaleOf(view), y: view.y - top / scaleOf(view)})

	// zoomBy keeps what is under a point, given from the middle, where it is.
	function zoomBy(levels, left = 0, top = 0) {
		const zoom = limited(view.zoom + levels, farthest, closest)
		const shift = 1 / scaleOf(view) - 1 / scaleOf({zoom})
		move({x: view.x + left * shift, y: view.y + top * shift, zoom})
	}

	const fromMiddle = ({clientX, clientY}) => {
		const {left, top, width, height} = surface.getBoundingClientRect()
		return [clientX - left - width / 2, clientY - top - height / 2]
	}

	function press(event) {
		const [left, top] = fromMiddle(event)
		const [x, y] = [view.x + left / scaleOf(view), view.y + top / scaleOf(view)]
		const distance = circle => Math.hypot(circle.x - x, circle.y - y) * scaleOf(view)
		const [nearest] = circles.toSorted((a, b) => distance(a) - distance(b))
		if (nearest && distance(nearest) <= Math.max(22, nearest.radius)) open(nearest.sites)
	}

	followFingers(surface, {pan, press, zoomBy, fromMiddle})
	const resized = new ResizeObserver(draw)
	resized.observe(surface)
	signal.addEventListener("abort", () => resized.disconnect())
	const steps = {ArrowLeft: [80, 0], ArrowRight: [-80, 0], ArrowUp: [0, 80], ArrowDown: [0, -80]}
	const step = key => element.matches(":focus") && (pan(...steps[key]), true)
	const keys = {"+": [t.zoom_in, () => zoomBy(1)], "-": [t.zoom_out, () => zoomBy(-1)], 0: [t.zoom_all, () => fit()]}
	for (const key in steps) keys[key] = [t.move_map, () => step(key)]
	return {element, keys, fit, move, view: () => view, show(what) {
		shown = what
		draw()
	}}
}

const limited = (n, least, most) => Math.max(least, Math.min(most, n))
const scaleOf = ({zoom}) => 256 * 2 ** zoom

// One finger or the mouse moves the map, two fingers also zoom it. What is
// pressed without moving is opened.
function followFingers(surface, {pan, press, zoomBy, fromMiddle}) {
	const fingers = new Map() // where each is
	let moved = 0
	const spread = () => {
		const [[x, y], [u, v]] = [...fingers.values()]
		return {middle: [(x + u) / 2, (y + v) / 2], distance: Math.hypot(x - u, y - v)}
	}
	surface.addEventListener("pointerdown", event => {
		if (event.button !== 0) return
		surface.setPointerCapture(event.pointerId)
		if (fingers.size === 0) moved = 0
		if (fingers.size < 2) fingers.set(event.pointerId, fromMiddle(event))
	})
	surface.addEventListener("pointermove", event => {
		const before = fingers.get(event.pointerId)
		if (!before) return
		const now = fromMiddle(event)
		const two = fingers.size === 2 && spread()
		fingers.set(event.pointerId, now)
		moved += Math.hypot(now[0] - before[0], now[1] - before[1])
		if (!two) return moved > 4 && pan(now[0] - before[0], now[1] - before[1])
		const {middle, distance} = spread()
		pan(middle[0] - two.middle[0], middle[1] - two.middle[1])
		zoomBy(Math.log2(distance / two.distance) || 0, ...middle)
	})
	const lift = event => {
		if (fingers.delete(event.pointerId) && event.type === "pointerup" && fingers.size === 0 && moved <= 4) press(event)
	}
	surface.addEventListener("pointerup", lift)
	surface.addEventListener("pointercancel", lift)
	surface.addEventListener("dblclick", event => zoomBy(1, ...fromMiddle(event)))
	surface.addEventListener("wheel", event => {
		event.preventDefault()
		zoomBy(-event.deltaY * (event.deltaMode === 0 ? 0.004 : 0.1), ...fromMiddle(event))
	}, {passive: false})
}

// The circles of some sites at a zoom, as they were gathered last.
let last = {}

function gathered({sites}, zoom) {
	if (last.sites !== sites || last.zoom !== zoom) last = {sites, zoom, circles: gather(sites, scaleOf({zoom}))}
	return last.circles
}

// gather puts sites that are close to each other into one circle, which stands
// where the site with the most flats is.
function gather(sites, scale) {
	const cells = new Map()
	const circles = []
	for (const site of sites) {
		const [column, row] = [Math.floor(site.x * scale / apart), Math.floor(site.y * scale / apart)]
		const near = [-1, 0, 1].flatMap(i => [-1, 0, 1].flatMap(j => cells.get((column + i) + "," + (row + j)) ?? []))
		const circle = near.find(({x, y}) => Math.hypot(x - site.x, y - site.y) * scale < apart)
		if (circle) {
			circle.sites.push(site)
			circle.n += site.flats.length
			if (site.rank < circle.rank) Object.assign(circle, {rank: site.rank, status: site.status})
			continue
		}
		const made = {...site, n: site.flats.length, sites: [site]}
		circles.push(made)
		const key = column + "," + row
		cells.set(key, [...(cells.get(key) ?? []), made])
	}
	for (const circle of circles) circle.radius = 11 + 4 * Math.log10(circle.n)
	return circles
}

const drawCircle = ({left, top, radius, n, status}) => svg("g", {class: "circle", "data-status": status},
	svg("circle", {cx: left, cy: top, r: radius}), svg("text", {x: left, y: top}, number(n)))

// Thousands of dots are one line of points.
const dots = others =>
	svg("path", {class: "dots", d: others.map(({left, top}) => `M${left.toFixed(1)} ${top.toFixed(1)}h0`).join("")})

const marker = ({left, top}) => svg("path", {class: "marker", d: `M${left} ${top - 7}l7 7l-7 7l-7 -7z`})

// Rings are 1, 2 and 5 km around a place, where they are more than a dot.
function rings({left, top, y}, pixels) {
	const radii = [1, 2, 5].map(km => [km, km * 1000 * pixels / metresAt(y)])
		.filter(([, radius]) => radius > 12 && radius < 5000)
	return svg("g", {class: "rings"}, radii.map(([km, radius]) => [svg("circle", {cx: left, cy: top, r: radius}),
		radius > 30 && svg("text", {x: left, y: top - radius - 3}, `${km} km`)]))
}

// Names stand under what they name, each once, where they hide no circle and no
// other name: what comes first takes the room. Those of places stand in any case.
function names(things, circles) {
	const boxes = circles.map(({left, top, radius}) => [left - radius, top - radius, left + radius, top + radius])
	const given = new Set()
	const texts = []
	for (const {left, top, radius = 5, name, kind} of things) {
		if (texts.length === mostNames) break
		if (!name || given.has(name)) continue
		const half = Math.min(name.length, 24) * 3.3
		const box = [left - half, top + radius + 2, left + half, top + radius + 14]
		if (kind !== "place" && boxes.some(other => overlap(box, other))) continue
		boxes.push(box)
		given.add(name)
		texts.push(nameText({left, top, radius, name, kind}))
	}
	return texts
}

const nameText = ({left, top, radius = 5, name, kind}) =>
	svg("text", {class: "name " + kind, x: left, y: top + radius + 11}, name.length > 24 ? name.slice(0, 23) + "…" : name)

const overlap = ([left, top, right, bottom], [l, t, r, b]) => left < r && right > l && top < b && bottom > t

// The scale is the roundest length that is shorter than 120 pixels.
function drawRule(rule, ofMetre) {
	const tens = 10 ** Math.floor(Math.log10(120 / ofMetre))
	const metres = tens * [5, 2, 1].find(n => n * tens * ofMetre <= 120)
	rule.textContent = metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000)} km`
	rule.style.width = metres * ofMetre + "px"
}

const source = document.querySelector("meta[name=flats-map-tiles]").content

// Tiles lie under the drawing where the config names some.
function drawTiles(element, view, width, height) {
	if (!source) return
	const z = Math.round(view.zoom)
	const across = 2 ** z
	const edge = 256 * 2 ** (view.zoom - z)
	const [left, top] = [view.x * across - width / 2 / edge, view.y * across - height / 2 / edge]
	const known = new Map([...element.children].map(image => [image.dataset.at, image]))
	const wanted = []
	for (let y = Math.max(0, Math.floor(top)); y < Math.min(across, top + height / edge); y++)
		for (let x = Math.floor(left); x < left + width / edge; x++) {
			const at = `${z}/${x}/${y}`
			const image = known.get(at) ?? tile(at, {z, x: ((x % across) + across) % across, y})
			image.style.transform = `translate(${(x - left) * edge}px, ${(y - top) * edge}px) scale(${edge / 256})`
			wanted.push(image)
		}
	if (wanted.length !== known.size || wanted.some(image => !image.parentNode)) fill(element, wanted)
}

// Whose the tiles are may want to know from where they are asked for, and no more.
const tile = (at, {z, x, y}) => h("img", {data: {at}, alt: "", draggable: "false", referrerpolicy: "strict-origin",
	src: source.replace("{z}", z).replace("{x}", x).replace("{y}", y), error: ({target}) => { target.hidden = true }})
