// Prices: costs by place, rooms and area of the flats that match the filters, how many flats came in each week, and
// changes of costs. Flats to rent and flats for sale stand apart. Flats of any status count, or only the shortlist. It
// exports show, as all views do (see app.js).

import {fill, h, svg, swap} from "../lib/dom.js"
import {costChange, costPerArea, currencyOf, placeOf, priceOf, shortlisted, statusOf} from "../lib/fields.js"
import {roaming} from "../lib/gestures.js"
import {kept} from "../lib/kept.js"
import {leap, leastForMedian, median, quantile, roundedDown, saleFrom} from "../lib/numbers.js"
import {marketOf} from "../lib/query.js"
import {flatHash} from "../lib/state.js"
import {flatLink} from "../parts/flats.js"
import {groupsOf, addInParts, legend, showFound, tableOf} from "../parts/found.js"
import {described} from "../words/flats.js"
import {count, instant, money, named, number, percent, perArea, shortDay, since, squareMetres, t,
	text} from "../words/format.js"

const digitWidth = 7 // pixels, about; other letters of labels count as much

// show fills root with a section for each currency and kind (kindsOf). The most frequent one is open.
export function show(root, route, signal) {
	const body = h("div")

	// render draws the flats, and returns the notes next to their number.
	function render(list, filters, go) {
		const priced = list.filter(priceOf)
		const currencies = groupsOf(priced, currencyOf)
		kept.trail.ids = []
		const width = root.clientWidth
		const markets = currencies.flatMap(([currency, all]) =>
			kindsOf(all).map(([kind, group]) => ({currency, kind, group})))
		const sections = markets.map(({currency, kind, group}, i) => {
			const market = h("section.market", scatter(group, currency, width), tables(group, currency))
			if (i === 0) return [kind && h("h2", kind), market] // the drawing and the heads name its currency
			const name = [currencies.length > 1 && (currency || t.unknown), kind].filter(Boolean).join(" · ")
			return h("details", h("summary", name, h("span.soft", " ", number(group.length))), market)
		})
		const half = width < 900 ? width : width / 2 - 12 // the width of a column of .halves (views.css)
		fill(body, sections, currencies.length > 1 && h("p.soft", t.currencies_separate),
			h("div.columns.halves", newPerWeek(list, half), costChanges(list)))
		const withoutCost = number(list.length - priced.length)
		return [h("label.line", mineSwitch(filters, go), t.only_mine),
			priced.length < list.length && h("span.soft", text(named(t.n_without, "cost"), {n: withoutCost}))]
	}

	const inList = filters => ({...filters, tab: filters.mine ? "shortlist" : "all"})
	const showsNone = ({mine}) => Boolean(mine)
	return showFound(root, route, signal, body, render, {queryFor: marketOf, inList, showsNone})
}

// kindsOf returns [[name, flats]], flats to rent and flats for sale, the more frequent kind first. If all costs are of
// one kind, the only name is "".
function kindsOf(list) {
	const from = saleFrom(list.map(priceOf))
	const kinds = groupsOf(list, flat => (priceOf(flat) < from ? t.to_rent : t.for_sale))
	return kinds.length > 1 ? kinds : [["", list]]
}

// mineSwitch makes the checkbox for the shortlist alone.
const mineSwitch = (filters, go) => h("input", {type: "checkbox", checked: Boolean(filters.mine),
	change: ({target}) => go({...filters, mine: target.checked ? "yes" : ""})})

// tables makes the tables by place and by rooms, with quartiles as a bar. The heads have the currency once, and on a
// phone the ends of the scale of the bars. Without any known area, there is no column for the cost per area.
function tables(list, currency) {
	const hasAreas = list.some(costPerArea)
	const roomsOrLast = flat => (flat.rooms > 0 ? flat.rooms : Infinity) // unknown numbers come last
	const roomsName = n => (n === Infinity ? "" : count(t.n_rooms, n)) // tableOf writes "unknown" for ""
	const rooms = [...Map.groupBy(list, roomsOrLast)].sort(([a], [b]) => a - b)
		.map(([n, group]) => [roomsName(n), group])
	const places = groupsOf(list, placeOf)
	const scale = scaleOf([...places, ...rooms].map(([, group]) => quartilesOf(group)).filter(Boolean))

	// heads makes new elements for each of the tables, because an element has only one place.
	function heads() {
		const all = [[t.quartiles, scale && endsOf(scale)], [t.median, currency].filter(Boolean).join(", ")]
		if (hasAreas) all.push(t.cost_per_area)
		return all
	}

	function cells(group) {
		const quartiles = quartilesOf(group)
		const all = [quartiles ? quartileBar(quartiles, scale) : tooFew(), medianCell(group.map(priceOf))]
		if (hasAreas) all.push(costPerAreaCell(group, quartiles))
		return all
	}

	const both = h("div.columns", tableOf(places, [t.place, ...heads()], cells),
		tableOf(rooms, [t.rooms, ...heads()], cells))
	// The bars begin at one place, after the widest number.
	if (scale) both.style.setProperty("--widest", number(scale[1], 0).length + "ch")
	return both
}

