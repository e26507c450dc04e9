// The list of flats: the rows of a view, in a table or, on a phone, as cards.

import {call, csvURL, find, findAll, flats, keyOf, onChange, statusOf} from "./api.js"
import {setNews} from "./bar.js"
import {controlsOf, fill, h, later, swap} from "./dom.js"
import {describeView, makeControls, savedSearches} from "./filters.js"
import {count, day, number, t, text} from "./format.js"
import {matcher} from "./marks.js"
import {attempt, failed, say} from "./notice.js"
import {flatKeys} from "./parts.js"
import {makeHolder, makeRow, paperTable, wide} from "./rows.js"
import {hashOf, holds, pageOf, pageSize, parametersOf, tabOf, tally, trail} from "./state.js"

// What the list showed when it was left: Back finds it so.
let view = {}
let doubles = new Set() // ids of flats that may be duplicates

const topOf = element => element.getBoundingClientRect().top
const flatsOf = ids => ids.map(id => flats.get(id))
const elements = () => [...document.querySelectorAll(".row")]
const ids = () => elements().map(({dataset}) => dataset.id)
const focused = () => document.activeElement.closest(".row")

export async function show(root, {filters}, signal) {
	let loading, parameters, tab
	let shown = {rows: new Map()} // rows by id, {flat, element}, and what append needs
	const stale = view.anchor && view.hash === hashOf("list", filters)
	let asked = stale ? null : ask() // the answer comes while the rest is made

	const saved = savedSearches()
	const csv = h("a.button", "CSV", {download: "flats.csv"})
	const controls = makeControls("list", signal, h("button", t.save, {click: saved.save}),
		h("button", t.print, {click: () => attempt(printAll)}), csv)
	let tabs = h("nav")
	const body = h("div", h("p"))
	const extend = () => attempt(addPage)
	const more = h("button.more", t.more, {click: extend, hidden: true})
	const end = h("p.end")
	const foot = h("div.foot", more, end)
	const paper = h("div.paper")
	const near = new IntersectionObserver(seen => seen.at(-1).isIntersecting && extend(), {rootMargin: "1600px"})

	const has = flat => holds(tab, statusOf(flat)) && !(tab.alive && flat.gone)

	function begin() {
		loading?.abort()
		loading = new AbortController()
		parameters = parametersOf(filters)
		tab = tabOf(filters.tab)
	}

	function ask() {
		begin()
		const asking = find(parameters, pageOf(0), {signal: loading.signal})
		const counting = countTabs(asking)
		counting.catch(error => failed(error, load))
		return [asking, counting]
	}

	function showFilters() {
		controls.show(filters)
		saved.show(filters)
		csv.href = csvURL(parameters)
		if (view.all) showTabs()
	}

	// What is shown stays until the rows are there, and at first the counts of the tabs.
	const load = () => attempt(async () => {
		const [asking, counting] = asked ?? ask()
		asked = null
		showFilters()
		const {flats: found, total, tag} = await asking
		if (!view.inAll) await counting
		const hash = hashOf("list", filters)
		if (!view.inAll && hash === "#/") return location.replace("#/import") // nothing has come in yet
		Object.assign(view, {hash, total, tag, at: new Date().toISOString()})
		scrollTo(0, 0)
		attempt(() => draw(found, innerHeight / (wide.matches ? 80 : 144))) // those in sight
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
		showFilters()
		const here = flatsOf(view.ids)
		view.total -= here.length - here.filter(has).length
		draw(here)
		rowOf(trail.last)?.querySelector("a").focus({preventScroll: true})
		// Rows that come into sight had a guessed height.
		for (let frame = 0; frame < 3 && !signal.aborted; frame++) {
			scrollBy(0, topOf(rowOf(view.anchor) ?? body) - view.top)
			await new Promise(requestAnimationFrame)
		}
		recount()
	}

	// Of a row that has left, the next.
	function rowOf(id) {
		const {element} = shown.rows.get(id) ?? {}
		return element instanceof Comment ? element.nextElementSibling : element
	}

	// A tab counts the live flats or all, and one more request the others.
	async function countTabs(asking = find(parameters, tally, {signal: loading.signal})) {
		const others = parametersOf({...filters, tab: tab.alive ? "all" : ""})
		const both = await Promise.all([asking, find(others, tally, {signal: loading.signal})])
		const [live, all] = tab.alive ? both : both.reverse()
		Object.assign(view, {live: live.counts, all: all.counts, inAll: all.total})
		setNews(live.counts.status.new ?? 0)
		showTabs()
	}

	const recount = later(() => countTabs().catch(() => {}), 50)

	function showTabs() {
		controls.showCurrencies(view.all.currency)
		tabs = swap(tabs, tabLinks(filters))
		if (filters.tab) tabs.scrollLeft = tabs.querySelector("[aria-current]").offsetLeft - 16
	}

	async function draw(found, first) {
		near.disconnect()
		const {signal} = loading
		const holder = makeHolder(filters.sort, sort => controls.go({...filters, sort}))
		const matches = matcher(filters.q)
		// In place of a row that leaves, Undo finds a comment.
		const make = flat => (has(flat) ? makeRow(flat, matches, doubles.has(keyOf(flat))) : new Comment())
		shown = {rows: new Map(), holder, make, parameters}
		swap(body.firstChild, holder)
		await append(shown, found, signal, first)
		finish()
		for (const ask of [controls.showHidden, saved.countNew, markDoubles])
			ask(signal, view.total).catch(() => {}) // the list does without
	}

	async function addPage() {
		if (shown.parameters !== parameters) return
		near.disconnect()
		const {signal} = loading
		const before = shown.rows.size
		let page = Math.floor(ids().length / pageSize) // earlier, where flats have left
		let found
		do {
			found = await find(parameters, pageOf(page++), {signal})
			await append(shown, found.flats, signal, 0)
		} while (shown.rows.size === before && page * pageSize < found.total)
		view.total = page * pageSize < found.total ? found.total : ids().length
		finish()
	}

	function finish() {
		const done = ids().length >= view.total
		near.disconnect() // observed anew, the end tells again that it is near
		if (!done) near.observe(foot)
		more.hidden = done
		fill(end, done && (view.total > 0 ? t.end : t.no_match))
		body.hidden = view.total === 0
	}

	function changed(flat, before) {
		if (statusOf(before) !== statusOf(flat)) recount()
		const row = shown.rows.get(keyOf(flat))
		if (!row) return
		view.total += replace(row, flat, shown.make(flat), root.firstChild)
		finish()
	}

	async function markDoubles(signal) {
		const {data} = await call("duplicates", {signal})
		doubles = new Set(data.flatMap(({ids}) => ids.map(String)))
		for (const [id, {flat}] of shown.rows) if (doubles.has(id)) changed(flat, flat)
	}

	async function fresh() {
		const size = Math.min(500, Math.max(pageSize, shown.rows.size))
		const found = await find(parameters, {"page[size]": size}, {signal: loading.signal, since: view.tag})
		if (!found || found.asOf) return
		view.tag = found.tag
		return differences(found, shown.rows)
	}

	async function printAll() {
		write(await findAll(parameters, {}, {signal}))
		print()
	}

	const step = (label, by) => [label, () => beside(focused(), by)?.querySelector("a").focus()]
	const write = (found, total) => fill(paper, paperOf(filters, found, total))

	fill(root, h("h1.sr", t.list), controls.head, saved.element, tabs, controls.chips, controls.hidden,
		body, foot, paper)
	onChange(changed, signal)
	wide.addEventListener("change", () => draw(flatsOf(ids())), {signal})
	addEventListener("beforeprint", () => paper.firstChild || write(flatsOf(ids()), view.total), {signal})
	addEventListener("afterprint", () => fill(paper), {signal})
	signal.addEventListener("abort", leave)
	if (stale) restore()
	else await load()
	const update = next => {
		filters = next.filters
		return load()
	}
	return {fresh, show: load, stale, update,
		keys: {j: step(t.next, 1), k: step(t.prev, -1), ...flatKeys(() => focused()?.dataset.id)}}
}

function tabLinks(filters) {
	const {live, all} = view
	const {tab = ""} = filters
	const further = Object.keys(all.status).filter(status => status !== "new")
		.sort((a, b) => holds(tabOf(), b) - holds(tabOf(), a))
	const names = new Set(["", "new", "shortlist", ...further.map(status => "is:" + status), "all", tab])
	return h("nav.tabs", {label: t.status}, [...names].map(name => {
		const of = tabOf(name)
		const counts = Object.entries((of.alive ? live : all).status)
		const n = counts.reduce((sum, [status, n]) => sum + holds(of, status) * n, 0)
		return h("a", of.label, " ", h("b", number(n)), {data: {status: name.replace("is:", "")},
			href: hashOf("list", {...filters, tab: name}), "aria-current": tab === name && "page"})
	}))
}

// Frames stay short: after the first rows each group has one of its own.
async function append({rows, holder, make}, found, signal, first = found.length) {
	let group
	for (const [i, flat] of found.entries()) {
		if (i % 4 === 0) {
			if (i >= first) await new Promise(requestAnimationFrame)
			signal.throwIfAborted()
			group = holder.createTBody?.() ?? holder
		}
		if (rows.has(keyOf(flat))) continue // pages overlap where a flat came in between
		const element = make(flat)
		rows.set(keyOf(flat), {flat, element})
		group.append(element)
	}
}

// Gives how many rows came.
function replace(row, flat, element, search) {
	const old = row.element
	const [was, is] = [old, element].map(node => node instanceof Element)
	Object.assign(row, {flat, element})
	if (was && !is) passFocus(old, search)
	if (was && is) swap(old, element)
	else old.replaceWith(element)
	return is - was
}

function beside(element, by) {
	const all = elements()
	return all[all.indexOf(element) + by]
}

function passFocus(element, search) {
	const control = controlsOf(element).indexOf(document.activeElement)
	const next = beside(element, 1) ?? beside(element, -1)
	if (control >= 0) (next ? controlsOf(next)[control] : search).focus({preventScroll: true})
}

function differences({flats: found, total}, rows) {
	const shown = flat => rows.get(keyOf(flat))?.flat
	const came = found.filter(flat => flat.first_seen >= view.at && !shown(flat)).length
	const arrived = Math.max(came, total - view.total)
	const left = view.total + arrived - total
	const differs = flat => shown(flat) && JSON.stringify(shown(flat)) !== JSON.stringify(flat)
	const changed = left + found.filter(differs).length
	return arrived + changed > 0 && text(t.fresh, {new: number(arrived), changed: number(changed)})
}

function paperOf(filters, found, total = found.length) {
	const shown = {shown: number(found.length), total: number(total)}
	const how = found.length < total ? text(t.shown, shown) : count(t.n_flats, total)
	return [h("h1", describeView(filters)), h("p", `${day(Date.now())} · ${how}`), paperTable(found)]
}
