// The tabs of the list: links to its flats by status, each with the number of flats. countTabs asks for
// the numbers, tabLinks makes the links.

import {find} from "./api.js"
import {setNews} from "./bar.js"
import {h} from "./dom.js"
import {number, t} from "./format.js"
import {hashOf, holds, parametersOf, tabOf, tally} from "./state.js"

// countTabs returns {live, all, total}: the counts that find returns for the live flats and for all, and
// the number of all. asking promises an answer for the tab of the filters. Its counts do not depend on the
// status of the tab, so they are those of the live flats or of all; another request gets the others.
export async function countTabs(filters, asking, signal) {
	const {alive} = tabOf(filters.tab)
	const others = parametersOf({...filters, tab: alive ? "all" : ""})
	const both = await Promise.all([asking, find(others, tally, {signal})])
	const [live, all] = alive ? both : both.reverse()
	setNews(live.counts.status.new ?? 0)
	return {live: live.counts, all: all.counts, total: all.total}
}

// tabLinks makes the tabs: the fixed ones, the open one, and one for each further status that any flat has,
// those of live flats first.
export function tabLinks(filters, {live, all}) {
	const {tab = ""} = filters
	const further = Object.keys(all.status).filter(status => status !== "new")
		.sort((a, b) => holds(tabOf(), b) - holds(tabOf(), a))
	const names = new Set(["", "new", "shortlist", ...further.map(status => "is:" + status), "all", tab])
	return h("nav.tabs", {label: t.status}, [...names].map(name => {
		const of = tabOf(name)
		const counts = Object.entries((of.alive ? live : all).status)
		const n = counts.reduce((sum, [status, n]) => sum + holds(of, status) * n, 0)
		return h("a", of.label, " ", h("b", number(n)), {
			data: {status: name.replace("is:", "")},
			href: hashOf("list", {...filters, tab: name}),
			"aria-current": tab === name && "page",
		})
	}))
}