const tooFew = () => h("span.soft", t.too_few_prices)

// amount writes a positive number without decimals. It returns "" for any other value.
const amount = value => (value > 0 ? h("data", number(value, 0), {value}) : "")

// medianCell writes the median of numbers, or "" if they are too few.
const medianCell = numbers => (numbers.length >= leastForMedian ? amount(median(numbers)) : "")

// costPerAreaCell writes the median cost per area. If too few flats have an area, it says so; without quartiles, the
// cell for the bar has already said it.
function costPerAreaCell(group, quartiles) {
	const costsPerArea = group.map(costPerArea).filter(Boolean)
	return quartiles && costsPerArea.length < leastForMedian ? tooFew() : medianCell(costsPerArea)
}

// quartilesOf returns {low, middle, high}, the quartiles and the median of costs, or null if there are too few.
function quartilesOf(group) {
	const costs = group.map(priceOf)
	const [low, middle, high] = [0.25, 0.5, 0.75].map(part => quantile(costs, part))
	return costs.length >= leastForMedian ? {low, middle, high} : null
}

// scaleOf returns [least, most], the ends of a scale for the bars of many quartiles, or null if there are none.
function scaleOf(all) {
	if (all.length === 0) return null
	return [Math.min(...all.map(({low}) => low)), Math.max(...all.map(({high}) => high))]
}

// endsOf makes the ends of a scale for a head. The style sheet shows them on a phone.
const endsOf = ([least, most]) =>
	h("span.ends", {"aria-hidden": "true", data: {least: number(least, 0), most: number(most, 0)}})

// quartileBar draws a bar from the lower to the upper quartile, with a mark at the median, on a scale from least to
// most. The quartiles stand at its sides, on a phone for screen readers alone.
function quartileBar({low, middle, high}, [least, most]) {
	const narrowest = 2 // percent of the width of the drawing
	const percentAt = cost => (cost - least) / (most - least || 1) * (100 - narrowest)
	const width = Math.max(narrowest, percentAt(high) - percentAt(low))
	return h("span.spread", amount(low), h("span.sr", " – "), svg("svg", {class: "quartiles", "aria-hidden": "true"},
		svg("rect", {x: percentAt(low) + "%", y: 5, width: width + "%", height: 6, rx: 3}),
		svg("rect", {class: "tick", x: percentAt(middle) + "%", y: 2, width: 2, height: 12})), amount(high))
}

const frame = {top: 20, bottom: 324, labels: 340, height: 360} // pixels from above; labels are below the axis of areas

