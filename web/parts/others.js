// What the other people have decided since a time: askOthers requests it, otherLine makes the link for one person.

import {h} from "../lib/dom.js"
import {own} from "../lib/fields.js"
import {look} from "../lib/flats.js"
import {me, people} from "../lib/people.js"
import {justAfter} from "../lib/query.js"
import {hashOf} from "../lib/state.js"
import {count, statusName, t} from "../words/format.js"

// askOthers promises what other people have decided since a time, [{person, since, total, decided, visits}]. total is
// the number of flats, decided has this number by status, visits says how many of the flats have a visit and were not
// visited yet. People who decided nothing are left out.
export async function askOthers(time, signal) {
	const since = justAfter(time)
	const all = await Promise.all(people.filter(person => person !== me()).map(async person => {
		const decisions = {"filter[status_by]": person, "min[status_since]": since, "page[size]": 1, fields: "status"}
		const [{total, counts}, visits] = await Promise.all([
			look({}, {...decisions, counts: "status"}, {signal}),
			look({}, {...decisions, "known[visit_date]": "yes", "not[status]": "visited"}, {signal}),
		])
		return {person, since, total, decided: counts.status, visits: visits.total}
	}))
	return all.filter(({total}) => total > 0)
}

// otherLine makes a link that says what a person decided, and opens these flats.
export function otherLine({person, since, decided, visits}) {
	// forms returns the words of a status for count, for one flat and for several, with # for the number.
	const forms = status => own(t, "did_" + status) ?? ["# " + statusName(status), "# " + statusName(status)]
	const words = Object.entries(decided).sort(([, a], [, b]) => b - a).map(([status, n]) => count(forms(status), n))
	if (visits > 0) words.push(count(t.did_set_visit, visits))
	const href = hashOf("list", {tab: "all", by: person, since, sort: "-status_since"})
	return h("a", `${person}: ${words.join(", ")}`, {href})
}
