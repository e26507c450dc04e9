// How the list draws its flats: as rows of a table, as cards on a phone, as rows on paper.
//
// makeHolder makes the table or the list of cards, with a function for their rows, makePaper the list on paper, cityOf
// what stands above all rows.
// setStatusTimes says since when flats have their status. wide tells whether the screen has room for the table.

import {fill, h} from "../lib/dom.js"
import {keyOf, photoURLs, placeOf, shortDetails, statusOf, travelTimes} from "../lib/fields.js"
import {kept} from "../lib/kept.js"
import {exceeded, limitedWays} from "../lib/limits.js"
import {travellers, wayOf} from "../lib/people.js"
import {describeView} from "../words/filters.js"
import {apartRatings, cost, costPerAreaInWords, detailInWords, detailName, fieldInWords, monthlyInWords, sinceOf,
	siteName, stepInWords, title} from "../words/flats.js"
import {count, day, dayAndTime, daysFromToday, instant, minutes, number, sinceWhen, squareMetres, statusName, t, text}
	from "../words/format.js"
import {marked} from "../words/marks.js"
import {compareButton, followButton, statusButton} from "./decide.js"
import {byWhom, firstPhoto, flatLink, news, overInWords, seenAgo, travel} from "./flats.js"
import {icon} from "./icons.js"
import {isUnseen} from "./seen.js"

// wide matches if there is room for the table.
export const wide = matchMedia("(min-width: 900px)")

// The columns. Clicking a head sorts by order, or by name if there is no order; a column with an empty order cannot be
// sorted by, and is omitted on paper.
const columns = [
	{name: "picture", label: t.photos, order: "", cell: firstPhoto},
	{name: "title", cell: (flat, matches, double) => [
		heading(flat, matches), h("p.about", decisionOf(flat).map((part, i) => [part, i === 0 && byWhom(flat), " · "]),
			aboutIt(flat)), h("p.tags", tags(flat, double))]},
	{name: "cost", cell: costCell},
	{name: "cost_per_area", cell: costPerAreaInWords},
	{name: "area", order: "-area", cell: ({area}) => area > 0 && squareMetres(area)},
	{name: "rooms", order: "-rooms", cell: ({rooms}) => rooms > 0 && number(rooms)},
	...travellers.length > 0
		? travellers.map((person, i) => ({name: "way_" + i, label: person, order: "travel." + person, cell: wayCell(i)}))
		: [{name: "travel_time", cell: travelCell}],
	{name: "since", order: "-first_seen", cell: flat => seenAgo(flat, "time.brief")},
	{name: "actions", order: "", cell: actions},
]
const onPaper = columns.filter(({order}) => order !== "")
	.map(column => (column.name === "since" ? {...column, cell: sinceOf} : column)) // paper does not grow old

// heading makes the title. That of a flat that the user has not seen yet is bold.
const heading = (flat, matches) =>
	h("h2", {"data-unseen": isUnseen(flat) && "true"}, flatLink(flat, marked(title(flat), "title", matches)))

// details writes the first three short details.
const details = flat => shortDetails(flat).slice(0, 3)
	.map(([name, value]) => `${detailName(name)} ${detailInWords(name, value, flat)}`)

// aboutIt writes the place, the site, and details.
const aboutIt = flat => [nearPlace(flat), siteName(flat), ...details(flat)].filter(Boolean).join(" · ")