// scatter draws a dot for each flat, its area to the right and its cost upwards. Flats of the shortlist are coloured
// and on top. Flats beyond the axes are pale dots at their ends; with the option isWhole, the axes reach all flats. The
// arrow keys move from dot to dot, by area.
function scatter(priced, currency, width, {isWhole = false} = {}) {
	const isPursued = flat => shortlisted.includes(statusOf(flat))
	const list = priced.filter(({area}) => area > 0).sort((a, b) => isPursued(a) - isPursued(b) || a.area - b.area)
	if (list.length === 0)
		return h("p.soft", `${t.scatter}: ${text(named(t.n_without, "area"), {n: number(priced.length)})}`)
	const costs = list.map(({cost}) => cost)
	const areas = list.map(({area}) => area)
	const write = cost => money(cost, currency, 0)
	const up = axis(costs, frame.bottom, frame.top, {isWhole})
	const left = 16 + digitWidth * Math.max(...up.ticks.map(cost => write(cost).length)) // room for the costs
	const hasMedian = list.length >= leastForMedian
	const medianPerArea = hasMedian ? perArea(median(list.map(costPerArea)), currency) : ""
	// At the right there is room for half of the last area, or for the median.
	const right = width - Math.max(28, 12 + digitWidth * medianPerArea.length)
	const across = axis(areas, left, right, {isWhole})
	const isBeyond = flat => flat.area > across.end || flat.cost > up.end
	const beyond = list.filter(isBeyond).length
	const line = (d, attributes, words) => [svg("path", {class: "grid", d}), svg("text", attributes, words)]
	const first = list.find(isPursued) ?? list[0]
	const dot = flat => svg("a", {href: flatHash(flat.id), label: described(flat), tabindex: flat === first ? 0 : -1},
		svg("title", described(flat)), svg("circle", {cx: across.at(flat.area), cy: up.at(flat.cost),
			r: isPursued(flat) ? 6 : 4, "data-status": isPursued(flat) && statusOf(flat), class: isBeyond(flat) && "beyond"}))

	// openNearest opens the flat whose dot is nearest to a press. Dots react to presses around them, so another dot may
	// be on top. A key opens the focused dot.
	function openNearest(event) {
		const isByKey = event.detail === 0
		const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey
		if (!event.target.closest("a") || isByKey || opensElsewhere) return
		const {x, y} = new DOMPoint(event.clientX, event.clientY)
			.matrixTransform(event.currentTarget.getScreenCTM().inverse())
		const distance = ({area, cost}) => Math.hypot(across.at(area) - x, up.at(cost) - y)
		event.preventDefault()
		location.hash = flatHash(list.reduce((nearest, flat) => (distance(flat) <= distance(nearest) ? flat : nearest)).id)
	}

	const medians = hasMedian ? `, ${t.median} ${squareMetres(median(areas))}, ${write(median(costs))}` : ""
	const label = `${t.scatter}, ${count(t.n_flats, list.length)}${medians}`
	const medianParts = hasMedian && medianLine(list, medianPerArea, across, up)
	const showAll = () => swap(figure, scatter(priced, currency, width, {isWhole: true}))
	const withoutArea = number(priced.length - list.length)
	const asides = [
		beyond > 0 && [h("span.soft", count(t.n_beyond, beyond)), ": ", h("button.link", t.show, {click: showAll})],
		priced.length > list.length && h("span.soft", text(named(t.n_without, "area"), {n: withoutArea})),
	].filter(Boolean)
	const areaLine = area => line(`M${across.at(area)} ${frame.top}V${frame.bottom}`,
		{x: across.at(area), y: frame.labels}, squareMetres(area))
	const costLine = cost =>
		line(`M${left} ${up.at(cost)}H${right}`, {class: "side", x: left - 6, y: up.at(cost)}, write(cost))
	const figure = h("figure", h("figcaption", h("h2", t.scatter), legend(list.filter(isPursued)),
		asides.length > 0 && h("p.asides", asides.map((aside, i) => [i > 0 && " · ", aside]))),
		svg("svg", {class: "scatter", viewBox: `0 0 ${width} ${frame.height}`, role: "group", label, click: openNearest},
			roaming("a"), ticksWithRoom(across, squareMetres).map(areaLine), up.ticks.map(costLine),
			medianParts, list.map(dot)))
	return figure
}

// medianLine draws the line of flats whose cost per m² is the median, and words at its end, outside the axes, where
// they hide no dots. It returns null if the line is not within the axes.
function medianLine(list, words, across, up) {
	const perSquareMetre = median(list.map(costPerArea))
	const from = Math.max(across.start, up.start / perSquareMetre) // areas
	const to = Math.min(across.end, up.end / perSquareMetre)
	if (from >= to) return null
	const x = across.at(to)
	const y = up.at(to * perSquareMetre)
	const endsAtTop = to < across.end
	const attributes = endsAtTop ? {class: "side", x, y: y - 12} : {class: "after", x: x + 10, y}
	return [svg("path", {class: "median", d: `M${across.at(from)} ${up.at(from * perSquareMetre)}L${x} ${y}`}),
		svg("text", attributes, words)]
}

