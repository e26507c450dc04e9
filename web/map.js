// Map: it shows where the flats are that the filters leave, and beside that a list of their places or of
// the flats in one circle. It exports show, as all views do (see app.js).
//
// The first part is the view. The second, from "The map" on, draws the map in SVG, and moves it by
// fingers, mouse and keys.

import {call, flats, keyOf, places, statusOf} from "./api.js"
import {fill, h, later, svg} from "./dom.js"
import {count, currencyOf, inKilometres, median, money, number, priceOf, quantile, rounded, t,
	text} from "./format.js"
import {groupsOf, growing, legend, showFound, tableOf} from "./found.js"
import {facts, flatLink, place, positionOf, statusTag} from "./parts.js"
import {hashOf, shortlisted, trail} from "./state.js"

// What the map showed last. It is shown again if one comes back with the same hash.
let hash
let opened // the flats beside the map, {name, ids}, or nothing for the list of places
let view = {x: 0.5, y: 0.5, scale: 2 ** 10} // the middle, and the width of the world in pixels

// show fills root with the map and the list beside it.
export async function show(root, route, signal) {
	const panel = h("div.beside")
	const statuses = h("div")
	const canvas = makeCanvas(open)
	const body = h("div.split", h("div", canvas.element, statuses), panel)
	let list

	function render(found, filters) {
		list = found
		const [placed, unplaced] = [list.filter(whereOf), list.filter(flat => !whereOf(flat))]
		canvas.element.hidden = placed.length === 0
		fill(statuses, legend(list))
		canvas.show({points: placed.map(flat => ({at: whereOf(flat), name: place(flat), flat}))})
		if (hash !== hashOf("map", filters)) {
			hash = hashOf("map", filters)
			opened = null
			canvas.fit()
		}
		renderPanel()
		const words = text(t.unplaced, {n: number(unplaced.length)})
		return unplaced.length > 0 && h("button", words, {click: () => open(unplaced, words)})
	}

	function renderPanel() {
		if (!opened) return fill(panel, tableOf(groupsOf(list, place).map(opener), [t.place, t.median], medians))
		const rows = h("ol")
		trail.ids = opened.ids
		fill(panel, h("div.line", h("h2", opened.name || t.unknown, {tabindex: -1}),
			h("button.close", "×", {label: t.close, click: () => open()})), rows,
		growing(rows, opened.ids.map(id => flats.get(id)), flatRow))
	}

	const opener = ([name, group]) => [h("button.link", name || t.unknown, {click: () => {
		canvas.fit(point => group.includes(point.flat))
		open(group)
	}}), group]

	// open shows some flats beside the map, or the places again.
	function open(group, name) {
		opened = group && {name: name ?? place(group[0]), ids: group.map(keyOf)}
		renderPanel()
		panel.querySelector("h2, button").focus()
	}

	Promise.all([places(signal), call("opendata/postal_codes", {signal})]).then(([areas, {data}]) => canvas.show({
		places: Object.values(areas).flatMap(Object.entries).map(([name, at]) => ({at, name})),
		codes: data.filter(({lat, lng}) => lat != null && lng != null)
			.map(({name, lat, lng}) => ({at: [lat, lng], name: name ?? ""}))}),
	() => {})
	const found = await showFound(root, route, signal, body, render)
	return {...found, keys: {...canvas.keys, Escape: [t.close, () => (opened ? open() : false)]}}
}

// whereOf returns a flat's own position, or that of its postal code.
const whereOf = flat => positionOf(flat) ?? flat.service_postal_code?.gps

// medians shows the median cost of a list, for each currency separately.
function medians(list) {
	const costs = groupsOf(list.filter(priceOf), currencyOf)
		.map(([currency, group]) => h("div", money(median(group.map(priceOf)), currency, 0)))
	return [costs.length > 0 ? costs : t.no_price]
}

const flatRow = flat => h("li", flatLink(flat), facts(flat), statusTag(flat))

// The map
//
// x and y are those of Web Mercator, from 0 to 1, to the east and to the south. left and top are pixels
// from the middle of what is in sight.

