// Charts: dots by two numbers, and bars by week.

import {h, svg} from "./dom.js"
import {number, shortDay} from "./format.js"
import {quantile} from "./stats.js"

const [right, top, bottom] = [12, 12, 36] // the margins; that on the left is as wide as what stands in it

/** dots is one line of points: there may be thousands. */
export const dots = points =>
	svg("path", {class: "dots", d: points.map(({left, top}) => `M${left.toFixed(1)} ${top.toFixed(1)}h0`).join("")})

/**
 * scatter draws points {x, y, status}, where a status makes one stand out; write
 * has the writers of the axes. point is called with the one that is pointed at or
 * undefined, open with one that is pressed. It gives the chart and how many points
 * lie beyond its edge: a few far away would press all others into a corner.
 */
export function scatter(points, {width, label, write, point, open}) {
	const height = Math.min(420, Math.max(260, width / 2))
	const most = {x: edge(points.map(({x}) => x)), y: edge(points.map(({y}) => y))}
	const start = 16 + 7 * Math.max(...ticks(most.y).map(y => write.y(y).length))
	const across = x => start + x / most.x * (width - start - right)
	const up = y => height - bottom - y / most.y * (height - top - bottom)
	const placed = points.filter(({x, y}) => x <= most.x && y <= most.y).sort((a, b) => a.x - b.x || a.y - b.y)
		.map(point => ({...point, left: across(point.x), top: up(point.y)}))
	const ring = svg("circle", {class: "ring", r: 8, cx: -20})
	const drawing = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", label},
		ticks(most.x).map(x => [svg("path", {class: "grid", d: `M${across(x)} ${top}V${height - bottom}`}),
			svg("text", {x: across(x), y: height - bottom + 16}, write.x(x))]),
		ticks(most.y).map(y => [svg("path", {class: "grid", d: `M${start} ${up(y)}H${width - right}`}),
			svg("text", {class: "side", x: start - 6, y: up(y)}, write.y(y))]),
		dots(placed.filter(({status}) => !status)),
		placed.filter(({status}) => status).map(({left, top, status}) =>
			svg("circle", {class: "dot", cx: left, cy: top, r: 5, "data-status": status})), ring)

	let at = -1 // the index of the point that is pointed at
	function pointAt(index) {
		at = index
		ring.setAttribute("cx", placed[at]?.left ?? -20)
		ring.setAttribute("cy", placed[at]?.top ?? 0)
		point(placed[at])
	}

	function follow({clientX, clientY}) {
		const box = drawing.getBoundingClientRect()
		const [x, y] = [(clientX - box.left) * width / box.width, (clientY - box.top) * height / box.height]
		const far = placed.map(({left, top}) => Math.hypot(left - x, top - y))
		const least = far.reduce((a, b) => Math.min(a, b), 24)
		pointAt(far.indexOf(least))
	}

	const press = () => placed[at] && open(placed[at])
	const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1}
	const keydown = event => {
		if (event.key === "Enter") press()
		if (!steps[event.key]) return
		event.preventDefault()
		pointAt(Math.max(0, Math.min(placed.length - 1, at + steps[event.key])))
	}
	const click = event => {
		follow(event)
		press()
	}
	const element = h("div.scatter", {tabindex: 0, role: "group", label, pointermove: follow, click, keydown}, drawing)
	return {element, beyond: points.length - placed.length}
}

// edge is the end of an axis: all, or what all but one in a hundred need.
function edge(numbers) {
	const sorted = numbers.toSorted((a, b) => a - b)
	return Math.min(sorted.at(-1), quantile(sorted, 0.99) * 1.25) * 1.02
}

// ticks are round numbers from 0 to some end, about five.
function ticks(end) {
	const tens = 10 ** Math.floor(Math.log10(end / 4))
	const step = tens * [1, 2, 5, 10].find(n => n * tens >= end / 5)
	return Array.from({length: Math.floor(end / step) + 1}, (_, i) => i * step)
}

/** bars draws numbers by week: [the time of its Monday, the number]. */
export function bars(weeks, {width, label}) {
	const height = 180
	const most = Math.max(...weeks.map(([, n]) => n))
	const each = Math.min(48, (width - 24) / weeks.length)
	const tall = n => n / most * (height - 56)
	const named = Math.ceil(56 / each) // every how many bars have room for a day
	const bar = ([monday, n], i) => {
		const x = 12 + i * each
		return [svg("rect", {x: x + 1, y: height - 28 - tall(n), width: each - 2, height: tall(n)}),
			n > 0 && each >= 16 && svg("text", {x: x + each / 2, y: height - 34 - tall(n)}, number(n)),
			i % named === 0 && svg("text", {x: x + each / 2, y: height - 10}, shortDay(monday))]
	}
	return svg("svg", {class: "bars", viewBox: `0 0 ${width} ${height}`, role: "img", label}, weeks.map(bar))
}
