// Positions on a map, in Web Mercator: x and y go from 0 to 1, to the east and to the south.
//
// A window, called world, is {x, y, scale}: the position in the middle of the map, and the width of the whole world in
// pixels. left and top are pixels from the middle of the map.

import {quantile} from "./numbers.js"

const leastScale = 2 ** 8 // the whole world in 256 pixels
const mostScale = 2 ** 26 // 0.6 m in a pixel at the equator

// project replaces the member at of a thing, [latitude, longitude], by x and y.
export function project({at: [north, east], ...thing}) {
	const radians = Math.asinh(Math.tan(north / 180 * Math.PI))
	return {...thing, x: east / 360 + 0.5, y: 0.5 - radians / (2 * Math.PI)}
}

// latitude returns the latitude for y.
export const latitude = y => Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / Math.PI * 180

// zoomed returns a window zoomed by a factor, so that the point at from, {left, top}, comes to the point to.
export function zoomed(world, from, to, factor) {
	const scale = Math.max(leastScale, Math.min(mostScale, world.scale * factor))
	const x = world.x + from.left / world.scale - to.left / scale
	const y = world.y + from.top / world.scale - to.top / scale
	return {x, y, scale}
}

// fitted returns the window that shows all points on a map with a width and height in pixels. most is its largest
// scale, which a single point has: by default 5 m in a pixel.
export function fitted(points, width, height, most = 2 ** 23) {
	const ends = axis => [0, 1].map(part => quantile(points.map(point => point[axis]), part)) // the least and the most
	const [[left, right], [top, bottom]] = [ends("x"), ends("y")]
	const scale = Math.min(width / (right - left), height / (bottom - top), most)
	return {x: (left + right) / 2, y: (top + bottom) / 2, scale: Math.max(leastScale, scale)}
}

// inWindow adds left and top, in pixels, to a thing with x and y.
export const inWindow = (world, thing) =>
	({...thing, left: (thing.x - world.x) * world.scale, top: (thing.y - world.y) * world.scale})

const equator = 40_075_017 // metres around the Earth

// pixels returns the length in pixels of a distance in metres, at the latitude of y. The map stretches lengths away
// from the equator, by cosh.
export const pixels = (world, metres, y = world.y) =>
	metres / equator * Math.cosh((1 - 2 * y) * Math.PI) * world.scale