// pixels returns how many pixels a distance has at a latitude, given as y.
const pixels = (metres, y) => metres / 40_075_017 * Math.cosh((1 - 2 * y) * Math.PI) * view.scale
const distance = (one, other) => Math.hypot(one.left - other.left, one.top - other.top)
const middle = {left: 0, top: 0}

// meta returns what the service wrote into a meta element of index.html.
const meta = name => document.querySelector(`meta[name=flats-map-${name}]`).content

// project replaces a position at by x and y.
function project({at: [latitude, longitude], ...thing}) {
	const north = Math.asinh(Math.tan(latitude / 180 * Math.PI))
	return {...thing, x: longitude / 360 + 0.5, y: 0.5 - north / (2 * Math.PI)}
}

// makeCanvas makes the map. show gives it points (the flats), places and codes (postal codes), each
// {at: [latitude, longitude], name}, points with their flat; fit moves and zooms so that the wanted
// points are in sight; keys are its keys. A circle that is pressed calls open with its flats.
function makeCanvas(open) {
	const drawing = svg("svg", {role: "img", label: t.map})
	const tiles = h("div.tiles")
	const layer = h("div.layer", tiles, drawing)
	const surface = h("div.surface", layer, gestures(go))
	const rule = h("p.rule")
	const zoom = (label, factor) => [label, () => go(middle, middle, factor)]
	const pan = (left, top) => [t.move_map, () => element.matches(":focus") && go(middle, {left, top})]
	const keys = {0: [t.zoom_all, () => fit()], "+": zoom(t.zoom_in, 2), "-": zoom(t.zoom_out, 0.5),
		ArrowLeft: pan(80, 0), ArrowRight: pan(-80, 0), ArrowUp: pan(0, 80), ArrowDown: pan(0, -80)}
	const button = (key, sign) => h("button", sign, {label: keys[key][0], click: keys[key][1]})
	const element = h("div.canvas", {tabindex: 0, role: "group", label: t.map}, surface,
		h("div.zoom", button(0, "⤢"), button("+", "+"), button("-", "−")), rule,
		meta("credit") && h("p.credit", meta("credit")))
	const shown = {points: [], places: [], codes: []}
	let drawn = view

	function draw() {
		const {clientWidth: width, clientHeight: height} = surface
		if (width === 0) return // it is hidden, or the view was left
		drawn = view
		layer.style.transform = ""
		const [points, places, codes] = Object.values(shown).map(things => things
			.map(thing => ({...thing, left: (thing.x - view.x) * view.scale, top: (thing.y - view.y) * view.scale}))
			.filter(({left, top}) => Math.abs(left) < width && Math.abs(top) < height))
		const circles = gather(points)
		// Of more than 2,000 postal codes only every second, third, … is drawn.
		const others = codes.filter((_, i) => i % Math.ceil(codes.length / 2000) === 0)
		fill(drawing, svg("path", {class: "dots", d: others.map(({left, top}) => `M${left} ${top}h0`).join("")}),
			drawNames([...circles, ...others], [...places, ...circles]), places.map(drawPlace),
			circles.map(circle => drawCircle(circle, open)))
		const metres = rounded(120 / pixels(1, view.y))
		fill(rule, inKilometres(metres))
		rule.style.width = pixels(metres, view.y) + "px"
		drawTiles(tiles, width, height)
	}

	const drawLater = later(draw, 100)

	// Drawing takes longer than a frame. While the map moves, only the last drawing is moved and scaled;
	// it is drawn anew when the map rests.
	function move(x, y, scale) {
		view = {x, y, scale}
		const by = ["x", "y"].map(axis => (drawn[axis] - view[axis]) * scale + "px")
		layer.style.transform = `translate(${by}) scale(${scale / drawn.scale})`
		drawLater()
	}

	// go zooms by a factor, and moves what is at from to the place to. Both are {left, top}.
	function go(from, to, factor = 1) {
		const scale = Math.max(2 ** 10, Math.min(2 ** 26, view.scale * factor))
		move(view.x + from.left / view.scale - to.left / scale, view.y + from.top / view.scale - to.top / scale, scale)
	}

	function fit(wanted = () => true) {
		const points = shown.points.filter(wanted)
		if (points.length === 0) return
		const ends = axis => [0, 1].map(part => quantile(points.map(point => point[axis]), part))
		const [[left, right], [top, bottom]] = [ends("x"), ends("y")]
		const scales = [(surface.clientWidth - 80) / (right - left), (surface.clientHeight - 80) / (bottom - top)]
		view = {x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.min(...scales, 2 ** 23)}
		draw()
	}

	function show(what) {
		for (const name in what) shown[name] = what[name].map(project)
		draw()
	}

	new ResizeObserver(draw).observe(surface)
	return {element, keys, fit, show}
}

