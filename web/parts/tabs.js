// The tabs of the list: links to its flats by status, each with the number of flats. countTabs requests the numbers,
// tabLinks makes the links.

import {h} from "../lib/dom.js"
import {look} from "../lib/flats.js"
import {me} from "../lib/people.js"
import {queryOf, tally} from "../lib/query.js"
import {shortlisted} from "../lib/fields.js"
import {hashOf, holds, tabOf} from "../lib/state.js"
import {tabName} from "../words/filters.js"
import {number, t} from "../words/format.js"
import {countNews, setNews} from "./bar.js"

// kindOf returns which flats a tab selects from: "live", "changed", "all", or "unrated", those that a person has not
// rated.
const kindOf = ({alive, within, unrated}) => (alive ? "live" : within ? "changed" : unrated ? "unrated" : "all")
const kinds = {live: "", changed: "changed", all: "all"} // each with a tab of that kind

// countTabs returns {live, changed, all, unrated, total}: the counts that find returns for each kind of tab, and the
// number of all flats. asking promises an answer for the tab of the filters. Its counts do not
// depend on the tab's status, so they are valid for its kind; further requests get the others, and this one too if the
// device has not kept the tab. unrated is missing if it is not known whose ratings count. Without a network changed may
// be null.
export async function countTabs(filters, asking, signal) {
	const own = kindOf(tabOf(filters.tab))
	const person = tabOf(filters.tab).unrated ?? me()
	const asked = Object.entries({...kinds, ...person && {unrated: "for:" + person}})
	const [live, changed, all, unrated] = await Promise.all(asked.map(([kind, tab]) => {
		const ask = () => look(queryOf({...filters, tab}), tally, {signal})
		const answer = kind === own ? asking.catch(ask) : ask()
		return ["changed", "unrated"].includes(kind) ? answer.catch(() => null) : answer
	}))
	if (hashOf("list", {...filters, tab: null, sort: null}) === "#/") setNews(live.counts.status.new ?? 0)
	else countNews().catch(() => {/* the number of before will do */})
	return {
		live: live.counts,
		changed: changed?.counts,
		all: all.counts,
		unrated: unrated?.counts,
		total: all.total,
	}
}

// tabLinks makes the tabs: the fixed ones, the open one, and one for each further status that any flat has: those that
// a flat goes through in their order, then others of live flats. It omits counts that are not known.
export function tabLinks(filters, counts) {
	const {tab = ""} = filters
	const place = status => [...shortlisted, status].indexOf(status)
	const further = Object.keys(counts.all?.status ?? {}).filter(status => status !== "new")
		.sort((a, b) => holds(tabOf(), b) - holds(tabOf(), a) || place(a) - place(b))
	const own = me() ? ["for:" + me()] : []
	const names = new Set(["", "new", "changed", "shortlist", ...own, ...further.map(status => "is:" + status), "all",
		tab])
	return h("nav.tabs", {label: t.status}, [...names].map(name => {
		const of = tabOf(name)
		const byStatus = counts[kindOf(of)]?.status
		const n = byStatus && Object.entries(byStatus).reduce((sum, [status, n]) => sum + holds(of, status) * n, 0)
		return h("a", tabName(name), " ", h("b", n != null && number(n)), {
			data: {status: name.replace("is:", "")},
			href: hashOf("list", {...filters, tab: name}),
			"aria-current": tab === name && "page",
		})
	}))
}
