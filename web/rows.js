// One flat in the list: a row of the table, on the screen or on paper, or a card on a phone.

import {keyOf, statusOf} from "./api.js"
import {h} from "./dom.js"
import {dayAndTime, minutes, number, since, squareMetres, t, title} from "./format.js"
import {marked} from "./marks.js"
import {compareButton, cost, costEach, facts, flatLink, news, photo, photoURLs, place, siteOf, statusButton, statusTag,
	times} from "./parts.js"
import {newestFirst} from "./state.js"

/** Wide screens have the table, others the cards. */
export const wide = matchMedia("(min-width: 900px)")

const head = (columns, content) => h("thead", h("tr", columns.map(content)))
const cells = (columns, ...given) => columns.map(({name, cell}) => h("td." + name, cell(...given)))

/** makeHolder makes what holds the rows; sortBy is called with the order that a head asks for. */
export function makeHolder(sort = newestFirst, sortBy) {
	if (!wide.matches) return h("ol.rows")
	const [, sign, field] = /^(-?)(.*)/.exec(sort)
	return h("table.flats", h("caption.sr", t.list), head(columns, ({name, order, label}) => {
		if (!order) return h("th." + name, h("span.sr", label))
		const current = order.replace("-", "") === field
		return h("th." + name, {"aria-sort": current && (sign ? "descending" : "ascending")},
			h("button", t[name], {click: () => sortBy(current ? (sign ? "" : "-") + field : order)}))
	}))
}

/** paperTable is the table of some flats for the printer. */
export const paperTable = flats => h("table", head(onPaper, ({name}) => h("th", t[name])),
	h("tbody", flats.map(flat => h("tr", cells(onPaper, flat)))))

/** makeRow makes a row or card; matches says what the search found, double whether it may be a duplicate. */
export const makeRow = (flat, matches, double) => h(wide.matches ? "tr.row" : "li.row",
	{data: {id: keyOf(flat), status: statusOf(flat)}},
	wide.matches ? cells(columns, flat, matches, double) : card(flat, matches, double))

function card(flat, matches, double) {
	const way = travel(flat)
	return [picture(flat),
		h("div.words", heading(flat, matches), facts(flat),
			about(place(flat), way && `${way.time} → ${way.name}`, siteOf(flat), seen(flat)),
			tags([statusTag(flat), visit(flat), news(flat)], double)),
		h("div.acts", actions(flat), rating(flat))]
}

const picture = flat => photo(photoURLs(flat)[0], "", "small")

const heading = (flat, matches) => h("h2", flatLink(flat, marked(title(flat), "title", matches)))

const about = (...parts) => h("p.about", parts.filter(Boolean).join(" · "))

// The shortest way, and where it leads.
function travel(flat) {
	const [nearest] = times(flat).sort(([, a], [, b]) => a - b)
	return nearest && {name: nearest[0], time: minutes(nearest[1])}
}

const seen = ({first_seen, date}) => since(first_seen ?? date)

const visit = flat => flat.visit_date && h("small.visit", dayAndTime(flat.visit_date))

const rating = ({notation}) => notation != null && h("span.rating", `★ ${number(notation)}`)

const tags = (all, double) => h("p.tags", all, double && h("span.tag", t.maybe_duplicate))

function actions(flat) {
	const id = keyOf(flat)
	return h("div.actions", statusButton(id, "followed", {"data-sign": "♥"}),
		statusButton(id, "ignored", {"data-sign": "✕"}), compareButton(id))
}

// Those with an order sort by it at the first click; those without are not for paper.
const columns = [
	{name: "picture", label: t.photo, cell: picture},
	{name: "title", order: "title", cell: (flat, matches, double) =>
		[heading(flat, matches), about(place(flat), siteOf(flat)), tags(news(flat), double)]},
	{name: "cost", order: "cost", cell: cost},
	{name: "cost_per_area", order: "cost_per_area", cell: costEach},
	{name: "area", order: "-area", cell: ({area}) => area > 0 && squareMetres(area)},
	{name: "rooms", order: "-rooms", cell: ({rooms}) => rooms > 0 && number(rooms)},
	{name: "travel_time", order: "travel_time", cell: flat => [travel(flat)?.time, " ", h("small", travel(flat)?.name)]},
	{name: "since", order: "-first_seen", cell: seen},
	{name: "status", order: "status", cell: flat => [statusTag(flat), visit(flat)]},
	{name: "notation", order: "-notation", cell: rating},
	{name: "acts", label: t.actions, cell: actions},
]
const onPaper = columns.filter(({order}) => order)
