// What rules have dismissed lately, shown above the dismissed flats: a fold for each rule, with a button for each flat
// that brings it back.

import {fill, h} from "../lib/dom.js"
import {keyOf, statusOf} from "../lib/fields.js"
import {find, flats, onChange} from "../lib/flats.js"
import {daysAgo, justAfter} from "../lib/query.js"
import {cost, title} from "../words/flats.js"
import {count, sinceWhen, t, text} from "../words/format.js"
import {setStatus} from "./decide.js"
import {flatLink} from "./flats.js"

const daysShown = 14
const maxListed = 100 // flats

const ofRules = {"filter[status]": "ignored", "known[status_because]": "yes", sort: "-status_since"}

// showTaken fills an element with what rules have dismissed lately, keeps it up to date until the signal aborts, and
// promises the flats.
export async function showTaken(element, signal) {
	const fields = "title,status,status_because,status_since,cost,currency,location"
	const found = await find(ofRules, {"min[status_since]": daysAgo(daysShown), "page[size]": maxListed, fields}, {signal})
	const opened = new Set()

	function render() {
		const stillDismissed = found.flats.map(flat => flats.get(keyOf(flat)))
			.filter(flat => statusOf(flat) === "ignored" && flat.status_because)
		const groups = Map.groupBy(stillDismissed, ({status_because: rule}) => rule)
		fill(element, [...groups].map(([rule, taken]) => makeGroup(rule, taken)))
	}

	// makeGroup makes the fold of a rule. The flat that it dismissed first is the last of taken.
	function makeGroup(rule, taken) {
		const words = text(count(t.taken_by, taken.length), {name: rule, date: sinceWhen(taken.at(-1).status_since)})
		const toggle = ({target}) => (target.open ? opened.add(rule) : opened.delete(rule))
		return h("details.taken", {open: opened.has(rule), toggle}, h("summary", words),
			h("ul.plain", taken.map(takenLine)))
	}

	render()
	onChange(render, signal)
	return found.flats
}

// takenLine makes the line of a flat with the button that brings it back.
const takenLine = flat => h("li.line", flatLink(flat), h("span.soft", cost(flat)), h("span.soft", text(t.by_rule,
	{name: flat.status_because})), h("button", t.not_this, {label: `${t.not_this}: ${title(flat)}`,
	click: () => setStatus(keyOf(flat), "new")}))

// countTaken promises how many flats rules have dismissed since a time.
export async function countTaken(time, signal) {
	const query = {"min[status_since]": justAfter(time), "page[size]": 1, fields: "status"}
	return (await find(ofRules, query, {signal})).total
}
