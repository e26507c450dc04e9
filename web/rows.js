// One flat in the list: a row of the table, or a card on a phone.

import {keyOf, statusOf} from "./api.js"
import {h} from "./dom.js"
import {costPerArea, dayAndTime, number, perArea, since, squareMetres} from "./format.js"
import {marked} from "./marks.js"
import {title} from "./notice.js"
import {compareButton, cost, facts, news, photo, photoURLs, place, rate, siteOf, statusTag, toggleStatus,
	travel} from "./parts.js"
import {flatHash} from "./state.js"
import {t} from "./strings.js"

// The columns of the table: what their heads say and what they sort by. The
// order is the one that the first click gives.
const columns = [
	["picture"], ["title", "title"], ["cost", "cost"], ["cost_per_area", "cost_per_area"], ["area", "-area"],
	["rooms", "-rooms"], ["travel_time", "travel_time"], ["since", "-first_seen"], ["status", "status"],
	["notation", "-notation"], ["acts"],
]
const names = {picture: t.photo, acts: t.actions}

// turned is the other direction of an order.
const turned = sort => (sort.startsWith("-") ? sort.slice(1) : "-" + sort)

/** makeTable makes the table without rows; sortBy is called with the order that a head asks for. */
export function makeTable(sort, sortBy) {
	const head = ([name, order]) => {
		if (!order) return h("th", h("span.sr", names[name]), {scope: "col", class: name})
		const current = order.replace("-", "") === sort.replace("-", "")
		const direction = sort.startsWith("-") ? "descending" : "ascending"
		return h("th", {scope: "col", class: name, "aria-sort": current && direction},
			h("button", t[name], {click: () => sortBy(current ? turned(sort) : order)}))
	}
	return h("table.flats", h("caption.sr", t.list), h("thead", h("tr", columns.map(head))))
}

/** makeTableRow makes the row of a flat; matches says where the search found something. */
export function makeTableRow(flat, matches, double) {
	const {area, currency, rooms} = flat
	const each = costPerArea(flat)
	const way = travel(flat)
	const cell = (name, ...content) => h("td." + name, content)
	return h("tr.row", {data: {id: keyOf(flat)}, "data-status": statusOf(flat)},
		cell("picture", picture(flat)),
		h("th.title", titleLink(flat, matches), h("p.about", about([place(flat), siteOf(flat)])), more(flat, matches, double),
			{scope: "row"}),
		cell("cost", cost(flat)),
		cell("cost_per_area", each && perArea(each, currency)),
		cell("area", area > 0 && squareMetres(area)),
		cell("rooms", rooms > 0 && number(rooms)),
		cell("travel_time", way && [way.time, h("small", way.name)]),
		cell("since", seen(flat)),
		cell("status", statusTag(flat), visit(flat)),
		cell("notation", rating(flat)),
		cell("acts", actions(flat)))
}

/** makeCard makes the card of a flat. */
export function makeCard(flat, matches, double) {
	const way = travel(flat)
	return h("li.row", {data: {id: keyOf(flat)}, "data-status": statusOf(flat)},
		picture(flat),
		h("div.words", titleLink(flat, matches), facts(flat),
			h("p.about", about([place(flat), way && `${way.time} → ${way.name}`, siteOf(flat), seen(flat)])),
			more(flat, matches, double, statusTag(flat), visit(flat))),
		h("div.acts", actions(flat), rating(flat)))
}

const picture = flat => photo(photoURLs(flat)[0], "", "small")

const titleLink = (flat, matches) => h("h2", h("a", marked(title(flat), "title", matches), {href: flatHash(flat.id)}))

const about = parts => parts.filter(Boolean).join(" · ")

const seen = flat => since(flat.first_seen ?? flat.date)

const visit = flat => flat.visit_date && h("small.visit", dayAndTime(flat.visit_date))

// What changed, and the words of the listing that the search found.
function more(flat, matches, double, ...before) {
	const tags = [before, news(flat), double && h("span.tag.double", t.maybe_duplicate)].flat().filter(Boolean)
	const found = ["text", "notes"].find(field => matches(flat[field] ?? "", field).length > 0)
	return [tags.length > 0 && h("p.tags", tags), found && h("p.excerpt", marked(flat[found], found, matches, 66))]
}

function actions(flat) {
	const id = keyOf(flat)
	const button = (word, status, sign, pressedSign = sign) => {
		const pressed = statusOf(flat) === status
		return h("button", word, {data: {sign: pressed ? pressedSign : sign, status}, title: word,
			"aria-pressed": String(pressed), click: () => toggleStatus(id, status)})
	}
	return h("div.actions",
		button(t.follow, "followed", "♡", "♥"), button(t.dismiss, "ignored", "✕"), compareButton(id))
}

// A list of choices is dear to make, and few rows need theirs: a button stands
// for it until it is pressed.
function rating(flat) {
	const {notation} = flat
	const button = h("button.rating", notation == null ? "☆" : `★ ${number(notation)}`,
		{label: ratingName(notation), title: t.notation, "aria-haspopup": "listbox", click: () => {
			const select = ratings(flat)
			button.replaceWith(select)
			select.addEventListener("blur", () => select.replaceWith(button))
			select.focus()
			openPicker(select)
		}})
	return button
}

// Not every browser opens it for a script.
function openPicker(select) {
	try {
		select.showPicker()
	} catch {/* it has the focus */}
}

const ratingName = notation => (notation == null ? t.notation : `${t.notation} ${number(notation)}`)

function ratings({id, notation}) {
	const option = (value, label) => h("option", label, {value})
	const values = [5, 4, 3, 2, 1]
	if (notation != null && !values.includes(notation)) values.push(notation)
	const select = h("select.rating", {label: t.notation, change: () => rate(String(id), Number(select.value) || null)},
		option("", "☆"), values.map(n => option(n, `★ ${number(n)}`)))
	select.value = notation ?? ""
	return select
}
