// Draws the flats of the list: as rows of a table, as cards on a phone, and on paper.
//
// makeHolder makes the table or the list of cards, makePaper the list on paper. cityOf returns what is shown once above
// all rows rather than in each. setStatusTimes stores when flats got their status. wide tells whether there is room for
// the table.

import {fill, h} from "../lib/dom.js"
import {keyOf, photoURLs, placeOf, shortDetails, statusOf, travelTimes} from "../lib/fields.js"
import {kept} from "../lib/kept.js"
import {exceededLimit, limitedWays} from "../lib/limits.js"
import {travellers, wayOf} from "../lib/people.js"
import {describeView} from "../words/filters.js"
import {apartRatings, cost, costPerAreaInWords, detailInWords, detailName, fieldInWords, monthlyBriefly, sinceOf,
	siteName, stepInWords, title} from "../words/flats.js"
import {count, day, dayAndTime, daysFromToday, instant, minutes, number, sinceWhen, squareMetres, statusName, t, text}
	from "../words/format.js"
import {marked} from "../words/marks.js"
import {compareButton, followButton, statusButton} from "./decide.js"
import {byWhom, changeTags, firstPhoto, flatLink, overInWords, seenAgo, travel} from "./flats.js"
import {icon} from "./icons.js"
import {isUnseen} from "./seen.js"

// wide matches if the window has room for the table.
export const wide = matchMedia("(min-width: 900px)")