// cityOf returns what most of the places of some flats begin with: "München ", "Berlin-". It stands above the rows, and
// not in each.
export function cityOf(list) {
	const places = list.map(placeOf).filter(Boolean)
	const cities = places.map(place => /^\p{L}[\p{L}.'’]+[ -](?=[\p{L}\d])/u.exec(place)?.[0]).filter(Boolean)
	const [[city, {length}] = ["", []]] = [...Map.groupBy(cities, city => city)]
		.sort(([, a], [, b]) => b.length - a.length)
	return places.length >= 3 && length >= 0.8 * places.length ? city : ""
}

// withoutCity returns the name of a place without what cityOf returned.
export const withoutCity = (place, city) => (city && place.startsWith(city) ? place.slice(city.length) : place)

// nearPlace writes the place of a flat without what stands above all rows.
const nearPlace = flat => withoutCity(placeOf(flat), kept.list.city)

// tags says what has changed.
const tags = (flat, double) => [apart(flat), news(flat), double && h("span.tag", t.maybe_duplicate)]

// apart marks a flat of which two people think differently.
const apart = flat => apartRatings(flat) && h("span.tag.apart", h("span.sr", t.apart, ": "), apartRatings(flat),
	{title: t.apart})

// decisionOf makes the parts of what was decided: the status, except for "new", which a flat has until then, the next
// step, the visit, and the rating.
const decisionOf = flat => [
	statusOf(flat) !== "new" && h("span.status", statusName(statusOf(flat)), contactedFor(flat),
		{"data-status": statusOf(flat)}),
	stepOf(flat, "span.step"),
	visitOf(flat, "span.visit"),
	flat.notation != null && h("span.rating", fieldInWords("notation", flat)),
].filter(Boolean)

const visitOf = ({visit_date: visit}, spec) => visit && h(spec, dayAndTime(visit).replace(/(?<!,) /g, "\u00a0"))

// costCell shows the cost, and beneath it what a month costs in all if that is more.
function costCell(flat) {
	const inAll = monthlyInWords(flat, true)
	return [cost(flat), inAll && [" ", h("small", inAll)]]
}

// stepOf shows the next step and when it is due.
const stepOf = (flat, spec) => flat.next_step && h(spec, stepInWords(flat),
	{"data-due": isOverdue(flat) && "over", title: stepInWords(flat)})

const isOverdue = ({next_date: date}) => date != null && daysFromToday(instant(date)) < 0

// card makes the parts of a card: the photo; the title, the three facts, where it is with the ways and the age, and
// what was decided or has changed; and the buttons.
function card(flat, matches, double, to) {
	const {rooms} = flat
	const facts = [h("span.cost", cost(flat)), flat.area > 0 && h("span.area", squareMetres(flat.area)),
		rooms > 0 && h("span.rooms", count(t.n_rooms, rooms))].filter(Boolean)
	const age = seenAgo(flat)
	const hasHour = part => part === age && /\d:\d/.test(age.textContent)
	const where = [nearPlace(flat), waysIn(flat, to), age].filter(Boolean)
		.map((part, i) => h(hasHour(part) ? "span.hour" : "span", i > 0 && "\u00a0·\u00a0", part))
	const dotted = parts => parts.flatMap((part, i) => (i > 0 ? [" · ", part] : [part]))
	const more = [decisionOf(flat), tags(flat, double), statusOf(flat) !== "new" && byWhom(flat)].flat(3).filter(Boolean)
	return [
		h("div.picture", firstPhoto(flat)),
		h("div.words", heading(flat, matches), h("p.known", dotted(facts)), h("p.about", where),
			more.length > 0 && h("p.tags", more)),
		h("div.actions", actions(flat)),
	]
}

// waysIn shows the minutes of the ways of a card: "13 / 69 min", or that to a place, if one was chosen.
function waysIn(flat, to) {
	const ways = limitedWays(flat, to)
	if (ways.length < 2) return ways.length === 1 && travel(...ways[0].slice(1))
	const isRough = ways.some(([, , entry]) => /street|postal_code|place/.test(entry?.estimated?.precision))
	const names = ways.map(([name, seconds, , limit]) =>
		[`${name} ${minutes(seconds)}`, limit && ` (${overInWords(limit)})`].filter(Boolean).join("")).join(", ")
	const all = ways.map(([, seconds, , limit], i) =>
		[i > 0 && " / ", h("span", number(seconds / 60, 0), limit && {"data-over": "true"})])
	return h("span.duration", h("span", {"aria-hidden": "true"}, isRough && "≈ ", all, "\u00a0min"),
		h("span.sr", names), {title: names})
}

// setStatusTimes keeps when flats got their status, from rows with status_since.
export function setStatusTimes(rows) {
	for (const row of rows) kept.statusTimes.set(keyOf(row), row.status_since)
}

// contactedFor writes for how many days a flat has been contacted, if at least one.
function contactedFor(flat) {
	const at = statusOf(flat) === "contacted" && instant(kept.statusTimes.get(keyOf(flat)))
	const days = at ? Math.floor((Date.now() - at) / (24 * 3_600_000)) : 0
	return days > 0 && " ·\u00a0" + count(t.for_days, days).replace(" ", "\u00a0")
}

// travelCell shows the time to a place or, if none is given, to the nearest one.
function travelCell(flat, matches, double, to) {
	const [nearest] = travelTimes(flat).filter(([name]) => !to || name === to).sort(([, a], [, b]) => a - b)
	if (!nearest) return null
	const [name, seconds, entry] = nearest
	return [travel(seconds, entry, exceeded(flat, nearest)), " ", h("small", name)]
}

// wayCell returns the function that shows how long one of the people travels to the nearest of their places. The
// longest of a flat stands out.
function wayCell(i) {
	return flat => {
		const ways = travellers.map(person => wayOf(flat, person)?.[1])
		if (ways[i] == null) return null
		const way = wayOf(flat, travellers[i])
		const [, seconds, entry] = way
		const isLongest = ways.every(other => other == null || other <= seconds)
		return h("span", travel(seconds, entry, exceeded(flat, way, travellers[i])), {"data-longest": isLongest && "true"})
	}
}

// actions makes the buttons: icons, with their words as tooltips, which name their flat to screen readers.
function actions(flat) {
	const id = keyOf(flat)

	function withIcon(button, name) {
		button.ariaLabel = `${button.title}: ${title(flat)}`
		fill(button, icon(name))
		return button
	}

	const follow = followButton(id)
	return [
		follow && withIcon(follow, "follow"),
		withIcon(statusButton(id, "ignored"), "dismiss"),
		withIcon(compareButton(id), "compare"),
	]
}

const head = (columns, content) => h("thead", h("tr", columns.map(content)))
const cells = (tag, columns, ...given) => columns.map(({name, cell}) => h(`${tag}.${name}`, cell(...given)))

// makeHolder makes the empty table in an order, with heads that call sortBy with another one, or the list of cards.
// It returns {holder, makeRow}: makeRow makes the row or card of a flat, and room for it in the table. matches comes
// from matcher (marks.js), for the marks in the title; double says whether the flat may be a duplicate; to is the place
// of the travel time, if one was chosen.
export function makeHolder(sort, sortBy) {
	const holder = wide.matches ? makeTable(sort, sortBy) : h("ol.rows", {data: {sort}, click: passOn})
	const makeRoom = wide.matches ? roomIn(holder) : () => {}

	function makeRow(flat, ...given) {
		const data = {id: keyOf(flat), status: statusOf(flat)}
		if (!wide.matches) {
			if (photoURLs(flat).length > 0) holder.classList.add("pictured")
			return h("li.row", {data}, card(flat, ...given))
		}
		const element = h("tr.row", {data}, cells("td", columns, flat, ...given))
		makeRoom(element)
		return element
	}

	return {holder, makeRow}
}

// makeLine makes the line above what came since a time, or a plain one below it, for the table or the list of cards.
export function makeLine(time) {
	const words = time && h("span", text(t.new_since, {date: sinceWhen(time)}))
	return wide.matches ? h("tr.since-line", h("td", words)) : h("li.since-line", words)
}

function makeTable(sort, sortBy) {
	const [turned, direction] = sort.startsWith("-") ? [sort.slice(1), "descending"] : ["-" + sort, "ascending"]
	const heads = head(columns, ({name, label = t[name], order = name}) => {
		const current = [sort, turned].includes(order)
		return h("th." + name, {"aria-sort": current && direction}, order
			? h("button", label, {click: () => sortBy(current ? turned : order)})
			: h("span.sr", label))
	})
	return h("table.flats", {data: {sort}, mouseover: showWhole, click: passOn}, h("caption.sr", t.list), heads)
}

// showWhole gives a truncated title a tooltip when it is pointed at.
function showWhole({target}) {
	const link = target.closest("h2 a")
	if (link) link.title = link.scrollWidth > link.clientWidth ? link.textContent : ""
}

// passOn opens the flat whose travel time is clicked. Because of its tooltip the time lies above the link of the row.
function passOn(event) {
	const row = event.target.closest(".duration")?.closest(".row")
	row?.querySelector("h2 a").dispatchEvent(new MouseEvent("click", event))
}

const most = {travel_time: 12} // of the others 20; longer lines are wrapped or cut
const more = {cost: 1} // for bold letters

// lettersOf returns the number of letters of a line that are seen.
function lettersOf(line) {
	const words = line.textContent
	if (line.nodeName === "TIME") return lettersOfTime(words)
	const unseen = line.querySelector?.(".sr")?.textContent ?? ""
	return words.length - unseen.length
}

// lettersOfTime returns for how many digits a time needs room. A long time is wrapped between its words, so its longest
// word counts.
function lettersOfTime(words) {
	const isWrapped = words.length > 10
	return isWrapped ? Math.max(...words.split(" ").map(word => word.length)) : words.length
}

// roomIn returns a function that widens the columns of a table for a row. A column takes no room until a row has
// something in it; then it has room for as many digits as its longest line, or the longest word of its head, has
// letters.
function roomIn(table) {
	const room = {} // the digits for which each column has room
	function widen(name, digits) {
		if (digits <= (room[name] ?? 0)) return
		room[name] = digits
		const most = `var(--most-${name}, ${digits}ch)`
		table.style.setProperty("--" + name,
			name === "picture" ? "88px" : `calc(min(${digits}ch, ${most}) + 2 * var(--pad))`)
		table.dataset.filled = Object.keys(room).join(" ")
	}
	for (const i in travellers) widen("way_" + i, 7)
	return row => {
		for (const [i, {className: name, childNodes}] of [...row.cells].entries()) {
			const isEmpty = childNodes.length === 0 || childNodes[0].matches?.(".gap")
			if (isEmpty || ["title", "actions"].includes(name)) continue
			const head = table.tHead.rows[0].cells[i]
			const lines = [...childNodes].map(lettersOf)
			if (name === "cost") widen("all_in", lines.splice(1).at(-1) ?? 0) // has a line of its own, or none
			const beside = head.ariaSort ? 3 : 1 // for bold letters, and the arrow of the order
			const words = head.textContent.split(" ").map(word => word.length + beside)
			widen(name, Math.min(most[name] ?? 20, Math.max(...lines, ...words) + (more[name] ?? 0)))
		}
	}
}

// makePaper makes the list as it is printed. show(filters, found, total) fills it with flats, under a title with the
// filters and, if total is more, the number of all flats. shown returns the arguments of show for the browser's own
// print command.
export function makePaper(shown, signal) {
	const element = h("div.paper")

	function show(filters, found, total = found.length) {
		const of = {shown: number(found.length), total: number(total)}
		const how = found.length < total ? text(t.shown, of) : count(t.n_flats, total)
		fill(element, h("h1", describeView(filters)), h("p", `${day(Date.now())} · ${how}`),
			paperTable(found, filters.to))
	}

	addEventListener("beforeprint", () => element.firstChild || show(...shown()), {signal})
	addEventListener("afterprint", () => fill(element), {signal})
	return {element, show}
}

// paperTable makes the table for paper, without empty columns. The style sheet breaks it into pages of 25 rows.
function paperTable(flats, to) {
	const rows = flats.map(flat => cells("td", onPaper, flat, null, false, to))
	const isFilled = (_, column) => rows.some(row => row[column].hasChildNodes())
	return h("table", head(onPaper.filter(isFilled), ({name, label = t[name]}) => h("th." + name, label)),
		h("tbody", rows.map(row => h("tr", row.filter(isFilled)))))
}
