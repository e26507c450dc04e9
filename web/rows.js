// One flat in the list: a row of the table, on the screen or on paper, or a card on a phone.

import {keyOf, statusOf} from "./api.js"
import {h} from "./dom.js"
import {costPerArea, dayAndTime, number, perArea, since, squareMetres} from "./format.js"
import {marked} from "./marks.js"
import {title} from "./notice.js"
import {compareButton, cost, facts, news, photo, photoURLs, place, siteOf, statusTag, toggleStatus,
	travel} from "./parts.js"
import {flatHash} from "./state.js"
import {t} from "./strings.js"

// The columns of the table. Those with an order sort by it at the first click; those without are not for paper.
const columns = [
	{name: "picture", label: t.photo, cell: picture},
	{name: "title", order: "title", cell: (flat, ...found) =>
		[heading(flat, ...found), about(place(flat), siteOf(flat)), more(flat, ...found)]},
	{name: "cost", order: "cost", cell: cost},
	{name: "cost_per_area", order: "cost_per_area", cell: flat =>
		costPerArea(flat) && perArea(costPerArea(flat), flat.currency)},
	{name: "area", order: "-area", cell: ({area}) => area > 0 && squareMetres(area)},
	{name: "rooms", order: "-rooms", cell: ({rooms}) => rooms > 0 && number(rooms)},
	{name: "travel_time", order: "travel_time", cell: flat => [travel(flat)?.time, " ", h("small", travel(flat)?.name)]},
	{name: "since", order: "-first_seen", cell: seen},
	{name: "status", order: "status", cell: flat => [statusTag(flat), visit(flat)]},
	{name: "notation", order: "-notation", cell: rating},
	{name: "acts", label: t.actions, cell: actions},
]
const onPaper = columns.filter(({order}) => order)

const head = (columns, content) => h("thead", h("tr", columns.map(content)))
const cells = (columns, ...found) => columns.map(({name, cell}) => h("td." + name, cell(...found)))

/** makeTable makes the table without rows; sortBy is called with the order that a head asks for. */
export function makeTable(sort, sortBy) {
	const bare = order => order.replace("-", "")
	return h("table.flats", h("caption.sr", t.list), head(columns, ({name, order, label}) => {
		if (!order) return h("th." + name, h("span.sr", label))
		const current = bare(order) === bare(sort)
		const down = sort.startsWith("-")
		return h("th." + name, {"aria-sort": current && (down ? "descending" : "ascending")},
			h("button", t[name], {click: () => sortBy(current ? (down ? "" : "-") + bare(sort) : order)}))
	}))
}

/** paperTable is the table of some flats for the printer. */
export const paperTable = flats => h("table", head(onPaper, ({name}) => h("th", t[name])),
	h("tbody", flats.map(flat => h("tr", cells(onPaper, flat)))))

/** makeRow makes a row of the table, makeCard a card; matches says where the search found something. */
export const makeRow = (flat, matches, double) => row("tr", flat, cells(columns, flat, matches, double))

export function makeCard(flat, matches, double) {
	const way = travel(flat)
	return row("li", flat, picture(flat),
		h("div.words", heading(flat, matches), facts(flat),
			about(place(flat), way && `${way.time} → ${way.name}`, siteOf(flat), seen(flat)),
			more(flat, matches, double, statusTag(flat), visit(flat))),
		h("div.acts", actions(flat), rating(flat)))
}

const row = (tag, flat, ...content) => h(tag + ".row", {data: {id: keyOf(flat), status: statusOf(flat)}}, content)

function picture(flat) {
	return photo(photoURLs(flat)[0], "", "small")
}

const heading = (flat, matches) => h("h2", h("a", marked(title(flat), "title", matches), {href: flatHash(flat.id)}))

const about = (...parts) => h("p.about", parts.filter(Boolean).join(" · "))

function seen({first_seen, date}) {
	return since(first_seen ?? date)
}

const visit = flat => flat.visit_date && h("small.visit", dayAndTime(flat.visit_date))

function rating({notation}) {
	return notation != null && h("span.rating", `★ ${number(notation)}`)
}

// What changed, and the words of the listing that the search found.
function more(flat, matches, double, ...before) {
	const tags = [before, news(flat), double && h("span.tag", t.maybe_duplicate)].flat().filter(Boolean)
	const found = ["text", "notes"].find(field => matches?.(flat[field] ?? "", field).length > 0)
	return [tags.length > 0 && h("p.tags", tags), found && h("p.excerpt", marked(flat[found], found, matches, 66))]
}

function actions(flat) {
	const id = keyOf(flat)
	const button = (word, status, sign) => h("button", word, {data: {sign, status}, title: word,
		"aria-pressed": String(statusOf(flat) === status), click: () => toggleStatus(id, status)})
	return h("div.actions", button(t.follow, "followed", "♥"), button(t.dismiss, "ignored", "✕"), compareButton(id))
}
