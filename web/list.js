// The list of flats: the rows of a view, in a table or, on a phone, as cards.

import {call, csvURL, find, findAll, flats, keyOf, onChange, statusOf} from "./api.js"
import {setNews} from "./bar.js"
import {fill, h, later, swap} from "./dom.js"
import {describeView, makeControls, savedSearches} from "./filters.js"
import {count, day, number, t, text} from "./format.js"
import {matcher} from "./marks.js"
import {attempt, say} from "./notice.js"
import {flatKeys} from "./parts.js"
import {makeHolder, makeRow, paperTable, wide} from "./rows.js"
import {hashOf, holds, pageOf, pageSize, parametersOf, tabOf, tally, trail} from "./state.js"

// What the list showed when it was left: Back finds it so.
let view = {}
let doubles = new Set() // ids of flats that may be duplicates

const controlsOf = element => [...element.querySelectorAll("a, button")]
const topOf = element => element.getBoundingClientRect().top
const flatsOf = ids => ids.map(id => flats.get(id))
const groups = all => Object.values(Object.groupBy(all, (flat, i) => Math.floor(i / 5)))

export async function show(root, {filters}, signal) {
	const printAll = () => attempt(async () => {
		write(await findAll(parameters, {}, {signal}))
		print()
	})
	const saved = savedSearches()
	const csv = h("a.button", "CSV", {download: "flats.csv"})
	const controls = makeControls("list", signal, h("button", t.save, {click: saved.save}),
		h("button", t.print, {click: printAll}), csv)
	let tabs = h("nav")
	const body = h("div")
	const extend = () => attempt(addPage)
	const more = h("button.more", t.more, {click: extend, hidden: true})
	const end = h("p.end")
	const foot = h("div.foot", more, end)
	const paper = h("div.paper")
	const near = new IntersectionObserver(seen => seen.at(-1).isIntersecting && extend(), {rootMargin: "1600px"})
	let rows = new Map() // by id {flat, element}
	let holder, parameters, tab, matches
	let loading = new AbortController()

	const elements = () => [...body.querySelectorAll(".row")]
	const ids = () => elements().map(({dataset}) => dataset.id)
	const has = flat => holds(tab, statusOf(flat)) && !(tab.alive && flat.gone)

	function begin() {
		loading.abort()
		loading = new AbortController()
		parameters = parametersOf(filters)
		tab = tabOf(filters.tab)
		matches = matcher(filters.q)
		controls.show(filters)
		saved.show(filters)
		csv.href = csvURL(parameters)
	}

	// What is shown stays until the first rows and the counts of the tabs are there.
	const load = () => attempt(async () => {
		begin()
		const [found, all] = await Promise.all([find(parameters, pageOf(0), {signal: loading.signal}), countTabs()])
		const {total, tag} = found
		const hash = hashOf("list", filters)
		if (all === 0 && hash === "#/") return location.replace("#/import") // nothing has come in yet
		Object.assign(view, {hash, total, tag, at: new Date().toISOString()})
		scrollTo(0, 0)
		attempt(() => draw(found.flats, 20))
		say(count(t.n_flats, total))
	})

	function leave() {
		loading.abort()
		near.disconnect()
		const anchor = elements().find(element => topOf(element) > 0)
		Object.assign(view, {ids: trail.ids = ids(), anchor: anchor?.dataset.id, top: anchor && topOf(anchor)})
	}

	async function restore() {
		begin()
		const here = flatsOf(view.ids).filter(has)
		view.total -= view.ids.length - here.length
		showTabs()
		draw(here)
		rows.get(trail.last)?.element.querySelector("a").focus({preventScroll: true})
		// Rows that come into sight had a guessed height.
		for (let frame = 0; frame < 3 && !signal.aborted; frame++) {
			scrollBy(0, topOf(rows.get(view.anchor)?.element ?? body) - view.top)
			await new Promise(requestAnimationFrame)
		}
		recount()
	}

	async function countTabs() {
		const of = tab => find(parametersOf({...filters, tab}), tally, {signal: loading.signal})
		const [live, all] = await Promise.all([of(""), of("all")])
		Object.assign(view, {live: live.counts, all: all.counts})
		showTabs()
		return all.total
	}

	const recount = later(() => countTabs().catch(() => {}), 50) // the counts of before stand

	function showTabs() {
		const {live, all} = view
		controls.showCurrencies(all.currency)
		setNews(live.status.new ?? 0)
		const {tab = ""} = filters
		const further = Object.keys(all.status).filter(status => status !== "new")
			.sort((a, b) => holds(tabOf(), b) - holds(tabOf(), a))
		const names = new Set(["", "new", "shortlist", ...further.map(status => "is:" + status), "all", tab])
		tabs = swap(tabs, h("nav.tabs", {label: t.status}, [...names].map(name => {
			const of = tabOf(name)
			const counts = Object.entries((of.alive ? live : all).status)
			const n = counts.reduce((sum, [status, n]) => sum + holds(of, status) * n, 0)
			return h("a", of.label, " ", h("b", number(n)), {data: {status: name.replace("is:", "")},
				href: hashOf("list", {...filters, tab: name}), "aria-current": tab === name && "page"})
		})))
		tabs.scrollLeft = tabs.querySelector("[aria-current]").offsetLeft - 16
	}

	// The rows in sight come first, the others in the frames that follow.
	async function draw(found, first = found.length) {
		const {signal} = loading
		rows = new Map()
		holder = makeHolder(filters.sort, sort => controls.go({...filters, sort}))
		fill(body, holder)
		groups(found.slice(0, first)).forEach(append)
		if (first < found.length) await appendLater(found.slice(first), signal)
		finish()
		for (const ask of [controls.showHidden, saved.countNew, markDoubles])
			ask(signal).catch(() => {}) // the list does without
	}

	const rowOf = flat => makeRow(flat, matches, doubles.has(keyOf(flat)))

	// Pages overlap where a flat came in between. Small groups keep frames short.
	function append(found) {
		const group = holder.createTBody?.() ?? holder
		for (const flat of found) if (!rows.has(keyOf(flat))) {
			const element = rowOf(flat)
			rows.set(keyOf(flat), {flat, element})
			group.append(element)
		}
	}

	async function appendLater(found, signal) {
		for (const group of groups(found)) {
			await new Promise(requestAnimationFrame)
			signal.throwIfAborted()
			append(group)
		}
	}

	async function addPage() {
		near.disconnect()
		const {signal} = loading
		const before = rows.size
		let page = Math.floor(ids().length / pageSize) // earlier, where flats have left
		let found
		do {
			found = await find(parameters, pageOf(page++), {signal})
			await appendLater(found.flats, signal)
		} while (rows.size === before && page * pageSize < found.total)
		view.total = page * pageSize < found.total ? found.total : ids().length
		finish()
	}

	function finish() {
		const done = ids().length >= view.total
		near.disconnect() // observed anew, the end tells again that it is near
		if (!done) near.observe(foot)
		more.hidden = done
		fill(end, done && (view.total > 0 ? t.end : t.no_match))
		holder.hidden = view.total === 0
	}

	// A comment takes the place of a row that leaves, so that Undo finds it.
	function changed(flat, before) {
		if (statusOf(before) !== statusOf(flat)) recount()
		const row = rows.get(keyOf(flat))
		if (!row) return
		const {element} = row
		const [was, is] = [element instanceof Element, has(flat)]
		Object.assign(row, {flat, element: is ? rowOf(flat) : new Comment()})
		if (was && !is) passFocus(element)
		if (was && is) swap(element, row.element)
		else element.replaceWith(row.element)
		view.total += is - was
		finish()
	}

	function passFocus(element) {
		const control = controlsOf(element).indexOf(document.activeElement)
		const next = beside(element, 1) ?? beside(element, -1)
		if (control >= 0) (next ? controlsOf(next)[control] : controls.search).focus({preventScroll: true})
	}

	function beside(element, by) {
		const all = elements()
		return all[all.indexOf(element) + by]
	}

	async function markDoubles(signal) {
		const {data} = await call("duplicates", {signal})
		doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const [id, {flat}] of rows) if (doubles.has(id)) changed(flat, flat)
	}

	async function fresh() {
		const size = Math.min(500, Math.max(pageSize, rows.size))
		const found = await find(parameters, {"page[size]": size}, {signal: loading.signal, since: view.tag})
		if (!found || found.asOf) return
		view.tag = found.tag
		const shown = flat => rows.get(keyOf(flat))?.flat
		const came = found.flats.filter(flat => flat.first_seen >= view.at && !shown(flat)).length
		const arrived = Math.max(came, found.total - view.total)
		const left = view.total + arrived - found.total
		const differs = flat => shown(flat) && JSON.stringify(shown(flat)) !== JSON.stringify(flat)
		const changed = left + found.flats.filter(differs).length
		return arrived + changed > 0 && text(t.fresh, {new: number(arrived), changed: number(changed)})
	}

	function write(found, total = found.length) {
		const shown = {shown: number(found.length), total: number(total)}
		const how = found.length < total ? text(t.shown, shown) : count(t.n_flats, total)
		fill(paper, h("h1", describeView(filters)), h("p", `${day(Date.now())} · ${how}`), paperTable(found))
	}

	const row = () => document.activeElement.closest(".row")
	const step = by => () => beside(row(), by)?.querySelector("a").focus()

	fill(root, h("h1.sr", t.list), controls.head, saved.element, tabs, controls.chips, controls.hidden,
		body, foot, paper)
	onChange(changed, signal)
	wide.addEventListener("change", () => draw(flatsOf(ids())), {signal})
	addEventListener("beforeprint", () => paper.firstChild || write(flatsOf(ids()), view.total), {signal})
	addEventListener("afterprint", () => fill(paper), {signal})
	signal.addEventListener("abort", leave)
	const stale = view.anchor && view.hash === hashOf("list", filters)
	if (stale) restore()
	else await load()
	const update = next => {
		filters = next.filters
		return load()
	}
	return {fresh, show: load, stale, update,
		keys: {j: [t.key_next, step(1)], k: [t.key_next, step(-1)], ...flatKeys(() => row()?.dataset.id)}}
}
