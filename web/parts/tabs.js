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

// kindOf returns the kind of flats from which a tab (lib/state.js) selects by status: "live", "changed", "unrated" by a
// person, or "all".
function kindOf({alive, within, unrated}) {
	if (alive) return "live"
	if (within) return "changed"
	return unrated ? "unrated" : "all"
}

const tabOfKind = {live: "", changed: "changed", all: "all"} // for each kind, the tab to request

// countTabs promises the counts for each kind of tab, as find returns them, {live, changed, all, unrated, total}. total
// is the number of all flats. Without a network, changed and unrated may be undefined. unrated is undefined, too, if
// nobody has said who uses the device.
//
// asking promises an answer for the tab in filters. The counts of an answer ignore the status that the tab selects, so
// they serve for all tabs of its kind. countTabs requests only the other kinds, and this one if asking fails.
export async function countTabs(filters, asking, signal) {
	const openKind = kindOf(tabOf(filters.tab))
	const person = tabOf(filters.tab).unrated ?? me()
	const tabs = person ? {...tabOfKind, unrated: "for:" + person} : tabOfKind
	const [live, changed, all, unrated] = await Promise.all(Object.entries(tabs).map(([kind, tab]) => {
		const ask = () => look(queryOf({...filters, tab}), tally, {signal})
		const answer = kind === openKind ? asking.catch(ask) : ask()
		return ["changed", "unrated"].includes(kind) ? answer.catch(() => null) : answer
	}))
	const hasFilters = hashOf("list", {...filters, tab: null, sort: null}) !== "#/"
	if (!hasFilters) setNews(live.counts.status.new ?? 0)
	else countNews().catch(() => {/* the earlier number will do */})
	return {
		live: live.counts,
		changed: changed?.counts,
		all: all.counts,
		unrated: unrated?.counts,
		total: all.total,
	}
}

// tabLinks makes the tabs: the fixed ones, the open one, and one for each other status that flats have. Of these, live
// statuses come first, in the order of the shortlist. Unknown counts are omitted.
export function tabLinks(filters, counts) {
	const {tab = ""} = filters
	const rank = status => [...shortlisted, status].indexOf(status) // other statuses come after the shortlist
	const isLive = status => holds(tabOf(), status)
	const statuses = Object.keys(counts.all?.status ?? {}).filter(status => status !== "new")
		.sort((a, b) => isLive(b) - isLive(a) || rank(a) - rank(b))
	const personal = me() ? ["for:" + me()] : []
	const tabsOfStatus = statuses.map(status => "is:" + status)
	const names = new Set(["", "new", "changed", "shortlist", ...personal, ...tabsOfStatus, "all", tab])
	return h("nav.tabs", {label: t.status}, [...names].map(name => {
		const conditions = tabOf(name)
		const byStatus = counts[kindOf(conditions)]?.status
		const inTab = Object.entries(byStatus ?? {}).filter(([status]) => holds(conditions, status))
		const n = byStatus && inTab.reduce((sum, [, ofStatus]) => sum + ofStatus, 0)
		return h("a", tabName(name), " ", h("b", n != null && number(n)), {
			data: {status: name.replace("is:", "")},
			href: hashOf("list", {...filters, tab: name}),
			"aria-current": tab === name && "page",
		})
	}))
}
