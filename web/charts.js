// Charts: dots by two numbers, and bars by week.

import {svg} from "./dom.js"
import {number, quantile, shortDay} from "./format.js"

/**
 * scatter draws points {x, y, status, href, words}, links with a status that makes
 * one stand out; write has the writers of the axes.
 */
export function scatter(points, {width, label, write}) {
	const [height, right, top, bottom] = [360, 12, 12, 324]
	const end = {x: endOf(points.map(({x}) => x)), y: endOf(points.map(({y}) => y))}
	const left = 16 + 7 * Math.max(...ticks(end.y).map(y => write.y(y).length))
	// What lies beyond an axis stands at its end.
	const across = x => left + Math.min(1, x / end.x) * (width - left - right)
	const up = y => bottom - Math.min(1, y / end.y) * (bottom - top)
	const line = (d, attributes, words) => [svg("path", {class: "grid", d}), svg("text", attributes, words)]
	// Thousands are too many to step through; the tables and the list have them, too.
	const dot = ({x, y, status, href, words}) => svg("a", {href, label: words, tabindex: status ? 0 : -1},
		svg("title", {}, words), svg("circle", {cx: across(x), cy: up(y), r: status ? 5 : 3, "data-status": status}))
	return svg("svg", {class: "scatter", viewBox: `0 0 ${width} ${height}`, role: "group", label},
		ticks(end.x).map(x => line(`M${across(x)} ${top}V${bottom}`, {x: across(x), y: bottom + 16}, write.x(x))),
		ticks(end.y).map(y => line(`M${left} ${up(y)}H${width - right}`, {class: "side", x: left - 6, y: up(y)}, write.y(y))),
		points.filter(({status}) => !status).map(dot), points.filter(({status}) => status).map(dot))
}

// The end of an axis is what all but one in a hundred need: a few far away would
// press all others into a corner.
const endOf = numbers => quantile(numbers.toSorted((a, b) => a - b), 0.99) * 1.1

// ticks are round numbers from 0 to some end, about five.
function ticks(end) {
	const tens = 10 ** Math.floor(Math.log10(end / 4))
	const step = tens * [1, 2, 5, 10].find(n => n * tens >= end / 5)
	return Array.from({length: Math.floor(end / step) + 1}, (_, i) => i * step)
}

/** bars draws numbers by week: [the time of its Monday, the number]. */
export function bars(weeks, {width, label}) {
	const most = Math.max(...weeks.map(([, n]) => n))
	const each = Math.min(48, width / weeks.length)
	const named = Math.ceil(56 / each) // every how many bars have room for a day
	const bar = ([monday, n], i) => {
		const [x, tall] = [i * each, n / most * 120]
		return [svg("rect", {x: x + 1, y: 150 - tall, width: each - 2, height: tall}),
			n > 0 && each >= 16 && svg("text", {x: x + each / 2, y: 144 - tall}, number(n)),
			i % named === 0 && svg("text", {x: x + each / 2, y: 168}, shortDay(monday))]
	}
	const words = weeks.map(([monday, n]) => `${shortDay(monday)} ${number(n)}`).join(", ")
	return svg("svg", {class: "bars", viewBox: `0 0 ${width} 176`, role: "img", label: `${label}: ${words}`},
		weeks.map(bar))
}
