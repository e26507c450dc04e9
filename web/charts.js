// Charts: dots by two numbers, and bars by week.

import {h, svg} from "./dom.js"
import {number, shortDay} from "./format.js"
import {quantile} from "./stats.js"

const [right, top, bottom] = [12, 12, 36] // the margins; that on the left is as wide as what stands in it

/**
 * scatter draws dots {x, y, status}, where a status makes a dot stand out. axes
 * are {x: {name, write}, y: …}. point is called with the dot that is pointed at or
 * null, open with one that is pressed. It gives the chart and how many dots lie
 * beyond its edge: a few far away would press all others into a corner.
 */
export function scatter(dots, {width, height, label, axes, point, open}) {
	const most = {x: edge(dots.map(({x}) => x)), y: edge(dots.map(({y}) => y))}
	const left = 16 + 7 * Math.max(...ticks(most.y).map(y => axes.y.write(y).length))
	const inside = dots.filter(({x, y}) => x <= most.x && y <= most.y).sort((a, b) => a.x - b.x || a.y - b.y)
	const across = x => left + x / most.x * (width - left - right)
	const up = y => height - bottom - y / most.y * (height - top - bottom)
	const placed = inside.map(dot => ({...dot, left: across(dot.x), top: up(dot.y)}))
	const plain = placed.filter(({status}) => !status)
	const ring = svg("circle", {class: "ring", r: 8, visibility: "hidden"})
	const drawing = svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", label},
		ticks(most.x).map(x => [svg("path", {class: "grid", d: `M${across(x)} ${top}V${height - bottom}`}),
			svg("text", {x: across(x), y: height - bottom + 16}, axes.x.write(x))]),
		ticks(most.y).map(y => [svg("path", {class: "grid", d: `M${left} ${up(y)}H${width - right}`}),
			svg("text", {class: "side", x: left - 6, y: up(y)}, axes.y.write(y))]),
		svg("path", {class: "dots", d: plain.map(dot => `M${dot.left.toFixed(1)} ${dot.top.toFixed(1)}h0`).join("")}),
		placed.filter(({status}) => status).map(dot =>
			svg("circle", {class: "dot", cx: dot.left, cy: dot.top, r: 5, "data-status": dot.status})), ring)

	let at = -1 // the dot that is pointed at
	function pointAt(index) {
		at = index
		const dot = placed[at]
		ring.setAttribute("visibility", dot ? "visible" : "hidden")
		if (dot) for (const [name, value] of [["cx", dot.left], ["cy", dot.top]]) ring.setAttribute(name, value)
		point(dot ?? null)
	}

	function nearest({clientX, clientY}) {
		const box = drawing.getBoundingClientRect()
		const [x, y] = [(clientX - box.left) * width / box.width, (clientY - box.top) * height / box.height]
		let [found, least] = [-1, 24]
		placed.forEach((dot, i) => {
			const distance = Math.hypot(dot.left - x, dot.top - y)
			if (distance < least) [found, least] = [i, distance]
		})
		return found
	}

	const steps = {ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1}
	const element = h("div.scatter", {tabindex: 0, role: "group", label}, drawing, {
		pointermove: event => pointAt(nearest(event)),
		click: event => pointAt(nearest(event)) ?? (placed[at] && open(placed[at])),
		keydown: event => {
			if (event.key === "Enter" && placed[at]) open(placed[at])
			if (!steps[event.key]) return
			event.preventDefault()
			pointAt(Math.max(0, Math.min(placed.length - 1, at + steps[event.key])))
		},
	})
	return {element, beyond: dots.length - inside.length}
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
export function bars(weeks, {width, height, label}) {
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