// columns has the columns of the table. A click on a head sorts by order, or by name if there is no order. A column
// with an empty order cannot be sorted by, and is omitted on paper. cell(flat, matches, isDouble, to) makes the
// content; its parameters are explained at makeHolder.
const columns = [
	{name: "picture", label: t.photos, order: "", cell: firstPhoto},
	{name: "title", cell: (flat, matches, isDouble) => [
		heading(flat, matches), ratingOf(flat),
		h("p.about", decisionOf(flat).map((part, i) => [part, i === 0 && byWhom(flat), " · "]), aboutIt(flat)),
		h("p.tags", tags(flat, isDouble))]},
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

// paperColumns has the columns on paper, where relative times would become wrong.
const paperColumns = columns.filter(({order}) => order !== "")
	.map(column => (column.name === "since" ? {...column, cell: sinceOf} : column))

// heading makes the title of a flat, which is bold while the flat is unseen.
const heading = (flat, matches) =>
	h("h2", {"data-unseen": isUnseen(flat) && "true"}, flatLink(flat, marked(title(flat), "title", matches)))

// firstDetails writes the first three short details.
const firstDetails = flat => shortDetails(flat).slice(0, 3)
	.map(([name, value]) => `${detailName(name)} ${detailInWords(name, value, flat)}`)

// aboutIt writes the place, the site and the first details.
const aboutIt = flat => [nearPlace(flat), siteName(flat), ...firstDetails(flat)].filter(Boolean).join(" · ")

// cityOf returns the longest name that at least four of five places of flats have, or begin with: "München", as in
// "München Pasing". The list shows the name once, above the rows. cityOf returns "" if there is no such name, or if
// fewer than three flats have a place.
export function cityOf(list) {
	const places = list.map(placeOf).filter(Boolean)
	if (places.length < 3) return ""
	const firstWord = place => /^\p{L}[\p{L}.'’]+(?=[ -][\p{L}\d])/u.exec(place)?.[0] // if others follow
	const names = places.flatMap(place => [place, firstWord(place)].filter(Boolean))
	const byName = [...Map.groupBy(names, name => name)]
	const shared = byName.filter(([, {length: n}]) => n >= 0.8 * places.length).map(([name]) => name)
	return shared.sort((a, b) => b.length - a.length)[0] ?? ""
}

// withoutCity returns the name of a place without the city at its beginning, or "" for the city itself.
export function withoutCity(place, city) {
	const rest = city && place.startsWith(city) ? place.slice(city.length) : place
	const isWord = /^[ -]|^$/.test(rest) // "Basel" is no word of "Baselland"
	return rest === place || !isWord ? place : rest.slice(1)
}

// nearPlace writes the place of a flat without the city of the list. If nothing is left, it writes the district that
// the listing names, or else the postal code.
function nearPlace(flat) {
	const {location, service_postal_code: code} = flat
	const isAddress = /[\d,]/.test(location)
	const district = isAddress ? "" : location
	return [placeOf(flat), district].filter(Boolean).map(place => withoutCity(place, kept.list.city)).find(Boolean)
		?? code?.postal_code
}

// tags makes the tags of a flat: what people think of it, what has changed, and whether it may be a duplicate.
const tags = (flat, isDouble) => [apartTag(flat), changeTags(flat), isDouble && h("span.tag.double", t.maybe_duplicate)]

// apartTag makes the tag of a flat that two people rate very differently.
const apartTag = flat => apartRatings(flat) &&
	h("span.tag.apart", h("span.sr", t.ratings_differ, ": "), apartRatings(flat), {title: t.ratings_differ})

// decisionOf makes the parts of what was decided: status, next step and visit. The status "new" is left out.
const decisionOf = flat => [
	statusOf(flat) !== "new" && h("span.status", statusName(statusOf(flat)), contactedFor(flat),
		{"data-status": statusOf(flat)}),
	stepOf(flat, "span.step"),
	visitOf(flat, "span.visit"),
].filter(Boolean)

const ratingOf = flat => flat.notation != null && h("span.rating", fieldInWords("notation", flat))

// visitOf shows the time of the visit, which breaks only after a comma.
const visitOf = ({visit_date: visit}, spec) => visit && h(spec, dayAndTime(visit).replace(/(?<!,) /g, "\u00a0"))

// costCell shows the cost and, below it, the monthly cost with utilities if that is more.
function costCell(flat) {
	const monthly = monthlyBriefly(flat)
	return [cost(flat), monthly && [" ", h("small", monthly)]]
}

// stepOf shows the next step and when it is due.
const stepOf = (flat, spec) => flat.next_step && h(spec, stepInWords(flat),
	{"data-due": isOverdue(flat) && "over", title: stepInWords(flat)})

const isOverdue = ({next_date: date}) => date != null && daysFromToday(instant(date)) < 0

// card makes the parts of a card: the photo; the words, that is title, facts, what was decided or has changed, and
// place with travel times and age; and the buttons.
function card(flat, matches, isDouble, to) {
	const {area, rooms} = flat
	const facts = [area > 0 && h("span.area", squareMetres(area)),
		rooms > 0 && h("span.rooms", count(t.n_rooms, rooms))].filter(Boolean).map(fact => ["\u00a0· ", fact])
	const place = nearPlace(flat)
	const age = seenAgo(flat)
	const hasTimeOfDay = /\d:\d/.test(age?.textContent) // the style sheet hides the time where a place needs the room
	const where = [[place, "span.place"], [waysIn(flat, to), "span"], [age, hasTimeOfDay ? "span.hour" : "span"]]
		.filter(([part]) => part).map(([part, spec], i) => h(spec, i > 0 && "\u00a0·\u00a0", part))
	const monthly = monthlyBriefly(flat)
	const more = [decisionOf(flat), ratingOf(flat), tags(flat, isDouble), statusOf(flat) !== "new" && byWhom(flat),
		monthly && h("span.all_in", monthly)].flat(3).filter(Boolean)
	return [
		h("div.picture", firstPhoto(flat)),
		h("div.words", heading(flat, matches), h("p.known", h("span.cost", cost(flat)), h("span", facts)),
			more.length > 0 && h("p.tags", more), h("p.about", where)),
		h("div.actions", actions(flat)),
	]
}

// waysIn shows the travel times of a card: "13 / 69 min". If the place to is given, it shows only the time to that
// place.
function waysIn(flat, to) {
	const ways = limitedWays(flat, to)
	if (ways.length < 2) return ways.length === 1 && travel(...ways[0].slice(1))
	const isRough = ways.some(([, , entry]) => /street|postal_code|place/.test(entry?.estimated?.precision))
	const over = limit => (limit ? ` (${overInWords(limit)})` : "")
	const names = ways.map(([name, seconds, , limit]) => `${name} ${minutes(seconds)}${over(limit)}`).join(", ")
	const all = ways.map(([, seconds, , limit], i) =>
		[i > 0 && " / ", h("span", number(seconds / 60, 0), limit && {"data-over": "true"})])
	return h("span.duration", h("span", {"aria-hidden": "true"}, isRough && "≈ ", all, "\u00a0min"),
		h("span.sr", names), {title: names})
}

// setStatusTimes stores when flats got their status, from flats with status_since.
export function setStatusTimes(rows) {
	for (const row of rows) kept.statusTimes.set(keyOf(row), row.status_since)
}

// contactedFor writes for how many days a flat has been contacted, if that is at least one.
function contactedFor(flat) {
	const at = statusOf(flat) === "contacted" && instant(kept.statusTimes.get(keyOf(flat)))
	const days = at ? Math.floor((Date.now() - at) / (24 * 3_600_000)) : 0
	return days > 0 && " ·\u00a0" + count(t.for_days, days).replace(" ", "\u00a0")
}

// travelCell shows the travel time to the place to or, without one, to the nearest place.
function travelCell(flat, matches, isDouble, to) {
	const [nearest] = travelTimes(flat).filter(([name]) => !to || name === to).sort(([, a], [, b]) => a - b)
	if (!nearest) return null
	const [name, seconds, entry] = nearest
	return [travel(seconds, entry, exceededLimit(flat, nearest)), " ", h("small", name)]
}

// wayCell returns the cell function for the travel time of the traveller with the number i. The longest time of a flat
// is marked.
function wayCell(i) {
	return flat => {
		const times = travellers.map(person => wayOf(flat, person)?.[1]) // in seconds
		if (times[i] == null) return null
		const way = wayOf(flat, travellers[i])
		const [, seconds, entry] = way
		const isLongest = times.every(other => other == null || other <= seconds)
		const limit = exceededLimit(flat, way, travellers[i])
		return h("span", travel(seconds, entry, limit), {"data-longest": isLongest && "true"})
	}
}

// actions makes the buttons: icons with the word as a tooltip, and a name with the flat for screen readers.
function actions(flat) {
	const id = keyOf(flat)

	// withIcon replaces the word of a button by an icon.
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

// head makes the head of a table, with content(column) for each column.
const head = (shown, content) => h("thead", h("tr", shown.map(content)))

// cells makes the cells of a row in some columns. given are the parameters of cell.
const cells = (tag, shown, ...given) => shown.map(({name, cell}) => h(`${tag}.${name}`, cell(...given)))

// makeHolder makes holder, the empty table or the empty list of cards, and returns {holder, makeRow}. sort is the order
// of the rows; the heads of the table call sortBy(order) to change it. makeRow(flat, matches, isDouble, to) makes a row
// or a card:
//   matches   marks words in the title; it comes from matcher (words/marks.js)
//   isDouble  whether the flat may be a duplicate
//   to        the place of travel times, if one is chosen
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

// makeLine makes the line above the flats that came since a time or, without a time, the plain line below them.
export function makeLine(time) {
	const words = time && h("span", text(t.new_since, {date: sinceWhen(time)}))
	return wide.matches ? h("tr.since-line", h("td", words)) : h("li.since-line", words)
}

// makeTable makes the empty table.
function makeTable(sort, sortBy) {
	const isDescending = sort.startsWith("-")
	const reverse = isDescending ? sort.slice(1) : "-" + sort
	const heads = head(columns, ({name, label = t[name], order = name}) => {
		const isCurrent = [sort, reverse].includes(order)
		return h("th." + name, {"aria-sort": isCurrent && (isDescending ? "descending" : "ascending")}, order
			? h("button", label, {click: () => sortBy(isCurrent ? reverse : order)})
			: h("span.sr", label))
	})
	return h("table.flats", {data: {sort}, mouseover: showWhole, click: passOn}, h("caption.sr", t.list), heads)
}

// showWhole gives a shortened title a tooltip.
function showWhole({target}) {
	const link = target.closest("h2 a")
	if (link) link.title = link.scrollWidth > link.clientWidth ? link.textContent : ""
}

// passOn opens the flat whose travel time is clicked. Because of its tooltip, the time is above the link that covers
// the row.
function passOn(event) {
	const row = event.target.closest(".duration")?.closest(".row")
	row?.querySelector("h2 a").dispatchEvent(new MouseEvent("click", event))
}

// maxDigits has the greatest widths of columns in digits; the others have at most 20. Longer lines are wrapped or cut.
const maxDigits = {travel_time: 12}
const extraDigits = {cost: 1} // of a column, for bold letters

// lettersOf returns the number of visible letters in a line.
function lettersOf(line) {
	const words = line.textContent
	if (line.nodeName === "TIME") return lettersOfTime(words)
	const unseen = line.querySelector?.(".sr")?.textContent ?? ""
	return words.length - unseen.length
}

// lettersOfTime returns the width of a time in letters. A long time is wrapped, so its longest word counts.
function lettersOfTime(words) {
	const isWrapped = words.length > 10
	return isWrapped ? Math.max(...words.split(" ").map(word => word.length)) : words.length
}

// roomIn returns a function that widens the columns of a table for a row. A column has no width until a row has
// something in it. Then it has room for as many digits as its longest line, or the longest word of its head, has
// letters.
function roomIn(table) {
	const room = {} // the width of each column in digits
	// widen gives a column room for a number of digits.
	function widen(name, digits) {
		if (digits <= (room[name] ?? 0)) return
		room[name] = digits
		const bound = `var(--most-${name}, ${digits}ch)`
		table.style.setProperty("--" + name,
			name === "picture" ? "88px" : `calc(min(${digits}ch, ${bound}) + 2 * var(--pad))`)
		table.dataset.filled = Object.keys(room).join(" ")
	}
	for (const i in travellers) widen("way_" + i, 7) // so that these columns are shown even while they are empty
	return row => {
		for (const [i, {className: name, childNodes}] of [...row.cells].entries()) {
			const isEmpty = childNodes.length === 0 || childNodes[0].matches?.(".gap") // a gap stands for a photo
			if (isEmpty || ["title", "actions"].includes(name)) continue
			const th = table.tHead.rows[0].cells[i]
			let lines = [...childNodes].map(lettersOf)
			if (name === "cost") {
				const [costLine, ...monthlyLines] = lines // the monthly cost may have a line of its own
				widen("all_in", monthlyLines.at(-1) ?? 0)
				lines = [costLine]
			}
			const extra = th.ariaSort ? 3 : 1 // digits more than letters: heads are bold, and an arrow shows the order
			const headWords = th.textContent.split(" ").map(word => word.length + extra)
			const longest = Math.max(...lines, ...headWords)
			widen(name, Math.min(maxDigits[name] ?? 20, longest + (extraDigits[name] ?? 0)))
		}
	}
}

// makePaper makes the list as it is printed, {element, show}. show(filters, found, total) fills it with flats, with the
// filters as its title, and with the number of all flats if total is more. For the browser's own print command,
// getShown() returns the arguments of show.
export function makePaper(getShown, signal) {
	const element = h("div.paper")

	function show(filters, found, total = found.length) {
		const numbers = {shown: number(found.length), total: number(total)}
		const howMany = found.length < total ? text(t.shown, numbers) : count(t.n_flats, total)
		fill(element, h("h1", describeView(filters)), h("p", `${day(Date.now())} · ${howMany}`),
			paperTable(found, filters.to))
	}

	addEventListener("beforeprint", () => {
		if (!element.firstChild) show(...getShown()) // otherwise the page has called show
	}, {signal})
	addEventListener("afterprint", () => fill(element), {signal})
	return {element, show}
}

// paperTable makes the table for paper, without empty columns. The style sheet breaks it into pages of 25 rows.
function paperTable(flats, to) {
	const [matches, isDouble] = [null, false] // paper has no marks and no tags of duplicates
	const rows = flats.map(flat => cells("td", paperColumns, flat, matches, isDouble, to))
	const isFilled = (_, column) => rows.some(row => row[column].hasChildNodes())
	return h("table", head(paperColumns.filter(isFilled), ({name, label = t[name]}) => h("th." + name, label)),
		h("tbody", rows.map(row => h("tr", row.filter(isFilled)))))
}
