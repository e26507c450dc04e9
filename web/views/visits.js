// Visits: upcoming ones by day, past ones, and the address of the calendar feed. It exports show, as all views do
// (see app.js).

import {feedURL} from "../lib/api.js"
import {fill, h, swap} from "../lib/dom.js"
import {keyOf, photoURLs, placeOf, statusOf} from "../lib/fields.js"
import {find, onChange} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {withVisit} from "../lib/query.js"
import {around, hour, startOf} from "../parts/agenda.js"
import {stars, statusButton} from "../parts/decide.js"
import {facts, flatLink, news, phoneLink, photo, statusTag} from "../parts/flats.js"
import {address} from "../parts/listing.js"
import {hints, notesOf, onPaper} from "../parts/notes.js"
import {attempt, copy} from "../parts/notice.js"
import {cost, title} from "../words/flats.js"
import {clock, locale, longDay, t, timed} from "../words/format.js"

// show fills root with the visits.
export async function show(root, route, signal) {
	let agenda = h("div")
	let found = {flats: []}

	function render() {
		const all = found.flats.filter(startOf).sort((a, b) => startOf(a) - startOf(b))
		const ahead = all.filter(flat => !isOver(flat))
		const past = all.filter(isOver).reverse()
		const open = agenda.querySelector("details")?.open
		const days = [...Map.groupBy(ahead, flat => longDay(startOf(flat)))].map(([day, ofDay]) => h("section.day",
			h("h2", `${day}, ${daysAhead(startOf(ofDay[0]))}`), ofDay.map(flat => visit(flat, ahead))))
		agenda = swap(agenda, h("div", days, ahead.length === 0 && h("p.empty", t.no_visits),
			past.length > 0 && h("details", {open}, h("summary", `${t.past} (${past.length})`), past.map(pastVisit))))
		kept.trail.ids = [...ahead, ...past].map(keyOf)
	}

	const load = () => attempt(async () => {
		found = await find(withVisit, {}, {signal})
		render()
	})

	async function fresh() {
		render() // time passes: some visits may be over by now
		const now = await find(withVisit, {}, {signal, since: found.tag})
		return now && JSON.stringify(now.flats) !== JSON.stringify(found.flats)
	}

	fill(root, h("h1", t.visits), h("div.groups", agenda, subscribe()))
	onChange(load, signal)
	await load()
	return {fresh, show: load}
}

// isOver reports whether a visit is past. One without a time of day takes the whole day.
const isOver = flat => startOf(flat) + (timed(flat.visit_date) ? hour : 24 * hour) < Date.now()

// daysAhead writes how far away a day is: "today", "in 3 days".
function daysAhead(at) {
	const midnight = date => new Date(date).setHours(0, 0, 0, 0)
	const ahead = Math.round((midnight(at) - midnight(Date.now())) / (24 * hour))
	return new Intl.RelativeTimeFormat(locale, {numeric: "auto"}).format(ahead, "day")
}

const card = (flat, when, where, acts) => h("article.card",
	h("div.when", h("p", when), photoURLs(flat).slice(0, 1).map(url => photo(url))),
	h("div.where", h("h3", flatLink(flat)), where), h("div.line", news(flat), statusTag(flat), acts))

// visit shows an upcoming visit, with the visits that it overlaps and the next one.
function visit(flat, all) {
	const start = startOf(flat)
	const notes = notesOf(flat)
	const isTimed = timed(flat.visit_date)
	const [overlaps, , next] = isTimed ? around(start, all.filter(other => other !== flat)) : []
	return card(flat, isTimed && [h("b", clock(start)), ` – ${clock(start + hour)}`],
		[overlaps, next, h("p.address", address(flat)), facts(flat), h("p.soft.hints", hints(notes)),
			h("p.sheet", onPaper(notes))],
		phoneLink("a.button", flat, `${t.call} ${flat.phone}`))
}

// pastVisit shows a visit that is over, and asks for its outcome.
const pastVisit = flat => card(flat, longDay(startOf(flat)), `${cost(flat)} ${placeOf(flat)}`,
	[["new", "followed", "contacted"].includes(statusOf(flat)) && statusButton(keyOf(flat), "visited",
		{label: `${t.status_visited}: ${title(flat)}`}), stars(keyOf(flat))])

// subscribe shows the feed's address, and a link that opens it in the device's calendar (webcal:).
function subscribe() {
	const url = feedURL()
	return h("aside.subscribe", h("a.button", t.subscribe, {href: url.replace(/^https?/, "webcal")}),
		h("div.line", h("input#feed", {readonly: "", value: url, label: t.feed}),
			h("button", t.copy, {click: () => copy(url)}), h("button", t.print, {click: () => print()})))
}
