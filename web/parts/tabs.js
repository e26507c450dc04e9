// The tabs of the list: links to flats by status, with their numbers. countTabs requests the numbers, tabLinks makes
// the links.

import {h} from "../lib/dom.js"
import {look} from "../lib/flats.js"
import {me} from "../lib/people.js"
import {queryOf, tally} from "../lib/query.js"
import {shortlisted} from "../lib/fields.js"
import {hashOf, holds, tabOf} from "../lib/state.js"
import {tabName} from "../words/filters.js"
import {number, t} from "../words/format.js"
import {countNews, setNews} from "./bar.js"

// kindOf returns the kind of flats from which a tab selects by status: "live", "changed", "all", or "unrated" by a
// person.
const kindOf = ({alive, within, unrated}) => (alive ? "live" : within ? "changed" : unrated ? "unrated" : "all")
const kinds = {live: "", changed: "changed", all: "all"} // a tab of each kind

// countTabs promises the counts of each kind of tab, as find returns them, {live, changed, all, unrated, total}; total
// is the number of all flats. asking promises an answer for the tab in filters. Its counts ignore the tab's status, so
// they are good for its kind. Further requests get the others, and that one if asking fails. unrated is missing if
// nobody has said who uses the device; changed may be null without a network.
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

// tabLinks makes the tabs: the fixed ones, the open one, and one for each other status that flats have. The statuses of
// the shortlist come first, then others of live flats. Unknown counts are omitted.
export function tabLinks(filters, counts) {
	const {tab = ""} = filters
	const place = status => [...shortlisted, status].indexOf(status)
	const statuses = Object.keys(counts.all?.status ?? {}).filter(status => status !== "new")
		.sort((a, b) => holds(tabOf(), b) - holds(tabOf(), a) || place(a) - place(b))
	const own = me() ? ["for:" + me()] : []
	const names = new Set(["", "new", "changed", "shortlist", ...own, ...statuses.map(status => "is:" + status), "all",
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
