// The ground of a map: tiles, or a plain grid. Tiles come from the address in the config, or else from OpenStreetMap if
// the user wants them. groundChoice lets the user choose, drawTiles and drawGrid draw, credit names the source.

import {fill, h, outward, svg} from "../lib/dom.js"
import {store, stored} from "../lib/storage.js"
import {t, text} from "../words/format.js"

const openStreetMap = "https://tile.openstreetmap.org/{z}/{x}/{y}.png"
const streetsKey = "flats.streets" // in storage: whether the user wants OpenStreetMap's tiles

// meta returns a value that the service writes into index.html.
const meta = name => document.querySelector(`meta[name=flats-map-${name}]`).content

// tilesAddress returns the pattern of the tiles' addresses, or "" for the plain ground.
const tilesAddress = () => meta("tiles") || (stored(streetsKey) ? openStreetMap : "")

// credit names where the tiles come from.
export const credit = () => h("p.credit", meta("tiles") ? meta("credit")
	: tilesAddress() && outward("https://www.openstreetmap.org/copyright", t.osm_credit))

// groundChoice makes {button, question} for the choice of the ground, or {} if the config sets tiles. OpenStreetMap's
// servers see who looks at which part of the map, so its tiles are used only after a question. This browser stores the
// answer. The question shows at once if asks is true and there is no answer yet, otherwise when the button is pressed.
// groundChoice calls changed() after a new answer.
export function groundChoice(asks, changed) {
	if (meta("tiles")) return {}
	const answer = () => stored(streetsKey) // true, false, or null

	function set(isOn) {
		const hadFocus = question.contains(document.activeElement)
		store(streetsKey, isOn)
		show()
		changed()
		if (hadFocus) button.focus()
	}

	function show() {
		button.ariaPressed = answer() === true
		question.hidden = answer() != null || !asks
	}

	function choose() {
		if (answer() != null) return set(!answer())
		question.hidden = false
		question.querySelector("button").focus()
	}

	const choice = (name, example, {isOn}) => h("button", {click: () => set(isOn)}, example, h("b", name))
	const question = h("div.looks", {role: "group", label: t.which_ground}, h("p", t.which_ground),
		choice(t.streets, streetsPicture(), {isOn: true}), choice(t.plain, plainPicture(), {isOn: false}),
		h("small", t.streets, ": ", t.streets_how))
	const button = h("button", t.streets, {click: choose})
	show()
	return {button, question}
}

// picture draws paths, [[class, d]].
const picture = (...parts) => svg("svg", {viewBox: "0 0 120 60", preserveAspectRatio: "xMidYMid slice",
	"aria-hidden": "true"}, parts.map(([name, d]) => svg("path", {class: name, d})))

// streetsPicture draws an example of streets: a river, a park and roads.
const streetsPicture = () => picture(["land", "M0 0h120v60H0z"], ["park", "M66 6h34v20l-18 8-16-6z"],
	["river", "M-4 50C30 36 40 62 70 48S112 44 124 30"],
	["road", "M-4 22 60 12 124 34M28 -4 44 64M60 -4v40l26 28M104 -4 98 64M-4 38l52 -8 50 -2"],
	["mark", "M34 29h14M76 45h14"])

// plainPicture draws an example of the plain ground.
const plainPicture = () => picture(["blank", "M0 0h120v60H0z"],
	["lines", "M0 12h120M0 30h120M0 48h120M15 0v60M35 0v60M55 0v60M75 0v60M95 0v60M115 0v60"],
	["mark", "M34 29h14M76 45h14"])

// drawTiles fills an element with the tiles of a window (lib/world.js), or empties it if no tiles are used.
export function drawTiles(element, world, width, height) {
	const source = tilesAddress()
	fill(element)
	element.classList.toggle("streets", source === openStreetMap)
	if (!source) return
	const z = Math.round(Math.log2(world.scale / 256)) // the zoom at which tiles of 256 pixels are scaled least
	const across = 2 ** z // tiles across the world
	const side = world.scale / across // of a tile, in pixels
	// ends returns the first tile of an axis, and the one after the last.
	const ends = (middle, size) => [
		Math.max(0, Math.floor(middle * across - size / 2 / side)),
		Math.min(across, Math.ceil(middle * across + size / 2 / side)),
	]
	const [[west, east], [north, south]] = [ends(world.x, width), ends(world.y, height)]
	for (let y = north; y < south; y++)
		for (let x = west; x < east; x++) element.append(tile(text(source, {x, y, z})))
	// The first tile's corner, from the middle of the map.
	const at = [west - world.x * across, north - world.y * across].map(tiles => tiles * side + "px")
	element.style = `transform: translate(${at}); grid: auto-flow ${side}px / repeat(${east - west}, ${side}px)`
}

// drawGrid draws the grid of the plain ground, or returns null if tiles are used. When the map moves, the lines stay at
// their places on it. The grid is twice as wide and high as the map, which may move before it is drawn again.
export function drawGrid({x, y, scale}, width, height) {
	if (tilesAddress()) return null
	const side = scale / 2 ** Math.round(Math.log2(scale / 64)) // about 64 pixels
	// lines draws the lines of one axis. middle is the map's middle on this axis, size the map's width or height.
	const lines = (middle, size, draw) => {
		const first = -size - (middle * scale - size) % side // in pixels from the middle of the map
		const sharp = pixel => Math.round(pixel) + 0.5 // a line of one pixel covers one row of pixels
		return Array.from({length: Math.ceil(2 * size / side) + 1}, (_, i) => draw(sharp(first + i * side)))
	}
	return svg("path", {class: "grid", d: [...lines(x, width, left => `M${left} ${-height}v${2 * height}`),
		...lines(y, height, top => `M${-width} ${top}h${2 * width}`)].join("")})
}

// tile makes the image of a tile, invisible if it does not load. It is decoded synchronously, because the map would
// flash.
const tile = src => h("img", {alt: "", draggable: "false", decoding: "sync", referrerpolicy: "strict-origin", src,
	error: ({target}) => { target.style.opacity = 0 }})