// gestures returns listeners that move the map by one finger, zoom it by two or by the wheel.
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
		// A press may tremble by up to 4 pixels. A finger that moves further is captured by the surface, so
		// that lifting it presses nothing.
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

// gather puts points that are close into one circle. A circle of several places has no name.
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

// drawCircle draws a circle in the colour of the most advanced status of its flats. A second, invisible
// one is large enough for a finger.
function drawCircle({left, top, radius, flats, name}, open) {
	const status = ["new", ...shortlisted].findLast(status => flats.some(flat => statusOf(flat) === status))
	return svg("g", {class: "circle", "data-status": status, transform: `translate(${left} ${top})`,
		click: () => open(flats, name || count(t.n_flats, flats.length))},
	svg("circle", {r: radius}), svg("text", number(flats.length)), svg("circle", {class: "reach", r: 22}))
}

// drawPlace draws a place of the search area, with rings of 1, 2 and 5 km unless they are too small or
// too large.
function drawPlace({left, top, y, name}) {
	const rings = [1, 2, 5].map(km => [km, pixels(km * 1000, y)]).filter(([, r]) => r > 20 && r < 5000)
	return svg("g", {class: "place", transform: `translate(${left} ${top})`},
		svg("path", {class: "marker", d: "M0 -7l7 7l-7 7l-7 -7z"}), svg("text", {class: "name", y: 18}, name),
		rings.map(([km, r]) => [svg("circle", {r}), svg("text", {class: "name", y: -r - 3}, `${km} km`)]))
}

// drawNames writes the names of things below them, and leaves out those that would hide a circle or
// another name.
function drawNames(things, others) {
	const boxes = others.map(({left, top, radius = 20}) => [left - radius, top - radius, left + radius, top + radius])
	return things.map(({left, top, radius = 5, name}) => {
		const half = name.length * 3.7
		const [from, over, to, under] = [left - half, top + radius + 2, left + half, top + radius + 14]
		if (boxes.some(([l, t, r, b]) => from < r && to > l && over < b && under > t)) return null
		boxes.push([from, over, to, under])
		return svg("text", {class: "name", x: left, y: under - 3}, name)
	})
}

// drawTiles puts the map's tiles below the drawing, if the config names a server of tiles. They are decoded
// synchronously, because the map would flash otherwise.
function drawTiles(element, width, height) {
	const source = meta("tiles")
	if (!source) return
	const z = Math.round(Math.log2(view.scale / 256))
	const across = 2 ** z
	const edge = view.scale / across
	const ends = (middle, size) => [Math.max(0, Math.floor(middle * across - size / 2 / edge)),
		Math.min(across, Math.ceil(middle * across + size / 2 / edge))]
	const [[west, east], [north, south]] = [ends(view.x, width), ends(view.y, height)]
	fill(element)
	for (let y = north; y < south; y++) for (let x = west; x < east; x++) element.append(h("img", {alt: "",
		draggable: "false", decoding: "sync", referrerpolicy: "strict-origin", src: text(source, {x, y, z}),
		error: ({target}) => { target.style.opacity = 0 }}))
	const at = [west - view.x * across, north - view.y * across].map(tiles => tiles * edge + "px")
	element.style = `transform: translate(${at}); grid: auto-flow ${edge}px / repeat(${east - west}, ${edge}px)`
}
