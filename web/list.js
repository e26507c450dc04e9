// The list: the flats of a view, in a table or, on a phone, as cards.
//
// show loads the first page and adds others as the end comes near, follows what is decided, and
// restores the list as it was left. rowlist.js keeps its rows, rows.js draws them, tabs.js has the
// tabs above them, filters.js the filters.

import {call, csvURL, find, findAll, flats, keyOf, onChange, statusOf} from "./api.js"
import {fill, h, later, swap} from "./dom.js"
import {describeView, makeControls, savedSearches} from "./filters.js"
import {count, day, number, t, text} from "./format.js"
import {matcher} from "./marks.js"
import {attempt, failed, say} from "./notice.js"
import {flatKeys} from "./parts.js"
import {RowList, focusedRow} from "./rowlist.js"
import {makeHolder, makeRow, paperTable, wide} from "./rows.js"
import {hashOf, holds, pageOf, pageSize, parametersOf, tabOf, tally, trail} from "./state.js"
import {countTabs, tabLinks} from "./tabs.js"

// What the list showed last, which "Back" restores: its hash; the total, tag and time (at) of the
// answer; the counts of the tabs; and, once it was left, the ids of its flats, the first one in
// sight (anchor) and how far that was from the top.
let kept = {}
let doubles = new Set() // ids of flats that may be duplicates

const topOf = element => element.getBoundingClientRect().top
const flatsOf = ids => ids.map(id => flats.get(id))

// show fills root with the list. app.js says what it must return.
export async function show(root, {filters}, signal) {
	let loading // the AbortController of the requests for these filters
	let parameters, tab // of these filters
	let rows = new RowList(h("p")) // none yet
	let drawn // the parameters that the rows were found with
	const stale = kept.anchor && kept.hash === hashOf("list", filters)
	let asked = stale ? null : ask() // the answer comes while the rest is made

	const saved = savedSearches()
	const csv = h("a.button", "CSV", {download: "flats.csv"})
	const controls = makeControls("list", signal, h("button", t.save, {click: saved.save}),
		h("button", t.print, {click: () => attempt(printAll)}), csv)
	let tabs = h("nav")
	const body = h("div", rows.holder)
	const foot = makeFoot(() => attempt(addPage))
	const paper = makePaper(() => [filters, flatsOf(rows.ids), kept.total], signal)

	const has = flat => holds(tab, statusOf(flat)) && !(tab.alive && flat.gone)

	function begin() {
		loading?.abort()
		loading = new AbortController()
		parameters = parametersOf(filters)
		tab = tabOf(filters.tab)
	}

	// Requests: the first page and the tabs, further pages, what has changed elsewhere

	function ask() {
		begin()
		const asking = find(parameters, pageOf(0), {signal: loading.signal})
		const counting = recount(asking)
		counting.catch(error => failed(error, load))
		return [asking, counting]
	}

	async function recount(asking) {
		kept.counts = await countTabs(filters, asking, loading.signal)
		showTabs()
	}

	const recountLater = later(() =>
		recount(find(parameters, tally, {signal: loading.signal})).catch(() => {/* those of before will do */}), 50)

	// What was shown stays until the new rows are there. The first time, load waits for the counts of the
	// tabs as well: if there are no flats at all, the import view opens instead.
	const load = () => attempt(async () => {
		const [asking, counting] = asked ?? ask()
		asked = null
		showFilters()
		const {flats: found, total, tag} = await asking
		if (!kept.counts?.total) await counting
		const hash = hashOf("list", filters)
		if (!kept.counts.total && hash === "#/") return location.replace("#/import")
		Object.assign(kept, {hash, total, tag, at: new Date().toISOString()})
		scrollTo(0, 0)
		attempt(() => draw(found, innerHeight / (wide.matches ? 80 : 144))) // those in sight first
		say(count(t.n_flats, total))
	})

	async function addPage() {
		if (drawn !== parameters) return // the rows of other filters are on their way
		foot.rest()
		const {signal} = loading
		const before = rows.size
		let page = Math.floor(rows.ids.length / pageSize) // earlier, where flats have left
		let found
		do {
			found = await find(parameters, pageOf(page++), {signal})
			await rows.append(found.flats, signal, 0)
		} while (rows.size === before && page * pageSize < found.total)
		kept.total = page * pageSize < found.total ? found.total : rows.ids.length
		showEnd()
	}

	async function markDoubles(signal) {
		const {data} = await call("duplicates", {signal})
		doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const flat of rows.flats) if (doubles.has(keyOf(flat))) redraw(flat)
	}

	async function fresh() {
		const size = Math.min(500, Math.max(pageSize, rows.size))
		const found = await find(parameters, {"page[size]": size}, {signal: loading.signal, since: kept.tag})
		if (!found || found.asOf) return
		kept.tag = found.tag
		return differences(found, rows)
	}

	async function printAll() {
		paper.show(filters, await findAll(parameters, {}, {signal}))
		print()
	}

	// What is shown

	function showFilters() {
		controls.show(filters)
		saved.show(filters)
		csv.href = csvURL(parameters)
		if (kept.counts) showTabs()
	}

	function showTabs() {
		controls.showCurrencies(kept.counts.all.currency)
		tabs = swap(tabs, tabLinks(filters, kept.counts))
		if (filters.tab) tabs.scrollLeft = tabs.querySelector("[aria-current]").offsetLeft - 16
	}

	async function draw(found, first) {
		foot.rest()
		const {signal} = loading
		const holder = makeHolder(filters.sort, sort => controls.go({...filters, sort}))
		const matches = matcher(filters.q)
		rows = new RowList(holder, flat =>
			(has(flat) ? makeRow(flat, matches, doubles.has(keyOf(flat))) : new Comment()))
		drawn = parameters
		swap(body.firstChild, holder)
		await rows.append(found, signal, first)
		showEnd()
		for (const ask of [controls.showHidden, saved.countNew, markDoubles])
			ask(signal, kept.total).catch(() => {/* the list does without */})
	}

	function showEnd() {
		foot.show(rows.ids.length >= kept.total, kept.total > 0 ? t.end : t.no_match)
		body.hidden = kept.total === 0
	}

	function redraw(flat) {
		if (!rows.flat(keyOf(flat))) return
		kept.total += rows.replace(flat, root.firstChild)
		showEnd()
	}

	function changed(flat, before) {
		if (statusOf(before) !== statusOf(flat)) recountLater()
		redraw(flat)
	}

	// Leaving, and coming back

	function leave() {
		loading.abort()
		foot.rest()
		trail.ids = rows.ids
		const anchor = rows.elements.find(element => topOf(element) > 0)
		Object.assign(kept, {ids: trail.ids, anchor: anchor?.dataset.id, top: anchor && topOf(anchor)})
	}

	async function restore() {
		begin()
		showFilters()
		const here = flatsOf(kept.ids)
		kept.total -= here.length - here.filter(has).length
		draw(here)
		rows.elementOf(trail.last)?.querySelector("a").focus({preventScroll: true})
		// Rows have an estimated height until they come into sight. That takes a few frames, after each of
		// which the place is corrected.
		for (let frame = 0; frame < 3 && !signal.aborted; frame++) {
			scrollBy(0, topOf(rows.elementOf(kept.anchor) ?? body) - kept.top)
			await new Promise(requestAnimationFrame)
		}
		recountLater()
	}

	fill(root, h("h1.sr", t.list), controls.head, saved.element, tabs, controls.chips, controls.hidden,
		body, foot.element, paper.element)
	onChange(changed, signal)
	wide.addEventListener("change", () => draw(flatsOf(rows.ids)), {signal})
	signal.addEventListener("abort", leave)
	if (stale) restore()
	else await load()

	const update = next => {
		filters = next.filters
		return load()
	}
	const step = (label, by) => [label, () => rows.beside(focusedRow(), by)?.querySelector("a").focus()]
	const keys = {j: step(t.next, 1), k: step(t.prev, -1), ...flatKeys(() => focusedRow()?.dataset.id)}
	return {fresh, show: load, stale, update, keys}
}

