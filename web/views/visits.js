// Visits: coming visits by day, past visits, and the address of the calendar feed. It exports show, as all views do
// (see app.js).

import {feedURL} from "../lib/api.js"
import {fill, h, swap} from "../lib/dom.js"
import {keyOf, photoURLs, placeOf, statusOf} from "../lib/fields.js"
import {find, flats, onChange, stateOf} from "../lib/flats.js"
import {kept} from "../lib/kept.js"
import {askPeople} from "../lib/opinions.js"
import {people} from "../lib/people.js"
import {withVisit} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {isOver, isPlanned, linesAround, visitLength, visitStart} from "../parts/agenda.js"
import {callButton} from "../parts/call.js"
import {stars, statusButton} from "../parts/decide.js"
import {changeTags, directions, facts, firstPhoto, flatLink, statusTag} from "../parts/flats.js"
import {linkBox} from "../parts/linkbox.js"
import {address} from "../parts/listing.js"
import {editor, focusNotes, hints, notesOf, onPaper} from "../parts/notes.js"
import {attempt} from "../parts/notice.js"
import {stepButton} from "../parts/steps.js"
import {wayBetween} from "../parts/way.js"
import {cost, title} from "../words/flats.js"
import {clock, daysFromToday, exactly, minutes, number, relativeDay, t, text, timed, weekdayAndDay}
	from "../words/format.js"

// show fills root with the visits.
export async function show(root, route, signal) {
	let agenda = h("div")
	let found = {flats: []}
	let shown // the state of the flats (stateOf) when they were drawn
	let loading // promises the end of the last load
	const editors = new Map() // the open editors of notes, {element, closing}, by the id of their flat

	// render draws the visits, unless the user is writing notes.
	function render() {
		if (document.activeElement.closest(".visits .notes")) return
		const all = found.flats.map(flat => flats.get(keyOf(flat))).filter(visitStart)
			.sort((a, b) => visitStart(a) - visitStart(b))
		const ahead = all.filter(flat => !isOver(flat))
		const past = all.filter(isOver).reverse()
		const open = agenda.querySelector("details")?.open
		const next = ahead.find(isPlanned)
		const hasPhotos = all.some(flat => photoURLs(flat).length > 0)
		const extras = flat => ({...notesFor(flat), photo: hasPhotos && firstPhoto(flat)})
		const days = [...Map.groupBy(ahead, flat => weekdayAndDay(visitStart(flat)))].map(([day, ofDay]) => h("section.day",
			h("h2", `${day}, ${daysAhead(visitStart(ofDay[0]))}`), ways(ofDay),
			ofDay.map(flat => visit(flat, ahead, extras(flat), {isNext: flat === next}))))
		agenda = swap(agenda, h("div", days, ahead.length === 0 && h("div.empty", h("p", t.no_visits),
			h("p.soft", t.visits_how), h("a.button.primary", t.shortlist, {href: hashOf("list", {tab: "shortlist"})})),
			past.length > 0 && h("details", {open}, h("summary", `${t.past} (${number(past.length)})`),
				past.map(flat => pastVisit(flat, extras(flat))))))
		kept.trail.ids = [...ahead, ...past].map(keyOf)
	}

	// notesFor returns {button, opened}: the button for a flat's notes, and the editor that it has opened, or
	// undefined.
	function notesFor(flat) {
		const id = keyOf(flat)
		const button = h("button", t.notes, {label: `${t.notes}: ${title(flat)}`, click: () => toggleNotes(id),
			"aria-expanded": String(editors.has(id))})
		return {button, opened: editors.get(id)?.element}
	}

	function toggleNotes(id) {
		if (editors.has(id)) {
			editors.get(id).closing.abort()
			editors.delete(id)
			return render()
		}
		const closing = new AbortController()
		const element = editor(flats.get(id), AbortSignal.any([signal, closing.signal]), "-" + id)
		editors.set(id, {element, closing})
		render()
		element.scrollIntoView({block: "nearest"})
		focusNotes(element)
	}

	const load = () => loading = attempt(async () => {
		found = await find(withVisit, {}, {signal})
		await askPeople(found.flats.map(keyOf), signal).catch(() => {/* the visits do without */})
		shown = stateOf(found.flats.map(keyOf))
		render()
	})

	async function findChanges() {
		const before = loading
		await before // a change on this page may have started a load
		const answer = await find(withVisit, {}, {signal, since: found.tag})
		return answer && loading === before && stateOf(answer.flats.map(keyOf)) !== shown
	}

	fill(root, h("div.line", h("h1", t.visits), subscribe(), h("button", t.print, {click: () => print()})), agenda)
	onChange(load, signal)
	addEventListener("photos", render, {signal})
	await load()
	return {findChanges, show: load, onMinute: render}
}