// axis returns an axis for numbers, {at, start, end, ticks}: at(n) places a number between from and to; start and end
// are the numbers at its ends; ticks has the numbers to write. An axis starts at the last tick before the least number.
// With isWhole it shows all numbers. Others end before the highest twentieth and before a leap (lib/numbers.js): higher
// numbers are drawn at the end, because a longer axis would squeeze the others into a corner.
function axis(numbers, from, to, {isWhole}) {
	const sorted = numbers.toSorted((a, b) => a - b)
	const usual = sorted.slice(0, Math.ceil(numbers.length * 0.95))
	const limit = leap(numbers)
	const most = isWhole ? sorted.at(-1) : usual.findLast(n => n < limit)
	const extent = most - sorted[0] || most // most itself if all numbers are equal
	const step = roundedDown(extent / 2.5) // two ticks or more
	const start = Math.floor(sorted[0] / step) * step
	const end = Math.max(most + (most - start) * 0.04, start + step) // 4 % longer, as room for the last dot
	const at = n => from + Math.min(1, (n - start) / (end - start)) * (to - from)
	const ticks = Array.from({length: Math.floor((end - start) / step) + 1}, (_, i) => start + i * step)
	return {at, start, end, ticks}
}

// ticksWithRoom returns the ticks of a horizontal axis whose labels have room next to each other.
function ticksWithRoom({at, ticks}, write) {
	const room = 12 + digitWidth * Math.max(...ticks.map(n => write(n).length)) // a label and the gap to the next one
	const every = ticks.length > 1 ? Math.ceil(room / (at(ticks[1]) - at(ticks[0]))) : 1
	return ticks.filter((_, i) => i % every === 0)
}

// newPerWeek shows how many flats were first seen in each week, for up to 26 weeks that end with that of the
// newest flat.
function newPerWeek(list, width) {
	const numbers = Map.groupBy(list, flat => mondayOf(instant(flat.first_seen ?? flat.date)))
	const mondays = [...numbers.keys()].filter(monday => monday <= Date.now())
	const first = Math.min(...mondays)
	const last = Math.max(...mondays)
	const weeks = []
	for (let monday = last; monday >= first && weeks.length < 26; monday = mondayOf(monday - 1)) {
		const n = numbers.get(monday)?.length ?? 0
		weeks.unshift([monday, n])
	}
	return weeks.length > 0 && h("section", h("h2", t.weekly), bars(weeks, width))
}

// mondayOf returns the local midnight at which the week of a time began.
function mondayOf(at) {
	const day = new Date(at ?? NaN)
	return new Date(day.getFullYear(), day.getMonth(), day.getDate() - (day.getDay() + 6) % 7).getTime()
}

// bars draws a bar for each week.
function bars(weeks, width) {
	const most = Math.max(...weeks.map(([, n]) => n))
	const foot = 150 // pixels from above to the foot of the bars
	const highest = 120 // pixels, the height of the highest bar
	const dateWidth = 48 // pixels; a date is centred below its bar
	const weekWidth = Math.min(28, (width - dateWidth) / weeks.length) // of a bar with a pixel at each side
	const every = Math.ceil((dateWidth + 8) / weekWidth) // one bar in so many has a date, or dates would overlap
	const bar = ([monday, n], i) => {
		const x = dateWidth / 2 + i * weekWidth // the middle of the bar
		const top = foot - n / most * highest
		const hasRoom = weekWidth >= 16 // for its number
		return [svg("rect", {x: x - weekWidth / 2 + 1, y: top, width: weekWidth - 2, height: foot - top}),
			n > 0 && hasRoom && svg("text", {x, y: top - 6}, number(n)),
			i % every === 0 && svg("text", {x, y: foot + 18}, shortDay(monday))]
	}
	const words = weeks.map(([monday, n]) => `${shortDay(monday)} ${number(n)}`).join(", ")
	return svg("svg", {class: "bars", viewBox: `0 0 ${width} 176`, role: "img", label: `${t.weekly}: ${words}`},
		weeks.map(bar))
}

// changeInWords writes a change as a percentage, or as an amount if it is below half a percent, which would be written
// as 0 %.
const changeInWords = (by, from, currency) =>
	(Math.abs(by / from) < 0.005 ? money(Math.abs(by), currency) : percent(Math.abs(by / from)))

// costChanges lists the flats whose cost has changed, the latest change first.
function costChanges(list) {
	const changed = list.map(flat => ({flat, ...costChange(flat)})).filter(({by}) => by)
		.sort((a, b) => (instant(b.date) ?? 0) - (instant(a.date) ?? 0))
	const rows = h("ol.changes")
	const row = ({flat, from, to, by, date}) => h("li", flatLink(flat), " ",
		h("b", `${money(from, flat.currency)} → ${money(to, flat.currency)}`), " ",
		h("span.tag", (by < 0 ? "−" : "+") + changeInWords(by, from, flat.currency)), " ", h("span.soft", since(date)))
	return changed.length > 0 && h("section", h("h2", t.changes), rows, addInParts(rows, changed, row))
}