// makeFoot makes what stands below the rows: a button that calls extend, which is also called when the
// end comes within 1,600 pixels of what is in sight, and words once all rows are shown. rest stops
// watching until show is called next.
function makeFoot(extend) {
	const more = h("button.more", t.more, {click: extend, hidden: true})
	const end = h("p.end")
	const element = h("div.foot", more, end)
	const near = new IntersectionObserver(seen => seen.at(-1).isIntersecting && extend(), {rootMargin: "1600px"})

	function show(isAll, words) {
		near.disconnect() // observed anew, an end that is still near says so again
		if (!isAll) near.observe(element)
		more.hidden = isAll
		fill(end, isAll && words)
	}
	return {element, rest: () => near.disconnect(), show}
}

// makePaper makes the list as it is printed. show fills it with flats, under a title that says the filters
// and, if total is more, how many of all flats these are. If the browser's own print is used, shown()
// returns the arguments of show.
function makePaper(shown, signal) {
	const element = h("div.paper")

	function show(filters, found, total = found.length) {
		const of = {shown: number(found.length), total: number(total)}
		const how = found.length < total ? text(t.shown, of) : count(t.n_flats, total)
		fill(element, h("h1", describeView(filters)), h("p", `${day(Date.now())} · ${how}`), paperTable(found))
	}

	addEventListener("beforeprint", () => element.firstChild || show(...shown()), {signal})
	addEventListener("afterprint", () => fill(element), {signal})
	return {element, show}
}

// differences says in words how an answer to the same question differs from what is shown, or returns
// false. Flats that were first seen since then are new. How many have left follows from the totals;
// they count as changed.
function differences({flats: found, total}, rows) {
	const shown = flat => rows.flat(keyOf(flat))
	const came = found.filter(flat => flat.first_seen >= kept.at && !shown(flat)).length
	const arrived = Math.max(came, total - kept.total)
	const left = kept.total + arrived - total
	const differs = flat => shown(flat) && JSON.stringify(shown(flat)) !== JSON.stringify(flat)
	const changed = left + found.filter(differs).length
	return arrived + changed > 0 && text(t.fresh, {new: number(arrived), changed: number(changed)})
}
