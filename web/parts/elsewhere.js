// Results of a search outside the tab, shown pale below the list: dismissed flats, and others that the tab leaves out.

import {fill, h, loadStyle} from "../lib/dom.js"
import {statusOf} from "../lib/fields.js"
import {look} from "../lib/flats.js"
import {queryOf} from "../lib/query.js"
import {hashOf, holds, tabOf} from "../lib/state.js"
import {cost, detailsInLines, title} from "../words/flats.js"
import {count, statusName, t} from "../words/format.js"
import {marked} from "../words/marks.js"
import {flatLink} from "./flats.js"

const maxShown = 20 // flats
const fields = "title,status,cost,currency,gone,text,location,station,notes,details"

// showElsewhere fills an element with flats that match filters but are not in their tab. Flats decided on last come
// first. matches comes from matcher (words/marks.js).
export async function showElsewhere(element, filters, matches, signal) {
	const {any, not = [], alive} = tabOf(filters.tab)
	const inTab = any ? {"any[status]": any} : {"not[status]": not}
	const outside = any ? {"not[status]": any} : {"any[status]": not}
	const query = queryOf({...filters, tab: "all", sort: "-status_since"})
	const more = {fields, counts: "status", "page[size]": maxShown}
	const asked = [outside]
	if (alive) asked.push({...inTab, "known[gone]": "yes"}) // a tab of live flats leaves them out
	const [answers] = await Promise.all([
		Promise.all(asked.map(conditions => look(query, {...conditions, ...more}, {signal}))),
		loadStyle(),
	])
	const n = answers.reduce((sum, {total}) => sum + total, 0)
	const [{counts}] = answers // of the flats with a status outside the tab
	const dismissed = holds({any, not}, "ignored") ? 0 : counts.status.ignored ?? 0
	const words = [dismissed > 0 && count(t.n_dismissed, dismissed),
		n > dismissed && count(t.n_elsewhere, n - dismissed)].filter(Boolean).join(", ")
	const tab = n > dismissed ? "all" : "is:ignored"
	fill(element, n > 0 && h("section.elsewhere", {label: words},
		h("p", words, " · ", h("a", t.show_all, {href: hashOf("list", {...filters, tab})})),
		h("ul.plain", answers.flatMap(({flats}) => flats).slice(0, maxShown).map(flat => line(flat, matches)))))
}

// line makes the line of a flat.
function line(flat, matches) {
	const status = [statusOf(flat) !== "new" && statusName(statusOf(flat)), flat.gone && t.gone].filter(Boolean)
	return h("li", h("p.line", flatLink(flat, marked(title(flat), "title", matches)), h("span", cost(flat)),
		h("span", status.join(" · "))), h("p", matchingLine(flat, matches)))
}

// matchingLine returns the first line of a flat that matches, with marks. It returns null if the title matches or
// no line does.
function matchingLine({text, location, station, notes, details, ...flat}, matches) {
	const texts = {title: title(flat), text, location, station, notes, details: details && detailsInLines(details)}
	for (const [field, words] of Object.entries(texts)) {
		for (const whole of words?.split("\n") ?? []) {
			const at = [...whole.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].find(([word]) => matches(word, field))?.index
			if (at != null) return field === "title" ? null : marked(cutAround(whole, at), field, matches)
		}
	}
	return null
}

const shownLength = 160 // characters of a line
const longestStart = 40 // characters before a word that are shown whole
const shortenedStart = 30 // characters before a word that are left of a longer start
const leastShown = 40 // characters from a word on, in a line without spaces

// cutAround cuts a line at spaces to about shownLength characters, with the word at an index among them. A start of
// more than longestStart characters before the word is cut to about shortenedStart.
function cutAround(line, at) {
	const from = at > longestStart ? line.lastIndexOf(" ", at - shortenedStart) + 1 : 0
	const to = line.length > from + shownLength ? line.lastIndexOf(" ", from + shownLength) : line.length
	const shown = line.slice(from, Math.max(to, at + leastShown)) // without spaces, to may be before the word
	return (from > 0 ? "…" : "") + shown + (to < line.length ? "…" : "")
}