// daysAhead writes how far away a day is, "today", "in 3 days", without line breaks.
const daysAhead = at => relativeDay(daysFromToday(at)).replaceAll(" ", "\u00a0")

// card makes the card of a visit. Its last parameter, extras, has what notesFor returned, and the photo, if any.
const card = (flat, when, where, act, rating, {button, opened, photo}) => h("article.card", photo,
	h("div.when", h("p", when), h("div.tags", changeTags(flat), statusTag(flat))),
	h("div.where", h("h3", flatLink(flat)), where), h("div.line", act, button, stepButton(keyOf(flat)), rating), opened)

// ways shows the planned visits of a day in one line, with the way from each to the next.
function ways(ofDay) {
	const stops = ofDay.filter(flat => isPlanned(flat) && timed(flat.visit_date))
	const stop = flat => h("li", h("b", clock(flat.visit_date)), " ", h("span.name", title(flat), {title: title(flat)}))
	const way = (before, flat) => {
		const {left, far} = wayBetween(before, flat)
		const words = left < 0 ? t.overlapping : text(t.between, {left: minutes(left)})
		return h(left < 0 ? "li.overlap" : "li.soft", [words, far].filter(Boolean).join(" · "))
	}
	return stops.length > 1 && h("ol.ways", stops.map((flat, i) => [i > 0 && way(stops[i - 1], flat), stop(flat)]))
}

// visit shows a coming visit, and which of all coming visits it overlaps. extras are as for card. The first button of
// the next visit is filled.
function visit(flat, all, extras, {isNext}) {
	const start = visitStart(flat)
	const notes = notesOf(flat)
	const isTimed = timed(flat.visit_date)
	const [overlaps = []] = isTimed && isPlanned(flat) ? linesAround(start, all.filter(other => other !== flat)) : []
	for (const line of overlaps) line.title = line.textContent // it may be cut
	const element = card(flat, isTimed && [h("b", clock(start)), ` – ${clock(start + visitLength)}`],
		[overlaps, h("p.address", address(flat)), facts(flat),
			!extras.opened && [h("p.soft.hints", hints(notes), {title: hints(notes)}), h("p.sheet", onPaper(notes))]],
		[isNext && directions(flat, "a.button"), callButton("a.button", flat)],
		people.length > 0 && stars(keyOf(flat)), extras)
	if (isNext) element.querySelector(":scope > .line > :is(a, button)").classList.add("primary")
	return element
}

// pastVisit shows a past visit, and asks for its outcome.
const pastVisit = (flat, extras) => card(flat, exactly(flat.visit_date), `${cost(flat)} ${placeOf(flat)}`,
	[callButton("a.button", flat), ["new", "followed", "contacted"].includes(statusOf(flat)) &&
		statusButton(keyOf(flat), "visited", {label: `${t.status_visited}: ${title(flat)}`})], stars(keyOf(flat)), extras)

// subscribe makes a button for a menu that has the feed's address and a link that opens the feed in the device's
// calendar (webcal:).
function subscribe() {
	const url = feedURL()
	const menu = h("div#subscribe", {popover: "auto"},
		h("a.button.primary", t.subscribe_here, {href: url.replace(/^https?/, "webcal")}),
		h("p", t.feed), linkBox(url, t.feed))
	return [h("button", t.subscribe, {popovertarget: menu.id}), menu]
}
