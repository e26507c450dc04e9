// Visits: what is ahead, day by day, and how a calendar follows it.

import {feedURL, find, keyOf, onChange, statusOf} from "./api.js"
import {copy, fill, h, swap} from "./dom.js"
import {clock, count, longDay, minutes, text, timed} from "./format.js"
import {watch} from "./fresh.js"
import {address, goneTag} from "./listing.js"
import {boxesOf, notesIn, wordsOf} from "./notes.js"
import {failed, tell, title} from "./notice.js"
import {visits as visitsParameters} from "./offline.js"
import {inWords, onPaper} from "./own.js"
import {cost, facts, place, setStatus, stars, statusTag, telephone} from "./parts.js"
import {around, hour, isOver, startOf} from "./schedule.js"
import {flatHash, trail} from "./state.js"
import {locale, t} from "./strings.js"

export async function show(root, route, signal) {
	const news = h("div.fresh", {role: "status"})
	let agenda = h("div")
	let visits = new Map()
	let tag

	function take(found) {
		visits = new Map(found.flats.map(flat => [keyOf(flat), flat]))
		tag = found.tag
		render()
	}

	function render() {
		const all = [...visits.values()].filter(flat => startOf(flat) != null).sort((a, b) => startOf(a) - startOf(b))
		const ahead = all.filter(flat => !isOver(flat))
		const past = all.filter(isOver).reverse()
		const open = agenda.querySelector("details")?.open
		agenda = swap(agenda, h("div", ahead.length > 0 ? days(ahead)
			: h("div.empty", h("h2", t.no_visits), h("p", t.no_visits_hint)),
		past.length > 0 && h("details", {open}, h("summary", count(t.past_visits, past.length)), past.map(pastVisit))))
		Object.assign(trail, {hash: "#/visits", ids: [...ahead, ...past].map(keyOf), more: null})
	}

	const load = () => find(visitsParameters(), {}, {signal}).then(take, error => failed(error, load))

	let found
	async function hasChanged() {
		render() // the day goes on
		found = await find(visitsParameters(), {}, {signal, since: tag}) ?? found
		return found && JSON.stringify(found.flats) !== JSON.stringify([...visits.values()])
	}

	fill(root, h("h1", t.visits, {tabindex: -1}), news, h("div.columns", agenda, subscribe()))
	onChange(flat => {
		visits.set(keyOf(flat), flat)
		render()
	}, signal)
	await load()
	return {fresh: watch(news, hasChanged, () => take(found))}
}

function days(flats) {
	const byDay = Map.groupBy(flats, flat => longDay(startOf(flat)))
	return [...byDay.values()].map(ofDay => {
		const section = h("section.day", h("div.line", h("h2", dayInWords(startOf(ofDay[0]))),
			h("button", t.print, {click: () => printAlone(section)})),
		ofDay.map((flat, i) => [visit(flat, flats), between(flat, ofDay[i + 1])]))
		return section
	})
}

function printAlone(section) {
	section.classList.add("alone")
	print()
	section.classList.remove("alone")
}

// "Today, Tuesday 13 January 2026"
function dayInWords(at) {
	const midnight = date => new Date(date).setHours(0, 0, 0, 0)
	const ahead = Math.round((midnight(at) - midnight(Date.now())) / (24 * hour))
	if (ahead < 0 || ahead > 1) return longDay(at)
	const word = new Intl.RelativeTimeFormat(locale, {numeric: "auto"}).format(ahead, "day")
	return `${word[0].toLocaleUpperCase(locale)}${word.slice(1)}, ${longDay(at)}`
}

const link = flat => h("h3", h("a", title(flat), {href: flatHash(keyOf(flat))}))

function visit(flat, all) {
	const start = startOf(flat)
	const notes = notesIn(flat)
	const {overlaps} = around(start, all.filter(other => other !== flat))
	return h("article.card", h("p.when", timed(flat.visit_date) && [h("b", clock(start)), ` – ${clock(start + hour)}`]),
		h("div.where", link(flat), timed(flat.visit_date) && inWords({overlaps}), address(flat, false), facts(flat),
			h("p.soft.hints", hints(notes)), onPaper(flat, notes)),
		h("div.line", goneTag(flat), statusTag(flat),
			flat.phone && h("a.button", `${t.call} ${flat.phone}`, {href: telephone(flat.phone)})))
}

// The first line of the notes, and how far the checklist is.
function hints(notes) {
	const boxes = boxesOf(notes)
	const done = boxes.filter(({ticked}) => ticked).length
	return [wordsOf(notes)[0], boxes.length > 0 && text(t.ticked, {done, all: boxes.length})].filter(Boolean).join(" · ")
}

function between(flat, next) {
	const left = next && timed(flat.visit_date) && timed(next.visit_date) ? startOf(next) - startOf(flat) - hour : -1
	return left >= 0 && h("p.between", text(t.left, {left: minutes(left / 1000)}))
}

// A visit that has been asks how it was.
function pastVisit(flat) {
	const id = keyOf(flat)
	const asks = ["new", "followed", "contacted"].includes(statusOf(flat))
	return h("article.card", h("p.when", longDay(startOf(flat))),
		h("div.where", link(flat), h("p.soft", `${cost(flat)} ${place(flat)}`)),
		h("div.line", asks ? h("button", t.status_visited, {label: `${t.status_visited}: ${title(flat)}`,
			click: () => setStatus(id, "visited")}) : statusTag(flat), stars(id)))
}

function subscribe() {
	const url = feedURL()
	const click = () => copy(url) ?? tell(t.copied)
	return h("aside.subscribe", h("h2", t.subscribe), h("label", t.feed, {for: "feed"}),
		h("div.line", h("input#feed", {readonly: "", value: url}), h("button", t.copy, {click})),
		h("a.button", t.open_calendar, {href: url.replace(/^https?/, "webcal")}))
}
